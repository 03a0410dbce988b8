/* The cluster model for Lua. */
#include "model.h"

#include "pinion/models/cluster/run/run.h"
#include "base/interrupt.h"
#include "core/model.h"
#include "core/replay.h"
#include "core/verify.h"
#include "core/workload.h"

#include <string.h>

/* ---- settings -------------------------------------------------------------------------------- */

static void read_nodes(lua_State *L, int table, pn_scheduler_config *config)
{
    lua_Integer count = field_list(L, table, "nodes", (lua_Integer)1 << 22);
    int list = lua_gettop(L);
    pn_scheduler_nodes *nodes = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *nodes, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, list, i + 1);
        nodes[i] = (pn_scheduler_nodes){.count = entry_integer(L, "count", 1, 1),
                                        .map_slots = entry_integer(L, "map_slots", 0, 0),
                                        .reduce_slots = entry_integer(L, "reduce_slots", 0, 0),
                                        .speed = entry_integer(L, "speed", 1, 1000)};
        lua_pop(L, 1);
    }
    config->nodes = nodes;
    config->nodes_count = (uint32_t)count;
}

static void read_failures(lua_State *L, int table, cluster_settings *settings)
{
    pn_cluster_failure *failures;
    lua_Integer count;
    int list;
    settings->failures = NULL;
    settings->failure_count = 0;
    if (lua_getfield(L, table, "failures") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    count = field_list(L, table, "failures", (lua_Integer)1 << 26);
    list = lua_gettop(L);
    failures = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *failures, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, list, i + 1);
        failures[i] = (pn_cluster_failure){.time = entry_ms(L, "time", 0),
                                           .node = entry_integer(L, "node", 0, 0),
                                           .recover = entry_ms(L, "recover", PN_SCHEDULER_NEVER)};
        lua_pop(L, 1);
    }
    settings->failures = failures;
    settings->failure_count = (size_t)count;
}

void field_cluster_settings(lua_State *L, int table, cluster_settings *settings)
{
    settings->config = pn_cluster_defaults();
    read_nodes(L, table, &settings->config.scheduler);
    read_failures(L, table, settings);
}

const char *read_cluster_rules(lua_State *L, int table, pn_cluster_config *config)
{
    const char *fault = rules_read(L, table, &cluster_rules, config);
    config->scheduler.seed = config->seed;
    return fault;
}

/* ---- the result ------------------------------------------------------------------------------ */

static const pn_stats *makespans(const void *sim, uint32_t group)
{
    return pn_scheduler_samples(pn_cluster_scheduler(sim), PN_SCHEDULER_MAKESPANS, group);
}

static const pn_stats *waitings(const void *sim, uint32_t group)
{
    return pn_scheduler_samples(pn_cluster_scheduler(sim), PN_SCHEDULER_WAITINGS, group);
}

static const pn_stats *executions(const void *sim, uint32_t group)
{
    return pn_scheduler_samples(pn_cluster_scheduler(sim), PN_SCHEDULER_EXECUTIONS, group);
}

/* Returns the time that utilisation and saturation are shares of (CL14): from the first submission
 * to the last end or, if jobs are left in the system, to the last entry of the log; 0 if there is
 * none. */
static uint64_t ms_of_run(const pn_scheduler_totals *totals)
{
    uint64_t end = totals->in_system > 0 ? totals->last_logged : totals->last_end;
    if (totals->first_submit == PN_SCHEDULER_NEVER || end <= totals->first_submit)
        return 0;
    return end - totals->first_submit;
}

static double slots_of_run(const pn_scheduler_totals *totals)
{
    return (double)(totals->map_slots + totals->reduce_slots) * (double)ms_of_run(totals);
}

static void set_sums(lua_State *L, const pn_scheduler *scheduler, uint32_t group, double slots)
{
    pn_scheduler_group sums;
    pn_scheduler_group_get(scheduler, group, &sums);
    lua_createtable(L, 0, 15);
    lua_pushnumber(L, slots);
    lua_setfield(L, -2, "slots");
    set_integer(L, "jobs", sums.jobs);
    set_integer(L, "maps", sums.maps);
    set_integer(L, "local_maps", sums.local_maps);
    set_integer(L, "reduces", sums.reduces);
    set_integer(L, "colocated_reduces", sums.colocated_reduces);
    set_integer(L, "kills", sums.kills);
    set_integer(L, "suspensions", sums.suspensions);
    set_integer(L, "copies", sums.copies);
    set_integer(L, "copies_won", sums.copies_won);
    set_integer(L, "slot_ms", sums.slot_ms);
    set_integer(L, "in_wait", sums.in_wait);
    set_integer(L, "in_maps", sums.in_maps);
    set_integer(L, "in_blocked", sums.in_blocked);
    set_integer(L, "in_reduces", sums.in_reduces);
}

/* Sets "sums" of all finished jobs behind the warm-up, and "group_sums", an array of the same by
 * group. */
