/* Policies of the scheduler core, and so of the cluster model, for their authors: the table of a
 * policy, its descriptors, hooks and memory, and the functions by which it reads jobs, nodes and
 * attempts, and acts. Hosts that use the built-in policies need pn_scheduler.h alone.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 616/744 (see docs/embedding.md). */
#ifndef PN_SCHEDULER_POLICY_H
#define PN_SCHEDULER_POLICY_H

#include "pn_scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* What a policy sees of the simulation, valid during the call only. */
typedef struct pn_scheduler_view pn_scheduler_view;

/* A policy is a constant table. In its simplest form it orders the jobs by a key: a slot goes to
 * the first job that has a task for it, a map to a local one if there is one. It may have shares
 * beside: then jobs that hold fewer slots than their share precede the others. Or it picks: a
 * function that names the job for each slot that is offered. On ticks and arrivals it may plan:
 * estimate, share, kill. */

/* Two descriptors in its table say what the core does for a policy: how it orders jobs for slots,
 * and what it does for jobs with deadlines. Every field is 0 in its plain form: a policy names only
 * the fields that it needs, and fifo names none. A table whose fields are out of range, or do not
 * go together, is refused with PN_ERR_POLICY. A policy whose parameters decide about them sets them
 * in its init (pn_scheduler_set_rules). */

/* When the key of a job for a kind of slot is computed. */
enum pn_scheduler_keys {
    PN_SCHEDULER_KEYS_ON_ARRIVAL = 0, /* once, when the job arrives */
    /* also when a task of this kind of the job starts, ends, or is pending again */
    PN_SCHEDULER_KEYS_SERVED = 1,
    /* also after every plan: the keys of all jobs */
    PN_SCHEDULER_KEYS_PLANNED = 2,
    /* as KEYS_SERVED, and at every instant with an offer: the keys of all candidates.
     * O(candidates) */
    PN_SCHEDULER_KEYS_TIMED = 3
};

/* Whether jobs have shares of the slots (CL18). */
enum pn_scheduler_shares {
    PN_SCHEDULER_SHARES_NONE = 0,
    /* by the weights that plan gives, or the jobs' own where it gives none; a job that has its
     * share gets a slot only when no candidate is below its own */
    PN_SCHEDULER_SHARES_CONSERVING = 1,
    /* the same, but a job that has its share gets no slot */
    PN_SCHEDULER_SHARES_STRICT = 2
};

/* How jobs are ordered for slots. Fields without an enum are 0 or 1, and the comment says what 1
 * means. All 0: jobs are ordered by the keys that they got on arrival. */
typedef struct pn_scheduler_order {
    /* enum pn_scheduler_keys */
    uint8_t keys;
    /* enum pn_scheduler_shares */
    uint8_t shares;
    /* Jobs that have started precede all others, in the order in which they started; keys order the
     * others (CL21). Only with keys and shares 0, without delays and colocates, and without a
     * pick. */
    uint8_t started_first;
    /* A job without a local map waits locality_delay_ms for one (CL16). */
    uint8_t delays;
    /* Reduces go to nodes with inputs or outputs of the job's maps while such a node has a free
     * slot (CL19). */
    uint8_t colocates;
    /* The core estimates all jobs on ticks, and a new job when it arrives, before the plan
     * (CL17). */
    uint8_t estimates;
    /* The policy's elapse is called between events. */
    uint8_t elapses;
    /* What the policy does on a tick depends on the present alone, and it kills only for tasks that
     * wait: the last of many ticks in a row is enough while no task waits, and, if there is no
     * preempt, while no slot is free for those that do. */
    uint8_t memoryless;
} pn_scheduler_order;

/* From what the core estimates finishes (pn_scheduler_foresee). Both ways need an admit,
 * started_first, and est_ms of every job. */
