/* Bytes become the text of a policy in Lua. If it is one, it runs over a small workload of its
 * model (slotted: in both modes), with little memory and a small budget; then again, step by step
 * in a block that moves, two other Lua states taking turns. What must hold: both times the same
 * text is or is not a policy, the same lines are printed, the same decisions made, the same failure
 * met; the checker accepts what was decided; nobody holds more memory than allowed, and in the end
 * nobody holds any. */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "pinion_lua.h"

enum {
    MACHINES = 4,
    JOBS = 8,
    TASKS = 3,
    SLOTS = 32,
    LOG = MACHINES * SLOTS + JOBS,
    BLOCK = 1 << 22
};

enum { STATES = 3 }; /* one that runs alone, two that take turns */

/* beside the Lua state stands what is known of the policy */
enum { MEMORY = 256 << 10, BUDGET = 10000, BESIDE = 64 << 10 };

/* What one or several Lua states came to in one run. */
typedef struct outcome {
    int status;
    uint64_t digest, printed;
    pn_slotted_totals totals;
    char message[PN_LUA_MESSAGE_SIZE];
    size_t log_count;
    pn_slotted_decision log[LOG];
} outcome;

static _Alignas(8) unsigned char blocks[2][BLOCK];
static outcome outcomes[2];
static uint64_t printed; /* all lines of a run, folded */

static const uint64_t tasks[JOBS][TASKS] = {{2, 2, 1}, {1, 0, 0}, {0, 0, 0}, {6, 1, 0},
                                            {1, 1, 1}, {3, 0, 0}, {0, 0, 0}, {9, 2, 2}};

static const pn_slotted_job jobs[JOBS] = {
    {.arrival = 1, .maps = 3, .reduces = tasks[0], .reduce_count = TASKS, .estimate_maps = 9},
    {.arrival = 1, .reduces = tasks[1], .reduce_count = TASKS},
    {.arrival = 2, .maps = 7, .estimate_maps = 1},
    {.arrival = 2, .maps = 1, .reduces = tasks[3], .reduce_count = TASKS, .estimate_reduces = 1},
    {.arrival = 5, .maps = 2, .reduces = tasks[4], .reduce_count = TASKS, .estimate_reduces = 12},
    {.arrival = 14, .maps = 5, .reduces = tasks[5], .reduce_count = TASKS},
    {.arrival = 14, .maps = 5, .estimate_maps = PN_SLOTTED_ESTIMATE_ZERO},
    {.arrival = 15, .maps = 1, .reduces = tasks[7], .reduce_count = TASKS},
};

/* ---- Lua states ---- */

static void *allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    size_t *mine = user;
    *mine += new_size - (block ? old_size : 0);
    must(*mine <= MEMORY + BESIDE, "a policy holds no more memory than it may");
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static void print(void *user, const char *line)
{
    (void)user;
    for (; *line; line++)
        printed = pn_mix(printed, (unsigned char)*line);
}

static pn_lua_policy *load(const char *text, size_t size, size_t *held,
                           char message[PN_LUA_MESSAGE_SIZE])
{
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    options.memory = MEMORY;
    options.budget = BUDGET;
    options.compile = PN_LUA_COMPARED;
    options.allocate = allocate;
    options.print = print;
    options.user = held;
    int status = pn_lua_policy_load(&policy, "fuzz.lua", text, size, &options, message,
                                    PN_LUA_MESSAGE_SIZE);
    must(status == PN_OK || status == PN_ERR_POLICY, "a text is a policy or is none");
    must((status == PN_OK) == (policy != NULL) && (status == PN_OK) == (message[0] == '\0'),
         "and if none there is a reason");
    return policy;
}

/* ---- a run ---- */

static void on_decision(void *user, const pn_slotted_decision *decision)
{
    outcome *o = user;
    must(o->log_count < LOG, "there is an end to what fits into so few slots");
    o->log[o->log_count++] = *decision;
}

static void on_finish(void *user, const pn_slotted_finish *finish)
{
    pn_slotted_decision entry = {.slot = finish->finish, finish->id, 0, PN_SLOTTED_FINISH, 0};
    on_decision(user, &entry);
}

static pn_slotted_config config_for(const pn_slotted_policy *table, uint32_t reduce)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = MACHINES;
    config.jobs_max = JOBS;
    config.stretches_max = JOBS * TASKS;
    config.reduce = reduce;
    config.estimates = 1;
    config.seed = 7;
    config.policy = table;
    return config;
}

