/* Sources of jobs of the tandem model. */
#ifndef PINION_TANDEM_SOURCES_JOBS_H
#define PINION_TANDEM_SOURCES_JOBS_H

#include "workload/arrivals.h"
#include "workload/distribution.h"
#include "workload/source.h"
#include "workload/swim.h"

/* Every source of jobs of the tandem model begins with it. */
typedef struct tandem_source {
    source base;
    uint8_t gaps; /* 1: pn_tandem_job.arrival is the gap to the previous arrival (TA23) */
} tandem_source;

static inline const tandem_source *tandem_source_of(const source *work)
{
    return (const tandem_source *)work;
}

/* ---- a table of jobs in memory --------------------------------------------------------------- */

/* Makes a table of the tandem model: arrivals are times. */
source *tandem_table_new(void);
int tandem_table_add(source *table, const void *job); /* a pn_tandem_job */
pn_tandem_job *tandem_table_at(source *table, uint64_t index);
int tandem_is_table(const source *any);

/* ---- generators ------------------------------------------------------------------------------ */

/* Takes a drawn or computed amount as the model takes it: below 2^-256 it counts as 0. 0 when it
 * passes 2^256 or is NaN. */
int source_amount(double *amount);

typedef struct lin_shape {
    distribution map;   /* x */
    distribution other; /* y / x; independent = 1: y */
    double load;        /* of the station with more work */
    uint64_t jobs;
    uint8_t independent;
    /* 1: the cube root of y / x in its place, times what keeps the mean of y (Fig. 7b) */
    uint8_t balance;
    uint8_t batch; /* 1: all jobs arrive at 0, load means nothing */
} lin_shape;

/* What follows from a shape. */
typedef struct lin_facts {
    double map, shuffle; /* mean sizes */
    /* arrivals per unit of time: rate * max(map, shuffle) = load; 0 for a batch */
    double rate;
} lin_facts;

/* Returns null, or what is wrong with the shape as a constant text. */
const char *lin_check(const lin_shape *shape, lin_facts *facts);

/* Makes Poisson arrivals of jobs with random sizes (TA22). */
source *tandem_lin_new(const lin_shape *shape, uint64_t seed, uint32_t replica);

/* Stretches of equal jobs at equal distances: adversarial instances and batches of any length in
 * constant memory. */
typedef struct block {
    double arrival, step; /* job i of the block, i = 0, 1, …, arrives at arrival + i * step */
    double map, shuffle;
    uint64_t count;
    uint32_t group;
} block;

/* Makes a table with places for `count` blocks, in order of arrival: no job arrives before the one
 * ahead of it. They are copied. */
source *tandem_blocks_new(const block *blocks, size_t count);

/* ---- places in line -------------------------------------------------------------------------- */

#define SOURCE_RANK_LAST UINT32_MAX /* behind all that have one */

/* Makes the jobs of `truth`, of the tandem model, which must outlive it and is read along with it,
 * with ranks for the first `count` of them: SOURCE_RANK_LAST until they are set. Later jobs are
 * last. */
source *tandem_ranks_new(source *truth, size_t count);
/* Sets ranks; station 0 map, 1 shuffle */
void tandem_ranks_set(source *ranks, size_t index, int station, uint32_t rank);

/* ---- SWIM traces ----------------------------------------------------------------------------- */

/* The stations' rates are such that all bytes take each station this share of `span` seconds. */
typedef struct swim_loads {
    double map, shuffle, span; /* > 0 */
    int drop_zero;             /* 1: no job for rows that neither read nor shuffle */
    /* 1: the cube root of shuffle / map in its place, times what keeps the sum (Fig. 7b) */
    int balance;
} swim_loads;

/* Reads a whole trace into the empty `table`. 1, or 0 with a message. */
int swim_read_tandem(const char *path, const swim_loads *loads, source *table,
                     swim_summary *summary, char message[SWIM_MESSAGE_SIZE]);

/* ---- errors in sizes ------------------------------------------------------------------------- */

/* Makes the jobs of `truth`, of the tandem model, which must outlive it and is read along with it,
 * with estimates that are wrong by random factors (error.h). Null when memory is short. */
source *tandem_error_new(source *truth, const distribution *factor, uint64_t seed,
                         uint32_t replica);

/* ---- all jobs at once ------------------------------------------------------------------------ */

/* The same of the tandem model. Arrivals are times, whatever the source gives. */
typedef struct tandem_job_list {
    pn_tandem_job *jobs;
    size_t count, room;
} tandem_job_list;

int tandem_job_list_collect(tandem_job_list *list, source *work);
void tandem_job_list_free(tandem_job_list *list);

/* ---- jobs that are changed ------------------------------------------------------------------- */

extern const struct changed_model changed_tandem; /* changed.h */

#endif
