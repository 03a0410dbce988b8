/* The view `s` of a policy of the tandem model: what the script may ask of an instant, and the
 * rates it may set at it. */
#include <math.h>
#include <string.h>

#include "policy/view.h"
#include "policy.h"

/* ---- arguments ------------------------------------------------------------------------------- */

enum { DOUBLE_SIZE = 32 };

/* Writes a number, on the stack. */
static const char *written(lua_State *L, double value)
{
    char text[DOUBLE_SIZE];
    policy_write_double(policy_of(L), value, text, sizeof text);
    return lua_pushstring(L, text);
}

static double rate_at(lua_State *L, int argument, uint32_t job)
{
    double rate = lua_tonumber(L, argument);
    if (lua_type(L, argument) != LUA_TNUMBER || !(rate >= 0 && rate <= PN_TANDEM_MOST))
        view_expected(L, argument, job, "a rate >= 0 is expected");
    return rate;
}

static int station_at(lua_State *L, int argument)
{
    for (int i = 0; lua_type(L, argument) == LUA_TSTRING && tandem_stations[i]; i++)
        if (strcmp(lua_tostring(L, argument), tandem_stations[i]) == 0)
            return i;
    const char *got = view_shown(L, argument);
    return luaL_error(L, "%s: the station must be map or shuffle, got %s", view_where(L), got);
}

static void only_in_rates(lua_State *L)
{
    if (policy_of(L)->now.moment != MOMENT_ACT)
        luaL_error(L, "%s: rates can only be set in rates", view_where(L));
}

/* Returns an order of these members. */
static uint32_t order_of(lua_State *L, int argument, uint8_t members)
{
    const pn_lua_policy *policy = policy_of(L);
    uint32_t order = view_order(L, argument);
    uint8_t has = policy->table.tandem.orders[order].members;
    if (has != members)
        luaL_error(L, "%s: order '%s' is of %s (expected one of %s)", view_where(L),
                   policy->order_names[order], tandem_members_word(has),
                   tandem_members_word(members));
    return order;
}

/* ---- asking ---------------------------------------------------------------------------------- */

VIEW_ASK(pn_tandem_view, time, policy_float(pn_tandem_time(view)))
VIEW_ASK(pn_tandem_view, speed, policy_float(pn_tandem_speed(view)))
VIEW_ASK(pn_tandem_view, overlap, policy_boolean(pn_tandem_overlap(view)))
VIEW_ASK(pn_tandem_view, in_system, policy_integer(pn_tandem_in_system(view)))
VIEW_ASK(pn_tandem_view, backlog_total, policy_float(pn_tandem_backlog_total(view)))
VIEW_ASK(pn_tandem_view, map_idle, policy_float(pn_tandem_map_idle(view)))
VIEW_ASK(pn_tandem_view, shuffle_idle, policy_float(pn_tandem_shuffle_idle(view)))
VIEW_ASK_JOB(pn_tandem_view, arrival, policy_float(pn_tandem_arrival(view, job)))
VIEW_ASK_JOB(pn_tandem_view, age, policy_float(pn_tandem_age(view, job)))
VIEW_ASK_JOB(pn_tandem_view, map_size, policy_float(pn_tandem_map_size(view, job)))
VIEW_ASK_JOB(pn_tandem_view, shuffle_size, policy_float(pn_tandem_shuffle_size(view, job)))
VIEW_ASK_JOB(pn_tandem_view, map_left, policy_float(pn_tandem_map_left(view, job)))
VIEW_ASK_JOB(pn_tandem_view, shuffle_left, policy_float(pn_tandem_shuffle_left(view, job)))
VIEW_ASK_JOB(pn_tandem_view, longest_left, policy_float(pn_tandem_longest_left(view, job)))
VIEW_ASK_JOB(pn_tandem_view, backlog, policy_float(pn_tandem_backlog(view, job)))
VIEW_ASK_JOB(pn_tandem_view, mapping, policy_boolean(pn_tandem_mapping(view, job)))
VIEW_ASK_JOB(pn_tandem_view, map_rate, policy_float(pn_tandem_map_rate(view, job)))
VIEW_ASK_JOB(pn_tandem_view, shuffle_rate, policy_float(pn_tandem_shuffle_rate(view, job)))
VIEW_ASK_JOB(pn_tandem_view, generation_rate, policy_float(pn_tandem_generation_rate(view, job)))

