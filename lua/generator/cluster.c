/* Jobs of the cluster model. Times are in milliseconds. */
#include "state.h"

enum {
    SUBMIT,
    MAPS,
    REDUCES,
    MAP_MS,
    REMOTE_MS,
    REDUCE_MS,
    SHUFFLE_MS,
    DEADLINE,
    EST_MAP_MS,
    EST_REDUCE_MS,
    INPUT,
    INTERMEDIATE,
    MAP_TIMES,
    REDUCE_TIMES,
    SHUFFLE_TIMES,
    MAP_FACTOR,
    REDUCE_FACTOR
};

static const char *const fields[] = {
    "submit",     "maps",         "reduces",       "map_ms",        "remote_ms",     "reduce_ms",
    "shuffle_ms", "deadline",     "est_map_ms",    "est_reduce_ms", "input",         "intermediate",
    "map_times",  "reduce_times", "shuffle_times", "map_factor",    "reduce_factor", NULL};

enum { LIST_MAP_TIMES, LIST_REDUCE_TIMES, LIST_SHUFFLE_TIMES, LIST_MAP_FACTOR, LIST_REDUCE_FACTOR };

#define TASKS_MOST ((uint64_t)1 << 20)

/* The list in this field, one value for each of so many tasks, is there. */
static bool has_list(lua_State *L, pn_lua_workload *self, int field, uint32_t tasks)
{
    if (!generator_has(L, field))
        return false;
    size_t count = generator_list_length(L, self, field, TASKS_MOST);
    if (count != tasks)
        generator_refuse(L, self, field, "has %d values (expected one for each of the %d tasks)",
                         (int)count, (int)tasks);
    return true;
}

static const uint64_t *times(lua_State *L, pn_lua_workload *self, int field, int instead, int list,
                             uint32_t tasks)
{
    uint64_t *values;
    if (!has_list(L, self, field, tasks))
        return NULL;
    if (generator_has(L, instead))
        generator_refuse(L, self, field, "cannot be given together with %s", self->keys[instead]);
    values = generator_list_room(L, self, list, tasks, sizeof *values);
    for (uint32_t k = 0; k < tasks; k++)
        values[k] = generator_element(L, self, field, k + 1, 0, PN_CLUSTER_MOST_MS);
    return values;
}

static const uint32_t *factors(lua_State *L, pn_lua_workload *self, int field, int list,
                               uint32_t tasks)
{
    uint32_t *values;
    if (!has_list(L, self, field, tasks))
        return NULL;
    values = generator_list_room(L, self, list, tasks, sizeof *values);
    for (uint32_t k = 0; k < tasks; k++)
        values[k] = (uint32_t)generator_element(L, self, field, k + 1, 1, PN_CLUSTER_FACTOR_MOST);
    return values;
}

static uint64_t ms(lua_State *L, const pn_lua_workload *self, int field, uint64_t low)
{
    return generator_integer(L, self, field, low, PN_CLUSTER_MOST_MS, 0);
}

static void read_lists(lua_State *L, pn_lua_workload *self, pn_cluster_job *job)
{
    job->map_times = times(L, self, MAP_TIMES, MAP_MS, LIST_MAP_TIMES, job->maps);
    job->reduce_times = times(L, self, REDUCE_TIMES, REDUCE_MS, LIST_REDUCE_TIMES, job->reduces);
    job->shuffle_times = times(L, self, SHUFFLE_TIMES, SHUFFLE_MS, LIST_SHUFFLE_TIMES,
                               job->reduces);
    job->map_factor = factors(L, self, MAP_FACTOR, LIST_MAP_FACTOR, job->maps);
    job->reduce_factor = factors(L, self, REDUCE_FACTOR, LIST_REDUCE_FACTOR, job->reduces);
}

static void read(lua_State *L, pn_lua_workload *self)
{
    pn_cluster_job *job = &self->job.cluster;
    *job = (pn_cluster_job){.submit = generator_arrival(L, self, SUBMIT, 0)};
    if (!generator_has(L, MAPS))
        generator_refuse(L, self, MAPS, "is required (the number of map tasks, >= 1)");
    job->maps = (uint32_t)generator_integer(L, self, MAPS, 1, TASKS_MOST, 0);
    job->reduces = (uint32_t)generator_integer(L, self, REDUCES, 0, TASKS_MOST, 0);
    job->map_ms = ms(L, self, MAP_MS, 0);
    job->remote_ms = ms(L, self, REMOTE_MS, 0);
    job->reduce_ms = ms(L, self, REDUCE_MS, 0);
    job->shuffle_ms = ms(L, self, SHUFFLE_MS, 0);
    job->deadline = generator_integer(L, self, DEADLINE, 1, PN_INTEGER_MAX, 0);
    job->est_map_ms = ms(L, self, EST_MAP_MS, 1);
    job->est_reduce_ms = ms(L, self, EST_REDUCE_MS, 1);
    job->input = generator_integer(L, self, INPUT, 1, PN_INTEGER_MAX, 0);
    job->intermediate = generator_integer(L, self, INTERMEDIATE, 1, PN_INTEGER_MAX, 0);
    read_lists(L, self, job);
    if (!job->map_times && !generator_has(L, MAP_MS))
        generator_refuse(L, self, MAP_MS,
                         "is required (the time of a map task in ms), or "
                         "map_times");
}

GENERATOR_SET(cluster)

const generator_model generator_cluster = {
    .name = "cluster", .fields = fields, .read = read, .set = set};
