/* Nodes of the dispatch core that get another capacity while tasks run: they drain, go, and come
 * back. Whatever a host does with them, nothing is launched that has no room, and what waits is
 * launched when there is some. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/kept.h"
#include "support/workload.h"

enum { NODES = 6, PLACES = 200, JOBS = 30 };

static const pn_dispatch_nodes several[] = {{{8, 16}, 4, 0}, {{4, 40}, 2, 500}};
static const pn_dispatch_queue queues[] = {{.weight = 1, .guaranteed = 500},
                                           {.weight = 3, .guaranteed = 100, .maximum = 800}};

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    pn_stream stream;
    uint64_t now;
    uint64_t demand[JOBS + 1][2]; /* by job */
    /* its own books of nodes */
    uint64_t capacity[NODES][2], used[NODES][2];
    bool up[NODES];
    uint64_t token[PLACES];
    uint32_t node[PLACES];
    uint64_t job[PLACES];
    uint32_t launches, kills, come;
    uint64_t resized; /* what the last event of a resize said of the first resource */
} host;

static void hold(host *h, uint32_t place, bool more)
{
    for (int r = 0; r < 2; r++) {
        uint64_t *used = &h->used[h->node[place]][r];
        *used = more ? *used + h->demand[h->job[place]][r] : *used - h->demand[h->job[place]][r];
    }
    if (!more)
        h->token[place] = 0;
}

static void on_launch(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    assert_true(task->place < PLACES && h->token[task->place] == 0 && h->up[task->node]);
    h->token[task->place] = task->token;
    h->node[task->place] = task->node;
    h->job[task->place] = task->id;
    hold(h, task->place, true);
    for (int r = 0; r < 2; r++)
        assert_true(h->demand[task->id][r] == 0 ||
                    h->used[task->node][r] <= h->capacity[task->node][r]);
    h->launches++;
}

static void on_kill(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    assert_int_equal(h->token[task->place], task->token);
    hold(h, task->place, false);
    h->kills++;
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    host *h = user;
    if (event->event == PN_DISPATCH_LOSE)
        hold(h, event->place, false);
    if (event->event == PN_DISPATCH_NODE_RESIZE)
        h->resized = event->capacity[0];
    else
        assert_true(event->capacity[0] == 0 && event->capacity[1] == 0);
}

static void start(host *h, const pn_dispatch_policy *policy, uint64_t seed, uint32_t absent)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    *h = (host){
        .hooks = {.policy = policy, .launch = on_launch, .kill = on_kill, .on_event = on_event}};
    h->hooks.user = h;
    pn_stream_init(&h->stream, seed, 0, 9);
    config.nodes = several;
    config.nodes_count = 2;
    config.nodes_absent = absent;
    config.resources = 2;
    config.queues = queues;
    config.queues_count = 2;
    config.jobs_max = JOBS;
    config.attempts_max = PLACES;
    config.placement = (uint32_t)(seed % 3);
    size_t size = pn_dispatch_size(&config);
    assert_true(size > 0);
    assert_int_equal(pn_dispatch_init(&h->core, workload_room(size), size, &config), PN_OK);
    assert_true(pn_dispatch_configured(h->core, &config));
    for (uint32_t node = 0; node < NODES; node++) {
        const pn_dispatch_nodes *its = &several[node / 4];
        h->up[node] = true;
        for (int r = 0; r < 2; r++)
            h->capacity[node][r] = node < NODES - absent ? its->capacity[r] : 0;
    }
}

static void check_valid(const host *h)
{
    assert_int_equal(pn_dispatch_validate(h->core, pn_dispatch_block_size(h->core)), PN_OK);
    for (uint32_t node = 0; node < NODES; node++)
        for (uint32_t r = 0; r < 2; r++) {
            uint64_t used = h->used[node][r], has = h->up[node] ? h->capacity[node][r] : 0;
            assert_int_equal(pn_dispatch_free(h->core, node, r), used < has ? has - used : 0);
        }
}

static void resize(host *h, uint32_t node, uint64_t cpu, uint64_t memory)
{
    const uint64_t capacity[] = {cpu, memory};
    memcpy(h->capacity[node], capacity, sizeof capacity);
    assert_int_equal(pn_dispatch_resize(h->core, &h->hooks, h->now, node, capacity), PN_OK);
    check_valid(h);
}

