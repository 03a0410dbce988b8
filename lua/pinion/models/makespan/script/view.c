/* The view `s` of a policy of the makespan model: what the script may ask of the batch, and lists
 * of jobs. */
#include <string.h>

#include "policy.h"
#include "policy/view.h"
#include "sandbox/internal.h"

const char *const makespan_stages[] = {"map", "reduce", NULL};

/* ---- lists of jobs --------------------------------------------------------------------------- */

makespan_room makespan_room_of(const pn_makespan_view *view)
{
    uint32_t count = pn_makespan_job_count(view), *list = pn_makespan_state(view);
    pn_exact *values = (pn_exact *)(void *)((unsigned char *)list + MAKESPAN_ROOM);
    uint32_t *jobs = (uint32_t *)(void *)(values + 2 * (size_t)count);
    return (makespan_room){{values, values + count}, jobs, jobs + count, list};
}

/* Begins a list. The room is all zero before the first list, whose number is 1. */
void makespan_begin_list(const pn_makespan_view *view, const makespan_room *room)
{
    if (++*room->list > 0)
        return;
    memset(room->seen, 0, pn_makespan_job_count(view) * sizeof *room->seen);
    *room->list = 1;
}

/* Returns the place of the job whose id is on top of the stack. */
static uint32_t job_on_top(lua_State *L, const pn_makespan_view *view, const char *what)
{
    int integer;
    lua_Integer id = lua_tointegerx(L, -1, &integer);
    if (lua_type(L, -1) != LUA_TNUMBER || !integer)
        luaL_error(L, "%sa job id is expected, got %s", what, view_shown(L, -1));
    if (id < 1 || id > (lua_Integer)pn_makespan_job_count(view))
        luaL_error(L, "%sthere is no job %I (there are %d)", what, (LUAI_UACINT)id,
                   (int)pn_makespan_job_count(view));
    return (uint32_t)id - 1;
}

uint32_t makespan_read_jobs(lua_State *L, const pn_makespan_view *view, int index, const char *what,
                            uint32_t count)
{
    makespan_room room = makespan_room_of(view);
    sandbox_reads(L, index);
    lua_Integer entries = sandbox_length(L, index);
    for (lua_Integer i = 1; i <= entries; i++) {
        lua_rawgeti(L, index, i);
        uint32_t job = job_on_top(L, view, what);
        lua_pop(L, 1);
        if (room.seen[job] == *room.list)
            luaL_error(L, "%sjob %d is named twice", what, (int)job + 1);
        room.seen[job] = *room.list;
        room.jobs[count++] = job;
    }
    return count;
}

void makespan_push_jobs(lua_State *L, const uint32_t *jobs, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)jobs[i] + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* ---- arguments ------------------------------------------------------------------------------- */

pn_makespan_view *makespan_self(lua_State *L)
{
    pn_makespan_view *view = view_self(L);
    if (policy_of(L)->now.moment == MOMENT_KEY)
        luaL_error(L, "%s cannot search (search before, and keep the result in a local)",
                   policy_of(L)->model->asking);
    return view;
}

int makespan_word(lua_State *L, int index, const char *what, const char *const words[])
{
    for (int i = 0; lua_type(L, index) == LUA_TSTRING && words[i]; i++)
        if (strcmp(lua_tostring(L, index), words[i]) == 0)
            return i;
    luaL_Buffer list;
    const char *got = view_shown(L, index);
    luaL_buffinit(L, &list);
    for (int i = 0; words[i]; i++) {
        luaL_addstring(&list, i == 0 ? "" : words[i + 1] ? ", " : " or ");
        luaL_addstring(&list, words[i]);
    }
    luaL_pushresult(&list);
    return luaL_error(L, "%s must be %s, got %s", what, lua_tostring(L, -1), got);
}

uint32_t makespan_slots_at(lua_State *L, const pn_makespan_view *view, int index, const char *what,
                           uint32_t stage)
{
    int integer;
    lua_Integer most = pn_makespan_slots(view, stage);
    if (lua_isnoneornil(L, index))
        return (uint32_t)most;
    lua_Integer slots = lua_tointegerx(L, index, &integer);
    if (lua_type(L, index) != LUA_TNUMBER || !integer || slots < 1 || slots > most)
        luaL_error(L, "%s must be an integer in 1..%I, got %s", what, (LUAI_UACINT)most,
                   view_shown(L, index));
    return (uint32_t)slots;
}

static uint32_t stage_at(lua_State *L, int argument)
{
    return (uint32_t)makespan_word(L, argument, "the stage", makespan_stages);
}

uint32_t makespan_job_at(lua_State *L, const void *view, int argument)
{
    lua_pushvalue(L, argument);
    uint32_t job = job_on_top(L, view, "");
    lua_pop(L, 1);
    return job;
}

