/* The cluster model: nodes with map and reduce slots in the manner of Hadoop 1 - heartbeats, data
 * locality, slow-start, attempts that fail, nodes that fail and recover. Time is in integer
 * milliseconds. The measure is the makespan of a job: finish - submission.
 *
 * This is the virtual cluster: it simulates how long tasks take and what happens to nodes, and
 * drives the scheduler core with it (pn_scheduler.h), which decides. The exact semantics are the
 * numbered rules cited here and in the code; docs/models/cluster.md states them.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 4432/4984, _submit 936/1224, _run
 * 2136/3024, _validate 2952/3800, any other 3856/4232 (see docs/embedding.md). */
#ifndef PN_CLUSTER_H
#define PN_CLUSTER_H

#include "pn_scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one simulation: it lives at the start of the caller's block */
typedef struct pn_cluster pn_cluster;

/* Largest duration of a task, ms: 34 years. */
#define PN_CLUSTER_MOST_MS ((uint64_t)1 << 40)
#define PN_CLUSTER_AUTO    UINT64_MAX
/* Largest factor of a duration, permille. */
#define PN_CLUSTER_FACTOR_MOST ((uint32_t)1 << 30)

/* Get it from pn_cluster_defaults(), then set what differs. */
typedef struct pn_cluster_config {
    size_t struct_size; /* set by pn_cluster_defaults */
    /* the core's: nodes, tables, rules; its maps_per_offer is set by this model, with a price of
     * suspensions its suspensions_max too, and its replicas_of_map counts what jobs list:
     * `replication` is added where it is larger */
    pn_scheduler_config scheduler;
    /* of replicas and factors (CL8), 0..PN_INTEGER_MAX; default 1. Also the core's. */
    uint64_t seed;
    /* P, 0..2^40: node n of N offers its slots at n*P/N + k*P; default 0: at once (CL5, CL6) */
    uint64_t heartbeat_ms;
    /* most maps a beat gives; default 0 = 1 without heartbeats, no limit with them (CL7) */
    uint32_t maps_per_heartbeat;
    uint32_t replication; /* of inputs that jobs do not place, 1..2^16; default 3 (CL8) */
    /* permille, 1..PN_CLUSTER_FACTOR_MOST: each attempt's factor is drawn between them; default
     * 1000 */
    uint32_t factor_lo, factor_hi;
    uint32_t attempt_fail_permille; /* of attempts, 0..1000; default 0 (CL27) */
    /* added to the estimates of all tasks (CL20), 0..2^40; default 0; PN_CLUSTER_AUTO = what
     * pn_scheduler_allowance says, of maps and of reduces */
    uint64_t est_extra_ms;
    /* between ticks of policies that have them, 1..2^40; default 10000 */
    uint64_t tick_ms;
    /* > 0: instants from this one on are not executed (CL4); default 0 */
    uint64_t max_time_ms;
    /* numbers in the lists of jobs in the system (replicas and maps + 1 of blocks, factors, times);
     * default 0 = none */
    uint32_t values_max;
    uint32_t failures_max; /* failures of nodes announced and not over; default 0 = none */
    /* price of a suspension: an attempt that resumes works again (CL44), and the next attempt in
     * the slot of a suspended one works (CL46), after so many ms, 0..2^40, and so many permille,
     * 0..2^20, of the time that the suspended attempt had worked; default 0. With save_*,
     * launches, suspensions and resumptions are O(log slots of the node) more. */
    uint32_t restore_permille, save_permille;
    uint64_t restore_ms, save_ms;
    /* Jobs in a machine of the lower bound at one time (CL45), 0..2^26; default 0 = no bound. A
     * machine is at the last submission: for a batch it is the number of jobs. */
    uint64_t bounds_max;
} pn_cluster_config;

/* Fill in the defaults, check a configuration, list its settings, and return the table of these
 * functions: see pn_model.h. */
void pn_cluster_defaults_into(pn_cluster_config *config, size_t size, size_t scheduler_size);
static inline pn_cluster_config pn_cluster_defaults(void)
{
    pn_cluster_config config;
    pn_cluster_defaults_into(&config, sizeof config, sizeof config.scheduler);
    return config;
}
const char *pn_cluster_check(const pn_cluster_config *config);
const pn_setting *pn_cluster_setting_at(size_t index);
const pn_model *pn_cluster_model(void);

