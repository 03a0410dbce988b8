/* The view: what a policy sees of a slot, and the hot loops it may call. */
#include "state.h"

/* ---- building it ---- */

/* Makes a heap of jobs; `place` is the first job's place in it, or null. Each job starts with its
 * id. */
static pn_heap slotted_heap_build(pn_slotted *sim, pn_heap_state *state, size_t entries,
                                  uint32_t *place)
{
    return (pn_heap){state,
                     pn_at(sim, entries),
                     place,
                     PN_SLOTTED_JOB_PLACES,
                     pn_at(sim, sim->jobs),
                     PN_SLOTTED_JOB_WORDS};
}

static pn_slotted_shadow virtual_build(pn_slotted *sim, pn_slotted_shadow_state *state)
{
    return (pn_slotted_shadow){.state = state,
                               .heap = slotted_heap_build(sim, &state->heap, state->entries, NULL),
                               .work = pn_at(sim, state->work),
                               .served = pn_at(sim, state->served)};
}

void pn_slotted_view_build(pn_slotted_view *view, pn_slotted *sim, const pn_slotted_hooks *hooks)
{
    const pn_slotted_policy *policy = hooks->policy;
    view->sim = sim;
    view->hooks = hooks;
    view->policy = policy;
    view->jobs = pn_at(sim, sim->jobs);
    view->misjudged = sim->config.estimates ? pn_at(sim, sim->misjudged) : NULL;
    view->stretches = pn_at(sim, sim->stretches);
    view->touched = pn_at(sim, sim->touched);
    view->candidates = pn_at(sim, sim->candidates);
    view->running = pn_at(sim, sim->running);
    view->completions = slotted_heap_build(sim, &sim->completion_heap, sim->completions, NULL);
    view->share = slotted_heap_build(sim, &sim->share, sim->share_entries, NULL);
    for (int k = 0; k < policy->order_count; k++) {
        pn_slotted_order_state *order = &sim->orders[k];
        if (policy->orders[k].fit)
            view->trees[k] = (pn_tree){&order->tree, pn_at(sim, order->nodes),
                                       pn_at(sim, sim->jobs), PN_SLOTTED_JOB_WORDS, 0};
        else
            view->heaps[k] = slotted_heap_build(sim, &order->heap, order->entries,
                                                &view->jobs->places[k]);
    }
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        view->shadows[k] = virtual_build(sim, &sim->shadows[k]);
    int followed = pn_slotted_followed_shadow(policy, sim->config.estimates);
    view->policy_shadow = followed == PN_SLOTTED_SHADOWS ? NULL : &view->shadows[followed];
    view->slot = sim->slot;
    view->idle = 0;
    view->ticked = 0;
    view->fold = 0;
}

/* ---- asking ---- */

uint64_t pn_slotted_slot(const pn_slotted_view *view)
{
    return view->slot;
}

uint32_t pn_slotted_machines(const pn_slotted_view *view)
{
    return view->sim->config.machines;
}

uint32_t pn_slotted_jobs_max(const pn_slotted_view *view)
{
    return view->sim->config.jobs_max;
}

uint32_t pn_slotted_idle(const pn_slotted_view *view)
{
    return view->idle;
}

uint32_t pn_slotted_in_system(const pn_slotted_view *view)
{
    return view->sim->active_count;
}

int pn_slotted_active(const pn_slotted_view *view, uint32_t job)
{
    return job < view->sim->jobs_used && view->jobs[job].active;
}

int pn_slotted_preemptive(const pn_slotted_view *view)
{
    return pn_slotted_cuts_reduces(view->sim);
}

double pn_slotted_param_value(const pn_slotted_view *view, uint32_t index)
{
    PN_ASSERT(index < PN_PARAMS_MAX);
    return view->sim->binding.params[index];
}

void *pn_slotted_state(const pn_slotted_view *view)
{
    return pn_at(view->sim, view->sim->policy_state);
}

pn_stream *pn_slotted_stream(const pn_slotted_view *view)
{
    return &view->sim->stream;
}

const pn_slotted_policy *pn_slotted_policy_of(const pn_slotted_view *view)
{
    return view->policy;
}