static void set_all_sums(lua_State *L, const cluster_run *self)
{
    const pn_scheduler *scheduler = pn_cluster_scheduler(self->run.sim);
    uint32_t groups = self->config.scheduler.groups_max;
    double slots = slots_of_run(&self->totals.scheduler);
    set_sums(L, scheduler, PN_ALL_GROUPS, slots);
    lua_setfield(L, -2, "sums");
    lua_createtable(L, (int)groups, 0);
    for (uint32_t i = 0; i < groups; i++) {
        set_sums(L, scheduler, i, slots);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "group_sums");
}

static void set_ratio(lua_State *L, const char *name, uint64_t part, uint64_t whole)
{
    if (whole == 0)
        return;
    lua_pushnumber(L, (double)part / (double)whole);
    lua_setfield(L, -2, name);
}

/* Returns the slots' time that counts as used: of a policy that does not take every job, what the
 * successful ones used (CL14). */
static uint64_t used_slots(const pn_scheduler_totals *totals, const pn_scheduler_policy *policy)
{
    return policy->admit ? totals->successful_slot_ms : totals->slot_ms;
}

static void set_ratios(lua_State *L, const pn_scheduler_totals *totals, uint64_t used)
{
    double slots = slots_of_run(totals);
    set_ratio(L, "accept_ratio", totals->accepted, totals->submitted);
    set_ratio(L, "success_ratio", totals->successful, totals->accepted);
    set_ratio(L, "locality", totals->local_maps, totals->finished_maps);
    set_ratio(L, "colocation", totals->colocated_reduces, totals->finished_reduces);
    set_ratio(L, "saturation", totals->saturated_ms, ms_of_run(totals));
    if (slots > 0.0) {
        lua_pushnumber(L, (double)used / slots);
        lua_setfield(L, -2, "utilisation");
    }
}

/* Sets what only policies that admit jobs do. */
static void set_admission(lua_State *L, const pn_scheduler_totals *totals,
                          const pn_scheduler_policy *policy)
{
    if (!policy->admit)
        return;
    set_integer(L, "late", totals->late);
    set_boolean(L, "promises", policy->admission.finishes != PN_SCHEDULER_FINISHES_NONE);
    if (policy->admission.finishes == PN_SCHEDULER_FINISHES_RECORDED)
        set_integer(L, "feedback_fired", totals->feedback_fired);
}

/* Sets "stalled": what holds back the jobs that are left; absent when nothing does. */
static void set_stall(lua_State *L, enum cluster_stall stall)
{
    static const char *const words[] = {[CLUSTER_WITHHELD] = "policy",
                                        [CLUSTER_NO_MAP_SLOT] = "map slot",
                                        [CLUSTER_NO_REDUCE_SLOT] = "reduce slot",
                                        [CLUSTER_NO_SLOT] = "node"};
    if (stall != CLUSTER_NOT_STALLED)
        set_string(L, "stalled", words[stall]);
}

static void set_result(lua_State *L, const run_base *run)
{
    const cluster_run *self = (const cluster_run *)run;
    const pn_scheduler_totals *totals = &self->totals.scheduler;
    const pn_scheduler *scheduler = pn_cluster_scheduler(self->run.sim);
    uint32_t groups = self->config.scheduler.groups_max;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_cluster_digest(self->run.sim));
    set_integer(L, "submitted", self->totals.submitted);
    set_integer(L, "finished", totals->finished);
    set_integer(L, "accepted", totals->accepted);
    set_integer(L, "rejected", totals->rejected);
    set_integer(L, "successful", totals->successful);
    set_integer(L, "failed", totals->failed);
    set_integer(L, "unfinished", self->unfinished);
    set_integer(L, "total_makespan", totals->total_makespan);
    set_integer(L, "slot_ms", used_slots(totals, self->policy));
    set_integer(L, "span", totals->finished > 0 ? totals->last_finish - totals->first_submit : 0);
    set_integer(L, "kills", totals->kills);
    set_integer(L, "suspensions", totals->suspensions);
    set_integer(L, "copies", totals->copies);
    set_integer(L, "copies_won", totals->copies_won);
    set_integer(L, "failures", totals->failures);
    set_integer(L, "lost", totals->lost);
    set_integer(L, "reruns", totals->reruns);
    set_integer(L, "launches", totals->launches);
    set_integer(L, "time", totals->last_logged);
    set_integer(L, "instants", self->totals.instants);
    set_integer(L, "ticks", self->totals.ticks);
    set_integer(L, "peak_jobs", totals->in_system_max);
    set_integer(L, "peak_tasks", self->totals.tasks_held_max);
    set_string(L, "digest", digest);
    set_boolean(L, "complete", run->fed_all && self->unfinished == 0);
    if (self->lower_bound > 0)
        set_integer(L, "lower_bound", self->lower_bound);
    set_stall(L, self->stall);
    set_admission(L, totals, self->policy);
    set_ratios(L, totals, used_slots(totals, self->policy));
    set_all_sums(L, self);
    run_set_stats(L, self->run.sim, makespans, groups, "makespans", "group_makespans");
    run_set_stats(L, self->run.sim, waitings, groups, "waitings", "group_waitings");
    run_set_stats(L, self->run.sim, executions, groups, "executions", "group_executions");
    run_set_batches(L, pn_scheduler_batches(scheduler));
}