/* Goes slot by slot when there are two policies, which take turns, or all the way with the one. */
static void run(pn_lua_policy *const policies[2], const pn_slotted_config *config, outcome *o)
{
    size_t size = pn_slotted_size(config);
    pn_slotted *sim;
    memset(o, 0, sizeof *o);
    printed = PN_MIX_START;
    must(pn_slotted_init(&sim, blocks[0], sizeof blocks[0], config) == PN_OK,
         "a loaded policy fits its block");
    for (int i = 0; i < JOBS; i++)
        must(pn_slotted_submit(sim, &jobs[i], NULL) == PN_OK, "the jobs are taken");
    for (uint64_t until = policies[1] ? 1 : SLOTS, turn = 0; until <= SLOTS && o->status >= 0;
         until++) {
        const pn_lua_policy *policy = policies[turn % 2];
        pn_slotted_hooks hooks = {.policy = pn_lua_policy_slotted(policy),
                                  .on_decision = on_decision,
                                  .on_finish = on_finish,
                                  .user = o};
        o->status = pn_slotted_run(sim, &hooks, until);
        must((o->status == PN_ERR_POLICY) == (o->status < 0), "only the policy can fail");
        strcpy(o->message, o->status < 0 ? pn_lua_policy_message(policy) : "");
        must((o->status < 0) == (o->message[0] != '\0'), "who fails says why");
        if (!policies[1])
            break;
        memcpy(blocks[++turn % 2], sim, size);
        memset(sim, 0xA5, size);
        must(pn_slotted_open(&sim, blocks[turn % 2], size) == PN_OK, "a copy opens");
    }
    pn_slotted_totals_get(sim, &o->totals);
    /* how far the clock has moved through idle slots, up to a failure, is the caller's affair */
    o->totals.slot = 0;
    o->digest = pn_slotted_digest(sim);
    o->printed = printed;
}

/* Of a run that was not completed, what had been decided so far. */
static void verify(const pn_slotted_policy *table, uint32_t reduce, const outcome *o)
{
    pn_slotted_claim claim = {.machines = MACHINES, reduce, 0, !table->act, jobs, JOBS};
    static _Alignas(8) unsigned char room[1 << 16];
    pn_slotted_verifier *verifier;
    must(pn_slotted_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < o->log_count; i++)
        must(pn_slotted_verifier_feed(verifier, &o->log[i]) == PN_OK,
             pn_slotted_verifier_fault(verifier, NULL, NULL));
    if (o->status == PN_DONE)
        must(pn_slotted_verifier_end(verifier, o->totals.last_finish, o->digest) == PN_OK,
             pn_slotted_verifier_fault(verifier, NULL, NULL));
}

static void compare(const outcome *a, const outcome *b)
{
    if (a->status != b->status || strcmp(a->message, b->message) != 0)
        fprintf(stderr, "%s '%s'\n%s '%s'\n", pn_status_name(a->status), a->message,
                pn_status_name(b->status), b->message);
    must(a->status == b->status && strcmp(a->message, b->message) == 0, "the same end");
    must(a->digest == b->digest && memcmp(&a->totals, &b->totals, sizeof a->totals) == 0,
         "the same decisions");
    must(a->printed == b->printed, "the same lines printed");
}

static bool in_mode(const pn_slotted_policy *table, uint32_t reduce)
{
    return reduce == PN_SLOTTED_PREEMPTIVE ? table->preemptive : table->nonpreemptive;
}

static void run_mode(pn_lua_policy *const policies[STATES], uint32_t reduce)
{
    const pn_slotted_policy *table = pn_lua_policy_slotted(policies[0]);
    pn_slotted_config config = config_for(table, reduce);
    size_t size = pn_slotted_size(&config);
    if (!in_mode(table, reduce) || size > BLOCK)
        return;
    must(size > 0, "a loaded policy is sane");
    run((pn_lua_policy *[]){policies[0], NULL}, &config, &outcomes[0]);
    run((pn_lua_policy *[]){policies[1], policies[2]}, &config, &outcomes[1]);
    compare(&outcomes[0], &outcomes[1]);
    verify(table, reduce, &outcomes[0]);
}

/* ---- the tandem model ------------------------------------------------------------------------ */

enum { TANDEM_JOBS = 6, INSTANTS = 64, TANDEM_LOG = INSTANTS * 3 * TANDEM_JOBS };

