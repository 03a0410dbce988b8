/* Kahn's algorithm from the end: a stage follows when all its children have. */
#include "paths.h"

bool pn_paths_parents_sane(const pn_graph *graph, uint32_t stage, pn_paths_note *notes)
{
    uint32_t count;
    const uint32_t *parents = graph->parents(graph->job, stage, &count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t parent = parents[k];
        if (parent >= graph->stages || parent == stage || notes[parent].seen == stage + 1)
            return false;
        notes[parent].seen = stage + 1;
    }
    return true;
}

static void count_children(const pn_graph *graph, uint32_t stage, pn_paths_note *notes)
{
    uint32_t count;
    const uint32_t *parents = graph->parents(graph->job, stage, &count);
    for (uint32_t k = 0; k < count; k++)
        notes[parents[k]].children++;
}

/* Follows the stage's path where it is known: its parents' are at least as long. Those whose
 * children all are in the queue follow. */
static uint32_t follow(const pn_graph *graph, uint32_t stage, pn_paths_note *notes, uint32_t queued)
{
    uint32_t count;
    const uint32_t *parents = graph->parents(graph->job, stage, &count);
    for (uint32_t k = 0; k < count; k++) {
        pn_paths_note *above = &notes[parents[k]];
        above->length = pn_max(above->length, notes[stage].length);
        if (--above->children == 0)
            notes[queued++].queued = parents[k];
    }
    return queued;
}

bool pn_paths(const pn_graph *graph, const uint64_t *lengths, size_t stride, pn_paths_note *notes)
{
    uint32_t queued = 0;
    for (uint32_t s = 0; s < graph->stages; s++)
        notes[s].length = notes[s].children = 0;
    for (uint32_t s = 0; s < graph->stages; s++)
        count_children(graph, s, notes);
    for (uint32_t s = 0; s < graph->stages; s++)
        if (notes[s].children == 0)
            notes[queued++].queued = s;
    for (uint32_t i = 0; i < queued; i++) {
        uint32_t s = notes[i].queued;
        notes[s].length = pn_min(notes[s].length + lengths[s * stride], PN_PATHS_LONGEST);
        queued = follow(graph, s, notes, queued);
    }
    return queued == graph->stages;
}