static bool ask_rank(pn_lua_policy *policy, void *view, const policy_value *given,
                     policy_value *got)
{
    uint32_t job;
    if (!view_find_job(policy, given, &job) || given[1].type != VALUE_TEXT || !policy->ranks)
        return false;
    for (uint32_t i = 0; tandem_stations[i]; i++) {
        if (strcmp(tandem_stations[i], given[1].as.text) != 0)
            continue;
        *got = policy_integer(pn_tandem_rank(view, job, i));
        return true;
    }
    return false;
}

static int view_rank(lua_State *L)
{
    const pn_tandem_view *view = view_self(L);
    uint32_t job = view_job(L, 2);
    int station = station_at(L, 3);
    if (!policy_of(L)->ranks)
        luaL_error(L, "%s: jobs have no ranks (declare ranks = true)", view_where(L));
    lua_pushinteger(L, pn_tandem_rank(view, job, (uint32_t)station));
    return 1;
}

/* ---- orders ---------------------------------------------------------------------------------- */

VIEW_QUESTION(pn_tandem_view, first, view_self, uint32_t order,
              view_find_order(policy, given, &order), order = view_order(L, 2),
              policy_job(pn_tandem_first(view, order)))
VIEW_QUESTION(pn_tandem_view, member, view_self, uint32_t order;
              uint32_t job,
              view_find_order(policy, given, &order) && view_find_job(policy, given + 1, &job),
              (order = view_order(L, 2), job = view_job(L, 3)),
              policy_boolean(pn_tandem_member(view, order, job)))

/* Returns the next; the kernel looks at every member for it, which is what it is charged for. */
static uint32_t next_of(const pn_tandem_view *view, uint32_t order, uint32_t after, uint64_t *units)
{
    *units = after == PN_NO_JOB ? 0 : pn_tandem_in_system(view) / 4;
    return after == PN_NO_JOB ? pn_tandem_first(view, order) : pn_tandem_next(view, order, after);
}

static int push_next(lua_State *L, const pn_tandem_view *view, uint32_t order, int argument)
{
    uint32_t after = view_job_or_none(L, argument);
    uint64_t units;
    if (after != PN_NO_JOB)
        view_need_member(L, pn_tandem_member(view, order, after), order, after);
    uint32_t job = next_of(view, order, after, &units);
    sandbox_charge(L, units);
    return view_push_job(L, job);
}

static int view_next(lua_State *L)
{
    const pn_tandem_view *view = view_self(L);
    return push_next(L, view, view_order(L, 2), 3);
}

int tandem_step(lua_State *L)
{
    const pn_tandem_view *view = view_self(L);
    return push_next(L, view, (uint32_t)lua_tointeger(L, lua_upvalueindex(1)), 2);
}

static int view_by(lua_State *L)
{
    view_self(L);
    return view_push_walk(L, view_order(L, 2));
}

static bool walk_by(pn_lua_policy *policy, void *view, const policy_value *given, policy_value *got)
{
    uint32_t order, after;
    if (!view_find_order(policy, given, &order) ||
        !view_find_job_or_none(policy, given + 1, &after) ||
        (after != PN_NO_JOB && !pn_tandem_member(view, order, after)))
        return false;
    *got = policy_job(next_of(view, order, after, &policy->charged));
    return true;
}

/* ---- setting rates --------------------------------------------------------------------------- */

static int view_give_map(lua_State *L)
{
    pn_tandem_view *view = view_self(L);
    only_in_rates(L);
    uint32_t job = view_job(L, 2);
    double rate = rate_at(L, 3, job);
    if (pn_tandem_give_map(view, job, rate) == PN_OK)
        return 0;
    if (!pn_tandem_mapping(view, job))
        return luaL_error(L, "%s: has no map work left", view_where_job(L, job));
    return luaL_error(L, "%s: asked for a map rate of %s, %s is left", view_where_job(L, job),
                      written(L, rate), written(L, pn_tandem_map_idle(view)));
}

