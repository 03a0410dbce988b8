/* A slow and obvious reference model of the tandem queue, in long double. At every instant it looks
 * at every job, sorts them all and sets all rates anew; it keeps no state that the rules do not
 * name, so that it can judge a fast implementation. Comments cite the rules of the specification,
 * TA1-TA24. */
#ifndef NAIVE_TANDEM_H
#define NAIVE_TANDEM_H

#include <stdbool.h>
#include <stddef.h>

#include "pn_strict.h"

typedef struct naive_tandem_job {
    long double arrival, map, shuffle; /* true sizes */
    /* what a scheduler believes; equal to the truth when exact */
    long double estimate_map, estimate_shuffle;
    /* place in line at map and shuffle, for `priority` */
    unsigned rank[2];
} naive_tandem_job;

typedef struct naive_tandem_times {
    long double map_finish, finish;
    /* finish - arrival, of offsets from the start of the busy period (TA23) */
    long double response;
} naive_tandem_times;

enum naive_tandem_lend { NAIVE_LEND_NONE = 0, NAIVE_LEND_EMPTY = 1, NAIVE_LEND_FULL = 2 };

typedef struct naive_tandem_config {
    const char *policy;
    /* the policy's only one: k, theta, work_conserving (0, 1) or enum naive_tandem_lend */
    long double param;
    long double speed;
    bool traditional; /* no overlap (TA4) */
    /* arrivals were given as gaps: what counts as one moment depends on the offset alone (TA21,
     * TA23) */
    bool gaps;
    /* The rates are also set anew just after any two amounts left (map, shuffle or both, of one job
     * or of two) have met: a policy without key-crossing events must not care (TA14). */
    bool meetings;
} naive_tandem_config;

enum naive_tandem_result {
    NAIVE_TANDEM_DONE = 0,
    /* nothing is served any more: TA15 gives one class nothing when all ratios seen are infinite */
    NAIVE_TANDEM_STUCK = 1,
    NAIVE_TANDEM_UNKNOWN = 2 /* no such policy */
};

/* The jobs are sorted by arrival, and a job's index is its id - 1 (TA1). */
enum naive_tandem_result naive_tandem_run(const naive_tandem_config *config,
                                          const naive_tandem_job *jobs, size_t count,
                                          naive_tandem_times *times);

/* The bounds TA19 and TA20; they know no policy, estimates or overlap. */
long double naive_tandem_bound(long double speed, const naive_tandem_job *jobs, size_t count);
long double naive_tandem_bound_tight(long double speed, const naive_tandem_job *jobs, size_t count);

/* The total response time of SRPT on one machine of this speed. */
long double naive_tandem_srpt(long double speed, const long double *arrivals,
                              const long double *sizes, size_t count);

/* What counts as the same moment: 64 units in the last place of a double (TA21). */
long double naive_tandem_tolerance(long double time);

#endif