static void submit(host *h, uint32_t tasks, uint64_t cpu, uint64_t memory, uint32_t queue)
{
    const pn_dispatch_stage stage = {.demand = {cpu, memory}, .estimate = 10, .tasks = tasks};
    const pn_dispatch_job job = {
        .stages = &stage, .stage_count = 1, .queue = queue, .priority = (int32_t)(h->come % 3) - 1};
    h->demand[++h->come][0] = cpu;
    h->demand[h->come][1] = memory;
    assert_int_equal(pn_dispatch_submit(h->core, &h->hooks, h->now, &job, NULL), PN_OK);
}

static void run(host *h)
{
    assert_int_equal(pn_dispatch_run(h->core, &h->hooks, h->now, UINT64_MAX), PN_OK);
}

static void finish(host *h, uint32_t place)
{
    uint64_t token = h->token[place];
    hold(h, place, false);
    assert_int_equal(pn_dispatch_finished(h->core, &h->hooks, h->now, token), PN_OK);
}

static void stop(host *h)
{
    free(h->core);
}

/* ---- by hand ---- */

static void tasks_go_on_where_there_is_less(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_dispatch_fifo(), 0, 5);
    submit(&h, 6, 2, 4, 0);
    run(&h);
    assert_int_equal(h.launches, 4);
    resize(&h, 0, 5, 16);
    assert_int_equal(h.resized, 5);
    finish(&h, 0);
    run(&h); /* 6 are held */
    assert_int_equal(h.launches, 4);
    finish(&h, 1);
    run(&h); /* 4 are held of 5 */
    assert_int_equal(h.launches, 4);
    finish(&h, 2);
    run(&h);
    assert_int_equal(h.launches, 5);
    resize(&h, 0, 8, 16);
    run(&h);
    assert_int_equal(h.launches, 6);
    stop(&h);
}

/* What a task does not ask for may be short. */
static void only_what_is_asked_for_must_be_there(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_dispatch_fifo(), 0, 5);
    submit(&h, 2, 1, 8, 0);
    run(&h);
    resize(&h, 0, 8, 4);
    submit(&h, 1, 1, 0, 0);
    submit(&h, 1, 1, 1, 0);
    run(&h);
    assert_int_equal(h.launches, 3);
    stop(&h);
}

static void nodes_come_and_go(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_dispatch_drf(), 0, 6);
    assert_int_equal(pn_dispatch_capacity(h.core, 0), 40); /* as configured */
    submit(&h, 2, 4, 1, 0);
    run(&h);
    assert_int_equal(h.launches, 0);
    resize(&h, 5, 4, 40);
    run(&h);
    assert_int_equal(h.launches, 1);
    resize(&h, 5, 0, 0);
    h.up[5] = false;
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, h.now, 5), PN_OK);
    check_valid(&h);
    resize(&h, 5, 4, 1); /* while it is down */
    run(&h);
    assert_int_equal(h.launches, 1);
    h.up[5] = true;
    assert_int_equal(pn_dispatch_node_up(h.core, &h.hooks, h.now, 5), PN_OK);
    run(&h);
    assert_int_equal(h.launches, 2);
    stop(&h);
}

/* Kills on a node that drains make up for what is held above its capacity, too: two where one would
 * do. */
static void kills_count_what_is_held_above(void **unused)
{
    static const double preempts[] = {1};
    (void)unused;
    for (uint32_t above = 0; above <= 2; above += 2) {
        host h;
        start(&h, pn_dispatch_capacity_queues(), 0, 4);
        h.hooks.params = preempts;
        submit(&h, 8, 2, 1, 1); /* 16, and 4 are guaranteed */
        run(&h);
        assert_int_equal(h.launches, 8);
        resize(&h, 0, 8 - above, 16);
        submit(&h, 1, 2, 1, 0);
        resize(&h, 1, 0, 0);
        assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, h.now), PN_OK);
        assert_true(h.kills == 1 + above / 2 && h.launches == 9);
        check_valid(&h);
        stop(&h);
    }
}

static void refused_resizes_change_nothing(void **unused)
{
    const uint64_t zeros[] = {0, 0}, much[] = {9, 16}, more[] = {8, 17}, same[] = {8, 16};
    (void)unused;
    host h;
    start(&h, pn_dispatch_fifo(), 0, 0);
    h.now = 5;
    submit(&h, 2, 4, 1, 0);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 5, NODES, zeros), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 5, 0, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 5, 0, much), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 5, 0, more), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_resize(h.core, NULL, 5, 0, zeros), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 4, 0, zeros), PN_ERR_ORDER);
    check_unchanged(&before);
    uint64_t digest = pn_dispatch_digest(h.core);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 5, 0, same), PN_OK);
    assert_int_equal(pn_dispatch_digest(h.core), digest);
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = several;
    config.nodes_count = 2;
    config.resources = 2;
    config.jobs_max = 1;
    config.nodes_absent = NODES + 1;
    assert_string_equal(pn_dispatch_check(&config), "nodes_absent: 0..number of nodes");
    stop(&h);
}

