/* The dispatch core of the dag model: events in, decisions out. Jobs are directed acyclic graphs of
 * stages, a stage is a number of equal tasks with a demand for several resources, nodes have a
 * capacity of each. The core says which task starts on which node, and which is killed. It has no
 * clock: a host with real machines tells it what happens to them, the dag model (pn_dag.h) what it
 * simulates.
 *
 * A host tells all that happened at an instant, event by event, and then asks once for decisions:
 * pn_dispatch_run. Tasks are not moved and not suspended; a task that is killed, fails, or is lost
 * with its node is pending again. The core accounts for resources, dependencies and attempts, and
 * refuses events that contradict them; a policy only decides who is first.
 *
 * Sources: Ghodsi et al., "Dominant Resource Fairness" (NSDI 2011); Zaharia et al., "Delay
 * Scheduling" (EuroSys 2010); Grandl et al., "Multi-Resource Packing for Cluster Schedulers"
 * (SIGCOMM 2014), called Tetris; Mao et al., "Learning Scheduling Algorithms for Data Processing
 * Clusters" (SIGCOMM 2019), called Decima, with the policies that it is measured against;
 * Pastorelli et al., "HFSP" (BigData 2013); the schedulers of YARN and Spark. The exact semantics
 * are the numbered rules cited here and in the code; docs/models/dag.md states them.
 *
 * Times are integer milliseconds <= PN_INTEGER_MAX, from whatever start the host likes.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 2240/2440, _submit 1156/1504, _run
 * 1716/2192, _validate 1944/2440, any other 2224/2312 (see docs/embedding.md).
 *
 * The loop of a host, where what begins with host_ is its own: it tells what has happened, asks for
 * decisions, and waits for the next message or tick. scripts/check/recipes.sh compiles and runs it.
 *
 *     static void serve(host *h, pn_dispatch *core, const pn_dispatch_hooks *hooks)
 *     {
 *         uint64_t tick = 0;
 *         while (host_expects_jobs(h) || pn_dispatch_jobs(core) > 0) {
 *             int ticks = pn_dispatch_wants_ticks(core);
 *             host_message m = host_wait(h, ticks ? tick : PN_DISPATCH_NEVER);
 *             uint64_t now = host_now(h);
 *             for (; m.what != HOST_NOTHING; m = host_poll(h)) // all that is there
 *                 if (m.what == HOST_JOB)
 *                     host_check(pn_dispatch_submit(core, hooks, now, &m.job, NULL));
 *                 else if (m.what == HOST_DONE)
 *                     host_check(pn_dispatch_finished(core, hooks, now, m.token));
 *                 else if (m.what == HOST_FAILED)
 *                     host_check(pn_dispatch_failed(core, hooks, now, m.token));
 *             if (ticks && now >= tick) {
 *                 host_check(pn_dispatch_tick(core, hooks, now));
 *                 tick = now + 15000;
 *             }
 *             host_check(pn_dispatch_run(core, hooks, now, UINT64_MAX));
 *         }
 *     }
 *
 * host_check ends the program for statuses < 0 but PN_ERR_STALE, a message that comes too late. */
#ifndef PN_DISPATCH_H
#define PN_DISPATCH_H

#include "pn_model.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one dispatch core: it lives at the start of the caller's block */
typedef struct pn_dispatch pn_dispatch;
typedef struct pn_dispatch_policy pn_dispatch_policy; /* see pn_dispatch_policy.h */
typedef struct pn_dispatch_input pn_dispatch_input;   /* see pn_input.h */

/* Vectors have an entry for each of at most so many resources; those behind config.resources are
 * 0. */
#define PN_DISPATCH_RESOURCES_MAX 4

/* Largest entry of a vector, and of the capacities of all nodes together. */
#define PN_DISPATCH_DEMAND_MOST   ((uint64_t)1 << 40)
#define PN_DISPATCH_CAPACITY_MOST ((uint64_t)1 << 50)
/* Largest estimate of a task, ms. An estimate that is misjudged, and a start time, may make it
 * larger than the 2^40 that a job may state. */
