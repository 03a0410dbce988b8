/* The tandem model for Lua. */
#include "run.h"
#include "run/tandem.h"

static void set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

/* ---- the result ------------------------------------------------------------------------------ */

static const pn_stats *response_times(const void *sim, uint32_t group)
{
    return pn_tandem_response_times(sim, group);
}

static const pn_stats *slowdowns(const void *sim, uint32_t group)
{
    return pn_tandem_slowdowns(sim, group);
}

/* "slowdown_buckets": an array of { count, sum, squares } by size of job, the last of all larger
 * ones. */
static void set_buckets(lua_State *L, const tandem_run *self)
{
    if (self->config.buckets_max == 0)
        return;
    lua_createtable(L, (int)self->config.buckets_max + 1, 0);
    for (uint32_t i = 0; i <= self->config.buckets_max; i++) {
        const pn_tandem_bucket *bucket = pn_tandem_slowdown_bucket(self->sim, i);
        lua_createtable(L, 0, 3);
        set_integer(L, "count", bucket->count);
        set_number(L, "sum", bucket->sum);
        set_number(L, "squares", bucket->squares);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "slowdown_buckets");
}

static void set_result(lua_State *L, const run_base *run)
{
    const tandem_run *self = (const tandem_run *)run;
    const pn_tandem_totals *totals = &self->totals;
    uint64_t arrived = totals->finished + totals->in_system;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_tandem_digest(self->sim));
    /* Jobs are submitted ahead of their arrival; where the run ends before that, nothing is known
     * of them. */
    set_integer(L, "submitted", arrived);
    if (run->rows && run->rows->count > arrived)
        run->rows->count = (size_t)arrived;
    set_integer(L, "finished", totals->finished);
    set_integer(L, "in_system", totals->in_system);
    set_number(L, "total_response_time", totals->total_response_time);
    set_number(L, "mean_in_system", totals->mean_in_system);
    if (totals->finished > 0)
        set_number(L, "makespan", totals->last_finish - totals->first_arrival);
    set_number(L, "time", totals->time);
    set_number(L, "map_busy", totals->map_busy);
    set_number(L, "shuffle_busy", totals->shuffle_busy);
    set_integer(L, "instants", totals->instants);
    set_integer(L, "decisions", totals->decisions);
    set_integer(L, "heap_moves", totals->heap_moves);
    set_integer(L, "peak_jobs", totals->in_system_max);
    set_string(L, "digest", digest);
    set_boolean(L, "complete", run->fed_all && totals->finished == totals->submitted);
    if (run->all_done && self->config.bounds != PN_TANDEM_BOUNDS_NONE)
        set_number(L, "lower_bound", totals->lower_bound);
    if (run->all_done && self->config.bounds == PN_TANDEM_BOUNDS_TIGHT)
        set_number(L, "lower_bound_tight", totals->lower_bound_tight);
    lrun_set_stats(L, self->sim, response_times, self->config.groups_max, "response_times",
                   "group_response_times");
    lrun_set_stats(L, self->sim, slowdowns, self->config.groups_max, "slowdowns",
                   "group_slowdowns");
    lrun_set_batches(L, pn_tandem_batches(self->sim));
    set_buckets(L, self);
}

/* Rows of the warm-up are a prefix, as jobs come in order of arrival. */
static size_t count_warmup(const run_base *run)
{
    const pn_tandem_config *config = &((const tandem_run *)run)->config;
    size_t count = 0;
    while (count < run->rows->count &&
           (count < config->warmup_jobs ||
            rows_at(run->rows, count)->values[0].real < config->warmup_time))
        count++;
    return count;
}

/* ---- the question ---------------------------------------------------------------------------- */

static double field_number_or(lua_State *L, const char *name, double missing)
{
    int type = lua_getfield(L, 1, name);
    lua_pop(L, 1);
    return type == LUA_TNIL ? missing : field_number(L, 1, name);
}

static const char *read_request(lua_State *L, run_base *run)
{
    /* as enum pn_tandem_bounds */
    static const char *const bounds[] = {"none", "fast", "tight", NULL};
    /* of a built-in; what the run is called, beside lua_policy */
    const char *name = field_string(L, 1, "policy");
    tandem_run *self = (tandem_run *)run;
    pn_tandem_config *config = &self->config;
    run->work = field_workload(L, 1, SOURCE_TANDEM);
    *config = pn_tandem_defaults();
    config->speed = field_number_or(L, "speed", 1.0);
    config->traditional = (uint32_t)field_boolean(L, 1, "traditional");
    config->groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20, 0);
    config->estimates = (uint32_t)field_boolean(L, 1, "estimates");
    config->ranks = 1;
    config->statistics = 1;
    config->buckets_max = (uint32_t)field_integer_or(L, 1, "buckets", 0, (lua_Integer)1 << 24, 0);
    config->bucket_width = field_number_or(L, "bucket_width", 0.0);
    config->warmup_jobs = (uint64_t)field_integer_or(L, 1, "warmup_jobs", 0,
                                                     (lua_Integer)PN_INTEGER_MAX, 0);
    config->warmup_time = field_number_or(L, "warmup_time", 0.0);
    config->seed = (uint64_t)field_integer_or(L, 1, "seed", INT64_MIN, INT64_MAX, 1);
    config->replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    lua_getfield(L, 1, "bounds");
    config->bounds = (uint32_t)luaL_checkoption(L, -1, "fast", bounds);
    self->until = field_number_or(L, "until_time", PN_TANDEM_FOREVER);
    lrun_read(L, run, name);
    if (run->checkpoint.path)
        self->every = field_number(L, 1, "every");
    luaL_argcheck(L, !run->checkpoint.path || self->every > 0.0, 1, "every: must be > 0");
    self->policy = field_lua_tandem_policy(L, 1, "lua_policy");
    self->policy = self->policy ? self->policy : pn_tandem_policy_find(name);
    if (!self->policy)
        return lua_pushfstring(L, "no policy is called %s", name);
    lua_getfield(L, 1, "params");
    return read_params(L, lua_gettop(L), self->policy->params, self->policy->param_count, 0,
                       self->params);
}

static void make(run_base *run)
{
    tandem_run_make((tandem_run *)run);
}

static enum run_outcome go(run_base *run)
{
    return tandem_run_go((tandem_run *)run);
}

static int core_tandem_run(lua_State *L)
{
    static const lrun_model model = {.size = sizeof(tandem_run),
                                     .rows = &tandem_rows,
                                     .make = make,
                                     .read = read_request,
                                     .go = go,
                                     .set = set_result,
                                     .warmup = count_warmup};
    return lrun(L, &model);
}

void ltandem_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"tandem_run", core_tandem_run}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
