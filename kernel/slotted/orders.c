/* The orders of the bound policy: what they need in the block, who is a member, and when a key is
 * computed again. */
#include "state.h"

/* Lays out what one policy needs from `offset` on and returns the end. With a simulation given, the
 * offsets are noted there. Called for sizing (every policy the block must have memory for) and for
 * binding (the one that moves in). */
size_t pn_slotted_room(const pn_slotted_policy *policy, const pn_slotted_config *config,
                       pn_slotted *sim, size_t offset)
{
    pn_arena arena = {offset, false};
    size_t jobs = config->jobs_max;
    /* no more jobs than machines are served in a slot */
    size_t served = (size_t)pn_min(jobs, config->machines);
    size_t share_entries = 0;
    for (int k = 0; k < policy->order_count; k++) {
        const pn_slotted_order *order = &policy->orders[k];
        pn_slotted_order_state state = {0};
        bool of_slot = (order->members & PN_SLOTTED_WITH_LOAD) &&
                       policy->load == PN_SLOTTED_LOAD_SLOT;
        size_t capacity = of_slot ? served : jobs;
        if (order->fit) {
            state.nodes = pn_arena_take(&arena, jobs, sizeof(pn_tree_node));
        } else {
            state.entries = pn_arena_take(&arena, capacity, sizeof(pn_heap_entry));
            state.heap.capacity = (uint32_t)capacity;
        }
        if (order->key == pn_slotted_share_key)
            share_entries = served;
        if (sim)
            sim->orders[k] = state;
    }
    size_t share = pn_arena_take(&arena, share_entries, sizeof(pn_heap_entry));
    bool sized = pn_slotted_asks_sizes(policy);
    size_t sizes = pn_arena_take(&arena, sized ? jobs : 0, sizeof(uint64_t));
    size_t own = pn_arena_take(&arena, policy->state_bytes, 1);
    pn_arena_take(&arena, jobs, policy->state_bytes_per_job);
    if (sim) {
        sim->share_entries = share;
        sim->share.capacity = (uint32_t)share_entries;
        sim->sizes = sized ? sizes : 0;
        sim->policy_state = own;
    }
    return pn_arena_size(&arena, SIZE_MAX);
}

/* ---- one order ---- */

static pn_key slotted_key_of(const pn_slotted_view *view, const pn_slotted_order *order,
                             uint32_t place)
{
    pn_key key = {{0, view->jobs[place].id}};
    if (order->key && view->sim->failure == 0)
        order->key(view, place, &key);
    else
        key.word[0] = key.word[1];
    return key;
}

static void order_insert(pn_slotted_view *view, uint32_t k, uint32_t place)
{
    const pn_slotted_order *order = &view->policy->orders[k];
    pn_key key = slotted_key_of(view, order, place);
    if (order->fit)
        pn_tree_insert(&view->trees[k], place, key.word,
                       pn_slotted_entry_offer(view, &view->jobs[place]));
    else
        pn_heap_push(&view->heaps[k], place, key.word);
}

static void order_remove(pn_slotted_view *view, uint32_t k, uint32_t place)
{
    if (view->policy->orders[k].fit)
        pn_tree_remove(&view->trees[k], place);
    else
        pn_heap_remove(&view->heaps[k], place);
}

/* Updates the place of a job that stays a member; its key or its offer may have changed. */
static void order_update(pn_slotted_view *view, uint32_t k, uint32_t place)
{
    const pn_slotted_order *order = &view->policy->orders[k];
    bool rekey = order->changes != PN_SLOTTED_CHANGES_ON_ARRIVAL;
    if (!order->fit) {
        if (rekey)
            pn_heap_update(&view->heaps[k], place, slotted_key_of(view, order, place).word);
        return;
    }
    const pn_tree *tree = &view->trees[k];
    uint64_t offer = pn_slotted_entry_offer(view, &view->jobs[place]);
    if (rekey) {
        pn_key key = slotted_key_of(view, order, place);
        if (!pn_same_bytes(key.word, tree->node[place].word, sizeof key.word)) {
            pn_tree_remove(tree, place);
            pn_tree_insert(tree, place, key.word, offer);
            return;
        }
    }
    pn_tree_offer(tree, place, offer);
}

