/* MapReduce is a special case: with the resources map and reduce, a stage of maps and a stage of
 * reduces behind it, fifo of the dag model gives every job the same first start, end of its maps
 * and finish as fifo of the cluster model does without heartbeats, shuffles, remote reads and
 * failures, when reduces wait for all maps and every node has every input. Two engines that know
 * nothing of each other agree. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/workload.h"

enum { SCENARIOS = 400, JOBS = 12 };

typedef struct outcome {
    uint64_t first_start[JOBS], maps_end[JOBS], finish[JOBS];
    uint32_t count;
} outcome;

typedef struct scenario {
    uint32_t nodes, map_slots, reduce_slots, count, factor_lo, factor_hi, placement, order;
    uint64_t seed;
    struct {
        uint64_t arrival, map_ms, reduce_ms;
        uint32_t maps, reduces;
    } jobs[JOBS];
} scenario;

static scenario scenario_of(uint64_t seed)
{
    pn_stream stream;
    pn_stream_init(&stream, seed, 0, 0);
    scenario made = {.nodes = (uint32_t)pn_uniform(&stream, 1, 4),
                     .map_slots = (uint32_t)pn_uniform(&stream, 1, 3),
                     .reduce_slots = (uint32_t)pn_uniform(&stream, 1, 2),
                     .count = (uint32_t)pn_uniform(&stream, 1, JOBS),
                     .factor_lo = 500,
                     .factor_hi = 1500,
                     .placement = (uint32_t)pn_uniform(&stream, 0, 2),
                     .order = (uint32_t)pn_uniform(&stream, 0, 2),
                     .seed = seed};
    uint64_t arrival = 0;
    for (uint32_t j = 0; j < made.count; j++) {
        arrival += pn_uniform(&stream, 0, 30);
        made.jobs[j].arrival = arrival;
        made.jobs[j].map_ms = pn_uniform(&stream, 0, 40);
        made.jobs[j].reduce_ms = pn_uniform(&stream, 0, 40);
        made.jobs[j].maps = (uint32_t)pn_uniform(&stream, 1, 8);
        made.jobs[j].reduces = (uint32_t)pn_uniform(&stream, 0, 4);
    }
    return made;
}

/* ---- the cluster model ---- */

static void on_cluster_finish(void *user, const pn_scheduler_record *record)
{
    outcome *to = user;
    to->first_start[record->id - 1] = record->first_map_start;
    to->maps_end[record->id - 1] = record->map_finish;
    to->finish[record->id - 1] = record->finish;
    to->count++;
}

static void run_cluster(const scenario *of, outcome *to)
{
    const pn_scheduler_nodes nodes = {of->nodes, of->map_slots, of->reduce_slots, 1000};
    const pn_cluster_hooks hooks = {
        .policy = &pn_scheduler_fifo, .on_finish = on_cluster_finish, .user = to};
    pn_cluster_config config = pn_cluster_defaults();
    pn_cluster *sim;
    config.scheduler.nodes = &nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = JOBS;
    config.scheduler.replicas_max = JOBS * 8 * 4;
    config.scheduler.reduce_start = PN_SCHEDULER_AFTER_MAPS;
    config.replication = of->nodes;
    config.seed = of->seed;
    config.factor_lo = of->factor_lo;
    config.factor_hi = of->factor_hi;
    size_t size = pn_cluster_size(&config);
    void *block = workload_room(size);
    assert_int_equal(pn_cluster_init(&sim, block, size, &config), PN_OK);
    for (uint32_t j = 0; j < of->count; j++) {
        const pn_cluster_job job = {.submit = of->jobs[j].arrival,
                                    .maps = of->jobs[j].maps,
                                    .reduces = of->jobs[j].reduces,
                                    .map_ms = of->jobs[j].map_ms,
                                    .reduce_ms = of->jobs[j].reduce_ms};
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    free(block);
}

/* ---- the dag model ---- */

static void on_dag_finish(void *user, const pn_dag_record *record)
{
    outcome *to = user;
    to->first_start[record->job.id - 1] = record->job.first_start;
    to->maps_end[record->job.id - 1] = record->job.stages[0].finish;
    to->finish[record->job.id - 1] = record->job.finish;
    to->count++;
}

static void run_dag(const scenario *of, outcome *to)
{
    static const uint32_t maps[] = {0};
    const pn_dispatch_nodes nodes = {.capacity = {of->map_slots, of->reduce_slots},
                                     .count = of->nodes};
    const pn_dag_hooks hooks = {
        .policy = &pn_dispatch_fifo, .on_finish = on_dag_finish, .user = to};
    pn_dag_config config = pn_dag_defaults();
    pn_dag *sim;
    config.dispatch.nodes = &nodes;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.jobs_max = JOBS;
    config.dispatch.placement = of->placement;
    config.dispatch.order = of->order;
    config.seed = of->seed;
    config.factor_lo = of->factor_lo;
    config.factor_hi = of->factor_hi;
    size_t size = pn_dag_size(&config);
    void *block = workload_room(size);
    assert_int_equal(pn_dag_init(&sim, block, size, &config), PN_OK);
    for (uint32_t j = 0; j < of->count; j++) {
        const pn_dag_stage stages[] = {
            {.demand = {1, 0}, .duration = of->jobs[j].map_ms, .tasks = of->jobs[j].maps},
            {.demand = {0, 1},
             .duration = of->jobs[j].reduce_ms,
             .tasks = of->jobs[j].reduces,
             .parents = maps,
             .parent_count = 1}};
        const pn_dag_job job = {.arrival = of->jobs[j].arrival,
                                .stages = stages,
                                .stage_count = of->jobs[j].reduces > 0 ? 2 : 1};
        assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    free(block);
}

static void fifo_is_that_of_the_cluster_model(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= SCENARIOS; seed++) {
        const scenario of = scenario_of(seed);
        outcome cluster = {.count = 0}, dag = {.count = 0};
        run_cluster(&of, &cluster);
        run_dag(&of, &dag);
        assert_int_equal(cluster.count, of.count);
        if (memcmp(&cluster, &dag, sizeof dag) != 0)
            fail_msg("scenario %u", (unsigned)seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fifo_is_that_of_the_cluster_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
