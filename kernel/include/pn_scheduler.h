/* The scheduler core of the cluster model: events in, decisions out. Jobs are submitted, nodes
 * offer slots, tasks end; the core says which task starts where, which is killed, and which job is
 * accepted. It has no clock: a host reports what happens on real machines, and the
 * virtual cluster (pn_cluster.h) what it simulates.
 *
 * Nodes have map and reduce slots. A job has map tasks, whose input lies on some nodes, and reduce
 * tasks; a reduce may hold a slot before the job's maps have ended, but works only after, and stays
 * where it is until it ends or is killed. The core accounts for slots, dependencies, attempts and
 * estimates, and refuses events that contradict them; a policy only decides.
 *
 * Sources: Cheriere, Donat-Bouillud, Ibrahim, Simonin, "On the Usability of Shortest Remaining Time
 * First Policy in Shared Hadoop Clusters" (2016), called hSRTF below, with the schedulers of Hadoop
 * 1 that it is measured against; He, Lu, Swanson, "Real-Time Scheduling in MapReduce Clusters"
 * (2012), called RTMR, with the Deadline Constraint scheduler of Kc and Anyanwu that it is measured
 * against. The exact semantics are the numbered rules cited here and in the code;
 * docs/models/cluster.md states them.
 *
 * Times are integer milliseconds <= PN_INTEGER_MAX, from whatever start the host likes.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 2568/3000, _submit 1352/1832, _run
 * 1204/1584, _validate 2176/2840, any other 2328/2536 (see docs/embedding.md).
 *
 * The loop of a host, where what begins with host_ is its own. Nodes offer their slots, then the
 * host waits for a message, the next tick, or the time that hooks->wake_at told.
 * scripts/check/recipes.sh compiles and runs it.
 *
 *     static void serve(host *h, pn_scheduler *s, const pn_scheduler_hooks *hooks)
 *     {
 *         uint64_t tick = 0, now = host_now(h);
 *         while (host_expects_jobs(h) || pn_scheduler_jobs(s) > 0) {
 *             h->wake = pn_scheduler_next_opening(s); // hooks->wake_at keeps the least here
 *             for (uint32_t kind = PN_SCHEDULER_MAP; kind <= PN_SCHEDULER_REDUCE; kind++)
 *                 for (uint32_t node = 0; (node = pn_scheduler_next_wanted(s, kind, node)) <
 *                                         pn_scheduler_node_count(s);)
 *                     if (pn_scheduler_offer(s, hooks, now, node) != PN_OK)
 *                         node++; // nothing was launched there
 *             int ticks = pn_scheduler_wants_ticks(s);
 *             host_message m = host_wait(h, ticks && tick < h->wake ? tick : h->wake);
 *             now = host_now(h);
 *             if (m.what == HOST_JOB)
 *                 host_check(pn_scheduler_submit(s, hooks, now, &m.job, NULL));
 *             else if (m.what == HOST_DONE)
 *                 host_check(pn_scheduler_finished(s, hooks, now, m.token));
 *             else if (m.what == HOST_FAILED)
 *                 host_check(pn_scheduler_failed(s, hooks, now, m.token));
 *             if (pn_scheduler_next_opening(s) <= now)
 *                 host_check(pn_scheduler_wake(s, hooks, now));
 *             if (ticks && now >= tick) {
 *                 host_check(pn_scheduler_tick(s, hooks, now));
 *                 tick = now + 10000;
 *             }
 *         }
 *     }
 *
 * host_check ends the program for statuses < 0 but PN_ERR_STALE, a message that comes too late. */
#ifndef PN_SCHEDULER_H
#define PN_SCHEDULER_H

#include "pn_model.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one scheduler: it lives at the start of the caller's block */
typedef struct pn_scheduler pn_scheduler;
typedef struct pn_scheduler_policy pn_scheduler_policy; /* see pn_scheduler_policy.h */
typedef struct pn_scheduler_input pn_scheduler_input;   /* see pn_input.h */

/* Kinds of task and of slot; where arrays have one entry for each, these are the indices. */
enum pn_scheduler_kind { PN_SCHEDULER_MAP = 0, PN_SCHEDULER_REDUCE = 1 };

/* ---- configuration --------------------------------------------------------------------------- */

/* So many nodes alike. Nodes are numbered from 0 in the order in which they are listed. */
typedef struct pn_scheduler_nodes {
    uint32_t count; /* >= 1 */
    /* of each, 0..2^16; the most that it may ever have, see pn_scheduler_resize */
    uint32_t map_slots, reduce_slots;
    /* permille of the nominal speed, 1..2^20; 0 = 1000 (CL2). The core itself only tells it to
     * policies. */
    uint32_t speed;
} pn_scheduler_nodes;

/* When a job's reduces may take slots (CL11). */
enum pn_scheduler_ready {
    /* when ceil(maps * slowstart_permille / 1000) of its maps are done */
    PN_SCHEDULER_SLOWSTART = 0,
    PN_SCHEDULER_AFTER_MAPS = 1 /* when all of them are */
};