void *pn_slotted_user(const pn_slotted_view *view)
{
    return view->hooks->user;
}

uint64_t pn_slotted_id(const pn_slotted_view *view, uint32_t job)
{
    return view->jobs[job].id;
}

uint64_t pn_slotted_arrival(const pn_slotted_view *view, uint32_t job)
{
    return view->jobs[job].arrival;
}

uint32_t pn_slotted_group(const pn_slotted_view *view, uint32_t job)
{
    return view->jobs[job].group;
}

uint32_t pn_slotted_attribute_count(const pn_slotted_view *view)
{
    return (uint32_t)view->sim->config.attributes;
}

double pn_slotted_attribute(const pn_slotted_view *view, uint32_t job, uint32_t index)
{
    return pn_attributes_get(pn_slotted_attributes_of(view->sim), job, index);
}

/* Returns what is left of an estimate, which is never below zero, however wrong it was. */
static uint64_t misjudge(uint64_t truth, int64_t error)
{
    int64_t seen = (int64_t)truth + error;
    return seen > 0 ? (uint64_t)seen : 0;
}

uint64_t pn_slotted_maps_left(const pn_slotted_view *view, uint32_t job)
{
    uint64_t maps = view->jobs[job].maps;
    return view->misjudged && maps > 0 ? misjudge(maps, view->misjudged[job].maps) : maps;
}

uint64_t pn_slotted_reduces_left(const pn_slotted_view *view, uint32_t job)
{
    uint64_t reduces = pn_slotted_entry_reduces(view, &view->jobs[job]);
    return view->misjudged ? misjudge(reduces, view->misjudged[job].reduces) : reduces;
}

uint64_t pn_slotted_remaining(const pn_slotted_view *view, uint32_t job)
{
    if (!view->misjudged)
        return view->jobs[job].maps + pn_slotted_entry_reduces(view, &view->jobs[job]);
    return pn_slotted_maps_left(view, job) + pn_slotted_reduces_left(view, job);
}

uint64_t pn_slotted_attained(const pn_slotted_view *view, uint32_t job)
{
    const uint64_t *sizes = pn_slotted_sizes_of(view->sim);
    PN_ASSERT(sizes);
    return sizes[job] - view->jobs[job].maps - pn_slotted_entry_reduces(view, &view->jobs[job]);
}

uint64_t pn_slotted_job_size(const pn_slotted_view *view, uint32_t job)
{
    const uint64_t *sizes = pn_slotted_sizes_of(view->sim);
    PN_ASSERT(sizes);
    if (!view->misjudged)
        return sizes[job];
    const pn_slotted_misjudgement *error = &view->misjudged[job];
    return sizes[job] + (uint64_t)error->maps + (uint64_t)error->reduces;
}

int pn_slotted_in_maps(const pn_slotted_view *view, uint32_t job)
{
    return view->jobs[job].maps > 0;
}

uint64_t pn_slotted_offer(const pn_slotted_view *view, uint32_t job)
{
    return pn_slotted_entry_offer(view, &view->jobs[job]);
}

uint32_t pn_slotted_held(const pn_slotted_view *view, uint32_t job)
{
    return view->jobs[job].held;
}

uint32_t pn_slotted_given(const pn_slotted_view *view, uint32_t job)
{
    return view->jobs[job].given;
}

uint64_t pn_slotted_load(const pn_slotted_view *view, uint32_t job)
{
    uint64_t maps = view->jobs[job].maps;
    /* before it has entered, the run holds nothing of it */
    if (!view->policy_shadow || view->jobs[job].phase != PN_SLOTTED_PHASE_MAPS)
        return 0;
    if (view->policy->load == PN_SLOTTED_LOAD_SLOT)
        return pn_min(view->jobs[job].load, maps);
    /* SL25: virtual maps so far - real maps so far = (estimate - virtual left) - (truth - real
     * left). */
    int64_t ahead = (int64_t)maps - (int64_t)pn_slotted_work(view->policy_shadow, job)->maps;
    if (view->misjudged && view->policy_shadow->state->estimates)
        ahead += view->misjudged[job].maps;
    return ahead > 0 ? pn_min((uint64_t)ahead, maps) : 0;
}

