/* Attempts begin and end: the books of slots, tasks and jobs. */
#include "state.h"

/* ---- slots ---- */

/* Returns the nodes that are up and have a free slot of this kind. */
static pn_bits free_nodes(const pn_scheduler_view *view, uint32_t kind)
{
    return pn_bits_at(pn_at(view->s, view->s->free_nodes[kind]), view->s->nodes_count);
}

static void hold_slot(pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    pn_scheduler_node *entry = &view->nodes[node];
    PN_ASSERT(entry->up && entry->free[kind] > 0);
    view->s->free_slots[kind]--;
    if (--entry->free[kind] > 0)
        return;
    pn_bits free = free_nodes(view, kind);
    pn_bits_clear(&free, node);
    view->s->free_nodes_count[kind]--;
}

static void free_slot(pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    pn_scheduler_node *entry = &view->nodes[node];
    PN_ASSERT(entry->up && entry->free[kind] < entry->slots[kind] + entry->over[kind]);
    if (entry->over[kind] > 0) {
        entry->over[kind]--;
        view->s->over[kind]--;
        return;
    }
    view->s->free_slots[kind]++;
    if (entry->free[kind]++ > 0)
        return;
    pn_bits free = free_nodes(view, kind);
    pn_bits_set(&free, node);
    view->s->free_nodes_count[kind]++;
}

/* Raises a node: one whose slots are all free joins; one on which nothing runs leaves. */
void pn_scheduler_node_raise(pn_scheduler_view *view, uint32_t node)
{
    pn_scheduler_node *entry = &view->nodes[node];
    entry->up = 1;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        view->s->up_slots[kind] += entry->slots[kind];
        for (uint32_t i = 0; i < entry->slots[kind]; i++)
            free_slot(view, node, kind);
    }
}

void pn_scheduler_node_lower(pn_scheduler_view *view, uint32_t node)
{
    pn_scheduler_node *entry = &view->nodes[node];
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        PN_ASSERT(entry->free[kind] == entry->slots[kind]);
        view->s->up_slots[kind] -= entry->slots[kind];
        while (entry->free[kind] > 0)
            hold_slot(view, node, kind);
    }
    entry->up = 0;
}

/* Resizes by CL40: slots that come are those of attempts above them first; those that go are free
 * ones first. */
void pn_scheduler_node_resize(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t slots)
{
    pn_scheduler *s = view->s;
    pn_scheduler_node *entry = &view->nodes[node];
    s->present[kind] += slots - entry->slots[kind];
    if (entry->up)
        s->up_slots[kind] += slots - entry->slots[kind];
    while (entry->slots[kind] < slots) {
        entry->slots[kind]++;
        if (entry->up)
            free_slot(view, node, kind);
    }
    while (entry->slots[kind] > slots) {
        if (entry->free[kind] > 0) {
            hold_slot(view, node, kind);
        } else if (entry->up) {
            entry->over[kind]++;
            s->over[kind]++;
        }
        entry->slots[kind]--;
    }
}

/* ---- places of attempts ---- */

static uint32_t scheduler_take_attempt(pn_scheduler_view *view)
{
    uint32_t place = pn_place_take(&view->s->fleet.attempt_places, PN_LINKS(view->attempts, after));
    PN_ASSERT(place < view->s->places_max);
    return place;
}

static void free_attempt(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_attempt *attempt = &view->attempts[place];
    *attempt = (pn_scheduler_attempt){.token = attempt->token};
    pn_place_free(&view->s->fleet.attempt_places, PN_LINKS(view->attempts, after), place);
}

/* ---- attempts in slots, and those that are suspended ---- */

/* Returns the list of its job which an attempt belongs to. */
static pn_chain chain_of_job(pn_scheduler_view *view, const pn_scheduler_attempt *attempt)
{
    pn_scheduler_entry *job = &view->jobs[attempt->job];
    return PN_CHAIN(&job->first_attempt[attempt->suspended][attempt->kind],
                    &job->last_attempt[attempt->suspended][attempt->kind], view->attempts, before,
                    after);
}

static pn_chain scheduler_chain_of_node(pn_scheduler_view *view,
                                        const pn_scheduler_attempt *attempt)
{
    return PN_CHAIN(&view->nodes[attempt->node].first_attempt[attempt->suspended], NULL,
                    view->attempts, node_before, node_after);
}

