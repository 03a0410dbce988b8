/* Admission from outside: what jobs with deadlines are told by the scheduler core, driven by hand
 * as a host with real machines does it, and by the simulation; and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

/* Those of rtmr. */
enum { ORDER, FEEDBACK, THETA_MS, RESERVE, FC_ESTIMATE, FC_COMPLETED, PRED, ESTIMATES, PARAMS };

static const pn_scheduler_policy *(*const admitting[])(void) = {
    pn_scheduler_rtmr, pn_scheduler_rtmr_live, pn_scheduler_dc};
enum { ADMITTING = 3 };

/* ---- promises ---- */

/* By hand, all at time 0 and before anything starts. A: map 0-100, reduce 100-110. B: map 0-10 on
 * the other slot, reduce behind A's 110-310. C would go first and end at 60. D goes first, A keeps
 * the other slot. E goes first on both slots, D after it. */
static void jobs_are_told_when_they_will_finish(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        host h;
        start(&h, admitting[p](), wide);
        check_answer(come(&h, 0, job_of(1, 100, 1, 10, 110)), 1, 1, 110, 110, 0);
        check_last(&h, 0, PN_SCHEDULER_ACCEPT, 1, 110, 110);
        check_answer(come(&h, 0, job_of(1, 10, 1, 200, 1000)), 2, 1, 310, 1000, 0);
        check_answer(come(&h, 0, job_of(1, 60, 0, 0, 50)), 3, 0, 60, 50, 3);
        check_last(&h, 0, PN_SCHEDULER_REJECT, 3, 60, 50);
        assert_true(h.ends == 1 && h.last.id == 3 && h.last.tag == 7 &&
                    h.last.state == PN_SCHEDULER_REJECTED);
        assert_true(h.last.promise == 60 && h.last.deadline == 50 && h.last.finish == NEVER &&
                    h.last.first_map_start == NEVER);
        check_answer(come(&h, 0, job_of(1, 60, 0, 0, 60)), 4, 1, 60, 60, 0);
        check_answer(come(&h, 0, job_of(2, 40, 0, 0, 40)), 5, 0, 40, 40, 4);
        check_answer(come(&h, 0, job_of(1, 1, 0, 0, 2000)), 6, 1, 71, 2000, 0); /* last of all */
        pn_scheduler_totals totals = totals_of(&h);
        assert_true(totals.submitted == 6 && totals.accepted == 4 && totals.rejected == 2 &&
                    totals.in_system == 4);
        assert_true(totals.finished == 0 && totals.last_end == 0);
        pn_scheduler_record record;
        uint32_t place = PN_NO_JOB;
        static const uint64_t ids[] = {1, 2, 4, 6}, promises[] = {110, 310, 60, 71};
        for (int i = 0; i < 4; i++) {
            assert_int_equal(pn_scheduler_next_record(h.s, &place, &record), PN_OK);
            assert_true(record.id == ids[i] && record.promise == promises[i] &&
                        record.state == PN_SCHEDULER_UNFINISHED);
        }
        stop(&h);
    }
}

/* The order of submission in place of that of deadlines: C goes behind the others. */
static void the_order_may_be_that_of_submission(void **unused)
{
    const double fifo_rtmr[PARAMS] = {[ORDER] = 1, [FEEDBACK] = 1, [THETA_MS] = 30000},
                 fifo_live[] = {1, 0};
    (void)unused;
    for (int p = 0; p < 2; p++) {
        host h;
        start(&h, admitting[p](), wide);
        h.hooks.params = p == 0 ? fifo_rtmr : fifo_live;
        come(&h, 0, job_of(1, 100, 1, 10, 110));
        come(&h, 0, job_of(1, 10, 1, 200, 1000));
        check_answer(come(&h, 0, job_of(1, 60, 0, 0, 50)), 3, 0, 70, 50, 3);
        check_answer(come(&h, 0, job_of(1, 60, 0, 0, 70)), 4, 1, 70, 70, 0);
        stop(&h);
    }
}

