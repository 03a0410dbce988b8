/* The dag model: clusters as YARN, Spark and Kubernetes have them. Nodes have several resources,
 * jobs arrive over time and are directed acyclic graphs of stages, stages have tasks that hold a
 * demand for each resource and are not moved. Time is in integer milliseconds. The measure is the
 * completion time of a job (JCT): finish - arrival.
 *
 * This is the simulated world: how long tasks take, what happens to nodes, when jobs arrive. It
 * drives the dispatch core with it (pn_dispatch.h), which decides. The exact semantics are the
 * numbered rules cited here and in the code; docs/models/dag.md states them.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 4072/4440, _submit 900/1160, _run
 * 2124/3016, _validate 2416/3128, any other 4016/4248 (see docs/embedding.md). */
#ifndef PN_DAG_H
#define PN_DAG_H

#include "pn_dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one simulation: it lives at the start of the caller's block */
typedef struct pn_dag pn_dag;

/* Largest duration, estimate and start time that a stage may state, ms: 34 years. */
#define PN_DAG_MOST_MS ((uint64_t)1 << 40)
/* Largest factor of a duration or an estimate, permille. */
#define PN_DAG_FACTOR_MOST 1000000
/* What the configuration says. */
#define PN_DAG_AUTO UINT64_MAX

/* Get it from pn_dag_defaults(), then set what differs. */
typedef struct pn_dag_config {
    size_t struct_size; /* set by pn_dag_defaults */
    /* the core's: nodes, queues, tables, rules; its nodes_down is 0, its seed is replaced by the
     * one below */
    pn_dispatch_config dispatch;
    uint64_t seed; /* of factors and misestimates, 0..PN_INTEGER_MAX; default 1 (DG5, DG6) */
    /* permille, 1..PN_DAG_FACTOR_MOST: each task's duration is multiplied by a factor drawn between
     * them, once for all its attempts; default 1000 (DG5) */
    uint32_t factor_lo, factor_hi;
    /* the same of each stage's estimate; default 1000 (DG6) */
    uint32_t est_lo, est_hi;
    /* ms from a launch until the work begins, 0..PN_DAG_MOST_MS; default 0 (DG5) */
    uint64_t start_ms;
    /* between ticks of policies that have them, 1..PN_DAG_MOST_MS; default 3000 (DG18) */
    uint64_t tick_ms;
    /* > 0: instants from this one on are not executed (DG4); default 0; at most PN_INTEGER_MAX */
    uint64_t max_time_ms;
    /* numbers in the lists of durations of jobs in the system; default 0 = none */
    uint32_t durations_max;
    uint32_t failures_max; /* failures of nodes announced and not over; default 0 = none */
    /* Jobs in the machines of the bounds at one time (DG28), 0..2^26; default 0 = no bounds. These
     * machines may be behind the simulation: for a batch it is the number of jobs. */
    uint32_t bounds_max;
    /* statistics are also kept for job groups 0..groups_max-1; default 0 = none */
    uint32_t groups_max;
    uint32_t statistics; /* 1 = keep completion times, waiting times and slowdowns; default 0 */
    uint32_t unused;     /* 0 */
    /* Warm-up: jobs with an id up to this, or that arrive before this time, are left out of the
     * statistics, and of nothing else */
    uint64_t warmup_jobs, warmup_ms;
    /* ms until an executor that moves to another job is there, and how much longer its first task
     * of the job takes, 0..PN_DAG_MOST_MS; default 0; of executors only (DG36) */
    uint64_t move_ms, fresh_ms;
} pn_dag_config;

/* Fill in the defaults, check a configuration, list its settings, and return the table of these
 * functions: see pn_model.h. */
void pn_dag_defaults_into(pn_dag_config *config, size_t size, size_t dispatch_size);
static inline pn_dag_config pn_dag_defaults(void)
{
    pn_dag_config config;
    pn_dag_defaults_into(&config, sizeof config, sizeof config.dispatch);
    return config;
}
const char *pn_dag_check(const pn_dag_config *config);
const pn_setting *pn_dag_setting_at(size_t index);
const pn_model *pn_dag_model(void);

