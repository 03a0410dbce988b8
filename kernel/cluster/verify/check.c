/* The checker. It shares no code with the engine: it keeps its own books of nodes, jobs and tasks,
 * works out by itself when each attempt has to end and what is lost with a node, and holds
 * every entry of a log against that.
 *
 * Of the decisions themselves it judges what no policy may choose: that slots are there and
 * dependencies met, that a node is offered at its heartbeat or when something has happened, which
 * of a job's tasks is launched next, who may be killed or copied. A measured log is that of a real
 * host: how long attempts take, when jobs arrive, what fails and when slots are offered is for it
 * to tell. */
#include "base/config.h"
#include "state.h"

static uint64_t cluster_id_of(const pn_cluster_verifier *v, uint32_t task)
{
    return (uint64_t)v->task[task].job + 1;
}

/* Returns the id of the attempt that has to end first. */
static uint64_t id_of_first_end(const pn_cluster_verifier *v)
{
    return cluster_id_of(v, v->attempt[v->end[0].attempt].task);
}

/* ---- time ---- */

/* Returns the first instant that is not executed any more. */
static uint64_t cluster_time_limit(const pn_cluster_verifier *v)
{
    return v->config.max_time_ms > 0 ? v->config.max_time_ms : PN_CLUSTER_NEVER_YET;
}

/* Returns what was announced for nodes next: the next of it that changes something, up to a time;
 * null when nothing does. */
static const pn_cluster_check_fate *cluster_next_fate(pn_cluster_verifier *v, uint64_t until)
{
    for (; v->fate_next < v->fate_count && v->fate[v->fate_next].time <= until; v->fate_next++) {
        const pn_cluster_check_fate *fate = &v->fate[v->fate_next];
        if (v->node[fate->node].up == fate->down)
            return fate;
        v->happened |= fate->time == v->time; /* it makes an instant all the same */
    }
    return NULL;
}

/* Checks that nothing is missing that has to happen up to this time, of the classes before
 * `class`. */
static int cluster_check_missing(pn_cluster_verifier *v, uint64_t until,
                                 enum pn_cluster_check_class class)
{
    const pn_cluster_check_fate *fate = class > PN_CLUSTER_CLASS_NODE_DOWN
                                            ? cluster_next_fate(v, until)
                                            : NULL;
    if (fate)
        return pn_cluster_check_reject(v,
                                       fate->down ? "a node does not go down when it has to"
                                                  : "a node does not come back when it has to",
                                       fate->time, 0);
    if (class > PN_CLUSTER_CLASS_END && v->end_count > 0 && v->end[0].time <= until)
        return pn_cluster_check_reject(v, "an attempt continues after its end", v->end[0].time,
                                       id_of_first_end(v));
    if (class > PN_CLUSTER_CLASS_ARRIVAL && !v->claim.measured && v->arrived < v->claim.job_count &&
        pn_cluster_claimed(&v->claim, v->arrived)->submit <= until)
        return pn_cluster_check_reject(v, "the job does not come when it has to",
                                       pn_cluster_claimed(&v->claim, v->arrived)->submit,
                                       v->arrived + 1);
    return PN_OK;
}

static void cluster_close_instant(pn_cluster_verifier *v)
{
    if (v->entries > 0)
        v->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, v->digest), v->time), v->fold);
    v->entries = 0;
    v->fold = 0;
}

static int cluster_go_to(pn_cluster_verifier *v, uint64_t time)
{
    if (time == v->time)
        return PN_OK;
    cluster_close_instant(v);
    int status = cluster_check_missing(v, time - 1, PN_CLUSTER_CLASS_BEAT);
    v->time = time;
    v->class = 0;
    v->last = 0;
    v->happened = v->accepted = 0;
    v->beat_node = v->node_count;
    return status;
}

/* Checks the order of things in one instant (CL3). */
int pn_cluster_check_enter(pn_cluster_verifier *v, const pn_scheduler_event *e,
                           enum pn_cluster_check_class class)
{
    if (v->claim.measured)
        return PN_OK;
    if (class < v->class)
        return pn_cluster_check_reject(v, "at one time this comes before the last entry", e->time,
                                       e->id);
    v->class = class;
    return cluster_check_missing(v, e->time, class);
}

/* ---- what has to follow at once ---- */