static void scheduler_link_attempt(pn_scheduler_view *view, uint32_t place)
{
    pn_chain_append(chain_of_job(view, &view->attempts[place]), place);
    pn_chain_insert(scheduler_chain_of_node(view, &view->attempts[place]), place, 0);
}

static void scheduler_unlink_attempt(pn_scheduler_view *view, uint32_t place)
{
    pn_chain_remove(chain_of_job(view, &view->attempts[place]), place);
    pn_chain_remove(scheduler_chain_of_node(view, &view->attempts[place]), place);
}

static void enter_slot(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_attempt *attempt = &view->attempts[place];
    attempt->launch = view->now;
    scheduler_link_attempt(view, place);
    hold_slot(view, attempt->node, attempt->kind);
    pn_scheduler_entry *job = &view->jobs[attempt->job];
    view->s->holding += job->running[0] + job->running[1] == 0;
    job->running[attempt->kind]++;
    view->s->running++;
}

/* Leaves the slot, and counts the time there. */
static void leave_slot(pn_scheduler_view *view, uint32_t place)
{
    const pn_scheduler_attempt *attempt = &view->attempts[place];
    pn_scheduler_entry *job = &view->jobs[attempt->job];
    uint64_t held = view->now - attempt->launch;
    job->slot_ms += held;
    view->s->totals.slot_ms += held;
    scheduler_unlink_attempt(view, place);
    free_slot(view, attempt->node, attempt->kind);
    job->running[attempt->kind]--;
    view->s->running--;
    view->s->holding -= job->running[0] + job->running[1] == 0;
}

static void enter_suspension(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_attempt *attempt = &view->attempts[place];
    attempt->suspended = 1;
    attempt->suspensions = (uint16_t)pn_min(attempt->suspensions + 1u, UINT16_MAX);
    attempt->since = view->now;
    scheduler_link_attempt(view, place);
    view->jobs[attempt->job].suspended[attempt->kind]++;
    view->nodes[attempt->node].suspended[attempt->kind]++;
    view->s->suspended[attempt->kind]++;
}

static void scheduler_leave_suspension(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_attempt *attempt = &view->attempts[place];
    scheduler_unlink_attempt(view, place);
    attempt->suspended = 0;
    view->jobs[attempt->job].suspended[attempt->kind]--;
    view->nodes[attempt->node].suspended[attempt->kind]--;
    view->s->suspended[attempt->kind]--;
}

pn_scheduler_task pn_scheduler_task_of(const pn_scheduler_view *view, uint32_t place)
{
    const pn_scheduler_attempt *attempt = &view->attempts[place];
    const pn_scheduler_entry *job = &view->jobs[attempt->job];
    return (pn_scheduler_task){.struct_size = sizeof(pn_scheduler_task),
                               .id = job->id,
                               .tag = job->tag,
                               .start = attempt->start,
                               .token = attempt->token,
                               .kind = attempt->kind,
                               .task = attempt->task,
                               .attempt = attempt->attempt,
                               .node = attempt->node,
                               .local = attempt->local,
                               .place = place,
                               .input_complete = attempt->kind == PN_SCHEDULER_REDUCE &&
                                                 job->map_finish != PN_SCHEDULER_NEVER};
}

static bool says_fetched(const pn_scheduler_view *view, const pn_scheduler_task *task)
{
    return view->hooks->fetched && view->hooks->fetched(view->hooks->user, task) != 0;
}

/* Asks the host whether the reduce needs map outputs no more, for a decision. */
bool pn_scheduler_has_fetched(const pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    if (!view->hooks->fetched)
        return false;
    bool fetched = says_fetched(view, &task);
    pn_scheduler_pass_input(view->s, view->hooks,
                            &(pn_scheduler_input){.kind = PN_SCHEDULER_IN_FETCHED,
                                                  .now = view->now,
                                                  .token = task.token,
                                                  .value = fetched});
    return fetched;
}

/* Returns the attempt, or PN_SCHEDULER_NO_ATTEMPT when there is no such one, or no longer. */
uint32_t pn_scheduler_attempt_of(const pn_scheduler *s, uint64_t token)
{
    const pn_scheduler_attempt *attempts =
        (const pn_scheduler_attempt *)(const void *)((const unsigned char *)s + s->attempts);
    uint32_t place = (uint32_t)(token % s->places_max);
    return attempts[place].busy && attempts[place].token == token ? place : PN_SCHEDULER_NO_ATTEMPT;
}

