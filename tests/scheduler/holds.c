/* Policies that hold jobs back until a time, and that limit the slots which a job holds; the rule
 * running_most; and the time in which jobs wait for slots. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

typedef struct wishes {
    uint64_t hold[2]; /* after the submission */
    uint32_t limit[2];
    uint32_t limit_on_tick;
} wishes;

static int wish(pn_scheduler_view *view, uint32_t job)
{
    const wishes *w = pn_scheduler_user(view);
    for (uint32_t kind = MAP; kind <= REDUCE; kind++) {
        pn_scheduler_limit(view, job, kind, w->limit[kind]);
        if (w->hold[kind] > 0)
            pn_scheduler_hold(view, job, kind, pn_scheduler_submit_of(view, job) + w->hold[kind]);
    }
    return PN_OK;
}

static int wish_again(pn_scheduler_view *view, uint32_t reason)
{
    const wishes *w = pn_scheduler_user(view);
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    if (reason == PN_SCHEDULER_ON_TICK && job != PN_NO_JOB)
        pn_scheduler_limit(view, job, MAP, w->limit_on_tick);
    return PN_OK;
}

static const pn_scheduler_policy wishing = {.name = "wishing", .arrive = wish, .plan = wish_again};

static void held_jobs_wait_for_their_opening(void **unused)
{
    wishes w = {.hold = {50, 0}, .limit = {UINT32_MAX, UINT32_MAX}};
    host h;
    (void)unused;
    start(&h, &wishing, two);
    h.hooks.policy_user = &w;
    assert_true(pn_scheduler_next_opening(h.s) == NEVER);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 10, &(pn_scheduler_job){.maps = 1}, NULL),
                     PN_OK);
    assert_true(h.wake == 60 && pn_scheduler_next_opening(h.s) == 60);
    assert_false(pn_scheduler_wants(h.s, MAP));
    offer(&h, 20, 0, PN_DONE);
    assert_int_equal(h.wake, 60);
    w.hold[MAP] = 15;
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 20, &(pn_scheduler_job){.maps = 1}, NULL),
                     PN_OK);
    assert_true(h.wake == 35 && pn_scheduler_next_opening(h.s) == 35); /* the earliest one counts */
    assert_int_equal(pn_scheduler_wake(h.s, &h.hooks, 34), PN_OK);
    assert_true(pn_scheduler_next_opening(h.s) == 35 && !pn_scheduler_wants(h.s, MAP));
    assert_int_equal(pn_scheduler_wake(h.s, &h.hooks, 35), PN_OK);
    assert_true(pn_scheduler_next_opening(h.s) == 60 && pn_scheduler_wants(h.s, MAP));
    offer(&h, 36, 0, PN_OK);
    assert_int_equal(h.launched.id, 2);
    offer(&h, 36, 1, PN_DONE);
    assert_int_equal(h.wake, 60);
    offer(&h, 60, 1, PN_OK); /* any event lets go of who may */
    assert_int_equal(h.launched.id, 1);
    assert_true(pn_scheduler_next_opening(h.s) == NEVER);
    size_t told = h.log.count;
    assert_int_equal(pn_scheduler_wake(h.s, &h.hooks, 70), PN_OK); /* nothing to wake */
    assert_int_equal(h.log.count, told);
    stop(&h);
}

static int wish_beforehand(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    answer->accepted = pn_scheduler_tasks(view, job, MAP) == 1;
    return wish(view, job);
}

