/* Workloads of the makespan model in Lua: makers, jobs, and what can be said of all jobs
 * together. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "core/workload.h"
#include "pinion/models/makespan/sources/jobs.h"

static const char *const stage_tasks[2] = {"maps", "reduces"};
static const char *const stage_times[2] = {"map_time", "reduce_time"};

/* ---- totals ---------------------------------------------------------------------------------- */

/* What is counted of every job that has such a stage. */
enum quantity { QUANTITY_TASKS, QUANTITY_WORK, QUANTITY_LONGEST, QUANTITIES };

static const char *const quantity_names[2][QUANTITIES] = {
    {"map_tasks", "map_work", "longest_map"}, {"reduce_tasks", "reduce_work", "longest_reduce"}};

typedef struct makespan_totals {
    counted quantities[2 * QUANTITIES];
    uint64_t jobs, only[2]; /* jobs with such a stage only */
    /* stages given by their time, whose numbers of tasks are unknown */
    uint64_t unknown;
} makespan_totals;

/* Returns a stage's tasks. One that is given by its time is as many tasks as it requests slots, or
 * as there are `slots` (MK2); 0: unknown. */
static uint64_t tasks_of(const pn_makespan_stage_of_job *stage, uint64_t slots)
{
    uint64_t tasks = 0;
    for (uint32_t i = 0; i < stage->stretch_count; i++)
        tasks += stage->stretches[i].count;
    if (tasks > 0 || stage->time == 0 || stage->empty)
        return tasks;
    return stage->requested > 0 ? stage->requested : slots;
}

static int is_absent(const pn_makespan_stage_of_job *stage)
{
    return stage->stretch_count == 0 && (stage->time == 0 || stage->empty);
}

static void count_stage(makespan_totals *totals, int s, const pn_makespan_stage_of_job *stage,
                        uint64_t slots, double ticks)
{
    counted *quantities = &totals->quantities[s * QUANTITIES];
    uint64_t tasks = tasks_of(stage, slots), longest = stage->stretch_count > 0 ? 0 : stage->time;
    double work = (double)tasks * (double)longest;
    if (is_absent(stage))
        return;
    if (tasks == 0) {
        totals->unknown++;
        return;
    }
    for (uint32_t i = 0; i < stage->stretch_count; i++) {
        const pn_makespan_stretch *stretch = &stage->stretches[i];
        longest = stretch->duration > longest ? stretch->duration : longest;
        work += (double)stretch->count * (double)stretch->duration;
    }
    counted_add(&quantities[QUANTITY_TASKS], (double)tasks);
    counted_add(&quantities[QUANTITY_WORK], work / ticks);
    counted_add(&quantities[QUANTITY_LONGEST], (double)longest / ticks);
}

