/* Attempts begin and end: the books of slots, tasks and jobs. */
#include "state.h"

/* ---- slots ---- */

/* The nodes that are up and have a free slot of this kind. */
static pn_bits free_nodes(const pn_scheduler_view *view, uint32_t kind)
{
    return pn_bits_at(pn_at(view->s, view->s->free_nodes[kind]), view->s->nodes_count);
}

static void hold_slot(pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    pn_scheduler_node *it = &view->nodes[node];
    PN_ASSERT(it->up && it->free[kind] > 0);
    view->s->free_slots[kind]--;
    if (--it->free[kind] > 0)
        return;
    pn_bits free = free_nodes(view, kind);
    pn_bits_clear(&free, node);
    view->s->free_nodes_count[kind]--;
}

static void free_slot(pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    pn_scheduler_node *it = &view->nodes[node];
    PN_ASSERT(it->up && it->free[kind] < it->slots[kind]);
    view->s->free_slots[kind]++;
    if (it->free[kind]++ > 0)
        return;
    pn_bits free = free_nodes(view, kind);
    pn_bits_set(&free, node);
    view->s->free_nodes_count[kind]++;
}

/* A node whose slots are all free joins; one on which nothing runs leaves. */
void pn_scheduler_node_raise(pn_scheduler_view *view, uint32_t node)
{
    pn_scheduler_node *it = &view->nodes[node];
    it->up = 1;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        view->s->up_slots[kind] += it->slots[kind];
        for (uint32_t i = 0; i < it->slots[kind]; i++)
            free_slot(view, node, kind);
    }
}

void pn_scheduler_node_lower(pn_scheduler_view *view, uint32_t node)
{
    pn_scheduler_node *it = &view->nodes[node];
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        PN_ASSERT(it->free[kind] == it->slots[kind]);
        view->s->up_slots[kind] -= it->slots[kind];
        while (it->free[kind] > 0)
            hold_slot(view, node, kind);
    }
    it->up = 0;
}

/* ---- places of attempts ---- */

static uint32_t take_attempt(pn_scheduler_view *view)
{
    pn_scheduler *s = view->s;
    uint32_t place = s->attempts_used;
    if (s->free_attempt != 0) {
        place = s->free_attempt - 1;
        s->free_attempt = view->attempts[place].after;
    } else {
        s->attempts_used++;
    }
    PN_ASSERT(place < s->places_max);
    s->running++;
    return place;
}

static void link_attempt(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_attempt *it = &view->attempts[place];
    pn_scheduler_entry *job = &view->jobs[it->job];
    pn_scheduler_node *node = &view->nodes[it->node];
    it->before = job->last_attempt[it->kind];
    if (it->before != 0)
        view->attempts[it->before - 1].after = place + 1;
    else
        job->first_attempt[it->kind] = place + 1;
    job->last_attempt[it->kind] = place + 1;
    it->node_after = node->first_attempt;
    if (it->node_after != 0)
        view->attempts[it->node_after - 1].node_before = place + 1;
    node->first_attempt = place + 1;
}

static void unlink_attempt(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_attempt *it = &view->attempts[place];
    pn_scheduler_entry *job = &view->jobs[it->job];
    if (it->before != 0)
        view->attempts[it->before - 1].after = it->after;
    else
        job->first_attempt[it->kind] = it->after;
    if (it->after != 0)
        view->attempts[it->after - 1].before = it->before;
    else
        job->last_attempt[it->kind] = it->before;
    if (it->node_before != 0)
        view->attempts[it->node_before - 1].node_after = it->node_after;
    else
        view->nodes[it->node].first_attempt = it->node_after;
    if (it->node_after != 0)
        view->attempts[it->node_after - 1].node_before = it->node_before;
    *it = (pn_scheduler_attempt){.token = it->token, .after = view->s->free_attempt};
    view->s->free_attempt = place + 1;
    view->s->running--;
}

