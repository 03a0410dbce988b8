/* The tight bound beside its definition, and where a naive one cannot follow: sizes so large that
 * every slot cannot be looked at, and misuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "slotted/support/instance.h"

static int bound(uint32_t machines, const pn_slotted_job *jobs, size_t count, uint64_t *total)
{
    size_t size = pn_slotted_bound_size(count);
    void *workspace = malloc(size);
    int status = pn_slotted_bound_tight(workspace, size, machines, PN_SLOTTED_NONPREEMPTIVE, jobs,
                                        count, NULL, NULL, total);
    free(workspace);
    return status;
}

static void it_is_what_its_definition_says(void **unused)
{
    static const slotted_instance_limits limits[] = {
        {3, 2, 6, 6}, {6, 4, 20, 10}, {12, 8, 40, 20}, {16, 24, 120, 30}};
    pn_stream stream;
    slotted_instance run;
    (void)unused;
    pn_stream_init(&stream, 11, 0, 1);
    for (int i = 0; i < 400; i++) {
        slotted_instance_draw(&run, &stream, limits[i % 4]);
        for (uint32_t reduce = 0; reduce <= PN_SLOTTED_NONPREEMPTIVE; reduce++)
            assert_int_equal(slotted_instance_lb2(&run, reduce),
                             slotted_instance_naive_lb2(&run, reduce));
    }
}

/* Many jobs wait or few, of all sizes: which of them cannot be complete changes from slot to slot.
 */
static void long_backlogs_are_bounded_by_the_definition(void **unused)
{
    enum { JOBS = 40, SIZE = 15, GAPS = 9 };
    naive_job jobs[JOBS];
    pn_slotted_job given[JOBS];
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 12, 0, 1);
    for (uint32_t number = 0; number < 40; number++) {
        const uint32_t machines = 1 + number % 4;
        uint64_t arrival = 1, total = 0;
        for (uint32_t i = 0; i < JOBS; i++) {
            uint64_t maps = pn_uniform(&stream, 1, SIZE);
            arrival += pn_uniform(&stream, 0, number % GAPS);
            given[i] = (pn_slotted_job){.arrival = arrival, .maps = maps};
            jobs[i] = (naive_job){.arrival = (int64_t)arrival, .maps = (int64_t)maps};
        }
        assert_int_equal(bound(machines, given, JOBS, &total), PN_OK);
        assert_int_equal(total, naive_slotted_lb2(machines, true, jobs, JOBS));
    }
}

/* On one machine without reduces LB2 is SRPT itself: the first of two equal jobs ends after S
 * slots, the second after 2 S. */
static void large_jobs_cost_no_more_than_small_ones(void **unused)
{
    (void)unused;
    for (uint64_t size = 1; size <= (uint64_t)1 << 50; size *= 32) {
        pn_slotted_job jobs[] = {{.arrival = 1, .maps = size}, {.arrival = 1, .maps = size}};
        uint64_t total = 0;
        assert_int_equal(bound(1, jobs, 2, &total), PN_OK);
        assert_true(total == 3 * size);
    }
}

static void late_arrivals_do_not_overflow(void **unused)
{
    static pn_slotted_job jobs[2000];
    uint64_t total = 0;
    (void)unused;
    for (size_t i = 0; i < 2000; i++)
        jobs[i] = (pn_slotted_job){.arrival = PN_INTEGER_MAX, .maps = 1};
    assert_int_equal(bound(1, jobs, 2000, &total), PN_OK);
    assert_true(total == 2000 * 2001 / 2);
}

/* Sums that have no room in 63 bits: so many equal jobs one after the other; and jobs that all come
 * so late. */
static void sums_that_are_too_large_are_refused(void **unused)
{
    enum { JOBS = 4096 };
    static pn_slotted_job jobs[JOBS];
    uint64_t total = 77;
    (void)unused;
    for (size_t i = 0; i < JOBS; i++)
        jobs[i] = (pn_slotted_job){.arrival = 1, .maps = PN_INTEGER_MAX / JOBS};
    assert_int_equal(bound(1, jobs, JOBS, &total), PN_ERR_OVERFLOW);
    for (size_t i = 1; i < JOBS; i++)
        jobs[i].arrival = PN_INTEGER_MAX;
    assert_int_equal(bound(1, jobs, JOBS, &total), PN_ERR_OVERFLOW);
    assert_true(total == 77);
}

/* Jobs that end one after the other, whose flow times have the largest sum that there is. */
static void the_largest_sum_has_room(void **unused)
{
    enum { JOBS = 2048 };
    static pn_slotted_job jobs[JOBS];
    const uint64_t ends = (uint64_t)JOBS * (JOBS + 1) / 2;
    uint64_t total = 0;
    (void)unused;
    for (size_t i = 0; i < JOBS; i++)
        jobs[i] = (pn_slotted_job){.arrival = 1, .maps = INT64_MAX / ends};
    jobs[JOBS - 1].maps += INT64_MAX % ends;
    assert_int_equal(bound(1, jobs, JOBS, &total), PN_OK);
    assert_true(total == INT64_MAX);
    jobs[JOBS - 1].maps++;
    assert_int_equal(bound(1, jobs, JOBS, &total), PN_ERR_OVERFLOW);
}

