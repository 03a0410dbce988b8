/* Workloads of the cluster model in Lua: makers, jobs, and what can be said of all jobs
 * together. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/bounds.h"
#include "cluster.h"
#include "workload.h"
#include "workload/cluster.h"

#define TASKS_MOST    ((lua_Integer)LIMIT_JOB_TASKS)
#define TIME_MOST     ((lua_Integer)PN_CLUSTER_MOST_MS)
#define REPLICAS_MOST ((lua_Integer)1 << 16)
#define NODES_MOST    ((lua_Integer)1 << 22)

/* ---- totals ---------------------------------------------------------------------------------- */

/* What is counted of every job; of reduces, where it has any; the last, where it has one. */
enum quantity {
    QUANTITY_MAP_TASKS,
    QUANTITY_MAP_WORK,
    QUANTITY_LONGEST_MAP,
    QUANTITY_REDUCE_TASKS,
    QUANTITY_REDUCE_WORK,
    QUANTITY_LONGEST_REDUCE,
    QUANTITY_DEADLINE,
    QUANTITIES
};

static const char *const quantity_names[QUANTITIES] = {
    "map_tasks",   "map_work",       "longest_map", "reduce_tasks",
    "reduce_work", "longest_reduce", "deadline"};

typedef struct cluster_totals {
    counted quantities[QUANTITIES];
    uint64_t jobs, map_only, deadlines, placed; /* jobs whose inputs' nodes are listed */
    double shuffle_work;
    uint64_t first_submit, last_submit;
} cluster_totals;

/* One kind of a job's tasks, before anything is drawn. */
typedef struct task_times {
    double sum, longest;
} task_times;

static task_times times_of(uint32_t tasks, uint64_t every, const uint64_t *times,
                           const uint32_t *factor)
{
    task_times all = {0.0, 0.0};
    for (uint32_t i = 0; (times || factor) && i < tasks; i++) {
        double time = (double)(times ? times[i] : every) *
                      (factor ? (double)factor[i] / 1000.0 : 1.0);
        all.sum += time;
        all.longest = time > all.longest ? time : all.longest;
    }
    if (!times && !factor)
        all = (task_times){(double)tasks * (double)every, (double)every};
    return all;
}

static void count_job(cluster_totals *totals, const pn_cluster_job *job)
{
    task_times maps = times_of(job->maps, job->map_ms, job->map_times, job->map_factor);
    task_times reduces = times_of(job->reduces, job->reduce_ms, job->reduce_times,
                                  job->reduce_factor);
    counted *quantities = totals->quantities;
    if (totals->jobs++ == 0)
        totals->first_submit = job->submit;
    totals->last_submit = job->submit;
    totals->map_only += job->reduces == 0;
    totals->deadlines += job->deadline > 0;
    totals->placed += job->block_counts != NULL;
    totals->shuffle_work +=
        times_of(job->reduces, job->shuffle_ms, job->shuffle_times, job->reduce_factor).sum;
    counted_add(&quantities[QUANTITY_MAP_TASKS], (double)job->maps);
    counted_add(&quantities[QUANTITY_MAP_WORK], maps.sum);
    counted_add(&quantities[QUANTITY_LONGEST_MAP], maps.longest);
    if (job->reduces > 0) {
        counted_add(&quantities[QUANTITY_REDUCE_TASKS], (double)job->reduces);
        counted_add(&quantities[QUANTITY_REDUCE_WORK], reduces.sum);
        counted_add(&quantities[QUANTITY_LONGEST_REDUCE], reduces.longest);
    }
    if (job->deadline > 0)
        counted_add(&quantities[QUANTITY_DEADLINE], (double)job->deadline);
}

static int collect(cluster_totals *totals, source *work)
{
    pn_cluster_job job;
    int answer;
    work->rewind(work);
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        if (interrupt_pending()) /* a job may list a million times */
            return SOURCE_INTERRUPTED;
        count_job(totals, &job);
    }
    return answer;
}