/* Reads a rate from a program's arguments; nil, as the value given. */
static bool find_rate(const policy_value *given, double nil, double *rate)
{
    *rate = given->type == VALUE_NIL       ? nil
            : given->type == VALUE_INTEGER ? (double)given->as.integer
                                           : given->as.number;
    return (policy_is_number(given) || given->type == VALUE_NIL) && *rate >= 0 &&
           *rate <= PN_TANDEM_MOST;
}

static bool give_rate(const pn_lua_policy *policy, pn_tandem_view *view, const policy_value *given,
                      int give(pn_tandem_view *, uint32_t, double))
{
    uint32_t job;
    double rate;
    return policy->now.moment == MOMENT_ACT && view_find_job(policy, given, &job) &&
           find_rate(given + 1, -1, &rate) && give(view, job, rate) == PN_OK;
}

static bool act_give_map(pn_lua_policy *policy, void *view, const policy_value *given,
                         policy_value *got)
{
    (void)got;
    return give_rate(policy, view, given, pn_tandem_give_map);
}

static bool act_give_shuffle(pn_lua_policy *policy, void *view, const policy_value *given,
                             policy_value *got)
{
    (void)got;
    return give_rate(policy, view, given, pn_tandem_give_shuffle);
}

static int view_give_shuffle(lua_State *L)
{
    pn_tandem_view *view = view_self(L);
    only_in_rates(L);
    uint32_t job = view_job(L, 2);
    double rate = rate_at(L, 3, job);
    if (pn_tandem_give_shuffle(view, job, rate) == PN_OK)
        return 0;
    if (rate > pn_tandem_shuffle_idle(view))
        return luaL_error(L, "%s: asked for a shuffle rate of %s, %s is left",
                          view_where_job(L, job), written(L, rate),
                          written(L, pn_tandem_shuffle_idle(view)));
    double more = pn_tandem_generation_rate(view, job) - pn_tandem_shuffle_rate(view, job);
    return luaL_error(L,
                      "%s: asked for a shuffle rate of %s, without backlog it can use %s (map "
                      "rates are set first)",
                      view_where_job(L, job), written(L, rate), written(L, more));
}

/* Serves fill_map(order, capacity) and fill_shuffle(order, capacity): what of the capacity was not
 * used. */
static int fill(lua_State *L, uint8_t members, double (*idle)(const pn_tandem_view *view),
                int (*by)(pn_tandem_view *view, uint32_t order, double capacity, double *left))
{
    pn_tandem_view *view = view_self(L);
    only_in_rates(L);
    uint32_t order = order_of(L, 2, members);
    double capacity = lua_isnoneornil(L, 3) ? idle(view) : rate_at(L, 3, PN_NO_JOB), left = 0;
    sandbox_charge(L, pn_tandem_in_system(view) / 16);
    by(view, order, capacity, &left);
    if (policy_of(L)->broken) /* a key that it asked for */
        return sandbox_raise_again(L);
    lua_pushnumber(L, left);
    return 1;
}

static int view_fill_map(lua_State *L)
{
    return fill(L, PN_TANDEM_MAPPING, pn_tandem_map_idle, pn_tandem_fill_map);
}

static int view_fill_shuffle(lua_State *L)
{
    return fill(L, PN_TANDEM_BACKLOG, pn_tandem_shuffle_idle, pn_tandem_fill_shuffle);
}

static bool fill_order(pn_lua_policy *policy, pn_tandem_view *view, const policy_value *given,
                       policy_value *got, uint8_t members, double idle,
                       int by(pn_tandem_view *, uint32_t, double, double *))
{
    uint32_t order;
    double capacity, left = 0;
    if (policy->now.moment != MOMENT_ACT || !view_find_order(policy, given, &order) ||
        policy->table.tandem.orders[order].members != members ||
        !find_rate(given + 1, idle, &capacity))
        return false;
    policy->charged = pn_tandem_in_system(view) / 16;
    bool good = by(view, order, capacity, &left) == PN_OK;
    *got = policy_float(left);
    return good;
}

