/* Hooks that fail are called again, and no other is; a policy that gives up has done so for
 * good. */
#include "slotted/support/witness.h"

/* ---- hooks that fail ---- */

/* All but heap_moves, which counts work done, and in_system: jobs that have arrived stay
 * arrived. */
static void check_same_totals(const pn_slotted *sim, const pn_slotted_totals *before,
                              uint64_t digest)
{
    pn_slotted_totals after;
    pn_slotted_totals_get(sim, &after);
    after.heap_moves = before->heap_moves;
    after.in_system = before->in_system;
    assert_memory_equal(&after, before, sizeof after);
    assert_int_equal(pn_slotted_digest(sim), digest);
}

/* One failure on the way; false when the run ended before it. */
static bool run_with_failure(const slotted_workload *work, uint32_t reduce, enum call call,
                             unsigned at, witness *w)
{
    pn_slotted_config config = config_for(work, &witnessed, reduce, PN_SLOTTED_BOUNDS_FAST);
    pn_slotted_hooks hooks = hooks_for(&witnessed, w);
    pn_slotted *sim = slotted_sim(&config);
    int status = PN_OK;
    *w = (witness){.work = work, .fail_call = call, .fail_at = at, .status = -1000};
    assert_int_equal(slotted_submit(sim, work, 0, work->count), PN_OK);
    while (status == PN_OK) {
        pn_slotted_totals before;
        uint64_t digest = pn_slotted_digest(sim);
        bool failed = w->failed;
        pn_slotted_totals_get(sim, &before);
        status = pn_slotted_step(sim, &hooks);
        if (w->failed == failed)
            continue;
        assert_int_equal(status, -1000);
        check_same_totals(sim, &before, digest);
        sim = moved(sim);
        status = PN_OK;
    }
    assert_int_equal(status, PN_DONE);
    free(sim);
    return w->failed;
}

static void a_failed_hook_is_called_again_and_no_other(void **unused)
{
    static const unsigned least[CALLS] = {[INIT] = 1, [ARRIVE] = 25, [TICK] = 8, [ACT] = 30};
    static witness undisturbed, w;
    slotted_workload work = slotted_new(25, 42, crowded);
    (void)unused;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        digest_in(&work, &witnessed, reduce, &manners[0], &undisturbed);
        for (enum call call = INIT; call <= ACT; call++) {
            unsigned at = 1;
            for (; run_with_failure(&work, reduce, call, at, &w); at++) {
                check_same_events(&undisturbed, &w);
                assert_int_equal(w.called[call], undisturbed.called[call] + 1);
            }
            assert_in_range(at, least[call] + 1, EVENTS);
        }
    }
    slotted_free(&work);
}

static int content(pn_slotted_view *view)
{
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE) == PN_OK ? PN_DONE : PN_ERR_INFEASIBLE;
}

static int content_arrive(pn_slotted_view *view, uint32_t job)
{
    (void)job;
    return content(view);
}

/* Only what is below zero is an error; in particular the run is not done when a hook is. */
static void a_hook_may_return_more_than_nothing(void **unused)
{
    slotted_workload work = slotted_new(25, 42, crowded);
    pn_slotted_policy policy = *pn_slotted_dspt();
    pn_slotted_config config = config_for(&work, pn_slotted_dspt(), PN_SLOTTED_PREEMPTIVE,
                                          PN_SLOTTED_BOUNDS_NONE);
    uint64_t digest = slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy}, NULL);
    (void)unused;
    policy.name = "content";
    policy.init = policy.tick = policy.act = content;
    policy.arrive = content_arrive;
    policy.tick_slots = 1;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(slotted_submit(sim, &work, 0, work.count), PN_OK);
    for (uint64_t slot = 1; slot < work.jobs[work.count - 1].arrival; slot++)
        assert_int_equal(pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, slot), PN_OK);
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(pn_slotted_digest(sim), digest);
    free(sim);
    slotted_free(&work);
}

/* ---- policies that give up ---- */

static uint64_t weight_that_may_fail(const pn_slotted_view *view, uint32_t job)
{
    int status;
    (void)fails(view, WEIGHT, &status);
    return 1 + pn_slotted_id(view, job) % 4;
}

/* From the call that fails on, the same status for ever, in copies too, and nothing moves; false
 * when it never came to that. */
static bool give_up(const slotted_workload *work, const pn_slotted_policy *policy, uint32_t reduce,
                    const manner *how, witness *w)
{
    pn_slotted_config config = config_for(work, policy, reduce, how->bounds);
    pn_slotted_hooks hooks = hooks_for(policy, w);
    pn_slotted *sim = slotted_sim(&config);
    int status = drive(&sim, work, &hooks, how);
    assert_int_equal(status, w->failed ? w->status : PN_DONE);
    if (w->failed) {
        unsigned called[CALLS];
        pn_slotted_totals before;
        uint64_t digest = pn_slotted_digest(sim);
        size_t count = w->count;
        pn_slotted_totals_get(sim, &before);
        memcpy(called, w->called, sizeof called);
        assert_int_equal(pn_slotted_step(sim, &hooks), w->status);
        sim = moved(sim);
        assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), w->status);
        assert_int_equal(pn_slotted_run(sim, &hooks, before.slot + 10), w->status);
        check_same_totals(sim, &before, digest);
        assert_memory_equal(called, w->called, sizeof called);
        assert_int_equal(w->count, count);
    }
    free(sim);
    return w->failed;
}

/* All is as undisturbed up to the call in which it gave up. If the slot was decided by then, the
 * host still hears of all that finish in it; the policy does not. */
