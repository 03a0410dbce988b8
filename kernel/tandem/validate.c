/* Whether a block from outside may be worked with, see slotted/validate.c. Times, sizes and rates
 * are numbers in their ranges; sets, lists and the jobs served are what the jobs say; the rates in
 * force are those that the engines would set. */
#include "lines.h"
#include "base/validate.h"

typedef struct tandem_validation {
    pn_tandem *sim; /* the block, which is only read */
    pn_tandem_view view;
    pn_tandem_policy policy; /* one of the shape of the bound policy */
    pn_tandem_hooks hooks;
    uint64_t key;
} tandem_validation;

/* ---- the layout ---- */

static bool same_bounds(const pn_tandem_bound_state *bound, const pn_tandem_bound_state *fresh)
{
    for (int k = 0; k < PN_TANDEM_COLUMNS; k++)
        if (bound->columns[k].entries != fresh->columns[k].entries ||
            bound->columns[k].heap.capacity != fresh->columns[k].heap.capacity)
            return false;
    return bound->column_count == fresh->column_count;
}

static bool tandem_same_layout(const pn_tandem *sim, const pn_tandem *fresh)
{
    for (int i = 0; i < PN_TANDEM_SETS; i++)
        if (sim->sets[i].capacity != fresh->sets[i].capacity ||
            sim->set_entries[i] != fresh->set_entries[i])
            return false;
    return PN_SAME_PART(pn_tandem, config, binding, sim, fresh) &&
           PN_SAME_PART(pn_tandem, jobs, scratch_heap, sim, fresh) &&
           sim->scratch_heap.capacity == fresh->scratch_heap.capacity &&
           sim->policy_memory == fresh->policy_memory && same_bounds(&sim->bound, &fresh->bound);
}

static bool tandem_layout_sound(const pn_tandem *sim)
{
    pn_tandem fresh;
    pn_tandem_config config = sim->config;
    if (config.struct_size != sizeof config || config.policy || pn_tandem_check(&config) ||
        sim->policy_memory_size > sim->head.size || sim->engines >> PN_TANDEM_ENGINES != 0)
        return false;
    return pn_tandem_carve(&config, sim->engines, sim->policy_memory_size, &fresh) ==
               sim->head.size &&
           tandem_same_layout(sim, &fresh);
}

/* ---- the policy ---- */

static int any_act(pn_tandem_view *view)
{
    (void)view;
    return PN_OK;
}

static double any_wake(const pn_tandem_view *view)
{
    (void)view;
    return 0.0;
}

static int any_member(const pn_tandem_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return 0;
}

/* Makes a policy of the shape that the block notes, see shape_of in step.c; its own memory is not
 * known. */
static bool tandem_policy_of_shape(const pn_tandem *sim, pn_tandem_policy *policy)
{
    const uint64_t *shape = sim->binding.shape;
    *policy = (pn_tandem_policy){.name = "of this shape",
                                 .order_count = (uint8_t)shape[0],
                                 .act = shape[0] >> 16 & 1 ? any_act : NULL,
                                 .wake = shape[0] >> 17 & 1 ? any_wake : NULL,
                                 .map = sim->services[PN_TANDEM_MAP_STATION],
                                 .shuffle = sim->services[PN_TANDEM_SHUFFLE_STATION]};
    if (policy->order_count > PN_TANDEM_ORDERS_MAX)
        return false;
    for (int k = 0; k < policy->order_count; k++) {
        uint64_t bits = shape[1] >> (8 * k), kind = shape[0] >> (24 + 4 * k) & 15;
        if (kind > PN_TANDEM_KEY_SUM || (kind == PN_TANDEM_KEY_ID) != !(bits >> 6 & 1))
            return false;
        policy->orders[k] = (pn_tandem_order){
            .key = kind == PN_TANDEM_KEY_ID        ? NULL
                   : kind == PN_TANDEM_KEY_LONGEST ? pn_tandem_key_longest
                   : kind == PN_TANDEM_KEY_MAP     ? pn_tandem_key_map
                   : kind == PN_TANDEM_KEY_SUM     ? pn_tandem_key_sum
                                                   : pn_tandem_key_shuffle,
            .member = bits >> 7 & 1 ? any_member : NULL,
            .changes = bits >> 4 & 3,
            .members = bits & 15};
    }
    return true;
}

