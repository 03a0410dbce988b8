/* What goes wrong changes nothing: tables that are too small by one, by two, … and policies that
 * give up, in any of their functions at every call, by what they return or by pn_scheduler_give_up.
 * Then the very call that was made says so, the policy is asked no more, and all that was decided
 * before stands. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"
#include "support/kept.h"

enum { JOBS = 8 };

static const cluster_shape usual = {
    .gap_ms = 900, .maps = 4, .reduces = 2, .task_ms = 900, .listed = 1, .nodes = CLUSTER_NODES};

/* ---- tables ---- */

static uint32_t *jobs_max(pn_cluster_config *config)
{
    return &config->scheduler.jobs_max;
}

static uint32_t *tasks_max(pn_cluster_config *config)
{
    return &config->scheduler.tasks_max;
}

static uint32_t *replicas_max(pn_cluster_config *config)
{
    return &config->scheduler.replicas_max;
}

static uint32_t *values_max(pn_cluster_config *config)
{
    return &config->values_max;
}

static uint32_t *failures_max(pn_cluster_config *config)
{
    return &config->failures_max;
}

/* Hands over everything, and keeps an eye on the block when that is refused. */
static int submit_all(pn_cluster *sim, const cluster_workload *work)
{
    for (uint32_t i = 0; i < CLUSTER_FAILURES; i++) {
        kept before = keep(sim, pn_cluster_block_size(sim));
        int status = pn_cluster_fail(sim, cluster_failures[i].time, cluster_failures[i].node,
                                     cluster_failures[i].recover);
        if (status != PN_OK) {
            check_unchanged(&before);
            return status;
        }
        free(before.bytes);
    }
    for (size_t i = 0; i < work->count; i++) {
        kept before = keep(sim, pn_cluster_block_size(sim));
        int status = cluster_submit(sim, work, i, i + 1);
        if (status != PN_OK) {
            check_unchanged(&before);
            return status;
        }
        free(before.bytes);
    }
    return PN_OK;
}

/* With room for 0, 1, 2, … of something, until there is enough: no more is needed than what totals
 * say was held, and how much room there is does not matter otherwise. */
static void check_room(const cluster_workload *work, const pn_cluster_config *roomy,
                       uint32_t *(*table)(pn_cluster_config *), uint32_t held, uint64_t digest)
{
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_fair()};
    for (uint32_t room = 0; room <= held + 1; room++) {
        pn_cluster_config config = *roomy;
        *table(&config) = room;
        if (pn_cluster_check(&config)) {
            assert_int_equal(room, 0);
            continue;
        }
        if (room == 0 && (table == tasks_max || table == replicas_max))
            continue; /* that is the default, and enough */
        size_t size = pn_cluster_size(&config);
        void *block = workload_room(size);
        pn_cluster *sim = NULL;
        assert_int_equal(pn_cluster_init(&sim, block, size - 1, &config), PN_ERR_SIZE);
        assert_int_equal(pn_cluster_init(&sim, block, size, &config), PN_OK);
        int status = submit_all(sim, work);
        assert_int_equal(status, room < held ? PN_ERR_FULL : PN_OK);
        assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
        assert_true(status == PN_ERR_FULL || pn_cluster_digest(sim) == digest);
        free(block);
    }
}

static void tables_too_small_refuse_and_nothing_else(void **unused)
{
    cluster_workload work = cluster_new(JOBS, 41, usual);
    pn_cluster_config config = cluster_config(&work, &cluster_options[3]);
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_fair()};
    (void)unused;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(submit_all(sim, &work), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    pn_cluster_totals totals = cluster_totals(sim);
    uint64_t digest = pn_cluster_digest(sim);
    free(sim);
    assert_int_equal(totals.jobs_held_max, JOBS);
    assert_int_equal(totals.tasks_held_max, work.tasks);
    check_room(&work, &config, jobs_max, totals.jobs_held_max, digest);
    check_room(&work, &config, tasks_max, totals.tasks_held_max, digest);
    check_room(&work, &config, replicas_max, totals.replicas_held_max, digest);
    check_room(&work, &config, values_max, totals.values_held_max, digest);
    check_room(&work, &config, failures_max, CLUSTER_FAILURES, digest);
    cluster_free(&work);
}

/* ---- policies that give up ---- */

enum call { INIT, ARRIVE, LEAVE, ELAPSE, PLAN, PREEMPT, PICK, KEY, ADMIT, CALLS };

typedef struct trouble {
    cluster_log log;
    enum call call;
    unsigned at;  /* this call of `call` fails; 0 = none */
    bool returns; /* the status is returned, not told by pn_scheduler_give_up */
    int status;
    unsigned called[CALLS];
    bool failed;
} trouble;

/* Counts a call; what a function that can return a status is to return. */
static int count(const pn_scheduler_view *view, enum call call)
{
    trouble *t = pn_scheduler_user(view);
    assert_false(t->failed); /* who has given up is asked no more */
    if (++t->called[call] != t->at || call != t->call)
        return PN_OK;
    t->failed = true;
    if (t->returns)
        return t->status;
    pn_scheduler_give_up(view, t->status);
    pn_scheduler_give_up(view, PN_ERR_BUSY); /* the first one counts */
    return PN_OK;
}

