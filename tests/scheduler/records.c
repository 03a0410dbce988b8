/* What rtmr remembers of jobs that are over, and what it makes of it: predecessors that are kept or
 * dropped, feedback that passes over them or goes through them, and the places that they take. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

/* Those of rtmr. */
enum { ORDER, FEEDBACK, THETA_MS, RESERVE, FC_ESTIMATE, FC_COMPLETED, PRED, ESTIMATES, PARAMS };

static void jobs_that_are_over_may_keep_their_places(void **unused)
{
    const double remembering[PARAMS] = {[FEEDBACK] = 1, [FC_COMPLETED] = 1, [PRED] = 1};
    pn_scheduler_config config = config_for(pn_scheduler_rtmr(), two);
    unsigned refused = 0;
    host h;
    (void)unused;
    config.jobs_max = 3;
    set_up(&h, pn_scheduler_rtmr(), &config);
    h.hooks.params = remembering;
    check_answer(come(&h, 0, job_of(1, 1000, 0, 0, 5000)), 1, 1, 1000, 5000, 0);
    offer(&h, 0, 0, PN_OK);
    for (uint64_t i = 2; i < 30; i++) {
        const pn_scheduler_job job = job_of(1, 10, 0, 0, 5000);
        pn_scheduler_answer answer = {.id = 0};
        kept before = keep(h.s, pn_scheduler_block_size(h.s));
        int status = pn_scheduler_submit(h.s, &h.hooks, 10 * i, &job, &answer);
        if (status == PN_ERR_FULL) {
            assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 10 * i, &job, &answer), PN_ERR_FULL);
            assert_int_equal(answer.id, 0);
            check_unchanged(&before);
            refused++;
            continue;
        }
        free(before.bytes);
        assert_int_equal(status, PN_OK);
        assert_int_equal(answer.accepted, 1);
        offer(&h, 10 * i, 1, PN_OK);
        finish(&h, 10 * i + 5, answer.id, MAP, 0);
    }
    assert_in_range(refused, 1, 27);
    finish(&h, 900, 1, MAP, 0);
    assert_int_equal(totals_of(&h).in_system, 0);
    /* nobody needs the others any more */
    assert_int_equal(come(&h, 900, job_of(1, 10, 0, 0, 5000)).accepted, 1);
    stop(&h);
}

/* Rounds of jobs that fill the system to the brim until all are over: two map slots, so that later
 * ones may end first. */
static void places_are_free_when_all_jobs_are_over(void **unused)
{
    enum { MOST = 3 };
    (void)unused;
    for (int rules = 1; rules < 4; rules++) {
        const double params[PARAMS] = {
            [FEEDBACK] = 1, [FC_COMPLETED] = rules & 1, [PRED] = rules >> 1};
        pn_scheduler_config config = config_for(pn_scheduler_rtmr(), two);
        uint64_t now = 0, id = 0;
        host h;
        config.jobs_max = MOST;
        set_up(&h, pn_scheduler_rtmr(), &config);
        h.hooks.params = params;
        for (unsigned round = 0; round < 12; round++) {
            for (unsigned i = 0; i < MOST; i++)
                check_answer(come(&h, now, job_of(1, 10, 0, 0, 1000 + i)), id + i + 1, 1,
                             now + (i < 2 ? 10 : 20), 1000 + i, 0);
            offer(&h, now, 0, PN_OK);
            offer(&h, now, 1, PN_OK);
            finish(&h, now + 10, id + 1 + round % 2, MAP, 0);
            offer(&h, now + 10, round % 2, PN_OK);
            finish(&h, now + (round % 3 ? 12 : 20), id + (round % 3 ? 3 : 2 - round % 2), MAP, 0);
            finish(&h, now + 20, id + (round % 3 ? 2 - round % 2 : 3), MAP, 0);
            assert_int_equal(totals_of(&h).in_system, 0);
            id += MOST;
            now += 20;
        }
        stop(&h);
    }
}