/* ---- jobs and failures ----------------------------------------------------------------------- */

typedef struct pn_dag_stage {
    /* what each of its tasks holds while it runs; not all 0, and some node has the capacity */
    uint64_t demand[PN_DISPATCH_RESOURCES_MAX];
    /* of each task on a node of speed 1000, ms, 0..PN_DAG_MOST_MS, where durations is null (DG5) */
    uint64_t duration;
    const uint64_t *durations; /* [tasks], or null; read during the submission only, as all lists */
    /* stages that must be finished first: different ones, without a cycle; they may point forward
     * (DG7) */
    const uint32_t *parents;
    uint32_t parent_count;
    uint32_t tasks; /* 1..PN_DISPATCH_TASKS_MOST */
    /* what a scheduler takes a task to last before misjudging it, ms, 1..PN_DAG_MOST_MS; 0 = from
     * the truth: the mean of the durations, rounded up (DG6) */
    uint64_t estimate;
    uint64_t start_ms; /* 0..PN_DAG_MOST_MS; PN_DAG_AUTO = the configuration's */
} pn_dag_stage;

typedef struct pn_dag_job {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    uint64_t arrival;   /* ms, 0..PN_INTEGER_MAX */
    const pn_dag_stage *stages;
    uint32_t stage_count; /* 1..PN_DISPATCH_STAGES_MOST */
    uint32_t weight;      /* 1..PN_DISPATCH_WEIGHT_MOST; 0 = 1 */
    uint32_t queue;       /* < queues_count, or 0 */
    uint32_t group;       /* < groups_max, or 0 */
    uint64_t deadline;    /* ms after the arrival; 0 = none; only reported, and shown to policies */
    uint64_t tag;         /* the host's own word, handed back in on_finish */
    /* config.dispatch.attributes of them, finite; null = zeros */
    const double *attributes;
    int32_t priority; /* as in pn_dispatch_job */
} pn_dag_job;

/* Entries of the tables that a job needs while it is held; attempts: the most of its tasks that can
 * run at a time. */
typedef struct pn_dag_needs {
    uint64_t stages, edges, durations, attempts;
} pn_dag_needs;
/* Returns the entries that a job needs: to choose the sizes of the tables, or to see which one was
 * too small. O(stages * nodes_count). */
pn_dag_needs pn_dag_needs_of(const pn_dag_config *config, const pn_dag_job *job);

/* What became of a job (DG26), and what it would have taken alone. */
typedef struct pn_dag_record {
    size_t struct_size;            /* bytes that the library knows of it: PN_HAS */
    const pn_dispatch_record *job; /* the core's; for the length of the call of on_finish */
    /* lower bounds of its completion time, ms, from the truth: the longest path of its longest
     * tasks, and the largest of that and its area by the cluster's capacity (DG28) */
    uint64_t path, alone;
    /* JCT * 1000 / alone; PN_DISPATCH_NEVER when it is not finished */
    uint64_t slowdown_permille;
    uint32_t deadline_met; /* 1: it has a deadline and finished in time */
    uint32_t unused;
} pn_dag_record;

/* ---- life ------------------------------------------------------------------------------------ */

/* Functions that a host passes to each call, see pn_model.h. Hooks may query the simulation and
 * submit jobs. */
typedef struct pn_dag_hooks {
    size_t struct_size;               /* sizeof the struct, or 0: see pn_base.h */
    const pn_dispatch_policy *policy; /* as in pn_dispatch_hooks */
    const double *params;
    /* once a job, in order of (finish, last task to end); those that are unfinished when the run is
     * over come last, by id */
    void (*on_finish)(void *user, const pn_dag_record *job);
    void (*on_event)(void *user, const pn_dispatch_event *event); /* the decision log */
    /* at every instant, before anything is given: the place to ask pn_dispatch_ranking what the
     * policy goes by */
    void (*on_order)(void *user, uint64_t time);
    void *user;
    /* What the core in the simulation is told (pn_dispatch_hooks): the tags there are its own. */
    void (*on_input)(void *user, const pn_dispatch_input *input);
} pn_dag_hooks;

