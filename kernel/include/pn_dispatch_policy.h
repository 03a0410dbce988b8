/* Policies of the dispatch core, and so of the dag model, for their authors: the table of a
 * policy, its descriptor, hooks and memory, and the functions by which it reads jobs, stages,
 * nodes and queues, and acts. Hosts that use the built-in policies need pn_dispatch.h alone.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 1356/1680 (see docs/embedding.md). */
#ifndef PN_DISPATCH_POLICY_H
#define PN_DISPATCH_POLICY_H

#include "pn_dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* What a policy sees of the simulation, valid during the call only. */
typedef struct pn_dispatch_view pn_dispatch_view;

/* A policy is a constant table. In its simplest form it orders jobs by a key: the first job with a
 * ready stage that has a pending task and room on some node gets the next task (DG9). It may order
 * queues instead, with their jobs in order of submission; it may choose the node; it may fill one
 * node after the other (DG23); and it may kill on ticks (DG18). */

/* When the key of a job is computed: when it arrives, and while it has ready stages with pending
 * tasks. Of one that had none, it is computed when it has again, unless keys are fixed. Whenever a
 * sticky executor moves, the keys of all jobs that can use it are computed, unless they are fixed
 * (DG35). */
enum pn_dispatch_keys {
    PN_DISPATCH_KEYS_FIXED = 0,  /* never */
    PN_DISPATCH_KEYS_STAGES = 1, /* when a stage of the job finishes */
    /* when its pending tasks change: a launch, and an attempt that is killed, fails or is lost */
    PN_DISPATCH_KEYS_SERVED = 2,
    /* when its running tasks change: a launch, and any end of an attempt */
    PN_DISPATCH_KEYS_USED = 3,
    /* as KEYS_USED, and in every run, while tasks of the job run. O(jobs with running tasks) */
    PN_DISPATCH_KEYS_TIMED = 4,
    /* as KEYS_USED, where the key of a job with running tasks grows with time, or stays as it is:
     * it is computed again when the job is first. O(1) of them in most runs */
    PN_DISPATCH_KEYS_GROWING = 5
};

/* What the core does for a policy. Fields without an enum are 0 or 1, and the comment says what 1
 * means; all 0: jobs are ordered by the keys that they got on arrival. A table whose fields are out
 * of range, or do not go together, is refused with PN_ERR_POLICY. A policy whose parameters decide
 * about them sets them in its init (pn_dispatch_set_order). */
typedef struct pn_dispatch_order {
    uint8_t keys; /* enum pn_dispatch_keys */
    /* Queues are ordered by queue_key, which is computed when a task of the queue is launched or
     * ends, then by number; jobs of a queue by priority, then by id. Needs queue_key; keys is 0. */
    uint8_t by_queue;
    uint8_t limits; /* Queues keep to their maximum (DG17). Needs by_queue. */
    /* Nodes are filled one after the other, each with the pairs that suit it best (DG23): align and
     * pn_dispatch_exchange say how. The key's word[1] is the job's p, above 0, and word[0] is 0;
     * keys is 0, 1, 2 or 3. Not with by_queue or score. */
    uint8_t packs;
    /* The core runs a virtual cluster beside the real one: pn_dispatch_virtual_tag (DG24). */
    uint8_t virtual_run;
    uint8_t preempts;  /* preempt is called on ticks; it is needed */
    uint8_t unused[2]; /* 0 */
} pn_dispatch_order;

/* Returns the order of the bound policy, as its init may have set it; null before the first
 * event. */
const pn_dispatch_order *pn_dispatch_order_of(const pn_dispatch *core);

struct pn_dispatch_policy {
    size_t struct_size;  /* sizeof the struct, or 0: see pn_base.h */
    const char *name;    /* at most 31 bytes */
    const char *summary; /* one line */
    const char *source;  /* paper section or rule */
    pn_dispatch_order order;
    uint8_t param_count; /* 0..PN_PARAMS_MAX */
    pn_param params[PN_PARAMS_MAX];
    /* The policy's own memory in the block, zero at first: so many bytes, and so many more for each
     * place of jobs_max. */
    size_t state_bytes, state_bytes_per_job;