/* ---- a host whose machines do as they like ---- */

static uint64_t any(host *h, uint64_t low, uint64_t high)
{
    return pn_uniform(&h->stream, low, high);
}

static void end_some(host *h)
{
    uint32_t place = (uint32_t)any(h, 0, PLACES - 1);
    for (uint32_t i = 0; i < PLACES && h->token[place] == 0; i++)
        place = (place + 1) % PLACES;
    if (h->token[place] == 0)
        return;
    if (any(h, 0, 5) > 0) {
        finish(h, place);
        return;
    }
    uint64_t token = h->token[place];
    hold(h, place, false);
    assert_int_equal(pn_dispatch_failed(h->core, &h->hooks, h->now, token), PN_OK);
}

static void change_node(host *h, uint32_t node)
{
    const pn_dispatch_nodes *its = &several[node / 4];
    bool all = any(h, 0, 1) == 0;
    resize(h, node, all ? its->capacity[0] : any(h, 0, its->capacity[0]),
           all ? its->capacity[1] : any(h, 0, its->capacity[1]));
}

static void flip_node(host *h, uint32_t node)
{
    h->up[node] = !h->up[node];
    assert_int_equal((h->up[node] ? pn_dispatch_node_up : pn_dispatch_node_down)(h->core, &h->hooks,
                                                                                 h->now, node),
                     PN_OK);
}

static void anything(host *h)
{
    uint64_t what = any(h, 0, 19);
    h->now += any(h, 0, 3);
    if (what < 3 && h->come < JOBS)
        submit(h, (uint32_t)any(h, 1, 8), any(h, 0, 4), any(h, 1, 16), (uint32_t)any(h, 0, 1));
    else if (what < 6)
        change_node(h, (uint32_t)any(h, 0, NODES - 1));
    else if (what < 7 && any(h, 0, 1) == 0)
        flip_node(h, (uint32_t)any(h, 0, NODES - 1));
    else if (what < 9)
        assert_int_equal(pn_dispatch_tick(h->core, &h->hooks, h->now), PN_OK);
    else if (what < 12)
        run(h);
    else if (what == 12 && any(h, 0, 3) == 0)
        (void)pn_dispatch_cancel(h->core, &h->hooks, h->now, any(h, 1, JOBS));
    else
        end_some(h);
    if (any(h, 0, 7) == 0)
        check_valid(h);
}

static void whatever_a_host_does_there_is_room(void **unused)
{
    static const double preempts[] = {1};
    uint64_t kills = 0;
    (void)unused;
    for (size_t p = 0; pn_dispatch_policy_at(p); p++)
        for (uint64_t seed = 0; seed < 9; seed++) {
            host h;
            pn_dispatch_totals totals;
            start(&h, pn_dispatch_policy_at(p), seed, (uint32_t)(seed % 4) * 2);
            if (pn_dispatch_policy_at(p) == pn_dispatch_capacity_queues())
                h.hooks.params = preempts;
            for (int i = 0; i < 400; i++)
                anything(&h);
            for (uint32_t node = 0; node < NODES; node++) {
                resize(&h, node, several[node / 4].capacity[0], several[node / 4].capacity[1]);
                if (!h.up[node])
                    flip_node(&h, node);
            }
            do {
                h.now++;
                run(&h);
                end_some(&h);
                pn_dispatch_totals_get(h.core, &totals);
            } while (totals.in_system > 0);
            assert_true(totals.finished + totals.cancelled == h.come && totals.running == 0);
            check_valid(&h);
            kills += totals.kills;
            stop(&h);
        }
    assert_true(kills > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_go_on_where_there_is_less),
        cmocka_unit_test(only_what_is_asked_for_must_be_there),
        cmocka_unit_test(nodes_come_and_go),
        cmocka_unit_test(kills_count_what_is_held_above),
        cmocka_unit_test(refused_resizes_change_nothing),
        cmocka_unit_test(whatever_a_host_does_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
