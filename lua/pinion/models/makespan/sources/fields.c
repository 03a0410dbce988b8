/* What a job holds. */
#include "workload/field_rows.h"

#define TASKS "(pinion.ExactLike|pinion.EqualTasks)[]|pinion.EqualTasks" /* of a stage */

static const job_field fields[] = {
    {.name = "name",
     .kind = JOB_NAME,
     .flags = JOB_DISTINCT,
     .doc = "unlike those of the other jobs; a job without one is called J and its number, such as "
            "J3"},
    ROW_GROUP(pn_makespan_job),
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
    {ROW_INTEGER("map_slots", pn_makespan_job, stage[0].requested, 1, UINT32_MAX),
     .doc = "requested; default: as many as there are map tasks, all where there is map_time only"},
    {ROW_INTEGER("reduce_slots", pn_makespan_job, stage[1].requested, 1, UINT32_MAX),
     .doc = "the same for reduces"},
    {.name = NULL}};
ROWS_OF(makespan, pn_makespan_job);