static bool tandem_same_orders(const pn_tandem *sim, const pn_tandem *bound)
{
    for (int k = 0; k < PN_TANDEM_ORDERS_MAX; k++)
        if (sim->order_entries[k] != bound->order_entries[k] ||
            sim->orders[k].capacity != bound->orders[k].capacity)
            return false;
    return sim->policy_state == bound->policy_state;
}

/* Returns whether the engine of lines may run this policy, as far as its shape tells, see
 * lines_serve in step.c. Without a wake-up orders of jobs that are present are not kept. */
static bool lines_may_serve(const pn_tandem_view *view)
{
    return view->same_keys && view->kinds[view->map_order] != PN_TANDEM_KEY_OTHER &&
           !view->policy->wake && !view->selective;
}

static bool engine_sound(tandem_validation *self)
{
    const pn_tandem *sim = self->sim;
    pn_tandem_view view;
    if (sim->engine >= PN_TANDEM_ENGINES || !pn_tandem_has(sim, sim->engine))
        return false;
    if (pn_tandem_firsts(&self->policy, sim->services)) {
        if (sim->engine != PN_TANDEM_ENGINE_LINES)
            return sim->engine == PN_TANDEM_ENGINE_FIRST;
        pn_tandem_view_build(&view, self->sim, &self->hooks);
        return lines_may_serve(&view);
    }
    return sim->engine == (pn_tandem_shares(&self->policy, sim->services) ? PN_TANDEM_ENGINE_SHARE
                                                                          : PN_TANDEM_ENGINE_LIST);
}

static bool tandem_bound_sound(tandem_validation *self)
{
    const pn_tandem *sim = self->sim;
    pn_tandem bound;
    pn_tandem_config config = sim->config;
    if (!tandem_policy_of_shape(sim, &self->policy) || !pn_tandem_policy_sane(&self->policy))
        return false;
    /* Services of a policy that acts are not asked, but they are looked at. */
    if (sim->services[PN_TANDEM_MAP_STATION].order >= PN_TANDEM_ORDERS_MAX ||
        sim->services[PN_TANDEM_SHUFFLE_STATION].order >= PN_TANDEM_ORDERS_MAX)
        return false;
    memset(&bound, 0, sizeof bound);
    memcpy(bound.services, sim->services, sizeof bound.services);
    size_t end = pn_tandem_room(&self->policy, &config, &bound, sim->policy_memory);
    if (end > sim->policy_memory + sim->policy_memory_size || !tandem_same_orders(sim, &bound))
        return false;
    if (!sim->initialised)
        return sim->failure != 0;
    pn_tandem_orders_use(&bound, &self->policy);
    if (!pn_same_bytes(sim->used, bound.used, sizeof bound.used) || !engine_sound(self))
        return false;
    if (sim->engine == PN_TANDEM_ENGINE_SHARE)
        pn_tandem_share_start(&bound);
    return sim->share.limit == bound.share.limit && sim->share.rigid == bound.share.rigid;
}

/* Returns whether, before the first step, nothing of a policy is there, and no job has arrived. */
static bool tandem_unbound_sound(const pn_tandem *sim)
{
    const size_t policy = offsetof(pn_tandem, services), room = offsetof(pn_tandem, policy_memory);
    const size_t engine = offsetof(pn_tandem, engine), sets = offsetof(pn_tandem, sets);
    const unsigned char *bytes = (const unsigned char *)sim;
    for (int i = 0; i < PN_TANDEM_SETS; i++)
        if (sim->sets[i].count != 0 || sim->sets[i].head != 0)
            return false;
    return sim->policy_state == 0 && pn_validate_zeros(bytes + policy, room - policy) &&
           pn_validate_zeros(bytes + engine, sets - engine) && !sim->initialised &&
           sim->in_system == 0 && sim->failure == 0;
}

static bool tandem_policy_sound(tandem_validation *self)
{
    const pn_tandem *sim = self->sim;
    if (!pn_binding_sound(&sim->binding) || !pn_validate_stream(&sim->stream) || sim->failure > 0 ||
        sim->initialised > 1)
        return false;
    return pn_binding_is_bound(&sim->binding) ? tandem_bound_sound(self)
                                              : tandem_unbound_sound(sim);
}

/* ---- numbers ---- */

static bool amount_sound(double amount)
{
    return (PN_TANDEM_LEAST <= amount && amount <= PN_TANDEM_MOST) || amount == 0.0;
}

