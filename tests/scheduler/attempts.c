/* Suspended attempts and second attempts, driven by hand as a host with real machines does it
 * (CL34 to CL38). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

/* ---- a host that can stop and continue attempts ---- */

typedef struct stopping_host {
    host base; /* first: the hooks of the host get it as `user` */
    pn_scheduler_task suspended, resumed, killed;
    unsigned suspensions, resumptions, kills;
} stopping_host;

static void on_suspend(void *user, const pn_scheduler_task *task)
{
    stopping_host *h = user;
    h->suspended = *task;
    h->suspensions++;
}

static void on_resume(void *user, const pn_scheduler_task *task)
{
    stopping_host *h = user;
    h->resumed = *task;
    h->resumptions++;
}

static void on_kill(void *user, const pn_scheduler_task *task)
{
    stopping_host *h = user;
    h->killed = *task;
    h->kills++;
}

/* The second job takes the slots of the first one. */
static int first_gives_way(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t first = pn_scheduler_next(view, PN_NO_JOB), taken = 0;
    if (first == PN_NO_JOB || pn_scheduler_next(view, first) == PN_NO_JOB)
        return PN_OK;
    return pn_scheduler_suspend(view, first, kind, UINT32_MAX, &taken);
}

static void last_first(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = UINT64_MAX - pn_scheduler_id(view, job);
}

static const pn_scheduler_policy giving_way = {
    .name = "giving-way", .key = last_first, .preempt = first_gives_way};

static void set_up_stopping(stopping_host *h, const pn_scheduler_policy *policy,
                            const pn_scheduler_nodes *nodes, uint32_t suspended_max)
{
    pn_scheduler_config config = config_for(policy, nodes);
    config.suspended_max = suspended_max;
    config.slowstart_permille = 0;
    config.copies = policy->copy != NULL;
    *h = (stopping_host){.suspensions = 0};
    set_up(&h->base, policy, &config);
    h->base.hooks.suspend = on_suspend;
    h->base.hooks.resume = on_resume;
    h->base.hooks.kill = on_kill;
    h->base.hooks.user = h;
}

static int submit(stopping_host *h, uint64_t now, uint32_t maps, uint32_t reduces)
{
    const pn_scheduler_job job = job_of(maps, 10, reduces, 10, 0);
    return pn_scheduler_submit(h->base.s, &h->base.hooks, now, &job, NULL);
}

static void check_status(int got, int expected)
{
    assert_int_equal(got, expected);
}

/* ---- suspending ---- */

static void a_suspended_attempt_keeps_its_place_and_resumes_first(void **unused)
{
    (void)unused;
    stopping_host h;
    set_up_stopping(&h, &giving_way, narrow, 4);
    check_status(submit(&h, 0, 2, 0), PN_OK);
    offer(&h.base, 0, 0, PN_OK);
    uint64_t token = h.base.launched.token;
    uint32_t place = h.base.launched.place;
    check_status(submit(&h, 4, 1, 0), PN_OK);
    assert_int_equal(h.suspensions, 1);
    assert_true(h.suspended.token == token && h.suspended.place == place);
    assert_true(pn_scheduler_is_suspended(h.base.s, place));
    assert_int_equal(pn_scheduler_running_tasks(h.base.s), 0);
    assert_int_equal(pn_scheduler_free_slots(h.base.s, 0, MAP), 1);

    offer(&h.base, 4, 0, PN_OK);
    assert_true(h.base.launched.id == 2 && h.base.launched.place != place);
    kept before = keep(h.base.s, pn_scheduler_block_size(h.base.s));
    check_status(pn_scheduler_finished(h.base.s, &h.base.hooks, 5, token), PN_ERR_ARGUMENT);
    check_status(pn_scheduler_failed(h.base.s, &h.base.hooks, 5, token), PN_ERR_ARGUMENT);
    check_status(pn_scheduler_started(h.base.s, &h.base.hooks, 5, token), PN_ERR_ARGUMENT);
    check_unchanged(&before);

    finish(&h.base, 9, 2, MAP, 0);
    offer(&h.base, 9, 0, PN_OK);
    assert_int_equal(h.resumptions, 1);
    assert_true(h.resumed.token == token && h.resumed.task == 0 && h.resumed.start == 5);
    assert_false(pn_scheduler_is_suspended(h.base.s, place));
    finish(&h.base, 15, 1, MAP, 0);
    offer(&h.base, 15, 0, PN_OK);
    assert_int_equal(h.base.launched.task, 1);
    finish(&h.base, 25, 1, MAP, 1);
    assert_true(h.base.last.id == 1 && h.base.last.suspensions == 1 && h.base.last.kills == 0);
    assert_int_equal(h.base.last.slot_ms, 4 + 6 + 10);
    pn_scheduler_totals totals = totals_of(&h.base);
    assert_true(totals.suspensions == 1 && totals.resumptions == 1 && totals.kills == 0);
    stop(&h.base);
}