uint32_t pn_slotted_served_count(const pn_slotted_view *view)
{
    const pn_slotted_shadow *shadow = view->policy_shadow;
    /* in hooks ahead of its step: nothing yet */
    return shadow && shadow->state->slot == view->slot ? shadow->state->served_count : 0;
}

pn_slotted_served pn_slotted_served_at(const pn_slotted_view *view, uint32_t index)
{
    PN_ASSERT(index < pn_slotted_served_count(view));
    return view->policy_shadow->served[index];
}

void pn_slotted_fail(const pn_slotted_view *view, int status)
{
    if (view->sim->failure == 0)
        view->sim->failure = status < 0 ? status : PN_ERR_POLICY;
}

void pn_slotted_key_remaining(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_remaining(view, job);
}

void pn_slotted_key_most_remaining(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = UINT64_MAX - pn_slotted_remaining(view, job);
}

/* ---- giving ---- */

static void hand_out(pn_slotted_view *view, uint32_t job, uint32_t machines)
{
    if (machines == 0)
        return;
    pn_slotted_touch(view, job);
    view->jobs[job].given += machines;
    view->idle -= machines;
}

int pn_slotted_give(pn_slotted_view *view, uint32_t job, uint64_t machines)
{
    if (!pn_slotted_active(view, job) || machines > view->idle ||
        machines > pn_slotted_entry_offer(view, &view->jobs[job]) - view->jobs[job].given)
        return PN_ERR_INFEASIBLE;
    hand_out(view, job, (uint32_t)machines);
    return PN_OK;
}

void pn_slotted_take_back(pn_slotted_view *view)
{
    for (uint32_t i = 0; i < view->sim->touched_count; i++) {
        pn_slotted_entry *job = &view->jobs[view->touched[i]];
        view->idle += job->given;
        job->given = 0;
        job->touched = 0;
    }
    view->sim->touched_count = 0;
}

static bool is_heap(const pn_slotted_view *view, uint32_t order)
{
    return order < view->policy->order_count && !view->policy->orders[order].fit;
}

static pn_heap_walk walk_start(pn_slotted_view *view, uint32_t order)
{
    pn_heap_walk walk;
    pn_heap_walk_start(&walk, &view->heaps[order], view->candidates, view->sim->candidates_max);
    return walk;
}

/* Returns what is left to give in a loop with this limit. */
static uint32_t budget_of(const pn_slotted_view *view, uint64_t limit)
{
    return (uint32_t)pn_min(limit, view->idle);
}

static uint32_t fill_job(pn_slotted_view *view, uint32_t place, uint64_t wanted, uint32_t budget)
{
    uint32_t given = view->jobs[place].given;
    uint32_t gift = (uint32_t)pn_min(wanted > given ? wanted - given : 0, budget);
    hand_out(view, place, gift);
    return gift;
}

static void fill_heap(pn_slotted_view *view, uint32_t order, uint32_t budget)
{
    bool by_load = view->policy->orders[order].members & PN_SLOTTED_WITH_LOAD;
    pn_heap_walk walk = walk_start(view, order);
    while (budget > 0 && walk.count > 0) {
        uint32_t place = pn_heap_walk_peek(&walk)->item;
        uint64_t wanted = by_load ? pn_slotted_load(view, place)
                                  : pn_slotted_entry_offer(view, &view->jobs[place]);
        budget -= fill_job(view, place, wanted, budget);
        if (budget > 0)
            pn_heap_walk_next(&walk);
    }
}

static void fill_tree(pn_slotted_view *view, uint32_t order, uint32_t budget)
{
    uint32_t place = PN_NO_JOB;
    while (budget > 0 &&
           (place = pn_tree_next_at_least(&view->trees[order], place, 1)) != PN_NO_JOB)
        budget -= fill_job(view, place, pn_slotted_entry_offer(view, &view->jobs[place]), budget);
}

int pn_slotted_fill(pn_slotted_view *view, uint32_t order, uint64_t limit)
{
    if (order >= view->policy->order_count)
        return PN_ERR_ARGUMENT;
    if (is_heap(view, order))
        fill_heap(view, order, budget_of(view, limit));
    else
        fill_tree(view, order, budget_of(view, limit));
    return PN_OK;
}