#define PN_DISPATCH_ESTIMATE_MOST PN_INTEGER_MAX
/* Stages and edges (stage, parent) of one job, tasks of one stage. */
#define PN_DISPATCH_STAGES_MOST ((uint32_t)1 << 16)
#define PN_DISPATCH_EDGES_MOST  ((uint32_t)1 << 20)
#define PN_DISPATCH_TASKS_MOST  ((uint32_t)1 << 20)
/* Largest weight of a job or a queue. */
#define PN_DISPATCH_WEIGHT_MOST 1000000
/* Largest priority of a job, and smallest with a minus. */
#define PN_DISPATCH_PRIORITY_MOST 1000000

/* A time that is not known or will never be reached. */
#define PN_DISPATCH_NEVER UINT64_MAX

/* ---- configuration --------------------------------------------------------------------------- */

/* So many nodes alike. Nodes are numbered from 0 in the order in which they are listed (DG1). */
typedef struct pn_dispatch_nodes {
    /* 0..PN_DISPATCH_DEMAND_MOST each; the most that it may ever have, see pn_dispatch_resize */
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];
    uint32_t count; /* >= 1 */
    /* permille of the nominal speed, 1..10^6; 0 = 1000. The core itself only tells it to
     * policies. */
    uint32_t speed;
} pn_dispatch_nodes;

/* A queue; queues are numbered from 0 in the order in which they are listed (DG2). */
typedef struct pn_dispatch_queue {
    uint32_t weight; /* 1..PN_DISPATCH_WEIGHT_MOST; 0 = 1 */
    /* permille of the cluster, 0..1000, in sum at most 1000 (DG17) */
    uint32_t guaranteed;
    uint32_t maximum; /* permille, guaranteed..1000; 0 = 1000 */
    uint32_t unused;  /* 0 */
} pn_dispatch_queue;

/* Where a task goes among the nodes with room (DG10). */
enum pn_dispatch_placement {
    PN_DISPATCH_FIRST = 0, /* the lowest number */
    PN_DISPATCH_BEST = 1,  /* the least leftover */
    PN_DISPATCH_SPREAD = 2 /* the largest leftover */
};

/* In which order the stages of a job are served (DG11). */
enum pn_dispatch_stages {
    PN_DISPATCH_DEPTH = 0, /* the longest path to the job's end first */
    PN_DISPATCH_INDEX = 1, /* the lowest index first */
    PN_DISPATCH_WORK = 2,  /* the most pending work first */
    PN_DISPATCH_READY = 3  /* the first that became ready first */
};

/* Whether nodes are executors, each of which runs one task at a time and belongs to a job
 * (DG35). */
enum pn_dispatch_executors {
    PN_DISPATCH_EXECUTORS_NONE = 0,  /* they are not */
    PN_DISPATCH_EXECUTORS_FREE = 1,  /* one moves to each job whose task it gets */
    PN_DISPATCH_EXECUTORS_STICKY = 2 /* one stays with its job while the job can use it */
};

/* Get it from pn_dispatch_defaults(), then set what differs.
 *
 * Placement, the order of stages, backfill and the limit of kills are here and not among a policy's
 * parameters: they hold for every policy, those in Lua included, which need not repeat them. */
