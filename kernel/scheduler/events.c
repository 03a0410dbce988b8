/* What happens to a scheduler, event by event, and what it decides then. */
#include "base/config.h"
#include "state.h"

/* ---- the bound policy ---- */

/* Returns what the policy is bound by; its shape is all of its table that the block depends on. */
static pn_bindable scheduler_bindable_of(const pn_scheduler_hooks *hooks)
{
    const pn_scheduler_policy *policy = hooks->policy;
    pn_bindable bindable = {policy->name, policy->params, hooks->params, policy->param_count, {0}};
    pn_scheduler_form form = {.order = policy->order, .admission = policy->admission};
    form.functions = pn_scheduler_functions_of(policy);
    form.memory = pn_fleet_memory_shape(policy->state_bytes, policy->state_bytes_per_job);
    memcpy(bindable.shape, &form, sizeof form);
    return bindable;
}

/* Returns whether this policy may be bound. */
static bool scheduler_may_bind(const pn_scheduler *s, const pn_scheduler_hooks *hooks)
{
    const pn_scheduler_policy *policy = hooks->policy;
    if (!pn_scheduler_policy_sane(policy) || (policy->copy && !s->config.copies) ||
        !pn_scheduler_rules_fit(s, &policy->order, &policy->admission) ||
        (pn_scheduler_may_agree(pn_scheduler_functions_of(policy)) && !s->agrees))
        return false;
    const pn_bindable bindable = scheduler_bindable_of(hooks);
    pn_binding binding;
    return pn_binding_make(&binding, &bindable);
}

/* Returns whether this policy is the bound one. */
static bool scheduler_is_bound(const pn_scheduler *s, const pn_scheduler_hooks *hooks)
{
    const pn_bindable bindable = scheduler_bindable_of(hooks);
    return pn_binding_is_of(&s->fleet.binding, &bindable);
}

/* Returns why this policy is refused; PN_OK when it is not. */
static int scheduler_policy_refused(const pn_scheduler *s, const pn_scheduler_hooks *hooks)
{
    const pn_scheduler_policy *policy = hooks->policy;
    if (!policy || !PN_GIVEN(policy, pn_scheduler_policy, copy))
        return PN_ERR_POLICY;
    bool fits = pn_binding_is_bound(&s->fleet.binding) ? scheduler_is_bound(s, hooks)
                                                       : scheduler_may_bind(s, hooks);
    /* The shape holds a hash only of the policy's memory: a block whose shape is false may have too
     * little of it. */
    return fits && pn_scheduler_policy_bytes(policy, s->jobs_max) <= s->fleet.policy_size
               ? PN_OK
               : PN_ERR_POLICY;
}

void pn_scheduler_bind(pn_scheduler_view *view)
{
    pn_scheduler *s = view->s;
    const pn_scheduler_policy *policy = view->policy;
    const pn_bindable bindable = scheduler_bindable_of(view->hooks);
    (void)pn_binding_make(&s->fleet.binding, &bindable); /* or it would have been refused */
    s->order = policy->order;
    s->admission = policy->admission;
    s->picks = policy->pick != NULL;
    s->admits = policy->admit != NULL;
    s->copier = policy->copy != NULL;
    s->preempts = policy->preempt != NULL;
    if (policy->init) {
        view->phase = PN_SCHEDULER_PHASE_INIT;
        pn_fleet_note_failure(&view->s->fleet, policy->init(view));
        view->phase = PN_SCHEDULER_PHASE_OTHER;
    }
    if (!pn_scheduler_rules_sane(&s->order, &s->admission, policy))
        pn_fleet_note_failure(&view->s->fleet, PN_ERR_POLICY);
    s->plans = policy->plan || policy->preempt || policy->copy || s->order.estimates ||
               s->order.keys == PN_SCHEDULER_KEYS_PLANNED;
}

/* ---- around every event ---- */

int pn_scheduler_refused(const pn_scheduler *s, const pn_scheduler_hooks *hooks)
{
    if (!s || !hooks || !PN_GIVEN(hooks, pn_scheduler_hooks, on_input))
        return PN_ERR_ARGUMENT;
    return s->head.busy ? PN_ERR_BUSY : PN_OK;
}

