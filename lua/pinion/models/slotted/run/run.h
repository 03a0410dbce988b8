/* One run of the slotted model, from a source of jobs to its totals, without Lua. */
#ifndef PINION_SLOTTED_RUN_RUN_H
#define PINION_SLOTTED_RUN_RUN_H

#include "run/common.h"
#include "log.h"
#include "pinion/models/slotted/sources/jobs.h"

/* See run_state. */
typedef struct slotted_run_state {
    run_state shared;
    uint64_t seen_slot;     /* of the last arrival */
    uint64_t seen;          /* jobs in the system at the start of that slot */
    uint32_t stretches_max; /* the current capacity */
    uint32_t unused;
} slotted_run_state;

typedef struct slotted_run {
    run_base run;

    /* The request, beside that of every run. All else is zero. */
    pn_slotted_config config; /* this module sets its capacities */
    const pn_slotted_policy *policy;
    double params[PN_PARAMS_MAX];
    int tight; /* the tight lower bound too */

    /* The result. */
    pn_slotted_totals totals;
    uint64_t lower_bound_tight;

    /* Private. */
    void *workspace; /* of the tight bound */
    job_list jobs;
    pn_slotted_hooks hooks;
    slotted_run_state state;
} slotted_run;

extern const run_model slotted_model;
extern const row_shape slotted_rows; /* arrival, map_finish, finish, flow_time */

#endif
