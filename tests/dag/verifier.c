/* The checker of the dag model: it is content with what the kernel says, and finds every way in
 * which a log, a row or the totals can be wrong. Each wrong one is a right one with one change. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/workload.h"

enum { EVENTS = 200, ROWS = 8, JOBS = 4 };

/* ---- a run that has everything ---- */

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

typedef struct story {
    pn_dag_config config;
    pn_dag_claim claim;
    pn_dispatch_event events[EVENTS];
    size_t count;
    pn_dag_record rows[ROWS];
    pn_dispatch_record cores[ROWS];
    pn_dispatch_times times[ROWS][2];
    size_t row_count;
    pn_dag_totals totals;
    uint64_t digest, unfinished;
} story;

static void on_event(void *user, const pn_dispatch_event *event)
{
    story *to = user;
    assert_true(to->count < EVENTS);
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

static story told(void)
{
    static const double preempt[] = {1};
    story made = {.config = pn_dag_defaults()};
    const pn_dag_hooks hooks = {.policy = pn_dispatch_capacity_queues(),
                                .params = preempt,
                                .on_event = on_event,
                                .on_finish = on_finish,
                                .user = &made};
    pn_dag *sim;
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
    size_t size = pn_dag_size(&made.config);
    void *block = workload_room(size);
    assert_int_equal(pn_dag_init(&sim, block, size, &made.config), PN_OK);
    for (uint32_t i = 0; i < JOBS; i++)
        assert_int_equal(pn_dag_submit(sim, &jobs[i], NULL), PN_OK);
    assert_int_equal(pn_dag_fail(sim, 30, 1, 50), PN_OK);
    assert_int_equal(pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    pn_dag_totals_get(sim, &made.totals);
    made.digest = pn_dag_digest(sim);
    free(block);
    return made;
}

/* ---- judging ---- */

static int judge(story *it, pn_dag_verifier *v)
{
    int status = PN_OK;
    for (size_t i = 0; i < it->count && status == PN_OK; i++)
        status = pn_dag_verifier_feed(v, &it->events[i]);
    for (size_t i = 0; i < it->row_count && status == PN_OK; i++)
        status = pn_dag_verifier_row(v, &it->rows[i]);
    return status == PN_OK ? pn_dag_verifier_end(v, it->unfinished, &it->totals, it->digest)
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
    story it = told();
    (void)unused;
    assert_string_equal(word_of(&it), "");
    assert_true(it.totals.dispatch.kills > 0 && it.totals.dispatch.lost > 0 &&
                it.row_count == JOBS);
}

#define WRONG(change, word)                      \
    do {                                         \
        story it = told();                       \
        pn_dispatch_event *e = NULL;             \
        (void)e;                                 \
        change;                                  \
        assert_string_equal(word_of(&it), word); \
    } while (0)

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

/* ---- stopped runs, and claims ---- */

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

static void claims_that_make_no_sense_are_refused(void **unused)
{
    static const uint32_t itself[] = {0};
    static const pn_dag_stage circle[] = {
        {.demand = {1}, .tasks = 1, .parents = itself, .parent_count = 1}};
    static const pn_dag_job round = {.stages = circle, .stage_count = 1};
    story it = told();
    pn_dag_verifier *v;
    (void)unused;
    it.claim.config = &it.config;
    size_t size = pn_dag_verifier_size(&it.claim);
    void *block = workload_room(size);
    assert_int_equal(pn_dag_verifier_init(&v, block, size - 1, &it.claim), PN_ERR_SIZE);
    assert_int_equal(pn_dag_verifier_init(&v, NULL, size, &it.claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_verifier_size(NULL), 0);
    it.claim.preempts = 2;
    assert_int_equal(pn_dag_verifier_size(&it.claim), 0);
    it.claim.preempts = 1;
    it.claim.failures = &(pn_dag_failure){.time = 5, .recover = 5};
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_ERR_ARGUMENT);
    it.claim.failures = failures;
    it.claim.jobs = &round;
    it.claim.job_count = 1;
    assert_int_equal(pn_dag_verifier_init(&v, block, size, &it.claim), PN_ERR_JOB);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_is_content),
        cmocka_unit_test(wrong_names_are_found),
        cmocka_unit_test(wrong_times_are_found),
        cmocka_unit_test(wrong_ends_are_found),
        cmocka_unit_test(wrong_starts_are_found),
        cmocka_unit_test(wrong_ends_of_runs_are_found),
        cmocka_unit_test(wrong_rows_are_found),
        cmocka_unit_test(wrong_totals_are_found),
        cmocka_unit_test(runs_may_be_stopped),
        cmocka_unit_test(claims_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
