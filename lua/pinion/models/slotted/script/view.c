/* The view `s` of a policy of the slotted model: what the script may ask of a slot, and what it may
 * do in it. */
#include <string.h>

#include "policy/view.h"
#include "policy.h"

/* ---- arguments ------------------------------------------------------------------------------- */

static uint64_t limit_at(lua_State *L, int argument)
{
    return lua_isnoneornil(L, argument) ? PN_SLOTTED_ALL_IDLE : (uint64_t)view_amount(L, argument);
}

static uint32_t walkable_at(lua_State *L, int argument)
{
    const pn_lua_policy *policy = policy_of(L);
    uint32_t order = view_order(L, argument);
    if (!policy->table.slotted.orders[order].fit)
        luaL_error(L, "%s: order '%s' cannot be walked (declare it with walk = true)",
                   view_where(L), policy->order_names[order]);
    return order;
}

static void only_in_slot(lua_State *L)
{
    if (policy_of(L)->now.moment != MOMENT_ACT)
        luaL_error(L, "%s: machines can only be given in slot", view_where(L));
}

/* ---- asking ---------------------------------------------------------------------------------- */

VIEW_ASK(pn_slotted_view, slot, policy_integer((int64_t)pn_slotted_slot(view)))
VIEW_ASK(pn_slotted_view, machines, policy_integer((int64_t)pn_slotted_machines(view)))
VIEW_ASK(pn_slotted_view, idle, policy_integer((int64_t)pn_slotted_idle(view)))
VIEW_ASK(pn_slotted_view, jobs, policy_integer((int64_t)pn_slotted_in_system(view)))
VIEW_ASK_JOB(pn_slotted_view, arrival, policy_integer((int64_t)pn_slotted_arrival(view, job)))
VIEW_ASK_JOB(pn_slotted_view, maps_left, policy_integer((int64_t)pn_slotted_maps_left(view, job)))
VIEW_ASK_JOB(pn_slotted_view, reduces_left,
             policy_integer((int64_t)pn_slotted_reduces_left(view, job)))
VIEW_ASK_JOB(pn_slotted_view, remaining, policy_integer((int64_t)pn_slotted_remaining(view, job)))
VIEW_ASK_JOB(pn_slotted_view, offer, policy_integer((int64_t)pn_slotted_offer(view, job)))
VIEW_ASK_JOB(pn_slotted_view, held, policy_integer((int64_t)pn_slotted_held(view, job)))
VIEW_ASK_JOB(pn_slotted_view, given, policy_integer((int64_t)pn_slotted_given(view, job)))
VIEW_ASK_JOB(pn_slotted_view, load, policy_integer((int64_t)pn_slotted_load(view, job)))
VIEW_ASK(pn_slotted_view, preemptive, policy_boolean(pn_slotted_preemptive(view)))
VIEW_ASK_JOB(pn_slotted_view, in_maps, policy_boolean(pn_slotted_in_maps(view, job)))

/* Returns what is offered and not yet given: of maps while there are any, else of reduces (SL6). */
static policy_value ready(const pn_slotted_view *view, uint32_t job, bool maps)
{
    bool of_this = (pn_slotted_in_maps(view, job) != 0) == maps;
    return policy_integer(
        of_this ? (int64_t)(pn_slotted_offer(view, job) - pn_slotted_given(view, job)) : 0);
}

VIEW_ASK_JOB(pn_slotted_view, maps_ready, ready(view, job, true))
VIEW_ASK_JOB(pn_slotted_view, reduces_ready, ready(view, job, false))

/* ---- orders ---------------------------------------------------------------------------------- */

static uint32_t member_or_none(lua_State *L, int argument, uint32_t order)
{
    uint32_t job = view_job_or_none(L, argument);
    view_need_member(L, job == PN_NO_JOB || pn_slotted_member(policy_view(L), order, job), order,
                     job);
    return job;
}

static int view_next_at_least(lua_State *L)
{
    const pn_slotted_view *view = view_self(L);
    uint32_t order = walkable_at(L, 2);
    uint32_t after = member_or_none(L, 3, order);
    return view_push_job(L,
                         pn_slotted_next_at_least(view, order, after, (uint64_t)view_amount(L, 4)));
}