static const pn_tandem_job tandem_jobs[TANDEM_JOBS] = {
    {.arrival = 0, .map = 2, .shuffle = 1, .rank = {2, 0}},
    {.arrival = 0, .map = 1, .shuffle = 3.5, .rank = {1, 0}, .estimate_map = 4},
    {.arrival = 0.5, .shuffle = 1.25, .rank = {0, 3}},
    {.arrival = 0.5, .map = 0.75},
    {.arrival = 6, .map = 3, .shuffle = 0.625, .estimate_shuffle = PN_TANDEM_ESTIMATE_ZERO},
    {.arrival = 20},
};

typedef struct tandem_outcome {
    int status;
    uint64_t digest, printed;
    pn_tandem_totals totals;
    char message[PN_LUA_MESSAGE_SIZE];
    size_t log_count;
    pn_tandem_decision log[TANDEM_LOG];
} tandem_outcome;

static tandem_outcome tandem_outcomes[2];

static void on_tandem_decision(void *user, const pn_tandem_decision *decision)
{
    tandem_outcome *o = user;
    must(o->log_count < TANDEM_LOG, "there is an end to what fits into so few instants");
    o->log[o->log_count++] = *decision;
}

static void on_tandem_finish(void *user, const pn_tandem_finish *finish)
{
    on_tandem_decision(
        user,
        &(pn_tandem_decision){.time = finish->finish, .id = finish->id, .kind = PN_TANDEM_FINISH});
}

/* An instant a call when there are two policies, which take turns, or all with the one. */
static void run_tandem(pn_lua_policy *const policies[2], const pn_tandem_config *config,
                       tandem_outcome *o)
{
    size_t size = pn_tandem_size(config);
    pn_tandem *sim;
    memset(o, 0, sizeof *o);
    printed = PN_MIX_START;
    must(pn_tandem_init(&sim, blocks[0], sizeof blocks[0], config) == PN_OK,
         "a loaded policy fits its block");
    for (int i = 0; i < TANDEM_JOBS; i++)
        must(pn_tandem_submit(sim, &tandem_jobs[i], NULL) == PN_OK, "the jobs are taken");
    o->status = PN_PAUSED;
    for (uint64_t instants = 0, turn = 0; instants < INSTANTS && o->status == PN_PAUSED;) {
        const pn_lua_policy *policy = policies[turn % 2];
        uint64_t more = policies[1] ? 1 : INSTANTS;
        pn_tandem_hooks hooks = {.policy = pn_lua_policy_tandem(policy),
                                 .on_decision = on_tandem_decision,
                                 .on_finish = on_tandem_finish,
                                 .user = o};
        o->status = pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, more);
        instants += more;
        must(o->status >= 0 || o->status == PN_ERR_POLICY || o->status == PN_ERR_INFEASIBLE,
             "only the policy can fail");
        strcpy(o->message, o->status == PN_ERR_POLICY ? pn_lua_policy_message(policy) : "");
        must((o->status == PN_ERR_POLICY) == (o->message[0] != '\0'), "who fails says why");
        if (!policies[1])
            break;
        memcpy(blocks[++turn % 2], sim, size);
        memset(sim, 0xA5, size);
        must(pn_tandem_open(&sim, blocks[turn % 2], size) == PN_OK, "a copy opens");
    }
    pn_tandem_totals_get(sim, &o->totals);
    o->digest = pn_tandem_digest(sim);
    o->printed = printed;
}

static void verify_tandem(const pn_tandem_policy *table, const tandem_outcome *o)
{
    /* what a script says of itself, or changes in init, may be wrong */
    bool works = !table->act && !table->init && table->shuffle.way != PN_TANDEM_STRICT &&
                 table->shuffle.way != PN_TANDEM_RIGID;
    pn_tandem_claim claim = {
        .speed = 1, .work_conserving = works, .jobs = tandem_jobs, .job_count = TANDEM_JOBS};
    static _Alignas(8) unsigned char room[1 << 16];
    pn_tandem_verifier *verifier;
    must(pn_tandem_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < o->log_count; i++)
        must(pn_tandem_verifier_feed(verifier, &o->log[i]) == PN_OK,
             pn_tandem_verifier_fault(verifier, NULL, NULL));
    if (o->status == PN_DONE)
        must(pn_tandem_verifier_end(verifier, o->totals.last_finish, o->digest) == PN_OK,
             pn_tandem_verifier_fault(verifier, NULL, NULL));
}

