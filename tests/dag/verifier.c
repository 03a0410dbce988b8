/* The checker of the dag model: it is content with what the kernel says, and finds every way in
 * which a log, a row or the totals can be wrong. Each wrong one is a right one with one change. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/sweep.h"

enum { EVENTS = 200, ROWS = 8, JOBS = 4, ENOUGH = 1 << 24 /* bytes of a block */ };

/* ---- runs that have everything ---- */

static const pn_dispatch_nodes nodes[] = {{{4, 4}, 2, 0}};
static const pn_dispatch_queue queues[] = {{1, 500, 500, 0}, {1, 500, 0, 0}};
static const uint32_t first[] = {0};
static const uint64_t listed[] = {7, 12};
static const pn_dag_stage wide[] = {{.demand = {2, 1}, .duration = 40, .tasks = 6}};
static const pn_dag_stage chain[] = {
    {.demand = {1, 1}, .durations = listed, .tasks = 2},
    {.demand = {2, 2}, .duration = 5, .tasks = 1, .parents = first, .parent_count = 1}};
static const pn_dag_stage late[] = {{.demand = {4, 4}, .duration = 3, .tasks = 1}};
static const pn_dag_job jobs[JOBS] = {
    {.arrival = 0, .stages = wide, .stage_count = 1, .queue = 1, .deadline = 500},
    {.arrival = 3, .stages = chain, .stage_count = 2, .queue = 0},
    {.arrival = 20, .stages = chain, .stage_count = 2, .queue = 0},
    {.arrival = 90, .stages = late, .stage_count = 1, .queue = 1}};
static const pn_dag_failure failures[] = {{.time = 30, .recover = 50, .node = 1}};
/* Tasks of executors fill a node. */
static const pn_dag_stage fork[] = {
    {.demand = {4, 4}, .duration = 9, .tasks = 3},
    {.demand = {4, 1}, .duration = 14, .tasks = 2, .start_ms = PN_DAG_AUTO},
    {.demand = {4, 4}, .duration = 5, .tasks = 2, .parents = first, .parent_count = 1}};
static const pn_dag_stage pair[] = {
    {.demand = {4, 4}, .duration = 8, .tasks = 3},
    {.demand = {4, 4}, .duration = 5, .tasks = 2, .parents = first, .parent_count = 1}};
static const pn_dag_stage single[] = {{.demand = {4, 4}, .duration = 25, .tasks = 1}};
static const pn_dag_job moving_jobs[JOBS] = {
    {.arrival = 0, .stages = pair, .stage_count = 2},
    {.arrival = 2, .stages = single, .stage_count = 1, .deadline = 10},
    {.arrival = 31, .stages = fork, .stage_count = 3},
    {.arrival = 55, .stages = single, .stage_count = 1}};

static const pn_dag_failure moving_failures[] = {{.time = 52, .recover = 58, .node = 1}};

enum told { USUAL, STICKY, FREE, NARROW, TOLD };

typedef struct story {
    pn_dag_config config;
    pn_dag_claim claim;
    pn_dispatch_event events[EVENTS];
    size_t count;
    pn_dag_record rows[ROWS];
    pn_dispatch_record cores[ROWS];
    pn_dispatch_times times[ROWS][3];
    size_t row_count;
    pn_dag_totals totals;
    uint64_t digest, unfinished;
    bool stopped; /* at this time */
    uint64_t until;
    bool bare; /* without rows and totals */
    const pn_dispatch_policy *policy;
    const double *params;
} story;

static void on_event(void *user, const pn_dispatch_event *event)
{
    story *to = user;
    if (to->count < EVENTS)
        to->events[to->count++] = *event;
}

static void on_finish(void *user, const pn_dag_record *record)
{
    story *to = user;
    pn_dag_record *row = &to->rows[to->row_count];
    *row = *record;
    to->cores[to->row_count] = *record->job;
    memcpy(to->times[to->row_count], record->job->stages,
           record->job->stage_count * sizeof to->times[0][0]);
    to->row_count++;
    to->unfinished += record->job->state != PN_DISPATCH_FINISHED;
}

/* Runs what the story claims, and notes what happens. PN_DONE, PN_PAUSED if that takes too much
 * time or memory, or why it is refused. */
static int run_story(story *it)
{
    const pn_dag_hooks hooks = {.policy = it->policy,
                                .params = it->params,
                                .on_event = on_event,
                                .on_finish = on_finish,
                                .user = it};
    pn_dag *sim;
    it->count = it->row_count = it->unfinished = 0;
    size_t size = pn_dag_size(&it->config);
    if (size > ENOUGH)
        return PN_PAUSED;
    void *block = workload_room(size);
    int status = pn_dag_init(&sim, block, size, &it->config);
    for (uint32_t i = 0; i < it->claim.job_count && status == PN_OK; i++)
        status = pn_dag_submit(sim, &it->claim.jobs[i], NULL);
    for (uint32_t i = 0; i < it->claim.failure_count && status == PN_OK; i++)
        status = pn_dag_fail(sim, it->claim.failures[i].time, it->claim.failures[i].node,
                             it->claim.failures[i].recover);
    if (status == PN_OK)
        status = pn_dag_run(sim, &hooks, PN_DAG_FOREVER, 10 * EVENTS);
    if (status == PN_DONE) {
        pn_dag_totals_get(sim, &it->totals);
        it->digest = pn_dag_digest(sim);
    }
    free(block);
    return status == PN_ERR_FULL ? PN_PAUSED : status;
}

static story told_as(enum told told)
{
    static const double preempt[] = {1};
    story made = {.config = pn_dag_defaults()};
    made.config.dispatch.nodes = nodes;
    made.config.dispatch.nodes_count = 1;
    made.config.dispatch.resources = 2;
    made.config.dispatch.queues = queues;
    made.config.dispatch.queues_count = 2;
    made.config.dispatch.jobs_max = JOBS;
    made.config.dispatch.max_kills = 1;
    made.config.tick_ms = 8;
    made.config.durations_max = 8;
    made.config.failures_max = 1;
    made.config.bounds_max = JOBS;
    made.claim = (pn_dag_claim){.preempts = 1,
                                .limits = 1,
                                .jobs = jobs,
                                .job_count = JOBS,
                                .failures = failures,
                                .failure_count = 1};
    if (told == STICKY || told == FREE) {
        made.claim.jobs = moving_jobs;
        made.claim.failures = moving_failures;
        made.claim.preempts = made.claim.limits = 0;
        made.config.dispatch.queues = NULL;
        made.config.dispatch.queues_count = 0;
        made.config.dispatch.executors = told == STICKY ? PN_DISPATCH_EXECUTORS_STICKY
                                                        : PN_DISPATCH_EXECUTORS_FREE;
        made.config.move_ms = 4;
        made.config.fresh_ms = 3;
        made.policy = pn_dispatch_fair();
    } else if (told == NARROW) {
        made.claim.preempts = made.claim.limits = 0;
        made.config.dispatch.running_most = 2;
        made.config.max_time_ms = 100;
        made.policy = pn_dispatch_fifo();
    } else {
        made.policy = pn_dispatch_capacity_queues();
        made.params = preempt;
    }
    assert_true(run_story(&made) == PN_DONE && made.count < EVENTS);
    return made;
}

