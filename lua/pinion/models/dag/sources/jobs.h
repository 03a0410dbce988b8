/* Sources of jobs of the dag model. */
#ifndef PINION_DAG_SOURCES_JOBS_H
#define PINION_DAG_SOURCES_JOBS_H

#include "workload/source.h"

/* Every source of jobs of the dag model begins with it. */
typedef struct dag_source {
    source base;
    /* By the number of a job's queue; 0: no job names one, and all numbers are 0. */
    const char *const *queue_names;
    uint32_t queue_count;
    uint32_t resources; /* entries of each demand */
} dag_source;

static inline const dag_source *dag_source_of(const source *work)
{
    return (const dag_source *)work;
}

/* ---- a table of jobs in memory --------------------------------------------------------------- */

/* Makes a table whose demands have so many entries. Jobs are added in order of arrival, and copied
 * with their lists. */
source *dag_table_new(uint32_t resources);
/* Returns the number of the queue with this name, which becomes one of the table's; 0 when memory
 * is short. */
int dag_table_queue(source *table, const char *name, uint32_t *number);
int dag_table_add(source *table, const void *job); /* a pn_dag_job */
/* Gives the job with this index, 0 <= index < count, as `next` gives it; its lists are valid until
 * the next call of either. */
void dag_table_at(source *table, uint64_t index, pn_dag_job *job);
int dag_is_table(const source *any);

/* ---- all jobs at once ------------------------------------------------------------------------ */

/* A copy of every job of a source, with its lists. */
typedef struct dag_job_list {
    source *table; /* which has the lists */
    pn_dag_job *jobs;
    pn_dag_stage *stages; /* of all of them */
    size_t count;
} dag_job_list;

int dag_job_list_collect(dag_job_list *list, source *work);
void dag_job_list_free(dag_job_list *list);

/* ---- jobs that are changed ------------------------------------------------------------------- */

extern const struct changed_model changed_dag; /* changed.h */

#endif
