/* The slotted model: N machines, integer slots 1, 2, …; each job has map units and reduce tasks,
 * and offers its reduces only in slots after the one in which its last map unit ran. What counts is
 * flow time: finish - arrival + 1.
 *
 * Source: Zheng, Shroff, Sinha, "A New Analytical Technique for Designing Provably Efficient
 * MapReduce Schedulers" (2013). The exact semantics are the numbered rules SL1-SL29 cited here and
 * in the code; docs/models/slotted.md states them.
 *
 * The engine owns the truth and refuses every infeasible decision; a policy only decides. Sizes,
 * times and amounts are integers
 * <= PN_INTEGER_MAX.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 1680/1784, _submit 160/136, _run
 * 1272/1664, _validate 3928/4824, any other 1672/1784 (see docs/embedding.md). */
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
/* what a policy sees of it, valid during the call only */
typedef struct pn_slotted_view pn_slotted_view;
typedef struct pn_slotted_policy pn_slotted_policy; /* a scheduler: see "Writing a policy" below */

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

/* Get it from pn_slotted_defaults(), then set what differs. Every table has a limit; memory grows
 * with these and with nothing else. A library accepts the shorter structs of older hosts; those of
 * newer hosts while what it does not know in them is 0. */
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

/* The defaults, into the struct of `size` bytes that the host's header knew: so a host and a
 * library of other versions agree. */
void pn_slotted_defaults_into(pn_slotted_config *config, size_t size);

static inline pn_slotted_config pn_slotted_defaults(void)
{
    pn_slotted_config config;
    pn_slotted_defaults_into(&config, sizeof config);
    return config;
}

/* The name of the first field that is out of range, with its range, as a constant text
 * ("machines: 1..16777216"); null when all is well. */
const char *pn_slotted_check(const pn_slotted_config *config);

/* Returns the setting with this index, from 0; null behind the last one. */
const pn_setting *pn_slotted_setting_at(size_t index);

/* Returns the table of these functions, see pn_model.h. */
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

/* Functions come with each call, so that the block holds data only. Zero what is not needed. Hooks
 * may query the simulation and submit jobs; any other call on the same simulation returns
 * PN_ERR_BUSY. */
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

/* Bytes of the block; 0 when the configuration is invalid or the size overflows. Runs the code that
 * carves it. O(policies). */
size_t pn_slotted_size(const pn_slotted_config *config);

/* Lays a fresh simulation into `block` (size bytes, aligned to PN_BLOCK_ALIGN), which must outlive
 * it; there is nothing to free. *sim points into the block. Returns PN_OK, PN_ERR_ARGUMENT,
 * PN_ERR_CONFIG, PN_ERR_SIZE or PN_ERR_ALIGN. O(size). */
int pn_slotted_init(pn_slotted **sim, void *block, size_t size, const pn_slotted_config *config);

/* A block is data without pointers. Copy its first pn_slotted_block_size bytes with memcpy, to
 * another address or to a file and back on the same ABI, and open the copy: it continues with the
 * same decisions and digest. That is checkpoint, resume and fork. Not from inside a hook: such a
 * copy is half a slot, and opening it says PN_ERR_BUSY. Otherwise pn_slotted_open returns PN_OK,
 * PN_ERR_ARGUMENT, PN_ERR_ALIGN, PN_ERR_SIZE or PN_ERR_BLOCK. It detects foreign bytes, not malice:
 * a block that comes from where others may have changed it is validated first. */
size_t pn_slotted_block_size(const pn_slotted *sim);
int pn_slotted_open(pn_slotted **sim, void *block, size_t size);

/* Whether a block may be worked with, whoever wrote it: PN_OK, what pn_slotted_open says, or
 * PN_ERR_DAMAGED. After PN_OK no call with this block reads or writes outside it, meets undefined
 * behaviour or a broken invariant, or runs for ever: layout, counts, links, heaps, trees and lists
 * are compared with what the jobs say of themselves. Not promised: that the block is one that a run
 * could have come to, so that results mean anything; that a policy's own memory makes sense to it
 * (the built-in policies check theirs as they go); that a run ends soon, as jobs may be as large as
 * PN_INTEGER_MAX. Reads only. O(size + n log n) for n jobs; a block at rest, between two calls,
 * always passes. */
