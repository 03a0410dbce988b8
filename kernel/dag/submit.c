/* Jobs are handed over, and their lists kept until they leave (DG1, DG30). */
#include "dispatch/check.h"
#include "base/config.h"
#include "state.h"

/* ---- what a job takes ---- */

static void count_needs(const pn_dag_job *job, pn_dag_needs *needs)
{
    *needs = (pn_dag_needs){.stages = job->stage_count};
    for (uint32_t i = 0; i < job->stage_count; i++) {
        needs->edges += job->stages[i].parent_count;
        needs->durations += job->stages[i].durations ? job->stages[i].tasks : 0;
    }
}

/* Returns how many tasks of the stage fit on the nodes at once. */
static uint64_t most_at_once(const pn_dispatch_config *config, const pn_dag_stage *stage)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        uint64_t fit = stage->tasks;
        for (uint32_t r = 0; r < config->resources; r++)
            if (stage->demand[r] > 0)
                fit = pn_min(fit, config->nodes[i].capacity[r] / stage->demand[r]);
        most = pn_min(most + fit * config->nodes[i].count, stage->tasks);
    }
    return most;
}

pn_dag_needs pn_dag_needs_of(const pn_dag_config *config, const pn_dag_job *job)
{
    pn_dag_needs needs;
    count_needs(job, &needs);
    for (uint32_t i = 0; i < job->stage_count; i++)
        needs.attempts += most_at_once(&config->dispatch, &job->stages[i]);
    return needs;
}

/* ---- what is refused ---- */

static const char *stage_fault(const pn_dag_stage *stage)
{
    if (stage->tasks < 1 || stage->tasks > PN_DISPATCH_TASKS_MOST)
        return "tasks: 1..2^20";
    if (stage->duration > PN_DAG_MOST_MS)
        return "duration: 0..2^40";
    for (uint32_t i = 0; stage->durations && i < stage->tasks; i++)
        if (stage->durations[i] > PN_DAG_MOST_MS)
            return "durations: 0..2^40 each";
    if (stage->estimate > PN_DAG_MOST_MS)
        return "estimate: 0..2^40";
    if (stage->start_ms > PN_DAG_MOST_MS && stage->start_ms != PN_DAG_AUTO)
        return "start_ms: 0..2^40, or PN_DAG_AUTO";
    return stage->parent_count > 0 && !stage->parents ? "parents: a list that is not null" : NULL;
}

static const char *head_fault(const pn_dag *sim, const pn_dag_job *job)
{
    if (!job->stages || job->stage_count < 1 || job->stage_count > PN_DISPATCH_STAGES_MOST)
        return "stages: 1..2^16 of them";
    if (job->weight > PN_DISPATCH_WEIGHT_MOST)
        return "weight: 1..1000000";
    if (job->priority < -PN_DISPATCH_PRIORITY_MOST || job->priority > PN_DISPATCH_PRIORITY_MOST)
        return "priority: -1000000..1000000";
    if (job->deadline > PN_INTEGER_MAX)
        return "deadline: 0..2^53";
    return pn_attributes_sane(job->attributes, sim->config.dispatch.attributes)
               ? NULL
               : "attributes: finite numbers";
}

static const uint32_t *dag_parents_of(const void *job, uint32_t stage, uint32_t *count)
{
    const pn_dag_stage *given = &((const pn_dag_job *)job)->stages[stage];
    *count = given->parent_count;
    return given->parents;
}

/* Makes a stage as the core wants it, without parents. */
static pn_dispatch_stage core_stage(const pn_dag *sim, const pn_dag_stage *given, uint64_t id,
                                    uint32_t stage)
{
    pn_dispatch_stage made = {.estimate = pn_dag_estimate(sim, given, id, stage),
                              .tasks = given->tasks};
    memcpy(made.demand, given->demand, sizeof made.demand);
    return made;
}

/* Returns what is wrong with a stage by itself, or with its parents. */
static const char *dag_stages_fault(const pn_dag_view *view, const pn_dag_job *job,
                                    const pn_graph *graph, uint32_t *stage)
{
    pn_dag *sim = view->sim;
    pn_paths_note *notes = pn_at(sim, sim->notes);
    uint64_t work = 0, edges = 0;
    for (uint32_t i = 0; i < job->stage_count; i++) {
        const char *fault = stage_fault(&job->stages[i]);
        *stage = i;
        if (fault)
            return fault;
        const pn_dispatch_stage made = core_stage(sim, &job->stages[i], sim->totals.submitted + 1,
                                                  i);
        fault = pn_dispatch_stage_fault(view->core, &made, &work);
        if (fault)
            return fault;
        edges += job->stages[i].parent_count;
        if (edges > PN_DISPATCH_EDGES_MOST)
            return "parents: at most 2^20 of a job";
        if (!pn_paths_parents_sane(graph, i, notes))
            return "parents: other stages of the job, each once";
    }
    return NULL;
}