static story told(void)
{
    return told_as(USUAL);
}

/* ---- judging ---- */

static int judge(story *it, pn_dag_verifier *v)
{
    int status = PN_OK;
    for (size_t i = 0; i < it->count && status == PN_OK; i++)
        status = pn_dag_verifier_feed(v, &it->events[i]);
    if (it->stopped && status == PN_OK)
        status = pn_dag_verifier_stop(v, it->until);
    for (size_t i = 0; i < it->row_count && status == PN_OK && !it->bare; i++)
        status = pn_dag_verifier_row(v, &it->rows[i]);
    return status == PN_OK
               ? pn_dag_verifier_end(v, it->unfinished, it->bare ? NULL : &it->totals, it->digest)
               : status;
}

/* The word with which it is rejected; "" when it is not. */
static const char *word_of(story *it)
{
    static char word[100];
    pn_dag_verifier *v;
    uint64_t time, id;
    it->claim.config = &it->config;
    for (size_t i = 0; i < JOBS; i++) { /* those that are not told too */
        it->rows[i].job = &it->cores[i];
        it->cores[i].stages = it->times[i];
    }
    size_t size = pn_dag_verifier_size(&it->claim);
    assert_true(size > 0);
    void *block = workload_room(size);
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it->claim), PN_OK);
    int status = judge(it, v);
    snprintf(word, sizeof word, "%s", pn_dag_verifier_fault(v, &time, &id));
    assert_int_equal(status, word[0] == '\0' ? PN_OK : PN_ERR_REJECTED);
    if (status != PN_OK) { /* it stays rejected */
        assert_int_equal(pn_dag_verifier_feed(v, &it->events[0]), PN_ERR_REJECTED);
        assert_int_equal(pn_dag_verifier_stop(v, 1000), PN_ERR_REJECTED);
        assert_int_equal(pn_dag_verifier_row(v, &it->rows[0]), PN_ERR_REJECTED);
        assert_int_equal(pn_dag_verifier_end(v, 0, NULL, 0), PN_ERR_REJECTED);
    }
    free(block);
    return word;
}

/* The first event of a kind, from one on; of a job, 0 = of any. */
static pn_dispatch_event *find(story *it, uint32_t event, uint64_t id)
{
    for (size_t i = 0; i < it->count; i++)
        if (it->events[i].event == event && (id == 0 || it->events[i].id == id))
            return &it->events[i];
    fail_msg("the story has no event %u of job %u", event, (unsigned)id);
    return NULL;
}

/* The first launch from a time on. */
static pn_dispatch_event *launch_after(story *it, uint64_t time)
{
    pn_dispatch_event *found = find(it, PN_DISPATCH_LAUNCH, 0);
    while (found->time < time || found->event != PN_DISPATCH_LAUNCH)
        found++;
    return found;
}

static pn_dispatch_event *last(story *it, uint32_t event, uint64_t id)
{
    pn_dispatch_event *found = find(it, event, id);
    for (size_t i = 0; i < it->count; i++)
        if (it->events[i].event == event && (id == 0 || it->events[i].id == id))
            found = &it->events[i];
    return found;
}

static void leave_out(story *it, const pn_dispatch_event *event)
{
    size_t at = (size_t)(event - it->events);
    memmove(&it->events[at], &it->events[at + 1], (--it->count - at) * sizeof *event);
}

static void leave_out_all(story *it, uint32_t event)
{
    for (size_t i = it->count; i-- > 0;)
        if (it->events[i].event == event)
            leave_out(it, &it->events[i]);
}

static void swap(pn_dispatch_event *a, pn_dispatch_event *b)
{
    pn_dispatch_event kept = *a;
    *a = *b;
    *b = kept;
}

/* ---- wrong logs ---- */

static void the_checker_is_content(void **unused)
{
    (void)unused;
    for (int i = 0; i < TOLD; i++) {
        story it = told_as((enum told)i);
        assert_string_equal(word_of(&it), "");
        assert_true((it.totals.dispatch.kills > 0) == (i == USUAL));
        assert_true(it.totals.dispatch.lost > 0 && it.row_count == JOBS);
        assert_true((it.unfinished > 0) == (i == NARROW));
    }
}

#define WRONGLY(told, change, word)              \
    do {                                         \
        story it = told_as(told);                \
        pn_dispatch_event *e = NULL;             \
        (void)e;                                 \
        change;                                  \
        assert_string_equal(word_of(&it), word); \
    } while (0)
#define WRONG(change, word) WRONGLY(USUAL, change, word)

static void wrong_names_are_found(void **unused)
{
    (void)unused;
    WRONG(it.events[0].event = 0, "no such kind of entry");
    WRONG(it.events[0].event = PN_DISPATCH_FAIL, "no such kind of entry");
    WRONG(it.events[0].event = PN_DISPATCH_DROP, "no such kind of entry");
    WRONG(it.events[0].event = PN_DISPATCH_JOB_CANCEL, "no such kind of entry");
    WRONG(find(&it, PN_DISPATCH_LAUNCH, 0)->node = 2, "there is no such node");
    WRONG(find(&it, PN_DISPATCH_ARRIVE, 1)->node = 1, "there is no such node");
    WRONG(find(&it, PN_DISPATCH_NODE_DOWN, 0)->node = 2, "there is no such node");
    WRONG(find(&it, PN_DISPATCH_ARRIVE, 1)->id = 0, "there is no such job");
    WRONG(find(&it, PN_DISPATCH_LAUNCH, 1)->id = JOBS + 1, "there is no such job");
    WRONG(find(&it, PN_DISPATCH_NODE_DOWN, 0)->id = 1, "there is no such job");
    WRONG(find(&it, PN_DISPATCH_ARRIVE, 1)->task = 1, "the entry names a task and has none");
    WRONG(find(&it, PN_DISPATCH_LAUNCH, 1)->stage = 1, "there is no such task");
    WRONG(find(&it, PN_DISPATCH_LAUNCH, 1)->task = 6, "there is no such task");
    WRONG(find(&it, PN_DISPATCH_LAUNCH, 1)->id = 3, "the job is not in the system");
}

static void wrong_times_are_found(void **unused)
{
    (void)unused;
    WRONG(it.events[it.count - 1].time = 0, "entries must be in order of time");
    WRONG(it.events[it.count - 1].time = PN_INTEGER_MAX, "no time is so late");
    WRONG(it.config.max_time_ms = 60, "no time is so late");
    WRONG(leave_out(&it, find(&it, PN_DISPATCH_NODE_DOWN, 0)),
          "an attempt is lost though its node does not fail");
    WRONG(
        (leave_out(&it, find(&it, PN_DISPATCH_NODE_DOWN, 0)), leave_out_all(&it, PN_DISPATCH_LOSE)),
        "a node does not go down when it has to");
    WRONG(leave_out(&it, find(&it, PN_DISPATCH_NODE_UP, 0)),
          "a node does not come back when it has to");
    WRONG(leave_out(&it, find(&it, PN_DISPATCH_ARRIVE, 2)),
          "the job does not arrive when it has to");
    WRONG(find(&it, PN_DISPATCH_NODE_DOWN, 0)->node = 0, "the node does not fail or recover then");
    WRONG(find(&it, PN_DISPATCH_ARRIVE, 1)->id = 2, "no such job arrives then");
    WRONG(find(&it, PN_DISPATCH_ARRIVE, 1)->time = 1, "the job does not arrive when it has to");
    WRONG((e = find(&it, PN_DISPATCH_ARRIVE, 1), swap(e, e + 1)), "the job is not in the system");
    WRONG((e = find(&it, PN_DISPATCH_END, 1) + 4, swap(e, e + 1)), /* two at 90 */
          "entries of one time are not in their order");
    WRONG((e = find(&it, PN_DISPATCH_JOB_FINISH, 4),
           e[1] = (pn_dispatch_event){.time = e->time + 1, .event = PN_DISPATCH_NODE_UP},
           it.count++),
          "the node does not fail or recover then");
}

