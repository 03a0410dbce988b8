/* One slot after another: which slot is next, who arrives, what the policy decides. What it decided
 * becomes true in commit.c. */
#include "base/config.h"
#include "state.h"

enum { NOTHING_BEFORE = 2 }; /* the next slot lies after the one asked for */

/* ---- binding the policy ---- */

/* Chooses the virtual runs that have to run for this policy; false when the block has no memory for
 * one of them. */
bool pn_slotted_choose_shadows(const pn_slotted *sim, const pn_slotted_policy *policy,
                               bool active[PN_SLOTTED_SHADOWS])
{
    int followed = pn_slotted_followed_shadow(policy, sim->config.estimates);
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++) {
        active[k] = k == followed || (k == PN_SLOTTED_SHADOW_OF_TRUTH &&
                                      sim->config.bounds == PN_SLOTTED_BOUNDS_FAST);
        if (active[k] && !sim->shadows[k].carved)
            return false;
    }
    return true;
}

/* Fills in the shape: all of a policy's table that the block's layout and lists depend on. */
static void slotted_shape_of(const pn_slotted_policy *policy, uint64_t shape[PN_SHAPE_WORDS])
{
    const bool flags[] = {policy->preemptive != 0, policy->nonpreemptive != 0, policy->relaxed != 0,
                          policy->act != NULL, policy->weight != NULL};
    shape[0] = policy->shadow | (uint64_t)policy->load << 8 | (uint64_t)policy->order_count << 16 |
               (uint64_t)pn_slotted_asks_sizes(policy) << 24;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        shape[0] |= (uint64_t)flags[i] << (32 + i);
    shape[1] = 0;
    for (int k = 0; k < policy->order_count; k++) {
        const pn_slotted_order *order = &policy->orders[k];
        uint64_t key = order->key == NULL ? 0 : order->key == pn_slotted_share_key ? 1 : 2;
        uint64_t bits = order->members | (uint64_t)order->changes << 8 | key << 12 |
                        (uint64_t)(order->fit != 0) << 15;
        shape[1] |= bits << (16 * k);
    }
    shape[2] = pn_mix(
        pn_mix(pn_mix(PN_MIX_START, policy->state_bytes), policy->state_bytes_per_job),
        policy->tick_slots);
}

/* Fills in what the policy is bound by; false when its table makes no sense. */
static bool slotted_bindable_of(const pn_slotted_hooks *hooks, pn_bindable *bindable)
{
    const pn_slotted_policy *policy = hooks->policy;
    if (!PN_GIVEN(policy, pn_slotted_policy, tick_slots) ||
        policy->order_count > PN_SLOTTED_ORDERS_MAX)
        return false;
    *bindable = (pn_bindable){
        policy->name, policy->params, hooks->params, policy->param_count, {0}};
    slotted_shape_of(policy, bindable->shape);
    return true;
}

static int slotted_check_bound(const pn_slotted *sim, const pn_slotted_hooks *hooks)
{
    const pn_slotted_policy *policy = hooks->policy;
    pn_bindable bindable;
    if (!slotted_bindable_of(hooks, &bindable) || !pn_binding_is_of(&sim->binding, &bindable))
        return PN_ERR_POLICY;
    /* The shape holds a hash only of the policy's memory: a block whose shape is false may have too
     * little of it. */
    size_t room = sim->policy_memory_size - (sim->policy_state - sim->policy_memory);
    if (policy->state_bytes > room ||
        policy->state_bytes_per_job > (room - policy->state_bytes) / sim->config.jobs_max)
        return PN_ERR_DAMAGED;
    return PN_OK;
}

