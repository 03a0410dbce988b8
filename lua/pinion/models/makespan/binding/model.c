/* The makespan model for Lua. */
#include "model.h"

#include "sandbox/exact.h"
#include "core/model.h"
#include "core/verify.h"
#include "core/workload.h"
#include "pinion/models/makespan/run/run.h"

/* ---- the result ------------------------------------------------------------------------------ */

static const pn_stats *completions(const void *sim, uint32_t group)
{
    return pn_makespan_completions(sim, group);
}

/* Returns a / b; nothing where it does not fit, and where there is no b. */
static pn_exact quotient(pn_exact a, pn_exact b)
{
    pn_exact value;
    if (a.den == 0 || b.den == 0 || b.num == 0 || pn_exact_divide(&value, a, b) != PN_OK)
        return (pn_exact){0, 0};
    return value;
}

static pn_exact whole(uint64_t number)
{
    return (pn_exact){(int64_t)number, 1};
}

/* Returns by how much of the bound the makespan is above it. */
static pn_exact gap(pn_exact makespan, pn_exact bound)
{
    pn_exact value = quotient(makespan, bound);
    if (value.den == 0 || pn_exact_subtract(&value, value, whole(1)) != PN_OK)
        return (pn_exact){0, 0};
    return value;
}

/* Returns work / (slots * makespan) */
static pn_exact utilisation(const makespan_run *self, uint64_t work, uint64_t slots,
                            pn_exact makespan)
{
    pn_exact length;
    if (pn_exact_make(&length, (int64_t)work, (int64_t)self->config.ticks) != PN_OK)
        return (pn_exact){0, 0};
    return quotient(quotient(length, makespan), whole(slots));
}

static void set_utilisations(lua_State *L, const makespan_run *self, pn_exact makespan)
{
    const pn_makespan_totals *totals = &self->totals;
    uint64_t maps = self->config.map_slots, reduces = self->config.reduce_slots;
    set_exact(L, "map_utilisation", utilisation(self, totals->map_work, maps, makespan));
    set_exact(L, "reduce_utilisation", utilisation(self, totals->reduce_work, reduces, makespan));
    set_exact(L, "utilisation",
              utilisation(self, totals->map_work + totals->reduce_work, maps + reduces, makespan));
}

/* Sets what a search has proven: the one that was asked with, or this policy's own. */
static void set_proven(lua_State *L, const makespan_run *self, pn_exact makespan, int complete)
{
    pn_exact proven = self->proven.den > 0 ? self->proven : self->totals.proven;
    if (proven.den == 0)
        return;
    set_exact(L, "lower_bound_tight", proven);
    if (!complete)
        return;
    set_exact(L, "gap_tight", gap(makespan, proven));
    if (pn_exact_compare(makespan, proven) == 0)
        set_boolean(L, "optimal", 1);
}

