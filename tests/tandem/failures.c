/* Policies that fail, in any of their functions at any call, by what they return or by
 * pn_tandem_fail: the very call that was made says so, the policy is asked no more, and all that
 * was decided before stands. And everything that a policy may ask for in vain. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "tandem/support/workload.h"

enum { JOBS = 14 };

static const tandem_shape crowded = {.rate = 0.8, .map = 1, .shuffle = 1, .odd = 1};

/* ---- a policy that fails ---- */

enum call { INIT, ARRIVE, FINISH, ACT, WAKE, KEY, MEMBER, CALLS };

typedef struct trouble {
    tandem_log log;
    enum call call;
    unsigned at;  /* this call of `call` fails; 0 = none */
    bool returns; /* the status is returned, not told by pn_tandem_fail */
    int status;
    unsigned called[CALLS];
    bool failed;
} trouble;

/* Counts a call; what a function that can return a status is to return. */
static int count(const pn_tandem_view *view, enum call call)
{
    trouble *t = pn_tandem_user(view);
    assert_false(t->failed); /* who has failed is asked no more */
    if (++t->called[call] != t->at || call != t->call)
        return PN_OK;
    t->failed = true;
    if (t->returns)
        return t->status;
    pn_tandem_fail(view, t->status);
    pn_tandem_fail(view, PN_ERR_BUSY); /* the first one counts */
    return PN_OK;
}

static int failing_init(pn_tandem_view *view)
{
    return count(view, INIT);
}

static int failing_arrive(pn_tandem_view *view, uint32_t job)
{
    (void)job;
    return count(view, ARRIVE);
}

static void failing_finish(pn_tandem_view *view, uint32_t job)
{
    (void)job;
    count(view, FINISH);
}

static int failing_member(const pn_tandem_view *view, uint32_t job)
{
    (void)job;
    count(view, MEMBER);
    return 1;
}

static void failing_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    count(view, KEY);
    key->word[0] = pn_key_double(pn_tandem_longest_left(view, job));
}

static double failing_wake(const pn_tandem_view *view)
{
    const trouble *t = pn_tandem_user(view);
    int status = count(view, WAKE);
    if (status != PN_OK)
        return NAN;
    return t->called[WAKE] % 3 == 0 ? 0.25 : PN_TANDEM_NEVER;
}

enum { MAPS, SHUFFLES };

static int failing_act(pn_tandem_view *view)
{
    const trouble *t = pn_tandem_user(view);
    bool late = t->at % 2 == 0; /* it has given before it fails */
    int status = late ? PN_OK : count(view, ACT);
    if (t->failed)
        return status;
    status = pn_tandem_fill_map(view, MAPS, PN_TANDEM_MOST, NULL);
    if (status == PN_OK)
        status = pn_tandem_fill_shuffle(view, SHUFFLES, PN_TANDEM_MOST, NULL);
    assert_int_equal(status, t->failed ? t->status : PN_OK); /* a key may have failed */
    return late && !t->failed ? count(view, ACT) : status;
}

