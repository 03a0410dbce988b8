/* What the checker holds against entries of attempts: launches, ends, kills, suspensions. */
#include "state.h"

/* ---- launches ---- */

/* Checks CL5 to CL7: at the node's heartbeat, so many tasks; without heartbeats whenever something
 * has happened, or a job is let go. */
static int check_beat(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    const pn_cluster_config *config = &v->config;
    uint64_t period = config->heartbeat_ms;
    if (period == 0) {
        bool woken = config->scheduler.locality_delay_ms > 0 &&
                     e->time >= config->scheduler.locality_delay_ms;
        if (!v->happened && !woken && !v->claim.holds && e->time % config->tick_ms != 0)
            return pn_cluster_check_reject(v, "a launch though nothing has happened", e->time,
                                           e->id);
        return PN_OK;
    }
    uint64_t first = e->node * period / v->node_count;
    if (e->time < first || (e->time - first) % period != 0)
        return pn_cluster_check_reject(v, "a launch off the node's heartbeat", e->time, e->id);
    if (v->beat_node != v->node_count && e->node < v->beat_node)
        return pn_cluster_check_reject(v, "at one time nodes beat in order", e->time, e->id);
    if (e->node != v->beat_node) {
        v->beat_node = e->node;
        v->beat_maps = v->reduced = 0;
    }
    if (v->reduced)
        return pn_cluster_check_reject(v, "a beat gives maps, then one reduce at most", e->time,
                                       e->id);
    v->reduced = e->kind == PN_SCHEDULER_REDUCE;
    v->beat_maps += e->kind == PN_SCHEDULER_MAP;
    if (config->maps_per_heartbeat > 0 && v->beat_maps > config->maps_per_heartbeat)
        return pn_cluster_check_reject(v, "more maps than a beat gives", e->time, e->id);
    return PN_OK;
}

/* Returns whether reduces of the job may start (CL11). */
static bool reduces_ready(const pn_cluster_verifier *v, uint32_t job)
{
    const pn_scheduler_config *config = &v->config.scheduler;
    uint64_t maps = pn_cluster_claimed(&v->claim, job)->maps;
    bool after_maps = v->claim.maps_first || config->reduce_start == PN_SCHEDULER_AFTER_MAPS;
    uint64_t needed = after_maps ? maps : (maps * config->slowstart_permille + 999) / 1000;
    return v->job[job].done[PN_SCHEDULER_MAP] >= needed;
}

/* Checks CL9, CL10: which task of a job a node is given is no choice: of maps the first whose input
 * is there, else the first. Where inputs of a real host lie, it tells or not. */
static int check_turn(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task)
{
    uint32_t job = (uint32_t)e->id - 1, first = pn_cluster_check_first(v, job, e->kind);
    if (e->kind == PN_SCHEDULER_MAP &&
        (!v->claim.measured || pn_cluster_claimed(&v->claim, job)->blocks)) {
        uint32_t local = pn_cluster_check_first_local(v, job, e->node);
        if (local != PN_CLUSTER_NOBODY ? task == local
                                       : task == first || pn_cluster_check_local(v, task, e->node))
            return PN_OK;
    } else if (task == first || e->kind == PN_SCHEDULER_MAP) {
        return PN_OK;
    }
    return pn_cluster_check_reject(v, "another task of the job comes first", e->time, e->id);
}

/* Applies CL42: so many attempts of the job run already. */
static bool runs_enough(const pn_cluster_verifier *v, uint32_t index, uint32_t kind)
{
    const pn_cluster_check_job *job = &v->job[index];
    uint64_t most = v->config.scheduler.running_most, maps = job->in_slots[PN_SCHEDULER_MAP],
             reduces = job->in_slots[PN_SCHEDULER_REDUCE];
    bool mapped = job->done[PN_SCHEDULER_MAP] == pn_cluster_claimed(&v->claim, index)->maps;
    if (most == 0 || (kind == PN_SCHEDULER_MAP && maps == 0))
        return false;
    return maps + reduces >= most ||
           (kind == PN_SCHEDULER_REDUCE && !mapped && reduces + 1 >= most);
}

/* Checks that a slot of the node is free, that the node offers it now, and that the job may have
 * it. */
static int check_slot(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    const pn_cluster_check_node *node = &v->node[e->node];
    int status = v->claim.measured ? PN_OK : check_beat(v, e);
    if (status != PN_OK)
        return status;
    if (!node->up)
        return pn_cluster_check_reject(v, "a launch on a node that is down", e->time, e->id);
    if (node->free[e->kind] <= 0)
        return pn_cluster_check_reject(v, "more attempts than the node has slots", e->time, e->id);
    if (runs_enough(v, (uint32_t)e->id - 1, e->kind))
        return pn_cluster_check_reject(v, "more attempts of the job run than may", e->time, e->id);
    return PN_OK;
}