/* Said in admit it counts as well, for those who are taken. */
static void jobs_may_be_held_before_they_are_taken(void **unused)
{
    static const pn_scheduler_policy cautious = {.name = "cautious", .admit = wish_beforehand};
    wishes w = {.hold = {50, 50}, .limit = {1, 1}};
    pn_scheduler_answer answer;
    host h;
    (void)unused;
    start(&h, &cautious, two);
    h.hooks.policy_user = &w;
    const pn_scheduler_job one = job_of(1, 0, 1, 0, 0), several = job_of(3, 0, 1, 0, 0);
    assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 10, &one, &answer), PN_OK);
    /* nobody is woken up for a question */
    assert_true(h.wake == NEVER && pn_scheduler_next_opening(h.s) == NEVER);
    check_answer(come(&h, 10, several), 1, 0, NEVER, 0, 0);
    assert_true(pn_scheduler_next_opening(h.s) == NEVER && !pn_scheduler_wants(h.s, MAP));
    check_answer(come(&h, 20, one), 2, 1, NEVER, 0, 0);
    assert_true(h.wake == 70 && pn_scheduler_next_opening(h.s) == 70);
    /* jobs that are held are not ranked, under any kind or one that does not exist */
    for (uint32_t kind = 0; kind <= 2; kind++)
        assert_int_equal(pn_scheduler_ranking(h.s, kind, NULL, 0), 0);
    offer(&h, 69, 0, PN_DONE);
    offer(&h, 70, 0, PN_OK);
    stop(&h);
}

static void reduces_are_held_by_themselves(void **unused)
{
    const wishes w = {.hold = {0, 100}, .limit = {UINT32_MAX, UINT32_MAX}};
    pn_scheduler_config config = config_for(&wishing, two);
    host h;
    (void)unused;
    config.attempts_max = 1;
    set_up(&h, &wishing, &config);
    h.hooks.policy_user = (void *)(uintptr_t)&w;
    assert_int_equal(
        pn_scheduler_submit(h.s, &h.hooks, 0, &(pn_scheduler_job){.maps = 1, .reduces = 1}, NULL),
        PN_OK);
    offer(&h, 0, 0, PN_OK);
    finish(&h, 10, 1, MAP, 0);
    offer(&h, 10, 1, PN_DONE);
    assert_false(pn_scheduler_wants(h.s, REDUCE));
    offer(&h, 100, 1, PN_OK);
    finish(&h, 101, 1, REDUCE, 0);
    /* who has failed is held no more */
    assert_int_equal(
        pn_scheduler_submit(h.s, &h.hooks, 200, &(pn_scheduler_job){.maps = 1, .reduces = 1}, NULL),
        PN_OK);
    assert_true(pn_scheduler_next_opening(h.s) == 300);
    offer(&h, 200, 0, PN_OK);
    assert_int_equal(pn_scheduler_failed(h.s, &h.hooks, 201, h.launched.token), PN_OK);
    assert_true(pn_scheduler_next_opening(h.s) == NEVER);
    stop(&h);
}

static void limited_jobs_hold_no_more_slots(void **unused)
{
    wishes w = {.limit = {1, 0}, .limit_on_tick = 2};
    host h;
    (void)unused;
    start(&h, &wishing, three);
    h.hooks.policy_user = &w;
    assert_int_equal(
        pn_scheduler_submit(h.s, &h.hooks, 0, &(pn_scheduler_job){.maps = 5, .reduces = 1}, NULL),
        PN_OK);
    offer(&h, 0, 0, PN_OK);
    assert_false(pn_scheduler_wants(h.s, MAP));
    offer(&h, 0, 1, PN_DONE);
    finish(&h, 10, 1, MAP, 0);
    offer(&h, 10, 1, PN_OK);
    offer(&h, 10, 2, PN_DONE); /* reduces have none at all */
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 11), PN_OK);
    offer(&h, 11, 2, PN_OK);
    offer(&h, 11, 0, PN_DONE);
    w.limit_on_tick = UINT32_MAX;
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 12), PN_OK);
    offer(&h, 12, 0, PN_OK);
    w.limit_on_tick = 1; /* what runs runs on */
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 13), PN_OK);
    finish(&h, 14, 1, MAP, 1);
    finish(&h, 14, 1, MAP, 2);
    offer(&h, 14, 1, PN_DONE);
    stop(&h);
}

/* ---- running_most (CL42) ---- */

/* What the first job could start. */
typedef struct spare {
    uint32_t pending[2], need[2];
    int may[2];
} spare;

