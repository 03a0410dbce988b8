/* The scheduler core driven by hand, as a host with real machines does it: nodes come and go, offer
 * their slots, tasks begin to work, end, fail; what is decided goes out through hooks. Refused
 * events change nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"
#include "support/kept.h"

/* Three nodes with a slot of each kind. */
static const pn_scheduler_nodes three[] = {{3, 1, 1, 0}};
enum { NODES = 3, RUNS = 6 };

static pn_scheduler_config small(void)
{
    pn_scheduler_config config = pn_scheduler_defaults();
    config.nodes = three;
    config.nodes_count = 1;
    config.jobs_max = 4;
    config.tasks_max = 20;
    config.replicas_max = 20;
    config.groups_max = 2;
    return config;
}

static pn_scheduler *new_core(const pn_scheduler_config *config)
{
    size_t size = pn_scheduler_size(config);
    pn_scheduler *core = NULL;
    assert_int_equal(pn_scheduler_init(&core, workload_room(size), size, config), PN_OK);
    return core;
}

/* ---- a host ---- */

typedef struct host {
    cluster_log log;
    pn_scheduler_task running[RUNS]; /* by place; id 0: nothing runs there */
    pn_scheduler_task launched, killed;
    unsigned launches, kills, finishes, asked;
    uint64_t wake;
    int fetched;
    pn_scheduler_record last;
} host;

static void on_launch(void *user, const pn_scheduler_task *task)
{
    host *h = user;
    assert_true(task->place < RUNS && h->running[task->place].id == 0);
    h->running[task->place] = h->launched = *task;
    h->launches++;
}

static void on_kill(void *user, const pn_scheduler_task *task)
{
    host *h = user;
    assert_int_equal(h->running[task->place].id, task->id);
    h->running[task->place].id = 0;
    h->killed = *task;
    h->kills++;
}

static void on_wake(void *user, uint64_t time)
{
    host *h = user;
    h->wake = time < h->wake ? time : h->wake;
}

static uint32_t on_progress(void *user, const pn_scheduler_task *task)
{
    host *h = user;
    h->asked++;
    return 100000 * (task->task + 1);
}

static int on_fetched(void *user, const pn_scheduler_task *task)
{
    const host *h = user;
    assert_int_equal(task->kind, PN_SCHEDULER_REDUCE);
    return h->fetched;
}

static void on_finish(void *user, const pn_scheduler_record *job)
{
    host *h = user;
    h->last = *job;
    h->finishes++;
}

static pn_scheduler_hooks hooks_of(host *h, const pn_scheduler_policy *policy)
{
    *h = (host){.wake = PN_SCHEDULER_NEVER};
    return (pn_scheduler_hooks){.policy = policy,
                                .launch = on_launch,
                                .kill = on_kill,
                                .wake_at = on_wake,
                                .progress = on_progress,
                                .fetched = on_fetched,
                                .on_finish = on_finish,
                                .on_event = cluster_log_event,
                                .user = h};
}

/* The last events are these. */
typedef struct told {
    uint64_t time;
    uint32_t event;
    uint64_t id;
    uint32_t kind, task, node, attempt;
} told;

static void check_told(host *h, const told *expected, size_t count)
{
    assert_int_equal(h->log.count, count);
    for (size_t i = 0; i < count; i++) {
        const pn_scheduler_event *e = &h->log.entry[i];
        const told *t = &expected[i];
        if (e->time != t->time || e->event != t->event || e->id != t->id || e->kind != t->kind ||
            e->task != t->task || e->node != t->node || e->attempt != t->attempt)
            fail_msg("entry %zu: event %u of job %llu task %u node %u at %llu", i, e->event,
                     (unsigned long long)e->id, e->task, e->node, (unsigned long long)e->time);
    }
    h->log.count = 0;
}

#define TOLD(...)                                                       \
    do {                                                                \
        const told expected[] = {__VA_ARGS__};                          \
        check_told(&h, expected, sizeof expected / sizeof expected[0]); \
    } while (0)
#define NOTHING_TOLD() assert_int_equal(h.log.count, 0)

/* Map i has its input on node `first` + i, when that is there. */
static uint32_t one_each(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    const uint32_t *first = where;
    assert_true(most >= 1);
    nodes[0] = *first + map;
    return nodes[0] < NODES;
}

/* ---- by hand ---- */

