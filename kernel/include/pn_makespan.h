/* The makespan model: a batch of MapReduce jobs that are all present at time 0; a job's reduces
 * start when all of its maps have ended. The measure is the makespan: the last completion.
 *
 * Source: Tian, Luo, Tian, Chen, "On Dynamic Job Ordering and Slot Configurations for Minimizing
 * the Makespan of Multiple MapReduce Jobs". The exact semantics are the numbered rules MK1-MK32
 * cited here and in the code; docs/models/makespan.md states them.
 *
 * Two levels. At the stage level a stage is one piece on one machine (MK10-MK13), which is the
 * model of Johnson's rule; at the task level its tasks are list-scheduled over map and reduce slots
 * (MK14-MK21). A policy decides once, before the first task starts: an order of the jobs, or pools
 * with an order each.
 *
 * Times are exact. Jobs come in integer ticks, config.ticks of them to the caller's unit of time.
 * Stages of the fluid kind last fractions of a tick; when the policy has decided, the simulation
 * therefore chooses a finer tick, of which all times are multiples, and reports in it:
 * pn_makespan_ticks. A number that does not fit is PN_ERR_OVERFLOW, never a rounded one.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 1432/1528, _submit 240/184, _run
 * 3024/2808, _validate 1608/1816, any other 1416/1496 (see docs/embedding.md). */
#ifndef PN_MAKESPAN_H
#define PN_MAKESPAN_H

#include "pn_model.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one simulation: it lives at the start of the caller's block */
typedef struct pn_makespan pn_makespan;
/* see pn_makespan_policy.h */
typedef struct pn_makespan_policy pn_makespan_policy;

/* Largest time in ticks, coarse or fine, and largest sum of durations of one stage. */
#define PN_MAKESPAN_MOST ((uint64_t)1 << 62)

/* Stages, where arrays have one entry for each. */
enum pn_makespan_stage { PN_MAKESPAN_MAP = 0, PN_MAKESPAN_REDUCE = 1 };

/* ---- configuration --------------------------------------------------------------------------- */

enum pn_makespan_level { PN_MAKESPAN_STAGES = 0, PN_MAKESPAN_TASKS = 1 };

/* How long a stage takes on S slots (MK6). A stage without tasks takes no time. */
enum pn_makespan_time {
    PN_MAKESPAN_TIME_DEFAULT = 0, /* the policy's */
    /* the job's own map_time or reduce_time whatever S is; without one as WAVES_REQUESTED */
    PN_MAKESPAN_GIVEN = 1,
    /* its tasks in listed order, each on the slot free first, on min(S, requested) slots */
    PN_MAKESPAN_WAVES_REQUESTED = 2,
    PN_MAKESPAN_WAVES = 3,  /* the same on S slots */
    PN_MAKESPAN_CAPPED = 4, /* work / min(S, requested) */
    PN_MAKESPAN_FLUID = 5   /* work / S */
};

/* Rules of the task level; 0 = the policy's own. */
enum pn_makespan_share {
    PN_MAKESPAN_SHARE_DEFAULT = 0,
    /* a later job may use any slot that the earlier ones leave free (MK17) */
    PN_MAKESPAN_CONSERVING = 1,
    /* a job starts a stage when every earlier job's same stage is complete (MK17) */
    PN_MAKESPAN_EXCLUSIVE = 2
};
enum pn_makespan_cap {
    PN_MAKESPAN_CAP_DEFAULT = 0,
    PN_MAKESPAN_CAP_NONE = 1,
    PN_MAKESPAN_CAP_REQUESTED = 2 /* of a stage at most the requested number of tasks run at once */
};
enum pn_makespan_task_order {
    PN_MAKESPAN_TASK_ORDER_DEFAULT = 0,
    PN_MAKESPAN_LISTED = 1,
    PN_MAKESPAN_LPT = 2 /* longest first, ties as listed (MK18) */
};

#define PN_MAKESPAN_SLOTS_MOST 16777216