static int look(pn_scheduler_view *view, uint32_t reason)
{
    spare *seen = pn_scheduler_user(view);
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    for (uint32_t kind = MAP; kind <= REDUCE && reason == PN_SCHEDULER_ON_TICK; kind++) {
        seen->pending[kind] = pn_scheduler_pending(view, job, kind);
        seen->need[kind] = pn_scheduler_need(view, job, kind);
        seen->may[kind] = pn_scheduler_may_run(view, job, kind);
    }
    return PN_OK;
}

static void check_seen(host *h, uint64_t now, const spare *wanted)
{
    spare seen;
    h->hooks.policy_user = &seen;
    assert_int_equal(pn_scheduler_tick(h->s, &h->hooks, now), PN_OK);
    for (uint32_t kind = MAP; kind <= REDUCE; kind++) {
        assert_int_equal(seen.pending[kind], wanted->pending[kind]);
        assert_int_equal(seen.need[kind], wanted->need[kind]);
        assert_int_equal(seen.may[kind], wanted->may[kind]);
    }
}

static void policies_see_only_tasks_that_may_run(void **unused)
{
    static const pn_scheduler_policy looking = {.name = "looking", .plan = look};
    static const pn_scheduler_nodes large[] = {{1, 4, 4, 0}};
    pn_scheduler_config config = config_for(&looking, large);
    const pn_scheduler_job job = job_of(5, 10, 4, 10, 0);
    host h;
    (void)unused;
    config.running_most = 3;
    config.slowstart_permille = 0;
    set_up(&h, &looking, &config);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
    check_seen(&h, 0, &(spare){{3, 2}, {3, 2}, {1, 1}}); /* a reduce leaves a slot to the maps */
    offer(&h, 0, 0, PN_OK);
    assert_false(pn_scheduler_wants(h.s, MAP) || pn_scheduler_wants(h.s, REDUCE));
    check_seen(&h, 1, &(spare){{0, 0}, {3, 0}, {0, 0}});
    for (uint32_t map = 0; map < 3; map++)
        finish(&h, 10, 1, MAP, map);
    offer(&h, 10, 0, PN_OK); /* two maps and a reduce */
    check_seen(&h, 10, &(spare){{0, 0}, {2, 1}, {0, 0}});
    finish(&h, 20, 1, MAP, 3);
    check_seen(&h, 20, &(spare){{0, 1}, {1, 2}, {1, 1}});
    offer(&h, 20, 0, PN_OK);
    assert_int_equal(h.launched.kind, REDUCE);
    finish(&h, 30, 1, MAP, 4);
    offer(&h, 30, 0, PN_OK); /* the slot that was the maps' */
    check_seen(&h, 30, &(spare){{0, 0}, {0, 3}, {1, 0}});
    stop(&h);
}

/* Reduces that wait for a lost output hold all that the job may have. */
static void a_lost_map_runs_above_the_limit(void **unused)
{
    pn_scheduler_config config = config_for(pn_scheduler_fifo(), two);
    host h;
    (void)unused;
    config.running_most = 1;
    set_up(&h, pn_scheduler_fifo(), &config);
    const pn_scheduler_job job = job_of(1, 10, 1, 10, 0);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
    offer(&h, 0, 0, PN_OK);
    finish(&h, 10, 1, MAP, 0);
    offer(&h, 10, 1, PN_OK);
    assert_int_equal(h.launched.kind, REDUCE);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 11, 0), PN_OK);
    offer(&h, 11, 1, PN_OK);
    assert_true(h.launched.kind == MAP && h.launched.attempt == 1);
    finish(&h, 20, 1, MAP, 0);
    finish(&h, 30, 1, REDUCE, 0);
    assert_int_equal(h.last.state, PN_SCHEDULER_FINISHED);
    stop(&h);
}

/* ---- saturated time (CL43) ---- */