/* Checks what is left of an amount, a time or a rate. */
static bool part_sound(double part)
{
    return 0.0 <= part && part <= PN_TANDEM_LAST;
}

static bool number_sound(double number)
{
    return -PN_TANDEM_LAST <= number && number <= PN_TANDEM_LAST;
}

static bool sum_sound(const pn_tandem_sum *sum)
{
    return number_sound(sum->high) && number_sound(sum->low);
}

static bool clock_sound(const pn_tandem *sim)
{
    bool wakes = sim->binding.shape[0] >> 17 & 1;
    if (!part_sound(sim->now) || !part_sound(sim->time) || !part_sound(sim->rounded) ||
        !part_sound(sim->promised))
        return false;
    if (!number_sound(sim->last_arrived) || !sum_sound(&sim->base) ||
        !sum_sound(&sim->last_arrival))
        return false;
    bool ahead = wakes && sim->now < sim->wake && part_sound(sim->wake);
    if ((sim->wake != PN_TANDEM_NEVER && !ahead) || sim->short_wakes > 40)
        return false;
    return sim->future_first == 0 ||
           (sim->now <= sim->next_arrival && part_sound(sim->next_arrival));
}

static bool sums_sound(const pn_tandem *sim)
{
    return sum_sound(&sim->response_time) && number_sound(sim->map_used) &&
           number_sound(sim->shuffle_used) && number_sound(sim->map_busy) &&
           number_sound(sim->shuffle_busy) && number_sound(sim->first_arrival) &&
           number_sound(sim->last_finish) && number_sound(sim->present_arrivals) &&
           number_sound(sim->backlog_total);
}

static bool tandem_counts_sound(const pn_tandem *sim)
{
    if (sim->jobs_used > sim->config.jobs_max || sim->jobs_held > sim->jobs_used ||
        sim->jobs_held_max > sim->config.jobs_max)
        return false;
    if (sim->in_system > sim->jobs_held || sim->in_system_max > sim->config.jobs_max ||
        sim->submitted > PN_INTEGER_MAX)
        return false;
    if (sim->served_count > sim->config.jobs_max || sim->backlog_count > sim->config.jobs_max ||
        sim->done_count != 0)
        return false;
    return sim->finished <= sim->submitted && sim->submitted - sim->finished == sim->jobs_held;
}

static bool tandem_statistics_sound(const pn_tandem *sim)
{
    if (!sim->config.statistics)
        return true;
    for (uint32_t i = 0; i <= sim->config.groups_max; i++) {
        uint32_t group = i == 0 ? PN_ALL_GROUPS : i - 1;
        if (!pn_validate_stats(pn_tandem_response_times(sim, group), PN_TANDEM_RESPONSE_OCTAVE,
                               PN_TANDEM_RESPONSE_OCTAVES, 0) ||
            !pn_validate_stats(pn_tandem_slowdowns(sim, group), PN_TANDEM_SLOWDOWN_OCTAVE,
                               PN_TANDEM_SLOWDOWN_OCTAVES, 0))
            return false;
    }
    return pn_batches_validate(pn_tandem_batches(sim)) == PN_OK;
}

/* Checks what is left in a column of the bounds, which is work: a number above 0. */
static bool bounds_sound(const pn_tandem *sim)
{
    const pn_tandem_bound_state *bound = &sim->bound;
    static const uint64_t no_ids[1] = {0};
    for (uint32_t k = 0; k < bound->column_count; k++) {
        const pn_tandem_column_state *state = &bound->columns[k];
        pn_heap heap = {(pn_heap_state *)(uintptr_t)&state->heap,
                        pn_at((void *)(uintptr_t)sim, state->entries),
                        NULL,
                        0,
                        no_ids,
                        0};
        if (!pn_validate_heap(&heap, UINT32_MAX))
            return false;
        for (uint32_t i = 0; i < state->heap.count; i++)
            if (heap.entry[i].word[0] <= pn_key_double(0.0) ||
                heap.entry[i].word[0] > pn_key_double(PN_TANDEM_LAST))
                return false;
    }
    return part_sound(bound->time) && sum_sound(&bound->period[0]) &&
           sum_sound(&bound->period[1]) && sum_sound(&bound->fast) && sum_sound(&bound->tight);
}

/* ---- jobs ---- */

