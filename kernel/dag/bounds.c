/* Lower bounds of makespan and total completion time (DG28), from the truth of all jobs handed
 * over.
 *
 * On one machine of the cluster's capacity for each resource the least area left is served first;
 * no schedule of the cluster has a smaller total flow time. The machine's unit of time is such that
 * a unit of area takes a unit: a millisecond has as many of them as there is capacity. */
#include "state.h"

pn_heap pn_dag_parts(const pn_dag *sim, uint32_t resource)
{
    pn_dag *block = (pn_dag *)(uintptr_t)sim;
    const pn_dag_part *parts = pn_at(block, block->parts[resource]);
    return (pn_heap){&block->machines[resource].left,
                     pn_at(block, block->part_entries[resource]),
                     NULL,
                     0,
                     &parts[0].id,
                     PN_DAG_PART_WORDS};
}

/* Serves for `time` units. */
static void dag_serve(pn_dag *sim, uint32_t resource, pn_wide time)
{
    pn_dag_machine *machine = &sim->machines[resource];
    pn_dag_part *parts = pn_at(sim, sim->parts[resource]);
    pn_heap left = pn_dag_parts(sim, resource);
    while (machine->left.count > 0) {
        uint64_t least = left.entry[0].word[0];
        uint32_t place = left.entry[0].item;
        bool ends = time.high > 0 || time.low >= least;
        uint64_t passed = ends ? least : time.low;
        machine->flow = pn_wide_sum(machine->flow, pn_wide_product(passed, machine->left.count));
        if (!ends) {
            left.entry[0].word[0] -= passed;
            return;
        }
        time = pn_wide_difference(time, (pn_wide){0, passed});
        pn_heap_pop(&left);
        parts[place] = (pn_dag_part){.id = 0};
        pn_place_free(&machine->places, PN_LINKS(parts, next), place);
    }
}

static void add_part(pn_dag *sim, uint32_t resource, uint64_t area)
{
    pn_dag_machine *machine = &sim->machines[resource];
    pn_dag_part *parts = pn_at(sim, sim->parts[resource]);
    pn_heap left = pn_dag_parts(sim, resource);
    uint32_t place = pn_place_take(&machine->places, PN_LINKS(parts, next));
    parts[place] = (pn_dag_part){.id = sim->totals.submitted + 1};
    const uint64_t word[2] = {area, 0};
    pn_heap_push(&left, place, word);
}

/* Adds a job to the bounds, before it is counted. */
void pn_dag_bounds_add(pn_dag *sim, uint64_t arrival, const uint64_t *areas)
{
    for (uint32_t r = 0; r < sim->config.dispatch.resources; r++) {
        pn_dag_machine *machine = &sim->machines[r];
        pn_wide release = pn_wide_product(arrival, sim->capacity[r]);
        dag_serve(sim, r, pn_wide_product(arrival - sim->last_arrival, sim->capacity[r]));
        if (pn_wide_compare(release, machine->area) > 0) {
            pn_wide ahead = pn_wide_difference(release, machine->area);
            if (pn_wide_compare(ahead, machine->ahead) > 0)
                machine->ahead = ahead;
        }
        machine->area = pn_wide_sum(machine->area, (pn_wide){0, areas[r]});
        if (areas[r] > 0)
            add_part(sim, r, areas[r]);
    }
}

/* Returns whether some machine has no place for a job that arrives then: one without an area there
 * needs none. */
bool pn_dag_bounds_full(const pn_dag *sim, uint64_t arrival, const uint64_t *areas)
{
    for (uint32_t r = 0; r < sim->config.dispatch.resources && sim->config.bounds_max > 0; r++) {
        const pn_heap left = pn_dag_parts(sim, r);
        pn_wide time = pn_wide_product(arrival - sim->last_arrival, sim->capacity[r]);
        if (areas[r] > 0 && left.state->count == sim->config.bounds_max && time.high == 0 &&
            time.low < left.entry[0].word[0])
            return true;
    }
    return false;
}

static pn_wide dag_ceiling(pn_wide a, uint64_t by)
{
    uint64_t rest;
    pn_wide quotient = pn_wide_divide(a, by, &rest);
    return pn_wide_sum(quotient, (pn_wide){0, rest > 0});
}

/* Returns the flow time when all that is left has been served, in its order. What it writes beside
 * the heap is 0 afterwards: a query changes no byte of a block. */
static pn_wide flow_of(const pn_dag *sim, uint32_t resource)
{
    pn_heap left = pn_dag_parts(sim, resource);
    pn_wide flow = sim->machines[resource].flow;
    uint32_t *candidates = pn_at((void *)(uintptr_t)sim, sim->walk);
    uint64_t waiting = left.state->count;
    pn_heap_walk walk;
    if (waiting == 0)
        return flow;
    pn_heap_walk_start(&walk, &left, candidates,
                       (uint32_t)pn_heap_walk_room(sim->config.bounds_max));
    for (; waiting > 0; waiting--) {
        flow = pn_wide_sum(flow, pn_wide_product(pn_heap_walk_peek(&walk)->word[0], waiting));
        pn_heap_walk_next(&walk);
    }
    memset(candidates, 0, pn_heap_walk_room(left.state->count) * sizeof *candidates);
    return flow;
}

static uint64_t saturated(pn_wide a)
{
    return a.high > 0 ? UINT64_MAX : a.low;
}

void pn_dag_bounds_get(const pn_dag *sim, pn_dag_totals *totals)
{
    if (sim->config.bounds_max == 0 || sim->totals.submitted == 0)
        return;
    uint64_t end = sim->last_alone;
    totals->bound_total_jct = sim->alone;
    for (uint32_t r = 0; r < sim->config.dispatch.resources; r++) {
        const pn_dag_machine *machine = &sim->machines[r];
        pn_wide flow = dag_ceiling(flow_of(sim, r), sim->capacity[r]);
        end = pn_max(end, saturated(dag_ceiling(pn_wide_sum(machine->area, machine->ahead),
                                                sim->capacity[r])));
        if (pn_wide_compare(flow, totals->bound_total_jct) > 0)
            totals->bound_total_jct = flow;
    }
    totals->bound_makespan = end - sim->totals.first_arrival;
}
