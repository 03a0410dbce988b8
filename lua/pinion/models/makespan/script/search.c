/* What the kernel does for a policy of the makespan model: Johnson's orders and the evaluation of
 * an order. */
#include <string.h>

#include "policy.h"
#include "policy/define.h"
#include "policy/view.h"
#include "sandbox/internal.h"

#define SCORE "pinion.Score"

static const char *const TIES[] = {"alg21", "mkjr", NULL};

/* ---- options --------------------------------------------------------------------------------- */

/* Pushes a field of the table of options at index `options`; nil when there is no table. */
static int option(lua_State *L, int options, const char *name)
{
    if (lua_isnoneornil(L, options)) {
        lua_pushnil(L);
        return LUA_TNIL;
    }
    return define_get(L, options, name);
}

/* Checks the options of a call, `known` in the order of bytes, at `argument`. */
static void check_options(lua_State *L, int argument, const char *where, const char *const known[])
{
    if (lua_isnoneornil(L, argument))
        return;
    sandbox_reads(L, argument);
    define_only_fields(L, argument, where, known);
}

/* Reads the slots that an order is for: those of the cluster, unless the options say less. */
static void read_slots(lua_State *L, const pn_makespan_view *view, int options, uint32_t slots[2])
{
    static const char *const names[] = {"map_slots", "reduce_slots"};
    for (uint32_t stage = 0; stage < 2; stage++) {
        option(L, options, names[stage]);
        slots[stage] = makespan_slots_at(L, view, -1, names[stage], stage);
        lua_pop(L, 1);
    }
}

/* ---- Johnson's rule -------------------------------------------------------------------------- */

/* Reads the jobs in the option, or all of them, into the room; how many. */
static uint32_t read_jobs(lua_State *L, const pn_makespan_view *view, int options)
{
    makespan_room room = makespan_room_of(view);
    uint32_t count = pn_makespan_job_count(view);
    makespan_begin_list(view, &room);
    int type = option(L, options, "jobs");
    if (type == LUA_TTABLE) {
        count = makespan_read_jobs(L, view, lua_gettop(L), "johnson: jobs: ", 0);
    } else if (type == LUA_TNIL) {
        for (uint32_t job = 0; job < count; job++)
            room.jobs[job] = job;
    } else {
        luaL_error(L, "johnson: jobs must be a list of job ids, got %s", view_shown(L, -1));
    }
    lua_pop(L, 1);
    return count;
}

/* Reads the values of the jobs in the room: what the function on top of the stack returns for each,
 * or what the table there holds. */
