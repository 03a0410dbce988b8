/* Saturated slots (SL35): the smallest cases by hand, and runs that are stepped, paused and
 * moved on by hosts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/support/workload.h"

typedef struct small_job {
    uint64_t arrival, maps, reduce; /* one task; 0: none */
} small_job;

static pn_slotted *start(uint32_t machines, uint32_t reduce, const small_job *jobs, size_t count)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = machines;
    config.jobs_max = (uint32_t)count;
    config.reduce = reduce;
    pn_slotted *sim = slotted_sim(&config);
    for (size_t i = 0; i < count; i++) {
        pn_slotted_job job = {.arrival = jobs[i].arrival,
                              .maps = jobs[i].maps,
                              .reduces = &jobs[i].reduce,
                              .reduce_count = jobs[i].reduce > 0};
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    }
    return sim;
}

static void check_totals(const pn_slotted *sim, uint64_t first_arrival, uint64_t saturated)
{
    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    assert_true(PN_HAS(&totals, slots_saturated));
    assert_int_equal(totals.first_arrival, first_arrival);
    assert_int_equal(totals.slots_saturated, saturated);
    assert_int_equal(pn_slotted_validate(sim, pn_slotted_block_size(sim)), PN_OK);
}

static void check_case(uint32_t machines, uint32_t reduce, const small_job *jobs, size_t count,
                       uint64_t saturated)
{
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    pn_slotted *sim = start(machines, reduce, jobs, count);
    check_totals(sim, 0, 0);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    check_totals(sim, jobs[0].arrival, saturated);
    free(sim);
}

#define CHECK_CASE(machines, reduce, saturated, ...)                                 \
    do {                                                                             \
        const small_job list[] = {__VA_ARGS__};                                      \
        check_case(machines, reduce, list, sizeof list / sizeof list[0], saturated); \
    } while (0)

static void small_cases(void **unused)
{
    (void)unused;
    /* A job that gets all it offers does not wait, and a free machine means that none does. */
    CHECK_CASE(2, PN_SLOTTED_PREEMPTIVE, 0, {1, 2, 0});
    CHECK_CASE(2, PN_SLOTTED_PREEMPTIVE, 0, {1, 1, 0});
    /* Three units on one machine: the job could use more in the first two slots. */
    CHECK_CASE(1, PN_SLOTTED_PREEMPTIVE, 2, {7, 3, 0});
    /* Reduces that wait for the job's own maps are not offered. */
    CHECK_CASE(1, PN_SLOTTED_PREEMPTIVE, 1, {1, 1, 2});
    /* A second job waits until the first one has its machine no longer. */
    CHECK_CASE(1, PN_SLOTTED_PREEMPTIVE, 1, {1, 1, 0}, {1, 1, 0});
    /* A task of five slots fills the cluster; slots in which nothing happens count, too. */
    CHECK_CASE(1, PN_SLOTTED_NONPREEMPTIVE, 0, {1, 0, 5});
    CHECK_CASE(1, PN_SLOTTED_NONPREEMPTIVE, 5, {1, 0, 5}, {1, 1, 0});
    CHECK_CASE(1, PN_SLOTTED_NONPREEMPTIVE, 3, {1, 0, 5}, {3, 1, 0});
    CHECK_CASE(2, PN_SLOTTED_NONPREEMPTIVE, 0, {1, 0, 5}, {3, 1, 0});
}

/* However the slots are asked for, each counts once. */
static void slots_count_once(void **unused)
{
    static const small_job jobs[] = {{1, 0, 1000}, {5, 1, 0}};
    static const uint64_t stops[] = {1, 4, 5, 6, 500, 999, 1000, 1001};
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    (void)unused;
    pn_slotted *sim = start(1, PN_SLOTTED_NONPREEMPTIVE, jobs, 2);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        uint64_t end = stops[i] < 1000 ? stops[i] : 1000;
        assert_true(pn_slotted_run(sim, &hooks, stops[i]) >= PN_OK);
        check_totals(sim, 1, end < 5 ? 0 : end - 4);
    }
    free(sim);
}

static int refuse(pn_slotted_view *view, uint32_t job)
{
    (void)view, (void)job;
    return -77;
}

/* A slot whose policy fails is tried again; the slots before it are not counted twice. */
static void slots_before_a_failure_count_once(void **unused)
{
    static const small_job jobs[] = {{1, 0, 9}, {2, 1, 0}, {6, 1, 0}};
    pn_slotted_policy policy = *pn_slotted_fifo();
    pn_slotted_hooks hooks = {.policy = &policy};
    (void)unused;
    pn_slotted *sim = start(1, PN_SLOTTED_NONPREEMPTIVE, jobs, 3);
    assert_int_equal(pn_slotted_run(sim, &hooks, 3), PN_OK);
    check_totals(sim, 1, 2);
    policy.arrive = refuse;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), -77);
        check_totals(sim, 1, 2); /* a failed call changes nothing */
    }
    policy.arrive = NULL;
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    check_totals(sim, 1, 9); /* slots 2 to 10 */
    free(sim);
}

/* The schedule of a relaxation is none of the cluster's. */
static void relaxations_have_none(void **unused)
{
    static const small_job jobs[] = {{1, 3, 0}, {1, 3, 0}};
    pn_slotted_hooks hooks = {.policy = pn_slotted_srpt()};
    (void)unused;
    pn_slotted *sim = start(1, PN_SLOTTED_PREEMPTIVE, jobs, 2);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    check_totals(sim, 1, 0);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cases),
        cmocka_unit_test(slots_count_once),
        cmocka_unit_test(slots_before_a_failure_count_once),
        cmocka_unit_test(relaxations_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
