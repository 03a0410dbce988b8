/* Policies of one's own that admit jobs and deal with them, what they hear of them; and descriptors
 * that do not go together. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

/* ---- policies of one's own ---- */

/* As rtmr-live has it. */
#define LIVE_ADMISSION                                                               \
    {                                                                                \
        .deadlines = 1, .finishes = PN_SCHEDULER_FINISHES_FORECAST, .maps_first = 1, \
        .reserve = PN_SCHEDULER_RESERVE_ALL                                          \
    }

static void by_deadline(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = pn_scheduler_submit_of(view, job) + pn_scheduler_deadline_of(view, job);
    key->word[1] = pn_scheduler_submit_of(view, job);
}

/* Who would miss its deadline, or make others miss theirs, is given the one it can make behind all
 * others. */
static int deal(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    assert_true(answer->accepted == 1 && answer->estimate == NEVER && answer->blocker == 0);
    assert_int_equal(answer->id, pn_scheduler_id(view, job));
    assert_int_equal(pn_scheduler_foresee(view, job, answer), PN_OK);
    if (answer->accepted)
        return PN_OK;
    assert_int_equal(pn_scheduler_set_deadline(view, job, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_set_deadline(view, job, PN_INTEGER_MAX + 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_set_deadline(view, job, PN_INTEGER_MAX), PN_OK);
    assert_int_equal(pn_scheduler_deadline_of(view, job), PN_INTEGER_MAX);
    assert_int_equal(pn_scheduler_foresee(view, job, answer), PN_OK);
    uint64_t ms = answer->estimate - pn_scheduler_submit_of(view, job);
    assert_int_equal(pn_scheduler_set_deadline(view, job, ms), PN_OK);
    assert_int_equal(pn_scheduler_foresee(view, job, answer), PN_OK);
    return PN_OK;
}

/* What may be said in admit only. */
static int too_late_to_deal(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_answer answer;
    assert_int_equal(pn_scheduler_set_deadline(view, job, 5), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_scheduler_set_est_ms(view, job, MAP, 5), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_scheduler_foresee(view, job, &answer), PN_ERR_INFEASIBLE);
    assert_true(pn_scheduler_estimate_of(view, job) != NEVER);
    assert_true(pn_scheduler_estimate_anew(view, job) == NEVER);
    return PN_OK;
}

static void nothing_to_deal_any_more(pn_scheduler_view *view, uint32_t job)
{
    too_late_to_deal(view, job);
}

static const pn_scheduler_policy dealing = {.name = "dealing",
                                            .order = {.started_first = 1},
                                            .admission = LIVE_ADMISSION,
                                            .key = by_deadline,
                                            .admit = deal,
                                            .arrive = too_late_to_deal,
                                            .leave = nothing_to_deal_any_more};

static void deadlines_are_a_matter_of_agreement(void **unused)
{
    host h;
    (void)unused;
    start(&h, &dealing, narrow);
    check_answer(come(&h, 0, job_of(1, 100, 0, 0, 110)), 1, 1, 100, 110, 0);
    /* behind the first, by its new deadline */
    check_answer(come(&h, 0, job_of(1, 30, 0, 0, 20)), 2, 1, 130, 130, 0);
    check_last(&h, 0, PN_SCHEDULER_ACCEPT, 2, 130, 130);
    for (uint64_t id = 1; id <= 2; id++) {
        offer(&h, 100 * (id - 1), 0, PN_OK);
        assert_int_equal(h.launched.id, id);
        finish(&h, 100 + 30 * (id - 1), id, MAP, 0);
    }
    assert_true(h.last.id == 2 && h.last.finish == 130 && h.last.deadline == 130 &&
                h.last.promise == 130);
    assert_int_equal(totals_of(&h).successful, 2);
    check_answer(come(&h, 200, job_of(1, 10, 0, 0, 1)), 3, 1, 210, 10, 0);
    offer(&h, 201, 0, PN_OK);
    finish(&h, 211, 3, MAP, 0);
    assert_true(h.last.id == 3 && h.last.deadline == 10 && h.last.finish == 211);
    assert_int_equal(totals_of(&h).successful, 2); /* missed by 1 */
    stop(&h);
}

static void by_second_word(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = 7;
    key->word[1] = pn_scheduler_deadline_of(view, job);
}

/* The second word of the key breaks ties of the first one, and the id breaks those of both. */
static void equal_keys_are_ordered_by_id(void **unused)
{
    static const pn_scheduler_policy tied = {.name = "tied",
                                             .order = {.started_first = 1},
                                             .admission = LIVE_ADMISSION,
                                             .key = by_second_word,
                                             .admit = pn_scheduler_foresee};
    host h;
    (void)unused;
    start(&h, &tied, narrow);
    check_answer(come(&h, 0, job_of(2, 10, 0, 0, 1000)), 1, 1, 20, 1000, 0);
    check_answer(come(&h, 0, job_of(1, 5, 0, 0, 500)), 2, 1, 5, 500, 0);
    check_answer(come(&h, 0, job_of(1, 4, 0, 0, 500)), 3, 1, 9, 500, 0);
    check_answer(come(&h, 0, job_of(1, 3, 0, 0, 499)), 4, 1, 3, 499, 0);
    check_answer(come(&h, 0, job_of(1, 2, 0, 0, 501)), 5, 1, 14, 501, 0);
    stop(&h);
}

/* Estimates of one's own, whatever the job says. */
static int measure(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    const uint64_t most = (uint64_t)1 << 40;
    const uint64_t *ms = pn_scheduler_user(view);
    for (uint32_t kind = MAP; kind <= REDUCE; kind++) {
        assert_int_equal(pn_scheduler_set_est_ms(view, job, kind, 0), PN_ERR_ARGUMENT);
        assert_int_equal(pn_scheduler_set_est_ms(view, job, kind, most + 1), PN_ERR_ARGUMENT);
        assert_int_equal(pn_scheduler_set_est_ms(view, job, kind, most), PN_OK);
        assert_true(pn_scheduler_est_ms(view, job, kind) == most + 2 + kind);
        assert_int_equal(pn_scheduler_set_est_ms(view, job, kind, ms[kind]), PN_OK);
        assert_true(pn_scheduler_est_ms(view, job, kind) == ms[kind] + 2 + kind);
    }
    assert_true(pn_scheduler_input_of(view, job) == ms[2] &&
                pn_scheduler_intermediate_of(view, job) == ms[3]);
    return pn_scheduler_foresee(view, job, answer);
}

static const pn_scheduler_policy measuring = {
    .name = "measuring",
    .order = {.started_first = 1},
    .admission = {.finishes = PN_SCHEDULER_FINISHES_FORECAST,
                  .maps_first = 1,
                  .reserve = PN_SCHEDULER_RESERVE_ALL},
    .key = by_deadline,
    .admit = measure};

static void estimates_may_come_from_the_policy(void **unused)
{
    pn_scheduler_config config = config_for(&measuring, wide);
    uint64_t user[] = {30, 7, 2, 2};
    host h;
    (void)unused;
    config.extra_ms[MAP] = 2;
    config.extra_ms[REDUCE] = 3;
    set_up(&h, &measuring, &config);
    h.hooks.policy_user = user;
    static const uint64_t unknown[][2] = {{0, 1}, {1, 0}};
    for (int i = 0; i < 2; i++) { /* deadlines need not be known, estimates must be */
        const pn_scheduler_job vague = job_of(2, unknown[i][MAP], 1, unknown[i][REDUCE], 0);
        assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &vague, NULL), PN_ERR_JOB);
    }
    pn_scheduler_job job = job_of(2, 1, 1, 1, 100);
    check_answer(come(&h, 0, job), 1, 1, 42, 100, 0);
    user[2] = user[3] = job.input = 555;
    check_answer(come(&h, 0, job), 2, 1, 74, 100, 0);
    user[3] = job.intermediate = 5;
    check_answer(come(&h, 0, job), 3, 0, 106, 100, 3);
    job.deadline = 0; /* nothing to miss, and nobody waits for it */
    check_answer(come(&h, 0, job), 4, 0, 42, 0, 2);
    stop(&h);
}