static void run_on_stations(pn_lua_policy *const policies[STATES])
{
    tandem_outcome *a = &tandem_outcomes[0], *b = &tandem_outcomes[1];
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = TANDEM_JOBS;
    config.estimates = config.ranks = 1;
    config.seed = 7;
    config.policy = pn_lua_policy_tandem(policies[0]);
    size_t size = pn_tandem_size(&config);
    if (size > BLOCK)
        return;
    must(size > 0, "a loaded policy is sane");
    run_tandem((pn_lua_policy *[]){policies[0], NULL}, &config, a);
    run_tandem((pn_lua_policy *[]){policies[1], policies[2]}, &config, b);
    if (a->status != b->status || strcmp(a->message, b->message) != 0)
        fprintf(stderr, "%s '%s'\n%s '%s'\n", pn_status_name(a->status), a->message,
                pn_status_name(b->status), b->message);
    must(a->status == b->status && strcmp(a->message, b->message) == 0, "the same end");
    must(a->digest == b->digest && memcmp(&a->totals, &b->totals, sizeof a->totals) == 0,
         "the same decisions");
    must(a->printed == b->printed, "the same lines printed");
    verify_tandem(config.policy, a);
}

/* ---- the makespan model ---------------------------------------------------------------------- */

enum {
    BATCH_JOBS = 5,
    MAP_SLOTS = 6,
    REDUCE_SLOTS = 4,
    BATCH_LOG = 128,
    BATCH_POOLS = BATCH_JOBS + 1
};

#define LISTED(...)                                          \
    .stretches = (const pn_makespan_stretch[]){__VA_ARGS__}, \
    .stretch_count = sizeof((pn_makespan_stretch[]){__VA_ARGS__}) / sizeof(pn_makespan_stretch)

static const pn_makespan_job batch_jobs[BATCH_JOBS] = {
    {.stage = {{LISTED({3, 2}, {2, 1}, {5, 3}), .requested = 2}, {LISTED({4, 1}, {1, 2})}}},
    {.stage = {{LISTED({2, 1})}, {LISTED({0, 1}, {6, 1})}}},
    {.stage = {{.has_time = 1, .time = 5}, {.has_time = 1, .time = 0}}},
    {.stage = {{LISTED({1, 4}), .has_time = 1, .time = 9},
               {.has_time = 1, .time = 2, .requested = 3}}},
    {.stage = {{.stretch_count = 0}, {LISTED({7, 1}, {2, 5})}}},
};

typedef struct batch_outcome {
    int status;
    uint64_t digest, printed, ticks;
    pn_makespan_totals totals;
    char message[PN_LUA_MESSAGE_SIZE];
    pn_makespan_pool pools[BATCH_POOLS];
    uint64_t order[BATCH_JOBS];
    uint32_t pool_count;
    size_t log_count;
    pn_makespan_decision log[BATCH_LOG];
} batch_outcome;

static batch_outcome batch_outcomes[2];

static void on_batch_decision(void *user, const pn_makespan_decision *decision)
{
    batch_outcome *o = user;
    must(o->log_count < BATCH_LOG, "there is an end to the tasks of a batch");
    o->log[o->log_count++] = *decision;
}

static void on_batch_finish(void *user, const pn_makespan_finish *finish)
{
    pn_makespan_decision entry = {.start = finish->finish,
                                  .end = finish->finish,
                                  .id = finish->id,
                                  .kind = PN_MAKESPAN_FINISH};
    on_batch_decision(user, &entry);
}

static void note_plan(const pn_makespan *sim, batch_outcome *o)
{
    uint32_t begin = 0;
    o->ticks = pn_makespan_ticks(sim);
    o->pool_count = pn_makespan_pools(sim);
    must(o->pool_count <= BATCH_POOLS, "no more pools than jobs and one");
    for (uint32_t i = 0; i < BATCH_JOBS; i++)
        o->order[i] = pn_makespan_order(sim, i);
    for (uint32_t i = 0; i < o->pool_count; i++) {
        pn_makespan_pool_plan plan;
        pn_makespan_pool_get(sim, i, &plan);
        o->pools[i] = (pn_makespan_pool){plan.nodes, plan.count, o->order + begin};
        begin += plan.count;
    }
}

/* A moment a call when there are two policies, which take turns, or all with the one; whoever
 * cannot plan tries again. */