/* Who has started is ahead of all others, whatever their deadlines. */
static void who_has_started_stays_ahead(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        host h;
        start(&h, admitting[p](), narrow);
        check_answer(come(&h, 0, job_of(2, 10, 0, 0, 1000)), 1, 1, 20, 1000, 0);
        check_answer(come(&h, 0, job_of(1, 5, 0, 0, 5)), 2, 1, 5, 5, 0); /* not yet */
        offer(&h, 0, 0, PN_OK);
        assert_int_equal(h.launched.id, 2);
        finish(&h, 5, 2, MAP, 0);
        offer(&h, 5, 0, PN_OK);
        /* at 15 the other job still has a map to do */
        check_answer(come(&h, 6, job_of(1, 5, 0, 0, 10)), 3, 0, 30, 10, 3);
        stop(&h);
    }
}

/* What the paper's controller knows nothing of: tasks that end early, nodes that are down. */
static void forecasts_know_what_runs(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_scheduler_rtmr_live(), two);
    check_answer(come(&h, 0, job_of(2, 100, 0, 0, 100)), 1, 1, 100, 100, 0);
    offer(&h, 0, 0, PN_OK);
    offer(&h, 0, 1, PN_OK);
    finish(&h, 10, 1, MAP, 0);
    /* on the slot that is free */
    check_answer(come(&h, 10, job_of(1, 20, 1, 5, 25)), 2, 1, 35, 25, 0);
    offer(&h, 10, 0, PN_OK);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 11, 0), PN_OK);
    stop(&h);
    start(&h, pn_scheduler_rtmr_live(), two);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 0, 0), PN_OK);
    check_answer(come(&h, 1, job_of(2, 10, 0, 0, 19)), 1, 0, 21, 19, 1);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 2, 1), PN_OK);
    check_answer(come(&h, 3, job_of(1, 1, 0, 0, PN_INTEGER_MAX)), 2, 0, NEVER, PN_INTEGER_MAX, 2);
    stop(&h);
}

/* By the paper: at least so many map slots that the maps are done when the reduces have to
 * start. */
static void deadline_constraint_counts_slots(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_scheduler_dc(), two);
    /* 40 ms of maps in 20: both slots */
    check_answer(come(&h, 0, job_of(4, 10, 1, 5, 25)), 1, 1, NEVER, 25, 0);
    check_answer(come(&h, 0, job_of(1, 10, 0, 0, 1000)), 2, 0, NEVER, 1000, 2);
    /* no time for the map */
    check_answer(come(&h, 0, job_of(1, 10, 1, 5, 5)), 3, 0, NEVER, 5, 3);
    /* more reduces than slots */
    check_answer(come(&h, 0, job_of(1, 10, 3, 5, 1000)), 4, 0, NEVER, 1000, 4);
    stop(&h);
}

/* ---- what it takes ---- */

static void who_is_not_taken_takes_no_room(void **unused)
{
    (void)unused;
    for (int p = 0; p < ADMITTING; p++) {
        pn_scheduler_config config = config_for(admitting[p](), two);
        host h;
        config.jobs_max = 2;
        config.tasks_max = 6;
        set_up(&h, admitting[p](), &config);
        for (uint64_t i = 1; i <= 50; i++) {
            pn_scheduler_answer answer = come(&h, i, job_of(5, 10, 1, 10, 10));
            assert_true(answer.id == i && answer.accepted == 0);
            assert_true(h.ends == i && h.last.id == i && h.last.state == PN_SCHEDULER_REJECTED &&
                        h.last.submit == i);
        }
        pn_scheduler_totals totals = totals_of(&h);
        assert_true(totals.in_system == 0 && totals.tasks_held == 0 && totals.replicas_held == 0 &&
                    totals.first_submit == 1);
        assert_true(totals.rejected == 50 && totals.launches == 0 && totals.last_end == 0 &&
                    totals.last_finish == 0);
        assert_int_equal(come(&h, 51, job_of(3, 10, 1, 10, 9000)).accepted, 1);
        assert_int_equal(come(&h, 51, job_of(2, 10, 0, 10, 9999)).accepted, 1);
        kept before = keep(h.s, pn_scheduler_block_size(h.s));
        const pn_scheduler_job more = job_of(1, 1, 0, 0, 1);
        pn_scheduler_answer answer;
        assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 51, &more, &answer), PN_ERR_FULL);
        assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 51, &more, &answer), PN_ERR_FULL);
        check_unchanged(&before);
        stop(&h);
    }
}

