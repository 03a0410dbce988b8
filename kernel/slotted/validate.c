/* Whether a block from outside may be worked with: everything that the engine indexes with, counts
 * down or takes for granted is compared with what the jobs themselves say. Nothing is believed
 * before it has been looked at, in this order: the layout, the policy's shape, the jobs, and then
 * what points at them. */
#include "state.h"
#include "base/validate.h"

/* What is known of a block at some stage of its validation. */
typedef struct slotted_validation {
    pn_slotted *sim; /* the block, which is only read */
    pn_slotted_view view;
    pn_slotted_policy policy; /* one of the shape of the bound policy */
    pn_slotted_hooks hooks;
    uint64_t key;
    uint64_t slot;   /* up to which jobs have arrived */
    uint32_t future; /* jobs submitted and not arrived */
} slotted_validation;

/* ---- the layout ---- */

static bool slotted_same_layout(const pn_slotted *sim, const pn_slotted *fresh)
{
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++) {
        const pn_slotted_shadow_state *shadow = &sim->shadows[k], *laid = &fresh->shadows[k];
        if (shadow->work != laid->work || shadow->work_stride != laid->work_stride ||
            shadow->entries != laid->entries || shadow->served != laid->served ||
            shadow->estimates != laid->estimates || shadow->heap.capacity != laid->heap.capacity)
            return false;
    }
    return PN_SAME_PART(pn_slotted, config, binding, sim, fresh) &&
           PN_SAME_PART(pn_slotted, jobs, completion_heap, sim, fresh) &&
           sim->candidates_max == fresh->candidates_max &&
           sim->completion_heap.capacity == fresh->completion_heap.capacity &&
           sim->policy_memory == fresh->policy_memory;
}

/* Lays the block out again from its own configuration. */
static bool slotted_layout_sound(const pn_slotted *sim)
{
    pn_slotted fresh;
    pn_slotted_config config = sim->config;
    uint32_t needs[PN_SLOTTED_SHADOWS];
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++) {
        if (sim->shadows[k].carved > 1)
            return false;
        needs[k] = sim->shadows[k].carved;
    }
    if (config.struct_size != sizeof config || config.policy || pn_slotted_check(&config) ||
        sim->policy_memory_size > sim->head.size)
        return false;
    return pn_slotted_carve(&config, needs, sim->policy_memory_size, &fresh) == sim->head.size &&
           slotted_same_layout(sim, &fresh);
}

/* ---- the policy ---- */

static uint64_t any_weight(const pn_slotted_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return 1;
}

/* Makes a policy of the shape that the block notes, see shape_of in step.c; its own memory is not
 * known. */
static void slotted_policy_of_shape(pn_slotted_policy *policy, const uint64_t shape[PN_SHAPE_WORDS])
{
    *policy = (pn_slotted_policy){.struct_size = sizeof *policy,
                                  .name = "of this shape",
                                  .shadow = (uint8_t)shape[0],
                                  .load = (uint8_t)(shape[0] >> 8),
                                  .order_count = (uint8_t)(shape[0] >> 16),
                                  .preemptive = shape[0] >> 32 & 1,
                                  .nonpreemptive = shape[0] >> 33 & 1,
                                  .relaxed = shape[0] >> 34 & 1,
                                  .weight = shape[0] >> 36 & 1 ? any_weight : NULL,
                                  .sizes = (uint8_t)(shape[0] >> 24)};
    for (int k = 0; k < PN_SLOTTED_ORDERS_MAX; k++) {
        uint64_t bits = shape[1] >> (16 * k), key = bits >> 12 & 7;
        policy->orders[k] = (pn_slotted_order){.key = key == 0   ? NULL
                                                      : key == 1 ? pn_slotted_share_key
                                                                 : pn_slotted_key_remaining,
                                               .changes = bits >> 8 & 15,
                                               .members = (uint8_t)bits,
                                               .fit = bits >> 15 & 1};
    }
}

