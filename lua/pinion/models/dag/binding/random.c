/* Random jobs of the dag model in Lua: one maker. */
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "core/workload.h"
#include "pinion/models/dag/sources/random.h"

static const char *read_sizes(lua_State *L, const char *name, distribution *into)
{
    return workload_distribution(L, name, into, DISTRIBUTION_SIZES);
}

/* Reads demand_1, demand_2 and so on: as many as there are resources. */
static const char *read_demands(lua_State *L, dag_draws *draws)
{
    const char *fault = NULL;
    draws->resources = (uint32_t)field_integer(L, 1, "resources", 1, PN_DISPATCH_RESOURCES_MAX);
    for (uint32_t r = 0; r < draws->resources && !fault; r++) {
        char name[32];
        snprintf(name, sizeof name, "demand_%u", (unsigned)r + 1);
        fault = workload_distribution(L, name, &draws->demand[r], DISTRIBUTION_FACTORS);
    }
    return fault;
}

/* Reads the draws. What holds the distributions is left on the stack. */
static const char *read_draws(lua_State *L, dag_draws *draws)
{
    const struct {
        const char *name;
        distribution *into;
    } sizes[] = {{"depth", &draws->sizes.depth},
                 {"width", &draws->sizes.width},
                 {"stages", &draws->sizes.stages},
                 {"tasks", &draws->tasks},
                 {"duration", &draws->duration}};
    const char *fault = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && !fault; i++)
        fault = read_sizes(L, sizes[i].name, sizes[i].into);
    if (!fault)
        fault = workload_distribution(L, "spread", &draws->spread, DISTRIBUTION_FACTORS);
    return fault ? fault : read_demands(L, draws);
}

/* Reads the number of the shape with this name; DAG_SHAPES for any other. */
static enum dag_shape read_shape(const char *name)
{
    int shape = 0;
    while (shape < DAG_SHAPES && strcmp(name, dag_shape_names[shape]) != 0)
        shape++;
    return (enum dag_shape)shape;
}

/* { jobs, gap_ms, shape, depth, width, stages, edges, tasks, duration, spread, resources, demand_1,
 * ..., seed, replica } */
int workload_make_dag_random(lua_State *L)
{
    dag_draws draws = {
        .jobs = (uint64_t)field_integer(L, 1, "jobs", 1, (lua_Integer)PN_INTEGER_MAX),
        .gap_ms = field_number(L, 1, "gap_ms"),
        .shape = read_shape(field_string(L, 1, "shape")),
        .sizes.edges = field_number(L, 1, "edges")};
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    const char *fault = read_draws(L, &draws);
    workload *self;
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = dag_random_new(&draws, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}
