/* Random jobs of the dag model: a shape drawn at random, and stages whose sizes and demands are. */
#ifndef PINION_DAG_SOURCES_RANDOM_H
#define PINION_DAG_SOURCES_RANDOM_H

#include "jobs.h"
#include "workload/distribution.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

/* How the stages of a job depend on each other. */
enum dag_shape {
    /* `depth` layers of `width` stages each: every stage has a parent in the layer above, and each
     * other one there with probability `edges` */
    DAG_LAYERED,
    /* a stage, then `depth` times: `width` stages behind it, and one behind all of these */
    DAG_FORK_JOIN,
    /* `width` chains of `depth` stages each that do not depend on each other */
    DAG_CHAINS,
    /* `stages` of them: from one on, each new one is put behind another in series, or beside it */
    DAG_SERIES_PARALLEL,
    DAG_SHAPES
};

extern const char *const dag_shape_names[DAG_SHAPES + 1]; /* ended by null */

typedef struct dag_sizes {
    distribution depth, width, stages;
    double edges; /* 0..1 */
} dag_sizes;

typedef struct dag_edge {
    uint32_t from, to; /* parent and child */
} dag_edge;

/* Stages are numbered such that parents come first. */
typedef struct dag_graph {
    uint32_t stage_count;
    dag_edge *edges;
    size_t edge_count, edge_room;
    /* of a series-parallel job while it is drawn: which stage comes next, and each one's place */
    uint32_t *order, *place;
    size_t order_room, place_room;
    const char *fault; /* why there is none, a constant text */
} dag_graph;

/* Draws a shape into a graph that was zeroed once. 1, or 0 with its fault: memory is short, or the
 * job is larger than the model allows. */
int dag_graph_draw(dag_graph *graph, enum dag_shape shape, const dag_sizes *sizes,
                   pn_stream *stream);
void dag_graph_free(dag_graph *graph);

/* ---- jobs ------------------------------------------------------------------------------------ */

typedef struct dag_draws {
    uint64_t jobs;
    double gap_ms;        /* mean, between arrivals; 0: all at once */
    enum dag_shape shape; /* DAG_SHAPES: drawn for each job, which it is then the group of */
    dag_sizes sizes;
    /* of a stage: tasks, their ms, and what each task takes longer by; one draw of `spread` for
     * each task, unless it is constant */
    distribution tasks, duration, spread;
    /* of a stage, what each task holds of each resource: factors, rounded to the nearest */
    distribution demand[PN_DISPATCH_RESOURCES_MAX];
    uint32_t resources; /* 1..PN_DISPATCH_RESOURCES_MAX */
} dag_draws;

/* Draws arrivals, shapes, sizes and demands from a stream each, so that they do not shift each
 * other. Null when memory is short. */
source *dag_random_new(const dag_draws *draws, uint64_t seed, uint32_t replica);

#endif