/* Returns what is wrong with the job, or null and what it takes alone. One with more stages than
 * the tables have places for is not looked at. */
static const char *dag_job_fault(const pn_dag_view *view, const pn_dag_job *job,
                                 pn_dag_alone *alone, uint32_t *stage)
{
    pn_dag *sim = view->sim;
    const pn_graph graph = {job, dag_parents_of, job->stage_count};
    const char *fault = head_fault(sim, job);
    *stage = UINT32_MAX;
    if (fault || job->stage_count > sim->config.dispatch.stages_max)
        return fault;
    fault = dag_stages_fault(view, job, &graph, stage);
    if (!fault)
        fault = pn_dag_measure(view, job, &graph, alone, stage);
    memset(pn_at(sim, sim->notes), 0, job->stage_count * sizeof(pn_paths_note));
    memset(pn_at(sim, sim->lengths), 0, job->stage_count * sizeof(uint64_t));
    return fault;
}

const char *pn_dag_fault(pn_dag *sim, const pn_dag_job *job, uint32_t *stage)
{
    pn_dag_view view;
    pn_dag_alone alone;
    uint32_t about;
    if (!PN_GIVEN(job, pn_dag_job, priority))
        return PN_UNKNOWN_FIELDS;
    pn_dag_view_build(&view, sim, NULL);
    return dag_job_fault(&view, job, &alone, stage ? stage : &about);
}

/* ---- storing ---- */

/* Stores one stage in the job's list; what follows of parents and durations has these places. */
static void dag_store_stage(const pn_dag_view *view, uint32_t place, const pn_dag_stage *given,
                            uint32_t stage, uint32_t *parents, uint64_t *durations)
{
    const pn_dag *sim = view->sim;
    pn_dispatch_stage *entry = &pn_dag_stages_of(view, place)[stage];
    pn_dag_truth *truth = &pn_dag_truths_of(view, place)[stage];
    uint64_t *list = pn_lists_of(&view->store, place);
    *entry = core_stage(sim, given, view->jobs[place].id, stage);
    entry->first_parent = *parents;
    entry->parent_count = given->parent_count;
    *truth = (pn_dag_truth){given->durations ? *durations : given->duration,
                            2 * pn_dag_start(sim, given) + (given->durations != NULL)};
    uint32_t *parent_list = (uint32_t *)(void *)(list + pn_dag_parents_at(&view->jobs[place]));
    if (given->parent_count > 0)
        memcpy(parent_list + *parents, given->parents, given->parent_count * sizeof *parent_list);
    *parents += given->parent_count;
    if (!given->durations)
        return;
    memcpy(list + *durations, given->durations, given->tasks * sizeof *list);
    *durations += given->tasks;
}

/* Stores the job; there is room for it. */
static uint32_t dag_store_job(const pn_dag_view *view, const pn_dag_job *job,
                              const pn_dag_needs *needs, const pn_dag_alone *alone)
{
    pn_dag *sim = view->sim;
    uint32_t place = pn_place_take(&sim->job_places, PN_LINKS(view->jobs, next)), parents = 0;
    pn_dag_entry *entry = &view->jobs[place];
    *entry = (pn_dag_entry){.id = sim->totals.submitted + 1,
                            .arrival = job->arrival,
                            .deadline = job->deadline,
                            .tag = job->tag,
                            .path = alone->path,
                            .alone = alone->ms,
                            .weight = job->weight > 0 ? job->weight : 1,
                            .priority = job->priority,
                            .queue = job->queue,
                            .group = job->group,
                            .stages = job->stage_count,
                            .edges = (uint32_t)needs->edges,
                            .durations = (uint32_t)needs->durations};
    pn_lists_take(&view->store, place, pn_dag_list_words(entry));
    memset(pn_lists_of(&view->store, place), 0,
           (size_t)pn_dag_list_words(entry) * sizeof(uint64_t));
    uint64_t durations = pn_dag_list_words(entry) - entry->durations;
    for (uint32_t i = 0; i < job->stage_count; i++)
        dag_store_stage(view, place, &job->stages[i], i, &parents, &durations);
    if (sim->config.dispatch.attributes > 0)
        pn_attributes_put(pn_dag_attributes_of(sim), place, job->attributes);
    return place;
}

void pn_dag_core_job(const pn_dag_view *view, uint32_t place, pn_dispatch_job *job)
{
    const pn_dag *sim = view->sim;
    const pn_dag_entry *entry = &view->jobs[place];
    const uint64_t *parents = pn_lists_of(&view->store, place) + pn_dag_parents_at(entry);
    *job = (pn_dispatch_job){.stages = pn_dag_stages_of(view, place),
                             .parents = entry->edges > 0 ? (const uint32_t *)(const void *)parents
                                                         : NULL,
                             .stage_count = entry->stages,
                             .parents_count = entry->edges,
                             .weight = entry->weight,
                             .priority = entry->priority,
                             .queue = entry->queue,
                             .deadline = entry->deadline,
                             .tag = place,
                             .group = entry->group,
                             .attributes = sim->config.dispatch.attributes > 0
                                               ? pn_attributes_of(pn_dag_attributes_of(sim), place)
                                               : NULL};
}