/* Returns whether nothing of a policy is there before the first step. */
static bool slotted_unbound_sound(const pn_slotted *sim)
{
    size_t from = offsetof(pn_slotted, orders), to = offsetof(pn_slotted, policy_memory);
    return pn_validate_zeros((const unsigned char *)sim + from, to - from) &&
           sim->share.count == 0 && sim->share_entries == 0 && sim->policy_state == 0 &&
           sim->sizes == 0 && !sim->initialised && !sim->relaxed && !sim->rekeys && !sim->renews &&
           sim->slot == 0 && sim->failed_slot == 0 &&
           !sim->shadows[PN_SLOTTED_SHADOW_OF_TRUTH].active &&
           !sim->shadows[PN_SLOTTED_SHADOW_OF_ESTIMATES].active &&
           pn_validate_zeros((const unsigned char *)sim + sim->policy_memory,
                             sim->policy_memory_size);
}

static bool slotted_same_orders(const pn_slotted *sim, const pn_slotted *bound)
{
    for (int k = 0; k < PN_SLOTTED_ORDERS_MAX; k++)
        if (sim->orders[k].entries != bound->orders[k].entries ||
            sim->orders[k].nodes != bound->orders[k].nodes ||
            sim->orders[k].heap.capacity != bound->orders[k].heap.capacity)
            return false;
    return pn_same_bytes(sim->phase_orders, bound->phase_orders, sizeof sim->phase_orders) &&
           sim->load_order == bound->load_order && sim->overdue == bound->overdue &&
           sim->renews == bound->renews && sim->rekeys == bound->rekeys &&
           sim->share_entries == bound->share_entries &&
           sim->share.capacity == bound->share.capacity && sim->sizes == bound->sizes &&
           sim->policy_state == bound->policy_state;
}

static bool slotted_bound_sound(slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    pn_slotted bound;
    pn_slotted_config config = sim->config;
    bool active[PN_SLOTTED_SHADOWS];
    config.policy = &self->policy;
    slotted_policy_of_shape(&self->policy, sim->binding.shape);
    if (pn_slotted_check(&config))
        return false;
    if (!(pn_slotted_cuts_reduces(sim) ? self->policy.preemptive : self->policy.nonpreemptive) ||
        sim->relaxed != self->policy.relaxed)
        return false;
    if (!pn_slotted_choose_shadows(sim, &self->policy, active))
        return false;
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (sim->shadows[k].active != active[k])
            return false;
    memset(&bound, 0, sizeof bound);
    bound.config.reduce = sim->config.reduce;
    size_t end = pn_slotted_room(&self->policy, &config, &bound, sim->policy_memory);
    if (end > sim->policy_memory + sim->policy_memory_size)
        return false;
    pn_slotted_orders_bind(&bound, &self->policy);
    return slotted_same_orders(sim, &bound);
}

static bool slotted_policy_sound(slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    if (!pn_binding_sound(&sim->binding) || !pn_validate_stream(&sim->stream) || sim->failure > 0 ||
        sim->initialised > 1)
        return false;
    return pn_binding_is_bound(&sim->binding) ? slotted_bound_sound(self)
                                              : slotted_unbound_sound(sim);
}

/* ---- numbers ---- */

static bool slotted_counts_sound(const pn_slotted *sim)
{
    if (sim->jobs_used > sim->config.jobs_max || sim->jobs_held > sim->jobs_used ||
        sim->jobs_held_max > sim->config.jobs_max)
        return false;
    if (sim->stretches_used > sim->config.stretches_max ||
        sim->stretches_held > sim->stretches_used ||
        (pn_slotted_cuts_reduces(sim) && sim->stretches_used > 0))
        return false;
    if (sim->held_total > sim->config.machines ||
        sim->running_count > pn_min(sim->config.machines, sim->config.jobs_max))
        return false;
    if (sim->touched_count != 0 || sim->share.count != 0 || sim->deciding_slot != 0)
        return false;
    if (sim->slot > PN_INTEGER_MAX || sim->failed_slot > PN_INTEGER_MAX ||
        sim->last_arrival > PN_INTEGER_MAX)
        return false;
    return (sim->failed_slot == 0 || sim->failed_slot > sim->slot) &&
           sim->submitted <= PN_INTEGER_MAX && sim->finished <= sim->submitted;
}

/* Checks the count of slots from the first arrival on, of which some are saturated. Jobs that have
 * arrived in a slot that failed may wait, too. */