/* Returns whether no heap of the sharing engine holds the job. */
static bool unshared_job(const tandem_validation *self, const pn_tandem_entry *job)
{
    if (!pn_tandem_has(self->sim, PN_TANDEM_ENGINE_SHARE))
        return job->class == PN_TANDEM_ENTRY_NONE;
    const pn_tandem_shared *shared = pn_tandem_shared_of(&self->view, job);
    return shared->places[0] == 0 && shared->places[1] == 0 && shared->places[2] == 0 &&
           job->class == PN_TANDEM_ENTRY_NONE;
}

/* Returns whether no set or list holds the job. */
static bool outside(const tandem_validation *self, const pn_tandem_entry *job)
{
    for (int k = 0; k < PN_TANDEM_ORDERS_MAX; k++)
        if (job->places[k] != 0)
            return false;
    return job->served == 0 && job->backlog_place == 0 && unshared_job(self, job);
}

static bool shared_sound(const tandem_validation *self, const pn_tandem_entry *job)
{
    if (!pn_tandem_has(self->sim, PN_TANDEM_ENGINE_SHARE))
        return true;
    const pn_tandem_shared *shared = pn_tandem_shared_of(&self->view, job);
    return shared->last == ~job->id && sum_sound(&shared->joined) && sum_sound(&shared->drained) &&
           sum_sound(&shared->grown);
}

static bool tandem_estimate_sound(const tandem_validation *self, uint32_t place)
{
    return !self->view.misjudged || (amount_sound(self->view.misjudged[place].map) &&
                                     amount_sound(self->view.misjudged[place].shuffle));
}

/* Checks a job that was submitted and is not complete. */
static bool tandem_job_sound(const tandem_validation *self, uint32_t place)
{
    const pn_tandem *sim = self->sim;
    const pn_tandem_entry *job = &self->view.jobs[place];
    double ratio = !sim->config.traditional && job->map > 0.0 ? job->shuffle / job->map : 0.0;
    if (job->id < 1 || job->id > sim->submitted || !shared_sound(self, job) ||
        (job->group != 0 && job->group >= sim->config.groups_max))
        return false;
    return amount_sound(job->map) && amount_sound(job->shuffle) && job->ratio == ratio &&
           part_sound(job->arrived) && part_sound(job->mapped) && part_sound(job->map_left) &&
           part_sound(job->backlog) && part_sound(job->shuffle_left) &&
           tandem_estimate_sound(self, place);
}

static bool coming_sound(const tandem_validation *self, uint32_t place)
{
    const pn_tandem_entry *job = &self->view.jobs[place];
    return outside(self, job) && tandem_job_sound(self, place) && job->map_left == job->map &&
           job->backlog == 0.0 && job->shuffle_left == job->shuffle &&
           job->mapped <= PN_TANDEM_MOST;
}

static bool present_sound(const tandem_validation *self, uint32_t place)
{
    const pn_tandem_entry *job = &self->view.jobs[place];
    uint8_t all = UINT8_MAX;
    for (int k = 0; k < self->policy.order_count; k++)
        if (self->policy.orders[k].member)
            all &= (uint8_t) ~(1u << k);
    if (self->view.selective)
        all &= (uint8_t)((1u << self->policy.order_count) - 1);
    return tandem_job_sound(self, place) && part_sound(job->arrival) &&
           (job->accepted & all) == all && (job->map > 0.0 || job->shuffle > 0.0);
}

/* Checks a list of places by `next`; adds what is in it to the count and the tally. */
static bool list_sound(const tandem_validation *self, uint32_t first, uint32_t most, uint32_t *last,
                       uint64_t *tally)
{
    uint32_t count = 0;
    *last = 0;
    for (uint32_t link = first; link != 0; link = self->view.jobs[link - 1].next) {
        if (link > self->sim->jobs_used || count++ == most || self->view.jobs[link - 1].active)
            return false;
        *tally += pn_validate_hash(self->key, link - 1);
        *last = link;
    }
    return count == most;
}

static bool come_sound(const tandem_validation *self)
{
    double before = 0.0;
    for (uint32_t link = self->sim->future_first; link != 0;
         link = self->view.jobs[link - 1].next) {
        if (!coming_sound(self, link - 1) || self->view.jobs[link - 1].arrived < before)
            return false;
        before = self->view.jobs[link - 1].arrived;
    }
    return before <= PN_TANDEM_MOST;
}

