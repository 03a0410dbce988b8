/* A host of the dispatch core (pn_dispatch.h) whose machines are those of Slurm: jobs come to Slurm
 * and are held there, the core says which element starts next and on which node, and Slurm starts
 * it. A job array is a job with one stage, its elements are tasks, and a job without an array has
 * one. The queue of Slurm is the truth: what the host reads there decides, whatever it has asked
 * for before. docs/slurm.md says what Slurm needs for it.
 *
 * main.c     options
 * command.c  a command of Slurm, with a time limit
 * queue.c    what squeue shows: an element per row
 * nodes.c    what sinfo shows
 * jobs.c     jobs and elements as the host knows them
 * watch.c    compares rows with what the host knows, and tells the core
 * act.c      sends the decisions of the core to Slurm
 * host.c     the loop
 * state.c    the state in a file, from which a host continues
 * ../common  what it shares with the other hosts
 *
 *   make build/slurm */
#ifndef EXAMPLES_SLURM_H
#define EXAMPLES_SLURM_H

#include "../common/common.h"

enum {
    CPUS,
    MEMORY, /* MB */
    RESOURCES,
    NAME_ROOM = 256,
    NODES_MOST = 1 << 16,
    JOBS_MOST = 4096, /* in the core; others wait until one of these ends */
    USERS_MOST = 256, /* queues of the core; further users share the last one */
    NONE = -1
};

/* ---- what Slurm shows ------------------------------------------------------------------------ */

/* HELD: it waits and is held; WAITS: it waits and is not held; LIVE: it has a node. */
enum sl_seen { HELD, WAITS, LIVE, OVER };

/* An element of squeue. The texts lie in the text of all rows. */
typedef struct sl_row {
    uint64_t job;    /* of Slurm; of an array its first one */
    int64_t element; /* NONE: the job is no array */
    enum sl_seen seen;
    uint64_t demand[RESOURCES];
    uint64_t limit_ms; /* 0: none */
    uint64_t node_count;
    uint32_t uid;
    const char *partition, *nodes, *state, *reason;
    const char *odd; /* what the core cannot decide about; null: nothing */
} sl_row;

typedef struct sl_rows {
    char *text;
    sl_row *list; /* by job and element */
    size_t count;
} sl_rows;

typedef struct sl_node {
    char name[NAME_ROOM];
    uint64_t full[RESOURCES];     /* as configured at the start */
    uint64_t present[RESOURCES];  /* as the core was told */
    uint64_t now[RESOURCES];      /* as sinfo shows it; 0: it takes nothing new */
    int is_down, takes, was_seen; /* takes: it takes new tasks */
} sl_node;

/* ---- what the host knows --------------------------------------------------------------------- */

typedef struct sl_element {
    int64_t index;
    /* FREE: held, for the core to start; BOUND: an attempt of the core has it; BACK: it has lost
     * its attempt and is to be held again; ASTRAY: it was started by others; ENDED */
    enum { FREE, BOUND, BACK, ASTRAY, ENDED } state;
    enum sl_seen seen;
    uint32_t place;   /* BOUND: of its attempt */
    uint32_t missing; /* readings in a row that did not show it */
    uint32_t asked;   /* readings since it was to change in Slurm and did not */
    uint64_t since;   /* BOUND: ms, when it got its attempt */
    int has_run;      /* BOUND: it was seen alive */
    int is_killed;    /* BACK: by the policy */
} sl_element;

typedef struct sl_job {
    uint64_t id, core; /* numbers of Slurm and of the core */
    /* NEW: the core does not have it yet; IN; DONE: the core's job has ended; LEFT: to Slurm */
    enum { NEW, IN, DONE, LEFT } state;
    uint32_t uid, asked;
    uint64_t demand[RESOURCES], limit_ms;
    uint32_t count, first_free; /* first_free: no element before it is FREE */
    uint32_t missing;           /* readings in a row that did not show it */
    int was_released;           /* LEFT */
    sl_element *elements;       /* by index */
} sl_job;

/* An attempt of the core. */
typedef struct sl_attempt {
    pn_dispatch_task task;
    enum { UNUSED, LAUNCHED, WITH_ELEMENT } state;
    enum { GOES_ON, FINISHED, FAILED } end; /* what the core is to be told */
    int64_t element;                        /* WITH_ELEMENT: its place in the job */
} sl_attempt;

