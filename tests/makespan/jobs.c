/* Jobs, orders and pools that a host hands to the makespan model: what they mean, every status that
 * is documented, and that a refusal changes nothing: the whole block is compared before and
 * after. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/kept.h"
#include "makespan/support/workload.h"

/* the plainest hooks */
#define FIFO                         \
    (pn_makespan_hooks)              \
    {                                \
        .policy = pn_makespan_fifo() \
    }

/* ---- submitting ---- */

static void check_refused(pn_makespan *sim, pn_makespan_job job, int expected)
{
    kept before = keep(sim, pn_makespan_block_size(sim));
    uint64_t id = 77;
    assert_int_equal(pn_makespan_submit(sim, &job, &id), expected);
    assert_int_equal(id, 77);
    check_unchanged(&before);
}

static void submit_refuses_and_changes_nothing(void **unused)
{
    const uint64_t most = PN_MAKESPAN_MOST;
    const struct {
        int expected;
        pn_makespan_job job;
    } cases[] = {
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1})}}, .group = 2}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1})}}, .group = UINT32_MAX}},
        {PN_ERR_ARGUMENT, {.stage = {{.stretch_count = 1}}}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 0})}}}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1})}, {LISTED({1, 1}, {1, 0})}}}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1}), .empty = 1}}}},
        {PN_ERR_ARGUMENT, {.stage = {{.empty = 2}, {LISTED({1, 1})}}}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1}), .has_time = 2}}}},
        {PN_ERR_JOB, {.tag = 1}},
        {PN_ERR_JOB, {.stage = {{.has_time = 1, .time = 5, .empty = 1}}}},
        {PN_ERR_JOB, {.stage = {{LISTED({0, 5})}, {LISTED({0, 1}, {0, 1})}}}},
        {PN_ERR_JOB, {.stage = {{.has_time = 1}, {.has_time = 1}}}},
        /* a time that is not there */
        {PN_ERR_JOB, {.stage = {{.time = 5}, {.requested = 2}}}},
        /* tasks count, not times beside them */
        {PN_ERR_JOB, {.stage = {{LISTED({0, 1}), .has_time = 1, .time = 5}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({most + 1, 1})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({UINT64_MAX, 1})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({most / 2, 3})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({1, 1})}, {LISTED({most, 1}, {1, 1})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({1, UINT32_MAX}, {1, UINT32_MAX})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({1, 1}), .has_time = 1, .time = most + 1}}}},
        {PN_ERR_OVERFLOW, {.stage = {{.has_time = 1, .time = most}}}}, /* on two slots */
    };
    pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_sim(&config);
    uint64_t id;
    (void)unused;
    assert_int_equal(pn_makespan_submit(NULL, &makespan_pair[0], &id), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_submit(sim, NULL, &id), PN_ERR_ARGUMENT);
    for (int submitted = 0; submitted <= 1; submitted++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            check_refused(sim, cases[i].job, cases[i].expected);
        assert_int_equal(pn_makespan_submit(sim, &makespan_pair[submitted], &id), PN_OK);
        assert_int_equal(id, 1 + submitted);
    }
    assert_true(pn_makespan_jobs(sim) == 2 && makespan_totals(sim).submitted == 2);
    assert_true(makespan_totals(sim).map_work == 10 && makespan_totals(sim).reduce_work == 6);
    assert_int_equal(pn_makespan_plan(sim, &FIFO), PN_OK);
    check_refused(sim, makespan_pair[0], PN_ERR_LATE);
    assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    check_refused(sim, makespan_pair[0], PN_ERR_LATE);
    free(sim);
}

