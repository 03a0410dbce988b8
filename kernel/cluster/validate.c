/* Whether a block from outside may be worked with, see slotted/validate.c. The scheduler's own
 * block is validated before the rest; then the virtual cluster's jobs, attempts and failures are
 * compared with what the scheduler knows. */
#include "state.h"
#include "scheduler/state.h"
#include "base/validate.h"
#include "base/validate_lists.h"

/* No state is saved later than at the last time, after the longest work and save_ms (CL46). */
#define SAVED_MOST ((uint64_t)1 << 55)

typedef struct cluster_validation {
    pn_cluster *sim; /* the block, which is only read */
    pn_cluster_view view;
    uint64_t key;
    uint32_t future; /* jobs handed over that have not arrived */
} cluster_validation;

/* ---- the layout ---- */

/* Checks the slots of a kind; without any, no job has tasks of the kind. */
static bool station_sound(const pn_cluster_station *station, bool has_slots)
{
    if (!has_slots)
        return station->rate == 0;
    return 1 <= station->slowest && station->slowest <= station->fastest &&
           station->fastest <= (uint32_t)1 << 20 && station->fastest <= station->rate;
}

/* Checks the numbers. The scheduler's part of the configuration is compared with that of its
 * block. */
static bool cluster_numbers_sound(const pn_cluster *sim)
{
    const pn_cluster_config *config = &sim->config;
    return config->struct_size == sizeof *config && !pn_cluster_numbers_fault(config) &&
           sim->patience <= 2 * PN_INTEGER_MAX && 1 <= sim->nodes_count &&
           sim->nodes_count <= (uint32_t)1 << 22 && 1 <= sim->places_max &&
           sim->places_max <= ((uint32_t)1 << 26) + ((uint32_t)1 << 30) &&
           sim->reduce_slots <= sim->places_max && 1 <= config->scheduler.jobs_max &&
           config->scheduler.jobs_max <= (uint32_t)1 << 26 &&
           pn_min(config->replication, sim->nodes_count) <= config->scheduler.replicas_of_map &&
           1 <= sim->slowest && sim->over <= 1 &&
           station_sound(&sim->stations[PN_SCHEDULER_MAP], true) &&
           station_sound(&sim->stations[PN_SCHEDULER_REDUCE], sim->reduce_slots > 0) &&
           pn_attributes_in_range(config->scheduler.attributes);
}

static PN_FRAME_APART bool cluster_layout_sound(const pn_cluster *sim)
{
    const size_t from = offsetof(pn_cluster, config), to = offsetof(pn_cluster, jobs);
    pn_cluster fresh;
    if (!cluster_numbers_sound(sim) || sim->scheduler >= sim->head.size)
        return false;
    memset(&fresh, 0, sizeof fresh);
    memcpy((unsigned char *)&fresh + from, (const unsigned char *)sim + from, to - from);
    return pn_cluster_carve(&fresh, (size_t)sim->head.size - sim->scheduler) == sim->head.size &&
           sim->store.capacity == fresh.store.capacity &&
           PN_SAME_PART(pn_cluster, jobs, store, sim, &fresh) &&
           sim->ends.capacity == fresh.ends.capacity &&
           sim->outages.capacity == fresh.outages.capacity;
}

/* Checks that the scheduler is one for this cluster. */
static bool cluster_core_sound(const cluster_validation *self)
{
    const pn_cluster *sim = self->sim;
    const pn_scheduler *core = self->view.core;
    pn_scheduler_totals totals;
    pn_scheduler_totals_get(core, &totals);
    return pn_scheduler_node_count(core) == sim->nodes_count &&
           pn_scheduler_places_max(core) == sim->places_max &&
           totals.reduce_slots == sim->reduce_slots &&
           pn_same_bytes(&core->config, &sim->config.scheduler, sizeof core->config);
}

