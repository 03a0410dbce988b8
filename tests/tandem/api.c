/* Every status the tandem model documents, and that a refusal changes nothing: the whole block is
 * compared before and after. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "support/kept.h"
#include "tandem/support/workload.h"

static pn_tandem_config small(void)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 3;
    config.groups_max = 2;
    return config;
}

/* ---- configuration and blocks ---- */

static void check_wrong(const pn_tandem_config *config, const char *field)
{
    pn_tandem *sim = NULL;
    uint64_t block[8] = {0};
    const char *told = pn_tandem_check(config);
    assert_non_null(told);
    if (strncmp(told, field, strlen(field)) != 0 || told[strlen(field)] != ':')
        fail_msg("\"%s\" instead of %s", told, field);
    assert_int_equal(pn_tandem_size(config), 0);
    assert_int_equal(pn_tandem_init(&sim, block, SIZE_MAX, config), PN_ERR_CONFIG);
    assert_null(sim);
}

static void the_check_names_the_field(void **unused)
{
    (void)unused;
#define WRONG(field, value)                \
    do {                                   \
        pn_tandem_config config = small(); \
        config.field = value;              \
        check_wrong(&config, #field);      \
    } while (0)
    WRONG(struct_size, 0);
    WRONG(struct_size, offsetof(pn_tandem_config, attributes) - 1);
    WRONG(speed, 0);
    WRONG(speed, -1);
    WRONG(speed, 0x1p-65);
    WRONG(speed, 0x1p65);
    WRONG(speed, INFINITY);
    WRONG(speed, NAN);
    WRONG(traditional, 2);
    WRONG(jobs_max, 0);
    WRONG(jobs_max, ((uint32_t)1 << 28) + 1);
    WRONG(gaps, 2);
    WRONG(groups_max, ((uint32_t)1 << 20) + 1);
    WRONG(attributes, PN_ATTRIBUTES_MAX + 1);
    WRONG(bounds, 3);
    WRONG(statistics, 2);
    WRONG(buckets_max, UINT32_MAX);
    WRONG(no_digest, 2);
    WRONG(estimates, 2);
    WRONG(ranks, 2);
    WRONG(warmup_time, -1);
    WRONG(warmup_time, NAN);
    WRONG(warmup_time, INFINITY);
#undef WRONG
    const double widths[] = {0, -1, NAN, INFINITY, 1e300, 5e-324};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        pn_tandem_config config = small();
        config.bucket_width = widths[i];
        assert_null(pn_tandem_check(&config)); /* there are no buckets */
        config.buckets_max = 1;
        check_wrong(&config, "bucket_width");
    }
    assert_non_null(pn_tandem_check(NULL));
    assert_int_equal(pn_tandem_size(NULL), 0);
}

static void the_limits_themselves_are_fine(void **unused)
{
    pn_tandem_config config = small();
    (void)unused;
    assert_null(pn_tandem_check(&config));
    config.speed = 0x1p-64;
    assert_null(pn_tandem_check(&config));
    config.speed = 0x1p64;
    config.traditional = config.gaps = config.statistics = config.no_digest = config.estimates =
        config.ranks = 1;
    config.jobs_max = (uint32_t)1 << 28;
    config.groups_max = (uint32_t)1 << 20;
    config.bounds = PN_TANDEM_BOUNDS_TIGHT;
    config.buckets_max = 4096;
    config.bucket_width = PN_TANDEM_LEAST;
    config.warmup_time = PN_TANDEM_MOST;
    config.warmup_jobs = UINT64_MAX;
    config.replica = UINT32_MAX;
    config.seed = UINT64_MAX;
    assert_null(pn_tandem_check(&config));
    config = pn_tandem_defaults();
    assert_true(config.struct_size == sizeof config && config.speed == 1);
    config.jobs_max = 1;
    assert_null(pn_tandem_check(&config));
    assert_in_range(pn_tandem_size(&config), sizeof config, 1 << 16);
}

static int everybody(const pn_tandem_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return 1;
}