/* Sets "order": ids, pool by pool. */
static void set_order(lua_State *L, const makespan_run *self)
{
    uint32_t jobs = pn_makespan_jobs(self->run.sim);
    lua_createtable(L, (int)jobs, 0);
    for (uint32_t i = 0; i < jobs; i++) {
        lua_pushinteger(L, (lua_Integer)pn_makespan_order(self->run.sim, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "order");
}

/* Sets "pools": { nodes, map_slots, reduce_slots, jobs }, where makespan_has_pools. */
static void set_pools(lua_State *L, const makespan_run *self)
{
    uint32_t pools = pn_makespan_pools(self->run.sim), at = 0;
    if (!makespan_has_pools(self->run.sim, self->config.map_slots))
        return;
    lua_createtable(L, (int)pools, 0);
    for (uint32_t i = 0; i < pools; i++) {
        pn_makespan_pool_plan pool;
        pn_makespan_pool_get(self->run.sim, i, &pool);
        lua_createtable(L, 0, 4);
        set_integer(L, "nodes", pool.nodes);
        set_integer(L, "map_slots", pool.map_slots);
        set_integer(L, "reduce_slots", pool.reduce_slots);
        lua_createtable(L, (int)pool.count, 0);
        for (uint32_t k = 0; k < pool.count; k++) {
            lua_pushinteger(L, (lua_Integer)pn_makespan_order(self->run.sim, at++));
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_setfield(L, -2, "jobs");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "pools");
}

/* Sets what is known with the plan. */
static void set_plan(lua_State *L, const makespan_run *self, int complete)
{
    const pn_makespan_totals *totals = &self->totals;
    pn_exact makespan;
    pn_exact_make(&makespan, (int64_t)totals->makespan, (int64_t)self->ticks);
    set_exact(L, "makespan", makespan);
    set_exact(L, "total_completion_time", totals->total_completion);
    set_exact(L, "mean_completion_time",
              quotient(totals->total_completion, whole(totals->finished)));
    set_exact(L, "lower_bound", self->lower_bound);
    if (complete) {
        set_exact(L, "gap", gap(makespan, self->lower_bound));
        set_utilisations(L, self, makespan);
    }
    set_proven(L, self, makespan, complete);
    set_order(L, self);
    set_pools(L, self);
    set_string(L, "stage_time", makespan_names("stage_time")[totals->stage_time]);
    set_string(L, "share", makespan_names("share")[totals->share]);
    set_string(L, "cap", makespan_names("cap")[totals->cap]);
    set_string(L, "task_order", makespan_names("task_order")[totals->task_order]);
}

static void set_result(lua_State *L, const run_base *run)
{
    const makespan_run *self = (const makespan_run *)run;
    const pn_makespan_totals *totals = &self->totals;
    int complete = run->all_done && totals->finished == totals->submitted;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_makespan_digest(self->run.sim));
    set_string(L, "digest", digest);
    set_boolean(L, "complete", complete);
    set_integer(L, "submitted", totals->submitted);
    set_integer(L, "finished", totals->finished);
    set_integer(L, "map_slots", self->config.map_slots);
    set_integer(L, "reduce_slots", self->config.reduce_slots);
    set_integer(L, "evaluations", totals->evaluations);
    set_integer(L, "nodes_searched", totals->nodes_searched);
    set_integer(L, "tasks_started", totals->tasks_started);
    set_integer(L, "instants", totals->instants);
    if (self->ticks > 0) {
        set_integer(L, "fine_ticks", self->ticks); /* to the unit of time */
        set_plan(L, self, complete);
    }
    run_set_stats(L, self->run.sim, completions, self->config.groups_max, "completion_times",
                  "group_completion_times");
}

/* ---- the request ----------------------------------------------------------------------------- */

/* Returns the index of the word in the field; `missing` where there is none. */
static uint32_t field_word(lua_State *L, int table, const char *name, const char *const *words,
                           const char *missing)
{
    int index;
    lua_getfield(L, table, name);
    index = luaL_checkoption(L, -1, missing, words);
    lua_pop(L, 1);
    return (uint32_t)index;
}

static uint32_t field_choice(lua_State *L, int table, const char *name, const char *missing)
{
    return field_word(L, table, name, makespan_names(name), missing);
}

void field_makespan_rules(lua_State *L, int table, makespan_rules *rules)
{
    const lua_Integer most = PN_MAKESPAN_SLOTS_MOST;
    luaL_checktype(L, table, LUA_TTABLE);
    rules->map_slots = (uint32_t)field_integer(L, table, "map_slots", 1, most);
    rules->reduce_slots = (uint32_t)field_integer(L, table, "reduce_slots", 1, most);
    rules->base_map_slots = (uint32_t)field_integer_or(L, table, "base_map_slots", 1, most,
                                                       rules->map_slots);
    rules->base_reduce_slots = (uint32_t)field_integer_or(L, table, "base_reduce_slots", 1, most,
                                                          rules->reduce_slots);
    rules->level = field_choice(L, table, "level", "stage");
    rules->stage_time = field_choice(L, table, "stage_time", "default");
    rules->share = field_choice(L, table, "share", "default");
    rules->cap = field_choice(L, table, "cap", "default");
    rules->task_order = field_choice(L, table, "task_order", "default");
    rules->resplit = (uint32_t)field_integer_or(L, table, "resplit", 0, 1 << 16, 0);
}

static void read_config(lua_State *L, pn_makespan_config *config)
{
    makespan_rules rules;
    *config = pn_makespan_defaults();
    field_makespan_rules(L, 1, &rules);
    config->map_slots = rules.map_slots;
    config->reduce_slots = rules.reduce_slots;
    config->base_map_slots = rules.base_map_slots;
    config->base_reduce_slots = rules.base_reduce_slots;
    config->level = rules.level;
    config->stage_time = rules.stage_time;
    config->share = rules.share;
    config->cap = rules.cap;
    config->task_order = rules.task_order;
    config->resplit = rules.resplit;
    config->nodes = (uint32_t)field_integer_or(L, 1, "nodes", 0, PN_MAKESPAN_SLOTS_MOST, 0);
    config->groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20, 0);
    config->statistics = 1;
    config->seed = (uint64_t)field_integer_or(L, 1, "seed", INT64_MIN, INT64_MAX, 1);
    config->replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
}

/* Reads the array of ids in the field of the table at `table`, in memory that stays on the stack;
 * null where there is no such field. */
static const uint64_t *read_ids(lua_State *L, int table, const char *name, size_t *count)
{
    uint64_t *ids;
    int list;
    *count = 0;
    if (lua_getfield(L, table, name) == LUA_TNIL)
        return NULL;
    luaL_argcheck(L, lua_istable(L, -1), 1,
                  lua_pushfstring(L, "%s: must be an array of job ids", name));
    list = lua_gettop(L);
    *count = lua_rawlen(L, list);
    ids = lua_newuserdatauv(L, (*count ? *count : 1) * sizeof *ids, 0);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        ids[i] = (uint64_t)lua_tointeger(L, -1); /* what is no id is no job */
        lua_pop(L, 1);
    }
    return ids;
}