static void a_host_drives_the_core(void **unused)
{
    static const uint32_t first = 1;
    pn_scheduler_config config = small();
    host h;
    const pn_scheduler_hooks hooks = hooks_of(&h, pn_scheduler_fifo());
    const pn_scheduler_job job = {.maps = 3,
                                  .reduces = 1,
                                  .replicas = one_each,
                                  .where = &first,
                                  .tag = 99,
                                  .group = 1,
                                  .deadline = 100};
    pn_scheduler_answer answer;
    (void)unused;
    config.nodes_down = 1;
    config.statistics = 1;
    config.reduce_start = PN_SCHEDULER_AFTER_MAPS;
    pn_scheduler *s = new_core(&config);
    assert_int_equal(pn_scheduler_node_count(s), NODES);
    assert_int_equal(pn_scheduler_places_max(s), RUNS);
    assert_false(pn_scheduler_is_up(s, 0));
    assert_false(pn_scheduler_wants(s, PN_SCHEDULER_MAP));
    assert_int_equal(pn_scheduler_next_free(s, PN_SCHEDULER_MAP, 0), NODES);

    assert_int_equal(pn_scheduler_offer(s, &hooks, 1, 0), PN_DONE); /* it is down */
    assert_int_equal(pn_scheduler_submit(s, &hooks, 2, &job, &answer), PN_OK);
    assert_true(answer.id == 1 && answer.accepted == 1 && answer.estimate == PN_SCHEDULER_NEVER &&
                answer.deadline == 100 && answer.blocker == 0);
    TOLD({2, PN_SCHEDULER_ACCEPT, 1, 0, 0, 0, 0});
    assert_int_equal(pn_scheduler_offer(s, &hooks, 3, 2), PN_DONE);
    assert_int_equal(pn_scheduler_node_up(s, &hooks, 4, 2), PN_OK);
    assert_int_equal(pn_scheduler_node_up(s, &hooks, 4, 2), PN_OK); /* once is enough */
    TOLD({4, PN_SCHEDULER_NODE_UP, 0, 0, 0, 2, 0});
    assert_true(pn_scheduler_wants(s, PN_SCHEDULER_MAP) &&
                !pn_scheduler_wants(s, PN_SCHEDULER_REDUCE));
    assert_int_equal(pn_scheduler_next_free(s, PN_SCHEDULER_MAP, 0), 2);
    assert_int_equal(pn_scheduler_free_slots(s, 2, PN_SCHEDULER_MAP), 1);
    assert_int_equal(pn_scheduler_free_slots(s, 0, PN_SCHEDULER_MAP), 0);

    /* map 1 has its input there; the reduce is not ready */
    assert_int_equal(pn_scheduler_offer(s, &hooks, 5, 2), PN_OK);
    TOLD({5, PN_SCHEDULER_LAUNCH, 1, 0, 1, 2, 0});
    assert_true(h.launched.id == 1 && h.launched.tag == 99 && h.launched.local == 1 &&
                h.launched.start == 5);
    uint32_t map = h.launched.place;
    pn_scheduler_task task;
    assert_int_equal(pn_scheduler_task_get(s, map, &task), PN_OK);
    assert_memory_equal(&task, &h.launched, sizeof task);
    assert_int_equal(pn_scheduler_started(s, &hooks, 6, token_at(s, map)), PN_OK);
    assert_int_equal(pn_scheduler_task_get(s, map, &task), PN_OK);
    assert_int_equal(task.start, 6);
    /* no map slot, and no reduce is ready */
    assert_int_equal(pn_scheduler_offer(s, &hooks, 6, 2), PN_DONE);
    assert_int_equal(pn_scheduler_failed(s, &hooks, 7, token_at(s, map)), PN_OK);
    h.running[map].id = 0;
    TOLD({7, PN_SCHEDULER_FAIL, 1, 0, 1, 2, 0});
    assert_int_equal(pn_scheduler_running_tasks(s), 0);
    assert_int_equal(pn_scheduler_task_get(s, map, &task), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 7, 2), PN_OK);
    TOLD({7, PN_SCHEDULER_LAUNCH, 1, 0, 1, 2, 1});
    uint32_t again = h.launched.place;

    /* another node has the inputs of map 0 only; then a remote one is given */
    assert_int_equal(pn_scheduler_node_up(s, &hooks, 8, 1), PN_OK);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 8, 1), PN_OK);
    TOLD({8, PN_SCHEDULER_NODE_UP, 0, 0, 0, 1, 0}, {8, PN_SCHEDULER_LAUNCH, 1, 0, 0, 1, 0});
    uint32_t other = h.launched.place;
    assert_int_equal(pn_scheduler_finished(s, &hooks, 9, token_at(s, again)), PN_OK);
    h.running[again].id = 0;
    assert_int_equal(pn_scheduler_offer(s, &hooks, 9, 2), PN_OK);
    TOLD({9, PN_SCHEDULER_END, 1, 0, 1, 2, 1}, {9, PN_SCHEDULER_LAUNCH, 1, 0, 2, 2, 0});
    assert_int_equal(h.launched.local, 0);
    again = h.launched.place;

    /* node 2 takes an attempt and an output with it */
    assert_int_equal(pn_scheduler_node_down(s, &hooks, 10, 2), PN_OK);
    h.running[again].id = 0;
    assert_int_equal(pn_scheduler_node_down(s, &hooks, 10, 2), PN_OK);
    TOLD({10, PN_SCHEDULER_NODE_DOWN, 0, 0, 0, 2, 0}, {10, PN_SCHEDULER_LOSE, 1, 0, 2, 2, 0},
         {10, PN_SCHEDULER_RERUN, 1, 0, 1, 2, 1});
    assert_int_equal(h.kills, 0); /* who goes down with a node is not killed */
    assert_int_equal(pn_scheduler_finished(s, &hooks, 11, token_at(s, other)), PN_OK);
    h.running[other].id = 0;
    TOLD({11, PN_SCHEDULER_END, 1, 0, 0, 1, 0});
    for (uint32_t i = 1; i <= 2; i++) {
        assert_int_equal(pn_scheduler_offer(s, &hooks, 11 + i, 1), PN_OK);
        assert_true(h.launched.task == i && h.launched.attempt == 3 - i && h.launched.local == 0);
        h.running[h.launched.place].id = 0;
        assert_int_equal(pn_scheduler_finished(s, &hooks, 11 + i, h.launched.token), PN_OK);
    }
    h.log.count = 0;

    /* all maps are done: the reduce */
    pn_scheduler_progress progress;
    assert_int_equal(pn_scheduler_offer(s, &hooks, 20, 1), PN_OK);
    TOLD({20, PN_SCHEDULER_LAUNCH, 1, 1, 0, 1, 0});
    pn_scheduler_progress_get(s, h.launched.place, &progress);
    assert_true(progress.maps == 3 && progress.maps_done == 3 && progress.reduces == 1 &&
                progress.reduces_done == 0);
    assert_true(progress.outputs == 3 && progress.map_finish == 13);
    assert_int_equal(pn_scheduler_first_reduce(s, h.launched.place), h.launched.place);
    assert_int_equal(pn_scheduler_next_reduce(s, h.launched.place), PN_SCHEDULER_NO_ATTEMPT);
    uint32_t place = PN_NO_JOB;
    pn_scheduler_record record;
    assert_int_equal(pn_scheduler_next_record(s, &place, &record), PN_OK);
    assert_true(record.id == 1 && record.state == PN_SCHEDULER_UNFINISHED &&
                record.finish == PN_SCHEDULER_NEVER);
    assert_int_equal(pn_scheduler_next_record(s, &place, &record), PN_DONE);
    assert_int_equal(pn_scheduler_finished(s, &hooks, 30, h.launched.token), PN_OK);
    TOLD({30, PN_SCHEDULER_END, 1, 1, 0, 1, 0}, {30, PN_SCHEDULER_JOB_FINISH, 1, 0, 0, 0, 0});
    assert_true(h.finishes == 1 && h.last.id == 1 && h.last.tag == 99 &&
                h.last.state == PN_SCHEDULER_FINISHED);
    assert_true(h.last.submit == 2 && h.last.first_map_start == 5 && h.last.map_finish == 13 &&
                h.last.first_reduce_start == 20);
    assert_true(h.last.finish == 30 && h.last.local_maps == 1 && h.last.colocated_reduces == 1 &&
                h.last.kills == 0);
    assert_int_equal(h.last.slot_ms, 2 + 2 + 3 + 1 + 0 + 0 + 10);
    pn_scheduler_totals totals;
    pn_scheduler_totals_get(s, &totals);
    assert_true(totals.launches == 7 && totals.failures == 1 && totals.lost == 1 &&
                totals.reruns == 1 && totals.kills == 0);
    assert_true(totals.time == 30 && totals.finished == 1 && totals.successful == 1 &&
                totals.in_system == 0);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 40, 1), PN_DONE);
    pn_scheduler_totals_get(s, &totals);
    assert_true(totals.time == 40 && totals.last_logged == 30);
    cluster_log_free(&h.log);
    free(s);
}

