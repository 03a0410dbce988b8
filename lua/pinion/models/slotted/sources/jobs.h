/* Sources of jobs of the slotted model. */
#ifndef PINION_SLOTTED_SOURCES_JOBS_H
#define PINION_SLOTTED_SOURCES_JOBS_H

#include "workload/distribution.h"
#include "workload/source.h"
#include "workload/swf.h"
#include "workload/swim.h"

/* Every source of jobs of the slotted model begins with it. */
typedef struct slotted_source {
    source base;
    uint64_t slots; /* no job arrives after this slot; 0 = unknown */
} slotted_source;

static inline const slotted_source *slotted_source_of(const source *work)
{
    return (const slotted_source *)work;
}

/* ---- a table of jobs in memory --------------------------------------------------------------- */

/* Makes a table; each of these returns null or 0 when memory is short. Jobs are added in order of
 * arrival: begin, then its reduces. */
source *slotted_table_new(void);
/* Begins a job; its reduces are not read */
int slotted_table_begin(source *table, const pn_slotted_job *job);
/* Adds `tasks` tasks of `units` each, after those before */
int slotted_table_reduce(source *table, uint64_t units, uint64_t tasks);
/* Adds a whole job, a pn_slotted_job */
int slotted_table_add(source *table, const void *job);
/* Seals the table, once, before the first `next` */
int slotted_table_seal(source *table);
/* Gives the job with this index, 0 <= index < count, as `next` would give it. */
void slotted_table_at(source *table, uint64_t index, pn_slotted_job *job);
int slotted_is_table(const source *any);

/* ---- generators ------------------------------------------------------------------------------ */

/* The sizes of a random job: map units, reduce units, and reduce tasks at most. */
typedef struct slotted_sizes {
    const distribution *maps, *reduces, *tasks;
} slotted_sizes;

#define SLOTTED_TASKS_MAX 65536 /* reduce tasks of a random job; larger draws count as this */

/* Returns the number of the pieces of a job: the most tasks that the distribution draws. */
size_t slotted_pieces(const distribution *tasks);

/* Draws maps, then reduces, then the tasks, into which the reduces are cut as near-equal pieces
 * (room for slotted_pieces). The job's arrival and group are the caller's. SOURCE_JOB, or
 * SOURCE_FAULT with the job's number in the message. */
int slotted_draw(source *self, const slotted_sizes *sizes, pn_stream *stream, uint64_t number,
                 uint64_t *pieces, pn_slotted_job *job);

/* The generators' parameters are checked by the caller; null when memory is short. */

/* Makes the workload of SL29: Poisson(rate) arrivals in each of the slots 1..slots, sizes drawn per
 * job. The source keeps copies of the distributions. */
source *slotted_zheng_new(const slotted_sizes *sizes, double rate, uint64_t slots, uint64_t seed,
                          uint32_t replica);

#define BURSTS_JOBS_MAX 1000000

enum bursts_group { BURSTS_SMALL, BURSTS_GIANT, BURSTS_GROUPS };

typedef struct bursts_shape {
    double chance;                       /* that a slot brings a burst, 0..1 */
    uint64_t burst;                      /* jobs of a burst, 1..BURSTS_JOBS_MAX */
    double giant;                        /* that a job is a giant, 0..1 */
    distribution maps[BURSTS_GROUPS];    /* map units of a job, by group */
    distribution reduces[BURSTS_GROUPS]; /* reduce units of a job, cut into near-equal tasks */
    distribution tasks;                  /* reduce tasks of a job at most */
} bursts_shape;

/* Makes bursts of small jobs with a few giants among them, in the slots 1..slots. */
source *slotted_bursts_new(const bursts_shape *shape, uint64_t slots, uint64_t seed,
                           uint32_t replica);

/* Makes the Facebook benchmark of Zaharia et al. as used by He, Lu, Swanson (2012), Tables II and
 * III. */
source *slotted_facebook_new(uint64_t jobs, double gap, uint32_t bins,
                             const distribution *reduce_length, uint64_t seed, uint32_t replica);

/* ---- SWIM traces ----------------------------------------------------------------------------- */

/* Reads a whole trace into the empty `table`. 1, or 0 with a message. */
int swim_read(const char *path, const swim_mapping *mapping, source *table, swim_summary *summary,
              char message[SWIM_MESSAGE_SIZE]);

/* ---- the Standard Workload Format ------------------------------------------------------------ */

/* Makes a table of a trace's jobs; null when memory is short. With `estimates` policies see the
 * time that users asked for, where they did. */
source *slotted_swf_new(const swf_trace *trace, uint64_t slot_ms, int estimates);

/* ---- errors in sizes ------------------------------------------------------------------------- */

/* Makes the jobs of `truth`, of the slotted model, which must outlive it and is read along with it,
 * with estimates that are wrong by random factors (error.h). Null when memory is short. */
source *slotted_error_new(source *truth, const distribution *factor, uint64_t seed,
                          uint32_t replica);

/* ---- all jobs at once ------------------------------------------------------------------------ */

/* A copy of every job of a source, for the two things that need them all: the tight bound and the
 * checker. Without attributes, as neither looks at them. */
typedef struct job_list {
    pn_slotted_job *jobs;
    size_t count, room;
    uint64_t *reduces;
    size_t reduce_count, reduce_room;
} job_list;

/* Collects jobs: SOURCE_END when complete, else SOURCE_FAULT or SOURCE_INTERRUPTED; the list is
 * then to be freed all the same. Starts from the first job. */
int job_list_collect(job_list *list, source *work);
void job_list_free(job_list *list);

/* ---- jobs that are changed ------------------------------------------------------------------- */

extern const struct changed_model changed_slotted; /* changed.h */

#endif