pn_scheduler_task pn_scheduler_task_of(const pn_scheduler_view *view, uint32_t place)
{
    const pn_scheduler_attempt *it = &view->attempts[place];
    const pn_scheduler_entry *job = &view->jobs[it->job];
    const pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, it->job, it->kind)[it->task];
    return (pn_scheduler_task){.id = job->id,
                               .tag = job->tag,
                               .start = it->start,
                               .token = it->token,
                               .kind = it->kind,
                               .task = it->task,
                               .attempt = task->attempt,
                               .node = it->node,
                               .local = task->local,
                               .place = place};
}

/* PN_SCHEDULER_NO_ATTEMPT when the attempt does not run, or no longer. */
uint32_t pn_scheduler_attempt_of(const pn_scheduler *s, uint64_t token)
{
    const pn_scheduler_attempt *attempts =
        (const pn_scheduler_attempt *)(const void *)((const unsigned char *)s + s->attempts);
    uint32_t place = (uint32_t)(token % s->places_max);
    return attempts[place].busy && attempts[place].token == token ? place : PN_SCHEDULER_NO_ATTEMPT;
}

/* ---- beginning ---- */

/* Never 0, never twice: 2^64 / places launches at one place do not happen. */
static uint64_t next_token(const pn_scheduler_view *view, uint32_t place)
{
    uint64_t last = view->attempts[place].token;
    return view->s->places_max + (last > 0 ? last : place);
}

void pn_scheduler_launch(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t node)
{
    pn_scheduler_entry *it = &view->jobs[job];
    uint32_t local = kind == PN_SCHEDULER_MAP ? pn_scheduler_local_map(view, job, node)
                                              : UINT32_MAX;
    uint32_t index = local != UINT32_MAX ? local : pn_scheduler_lowest(view, job, kind);
    PN_ASSERT(index < it->tasks[kind]);
    if (kind == PN_SCHEDULER_MAP)
        pn_scheduler_host_add(view, job, node);
    pn_scheduler_unwait(view, job, kind, index);
    uint32_t place = take_attempt(view);
    pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, job, kind)[index];
    task->state = PN_SCHEDULER_TASK_RUNNING;
    task->where = place;
    task->local = local != UINT32_MAX;
    view->attempts[place] = (pn_scheduler_attempt){.token = next_token(view, place),
                                                   .launch = view->now,
                                                   .start = view->now,
                                                   .job = job,
                                                   .task = index,
                                                   .node = node,
                                                   .kind = kind,
                                                   .busy = 1};
    if (kind == PN_SCHEDULER_REDUCE && it->map_finish != PN_SCHEDULER_NEVER)
        view->attempts[place].outputs = pn_scheduler_outputs(view, job, node) > 0;
    link_attempt(view, place);
    hold_slot(view, node, kind);
    it->running[kind]++;
    if (it->first_start[kind] == PN_SCHEDULER_NEVER)
        it->first_start[kind] = view->now;
    if (view->s->order.started_first && it->started == 0)
        pn_scheduler_start(view, job);
    view->s->totals.launches++;
    pn_scheduler_tell(view, PN_SCHEDULER_LAUNCH, job, kind, index, node, task->attempt, place);
    if (view->hooks->launch) {
        pn_scheduler_task launched = pn_scheduler_task_of(view, place);
        view->hooks->launch(view->hooks->user, &launched);
    }
    /* Last, as a key may ask the host for the progress of what runs. */
    pn_scheduler_reorder(view, job, kind);
}

/* ---- ending ---- */

/* All maps are done: what the running reduces find on their nodes is settled, unless they have
 * fetched it all before. */
static void maps_ended(pn_scheduler_view *view, uint32_t job)
{
    view->jobs[job].map_finish = view->now;
    for (uint32_t link = view->jobs[job].first_attempt[PN_SCHEDULER_REDUCE]; link != 0;
         link = view->attempts[link - 1].after) {
        pn_scheduler_task task = pn_scheduler_task_of(view, link - 1);
        if (!view->hooks->fetched || !view->hooks->fetched(view->hooks->user, &task))
            view->attempts[link - 1].outputs = pn_scheduler_outputs(view, job, task.node) > 0;
    }
}