int pn_scheduler_ready(const pn_scheduler *scheduler, const pn_scheduler_hooks *hooks)
{
    int status = pn_scheduler_refused(scheduler, hooks);
    if (status == PN_OK)
        status = scheduler->fleet.failure;
    return status == PN_OK ? scheduler_policy_refused(scheduler, hooks) : status;
}

/* Passes the input to hooks->on_input, which may ask for the replicas of its job during the
 * call. */
void pn_scheduler_pass_input(pn_scheduler *s, const pn_scheduler_hooks *hooks,
                             const pn_scheduler_input *input)
{
    if (!hooks->on_input)
        return;
    pn_scheduler_input copy = *input;
    uint32_t busy = s->head.busy;
    copy.struct_size = sizeof copy;
    copy.digest = pn_scheduler_digest(s);
    if (copy.job) {
        copy.attributes = (uint32_t)s->config.attributes;
        copy.nodes = pn_at(s, s->replica_nodes);
        copy.replicas_most = s->config.replicas_of_map;
    }
    s->head.busy = 1;
    hooks->on_input(hooks->user, &copy);
    s->head.busy = busy;
    if (copy.job)
        memset(copy.nodes, 0, copy.replicas_most * sizeof *copy.nodes);
}

/* Begins an event whose arguments are in order. After PN_OK pn_fleet_conclude must follow. */
int pn_scheduler_begin(pn_scheduler_view *view, pn_scheduler *s, const pn_scheduler_hooks *hooks,
                       const pn_scheduler_input *input)
{
    uint64_t now = input->now;
    int status = pn_scheduler_ready(s, hooks);
    if (status == PN_OK)
        status = pn_fleet_time_refused(s->totals.time, now);
    if (status != PN_OK)
        return status;
    s->head.busy = 1;
    pn_scheduler_pass_input(s, hooks, input);
    if (input->value)
        pn_scheduler_pass_input(s, hooks,
                                &(pn_scheduler_input){.kind = PN_SCHEDULER_IN_FETCHED,
                                                      .now = now,
                                                      .token = input->token,
                                                      .value = input->value});
    pn_scheduler_view_build(view, s, hooks);
    if (!pn_binding_is_bound(&s->fleet.binding))
        pn_scheduler_bind(view);
    uint64_t passed = now - s->totals.time;
    view->now = s->totals.time;
    if (s->fleet.failure == 0 && passed > 0 && s->totals.in_system > 0 && s->order.elapses &&
        view->policy->elapse)
        pn_fleet_note_failure(&view->s->fleet, view->policy->elapse(view, passed));
    if (pn_scheduler_is_saturated(s))
        s->fleet.saturated_ms += passed;
    s->totals.time = now;
    view->now = now;
    s->foreseen = 0;
    pn_scheduler_release(view);
    return PN_OK;
}

/* ---- planning ---- */

static void plan(pn_scheduler_view *view, uint32_t reason)
{
    const pn_scheduler_policy *policy = view->policy;
    pn_scheduler *s = view->s;
    bool shares = s->order.shares != PN_SCHEDULER_SHARES_NONE;
    if (s->fleet.failure != 0)
        return;
    if (policy->plan) {
        for (uint32_t job = s->fleet.first_job; job != 0 && shares; job = view->jobs[job - 1].after)
            view->jobs[job - 1].weight = view->jobs[job - 1].own_weight;
        pn_fleet_note_failure(&view->s->fleet, policy->plan(view, reason));
    }
    if (s->fleet.failure == 0 && (shares || s->order.keys == PN_SCHEDULER_KEYS_PLANNED))
        pn_scheduler_key_all(view);
    if (s->fleet.failure == 0 && shares)
        pn_scheduler_divide(view);
}

void pn_scheduler_plan(pn_scheduler_view *view, uint32_t reason)
{
    plan(view, reason);
    if (!view->policy->preempt)
        return;
    view->phase = PN_SCHEDULER_PHASE_PREEMPT;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS && view->s->fleet.failure == 0; kind++)
        pn_fleet_note_failure(&view->s->fleet, view->policy->preempt(view, kind));
    view->phase = PN_SCHEDULER_PHASE_OTHER;
}

int pn_scheduler_tick(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_TICK, .now = now};
    pn_scheduler_view view;
    int status = pn_scheduler_begin(&view, scheduler, hooks, &input);
    if (status != PN_OK)
        return status;
    if (scheduler->order.estimates)
        pn_scheduler_estimate_all(&view);
    pn_scheduler_plan(&view, PN_SCHEDULER_ON_TICK);
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* ---- jobs leave ---- */

