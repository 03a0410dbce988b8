/* Whether a block from outside may be worked with, see slotted/validate.c. First the batch; then,
 * when there is one, the plan; then, when it has begun, the run: its stages, events, slots and sets
 * are compared with one another. */
#include "list.h"
#include "base/validate.h"

typedef struct makespan_validation {
    pn_makespan *sim; /* the block, which is only read */
    uint64_t key;
    bool timed;     /* tasks are not those that were given */
    bool exclusive; /* the MK17 */
} makespan_validation;

static const void *table(const makespan_validation *self, size_t offset)
{
    return (const unsigned char *)self->sim + offset;
}

/* ---- the layout ---- */

static bool rules_in_range(const pn_makespan_rules *rules, uint32_t least)
{
    return least <= rules->stage_time && rules->stage_time <= PN_MAKESPAN_FLUID &&
           least <= rules->share && rules->share <= PN_MAKESPAN_EXCLUSIVE && least <= rules->cap &&
           rules->cap <= PN_MAKESPAN_CAP_REQUESTED && least <= rules->task_order &&
           rules->task_order <= PN_MAKESPAN_LPT;
}

static bool makespan_same_layout(const pn_makespan *sim, const pn_makespan *fresh)
{
    for (uint32_t i = 0; i < PN_MAKESPAN_TIMINGS; i++)
        if (!pn_same_bytes(sim->timing[i].duration, fresh->timing[i].duration,
                           sizeof sim->timing[i].duration))
            return false;
    return PN_SAME_PART(pn_makespan, config, timing, sim, fresh);
}

static bool makespan_layout_sound(const pn_makespan *sim)
{
    pn_makespan fresh;
    return sim->config.struct_size == sizeof sim->config && !sim->config.policy &&
           !pn_makespan_check(&sim->config) && sim->policy_memory_size <= sim->head.size &&
           pn_makespan_carve(&sim->config, sim->longest_first != 0, sim->policy_memory_size,
                             &fresh) == sim->head.size &&
           makespan_same_layout(sim, &fresh);
}

/* ---- the batch ---- */

static bool makespan_stage_sound(const makespan_validation *self,
                                 const pn_makespan_stage_entry *stage, uint64_t *work)
{
    const pn_makespan_stretch_entry *stretch = pn_makespan_stretches(self->sim) + stage->stretches;
    uint64_t tasks = 0, longest = 0, sum = 0, product;
    if (stage->stretches > self->sim->stretch_count ||
        stage->stretch_count > self->sim->stretch_count - stage->stretches)
        return false;
    for (uint32_t i = 0; i < stage->stretch_count; i++) {
        if (stretch[i].count == 0 || stretch[i].first != tasks ||
            stretch[i].duration > PN_MAKESPAN_MOST ||
            !pn_multiply(stretch[i].duration, stretch[i].count, PN_MAKESPAN_MOST - sum, &product))
            return false;
        tasks += stretch[i].count;
        sum += product;
        longest = pn_max(longest, stretch[i].duration);
    }
    *work += sum;
    return tasks == stage->tasks && sum == stage->work && longest == stage->longest &&
           stage->requested >= 1 && stage->has_given <= 1 && stage->given <= PN_MAKESPAN_MOST;
}

static bool batch_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    uint64_t work[PN_MAKESPAN_STAGE_COUNT] = {0, 0};
    if (sim->job_count > sim->config.jobs_max || sim->stretch_count > sim->config.stretches_max)
        return false;
    for (uint32_t job = 0; job < sim->job_count; job++) {
        const pn_makespan_entry *entry = &pn_makespan_entries(sim)[job];
        if (entry->group != 0 && entry->group >= sim->config.groups_max)
            return false;
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++)
            if (!makespan_stage_sound(self, &entry->stage[k], &work[k]) ||
                work[k] > PN_MAKESPAN_MOST)
                return false;
        if (entry->stage[0].work + entry->stage[1].work == 0)
            return false;
    }
    return pn_attributes_sound(pn_makespan_attributes_of(sim), sim->job_count) &&
           work[0] == sim->work[0] && work[1] == sim->work[1] &&
           work[0] + work[1] <= PN_MAKESPAN_MOST;
}

/* Returns whether these are all jobs, each once. */
static bool all_jobs(const makespan_validation *self, const uint32_t *jobs)
{
    uint64_t tally = 0;
    for (uint32_t i = 0; i < self->sim->job_count; i++) {
        if (jobs[i] >= self->sim->job_count)
            return false;
        tally += pn_validate_hash(self->key, jobs[i]) - pn_validate_hash(self->key, i);
    }
    return tally == 0;
}

