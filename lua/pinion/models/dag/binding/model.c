/* The dag model for Lua. */
#include "model.h"

#include <string.h>

#include "pinion/models/dag/run/run.h"
#include "core/model.h"
#include "core/replay.h"
#include "core/verify.h"
#include "core/workload.h"

/* ---- settings -------------------------------------------------------------------------------- */

/* Fills in the vector in this field of the entry on top of the stack. */
static void entry_vector(lua_State *L, const char *name, uint32_t count, uint64_t *values)
{
    int entry = lua_gettop(L);
    luaL_argcheck(L, field_list(L, entry, name, PN_DISPATCH_RESOURCES_MAX) == count, 1,
                  lua_pushfstring(L, "%s: must be one number for each resource", name));
    for (uint32_t r = 0; r < count; r++) {
        lua_geti(L, -1, (lua_Integer)r + 1);
        values[r] = (uint64_t)luaL_checkinteger(L, -1);
        lua_pop(L, 1);
    }
    lua_settop(L, entry);
}

static void read_nodes(lua_State *L, int table, pn_dispatch_config *config)
{
    lua_Integer count = field_list(L, table, "nodes", (lua_Integer)1 << 20);
    int list = lua_gettop(L);
    pn_dispatch_nodes *nodes = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *nodes, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, list, i + 1);
        nodes[i] = (pn_dispatch_nodes){.count = entry_integer(L, "count", 1, 1),
                                       .speed = entry_integer(L, "speed", 1, 1000)};
        entry_vector(L, "capacity", config->resources, nodes[i].capacity);
        lua_pop(L, 1);
    }
    config->nodes = nodes;
    config->nodes_count = (uint32_t)count;
}

static void read_queues(lua_State *L, int table, dag_settings *settings)
{
    lua_Integer count = field_list(L, table, "queues", 4096);
    int list = lua_gettop(L);
    pn_dispatch_queue *queues = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *queues, 0);
    const char **names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, list, i + 1);
        queues[i] = (pn_dispatch_queue){.weight = entry_integer(L, "weight", 1, 1),
                                        .guaranteed = entry_integer(L, "guaranteed", 0, 0),
                                        .maximum = entry_integer(L, "maximum", 1, 1000)};
        names[i] = field_string(L, lua_gettop(L), "name");
        lua_pop(L, 1); /* the list keeps it */
    }
    settings->config.dispatch.queues = queues;
    settings->config.dispatch.queues_count = (uint32_t)count;
    settings->queue_names = names;
}

static void read_failures(lua_State *L, int table, dag_settings *settings)
{
    pn_dag_failure *failures;
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
        failures[i] = (pn_dag_failure){.time = entry_ms(L, "time", 0),
                                       .node = entry_integer(L, "node", 0, 0),
                                       .recover = entry_ms(L, "recover", PN_DISPATCH_NEVER)};
        lua_pop(L, 1);
    }
    settings->failures = failures;
    settings->failure_count = (size_t)count;
}

void field_dag_settings(lua_State *L, int table, dag_settings *settings)
{
    pn_dispatch_config *core = &settings->config.dispatch;
    settings->config = pn_dag_defaults();
    core->resources = (uint32_t)field_integer(L, table, "resources", 1, PN_DISPATCH_RESOURCES_MAX);
    settings->resource_names = field_string(L, table, "resource_names");
    read_nodes(L, table, core);
    read_queues(L, table, settings);
    read_failures(L, table, settings);
}

const char *read_dag_rules(lua_State *L, int table, pn_dag_config *config)
{
    const char *fault = rules_read(L, table, &dag_rules, config);
    config->dispatch.seed = config->seed;
    return fault;
}

/* What jobs that name no queue are in. */
static const char *const unnamed[] = {"default"};

