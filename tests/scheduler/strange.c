/* Policies and hosts at the edge: picks and copies of what there is not, policies that give up
 * without saying so, numbers that saturate, nodes near the maps of a job. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/state.h"
#include "scheduler/support/host.h"

static void check_valid(const host *h)
{
    assert_int_equal(pn_scheduler_validate(h->s, pn_scheduler_block_size(h->s)), PN_OK);
}

static int submit(host *h, uint64_t now, pn_scheduler_job job)
{
    return pn_scheduler_submit(h->s, &h->hooks, now, &job, NULL);
}

static int tick(host *h, uint64_t now)
{
    return pn_scheduler_tick(h->s, &h->hooks, now);
}

static void suspend_it(void *user, const pn_scheduler_task *task)
{
    (void)user, (void)task;
}

/* ---- picks ----------------------------------------------------------------------------------- */

/* What the policy of a test does, and what it noted. */
typedef struct plot {
    uint64_t picked;    /* id of the job that gets each slot; 0 = none */
    uint64_t suspended; /* id of the job whose tasks are suspended on ticks */
    uint64_t limited;   /* id of the job that may have no slot */
    uint32_t copied;    /* place of the attempt that runs twice */
    int gives_up, asked;
    uint64_t first;
} plot;

static uint32_t job_by_id(const pn_scheduler_view *view, uint64_t id)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    while (job != PN_NO_JOB && pn_scheduler_id(view, job) != id)
        job = pn_scheduler_next(view, job);
    return job;
}

static int pick_as_plotted(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    plot *p = pn_scheduler_user(view);
    (void)node;
    if (kind == MAP)
        *job = job_by_id(view, p->picked);
    if (p->gives_up)
        pn_scheduler_give_up(view, PN_ERR_MODE);
    return PN_OK;
}

static int copy_as_plotted(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    plot *p = pn_scheduler_user(view);
    (void)node;
    p->asked++;
    if (kind == MAP)
        *place = p->copied;
    return PN_OK;
}

static int preempt_as_plotted(pn_scheduler_view *view, uint32_t kind)
{
    plot *p = pn_scheduler_user(view);
    uint32_t first = pn_scheduler_first(view, kind), job = job_by_id(view, p->suspended);
    if (kind == MAP)
        p->first = first == PN_NO_JOB ? 0 : pn_scheduler_id(view, first);
    if (pn_scheduler_now(view) == 0)
        return PN_OK;
    if (kind == MAP && p->limited > 0)
        pn_scheduler_limit(view, job_by_id(view, p->limited), MAP, 0);
    return job == PN_NO_JOB ? PN_OK : pn_scheduler_suspend(view, job, kind, 1, NULL);
}

static const pn_scheduler_policy picking = {
    .name = "picking", .pick = pick_as_plotted, .preempt = preempt_as_plotted};

static void start_plot(host *h, plot *p, const pn_scheduler_policy *policy,
                       const pn_scheduler_nodes *nodes)
{
    pn_scheduler_config config = config_for(policy, nodes);
    config.suspended_max = 4;
    config.copies = policy->copy != NULL;
    set_up(h, policy, &config);
    h->hooks.policy_user = p;
    h->hooks.suspend = suspend_it;
}

/* A job all of whose tasks are suspended can be given the slots of their node, no others. */
static void suspended_tasks_may_be_picked_on_their_node(void **unused)
{
    (void)unused;
    for (uint32_t node = 0; node < 2; node++) {
        plot p = {.picked = 1, .suspended = 1};
        host h;
        start_plot(&h, &p, &picking, two);
        assert_int_equal(submit(&h, 0, job_of(1, 10, 0, 0, 0)), PN_OK);
        offer(&h, 0, 0, PN_OK);
        assert_int_equal(tick(&h, 1), PN_OK);
        assert_int_equal(pn_scheduler_running_tasks(h.s), 0);
        offer(&h, 2, node, node == 0 ? PN_OK : PN_ERR_INFEASIBLE);
        assert_int_equal(pn_scheduler_running_tasks(h.s), node == 0);
        check_valid(&h);
        stop(&h);
    }
}

