/* Random jobs of the dag model, one after the other: the memory of a run does not grow with their
 * number. */
#include "random.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"

/* ---- what a job is drawn from ---------------------------------------------------------------- */

enum stream_of { OF_ARRIVALS, OF_SHAPES, OF_SIZES, OF_DEMANDS, STREAMS };

typedef struct dag_random {
    dag_source head;
    dag_draws draws;
    uint64_t seed, made;
    uint32_t replica;
    int spreads; /* 1: tasks of a stage take times of their own */
    double time;
    pn_stream streams[STREAMS];
    dag_graph graph;
    /* of the last job, valid until the next */
    pn_dag_stage *stages;
    uint32_t *parents;
    uint64_t *durations;
    size_t stage_room, parent_room, duration_room;
} dag_random;

static int refuse(dag_random *self, const char *fault)
{
    snprintf(self->head.base.fault, sizeof self->head.base.fault, "job %llu: %s",
             (unsigned long long)self->made, fault);
    return 0;
}

/* Makes room for so many; 0 with the fault. */
static int make_room(dag_random *self, void **array, size_t count, size_t *room, size_t element)
{
    while (*room < count)
        if (!source_grow(array, *room, room, element))
            return refuse(self, "not enough memory for its stages");
    return 1;
}

/* ---- parents --------------------------------------------------------------------------------- */

static void count_parents(dag_random *self)
{
    for (uint32_t s = 0; s < self->graph.stage_count; s++)
        self->stages[s].parent_count = 0;
    for (size_t i = 0; i < self->graph.edge_count; i++)
        self->stages[self->graph.edges[i].to].parent_count++;
}

/* Puts it among the parents that the stage has so far, which ascend. */
static void insert_parent(uint32_t *parents, uint32_t count, uint32_t parent)
{
    uint32_t at = count;
    for (; at > 0 && parents[at - 1] > parent; at--)
        parents[at] = parents[at - 1];
    parents[at] = parent;
}

/* Fills the lists, one behind the other. */
static void fill_parents(dag_random *self)
{
    const dag_graph *graph = &self->graph;
    uint32_t *begin = self->parents;
    for (uint32_t s = 0; s < graph->stage_count; s++) {
        self->stages[s].parents = begin;
        begin += self->stages[s].parent_count;
        self->stages[s].parent_count = 0;
    }
    for (size_t i = 0; i < graph->edge_count; i++) {
        pn_dag_stage *stage = &self->stages[graph->edges[i].to];
        uint32_t *parents = self->parents + (stage->parents - self->parents);
        insert_parent(parents, stage->parent_count++, graph->edges[i].from);
    }
}

static int draw_shape(dag_random *self, enum dag_shape shape)
{
    void *stages = self->stages, *parents = self->parents;
    if (!dag_graph_draw(&self->graph, shape, &self->draws.sizes, &self->streams[OF_SHAPES]))
        return refuse(self, self->graph.fault);
    int made = make_room(self, &stages, self->graph.stage_count, &self->stage_room,
                         sizeof *self->stages);
    self->stages = stages;
    if (made)
        made = make_room(self, &parents, self->graph.edge_count + 1, &self->parent_room,
                         sizeof *self->parents);
    self->parents = parents;
    if (!made)
        return 0;
    count_parents(self);
    fill_parents(self);
    return 1;
}

/* ---- sizes and demands ----------------------------------------------------------------------- */

static int draw_demand(dag_random *self, pn_dag_stage *stage)
{
    uint64_t all = 0;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
        double drawn = r < self->draws.resources
                           ? distribution_factor(&self->draws.demand[r], &self->streams[OF_DEMANDS])
                           : 0.0;
        if (!(drawn < (double)PN_DISPATCH_DEMAND_MOST))
            return refuse(self, "a demand, drawn at random, passes 2^40");
        stage->demand[r] = (uint64_t)(drawn + 0.5);
        all += stage->demand[r];
    }
    return all > 0 ? 1 : refuse(self, "a stage demands nothing of any resource, as it was drawn");
}

static int draw_stage(dag_random *self, pn_dag_stage *stage)
{
    uint64_t tasks = distribution_draw(&self->draws.tasks, &self->streams[OF_SIZES]);
    uint64_t duration = distribution_draw(&self->draws.duration, &self->streams[OF_SIZES]);
    if (tasks == 0 || tasks > PN_DISPATCH_TASKS_MOST)
        return refuse(self, "a stage has more than 2^20 tasks, drawn at random");
    if (duration == 0 || duration > PN_DAG_MOST_MS)
        return refuse(self, "its tasks, drawn at random, pass 2^40 ms");
    stage->tasks = (uint32_t)tasks;
    stage->duration = duration;
    stage->durations = NULL;
    stage->estimate = 0;
    stage->start_ms = PN_DAG_AUTO;
    return draw_demand(self, stage);
}