static void check_no_job(host *h, pn_scheduler_job job)
{
    pn_scheduler_answer answer = {.id = 77};
    kept before = keep(h->s, pn_scheduler_block_size(h->s));
    assert_int_equal(pn_scheduler_ask(h->s, &h->hooks, 5, &job, &answer), PN_ERR_JOB);
    assert_int_equal(pn_scheduler_submit(h->s, &h->hooks, 5, &job, &answer), PN_ERR_JOB);
    assert_int_equal(answer.id, 77);
    check_unchanged(&before);
}

static void who_wants_a_promise_says_enough(void **unused)
{
    const uint64_t most = (uint64_t)1 << 40;
    (void)unused;
    for (int p = 0; p < ADMITTING; p++) {
        host h;
        start(&h, admitting[p](), two);
        assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 5), PN_OK);
        check_no_job(&h, job_of(1, 1, 0, 0, 0));
        check_no_job(&h, job_of(1, 0, 0, 0, 10));
        check_no_job(&h, job_of(1, 1, 1, 0, 10));
        check_no_job(&h, job_of(1, most + 1, 0, 0, 10));
        check_no_job(&h, job_of(1, 1, 1, most + 1, 10));
        check_no_job(&h, job_of(1, 1, 0, 0, PN_INTEGER_MAX + 1));
        assert_int_equal(come(&h, 5, job_of(1, most, 1, most, PN_INTEGER_MAX)).accepted, 1);
        /* no reduces, nothing about them */
        assert_int_equal(come(&h, 5, job_of(1, 1, 0, 0, PN_INTEGER_MAX)).accepted, 1);
        stop(&h);
    }
}

/* The policy is bound by then, but nothing has happened. */
static void a_first_job_that_says_too_little_has_not_come(void **unused)
{
    const pn_scheduler_job job = job_of(1, 1, 0, 0, 0);
    (void)unused;
    for (int p = 0; p < 2 * ADMITTING; p++) {
        pn_scheduler_answer answer;
        host h;
        start(&h, admitting[p / 2](), two);
        pn_scheduler_totals before = totals_of(&h);
        if (p % 2)
            assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 5, &job, &answer), PN_ERR_JOB);
        assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 5, &job, &answer), PN_ERR_JOB);
        pn_scheduler_totals after = totals_of(&h);
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(come(&h, 3, job_of(1, 1, 0, 0, 10)).accepted, 1);
        stop(&h);
    }
}

static int let_it_come(pn_scheduler_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return PN_OK;
}

static void blocks_have_room_for_what_they_were_made_for(void **unused)
{
    static const pn_scheduler_policy acting = {.name = "acting", .arrive = let_it_come};
    (void)unused;
    check_policy(NULL, &acting, PN_OK);
    check_policy(&acting, &acting, PN_OK);
    check_policy(&acting, pn_scheduler_fifo(), PN_OK);
    check_policy(pn_scheduler_fifo(), &acting, PN_ERR_POLICY);
    check_policy(NULL, pn_scheduler_rtmr(), PN_ERR_POLICY);
    check_policy(NULL, pn_scheduler_rtmr_live(), PN_OK);
    check_policy(NULL, pn_scheduler_dc(), PN_OK);
    check_policy(pn_scheduler_rtmr(), pn_scheduler_rtmr(), PN_OK);
    check_policy(pn_scheduler_fifo(), pn_scheduler_rtmr(), PN_ERR_POLICY);
    check_policy(pn_scheduler_fifo(), pn_scheduler_rtmr_live(), PN_ERR_POLICY);
    check_policy(pn_scheduler_rtmr_live(), pn_scheduler_rtmr(), PN_ERR_POLICY);
}

