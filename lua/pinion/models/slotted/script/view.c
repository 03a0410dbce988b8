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

/* Reads the order from a program's arguments. */
static bool find_walkable(const pn_lua_policy *policy, const policy_value *given, uint32_t *order)
{
    return view_find_order(policy, given, order) && policy->table.slotted.orders[*order].fit;
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
VIEW_ASK_JOB(pn_slotted_view, attained, policy_integer((int64_t)pn_slotted_attained(view, job)))
VIEW_ASK_JOB(pn_slotted_view, size, policy_integer((int64_t)pn_slotted_job_size(view, job)))
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

static bool find_member_or_none(const pn_lua_policy *policy, const pn_slotted_view *view,
                                const policy_value *given, uint32_t order, uint32_t *job)
{
    return view_find_job_or_none(policy, given, job) &&
           (*job == PN_NO_JOB || pn_slotted_member(view, order, *job));
}

#define ASK_NEXT(name)                                                               \
    VIEW_QUESTION(pn_slotted_view, name, view_self, uint32_t order; uint32_t after;  \
                  uint64_t offer,                                                    \
                  find_walkable(policy, given, &order) &&                            \
                      find_member_or_none(policy, view, given + 1, order, &after) && \
                      view_find_amount(given + 2, &offer),                           \
                  (order = walkable_at(L, 2), after = member_or_none(L, 3, order),   \
                   offer = (uint64_t)view_amount(L, 4)),                             \
                  policy_job(pn_slotted_##name(view, order, after, offer)))
ASK_NEXT(next_at_least)
ASK_NEXT(next_at_most)

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

static bool walk_by(pn_lua_policy *policy, void *view, const policy_value *given, policy_value *got)
{
    uint32_t order, after;
    if (!find_walkable(policy, given, &order) ||
        !find_member_or_none(policy, view, given + 1, order, &after))
        return false;
    *got = policy_job(pn_slotted_next_at_least(view, order, after, 0));
    return true;
}

/* ---- the virtual SRPT run -------------------------------------------------------------------- */

VIEW_ASK(pn_slotted_view, served_count, policy_integer(pn_slotted_served_count(view)))

static bool ask_served_at(pn_lua_policy *policy, void *view, const policy_value *given,
                          policy_value *got)
{
    uint64_t index;
    if (!view_find_amount(given, &index) || index < 1 || index > pn_slotted_served_count(view))
        return false;
    pn_slotted_served served = pn_slotted_served_at(view, (uint32_t)(index - 1));
    got[0] = policy_integer(policy_number(policy, view, served.job));
    got[1] = policy_integer(served.maps);
    got[2] = policy_integer(served.reduces);
    return true;
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

/* Gives as a program asks: to a job in this phase only, unless it is nothing. */
enum phase { ANY_PHASE, IN_MAPS, IN_REDUCES };
static bool give_in(const pn_lua_policy *policy, pn_slotted_view *view, const policy_value *given,
                    enum phase phase)
{
    uint32_t job;
    uint64_t machines;
    if (policy->now.moment != MOMENT_ACT || !view_find_job(policy, given, &job) ||
        !view_find_amount(given + 1, &machines) ||
        (machines > 0 && phase == (pn_slotted_in_maps(view, job) ? IN_REDUCES : IN_MAPS)))
        return false;
    return pn_slotted_give(view, job, machines) == PN_OK;
}

#define ACT_GIVE(name, phase)                                                            \
    static bool act_##name(pn_lua_policy *policy, void *view, const policy_value *given, \
                           policy_value *got)                                            \
    {                                                                                    \
        (void)got;                                                                       \
        return give_in(policy, view, given, phase);                                      \
    }
ACT_GIVE(map, IN_MAPS)
ACT_GIVE(reduce, IN_REDUCES)
ACT_GIVE(give, ANY_PHASE)

/* What fill and share are asked for: which jobs, of which order, how many machines. */
typedef struct request {
    int what;
    uint32_t order;
    uint64_t limit;
} request;

static const char *const FILLED[] = {"all", "map", "reduce", "load", NULL};

/* Returns what a call is charged for that gave machines: these, and the walk: the kernel's loops
 * skip the jobs that were served in this slot or before it, no more of them than machines are
 * taken. A script that calls them without end is charged for that. */
static uint64_t units_of(const pn_slotted_view *view, uint32_t idle_before)
{
    return (pn_slotted_machines(view) - idle_before) / 8 + idle_before - pn_slotted_idle(view);
}

/* Gives to those of a tree's jobs that are in the phase asked for, in their order. Returns how many
 * it looked at. */
static uint64_t fill_phase(pn_slotted_view *view, uint32_t order, int maps, uint64_t limit)
{
    uint32_t job = PN_NO_JOB;
    uint64_t looked = 0;
    while (limit > 0 && pn_slotted_idle(view) > 0 &&
           (job = pn_slotted_next_at_least(view, order, job, 1)) != PN_NO_JOB) {
        uint64_t ready = pn_slotted_offer(view, job) - pn_slotted_given(view, job);
        looked++;
        if (pn_slotted_in_maps(view, job) != maps)
            continue;
        ready = ready < limit ? ready : limit;
        ready = ready < pn_slotted_idle(view) ? ready : pn_slotted_idle(view);
        pn_slotted_give(view, job, ready);
        limit -= ready;
    }
    return looked;
}

/* Serves fill(what, order, limit): what = "all" or what the order is declared for, or "map" or
 * "reduce" of an order that can be walked. False where the order is not of such jobs. */
static bool fill(const pn_lua_policy *policy, pn_slotted_view *view, const request *asked,
                 uint64_t *units)
{
    static const uint8_t members[] = {0, PN_SLOTTED_WITH_MAPS, PN_SLOTTED_WITH_REDUCES,
                                      PN_SLOTTED_WITH_LOAD};
    const pn_slotted_order *declared = &policy->table.slotted.orders[asked->order];
    uint32_t before = pn_slotted_idle(view);
    uint64_t looked = 0;
    if (asked->what == 0 || members[asked->what] == declared->members)
        pn_slotted_fill(view, asked->order, asked->limit);
    else if (declared->fit && (members[asked->what] & declared->members))
        looked = fill_phase(view, asked->order, members[asked->what] == PN_SLOTTED_WITH_MAPS,
                            asked->limit);
    else
        return false;
    *units = looked + units_of(view, before);
    return true;
}

static bool share(const pn_lua_policy *policy, pn_slotted_view *view, const request *asked,
                  uint64_t *units)
{
    uint32_t before = pn_slotted_idle(view);
    if (policy->table.slotted.orders[asked->order].key != pn_slotted_share_key)
        return false;
    pn_slotted_share(view, asked->order, asked->limit);
    *units = units_of(view, before);
    return true;
}

static int what_at(lua_State *L, int argument)
{
    for (int i = 0; FILLED[i] && lua_type(L, argument) == LUA_TSTRING; i++)
        if (strcmp(lua_tostring(L, argument), FILLED[i]) == 0)
            return i;
    const char *got = view_shown(L, argument);
    return luaL_error(L, "%s: fill(what, order): what must be all, map, reduce or load, got %s",
                      view_where(L), got);
}

static int view_fill(lua_State *L)
{
    pn_slotted_view *view = view_self(L);
    const pn_lua_policy *policy = policy_of(L);
    only_in_slot(L);
    request asked = {.what = what_at(L, 2)};
    asked.order = view_order(L, 3);
    asked.limit = limit_at(L, 4);
    uint32_t before = pn_slotted_idle(view);
    uint64_t units;
    if (!fill(policy, view, &asked, &units))
        luaL_error(L,
                   "%s: order '%s' is not for %s alone (declare it with jobs = \"%s\", or with "
                   "walk = true)",
                   view_where(L), policy->order_names[asked.order], FILLED[asked.what],
                   FILLED[asked.what]);
    sandbox_charge(L, units);
    lua_pushinteger(L, (lua_Integer)(before - pn_slotted_idle(view)));
    return 1;
}

static int view_share(lua_State *L)
{
    pn_slotted_view *view = view_self(L);
    const pn_lua_policy *policy = policy_of(L);
    only_in_slot(L);
    request asked = {.order = view_order(L, 2)};
    asked.limit = limit_at(L, 3);
    uint32_t before = pn_slotted_idle(view);
    uint64_t units;
    if (!share(policy, view, &asked, &units))
        luaL_error(L, "%s: order '%s' is not one of shares (declare it with by = \"share\")",
                   view_where(L), policy->order_names[asked.order]);
    sandbox_charge(L, units);
    lua_pushinteger(L, (lua_Integer)(before - pn_slotted_idle(view)));
    return 1;
}

/* Serves fill or share with the order and the limit from a program. */
static bool act_with(pn_lua_policy *policy, pn_slotted_view *view, request *asked,
                     const policy_value *given, policy_value *got,
                     bool with(const pn_lua_policy *, pn_slotted_view *, const request *,
                               uint64_t *))
{
    uint32_t before = pn_slotted_idle(view);
    asked->limit = PN_SLOTTED_ALL_IDLE;
    if (policy->now.moment != MOMENT_ACT || !view_find_order(policy, given, &asked->order) ||
        !(given[1].type == VALUE_NIL || view_find_amount(given + 1, &asked->limit)) ||
        !with(policy, view, asked, &policy->charged))
        return false;
    *got = policy_integer(before - pn_slotted_idle(view));
    return true;
}

static bool act_fill(pn_lua_policy *policy, void *view, const policy_value *given,
                     policy_value *got)
{
    request asked = {0};
    if (given->type != VALUE_TEXT)
        return false;
    while (FILLED[asked.what] && strcmp(FILLED[asked.what], given->as.text) != 0)
        asked.what++;
    return FILLED[asked.what] && act_with(policy, view, &asked, given + 1, got, fill);
}

static bool act_share(pn_lua_policy *policy, void *view, const policy_value *given,
                      policy_value *got)
{
    request asked = {0};
    return act_with(policy, view, &asked, given, got, share);
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
    VIEW_ASKED(attained, 1, 1),
    VIEW_ASKED(size, 1, 1),
    VIEW_ASKED(offer, 1, 1),
    VIEW_ASKED(held, 1, 1),
    VIEW_ASKED(given, 1, 1),
    VIEW_ASKED(load, 1, 1),
    VIEW_ASKED(preemptive, 0, 1),
    VIEW_ASKED(in_maps, 1, 1),
    VIEW_ASKED(maps_ready, 1, 1),
    VIEW_ASKED(reduces_ready, 1, 1),
    VIEW_ASKED(next_at_least, 3, 1),
    VIEW_ASKED(next_at_most, 3, 1),
    VIEW_ASKED(served_count, 0, 1),
    VIEW_ASKED_BY_HAND(served_at, 1, 3),
    VIEW_WALKS(by, 1, "uint32_t order", "pn_slotted_next_at_least(view, order, after, 0)"),
    VIEW_ACTS(map, 2, 0, "uint32_t job; uint64_t machines",
              "must(view, pn_slotted_give(view, job, machines))"),
    VIEW_ACTS(reduce, 2, 0, "uint32_t job; uint64_t machines",
              "must(view, pn_slotted_give(view, job, machines))"),
    VIEW_ACTS(give, 2, 0, "uint32_t job; uint64_t machines",
              "must(view, pn_slotted_give(view, job, machines))"),
    VIEW_ACTS(fill, 3, 1, NULL, NULL),
    VIEW_ACTS(share, 2, 1, "uint32_t order; limit", "share(view, order, limit)"),
    VIEW_ASKED_END,
};
