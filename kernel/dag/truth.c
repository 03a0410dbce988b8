/* How long tasks take, what is drawn of that, and what a job would take alone (DG5, DG6, DG28). */
#include "state.h"

enum { DAG_DRAW_FACTOR = 1, DRAW_MISJUDGEMENT = 2 };

static uint64_t dag_draw(uint64_t seed, uint64_t purpose, uint64_t job, uint64_t stage)
{
    return pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, seed), purpose), job), stage);
}

uint32_t pn_dag_factor(uint64_t seed, uint32_t factor_lo, uint32_t factor_hi, uint64_t job,
                       uint32_t stage, uint32_t task)
{
    uint64_t range = (uint64_t)factor_hi - factor_lo + 1;
    if (range == 1)
        return factor_lo;
    uint64_t drawn = pn_mix(pn_mix(dag_draw(seed, DAG_DRAW_FACTOR, job, stage), task), 0);
    return (uint32_t)(factor_lo + drawn % range);
}

uint32_t pn_dag_misjudgement(uint64_t seed, uint32_t est_lo, uint32_t est_hi, uint64_t job,
                             uint32_t stage)
{
    uint64_t range = (uint64_t)est_hi - est_lo + 1;
    return (uint32_t)(est_lo + dag_draw(seed, DRAW_MISJUDGEMENT, job, stage) % range);
}

static uint64_t dag_truth_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

uint64_t pn_dag_ms(uint64_t start, uint64_t duration, uint64_t factor, uint64_t speed)
{
    return start + pn_max(1, dag_truth_up(duration * factor, speed));
}

uint64_t pn_dag_start(const pn_dag *sim, const pn_dag_stage *given)
{
    return given->start_ms == PN_DAG_AUTO ? sim->config.start_ms : given->start_ms;
}

uint64_t pn_dag_estimate(const pn_dag *sim, const pn_dag_stage *given, uint64_t id, uint32_t stage)
{
    uint64_t base = given->estimate, sum = 0;
    for (uint32_t i = 0; given->durations && base == 0 && i < given->tasks; i++)
        sum += given->durations[i];
    if (base == 0)
        base = pn_max(1, given->durations ? dag_truth_up(sum, given->tasks) : given->duration);
    return pn_dag_ms(pn_dag_start(sim, given), base,
                     pn_dag_misjudgement(sim->config.seed, sim->config.est_lo, sim->config.est_hi,
                                         id - 1, stage),
                     1000);
}

/* ---- a task that runs ---- */

uint64_t pn_dag_task_ms(const pn_dag_view *view, uint32_t job, const pn_dispatch_task *task)
{
    const pn_dag *sim = view->sim;
    const pn_dag_truth *truth = &pn_dag_truths_of(view, job)[task->stage];
    uint64_t duration = truth->start & 1
                            ? pn_lists_of(&view->store, job)[truth->duration + task->task]
                            : truth->duration;
    uint64_t factor = pn_dag_factor(sim->config.seed, sim->config.factor_lo, sim->config.factor_hi,
                                    task->id - 1, task->stage, task->task);
    return pn_dag_ms(truth->start / 2, duration, factor, view->speeds[task->node]);
}

/* ---- alone ---- */

/* Returns the fastest node that has the capacity. */
static uint64_t best_speed(const pn_dag_view *view, const uint64_t *demand)
{
    uint64_t best = 0;
    for (uint32_t i = 0; i < view->sim->kinds_count; i++) {
        bool holds = view->kinds[i].speed > best;
        for (uint32_t r = 0; r < view->sim->config.dispatch.resources && holds; r++)
            holds = view->kinds[i].capacity[r] >= demand[r];
        if (holds)
            best = view->kinds[i].speed;
    }
    return best;
}

/* Sums stop here: a demand is at least 1. */
#define AREA_END ((uint64_t)1 << 62)

/* Returns the sum over the stage's tasks of the time on the fastest node, and the longest of
 * these. */
static uint64_t sum_of(const pn_dag_view *view, const pn_dag_stage *given, uint32_t stage,
                       uint64_t *longest)
{
    const pn_dag *sim = view->sim;
    bool alike = !given->durations && sim->config.factor_lo == sim->config.factor_hi;
    uint64_t speed = best_speed(view, given->demand), sum = 0, id = sim->totals.submitted;
    *longest = 0;
    for (uint32_t task = 0; task < (alike ? 1 : given->tasks); task++) {
        uint64_t duration = given->durations ? given->durations[task] : given->duration;
        uint64_t factor = pn_dag_factor(sim->config.seed, sim->config.factor_lo,
                                        sim->config.factor_hi, id, stage, task);
        uint64_t ms = pn_dag_ms(pn_dag_start(sim, given), duration, factor, speed);
        *longest = pn_max(*longest, ms);
        sum = pn_min(sum + ms, AREA_END);
    }
    return alike && !pn_multiply(sum, given->tasks, AREA_END, &sum) ? AREA_END : sum;
}

/* Adds to the areas; false when one of them is 2^62 or more. */
static bool add_areas(const pn_dag_view *view, const uint64_t *demand, uint64_t sum,
                      uint64_t *areas)
{
    uint64_t product;
    for (uint32_t r = 0; r < view->sim->config.dispatch.resources; r++) {
        if (!pn_multiply(sum, demand[r], AREA_END - 1, &product) ||
            product > AREA_END - 1 - areas[r])
            return false;
        areas[r] += product;
    }
    return true;
}

const char *pn_dag_measure(const pn_dag_view *view, const pn_dag_job *job, const pn_graph *graph,
                           pn_dag_alone *alone, uint32_t *stage)
{
    pn_dag *sim = view->sim;
    pn_paths_note *notes = pn_at(sim, sim->notes);
    uint64_t *lengths = pn_at(sim, sim->lengths);
    *alone = (pn_dag_alone){.path = 0};
    for (uint32_t i = 0; i < job->stage_count; i++) {
        uint64_t sum = sum_of(view, &job->stages[i], i, &lengths[i]);
        *stage = i;
        if (!add_areas(view, job->stages[i].demand, sum, alone->areas))
            return "duration: of all stages together below 2^62 ms of each resource";
    }
    *stage = UINT32_MAX;
    if (!pn_paths(graph, lengths, 1, notes))
        return "stages: their parents form a cycle";
    for (uint32_t i = 0; i < job->stage_count; i++)
        alone->path = pn_max(alone->path, notes[i].length);
    alone->ms = alone->path;
    for (uint32_t r = 0; r < sim->config.dispatch.resources; r++)
        alone->ms = pn_max(alone->ms, dag_truth_up(alone->areas[r], sim->capacity[r]));
    return alone->ms > PN_INTEGER_MAX ? "duration: of the longest path at most 2^53 ms" : NULL;
}
