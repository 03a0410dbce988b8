/* One run of the slotted model, from a source of jobs to its totals, without Lua. */
#ifndef PINION_SLOTTED_RUN_H
#define PINION_SLOTTED_RUN_H

#include "checkpoint.h"
#include "lrows.h"
#include "progress.h"
#include "slotted_log.h"

enum run_outcome {
    RUN_DONE = 0, /* also when it was interrupted */
    RUN_USAGE,    /* the question was wrong */
    RUN_FAILED    /* the run could not be finished */
};

#define RUN_MESSAGE_SIZE 1200

/* All that the loop must know to go on, besides the block and the rows: what a checkpoint carries. Plain data without pointers,
 * zero at first; whatever the loop learns on its way and reports at the end belongs here. */
typedef struct slotted_run_state {
    uint64_t clock;              /* slots up to here are done with */
    uint64_t fed;                /* jobs of the source that were submitted */
    uint64_t scenario;           /* its hash, when there is a log */
    uint64_t log_bytes;          /* the log's length; 0 = nothing written yet */
    uint32_t jobs_max, runs_max; /* the capacities that the run has come to */
    /* The number of jobs in the system as arrivals saw it: */
    uint64_t seen_slot;   /* of the last arrival */
    uint64_t seen;        /* jobs at the start of that slot */
    pn_batches in_system; /* … of every arrival */
} slotted_run_state;

/* Where a run writes checkpoints, and what it goes on from. */
typedef struct slotted_run_checkpoint {
    const char *path;   /* null = none is written */
    uint64_t every;     /* slots, >= 1 */
    const char *about;  /* fields of the first line, as JSON text without the braces */
    checkpoint *resume; /* null = from the first job; what is taken from it becomes the run's */
} slotted_run_checkpoint;

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
    slotted_run_checkpoint checkpoint;

    /* What comes out. The simulation can be asked until slotted_run_free. */
    pn_slotted *sim;
    size_t block_bytes;
    pn_slotted_totals totals;
    int interrupted;
    int fed_all;  /* every job of the source was submitted */
    int all_done; /* … and finished, in the virtual run too: the bounds are complete */
    uint64_t lower_bound_tight;
    int saved;                      /* the checkpoint is that of the run's end */
    char message[RUN_MESSAGE_SIZE]; /* unless RUN_DONE */

    /* Its own. */
    void *block;
    void *workspace; /* of the tight bound */
    job_list jobs;
    slotted_log log;
    progress progress;
    pn_slotted_hooks hooks;
    slotted_run_state state;
    uint64_t save_at;      /* the next checkpoint is due in this slot */
    int unsaved;           /* errno of a checkpoint that could not be written */
    uint64_t poll_every;   /* slots and jobs between two looks at the clock */
    uint64_t unpolled;     /* of them since the last look */
    uint64_t slots_polled; /* executed slots at that look */
    double polled;         /* time of that look */
} slotted_run;

enum run_outcome slotted_run_go(slotted_run *run);
void slotted_run_free(slotted_run *run); /* safe to call twice */

#endif
