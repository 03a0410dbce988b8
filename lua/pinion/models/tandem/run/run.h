/* One run of the tandem model, from a source of jobs to its totals, without Lua. */
#ifndef PINION_TANDEM_RUN_RUN_H
#define PINION_TANDEM_RUN_RUN_H

#include "run/common.h"
#include "log.h"
#include "pinion/models/tandem/sources/jobs.h"

/* See run_state. */
typedef struct tandem_run_state {
    run_state shared;
    gap_sum arrivals; /* of the jobs submitted, when the source gives gaps */
    double arrival;   /* of the last one */
    uint64_t seen;    /* jobs submitted when the number in the system was last looked at */
} tandem_run_state;

typedef struct tandem_run {
    run_base run;

    /* The request, beside that of every run. All else is zero. */
    /* this module sets its capacity, and whether arrivals are gaps */
    pn_tandem_config config;
    const pn_tandem_policy *policy;
    double params[PN_PARAMS_MAX];

    /* The result. */
    pn_tandem_totals totals;

    /* Private. */
    pn_tandem_hooks hooks;
    tandem_run_state state;
    tandem_log_time logged;
    /* When enough work was last seen to be done: the work done by then, and the instants until
     * then. And the work of all jobs submitted. */
    double work_done, work_submitted;
    uint64_t work_finished, work_instants;
} tandem_run;

extern const run_model tandem_model;
extern const row_shape tandem_rows; /* arrival, map_finish, finish, response_time, slowdown */

#endif