/* Get it from pn_scheduler_defaults(), then set what differs. */
typedef struct pn_scheduler_config {
    /* set by pn_scheduler_defaults: what this host knows of the struct */
    size_t struct_size;
    const pn_scheduler_nodes *nodes; /* read by _size, _init and _check only; no default */
    /* entries there, >= 1; all together at most 2^22 nodes and 2^26 slots, at least one map slot */
    uint32_t nodes_count;
    /* 1 = a node offers nothing before its first node_up; default 0: all are up at first */
    uint32_t nodes_down;
    /* jobs in the system, 1..2^26; no default. With ended_predecessors and ended_feedback jobs
     * that are over may take places too, but never while none is in the system. */
    uint32_t jobs_max;
    uint32_t tasks_max; /* tasks of these, 1..2^30; default 0 = 64 * jobs_max */
    /* replicas of the maps' inputs, over all jobs in the system; 1..2^30; default 0 = 3 *
     * tasks_max */
    uint32_t replicas_max;
    uint32_t replicas_of_map; /* the most that one map has, 1..2^16; default 3 */
    /* statistics are also kept for job groups 0..groups_max-1; 0 = none */
    uint32_t groups_max;
    uint32_t statistics; /* 1 = keep waiting times, execution times and makespans; default 0 */
    /* Warm-up: jobs with an id up to this, or submitted before this time, are left out of the
     * statistics, and of nothing else */
    uint64_t warmup_jobs, warmup_ms;
    uint32_t replica; /* of the experiment; default 0 */
    /* of the policy's own random numbers; with the replica it names their stream */
    uint64_t seed;

    /* Rules. */
    uint32_t reduce_start;       /* enum pn_scheduler_ready; default PN_SCHEDULER_SLOWSTART */
    uint32_t slowstart_permille; /* 0..1000; default 50 */
    /* most maps that one offer gives; default 0 = as many as there are free slots (CL7) */
    uint32_t maps_per_offer;
    /* so many failed attempts of one task fail its job, 1..65535; default 4 (CL27) */
    uint32_t attempts_max;
    /* k > 0: a task whose attempt number is >= k is not killed; 0 = the paper: no limit; default 3
     * (CL19b) */
    uint32_t max_kills;
    /* policies that delay: how long a job waits for a local map (CL16); default 0 */
    uint64_t locality_delay_ms;
    /* average of a task's time while nothing is known (CL17); 1..2^40; default 10000 */
    uint64_t default_task_ms;
    /* reduce input : map input in eq. (2), 0..2^20; default 1000 (CL17) */
    uint32_t input_ratio_permille;
    /* added to every job's est_ms of a kind, 0..2^40; default 0 (CL20); see
     * pn_scheduler_allowance */
    uint64_t extra_ms[2];
    /* the block has memory for this policy only; null (default) = for any built-in one but those
     * whose finishes are recorded (rtmr). Not kept. */
    const pn_scheduler_policy *policy;
    /* of each job, 0..PN_ATTRIBUTES_MAX; default 0: none, at no cost */
    uint64_t attributes;
    /* attempts suspended at a time, 0..2^30; a policy that suspends more gives up with PN_ERR_FULL,
     * and tasks_max is always enough; default 0 (CL34) */
    uint32_t suspended_max;
    uint32_t copies; /* 1 = the policy may launch second attempts of tasks; default 0 (CL37) */
    /* the last so many nodes have no slots before they are resized (CL40); at most all; default 0
     */
    uint32_t nodes_absent;
    /* most attempts in slots that a job may have, of both kinds; default 0: no limit; 0..2^32 - 1
     * (CL42) */
    uint64_t running_most;
    /* an attempt is suspended at most so often, 0..65535; default 0: no limit (CL44) */
    uint64_t suspensions_max;
} pn_scheduler_config;

/* Writes the longest time, ms, that a map and a reduce may wait for the next offers although a slot
 * is free, if nodes with the given slots offer every `heartbeat_ms` with this maps_per_offer:
 * heartbeat_ms * ceil(map slots / maps_per_offer) and heartbeat_ms * reduce slots, of the node
 * where that is most. As config.extra_ms it makes the promises of rtmr and rtmr-live hold; the
 * proof is beside the code. O(nodes_count). */
void pn_scheduler_allowance(const pn_scheduler_config *config, uint64_t heartbeat_ms,
                            uint64_t extra_ms[2]);

/* Fill in the defaults, check a configuration, list its settings, and return the table of these
 * functions: see pn_model.h. */
void pn_scheduler_defaults_into(pn_scheduler_config *config, size_t size);
static inline pn_scheduler_config pn_scheduler_defaults(void)
{
    pn_scheduler_config config;
    pn_scheduler_defaults_into(&config, sizeof config);
    return config;
}
const char *pn_scheduler_check(const pn_scheduler_config *config);
const pn_setting *pn_scheduler_setting_at(size_t index);
const pn_model *pn_scheduler_model(void);

/* ---- jobs and tasks -------------------------------------------------------------------------- */

/* Largest weight of a job; largest priority, and smallest with a minus. */
#define PN_SCHEDULER_WEIGHT_MOST   1000000
#define PN_SCHEDULER_PRIORITY_MOST 1000000

