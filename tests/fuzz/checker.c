/* Bytes become a decision log from a stranger, entry by entry, and go to the checker of a model
 * with a small workload. What must hold: the checker refuses it or not, gives a reason if it does,
 * and goes on refusing; it reads and writes its own memory alone. */
#include <stddef.h>
#include <string.h>

#include "fuzz.h"
#include "pinion.h"

enum { BLOCK = 1 << 16, ENTRIES = 256 };

static _Alignas(8) unsigned char block[BLOCK];

/* A small number in most cases, one of any size else. */
static uint64_t number(input *in)
{
    unsigned first = byte(in);
    uint64_t word = 0;
    if (first < 250)
        return first % 50;
    for (unsigned i = 0; i < 8; i++)
        word = word << 8 | byte(in);
    return word;
}

/* Time goes on in most cases. */
static uint64_t time_of(input *in, uint64_t *now)
{
    uint64_t step = number(in);
    *now = step == 49 ? number(in) : *now + step % 8 * (step % 16 < 8);
    return *now;
}

/* What the checkers have in common: whether it has refused, and why. */
static void check_refusal(int status, int *refused, const char *fault)
{
    must(!*refused || status != PN_OK, "a log that was refused stays so");
    *refused = *refused || status != PN_OK;
    must(!*refused || fault[0] != '\0', "a refusal has a reason");
}

/* ---- slotted ---- */

static void feed_slotted(input *in)
{
    static const uint64_t reduces[] = {2, 1};
    static const pn_slotted_job jobs[] = {
        {.arrival = 1, .maps = 3},
        {.arrival = 1, .reduces = reduces, .reduce_count = 2},
        {.arrival = 3, .maps = 1, .reduces = reduces, .reduce_count = 1}};
    unsigned how = byte(in);
    const pn_slotted_claim claim = {.machines = 2,
                                    .reduce = how % 2,
                                    .relaxed = how / 2 % 2,
                                    .work_conserving = how / 4 % 2,
                                    .jobs = jobs,
                                    .job_count = 3};
    pn_slotted_verifier *it = NULL;
    int refused = 0;
    uint64_t now = 1, at;
    if (pn_slotted_verifier_init(&it, block, BLOCK, &claim) != PN_OK)
        return;
    for (unsigned i = 0; i < ENTRIES && in->size > 0; i++) {
        pn_slotted_decision entry = {.slot = time_of(in, &now), .id = number(in)};
        entry.amount = number(in);
        entry.kind = (uint32_t)number(in);
        entry.first_task = (uint32_t)number(in);
        int status = pn_slotted_verifier_feed(it, &entry);
        check_refusal(status, &refused, pn_slotted_verifier_fault(it, &at, &at));
    }
    if (how / 8 % 2)
        pn_slotted_verifier_stop(it, now);
    int status = pn_slotted_verifier_end(it, now, number(in));
    check_refusal(status, &refused, pn_slotted_verifier_fault(it, &at, &at));
}

/* ---- tandem ---- */

static double real(input *in)
{
    uint64_t word = number(in);
    double value = (double)word / 4;
    if (word > 1000)
        memcpy(&value, &word, sizeof value);
    return value;
}

static void feed_tandem(input *in)
{
    static const pn_tandem_job jobs[] = {{.arrival = 0, .map = 1, .shuffle = 2},
                                         {.arrival = 0.5, .map = 2},
                                         {.arrival = 1, .shuffle = 1},
                                         {.arrival = 4}};
    unsigned how = byte(in);
    const pn_tandem_claim claim = {.speed = how & 1 ? 1 : 0.75,
                                   .traditional = how / 2 % 2,
                                   .work_conserving = how / 4 % 2,
                                   .jobs = jobs,
                                   .job_count = 4};
    pn_tandem_verifier *it = NULL;
    int refused = 0;
    double now = 0, time;
    uint64_t at;
    if (pn_tandem_verifier_init(&it, block, BLOCK, &claim) != PN_OK)
        return;
    for (unsigned i = 0; i < ENTRIES && in->size > 0; i++) {
        double step = real(in);
        now = step > 12 ? step : now + step / 4;
        pn_tandem_decision entry = {.time = now, .id = number(in)};
        entry.map_rate = real(in);
        entry.shuffle_rate = real(in);
        entry.kind = (uint32_t)number(in);
        int status = pn_tandem_verifier_feed(it, &entry);
        check_refusal(status, &refused, pn_tandem_verifier_fault(it, &time, &at));
    }
    if (how / 8 % 2)
        pn_tandem_verifier_stop(it, now);
    int status = pn_tandem_verifier_end(it, now, number(in));
    check_refusal(status, &refused, pn_tandem_verifier_fault(it, &time, &at));
    if (!refused)
        pn_tandem_verifier_total(it, &time);
}

