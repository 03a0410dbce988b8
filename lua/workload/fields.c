/* See fields.h: the rows of each model, then access to members by their rows. */
#include "fields.h"

#include <string.h>

#include "base/bounds.h"

#define MEMBER(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define INTEGER(word, type, member, least, most) \
    .name = word, .kind = JOB_INTEGER, MEMBER(type, member), .low = (least), .high = (most)
#define AMOUNT(word, type, member) .name = word, .kind = JOB_AMOUNT, MEMBER(type, member)
#define LIST(word, type, member, count, least, most)                             \
    .name = word, .kind = JOB_LIST, .offset = offsetof(type, member),            \
    .size = sizeof(*((type *)0)->member), .count_offset = offsetof(type, count), \
    .count_size = sizeof(((type *)0)->count), .low = (least), .high = (most)
#define NAME                                        \
    {                                               \
        .name = "name", .kind = JOB_NAME, .doc = "" \
    }
#define GROUP(type)                                                                        \
    {                                                                                      \
        .name = "group", .kind = JOB_GROUP, MEMBER(type, group), .high = UINT32_MAX - 1LL, \
        .doc = "statistics are also kept per group"                                        \
    }
#define MODEL(name, type)          \
    const job_model name##_job = { \
        .fields = name, .group = offsetof(type, group), .attributes = offsetof(type, attributes)}

#define MOST  ((int64_t)PN_INTEGER_MAX)
#define TASKS "(pinion.ExactLike|pinion.EqualTasks)[]|pinion.EqualTasks" /* of a stage */

static const job_field slotted[] = {
    {INTEGER("arrival", pn_slotted_job, arrival, 1, MOST),
     .flags = JOB_REQUIRED | JOB_ALWAYS | JOB_ARRIVAL,
     .doc = "the slot of the job's arrival, >= 1"},
    {INTEGER("maps", pn_slotted_job, maps, 0, MOST), .flags = JOB_ALWAYS,
     .doc = "units of map work; default 0"},
    {LIST("reduces", pn_slotted_job, reduces, reduce_count, 0, MOST), .flags = JOB_ALWAYS,
     .cell = "integers", .doc = "units of each reduce task; default none"},
    NAME,
    GROUP(pn_slotted_job),
    {INTEGER("estimate_maps", pn_slotted_job, estimate_maps, 0, MOST), .flags = JOB_ESTIMATE,
     .doc = "what policies see in place of maps"},
    {INTEGER("estimate_reduces", pn_slotted_job, estimate_reduces, 0, MOST), .flags = JOB_ESTIMATE,
     .doc = "what policies see in place of the sum of the reduce tasks"},
    {.name = NULL}};
MODEL(slotted, pn_slotted_job);

static const job_field tandem[] = {
    {AMOUNT("arrival", pn_tandem_job, arrival), .flags = JOB_REQUIRED | JOB_ALWAYS | JOB_ARRIVAL,
     .doc = "the time of the job's arrival, >= 0"},
    {AMOUNT("map", pn_tandem_job, map), .flags = JOB_ALWAYS, .doc = "map work; default 0"},
    {AMOUNT("shuffle", pn_tandem_job, shuffle), .flags = JOB_ALWAYS,
     .doc = "shuffle work, default 0; a job without any work is complete when it arrives"},
    NAME,
    GROUP(pn_tandem_job),
    {AMOUNT("estimate_map", pn_tandem_job, estimate_map), .flags = JOB_ESTIMATE,
     .doc = "what policies see in place of map"},
    {AMOUNT("estimate_shuffle", pn_tandem_job, estimate_shuffle), .flags = JOB_ESTIMATE,
     .doc = "what policies see in place of shuffle"},
    {.name = NULL}};
MODEL(tandem, pn_tandem_job);