/* As many as are configured, and no more, whichever table is full first. */
static void capacities_are_what_was_configured(void **unused)
{
    const pn_makespan_job jobs[] = {
        {.stage = {{LISTED({1, 1}, {2, 1})}, {LISTED({3, 1})}}},
        {.stage = {{.has_time = 1, .time = 2}, {.stretch_count = 0}}}, /* a time is a stretch too */
        {.stage = {{LISTED({1, 5})}, {LISTED({1, 1}, {4, 2}, {2, 1})}}},
    };
    (void)unused;
    for (uint32_t jobs_max = 1; jobs_max <= 4; jobs_max++)
        for (uint32_t stretches_max = 1; stretches_max <= 9; stretches_max++) {
            static const uint32_t needed[] = {3, 4, 8};
            pn_makespan_config config = makespan_small();
            config.jobs_max = jobs_max;
            config.stretches_max = stretches_max;
            pn_makespan *sim = makespan_sim(&config);
            uint32_t fit = 0;
            while (fit < 3 && fit < jobs_max && needed[fit] <= stretches_max)
                assert_int_equal(pn_makespan_submit(sim, &jobs[fit++], NULL), PN_OK);
            if (fit < 3)
                check_refused(sim, jobs[fit], PN_ERR_FULL);
            assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
            assert_int_equal(makespan_totals(sim).finished, fit);
            free(sim);
        }
}

/* ---- what a job is made of ---- */

static uint64_t makespan_of(const pn_makespan_config *config, const pn_makespan_job *job)
{
    pn_makespan *sim = makespan_sim(config);
    assert_int_equal(pn_makespan_submit(sim, job, NULL), PN_OK);
    assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    uint64_t makespan = makespan_totals(sim).makespan;
    free(sim);
    return makespan;
}

/* MK2: a stage given by its time is one full wave of the slots that it requests, or of the base
 * ones. */
static void times_alone_are_waves(void **unused)
{
    pn_makespan_job job = {.stage = {{.has_time = 1, .time = 6}, {.has_time = 1, .time = 0}}};
    pn_makespan_config config = makespan_small();
    (void)unused;
    assert_int_equal(makespan_of(&config, &job), 6); /* 2 tasks on 2 slots */
    config.base_map_slots = 3;
    assert_int_equal(makespan_of(&config, &job), 12);
    job.stage[0].requested = 5; /* above the cluster */
    assert_int_equal(makespan_of(&config, &job), 18);
    job.stage[0].requested = 1;
    assert_int_equal(makespan_of(&config, &job), 6);
    job.stage[1].time = 4;
    config.base_reduce_slots = 2;
    assert_int_equal(makespan_of(&config, &job), 6 + 8);
    config.level = PN_MAKESPAN_STAGES;
    assert_int_equal(makespan_of(&config, &job), 6 + 8);
    config.stage_time = PN_MAKESPAN_GIVEN; /* whatever the slots */
    assert_int_equal(makespan_of(&config, &job), 6 + 4);
    job.stage[1].empty = 1; /* no tasks, but a time to go by */
    assert_int_equal(makespan_of(&config, &job), 6 + 4);
    config.stage_time = PN_MAKESPAN_WAVES;
    assert_int_equal(makespan_of(&config, &job), 6);
}

/* As many waves as there are tasks that take time, on one slot and on two. */
static void waves_are_as_long_as_their_tasks(void **unused)
{
    enum { STRETCHES = 4000 };
    static pn_makespan_stretch stretches[STRETCHES];
    pn_makespan_job job = {.stage = {{LISTED({0, 3}, {0, 2})}, {LISTED({5, 1})}}};
    pn_makespan_config config = makespan_small();
    (void)unused;
    config.level = PN_MAKESPAN_STAGES;
    config.stage_time = PN_MAKESPAN_WAVES;
    config.stretches_max = STRETCHES + 1;
    assert_int_equal(makespan_of(&config, &job), 5);
    for (int i = 0; i < STRETCHES; i++)
        stretches[i] = (pn_makespan_stretch){i % 2 == 0 ? 1 : 2, 1};
    job.stage[0] = (pn_makespan_stage_of_job){.stretches = stretches, .stretch_count = STRETCHES};
    assert_int_equal(makespan_of(&config, &job), 3001 + 5);
    config.map_slots = 1;
    assert_int_equal(makespan_of(&config, &job), 6000 + 5);
}