/* ---- makespan ---- */

static void feed_makespan(input *in)
{
    static const pn_makespan_stretch tasks[] = {{2, 2}, {1, 1}, {3, 1}};
    static const pn_makespan_job jobs[] = {
        {.stage = {{.stretches = tasks, .stretch_count = 2},
                   {.stretches = tasks + 2, .stretch_count = 1}}},
        {.stage = {{.stretches = tasks, .stretch_count = 1},
                   {.stretches = tasks, .stretch_count = 3}}}};
    unsigned how = byte(in);
    const pn_makespan_claim claim = {.map_slots = 2,
                                     .reduce_slots = 1,
                                     .base_map_slots = 2,
                                     .base_reduce_slots = 1,
                                     .nodes = 1,
                                     .level = 1 + how % 2,
                                     .stage_time = 1 + how / 2 % 5,
                                     .share = 1 + how / 16 % 2,
                                     .cap = 1 + how / 32 % 2,
                                     .resplit = how / 64 % 3,
                                     .ticks = 1,
                                     .jobs = jobs,
                                     .job_count = 2};
    pn_makespan_verifier *it = NULL;
    int refused = 0;
    uint64_t now = 0, at;
    if (pn_makespan_verifier_init(&it, block, BLOCK, &claim) != PN_OK)
        return;
    for (unsigned i = 0; i < ENTRIES && in->size > 0; i++) {
        pn_makespan_decision entry = {.start = time_of(in, &now)};
        entry.end = entry.start + number(in);
        entry.id = number(in);
        entry.kind = (uint32_t)number(in);
        entry.task = (uint32_t)number(in);
        entry.slot = (uint32_t)number(in);
        int status = pn_makespan_verifier_feed(it, &entry);
        check_refusal(status, &refused, pn_makespan_verifier_fault(it, &at, &at));
    }
    int status = pn_makespan_verifier_end(it, now, number(in));
    check_refusal(status, &refused, pn_makespan_verifier_fault(it, &at, &at));
}

/* ---- cluster ---- */

