/* Workloads whose jobs have deadlines, in Lua: those of the paper on RTMR, and deadlines for any
 * jobs of the cluster model. */
#include "model.h"
#include "core/workload.h"
#include "pinion/models/cluster/sources/jobs.h"

#define SPEED_MOST ((lua_Integer)1 << 20)
#define SLOTS_MOST ((lua_Integer)1 << 26)

/* { workload, jobs, map_ms, reduce_ms, reduce_block_ms, est_map_permille, est_reduce_permille,
 * drop_reduces_above, gap_ms or load, map_slots, reduce_slots, seed, replica } */
int workload_make_rtmr(lua_State *L)
{
    static const char *const workloads[] = {"I", "II", NULL};
    lua_Integer permille_most = ((lua_Integer)1 << 20) - 1;
    rtmr_shape shape = {
        .jobs = (uint64_t)field_integer(L, 1, "jobs", 1, RTMR_JOBS_MAX),
        .map_ms = (uint64_t)field_integer(L, 1, "map_ms", 0, ((lua_Integer)1 << 30) - 1),
        .reduce_ms = (uint64_t)field_integer(L, 1, "reduce_ms", 0, ((lua_Integer)1 << 30) - 1),
        .reduce_block_ms = (uint64_t)field_integer(L, 1, "reduce_block_ms", 0,
                                                   ((lua_Integer)1 << 24) - 1),
        .est_permille = {(uint64_t)field_integer(L, 1, "est_map_permille", 0, permille_most),
                         (uint64_t)field_integer(L, 1, "est_reduce_permille", 0, permille_most)},
        .reduces_most = (uint64_t)field_integer_or(L, 1, "drop_reduces_above", 0, UINT32_MAX,
                                                   UINT32_MAX),
        .gap_ms = (uint64_t)field_integer_or(L, 1, "gap_ms", 0, ((lua_Integer)1 << 28) - 1, 0),
        .map_slots = (uint64_t)field_integer(L, 1, "map_slots", 1, SLOTS_MOST),
        .reduce_slots = (uint64_t)field_integer(L, 1, "reduce_slots", 0, SLOTS_MOST),
    };
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    workload *self;
    int answer;
    if (lua_getfield(L, 1, "load") != LUA_TNIL)
        shape.load = luaL_checknumber(L, -1);
    lua_getfield(L, 1, "workload");
    shape.workload = (enum rtmr_workload)luaL_checkoption(L, -1, NULL, workloads);
    self = workload_push(L);
    self->work = cluster_table_new();
    if (!self->work)
        return workload_out_of_memory(L);
    answer = cluster_rtmr_fill(self->work, &shape, seed, replica);
    return answer == SOURCE_END ? 1 : push_failure(L, source_stopped(self->work, answer));
}

/* { workload, draw, relative, map_slots, reduce_slots, slowest, seed, replica }: the same jobs with
 * deadlines. */
int workload_make_deadlines(lua_State *L)
{
    source *truth = field_workload(L, 1, &core_cluster);
    deadline_rule rule = {.relative = (uint8_t)field_boolean(L, 1, "relative")};
    const char *fault = workload_distribution(
        L, "draw", &rule.draw, rule.relative ? DISTRIBUTION_FACTORS : DISTRIBUTION_SIZES);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    workload *self;
    rule.map_slots = (uint64_t)field_integer_or(L, 1, "map_slots", 1, SLOTS_MOST, 1);
    rule.reduce_slots = (uint64_t)field_integer_or(L, 1, "reduce_slots", 0, SLOTS_MOST, 0);
    rule.slowest = (uint64_t)field_integer_or(L, 1, "slowest", 1, SPEED_MOST, 1000);
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    lua_getfield(L, 1, "workload"); /* keeps the jobs alive */
    lua_setiuservalue(L, -2, 1);
    self->work = cluster_deadlines_new(truth, &rule, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}
