/* The slotted model: N machines and integer slots 1, 2, …; each job has map units and reduce tasks,
 * and offers its reduces only in slots after the slot of its last map unit. The measure is flow
 * time: finish - arrival + 1.
 *
 * Source: Zheng, Shroff, Sinha, "A New Analytical Technique for Designing Provably Efficient
 * MapReduce Schedulers" (2013). The exact semantics are the numbered rules SL1-SL29 cited here and
 * in the code; docs/models/slotted.md states them.
 *
 * A policy decides, and the engine refuses decisions that are infeasible. Sizes, times and amounts
 * are integers <= PN_INTEGER_MAX.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 1688/1800, _submit 160/136, _run
 * 1352/1808, _validate 3944/4824, any other 1680/1800 (see docs/embedding.md). */
#ifndef PN_SLOTTED_H
#define PN_SLOTTED_H

#include "pn_model.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one simulation: it lives at the start of the caller's block */
typedef struct pn_slotted pn_slotted;
typedef struct pn_slotted_policy pn_slotted_policy; /* see pn_slotted_policy.h */

/* ---- configuration --------------------------------------------------------------------------- */

enum pn_slotted_reduce {
    /* reduce work is divisible into units that run anywhere, any number in parallel */
    PN_SLOTTED_PREEMPTIVE = 0,
    PN_SLOTTED_NONPREEMPTIVE = 1 /* a reduce task runs on one machine from start to end */
};

enum pn_slotted_bounds {
    PN_SLOTTED_BOUNDS_NONE = 0, /* no bound, at no cost */
    PN_SLOTTED_BOUNDS_FAST = 1  /* the SRPT total (Lemma 1), by a virtual run beside the real one */
};

#define PN_SLOTTED_MACHINES_MOST 16777216

/* Get it from pn_slotted_defaults(), then set what differs. */
typedef struct pn_slotted_config {
    size_t struct_size; /* set by pn_slotted_defaults: what this host knows of the struct */
    uint32_t machines;  /* N, 1..PN_SLOTTED_MACHINES_MOST; no default */
    /* jobs submitted and not yet finished, in the real and any virtual run; 1..2^28; no default */
    uint32_t jobs_max;
    /* non-preemptive: stretches of equal reduce tasks held at once (tasks 4,4,2 are two); 0 =
     * jobs_max */
    uint32_t stretches_max;
    uint32_t groups_max; /* statistics are also kept for job groups 0..groups_max-1; 0 = none */
    /* enum pn_slotted_reduce; default PN_SLOTTED_PREEMPTIVE (scenario files default to the
     * other) */
    uint32_t reduce;
    uint32_t bounds; /* enum pn_slotted_bounds; default PN_SLOTTED_BOUNDS_NONE */
    /* 1 = keep flow-time statistics (28 KB per group and once over all); default 0 */
    uint32_t statistics;
    /* 1 = jobs may carry estimates that differ from the truth; default 0: estimates are ignored */
    uint32_t estimates;
    /* Warm-up: jobs with an id or an arrival up to these are left out of the statistics, and of
     * nothing else; default 0: none */
    uint64_t warmup_jobs, warmup_slots;
    /* of the policy's own random numbers; with the replica it names their stream */
    uint64_t seed;
    uint32_t replica; /* of the experiment; default 0 */
    /* the block has memory for this policy only; null (default) = any built-in one. Not kept. */
    const pn_slotted_policy *policy;
    /* of each job, 0..PN_ATTRIBUTES_MAX; default 0: none, at no cost */
    uint64_t attributes;
} pn_slotted_config;

/* Fill in the defaults, check a configuration, list its settings, and return the table of these
 * functions: see pn_model.h. */
void pn_slotted_defaults_into(pn_slotted_config *config, size_t size);
static inline pn_slotted_config pn_slotted_defaults(void)
{
    pn_slotted_config config;
    pn_slotted_defaults_into(&config, sizeof config);
    return config;
}
const char *pn_slotted_check(const pn_slotted_config *config);
const pn_setting *pn_slotted_setting_at(size_t index);
const pn_model *pn_slotted_model(void);