/* A policy whose table makes no sense has no room anywhere. */
static void the_check_looks_at_the_policy(void **unused)
{
    static const pn_param fussy = {"fussy", 2, 3, 4, NULL, 0, ""};
    (void)unused;
#define WRONG(change)                                                 \
    do {                                                              \
        pn_tandem_policy policy = *pn_tandem_maxsrpt();               \
        pn_tandem_config config = small();                            \
        pn_tandem_hooks hooks = {.policy = &policy};                  \
        policy.name = "changed";                                      \
        config.policy = &policy;                                      \
        assert_null(pn_tandem_check(&config));                        \
        pn_tandem *sim = tandem_sim(&config);                         \
        change;                                                       \
        check_wrong(&config, "policy");                               \
        assert_int_equal(pn_tandem_step(sim, &hooks), PN_ERR_POLICY); \
        assert_string_equal(pn_tandem_policy_name(sim), "");          \
        free(sim);                                                    \
    } while (0)
    WRONG(policy.struct_size = 9);
    WRONG(policy.name = NULL);
    WRONG(policy.name = "");
    WRONG(policy.name = "0123456789abcdef0123456789abcdef"); /* 32 bytes */
    WRONG(policy.work_conserving = 3);
    WRONG(policy.order_count = PN_TANDEM_ORDERS_MAX + 1);
    WRONG(policy.param_count = PN_PARAMS_MAX + 1);
    WRONG((policy.param_count = 1, policy.params[0] = fussy));
    WRONG((policy.param_count = 1, policy.params[0] = (pn_param){.high = 1}));
    WRONG(policy.orders[0].changes = 3);
    WRONG(policy.orders[0].members = 0);
    WRONG(policy.orders[0].members = PN_TANDEM_MAPPING | PN_TANDEM_BACKLOG);
    WRONG(policy.orders[0].members = PN_TANDEM_MAPPING | PN_TANDEM_PRESENT);
    WRONG(policy.orders[0].members = 8);
    WRONG((policy.order_count++, policy.orders[policy.order_count - 1].members = 8));
    /* a row behind the last one */
    WRONG((policy.orders[policy.order_count].members = PN_TANDEM_MAPPING,
           policy.map.order = policy.order_count));
    WRONG(policy.map.way = PN_TANDEM_RIGID + 1);
    WRONG(policy.map.way = PN_TANDEM_STRICT);
    WRONG(policy.map.way = PN_TANDEM_RIGID);
    WRONG(policy.map.way = PN_TANDEM_SHARE); /* its keys change */
    WRONG(policy.map.order = PN_TANDEM_ORDERS_MAX);
    /* who is no member would never be served */
    WRONG(policy.orders[policy.map.order].member = everybody);
    WRONG(policy.orders[policy.shuffle.order].member = everybody);
    WRONG(policy.shuffle.way = PN_TANDEM_RIGID + 1);
    WRONG(policy.shuffle.order = policy.map.order); /* of jobs to map */
    WRONG((policy.shuffle.way = PN_TANDEM_STRICT, policy.shuffle.order = policy.map.order));
#undef WRONG
}

/* ---- submitting ---- */

static void check_refused(pn_tandem *sim, pn_tandem_job job, int expected)
{
    kept before = keep(sim, pn_tandem_block_size(sim));
    uint64_t id = 77;
    assert_int_equal(pn_tandem_submit(sim, &job, &id), expected);
    assert_int_equal(id, 77);
    check_unchanged(&before);
}

static const double no_amounts[] = {NAN,     INFINITY, -INFINITY,  -1,      -0x1p-256, 1e300,
                                    DBL_MAX, 0x1p257,  0x1.8p-257, DBL_MIN, 5e-324};
static const double amounts[] = {0, -0.0, 0x1p-256, 0x1.8p-256, 1e-9, 1, 1e9, 0x1.8p255, 0x1p256};