typedef struct pn_scheduler_job {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    uint32_t maps;      /* M, 1..2^24 */
    uint32_t reduces;   /* R, 0..2^24; more than there are slots run in waves */
    /* On which nodes the input of map 0..maps-1 lies: writes at most `most` different ones, returns
     * how many. Called during the submission only, twice, map by map; with `where`. A second answer
     * of other length is PN_ERR_JOB. Null: on none. */
    uint32_t (*replicas)(const void *where, uint32_t map, uint32_t *nodes, uint32_t most);
    const void *where;
    /* ms after the submission; 0 = none. Counts what finishes later as not successful. */
    uint64_t deadline;
    /* For admission: how long a map and a reduce of the job take at most, ms, 1..2^40; 0 = not
     * known, which policies that require deadlines or estimate finishes refuse (of reduces if there
     * are any). A promise holds if no task takes longer (CL20). */
    uint64_t est_ms[2];
    /* Sizes of the job's input and of what its maps hand to its reduces, in any unit; 0: as many as
     * there are maps, and as the input. They relate jobs to each other where times are learnt from
     * those that finished (RTMR, IV.A). <= PN_INTEGER_MAX. */
    uint64_t input, intermediate;
    uint64_t tag;   /* the host's own word, handed back with each of its tasks */
    uint32_t group; /* < groups_max, or 0 */
    /* config.attributes of them, finite; read during the call only; null = zeros */
    const double *attributes;
    /* 1..PN_SCHEDULER_WEIGHT_MOST; 0 = 1. fair and the policies with shares give a job of weight 2
     * twice as much as one of weight 1 (CL41). */
    uint32_t weight;
    /* -PN_SCHEDULER_PRIORITY_MOST..PN_SCHEDULER_PRIORITY_MOST, 0 = normal. Jobs of a higher one
     * come first, whatever else the policy goes by; those that promise finishes or admit jobs
     * (rtmr, rtmr-live, dc) ignore both (CL41). Policies of one's own see them. */
    int32_t priority;
} pn_scheduler_job;

/* An attempt to run a task. */
typedef struct pn_scheduler_task {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t id;        /* of the job: 1, 2, … in order of submission */
    uint64_t tag;       /* of the job */
    uint64_t start;     /* ms: when it was launched, or began to work (pn_scheduler_started) */
    /* names this attempt and, for as long as the block lives, no other one; never 0 */
    uint64_t token;
    uint32_t kind; /* enum pn_scheduler_kind */
    uint32_t task; /* index among the job's maps or reduces, from 0 */
    /* 0, 1, …: how often the task was killed, failed, lost, run again or copied before */
    uint32_t attempt;
    uint32_t node;
    uint32_t local; /* of a map, 1: the node holds a replica of its input */
    /* its place among the attempts that run or are suspended, below pn_scheduler_places_max, its
     * own until it ends and another one's after that: a host's index */
    uint32_t place;
    /* of a reduce, 1: all maps of its job are done, so its input is complete; at its launch, and
     * hooks->input_changed tells of changes */
    uint32_t input_complete;
    uint32_t unused;
} pn_scheduler_task;

enum pn_scheduler_state {
    PN_SCHEDULER_UNFINISHED = 0,
    PN_SCHEDULER_FINISHED = 1,
    PN_SCHEDULER_FAILED = 2,   /* a task of it failed attempts_max times */
    PN_SCHEDULER_REJECTED = 3, /* it was not accepted */
    PN_SCHEDULER_CANCELLED = 4 /* by pn_scheduler_cancel */
};

/* A time that is not known or will never be reached. */
#define PN_SCHEDULER_NEVER UINT64_MAX

/* What became of a job (CL14). */
typedef struct pn_scheduler_record {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t id, tag;
    uint64_t submit;
    uint64_t first_map_start; /* launch of its first map, ever; PN_SCHEDULER_NEVER before */
    /* when its last map ended, after all re-execution (F of CL11); or NEVER */
    uint64_t map_finish;
    uint64_t first_reduce_start; /* launch of its first reduce, ever; or NEVER */
    /* when its last task ended; of a failed or cancelled job when that was; or NEVER, which it is
     * of a rejected one: that was over when it was submitted */
    uint64_t finish;
    /* ms after submit, as agreed: as submitted, unless the policy took the job with another one */
    uint64_t deadline;
    /* its finish, as estimated when it was accepted or rejected; NEVER without one */
    uint64_t promise;
    uint64_t slot_ms; /* time that its ended attempts held slots, whatever their end */
    uint32_t maps, reduces;
    uint32_t local_maps; /* maps whose successful attempt was local */
    /* finished reduces with an output of the job's maps on their node at max(map_finish, start) */
    uint32_t colocated_reduces;
    uint32_t kills; /* of its tasks by the policy */
    uint32_t state; /* enum pn_scheduler_state */
    uint32_t group;
    /* config.attributes of them, for the length of the call of on_finish, of a query until the next
     * event; null where there are none */
    const double *attributes;
    uint32_t suspensions;        /* of its attempts (CL36) */
    uint32_t copies, copies_won; /* launched of its tasks; those that ended their task (CL38) */
    uint32_t unused;
} pn_scheduler_record;