static int view_next_at_most(lua_State *L)
{
    const pn_slotted_view *view = view_self(L);
    uint32_t order = walkable_at(L, 2);
    uint32_t after = member_or_none(L, 3, order);
    return view_push_job(L,
                         pn_slotted_next_at_most(view, order, after, (uint64_t)view_amount(L, 4)));
}

/* Makes one step of `for job in s:by(order)`: upvalue 1 is the order's number. */
int slotted_step(lua_State *L)
{
    const pn_slotted_view *view = view_self(L);
    uint32_t order = (uint32_t)lua_tointeger(L, lua_upvalueindex(1));
    return view_push_job(L, pn_slotted_next_at_least(view, order, member_or_none(L, 2, order), 0));
}

static int view_by(lua_State *L)
{
    view_self(L);
    return view_push_walk(L, walkable_at(L, 2));
}

/* ---- the virtual SRPT run -------------------------------------------------------------------- */

static int view_served_count(lua_State *L)
{
    lua_pushinteger(L, pn_slotted_served_count(view_self(L)));
    return 1;
}

static int view_served_at(lua_State *L)
{
    const pn_slotted_view *view = view_self(L);
    lua_Integer index = view_amount(L, 2);
    if (index < 1 || index > (lua_Integer)pn_slotted_served_count(view))
        luaL_error(L, "%s: served_at(%I): there are %d", view_where(L), (LUAI_UACINT)index,
                   (int)pn_slotted_served_count(view));
    pn_slotted_served served = pn_slotted_served_at(view, (uint32_t)(index - 1));
    /* 0: it has finished in reality */
    lua_pushinteger(L, policy_number(policy_of(L), view, served.job));
    lua_pushinteger(L, served.maps);
    lua_pushinteger(L, served.reduces);
    return 3;
}

/* ---- giving ---------------------------------------------------------------------------------- */

static void give(lua_State *L, pn_slotted_view *view, uint32_t job)
{
    lua_Integer machines = view_amount_for(L, 3, job);
    lua_Integer ready = (lua_Integer)(pn_slotted_offer(view, job) - pn_slotted_given(view, job));
    const char *plural = machines == 1 ? "" : "s";
    if (machines > (lua_Integer)pn_slotted_idle(view))
        luaL_error(L, "%s: asked for %I machine%s, %d %s idle", view_where_job(L, job),
                   (LUAI_UACINT)machines, plural, (int)pn_slotted_idle(view),
                   pn_slotted_idle(view) == 1 ? "is" : "are");
    if (machines > ready)
        luaL_error(L, "%s: asked for %I machine%s, it can use %I for its %s",
                   view_where_job(L, job), (LUAI_UACINT)machines, plural, (LUAI_UACINT)ready,
                   pn_slotted_in_maps(view, job) ? "maps" : "reduces");
    pn_slotted_give(view, job, (uint64_t)machines);
}

static int view_map(lua_State *L)
{
    pn_slotted_view *view = view_self(L);
    only_in_slot(L);
    uint32_t job = view_job(L, 2);
    if (!pn_slotted_in_maps(view, job) && view_amount_for(L, 3, job) > 0)
        luaL_error(L, "%s: has no map work left", view_where_job(L, job));
    give(L, view, job);
    return 0;
}

static int view_reduce(lua_State *L)
{
    pn_slotted_view *view = view_self(L);
    only_in_slot(L);
    uint32_t job = view_job(L, 2);
    if (pn_slotted_in_maps(view, job) && view_amount_for(L, 3, job) > 0)
        luaL_error(L, "%s: its reduces wait for %I map units", view_where_job(L, job),
                   (LUAI_UACINT)pn_slotted_offer(view, job));
    give(L, view, job);
    return 0;
}

static int view_give(lua_State *L)
{
    pn_slotted_view *view = view_self(L);
    only_in_slot(L);
    uint32_t job = view_job(L, 2);
    give(L, view, job);
    return 0;
}

/* Charges for a walk: the kernel's loops skip the jobs that were served in this slot or before it:
 * no more of them than machines are taken. A script that calls them without end is charged for
 * that. */
static void charge_walk(lua_State *L, const pn_slotted_view *view)
{
    sandbox_charge(L, (pn_slotted_machines(view) - pn_slotted_idle(view)) / 8);
}

