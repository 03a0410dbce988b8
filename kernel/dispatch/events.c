/* Events come in, decisions go out: attempts end, nodes fail and recover, jobs are cancelled,
 * ticks, and the dispatch itself (DG3, DG9). */
#include "base/config.h"
#include "state.h"

/* ---- the bound policy ---- */

/* Returns what the policy is bound by. */
static pn_bindable dispatch_bindable_of(const pn_dispatch_hooks *hooks)
{
    const pn_dispatch_policy *policy = hooks->policy;
    pn_bindable bindable = {policy->name, policy->params, hooks->params, policy->param_count, {0}};
    pn_dispatch_form form = {.order = policy->order};
    form.functions = (uint64_t)(policy->key != NULL) << PN_DISPATCH_HAS_KEY |
                     (uint64_t)(policy->queue_key != NULL) << PN_DISPATCH_HAS_QUEUE_KEY |
                     (uint64_t)(policy->init != NULL) << PN_DISPATCH_HAS_INIT |
                     (uint64_t)(policy->arrive != NULL) << PN_DISPATCH_HAS_ARRIVE |
                     (uint64_t)(policy->leave != NULL) << PN_DISPATCH_HAS_LEAVE |
                     (uint64_t)(policy->score != NULL) << PN_DISPATCH_HAS_SCORE |
                     (uint64_t)(policy->align != NULL) << PN_DISPATCH_HAS_ALIGN |
                     (uint64_t)(policy->preempt != NULL) << PN_DISPATCH_HAS_PREEMPT;
    form.memory = pn_fleet_memory_shape(policy->state_bytes, policy->state_bytes_per_job);
    memcpy(bindable.shape, &form, sizeof form);
    return bindable;
}

bool pn_dispatch_order_sane(const pn_dispatch_order *order, const pn_dispatch_policy *policy)
{
    if (order->keys > PN_DISPATCH_KEYS_GROWING || order->by_queue > 1 || order->limits > 1 ||
        order->packs > 1 || order->virtual_run > 1 || order->preempts > 1 || order->unused[0] ||
        order->unused[1])
        return false;
    if (order->by_queue && (!policy->queue_key || order->keys != PN_DISPATCH_KEYS_FIXED))
        return false;
    if ((order->limits && !order->by_queue) || (order->preempts && !policy->preempt))
        return false;
    return !order->packs || (policy->align && policy->key && !policy->score && !order->by_queue &&
                             order->keys <= PN_DISPATCH_KEYS_USED);
}

bool pn_dispatch_policy_sane(const pn_dispatch_policy *policy)
{
    return PN_GIVEN(policy, pn_dispatch_policy, preempt) && pn_name_sane(policy->name) &&
           pn_params_sane(policy->params, policy->param_count) &&
           pn_dispatch_order_sane(&policy->order, policy);
}

/* Returns whether this policy may be bound. */
static bool dispatch_may_bind(const pn_dispatch *s, const pn_dispatch_hooks *hooks)
{
    if (!pn_dispatch_policy_sane(hooks->policy) ||
        (hooks->policy->order.virtual_run && !s->virtual_run) ||
        !pn_dispatch_executors_suit(s, &hooks->policy->order))
        return false;
    const pn_bindable bindable = dispatch_bindable_of(hooks);
    pn_binding binding;
    return pn_binding_make(&binding, &bindable);
}

/* Returns whether this policy is the bound one. */
static bool dispatch_is_bound(const pn_dispatch *s, const pn_dispatch_hooks *hooks)
{
    const pn_bindable bindable = dispatch_bindable_of(hooks);
    return pn_binding_is_of(&s->fleet.binding, &bindable);
}

/* Returns why this policy is refused; PN_OK when it is not. */
static int dispatch_policy_refused(const pn_dispatch *s, const pn_dispatch_hooks *hooks)
{
    const pn_dispatch_policy *policy = hooks->policy;
    if (!policy || !PN_GIVEN(policy, pn_dispatch_policy, preempt))
        return PN_ERR_POLICY;
    bool fits = pn_binding_is_bound(&s->fleet.binding) ? dispatch_is_bound(s, hooks)
                                                       : dispatch_may_bind(s, hooks);
    /* The shape holds a hash only of the policy's memory: a block whose shape is false may have too
     * little of it. */
    return fits && pn_dispatch_policy_bytes(policy, s->config.jobs_max) <= s->fleet.policy_size
               ? PN_OK
               : PN_ERR_POLICY;
}