/* Checks that these jobs have so large a bound. */
static void check_bound(uint32_t machines, const pn_slotted_job *jobs, size_t count, uint64_t value)
{
    uint64_t total = 0;
    assert_int_equal(bound(machines, jobs, count, &total), PN_OK);
    assert_true(total == value);
}

static void the_limits_themselves_are_fine(void **unused)
{
    static const uint64_t most = PN_INTEGER_MAX, one = 1, parts[] = {PN_INTEGER_MAX - 1, 1};
    const pn_slotted_job single[] = {
        {.arrival = 1, .maps = most},
        {.arrival = most, .maps = most},
        {.arrival = 1, .reduces = &most, .reduce_count = 1},
        {.arrival = 1, .reduces = parts, .reduce_count = 2},
        {.arrival = 1, .maps = most - 1, .reduces = &one, .reduce_count = 1}};
    const pn_slotted_job both[] = {{.arrival = 5, .maps = most - 1}, {.arrival = 6, .maps = 1}};
    (void)unused;
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        check_bound(1, &single[i], 1, most);
    check_bound(1, both, 2, most + 1);
    for (uint64_t slots = 1; slots <= 3; slots++)
        for (uint32_t machines = 1; machines <= PN_SLOTTED_MACHINES_MOST; machines *= 16) {
            const pn_slotted_job full = {.arrival = 1, .maps = slots * machines};
            const pn_slotted_job fuller = {.arrival = 1, .maps = slots * machines + 1};
            check_bound(machines, &full, 1, slots);
            check_bound(machines, &fuller, 1, slots + 1);
        }
}

/* So many machine slots pass before the second job that their number is 0 modulo 2^64, but for ten
 * slots; the third one comes when it has eight slots to go. */
static void long_pauses_do_not_wrap(void **unused)
{
    const uint32_t machines = 4096;
    const uint64_t second = ((uint64_t)1 << 52) - 9;
    const pn_slotted_job jobs[] = {{.arrival = 1, .maps = 1},
                                   {.arrival = second, .maps = 40000},
                                   {.arrival = second + 2, .maps = 40000}};
    (void)unused;
    check_bound(machines, jobs, 3, 1 + 10 + 18);
}

/* The first two jobs end in slots that they do not fill, and the others are no earlier for it. */
static void machines_left_idle_do_nothing_later(void **unused)
{
    const pn_slotted_job jobs[] = {{.arrival = 1, .maps = 5},
                                   {.arrival = 3, .maps = 1},
                                   {.arrival = 8, .maps = 30},
                                   {.arrival = 11, .maps = 12}};
    (void)unused;
    check_bound(4, jobs, 4, 2 + 1 + 11 + 3);
}

/* It is given three numbers, a size and an index of each. */
static void the_workspace_has_room_for_so_many_jobs(void **unused)
{
    const pn_slotted_job jobs[] = {{.arrival = 1, .maps = 1}, {.arrival = 1, .maps = 1}};
    uint64_t workspace[9];
    uint64_t total = 77;
    (void)unused;
    assert_int_equal(pn_slotted_bound_size(0), 8);
    assert_int_equal(pn_slotted_bound_size(2), sizeof workspace);
    assert_true(pn_slotted_bound_size(UINT32_MAX) == (size_t)UINT32_MAX * 36 + 4);
    assert_int_equal(pn_slotted_bound_size((size_t)UINT32_MAX + 1), 0);
    assert_int_equal(
        pn_slotted_bound_tight(workspace, sizeof workspace - 1, 1, 0, jobs, 2, NULL, NULL, &total),
        PN_ERR_SIZE);
    assert_int_equal(
        pn_slotted_bound_tight(workspace, sizeof workspace, 1, 0, jobs, 2, NULL, NULL, &total),
        PN_OK);
    assert_true(total == 3);
}

/* These tasks have 2^64 units, and none of them more than 2^53. */
static void sizes_do_not_wrap(void **unused)
{
    enum { TASKS = 2049 };
    static uint64_t tasks[TASKS];
    const pn_slotted_job job = {.arrival = 1, .maps = 1, .reduces = tasks, .reduce_count = TASKS};
    uint64_t total = 77;
    (void)unused;
    for (size_t i = 0; i < TASKS; i++)
        tasks[i] = i == 0 || i == TASKS - 1 ? PN_INTEGER_MAX / 2 : PN_INTEGER_MAX;
    assert_int_equal(bound(1, &job, 1, &total), PN_ERR_JOB);
    tasks[0] = UINT64_MAX;
    assert_int_equal(bound(1, &job, 1, &total), PN_ERR_JOB);
    assert_true(total == 77);
}

static int third_time(void *user)
{
    return ++*(int *)user == 3;
}

