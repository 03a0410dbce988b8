/* The dispatch core as a host with real machines drives it: events, decisions in portions, tokens,
 * failed attempts, cancelled jobs, hooks that may not do what they try, and policies of one's
 * own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "dispatch/state.h"
#include "support/kept.h"
#include "support/workload.h"

enum { LOG = 100 };

static const pn_dispatch_nodes two[] = {{{4, 8}, 2, 0}};

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    pn_dispatch_task running[LOG];
    uint32_t launched, killed, finished;
    pn_dispatch_record record; /* the last one */
    pn_dispatch_times times[2];
    int told; /* status of a call from inside a hook */
    pn_dispatch_event log[LOG];
    uint32_t logged;
} host;

static void on_launch(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    pn_dispatch_task same;
    assert_int_equal(pn_dispatch_task_get(h->core, task->place, &same), PN_OK);
    assert_true(same.token == task->token && same.node == task->node);
    h->running[h->launched++] = *task;
    h->told = pn_dispatch_run(h->core, &h->hooks, 1000, 1);
}

static void on_kill(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    (void)task;
    h->killed++;
}

static void on_finish(void *user, const pn_dispatch_record *job)
{
    host *h = user;
    h->finished++;
    h->record = *job;
    memcpy(h->times, job->stages,
           sizeof h->times[0] * (job->stage_count > 2 ? 2 : job->stage_count));
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    host *h = user;
    h->log[h->logged++] = *event;
}

static void start_limited(host *h, const pn_dispatch_policy *policy, uint32_t attempts,
                          uint64_t running_most)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    *h = (host){.hooks = {.policy = policy,
                          .launch = on_launch,
                          .kill = on_kill,
                          .on_finish = on_finish,
                          .on_event = on_event}};
    h->hooks.user = h->hooks.policy_user = h;
    config.nodes = two;
    config.nodes_count = 1;
    config.resources = 2;
    config.jobs_max = 4;
    config.attempts_max = attempts;
    config.policy = policy;
    config.running_most = running_most;
    size_t size = pn_dispatch_size(&config);
    assert_true(size > 0);
    assert_int_equal(pn_dispatch_init(&h->core, workload_room(size), size, &config), PN_OK);
}

static void start(host *h, const pn_dispatch_policy *policy, uint32_t attempts)
{
    start_limited(h, policy, attempts, 0);
}

static int submit(host *h, uint64_t now, uint32_t tasks, uint64_t cpu)
{
    const uint32_t parents[] = {0};
    const pn_dispatch_stage stages[] = {
        {.demand = {cpu, 1}, .estimate = 10, .tasks = tasks},
        {.demand = {1, 1}, .estimate = 5, .tasks = 1, .parent_count = 1}};
    const pn_dispatch_job job = {.stages = stages,
                                 .parents = parents,
                                 .stage_count = 2,
                                 .parents_count = 1,
                                 .tag = 40 + now};
    return pn_dispatch_submit(h->core, &h->hooks, now, &job, NULL);
}

static void check_valid(const host *h)
{
    assert_int_equal(pn_dispatch_validate(h->core, pn_dispatch_block_size(h->core)), PN_OK);
}

static void decisions_come_when_asked_for(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    assert_int_equal(submit(&h, 0, 5, 2), PN_OK);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    assert_int_equal(h.launched, 0);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, 3), PN_PAUSED);
    assert_int_equal(h.launched, 3);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_OK);
    assert_int_equal(h.launched, 4); /* two nodes of four cores */
    pn_dispatch_levels levels;
    pn_dispatch_levels_get(h.core, &levels);
    assert_true(levels.jobs == 2 && levels.queue == 1 && levels.tasks == 4);
    assert_true(levels.in_use[0] == 8 && levels.in_use[1] == 4);
    assert_int_equal(h.told, PN_ERR_BUSY);
    check_valid(&h);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 7, h.running[1].token), PN_OK);
    assert_int_equal(h.launched, 4);
    assert_int_equal(pn_dispatch_free(h.core, h.running[1].node, 0), 2);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 7, UINT64_MAX), PN_OK);
    assert_int_equal(h.launched, 5);
    assert_true(h.running[4].id == 1 && h.running[4].task == 4);
    for (uint32_t i = 0; i < 5; i++)
        if (i != 1)
            assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 9, h.running[i].token), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 9, UINT64_MAX), PN_OK);
    assert_int_equal(h.launched, 7);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 12, h.running[5].token), PN_OK);
    assert_true(h.finished == 1 && h.record.id == 1 && h.record.tag == 40 &&
                h.record.state == PN_DISPATCH_FINISHED && h.record.finish == 12);
    assert_true(h.times[0].ready == 0 && h.times[0].start == 0 && h.times[0].finish == 9);
    assert_true(h.times[1].ready == 9 && h.times[1].start == 9 && h.times[1].finish == 12);
    check_valid(&h);
    free(h.core);
}