static void read_pools(lua_State *L, makespan_run *self)
{
    pn_makespan_pool *pools;
    int list;
    if (lua_getfield(L, 1, "pools") == LUA_TNIL)
        return;
    luaL_argcheck(L, lua_istable(L, -1), 1, "pools: must be an array");
    list = lua_gettop(L);
    self->pool_count = lua_rawlen(L, list);
    pools = lua_newuserdatauv(L, (self->pool_count ? self->pool_count : 1) * sizeof *pools, 0);
    luaL_checkstack(L, (int)(3 * self->pool_count) + 8, "too many pools");
    for (size_t i = 0; i < self->pool_count; i++) {
        size_t count;
        int pool;
        luaL_argcheck(L, lua_rawgeti(L, list, (lua_Integer)i + 1) == LUA_TTABLE, 1,
                      "pools: must be an array of tables");
        pool = lua_gettop(L);
        lua_getfield(L, pool, "nodes");
        pools[i].nodes = (uint32_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
        pools[i].ids = read_ids(L, pool, "jobs", &count);
        pools[i].count = (uint32_t)count;
    }
    self->pools = pools;
}

/* Reads an exact number in a field of argument 1; den 0 where there is none. */
static pn_exact field_exact(lua_State *L, const char *name)
{
    pn_exact value = {0, 0};
    if (lua_getfield(L, 1, name) != LUA_TNIL)
        luaL_argcheck(L, exact_get(L, -1, &value) && value.num >= 0, 1,
                      lua_pushfstring(L, "%s: must be an exact number >= 0", name));
    lua_pop(L, 1);
    return value;
}

static const char *read_request(lua_State *L, run_base *run)
{
    static const char *const bounds[] = {"none", "fast", "tight", NULL};
    makespan_run *self = (makespan_run *)run;
    const char *fault;
    read_config(L, &self->config);
    self->config.attributes = run->work->attribute_count;
    self->bound = field_word(L, 1, "bounds", bounds, "fast") > 0;
    run_read(L, run);
    self->until = field_exact(L, "until_time");
    self->proven = field_exact(L, "proven");
    self->order = read_ids(L, 1, "order", &self->order_count);
    read_pools(L, self);
    self->policy = core_read_policy(L, &core_makespan, self->params, &fault);
    return fault;
}

static uint32_t ranking(const run_base *run, uint32_t order, pn_ranked *ranked, uint32_t most)
{
    return pn_makespan_ranking(run->sim, order, ranked, most);
}

static const run_kind runs = {.model = &makespan_model,
                              .rows = &makespan_rows,
                              .read = read_request,
                              .orders = 2,
                              .ranking = ranking,
                              .weighted_mean = "weighted_mean_completion_time",
                              .set = set_result};

/* ---- policies -------------------------------------------------------------------------------- */

/* Sets the rules that are a policy's own where the scenario says nothing. */
static void set_rules(lua_State *L, const pn_makespan_policy *policy)
{
    static const char *const times[] = {"waves_req", "given",  "waves_req",
                                        "waves",     "capped", "fluid"};
    static const char *const shares[] = {"conserving", "conserving", "exclusive"}, *const caps[] = {
                                                                                       "none",
                                                                                       "none",
                                                                                       "requested"};
    static const char *const orders[] = {"listed", "listed", "lpt"}, *const levels[] = {
                                                                         NULL, "stage", "task"};
    set_string(L, "stage_time", times[policy->stage_time]);
    set_string(L, "share", shares[policy->share]);
    set_string(L, "cap", caps[policy->cap]);
    set_string(L, "task_order", orders[policy->task_order]);
    if (levels[policy->level])
        set_string(L, "level", levels[policy->level]);
}

static void set_policy(lua_State *L, const void *any)
{
    set_rules(L, any);
}

CORE_ORDERS("map", "reduce")

static const policy_kind policies = {.set = set_policy, .order = policy_order};

/* ---- the hash of a scenario ------------------------------------------------------------------ */

static const char *hash_settings(lua_State *L, uint64_t *hash)
{
    makespan_rules rules;
    field_makespan_rules(L, 1, &rules);
    *hash = makespan_hash_settings(&rules);
    return NULL;
}

/* ---- the model ------------------------------------------------------------------------------- */

static const luaL_Reg functions[] = {{"makespan_run", core_run},
                                     {"makespan_verify", core_verify},
                                     {"makespan_scenario_hash", core_scenario_hash},
                                     {NULL, NULL}};

const core_model core_makespan = {.name = "makespan",
                                  .kernel = pn_makespan_model,
                                  .functions = functions,
                                  .policies = &policies,
                                  .run = &runs,
                                  .workload = &workload_makespan,
                                  .verify = &verify_makespan,
                                  .hash_settings = hash_settings,
                                  .hash = &makespan_hash,
                                  .rules = &makespan_model_rules};
