/* In which order a host and a policy see what is many: the attempts on a node, whatever was
 * launched in one millisecond and in which order; and what waits when many attempts end at
 * once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/workload.h"

enum { JOBS = 5, STAGES = 3, TASKS = 12, ROUNDS = 300, PLACES = 400 };

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    pn_stream stream;
    pn_dispatch_task last; /* the one told before; token 0: none */
    uint32_t seen, in_order;
} host;

/* ---- the order of a node's attempts ---- */

static bool later(const pn_dispatch_task *a, const pn_dispatch_task *b)
{
    if (a->start != b->start)
        return a->start > b->start;
    if (a->id != b->id)
        return a->id > b->id;
    return a->stage != b->stage ? a->stage > b->stage : a->task > b->task;
}

static void see(host *h, const pn_dispatch_task *task)
{
    h->in_order += h->last.token == 0 || later(&h->last, task);
    h->seen++;
    h->last = *task;
}

static void shuffled_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_uniform(pn_dispatch_stream(view), 0, 3);
    key->word[1] = pn_dispatch_running(view, job);
}

/* Looks at every other node, and kills one of those that it sees. */
static int look(pn_dispatch_view *view)
{
    host *h = pn_dispatch_user(view);
    for (uint32_t node = 0; node < pn_dispatch_nodes_all(view); node += 2) {
        uint32_t victim = PN_DISPATCH_NO_ATTEMPT, it = PN_DISPATCH_NO_ATTEMPT;
        h->last.token = 0;
        while ((it = pn_dispatch_next_on_node(view, node, it)) != PN_DISPATCH_NO_ATTEMPT) {
            pn_dispatch_task task = pn_dispatch_attempt_task(view, it);
            assert_int_equal(task.node, node);
            see(h, &task);
            if (pn_uniform(&h->stream, 0, 9) == 0)
                victim = it;
        }
        if (victim != PN_DISPATCH_NO_ATTEMPT)
            pn_dispatch_kill(view, victim);
    }
    return PN_OK;
}

/* Those that are lost with their node. */
static void on_event(void *user, const pn_dispatch_event *event)
{
    host *h = user;
    pn_dispatch_task task;
    if (event->event != PN_DISPATCH_LOSE)
        return;
    assert_int_equal(pn_dispatch_task_get(h->core, event->place, &task), PN_OK);
    see(h, &task);
}

static void start(host *h, const pn_dispatch_policy *policy)
{
    static const pn_dispatch_nodes nodes[] = {{{60}, 3, 0}};
    pn_dispatch_config config = pn_dispatch_defaults();
    *h = (host){.hooks = {.policy = policy, .on_event = on_event}};
    h->hooks.user = h->hooks.policy_user = h;
    pn_stream_init(&h->stream, 17, 0, 0);
    config.nodes = nodes;
    config.nodes_count = 1;
    config.jobs_max = JOBS;
    config.attempts_max = PLACES;
    config.policy = policy;
    config.placement = PN_DISPATCH_SPREAD;
    size_t size = pn_dispatch_size(&config);
    assert_int_equal(pn_dispatch_init(&h->core, workload_room(size), size, &config), PN_OK);
}

static void submit(host *h, uint64_t now)
{
    pn_dispatch_stage stages[STAGES];
    for (uint32_t i = 0; i < STAGES; i++)
        stages[i] = (pn_dispatch_stage){.demand = {pn_uniform(&h->stream, 1, 2)},
                                        .estimate = pn_uniform(&h->stream, 1, 3),
                                        .tasks = (uint32_t)pn_uniform(&h->stream, 1, TASKS)};
    const pn_dispatch_job job = {.stages = stages, .stage_count = STAGES};
    while (pn_dispatch_submit(h->core, &h->hooks, now, &job, NULL) == PN_OK) {
    }
}

static void end_some(host *h, uint64_t now)
{
    pn_dispatch_task task;
    for (uint32_t place = 0; place < PLACES; place++)
        if (pn_uniform(&h->stream, 0, 2) == 0 &&
            pn_dispatch_task_get(h->core, place, &task) == PN_OK)
            assert_int_equal(pn_dispatch_finished(h->core, &h->hooks, now, task.token), PN_OK);
}

static void lose_a_node(host *h, uint64_t now)
{
    uint32_t node = (uint32_t)pn_uniform(&h->stream, 0, 2);
    uint32_t running = pn_dispatch_running_tasks(h->core), before = h->seen;
    h->last.token = 0;
    assert_int_equal(pn_dispatch_node_down(h->core, &h->hooks, now, node), PN_OK);
    assert_int_equal(h->seen - before, running - pn_dispatch_running_tasks(h->core));
    assert_int_equal(pn_dispatch_free(h->core, node, 0), 0);
    assert_int_equal(pn_dispatch_node_up(h->core, &h->hooks, now, node), PN_OK);
}

/* A millisecond has several rounds, so that attempts end, or are looked at, between two launches
 * of it. */
static void attempts_on_a_node_are_in_order(void **unused)
{
    static const pn_dispatch_policy looker = {
        .name = "looker",
        .order = {.keys = PN_DISPATCH_KEYS_USED, .preempts = 1},
        .key = shuffled_key,
        .preempt = look,
    };
    host h;
    (void)unused;
    start(&h, &looker);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t now = round / 4;
        end_some(&h, now);
        if (round % 7 == 0)
            lose_a_node(&h, now);
        submit(&h, now);
        if (round % 3 == 0)
            assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, now), PN_OK);
        assert_int_equal(pn_dispatch_run(h.core, &h.hooks, now,
                                         pn_uniform(&h.stream, 0, 1) ? 20 : UINT64_MAX) < 0,
                         0);
        assert_int_equal(pn_dispatch_validate(h.core, pn_dispatch_block_size(h.core)), PN_OK);
    }
    assert_true(h.seen > 1000);
    assert_int_equal(h.in_order, h.seen);
    free(h.core);
}

/* ---- what waits for room ---- */

static void submit_one(host *h, uint64_t demand, uint32_t tasks)
{
    const pn_dispatch_stage stage = {.demand = {demand}, .estimate = 1, .tasks = tasks};
    const pn_dispatch_job job = {.stages = &stage, .stage_count = 1};
    assert_int_equal(pn_dispatch_submit(h->core, &h->hooks, 0, &job, NULL), PN_OK);
    assert_int_equal(pn_dispatch_run(h->core, &h->hooks, 0, UINT64_MAX), PN_OK);
}

static uint32_t running_after_a_run(host *h)
{
    assert_int_equal(pn_dispatch_validate(h->core, pn_dispatch_block_size(h->core)), PN_OK);
    assert_int_equal(pn_dispatch_run(h->core, &h->hooks, 0, UINT64_MAX), PN_OK);
    return pn_dispatch_running_tasks(h->core);
}

/* Where a job is cancelled, and not where a node is lost. */
static void room_is_found_again(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo());
    submit_one(&h, 30, 6);
    submit_one(&h, 40, 3);
    submit_one(&h, 20, 1);
    assert_int_equal(pn_dispatch_running_tasks(h.core), 6);
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, 0, 1), PN_OK);
    assert_int_equal(running_after_a_run(&h), 4);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 0, 1), PN_OK);
    assert_int_equal(running_after_a_run(&h), 3); /* two of 40 and the one of 20 */
    assert_int_equal(pn_dispatch_node_up(h.core, &h.hooks, 0, 1), PN_OK);
    assert_int_equal(running_after_a_run(&h), 4);
    free(h.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attempts_on_a_node_are_in_order),
        cmocka_unit_test(room_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
