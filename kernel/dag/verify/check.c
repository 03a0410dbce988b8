/* The checker. It shares no code with the engine and the core: it keeps its own books of nodes,
 * jobs and tasks, works out by itself when each attempt has to end, and holds every entry of a log
 * against that (DG29).
 *
 * Of the decisions themselves it judges what no policy may choose: that there is room and
 * dependencies are met, which of a stage's tasks is next, who may be killed and when, and that
 * nothing waits that fits. */
#include "base/config.h"
#include "state.h"

int pn_dag_check_reject(pn_dag_verifier *v, const char *fault, uint64_t time, uint64_t id)
{
    v->fault = fault;
    v->fault_time = time;
    v->fault_id = id;
    return PN_ERR_REJECTED;
}

/* ---- time ---- */

/* Returns what was announced for nodes next: the next of it that changes something, up to a time;
 * null when nothing does. */
static const pn_dag_check_fate *dag_next_fate(pn_dag_verifier *v, uint64_t until)
{
    for (; v->fate_next < v->fate_count && v->fate[v->fate_next].time <= until; v->fate_next++) {
        const pn_dag_check_fate *fate = &v->fate[v->fate_next];
        if (v->node[fate->node].up == fate->down)
            return fate;
    }
    return NULL;
}

/* Checks that nothing is missing that has to happen up to this time, of the phases before `phase`.
 * Ends that are missing show when the attempt ends, or at the end of the log. */
static int dag_check_missing(pn_dag_verifier *v, uint64_t until, uint32_t phase)
{
    const pn_dag_check_fate *fate = phase > PN_DAG_PHASE_NODE_DOWN ? dag_next_fate(v, until) : NULL;
    if (fate)
        return pn_dag_check_reject(v,
                                   fate->down ? "a node does not go down when it has to"
                                              : "a node does not come back when it has to",
                                   fate->time, 0);
    if (phase > PN_DAG_PHASE_ARRIVAL && v->arrived < v->claim.job_count &&
        pn_dag_claimed(&v->claim, v->arrived)->arrival <= until)
        return pn_dag_check_reject(v, "the job does not arrive when it has to",
                                   pn_dag_claimed(&v->claim, v->arrived)->arrival, v->arrived + 1);
    return PN_OK;
}

static int dag_check_owed(pn_dag_verifier *v, const pn_dispatch_event *next)
{
    if (v->closing != PN_DAG_CHECK_NONE &&
        (!next || next->event != PN_DISPATCH_LOSE || next->time != v->time))
        return pn_dag_check_reject(v, "an attempt survives the failure of its node", v->time, 0);
    if (v->owed != 0 && (!next || next->event != PN_DISPATCH_JOB_FINISH || next->id != v->owed ||
                         next->time != v->time))
        return pn_dag_check_reject(v, "the job is complete and does not finish", v->time, v->owed);
    return PN_OK;
}

/* Closes the instant: its entries are folded, and nothing waits that fits. */
static int dag_close_instant(pn_dag_verifier *v)
{
    if (v->entries > 0)
        v->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, v->digest), v->time), v->fold);
    v->entries = 0;
    v->fold = 0;
    return v->finished == v->claim.job_count ? PN_OK : pn_dag_check_waiting(v);
}

static int dag_go_to(pn_dag_verifier *v, uint64_t time)
{
    if (time == v->time)
        return PN_OK;
    int status = dag_close_instant(v);
    if (status == PN_OK)
        status = dag_check_missing(v, time - 1, PN_DAG_PHASE_DISPATCH);
    v->time = time;
    v->phase = 0;
    v->last[0] = v->last[1] = v->last[2] = 0;
    return status;
}

/* ---- the order of entries in an instant (DG3) ---- */

static uint32_t dag_phase_of(uint32_t event)
{
    static const uint8_t phases[] = {
        [PN_DISPATCH_ARRIVE] = PN_DAG_PHASE_ARRIVAL,
        [PN_DISPATCH_LAUNCH] = PN_DAG_PHASE_DISPATCH,
        [PN_DISPATCH_END] = PN_DAG_PHASE_END,
        [PN_DISPATCH_KILL] = PN_DAG_PHASE_DISPATCH,
        [PN_DISPATCH_LOSE] = PN_DAG_PHASE_NODE_DOWN,
        [PN_DISPATCH_NODE_DOWN] = PN_DAG_PHASE_NODE_DOWN,
        [PN_DISPATCH_NODE_UP] = PN_DAG_PHASE_NODE_UP,
        [PN_DISPATCH_JOB_FINISH] = PN_DAG_PHASE_END,
        [PN_DISPATCH_MOVE] = PN_DAG_PHASE_DISPATCH,
    };
    return phases[event];
}

/* Returns whether these come in ascending order; + 1, so that nothing came before the first. */
static bool ascends(pn_dag_verifier *v, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t next[3] = {a + 1, b + 1, c + 1};
    int order = 0;
    for (int i = 0; i < 3 && order == 0; i++)
        order = v->last[i] < next[i] ? -1 : v->last[i] > next[i];
    for (int i = 0; i < 3; i++)
        v->last[i] = next[i];
    return order < 0;
}