static void run_batch(pn_lua_policy *const policies[2], const pn_makespan_config *config,
                      batch_outcome *o)
{
    pn_makespan *sim;
    memset(o, 0, sizeof *o);
    printed = PN_MIX_START;
    must(pn_makespan_init(&sim, blocks[0], sizeof blocks[0], config) == PN_OK,
         "a loaded policy fits its block");
    for (int i = 0; i < BATCH_JOBS; i++)
        must(pn_makespan_submit(sim, &batch_jobs[i], NULL) == PN_OK, "the jobs are taken");
    o->status = PN_PAUSED;
    for (uint64_t turn = 0; o->status == PN_PAUSED; turn++) {
        const pn_lua_policy *policy = policies[policies[1] ? turn % 2 : 0];
        pn_makespan_hooks hooks = {.policy = pn_lua_policy_makespan(policy),
                                   .on_decision = on_batch_decision,
                                   .on_finish = on_batch_finish,
                                   .user = o};
        o->status = pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, policies[1] ? 1 : UINT64_MAX);
        must(o->status >= 0 || o->status == PN_ERR_POLICY || o->status == PN_ERR_OVERFLOW,
             "only the policy can fail");
        strcpy(o->message, o->status == PN_ERR_POLICY ? pn_lua_policy_message(policy) : "");
        must((o->status == PN_ERR_POLICY) == (o->message[0] != '\0'), "who fails says why");
    }
    pn_makespan_totals_get(sim, &o->totals);
    o->digest = pn_makespan_digest(sim);
    o->printed = printed;
    if (o->status >= 0)
        note_plan(sim, o);
    else
        must(pn_makespan_run(sim, &(pn_makespan_hooks){.policy = pn_makespan_fifo()},
                             PN_MAKESPAN_FOREVER, UINT64_MAX) == PN_DONE,
             "a failed plan leaves a batch that can be planned");
}

static void verify_batch(const pn_makespan_config *config, const batch_outcome *o)
{
    pn_makespan_claim claim = {.map_slots = config->map_slots,
                               .reduce_slots = config->reduce_slots,
                               .level = config->level,
                               .stage_time = o->totals.stage_time,
                               .share = o->totals.share,
                               .cap = o->totals.cap,
                               .ticks = o->ticks,
                               .jobs = batch_jobs,
                               .job_count = BATCH_JOBS,
                               .pools = o->pools,
                               .pool_count = o->pool_count};
    static _Alignas(8) unsigned char room[1 << 16];
    pn_makespan_verifier *verifier;
    must(pn_makespan_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < o->log_count; i++)
        must(pn_makespan_verifier_feed(verifier, &o->log[i]) == PN_OK,
             pn_makespan_verifier_fault(verifier, NULL, NULL));
    must(pn_makespan_verifier_end(verifier, o->totals.makespan, o->digest) == PN_OK,
         pn_makespan_verifier_fault(verifier, NULL, NULL));
}

static void run_level(pn_lua_policy *const policies[STATES], uint32_t level)
{
    batch_outcome *a = &batch_outcomes[0], *b = &batch_outcomes[1];
    const pn_makespan_policy *table = pn_lua_policy_makespan(policies[0]);
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = MAP_SLOTS;
    config.reduce_slots = REDUCE_SLOTS;
    config.jobs_max = BATCH_JOBS;
    config.stretches_max = 16;
    config.level = level;
    config.seed = 7;
    config.policy = table;
    if (table->level != 0 && table->level != 1 + level)
        return;
    must(pn_makespan_size(&config) > 0 && pn_makespan_size(&config) <= BLOCK,
         "a loaded policy is sane");
    run_batch((pn_lua_policy *[]){policies[0], NULL}, &config, a);
    run_batch((pn_lua_policy *[]){policies[1], policies[2]}, &config, b);
    must(a->status == b->status && strcmp(a->message, b->message) == 0, "the same end");
    must(a->digest == b->digest && memcmp(&a->totals, &b->totals, sizeof a->totals) == 0,
         "the same decisions");
    must(a->printed == b->printed, "the same lines printed");
    if (a->status == PN_DONE)
        verify_batch(&config, a);
}

/* ---- the cluster model ----------------------------------------------------------------------- */

enum { CLUSTER_JOBS = 5, CLUSTER_LOG = 4096, CLUSTER_INSTANTS = 600 };

static const pn_scheduler_nodes cluster_nodes[] = {
    {.count = 2, .map_slots = 2, .reduce_slots = 1},
    {.count = 1, .map_slots = 1, .reduce_slots = 2, .speed = 500}};

static const pn_cluster_job cluster_jobs[CLUSTER_JOBS] = {
    {.submit = 0,
     .maps = 3,
     .reduces = 2,
     .map_ms = 100,
     .remote_ms = 30,
     .reduce_ms = 250,
     .shuffle_ms = 80,
     .deadline = 900},
    {.submit = 0, .maps = 5, .map_ms = 70, .deadline = 800, .input = 40, .group = 1},
    {.submit = 120,
     .maps = 2,
     .reduces = 4,
     .map_ms = 40,
     .reduce_ms = 90,
     .shuffle_ms = 10,
     .deadline = 1500},
    {.submit = 250, .maps = 6, .reduces = 1, .map_ms = 130, .reduce_ms = 60, .deadline = 400},
    {.submit = 700, .maps = 1, .reduces = 1, .map_ms = 20, .reduce_ms = 20, .deadline = 1200},
};