/* Pushes (map_slots, reduce_slots), of the cluster, where they are known. */
static int push_totals(lua_State *L, source *work)
{
    makespan_totals totals = {.jobs = 0};
    uint64_t slots[2] = {(uint64_t)luaL_optinteger(L, 2, 0), (uint64_t)luaL_optinteger(L, 3, 0)};
    workload_count_quantities(L, totals.quantities, 2 * QUANTITIES);
    for (; totals.jobs < work->count; totals.jobs++) {
        pn_makespan_job job;
        if ((totals.jobs & 0xFFFF) == 0xFFFF && interrupt_pending())
            return push_failure(L, source_stopped(work, SOURCE_INTERRUPTED));
        makespan_table_at(work, totals.jobs, &job);
        for (int s = 0; s < 2; s++) {
            totals.only[s] += is_absent(&job.stage[1 - s]) ? 1 : 0;
            count_stage(&totals, s, &job.stage[s], slots[s],
                        (double)makespan_source_of(work)->ticks);
        }
    }
    lua_createtable(L, 0, 11);
    set_integer(L, "jobs", totals.jobs);
    set_integer(L, "map_only", totals.only[PN_MAKESPAN_MAP]);
    set_integer(L, "reduce_only", totals.only[PN_MAKESPAN_REDUCE]);
    set_integer(L, "unknown", totals.unknown);
    set_integer(L, "ticks", makespan_source_of(work)->ticks);
    for (int i = 0; i < 2 * QUANTITIES; i++)
        workload_set_counted(L, quantity_names[i / QUANTITIES][i % QUANTITIES],
                             &totals.quantities[i]);
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Tasks of all jobs, where a stage's tasks are listed one by one. */
#define LISTED_MOST 10000000

/* Pushes units of time: an integer, or "p/q". */
static void push_exact(lua_State *L, uint64_t amount, uint64_t ticks)
{
    pn_exact value;
    pn_exact_make(&value, (int64_t)amount, (int64_t)ticks);
    if (value.den == 1)
        lua_pushinteger(L, value.num);
    else
        lua_pushfstring(L, "%I/%I", (LUAI_UACINT)value.num, (LUAI_UACINT)value.den);
}

/* Pushes equal tasks as their number and their duration, others one by one. */
static void push_tasks(lua_State *L, const pn_makespan_stage_of_job *stage, uint64_t ticks)
{
    lua_Integer filled = 0;
    if (stage->stretch_count == 1 && stage->stretches->count > 1) {
        lua_createtable(L, 0, 2);
        set_integer(L, "count", stage->stretches->count);
        push_exact(L, stage->stretches->duration, ticks);
        lua_setfield(L, -2, "duration");
        return;
    }
    lua_createtable(L, (int)stage->stretch_count, 0);
    for (uint32_t i = 0; i < stage->stretch_count; i++) {
        push_exact(L, stage->stretches[i].duration, ticks);
        for (uint32_t k = 0; k < stage->stretches[i].count; k++) {
            lua_pushvalue(L, -1);
            lua_rawseti(L, -3, ++filled);
        }
        lua_pop(L, 1);
    }
}

static void push_job(lua_State *L, const pn_makespan_job *job, uint64_t ticks)
{
    workload_push_fields(L, &makespan_job, job);
    for (int s = 0; s < 2; s++) {
        const pn_makespan_stage_of_job *stage = &job->stage[s];
        if (stage->stretch_count > 0 || stage->empty) {
            push_tasks(L, stage, ticks);
            lua_setfield(L, -2, stage_tasks[s]);
        }
        if (stage->has_time) {
            push_exact(L, stage->time, ticks);
            lua_setfield(L, -2, stage_times[s]);
        }
    }
}

static uint64_t listed(const pn_makespan_job *job)
{
    uint64_t tasks = 0;
    for (int s = 0; s < 2; s++)
        if (job->stage[s].stretch_count > 1)
            tasks += tasks_of(&job->stage[s], 0);
    return tasks;
}

/* Counts the tasks so far in *state. */
static const char *push_next(lua_State *L, const source *work, void *job, void *state)
{
    uint64_t *tasks = state;
    *tasks += listed(job);
    if (*tasks > LISTED_MOST)
        return lua_pushfstring(L, "the workload has more than %d tasks that differ", LISTED_MOST);
    push_job(L, job, makespan_source_of(work)->ticks);
    return NULL;
}

static int push_job_at(lua_State *L, source *work, uint64_t index)
{
    pn_makespan_job job;
    uint64_t tasks = 0;
    const char *fault;
    makespan_table_at(work, index, &job);
    fault = push_next(L, work, &job, &tasks);
    return fault ? push_failure(L, fault) : 1;
}

static int push_jobs(lua_State *L, source *work, lua_Integer limit)
{
    pn_makespan_job job;
    uint64_t tasks = 0;
    if (work->count > (uint64_t)limit) /* before so many tasks are listed */
        return push_failure(
            L, lua_pushfstring(L, "the workload has more than %I jobs", (LUAI_UACINT)limit));
    return workload_push_jobs(L, work, limit, &job, push_next, &tasks);
}

static int always_a_table(const source *work)
{
    (void)work;
    return 1;
}

/* ---- makers ---------------------------------------------------------------------------------- */

#define DURATION_MOST ((lua_Integer)PN_MAKESPAN_MOST)

static workload *push_table(lua_State *L, uint64_t ticks)
{
    workload *self = workload_push(L);
    self->work = makespan_table_new(ticks);
    if (!self->work)
        workload_out_of_memory(L);
    return self;
}

static const char *const stage_lists[2] = {"map", "reduce"};

/* Returns whether the list of a stage is there and has nothing in it. */
static int is_empty(lua_State *L, int table, int s)
{
    int empty = lua_getfield(L, table, stage_lists[s]) == LUA_TTABLE && luaL_len(L, -1) == 0;
    lua_pop(L, 1);
    return empty;
}

static void read_stage(lua_State *L, int table, int s, pn_makespan_stage_of_job *stage)
{
    lua_Integer time = field_integer_or(L, table, stage_times[s], 0, DURATION_MOST, -1);
    stage->time = time < 0 ? 0 : (uint64_t)time;
    stage->has_time = time >= 0;
    stage->empty = time >= 0 && is_empty(L, table, s);
}

static lua_Integer element(lua_State *L, lua_Integer index, lua_Integer low, lua_Integer high)
{
    lua_Integer value;
    lua_geti(L, -1, index);
    value = lua_tointeger(L, -1);
    luaL_argcheck(L, lua_isinteger(L, -1) && value >= low && value <= high, 1,
                  "map, reduce: must be durations and counts");
    lua_pop(L, 1);
    return value;
}

static void read_tasks(lua_State *L, int table, int s, source *work)
{
    if (lua_getfield(L, table, stage_lists[s]) != LUA_TNIL) {
        luaL_argcheck(L, lua_istable(L, -1), 1, "map, reduce: must be arrays");
        for (lua_Integer i = 1, size = luaL_len(L, -1); i < size; i += 2) {
            uint64_t duration = (uint64_t)element(L, i, 0, DURATION_MOST);
            uint32_t count = (uint32_t)element(L, i + 1, 1, (lua_Integer)UINT32_MAX);
            if (!makespan_table_tasks(work, (enum pn_makespan_stage)s, duration, count))
                workload_out_of_memory(L);
        }
    }
    lua_pop(L, 1);
}

/* Reads the tasks, which go into the table at once. */
static void read_fields(lua_State *L, int at, source *table, void *any)
{
    pn_makespan_job *job = any;
    for (int s = 0; s < 2; s++)
        read_stage(L, at, s, &job->stage[s]);
    if (!makespan_table_begin(table, job))
        workload_out_of_memory(L);
    for (int s = 0; s < 2; s++)
        read_tasks(L, at, s, table);
}

/* (jobs, ticks): each with its numbers in ticks; map and reduce are arrays of the duration and the
 * number of equal tasks: d1, n1, d2, n2 and so on. */
static int make_makespan_table(lua_State *L)
{
    lua_Integer ticks = luaL_checkinteger(L, 2);
    workload *self = workload_begin_table(L);
    luaL_argcheck(L, ticks >= 1 && ticks <= (lua_Integer)PN_INTEGER_MAX, 2, "must be in 1..2^53");
    self->work = makespan_table_new((uint64_t)ticks);
    if (!self->work)
        return workload_out_of_memory(L);
    return workload_read_table(L, &makespan_job, self->work,
                               &(workload_table){.read = read_fields});
}

/* Fills in what a generator left in the table on top of the stack. */
static int filled(lua_State *L, const source *table, int answer)
{
    return answer == SOURCE_END ? 1 : push_failure(L, source_stopped(table, answer));
}

static uint64_t field_seed(lua_State *L)
{
    return (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
}

static uint32_t field_replica(lua_State *L)
{
    return (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
}

/* { jobs, maps, reduces, map_length, reduce_length, spread, stragglers, times, most, seed, replica
 * } */
static int make_batch(lua_State *L)
{
    static const char *const lengths[2] = {"map_length", "reduce_length"};
    batch_shape shape = {.jobs = (uint64_t)field_integer(L, 1, "jobs", 1, BATCH_JOBS_MAX),
                         .stragglers = field_number(L, 1, "stragglers"),
                         .times = field_number(L, 1, "times"),
                         .tasks_most = (uint32_t)field_integer(L, 1, "most", 1, BATCH_TASKS_MAX)};
    const char *fault = workload_distribution(L, "spread", &shape.spread, DISTRIBUTION_FACTORS);
    uint64_t seed = field_seed(L);
    uint32_t replica = field_replica(L);
    workload *self;
    for (int s = 0; s < 2 && !fault; s++) {
        fault = workload_distribution(L, stage_tasks[s], &shape.tasks[s], DISTRIBUTION_SIZES);
        if (!fault)
            fault = workload_distribution(L, lengths[s], &shape.length[s], DISTRIBUTION_SIZES);
    }
    if (!fault && !(shape.stragglers >= 0.0 && shape.stragglers <= 1.0))
        fault = "stragglers: must be in 0..1";
    if (!fault && !(shape.times > 0.0 && shape.times <= (double)PN_INTEGER_MAX))
        fault = "times: must be > 0 and at most 2^53";
    if (fault)
        return push_failure(L, fault);
    self = push_table(L, 1);
    return filled(L, self->work, makespan_batch_fill(self->work, &shape, seed, replica));
}

/* { jobs, bins, map_length, reduce_length, seed, replica } */
static int make_facebook_batch(lua_State *L)
{
    distribution map_length, reduce_length;
    uint64_t jobs = (uint64_t)field_integer(L, 1, "jobs", 1, (lua_Integer)PN_INTEGER_MAX),
             seed = field_seed(L);
    lua_Integer bins = field_integer(L, 1, "bins", 6, 9);
    uint32_t replica = field_replica(L);
    const char *fault = workload_distribution(L, "map_length", &map_length, DISTRIBUTION_SIZES);
    workload *self;
    luaL_argcheck(L, bins == 6 || bins == 9, 1, "bins: must be 6 or 9");
    if (!fault)
        fault = workload_distribution(L, "reduce_length", &reduce_length, DISTRIBUTION_SIZES);
    if (!fault && jobs > BATCH_JOBS_MAX)
        fault = "jobs: a batch has at most 1000000";
    if (fault)
        return push_failure(L, fault);
    self = push_table(L, 1);
    return filled(L, self->work,
                  makespan_facebook_fill(self->work, jobs, (uint32_t)bins, &map_length,
                                         &reduce_length, seed, replica));
}

/* { path, unit, reduce_bytes, scale_num, scale_den, tasks, map_start, map_rate, reduce_start,
 * reduce_rate, first, jobs }: also returns what was counted. */
static int make_swim_batch(lua_State *L)
{
    const char *path = field_string(L, 1, "path");
    lua_Integer most = (lua_Integer)PN_INTEGER_MAX, start_most = (lua_Integer)1 << 30;
    swim_batch batch = {
        .mapping = {.slot_seconds = 1,
                    .unit = (uint64_t)field_integer(L, 1, "unit", 1, most),
                    .reduce_bytes = (uint64_t)field_integer(L, 1, "reduce_bytes", 1, most),
                    .scale_num = (uint64_t)field_integer(L, 1, "scale_num", 1, most),
                    .scale_den = (uint64_t)field_integer(L, 1, "scale_den", 1, most),
                    .machines = 1},
        .tasks_most = (uint64_t)field_integer(L, 1, "tasks", 1, (lua_Integer)1 << 31),
        .map = {(uint64_t)field_integer(L, 1, "map_start", 0, start_most),
                (uint64_t)field_integer(L, 1, "map_rate", 1, most)},
        .reduce = {(uint64_t)field_integer(L, 1, "reduce_start", 0, start_most),
                   (uint64_t)field_integer(L, 1, "reduce_rate", 1, most)},
        .first = (uint64_t)field_integer_or(L, 1, "first", 1, most, 1),
        .jobs = (uint64_t)field_integer_or(L, 1, "jobs", 1, most, most)};
    char message[SWIM_MESSAGE_SIZE];
    swim_summary summary;
    workload *self = push_table(L, 1);
    if (!swim_read_batch(path, &batch, self->work, &summary, message))
        return push_failure(L, message);
    workload_push_summary(L, &summary, self->work->count);
    return 2;
}

static const luaL_Reg makers[] = {{"workload_makespan_table", make_makespan_table},
                                  {"workload_batch", make_batch},
                                  {"workload_facebook_batch", make_facebook_batch},
                                  {"workload_swim_batch", make_swim_batch},
                                  {NULL, NULL}};

static uint64_t ticks_of(const source *work)
{
    return makespan_source_of(work)->ticks;
}

/* Adds a copy of a job with its tasks. */
static int add_whole(source *table, const void *any)
{
    const pn_makespan_job *job = any;
    int added = makespan_table_begin(table, job);
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; added && i < job->stage[s].stretch_count; i++)
            added = makespan_table_tasks(table, (enum pn_makespan_stage)s,
                                         job->stage[s].stretches[i].duration,
                                         job->stage[s].stretches[i].count);
    return added;
}

const workload_model workload_makespan = {.is_table = always_a_table,
                                          .totals = push_totals,
                                          .job = &makespan_job,
                                          .at = push_job_at,
                                          .jobs = push_jobs,
                                          .makers = makers,
                                          .ticks = ticks_of,
                                          .batch = makespan_table_new,
                                          .add = add_whole};