/* Checks the machines of the lower bound: no place is in use twice. */
static bool columns_sound(const pn_cluster *sim)
{
    for (int k = 0; k < PN_CLUSTER_COLUMNS && sim->config.bounds_max > 0; k++) {
        pn_heap due = pn_cluster_due((pn_cluster *)(uintptr_t)sim, k);
        pn_heap queue = pn_cluster_queue((pn_cluster *)(uintptr_t)sim, k);
        if (due.state->capacity != sim->config.bounds_max ||
            queue.state->capacity != sim->config.bounds_max ||
            !pn_validate_heap(&due, UINT32_MAX) || !pn_validate_heap(&queue, UINT32_MAX) ||
            due.state->count > sim->config.bounds_max - queue.state->count)
            return false;
    }
    return true;
}

/* Checks the slots of a kind on a node that save states: of a node that is down none. */
static bool node_savings_sound(const cluster_validation *self, const pn_scheduler_node *core_node,
                               uint32_t node, uint32_t kind, uint64_t first)
{
    const pn_cluster_savings *savings = pn_cluster_savings_of(self->sim, node, kind);
    if (savings->first != first || savings->ends.capacity != core_node->most[kind] ||
        savings->ends.count > pn_scheduler_free_slots(self->view.core, node, kind))
        return false;
    pn_heap ends = pn_cluster_saving_ends(self->sim, node, kind);
    for (uint32_t i = 0; i < ends.state->count; i++)
        if (ends.entry[i].word[0] > SAVED_MOST)
            return false;
    return pn_validate_heap(&ends, 1);
}

static bool savings_sound(const cluster_validation *self)
{
    const pn_scheduler_node *nodes = pn_at(self->view.core, self->view.core->nodes);
    uint64_t first = 0;
    for (uint32_t node = 0; node < self->sim->nodes_count && pn_cluster_saves(&self->sim->config);
         node++)
        for (uint32_t kind = 0; kind < 2; kind++) {
            if (!node_savings_sound(self, &nodes[node], node, kind, first))
                return false;
            first += nodes[node].most[kind];
        }
    return true;
}

static bool speeds_sound(const cluster_validation *self)
{
    for (uint32_t node = 0; node < self->sim->nodes_count; node++)
        if (self->view.speeds[node] < 1 || self->view.speeds[node] > (uint32_t)1 << 20)
            return false;
    return true;
}

/* ---- the lists of a job ---- */

static uint64_t count_of(const pn_cluster_entry *job, int list)
{
    const uint64_t counts[PN_CLUSTER_LISTS] = {
        [PN_CLUSTER_LIST_MAP_TIMES] = job->maps,
        [PN_CLUSTER_LIST_REDUCE_TIMES] = job->reduces,
        [PN_CLUSTER_LIST_SHUFFLE_TIMES] = job->reduces,
        [PN_CLUSTER_LIST_MAP_FACTORS] = job->maps,
        [PN_CLUSTER_LIST_REDUCE_FACTORS] = job->reduces,
        [PN_CLUSTER_LIST_BLOCK_STARTS] = (uint64_t)job->maps + 1,
        [PN_CLUSTER_LIST_BLOCKS] = job->replicas};
    return counts[list];
}

/* Checks where its lists lie, one after the other, and what they hold together. */
static bool lists_sound(const cluster_validation *self, uint32_t place)
{
    const pn_cluster_entry *job = &self->view.jobs[place];
    uint64_t words = 0, values = 0;
    if (job->lists >> PN_CLUSTER_LISTS != 0)
        return false;
    for (int list = 0; list < PN_CLUSTER_LISTS; list++) {
        if (!(job->lists >> list & 1))
            continue;
        uint64_t count = count_of(job, list), per_word = list < PN_CLUSTER_LIST_MAP_FACTORS ? 1 : 2;
        if (count == 0 || job->at[list] != words)
            return false;
        words += (count + per_word - 1) / per_word;
        values += count;
    }
    return values == job->values &&
           (job->lists == 0 || pn_validate_list_size(&self->view.store, place) == words);
}

static bool cluster_times_sound(const uint64_t *times, uint32_t count)
{
    for (uint32_t i = 0; times && i < count; i++)
        if (times[i] > PN_CLUSTER_MOST_MS)
            return false;
    return true;
}