/* Get it from pn_makespan_defaults(), then set what differs. */
typedef struct pn_makespan_config {
    /* set by pn_makespan_defaults: what this host knows of the struct */
    size_t struct_size;
    /* of the cluster; 1..PN_MAKESPAN_SLOTS_MOST each; no default */
    uint32_t map_slots, reduce_slots;
    /* What a stage that is given by its time alone fills when it requests no slots (MK2); 0
     * (default) = map_slots, reduce_slots */
    uint32_t base_map_slots, base_reduce_slots;
    uint32_t level;    /* enum pn_makespan_level; default PN_MAKESPAN_STAGES */
    uint32_t jobs_max; /* 1..2^26; no default */
    /* stretches of equal tasks, over all stages of all jobs; 1..2^31; default 0 = 2 * jobs_max */
    uint32_t stretches_max;
    uint32_t groups_max; /* statistics are also kept for job groups 0..groups_max-1; 0 = none */
    uint32_t statistics; /* 1 = keep completion times; default 0 */
    uint32_t replica;    /* of the experiment; default 0 */
    /* of the policy's own random numbers; with the replica it names their stream */
    uint64_t seed;
    /* to the unit of time, 1..2^53; only results of pn_exact know of it; default 1 */
    uint64_t ticks;
    /* of which pools are made; divides both numbers of slots; 0 (default) = their gcd (MK22) */
    uint32_t nodes;
    /* enum pn_makespan_time: how long stages last at the stage level; default: the policy's */
    uint32_t stage_time;
    uint32_t share;      /* enum pn_makespan_share; default: the policy's */
    uint32_t cap;        /* enum pn_makespan_cap; default: the policy's */
    uint32_t task_order; /* enum pn_makespan_task_order; default: the policy's */
    /* k > 0: a stage becomes k * S equal tasks, uncapped (MK21); 0..2^16, k * S <= 2^31; default
     * 0 */
    uint32_t resplit;
    /* the block has memory for this policy only; null (default) = any built-in one. Not kept. */
    const pn_makespan_policy *policy;
    /* of each job, 0..PN_ATTRIBUTES_MAX; default 0: none, at no cost */
    uint64_t attributes;
} pn_makespan_config;

/* Fill in the defaults, check a configuration, list its settings, and return the table of these
 * functions: see pn_model.h. */
void pn_makespan_defaults_into(pn_makespan_config *config, size_t size);
static inline pn_makespan_config pn_makespan_defaults(void)
{
    pn_makespan_config config;
    pn_makespan_defaults_into(&config, sizeof config);
    return config;
}
const char *pn_makespan_check(const pn_makespan_config *config);
const pn_setting *pn_makespan_setting_at(size_t index);
const pn_model *pn_makespan_model(void);

/* ---- jobs ------------------------------------------------------------------------------------ */

/* So many tasks of equal duration, one after the other in the list of a stage. */
typedef struct pn_makespan_stretch {
    uint64_t duration; /* ticks, 0..PN_MAKESPAN_MOST */
    uint32_t count;    /* >= 1 */
} pn_makespan_stretch;

/* A stage is given by its tasks, or by its time alone: then, with a time > 0, it has so many tasks
 * of that duration as it requests slots (MK2). A stage with tasks keeps its time for
 * PN_MAKESPAN_GIVEN (MK4), and so does one that is said to be empty. */
typedef struct pn_makespan_stage_of_job {
    const pn_makespan_stretch *stretches; /* its tasks in order; read during the call only */
    uint32_t stretch_count;               /* 0 = it is given by its time, or absent */
    /* slots; 0 = as many as it has tasks, or all when it is given by its time (MK3) */
    uint32_t requested;
    uint64_t time;     /* ticks; read when has_time */
    uint32_t has_time; /* 1 = map_time or reduce_time was given, 0 too */
    uint32_t empty;    /* 1 = no tasks, although it has a time */
} pn_makespan_stage_of_job;

typedef struct pn_makespan_job {
    size_t struct_size;                /* sizeof the struct, or 0: see pn_base.h */
    pn_makespan_stage_of_job stage[2]; /* map, reduce */
    uint64_t tag;                      /* the host's own word, handed back in on_finish */
    uint32_t group;                    /* < groups_max, or 0 */
    /* config.attributes of them, finite; read during the call only; null = zeros */
    const double *attributes;
} pn_makespan_job;

/* Reported once per job, in order of (finish, id). Times in fine ticks. */
typedef struct pn_makespan_finish {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t id;        /* 1, 2, … in order of submission */
    uint64_t tag;
    uint64_t map_start, map_finish; /* both 0 for a job without maps at the task level (MK20) */
    uint64_t reduce_start, finish;  /* both map_finish for a job without reduces */
    uint32_t group;
    /* config.attributes of them, for the length of the call; null where there are none */
    const double *attributes;
} pn_makespan_finish;