static int is_warmup(const run_base *run, size_t index)
{
    const pn_scheduler_config *config = &((const cluster_run *)run)->config.scheduler;
    return index < config->warmup_jobs ||
           rows_at(run->rows, index)->values[0].integer < config->warmup_ms;
}

/* ---- the request ----------------------------------------------------------------------------- */

static const char *read_request(lua_State *L, run_base *run)
{
    cluster_run *self = (cluster_run *)run;
    pn_scheduler_config *scheduler = &self->config.scheduler;
    cluster_settings settings;
    const char *bounds = field_string_or_null(L, 1, "bounds"), *fault;
    field_cluster_settings(L, 1, &settings);
    self->config = settings.config;
    self->failures = settings.failures;
    self->failure_count = settings.failure_count;
    lua_getfield(L, 1, "rules");
    fault = read_cluster_rules(L, lua_gettop(L), &self->config);
    if (fault)
        return fault;
    scheduler->groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20, 0);
    scheduler->statistics = 1;
    self->bounds = bounds && strcmp(bounds, "none") != 0;
    scheduler->attributes = run->work->attribute_count;
    scheduler->warmup_jobs = field_count(L, 1, "warmup_jobs");
    scheduler->warmup_ms = field_count(L, 1, "warmup_ms");
    scheduler->replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    run->until = field_number_or(L, 1, "until_time", (double)INFINITY);
    run_read(L, run);
    self->policy = core_read_policy(L, &core_cluster, self->params, &fault);
    return fault;
}

static uint32_t ranking(const run_base *run, uint32_t order, pn_ranked *ranked, uint32_t most)
{
    return pn_scheduler_ranking(pn_cluster_scheduler(run->sim), order, ranked, most);
}

static const run_kind runs = {.model = &cluster_model,
                              .rows = &cluster_rows,
                              .read = read_request,
                              .orders = 2,
                              .ranking = ranking,
                              .weighted_mean = "weighted_mean_makespan",
                              .set = set_result,
                              .is_warmup = is_warmup};

/* ---- policies -------------------------------------------------------------------------------- */

static void set_policy(lua_State *L, const void *any)
{
    const pn_scheduler_policy *policy = any;
    set_boolean(L, "preempts", policy->preempt != NULL);
    set_boolean(L, "admits", policy->admit != NULL);
    set_boolean(L, "deadlines", policy->admission.deadlines);
}

static void push_own_params(lua_State *L, int table)
{
    rules_push_others(L, table, &cluster_rules);
}

CORE_ORDERS("map", "reduce")

static const policy_kind policies = {
    .set = set_policy, .order = policy_order, .push_own_params = push_own_params};

/* ---- the hash of a scenario ------------------------------------------------------------------ */

static const char *hash_settings(lua_State *L, uint64_t *hash)
{
    cluster_settings settings;
    const char *fault;
    field_cluster_settings(L, 1, &settings);
    lua_getfield(L, 1, "rules");
    fault = read_cluster_rules(L, lua_gettop(L), &settings.config);
    *hash = fault ? 0
                  : cluster_hash_settings(&settings.config, settings.failures,
                                          settings.failure_count);
    return fault;
}

/* ---- what only this model has ---------------------------------------------------------------- */

/* { workload }: the first job without a deadline; nil when there is none. A workload that cannot be
 * read is no fault here, as its run says so. */
static int core_cluster_without_deadline(lua_State *L)
{
    source *work = field_workload(L, 1, &core_cluster);
    pn_cluster_job job;
    lua_Integer id = 0;
    work->rewind(work);
    while (source_next(work, &job) == SOURCE_JOB) {
        if ((++id & 0xFFF) == 0 && interrupt_pending())
            return 0;
        if (job.deadline == 0) {
            lua_pushinteger(L, id);
            return 1;
        }
    }
    return 0;
}

/* Returns the size of a block with every table that it may have. */
static size_t small_block(void)
{
    static const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 3, .reduce_slots = 1};
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = &nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = 5;
    config.scheduler.policy = pn_scheduler_rtmr();
    return pn_cluster_size(&config);
}

/* ---- the model ------------------------------------------------------------------------------- */

static const luaL_Reg functions[] = {{"cluster_run", core_run},
                                     {"cluster_verify", core_verify},
                                     {"cluster_scenario_hash", core_scenario_hash},
                                     {"cluster_replay", core_cluster_replay},
                                     {"cluster_without_deadline", core_cluster_without_deadline},
                                     {NULL, NULL}};

const core_model core_cluster = {.name = "cluster",
                                 .kernel = pn_cluster_model,
                                 .functions = functions,
                                 .policies = &policies,
                                 .run = &runs,
                                 .workload = &workload_cluster,
                                 .verify = &verify_cluster,
                                 .hash_settings = hash_settings,
                                 .hash = &cluster_hash,
                                 .block_size = small_block,
                                 .rules = &cluster_rules};
