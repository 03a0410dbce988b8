/* Policies of the dispatch core that give up, in any of their functions at every call, by what they
 * return or by pn_dispatch_give_up: the very call that was made says so, the policy is asked no
 * more, and all that was decided before stands. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dag/support/workload.h"
#include "support/kept.h"

enum { JOBS = 5, EVENTS = 4000 };

enum call { INIT, ARRIVE, LEAVE, KEY, QUEUE_KEY, SCORE, ALIGN, PREEMPT, CALLS };

typedef struct trouble {
    pn_dispatch_event events[EVENTS];
    size_t told;
    enum call call;
    unsigned at;  /* this call of `call` fails; 0 = none */
    bool returns; /* the status is returned, not told by pn_dispatch_give_up */
    int status;
    unsigned called[CALLS];
    bool failed;
} trouble;

/* Counts a call. Returns what a function that can return a status is to return. */
static int count(const pn_dispatch_view *view, enum call call)
{
    trouble *t = pn_dispatch_user(view);
    assert_false(t->failed); /* who has given up is asked no more */
    if (++t->called[call] != t->at || call != t->call)
        return PN_OK;
    t->failed = true;
    if (t->returns)
        return t->status;
    pn_dispatch_give_up(view, t->status);
    pn_dispatch_give_up(view, PN_ERR_BUSY); /* the first one counts */
    return PN_OK;
}

static int failing_init(pn_dispatch_view *view)
{
    return count(view, INIT);
}

static int failing_arrive(pn_dispatch_view *view, uint32_t job)
{
    (void)job;
    return count(view, ARRIVE);
}

static void failing_leave(pn_dispatch_view *view, uint32_t job)
{
    (void)job;
    count(view, LEAVE);
}

static void failing_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    count(view, KEY);
    key->word[0] = pn_dispatch_order_get(view).packs ? 0 : pn_dispatch_id(view, job) % 3;
    key->word[1] = 1 + pn_dispatch_id(view, job);
}

static void failing_queue_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    count(view, QUEUE_KEY);
    key->word[0] = queue;
}

static uint64_t failing_score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    (void)stage;
    count(view, SCORE);
    return node % 4;
}

static uint64_t failing_align(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    (void)stage;
    count(view, ALIGN);
    return 1 + node;
}

/* Kills what runs on the first node once, before it gives up or after. */
static int failing_preempt(pn_dispatch_view *view)
{
    const trouble *t = pn_dispatch_user(view);
    uint32_t place = pn_dispatch_next_on_node(view, 0, PN_DISPATCH_NO_ATTEMPT);
    bool late = t->at % 2 == 0;
    int status = late ? PN_OK : count(view, PREEMPT);
    if (!t->failed && place != PN_DISPATCH_NO_ATTEMPT && t->called[PREEMPT] < 3)
        assert_int_equal(pn_dispatch_kill(view, place), PN_OK);
    return late && !t->failed ? count(view, PREEMPT) : status;
}

/* By keys and scores, by queues, by what suits nodes, with kills. */
enum { KEYED, QUEUED, PACKING, KILLING, FORMS };

static pn_dispatch_policy in_form(int form)
{
    pn_dispatch_policy policy = {.name = "failing",
                                 .order = {.keys = PN_DISPATCH_KEYS_SERVED},
                                 .key = failing_key,
                                 .init = failing_init,
                                 .arrive = failing_arrive,
                                 .leave = failing_leave};
    if (form == KEYED)
        policy.score = failing_score;
    if (form == QUEUED) {
        policy.order = (pn_dispatch_order){.by_queue = 1, .limits = 1};
        policy.key = NULL;
        policy.queue_key = failing_queue_key;
    }
    if (form == PACKING) {
        policy.order.packs = 1;
        policy.align = failing_align;
    }
    if (form == KILLING) {
        policy.order.preempts = 1;
        policy.preempt = failing_preempt;
    }
    return policy;
}

static bool called_in(int form, enum call call)
{
    switch (call) {
    case KEY:
        return form != QUEUED;
    case QUEUE_KEY:
        return form == QUEUED;
    case SCORE:
        return form == KEYED;
    case ALIGN:
        return form == PACKING;
    case PREEMPT:
        return form == KILLING;
    default:
        return true;
    }
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    trouble *t = user;
    assert_true(t->told < EVENTS);
    t->events[t->told++] = *event;
}