/* Only the last of several that are over is needed as a predecessor. */
static void predecessors_need_few_places(void **unused)
{
    const double params[PARAMS] = {[FEEDBACK] = 1, [PRED] = 1};
    pn_scheduler_config config = config_for(pn_scheduler_rtmr(), two);
    host h;
    (void)unused;
    config.jobs_max = 2;
    set_up(&h, pn_scheduler_rtmr(), &config);
    h.hooks.params = params;
    check_answer(come(&h, 0, job_of(1, 1000, 0, 0, 5000)), 1, 1, 1000, 5000, 0);
    offer(&h, 0, 0, PN_OK);
    for (uint64_t id = 2; id < 30; id++) {
        check_answer(come(&h, 10 * id, job_of(1, 10, 0, 0, 5000)), id, 1, 10 * id + 10, 5000, 0);
        offer(&h, 10 * id, 1, PN_OK);
        finish(&h, 10 * id + 10, id, MAP, 0);
    }
    stop(&h);
}

/* Where neither rule asks for it nobody keeps a place, though the first job is not over; the last
 * of the others ends first. */
static void jobs_that_are_over_keep_no_places_otherwise(void **unused)
{
    pn_scheduler_config config = config_for(pn_scheduler_rtmr(), three);
    host h;
    (void)unused;
    config.jobs_max = 3;
    set_up(&h, pn_scheduler_rtmr(), &config);
    check_answer(come(&h, 0, job_of(1, 1000, 0, 0, 5000)), 1, 1, 1000, 5000, 0);
    offer(&h, 0, 0, PN_OK);
    for (uint64_t id = 2; id < 30; id += 2) {
        for (uint32_t i = 0; i < 2; i++) {
            check_answer(come(&h, 10 * id, job_of(1, 10, 0, 0, 5000)), id + i, 1, 10 * id + 10,
                         5000, 0);
            offer(&h, 10 * id, 1 + i, PN_OK);
        }
        finish(&h, 10 * id + 10, id + 1, MAP, 0);
        finish(&h, 10 * id + 10, id, MAP, 0);
    }
    stop(&h);
}

/* A slot of each kind. Theta is too large for feedback, so the record of the second job, which is
 * over long before it was to be, still says 60; that of the first says 10. */
static void predecessors_are_over_or_not(void **unused)
{
    static const pn_scheduler_nodes one[] = {{1, 1, 1, 0}};
    (void)unused;
    for (int rules = 0; rules < 4; rules++) {
        const double params[PARAMS] = {
            [FEEDBACK] = 1, [THETA_MS] = 1000, [FC_COMPLETED] = rules & 1, [PRED] = rules >> 1};
        const uint64_t from = rules & 2 ? 60 : 12;
        host h;
        start(&h, pn_scheduler_rtmr(), one);
        h.hooks.params = params;
        check_answer(come(&h, 0, job_of(1, 10, 1, 1000, 5000)), 1, 1, 1010, 5000, 0);
        check_answer(come(&h, 0, job_of(1, 50, 0, 0, 6000)), 2, 1, 60, 6000, 0);
        offer(&h, 0, 0, PN_OK);
        finish(&h, 10, 1, MAP, 0);
        offer(&h, 10, 0, PN_OK);
        finish(&h, 12, 2, MAP, 0);
        check_answer(come(&h, 12, job_of(1, 5, 0, 0, 7000)), 3, 1, from + 5, 7000, 0);
        check_answer(come(&h, 12, job_of(1, 5, 0, 0, 8000)), 4, 1, from + 10, 8000, 0);
        stop(&h);
    }
}

/* A slot of each kind; jobs by what they are: B 10 + 300, X 10 + 100, C 100, Y 10 or not there. C
 * is over at 25, B at 50, which fires feedback: nothing ahead of B, X's map 50-60, C: over by 50 if
 * feedback goes through it and it has finished; Y 10 behind C then, behind X if not. Who comes next
 * needs 10, behind Y; or behind X or what is recorded of C: 50 then, else 120 as ever. */
