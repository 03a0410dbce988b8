/* The view `s` of a Lua policy: what the script may ask of a slot, and what it may do in it. Infeasible decisions are refused at
 * once, where the script made them. */
#include <string.h>

#include "slotted_policy.h"

#define VIEW "pinion.View"

/* ---- arguments ------------------------------------------------------------------------------------------ */

/* The view of the running call, of a method's arguments (s, ...). */
static pn_slotted_view *self(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TUSERDATA)
        luaL_error(L, "the view comes first: call it as s:name(...)");
    return policy_view(L);
}

static const char *where(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    if (policy->job != PN_NO_JOB)
        return lua_pushfstring(L, "job %I at slot %I", (LUAI_UACINT)pn_slotted_id(policy->view, policy->job),
                               (LUAI_UACINT)pn_slotted_slot(policy->view));
    return lua_pushfstring(L, "slot %I", (LUAI_UACINT)pn_slotted_slot(policy->view));
}

/* A value in a message: never an address, nor the sign of a NaN, which is the machine's. */
static const char *shown(lua_State *L, int index)
{
    if (lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) != lua_tonumber(L, index))
        return "NaN";
    return lua_isstring(L, index) ? lua_tostring(L, index) : luaL_typename(L, index);
}

static const char *where_job(lua_State *L, uint32_t job)
{
    const pn_slotted_view *view = policy_view(L);
    return lua_pushfstring(L, "job %I at slot %I", (LUAI_UACINT)pn_slotted_id(view, job), (LUAI_UACINT)pn_slotted_slot(view));
}

/* A float that is an integer names a job too. */
static uint32_t job_of_number(lua_State *L, int argument)
{
    int integer;
    lua_Integer job = lua_tointegerx(L, argument, &integer);
    if (!integer || lua_type(L, argument) != LUA_TNUMBER)
        luaL_error(L, "%s: a job is expected, got %s", where(L), luaL_typename(L, argument));
    lua_pushinteger(L, job);
    lua_replace(L, argument);
    return policy_job(L, argument);
}

uint32_t policy_job(lua_State *L, int argument)
{
    const pn_lua_policy *policy = policy_of(L);
    const pn_slotted_view *view = policy_view(L);
    if (!lua_isinteger(L, argument))
        return job_of_number(L, argument);
    lua_Integer job = lua_tointeger(L, argument);
    if (policy->job != PN_NO_JOB && job == policy->number)
        return policy->job; /* nearly always, in keys */
    uint32_t place = policy_place(view, job);
    if (place == PN_NO_JOB || !pn_slotted_active(view, place))
        luaL_error(L, "%s: there is no job %I in the system (it may have finished)", where(L), (LUAI_UACINT)job);
    return place;
}

static uint32_t job_or_none(lua_State *L, int argument)
{
    return lua_isnoneornil(L, argument) ? PN_NO_JOB : policy_job(L, argument);
}

static lua_Integer amount(lua_State *L, int argument)
{
    int integer;
    lua_Integer value = lua_tointegerx(L, argument, &integer);
    if (!integer || lua_type(L, argument) != LUA_TNUMBER || value < 0)
        luaL_error(L, "%s: an integer >= 0 is expected, got %s", where(L), shown(L, argument));
    return value;
}

static uint64_t limit_at(lua_State *L, int argument)
{
    return lua_isnoneornil(L, argument) ? PN_ALL_IDLE : (uint64_t)amount(L, argument);
}