/* What happened, as the decision log has it. The values are pinned: the digest folds them. */
enum pn_scheduler_event_kind {
    PN_SCHEDULER_ACCEPT = 1, /* a job was submitted and accepted */
    PN_SCHEDULER_REJECT = 2, /* a job was submitted and rejected */
    PN_SCHEDULER_LAUNCH = 3, /* an attempt starts */
    PN_SCHEDULER_END = 4,    /* an attempt ended well: the task is done */
    /* an attempt was killed by the policy; the task is pending again, as after FAIL, LOSE and
       RERUN */
    PN_SCHEDULER_KILL = 5,
    PN_SCHEDULER_FAIL = 6,  /* an attempt failed */
    PN_SCHEDULER_LOSE = 7,  /* an attempt was lost with its node */
    PN_SCHEDULER_DROP = 8,  /* an attempt was ended as its job has failed or was cancelled */
    PN_SCHEDULER_RERUN = 9, /* the output of a map that was done was lost with its node (CL13) */
    PN_SCHEDULER_NODE_DOWN = 10,
    PN_SCHEDULER_NODE_UP = 11,
    PN_SCHEDULER_JOB_FINISH = 12, /* the job is done */
    PN_SCHEDULER_JOB_FAIL = 13,   /* the job has failed */
    /* a job that was accepted can no longer be expected to make its deadline; at the latest, of a
       job with a promise, when it finishes */
    PN_SCHEDULER_LATE = 14,
    PN_SCHEDULER_SUSPEND = 15, /* an attempt was suspended by the policy: its slot is free */
    PN_SCHEDULER_RESUME = 16,  /* it goes on, on its node */
    /* an attempt was ended as the other one of its task has ended well, just before */
    PN_SCHEDULER_CANCEL = 17,
    PN_SCHEDULER_JOB_CANCEL = 18, /* the job was cancelled by the host (CL39) */
    PN_SCHEDULER_NODE_RESIZE = 19 /* a node has other slots now (CL40) */
};

typedef struct pn_scheduler_event {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t time;
    uint64_t id; /* of the job; 0 for a node's */
    uint64_t tag;
    uint32_t event; /* enum pn_scheduler_event_kind */
    uint32_t kind;  /* enum pn_scheduler_kind, of a task's; else 0 */
    uint32_t task;  /* from 0; of a node's and a job's 0 */
    uint32_t node;  /* of a job's 0 */
    uint32_t attempt;
    uint32_t place; /* of a task's attempt; else 0; not folded into the digest */
    /* Of ACCEPT, REJECT and LATE, else 0: when the job is expected to finish, NEVER if that is not
     * known, and its deadline, ms after its submission, as agreed. Both are folded with ACCEPT and
     * LATE where the finish is known: a promise. */
    uint64_t estimate, deadline;
    /* of REJECT: the job that would have missed its deadline, as in pn_scheduler_answer; else 0;
     * not folded */
    uint64_t blocker;
    /* of NODE_RESIZE, else 0: slots of each kind from now on; folded with it */
    uint32_t slots[2];
} pn_scheduler_event;

/* Functions that a host passes to each call, see pn_model.h. Hooks may query the core. */
typedef struct pn_scheduler_hooks {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* required; the first event binds it, later ones bring the same, see pn_param */
    const pn_scheduler_policy *policy;
    /* policy->param_count values in the policy's order; null = its defaults */
    const double *params;
    /* Start this attempt; it holds a slot from now on. */
    void (*launch)(void *user, const pn_scheduler_task *task);
    /* End this attempt at once; its slot is free, its place among the running ones no longer its
     * own. Also for tasks that are dropped with their job, and for the slower of two attempts; not
     * for those that are lost with their node. */
    void (*kill)(void *user, const pn_scheduler_task *task);
    /* Stop this attempt, so that it can go on where it is; and let it go on. It keeps its place and
     * token meanwhile, and holds no slot. Null: the host cannot do that, and a policy that suspends
     * gives up with PN_ERR_INFEASIBLE (CL34, CL35). */
    void (*suspend)(void *user, const pn_scheduler_task *task);
    void (*resume)(void *user, const pn_scheduler_task *task);
    /* Offer the free slots again at this time: a job waits until then for a local map, and nothing
     * else may happen before. Only the earliest time since the last offer counts. */
    void (*wake_at)(void *user, uint64_t time);
    /* How much of an attempt that runs or is suspended is done, 0..10^6 (CL12). Null: unknown, 0.
     * Asked when estimates or kills need it. */
    uint32_t (*progress)(void *user, const pn_scheduler_task *task);
    /* Whether a reduce that runs or is suspended no longer needs its job's map outputs (CL13).
     * Null: never before it ends. */
    int (*fetched)(void *user, const pn_scheduler_task *task);
    /* Once a job, when it is finished, failed, cancelled or rejected; its place is free again. */
    void (*on_finish)(void *user, const pn_scheduler_record *job);
    /* Everything that happened, in order: the decision log. */
    void (*on_event)(void *user, const pn_scheduler_event *event);
    void *user;        /* handed to these hooks */
    void *policy_user; /* what the policy's functions get from pn_scheduler_user */
    /* The input of a reduce that runs or is suspended is complete from now on (task->input_complete
     * 1), as the last map of its job has ended; or no longer (0), as outputs were lost with a node
     * before it had fetched them (CL13). Not told of one that says fetched. A reduce works only
     * while its input is complete; at its launch task->input_complete says whether it is. O(reduces
     * of the job that run or are suspended), with the end of its last map and the loss. */
    void (*input_changed)(void *user, const pn_scheduler_task *task);
    /* Every event that the core accepts, before it decides anything, and every answer to a question
     * of progress and fetched, as it is given: the input log. */
    void (*on_input)(void *user, const pn_scheduler_input *input);
} pn_scheduler_hooks;