/* Tells that the input of the job's reduces is complete from now on, or no longer. */
void pn_scheduler_report_input(const pn_scheduler_view *view, uint32_t job)
{
    for (uint32_t suspended = 0; suspended <= 1 && view->hooks->input_changed; suspended++)
        for (uint32_t link = view->jobs[job].first_attempt[suspended][PN_SCHEDULER_REDUCE];
             link != 0; link = view->attempts[link - 1].after) {
            pn_scheduler_task task = pn_scheduler_task_of(view, link - 1);
            if (!says_fetched(view, &task))
                view->hooks->input_changed(view->hooks->user, &task);
        }
}

/* ---- beginning ---- */

/* Begins an attempt of this task on the node; the lists of its job know already that it waits no
 * more. */
static uint32_t scheduler_begin(pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                uint32_t index, uint32_t node, bool local)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    const pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, job, kind)[index];
    uint32_t place = scheduler_take_attempt(view);
    view->attempts[place] = (pn_scheduler_attempt){
        .token = pn_fleet_next_token(view->attempts[place].token, place, view->s->places_max),
        .start = view->now,
        .job = job,
        .task = index,
        .node = node,
        .kind = kind,
        .attempt = task->attempt,
        .busy = 1,
        .local = local};
    if (kind == PN_SCHEDULER_REDUCE && entry->map_finish != PN_SCHEDULER_NEVER)
        view->attempts[place].outputs = pn_scheduler_outputs(view, job, node) > 0;
    enter_slot(view, place);
    view->s->totals.launches++;
    return place;
}

/* Tells the launch, last of it, as a key may ask the host for the progress of what runs. */
static void report_launch(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_task launched = pn_scheduler_task_of(view, place);
    uint32_t job = view->attempts[place].job;
    pn_scheduler_report(view, PN_SCHEDULER_LAUNCH, job, launched.kind, launched.task, launched.node,
                        launched.attempt, place);
    if (view->hooks->launch)
        view->hooks->launch(view->hooks->user, &launched);
    pn_scheduler_reorder(view, job, launched.kind);
}

static void launch_pending(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t node)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    uint32_t local = kind == PN_SCHEDULER_MAP ? pn_scheduler_local_map(view, job, node)
                                              : UINT32_MAX;
    uint32_t index = local != UINT32_MAX ? local : pn_scheduler_lowest(view, job, kind);
    PN_ASSERT(index < entry->tasks[kind]);
    if (kind == PN_SCHEDULER_MAP)
        pn_scheduler_host_add(view, job, node);
    pn_scheduler_unwait(view, job, kind, index);
    uint32_t place = scheduler_begin(view, job, kind, index, node, local != UINT32_MAX);
    pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, job, kind)[index];
    task->state = PN_SCHEDULER_TASK_RUNNING;
    task->where = place;
    if (entry->first_start[kind] == PN_SCHEDULER_NEVER)
        entry->first_start[kind] = view->now;
    if (view->s->order.started_first && view->turns[job].started == 0)
        pn_scheduler_start(view, job);
    report_launch(view, place);
}

/* Launches, by CL37, a second attempt of the task whose only one is at this place. */
void pn_scheduler_copy(pn_scheduler_view *view, uint32_t place, uint32_t node)
{
    const pn_scheduler_attempt first = view->attempts[place];
    pn_scheduler_entry *job = &view->jobs[first.job];
    bool map = first.kind == PN_SCHEDULER_MAP,
         local = map && pn_scheduler_holds_input(view, first.job, first.task, node);
    PN_ASSERT(first.busy && !first.suspended && first.twin == 0);
    if (map)
        pn_scheduler_host_add(view, first.job, node);
    pn_scheduler_tasks_of(view, first.job, first.kind)[first.task].attempt++;
    uint32_t copy = scheduler_begin(view, first.job, first.kind, first.task, node, local);
    view->attempts[copy].copy = 1;
    view->attempts[copy].twin = place + 1;
    view->attempts[place].twin = copy + 1;
    job->copied[first.kind]++;
    job->copies++;
    view->s->copied[first.kind]++;
    view->s->totals.copies++;
    report_launch(view, copy);
}

/* ---- suspending ---- */

