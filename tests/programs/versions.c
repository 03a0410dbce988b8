/* A host of one version beside a library of another one, for scripts/check/versions.sh: runs a few
 * jobs of each model, each configuration between bytes that nobody may touch, and prints the
 * digests. With LATER, whose header has fields that the library does not know, it also sets one of
 * them, which must be refused. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pinion.h"

enum { GUARD = 256 };

static union {
    uint64_t words[1 << 16];
    unsigned char bytes[1 << 19];
} block;

static void must(int holds, const char *what)
{
    if (holds)
        return;
    printf("versions: %s\n", what);
    exit(1);
}

static void is_untouched(const unsigned char *guard)
{
    for (int i = 0; i < GUARD; i++)
        must(guard[i] == 0x5A, "bytes beside the configuration were written");
}

/* Between guards, as the library and this header make it. */
#define CONFIG(model)                      \
    struct {                               \
        unsigned char before[GUARD];       \
        pn_##model##_config config;        \
        unsigned char after[GUARD];        \
    } held;                                \
    memset(&held, 0x5A, sizeof held);      \
    held.config = pn_##model##_defaults(); \
    is_untouched(held.before);             \
    is_untouched(held.after);              \
    pn_##model##_config *c = &held.config; \
    must(c->struct_size == sizeof held.config, #model ": struct_size")

#ifdef LATER
#define REFUSED(model, field)                                                              \
    do {                                                                                   \
        const char *fault;                                                                 \
        field = 1;                                                                         \
        fault = pn_##model##_check(c);                                                     \
        must(fault &&strncmp(fault, "struct_size", 11) == 0, #model ": an unknown field"); \
        must(pn_##model##_size(c) == 0, #model ": an unknown field has a size");           \
        field = 0;                                                                         \
    } while (0)
#else
#define REFUSED(model, field) ((void)c)
#endif

#define OPEN(model, sim)                                                                     \
    must(pn_##model##_check(c) == NULL, #model ": refused");                                 \
    must(pn_##model##_size(c) > 0 && pn_##model##_size(c) <= sizeof block, #model ": size"); \
    must(pn_##model##_init(&sim, block.bytes, sizeof block, c) == PN_OK, #model ": init")

static void run_slotted(void)
{
    CONFIG(slotted);
    pn_slotted *sim;
    const pn_slotted_hooks hooks = {.policy = pn_slotted_asrpt()};
    const uint64_t reduces[] = {4, 2};
    c->machines = 3;
    c->jobs_max = 8;
    REFUSED(slotted, c->later[7]);
    OPEN(slotted, sim);
    for (uint64_t i = 1; i <= 5; i++) {
        const pn_slotted_job job = {
            .arrival = i, .maps = 2 * i, .reduces = reduces, .reduce_count = 2};
        must(pn_slotted_submit(sim, &job, NULL) == PN_OK, "slotted: submit");
    }
    must(pn_slotted_run(sim, &hooks, UINT64_MAX) == PN_DONE, "slotted: run");
    printf("slotted %016" PRIx64 "\n", pn_slotted_digest(sim));
}

static void run_tandem(void)
{
    CONFIG(tandem);
    pn_tandem *sim;
    const pn_tandem_hooks hooks = {.policy = pn_tandem_maxsrpt()};
    c->jobs_max = 8;
    REFUSED(tandem, c->later[0]);
    OPEN(tandem, sim);
    for (int i = 1; i <= 5; i++) {
        const pn_tandem_job job = {.arrival = i, .map = 2.5 / i, .shuffle = i};
        must(pn_tandem_submit(sim, &job, NULL) == PN_OK, "tandem: submit");
    }
    must(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX) == PN_DONE, "tandem: run");
    printf("tandem %016" PRIx64 "\n", pn_tandem_digest(sim));
}

static void run_makespan(void)
{
    CONFIG(makespan);
    pn_makespan *sim;
    const pn_makespan_hooks hooks = {.policy = pn_makespan_uaas()};
    c->map_slots = c->reduce_slots = 2;
    c->jobs_max = 8;
    REFUSED(makespan, c->later[7]);
    OPEN(makespan, sim);
    for (uint64_t i = 1; i <= 5; i++) {
        const pn_makespan_job job = {
            .stage = {{.time = 7 - i, .has_time = 1}, {.time = i, .has_time = 1}}};
        must(pn_makespan_submit(sim, &job, NULL) == PN_OK, "makespan: submit");
    }
    int status = PN_OK;
    while (status >= PN_OK && status != PN_DONE)
        status = pn_makespan_step(sim, &hooks);
    must(status == PN_DONE, "makespan: run");
    printf("makespan %016" PRIx64 "\n", pn_makespan_digest(sim));
}

static void run_scheduler(void)
{
    const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 1};
    CONFIG(scheduler);
    pn_scheduler *core;
    const pn_scheduler_hooks hooks = {.policy = pn_scheduler_fifo()};
    c->nodes = &nodes;
    c->nodes_count = 1;
    c->jobs_max = 4;
    REFUSED(scheduler, c->later[3]);
    OPEN(scheduler, core);
    must(pn_scheduler_submit(core, &hooks, 5, &(pn_scheduler_job){.maps = 2}, NULL) == PN_OK,
         "scheduler: submit");
    must(pn_scheduler_offer(core, &hooks, 5, 1) == PN_OK, "scheduler: offer");
    printf("scheduler %016" PRIx64 "\n", pn_scheduler_digest(core));
}

static void run_cluster(void)
{
    const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 2, .reduce_slots = 1};
    CONFIG(cluster);
    pn_cluster *sim;
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_fair()};
    c->scheduler.nodes = &nodes;
    c->scheduler.nodes_count = 1;
    c->scheduler.jobs_max = 4;
    c->heartbeat_ms = 300;
    c->factor_hi = 1500;
    c->seed = 7;
    REFUSED(cluster, c->later[7]);
    REFUSED(cluster, c->scheduler.later[0]);
    OPEN(cluster, sim);
    for (uint64_t i = 0; i < 4; i++) {
        const pn_cluster_job job = {
            .submit = 100 * i, .maps = 4, .reduces = 1, .map_ms = 1000, .reduce_ms = 2000};
        must(pn_cluster_submit(sim, &job, NULL) == PN_OK, "cluster: submit");
    }
    must(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX) == PN_DONE, "cluster: run");
    printf("cluster %016" PRIx64 "\n", pn_cluster_digest(sim));
}

int main(void)
{
    run_slotted();
    run_tandem();
    run_makespan();
    run_scheduler();
    run_cluster();
    return 0;
}