static const pn_cluster_failure cluster_failures[] = {{.time = 180, .recover = 300, .node = 1}};

typedef struct cluster_run {
    int status;
    uint64_t digest, printed;
    pn_cluster_totals totals;
    char message[PN_LUA_MESSAGE_SIZE];
    size_t log_count;
    pn_scheduler_event log[CLUSTER_LOG];
} cluster_run;

static cluster_run cluster_runs[2];

static void on_cluster_event(void *user, const pn_scheduler_event *event)
{
    cluster_run *o = user;
    must(o->log_count < CLUSTER_LOG, "there is an end to what happens in so few instants");
    o->log[o->log_count++] = *event;
}

static pn_cluster_config cluster_config_for(const pn_scheduler_policy *table)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = cluster_nodes;
    config.scheduler.nodes_count = 2;
    config.scheduler.jobs_max = CLUSTER_JOBS;
    config.scheduler.groups_max = 2;
    config.scheduler.locality_delay_ms = 25;
    config.scheduler.policy = table;
    config.scheduler.suspended_max = 64 * CLUSTER_JOBS;
    config.scheduler.copies = table->copy != NULL;
    config.seed = 7;
    config.replication = 1;
    config.factor_lo = 800;
    config.factor_hi = 1300;
    config.attempt_fail_permille = 50;
    config.tick_ms = 60;
    config.max_time_ms = 20000;
    config.failures_max = 1;
    return config;
}

/* An instant a call when there are two policies, which take turns, or all with the one. */
static void run_cluster(pn_lua_policy *const policies[2], const pn_cluster_config *config,
                        cluster_run *o)
{
    size_t size = pn_cluster_size(config);
    pn_cluster *sim;
    memset(o, 0, sizeof *o);
    printed = PN_MIX_START;
    must(pn_cluster_init(&sim, blocks[0], sizeof blocks[0], config) == PN_OK,
         "a loaded policy fits its block");
    for (int i = 0; i < CLUSTER_JOBS; i++)
        must(pn_cluster_submit(sim, &cluster_jobs[i], NULL) == PN_OK, "the jobs are taken");
    must(pn_cluster_fail(sim, cluster_failures[0].time, cluster_failures[0].node,
                         cluster_failures[0].recover) == PN_OK,
         "the failure is taken");
    o->status = PN_PAUSED;
    for (uint64_t instants = 0, turn = 0; instants < CLUSTER_INSTANTS && o->status == PN_PAUSED;) {
        const pn_lua_policy *policy = policies[turn % 2];
        uint64_t more = policies[1] ? 1 : CLUSTER_INSTANTS;
        pn_cluster_hooks hooks = {
            .policy = pn_lua_policy_cluster(policy), .on_event = on_cluster_event, .user = o};
        o->status = pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, more);
        instants += more;
        must(o->status >= 0 || o->status == PN_ERR_POLICY, "only the policy can fail");
        strcpy(o->message, o->status == PN_ERR_POLICY ? pn_lua_policy_message(policy) : "");
        must((o->status == PN_ERR_POLICY) == (o->message[0] != '\0'), "who fails says why");
        if (!policies[1])
            break;
        memcpy(blocks[++turn % 2], sim, size);
        memset(sim, 0xA5, size);
        must(pn_cluster_open(&sim, blocks[turn % 2], size) == PN_OK, "a copy opens");
    }
    pn_cluster_totals_get(sim, &o->totals);
    o->digest = pn_cluster_digest(sim);
    o->printed = printed;
}

static void verify_cluster(const pn_cluster_config *config, const cluster_run *o)
{
    pn_cluster_claim claim = {.config = config,
                              .preempts = config->scheduler.policy->preempt != NULL,
                              .copies = config->scheduler.policy->copy != NULL,
                              .holds = 1,
                              .deals = 1,
                              .jobs = cluster_jobs,
                              .job_count = CLUSTER_JOBS,
                              .failures = cluster_failures,
                              .failure_count = 1};
    static _Alignas(8) unsigned char room[1 << 18];
    pn_cluster_verifier *verifier;
    must(pn_cluster_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < o->log_count; i++)
        must(pn_cluster_verifier_feed(verifier, &o->log[i]) == PN_OK,
             pn_cluster_verifier_fault(verifier, NULL, NULL));
    if (o->status == PN_DONE)
        must(pn_cluster_verifier_end(verifier, o->totals.scheduler.last_finish,
                                     o->totals.unfinished, o->digest) == PN_OK,
             pn_cluster_verifier_fault(verifier, NULL, NULL));
}