static void check_saturated(const host *h, uint64_t ms)
{
    pn_scheduler_totals totals;
    pn_scheduler_totals_get(h->s, &totals);
    assert_true(PN_HAS(&totals, saturated_ms));
    assert_int_equal(totals.saturated_ms, ms);
    assert_int_equal(pn_scheduler_validate(h->s, pn_scheduler_block_size(h->s)), PN_OK);
}

/* Two slots of each kind; the time counts when the log is written. */
static void time_is_saturated_while_a_task_waits_for_a_slot(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    const pn_scheduler_job job = job_of(3, 10, 0, 0, 0);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 5, &job, NULL), PN_OK);
    offer(&h, 7, 0, PN_OK);
    check_saturated(&h, 0);
    offer(&h, 8, 1, PN_OK);
    assert_int_equal(pn_scheduler_wake(h.s, &h.hooks, 12), PN_OK);
    check_saturated(&h, 0);
    finish(&h, 18, 1, MAP, 0);
    check_saturated(&h, 10);
    offer(&h, 19, 0, PN_OK);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 25, 1), PN_OK); /* a map is lost */
    check_saturated(&h, 10);
    finish(&h, 30, 1, MAP, 2);
    check_saturated(&h, 15);
    stop(&h);
}

/* A job that the policy holds back waits for no slot. */
static void held_jobs_saturate_nothing(void **unused)
{
    wishes w = {.hold = {50, 0}, .limit = {1, 1}};
    host h;
    (void)unused;
    start(&h, &wishing, two);
    h.hooks.policy_user = &w;
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &(pn_scheduler_job){.maps = 3}, NULL),
                     PN_OK);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 0, 1), PN_OK);
    offer(&h, 60, 0, PN_OK);
    check_saturated(&h, 0);
    finish(&h, 70, 1, MAP, 0); /* it ran as many as it may */
    check_saturated(&h, 0);
    stop(&h);
}

/* Remembers where the first job, which it did not take, had its place. */
static int refuse_the_first(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    uint32_t *place = pn_scheduler_user(view);
    if (pn_scheduler_id(view, job) == 1)
        *place = job;
    answer->accepted = pn_scheduler_id(view, job) > 1;
    return PN_OK;
}

static int restrain_a_ghost(pn_scheduler_view *view, uint32_t reason)
{
    const uint32_t *place = pn_scheduler_user(view);
    if (reason == PN_SCHEDULER_ON_TICK) {
        pn_scheduler_limit(view, *place, MAP, 5);
        pn_scheduler_hold(view, *place, MAP, 1000);
    }
    return PN_OK;
}

static void who_was_not_taken_is_not_brought_back(void **unused)
{
    static const pn_scheduler_policy haunted = {
        .name = "haunted", .admit = refuse_the_first, .plan = restrain_a_ghost};
    uint32_t place = PN_NO_JOB;
    host h;
    (void)unused;
    start(&h, &haunted, two);
    h.hooks.policy_user = &place;
    check_answer(come(&h, 0, job_of(2, 0, 0, 0, 0)), 1, 0, NEVER, 0, 0);
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 1), PN_OK);
    assert_true(h.wake == NEVER && pn_scheduler_next_opening(h.s) == NEVER &&
                !pn_scheduler_wants(h.s, MAP));
    offer(&h, 2, 0, PN_DONE);
    check_answer(come(&h, 3, job_of(1, 0, 0, 0, 0)), 2, 1, NEVER, 0, 0);
    offer(&h, 4, 0, PN_OK);
    offer(&h, 4, 1, PN_DONE);
    assert_int_equal(h.launched.id, 2);
    stop(&h);
}

/* Remembers where it had its place. */
static void remember_who_left(pn_scheduler_view *view, uint32_t job)
{
    uint32_t *place = pn_scheduler_user(view);
    *place = job;
}