/* ---- allowances for heartbeats ---- */

static void check_allowance(const pn_scheduler_nodes *nodes, uint32_t count,
                            uint32_t maps_per_offer, uint64_t heartbeat_ms, uint64_t map_ms,
                            uint64_t reduce_ms)
{
    pn_scheduler_config config = pn_scheduler_defaults();
    uint64_t extra[2] = {77, 77};
    config.nodes = nodes;
    config.nodes_count = count;
    config.maps_per_offer = maps_per_offer;
    pn_scheduler_allowance(&config, heartbeat_ms, extra);
    if (extra[MAP] != map_ms || extra[REDUCE] != reduce_ms)
        fail_msg("%llu and %llu", (unsigned long long)extra[MAP],
                 (unsigned long long)extra[REDUCE]);
}

static void heartbeats_need_an_allowance(void **unused)
{
    static const pn_scheduler_nodes groups[] = {{4, 3, 1, 0}, {1, 7, 0, 0}, {2, 2, 2, 0}},
                                    huge[] = {{1, 65536, 65536, 0}};
    (void)unused;
    /* all maps with one beat, reduces one by one */
    check_allowance(groups, 3, 0, 3000, 3000, 6000);
    check_allowance(groups, 3, 1, 3000, 21000, 6000);
    check_allowance(groups, 3, 2, 3000, 12000, 6000);
    check_allowance(groups, 1, 2, 3000, 6000, 3000);
    check_allowance(narrow, 1, 5, 3000, 3000, 0);
    check_allowance(groups, 3, 0, 0, 0, 0);
    /* as much as extra_ms may be */
    check_allowance(huge, 1, 1, (uint64_t)1 << 40, (uint64_t)1 << 40, (uint64_t)1 << 40);
}

static void the_allowance_is_in_the_estimates(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        pn_scheduler_config config = config_for(admitting[p](), wide);
        host h;
        config.extra_ms[MAP] = 3;
        config.extra_ms[REDUCE] = 20;
        set_up(&h, admitting[p](), &config);
        check_answer(come(&h, 0, job_of(3, 100, 1, 10, 1000)), 1, 1, 236, 1000, 0);
        stop(&h);
    }
}

/* ---- the simulation ---- */

static pn_cluster_config sim_config(const pn_scheduler_policy *policy,
                                    const pn_scheduler_nodes *nodes)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler = config_for(policy, nodes);
    return config;
}

typedef struct story {
    cluster_log log;
    pn_scheduler_record records[8]; /* in the order in which they were reported */
    unsigned count;
} story;

static void tell_end(void *user, const pn_scheduler_record *job)
{
    story *t = user;
    assert_true(t->count < 8);
    t->records[t->count++] = *job;
}

static void tell_event(void *user, const pn_scheduler_event *event)
{
    story *t = user;
    cluster_log_add(&t->log, event);
}

/* To the end; the checker agrees. */
static story simulate(const pn_cluster_config *config, const pn_scheduler_policy *policy,
                      const pn_cluster_job *jobs, size_t count, pn_cluster_totals *totals)
{
    story t = {.count = 0};
    const pn_cluster_hooks hooks = {
        .policy = policy, .on_finish = tell_end, .on_event = tell_event, .user = &t};
    const cluster_workload work = {.count = count, .jobs = (pn_cluster_job *)(uintptr_t)jobs};
    const pn_cluster_claim claim = cluster_claim(&work, config, policy);
    pn_cluster *sim = cluster_done(&work, config, &hooks);
    *totals = cluster_totals(sim);
    cluster_verdict v = cluster_judge(&t.log, &claim, totals->scheduler.last_finish,
                                      totals->unfinished, pn_cluster_digest(sim));
    assert_string_equal(v.fault, "");
    cluster_log_free(&t.log);
    free(sim);
    return t;
}