/* Checks every place: it is present, to come or free. */
static bool tandem_jobs_sound(const tandem_validation *self)
{
    const pn_tandem *sim = self->sim;
    uint32_t present = 0, last;
    uint64_t tally = 0;
    if (!list_sound(self, sim->future_first, sim->jobs_held - sim->in_system, &last, &tally) ||
        last != sim->future_last)
        return false;
    if (!list_sound(self, sim->free_job, sim->jobs_used - sim->jobs_held, &last, &tally) ||
        !come_sound(self))
        return false;
    for (uint32_t place = 0; place < sim->jobs_used; place++) {
        const pn_tandem_entry *job = &self->view.jobs[place];
        if (job->active > 1 || (job->active && sim->failure == 0 && !present_sound(self, place)))
            return false;
        /* After a failure only places are handed out and given back. */
        if (!job->active && (sim->failure == 0 ? !outside(self, job) : job->served != 0))
            return false;
        present += job->active;
        tally -= job->active ? 0 : pn_validate_hash(self->key, place);
    }
    return present == sim->in_system && tally == 0 &&
           pn_attributes_sound(pn_tandem_attributes_of(sim), sim->jobs_used);
}

/* ---- sets ---- */

/* Which jobs a heap holds. */
typedef bool belongs(const tandem_validation *self, const pn_tandem_entry *job, uint32_t order);

static bool tandem_heap_sound(const tandem_validation *self, const pn_heap *heap, uint32_t order,
                              belongs *belonging)
{
    const pn_tandem *sim = self->sim;
    uint32_t count = 0;
    if (!pn_validate_heap(heap, sim->jobs_used))
        return false;
    for (uint32_t i = 0; i < heap->state->count; i++)
        if (!belonging(self, &self->view.jobs[heap->entry[i].item], order))
            return false;
    for (uint32_t place = 0; place < sim->jobs_used; place++)
        count += belonging(self, &self->view.jobs[place], order);
    return count == heap->state->count;
}

/* Checks the jobs in an order of the policy. */
static bool tandem_in_order(const tandem_validation *self, const pn_tandem_entry *job, uint32_t k)
{
    const pn_tandem *sim = self->sim;
    bool shares = sim->engine == PN_TANDEM_ENGINE_SHARE;
    if (!job->active || !sim->used[k] || sim->engine == PN_TANDEM_ENGINE_LINES ||
        !(job->accepted >> k & 1))
        return false;
    if (self->policy.orders[k].members == PN_TANDEM_PRESENT)
        return true;
    if (self->policy.orders[k].members == PN_TANDEM_BACKLOG)
        return !shares && job->backlog > 0.0;
    return job->map_left > 0.0 &&
           (!shares || pn_tandem_shared_of(&self->view, job)->places[0] == 0);
}

static bool tandem_orders_sound(const tandem_validation *self)
{
    for (uint32_t k = 0; k < PN_TANDEM_ORDERS_MAX; k++) {
        if (k < self->policy.order_count &&
            !tandem_heap_sound(self, &self->view.heaps[k], k, tandem_in_order))
            return false;
        for (uint32_t place = 0; place < self->sim->jobs_used; place++) {
            bool wanted = k < self->policy.order_count &&
                          tandem_in_order(self, &self->view.jobs[place], k);
            if ((self->view.jobs[place].places[k] != 0) != wanted)
                return false;
        }
    }
    return true;
}

/* Checks the sets of the sharing engine. */
static bool in_mapping(const tandem_validation *self, const pn_tandem_entry *job, uint32_t unused)
{
    (void)unused;
    return pn_tandem_shared_of(&self->view, job)->places[0] != 0;
}

static bool in_class(const tandem_validation *self, const pn_tandem_entry *job, uint32_t class)
{
    (void)self;
    return job->class == class;
}

static bool in_last(const tandem_validation *self, const pn_tandem_entry *job, uint32_t unused)
{
    (void)unused;
    return pn_tandem_shared_of(&self->view, job)->places[2] != 0;
}

/* Checks where a job that has arrived is in the sets of the sharing engine. */
static bool share_job_sound(const tandem_validation *self, const pn_tandem_entry *job, bool limited)
{
    const uint32_t *places = pn_tandem_shared_of(&self->view, job)->places;
    bool mapping = places[0] != 0, classed = places[1] != 0, held = limited && mapping;
    if (classed != (job->class != PN_TANDEM_ENTRY_NONE) || (places[2] != 0) != held)
        return false;
    bool flows = job->class == PN_TANDEM_ENTRY_FLOWING || job->class == PN_TANDEM_ENTRY_GROWING;
    if (mapping)
        return job->map_left > 0.0 && flows == (job->ratio > 0.0) &&
               job->class != PN_TANDEM_ENTRY_DRAINING;
    return (job->class == PN_TANDEM_ENTRY_NONE && job->map_left > 0.0) ||
           job->class == PN_TANDEM_ENTRY_DRAINING;
}