static void check_chain(int satu, int keep_all, int failed, int with_y)
{
    static const pn_scheduler_nodes one[] = {{1, 1, 1, 0}};
    const double params[PARAMS] = {
        [FEEDBACK] = 1, [THETA_MS] = 200, [FC_COMPLETED] = satu, [PRED] = keep_all};
    const bool through = satu && !failed;
    pn_scheduler_config config = config_for(pn_scheduler_rtmr(), one);
    uint64_t next = 4, expected = 70;
    host h;
    config.attempts_max = 1;
    set_up(&h, pn_scheduler_rtmr(), &config);
    h.hooks.params = params;
    check_answer(come(&h, 0, job_of(1, 10, 1, 300, 1000)), 1, 1, 310, 1000, 0);
    check_answer(come(&h, 0, job_of(1, 10, 1, 100, 2000)), 2, 1, 410, 2000, 0);
    check_answer(come(&h, 0, job_of(1, 100, 0, 0, 3000)), 3, 1, 120, 3000, 0);
    if (with_y)
        check_answer(come(&h, 0, job_of(1, 10, 0, 0, 4000)), next++, 1, 130, 4000, 0);
    offer(&h, 0, 0, PN_OK);
    finish(&h, 10, 1, MAP, 0);
    offer(&h, 10, 0, PN_OK);
    finish(&h, 20, 2, MAP, 0);
    offer(&h, 20, 0, PN_OK);
    if (failed)
        assert_int_equal(pn_scheduler_failed(h.s, &h.hooks, 25, token_of(&h, 3, MAP, 0)), PN_OK);
    else
        finish(&h, 25, 3, MAP, 0);
    assert_int_equal(totals_of(&h).feedback_fired, 0);
    finish(&h, 50, 1, REDUCE, 0);
    assert_int_equal(totals_of(&h).feedback_fired, 1);
    if (with_y)
        expected = through ? 70 : 80;
    else if (keep_all)
        expected = through ? 60 : 130;
    check_answer(come(&h, 50, job_of(1, 10, 0, 0, 5000)), next, 1, expected, 5000, 0);
    stop(&h);
}

static void feedback_goes_through_jobs_that_have_finished(void **unused)
{
    (void)unused;
    for (int bits = 0; bits < 16; bits++)
        check_chain(bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3);
}

/* The first job's reduce runs on, the second is over; then feedback of the third, which counts from
 * its predecessor: with both map slots free, or as recorded with the second, at 50 and 60. The
 * fourth is estimated anew behind it, and the fifth behind that. */
static void feedback_counts_from_the_predecessor(void **unused)
{
    (void)unused;
    for (int rules = 0; rules < 4; rules++) {
        const double params[PARAMS] = {
            [FEEDBACK] = 1, [THETA_MS] = 400, [FC_COMPLETED] = rules & 1, [PRED] = rules >> 1};
        host h;
        start(&h, pn_scheduler_rtmr(), wide);
        h.hooks.params = params;
        check_answer(come(&h, 0, job_of(1, 10, 1, 1000, 5000)), 1, 1, 1010, 5000, 0);
        check_answer(come(&h, 0, job_of(2, 50, 0, 0, 6000)), 2, 1, 60, 6000, 0);
        offer(&h, 0, 0, PN_OK);
        finish(&h, 10, 1, MAP, 0);
        offer(&h, 10, 0, PN_OK);
        finish(&h, 11, 2, MAP, 0);
        finish(&h, 12, 2, MAP, 1);
        check_answer(come(&h, 12, job_of(1, 500, 0, 0, 7000)), 3, 1, rules & 2 ? 550 : 512, 7000,
                     0);
        check_answer(come(&h, 12, job_of(2, 5, 0, 0, 8000)), 4, 1, rules & 2 ? 70 : 22, 8000, 0);
        offer(&h, 12, 0, PN_OK);
        finish(&h, 20, 3, MAP, 0);
        assert_int_equal(totals_of(&h).feedback_fired, 1);
        check_answer(come(&h, 20, job_of(2, 5, 0, 0, 9000)), 5, 1, rules & 2 ? 40 : 30, 9000, 0);
        stop(&h);
    }
}