static void wrong_ends_are_found(void **unused)
{
    (void)unused;
    WRONG(find(&it, PN_DISPATCH_END, 2)->attempt = 1, "no such attempt runs there");
    WRONG(find(&it, PN_DISPATCH_END, 2)->node = 1, "no such attempt runs there");
    WRONG(find(&it, PN_DISPATCH_END, 2)->event = PN_DISPATCH_KILL,
          "the attempt continues after its end");
    WRONG(it.claim.preempts = 0, "the policy does not kill");
    WRONG(it.config.tick_ms = 7, "attempts are killed on ticks only");
    WRONG((e = find(&it, PN_DISPATCH_LAUNCH, 1), e[1] = e[0], e[1].event = PN_DISPATCH_KILL),
          "attempts are killed on ticks only"); /* not at 0 */
    WRONG((e = last(&it, PN_DISPATCH_END, 4), e->time++,
           last(&it, PN_DISPATCH_JOB_FINISH, 4)->time++),
          "the attempt lasts longer or shorter than it has to");
    WRONG(find(&it, PN_DISPATCH_LOSE, 0)->event = PN_DISPATCH_END,
          "an attempt survives the failure of its node");
    WRONG(leave_out(&it, find(&it, PN_DISPATCH_LOSE, 0)),
          "an attempt survives the failure of its node");
    WRONG((e = find(&it, PN_DISPATCH_KILL, 0), e->event = PN_DISPATCH_LOSE),
          "an attempt is lost though its node does not fail");
    WRONG((e = find(&it, PN_DISPATCH_END, 1), e->event = PN_DISPATCH_KILL, e->time = 56),
          "the task was killed or lost too often to be killed");
    WRONG(leave_out(&it, find(&it, PN_DISPATCH_JOB_FINISH, 2)),
          "the job is complete and does not finish");
    WRONG((e = last(&it, PN_DISPATCH_END, 4), leave_out(&it, e)), "the job is not complete");
}

static const pn_dispatch_queue narrow[] = {{1, 0, 1, 0}, {1, 0, 1, 0}};

static void wrong_starts_are_found(void **unused)
{
    (void)unused;
    WRONG((e = find(&it, PN_DISPATCH_LAUNCH, 2), e->stage = 1, e->task = 0),
          "the stage starts before it is ready");
    WRONG((e = find(&it, PN_DISPATCH_LAUNCH, 1), (e + 1)->task = 0),
          "the task runs already, or is done");
    WRONG(find(&it, PN_DISPATCH_LAUNCH, 1)->attempt = 1,
          "attempts of a task are 0, 1, 2 and so on");
    WRONG(find(&it, PN_DISPATCH_LAUNCH, 1)->task = 1, "a lower task of the stage is pending");
    WRONG((e = find(&it, PN_DISPATCH_LAUNCH, 1), (e + 2)->node = 0), "the node has no room");
    WRONG(it.config.dispatch.queues = narrow, "the queue is over its maximum");
    WRONG(it.config.dispatch.running_most = 2, "more tasks of the job run than may");
    WRONG(it.config.dispatch.running_most = 4, ""); /* so many run */
    WRONG((e = launch_after(&it, 30), e->node = 1), "the node is down");
    WRONG((e = last(&it, PN_DISPATCH_LAUNCH, 4), leave_out(&it, e)),
          "a task waits though it fits on a node");
}

/* Inserts an event behind those of its time, or with an order behind so many of them. */
static void put_in(story *it, pn_dispatch_event event)
{
    size_t at = 0;
    while (at < it->count && it->events[at].time <= event.time)
        at++;
    memmove(&it->events[at + 1], &it->events[at], (it->count++ - at) * sizeof event);
    it->events[at] = event;
}

#define MOVE(time_, id_, node_)                                                  \
    (pn_dispatch_event)                                                          \
    {                                                                            \
        .time = (time_), .id = (id_), .event = PN_DISPATCH_MOVE, .node = (node_) \
    }
static const pn_dag_stage small_pair[] = {
    {.demand = {1, 1}, .duration = 8, .tasks = 3},
    {.demand = {1, 1}, .duration = 5, .tasks = 2, .parents = first, .parent_count = 1}};
static const pn_dag_job small_jobs[JOBS] = {
    {.arrival = 0, .stages = small_pair, .stage_count = 2},
    {.arrival = 2, .stages = small_pair, .stage_count = 1},
    {.arrival = 31, .stages = small_pair, .stage_count = 2},
    {.arrival = 55, .stages = small_pair, .stage_count = 1}};

static void wrong_moves_are_found(void **unused)
{
    (void)unused;
    WRONGLY(USUAL, put_in(&it, MOVE(4, 2, 0)), "nodes are no executors");
    WRONGLY(STICKY, put_in(&it, MOVE(56, 4, 1)), "the node is down");
    WRONGLY(STICKY, put_in(&it, MOVE(16, 2, 0)), "the executor runs a task");
    WRONGLY(STICKY, put_in(&it, MOVE(16, 1, 1)), "the executor belongs to the job already");
    WRONGLY(STICKY, put_in(&it, MOVE(16, 2, 1)),
            "the job to which the executor belongs can use it");
    WRONGLY(STICKY,
            (put_in(&it, MOVE(31, 2, 1)), e = find(&it, PN_DISPATCH_LAUNCH, 3), swap(e, e + 1)),
            "the job to which the executor belongs can use it");
    WRONGLY(STICKY, put_in(&it, MOVE(29, 2, 1)), "the job cannot use the executor");
    WRONGLY(STICKY, put_in(&it, MOVE(29, 3, 1)), "the job is not in the system");
    WRONGLY(STICKY, leave_out(&it, find(&it, PN_DISPATCH_MOVE, 2)),
            "the executor does not belong to the job");
    WRONGLY(FREE, leave_out(&it, find(&it, PN_DISPATCH_MOVE, 2)),
            "the executor does not belong to the job");
    WRONGLY(STICKY, (e = launch_after(&it, 70), e->stage = 1, e->task = 0),
            "the stage that the executor served last has a task");
    WRONGLY(STICKY,
            (it.config.dispatch.backfill = 0, leave_out(&it, find(&it, PN_DISPATCH_MOVE, 2)),
             leave_out(&it, find(&it, PN_DISPATCH_LAUNCH, 2))),
            "a task waits though it fits on a node");
    /* tasks of which two have room */
    WRONGLY(FREE,
            (it.claim.jobs = small_jobs, e = find(&it, PN_DISPATCH_MOVE, 1), e[2] = e[1],
             e[2].task = 1),
            "the executor runs a task");
}

