/* Longest paths in the graph of a job's stages. */
#ifndef PN_PATHS_H
#define PN_PATHS_H

#include "internal.h"
#include "pn_dispatch.h"

/* Lengths of paths stop here, far beyond any horizon. */
#define PN_PATHS_LONGEST ((uint64_t)1 << 63)

/* What is noted of each stage. */
typedef struct pn_paths_note {
    uint64_t length;   /* of the longest path from its start to the end of the job */
    uint32_t children; /* that are not in the queue */
    uint32_t queued;   /* not of this stage: the one at this place of the queue, children first */
    uint32_t seen;     /* scratch of the caller */
    uint32_t unused;
} pn_paths_note;

/* The lengths of stages are so many words apart, each at most PN_PATHS_LONGEST; the parents are
 * known to be stages. False when they form a cycle. O(stages + edges). */
bool pn_paths(const pn_dispatch_job *job, const uint64_t *lengths, size_t stride,
              pn_paths_note *notes);

static inline const uint32_t *pn_paths_parents(const pn_dispatch_job *job, uint32_t stage)
{
    return job->parents + job->stages[stage].first_parent;
}

#endif
