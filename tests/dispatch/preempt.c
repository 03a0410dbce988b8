/* What policies may do on ticks, and tables that are full: suppositions that are given up one by
 * one, kills that would be in vain, keys that do not keep their promise, submissions that are
 * refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "support/kept.h"
#include "support/workload.h"

/* What the policy does on the next tick. */
enum plan { NOTHING, RELAUNCH, SPARE, KILL_BOTH };

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    enum plan plan;
    uint64_t share; /* of queue 0, as a tick saw it last */
    uint64_t asked; /* how often for a key */
    uint32_t launched, killed;
    uint64_t last; /* job of the last launch */
} host;

static void on_launch(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    h->launched++;
    h->last = task->id;
}

static void on_kill(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    (void)task;
    h->killed++;
}

static void share_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    key->word[0] = pn_dispatch_queue_share(view, queue, PN_DISPATCH_NO_STAGE, 1);
}

/* The n-th attempt of a queue on node 0. */
static uint32_t attempt_of(const pn_dispatch_view *view, uint32_t queue, uint32_t n)
{
    uint32_t at = pn_dispatch_next_on_node(view, 0, PN_DISPATCH_NO_ATTEMPT);
    for (;; at = pn_dispatch_next_on_node(view, 0, at)) {
        uint32_t stage = pn_dispatch_attempt_stage(view, at);
        if (pn_dispatch_queue_of(view, pn_dispatch_stage_job(view, stage)) == queue && n-- == 0)
            return at;
    }
}

static int act(pn_dispatch_view *view)
{
    host *h = pn_dispatch_user(view);
    uint32_t first, stage;
    h->share = pn_dispatch_queue_share(view, 0, PN_DISPATCH_NO_STAGE, 1);
    if (h->plan == NOTHING)
        return PN_OK;
    first = attempt_of(view, 0, 0);
    stage = pn_dispatch_attempt_stage(view, first);
    if (h->plan == RELAUNCH) {
        pn_dispatch_suppose(view, first);
        pn_dispatch_suppose(view, attempt_of(view, 0, 1));
        assert_int_equal(pn_dispatch_kill(view, first), PN_OK);
        assert_int_equal(pn_dispatch_launch(view, stage, 0), PN_OK);
        return PN_OK;
    }
    assert_int_equal(pn_dispatch_kill(view, first), PN_OK);
    if (h->plan == SPARE)
        pn_dispatch_suppose(view, attempt_of(view, 1, 0));
    assert_int_equal(pn_dispatch_kill(view, attempt_of(view, 1, 1)), PN_OK);
    return PN_OK;
}

static const pn_dispatch_policy by_share = {.name = "by_share",
                                            .order = {.by_queue = 1, .preempts = 1},
                                            .queue_key = share_key,
                                            .preempt = act};

static void start(host *h, const pn_dispatch_policy *policy, const double *params,
                  uint32_t attempts)
{
    static const pn_dispatch_nodes node = {{4}, 1, 0};
    static const pn_dispatch_queue queues[] = {{1, 500, 0, 0}, {1, 500, 0, 0}};
    pn_dispatch_config config = pn_dispatch_defaults();
    *h = (host){
        .hooks = {.policy = policy, .params = params, .launch = on_launch, .kill = on_kill}};
    h->hooks.user = h->hooks.policy_user = h;
    config.nodes = &node;
    config.nodes_count = 1;
    config.queues = queues;
    config.queues_count = 2;
    config.jobs_max = 4;
    config.attempts_max = attempts;
    config.policy = policy;
    size_t size = pn_dispatch_size(&config);
    assert_true(size > 0);
    assert_int_equal(pn_dispatch_init(&h->core, workload_room(size), size, &config), PN_OK);
}

static int submit(host *h, uint32_t queue, uint32_t tasks, uint64_t demand)
{
    const pn_dispatch_stage stage = {.demand = {demand}, .estimate = 10, .tasks = tasks};
    const pn_dispatch_job job = {.stages = &stage, .stage_count = 1, .queue = queue};
    return pn_dispatch_submit(h->core, &h->hooks, 0, &job, NULL);
}

static void run(host *h, uint64_t now, uint64_t most)
{
    assert_true(pn_dispatch_run(h->core, &h->hooks, now, most) >= 0);
}

static void tick(host *h, uint64_t now, enum plan plan)
{
    h->plan = plan;
    assert_int_equal(pn_dispatch_tick(h->core, &h->hooks, now), PN_OK);
    assert_int_equal(pn_dispatch_validate(h->core, pn_dispatch_block_size(h->core)), PN_OK);
}

/* An attempt that is supposed to be killed, and is killed apart from the others, takes none of them
 * with it when its place is used again. */
static void suppositions_end_one_by_one(void **unused)
{
    host h;
    (void)unused;
    start(&h, &by_share, NULL, 0);
    assert_int_equal(submit(&h, 0, 2, 1), PN_OK);
    run(&h, 0, UINT64_MAX);
    tick(&h, 1, RELAUNCH);
    tick(&h, 2, NOTHING);
    assert_int_equal(h.share, 500000000000); /* two tasks on a node of four */
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 2, 1), PN_OK);
    tick(&h, 3, NOTHING);
    assert_int_equal(h.share, 0);
    free(h.core);
}