/* Builds the view, and binds the policy if none is; hooks that are refused never come here. */
void pn_dispatch_bind(pn_dispatch_view *view, pn_dispatch *s, const pn_dispatch_hooks *hooks)
{
    const pn_dispatch_policy *policy = hooks->policy;
    pn_dispatch_view_build(view, s, hooks);
    if (pn_binding_is_bound(&s->fleet.binding))
        return;
    const pn_bindable bindable = dispatch_bindable_of(hooks);
    (void)pn_binding_make(&s->fleet.binding, &bindable); /* or it would have been refused */
    s->order = policy->order;
    if (!policy->init)
        return;
    s->head.busy = 1;
    view->phase = PN_DISPATCH_PHASE_INIT;
    pn_fleet_note_failure(&view->s->fleet, policy->init(view));
    view->phase = PN_DISPATCH_PHASE_OTHER;
    s->head.busy = 0;
    if (!pn_dispatch_order_sane(&s->order, policy) || !pn_dispatch_executors_suit(s, &s->order))
        pn_fleet_note_failure(&view->s->fleet, PN_ERR_POLICY);
}

/* ---- around every event ---- */

int pn_dispatch_refused(const pn_dispatch *s, const pn_dispatch_hooks *hooks)
{
    if (!s || !hooks || !PN_GIVEN(hooks, pn_dispatch_hooks, on_input))
        return PN_ERR_ARGUMENT;
    return s->head.busy ? PN_ERR_BUSY : PN_OK;
}

int pn_dispatch_ready(const pn_dispatch *core, const pn_dispatch_hooks *hooks)
{
    int status = pn_dispatch_refused(core, hooks);
    if (status == PN_OK)
        status = core->fleet.failure;
    return status == PN_OK ? dispatch_policy_refused(core, hooks) : status;
}

/* Passes an input to hooks->on_input. */
void pn_dispatch_pass_input(pn_dispatch *s, const pn_dispatch_hooks *hooks,
                            const pn_dispatch_input *input)
{
    if (!hooks->on_input)
        return;
    pn_dispatch_input copy = *input;
    copy.struct_size = sizeof copy;
    copy.digest = pn_dispatch_digest(s);
    copy.attributes = (uint32_t)s->config.attributes;
    s->head.busy = 1;
    hooks->on_input(hooks->user, &copy);
    s->head.busy = 0;
}

/* Begins an event whose arguments are in order. After PN_OK dispatch_conclude, or
 * pn_fleet_conclude, must follow. */
int pn_dispatch_begin(pn_dispatch_view *view, pn_dispatch *s, const pn_dispatch_hooks *hooks,
                      const pn_dispatch_input *input)
{
    uint64_t now = input->now;
    int status = pn_dispatch_ready(s, hooks);
    if (status == PN_OK)
        status = pn_fleet_time_refused(s->totals.time, now);
    if (status != PN_OK)
        return status;
    pn_dispatch_pass_input(s, hooks, input);
    pn_dispatch_bind(view, s, hooks);
    s->head.busy = 1;
    if (s->offered > 0)
        s->fleet.saturated_ms += now - s->totals.time;
    s->totals.time = now;
    s->stirred = 1;
    view->now = now;
    return PN_OK;
}

/* Ends an event. Where the policy orders queues, those that have room again are in order from then
 * on, as a ranking between two events shows them. */
static int dispatch_conclude(const pn_dispatch_view *view, int status)
{
    if (view->s->order.by_queue)
        pn_dispatch_revive_firsts(view);
    return pn_fleet_conclude(&view->s->fleet, &view->s->head, status);
}

/* ---- attempts ---- */

/* Ends an attempt that ended by itself. */
static int dispatch_end_attempt(pn_dispatch *s, const pn_dispatch_hooks *hooks,
                                const pn_dispatch_input *input, uint32_t event)
{
    pn_dispatch_view view;
    int status = pn_dispatch_refused(s, hooks);
    if (status != PN_OK)
        return status;
    uint32_t place = pn_dispatch_attempt_of(s, input->token);
    if (place == PN_DISPATCH_NO_ATTEMPT)
        return PN_ERR_STALE;
    status = pn_dispatch_begin(&view, s, hooks, input);
    if (status != PN_OK)
        return status;
    pn_dispatch_end(&view, place, event);
    return dispatch_conclude(&view, PN_OK);
}

int pn_dispatch_finished(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                         uint64_t token)
{
    const pn_dispatch_input input = {.kind = PN_DISPATCH_IN_FINISHED, .now = now, .token = token};
    return dispatch_end_attempt(core, hooks, &input, PN_DISPATCH_END);
}