/* ---- life ------------------------------------------------------------------------------------ */

/* Return the size of a block, lay one out, and open a copy: see pn_model.h. */
size_t pn_scheduler_size(const pn_scheduler_config *config);
int pn_scheduler_init(pn_scheduler **scheduler, void *block, size_t size,
                      const pn_scheduler_config *config);
size_t pn_scheduler_block_size(const pn_scheduler *scheduler);
int pn_scheduler_open(pn_scheduler **scheduler, void *block, size_t size);

/* Validates a block from outside, see pn_model.h. O(size + tasks). */
int pn_scheduler_validate(const void *block, size_t size);

/* Returns 1 if the block was made for this configuration, see pn_model.h. O(policies). */
int pn_scheduler_configured(const pn_scheduler *scheduler, const pn_scheduler_config *config);

/* ---- events ---------------------------------------------------------------------------------- */

/* The core handles an event completely before the call returns; the hooks receive its decisions.
 * `now` never decreases (PN_ERR_ORDER): if several threads report events, read the clock under the
 * lock that guards the block.
 *
 * All events return PN_OK, PN_ERR_ARGUMENT (no such node, attempt or group), PN_ERR_BUSY,
 * PN_ERR_OVERFLOW (a time above PN_INTEGER_MAX, or a job after so many), PN_ERR_POLICY, or what the
 * policy returned: then the policy has given up, this event has happened, and every later one
 * returns the same status. Any other refused event changes nothing.
 *
 * PN_ERR_POLICY: there is no policy; its table or its parameters are out of range; it differs from
 * the policy of the first event, or its parameters do; or the block has no memory for it, as
 * config.policy named another one, or none and this one is rtmr, which must always be named. */

/* Returns what any event with these hooks would be refused with: PN_ERR_ARGUMENT, PN_ERR_BUSY,
 * PN_ERR_POLICY, or the status with which the policy gave up; else PN_OK. O(parameters). */
int pn_scheduler_ready(const pn_scheduler *scheduler, const pn_scheduler_hooks *hooks);

/* The answer to the submission of a job. */
typedef struct pn_scheduler_answer {
    uint64_t id; /* its number */
    /* 1: it was accepted; 0: it was rejected, and is over: on_finish has reported it as
     * PN_SCHEDULER_REJECTED */
    uint32_t accepted;
    uint32_t unused;
    /* when it would finish; NEVER where the policy makes no promises, or no slot is up */
    uint64_t estimate;
    /* ms after the submission, as agreed: as submitted, unless the policy took the job with another
     * one */
    uint64_t deadline;
    /* the job that would miss its deadline if this one were accepted: itself, or one whose deadline
     * was promised; 0 */
    uint64_t blocker;
    uint64_t later[2]; /* 0 */
} pn_scheduler_answer;

/* Submits a job, which is accepted or rejected: *answer (may be null) receives which. Returns PN_OK
 * in both cases. Also PN_ERR_JOB: maps, reduces, est_ms, sizes, weight or priority out of range, a
 * replica on a node that does not exist or is named twice, reduces without a reduce slot in the
 * cluster, or no deadline or est_ms if the policy needs it. PN_ERR_FULL: jobs, tasks or replicas;
 * try again when a job has ended, unless the job alone has more than the configuration allows.
 * O(maps + reduces + replicas log replicas), and what the policy does on arrivals; for admission
 * see pn_scheduler_foresee. */
int pn_scheduler_submit(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        const pn_scheduler_job *job, pn_scheduler_answer *answer);

/* Writes the answer that pn_scheduler_submit would give, without a submission: nothing is logged
 * and nothing changes, not even the time; only the policy is bound, as by any event, and what its
 * `admit` writes to its memory stays there (pn_scheduler_asked). It omits two things with which a
 * submission begins: the release of jobs whose hold is over by `now`, and the call of elapse.
 * Errors and cost are the same. */
int pn_scheduler_ask(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                     const pn_scheduler_job *job, pn_scheduler_answer *answer);

/* Report that a node has recovered, with all its slots free; or that it has failed, with its
 * running attempts and the map outputs on it (CL13). Nothing changes if the node is already up, or
 * already down. Down takes O(running attempts there + jobs, and maps of the jobs hit). With
 * forecasts, both of them and a failed attempt estimate all jobs anew (CL32), at the cost of
 * pn_scheduler_ask for the last one. */
int pn_scheduler_node_up(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                         uint32_t node);
int pn_scheduler_node_down(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                           uint32_t node);