/* The event of a job names its place, and with it what its stages demand. */
static void jobs_that_arrive_tell_their_demands(void **unused)
{
    host h;
    uint64_t demands[2][PN_DISPATCH_RESOURCES_MAX] = {{0}};
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    assert_int_equal(submit(&h, 0, 5, 2), PN_OK);
    assert_true(h.log[1].event == PN_DISPATCH_ARRIVE && h.log[1].place != h.log[0].place);
    assert_int_equal(pn_dispatch_demands_get(h.core, h.log[1].place, demands, 1), 2);
    assert_true(demands[0][0] == 2 && demands[0][1] == 1 && demands[0][2] == 0);
    assert_int_equal(demands[1][0], 0); /* it was not asked for */
    assert_int_equal(pn_dispatch_demands_get(h.core, h.log[1].place, demands, 2), 2);
    assert_true(demands[1][0] == 1 && demands[1][1] == 1);
    assert_int_equal(pn_dispatch_demands_get(h.core, 3, demands, 2), 0);
    assert_int_equal(pn_dispatch_demands_get(h.core, PN_NO_JOB, demands, 2), 0);
    free(h.core);
}

static void stale_tokens_change_nothing(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_srpt(), 0);
    assert_int_equal(submit(&h, 0, 3, 2), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dispatch_failed(h.core, &h.hooks, 3, h.running[0].token), PN_OK);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 4, h.running[0].token), PN_ERR_STALE);
    assert_int_equal(pn_dispatch_failed(h.core, &h.hooks, 4, 0), PN_ERR_STALE);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 4, 7), PN_ERR_STALE);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 2, h.running[1].token), PN_ERR_ORDER);
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, 4, 2), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_tick(h.core, NULL, 4), PN_ERR_ARGUMENT);
    assert_int_equal(
        pn_dispatch_run(h.core, &(pn_dispatch_hooks){.policy = pn_dispatch_fifo()}, 4, 1),
        PN_ERR_POLICY);
    check_unchanged(&before);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 4, UINT64_MAX), PN_OK);
    const pn_dispatch_task *again = &h.running[h.launched - 1];
    assert_true(again->task == 0 && again->attempt == 1 && again->token != h.running[0].token);
    check_valid(&h);
    free(h.core);
}

static void nodes_fail_and_recover(void **unused)
{
    host h;
    pn_dispatch_totals totals;
    (void)unused;
    start(&h, pn_dispatch_drf(), 0);
    assert_int_equal(submit(&h, 0, 4, 2), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_OK);
    assert_int_equal(h.launched, 4);
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, 5, 0), PN_OK);
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, 5, 0), PN_OK);
    assert_true(!pn_dispatch_is_up(h.core, 0) && pn_dispatch_free(h.core, 0, 1) == 0);
    assert_int_equal(pn_dispatch_running_tasks(h.core), 2);
    check_valid(&h);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 5, UINT64_MAX), PN_OK);
    assert_int_equal(h.launched, 4);
    assert_int_equal(pn_dispatch_node_up(h.core, &h.hooks, 8, 0), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 8, UINT64_MAX), PN_OK);
    assert_true(h.launched == 6 && h.running[4].attempt == 1 && h.running[5].attempt == 1);
    pn_dispatch_totals_get(h.core, &totals);
    assert_true(totals.lost == 2 && totals.wasted[0].low == 20 && totals.nodes_up == 2);
    assert_int_equal(h.killed, 0);
    check_valid(&h);
    free(h.core);
}