static void submit_refuses_and_changes_nothing(void **unused)
{
    pn_tandem_config config = small();
    pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    config.estimates = 1;
    pn_tandem *sim = tandem_sim(&config);
    pn_tandem_job fine = {.arrival = 5, .map = 1, .shuffle = 1};
    uint64_t id;
    (void)unused;
    assert_int_equal(pn_tandem_submit(NULL, &fine, &id), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_submit(sim, NULL, &id), PN_ERR_ARGUMENT);
    check_refused(sim, (pn_tandem_job){.struct_size = 9, .arrival = 5, .map = 1}, PN_ERR_ARGUMENT);
    check_refused(sim, (pn_tandem_job){.map = 1, .group = 2}, PN_ERR_ARGUMENT);
    check_refused(sim, (pn_tandem_job){.map = 1, .group = UINT32_MAX}, PN_ERR_ARGUMENT);
    for (size_t i = 0; i < sizeof no_amounts / sizeof no_amounts[0]; i++) {
        check_refused(sim, (pn_tandem_job){.arrival = no_amounts[i], .map = 1}, PN_ERR_JOB);
        check_refused(sim, (pn_tandem_job){.map = no_amounts[i]}, PN_ERR_JOB);
        check_refused(sim, (pn_tandem_job){.map = 1, .shuffle = no_amounts[i]}, PN_ERR_JOB);
        if (no_amounts[i] == PN_TANDEM_ESTIMATE_ZERO)
            continue;
        check_refused(sim, (pn_tandem_job){.map = 1, .estimate_map = no_amounts[i]}, PN_ERR_JOB);
        check_refused(sim, (pn_tandem_job){.map = 1, .estimate_shuffle = no_amounts[i]},
                      PN_ERR_JOB);
    }
    assert_int_equal(pn_tandem_submit(sim, &fine, &id), PN_OK);
    assert_int_equal(id, 1);
    check_refused(sim, (pn_tandem_job){.arrival = 4, .map = 1}, PN_ERR_ORDER);
    check_refused(sim, (pn_tandem_job){.arrival = 5 - 0x1p-50, .map = 1}, PN_ERR_ORDER);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 5, .group = 1}, &id), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, 7, UINT64_MAX), PN_DONE);
    check_refused(sim, (pn_tandem_job){.arrival = 6.5, .map = 1}, PN_ERR_LATE);
    fine.arrival = 7;
    assert_int_equal(pn_tandem_submit(sim, &fine, &id), PN_OK);
    assert_int_equal(id, 3);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    check_refused(sim, (pn_tandem_job){.arrival = 7.5, .map = 1}, PN_ERR_LATE); /* it is 8 */
    free(sim);
}

/* Without `estimates` they are ignored, whatever they are. */
static void estimates_are_ignored_unless_asked_for(void **unused)
{
    pn_tandem_config config = small();
    pn_tandem *sim = tandem_sim(&config);
    pn_tandem_job job = {.arrival = 1, .map = 1, .estimate_map = NAN, .estimate_shuffle = -3};
    (void)unused;
    assert_int_equal(pn_tandem_submit(sim, &job, NULL), PN_OK);
    free(sim);
}

/* From the least to the most, together and alone, with both kinds of sharing and at both ends of
 * the speed. */
static void every_amount_in_range_can_be_run(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_maxsrpt(), pn_tandem_ps(),
                                                pn_tandem_splitsrpt(), pn_tandem_bsrpt()};
    static const double speeds[] = {0x1p-64, 1, 0x1p64};
    enum { COUNT = sizeof amounts / sizeof amounts[0] };
    (void)unused;
    for (int p = 0; p < 4; p++)
        for (int s = 0; s < 3; s++)
            for (int one = 0; one < COUNT; one++) {
                pn_tandem_config config = small();
                pn_tandem_hooks hooks = {.policy = policies[p]};
                pn_tandem_totals totals;
                config.speed = speeds[s];
                config.jobs_max = COUNT * COUNT;
                config.estimates = config.statistics = 1;
                config.bounds = PN_TANDEM_BOUNDS_TIGHT;
                pn_tandem *sim = tandem_sim(&config);
                double arrival = amounts[one];
                for (int x = 0; x < COUNT; x++)
                    for (int y = 0; y < COUNT; y++) {
                        pn_tandem_job job = {.arrival = arrival,
                                             amounts[x],
                                             amounts[y],
                                             .estimate_map = amounts[y],
                                             .estimate_shuffle = amounts[one]};
                        assert_int_equal(pn_tandem_submit(sim, &job, NULL), PN_OK);
                    }
                assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX),
                                 PN_DONE);
                pn_tandem_totals_get(sim, &totals);
                assert_int_equal(totals.finished, COUNT * COUNT);
                /* what is due within 64 ulp of the time comes at once (TA21) */
                double rounding = 0x1p-40 * totals.lower_bound_tight +
                                  COUNT * COUNT * 0x1p-46 * totals.last_finish;
                assert_true(totals.total_response_time >= totals.lower_bound - rounding);
                assert_true(totals.total_response_time >= totals.lower_bound_tight - rounding);
                assert_true(totals.lower_bound_tight >= totals.lower_bound - rounding);
                assert_true(totals.total_response_time <= COUNT * COUNT * totals.last_finish);
                free(sim);
            }
}