/* ---- jobs ------------------------------------------------------------------------------------ */

#define PN_SLOTTED_ESTIMATE_ZERO \
    UINT64_MAX /* an estimate of 0: a plain 0 in an estimate field means "equal to the truth" */

typedef struct pn_slotted_job {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* slot >= 1 at whose start the job arrives; it may run in that slot (SL2) */
    uint64_t arrival;
    uint64_t maps; /* units of map work, one per map task; 0 = none */
    /* units of each reduce task, read during the call only; tasks of 0 units are dropped (SL3) */
    const uint64_t *reduces;
    size_t reduce_count;       /* length of reduces */
    uint64_t tag;              /* the host's own word, handed back in on_finish */
    uint32_t group;            /* < groups_max, or 0 */
    uint64_t estimate_maps;    /* what policies see instead of maps; 0 = the truth */
    uint64_t estimate_reduces; /* what policies see instead of the sum of reduces; 0 = the truth */
    /* config.attributes of them, finite; read during the call only; null = zeros */
    const double *attributes;
} pn_slotted_job;

/* Reported once per job, in order of (finish, id). */
typedef struct pn_slotted_finish {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t id;        /* 1, 2, … in order of submission */
    uint64_t tag;
    uint64_t arrival;
    uint64_t map_finish; /* slot of the last map unit; arrival - 1 for a job without maps (SL4) */
    uint64_t finish;     /* slot of the last unit of any kind */
    uint64_t flow_time;  /* finish - arrival + 1 */
    uint32_t group;
    /* config.attributes of them, for the length of the call; null where there are none */
    const double *attributes;
} pn_slotted_finish;

/* Kinds of net decision, and their class in the digest. */
enum pn_slotted_kind {
    PN_SLOTTED_MAP = 1,    /* amount map units ran in the slot */
    PN_SLOTTED_REDUCE = 2, /* amount reduce units ran in the slot (preemptive) */
    /* amount reduce tasks started in the slot and run on, one unit a slot (non-preemptive, SL9) */
    PN_SLOTTED_START = 3,
    PN_SLOTTED_FINISH = 4 /* the job's last unit ran in the slot; amount is 0 */
};

typedef struct pn_slotted_decision {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t slot;
    uint64_t id;
    uint64_t amount;
    /* PN_SLOTTED_MAP, PN_SLOTTED_REDUCE or PN_SLOTTED_START; PN_SLOTTED_FINISH in logs */
    uint32_t kind;
    /* PN_SLOTTED_START: tasks first_task .. first_task + amount - 1 started, counted from 1 without
     * the dropped ones; 0 otherwise */
    uint32_t first_task;
} pn_slotted_decision;

/* Functions that a host passes to each call, see pn_model.h. Hooks may query the simulation and
 * submit jobs. */
typedef struct pn_slotted_hooks {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* required; the first step binds it, later ones bring the same, see pn_param */
    const pn_slotted_policy *policy;
    /* policy->param_count values in the policy's order; null = its defaults */
    const double *params;
    /* once per finished job, by (finish, id); its place is free again, unless a virtual run still
     * needs it */
    void (*on_finish)(void *user, const pn_slotted_finish *finish);
    /* once per net decision, by (slot, job), before the slot's finishes; costs a sort of the slot's
     * decisions. Here pn_slotted_ranking says what the policy went by. */
    void (*on_decision)(void *user, const pn_slotted_decision *decision);
    void *user;
} pn_slotted_hooks;

/* ---- life ------------------------------------------------------------------------------------ */