/* Asks twice, the second time about shorter tasks. */
static int shorten(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    assert_int_equal(pn_scheduler_foresee(view, job, answer), PN_OK);
    if (answer->accepted)
        return PN_OK;
    assert_int_equal(pn_scheduler_set_est_ms(view, job, MAP, 1), PN_OK);
    return pn_scheduler_foresee(view, job, answer);
}

/* The second job was late after a failure, but is in time again when the fifth comes, which nobody
 * has noticed until then; a question about the fifth has to see it all the same. */
static void what_is_foreseen_twice_is_told_once(void **unused)
{
    static const pn_scheduler_policy shortening = {.name = "shortening",
                                                   .order = {.started_first = 1},
                                                   .admission = LIVE_ADMISSION,
                                                   .key = by_deadline,
                                                   .admit = shorten};
    host h;
    (void)unused;
    start(&h, &shortening, narrow);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 1000)), 1, 1, 10, 1000, 0);
    offer(&h, 0, 0, PN_OK);
    check_answer(come(&h, 0, job_of(1, 5, 0, 0, 16)), 2, 1, 15, 16, 0);
    assert_int_equal(pn_scheduler_failed(h.s, &h.hooks, 8, token_of(&h, 1, MAP, 0)), PN_OK);
    check_last(&h, 8, PN_SCHEDULER_LATE, 2, 23, 16);
    offer(&h, 8, 0, PN_OK);
    finish(&h, 9, 1, MAP, 0); /* sooner than it was to */
    check_answer(come(&h, 9, job_of(1, 1, 0, 0, 3)), 3, 1, 10, 3, 0);
    check_answer(come(&h, 9, job_of(1, 5, 0, 0, 13)), 4, 1, 20, 13, 0);
    offer(&h, 9, 0, PN_OK);
    assert_int_equal(h.launched.id, 3);
    finish(&h, 11, 3, MAP, 0); /* later than it was to: the next question looks at all jobs */
    check_answer(come(&h, 11, job_of(1, 4, 0, 0, 4)), 5, 0, 12, 4, 2);
    stop(&h);
}