/* The waiting task has the demand of a stage that is not ready, and of a job that is full. */
static void waiting_tasks_are_found(void **unused)
{
    static const pn_dispatch_nodes roomy[] = {{{8, 8}, 1, 0}};
    static const pn_dag_stage two_stages[] = {
        {.demand = {1, 1}, .duration = 9, .tasks = 1},
        {.demand = {1, 1}, .duration = 9, .tasks = 1, .parents = first, .parent_count = 1}};
    static const pn_dag_stage three_tasks[] = {{.demand = {1, 1}, .duration = 9, .tasks = 3}};
    static const pn_dag_job alike[JOBS] = {{.stages = two_stages, .stage_count = 2},
                                           {.stages = three_tasks, .stage_count = 1},
                                           {.stages = two_stages, .stage_count = 1}};
    pn_dag_verifier *v;
    uint64_t time, id;
    story it = told_as(NARROW);
    (void)unused;
    it.config.dispatch.nodes = roomy;
    it.claim = (pn_dag_claim){.config = &it.config, .jobs = alike, .job_count = 3};
    it.config.dispatch.queues = NULL;
    it.config.dispatch.queues_count = 0;
    assert_int_equal(run_story(&it), PN_DONE);
    assert_string_equal(word_of(&it), "");
    leave_out(&it, find(&it, PN_DISPATCH_LAUNCH, 3));
    for (uint32_t backfill = 0; backfill < 2; backfill++) {
        it.config.dispatch.backfill = backfill;
        void *block = workload_room(pn_dag_verifier_size(&it.claim));
        assert_int_equal(
            pn_dag_verifier_init(&v, block, pn_dag_verifier_size(&it.claim), &it.claim), PN_OK);
        for (size_t i = 0; it.events[i].time == 0; i++)
            assert_int_equal(pn_dag_verifier_feed(v, &it.events[i]), PN_OK);
        assert_int_equal(pn_dag_verifier_feed(v, find(&it, PN_DISPATCH_END, 1)),
                         backfill ? PN_ERR_REJECTED : PN_OK);
        assert_string_equal(pn_dag_verifier_fault(v, &time, &id),
                            backfill ? "a task waits though it fits on a node" : "");
        assert_true(time == 0 && id == (backfill ? 3 : 0));
        free(block);
    }
}

static void wrong_ends_of_runs_are_found(void **unused)
{
    (void)unused;
    WRONG(it.unfinished = 1, "fewer jobs are unfinished than the log says");
    WRONG(it.digest++, "the digest does not match the entries");
    WRONG(it.events[0].tag = 9, ""); /* the host's own */
    WRONG((it.count -= 2, it.row_count = 0), "the job does not finish");
    WRONG((it.count -= 2, it.unfinished = 1, it.row_count = 0),
          "the run ends before an attempt that runs");
    WRONG((it.count = 1, it.unfinished = JOBS, it.row_count = 0),
          "a task waits though it fits on a node");
}

static void wrong_rows_are_found(void **unused)
{
    (void)unused;
    WRONG(it.cores[1] = it.cores[0], "the row is of no job, or its second one");
    WRONG(it.cores[1].id = JOBS + 1, "the row is of no job, or its second one");
    WRONG(it.cores[1].finish++, "the row has another finish than the log");
    WRONG(it.cores[1].state = PN_DISPATCH_UNFINISHED, "the row has another finish than the log");
    WRONG(it.cores[1].arrival++, "the row is of another job");
    WRONG(it.cores[1].queue++, "the row is of another job");
    WRONG(it.cores[1].first_start++, "the row has other times than the log");
    WRONG(it.times[0][0].ready++, "the row has other times than the log");
    WRONG(it.times[0][0].start++, "the row has other times than the log");
    WRONG(it.times[0][0].finish++, "the row has other times than the log");
    WRONG(it.cores[1].kills++, "the row counts other attempts than the log");
    WRONG(it.cores[1].lost++, "the row counts other attempts than the log");
    WRONG(it.rows[1].alone++, "the row has another time alone than the job");
    WRONG(it.rows[1].path++, "the row has another time alone than the job");
    WRONG(it.rows[1].slowdown_permille++, "the row has another slowdown than the log");
    WRONG(it.rows[1].deadline_met ^= 1, "the row judges the deadline otherwise than the log");
}

static void wrong_totals_are_found(void **unused)
{
    (void)unused;
    WRONG(it.totals.submitted++, "the totals count otherwise than the log");
    WRONG(it.totals.dispatch.launches++, "the totals count otherwise than the log");
    WRONG(it.totals.dispatch.kills++, "the totals count otherwise than the log");
    WRONG(it.totals.dispatch.lost++, "the totals count otherwise than the log");
    WRONG(it.totals.makespan++, "the totals have other times than the log");
    WRONG(it.totals.dispatch.total_jct.low++, "the totals have other times than the log");
    WRONG(it.totals.slowdown_sum.high++, "the totals have other times than the log");
    WRONG(it.totals.dispatch.used[1].low++, "the totals have other resources used than the log");
    WRONG(it.totals.dispatch.wasted[0].low++, "the totals have other resources used than the log");
    WRONG(it.totals.bound_makespan = it.totals.makespan + 1, "the run is better than a bound");
    WRONG(it.totals.bound_total_jct.high = 1, "the run is better than a bound");
}

/* ---- one change of every kind ---- */

/* The digest as the header defines it. */
static uint64_t digest_of(const story *it)
{
    uint64_t digest = 0, sum = 0;
    for (size_t i = 0; i < it->count; i++) {
        const pn_dispatch_event *e = &it->events[i];
        uint64_t mixed = pn_mix(pn_mix(pn_mix(PN_MIX_START, e->time), e->event), e->id);
        sum += pn_mix(pn_mix(pn_mix(pn_mix(mixed, e->stage), e->task), e->node), e->attempt);
        if (i + 1 == it->count || it->events[i + 1].time != e->time) {
            digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), e->time), sum);
            sum = 0;
        }
    }
    return digest;
}

static const sweep_field event_fields[] = {
    SWEEP(pn_dispatch_event, time),   SWEEP(pn_dispatch_event, id),
    SWEEP(pn_dispatch_event, event),  SWEEP(pn_dispatch_event, stage),
    SWEEP(pn_dispatch_event, task),   SWEEP(pn_dispatch_event, node),
    SWEEP(pn_dispatch_event, attempt)};

/* Any change is seen by the digest, and without it in what the log says. What is decided and lost
 * in one instant may have another order, which the digest does not show either. */
static void judge_event(void *user, const sweep_change *change)
{
    story *it = user;
    uint64_t told = it->digest, fits = digest_of(it);
    if (fits != told && *word_of(it) == '\0')
        fail_msg("%s: not seen by the digest", change->text);
    it->digest = fits;
    it->bare = true;
    if (*word_of(it) == '\0' && fits != told)
        fail_msg("%s: not seen in what the log says", change->text);
    it->digest = told;
    it->bare = false;
}