static void cancelled_jobs_leave_nothing(void **unused)
{
    host h;
    pn_dispatch_totals totals;
    (void)unused;
    start(&h, pn_dispatch_tetris(), 0);
    assert_int_equal(submit(&h, 0, 6, 2), PN_OK);
    assert_int_equal(submit(&h, 1, 6, 1), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 1, UINT64_MAX), PN_OK);
    uint32_t before = h.launched;
    assert_int_equal(pn_dispatch_failed(h.core, &h.hooks, 2, h.running[0].token), PN_OK);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 2, h.running[0].id), PN_OK);
    assert_true(h.finished == 1 && h.record.state == PN_DISPATCH_CANCELLED &&
                h.record.finish == 2 && h.record.lost == 1);
    assert_true(h.killed > 0 && h.killed < before);
    assert_int_equal(h.log[h.logged - 1].event, PN_DISPATCH_JOB_CANCEL);
    check_valid(&h);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 2, 3 - h.record.id), PN_OK);
    pn_dispatch_totals_get(h.core, &totals);
    assert_true(totals.in_system == 0 && totals.cancelled == 2 && totals.attempts_held == 0 &&
                totals.stages_held == 0 && totals.edges_held == 0 && totals.classes_held == 0);
    assert_true(pn_dispatch_free(h.core, 0, 0) == 4 && pn_dispatch_free(h.core, 1, 1) == 8);
    check_valid(&h);
    free(h.core);
}

static void full_tables_are_told(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_hfsp(), 2);
    assert_int_equal(submit(&h, 0, 3, 1), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_ERR_FULL);
    assert_int_equal(h.launched, 2);
    assert_int_equal(pn_dispatch_failed(h.core, &h.hooks, 1, h.running[0].token), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 1, UINT64_MAX), PN_ERR_FULL);
    assert_int_equal(h.launched, 3); /* the one that failed has its place */
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 2, h.running[1].token), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 2, UINT64_MAX), PN_OK);
    assert_int_equal(h.launched, 4);
    for (int i = 0; i < 3; i++)
        assert_int_equal(submit(&h, 2, 1, 1), PN_OK);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    assert_int_equal(submit(&h, 2, 1, 1), PN_ERR_FULL);
    assert_int_equal(submit(&h, 2, 1, 5), PN_ERR_JOB);
    check_unchanged(&before);
    check_valid(&h);
    free(h.core);
}

/* A list longer than any job may have is refused, however few of its entries stages name. */
static void lists_of_parents_have_a_limit(void **unused)
{
    const uint32_t parents[] = {0};
    const pn_dispatch_stage stage = {.demand = {1}, .estimate = 1, .tasks = 1};
    const pn_dispatch_job job = {.stages = &stage,
                                 .parents = parents,
                                 .stage_count = 1,
                                 .parents_count = PN_DISPATCH_EDGES_MOST + 1};
    host h;
    uint32_t about;
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    const char *fault = pn_dispatch_fault(h.core, &job, &about);
    assert_non_null(fault);
    assert_true(strncmp(fault, "parents:", 8) == 0 && about == UINT32_MAX);
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &job, NULL), PN_ERR_JOB);
    free(h.core);
}

static void priorities_have_limits(void **unused)
{
    const int32_t most = PN_DISPATCH_PRIORITY_MOST, wrong[] = {most + 1, -most - 1, INT32_MIN};
    const pn_dispatch_stage stage = {.demand = {1}, .estimate = 1, .tasks = 1};
    host h;
    uint32_t about;
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    for (int i = 0; i < 3; i++) {
        const pn_dispatch_job job = {.stages = &stage, .stage_count = 1, .priority = wrong[i]};
        assert_string_equal(pn_dispatch_fault(h.core, &job, &about), "priority: -1000000..1000000");
        assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &job, NULL), PN_ERR_JOB);
    }
    check_unchanged(&before);
    for (int i = 0; i < 2; i++) {
        const pn_dispatch_job job = {
            .stages = &stage, .stage_count = 1, .priority = i == 0 ? -most : most};
        assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &job, NULL), PN_OK);
    }
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, 1), PN_PAUSED);
    assert_int_equal(h.running[0].id, 2);
    check_valid(&h);
    free(h.core);
}