/* ---- outputs that are needed, and that are not ---- */

/* Node 0 is for maps, node 1 for a reduce; then node 0 goes down. */
static unsigned reruns_when(int fetched, int nobody_asks)
{
    static const pn_scheduler_nodes apart[] = {{1, 1, 0, 0}, {1, 0, 1, 0}};
    pn_scheduler_config config = small();
    host h;
    pn_scheduler_hooks hooks = hooks_of(&h, pn_scheduler_fifo());
    const pn_scheduler_job job = {.maps = 2, .reduces = 1};
    config.nodes = apart;
    config.nodes_count = 2;
    if (nobody_asks)
        hooks.fetched = NULL;
    pn_scheduler *s = new_core(&config);
    assert_int_equal(pn_scheduler_submit(s, &hooks, 0, &job, NULL), PN_OK);
    for (uint64_t time = 1; time <= 2; time++) {
        assert_int_equal(pn_scheduler_offer(s, &hooks, time, 0), PN_OK);
        uint32_t map = h.launched.place;
        assert_int_equal(pn_scheduler_finished(s, &hooks, time, token_at(s, map)), PN_OK);
        h.running[map].id = 0;
        /* the reduce comes early */
        assert_int_equal(pn_scheduler_offer(s, &hooks, time, 1), time == 1 ? PN_OK : PN_DONE);
    }
    h.log.count = 0;
    h.fetched = fetched;
    assert_int_equal(pn_scheduler_node_down(s, &hooks, 3, 0), PN_OK);
    unsigned reruns = 0;
    for (size_t i = 0; i < h.log.count; i++)
        reruns += h.log.entry[i].event == PN_SCHEDULER_RERUN;
    cluster_log_free(&h.log);
    free(s);
    return reruns;
}

static void outputs_are_made_again_when_somebody_needs_them(void **unused)
{
    (void)unused;
    assert_int_equal(reruns_when(0, 0), 2);
    assert_int_equal(reruns_when(1, 0), 0);
    assert_int_equal(reruns_when(1, 1), 2);
}

/* ---- a task that fails too often ---- */

static void a_job_fails_with_its_task(void **unused)
{
    pn_scheduler_config config = small();
    host h;
    const pn_scheduler_hooks hooks = hooks_of(&h, pn_scheduler_fifo());
    (void)unused;
    config.attempts_max = 2;
    pn_scheduler *s = new_core(&config);
    assert_int_equal(pn_scheduler_submit(s, &hooks, 0, &(pn_scheduler_job){.maps = 2}, NULL),
                     PN_OK);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 0, 0), PN_OK);
    uint32_t first = h.launched.place;
    assert_int_equal(pn_scheduler_offer(s, &hooks, 0, 1), PN_OK);
    uint32_t second = h.launched.place;
    assert_true(first != second);
    assert_int_equal(pn_scheduler_failed(s, &hooks, 1, token_at(s, first)), PN_OK);
    h.running[first].id = 0;
    assert_int_equal(pn_scheduler_offer(s, &hooks, 2, 2), PN_OK);
    first = h.launched.place;
    h.log.count = 0;
    assert_int_equal(pn_scheduler_failed(s, &hooks, 3, token_at(s, first)), PN_OK);
    TOLD({3, PN_SCHEDULER_FAIL, 1, 0, 0, 2, 1}, {3, PN_SCHEDULER_DROP, 1, 0, 1, 1, 0},
         {3, PN_SCHEDULER_JOB_FAIL, 1, 0, 0, 0, 0});
    assert_true(h.kills == 1 && h.killed.place == second && h.finishes == 1 &&
                h.last.state == PN_SCHEDULER_FAILED && h.last.finish == 3);
    assert_int_equal(h.last.slot_ms, 1 + 1 + 3);
    assert_int_equal(pn_scheduler_running_tasks(s), 0);
    assert_int_equal(pn_scheduler_finished(s, &hooks, 3, h.killed.token), PN_ERR_STALE);
    cluster_log_free(&h.log);
    free(s);
}