static void every_change_of_a_log_is_found(void **unused)
{
    (void)unused;
    for (int i = 0; i < TOLD; i++) {
        story it = told_as((enum told)i);
        sweep_entries(&(sweep_log){it.events, &it.count, sizeof it.events[0], event_fields,
                                   sizeof event_fields / sizeof event_fields[0], judge_event, &it});
        assert_string_equal(word_of(&it), "");
    }
}

static const sweep_field totals_fields[] = {SWEEP(pn_dag_totals, submitted),
                                            SWEEP(pn_dag_totals, dispatch.submitted),
                                            SWEEP(pn_dag_totals, dispatch.finished),
                                            SWEEP(pn_dag_totals, dispatch.launches),
                                            SWEEP(pn_dag_totals, dispatch.kills),
                                            SWEEP(pn_dag_totals, dispatch.lost),
                                            SWEEP(pn_dag_totals, dispatch.failures),
                                            SWEEP(pn_dag_totals, dispatch.cancelled),
                                            SWEEP(pn_dag_totals, first_arrival),
                                            SWEEP(pn_dag_totals, makespan),
                                            SWEEP(pn_dag_totals, dispatch.total_jct.low),
                                            SWEEP(pn_dag_totals, dispatch.total_jct.high),
                                            SWEEP(pn_dag_totals, slowdown_sum.low),
                                            SWEEP(pn_dag_totals, slowdown_sum.high),
                                            SWEEP(pn_dag_totals, dispatch.used[0].low),
                                            SWEEP(pn_dag_totals, dispatch.used[1].high),
                                            SWEEP(pn_dag_totals, dispatch.wasted[0].low),
                                            SWEEP(pn_dag_totals, dispatch.wasted[1].high)};
static const sweep_field row_fields[] = {SWEEP(pn_dag_record, path), SWEEP(pn_dag_record, alone),
                                         SWEEP(pn_dag_record, slowdown_permille),
                                         SWEEP(pn_dag_record, deadline_met)};
static const sweep_field core_fields[] = {
    SWEEP(pn_dispatch_record, id),          SWEEP(pn_dispatch_record, arrival),
    SWEEP(pn_dispatch_record, first_start), SWEEP(pn_dispatch_record, finish),
    SWEEP(pn_dispatch_record, deadline),    SWEEP(pn_dispatch_record, kills),
    SWEEP(pn_dispatch_record, lost),        SWEEP(pn_dispatch_record, queue),
    SWEEP(pn_dispatch_record, state),       SWEEP(pn_dispatch_record, stage_count)};
static const sweep_field times_fields[] = {SWEEP(pn_dispatch_times, ready),
                                           SWEEP(pn_dispatch_times, start),
                                           SWEEP(pn_dispatch_times, finish)};

static void judge_result(void *user, const sweep_change *change)
{
    story *it = user;
    bool other_kind = strcmp(change->field->name, "state") == 0 &&
                      it->cores[change->at].finish == PN_DISPATCH_NEVER &&
                      it->cores[change->at].state != PN_DISPATCH_FINISHED;
    if (*word_of(it) == '\0' && !other_kind)
        fail_msg("%s: not seen", change->text);
}

#define SWEEP_WITH(record, at, fields, judge, user) \
    sweep_record(record, at, fields, sizeof(fields) / sizeof((fields)[0]), judge, user)

static void every_change_of_a_result_is_found(void **unused)
{
    (void)unused;
    for (int i = 0; i < TOLD; i++) {
        story it = told_as((enum told)i);
        SWEEP_WITH(&it.totals, 0, totals_fields, judge_result, &it);
        for (size_t row = 0; row < JOBS; row++) {
            SWEEP_WITH(&it.rows[row], row, row_fields, judge_result, &it);
            SWEEP_WITH(&it.cores[row], row, core_fields, judge_result, &it);
            for (size_t s = 0; s < it.cores[row].stage_count; s++)
                SWEEP_WITH(&it.times[row][s], row, times_fields, judge_result, &it);
        }
        assert_string_equal(word_of(&it), "");
    }
}

/* ---- claims ---- */

/* Returns whether decisions may be right that the engine does not make with another value. */
static bool is_choice(const char *field)
{
    static const char *const choices[] = {"tick_ms", "dispatch.executors", "queue",
                                          "maximum", "capacity",           "demand"};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (strncmp(field, choices[i], strlen(choices[i])) == 0)
            return true;
    return false;
}

/* Returns whether the core has a bound of its own that means nothing to the checker: of demands
 * where nodes are executors, and of estimates. */
static bool is_of_core(const story *it, const char *field)
{
    return it->config.dispatch.executors != PN_DISPATCH_EXECUTORS_NONE ||
           strcmp(field, "start_ms") == 0 || strcmp(field, "duration") == 0;
}

/* A change of the claim: the checker takes it if the engine does, and refuses it if the engine
 * refuses the configuration, a job or a failure. It is content with what the engine does by the
 * changed claim; what was done before is right by it, too, only if that is the same, or in few
 * cases. */
static void judge_claim(void *user, const sweep_change *change)
{
    story *it = user, again = *it;
    it->claim.config = &it->config;
    const char *fault = pn_dag_check(&it->config);
    int runs = fault ? PN_ERR_ARGUMENT : run_story(&again);
    size_t size = pn_dag_verifier_size(&it->claim);
    if (size > ENOUGH)
        return;
    void *block = workload_room(size);
    pn_dag_verifier *v = NULL;
    int status = pn_dag_verifier_init(&v, block, size, &it->claim);
    free(block);
    if (fault && (size != 0 || status != PN_ERR_ARGUMENT))
        fail_msg("%s: taken, but \"%s\"", change->text, fault);
    if (runs < 0 && status == PN_OK && !is_of_core(it, change->field->name))
        fail_msg("%s: taken, but it does not run", change->text);
    if (runs == PN_DONE && status != PN_OK)
        fail_msg("%s: refused, but it runs", change->text);
    if (runs == PN_DONE && again.count < EVENTS && *word_of(&again) != '\0')
        fail_msg("%s: \"%s\", but it is what happens", change->text, word_of(&again));
    it->bare = true;
    bool same = runs == PN_DONE && again.digest == it->digest;
    if (status == PN_OK && !same && *word_of(it) == '\0' && !is_choice(change->field->name))
        fail_msg("%s: the log still passes", change->text);
    it->bare = false;
}

static const sweep_field config_fields[] = {SWEEP(pn_dag_config, struct_size),
                                            SWEEP(pn_dag_config, dispatch.struct_size),
                                            SWEEP_POINTS(pn_dag_config, dispatch.nodes),
                                            SWEEP(pn_dag_config, dispatch.resources),
                                            SWEEP_POINTS(pn_dag_config, dispatch.queues),
                                            SWEEP(pn_dag_config, dispatch.nodes_down),
                                            SWEEP(pn_dag_config, dispatch.nodes_absent),
                                            SWEEP(pn_dag_config, dispatch.running_most),
                                            SWEEP(pn_dag_config, dispatch.executors),
                                            SWEEP(pn_dag_config, seed),
                                            SWEEP(pn_dag_config, factor_lo),
                                            SWEEP(pn_dag_config, factor_hi),
                                            SWEEP(pn_dag_config, start_ms),
                                            SWEEP(pn_dag_config, tick_ms),
                                            SWEEP(pn_dag_config, max_time_ms),
                                            SWEEP(pn_dag_config, move_ms),
                                            SWEEP(pn_dag_config, fresh_ms)};

