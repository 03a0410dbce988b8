/* A workload source hands out jobs one at a time, in order of arrival, and can start again from the first: that is all the
 * run loop, the hash and the checker need, so a workload of 10^9 jobs never has to be in memory. */
#ifndef PINION_SOURCE_H
#define PINION_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "pinion.h"
#include "pn_strict.h"

enum source_answer {
    SOURCE_JOB = 1,
    SOURCE_END = 0,
    SOURCE_FAULT = -1,      /* `fault` says why */
    SOURCE_INTERRUPTED = -2 /* the user pressed Ctrl-C while jobs were being looked for */
};

#define SOURCE_UNKNOWN UINT64_MAX

/* A source has jobs of one model: of `next`, `next_tandem`, `next_makespan` and `next_cluster` all but one are null. */
typedef struct source source;
struct source {
    int (*next)(source *self, pn_slotted_job *job); /* job->reduces is the source's, valid until the next call */
    int (*next_tandem)(source *self, pn_tandem_job *job);
    int (*next_makespan)(source *self, pn_makespan_job *job); /* its stretches are the source's, valid as long as that is */
    int (*next_cluster)(source *self, pn_cluster_job *job);   /* its lists are the source's, valid until the next call */
    void (*rewind)(source *self);
    void (*destroy)(source *self); /* frees self too */
    uint64_t count;                /* jobs, or SOURCE_UNKNOWN when only generating tells */
    uint64_t slots;                /* slotted: no job arrives after this slot; 0 = unknown */
    uint64_t ticks;                /* makespan: of its durations, to the unit of time */
    uint64_t stretches;            /* makespan: of all stages of all jobs, and one for every stage with a time */
    uint32_t replicas, nodes;      /* cluster: most nodes that a job lists for one map, and 1 + the largest of them all */
    uint8_t reduces;               /* cluster, 1: there may be a job with reduces */
    uint8_t gaps;                  /* tandem, 1: pn_tandem_job.arrival is the gap to the previous arrival (TA23) */
    char fault[160];
};

/* Why `next` gave no job: SOURCE_FAULT or SOURCE_INTERRUPTED in words. */
const char *source_stopped(const source *self, int answer);

/* SOURCE_FAULT, with that memory is short as its reason. */
int source_out_of_memory(source *self);

/* Cuts `units` into `tasks` pieces that differ by at most 1, the larger first. tasks >= 1. */
void source_split(uint64_t units, uint64_t tasks, uint64_t *pieces);

/* Room for one more element at the end of a growing array; 0 when memory is short. */
int source_grow(void **array, size_t count, size_t *room, size_t element);

/* ---- a table of jobs in memory ----------------------------------------------------------------------- */

/* Each returns null or 0 when memory is short. Jobs are added in order of arrival: begin, then its reduces. */
source *source_table_new(void);
int source_table_begin(source *table, const pn_slotted_job *job);       /* its reduces are not read */
int source_table_reduce(source *table, uint64_t units, uint64_t tasks); /* `tasks` tasks of `units` each, after those before */
int source_table_seal(source *table);                                   /* once, before the first `next` */
/* The job with this index, 0 <= index < count, as `next` would give it. */
void source_table_at(source *table, uint64_t index, pn_slotted_job *job);
int source_is_table(const source *any);

/* Of the tandem model: arrivals are times. */
source *source_tandem_table_new(void);
int source_tandem_table_add(source *table, const pn_tandem_job *job);
pn_tandem_job *source_tandem_table_at(source *table, uint64_t index);
int source_is_tandem_table(const source *any);

/* Of the makespan model: every source is such a table, as a batch is planned with all its jobs at hand. Durations are in ticks,
 * `ticks` of them to the unit of time. Begin a job, then add its tasks stage by stage, in their order; equal neighbours make one
 * stretch. */
source *source_makespan_table_new(uint64_t ticks);
int source_makespan_table_begin(source *table, const pn_makespan_job *job); /* its stretches are not read */
int source_makespan_table_tasks(source *table, enum pn_makespan_stage stage, uint64_t duration, uint32_t count);
/* The job with this index, 0 <= index < count, as `next_makespan` gives it. Not before the last task is added. */
void source_makespan_table_at(const source *table, uint64_t index, pn_makespan_job *job);
/* All jobs in an array that the caller frees: the stretches are the table's. Null when memory is short. */
pn_makespan_job *source_makespan_table_jobs(const source *table);