int pn_dispatch_failed(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                       uint64_t token)
{
    const pn_dispatch_input input = {.kind = PN_DISPATCH_IN_FAILED, .now = now, .token = token};
    return dispatch_end_attempt(core, hooks, &input, PN_DISPATCH_FAIL);
}

/* ---- cancelling ---- */

int pn_dispatch_cancel(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now, uint64_t id)
{
    const pn_dispatch_input input = {.kind = PN_DISPATCH_IN_CANCEL, .now = now, .id = id};
    pn_dispatch_view view;
    int status = pn_dispatch_refused(core, hooks);
    if (status != PN_OK)
        return status;
    pn_dispatch_entry *jobs = pn_at(core, core->jobs);
    uint32_t job = pn_fleet_job_of(&core->fleet, &jobs[0].id, PN_DISPATCH_ENTRY_WORDS,
                                   PN_LINKS(jobs, after), id);
    if (job == PN_NO_JOB)
        return PN_ERR_STALE;
    status = pn_dispatch_begin(&view, core, hooks, &input);
    if (status != PN_OK)
        return status;
    for (uint32_t place = 0; place < core->fleet.attempt_places.used && view.jobs[job].running > 0;
         place++) {
        const pn_dispatch_attempt *attempt = &view.attempts[place];
        if (attempt->state != PN_DISPATCH_RUNNING || view.stages[attempt->stage].job != job)
            continue;
        pn_dispatch_task task = pn_dispatch_task_of(&view, place);
        pn_dispatch_end(&view, place, PN_DISPATCH_DROP);
        if (hooks->kill)
            hooks->kill(hooks->user, &task);
    }
    pn_dispatch_leave(&view, job, PN_DISPATCH_CANCELLED);
    return dispatch_conclude(&view, PN_OK);
}

/* ---- nodes (DG12) ---- */

static int dispatch_begin_node(pn_dispatch_view *view, pn_dispatch *s,
                               const pn_dispatch_hooks *hooks, uint32_t kind, uint64_t now,
                               uint32_t node)
{
    const pn_dispatch_input input = {.kind = kind, .now = now, .node = node};
    int status = pn_dispatch_refused(s, hooks);
    if (status == PN_OK && node >= s->nodes_count)
        status = PN_ERR_ARGUMENT;
    return status == PN_OK ? pn_dispatch_begin(view, s, hooks, &input) : status;
}

static void set_node(pn_dispatch_view *view, uint32_t node, bool up)
{
    pn_dispatch_node *entry = &view->nodes[node];
    entry->up = up;
    view->s->totals.nodes_up += up ? 1 : UINT32_MAX;
    pn_dispatch_room_changed(view, node);
}

int pn_dispatch_node_up(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                        uint32_t node)
{
    pn_dispatch_view view;
    int status = dispatch_begin_node(&view, core, hooks, PN_DISPATCH_IN_NODE_UP, now, node);
    if (status != PN_OK)
        return status;
    if (!view.nodes[node].up) {
        set_node(&view, node, true);
        pn_dispatch_more_room(&view, node, PN_DISPATCH_NONE);
        pn_dispatch_report(&view, PN_DISPATCH_NODE_UP, PN_NO_JOB, node);
    }
    return dispatch_conclude(&view, PN_OK);
}

int pn_dispatch_node_down(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                          uint32_t node)
{
    pn_dispatch_view view;
    int status = dispatch_begin_node(&view, core, hooks, PN_DISPATCH_IN_NODE_DOWN, now, node);
    if (status != PN_OK)
        return status;
    if (view.nodes[node].up) {
        pn_dispatch_report(&view, PN_DISPATCH_NODE_DOWN, PN_NO_JOB, node);
        pn_dispatch_order_attempts(&view, node);
        while (view.nodes[node].first_attempt != 0)
            pn_dispatch_end(&view, view.nodes[node].first_attempt - 1, PN_DISPATCH_LOSE);
        set_node(&view, node, false);
        pn_dispatch_executor_leaves(&view, node);
    }
    return dispatch_conclude(&view, PN_OK);
}

/* Returns whether the node may have so much. */
static bool capacity_fits(const pn_dispatch *s, uint32_t node, const uint64_t *capacity)
{
    const pn_dispatch_node *nodes = pn_at((void *)(uintptr_t)s, s->nodes);
    bool fits = node < s->nodes_count && capacity;
    for (uint32_t r = 0; fits && r < s->config.resources; r++)
        fits = capacity[r] <= nodes[node].most[r] &&
               (!s->config.executors || capacity[r] == (capacity[0] ? nodes[node].most[r] : 0));
    return fits;
}