/* ---- estimates, kills, wake-ups ---- */

static void a_shorter_job_takes_the_slots(void **unused)
{
    static const pn_scheduler_nodes one[] = {{1, 2, 0, 0}};
    pn_scheduler_config config = small();
    host h;
    const pn_scheduler_hooks hooks = hooks_of(&h, pn_scheduler_hsrtf_pup());
    (void)unused;
    config.nodes = one;
    config.max_kills = 1;
    pn_scheduler *s = new_core(&config);
    assert_false(pn_scheduler_wants_ticks(s));
    assert_int_equal(pn_scheduler_submit(s, &hooks, 0, &(pn_scheduler_job){.maps = 9}, NULL),
                     PN_OK);
    assert_true(pn_scheduler_wants_ticks(s));
    assert_int_equal(pn_scheduler_offer(s, &hooks, 0, 0), PN_OK);
    assert_int_equal(h.launches, 2);
    h.log.count = 0;
    assert_int_equal(pn_scheduler_submit(s, &hooks, 50, &(pn_scheduler_job){.maps = 1}, NULL),
                     PN_OK);
    /* less progress first: task 0 has made 10 %, task 1 20 % */
    TOLD({50, PN_SCHEDULER_ACCEPT, 2, 0, 0, 0, 0}, {50, PN_SCHEDULER_KILL, 1, 0, 0, 0, 0});
    assert_true(h.kills == 1 && h.killed.task == 0 && h.killed.start == 0 && h.asked > 0);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 50, 0), PN_OK);
    TOLD({50, PN_SCHEDULER_LAUNCH, 2, 0, 0, 0, 0});
    assert_int_equal(pn_scheduler_finished(s, &hooks, 51, h.launched.token), PN_OK);
    h.running[h.launched.place].id = 0;
    assert_int_equal(pn_scheduler_offer(s, &hooks, 51, 0), PN_OK);
    assert_true(h.launched.task == 0 && h.launched.attempt == 1);
    h.log.count = 0;
    assert_int_equal(pn_scheduler_submit(s, &hooks, 52, &(pn_scheduler_job){.maps = 2}, NULL),
                     PN_OK);
    /* the other is protected now */
    TOLD({52, PN_SCHEDULER_ACCEPT, 3, 0, 0, 0, 0}, {52, PN_SCHEDULER_KILL, 1, 0, 1, 0, 0});
    unsigned asked = h.asked;
    assert_int_equal(pn_scheduler_tick(s, &hooks, 60), PN_OK);
    assert_true(h.asked > asked);
    NOTHING_TOLD();
    cluster_log_free(&h.log);
    free(s);
}

static void a_job_waits_for_a_local_map(void **unused)
{
    static const uint32_t first = 0;
    pn_scheduler_config config = small();
    host h;
    const pn_scheduler_hooks hooks = hooks_of(&h, pn_scheduler_fair());
    (void)unused;
    config.locality_delay_ms = 10;
    pn_scheduler *s = new_core(&config);
    assert_int_equal(
        pn_scheduler_submit(s, &hooks, 5,
                            &(pn_scheduler_job){.maps = 1, .replicas = one_each, .where = &first},
                            NULL),
        PN_OK);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 5, 2), PN_DONE);
    assert_int_equal(h.wake, 15);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 14, 2), PN_DONE);
    assert_int_equal(h.wake, 15);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 15, 2), PN_OK);
    assert_true(h.launched.node == 2 && h.launched.local == 0);
    cluster_log_free(&h.log);
    free(s);
}

/* ---- refusals ---- */

static uint32_t nowhere(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    (void)where;
    (void)most;
    nodes[0] = NODES;
    return map;
}

static uint32_t same_twice(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    (void)where;
    (void)map;
    (void)most;
    nodes[0] = nodes[1] = 1;
    return 2;
}

static uint32_t everywhere(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    (void)where;
    (void)map;
    for (uint32_t i = 0; i < NODES && i < most; i++)
        nodes[i] = i;
    return NODES;
}

/* The first job there; 0 when there is none. */
static uint64_t in_the_system(const pn_scheduler *s)
{
    pn_scheduler_record job;
    uint32_t place = PN_NO_JOB;
    return pn_scheduler_next_record(s, &place, &job) == PN_OK ? job.id : 0;
}

/* Every call that can be refused like that is, and nothing has changed. */
static void check_all_refused(pn_scheduler *s, const pn_scheduler_hooks *hooks, uint64_t now,
                              int expected)
{
    kept before = keep(s, pn_scheduler_block_size(s));
    const pn_scheduler_answer none = {77, 7, 7, 77, 77, 77, {7, 7}};
    pn_scheduler_answer answer = none;
    assert_int_equal(pn_scheduler_submit(s, hooks, now, &(pn_scheduler_job){.maps = 1}, &answer),
                     expected);
    assert_int_equal(pn_scheduler_ask(s, hooks, now, &(pn_scheduler_job){.maps = 1}, &answer),
                     expected);
    assert_int_equal(pn_scheduler_wake(s, hooks, now), expected);
    assert_int_equal(pn_scheduler_cancel(s, hooks, now, in_the_system(s)),
                     expected == PN_ERR_BUSY || !hooks || in_the_system(s) > 0 ? expected
                                                                               : PN_ERR_STALE);
    assert_int_equal(pn_scheduler_node_up(s, hooks, now, 0), expected);
    assert_int_equal(pn_scheduler_node_down(s, hooks, now, 0), expected);
    assert_int_equal(pn_scheduler_resize(s, hooks, now, 0, 0, 1), expected);
    assert_int_equal(pn_scheduler_offer(s, hooks, now, 0), expected);
    assert_int_equal(pn_scheduler_tick(s, hooks, now), expected);
    for (uint32_t run = 0; run < RUNS; run++) {
        pn_scheduler_task task;
        if (pn_scheduler_task_get(s, run, &task) != PN_OK)
            continue;
        assert_int_equal(pn_scheduler_started(s, hooks, now, token_at(s, run)), expected);
        assert_int_equal(pn_scheduler_finished(s, hooks, now, token_at(s, run)), expected);
        assert_int_equal(pn_scheduler_failed(s, hooks, now, token_at(s, run)), expected);
    }
    assert_memory_equal(&answer, &none, sizeof none);
    check_unchanged(&before);
}

