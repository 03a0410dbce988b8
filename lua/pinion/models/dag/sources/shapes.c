/* Shapes of random jobs: which stages there are, and which of them wait for which. */
#include <stdlib.h>

#include "random.h"

const char *const dag_shape_names[DAG_SHAPES + 1] = {"layered", "fork-join", "chains",
                                                     "series-parallel", NULL};

static const char no_memory[] = "not enough memory for its stages";

static int grow(void **array, size_t count, size_t *room, size_t element, const char **fault)
{
    if (source_grow(array, count, room, element))
        return 1;
    *fault = no_memory;
    return 0;
}

static int add_edge(dag_graph *self, uint32_t from, uint32_t to)
{
    void *edges = self->edges;
    if (self->edge_count == PN_DISPATCH_EDGES_MOST) {
        self->fault = "its stages, drawn at random, have more than 2^20 parents";
        return 0;
    }
    int grown = grow(&edges, self->edge_count, &self->edge_room, sizeof *self->edges, &self->fault);
    self->edges = edges;
    if (grown)
        self->edges[self->edge_count++] = (dag_edge){from, to};
    return grown;
}

/* Adds edges behind those of first..last-1. */
static int add_edges(dag_graph *self, uint32_t first, uint32_t last, uint32_t to)
{
    for (uint32_t from = first; from < last; from++)
        if (!add_edge(self, from, to))
            return 0;
    return 1;
}

static int add_stages(dag_graph *self, uint64_t count)
{
    if (count == 0 || count > PN_DISPATCH_STAGES_MOST - self->stage_count) {
        self->fault = "it has more than 2^16 stages, drawn at random";
        return 0;
    }
    self->stage_count += (uint32_t)count;
    return 1;
}

/* ---- layers, forks and chains ---------------------------------------------------------------- */

/* Adds parents of a stage in the layer above, first..last-1. */
static int add_parents(dag_graph *self, double edges, uint32_t first, uint32_t last, uint32_t to,
                       pn_stream *stream)
{
    uint32_t chosen = (uint32_t)pn_uniform(stream, first, last - 1);
    for (uint32_t from = first; from < last; from++)
        if ((from == chosen || (edges > 0.0 && pn_uniform01(stream) < edges)) &&
            !add_edge(self, from, to))
            return 0;
    return 1;
}

static int draw_layered(dag_graph *self, const dag_sizes *sizes, pn_stream *stream)
{
    uint64_t depth = distribution_draw(&sizes->depth, stream);
    uint32_t above = 0, first = 0;
    for (uint64_t layer = 0; layer < depth; layer++) {
        if (!add_stages(self, distribution_draw(&sizes->width, stream)))
            return 0;
        for (uint32_t to = first; layer > 0 && to < self->stage_count; to++)
            if (!add_parents(self, sizes->edges, above, first, to, stream))
                return 0;
        above = first;
        first = self->stage_count;
    }
    return depth > 0 ? 1 : add_stages(self, 0);
}

static int draw_fork_join(dag_graph *self, const dag_sizes *sizes, pn_stream *stream)
{
    uint64_t depth = distribution_draw(&sizes->depth, stream);
    if (!add_stages(self, depth > 0))
        return 0;
    for (uint64_t round = 0; round < depth; round++) {
        uint64_t width = distribution_draw(&sizes->width, stream);
        uint32_t fork = self->stage_count - 1, join;
        if (!add_stages(self, width) || !add_stages(self, 1))
            return 0;
        join = self->stage_count - 1;
        for (uint32_t to = fork + 1; to < join; to++)
            if (!add_edge(self, fork, to))
                return 0;
        if (!add_edges(self, fork + 1, join, join))
            return 0;
    }
    return 1;
}

static int draw_chains(dag_graph *self, const dag_sizes *sizes, pn_stream *stream)
{
    uint64_t width = distribution_draw(&sizes->width, stream);
    for (uint64_t chain = 0; chain < width; chain++) {
        uint32_t first = self->stage_count;
        if (!add_stages(self, distribution_draw(&sizes->depth, stream)))
            return 0;
        for (uint32_t to = first + 1; to < self->stage_count; to++)
            if (!add_edge(self, to - 1, to))
                return 0;
    }
    return width > 0 ? 1 : add_stages(self, 0);
}

/* ---- series-parallel jobs -------------------------------------------------------------------- */

/* Puts a new stage behind: it takes over what depended on `stage`, and depends on it. */
static int put_after(dag_graph *self, uint32_t stage, uint32_t added)
{
    for (size_t i = 0; i < self->edge_count; i++)
        if (self->edges[i].from == stage)
            self->edges[i].from = added;
    return add_edge(self, stage, added);
}

/* Puts a new stage beside: it depends on what `stage` does, and the same depends on it. */
static int put_beside(dag_graph *self, uint32_t stage, uint32_t added)
{
    size_t count = self->edge_count;
    for (size_t i = 0; i < count; i++) {
        dag_edge edge = self->edges[i];
        if ((edge.from == stage && !add_edge(self, added, edge.to)) ||
            (edge.to == stage && !add_edge(self, edge.from, added)))
            return 0;
    }
    return 1;
}

/* Numbers the stages as `order` strings them together. */
static void renumber(dag_graph *self)
{
    uint32_t stage = 0;
    for (uint32_t place = 0; place < self->stage_count; place++) {
        self->place[stage] = place;
        stage = self->order[stage];
    }
    for (size_t i = 0; i < self->edge_count; i++)
        self->edges[i] = (dag_edge){self->place[self->edges[i].from],
                                    self->place[self->edges[i].to]};
}

static int make_order(dag_graph *self, uint32_t count)
{
    void *order = self->order, *place = self->place;
    int grown = 1;
    while (grown && self->order_room < count)
        grown = grow(&order, self->order_room, &self->order_room, sizeof *self->order,
                     &self->fault);
    self->order = order;
    while (grown && self->place_room < count)
        grown = grow(&place, self->place_room, &self->place_room, sizeof *self->place,
                     &self->fault);
    self->place = place;
    return grown;
}

/* Draws a series-parallel graph. Right behind the stage that a new one is put behind or beside, its
 * parents are ahead of it, and its children behind. */
static int draw_series_parallel(dag_graph *self, const dag_sizes *sizes, pn_stream *stream)
{
    if (!add_stages(self, distribution_draw(&sizes->stages, stream)) ||
        !make_order(self, self->stage_count))
        return 0;
    self->order[0] = 0;
    for (uint32_t added = 1; added < self->stage_count; added++) {
        uint32_t stage = (uint32_t)pn_uniform(stream, 0, added - 1);
        int after = pn_uniform(stream, 0, 1) == 0;
        if (!(after ? put_after(self, stage, added) : put_beside(self, stage, added)))
            return 0;
        self->order[added] = self->order[stage];
        self->order[stage] = added;
    }
    renumber(self);
    return 1;
}

/* ---- all ------------------------------------------------------------------------------------- */

int dag_graph_draw(dag_graph *self, enum dag_shape shape, const dag_sizes *sizes, pn_stream *stream)
{
    self->stage_count = 0;
    self->edge_count = 0;
    switch (shape) {
    case DAG_LAYERED:
        return draw_layered(self, sizes, stream);
    case DAG_FORK_JOIN:
        return draw_fork_join(self, sizes, stream);
    case DAG_CHAINS:
        return draw_chains(self, sizes, stream);
    default:
        return draw_series_parallel(self, sizes, stream);
    }
}

void dag_graph_free(dag_graph *self)
{
    free(self->edges);
    free(self->order);
    free(self->place);
}