static void task_done(pn_scheduler_view *view, const pn_scheduler_attempt *attempt,
                      pn_scheduler_task_entry *task)
{
    pn_scheduler_entry *job = &view->jobs[attempt->job];
    task->state = PN_SCHEDULER_TASK_DONE;
    task->ms = view->now - attempt->start;
    job->longest[attempt->kind] = pn_max(job->longest[attempt->kind], task->ms);
    task->where = attempt->node;
    job->done_ms[attempt->kind] += task->ms;
    job->done[attempt->kind]++;
    if (attempt->kind == PN_SCHEDULER_REDUCE) {
        job->colocated_reduces += attempt->outputs;
        return;
    }
    job->local_maps += task->local;
    if (job->done[PN_SCHEDULER_MAP] == job->tasks[PN_SCHEDULER_MAP])
        maps_ended(view, attempt->job);
}

/* The attempt is over, `event` says how; of a job that is dropped the task does not wait any
 * more. */
void pn_scheduler_end(pn_scheduler_view *view, uint32_t place, uint32_t event)
{
    pn_scheduler_attempt it = view->attempts[place];
    pn_scheduler_entry *job = &view->jobs[it.job];
    pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, it.job, it.kind)[it.task];
    uint32_t attempt = task->attempt;
    uint64_t held = view->now - it.launch;
    pn_scheduler_tell(view, event, it.job, it.kind, it.task, it.node, attempt, place);
    view->s->overran |= pn_scheduler_overruns(view, place);
    job->slot_ms += held;
    view->s->totals.slot_ms += held;
    unlink_attempt(view, place);
    free_slot(view, it.node, it.kind);
    job->running[it.kind]--;
    if (event == PN_SCHEDULER_END) {
        task_done(view, &it, task);
    } else {
        if (it.kind == PN_SCHEDULER_MAP)
            pn_scheduler_host_drop(view, it.job, it.node);
        task->local = 0;
        task->attempt++;
        pn_scheduler_wait(view, it.job, it.kind, it.task);
    }
    pn_scheduler_reorder(view, it.job, it.kind);
    if (it.kind == PN_SCHEDULER_MAP)
        pn_scheduler_reorder(view, it.job, PN_SCHEDULER_REDUCE);
}

/* False when the guard protects it. */
bool pn_scheduler_kill_at(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler *s = view->s;
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    if (s->max_kills > 0 && task.attempt >= s->max_kills)
        return false;
    view->jobs[view->attempts[place].job].kills++;
    s->totals.kills++;
    s->overran = 1;
    pn_scheduler_end(view, place, PN_SCHEDULER_KILL);
    if (view->hooks->kill)
        view->hooks->kill(view->hooks->user, &task);
    return true;
}

/* The output of a map that was done is lost (CL13). */
void pn_scheduler_rerun(pn_scheduler_view *view, uint32_t job, uint32_t index)
{
    pn_scheduler_entry *it = &view->jobs[job];
    pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, job, PN_SCHEDULER_MAP)[index];
    PN_ASSERT(task->state == PN_SCHEDULER_TASK_DONE);
    pn_scheduler_tell(view, PN_SCHEDULER_RERUN, job, PN_SCHEDULER_MAP, index, task->where,
                      task->attempt, 0);
    pn_scheduler_host_drop(view, job, task->where);
    it->done[PN_SCHEDULER_MAP]--;
    it->done_ms[PN_SCHEDULER_MAP] -= task->ms;
    it->local_maps -= task->local;
    it->map_finish = PN_SCHEDULER_NEVER;
    task->ms = 0;
    task->local = 0;
    task->attempt++;
    view->s->totals.reruns++;
    pn_scheduler_wait(view, job, PN_SCHEDULER_MAP, index);
}
