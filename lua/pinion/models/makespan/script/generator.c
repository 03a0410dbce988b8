/* Jobs of the makespan model. A duration is a number of units of time; the definition says by
 * `ticks` which parts of a unit there may be. */
#include <math.h>
#include <string.h>

#include "sandbox/internal.h"
#include "generator/state.h"

enum { MAPS, REDUCES, MAP_TIME, REDUCE_TIME };

static const char *const fields[] = {"maps", "reduces", "map_time", "reduce_time", NULL};

#define TASKS_MOST ((size_t)1 << 24) /* in a list */

/* A stage while its tasks are read. */
typedef struct stage {
    int field; /* of its tasks */
    pn_makespan_stretch *stretches;
    uint32_t count;
    bool works; /* a task lasts longer than 0 */
} stage;

/* Returns the duration at `index` in ticks. */
static uint64_t duration(lua_State *L, const pn_lua_workload *self, int field, int index)
{
    double value = lua_tonumber(L, index), ticks = (double)self->ticks, whole;
    if (lua_type(L, index) != LUA_TNUMBER || !(value >= 0) || !isfinite(value))
        generator_refuse(L, self, field, "must be a duration, a finite number >= 0, got %s",
                         lua_type(L, index) == LUA_TNUMBER ? "another number"
                                                           : luaL_typename(L, index));
    whole = floor(value * ticks + 0.5);
    if (whole > (double)PN_INTEGER_MAX)
        generator_refuse(L, self, field, "is longer than 2^53 ticks");
    if (whole / ticks != value)
        generator_refuse(L, self, field,
                         "is no whole number of ticks, of which there are %I to the unit of time: "
                         "%f (expected ticks = N in the definition, such that durations are whole "
                         "numbers of 1/N)",
                         (LUAI_UACINT)self->ticks, value);
    return (uint64_t)whole;
}

static void add_task(stage *into, uint64_t ticks, uint32_t count)
{
    into->works = into->works || ticks > 0;
    if (into->count > 0 && into->stretches[into->count - 1].duration == ticks)
        into->stretches[into->count - 1].count += count;
    else
        into->stretches[into->count++] = (pn_makespan_stretch){ticks, count};
}

/* Reads { count = 20, duration = 30 } */
static void read_repeated(lua_State *L, const pn_lua_workload *self, stage *into)
{
    lua_Integer count;
    lua_getfield(L, JOB_FIELDS + into->field, "count");
    count = lua_tointeger(L, -1);
    if (!lua_isinteger(L, -1) || count < 1 || count > (lua_Integer)UINT32_MAX)
        generator_refuse(L, self, into->field, "count must be an integer in 1..2^32-1");
    lua_getfield(L, JOB_FIELDS + into->field, "duration");
    add_task(into, duration(L, self, into->field, lua_gettop(L)), (uint32_t)count);
    lua_pop(L, 2);
}

static void read_listed(lua_State *L, const pn_lua_workload *self, stage *into, size_t count)
{
    for (size_t k = 1; k <= count; k++) {
        lua_rawgeti(L, JOB_FIELDS + into->field, (lua_Integer)k);
        add_task(into, duration(L, self, into->field, lua_gettop(L)), 1);
        lua_pop(L, 1);
    }
}

static stage read_tasks(lua_State *L, pn_lua_workload *self, int s)
{
    stage into = {.field = s == PN_MAKESPAN_MAP ? MAPS : REDUCES};
    int index = JOB_FIELDS + into.field;
    bool repeated = lua_istable(L, index) && lua_getfield(L, index, "count") != LUA_TNIL;
    size_t count = 0;
    lua_settop(L, JOB_FIELDS + self->key_count - 1);
    if (!generator_has(L, into.field))
        return into;
    if (!lua_istable(L, index))
        generator_refuse(L, self, into.field,
                         "must be a list of durations or { count = N, duration = T }, got a %s",
                         luaL_typename(L, index));
    if (!repeated)
        count = generator_list_length(L, self, into.field, TASKS_MOST);
    into.stretches = generator_list_room(L, self, s, count + 1, sizeof *into.stretches);
    if (repeated)
        read_repeated(L, self, &into);
    else
        read_listed(L, self, &into, count);
    return into;
}

static void read(lua_State *L, pn_lua_workload *self)
{
    static const int times[2] = {MAP_TIME, REDUCE_TIME};
    pn_makespan_job *job = &self->job.makespan;
    bool works = false;
    for (int s = 0; s < 2; s++) {
        pn_makespan_stage_of_job *to = &job->stage[s];
        stage tasks = read_tasks(L, self, s);
        to->stretches = tasks.stretches;
        to->stretch_count = tasks.count;
        to->has_time = generator_has(L, times[s]);
        to->time = to->has_time ? duration(L, self, times[s], JOB_FIELDS + times[s]) : 0;
        to->empty = to->has_time && generator_has(L, tasks.field) && tasks.count == 0;
        works = works || tasks.works || (tasks.count == 0 && !to->empty && to->time > 0);
    }
    if (!works)
        generator_refuse(L, self, -1,
                         "has no work (expected a map or reduce task that lasts "
                         "longer than 0)");
}

const generator_model generator_makespan = {
    .name = "makespan", .job = &makespan_job, .fields = fields, .ticks = true, .read = read};