/* ---- jobs and failures ----------------------------------------------------------------------- */

typedef struct pn_cluster_job {
    size_t struct_size;     /* sizeof the struct, or 0: see pn_base.h */
    uint64_t submit;        /* ms */
    uint32_t maps, reduces; /* M 1..2^24, R 0..2^24 */
    /* duration of a map whose input is on its node, on a node of speed 1000; 0..PN_CLUSTER_MOST_MS
     * (CL9) */
    uint64_t map_ms;
    uint64_t remote_ms;  /* added where the input is not there */
    uint64_t reduce_ms;  /* work of a reduce after its shuffle (CL11) */
    uint64_t shuffle_ms; /* of a reduce that has none of the map outputs on its node */
    uint64_t deadline;   /* ms after submit; 0 = none */
    /* Lists, each null = none; read during the submission only. */
    const uint32_t *block_counts; /* [M] replicas of each map's input, each >= 0 */
    const uint32_t *blocks;       /* their nodes, map after map; null: drawn (CL8) */
    /* [M], [R] permille, 1..PN_CLUSTER_FACTOR_MOST, whatever the attempt; null: drawn (CL8) */
    const uint32_t *map_factor, *reduce_factor;
    /* [M], [R], [R] ms in place of map_ms, reduce_ms, shuffle_ms */
    const uint64_t *map_times, *reduce_times, *shuffle_times;
    /* What a scheduler would know: how long a map and a reduce take at most, 1..PN_CLUSTER_MOST_MS;
     * 0 = from the truth: the longest of map_ms + remote_ms, and shuffle_ms + the longest of
     * reduce_ms, on the slowest node, factors aside (CL20), at least 1. */
    uint64_t est_map_ms, est_reduce_ms;
    uint64_t input, intermediate; /* as in pn_scheduler_job */
    uint64_t tag;                 /* the host's own word, handed back in on_finish */
    uint32_t group;               /* < groups_max, or 0 */
    /* config.scheduler.attributes of them, finite; read during the call only; null = zeros */
    const double *attributes;
    uint32_t weight;  /* as in pn_scheduler_job */
    int32_t priority; /* the same */
} pn_cluster_job;

/* Entries of the tables that a job needs while it is held. */
typedef struct pn_cluster_needs {
    uint64_t tasks, replicas, values;
} pn_cluster_needs;
/* Returns the entries that a job needs, with its lists as they are: to choose the sizes of the
 * tables, or to see which one was too small. O(maps). */
pn_cluster_needs pn_cluster_needs_of(const pn_cluster_config *config, const pn_cluster_job *job);

/* ---- life ------------------------------------------------------------------------------------ */

/* Functions that a host passes to each call, see pn_model.h. Hooks may query the simulation and
 * submit jobs. */
typedef struct pn_cluster_hooks {
    size_t struct_size;                /* sizeof the struct, or 0: see pn_base.h */
    const pn_scheduler_policy *policy; /* as in pn_scheduler_hooks */
    const double *params;
    /* once a job, in order of (finish, id); those that are unfinished when the run is over come
     * last, by id */
    void (*on_finish)(void *user, const pn_scheduler_record *job);
    void (*on_event)(void *user, const pn_scheduler_event *event); /* the decision log */
    /* at every instant, before anything is given: the place to ask pn_scheduler_ranking what the
     * policy goes by */
    void (*on_order)(void *user, uint64_t time);
    void *user;
    /* What the core in the simulation is told (pn_scheduler_hooks): the tags there are its own. */
    void (*on_input)(void *user, const pn_scheduler_input *input);
} pn_cluster_hooks;

/* Return the size of a block, lay one out, and open a copy: see pn_model.h. */
size_t pn_cluster_size(const pn_cluster_config *config);
int pn_cluster_init(pn_cluster **sim, void *block, size_t size, const pn_cluster_config *config);
size_t pn_cluster_block_size(const pn_cluster *sim);
int pn_cluster_open(pn_cluster **sim, void *block, size_t size);

/* Validates a block from outside, see pn_model.h. It validates the core in the block, too.
 * O(size + tasks). */
int pn_cluster_validate(const void *block, size_t size);

/* Returns 1 if the block was made for this configuration, see pn_model.h. O(policies). */
int pn_cluster_configured(const pn_cluster *sim, const pn_cluster_config *config);