/* Sets the slots of a node, each at most the configured number (PN_ERR_ARGUMENT), whether it is up
 * or down; nothing happens if it has them already. Attempts above the new number run until they
 * end, and nothing is launched there before a slot is free. With 0, 0 the node is out of use when
 * the last of them has ended, and its outputs can still be fetched; pn_scheduler_node_down instead
 * loses its attempts and outputs. New slots are free at once: offer them. Shares are set as when a
 * job ends (CL40). Recorded finishes (rtmr) ignore all this: its promises hold while all slots are
 * there. O(slots that come or go), and what the policy does when a job ends; with forecasts all
 * jobs are estimated anew (CL32). */
int pn_scheduler_resize(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        uint32_t node, uint32_t map_slots, uint32_t reduce_slots);

/* Offers the free slots of a node (CL7): the core launches maps while the node has free map slots,
 * at most maps_per_offer, then at most one reduce. Returns PN_OK if it launched anything, PN_DONE
 * if not. O(log jobs + log tasks) for each launch with policies that keep an order, and O(jobs
 * ahead) for a reduce if slots are reserved. */
int pn_scheduler_offer(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                       uint32_t node);

/* Report of the attempt with this token that it begins to work only now (without this call it works
 * from its launch), that it is done, or that it failed. PN_ERR_STALE, and nothing changes, if no
 * such attempt runs: it was killed, dropped with its job or lost with its node before the message
 * arrived, or was already reported. A host on a real network ignores this error. PN_ERR_ARGUMENT
 * while it is suspended: report its end when it has resumed. PN_ERR_ARGUMENT also for a reduce that
 * is done before the maps of its job, unless it has fetched all their outputs (hooks->fetched). */
int pn_scheduler_started(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                         uint64_t token);
int pn_scheduler_finished(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                          uint64_t token);
int pn_scheduler_failed(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        uint64_t token);

/* Cancels a job, whatever its state: its running and suspended attempts are dropped (hooks->kill),
 * and its record has the state PN_SCHEDULER_CANCELLED (CL39). A policy sees it as failed.
 * PN_ERR_STALE, and nothing changes, if no such job is in the system. O(jobs + its attempts), and
 * what the policy does when a job ends; with forecasts all jobs are estimated anew (CL32). */
int pn_scheduler_cancel(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        uint64_t id);

/* Reports that the time of pn_scheduler_next_opening is reached: jobs that were held may get slots
 * (pn_scheduler_hold). Every other event does the same first. O(log jobs) each. */
int pn_scheduler_wake(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now);

/* Reports that time has passed: policies that estimate do so anew, every 10 s in the paper.
 * O(running attempts + jobs log jobs) with these. */
int pn_scheduler_tick(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now);

/* ---- queries --------------------------------------------------------------------------------- */

/* Returns 0 if no offer of a slot of this kind launches anything before another event, else 1.
 * O(1). */
int pn_scheduler_wants(const pn_scheduler *scheduler, uint32_t kind);
/* Returns the first node >= `from` that is up and whose free slot of this kind an offer may give to
 * a task; the number of nodes if there is none. Offers of the nodes in between launch nothing.
 * O(1); for reduces under policies that co-locate O(candidates * nodes with their inputs, outputs,
 * or free slots), and under those that reserve O(jobs ahead of the first that has one ready). */
uint32_t pn_scheduler_next_wanted(const pn_scheduler *scheduler, uint32_t kind, uint32_t from);
/* Which ticks have an effect. */
enum pn_scheduler_ticks {
    /* none: the policy does not estimate, plan, preempt or copy, or no job is in the system */
    PN_SCHEDULER_NO_TICKS = 0,
    PN_SCHEDULER_LAST_TICK = 1, /* only the last one before another event */
    PN_SCHEDULER_EVERY_TICK = 2
};
/* Returns which ticks have an effect now (enum pn_scheduler_ticks). O(1). */
int pn_scheduler_wants_ticks(const pn_scheduler *scheduler);
/* Returns when the first hold of a job ends; PN_SCHEDULER_NEVER if no job is held. hooks->wake_at
 * reports it, too. O(1). */
uint64_t pn_scheduler_next_opening(const pn_scheduler *scheduler);
/* Returns the first node >= `from` that is up and has a free slot of this kind; the number of nodes
 * if there is none. O(1). */
uint32_t pn_scheduler_next_free(const pn_scheduler *scheduler, uint32_t kind, uint32_t from);

/* Return the jobs in the system, and the nodes. O(1). */
uint32_t pn_scheduler_jobs(const pn_scheduler *scheduler);
uint32_t pn_scheduler_node_count(const pn_scheduler *scheduler);
/* Returns a number above every place of an attempt: slots of all nodes as configured, plus
 * suspended_max. O(1). */