/* As it would be estimated now, behind the first job or the second, which is over: 100 or 146 ms
 * later than it ended. */
static void estimates_anew_count_from_the_predecessor(void **unused)
{
    static const pn_scheduler_nodes one[] = {{1, 1, 1, 0}};
    (void)unused;
    for (int rules = 0; rules < 4; rules++) {
        const double params[PARAMS] = {[FEEDBACK] = 1,
                                       [THETA_MS] = 120,
                                       [FC_ESTIMATE] = 1,
                                       [FC_COMPLETED] = rules & 1,
                                       [PRED] = rules >> 1};
        host h;
        start(&h, pn_scheduler_rtmr(), one);
        h.hooks.params = params;
        come(&h, 0, job_of(1, 10, 1, 1000, 5000));
        come(&h, 0, job_of(1, 50, 0, 0, 6000));
        come(&h, 0, job_of(1, 100, 0, 0, 7000));
        offer(&h, 0, 0, PN_OK);
        for (uint64_t id = 1; id <= 3; id++) {
            finish(&h, 8 + 2 * id, id, MAP, 0); /* 10, 12, 14 */
            assert_int_equal(totals_of(&h).feedback_fired, id == 3 && rules & 2);
            offer(&h, 8 + 2 * id, 0, id == 3 ? PN_DONE : PN_OK);
        }
        stop(&h);
    }
}

/* The second job has failed and its maps were never done, but it is remembered: no slot is kept for
 * its reduce. */
static void who_has_failed_needs_no_slots_kept_free(void **unused)
{
    static const pn_scheduler_nodes one[] = {{1, 1, 2, 0}};
    const double params[PARAMS] = {
        [FEEDBACK] = 1, [THETA_MS] = 1000, [FC_COMPLETED] = 1, [PRED] = 1};
    pn_scheduler_config config = config_for(pn_scheduler_rtmr(), one);
    host h;
    (void)unused;
    config.attempts_max = 1;
    set_up(&h, pn_scheduler_rtmr(), &config);
    h.hooks.params = params;
    for (uint64_t id = 1; id <= 3; id++)
        assert_int_equal(come(&h, 0, job_of(1, 10, 1, 100, 1000 * id)).accepted, 1);
    offer(&h, 0, 0, PN_OK);
    finish(&h, 10, 1, MAP, 0);
    offer(&h, 10, 0, PN_OK);
    assert_int_equal(pn_scheduler_failed(h.s, &h.hooks, 15, token_of(&h, 2, MAP, 0)), PN_OK);
    offer(&h, 15, 0, PN_OK);
    finish(&h, 25, 3, MAP, 0);
    offer(&h, 25, 0, PN_OK);
    assert_true(h.launched.id == 3 && h.launched.kind == REDUCE &&
                run_of(&h, 1, REDUCE, 0) != PN_SCHEDULER_NO_ATTEMPT);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_that_are_over_may_keep_their_places),
        cmocka_unit_test(places_are_free_when_all_jobs_are_over),
        cmocka_unit_test(predecessors_need_few_places),
        cmocka_unit_test(jobs_that_are_over_keep_no_places_otherwise),
        cmocka_unit_test(predecessors_are_over_or_not),
        cmocka_unit_test(feedback_goes_through_jobs_that_have_finished),
        cmocka_unit_test(feedback_counts_from_the_predecessor),
        cmocka_unit_test(estimates_anew_count_from_the_predecessor),
        cmocka_unit_test(who_has_failed_needs_no_slots_kept_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