typedef struct pn_dispatch_config {
    /* set by pn_dispatch_defaults: what this host knows of the struct */
    size_t struct_size;
    const pn_dispatch_nodes *nodes; /* read by _size, _init and _check only; no default */
    /* entries there, >= 1; at most 2^20 nodes together. Of each resource some node has capacity,
     * and all together at most PN_DISPATCH_CAPACITY_MOST. */
    uint32_t nodes_count;
    uint32_t resources; /* 1..PN_DISPATCH_RESOURCES_MAX; default 1 */
    /* Read as the nodes are. Null with queues_count 0 (default): one queue, guaranteed all. */
    const pn_dispatch_queue *queues;
    uint32_t queues_count; /* 0..4096 */
    uint32_t nodes_down;   /* 1 = a node has no room before its first node_up; default 0 */
    /* Jobs in the system, 1..2^26; no default. A policy with a virtual run holds a job until it has
     * ended in the virtual cluster, too: so many there. */
    uint32_t jobs_max;
    uint32_t stages_max; /* stages of these, 1..2^28; default 0 = 16 * jobs_max */
    uint32_t edges_max;  /* edges of these, 0..2^30; default 0 = 4 * stages_max */
    /* attempts that run, and tasks that wait to run again, together; 1..2^28; default 0 = 64 * the
     * number of nodes. A run that launches more returns PN_ERR_FULL. As many as the cluster can run
     * and those that it may kill or lose beside them are enough: where all places are those of
     * tasks that wait, and the first in the order is another one, only cancelling a job helps. */
    uint32_t attempts_max;
    /* Different pairs of queue and demand (without queues in the policy's order: different demands)
     * of the stages in the system, 1..2^28; default 0 = stages_max, at most 65536. Whether a demand
     * has room anywhere is asked once for all stages with it. */
    uint32_t classes_max;
    uint32_t replica; /* of the experiment; default 0 */
    /* of the policy's own random numbers; with the replica it names their stream */
    uint64_t seed;

    /* Rules. */
    uint32_t placement; /* enum pn_dispatch_placement; default PN_DISPATCH_FIRST */
    uint32_t order;     /* enum pn_dispatch_stages; default PN_DISPATCH_DEPTH */
    /* 0: a run ends at the first stage without room; 1 (default): it goes on behind it (DG9) */
    uint32_t backfill;
    /* k > 0: a task whose attempt number is >= k is not killed; 0: no limit; default 3;
     * 0..10^6 (DG13) */
    uint32_t max_kills;
    /* the block has memory for this policy only; null (default) = for any built-in one. Not
     * kept. */
    const pn_dispatch_policy *policy;
    /* of each job, 0..PN_ATTRIBUTES_MAX; default 0: none, at no cost */
    uint64_t attributes;
    /* the last so many nodes have no capacity before they are resized (DG31); at most all;
     * default 0 */
    uint32_t nodes_absent;
    /* most tasks of a job that may run at a time; default 0: no limit; 0..2^32 - 1 (DG33) */
    uint64_t running_most;
    /* enum pn_dispatch_executors; default PN_DISPATCH_EXECUTORS_NONE. With executors every node has
     * what every task needs, and no two tasks fit on one. Sticky ones go by the keys of jobs only:
     * not with policies that order queues, pack or preempt. */
    uint64_t executors;
} pn_dispatch_config;

/* Fill in the defaults, check a configuration, list its settings, and return the table of these
 * functions: see pn_model.h. */
void pn_dispatch_defaults_into(pn_dispatch_config *config, size_t size);
static inline pn_dispatch_config pn_dispatch_defaults(void)
{
    pn_dispatch_config config;
    pn_dispatch_defaults_into(&config, sizeof config);
    return config;
}
const char *pn_dispatch_check(const pn_dispatch_config *config);
const pn_setting *pn_dispatch_setting_at(size_t index);
const pn_model *pn_dispatch_model(void);

/* ---- jobs and tasks -------------------------------------------------------------------------- */

typedef struct pn_dispatch_stage {
    /* what each of its tasks holds while it runs; not all 0, and some node has the capacity */
    uint64_t demand[PN_DISPATCH_RESOURCES_MAX];
    /* what policies take a task to last, ms, 1..PN_DISPATCH_ESTIMATE_MOST (e of DG6) */
    uint64_t estimate;
    uint32_t tasks; /* 1..PN_DISPATCH_TASKS_MOST */
    /* The stages that must be finished before this one is ready: job.parents[first_parent] and so
     * many behind it, different ones, without a cycle. They may point forward (DG7). */
    uint32_t first_parent, parent_count;
    uint32_t unused; /* 0 */
} pn_dispatch_stage;

typedef struct pn_dispatch_job {
    size_t struct_size;              /* sizeof the struct, or 0: see pn_base.h */
    const pn_dispatch_stage *stages; /* read during the call only, as all lists */
    const uint32_t *parents;         /* of all stages; null when none has any */
    uint32_t stage_count;            /* 1..PN_DISPATCH_STAGES_MOST */
    uint32_t parents_count;          /* entries of parents, 0..PN_DISPATCH_EDGES_MOST */
    uint32_t weight;                 /* 1..PN_DISPATCH_WEIGHT_MOST; 0 = 1 */
    uint32_t queue;                  /* < queues_count, or 0 */
    uint64_t deadline;               /* ms after the submission; 0 = none. Policies see it. */
    uint64_t tag;                    /* the host's own word, handed back with each of its tasks */
    uint32_t group;                  /* the host's own, too; policies see it */
    uint32_t unused;                 /* 0 */
    /* config.attributes of them, finite; null = zeros */
    const double *attributes;
    /* -PN_DISPATCH_PRIORITY_MOST..PN_DISPATCH_PRIORITY_MOST, 0 = normal. Jobs of a higher one come
     * first, in their queue where the policy orders queues, whatever else it goes by; tetris, which
     * orders none, ignores it (DG32). */
    int32_t priority;
} pn_dispatch_job;