/* ---- shares ---- */

/* Writes held / weight as an exact order in two words: the quotient, and the remainder scaled by
 * 2^41. Distinct fractions with weights <= 2^20 differ by at least 2^-40, so scaling by 2^41 and
 * rounding down keeps them apart, and equal ones equal. With whole shares (no weight) the second
 * word is free: the id in it breaks ties without a further look. */
static void share_word(const pn_slotted_view *view, uint32_t place, uint64_t held, uint64_t word[2])
{
    word[0] = held;
    word[1] = view->jobs[place].id;
    if (!view->policy->weight || view->sim->failure != 0)
        return;
    uint64_t weight = view->policy->weight(view, place);
    if (weight < 1 || weight > (uint64_t)1 << 20) {
        pn_slotted_fail(view, PN_ERR_INFEASIBLE);
        return;
    }
    word[0] = held / weight;
    word[1] = ((held % weight) << 41) / weight;
}

void pn_slotted_share_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    share_word(view, job, view->jobs[job].held, key->word);
}

static bool share_before(const pn_slotted_view *view, const pn_heap_entry *a,
                         const pn_heap_entry *b)
{
    return a && (!b || pn_heap_before(&view->share, a, b));
}

static void share_on(pn_slotted_view *view, uint32_t place)
{
    const pn_slotted_entry *job = &view->jobs[place];
    uint64_t word[2];
    if (job->given >= pn_slotted_entry_offer(view, job))
        return;
    share_word(view, place, (uint64_t)job->held + job->given, word);
    pn_heap_push(&view->share, place, word);
}

int pn_slotted_share(pn_slotted_view *view, uint32_t order, uint64_t limit)
{
    uint32_t budget = budget_of(view, limit);
    if (!is_heap(view, order) || view->policy->orders[order].key != pn_slotted_share_key)
        return PN_ERR_ARGUMENT;
    /* `share` holds the jobs that got a machine in this slot and can use more; the others stand in
     * the order. */
    pn_heap_walk walk = walk_start(view, order);
    while (budget > 0) {
        const pn_heap_entry *waiting = pn_heap_walk_peek(&walk);
        const pn_heap_entry *sharing = view->share.state->count > 0 ? view->share.entry : NULL;
        if (!waiting && !sharing)
            break;
        bool from_walk = share_before(view, waiting, sharing);
        uint32_t place = from_walk ? waiting->item : sharing->item;
        if (from_walk)
            pn_heap_walk_next(&walk);
        else
            pn_heap_pop(&view->share);
        /* The order knows what a job holds; what it was given earlier in this slot moves it back in
         * the queue. */
        if (!from_walk || (view->jobs[place].given == 0 &&
                           pn_slotted_entry_offer(view, &view->jobs[place]) > 0)) {
            hand_out(view, place, 1);
            budget--;
        }
        if (budget > 0)
            share_on(view, place);
    }
    pn_heap_clear(&view->share);
    return PN_OK;
}

/* ---- searching ---- */

uint32_t pn_slotted_next_at_least(const pn_slotted_view *view, uint32_t order, uint32_t after,
                                  uint64_t offer)
{
    PN_ASSERT(order < view->policy->order_count && view->policy->orders[order].fit);
    return pn_tree_next_at_least(&view->trees[order], after, offer);
}

int pn_slotted_member(const pn_slotted_view *view, uint32_t order, uint32_t job)
{
    PN_ASSERT(order < view->policy->order_count);
    if (job >= view->sim->jobs_used)
        return 0;
    return view->policy->orders[order].fit ? pn_tree_has(&view->trees[order], job)
                                           : pn_heap_has(&view->heaps[order], job);
}

uint32_t pn_slotted_next_at_most(const pn_slotted_view *view, uint32_t order, uint32_t after,
                                 uint64_t offer)
{
    PN_ASSERT(order < view->policy->order_count && view->policy->orders[order].fit);
    return pn_tree_next_at_most(&view->trees[order], after, offer);
}
