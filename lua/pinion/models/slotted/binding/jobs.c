/* Workloads of the slotted model in Lua: makers, jobs, and what can be said of all jobs
 * together. */
#include <string.h>

#include "base/interrupt.h"
#include "core/workload.h"
#include "pinion/models/slotted/sources/jobs.h"

static int slotted_totals(lua_State *L, source *work)
{
    uint64_t jobs = 0, maps = 0, reduces = 0, tasks = 0, map_only = 0, first = 0, last = 0;
    pn_slotted_job job;
    int answer;
    work->rewind(work);
    while ((answer = source_next(work, &job)) == SOURCE_JOB) {
        uint64_t units = 0;
        if ((++jobs & 0xFFFF) == 0 && interrupt_pending())
            return push_failure(L, "interrupted");
        for (size_t i = 0; i < job.reduce_count; i++) {
            units += job.reduces[i];
            tasks += job.reduces[i] > 0;
            if (units > PN_INTEGER_MAX)
                break;
        }
        maps += job.maps;
        reduces += units;
        if (units > PN_INTEGER_MAX || maps > INT64_MAX / 2 || reduces > INT64_MAX / 2)
            return push_failure(L, "the workload has too much work to add up");
        map_only += units == 0;
        first = first ? first : job.arrival;
        last = job.arrival;
    }
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    lua_createtable(L, 0, 7);
    set_integer(L, "jobs", jobs);
    set_integer(L, "maps", maps);
    set_integer(L, "reduces", reduces);
    set_integer(L, "reduce_tasks", tasks);
    set_integer(L, "map_only", map_only);
    if (jobs > 0) {
        set_integer(L, "first_arrival", first);
        set_integer(L, "last_arrival", last);
    }
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int push_job_at(lua_State *L, source *work, uint64_t index)
{
    pn_slotted_job job;
    slotted_table_at(work, index, &job);
    workload_push_fields(L, &slotted_job, &job);
    return 1;
}

static const char *push_next(lua_State *L, const source *work, void *job, void *unused)
{
    (void)work;
    (void)unused;
    workload_push_fields(L, &slotted_job, job);
    return NULL;
}

static int slotted_jobs(lua_State *L, source *work, lua_Integer limit)
{
    pn_slotted_job job;
    return workload_push_jobs(L, work, limit, &job, push_next, NULL);
}

/* ---- makers ---------------------------------------------------------------------------------- */

static int make_table(lua_State *L)
{
    workload *self = workload_begin_table(L);
    self->work = slotted_table_new();
    if (!self->work)
        return workload_out_of_memory(L);
    int results = workload_read_table(L, &slotted_job, self->work,
                                      &(workload_table){.add = slotted_table_add});
    return results > 1 || slotted_table_seal(self->work) ? results : workload_out_of_memory(L);
}

static const char *read_distribution(lua_State *L, const char *name, distribution *sizes)
{
    return workload_distribution(L, name, sizes, DISTRIBUTION_SIZES);
}

/* Reads how many tasks a job has at most: a number or a distribution; 10 when nothing is said. */
static const char *read_tasks(lua_State *L, distribution *tasks)
{
    int type = lua_getfield(L, 1, "tasks");
    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TNUMBER)
        return read_distribution(L, "tasks", tasks);
    *tasks = (distribution){.kind = DISTRIBUTION_CONSTANT,
                            .a = (double)field_integer_or(L, 1, "tasks", 1, SLOTTED_TASKS_MAX, 10)};
    return NULL;
}

