/* Random instances of the slotted model, and running one of them through the kernel with everything
 * watched: finishes, digest, bounds, and the checker fed with every decision. Shared by the
 * differential, property and soak tests. */
#ifndef SLOTTED_INSTANCE_H
#define SLOTTED_INSTANCE_H

#include <stdbool.h>

#include "slotted/naive/naive.h"
#include "pinion.h"
#include "support/refusals.h"

enum { SLOTTED_JOBS = 16, SLOTTED_TASKS = 8 };

typedef struct slotted_instance {
    uint32_t machines;
    uint32_t job_count;
    bool estimates; /* some sizes are misjudged */
    uint64_t reduces[SLOTTED_JOBS][SLOTTED_TASKS];
    pn_slotted_job jobs[SLOTTED_JOBS];
} slotted_instance;

/* Limits of what is drawn: jobs 1..jobs_max, machines 1..machines_max, sizes small with now and
 * then a large one. */
typedef struct slotted_instance_limits {
    uint32_t jobs_max, machines_max, size_max, arrival_max;
} slotted_instance_limits;

void slotted_instance_draw(slotted_instance *drawn, pn_stream *stream,
                           slotted_instance_limits limits);
void slotted_instance_print(const slotted_instance *shown);

typedef struct slotted_outcome {
    int status; /* PN_DONE when all went well */
    uint64_t map_finish[SLOTTED_JOBS], finish[SLOTTED_JOBS];
    uint64_t total, lower_bound, digest, decisions, slots_run, slots_saturated;
    const char *fault; /* the checker's word, "" when content */
} slotted_outcome;

/* How to run: jobs may be submitted as they arrive, and the block moved to another address every so
 * many slots (0 = never). */
typedef struct slotted_manner {
    bool streaming;
    uint32_t move_every;
    uint32_t steps_max; /* the run is stopped after so many steps behind the last job; 0: never */
    uint32_t bounds;
    const double *params;
    uint64_t seed; /* of the policy's own random numbers */
    /* after each move, the policy that decides in place of the one before; null = the same one */
    const pn_slotted_policy *(*relieve)(void *user);
    void *user;
} slotted_manner;

void slotted_instance_run(const slotted_instance *run, const pn_slotted_policy *policy,
                          uint32_t reduce, slotted_manner how, slotted_outcome *out);

/* The naive simulator on the same instance; false when it does not know the policy in this mode.
 * `digest` folds what it decided. */
bool slotted_instance_naive(const slotted_instance *run, const char *policy, uint32_t reduce,
                            const double *params, slotted_outcome *out);

/* What the checker says of changed logs, see support/refusals.h; of finishes and decisions. */
void slotted_refusals(const pn_slotted_claim *claim, const refusals_table *log, uint64_t end,
                      uint64_t digest);

uint64_t slotted_instance_lb2(const slotted_instance *run, uint32_t reduce);
int64_t slotted_instance_naive_lb2(const slotted_instance *run, uint32_t reduce);
int64_t slotted_instance_naive_optimum(const slotted_instance *run, uint32_t reduce);

#endif
