/* One run of the slotted model, from a source of jobs to its totals, without Lua. */
#ifndef PINION_SLOTTED_RUN_H
#define PINION_SLOTTED_RUN_H

#include "lrows.h"
#include "progress.h"
#include "slotted_log.h"

enum run_outcome {
    RUN_DONE = 0, /* also when it was interrupted */
    RUN_USAGE,    /* the question was wrong */
    RUN_FAILED    /* the run could not be finished */
};

#define RUN_MESSAGE_SIZE 512

typedef struct slotted_run {
    /* What is asked. Zero all else. */
    source *work;
    pn_slotted_config config; /* its capacities are this module's affair */
    const pn_slotted_policy *policy;
    int64_t params[PN_PARAMS_MAX];
    uint64_t until; /* last slot to execute; PN_FOREVER = until every job is done */
    int tight;      /* the tight lower bound too */
    int quiet;
    const char *label;
    const char *log_path; /* null = no log */
    rows *rows;           /* null = no rows */

    /* What comes out. The simulation can be asked until slotted_run_free. */
    pn_slotted *sim;
    size_t block_bytes;
    pn_slotted_totals totals;
    int interrupted;
    int fed_all;  /* every job of the source was submitted */
    int all_done; /* … and finished, in the virtual run too: the bounds are complete */
    uint64_t lower_bound_tight;
    char message[RUN_MESSAGE_SIZE]; /* unless RUN_DONE */

    /* Its own. */
    void *block;
    void *workspace; /* of the tight bound */
    job_list jobs;
    slotted_log log;
    progress progress;
    pn_slotted_hooks hooks;
    uint64_t clock;        /* slots up to here are done with */
    uint64_t poll_every;   /* slots and jobs between two looks at the clock */
    uint64_t unpolled;     /* of them since the last look */
    uint64_t slots_polled; /* executed slots at that look */
    double polled;         /* time of that look */
} slotted_run;

enum run_outcome slotted_run_go(slotted_run *run);
void slotted_run_free(slotted_run *run); /* safe to call twice */

#endif