static bool saturation_sound(const slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    bool arrived = sim->submitted > self->future;
    bool saturated = sim->offering_count > 0 && sim->held_total == sim->config.machines;
    if ((sim->first_arrival > 0 && !arrived) || sim->level_saturated > saturated)
        return false;
    if (sim->failed_slot == 0 &&
        ((arrived && sim->first_arrival == 0) || sim->level_saturated != saturated))
        return false;
    uint64_t slots = sim->first_arrival > 0 ? sim->slot + 1 - sim->first_arrival : 0;
    return sim->first_arrival <= sim->slot && sim->slots_saturated <= slots &&
           (!sim->relaxed || sim->slots_saturated == 0);
}

static bool slotted_statistics_sound(const pn_slotted *sim)
{
    if (!sim->config.statistics)
        return true;
    for (uint32_t group = 0; group <= sim->config.groups_max; group++)
        if (!pn_validate_stats(pn_slotted_flow_times(sim, group == 0 ? PN_ALL_GROUPS : group - 1),
                               0, PN_SLOTTED_FLOW_OCTAVES, 1))
            return false;
    return pn_batches_validate(pn_slotted_batches(sim)) == PN_OK;
}

/* ---- stretches of reduce tasks ---- */

/* Checks the stretches of one job: they add up to its unstarted tasks. */
static bool job_runs_sound(const slotted_validation *self, const pn_slotted_entry *job,
                           uint32_t *seen, uint64_t *tally)
{
    uint64_t tasks = 0, units = 0;
    for (uint32_t link = job->stretch; link != 0; link = self->view.stretches[link - 1].next) {
        if (link > self->sim->stretches_used || ++*seen > self->sim->stretches_held)
            return false;
        const pn_slotted_stretch *stretch = &self->view.stretches[link - 1];
        if (stretch->count == 0 || stretch->length == 0 ||
            stretch->length > PN_INTEGER_MAX / stretch->count)
            return false;
        tasks += stretch->count;
        units += stretch->count * stretch->length;
        if (units > PN_INTEGER_MAX)
            return false;
        *tally += pn_validate_hash(self->key, link);
    }
    return tasks == job->tasks && units == job->reduces;
}

/* Checks that the stretches of the jobs and the free ones are, together, all that were ever
 * used. */
static bool stretches_sound(const slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    uint32_t held = 0, free = 0;
    uint64_t tally = 0;
    if (pn_slotted_cuts_reduces(sim))
        return true;
    for (uint32_t place = 0; place < sim->jobs_used; place++)
        if (self->view.jobs[place].holders > 0 &&
            !job_runs_sound(self, &self->view.jobs[place], &held, &tally))
            return false;
    for (uint32_t link = sim->free_stretch; link != 0; link = self->view.stretches[link - 1].next) {
        if (link > sim->stretches_used || ++free > sim->stretches_used - sim->stretches_held)
            return false;
        tally += pn_validate_hash(self->key, link);
    }
    for (uint32_t link = 1; link <= sim->stretches_used; link++)
        tally -= pn_validate_hash(self->key, link);
    return held + free == sim->stretches_used && tally == 0;
}

/* ---- jobs ---- */

/* Counts the virtual runs in which the job has work left. */
static uint32_t virtual_holders(const slotted_validation *self, uint32_t place)
{
    uint32_t holders = 0;
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++) {
        if (!self->sim->shadows[k].active)
            continue;
        const pn_slotted_shadow_work *work = pn_slotted_work(&self->view.shadows[k], place);
        holders += work->maps + work->reduces > 0;
    }
    return holders;
}

static bool listed_as_future(const slotted_validation *self, uint32_t place, uint64_t after)
{
    const pn_slotted_entry *job = &self->view.jobs[place];
    return job->holders == 1 && !job->active && virtual_holders(self, place) == 0 &&
           job->arrival >= after && job->arrival > self->sim->slot &&
           job->arrival <= self->sim->last_arrival;
}

/* Checks the list of jobs to come; how many they are. */
static bool slotted_future_sound(slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    uint32_t last = 0;
    uint64_t arrival = 0;
    for (uint32_t link = sim->future_first; link != 0; link = self->view.jobs[link - 1].next) {
        if (link > sim->jobs_used || self->future == sim->jobs_held ||
            !listed_as_future(self, link - 1, arrival))
            return false;
        arrival = self->view.jobs[link - 1].arrival;
        last = link;
        self->future++;
    }
    return last == sim->future_last;
}