/* Returns whether the pools take all jobs, one after the other, and no more nodes than there
 * are. */
static bool pools_sound(const makespan_validation *self, const pn_makespan_pool_entry *pools,
                        uint32_t count)
{
    uint32_t begin = 0, nodes = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (pools[i].nodes < 1 || pools[i].nodes > self->sim->nodes - nodes ||
            pools[i].begin != begin || pools[i].end < begin || pools[i].end > self->sim->job_count)
            return false;
        begin = pools[i].end;
        nodes += pools[i].nodes;
    }
    return begin == self->sim->job_count;
}

static bool given_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    if (sim->has_order > 1 || sim->set_pool_count > sim->pools_max)
        return false;
    if (sim->has_order && !all_jobs(self, table(self, sim->set_order)))
        return false;
    return sim->set_pool_count == 0 ||
           (all_jobs(self, table(self, sim->set_jobs)) &&
            pools_sound(self, table(self, sim->set_pools), sim->set_pool_count));
}

/* ---- the plan ---- */

/* Checks what a pool has of the cluster; *base: slots of the pools ahead of it. */
static bool pool_sound(const makespan_validation *self, const pn_makespan_pool_entry *pool,
                       uint32_t base[PN_MAKESPAN_STAGE_COUNT])
{
    const pn_makespan *sim = self->sim;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        uint32_t slots = sim->slots[k] / sim->nodes * pool->nodes,
                 machines = sim->config.level == PN_MAKESPAN_STAGES ? 1 : slots;
        if (pool->slots[k] != slots || pool->slot_base[k] != base[k] || pool->free[k] > machines ||
            (!sim->begun && (pool->free[k] != machines || pool->only[k] != 0)))
            return false;
        base[k] += machines;
    }
    return pool->touched == 0;
}

static bool makespan_order_sound(const makespan_validation *self)
{
    const uint32_t *order = table(self, self->sim->order),
                   *position = table(self, self->sim->position);
    for (uint32_t i = 0; i < self->sim->job_count; i++)
        if (order[i] >= self->sim->job_count || position[order[i]] != i)
            return false;
    return true;
}

/* Checks that the longest tasks come first: of each stage as many as are listed. */
static bool sorted_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    const pn_makespan_stretch_entry *sorted = table(self, sim->longest_first);
    for (uint32_t job = 0; job < sim->job_count; job++)
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
            const pn_makespan_stage_entry *stage = pn_makespan_stage_of(sim, job, k);
            uint64_t tasks = 0;
            for (uint32_t i = 0; i < stage->stretch_count; i++) {
                const pn_makespan_stretch_entry *stretch = &sorted[stage->stretches + i];
                if (stretch->count == 0 || stretch->duration > PN_MAKESPAN_MOST)
                    return false;
                tasks += stretch->count;
            }
            if (tasks != stage->tasks)
                return false;
        }
    return true;
}

static bool durations_sound(const makespan_validation *self)
{
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        const uint64_t *duration = table(self, self->sim->duration[k]);
        for (uint32_t job = 0; job < self->sim->job_count; job++)
            if (duration[job] > PN_MAKESPAN_MOST)
                return false;
    }
    return true;
}

/* Checks that each task of the stage comes once. */
static bool sequence_sound(const makespan_validation *self, uint32_t stage)
{
    const pn_makespan *sim = self->sim;
    const pn_makespan_task *tasks = table(self, sim->sequence[stage]);
    uint64_t count = 0, tally = 0;
    if (sim->sequence_count[stage] > PN_MAKESPAN_SEQUENCE_MAX ||
        sim->sequence_next[stage] > sim->sequence_count[stage])
        return false;
    for (uint32_t job = 0; job < sim->job_count; job++) {
        count += pn_makespan_stage_of(sim, job, stage)->tasks;
        for (uint32_t i = 0;
             i < pn_makespan_stage_of(sim, job, stage)->tasks && count <= PN_MAKESPAN_SEQUENCE_MAX;
             i++)
            tally -= pn_validate_hash(self->key, (uint64_t)job << 32 | i);
    }
    if (count != sim->sequence_count[stage])
        return false;
    for (uint32_t i = 0; i < sim->sequence_count[stage]; i++) {
        if (tasks[i].job >= sim->job_count ||
            tasks[i].task >= pn_makespan_stage_of(sim, tasks[i].job, stage)->tasks)
            return false;
        tally += pn_validate_hash(self->key, (uint64_t)tasks[i].job << 32 | tasks[i].task);
    }
    return tally == 0;
}