static const pn_tandem_policy failing = {
    .name = "failing",
    .order_count = 2,
    .map = {PN_TANDEM_FIRST, MAPS, 0},
    .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
    .orders = {[MAPS] = {failing_key, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
               [SHUFFLES] = {failing_key, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG}},
    .wake = failing_wake,
    .init = failing_init,
    .arrive = failing_arrive,
    .finish = failing_finish,
};

/* With rates by services, by an act, and by shares. */
enum { SERVING, ACTING, SHARING, FORMS };

static pn_tandem_policy in_form(int form)
{
    pn_tandem_policy policy = failing;
    if (form == ACTING) {
        policy.act = failing_act;
        policy.orders[MAPS].member = policy.orders[SHUFFLES].member = failing_member;
    }
    if (form == SHARING) {
        policy.map = (pn_tandem_service){PN_TANDEM_SHARE, MAPS, 2};
        policy.shuffle.way = PN_TANDEM_SHARE;
        policy.orders[MAPS].changes = PN_TANDEM_ON_ARRIVAL;
    }
    return policy;
}

/* ---- what must hold after a failure ---- */

static pn_tandem_totals totals_of(const pn_tandem *sim)
{
    pn_tandem_totals totals;
    pn_tandem_totals_get(sim, &totals);
    return totals;
}

static void check_log(const tandem_log *log, const pn_tandem_claim *claim)
{
    size_t size = pn_tandem_verifier_size(claim);
    void *block = workload_room(size);
    pn_tandem_verifier *verifier;
    assert_int_equal(pn_tandem_verifier_init(&verifier, block, size, claim), PN_OK);
    for (size_t i = 0; i < log->count; i++)
        if (pn_tandem_verifier_feed(verifier, &log->entry[i]) != PN_OK)
            fail_msg("%s", pn_tandem_verifier_fault(verifier, NULL, NULL));
    free(block);
}

static void check_over(pn_tandem *sim, const pn_tandem_hooks *hooks, trouble *t)
{
    static const double untils[] = {PN_TANDEM_FOREVER, PN_TANDEM_ARRIVAL, 1e9};
    size_t size = pn_tandem_block_size(sim);
    void *before = workload_room(size);
    pn_tandem_totals totals = totals_of(sim);
    size_t told = t->log.count;
    assert_true(pn_tandem_digest(sim) == tandem_log_digest(&t->log));
    assert_true(totals.finished + totals.in_system <= totals.submitted && totals.submitted == JOBS);
    memcpy(before, sim, size);
    for (size_t i = 0; i < sizeof untils / sizeof untils[0]; i++)
        assert_int_equal(pn_tandem_run(sim, hooks, untils[i], UINT64_MAX), t->status);
    assert_int_equal(pn_tandem_step(sim, hooks), t->status);
    assert_memory_equal(before, sim, size);
    assert_int_equal(t->log.count, told);
    pn_tandem *copy;
    assert_int_equal(pn_tandem_open(&copy, before, size), PN_OK);
    assert_int_equal(pn_tandem_step(copy, hooks), t->status); /* copies have failed too */
    free(before);
}

/* To the end or to the failure; false when it did not come to one. */
static bool run_with_failure(const tandem_workload *work, const pn_tandem_policy *policy,
                             const pn_tandem_config *config, trouble *t, bool stepping)
{
    pn_tandem_hooks hooks = {.policy = policy, NULL, tandem_log_finish, tandem_log_decision, t};
    pn_tandem_claim claim = {
        .speed = config->speed, config->traditional, 0, work->jobs, work->count};
    pn_tandem *sim = tandem_sim(config);
    int status;
    t->log.count = 0;
    memset(t->called, 0, sizeof t->called);
    t->failed = false;
    assert_int_equal(tandem_submit(sim, work, 0, work->count), PN_OK);
    do {
        status = stepping ? pn_tandem_step(sim, &hooks)
                          : pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX);
        assert_int_equal(status < 0, t->failed); /* said by the very call in which it happened */
    } while (status == PN_OK);
    if (t->failed) {
        assert_int_equal(status, t->status);
        check_over(sim, &hooks, t);
    } else {
        assert_int_equal(status, PN_DONE);
        assert_int_equal(totals_of(sim).finished, work->count);
    }
    check_log(&t->log, &claim);
    free(sim);
    return t->failed;
}

static bool returns_a_status(enum call call)
{
    return call == INIT || call == ARRIVE || call == ACT || call == WAKE;
}

static void failures_end_a_run_and_nothing_else(void **unused)
{
    (void)unused;
    for (int form = 0; form < FORMS; form++)
        for (uint32_t traditional = 0; traditional <= 1; traditional++) {
            pn_tandem_policy policy = in_form(form);
            tandem_workload work = tandem_new(JOBS, 71, crowded);
            pn_tandem_config config = tandem_config(&work, traditional);
            config.policy = &policy;
            for (int call = 0; call < CALLS; call++)
                for (int returns = 0; returns <= returns_a_status((enum call)call); returns++) {
                    trouble t = {.call = (enum call)call, .at = 1, .returns = returns};
                    t.status = call == WAKE && returns ? PN_ERR_INFEASIBLE : PN_ERR_STOPPED;
                    while (run_with_failure(&work, &policy, &config, &t, t.at % 3 == 1))
                        t.at++;
                    bool called = form == ACTING || (call != ACT && call != MEMBER);
                    unsigned least = !called ? 1 : call == INIT ? 2 : JOBS;
                    assert_in_range(t.at, least, 1000); /* it did fail, many times */
                    tandem_log_free(&t.log);
                }
            tandem_free(&work);
        }
}