static bool slotted_free_sound(const slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    uint32_t free = 0;
    for (uint32_t link = sim->free_job; link != 0; link = self->view.jobs[link - 1].next)
        if (link > sim->jobs_used || self->view.jobs[link - 1].holders != 0 ||
            ++free > sim->jobs_used - sim->jobs_held)
            return false;
    return free == sim->jobs_used - sim->jobs_held;
}

static bool work_sound(const slotted_validation *self, uint32_t place)
{
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++) {
        if (!self->sim->shadows[k].active)
            continue;
        const pn_slotted_shadow_work *work = pn_slotted_work(&self->view.shadows[k], place);
        if (work->maps > PN_INTEGER_MAX || work->reduces > PN_INTEGER_MAX)
            return false;
    }
    return true;
}

static bool slotted_estimate_sound(const slotted_validation *self, uint32_t place)
{
    const uint64_t most = PN_INTEGER_MAX;
    if (!self->view.misjudged)
        return true;
    const pn_slotted_entry *job = &self->view.jobs[place];
    const pn_slotted_misjudgement *error = &self->view.misjudged[place];
    if ((uint64_t)error->maps + most > 2 * most || (uint64_t)error->reduces + most > 2 * most)
        return false;
    /* Until it arrives nothing has been run of it, and its estimates are what they were. */
    return job->active || job->holders == 0 || virtual_holders(self, place) > 0 ||
           ((uint64_t)error->maps + job->maps <= most &&
            (uint64_t)error->reduces + job->reduces <= most);
}

/* Checks the units of a job: no more of them are left at the start of the next slot. */
static bool size_sound(const slotted_validation *self, uint32_t place)
{
    const pn_slotted_entry *job = &self->view.jobs[place];
    const uint64_t *sizes = pn_slotted_sizes_of(self->sim);
    if (!sizes || !job->active)
        return true;
    uint64_t running = job->running_end - job->held * (self->sim->slot + 1);
    return sizes[place] <= PN_INTEGER_MAX &&
           pn_slotted_job_size(&self->view, place) <= PN_INTEGER_MAX &&
           job->maps + job->reduces + running <= sizes[place];
}

/* Checks the phase of a job, as the engine has it at rest. */
static bool phase_sound(const slotted_validation *self, const pn_slotted_entry *job)
{
    if (self->sim->relaxed || !job->active)
        return job->phase == PN_SLOTTED_PHASE_NONE;
    if (job->maps > 0)
        return job->phase == PN_SLOTTED_PHASE_MAPS;
    if (job->reduces > 0)
        return job->phase == PN_SLOTTED_PHASE_REDUCES;
    return job->phase == PN_SLOTTED_PHASE_RUNNING && job->held > 0;
}

/* Checks the marks of a slot that is over. */
static bool at_rest(const pn_slotted_entry *job)
{
    return job->touched == 0 && job->given == 0 && job->load == 0 && job->active <= 1;
}

static bool slotted_job_sound(const slotted_validation *self, const pn_slotted_entry *job)
{
    const pn_slotted *sim = self->sim;
    uint32_t place = (uint32_t)(job - self->view.jobs), elsewhere = virtual_holders(self, place);
    if (!at_rest(job) || !phase_sound(self, job) || !slotted_estimate_sound(self, place) ||
        !size_sound(self, place) || !work_sound(self, place))
        return false;
    if (job->maps > PN_INTEGER_MAX || job->reduces > PN_INTEGER_MAX ||
        job->maps + job->reduces > PN_INTEGER_MAX)
        return false;
    if (job->holders == 0)
        return !job->active && job->held == 0 && elsewhere == 0;
    if (job->id < 1 || job->id > sim->submitted || job->arrival < 1 ||
        (job->group != 0 && job->group >= sim->config.groups_max))
        return false;
    if (pn_slotted_cuts_reduces(sim) ? job->held > 0 || job->running_end != 0 || job->stretch != 0
                                     : job->tasks > 0 && job->reduces == 0)
        return false;
    if (job->active)
        return job->holders == 1 + elsewhere && job->arrival <= self->slot &&
               (!sim->relaxed || elsewhere > 0);
    /* To come, or done and held by a virtual run alone. */
    if (elsewhere == 0)
        return job->holders == 1 && job->held == 0 && job->running_end == 0 &&
               job->maps + job->reduces > 0;
    return job->holders == elsewhere && job->held == 0 && job->arrival <= self->slot &&
           job->stretch == 0;
}