/* An attempt to run a task. */
typedef struct pn_dispatch_task {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t id;        /* of the job: 1, 2, … in order of submission */
    uint64_t tag;       /* of the job */
    uint64_t start;     /* ms: when it was launched */
    /* names this attempt and, for as long as the block lives, no other one; never 0 */
    uint64_t token;
    uint32_t stage;   /* index in the job, from 0 */
    uint32_t task;    /* index in the stage, from 0 */
    uint32_t attempt; /* 0, 1, …: how often the task was killed, failed or lost before */
    uint32_t node;
    /* its place among the attempts, 0..attempts_max-1, its own until it ends and another one's
     * after that: a host's index */
    uint32_t place;
    uint32_t unused;
} pn_dispatch_task;

enum pn_dispatch_state {
    PN_DISPATCH_UNFINISHED = 0,
    PN_DISPATCH_FINISHED = 1,
    PN_DISPATCH_CANCELLED = 2
};

/* When things happened to a stage, ms; PN_DISPATCH_NEVER where they have not (DG26). */
typedef struct pn_dispatch_times {
    uint64_t ready;  /* its last parent finished, or the job arrived */
    uint64_t start;  /* first launch of a task, ever */
    uint64_t finish; /* last task done */
} pn_dispatch_times;

/* What became of a job (DG26). */
typedef struct pn_dispatch_record {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t id, tag;
    uint64_t arrival;     /* when it was submitted */
    uint64_t first_start; /* first launch of a task, ever; PN_DISPATCH_NEVER before */
    /* when its last stage finished; of a cancelled job when that was; or NEVER */
    uint64_t finish;
    uint64_t deadline; /* as submitted */
    uint64_t kills;    /* of its tasks by the policy */
    uint64_t lost;     /* attempts that were lost with their node, or failed */
    uint32_t weight, queue, group;
    uint32_t state; /* enum pn_dispatch_state */
    uint32_t stage_count;
    uint32_t unused;
    /* Of its stages, by index, and config.attributes numbers, null where there are none: for the
     * length of the call of on_finish, of a query until the next call. */
    const pn_dispatch_times *stages;
    const double *attributes;
} pn_dispatch_record;

/* What happened, as the decision log has it. The values are pinned: the digest folds them. */
enum pn_dispatch_event_kind {
    PN_DISPATCH_ARRIVE = 1, /* a job was submitted */
    PN_DISPATCH_LAUNCH = 2, /* an attempt starts */
    PN_DISPATCH_END = 3,    /* an attempt ended well: the task is done */
    /* an attempt was killed by the policy; the task is pending again, as after FAIL and LOSE */
    PN_DISPATCH_KILL = 4,
    PN_DISPATCH_FAIL = 5, /* an attempt failed by itself */
    PN_DISPATCH_LOSE = 6, /* an attempt was lost with its node */
    PN_DISPATCH_DROP = 7, /* an attempt was ended as its job was cancelled */
    PN_DISPATCH_NODE_DOWN = 8,
    PN_DISPATCH_NODE_UP = 9,
    PN_DISPATCH_JOB_FINISH = 10,
    PN_DISPATCH_JOB_CANCEL = 11,
    PN_DISPATCH_NODE_RESIZE = 12, /* a node has another capacity now (DG31) */
    PN_DISPATCH_MOVE = 13         /* an executor belongs to this job from now on (DG35) */
};

typedef struct pn_dispatch_event {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t time;
    uint64_t id; /* of the job; 0 for a node's */
    uint64_t tag;
    uint32_t event; /* enum pn_dispatch_event_kind */
    uint32_t stage; /* from 0; of a node's and a job's 0 */
    uint32_t task;
    uint32_t node; /* of a job's 0, unless the job gets an executor */
    uint32_t attempt;
    uint32_t place; /* of an attempt, or of a job; else 0; not folded into the digest */
    /* of NODE_RESIZE, else zeros: what the node has from now on; config.resources of them are
     * folded with it */
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];
} pn_dispatch_event;

