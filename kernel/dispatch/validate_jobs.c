/* Whether jobs, attempts and the virtual run are what a run would have left, see validate.h. */
#include "validate.h"

/* ---- jobs ---- */

/* What a job's stages say of it. */
typedef struct dispatch_sums {
    uint64_t work, left, left_area, later, rate, use[PN_DISPATCH_RESOURCES_MAX];
    uint32_t stages, stages_left, running;
} dispatch_sums;

static bool dispatch_add_stage(const pn_dispatch_validation *self, uint32_t stage,
                               dispatch_sums *sum)
{
    const pn_dispatch_stage_entry *entry = &self->view.stages[stage];
    const pn_dispatch_class *class = &self->view.classes[entry->class];
    uint64_t each, all, pending = pn_dispatch_pending_of(entry);
    if (!pn_multiply(entry->estimate, class->omega, PN_DISPATCH_WORK_END, &each) ||
        !pn_multiply(each, entry->tasks, PN_DISPATCH_WORK_END, &all))
        return false;
    sum->work += entry->estimate * class->sigma * entry->tasks;
    sum->left += entry->estimate * class->sigma * pending;
    sum->left_area += each * pending;
    sum->later += pn_dispatch_stage_ready(entry) ? 0 : entry->tasks;
    sum->rate += entry->running * class->sigma;
    for (uint32_t r = 0; r < self->s->config.resources; r++)
        sum->use[r] += entry->running * class->demand[r];
    sum->stages_left += entry->times.finish == PN_DISPATCH_NEVER;
    sum->running += entry->running;
    return true;
}

static bool job_sums_sound(const pn_dispatch_validation *self, uint32_t job,
                           const dispatch_sums *sum)
{
    const pn_dispatch_entry *entry = &self->view.jobs[job];
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        if (entry->use[r] != sum->use[r])
            return false;
    uint64_t most = self->s->config.running_most;
    return (most == 0 || entry->running <= most) && entry->stages == sum->stages &&
           entry->stages_left == sum->stages_left && entry->stages_left > 0 &&
           entry->running == sum->running && entry->work == sum->work && entry->left == sum->left &&
           entry->left_area == sum->left_area && entry->later == sum->later &&
           entry->rate == sum->rate;
}

/* Checks the stages that are not finished, by depth. */
static bool depths_sound(const pn_dispatch_validation *self, uint32_t job)
{
    const pn_dispatch_entry *entry = &self->view.jobs[job];
    uint64_t depth = UINT64_MAX;
    uint32_t count = 0, left = 0;
    for (uint32_t link = entry->highest; link != 0; link = self->view.stages[link - 1].lower) {
        if (link > self->s->stage_places.used || count++ == entry->stages)
            return false;
        const pn_dispatch_stage_entry *stage = &self->view.stages[link - 1];
        if (stage->number != entry->id || stage->depth > depth)
            return false;
        depth = stage->depth;
        left += stage->times.finish == PN_DISPATCH_NEVER;
    }
    return left == entry->stages_left;
}

static bool dispatch_job_sound(const pn_dispatch_validation *self, uint32_t job)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_entry *entry = &self->view.jobs[job];
    dispatch_sums sum = {0};
    if (entry->id > s->totals.submitted || entry->weight < 1 ||
        entry->weight > PN_DISPATCH_WEIGHT_MOST || entry->priority < -PN_DISPATCH_PRIORITY_MOST ||
        entry->priority > PN_DISPATCH_PRIORITY_MOST || entry->queue >= s->queues_count ||
        entry->arrival > s->totals.time || entry->deadline > PN_INTEGER_MAX ||
        entry->stages > PN_DISPATCH_STAGES_MOST)
        return false;
    for (uint32_t link = entry->first_stage; link != 0; link = self->view.stages[link - 1].next) {
        if (link > s->stage_places.used || self->view.stages[link - 1].number != entry->id ||
            self->view.stages[link - 1].index != sum.stages++ || sum.stages > entry->stages ||
            !dispatch_add_stage(self, link - 1, &sum))
            return false;
    }
    return job_sums_sound(self, job, &sum) && depths_sound(self, job);
}

static bool dispatch_system_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t before = 0, count = 0, running = 0;
    uint64_t id = 0;
    for (uint32_t link = s->fleet.first_job; link != 0; link = self->view.jobs[link - 1].after) {
        if (link > s->fleet.job_places.used || ++count > s->totals.in_system)
            return false;
        const pn_dispatch_entry *entry = &self->view.jobs[link - 1];
        if (entry->id <= id || entry->before != before)
            return false;
        id = entry->id;
        before = link;
        running += entry->running > 0;
    }
    if (before != s->fleet.last_job || count != s->totals.in_system || running != s->holding)
        return false;
    before = 0;
    for (uint32_t link = s->first_running; link != 0; link = self->view.jobs[link - 1].run_after) {
        if (link > s->fleet.job_places.used || running-- == 0)
            return false;
        const pn_dispatch_entry *entry = &self->view.jobs[link - 1];
        if (entry->id == 0 || entry->running == 0 || entry->run_before != before)
            return false;
        before = link;
    }
    return running == 0;
}