/* Checks CL35: what is suspended there resumes first. */
static int check_first(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task)
{
    if (pn_cluster_check_suspended_on(v, (uint32_t)e->id - 1, e->kind, e->node) !=
        PN_CLUSTER_NOBODY)
        return pn_cluster_check_reject(v, "a suspended attempt of the job resumes there first",
                                       e->time, e->id);
    if (e->kind == PN_SCHEDULER_REDUCE && !reduces_ready(v, (uint32_t)e->id - 1))
        return pn_cluster_check_reject(v, "a reduce starts before it is ready", e->time, e->id);
    return check_turn(v, e, task);
}

/* Checks the launch of a second attempt of a task (CL37). */
static int check_copy(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task)
{
    const pn_cluster_check_attempt *first = &v->attempt[v->task[task].attempt];
    if (!v->claim.copies || first->suspended || first->twin != PN_CLUSTER_NOBODY)
        return pn_cluster_check_reject(v, "the task is not pending", e->time, e->id);
    if (first->node == e->node)
        return pn_cluster_check_reject(v, "a second attempt on the node of the first", e->time,
                                       e->id);
    return PN_OK;
}

int pn_cluster_check_feed_launch(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task)
{
    int status = check_slot(v, e);
    if (status != PN_OK)
        return status;
    if (v->task[task].state == PN_CLUSTER_CHECK_DONE)
        return pn_cluster_check_reject(v, "the task is not pending", e->time, e->id);
    if (v->task[task].used != e->attempt)
        return pn_cluster_check_reject(v, "attempts are numbered without gaps", e->time, e->id);
    status = v->task[task].state == PN_CLUSTER_CHECK_HELD ? check_copy(v, e, task)
                                                          : check_first(v, e, task);
    if (status == PN_OK)
        pn_cluster_check_launch(v, task, e->node);
    return status;
}

int pn_cluster_check_feed_resume(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                 uint32_t attempt)
{
    int status = check_slot(v, e);
    if (status != PN_OK)
        return status;
    if (attempt != pn_cluster_check_suspended_on(v, (uint32_t)e->id - 1, e->kind, e->node))
        return pn_cluster_check_reject(v, "another task of the job comes first", e->time, e->id);
    pn_cluster_check_resume(v, attempt);
    return PN_OK;
}

/* ---- ends of attempts ---- */

/* Checks that it has to end now and this way. */
static int check_end(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t attempt)
{
    const pn_cluster_check_attempt *a = &v->attempt[attempt];
    if (a->suspended)
        return pn_cluster_check_reject(v, "a suspended attempt ends", e->time, e->id);
    if (v->claim.measured) {
        if (e->kind == PN_SCHEDULER_REDUCE && e->event == PN_SCHEDULER_END && !a->fed)
            return pn_cluster_check_reject(v, "a reduce ends before the job's maps", e->time,
                                           e->id);
        return PN_OK;
    }
    if (a->place == 0) /* maps have an end from the start */
        return pn_cluster_check_reject(v, "a reduce ends before the job's maps", e->time, e->id);
    if (v->end[a->place - 1].time != e->time)
        return pn_cluster_check_reject(v, "the attempt ends at another time than it should",
                                       e->time, e->id);
    if (a->place != 1)
        return pn_cluster_check_reject(v, "at one time attempts end in order", e->time, e->id);
    if (a->fails != (e->event == PN_SCHEDULER_FAIL))
        return pn_cluster_check_reject(v,
                                       a->fails ? "the attempt does not fail though it has to"
                                                : "the attempt fails though it has not to",
                                       e->time, e->id);
    return PN_OK;
}

/* Ends a task that is done, and with it the job when it was the last. */
static void end_task(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    uint32_t at = v->task[task].job;
    const pn_cluster_check_job *job = &v->job[at];
    pn_cluster_check_done(v, task, node);
    v->owed = PN_CLUSTER_OWED_NOTHING;
    if (job->done[PN_SCHEDULER_MAP] == pn_cluster_claimed(&v->claim, at)->maps &&
        job->done[PN_SCHEDULER_REDUCE] == pn_cluster_claimed(&v->claim, at)->reduces) {
        v->owed = PN_CLUSTER_OWED_FINISH;
        v->owed_job = at;
    }
}

int pn_cluster_check_feed_end(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t attempt)
{
    uint32_t task = v->attempt[attempt].task, twin = v->attempt[attempt].twin;
    int status = check_end(v, e, attempt);
    if (status != PN_OK)
        return status;
    pn_cluster_check_stop(v, attempt);
    if (twin == PN_CLUSTER_NOBODY) {
        end_task(v, task, e->node);
        return PN_OK;
    }
    v->owed = PN_CLUSTER_OWED_CANCEL;
    v->owed_job = v->task[task].job;
    v->owed_attempt = twin;
    v->owed_winner = e->node;
    return PN_OK;
}