/* Functions that a host passes to each call, see pn_model.h. Hooks may query the core. */
typedef struct pn_dispatch_hooks {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* required; the first event binds it, later ones bring the same, see pn_param */
    const pn_dispatch_policy *policy;
    /* policy->param_count values in the policy's order; null = its defaults */
    const double *params;
    /* Start this attempt; it holds its demand from now on. */
    void (*launch)(void *user, const pn_dispatch_task *task);
    /* End this attempt at once; what it held is free, its place no longer its own. Also for tasks
     * that are dropped with their job; not for those that are lost with their node. */
    void (*kill)(void *user, const pn_dispatch_task *task);
    /* Once a job, when it is finished or cancelled; its place is free again. */
    void (*on_finish)(void *user, const pn_dispatch_record *job);
    /* Everything that happened, in order: the decision log. */
    void (*on_event)(void *user, const pn_dispatch_event *event);
    void *user;        /* handed to these hooks */
    void *policy_user; /* what the policy's functions get from pn_dispatch_user */
    /* Every event that the core accepts, before it decides anything: the input log. */
    void (*on_input)(void *user, const pn_dispatch_input *input);
} pn_dispatch_hooks;

/* ---- life ------------------------------------------------------------------------------------ */

/* Return the size of a block, lay one out, and open a copy: see pn_model.h. */
size_t pn_dispatch_size(const pn_dispatch_config *config);
int pn_dispatch_init(pn_dispatch **core, void *block, size_t size,
                     const pn_dispatch_config *config);
size_t pn_dispatch_block_size(const pn_dispatch *core);
int pn_dispatch_open(pn_dispatch **core, void *block, size_t size);

/* Validates a block from outside, see pn_model.h. O(size). */
int pn_dispatch_validate(const void *block, size_t size);

/* Returns 1 if the block was made for this configuration, see pn_model.h. O(policies). */
int pn_dispatch_configured(const pn_dispatch *core, const pn_dispatch_config *config);

/* ---- events ---------------------------------------------------------------------------------- */

/* The core handles an event completely before the call returns; the hooks receive its decisions.
 * `now` never decreases (PN_ERR_ORDER): if several threads report events, read the clock under the
 * lock that guards the block.
 *
 * All events return PN_OK, PN_ERR_ARGUMENT (null, or no such node or queue), PN_ERR_BUSY,
 * PN_ERR_OVERFLOW (a time above PN_INTEGER_MAX, or a job after 2^35), PN_ERR_POLICY, or what the
 * policy returned: then the policy has given up, this event has happened, and every later one
 * returns the same status, except that tokens and jobs that are not there are PN_ERR_STALE first; a
 * job was not submitted if it was init that gave up. Any other refused event changes nothing.
 * Report the events of one instant in this order: nodes that are up again, nodes that are down,
 * attempts that ended, jobs, a tick (DG3).
 *
 * PN_ERR_POLICY: there is no policy; its table or its parameters are out of range; it differs from
 * the policy of the first event, or its parameters do; or the block has no memory for it, as
 * config.policy named another one. */

/* Returns what any event with these hooks would be refused with: PN_ERR_ARGUMENT, PN_ERR_BUSY,
 * PN_ERR_POLICY, or the status with which the policy gave up; else PN_OK. O(parameters). */
int pn_dispatch_ready(const pn_dispatch *core, const pn_dispatch_hooks *hooks);

/* Submits a job; *id (may be null) receives its number. PN_ERR_JOB: a number out of its range;
 * parents that are unknown, the stage itself, repeated, or form a cycle; a demand that is all 0 or
 * fits on no node (with executors DG35 asks for more); or 2^62 ppb ms of estimated work or more (P
 * of DG8); see pn_dispatch_fault. PN_ERR_FULL: jobs, stages, edges or classes; try again when a job
 * has left, unless the job alone has more than the configuration allows. Also PN_ERR_FULL, if the
 * policy has a virtual run: jobs that have not ended in the virtual cluster, however few are in the
 * real one (DG24); there only time makes room. The policy decides which classes a job has: a job
 * that is refused for these has bound it. O(edges + stages * log of all stages in the system). */
int pn_dispatch_submit(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                       const pn_dispatch_job *job, uint64_t *id);