static void jobs_have_stages_and_not_too_many(void **unused)
{
    const pn_dispatch_stage stage = {.demand = {1}, .estimate = 1, .tasks = 1};
    const uint32_t wrong[] = {0, PN_DISPATCH_STAGES_MOST + 1};
    host h;
    uint32_t about;
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    for (int i = 0; i < 2; i++) {
        const pn_dispatch_job job = {.stages = &stage, .stage_count = wrong[i]};
        assert_string_equal(pn_dispatch_fault(h.core, &job, &about), "stages: 1..2^16 of them");
        assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &job, NULL), PN_ERR_JOB);
    }
    check_unchanged(&before);
    free(h.core);
}

/* A job that has left is in the virtual cluster until it would have ended there. */
static void virtual_clusters_are_full_until_time_has_passed(void **unused)
{
    host h;
    pn_dispatch_totals totals;
    (void)unused;
    start(&h, pn_dispatch_hfsp(), 0);
    for (uint64_t id = 1; id <= 4; id++) {
        assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
        assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 0, id), PN_OK);
    }
    pn_dispatch_totals_get(h.core, &totals);
    assert_true(totals.in_system == 0 && totals.virtual_held == 4);
    assert_int_equal(submit(&h, 1, 1, 1), PN_ERR_FULL);
    check_valid(&h);
    assert_int_equal(submit(&h, 1000, 1, 1), PN_OK);
    pn_dispatch_totals_get(h.core, &totals);
    assert_true(totals.virtual_held == 1 && totals.virtual_held_max == 4);
    check_valid(&h);
    free(h.core);
}

/* ---- blocks from outside ---- */

static void check_damaged(const pn_dispatch *core)
{
    assert_int_equal(pn_dispatch_validate(core, pn_dispatch_block_size(core)), PN_ERR_DAMAGED);
}

/* Tags so far away that the time until then has more than 64 bits: no job ends before. */
static void virtual_times_of_more_than_64_bits_are_not_reached(void **unused)
{
    enum { HEAVY = 1000 };
    const pn_dispatch_hooks hooks = {.policy = pn_dispatch_hfsp()};
    const pn_dispatch_stage stage = {.demand = {1}, .estimate = 10, .tasks = 1};
    pn_dispatch_job job = {.stages = &stage, .stage_count = 1, .weight = PN_DISPATCH_WEIGHT_MOST};
    pn_dispatch_config config = pn_dispatch_defaults();
    pn_dispatch *core;
    pn_dispatch_totals totals;
    (void)unused;
    config.nodes = two;
    config.nodes_count = 1;
    config.resources = 2;
    config.jobs_max = HEAVY + 2;
    size_t size = pn_dispatch_size(&config);
    assert_int_equal(pn_dispatch_init(&core, workload_room(size), size, &config), PN_OK);
    for (int i = 0; i < HEAVY; i++)
        assert_int_equal(pn_dispatch_submit(core, &hooks, 0, &job, NULL), PN_OK);
    job.weight = 1000;
    assert_int_equal(pn_dispatch_submit(core, &hooks, 0, &job, NULL), PN_OK);
    pn_heap shades = pn_dispatch_shades(core);
    for (uint32_t i = 0; i < shades.state->count; i++)
        shades.entry[i] = (pn_heap_entry){.word = {0, UINT64_MAX}, .item = i}; /* by ids */
    assert_int_equal(pn_dispatch_validate(core, size), PN_OK);
    assert_int_equal(pn_dispatch_submit(core, &hooks, PN_INTEGER_MAX, &job, NULL), PN_OK);
    pn_dispatch_totals_get(core, &totals);
    assert_int_equal(totals.virtual_held, HEAVY + 2);
    free(core);
}