uint32_t pn_scheduler_places_max(const pn_scheduler *scheduler);
/* Returns the number of attempts in slots. O(1). */
uint32_t pn_scheduler_running_tasks(const pn_scheduler *scheduler);
/* Returns 1 if the node is up. O(1). */
int pn_scheduler_is_up(const pn_scheduler *scheduler, uint32_t node);
/* Returns the free slots of a node; 0 while it is down. O(1). */
uint32_t pn_scheduler_free_slots(const pn_scheduler *scheduler, uint32_t node, uint32_t kind);
/* Write the attempt at this place, which runs or is suspended. Return PN_OK, or PN_ERR_ARGUMENT if
 * the place is empty. O(1). */
int pn_scheduler_task_into(const pn_scheduler *scheduler, uint32_t place, pn_scheduler_task *to,
                           size_t size);
static inline int pn_scheduler_task_get(const pn_scheduler *scheduler, uint32_t place,
                                        pn_scheduler_task *to)
{
    return pn_scheduler_task_into(scheduler, place, to, sizeof *to);
}
/* Returns 1 if the attempt at this place is suspended. O(1). */
int pn_scheduler_is_suspended(const pn_scheduler *scheduler, uint32_t place);

/* The job of an attempt that runs or is suspended. */
typedef struct pn_scheduler_progress {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint32_t maps, maps_done;
    uint32_t reduces, reduces_done;
    /* its maps that run, or have their output, on the attempt's node: h of CL11 once map_finish is
     * known */
    uint32_t outputs;
    uint32_t unused;
    uint64_t map_finish; /* F; PN_SCHEDULER_NEVER while maps are missing */
} pn_scheduler_progress;
/* Write the progress of the job whose attempt is at `place`. */
void pn_scheduler_progress_into(const pn_scheduler *scheduler, uint32_t place,
                                pn_scheduler_progress *to, size_t size);
static inline void pn_scheduler_progress_get(const pn_scheduler *scheduler, uint32_t place,
                                             pn_scheduler_progress *to)
{
    pn_scheduler_progress_into(scheduler, place, to, sizeof *to);
}
/* Return the first running reduce of the job whose attempt is at `place`, and the next one after
 * `place`, in order of launch; PN_SCHEDULER_NO_ATTEMPT after the last. */
#define PN_SCHEDULER_NO_ATTEMPT UINT32_MAX
uint32_t pn_scheduler_first_reduce(const pn_scheduler *scheduler, uint32_t place);
uint32_t pn_scheduler_next_reduce(const pn_scheduler *scheduler, uint32_t place);

/* Write the records of the jobs in the system, one per call, in order of submission: start with
 * *place = PN_NO_JOB and call until PN_DONE. O(1) per job. */
int pn_scheduler_next_record_into(const pn_scheduler *scheduler, uint32_t *place,
                                  pn_scheduler_record *to, size_t size);
static inline int pn_scheduler_next_record(const pn_scheduler *scheduler, uint32_t *place,
                                           pn_scheduler_record *to)
{
    return pn_scheduler_next_record_into(scheduler, place, to, sizeof *to);
}

typedef struct pn_scheduler_totals {
    size_t struct_size;                     /* bytes that the library knows of it: PN_HAS */
    uint64_t time;                          /* of the last event */
    uint64_t submitted, accepted, rejected; /* jobs */
    uint64_t finished, failed;              /* jobs */
    uint64_t successful;                    /* finished, and in time where they have a deadline */
    uint64_t first_submit;                  /* of any job; PN_SCHEDULER_NEVER before */
    uint64_t last_finish;                   /* of a finished job; 0 before */
    /* of an accepted job, also when it failed or was cancelled; 0 before */
    uint64_t last_end;
    /* time of the last event of enum pn_scheduler_event_kind; 0 before */
    uint64_t last_logged;
    uint64_t slot_ms;                   /* of all ended attempts */
    uint64_t ended_slot_ms;             /* of jobs that finished, failed or were cancelled */
    uint64_t successful_slot_ms;        /* of the successful jobs */
    uint64_t finished_maps, local_maps; /* of the finished jobs */
    uint64_t finished_reduces, colocated_reduces;
    uint64_t total_waiting, total_execution, total_makespan; /* ms, of the finished jobs */
    /* attempts; reruns: maps whose output was lost */
    uint64_t launches, kills, failures, lost, reruns;
    /* how often estimates were put right after a job's end (CL25) */
    uint64_t feedback_fired;
    uint64_t late;                       /* PN_SCHEDULER_LATE */
    uint64_t suspensions, resumptions;   /* of attempts (CL34, CL35) */
    uint64_t copies, copies_won;         /* launched; that ended their task (CL37, CL38) */
    uint64_t map_slots, reduce_slots;    /* of all nodes as they are, up or down */
    uint32_t in_system, in_system_max;   /* jobs */
    uint32_t tasks_held, tasks_held_max; /* of these */
    uint32_t replicas_held, replicas_held_max;
    uint32_t tasks_max, replicas_max; /* as configured, or by default */
    uint64_t cancelled;               /* jobs */
    /* ms up to last_logged in which no slot of some kind was free while a job could start a task of
     * that kind (CL43) */
    uint64_t saturated_ms;
} pn_scheduler_totals;
/* Write the totals, see pn_model.h. */
void pn_scheduler_totals_into(const pn_scheduler *scheduler, pn_scheduler_totals *to, size_t size);
static inline void pn_scheduler_totals_get(const pn_scheduler *scheduler, pn_scheduler_totals *to)
{
    pn_scheduler_totals_into(scheduler, to, sizeof *to);
}