static int slotted_bind(pn_slotted *sim, const pn_slotted_hooks *hooks)
{
    const pn_slotted_policy *policy = hooks->policy;
    pn_slotted_config config = sim->config;
    pn_bindable bindable;
    pn_binding binding;
    bool active[PN_SLOTTED_SHADOWS];
    config.policy = policy;
    if (!slotted_bindable_of(hooks, &bindable) || pn_slotted_check(&config))
        return PN_ERR_POLICY;
    if (!(pn_slotted_cuts_reduces(sim) ? policy->preemptive : policy->nonpreemptive))
        return PN_ERR_MODE;
    if (!pn_binding_make(&binding, &bindable))
        return PN_ERR_ARGUMENT;
    if (!pn_slotted_choose_shadows(sim, policy, active))
        return PN_ERR_POLICY;
    size_t end = pn_slotted_room(policy, &config, NULL, 0);
    if (end > sim->policy_memory_size)
        return PN_ERR_POLICY;

    pn_slotted_room(policy, &config, sim, sim->policy_memory);
    sim->binding = binding;
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        sim->shadows[k].active = active[k];
    sim->relaxed = policy->relaxed;
    pn_slotted_orders_bind(sim, policy);
    return PN_OK;
}

/* ---- the next slot ---- */

static bool virtual_busy(const pn_slotted *sim)
{
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (sim->shadows[k].active && sim->shadows[k].heap.count > 0)
            return true;
    return false;
}

static bool job_less(const pn_slotted *sim)
{
    return sim->active_count == 0 && sim->future_first == 0;
}

/* Asks the policy; false if there is nothing to decide, as in a relaxation. Slots in which there is
 * not may be jumped over or be executed for other reasons, those of a bound's virtual run among
 * them; the policy must not notice which. */
static bool policy_asked(const pn_slotted *sim)
{
    return sim->offering_count > 0 && sim->held_total < sim->config.machines;
}

/* Returns how many slots from the next one on are quiet: nobody arrives, no task ends, nothing can
 * be decided, and the virtual runs do no more than serve their first job with all machines. */
static uint64_t quiet_slots(const pn_slotted_view *view)
{
    const pn_slotted *sim = view->sim;
    uint64_t event = PN_SLOTTED_FOREVER;
    if (sim->relaxed && virtual_busy(sim))
        return 0;
    if (policy_asked(sim))
        return 0;
    if (sim->future_first != 0)
        event = view->jobs[sim->future_first - 1].arrival;
    if (sim->completion_heap.count > 0)
        event = pn_min(event, view->completions.entry[0].word[0]);
    PN_ASSERT(event > sim->slot);
    uint64_t quiet = event - sim->slot - 1;
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (sim->shadows[k].active)
            quiet = pn_min(quiet, pn_slotted_virtual_quiet(view, &view->shadows[k]));
    return quiet;
}

static int next_slot(const pn_slotted_view *view, uint64_t until, uint64_t *slot)
{
    const pn_slotted *sim = view->sim;
    /* When the last job has finished, a virtual run of misjudged sizes may still have work; it
     * matters only if later slots are executed, or if that run's jobs hold all places. */
    if (job_less(sim) && (!virtual_busy(sim) ||
                          (until == PN_SLOTTED_FOREVER && sim->jobs_held < sim->config.jobs_max)))
        return PN_DONE;
    /* A slot whose policy failed is tried again, even though its jobs have arrived since and would
     * not have it jumped to. */
    *slot = pn_max(sim->slot + 1 + quiet_slots(view), sim->failed_slot);
    if (*slot > until)
        return NOTHING_BEFORE;
    return *slot > PN_INTEGER_MAX ? PN_ERR_OVERFLOW : PN_OK;
}

/* Lets the virtual runs pass through the quiet slots up to `slot`. */
static void pass_quietly(pn_slotted_view *view, uint64_t slot)
{
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (view->sim->shadows[k].active)
            pn_slotted_shadow_pass(view, &view->shadows[k], slot);
}

/* Returns the error that a function of the policy returned, or PN_OK; if it gave up, that
 * counts. */
static int slotted_answer(const pn_slotted_view *view, int status)
{
    if (view->sim->failure != 0)
        return view->sim->failure;
    return status < 0 ? status : PN_OK;
}