static void requests_cap_estimates_and_tasks(void **unused)
{
    pn_makespan_job job = {
        .stage = {{LISTED({4, 3}), .requested = 1}, {LISTED({1, 1}), .requested = UINT32_MAX}}};
    pn_makespan_config config = makespan_small();
    (void)unused;
    assert_int_equal(makespan_of(&config, &job), 8 + 1);
    config.cap = PN_MAKESPAN_CAP_REQUESTED;
    assert_int_equal(makespan_of(&config, &job), 12 + 1);
    config.resplit = 1; /* lifts the cap */
    assert_int_equal(makespan_of(&config, &job), 6 + 1);
    config.resplit = 0;
    config.level = PN_MAKESPAN_STAGES;
    assert_int_equal(makespan_of(&config, &job), 12 + 1);
    config.stage_time = PN_MAKESPAN_WAVES;
    assert_int_equal(makespan_of(&config, &job), 8 + 1);
    config.stage_time = PN_MAKESPAN_CAPPED;
    assert_int_equal(makespan_of(&config, &job), 12 + 1);
    config.stage_time = PN_MAKESPAN_FLUID;
    assert_int_equal(makespan_of(&config, &job), 6 + 1);
}

/* Time is bounded by all work, one task after another. */
static void work_has_a_limit(void **unused)
{
    const pn_makespan_job longest = {.stage = {{LISTED({PN_MAKESPAN_MOST, 1})}}};
    (void)unused;
    for (uint32_t level = 0; level <= PN_MAKESPAN_TASKS; level++) {
        pn_makespan_config config = makespan_small();
        config.level = level;
        pn_makespan *sim = makespan_sim(&config);
        assert_int_equal(pn_makespan_submit(sim, &longest, NULL), PN_OK);
        check_refused(sim, (pn_makespan_job){.stage = {{LISTED({1, 1})}}}, PN_ERR_OVERFLOW);
        check_refused(sim, (pn_makespan_job){.stage = {{.stretch_count = 0}, {LISTED({1, 1})}}},
                      PN_ERR_OVERFLOW);
        assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
        assert_true(makespan_totals(sim).makespan == PN_MAKESPAN_MOST);
        free(sim);
    }
}

/* Fractions may have no common denominator, or their numerators no room: that is refused, never
 * rounded, and nothing is planned. */
static void numbers_that_do_not_fit_are_refused(void **unused)
{
    static const uint32_t primes[] = {16777213, 16777199, 16777183, 16777153};
    pn_makespan_config config = makespan_small();
    pn_exact bound;
    (void)unused;
    config.level = PN_MAKESPAN_STAGES;
    config.stage_time = PN_MAKESPAN_CAPPED;
    config.map_slots = config.reduce_slots = (uint32_t)1 << 24;
    for (int wide = 0; wide <= 1; wide++) {
        pn_makespan *sim = makespan_sim(&config);
        for (int i = 0; i < 2; i++) {
            uint64_t duration = wide ? PN_MAKESPAN_MOST / 8 : 1;
            const pn_makespan_stretch stretch = {duration, 1};
            pn_makespan_job job = {
                .stage = {{.stretches = &stretch, .stretch_count = 1, .requested = primes[2 * i]},
                          {.stretches = &stretch,
                           .stretch_count = 1,
                           .requested = wide ? 1 : primes[2 * i + 1]}}};
            assert_int_equal(pn_makespan_submit(sim, &job, NULL), PN_OK);
        }
        pn_makespan_totals before = makespan_totals(sim), after;
        assert_int_equal(pn_makespan_plan(sim, &FIFO), PN_ERR_OVERFLOW);
        assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, UINT64_MAX),
                         PN_ERR_OVERFLOW);
        after = makespan_totals(sim);
        assert_true(makespan_same_totals(&before, &after));
        assert_true(pn_makespan_ticks(sim) == 0 && pn_makespan_order(sim, 0) == 0 &&
                    pn_makespan_digest(sim) == 0);
        assert_string_equal(pn_makespan_policy_name(sim), "");
        assert_int_equal(pn_makespan_bound(sim, &bound), PN_ERR_ARGUMENT);
        free(sim);
    }
}