static void check_end(const witness *w, const witness *undisturbed)
{
    size_t k = 0;
    for (size_t i = 0; i < w->count; i++, k++) {
        const event *e = &w->events[i];
        while (w->failed && e->call == TOLD && k < undisturbed->count &&
               undisturbed->events[k].call == FINISH)
            k++;
        assert_in_range(k, i, undisturbed->count - 1);
        assert_memory_equal(e, &undisturbed->events[k], sizeof *e);
    }
    if (w->fail_call == FINISH && w->failed) {
        assert_true(w->events[w->count - 1].call == TOLD);
        assert_true(k == undisturbed->count ||
                    undisturbed->events[k].slot > w->events[w->count - 1].slot);
    }
}

static void a_policy_may_give_up_anywhere(void **unused)
{
    static witness undisturbed, w;
    slotted_workload work = slotted_new(25, 43, crowded);
    pn_slotted_policy shares = witnessed;
    (void)unused;
    shares.act = NULL;
    shares.orders[0] = (pn_slotted_order){pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED,
                                          PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0};
    shares.weight = weight_that_may_fail;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        for (enum call call = INIT; call <= WEIGHT; call++) {
            const pn_slotted_policy *policy = call == WEIGHT ? &shares : &witnessed;
            unsigned at = 1;
            bool failed = true;
            digest_in(&work, policy, reduce, &manners[0], &undisturbed);
            for (; failed; at += 1 + at / 8) {
                w = (witness){.work = &work,
                              .fail_call = call,
                              .fail_at = at,
                              .status = -2000 - (int)at,
                              .gives_up = true};
                failed = give_up(&work, policy, reduce, &manners[at % MANNERS], &w);
                check_end(&w, &undisturbed);
            }
            assert_in_range(at, call == INIT ? 2 : 8, 100000);
        }
    }
    slotted_free(&work);
}

static int give_up_twice(pn_slotted_view *view)
{
    const int *statuses = pn_slotted_user(view);
    pn_slotted_fail(view, statuses[0]);
    pn_slotted_fail(view, statuses[1]);
    return statuses[2];
}

static void the_first_reason_counts_and_it_is_an_error(void **unused)
{
    static const struct {
        int given[3], told; /* given up with, once more, and returned */
    } cases[] = {{{-5, -6, PN_OK}, -5},
                 {{PN_OK, -6, PN_OK}, PN_ERR_POLICY},
                 {{PN_DONE, 0, -7}, PN_ERR_POLICY},
                 {{-5, -5, -7}, -5}};
    pn_slotted_job job = {.arrival = 4, .maps = 1};
    pn_slotted_policy policy = *pn_slotted_fifo();
    (void)unused;
    policy.name = "tired";
    policy.act = give_up_twice;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int given[3];
        pn_slotted_hooks hooks = {.policy = &policy, .user = given};
        pn_slotted_config config = slotted_config(&(slotted_workload){.count = 2}, 1,
                                                  PN_SLOTTED_PREEMPTIVE);
        pn_slotted *sim = slotted_sim(&config);
        memcpy(given, cases[i].given, sizeof given);
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
        assert_int_equal(pn_slotted_run(sim, &hooks, 3), PN_OK);
        assert_int_equal(pn_slotted_step(sim, &hooks), cases[i].told);
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK); /* in vain, but no harm */
        assert_int_equal(pn_slotted_run(sim, &hooks, 3), cases[i].told);
        free(sim);
    }
}

/* ---- keys that are asked for between slots ---- */

static void by_load(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    int status;
    (void)fails(view, KEY, &status);
    key->word[0] = pn_slotted_load(view, job);
}

static int arrive_unless_over(pn_slotted_view *view, uint32_t job)
{
    int status;
    (void)job;
    (void)fails(view, ARRIVE, &status);
    return status;
}

static int act_unless_over(pn_slotted_view *view)
{
    int status;
    (void)fails(view, ACT, &status);
    return pn_slotted_asrpt_cu()->act(view);
}

/* The progress of the virtual run alone changes an order here, while it serves, and in slots that
 * are jumped over. */
static void a_key_may_give_up_beside_a_virtual_run(void **unused)
{
    static witness w;
    slotted_workload work = slotted_new(
        20, 44, (slotted_shape){.rate = 0.05, .maps = 60, .reduces = 200, .tasks = MACHINES});
    pn_slotted_policy policy = *pn_slotted_asrpt_cu();
    (void)unused;
    policy.name = "loaded";
    policy.arrive = arrive_unless_over;
    policy.act = act_unless_over;
    for (int k = 0; k < policy.order_count; k++)
        if (policy.orders[k].members == PN_SLOTTED_WITH_LOAD)
            policy.orders[k].key = by_load;
    for (uint64_t chunk = 0; chunk <= 3; chunk += 3) {
        bool failed = true;
        unsigned at = 1;
        for (; failed; at++) {
            w = (witness){
                .work = &work, .fail_call = KEY, .fail_at = at, .status = -3000, .gives_up = true};
            failed = give_up(&work, &policy, PN_SLOTTED_NONPREEMPTIVE,
                             &(manner){chunk, false, false, PN_SLOTTED_BOUNDS_NONE}, &w);
        }
        assert_in_range(at, 50, 100000);
    }
    slotted_free(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_hook_is_called_again_and_no_other),
        cmocka_unit_test(a_hook_may_return_more_than_nothing),
        cmocka_unit_test(a_policy_may_give_up_anywhere),
        cmocka_unit_test(the_first_reason_counts_and_it_is_an_error),
        cmocka_unit_test(a_key_may_give_up_beside_a_virtual_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