enum pn_scheduler_finishes {
    PN_SCHEDULER_FINISHES_NONE = 0, /* it does not estimate them */
    /* from what runs now and what is left of all jobs (CL28-CL33) */
    PN_SCHEDULER_FINISHES_FORECAST = 1,
    /* from the times at which slots become free, recorded with each job, as RTMR has it
     * (CL22-CL25). They need memory, 12 bytes for each slot and place of jobs_max: the policy's
     * table says so, and init cannot change it. */
    PN_SCHEDULER_FINISHES_RECORDED = 2
};

/* How many slots a reduce must leave free for jobs ahead of its own in the order (CL24). */
enum pn_scheduler_reserve {
    PN_SCHEDULER_RESERVE_NONE = 0, /* none */
    /* as many as those jobs whose maps are not done have reduces (ge) */
    PN_SCHEDULER_RESERVE_ALL = 1,
    /* one less, as published (gt) */
    PN_SCHEDULER_RESERVE_LESS = 2,
    /* all: no reduce starts before the maps of all those jobs are done (strict). Recorded finishes
     * have it so; not with FINISHES_FORECAST */
    PN_SCHEDULER_RESERVE_STRICT = 3
};

/* What the core does for jobs with deadlines. Fields without an enum are 0 or 1, and the comment
 * says what 1 means. All 0: a deadline matters to the statistics only. */
typedef struct pn_scheduler_admission {
    /* A job without a deadline, or without est_ms, is PN_ERR_JOB. */
    uint8_t deadlines;
    /* enum pn_scheduler_finishes */
    uint8_t finishes;
    /* Reduces are ready when all maps of their job are done, whatever reduce_start says (CL11). */
    uint8_t maps_first;
    /* enum pn_scheduler_reserve; others than RESERVE_NONE need started_first and maps_first */
    uint8_t reserve;
    /* Two readings of RTMR, only with FINISHES_RECORDED. The predecessor of a job may be one that
     * is over (CL22, keep). */
    uint8_t ended_predecessors;
    /* Feedback goes through jobs that are over, too (CL25, satu). */
    uint8_t ended_feedback;
} pn_scheduler_admission;

/* Why it plans. */
enum pn_scheduler_reason {
    PN_SCHEDULER_ON_ARRIVAL = 0, /* then kills */
    PN_SCHEDULER_ON_TICK = 1,    /* then kills */
    /* a job finished, failed or was cancelled, or a node has other slots */
    PN_SCHEDULER_ON_FINISH = 2
};

struct pn_scheduler_policy {
    size_t struct_size;  /* sizeof the struct, or 0: see pn_base.h */
    const char *name;    /* at most 31 bytes */
    const char *summary; /* one line */
    const char *source;  /* paper section or rule */
    pn_scheduler_order order;
    pn_scheduler_admission admission;
    uint8_t param_count; /* 0..PN_PARAMS_MAX */
    pn_param params[PN_PARAMS_MAX];
    /* The policy's own memory in the block, zero at first: so many bytes, and so many more for each
     * place of jobs_max. */
    size_t state_bytes, state_bytes_per_job;