static void what_is_suspended_is_lost_with_its_node(void **unused)
{
    (void)unused;
    stopping_host h;
    set_up_stopping(&h, &giving_way, two, 4);
    check_status(submit(&h, 0, 2, 0), PN_OK);
    offer(&h.base, 0, 0, PN_OK);
    check_status(submit(&h, 4, 1, 0), PN_OK);
    check_status(pn_scheduler_node_down(h.base.s, &h.base.hooks, 6, 0), PN_OK);
    assert_int_equal(totals_of(&h.base).lost, 1);
    offer(&h.base, 6, 1, PN_OK);
    assert_int_equal(h.base.launched.id, 2);
    finish(&h.base, 8, 2, MAP, 0);
    offer(&h.base, 8, 1, PN_OK);
    assert_true(h.base.launched.task == 0 && h.base.launched.attempt == 1);
    assert_int_equal(h.resumptions, 0);
    stop(&h.base);
}

static void a_policy_that_cannot_suspend_gives_up(void **unused)
{
    (void)unused;
    stopping_host full, unable;
    set_up_stopping(&full, &giving_way, wide, 1);
    check_status(submit(&full, 0, 2, 0), PN_OK);
    offer(&full.base, 0, 0, PN_OK);
    check_status(submit(&full, 4, 1, 0), PN_ERR_FULL);
    stop(&full.base);

    set_up_stopping(&unable, &giving_way, narrow, 4);
    unable.base.hooks.suspend = NULL;
    check_status(submit(&unable, 0, 1, 0), PN_OK);
    offer(&unable.base, 0, 0, PN_OK);
    check_status(submit(&unable, 4, 1, 0), PN_ERR_INFEASIBLE);
    stop(&unable.base);
}

/* ---- second attempts ---- */

static int first_attempt(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    *place = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
    if (*place != PN_SCHEDULER_NO_ATTEMPT &&
        (pn_scheduler_attempt_task(view, *place).node == node ||
         pn_scheduler_attempt_twin(view, *place) != PN_SCHEDULER_NO_ATTEMPT))
        *place = PN_SCHEDULER_NO_ATTEMPT;
    return PN_OK;
}

static const pn_scheduler_policy copying = {.name = "copying", .copy = first_attempt};

static void the_first_of_two_attempts_ends_the_task(void **unused)
{
    (void)unused;
    stopping_host h;
    set_up_stopping(&h, &copying, two, 0);
    check_status(submit(&h, 0, 1, 0), PN_OK);
    offer(&h.base, 0, 0, PN_OK);
    pn_scheduler_task first = h.base.launched;
    offer(&h.base, 3, 1, PN_OK);
    pn_scheduler_task copy = h.base.launched;
    assert_true(copy.id == 1 && copy.task == 0 && copy.attempt == 1 && copy.node == 1);
    assert_true(copy.place != first.place);
    check_status(pn_scheduler_finished(h.base.s, &h.base.hooks, 9, copy.token), PN_OK);
    assert_true(h.kills == 1 && h.killed.token == first.token);
    assert_true(h.base.last.copies == 1 && h.base.last.copies_won == 1);
    assert_int_equal(h.base.last.slot_ms, 9 + 6);
    check_status(pn_scheduler_finished(h.base.s, &h.base.hooks, 9, first.token), PN_ERR_STALE);
    stop(&h.base);
}

static void one_of_two_attempts_continues_when_the_other_one_fails(void **unused)
{
    (void)unused;
    stopping_host h;
    set_up_stopping(&h, &copying, two, 0);
    check_status(submit(&h, 0, 1, 0), PN_OK);
    offer(&h.base, 0, 0, PN_OK);
    pn_scheduler_task first = h.base.launched;
    offer(&h.base, 3, 1, PN_OK);
    pn_scheduler_task copy = h.base.launched;
    check_status(pn_scheduler_failed(h.base.s, &h.base.hooks, 5, first.token), PN_OK);
    offer(&h.base, 6, 0, PN_OK);
    assert_true(h.base.launched.attempt == 2 && h.base.launched.node == 0);
    check_status(pn_scheduler_node_down(h.base.s, &h.base.hooks, 7, 0), PN_OK);
    check_status(pn_scheduler_finished(h.base.s, &h.base.hooks, 9, copy.token), PN_OK);
    assert_true(h.kills == 0 && h.base.last.copies == 2 && h.base.last.copies_won == 1);
    stop(&h.base);
}

/* ---- copies that cannot be ---- */

static uint32_t named;

static int as_named(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    (void)view, (void)node;
    if (kind == MAP)
        *place = named;
    return PN_OK;
}