static bool cluster_factors_sound(const uint32_t *factors, uint32_t count)
{
    for (uint32_t i = 0; factors && i < count; i++)
        if (factors[i] < 1 || factors[i] > PN_CLUSTER_FACTOR_MOST)
            return false;
    return true;
}

static bool blocks_sound(const cluster_validation *self, uint32_t place)
{
    const pn_cluster *sim = self->sim;
    const pn_cluster_entry *job = &self->view.jobs[place];
    const uint32_t *starts = pn_cluster_numbers(&self->view, place, PN_CLUSTER_LIST_BLOCK_STARTS);
    const uint32_t *blocks = pn_cluster_numbers(&self->view, place, PN_CLUSTER_LIST_BLOCKS);
    if (!starts)
        return !blocks &&
               job->replicas == job->maps * pn_min(sim->config.replication, sim->nodes_count);
    if (starts[0] != 0 || (job->replicas > 0 && !blocks))
        return false;
    for (uint32_t map = 0; map < job->maps; map++) {
        if (starts[map + 1] < starts[map] || starts[map + 1] > job->replicas)
            return false;
        uint32_t count = starts[map + 1] - starts[map];
        if (count > sim->config.scheduler.replicas_of_map ||
            (count > 0 && !pn_distinct(blocks + starts[map], count, sim->nodes_count)))
            return false;
    }
    return starts[job->maps] == job->replicas;
}

/* ---- jobs ---- */

static bool cluster_job_sound(const cluster_validation *self, uint32_t place)
{
    const pn_cluster *sim = self->sim;
    const pn_cluster_entry *job = &self->view.jobs[place];
    const uint32_t most = (uint32_t)1 << 24;
    if (job->id > sim->totals.submitted || job->submit > PN_INTEGER_MAX ||
        (job->group != 0 && job->group >= sim->config.scheduler.groups_max))
        return false;
    if (job->maps < 1 || job->maps > most || job->reduces > most ||
        (job->reduces > 0 && sim->reduce_slots == 0) || job->lost != 0)
        return false;
    if (job->map_ms > PN_CLUSTER_MOST_MS || job->remote_ms > PN_CLUSTER_MOST_MS ||
        job->reduce_ms > PN_CLUSTER_MOST_MS || job->shuffle_ms > PN_CLUSTER_MOST_MS ||
        job->deadline > PN_INTEGER_MAX || job->est_ms[0] < 1 ||
        job->est_ms[0] > PN_CLUSTER_MOST_MS || job->est_ms[1] < 1 ||
        job->est_ms[1] > PN_CLUSTER_MOST_MS || job->input > PN_INTEGER_MAX ||
        job->intermediate > PN_INTEGER_MAX || job->weight < 1 ||
        job->weight > PN_SCHEDULER_WEIGHT_MOST || job->priority < -PN_SCHEDULER_PRIORITY_MOST ||
        job->priority > PN_SCHEDULER_PRIORITY_MOST)
        return false;
    if (!lists_sound(self, place))
        return false;
    return cluster_times_sound(pn_cluster_times(&self->view, place, PN_CLUSTER_LIST_MAP_TIMES),
                               job->maps) &&
           cluster_times_sound(pn_cluster_times(&self->view, place, PN_CLUSTER_LIST_REDUCE_TIMES),
                               job->reduces) &&
           cluster_times_sound(pn_cluster_times(&self->view, place, PN_CLUSTER_LIST_SHUFFLE_TIMES),
                               job->reduces) &&
           cluster_factors_sound(
               pn_cluster_numbers(&self->view, place, PN_CLUSTER_LIST_MAP_FACTORS), job->maps) &&
           cluster_factors_sound(
               pn_cluster_numbers(&self->view, place, PN_CLUSTER_LIST_REDUCE_FACTORS),
               job->reduces) &&
           blocks_sound(self, place);
}