static void gaps_add_up(void **unused)
{
    pn_tandem_config config = small();
    pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    pn_tandem_totals totals;
    config.gaps = 1;
    pn_tandem *sim = tandem_sim(&config);
    (void)unused;
    for (size_t i = 0; i < sizeof no_amounts / sizeof no_amounts[0]; i++)
        check_refused(sim, (pn_tandem_job){.arrival = no_amounts[i], .map = 1}, PN_ERR_JOB);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 3, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 0, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 4, .map = 2}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.first_arrival == 3 && totals.last_finish == 9 &&
                totals.total_response_time == 5);
    /* the gap is to the last arrival, at 7; nothing may come before the last instant, at 9 */
    check_refused(sim, (pn_tandem_job){.arrival = 1.5, .map = 2}, PN_ERR_LATE);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 2, .map = 2}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.last_finish == 11 && totals.total_response_time == 7);
    assert_int_equal(
        pn_tandem_submit(sim, &(pn_tandem_job){.arrival = PN_TANDEM_MOST, .map = 2}, NULL), PN_OK);
    check_refused(sim, (pn_tandem_job){.arrival = PN_TANDEM_MOST, .map = 2}, PN_ERR_OVERFLOW);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_int_equal(totals.finished, 5);
    free(sim);
}

static void full_tables_take_jobs_again_after_finishes(void **unused)
{
    pn_tandem_config config = small();
    pn_tandem_hooks hooks = {.policy = pn_tandem_maxsrpt()};
    pn_tandem *sim = tandem_sim(&config);
    pn_tandem_totals totals;
    (void)unused;
    for (int i = 0; i < 3; i++)
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 1, .map = 1 + i}, NULL),
                         PN_OK);
    check_refused(sim, (pn_tandem_job){.arrival = 1, .map = 1}, PN_ERR_FULL);
    while (pn_tandem_totals_get(sim, &totals), totals.finished == 0) {
        check_refused(sim, (pn_tandem_job){.arrival = 9, .map = 1}, PN_ERR_FULL);
        assert_int_equal(pn_tandem_step(sim, &hooks), PN_OK);
    }
    assert_true(totals.jobs_held == 2 && totals.in_system == 2);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 9}, NULL), PN_OK);
    check_refused(sim, (pn_tandem_job){.arrival = 9}, PN_ERR_FULL);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_int_equal(totals.finished, 4);
    assert_int_equal(totals.submitted, 4);
    assert_int_equal(totals.jobs_held, 0);
    assert_int_equal(totals.jobs_held_max, 3);
    assert_int_equal(totals.in_system_max, 3);
    free(sim);
}

/* ---- stepping ---- */

static void check_run_refused(pn_tandem *sim, const pn_tandem_hooks *hooks, double until,
                              int expected)
{
    kept before = keep(sim, pn_tandem_block_size(sim));
    assert_int_equal(pn_tandem_run(sim, hooks, until, UINT64_MAX), expected);
    if (until == PN_TANDEM_FOREVER)
        assert_int_equal(pn_tandem_step(sim, hooks), expected);
    check_unchanged(&before);
}

