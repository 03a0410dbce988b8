/* Policies that fail: a refused gift, and an act that returns an error at its n-th call, for every
 * n. The slot is not executed, nothing that can be asked for changes, and trying again ends in the
 * very schedule of a run that was never disturbed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/support/workload.h"

typedef struct trouble {
    const pn_slotted_policy *inner;
    unsigned calls, fail_at;
    bool before; /* it fails before it has given anything away, else afterwards */
} trouble;

/* What the kernel would do if there were no act. */
static int act_as(const pn_slotted_policy *policy, pn_slotted_view *view)
{
    if (policy->act)
        return policy->act(view);
    return policy->orders[0].key == pn_slotted_share_key
               ? pn_slotted_share(view, 0, PN_SLOTTED_ALL_IDLE)
               : pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static int failing_act(pn_slotted_view *view)
{
    trouble *t = pn_slotted_user(view);
    bool fails = ++t->calls == t->fail_at;
    if (fails && t->before)
        return PN_ERR_ARGUMENT;
    int status = act_as(t->inner, view);
    return fails ? PN_ERR_INFEASIBLE : status;
}

/* All but heap_moves, which counts work done, and in_system: the jobs that arrive in the slot stay
 * arrived when its policy fails. */
static void check_same_totals(const pn_slotted_totals *a, const pn_slotted_totals *b)
{
    assert_int_equal(a->slot, b->slot);
    assert_int_equal(a->submitted, b->submitted);
    assert_int_equal(a->finished, b->finished);
    assert_int_equal(a->total_flow_time, b->total_flow_time);
    assert_int_equal(a->last_finish, b->last_finish);
    assert_int_equal(a->lower_bound, b->lower_bound);
    assert_int_equal(a->units_run, b->units_run);
    assert_int_equal(a->slots_run, b->slots_run);
    assert_int_equal(a->decisions, b->decisions);
    assert_int_equal(a->jobs_held, b->jobs_held);
}

enum { RANKED = 25 };

/* Ranks the jobs that are behind the virtual run, where a policy has an order of those. */
static uint32_t rank_overdue(const pn_slotted *sim, const pn_slotted_policy *policy,
                             pn_ranked ranked[RANKED])
{
    for (uint32_t k = 0; k < policy->order_count; k++)
        if (policy->orders[k].members == PN_SLOTTED_WITH_LOAD)
            return pn_slotted_ranking(sim, k, ranked, RANKED);
    return 0;
}

/* To the end with one failure on the way; false when the run ended before it. */
static bool run_with_failure(const slotted_workload *work, const pn_slotted_config *config,
                             trouble *t, uint64_t digest)
{
    pn_slotted_policy policy = *t->inner;
    pn_slotted_hooks hooks = {.policy = &policy, .user = t};
    pn_slotted *sim = slotted_sim(config);
    int expected = t->before ? PN_ERR_ARGUMENT : PN_ERR_INFEASIBLE;
    bool failed = false;
    int status;
    policy.name = "failing";
    policy.act = failing_act;
    t->calls = 0;
    assert_int_equal(slotted_submit(sim, work, 0, work->count), PN_OK);
    do {
        pn_slotted_totals before, after;
        pn_ranked overdue[RANKED], overdue_after[RANKED];
        uint32_t overdue_count = rank_overdue(sim, &policy, overdue);
        uint64_t digest_before = pn_slotted_digest(sim);
        pn_slotted_totals_get(sim, &before);
        status = pn_slotted_step(sim, &hooks);
        if (status < 0) {
            assert_false(failed);
            assert_int_equal(status, expected);
            pn_slotted_totals_get(sim, &after);
            check_same_totals(&before, &after);
            assert_int_equal(pn_slotted_digest(sim), digest_before);
            assert_int_equal(rank_overdue(sim, &policy, overdue_after), overdue_count);
            for (uint32_t i = 0; i < overdue_count; i++)
                assert_memory_equal(&overdue_after[i], &overdue[i], sizeof overdue[i]);
            failed = true;
        }
    } while (status != PN_DONE);
    assert_int_equal(pn_slotted_digest(sim), digest);
    free(sim);
    return failed;
}

static void check_all_failures(const pn_slotted_policy *policy, uint32_t reduce, uint32_t estimates,
                               bool before)
{
    /* Now crowded, now with gaps that are jumped over. */
    slotted_workload work = slotted_new(
        RANKED, 41,
        (slotted_shape){
            .rate = 0.25, .maps = 5, .reduces = 12, .tasks = 4, .estimates = estimates});
    pn_slotted_config config = slotted_config(&work, 6, reduce);
    trouble t = {.inner = policy, .fail_at = 1, .before = before};
    config.estimates = estimates;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    uint64_t digest = slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = policy}, NULL);
    while (run_with_failure(&work, &config, &t, digest))
        t.fail_at++;
    assert_in_range(t.fail_at, 20, 1000); /* it did fail, many times */
    slotted_free(&work);
}

