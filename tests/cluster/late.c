/* Jobs that were taken and will not make their deadlines: when rtmr-live tells them, and when
 * not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

static void jobs_are_told_to_be_late(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_scheduler_rtmr_live(), two);
    check_answer(come(&h, 0, job_of(2, 10, 0, 0, 15)), 1, 1, 10, 15, 0);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 1, 1), PN_OK);
    check_last(&h, 1, PN_SCHEDULER_LATE, 1, 21, 15); /* one slot for both */
    assert_int_equal(pn_scheduler_node_up(h.s, &h.hooks, 2, 1), PN_OK);
    check_last(&h, 2, PN_SCHEDULER_NODE_UP, 0, 0, 0); /* in time again */
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 3, 1), PN_OK);
    check_last(&h, 3, PN_SCHEDULER_LATE, 1, 23, 15);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 4, 0), PN_OK);
    check_last(&h, 4, PN_SCHEDULER_NODE_DOWN, 0, 0, 0); /* known already */
    for (uint32_t node = 0; node < 2; node++)
        assert_int_equal(pn_scheduler_node_up(h.s, &h.hooks, 6, node), PN_OK);
    check_last(&h, 6, PN_SCHEDULER_NODE_UP, 0, 0, 0); /* too late still: 16 */
    assert_int_equal(totals_of(&h).late, 2);
    check_answer(come(&h, 6, job_of(1, 4, 0, 0, 14)), 2, 1, 20, 14, 0);
    /* late jobs block nobody: the first gets its second slot at 10 only */
    check_answer(come(&h, 6, job_of(1, 4, 0, 0, 8)), 3, 1, 10, 8, 0);
    check_answer(come(&h, 6, job_of(1, 4, 0, 0, 8)), 4, 0, 10, 8, 2);
    assert_int_equal(totals_of(&h).late, 2);
    stop(&h);
}

/* The first takes longer than it was to. Nobody has told the second, until a third asks: then it
 * does not stand in its way. */
static void who_is_late_anyhow_is_told_when_another_comes(void **unused)
{
    host h;
    pn_scheduler_answer asked;
    const pn_scheduler_job third = job_of(1, 1, 0, 0, 3);
    (void)unused;
    start(&h, pn_scheduler_rtmr_live(), narrow);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 100)), 1, 1, 10, 100, 0);
    offer(&h, 0, 0, PN_OK);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 25)), 2, 1, 20, 25, 0);
    assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 18, &third, &asked), PN_OK);
    check_answer(asked, 3, 1, 19, 3, 0);
    assert_int_equal(totals_of(&h).late, 0);
    check_answer(come(&h, 18, third), 3, 1, 19, 3, 0);
    check_last(&h, 18, PN_SCHEDULER_ACCEPT, 3, 19, 3);
    h.log.count--;
    check_last(&h, 18, PN_SCHEDULER_LATE, 2, 28, 25);
    h.log.count++;
    assert_int_equal(totals_of(&h).late, 1);
    stop(&h);
}

/* The first took too long to begin, which is told when a third would make the second late. */
static void starts_that_are_late_count(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_scheduler_rtmr_live(), narrow);
    check_answer(come(&h, 0, job_of(1, 100, 0, 0, 100)), 1, 1, 100, 100, 0);
    check_answer(come(&h, 0, job_of(1, 100, 0, 0, 200)), 2, 1, 200, 200, 0);
    offer(&h, 0, 0, PN_OK);
    assert_int_equal(pn_scheduler_started(h.s, &h.hooks, 50, h.launched.token), PN_OK);
    check_answer(come(&h, 140, job_of(1, 10, 0, 0, 55)), 3, 1, 160, 55, 0);
    assert_int_equal(totals_of(&h).late, 2);
    stop(&h);
}

static int second_has_fetched(void *user, const pn_scheduler_task *task)
{
    (void)user;
    return task->id == 2;
}

/* The reduce slot that is left waits for a job whose maps have nowhere to run: who needs it waits
 * for ever too. */
