/* The slotted model for Lua. */
#include "run.h"
#include "run/slotted.h"

static const pn_stats *flow_times(const void *sim, uint32_t group)
{
    return pn_slotted_flow_times(sim, group);
}

static void set_result(lua_State *L, const run_base *run)
{
    const slotted_run *self = (const slotted_run *)run;
    const pn_slotted_totals *totals = &self->totals;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_slotted_digest(self->sim));
    set_integer(L, "submitted", totals->submitted);
    set_integer(L, "finished", totals->finished);
    set_integer(L, "in_system", totals->in_system);
    set_integer(L, "total_flow_time", totals->total_flow_time);
    set_integer(L, "slots", totals->last_finish);
    set_integer(L, "slots_run", totals->slots_run);
    set_integer(L, "units_run", totals->units_run);
    set_integer(L, "decisions", totals->decisions);
    set_integer(L, "heap_moves", totals->heap_moves);
    set_integer(L, "peak_jobs", totals->jobs_held_max);
    set_string(L, "digest", digest);
    set_boolean(L, "relaxed", self->policy->relaxed);
    set_boolean(L, "complete", run->fed_all && totals->finished == totals->submitted);
    if (run->all_done && self->config.bounds == PN_SLOTTED_BOUNDS_FAST)
        set_integer(L, "lower_bound", totals->lower_bound);
    if (run->all_done && self->tight && !run->interrupted)
        set_integer(L, "lower_bound_tight", self->lower_bound_tight);
    lrun_set_stats(L, self->sim, flow_times, self->config.groups_max, "flow_times",
                   "group_flow_times");
    lrun_set_batches(L, pn_slotted_batches(self->sim));
}

/* Rows of the warm-up are a prefix, as jobs come in order of arrival. */
static size_t count_warmup(const run_base *run)
{
    const pn_slotted_config *config = &((const slotted_run *)run)->config;
    size_t count = 0;
    while (count < run->rows->count &&
           (count < config->warmup_jobs ||
            rows_at(run->rows, count)->values[0].integer <= config->warmup_slots))
        count++;
    return count;
}

static const char *read_request(lua_State *L, run_base *run)
{
    static const char *const bounds[] = {"none", "fast", "tight", NULL};
    /* of a built-in; what the run is called, beside lua_policy */
    const char *name = field_string(L, 1, "policy");
    slotted_run *self = (slotted_run *)run;
    int bound;
    run->work = field_workload(L, 1, SOURCE_SLOTTED);
    self->config = pn_slotted_defaults();
    self->config.machines = (uint32_t)field_integer(L, 1, "machines", 1, (lua_Integer)1 << 24);
    self->config.reduce = field_reduce(L, 1);
    self->config.groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20,
                                                         0);
    self->config.estimates = (uint32_t)field_boolean(L, 1, "estimates");
    self->config.statistics = 1;
    self->config.warmup_jobs = (uint64_t)field_integer_or(L, 1, "warmup_jobs", 0,
                                                          (lua_Integer)PN_INTEGER_MAX, 0);
    self->config.warmup_slots = (uint64_t)field_integer_or(L, 1, "warmup_slots", 0,
                                                           (lua_Integer)PN_INTEGER_MAX, 0);
    self->config.seed = (uint64_t)field_integer_or(L, 1, "seed", INT64_MIN, INT64_MAX, 1);
    self->config.replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    lua_getfield(L, 1, "bounds");
    bound = luaL_checkoption(L, -1, "fast", bounds);
    self->config.bounds = bound == 0 ? PN_SLOTTED_BOUNDS_NONE : PN_SLOTTED_BOUNDS_FAST;
    self->tight = bound == 2;
    /* -1 is PN_SLOTTED_FOREVER */
    self->until = (uint64_t)field_integer_or(L, 1, "until_slot", 0, (lua_Integer)PN_INTEGER_MAX,
                                             -1);
    lrun_read(L, run, name);
    if (run->checkpoint.path)
        self->every = (uint64_t)field_integer(L, 1, "every", 1, (lua_Integer)PN_INTEGER_MAX);
    self->policy = field_lua_policy(L, 1, "lua_policy");
    self->policy = self->policy ? self->policy : pn_slotted_policy_find(name);
    if (!self->policy)
        return lua_pushfstring(L, "no policy is called %s", name);
    lua_getfield(L, 1, "params");
    return read_params(L, lua_gettop(L), self->policy->params, self->policy->param_count, 1,
                       self->params);
}

static void make(run_base *run)
{
    slotted_run_make((slotted_run *)run);
}

static enum run_outcome go(run_base *run)
{
    return slotted_run_go((slotted_run *)run);
}

static int core_slotted_run(lua_State *L)
{
    static const lrun_model model = {.size = sizeof(slotted_run),
                                     .rows = &slotted_rows,
                                     .make = make,
                                     .read = read_request,
                                     .go = go,
                                     .set = set_result,
                                     .warmup = count_warmup};
    return lrun(L, &model);
}

void lslotted_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"slotted_run", core_slotted_run}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