/* ---- rates that are refused ---- */

static double above(double value, int ulps)
{
    for (int i = 0; i < ulps; i++)
        value = nextafter(value, INFINITY);
    return value;
}

/* Place 0 has map work 2 and shuffle work 1, place 1 shuffle work 4, place 2 is taken by nobody
 * yet; c = 3. */
static int act_that_asks_too_much(pn_tandem_view *view)
{
    static const double no_rates[] = {-1, -5e-324, NAN, INFINITY, -INFINITY, 1e300, DBL_MAX};
    unsigned *acts = pn_tandem_user(view);
    double left = -7;
    ++*acts;
    for (size_t i = 0; i < sizeof no_rates / sizeof no_rates[0]; i++) {
        assert_int_equal(pn_tandem_give_map(view, 0, no_rates[i]), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_tandem_give_shuffle(view, 1, no_rates[i]), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_tandem_fill_map(view, MAPS, no_rates[i], &left), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_tandem_fill_shuffle(view, SHUFFLES, no_rates[i], &left),
                         PN_ERR_INFEASIBLE);
    }
    assert_int_equal(pn_tandem_fill_map(view, SHUFFLES, 1, &left), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_fill_shuffle(view, MAPS, 1, &left), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_fill_map(view, 2, 1, &left), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_fill_shuffle(view, UINT32_MAX, 1, &left), PN_ERR_INFEASIBLE);
    assert_true(left == -7);
    for (uint32_t job = 2; job < 5; job++) { /* nobody there, nobody there yet, no such place */
        assert_int_equal(pn_tandem_give_map(view, job == 4 ? PN_NO_JOB : job, 1),
                         PN_ERR_INFEASIBLE);
        assert_int_equal(pn_tandem_give_shuffle(view, job == 4 ? PN_NO_JOB : job, 1),
                         PN_ERR_INFEASIBLE);
    }
    assert_true(pn_tandem_map_idle(view) == 3 && pn_tandem_shuffle_idle(view) == 3);
    if (*acts > 1) {
        pn_tandem_fill_map(view, MAPS, PN_TANDEM_MOST, NULL);
        return pn_tandem_fill_shuffle(view, SHUFFLES, PN_TANDEM_MOST, NULL);
    }
    assert_int_equal(pn_tandem_give_map(view, 1, 0.5), PN_ERR_INFEASIBLE); /* X = 0 */
    assert_int_equal(pn_tandem_give_map(view, 1, 0), PN_OK);
    assert_int_equal(pn_tandem_give_map(view, 0, above(3, 65)), PN_ERR_INFEASIBLE);
    /* B = 0 and not mapped yet */
    assert_int_equal(pn_tandem_give_shuffle(view, 0, 0.5), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_give_map(view, 0, 1), PN_OK);
    assert_int_equal(pn_tandem_give_map(view, 0, above(2, 129)), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_give_shuffle(view, 0, 0.75), PN_ERR_INFEASIBLE); /* g = 0.5 */
    assert_int_equal(pn_tandem_give_shuffle(view, 0, 0.25), PN_OK);
    assert_int_equal(pn_tandem_give_shuffle(view, 0, 0.5), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_give_shuffle(view, 0, 0), PN_OK);
    assert_int_equal(pn_tandem_give_shuffle(view, 1, above(2.75, 129)), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_give_shuffle(view, 1, 2), PN_OK);
    assert_true(pn_tandem_map_idle(view) == 2 && pn_tandem_shuffle_idle(view) == 0.75);
    assert_true(pn_tandem_map_rate(view, 0) == 1 && pn_tandem_generation_rate(view, 0) == 0.5);
    assert_true(pn_tandem_shuffle_rate(view, 0) == 0.25 && pn_tandem_shuffle_rate(view, 1) == 2);
    /* the rounding of shares that should add up to all of it is forgiven */
    assert_int_equal(pn_tandem_give_map(view, 0, above(2, 60)), PN_OK);
    assert_true(pn_tandem_map_idle(view) == 0);
    return PN_OK;
}