    /* Order of a job among the candidates for a kind of slot; ties by id. Null: by id, the order of
     * submission. */
    void (*key)(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key);
    /* Once when it is bound, before anything else. */
    int (*init)(pn_scheduler_view *view);
    /* Whether the job is accepted: sets answer->accepted, which is 1 before, and what else it knows
     * (estimate, blocker). It may agree on another deadline: pn_scheduler_set_deadline. Null: all
     * are. The job has no place in the order yet. */
    int (*admit)(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer);
    /* A job was accepted; or left (finished, failed, cancelled), after its last event. */
    int (*arrive)(pn_scheduler_view *view, uint32_t job);
    void (*leave)(pn_scheduler_view *view, uint32_t job);
    /* Where order.elapses is 1: so many ms > 0 have passed since the last event, and the view is
     * the state meanwhile. */
    int (*elapse)(pn_scheduler_view *view, uint64_t ms);
    /* On arrivals, ticks and the ends of jobs, after the estimates; with shares it weighs every job
     * in the system. Null: nothing to plan. */
    int (*plan)(pn_scheduler_view *view, uint32_t reason);
    /* After the plan and its shares, on arrivals and ticks: kills, first for maps, then for
     * reduces. */
    int (*preempt)(pn_scheduler_view *view, uint32_t kind);
    /* In place of the order: the job that gets a slot of this kind on the node, PN_NO_JOB for none.
     * Giving a job that has nothing pending and ready is PN_ERR_INFEASIBLE. */
    int (*pick)(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job);
    /* A slot of this kind on the node is free, and no job gets it: the place of the running attempt
     * that is launched there a second time, PN_SCHEDULER_NO_ATTEMPT (which it is before) for none.
     * It must be of this kind, the only attempt of its task, on another node, and of a job that
     * running_most allows another one, or it is PN_ERR_INFEASIBLE (CL37). Asked again after each
     * copy and at every tick. Needs config.copies; not with started_first or delays. */
    int (*copy)(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place);
    /* What its keys are, for people; null: it does not say. Of a library's policies to be read
     * behind PN_HAS. */
    const pn_key_part *keys;
};

/* During a policy's call a job is its place in the job table; PN_NO_JOB is no job. A place depends
 * on the history of the table, so decisions must not depend on places: use pn_scheduler_id. Calls
 * take O(1) unless their comment says otherwise. */

uint64_t pn_scheduler_now(const pn_scheduler_view *view);
/* of policy->params */
double pn_scheduler_param_value(const pn_scheduler_view *view, uint32_t index);
/* the policy's own bytes, aligned to 8 */
void *pn_scheduler_state(const pn_scheduler_view *view);
/* the policy's random numbers, in the block */
pn_stream *pn_scheduler_stream(const pn_scheduler_view *view);
const pn_scheduler_policy *pn_scheduler_policy_of(const pn_scheduler_view *view);
/* hooks->policy_user; in a simulation pn_cluster_hooks.user */
void *pn_scheduler_user(const pn_scheduler_view *view);
uint32_t pn_scheduler_jobs_max(const pn_scheduler_view *view); /* places are 0..jobs_max-1 */
uint32_t pn_scheduler_active(const pn_scheduler_view *view);   /* number of jobs in the system */
/* Return the descriptors in force: those of the policy's table, or those that its init has set. */
pn_scheduler_order pn_scheduler_order_get(const pn_scheduler_view *view);
pn_scheduler_admission pn_scheduler_admission_get(const pn_scheduler_view *view);
/* Sets other descriptors; null keeps one as it is. For init only. PN_ERR_ARGUMENT, and nothing
 * changes, outside init; if a field is out of range or the two do not go together; and if the block
 * has no memory for shares, started_first or estimates, or finishes would become recorded or cease
 * to be. */
int pn_scheduler_set_rules(pn_scheduler_view *view, const pn_scheduler_order *order,
                           const pn_scheduler_admission *admission);

/* Return of the cluster its nodes, up or down; slots of all nodes as they are now, of those that
 * are up, and free. Of a node: free slots (0 while down). */
uint32_t pn_scheduler_all_nodes(const pn_scheduler_view *view);
uint32_t pn_scheduler_capacity(const pn_scheduler_view *view, uint32_t kind);
uint32_t pn_scheduler_capacity_up(const pn_scheduler_view *view, uint32_t kind);
uint32_t pn_scheduler_free(const pn_scheduler_view *view, uint32_t kind);
uint32_t pn_scheduler_node_free(const pn_scheduler_view *view, uint32_t node, uint32_t kind);
/* Return of a node < pn_scheduler_all_nodes all its slots of a kind, up or down; whether it is up;
 * its speed, permille. */