static int check_node_failure(pn_cluster_verifier *v)
{
    if (!v->owed_down)
        return pn_cluster_check_reject(v, "attempts are lost, but the node does not go down",
                                       v->time, 0);
    if (v->node[v->owed_node].attempts > 0)
        return pn_cluster_check_reject(v, "an attempt outlives its node", v->time, 0);
    if (v->owed_lost > 0)
        return pn_cluster_check_reject(v, "a lost output is not made again", v->time, 0);
    v->owed = PN_CLUSTER_OWED_NOTHING;
    return PN_OK;
}

static bool of_arrival(uint32_t event)
{
    return event == PN_SCHEDULER_ACCEPT || event == PN_SCHEDULER_REJECT;
}

static bool of_node_failure(uint32_t event)
{
    return event == PN_SCHEDULER_LOSE || event == PN_SCHEDULER_RERUN ||
           event == PN_SCHEDULER_NODE_DOWN;
}

/* Checks that `event` is the next one at the same time; 0 = there is none. */
static int cluster_check_owed(pn_cluster_verifier *v, uint32_t event)
{
    uint64_t id = (uint64_t)v->owed_job + 1;
    if (v->owed == PN_CLUSTER_OWED_FINISH && event != PN_SCHEDULER_JOB_FINISH &&
        event != PN_SCHEDULER_LATE)
        return pn_cluster_check_reject(v, "the job finishes after its work is done", v->time, id);
    if (v->owed == PN_CLUSTER_OWED_FAILURE && event != PN_SCHEDULER_DROP &&
        event != PN_SCHEDULER_JOB_FAIL)
        return pn_cluster_check_reject(v, "the job has failed, but continues", v->time, id);
    if (v->owed == PN_CLUSTER_OWED_REMOVAL && event != PN_SCHEDULER_DROP &&
        event != PN_SCHEDULER_JOB_CANCEL)
        return pn_cluster_check_reject(v, "attempts are dropped, but their job is not cancelled",
                                       v->time, id);
    if (v->owed == PN_CLUSTER_OWED_CANCEL && event != PN_SCHEDULER_CANCEL)
        return pn_cluster_check_reject(v, "the task is done, but its other attempt continues",
                                       v->time, id);
    if (v->owed == PN_CLUSTER_OWED_ARRIVAL && event != PN_SCHEDULER_LATE && !of_arrival(event))
        return pn_cluster_check_reject(v, "jobs are late though nothing has happened", v->time, 0);
    if (v->owed != PN_CLUSTER_OWED_NODE_DOWN)
        return PN_OK;
    bool complete = v->owed_down && v->node[v->owed_node].attempts == 0 && v->owed_lost == 0;
    return event == PN_SCHEDULER_RERUN || (of_node_failure(event) && !complete)
               ? PN_OK
               : check_node_failure(v);
}

/* ---- nodes ---- */

static int feed_node_up(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (v->node[e->node].up)
        return pn_cluster_check_reject(v, "the node is up already", e->time, 0);
    if (!v->claim.measured) {
        const pn_cluster_check_fate *fate = cluster_next_fate(v, e->time);
        if (!fate || fate->down || fate->node != e->node)
            return pn_cluster_check_reject(v, "nodes come back as announced only", e->time, 0);
        v->fate_next++;
    }
    v->node[e->node].up = 1;
    return PN_OK;
}

/* Begins the failure of a node; its attempts may be lost before the log says so. */
static int begin_node_failure(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (v->owed == PN_CLUSTER_OWED_NODE_DOWN)
        return v->owed_node == e->node
                   ? PN_OK
                   : pn_cluster_check_reject(v, "nodes go down one after the other", e->time,
                                             e->id);
    if (!v->claim.measured) {
        const pn_cluster_check_fate *fate = cluster_next_fate(v, e->time);
        if (!fate || !fate->down || fate->node != e->node)
            return pn_cluster_check_reject(v, "nodes go down as announced only", e->time, e->id);
    }
    v->owed = PN_CLUSTER_OWED_NODE_DOWN;
    v->owed_node = e->node;
    v->owed_down = 0;
    v->owed_lost = 0;
    return PN_OK;
}

static void judge_node_failure_when_all_lost(pn_cluster_verifier *v)
{
    if (v->owed_down && v->node[v->owed_node].attempts == 0)
        pn_cluster_check_node_down(v);
}