/* The order called by argument `argument`. Upvalue 1 maps names to numbers. */
static uint32_t order_at(lua_State *L, int argument)
{
    const pn_lua_policy *policy = policy_of(L);
    enum policy_moment moment = policy->moment;
    if (moment != MOMENT_SLOT && moment != MOMENT_TICK)
        luaL_error(L, "%s: orders can only be used in slot and tick", where(L));
    if (lua_isnoneornil(L, argument))
        luaL_error(L, "%s: the name of an order is expected, got %s", where(L), luaL_typename(L, argument));
    lua_pushvalue(L, argument);
    if (lua_type(L, -1) != LUA_TSTRING || lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        luaL_error(L, "%s: there is no order '%s' (declare it in orders = { ... })", where(L), shown(L, argument));
    uint32_t order = (uint32_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return order;
}

static uint32_t walkable_at(lua_State *L, int argument)
{
    const pn_lua_policy *policy = policy_of(L);
    uint32_t order = order_at(L, argument);
    if (!policy->table.orders[order].fit)
        luaL_error(L, "%s: order '%s' cannot be walked (declare it with walk = true)", where(L), policy->orders[order].name);
    return order;
}

static void only_in_slot(lua_State *L)
{
    if (policy_of(L)->moment != MOMENT_SLOT)
        luaL_error(L, "%s: machines can only be given in slot", where(L));
}

/* ---- asking ----------------------------------------------------------------------------------------------- */

#define ASK(name, expression)                          \
    static int view_##name(lua_State *L)               \
    {                                                  \
        pn_slotted_view *view = self(L);               \
        lua_pushinteger(L, (lua_Integer)(expression)); \
        return 1;                                      \
    }
#define ASK_JOB(name, expression)                      \
    static int view_##name(lua_State *L)               \
    {                                                  \
        pn_slotted_view *view = self(L);               \
        uint32_t job = policy_job(L, 2);               \
        lua_pushinteger(L, (lua_Integer)(expression)); \
        return 1;                                      \
    }

ASK(slot, pn_slotted_slot(view))
ASK(machines, pn_slotted_machines(view))
ASK(idle, pn_slotted_idle(view))
ASK(jobs, pn_slotted_in_system(view))
ASK(jobs_max, pn_slotted_jobs_max(view))
ASK_JOB(id, pn_slotted_id(view, job))
ASK_JOB(arrival, pn_slotted_arrival(view, job))
ASK_JOB(maps_left, pn_slotted_maps_left(view, job))
ASK_JOB(reduces_left, pn_slotted_reduces_left(view, job))
ASK_JOB(remaining, pn_slotted_remaining(view, job))
ASK_JOB(offer, pn_slotted_offer(view, job))
ASK_JOB(held, pn_slotted_held(view, job))
ASK_JOB(given, pn_slotted_given(view, job))
ASK_JOB(load, pn_slotted_load(view, job))
/* What is offered and not yet given: of maps while there are any, else of reduces (R6). */
ASK_JOB(maps_ready, pn_slotted_in_maps(view, job) ? pn_slotted_offer(view, job) - pn_slotted_given(view, job) : 0)
ASK_JOB(reduces_ready, pn_slotted_in_maps(view, job) ? 0 : pn_slotted_offer(view, job) - pn_slotted_given(view, job))

static int view_preemptive(lua_State *L)
{
    lua_pushboolean(L, pn_slotted_preemptive(self(L)));
    return 1;
}

static int view_in_maps(lua_State *L)
{
    const pn_slotted_view *view = self(L);
    lua_pushboolean(L, pn_slotted_in_maps(view, policy_job(L, 2)));
    return 1;
}

static int view_active(lua_State *L)
{
    const pn_slotted_view *view = self(L);
    uint32_t job = policy_place(view, amount(L, 2));
    lua_pushboolean(L, job != PN_NO_JOB && pn_slotted_active(view, job));
    return 1;
}

/* ---- random numbers ------------------------------------------------------------------------------------------ */

static pn_stream *stream(lua_State *L)
{
    const pn_slotted_view *view = self(L);
    if (policy_of(L)->moment == MOMENT_KEY)
        luaL_error(L, "%s: a key or share cannot be random (draw in arrive, and keep it in per_job)", where(L));
    return pn_slotted_stream(view);
}

static int view_random(lua_State *L)
{
    pn_stream *from = stream(L);
    lua_Integer low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
    if (low > high)
        luaL_error(L, "%s: random(low, high) needs low <= high, got %I and %I", where(L), (LUAI_UACINT)low, (LUAI_UACINT)high);
    /* The width of the range fits a word, whatever the signs. */
    uint64_t drawn = pn_uniform(from, 0, (uint64_t)high - (uint64_t)low);
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + drawn));
    return 1;
}

static int view_uniform(lua_State *L)
{
    lua_pushnumber(L, pn_uniform01(stream(L)));
    return 1;
}

/* ---- orders --------------------------------------------------------------------------------------------------- */