static bool act_fill_map(pn_lua_policy *policy, void *view, const policy_value *given,
                         policy_value *got)
{
    return fill_order(policy, view, given, got, PN_TANDEM_MAPPING, pn_tandem_map_idle(view),
                      pn_tandem_fill_map);
}

static bool act_fill_shuffle(pn_lua_policy *policy, void *view, const policy_value *given,
                             policy_value *got)
{
    return fill_order(policy, view, given, got, PN_TANDEM_BACKLOG, pn_tandem_shuffle_idle(view),
                      pn_tandem_fill_shuffle);
}

/* Serves serve(station, { serve =, order =, limit = }): what it leaves out is as the definition
 * says. */
static int view_serve(lua_State *L)
{
    pn_tandem_view *view = view_self(L);
    const pn_lua_policy *policy = policy_of(L);
    const pn_tandem_policy *table = &policy->table.tandem;
    if (policy->now.moment != MOMENT_INIT)
        luaL_error(L, "%s: how a station serves can only be changed in init", view_where(L));
    int station = station_at(L, 2);
    if (table->act)
        luaL_error(L, "%s: rates sets the rates, no station serves by itself", view_where(L));
    pn_tandem_service service = station == 0 ? table->map : table->shuffle;
    luaL_checktype(L, 3, LUA_TTABLE);
    tandem_read_service(L, policy, station, 3, station == 0 ? "map." : "shuffle.", &service);
    bool idles = service.way == PN_TANDEM_STRICT || service.way == PN_TANDEM_RIGID;
    if (idles && table->work_conserving == PN_TANDEM_WORK_CONSERVING)
        luaL_error(
            L, "%s: would leave shuffle idle (declare work_conserving = false or \"by default\")",
            view_where(L));
    pn_tandem_serve(view, (uint32_t)station, service); /* fits its order: it was checked */
    return 0;
}

const policy_question tandem_questions[] = {
    VIEW_ASKED(time, 0, 1),
    VIEW_ASKED(speed, 0, 1),
    VIEW_ASKED(overlap, 0, 1),
    VIEW_ASKED(in_system, 0, 1),
    VIEW_ASKED(backlog_total, 0, 1),
    VIEW_ASKED(map_idle, 0, 1),
    VIEW_ASKED(shuffle_idle, 0, 1),
    VIEW_ASKED(arrival, 1, 1),
    VIEW_ASKED(age, 1, 1),
    VIEW_ASKED(map_size, 1, 1),
    VIEW_ASKED(shuffle_size, 1, 1),
    VIEW_ASKED(map_left, 1, 1),
    VIEW_ASKED(shuffle_left, 1, 1),
    VIEW_ASKED(longest_left, 1, 1),
    VIEW_ASKED(backlog, 1, 1),
    VIEW_ASKED(mapping, 1, 1),
    VIEW_ASKED(map_rate, 1, 1),
    VIEW_ASKED(shuffle_rate, 1, 1),
    VIEW_ASKED(generation_rate, 1, 1),
    VIEW_ASKED_BY_HAND(rank, 2, 1),
    VIEW_ASKED(first, 1, 1),
    VIEW_ASKED(member, 2, 1),
    VIEW_WALKS(
        by, 1, "uint32_t order",
        "after == PN_NO_JOB ? pn_tandem_first(view, order) : pn_tandem_next(view, order, after)"),
    VIEW_ACTS(give_map, 2, 0, "uint32_t job; double rate",
              "must(view, pn_tandem_give_map(view, job, rate))"),
    VIEW_ACTS(give_shuffle, 2, 0, "uint32_t job; double rate",
              "must(view, pn_tandem_give_shuffle(view, job, rate))"),
    VIEW_ACTS(fill_map, 2, 1, "uint32_t order; capacity", "fill_map(view, order, capacity)"),
    VIEW_ACTS(fill_shuffle, 2, 1, "uint32_t order; capacity",
              "fill_shuffle(view, order, capacity)"),
    VIEW_ASKED_END,
};

const luaL_Reg tandem_methods[] = {{"next", view_next}, {"serve", view_serve}, {NULL, NULL}};