typedef struct sl_options {
    const char *partition, *state, *policy_name;
    const pn_dispatch_policy *policy;
    double params[PN_PARAMS_MAX];
    lua_file lua;
    uint64_t poll_ms, timeout_ms, estimate_ms, patience_ms;
} sl_options;

typedef struct sl_host {
    const sl_options *options;
    sl_node *nodes;
    uint32_t node_count;
    int has_new_nodes; /* this was said */
    sl_job *jobs;      /* by id */
    uint32_t job_count;
    sl_attempt *attempts; /* by place */
    uint32_t places;
    uint32_t users[USERS_MOST], user_count; /* uids, by queue */
    void *block;
    size_t size;
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    pn_dispatch_config config;
    pn_dispatch_nodes *config_nodes;
    input_log inputs;
    int has_log;
    uint64_t origin, now; /* ms: of the clock at time 0; of the last instant */
    uint64_t told, saved; /* inputs; of these in the state */
    int is_saved;         /* the state has all elements of attempts */
    int drops;            /* a job is being cancelled, not killed */
    /* in comparing and deciding; launches; readings of the queue */
    uint64_t busy_ns, decisions, readings;
} sl_host;

/* Functions that return an int return 0, or -1 with a message, unless they say otherwise. */

/* ---- command.c ------------------------------------------------------------------------------- */

/* Says what is wrong, its first line, unless that was the last thing to be said so: -1. */
int complain_once(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Runs a command with this text as its input, null: none, and returns its output, to be freed; null
 * with a message if it fails, takes longer than so many ms, or its last line is not whole. What it
 * writes to standard error is said once. */
char *run_command(const char *const *words, const char *input, uint64_t timeout_ms);

/* ---- queue.c --------------------------------------------------------------------------------- */

int read_queue(const sl_options *options, sl_rows *rows);
void free_queue(sl_rows *rows);
/* Returns 1 if a list "a,b" has the word. */
int has_word(const char *list, const char *word);
/* Marks rows of arrays with a limit on running elements, and of jobs that exclude nodes, as odd. */
int read_limits(const sl_options *options, sl_rows *rows);

/* ---- nodes.c --------------------------------------------------------------------------------- */

/* Reads the nodes of the partition into the host's; the first time, these are those that it has. */
int read_nodes(sl_host *host);
/* Returns 1 if a list of nodes as Slurm writes it, "n[1-3,7],m", has this one. */
int has_node(const char *list, const char *name);

/* ---- jobs.c ---------------------------------------------------------------------------------- */

sl_job *find_job(const sl_host *host, uint64_t id);
sl_element *find_element(const sl_job *job, int64_t index);
/* Adds the job of rows that follow one another; null without memory. */
sl_job *add_job(sl_host *host, const sl_row *rows, size_t count);
void remove_job(sl_host *host, sl_job *job);
/* Takes the element from its attempt, which ends in this way. */
void unbind(sl_host *host, sl_element *element, int end);
/* Gives the attempt a free element of its job. An attempt for which there is none, because
 * elements were cancelled, ends. */
void bind(sl_host *host, sl_attempt *attempt);
/* Writes "12" or "12_3". */
const char *element_name(char name[64], const sl_job *job, const sl_element *element);
const char *user_name(uint32_t uid);
uint32_t queue_of(sl_host *host, uint32_t uid);
void free_jobs(sl_host *host);

/* ---- watch.c --------------------------------------------------------------------------------- */

/* Tells the core what has happened since the last reading. PN_OK, or the core's status. */
int tell_core(sl_host *host, const sl_rows *rows);

/* ---- act.c ----------------------------------------------------------------------------------- */

/* Asks Slurm to start, hold and requeue elements such that they become what the host has of them.
 */
int ask_slurm(sl_host *host);

/* ---- state.c --------------------------------------------------------------------------------- */

/* Writes the input log so far. */
int flush_log(sl_host *host);
/* Locks the state against other hosts, until the process ends. */
int lock_state(const char *name);
/* Does nothing if no input came since the last time. */
int save_state(sl_host *host);
/* 1: there is none. */
int load_state(sl_host *host);

/* ---- host.c ---------------------------------------------------------------------------------- */

/* Writes a line with the time to standard output. */
void note(const sl_host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Begins an instant, which is later than the one before. */
void next_instant(sl_host *host);
/* Lays out a core for the host's nodes. */
int open_core(sl_host *host);
/* Runs until a signal: 0, or 1 with a message. */
int run_host(sl_host *host);

#endif
