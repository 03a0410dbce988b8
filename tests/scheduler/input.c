/* Reduces hear when their input is complete, and when it is so no longer: a host need not ask. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

/* What was told, by reduce. */
static int complete[4];
static unsigned told;
static uint32_t has_fetched; /* this reduce, + 1 */

static void on_input(void *user, const pn_scheduler_task *task)
{
    (void)user;
    assert_int_equal(task->kind, REDUCE);
    complete[task->task] = (int)task->input_complete;
    told++;
}

static int on_fetched(void *user, const pn_scheduler_task *task)
{
    (void)user;
    return task->task + 1 == has_fetched;
}

static void set_up_with(host *h, const pn_scheduler_policy *policy,
                        const pn_scheduler_config *config)
{
    set_up(h, policy, config);
    h->hooks.input_changed = on_input;
    h->hooks.fetched = on_fetched;
    told = has_fetched = 0;
    memset(complete, 0, sizeof complete);
}

/* Three nodes; a job with two maps on the first two, and reduces on these before the maps have
 * ended. */
static void begin(host *h)
{
    pn_scheduler_config config = config_for(pn_scheduler_fifo(), three);
    config.slowstart_permille = 0;
    set_up_with(h, pn_scheduler_fifo(), &config);
    come(h, 0, job_of(2, 0, 3, 0, 0));
    offer(h, 0, 0, PN_OK);
    offer(h, 0, 1, PN_OK);
    assert_true(h->launched.kind == REDUCE && h->launched.input_complete == 0);
}

static void reduces_hear_that_maps_have_ended(void **unused)
{
    (void)unused;
    host h;
    begin(&h);
    finish(&h, 5, 1, MAP, 0);
    assert_int_equal(told, 0);
    finish(&h, 6, 1, MAP, 1);
    assert_true(told == 2 && complete[0] == 1 && complete[1] == 1);
    offer(&h, 7, 2, PN_OK); /* one that comes later is told at once */
    assert_true(h.launched.input_complete == 1 && told == 2);
    pn_scheduler_task task;
    assert_int_equal(pn_scheduler_task_get(h.s, h.launched.place, &task), PN_OK);
    assert_int_equal(task.input_complete, 1);
    for (uint32_t i = 0; i < 3; i++)
        finish(&h, 9, 1, REDUCE, i);
    assert_true(told == 2 && totals_of(&h).finished == 1);
    stop(&h);
}

/* Unless it had fetched them. */
static void reduces_hear_that_outputs_are_lost(void **unused)
{
    (void)unused;
    for (uint32_t fetched = 0; fetched <= 1; fetched++) {
        host h;
        begin(&h);
        finish(&h, 5, 1, MAP, 0);
        finish(&h, 6, 1, MAP, 1);
        offer(&h, 6, 2, PN_OK);
        told = 0;
        has_fetched = fetched ? 2 : 0; /* the second one */
        assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 7, 0), PN_OK);
        assert_true(told == 2 - fetched && complete[1] == (int)fetched && complete[2] == 0);
        offer(&h, 8, 2, PN_OK); /* the map again */
        assert_true(h.launched.kind == MAP && told == 2 - fetched);
        assert_int_equal(pn_scheduler_node_up(h.s, &h.hooks, 8, 0), PN_OK);
        offer(&h, 8, 0, PN_OK);
        assert_true(h.launched.kind == REDUCE && h.launched.input_complete == 0);
        finish(&h, 9, 1, MAP, 0);
        assert_true(complete[0] == 1 && complete[1] == 1 && complete[2] == 1);
        assert_int_equal(told, 2 * (2 - fetched) + 1);
        stop(&h);
    }
}

/* Outputs that were not all there yet are lost without a word. */
static void incomplete_inputs_are_told_once(void **unused)
{
    (void)unused;
    host h;
    begin(&h);
    finish(&h, 5, 1, MAP, 0);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 6, 0), PN_OK);
    assert_true(totals_of(&h).reruns == 1 && told == 0);
    stop(&h);
}

static int suspend_reduces(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    return kind == MAP || job == PN_NO_JOB ? PN_OK : pn_scheduler_suspend(view, job, kind, 9, NULL);
}

static void nothing(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
}

static void suspended_reduces_hear_it_too(void **unused)
{
    static const pn_scheduler_policy suspending = {.name = "suspending",
                                                   .preempt = suspend_reduces};
    pn_scheduler_config config = config_for(&suspending, two);
    (void)unused;
    host h;
    config.suspended_max = 2;
    config.slowstart_permille = 0;
    set_up_with(&h, &suspending, &config);
    h.hooks.suspend = nothing;
    come(&h, 0, job_of(1, 0, 1, 0, 0));
    offer(&h, 0, 0, PN_OK);
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 1), PN_OK);
    finish(&h, 2, 1, MAP, 0);
    assert_true(told == 1 && complete[0] == 1);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduces_hear_that_maps_have_ended),
        cmocka_unit_test(reduces_hear_that_outputs_are_lost),
        cmocka_unit_test(incomplete_inputs_are_told_once),
        cmocka_unit_test(suspended_reduces_hear_it_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