static int feed_node_down(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (!v->node[e->node].up)
        return pn_cluster_check_reject(v, "the node is down already", e->time, 0);
    int status = begin_node_failure(v, e);
    if (status != PN_OK)
        return status;
    v->fate_next += !v->claim.measured;
    v->node[e->node].up = 0;
    v->owed_down = 1;
    pn_cluster_check_forget_savings(v, e->node);
    judge_node_failure_when_all_lost(v);
    return PN_OK;
}

/* Checks and enters that a host resized the node (CL40), which only measured logs contain. */
static int feed_node_resize(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    pn_cluster_check_node *node = &v->node[e->node];
    if (!v->claim.measured)
        return pn_cluster_check_reject(v, "only hosts resize nodes", e->time, 0);
    if (e->slots[0] > node->most[0] || e->slots[1] > node->most[1])
        return pn_cluster_check_reject(v, "more slots than the node may have", e->time, 0);
    if (e->slots[0] == node->slots[0] && e->slots[1] == node->slots[1])
        return pn_cluster_check_reject(v, "the node has so many slots already", e->time, 0);
    for (uint32_t kind = 0; kind < 2; kind++) {
        node->free[kind] += (int32_t)e->slots[kind] - (int32_t)node->slots[kind];
        node->slots[kind] = e->slots[kind];
    }
    return PN_OK;
}

/* ---- jobs ---- */

/* Checks the answer to a job: the deadline is its own unless the policy sets deadlines; a finish
 * promised to an accepted job lies ahead, and before the deadline where the policy promises
 * that. */
static int check_answer(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (!v->claim.deals && e->deadline != pn_cluster_claimed(&v->claim, e->id - 1)->deadline)
        return pn_cluster_check_reject(v, "the deadline is not the job's", e->time, e->id);
    if (e->event == PN_SCHEDULER_REJECT)
        return PN_OK;
    bool expected = e->estimate != 0 && e->estimate != PN_CLUSTER_NEVER_YET;
    if (v->claim.promises && !expected)
        return pn_cluster_check_reject(v, "a job is taken without a promise", e->time, e->id);
    if (expected && e->estimate <= e->time)
        return pn_cluster_check_reject(v, "a job is expected to finish before it has begun",
                                       e->time, e->id);
    if (v->claim.promises && e->deadline > 0 && e->estimate - e->time > e->deadline)
        return pn_cluster_check_reject(v, "a job is taken that is expected too late", e->time,
                                       e->id);
    return PN_OK;
}

static int cluster_feed_arrival(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    pn_cluster_check_job *job = &v->job[e->id - 1];
    if (e->id != v->arrived + 1)
        return pn_cluster_check_reject(v, "jobs come in order, each once", e->time, e->id);
    if (!v->claim.measured && pn_cluster_claimed(&v->claim, e->id - 1)->submit != e->time)
        return pn_cluster_check_reject(v, "the job does not come when it has to", e->time, e->id);
    if (e->blocker != 0 && e->blocker != e->id &&
        (e->blocker > e->id || v->job[e->blocker - 1].stage != PN_CLUSTER_CHECK_IN_SYSTEM))
        return pn_cluster_check_reject(v, "who is said to block the job is not in the system",
                                       e->time, e->id);
    int status = check_answer(v, e);
    if (status != PN_OK)
        return status;
    v->owed = PN_CLUSTER_OWED_NOTHING;
    v->arrived++;
    v->ended += e->event == PN_SCHEDULER_REJECT;
    job->stage = e->event == PN_SCHEDULER_REJECT ? PN_CLUSTER_CHECK_ENDED
                                                 : PN_CLUSTER_CHECK_IN_SYSTEM;
    job->submit = e->time;
    job->deadline = e->deadline;
    job->promised = e->estimate != 0 && e->estimate != PN_CLUSTER_NEVER_YET && e->deadline > 0;
    v->accepted |= e->event == PN_SCHEDULER_ACCEPT;
    return PN_OK;
}

static int check_in_system(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    uint8_t stage = v->job[e->id - 1].stage;
    if (stage == PN_CLUSTER_CHECK_IN_SYSTEM)
        return PN_OK;
    return pn_cluster_check_reject(
        v, stage == PN_CLUSTER_CHECK_TO_COME ? "the job has not come" : "the job has ended",
        e->time, e->id);
}

/* Applies CL31, CL32: jobs are estimated anew after a node failed or recovered, after an attempt
 * failed, before a job is taken or not, after a job was taken of which nothing had been foreseen,
 * after a job was cancelled, and after a node got other slots. */