/* Another job could have the slot. */
static void jobs_at_their_limit_are_not_picked(void **unused)
{
    plot p = {.picked = 1, .limited = 1};
    host h;
    (void)unused;
    start_plot(&h, &p, &picking, two);
    for (int i = 0; i < 2; i++)
        assert_int_equal(submit(&h, 0, job_of(2, 10, 0, 0, 0)), PN_OK);
    offer(&h, 0, 0, PN_OK);
    assert_int_equal(tick(&h, 1), PN_OK);
    offer(&h, 2, 1, PN_ERR_INFEASIBLE);
    assert_int_equal(h.launches, 1);
    stop(&h);
}

static void policies_that_give_up_in_a_pick_copy_nothing(void **unused)
{
    static const pn_scheduler_policy both = {
        .name = "both", .pick = pick_as_plotted, .copy = copy_as_plotted};
    plot p = {.picked = 1, .copied = PN_SCHEDULER_NO_ATTEMPT};
    host h;
    (void)unused;
    start_plot(&h, &p, &both, two);
    assert_int_equal(submit(&h, 0, job_of(2, 10, 0, 0, 0)), PN_OK);
    offer(&h, 0, 0, PN_OK);
    p.picked = 0;
    offer(&h, 1, 1, PN_DONE);
    assert_int_equal(p.asked, 1);
    p.gives_up = 1;
    offer(&h, 2, 1, PN_ERR_MODE);
    assert_int_equal(p.asked, 1);
    stop(&h);
}

/* An attempt that runs, one that is suspended, and none. */
static void copies_are_of_attempts_that_run(void **unused)
{
    static const pn_scheduler_policy copying = {
        .name = "copying", .copy = copy_as_plotted, .preempt = preempt_as_plotted};
    const struct {
        uint64_t suspended;
        uint32_t place;
        int status;
    } rows[] = {{0, 0, PN_OK}, {1, 0, PN_ERR_INFEASIBLE}, {0, 7, PN_ERR_INFEASIBLE}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        plot p = {.suspended = rows[i].suspended, .copied = PN_SCHEDULER_NO_ATTEMPT};
        host h;
        start_plot(&h, &p, &copying, three);
        for (int k = 0; k < 2; k++)
            assert_int_equal(submit(&h, 0, job_of(1, 10, 0, 0, 0)), PN_OK);
        for (uint32_t node = 0; node < 2; node++)
            offer(&h, 0, node, PN_OK);
        assert_int_equal(run_of(&h, 1, MAP, 0), 0);
        assert_int_equal(tick(&h, 1), PN_OK);
        p.copied = rows[i].place;
        offer(&h, 2, 2, rows[i].status);
        stop(&h);
    }
}

/* ---- shares ---------------------------------------------------------------------------------- */

static void last_job_first(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = UINT64_MAX - pn_scheduler_id(view, job);
}

/* The order alone counts, not the shares: of two jobs the one at its share may be the first. */
static void the_first_job_may_be_at_its_share(void **unused)
{
    const pn_scheduler_policy policies[] = {{.name = "any",
                                             .order = {.shares = PN_SCHEDULER_SHARES_CONSERVING},
                                             .preempt = preempt_as_plotted},
                                            {.name = "any",
                                             .order = {.shares = PN_SCHEDULER_SHARES_CONSERVING},
                                             .key = last_job_first,
                                             .preempt = preempt_as_plotted}};
    (void)unused;
    for (uint64_t i = 0; i < 2; i++) {
        plot p = {.picked = 0};
        host h;
        start_plot(&h, &p, &policies[i], two);
        for (int k = 0; k < 2; k++)
            assert_int_equal(submit(&h, 0, job_of(3, 10, 0, 0, 0)), PN_OK);
        offer(&h, 0, 0, PN_OK); /* now one is at its share of one slot */
        assert_int_equal(tick(&h, 1), PN_OK);
        assert_int_equal(p.first, i + 1);
        assert_int_equal(h.launched.id, i + 1);
        check_valid(&h);
        stop(&h);
    }
}