static void a_host_can_stop_it(void **unused)
{
    pn_slotted_job jobs[] = {
        {.arrival = 1, .maps = 9}, {.arrival = 1, .maps = 9}, {.arrival = 1, .maps = 9}};
    uint64_t workspace[64];
    uint64_t total = 77;
    int asked = 0;
    (void)unused;
    assert_int_equal(pn_slotted_bound_tight(workspace, sizeof workspace, 1, PN_SLOTTED_PREEMPTIVE,
                                            jobs, 3, third_time, &asked, &total),
                     PN_ERR_STOPPED);
    assert_int_equal(asked, 3);
    assert_true(total == 77);
}

static void misuse_is_refused(void **unused)
{
    static const uint64_t huge[] = {PN_INTEGER_MAX, 1}, larger[] = {PN_INTEGER_MAX + 1};
    const uint64_t most = PN_INTEGER_MAX;
    uint64_t total = 77;
    uint64_t workspace[64];
    pn_slotted_job fine = {.arrival = 5, .maps = 1};
    pn_slotted_job wrong[] = {{.arrival = 5, .maps = 1}, {.arrival = 4, .maps = 1}};
    pn_slotted_job much[] = {{.arrival = 5, .maps = most}, {.arrival = 6, .maps = 1}};
    pn_slotted_job newer = {.struct_size = 9, .arrival = 5, .maps = 1};
    (void)unused;
    assert_int_equal(bound(0, &fine, 1, &total), PN_ERR_ARGUMENT);
    assert_int_equal(bound(1, NULL, 1, &total), PN_ERR_ARGUMENT);
    assert_int_equal(bound(1, &(pn_slotted_job){.arrival = 1, .reduce_count = 1}, 1, &total),
                     PN_ERR_ARGUMENT);
    assert_int_equal(bound(1, &(pn_slotted_job){.arrival = 1}, 1, &total), PN_ERR_JOB);
    assert_int_equal(
        bound(1, &(pn_slotted_job){.arrival = 1, .reduces = huge, .reduce_count = 2}, 1, &total),
        PN_ERR_JOB);
    assert_int_equal(bound(1, &(pn_slotted_job){.arrival = 0, .maps = 1}, 1, &total),
                     PN_ERR_OVERFLOW);
    assert_int_equal(bound(1, wrong, 2, &total), PN_ERR_ORDER);
    assert_int_equal(bound(1, much, 2, &total), PN_ERR_OVERFLOW);
    assert_int_equal(bound(1, &newer, 1, &total), PN_ERR_ARGUMENT);
    assert_int_equal(bound(PN_SLOTTED_MACHINES_MOST + 1, &fine, 1, &total), PN_ERR_ARGUMENT);
    assert_int_equal(bound(1, &(pn_slotted_job){.arrival = most + 1, .maps = 1}, 1, &total),
                     PN_ERR_OVERFLOW);
    assert_int_equal(bound(1, &(pn_slotted_job){.arrival = 1, .maps = most + 1}, 1, &total),
                     PN_ERR_JOB);
    assert_int_equal(
        bound(1, &(pn_slotted_job){.arrival = 1, .reduces = larger, .reduce_count = 1}, 1, &total),
        PN_ERR_JOB);
    assert_int_equal(
        bound(1, &(pn_slotted_job){.arrival = 1, .maps = 1, .reduces = huge, .reduce_count = 1}, 1,
              &total),
        PN_ERR_JOB);
    assert_int_equal(bound(1, &fine, 1, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_bound_tight(NULL, 500, 1, 0, &fine, 1, NULL, NULL, &total),
                     PN_ERR_ARGUMENT);
    assert_int_equal(
        pn_slotted_bound_tight(workspace, sizeof workspace, 1, 2, &fine, 1, NULL, NULL, &total),
        PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_bound_tight(workspace, sizeof workspace, 1, 0, &fine,
                                            (size_t)UINT32_MAX + 1, NULL, NULL, &total),
                     PN_ERR_SIZE);
    assert_int_equal(pn_slotted_bound_tight(workspace, 8, 1, PN_SLOTTED_PREEMPTIVE, &fine, 1, NULL,
                                            NULL, &total),
                     PN_ERR_SIZE);
    assert_int_equal(pn_slotted_bound_tight((char *)workspace + 1, 500, 1, PN_SLOTTED_PREEMPTIVE,
                                            &fine, 1, NULL, NULL, &total),
                     PN_ERR_ALIGN);
    assert_true(total == 77);
    assert_int_equal(bound(1, NULL, 0, &total), PN_OK);
    assert_true(total == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_its_definition_says),
        cmocka_unit_test(long_backlogs_are_bounded_by_the_definition),
        cmocka_unit_test(large_jobs_cost_no_more_than_small_ones),
        cmocka_unit_test(late_arrivals_do_not_overflow),
        cmocka_unit_test(sums_that_are_too_large_are_refused),
        cmocka_unit_test(the_largest_sum_has_room),
        cmocka_unit_test(the_limits_themselves_are_fine),
        cmocka_unit_test(long_pauses_do_not_wrap),
        cmocka_unit_test(machines_left_idle_do_nothing_later),
        cmocka_unit_test(the_workspace_has_room_for_so_many_jobs),
        cmocka_unit_test(sizes_do_not_wrap),
        cmocka_unit_test(a_host_can_stop_it),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