/* Of the cluster model. Jobs are added in order of submission, and copied with their lists, of which equal neighbours are kept
 * once. */
source *source_cluster_table_new(void);
int source_cluster_table_add(source *table, const pn_cluster_job *job);
/* The job with this index, 0 <= index < count, as `next_cluster` gives it; its lists are valid until the next call of either. */
void source_cluster_table_at(source *table, uint64_t index, pn_cluster_job *job);
int source_is_cluster_table(const source *any);

/* ---- generators --------------------------------------------------------------------------------------- */

enum distribution_kind {
    DISTRIBUTION_EXP,       /* mean a */
    DISTRIBUTION_UNIFORM,   /* integers a..b, both inclusive */
    DISTRIBUTION_LOGNORMAL, /* mean a, standard deviation b of the variate itself */
    DISTRIBUTION_NORMAL,    /* mean a, standard deviation b */
    DISTRIBUTION_PARETO,    /* shape a, scale b */
    DISTRIBUTION_POISSON,   /* mean a */
    DISTRIBUTION_CONSTANT   /* a */
};

/* A distribution of sizes: whatever is drawn is rounded up to an integer and is at least 1. */
typedef struct distribution {
    enum distribution_kind kind;
    double a, b;
} distribution;

extern const char *const distribution_names[]; /* by kind, ended by a null */

/* What is wrong with its parameters, as a constant text; null when all is well. */
const char *distribution_check(const distribution *sizes);
/* 0 when the draw passed PN_INTEGER_MAX. */
uint64_t distribution_draw(const distribution *sizes, pn_stream *stream);

/* The sizes of a random job: map units, reduce units, and reduce tasks at most. */
typedef struct drawn_sizes {
    const distribution *maps, *reduces;
    uint32_t tasks;
} drawn_sizes;

/* Draws maps, then reduces, which are cut into near-equal pieces (room for sizes->tasks). The job's arrival and group are the
 * caller's. SOURCE_JOB, or SOURCE_FAULT with the job's number in the message. */
int source_draw(source *self, const drawn_sizes *sizes, pn_stream *stream, uint64_t number, uint64_t *pieces,
                pn_slotted_job *job);

/* The generators' parameters are checked by the caller; null when memory is short. */

#define ZHENG_TASKS_MAX 65536

/* SL29: Poisson(rate) arrivals in each of the slots 1..slots, map and reduce units drawn per job. */
source *source_zheng_new(const distribution *maps, const distribution *reduces, double rate, uint64_t slots, uint32_t tasks,
                         uint64_t seed, uint32_t replica);

#define BURSTS_TASKS_MAX 65536
#define BURSTS_JOBS_MAX  1000000

enum bursts_group { BURSTS_SMALL, BURSTS_GIANT, BURSTS_GROUPS };

typedef struct bursts_shape {
    double chance;                       /* that a slot brings a burst, 0..1 */
    uint64_t burst;                      /* jobs of a burst, 1..BURSTS_JOBS_MAX */
    double giant;                        /* that a job is a giant, 0..1 */
    distribution maps[BURSTS_GROUPS];    /* map units of a job, by group */
    distribution reduces[BURSTS_GROUPS]; /* reduce units of a job, cut into near-equal tasks */
    uint32_t tasks;                      /* reduce tasks of a job at most, 1..BURSTS_TASKS_MAX */
} bursts_shape;

/* Bursts of small jobs with a few giants among them, in the slots 1..slots. */
source *source_bursts_new(const bursts_shape *shape, uint64_t slots, uint64_t seed, uint32_t replica);

/* The Facebook benchmark of Zaharia et al. as used by He, Lu, Swanson (2012), Tables II and III. */
source *source_facebook_new(uint64_t jobs, double gap, uint32_t bins, const distribution *reduce_length, uint64_t seed,
                            uint32_t replica);

/* The same jobs in the cluster model. Times are drawn from streams of their own, so that arrivals and sizes do not depend on
 * them.
 */
typedef struct facebook_times {
    double gap_ms;                              /* mean, between submissions; 0: all at once */
    distribution map_ms, reduce_ms;             /* of a job's tasks, one draw for all */
    uint64_t remote_ms;                         /* at most PN_CLUSTER_MOST_MS, as the next two are for 4800 blocks */
    uint64_t reduce_block_ms, shuffle_block_ms; /* added for each block of input, which the job's reduces share */
} facebook_times;