/* Returns the attempt of the job that may resume on the node: of its suspended tasks there the one
 * with the lowest index (CL35). O(suspended tasks of the job), O(1) where the node has none. */
uint32_t pn_scheduler_suspended_here(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                     uint32_t node)
{
    uint32_t found = PN_SCHEDULER_NO_ATTEMPT;
    if (view->nodes[node].suspended[kind] == 0)
        return found;
    for (uint32_t link = view->jobs[job].first_attempt[1][kind]; link != 0;
         link = view->attempts[link - 1].after)
        if (view->attempts[link - 1].node == node &&
            (found == PN_SCHEDULER_NO_ATTEMPT ||
             view->attempts[link - 1].task < view->attempts[found].task))
            found = link - 1;
    return found;
}

static void tell_of(pn_scheduler_view *view, uint32_t event, const pn_scheduler_task *task)
{
    pn_scheduler_report(view, event, view->attempts[task->place].job, task->kind, task->task,
                        task->node, task->attempt, task->place);
}

/* Suspends; PN_DONE when its task has another attempt, or it was suspended so often before that it
 * is protected. */
int pn_scheduler_suspend_at(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler *s = view->s;
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    uint32_t job = view->attempts[place].job;
    uint64_t most = s->config.suspensions_max;
    if (view->attempts[place].twin != 0 || (most > 0 && view->attempts[place].suspensions >= most))
        return PN_DONE;
    if (s->suspended[0] + s->suspended[1] == s->config.suspended_max)
        return PN_ERR_FULL;
    tell_of(view, PN_SCHEDULER_SUSPEND, &task);
    leave_slot(view, place);
    enter_suspension(view, place);
    pn_scheduler_tasks_of(view, job, task.kind)[task.task].state = PN_SCHEDULER_TASK_SUSPENDED;
    view->jobs[job].suspensions++;
    s->totals.suspensions++;
    view->hooks->suspend(view->hooks->user, &task);
    pn_scheduler_reorder(view, job, task.kind);
    return PN_OK;
}

static void resume(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_attempt *attempt = &view->attempts[place];
    scheduler_leave_suspension(view, place);
    enter_slot(view, place);
    attempt->start += view->now - attempt->since;
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    pn_scheduler_tasks_of(view, attempt->job, attempt->kind)[attempt->task].state =
        PN_SCHEDULER_TASK_RUNNING;
    if (attempt->kind == PN_SCHEDULER_REDUCE &&
        view->jobs[attempt->job].map_finish != PN_SCHEDULER_NEVER &&
        !pn_scheduler_has_fetched(view, place))
        attempt->outputs = pn_scheduler_outputs(view, attempt->job, attempt->node) > 0;
    view->s->totals.resumptions++;
    tell_of(view, PN_SCHEDULER_RESUME, &task);
    if (view->hooks->resume)
        view->hooks->resume(view->hooks->user, &task);
    pn_scheduler_reorder(view, attempt->job, attempt->kind);
}

void pn_scheduler_launch(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t node)
{
    uint32_t suspended = pn_scheduler_suspended_here(view, job, kind, node);
    if (suspended != PN_SCHEDULER_NO_ATTEMPT)
        resume(view, suspended);
    else
        launch_pending(view, job, kind, node);
}

/* ---- ending ---- */

/* Settles the end of the maps: what the running reduces find on their nodes, unless they have
 * fetched it all before. */
static void maps_ended(pn_scheduler_view *view, uint32_t job)
{
    view->jobs[job].map_finish = view->now;
    for (uint32_t link = view->jobs[job].first_attempt[0][PN_SCHEDULER_REDUCE]; link != 0;
         link = view->attempts[link - 1].after) {
        pn_scheduler_attempt *attempt = &view->attempts[link - 1];
        if (!pn_scheduler_has_fetched(view, link - 1))
            attempt->outputs = pn_scheduler_outputs(view, job, attempt->node) > 0;
    }
    pn_scheduler_report_input(view, job);
}

