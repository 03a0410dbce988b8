/* The checker's own books: what runs where, what is ready and waits, what has room. Entries are
 * entered here after their order was checked. */
#include "state.h"

static uint64_t dag_id_of(const pn_dag_verifier *v, uint32_t stage)
{
    return (uint64_t)v->stage[stage].job + 1;
}

static pn_dag_check_task *task_of(const pn_dag_verifier *v, uint32_t stage, uint32_t task)
{
    return &v->task[v->stage[stage].first_task + task];
}

uint32_t pn_dag_check_pending(const pn_dag_verifier *v, uint32_t stage)
{
    const pn_dag_check_stage *entry = &v->stage[stage];
    return pn_dag_check_given(v, stage)->tasks - entry->running - entry->done;
}

/* ---- stages that are offered ---- */

static void add_offered(pn_dag_verifier *v, uint32_t stage)
{
    pn_dag_check_class *class = &v->class[v->stage[stage].class];
    if (class->offered++ > 0)
        return;
    class->fresh = v->eased = 1;
    if (!class->listed)
        v->waiting[v->waiting_count++] = v->stage[stage].class;
    class->listed = 1;
}

bool pn_dag_check_full(const pn_dag_verifier *v, const pn_dag_check_job *job)
{
    uint64_t most = v->config.dispatch.running_most;
    return most > 0 && job->running >= most;
}

/* Offers the stages of a job again, or no longer while the job is full. */
static void offer_stages(pn_dag_verifier *v, uint32_t job, bool again)
{
    uint32_t first = v->job[job].first_stage;
    for (uint32_t s = first; s < first + pn_dag_claimed(&v->claim, job)->stage_count; s++) {
        if (v->stage[s].ready == PN_DAG_CHECK_NEVER || pn_dag_check_pending(v, s) == 0)
            continue;
        if (again)
            add_offered(v, s);
        else
            v->class[v->stage[s].class].offered--;
    }
}

/* Checks that the stage may open: its job has arrived, and its last parent is finished. */
void pn_dag_check_open(pn_dag_verifier *v, uint32_t stage)
{
    v->stage[stage].ready = v->time;
    v->job[v->stage[stage].job].later -= pn_dag_check_given(v, stage)->tasks;
    add_offered(v, stage);
}

static void close_stage(pn_dag_verifier *v, uint32_t stage)
{
    pn_dag_check_stage *entry = &v->stage[stage];
    pn_dag_check_job *job = &v->job[entry->job];
    entry->finish = v->time;
    for (uint32_t k = 0; k < entry->child_count; k++) {
        uint32_t child = v->children[entry->first_child + k];
        if (--v->stage[child].waits == 0)
            pn_dag_check_open(v, child);
    }
    if (++job->finished_stages == pn_dag_claimed(&v->claim, entry->job)->stage_count)
        v->owed = dag_id_of(v, stage);
}

/* ---- room ---- */

static bool dag_fits(const pn_dag_verifier *v, const uint64_t *demand, uint32_t node)
{
    bool room = v->node[node].up;
    for (uint32_t r = 0; r < v->resources; r++)
        room &= v->node[node].free[r] >= demand[r];
    return room;
}

static bool within_maximum(const pn_dag_verifier *v, const uint64_t *demand, uint32_t queue)
{
    const pn_dispatch_config *config = &v->config.dispatch;
    uint64_t maximum = config->queues && config->queues[queue].maximum > 0
                           ? config->queues[queue].maximum
                           : 1000;
    for (uint32_t r = 0; r < v->resources && v->claim.limits; r++)
        if (v->queue[queue].use[r] + demand[r] > maximum * v->capacity[r] / 1000)
            return false;
    return true;
}

static void note_grown(pn_dag_verifier *v, uint32_t node)
{
    if (!v->node[node].grown)
        v->grown[v->grown_count++] = node;
    v->node[node].grown = v->eased = 1;
}

void pn_dag_check_node_up(pn_dag_verifier *v, uint32_t node)
{
    v->node[node].up = 1;
    note_grown(v, node);
}

/* ---- attempts ---- */