/* Kinds of net decision, and their class in the digest. */
enum pn_makespan_kind {
    PN_MAKESPAN_START_MAP = 1,
    PN_MAKESPAN_START_REDUCE = 2,
    PN_MAKESPAN_FINISH = 3 /* in logs: the job is complete */
};

/* A task that starts. At the stage level it is a stage, task 0: of every job its map stage, also
 * when that lasts no time, and its reduce stage only if that lasts (MK10, MK13). */
typedef struct pn_makespan_decision {
    size_t struct_size;  /* bytes that the library knows of it: PN_HAS */
    uint64_t start, end; /* fine ticks */
    uint64_t id;
    uint32_t kind; /* enum pn_makespan_kind */
    uint32_t task; /* index in the stage's list, from 0; of a finish 0 */
    /* from 0, by itself for map and for reduce slots; the pools have theirs one after the other; at
     * the stage level the index of the pool */
    uint32_t slot;
} pn_makespan_decision;

/* Functions that a host passes to each call, see pn_model.h. Hooks may query the simulation. */
typedef struct pn_makespan_hooks {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* required; pn_makespan_plan binds it, later calls bring the same, see pn_param */
    const pn_makespan_policy *policy;
    /* policy->param_count values in the policy's order; null = its defaults */
    const double *params;
    /* asked now and then while a policy searches; non-zero: give up, PN_ERR_STOPPED, and nothing
     * has changed */
    int (*stop)(void *user);
    void (*on_finish)(void *user, const pn_makespan_finish *finish);
    /* once per task started, in order of start */
    void (*on_decision)(void *user, const pn_makespan_decision *decision);
    void *user;
} pn_makespan_hooks;

/* ---- life ------------------------------------------------------------------------------------ */

/* Return the size of a block, lay one out, and open a copy: see pn_model.h. */
size_t pn_makespan_size(const pn_makespan_config *config);
int pn_makespan_init(pn_makespan **sim, void *block, size_t size, const pn_makespan_config *config);
size_t pn_makespan_block_size(const pn_makespan *sim);
int pn_makespan_open(pn_makespan **sim, void *block, size_t size);

/* Validates a block from outside, see pn_model.h. O(size + tasks of a sequence). The policy
 * of a block without a plan may work long on it. */
int pn_makespan_validate(const void *block, size_t size);

/* Submits a job; *id (may be null) receives its number. Returns PN_OK, PN_ERR_ARGUMENT (null,
 * group, a stretch without tasks), PN_ERR_LATE (there is a plan), PN_ERR_JOB (no task lasts longer
 * than 0), PN_ERR_OVERFLOW, or PN_ERR_FULL (jobs, or stretches). O(stretches). */
int pn_makespan_submit(pn_makespan *sim, const pn_makespan_job *job, uint64_t *id);

/* Set, once and before the plan, what the policies given_order and fixed_pools answer with, and
 * what any policy may read. An order names every job once. Each of at most min(nodes, jobs_max + 1)
 * pools names its jobs; the other jobs form one last pool on the other nodes (MK25). Nodes may be
 * left without jobs. Ids begin with 1. Return PN_OK, PN_ERR_LATE, PN_ERR_BUSY, PN_ERR_ARGUMENT (an
 * id that is no job or appears twice; nodes that are 0 or more than there are; jobs without nodes;
 * too many pools). O(jobs). */
int pn_makespan_set_order(pn_makespan *sim, const uint64_t *ids, size_t count);
typedef struct pn_makespan_pool {
    uint32_t nodes; /* >= 1 */
    uint32_t count; /* of jobs; may be 0 */
    const uint64_t *ids;
} pn_makespan_pool;
int pn_makespan_set_pools(pn_makespan *sim, const pn_makespan_pool *pools, size_t count);

/* Lets the policy decide. The first step calls it if the host has not. A search may take long, see
 * hooks->stop. Returns PN_OK (also if there is a plan), PN_ERR_POLICY, PN_ERR_MODE (the policy does
 * not plan at this level), PN_ERR_STOPPED, PN_ERR_OVERFLOW, PN_ERR_ARGUMENT, or what the policy
 * returned; after an error it may be tried again. */
int pn_makespan_plan(pn_makespan *sim, const pn_makespan_hooks *hooks);