/* Gives to those of a tree's jobs that are in the phase asked for, in their order. */
static void fill_phase(lua_State *L, pn_slotted_view *view, uint32_t order, int maps,
                       uint64_t limit)
{
    uint32_t job = PN_NO_JOB;
    while (limit > 0 && pn_slotted_idle(view) > 0 &&
           (job = pn_slotted_next_at_least(view, order, job, 1)) != PN_NO_JOB) {
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

/* Serves fill(what, order, limit): what = "all" or what the order is declared for, or "map" or
 * "reduce" of an order that can be walked. */
static int view_fill(lua_State *L)
{
    static const char *const words[] = {"all", "map", "reduce", "load", NULL};
    static const uint8_t members[] = {0, PN_SLOTTED_WITH_MAPS, PN_SLOTTED_WITH_REDUCES,
                                      PN_SLOTTED_WITH_LOAD};
    pn_slotted_view *view = view_self(L);
    const pn_lua_policy *policy = policy_of(L);
    only_in_slot(L);
    int what = -1;
    for (int i = 0; words[i] && lua_type(L, 2) == LUA_TSTRING; i++)
        if (strcmp(lua_tostring(L, 2), words[i]) == 0)
            what = i;
    if (what < 0) {
        const char *got = view_shown(L, 2);
        luaL_error(L, "%s: fill(what, order): what must be all, map, reduce or load, got %s",
                   view_where(L), got);
    }
    uint32_t order = view_order(L, 3);
    const pn_slotted_order *declared = &policy->table.slotted.orders[order];
    uint64_t limit = limit_at(L, 4);
    uint32_t before = pn_slotted_idle(view);
    charge_walk(L, view);
    if (what == 0 || members[what] == declared->members)
        pn_slotted_fill(view, order, limit);
    else if (declared->fit && (members[what] & declared->members))
        fill_phase(L, view, order, members[what] == PN_SLOTTED_WITH_MAPS, limit);
    else
        luaL_error(L,
                   "%s: order '%s' is not for %s alone (declare it with jobs = \"%s\", or with "
                   "walk = true)",
                   view_where(L), policy->order_names[order], words[what], words[what]);
    sandbox_charge(L, before - pn_slotted_idle(view));
    lua_pushinteger(L, (lua_Integer)(before - pn_slotted_idle(view)));
    return 1;
}

static int view_share(lua_State *L)
{
    pn_slotted_view *view = view_self(L);
    const pn_lua_policy *policy = policy_of(L);
    only_in_slot(L);
    uint32_t order = view_order(L, 2);
    if (policy->table.slotted.orders[order].key != pn_slotted_share_key)
        luaL_error(L, "%s: order '%s' is not one of shares (declare it with by = \"share\")",
                   view_where(L), policy->order_names[order]);
    uint64_t limit = limit_at(L, 3);
    uint32_t before = pn_slotted_idle(view);
    charge_walk(L, view);
    pn_slotted_share(view, order, limit);
    sandbox_charge(L, before - pn_slotted_idle(view));
    lua_pushinteger(L, (lua_Integer)(before - pn_slotted_idle(view)));
    return 1;
}

const policy_question slotted_questions[] = {
    VIEW_ASKED(slot, 0, 1),
    VIEW_ASKED(machines, 0, 1),
    VIEW_ASKED(idle, 0, 1),
    VIEW_ASKED(jobs, 0, 1),
    VIEW_ASKED(arrival, 1, 1),
    VIEW_ASKED(maps_left, 1, 1),
    VIEW_ASKED(reduces_left, 1, 1),
    VIEW_ASKED(remaining, 1, 1),
    VIEW_ASKED(offer, 1, 1),
    VIEW_ASKED(held, 1, 1),
    VIEW_ASKED(given, 1, 1),
    VIEW_ASKED(load, 1, 1),
    VIEW_ASKED(preemptive, 0, 1),
    VIEW_ASKED(in_maps, 1, 1),
    VIEW_ASKED(maps_ready, 1, 1),
    VIEW_ASKED(reduces_ready, 1, 1),
    VIEW_ASKED_END,
};

const luaL_Reg slotted_methods[] = {
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