source *source_facebook_cluster_new(uint64_t jobs, uint32_t bins, const facebook_times *times, uint64_t seed, uint32_t replica);

#define RTMR_JOBS_MAX 10000000

enum rtmr_workload { RTMR_I, RTMR_II };

/* The jobs of He, Lu, Swanson (2012), Tables III and IV. The paper gives numbers of tasks and deadlines; times and estimates are
 * the caller's. */
typedef struct rtmr_shape {
    enum rtmr_workload workload;
    uint64_t jobs;                               /* 1..RTMR_JOBS_MAX, in the paper's proportions */
    uint64_t map_ms, reduce_ms, reduce_block_ms; /* a reduce takes its blocks' time more; < 2^30, < 2^30, < 2^24 */
    uint64_t est_permille[2];                    /* of a map's and a reduce's time, < 2^20 */
    uint64_t reduces_most;                       /* jobs with more reduces are left out */
    uint64_t gap_ms;                             /* between submissions, < 2^28 */
    double load;                                 /* > 0: of the slots that are busier, and gap_ms means nothing */
    uint64_t map_slots, reduce_slots;            /* of which that is the load; reduce_slots may be 0 */
} rtmr_shape;

/* Fills an empty table: SOURCE_END, or SOURCE_FAULT or SOURCE_INTERRUPTED. */
int source_rtmr_fill(source *table, const rtmr_shape *shape, uint64_t seed, uint32_t replica);

/* ---- batches of the makespan model: each fills an empty table ----------------------------------------------- */

#define BATCH_JOBS_MAX  1000000
#define BATCH_TASKS_MAX 1000000

/* Random jobs. A stage has a number of tasks and a length; a task lasts the length times its own factor, in whole units. */
typedef struct batch_shape {
    uint64_t jobs;          /* 1..BATCH_JOBS_MAX */
    distribution tasks[2];  /* of a stage: map, reduce */
    distribution length[2]; /* of a stage's tasks */
    distribution spread;    /* the factor; constant 1: a stage's tasks are equal */
    double stragglers;      /* that a task is a straggler, 0..1 */
    double times;           /* what a straggler's factor is multiplied with, > 0 */
    uint32_t tasks_most;    /* of a stage, 1..BATCH_TASKS_MAX: larger draws count as this */
} batch_shape;

/* SOURCE_END, or SOURCE_FAULT or SOURCE_INTERRUPTED. */
int source_batch_fill(source *table, const batch_shape *shape, uint64_t seed, uint32_t replica);

/* The jobs of source_facebook_new, all at once. Map tasks are drawn from a stream of their own, one length for each job. */
int source_facebook_fill(source *table, uint64_t jobs, uint32_t bins, const distribution *map_length,
                         const distribution *reduce_length, uint64_t seed, uint32_t replica);

/* ---- real numbers: sizes of the tandem model, errors in sizes -------------------------------------------- */

/* A distribution taken as one of factors: real numbers >= 0, where `uniform` has real bounds. */
const char *distribution_check_factor(const distribution *factor);
/* Negative draws count as 0; may be infinite. */
double distribution_factor(const distribution *factor, pn_stream *stream);
/* The mean of X^(thirds / 3), thirds 1..3, in closed form. Infinite where it is; -1 where there is no closed form, never for
 * thirds = 3. */
double distribution_moment(const distribution *factor, int thirds);

/* For many draws: what depends on the parameters alone is computed once. */
typedef struct prepared_factor {
    distribution of;
    double sigma, drift; /* of a log-normal: a * exp(sigma * z - drift), z standard normal */
} prepared_factor;

void prepared_factor_init(prepared_factor *self, const distribution *factor);
/* Bit-equal to as many calls of distribution_factor. */
void prepared_factor_fill(const prepared_factor *self, pn_stream *stream, double *draws, size_t count);

/* ---- jobs of the tandem model ---------------------------------------------------------------------------- */

/* A drawn or computed amount as the model takes it: below 2^-256 it counts as 0. 0 when it passes 2^256 or is NaN. */
int source_amount(double *amount);