/* Submits a job; *id (may be null) receives its number. Submissions must not decrease
 * (PN_ERR_ORDER) and must lie after the last executed instant, in a hook after the present one
 * (PN_ERR_LATE, also if the run is over). PN_ERR_ARGUMENT: null, or the group. PN_ERR_OVERFLOW: a
 * submission above PN_INTEGER_MAX, or so many jobs were submitted. PN_ERR_JOB: a number
 * out of its range, a node that does not exist or is listed twice for a map, reduces without a
 * reduce slot. PN_ERR_FULL: jobs, tasks, replicas or values; try again when a job has ended, unless
 * the job alone has more than the configuration allows. Also PN_ERR_FULL: a machine of the lower
 * bound is full, and only a later submission finds a place there. O(maps + reduces + values), and
 * O(log bounds_max) for each job that leaves a machine of the bound. */
int pn_cluster_submit(pn_cluster *sim, const pn_cluster_job *job, uint64_t *id);

/* Announces that node `node` fails at `time` and recovers at `recover` (PN_SCHEDULER_NEVER = it
 * does not recover). PN_ERR_ARGUMENT (node, recover <= time), PN_ERR_LATE (not after the last
 * executed instant), PN_ERR_FULL. O(log failures). */
int pn_cluster_fail(pn_cluster *sim, uint64_t time, uint32_t node, uint64_t recover);

/* Executes the next instant in which anything happens. Returns PN_OK, PN_DONE if every job is
 * finished, rejected or failed, or if nothing can happen any more (CL4), and errors as the events
 * of the core. */
int pn_cluster_step(pn_cluster *sim, const pn_cluster_hooks *hooks);

/* Executes at most `instants` of the instants <= until; if none is left, moves the clock to
 * `until`, so that the next job may come at until + 1, and returns PN_OK. Returns PN_PAUSED after
 * `instants` instants, and PN_DONE if no job is left. until = PN_CLUSTER_FOREVER says that no
 * further job will come: then PN_DONE also means that nothing can happen any more or that
 * max_time_ms is reached, and the remaining jobs were reported as unfinished. */
#define PN_CLUSTER_FOREVER UINT64_MAX
int pn_cluster_run(pn_cluster *sim, const pn_cluster_hooks *hooks, uint64_t until,
                   uint64_t instants);

/* Does the same if more jobs will come after `until`, a time, though none of them is submitted yet.
 * While no job is left, pn_cluster_run leaves failures and recoveries of nodes to the next run;
 * this function executes them, so that the log is complete up to `until`. */
int pn_cluster_wait(pn_cluster *sim, const pn_cluster_hooks *hooks, uint64_t until,
                    uint64_t instants);

/* ---- queries --------------------------------------------------------------------------------- */

/* Returns 1 if nothing can happen any more unless another job comes (CL4): pn_cluster_run with
 * PN_CLUSTER_FOREVER would return PN_DONE. */
int pn_cluster_over(const pn_cluster *sim);

typedef struct pn_cluster_totals {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    /* the core's: submitted there are the jobs that have come */
    pn_scheduler_totals scheduler;
    /* of the last executed instant, lone ticks while no task waits aside */
    uint64_t time;
    uint64_t submitted;    /* jobs handed over */
    uint64_t unfinished;   /* reported so */
    uint64_t first_submit; /* of any job; PN_SCHEDULER_NEVER before */
    /* executed, or skipped as nothing can depend on them; beats that offered a wanted slot */
    uint64_t instants, beats, ticks;
    uint32_t jobs_held, jobs_held_max;   /* places of the job table in use */
    uint32_t tasks_held, tasks_held_max; /* of these jobs, come or not */
    uint32_t replicas_held, replicas_held_max;
    uint32_t values_held, values_held_max;
} pn_cluster_totals;
/* Write the totals, those of the core among them, see pn_model.h. */
void pn_cluster_totals_into(const pn_cluster *sim, pn_cluster_totals *to, size_t size,
                            size_t scheduler_size);
static inline void pn_cluster_totals_get(const pn_cluster *sim, pn_cluster_totals *to)
{
    pn_cluster_totals_into(sim, to, sizeof *to, sizeof to->scheduler);
}

/* Write the levels from the last instant to the next. O(1). */
void pn_cluster_levels_into(const pn_cluster *sim, pn_scheduler_levels *to, size_t size);
static inline void pn_cluster_levels_get(const pn_cluster *sim, pn_scheduler_levels *to)
{
    pn_cluster_levels_into(sim, to, sizeof *to);
}