static const job_field makespan[] = {
    {.name = "name",
     .kind = JOB_NAME,
     .flags = JOB_DISTINCT,
     .doc = "unlike those of the other jobs; a job without one is called J and its number, such as "
            "J3"},
    GROUP(pn_makespan_job),
    {.name = "maps",
     .kind = JOB_OWN,
     .cell = "tasks",
     .type = TASKS,
     .doc = "durations of the map tasks; {}: there are none; missing: those that map_time stands "
            "for, else none"},
    {.name = "reduces",
     .kind = JOB_OWN,
     .cell = "tasks",
     .type = TASKS,
     .doc = "durations of the reduce tasks; {}: there are none; missing: those that reduce_time "
            "stands for, else none"},
    {.name = "map_time",
     .kind = JOB_OWN,
     .cell = "text",
     .type = "pinion.ExactLike",
     .doc = "of the whole map stage"},
    {.name = "reduce_time",
     .kind = JOB_OWN,
     .cell = "text",
     .type = "pinion.ExactLike",
     .doc = "of the whole reduce stage"},
    {INTEGER("map_slots", pn_makespan_job, stage[0].requested, 1, UINT32_MAX),
     .doc = "requested; default: as many as there are map tasks, all where there is map_time only"},
    {INTEGER("reduce_slots", pn_makespan_job, stage[1].requested, 1, UINT32_MAX),
     .doc = "the same for reduces"},
    {.name = NULL}};
MODEL(makespan, pn_makespan_job);

#define MS(word, member, least)                                                        \
    .name = word, .kind = JOB_INTEGER, MEMBER(pn_cluster_job, member), .low = (least), \
    .high = PN_CLUSTER_MOST_MS
#define TASKS_MOST LIMIT_JOB_TASKS

static const job_field cluster[] = {
    {INTEGER("submit", pn_cluster_job, submit, 0, MOST),
     .flags = JOB_REQUIRED | JOB_ALWAYS | JOB_ARRIVAL,
     .doc = "the time of the job's submission in ms, >= 0"},
    {INTEGER("maps", pn_cluster_job, maps, 1, TASKS_MOST), .flags = JOB_REQUIRED | JOB_ALWAYS,
     .doc = "the number of map tasks, >= 1"},
    {INTEGER("reduces", pn_cluster_job, reduces, 0, TASKS_MOST), .flags = JOB_ALWAYS,
     .doc = "reduce tasks; default 0"},
    NAME,
    GROUP(pn_cluster_job),
    {MS("map_ms", map_ms, 0), .flags = JOB_ALWAYS,
     .doc = "of a map whose input is on its node; required where there are no map_times"},
    {MS("remote_ms", remote_ms, 0), .doc = "more of a map whose input is not there; default 0"},
    {MS("reduce_ms", reduce_ms, 0), .doc = "work of a reduce behind its shuffle; default 0"},
    {MS("shuffle_ms", shuffle_ms, 0),
     .doc = "of a reduce that has none of the map outputs on its node; default 0"},
    {INTEGER("deadline", pn_cluster_job, deadline, 1, MOST), .doc = "ms after the submission",
     .absent = "a job without a deadline"},
    {MS("est_map_ms", est_map_ms, 1),
     .doc = "how long a scheduler expects a map to take at most, >= 1",
     .absent = "an estimate derived from the times"},
    {MS("est_reduce_ms", est_reduce_ms, 1), .doc = "the same of a reduce with its shuffle",
     .absent = "an estimate derived from the times"},
    {INTEGER("input", pn_cluster_job, input, 1, MOST),
     .doc = "size of the input in any unit, >= 1, from which schedulers may learn times",
     .absent = "as much as there are maps"},
    {INTEGER("intermediate", pn_cluster_job, intermediate, 1, MOST),
     .doc = "size of the output of the maps", .absent = "as much as the input"},
    {INTEGER("weight", pn_cluster_job, weight, 1, PN_SCHEDULER_WEIGHT_MOST), .flags = JOB_YIELDS,
     .doc = "share of the job in fair policies", .absent = "a weight of 1"},
    {INTEGER("priority", pn_cluster_job, priority, -PN_SCHEDULER_PRIORITY_MOST,
             PN_SCHEDULER_PRIORITY_MOST),
     .flags = JOB_YIELDS, .doc = "the larger first; default 0"},
    {LIST("map_times", pn_cluster_job, map_times, maps, 0, PN_CLUSTER_MOST_MS), .of = "maps",
     .instead = "map_ms", .flags = JOB_NESTED, .doc = "in place of map_ms"},
    {LIST("reduce_times", pn_cluster_job, reduce_times, reduces, 0, PN_CLUSTER_MOST_MS),
     .of = "reduces", .instead = "reduce_ms", .flags = JOB_NESTED, .doc = "in place of reduce_ms"},
    {LIST("shuffle_times", pn_cluster_job, shuffle_times, reduces, 0, PN_CLUSTER_MOST_MS),
     .of = "reduces", .instead = "shuffle_ms", .flags = JOB_NESTED,
     .doc = "in place of shuffle_ms"},
    {LIST("map_factor", pn_cluster_job, map_factor, maps, 1, PN_CLUSTER_FACTOR_MOST), .of = "maps",
     .flags = JOB_NESTED, .doc = "permille of each map's time; missing: drawn"},
    {LIST("reduce_factor", pn_cluster_job, reduce_factor, reduces, 1, PN_CLUSTER_FACTOR_MOST),
     .of = "reduces", .flags = JOB_NESTED,
     .doc = "permille of each reduce's times; missing: drawn"},
    {.name = "blocks",
     .kind = JOB_OWN,
     .flags = JOB_NESTED,
     .type = "integer[][]",
     .doc = "nodes, from 0, that hold the input of each map; missing: drawn"},
    {.name = NULL}};
