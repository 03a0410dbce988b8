/* Batches whose tasks are longer and longer: all times scale, up to the limit; beyond it the batch
 * or its plan is refused, and never a time wraps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "makespan/support/workload.h"

enum { JOBS = 4, STEP = 4 };

/* A run of a batch, or why there is none. */
typedef struct outcome {
    int status;
    pn_exact makespan; /* not shortened */
    pn_exact bound;
    int bound_status;
} outcome;

static const uint64_t all_jobs[] = {1, 2, 3, 4};
static const pn_makespan_pool two_pools[] = {{1, 2, all_jobs}, {1, 2, all_jobs + 2}};

static outcome run_batch(const pn_makespan_config *config, const pn_makespan_policy *policy,
                         const makespan_batch *batch, const double *params)
{
    outcome of = {.bound_status = PN_ERR_ARGUMENT};
    pn_makespan_hooks hooks = {.policy = policy, .params = params};
    pn_makespan *sim = makespan_sim(config);
    of.status = makespan_submit(sim, batch);
    if (of.status == PN_OK && policy == pn_makespan_given_order())
        of.status = pn_makespan_set_order(sim, all_jobs, JOBS);
    if (of.status == PN_OK && policy == pn_makespan_fixed_pools())
        of.status = pn_makespan_set_pools(sim, two_pools, 2);
    if (of.status == PN_OK)
        of.status = pn_makespan_plan(sim, &hooks);
    if (of.status == PN_OK) {
        of.bound_status = pn_makespan_bound(sim, &of.bound);
        assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
        of.makespan = (pn_exact){(int64_t)makespan_totals(sim).makespan,
                                 (int64_t)pn_makespan_ticks(sim)};
        assert_int_equal(makespan_totals(sim).finished, JOBS);
    } else {
        assert_true(pn_makespan_ticks(sim) == 0 && pn_makespan_digest(sim) == 0);
        assert_int_equal(pn_makespan_bound(sim, &of.bound), PN_ERR_ARGUMENT);
    }
    free(sim);
    return of;
}

/* Checks that `long_one` is `small` times 2^shift. */
static void check_scaled(pn_exact small, pn_exact long_one, unsigned shift)
{
    int64_t common = small.num, rest = small.den;
    while (rest != 0) {
        int64_t next = common % rest;
        common = rest;
        rest = next;
    }
    small = (pn_exact){small.num / common, small.den / common};
    assert_true(small.num <= INT64_MAX >> shift);
    small.num *= (int64_t)1 << shift;
    assert_int_equal(pn_exact_compare(small, long_one), 0);
}

static void check_policy(makespan_rules rules, const pn_makespan_policy *policy,
                         const double *params, uint32_t instance, unsigned *refused)
{
    makespan_batch batch = makespan_new(JOBS, instance,
                                        (makespan_shape){.tasks = 2, .longest = 99, .odd = 1});
    pn_makespan_config config = makespan_config(&batch, rules, 4, 2);
    outcome base = run_batch(&config, policy, &batch, params);
    bool over = false;
    if (base.status != PN_OK) { /* for other levels, or with too many tasks for a search */
        makespan_free(&batch);
        return;
    }
    for (unsigned shift = STEP; shift <= 56; shift += STEP) {
        for (size_t i = 0; i < JOBS; i++)
            for (int k = 0; k < 2; k++) {
                for (int s = 0; s < MAKESPAN_STRETCHES; s++)
                    batch.stretches[i][k][s].duration <<= STEP;
                batch.jobs[i].stage[k].time <<= STEP;
            }
        outcome of = run_batch(&config, policy, &batch, params);
        assert_true(of.status == PN_OK || of.status == PN_ERR_OVERFLOW);
        assert_false(over && of.status == PN_OK); /* from a limit on all are refused */
        over = of.status != PN_OK;
        *refused += over;
        if (over)
            continue;
        if (policy != pn_makespan_exact() || of.makespan.num > 0)
            check_scaled(base.makespan, of.makespan, shift);
        assert_true(of.bound_status == base.bound_status || of.bound_status == PN_ERR_OVERFLOW);
        if (of.bound_status == PN_OK)
            check_scaled(base.bound, of.bound, shift);
    }
    assert_true(over);
    makespan_free(&batch);
}

