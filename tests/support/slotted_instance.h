/* Random instances of the slotted model, and running one of them through the kernel with everything
 * watched: finishes, digest, bounds, and the checker fed with every decision. Shared by the
 * differential, property and soak tests. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include <stdbool.h>

#include "naive/slotted.h"
#include "pinion.h"

enum { INSTANCE_JOBS = 16, INSTANCE_TASKS = 8 };

typedef struct instance {
    uint32_t machines;
    uint32_t job_count;
    bool estimates; /* some sizes are misjudged */
    uint64_t reduces[INSTANCE_JOBS][INSTANCE_TASKS];
    pn_slotted_job jobs[INSTANCE_JOBS];
} instance;

/* Limits of what is drawn: jobs 1..jobs_max, machines 1..machines_max, sizes small with now and
 * then a large one. */
typedef struct instance_limits {
    uint32_t jobs_max, machines_max, size_max, arrival_max;
} instance_limits;

void instance_draw(instance *drawn, pn_stream *stream, instance_limits limits);
void instance_print(const instance *shown);

typedef struct outcome {
    int status; /* PN_DONE when all went well */
    uint64_t map_finish[INSTANCE_JOBS], finish[INSTANCE_JOBS];
    uint64_t total, lower_bound, digest, decisions, slots_run;
    const char *fault; /* the checker's word, "" when content */
} outcome;

/* How to run: jobs may be submitted as they arrive, and the block moved to another address every so
 * many slots (0 = never). */
typedef struct manner {
    bool streaming;
    uint32_t move_every;
    uint32_t bounds;
    const double *params;
    uint64_t seed; /* of the policy's own random numbers */
    /* after each move, the policy that goes on in place of the one before; null = the same one */
    const pn_slotted_policy *(*relieve)(void *user);
    void *user;
} manner;

void instance_run(const instance *run, const pn_slotted_policy *policy, uint32_t reduce, manner how,
                  outcome *out);

/* The naive simulator on the same instance; false when it does not know the policy in this mode.
 * `digest` folds what it decided. */
bool instance_naive(const instance *run, const char *policy, uint32_t reduce, const double *params,
                    outcome *out);

uint64_t instance_lb2(const instance *run, uint32_t reduce);
int64_t instance_naive_lb2(const instance *run, uint32_t reduce);
int64_t instance_naive_optimum(const instance *run, uint32_t reduce);

#endif