static void run_refuses_and_changes_nothing(void **unused)
{
    static const double wrong[] = {-0.5, -3, -INFINITY, INFINITY, NAN, 1e300};
    pn_tandem_config config = small();
    pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    (void)unused;
    assert_int_equal(pn_tandem_step(NULL, &hooks), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_run(NULL, &hooks, PN_TANDEM_FOREVER, 1), PN_ERR_ARGUMENT);
    for (int bound = 0; bound <= 1; bound++) {
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 1, .map = 2}, NULL),
                         PN_OK);
        if (bound)
            assert_int_equal(pn_tandem_step(sim, &hooks), PN_OK);
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
            check_run_refused(sim, &hooks, wrong[i], PN_ERR_ARGUMENT);
        check_run_refused(sim, NULL, PN_TANDEM_FOREVER, PN_ERR_ARGUMENT);
        check_run_refused(sim, &(pn_tandem_hooks){.policy = NULL}, PN_TANDEM_FOREVER,
                          PN_ERR_POLICY);
        assert_string_equal(pn_tandem_policy_name(sim), bound ? "fcfs" : "");
        free(sim);
    }
}

/* Instants of two jobs under FCFS: 1 (arrival), 3 (mapped and complete), 6 (arrival), 7
 * (complete). */
static void run_stops_where_it_is_told(void **unused)
{
    pn_tandem_config config = small();
    pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    pn_tandem *sim = tandem_sim(&config);
    pn_tandem_totals totals;
    (void)unused;
    assert_int_equal(pn_tandem_step(sim, &hooks), PN_DONE); /* there is nothing */
    assert_int_equal(
        pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 1, .map = 2, .shuffle = 2}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 0), PN_PAUSED);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, 1, UINT64_MAX), PN_OK); /* only what is before 1 */
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.instants == 0 && totals.time == 0 && totals.in_system == 0);
    assert_int_equal(pn_tandem_run(sim, &hooks, 1.5, UINT64_MAX), PN_OK);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.instants == 1 && totals.time == 1 && totals.in_system == 1 &&
                totals.finished == 0);
    /* the last one has arrived */
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, 3, UINT64_MAX), PN_OK);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.instants == 1 && totals.time == 1);
    check_refused(sim, (pn_tandem_job){.arrival = 2.5, .map = 1}, PN_ERR_LATE);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 6, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, 0), PN_PAUSED);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, 1), PN_OK);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.instants == 2 && totals.time == 3 && totals.finished == 1);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 1), PN_PAUSED);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 1), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.instants == 4 && totals.time == 7 && totals.last_finish == 7 &&
                totals.total_response_time == 3);
    assert_true(totals.map_busy == 3 && totals.shuffle_busy == 2 && totals.mean_in_system == 0.5);
    assert_int_equal(pn_tandem_run(sim, &hooks, 20, UINT64_MAX), PN_DONE);
    /* that time was given */
    check_refused(sim, (pn_tandem_job){.arrival = 19, .map = 1}, PN_ERR_LATE);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 20, .map = 1}, NULL), PN_OK);
    free(sim);
}

/* ---- policies ---- */

static void the_first_step_binds_the_policy(void **unused)
{
    const double other_params[] = {50}, same_params[] = {100};
    pn_tandem_config config = small();
    pn_tandem *sim = tandem_sim(&config);
    pn_tandem_policy copy = *pn_tandem_klps();
    pn_tandem_hooks hooks = {.policy = pn_tandem_klps()};
    (void)unused;
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 1, .map = 2}, NULL), PN_OK);
    assert_int_equal(pn_tandem_step(sim, &hooks), PN_OK);
    assert_string_equal(pn_tandem_policy_name(sim), "klps");
    check_run_refused(sim, &(pn_tandem_hooks){.policy = pn_tandem_ps()}, PN_TANDEM_FOREVER,
                      PN_ERR_POLICY);
    check_run_refused(sim, &(pn_tandem_hooks){.policy = pn_tandem_klps(), .params = other_params},
                      PN_TANDEM_FOREVER, PN_ERR_POLICY);