static void times_scale_up_to_their_limit(void **unused)
{
    unsigned refused = 0;
    (void)unused;
    for (size_t o = 0; o < MAKESPAN_OPTIONS; o++)
        for (size_t i = 0; pn_makespan_policy_at(i); i++)
            for (uint32_t instance = 0; instance < 2; instance++)
                check_policy(makespan_options[o], pn_makespan_policy_at(i), NULL, instance,
                             &refused);
}

/* ---- any durations, of any size ---- */

static makespan_batch draw_batch(uint32_t instance, unsigned bits)
{
    makespan_batch batch = makespan_new(JOBS, instance, (makespan_shape){.tasks = 2, .longest = 9});
    pn_stream stream;
    pn_stream_init(&stream, 7, instance, bits);
    for (size_t i = 0; i < JOBS; i++)
        for (int k = 0; k < 2; k++) {
            pn_makespan_stage_of_job *stage = &batch.jobs[i].stage[k];
            for (uint32_t s = 0; s < stage->stretch_count; s++)
                batch.stretches[i][k][s].duration = pn_random64(&stream) >> (64 - bits) | 1;
            stage->has_time = 1;
            stage->time = pn_random64(&stream) >> (64 - bits) | 1;
        }
    return batch;
}

/* Runs with each parameter at each end of its range. */
static void check_params(const pn_makespan_config *config, const pn_makespan_policy *policy,
                         const makespan_batch *batch, unsigned statuses[2])
{
    for (int k = -1; k < 2 * policy->param_count; k++) {
        double params[PN_PARAMS_MAX];
        for (int i = 0; i < policy->param_count; i++)
            params[i] = policy->params[i].value;
        if (k >= 0)
            params[k / 2] = k % 2 == 0 ? policy->params[k / 2].low : policy->params[k / 2].high;
        if (k >= 0 && params[k / 2] > 100.0) /* rounds of a search */
            continue;
        outcome of = run_batch(config, policy, batch, params);
        if (of.status == PN_ERR_MODE || of.status == PN_ERR_ARGUMENT || of.status == PN_ERR_POLICY)
            return;
        assert_true(of.status == PN_OK || of.status == PN_ERR_OVERFLOW);
        statuses[of.status == PN_OK]++;
    }
}

/* Fractions of slots that have no common divisor have large denominators: a plan is made of exact
 * numbers, or none. */
static void what_is_too_large_for_exact_numbers_is_refused(void **unused)
{
    unsigned statuses[2] = {0, 0};
    (void)unused;
    for (unsigned bits = 20; bits <= 62; bits += 3)
        for (size_t o = 0; o < MAKESPAN_OPTIONS; o++)
            for (size_t i = 0; pn_makespan_policy_at(i); i++) {
                makespan_batch batch = draw_batch((uint32_t)(o + i), bits);
                pn_makespan_config config = makespan_config(&batch, makespan_options[o], 33, 21);
                config.nodes = 3;
                check_params(&config, pn_makespan_policy_at(i), &batch, statuses);
                makespan_free(&batch);
            }
    assert_true(statuses[0] > 1000 && statuses[1] > 1000);
}

/* Completions add up to more than 64 bits, and are told exactly in a unit of many ticks. */
static void totals_are_wide(void **unused)
{
    enum { LATER = 8, BITS = 53 };
    const pn_makespan_hooks hooks = {.policy = pn_makespan_fifo()};
    pn_makespan_config config = makespan_small();
    (void)unused;
    config.map_slots = 1;
    config.jobs_max = 1 + LATER;
    config.ticks = (uint64_t)1 << BITS;
    for (config.level = PN_MAKESPAN_STAGES; config.level <= PN_MAKESPAN_TASKS; config.level++) {
        pn_makespan *sim = makespan_sim(&config);
        for (uint64_t i = 0; i <= LATER; i++) {
            const pn_makespan_job job = {
                .stage = {{LISTED({config.ticks << (i == 0 ? 8 : 0), 1})}}};
            assert_int_equal(pn_makespan_submit(sim, &job, NULL), PN_OK);
        }
        while (pn_makespan_step(sim, &hooks) == PN_OK)
            ;
        /* 256, 257 … 264 units */
        pn_exact total = makespan_totals(sim).total_completion;
        assert_true(total.num == 9 * 260 && total.den == 1);
        free(sim);
    }
}

/* ---- one number too large, each in its place ---- */

enum { PRIMES = 11 };

