/* Whether a block from outside may be worked with, see slotted/validate.c. The core's own block is
 * validated before the rest; then the world's jobs, attempts and failures are compared with what
 * the core knows. */
#include "base/validate.h"
#include "base/validate_lists.h"
#include "dispatch/state.h"
#include "state.h"

typedef struct dag_validation {
    pn_dag *sim; /* the block, which is only read */
    pn_dag_view view;
    uint64_t key;
    uint32_t future; /* jobs handed over that have not arrived */
} dag_validation;

/* ---- the layout ---- */

/* Checks the numbers. The core's part of the configuration is compared with that of its block; what
 * the layout depends on is looked at before. */
static bool dag_numbers_sound(const pn_dag *sim)
{
    const pn_dag_config *config = &sim->config;
    return config->struct_size == sizeof *config && !pn_dag_numbers_fault(config) &&
           !pn_dispatch_numbers_fault(&config->dispatch) && 1 <= sim->nodes_count &&
           sim->nodes_count <= (uint32_t)1 << 20 && 1 <= sim->kinds_count &&
           sim->kinds_count <= sim->nodes_count && sim->unused_count == 0 && sim->over <= 1 &&
           (sim->failed == PN_OK || sim->failed == PN_ERR_FULL);
}

static bool capacities_match(const pn_dag *sim, const pn_dag *fresh)
{
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        if (sim->machines[r].left.capacity != fresh->machines[r].left.capacity)
            return false;
    return sim->store.capacity == fresh->store.capacity &&
           sim->ends.capacity == fresh->ends.capacity &&
           sim->failures.capacity == fresh->failures.capacity;
}

static PN_FRAME_APART bool dag_layout_sound(const pn_dag *sim)
{
    const size_t from = offsetof(pn_dag, config), to = offsetof(pn_dag, jobs);
    pn_dag fresh;
    if (!dag_numbers_sound(sim) || sim->core >= sim->head.size)
        return false;
    memset(&fresh, 0, sizeof fresh);
    memcpy((unsigned char *)&fresh + from, (const unsigned char *)sim + from, to - from);
    return pn_dag_carve(&fresh, (size_t)sim->head.size - sim->core) == sim->head.size &&
           capacities_match(sim, &fresh) && PN_SAME_PART(pn_dag, jobs, store, sim, &fresh);
}

/* Checks that the core is one for this simulation. */
static bool dag_core_sound(const dag_validation *self)
{
    const pn_dag *sim = self->sim;
    const pn_dispatch *core = self->view.core;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        if (sim->capacity[r] != core->capacity[r])
            return false;
    return core->nodes_count == sim->nodes_count && core->kinds_count == sim->kinds_count &&
           core->queues_count == sim->queues_count &&
           pn_same_bytes(&core->config, &sim->config.dispatch, sizeof core->config) &&
           core->totals.cancelled == 0;
}

static bool dag_nodes_sound(const dag_validation *self)
{
    const pn_dispatch_kind *kinds = pn_at(self->view.core, self->view.core->kinds);
    for (uint32_t node = 0; node < self->sim->nodes_count; node++)
        if (self->view.speeds[node] < 1 || self->view.speeds[node] > 1000000)
            return false;
    for (uint32_t node = 0; self->view.core->config.executors && node < self->sim->nodes_count;
         node++)
        if (self->view.executors[node].fresh > 1 ||
            self->view.executors[node].arrives > PN_INTEGER_MAX + PN_DAG_MOST_MS)
            return false;
    for (uint32_t kind = 0; kind < self->sim->kinds_count; kind++) {
        const pn_dag_kind *entry = &self->view.kinds[kind];
        if (entry->speed < 1 || entry->speed > 1000000 ||
            !pn_same_bytes(entry->capacity, kinds[kind].capacity, sizeof entry->capacity))
            return false;
    }
    return true;
}

/* ---- jobs ---- */

/* Returns whether the durations of a stage are numbers of its job's list; counts the listed
 * ones. */