static void who_is_not_taken_is_reported_at_once(void **unused)
{
    static const pn_cluster_job jobs[] = {
        {.maps = 1, .map_ms = 100, .deadline = 100},
        {.submit = 10, .maps = 1, .map_ms = 100, .deadline = 100},
        {.submit = 10, .maps = 1, .map_ms = 100, .deadline = 190}};
    (void)unused;
    for (int p = 0; p < 2; p++) {
        const pn_cluster_config config = sim_config(admitting[p](), narrow);
        pn_cluster_totals totals;
        story t = simulate(&config, admitting[p](), jobs, 3, &totals);
        assert_true(t.count == 3 && t.records[0].id == 2 && t.records[1].id == 1 &&
                    t.records[2].id == 3);
        assert_true(t.records[0].state == PN_SCHEDULER_REJECTED && t.records[0].promise == 200 &&
                    t.records[0].finish == NEVER);
        assert_true(t.records[1].finish == 100 && t.records[1].promise == 100 &&
                    t.records[2].finish == 200 && t.records[2].promise == 200);
        assert_true(totals.scheduler.successful == 2 && totals.scheduler.accepted == 2 &&
                    totals.scheduler.rejected == 1);
        assert_true(totals.unfinished == 0 && totals.submitted == 3 && totals.jobs_held == 0 &&
                    totals.tasks_held == 0);
    }
}

/* What is known at its arrival only: it is said there, and the job does not come. */
static void a_job_that_cannot_come_stops_the_run(void **unused)
{
    const double remembering[PARAMS] = {[FEEDBACK] = 1, [FC_COMPLETED] = 1, [PRED] = 1};
    pn_cluster_config config = sim_config(pn_scheduler_rtmr(), narrow);
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_rtmr(), .params = remembering};
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    assert_int_equal(
        pn_cluster_submit(
            sim, &(pn_cluster_job){.submit = 5, .maps = 1, .map_ms = 10, .deadline = 10}, NULL),
        PN_OK);
    assert_int_equal(
        pn_cluster_submit(sim, &(pn_cluster_job){.submit = 7, .maps = 1, .map_ms = 10}, NULL),
        PN_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_ERR_JOB);
    assert_true(cluster_totals(sim).scheduler.submitted == 1 && cluster_totals(sim).submitted == 2);
    free(sim);
    /* the first job is over, but remembered */
    config.scheduler.jobs_max = 1;
    sim = cluster_sim(&config);
    assert_int_equal(
        pn_cluster_submit(
            sim, &(pn_cluster_job){.submit = 5, .maps = 1, .map_ms = 10, .deadline = 10}, NULL),
        PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, 99, UINT64_MAX), PN_DONE);
    assert_int_equal(
        pn_cluster_submit(sim, &(pn_cluster_job){.submit = 100, .maps = 1, .deadline = 10}, NULL),
        PN_OK);
    int status = pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
    assert_true(status == PN_ERR_FULL || status == PN_DONE);
    if (status == PN_ERR_FULL)
        assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_ERR_FULL);
    free(sim);
}

/* A map of no work takes a millisecond all the same: two of them on one slot are not done after
 * one. Without anything said, a job is taken for the longest of its tasks on the slowest node. */