/* ---- arrivals ---- */

static void slotted_enter(pn_slotted_view *view, uint32_t place)
{
    pn_slotted *sim = view->sim;
    view->jobs[place].active = 1;
    sim->active_count++;
    sim->units_arrived += view->jobs[place].maps + view->jobs[place].reduces;
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (sim->shadows[k].active)
            pn_slotted_shadow_enter(view, &view->shadows[k], place);
    if (!sim->relaxed)
        pn_slotted_order_job(view, place);
}

static int slotted_arrivals(pn_slotted_view *view)
{
    pn_slotted *sim = view->sim;
    while (sim->future_first != 0 && view->jobs[sim->future_first - 1].arrival <= view->slot) {
        uint32_t place = sim->future_first - 1;
        uint64_t *sizes = pn_slotted_sizes_of(sim);
        if (sizes) /* nothing has been run of it */
            sizes[place] = view->jobs[place].maps + view->jobs[place].reduces;
        if (view->policy->arrive && !sim->relaxed) {
            /* for questions about it; still the first to come, should the hook fail */
            view->jobs[place].active = 1;
            int status = slotted_answer(view, view->policy->arrive(view, place));
            view->jobs[place].active = 0;
            if (status < 0)
                return status;
        }
        sim->future_first = view->jobs[place].next;
        if (sim->future_first == 0)
            sim->future_last = 0;
        view->jobs[place].next = 0;
        slotted_enter(view, place);
        if (sim->failure != 0)
            return sim->failure;
    }
    return PN_OK;
}

/* ---- the policy's hooks ahead of its decision ---- */

static int init_policy(pn_slotted_view *view)
{
    int status = PN_OK;
    if (!view->sim->initialised && view->policy->init && !view->sim->relaxed)
        status = slotted_answer(view, view->policy->init(view));
    view->sim->initialised |= status >= 0;
    return status;
}

static int tick_policy(pn_slotted_view *view)
{
    const pn_slotted_policy *policy = view->policy;
    if (policy->tick_slots == 0)
        return PN_OK;
    uint64_t stretch = (view->slot - 1) / policy->tick_slots + 1;
    if (stretch == view->sim->ticked)
        return PN_OK;
    int status = policy->tick ? slotted_answer(view, policy->tick(view)) : PN_OK;
    if (status < 0)
        return status;
    view->sim->ticked = stretch;
    view->ticked = 1;
    return PN_OK;
}

/* Begins a slot: the jobs that arrive, and what the policy wants to know of them; then, if it is
 * asked, keys that time has moved. */
static int begin_slot(pn_slotted_view *view)
{
    int status = view->sim->failure; /* a key may have given up in the slots passed */
    if (status >= 0)
        status = init_policy(view);
    if (status >= 0)
        status = slotted_arrivals(view);
    if (status < 0 || !policy_asked(view->sim))
        return status;
    status = tick_policy(view);
    if (status >= 0)
        pn_slotted_order_slot(view);
    return slotted_answer(view, status);
}

/* ---- deciding ---- */

static void virtual_step(pn_slotted_view *view)
{
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (view->sim->shadows[k].active)
            pn_slotted_shadow_step(view, &view->shadows[k]);
    pn_slotted_order_loads(view);
}

/* Undoes a slot whose policy failed: the machines given, and what the virtual runs served. */
static void undo_slot(pn_slotted_view *view)
{
    pn_slotted *sim = view->sim;
    pn_slotted_take_back(view);
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (sim->shadows[k].active)
            pn_slotted_shadow_undo(view, &view->shadows[k]);
    pn_slotted_order_unload(view);
}