static void check_no_job(pn_scheduler *s, const pn_scheduler_hooks *hooks, pn_scheduler_job job,
                         int expected)
{
    kept before = keep(s, pn_scheduler_block_size(s));
    pn_scheduler_answer answer;
    assert_int_equal(pn_scheduler_submit(s, hooks, 10, &job, NULL), expected);
    assert_int_equal(pn_scheduler_ask(s, hooks, 10, &job, &answer), expected);
    check_unchanged(&before);
}

static void check_stale(pn_scheduler *s, const pn_scheduler_hooks *hooks, uint64_t now,
                        uint64_t token)
{
    kept before = keep(s, pn_scheduler_block_size(s));
    assert_int_equal(pn_scheduler_started(s, hooks, now, token), PN_ERR_STALE);
    assert_int_equal(pn_scheduler_finished(s, hooks, now, token), PN_ERR_STALE);
    assert_int_equal(pn_scheduler_failed(s, hooks, now, token), PN_ERR_STALE);
    check_unchanged(&before);
}

/* A place is another attempt's after an attempt was lost, failed or done; a token never is. */
static void late_messages_of_attempts_that_are_over_are_refused(void **unused)
{
    (void)unused;
    enum { ROUNDS = 30 };
    host h;
    const pn_scheduler_nodes node = {.count = 1, .map_slots = 1};
    const pn_scheduler_hooks hooks = hooks_of(&h, pn_scheduler_fifo());
    pn_scheduler_config config = small();
    uint64_t tokens[ROUNDS];
    config.nodes = &node;
    config.attempts_max = ROUNDS;
    config.jobs_max = ROUNDS;
    config.tasks_max = ROUNDS;
    pn_scheduler *s = new_core(&config);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t now = 10 * i;
        assert_int_equal(pn_scheduler_submit(s, &hooks, now, &(pn_scheduler_job){.maps = 1}, NULL),
                         PN_OK);
        assert_int_equal(pn_scheduler_offer(s, &hooks, now, 0), PN_OK);
        tokens[i] = h.launched.token;
        assert_true(h.launched.place == 0 && token_at(s, 0) == tokens[i]);
        for (uint64_t before = 0; before < i; before++)
            check_stale(s, &hooks, now, tokens[before]);
        if (i % 3 == 0) {
            assert_int_equal(pn_scheduler_node_down(s, &hooks, now + 1, 0), PN_OK);
            assert_int_equal(pn_scheduler_node_up(s, &hooks, now + 2, 0), PN_OK);
        } else if (i % 3 == 1) {
            assert_int_equal(pn_scheduler_failed(s, &hooks, now + 1, tokens[i]), PN_OK);
        } else {
            assert_int_equal(pn_scheduler_finished(s, &hooks, now + 1, tokens[i]), PN_OK);
        }
        check_stale(s, &hooks, now + 2, tokens[i]);
        h.running[0].id = 0;
    }
    cluster_log_free(&h.log);
    free(s);
}

static int arrive_unseen(pn_scheduler_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return PN_OK;
}

static void refused_events_change_nothing(void **unused)
{
    pn_scheduler_policy copy;
    pn_scheduler_config config = small();
    host h;
    const pn_scheduler_hooks hooks = hooks_of(&h, pn_scheduler_fifo());
    pn_scheduler_hooks nobody = hooks, another = hooks;
    pn_scheduler *s = new_core(&config);
    pn_scheduler_answer answer;
    (void)unused;
    nobody.policy = NULL;
    another.policy = pn_scheduler_fair();
    check_all_refused(s, NULL, 10, PN_ERR_ARGUMENT);
    check_all_refused(s, &nobody, 10, PN_ERR_POLICY);
    check_all_refused(s, &hooks, PN_INTEGER_MAX + 1, PN_ERR_OVERFLOW);
    assert_int_equal(
        pn_scheduler_submit(s, &hooks, 10, &(pn_scheduler_job){.maps = 3, .reduces = 1}, NULL),
        PN_OK);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 10, 1), PN_OK);
    check_all_refused(s, &hooks, 9, PN_ERR_ORDER);
    check_all_refused(s, &another, 10, PN_ERR_POLICY);
#define OTHER(change)                                      \
    do {                                                   \
        copy = *pn_scheduler_fifo();                       \
        change;                                            \
        another.policy = &copy;                            \
        check_all_refused(s, &another, 10, PN_ERR_POLICY); \
    } while (0)
    OTHER(copy.name = "fif");
    OTHER(copy.order.keys = PN_SCHEDULER_KEYS_SERVED);
    OTHER(copy.order.memoryless = 1);
    OTHER(copy.admission.deadlines = 1);
    OTHER(copy.admission.maps_first = 1);
    OTHER(copy.arrive = arrive_unseen);
    OTHER((copy.param_count = 1, copy.params[0] = (pn_param){.name = "more", .high = 1}));