/* It keeps its place as a predecessor. */
static void who_is_over_is_held_no_more(void **unused)
{
    static const pn_scheduler_policy recalling = {
        .name = "recalling",
        .order = {.started_first = 1},
        .admission = {.finishes = PN_SCHEDULER_FINISHES_RECORDED,
                      .maps_first = 1,
                      .ended_predecessors = 1},
        .admit = pn_scheduler_foresee,
        .leave = remember_who_left,
        .plan = restrain_a_ghost};
    uint32_t place = PN_NO_JOB;
    host h;
    (void)unused;
    start(&h, &recalling, two);
    h.hooks.policy_user = &place;
    for (uint64_t id = 1; id <= 2; id++)
        check_answer(come(&h, 0, job_of(1, 10, 0, 0, 100)), id, 1, 10, 100, 0);
    offer(&h, 0, 0, PN_OK);
    finish(&h, 10, 1, MAP, 0);
    assert_true(place != PN_NO_JOB);
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 10), PN_OK);
    assert_true(h.wake == NEVER && pn_scheduler_next_opening(h.s) == NEVER);
    offer(&h, 10, 1, PN_OK);
    assert_int_equal(h.launched.id, 2);
    offer(&h, 10, 0, PN_DONE);
    stop(&h);
}

/* Has the first job stand back as soon as another comes. */
static int restrain_the_first(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    uint32_t first = pn_scheduler_next(view, PN_NO_JOB);
    (void)answer;
    if (first != job) {
        pn_scheduler_limit(view, first, MAP, 0);
        pn_scheduler_hold(view, first, REDUCE, 1000);
    }
    return PN_OK;
}

static void a_question_restrains_nobody_else(void **unused)
{
    static const pn_scheduler_policy polite = {.name = "polite", .admit = restrain_the_first};
    const pn_scheduler_job job = job_of(2, 0, 1, 0, 0);
    pn_scheduler_answer answer;
    host h;
    (void)unused;
    start(&h, &polite, two);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
    assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 0, &job, &answer), PN_OK);
    assert_true(h.wake == NEVER && pn_scheduler_next_opening(h.s) == NEVER &&
                pn_scheduler_wants(h.s, MAP));
    offer(&h, 0, 0, PN_OK);
    assert_int_equal(h.launched.id, 1);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
    assert_true(h.wake == 1000 && pn_scheduler_next_opening(h.s) == 1000);
    offer(&h, 0, 1, PN_OK);
    assert_int_equal(h.launched.id, 2);
    stop(&h);
}

/* A policy that limits jobs may lift a limit at any tick. */
static void limits_want_every_tick(void **unused)
{
    (void)unused;
    for (int limits = 0; limits <= 1; limits++) {
        const pn_scheduler_policy policy = {.name = "memoryless",
                                            .order = {.memoryless = 1},
                                            .arrive = limits ? wish : NULL,
                                            .plan = wish_again};
        wishes w = {.limit = {1, 1}};
        host h;
        start(&h, &policy, narrow);
        h.hooks.policy_user = &w;
        for (int i = 0; i < 2; i++)
            assert_int_equal(
                pn_scheduler_submit(h.s, &h.hooks, 0, &(pn_scheduler_job){.maps = 1}, NULL), PN_OK);
        offer(&h, 0, 0, PN_OK);
        assert_int_equal(pn_scheduler_wants_ticks(h.s),
                         limits ? PN_SCHEDULER_EVERY_TICK : PN_SCHEDULER_LAST_TICK);
        stop(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_jobs_wait_for_their_opening),
        cmocka_unit_test(jobs_may_be_held_before_they_are_taken),
        cmocka_unit_test(reduces_are_held_by_themselves),
        cmocka_unit_test(limited_jobs_hold_no_more_slots),
        cmocka_unit_test(policies_see_only_tasks_that_may_run),
        cmocka_unit_test(a_lost_map_runs_above_the_limit),
        cmocka_unit_test(time_is_saturated_while_a_task_waits_for_a_slot),
        cmocka_unit_test(held_jobs_saturate_nothing),
        cmocka_unit_test(who_was_not_taken_is_not_brought_back),
        cmocka_unit_test(who_is_over_is_held_no_more),
        cmocka_unit_test(a_question_restrains_nobody_else),
        cmocka_unit_test(limits_want_every_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
