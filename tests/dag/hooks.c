/* What hooks of the dag model may do: submit jobs and ask; nothing else. And where a run is cut
 * changes nothing, not even the number of instants. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/workload.h"

static const pn_dispatch_nodes two[] = {{{4}, 2, 0}};
static const pn_dag_stage stage = {.demand = {2}, .duration = 10, .tasks = 3};

static pn_dag *sim_of(uint32_t jobs)
{
    pn_dag_config config = pn_dag_defaults();
    pn_dag *sim;
    config.dispatch.nodes = two;
    config.dispatch.nodes_count = 1;
    config.dispatch.jobs_max = jobs;
    config.failures_max = 4;
    config.tick_ms = 4;
    size_t size = pn_dag_size(&config);
    assert_int_equal(pn_dag_init(&sim, workload_room(size), size, &config), PN_OK);
    return sim;
}

/* ---- a hook that hands over the next job when one finishes ---- */

typedef struct chain {
    pn_dag *sim;
    uint32_t left;
    uint64_t finished[8];
    uint32_t count;
} chain;

static void on_finish(void *user, const pn_dag_record *record)
{
    chain *c = user;
    pn_dag *other;
    pn_dag_totals totals;
    c->finished[c->count++] = record->job->finish;
    pn_dag_totals_get(c->sim, &totals);
    assert_int_equal(totals.jobs_held, 0);
    assert_int_equal(pn_dag_run(c->sim, &(pn_dag_hooks){.policy = pn_dispatch_fifo()}, 1, 1),
                     PN_ERR_BUSY);
    assert_int_equal(pn_dag_fail(c->sim, 1000, 0, 1001), PN_ERR_BUSY);
    assert_int_equal(pn_dag_open(&other, c->sim, pn_dag_block_size(c->sim)), PN_ERR_BUSY);
    pn_dag_job job = {.arrival = record->job->finish, .stages = &stage, .stage_count = 1};
    assert_int_equal(pn_dag_submit(c->sim, &job, NULL), PN_ERR_LATE);
    job.arrival += 5;
    if (c->left > 0)
        assert_int_equal(pn_dag_submit(c->sim, &job, NULL), PN_OK);
    c->left -= c->left > 0;
}