static bool plan_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    const pn_makespan_pool_entry *pools = table(self, sim->pools);
    uint32_t base[PN_MAKESPAN_STAGE_COUNT] = {0, 0};
    uint64_t ticks;
    if (sim->pool_count > sim->pools_max || sim->sequenced > 1 || sim->fine < 1 ||
        !rules_in_range(&sim->rules, 1) || sim->rules.resplit != sim->asked.resplit ||
        !pn_multiply(sim->fine, sim->config.ticks, PN_MAKESPAN_MOST, &ticks))
        return false;
    if (!pools_sound(self, pools, sim->pool_count) || !makespan_order_sound(self))
        return false;
    for (uint32_t i = 0; i < sim->pool_count; i++)
        if (!pool_sound(self, &pools[i], base))
            return false;
    if (sim->rules.task_order == PN_MAKESPAN_LPT &&
        (sim->longest_first == 0 || !sorted_sound(self)))
        return false;
    if (self->timed ? sim->sequenced || !durations_sound(self) : false)
        return false;
    return !sim->sequenced || (sim->pool_count == (sim->job_count > 0) && sequence_sound(self, 0) &&
                               sequence_sound(self, 1));
}

/* ---- the run ---- */

/* Checks where a stage of a job is: what is left of its tasks. */
static bool flow_sound(const makespan_validation *self, uint32_t index, uint32_t position,
                       uint32_t k)
{
    const pn_makespan *sim = self->sim;
    const pn_makespan_pool_entry *pool = (const pn_makespan_pool_entry *)table(self, sim->pools) +
                                         index;
    const uint32_t *order = table(self, sim->order);
    const pn_makespan_flow *flows = table(self, sim->flows), *flow = &flows[2 * position + k];
    const pn_makespan_stage_entry *stage = pn_makespan_stage_of(sim, order[position], k);
    const uint64_t *duration = table(self, sim->duration[k]);
    uint64_t tasks = stage->tasks, left = flow->left;
    uint32_t cap = UINT32_MAX;
    if (self->timed && sim->config.level == PN_MAKESPAN_STAGES)
        tasks = k == PN_MAKESPAN_MAP || duration[order[position]] > 0;
    else if (self->timed)
        tasks = tasks > 0 ? (uint64_t)sim->rules.resplit * pool->slots[k] : 0;
    else if (sim->rules.cap == PN_MAKESPAN_CAP_REQUESTED)
        cap = stage->requested;
    if (flow->pool != index || flow->cap != cap || flow->unfinished > tasks ||
        flow->unstarted > flow->unfinished || flow->running != flow->unfinished - flow->unstarted ||
        flow->running > cap || flow->duration > PN_MAKESPAN_MOST)
        return false;
    if (k == PN_MAKESPAN_REDUCE && flows[2 * position].unfinished > 0 && flow->unstarted != tasks)
        return false;
    if (sim->sequenced)
        return true;
    if (self->timed)
        return flow->left == flow->unstarted;
    if (flow->next < stage->stretches || flow->next > stage->stretches + stage->stretch_count)
        return false;
    const pn_makespan_stretch_entry *stretches = pn_makespan_tasks_in_order(sim, &sim->rules);
    for (uint32_t i = flow->next; i < stage->stretches + stage->stretch_count; i++)
        left += stretches[i].count;
    return left == flow->unstarted;
}

static bool is_eligible(const makespan_validation *self, const pn_makespan_pool_entry *pool,
                        uint32_t position, uint32_t k)
{
    const pn_makespan_flow *flows = table(self, self->sim->flows), *flow = &flows[2 * position + k];
    return flow->unstarted > 0 && flow->running < flow->cap &&
           (k == PN_MAKESPAN_MAP || flows[2 * position].unfinished == 0) &&
           (!self->exclusive || pool->front[k] == position);
}

static bool front_sound(const makespan_validation *self, const pn_makespan_pool_entry *pool,
                        uint32_t k)
{
    const pn_makespan_flow *flows = table(self, self->sim->flows);
    uint32_t front = pool->begin;
    while (front < pool->end && flows[2 * front + k].unfinished == 0)
        front++;
    return !self->exclusive || self->sim->sequenced || pool->front[k] == front;
}