/* Nobody says anything about when it will end. */
static int choose(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    assert_int_equal(pn_scheduler_foresee(view, job, answer), PN_ERR_INFEASIBLE);
    answer->accepted = pn_scheduler_tasks(view, job, MAP) != 3;
    answer->estimate = pn_scheduler_now(view) + 1;
    return PN_OK;
}

static void any_policy_may_refuse(void **unused)
{
    static const pn_scheduler_policy choosing = {.name = "choosing", .admit = choose};
    host h;
    (void)unused;
    start(&h, &choosing, two);
    const pn_scheduler_job small = {.maps = 2}, other = {.maps = 3};
    check_answer(come(&h, 4, small), 1, 1, 5, 0, 0);
    check_answer(come(&h, 4, other), 2, 0, 5, 0, 0);
    check_answer(come(&h, 6, small), 3, 1, 7, 0, 0);
    assert_true(h.ends == 1 && h.last.state == PN_SCHEDULER_REJECTED && h.last.promise == 5);
    offer(&h, 6, 0, PN_OK);
    offer(&h, 6, 1, PN_OK);
    assert_int_equal(h.launched.id, 1);
    stop(&h);
}

/* Has a say about others too, which it has not, and says no to every second job after all. */
static int meddle(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    uint64_t *user = pn_scheduler_user(view);
    uint32_t other = pn_scheduler_next(view, PN_NO_JOB);
    user[pn_scheduler_asked(view)]++;
    if (other != job) {
        assert_int_equal(pn_scheduler_set_deadline(view, other, 1), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_scheduler_set_est_ms(view, other, MAP, 1), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_scheduler_foresee(view, other, answer), PN_ERR_INFEASIBLE);
    }
    assert_int_equal(pn_scheduler_set_deadline(view, job, 33), PN_OK);
    answer->accepted = pn_scheduler_id(view, job) % 2;
    return PN_OK;
}