static bool share_sound(const tandem_validation *self)
{
    const pn_tandem *sim = self->sim;
    const pn_tandem_view *view = &self->view;
    const pn_tandem_share_state *share = &sim->share;
    bool limited = share->limit != UINT32_MAX && self->policy.orders[view->map_order].key != NULL;
    if (!part_sound(share->map_rate) || !part_sound(share->level) || !sum_sound(&share->map_time) ||
        !sum_sound(&share->shuffle_time) || !sum_sound(&share->flowing) ||
        view->mapping.state->count > share->limit)
        return false;
    for (uint32_t place = 0; place < sim->jobs_used; place++)
        if (view->jobs[place].active && !share_job_sound(self, &view->jobs[place], limited))
            return false;
    return tandem_heap_sound(self, &view->mapping, 0, in_mapping) &&
           tandem_heap_sound(self, &view->flowing, PN_TANDEM_ENTRY_FLOWING, in_class) &&
           tandem_heap_sound(self, &view->growing, PN_TANDEM_ENTRY_GROWING, in_class) &&
           tandem_heap_sound(self, &view->draining, PN_TANDEM_ENTRY_DRAINING, in_class) &&
           tandem_heap_sound(self, &view->last, 0, in_last);
}

/* Checks that without the sharing engine no job is in its sets. */
static bool unshared(const tandem_validation *self)
{
    for (uint32_t place = 0; place < self->sim->jobs_used; place++) {
        const pn_tandem_entry *job = &self->view.jobs[place];
        if (!unshared_job(self, job))
            return false;
        if (job->active && !(job->map_left > 0.0) && !(job->backlog > 0.0))
            return false;
    }
    for (int i = 0; i < PN_TANDEM_SETS; i++)
        if (self->sim->sets[i].count != 0 && self->sim->engine != PN_TANDEM_ENGINE_LINES)
            return false;
    return true;
}

/* ---- the engine of lines ---- */

static uint32_t line_item(const pn_heap *heap, uint32_t index, run_mode mode)
{
    uint32_t at = index;
    if (mode == RUN_BY_ID) {
        at += heap->state->head;
        at -= at >= heap->state->capacity ? heap->state->capacity : 0;
    }
    return heap->entry[at].item;
}

static bool line_sound(const tandem_validation *self, int line, run_mode mode, uint64_t *tally)
{
    const pn_heap *heap = &self->view.lines[line];
    if (mode == RUN_BY_ID ? heap->state->count > heap->state->capacity ||
                                heap->state->head >= heap->state->capacity
                          : !pn_validate_heap(heap, self->sim->jobs_used))
        return false;
    for (uint32_t i = 0; i < heap->state->count; i++) {
        uint32_t place = line_item(heap, i, mode);
        if (place >= self->sim->jobs_used)
            return false;
        const pn_tandem_entry *job = &self->view.jobs[place];
        if (!job->active || job->line != line || line_of(job, mode) != line)
            return false;
        *tally += pn_validate_hash(self->key, place);
    }
    return true;
}

static bool same_first(const pn_tandem_first_state *a, const pn_tandem_first_state *b)
{
    return a->mapped == b->mapped && a->drained == b->drained && a->map_rate == b->map_rate &&
           a->flow == b->flow && a->growth == b->growth && a->drain == b->drain;
}

static bool lines_sound(tandem_validation *self)
{
    run_mode mode = (run_mode)self->view.kinds[self->view.map_order];
    uint32_t count = 0;
    uint64_t tally = 0;
    pn_tandem_first_state first = self->sim->first;
    for (int line = 0; line < PN_TANDEM_LINES; line++) {
        if (!line_sound(self, line, mode, &tally))
            return false;
        count += self->view.lines[line].state->count;
    }
    for (uint32_t place = 0; place < self->sim->jobs_used; place++)
        tally -= self->view.jobs[place].active ? pn_validate_hash(self->key, place) : 0;
    if (count != self->sim->in_system || tally != 0 ||
        self->sim->sets[PN_TANDEM_SET_LAST].count != 0)
        return false;
    lines_set_rates(&self->view, &first, mode);
    return same_first(&first, &self->sim->first);
}

