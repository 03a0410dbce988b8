/* What is proved about the tandem queue, on random instances: approximation ratios of a batch,
 * speeds at which a policy meets the bound, Johnson's makespan; and a batch that no common order
 * serves best. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tandem/support/instance.h"

enum { BATCHES = 200, BATCH_JOBS = 6, ONLINE = 1000, SEED = 2013 };

#define SLACK 1e-9

static tandem_outcome run_policy(const tandem_instance *run, const pn_tandem_policy *policy,
                                 const double *params)
{
    tandem_outcome out;
    tandem_instance_run(run, policy,
                        (tandem_manner){.params = params, .bounds = PN_TANDEM_BOUNDS_TIGHT}, &out);
    if (out.status != PN_DONE || out.fault[0] != '\0')
        fail_msg("%s: %s %s", policy->name, pn_status_name(out.status), out.fault);
    return out;
}

static double total_of(const tandem_instance *run, const pn_tandem_policy *policy, double param)
{
    return run_policy(run, policy, &param).totals.total_response_time;
}

static double makespan_of(const tandem_instance *run, const pn_tandem_policy *policy)
{
    pn_tandem_totals totals = run_policy(run, policy, NULL).totals;
    return totals.last_finish - totals.first_arrival;
}

/* No work is 0, so that the ratios of sizes are finite. */
static tandem_instance draw(uint32_t number, uint32_t jobs, bool batch)
{
    pn_stream stream;
    tandem_instance drawn;
    pn_stream_init(&stream, SEED, number, 1);
    tandem_instance_draw(&drawn, &stream, jobs);
    drawn.speed = 1;
    drawn.estimates = false;
    drawn.traditional = false;
    for (uint32_t i = 0; i < drawn.job_count; i++) {
        drawn.jobs[i].map += drawn.jobs[i].map == 0;
        drawn.jobs[i].shuffle += drawn.jobs[i].shuffle == 0;
        drawn.jobs[i].arrival = batch ? 0 : drawn.jobs[i].arrival;
    }
    return drawn;
}

/* The largest (alpha) or smallest (beta) of the jobs' max(x/y, y/x). */
static double imbalance(const tandem_instance *run, bool largest)
{
    double found = 0;
    for (uint32_t i = 0; i < run->job_count; i++) {
        const pn_tandem_job *job = &run->jobs[i];
        double own = job->map > job->shuffle ? job->map / job->shuffle : job->shuffle / job->map;
        if (i == 0 || (largest ? own > found : own < found))
            found = own;
    }
    return found;
}

/* SRPT on one machine; of each job the map and shuffle sizes are turned into one size. */
static double srpt(const tandem_instance *run, double (*size)(double map, double shuffle))
{
    long double arrivals[TANDEM_JOBS];
    long double sizes[TANDEM_JOBS];
    for (uint32_t i = 0; i < run->job_count; i++) {
        arrivals[i] = run->jobs[i].arrival;
        sizes[i] = size(run->jobs[i].map, run->jobs[i].shuffle);
    }
    return (double)naive_tandem_srpt(run->speed, arrivals, sizes, run->job_count);
}

static double longer(double map, double shuffle)
{
    return map > shuffle ? map : shuffle;
}

static double mean(double map, double shuffle)
{
    return (map + shuffle) / 2;
}

static double map_if_heavy(double map, double shuffle)
{
    return map >= shuffle ? map : 0;
}

static double shuffle_if_heavy(double map, double shuffle)
{
    return map < shuffle ? shuffle : 0;
}

/* Ranks for the order number `code` of all orders of n jobs. */
static void set_order(tandem_instance *run, int station, uint32_t code)
{
    uint32_t free_ranks[TANDEM_JOBS];
    uint32_t n = run->job_count;
    for (uint32_t i = 0; i < n; i++)
        free_ranks[i] = i;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t pick = code % (n - i);
        code /= n - i;
        run->jobs[i].rank[station] = free_ranks[pick];
        free_ranks[pick] = free_ranks[n - i - 1];
    }
}

static uint32_t orders_of(uint32_t jobs)
{
    return jobs <= 1 ? 1 : jobs * orders_of(jobs - 1);
}

/* Over all orders that both stations follow. */
static void best_common(tandem_instance run, double *total, double *makespan)
{
    *total = PN_TANDEM_NEVER;
    *makespan = PN_TANDEM_NEVER;
    for (uint32_t code = 0; code < orders_of(run.job_count); code++) {
        set_order(&run, 0, code);
        set_order(&run, 1, code);
        pn_tandem_totals totals = run_policy(&run, pn_tandem_priority(), NULL).totals;
        *total = totals.total_response_time < *total ? totals.total_response_time : *total;
        *makespan = totals.last_finish < *makespan ? totals.last_finish : *makespan;
    }
}

static void at_most(const char *what, uint32_t number, double value, double limit)
{
    if (value > limit * (1 + SLACK))
        fail_msg("instance %u: %s: %.17g is above %.17g", number, what, value, limit);
}

