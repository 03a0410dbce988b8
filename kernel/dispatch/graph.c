/* What is asked of a job before it is stored: its numbers, its graph, how much work it is. */
#include "base/config.h"
#include "check.h"
#include "state.h"

/* ---- stages ---- */

static uint64_t dispatch_ceiling(pn_wide a, uint64_t by)
{
    uint64_t rest;
    pn_wide quotient = pn_wide_divide(a, by, &rest);
    return quotient.low + (rest > 0);
}

/* Computes the rates. Demands of at most the capacity: at most 10^9 for each resource. */
void pn_dispatch_rates(const pn_dispatch *s, const uint64_t *demand, uint64_t *sigma,
                       uint64_t *omega)
{
    *sigma = *omega = 0;
    for (uint32_t r = 0; r < s->config.resources; r++) {
        uint64_t part = dispatch_ceiling(pn_wide_product(demand[r], PN_DISPATCH_PPB),
                                         s->capacity[r]);
        *sigma = pn_max(*sigma, part);
        *omega += part;
    }
}

static bool demand_in_range(const pn_dispatch *s, const uint64_t *demand)
{
    uint64_t any = 0;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
        if (demand[r] > (r < s->config.resources ? PN_DISPATCH_DEMAND_MOST : 0))
            return false;
        any |= demand[r];
    }
    return any > 0;
}

static bool some_node_holds(const pn_dispatch *s, const uint64_t *demand)
{
    const pn_dispatch_kind *kinds = pn_at((void *)(uintptr_t)s, s->kinds);
    for (uint32_t i = 0; i < s->kinds_count; i++) {
        bool holds = true;
        for (uint32_t r = 0; r < s->config.resources; r++)
            holds &= kinds[i].capacity[r] >= demand[r];
        if (holds)
            return true;
    }
    return false;
}

/* Returns whether every node has it, and none twice. */
static bool executors_hold(const pn_dispatch *s, const uint64_t *demand)
{
    const pn_dispatch_kind *kinds = pn_at((void *)(uintptr_t)s, s->kinds);
    bool hold = 2 * demand[0] > s->largest[0];
    for (uint32_t i = 0; i < s->kinds_count; i++)
        for (uint32_t r = 0; r < s->config.resources; r++)
            hold &= kinds[i].capacity[r] >= demand[r];
    return hold;
}

/* Adds a stage's estimated work over all resources: false from 2^62 ppb ms on. */
static bool add_work(const pn_dispatch *s, const pn_dispatch_stage *stage, uint64_t *work)
{
    uint64_t sigma, omega, product;
    pn_dispatch_rates(s, stage->demand, &sigma, &omega);
    if (!pn_multiply(stage->estimate, stage->tasks, PN_DISPATCH_WORK_END - 1, &product) ||
        !pn_multiply(product, omega, PN_DISPATCH_WORK_END - 1, &product) ||
        product > PN_DISPATCH_WORK_END - 1 - *work)
        return false;
    *work += product;
    return true;
}

const char *pn_dispatch_stage_fault(const pn_dispatch *core, const pn_dispatch_stage *stage,
                                    uint64_t *work)
{
    if (stage->tasks < 1 || stage->tasks > PN_DISPATCH_TASKS_MOST)
        return "tasks: 1..2^20";
    if (!demand_in_range(core, stage->demand))
        return "demand: 0..2^40 of each resource, not all 0, nothing of others";
    if (!some_node_holds(core, stage->demand))
        return "demand: at most what some node has";
    if (core->config.executors && !executors_hold(core, stage->demand))
        return "demand: with executors at most the capacity of every node, and of the first "
               "resource more than half of the largest capacity";
    if (stage->estimate < 1 || stage->estimate > PN_DISPATCH_ESTIMATE_MOST)
        return "estimate: 1..2^53";
    if (stage->unused != 0)
        return "unused: 0";
    return add_work(core, stage, work) ? NULL
                                       : "estimate: of all stages together below 2^62 ppb ms of "
                                         "work";
}