static int ask(pn_slotted_view *view)
{
    const pn_slotted_policy *policy = view->policy;
    if (view->sim->relaxed || view->sim->failure != 0 || !policy_asked(view->sim))
        return view->sim->failure;
    if (policy->act)
        return policy->act(view);
    if (policy->orders[0].key == pn_slotted_share_key)
        return pn_slotted_share(view, 0, PN_SLOTTED_ALL_IDLE);
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static void count_withheld(pn_slotted_view *view)
{
    pn_slotted *sim = view->sim;
    sim->withholding = sim->touched_count == 0 ? sim->withholding + 1 : 0;
    if (sim->withholding > sim->withheld) {
        sim->withheld = sim->withholding;
        sim->withheld_slot = view->slot;
    }
}

static int slotted_decide(pn_slotted_view *view)
{
    virtual_step(view);
    view->idle = view->sim->config.machines - view->sim->held_total;
    int status = slotted_answer(view, ask(view));
    if (status < 0)
        undo_slot(view);
    else if (policy_asked(view->sim))
        count_withheld(view);
    view->idle = 0;
    return status;
}

/* Executes the next slot, or returns NOTHING_BEFORE when it lies after `until`. */
static int one_slot(pn_slotted_view *view, uint64_t until)
{
    pn_slotted *sim = view->sim;
    uint64_t slot;
    int status = next_slot(view, until, &slot);
    if (status != PN_OK)
        return status;
    /* From here on functions of the policy may be called; the jobs of this slot have
     * arrived. */
    sim->head.busy = 1;
    sim->deciding_slot = slot;
    pass_quietly(view, slot - 1);
    view->slot = slot;
    view->ticked = 0;
    view->fold = 0;
    view->mixed = pn_mix(PN_MIX_START, slot);
    status = begin_slot(view);
    if (status >= 0)
        status = slotted_decide(view);
    sim->deciding_slot = 0;
    sim->failed_slot = status < 0 ? slot : 0;
    if (status >= 0 && sim->relaxed)
        pn_slotted_commit_relaxed(view);
    else if (status >= 0)
        pn_slotted_commit(view);
    sim->head.busy = 0;
    return slotted_answer(view, status);
}

static int slotted_start(pn_slotted_view *view, pn_slotted *sim, const pn_slotted_hooks *hooks)
{
    if (!sim || !hooks || !PN_GIVEN(hooks, pn_slotted_hooks, user))
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    if (!hooks->policy)
        return PN_ERR_POLICY;
    if (sim->failure != 0)
        return sim->failure;
    int status = pn_binding_is_bound(&sim->binding) ? slotted_check_bound(sim, hooks)
                                                    : slotted_bind(sim, hooks);
    if (status == PN_OK)
        pn_slotted_view_build(view, sim, hooks);
    return status;
}

int pn_slotted_step(pn_slotted *sim, const pn_slotted_hooks *hooks)
{
    pn_slotted_view view;
    int status = slotted_start(&view, sim, hooks);
    return status == PN_OK ? one_slot(&view, PN_SLOTTED_FOREVER) : status;
}

int pn_slotted_run(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t until)
{
    return pn_slotted_run_some(sim, hooks, until, UINT64_MAX);
}

int pn_slotted_run_some(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t until,
                        uint64_t slots)
{
    pn_slotted_view view;
    if (until != PN_SLOTTED_FOREVER && until > PN_INTEGER_MAX)
        return PN_ERR_OVERFLOW;
    int status = slotted_start(&view, sim, hooks);
    for (; status == PN_OK && slots > 0; slots--)
        status = one_slot(&view, until);
    if (status == PN_OK)
        return PN_PAUSED;
    if (status != NOTHING_BEFORE && status != PN_DONE)
        return status;
    if (until != PN_SLOTTED_FOREVER && until > sim->slot) {
        sim->head.busy = 1;
        pass_quietly(&view, until);
        sim->head.busy = 0;
        pn_slotted_pass_saturated(sim, until);
        sim->slot = until;
    }
    if (sim->failure != 0) /* a key may have given up in the slots passed */
        return sim->failure;
    return job_less(sim) ? PN_DONE : PN_OK;
}