static void a_policy_has_a_say_about_the_newcomer_only(void **unused)
{
    static const pn_scheduler_policy meddling = {.name = "meddling",
                                                 .order = {.started_first = 1},
                                                 .admission = LIVE_ADMISSION,
                                                 .key = by_deadline,
                                                 .admit = meddle};
    uint64_t admitted[2] = {0, 0};
    host h;
    (void)unused;
    start(&h, &meddling, two);
    h.hooks.policy_user = admitted;
    check_answer(come(&h, 0, job_of(1, 5, 0, 0, 20)), 1, 1, NEVER, 33, 0);
    /* who is not taken has agreed on nothing */
    check_answer(come(&h, 1, job_of(1, 5, 0, 0, 20)), 2, 0, NEVER, 20, 0);
    check_last(&h, 1, PN_SCHEDULER_REJECT, 2, NEVER, 20);
    assert_int_equal(h.last.deadline, 20);
    assert_true(admitted[0] == 2 && admitted[1] == 2);
    stop(&h);
}

/* Promises whatever it draws. What is drawn for a question is drawn again. */
static int draw_lots(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    (void)job;
    answer->estimate = pn_random32(pn_scheduler_stream(view));
    return PN_OK;
}

static void a_question_draws_nothing(void **unused)
{
    static const pn_scheduler_policy drawing = {.name = "drawing", .admit = draw_lots};
    const pn_scheduler_job job = {.maps = 1};
    host h;
    (void)unused;
    start(&h, &drawing, two);
    pn_scheduler_answer one = come(&h, 0, job), other = come(&h, 0, job);
    assert_true(one.estimate != other.estimate);
    stop(&h);
}

/* Takes every job, whatever it foresees. */
static int insist(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    int status = pn_scheduler_foresee(view, job, answer);
    answer->accepted = 1;
    return status;
}

/* Notes what is expected of the first job. */
static int note_the_first(pn_scheduler_view *view, uint32_t job)
{
    uint64_t *seen = pn_scheduler_user(view);
    (void)job;
    *seen = pn_scheduler_estimate_of(view, pn_scheduler_next(view, PN_NO_JOB));
    return PN_OK;
}

static const pn_scheduler_policy insisting = {.name = "insisting",
                                              .order = {.started_first = 1},
                                              .admission = LIVE_ADMISSION,
                                              .key = by_deadline,
                                              .admit = insist,
                                              .arrive = note_the_first};

static void who_is_passed_by_is_expected_later(void **unused)
{
    uint64_t first = 0;
    host h;
    (void)unused;
    start(&h, &insisting, narrow);
    h.hooks.policy_user = &first;
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 15)), 1, 1, 10, 15, 0);
    assert_int_equal(first, 10);
    check_answer(come(&h, 0, job_of(1, 5, 0, 0, 5)), 2, 1, 5, 5, 0);
    assert_int_equal(first, 15);
    check_answer(come(&h, 0, job_of(1, 7, 0, 0, 100)), 3, 1, 22, 100, 0);
    assert_int_equal(first, 15);
    assert_int_equal(totals_of(&h).late, 0);
    stop(&h);
}