static int push_totals(lua_State *L, source *work)
{
    cluster_totals totals = {.jobs = 0};
    int answer;
    workload_count_quantities(L, totals.quantities, QUANTITIES);
    answer = collect(&totals, work);
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    lua_createtable(L, 0, 15);
    set_integer(L, "jobs", totals.jobs);
    set_integer(L, "map_only", totals.map_only);
    set_integer(L, "deadlines", totals.deadlines);
    set_integer(L, "placed", totals.placed);
    set_number(L, "shuffle_work", totals.shuffle_work);
    for (enum quantity i = 0; i < QUANTITIES; i++)
        workload_set_counted(L, quantity_names[i], &totals.quantities[i]);
    if (totals.jobs > 0) {
        set_integer(L, "first_submit", totals.first_submit);
        set_integer(L, "last_submit", totals.last_submit);
    }
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Values in the lists of all jobs. */
#define LISTED_MOST 20000000

static void set_unless_zero(lua_State *L, const char *name, uint64_t value)
{
    if (value > 0)
        set_integer(L, name, value);
}

static void set_times(lua_State *L, const char *name, const uint64_t *times, uint32_t count)
{
    if (!times)
        return;
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)times[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, name);
}

static void push_values(lua_State *L, const uint32_t *values, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void set_factor(lua_State *L, const char *name, const uint32_t *factor, uint32_t count)
{
    if (!factor)
        return;
    push_values(L, factor, count);
    lua_setfield(L, -2, name);
}

static void set_blocks(lua_State *L, const pn_cluster_job *job)
{
    const uint32_t *nodes = job->blocks;
    if (!job->block_counts)
        return;
    lua_createtable(L, (int)job->maps, 0);
    for (uint32_t i = 0; i < job->maps; i++) {
        push_values(L, nodes, job->block_counts[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
        nodes += job->block_counts[i];
    }
    lua_setfield(L, -2, "blocks");
}

static void set_signed(lua_State *L, const char *name, int32_t value)
{
    if (value == 0)
        return;
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

static void push_job(lua_State *L, const pn_cluster_job *job)
{
    lua_createtable(L, 0, 8);
    set_integer(L, "submit", job->submit);
    set_integer(L, "maps", job->maps);
    set_integer(L, "reduces", job->reduces);
    if (!job->map_times)
        set_integer(L, "map_ms", job->map_ms);
    set_unless_zero(L, "remote_ms", job->remote_ms);
    if (!job->reduce_times)
        set_unless_zero(L, "reduce_ms", job->reduce_ms);
    if (!job->shuffle_times)
        set_unless_zero(L, "shuffle_ms", job->shuffle_ms);
    set_unless_zero(L, "deadline", job->deadline);
    set_unless_zero(L, "est_map_ms", job->est_map_ms);
    set_unless_zero(L, "est_reduce_ms", job->est_reduce_ms);
    set_unless_zero(L, "input", job->input);
    set_unless_zero(L, "intermediate", job->intermediate);
    set_integer(L, "group", job->group);
    set_unless_zero(L, "weight", job->weight);
    set_signed(L, "priority", job->priority);
    set_times(L, "map_times", job->map_times, job->maps);
    set_times(L, "reduce_times", job->reduce_times, job->reduces);
    set_times(L, "shuffle_times", job->shuffle_times, job->reduces);
    set_factor(L, "map_factor", job->map_factor, job->maps);
    set_factor(L, "reduce_factor", job->reduce_factor, job->reduces);
    set_blocks(L, job);
}

static uint64_t listed(const pn_cluster_job *job)
{
    const void *const of_maps[] = {job->map_times, job->map_factor, job->block_counts};
    const void *const of_reduces[] = {job->reduce_times, job->shuffle_times, job->reduce_factor};
    uint64_t values = 0;
    for (int i = 0; i < 3; i++)
        values += (of_maps[i] ? job->maps : 0) + (uint64_t)(of_reduces[i] ? job->reduces : 0);
    return values;
}

/* Counts the listed times so far in *state. */
static const char *push_next(lua_State *L, const source *work, void *job, void *state)
{
    uint64_t *values = state;
    (void)work;
    *values += listed(job);
    if (*values > LISTED_MOST)
        return lua_pushfstring(L, "the workload lists the times of more than %d tasks",
                               LISTED_MOST);
    push_job(L, job);
    return NULL;
}

static int push_jobs(lua_State *L, source *work, lua_Integer limit)
{
    pn_cluster_job job;
    uint64_t values = 0;
    return workload_push_jobs(L, work, limit, &job, push_next, &values);
}

static int push_job_at(lua_State *L, source *work, uint64_t index)
{
    pn_cluster_job job;
    cluster_table_at(work, index, &job);
    push_job(L, &job);
    return 1;
}

/* ---- makers ---------------------------------------------------------------------------------- */

static workload *push_table(lua_State *L)
{
    workload *self = workload_push(L);
    self->work = cluster_table_new();
    if (!self->work)
        workload_out_of_memory(L);
    return self;
}

/* What is wrong with a list; the arrays are checked where users write them, here for what would
 * break C. */
static lua_Integer element(lua_State *L, const char *name, lua_Integer index, lua_Integer low,
                           lua_Integer high)
{
    lua_Integer value;
    lua_rawgeti(L, -1, index);
    value = lua_tointeger(L, -1);
    if (!lua_isinteger(L, -1) || value < low || value > high)
        luaL_argerror(L, 1,
                      lua_pushfstring(L, "%s[%I]: must be an integer in %I..%I", name,
                                      (LUAI_UACINT)index, (LUAI_UACINT)low, (LUAI_UACINT)high));
    lua_pop(L, 1);
    return value;
}

/* Pushes the list of the job at index 2, which has so many values, or nothing; 0 when it is
 * missing. */
static int push_list(lua_State *L, const char *name, uint32_t count)
{
    if (lua_getfield(L, 2, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != count)
        luaL_argerror(L, 1, lua_pushfstring(L, "%s: must be an array of %d", name, (int)count));
    return 1;
}

/* The values live in a userdata that takes the list's place on the stack. */
static const uint64_t *read_times(lua_State *L, const char *name, uint32_t count)
{
    uint64_t *times;
    if (!push_list(L, name, count))
        return NULL;
    times = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *times, 0);
    lua_insert(L, -2);
    for (uint32_t i = 0; i < count; i++)
        times[i] = (uint64_t)element(L, name, (lua_Integer)i + 1, 0, TIME_MOST);
    lua_pop(L, 1);
    return times;
}

static const uint32_t *read_factor(lua_State *L, const char *name, uint32_t count)
{
    uint32_t *factor;
    if (!push_list(L, name, count))
        return NULL;
    factor = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *factor, 0);
    lua_insert(L, -2);
    for (uint32_t i = 0; i < count; i++)
        factor[i] = (uint32_t)element(L, name, (lua_Integer)i + 1, 1, PN_CLUSTER_FACTOR_MOST);
    lua_pop(L, 1);
    return factor;
}

/* The array of arrays on top of the stack: how many nodes each map has, into `counts`. All of them
 * together. */
static size_t count_blocks(lua_State *L, uint32_t maps, uint32_t *counts)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < maps; i++) {
        luaL_argcheck(L,
                      lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TTABLE &&
                          lua_rawlen(L, -1) <= (size_t)REPLICAS_MOST,
                      1, "blocks: must be arrays of nodes");
        counts[i] = (uint32_t)lua_rawlen(L, -1);
        sum += counts[i];
        lua_pop(L, 1);
    }
    return sum;
}

static void read_blocks(lua_State *L, pn_cluster_job *job)
{
    uint32_t *counts, *nodes;
    if (!push_list(L, "blocks", job->maps))
        return;
    counts = lua_newuserdatauv(L, ((size_t)job->maps + 1) * sizeof *counts, 0);
    lua_insert(L, -2);
    nodes = lua_newuserdatauv(L, (count_blocks(L, job->maps, counts) + 1) * sizeof *nodes, 0);
    lua_insert(L, -2);
    job->block_counts = counts;
    job->blocks = nodes;
    for (uint32_t i = 0; i < job->maps; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        for (uint32_t k = 0; k < counts[i]; k++)
            *nodes++ = (uint32_t)element(L, "blocks", (lua_Integer)k + 1, 0, NODES_MOST - 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static uint64_t field_time(lua_State *L, const char *name)
{
    return (uint64_t)field_integer_or(L, 2, name, 0, TIME_MOST, 0);
}

static uint64_t field_size(lua_State *L, const char *name)
{
    return (uint64_t)field_integer_or(L, 2, name, 0, (lua_Integer)PN_INTEGER_MAX, 0);
}

/* The job at index 2; its lists are in userdata on the stack. */
static pn_cluster_job read_job(lua_State *L, lua_Integer earliest)
{
    pn_cluster_job job = {
        .submit = (uint64_t)field_integer(L, 2, "submit", earliest, (lua_Integer)PN_INTEGER_MAX),
        .maps = (uint32_t)field_integer(L, 2, "maps", 1, TASKS_MOST),
        .reduces = (uint32_t)field_integer_or(L, 2, "reduces", 0, TASKS_MOST, 0),
        .map_ms = field_time(L, "map_ms"),
        .remote_ms = field_time(L, "remote_ms"),
        .reduce_ms = field_time(L, "reduce_ms"),
        .shuffle_ms = field_time(L, "shuffle_ms"),
        .deadline = field_size(L, "deadline"),
        .est_map_ms = field_time(L, "est_map_ms"),
        .est_reduce_ms = field_time(L, "est_reduce_ms"),
        .input = field_size(L, "input"),
        .intermediate = field_size(L, "intermediate"),
        .group = (uint32_t)field_integer_or(L, 2, "group", 0, (lua_Integer)UINT32_MAX - 1, 0),
        .weight = (uint32_t)field_integer_or(L, 2, "weight", 1, PN_SCHEDULER_WEIGHT_MOST, 0),
        .priority = (int32_t)field_integer_or(L, 2, "priority", -PN_SCHEDULER_PRIORITY_MOST,
                                              PN_SCHEDULER_PRIORITY_MOST, 0)};
    job.map_times = read_times(L, "map_times", job.maps);
    job.reduce_times = read_times(L, "reduce_times", job.reduces);
    job.shuffle_times = read_times(L, "shuffle_times", job.reduces);
    job.map_factor = read_factor(L, "map_factor", job.maps);
    job.reduce_factor = read_factor(L, "reduce_factor", job.reduces);
    read_blocks(L, &job);
    return job;
}

/* An array of jobs as scenario files have them, by submission. */
static int make_cluster_table(lua_State *L)
{
    workload *self;
    lua_Integer jobs, earliest = 0;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    jobs = luaL_len(L, 1);
    lua_pushnil(L); /* index 2: the job that is being read */
    self = push_table(L);
    for (lua_Integer i = 1; i <= jobs; i++) {
        pn_cluster_job job;
        if (workload_interrupted(i))
            return push_failure(L, "interrupted");
        lua_geti(L, 1, i);
        luaL_argcheck(L, lua_istable(L, -1), 1, "must be an array of jobs");
        lua_replace(L, 2);
        job = read_job(L, earliest);
        earliest = (lua_Integer)job.submit;
        if (!cluster_table_add(self->work, &job))
            return workload_out_of_memory(L);
        lua_settop(L, 3);
    }
    return 1;
}

static const char *field_distribution(lua_State *L, const char *name, distribution *times)
{
    return workload_distribution(L, name, times, DISTRIBUTION_SIZES);
}

/* { jobs, bins, gap_ms, map_ms, reduce_ms, remote_ms, reduce_block_ms, shuffle_block_ms, seed,
 * replica } */
static int make_facebook_cluster(lua_State *L)
{
    facebook_times times;
    uint64_t jobs = (uint64_t)field_integer(L, 1, "jobs", 1, (lua_Integer)PN_INTEGER_MAX);
    lua_Integer bins = field_integer(L, 1, "bins", 6, 9);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    const char *fault = field_distribution(L, "map_ms", &times.map_ms);
    workload *self;
    luaL_argcheck(L, bins == 6 || bins == 9, 1, "bins: must be 6 or 9");
    times.gap_ms = field_number(L, 1, "gap_ms");
    times.remote_ms = (uint64_t)field_integer(L, 1, "remote_ms", 0, TIME_MOST);
    times.reduce_block_ms = (uint64_t)field_integer(L, 1, "reduce_block_ms", 0, TIME_MOST / 4800);
    times.shuffle_block_ms = (uint64_t)field_integer(L, 1, "shuffle_block_ms", 0, TIME_MOST / 4800);
    if (!fault)
        fault = field_distribution(L, "reduce_ms", &times.reduce_ms);
    if (!fault && !(times.gap_ms >= 0.0 && times.gap_ms <= (double)PN_INTEGER_MAX))
        fault = "gap_ms: must be in 0..2^53";
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = cluster_facebook_new(jobs, (uint32_t)bins, &times, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

/* { path, unit, reduce_bytes, scale_num, scale_den, tasks, map_start_ms, map_rate, remote_ms,
 * reduce_start_ms, shuffle_rate, write_rate, first, jobs }: also returns what was counted. */
static int make_swim_cluster(lua_State *L)
{
    const char *path = field_string(L, 1, "path");
    lua_Integer most = (lua_Integer)PN_INTEGER_MAX;
    swim_cluster cluster = {
        .mapping = {.slot_seconds = 1,
                    .unit = (uint64_t)field_integer(L, 1, "unit", 1, most),
                    .reduce_bytes = (uint64_t)field_integer(L, 1, "reduce_bytes", 1, most),
                    .scale_num = (uint64_t)field_integer(L, 1, "scale_num", 1, most),
                    .scale_den = (uint64_t)field_integer(L, 1, "scale_den", 1, most),
                    .machines = 1},
        .tasks_most = (uint64_t)field_integer(L, 1, "tasks", 1, TASKS_MOST),
        .map_start_ms = (uint64_t)field_integer(L, 1, "map_start_ms", 0, TIME_MOST),
        .reduce_start_ms = (uint64_t)field_integer(L, 1, "reduce_start_ms", 0, TIME_MOST),
        .remote_ms = (uint64_t)field_integer(L, 1, "remote_ms", 0, TIME_MOST),
        .map_rate = (uint64_t)field_integer(L, 1, "map_rate", 1, most),
        .shuffle_rate = (uint64_t)field_integer(L, 1, "shuffle_rate", 1, most),
        .write_rate = (uint64_t)field_integer(L, 1, "write_rate", 1, most),
        .first = (uint64_t)field_integer_or(L, 1, "first", 1, most, 1),
        .jobs = (uint64_t)field_integer_or(L, 1, "jobs", 1, most, most)};
    char message[SWIM_MESSAGE_SIZE];
    swim_summary summary;
    workload *self = push_table(L);
    if (!swim_read_cluster(path, &cluster, self->work, &summary, message))
        return push_failure(L, message);
    workload_push_summary(L, &summary, self->work->count);
    return 2;
}

static const luaL_Reg makers[] = {{"workload_cluster_table", make_cluster_table},
                                  {"workload_facebook_cluster", make_facebook_cluster},
                                  {"workload_swim_cluster", make_swim_cluster},
                                  {"workload_rtmr", workload_make_rtmr},
                                  {"workload_deadlines", workload_make_deadlines},
                                  {NULL, NULL}};

static cluster_needs needs_of(const source *work)
{
    return (cluster_needs){cluster_source_of(work)->nodes, cluster_source_of(work)->reduces};
}

/* No script says whether a job will have reduces. */
static void scripted(source *self, const pn_lua_workload *script)
{
    (void)script;
    ((cluster_source *)self)->reduces = 1;
}

const workload_model workload_cluster = {.is_table = cluster_is_table,
                                         .totals = push_totals,
                                         .job = push_job_at,
                                         .jobs = push_jobs,
                                         .makers = makers,
                                         .changes = &changed_cluster,
                                         .scripted = scripted,
                                         .needs = needs_of};