/* ---- submission ---- */

static void dag_count_held(pn_dag *sim, const pn_dag_entry *job)
{
    pn_dag_totals *totals = &sim->totals;
    totals->jobs_held++;
    totals->stages_held += job->stages;
    totals->edges_held += job->edges;
    totals->durations_held += job->durations;
    totals->jobs_held_max = (uint32_t)pn_max(totals->jobs_held_max, totals->jobs_held);
    totals->stages_held_max = (uint32_t)pn_max(totals->stages_held_max, totals->stages_held);
    totals->edges_held_max = (uint32_t)pn_max(totals->edges_held_max, totals->edges_held);
    totals->durations_held_max = (uint32_t)pn_max(totals->durations_held_max,
                                                  totals->durations_held);
}

static void join_future(const pn_dag_view *view, uint32_t place)
{
    pn_dag *sim = view->sim;
    const pn_dag_entry *job = &view->jobs[place];
    if (sim->future_last != 0)
        view->jobs[sim->future_last - 1].next = place + 1;
    else
        sim->future_first = place + 1;
    sim->future_last = place + 1;
    sim->last_arrival = job->arrival;
    sim->alone = pn_wide_sum(sim->alone, (pn_wide){0, job->alone});
    sim->last_alone = pn_max(sim->last_alone, job->arrival + job->alone);
    sim->totals.first_arrival = pn_min(sim->totals.first_arrival, job->arrival);
    sim->totals.submitted++;
}

static bool dag_has_room(const pn_dag *sim, const pn_dag_needs *needs)
{
    const pn_dag_totals *held = &sim->totals;
    return held->jobs_held < sim->config.dispatch.jobs_max &&
           needs->stages <= sim->config.dispatch.stages_max - held->stages_held &&
           needs->edges <= sim->config.dispatch.edges_max - held->edges_held &&
           needs->durations <= sim->config.durations_max - held->durations_held;
}

static int dag_job_refused(const pn_dag_view *view, const pn_dag_job *job, pn_dag_alone *alone)
{
    const pn_dag *sim = view->sim;
    uint32_t stage;
    if (job->queue >= sim->queues_count ||
        (job->group != 0 && job->group >= sim->config.groups_max))
        return PN_ERR_ARGUMENT;
    if (job->arrival > PN_INTEGER_MAX || pn_dispatch_ids_end(sim->totals.submitted))
        return PN_ERR_OVERFLOW;
    if (job->arrival < sim->last_arrival)
        return PN_ERR_ORDER;
    if (job->arrival < sim->passed || sim->over)
        return PN_ERR_LATE;
    return dag_job_fault(view, job, alone, &stage) ? PN_ERR_JOB : PN_OK;
}

int pn_dag_submit(pn_dag *sim, const pn_dag_job *job, uint64_t *id)
{
    pn_dag_view view;
    pn_dag_needs needs;
    pn_dag_alone alone;
    if (!sim || !job || !PN_GIVEN(job, pn_dag_job, priority))
        return PN_ERR_ARGUMENT;
    pn_dag_view_build(&view, sim, NULL);
    int status = dag_job_refused(&view, job, &alone);
    if (status != PN_OK)
        return status;
    count_needs(job, &needs);
    /* A job whose stages have no room at all was not measured. */
    if (!dag_has_room(sim, &needs) || pn_dag_bounds_full(sim, job->arrival, alone.areas))
        return PN_ERR_FULL;
    uint32_t place = dag_store_job(&view, job, &needs, &alone);
    dag_count_held(sim, &view.jobs[place]);
    if (sim->config.bounds_max > 0)
        pn_dag_bounds_add(sim, job->arrival, alone.areas);
    join_future(&view, place);
    if (id)
        *id = view.jobs[place].id;
    return PN_OK;
}

/* Releases the place of a job that has left. */
void pn_dag_release(pn_dag_view *view, uint32_t place)
{
    pn_dag_totals *totals = &view->sim->totals;
    pn_dag_entry *job = &view->jobs[place];
    PN_ASSERT(job->id != 0);
    totals->jobs_held--;
    totals->stages_held -= job->stages;
    totals->edges_held -= job->edges;
    totals->durations_held -= job->durations;
    pn_lists_free(&view->store, place);
    job->id = 0;
    pn_place_free(&view->sim->job_places, PN_LINKS(view->jobs, next), place);
}