uint32_t pn_scheduler_node_slots(const pn_scheduler_view *view, uint32_t node, uint32_t kind);
int pn_scheduler_node_is_up(const pn_scheduler_view *view, uint32_t node);
uint32_t pn_scheduler_node_speed(const pn_scheduler_view *view, uint32_t node);

/* Returns the job that was submitted next after `after`, or the first one if that is PN_NO_JOB;
 * PN_NO_JOB after the last. */
uint32_t pn_scheduler_next(const pn_scheduler_view *view, uint32_t after);
/* Returns the jobs in the system as an array, sorted by (the policy's key of this kind as last
 * computed, id); valid until the next call of the policy. O(jobs log jobs). */
const uint32_t *pn_scheduler_by_key(pn_scheduler_view *view, uint32_t kind, uint32_t *count);
/* Returns the first job with a pending task in the policy's order for this kind, without regard to
 * shares, among jobs that may have a slot; PN_NO_JOB if there is none. O(1), and O(jobs before it
 * whose tasks are all suspended). */
uint32_t pn_scheduler_first(pn_scheduler_view *view, uint32_t kind);

uint64_t pn_scheduler_id(const pn_scheduler_view *view, uint32_t job);
uint32_t pn_scheduler_group_of(const pn_scheduler_view *view, uint32_t job);
uint32_t pn_scheduler_attribute_count(const pn_scheduler_view *view); /* config.attributes */
/* index < pn_scheduler_attribute_count */
double pn_scheduler_attribute_of(const pn_scheduler_view *view, uint32_t job, uint32_t index);
uint64_t pn_scheduler_submit_of(const pn_scheduler_view *view, uint32_t job); /* ms */
/* ms after that, as agreed; 0 = none */
uint64_t pn_scheduler_deadline_of(const pn_scheduler_view *view, uint32_t job);
uint32_t pn_scheduler_weight_of(const pn_scheduler_view *view, uint32_t job); /* 1 and more */
int32_t pn_scheduler_priority_of(const pn_scheduler_view *view, uint32_t job);
uint32_t pn_scheduler_tasks(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* attempts in slots */
uint32_t pn_scheduler_running(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
uint32_t pn_scheduler_suspended(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
uint32_t pn_scheduler_done(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* pending, running or suspended */
uint32_t pn_scheduler_unfinished(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* that may start now: reduces if ready, and as many as running_most allows (CL42) */
uint32_t pn_scheduler_pending(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* running + pending + suspended (CL15, CL34), as many as running_most allows (CL42) */
uint32_t pn_scheduler_need(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* Returns 1 if running_most allows another attempt of this kind now (CL42). */
int pn_scheduler_may_run(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* Returns 1 if the node holds the input of a pending map of the job. O(log replicas of the job). */
int pn_scheduler_has_local(const pn_scheduler_view *view, uint32_t job, uint32_t node);
/* Returns 1 if a suspended task of the job would resume there now. O(suspended tasks of the job),
 * O(1) on nodes without any. */
int pn_scheduler_resumes(const pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t node);
/* Returns 1 if maps of the job run, ran or might run locally there (CL19: aff > 0). O(log replicas
 * of the job). */
int pn_scheduler_has_affinity(const pn_scheduler_view *view, uint32_t job, uint32_t node);

/* Estimates (CL17), as of the job's last one, 0 before; all saturate at PN_INTEGER_MAX. */
/* ms of a task */
uint64_t pn_scheduler_average(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* RT, eq. (1) on the whole cluster */
uint64_t pn_scheduler_remaining(const pn_scheduler_view *view, uint32_t job);
/* eq. (1) with the stored averages and what is unfinished now, on so many slots >= 1; and for all
 * its tasks, on the whole cluster. */
uint64_t pn_scheduler_remaining_on(const pn_scheduler_view *view, uint32_t job, uint64_t map_slots,
                                   uint64_t reduce_slots);
uint64_t pn_scheduler_alone(const pn_scheduler_view *view, uint32_t job);

/* Sets the weight of the job in the shares of both kinds, in place of its own; 1..2^62, 0 counts as
 * 1. For plan. */
void pn_scheduler_weigh(pn_scheduler_view *view, uint32_t job, uint64_t weight);
/* In slots, as of the last plan; PN_SCHEDULER_NO_SHARE without shares. */
#define PN_SCHEDULER_NO_SHARE UINT32_MAX
uint32_t pn_scheduler_share(const pn_scheduler_view *view, uint32_t job, uint32_t kind);

/* Fills by water-filling (CL15): shares of 1000 * capacity milli-slots such that jobs which need
 * less than a part by their own weights get 1000 * need; writes that of each job to milli[place].
 * O(jobs log jobs). */
void pn_scheduler_fill(pn_scheduler_view *view, uint32_t kind, uint64_t *milli);

/* Returns floor(a * b / c), computed in 128 bits and at most UINT64_MAX; c >= 1. */
uint64_t pn_scheduler_scale(uint64_t a, uint64_t b, uint64_t c);

/* Kills in preempt at most `most` running tasks of the job, least progress first, then later start,
 * then higher index; tasks that max_kills protects are skipped. *killed (may be null) receives how
 * many. Or one attempt: PN_OK, PN_DONE when it is protected, PN_ERR_INFEASIBLE when none runs
 * there. Outside preempt PN_ERR_INFEASIBLE. O(r log r) for r running tasks. */
int pn_scheduler_kill(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t most,
                      uint32_t *killed);
int pn_scheduler_kill_attempt(pn_scheduler_view *view, uint32_t place);
/* Suspends the tasks in the same way, whatever max_kills says; those with two attempts and those
 * that suspensions_max protects are skipped (CL34, CL44). PN_ERR_FULL where suspended_max attempts
 * are suspended already: the policy should return it. PN_ERR_INFEASIBLE also where the host cannot
 * suspend, and with started_first. */
int pn_scheduler_suspend(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t most,
                         uint32_t *suspended);
int pn_scheduler_suspend_attempt(pn_scheduler_view *view, uint32_t place);
/* Returns the running attempt of the job and kind that was launched next after `after`, or the
 * first one if that is PN_SCHEDULER_NO_ATTEMPT; PN_SCHEDULER_NO_ATTEMPT after the last. */
uint32_t pn_scheduler_next_attempt(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                   uint32_t after);
/* Returns its suspended attempts in the same way, in order of suspension. */
uint32_t pn_scheduler_next_suspended(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                     uint32_t after);
/* Returns the attempts that run on a node in the same way, the one launched last first. */
uint32_t pn_scheduler_next_on_node(const pn_scheduler_view *view, uint32_t node, uint32_t after);
void pn_scheduler_attempt_task_into(const pn_scheduler_view *view, uint32_t place,
                                    pn_scheduler_task *to, size_t size);
static inline pn_scheduler_task pn_scheduler_attempt_task(const pn_scheduler_view *view,
                                                          uint32_t place)
{
    pn_scheduler_task task;
    pn_scheduler_attempt_task_into(view, place, &task, sizeof task);
    return task;
}
/* the job that it belongs to, as its place in the table */
uint32_t pn_scheduler_attempt_job(const pn_scheduler_view *view, uint32_t place);
/* 1: it is suspended */
int pn_scheduler_attempt_suspended(const pn_scheduler_view *view, uint32_t place);
/* the other attempt of its task; PN_SCHEDULER_NO_ATTEMPT without one (CL37) */
uint32_t pn_scheduler_attempt_twin(const pn_scheduler_view *view, uint32_t place);
/* Returns the attempt of a task that runs or is suspended, of two the older one;
 * PN_SCHEDULER_NO_ATTEMPT if there is none. */
uint32_t pn_scheduler_task_attempt(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                   uint32_t task);
/* Returns the number of tasks of this kind, of all jobs, that have two attempts now. */
uint32_t pn_scheduler_copied(const pn_scheduler_view *view, uint32_t kind);
/* 0..10^6, from the host */
uint32_t pn_scheduler_attempt_progress(const pn_scheduler_view *view, uint32_t place);

/* Jobs with deadlines. Their order is that of started_first. */

/* Returns how long a task of the job takes at most, ms, with extra_ms; 0 if that is not known. */
uint64_t pn_scheduler_est_ms(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
/* Set in admit the job's est_ms from now on, without extra_ms, 1..2^40 (PN_ERR_ARGUMENT); its
 * deadline, ms after its submission, 1..PN_INTEGER_MAX; its key is computed anew. Elsewhere, or of
 * another job, PN_ERR_INFEASIBLE. A job that is rejected in the end keeps the deadline that it was
 * submitted with. */
int pn_scheduler_set_est_ms(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint64_t ms);
int pn_scheduler_set_deadline(pn_scheduler_view *view, uint32_t job, uint64_t ms);
/* Returns 1 if the job is only asked about (pn_scheduler_ask): admit should not remember it. For
 * admit. */
int pn_scheduler_asked(const pn_scheduler_view *view);
/* Return sizes as pn_scheduler_job has them, never 0. */
uint64_t pn_scheduler_input_of(const pn_scheduler_view *view, uint32_t job);
uint64_t pn_scheduler_intermediate_of(const pn_scheduler_view *view, uint32_t job);
/* Returns the longest time that a task of the job that ended well has worked, ms; 0 before. */
uint64_t pn_scheduler_longest(const pn_scheduler_view *view, uint32_t job, uint32_t kind);

/* Foresees in admit, with forecast or recorded finishes, what would become of the job and of those
 * behind it in the order if it were accepted (CL23, Algorithms I-III; CL31). Sets estimate, blocker
 * (the first of these, in the order, that would miss its deadline), and accepted = no blocker. With
 * forecasts jobs known to be late block nobody. When admit then accepts, the estimates of all these
 * become theirs. With M map and R reduce tasks of a job not done, S slots that become free at G <=
 * S different times, T the largest of these: O(min((M + R) log G, G log T)) for the job and each
 * one behind it that has not started, and O(G) (recorded; again as much when it is accepted); for
 * each job in the system, and O(S) (forecast). */
int pn_scheduler_foresee(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer);
/* Returns the estimated finish of the job as last computed: by its own admission, that of another
 * job, feedback, or after a failure; or PN_SCHEDULER_NEVER. */
uint64_t pn_scheduler_estimate_of(const pn_scheduler_view *view, uint32_t job);
/* Returns the estimate, made anew as if the job arrived now (CL25, recompute). With recorded
 * finishes, in leave. */
uint64_t pn_scheduler_estimate_anew(const pn_scheduler_view *view, uint32_t job);
/* Feeds back the job that has finished (CL25, Algorithms V and VI). With recorded finishes, in
 * leave. */
void pn_scheduler_feed_back(pn_scheduler_view *view, uint32_t job);
/* Returns 1 in leave if the job has failed or was cancelled. */
int pn_scheduler_has_failed(const pn_scheduler_view *view, uint32_t job);

/* Limit the job to so many slots of this kind, UINT32_MAX = no limit; and hold it until this time,
 * above PN_INTEGER_MAX = for ever. No effect on a job that is over or was never accepted, and on
 * other jobs while one is only asked about. A pick that breaks them is PN_ERR_INFEASIBLE; forecasts
 * and records do not take them into account. */
void pn_scheduler_limit(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t most);
void pn_scheduler_hold(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint64_t until);

/* Makes the policy give up with this status (< 0). For functions of the policy that cannot return
 * an error. */
void pn_scheduler_give_up(const pn_scheduler_view *view, int status);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