static void read_values(lua_State *L, const makespan_room *room, uint32_t count, uint32_t stage)
{
    int from = lua_gettop(L);
    bool calls = lua_type(L, from) == LUA_TFUNCTION;
    if (!calls && lua_type(L, from) != LUA_TTABLE)
        luaL_error(L, "johnson: %s must be a function of a job, or a table by job id, got %s",
                   makespan_stages[stage], view_shown(L, from));
    if (!calls)
        sandbox_reads(L, from);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t job = room->jobs[i];
        if (calls) {
            lua_pushvalue(L, from);
            lua_pushinteger(L, (lua_Integer)job + 1);
            lua_call(L, 1, 2);
            if (!lua_isnil(L, -1))
                luaL_error(L,
                           "johnson: %s of job %d: the function returns a second value "
                           "(expected one)",
                           makespan_stages[stage], (int)job + 1);
            lua_pop(L, 1);
        } else {
            lua_rawgeti(L, from, (lua_Integer)job + 1);
        }
        pn_exact *value = &room->value[stage][job];
        if (!exact_get(L, -1, value) || value->num < 0)
            luaL_error(L,
                       "johnson: %s of job %d must be an exact number or an integer, >= 0, got %s",
                       makespan_stages[stage], (int)job + 1,
                       exact_get(L, -1, value) ? luaL_tolstring(L, -1, NULL) : view_shown(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Orders by what the options `map` and `reduce` say of each job. */
static int johnson_by_values(lua_State *L, pn_makespan_view *view, int options, uint32_t count,
                             uint32_t tie)
{
    static const char *const estimates[] = {"estimate", "map_slots", "reduce_slots"};
    pn_lua_policy *policy = policy_of(L);
    makespan_room room = makespan_room_of(view);
    for (int i = 0; i < 3; i++)
        if (option(L, options, estimates[i]) != LUA_TNIL)
            luaL_error(
                L, "johnson: %s goes without map and reduce (these say how long the stages are)",
                estimates[i]);
    policy->now.moment = MOMENT_KEY; /* the room is taken */
    for (uint32_t stage = 0; stage < 2; stage++) {
        option(L, options, makespan_stages[stage]);
        read_values(L, &room, count, stage);
    }
    policy->now.moment = MOMENT_ACT;
    return pn_makespan_johnson_by(view, room.jobs, count, room.value[0], room.value[1], tie);
}

static int johnson_by_estimate(lua_State *L, pn_makespan_view *view, int options, uint32_t count,
                               uint32_t tie)
{
    uint32_t slots[2];
    read_slots(L, view, options, slots);
    option(L, options, "estimate");
    uint32_t time = PN_MAKESPAN_GIVEN +
                    (uint32_t)makespan_word(L, -1, "johnson: estimate", makespan_times);
    return pn_makespan_johnson_order(view, makespan_room_of(view).jobs, count, time, tie, slots[0],
                                     slots[1]);
}

int makespan_johnson(lua_State *L)
{
    static const char *const known[] = {"estimate", "jobs",         "map", "map_slots",
                                        "reduce",   "reduce_slots", "tie", NULL};
    pn_makespan_view *view = makespan_self(L);
    uint32_t tie = PN_MAKESPAN_ALG21;
    luaL_checktype(L, 2, LUA_TTABLE);
    check_options(L, 2, "johnson: ", known);
    if (option(L, 2, "tie") != LUA_TNIL)
        tie = (uint32_t)makespan_word(L, -1, "johnson: tie", TIES);
    uint32_t count = read_jobs(L, view, 2);
    sandbox_charge(L, 4 * (uint64_t)count);
    bool by_values = option(L, 2, "map") != LUA_TNIL || option(L, 2, "reduce") != LUA_TNIL;
    int status = (by_values ? johnson_by_values : johnson_by_estimate)(L, view, 2, count, tie);
    if (status != PN_OK)
        luaL_error(L, "johnson: %s", pn_status_name(status));
    makespan_push_jobs(L, makespan_room_of(view).jobs, count);
    return 1;
}

/* ---- scores ---------------------------------------------------------------------------------- */

typedef struct score {
    pn_makespan_score is;
    uint32_t slots[2]; /* that the order was evaluated on */
    uint64_t unit;     /* of time, in coarse ticks */
} score;

static const score *score_at(lua_State *L, int index)
{
    const score *found = luaL_testudata(L, index, SCORE);
    if (!found)
        luaL_error(L, "a score is expected, got %s", luaL_typename(L, index));
    return found;
}

/* Pushes a number of 1/ticks of a coarse tick, in units of time. */
static int push_exact(lua_State *L, const score *from, uint64_t amount)
{
    pn_exact value;
    if (amount > INT64_MAX || from->is.ticks > INT64_MAX ||
        pn_exact_make(&value, (int64_t)amount, (int64_t)from->is.ticks) != PN_OK ||
        pn_exact_divide(&value, value, (pn_exact){(int64_t)from->unit, 1}) != PN_OK)
        return luaL_error(
            L, "a time does not fit an exact number (scores can be compared as they are)");
    exact_push(L, value);
    return 1;
}

static int score_makespan(lua_State *L)
{
    const score *self = score_at(L, 1);
    return push_exact(L, self, self->is.makespan);
}

static int score_total_completion(lua_State *L)
{
    const score *self = score_at(L, 1);
    return push_exact(L, self, self->is.total[0] > 0 ? UINT64_MAX : self->is.total[1]);
}

/* Returns whether totals can be compared, which have a common tick only on the same slots. */
static bool comparable(const score *a, const score *b)
{
    return a->slots[0] == b->slots[0] && a->slots[1] == b->slots[1];
}

/* Serves a:better(b): smaller in makespan, then in total completion */
static int score_better(lua_State *L)
{
    const score *a = score_at(L, 1), *b = score_at(L, 2);
    if (!comparable(a, b))
        luaL_error(
            L, "better: the scores are of different numbers of slots (compare makespans, a < b)");
    lua_pushboolean(L, pn_makespan_score_compare(&a->is, &b->is, 1) < 0);
    return 1;
}

static int score_less(lua_State *L)
{
    lua_pushboolean(L, pn_makespan_score_compare(&score_at(L, 1)->is, &score_at(L, 2)->is, 0) < 0);
    return 1;
}

static int score_less_equal(lua_State *L)
{
    lua_pushboolean(L, pn_makespan_score_compare(&score_at(L, 1)->is, &score_at(L, 2)->is, 0) <= 0);
    return 1;
}

static int score_equal(lua_State *L)
{
    lua_pushboolean(L, pn_makespan_score_compare(&score_at(L, 1)->is, &score_at(L, 2)->is, 0) == 0);
    return 1;
}

static int score_tostring(lua_State *L)
{
    score_makespan(L);
    luaL_tolstring(L, -1, NULL);
    return 1;
}

static int score_unknown(lua_State *L)
{
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_gettable(L, lua_upvalueindex(1)) == LUA_TNIL)
        return luaL_error(L, "a score has no '%s' (known: better, makespan, total_completion)",
                          view_shown(L, 2));
    return 1;
}

static void push_score(lua_State *L, const score *value)
{
    static const luaL_Reg methods[] = {{"makespan", score_makespan},
                                       {"total_completion", score_total_completion},
                                       {"better", score_better},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__eq", score_equal},
                                           {"__lt", score_less},
                                           {"__le", score_less_equal},
                                           {"__tostring", score_tostring},
                                           {NULL, NULL}};
    score *self = lua_newuserdatauv(L, sizeof *self, 0);
    *self = *value;
    if (luaL_newmetatable(L, SCORE)) {
        luaL_setfuncs(L, metamethods, 0);
        luaL_newlib(L, methods);
        lua_pushcclosure(L, score_unknown, 1);
        lua_setfield(L, -2, "__index");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* Reads the score that the new one must be better than; null when there is none. */
static const score *read_best(lua_State *L, int options, const score *made, bool total)
{
    const score *best = NULL;
    if (option(L, options, "best") != LUA_TNIL) {
        best = luaL_testudata(L, -1, SCORE);
        if (!best)
            luaL_error(L, "evaluate: best must be a score, got %s", view_shown(L, -1));
        if (total && !comparable(best, made))
            luaL_error(L, "evaluate: best is of other numbers of slots (total compares on the same "
                          "slots only)");
    }
    lua_pop(L, 1); /* the options, or who calls, hold it */
    return best;
}

static bool read_total(lua_State *L, int options)
{
    int type = option(L, options, "total");
    bool total = lua_toboolean(L, -1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luaL_error(L, "evaluate: total must be true or false, got %s", view_shown(L, -1));
    lua_pop(L, 1);
    return total;
}

/* Serves s:evaluate(order[, { best =, total =, map_slots =, reduce_slots = }]): a score, or nil */
int makespan_evaluate(lua_State *L)
{
    static const char *const known[] = {"best", "map_slots", "reduce_slots", "total", NULL};
    pn_makespan_view *view = makespan_self(L);
    makespan_room room = makespan_room_of(view);
    score made = {.unit = pn_makespan_unit(view)};
    check_options(L, 3, "evaluate: ", known);
    bool total = read_total(L, 3);
    read_slots(L, view, 3, made.slots);
    const score *best = read_best(L, 3, &made, total);
    luaL_checktype(L, 2, LUA_TTABLE);
    makespan_begin_list(view, &room);
    uint32_t count = makespan_read_jobs(L, view, 2, "evaluate: ", 0);
    sandbox_charge(L, count / (pn_makespan_level_of(view) == PN_MAKESPAN_TASKS ? 1 : 4));
    int status = pn_makespan_evaluate(view, room.jobs, count, made.slots[0], made.slots[1],
                                      best ? &best->is : NULL, total, &made.is);
    if (status == PN_DONE) {
        lua_pushnil(L);
        return 1;
    }
    if (status != PN_OK) {
        policy_of(L)->status = status;
        luaL_error(L, status == PN_ERR_STOPPED ? "stopped" : "evaluate: %s",
                   pn_status_name(status));
    }
    push_score(L, &made);
    return 1;
}