static bool slotted_jobs_sound(slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    uint32_t free = 0, active = 0, offering = 0, waiting = 0, holding = 0;
    uint64_t held = 0;
    for (uint32_t place = 0; place < sim->jobs_used; place++) {
        const pn_slotted_entry *job = &self->view.jobs[place];
        if (!slotted_job_sound(self, job))
            return false;
        free += job->holders == 0;
        active += job->active;
        offering += job->phase == PN_SLOTTED_PHASE_MAPS || job->phase == PN_SLOTTED_PHASE_REDUCES;
        waiting += job->holders > 0 && !job->active && virtual_holders(self, place) == 0;
        held += job->held;
        holding += job->held > 0;
    }
    return pn_attributes_sound(pn_slotted_attributes_of(sim), sim->jobs_used) &&
           free == sim->jobs_used - sim->jobs_held && active == sim->active_count &&
           offering == sim->offering_count && held == sim->held_total &&
           holding == sim->holding_count && sim->level_served <= sim->level_jobs &&
           slotted_free_sound(self) && slotted_future_sound(self) && waiting == self->future &&
           saturation_sound(self) && sim->submitted - sim->finished == (uint64_t)active + waiting;
}

/* ---- what points at jobs ---- */

/* Checks running tasks: each entry is some tasks of a job that end in the same slot. */
static bool completions_sound(const slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    uint64_t held = 0, ends = 0;
    if (!pn_validate_heap(&self->view.completions, sim->jobs_used))
        return false;
    for (uint32_t i = 0; i < sim->completion_heap.count; i++) {
        const pn_heap_entry *entry = &self->view.completions.entry[i];
        if (entry->word[0] <= sim->slot || entry->word[0] < sim->failed_slot ||
            entry->word[0] > 2 * PN_INTEGER_MAX || entry->word[1] < 1 ||
            entry->word[1] > sim->config.machines)
            return false;
        uint64_t hash = pn_validate_hash(self->key, entry->item);
        held += entry->word[1] * hash;
        ends += entry->word[1] * (entry->word[0] + 1) * hash;
    }
    for (uint32_t place = 0; place < sim->jobs_used; place++) {
        uint64_t hash = pn_validate_hash(self->key, place);
        held -= self->view.jobs[place].holders > 0 ? self->view.jobs[place].held * hash : 0;
        ends -= self->view.jobs[place].holders > 0 ? self->view.jobs[place].running_end * hash : 0;
    }
    return held == 0 && ends == 0;
}

static bool virtual_sound(const slotted_validation *self, int k)
{
    const pn_slotted_shadow *shadow = &self->view.shadows[k];
    const pn_slotted *sim = self->sim;
    uint64_t members = 0;
    if (!shadow->state->active)
        return shadow->state->heap.count == 0;
    if (shadow->state->slot != (sim->failed_slot ? sim->failed_slot - 1 : sim->slot) ||
        shadow->state->served_count > pn_min(sim->config.jobs_max, sim->config.machines) ||
        shadow->state->completed_count > shadow->state->served_count)
        return false;
    for (uint32_t i = 0; i < shadow->state->served_count; i++)
        if (shadow->served[i].job >= sim->jobs_used)
            return false;
    if (!pn_validate_heap(&shadow->heap, sim->jobs_used))
        return false;
    for (uint32_t i = 0; i < shadow->state->heap.count; i++) {
        const pn_heap_entry *entry = &shadow->heap.entry[i];
        const pn_slotted_shadow_work *work = pn_slotted_work(shadow, entry->item);
        if (entry->word[0] != work->maps + work->reduces ||
            entry->word[1] != self->view.jobs[entry->item].id)
            return false;
        members += pn_validate_hash(self->key, entry->item);
    }
    uint32_t count = 0;
    for (uint32_t place = 0; place < sim->jobs_used; place++) {
        const pn_slotted_shadow_work *work = pn_slotted_work(shadow, place);
        bool member = work->maps + work->reduces > 0;
        count += member;
        members -= member ? pn_validate_hash(self->key, place) : 0;
    }
    return count == shadow->state->heap.count && members == 0;
}