static bool is_in_order(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    if (e->event == PN_DISPATCH_NODE_UP || e->event == PN_DISPATCH_NODE_DOWN)
        return ascends(v, e->node, 0, 0);
    if (e->event == PN_DISPATCH_END)
        return ascends(v, e->id, e->stage, e->task);
    return true;
}

static int dag_enter(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    uint32_t phase = dag_phase_of(e->event);
    int status = dag_check_missing(v, e->time, phase);
    if (status != PN_OK)
        return status;
    if (phase < v->phase)
        return pn_dag_check_reject(v, "entries of one time are not in their order", e->time, e->id);
    if (phase > v->phase)
        v->last[0] = v->last[1] = v->last[2] = 0;
    v->phase = phase;
    return is_in_order(v, e) ? PN_OK
                             : pn_dag_check_reject(v, "entries of one time are not in their order",
                                                   e->time, e->id);
}

/* ---- entries ---- */

static int feed_node(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    const pn_dag_check_fate *fate = dag_next_fate(v, e->time);
    bool down = e->event == PN_DISPATCH_NODE_DOWN;
    if (!fate || fate->node != e->node || fate->down != down)
        return pn_dag_check_reject(v, "the node does not fail or recover then", e->time, 0);
    v->fate_next++;
    if (!down) {
        pn_dag_check_node_up(v, e->node);
        return PN_OK;
    }
    v->node[e->node].up = 0;
    pn_dag_check_executor_leaves(v, e->node);
    if (v->node[e->node].running > 0)
        v->closing = e->node;
    return PN_OK;
}

static int dag_feed_arrival(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    size_t job = v->arrived;
    if (e->id != job + 1 || pn_dag_claimed(&v->claim, job)->arrival != e->time)
        return pn_dag_check_reject(v, "no such job arrives then", e->time, e->id);
    v->arrived++;
    v->job[job].life = PN_DAG_CHECK_IN_SYSTEM;
    for (uint32_t s = 0; s < pn_dag_claimed(&v->claim, job)->stage_count; s++)
        if (v->stage[v->job[job].first_stage + s].waits == 0)
            pn_dag_check_open(v, v->job[job].first_stage + s);
    return PN_OK;
}

/* Enters a finish. That no job takes less time than alone follows from what is checked of its
 * attempts. */
static int dag_feed_finish(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    pn_dag_check_job *job = &v->job[e->id - 1];
    uint64_t jct = e->time - pn_dag_claimed(&v->claim, e->id - 1)->arrival;
    if (v->owed != e->id)
        return pn_dag_check_reject(v, "the job is not complete", e->time, e->id);
    v->owed = 0;
    job->life = PN_DAG_CHECK_FINISHED;
    job->finish = v->last_finish = e->time;
    v->finished++;
    v->total_jct = pn_wide_sum(v->total_jct, (pn_wide){0, jct});
    v->slowdown_sum = pn_wide_sum(v->slowdown_sum, (pn_wide){0, jct * 1000 / job->alone});
    return PN_OK;
}

/* Checks the names of an entry: a node's, a job's, an attempt's. Others must be 0. */
static int dag_check_names(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    bool of_node = e->event == PN_DISPATCH_NODE_UP || e->event == PN_DISPATCH_NODE_DOWN;
    bool of_job = e->event == PN_DISPATCH_ARRIVE || e->event == PN_DISPATCH_JOB_FINISH;
    bool plain = e->stage == 0 && e->task == 0 && e->attempt == 0;
    if (e->node >= v->node_count || (of_job && e->node != 0))
        return pn_dag_check_reject(v, "there is no such node", e->time, e->id);
    if (of_node ? e->id != 0 : e->id < 1 || e->id > v->claim.job_count)
        return pn_dag_check_reject(v, "there is no such job", e->time, e->id);
    bool moves = e->event == PN_DISPATCH_MOVE;
    if ((of_node || of_job || moves) && !plain)
        return pn_dag_check_reject(v, "the entry names a task and has none", e->time, e->id);
    if (of_node || of_job)
        return PN_OK;
    const pn_dag_job *job = pn_dag_claimed(&v->claim, e->id - 1);
    if (!moves && (e->stage >= job->stage_count || e->task >= job->stages[e->stage].tasks))
        return pn_dag_check_reject(v, "there is no such task", e->time, e->id);
    return v->job[e->id - 1].life == PN_DAG_CHECK_IN_SYSTEM
               ? PN_OK
               : pn_dag_check_reject(v, "the job is not in the system", e->time, e->id);
}

static int dag_feed(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    switch (e->event) {
    case PN_DISPATCH_NODE_UP:
    case PN_DISPATCH_NODE_DOWN:
        return feed_node(v, e);
    case PN_DISPATCH_ARRIVE:
        return dag_feed_arrival(v, e);
    case PN_DISPATCH_JOB_FINISH:
        return dag_feed_finish(v, e);
    case PN_DISPATCH_MOVE:
        return pn_dag_check_move(v, e);
    case PN_DISPATCH_LAUNCH:
        return pn_dag_check_launch(v, e, v->job[e->id - 1].first_stage + e->stage);
    default:
        return pn_dag_check_end(v, e, v->job[e->id - 1].first_stage + e->stage);
    }
}