/* Strict shares restrain the order, not a policy that picks. */
static void policies_that_pick_may_pass_shares(void **unused)
{
    const pn_scheduler_policy policies[] = {
        {.name = "any", .order = {.shares = PN_SCHEDULER_SHARES_STRICT}},
        {.name = "any", .order = {.shares = PN_SCHEDULER_SHARES_STRICT}, .pick = pick_as_plotted}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        plot p = {.picked = 1};
        host h;
        start_plot(&h, &p, &policies[i], two);
        assert_int_equal(submit(&h, 0, job_of(3, 10, 0, 0, 0)), PN_OK);
        offer(&h, 0, 0, PN_OK);
        p.picked = 2;
        assert_int_equal(submit(&h, 0, job_of(1, 10, 0, 0, 0)), PN_OK);
        offer(&h, 0, 1, PN_OK);
        assert_int_equal(h.launched.id, 2);
        assert_int_equal(pn_scheduler_wants(h.s, MAP), i);
        stop(&h);
    }
}

/* ---- built-in policies at the edge ----------------------------------------------------------- */

/* Deficits stop at +-2^62 slot-ms. */
static void deficits_of_fair_saturate(void **unused)
{
    static const double by_deficit[] = {1};
    static const pn_scheduler_nodes four = {1, 4, 0, 0};
    const uint64_t end = (uint64_t)1 << 62;
    pn_ranked ranked[2];
    host h;
    (void)unused;
    start(&h, pn_scheduler_fair(), &four);
    h.hooks.params = by_deficit;
    assert_int_equal(submit(&h, 0, job_of(8, 10, 0, 0, 0)), PN_OK);
    offer(&h, 0, 0, PN_OK);
    assert_int_equal(submit(&h, 0, job_of(8, 10, 0, 0, 0)), PN_OK);
    for (uint64_t half = 1; half <= 2; half++) {
        assert_int_equal(tick(&h, half << 52), PN_OK);
        finish(&h, half << 52, 1, MAP, (uint32_t)half - 1);
        offer(&h, half << 52, 0, PN_OK);
        assert_int_equal(h.launched.id, 2);
        assert_int_equal(pn_scheduler_ranking(h.s, MAP, ranked, 2), 2);
        assert_true(ranked[0].id == 2 && ranked[1].id == 1);
        assert_int_equal(ranked[0].key.word[1], 0);
        assert_int_equal(ranked[1].key.word[1], 2 * end);
    }
    check_valid(&h);
    stop(&h);
}

/* All weights together are more than 64 bits hold: a job with more tasks than its part of the slots
 * starves nevertheless. */
static void weights_of_hsrtf_saturate(void **unused)
{
    static const pn_scheduler_nodes four = {1, 4, 0, 0};
    pn_scheduler_config config = config_for(pn_scheduler_hsrtf_pr(), &four);
    host h;
    (void)unused;
    config.default_task_ms = 430; /* so each weighs 2^61 and a little */
    set_up(&h, pn_scheduler_hsrtf_pr(), &config);
    for (uint32_t i = 0; i < 8; i++) {
        pn_scheduler_job job = job_of(i == 0 ? 4 : 1, 10, 0, 0, 0);
        job.weight = PN_SCHEDULER_WEIGHT_MOST;
        assert_int_equal(submit(&h, 0, job), PN_OK);
    }
    const pn_scheduler_entry *jobs = pn_at(h.s, h.s->jobs);
    const uint64_t weight = 1000000000000000 / 430 * 1000000;
    assert_true(jobs[1].weight / 1000000000 == weight / 1000000000);
    assert_true(8 * (jobs[1].weight - ((uint64_t)1 << 61)) < (uint64_t)1 << 61);
    assert_int_equal(jobs[0].weight, (uint64_t)1 << 62); /* four waves; as much as there can be */
    check_valid(&h);
    stop(&h);
}