int pn_slotted_validate(const void *block, size_t size);

/* 1 when the block was made for this configuration: the fields and the layout are the same.
 * O(policies). */
int pn_slotted_configured(const pn_slotted *sim, const pn_slotted_config *config);

/* Hands over a job; *id (may be null) receives its number. Arrivals must not decrease and must lie
 * after the last executed slot. Returns PN_OK, PN_ERR_ARGUMENT, PN_ERR_ORDER, PN_ERR_LATE,
 * PN_ERR_JOB, PN_ERR_OVERFLOW, or PN_ERR_FULL (try again when a job has finished in every run; in
 * vain if the job alone has more stretches than stretches_max). O(reduce_count). */
int pn_slotted_submit(pn_slotted *sim, const pn_slotted_job *job, uint64_t *id);

/* Executes the next slot in which anything can happen (slots in which nothing can are jumped over).
 * Returns PN_OK, PN_DONE when no job is left, PN_ERR_ARGUMENT, PN_ERR_BUSY, PN_ERR_POLICY,
 * PN_ERR_MODE, PN_ERR_OVERFLOW, or what the policy's act or a hook of it returned. After an error
 * no slot was executed and the step may be tried again. What stays of a failed step: the policy is
 * bound, and the jobs of the slot it was about count as arrived (in_system). A policy's own state,
 * its random numbers too, is the policy's own affair. */
int pn_slotted_step(pn_slotted *sim, const pn_slotted_hooks *hooks);

/* Executes all slots <= until and moves the clock there, so that the next job may arrive at until
 * + 1. PN_DONE when no job is left. Jumps idle time in O(1). With until = PN_SLOTTED_FOREVER the
 * clock stops at the last slot executed; any other until is at most PN_INTEGER_MAX (else
 * PN_ERR_OVERFLOW). A policy that never gives never ends: run such ones in pieces. Errors as
 * pn_slotted_step. */
#define PN_SLOTTED_FOREVER UINT64_MAX
int pn_slotted_run(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t until);

/* The same, but it stops when so many slots were executed: then PN_PAUSED, whether or not any is
 * left, and the clock stands at the last of them. */
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

void pn_slotted_totals_into(const pn_slotted *sim, pn_slotted_totals *to, size_t size);
static inline void pn_slotted_totals_get(const pn_slotted *sim, pn_slotted_totals *to)
{
    pn_slotted_totals_into(sim, to, sizeof *to);
}

/* What is in use at once: the values of a timeline, see pn_timeline.h. */
typedef struct pn_slotted_levels {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t slot;      /* whose levels these are */
    uint64_t jobs;      /* arrived, and not finished before the slot */
    uint64_t queue;     /* of these, jobs that get no machine in it */
    uint64_t map;       /* machines that run map units */
    uint64_t reduce;    /* machines that run reduces, tasks that started earlier included */
    uint64_t backlog; /* units of the jobs that have arrived by now, neither run nor begun by now */
} pn_slotted_levels;

/* Two sets of levels, as those of a slot differ from what follows: those of the last slot executed
 * with jobs or for a virtual run (all 0 and slot 0 before the first); and `after` those that hold
 * from the next slot on until a slot is executed, as nothing happens in slots that are jumped over.
 * A recorder notes the first at their slot and the second at the slot behind it. Either may be
 * null. */
void pn_slotted_levels_into(const pn_slotted *sim, pn_slotted_levels *in_slot,
                            pn_slotted_levels *after, size_t size);
static inline void pn_slotted_levels_get(const pn_slotted *sim, pn_slotted_levels *in_slot,
                                         pn_slotted_levels *after)
{
    pn_slotted_levels_into(sim, in_slot, after, sizeof *in_slot);
}

/* Folds per slot with any decision or finish: h = mix(h, slot, D), D = sum over them of mix(slot,
 * kind, id, amount). Equal schedules give equal digests. */
uint64_t pn_slotted_digest(const pn_slotted *sim);

