/* The graph of a job's stages: whether it is one, and its longest paths. */
#ifndef PN_PATHS_H
#define PN_PATHS_H

#include "internal.h"

/* Lengths of paths stop here, far beyond any horizon. */
#define PN_PATHS_LONGEST ((uint64_t)1 << 63)

/* How the parents of a stage are found, whatever a job looks like. */
typedef struct pn_graph {
    const void *job;
    const uint32_t *(*parents)(const void *job, uint32_t stage, uint32_t *count);
    uint32_t stages;
} pn_graph;

/* What is noted of each stage; zeros at first. */
typedef struct pn_paths_note {
    uint64_t length;   /* of the longest path from its start to the end of the job */
    uint32_t children; /* that are not in the queue */
    uint32_t queued;   /* not of this stage: the one at this place of the queue, children first */
    uint32_t seen;     /* the last stage that named it as a parent, + 1 */
    uint32_t unused;
} pn_paths_note;

/* Returns whether the parents of a stage are other stages of the job, each once. O(parents). */
bool pn_paths_parents_sane(const pn_graph *graph, uint32_t stage, pn_paths_note *notes);

/* Computes paths; false when the parents form a cycle. The lengths of stages, each below
 * PN_PATHS_LONGEST, are `stride` words apart, and all parents are sane. O(stages + edges). */
bool pn_paths(const pn_graph *graph, const uint64_t *lengths, size_t stride, pn_paths_note *notes);

#endif