int pn_dispatch_resize(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                       uint32_t node, const uint64_t *capacity)
{
    pn_dispatch_input input = {.kind = PN_DISPATCH_IN_RESIZE, .now = now, .node = node};
    pn_dispatch_view view;
    int status = pn_dispatch_refused(core, hooks);
    if (status == PN_OK && !capacity_fits(core, node, capacity))
        status = PN_ERR_ARGUMENT;
    if (status == PN_OK)
        memcpy(input.capacity, capacity, core->config.resources * sizeof *capacity);
    if (status == PN_OK)
        status = pn_dispatch_begin(&view, core, hooks, &input);
    if (status != PN_OK)
        return status;
    pn_dispatch_node *entry = &view.nodes[node];
    size_t size = core->config.resources * sizeof *capacity;
    if (!pn_same_bytes(entry->capacity, capacity, size)) {
        memcpy(entry->capacity, capacity, size);
        pn_dispatch_room_changed(&view, node);
        if (capacity[0] == 0 && entry->first_attempt == 0)
            pn_dispatch_executor_leaves(&view, node);
        pn_dispatch_more_room(&view, node, PN_DISPATCH_NONE);
        pn_dispatch_report_resize(&view, node);
    }
    return dispatch_conclude(&view, PN_OK);
}

/* ---- ticks and the dispatch ---- */

int pn_dispatch_tick(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now)
{
    const pn_dispatch_input input = {.kind = PN_DISPATCH_IN_TICK, .now = now};
    pn_dispatch_view view;
    int status = pn_dispatch_begin(&view, core, hooks, &input);
    if (status != PN_OK)
        return status;
    core->stirred = 0;
    if (core->order.preempts && core->fleet.failure == 0) {
        view.phase = PN_DISPATCH_PHASE_PREEMPT;
        status = view.policy->preempt(&view);
        pn_dispatch_spare_supposed(&view);
        view.phase = PN_DISPATCH_PHASE_OTHER;
    }
    /* A table that is full is no failure of the policy: the next tick goes on. */
    if (status == PN_ERR_FULL)
        core->stirred = 1;
    else
        pn_fleet_note_failure(&view.s->fleet, status);
    return dispatch_conclude(&view, status == PN_ERR_FULL ? status : PN_OK);
}

/* Renews the keys of running jobs, which change with time. Those with nothing to offer are in no
 * order, and if nothing has room no order matters. */
static void rekey_running(const pn_dispatch_view *view)
{
    if (!pn_dispatch_lane_waits(view, 0) && view->s->grown_count == 0)
        return;
    for (uint32_t link = view->s->first_running; link != 0; link = view->jobs[link - 1].run_after)
        pn_dispatch_rekey(view, link - 1);
}

/* Launches by jobs (DG9). */
static int dispatch_serve(pn_dispatch_view *view, uint64_t *most)
{
    pn_dispatch *s = view->s;
    for (uint32_t stage = pn_dispatch_first_pair(view);
         stage != PN_DISPATCH_NO_STAGE && s->fleet.failure == 0;
         stage = pn_dispatch_first_pair(view)) {
        uint32_t class = view->stages[stage].class, node;
        if (!pn_dispatch_within_maximum(view, class)) {
            pn_dispatch_set_aside(view, class, PN_DISPATCH_OVER_MAXIMUM);
            continue;
        }
        node = pn_dispatch_place(view, stage);
        if (node == PN_DISPATCH_NONE && !s->config.backfill)
            return PN_OK;
        if (node == PN_DISPATCH_NONE) {
            pn_dispatch_set_aside(view, class, PN_DISPATCH_NO_ROOM);
            continue;
        }
        int status = pn_dispatch_give(view, stage, node, most);
        if (status != PN_OK)
            return status;
    }
    return PN_OK;
}

int pn_dispatch_run(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now, uint64_t most)
{
    const pn_dispatch_input input = {.kind = PN_DISPATCH_IN_RUN, .now = now, .most = most};
    pn_dispatch_view view;
    uint32_t stirred = core ? core->stirred : 0;
    int status = pn_dispatch_begin(&view, core, hooks, &input);
    if (status != PN_OK)
        return status;
    core->stirred = stirred;
    if (core->order.keys == PN_DISPATCH_KEYS_TIMED)
        rekey_running(&view);
    if (pn_dispatch_sticky(core))
        status = pn_dispatch_serve_executors(&view, &most);
    else
        status = core->order.packs ? pn_dispatch_pack(&view, &most) : dispatch_serve(&view, &most);
    return dispatch_conclude(&view, status);
}