/* The job and what its queue uses move to another queue, its stages' class does not. */
static void move_job(pn_dispatch *core, uint32_t job, uint32_t queue)
{
    pn_dispatch_entry *jobs = pn_at(core, core->jobs);
    pn_dispatch_lane *lanes = pn_at(core, core->queues), *from = &lanes[jobs[job].queue];
    memcpy(lanes[queue].use, from->use, sizeof from->use);
    memset(from->use, 0, sizeof from->use);
    lanes[queue].running = from->running;
    from->running = 0;
    jobs[job].queue = queue;
}

/* A tick on such a block might never end: what it launches for a queue is counted for another one,
 * and so the queue stays below what it is guaranteed. */
static void stages_are_in_the_lane_of_their_jobs_queue(void **unused)
{
    static const pn_dispatch_queue queues[] = {{1, 500, 0, 0}, {1, 500, 0, 0}, {0}};
    const pn_dispatch_hooks hooks = {.policy = pn_dispatch_capacity_queues()};
    const pn_dispatch_stage stage = {.demand = {1}, .estimate = 10, .tasks = 9};
    pn_dispatch_job job = {.stages = &stage, .stage_count = 1};
    pn_dispatch_config config = pn_dispatch_defaults();
    pn_dispatch *core;
    (void)unused;
    config.nodes = two;
    config.nodes_count = 1;
    config.resources = 2;
    config.jobs_max = 2;
    config.queues = queues;
    config.queues_count = 3;
    size_t size = pn_dispatch_size(&config);
    assert_int_equal(pn_dispatch_init(&core, workload_room(size), size, &config), PN_OK);
    for (; job.queue < 2; job.queue++)
        assert_int_equal(pn_dispatch_submit(core, &hooks, 0, &job, NULL), PN_OK);
    assert_int_equal(pn_dispatch_run(core, &hooks, 0, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dispatch_validate(core, size), PN_OK);
    move_job(core, 1, 2);
    check_damaged(core);
    move_job(core, 1, 1);
    assert_int_equal(pn_dispatch_validate(core, size), PN_OK);
    free(core);
}

/* SIGALRM ends a walk that goes round four thousand million times. */
static void circles_of_edges_are_not_followed_for_long(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    pn_dispatch_edge *edges = pn_at(h.core, h.core->edges);
    edges[0].next = 1;
    check_damaged(h.core);
    h.core->totals.edges_held = UINT32_MAX;
    alarm(10);
    check_damaged(h.core);
    alarm(0);
    free(h.core);
}

/* A token from which another place's would follow, where nothing was launched yet. */
static void tokens_are_those_of_their_places(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_OK);
    check_valid(&h);
    pn_dispatch_attempt *attempts = pn_at(h.core, h.core->attempts);
    for (uint32_t place = 0; place < 3; place++) {
        uint64_t token = attempts[place].token;
        attempts[place].token = token + 1;
        check_damaged(h.core);
        attempts[place].token = token;
        check_valid(&h);
    }
    free(h.core);
}

/* ---- policies of one's own ---- */

static uint64_t from_the_end(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    assert_true(pn_dispatch_node_free(view, node, 0) >= pn_dispatch_demand(view, stage, 0));
    return pn_dispatch_nodes_all(view) - node;
}

static void policies_place_as_they_like(void **unused)
{
    static const pn_dispatch_policy last = {.name = "last", .score = from_the_end};
    host h;
    (void)unused;
    start(&h, &last, 0);
    assert_int_equal(submit(&h, 0, 3, 2), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_OK);
    assert_true(h.running[0].node == 1 && h.running[1].node == 1 && h.running[2].node == 0);
    free(h.core);
}

static uint64_t alike(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    (void)view, (void)stage, (void)node;
    return 7;
}