static const sweep_field node_fields[] = {
    SWEEP(pn_dispatch_nodes, capacity[0]), SWEEP(pn_dispatch_nodes, capacity[1]),
    SWEEP(pn_dispatch_nodes, capacity[2]), SWEEP(pn_dispatch_nodes, count),
    SWEEP(pn_dispatch_nodes, speed)};

static const sweep_field queue_fields[] = {SWEEP(pn_dispatch_queue, maximum)};

static const sweep_field job_fields[] = {
    SWEEP(pn_dag_job, arrival), SWEEP_POINTS(pn_dag_job, stages), SWEEP(pn_dag_job, queue)};

static const sweep_field stage_fields[] = {
    SWEEP(pn_dag_stage, demand[0]),        SWEEP(pn_dag_stage, demand[1]),
    SWEEP(pn_dag_stage, demand[2]),        SWEEP(pn_dag_stage, duration),
    SWEEP_POINTS(pn_dag_stage, durations), SWEEP_POINTS(pn_dag_stage, parents),
    SWEEP(pn_dag_stage, start_ms)};

static const sweep_field failure_fields[] = {
    SWEEP(pn_dag_failure, time), SWEEP(pn_dag_failure, recover), SWEEP(pn_dag_failure, node)};

static void configurations_are_taken_or_not(void **unused)
{
    (void)unused;
    for (int i = 0; i < TOLD; i++) {
        story it = told_as((enum told)i);
        pn_dispatch_nodes changed[] = {nodes[0], {{9, 9}, 1, 500}};
        pn_dispatch_queue narrowed[] = {{1, 0, 500, 0}, queues[1]};
        SWEEP_WITH(&it.config, 0, config_fields, judge_claim, &it);
        it.config.dispatch.nodes = changed;
        SWEEP_WITH(&changed[0], 0, node_fields, judge_claim, &it);
        if (i == USUAL) {
            it.config.dispatch.queues = narrowed;
            SWEEP_WITH(&narrowed[0], 0, queue_fields, judge_claim, &it);
        }
    }
}

static void jobs_and_failures_are_taken_or_not(void **unused)
{
    (void)unused;
    for (int i = 0; i < TOLD; i++) {
        story it = told_as((enum told)i);
        pn_dag_job changed[JOBS];
        pn_dag_stage stages[3];
        pn_dag_failure outage = failures[0];
        memcpy(changed, it.claim.jobs, sizeof changed);
        it.claim.jobs = changed;
        for (size_t k = 0; k < JOBS; k++)
            SWEEP_WITH(&changed[k], k, job_fields, judge_claim, &it);
        memcpy(stages, changed[2].stages, changed[2].stage_count * sizeof stages[0]);
        changed[2].stages = stages;
        for (size_t k = 0; k < changed[2].stage_count; k++)
            SWEEP_WITH(&stages[k], k, stage_fields, judge_claim, &it);
        it.claim.failures = &outage;
        SWEEP_WITH(&outage, 0, failure_fields, judge_claim, &it);
    }
}

/* ---- stopped runs ---- */

static void runs_may_be_stopped(void **unused)
{
    story it = told();
    pn_dag_verifier *v;
    uint64_t time, id;
    (void)unused;
    it.claim.config = &it.config;
    size_t size = pn_dag_verifier_size(&it.claim), fed = 0;
    void *block = workload_room(size);
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_OK);
    for (; it.events[fed].time < 45; fed++)
        assert_int_equal(pn_dag_verifier_feed(v, &it.events[fed]), PN_OK);
    assert_int_equal(pn_dag_verifier_stop(v, 45), PN_OK);
    assert_int_equal(pn_dag_verifier_feed(v, &it.events[fed]), PN_ERR_REJECTED);
    assert_string_equal(pn_dag_verifier_fault(v, &time, &id), "no time is so late");
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_OK);
    for (size_t i = 0; i < fed; i++)
        assert_int_equal(pn_dag_verifier_feed(v, &it.events[i]), PN_OK);
    assert_int_equal(pn_dag_verifier_stop(v, 2), PN_ERR_REJECTED);
    assert_string_equal(pn_dag_verifier_fault(v, NULL, NULL),
                        "the run continues after it was stopped");
    free(block);
}

/* Whenever a run is stopped, its log up to then is right, and not without its last entry. */
static void runs_may_be_stopped_at_any_time(void **unused)
{
    (void)unused;
    for (int i = 0; i < TOLD; i++) {
        const story whole = told_as((enum told)i);
        for (size_t at = 0; at < whole.count; at++) {
            story it = whole;
            if (at > 0 && it.events[at - 1].time == it.events[at].time)
                continue;
            it.bare = it.stopped = true;
            it.count = at;
            it.until = it.events[at].time;
            it.unfinished = JOBS;
            for (size_t k = 0; k < at; k++)
                it.unfinished -= it.events[k].event == PN_DISPATCH_JOB_FINISH;
            it.digest = digest_of(&it);
            assert_string_equal(word_of(&it), "");
            it.unfinished++;
            assert_string_equal(word_of(&it), "fewer jobs are unfinished than the log says");
            if (at == 0)
                continue;
            it.count--;
            it.unfinished = whole.unfinished;
            it.digest = digest_of(&it);
            assert_string_not_equal(word_of(&it), "");
        }
    }
}

static void stops_have_a_time(void **unused)
{
    story it = told();
    pn_dag_verifier *v;
    (void)unused;
    it.claim.config = &it.config;
    size_t size = pn_dag_verifier_size(&it.claim);
    void *block = workload_room(size);
    /* before anything happened, and the first job was not there */
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_OK);
    assert_int_equal(pn_dag_verifier_stop(v, 0), PN_OK);
    assert_int_equal(pn_dag_verifier_end(v, JOBS, NULL, 0), PN_OK);
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_OK);
    assert_int_equal(pn_dag_verifier_end(v, JOBS, NULL, 0), PN_ERR_REJECTED);
    assert_string_equal(pn_dag_verifier_fault(v, NULL, NULL),
                        "a node does not go down when it has to");
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_OK);
    assert_int_equal(pn_dag_verifier_stop(v, PN_INTEGER_MAX + 1), PN_ERR_REJECTED);
    assert_string_equal(pn_dag_verifier_fault(v, NULL, NULL),
                        "the run continues after it was stopped");
    free(block);
}

/* ---- what makes no sense ---- */

