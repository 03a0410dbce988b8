/* The bounds beside their definitions, with jobs that are alike, and what ends together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tandem/naive/naive.h"
#include "tandem/support/workload.h"

enum { JOBS = 30 };

/* Runs these jobs; the totals have the bounds. */
static pn_tandem_totals totals_of(pn_tandem_job *jobs, size_t count, double speed, uint32_t bounds)
{
    const tandem_workload work = {.count = count, .jobs = jobs};
    const pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    pn_tandem_config config = tandem_config(&work, 0);
    pn_tandem_totals totals;
    config.speed = speed;
    config.bounds = bounds;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(tandem_submit(sim, &work, 0, count), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    free(sim);
    return totals;
}

static void check_near(double bound, long double definition)
{
    assert_true(fabsl(bound - definition) <= 1e-9L * (1 + definition));
}

static void they_are_what_their_definitions_say(void **unused)
{
    pn_tandem_job jobs[JOBS];
    naive_tandem_job same[JOBS];
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 21, 0, 1);
    for (uint32_t number = 0; number < 60; number++) {
        const double speed = number % 2 == 0 ? 1 : 2;
        double arrival = 0;
        for (uint32_t i = 0; i < JOBS; i++) {
            double map = (double)pn_uniform(&stream, 0, 4),
                   shuffle = (double)pn_uniform(&stream, 0, 4);
            jobs[i] = (pn_tandem_job){.arrival = arrival, .map = map, .shuffle = shuffle};
            same[i] = (naive_tandem_job){.arrival = arrival, .map = map, .shuffle = shuffle};
            arrival += (double)pn_uniform(&stream, 0, number % 6);
        }
        long double fast = naive_tandem_bound(speed, same, JOBS);
        pn_tandem_totals totals = totals_of(jobs, JOBS, speed, PN_TANDEM_BOUNDS_TIGHT);
        check_near(totals.lower_bound, fast);
        check_near(totals.lower_bound_tight, naive_tandem_bound_tight(speed, same, JOBS));
        totals = totals_of(jobs, JOBS, speed, PN_TANDEM_BOUNDS_FAST);
        check_near(totals.lower_bound, fast);
        assert_true(totals.lower_bound_tight == 0);
        totals = totals_of(jobs, JOBS, speed, PN_TANDEM_BOUNDS_NONE);
        assert_true(totals.lower_bound == 0 && totals.lower_bound_tight == 0);
    }
}

/* Within 64 units in the last place of the time of the first end (TA21). */
static void what_ends_within_the_tolerance_ends_together(void **unused)
{
    (void)unused;
    for (int arrival = 0; arrival <= 1; arrival++) {
        const double within = (1 + arrival) * 0x1p-46, beyond = within + 0x1p-52;
        pn_tandem_job job = {.arrival = arrival, .map = 1, .shuffle = 1 + within};
        assert_true(totals_of(&job, 1, 1, PN_TANDEM_BOUNDS_FAST).lower_bound == 1);
        job.shuffle = 1 + beyond;
        assert_true(totals_of(&job, 1, 1, PN_TANDEM_BOUNDS_FAST).lower_bound == 1 + beyond);
    }
}

/* The first one ends at 1, within the tolerance of the second one's arrival, from which on that one
 * is served: half of it when the third comes. */
static void a_departure_moves_no_arrival(void **unused)
{
    const double second = 1 - 0x1p-48;
    pn_tandem_job jobs[] = {
        {.map = 1}, {.arrival = second, .map = 1}, {.arrival = second + 0.5, .map = 1}};
    (void)unused;
    assert_true(totals_of(jobs, 3, 1, PN_TANDEM_BOUNDS_FAST).lower_bound == 1 + 1 + 1.5);
}

/* The first job is a busy period. Of the next one a unit of time has passed at 11: one station has
 * had a job all along, the other one for half of it. */
static void they_grow_from_arrival_to_arrival(void **unused)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    (void)unused;
    for (int swapped = 0; swapped <= 1; swapped++) {
        const double map = swapped ? 0.5 : 4, shuffle = swapped ? 4 : 0.5;
        pn_tandem_job jobs[] = {{.map = 1, .shuffle = 1},
                                {.arrival = 10, .map = map, .shuffle = shuffle},
                                {.arrival = 11, .map = map, .shuffle = shuffle}};
        const tandem_workload work = {.count = 3, .jobs = jobs};
        pn_tandem_config config = tandem_config(&work, 0);
        pn_tandem_totals totals;
        config.bounds = PN_TANDEM_BOUNDS_FAST;
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(tandem_submit(sim, &work, 0, 3), PN_OK);
        assert_int_equal(pn_tandem_run(sim, &hooks, 12, UINT64_MAX), PN_OK);
        pn_tandem_totals_get(sim, &totals);
        assert_true(totals.lower_bound == 2);
        free(sim);
    }
}

static void no_work_takes_no_time(void **unused)
{
    pn_tandem_job jobs[] = {{.arrival = 1}, {.arrival = 1}, {.arrival = 2}};
    (void)unused;
    pn_tandem_totals totals = totals_of(jobs, 3, 1, PN_TANDEM_BOUNDS_TIGHT);
    assert_true(totals.lower_bound == 0 && totals.lower_bound_tight == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_what_their_definitions_say),
        cmocka_unit_test(what_ends_within_the_tolerance_ends_together),
        cmocka_unit_test(a_departure_moves_no_arrival),
        cmocka_unit_test(they_grow_from_arrival_to_arrival),
        cmocka_unit_test(no_work_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