/* Returns a lower bound of the total response time of all jobs handed over, in any run that
 * finishes each of them (CL45); 0 without bounds_max. Ask when no job will come: a later one begins
 * another period. O(bounds_max log bounds_max). */
uint64_t pn_cluster_bound(pn_cluster *sim);

/* Returns the core, for queries about its digest, statistics, policy and jobs. It is const: it
 * takes no events but those of the simulation. */
const pn_scheduler *pn_cluster_scheduler(const pn_cluster *sim);
/* Returns the digest of the core. */
uint64_t pn_cluster_digest(const pn_cluster *sim);

/* ---- what the model draws (CL8) -------------------------------------------------------------- */

/* Writes the first `count` different nodes with a replica of the input of map `map`, count <=
 * node_count. Jobs, maps and tasks count from 0, as in the rules. */
void pn_cluster_replicas(uint64_t seed, uint64_t job, uint32_t map, uint32_t count,
                         uint32_t node_count, uint32_t *nodes);
/* Returns the factor of an attempt, permille. */
uint32_t pn_cluster_factor(uint64_t seed, uint32_t factor_lo, uint32_t factor_hi, uint64_t job,
                           uint32_t kind, uint32_t task, uint32_t attempt);

/* ---- the checker ----------------------------------------------------------------------------- */

/* Verifies a decision log against nodes, jobs and failures, see pn_model.h: slots never exceeded,
 * nothing on a node that is down or off its heartbeat, attempts numbered without gaps, reduces
 * started when ready and ended after the last map, durations (locality, factors, speed, shuffle) to
 * the millisecond, kills, failures and lost outputs followed by another attempt, nothing of a job
 * that was rejected, jobs reported as late only when the rules allow it, jobs complete where they
 * say so, and the digest. A log of a real cluster is `measured`: its durations, nodes' fates and
 * arrivals are taken from it, everything else is verified all the same. */
typedef struct pn_cluster_verifier pn_cluster_verifier;

typedef struct pn_cluster_failure {
    uint64_t time, recover; /* PN_SCHEDULER_NEVER: it stays down */
    uint32_t node;
} pn_cluster_failure;

typedef struct pn_cluster_claim {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* nodes and rules; must outlive the verifier, capacities mean nothing */
    const pn_cluster_config *config;
    uint32_t measured; /* 1: durations, arrivals and failures are the log's */
    uint32_t preempts; /* 1: the policy may kill and suspend */
    /* 1: it starts reduces when all maps are done (admission.maps_first) */
    uint32_t maps_first;
    /* 1: it may hold jobs back until some time (pn_scheduler_hold) */
    uint32_t holds;
    uint32_t deals; /* 1: it may agree on another deadline than the job's */
    /* 1: it accepts a job only if it expects it in time, and says when */
    uint32_t promises;
    uint32_t copies; /* 1: it may launch second attempts of running tasks */
    /* job i has id i + 1; must outlive the verifier, with all their lists */
    const pn_cluster_job *jobs;
    size_t job_count;
    const pn_cluster_failure *failures;
    size_t failure_count;
} pn_cluster_claim;

/* Return the size of a verifier, lay one out, and feed it the entries in order of the log. */
size_t pn_cluster_verifier_size(const pn_cluster_claim *claim);
int pn_cluster_verifier_init(pn_cluster_verifier **verifier, void *block, size_t size,
                             const pn_cluster_claim *claim);
int pn_cluster_verifier_feed(pn_cluster_verifier *verifier, const pn_scheduler_event *event);
/* Says, after the last event, that the run was stopped: no instant from this time on was
 * executed. */
int pn_cluster_verifier_stop(pn_cluster_verifier *verifier, uint64_t until);
/* Compares the end, after the last event: `unfinished` jobs were left by the run and every other
 * job has ended, the last finish is `end`, and the digest is that of the log. */
int pn_cluster_verifier_end(pn_cluster_verifier *verifier, uint64_t end, uint64_t unfinished,
                            uint64_t digest);
/* Returns why the log was rejected, with the time and the job. */
const char *pn_cluster_verifier_fault(const pn_cluster_verifier *verifier, uint64_t *time,
                                      uint64_t *id);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
