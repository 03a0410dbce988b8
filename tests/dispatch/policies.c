/* Policies of the dispatch core that are written by others: what they may not do and when, keys
 * that change with time, and policies that give up at any moment, after which they are asked for
 * nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dispatch/state.h"
#include "support/kept.h"
#include "support/workload.h"

enum { PLACES = 16 };

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    uint64_t running[PLACES];  /* tokens by place, 0 = none */
    uint64_t launched[PLACES]; /* ids of jobs */
    uint32_t launches, kills, left;
    int32_t until;  /* keys that the policy still computes before it gives up */
    uint32_t asked; /* of a policy that has given up */
    const void *plan;
} host;

static void on_launch(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    assert_true(h->launches < PLACES);
    h->running[task->place] = task->token;
    h->launched[h->launches++] = task->id;
}

static void on_kill(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    h->running[task->place] = 0;
    h->kills++;
}

static void start_with(host *h, const pn_dispatch_config *given, const pn_dispatch_policy *policy)
{
    pn_dispatch_config config = *given;
    config.jobs_max = 4;
    size_t size = pn_dispatch_size(&config);
    assert_true(size > 0);
    *h = (host){.hooks = {.policy = policy, .launch = on_launch, .kill = on_kill}, .until = -1};
    h->hooks.user = h->hooks.policy_user = h;
    assert_int_equal(pn_dispatch_init(&h->core, workload_room(size), size, &config), PN_OK);
}

static pn_dispatch_config on(const pn_dispatch_nodes *nodes)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = nodes;
    config.nodes_count = 1;
    config.attempts_max = PLACES;
    return config;
}

static const pn_dispatch_nodes four = {{4}, 1, 0}, three = {{1}, 3, 0};

static void start(host *h, const pn_dispatch_policy *policy)
{
    const pn_dispatch_config config = on(&four);
    start_with(h, &config, policy);
}

static int submit(host *h, uint32_t tasks)
{
    const pn_dispatch_stage stage = {.demand = {1}, .estimate = 10, .tasks = tasks};
    const pn_dispatch_job job = {.stages = &stage, .stage_count = 1};
    return pn_dispatch_submit(h->core, &h->hooks, 0, &job, NULL);
}

static int run(host *h, uint64_t now, uint64_t most)
{
    return pn_dispatch_run(h->core, &h->hooks, now, most);
}

static void check_valid(const host *h)
{
    assert_int_equal(pn_dispatch_validate(h->core, pn_dispatch_block_size(h->core)), PN_OK);
}

/* ---- what they may do, and when -------------------------------------------------------------- */

static const pn_dispatch_order plain = {.keys = 0}, unknown = {.unused = {1, 0}},
                               with_virtual = {.virtual_run = 1};

static int init_out_of_range(pn_dispatch_view *view)
{
    assert_int_equal(pn_dispatch_set_order(view, &unknown), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_set_order(view, &with_virtual), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_exchange(view, 1000001), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_order_get(view).virtual_run, 0);
    assert_int_equal(pn_dispatch_exchange(view, 1000000), PN_OK);
    assert_int_equal(pn_dispatch_set_order(view, &plain), PN_OK);
    return PN_OK;
}

/* Nothing of it is for jobs that arrive; the first job has a pending task, and the node room. */
static int arrive_out_of_turn(pn_dispatch_view *view, uint32_t job)
{
    uint32_t first = pn_dispatch_next(view, PN_NO_JOB);
    uint32_t stage = pn_dispatch_next_stage(view, first, PN_DISPATCH_NO_STAGE);
    assert_int_equal(pn_dispatch_set_order(view, &plain), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_exchange(view, 1), PN_ERR_ARGUMENT);
    pn_dispatch_suppose(view, 0);
    assert_int_equal(view->supposed_first, 0);
    assert_int_equal(pn_dispatch_kill(view, 0), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_dispatch_launch(view, stage, 0), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_dispatch_next_stage(view, job, stage), PN_DISPATCH_NO_STAGE);
    assert_int_equal(pn_dispatch_node_free(view, 0, 1), 0);
    return PN_OK;
}

static void leave_without_a_path(pn_dispatch_view *view, uint32_t job)
{
    host *h = pn_dispatch_user(view);
    assert_int_equal(pn_dispatch_path(view, job), 0);
    h->left++;
}