static int failing_init(pn_scheduler_view *view)
{
    return count(view, INIT);
}

static int failing_arrive(pn_scheduler_view *view, uint32_t job)
{
    (void)job;
    return count(view, ARRIVE);
}

/* Before it knows, or after. */
static int failing_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    const trouble *t = pn_scheduler_user(view);
    int status = t->at % 2 ? count(view, ADMIT) : PN_OK;
    if (!t->failed)
        assert_int_equal(pn_scheduler_foresee(view, job, answer), PN_OK);
    return t->at % 2 ? status : count(view, ADMIT);
}

static void failing_leave(pn_scheduler_view *view, uint32_t job)
{
    (void)job;
    count(view, LEAVE);
}

static int failing_elapse(pn_scheduler_view *view, uint64_t ms)
{
    assert_true(ms > 0);
    return count(view, ELAPSE);
}

static int failing_plan(pn_scheduler_view *view, uint32_t reason)
{
    assert_in_range(reason, PN_SCHEDULER_ON_ARRIVAL, PN_SCHEDULER_ON_FINISH);
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        pn_scheduler_weigh(view, job, pn_scheduler_id(view, job));
    return count(view, PLAN);
}

static int failing_preempt(pn_scheduler_view *view, uint32_t kind)
{
    const trouble *t = pn_scheduler_user(view);
    uint32_t first = pn_scheduler_first(view, kind);
    uint32_t last = pn_scheduler_next(view, PN_NO_JOB);
    bool late = t->at % 2 == 0; /* it has killed before it gives up */
    int status = late ? PN_OK : count(view, PREEMPT);
    if (!t->failed && first != PN_NO_JOB && last != first)
        assert_int_equal(pn_scheduler_kill(view, last, kind, 1, NULL), PN_OK);
    return late && !t->failed ? count(view, PREEMPT) : status;
}

static int failing_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    assert_true(pn_scheduler_node_free(view, node, kind) > 0);
    *job = pn_scheduler_first(view, kind);
    return count(view, PICK);
}

static void failing_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    count(view, KEY);
    key->word[0] = pn_scheduler_unfinished(view, job, kind);
}

/* By keys, by shares, by picking, by promises. */
enum { KEYED, TIMED, SHARING, PICKING, PROMISING, FORMS };

static pn_scheduler_policy in_form(int form)
{
    pn_scheduler_policy policy = {.name = "failing",
                                  .order = {.keys = PN_SCHEDULER_KEYS_SERVED, .elapses = 1},
                                  .key = failing_key,
                                  .init = failing_init,
                                  .arrive = failing_arrive,
                                  .leave = failing_leave,
                                  .elapse = failing_elapse};
    if (form == TIMED)
        policy.order = (pn_scheduler_order){
            .keys = PN_SCHEDULER_KEYS_TIMED, .delays = 1, .elapses = 1};
    if (form == SHARING) {
        policy.order = (pn_scheduler_order){.keys = PN_SCHEDULER_KEYS_PLANNED,
                                            .shares = PN_SCHEDULER_SHARES_CONSERVING,
                                            .colocates = 1,
                                            .estimates = 1};
        policy.plan = failing_plan;
        policy.preempt = failing_preempt;
    }
    if (form == PICKING)
        policy.pick = failing_pick;
    if (form == PROMISING) {
        policy.order = (pn_scheduler_order){.started_first = 1, .elapses = 1};
        policy.admission = (pn_scheduler_admission){.finishes = PN_SCHEDULER_FINISHES_FORECAST,
                                                    .maps_first = 1,
                                                    .reserve = PN_SCHEDULER_RESERVE_ALL};
        policy.admit = failing_admit;
    }
    return policy;
}

static bool called_in(int form, enum call call)
{
    if (call == PICK || call == ADMIT)
        return form == (call == PICK ? PICKING : PROMISING);
    return call == PLAN || call == PREEMPT ? form == SHARING : call != ELAPSE || form != SHARING;
}

static void check_over(pn_cluster *sim, const pn_cluster_hooks *hooks, const trouble *t)
{
    size_t size = pn_cluster_block_size(sim);
    kept before = keep(sim, size);
    size_t told = t->log.count;
    pn_cluster *copy;
    pn_cluster_totals totals = cluster_totals(sim);
    assert_true(pn_cluster_digest(sim) == cluster_log_digest(&t->log));
    assert_true(totals.scheduler.finished + totals.scheduler.failed + totals.scheduler.in_system <=
                totals.submitted);
    assert_int_equal(pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, UINT64_MAX), t->status);
    assert_int_equal(pn_cluster_run(sim, hooks, totals.time, UINT64_MAX), t->status);
    assert_int_equal(pn_cluster_step(sim, hooks), t->status);
    assert_int_equal(pn_cluster_open(&copy, before.bytes, size), PN_OK);
    assert_int_equal(pn_cluster_step(copy, hooks), t->status); /* copies have failed too */
    check_unchanged(&before);
    assert_int_equal(t->log.count, told);
}