/* Checks that nothing goes on, here or in a copy. */
static void check_over(pn_dag *sim, const pn_dag_hooks *hooks, const trouble *t)
{
    kept before = keep(sim, pn_dag_block_size(sim));
    size_t told = t->told;
    pn_dag *copy;
    pn_dag_totals totals;
    pn_dag_totals_get(sim, &totals);
    assert_int_equal(pn_dag_run(sim, hooks, PN_DAG_FOREVER, UINT64_MAX), t->status);
    assert_int_equal(pn_dag_run(sim, hooks, totals.dispatch.time, UINT64_MAX), t->status);
    assert_int_equal(pn_dag_open(&copy, before.bytes, pn_dag_block_size(sim)), PN_OK);
    assert_int_equal(pn_dag_run(copy, hooks, PN_DAG_FOREVER, UINT64_MAX), t->status);
    check_unchanged(&before);
    assert_int_equal(t->told, told);
}

/* Checks that what was decided before is the beginning of a log. */
static void check_log(const trouble *t, const dag_workload *work, const pn_dag_config *config,
                      const pn_dispatch_policy *policy)
{
    const pn_dag_claim claim = {.config = config,
                                .preempts = policy->order.preempts,
                                .limits = policy->order.limits,
                                .jobs = work->jobs,
                                .job_count = (uint32_t)work->count,
                                .failures = dag_failures,
                                .failure_count = config->failures_max};
    size_t size = pn_dag_verifier_size(&claim);
    void *block = workload_room(size);
    pn_dag_verifier *verifier;
    assert_int_equal(pn_dag_verifier_init(&verifier, block, size, &claim), PN_OK);
    for (size_t i = 0; i < t->told; i++)
        if (pn_dag_verifier_feed(verifier, &t->events[i]) != PN_OK)
            fail_msg("%s", pn_dag_verifier_fault(verifier, NULL, NULL));
    free(block);
}

/* Runs to the end or to the failure; returns whether it came to one. */
static bool run_with_failure(const dag_workload *work, const pn_dag_config *config, trouble *t,
                             bool stepping)
{
    const pn_dag_hooks hooks = {.policy = config->dispatch.policy, .on_event = on_event, .user = t};
    size_t size = pn_dag_size(config);
    pn_dag *sim;
    int status = pn_dag_init(&sim, workload_room(size), size, config);
    t->told = 0;
    memset(t->called, 0, sizeof t->called);
    t->failed = false;
    for (uint32_t i = 0; status == PN_OK && i < config->failures_max; i++)
        status = pn_dag_fail(sim, dag_failures[i].time, dag_failures[i].node,
                             dag_failures[i].recover);
    for (size_t i = 0; status == PN_OK && i < work->count; i++)
        status = pn_dag_submit(sim, &work->jobs[i], NULL);
    assert_int_equal(status, PN_OK);
    do {
        status = pn_dag_run(sim, &hooks, PN_DAG_FOREVER, stepping ? 1 : UINT64_MAX);
        assert_int_equal(status < 0, t->failed); /* said by the very call in which it happened */
    } while (status == PN_PAUSED);
    assert_int_equal(status, t->failed ? t->status : PN_DONE);
    if (t->failed)
        check_over(sim, &hooks, t);
    check_log(t, work, config, config->dispatch.policy);
    free(sim);
    return t->failed;
}

static bool returns_a_status(enum call call)
{
    return call == INIT || call == ARRIVE || call == PREEMPT;
}

static void giving_up_ends_a_run_and_nothing_else(void **unused)
{
    static trouble t;
    (void)unused;
    for (int form = 0; form < FORMS; form++)
        for (int call = 0; call < CALLS; call++)
            for (int returns = 0; returns <= returns_a_status((enum call)call); returns++) {
                pn_dispatch_policy policy = in_form(form);
                dag_workload work = dag_new(JOBS, 42, 4000);
                pn_dag_config config = dag_config(&work, &dag_options[1], &policy);
                config.tick_ms = 5000;
                t = (trouble){.call = (enum call)call, .at = 1, .returns = returns};
                t.status = call % 2 ? PN_ERR_STOPPED : -1000;
                while (run_with_failure(&work, &config, &t, t.at % 3 == 1))
                    t.at++;
                assert_true(called_in(form, (enum call)call) ? t.at > (call == INIT ? 1 : JOBS)
                                                             : t.at == 1);
                dag_free(&work);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(giving_up_ends_a_run_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