/* Returns why pn_dispatch_submit would refuse a job with PN_ERR_JOB, as a constant text with the
 * name of the field; null if it would not. *stage receives the stage, or UINT32_MAX if the fault is
 * not about one. */
const char *pn_dispatch_fault(pn_dispatch *core, const pn_dispatch_job *job, uint32_t *stage);

/* Report that a node has recovered, with all its capacity free; or that it has failed, with its
 * running attempts (DG12). Nothing changes if the node is already up, or already down. Up takes
 * O(log nodes). Down takes O(r log r) for r attempts there, which are lost in the order of
 * pn_dispatch_next_on_node, and the cost of keys for each (see pn_dispatch_failed). */
int pn_dispatch_node_up(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                        uint32_t node);
int pn_dispatch_node_down(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                          uint32_t node);

/* Sets the capacity of a node, config.resources entries, each at most the configured one, with
 * executors all as configured or all 0 (PN_ERR_ARGUMENT), whether it is up or down; nothing happens
 * if it has it already. Running attempts run until they end, even if they hold more than there is;
 * a task that needs a resource is launched there only when there is enough of it (DG31). With zeros
 * the node is out of use when the last of them has ended; pn_dispatch_node_down instead loses them.
 * Shares, guarantees and maxima stay relative to the configured capacity (Cap of DG2).
 * O(log nodes). */
int pn_dispatch_resize(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                       uint32_t node, const uint64_t *capacity);

/* Report of the attempt with this token that it is done, or that it failed: then its task is
 * pending again, as if the attempt were lost. The host decides how many failures are too many, and
 * cancels the job. PN_ERR_STALE, and nothing changes, if no such attempt runs: it was killed,
 * dropped with its job or lost with its node before the message arrived, or was already reported. A
 * host on a real network ignores this error. O(log jobs + log nodes). If the policy's keys change
 * with it, also O(log jobs) for each bundle: what the job offers of one demand. The end of a stage
 * takes O(log) for each edge from it, that of a job for each of its stages. Where the policy orders
 * queues, demands without room are looked at as by a launch (pn_dispatch_run). */
int pn_dispatch_finished(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                         uint64_t token);
int pn_dispatch_failed(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                       uint64_t token);

/* Cancels a job: its running attempts are dropped, in order of place. PN_ERR_STALE if it is not in
 * the system. O(jobs + all attempts), O(log) for each of its stages and attempts, and the cost
 * of keys for each attempt (see pn_dispatch_failed). */
int pn_dispatch_cancel(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                       uint64_t id);

/* Reports that time has passed: policies that preempt do so (DG18). PN_ERR_FULL if attempts_max is
 * reached: what was killed and launched before stays so, and the next tick continues from there.
 * `capacity` tries to make room for queues below their guarantee until none is left for which it
 * can; each try takes O(queues * log + nodes + attempts there), and each attempt that it kills and
 * launches what pn_dispatch_failed and pn_dispatch_run take. */
int pn_dispatch_tick(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now);

/* Launches what fits, at most `most` attempts, when all events of this instant have been reported
 * (DG9). Returns PN_OK if no more fits; PN_PAUSED if `most` were launched and more may fit;
 * PN_ERR_FULL if attempts_max is reached: what was launched before stays so, and the next call
 * continues from there. Each launch takes O(log jobs + log demands); O(log jobs) for each bundle
 * (what the job offers of one demand) if the policy's keys change with it; and the placement: first
 * takes O(log nodes) with one resource and mostly so with several, best and spread O(different
 * vectors of free resources), a policy's score O(nodes with room). A demand without room is looked
 * at once, and its stages cost nothing until a node or its queue has more: then each launch looks
 * at the demands before it that need no more of the first resource than there is, and where these
 * are many, the first launch at all of them. A policy that packs, as tetris, takes O(demands with
 * room on any node, each with a log) for each launch and each node that it looks at, in place of
 * the placement. With sticky executors a run takes O(log nodes) for each that is idle, and O(jobs)
 * keys for each that may move. */
int pn_dispatch_run(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now, uint64_t most);

/* ---- queries --------------------------------------------------------------------------------- */

/* Returns 1 if a tick may do anything: the policy preempts, and an event came after the last tick
 * (DG3). O(1). */
int pn_dispatch_wants_ticks(const pn_dispatch *core);