static void run_on_nodes(pn_lua_policy *const policies[STATES])
{
    cluster_run *a = &cluster_runs[0], *b = &cluster_runs[1];
    pn_cluster_config config = cluster_config_for(pn_lua_policy_cluster(policies[0]));
    must(pn_cluster_size(&config) > 0, "a loaded policy is sane");
    if (pn_cluster_size(&config) > BLOCK)
        return;
    run_cluster((pn_lua_policy *[]){policies[0], NULL}, &config, a);
    run_cluster((pn_lua_policy *[]){policies[1], policies[2]}, &config, b);
    must(a->status == b->status && strcmp(a->message, b->message) == 0, "the same end");
    must(a->digest == b->digest && memcmp(&a->totals, &b->totals, sizeof a->totals) == 0,
         "the same decisions");
    must(a->printed == b->printed, "the same lines printed");
    verify_cluster(&config, a);
}

/* ---- the dag model --------------------------------------------------------------------------- */

enum { DAG_JOBS = 4, DAG_LOG = 4096, DAG_INSTANTS = 600 };

static const pn_dispatch_nodes dag_nodes[] = {{{4, 6}, 2, 1000}, {{2, 9}, 1, 500}};
static const pn_dispatch_queue dag_queues[] = {{2, 600, 900, 0}, {1, 300, 1000, 0}};

static const uint32_t dag_first[] = {0}, dag_both[] = {0, 1};
static const pn_dag_stage dag_stages[] = {
    {.demand = {1, 2}, .duration = 100, .tasks = 6},
    {.demand = {2, 1}, .duration = 40, .tasks = 3, .parents = dag_first, .parent_count = 1},
    {.demand = {0, 3},
     .duration = 70,
     .tasks = 2,
     .parents = dag_both,
     .parent_count = 2,
     .estimate = 300},
};

static const pn_dag_job dag_jobs[DAG_JOBS] = {
    {.arrival = 0, .stages = dag_stages, .stage_count = 3, .weight = 2, .deadline = 900},
    {.arrival = 0, .stages = dag_stages, .stage_count = 1, .queue = 1, .group = 1},
    {.arrival = 150, .stages = dag_stages, .stage_count = 2, .queue = 1},
    {.arrival = 700, .stages = dag_stages, .stage_count = 3},
};

static const pn_dag_failure dag_failures[] = {{.time = 180, .recover = 300, .node = 1}};

typedef struct dag_run {
    int status;
    uint64_t digest, printed;
    pn_dag_totals totals;
    pn_dispatch_order order; /* as the policy chose it when it was bound */
    char message[PN_LUA_MESSAGE_SIZE];
    size_t log_count;
    pn_dispatch_event log[DAG_LOG];
} dag_run;

static dag_run dag_runs[2];

static void on_dag_event(void *user, const pn_dispatch_event *event)
{
    dag_run *o = user;
    must(o->log_count < DAG_LOG, "there is an end to what happens in so few instants");
    o->log[o->log_count++] = *event;
}

static pn_dag_config dag_config_for(const pn_dispatch_policy *table)
{
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = dag_nodes;
    config.dispatch.nodes_count = 2;
    config.dispatch.resources = 2;
    config.dispatch.queues = dag_queues;
    config.dispatch.queues_count = 2;
    config.dispatch.jobs_max = DAG_JOBS;
    config.dispatch.policy = table;
    config.factor_lo = 800;
    config.factor_hi = 1300;
    config.groups_max = 2;
    config.tick_ms = 60;
    config.max_time_ms = 20000;
    config.failures_max = 1;
    return config;
}