static void calls_have_their_moments(void **unused)
{
    static const pn_dispatch_policy early = {.name = "early",
                                             .init = init_out_of_range,
                                             .arrive = arrive_out_of_turn,
                                             .leave = leave_without_a_path};
    pn_dispatch_config config = on(&four);
    host h;
    (void)unused;
    config.policy = pn_dispatch_fifo(); /* so there is no memory for a virtual run */
    start_with(&h, &config, &early);
    assert_int_equal(submit(&h, 2), PN_OK);
    assert_int_equal(run(&h, 0, 1), PN_PAUSED);
    assert_int_equal(submit(&h, 1), PN_OK);
    assert_int_equal(run(&h, 0, 2), PN_OK);
    for (uint32_t place = 0; place < 3; place++)
        assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 5, h.running[place]), PN_OK);
    assert_int_equal(h.left, 2);
    check_valid(&h);
    free(h.core);
}

static int init_wishes_virtual_run(pn_dispatch_view *view)
{
    assert_int_equal(pn_dispatch_set_order(view, &with_virtual), PN_OK);
    assert_int_equal(pn_dispatch_order_get(view).virtual_run, 1);
    return PN_OK;
}

static void orders_may_be_set_where_there_is_memory(void **unused)
{
    static const pn_dispatch_policy wishing = {.name = "wishing", .init = init_wishes_virtual_run};
    pn_dispatch_totals totals;
    host h;
    (void)unused;
    start(&h, &wishing);
    assert_int_equal(submit(&h, 2), PN_OK);
    pn_dispatch_totals_get(h.core, &totals);
    assert_int_equal(totals.virtual_held, 1);
    check_valid(&h);
    free(h.core);
}

/* The attempts that run on the node. */
static uint32_t list(const pn_dispatch_view *view, uint32_t at[4])
{
    uint32_t count = 0;
    for (uint32_t place = pn_dispatch_next_on_node(view, 0, PN_DISPATCH_NO_ATTEMPT);
         place != PN_DISPATCH_NO_ATTEMPT; place = pn_dispatch_next_on_node(view, 0, place))
        at[count++] = place;
    return count;
}

/* Places without an attempt, nodes without room, stages without a task. */
static int preempt_what_there_is_not(pn_dispatch_view *view)
{
    const uint32_t none[] = {PLACES, PLACES - 1};
    uint32_t at[4], job = pn_dispatch_next(view, PN_NO_JOB);
    uint32_t all_run = pn_dispatch_next_stage(view, job, PN_DISPATCH_NO_STAGE);
    uint32_t pends = pn_dispatch_next_stage(view, pn_dispatch_next(view, job),
                                            PN_DISPATCH_NO_STAGE);
    assert_int_equal(list(view, at), 4);
    for (int i = 0; i < 2; i++) {
        pn_dispatch_suppose(view, none[i]);
        assert_int_equal(pn_dispatch_kill(view, none[i]), PN_ERR_INFEASIBLE);
    }
    assert_int_equal(view->supposed_first, 0);
    assert_int_equal(pn_dispatch_launch(view, pends, 1), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_dispatch_launch(view, pends, 0), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_dispatch_launch(view, all_run, 0), PN_ERR_INFEASIBLE);
    return PN_OK;
}

#define KILLER(function)                                                \
    {                                                                   \
        .name = "killer", .order = {.preempts = 1}, .preempt = function \
    }

static void attempts_and_nodes_that_are_not_there(void **unused)
{
    static const pn_dispatch_policy killer = KILLER(preempt_what_there_is_not);
    host h;
    (void)unused;
    start(&h, &killer);
    assert_int_equal(submit(&h, 3), PN_OK);
    assert_int_equal(submit(&h, 2), PN_OK);
    assert_int_equal(run(&h, 0, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 1), PN_OK);
    assert_true(h.launches == 4 && h.kills == 0);
    check_valid(&h);
    free(h.core);
}

/* Attempts by their order on the node: those that are supposed to be killed, perhaps twice, those
 * of them that are killed apart, and one that is supposed after that; PLACES = none. */
typedef struct plan {
    uint32_t supposed[5], killed[2], then, left;
} plan;

static int preempt_by_plan(pn_dispatch_view *view)
{
    host *h = pn_dispatch_user(view);
    const plan *it = h->plan;
    uint32_t at[4];
    assert_int_equal(list(view, at), 4);
    for (int i = 0; i < 5 && it->supposed[i] < 4; i++)
        pn_dispatch_suppose(view, at[it->supposed[i]]);
    for (int i = 0; i < 2 && it->killed[i] < 4; i++)
        assert_int_equal(pn_dispatch_kill(view, at[it->killed[i]]), PN_OK);
    if (it->then < 4)
        pn_dispatch_suppose(view, at[it->then]);
    pn_dispatch_kill_supposed(view);
    assert_true(view->supposed_first == 0 && view->supposed_last == 0);
    return PN_OK;
}

