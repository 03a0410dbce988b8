/* Jobs that the host cancels: what runs of them is dropped, and nothing of them is left. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

static unsigned kills;

static void count_kill(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
    kills++;
}

static void check_valid(const host *h)
{
    assert_int_equal(pn_scheduler_validate(h->s, pn_scheduler_block_size(h->s)), PN_OK);
}

static void cancel(host *h, uint64_t now, uint64_t id)
{
    assert_int_equal(pn_scheduler_cancel(h->s, &h->hooks, now, id), PN_OK);
    assert_true(h->last.id == id && h->last.state == PN_SCHEDULER_CANCELLED &&
                h->last.finish == now);
    check_valid(h);
}

static void check_event(const host *h, size_t back, uint32_t event, uint64_t id, uint32_t kind)
{
    const pn_scheduler_event *e = &h->log.entry[h->log.count - 1 - back];
    assert_true(e->event == event && e->id == id && e->kind == kind);
}

/* A job with a map that is done, one that runs, a reduce that runs, under every policy. */
static void nothing_is_left_of_a_job(void **unused)
{
    (void)unused;
    for (size_t p = 0; pn_scheduler_policy_at(p); p++) {
        const pn_scheduler_policy *policy = pn_scheduler_policy_at(p);
        pn_scheduler_config config = config_for(policy, two);
        host h;
        config.slowstart_permille = 0;
        set_up(&h, policy, &config);
        h.hooks.kill = count_kill;
        kills = 0;
        for (int i = 0; i < 2; i++)
            come(&h, 0, job_of(2, 50, 1, 50, 10000));
        offer(&h, 1, 0, PN_OK);
        uint64_t first = h.launched.id;
        unsigned launched = h.launches;
        finish(&h, 3, first, MAP, h.launched.kind == MAP ? h.launched.task : 0);
        offer(&h, 3, 1, PN_OK);
        uint32_t running = pn_scheduler_running_tasks(h.s);
        assert_true(running > 0 && launched > 0);
        uint64_t token = h.launched.token;
        cancel(&h, 5, h.launched.id);
        check_event(&h, 0, PN_SCHEDULER_JOB_CANCEL, h.last.id, 0);
        check_event(&h, 1, PN_SCHEDULER_DROP, h.last.id, h.launched.kind);
        assert_int_equal(kills, running - pn_scheduler_running_tasks(h.s));
        assert_int_equal(pn_scheduler_finished(h.s, &h.hooks, 5, token), PN_ERR_STALE);
        kept before = keep(h.s, pn_scheduler_block_size(h.s));
        assert_int_equal(pn_scheduler_cancel(h.s, &h.hooks, 5, h.last.id), PN_ERR_STALE);
        assert_int_equal(pn_scheduler_cancel(h.s, &h.hooks, 5, 0), PN_ERR_STALE);
        assert_int_equal(pn_scheduler_cancel(h.s, &h.hooks, 5, 3), PN_ERR_STALE);
        check_unchanged(&before);
        if (pn_scheduler_jobs(h.s) > 0)
            cancel(&h, 6, 3 - h.last.id);
        assert_true(totals_of(&h).in_system == 0 && totals_of(&h).tasks_held == 0 &&
                    totals_of(&h).last_end == h.last.finish &&
                    totals_of(&h).cancelled == totals_of(&h).accepted &&
                    totals_of(&h).failed == 0 && totals_of(&h).ended_slot_ms > 0);
        assert_int_equal(pn_scheduler_running_tasks(h.s), 0);
        assert_int_equal(come(&h, 7, job_of(1, 50, 1, 50, 10000)).accepted, 1);
        offer(&h, 8, 1, PN_OK);
        stop(&h);
    }
}

/* The one who was promised his finish behind the cancelled one keeps it; the next one finds the
 * slots free. */
static void slots_are_free_for_the_next(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_scheduler_rtmr_live(), narrow);
    check_answer(come(&h, 0, job_of(1, 100, 0, 0, 100)), 1, 1, 100, 100, 0);
    offer(&h, 0, 0, PN_OK);
    check_answer(come(&h, 10, job_of(1, 100, 0, 0, 100)), 2, 0, 200, 100, 2);
    cancel(&h, 20, 1);
    check_answer(come(&h, 20, job_of(1, 100, 0, 0, 100)), 3, 1, 120, 100, 0);
    stop(&h);
}