/* Reports a broken promise as late before the job's finish. */
static void report_late(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    if (pn_scheduler_terms_of(view, job)->promise == PN_SCHEDULER_NEVER || entry->deadline == 0 ||
        entry->late || view->now - entry->submit <= entry->deadline)
        return;
    entry->late = 1;
    view->terms[job].estimate = view->now;
    view->s->totals.late++;
    pn_scheduler_report(view, PN_SCHEDULER_LATE, job, 0, 0, 0, 0, 0);
}

static void leave(pn_scheduler_view *view, uint32_t job, uint32_t state)
{
    if (state == PN_SCHEDULER_FINISHED)
        report_late(view, job);
    pn_scheduler_unorder(view, job);
    pn_scheduler_leave(view, job, state);
    plan(view, PN_SCHEDULER_ON_FINISH);
}

int pn_scheduler_wake(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_WAKE, .now = now};
    pn_scheduler_view view;
    int status = pn_scheduler_begin(&view, scheduler, hooks, &input);
    return status == PN_OK ? pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK) : status;
}

static void drop_attempts(pn_scheduler_view *view, const uint32_t *first)
{
    while (*first != 0) {
        uint32_t place = *first - 1;
        pn_scheduler_task task = pn_scheduler_task_of(view, place);
        pn_scheduler_end(view, place, PN_SCHEDULER_DROP);
        if (view->hooks->kill)
            view->hooks->kill(view->hooks->user, &task);
    }
}

/* Abandons a job: its attempts are dropped, maps first, in order of launch, then those that are
 * suspended. */
static void abandon(pn_scheduler_view *view, uint32_t job, uint32_t state)
{
    for (uint32_t suspended = 0; suspended <= 1; suspended++)
        for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
            drop_attempts(view, &view->jobs[job].first_attempt[suspended][kind]);
    leave(view, job, state);
}

int pn_scheduler_cancel(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        uint64_t id)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_CANCEL, .now = now, .id = id};
    pn_scheduler_view view;
    int status = pn_scheduler_refused(scheduler, hooks);
    if (status != PN_OK)
        return status;
    pn_scheduler_entry *jobs = pn_at(scheduler, scheduler->jobs);
    uint32_t job = pn_fleet_job_of(&scheduler->fleet, &jobs[0].id, PN_SCHEDULER_ENTRY_WORDS,
                                   PN_LINKS(jobs, after), id);
    status = job == PN_NO_JOB ? PN_ERR_STALE : pn_scheduler_begin(&view, scheduler, hooks, &input);
    if (status != PN_OK)
        return status;
    abandon(&view, job, PN_SCHEDULER_CANCELLED);
    pn_scheduler_estimate_again(&view);
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* ---- attempts ---- */

/* Begins an event of an attempt; *place is its place. Nothing happens to one that is suspended. */
static int begin_attempt(pn_scheduler_view *view, pn_scheduler *s, const pn_scheduler_hooks *hooks,
                         const pn_scheduler_input *input, uint32_t *place)
{
    int status = pn_scheduler_refused(s, hooks);
    if (status != PN_OK)
        return status;
    *place = pn_scheduler_attempt_of(s, input->token);
    if (*place == PN_SCHEDULER_NO_ATTEMPT)
        return PN_ERR_STALE;
    return pn_scheduler_is_suspended(s, *place) ? PN_ERR_ARGUMENT
                                                : pn_scheduler_begin(view, s, hooks, input);
}

int pn_scheduler_started(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                         uint64_t token)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_STARTED, .now = now, .token = token};
    pn_scheduler_view view;
    uint32_t place;
    int status = begin_attempt(&view, scheduler, hooks, &input, &place);
    if (status != PN_OK)
        return status;
    scheduler->overran |= now > view.attempts[place].start;
    view.attempts[place].start = now;
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* Returns whether the attempt is a reduce that still waits for map outputs; *fetched when it would
 * if it had not fetched them all. */