static int make_zheng(lua_State *L)
{
    distribution maps, reduces, tasks;
    workload *self;
    const char *fault = read_distribution(L, "maps", &maps);
    double rate = field_number(L, 1, "rate");
    uint64_t slots = (uint64_t)field_integer(L, 1, "slots", 1, (lua_Integer)PN_INTEGER_MAX);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    if (!fault)
        fault = read_distribution(L, "reduces", &reduces);
    if (!fault)
        fault = read_tasks(L, &tasks);
    if (!fault && !(rate >= 0.0 && rate <= 1e6))
        fault = "rate: must be in 0..1000000 jobs a slot";
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = slotted_zheng_new(&(slotted_sizes){&maps, &reduces, &tasks}, rate, slots, seed,
                                   replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

static const char *check_chance(lua_State *L, const char *name, double chance)
{
    return chance >= 0.0 && chance <= 1.0 ? NULL : lua_pushfstring(L, "%s: must be in 0..1", name);
}

static int make_bursts(lua_State *L)
{
    bursts_shape shape;
    workload *self;
    const char *fault = read_distribution(L, "maps", &shape.maps[BURSTS_SMALL]);
    uint64_t slots = (uint64_t)field_integer(L, 1, "slots", 1, (lua_Integer)PN_INTEGER_MAX);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    shape.chance = field_number(L, 1, "chance");
    shape.burst = (uint64_t)field_integer(L, 1, "burst", 1, BURSTS_JOBS_MAX);
    shape.giant = field_number(L, 1, "giant");
    if (!fault)
        fault = read_tasks(L, &shape.tasks);
    if (!fault)
        fault = read_distribution(L, "reduces", &shape.reduces[BURSTS_SMALL]);
    if (!fault)
        fault = read_distribution(L, "giant_maps", &shape.maps[BURSTS_GIANT]);
    if (!fault)
        fault = read_distribution(L, "giant_reduces", &shape.reduces[BURSTS_GIANT]);
    if (!fault)
        fault = check_chance(L, "chance", shape.chance);
    if (!fault)
        fault = check_chance(L, "giant", shape.giant);
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = slotted_bursts_new(&shape, slots, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

static int make_facebook(lua_State *L)
{
    distribution length;
    workload *self;
    const char *fault = read_distribution(L, "reduce_length", &length);
    uint64_t jobs = (uint64_t)field_integer(L, 1, "jobs", 1, (lua_Integer)PN_INTEGER_MAX);
    double gap = field_number(L, 1, "gap");
    lua_Integer bins = field_integer(L, 1, "bins", 6, 9);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    luaL_argcheck(L, bins == 6 || bins == 9, 1, "bins: must be 6 or 9");
    if (!fault && !(gap >= 0.0 && gap <= (double)PN_INTEGER_MAX))
        fault = "gap: must be in 0..2^53 slots";
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = slotted_facebook_new(jobs, gap, (uint32_t)bins, &length, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

static int make_swim(lua_State *L)
{
    const char *path = field_string(L, 1, "path");
    lua_Integer most = (lua_Integer)PN_INTEGER_MAX;
    swim_mapping mapping = {
        .slot_seconds = (uint64_t)field_integer_or(L, 1, "slot_seconds", 1, most, 10),
        .unit = (uint64_t)field_integer_or(L, 1, "unit", 1, most, 134217728),
        .reduce_bytes = (uint64_t)field_integer_or(L, 1, "reduce_bytes", 1, most, 1073741824),
        .scale_num = (uint64_t)field_integer_or(L, 1, "scale_num", 1, most, 1),
        .scale_den = (uint64_t)field_integer_or(L, 1, "scale_den", 1, most, 100),
        .machines = field_setting(L, &core_slotted, "machines"),
    };
    char message[SWIM_MESSAGE_SIZE];
    swim_summary summary;
    workload *self = workload_push(L);
    self->work = slotted_table_new();
    if (!self->work)
        return workload_out_of_memory(L);
    if (!swim_read(path, &mapping, self->work, &summary, message))
        return push_failure(L, message);
    workload_push_summary(L, &summary, self->work->count);
    return 2;
}

static const luaL_Reg makers[] = {
    {"workload_slotted_table", make_table}, {"workload_zheng", make_zheng},
    {"workload_bursts", make_bursts},       {"workload_facebook", make_facebook},
    {"workload_swim", make_swim},           {NULL, NULL}};

#define SLOT_MS (((lua_Integer)1 << 30) * 1000)

static source *of_swf(lua_State *L, const swf_trace *trace)
{
    uint64_t slot_ms = (uint64_t)field_integer(L, 1, "slot_ms", 1, SLOT_MS);
    return slotted_swf_new(trace, slot_ms, field_boolean(L, 1, "estimates"));
}

const workload_model workload_slotted = {.is_table = slotted_is_table,
                                         .totals = slotted_totals,
                                         .job = &slotted_job,
                                         .at = push_job_at,
                                         .jobs = slotted_jobs,
                                         .makers = makers,
                                         .with_errors = slotted_error_new,
                                         .changes = &changed_slotted,
                                         .of_swf = of_swf};