/* Return the size of a block, lay one out, and open a copy: see pn_model.h. */
size_t pn_slotted_size(const pn_slotted_config *config);
int pn_slotted_init(pn_slotted **sim, void *block, size_t size, const pn_slotted_config *config);
size_t pn_slotted_block_size(const pn_slotted *sim);
int pn_slotted_open(pn_slotted **sim, void *block, size_t size);

/* Validates a block from outside, see pn_model.h. O(size + n log n) for n jobs. */
int pn_slotted_validate(const void *block, size_t size);

/* Returns 1 if the block was made for this configuration, see pn_model.h. O(policies). */
int pn_slotted_configured(const pn_slotted *sim, const pn_slotted_config *config);

/* Submits a job; *id (may be null) receives its number. Arrivals must not decrease (PN_ERR_ORDER)
 * and must lie after the last executed slot (PN_ERR_LATE). Returns PN_OK, PN_ERR_ARGUMENT,
 * PN_ERR_JOB, PN_ERR_OVERFLOW (an arrival above PN_INTEGER_MAX, or so many jobs were submitted), or
 * PN_ERR_FULL: try again when a job has finished in every run,
 * unless the job alone has more stretches than stretches_max. O(reduce_count). */
int pn_slotted_submit(pn_slotted *sim, const pn_slotted_job *job, uint64_t *id);

/* Executes the next slot in which anything can happen and skips the slots before it. Returns PN_OK,
 * PN_DONE if no job is left, PN_ERR_ARGUMENT, PN_ERR_BUSY, PN_ERR_POLICY, PN_ERR_MODE,
 * PN_ERR_OVERFLOW, or what a function of the policy returned. After an error no slot was executed,
 * and the step may be tried again; only this remains of it: the policy is bound, the jobs of the
 * slot count as arrived (in_system), and the policy may have changed its own memory and random
 * numbers. */
int pn_slotted_step(pn_slotted *sim, const pn_slotted_hooks *hooks);

/* Executes all slots <= until and moves the clock there, so that the next job may arrive at until +
 * 1. Returns PN_DONE if no job is left, and errors as pn_slotted_step. Skips idle time in O(1).
 * With until = PN_SLOTTED_FOREVER the clock stops at the last executed slot; any other until is at
 * most PN_INTEGER_MAX (PN_ERR_OVERFLOW). It does not return under a policy that never gives a
 * machine: use pn_slotted_run_some. */
#define PN_SLOTTED_FOREVER UINT64_MAX
int pn_slotted_run(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t until);

/* Does the same, but returns PN_PAUSED when it has executed `slots` slots, even if none is left;
 * the clock is then at the last of them. */
int pn_slotted_run_some(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t until,
                        uint64_t slots);

/* ---- queries, all O(1) ----------------------------------------------------------------------- */

typedef struct pn_slotted_totals {
    size_t struct_size;       /* bytes that the library knows of it: PN_HAS */
    uint64_t slot;            /* last executed slot (the clock); 0 before the first */
    uint64_t submitted;       /* jobs */
    uint64_t finished;        /* jobs */
    uint64_t total_flow_time; /* of the finished jobs */
    uint64_t last_finish;     /* slot; 0 before the first */
    /* SRPT total of the jobs finished in the virtual run: all of them once PN_DONE; 0 with
     * PN_SLOTTED_BOUNDS_NONE */
    uint64_t lower_bound;
    uint64_t units_run; /* machine slots used */
    uint64_t slots_run; /* slots executed with jobs in the system, those jumped over not counted */
    uint64_t decisions; /* net decisions made, finishes not counted */
    /* the most slots in a row so far in which the policy could have given machines and gave none */
    uint64_t withheld;
    uint64_t withheld_slot; /* the last of these; 0 = none */
    /* levels climbed or sunk in the ordered sets of the policy and the virtual runs */
    uint64_t heap_moves;
    uint32_t in_system;     /* jobs arrived and not finished */
    uint32_t jobs_held;     /* places of the job table in use */
    uint32_t jobs_held_max; /* the most so far */
    /* 1: the bound policy is a relaxation, its schedule is infeasible by design */
    uint32_t relaxed;
    uint64_t first_arrival; /* slot; 0 before the first job arrives */
    /* Slots up to `slot`, executed or jumped over, in which all machines were busy while a job
     * offered more work than it got (SL35). 0 for a relaxation. */
    uint64_t slots_saturated;
} pn_slotted_totals;