/* ---- jobs ---- */

uint64_t pn_dispatch_edges_of(const pn_dispatch_job *job)
{
    uint64_t edges = 0;
    for (uint32_t i = 0; i < job->stage_count; i++)
        edges += job->stages[i].parent_count;
    return edges;
}

static const uint32_t *dispatch_parents_of(const void *given, uint32_t stage, uint32_t *count)
{
    const pn_dispatch_job *job = given;
    *count = job->stages[stage].parent_count;
    return *count > 0 ? job->parents + job->stages[stage].first_parent : NULL;
}

bool pn_dispatch_paths(const pn_dispatch_job *job, pn_paths_note *notes)
{
    const pn_graph graph = {job, dispatch_parents_of, job->stage_count};
    return pn_paths(&graph, &job->stages[0].estimate, sizeof *job->stages / sizeof(uint64_t),
                    notes);
}

static const char *dispatch_job_fault(const pn_dispatch *s, const pn_dispatch_job *job)
{
    if (job->weight > PN_DISPATCH_WEIGHT_MOST)
        return "weight: 1..1000000";
    if (job->priority < -PN_DISPATCH_PRIORITY_MOST || job->priority > PN_DISPATCH_PRIORITY_MOST)
        return "priority: -1000000..1000000";
    if (job->deadline > PN_INTEGER_MAX)
        return "deadline: 0..2^53";
    if (!pn_attributes_sane(job->attributes, s->config.attributes))
        return "attributes: finite numbers";
    if (!job->stages || job->stage_count < 1 || job->stage_count > PN_DISPATCH_STAGES_MOST)
        return "stages: 1..2^16 of them";
    if ((job->parents_count > 0 && !job->parents) || job->parents_count > PN_DISPATCH_EDGES_MOST ||
        pn_dispatch_edges_of(job) > PN_DISPATCH_EDGES_MOST)
        return "parents: at most 2^20 of a job";
    return job->unused != 0 ? "unused: 0" : NULL;
}

static bool parents_sane(const pn_dispatch_job *job, uint32_t stage, pn_paths_note *notes)
{
    const pn_graph graph = {job, dispatch_parents_of, job->stage_count};
    const pn_dispatch_stage *given = &job->stages[stage];
    return given->parent_count <= job->parents_count &&
           given->first_parent <= job->parents_count - given->parent_count &&
           pn_paths_parents_sane(&graph, stage, notes);
}

static const char *dispatch_stages_fault(const pn_dispatch *s, const pn_dispatch_job *job,
                                         uint32_t *stage, pn_paths_note *notes)
{
    uint64_t work = 0;
    for (uint32_t i = 0; i < job->stage_count; i++) {
        const char *fault = pn_dispatch_stage_fault(s, &job->stages[i], &work);
        if (!fault && !parents_sane(job, i, notes))
            fault = "parents: other stages of the job, each once";
        *stage = i;
        if (fault)
            return fault;
    }
    *stage = UINT32_MAX;
    return pn_dispatch_paths(job, notes) ? NULL : "stages: their parents form a cycle";
}

/* Returns what is wrong with the graph. A job with more stages than the tables have places for is
 * not looked at any further. */
const char *pn_dispatch_graph_fault(pn_dispatch *s, const pn_dispatch_job *job, uint32_t *stage)
{
    pn_paths_note *notes = pn_at(s, s->notes);
    const char *fault = dispatch_job_fault(s, job);
    *stage = UINT32_MAX;
    if (fault || job->stage_count > s->config.stages_max)
        return fault;
    fault = dispatch_stages_fault(s, job, stage, notes);
    memset(notes, 0, job->stage_count * sizeof *notes);
    return fault;
}

const char *pn_dispatch_fault(pn_dispatch *core, const pn_dispatch_job *job, uint32_t *stage)
{
    uint32_t about;
    if (!PN_GIVEN(job, pn_dispatch_job, priority))
        return PN_UNKNOWN_FIELDS;
    return pn_dispatch_graph_fault(core, job, stage ? stage : &about);
}
