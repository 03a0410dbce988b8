/* Workloads of the dag model in Lua: makers, jobs, and what can be said of all jobs together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "model.h"
#include "core/workload.h"
#include "pinion/models/dag/sources/jobs.h"
#include "pinion/models/dag/sources/path.h"

#define TIME_MOST ((lua_Integer)PN_DAG_MOST_MS)

/* ---- totals ---------------------------------------------------------------------------------- */

/* What is counted of every job; the last, where it has one. */
enum quantity {
    QUANTITY_STAGES,
    QUANTITY_TASKS,
    QUANTITY_WORK,
    QUANTITY_LONGEST,
    QUANTITY_PATH,
    QUANTITY_DEADLINE,
    QUANTITIES
};

static const char *const quantity_names[QUANTITIES] = {"stages",       "tasks",         "work",
                                                       "longest_task", "critical_path", "deadline"};

typedef struct dag_totals {
    counted quantities[QUANTITIES];
    uint64_t jobs, deadlines, edges;
    double areas[PN_DISPATCH_RESOURCES_MAX]; /* demand times ms */
    uint64_t first_arrival, last_arrival;
    double *lengths; /* of the stages of a job: their longest tasks */
    size_t length_room;
    dag_path_room room;
} dag_totals;

/* The tasks of a stage, before anything is drawn, ms. */
typedef struct task_times {
    double sum, longest;
} task_times;

static task_times times_of(const pn_dag_stage *stage)
{
    task_times all = {(double)stage->tasks * (double)stage->duration, (double)stage->duration};
    if (!stage->durations)
        return all;
    all = (task_times){0.0, 0.0};
    for (uint32_t i = 0; i < stage->tasks; i++) {
        double time = (double)stage->durations[i];
        all.sum += time;
        all.longest = time > all.longest ? time : all.longest;
    }
    return all;
}

/* Counts the path of a job whose lengths are set; 0 when memory is short. */
static int count_path(dag_totals *totals, const pn_dag_job *job)
{
    double path = dag_longest_path(job, totals->lengths, &totals->room);
    if (path < 0.0)
        return 0;
    counted_add(&totals->quantities[QUANTITY_PATH], path);
    return 1;
}

static int make_lengths(dag_totals *totals, uint32_t stages)
{
    void *lengths = totals->lengths;
    int grown = 1;
    while (grown && totals->length_room < stages)
        grown = source_grow(&lengths, totals->length_room, &totals->length_room,
                            sizeof *totals->lengths);
    totals->lengths = lengths;
    return grown;
}