static int push_job(lua_State *L, uint32_t job)
{
    if (job == PN_NO_JOB)
        lua_pushnil(L);
    else
        lua_pushinteger(L, policy_number(policy_view(L), job));
    return 1;
}

static uint32_t member_or_none(lua_State *L, int argument, uint32_t order)
{
    uint32_t job = job_or_none(L, argument);
    if (job != PN_NO_JOB && !pn_slotted_member(policy_view(L), order, job))
        luaL_error(L, "%s: does not stand in the order '%s'", where_job(L, job), policy_of(L)->orders[order].name);
    return job;
}

static int view_next_at_least(lua_State *L)
{
    const pn_slotted_view *view = self(L);
    uint32_t order = walkable_at(L, 2);
    uint32_t after = member_or_none(L, 3, order);
    return push_job(L, pn_slotted_next_at_least(view, order, after, (uint64_t)amount(L, 4)));
}

static int view_next_at_most(lua_State *L)
{
    const pn_slotted_view *view = self(L);
    uint32_t order = walkable_at(L, 2);
    uint32_t after = member_or_none(L, 3, order);
    return push_job(L, pn_slotted_next_at_most(view, order, after, (uint64_t)amount(L, 4)));
}

/* One step of `for job in s:by(order)`: upvalue 1 is the order's number. */
static int by_step(lua_State *L)
{
    const pn_slotted_view *view = self(L);
    uint32_t order = (uint32_t)lua_tointeger(L, lua_upvalueindex(1));
    return push_job(L, pn_slotted_next_at_least(view, order, member_or_none(L, 2, order), 0));
}

/* The steps of all orders are made once: upvalue 2 holds them by number. */
static int view_by(lua_State *L)
{
    self(L);
    uint32_t order = walkable_at(L, 2);
    lua_rawgeti(L, lua_upvalueindex(2), (lua_Integer)order + 1);
    lua_pushvalue(L, 1);
    return 2;
}

/* ---- the virtual SRPT run ---------------------------------------------------------------------------------------- */

static int view_served_count(lua_State *L)
{
    lua_pushinteger(L, pn_slotted_served_count(self(L)));
    return 1;
}

static int view_served_at(lua_State *L)
{
    const pn_slotted_view *view = self(L);
    lua_Integer index = amount(L, 2);
    if (index < 1 || index > (lua_Integer)pn_slotted_served_count(view))
        luaL_error(L, "%s: served_at(%I): there are %d", where(L), (LUAI_UACINT)index, (int)pn_slotted_served_count(view));
    pn_slotted_served served = pn_slotted_served_at(view, (uint32_t)(index - 1));
    lua_pushinteger(L, policy_number(view, served.job)); /* 0: it has finished in reality */
    lua_pushinteger(L, served.maps);
    lua_pushinteger(L, served.reduces);
    return 3;
}

/* ---- giving --------------------------------------------------------------------------------------------------------- */

static void give(lua_State *L, pn_slotted_view *view, uint32_t job)
{
    lua_Integer machines = amount(L, 3);
    lua_Integer ready = (lua_Integer)(pn_slotted_offer(view, job) - pn_slotted_given(view, job));
    const char *plural = machines == 1 ? "" : "s";
    if (machines > (lua_Integer)pn_slotted_idle(view))
        luaL_error(L, "%s: asked for %I machine%s, %d %s idle", where_job(L, job), (LUAI_UACINT)machines, plural,
                   (int)pn_slotted_idle(view), pn_slotted_idle(view) == 1 ? "is" : "are");
    if (machines > ready)
        luaL_error(L, "%s: asked for %I machine%s, it can use %I for its %s", where_job(L, job), (LUAI_UACINT)machines, plural,
                   (LUAI_UACINT)ready, pn_slotted_in_maps(view, job) ? "maps" : "reduces");
    pn_slotted_give(view, job, (uint64_t)machines);
}

static int view_map(lua_State *L)
{
    pn_slotted_view *view = self(L);
    only_in_slot(L);
    uint32_t job = policy_job(L, 2);
    if (!pn_slotted_in_maps(view, job) && amount(L, 3) > 0)
        luaL_error(L, "%s: has no map work left", where_job(L, job));
    give(L, view, job);
    return 0;
}