/* Flow-time statistics of a group, or of all jobs with group = PN_ALL_GROUPS; null when they are
 * not kept. Valid until the next call. */
const pn_stats *pn_slotted_flow_times(const pn_slotted *sim, uint32_t group);

/* Batch means of the flow times in order of (finish, id); null when no statistics are kept. Valid
 * as long as the block. */
const pn_batches *pn_slotted_batches(const pn_slotted *sim);

/* Name of the bound policy, "" before the first step. */
const char *pn_slotted_policy_name(const pn_slotted *sim);

/* The jobs that the bound policy ranks, by order `order` of its table: puts the first `most` of
 * them, first to last, into ranked[most], and returns how many there are. With most = 0 `ranked`
 * may be null. Only jobs that could use a machine are among them. In on_decision they are ranked as
 * when the slot was decided, in no other hook; between two slots as the next one begins, but that
 * keys which change with time or on ticks are as of the last slot for which the policy was asked,
 * and that an order of what the virtual run serves in a slot has no members. 0 where there is no
 * such order. O(jobs log most). */
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

/* The built-in policies by index from 0, all or those that PN_SLOTTED_POLICIES names; null behind
 * the last. */
const pn_slotted_policy *pn_slotted_policy_at(size_t index);

/* By name, in which - and _ are one letter; null when there is none. O(policies). */
const pn_slotted_policy *pn_slotted_policy_find(const char *name);

/* ---- writing a policy ------------------------------------------------------------------------ */

/* A policy is a constant table. It takes one of three forms, the first of these that is given:
 *   act     code that hands out amounts in a slot with the loops below;
 *   share   orders[0].key is pn_slotted_share_key: machines go one by one to the job with the
 *           smallest (machines held / weight), ties by id; a null weight is equal shares;
 *   else    a key: jobs are served greedily in the order of orders[0].
 * It is asked only in slots where a machine is idle and some job offers work. Whatever the form, it
 * may have the hooks init, arrive, finish and tick, and memory in the block.
 *
 * An order is a set of jobs that the kernel keeps sorted by (key, id). Jobs that wait cost nothing:
 * a key is computed again only as declared. */
enum pn_slotted_changes {
    /* the key depends on the job's own state: again after slots in which it ran */
    PN_SLOTTED_CHANGES_WHEN_SERVED = 0,
    /* the key never changes: computed when the job enters the set */
    PN_SLOTTED_CHANGES_ON_ARRIVAL = 1,
    /* the key of every member changes: all again in each slot in which the policy is asked,
     * O(members), of a tree O(places log members) */
    PN_SLOTTED_CHANGES_WITH_TIME = 2,
    /* all again after each tick of the policy, and a job's own after slots in which it ran */
    PN_SLOTTED_CHANGES_ON_TICK = 3
};

/* Which jobs are members; a job offers its map units while it has any, and only then its reduces
 * (SL6). */
enum pn_slotted_members {
    PN_SLOTTED_WITH_MAPS = 1, /* jobs with map units left */
    /* maps done, and reduce units (preemptive) or unstarted tasks (non-preemptive) left */
    PN_SLOTTED_WITH_REDUCES = 2,
    /* nothing left to offer, reduce tasks still running (non-preemptive) */
    PN_SLOTTED_WITH_RUNNING = 4,
    /* jobs with maps that the policy's virtual SRPT run has served and the real one has not;
     * alone, see `load` */
    PN_SLOTTED_WITH_LOAD = 8
};

/* Jobs are named by their place in the table during a policy's call, none by PN_NO_JOB. Which place
 * that is depends on the table's size and on what bounds still hold, so nothing may be decided by
 * it: pn_slotted_id is the job's own. */

typedef struct pn_slotted_order {
    void (*key)(const pn_slotted_view *view, uint32_t job, pn_key *key); /* null: by id */
    /* enum pn_slotted_changes */
    uint8_t changes;
    /* enum pn_slotted_members, or-ed */
    uint8_t members;
    /* 1: a search tree that also finds the next job with an offer of at most or at least x, O(log
     * n) each (pn_slotted_next_*, pn_slotted_fill); 0: a heap, faster (pn_slotted_fill,
     * pn_slotted_share) */
    uint8_t fit;
} pn_slotted_order;