static void a_failed_slot_is_not_executed(void **unused)
{
    (void)unused;
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        const pn_slotted_policy *policy = pn_slotted_policy_at(i);
        if (policy->relaxed)
            continue;
        for (uint32_t estimates = 0; estimates <= 1; estimates++) {
            /* DSRPT has noted the slot in its own queue once it has acted: its own state is its own
             * affair. */
            for (uint32_t before = policy->state_bytes > 0; before <= 1; before++) {
                if (policy->preemptive)
                    check_all_failures(policy, PN_SLOTTED_PREEMPTIVE, estimates, before);
                if (policy->nonpreemptive)
                    check_all_failures(policy, PN_SLOTTED_NONPREEMPTIVE, estimates, before);
            }
        }
    }
}

/* The failed slot lies far ahead, where the first job arrives: trying again must not find it a
 * moment earlier. */
static void a_failed_jump_lands_in_the_same_slot(void **unused)
{
    (void)unused;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        pn_slotted_job job = {.arrival = 1000, .maps = 1};
        slotted_workload work = {1, &job, NULL};
        pn_slotted_config config = slotted_config(&work, 2, reduce);
        trouble t = {.inner = pn_slotted_asrpt(), .fail_at = 1, .before = true};
        uint64_t digest = slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = t.inner},
                                         NULL);
        assert_true(run_with_failure(&work, &config, &t, digest));
    }
}

/* Until the failed slot comes again, the clock may be moved by less: neither the policy nor a
 * virtual run notices. */
static void the_clock_may_stop_before_a_failed_slot(void **unused)
{
    pn_slotted_job job = {.arrival = 1000, .maps = 50};
    slotted_workload work = {1, &job, NULL};
    pn_slotted_config config = slotted_config(&work, 2, PN_SLOTTED_PREEMPTIVE);
    pn_slotted_policy policy = *pn_slotted_asrpt();
    trouble t = {.inner = pn_slotted_asrpt(), .fail_at = 1, .before = true};
    pn_slotted_hooks hooks = {.policy = &policy, .user = &t};
    pn_slotted_totals undisturbed, totals;
    (void)unused;
    policy.name = "failing";
    policy.act = failing_act;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    uint64_t digest = slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = t.inner},
                                     &undisturbed);
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(slotted_submit(sim, &work, 0, 1), PN_OK);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_ARGUMENT);
    for (uint64_t until = 3; until < 1000; until += 332) {
        assert_int_equal(pn_slotted_run(sim, &hooks, until), PN_OK);
        pn_slotted_totals_get(sim, &totals);
        assert_int_equal(totals.slot, until);
    }
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    pn_slotted_totals_get(sim, &totals);
    assert_int_equal(pn_slotted_digest(sim), digest);
    assert_int_equal(totals.lower_bound, undisturbed.lower_bound);
    free(sim);
}

/* ---- gifts that are refused ---- */

typedef struct asked {
    uint32_t job;
    int status[8];
    unsigned slots;
} asked;