static void feed_cluster(input *in)
{
    static const pn_scheduler_nodes nodes[] = {{2, 2, 1, 1000}, {1, 1, 1, 500}};
    static const pn_cluster_failure failures[] = {{.time = 3, .recover = 9, .node = 1}};
    static const pn_cluster_job jobs[] = {
        {.submit = 0, .maps = 3, .reduces = 1, .map_ms = 4, .reduce_ms = 3, .shuffle_ms = 2},
        {.submit = 2, .maps = 1, .map_ms = 6, .remote_ms = 1, .deadline = 20}};
    pn_cluster_config config = pn_cluster_defaults();
    unsigned how = byte(in), rules = byte(in);
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 2;
    config.heartbeat_ms = rules % 3;
    config.restore_ms = rules / 4 % 3;
    config.attempt_fail_permille = rules / 16 % 2 * 300;
    config.scheduler.running_most = rules / 32 % 2;
    config.scheduler.max_kills = rules / 64 % 3;
    const pn_cluster_claim claim = {.config = &config,
                                    .measured = how % 2,
                                    .preempts = how / 2 % 2,
                                    .maps_first = how / 4 % 2,
                                    .holds = how / 8 % 2,
                                    .deals = how / 16 % 2,
                                    .promises = how / 32 % 2,
                                    .copies = how / 64 % 2,
                                    .jobs = jobs,
                                    .job_count = 2,
                                    .failures = failures,
                                    .failure_count = how / 128 % 2};
    pn_cluster_verifier *it = NULL;
    int refused = 0;
    uint64_t now = 0, at;
    if (pn_cluster_verifier_init(&it, block, BLOCK, &claim) != PN_OK)
        return;
    for (unsigned i = 0; i < ENTRIES && in->size > 0; i++) {
        pn_scheduler_event entry = {.time = time_of(in, &now), .event = byte(in) % 24};
        entry.id = number(in);
        entry.kind = (uint32_t)number(in);
        entry.task = (uint32_t)number(in);
        entry.node = (uint32_t)number(in);
        entry.attempt = (uint32_t)number(in);
        if (entry.event % 2) {
            entry.estimate = number(in);
            entry.deadline = number(in);
            entry.slots[0] = (uint32_t)number(in);
            entry.slots[1] = (uint32_t)number(in);
        }
        int status = pn_cluster_verifier_feed(it, &entry);
        check_refusal(status, &refused, pn_cluster_verifier_fault(it, &at, &at));
    }
    if (rules / 128)
        pn_cluster_verifier_stop(it, now);
    int status = pn_cluster_verifier_end(it, now, number(in), number(in));
    check_refusal(status, &refused, pn_cluster_verifier_fault(it, &at, &at));
}

/* ---- dag ---- */

static void feed_dag(input *in)
{
    static const pn_dispatch_nodes nodes[] = {{.count = 2, .capacity = {4, 8}, .speed = 1000},
                                              {.count = 1, .capacity = {2, 2}, .speed = 500}};
    static const pn_dag_failure failures[] = {{.time = 3, .recover = 9, .node = 1}};
    static const uint32_t parents[] = {0};
    static const pn_dag_stage stages[] = {
        {.demand = {1, 2}, .duration = 4, .tasks = 3, .start_ms = PN_DAG_AUTO},
        {.demand = {2, 1}, .duration = 2, .tasks = 1, .parents = parents, .parent_count = 1}};
    static const pn_dag_job jobs[] = {{.arrival = 0, .stages = stages, .stage_count = 2},
                                      {.arrival = 3, .stages = stages, .stage_count = 1}};
    pn_dag_config config = pn_dag_defaults();
    unsigned how = byte(in), rules = byte(in);
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 2;
    config.dispatch.resources = 2;
    config.dispatch.running_most = rules % 3;
    config.start_ms = rules / 4 % 3;
    const pn_dag_claim claim = {.config = &config,
                                .preempts = how % 2,
                                .limits = how / 2 % 2,
                                .jobs = jobs,
                                .job_count = 2,
                                .failures = failures,
                                .failure_count = how / 4 % 2};
    pn_dag_verifier *it = NULL;
    int refused = 0;
    uint64_t now = 0, at;
    if (pn_dag_verifier_init(&it, block, BLOCK, &claim) != PN_OK)
        return;
    for (unsigned i = 0; i < ENTRIES && in->size > 0; i++) {
        pn_dispatch_event entry = {.time = time_of(in, &now), .event = byte(in) % 24};
        entry.id = number(in);
        entry.stage = (uint32_t)number(in);
        entry.task = (uint32_t)number(in);
        entry.node = (uint32_t)number(in);
        entry.attempt = (uint32_t)number(in);
        int status = pn_dag_verifier_feed(it, &entry);
        check_refusal(status, &refused, pn_dag_verifier_fault(it, &at, &at));
    }
    if (how / 8 % 2)
        pn_dag_verifier_stop(it, now);
    int status = pn_dag_verifier_end(it, number(in), NULL, number(in));
    check_refusal(status, &refused, pn_dag_verifier_fault(it, &at, &at));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static void (*const feeds[])(input * in) = {feed_slotted, feed_tandem, feed_makespan,
                                                feed_cluster, feed_dag};
    input in = {bytes, size};
    feeds[byte(&in) % 5](&in);
    return 0;
}
