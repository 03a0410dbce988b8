/* Executors of the dispatch core as a host drives them (DG35): to whom they belong, what it is told
 * of moves, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dispatch/state.h"
#include "support/workload.h"

enum { LOG = 40 };

static const pn_dispatch_nodes three[] = {{{4, 8}, 3, 0}};

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    uint64_t token[3]; /* by node */
    pn_dispatch_event log[LOG];
    uint32_t logged;
} host;

static void on_launch(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    h->token[task->node] = task->token;
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    host *h = user;
    assert_true(h->logged < LOG);
    if (event->event == PN_DISPATCH_MOVE || event->event == PN_DISPATCH_LAUNCH)
        h->log[h->logged++] = *event;
}

static void start(host *h, const pn_dispatch_policy *policy, uint32_t executors)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    *h = (host){.hooks = {.policy = policy, .launch = on_launch, .on_event = on_event}};
    h->hooks.user = h;
    config.nodes = three;
    config.nodes_count = 1;
    config.resources = 2;
    config.jobs_max = 4;
    config.executors = executors;
    size_t size = pn_dispatch_size(&config);
    assert_int_equal(pn_dispatch_init(&h->core, workload_room(size), size, &config), PN_OK);
}

/* A task, and then two. */
static int submit(host *h, uint64_t now, uint64_t cpu, uint64_t memory)
{
    const uint32_t parents[] = {0};
    const pn_dispatch_stage stages[] = {
        {.demand = {cpu, memory}, .estimate = 10, .tasks = 1},
        {.demand = {cpu, memory}, .estimate = 5, .tasks = 2, .parent_count = 1}};
    const pn_dispatch_job job = {
        .stages = stages, .parents = parents, .stage_count = 2, .parents_count = 1};
    return pn_dispatch_submit(h->core, &h->hooks, now, &job, NULL);
}

static void run(host *h, uint64_t now)
{
    assert_int_equal(pn_dispatch_run(h->core, &h->hooks, now, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dispatch_validate(h->core, pn_dispatch_block_size(h->core)), PN_OK);
}

static void finish(host *h, uint64_t now, uint32_t node)
{
    assert_int_equal(pn_dispatch_finished(h->core, &h->hooks, now, h->token[node]), PN_OK);
}

/* Checks what came since the last check: the kind, the job and the node of each. */
static void check_log(host *h, uint32_t count, const uint32_t (*want)[3])
{
    assert_int_equal(h->logged, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(h->log[i].event, want[i][0]);
        assert_int_equal(h->log[i].id, want[i][1]);
        assert_int_equal(h->log[i].node, want[i][2]);
    }
    h->logged = 0;
}

enum { MOVE = PN_DISPATCH_MOVE, LAUNCH = PN_DISPATCH_LAUNCH };

static void sticky_ones_wait_for_their_job(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), PN_DISPATCH_EXECUTORS_STICKY);
    assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
    assert_int_equal(submit(&h, 0, 4, 8), PN_OK);
    run(&h, 0); /* the first job has use for all three */
    check_log(&h, 4,
              (const uint32_t[][3]){{MOVE, 1, 0}, {LAUNCH, 1, 0}, {MOVE, 1, 1}, {MOVE, 1, 2}});
    run(&h, 5);
    check_log(&h, 0, NULL);
    finish(&h, 10, 0);
    run(&h, 10); /* and then for two */
    check_log(&h, 4,
              (const uint32_t[][3]){{LAUNCH, 1, 0}, {LAUNCH, 1, 1}, {MOVE, 2, 2}, {LAUNCH, 2, 2}});
    finish(&h, 15, 1);
    run(&h, 15); /* the second one has an executor that works, and use for two more later */
    check_log(&h, 1, (const uint32_t[][3]){{MOVE, 2, 1}});
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 16, 2), PN_OK);
    finish(&h, 16, 0);
    assert_int_equal(submit(&h, 17, 3, 1), PN_OK);
    run(&h, 17);
    check_log(&h, 4,
              (const uint32_t[][3]){{MOVE, 3, 0}, {LAUNCH, 3, 0}, {MOVE, 3, 1}, {MOVE, 3, 2}});
    free(h.core);
}