    /* Order of a job, smaller first; ties by id. Null: by id, the order of submission. */
    void (*key)(const pn_dispatch_view *view, uint32_t job, pn_key *key);
    /* Order of a queue, smaller first; ties by number. Arrives as {0, 0}. */
    void (*queue_key)(const pn_dispatch_view *view, uint32_t queue, pn_key *key);
    /* Once when it is bound, before anything else. */
    int (*init)(pn_dispatch_view *view);
    /* A job was submitted, before its key is computed; or left (finished, cancelled), after its
     * last event. */
    int (*arrive)(pn_dispatch_view *view, uint32_t job);
    void (*leave)(pn_dispatch_view *view, uint32_t job);
    /* Where a task of the stage goes, in place of config.placement: the node with room and the
     * smallest score, ties by number. O(nodes with room) a launch. */
    uint64_t (*score)(const pn_dispatch_view *view, uint32_t stage, uint32_t node);
    /* With packs: how well the demand of the stage suits the node as it is, larger is better; it
     * depends on the demand and the node only. At most 2^42. */
    uint64_t (*align)(const pn_dispatch_view *view, uint32_t stage, uint32_t node);
    /* On ticks, with order.preempts: kills and launches (DG18). */
    int (*preempt)(pn_dispatch_view *view);
    /* What its keys are, for people; null: it does not say. Of a library's policies to be read
     * behind PN_HAS. */
    const pn_key_part *keys;
};

/* During a policy's call a job and a stage are their places in the tables; PN_NO_JOB and
 * PN_DISPATCH_NO_STAGE are none. A place depends on the history of the table, so decisions must not
 * depend on places: use pn_dispatch_id and pn_dispatch_stage_index. Calls take O(1) unless their
 * comment says otherwise. */
#define PN_DISPATCH_NO_STAGE UINT32_MAX

uint64_t pn_dispatch_now(const pn_dispatch_view *view);
/* of policy->params */
double pn_dispatch_param_value(const pn_dispatch_view *view, uint32_t index);
/* the policy's own bytes, aligned to 8 */
void *pn_dispatch_state(const pn_dispatch_view *view);
/* the policy's random numbers, in the block */
pn_stream *pn_dispatch_stream(const pn_dispatch_view *view);
const pn_dispatch_policy *pn_dispatch_policy_of(const pn_dispatch_view *view);
/* hooks->policy_user; in a simulation pn_dag_hooks.user */
void *pn_dispatch_user(const pn_dispatch_view *view);
uint32_t pn_dispatch_jobs_max(const pn_dispatch_view *view); /* places are 0..jobs_max-1 */
uint32_t pn_dispatch_active(const pn_dispatch_view *view);   /* number of jobs in the system */
/* Sets in init another order from now on, and with packs what an alignment is exchanged for: the
 * pair with the largest 1000 * a - permille * (mean of a * p / mean of p) is launched; 0..10^6,
 * default 1000. PN_ERR_ARGUMENT, and nothing changes, outside of init, or where a field is out of
 * range, the fields do not go together, or the block has no memory for a virtual run. */
int pn_dispatch_set_order(pn_dispatch_view *view, const pn_dispatch_order *order);
int pn_dispatch_exchange(pn_dispatch_view *view, uint32_t permille);
/* Returns the order as it is now. */
pn_dispatch_order pn_dispatch_order_get(const pn_dispatch_view *view);

/* Return what the cluster has: resources; capacity of all nodes as configured, and the largest of
 * one node (Cap, M of DG2). */
uint32_t pn_dispatch_resources(const pn_dispatch_view *view);
uint64_t pn_dispatch_total(const pn_dispatch_view *view, uint32_t resource);
uint64_t pn_dispatch_largest(const pn_dispatch_view *view, uint32_t resource);
/* Return of a node < pn_dispatch_nodes_all its capacity now, up or down; what is free, 0 while it
 * is down; what its attempts hold, above its capacity while it drains; whether it is up; its speed,
 * permille. */
uint32_t pn_dispatch_nodes_all(const pn_dispatch_view *view);
uint64_t pn_dispatch_node_capacity(const pn_dispatch_view *view, uint32_t node, uint32_t resource);
uint64_t pn_dispatch_node_free(const pn_dispatch_view *view, uint32_t node, uint32_t resource);
uint64_t pn_dispatch_node_used(const pn_dispatch_view *view, uint32_t node, uint32_t resource);
int pn_dispatch_node_is_up(const pn_dispatch_view *view, uint32_t node);
uint32_t pn_dispatch_node_speed(const pn_dispatch_view *view, uint32_t node);

/* Return of a queue < pn_dispatch_queues_all what is configured; its running tasks, and their
 * demands. */
uint32_t pn_dispatch_queues_all(const pn_dispatch_view *view);
uint32_t pn_dispatch_queue_weight(const pn_dispatch_view *view, uint32_t queue);
uint32_t pn_dispatch_queue_guaranteed(const pn_dispatch_view *view, uint32_t queue);
uint32_t pn_dispatch_queue_maximum(const pn_dispatch_view *view, uint32_t queue);
uint32_t pn_dispatch_queue_running(const pn_dispatch_view *view, uint32_t queue);
uint64_t pn_dispatch_queue_use(const pn_dispatch_view *view, uint32_t queue, uint32_t resource);