/* Place 0 has 3 maps, place 1 has one map and two tasks, place 2 is not taken, 4 machines. */
static int act_that_asks_too_much(pn_slotted_view *view)
{
    asked *a = pn_slotted_user(view);
    if (a->slots++ > 0)
        return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
    a->status[0] = pn_slotted_give(view, 0, 4);          /* more than offered */
    a->status[1] = pn_slotted_give(view, 0, UINT64_MAX); /* … by far */
    a->status[2] = pn_slotted_give(view, 2, 1);          /* no such job */
    a->status[3] = pn_slotted_give(view, PN_NO_JOB, 1);
    a->status[4] = pn_slotted_give(view, 0, 2);
    a->status[5] = pn_slotted_give(view, 0, 2); /* offered 3, given 2 */
    a->status[6] = pn_slotted_give(view, 1, 2); /* its tasks wait for its maps */
    assert_int_equal(pn_slotted_idle(view), 2);
    assert_int_equal(pn_slotted_given(view, 0), 2);
    a->status[7] = pn_slotted_give(view, 1, 0);
    assert_int_equal(pn_slotted_fill(view, 1, PN_SLOTTED_ALL_IDLE), PN_ERR_ARGUMENT);
    /* no order of shares here */
    assert_int_equal(pn_slotted_share(view, 0, PN_SLOTTED_ALL_IDLE), PN_ERR_ARGUMENT);
    return PN_OK;
}

static int act_that_serves_the_finished(pn_slotted_view *view)
{
    asked *a = pn_slotted_user(view);
    if (a->slots++ == 1) {
        a->status[0] = pn_slotted_give(view, a->job, 1);
        return a->status[0];
    }
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static void infeasible_gifts_are_refused(void **unused)
{
    static const uint64_t tasks[] = {2, 2};
    pn_slotted_policy policy = *pn_slotted_dspt();
    asked a = {0};
    pn_slotted_hooks hooks = {.policy = &policy, .user = &a};
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_job first = {.arrival = 1, .maps = 3};
    pn_slotted_job second = {.arrival = 1, .maps = 1, .reduces = tasks, .reduce_count = 2};
    (void)unused;
    policy.name = "greedy";
    policy.act = act_that_asks_too_much;
    config.machines = 4;
    config.jobs_max = 4;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_submit(sim, &first, NULL), PN_OK);
    assert_int_equal(pn_slotted_submit(sim, &second, NULL), PN_OK);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    for (int i = 0; i < 8; i++)
        assert_int_equal(a.status[i], i == 4 || i == 7 ? PN_OK : PN_ERR_INFEASIBLE);
    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    assert_int_equal(totals.units_run, 2);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    free(sim);
}

static void finished_and_waiting_jobs_take_nothing(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fifo();
    pn_slotted_config config = pn_slotted_defaults();
    (void)unused;
    policy.name = "late";
    policy.act = act_that_serves_the_finished;
    config.machines = 2;
    config.jobs_max = 4;
    /* Place 0 is finished in slot 2, place 2 has not arrived. */
    for (uint32_t place = 0; place <= 2; place += 2) {
        asked a = {.job = place};
        pn_slotted_hooks hooks = {.policy = &policy, .user = &a};
        pn_slotted *sim = slotted_sim(&config);
        assert_int_equal(pn_slotted_submit(sim, &(pn_slotted_job){.arrival = 1, .maps = 1}, NULL),
                         PN_OK);
        assert_int_equal(pn_slotted_submit(sim, &(pn_slotted_job){.arrival = 1, .maps = 2}, NULL),
                         PN_OK);
        assert_int_equal(pn_slotted_submit(sim, &(pn_slotted_job){.arrival = 9, .maps = 2}, NULL),
                         PN_OK);
        assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
        assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_INFEASIBLE);
        assert_int_equal(a.status[0], PN_ERR_INFEASIBLE);
        assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
        free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_slot_is_not_executed),
        cmocka_unit_test(a_failed_jump_lands_in_the_same_slot),
        cmocka_unit_test(infeasible_gifts_are_refused),
        cmocka_unit_test(finished_and_waiting_jobs_take_nothing),
        cmocka_unit_test(the_clock_may_stop_before_a_failed_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