static bool flows_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    const pn_makespan_pool_entry *pools = table(self, sim->pools);
    const pn_makespan_flow *flows = table(self, sim->flows);
    uint32_t finished = 0;
    for (uint32_t i = 0; i < sim->pool_count; i++)
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
            const uint64_t *eligible = table(self, sim->eligible[k]);
            if (!front_sound(self, &pools[i], k))
                return false;
            for (uint32_t position = pools[i].begin; position < pools[i].end; position++) {
                bool eligible_now = is_eligible(self, &pools[i], position, k);
                /* Nobody looks at the sets where tasks start in sequence. */
                if (!flow_sound(self, i, position, k) ||
                    (!sim->sequenced && pn_validate_bit(eligible, position) != eligible_now))
                    return false;
                finished += k == 1 && flows[2 * position].unfinished == 0 &&
                            flows[2 * position + 1].unfinished == 0;
            }
        }
    return finished == sim->finished &&
           pn_validate_bits(table(self, sim->eligible[0]), sim->job_count) &&
           pn_validate_bits(table(self, sim->eligible[1]), sim->job_count);
}

/* Checks that the sequences still hold what has not started. */
static bool rest_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    const uint32_t *position = table(self, sim->position);
    const pn_makespan_flow *flows = table(self, sim->flows);
    uint64_t tally = 0;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT && sim->sequenced; k++) {
        const pn_makespan_task *tasks = table(self, sim->sequence[k]);
        for (uint32_t i = sim->sequence_next[k]; i < sim->sequence_count[k]; i++)
            tally += pn_validate_hash(self->key, 2 * (uint64_t)position[tasks[i].job] + k);
    }
    for (uint32_t line = 0; line < 2 * sim->job_count && sim->sequenced; line++)
        tally -= flows[line].unstarted * pn_validate_hash(self->key, line);
    return tally == 0;
}

/* Checks the slots that an event gives back; each counts in the tally of slots, and for its line in
 * that of tasks. */
static bool event_sound(const makespan_validation *self, const pn_makespan_event *event,
                        uint64_t *slots, uint64_t *tasks, uint64_t *budget)
{
    const pn_makespan *sim = self->sim;
    if (event->line >= 2 * sim->job_count || event->end > PN_MAKESPAN_MOST)
        return false;
    const pn_makespan_flow *flow = (const pn_makespan_flow *)table(self, sim->flows) + event->line;
    const pn_makespan_pool_entry *pool = (const pn_makespan_pool_entry *)table(self, sim->pools) +
                                         flow->pool;
    uint32_t k = event->line % 2,
             last = pool->slot_base[k] +
                    (sim->config.level == PN_MAKESPAN_STAGES ? 1 : pool->slots[k]);
    const uint32_t *next = table(self, sim->slot_next[k]);
    uint64_t count = 0;
    for (uint32_t slot = event->mark; slot != PN_BITS_NONE; slot = next[slot], count++) {
        if (slot < pool->slot_base[k] || slot >= last || (*budget)-- == 0)
            return false;
        *slots += pn_validate_hash(self->key, (uint64_t)slot << 1 | k);
    }
    *tasks += count * pn_validate_hash(self->key, event->line);
    return count > 0;
}

/* Checks the free slots of a pool: a set, or the only one beside it. */
static bool makespan_free_sound(const makespan_validation *self, const pn_makespan_pool_entry *pool,
                                uint64_t *slots)
{
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        const uint64_t *free = table(self, self->sim->free_slots[k]);
        uint32_t count = 0,
                 machines = self->sim->config.level == PN_MAKESPAN_STAGES ? 1 : pool->slots[k];
        for (uint32_t slot = pool->slot_base[k]; slot < pool->slot_base[k] + machines; slot++) {
            *slots -= pn_validate_hash(self->key, (uint64_t)slot << 1 | k);
            if (!pn_validate_bit(free, slot))
                continue;
            *slots += pn_validate_hash(self->key, (uint64_t)slot << 1 | k);
            count++;
        }
        if (pool->only[k] != 0) {
            if (pool->only[k] - 1 < pool->slot_base[k] ||
                pool->only[k] - 1 >= pool->slot_base[k] + machines || count > 0)
                return false;
            *slots += pn_validate_hash(self->key, (uint64_t)(pool->only[k] - 1) << 1 | k);
            count++;
        }
        if (count != pool->free[k])
            return false;
    }
    return true;
}