static void victims_that_cannot_be_suspended_end_a_policy(void **unused)
{
    static const double suspends[] = {1, 1, 1, 1};
    host h;
    (void)unused;
    start(&h, pn_scheduler_hsrtf_prp(), two); /* suspended_max is 0 */
    h.hooks.params = suspends;
    h.hooks.suspend = suspend_it;
    assert_int_equal(submit(&h, 0, job_of(4, 10, 0, 0, 0)), PN_OK);
    offer(&h, 0, 0, PN_OK);
    offer(&h, 0, 1, PN_OK);
    assert_int_equal(submit(&h, 0, job_of(4, 10, 0, 0, 0)), PN_ERR_FULL);
    assert_int_equal(tick(&h, 1), PN_ERR_FULL);
    assert_int_equal(pn_scheduler_running_tasks(h.s), 2);
    stop(&h);
}

/* A task that took 2^45 ms on the fastest node would take 2^65 on the slowest. */
static void estimates_of_the_slowest_node_saturate(void **unused)
{
    static const pn_scheduler_nodes nodes[] = {{1, 1, 0, (uint32_t)1 << 20}, {1, 1, 0, 1}};
    const uint64_t ms = (uint64_t)1 << 45;
    for (int by_speed = 0; by_speed < 2; by_speed++) {
        const double params[] = {0, by_speed ? 2 : 0};
        pn_scheduler_config config = config_for(pn_scheduler_dc(), nodes);
        host h;
        config.nodes_count = 2;
        set_up(&h, pn_scheduler_dc(), &config);
        h.hooks.params = params;
        check_answer(come(&h, 0, job_of(1, 10, 0, 0, 100)), 1, 1, NEVER, 100, 0);
        offer(&h, 0, 0, PN_OK);
        finish(&h, ms, 1, MAP, 0);
        check_answer(come(&h, ms, job_of(1, 10, 0, 0, (uint64_t)1 << 37)), 2, !by_speed, NEVER,
                     (uint64_t)1 << 37, by_speed ? 2 : 0);
        stop(&h);
    }
    (void)unused;
}

/* ---- estimates and time ---------------------------------------------------------------------- */

static int note_remaining(pn_scheduler_view *view, uint32_t reason)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    (void)reason;
    if (job != PN_NO_JOB)
        *(uint64_t *)pn_scheduler_user(view) = pn_scheduler_remaining(view, job);
    return PN_OK;
}

static void remaining_times_saturate(void **unused)
{
    static const pn_scheduler_policy noting = {
        .name = "noting", .order = {.estimates = 1}, .plan = note_remaining};
    (void)unused;
    for (uint32_t bits = 12; bits <= 14; bits += 2) {
        pn_scheduler_config config = config_for(&noting, narrow);
        uint64_t remaining = 0;
        host h;
        config.tasks_max = (uint32_t)1 << bits;
        config.default_task_ms = (uint64_t)1 << 40;
        set_up(&h, &noting, &config);
        h.hooks.policy_user = &remaining;
        assert_int_equal(submit(&h, 0, job_of(1 << bits, 0, 0, 0, 0)), PN_OK);
        assert_int_equal(remaining, bits == 12 ? (uint64_t)1 << 52 : PN_INTEGER_MAX);
        stop(&h);
    }
}

static int refuse_to_wait(pn_scheduler_view *view, uint64_t ms)
{
    (void)view;
    return ms == 5 ? PN_ERR_MODE : PN_OK;
}

/* An order that elapses needs no function for it. */
static void time_may_elapse_unseen(void **unused)
{
    const pn_scheduler_policy policies[] = {
        {.name = "any", .order = {.elapses = 1}},
        {.name = "any", .order = {.elapses = 1}, .elapse = refuse_to_wait}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        host h;
        start(&h, &policies[i], two);
        assert_int_equal(submit(&h, 0, job_of(1, 10, 0, 0, 0)), PN_OK);
        assert_int_equal(tick(&h, 5), i == 0 ? PN_OK : PN_ERR_MODE);
        stop(&h);
    }
}