/* What is in use from the last event on: the values of a timeline, see pn_timeline.h. */
typedef struct pn_scheduler_levels {
    size_t struct_size;   /* bytes that the library knows of it: PN_HAS */
    uint64_t time;        /* of the last event, ms */
    uint64_t jobs;        /* in the system: accepted, and not over */
    uint64_t queue;       /* of these, jobs without an attempt in a slot */
    uint64_t map, reduce; /* slots in use */
} pn_scheduler_levels;

/* Write the levels. O(1). */
void pn_scheduler_levels_into(const pn_scheduler *scheduler, pn_scheduler_levels *to, size_t size);
static inline void pn_scheduler_levels_get(const pn_scheduler *scheduler, pn_scheduler_levels *to)
{
    pn_scheduler_levels_into(scheduler, to, sizeof *to);
}

/* The finished jobs of a group. */
typedef struct pn_scheduler_group {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t jobs, maps, local_maps, reduces, colocated_reduces, kills, slot_ms;
    uint64_t waiting, execution, makespan; /* sums, ms */
    /* Where the makespan went (ms, sums): until the first map, until the last map, then until the
     * first reduce, if that came later, and until the end. */
    uint64_t in_wait, in_maps, in_blocked, in_reduces;
    uint64_t suspensions, copies, copies_won;
} pn_scheduler_group;
/* Write the numbers of a group, or of all jobs with PN_ALL_GROUPS. PN_ERR_ARGUMENT if there is no
 * such group. */
int pn_scheduler_group_into(const pn_scheduler *scheduler, uint32_t group, pn_scheduler_group *to,
                            size_t size);
static inline int pn_scheduler_group_get(const pn_scheduler *scheduler, uint32_t group,
                                         pn_scheduler_group *to)
{
    return pn_scheduler_group_into(scheduler, group, to, sizeof *to);
}

enum pn_scheduler_sample {
    PN_SCHEDULER_MAKESPANS = 0,
    PN_SCHEDULER_WAITINGS = 1,
    PN_SCHEDULER_EXECUTIONS = 2
};
/* Returns the samples of a group, or of all finished jobs with PN_ALL_GROUPS; null without
 * config.statistics. Valid until the next call. */
const pn_stats *pn_scheduler_samples(const pn_scheduler *scheduler, uint32_t sample,
                                     uint32_t group);
/* Returns batch means of the makespans in order of finish; null without config.statistics. */
const pn_batches *pn_scheduler_batches(const pn_scheduler *scheduler);

/* Returns the digest, which folds each time with an event of enum pn_scheduler_event_kind: h =
 * mix(h, time, D), where D is the sum over these of mix(time, event, id, kind, task, node,
 * attempt). */
uint64_t pn_scheduler_digest(const pn_scheduler *scheduler);

/* Returns the name of the bound policy; "" before the first event. */
const char *pn_scheduler_policy_name(const pn_scheduler *scheduler);

/* Ranks, for slots of a kind (enum pn_scheduler_kind), the jobs with a task that could start or be
 * resumed now and that are neither held nor at their limit. Writes the first `most` of them, first
 * to last, into ranked[most], which may be null if `most` is 0, and returns their number. `rank` is
 * 1 for jobs that go behind all others: those at their share, or that have not started, if the
 * policy's order has shares or started_first; word[0] of a job that has started is then when it
 * did, counted from 1. Keys of PN_SCHEDULER_KEYS_TIMED are those of the last time at which a slot
 * of the kind was given. A policy that picks by itself may choose other jobs. 0 if the policy has
 * no key. O(jobs log most); not while the core works. */
uint32_t pn_scheduler_ranking(const pn_scheduler *scheduler, uint32_t kind, pn_ranked *ranked,
                              uint32_t most);

/* ---- built-in policies ----------------------------------------------------------------------- */

/* Return by name: fifo, fair, hsrtf-pu, hsrtf-pup, hsrtf-pr, hsrtf-prp, rtmr, rtmr-live, dc. */
const pn_scheduler_policy *pn_scheduler_fifo(void);
const pn_scheduler_policy *pn_scheduler_fair(void);
const pn_scheduler_policy *pn_scheduler_hsrtf_pu(void);
const pn_scheduler_policy *pn_scheduler_hsrtf_pup(void);
const pn_scheduler_policy *pn_scheduler_hsrtf_pr(void);
const pn_scheduler_policy *pn_scheduler_hsrtf_prp(void);
const pn_scheduler_policy *pn_scheduler_rtmr(void);
const pn_scheduler_policy *pn_scheduler_rtmr_live(void);
const pn_scheduler_policy *pn_scheduler_dc(void);

/* Return a built-in policy by its index or its name, see pn_model.h. */
const pn_scheduler_policy *pn_scheduler_policy_at(size_t index);
const pn_scheduler_policy *pn_scheduler_policy_find(const char *name);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* Hosts with policies of their own, and hosts that log inputs, need no further line. */
#include "pn_input.h"
#include "pn_scheduler_policy.h"

#endif