static bool wants(const slotted_validation *self, uint32_t k, uint32_t place)
{
    const pn_slotted *sim = self->sim;
    const pn_slotted_entry *job = &self->view.jobs[place];
    if (k == sim->load_order)
        return sim->overdue && job->active && pn_slotted_load(&self->view, place) > 0;
    return sim->phase_orders[job->phase].bits >> k & 1;
}

static bool tree_sound(const slotted_validation *self, uint32_t k)
{
    const pn_tree *tree = &self->view.trees[k];
    for (uint32_t place = 0; place < self->sim->jobs_used; place++) {
        if (pn_tree_has(tree, place) != wants(self, k, place))
            return false;
        if (pn_tree_has(tree, place) &&
            tree->node[place].offer != pn_slotted_entry_offer(&self->view, &self->view.jobs[place]))
            return false;
    }
    return pn_validate_tree(tree, self->sim->jobs_used, self->sim->config.jobs_max);
}

static bool slotted_heap_sound(const slotted_validation *self, uint32_t k)
{
    for (uint32_t place = 0; place < self->sim->jobs_used; place++)
        if (pn_heap_has(&self->view.heaps[k], place) != wants(self, k, place))
            return false;
    return pn_validate_heap(&self->view.heaps[k], self->sim->jobs_used) &&
           pn_validate_places(&self->view.heaps[k], self->sim->jobs_used);
}

/* Returns whether no job has a place in a heap that is not there. */
static bool placeless(const slotted_validation *self, uint32_t k)
{
    for (uint32_t place = 0; place < self->sim->jobs_used; place++)
        if (self->view.jobs[place].places[k] != 0)
            return false;
    return true;
}

static bool slotted_orders_sound(const slotted_validation *self)
{
    for (uint32_t k = 0; k < PN_SLOTTED_ORDERS_MAX; k++) {
        bool kept = k < self->policy.order_count, heap = kept && !self->policy.orders[k].fit;
        if (!(heap ? slotted_heap_sound(self, k) : placeless(self, k)) ||
            (kept && !heap && !tree_sound(self, k)))
            return false;
    }
    return true;
}

/* Checks the jobs whose keys move by themselves. */
static bool running_sound(const slotted_validation *self)
{
    const pn_slotted *sim = self->sim;
    uint32_t placed = 0;
    for (uint32_t i = 0; i < sim->running_count; i++)
        if (self->view.running[i] >= sim->jobs_used ||
            self->view.jobs[self->view.running[i]].running_place != i + 1)
            return false;
    for (uint32_t place = 0; place < sim->jobs_used; place++) {
        const pn_slotted_entry *job = &self->view.jobs[place];
        bool wanted = sim->rekeys && job->held > 0 && sim->phase_orders[job->phase].count > 0;
        if ((job->running_place != 0) != wanted)
            return false;
        placed += wanted;
    }
    return placed == sim->running_count;
}

int pn_slotted_validate(const void *block, size_t size)
{
    slotted_validation self = {0};
    int status = pn_block_check(block, size, pn_slotted_magic, sizeof(pn_slotted));
    if (status != PN_OK)
        return status;
    /* The view's functions take a block that may be written to; none that is called here does. */
    self.sim = (pn_slotted *)(uintptr_t)block;
    if (!slotted_layout_sound(self.sim) || !slotted_policy_sound(&self) ||
        !slotted_counts_sound(self.sim) || !slotted_statistics_sound(self.sim))
        return PN_ERR_DAMAGED;
    self.hooks.policy = &self.policy;
    pn_slotted_view_build(&self.view, self.sim, &self.hooks);
    self.key = pn_validate_key(block, (size_t)self.sim->head.size);
    self.slot = self.sim->failed_slot ? self.sim->failed_slot : self.sim->slot;
    bool sound = slotted_jobs_sound(&self) && stretches_sound(&self) && completions_sound(&self) &&
                 virtual_sound(&self, PN_SLOTTED_SHADOW_OF_TRUTH) &&
                 virtual_sound(&self, PN_SLOTTED_SHADOW_OF_ESTIMATES) &&
                 slotted_orders_sound(&self) && running_sound(&self);
    return sound ? PN_OK : PN_ERR_DAMAGED;
}