/* Executes the next instant. Returns PN_OK, PN_DONE if no job is left, PN_ERR_OVERFLOW (a time
 * above PN_MAKESPAN_MOST), PN_ERR_BUSY, or errors as pn_makespan_plan. */
int pn_makespan_step(pn_makespan *sim, const pn_makespan_hooks *hooks);

/* Executes at most `instants` of the instants before `until`, in fine ticks; PN_MAKESPAN_FOREVER
 * means no limit. Returns PN_OK if `until` is reached, PN_PAUSED after `instants` instants, PN_DONE
 * if no job is left, and errors as pn_makespan_step. */
#define PN_MAKESPAN_FOREVER UINT64_MAX
int pn_makespan_run(pn_makespan *sim, const pn_makespan_hooks *hooks, uint64_t until,
                    uint64_t instants);

/* ---- queries --------------------------------------------------------------------------------- */

/* Returns the fine ticks per unit of time; 0 before the plan. O(1). */
uint64_t pn_makespan_ticks(const pn_makespan *sim);
/* Returns the number of submitted jobs. O(1). */
uint32_t pn_makespan_jobs(const pn_makespan *sim);
/* Returns the id of the job at this place of the plan, pool after pool; 0 before the plan. O(1). */
uint64_t pn_makespan_order(const pn_makespan *sim, uint32_t index);
/* Returns the number of pools of the plan: 1 if there are no pools, unless that leaves nodes
 * unused; 0 before the plan. O(1). */
uint32_t pn_makespan_pools(const pn_makespan *sim);
typedef struct pn_makespan_pool_plan {
    uint32_t nodes, map_slots, reduce_slots, count;
} pn_makespan_pool_plan;
/* Writes the nodes, slots and number of jobs of a pool, index < pn_makespan_pools. O(1). */
void pn_makespan_pool_get(const pn_makespan *sim, uint32_t index, pn_makespan_pool_plan *pool);

typedef struct pn_makespan_totals {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t time;      /* of the last instant, fine ticks */
    uint64_t makespan;  /* the last finish so far, fine ticks; final once PN_DONE */
    /* of the finished jobs, units of time; den 0 = it does not fit */
    pn_exact total_completion;
    uint64_t map_work, reduce_work; /* of the jobs submitted, ticks (coarse) */
    uint64_t tasks_started;
    uint64_t submitted, finished; /* jobs */
    uint64_t instants;            /* executed */
    /* orders simulated by the policy while it planned; in the stop hook those so far */
    uint64_t evaluations;
    uint64_t nodes_searched; /* by exact; in the stop hook those so far */
    /* exact: no non-preemptive schedule ends earlier, units of time; den 0 = nothing is proven */
    pn_exact proven;
    /* the rules in force, as in the configuration; 0 before the plan */
    uint32_t stage_time, share, cap, task_order, resplit;
    uint32_t unused; /* 0 */
} pn_makespan_totals;
/* Write the totals, see pn_model.h. */
void pn_makespan_totals_into(const pn_makespan *sim, pn_makespan_totals *to, size_t size);
static inline void pn_makespan_totals_get(const pn_makespan *sim, pn_makespan_totals *to)
{
    pn_makespan_totals_into(sim, to, sizeof *to);
}

/* What is in use from the last instant to the next: the values of a timeline, see pn_timeline.h. */
typedef struct pn_makespan_levels {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t time;      /* of the last instant, fine ticks; 0 before the first */
    uint64_t jobs;      /* not finished */
    uint64_t queue;     /* of these, jobs of which no task runs */
    /* slots in use; at the stage level a stage takes all slots of its pool */
    uint64_t map, reduce;
} pn_makespan_levels;

/* Write the levels. O(pools). */
void pn_makespan_levels_into(const pn_makespan *sim, pn_makespan_levels *to, size_t size);
static inline void pn_makespan_levels_get(const pn_makespan *sim, pn_makespan_levels *to)
{
    pn_makespan_levels_into(sim, to, sizeof *to);
}

/* Writes a time before which no schedule of the submitted jobs ends (MK31), in units of time: at
 * the stage level, and with resplit, Johnson's makespan of the fluid stages; at the task level the
 * largest of that and three others. Returns PN_OK, PN_DONE if there is no bound (stage times that
 * are given), or PN_ERR_OVERFLOW. Call it after the plan, and not in a hook. O(jobs log jobs +
 * stretches log stretches). */
int pn_makespan_bound(pn_makespan *sim, pn_exact *bound);

