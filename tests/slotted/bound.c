/* The tight bound where a naive one cannot follow: sizes so large that every slot cannot be looked
 * at, and misuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pinion.h"

static int bound(uint32_t machines, const pn_slotted_job *jobs, size_t count, uint64_t *total)
{
    size_t size = pn_slotted_bound_size(count);
    void *workspace = malloc(size);
    int status = pn_slotted_bound_tight(workspace, size, machines, PN_SLOTTED_NONPREEMPTIVE, jobs,
                                        count, NULL, NULL, total);
    free(workspace);
    return status;
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
        cmocka_unit_test(large_jobs_cost_no_more_than_small_ones),
        cmocka_unit_test(late_arrivals_do_not_overflow),
        cmocka_unit_test(sums_that_are_too_large_are_refused),
        cmocka_unit_test(a_host_can_stop_it),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