static const pn_scheduler_policy naming = {.name = "naming", .copy = as_named};

/* Four nodes with a slot of each kind: two maps and a reduce run on the first two. */
static void set_up_naming(stopping_host *h)
{
    static const pn_scheduler_nodes four[] = {{4, 1, 1, 0}};
    named = PN_SCHEDULER_NO_ATTEMPT;
    set_up_stopping(h, &naming, four, 0);
    check_status(submit(h, 0, 2, 1), PN_OK);
    offer(&h->base, 0, 0, PN_OK);
    offer(&h->base, 0, 1, PN_OK);
}

static void copies_that_cannot_be_are_infeasible(void **unused)
{
    (void)unused;
    const struct {
        uint32_t kind, offers; /* how often the copy is launched before */
        bool exists;
    } cases[] = {{MAP, 1, true}, {REDUCE, 0, true}, {MAP, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stopping_host h;
        set_up_naming(&h);
        named = cases[i].exists ? run_of(&h.base, 1, cases[i].kind, 0) : UINT32_MAX - 1;
        for (uint32_t node = 2; node < 2 + cases[i].offers; node++)
            offer(&h.base, 1, node, PN_OK);
        offer(&h.base, 1, 3, PN_ERR_INFEASIBLE);
        stop(&h.base);
    }
}

/* CL42 */
static void a_copy_above_running_most_is_infeasible(void **unused)
{
    static const pn_scheduler_nodes four[] = {{4, 1, 1, 0}};
    pn_scheduler_config config = config_for(&naming, four);
    const pn_scheduler_job job = job_of(2, 10, 0, 0, 0);
    (void)unused;
    config.copies = 1;
    for (config.running_most = 2; config.running_most <= 3; config.running_most++) {
        host h;
        named = PN_SCHEDULER_NO_ATTEMPT;
        set_up(&h, &naming, &config);
        check_status(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
        offer(&h, 0, 0, PN_OK);
        offer(&h, 0, 1, PN_OK);
        named = run_of(&h, 1, MAP, 0);
        offer(&h, 1, 2, config.running_most == 2 ? PN_ERR_INFEASIBLE : PN_OK);
        stop(&h);
    }
}

static void a_copy_on_the_node_of_the_first_attempt_is_infeasible(void **unused)
{
    (void)unused;
    stopping_host h;
    set_up_stopping(&h, &naming, wide, 0);
    named = PN_SCHEDULER_NO_ATTEMPT;
    check_status(submit(&h, 0, 1, 0), PN_OK);
    offer(&h.base, 0, 0, PN_OK);
    named = run_of(&h.base, 1, MAP, 0);
    offer(&h.base, 1, 0, PN_ERR_INFEASIBLE);
    stop(&h.base);
}

static int refuse(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    (void)view, (void)node, (void)kind, (void)place;
    return PN_ERR_MODE;
}

static void a_policy_gives_up_where_it_is_asked_for_a_copy(void **unused)
{
    static const pn_scheduler_policy failing = {.name = "failing", .copy = refuse};
    (void)unused;
    stopping_host h;
    set_up_stopping(&h, &failing, two, 0);
    check_status(submit(&h, 0, 1, 0), PN_OK);
    offer(&h.base, 0, 0, PN_OK);
    offer(&h.base, 0, 1, PN_ERR_MODE);
    stop(&h.base);
}

/* Copies go with no waiting for inputs and no order of starts. */
static void policies_that_cannot_copy_are_refused(void **unused)
{
    (void)unused;
    pn_scheduler_policy policy = naming;
    pn_scheduler_config config = config_for(&policy, two);
    config.copies = 1;
    assert_true(pn_scheduler_size(&config) > 0);
    policy.order.delays = 1;
    assert_true(pn_scheduler_size(&config) == 0);
    policy.order = (pn_scheduler_order){.started_first = 1};
    assert_true(pn_scheduler_size(&config) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_suspended_attempt_keeps_its_place_and_resumes_first),
        cmocka_unit_test(what_is_suspended_is_lost_with_its_node),
        cmocka_unit_test(a_policy_that_cannot_suspend_gives_up),
        cmocka_unit_test(the_first_of_two_attempts_ends_the_task),
        cmocka_unit_test(one_of_two_attempts_continues_when_the_other_one_fails),
        cmocka_unit_test(copies_that_cannot_be_are_infeasible),
        cmocka_unit_test(a_copy_above_running_most_is_infeasible),
        cmocka_unit_test(a_copy_on_the_node_of_the_first_attempt_is_infeasible),
        cmocka_unit_test(a_policy_gives_up_where_it_is_asked_for_a_copy),
        cmocka_unit_test(policies_that_cannot_copy_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