/* Returns the job that was submitted next after `after`, or the first one if that is PN_NO_JOB;
 * PN_NO_JOB after the last. */
uint32_t pn_dispatch_next(const pn_dispatch_view *view, uint32_t after);
uint64_t pn_dispatch_id(const pn_dispatch_view *view, uint32_t job);
uint64_t pn_dispatch_arrival_of(const pn_dispatch_view *view, uint32_t job);  /* ms */
uint64_t pn_dispatch_deadline_of(const pn_dispatch_view *view, uint32_t job); /* after; 0 = none */
int32_t pn_dispatch_priority_of(const pn_dispatch_view *view, uint32_t job);
uint32_t pn_dispatch_weight_of(const pn_dispatch_view *view, uint32_t job);
uint32_t pn_dispatch_queue_of(const pn_dispatch_view *view, uint32_t job);
uint32_t pn_dispatch_group_of(const pn_dispatch_view *view, uint32_t job);
uint32_t pn_dispatch_attribute_count(const pn_dispatch_view *view); /* config.attributes */
/* index < pn_dispatch_attribute_count */
double pn_dispatch_attribute_of(const pn_dispatch_view *view, uint32_t job, uint32_t index);
uint32_t pn_dispatch_stage_count(const pn_dispatch_view *view, uint32_t job);
uint32_t pn_dispatch_stages_left(const pn_dispatch_view *view, uint32_t job); /* not finished */
/* running tasks, and their demands */
uint32_t pn_dispatch_running(const pn_dispatch_view *view, uint32_t job);
uint64_t pn_dispatch_use(const pn_dispatch_view *view, uint32_t job, uint32_t resource);
/* executors that belong to the job (DG35); 0 where nodes are none */
uint32_t pn_dispatch_executors_of(const pn_dispatch_view *view, uint32_t job);
/* what fair sharing counts: its running tasks, with sticky executors those that it has (DG15) */
uint32_t pn_dispatch_holds(const pn_dispatch_view *view, uint32_t job);
/* the number of jobs that can use another sticky executor (DG35); 0 where executors are not sticky.
 * O(1) for keys that are computed as one moves, else O(jobs). */
uint32_t pn_dispatch_wanting(const pn_dispatch_view *view);
/* Estimates (DG8), ppb ms: all of its work by the dominant resource (W); what is pending of it
 * (left_W), and summed over resources (left_P). */
uint64_t pn_dispatch_work(const pn_dispatch_view *view, uint32_t job);
uint64_t pn_dispatch_left(const pn_dispatch_view *view, uint32_t job);
uint64_t pn_dispatch_left_area(const pn_dispatch_view *view, uint32_t job);
/* Returns the longest path of estimates from a stage that is not finished to the end of the job,
 * ms; 0 if all stages are finished. */
uint64_t pn_dispatch_path(const pn_dispatch_view *view, uint32_t job);
/* Returns the attained service, ppb ms (DG25). */
pn_wide pn_dispatch_service(const pn_dispatch_view *view, uint32_t job);
/* Returns when the job ends in the virtual cluster, in ppb ms of a job of weight 1 (F of DG24); 0
 * if virtual_run is 0. */
pn_wide pn_dispatch_virtual_tag(const pn_dispatch_view *view, uint32_t job);

/* Returns the stage of the job with the next index after `after`, or the first one if that is
 * PN_DISPATCH_NO_STAGE; PN_DISPATCH_NO_STAGE after the last. */
uint32_t pn_dispatch_next_stage(const pn_dispatch_view *view, uint32_t job, uint32_t after);
uint32_t pn_dispatch_stage_index(const pn_dispatch_view *view, uint32_t stage); /* in its job */
uint32_t pn_dispatch_stage_job(const pn_dispatch_view *view, uint32_t stage);
uint64_t pn_dispatch_demand(const pn_dispatch_view *view, uint32_t stage, uint32_t resource);
uint64_t pn_dispatch_estimate(const pn_dispatch_view *view, uint32_t stage); /* e, ms */
/* down of DG8: the longest path of estimates from its start to the job's end, ms */
uint64_t pn_dispatch_depth(const pn_dispatch_view *view, uint32_t stage);
/* sigma of DG8: the dominant demand, ppb of the cluster */
uint64_t pn_dispatch_dominant(const pn_dispatch_view *view, uint32_t stage);
uint32_t pn_dispatch_tasks(const pn_dispatch_view *view, uint32_t stage);
uint32_t pn_dispatch_stage_running(const pn_dispatch_view *view, uint32_t stage);
uint32_t pn_dispatch_done(const pn_dispatch_view *view, uint32_t stage);
/* neither running nor done; also of a stage that is not ready */
uint32_t pn_dispatch_pending(const pn_dispatch_view *view, uint32_t stage);
int pn_dispatch_is_ready(const pn_dispatch_view *view, uint32_t stage);