/* Checks the jobs that wait for their time; adds them to the tally. */
static bool cluster_future_sound(cluster_validation *self, uint64_t *tally)
{
    uint32_t last = 0;
    uint64_t submit = 0;
    for (uint32_t link = self->sim->future_first; link != 0;
         link = self->view.jobs[link - 1].next) {
        if (link > self->sim->job_places.used || self->future++ == self->sim->totals.jobs_held)
            return false;
        const pn_cluster_entry *job = &self->view.jobs[link - 1];
        if (job->id == 0 || job->submit < submit)
            return false;
        submit = job->submit;
        last = link;
        *tally += pn_validate_hash(self->key, link - 1);
    }
    return last == self->sim->future_last && submit <= self->sim->last_submit;
}

/* Checks the jobs that the scheduler has; adds them to the tally. */
static bool cluster_system_sound(const cluster_validation *self, uint64_t *tally)
{
    pn_scheduler_record record;
    for (uint32_t place = PN_NO_JOB;
         pn_scheduler_next_record(self->view.core, &place, &record) == PN_OK;) {
        if (record.tag >= self->sim->job_places.used)
            return false;
        const pn_cluster_entry *job = &self->view.jobs[record.tag];
        if (job->id == 0 || job->id != record.id || job->maps != record.maps ||
            job->reduces != record.reduces || job->group != record.group)
            return false;
        *tally += pn_validate_hash(self->key, record.tag);
    }
    return true;
}

/* Checks that each list of the store is that of a job which has lists. */
static bool cluster_store_sound(const cluster_validation *self)
{
    uint32_t lists, wanted = 0;
    uint64_t tally = 0;
    if (!pn_validate_lists(&self->view.store, self->sim->job_places.used, &lists))
        return false;
    for (uint32_t place = 0; place < self->sim->job_places.used; place++) {
        bool wants = self->view.jobs[place].id != 0 && self->view.jobs[place].lists != 0;
        wanted += wants;
        tally += wants ? pn_validate_hash(self->key, self->view.jobs[place].list) : 0;
    }
    return wanted == lists && tally == pn_validate_lists_tally(&self->view.store, self->key);
}

/* Checks the state after a failed run, when no event reaches the scheduler; the one that it gave up
 * in may have stopped half-way. */
static bool given_up(const cluster_validation *self)
{
    return self->view.core->fleet.failure != 0;
}

static bool cluster_jobs_sound(cluster_validation *self)
{
    const pn_cluster *sim = self->sim;
    const pn_cluster_totals *totals = &sim->totals;
    uint64_t tally = 0, free = 0, jobs = 0, tasks = 0, replicas = 0, values = 0;
    if (sim->job_places.used > sim->config.scheduler.jobs_max ||
        totals->jobs_held > sim->job_places.used || totals->submitted > PN_INTEGER_MAX ||
        sim->last_submit > PN_INTEGER_MAX || !cluster_store_sound(self))
        return false;
    for (uint32_t place = 0; place < sim->job_places.used; place++) {
        const pn_cluster_entry *job = &self->view.jobs[place];
        if (job->id == 0) {
            free -= pn_validate_hash(self->key, place);
            continue;
        }
        if (!cluster_job_sound(self, place))
            return false;
        tally -= pn_validate_hash(self->key, place);
        jobs++;
        tasks += (uint64_t)job->maps + job->reduces;
        replicas += job->replicas;
        values += job->values;
    }
    return jobs == totals->jobs_held && tasks == totals->tasks_held &&
           replicas == totals->replicas_held && values == totals->values_held &&
           tasks <= sim->config.scheduler.tasks_max &&
           replicas <= sim->config.scheduler.replicas_max && values <= sim->config.values_max &&
           cluster_future_sound(self, &tally) && cluster_system_sound(self, &tally) &&
           pn_validate_free(&sim->job_places, PN_LINKS(self->view.jobs, next),
                            sim->config.scheduler.jobs_max, (uint32_t)jobs, self->key, &free) &&
           free == 0 && (given_up(self) || tally == 0);
}

/* ---- attempts ---- */

/* Returns until when a slot may save a state at most: without savings, until now. */
static uint64_t saved_most(const cluster_validation *self)
{
    return pn_cluster_saves(&self->sim->config) ? SAVED_MOST : self->view.now;
}