/* Where no rates are set, none can be. */
static void check_nothing_to_give(pn_tandem_view *view)
{
    double left = -7;
    for (uint32_t job = 0; job < 2; job++) {
        assert_int_equal(pn_tandem_give_map(view, job, 0), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_tandem_give_shuffle(view, job, 0), PN_ERR_INFEASIBLE);
    }
    assert_int_equal(pn_tandem_fill_map(view, MAPS, 1, &left), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_fill_shuffle(view, SHUFFLES, 1, &left), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_serve(view, 0, (pn_tandem_service){PN_TANDEM_FIRST, MAPS, 0}),
                     PN_ERR_ARGUMENT);
    assert_true(left == -7);
}

static int vain_arrive(pn_tandem_view *view, uint32_t job)
{
    assert_true(pn_tandem_map_rate(view, job) == 0 && pn_tandem_shuffle_rate(view, job) == 0);
    check_nothing_to_give(view);
    return PN_OK;
}

static void vain_finish(pn_tandem_view *view, uint32_t job)
{
    vain_arrive(view, job);
}

static int vain_init(pn_tandem_view *view)
{
    check_nothing_to_give(view);
    return PN_OK;
}

static void infeasible_rates_are_refused(void **unused)
{
    const pn_tandem_job jobs[] = {{.arrival = 0, .map = 2, .shuffle = 1},
                                  {.arrival = 0, .shuffle = 4},
                                  {.arrival = 50, .map = 1}};
    const pn_tandem_policy policy = {
        .name = "greedy",
        .order_count = 2,
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                   {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG}},
        .act = act_that_asks_too_much,
        .init = vain_init,
        .arrive = vain_arrive,
        .finish = vain_finish};
    pn_tandem_config config = pn_tandem_defaults();
    unsigned acts = 0;
    pn_tandem_hooks hooks = {.policy = &policy, .user = &acts};
    (void)unused;
    config.jobs_max = 4;
    config.speed = 3;
    pn_tandem *sim = tandem_sim(&config);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pn_tandem_submit(sim, &jobs[i], NULL), PN_OK);
    assert_int_equal(pn_tandem_step(sim, &hooks), PN_OK);
    assert_int_equal(acts, 1);
    assert_int_equal(pn_tandem_run(sim, &hooks, 50, UINT64_MAX), PN_OK);
    assert_true(totals_of(sim).finished == 2 && fabs(totals_of(sim).map_busy - 2) < 1e-12);
    assert_true(fabs(totals_of(sim).shuffle_busy - 5) < 1e-12);
    free(sim);
}

/* ---- refusals that a policy passes on ---- */

static int act_that_passes_on(pn_tandem_view *view)
{
    double *rate = pn_tandem_user(view);
    return pn_tandem_give_map(view, 0, *rate);
}

static void a_refusal_passed_on_ends_the_run(void **unused)
{
    static double rates[] = {1.5, -1, NAN};
    const pn_tandem_policy policy = {.name = "passing", .act = act_that_passes_on};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        pn_tandem_config config = pn_tandem_defaults();
        pn_tandem_hooks hooks = {.policy = &policy, .user = &rates[i]};
        config.jobs_max = 1;
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1}, NULL), PN_OK);
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 1), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 1), PN_ERR_INFEASIBLE);
        free(sim);
    }
}

static void an_end_beyond_all_time_is_an_overflow(void **unused)
{
    static double rates[] = {0x1p-200, 0x1p-300};
    const pn_tandem_policy policy = {.name = "slow", .act = act_that_passes_on};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pn_tandem_config config = pn_tandem_defaults();
        pn_tandem_hooks hooks = {.policy = &policy, .user = &rates[i]};
        config.jobs_max = 1;
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 0x1p255}, NULL), PN_OK);
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX),
                         i == 0 ? PN_DONE : PN_ERR_OVERFLOW);
        assert_int_equal(totals_of(sim).finished, i == 0);
        free(sim);
    }
}