/* Return the size of a block, lay one out, and open a copy: see pn_model.h. */
size_t pn_dag_size(const pn_dag_config *config);
int pn_dag_init(pn_dag **sim, void *block, size_t size, const pn_dag_config *config);
size_t pn_dag_block_size(const pn_dag *sim);
int pn_dag_open(pn_dag **sim, void *block, size_t size);

/* Validates a block from outside, see pn_model.h. It validates the core in the block, too.
 * O(size). */
int pn_dag_validate(const void *block, size_t size);

/* Returns 1 if the block was made for this configuration, see pn_model.h. O(policies). */
int pn_dag_configured(const pn_dag *sim, const pn_dag_config *config);

/* Submits a job; *id (may be null) receives its number. Arrivals must not decrease (PN_ERR_ORDER)
 * and must lie after the last executed instant, in a hook after the present one (PN_ERR_LATE, also
 * if the run is over). PN_ERR_ARGUMENT: null, the queue or the group. PN_ERR_OVERFLOW: an arrival
 * above PN_INTEGER_MAX, or 2^35 jobs were submitted. PN_ERR_JOB: see pn_dag_fault. PN_ERR_FULL:
 * jobs, stages, edges or durations; try again when a job has ended, unless the job alone has more
 * than the configuration allows. Also PN_ERR_FULL: a machine of the bounds is full for a resource
 * that the job demands, and only a later arrival frees a place there.
 *
 * The core needs attempts, classes and a place in the virtual cluster when the job arrives: see
 * pn_dag_step. O((stages + edges) log stages), and O(tasks) if durations are listed or factors
 * drawn. */
int pn_dag_submit(pn_dag *sim, const pn_dag_job *job, uint64_t *id);

/* Returns why pn_dag_submit would refuse a job with PN_ERR_JOB (DG30), as a constant text that
 * begins with the name of the field; null if it would not. *stage receives the stage, or UINT32_MAX
 * if the fault is not about one. */
const char *pn_dag_fault(pn_dag *sim, const pn_dag_job *job, uint32_t *stage);

/* Announces that node `node` fails at `time` and recovers at `recover` (PN_DISPATCH_NEVER = it does
 * not recover); the recovery is an event of its own, whatever became of the failure (DG12).
 * PN_ERR_ARGUMENT (node, recover <= time), PN_ERR_LATE (not after the last executed instant),
 * PN_ERR_FULL, PN_ERR_OVERFLOW (a time above PN_INTEGER_MAX). O(log failures). */
int pn_dag_fail(pn_dag *sim, uint64_t time, uint32_t node, uint64_t recover);

/* Executes the next instant in which anything happens. Returns PN_OK, PN_DONE if every job is
 * finished or nothing can happen any more (DG4), and errors as the events of the core. PN_ERR_FULL:
 * attempts_max or classes_max of the core is too small for this run; or jobs_max, if the policy has
 * a virtual run: a job has arrived while so many have not ended in the virtual cluster, however few
 * are in the real one (DG24). Then every later call returns PN_ERR_FULL. */
int pn_dag_step(pn_dag *sim, const pn_dag_hooks *hooks);

/* Executes at most `instants` of the instants <= until; if none is left, moves the clock to
 * `until`, so that the next job may come at until + 1, and returns PN_OK. Returns PN_PAUSED after
 * `instants` instants, and PN_DONE if no job is left. until = PN_DAG_FOREVER says that no further
 * job will come: then PN_DONE also means that nothing can happen any more or that max_time_ms is
 * reached, and the remaining jobs were reported as unfinished. PN_ERR_OVERFLOW: another `until`
 * above PN_INTEGER_MAX; other errors as pn_dag_step. */
#define PN_DAG_FOREVER UINT64_MAX
int pn_dag_run(pn_dag *sim, const pn_dag_hooks *hooks, uint64_t until, uint64_t instants);