/* ---- what no schedule beats ---- */

enum { FEW = 5 };

/* Returns the makespan of two machines in the best of all orders of the jobs that are left. */
static uint64_t least_makespan(const uint64_t (*stage)[2], uint32_t left, uint64_t mapped,
                               uint64_t reduced)
{
    uint64_t least = left == 0 ? reduced : UINT64_MAX;
    for (uint32_t job = 0; job < FEW; job++)
        if (left >> job & 1) {
            uint64_t map = mapped + stage[job][0], begin = map > reduced ? map : reduced;
            uint64_t end = least_makespan(stage, left & ~((uint32_t)1 << job), map,
                                          begin + stage[job][1]);
            least = end < least ? end : least;
        }
    return least;
}

/* MK31: of fluid stages on 2 and 3 slots, in whatever order the jobs come. A third of them have
 * stages of the same length. */
static void fluid_stages_are_bounded_by_the_best_order(void **unused)
{
    pn_makespan_config config = makespan_small();
    pn_stream stream;
    (void)unused;
    config.level = PN_MAKESPAN_STAGES;
    config.stage_time = PN_MAKESPAN_FLUID;
    config.map_slots = 2;
    config.reduce_slots = 3;
    config.jobs_max = FEW;
    pn_stream_init(&stream, 31, 0, 9);
    for (int batch = 0; batch < 300; batch++) {
        uint64_t sixths[FEW][2];
        pn_exact bound;
        pn_makespan *sim = makespan_sim(&config);
        for (int i = 0; i < FEW; i++) {
            uint64_t same = pn_uniform(&stream, 0, 2) == 0 ? pn_uniform(&stream, 1, 4) : 0;
            uint64_t map = same ? 2 * same : pn_uniform(&stream, 0, 9);
            uint64_t reduce = same ? 3 * same : pn_uniform(&stream, map == 0, 14);
            const pn_makespan_job job = {.stage = {{LISTED({map, 1})}, {LISTED({reduce, 1})}}};
            assert_int_equal(pn_makespan_submit(sim, &job, NULL), PN_OK);
            sixths[i][0] = map * 3;
            sixths[i][1] = reduce * 2;
        }
        assert_int_equal(pn_makespan_plan(sim, &FIFO), PN_OK);
        assert_int_equal(pn_makespan_bound(sim, &bound), PN_OK);
        uint64_t least = least_makespan((const uint64_t(*)[2])sixths, (1 << FEW) - 1, 0, 0);
        assert_int_equal(pn_exact_compare(bound, (pn_exact){(int64_t)least, 6}), 0);
        free(sim);
    }
}

/* ---- orders and pools of the host ---- */

static void check_order_refused(pn_makespan *sim, const uint64_t *ids, size_t count, int expected)
{
    kept before = keep(sim, pn_makespan_block_size(sim));
    assert_int_equal(pn_makespan_set_order(sim, ids, count), expected);
    check_unchanged(&before);
}

static void orders_name_every_job_once(void **unused)
{
    static const uint64_t good[] = {2, 1}, twice[] = {1, 1}, none[] = {0, 1}, other[] = {1, 3},
                          many[] = {1, 2, 1};
    const pn_makespan_hooks hooks = {.policy = pn_makespan_given_order()};
    pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_with_pair(&config);
    (void)unused;
    assert_int_equal(pn_makespan_set_order(NULL, good, 2), PN_ERR_ARGUMENT);
    check_order_refused(sim, NULL, 2, PN_ERR_ARGUMENT);
    check_order_refused(sim, good, 1, PN_ERR_ARGUMENT);
    check_order_refused(sim, good, 0, PN_ERR_ARGUMENT);
    check_order_refused(sim, twice, 2, PN_ERR_ARGUMENT);
    check_order_refused(sim, none, 2, PN_ERR_ARGUMENT);
    check_order_refused(sim, other, 2, PN_ERR_ARGUMENT);
    check_order_refused(sim, many, 3, PN_ERR_ARGUMENT);
    check_order_refused(sim, good, SIZE_MAX, PN_ERR_ARGUMENT);
    assert_true(pn_makespan_plan(sim, &hooks) < 0); /* none was given */
    assert_int_equal(pn_makespan_set_order(sim, good, 2), PN_OK);
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    assert_true(pn_makespan_order(sim, 0) == 2 && pn_makespan_order(sim, 1) == 1);
    check_order_refused(sim, good, 2, PN_ERR_LATE);
    free(sim);
}