static int view_reduce(lua_State *L)
{
    pn_slotted_view *view = self(L);
    only_in_slot(L);
    uint32_t job = policy_job(L, 2);
    if (pn_slotted_in_maps(view, job) && amount(L, 3) > 0)
        luaL_error(L, "%s: its reduces wait for %I map units", where_job(L, job), (LUAI_UACINT)pn_slotted_offer(view, job));
    give(L, view, job);
    return 0;
}

static int view_give(lua_State *L)
{
    pn_slotted_view *view = self(L);
    only_in_slot(L);
    uint32_t job = policy_job(L, 2);
    give(L, view, job);
    return 0;
}

/* The kernel's loops pass by the jobs that were served in this slot or before it: no more of them than machines are taken. A
 * script that calls them without end pays for that. */
static void charge_walk(lua_State *L, const pn_slotted_view *view)
{
    sandbox_charge(L, (pn_slotted_machines(view) - pn_slotted_idle(view)) / 8);
}

/* Gives to those of a tree's jobs that are in the phase asked for, in their order. */
static void fill_phase(lua_State *L, pn_slotted_view *view, uint32_t order, int maps, uint64_t limit)
{
    uint32_t job = PN_NO_JOB;
    while (limit > 0 && pn_slotted_idle(view) > 0 && (job = pn_slotted_next_at_least(view, order, job, 1)) != PN_NO_JOB) {
        uint64_t ready = pn_slotted_offer(view, job) - pn_slotted_given(view, job);
        sandbox_charge(L, 1);
        if (pn_slotted_in_maps(view, job) != maps)
            continue;
        ready = ready < limit ? ready : limit;
        ready = ready < pn_slotted_idle(view) ? ready : pn_slotted_idle(view);
        pn_slotted_give(view, job, ready);
        limit -= ready;
    }
}

/* fill(what, order, limit): what = "all" or what the order is declared for, or "map" or "reduce" of an order that can be walked.
 */
static int view_fill(lua_State *L)
{
    static const char *const words[] = {"all", "map", "reduce", "load", NULL};
    static const uint8_t members[] = {0, PN_WITH_MAPS, PN_WITH_REDUCES, PN_WITH_LOAD};
    pn_slotted_view *view = self(L);
    const pn_lua_policy *policy = policy_of(L);
    only_in_slot(L);
    int what = -1;
    for (int i = 0; words[i] && lua_type(L, 2) == LUA_TSTRING; i++)
        if (strcmp(lua_tostring(L, 2), words[i]) == 0)
            what = i;
    if (what < 0)
        luaL_error(L, "%s: fill(what, order): what must be all, map, reduce or load, got %s", where(L), shown(L, 2));
    uint32_t order = order_at(L, 3);
    const pn_slotted_order *declared = &policy->table.orders[order];
    uint64_t limit = limit_at(L, 4);
    uint32_t before = pn_slotted_idle(view);
    charge_walk(L, view);
    if (what == 0 || members[what] == declared->members)
        pn_slotted_fill(view, order, limit);
    else if (declared->fit && (members[what] & declared->members))
        fill_phase(L, view, order, members[what] == PN_WITH_MAPS, limit);
    else
        luaL_error(L, "%s: order '%s' is not for %s alone (declare it with jobs = \"%s\", or with walk = true)", where(L),
                   policy->orders[order].name, words[what], words[what]);
    sandbox_charge(L, before - pn_slotted_idle(view));
    lua_pushinteger(L, (lua_Integer)(before - pn_slotted_idle(view)));
    return 1;
}

static int view_share(lua_State *L)
{
    pn_slotted_view *view = self(L);
    const pn_lua_policy *policy = policy_of(L);
    only_in_slot(L);
    uint32_t order = order_at(L, 2);
    if (policy->table.orders[order].key != pn_slotted_share_key)
        luaL_error(L, "%s: order '%s' is not one of shares (declare it with by = \"share\")", where(L),
                   policy->orders[order].name);
    uint64_t limit = limit_at(L, 3);
    uint32_t before = pn_slotted_idle(view);
    charge_walk(L, view);
    pn_slotted_share(view, order, limit);
    sandbox_charge(L, before - pn_slotted_idle(view));
    lua_pushinteger(L, (lua_Integer)(before - pn_slotted_idle(view)));
    return 1;
}

