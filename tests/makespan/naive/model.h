/* What the parts of the naive makespan model share. */
#ifndef NAIVE_MAKESPAN_MODEL_H
#define NAIVE_MAKESPAN_MODEL_H

#include "naive.h"

typedef struct model {
    naive_makespan_config config; /* without defaults: all is said */
    /* all tasks are there (MK2), slots are requested (MK3) */
    naive_makespan_job jobs[NAIVE_MAKESPAN_JOBS];
    size_t count;
    unsigned evaluations;
} model;

typedef struct score {
    fraction makespan, total;
} score;

/* Simulates these jobs in this order on so many slots; sets the times of these jobs. */
score naive_makespan_simulate(const model *m, const size_t *order, size_t count,
                              const unsigned slots[2], naive_makespan_times *times);

/* The same without the times. */
score naive_makespan_evaluate(const model *m, const size_t *order, size_t count,
                              const unsigned slots[2]);

/* M; false when there is none. */
bool naive_makespan_bound(const model *m, fraction *bound);

fraction naive_makespan_work(const naive_makespan_stage *stage);    /* sum of its tasks */
fraction naive_makespan_longest(const naive_makespan_stage *stage); /* task; 0 without tasks */

#endif