static void run_dag(pn_lua_policy *const policies[2], const pn_dag_config *config, dag_run *o)
{
    size_t size = pn_dag_size(config);
    pn_dag *sim;
    memset(o, 0, sizeof *o);
    printed = PN_MIX_START;
    must(pn_dag_init(&sim, blocks[0], sizeof blocks[0], config) == PN_OK,
         "a loaded policy fits its block");
    for (int i = 0; i < DAG_JOBS; i++)
        must(pn_dag_submit(sim, &dag_jobs[i], NULL) == PN_OK, "the jobs are taken");
    must(pn_dag_fail(sim, dag_failures[0].time, dag_failures[0].node, dag_failures[0].recover) ==
             PN_OK,
         "the failure is taken");
    o->status = PN_PAUSED;
    for (uint64_t instants = 0, turn = 0; instants < DAG_INSTANTS && o->status == PN_PAUSED;) {
        const pn_lua_policy *policy = policies[turn % 2];
        uint64_t more = policies[1] ? 1 : DAG_INSTANTS;
        pn_dag_hooks hooks = {
            .policy = pn_lua_policy_dag(policy), .on_event = on_dag_event, .user = o};
        o->status = pn_dag_run(sim, &hooks, PN_DAG_FOREVER, more);
        instants += more;
        must(o->status >= 0 || o->status == PN_ERR_POLICY || o->status == PN_ERR_FULL,
             "only the policy can fail, or the room for attempts");
        strcpy(o->message, o->status == PN_ERR_POLICY ? pn_lua_policy_message(policy) : "");
        must((o->status == PN_ERR_POLICY) == (o->message[0] != '\0'), "who fails says why");
        if (!policies[1])
            break;
        memcpy(blocks[++turn % 2], sim, size);
        memset(sim, 0xA5, size);
        must(pn_dag_open(&sim, blocks[turn % 2], size) == PN_OK, "a copy opens");
    }
    pn_dag_totals_get(sim, &o->totals);
    const pn_dispatch_order *order = pn_dispatch_order_of(pn_dag_dispatch(sim));
    o->order = order ? *order : config->dispatch.policy->order;
    o->digest = pn_dag_digest(sim);
    o->printed = printed;
}

static void verify_dag(const pn_dag_config *config, const dag_run *o)
{
    pn_dag_claim claim = {.config = config,
                          .preempts = o->order.preempts,
                          .limits = o->order.limits,
                          .jobs = dag_jobs,
                          .job_count = DAG_JOBS,
                          .failures = dag_failures,
                          .failure_count = 1};
    static _Alignas(8) unsigned char room[1 << 18];
    pn_dag_verifier *verifier;
    must(pn_dag_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < o->log_count; i++)
        must(pn_dag_verifier_feed(verifier, &o->log[i]) == PN_OK,
             pn_dag_verifier_fault(verifier, NULL, NULL));
    if (o->status == PN_DONE)
        must(pn_dag_verifier_end(verifier, o->totals.unfinished, &o->totals, o->digest) == PN_OK,
             pn_dag_verifier_fault(verifier, NULL, NULL));
}

static void run_stages(pn_lua_policy *const policies[STATES])
{
    dag_run *a = &dag_runs[0], *b = &dag_runs[1];
    pn_dag_config config = dag_config_for(pn_lua_policy_dag(policies[0]));
    must(pn_dag_size(&config) > 0, "a loaded policy is sane");
    if (pn_dag_size(&config) > BLOCK)
        return;
    run_dag((pn_lua_policy *[]){policies[0], NULL}, &config, a);
    run_dag((pn_lua_policy *[]){policies[1], policies[2]}, &config, b);
    must(a->status == b->status && strcmp(a->message, b->message) == 0, "the same end");
    must(a->digest == b->digest && memcmp(&a->totals, &b->totals, sizeof a->totals) == 0,
         "the same decisions");
    must(a->printed == b->printed, "the same lines printed");
    verify_dag(&config, a);
}

/* ---- all models ------------------------------------------------------------------------------ */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char messages[STATES][PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policies[STATES];
    size_t held[STATES] = {0};
    for (int i = 0; i < STATES; i++) {
        policies[i] = load((const char *)bytes, size, &held[i], messages[i]);
        must(strcmp(messages[0], messages[i]) == 0, "the same text is the same policy");
    }
    if (policies[0] && pn_lua_policy_tandem(policies[0])) {
        run_on_stations(policies);
    } else if (policies[0] && pn_lua_policy_makespan(policies[0])) {
        run_level(policies, PN_MAKESPAN_STAGES);
        run_level(policies, PN_MAKESPAN_TASKS);
    } else if (policies[0] && pn_lua_policy_cluster(policies[0])) {
        run_on_nodes(policies);
    } else if (policies[0] && pn_lua_policy_dag(policies[0])) {
        run_stages(policies);
    } else if (policies[0]) {
        run_mode(policies, PN_SLOTTED_PREEMPTIVE);
        run_mode(policies, PN_SLOTTED_NONPREEMPTIVE);
    }
    for (int i = 0; i < STATES; i++) {
        pn_lua_policy_free(policies[i]);
        must(held[i] == 0, "all memory comes back");
    }
    return 0;
}