const uint32_t *dag_queues_of(lua_State *L, const source *work, const dag_settings *settings)
{
    uint32_t named = dag_source_of(work)->queue_count, count = named > 0 ? named : 1;
    const char *const *names = named > 0 ? dag_source_of(work)->queue_names : unnamed;
    uint32_t queues = settings->config.dispatch.queues_count;
    uint32_t *numbers = lua_newuserdatauv(L, count * sizeof *numbers, 0);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = 0;
        while (numbers[i] < queues && strcmp(settings->queue_names[numbers[i]], names[i]) != 0)
            numbers[i]++;
        if (numbers[i] < queues)
            continue;
        lua_pushfstring(L, "queues: lack '%s', which jobs of the workload are in", names[i]);
        return NULL;
    }
    return numbers;
}

/* ---- the result ------------------------------------------------------------------------------ */

static const pn_stats *jcts(const void *sim, uint32_t group)
{
    return pn_dag_samples(sim, PN_DAG_JCTS, group);
}

static const pn_stats *waitings(const void *sim, uint32_t group)
{
    return pn_dag_samples(sim, PN_DAG_WAITINGS, group);
}

static const pn_stats *slowdowns(const void *sim, uint32_t group)
{
    return pn_dag_samples(sim, PN_DAG_SLOWDOWNS, group);
}

/* Pushes a sum of 128 bits: as an integer, or the nearest double where no integer of Lua is so
 * large. */
static void push_wide(lua_State *L, pn_wide value)
{
    if (value.high == 0 && value.low <= INT64_MAX)
        lua_pushinteger(L, (lua_Integer)value.low);
    else
        lua_pushnumber(L, (double)value.high * 0x1p64 + (double)value.low);
}

static void set_wide(lua_State *L, const char *name, pn_wide value)
{
    push_wide(L, value);
    lua_setfield(L, -2, name);
}