/* What was decided before is a log without an end. */
static void check_log(const trouble *t, const pn_cluster_claim *claim)
{
    size_t size = pn_cluster_verifier_size(claim);
    void *block = workload_room(size);
    pn_cluster_verifier *verifier;
    assert_int_equal(pn_cluster_verifier_init(&verifier, block, size, claim), PN_OK);
    for (size_t i = 0; i < t->log.count; i++)
        if (pn_cluster_verifier_feed(verifier, &t->log.entry[i]) != PN_OK)
            fail_msg("%s", pn_cluster_verifier_fault(verifier, NULL, NULL));
    free(block);
}

/* To the end or to the failure; false when it did not come to one. */
static bool run_with_failure(const cluster_workload *work, const pn_scheduler_policy *policy,
                             const pn_cluster_config *config, trouble *t, bool stepping)
{
    const pn_cluster_hooks hooks = {.policy = policy, .on_event = cluster_log_event, .user = t};
    const pn_cluster_claim claim = cluster_claim(work, config, policy);
    pn_cluster *sim = cluster_sim(config);
    int status;
    t->log.count = 0;
    memset(t->called, 0, sizeof t->called);
    t->failed = false;
    assert_int_equal(cluster_submit(sim, work, 0, work->count), PN_OK);
    assert_int_equal(cluster_announce(sim, config), PN_OK);
    do {
        status = stepping ? pn_cluster_step(sim, &hooks)
                          : pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
        assert_int_equal(status < 0, t->failed); /* said by the very call in which it happened */
    } while (status == PN_OK);
    assert_int_equal(status, t->failed ? t->status : PN_DONE);
    if (t->failed)
        check_over(sim, &hooks, t);
    check_log(t, &claim);
    free(sim);
    return t->failed;
}

static bool returns_a_status(enum call call)
{
    return call != LEAVE && call != KEY;
}

static void giving_up_ends_a_run_and_nothing_else(void **unused)
{
    (void)unused;
    for (int form = 0; form < FORMS; form++)
        for (int call = 0; call < CALLS; call++)
            for (int returns = 0; returns <= returns_a_status((enum call)call); returns++) {
                pn_scheduler_policy policy = in_form(form);
                cluster_workload work = cluster_new(4, 42, usual);
                pn_cluster_config config = cluster_config(
                    &work, &cluster_options[form == SHARING ? 4 : 3]);
                config.scheduler.policy = &policy;
                trouble t = {.call = (enum call)call, .at = 1, .returns = returns};
                t.status = call % 2 ? PN_ERR_STOPPED : -1000;
                while (run_with_failure(&work, &policy, &config, &t, t.at % 3 == 1))
                    t.at++;
                assert_true(called_in(form, (enum call)call) ? t.at > (call == INIT ? 1 : 3)
                                                             : t.at == 1);
                cluster_log_free(&t.log);
                cluster_free(&work);
            }
}

/* ---- answers that are none ---- */

enum { NOBODY_THERE, NOTHING_PENDING, NEVER_MIND };

static int picking_wrongly(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    const int *how = pn_scheduler_user(view);
    (void)node;
    uint32_t first = pn_scheduler_next(view, PN_NO_JOB);
    *job = *how == NOBODY_THERE ? pn_scheduler_jobs_max(view) + 7 : PN_NO_JOB;
    if (*how == NOTHING_PENDING)
        *job = first != PN_NO_JOB && pn_scheduler_pending(view, first, kind) == 0
                   ? first
                   : pn_scheduler_first(view, kind);
    return PN_OK;
}

static void picks_must_be_possible(void **unused)
{
    const pn_scheduler_policy policy = {.name = "picking", .pick = picking_wrongly};
    cluster_workload work = cluster_new(4, 43, usual);
    pn_cluster_config config = cluster_config(&work, &cluster_options[0]);
    (void)unused;
    for (int how = NOBODY_THERE; how <= NEVER_MIND; how++) {
        const pn_cluster_hooks hooks = {.policy = &policy, .user = &how};
        pn_cluster *sim = cluster_sim(&config);
        assert_int_equal(cluster_submit(sim, &work, 0, work.count), PN_OK);
        int status = pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
        assert_int_equal(status, how == NEVER_MIND ? PN_DONE : PN_ERR_INFEASIBLE);
        assert_true(how != NEVER_MIND || cluster_totals(sim).unfinished == work.count);
        assert_true(cluster_totals(sim).scheduler.finished == 0 || how == NOTHING_PENDING);
        free(sim);
    }
    cluster_free(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_too_small_refuse_and_nothing_else),
        cmocka_unit_test(giving_up_ends_a_run_and_nothing_else),
        cmocka_unit_test(picks_must_be_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