/* ---- the engine of priorities ---- */

/* Checks the first job: a key that only the policy knows may put the mapped job before the one with
 * backlog or behind it. */
static bool first_sound(tandem_validation *self)
{
    pn_tandem_view *view = &self->view;
    const pn_heap *maps = first_maps(view), *backlogs = first_backlogs(view);
    uint32_t mapped = maps->state->count > 0 ? maps->entry[0].item : PN_NO_JOB;
    uint32_t drained = backlogs->state->count > 0 ? backlogs->entry[0].item : PN_NO_JOB;
    for (int before = 0; before < 2; before++) {
        pn_tandem_first_state first = self->sim->first;
        if (before && (mapped == PN_NO_JOB || view->jobs[mapped].backlog > 0.0))
            continue;
        first_share_out(view, &first, mapped, drained, before);
        if (same_first(&first, &self->sim->first))
            return true;
    }
    return false;
}

/* ---- the general engine ---- */

static bool served_sound(const tandem_validation *self, const pn_tandem_served *entry)
{
    if (entry->job >= self->sim->jobs_used)
        return false;
    const pn_tandem_entry *job = &self->view.jobs[entry->job];
    if (!job->active || !part_sound(entry->map_rate) || !part_sound(entry->shuffle_rate))
        return false;
    return entry->generation == entry->map_rate * job->ratio &&
           entry->growth == entry->generation - entry->shuffle_rate &&
           (entry->map_rate == 0.0 || job->map_left > 0.0) &&
           (job->backlog > 0.0 || entry->shuffle_rate <= entry->generation);
}

static bool list_engine_sound(const tandem_validation *self)
{
    const pn_tandem *sim = self->sim;
    uint32_t served = 0, listed = 0;
    for (uint32_t i = 0; i < sim->served_count; i++)
        if (!served_sound(self, &self->view.served[i]) ||
            self->view.jobs[self->view.served[i].job].served != i + 1)
            return false;
    for (uint32_t i = 0; i < sim->backlog_count; i++)
        if (self->view.backlogs[i] >= sim->jobs_used ||
            self->view.jobs[self->view.backlogs[i]].backlog_place != i + 1)
            return false;
    for (uint32_t place = 0; place < sim->jobs_used; place++) {
        const pn_tandem_entry *job = &self->view.jobs[place];
        bool backlog = sim->engine == PN_TANDEM_ENGINE_LIST && job->active && job->backlog > 0.0;
        if ((job->backlog_place != 0) != backlog)
            return false;
        served += job->served != 0;
        listed += backlog;
    }
    return served == sim->served_count && listed == sim->backlog_count &&
           (sim->engine == PN_TANDEM_ENGINE_LIST || served == 0);
}

static bool engines_sound(tandem_validation *self)
{
    uint32_t engine = self->sim->engine;
    if (!list_engine_sound(self) || !tandem_orders_sound(self))
        return false;
    if (engine == PN_TANDEM_ENGINE_SHARE)
        return share_sound(self);
    if (!unshared(self))
        return false;
    if (engine == PN_TANDEM_ENGINE_LINES)
        return lines_sound(self);
    return engine != PN_TANDEM_ENGINE_FIRST || first_sound(self);
}

int pn_tandem_validate(const void *block, size_t size)
{
    tandem_validation self = {0};
    int status = pn_block_check(block, size, pn_tandem_magic, sizeof(pn_tandem));
    if (status != PN_OK)
        return status;
    /* The view's functions take a block that may be written to; none that is called here does. */
    self.sim = (pn_tandem *)(uintptr_t)block;
    self.hooks.policy = &self.policy;
    if (!tandem_layout_sound(self.sim) || !tandem_policy_sound(&self) ||
        !tandem_counts_sound(self.sim) || !tandem_statistics_sound(self.sim) ||
        !bounds_sound(self.sim) || !clock_sound(self.sim) || !sums_sound(self.sim))
        return PN_ERR_DAMAGED;
    pn_tandem_view_build(&self.view, self.sim, &self.hooks);
    self.key = pn_validate_key(block, (size_t)self.sim->head.size);
    if (!tandem_jobs_sound(&self))
        return PN_ERR_DAMAGED;
    bool running = self.sim->initialised && self.sim->failure == 0;
    return !running || engines_sound(&self) ? PN_OK : PN_ERR_DAMAGED;
}
