/* Jobs of the cluster model. Times are in milliseconds. */
#include "generator/state.h"

static void check(lua_State *L, pn_lua_workload *self)
{
    int map_ms = generator_field(self, "map_ms");
    if (!self->job.cluster.map_times && !generator_has(L, map_ms))
        generator_refuse(L, self, map_ms,
                         "is required (the time of a map task in ms), or "
                         "map_times");
}

const generator_model generator_cluster = {.name = "cluster", .job = &cluster_job, .read = check};