MODEL(cluster, pn_cluster_job);

static const job_field dag[] = {
    {INTEGER("arrival", pn_dag_job, arrival, 0, MOST),
     .flags = JOB_REQUIRED | JOB_ALWAYS | JOB_ARRIVAL,
     .doc = "the time of the job's arrival in ms, >= 0"},
    NAME,
    GROUP(pn_dag_job),
    {INTEGER("weight", pn_dag_job, weight, 1, PN_DISPATCH_WEIGHT_MOST), .missing = 1,
     .doc = "share of the job; default 1"},
    {.name = "queue", .kind = JOB_OWN, .type = "string", .doc = "default \"default\""},
    {INTEGER("deadline", pn_dag_job, deadline, 1, MOST), .doc = "ms after the arrival",
     .absent = "a job without a deadline"},
    {INTEGER("priority", pn_dag_job, priority, -PN_DISPATCH_PRIORITY_MOST,
             PN_DISPATCH_PRIORITY_MOST),
     .flags = JOB_YIELDS, .doc = "the larger first; default 0"},
    {.name = "stages",
     .kind = JOB_OWN,
     .flags = JOB_REQUIRED | JOB_NESTED,
     .type = "pinion.DagStage[]",
     .doc = "an array of stages"},
    {.name = NULL}};
MODEL(dag, pn_dag_job);

/* ---- members --------------------------------------------------------------------------------- */

/* Returns an integer of 4 or 8 bytes, signed where `low` is. */
static int64_t get(const unsigned char *at, size_t size, int is_signed)
{
    uint64_t wide;
    uint32_t narrow;
    if (size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return (int64_t)wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return is_signed ? (int64_t)(int32_t)narrow : (int64_t)narrow;
}

static void put(unsigned char *at, size_t size, int64_t value)
{
    uint32_t narrow = (uint32_t)value;
    if (size == sizeof value)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

int64_t job_field_get(const job_field *field, const void *job)
{
    return get((const unsigned char *)job + field->offset, field->size, field->low < 0);
}

void job_field_put(const job_field *field, void *job, int64_t value)
{
    put((unsigned char *)job + field->offset, field->size, value);
}

double job_field_amount(const job_field *field, const void *job)
{
    double value;
    memcpy(&value, (const unsigned char *)job + field->offset, sizeof value);
    return value;
}

void job_field_put_amount(const job_field *field, void *job, double value)
{
    memcpy((unsigned char *)job + field->offset, &value, sizeof value);
}

uint64_t job_field_count(const job_field *field, const void *job)
{
    return (uint64_t)get((const unsigned char *)job + field->count_offset, field->count_size, 0);
}

const void *job_field_list(const job_field *field, const void *job)
{
    const void *values;
    memcpy(&values, (const unsigned char *)job + field->offset, sizeof values);
    return values;
}

void job_field_put_list(const job_field *field, void *job, const void *values, uint64_t count)
{
    memcpy((unsigned char *)job + field->offset, &values, sizeof values);
    put((unsigned char *)job + field->count_offset, field->count_size, (int64_t)count);
}

uint64_t job_list_get(const job_field *field, const void *values, uint64_t index)
{
    return (uint64_t)get((const unsigned char *)values + (size_t)index * field->size, field->size,
                         0);
}

void job_list_put(const job_field *field, void *values, uint64_t index, uint64_t value)
{
    put((unsigned char *)values + (size_t)index * field->size, field->size, (int64_t)value);
}