static bool is_reason(uint32_t event)
{
    return of_node_failure(event) || event == PN_SCHEDULER_NODE_UP || event == PN_SCHEDULER_FAIL ||
           event == PN_SCHEDULER_JOB_FAIL || event == PN_SCHEDULER_JOB_CANCEL ||
           event == PN_SCHEDULER_NODE_RESIZE || event == PN_SCHEDULER_ACCEPT;
}

static int enter_estimation(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (v->last == PN_SCHEDULER_LATE)
        return PN_OK;
    v->estimations++;
    if (is_reason(v->last))
        return PN_OK;
    v->owed = PN_CLUSTER_OWED_ARRIVAL;
    return pn_cluster_check_enter(v, e, PN_CLUSTER_CLASS_ARRIVAL);
}

/* Enters a finish: its work is done, and it was not told before. */
static int enter_finish(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (v->owed_job != e->id - 1 || e->estimate != e->time || v->last == PN_SCHEDULER_LATE)
        return pn_cluster_check_reject(v, "the job finishes after its work is done", e->time,
                                       v->owed_job + 1);
    v->estimations++;
    return PN_OK;
}

static int feed_late(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    pn_cluster_check_job *job = &v->job[e->id - 1];
    int status = check_in_system(v, e);
    if (status == PN_OK)
        status = v->owed == PN_CLUSTER_OWED_FINISH ? enter_finish(v, e) : enter_estimation(v, e);
    if (status != PN_OK)
        return status;
    if (job->late == v->estimations)
        return pn_cluster_check_reject(v, "the job is told to be late twice", e->time, e->id);
    if (job->deadline == 0 || job->deadline != e->deadline)
        return pn_cluster_check_reject(v, "the deadline is not the one agreed on", e->time, e->id);
    if (e->estimate <= job->submit || e->estimate - job->submit <= job->deadline)
        return pn_cluster_check_reject(v, "a job is late that is expected in time", e->time, e->id);
    job->late = v->estimations;
    return PN_OK;
}

static int feed_job_finish(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (v->owed != PN_CLUSTER_OWED_FINISH || v->owed_job != e->id - 1)
        return pn_cluster_check_reject(v,
                                       v->job[e->id - 1].stage == PN_CLUSTER_CHECK_ENDED
                                           ? "the job has ended"
                                           : "the job finishes before its work is done",
                                       e->time, e->id);
    const pn_cluster_check_job *job = &v->job[e->id - 1];
    if (job->promised && e->time - job->submit > job->deadline && job->late == 0)
        return pn_cluster_check_reject(v, "the job breaks its promise, and nobody was told",
                                       e->time, e->id);
    v->owed = PN_CLUSTER_OWED_NOTHING;
    v->job[e->id - 1].stage = PN_CLUSTER_CHECK_ENDED;
    pn_cluster_check_forget(v, (uint32_t)e->id - 1);
    v->ended++;
    v->last_finish = e->time;
    return PN_OK;
}

/* Ends a job without its being done: all its attempts are dropped by now. */
static int give_up_job(pn_cluster_verifier *v, const pn_scheduler_event *e, const char *fault)
{
    pn_cluster_check_job *job = &v->job[e->id - 1];
    if (job->held[PN_SCHEDULER_MAP] + job->held[PN_SCHEDULER_REDUCE] > 0)
        return pn_cluster_check_reject(v, fault, e->time, e->id);
    v->owed = PN_CLUSTER_OWED_NOTHING;
    job->stage = PN_CLUSTER_CHECK_ENDED;
    pn_cluster_check_forget(v, (uint32_t)e->id - 1);
    v->ended++;
    return PN_OK;
}

static int feed_job_fail(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (v->owed != PN_CLUSTER_OWED_FAILURE || v->owed_job != e->id - 1)
        return pn_cluster_check_reject(v, "the job fails without a task that failed too often",
                                       e->time, e->id);
    return give_up_job(v, e, "the job has failed, but its attempts are not dropped");
}

/* Enters CL39: at any time, but in measured logs only. */
static int feed_job_cancel(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (!v->claim.measured)
        return pn_cluster_check_reject(v, "only hosts cancel jobs", e->time, e->id);
    int status = check_in_system(v, e);
    if (status == PN_OK && v->owed == PN_CLUSTER_OWED_REMOVAL && v->owed_job != e->id - 1)
        status = pn_cluster_check_reject(v, "attempts are dropped, but their job is not cancelled",
                                         v->time, v->owed_job + 1);
    return status == PN_OK
               ? give_up_job(v, e, "the job is cancelled, but its attempts are not dropped")
               : status;
}