enum pn_slotted_shadow_kind {
    PN_SLOTTED_SHADOW_NONE = 0,
    /* a virtual SRPT run of the sizes that the policy sees, SL10-SL12 */
    PN_SLOTTED_SHADOW_ESTIMATES = 1,
    PN_SLOTTED_SHADOW_TRUTH = 2 /* a virtual SRPT run of the true sizes */
};

enum pn_slotted_load {
    /* what virtual SRPT serves in this slot (Algorithm 1's MapLoad, SL12) */
    PN_SLOTTED_LOAD_SLOT = 0,
    /* what it has served so far and the real run has not (SL25); may be asked for between executed
     * slots, so keys of such an order must not depend on the slot */
    PN_SLOTTED_LOAD_CUMULATIVE = 1
};

#define PN_SLOTTED_ORDERS_MAX 4

struct pn_slotted_policy {
    size_t struct_size;                /* sizeof the struct, or 0: see pn_base.h */
    const char *name;                  /* at most 31 bytes */
    const char *summary;               /* one line */
    const char *source;                /* paper section or rule */
    uint8_t preemptive, nonpreemptive; /* 1: defined in this mode */
    /* 1: promises that no machine idles while a job offers work; the checker holds it to that */
    uint8_t work_conserving;
    /* 1: not a schedule but the virtual SRPT run itself, a lower bound (SL13); all else is
     * ignored */
    uint8_t relaxed;
    uint8_t shadow;      /* enum pn_slotted_shadow_kind */
    uint8_t load;        /* enum pn_slotted_load: what PN_SLOTTED_WITH_LOAD counts */
    uint8_t order_count; /* 1..PN_SLOTTED_ORDERS_MAX (0 only when relaxed) */
    uint8_t param_count; /* 0..PN_PARAMS_MAX */
    pn_slotted_order orders[PN_SLOTTED_ORDERS_MAX];
    pn_param params[PN_PARAMS_MAX];
    /* The policy's own memory in the block, zero at first: so many bytes, and so many more for each
     * place of the job table (jobs_max of them, one after the other). */
    size_t state_bytes, state_bytes_per_job;
    /* hands out machines with the calls below; PN_OK, or an error that the step then returns */
    int (*act)(pn_slotted_view *view);
    /* of a share: 1..2^20, else the policy gives up with PN_ERR_INFEASIBLE; null = 1. Asked again
     * when the key is, and for each machine given while one is idle: in one slot it must always
     * answer the same. */
    uint64_t (*weight)(const pn_slotted_view *view, uint32_t job);

    /* Hooks, each may be null. One that returns an error is called again when the step is tried
     * again. None can give machines. */
    /* once, in the first slot, before anything else */
    int (*init)(pn_slotted_view *view);
    /* the job is about to join the orders, in order of id */
    int (*arrive)(pn_slotted_view *view, uint32_t job);
    /* its last unit ran in this slot; it has left the orders; by id */
    void (*finish)(pn_slotted_view *view, uint32_t job);
    /* after the arrivals of the first slot in each stretch of tick_slots slots in which the policy
     * is asked; none in a stretch without such a slot. 0 = never. */
    int (*tick)(pn_slotted_view *view);
    uint64_t tick_slots;
    /* What its keys are, for people; null: it does not say. Of a library's policies to be read
     * behind PN_HAS. */
    const pn_key_part *keys;
};

/* What a policy may ask, O(1) each. All amounts are those at the start of the slot (SL5), with the
 * estimates in place of unknown sizes: units left = max(0, estimate - units run). Phases and offers
 * are the truth. */