/* ---- a policy that leaves everybody waiting ---- */

static int act_now_and_then(pn_tandem_view *view)
{
    const int *work = pn_tandem_user(view);
    return *work ? pn_tandem_fill_map(view, MAPS, PN_TANDEM_MOST, NULL) : PN_OK;
}

static void who_waits_for_nothing_cannot_wait_for_ever(void **unused)
{
    const pn_tandem_policy policy = {
        .name = "lazy",
        .order_count = 1,
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
        .act = act_now_and_then};
    pn_tandem_config config = pn_tandem_defaults();
    int work = 0;
    pn_tandem_hooks hooks = {.policy = &policy, .user = &work};
    (void)unused;
    config.jobs_max = 2;
    pn_tandem *sim = tandem_sim(&config);
    size_t size = pn_tandem_block_size(sim);
    void *before = workload_room(size);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 1, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, 2, UINT64_MAX), PN_OK);
    memcpy(before, sim, size);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_tandem_step(sim, &hooks), PN_ERR_INFEASIBLE);
    assert_memory_equal(before, sim, size);
    work = 1; /* another arrival is another instant */
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 5, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    assert_true(totals_of(sim).total_response_time == 5 + 2);
    free(before);
    free(sim);
}

/* ---- wake-ups that are no times ---- */

static double wake_as_told(const pn_tandem_view *view)
{
    const double *delay = pn_tandem_user(view);
    return *delay;
}

static void a_wake_up_must_lie_ahead(void **unused)
{
    static double wrong[] = {NAN, -1, -5e-324, -INFINITY};
    static double never[] = {PN_TANDEM_NEVER, INFINITY, 1e300};
    pn_tandem_policy policy = *pn_tandem_fcfs();
    pn_tandem_config config = pn_tandem_defaults();
    (void)unused;
    policy.name = "waking";
    policy.wake = wake_as_told;
    config.jobs_max = 1;
    for (size_t i = 0; i < 7; i++) {
        pn_tandem_hooks hooks = {.policy = &policy, .user = i < 4 ? &wrong[i] : &never[i - 4]};
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1}, NULL), PN_OK);
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 100),
                         i < 4 ? PN_ERR_INFEASIBLE : PN_DONE);
        if (i >= 4)
            assert_int_equal(totals_of(sim).instants, 2);
        free(sim);
    }
}

/* Serves nothing, and gives up when it wakes up. */
static int give_up_awake(pn_tandem_view *view)
{
    return pn_tandem_time(view) > 0 ? PN_ERR_STOPPED : PN_OK;
}

/* The block of a policy that gives up at its wake-up is valid: nothing is due any more. */
static void a_wake_up_is_over_when_a_policy_gives_up(void **unused)
{
    double delay = 1;
    const pn_tandem_policy policy = {
        .name = "asleep",
        .order_count = 1,
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
        .act = give_up_awake,
        .wake = wake_as_told};
    pn_tandem_hooks hooks = {.policy = &policy, .user = &delay};
    pn_tandem_config config = pn_tandem_defaults();
    (void)unused;
    config.jobs_max = 1;
    config.policy = &policy;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 100), PN_ERR_STOPPED);
    assert_int_equal(pn_tandem_validate(sim, pn_tandem_block_size(sim)), PN_OK);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_end_a_run_and_nothing_else),
        cmocka_unit_test(infeasible_rates_are_refused),
        cmocka_unit_test(a_refusal_passed_on_ends_the_run),
        cmocka_unit_test(an_end_beyond_all_time_is_an_overflow),
        cmocka_unit_test(who_waits_for_nothing_cannot_wait_for_ever),
        cmocka_unit_test(a_wake_up_must_lie_ahead),
        cmocka_unit_test(a_wake_up_is_over_when_a_policy_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