/* The order of queues is the same whether one was supposed to lose an attempt for a while. */
static void suppositions_leave_no_trace(void **unused)
{
    (void)unused;
    for (enum plan plan = SPARE; plan <= KILL_BOTH; plan++) {
        host h;
        start(&h, &by_share, NULL, 0);
        assert_int_equal(submit(&h, 0, 8, 1), PN_OK);
        assert_int_equal(submit(&h, 1, 8, 1), PN_OK);
        run(&h, 0, UINT64_MAX);
        tick(&h, 1, plan);
        run(&h, 1, 1);
        assert_int_equal(h.last, 1); /* of equal shares the lower queue */
        free(h.core);
    }
}

/* Nothing is killed for a task that finds no place among the attempts, and the core goes on. */
static void full_tables_kill_nobody(void **unused)
{
    const double preempts[] = {1};
    pn_dispatch_task task;
    host h;
    (void)unused;
    start(&h, pn_dispatch_capacity_queues(), preempts, 4);
    assert_int_equal(submit(&h, 0, 4, 1), PN_OK);
    run(&h, 0, UINT64_MAX);
    assert_int_equal(submit(&h, 1, 4, 1), PN_OK);
    run(&h, 0, UINT64_MAX);
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 3), PN_ERR_FULL);
    assert_true(h.launched == 4 && h.killed == 0);
    assert_true(pn_dispatch_wants_ticks(h.core));
    assert_int_equal(pn_dispatch_task_get(h.core, 0, &task), PN_OK);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 4, task.token), PN_OK);
    run(&h, 4, UINT64_MAX);
    assert_true(h.launched == 5 && h.last == 2);
    free(h.core);
}

/* All places are those of tasks that wait to run again, and another task is first: only a job that
 * is cancelled makes places. */
static void full_tables_wait_for_a_host(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_srpt(), NULL, 1);
    assert_int_equal(submit(&h, 0, 1, 3), PN_OK);
    run(&h, 0, UINT64_MAX);
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, 1, 0), PN_OK);
    assert_int_equal(pn_dispatch_node_up(h.core, &h.hooks, 2, 0), PN_OK);
    const pn_dispatch_stage small = {.demand = {1}, .estimate = 1, .tasks = 1};
    const pn_dispatch_job job = {.stages = &small, .stage_count = 1};
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 2, &job, NULL), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 2, UINT64_MAX), PN_ERR_FULL);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 2, 1), PN_OK);
    run(&h, 2, UINT64_MAX);
    assert_int_equal(h.last, 2);
    free(h.core);
}

static void other_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    host *h = pn_dispatch_user(view);
    (void)job;
    key->word[1] = ++h->asked;
}

/* Keys that grow with every question, not with time, cost no more than a look at each job. */
static void keys_that_lie_end(void **unused)
{
    static const pn_dispatch_policy liar = {
        .name = "liar", .order = {.keys = PN_DISPATCH_KEYS_GROWING}, .key = other_key};
    host h;
    (void)unused;
    start(&h, &liar, NULL, 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(submit(&h, 0, 8, 1), PN_OK);
    run(&h, 0, UINT64_MAX);
    assert_int_equal(h.launched, 4);
    assert_true(h.asked < 100);
    free(h.core);
}

/* Not even the policy is bound. */
static void refused_jobs_change_nothing(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), NULL, 0);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    assert_int_equal(submit(&h, 0, 1, 9), PN_ERR_JOB);
    assert_int_equal(submit(&h, 2, 1, 1), PN_ERR_ARGUMENT);
    check_unchanged(&before);
    h.hooks.policy = pn_dispatch_srpt();
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    free(h.core);
}

/* A job that has left is no place to go on from. */
static void records_of_jobs_that_left(void **unused)
{
    pn_dispatch_record record;
    uint32_t place = PN_NO_JOB;
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), NULL, 0);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    assert_int_equal(pn_dispatch_next_record(h.core, &place, &record), PN_OK);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 0, record.id), PN_OK);
    assert_int_equal(pn_dispatch_next_record(h.core, &place, &record), PN_ERR_ARGUMENT);
    place = 4;
    assert_int_equal(pn_dispatch_next_record(h.core, &place, &record), PN_ERR_ARGUMENT);
    free(h.core);
}

/* Asks for what follows an attempt that it has killed. */
static int ask_behind(pn_dispatch_view *view)
{
    uint32_t first = pn_dispatch_next_on_node(view, 0, PN_DISPATCH_NO_ATTEMPT);
    assert_int_equal(pn_dispatch_kill(view, first), PN_OK);
    (void)pn_dispatch_next_on_node(view, 0, first);
    return PN_OK;
}

/* The mistake ends the program, as every name of an attempt that does not run. */
static void nothing_follows_attempts_that_do_not_run(void **unused)
{
    static const pn_dispatch_policy mistaken = {
        .name = "mistaken", .order = {.preempts = 1}, .preempt = ask_behind};
    host h;
    int status = 0;
    (void)unused;
    start(&h, &mistaken, NULL, 0);
    assert_int_equal(submit(&h, 0, 4, 1), PN_OK);
    run(&h, 0, UINT64_MAX);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        (void)pn_dispatch_tick(h.core, &h.hooks, 1);
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    free(h.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suppositions_end_one_by_one),
        cmocka_unit_test(suppositions_leave_no_trace),
        cmocka_unit_test(full_tables_kill_nobody),
        cmocka_unit_test(full_tables_wait_for_a_host),
        cmocka_unit_test(keys_that_lie_end),
        cmocka_unit_test(refused_jobs_change_nothing),
        cmocka_unit_test(records_of_jobs_that_left),
        cmocka_unit_test(nothing_follows_attempts_that_do_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