static void who_waits_for_a_lost_job_is_late(void **unused)
{
    static const pn_scheduler_nodes apart[] = {{1, 2, 0, 0}, {2, 0, 1, 0}};
    pn_scheduler_config config = config_for(pn_scheduler_rtmr_live(), apart);
    host h;
    (void)unused;
    config.nodes_count = 2;
    set_up(&h, pn_scheduler_rtmr_live(), &config);
    h.hooks.fetched = second_has_fetched;
    for (uint64_t id = 1; id <= 2; id++)
        assert_int_equal(come(&h, 0, job_of(1, 10, 1, 100, 1000 * id)).accepted, 1);
    offer(&h, 0, 0, PN_OK);
    for (uint64_t id = 1; id <= 2; id++)
        finish(&h, 10, id, MAP, 0);
    for (uint32_t node = 1; node <= 2; node++)
        offer(&h, 10, node, PN_OK);
    assert_int_equal(h.launched.id, 2);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 20, 0), PN_OK);
    check_last(&h, 20, PN_SCHEDULER_LATE, 1, NEVER, 1000);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 21, h.launched.node), PN_OK);
    check_last(&h, 21, PN_SCHEDULER_LATE, 2, NEVER, 2000);
    stop(&h);
}

/* Nobody offers the slot for a while. That is no reason to tell the first job that it is late: who
 * comes then has to wait. */
static void who_waits_for_an_offer_is_not_late(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_scheduler_rtmr_live(), narrow);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 15)), 1, 1, 10, 15, 0);
    check_answer(come(&h, 8, job_of(1, 1, 0, 0, 2)), 2, 0, 9, 2, 1);
    check_last(&h, 8, PN_SCHEDULER_REJECT, 2, 9, 2);
    assert_int_equal(totals_of(&h).late, 0);
    offer(&h, 9, 0, PN_OK);
    finish(&h, 14, 1, MAP, 0);
    assert_int_equal(totals_of(&h).successful, 1);
    stop(&h);
}

/* A task that took too long makes that one look at all jobs; but only until they have been looked
 * at for another reason. */
static void what_took_too_long_is_looked_at_once(void **unused)
{
    (void)unused;
    for (uint32_t looked_at = 0; looked_at < 2; looked_at++) {
        host h;
        start(&h, pn_scheduler_rtmr_live(), narrow);
        check_answer(come(&h, 0, job_of(1, 10, 0, 0, 100)), 1, 1, 10, 100, 0);
        offer(&h, 0, 0, PN_OK);
        finish(&h, 12, 1, MAP, 0);
        if (looked_at) {
            assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 13, 0), PN_OK);
            assert_int_equal(pn_scheduler_node_up(h.s, &h.hooks, 14, 0), PN_OK);
        }
        check_answer(come(&h, 20, job_of(1, 10, 0, 0, 15)), 2, 1, 30, 15, 0);
        check_answer(come(&h, 28, job_of(1, 1, 0, 0, 2)), 3, !looked_at, 29, 2, looked_at ? 2 : 0);
        assert_int_equal(totals_of(&h).late, !looked_at);
        stop(&h);
    }
}

static void failures_of_tasks_make_late(void **unused)
{
    pn_scheduler_config config = config_for(pn_scheduler_rtmr_live(), narrow);
    host h;
    (void)unused;
    config.attempts_max = 2;
    set_up(&h, pn_scheduler_rtmr_live(), &config);
    come(&h, 0, job_of(1, 10, 0, 0, 15));
    offer(&h, 0, 0, PN_OK);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 29)), 2, 1, 20, 29, 0);
    assert_int_equal(pn_scheduler_failed(h.s, &h.hooks, 8, token_of(&h, 1, MAP, 0)), PN_OK);
    check_last(&h, 8, PN_SCHEDULER_LATE, 1, 18, 15);
    offer(&h, 12, 0, PN_OK);
    assert_int_equal(h.launched.id, 1); /* it has started and stays ahead */
    assert_int_equal(pn_scheduler_failed(h.s, &h.hooks, 20, token_of(&h, 1, MAP, 0)), PN_OK);
    check_last(&h, 20, PN_SCHEDULER_LATE, 2, 30, 29); /* though the first job is gone */
    h.log.count--;
    check_last(&h, 20, PN_SCHEDULER_JOB_FAIL, 1, 0, 0);
    h.log.count++;
    assert_int_equal(totals_of(&h).late, 2);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_told_to_be_late),
        cmocka_unit_test(who_is_late_anyhow_is_told_when_another_comes),
        cmocka_unit_test(starts_that_are_late_count),
        cmocka_unit_test(who_waits_for_a_lost_job_is_late),
        cmocka_unit_test(who_waits_for_an_offer_is_not_late),
        cmocka_unit_test(what_took_too_long_is_looked_at_once),
        cmocka_unit_test(failures_of_tasks_make_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