#undef OTHER
    check_all_refused(s, NULL, 10, PN_ERR_ARGUMENT);

    kept before = keep(s, pn_scheduler_block_size(s));
    assert_int_equal(pn_scheduler_node_up(s, &hooks, 10, NODES), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_node_down(s, &hooks, 10, UINT32_MAX), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_offer(s, &hooks, 10, NODES), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_resize(s, &hooks, 10, NODES, 0, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_resize(s, &hooks, 10, 0, 2, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_resize(s, &hooks, 10, 0, 0, 2), PN_ERR_ARGUMENT);
    for (uint64_t token = 0; token < 4 * RUNS; token++)
        if (token != h.launched.token)
            check_stale(s, &hooks, 10, token);
    check_stale(s, &hooks, 10, UINT64_MAX);
    assert_int_equal(pn_scheduler_submit(s, &hooks, 10, NULL, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_submit(NULL, &hooks, 10, &(pn_scheduler_job){.maps = 1}, NULL),
                     PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_ask(s, &hooks, 10, NULL, &answer), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_ask(s, &hooks, 10, &(pn_scheduler_job){.maps = 1}, NULL),
                     PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_ask(NULL, &hooks, 10, &(pn_scheduler_job){.maps = 1}, &answer),
                     PN_ERR_ARGUMENT);
    check_unchanged(&before);

    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 0}, PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = ((uint32_t)1 << 24) + 1}, PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .reduces = ((uint32_t)1 << 24) + 1},
                 PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .deadline = PN_INTEGER_MAX + 1},
                 PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .est_ms = {((uint64_t)1 << 40) + 1, 0}},
                 PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .est_ms = {0, ((uint64_t)1 << 40) + 1}},
                 PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .input = PN_INTEGER_MAX + 1}, PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .intermediate = PN_INTEGER_MAX + 1},
                 PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .weight = PN_SCHEDULER_WEIGHT_MOST + 1},
                 PN_ERR_JOB);
    check_no_job(s, &hooks,
                 (pn_scheduler_job){.maps = 1, .priority = PN_SCHEDULER_PRIORITY_MOST + 1},
                 PN_ERR_JOB);
    check_no_job(s, &hooks,
                 (pn_scheduler_job){.maps = 1, .priority = -PN_SCHEDULER_PRIORITY_MOST - 1},
                 PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1, .group = 2}, PN_ERR_ARGUMENT);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 17}, PN_ERR_FULL);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 7, .replicas = everywhere}, PN_ERR_FULL);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 2, .replicas = nowhere}, PN_ERR_JOB);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 2, .replicas = same_twice}, PN_ERR_JOB);
    assert_int_equal(pn_scheduler_submit(s, &hooks, 10,
                                         &(pn_scheduler_job){.maps = 6, .replicas = everywhere},
                                         NULL),
                     PN_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pn_scheduler_submit(s, &hooks, 10, &(pn_scheduler_job){.maps = 1}, NULL),
                         PN_OK);
    check_no_job(s, &hooks, (pn_scheduler_job){.maps = 1}, PN_ERR_FULL); /* jobs_max */
    cluster_log_free(&h.log);
    free(s);
}

/* ---- from inside hooks ---- */

typedef struct inside {
    pn_scheduler *s;
    const pn_scheduler_hooks *hooks;
    unsigned tried;
} inside;

static void try_everything(inside *in)
{
    check_all_refused(in->s, in->hooks, PN_INTEGER_MAX, PN_ERR_BUSY);
    assert_true(pn_scheduler_running_tasks(in->s) <= RUNS);
    in->tried++;
}

static void task_inside(void *user, const pn_scheduler_task *task)
{
    (void)task;
    try_everything(user);
}

static void event_inside(void *user, const pn_scheduler_event *event)
{
    (void)event;
    try_everything(user);
}

static void finish_inside(void *user, const pn_scheduler_record *job)
{
    (void)job;
    try_everything(user);
}

static uint32_t progress_inside(void *user, const pn_scheduler_task *task)
{
    (void)task;
    try_everything(user);
    return 500000;
}

static void hooks_may_not_act(void **unused)
{
    pn_scheduler_config config = small();
    inside in = {.tried = 0};
    const pn_scheduler_hooks hooks = {.policy = pn_scheduler_hsrtf_prp(),
                                      .launch = task_inside,
                                      .kill = task_inside,
                                      .progress = progress_inside,
                                      .on_finish = finish_inside,
                                      .on_event = event_inside,
                                      .user = &in};
    (void)unused;
    in.s = new_core(&config);
    in.hooks = &hooks;
    assert_int_equal(pn_scheduler_submit(in.s, &hooks, 0, &(pn_scheduler_job){.maps = 3}, NULL),
                     PN_OK);
    for (uint32_t node = 0; node < NODES; node++)
        assert_int_equal(pn_scheduler_offer(in.s, &hooks, 0, node), PN_OK);
    assert_int_equal(pn_scheduler_submit(in.s, &hooks, 10, &(pn_scheduler_job){.maps = 1}, NULL),
                     PN_OK);
    assert_int_equal(pn_scheduler_tick(in.s, &hooks, 20), PN_OK);
    for (uint32_t run = 0; run < RUNS; run++) {
        pn_scheduler_task task;
        if (pn_scheduler_task_get(in.s, run, &task) == PN_OK)
            assert_int_equal(pn_scheduler_finished(in.s, &hooks, 30, token_at(in.s, run)), PN_OK);
    }
    assert_in_range(in.tried, 10, 1000);
    free(in.s);
}

/* ---- a host whose machines do as they like ---- */

enum { JOBS = 12 };

typedef struct wild {
    cluster_log log;
    pn_stream stream;
    uint64_t start[256];
    uint32_t complete[256]; /* the input of a reduce, as told last */
    unsigned told[2];       /* that inputs are complete no longer; that they are */
} wild;

static uint32_t wild_progress(void *user, const pn_scheduler_task *task)
{
    wild *w = user;
    return (uint32_t)(pn_mix(task->id * 1000 + task->task, w->start[task->place]) % 1000001);
}