#define OTHER(change)                                                                  \
    do {                                                                               \
        copy = *pn_tandem_klps();                                                      \
        change;                                                                        \
        check_run_refused(sim, &(pn_tandem_hooks){.policy = &copy}, PN_TANDEM_FOREVER, \
                          PN_ERR_POLICY);                                              \
    } while (0)
    OTHER(copy.name = "klpss");
    OTHER(copy.name = NULL);
    OTHER(copy.state_bytes += 8);
    OTHER(copy.state_bytes_per_job += 8);
    OTHER(copy.order_count++);
    OTHER(copy.order_count = PN_TANDEM_ORDERS_MAX + 1);
    OTHER(copy.struct_size = 9);
    OTHER(copy.param_count = 0);
    OTHER(copy.orders[0].changes ^= 2);
    OTHER(copy.shuffle.way = PN_TANDEM_RIGID);
#undef OTHER
    check_run_refused(sim, &(pn_tandem_hooks){.struct_size = 9, .policy = pn_tandem_klps()},
                      PN_TANDEM_FOREVER, PN_ERR_ARGUMENT);
    copy = *pn_tandem_klps();
    /* another table of the same kind */
    hooks = (pn_tandem_hooks){.policy = &copy, .params = same_params};
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
}

static void check_params(const pn_tandem_policy *policy, double value, int expected)
{
    pn_tandem_config config = small();
    pn_tandem *sim = tandem_sim(&config);
    pn_tandem_hooks hooks = {.policy = policy, .params = &value};
    if (expected == PN_OK)
        assert_int_equal(pn_tandem_step(sim, &hooks), PN_DONE);
    else
        check_run_refused(sim, &hooks, PN_TANDEM_FOREVER, expected);
    free(sim);
}

static void parameters_have_their_ranges(void **unused)
{
    const struct {
        const pn_tandem_policy *policy;
        double good[3], bad[4];
    } cases[] = {
        {pn_tandem_klps(), {1, 100, 7}, {0, -1, 1.5, NAN}},
        {pn_tandem_klps_rigid(), {1, 100, 7}, {0, -1, INFINITY, NAN}},
        {pn_tandem_maxsrpt(), {0, 1, -0.0}, {-1, 2, 0.5, NAN}},
        {pn_tandem_splitsrpt(), {0, 1, 2}, {-1, 3, 1.5, NAN}},
        {pn_tandem_bsrpt(), {0, 0.3, 1e9}, {-1, -5e-324, -INFINITY, NAN}},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(cases[i].policy->param_count, 1);
        for (int k = 0; k < 3; k++)
            check_params(cases[i].policy, cases[i].good[k], PN_OK);
        for (int k = 0; k < 4; k++)
            check_params(cases[i].policy, cases[i].bad[k], PN_ERR_ARGUMENT);
    }
}

/* Without init, a policy has one engine, and its block no tables of the others. */
static void a_block_for_one_policy_has_its_engine_alone(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs(), pn_tandem_ps(),
                                                pn_tandem_splitsrpt()};
    enum { COUNT = sizeof policies / sizeof *policies };
    pn_tandem_config config = small();
    (void)unused;
    size_t any = pn_tandem_size(&config);
    for (int own = 0; own < COUNT; own++) {
        config.policy = policies[own];
        assert_true(pn_tandem_size(&config) < any);
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1, .shuffle = 1}, NULL),
                         PN_OK);
        for (int other = 0; other < COUNT; other++)
            if (other != own)
                check_run_refused(sim, &(pn_tandem_hooks){.policy = policies[other]},
                                  PN_TANDEM_FOREVER, PN_ERR_POLICY);
        assert_int_equal(
            pn_tandem_run(sim, &(pn_tandem_hooks){.policy = policies[own]}, PN_TANDEM_FOREVER, 9),
            PN_DONE);
        free(sim);
    }
}

/* Checks that a block tells each of these members, which are no rows of settings. */
static void check_others(const pn_tandem *sim, const pn_tandem_config *config)
{
    pn_tandem_config others[] = {*config, *config, *config, *config, *config, *config};
    others[0].speed *= 2;
    others[1].bucket_width = 3;
    others[2].replica++;
    others[3].seed++;
    others[4].warmup_jobs++;
    others[5].warmup_time = 1;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(pn_tandem_configured(sim, &others[i]), 0);
}

