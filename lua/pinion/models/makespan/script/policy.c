/* Policies in Lua of the makespan model: the one function that the kernel calls, and what the
 * shared files know of the model. */
#include "policy.h"

#include "policy/view.h"
#include "sandbox/internal.h"

static pn_stream *stream(const void *view)
{
    return pn_makespan_stream(view);
}

POLICY_CARRIED(makespan, group, attribute)

/* ---- the answer ------------------------------------------------------------------------------ */

/* Checks that every job has been named. */
static void check_complete(lua_State *L, const pn_makespan_view *view, const char *prefix,
                           uint32_t count)
{
    makespan_room room = makespan_room_of(view);
    uint32_t job = 0;
    if (count == pn_makespan_job_count(view))
        return;
    while (job + 1 < pn_makespan_job_count(view) && room.seen[job] == *room.list)
        job++;
    luaL_error(L, "%sjob %d is missing", prefix, (int)job + 1);
}

static void read_order(lua_State *L, pn_makespan_view *view, int index, const char *prefix)
{
    makespan_room room = makespan_room_of(view);
    makespan_begin_list(view, &room);
    if (lua_type(L, index) != LUA_TTABLE)
        luaL_error(L, "%smust return a list of job ids, got %s", prefix, luaL_typename(L, index));
    uint32_t count = makespan_read_jobs(L, view, index, prefix, 0);
    check_complete(L, view, prefix, count);
    pn_makespan_give_order(view, room.jobs, count);
}

/* Returns the nodes of the pool on top of the stack, out of those that are left. */
static uint32_t pool_nodes(lua_State *L, const char *prefix, uint32_t left)
{
    int integer;
    lua_getfield(L, -1, "nodes");
    lua_Integer nodes = lua_tointegerx(L, -1, &integer);
    if (lua_type(L, -1) != LUA_TNUMBER || !integer || nodes < 1)
        luaL_error(L, "%snodes must be an integer >= 1, got %s", prefix, view_shown(L, -1));
    if (nodes > left)
        luaL_error(L, "%sasked for %I nodes, %d are left", prefix, (LUAI_UACINT)nodes, (int)left);
    lua_pop(L, 1);
    return (uint32_t)nodes;
}

static void read_pools(lua_State *L, pn_makespan_view *view, int index, const char *prefix)
{
    makespan_room room = makespan_room_of(view);
    uint32_t left = pn_makespan_nodes(view), count = 0;
    makespan_begin_list(view, &room);
    if (lua_type(L, index) != LUA_TTABLE)
        luaL_error(L, "%smust return a list of pools { nodes = 1, jobs = { ids } }, got %s", prefix,
                   luaL_typename(L, index));
    sandbox_reads(L, index);
    lua_Integer pools = sandbox_length(L, index),
                most = (lua_Integer)pn_makespan_job_count(view) + 1;
    if (pools > most)
        luaL_error(L, "%sthere are %I pools (expected at most %I, one more than jobs)", prefix,
                   (LUAI_UACINT)pools, (LUAI_UACINT)most);
    for (lua_Integer i = 1; i <= pools; i++) {
        const char *which = lua_pushfstring(L, "%spool %I: ", prefix, (LUAI_UACINT)i);
        if (lua_rawgeti(L, index, i) != LUA_TTABLE)
            luaL_error(L, "%smust be a table { nodes = 1, jobs = { ids } }, got %s", which,
                       luaL_typename(L, -1));
        uint32_t nodes = pool_nodes(L, which, left), begin = count;
        if (lua_getfield(L, -1, "jobs") != LUA_TTABLE)
            luaL_error(L, "%sjobs must be a list of job ids, got %s", which, luaL_typename(L, -1));
        count = makespan_read_jobs(L, view, lua_gettop(L), which, begin);
        pn_makespan_give_pool(view, nodes, room.jobs + begin, count - begin);
        left -= nodes;
        lua_pop(L, 3);
    }
    check_complete(L, view, prefix, count);
}

/* Returns a lua_CFunction: asks the script, and gives its answer to the kernel. */
static int decide(lua_State *L)
{
    pn_lua_policy *policy = policy_of(L);
    pn_makespan_view *view = policy->now.view;
    if (policy_push_call(policy, FUNCTION_ACT) < 0)
        return sandbox_raise_again(L);
    const char *prefix = view_function_place(L, -2, policy->pools ? "pools: " : "order: ");
    lua_insert(L, 1);
    lua_call(L, 1, 2);
    if (!lua_isnil(L, 3))
        luaL_error(L, "%sreturns a second value (expected one)", prefix);
    lua_settop(L, 2);
    policy->now.moment = MOMENT_KEY; /* of what its metatables do: the room is taken */
    (policy->pools ? read_pools : read_order)(L, view, 2, prefix);
    return 0;
}

/* Decides; a call that fails changes nothing: what a script knows is in its locals, and the kernel
 * drops what was given. */
static int scripted_decide(pn_makespan_view *view)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_makespan_policy_of(view), view, MOMENT_ACT, PN_NO_JOB,
                                         &outer);
    policy->status = PN_ERR_POLICY;
    policy->counts.slots++;
    lua_pushcfunction(policy->box->L, decide);
    if (sandbox_call(policy->box, 0, 0) != 0) {
        policy_give_up(policy, &outer);
        return policy->status;
    }
    policy_leave(policy, &outer);
    return PN_OK;
}

static double param_value(const void *view, uint32_t index)
{
    return pn_makespan_param_value(view, index);
}

/* ---- the model ------------------------------------------------------------------------------- */

static void define(lua_State *L, pn_lua_policy *policy)
{
    makespan_define(L, policy);
    policy->table.makespan.state_bytes = MAKESPAN_ROOM;
    policy->table.makespan.state_bytes_per_job = MAKESPAN_ROOM_PER_JOB;
    policy->table.makespan.decide = scripted_decide;
}

const policy_model policy_makespan_model = {
    .name = "makespan",
    .time_word = "the plan",
    .world = "the batch",
    .asking = "a value",
    .drawing = "draw before, and keep it in a list",
    .fields = makespan_fields,
    .methods = makespan_methods,
    .chooses = true,
    .define = define,
    .params = offsetof(pn_makespan_policy, params),
    .param_value = param_value,
    .stream = stream,
    .job_at = makespan_job_at,
    POLICY_CARRIED_OF(makespan),
};

POLICY_PUBLIC(makespan, pn_makespan_policy, pn_lua_policy_behind_makespan)