/* Sets one sum for each resource. */
static void set_vector(lua_State *L, const char *name, const pn_wide *values, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t r = 0; r < count; r++) {
        push_wide(L, values[r]);
        lua_rawseti(L, -2, (lua_Integer)r + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_sums(lua_State *L, const pn_dag *sim, uint32_t group)
{
    pn_dag_group sums;
    pn_dag_group_get(sim, group, &sums);
    lua_createtable(L, 0, 5);
    set_integer(L, "jobs", sums.jobs);
    set_integer(L, "kills", sums.kills);
    set_integer(L, "lost_attempts", sums.lost);
    set_integer(L, "deadlines", sums.deadlines);
    set_integer(L, "in_time", sums.deadlines_met);
}

/* Sets "sums" of all finished jobs behind the warm-up, and "group_sums", an array of the same by
 * group. */
static void set_all_sums(lua_State *L, const dag_run *self)
{
    uint32_t groups = self->settings.config.groups_max;
    set_sums(L, self->run.sim, PN_ALL_GROUPS);
    lua_setfield(L, -2, "sums");
    lua_createtable(L, (int)groups, 0);
    for (uint32_t i = 0; i < groups; i++) {
        set_sums(L, self->run.sim, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "group_sums");
}

static void set_queues(lua_State *L, const dag_run *self)
{
    const pn_dispatch_config *config = &self->settings.config.dispatch;
    lua_createtable(L, (int)config->queues_count, 0);
    for (uint32_t i = 0; i < config->queues_count; i++) {
        pn_dispatch_queue_totals totals;
        pn_dag_queue_get(self->run.sim, i, &totals);
        lua_createtable(L, 0, 5);
        set_string(L, "name", self->settings.queue_names[i]);
        set_integer(L, "jobs", totals.jobs);
        set_integer(L, "finished", totals.finished);
        set_wide(L, "total_jct", totals.total_jct);
        set_vector(L, "used", totals.used, config->resources);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "queues");
}

/* Sets the share of each resource, and the largest of these shares. */
static void set_utilisation(lua_State *L, const pn_dag_totals *totals, uint32_t resources)
{
    uint64_t most = 0;
    lua_createtable(L, (int)resources, 0);
    for (uint32_t r = 0; r < resources; r++) {
        uint64_t permille = totals->utilisation_permille[r];
        most = permille > most ? permille : most;
        lua_pushinteger(L, (lua_Integer)permille);
        lua_rawseti(L, -2, (lua_Integer)r + 1);
    }
    lua_setfield(L, -2, "utilisation_permille");
    if (totals->makespan > 0)
        set_number(L, "utilisation", (double)most / 1000.0);
}

/* Sets the share of the time in which a task waited (DG34), up to the last finish or, if jobs are
 * left, up to the last entry of the log. */
static void set_saturation(lua_State *L, const pn_dispatch_totals *core)
{
    uint64_t end = core->in_system > 0 ? core->last_logged : core->last_finish;
    if (core->first_arrival < end)
        set_number(L, "saturation",
                   (double)core->saturated_ms / (double)(end - core->first_arrival));
}

/* Sets the bounds, and calls the bound of the total as in every model. */
static void set_bounds(lua_State *L, const pn_dag_totals *totals)
{
    set_wide(L, "bound_total_jct", totals->bound_total_jct);
    set_wide(L, "lower_bound", totals->bound_total_jct);
    set_integer(L, "bound_makespan", totals->bound_makespan);
}

static void set_totals(lua_State *L, const dag_run *self)
{
    const pn_dag_totals *totals = &self->totals;
    const pn_dispatch_totals *core = &totals->dispatch;
    uint32_t resources = self->settings.config.dispatch.resources;
    set_integer(L, "submitted", totals->submitted);
    set_integer(L, "finished", core->finished);
    set_integer(L, "unfinished", self->unfinished);
    set_wide(L, "total_jct", core->total_jct);
    set_wide(L, "slowdown_sum_permille", totals->slowdown_sum);
    if (totals->jain_permille != PN_DISPATCH_NEVER)
        set_integer(L, "jain_permille", totals->jain_permille);
    set_integer(L, "makespan", totals->makespan);
    set_vector(L, "used", core->used, resources);
    set_vector(L, "lost", core->wasted, resources);
    set_utilisation(L, totals, resources);
    set_saturation(L, core);
    set_integer(L, "launches", core->launches);
    set_integer(L, "kills", core->kills);
    set_integer(L, "lost_attempts", core->lost);
    set_integer(L, "time", core->last_logged);
    set_integer(L, "instants", totals->instants);
    set_integer(L, "ticks", totals->ticks);
    set_integer(L, "peak_jobs", core->in_system_max);
    set_integer(L, "peak_attempts", core->attempts_held_max);
}

static void set_result(lua_State *L, const run_base *run)
{
    /* as enum dag_stall */
    static const char *const stalls[] = {NULL, "node", "node with room"};
    const dag_run *self = (const dag_run *)run;
    uint32_t groups = self->settings.config.groups_max;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_dag_digest(self->run.sim));
    set_totals(L, self);
    set_queues(L, self);
    if (self->bounds)
        set_bounds(L, &self->totals);
    if (self->stall != DAG_NOT_STALLED)
        set_string(L, "stalled", stalls[self->stall]);
    set_string(L, "digest", digest);
    set_boolean(L, "complete", run->fed_all && self->unfinished == 0);
    set_all_sums(L, self);
    run_set_stats(L, self->run.sim, jcts, groups, "jcts", "group_jcts");
    run_set_stats(L, self->run.sim, waitings, groups, "waitings", "group_waitings");
    run_set_stats(L, self->run.sim, slowdowns, groups, "slowdowns", "group_slowdowns");
    run_set_batches(L, pn_dag_batches(self->run.sim));
}

static int is_warmup(const run_base *run, size_t index)
{
    const pn_dag_config *config = &((const dag_run *)run)->settings.config;
    return index < config->warmup_jobs ||
           rows_at(run->rows, index)->values[0].integer < config->warmup_ms;
}

/* ---- the request ----------------------------------------------------------------------------- */

/* Reads the settings: null, or what is wrong with them, on top of the stack. */
static const char *read_settings(lua_State *L, dag_settings *settings)
{
    field_dag_settings(L, 1, settings);
    lua_getfield(L, 1, "rules");
    return read_dag_rules(L, lua_gettop(L), &settings->config);
}

static const char *read_request(lua_State *L, run_base *run)
{
    dag_run *self = (dag_run *)run;
    pn_dag_config *config = &self->settings.config;
    const char *bounds = field_string_or_null(L, 1, "bounds");
    const char *fault = read_settings(L, &self->settings);
    if (fault)
        return fault;
    self->queue_of = dag_queues_of(L, run->work, &self->settings);
    if (!self->queue_of)
        return lua_tostring(L, -1);
    self->bounds = bounds && strcmp(bounds, "none") != 0;
    config->groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20, 0);
    config->statistics = 1;
    config->warmup_jobs = field_count(L, 1, "warmup_jobs");
    config->warmup_ms = field_count(L, 1, "warmup_ms");
    config->dispatch.attributes = run->work->attribute_count;
    config->dispatch.replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    run->until = field_number_or(L, 1, "until_time", (double)INFINITY);
    run_read(L, run);
    self->policy = core_read_policy(L, &core_dag, self->params, &fault);
    return fault;
}

static uint32_t ranking(const run_base *run, uint32_t order, pn_ranked *ranked, uint32_t most)
{
    (void)order;
    return pn_dispatch_ranking(pn_dag_dispatch(run->sim), ranked, most);
}

static const run_kind runs = {.model = &dag_model,
                              .rows = &dag_rows,
                              .read = read_request,
                              .orders = 1,
                              .ranking = ranking,
                              .weighted_mean = "weighted_mean_jct",
                              .set = set_result,
                              .is_warmup = is_warmup};

/* ---- policies -------------------------------------------------------------------------------- */

/* Pushes the model's own parameters, which are its rules. */
static void push_own_params(lua_State *L, int table)
{
    rules_push_others(L, table, &dag_rules);
}

CORE_ORDERS("task")

static const policy_kind policies = {.order = policy_order, .push_own_params = push_own_params};

/* ---- the hash of a scenario ------------------------------------------------------------------ */

static const char *hash_settings(lua_State *L, uint64_t *hash)
{
    dag_settings settings;
    const char *fault = read_settings(L, &settings);
    *hash = fault ? 0 : dag_hash_settings(&settings);
    return fault;
}

/* ---- what only this model has ---------------------------------------------------------------- */

/* { workload }: the names of its jobs' queues, by number. */
static int core_dag_queues(lua_State *L)
{
    const dag_source *work = dag_source_of(field_workload(L, 1, &core_dag));
    uint32_t count = work->queue_count > 0 ? work->queue_count : 1;
    const char *const *names = work->queue_count > 0 ? work->queue_names : unnamed;
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* Returns the size of a block with every table that it may have. */
static size_t small_block(void)
{
    static const pn_dispatch_nodes nodes = {.capacity = {4, 4}, .count = 2, .speed = 1000};
    static const pn_dispatch_queue queues[2] = {{.weight = 1}, {.weight = 1}};
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = &nodes;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.queues = queues;
    config.dispatch.queues_count = 2;
    config.dispatch.jobs_max = config.bounds_max = 5;
    config.durations_max = config.failures_max = 3;
    config.groups_max = config.statistics = 1;
    return pn_dag_size(&config);
}

/* ---- the model ------------------------------------------------------------------------------- */

static const luaL_Reg functions[] = {{"dag_run", core_run},
                                     {"dag_verify", core_verify},
                                     {"dag_scenario_hash", core_scenario_hash},
                                     {"dag_replay", core_dag_replay},
                                     {"dag_queues", core_dag_queues},
                                     {NULL, NULL}};

const core_model core_dag = {.name = "dag",
                             .kernel = pn_dag_model,
                             .functions = functions,
                             .policies = &policies,
                             .run = &runs,
                             .workload = &workload_dag,
                             .verify = &verify_dag,
                             .hash_settings = hash_settings,
                             .hash = &dag_hash,
                             .block_size = small_block,
                             .rules = &dag_rules};