static void suppositions_are_a_chain(void **unused)
{
    static const pn_dispatch_policy killer = KILLER(preempt_by_plan);
    const plan plans[] = {
        {{0, 1, 2, PLACES}, {1, PLACES}, PLACES, 1}, /* one between */
        {{0, 1, 2, PLACES}, {2, PLACES}, PLACES, 1}, /* the last */
        {{0, 1, 2, PLACES}, {2, PLACES}, 3, 0},      /* and another one follows */
        {{0, 1, 2, PLACES}, {2, 1}, 3, 0},           /* the last two */
        {{0, 0, PLACES}, {0, PLACES}, PLACES, 3},    /* the only one, named twice */
        {{2, 0, 2, PLACES}, {2, 0}, PLACES, 2},      /* the first, then the only one */
        {{3, PLACES}, {1, PLACES}, PLACES, 2},       /* one that is not supposed to be */
    };
    (void)unused;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        host h;
        start(&h, &killer);
        h.plan = &plans[i];
        assert_int_equal(submit(&h, 4), PN_OK);
        assert_int_equal(run(&h, 0, UINT64_MAX), PN_OK);
        assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 1), PN_OK);
        assert_int_equal(pn_dispatch_running_tasks(h.core), plans[i].left);
        assert_int_equal(h.kills, 4 - plans[i].left);
        check_valid(&h);
        free(h.core);
    }
}

/* ---- keys that change with time -------------------------------------------------------------- */

static void key_of_time(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_dispatch_id(view, job) == 1 ? pn_dispatch_now(view) : 10;
}

/* The first job comes first until time 10; without a look at the time it would do so for ever. */
static void keys_change_with_time(void **unused)
{
    static const pn_dispatch_policy timed = {
        .name = "timed", .order = {.keys = PN_DISPATCH_KEYS_TIMED}, .key = key_of_time};
    host h;
    (void)unused;
    start(&h, &timed);
    assert_int_equal(submit(&h, 5), PN_OK);
    assert_int_equal(run(&h, 0, 2), PN_PAUSED);
    assert_int_equal(submit(&h, 1), PN_OK);
    assert_int_equal(run(&h, 9, 1), PN_PAUSED);
    assert_int_equal(h.launched[2], 1);
    assert_int_equal(run(&h, 11, 1), PN_OK);
    assert_int_equal(h.launched[3], 2);
    assert_int_equal(run(&h, 12, 1), PN_OK); /* no room since */
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 13, h.running[3]), PN_OK);
    assert_int_equal(run(&h, 13, 9), PN_OK);
    assert_true(h.launches == 5 && h.launched[4] == 1);
    check_valid(&h);
    free(h.core);
}

/* ---- policies that give up ------------------------------------------------------------------- */

/* Computes so many keys more. */
static void key_for_a_while(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    host *h = pn_dispatch_user(view);
    (void)key;
    assert_int_equal(view->s->fleet.failure, 0);
    assert_true(job < 4);
    if (h->until-- == 0)
        pn_dispatch_give_up(view, PN_ERR_INFEASIBLE);
}

static void leave_afterwards(pn_dispatch_view *view, uint32_t job)
{
    (void)job;
    ((host *)pn_dispatch_user(view))->left++;
}

static int preempt_afterwards(pn_dispatch_view *view)
{
    ((host *)pn_dispatch_user(view))->asked++;
    return PN_OK;
}

static int init_in_vain(pn_dispatch_view *view)
{
    (void)view;
    return PN_ERR_INFEASIBLE;
}

static const pn_dispatch_policy weary = {.name = "weary",
                                         .order = {.keys = PN_DISPATCH_KEYS_USED},
                                         .key = key_for_a_while,
                                         .leave = leave_afterwards};