static bool truth_sound(const dag_validation *self, uint32_t place, uint32_t stage,
                        uint64_t *durations)
{
    const pn_dag_entry *job = &self->view.jobs[place];
    const pn_dag_truth *truth = &pn_dag_truths_of(&self->view, place)[stage];
    uint64_t first = pn_dag_list_words(job) - job->durations;
    uint32_t tasks = pn_dag_stages_of(&self->view, place)[stage].tasks;
    if (truth->start / 2 > PN_DAG_MOST_MS)
        return false;
    if (!(truth->start & 1))
        return truth->duration <= PN_DAG_MOST_MS;
    if (truth->duration != first + *durations || tasks > job->durations - *durations)
        return false;
    for (uint32_t i = 0; i < tasks; i++)
        if (pn_lists_of(&self->view.store, place)[truth->duration + i] > PN_DAG_MOST_MS)
            return false;
    *durations += tasks;
    return true;
}

/* Checks the stages without a look at the graph of one that the core has accepted. */
static bool stages_sound(const dag_validation *self, uint32_t place)
{
    const pn_dag_entry *job = &self->view.jobs[place];
    const pn_dispatch_stage *stages = pn_dag_stages_of(&self->view, place);
    const uint32_t *parents = (const void *)(pn_lists_of(&self->view.store, place) +
                                             pn_dag_parents_at(job));
    uint64_t edges = 0, durations = 0;
    for (uint32_t i = 0; i < job->stages; i++) {
        if (stages[i].tasks < 1 || stages[i].tasks > PN_DISPATCH_TASKS_MOST ||
            stages[i].first_parent != edges || stages[i].parent_count > job->edges - edges ||
            !truth_sound(self, place, i, &durations))
            return false;
        for (uint32_t k = 0; k < stages[i].parent_count; k++)
            if (parents[edges + k] >= job->stages)
                return false;
        edges += stages[i].parent_count;
    }
    return edges == job->edges && durations == job->durations;
}

static bool dag_job_sound(const dag_validation *self, uint32_t place)
{
    const pn_dag *sim = self->sim;
    const pn_dag_entry *job = &self->view.jobs[place];
    if (job->id > sim->totals.submitted || job->arrival > PN_INTEGER_MAX ||
        job->deadline > PN_INTEGER_MAX || job->alone < 1 || job->alone > PN_INTEGER_MAX ||
        job->path > job->alone || job->weight < 1 || job->weight > PN_DISPATCH_WEIGHT_MOST ||
        job->priority < -PN_DISPATCH_PRIORITY_MOST || job->priority > PN_DISPATCH_PRIORITY_MOST ||
        job->queue >= sim->queues_count ||
        (job->group != 0 && job->group >= sim->config.groups_max) || job->stages < 1 ||
        job->stages > PN_DISPATCH_STAGES_MOST || job->edges > PN_DISPATCH_EDGES_MOST ||
        job->durations > sim->config.durations_max)
        return false;
    return pn_validate_list_size(&self->view.store, place) == pn_dag_list_words(job) &&
           stages_sound(self, place);
}

/* Checks the jobs that wait for their time; adds them to the tally. */
static bool dag_future_sound(dag_validation *self, uint64_t *tally)
{
    uint32_t last = 0;
    uint64_t arrival = self->view.core->totals.time;
    for (uint32_t link = self->sim->future_first; link != 0;
         link = self->view.jobs[link - 1].next) {
        if (link > self->sim->job_places.used || self->future++ == self->sim->totals.jobs_held)
            return false;
        const pn_dag_entry *job = &self->view.jobs[link - 1];
        if (job->id == 0 || job->arrival < arrival)
            return false;
        arrival = job->arrival;
        last = link;
        *tally += pn_validate_hash(self->key, link - 1);
    }
    return last == self->sim->future_last && (last == 0 || arrival <= self->sim->last_arrival);
}

/* Returns whether the stages that the core has of a job are the world's: what it launches of them
 * takes a duration from the world's list. A job that the core knows has as many in both. */