/* Return the jobs in the system, the nodes and the queues. O(1). */
uint32_t pn_dispatch_jobs(const pn_dispatch *core);
uint32_t pn_dispatch_node_count(const pn_dispatch *core);
uint32_t pn_dispatch_queue_count(const pn_dispatch *core);
/* Returns a number above every place of an attempt. O(1). */
uint32_t pn_dispatch_places_max(const pn_dispatch *core);
/* Returns the number of running attempts. O(1). */
uint32_t pn_dispatch_running_tasks(const pn_dispatch *core);
/* Returns 1 if the node is up. O(1). */
int pn_dispatch_is_up(const pn_dispatch *core, uint32_t node);
/* Return what is free of a resource on a node, 0 while it is down; and the configured capacity of
 * all nodes (Cap of DG2). O(1). */
uint64_t pn_dispatch_free(const pn_dispatch *core, uint32_t node, uint32_t resource);
uint64_t pn_dispatch_capacity(const pn_dispatch *core, uint32_t resource);
/* Write the attempt at this place. Return PN_OK, or PN_ERR_ARGUMENT if no attempt runs there.
 * O(1). */
int pn_dispatch_task_into(const pn_dispatch *core, uint32_t place, pn_dispatch_task *to,
                          size_t size);
static inline int pn_dispatch_task_get(const pn_dispatch *core, uint32_t place,
                                       pn_dispatch_task *to)
{
    return pn_dispatch_task_into(core, place, to, sizeof *to);
}

/* Write the records of the jobs in the system, one per call, in order of submission: start with
 * *place = PN_NO_JOB and call until PN_DONE. They have no times of stages (null). PN_ERR_ARGUMENT
 * if the job at the place has left since. O(1) per job. */
int pn_dispatch_next_record_into(const pn_dispatch *core, uint32_t *place, pn_dispatch_record *to,
                                 size_t size);
static inline int pn_dispatch_next_record(const pn_dispatch *core, uint32_t *place,
                                          pn_dispatch_record *to)
{
    return pn_dispatch_next_record_into(core, place, to, sizeof *to);
}
/* Writes the times of all stages of the job at this place, by index; `times` has room for all of
 * them. PN_ERR_ARGUMENT if no job is there. O(stages). */
int pn_dispatch_times_get(const pn_dispatch *core, uint32_t place, pn_dispatch_times *times);
/* Returns the number of stages of the job at this place, 0 if no job is there; writes what a task
 * of each of the first `most` stages holds. O(stages). */
uint32_t pn_dispatch_demands_get(const pn_dispatch *core, uint32_t place,
                                 uint64_t (*demands)[PN_DISPATCH_RESOURCES_MAX], uint32_t most);

typedef struct pn_dispatch_totals {
    size_t struct_size;                      /* bytes that the library knows of it: PN_HAS */
    uint64_t time;                           /* of the last event */
    uint64_t submitted, finished, cancelled; /* jobs */
    uint64_t first_arrival;                  /* of any job; PN_DISPATCH_NEVER before */
    uint64_t last_finish;                    /* of a finished job; 0 before */
    /* time of the last event of enum pn_dispatch_event_kind; 0 before */
    uint64_t last_logged;
    /* attempts; failures: that failed by themselves; lost: with their node */
    uint64_t launches, ends, kills, failures, lost;
    /* Demand times ms, of attempts that ended, however they did, and of those that did not end
     * well. */
    pn_wide used[PN_DISPATCH_RESOURCES_MAX], wasted[PN_DISPATCH_RESOURCES_MAX];
    pn_wide total_jct;                     /* finish - arrival, of the finished jobs, ms */
    uint32_t in_system, in_system_max;     /* jobs */
    uint32_t stages_held, stages_held_max; /* of these */
    uint32_t edges_held, edges_held_max;
    uint32_t attempts_held, attempts_held_max; /* as attempts_max counts them */
    uint32_t classes_held, classes_held_max;
    /* jobs in the virtual cluster (DG24), as of the last submission */
    uint32_t virtual_held, virtual_held_max;
    uint32_t running, nodes_up;
    /* as configured, or by default */
    uint32_t stages_max, edges_max, attempts_max, classes_max;
    uint64_t saturated_ms; /* ms up to last_logged in which a pair was offered (DG34) */
} pn_dispatch_totals;
/* Write the totals, see pn_model.h. */
void pn_dispatch_totals_into(const pn_dispatch *core, pn_dispatch_totals *to, size_t size);
static inline void pn_dispatch_totals_get(const pn_dispatch *core, pn_dispatch_totals *to)
{
    pn_dispatch_totals_into(core, to, sizeof *to);
}