uint64_t pn_slotted_slot(const pn_slotted_view *view);
uint32_t pn_slotted_machines(const pn_slotted_view *view); /* N */
uint32_t pn_slotted_jobs_max(const pn_slotted_view *view); /* places are 0..jobs_max-1 */
/* machines not yet given away in this slot; 0 in the hooks other than act, which cannot give */
uint32_t pn_slotted_idle(const pn_slotted_view *view);
/* jobs arrived and not finished */
uint32_t pn_slotted_in_system(const pn_slotted_view *view);
/* 1: any number; a job stands there, arrived, not finished */
int pn_slotted_active(const pn_slotted_view *view, uint32_t job);
int pn_slotted_preemptive(const pn_slotted_view *view);
double pn_slotted_param_value(const pn_slotted_view *view, uint32_t index); /* of policy->params */
/* the policy's own bytes, aligned to 8 */
void *pn_slotted_state(const pn_slotted_view *view);
/* the policy's random numbers, in the block */
pn_stream *pn_slotted_stream(const pn_slotted_view *view);
/* the table that came with the call */
const pn_slotted_policy *pn_slotted_policy_of(const pn_slotted_view *view);
void *pn_slotted_user(const pn_slotted_view *view); /* hooks->user */
uint64_t pn_slotted_id(const pn_slotted_view *view, uint32_t job);
uint64_t pn_slotted_arrival(const pn_slotted_view *view, uint32_t job);
uint32_t pn_slotted_group(const pn_slotted_view *view, uint32_t job);
uint32_t pn_slotted_attribute_count(const pn_slotted_view *view); /* config.attributes */
/* index < pn_slotted_attribute_count */
double pn_slotted_attribute(const pn_slotted_view *view, uint32_t job, uint32_t index);
/* m as seen; 0 once the maps are done */
uint64_t pn_slotted_maps_left(const pn_slotted_view *view, uint32_t job);
/* r as seen: unrun reduce units, running tasks included (SL7) */
uint64_t pn_slotted_reduces_left(const pn_slotted_view *view, uint32_t job);
uint64_t pn_slotted_remaining(const pn_slotted_view *view, uint32_t job); /* m + r as seen */
/* 1 while map units are left */
int pn_slotted_in_maps(const pn_slotted_view *view, uint32_t job);
/* machines it could use now (SL6), this slot's gifts not deducted */
uint64_t pn_slotted_offer(const pn_slotted_view *view, uint32_t job);
/* machines its running reduce tasks hold (SL8) */
uint32_t pn_slotted_held(const pn_slotted_view *view, uint32_t job);
/* machines given in this slot so far */
uint32_t pn_slotted_given(const pn_slotted_view *view, uint32_t job);
/* map units that PN_SLOTTED_WITH_LOAD counts, <= maps left */
uint64_t pn_slotted_load(const pn_slotted_view *view, uint32_t job);

/* For functions of the policy that cannot return an error, and for errors after which nothing can
 * be trusted: the policy gives up. None of its functions is called any more; this step returns
 * `status` (< 0) and every later one too; totals and statistics can still be asked for. A slot in
 * which it had decided before (a key after being served, a finish) stays executed. */
void pn_slotted_fail(const pn_slotted_view *view, int status);

/* Keys that many policies share; by id is null. */
/* least remaining work first */
void pn_slotted_key_remaining(const pn_slotted_view *view, uint32_t job, pn_key *key);
/* most first */
void pn_slotted_key_most_remaining(const pn_slotted_view *view, uint32_t job, pn_key *key);

/* Gives machines to what the job offers: map units, reduce units or new reduce tasks. PN_OK, or
 * PN_ERR_INFEASIBLE (more than idle, more than offered). O(1). */
int pn_slotted_give(pn_slotted_view *view, uint32_t job, uint64_t machines);

#define PN_SLOTTED_ALL_IDLE UINT64_MAX /* no limit but the idle machines */

/* Walks an order and gives each job as much as it offers (of a PN_SLOTTED_WITH_LOAD order: at most
 * its load) until no machine is idle or `limit` machines are given. O(d log d) for d jobs served in
 * the slot, of a tree O(d log n). */
int pn_slotted_fill(pn_slotted_view *view, uint32_t order, uint64_t limit);

/* Machines one by one, at most `limit`, to the smallest (held / weight, id) among the members of a
 * heap order keyed by pn_slotted_share_key. O(given log given). */