static bool events_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    const pn_makespan_event *events = table(self, sim->events);
    const pn_makespan_pool_entry *pools = table(self, sim->pools);
    const pn_makespan_flow *flows = table(self, sim->flows);
    uint64_t slots = 0, tasks = 0, budget = (uint64_t)sim->slots[0] + sim->slots[1];
    uint32_t holding = 0;
    if (sim->event_count > budget)
        return false;
    for (uint32_t i = 0; i < sim->event_count; i++)
        if (!event_sound(self, &events[i], &slots, &tasks, &budget) ||
            (i > 0 && events[i].end < events[(i - 1) / 4].end))
            return false;
    for (uint32_t line = 0; line < 2 * sim->job_count; line++) {
        tasks -= flows[line].running * pn_validate_hash(self->key, line);
        holding += flows[line].running > 0;
    }
    for (uint32_t i = 0; i < sim->pool_count; i++)
        if (!makespan_free_sound(self, &pools[i], &slots))
            return false;
    return slots == 0 && tasks == 0 && holding == sim->holding &&
           pn_validate_bits(table(self, sim->free_slots[0]), sim->slots[0]) &&
           pn_validate_bits(table(self, sim->free_slots[1]), sim->slots[1]);
}

/* Checks free slots: those that no pool has would be given to the last. */
static bool no_slots_beyond(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    const pn_makespan_pool_entry *pools = table(self, sim->pools);
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT && sim->pool_count > 0; k++) {
        const pn_makespan_pool_entry *last = &pools[sim->pool_count - 1];
        const uint64_t *free = table(self, sim->free_slots[k]);
        for (uint32_t slot = last->slot_base[k] +
                             (sim->config.level == PN_MAKESPAN_STAGES ? 1 : last->slots[k]);
             slot < sim->slots[k]; slot++)
            if (pn_validate_bit(free, slot))
                return false;
    }
    return true;
}

static bool run_sound(const makespan_validation *self)
{
    const pn_makespan *sim = self->sim;
    if (!sim->begun)
        return sim->finished == 0 && sim->event_count == 0 && sim->holding == 0 &&
               sim->sequence_next[0] == 0 && sim->sequence_next[1] == 0 &&
               pn_validate_zeros(table(self, sim->run_tables), sim->run_tables_size);
    return sim->planned && sim->time <= PN_MAKESPAN_MOST && sim->makespan <= PN_MAKESPAN_MOST &&
           flows_sound(self) && rest_sound(self) && events_sound(self) && no_slots_beyond(self);
}

static bool makespan_statistics_sound(const pn_makespan *sim)
{
    for (uint32_t i = 0; sim->config.statistics && i <= sim->config.groups_max; i++)
        if (!pn_validate_stats(pn_makespan_completions(sim, i == 0 ? PN_ALL_GROUPS : i - 1),
                               PN_MAKESPAN_COMPLETION_OCTAVE, PN_MAKESPAN_COMPLETION_OCTAVES, 0))
            return false;
    return true;
}

int pn_makespan_validate(const void *block, size_t size)
{
    makespan_validation self = {0};
    int status = pn_block_check(block, size, pn_makespan_magic, sizeof(pn_makespan));
    if (status != PN_OK)
        return status;
    /* Shared functions take a block that may be written to; none that is called here does. */
    const pn_makespan *sim = self.sim = (pn_makespan *)(uintptr_t)block;
    if (!makespan_layout_sound(sim) || !makespan_statistics_sound(sim) ||
        !pn_binding_sound(&sim->binding) || sim->planned > 1 ||
        pn_binding_is_bound(&sim->binding) != sim->planned || sim->begun > 1 ||
        sim->timing_oldest >= PN_MAKESPAN_TIMINGS ||
        (sim->planned && !pn_validate_stream(&sim->stream)))
        return PN_ERR_DAMAGED;
    self.key = pn_validate_key(block, (size_t)sim->head.size);
    self.timed = pn_makespan_timed(sim, &sim->rules);
    self.exclusive = sim->rules.share == PN_MAKESPAN_EXCLUSIVE;
    bool sound = batch_sound(&self) && given_sound(&self) && (!sim->planned || plan_sound(&self)) &&
                 run_sound(&self);
    return sound && (sim->planned || (sim->pool_count == 0 && sim->sequenced == 0))
               ? PN_OK
               : PN_ERR_DAMAGED;
}