/* Return the largest of u * 10^12 / total / weight over resources, each quotient floored: of what a
 * job uses; of what a queue uses, or would with one more task of the stage (PN_DISPATCH_NO_STAGE:
 * as it is). weight >= 1. */
uint64_t pn_dispatch_share(const pn_dispatch_view *view, uint32_t job, uint32_t weight);
uint64_t pn_dispatch_queue_share(const pn_dispatch_view *view, uint32_t queue, uint32_t stage,
                                 uint32_t weight);
/* Returns the share of the queue of a running attempt without this attempt, for weight 1. */
uint64_t pn_dispatch_share_without(const pn_dispatch_view *view, uint32_t place);
/* Returns floor(a * b / c) in 128 bits; c >= 1. */
pn_wide pn_dispatch_scale(uint64_t a, uint64_t b, uint64_t c);
/* Returns 65536 * log2 x, by squaring bit by bit (DG22); x >= 1. */
uint64_t pn_dispatch_log2(uint64_t x);

/* In preempt. */

/* Returns, of the jobs of a queue and in the order of the run, the first stage that is ready and
 * has a pending task; PN_DISPATCH_NO_STAGE if there is none. Needs order.by_queue. O(log jobs + log
 * demands). */
uint32_t pn_dispatch_first_offered(const pn_dispatch_view *view, uint32_t queue);
/* Returns 1 if one more task of the stage keeps its queue within the maximum (DG17). */
int pn_dispatch_in_maximum(const pn_dispatch_view *view, uint32_t stage);
/* Returns the lowest node with room for a task of the stage now; pn_dispatch_nodes_all if there is
 * none. */
uint32_t pn_dispatch_room(const pn_dispatch_view *view, uint32_t stage);
/* The attempts that run on a node, latest start first, then higher job, stage and task: the first,
 * with after = PN_DISPATCH_NO_ATTEMPT, and the next, behind one that runs there; at the end
 * PN_DISPATCH_NO_ATTEMPT. O(1), but O(r log r) for r attempts there when several were launched in
 * one ms since it was asked. */
#define PN_DISPATCH_NO_ATTEMPT UINT32_MAX
uint32_t pn_dispatch_next_on_node(const pn_dispatch_view *view, uint32_t node, uint32_t after);
void pn_dispatch_attempt_task_into(const pn_dispatch_view *view, uint32_t place,
                                   pn_dispatch_task *to, size_t size);
static inline pn_dispatch_task pn_dispatch_attempt_task(const pn_dispatch_view *view,
                                                        uint32_t place)
{
    pn_dispatch_task task;
    pn_dispatch_attempt_task_into(view, place, &task, sizeof task);
    return task;
}
uint32_t pn_dispatch_attempt_stage(const pn_dispatch_view *view, uint32_t place);
/* Returns 1 if max_kills allows to kill the attempt (DG13). */
int pn_dispatch_may_kill(const pn_dispatch_view *view, uint32_t place);
/* Suppose that a running attempt is killed: shares of queues do not count what it holds from now
 * on. pn_dispatch_kill_supposed then kills all supposed attempts in this order, except those that
 * max_kills protects, and pn_dispatch_spare_supposed kills none; both end the supposition, which
 * also ends with preempt. No effect outside preempt. */
void pn_dispatch_suppose(pn_dispatch_view *view, uint32_t place);
void pn_dispatch_kill_supposed(pn_dispatch_view *view);
void pn_dispatch_spare_supposed(pn_dispatch_view *view);
/* Kill an attempt: PN_OK, PN_DONE if max_kills protects it, PN_ERR_INFEASIBLE if none runs there;
 * and launch the lowest pending task of a stage: PN_OK, PN_ERR_FULL, or PN_ERR_INFEASIBLE if none
 * is pending and ready, the node has no room, or the queue would exceed its maximum (DG17). Outside
 * preempt PN_ERR_INFEASIBLE. */
int pn_dispatch_kill(pn_dispatch_view *view, uint32_t place);
int pn_dispatch_launch(pn_dispatch_view *view, uint32_t stage, uint32_t node);
/* Returns 1 if a place is left for an attempt of a pending task of the stage (attempts_max): a task
 * that was killed keeps its place. */
int pn_dispatch_launchable(const pn_dispatch_view *view, uint32_t stage);

/* Makes the policy give up with this status (< 0). For functions of the policy that cannot return
 * an error. */
void pn_dispatch_give_up(const pn_dispatch_view *view, int status);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