static bool cluster_attempt_sound(const cluster_validation *self, uint32_t place, uint32_t *ending)
{
    const pn_cluster_attempt *attempt = &self->view.attempts[place];
    pn_scheduler_task task;
    bool running = pn_scheduler_task_get(self->view.core, place, &task) == PN_OK;
    if (attempt->busy != running)
        return false;
    bool suspended = running && pn_scheduler_is_suspended(self->view.core, place);
    bool ends = running && !suspended &&
                (task.kind == PN_SCHEDULER_MAP || attempt->shuffle_end != PN_SCHEDULER_NEVER);
    if (pn_heap_has(&self->view.ends, place) != ends)
        return false;
    *ending += ends;
    if (!running)
        return true;
    bool timely = suspended ? attempt->start <= attempt->since &&
                                  attempt->since <= self->view.now && attempt->saved == 0
                            : attempt->start <= pn_max(attempt->since, self->view.now) &&
                                  attempt->saved <= attempt->since;
    return timely && attempt->kind == task.kind && attempt->job == task.tag &&
           attempt->order == pn_cluster_order_of(&task) && attempt->work >= 1 &&
           attempt->work <= PN_INTEGER_MAX + 1 && attempt->factor >= 1 &&
           attempt->factor <= PN_CLUSTER_FACTOR_MOST && attempt->suspended == suspended &&
           attempt->progress <= 1000000 && attempt->saved <= saved_most(self);
}

static bool cluster_attempts_sound(const cluster_validation *self)
{
    uint32_t ending = 0;
    for (uint32_t place = 0; place < self->sim->places_max; place++)
        if (!cluster_attempt_sound(self, place, &ending))
            return false;
    return ending == self->sim->ends.count &&
           pn_validate_heap(&self->view.ends, self->sim->places_max);
}

/* ---- failures of nodes ---- */

static bool cluster_outages_sound(const cluster_validation *self)
{
    const pn_cluster *sim = self->sim;
    uint32_t recoveries = 0;
    if (!pn_validate_items(&self->view.outages, &sim->failure_places,
                           PN_LINKS(self->view.failures, next), self->key))
        return false;
    for (uint32_t i = 0; i < sim->outages.count; i++) {
        const pn_heap_entry *entry = &self->view.outages.entry[i];
        const pn_cluster_outage *outage = &self->view.failures[entry->item];
        bool recovers = entry->word[1] >> 32 == 0;
        if (entry->word[1] >> 32 > 1 || (uint32_t)entry->word[1] != outage->node ||
            outage->node >= sim->nodes_count)
            return false;
        if (recovers ? entry->word[0] != outage->recover : outage->recover <= entry->word[0])
            return false;
        recoveries += outage->recover != PN_SCHEDULER_NEVER;
    }
    return recoveries == sim->recoveries;
}

int pn_cluster_validate(const void *block, size_t size)
{
    cluster_validation self = {0};
    int status = pn_block_check(block, size, pn_cluster_magic, sizeof(pn_cluster));
    if (status != PN_OK)
        return status;
    /* The view's functions take a block that may be written to; none that is called here does. */
    self.sim = (pn_cluster *)(uintptr_t)block;
    if (!cluster_layout_sound(self.sim) || self.sim->passed > PN_INTEGER_MAX + 1 ||
        self.sim->totals.time > PN_INTEGER_MAX)
        return PN_ERR_DAMAGED;
    pn_cluster_view_build(&self.view, self.sim, NULL);
    status = pn_scheduler_validate(self.view.core,
                                   (size_t)self.sim->head.size - self.sim->scheduler);
    if (status != PN_OK)
        return status == PN_ERR_BUSY ? status : PN_ERR_DAMAGED;
    self.key = pn_validate_key(block, (size_t)self.sim->head.size);
    bool sound = cluster_core_sound(&self) && speeds_sound(&self) && cluster_jobs_sound(&self) &&
                 (given_up(&self) || (cluster_attempts_sound(&self) && savings_sound(&self))) &&
                 cluster_outages_sound(&self) && columns_sound(self.sim) &&
                 pn_attributes_sound(pn_cluster_attributes_of(self.sim), self.sim->job_places.used);
    return sound ? PN_OK : PN_ERR_DAMAGED;
}
