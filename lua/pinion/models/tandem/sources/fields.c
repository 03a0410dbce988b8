/* What a job holds. */
#include "workload/field_rows.h"

static const job_field fields[] = {
    {ROW_AMOUNT("arrival", pn_tandem_job, arrival),
     .flags = JOB_REQUIRED | JOB_ALWAYS | JOB_ARRIVAL,
     .doc = "the time of the job's arrival, >= 0"},
    {ROW_AMOUNT("map", pn_tandem_job, map), .flags = JOB_ALWAYS, .doc = "map work; default 0"},
    {ROW_AMOUNT("shuffle", pn_tandem_job, shuffle), .flags = JOB_ALWAYS,
     .doc = "shuffle work, default 0; a job without any work is complete when it arrives"},
    ROW_NAME,
    ROW_GROUP(pn_tandem_job),
    {ROW_AMOUNT("estimate_map", pn_tandem_job, estimate_map), .flags = JOB_ESTIMATE,
     .doc = "what policies see in place of map"},
    {ROW_AMOUNT("estimate_shuffle", pn_tandem_job, estimate_shuffle), .flags = JOB_ESTIMATE,
     .doc = "what policies see in place of shuffle"},
    {.name = NULL}};
ROWS_OF(tandem, pn_tandem_job);