static void hooks_submit_the_next_job(void **unused)
{
    chain c = {.sim = sim_of(1), .left = 3};
    const pn_dag_hooks hooks = {.policy = pn_dispatch_las(), .on_finish = on_finish, .user = &c};
    (void)unused;
    assert_int_equal(pn_dag_submit(c.sim, &(pn_dag_job){.stages = &stage, .stage_count = 1}, NULL),
                     PN_OK);
    assert_int_equal(pn_dag_run(c.sim, &hooks, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    assert_int_equal(c.count, 4);
    for (uint32_t i = 0; i < c.count; i++)
        assert_int_equal(c.finished[i], 10 + 15 * i);
    free(c.sim);
}

/* ---- cut runs ---- */

static void feed(pn_dag *sim)
{
    for (uint64_t arrival = 0; arrival < 60; arrival += 20)
        assert_int_equal(
            pn_dag_submit(
                sim, &(pn_dag_job){.arrival = arrival, .stages = &stage, .stage_count = 1}, NULL),
            PN_OK);
    assert_int_equal(pn_dag_fail(sim, 3, 1, 31), PN_OK);
    assert_int_equal(pn_dag_fail(sim, 300, 1, 310), PN_OK);
}

/* Ticks fall between the cuts; none of them does anything. */
static void cuts_change_nothing(void **unused)
{
    static const double preempt[] = {1};
    const pn_dag_hooks hooks = {.policy = pn_dispatch_capacity_queues(), .params = preempt};
    pn_dag *whole = sim_of(3), *cut = sim_of(3);
    pn_dag_totals once, often;
    (void)unused;
    feed(whole);
    feed(cut);
    assert_int_equal(pn_dag_run(whole, &hooks, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    int status = PN_OK;
    for (uint64_t until = 0; status != PN_DONE; until++)
        status = pn_dag_run(cut, &hooks, until, UINT64_MAX);
    pn_dag_totals_get(whole, &once);
    pn_dag_totals_get(cut, &often);
    assert_memory_equal(&once, &often, sizeof once);
    assert_int_equal(pn_dag_digest(whole), pn_dag_digest(cut));
    assert_true(once.dispatch.finished == 3 && once.dispatch.lost == 1);
    /* what is to happen to nodes is left for the next job, or waited for */
    assert_true(pn_dispatch_is_up(pn_dag_dispatch(cut), 1));
    assert_int_equal(pn_dag_wait(cut, &hooks, 305, UINT64_MAX), PN_OK);
    assert_false(pn_dispatch_is_up(pn_dag_dispatch(cut), 1));
    free(whole);
    free(cut);
}

/* Two queues with half of a node each. Both tasks of the first one run beyond the end of time; at
 * the first tick one is killed for the second queue. */
static void runs_are_not_over_while_ticks_act(void **unused)
{
    static const double preempt[] = {1};
    static const pn_dispatch_nodes node = {{2}, 1, 0};
    static const pn_dispatch_queue halves[] = {{1, 500, 0, 0}, {1, 500, 0, 0}};
    static const pn_dag_stage stage_of_two = {.demand = {1}, .duration = 100000, .tasks = 2};
    const pn_dag_hooks hooks = {.policy = pn_dispatch_capacity_queues(), .params = preempt};
    pn_dag_job job = {.stages = &stage_of_two, .stage_count = 1};
    pn_dag_config config = pn_dag_defaults();
    pn_dag_totals totals;
    pn_dag *sim;
    (void)unused;
    config.dispatch.nodes = &node;
    config.dispatch.nodes_count = 1;
    config.dispatch.queues = halves;
    config.dispatch.queues_count = 2;
    config.dispatch.jobs_max = 2;
    config.max_time_ms = 10000;
    size_t size = pn_dag_size(&config);
    assert_int_equal(pn_dag_init(&sim, workload_room(size), size, &config), PN_OK);
    for (; job.queue < 2; job.queue++, job.arrival = 1000)
        assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_dag_run(sim, &hooks, 1000, UINT64_MAX), PN_OK);
    do
        assert_int_equal(pn_dag_over(sim), 0);
    while (pn_dag_step(sim, &hooks) == PN_OK);
    assert_int_equal(pn_dag_over(sim), 1);
    pn_dag_totals_get(sim, &totals);
    assert_true(totals.ticks == 1 && totals.time == 3000 && totals.dispatch.kills == 1);
    free(sim);
}

/* ---- runs that end with jobs left ---- */

static void on_left(void *user, const pn_dag_record *record)
{
    uint32_t *left = user;
    assert_int_equal(record->job->state, PN_DISPATCH_UNFINISHED);
    assert_true(record->job->finish == PN_DISPATCH_NEVER &&
                record->slowdown_permille == PN_DISPATCH_NEVER);
    assert_int_equal(record->job->stages[0].start, record->job->first_start);
    ++*left;
}

static void what_cannot_happen_is_reported_as_unfinished(void **unused)
{
    uint32_t left = 0;
    const pn_dag_hooks hooks = {.policy = pn_dispatch_drf(), .on_finish = on_left, .user = &left};
    pn_dag *sim = sim_of(3);
    (void)unused;
    assert_int_equal(pn_dag_fail(sim, 2, 0, PN_DISPATCH_NEVER), PN_OK);
    assert_int_equal(pn_dag_fail(sim, 4, 1, PN_DISPATCH_NEVER), PN_OK);
    for (uint64_t arrival = 0; arrival < 9; arrival += 4)
        assert_int_equal(
            pn_dag_submit(
                sim, &(pn_dag_job){.arrival = arrival, .stages = &stage, .stage_count = 1}, NULL),
            PN_OK);
    assert_int_equal(pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    assert_int_equal(left, 3);
    assert_int_equal(pn_dag_over(sim), 1);
    assert_int_equal(
        pn_dag_submit(sim, &(pn_dag_job){.arrival = 90, .stages = &stage, .stage_count = 1}, NULL),
        PN_ERR_LATE);
    free(sim);
}

/* Three jobs: one that finishes, one that has arrived, one that has not. */
static void on_any_end(void *user, const pn_dag_record *record)
{
    uint32_t *told = user;
    assert_int_equal(record->job->state,
                     *told == 0 ? PN_DISPATCH_FINISHED : PN_DISPATCH_UNFINISHED);
    assert_non_null(record->job->attributes);
    assert_true(record->job->attributes[0] == (double)record->job->id &&
                record->job->attributes[1] == 0.5);
    ++*told;
}

static void every_job_is_reported_with_its_attributes(void **unused)
{
    uint32_t told = 0;
    const pn_dag_hooks hooks = {
        .policy = pn_dispatch_fifo(), .on_finish = on_any_end, .user = &told};
    pn_dag_config config = pn_dag_defaults();
    pn_dag *sim;
    (void)unused;
    config.dispatch.nodes = two;
    config.dispatch.nodes_count = 1;
    config.dispatch.jobs_max = 3;
    config.dispatch.attributes = 2;
    config.max_time_ms = 15;
    size_t size = pn_dag_size(&config);
    assert_int_equal(pn_dag_init(&sim, workload_room(size), size, &config), PN_OK);
    for (uint64_t i = 0; i < 3; i++) {
        const double attributes[] = {(double)(i + 1), 0.5};
        const pn_dag_job job = {
            .arrival = 10 * i, .stages = &stage, .stage_count = 1, .attributes = attributes};
        assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    assert_int_equal(told, 3);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_submit_the_next_job),
        cmocka_unit_test(cuts_change_nothing),
        cmocka_unit_test(runs_are_not_over_while_ticks_act),
        cmocka_unit_test(what_cannot_happen_is_reported_as_unfinished),
        cmocka_unit_test(every_job_is_reported_with_its_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
