/* Sources of jobs of the makespan model: every one is a table. */
#ifndef PINION_MAKESPAN_SOURCES_JOBS_H
#define PINION_MAKESPAN_SOURCES_JOBS_H

#include "workload/distribution.h"
#include "workload/source.h"
#include "workload/swim.h"

/* Every source of jobs of the makespan model begins with it. */
typedef struct makespan_source {
    source base;
    uint64_t ticks;     /* of its durations, to the unit of time */
    uint64_t stretches; /* of all stages of all jobs, and one for every stage with a time */
} makespan_source;

static inline const makespan_source *makespan_source_of(const source *work)
{
    return (const makespan_source *)work;
}

/* Makes a table of the makespan model: every source is such a table, as a batch is planned with all
 * its jobs known. Durations are in ticks, `ticks` of them to the unit of time. Begin a job, then
 * add its tasks stage by stage, in their order; equal neighbours make one stretch. */
source *makespan_table_new(uint64_t ticks);
/* Begins a job; its stretches are not read */
int makespan_table_begin(source *table, const pn_makespan_job *job);
int makespan_table_tasks(source *table, enum pn_makespan_stage stage, uint64_t duration,
                         uint32_t count);
/* Gives the job with this index, 0 <= index < count, as `next` gives it. Not before the last task
 * is added. */
void makespan_table_at(const source *table, uint64_t index, pn_makespan_job *job);
/* Returns all jobs in an array that the caller frees: the stretches are the table's. Null when
 * memory is short. */
pn_makespan_job *makespan_table_jobs(const source *table);

/* ---- random batches: each fills an empty table ----------------------------------------------- */

#define BATCH_JOBS_MAX  1000000
#define BATCH_TASKS_MAX 1000000

/* Random jobs. A stage has a number of tasks and a length; a task lasts the length times its own
 * factor, in whole units. */
typedef struct batch_shape {
    uint64_t jobs;          /* 1..BATCH_JOBS_MAX */
    distribution tasks[2];  /* of a stage: map, reduce */
    distribution length[2]; /* of a stage's tasks */
    distribution spread;    /* the factor; constant 1: a stage's tasks are equal */
    double stragglers;      /* that a task is a straggler, 0..1 */
    double times;           /* what a straggler's factor is multiplied with, > 0 */
    uint32_t tasks_most;    /* of a stage, 1..BATCH_TASKS_MAX: larger draws count as this */
} batch_shape;

/* Fills: SOURCE_END, or SOURCE_FAULT or SOURCE_INTERRUPTED. */
int makespan_batch_fill(source *table, const batch_shape *shape, uint64_t seed, uint32_t replica);

/* Fills the jobs of slotted_facebook_new, all at once. Map tasks are drawn from a stream of their
 * own, one length for each job. */
int makespan_facebook_fill(source *table, uint64_t jobs, uint32_t bins,
                           const distribution *map_length, const distribution *reduce_length,
                           uint64_t seed, uint32_t replica);

/* ---- SWIM traces ----------------------------------------------------------------------------- */

typedef struct swim_speed {
    uint64_t start; /* seconds of each task, whatever its bytes; at most 2^30 */
    uint64_t rate;  /* bytes per second, >= 1 */
} swim_speed;

/* mapping.slot_seconds and mapping.machines mean nothing. */
typedef struct swim_batch {
    swim_mapping mapping;
    uint64_t tasks_most; /* reduce tasks of a job, 1..2^31 */
    swim_speed map, reduce;
    uint64_t first, jobs; /* so many rows from this one on, from 1 */
} swim_batch;

/* Reads a whole trace into the empty `table`. 1, or 0 with a message. */
int swim_read_batch(const char *path, const swim_batch *batch, source *table, swim_summary *summary,
                    char message[SWIM_MESSAGE_SIZE]);

#endif