/* A job that is late no more is found not to be, so that others may not make it late again. */
static void who_waited_is_late_no_more(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_scheduler_rtmr_live(), narrow);
    come(&h, 0, job_of(1, 100, 0, 0, 500));
    come(&h, 0, job_of(1, 100, 0, 0, 600));
    offer(&h, 0, 0, PN_OK);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 50, 0), PN_OK);
    assert_int_equal(pn_scheduler_node_up(h.s, &h.hooks, 450, 0), PN_OK);
    assert_int_equal(totals_of(&h).late, 2);
    cancel(&h, 450, 1);
    check_answer(come(&h, 450, job_of(1, 100, 0, 0, 120)), 3, 0, 550, 120, 2);
    offer(&h, 450, 0, PN_OK);
    finish(&h, 550, 2, MAP, 0);
    assert_int_equal(totals_of(&h).late, 2);
    assert_int_equal(totals_of(&h).successful, 1);
    stop(&h);
}

/* ---- jobs that are held, suspended, copied ---- */

static int hold(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_hold(view, job, MAP, 1000);
    return PN_OK;
}

static void who_is_held_is_awaited_no_more(void **unused)
{
    static const pn_scheduler_policy holding = {.name = "holding", .arrive = hold};
    (void)unused;
    host h;
    start(&h, &holding, two);
    come(&h, 0, job_of(1, 0, 0, 0, 0));
    assert_true(pn_scheduler_next_opening(h.s) == 1000);
    cancel(&h, 1, 1);
    assert_true(pn_scheduler_next_opening(h.s) == NEVER);
    stop(&h);
}

static int suspend_all(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    return job == PN_NO_JOB ? PN_OK : pn_scheduler_suspend(view, job, kind, 1, NULL);
}

static void nothing(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
}

static void suspended_attempts_are_dropped_last(void **unused)
{
    static const pn_scheduler_policy suspending = {.name = "suspending", .preempt = suspend_all};
    pn_scheduler_config config = config_for(&suspending, two);
    (void)unused;
    host h;
    config.suspended_max = 2;
    set_up(&h, &suspending, &config);
    h.hooks.suspend = nothing;
    come(&h, 0, job_of(2, 0, 0, 0, 0));
    offer(&h, 0, 0, PN_OK);
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 1), PN_OK);
    offer(&h, 2, 1, PN_OK);
    cancel(&h, 3, 1);
    check_event(&h, 2, PN_SCHEDULER_DROP, 1, MAP);
    assert_int_equal(h.log.entry[h.log.count - 3].node, 1);
    assert_int_equal(h.log.entry[h.log.count - 2].node, 0);
    assert_int_equal(h.last.slot_ms, 1 + 1);
    stop(&h);
}

static int copy_first(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    uint32_t at = job == PN_NO_JOB
                      ? PN_SCHEDULER_NO_ATTEMPT
                      : pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
    if (at != PN_SCHEDULER_NO_ATTEMPT &&
        pn_scheduler_attempt_twin(view, at) == PN_SCHEDULER_NO_ATTEMPT &&
        pn_scheduler_attempt_task(view, at).node != node)
        *place = at;
    return PN_OK;
}

static void both_attempts_are_dropped(void **unused)
{
    static const pn_scheduler_policy copying = {.name = "copying", .copy = copy_first};
    pn_scheduler_config config = config_for(&copying, two);
    (void)unused;
    host h;
    config.copies = 1;
    set_up(&h, &copying, &config);
    come(&h, 0, job_of(1, 0, 0, 0, 0));
    offer(&h, 0, 0, PN_OK);
    offer(&h, 0, 1, PN_OK);
    assert_int_equal(pn_scheduler_running_tasks(h.s), 2);
    cancel(&h, 4, 1);
    assert_true(h.last.copies == 1 && h.last.copies_won == 0 && h.last.slot_ms == 8);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_of_a_job),
        cmocka_unit_test(slots_are_free_for_the_next),
        cmocka_unit_test(who_waited_is_late_no_more),
        cmocka_unit_test(who_is_held_is_awaited_no_more),
        cmocka_unit_test(suspended_attempts_are_dropped_last),
        cmocka_unit_test(both_attempts_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