static void a_block_knows_the_configuration_it_was_made_for(void **unused)
{
    pn_tandem_policy policy = *pn_tandem_fcfs();
    pn_tandem_config config = small();
    pn_tandem *sim = tandem_sim(&config);
    (void)unused;
    assert_int_equal(pn_tandem_configured(sim, &config), 1);
    assert_int_equal(pn_tandem_configured(NULL, &config), 0);
    check_others(sim, &config);
    config.policy = &policy;
    policy.state_bytes = 8 * pn_tandem_size(&config); /* another size of its memory */
    assert_int_equal(pn_tandem_configured(sim, &config), 0);
    policy.state_bytes = SIZE_MAX / 2; /* more than there can be */
    assert_int_equal(pn_tandem_configured(sim, &config), 0);
    config.speed = -1;
    assert_int_equal(pn_tandem_configured(sim, &config), 0);
    free(sim);
}

static void a_block_for_one_policy_has_no_room_for_a_larger_one(void **unused)
{
    pn_tandem_policy larger = *pn_tandem_fcfs();
    pn_tandem_config config = small();
    (void)unused;
    larger.name = "larger";
    larger.state_bytes_per_job = 4096;
    size_t size = pn_tandem_size(&config);
    config.policy = pn_tandem_fcfs();
    assert_true(pn_tandem_size(&config) <= size);
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1}, NULL), PN_OK);
    check_run_refused(sim, &(pn_tandem_hooks){.policy = &larger}, PN_TANDEM_FOREVER, PN_ERR_POLICY);
    assert_int_equal(
        pn_tandem_run(sim, &(pn_tandem_hooks){.policy = pn_tandem_fcfs()}, PN_TANDEM_FOREVER, 9),
        PN_DONE);
    free(sim);
    config.policy = &larger;
    assert_true(pn_tandem_size(&config) > size);
    sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1}, NULL), PN_OK);
    assert_int_equal(
        pn_tandem_run(sim, &(pn_tandem_hooks){.policy = &larger}, PN_TANDEM_FOREVER, 9), PN_DONE);
    free(sim);
    larger.state_bytes_per_job = SIZE_MAX / 2;
    assert_int_equal(pn_tandem_size(&config), 0);
    assert_int_equal(pn_tandem_init(&sim, &config, SIZE_MAX, &config), PN_ERR_CONFIG);
}

static void names(void **unused)
{
    static const char *const all[] = {
        "fcfs",    "ps",      "klps",    "klps_rigid",  "fcfs_ps", "maxsrpt",  "splitsrpt",
        "srptmap", "srptsum", "johnson", "srptshuffle", "bsrpt",   "priority", "xmax"};
    size_t count = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_non_null(pn_tandem_policy_find(all[i]));
    for (; pn_tandem_policy_at(count); count++) {
        const pn_tandem_policy *policy = pn_tandem_policy_at(count);
        assert_ptr_equal(pn_tandem_policy_find(policy->name), policy);
        assert_non_null(policy->summary);
        assert_non_null(policy->source);
        for (int i = 0; i < policy->param_count; i++)
            assert_true(policy->params[i].name && policy->params[i].doc);
    }
    assert_int_equal(count, sizeof all / sizeof all[0]);
    assert_null(pn_tandem_policy_find(NULL));
    assert_null(pn_tandem_policy_find(""));
    assert_null(pn_tandem_policy_find("fcf"));
    assert_null(pn_tandem_policy_find("fcfs_"));
}

/* ---- from inside of hooks ---- */

typedef struct inside {
    pn_tandem *sim;
    const pn_tandem_hooks *hooks;
    unsigned finishes, decisions, submitted;
} inside;