static int foresee(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    return pn_scheduler_foresee(view, job, answer);
}

/* Who has no deadline is not late, whatever was expected. */
static void jobs_without_a_deadline_are_never_late(void **unused)
{
    static const pn_scheduler_policy foreseeing = {
        .name = "foreseeing",
        .order = {.started_first = 1},
        .admission = {.finishes = PN_SCHEDULER_FINISHES_FORECAST, .maps_first = 1},
        .admit = foresee};
    (void)unused;
    for (uint64_t deadline = 0; deadline <= 20; deadline += 20) {
        host h;
        start(&h, &foreseeing, narrow);
        check_answer(come(&h, 0, job_of(1, 10, 0, 0, deadline)), 1, 1, 10, deadline, 0);
        offer(&h, 0, 0, PN_OK);
        finish(&h, 30, 1, MAP, 0);
        assert_int_equal(h.last.promise, 10);
        assert_int_equal(totals_of(&h).late, deadline > 0);
        stop(&h);
    }
}

/* ---- nodes near the maps --------------------------------------------------------------------- */

static uint32_t one_each(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    assert_true(most > 0);
    nodes[0] = ((const uint32_t *)where)[map];
    return 1;
}

/* Node 0 has no reduce slots, two inputs; node 1 the input of a map that runs on node 5; node 2 one
 * of a map that waits. */
static void reduces_go_near_waiting_maps(void **unused)
{
    static const pn_scheduler_nodes nodes[] = {{1, 1, 0, 0}, {40, 1, 1, 0}};
    static const uint32_t where[] = {1, 0, 0, 2};
    pn_scheduler_config config = config_for(NULL, nodes);
    pn_scheduler_job job = job_of(4, 10, 2, 10, 0);
    host h;
    (void)unused;
    config.nodes_count = 2;
    config.slowstart_permille = 0;
    job.replicas = one_each;
    job.where = where;
    set_up(&h, pn_scheduler_hsrtf_pu(), &config);
    assert_int_equal(submit(&h, 0, job), PN_OK);
    assert_int_equal(pn_scheduler_next_wanted(h.s, REDUCE, 0), 1);
    assert_int_equal(pn_scheduler_resize(h.s, &h.hooks, 0, 5, 1, 0), PN_OK); /* maps only */
    offer(&h, 0, 5, PN_OK);
    assert_true(h.launched.kind == MAP && h.launched.task == 0 && h.launched.local == 0);
    assert_int_equal(pn_scheduler_resize(h.s, &h.hooks, 0, 5, 1, 1), PN_OK);
    assert_int_equal(pn_scheduler_next_wanted(h.s, REDUCE, 0), 2);
    assert_int_equal(pn_scheduler_next_wanted(h.s, REDUCE, 3), 5);
    assert_int_equal(pn_scheduler_next_wanted(h.s, REDUCE, 6), 41);
    check_valid(&h);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suspended_tasks_may_be_picked_on_their_node),
        cmocka_unit_test(jobs_at_their_limit_are_not_picked),
        cmocka_unit_test(policies_that_give_up_in_a_pick_copy_nothing),
        cmocka_unit_test(copies_are_of_attempts_that_run),
        cmocka_unit_test(the_first_job_may_be_at_its_share),
        cmocka_unit_test(policies_that_pick_may_pass_shares),
        cmocka_unit_test(deficits_of_fair_saturate),
        cmocka_unit_test(weights_of_hsrtf_saturate),
        cmocka_unit_test(victims_that_cannot_be_suspended_end_a_policy),
        cmocka_unit_test(estimates_of_the_slowest_node_saturate),
        cmocka_unit_test(remaining_times_saturate),
        cmocka_unit_test(time_may_elapse_unseen),
        cmocka_unit_test(jobs_without_a_deadline_are_never_late),
        cmocka_unit_test(reduces_go_near_waiting_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
