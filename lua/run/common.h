/* One run of any model, from a source of jobs to its totals, without Lua: what runs share.
 * A model's run begins with a `run` and brings a run_model, the functions in which it differs.
 *
 * A stream is fed as time advances, into a block that may turn out too small, and can resume from a
 * checkpoint. A batch is there at once: its room is known before the first job, and it has neither
 * checkpoints nor anything that only they need. */
#ifndef PINION_RUN_COMMON_H
#define PINION_RUN_COMMON_H

#include <math.h>

#include "checkpoint.h"
#include "pinion_lua.h"
#include "pn_model.h"
#include "rows.h"
#include "base/progress.h"
#include "workload/source.h"
#include "log.h"

enum run_outcome {
    RUN_DONE = 0, /* also when it was interrupted */
    RUN_USAGE,    /* the request was wrong */
    RUN_FAILED    /* the run could not be finished */
};

/* What functions of the loop return beside the kernel's status. */
#define RUN_RESTART (-1000) /* room was too small: start again */
#define RUN_STOPPED (-1001) /* the outcome is settled */
#define RUN_IDLED   (-1002) /* the policy serves nothing any more */

#define RUN_MESSAGE_SIZE 1200

/* All that a loop must know to resume, besides the block and the rows: what a checkpoint carries. A
 * model's state begins with it. Plain data without pointers, zero at first; what a loop counts and
 * reports at the end belongs there. */
typedef struct run_state {
    uint64_t fed;       /* jobs of the source that were submitted */
    uint64_t scenario;  /* its hash, when there is a log */
    source_marks marks; /* of its jobs, when there is a log */
    uint64_t log_bytes; /* the log's length; 0 = nothing written yet */
    uint32_t jobs_max;  /* the current capacity */
    uint32_t unused;
    pn_batches in_system; /* the number of jobs in the system as arrivals saw it */
    /* over the finished jobs behind the warm-up: of their weights, and of weight times time; sums
     * of two parts */
    double weights[2], weighted[2];
} run_state;

/* Where a run writes checkpoints, and what it resumes from. */
typedef struct run_checkpoint {
    const char *path;   /* null = none is written */
    const char *about;  /* fields of the first line, as JSON text without the braces */
    checkpoint *resume; /* null = from the first job; what is taken from it becomes the run's */
} run_checkpoint;

/* Where a run stands. */
typedef struct run_place {
    char time[48]; /* the field of a checkpoint's first line that tells it, as "\"slot\":12" */
    double at;     /* the same as a number */
    uint64_t submitted, finished; /* jobs */
    uint64_t done, total;         /* for the line on the terminal; total 0 = unknown */
    const char *unit;             /* of these */
} run_place;

typedef struct run_base run_base;

/* What is asked of the simulation on the way, at times in the model's unit, ascending. */
typedef struct run_questions {
    const double *times; /* owned by the caller */
    size_t count, asked;
    /* 1: as the policy decides at times[index]; 0, and where it does not then: when all that
     * happens up to it has happened */
    int deciding;
    /* again, when a run starts again */
    void (*ask)(run_base *run, size_t index);
    void *user;
} run_questions;

/* What a model brings to the loop. `run` is the model's own, which begins with it. A null is what a
 * model does not need. */
typedef struct run_model {
    const pn_model *(*kernel)(void);
    size_t run_bytes;   /* of the model's run */
    size_t config_at;   /* offset of its configuration of the kernel */
    size_t state_at;    /* offset of its state, which begins with a run_state */
    size_t state_bytes; /* of it */
    /* Refuses a request, before all else. */
    enum run_outcome (*accept)(run_base *run);
    /* Once, when the log is open or there is none; before the first job, unless the run resumes. A
     * batch sets the room for jobs. */
    enum run_outcome (*begin)(run_base *run);
    /* Sets the capacities in the configuration to those of the state. */
    void (*prepare)(run_base *run);
    /* Begins with a block, `fresh` or taken over: forgets what the model remembers of an earlier
     * one, and tells a fresh one what it must know before the first job. A status of the kernel. */
    int (*start)(run_base *run, int fresh);
    /* Submits and executes until the end, by run_advance. PN_OK, PN_DONE, an error of the kernel,
     * RUN_RESTART, RUN_IDLED, or RUN_STOPPED with *outcome. */
    int (*feed)(run_base *run, enum run_outcome *outcome);
    /* Executes at most `steps` of the steps up to a time, or all where that is infinity: PN_OK when
     * none is left there, PN_PAUSED behind the last of them, PN_DONE when nothing is left to do, or
     * the kernel's error. */
    int (*execute)(run_base *run, double until, uint64_t steps);
    /* The time up to which `execute` executes what happens at this time; null: that is the time
     * itself, and so is the time up to which a stream is advanced. */
    double (*next_time)(const run_base *run, double time);
    /* Between two pieces: whether the policy serves nothing any more; and whether nothing can
     * happen any more. */
    int (*idles)(run_base *run);
    int (*over)(const run_base *run);
    /* Asks the kernel for the totals. */
    void (*look)(run_base *run, run_place *place);
    /* A status below 0 of start or feed in words, by run_refuse. */
    enum run_outcome (*refuse)(run_base *run, int status);
    void (*end_log)(run_base *run); /* its last line */
    int logs_interrupted;           /* 1: after Ctrl-C too, when it says how far the run came */
    /* Of a timeline: enum pn_timeline_clock, the number of its series, and their values since the
     * last step, recorded at this time where that is later. */
    uint32_t timeline_clock;
    uint32_t (*timeline_series)(const run_base *run);
    void (*record)(run_base *run, double time);
    void (*free)(run_base *run); /* what the model has beside the block */
    /* At the end of a run that is done: completes the result. */
    enum run_outcome (*conclude)(run_base *run);

    /* A stream's; null in a batch, whose feed begins the log when the plan is made. */
    const char *servers; /* what cannot keep up when there is an end of room */
    uint32_t room_most;  /* the first room for jobs, of a workload whose size is known */
    /* The scenario's hash: SOURCE_END, or why there is none. */
    int (*hash)(run_base *run, uint64_t *hash);
    void (*start_log)(run_base *run); /* its first line */
    /* Whether what the model's state of a checkpoint holds beside the shared part makes sense. */
    int (*state_sound)(const run_base *run);
    /* Reads the next job of the source and drops it: it was submitted before the checkpoint. */
    int (*skip)(run_base *run);
    /* The kernel said PN_ERR_FULL: doubles the capacity that was too small, by run_make_room. */
    int (*make_room)(run_base *run, enum run_outcome *outcome);
} run_model;