static void wild_launch(void *user, const pn_scheduler_task *task)
{
    wild *w = user;
    w->start[task->place] = task->start;
    w->complete[task->place] = task->input_complete;
}

static void wild_input(void *user, const pn_scheduler_task *task)
{
    wild *w = user;
    assert_true(task->kind == PN_SCHEDULER_REDUCE &&
                w->complete[task->place] != task->input_complete);
    w->complete[task->place] = task->input_complete;
    w->told[task->input_complete]++;
}

typedef struct listed {
    const pn_cluster_job *job;
} listed;

static uint32_t listed_replicas(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    const pn_cluster_job *job = ((const listed *)where)->job;
    uint32_t at = 0;
    for (uint32_t i = 0; job->blocks && i < map; i++)
        at += job->block_counts[i];
    uint32_t count = job->blocks ? job->block_counts[map] : 0;
    assert_true(count <= most);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = job->blocks[at + i];
    return count;
}

static int random_attempt(pn_scheduler *s, const pn_scheduler_hooks *hooks, wild *w, uint64_t now)
{
    uint32_t run = (uint32_t)pn_uniform(&w->stream, 0, pn_scheduler_places_max(s) - 1);
    pn_scheduler_task task;
    pn_scheduler_progress job;
    for (uint32_t i = 0;
         i < pn_scheduler_places_max(s) && pn_scheduler_task_get(s, run, &task) != PN_OK; i++)
        run = (run + 1) % pn_scheduler_places_max(s);
    if (pn_scheduler_task_get(s, run, &task) != PN_OK)
        return PN_OK;
    uint64_t what = pn_uniform(&w->stream, 0, 29);
    pn_scheduler_progress_get(s, run, &job);
    assert_int_equal(w->complete[run],
                     task.kind == PN_SCHEDULER_REDUCE && job.map_finish != PN_SCHEDULER_NEVER);
    if (what == 0)
        return pn_scheduler_failed(s, hooks, now, token_at(s, run));
    if (what < 4)
        return pn_scheduler_started(s, hooks, now, token_at(s, run));
    if (task.kind == PN_SCHEDULER_REDUCE && job.map_finish == PN_SCHEDULER_NEVER)
        return PN_OK; /* it waits for its input */
    return pn_scheduler_finished(s, hooks, now, token_at(s, run));
}

static pn_scheduler_job given_job(const listed *where)
{
    const pn_cluster_job *job = where->job;
    return (pn_scheduler_job){.maps = job->maps,
                              .reduces = job->reduces,
                              .replicas = listed_replicas,
                              .where = where,
                              .deadline = job->deadline,
                              .weight = (uint32_t)(job->tag % 4),
                              .priority = (int32_t)(job->tag % 3) - 1,
                              .est_ms = {job->map_ms + 1, job->reduce_ms + 1}};
}

typedef struct drive {
    const pn_scheduler_policy *policy;
    cluster_workload work;
    pn_cluster_config config;
    wild wild;
    pn_scheduler_hooks hooks;
    pn_scheduler *s;
    size_t come;
    uint64_t now;
    bool asks;
} drive;

/* What is known of the jobs in the system, in one number. */
static uint64_t mixed_records(const pn_scheduler *s)
{
    uint64_t mixed = pn_scheduler_next_opening(s);
    pn_scheduler_record job;
    for (uint32_t place = PN_NO_JOB; pn_scheduler_next_record(s, &place, &job) == PN_OK;)
        mixed = pn_mix(pn_mix(pn_mix(pn_mix(mixed, job.id), job.first_map_start), job.deadline),
                       job.promise);
    return mixed;
}

/* A question leaves everything as it was that can be asked for, and is told what the job is told if
 * it comes now. */