static bool waits_for_maps(const pn_scheduler *s, const pn_scheduler_hooks *hooks, uint64_t token,
                           uint32_t *fetched)
{
    pn_scheduler_task task;
    uint32_t place = pn_scheduler_attempt_of(s, token);
    if (place == PN_SCHEDULER_NO_ATTEMPT)
        return false;
    pn_scheduler_task_get(s, place, &task);
    if (task.kind == PN_SCHEDULER_MAP || task.input_complete)
        return false;
    *fetched = hooks->fetched && hooks->fetched(hooks->user, &task);
    return !*fetched;
}

int pn_scheduler_finished(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                          uint64_t token)
{
    pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_FINISHED, .now = now, .token = token};
    pn_scheduler_view view;
    uint32_t place;
    int status = pn_scheduler_refused(scheduler, hooks);
    if (status == PN_OK && waits_for_maps(scheduler, hooks, token, &input.value))
        status = PN_ERR_ARGUMENT;
    if (status == PN_OK)
        status = begin_attempt(&view, scheduler, hooks, &input, &place);
    if (status != PN_OK)
        return status;
    uint32_t job = view.attempts[place].job;
    const pn_scheduler_entry *entry = &view.jobs[job];
    pn_scheduler_end(&view, place, PN_SCHEDULER_END);
    if (entry->done[PN_SCHEDULER_MAP] == entry->tasks[PN_SCHEDULER_MAP] &&
        entry->done[PN_SCHEDULER_REDUCE] == entry->tasks[PN_SCHEDULER_REDUCE])
        leave(&view, job, PN_SCHEDULER_FINISHED);
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

int pn_scheduler_failed(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        uint64_t token)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_FAILED, .now = now, .token = token};
    pn_scheduler_view view;
    uint32_t place;
    int status = begin_attempt(&view, scheduler, hooks, &input, &place);
    if (status != PN_OK)
        return status;
    uint32_t job = view.attempts[place].job;
    pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(
        &view, job, view.attempts[place].kind)[view.attempts[place].task];
    task->failures++;
    scheduler->totals.failures++;
    pn_scheduler_end(&view, place, PN_SCHEDULER_FAIL);
    if (task->failures >= scheduler->config.attempts_max)
        abandon(&view, job, PN_SCHEDULER_FAILED);
    pn_scheduler_estimate_again(&view);
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* ---- nodes ---- */

/* Begins an event of a node. */
static int scheduler_begin_node(pn_scheduler_view *view, pn_scheduler *s,
                                const pn_scheduler_hooks *hooks, uint32_t kind, uint64_t now,
                                uint32_t node)
{
    const pn_scheduler_input input = {.kind = kind, .now = now, .node = node};
    int status = pn_scheduler_refused(s, hooks);
    if (status == PN_OK && node >= s->nodes_count)
        status = PN_ERR_ARGUMENT;
    return status == PN_OK ? pn_scheduler_begin(view, s, hooks, &input) : status;
}