struct run_base {
    /* The request. All else is zero. */
    const run_model *model;
    run_state *state; /* the model's, which begins with it */
    source *work;
    int quiet;
    const char *label;
    /* Where the run is to end, as the model has times: before this time, or after this slot;
     * infinity = never. */
    double until;
    double every;         /* time from one checkpoint to the next, > 0, if any is written */
    const char *log_path; /* null = no log */
    rows *rows;           /* null = no rows */
    run_checkpoint checkpoint;
    run_questions questions;   /* all 0 = none */
    uint32_t timeline_buckets; /* 2..PN_TIMELINE_BUCKETS_MAX; 0 = no timeline is recorded */

    /* The result. The simulation can be asked until run_free. */
    void *sim; /* of the model's own type; null where there is none yet */
    size_t block_bytes;
    int interrupted;
    int fed_all;  /* every job of the source was submitted */
    int all_done; /* fed_all, and nothing is left to do: the bounds are complete */
    int saved;    /* there is a checkpoint to resume from */
    /* interrupted in a policy's call: no run can resume from the state */
    int cut_short;
    int weight; /* the number of the attribute of this name; -1: jobs have none */
    char message[RUN_MESSAGE_SIZE]; /* unless RUN_DONE */
    pn_timeline *timeline;          /* until run_free; null when none was asked for */

    /* The loop's own. */
    const pn_model *kernel; /* the kernel's table of the model */
    void *config;           /* the model's */
    double save_at;         /* the time up to which steps come before the next checkpoint */
    void *block;
    void *timeline_block;
    run_log log;
    progress progress;
    int unsaved; /* errno of a checkpoint that could not be written */
    /* steps and jobs between two looks at the clock */
    uint64_t poll_every;
    uint64_t unpolled; /* of them since the last look */
    double polled;     /* time of that look */
};

/* Makes a zeroed struct of model->run_bytes a run of the model; to be called before anything is
 * requested. */
void run_make(run_base *run, const run_model *model);
enum run_outcome run_go(run_base *run);
void run_free(run_base *run); /* safe to call twice */

/* ---- for the models -------------------------------------------------------------------------- */

/* Puts the reason into the message; returns `outcome`. */
enum run_outcome run_refuse(run_base *run, enum run_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The reason that the source gave; and the reason that a policy written in Lua gave, when it gave
 * one, else of the kernel. */
enum run_outcome run_refuse_source(run_base *run);
/* A call that Ctrl-C ended is no failure: what there is up to it is the result. */
enum run_outcome run_refuse_policy(run_base *run, const pn_lua_policy *script);

/* Returns doubles a table that was too small, and says so. RUN_RESTART, or RUN_STOPPED when there
 * is no larger one. */
int run_make_room(run_base *run, uint32_t *room, const char *what, enum run_outcome *outcome);
/* Does the same until so many fit in. */
int run_make_room_for(run_base *run, uint32_t *room, uint64_t wanted, const char *what,
                      enum run_outcome *outcome);

/* Counts a job that was submitted, and keeps its row. PN_OK, or RUN_STOPPED with *outcome. */
int run_count_job(run_base *run, const void *job, row_value arrival, uint32_t group,
                  enum run_outcome *outcome);
/* Returns whether the run counts finished jobs even if it keeps no rows. */
static inline int run_weighs(const run_base *run)
{
    return run->weight >= 0;
}
/* Counts a job behind the warm-up that has finished after such a time in the system. */
void run_count_finish(run_base *run, const double *attributes, double time);
/* Returns the mean of these times by weight; 0: there is none. */
int run_weighted_mean(const run_base *run, double *mean);
/* Ends the source, which gave no job but this answer. PN_OK at its end, or RUN_STOPPED with
 * *outcome. */
int run_source_ended(run_base *run, int answer, enum run_outcome *outcome);
/* Returns whether the run keeps checkpoints; one whose log could not be begun, as it was
 * interrupted, keeps none. */
int run_keeps_checkpoints(const run_base *run);
/* Writes a checkpoint: 0 when that fails. */
int run_save(run_base *run);

/* ---- the loop (loop.c) ----------------------------------------------------------------------- */

void run_loop_start(run_base *run);
/* Sets the time of the next checkpoint. */
void run_plan(run_base *run);
/* Executes all steps up to a time (infinity: all), and asks on the way. PN_OK, PN_DONE,
 * RUN_STOPPED, RUN_IDLED, or an error of the kernel. */
int run_advance(run_base *run, double until);
/* Looks at the clock, at Ctrl-C and at the log: PN_OK, RUN_STOPPED, or RUN_IDLED. */
int run_poll(run_base *run);
/* Asks what has not been asked as it has come so far. */
void run_ask(run_base *run, double time);
/* Returns a time of a model whose times are integers. */
static inline uint64_t run_integer(double time)
{
    return time < 0x1p63 ? (uint64_t)time : UINT64_MAX;
}

#endif