static void misuse_is_refused(void **unused)
{
    story it = told();
    pn_dag_verifier *v = NULL;
    (void)unused;
    it.claim.config = &it.config;
    size_t size = pn_dag_verifier_size(&it.claim);
    unsigned char *block = workload_room(size + 8);
    assert_int_equal(pn_dag_verifier_size(NULL), 0);
    assert_int_equal(pn_dag_verifier_init(NULL, block, size, &it.claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_init(&v, NULL, size, &it.claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_init(&v, block, size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_init(&v, block, size - 1, &it.claim), PN_ERR_SIZE);
    assert_int_equal(pn_dag_verifier_init(&v, block + 4, size, &it.claim), PN_ERR_ALIGN);
    assert_null(v);
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_OK);
    assert_int_equal(pn_dag_verifier_feed(NULL, &it.events[0]), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_feed(v, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_row(NULL, &it.rows[0]), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_row(v, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_stop(NULL, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_end(NULL, 0, NULL, 0), PN_ERR_ARGUMENT);
    it.events[0].struct_size = 1;
    assert_int_equal(pn_dag_verifier_feed(v, &it.events[0]), PN_ERR_ARGUMENT);
    it.rows[0].job = NULL;
    assert_int_equal(pn_dag_verifier_row(v, &it.rows[0]), PN_ERR_ARGUMENT);
    it.rows[0].job = &it.cores[0];
    it.cores[0].struct_size = 1;
    assert_int_equal(pn_dag_verifier_row(v, &it.rows[0]), PN_ERR_ARGUMENT);
    it.rows[0].struct_size = 1;
    assert_int_equal(pn_dag_verifier_row(v, &it.rows[0]), PN_ERR_ARGUMENT);
    assert_string_equal(pn_dag_verifier_fault(v, NULL, NULL), "");
    free(block);
}

/* Rows may lack the times of stages; jobs may lack. */
static void what_may_be_lacking(void **unused)
{
    pn_dag_verifier *v;
    story it = told();
    (void)unused;
    it.claim.config = &it.config;
    size_t size = pn_dag_verifier_size(&it.claim);
    void *block = workload_room(size);
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_OK);
    for (size_t i = 0; i < it.count; i++)
        assert_int_equal(pn_dag_verifier_feed(v, &it.events[i]), PN_OK);
    for (size_t i = 0; i < JOBS; i++) {
        it.rows[i].job = &it.cores[i];
        it.cores[i].stages = NULL;
        assert_int_equal(pn_dag_verifier_row(v, &it.rows[i]), PN_OK);
    }
    assert_int_equal(pn_dag_verifier_end(v, 0, &it.totals, it.digest), PN_OK);
    it.claim.job_count = 0;
    it.claim.failure_count = 0;
    it.count = it.row_count = 0;
    it.digest = 0;
    it.totals = (pn_dag_totals){.first_arrival = PN_DISPATCH_NEVER};
    assert_string_equal(word_of(&it), "");
    it.totals.first_arrival = 0;
    assert_string_equal(word_of(&it), "the totals have other times than the log");
    free(block);
}

static int taken(const pn_dag_claim *claim)
{
    size_t size = pn_dag_verifier_size(claim);
    void *block = workload_room(size > 0 ? size : 8);
    pn_dag_verifier *v;
    int status = pn_dag_verifier_init(&v, block, size, claim);
    free(block);
    return status;
}

static void claims_that_make_no_sense_are_refused(void **unused)
{
    static const pn_dag_job many[2] = {{.arrival = 1, .stages = wide, .stage_count = 1},
                                       {.arrival = 0, .stages = wide, .stage_count = 1}};
    story it = told();
    (void)unused;
    it.claim.config = &it.config;
    assert_int_equal(taken(&it.claim), PN_OK);
#define REFUSED(change, expected)                  \
    do {                                           \
        pn_dag_claim claim = it.claim;             \
        pn_dag_config config = it.config;          \
        claim.config = &config;                    \
        change;                                    \
        assert_int_equal(taken(&claim), expected); \
    } while (0)
    REFUSED(claim.struct_size = 1, PN_ERR_ARGUMENT);
    REFUSED(claim.config = NULL, PN_ERR_ARGUMENT);
    REFUSED(claim.preempts = 2, PN_ERR_ARGUMENT);
    REFUSED(claim.limits = 2, PN_ERR_ARGUMENT);
    REFUSED(claim.jobs = NULL, PN_ERR_ARGUMENT);
    REFUSED(claim.failures = NULL, PN_ERR_ARGUMENT);
    REFUSED((claim.failures = NULL, claim.failure_count = 0), PN_OK);
    REFUSED((claim.jobs = NULL, claim.job_count = 0), PN_OK);
    REFUSED(claim.job_count = UINT32_MAX, PN_ERR_ARGUMENT);
    REFUSED(config.dispatch.nodes_count = 0, PN_ERR_ARGUMENT);
    REFUSED(config.dispatch.queues_count = 0, PN_ERR_ARGUMENT);
    REFUSED(config.dispatch.queues_count = 4097, PN_ERR_ARGUMENT);
    REFUSED((claim.jobs = many, claim.job_count = 2), PN_ERR_JOB);
    REFUSED((claim.jobs = many, claim.job_count = 1), PN_OK);
#undef REFUSED
}

/* Stages of one job; the configuration has two resources and a node with 4 of each. */
static const uint32_t zero[] = {0}, one[] = {1}, two_of[] = {2}, twice[] = {0, 0}, both[] = {0, 1};
static const uint64_t too_long[] = {1, PN_DAG_MOST_MS + 1};
static const pn_dag_stage plain_stage = {.demand = {1, 1}, .duration = 5, .tasks = 1};

typedef struct odd_job {
    int expected;
    pn_dag_stage stage[3]; /* up to the first without tasks, but the first */
} odd_job;

#define STAGE(...)                                               \
    {                                                            \
        .demand = {1, 1}, .duration = 5, .tasks = 1, __VA_ARGS__ \
    }

static const odd_job odd_jobs[] = {
    {PN_OK, {STAGE(.start_ms = 0), STAGE(.parents = zero, .parent_count = 1)}},
    {PN_OK, {STAGE(.parents = one, .parent_count = 1), STAGE(.start_ms = 0)}}, /* forward */
    {PN_OK,
     {STAGE(.start_ms = 0), STAGE(.start_ms = 0), STAGE(.parents = both, .parent_count = 2)}},
    {PN_OK, {STAGE(.parents = zero, .parent_count = 0)}},
    {PN_ERR_JOB, {STAGE(.parents = NULL, .parent_count = 1)}},
    {PN_ERR_JOB, {STAGE(.parents = zero, .parent_count = 1)}}, /* itself */
    {PN_ERR_JOB, {STAGE(.start_ms = 0), STAGE(.parents = two_of, .parent_count = 1)}},
    {PN_ERR_JOB, {STAGE(.start_ms = 0), STAGE(.parents = twice, .parent_count = 2)}},
    {PN_ERR_JOB,
     {STAGE(.parents = one, .parent_count = 1), STAGE(.parents = zero, .parent_count = 1)}},
    {PN_ERR_JOB,
     {STAGE(.start_ms = 0), STAGE(.parents = two_of, .parent_count = 1),
      STAGE(.parents = one, .parent_count = 1)}},
    {PN_ERR_JOB, {{.demand = {1, 1}, .duration = 5}}},
    {PN_ERR_JOB, {{.demand = {1, 1}, .duration = 5, .tasks = PN_DISPATCH_TASKS_MOST + 1}}},
    {PN_OK, {{.demand = {1, 1}, .durations = too_long, .tasks = 1}}},
    {PN_ERR_JOB, {{.demand = {1, 1}, .durations = too_long, .tasks = 2}}},
    {PN_ERR_JOB, {{.demand = {0, 0}, .duration = 5, .tasks = 1}}},
    {PN_ERR_JOB, {{.demand = {5, 1}, .duration = 5, .tasks = 1}}},    /* fits nowhere */
    {PN_ERR_JOB, {{.demand = {1, 1, 1}, .duration = 5, .tasks = 1}}}, /* no such resource */
};

static void jobs_that_make_no_sense_are_refused(void **unused)
{
    story it = told();
    (void)unused;
    for (size_t i = 0; i < sizeof odd_jobs / sizeof odd_jobs[0]; i++) {
        const odd_job *odd = &odd_jobs[i];
        pn_dag_job job = {.stages = odd->stage, .stage_count = 1};
        while (job.stage_count < 3 && odd->stage[job.stage_count].tasks > 0)
            job.stage_count++;
        it.claim = (pn_dag_claim){.config = &it.config, .jobs = &job, .job_count = 1};
        if (taken(&it.claim) != odd->expected)
            fail_msg("job %zu: %d", i, taken(&it.claim));
        int runs = run_story(&it);
        if ((runs == PN_DONE) != (odd->expected == PN_OK))
            fail_msg("job %zu runs otherwise: %d", i, runs);
    }
    pn_dag_job job = {.stages = &plain_stage, .stage_count = 0};
    it.claim = (pn_dag_claim){.config = &it.config, .jobs = &job, .job_count = 1};
    assert_int_equal(taken(&it.claim), PN_ERR_JOB);
    job.stages = NULL;
    job.stage_count = PN_DISPATCH_STAGES_MOST + 1;
    assert_int_equal(taken(&it.claim), PN_ERR_JOB);
    job = (pn_dag_job){.struct_size = 1, .stages = &plain_stage, .stage_count = 1};
    assert_int_equal(taken(&it.claim), PN_ERR_ARGUMENT);
}

/* ---- large numbers ---- */

/* As slow as it goes: a stage may take longer than there is time, and so may stages one after the
 * other, and all work on the capacity that there is. */
static void work_has_bounds(void **unused)
{
    static const pn_dispatch_nodes large[] = {{{1, PN_DISPATCH_DEMAND_MOST}, 1, 1000}};
    static pn_dag_stage stages[300];
    static uint32_t before[300];
    story it = told();
    pn_dag_job job = {.stages = stages, .stage_count = 1};
    (void)unused;
    it.config.dispatch.nodes = large;
    it.config.dispatch.stages_max = 300;
    it.config.dispatch.edges_max = 300;
    it.claim = (pn_dag_claim){.config = &it.config, .jobs = &job, .job_count = 1};
#define BOUND(demand_, tasks_, duration_, factor_, count_, chained_, expected_) \
    do {                                                                        \
        for (uint32_t i = 0; i < (count_); i++) {                               \
            before[i] = i > 0 ? i - 1 : 0;                                      \
            stages[i] = (pn_dag_stage){.demand = {demand_},                     \
                                       .duration = (duration_),                 \
                                       .tasks = (tasks_),                       \
                                       .parents = &before[i],                   \
                                       .parent_count = (chained_) && i > 0};    \
        }                                                                       \
        job.stage_count = (count_);                                             \
        it.config.factor_lo = it.config.factor_hi = (factor_);                  \
        assert_int_equal(taken(&it.claim), expected_);                          \
    } while (0)
#define NONE_OF_THE_FIRST 0, PN_DISPATCH_DEMAND_MOST
    BOUND(1, 1, PN_DAG_MOST_MS, 1000, 1, 0, PN_OK);
    BOUND(1, 1, PN_DAG_MOST_MS, 1000000, 1, 0, PN_OK);      /* 2^50 ms */
    BOUND(1, 1, PN_DAG_MOST_MS, 1000000, 8, 1, PN_OK);      /* one after the other */
    BOUND(1, 1, PN_DAG_MOST_MS, 1000000, 9, 1, PN_ERR_JOB); /* above 2^53 */
    BOUND(1, 8, PN_DAG_MOST_MS, 1000000, 1, 0, PN_OK);      /* on a capacity of 1 */
    BOUND(1, 9, PN_DAG_MOST_MS, 1000000, 1, 0, PN_ERR_JOB);
    BOUND(1, 1 << 13, PN_DAG_MOST_MS, 1000000, 1, 0, PN_ERR_JOB); /* 2^62 */
    BOUND(NONE_OF_THE_FIRST, 1 << 20, PN_DAG_MOST_MS, 1000000, 1, 0, PN_ERR_JOB);
#undef BOUND
}

/* More stages or edges than can be told apart, and more failures than there is room for. */
static void numbers_do_not_run_over(void **unused)
{
    pn_dag_stage stages[] = {plain_stage};
    uint64_t room[8];
    pn_dag_verifier *v;
    story it = told();
    pn_dag_job job = {.stages = NULL, .stage_count = UINT32_MAX - 1};
    (void)unused;
    it.claim = (pn_dag_claim){.config = &it.config, .jobs = &job, .job_count = 1};
    assert_true(pn_dag_verifier_size(&it.claim) > 0 || sizeof(size_t) < 8);
    job.stage_count = UINT32_MAX;
    assert_int_equal(pn_dag_verifier_size(&it.claim), 0);
    job = (pn_dag_job){.stages = stages, .stage_count = 1};
    stages[0].parent_count = UINT32_MAX - 1;
    assert_true(pn_dag_verifier_size(&it.claim) > 0 || sizeof(size_t) < 8);
    stages[0].parent_count = UINT32_MAX;
    assert_int_equal(pn_dag_verifier_size(&it.claim), 0);
    stages[0].parent_count = 0;
    it.claim.failures = failures;
    it.claim.failure_count = SIZE_MAX;
    assert_int_equal(pn_dag_verifier_size(&it.claim), 0);
    assert_int_equal(pn_dag_verifier_init(&v, room, sizeof room, &it.claim), PN_ERR_CONFIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_is_content),
        cmocka_unit_test(wrong_names_are_found),
        cmocka_unit_test(wrong_times_are_found),
        cmocka_unit_test(wrong_ends_are_found),
        cmocka_unit_test(wrong_starts_are_found),
        cmocka_unit_test(wrong_moves_are_found),
        cmocka_unit_test(waiting_tasks_are_found),
        cmocka_unit_test(wrong_ends_of_runs_are_found),
        cmocka_unit_test(wrong_rows_are_found),
        cmocka_unit_test(wrong_totals_are_found),
        cmocka_unit_test(every_change_of_a_log_is_found),
        cmocka_unit_test(every_change_of_a_result_is_found),
        cmocka_unit_test(configurations_are_taken_or_not),
        cmocka_unit_test(jobs_and_failures_are_taken_or_not),
        cmocka_unit_test(runs_may_be_stopped),
        cmocka_unit_test(runs_may_be_stopped_at_any_time),
        cmocka_unit_test(stops_have_a_time),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(what_may_be_lacking),
        cmocka_unit_test(claims_that_make_no_sense_are_refused),
        cmocka_unit_test(jobs_that_make_no_sense_are_refused),
        cmocka_unit_test(work_has_bounds),
        cmocka_unit_test(numbers_do_not_run_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