/* ---- what is lost with a node ---- */

static int feed_lose(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t attempt)
{
    int status = begin_node_failure(v, e);
    if (status != PN_OK)
        return status;
    pn_cluster_check_give_up(v, attempt);
    judge_node_failure_when_all_lost(v);
    return PN_OK;
}

static int feed_rerun(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task)
{
    const pn_cluster_check_task *t = &v->task[task];
    pn_cluster_check_job *job = &v->job[e->id - 1];
    if (v->owed != PN_CLUSTER_OWED_NODE_DOWN)
        return pn_cluster_check_reject(v, "an output is lost, but no node goes down", e->time,
                                       e->id);
    if (!v->owed_down || v->node[v->owed_node].attempts > 0)
        return check_node_failure(v);
    if (e->kind != PN_SCHEDULER_MAP || t->state != PN_CLUSTER_CHECK_DONE || t->node != e->node ||
        t->used != e->attempt + 1)
        return pn_cluster_check_reject(v, "no such output", e->time, e->id);
    if (t->node != v->owed_node || job->node_failure != v->node_failures ||
        job->loss == PN_CLUSTER_CHECK_KEPT)
        return pn_cluster_check_reject(v, "the output is not lost", e->time, e->id);
    /* the host says that reduces had not fetched it all: then all is lost */
    if (job->loss == PN_CLUSTER_CHECK_EITHER) {
        job->loss = PN_CLUSTER_CHECK_LOST;
        v->owed_lost += job->lost;
    }
    v->owed_lost--;
    pn_cluster_check_rerun(v, task);
    return PN_OK;
}

/* ---- entries ---- */

enum of { OF_NODE, OF_JOB, OF_TASK, OF_ATTEMPT };

typedef struct entry_kind {
    uint32_t of;
    enum pn_cluster_check_class class;
    int (*feed)(pn_cluster_verifier *v, const pn_scheduler_event *e);
    /* of a task, or of an attempt */
    int (*feed_task)(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t at);
} entry_kind;

static const entry_kind entry_kinds[] = {
    [PN_SCHEDULER_ACCEPT] = {OF_JOB, PN_CLUSTER_CLASS_ARRIVAL, cluster_feed_arrival, NULL},
    [PN_SCHEDULER_REJECT] = {OF_JOB, PN_CLUSTER_CLASS_ARRIVAL, cluster_feed_arrival, NULL},
    [PN_SCHEDULER_LAUNCH] = {OF_TASK, PN_CLUSTER_CLASS_BEAT, NULL, pn_cluster_check_feed_launch},
    [PN_SCHEDULER_END] = {OF_ATTEMPT, PN_CLUSTER_CLASS_END, NULL, pn_cluster_check_feed_end},
    [PN_SCHEDULER_KILL] = {OF_ATTEMPT, PN_CLUSTER_CLASS_ARRIVAL, NULL, pn_cluster_check_feed_kill},
    [PN_SCHEDULER_FAIL] = {OF_ATTEMPT, PN_CLUSTER_CLASS_END, NULL, pn_cluster_check_feed_fail},
    [PN_SCHEDULER_LOSE] = {OF_ATTEMPT, PN_CLUSTER_CLASS_NODE_DOWN, NULL, feed_lose},
    [PN_SCHEDULER_DROP] = {OF_ATTEMPT, PN_CLUSTER_CLASS_END, NULL, pn_cluster_check_feed_drop},
    [PN_SCHEDULER_RERUN] = {OF_TASK, PN_CLUSTER_CLASS_NODE_DOWN, NULL, feed_rerun},
    [PN_SCHEDULER_NODE_DOWN] = {OF_NODE, PN_CLUSTER_CLASS_NODE_DOWN, feed_node_down, NULL},
    [PN_SCHEDULER_NODE_UP] = {OF_NODE, PN_CLUSTER_CLASS_NODE_UP, feed_node_up, NULL},
    [PN_SCHEDULER_JOB_FINISH] = {OF_JOB, PN_CLUSTER_CLASS_END, feed_job_finish, NULL},
    [PN_SCHEDULER_JOB_FAIL] = {OF_JOB, PN_CLUSTER_CLASS_END, feed_job_fail, NULL},
    [PN_SCHEDULER_LATE] = {OF_JOB, PN_CLUSTER_CLASS_ARRIVAL, feed_late, NULL},
    [PN_SCHEDULER_SUSPEND] = {OF_ATTEMPT, PN_CLUSTER_CLASS_ARRIVAL, NULL,
                              pn_cluster_check_feed_suspend},
    [PN_SCHEDULER_RESUME] = {OF_ATTEMPT, PN_CLUSTER_CLASS_BEAT, NULL, pn_cluster_check_feed_resume},
    [PN_SCHEDULER_CANCEL] = {OF_ATTEMPT, PN_CLUSTER_CLASS_END, NULL, pn_cluster_check_feed_cancel},
    [PN_SCHEDULER_JOB_CANCEL] = {OF_JOB, PN_CLUSTER_CLASS_END, feed_job_cancel, NULL},
    [PN_SCHEDULER_NODE_RESIZE] = {OF_NODE, PN_CLUSTER_CLASS_NODE_UP, feed_node_resize, NULL},
};