/* Does the same if more jobs will come after `until`, a time, though none of them is submitted yet.
 * While no job is left, pn_dag_run leaves failures and recoveries of nodes to the next run; this
 * function executes them, so that the log is complete up to `until`. */
int pn_dag_wait(pn_dag *sim, const pn_dag_hooks *hooks, uint64_t until, uint64_t instants);

/* ---- queries --------------------------------------------------------------------------------- */

/* Returns 1 if nothing can happen any more unless another job comes (DG4): pn_dag_run with
 * PN_DAG_FOREVER would return PN_DONE. */
int pn_dag_over(const pn_dag *sim);

typedef struct pn_dag_totals {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    /* the core's: submitted there are the jobs that have arrived */
    pn_dispatch_totals dispatch;
    uint64_t time;            /* of the last executed instant, lone ticks aside */
    uint64_t submitted;       /* jobs handed over */
    uint64_t unfinished;      /* reported so */
    uint64_t first_arrival;   /* of any job; PN_DISPATCH_NEVER before */
    uint64_t makespan;        /* last finish - first arrival; 0 before (DG27) */
    uint64_t instants, ticks; /* executed, lone ticks aside */
    /* of each resource, 1000 * used / (capacity * makespan); 0 while the makespan is */
    uint64_t utilisation_permille[PN_DISPATCH_RESOURCES_MAX];
    pn_wide slowdown_sum; /* permille, of the finished jobs */
    /* Jain's index of their slowdowns, permille; PN_DISPATCH_NEVER before the first, and of more
     * than 2^24 jobs */
    uint64_t jain_permille;
    /* lower bounds of makespan and total_jct of all jobs handed over (DG28); 0 without bounds_max
     */
    uint64_t bound_makespan;
    pn_wide bound_total_jct;
    uint32_t jobs_held, jobs_held_max;     /* places of the job table in use */
    uint32_t stages_held, stages_held_max; /* of these jobs, arrived or not */
    uint32_t edges_held, edges_held_max;
    uint32_t durations_held, durations_held_max;
} pn_dag_totals;
/* Write the totals, those of the core among them, see pn_model.h. O(jobs in the machines of the
 * bounds * log), on a copy of their numbers. */
void pn_dag_totals_into(const pn_dag *sim, pn_dag_totals *to, size_t size, size_t dispatch_size);
static inline void pn_dag_totals_get(const pn_dag *sim, pn_dag_totals *to)
{
    pn_dag_totals_into(sim, to, sizeof *to, sizeof to->dispatch);
}

/* Write the levels from the last instant to the next. O(resources). */
void pn_dag_levels_into(const pn_dag *sim, pn_dispatch_levels *to, size_t size);
static inline void pn_dag_levels_get(const pn_dag *sim, pn_dispatch_levels *to)
{
    pn_dag_levels_into(sim, to, sizeof *to);
}

/* Write the totals of a queue (DG27), with the jobs that have not arrived. PN_ERR_ARGUMENT if there
 * is no such queue. O(jobs that have not arrived). */
int pn_dag_queue_into(const pn_dag *sim, uint32_t queue, pn_dispatch_queue_totals *to, size_t size);
static inline int pn_dag_queue_get(const pn_dag *sim, uint32_t queue, pn_dispatch_queue_totals *to)
{
    return pn_dag_queue_into(sim, queue, to, sizeof *to);
}

/* The finished jobs of a group without those of the warm-up, in ms and permille. */
typedef struct pn_dag_group {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t jobs, kills, lost;
    uint64_t deadlines, deadlines_met; /* jobs with one, and those in time */
    pn_wide jct, waiting, slowdown;    /* sums; waiting: first_start - arrival */
} pn_dag_group;
/* Write the numbers of a group, or of all jobs with PN_ALL_GROUPS. PN_ERR_ARGUMENT if there is no
 * such group. */
int pn_dag_group_into(const pn_dag *sim, uint32_t group, pn_dag_group *to, size_t size);
static inline int pn_dag_group_get(const pn_dag *sim, uint32_t group, pn_dag_group *to)
{
    return pn_dag_group_into(sim, group, to, sizeof *to);
}