/* Nobody else is asked, but those whom it makes late are told at once. */
static void who_is_taken_against_the_answer_makes_others_late(void **unused)
{
    uint64_t first = 0;
    host h;
    (void)unused;
    start(&h, &insisting, narrow);
    h.hooks.policy_user = &first;
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 15)), 1, 1, 10, 15, 0);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 12)), 2, 1, 10, 12, 1);
    check_last(&h, 0, PN_SCHEDULER_LATE, 1, 20, 15);
    assert_true(first == 20 && totals_of(&h).late == 1);
    /* who is late already blocks nobody */
    check_answer(come(&h, 0, job_of(1, 1, 0, 0, 11)), 3, 1, 1, 11, 0);
    check_answer(come(&h, 0, job_of(1, 1, 0, 0, 1)), 4, 1, 1, 1, 0);
    /* late itself, and another one is now */
    check_answer(come(&h, 0, job_of(1, 9, 0, 0, 2)), 5, 1, 10, 2, 5);
    check_last(&h, 0, PN_SCHEDULER_LATE, 2, 21, 12);
    assert_int_equal(totals_of(&h).late, 3);
    stop(&h);
}

/* Kills an attempt of the first job when its time has come. */
static int kill_the_first(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t first = pn_scheduler_next(view, PN_NO_JOB);
    if (first == PN_NO_JOB || kind != MAP || pn_scheduler_now(view) != 8)
        return PN_OK;
    return pn_scheduler_kill(view, first, MAP, 1, NULL);
}

/* After a kill all jobs are looked at again when another comes: the first two are late anyhow. */
static void who_was_killed_is_late_and_blocks_nobody(void **unused)
{
    static const pn_scheduler_policy killing = {.name = "killing",
                                                .order = {.started_first = 1},
                                                .admission = LIVE_ADMISSION,
                                                .key = by_deadline,
                                                .admit = pn_scheduler_foresee,
                                                .preempt = kill_the_first};
    host h;
    (void)unused;
    start(&h, &killing, narrow);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 15)), 1, 1, 10, 15, 0);
    offer(&h, 0, 0, PN_OK);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 22)), 2, 1, 20, 22, 0);
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 8), PN_OK);
    assert_true(totals_of(&h).kills == 1 && totals_of(&h).late == 0);
    check_answer(come(&h, 8, job_of(1, 1, 0, 0, 12)), 3, 1, 19, 12, 0);
    assert_int_equal(totals_of(&h).late, 2);
    stop(&h);
}

/* ---- who failed, and how long tasks took ---- */

static void see_off(pn_scheduler_view *view, uint32_t job)
{
    uint64_t *seen = pn_scheduler_user(view);
    seen[0] = (uint64_t)pn_scheduler_has_failed(view, job);
    seen[1] = pn_scheduler_longest(view, job, MAP);
    seen[2] = pn_scheduler_longest(view, job, REDUCE);
}

static void policies_hear_how_it_went(void **unused)
{
    static const pn_scheduler_policy hearing = {.name = "hearing", .leave = see_off};
    pn_scheduler_config config = config_for(&hearing, two);
    uint64_t seen[3] = {7, 7, 7};
    host h;
    (void)unused;
    config.attempts_max = 1;
    set_up(&h, &hearing, &config);
    h.hooks.policy_user = seen;
    come(&h, 0, job_of(2, 1, 1, 1, 0));
    offer(&h, 0, 0, PN_OK);
    offer(&h, 4, 1, PN_OK);
    finish(&h, 10, 1, MAP, 0);
    finish(&h, 11, 1, MAP, 1);
    offer(&h, 12, 0, PN_OK);
    assert_int_equal(pn_scheduler_started(h.s, &h.hooks, 15, h.launched.token), PN_OK);
    finish(&h, 20, 1, REDUCE, 0);
    assert_true(seen[0] == 0 && seen[1] == 10 && seen[2] == 5);
    come(&h, 30, job_of(1, 1, 0, 0, 0));
    offer(&h, 30, 0, PN_OK);
    assert_int_equal(pn_scheduler_failed(h.s, &h.hooks, 40, h.launched.token), PN_OK);
    assert_true(seen[0] == 1 && seen[1] == 0 && seen[2] == 0); /* it did not end well */
    stop(&h);
}