static void count_job(dag_totals *totals, const pn_dag_job *job)
{
    counted *quantities = totals->quantities;
    double tasks = 0.0, work = 0.0, longest = 0.0;
    for (uint32_t i = 0; i < job->stage_count; i++) {
        const pn_dag_stage *stage = &job->stages[i];
        task_times times = times_of(stage);
        tasks += (double)stage->tasks;
        work += times.sum;
        longest = times.longest > longest ? times.longest : longest;
        totals->lengths[i] = times.longest;
        totals->edges += stage->parent_count;
        for (int r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
            totals->areas[r] += times.sum * (double)stage->demand[r];
    }
    if (totals->jobs++ == 0)
        totals->first_arrival = job->arrival;
    totals->last_arrival = job->arrival;
    totals->deadlines += job->deadline > 0;
    counted_add(&quantities[QUANTITY_STAGES], (double)job->stage_count);
    counted_add(&quantities[QUANTITY_TASKS], tasks);
    counted_add(&quantities[QUANTITY_WORK], work);
    counted_add(&quantities[QUANTITY_LONGEST], longest);
    if (job->deadline > 0)
        counted_add(&quantities[QUANTITY_DEADLINE], (double)job->deadline);
}

static int collect(dag_totals *totals, source *work)
{
    pn_dag_job job;
    int answer;
    work->rewind(work);
    while ((answer = source_next(work, &job)) == SOURCE_JOB) {
        if (interrupt_pending()) /* a job may list a million durations */
            return SOURCE_INTERRUPTED;
        if (!make_lengths(totals, job.stage_count))
            return source_out_of_memory(work);
        count_job(totals, &job);
        if (!count_path(totals, &job))
            return source_out_of_memory(work);
    }
    return answer;
}

/* Sets "areas": of each resource that the jobs have. */
static void set_areas(lua_State *L, const dag_totals *totals, uint32_t resources)
{
    lua_createtable(L, (int)resources, 0);
    for (uint32_t r = 0; r < resources; r++) {
        lua_pushnumber(L, totals->areas[r]);
        lua_rawseti(L, -2, (lua_Integer)r + 1);
    }
    lua_setfield(L, -2, "areas");
}

static int push_totals(lua_State *L, source *work)
{
    dag_totals totals = {.jobs = 0};
    int answer;
    workload_count_quantities(L, totals.quantities, QUANTITIES);
    answer = collect(&totals, work);
    free(totals.lengths);
    dag_path_room_free(&totals.room);
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    lua_createtable(L, 0, 12);
    set_integer(L, "jobs", totals.jobs);
    set_integer(L, "deadlines", totals.deadlines);
    set_integer(L, "parents", totals.edges);
    set_areas(L, &totals, dag_source_of(work)->resources);
    for (enum quantity i = 0; i < QUANTITIES; i++)
        workload_set_counted(L, quantity_names[i], &totals.quantities[i]);
    if (totals.jobs > 0) {
        set_integer(L, "first_arrival", totals.first_arrival);
        set_integer(L, "last_arrival", totals.last_arrival);
    }
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Values in the lists of all jobs. */
#define LISTED_MOST 20000000

static void set_numbers(lua_State *L, const char *name, const uint64_t *numbers, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)numbers[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_parents(lua_State *L, const pn_dag_stage *stage)
{
    if (stage->parent_count == 0)
        return;
    lua_createtable(L, (int)stage->parent_count, 0);
    for (uint32_t i = 0; i < stage->parent_count; i++) {
        lua_pushinteger(L, (lua_Integer)stage->parents[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "parents");
}

static void push_stage(lua_State *L, const pn_dag_stage *stage, uint32_t resources)
{
    lua_createtable(L, 0, 5);
    if (stage->durations) {
        set_numbers(L, "durations", stage->durations, stage->tasks);
    } else {
        set_integer(L, "tasks", stage->tasks);
        set_integer(L, "duration", stage->duration);
    }
    set_numbers(L, "demand", stage->demand, resources);
    set_parents(L, stage);
    if (stage->estimate > 0)
        set_integer(L, "estimate", stage->estimate);
    if (stage->start_ms != PN_DAG_AUTO)
        set_integer(L, "start_ms", stage->start_ms);
}

static void push_job(lua_State *L, const dag_source *dag, const pn_dag_job *job)
{
    workload_push_fields(L, &dag_job, job);
    if (dag->queue_count > 0)
        set_string(L, "queue", dag->queue_names[job->queue]);
    lua_createtable(L, (int)job->stage_count, 0);
    for (uint32_t i = 0; i < job->stage_count; i++) {
        push_stage(L, &job->stages[i], dag->resources);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "stages");
}

/* Counts the values of lists so far in *state. */
static const char *push_next(lua_State *L, const source *work, void *any, void *state)
{
    const pn_dag_job *job = any;
    uint64_t *values = state;
    for (uint32_t i = 0; i < job->stage_count; i++)
        *values += 1 + (job->stages[i].durations ? job->stages[i].tasks : 0);
    if (*values > LISTED_MOST)
        return lua_pushfstring(L, "the workload lists more than %d stages and durations",
                               LISTED_MOST);
    push_job(L, dag_source_of(work), job);
    return NULL;
}

static int push_jobs(lua_State *L, source *work, lua_Integer limit)
{
    pn_dag_job job;
    uint64_t values = 0;
    return workload_push_jobs(L, work, limit, &job, push_next, &values);
}

static int push_job_at(lua_State *L, source *work, uint64_t index)
{
    pn_dag_job job;
    dag_table_at(work, index, &job);
    push_job(L, dag_source_of(work), &job);
    return 1;
}

/* ---- makers ---------------------------------------------------------------------------------- */

/* Lists are checked where users write them, here for what would break C: the length of the list in
 * this field of the entry on top of the stack, 0 where there is none. */
static uint32_t length_of(lua_State *L, const char *name, lua_Integer most)
{
    lua_Integer length = 0;
    if (lua_getfield(L, -1, name) != LUA_TNIL) {
        luaL_argcheck(L, lua_istable(L, -1), 1, lua_pushfstring(L, "%s: must be an array", name));
        length = luaL_len(L, -1);
        luaL_argcheck(L, length <= most, 1,
                      lua_pushfstring(L, "%s: has more than %I entries", name, (LUAI_UACINT)most));
    }
    lua_pop(L, 1);
    return (uint32_t)length;
}

static uint64_t element(lua_State *L, const char *name, uint32_t index, lua_Integer most)
{
    lua_geti(L, -1, (lua_Integer)index + 1);
    lua_Integer value = lua_tointeger(L, -1);
    if (!lua_isinteger(L, -1) || value < 0 || value > most)
        luaL_argerror(L, 1,
                      lua_pushfstring(L, "%s[%I]: must be an integer in 0..%I", name,
                                      (LUAI_UACINT)index + 1, (LUAI_UACINT)most));
    lua_pop(L, 1);
    return (uint64_t)value;
}

/* Room for the lists of a job, in userdata on the stack. */
typedef struct job_room {
    pn_dag_stage *stages;
    uint64_t *durations;
    uint32_t *parents;
} job_room;

/* Makes room; the stages are on top of the stack. */
static job_room make_room(lua_State *L, uint32_t stages)
{
    size_t durations = 0, parents = 0;
    for (uint32_t i = 0; i < stages; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        luaL_argcheck(L, lua_istable(L, -1), 1, "stages: must be an array of tables");
        durations += length_of(L, "durations", PN_DISPATCH_TASKS_MOST);
        parents += length_of(L, "parents", PN_DISPATCH_EDGES_MOST);
        lua_pop(L, 1);
    }
    job_room room;
    room.stages = lua_newuserdatauv(L, (stages + (size_t)1) * sizeof *room.stages, 0);
    room.durations = lua_newuserdatauv(L, (durations + 1) * sizeof *room.durations, 0);
    room.parents = lua_newuserdatauv(L, (parents + 1) * sizeof *room.parents, 0);
    return room;
}

static void read_durations(lua_State *L, pn_dag_stage *stage, job_room *room)
{
    uint32_t count = length_of(L, "durations", PN_DISPATCH_TASKS_MOST);
    if (count == 0)
        return;
    lua_getfield(L, -1, "durations");
    for (uint32_t i = 0; i < count; i++)
        room->durations[i] = element(L, "durations", i, TIME_MOST);
    lua_pop(L, 1);
    stage->tasks = count;
    stage->durations = room->durations;
    room->durations += count;
}

static void read_parents(lua_State *L, pn_dag_stage *stage, job_room *room)
{
    uint32_t count = length_of(L, "parents", PN_DISPATCH_EDGES_MOST);
    if (count == 0)
        return;
    lua_getfield(L, -1, "parents");
    for (uint32_t i = 0; i < count; i++)
        room->parents[i] = (uint32_t)element(L, "parents", i, UINT32_MAX);
    lua_pop(L, 1);
    stage->parent_count = count;
    stage->parents = room->parents;
    room->parents += count;
}

static uint64_t stage_field(lua_State *L, const char *name, lua_Integer most, uint64_t missing)
{
    lua_Integer value = field_integer_or(L, lua_gettop(L), name, 0, most, -1);
    return value < 0 ? missing : (uint64_t)value;
}

/* Reads the stage on top of the stack. */
static void read_stage(lua_State *L, pn_dag_stage *stage, job_room *room, uint32_t resources)
{
    *stage = (pn_dag_stage){.tasks = (uint32_t)stage_field(L, "tasks", PN_DISPATCH_TASKS_MOST, 0),
                            .duration = stage_field(L, "duration", TIME_MOST, 0),
                            .estimate = stage_field(L, "estimate", TIME_MOST, 0),
                            .start_ms = stage_field(L, "start_ms", TIME_MOST, PN_DAG_AUTO)};
    luaL_argcheck(L, length_of(L, "demand", PN_DISPATCH_RESOURCES_MAX) == resources, 1,
                  "demand: must be as long in all stages");
    lua_getfield(L, -1, "demand");
    for (uint32_t r = 0; r < resources; r++)
        stage->demand[r] = element(L, "demand", r, (lua_Integer)PN_DISPATCH_DEMAND_MOST);
    lua_pop(L, 1);
    read_durations(L, stage, room);
    read_parents(L, stage, room);
}

/* Reads the stages, whose lists are in userdata on the stack. */
static void read_fields(lua_State *L, int at, source *table, void *any)
{
    pn_dag_job *job = any;
    const char *queue = field_string_or_null(L, at, "queue");
    lua_Integer count = field_list(L, at, "stages", PN_DISPATCH_STAGES_MOST);
    int list = lua_gettop(L);
    job_room room = make_room(L, (uint32_t)count);
    if (!dag_table_queue(table, queue ? queue : "default", &job->queue))
        workload_out_of_memory(L);
    job->stages = room.stages;
    job->stage_count = (uint32_t)count;
    for (uint32_t i = 0; i < job->stage_count; i++) {
        lua_geti(L, list, (lua_Integer)i + 1);
        read_stage(L, &room.stages[i], &room, dag_source_of(table)->resources);
        lua_pop(L, 1);
    }
}

/* Returns how long the demands of the first stage of the jobs at index 1 are. */
static uint32_t resources_of(lua_State *L)
{
    uint32_t resources = 1;
    lua_geti(L, 1, 1);
    if (lua_istable(L, -1) && lua_getfield(L, -1, "stages") == LUA_TTABLE &&
        lua_geti(L, -1, 1) == LUA_TTABLE)
        resources = length_of(L, "demand", PN_DISPATCH_RESOURCES_MAX);
    lua_settop(L, 1);
    return resources;
}

/* Makes a table of an array of jobs as scenario files have them, by arrival. */
static int make_dag_table(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    uint32_t resources = resources_of(L);
    workload *self = workload_begin_table(L);
    self->work = dag_table_new(resources);
    if (!self->work)
        return workload_out_of_memory(L);
    return workload_read_table(L, &dag_job, self->work,
                               &(workload_table){.add = dag_table_add, .read = read_fields});
}

static void scripted(source *self, const pn_lua_workload *script)
{
    dag_source *jobs = (dag_source *)self;
    jobs->resources = pn_lua_workload_resources(script);
    jobs->queue_names = pn_lua_workload_queues(script, &jobs->queue_count);
}

static const luaL_Reg makers[] = {{"workload_dag_table", make_dag_table},
                                  {"workload_dag_random", workload_make_dag_random},
                                  {NULL, NULL}};

const workload_model workload_dag = {.is_table = dag_is_table,
                                     .totals = push_totals,
                                     .job = &dag_job,
                                     .at = push_job_at,
                                     .jobs = push_jobs,
                                     .makers = makers,
                                     .changes = &changed_dag,
                                     .scripted = scripted};