enum pn_dag_sample { PN_DAG_JCTS = 0, PN_DAG_WAITINGS = 1, PN_DAG_SLOWDOWNS = 2 };
/* Returns the samples of a group, or of all finished jobs with PN_ALL_GROUPS; null without
 * config.statistics. Valid until the next call. */
const pn_stats *pn_dag_samples(const pn_dag *sim, uint32_t sample, uint32_t group);
/* Returns batch means of the completion times in order of finish; null without
 * config.statistics. */
const pn_batches *pn_dag_batches(const pn_dag *sim);

/* Returns the core, for queries about its digest, queues, policy and jobs. It is const: it takes no
 * events but those of the simulation. */
const pn_dispatch *pn_dag_dispatch(const pn_dag *sim);
/* Returns the digest of the core. */
uint64_t pn_dag_digest(const pn_dag *sim);

/* ---- what the model draws (DG5, DG6) --------------------------------------------------------- */

/* Return the factor of a task's duration and of a stage's estimate, permille. Jobs, stages and
 * tasks count from 0, as in the rules. */
uint32_t pn_dag_factor(uint64_t seed, uint32_t factor_lo, uint32_t factor_hi, uint64_t job,
                       uint32_t stage, uint32_t task);
uint32_t pn_dag_misjudgement(uint64_t seed, uint32_t est_lo, uint32_t est_hi, uint64_t job,
                             uint32_t stage);

/* ---- the checker ----------------------------------------------------------------------------- */

/* Verifies a decision log against nodes, jobs and failures (DG29), see pn_model.h: every name
 * exists; no node gives more than it has, or gives while it is down; attempts are numbered without
 * gaps and do not overlap; nothing starts before its job arrived or a parent is finished; durations
 * to the millisecond; kills only by policies that kill, and within their limit; queues keep to
 * their maxima where they must; nothing that fits waits, with backfill; jobs are complete where
 * they say so; and the digest. */
typedef struct pn_dag_verifier pn_dag_verifier;

typedef struct pn_dag_failure {
    uint64_t time, recover; /* PN_DISPATCH_NEVER: it stays down */
    uint32_t node;
    uint32_t unused;
} pn_dag_failure;

typedef struct pn_dag_claim {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* nodes, queues and rules; must outlive the verifier, capacities of tables mean nothing */
    const pn_dag_config *config;
    uint32_t preempts; /* 1: the policy may kill */
    uint32_t limits;   /* 1: queues keep to their maximum */
    /* job i has id i + 1; must outlive the verifier, with all their lists */
    const pn_dag_job *jobs;
    size_t job_count;
    const pn_dag_failure *failures;
    size_t failure_count;
} pn_dag_claim;

/* Return the size of a verifier, lay one out, and feed it the entries in order of the log. */
size_t pn_dag_verifier_size(const pn_dag_claim *claim);
int pn_dag_verifier_init(pn_dag_verifier **verifier, void *block, size_t size,
                         const pn_dag_claim *claim);
int pn_dag_verifier_feed(pn_dag_verifier *verifier, const pn_dispatch_event *event);
/* Compares the row of a job with the log, after the last event of the job; optional. */
int pn_dag_verifier_row(pn_dag_verifier *verifier, const pn_dag_record *record);
/* Says, after the last event, that the run was stopped: no instant from this time on was
 * executed. */
int pn_dag_verifier_stop(pn_dag_verifier *verifier, uint64_t until);
/* Compares the end, after the last event: `unfinished` jobs were left by the run and every other
 * job has finished, and the totals (null = not compared) and the digest are those of the log. */
int pn_dag_verifier_end(pn_dag_verifier *verifier, uint64_t unfinished, const pn_dag_totals *totals,
                        uint64_t digest);
/* Returns why the log was rejected, with the time and the job. */
const char *pn_dag_verifier_fault(const pn_dag_verifier *verifier, uint64_t *time, uint64_t *id);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