/* ---- descriptors that do not go together ---- */

static int accept_all(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    (void)view;
    (void)job;
    (void)answer;
    return PN_OK;
}

static int pick_first(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    (void)node;
    *job = pn_scheduler_first(view, kind);
    return PN_OK;
}

typedef struct rules {
    pn_scheduler_order order;
    pn_scheduler_admission admission;
} rules;

static rules rules_of(const pn_scheduler_view *view)
{
    return (rules){pn_scheduler_order_get(view), pn_scheduler_admission_get(view)};
}

/* Asks for the rules of the user. */
static int ask_for_rules(pn_scheduler_view *view)
{
    const rules *asked = pn_scheduler_user(view);
    rules before = rules_of(view);
    int status = pn_scheduler_set_rules(view, &asked->order, &asked->admission);
    rules after = rules_of(view);
    assert_memory_equal(&after, status == PN_OK ? asked : &before, sizeof after);
    return status == PN_ERR_ARGUMENT ? -1234 : status;
}

static const rules ordered = {{.started_first = 1}, {.maps_first = 1}};
static const rules forecasting = {{.started_first = 1},
                                  {.maps_first = 1, .finishes = PN_SCHEDULER_FINISHES_FORECAST}};
static const rules recording = {{.started_first = 1},
                                {.maps_first = 1, .finishes = PN_SCHEDULER_FINISHES_RECORDED}};

static const rules wrong_rules[] = {
    {{.started_first = 1, .shares = PN_SCHEDULER_SHARES_CONSERVING}, {.maps_first = 1}},
    {{.started_first = 1, .shares = PN_SCHEDULER_SHARES_STRICT}, {.maps_first = 1}},
    {{.started_first = 1, .delays = 1}, {.maps_first = 1}},
    {{.started_first = 1, .colocates = 1}, {.maps_first = 1}},
    {{.started_first = 1, .keys = PN_SCHEDULER_KEYS_SERVED}, {.maps_first = 1}},
    {{.started_first = 1, .keys = PN_SCHEDULER_KEYS_PLANNED}, {.maps_first = 1}},
    {{.started_first = 1, .keys = PN_SCHEDULER_KEYS_TIMED}, {.maps_first = 1}},
    {{0}, {.maps_first = 1, .reserve = PN_SCHEDULER_RESERVE_ALL}},
    {{.started_first = 1}, {.reserve = PN_SCHEDULER_RESERVE_ALL}},
    {{.started_first = 1}, {.reserve = PN_SCHEDULER_RESERVE_LESS}},
    {{0}, {.finishes = PN_SCHEDULER_FINISHES_FORECAST}},
    {{0}, {.finishes = PN_SCHEDULER_FINISHES_RECORDED}},
    {{.started_first = 1}, {.maps_first = 1, .ended_predecessors = 1}},
    {{.started_first = 1}, {.maps_first = 1, .ended_feedback = 1}},
    {{.started_first = 1},
     {.maps_first = 1, .finishes = PN_SCHEDULER_FINISHES_FORECAST, .ended_feedback = 1}},
    {{.started_first = 1}, {.finishes = PN_SCHEDULER_FINISHES_FORECAST, .ended_predecessors = 1}},
    {{.started_first = 1}, {.finishes = PN_SCHEDULER_FINISHES_RECORDED + 1}},
    {{.started_first = 1}, {.maps_first = 1, .reserve = PN_SCHEDULER_RESERVE_STRICT + 1}},
    {{.started_first = 1},
     {.maps_first = 1,
      .reserve = PN_SCHEDULER_RESERVE_STRICT,
      .finishes = PN_SCHEDULER_FINISHES_FORECAST}},
    {{.keys = PN_SCHEDULER_KEYS_TIMED + 1}, {0}},
    {{.shares = PN_SCHEDULER_SHARES_STRICT + 1}, {0}},
    {{.started_first = 2}, {0}},
    {{.memoryless = 2}, {0}},
    {{0}, {.deadlines = 2}},
};