static bool use_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t tally[PN_DISPATCH_RESOURCES_MAX + 1] = {0}, in_use[PN_DISPATCH_RESOURCES_MAX] = {0};
    uint32_t running = 0;
    for (uint32_t job = 0; job < s->fleet.job_places.used; job++) {
        const pn_dispatch_entry *entry = &self->view.jobs[job];
        if (entry->id == 0)
            continue;
        running += entry->running;
        tally[PN_DISPATCH_RESOURCES_MAX] += entry->running * pn_dispatch_member(self, entry->queue);
        for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
            tally[r] += entry->use[r] * pn_dispatch_member(self, entry->queue);
    }
    for (uint32_t q = 0; q < s->queues_count; q++) {
        const pn_dispatch_lane *lane = &self->view.queues[q];
        tally[PN_DISPATCH_RESOURCES_MAX] -= lane->running * pn_dispatch_member(self, q);
        for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
            tally[r] -= lane->use[r] * pn_dispatch_member(self, q);
            in_use[r] += lane->use[r];
        }
    }
    return running == s->totals.running && pn_validate_zeros(tally, sizeof tally) &&
           pn_same_bytes(in_use, s->in_use, sizeof in_use);
}

/* Checks the jobs. Each stage is one of its job's list: there are as many in all lists together. */
bool pn_dispatch_jobs_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t held = 0;
    uint64_t free = 0, stages = 0;
    if (s->totals.submitted >> (PN_DISPATCH_ID_BITS - 1) > 1)
        return false;
    for (uint32_t job = 0; job < s->fleet.job_places.used; job++) {
        if (self->view.jobs[job].id == 0) {
            free -= pn_dispatch_member(self, job);
            continue;
        }
        if (!dispatch_job_sound(self, job))
            return false;
        held++;
        stages += self->view.jobs[job].stages;
    }
    return held == s->totals.in_system && stages == s->totals.stages_held &&
           pn_validate_free(&s->fleet.job_places, PN_LINKS(self->view.jobs, after),
                            s->config.jobs_max, held, self->key, &free) &&
           free == 0 && dispatch_system_sound(self) && use_sound(self);
}

/* ---- attempts ---- */

static bool dispatch_attempt_sound(const pn_dispatch_validation *self, uint32_t place)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_attempt *attempt = &self->view.attempts[place];
    const pn_tree_node *node = &self->view.attempt_nodes[place];
    if (attempt->token % s->config.attempts_max != place || attempt->supposed != 0 ||
        attempt->state > PN_DISPATCH_RETURNED ||
        (node->height > 0) != (attempt->state == PN_DISPATCH_RETURNED))
        return false;
    if (attempt->state == PN_DISPATCH_IDLE)
        return true;
    if (attempt->stage >= s->stage_places.used || self->view.stages[attempt->stage].number == 0 ||
        attempt->task >= self->view.stages[attempt->stage].fresh || attempt->start > s->totals.time)
        return false;
    if (attempt->state == PN_DISPATCH_RUNNING)
        return attempt->node < s->nodes_count && self->view.nodes[attempt->node].up;
    pn_tree tree = pn_dispatch_returned_of(&self->view, attempt->stage);
    return pn_validate_tree_node(&tree, s->fleet.attempt_places.used, place) &&
           (node->parent == 0 || self->view.attempts[node->parent - 1].stage == attempt->stage);
}

/* Checks the attempts of every node, linked both ways; each once. Those not yet in order begin the
 * list. / */
static bool node_lists_sound(const pn_dispatch_validation *self, uint64_t tally)
{
    const pn_dispatch *s = self->s;
    for (uint32_t node = 0; node < s->nodes_count; node++) {
        uint32_t before = 0, mixed = self->view.nodes[node].mixed;
        for (uint32_t link = self->view.nodes[node].first_attempt; link != 0;
             link = self->view.attempts[link - 1].after) {
            if (link > s->fleet.attempt_places.used)
                return false;
            const pn_dispatch_attempt *attempt = &self->view.attempts[link - 1];
            if (attempt->state != PN_DISPATCH_RUNNING || attempt->node != node ||
                attempt->before != before)
                return false;
            before = link;
            mixed = link == mixed ? 0 : mixed;
            tally -= pn_dispatch_member(self, link - 1);
        }
        if (mixed != 0)
            return false;
    }
    return tally == 0;
}