/* Their product is above the limit of ticks; that of the first ten is not. */
static const uint32_t primes[PRIMES] = {53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101};

#define POWER(bits) ((uint64_t)1 << (bits))
#define TASK(bits)               \
    {                            \
        LISTED({POWER(bits), 1}) \
    }
#define NOTHING \
    {           \
        0       \
    }

typedef struct extreme {
    uint32_t slots[2];
    makespan_rules rules;
    uint64_t ticks;
    const pn_makespan_policy *(*policy)(void);
    double start; /* of local_search */
    pn_makespan_job jobs[2];
    int plan, bound; /* statuses */
} extreme;

/* Sums of fractions stay in range where slots have common divisors, until the bounds add whole
 * tasks to them. */
static const extreme extremes[] = {
    /* the stages of a job, one after the other: 2^61 + 15 / 7 * 2^55 */
    {{7, 7},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_fifo,
     0,
     {{.stage = {TASK(61), {LISTED({POWER(55), 15})}}}},
     PN_OK,
     PN_ERR_OVERFLOW},
    {{7, 7},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_fifo,
     0,
     {{.stage = {TASK(60), {LISTED({POWER(50), 15})}}}},
     PN_OK,
     PN_OK},
    /* the shortest map and all reduces: 2^60 + 19 / 9 * 2^50 */
    {{9, 9},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_fifo,
     0,
     {{.stage = {TASK(60), {LISTED({POWER(50), 9})}}},
      {.stage = {TASK(60), {LISTED({POWER(50), 10})}}}},
     PN_OK,
     PN_ERR_OVERFLOW},
    {{9, 9},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_fifo,
     0,
     {{.stage = {TASK(59), {LISTED({POWER(50), 9})}}},
      {.stage = {TASK(59), {LISTED({POWER(50), 10})}}}},
     PN_OK,
     PN_OK},
    /* parts of a unit */
    {{1021, 1},
     {.stage_time = PN_MAKESPAN_FLUID},
     POWER(53),
     pn_makespan_uaas,
     0,
     {{.stage = {TASK(0), TASK(0)}}},
     PN_ERR_OVERFLOW,
     PN_ERR_ARGUMENT},
    {{511, 1},
     {.stage_time = PN_MAKESPAN_FLUID},
     POWER(53),
     pn_makespan_uaas,
     0,
     {{.stage = {TASK(0), TASK(0)}}},
     PN_OK,
     PN_OK},
    /* the weights of policies: of maps, of reduces, and twice the longest task there can be */
    {{1021, 1},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_portfolio,
     0,
     {{.stage = {TASK(60), NOTHING}}},
     PN_ERR_OVERFLOW,
     PN_ERR_ARGUMENT},
    {{1, 1021},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_portfolio,
     0,
     {{.stage = {NOTHING, TASK(60)}}},
     PN_ERR_OVERFLOW,
     PN_ERR_ARGUMENT},
    {{4, 1},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_portfolio,
     0,
     {{.stage = {TASK(62), NOTHING}}},
     PN_ERR_OVERFLOW,
     PN_ERR_ARGUMENT},
    {{1, 1},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_portfolio,
     0,
     {{.stage = {TASK(60), NOTHING}}},
     PN_OK,
     PN_OK},
    {{1021, 1019},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_neh,
     0,
     {{.stage = {TASK(59), TASK(59)}}},
     PN_ERR_OVERFLOW,
     PN_ERR_ARGUMENT},
    {{1021, 1019},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_local_search,
     2,
     {{.stage = {TASK(59), TASK(59)}}},
     PN_ERR_OVERFLOW,
     PN_ERR_ARGUMENT},
    {{1021, 1019},
     {.level = PN_MAKESPAN_TASKS},
     1,
     pn_makespan_neh,
     0,
     {{.stage = {TASK(49), TASK(49)}}},
     PN_OK,
     PN_OK},
};