static void estimates_come_from_the_truth_where_none_are_given(void **unused)
{
    static const pn_scheduler_nodes mixed[] = {{1, 1, 1, 2000}, {1, 1, 1, 500}};
    static const uint64_t maps[] = {10, 40}, reduces[] = {7, 9}, shuffles[] = {3, 1};
    const pn_cluster_job nothing = {.maps = 2, .deadline = 1},
                         listed = {.maps = 2,
                                   .reduces = 2,
                                   .remote_ms = 5,
                                   .map_times = maps,
                                   .reduce_times = reduces,
                                   .shuffle_times = shuffles,
                                   .deadline = 110},
                         given = {.maps = 2,
                                  .reduces = 2,
                                  .map_ms = 1,
                                  .est_map_ms = 50,
                                  .est_reduce_ms = 60,
                                  .deadline = 110};
    const pn_scheduler_policy *live = pn_scheduler_rtmr_live();
    pn_cluster_config config = sim_config(live, narrow);
    pn_cluster_totals totals;
    (void)unused;
    story t = simulate(&config, live, &nothing, 1, &totals);
    assert_true(t.records[0].state == PN_SCHEDULER_REJECTED && t.records[0].promise == 2);
    config = sim_config(live, mixed);
    config.scheduler.nodes_count = 2;
    config.values_max = 100;
    t = simulate(&config, live, &listed, 1, &totals);
    /* (40 + 5) / 0.5, then the longest shuffle and 9 / 0.5 */
    assert_int_equal(t.records[0].promise, 90 + 3 + 18);
    assert_int_equal(t.records[0].state, PN_SCHEDULER_REJECTED);
    t = simulate(&config, live, &given, 1, &totals);
    assert_true(t.records[0].promise == 110 && t.records[0].state == PN_SCHEDULER_FINISHED);
    config.est_extra_ms = 4;
    t = simulate(&config, live, &given, 1, &totals);
    assert_true(t.records[0].promise == 118 && t.records[0].state == PN_SCHEDULER_REJECTED);
    config.est_extra_ms = PN_CLUSTER_AUTO; /* nothing without heartbeats */
    t = simulate(&config, live, &given, 1, &totals);
    assert_int_equal(t.records[0].promise, 110);
    config.heartbeat_ms = 30;
    t = simulate(&config, live, &given, 1, &totals);
    assert_int_equal(t.records[0].promise, 110 + 30 + 30);
}

/* Two beats for the two reduces of a node; with what they may wait, promises hold. */
static void promises_hold_with_heartbeats(void **unused)
{
    static const pn_scheduler_nodes nodes[] = {{1, 2, 2, 0}};
    (void)unused;
    for (int p = 0; p < 2; p++) {
        pn_cluster_config config = sim_config(admitting[p](), nodes);
        pn_cluster_job job = {.submit = 1,
                              .maps = 1,
                              .reduces = 2,
                              .map_ms = 5000,
                              .reduce_ms = 1000,
                              .deadline = 9000};
        pn_cluster_totals totals;
        config.heartbeat_ms = 3000;
        config.est_extra_ms = 3000;
        story t = simulate(&config, admitting[p](), &job, 1, &totals);
        assert_true(t.records[0].promise == 12001 && t.records[0].state == PN_SCHEDULER_REJECTED);
        job.deadline = 12000;
        t = simulate(&config, admitting[p](), &job, 1, &totals);
        assert_true(t.records[0].finish == 13000 && t.records[0].promise == 12001 &&
                    totals.scheduler.successful == 0);
        config.est_extra_ms = PN_CLUSTER_AUTO;
        t = simulate(&config, admitting[p](), &job, 1, &totals);
        assert_true(t.records[0].promise == 15001 && t.records[0].state == PN_SCHEDULER_REJECTED);
        job.deadline = 15000;
        t = simulate(&config, admitting[p](), &job, 1, &totals);
        assert_true(t.records[0].finish == 13000 && totals.scheduler.successful == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_told_when_they_will_finish),
        cmocka_unit_test(the_order_may_be_that_of_submission),
        cmocka_unit_test(who_has_started_stays_ahead),
        cmocka_unit_test(forecasts_know_what_runs),
        cmocka_unit_test(deadline_constraint_counts_slots),
        cmocka_unit_test(who_is_not_taken_takes_no_room),
        cmocka_unit_test(who_wants_a_promise_says_enough),
        cmocka_unit_test(a_first_job_that_says_too_little_has_not_come),
        cmocka_unit_test(blocks_have_room_for_what_they_were_made_for),
        cmocka_unit_test(heartbeats_need_an_allowance),
        cmocka_unit_test(the_allowance_is_in_the_estimates),
        cmocka_unit_test(who_is_not_taken_is_reported_at_once),
        cmocka_unit_test(a_job_that_cannot_come_stops_the_run),
        cmocka_unit_test(estimates_come_from_the_truth_where_none_are_given),
        cmocka_unit_test(promises_hold_with_heartbeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