/* Checks and enters the cancelling of an attempt whose task another attempt has done (CL38). */
int pn_cluster_check_feed_cancel(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                 uint32_t attempt)
{
    uint32_t task = v->attempt[attempt].task;
    if (v->owed != PN_CLUSTER_OWED_CANCEL || v->owed_attempt != attempt)
        return pn_cluster_check_reject(v, "an attempt is cancelled, but its task is not done",
                                       e->time, e->id);
    pn_cluster_check_stop(v, attempt);
    end_task(v, task, v->owed_winner);
    return PN_OK;
}

/* Gives up an attempt that is over; the task is to be done again unless another one is there. */
void pn_cluster_check_give_up(pn_cluster_verifier *v, uint32_t attempt)
{
    uint32_t task = v->attempt[attempt].task;
    pn_cluster_check_stop(v, attempt);
    if (v->task[task].attempt == PN_CLUSTER_NOBODY)
        pn_cluster_check_pend(v, task);
}

int pn_cluster_check_feed_fail(pn_cluster_verifier *v, const pn_scheduler_event *e,
                               uint32_t attempt)
{
    uint32_t task = v->attempt[attempt].task;
    int status = check_end(v, e, attempt);
    if (status != PN_OK)
        return status;
    pn_cluster_check_give_up(v, attempt);
    if (++v->task[task].failures >= v->config.scheduler.attempts_max) {
        v->owed = PN_CLUSTER_OWED_FAILURE;
        v->owed_job = (size_t)e->id - 1;
    }
    return PN_OK;
}

int pn_cluster_check_feed_drop(pn_cluster_verifier *v, const pn_scheduler_event *e,
                               uint32_t attempt)
{
    if (v->owed == PN_CLUSTER_OWED_NOTHING && v->claim.measured) {
        v->owed = PN_CLUSTER_OWED_REMOVAL;
        v->owed_job = (size_t)e->id - 1;
    }
    if ((v->owed != PN_CLUSTER_OWED_FAILURE && v->owed != PN_CLUSTER_OWED_REMOVAL) ||
        v->owed_job != e->id - 1)
        return pn_cluster_check_reject(v, "an attempt is dropped, but its job has not failed",
                                       e->time, e->id);
    pn_cluster_check_give_up(v, attempt);
    return PN_OK;
}

/* ---- what policies take back ---- */

/* Checks a plan, which comes after a job's arrival, or with a tick (CL19b). */
static int check_plan(pn_cluster_verifier *v, const pn_scheduler_event *e)
{
    if (!v->claim.preempts)
        return pn_cluster_check_reject(v, "the policy does not kill", e->time, e->id);
    if (v->claim.measured || (v->class == PN_CLUSTER_CLASS_ARRIVAL && v->accepted))
        return PN_OK;
    if (e->time % v->config.tick_ms != 0)
        return pn_cluster_check_reject(v, "a kill though nothing is planned", e->time, e->id);
    return pn_cluster_check_enter(v, e, PN_CLUSTER_CLASS_TICK);
}

int pn_cluster_check_feed_kill(pn_cluster_verifier *v, const pn_scheduler_event *e,
                               uint32_t attempt)
{
    uint32_t most = v->config.scheduler.max_kills;
    int status = check_plan(v, e);
    if (status == PN_OK && v->attempt[attempt].suspended)
        status = pn_cluster_check_reject(v, "a kill of a suspended attempt", e->time, e->id);
    if (status == PN_OK && most > 0 && v->task[v->attempt[attempt].task].used > most)
        status = pn_cluster_check_reject(v, "the task is protected from kills", e->time, e->id);
    if (status == PN_OK)
        pn_cluster_check_give_up(v, attempt);
    return status;
}

int pn_cluster_check_feed_suspend(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                  uint32_t attempt)
{
    const pn_cluster_check_attempt *a = &v->attempt[attempt];
    const pn_cluster_config *config = &v->config;
    bool costs = config->restore_ms > 0 || config->restore_permille > 0 || config->save_ms > 0 ||
                 config->save_permille > 0;
    uint64_t most = costs ? pn_min(config->scheduler.max_kills, UINT16_MAX) : 0;
    int status = check_plan(v, e);
    if (status == PN_OK && most > 0 && a->suspensions >= most)
        status = pn_cluster_check_reject(v, "the task is protected from suspensions", e->time,
                                         e->id);
    if (status == PN_OK && (a->suspended || a->twin != PN_CLUSTER_NOBODY))
        status = pn_cluster_check_reject(v, "only a task with one running attempt is suspended",
                                         e->time, e->id);
    if (status == PN_OK)
        pn_cluster_check_suspend(v, attempt);
    return status;
}
