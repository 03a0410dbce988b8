/* MapReduce is a special case of the dag model: two stages, two resources, a unit for each slot.
 * Random scenarios give every job the same first start, end of its maps and finish under fifo of
 * the cluster model and fifo of the dag model. It needs that nothing depends on the node: inputs
 * everywhere, nodes of equal speed, no heartbeats, no shuffle, no failures, and reduces after the
 * maps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/support/instance.h"
#include "dag/support/instance.h"

enum { RANDOM = 4000, SEED = 2008 };

static cluster_instance slots; /* of a scenario: the same twice */
static dag_instance stages;

/* ---- drawing ---- */

static void draw_nodes(pn_stream *stream)
{
    naive_dag_scenario *s = &stages.scenario;
    pn_scheduler_config *core = &slots.scenario.config.scheduler;
    s->resource_count = 2;
    s->group_count = (uint32_t)pn_uniform(stream, 1, DAG_GROUPS);
    for (uint32_t g = 0; g < s->group_count; g++) {
        uint32_t count = (uint32_t)pn_uniform(stream, 1, 3);
        uint32_t maps = (uint32_t)pn_uniform(stream, g == 0 ? 1 : 0, 4);
        uint32_t reduces = (uint32_t)pn_uniform(stream, g == 0 ? 1 : 0, 3);
        slots.nodes[g] = (pn_scheduler_nodes){
            .count = count, .map_slots = maps, .reduce_slots = reduces, .speed = 1000};
        stages.nodes[g] = (naive_dag_nodes){
            .count = count, .capacity = {maps, reduces}, .speed = 1000};
    }
    core->nodes = slots.nodes;
    core->nodes_count = s->group_count;
}

/* The times of so many tasks, for both. */
static const uint64_t *draw_times(pn_stream *stream, uint64_t *list, uint32_t count)
{
    uint64_t longest = pn_uniform(stream, 0, 1) ? 5 : 40;
    for (uint32_t i = 0; i < count; i++)
        list[i] = pn_uniform(stream, 1, longest);
    return list;
}

static void draw_job(pn_stream *stream, uint32_t j, uint64_t submit)
{
    pn_cluster_job *job = &slots.jobs[j];
    uint32_t maps = (uint32_t)pn_uniform(stream, 1, DAG_TASKS);
    uint32_t reduces = (uint32_t)pn_uniform(stream, 0, DAG_TASKS);
    *job = (pn_cluster_job){.submit = submit, .maps = maps, .reduces = reduces};
    job->map_times = draw_times(stream, stages.durations[j][0], maps);
    job->reduce_times = draw_times(stream, stages.durations[j][1], reduces);
    stages.stages[j][0] = (naive_dag_stage){
        .tasks = maps, .durations = job->map_times, .demand = {1, 0}, .start_ms = 0};
    stages.stages[j][1] = (naive_dag_stage){.tasks = reduces,
                                            .durations = job->reduce_times,
                                            .demand = {0, 1},
                                            .parents = stages.parents[j][1],
                                            .parent_count = 1,
                                            .start_ms = 0};
    stages.parents[j][1][0] = 0;
    stages.jobs[j] = (naive_dag_job){.arrival = submit,
                                     .weight = 1,
                                     .deadline = NAIVE_DAG_NEVER,
                                     .stages = stages.stages[j],
                                     .stage_count = reduces > 0 ? 2 : 1};
    if (reduces == 0)
        job->reduce_times = NULL;
}

static void draw(pn_stream *stream)
{
    naive_dag_scenario *s = &stages.scenario;
    pn_cluster_config *config = &slots.scenario.config;
    uint64_t submit = 0, gap = pn_uniform(stream, 0, 15);
    cluster_instance_clear(&slots);
    memset(&stages, 0, sizeof stages);
    *s = (naive_dag_scenario){.policy = "fifo",
                              .params = naive_dag_defaults(),
                              .nodes = stages.nodes,
                              .jobs = stages.jobs};
    s->params.placement = (enum naive_dag_placement)pn_uniform(stream, 0, 2);
    s->params.order = (enum naive_dag_order)pn_uniform(stream, 0, 2);
    draw_nodes(stream);
    slots.scenario.policy = "fifo";
    config->scheduler.reduce_start = PN_SCHEDULER_AFTER_MAPS;
    config->replication = cluster_instance_nodes(&slots);
    s->job_count = (uint32_t)pn_uniform(stream, 1, DAG_JOBS);
    slots.scenario.job_count = s->job_count;
    for (uint32_t j = 0; j < s->job_count; j++) {
        submit += pn_uniform(stream, 0, gap);
        draw_job(stream, j, submit);
    }
}

/* ---- comparing ---- */

static void same(const char *what, uint32_t number, size_t job, uint64_t slot, uint64_t stage)
{
    if (slot == stage)
        return;
    dag_instance_print(&stages.scenario);
    fail_msg("scenario %u of seed %d, job %zu: %s is %llu in the cluster model, %llu in the dag "
             "model",
             number, SEED, job + 1, what, (unsigned long long)slot, (unsigned long long)stage);
}

static void test_mapreduce(void **unused)
{
    size_t jobs = 0;
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        pn_stream stream;
        cluster_outcome slot;
        dag_outcome stage;
        naive_dag_result want;
        pn_stream_init(&stream, SEED, number, 1);
        draw(&stream);
        naive_dag_run(&stages.scenario, &want);
        cluster_instance_run(&slots, (cluster_manner){.roomy = false}, &slot);
        dag_instance_run(&stages.scenario, &want, (dag_manner){.stepping = false}, &stage);
        assert_int_equal(slot.status, PN_DONE);
        assert_int_equal(stage.status, PN_DONE);
        assert_string_equal(slot.fault, "");
        assert_string_equal(stage.fault, "");
        for (size_t i = 0; i < stages.scenario.job_count; i++) {
            const pn_scheduler_record *got = &slot.result.records[i];
            const naive_dag_record *other = &stage.result.records[i];
            same("the first start", number, i, got->first_map_start, other->first_start);
            same("the end of its maps", number, i, got->map_finish, other->stages[0].finish);
            same("the finish", number, i, got->finish, other->finish);
        }
        jobs += stages.scenario.job_count;
        naive_cluster_free(&slot.result);
        naive_dag_free(&stage.result);
        naive_dag_free(&want);
    }
    printf("mapreduce: %zu jobs of %d scenarios agree\n", jobs, RANDOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mapreduce)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