/* Write the totals, see pn_model.h. */
void pn_slotted_totals_into(const pn_slotted *sim, pn_slotted_totals *to, size_t size);
static inline void pn_slotted_totals_get(const pn_slotted *sim, pn_slotted_totals *to)
{
    pn_slotted_totals_into(sim, to, sizeof *to);
}

/* What is in use in a slot: the values of a timeline, see pn_timeline.h. */
typedef struct pn_slotted_levels {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t slot;      /* whose levels these are */
    uint64_t jobs;      /* arrived, and not finished before the slot */
    uint64_t queue;     /* of these, jobs that get no machine in it */
    uint64_t map;       /* machines that run map units */
    uint64_t reduce;    /* machines that run reduces, tasks that started earlier included */
    uint64_t backlog; /* units of the jobs that have arrived by now, neither run nor begun by now */
} pn_slotted_levels;

/* Write two sets of levels; either may be null. `in_slot` receives those of the last slot that was
 * executed with jobs or for a virtual run: all 0, and slot 0, before the first. `after` receives
 * those of the slots from the next one until another one is executed: nothing changes in skipped
 * slots. Record the first at its slot and the second at the slot after it. */
void pn_slotted_levels_into(const pn_slotted *sim, pn_slotted_levels *in_slot,
                            pn_slotted_levels *after, size_t size);
static inline void pn_slotted_levels_get(const pn_slotted *sim, pn_slotted_levels *in_slot,
                                         pn_slotted_levels *after)
{
    pn_slotted_levels_into(sim, in_slot, after, sizeof *in_slot);
}

/* Returns the digest, which folds each slot with a decision or finish: h = mix(h, slot, D), where D
 * is the sum over them of mix(slot, kind, id, amount). */
uint64_t pn_slotted_digest(const pn_slotted *sim);

/* Returns the flow times of a group, or of all jobs with PN_ALL_GROUPS; null without
 * config.statistics. Valid until the next call. */
const pn_stats *pn_slotted_flow_times(const pn_slotted *sim, uint32_t group);

/* Returns batch means of the flow times in order of (finish, id); null without config.statistics.
 * Valid as long as the block. */
const pn_batches *pn_slotted_batches(const pn_slotted *sim);

/* Returns the name of the bound policy; "" before the first step. */
const char *pn_slotted_policy_name(const pn_slotted *sim);

/* Ranks the jobs that could use a machine by the order with index `order` of the bound policy.
 * Writes the first `most` of them, first to last, into ranked[most], which may be null if `most` is
 * 0, and returns their number. 0 if there is no such order. In on_decision the ranking is that of
 * the decided slot; it must not be called in another hook. Between two slots it is that of the next
 * slot, with two exceptions: keys that change with time or on ticks are those of the last slot in
 * which the policy was asked, and an order of what the virtual run serves in a slot is empty.
 * O(jobs log most). */
uint32_t pn_slotted_ranking(const pn_slotted *sim, uint32_t order, pn_ranked *ranked,
                            uint32_t most);

/* ---- built-in policies ----------------------------------------------------------------------- */

const pn_slotted_policy *pn_slotted_fifo(void);
const pn_slotted_policy *pn_slotted_fair(void);
const pn_slotted_policy *pn_slotted_lrpt(void);
const pn_slotted_policy *pn_slotted_srpt(void);
const pn_slotted_policy *pn_slotted_dsrpt(void);
const pn_slotted_policy *pn_slotted_asrpt(void);
const pn_slotted_policy *pn_slotted_asrpt_cu(void);
const pn_slotted_policy *pn_slotted_dspt(void);
const pn_slotted_policy *pn_slotted_dsptf(void);
const pn_slotted_policy *pn_slotted_psrpt(void);
const pn_slotted_policy *pn_slotted_rfirst(void);
const pn_slotted_policy *pn_slotted_idx(void);
const pn_slotted_policy *pn_slotted_srpt_aged(void);

