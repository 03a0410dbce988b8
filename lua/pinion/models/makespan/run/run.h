/* One run of the makespan model, from a batch to its schedule, without Lua. */
#ifndef PINION_MAKESPAN_RUN_RUN_H
#define PINION_MAKESPAN_RUN_RUN_H

#include "log.h"
#include "run/common.h"
#include "pinion/models/makespan/sources/jobs.h"

typedef struct makespan_run {
    run_base run;

    /* The request, beside that of every run. All else is zero. */
    pn_makespan_config config; /* this module sets its capacities and ticks */
    const pn_makespan_policy *policy;
    double params[PN_PARAMS_MAX];
    const uint64_t *order; /* null = none is given; of as many jobs as there are */
    size_t order_count;
    const pn_makespan_pool *pools; /* null = none are given */
    size_t pool_count;
    pn_exact until; /* instants before this time; den 0 = until every job is done */
    int bound;      /* 1 = the lower bound too */
    /* what is known already of every schedule's makespan; den 0 = nothing */
    pn_exact proven;

    /* The result; mostly empty where the run was interrupted before the plan. */
    pn_makespan_totals totals;
    pn_exact lower_bound; /* units of time; den 0 = there is none */

    /* Private. */
    pn_makespan_hooks hooks;
    run_state state;
    uint64_t ticks; /* fine, to the unit of time; 0 before the plan */
} makespan_run;

extern const run_model makespan_model;
/* map_start, map_finish, reduce_start, finish, in fine ticks */
extern const row_shape makespan_rows;

#endif