static void check_wrong(pn_scheduler_policy policy)
{
    const pn_scheduler_config config = config_for(&policy, two);
    const char *fault = pn_scheduler_check(&config);
    assert_non_null(fault);
    assert_memory_equal(fault, "policy", 6);
    assert_int_equal(pn_scheduler_size(&config), 0);
    check_policy(NULL, &policy, PN_ERR_POLICY);
}

static pn_scheduler_policy with_rules(const char *name, const rules *of)
{
    return (pn_scheduler_policy){.name = name, .order = of->order, .admission = of->admission};
}

/* A policy with the rules `has` whose init asks for others. */
static void check_asking(const rules *has, rules asks, int expected)
{
    pn_scheduler_policy asking = with_rules("asking", has);
    host h;
    asking.admit = accept_all;
    asking.init = ask_for_rules;
    start(&h, &asking, two);
    h.hooks.policy_user = &asks;
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 0), expected);
    if (has->admission.finishes == PN_SCHEDULER_FINISHES_RECORDED) {
        const pn_scheduler_job vague = job_of(1, 0, 0, 0, 10); /* nothing to record */
        assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &vague, NULL), PN_ERR_JOB);
    }
    stop(&h);
}

static void some_rules_do_not_go_together(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof wrong_rules / sizeof wrong_rules[0]; i++) {
        pn_scheduler_policy policy = with_rules("wrong", &wrong_rules[i]);
        policy.admit = accept_all;
        check_wrong(policy);
        check_asking(&forecasting, wrong_rules[i], -1234); /* init is told, and gives up or not */
    }
    pn_scheduler_policy picking = with_rules("wrong", &ordered),
                        for_nobody = with_rules("wrong", &forecasting),
                        right = with_rules("right", &ordered);
    picking.pick = pick_first;
    check_wrong(picking);
    check_wrong(for_nobody);
    check_policy(NULL, &right, PN_OK);
    right.admission.reserve = PN_SCHEDULER_RESERVE_ALL;
    check_policy(NULL, &right, PN_OK);
    right.admission.reserve = PN_SCHEDULER_RESERVE_LESS;
    check_policy(NULL, &right, PN_OK);
    check_policy(NULL, &dealing, PN_OK);
}

/* Room for records is asked for in the table, or never. */
static void records_are_asked_for_beforehand(void **unused)
{
    rules reserving = forecasting;
    (void)unused;
    check_asking(&ordered, recording, -1234);
    check_asking(&recording, ordered, -1234); /* who has asked for it uses it */
    check_asking(&recording, forecasting, -1234);
    check_asking(&recording, recording, PN_OK);
    reserving.admission.reserve = PN_SCHEDULER_RESERVE_ALL;
    check_asking(&ordered, reserving, PN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlines_are_a_matter_of_agreement),
        cmocka_unit_test(equal_keys_are_ordered_by_id),
        cmocka_unit_test(estimates_may_come_from_the_policy),
        cmocka_unit_test(what_is_foreseen_twice_is_told_once),
        cmocka_unit_test(any_policy_may_refuse),
        cmocka_unit_test(a_policy_has_a_say_about_the_newcomer_only),
        cmocka_unit_test(a_question_draws_nothing),
        cmocka_unit_test(who_is_passed_by_is_expected_later),
        cmocka_unit_test(who_is_taken_against_the_answer_makes_others_late),
        cmocka_unit_test(who_was_killed_is_late_and_blocks_nobody),
        cmocka_unit_test(policies_hear_how_it_went),
        cmocka_unit_test(some_rules_do_not_go_together),
        cmocka_unit_test(records_are_asked_for_beforehand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