void makespan_push_time(lua_State *L, const pn_makespan_view *view, pn_exact ticks)
{
    pn_exact value;
    if (pn_exact_divide(&value, ticks, (pn_exact){(int64_t)pn_makespan_unit(view), 1}) != PN_OK)
        luaL_error(L, "a time does not fit an exact number");
    exact_push(L, value);
}

static void push_ticks(lua_State *L, const pn_makespan_view *view, uint64_t ticks)
{
    makespan_push_time(L, view, (pn_exact){(int64_t)ticks, 1});
}

/* ---- asking ---------------------------------------------------------------------------------- */

static int view_jobs(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    lua_pushinteger(L, pn_makespan_job_count(view));
    return 1;
}

static int view_slots(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    lua_pushinteger(L, pn_makespan_slots(view, stage_at(L, 2)));
    return 1;
}

static int view_nodes(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    lua_pushinteger(L, pn_makespan_nodes(view));
    return 1;
}

static int view_level(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    lua_pushstring(L, pn_makespan_level_of(view) == PN_MAKESPAN_TASKS ? "task" : "stage");
    return 1;
}

/* s:name(job, stage) */
#define ASK_STAGE(name, push)                                               \
    static int view_##name(lua_State *L)                                    \
    {                                                                       \
        const pn_makespan_view *view = view_self(L);                        \
        uint32_t job = makespan_job_at(L, view, 2), stage = stage_at(L, 3); \
        push;                                                               \
        return 1;                                                           \
    }

ASK_STAGE(tasks, lua_pushinteger(L, pn_makespan_tasks(view, job, stage)))
ASK_STAGE(requested, lua_pushinteger(L, pn_makespan_requested(view, job, stage)))
ASK_STAGE(work, push_ticks(L, view, pn_makespan_work(view, job, stage)))
ASK_STAGE(longest, push_ticks(L, view, pn_makespan_longest(view, job, stage)))

/* Serves s:stretches(job, stage): a list of { count = 20, duration = 3 } */
static int view_stretches(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    uint32_t job = makespan_job_at(L, view, 2), stage = stage_at(L, 3),
             count = pn_makespan_stretch_count(view, job, stage);
    sandbox_charge(L, count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        pn_makespan_stretch stretch = pn_makespan_stretch_of(view, job, stage, i);
        lua_createtable(L, 0, 2);
        lua_pushinteger(L, stretch.count);
        lua_setfield(L, -2, "count");
        push_ticks(L, view, stretch.duration);
        lua_setfield(L, -2, "duration");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* Serves s:estimate(job, stage, kind[, slots]) */
static int view_estimate(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    uint32_t job = makespan_job_at(L, view, 2), stage = stage_at(L, 3);
    uint32_t time = PN_MAKESPAN_GIVEN +
                    (uint32_t)makespan_word(L, 4, "the estimate", makespan_times);
    uint32_t slots = makespan_slots_at(L, view, 5, "slots", stage);
    sandbox_charge(L, pn_makespan_stretch_count(view, job, stage));
    makespan_push_time(L, view, pn_makespan_estimate(view, job, stage, time, slots));
    return 1;
}

/* ---- what the scenario says ------------------------------------------------------------------ */

static int view_order_set(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    const uint32_t *order = pn_makespan_order_set(view);
    if (order)
        makespan_push_jobs(L, order, pn_makespan_job_count(view));
    else
        lua_pushnil(L);
    return 1;
}

static int view_pools_set(lua_State *L)
{
    const pn_makespan_view *view = view_self(L);
    uint32_t pools = pn_makespan_pools_set(view), nodes, count;
    if (pools == 0)
        lua_pushnil(L);
    else
        lua_createtable(L, (int)pools, 0);
    for (uint32_t i = 0; i < pools; i++) {
        const uint32_t *jobs = pn_makespan_pool_set(view, i, &nodes, &count);
        lua_createtable(L, 0, 2);
        lua_pushinteger(L, nodes);
        lua_setfield(L, -2, "nodes");
        makespan_push_jobs(L, jobs, count);
        lua_setfield(L, -2, "jobs");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

const luaL_Reg makespan_methods[] = {
    {"jobs", view_jobs},           {"slots", view_slots},           {"nodes", view_nodes},
    {"level", view_level},         {"tasks", view_tasks},           {"work", view_work},
    {"longest", view_longest},     {"requested", view_requested},   {"stretches", view_stretches},
    {"estimate", view_estimate},   {"order_set", view_order_set},   {"pools_set", view_pools_set},
    {"johnson", makespan_johnson}, {"evaluate", makespan_evaluate}, {NULL, NULL},
};
