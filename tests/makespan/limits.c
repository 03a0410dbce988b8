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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_scale_up_to_their_limit),
        cmocka_unit_test(what_is_too_large_for_exact_numbers_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