/* What is in use from the last event on: the values of a timeline, see pn_timeline.h. */
typedef struct pn_dispatch_levels {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t time;      /* of the last event, ms */
    uint64_t jobs;      /* in the system */
    uint64_t queue;     /* of these, jobs of which no task runs */
    uint64_t tasks;     /* running */
    /* what they hold of each resource */
    uint64_t in_use[PN_DISPATCH_RESOURCES_MAX];
} pn_dispatch_levels;

/* Write the levels. O(resources). */
void pn_dispatch_levels_into(const pn_dispatch *core, pn_dispatch_levels *to, size_t size);
static inline void pn_dispatch_levels_get(const pn_dispatch *core, pn_dispatch_levels *to)
{
    pn_dispatch_levels_into(core, to, sizeof *to);
}

/* The jobs of a queue (DG27). */
typedef struct pn_dispatch_queue_totals {
    size_t struct_size;      /* bytes that the library knows of it: PN_HAS */
    uint64_t jobs, finished; /* submitted, finished */
    pn_wide total_jct;
    pn_wide used[PN_DISPATCH_RESOURCES_MAX];
} pn_dispatch_queue_totals;
/* Write the totals of a queue. PN_ERR_ARGUMENT if there is no such queue. */
int pn_dispatch_queue_into(const pn_dispatch *core, uint32_t queue, pn_dispatch_queue_totals *to,
                           size_t size);
static inline int pn_dispatch_queue_get(const pn_dispatch *core, uint32_t queue,
                                        pn_dispatch_queue_totals *to)
{
    return pn_dispatch_queue_into(core, queue, to, sizeof *to);
}

/* Returns the digest, which folds each time with an event of enum pn_dispatch_event_kind: h =
 * mix(h, time, D), where D is the sum over these of mix(time, event, id, stage, task, node,
 * attempt). 0 before the first event. */
uint64_t pn_dispatch_digest(const pn_dispatch *core);

/* Returns the name of the bound policy; "" before the first event. */
const char *pn_dispatch_policy_name(const pn_dispatch *core);

/* Ranks the jobs with a task that could start now, whether it fits or not. Writes the first `most`
 * of them, first to last, into ranked[most], which may be null if `most` is 0, and returns their
 * number. If the policy orders queues, the key is that of the job's queue, whose number is in
 * `queue`, and `rank` is 1 if nothing of this queue fits now: then it has no key. Keys of
 * PN_DISPATCH_KEYS_GROWING are those of their last computation, at most what they would be now. 0
 * if the policy packs node by node. O(jobs log most); not while the core works. */
uint32_t pn_dispatch_ranking(const pn_dispatch *core, pn_ranked *ranked, uint32_t most);

/* ---- built-in policies ----------------------------------------------------------------------- */

/* Return by name: fifo, fair, drf, capacity, sjf-cp, cp, srpt, wfair, tetris, hfsp, las.
 * DG14-DG25. */
const pn_dispatch_policy *pn_dispatch_fifo(void);
const pn_dispatch_policy *pn_dispatch_fair(void);
const pn_dispatch_policy *pn_dispatch_drf(void);
const pn_dispatch_policy *pn_dispatch_capacity_queues(void);
const pn_dispatch_policy *pn_dispatch_sjf_cp(void);
const pn_dispatch_policy *pn_dispatch_cp(void);
const pn_dispatch_policy *pn_dispatch_srpt(void);
const pn_dispatch_policy *pn_dispatch_wfair(void);
const pn_dispatch_policy *pn_dispatch_tetris(void);
const pn_dispatch_policy *pn_dispatch_hfsp(void);
const pn_dispatch_policy *pn_dispatch_las(void);

/* Return a built-in policy by its index or its name, see pn_model.h. */
const pn_dispatch_policy *pn_dispatch_policy_at(size_t index);
const pn_dispatch_policy *pn_dispatch_policy_find(const char *name);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* Hosts with policies of their own, and hosts that log inputs, need no further line. */
#include "pn_input.h"
#include "pn_dispatch_policy.h"

#endif