/* What is forbidden is refused, what is allowed works. */
static void try_everything(inside *in)
{
    pn_tandem *opened = NULL;
    pn_tandem_totals totals;
    assert_int_equal(pn_tandem_step(in->sim, in->hooks), PN_ERR_BUSY);
    assert_int_equal(pn_tandem_run(in->sim, in->hooks, PN_TANDEM_FOREVER, 1), PN_ERR_BUSY);
    assert_int_equal(pn_tandem_run(in->sim, in->hooks, 100, UINT64_MAX), PN_ERR_BUSY);
    assert_int_equal(pn_tandem_open(&opened, in->sim, pn_tandem_block_size(in->sim)), PN_ERR_BUSY);
    assert_null(opened);
    pn_tandem_totals_get(in->sim, &totals);
    assert_true(totals.time > 0 && totals.submitted == in->submitted);
    assert_string_equal(pn_tandem_policy_name(in->sim), "inside");
    pn_tandem_digest(in->sim);
}

static void from_finish(void *user, const pn_tandem_finish *finish)
{
    inside *in = user;
    in->finishes++;
    try_everything(in);
    assert_int_equal(pn_tandem_submit(in->sim, &(pn_tandem_job){.arrival = 0.5, .map = 1}, NULL),
                     PN_ERR_ORDER);
    if (in->submitted == 10)
        return;
    uint64_t id;
    assert_int_equal(
        pn_tandem_submit(in->sim,
                         &(pn_tandem_job){.arrival = finish->finish + 0.5, .map = 1, .shuffle = 1},
                         &id),
        PN_OK);
    assert_int_equal(id, ++in->submitted);
}

static void from_decision(void *user, const pn_tandem_decision *decision)
{
    inside *in = user;
    in->decisions++;
    assert_int_equal(decision->kind, PN_TANDEM_RATES);
    try_everything(in);
}

static int from_act(pn_tandem_view *view)
{
    try_everything(pn_tandem_user(view));
    int status = pn_tandem_fill_map(view, 0, PN_TANDEM_MOST, NULL);
    return status == PN_OK ? pn_tandem_fill_shuffle(view, 1, PN_TANDEM_MOST, NULL) : status;
}

static int from_arrive(pn_tandem_view *view, uint32_t job)
{
    (void)job;
    try_everything(pn_tandem_user(view));
    return PN_OK;
}

static void hooks_may_ask_and_submit_and_nothing_else(void **unused)
{
    const pn_tandem_policy policy = {
        .name = "inside",
        .order_count = 2,
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                   {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG}},
        .act = from_act,
        .arrive = from_arrive};
    pn_tandem_config config = small();
    inside in = {.submitted = 1};
    pn_tandem_hooks hooks = {.policy = &policy, NULL, from_finish, from_decision, &in};
    (void)unused;
    config.policy = &policy;
    in.sim = tandem_sim(&config);
    in.hooks = &hooks;
    assert_int_equal(
        pn_tandem_submit(in.sim, &(pn_tandem_job){.arrival = 1, .map = 1, .shuffle = 2}, NULL),
        PN_OK);
    assert_int_equal(pn_tandem_run(in.sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    assert_true(in.finishes == 10 && in.submitted == 10 && in.decisions >= 10);
    free(in.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_names_the_field),
        cmocka_unit_test(the_limits_themselves_are_fine),
        cmocka_unit_test(the_check_looks_at_the_policy),
        cmocka_unit_test(submit_refuses_and_changes_nothing),
        cmocka_unit_test(estimates_are_ignored_unless_asked_for),
        cmocka_unit_test(every_amount_in_range_can_be_run),
        cmocka_unit_test(gaps_add_up),
        cmocka_unit_test(full_tables_take_jobs_again_after_finishes),
        cmocka_unit_test(run_refuses_and_changes_nothing),
        cmocka_unit_test(run_stops_where_it_is_told),
        cmocka_unit_test(the_first_step_binds_the_policy),
        cmocka_unit_test(parameters_have_their_ranges),
        cmocka_unit_test(a_block_for_one_policy_has_its_engine_alone),
        cmocka_unit_test(a_block_knows_the_configuration_it_was_made_for),
        cmocka_unit_test(a_block_for_one_policy_has_no_room_for_a_larger_one),
        cmocka_unit_test(names),
        cmocka_unit_test(hooks_may_ask_and_submit_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