/* ---- the userdata ---------------------------------------------------------------------------------------------------------- */

static int refuse_write(lua_State *L)
{
    return luaL_error(L, "the view is read-only (declare memory in state = { ... } and write s.state.name)");
}

static int refuse_unknown_param(lua_State *L)
{
    return luaL_error(L, "there is no parameter '%s' (declare it in params = { ... })", shown(L, 2));
}

static const luaL_Reg METHODS[] = {
    {"slot", view_slot},
    {"machines", view_machines},
    {"idle", view_idle},
    {"jobs", view_jobs},
    {"jobs_max", view_jobs_max},
    {"preemptive", view_preemptive},
    {"active", view_active},
    {"id", view_id},
    {"arrival", view_arrival},
    {"in_maps", view_in_maps},
    {"maps_left", view_maps_left},
    {"reduces_left", view_reduces_left},
    {"remaining", view_remaining},
    {"offer", view_offer},
    {"maps_ready", view_maps_ready},
    {"reduces_ready", view_reduces_ready},
    {"held", view_held},
    {"given", view_given},
    {"load", view_load},
    {"random", view_random},
    {"uniform", view_uniform},
    {"next_at_least", view_next_at_least},
    {"next_at_most", view_next_at_most},
    {"by", view_by},
    {"served_count", view_served_count},
    {"served_at", view_served_at},
    {"map", view_map},
    {"reduce", view_reduce},
    {"give", view_give},
    {"fill", view_fill},
    {"share", view_share},
    {NULL, NULL},
};

static int refuse_unknown(lua_State *L)
{
    const char *known[sizeof METHODS / sizeof *METHODS + 3] = {"params", "state", "per_job"}, *near = NULL;
    for (size_t i = 0; METHODS[i].name; i++)
        known[i + 3] = METHODS[i].name;
    if (lua_type(L, 2) == LUA_TSTRING)
        near = policy_nearest(lua_tostring(L, 2), known);
    if (near)
        return luaL_error(L, "the view has no '%s' (did you mean '%s'?)", shown(L, 2), near);
    return luaL_error(L, "the view has no '%s'", shown(L, 2));
}

static void push_order_names(lua_State *L, const pn_lua_policy *policy)
{
    lua_newtable(L);
    for (int k = 0; k < policy->table.order_count; k++) {
        lua_pushinteger(L, k);
        lua_setfield(L, -2, policy->orders[k].name);
    }
}

static void push_order_steps(lua_State *L, const pn_lua_policy *policy)
{
    lua_newtable(L);
    for (int k = 0; k < policy->table.order_count; k++) {
        lua_pushinteger(L, k);
        lua_pushcclosure(L, by_step, 1);
        lua_rawseti(L, -2, k + 1);
    }
}

/* A table that is empty itself, reads through to the one in the registry under this policy, and cannot be written. */
static void push_params(lua_State *L, pn_lua_policy *policy)
{
    lua_newuserdatauv(L, 0, 0);
    lua_createtable(L, 0, 3);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, policy);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, refuse_unknown_param);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

int policy_show_params(lua_State *L)
{
    pn_lua_policy *policy = lua_touserdata(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, policy);
    for (uint32_t i = 0; i < policy->table.param_count; i++) {
        double number;
        memcpy(&number, &policy->param_values[i], sizeof number);
        if (policy->params[i].is_float)
            lua_pushnumber(L, number);
        else
            lua_pushinteger(L, (lua_Integer)policy->param_values[i]);
        lua_setfield(L, -2, policy->params[i].name);
    }
    return 0;
}

void policy_push_view(lua_State *L, pn_lua_policy *policy)
{
    lua_newuserdatauv(L, 0, 0);
    lua_createtable(L, 0, 4); /* its metatable */
    lua_newtable(L);          /* the methods */
    push_order_names(L, policy);
    push_order_steps(L, policy);
    luaL_setfuncs(L, METHODS, 2);
    push_params(L, policy);
    lua_setfield(L, -2, "params");
    policy_push_memory(L, policy);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, refuse_unknown);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushstring(L, VIEW);
    lua_setfield(L, -2, "__name");
    lua_setmetatable(L, -2);
}