int pn_slotted_share(pn_slotted_view *view, uint32_t order, uint64_t limit);
void pn_slotted_share_key(const pn_slotted_view *view, uint32_t job, pn_key *key);

/* The next job after `after` (PN_NO_JOB: from the first) in a `fit` order whose offer is >= offer,
 * or in 1..offer; PN_NO_JOB at the end. O(log n). Offers are those at the start of the slot; above
 * 2^32 - 1 they count as that. `after` is a member. */
uint32_t pn_slotted_next_at_least(const pn_slotted_view *view, uint32_t order, uint32_t after,
                                  uint64_t offer);
uint32_t pn_slotted_next_at_most(const pn_slotted_view *view, uint32_t order, uint32_t after,
                                 uint64_t offer);

/* Whether the job stands in this order of the policy. O(1). */
int pn_slotted_member(const pn_slotted_view *view, uint32_t order, uint32_t job);

/* What the policy's virtual SRPT run served in this slot, in its order of service: index 0 .. count
 * - 1. With estimates a job may be finished in reality; giving to it is infeasible. */
typedef struct pn_slotted_served {
    uint32_t job;
    uint32_t maps, reduces; /* units */
} pn_slotted_served;
uint32_t pn_slotted_served_count(const pn_slotted_view *view);
pn_slotted_served pn_slotted_served_at(const pn_slotted_view *view, uint32_t index);

/* ---- the tight lower bound ------------------------------------------------------------------- */

/* LB2: for every slot t no policy can have completed more jobs than SRPT run on the jobs with e <=
 * t alone, where e = arrival + ceil(maps / N) + max(ceil(reduces / N), longest task if
 * non-preemptive) - 1. Needs all jobs, sorted by arrival. About n^2 / 4 passes over the n jobs of a
 * busy period at worst, whatever their sizes. */
size_t pn_slotted_bound_size(size_t job_count); /* bytes of the workspace; 0 on overflow */
/* *total receives the bound on total flow time. `stop` (may be null) is asked once a pass with
 * `user`; not 0 ends the computation. PN_OK, PN_ERR_ARGUMENT, PN_ERR_SIZE, PN_ERR_ALIGN,
 * PN_ERR_ORDER, PN_ERR_JOB, PN_ERR_OVERFLOW or PN_ERR_STOPPED. */
int pn_slotted_bound_tight(void *workspace, size_t size, uint32_t machines, uint32_t reduce,
                           const pn_slotted_job *jobs, size_t job_count, int (*stop)(void *user),
                           void *user, uint64_t *total);

/* ---- the checker ----------------------------------------------------------------------------- */

/* Replays a decision log against the workload, sharing no code with the engine, and verifies:
 * machines never exceeded, maps before reduces, reduce tasks uninterrupted, every unit run exactly
 * once, nothing before arrival, finishes where they belong, no machine idle beside offered work
 * where that is promised, and the digest. */
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

size_t pn_slotted_verifier_size(const pn_slotted_claim *claim); /* 0 when invalid */
int pn_slotted_verifier_init(pn_slotted_verifier **verifier, void *block, size_t size,
                             const pn_slotted_claim *claim);
/* Entries in order of slot; PN_OK or PN_ERR_REJECTED (the verifier then stays rejected). */
int pn_slotted_verifier_feed(pn_slotted_verifier *verifier, const pn_slotted_decision *decision);
/* After the last entry, before the end: the run was stopped after this slot, so jobs may be
 * unfinished, but only with work left. PN_OK or PN_ERR_REJECTED. */
int pn_slotted_verifier_stop(pn_slotted_verifier *verifier, uint64_t until);
/* After the last entry: every job must be complete unless the run was stopped, the last finish must
 * be `end`, and the digest must be the log's. */
int pn_slotted_verifier_end(pn_slotted_verifier *verifier, uint64_t end, uint64_t digest);
/* Why a log was rejected, as a constant text, with slot and job (0 when none); "" while all is
 * well. */
const char *pn_slotted_verifier_fault(const pn_slotted_verifier *verifier, uint64_t *slot,
                                      uint64_t *id);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
