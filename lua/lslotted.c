/* The slotted model for Lua: one run, from an argument table to a result table. */
#include <string.h>

#include "lcheckpoint.h"
#include "slotted_run.h"

#define RUN "pinion.SlottedRun"

/* ---- the result ------------------------------------------------------------------------------------- */

static void set_statistics(lua_State *L, const slotted_run *run)
{
    stats_push(L, pn_slotted_flow_times(run->sim, PN_ALL_GROUPS));
    lua_setfield(L, -2, "flow_times");
    lua_createtable(L, (int)run->config.groups_max, 0);
    for (uint32_t i = 0; i < run->config.groups_max; i++) {
        stats_push(L, pn_slotted_flow_times(run->sim, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "group_flow_times");
}

/* The means of full batches as an array on top of the stack. */
static void push_means(lua_State *L, const pn_batches *batches)
{
    lua_createtable(L, (int)batches->count, 2);
    for (uint32_t i = 0; i < batches->count; i++) {
        lua_pushnumber(L, batches->mean[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* "batches": { size, means } of the flow times; "number_in_system": the means that arrivals saw, with "jobs" of them in each. */
static void set_batches(lua_State *L, const slotted_run *run)
{
    const pn_batches *batches = pn_slotted_batches(run->sim);
    lua_createtable(L, 0, 2);
    set_integer(L, "size", batches->size);
    push_means(L, batches);
    lua_setfield(L, -2, "means");
    lua_setfield(L, -2, "batches");
    push_means(L, &run->state.in_system);
    set_integer(L, "jobs", run->state.in_system.size);
    lua_setfield(L, -2, "number_in_system");
}

/* Rows of the warm-up are a prefix, as jobs come in order of arrival. */
static void skip_warmup(const slotted_run *run)
{
    rows *all = run->rows;
    while (all->skipped < all->count &&
           (all->skipped < run->config.warmup_jobs || all->cells[all->skipped].arrival <= run->config.warmup_slots))
        all->skipped++;
}

/* The rows are at index `rows_index`, nil there when none were kept. */
static void push_result(lua_State *L, const slotted_run *run, int rows_index)
{
    const pn_slotted_totals *totals = &run->totals;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_slotted_digest(run->sim));
    lua_createtable(L, 0, 24);
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
    set_integer(L, "jobs_max", run->config.jobs_max);
    set_integer(L, "block_bytes", run->block_bytes);
    set_string(L, "digest", digest);
    set_boolean(L, "relaxed", run->policy->relaxed);
    set_boolean(L, "interrupted", run->interrupted);
    set_boolean(L, "saved", run->saved);
    set_boolean(L, "complete", run->fed_all && totals->finished == totals->submitted);
    if (run->all_done && run->config.bounds == PN_BOUNDS_FAST)
        set_integer(L, "lower_bound", totals->lower_bound);
    if (run->all_done && run->tight && !run->interrupted)
        set_integer(L, "lower_bound_tight", run->lower_bound_tight);
    set_statistics(L, run);
    set_batches(L, run);
    if (run->rows)
        skip_warmup(run);
    lua_pushvalue(L, rows_index);
    lua_setfield(L, -2, "rows");
}

/* ---- a run ------------------------------------------------------------------------------------------ */

static int run_gc(lua_State *L)
{
    slotted_run_free(luaL_checkudata(L, 1, RUN));
    return 0;
}

static int fail(lua_State *L, const char *kind, const char *message)
{
    lua_pushnil(L);
    lua_pushstring(L, kind);
    lua_pushstring(L, message);
    return 3;
}

static void read_checkpoint(lua_State *L, slotted_run_checkpoint *into)
{
    into->path = field_string_or_null(L, 1, "checkpoint");
    into->resume = field_checkpoint(L, 1, "resume");
    if (!into->path)
        return;
    into->every = (uint64_t)field_integer(L, 1, "every", 1, (lua_Integer)PN_INTEGER_MAX);
    into->about = field_string(L, 1, "about");
}

/* Reads the argument table at index 1 into the run; null, or what is wrong with the user's choice, on top of the stack. */
static const char *read_request(lua_State *L, slotted_run *run)
{
    static const char *const bounds[] = {"none", "fast", "tight", NULL};
    const char *name = field_string(L, 1, "policy"), *fault; /* of a built-in; what the run is called, beside lua_policy */
    int bound;
    run->work = field_workload(L, 1);
    run->config = pn_slotted_defaults();
    run->config.machines = (uint32_t)field_integer(L, 1, "machines", 1, (lua_Integer)1 << 24);
    run->config.reduce = field_reduce(L, 1);
    run->config.groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20, 0);
    run->config.estimates = (uint32_t)field_boolean(L, 1, "estimates");
    run->config.statistics = 1;
    run->config.warmup_jobs = (uint64_t)field_integer_or(L, 1, "warmup_jobs", 0, (lua_Integer)PN_INTEGER_MAX, 0);
    run->config.warmup_slots = (uint64_t)field_integer_or(L, 1, "warmup_slots", 0, (lua_Integer)PN_INTEGER_MAX, 0);
    run->config.seed = (uint64_t)field_integer_or(L, 1, "seed", INT64_MIN, INT64_MAX, 1);
    run->config.replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    lua_getfield(L, 1, "bounds");
    bound = luaL_checkoption(L, -1, "fast", bounds);
    run->config.bounds = bound == 0 ? PN_BOUNDS_NONE : PN_BOUNDS_FAST;
    run->tight = bound == 2;
    run->until = (uint64_t)field_integer_or(L, 1, "until_slot", 0, (lua_Integer)PN_INTEGER_MAX, -1); /* -1 is PN_FOREVER */
    run->quiet = field_boolean(L, 1, "quiet");
    run->log_path = field_string_or_null(L, 1, "log");
    read_checkpoint(L, &run->checkpoint);
    run->label = field_string_or_null(L, 1, "label");
    run->label = run->label ? run->label : name;
    run->policy = field_lua_policy(L, 1, "lua_policy");
    run->policy = run->policy ? run->policy : pn_slotted_policy_find(name);
    if (!run->policy)
        return lua_pushfstring(L, "no policy is called %s", name);
    lua_getfield(L, 1, "params");
    fault = read_params(L, lua_gettop(L), run->policy, run->params);
    return fault;
}

static int core_slotted_run(lua_State *L)
{
    slotted_run *run;
    enum run_outcome outcome;
    const char *fault;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    run = lua_newuserdatauv(L, sizeof *run, 0); /* index 2: holds all memory of the run, whatever happens */
    memset(run, 0, sizeof *run);
    luaL_setmetatable(L, RUN);
    if (field_boolean(L, 1, "keep_jobs"))
        run->rows = rows_push(L); /* index 3 */
    else
        lua_pushnil(L);
    fault = read_request(L, run);
    if (fault)
        return fail(L, "usage", fault);
    outcome = slotted_run_go(run);
    if (outcome != RUN_DONE)
        fail(L, outcome == RUN_USAGE ? "usage" : "run", run->message);
    else
        push_result(L, run, 3);
    slotted_run_free(run); /* at once: blocks are large and the collector sees only the handle */
    return outcome != RUN_DONE ? 3 : 1;
}

void lslotted_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", run_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"slotted_run", core_slotted_run}, {NULL, NULL}};
    lpinion_type(L, RUN, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