static void each_number_that_is_too_large_is_found(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
        const extreme *x = &extremes[i];
        makespan_batch batch = {x->jobs[1].stage[0].stretch_count > 0 ? 2 : 1,
                                (pn_makespan_job *)(uintptr_t)x->jobs, NULL};
        pn_makespan_config config = makespan_config(&batch, x->rules, x->slots[0], x->slots[1]);
        double params[PN_PARAMS_MAX];
        pn_makespan_hooks hooks = {.policy = x->policy(), .params = params};
        pn_exact bound;
        config.ticks = x->ticks;
        for (int k = 0; k < hooks.policy->param_count; k++)
            params[k] = strcmp(hooks.policy->params[k].name, "start") == 0
                            ? x->start
                            : hooks.policy->params[k].value;
        pn_makespan *sim = makespan_sim(&config);
        assert_int_equal(makespan_submit(sim, &batch), PN_OK);
        int status = pn_makespan_plan(sim, &hooks);
        if (status != x->plan || pn_makespan_bound(sim, &bound) != x->bound)
            fail_msg("case %zu: the plan is %s", i, pn_status_name(status));
        free(sim);
    }
}

/* As many jobs, each in a pool of its own of so many nodes, or with so many slots requested. */
static int plan_of_primes(size_t count, bool pools)
{
    static const pn_makespan_stretch task = {1, 1};
    static const uint64_t ids[PRIMES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    pn_makespan_job jobs[PRIMES];
    pn_makespan_pool given[PRIMES];
    makespan_batch batch = {count, jobs, NULL};
    makespan_rules rules = {.stage_time = pools ? PN_MAKESPAN_FLUID : PN_MAKESPAN_CAPPED};
    pn_makespan_config config = makespan_config(&batch, rules, 833, 833);
    pn_makespan_hooks hooks = {.policy = pools ? pn_makespan_fixed_pools() : pn_makespan_fifo()};
    for (size_t i = 0; i < count; i++) {
        jobs[i] = (pn_makespan_job){.stage = {{.stretches = &task, .stretch_count = 1}, NOTHING}};
        jobs[i].stage[0].requested = pools ? 0 : primes[i];
        given[i] = (pn_makespan_pool){primes[i], 1, &ids[i]};
    }
    pn_makespan *sim = makespan_sim(&config);
    assert_int_equal(makespan_submit(sim, &batch), PN_OK);
    if (pools)
        assert_int_equal(pn_makespan_set_pools(sim, given, count), PN_OK);
    int status = pn_makespan_plan(sim, &hooks);
    free(sim);
    return status;
}

/* Each pool's ticks are few, and those that suit all of them are not. */
static void ticks_that_suit_all_can_be_too_many(void **unused)
{
    (void)unused;
    for (int pools = 0; pools <= 1; pools++) {
        assert_int_equal(plan_of_primes(PRIMES - 1, pools), PN_OK);
        assert_int_equal(plan_of_primes(PRIMES, pools), PN_ERR_OVERFLOW);
    }
}

/* 2^59 ticks of work fit into pools of 3 and of 5 nodes in their own ticks, not in fifteenths. */
static void pools_that_fit_alone_can_be_too_long_together(void **unused)
{
    static const uint64_t ids[] = {1, 2};
    static const pn_makespan_pool pools[] = {{3, 1, ids}, {5, 1, ids + 1}};
    (void)unused;
    for (unsigned bits = 58; bits <= 59; bits++) {
        pn_makespan_job job = {.stage = {TASK(bits), TASK(0)}};
        makespan_batch batch = {1, &job, NULL};
        pn_makespan_config config = makespan_config(
            &batch, (makespan_rules){.stage_time = PN_MAKESPAN_FLUID}, 8, 8);
        config.jobs_max = 2;
        pn_makespan *sim = makespan_sim(&config);
        assert_int_equal(makespan_submit(sim, &batch), PN_OK);
        assert_int_equal(makespan_submit(sim, &batch), PN_OK);
        assert_int_equal(pn_makespan_set_pools(sim, pools, 2), PN_OK);
        assert_int_equal(
            pn_makespan_plan(sim, &(pn_makespan_hooks){.policy = pn_makespan_fixed_pools()}),
            bits == 59 ? PN_ERR_OVERFLOW : PN_OK);
        assert_int_equal(pn_makespan_ticks(sim), bits == 59 ? 0 : 15);
        free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_scale_up_to_their_limit),
        cmocka_unit_test(each_number_that_is_too_large_is_found),
        cmocka_unit_test(ticks_that_suit_all_can_be_too_many),
        cmocka_unit_test(pools_that_fit_alone_can_be_too_long_together),
        cmocka_unit_test(what_is_too_large_for_exact_numbers_is_refused),
        cmocka_unit_test(totals_are_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