/* Checks that it names what there is, and nothing else. */
static int cluster_check_names(pn_cluster_verifier *v, const pn_scheduler_event *e,
                               const entry_kind *kind)
{
    bool bare = e->kind == 0 && e->task == 0 && e->attempt == 0;
    if (kind->of == OF_NODE ? e->id != 0 : e->id < 1 || e->id > v->claim.job_count)
        return pn_cluster_check_reject(v, "no such job", e->time, e->id);
    if (kind->of != OF_JOB && e->node >= v->node_count)
        return pn_cluster_check_reject(v, "no such node", e->time, e->id);
    bool expects = of_arrival(e->event) || e->event == PN_SCHEDULER_LATE;
    if ((kind->of == OF_NODE && !bare) || (kind->of == OF_JOB && (!bare || e->node != 0)) ||
        (!expects && (e->estimate != 0 || e->deadline != 0)) ||
        (e->event != PN_SCHEDULER_REJECT && e->blocker != 0) ||
        (e->event != PN_SCHEDULER_NODE_RESIZE && (e->slots[0] != 0 || e->slots[1] != 0)))
        return pn_cluster_check_reject(v, "an entry says what means nothing in it", e->time, e->id);
    if (kind->of >= OF_TASK && (e->kind > PN_SCHEDULER_REDUCE ||
                                e->task >= pn_cluster_check_count(v, (uint32_t)e->id - 1, e->kind)))
        return pn_cluster_check_reject(v, "no such task", e->time, e->id);
    return PN_OK;
}

/* Enters an entry of a task, or of an attempt that has to be there. */
static int feed_task(pn_cluster_verifier *v, const pn_scheduler_event *e, const entry_kind *kind)
{
    uint32_t task = v->job[e->id - 1].first[e->kind] + e->task;
    int status = check_in_system(v, e);
    if (status != PN_OK || kind->of == OF_TASK)
        return status != PN_OK ? status : kind->feed_task(v, e, task);
    uint32_t attempt = pn_cluster_check_attempt_of(v, task, e->node, e->attempt);
    if (attempt == PN_CLUSTER_NOBODY)
        return pn_cluster_check_reject(v, "no such attempt runs there", e->time, e->id);
    return kind->feed_task(v, e, attempt);
}

/* Returns whether an entry says itself where it belongs, as those that follow an arrival or a
 * tick. */
static bool has_own_class(uint32_t event)
{
    return event == PN_SCHEDULER_KILL || event == PN_SCHEDULER_SUSPEND ||
           event == PN_SCHEDULER_LATE;
}

static int cluster_feed(pn_cluster_verifier *v, const pn_scheduler_event *e, const entry_kind *kind)
{
    int status = cluster_check_owed(v, e->time == v->time ? e->event : 0);
    if (status == PN_OK)
        status = cluster_go_to(v, e->time);
    if (status == PN_OK && !has_own_class(e->event))
        status = pn_cluster_check_enter(v, e, kind->class);
    if (status != PN_OK)
        return status;
    return kind->of < OF_TASK ? kind->feed(v, e) : feed_task(v, e, kind);
}