/* Returns what is wrong with a launch, or null. */
static const char *launch_fault(const pn_dag_verifier *v, const pn_dispatch_event *e,
                                uint32_t stage)
{
    const pn_dag_check_stage *entry = &v->stage[stage];
    const pn_dag_check_task *task = task_of(v, stage, e->task);
    const uint64_t *demand = pn_dag_check_given(v, stage)->demand;
    if (entry->ready == PN_DAG_CHECK_NEVER)
        return "the stage starts before it is ready";
    if (task->state != PN_DAG_CHECK_PENDING)
        return "the task runs already, or is done";
    if (task->attempt != e->attempt)
        return "attempts of a task are 0, 1, 2 and so on";
    for (uint32_t t = entry->lowest; t < e->task; t++)
        if (task_of(v, stage, t)->state == PN_DAG_CHECK_PENDING)
            return "a lower task of the stage is pending";
    if (!v->node[e->node].up)
        return "the node is down";
    if (!dag_fits(v, demand, e->node))
        return "the node has no room";
    if (!within_maximum(v, demand, pn_dag_claimed(&v->claim, entry->job)->queue))
        return "the queue is over its maximum";
    if (pn_dag_check_full(v, &v->job[entry->job]))
        return "more tasks of the job run than may";
    return pn_dag_check_executor_fault(v, e, stage);
}

int pn_dag_check_launch(pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage)
{
    pn_dag_check_stage *entry = &v->stage[stage];
    const uint64_t *demand = pn_dag_check_given(v, stage)->demand;
    const char *fault = launch_fault(v, e, stage);
    if (fault)
        return pn_dag_check_reject(v, fault, e->time, e->id);
    pn_dag_check_task *task = task_of(v, stage, e->task);
    task->state = PN_DAG_CHECK_RUNNING;
    task->start = e->time;
    task->node = e->node;
    entry->lowest = e->task + 1;
    entry->running++;
    entry->start = pn_min(entry->start, e->time);
    v->job[entry->job].first_start = pn_min(v->job[entry->job].first_start, e->time);
    for (uint32_t r = 0; r < v->resources; r++) {
        v->node[e->node].free[r] -= demand[r];
        v->queue[pn_dag_claimed(&v->claim, entry->job)->queue].use[r] += demand[r];
    }
    v->node[e->node].running++;
    pn_dag_check_executor_serves(v, e, stage);
    v->launches++;
    v->job[entry->job].running++;
    if (pn_dag_check_pending(v, stage) == 0)
        v->class[entry->class].offered--;
    if (pn_dag_check_full(v, &v->job[entry->job]))
        offer_stages(v, entry->job, false);
    return PN_OK;
}

/* Returns what is wrong with the end of an attempt, or null. */
static const char *end_fault(const pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage)
{
    const pn_dag_check_task *task = task_of(v, stage, e->task);
    uint32_t most = v->config.dispatch.max_kills;
    if (task->state != PN_DAG_CHECK_RUNNING || task->node != e->node || task->attempt != e->attempt)
        return "no such attempt runs there";
    uint64_t end = task->start + pn_dag_check_ms(v, v->stage[stage].job, e->stage, e->task,
                                                 v->node[e->node].speed);
    end += v->node[e->node].delay;
    if (e->event == PN_DISPATCH_END && e->time != end)
        return "the attempt lasts longer or shorter than it has to";
    if (e->event == PN_DISPATCH_LOSE ? e->time > end
                                     : e->time >= end && e->event != PN_DISPATCH_END)
        return "the attempt continues after its end";
    if (e->event == PN_DISPATCH_LOSE && e->node != v->closing)
        return "an attempt is lost though its node does not fail";
    if (e->event != PN_DISPATCH_KILL)
        return NULL;
    if (!v->claim.preempts)
        return "the policy does not kill";
    if (e->time == 0 || e->time % v->config.tick_ms != 0)
        return "attempts are killed on ticks only";
    return most > 0 && e->attempt >= most ? "the task was killed or lost too often to be killed"
                                          : NULL;
}

/* Releases what the attempt held, which counts as used. */
static void dag_release(pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage)
{
    pn_dag_check_queue *queue = &v->queue[pn_dag_claimed(&v->claim, v->stage[stage].job)->queue];
    const uint64_t *demand = pn_dag_check_given(v, stage)->demand;
    for (uint32_t r = 0; r < v->resources; r++) {
        pn_wide used = pn_wide_product(demand[r], e->time - task_of(v, stage, e->task)->start);
        v->node[e->node].free[r] += demand[r];
        queue->use[r] -= demand[r];
        v->used[r] = pn_wide_sum(v->used[r], used);
        if (e->event != PN_DISPATCH_END)
            v->wasted[r] = pn_wide_sum(v->wasted[r], used);
    }
    v->node[e->node].running--;
    queue->shrunk = v->eased = 1;
    if (v->node[e->node].up)
        note_grown(v, e->node);
}