/* Return a built-in policy by its index or its name, see pn_model.h. */
const pn_slotted_policy *pn_slotted_policy_at(size_t index);
const pn_slotted_policy *pn_slotted_policy_find(const char *name);

/* ---- the tight lower bound ------------------------------------------------------------------- */

/* Returns the bytes of the workspace for pn_slotted_bound_tight; 0 on overflow. O(1). */
size_t pn_slotted_bound_size(size_t job_count);
/* Writes LB2, a lower bound on the total flow time, to *total. For each slot t no policy can have
 * completed more jobs than SRPT run on the jobs with e <= t alone, where e = arrival + ceil(maps /
 * N) + max(ceil(reduces / N), longest task if non-preemptive) - 1. It needs all jobs, sorted by
 * arrival.
 *
 * It calls `stop` (may be null) once per pass with `user`; a result other than 0 ends the
 * computation. Returns PN_OK, PN_ERR_ARGUMENT, PN_ERR_SIZE, PN_ERR_ALIGN, PN_ERR_ORDER, PN_ERR_JOB,
 * PN_ERR_OVERFLOW or PN_ERR_STOPPED. At worst about n^2 / 4 passes over the n jobs of a busy
 * period, whatever their sizes. */
int pn_slotted_bound_tight(void *workspace, size_t size, uint32_t machines, uint32_t reduce,
                           const pn_slotted_job *jobs, size_t job_count, int (*stop)(void *user),
                           void *user, uint64_t *total);

/* ---- the checker ----------------------------------------------------------------------------- */

/* Verifies that a decision log keeps the rules of the model: machines never exceeded, maps before
 * reduces, reduce tasks uninterrupted, every unit run exactly once, nothing before its arrival,
 * correct finishes, no idle machine beside offered work if the policy promises that, and the
 * digest. See pn_model.h. */
typedef struct pn_slotted_verifier pn_slotted_verifier;

typedef struct pn_slotted_claim {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    uint32_t machines;
    uint32_t reduce; /* enum pn_slotted_reduce */
    /* 1: map and reduce of one job may share a slot, reduces are divisible (SL10-SL13) */
    uint32_t relaxed;
    uint32_t work_conserving; /* 1: hold the log to it */
    /* sorted by arrival, job i has id i + 1; must outlive the verifier */
    const pn_slotted_job *jobs;
    size_t job_count;
} pn_slotted_claim;

/* Return the size of a verifier, lay one out, and feed it the entries in order of slot. */
size_t pn_slotted_verifier_size(const pn_slotted_claim *claim);
int pn_slotted_verifier_init(pn_slotted_verifier **verifier, void *block, size_t size,
                             const pn_slotted_claim *claim);
int pn_slotted_verifier_feed(pn_slotted_verifier *verifier, const pn_slotted_decision *decision);
/* Says, after the last entry, that the run was stopped after this slot: jobs may be unfinished if
 * they have work left. */
int pn_slotted_verifier_stop(pn_slotted_verifier *verifier, uint64_t until);
/* Compares the end, after the last entry: every job is complete unless the run was stopped, the
 * last finish is `end`, and the digest is that of the log. */
int pn_slotted_verifier_end(pn_slotted_verifier *verifier, uint64_t end, uint64_t digest);
/* Returns why the log was rejected, with the slot and the job. */
const char *pn_slotted_verifier_fault(const pn_slotted_verifier *verifier, uint64_t *slot,
                                      uint64_t *id);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* Hosts with policies of their own need no further line. */
#include "pn_slotted_policy.h"

#endif