/* ---- all orders of a job ---- */

static uint8_t slotted_phase_of(const pn_slotted_entry *job)
{
    if (!job->active)
        return PN_SLOTTED_PHASE_NONE;
    if (job->maps > 0)
        return PN_SLOTTED_PHASE_MAPS;
    return job->reduces > 0 ? PN_SLOTTED_PHASE_REDUCES : PN_SLOTTED_PHASE_RUNNING;
}

static bool offers(uint8_t phase)
{
    return phase == PN_SLOTTED_PHASE_MAPS || phase == PN_SLOTTED_PHASE_REDUCES;
}

/* Updates the list of jobs whose keys move although no machine serves them: those with running
 * tasks that stand in an order. */
static void list_running(pn_slotted_view *view, uint32_t place, bool wanted)
{
    pn_slotted *sim = view->sim;
    uint32_t at = view->jobs[place].running_place;
    if (wanted && at == 0) {
        PN_ASSERT(sim->running_count < sim->config.machines);
        view->running[sim->running_count++] = place;
        view->jobs[place].running_place = sim->running_count;
    } else if (!wanted && at != 0) {
        uint32_t last = view->running[--sim->running_count];
        view->running[at - 1] = last;
        view->jobs[last].running_place = at;
        view->jobs[place].running_place = 0;
    }
}

/* Places a job in the order of jobs with load, whose members do not follow from the phase. */
static void load_place(pn_slotted_view *view, uint32_t k, uint32_t place)
{
    bool wanted = view->jobs[place].active && pn_slotted_load(view, place) > 0;
    bool present = pn_heap_has(&view->heaps[k], place);
    if (wanted && present)
        order_update(view, k, place);
    else if (wanted)
        order_insert(view, k, place);
    else if (present)
        order_remove(view, k, place);
}

/* Renews overdue places: where load stays from slot to slot (SL25), it changes with the virtual run
 * as well as with the real one. */
void pn_slotted_order_overdue(pn_slotted_view *view, uint32_t place)
{
    if (view->sim->overdue)
        load_place(view, view->sim->load_order, place);
}

/* Puts the job where its state at the start of view->slot belongs. O(orders log n). */
void pn_slotted_order_job(pn_slotted_view *view, uint32_t place)
{
    pn_slotted *sim = view->sim;
    pn_slotted_entry *job = &view->jobs[place];
    uint8_t phase = slotted_phase_of(job);
    const pn_slotted_phase_orders *old = &sim->phase_orders[job->phase];
    const pn_slotted_phase_orders *new = &sim->phase_orders[phase];
    sim->offering_count += (uint32_t)offers(phase) - (uint32_t)offers(job->phase);
    job->phase = phase;
    for (uint32_t i = 0; i < old->count; i++)
        if (!(new->bits >> old->order[i] & 1))
            order_remove(view, old->order[i], place);
    for (uint32_t i = 0; i < new->count; i++) {
        if (old->bits >> new->order[i] & 1)
            order_update(view, new->order[i], place);
        else
            order_insert(view, new->order[i], place);
    }
    if (sim->rekeys)
        list_running(view, place, new->count > 0 && job->held > 0);
    pn_slotted_order_overdue(view, place);
}

/* Renews the loads after the virtual run's step: the jobs whose maps it served have load. */
void pn_slotted_order_loads(pn_slotted_view *view)
{
    const pn_slotted_shadow *shadow = view->policy_shadow;
    uint32_t k = view->sim->load_order;
    if (k == PN_SLOTTED_ORDERS_MAX)
        return;
    for (uint32_t i = 0; i < shadow->state->served_count; i++) {
        if (shadow->served[i].maps == 0)
            continue;
        view->jobs[shadow->served[i].job].load = shadow->served[i].maps;
        load_place(view, k, shadow->served[i].job);
    }
}