/* Corollaries 4 and 6 with the steps of their proofs, and what the bounds say. */
static void a_batch_is_served_within_the_proved_ratios(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < BATCHES; number++) {
        tandem_instance run = draw(number, BATCH_JOBS, true);
        double alpha = imbalance(&run, true);
        double beta = imbalance(&run, false);
        double best, makespan;
        best_common(run, &best, &makespan);
        double max = total_of(&run, pn_tandem_maxsrpt(), 1);
        double strict = total_of(&run, pn_tandem_maxsrpt(), 0);
        double split = total_of(&run, pn_tandem_splitsrpt(), 0);
        double split_full = total_of(&run, pn_tandem_splitsrpt(), 2);
        double split_bound = (1 + 1 / beta) *
                             (srpt(&run, map_if_heavy) + srpt(&run, shuffle_if_heavy));
        at_most("MaxSRPT against SRPT of the longer phase", number, max, srpt(&run, longer));
        at_most("that against SRPT of the mean", number, srpt(&run, longer),
                2 * alpha / (1 + alpha) * srpt(&run, mean));
        at_most("SRPT of the mean against the best common order", number, srpt(&run, mean), best);
        at_most("SplitSRPT that lends nothing", number, split, split_bound);
        at_most("SplitSRPT that lends all", number, split_full, split_bound);
        at_most("work-conserving MaxSRPT against the strict one", number, max, strict);
        at_most("the tight bound", number,
                run_policy(&run, pn_tandem_fcfs(), NULL).totals.lower_bound_tight, best);
        at_most("Johnson's makespan", number, makespan_of(&run, pn_tandem_johnson()), makespan);
        at_most("the best makespan", number, makespan, makespan_of(&run, pn_tandem_johnson()));
    }
}

/* Theorems 3 and 5, even against the bound in place of the optimum. */
static void with_the_proved_speed_no_policy_is_above_the_bound(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < ONLINE; number++) {
        tandem_instance run = draw(number, 16, false);
        double bound = run_policy(&run, pn_tandem_fcfs(), NULL).totals.lower_bound_tight;
        double alpha = imbalance(&run, true);
        double beta = imbalance(&run, false);
        run.speed = 2 * alpha / (1 + alpha);
        at_most("MaxSRPT", number, total_of(&run, pn_tandem_maxsrpt(), 1), bound);
        at_most("strict MaxSRPT", number, total_of(&run, pn_tandem_maxsrpt(), 0), bound);
        run.speed = 1 + 1 / beta;
        at_most("SplitSRPT that lends nothing", number, total_of(&run, pn_tandem_splitsrpt(), 0),
                bound);
        at_most("SplitSRPT that lends all", number, total_of(&run, pn_tandem_splitsrpt(), 2),
                bound);
    }
}

/* Any two orders, on (7,3), (3,1), (1,7): 23 with map order 3, 2, 1 and shuffle order 2, 3, 1; at
 * least 26 with one order. */
static void two_orders_beat_every_common_order(void **unused)
{
    (void)unused;
    tandem_instance run = {.speed = 1,
                           .job_count = 3,
                           .jobs = {{.map = 7, .shuffle = 3},
                                    {.map = 3, .shuffle = 1, .tag = 1},
                                    {.map = 1, .shuffle = 7, .tag = 2}}};
    double best = PN_TANDEM_NEVER;
    double common, makespan;
    best_common(run, &common, &makespan);
    for (uint32_t map_code = 0; map_code < orders_of(run.job_count); map_code++) {
        for (uint32_t shuffle_code = 0; shuffle_code < orders_of(run.job_count); shuffle_code++) {
            set_order(&run, 0, map_code);
            set_order(&run, 1, shuffle_code);
            double total = run_policy(&run, pn_tandem_priority(), NULL).totals.total_response_time;
            best = total < best ? total : best;
        }
    }
    assert_float_equal(common, 26, SLACK);
    assert_float_equal(best, 23, SLACK);
}

/* Equal estimate, equal bits: every policy, also where work is rounded. */
static void right_estimates_change_nothing(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < ONLINE; number++) {
        pn_stream stream;
        tandem_instance run;
        double params[PN_PARAMS_MAX];
        pn_stream_init(&stream, SEED, number, 3);
        (number % 2 == 0 ? tandem_instance_draw : tandem_instance_draw_tenths)(&run, &stream,
                                                                               TANDEM_JOBS);
        for (uint32_t i = 0; i < run.job_count; i++) {
            pn_tandem_job *job = &run.jobs[i];
            job->estimate_map = job->map > 0 ? job->map : PN_TANDEM_ESTIMATE_ZERO;
            job->estimate_shuffle = job->shuffle > 0 ? job->shuffle : PN_TANDEM_ESTIMATE_ZERO;
        }
        const pn_tandem_policy *policy;
        for (uint32_t k = 0; (policy = pn_tandem_policy_at(k)); k++) {
            const double *drawn = tandem_instance_params(policy, &stream, params);
            run.estimates = false;
            uint64_t truth = run_policy(&run, policy, drawn).digest;
            run.estimates = true;
            if (run_policy(&run, policy, drawn).digest != truth)
                fail_msg("instance %u of seed %d: %s decides otherwise with right estimates",
                         number, SEED, policy->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_is_served_within_the_proved_ratios),
        cmocka_unit_test(with_the_proved_speed_no_policy_is_above_the_bound),
        cmocka_unit_test(two_orders_beat_every_common_order),
        cmocka_unit_test(right_estimates_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