/* Returns the digest, which folds each time with a decision or finish: h = mix(h, time, D), where D
 * is the sum of mix(time, kind, id, end - start) over started tasks and of mix(time,
 * PN_MAKESPAN_FINISH, id, 0) over finishes, in fine ticks. Slots are not folded, as they are alike
 * (MK19). */
uint64_t pn_makespan_digest(const pn_makespan *sim);

/* Returns the completion times, in units of time, of a group, or of all jobs with PN_ALL_GROUPS;
 * null without config.statistics. */
const pn_stats *pn_makespan_completions(const pn_makespan *sim, uint32_t group);

/* Returns the name of the bound policy; "" before the plan. */
const char *pn_makespan_policy_name(const pn_makespan *sim);

/* Ranks, in the order of the plan, the jobs of which tasks of the stage (enum pn_makespan_stage)
 * run, or could start if it were their turn and a slot were free. Writes the first `most` of them,
 * first to last, into ranked[most], which may be null if `most` is 0, and returns their number.
 * word[0] of the key is the job's place in the plan, from 1, and `rank` its pool, as jobs of
 * different pools do not compete. 0 before the first instant, and if the plan gives the turn of
 * each task. Must not be called in a hook. O(jobs log most). */
uint32_t pn_makespan_ranking(const pn_makespan *sim, uint32_t stage, pn_ranked *ranked,
                             uint32_t most);

/* ---- built-in policies ----------------------------------------------------------------------- */

const pn_makespan_policy *pn_makespan_fifo(void);
const pn_makespan_policy *pn_makespan_given_order(void);
const pn_makespan_policy *pn_makespan_johnson(void);
const pn_makespan_policy *pn_makespan_mk_jr(void);
const pn_makespan_policy *pn_makespan_uaas(void);
const pn_makespan_policy *pn_makespan_balanced_pools(void);
const pn_makespan_policy *pn_makespan_fixed_pools(void);
const pn_makespan_policy *pn_makespan_optimal(void);
const pn_makespan_policy *pn_makespan_portfolio(void);
const pn_makespan_policy *pn_makespan_neh(void);
const pn_makespan_policy *pn_makespan_local_search(void);
const pn_makespan_policy *pn_makespan_exact(void);

/* Return a built-in policy by its index or its name, see pn_model.h. */
const pn_makespan_policy *pn_makespan_policy_at(size_t index);
const pn_makespan_policy *pn_makespan_policy_find(const char *name);

/* ---- the checker ----------------------------------------------------------------------------- */

/* Verifies that a decision log keeps the rules of the model, see pn_model.h: every task started
 * once, with its duration, one at a time on a slot that exists; no reduce before its job's maps
 * have ended; the cap; exclusive stages; finishes where they belong; and the digest. */
typedef struct pn_makespan_verifier pn_makespan_verifier;

typedef struct pn_makespan_claim {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* as in the configuration */
    uint32_t map_slots, reduce_slots, base_map_slots, base_reduce_slots, nodes;
    /* in force: none is 0 but resplit */
    uint32_t level, stage_time, share, cap, resplit;
    /* fine ticks to a coarse one */
    uint64_t ticks;
    /* job i has id i + 1; must outlive the verifier, with all their stretches */
    const pn_makespan_job *jobs;
    size_t job_count;
    const pn_makespan_pool *pools; /* all of them, with all jobs; null = one */
    size_t pool_count;
} pn_makespan_claim;

/* Return the size of a verifier, lay one out, and feed it the entries in order of start, with
 * finishes among them by time. */
size_t pn_makespan_verifier_size(const pn_makespan_claim *claim);
int pn_makespan_verifier_init(pn_makespan_verifier **verifier, void *block, size_t size,
                              const pn_makespan_claim *claim);
int pn_makespan_verifier_feed(pn_makespan_verifier *verifier, const pn_makespan_decision *decision);
/* Compares the end, after the last entry: every job is complete, the last finish is `end`, and the
 * digest is that of the log. */
int pn_makespan_verifier_end(pn_makespan_verifier *verifier, uint64_t end, uint64_t digest);
/* Returns why the log was rejected, with the time and the job. */
const char *pn_makespan_verifier_fault(const pn_makespan_verifier *verifier, uint64_t *time,
                                       uint64_t *id);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* Hosts with policies of their own need no further line. */
#include "pn_makespan_policy.h"

#endif
