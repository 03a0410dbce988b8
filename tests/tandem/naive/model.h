/* What the two halves of the naive tandem simulator share: its state. One half sets the rates of an
 * instant, as policies do; the other finds the next instant and moves there. The names x, b, p, g,
 * q, c are those of the rules. */
#ifndef NAIVE_TANDEM_MODEL_H
#define NAIVE_TANDEM_MODEL_H

#include <math.h>

#include "naive.h"

enum { KEYS = 3 };

#define NEVER ((long double)INFINITY)

typedef struct job_state {
    const naive_tandem_job *job;
    naive_tandem_times *times;
    long double arrival; /* as the offset within the busy period (TA23) */
    bool arrived, complete;
    long double x, b;             /* map work left, available shuffle work (TA2) */
    long double mapped, shuffled; /* work done */
    long double p, g, q;          /* rates of map, generation and shuffle (TA3) */
    int class;                    /* TA15 */
    /* the job whose key this one has reached at this instant (TA17) */
    struct job_state *caught;
    long double key[KEYS];
} job_state;

typedef struct model {
    const naive_tandem_config *config;
    job_state *jobs;
    size_t count;
    job_state **order; /* the jobs present, sorted */
    size_t present;
    long double c;
    long double base, time; /* now is base + time; time starts at 0 with each busy period (TA23) */
    long double crossing;   /* time from now to the next crossing */
} model;

/* Sets all rates of this instant by the policy, and when a job catches another; false when the
 * policy is unknown. */
bool naive_tandem_set_rates(model *m);

/* Shuffle work left, Y: without overlap all of y until the map is done (TA2, TA4). */
long double naive_tandem_true_y(const model *m, const job_state *s);

/* The time in which a job catches one before it (TA17). Where sizes are misjudged, Y as seen stays
 * at 0 once it is there, and two jobs at 0 stand side by side. */
long double naive_tandem_catching(const model *m, const job_state *before, const job_state *behind);

static inline long double least(long double a, long double b)
{
    return a < b ? a : b;
}

static inline long double most(long double a, long double b)
{
    return a > b ? a : b;
}

#endif
