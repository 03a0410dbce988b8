/* What a job holds. */
#include "workload/field_rows.h"

static const job_field fields[] = {
    {ROW_INTEGER("arrival", pn_dag_job, arrival, 0, ROW_MOST),
     .flags = JOB_REQUIRED | JOB_ALWAYS | JOB_ARRIVAL,
     .doc = "the time of the job's arrival in ms, >= 0"},
    ROW_NAME,
    ROW_GROUP(pn_dag_job),
    {ROW_INTEGER("weight", pn_dag_job, weight, 1, PN_DISPATCH_WEIGHT_MOST), .missing = 1,
     .doc = "share of the job; default 1"},
    {.name = "queue", .kind = JOB_OWN, .type = "string", .doc = "default \"default\""},
    {ROW_INTEGER("deadline", pn_dag_job, deadline, 1, ROW_MOST), .doc = "ms after the arrival",
     .absent = "a job without a deadline"},
    {ROW_INTEGER("priority", pn_dag_job, priority, -PN_DISPATCH_PRIORITY_MOST,
                 PN_DISPATCH_PRIORITY_MOST),
     .flags = JOB_YIELDS, .doc = "the larger first; default 0"},
    {.name = "stages",
     .kind = JOB_OWN,
     .flags = JOB_REQUIRED | JOB_NESTED,
     .type = "pinion.DagStage[]",
     .doc = "an array of stages"},
    {.name = NULL}};
ROWS_OF(dag, pn_dag_job);