int pn_cluster_verifier_feed(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (!v || !e || !PN_GIVEN(e, pn_scheduler_event, slots))
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (e->event < PN_SCHEDULER_ACCEPT || e->event > PN_SCHEDULER_NODE_RESIZE)
        return pn_cluster_check_reject(v, "no such kind of entry", e->time, e->id);
    if (e->time < v->time)
        return pn_cluster_check_reject(v, "entries must be in order of time", e->time, e->id);
    if (e->time > PN_INTEGER_MAX || (!v->claim.measured && e->time >= cluster_time_limit(v)))
        return pn_cluster_check_reject(v, "no time is so late", e->time, e->id);
    const entry_kind *kind = &entry_kinds[e->event];
    int status = cluster_check_names(v, e, kind);
    if (status == PN_OK)
        status = cluster_feed(v, e, kind);
    if (status != PN_OK)
        return status;
    uint64_t mixed = pn_mix(pn_mix(pn_mix(PN_MIX_START, e->time), e->event), e->id);
    mixed = pn_mix(pn_mix(pn_mix(pn_mix(mixed, e->kind), e->task), e->node), e->attempt);
    bool promise = e->event != PN_SCHEDULER_REJECT && e->estimate != 0 &&
                   e->estimate != PN_CLUSTER_NEVER_YET;
    if (e->event == PN_SCHEDULER_NODE_RESIZE)
        mixed = pn_mix(pn_mix(mixed, e->slots[0]), e->slots[1]);
    v->fold += promise ? pn_mix(pn_mix(mixed, e->estimate), e->deadline) : mixed;
    v->entries++;
    v->last = e->event;
    v->happened |= e->event != PN_SCHEDULER_LAUNCH && e->event != PN_SCHEDULER_RESUME;
    return PN_OK;
}

/* ---- the end ---- */

int pn_cluster_verifier_stop(pn_cluster_verifier *v, uint64_t until)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (until <= v->time || until > PN_INTEGER_MAX)
        return pn_cluster_check_reject(v, "the run continues after it was stopped", v->time, 0);
    v->config.max_time_ms = pn_min(until, cluster_time_limit(v));
    return PN_OK;
}

/* Checks the end of a run, which lasts as long as something is to happen: until all jobs have
 * ended, or max_time_ms. */
static int cluster_check_over(pn_cluster_verifier *v)
{
    uint64_t limit = cluster_time_limit(v);
    if (v->claim.measured || v->ended == v->claim.job_count)
        return PN_OK;
    if (v->end_count > 0 && v->end[0].time < limit)
        return pn_cluster_check_reject(v, "the run ends before an attempt that runs",
                                       v->end[0].time, id_of_first_end(v));
    if (v->arrived < v->claim.job_count &&
        pn_cluster_claimed(&v->claim, v->arrived)->submit < limit)
        return pn_cluster_check_reject(v, "the job does not come when it has to",
                                       pn_cluster_claimed(&v->claim, v->arrived)->submit,
                                       v->arrived + 1);
    for (size_t i = v->fate_next; i < v->fate_count; i++)
        if (v->fate[i].time < limit && !v->fate[i].down && !v->node[v->fate[i].node].up)
            return pn_cluster_check_reject(v, "the run ends before a node comes back",
                                           v->fate[i].time, 0);
    return PN_OK;
}

static int cluster_check_unfinished(pn_cluster_verifier *v, uint64_t unfinished)
{
    uint64_t left = v->claim.job_count - v->ended;
    if (left == unfinished)
        return PN_OK;
    if (left < unfinished)
        return pn_cluster_check_reject(v, "fewer jobs are unfinished than the log says", v->time,
                                       0);
    size_t first = 0;
    while (v->job[first].stage == PN_CLUSTER_CHECK_ENDED)
        first++;
    return pn_cluster_check_reject(v, "the job does not end", v->time, first + 1);
}

int pn_cluster_verifier_end(pn_cluster_verifier *v, uint64_t end, uint64_t unfinished,
                            uint64_t digest)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    int status = cluster_check_owed(v, 0);
    if (status == PN_OK)
        status = cluster_check_unfinished(v, unfinished);
    if (status == PN_OK)
        status = cluster_check_over(v);
    if (status != PN_OK)
        return status;
    cluster_close_instant(v);
    if (end != v->last_finish)
        return pn_cluster_check_reject(v, "the end is not the last finish", end, 0);
    if (digest != v->digest)
        return pn_cluster_check_reject(v, "the digest does not match the entries", end, 0);
    return PN_OK;
}

const char *pn_cluster_verifier_fault(const pn_cluster_verifier *v, uint64_t *time, uint64_t *id)
{
    if (time)
        *time = v->fault_time;
    if (id)
        *id = v->fault_id;
    return v->fault;
}