/* Checks that what attempts hold is what their nodes lack, and that as many run, or wait again, as
 * stages say. */
static bool held_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t lack[PN_DISPATCH_RESOURCES_MAX] = {0}, running = 0, returned = 0;
    for (uint32_t place = 0; place < s->fleet.attempt_places.used; place++) {
        const pn_dispatch_attempt *attempt = &self->view.attempts[place];
        running += attempt->state == PN_DISPATCH_RUNNING ? pn_dispatch_member(self, attempt->stage)
                                                         : 0;
        returned += attempt->state == PN_DISPATCH_RETURNED
                        ? pn_dispatch_member(self, attempt->stage)
                        : 0;
        if (attempt->state != PN_DISPATCH_RUNNING)
            continue;
        const uint64_t *demand = self->view.classes[self->view.stages[attempt->stage].class].demand;
        for (uint32_t r = 0; r < s->config.resources; r++)
            lack[r] += demand[r] * pn_dispatch_member(self, attempt->node);
    }
    for (uint32_t node = 0; node < s->nodes_count; node++)
        for (uint32_t r = 0; r < s->config.resources; r++)
            lack[r] -= self->view.nodes[node].used[r] * pn_dispatch_member(self, node);
    for (uint32_t stage = 0; stage < s->stage_places.used; stage++) {
        const pn_dispatch_stage_entry *entry = &self->view.stages[stage];
        if (entry->number == 0)
            continue;
        running -= entry->running * pn_dispatch_member(self, stage);
        returned -= entry->returned.count * pn_dispatch_member(self, stage);
        uint32_t root = entry->returned.root;
        if ((root != 0) != (entry->returned.count > 0) ||
            (root != 0 && (root > s->fleet.attempt_places.used ||
                           self->view.attempts[root - 1].state != PN_DISPATCH_RETURNED ||
                           self->view.attempts[root - 1].stage != stage)))
            return false;
    }
    return running == 0 && returned == 0 && pn_validate_zeros(lack, sizeof lack);
}

bool pn_dispatch_attempts_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t tally = 0, free = 0;
    uint32_t held = 0;
    for (uint32_t place = 0; place < s->fleet.attempt_places.used; place++) {
        uint32_t state = self->view.attempts[place].state;
        if (!dispatch_attempt_sound(self, place))
            return false;
        held += state != PN_DISPATCH_IDLE;
        free -= state == PN_DISPATCH_IDLE ? pn_dispatch_member(self, place) : 0;
        tally += state == PN_DISPATCH_RUNNING ? pn_dispatch_member(self, place) : 0;
    }
    for (uint32_t place = s->fleet.attempt_places.used; place < s->config.attempts_max; place++)
        if (self->view.attempts[place].state != PN_DISPATCH_IDLE ||
            self->view.attempts[place].token != 0)
            return false;
    return held == s->totals.attempts_held &&
           pn_validate_free(&s->fleet.attempt_places, PN_LINKS(self->view.attempts, after),
                            s->config.attempts_max, held, self->key, &free) &&
           free == 0 && node_lists_sound(self, tally) && held_sound(self);
}

/* ---- the virtual run ---- */

static bool shade_tags_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch_virtual *virtual = &self->s->virtual;
    const pn_dispatch_shade *shades = pn_at(self->s, self->s->shades);
    pn_heap order = pn_dispatch_shades(self->s);
    uint64_t weight = 0;
    for (uint32_t i = 0; i < virtual->order.count; i++) {
        uint32_t place = order.entry[i].item;
        pn_wide tag = {order.entry[i].word[0], order.entry[i].word[1]};
        if (shades[place].weight < 1 || shades[place].weight > PN_DISPATCH_WEIGHT_MOST ||
            pn_wide_compare(tag, virtual->level) < 0 ||
            pn_wide_difference(tag, virtual->level).high > 0)
            return false;
        weight += shades[place].weight;
    }
    return weight == virtual->weight;
}

bool pn_dispatch_virtual_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_virtual *virtual = &s->virtual;
    pn_dispatch_shade *shades = pn_at(self->s, s->shades);
    pn_heap order = pn_dispatch_shades(s);
    if (virtual->order.count != s->totals.virtual_held)
        return false;
    if (!s->virtual_run)
        return virtual->order.count == 0 && virtual->places.used == 0 && virtual->places.free == 0;
    return virtual->time <= s->totals.time &&
           pn_validate_items(&order, &virtual->places, PN_LINKS(shades, next), self->key) &&
           shade_tags_sound(self);
}
