/* What a job holds. */
#include "workload/field_rows.h"

static const job_field fields[] = {
    {ROW_INTEGER("arrival", pn_slotted_job, arrival, 1, ROW_MOST),
     .flags = JOB_REQUIRED | JOB_ALWAYS | JOB_ARRIVAL,
     .doc = "the slot of the job's arrival, >= 1"},
    {ROW_INTEGER("maps", pn_slotted_job, maps, 0, ROW_MOST), .flags = JOB_ALWAYS,
     .doc = "units of map work; default 0"},
    {ROW_LIST("reduces", pn_slotted_job, reduces, reduce_count, 0, ROW_MOST), .flags = JOB_ALWAYS,
     .cell = "integers", .doc = "units of each reduce task; default none"},
    ROW_NAME,
    ROW_GROUP(pn_slotted_job),
    {ROW_INTEGER("estimate_maps", pn_slotted_job, estimate_maps, 0, ROW_MOST),
     .flags = JOB_ESTIMATE, .doc = "what policies see in place of maps"},
    {ROW_INTEGER("estimate_reduces", pn_slotted_job, estimate_reduces, 0, ROW_MOST),
     .flags = JOB_ESTIMATE, .doc = "what policies see in place of the sum of the reduce tasks"},
    {.name = NULL}};
ROWS_OF(slotted, pn_slotted_job);