/* The event happens, whatever it asks the policy. */
static void policies_that_give_up_are_not_asked_again(void **unused)
{
    static const pn_dispatch_policy born_weary = {.name = "born_weary",
                                                  .order = {.preempts = 1},
                                                  .init = init_in_vain,
                                                  .preempt = preempt_afterwards};
    host h;
    (void)unused;
    start(&h, &born_weary);
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 0), PN_ERR_INFEASIBLE);
    assert_int_equal(h.asked, 0);
    free(h.core);
    start(&h, &weary);
    assert_int_equal(submit(&h, 2), PN_OK);
    assert_int_equal(run(&h, 0, 1), PN_PAUSED);
    h.until = 0;
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 1, 1), PN_ERR_INFEASIBLE);
    assert_true(h.kills == 1 && h.left == 0 && pn_dispatch_jobs(h.core) == 0);
    assert_int_equal(run(&h, 1, 1), PN_ERR_INFEASIBLE);
    check_valid(&h);
    free(h.core);
    start(&h, &weary);
    assert_int_equal(submit(&h, 9), PN_OK);
    h.until = 1;
    assert_int_equal(run(&h, 0, 9), PN_ERR_INFEASIBLE);
    assert_int_equal(h.launches, 2); /* of four that have room */
    check_valid(&h);
    free(h.core);
}

static pn_dispatch_policy forgetful;

static int init_of_forgetful(pn_dispatch_view *view)
{
    (void)view;
    forgetful.preempt = NULL;
    return PN_OK;
}

static void tables_that_change_while_they_are_bound(void **unused)
{
    host h;
    (void)unused;
    forgetful = (pn_dispatch_policy){.name = "forgetful",
                                     .order = {.preempts = 1},
                                     .init = init_of_forgetful,
                                     .preempt = preempt_afterwards};
    start(&h, &forgetful);
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 0), PN_ERR_POLICY);
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 0), PN_ERR_POLICY);
    check_valid(&h);
    free(h.core);
}

/* ---- executors ------------------------------------------------------------------------------- */

/* Two stages of a job: the second waits for the first. */
static int submit_two(host *h, uint32_t tasks, uint32_t later)
{
    const uint32_t parents[] = {0};
    const pn_dispatch_stage stages[] = {
        {.demand = {1}, .estimate = 10, .tasks = tasks},
        {.demand = {1}, .estimate = 10, .tasks = later, .parent_count = 1}};
    const pn_dispatch_job job = {
        .stages = stages, .parents = parents, .stage_count = 2, .parents_count = 1};
    return pn_dispatch_submit(h->core, &h->hooks, 0, &job, NULL);
}

enum served { OTHERS, SAME_STAGE, SAME_JOB };

/* All executors are idle, and next belong to nobody, to the job whose stage they served last, or to
 * one whose next stage is ready. */
static void prepare(host *h, enum served by)
{
    pn_dispatch_config config = on(&three);
    config.executors = PN_DISPATCH_EXECUTORS_STICKY;
    start_with(h, &config, &weary);
    assert_int_equal(by == SAME_JOB ? submit_two(h, 3, 6) : submit(h, 9), PN_OK);
    if (by == OTHERS)
        return;
    assert_int_equal(run(h, 0, UINT64_MAX), PN_OK);
    for (uint32_t place = 0; place < 3; place++)
        assert_int_equal(pn_dispatch_finished(h->core, &h->hooks, 5, h->running[place]), PN_OK);
    h->launches = 0;
}

/* The call allows no more launches, or the policy gives up: then the others stay idle. */
static void executors_stop_where_they_are(void **unused)
{
    (void)unused;
    for (enum served by = OTHERS; by <= SAME_JOB; by++)
        for (int32_t count = 0; count < 3; count++) {
            host h;
            prepare(&h, by);
            assert_int_equal(run(&h, 6, (uint64_t)count), PN_PAUSED);
            assert_int_equal(h.launches, count);
            check_valid(&h);
            free(h.core);
            prepare(&h, by);
            h.until = count;
            assert_int_equal(run(&h, 6, 9), PN_ERR_INFEASIBLE);
            /* one that moves is given to the first by its key, which is computed for that too */
            assert_int_equal(h.launches, by == OTHERS ? count / 2 + 1 : count + 1);
            check_valid(&h);
            free(h.core);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_have_their_moments),
        cmocka_unit_test(orders_may_be_set_where_there_is_memory),
        cmocka_unit_test(attempts_and_nodes_that_are_not_there),
        cmocka_unit_test(suppositions_are_a_chain),
        cmocka_unit_test(keys_change_with_time),
        cmocka_unit_test(policies_that_give_up_are_not_asked_again),
        cmocka_unit_test(tables_that_change_while_they_are_bound),
        cmocka_unit_test(executors_stop_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