static bool stages_match(const dag_validation *self, uint32_t in_core, uint32_t place)
{
    pn_dispatch *core = self->view.core;
    const pn_dispatch_entry *jobs = pn_at(core, core->jobs);
    const pn_dispatch_stage_entry *stages = pn_at(core, core->stages);
    const pn_dispatch_class *classes = pn_at(core, core->classes);
    const pn_dispatch_stage *own = pn_dag_stages_of(&self->view, place);
    for (uint32_t link = jobs[in_core].first_stage; link != 0; link = stages[link - 1].next) {
        const pn_dispatch_stage_entry *entry = &stages[link - 1];
        if (entry->tasks != own->tasks || entry->estimate != own->estimate ||
            entry->parents_left > own->parent_count ||
            !pn_same_bytes(classes[entry->class].demand, own->demand, sizeof own->demand))
            return false;
        own++;
    }
    return true;
}

static bool job_matches(const dag_validation *self, uint32_t in_core,
                        const pn_dispatch_record *record)
{
    const pn_dag_entry *job = &self->view.jobs[record->tag];
    return job->id != 0 && job->id == record->id && job->arrival == record->arrival &&
           job->deadline == record->deadline && job->weight == record->weight &&
           job->queue == record->queue && job->group == record->group &&
           job->stages == record->stage_count && stages_match(self, in_core, (uint32_t)record->tag);
}

/* Checks the jobs that the core has; adds them to the tally. */
static bool dag_system_sound(const dag_validation *self, uint64_t *tally)
{
    pn_dispatch_record record;
    for (uint32_t place = PN_NO_JOB;
         pn_dispatch_next_record(self->view.core, &place, &record) == PN_OK;) {
        if (record.tag >= self->sim->job_places.used || !job_matches(self, place, &record))
            return false;
        *tally += pn_validate_hash(self->key, record.tag);
    }
    return true;
}

/* Checks that each list of the store is a job's. */
static bool dag_store_sound(const dag_validation *self)
{
    uint32_t lists, wanted = 0;
    uint64_t tally = 0;
    if (!pn_validate_lists(&self->view.store, self->sim->job_places.used, &lists))
        return false;
    for (uint32_t place = 0; place < self->sim->job_places.used; place++) {
        bool wants = self->view.jobs[place].id != 0;
        wanted += wants;
        tally += wants ? pn_validate_hash(self->key, self->view.jobs[place].list) : 0;
    }
    return wanted == lists && tally == pn_validate_lists_tally(&self->view.store, self->key);
}

static bool dag_jobs_sound(dag_validation *self)
{
    const pn_dag *sim = self->sim;
    const pn_dag_totals *totals = &sim->totals;
    uint64_t tally = 0, free = 0, jobs = 0, stages = 0, edges = 0, durations = 0;
    if (sim->job_places.used > sim->config.dispatch.jobs_max ||
        totals->jobs_held > sim->job_places.used || totals->submitted > PN_INTEGER_MAX ||
        sim->last_arrival > PN_INTEGER_MAX || !dag_store_sound(self))
        return false;
    for (uint32_t place = 0; place < sim->job_places.used; place++) {
        const pn_dag_entry *job = &self->view.jobs[place];
        if (job->id == 0) {
            free -= pn_validate_hash(self->key, place);
            continue;
        }
        if (!dag_job_sound(self, place))
            return false;
        tally -= pn_validate_hash(self->key, place);
        jobs++;
        stages += job->stages;
        edges += job->edges;
        durations += job->durations;
    }
    return jobs == totals->jobs_held && stages == totals->stages_held &&
           edges == totals->edges_held && durations == totals->durations_held &&
           stages <= sim->config.dispatch.stages_max && edges <= sim->config.dispatch.edges_max &&
           durations <= sim->config.durations_max && dag_future_sound(self, &tally) &&
           dag_system_sound(self, &tally) &&
           pn_validate_free(&sim->job_places, PN_LINKS(self->view.jobs, next),
                            sim->config.dispatch.jobs_max, (uint32_t)jobs, self->key, &free) &&
           free == 0 && tally == 0;
}

