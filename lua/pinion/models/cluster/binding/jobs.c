/* Workloads of the cluster model in Lua: makers, jobs, and what can be said of all jobs
 * together. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/bounds.h"
#include "model.h"
#include "core/workload.h"
#include "pinion/models/cluster/sources/jobs.h"

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
    while ((answer = source_next(work, &job)) == SOURCE_JOB) {
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

static void push_values(lua_State *L, const uint32_t *values, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
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

static void push_job(lua_State *L, const pn_cluster_job *job)
{
    workload_push_fields(L, &cluster_job, job);
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

/* Counts in the array of arrays on top of the stack: how many nodes each map has, into `counts`.
 * All of them together. */
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

/* Reads the nodes in the array on top of the stack, so many. */
static void read_nodes(lua_State *L, uint32_t *nodes, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        lua_Integer node;
        lua_rawgeti(L, -1, (lua_Integer)k + 1);
        node = lua_tointeger(L, -1);
        if (!lua_isinteger(L, -1) || node < 0 || node >= NODES_MOST)
            luaL_argerror(L, 1,
                          lua_pushfstring(L, "blocks[%d]: must be an integer in 0..%I", (int)k + 1,
                                          (LUAI_UACINT)NODES_MOST - 1));
        nodes[k] = (uint32_t)node;
        lua_pop(L, 1);
    }
}

/* Reads the lists, which are in userdata that stay on the stack. */
static void read_blocks(lua_State *L, int at, source *table, void *any)
{
    pn_cluster_job *job = any;
    uint32_t *counts, *nodes;
    (void)table;
    if (lua_getfield(L, at, "blocks") == LUA_TNIL)
        return;
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != job->maps)
        luaL_argerror(L, 1, lua_pushfstring(L, "blocks: must be an array of %d", (int)job->maps));
    counts = lua_newuserdatauv(L, ((size_t)job->maps + 1) * sizeof *counts, 0);
    lua_insert(L, -2);
    nodes = lua_newuserdatauv(L, (count_blocks(L, job->maps, counts) + 1) * sizeof *nodes, 0);
    lua_insert(L, -2);
    job->block_counts = counts;
    job->blocks = nodes;
    for (uint32_t i = 0; i < job->maps; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        read_nodes(L, nodes, counts[i]);
        nodes += counts[i];
        lua_pop(L, 1);
    }
}

/* Makes a table of an array of jobs as scenario files have them, by submission. */
static int make_cluster_table(lua_State *L)
{
    workload *self = workload_begin_table(L);
    self->work = cluster_table_new();
    if (!self->work)
        return workload_out_of_memory(L);
    return workload_read_table(L, &cluster_job, self->work,
                               &(workload_table){.add = cluster_table_add, .read = read_blocks});
}

static workload *push_table(lua_State *L)
{
    workload *self = workload_push(L);
    self->work = cluster_table_new();
    if (!self->work)
        workload_out_of_memory(L);
    return self;
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

/* Sets what no script says: whether a job will have reduces. */
static void scripted(source *self, const pn_lua_workload *script)
{
    (void)script;
    ((cluster_source *)self)->reduces = 1;
}

static source *of_swf(lua_State *L, const swf_trace *trace)
{
    (void)L;
    return cluster_swf_new(trace);
}

const workload_model workload_cluster = {.is_table = cluster_is_table,
                                         .totals = push_totals,
                                         .job = &cluster_job,
                                         .at = push_job_at,
                                         .jobs = push_jobs,
                                         .makers = makers,
                                         .changes = &changed_cluster,
                                         .scripted = scripted,
                                         .needs = needs_of,
                                         .of_swf = of_swf};