typedef struct lin_shape {
    distribution map;   /* x */
    distribution other; /* y / x; independent = 1: y */
    double load;        /* of the station with more work */
    uint64_t jobs;
    uint8_t independent;
    uint8_t balance; /* 1: the cube root of y / x in its place, times what keeps the mean of y (Fig. 7b) */
    uint8_t batch;   /* 1: all jobs arrive at 0, load means nothing */
} lin_shape;

/* What follows from a shape. */
typedef struct lin_facts {
    double map, shuffle; /* mean sizes */
    double rate;         /* arrivals per unit of time: rate * max(map, shuffle) = load; 0 for a batch */
} lin_facts;

/* Null, or what is wrong with the shape as a constant text. */
const char *lin_check(const lin_shape *shape, lin_facts *facts);

/* Poisson arrivals of jobs with random sizes (TA22). */
source *source_lin_new(const lin_shape *shape, uint64_t seed, uint32_t replica);

/* Stretches of equal jobs at equal distances: adversarial instances and batches of any length in constant memory. */
typedef struct block {
    double arrival, step; /* job i of the block, i = 0, 1, …, arrives at arrival + i * step */
    double map, shuffle;
    uint64_t count;
    uint32_t group;
} block;

/* Room for `count` blocks, in order of arrival: no job arrives before the one ahead of it. They are copied. */
source *source_blocks_new(const block *blocks, size_t count);

/* ---- errors in sizes ----------------------------------------------------------------------------------- */

/* Beyond what workloads draw from (0 and the next few), below the policies' own. */
#define SOURCE_ERROR_STREAM 32

/* The jobs of `truth`, which must outlive it and is moved along with it, with estimates that are wrong by random factors. */
source *source_error_new(source *truth, const distribution *factor, uint64_t seed, uint32_t replica);

/* ---- deadlines ------------------------------------------------------------------------------------------ */

#define SOURCE_DEADLINE_STREAM 33

typedef struct deadline_rule {
    distribution draw;
    uint8_t relative; /* 1: a factor on what the job is estimated to take alone on an idle cluster; 0: ms */
    uint64_t map_slots, reduce_slots, slowest; /* relative: of this cluster; the speed of its slowest node, permille */
} deadline_rule;

/* The jobs of `truth`, of the cluster model, which must outlive it and is moved along with it, with other deadlines. */
source *source_deadlines_new(source *truth, const deadline_rule *rule, uint64_t seed, uint32_t replica);

/* ---- places in line ------------------------------------------------------------------------------------- */

#define SOURCE_RANK_LAST UINT32_MAX /* behind all that have one */

/* The jobs of `truth`, of the tandem model, which must outlive it and is moved along with it, with ranks for the first `count` of
 * them: SOURCE_RANK_LAST until they are set. Later jobs are last. */
source *source_ranks_new(source *truth, size_t count);
void source_ranks_set(source *ranks, size_t index, int station, uint32_t rank); /* station 0 map, 1 shuffle */

/* ---- all jobs at once ---------------------------------------------------------------------------------- */

/* A copy of every job of a source, for the two things that need them all: the tight bound and the checker. */
typedef struct job_list {
    pn_slotted_job *jobs;
    size_t count, room;
    uint64_t *reduces;
    size_t reduce_count, reduce_room;
} job_list;

/* SOURCE_END when complete, else SOURCE_FAULT or SOURCE_INTERRUPTED; the list is then to be freed all the same. Starts from the
 * first job. */
int job_list_collect(job_list *list, source *work);
void job_list_free(job_list *list);

/* Gaps between arrivals, summed as the engine of the tandem model sums them: as far as two doubles go, unrounded. */
typedef struct gap_sum {
    double high, low;
} gap_sum;

/* The time of an arrival so long after the one before. */
double gap_sum_add(gap_sum *sum, double gap);

/* The same of the tandem model. Arrivals are times, whatever the source gives. */
typedef struct tandem_job_list {
    pn_tandem_job *jobs;
    size_t count, room;
} tandem_job_list;

int tandem_job_list_collect(tandem_job_list *list, source *work);
void tandem_job_list_free(tandem_job_list *list);

/* … and of the cluster model, with their lists. */
typedef struct cluster_job_list {
    pn_cluster_job *jobs;
    size_t count;
    uint64_t *times;
    uint32_t *values;
} cluster_job_list;

int cluster_job_list_collect(cluster_job_list *list, source *work);
void cluster_job_list_free(cluster_job_list *list);

#endif