/* Spreads the times of a stage's tasks: to the nearest ms, and at least 1. */
static int spread_stage(dag_random *self, pn_dag_stage *stage, uint64_t *durations)
{
    for (uint32_t i = 0; i < stage->tasks; i++) {
        double factor = distribution_factor(&self->draws.spread, &self->streams[OF_SIZES]);
        double ms = (double)stage->duration * factor + 0.5;
        if (!(ms < (double)PN_DAG_MOST_MS))
            return refuse(self, "its tasks, drawn at random, pass 2^40 ms");
        durations[i] = ms < 1.0 ? 1 : (uint64_t)ms;
    }
    stage->durations = durations;
    return 1;
}

static int spread_stages(dag_random *self)
{
    void *durations = self->durations;
    size_t tasks = 0;
    for (uint32_t s = 0; s < self->graph.stage_count; s++)
        tasks += self->stages[s].tasks;
    int made = make_room(self, &durations, tasks, &self->duration_room, sizeof *self->durations);
    self->durations = durations;
    for (uint32_t s = 0; made && s < self->graph.stage_count; s++) {
        uint64_t *list = durations;
        made = spread_stage(self, &self->stages[s], list);
        durations = list + self->stages[s].tasks;
    }
    return made;
}

static int draw_stages(dag_random *self)
{
    for (uint32_t s = 0; s < self->graph.stage_count; s++)
        if (!draw_stage(self, &self->stages[s]))
            return 0;
    return !self->spreads || spread_stages(self);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Draws an arrival; the first job arrives at 0. */
static int draw_arrival(dag_random *self)
{
    if (self->made > 1 && self->draws.gap_ms > 0.0)
        self->time += pn_exponential(&self->streams[OF_ARRIVALS], self->draws.gap_ms);
    return self->time < (double)PN_INTEGER_MAX ? 1 : refuse(self, "it arrives after 2^53 ms");
}

static int dag_random_next(source *base, void *into)
{
    dag_random *self = (dag_random *)base;
    enum dag_shape shape = self->draws.shape;
    int mixed = shape == DAG_SHAPES;
    if (self->made == self->draws.jobs)
        return SOURCE_END;
    if (interrupt_pending())
        return SOURCE_INTERRUPTED;
    self->made++;
    if (mixed)
        shape = (enum dag_shape)pn_uniform(&self->streams[OF_SHAPES], 0, DAG_SHAPES - 1);
    if (!draw_arrival(self) || !draw_shape(self, shape) || !draw_stages(self))
        return SOURCE_FAULT;
    *(pn_dag_job *)into = (pn_dag_job){.arrival = (uint64_t)self->time,
                                       .stages = self->stages,
                                       .stage_count = self->graph.stage_count,
                                       .weight = 1,
                                       .group = mixed ? (uint32_t)shape : 0};
    return SOURCE_JOB;
}

static void dag_random_rewind(source *base)
{
    dag_random *self = (dag_random *)base;
    for (uint32_t i = 0; i < STREAMS; i++)
        pn_stream_init(&self->streams[i], self->seed, self->replica, i);
    self->made = 0;
    self->time = 0.0;
}

/* Calls it for each distribution. */
static void each_distribution(dag_draws *draws, void (*visit)(distribution *))
{
    visit(&draws->sizes.depth);
    visit(&draws->sizes.width);
    visit(&draws->sizes.stages);
    visit(&draws->tasks);
    visit(&draws->duration);
    visit(&draws->spread);
    for (uint32_t r = 0; r < draws->resources; r++)
        visit(&draws->demand[r]);
}

static void keep(distribution *d)
{
    *d = distribution_keep(d);
}

static void dag_random_destroy(source *base)
{
    dag_random *self = (dag_random *)base;
    each_distribution(&self->draws, distribution_release);
    dag_graph_free(&self->graph);
    free(self->stages);
    free(self->parents);
    free(self->durations);
    free(self);
}

/* Of all jobs, as of those of a table that name none. */
static const char *const queue_names[] = {"default"};

source *dag_random_new(const dag_draws *draws, uint64_t seed, uint32_t replica)
{
    dag_random *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_DAG;
    self->head.base.next = dag_random_next;
    self->head.base.rewind = dag_random_rewind;
    self->head.base.destroy = dag_random_destroy;
    self->head.base.count = draws->jobs;
    self->head.resources = draws->resources;
    self->head.queue_names = queue_names;
    self->head.queue_count = 1;
    self->draws = *draws;
    each_distribution(&self->draws, keep);
    self->spreads = !(draws->spread.kind == DISTRIBUTION_CONSTANT && draws->spread.a == 1.0);
    self->seed = seed;
    self->replica = replica;
    dag_random_rewind(&self->head.base);
    return &self->head.base;
}