static void equal_scores_go_to_the_lower_node(void **unused)
{
    static const pn_dispatch_policy any = {.name = "any", .score = alike};
    host h;
    (void)unused;
    start(&h, &any, 0);
    assert_int_equal(submit(&h, 0, 3, 2), PN_OK);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_OK);
    assert_true(h.running[0].node == 0 && h.running[1].node == 0 && h.running[2].node == 1);
    free(h.core);
}

/* Counts how often it is called, and gives up with the second call. */
static uint64_t give_up_later(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    host *h = pn_dispatch_user(view);
    assert_true(stage == 0 && node < 2);
    if (++h->told > 1)
        pn_dispatch_give_up(view, PN_ERR_INFEASIBLE);
    return 0;
}

/* Nothing is placed by a score beside one that could not be computed, and no more are asked for. */
static void scores_may_give_up(void **unused)
{
    static const pn_dispatch_policy unable = {.name = "unable", .score = give_up_later};
    (void)unused;
    for (int before = 0; before < 2; before++) {
        host h;
        start(&h, &unable, 0);
        h.told = before;
        assert_int_equal(submit(&h, 0, 3, 2), PN_OK);
        assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, UINT64_MAX), PN_ERR_INFEASIBLE);
        assert_true(h.launched == 0 && h.told == 2);
        free(h.core);
    }
}

/* Demands that differ and have the same score on an empty node (DG23). */
static void equal_pairs_of_tetris_go_by_job(void **unused)
{
    static const pn_dispatch_stage stages[] = {{.demand = {1, 4}, .estimate = 10, .tasks = 1},
                                               {.demand = {2, 2}, .estimate = 10, .tasks = 1}};
    (void)unused;
    for (int first = 0; first < 2; first++) {
        host h;
        start(&h, pn_dispatch_tetris(), 0);
        for (int i = 0; i < 2; i++) {
            const pn_dispatch_job job = {.stages = &stages[first ^ i], .stage_count = 1};
            assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &job, NULL), PN_OK);
        }
        assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, 1), PN_PAUSED);
        assert_int_equal(h.running[0].id, 1);
        free(h.core);
    }
}

static int arrive(pn_dispatch_view *view, uint32_t job)
{
    host *h = pn_dispatch_user(view);
    assert_int_equal(pn_dispatch_set_order(view, &(pn_dispatch_order){.keys = 0}), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_kill(view, 0), PN_ERR_INFEASIBLE);
    h->told = (int)pn_dispatch_id(view, job);
    return pn_dispatch_id(view, job) == 2 ? PN_ERR_INFEASIBLE : PN_OK;
}

static void policies_may_give_up(void **unused)
{
    static const pn_dispatch_policy moody = {.name = "moody", .arrive = arrive};
    host h;
    (void)unused;
    start(&h, &moody, 0);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    assert_int_equal(submit(&h, 0, 1, 1), PN_ERR_INFEASIBLE);
    assert_int_equal(h.told, 2);
    assert_int_equal(pn_dispatch_run(h.core, &h.hooks, 0, 1), PN_ERR_INFEASIBLE);
    assert_int_equal(submit(&h, 5, 1, 1), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_dispatch_jobs(h.core), 2);
    check_valid(&h);
    free(h.core);
}

/* A logarithm as DG22 has it, of powers of two and between. */
static void logarithms_are_defined_bit_by_bit(void **unused)
{
    (void)unused;
    for (unsigned bit = 0; bit < 64; bit++)
        assert_int_equal(pn_dispatch_log2((uint64_t)1 << bit), (uint64_t)bit << 16);
    assert_int_equal(pn_dispatch_log2(3), 103872); /* 1.58496 * 65536 */
    assert_int_equal(pn_dispatch_log2(1000000000000), 2612470);
    assert_int_equal(pn_dispatch_log2(UINT64_MAX), (64 << 16) - 1);
}

/* Runs the dispatch and checks that so many launches have been made. */
static void run_to(host *h, uint64_t now, uint32_t launched)
{
    assert_int_equal(pn_dispatch_run(h->core, &h->hooks, now, UINT64_MAX), PN_OK);
    assert_int_equal(h->launched, launched);
    check_valid(h);
}