static bool is_known(uint32_t event)
{
    return event == PN_DISPATCH_MOVE ||
           (event >= PN_DISPATCH_ARRIVE && event <= PN_DISPATCH_JOB_FINISH &&
            event != PN_DISPATCH_FAIL && event != PN_DISPATCH_DROP);
}

static void dag_fold(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    uint64_t mixed = pn_mix(pn_mix(pn_mix(PN_MIX_START, e->time), e->event), e->id);
    mixed = pn_mix(pn_mix(pn_mix(pn_mix(mixed, e->stage), e->task), e->node), e->attempt);
    v->fold += mixed;
    v->entries++;
}

int pn_dag_verifier_feed(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    if (!v || !e || !PN_GIVEN(e, pn_dispatch_event, capacity))
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (!is_known(e->event))
        return pn_dag_check_reject(v, "no such kind of entry", e->time, e->id);
    if (e->time < v->time)
        return pn_dag_check_reject(v, "entries must be in order of time", e->time, e->id);
    if (e->time >= v->time_limit)
        return pn_dag_check_reject(v, "no time is so late", e->time, e->id);
    int status = dag_check_owed(v, e);
    if (status == PN_OK)
        status = dag_check_names(v, e);
    if (status == PN_OK)
        status = dag_go_to(v, e->time);
    if (status == PN_OK)
        status = dag_enter(v, e);
    if (status == PN_OK)
        status = dag_feed(v, e);
    if (status == PN_OK)
        dag_fold(v, e);
    return status;
}

/* ---- the end ---- */

int pn_dag_verifier_stop(pn_dag_verifier *v, uint64_t until)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (until > PN_INTEGER_MAX || (until <= v->time && v->entries > 0))
        return pn_dag_check_reject(v, "the run continues after it was stopped", v->time, 0);
    v->time_limit = pn_min(until, v->time_limit);
    return PN_OK;
}

/* Checks that no attempt runs that should have ended before the run did. */
static int check_running(pn_dag_verifier *v)
{
    for (uint32_t s = 0; s < v->stage_count; s++) {
        const pn_dag_check_stage *entry = &v->stage[s];
        uint32_t stage = s - v->job[entry->job].first_stage;
        for (uint32_t t = 0; t < pn_dag_check_given(v, s)->tasks && entry->running > 0; t++) {
            const pn_dag_check_task *task = &v->task[entry->first_task + t];
            if (task->state != PN_DAG_CHECK_RUNNING)
                continue;
            const pn_dag_check_node *node = &v->node[task->node];
            uint64_t end = task->start + node->delay +
                           pn_dag_check_ms(v, entry->job, stage, t, node->speed);
            if (end < v->time_limit)
                return pn_dag_check_reject(v, "the run ends before an attempt that runs", end,
                                           (uint64_t)entry->job + 1);
        }
    }
    return PN_OK;
}

/* Checks the end of a run, which lasts as long as something is to happen: until all jobs are
 * finished, or max_time_ms (DG4). */
static int dag_check_over(pn_dag_verifier *v)
{
    if (v->finished == v->claim.job_count || v->time_limit == 0)
        return PN_OK;
    int status = dag_check_missing(v, v->time_limit - 1, PN_DAG_PHASE_DISPATCH);
    return status == PN_OK ? check_running(v) : status;
}

static int dag_check_unfinished(pn_dag_verifier *v, uint64_t unfinished)
{
    uint64_t left = v->claim.job_count - v->finished;
    if (left == unfinished)
        return PN_OK;
    if (left < unfinished)
        return pn_dag_check_reject(v, "fewer jobs are unfinished than the log says", v->time, 0);
    size_t first = 0;
    while (v->job[first].life == PN_DAG_CHECK_FINISHED)
        first++;
    return pn_dag_check_reject(v, "the job does not finish", v->time, first + 1);
}

int pn_dag_verifier_end(pn_dag_verifier *v, uint64_t unfinished, const pn_dag_totals *totals,
                        uint64_t digest)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    int status = dag_check_owed(v, NULL);
    if (status == PN_OK)
        status = dag_close_instant(v);
    if (status == PN_OK)
        status = dag_check_unfinished(v, unfinished);
    if (status == PN_OK)
        status = dag_check_over(v);
    if (status == PN_OK && totals)
        status = pn_dag_check_totals(v, totals);
    if (status == PN_OK && digest != v->digest)
        return pn_dag_check_reject(v, "the digest does not match the entries", v->time, 0);
    return status;
}

const char *pn_dag_verifier_fault(const pn_dag_verifier *v, uint64_t *time, uint64_t *id)
{
    if (time)
        *time = v->fault_time;
    if (id)
        *id = v->fault_id;
    return v->fault;
}