static void task_done(pn_scheduler_view *view, const pn_scheduler_attempt *attempt)
{
    pn_scheduler_entry *job = &view->jobs[attempt->job];
    pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, attempt->job,
                                                           attempt->kind)[attempt->task];
    task->state = PN_SCHEDULER_TASK_DONE;
    task->ms = view->now - attempt->start;
    job->longest[attempt->kind] = pn_max(job->longest[attempt->kind], task->ms);
    task->where = attempt->node;
    task->local = attempt->local;
    job->done_ms[attempt->kind] += task->ms;
    job->done[attempt->kind]++;
    job->copies_won += attempt->copy;
    view->s->totals.copies_won += attempt->copy;
    if (attempt->kind == PN_SCHEDULER_REDUCE) {
        job->colocated_reduces += attempt->outputs;
        return;
    }
    job->local_maps += task->local;
    if (job->done[PN_SCHEDULER_MAP] == job->tasks[PN_SCHEDULER_MAP])
        maps_ended(view, attempt->job);
}

/* Takes off an attempt that is over; `event` says how; what becomes of its task is not said yet. */
static void take_off(pn_scheduler_view *view, uint32_t place, uint32_t event)
{
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    uint32_t job = view->attempts[place].job, twin = view->attempts[place].twin;
    tell_of(view, event, &task);
    view->s->overran |= pn_scheduler_overruns(view, place);
    if (view->attempts[place].suspended)
        scheduler_leave_suspension(view, place);
    else
        leave_slot(view, place);
    free_attempt(view, place);
    if (task.kind == PN_SCHEDULER_MAP && event != PN_SCHEDULER_END)
        pn_scheduler_host_drop(view, job, task.node);
    if (twin == 0)
        return;
    view->attempts[twin - 1].twin = 0;
    view->jobs[job].copied[task.kind]--;
    view->s->copied[task.kind]--;
    pn_scheduler_tasks_of(view, job, task.kind)[task.task].where = twin - 1;
}

/* Cancels, by CL38, the other attempt of a task that is done. */
static void cancel(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    take_off(view, place, PN_SCHEDULER_CANCEL);
    if (view->hooks->kill)
        view->hooks->kill(view->hooks->user, &task);
}

static void wait_again(pn_scheduler_view *view, const pn_scheduler_attempt *last)
{
    pn_scheduler_tasks_of(view, last->job, last->kind)[last->task].attempt++;
    pn_scheduler_wait(view, last->job, last->kind, last->task);
}

/* Ends an attempt; `event` says how; of a job that is dropped the task does not wait any more. */
void pn_scheduler_end(pn_scheduler_view *view, uint32_t place, uint32_t event)
{
    const pn_scheduler_attempt attempt = view->attempts[place];
    take_off(view, place, event);
    if (event == PN_SCHEDULER_END) {
        if (attempt.twin != 0)
            cancel(view, attempt.twin - 1);
        task_done(view, &attempt);
    } else if (attempt.twin == 0) {
        wait_again(view, &attempt);
    }
    pn_scheduler_reorder(view, attempt.job, attempt.kind);
    if (attempt.kind == PN_SCHEDULER_MAP)
        pn_scheduler_reorder(view, attempt.job, PN_SCHEDULER_REDUCE);
}

/* Kills; false when the guard protects it. */
bool pn_scheduler_kill_at(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler *s = view->s;
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    uint32_t job = view->attempts[place].job;
    if (s->config.max_kills > 0 &&
        pn_scheduler_tasks_of(view, job, task.kind)[task.task].attempt >= s->config.max_kills)
        return false;
    view->jobs[job].kills++;
    s->totals.kills++;
    s->overran = 1;
    pn_scheduler_end(view, place, PN_SCHEDULER_KILL);
    if (view->hooks->kill)
        view->hooks->kill(view->hooks->user, &task);
    return true;
}

/* Runs a map again that was done and whose output is lost (CL13). */
void pn_scheduler_rerun(pn_scheduler_view *view, uint32_t job, uint32_t index)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(view, job, PN_SCHEDULER_MAP)[index];
    PN_ASSERT(task->state == PN_SCHEDULER_TASK_DONE);
    pn_scheduler_report(view, PN_SCHEDULER_RERUN, job, PN_SCHEDULER_MAP, index, task->where,
                        task->attempt, 0);
    pn_scheduler_host_drop(view, job, task->where);
    entry->done[PN_SCHEDULER_MAP]--;
    entry->done_ms[PN_SCHEDULER_MAP] -= task->ms;
    entry->local_maps -= task->local;
    entry->map_finish = PN_SCHEDULER_NEVER;
    task->ms = 0;
    task->local = 0;
    task->attempt++;
    view->s->totals.reruns++;
    pn_scheduler_wait(view, job, PN_SCHEDULER_MAP, index);
}
