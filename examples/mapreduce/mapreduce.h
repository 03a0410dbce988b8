/* A host with real machines in small: nodes are directories with slots, tasks are processes
 * that run shell commands over real files, and the scheduler core (pn_scheduler.h) says which of
 * them starts where, and which is killed. Any policy does: a built-in one by name, or a file in
 * Lua. Jobs may have deadlines: under rtmr-live a job is accepted only if all are expected to make
 * theirs, and who loses a node hears at once which jobs are late.
 *
 *   DIR/node0/blocks/job1-map1       input of a map, on each node that has a replica
 *   DIR/node0/job1-map1.0/           an attempt at work: its input, where that had to be
 *                                    fetched, and its output
 *   DIR/node0/job1-map1/part-1       output of a map that is done, for reduce 1
 *   DIR/output/job1/part-1           result
 *
 * main.c       options
 * jobs.c       jobs, from a file or built in
 * files.c      directories and inputs of the nodes
 * admission.c  jobs come: what the core is told of them, and what it answers
 * host.c       the loop: what happens to processes becomes events to the core, and its decisions
 *              become processes
 * task.c       what a process does
 * ../common    what it shares with the other host: messages, policies, processes, the input log
 * report.c     the table, the decision log, the scenario, the check of the results
 *
 *   make build/mapreduce
 * or
 *   cc -std=c11 -Ikernel/include -Ilua/include examples/mapreduce/?*.c examples/common/?*.c \
 *      build/libpinion-lua.a build/libpinion.a $(pkg-config --cflags --libs lua5.4) -lm \
 *      -o mapreduce && ./mapreduce --policy hsrtf-pup --check */
#ifndef MAPREDUCE_H
#define MAPREDUCE_H

#include "../common/common.h"

/* Largest estimate of a task, ms. */
#define EST_MOST ((uint64_t)1 << 40)

enum { MAP = PN_SCHEDULER_MAP, REDUCE = PN_SCHEDULER_REDUCE, PATH_ROOM = 4096 };

typedef struct mr_job {
    char *name;
    /* of its maps and reduces, for sh -c: from standard input to standard output, line by line */
    char *command[2];
    uint64_t due;       /* ms after the start: when it comes */
    uint64_t deadline;  /* ms after that; 0 = none */
    uint64_t est_ms[2]; /* how long its maps and reduces take at most, as far as one knows before */
    uint32_t maps, reduces;
    uint32_t kib;               /* of each map's input */
    uint32_t *replicas;         /* nodes that hold the input, `copies` for each map */
    uint32_t *home;             /* of each map that is done: the node with its output */
    uint64_t *times[2];         /* of each task: how long its last attempt worked, ms */
    pn_scheduler_record record; /* once it is submitted */
    int ended;
} mr_job;

/* Numbers of the model that a user may set, by the names that scenarios have for them. */
typedef struct mr_setting {
    const char *name;
    uint64_t value, usual; /* usual: what a scenario without it means */
    uint64_t low, high;
} mr_setting;
enum {
    TICK_MS,
    DEFAULT_TASK_MS,
    LOCALITY_DELAY_MS,
    SLOWSTART_PERMILLE,
    INPUT_RATIO_PERMILLE,
    MAX_KILLS,
    ATTEMPTS_MAX,
    EST_EXTRA_MS,
    SETTINGS
};

/* A node goes down, or comes back. */
typedef struct mr_outage {
    uint64_t due, time; /* ms after the start: when it is meant to, and when it did; NEVER before */
    uint32_t node;
    int up;
} mr_outage;

/* What is to be run. */
typedef struct mr_plan {
    const char *directory;
    pn_scheduler_nodes nodes; /* one group of nodes alike */
    uint32_t copies;          /* replicas of each input, at most one a node */
    uint64_t seed;
    uint64_t deadline, est_ms[2]; /* of jobs that have none of their own */
    mr_setting settings[SETTINGS];
    const char *policy_name; /* as the user wrote it */
    const pn_scheduler_policy *policy;
    double params[PN_PARAMS_MAX];
    lua_file lua;     /* where the policy is written in Lua */
    input_log inputs; /* what the core is told */
    mr_job *jobs;     /* in order of `due` */
    uint32_t job_count;
    mr_outage *outages; /* in order of `due` */
    uint32_t outage_count;
} mr_plan;