/* ---- attempts ---- */

/* Checks an attempt, which runs until a time to come. The core's task is one of the world's, as all
 * the core's stages are. */
static bool dag_attempt_sound(const dag_validation *self, uint32_t place)
{
    const pn_dag_attempt *attempt = &self->view.attempts[place];
    pn_dispatch_task task;
    bool running = pn_dispatch_task_get(self->view.core, place, &task) == PN_OK;
    if (pn_heap_has(&self->view.ends, place) != running)
        return false;
    return !running || (attempt->token == task.token &&
                        attempt->order == ((uint64_t)task.stage << 32 | task.task));
}

static bool dag_attempts_sound(const dag_validation *self)
{
    uint32_t places = self->sim->config.dispatch.attempts_max;
    for (uint32_t place = 0; place < places; place++)
        if (!dag_attempt_sound(self, place))
            return false;
    if (!pn_validate_heap(&self->view.ends, places) ||
        !pn_validate_places(&self->view.ends, places))
        return false;
    for (uint32_t i = 0; i < self->sim->ends.count; i++)
        if (self->view.ends.entry[i].word[0] > (uint64_t)1 << 62 ||
            self->view.ends.entry[i].word[0] < self->view.core->totals.time)
            return false;
    return true;
}

/* ---- failures of nodes, and the machines of the bounds ---- */

static bool dag_outages_sound(const dag_validation *self)
{
    const pn_dag *sim = self->sim;
    if (!pn_validate_items(&self->view.failures, &sim->outage_places,
                           PN_LINKS(self->view.outages, next), self->key))
        return false;
    for (uint32_t i = 0; i < sim->failures.count; i++) {
        const pn_heap_entry *entry = &self->view.failures.entry[i];
        const pn_dag_outage *outage = &self->view.outages[entry->item];
        if (entry->word[0] > PN_INTEGER_MAX || entry->word[0] < self->view.core->totals.time ||
            entry->word[1] >> 32 > 1 || (uint32_t)entry->word[1] != outage->node ||
            outage->node >= sim->nodes_count)
            return false;
    }
    return true;
}

static bool machines_sound(const dag_validation *self)
{
    const pn_dag *sim = self->sim;
    for (uint32_t r = 0; r < sim->config.dispatch.resources; r++) {
        pn_dag_part *parts = pn_at(self->sim, sim->parts[r]);
        pn_heap left = pn_dag_parts(sim, r);
        if (!pn_validate_items(&left, &sim->machines[r].places, PN_LINKS(parts, next), self->key))
            return false;
    }
    return true;
}

int pn_dag_validate(const void *block, size_t size)
{
    dag_validation self = {0};
    int status = pn_block_check(block, size, pn_dag_magic, sizeof(pn_dag));
    if (status != PN_OK)
        return status;
    /* The view's functions take a block that may be written to; none that is called here does. */
    self.sim = (pn_dag *)(uintptr_t)block;
    if (!dag_layout_sound(self.sim) || self.sim->passed > PN_INTEGER_MAX + 1 ||
        self.sim->totals.time > PN_INTEGER_MAX)
        return PN_ERR_DAMAGED;
    pn_dag_view_build(&self.view, self.sim, NULL);
    status = pn_dispatch_validate(self.view.core, (size_t)self.sim->head.size - self.sim->core);
    if (status != PN_OK)
        return status == PN_ERR_BUSY ? status : PN_ERR_DAMAGED;
    self.key = pn_validate_key(block, (size_t)self.sim->head.size);
    bool sound = dag_core_sound(&self) && dag_nodes_sound(&self) && dag_jobs_sound(&self) &&
                 dag_attempts_sound(&self) && dag_outages_sound(&self) && machines_sound(&self) &&
                 pn_fleet_samples_sound(&self.sim->samples, block, self.sim->config.groups_max) &&
                 pn_attributes_sound(pn_dag_attributes_of(self.sim), self.sim->job_places.used);
    return sound ? PN_OK : PN_ERR_DAMAGED;
}