/* DG33 */
static void jobs_run_no_more_tasks_than_may(void **unused)
{
    host h;
    (void)unused;
    start_limited(&h, pn_dispatch_fifo(), 0, 2);
    assert_int_equal(submit(&h, 0, 5, 1), PN_OK);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    run_to(&h, 0, 3);
    assert_true(h.running[1].id == 1 && h.running[2].id == 2);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 5, h.running[0].token), PN_OK);
    check_valid(&h);
    run_to(&h, 5, 4);
    assert_true(h.running[3].id == 1 && h.running[3].task == 2);
    assert_int_equal(pn_dispatch_node_down(h.core, &h.hooks, 6, 0), PN_OK);
    check_valid(&h);
    run_to(&h, 6, 7); /* all three again */
    assert_int_equal(pn_dispatch_failed(h.core, &h.hooks, 7, h.running[4].token), PN_OK);
    check_valid(&h);
    run_to(&h, 7, 8);
    assert_true(h.running[7].task == 1 && h.running[7].attempt == 2);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 8, 1), PN_OK);
    assert_int_equal(h.killed, 2);
    run_to(&h, 8, 8);
    free(h.core);
}

static void check_saturated(const host *h, uint64_t ms)
{
    pn_dispatch_totals totals;
    pn_dispatch_totals_get(h->core, &totals);
    assert_true(PN_HAS(&totals, saturated_ms));
    assert_int_equal(totals.saturated_ms, ms);
    check_valid(h);
}

/* DG34 */
static void time_is_saturated_while_a_task_waits(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo(), 0);
    assert_int_equal(submit(&h, 2, 5, 2), PN_OK);
    run_to(&h, 2, 4); /* two nodes of four cores */
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 5), PN_OK);
    check_saturated(&h, 0); /* as the log has nothing since */
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 8, h.running[0].token), PN_OK);
    check_saturated(&h, 6);
    run_to(&h, 8, 5);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 10, h.running[1].token), PN_OK);
    check_saturated(&h, 6);
    assert_int_equal(submit(&h, 10, 1, 1), PN_OK);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 13, h.running[2].token), PN_OK);
    check_saturated(&h, 9); /* it could run, but nobody asked for decisions */
    free(h.core);
    start_limited(&h, pn_dispatch_fifo(), 0, 1);
    assert_int_equal(submit(&h, 0, 2, 1), PN_OK);
    run_to(&h, 0, 1);
    assert_int_equal(pn_dispatch_finished(h.core, &h.hooks, 5, h.running[0].token), PN_OK);
    check_saturated(&h, 0);
    free(h.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_come_when_asked_for),
        cmocka_unit_test(jobs_that_arrive_tell_their_demands),
        cmocka_unit_test(stale_tokens_change_nothing),
        cmocka_unit_test(nodes_fail_and_recover),
        cmocka_unit_test(cancelled_jobs_leave_nothing),
        cmocka_unit_test(full_tables_are_told),
        cmocka_unit_test(lists_of_parents_have_a_limit),
        cmocka_unit_test(priorities_have_limits),
        cmocka_unit_test(jobs_have_stages_and_not_too_many),
        cmocka_unit_test(virtual_clusters_are_full_until_time_has_passed),
        cmocka_unit_test(virtual_times_of_more_than_64_bits_are_not_reached),
        cmocka_unit_test(stages_are_in_the_lane_of_their_jobs_queue),
        cmocka_unit_test(circles_of_edges_are_not_followed_for_long),
        cmocka_unit_test(tokens_are_those_of_their_places),
        cmocka_unit_test(jobs_run_no_more_tasks_than_may),
        cmocka_unit_test(time_is_saturated_while_a_task_waits),
        cmocka_unit_test(policies_place_as_they_like),
        cmocka_unit_test(equal_scores_go_to_the_lower_node),
        cmocka_unit_test(scores_may_give_up),
        cmocka_unit_test(equal_pairs_of_tetris_go_by_job),
        cmocka_unit_test(policies_may_give_up),
        cmocka_unit_test(logarithms_are_defined_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