/* An attempt: the process that runs, and what shows how far it is. */
typedef struct mr_attempt {
    pn_scheduler_task task;
    /* HOLDS: no process yet; EXITED: its process ended just before it was stopped */
    enum { NONE, HOLDS, WORKS, EXITED } state;
    int stopped;     /* 1: it is suspended, and has or had a process */
    int status;      /* EXITED: as waitpid gives it */
    uint32_t source; /* node that a map reads its input from */
    pid_t pid;       /* leader of a process group of its own */
    /* files that the process writes what it fetches to, or -1, and reads; offsets are shared */
    int fetched, input;
    uint64_t bytes;      /* of the input */
    uint64_t work_start; /* ms; later by the time that it was stopped */
    uint64_t stop_start; /* ms */
} mr_attempt;

/* What came of it. */
typedef struct mr_result {
    pn_scheduler_totals totals;
    pn_scheduler_group sums;
    uint64_t digest;
} mr_result;

/* ---- jobs.c ---------------------------------------------------------------------------------- */

/* Every function here and below that returns an int returns 0, or -1 with a message on standard
 * error, unless it says otherwise. */
/* Jobs from a file, null: those of the program; with the places of their inputs. */
int read_jobs(mr_plan *plan, const char *name);
void free_jobs(mr_plan *plan);

/* ---- files.c --------------------------------------------------------------------------------- */

const char *block_path(char path[PATH_ROOM], const mr_plan *plan, uint32_t node, uint64_t id,
                       uint32_t map);
const char *attempt_path(char path[PATH_ROOM], const mr_plan *plan, const pn_scheduler_task *task);
const char *part_path(char path[PATH_ROOM], const mr_plan *plan, uint32_t node, uint64_t id,
                      uint32_t map, uint32_t reduce);
const char *output_path(char path[PATH_ROOM], const mr_plan *plan, uint64_t id, uint32_t part);
const char *done_path(char path[PATH_ROOM], const mr_plan *plan, uint32_t node, uint64_t id,
                      uint32_t map);

/* The nodes' directories, with the inputs of all jobs: text of made-up words, the same for the same
 * seed. */
int make_cluster(const mr_plan *plan);
/* A file or a directory with all that is in it; nothing when there is none. */
void remove_all(const char *path);

/* ---- task.c ---------------------------------------------------------------------------------- */

/* Starts the attempt's process: WORKS. */
int task_start(const mr_plan *plan, mr_attempt *attempt);
/* Closes what the host holds of it. */
void task_close(mr_attempt *attempt);
/* Puts the output of an attempt that succeeded where it belongs. */
int task_commit(const mr_plan *plan, const mr_attempt *attempt);

/* ---- admission.c ----------------------------------------------------------------------------- */

/* Hands plan->jobs[index] to the core, and says what that answers: PN_OK, also when the job is
 * rejected, or the core's status. */
int submit_job(mr_plan *plan, pn_scheduler *core, const pn_scheduler_hooks *hooks, uint64_t now,
               uint32_t index);
/* A job that was accepted is not expected to make its deadline any more. */
void say_late(const mr_plan *plan, const pn_scheduler_event *event);
/* Finished, and in time where it has a deadline. */
int is_successful(const pn_scheduler_record *job);

/* ---- host.c ---------------------------------------------------------------------------------- */

/* Runs the plan: 0; 1 when a job failed or was left unfinished; 3 when, otherwise, one was rejected
 * or missed its deadline; 130 after Ctrl-C; -1. Processes have ended in any case. */
int host_run(mr_plan *plan, const pn_scheduler_hooks *log, mr_result *result);

/* ---- report.c -------------------------------------------------------------------------------- */

void report_table(const mr_plan *plan, const mr_result *result);
void log_start(FILE *file, const mr_plan *plan);
void log_event(void *file, const pn_scheduler_event *event);
void log_end(FILE *file, const mr_result *result);
void write_scenario(FILE *file, const mr_plan *plan);
/* Does each finished job once more as one process each for its maps and reduces: 0 when its results
 * have the same lines, 1 when not, 130 after Ctrl-C. */
int check_results(const mr_plan *plan);

#endif