static pn_scheduler_answer ask_about(drive *d, const pn_scheduler_job *job, uint64_t time)
{
    pn_scheduler_totals before, after;
    pn_scheduler_answer answer;
    uint64_t digest = pn_scheduler_digest(d->s), records = mixed_records(d->s);
    size_t entries = d->wild.log.count;
    pn_scheduler_totals_get(d->s, &before);
    assert_int_equal(pn_scheduler_ask(d->s, &d->hooks, time, job, &answer), PN_OK);
    pn_scheduler_totals_get(d->s, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(pn_scheduler_digest(d->s) == digest && mixed_records(d->s) == records &&
                d->wild.log.count == entries);
    assert_int_equal(answer.id, before.submitted + 1);
    return answer;
}

static int come_or_ask(drive *d)
{
    const listed where = {&d->work.jobs[d->come++]};
    const pn_scheduler_job job = given_job(&where);
    pn_scheduler_answer asked, answer;
    if (!d->asks)
        return pn_scheduler_submit(d->s, &d->hooks, d->now, &job, NULL);
    ask_about(d, &job, d->now + 10000);
    asked = ask_about(d, &job, d->now);
    int status = pn_scheduler_submit(d->s, &d->hooks, d->now, &job, &answer);
    assert_memory_equal(&asked, &answer, sizeof answer);
    return status;
}

static int to_another_place(drive *d)
{
    size_t size = pn_scheduler_block_size(d->s);
    void *copy = workload_room(size);
    memcpy(copy, d->s, size);
    memset(d->s, 0xA5, size);
    free(d->s);
    return pn_scheduler_open(&d->s, copy, size);
}

/* Of ids that are in the system, have left it, or are still to come. */
static int cancel_some(drive *d)
{
    uint64_t id = pn_uniform(&d->wild.stream, 0, JOBS);
    int status = pn_scheduler_cancel(d->s, &d->hooks, d->now, id);
    assert_int_equal(pn_scheduler_validate(d->s, pn_scheduler_block_size(d->s)), PN_OK);
    return status == PN_ERR_STALE ? PN_OK : status;
}

/* Among the slots that nodes may have, mostly all of them; drains, removals and returns alike. */
static int resize_some(drive *d, uint32_t node)
{
    uint32_t group = 0, first = 0;
    for (; node >= first + cluster_nodes[group].count; first += cluster_nodes[group++].count)
        ;
    const pn_scheduler_nodes *it = &cluster_nodes[group];
    bool all = pn_uniform(&d->wild.stream, 0, 1) == 0;
    uint64_t maps = all ? it->map_slots : pn_uniform(&d->wild.stream, 0, it->map_slots),
             reduces = all ? it->reduce_slots : pn_uniform(&d->wild.stream, 0, it->reduce_slots);
    int status = pn_scheduler_resize(d->s, &d->hooks, d->now, node, (uint32_t)maps,
                                     (uint32_t)reduces);
    assert_int_equal(pn_scheduler_validate(d->s, pn_scheduler_block_size(d->s)), PN_OK);
    return status;
}

static int anything(drive *d)
{
    uint32_t node = (uint32_t)pn_uniform(&d->wild.stream, 0, CLUSTER_NODES - 1);
    uint64_t what = pn_uniform(&d->wild.stream, 0, 99);
    d->now += pn_uniform(&d->wild.stream, 0, 2) * pn_uniform(&d->wild.stream, 0, 40);
    if (what < 4 && d->come < JOBS)
        return come_or_ask(d);
    if (what < 40)
        return pn_scheduler_offer(d->s, &d->hooks, d->now, node);
    if (what < 41)
        return cancel_some(d);
    if (what < 44)
        return resize_some(d, node);
    if (what < 92)
        return random_attempt(d->s, &d->hooks, &d->wild, d->now);
    if (what < 94)
        return pn_scheduler_tick(d->s, &d->hooks, d->now);
    if (what < 95)
        return pn_scheduler_wake(d->s, &d->hooks, d->now);
    if (what < 96)
        return pn_scheduler_node_down(d->s, &d->hooks, d->now, node);
    if (what < 99)
        return pn_scheduler_node_up(d->s, &d->hooks, d->now, node);
    return to_another_place(d);
}

static void check_drive(const drive *d)
{
    pn_cluster_claim claim = cluster_claim(&d->work, &d->config, d->policy);
    pn_scheduler_totals totals;
    claim.measured = 1;
    pn_scheduler_totals_get(d->s, &totals);
    assert_true(totals.finished + totals.failed + totals.rejected + totals.cancelled == JOBS &&
                totals.in_system == 0 && totals.tasks_held == 0);
    assert_true(totals.accepted + totals.rejected == JOBS && totals.replicas_held == 0);
    assert_int_equal(pn_scheduler_running_tasks(d->s), 0);
    cluster_verdict v = cluster_judge(&d->wild.log, &claim, totals.last_finish, 0,
                                      pn_scheduler_digest(d->s));
    if (v.status != PN_OK)
        fail_msg("%s: \"%s\" at %llu of job %llu", d->policy->name, v.fault,
                 (unsigned long long)v.time, (unsigned long long)v.id);
}

/* Its log, to be freed. */
static cluster_log drive_wildly(const pn_scheduler_policy *policy, uint64_t seed, bool asks,
                                unsigned heard[2])
{
    const cluster_shape shape = {.gap_ms = 900,
                                 .maps = 5,
                                 .reduces = 3,
                                 .task_ms = 1000,
                                 .listed = 1,
                                 .nodes = CLUSTER_NODES};
    drive d = {.policy = policy, .work = cluster_new(JOBS, seed, shape), .asks = asks};
    d.config = cluster_config(&d.work, &cluster_options[0]);
    d.config.scheduler.policy = policy;
    d.config.scheduler.nodes_absent = (uint32_t)(seed % 3) * 4;
    d.hooks = (pn_scheduler_hooks){.policy = policy,
                                   .launch = wild_launch,
                                   .progress = wild_progress,
                                   .input_changed = wild_input,
                                   .on_event = cluster_log_event,
                                   .user = &d.wild};
    d.s = new_core(&d.config.scheduler);
    pn_stream_init(&d.wild.stream, seed, 0, 12);
    int status = PN_OK;
    for (int i = 0; i < 100000 && (d.come < JOBS || pn_scheduler_jobs(d.s) > 0) && status >= 0; i++)
        status = anything(&d);
    assert_true(status >= 0);
    check_drive(&d);
    heard[0] += d.wild.told[0];
    heard[1] += d.wild.told[1];
    free(d.s);
    cluster_free(&d.work);
    return d.wild.log;
}

/* … whether questions are asked meanwhile or not. */
static void whatever_machines_do_the_log_holds(void **unused)
{
    unsigned heard[2] = {0, 0};
    (void)unused;
    for (size_t p = 0; pn_scheduler_policy_at(p); p++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            cluster_log log = drive_wildly(pn_scheduler_policy_at(p), seed, false, heard);
            cluster_log asked = drive_wildly(pn_scheduler_policy_at(p), seed, true, heard);
            assert_int_equal(log.count, asked.count);
            assert_memory_equal(log.entry, asked.entry, log.count * sizeof *log.entry);
            cluster_log_free(&log);
            cluster_log_free(&asked);
        }
    assert_true(heard[0] > 0 && heard[1] > heard[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_drives_the_core),
        cmocka_unit_test(outputs_are_made_again_when_somebody_needs_them),
        cmocka_unit_test(a_job_fails_with_its_task),
        cmocka_unit_test(a_shorter_job_takes_the_slots),
        cmocka_unit_test(a_job_waits_for_a_local_map),
        cmocka_unit_test(late_messages_of_attempts_that_are_over_are_refused),
        cmocka_unit_test(refused_events_change_nothing),
        cmocka_unit_test(hooks_may_not_act),
        cmocka_unit_test(whatever_machines_do_the_log_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