static void check_pools_refused(pn_makespan *sim, const pn_makespan_pool *pools, size_t count,
                                int expected)
{
    kept before = keep(sim, pn_makespan_block_size(sim));
    assert_int_equal(pn_makespan_set_pools(sim, pools, count), expected);
    check_unchanged(&before);
}

static void pools_share_nodes_and_jobs(void **unused)
{
    static const uint64_t ids[] = {2, 1, 2, 0, 3};
    const pn_makespan_hooks hooks = {.policy = pn_makespan_fixed_pools()};
    pn_makespan_config config = makespan_small();
    pn_makespan_pool_plan plan;
    config.map_slots = 6;
    config.reduce_slots = 3;
    pn_makespan *sim = makespan_with_pair(&config);
    (void)unused;
#define REFUSED(...)                                                      \
    check_pools_refused(sim, (const pn_makespan_pool[]){__VA_ARGS__},     \
                        sizeof((const pn_makespan_pool[]){__VA_ARGS__}) / \
                            sizeof(pn_makespan_pool),                     \
                        PN_ERR_ARGUMENT)
    assert_int_equal(pn_makespan_set_pools(NULL, &(pn_makespan_pool){3, 2, ids}, 1),
                     PN_ERR_ARGUMENT);
    check_pools_refused(sim, NULL, 1, PN_ERR_ARGUMENT);
    REFUSED({0, 1, ids}, {3, 1, ids + 1});
    REFUSED({4, 2, ids});
    REFUSED({2, 1, ids}, {2, 1, ids + 1});
    REFUSED({3, 1, ids});                  /* a job is left and no node */
    REFUSED({1, 1, ids}, {2, 2, ids + 1}); /* job 2 twice */
    REFUSED({1, 1, ids + 3});              /* no such jobs */
    REFUSED({1, 1, ids + 4});
    REFUSED({1, 1, NULL});
    REFUSED({1, 3, ids});
    REFUSED({UINT32_MAX, 1, ids}, {4, 1, ids + 1});
#undef REFUSED
    assert_true(pn_makespan_plan(sim, &hooks) < 0); /* none were given */
    assert_int_equal(pn_makespan_set_pools(sim, &(pn_makespan_pool){1, 1, ids}, 1), PN_OK);
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    assert_int_equal(pn_makespan_pools(sim), 2);
    pn_makespan_pool_get(sim, 0, &plan);
    assert_true(plan.nodes == 1 && plan.map_slots == 2 && plan.reduce_slots == 1 &&
                plan.count == 1);
    pn_makespan_pool_get(sim, 1, &plan);
    assert_true(plan.nodes == 2 && plan.map_slots == 4 && plan.reduce_slots == 2 &&
                plan.count == 1);
    assert_true(pn_makespan_order(sim, 0) == 2 && pn_makespan_order(sim, 1) == 1);
    check_pools_refused(sim, &(pn_makespan_pool){1, 1, ids}, 1, PN_ERR_LATE);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(submit_refuses_and_changes_nothing),
        cmocka_unit_test(capacities_are_what_was_configured),
        cmocka_unit_test(times_alone_are_waves),
        cmocka_unit_test(waves_are_as_long_as_their_tasks),
        cmocka_unit_test(requests_cap_estimates_and_tasks),
        cmocka_unit_test(fluid_stages_are_bounded_by_the_best_order),
        cmocka_unit_test(orders_name_every_job_once),
        cmocka_unit_test(pools_share_nodes_and_jobs),
        cmocka_unit_test(work_has_a_limit),
        cmocka_unit_test(numbers_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