static void nodes_out_of_use_belong_to_none(void **unused)
{
    const uint64_t none[] = {0, 0}, some[] = {4, 7}, all[] = {4, 8};
    host h;
    (void)unused;
    start(&h, pn_dispatch_fair(), PN_DISPATCH_EXECUTORS_STICKY);
    assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
    run(&h, 0);
    h.logged = 0;
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, 1, 1), PN_OK);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 1, 2, some), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 1, 2, none), PN_OK);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 1, 0, none), PN_OK); /* a task runs */
    run(&h, 1);
    assert_int_equal(pn_dispatch_node_up(h.core, &h.hooks, 2, 1), PN_OK);
    run(&h, 2);
    check_log(&h, 1, (const uint32_t[][3]){{MOVE, 1, 1}});
    finish(&h, 3, 0);
    run(&h, 3); /* node 0 is out of use now */
    check_log(&h, 1, (const uint32_t[][3]){{LAUNCH, 1, 1}});
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 4, 0, all), PN_OK);
    run(&h, 4);
    check_log(&h, 2, (const uint32_t[][3]){{MOVE, 1, 0}, {LAUNCH, 1, 0}});
    free(h.core);
}

static void free_ones_move_with_each_launch(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), PN_DISPATCH_EXECUTORS_FREE);
    assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
    assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
    run(&h, 0);
    check_log(&h, 4,
              (const uint32_t[][3]){{MOVE, 1, 0}, {LAUNCH, 1, 0}, {MOVE, 2, 1}, {LAUNCH, 2, 1}});
    finish(&h, 5, 0);
    run(&h, 5);
    check_log(&h, 3, (const uint32_t[][3]){{LAUNCH, 1, 0}, {MOVE, 1, 2}, {LAUNCH, 1, 2}});
    free(h.core);
}

static void by_wanting(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    uint32_t *most = pn_dispatch_user(view), wanting = pn_dispatch_wanting(view);
    *most = wanting > *most ? wanting : *most;
    key->word[0] = job;
}

/* Both jobs want one where executors are sticky. */
static void policies_see_how_many_jobs_want_one(void **unused)
{
    static const pn_dispatch_policy policy = {
        .name = "by_wanting", .order = {.keys = PN_DISPATCH_KEYS_USED}, .key = by_wanting};
    (void)unused;
    for (int sticky = 0; sticky <= 1; sticky++) {
        uint32_t most = 0;
        host h;
        start(&h, &policy, sticky ? PN_DISPATCH_EXECUTORS_STICKY : PN_DISPATCH_EXECUTORS_FREE);
        h.hooks.policy_user = &most;
        assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
        assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
        run(&h, 0);
        assert_int_equal(most, sticky ? 2 : 0);
        free(h.core);
    }
}

static void what_does_not_suit_is_refused(void **unused)
{
    static const double by_queue[] = {1};
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), PN_DISPATCH_EXECUTORS_STICKY);
    assert_int_equal(submit(&h, 0, 2, 1), PN_ERR_JOB); /* two would fit on a node */
    assert_int_equal(submit(&h, 0, 5, 1), PN_ERR_JOB);
    assert_int_equal(submit(&h, 0, 3, 0), PN_OK);
    h.hooks.policy = pn_dispatch_srpt();
    assert_int_equal(submit(&h, 0, 3, 0), PN_ERR_POLICY);
    free(h.core);
    const pn_dispatch_policy *const others[] = {pn_dispatch_tetris(),
                                                pn_dispatch_capacity_queues()};
    for (int i = 0; i < 2; i++) {
        start(&h, others[i], PN_DISPATCH_EXECUTORS_STICKY);
        assert_int_equal(submit(&h, 0, 3, 1), PN_ERR_POLICY);
        free(h.core);
        start(&h, others[i], PN_DISPATCH_EXECUTORS_FREE);
        assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
        run(&h, 0);
        free(h.core);
    }
    start(&h, pn_dispatch_drf(), PN_DISPATCH_EXECUTORS_STICKY);
    h.hooks.params = by_queue; /* is known when the policy begins */
    assert_int_equal(submit(&h, 0, 3, 1), PN_ERR_POLICY);
    free(h.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticky_ones_wait_for_their_job),
        cmocka_unit_test(nodes_out_of_use_belong_to_none),
        cmocka_unit_test(free_ones_move_with_each_launch),
        cmocka_unit_test(policies_see_how_many_jobs_want_one),
        cmocka_unit_test(what_does_not_suit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