int pn_dag_check_end(pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage)
{
    pn_dag_check_stage *entry = &v->stage[stage];
    pn_dag_check_job *job = &v->job[entry->job];
    pn_dag_check_task *task = task_of(v, stage, e->task);
    const char *fault = end_fault(v, e, stage);
    if (fault)
        return pn_dag_check_reject(v, fault, e->time, e->id);
    bool done = e->event == PN_DISPATCH_END, full = pn_dag_check_full(v, job);
    dag_release(v, e, stage);
    entry->running--;
    job->running--;
    entry->done += done;
    if (full)
        offer_stages(v, entry->job, true);
    if (done) {
        task->state = PN_DAG_CHECK_DONE;
        if (entry->done == pn_dag_check_given(v, stage)->tasks)
            close_stage(v, stage);
        return PN_OK;
    }
    bool killed = e->event == PN_DISPATCH_KILL;
    task->state = PN_DAG_CHECK_PENDING;
    task->attempt++;
    entry->lowest = (uint32_t)pn_min(entry->lowest, e->task);
    job->kills += killed;
    job->lost += !killed;
    v->kills += killed;
    v->lost += !killed;
    if (!full && pn_dag_check_pending(v, stage) == 1)
        add_offered(v, stage);
    if (!killed && v->node[e->node].running == 0)
        v->closing = PN_DAG_CHECK_NONE;
    return PN_OK;
}

/* ---- what waits though it fits (C10) ---- */

static bool fits_somewhere(const pn_dag_verifier *v, const uint64_t *demand)
{
    for (uint32_t node = 0; node < v->node_count; node++)
        if (dag_fits(v, demand, node))
            return true;
    return false;
}

static bool fits_where_room_grew(const pn_dag_verifier *v, const uint64_t *demand)
{
    for (uint32_t i = 0; i < v->grown_count; i++)
        if (dag_fits(v, demand, v->grown[i]))
            return true;
    return false;
}

/* Returns whether a task waits in vain. What fitted nowhere before this instant can only fit where
 * there is more room since, or if its queue holds less; a sticky executor may have room that other
 * jobs could not use before. */
static bool waits_in_vain(const pn_dag_verifier *v, const pn_dag_check_class *class)
{
    bool anywhere = class->fresh || pn_dag_check_sticky(v) ||
                    (v->claim.limits && v->queue[class->queue].shrunk);
    return class->offered > 0 && within_maximum(v, class->demand, class->queue) &&
           (anywhere ? fits_somewhere(v, class->demand) : fits_where_room_grew(v, class->demand));
}

/* Returns the first job of which a task of this class is offered, as one is. */
static uint64_t waiting_job(const pn_dag_verifier *v, uint32_t class)
{
    uint32_t s = 0;
    while (v->stage[s].class != class || v->stage[s].ready == PN_DAG_CHECK_NEVER ||
           pn_dag_check_pending(v, s) == 0 || pn_dag_check_full(v, &v->job[v->stage[s].job]))
        s++;
    return dag_id_of(v, s);
}

/* Returns the first class of which a task waits in vain, or how many classes there are. What is no
 * longer offered leaves the list. */
static uint32_t first_in_vain(pn_dag_verifier *v)
{
    uint32_t first = v->class_count, kept = 0;
    for (uint32_t i = 0; i < v->waiting_count; i++) {
        uint32_t number = v->waiting[i];
        pn_dag_check_class *class = &v->class[number];
        if (number < first && waits_in_vain(v, class))
            first = number;
        class->fresh = 0;
        class->listed = class->offered > 0;
        if (class->listed)
            v->waiting[kept++] = number;
    }
    v->waiting_count = kept;
    return first;
}

int pn_dag_check_waiting(pn_dag_verifier *v)
{
    if (!v->eased)
        return PN_OK;
    uint32_t class = first_in_vain(v);
    if (class < v->class_count && pn_dag_check_sticky(v) && !pn_dag_check_is_one_free(v))
        class = v->class_count;
    if (class < v->class_count && (v->config.dispatch.backfill || pn_dag_check_sticky(v)))
        return pn_dag_check_reject(v, "a task waits though it fits on a node", v->time,
                                   waiting_job(v, class));
    for (uint32_t q = 0; q < v->queue_count; q++)
        v->queue[q].shrunk = 0;
    while (v->grown_count > 0)
        v->node[v->grown[--v->grown_count]].grown = 0;
    v->eased = 0;
    return PN_OK;
}
