/* Kahn's algorithm from the end: a stage follows when all its children have. */
#include "paths.h"

/* The stage's path is known: its parents' are at least as long. Those whose children all are in the
 * queue follow. */
static uint32_t follow(const pn_dispatch_job *job, uint32_t stage, pn_paths_note *notes,
                       uint32_t queued)
{
    for (uint32_t k = 0; k < job->stages[stage].parent_count; k++) {
        uint32_t above = pn_paths_parents(job, stage)[k];
        notes[above].length = pn_max(notes[above].length, notes[stage].length);
        if (--notes[above].children == 0)
            notes[queued++].queued = above;
    }
    return queued;
}

bool pn_paths(const pn_dispatch_job *job, const uint64_t *lengths, size_t stride,
              pn_paths_note *notes)
{
    uint32_t count = job->stage_count, queued = 0;
    for (uint32_t s = 0; s < count; s++)
        notes[s].length = notes[s].children = 0;
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t k = 0; k < job->stages[s].parent_count; k++)
            notes[pn_paths_parents(job, s)[k]].children++;
    for (uint32_t s = 0; s < count; s++)
        if (notes[s].children == 0)
            notes[queued++].queued = s;
    for (uint32_t i = 0; i < queued; i++) {
        uint32_t s = notes[i].queued;
        uint64_t length = pn_min(lengths[s * stride], PN_PATHS_LONGEST);
        notes[s].length = pn_min(notes[s].length + length, PN_PATHS_LONGEST);
        queued = follow(job, s, notes, queued);
    }
    return queued == count;
}