/* Forgets what virtual SRPT wished for this slot (SL12), or renews what is overdue (SL25). */
void pn_slotted_order_unload(pn_slotted_view *view)
{
    const pn_slotted_shadow *shadow = view->policy_shadow;
    uint32_t k = view->sim->load_order;
    if (k == PN_SLOTTED_ORDERS_MAX)
        return;
    bool of_slot = view->policy->load == PN_SLOTTED_LOAD_SLOT;
    for (uint32_t i = 0; i < shadow->state->served_count; i++) {
        view->jobs[shadow->served[i].job].load = 0;
        if (!of_slot)
            load_place(view, k, shadow->served[i].job);
    }
    if (of_slot)
        pn_heap_clear(&view->heaps[k]);
}

/* ---- keys that move with time ---- */

static void heap_renew(pn_slotted_view *view, uint32_t k)
{
    const pn_heap *heap = &view->heaps[k];
    for (uint32_t i = 0; i < heap->state->count; i++) {
        pn_key key = slotted_key_of(view, &view->policy->orders[k], heap->entry[i].item);
        heap->entry[i].word[0] = key.word[0];
        heap->entry[i].word[1] = key.word[1];
    }
    pn_heap_rebuild(heap);
}

static void tree_renew(pn_slotted_view *view, uint32_t k)
{
    for (uint32_t place = 0, left = view->trees[k].state->count; left > 0; place++)
        if (pn_tree_has(&view->trees[k], place)) {
            order_update(view, k, place);
            left--;
        }
}

/* Renews the orders at the start of a slot: keys that move with time. At most one running job per
 * machine, or all members if the policy says so. */
void pn_slotted_order_slot(pn_slotted_view *view)
{
    if (!view->sim->renews && (!view->sim->rekeys || view->sim->running_count == 0))
        return;
    for (uint32_t k = 0; k < view->policy->order_count; k++) {
        const pn_slotted_order *order = &view->policy->orders[k];
        if (order->changes == PN_SLOTTED_CHANGES_WITH_TIME ||
            (order->changes == PN_SLOTTED_CHANGES_ON_TICK && view->ticked)) {
            if (order->fit)
                tree_renew(view, k);
            else
                heap_renew(view, k);
        } else if (view->sim->rekeys && order->changes != PN_SLOTTED_CHANGES_ON_ARRIVAL) {
            for (uint32_t i = 0; i < view->sim->running_count; i++) {
                uint32_t place = view->running[i];
                if (view->sim->phase_orders[view->jobs[place].phase].bits >> k & 1)
                    order_update(view, k, place);
            }
        }
    }
}

/* Notes, for the policy that moves in, which orders are whose. */
void pn_slotted_orders_bind(pn_slotted *sim, const pn_slotted_policy *policy)
{
    sim->load_order = PN_SLOTTED_ORDERS_MAX;
    if (policy->relaxed)
        return;
    for (uint32_t k = 0; k < policy->order_count; k++) {
        const pn_slotted_order *order = &policy->orders[k];
        if (order->changes == PN_SLOTTED_CHANGES_WITH_TIME ||
            order->changes == PN_SLOTTED_CHANGES_ON_TICK)
            sim->renews = 1;
        if (order->members == PN_SLOTTED_WITH_LOAD) {
            sim->load_order = k;
            sim->overdue = policy->load == PN_SLOTTED_LOAD_CUMULATIVE;
            continue;
        }
        for (uint32_t phase = PN_SLOTTED_PHASE_MAPS; phase <= PN_SLOTTED_PHASE_RUNNING;
             phase *= 2) {
            pn_slotted_phase_orders *orders = &sim->phase_orders[phase];
            if (!(order->members & phase))
                continue;
            orders->bits = (uint8_t)(orders->bits | 1u << k);
            orders->order[orders->count++] = (uint8_t)k;
        }
        bool served = order->changes == PN_SLOTTED_CHANGES_WHEN_SERVED ||
                      order->changes == PN_SLOTTED_CHANGES_ON_TICK;
        /* of machines held alone: running moves none */
        bool equal_shares = order->key == pn_slotted_share_key && !policy->weight;
        if (!pn_slotted_cuts_reduces(sim) && served && order->key && !equal_shares &&
            (order->members & (PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING)))
            sim->rekeys = 1;
    }
}