int pn_scheduler_node_up(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                         uint32_t node)
{
    pn_scheduler_view view;
    int status = scheduler_begin_node(&view, scheduler, hooks, PN_SCHEDULER_IN_NODE_UP, now, node);
    if (status != PN_OK)
        return status;
    if (!view.nodes[node].up) {
        pn_scheduler_node_raise(&view, node);
        pn_scheduler_report(&view, PN_SCHEDULER_NODE_UP, PN_NO_JOB, 0, 0, node, 0, 0);
        pn_scheduler_estimate_again(&view);
    }
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* Returns whether its reduces have all that they need of the maps (CL13, CL36, CL38). */
static bool all_fetched(const pn_scheduler_view *view, const pn_scheduler_entry *job)
{
    if (job->waiting[PN_SCHEDULER_REDUCE] > 0)
        return false;
    for (uint32_t suspended = 0; suspended <= 1; suspended++)
        for (uint32_t link = job->first_attempt[suspended][PN_SCHEDULER_REDUCE]; link != 0;
             link = view->attempts[link - 1].after)
            if (!pn_scheduler_has_fetched(view, link - 1))
                return false;
    return true;
}

/* Drops the job's map outputs on a node that is lost. */
static void lose_outputs(pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    if (pn_scheduler_outputs(view, job, node) == 0 || all_fetched(view, entry))
        return;
    const pn_scheduler_task_entry *maps = pn_scheduler_tasks_of(view, job, PN_SCHEDULER_MAP);
    bool complete = entry->map_finish != PN_SCHEDULER_NEVER;
    for (uint32_t i = 0; i < entry->tasks[PN_SCHEDULER_MAP]; i++)
        if (maps[i].state == PN_SCHEDULER_TASK_DONE && maps[i].where == node)
            pn_scheduler_rerun(view, job, i);
    if (complete)
        pn_scheduler_report_input(view, job);
    pn_scheduler_reorder(view, job, PN_SCHEDULER_MAP);
    pn_scheduler_reorder(view, job, PN_SCHEDULER_REDUCE);
}

int pn_scheduler_node_down(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                           uint32_t node)
{
    pn_scheduler_view view;
    int status = scheduler_begin_node(&view, scheduler, hooks, PN_SCHEDULER_IN_NODE_DOWN, now,
                                      node);
    if (status != PN_OK)
        return status;
    if (!view.nodes[node].up)
        return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
    pn_scheduler_report(&view, PN_SCHEDULER_NODE_DOWN, PN_NO_JOB, 0, 0, node, 0, 0);
    for (uint32_t suspended = 0; suspended <= 1; suspended++)
        for (const uint32_t *first = &view.nodes[node].first_attempt[suspended]; *first != 0;
             scheduler->totals.lost++)
            pn_scheduler_end(&view, *first - 1, PN_SCHEDULER_LOSE);
    pn_scheduler_node_lower(&view, node);
    for (uint32_t job = scheduler->fleet.first_job; job != 0; job = view.jobs[job - 1].after)
        lose_outputs(&view, job - 1, node);
    pn_scheduler_estimate_again(&view);
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

int pn_scheduler_resize(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        uint32_t node, uint32_t map_slots, uint32_t reduce_slots)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_RESIZE,
                                      .now = now,
                                      .node = node,
                                      .map_slots = map_slots,
                                      .reduce_slots = reduce_slots};
    pn_scheduler_view view;
    const uint32_t slots[PN_SCHEDULER_KINDS] = {map_slots, reduce_slots};
    int status = pn_scheduler_refused(scheduler, hooks);
    if (status == PN_OK && !pn_scheduler_slots_fit(scheduler, node, slots))
        status = PN_ERR_ARGUMENT;
    if (status == PN_OK)
        status = pn_scheduler_begin(&view, scheduler, hooks, &input);
    if (status != PN_OK)
        return status;
    if (pn_same_bytes(view.nodes[node].slots, slots, sizeof slots))
        return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        pn_scheduler_node_resize(&view, node, kind, slots[kind]);
    pn_scheduler_report_resize(&view, node);
    pn_scheduler_estimate_again(&view);
    plan(&view, PN_SCHEDULER_ON_FINISH);
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* ---- slots are offered ---- */

/* Gives the slot to a second attempt of a running task, where the policy wants that (CL37). */
static int give_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    uint32_t place;
    int status = pn_scheduler_pick_copy(view, node, kind, &place);
    pn_fleet_note_failure(&view->s->fleet, status);
    if (status < 0 || place == PN_SCHEDULER_NO_ATTEMPT)
        return 0;
    pn_scheduler_copy(view, place, node);
    return 1;
}

/* Gives one slot of the node: 1 when something was launched. */
static int scheduler_give(pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    uint32_t job;
    if (view->s->fleet.failure != 0 || view->nodes[node].free[kind] == 0)
        return 0;
    int status = pn_scheduler_pick(view, node, kind, &job);
    pn_fleet_note_failure(&view->s->fleet, status);
    if (status < 0)
        return 0;
    if (job == PN_NO_JOB)
        return give_copy(view, node, kind);
    pn_scheduler_launch(view, job, kind, node);
    return 1;
}

int pn_scheduler_offer(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                       uint32_t node)
{
    pn_scheduler_view view;
    int status = scheduler_begin_node(&view, scheduler, hooks, PN_SCHEDULER_IN_OFFER, now, node);
    if (status != PN_OK)
        return status;
    uint32_t most = scheduler->config.maps_per_offer > 0 ? scheduler->config.maps_per_offer
                                                         : UINT32_MAX,
             given = 0;
    if (!view.nodes[node].up)
        return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_DONE);
    while (given < most && scheduler_give(&view, node, PN_SCHEDULER_MAP))
        given++;
    given += (uint32_t)scheduler_give(&view, node, PN_SCHEDULER_REDUCE);
    pn_scheduler_announce_opening(&view);
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, given > 0 ? PN_OK : PN_DONE);
}
