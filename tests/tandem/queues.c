/* A tandem queue whose jobs need one station only is a single-server queue, and those have
 * formulas: Pollaczek-Khinchine for FCFS, E[S] / (1 - rho) for processor sharing whatever the
 * sizes' distribution, Schrage and Miller's for SRPT. Simulated means must lie within 4.5 standard
 * errors of them, and these must be small enough for that to say something. Seeds are fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "pinion.h"

#define LOAD            0.5
#define JOBS            400000
#define WARMUP          1000
#define STANDARD_ERRORS 4.5
/* What the standard errors allowed may come to, as a share of the mean */
#define NARROW        0.03
#define NARROW_BUCKET 0.05

/* ---- service times of mean 1 ---- */

enum service { EXPONENTIAL, DETERMINISTIC, UNIFORM, LOGNORMAL, SERVICES };

static const char *const service_names[SERVICES] = {"exponential", "deterministic", "uniform",
                                                    "log-normal"};

#define LOGNORMAL_SD 0.8

static double service_draw(enum service service, pn_stream *stream)
{
    switch (service) {
    case EXPONENTIAL:
        return pn_exponential(stream, 1);
    case UNIFORM:
        return 2 * pn_uniform01(stream);
    case LOGNORMAL:
        return pn_lognormal(stream, 1, LOGNORMAL_SD);
    default:
        return 1;
    }
}

static double service_second_moment(enum service service)
{
    static const double moments[SERVICES] = {2, 1, 4.0 / 3, 1 + LOGNORMAL_SD * LOGNORMAL_SD};
    return moments[service];
}

/* The distribution function, by the C library: it shares nothing with the draws. */
static double service_below(enum service service, double x)
{
    double variance = log(1 + LOGNORMAL_SD * LOGNORMAL_SD);
    switch (service) {
    case EXPONENTIAL:
        return 1 - exp(-x);
    case UNIFORM:
        return x < 2 ? x / 2 : 1;
    case LOGNORMAL:
        return 0.5 * erfc(-(log(x) + variance / 2) / sqrt(2 * variance));
    default:
        return x >= 1;
    }
}

/* ---- formulas ---- */

static double pollaczek_khinchine(enum service service)
{
    return 1 + LOAD * service_second_moment(service) / (2 * (1 - LOAD));
}

/* A job of size x responds in lambda (m2(x) + x^2 (1 - F(x))) / (2 (1 - rho(x))^2) + the integral
 * of dt / (1 - rho(t)) up to x, where m2 and rho / lambda are the second and first moments of the
 * sizes up to x. Summed over cells that grow with x. */
static double schrage_miller(enum service service)
{
    enum { CELLS = 20000 };
    const double low = 1e-8;
    const double high = 1e3;
    double growth = pow(high / low, 1.0 / CELLS);
    double mean = 0;
    double first = 0;
    double second = 0;
    double residence = 0;
    double x = low;
    for (int i = 0; i < CELLS; i++, x *= growth) {
        double middle = x * sqrt(growth);
        double mass = service_below(service, x * growth) - service_below(service, x);
        double idle = 1 - LOAD * (first + mass * middle / 2);
        double reached = second + mass * middle * middle / 2 +
                         middle * middle * (1 - service_below(service, middle));
        double width = x * (growth - 1);
        mean += mass * (LOAD * reached / (2 * idle * idle) + residence + width / 2 / idle);
        residence += width / idle;
        first += mass * middle;
        second += mass * middle * middle;
    }
    assert_true(fabs(first - 1) < 1e-4);
    assert_true(fabs(second / service_second_moment(service) - 1) < 1e-3);
    return mean;
}

/* ---- simulations ---- */

enum { BUCKETS = 8, BATCHES = 32, BUCKET_WIDTH_INVERSE = 4, STATION_MAP = 0, STATION_SHUFFLE = 1 };

/* What the hook adds up itself: slowdowns by size, and by a batch of consecutive jobs. */
typedef struct sums {
    double slowdown[BUCKETS + 1][BATCHES];
    double squares[BUCKETS + 1];
    uint64_t count[BUCKETS + 1][BATCHES];
    uint64_t jobs;
} sums;

typedef struct queue {
    pn_tandem *sim;
    sums sums;
    double work; /* all sizes */
    pn_tandem_totals totals;
} queue;

static void add_up(void *user, const pn_tandem_finish *finish)
{
    sums *s = user;
    if (finish->id <= WARMUP)
        return;
    double size = finish->map + finish->shuffle;
    size_t bucket = size < (double)BUCKETS / BUCKET_WIDTH_INVERSE
                        ? (size_t)(size * BUCKET_WIDTH_INVERSE)
                        : BUCKETS;
    size_t batch = (size_t)((finish->id - WARMUP - 1) * BATCHES / s->jobs);
    s->slowdown[bucket][batch] += finish->slowdown;
    s->squares[bucket] += finish->slowdown * finish->slowdown;
    s->count[bucket][batch]++;
}

typedef struct setting {
    const pn_tandem_policy *policy;
    const double *params;
    enum service service;
    int station;
    uint64_t jobs;
    double speed;
} setting;

/* Poisson arrivals at the load, drawn on the way; the same ones whatever the policy, station and
 * speed. */
static void simulate(queue *q, setting given)
{
    pn_tandem_config config = pn_tandem_defaults();
    pn_stream stream;
    config.jobs_max = 4096;
    config.gaps = 1;
    config.statistics = 1;
    config.buckets_max = BUCKETS;
    config.bucket_width = 1.0 / BUCKET_WIDTH_INVERSE;
    config.warmup_jobs = WARMUP;
    config.speed = given.speed;
    config.policy = given.policy;
    config.no_digest = 1;
    *q = (queue){.sums.jobs = given.jobs};
    size_t size = pn_tandem_size(&config);
    assert_int_equal(pn_tandem_init(&q->sim, malloc(size), size, &config), PN_OK);
    pn_tandem_hooks hooks = {
        .policy = given.policy, .params = given.params, .on_finish = add_up, .user = &q->sums};
    pn_stream_init(&stream, 20131, given.service, 0);
    for (uint64_t i = 1; i <= WARMUP + given.jobs; i++) {
        pn_tandem_job job = {.arrival = pn_exponential(&stream, 1 / LOAD)};
        double work = given.speed * service_draw(given.service, &stream);
        *(given.station == STATION_MAP ? &job.map : &job.shuffle) = work;
        q->work += work;
        assert_int_equal(pn_tandem_submit(q->sim, &job, NULL), PN_OK);
        if (i % 256 == 0)
            assert_int_equal(pn_tandem_run(q->sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX), PN_OK);
    }
    assert_int_equal(pn_tandem_run(q->sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(q->sim, &q->totals);
    assert_int_equal(q->totals.finished, WARMUP + given.jobs);
}

static void check_mean(const char *what, double mean, double error, double expected, double narrow)
{
    if (!(STANDARD_ERRORS * error < narrow * expected))
        fail_msg("%s: a standard error of %g beside %g is too wide to tell anything", what, error,
                 expected);
    if (!(fabs(mean - expected) <= STANDARD_ERRORS * error))
        fail_msg("%s: %.5f, not %.5f; %.1f standard errors off", what, mean, expected,
                 (mean - expected) / error);
}

/* Of means of batches. */
static double standard_error(const double *means, size_t count)
{
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += means[i];
    for (size_t i = 0; i < count; i++)
        squares += (means[i] - sum / (double)count) * (means[i] - sum / (double)count);
    return sqrt(squares / (double)(count - 1) / (double)count);
}

static void check_response(const queue *q, const char *what, double expected)
{
    const pn_stats *stats = pn_tandem_response_times(q->sim, PN_ALL_GROUPS);
    const pn_batches *batches = pn_tandem_batches(q->sim);
    assert_true(stats->count == q->sums.jobs);
    assert_true(batches->count >= PN_BATCHES_MAX / 2);
    check_mean(what, stats->mean, standard_error(batches->mean, batches->count), expected, NARROW);
}

/* ---- the tests ---- */

static void fcfs_follows_pollaczek_and_khinchine(void **unused)
{
    (void)unused;
    for (enum service service = 0; service < SERVICES; service++) {
        queue q;
        simulate(&q, (setting){pn_tandem_fcfs(), NULL, service, STATION_MAP, JOBS, 1});
        check_response(&q, service_names[service], pollaczek_khinchine(service));
        free(q.sim);
    }
}

/* SRPT never preempts for a job of the same size. */
static void srpt_follows_schrage_and_miller(void **unused)
{
    (void)unused;
    for (enum service service = 0; service < SERVICES; service++) {
        queue q;
        simulate(&q, (setting){pn_tandem_srptmap(), NULL, service, STATION_MAP, JOBS, 1});
        check_response(&q, service_names[service],
                       service == DETERMINISTIC ? pollaczek_khinchine(service)
                                                : schrage_miller(service));
        free(q.sim);
    }
}

/* The mean slowdown of every size is 1 / (1 - rho). */
static void check_slowdowns(const queue *q)
{
    uint64_t all = 0;
    for (size_t b = 0; b <= BUCKETS; b++) {
        const pn_tandem_bucket *bucket = pn_tandem_slowdown_bucket(q->sim, (uint32_t)b);
        double means[BATCHES];
        double sum = 0;
        uint64_t count = 0;
        for (size_t i = 0; i < BATCHES; i++) {
            means[i] = q->sums.slowdown[b][i] / (double)q->sums.count[b][i];
            sum += q->sums.slowdown[b][i];
            count += q->sums.count[b][i];
        }
        assert_true(bucket->count == count);
        assert_true(fabs(bucket->sum - sum) <= 1e-9 * sum);
        assert_true(fabs(bucket->squares - q->sums.squares[b]) <= 1e-9 * q->sums.squares[b]);
        all += count;
        if (count > 0) {
            char what[64];
            snprintf(what, sizeof what, "slowdown in bucket %zu", b);
            check_mean(what, sum / (double)count, standard_error(means, BATCHES), 1 / (1 - LOAD),
                       NARROW_BUCKET);
        }
    }
    assert_true(all == q->sums.jobs);
    assert_null(pn_tandem_slowdown_bucket(q->sim, BUCKETS + 1));
}

static void processor_sharing_is_insensitive_and_fair(void **unused)
{
    (void)unused;
    for (enum service service = 0; service < SERVICES; service++) {
        queue q;
        simulate(&q, (setting){pn_tandem_ps(), NULL, service, STATION_MAP, JOBS, 1});
        check_response(&q, service_names[service], 1 / (1 - LOAD));
        check_slowdowns(&q);
        free(q.sim);
    }
}

/* N = lambda T, and a station works for the time its load says: exactly for this run's own numbers,
 * and nearly for those that the arrivals and sizes were drawn with. */
static void littles_law_and_utilisation_hold(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs(), pn_tandem_ps(),
                                                pn_tandem_srptmap()};
    (void)unused;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        for (int station = STATION_MAP; station <= STATION_SHUFFLE; station++) {
            queue q;
            simulate(&q, (setting){policies[i], NULL, EXPONENTIAL, station, JOBS / 4, 1});
            const pn_tandem_totals *t = &q.totals;
            double jobs = (double)t->finished;
            double span = t->time - t->first_arrival;
            double mean = t->total_response_time / jobs;
            double busy = station == STATION_MAP ? t->map_busy : t->shuffle_busy;
            assert_true(fabs(t->mean_in_system - jobs / span * mean) <= 1e-9 * t->mean_in_system);
            assert_true(fabs(busy - q.work) <= 1e-9 * q.work);
            assert_true(t->map_busy + t->shuffle_busy == busy);
            assert_true(t->time == t->last_finish);
            /* Gaps and sizes have coefficient of variation 1: what is busy of the time varies as
             * the quotient of their sums. */
            check_mean("utilisation", busy / span, LOAD * sqrt(2 / jobs), LOAD, NARROW);
            check_mean("throughput", jobs / span, LOAD * sqrt(1 / jobs), LOAD, NARROW);
            free(q.sim);
        }
}

/* The same arrivals and sizes: the total response time must be the same to rounding. */
static void check_same(setting a, setting b)
{
    queue one;
    queue other;
    a.jobs = b.jobs = JOBS / 20;
    simulate(&one, a);
    simulate(&other, b);
    double expected = one.totals.total_response_time;
    if (!(fabs(other.totals.total_response_time - expected) <= 1e-9 * expected))
        fail_msg("%s at station %d: %.17g, not %.17g as %s at station %d", b.policy->name,
                 b.station, other.totals.total_response_time, expected, a.policy->name, a.station);
    assert_true(one.totals.in_system_max == other.totals.in_system_max);
    free(one.sim);
    free(other.sim);
}

static void the_shuffle_station_alone_is_the_same_queue(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs(), pn_tandem_ps(),
                                                pn_tandem_srptmap()};
    (void)unused;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        for (enum service service = 0; service < SERVICES; service++)
            check_same((setting){policies[i], NULL, service, STATION_MAP, 0, 1},
                       (setting){policies[i], NULL, service, STATION_SHUFFLE, 0, 1});
}

static void twice_the_speed_does_twice_the_work(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs(), pn_tandem_ps(),
                                                pn_tandem_srptmap()};
    (void)unused;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        for (int station = STATION_MAP; station <= STATION_SHUFFLE; station++)
            check_same((setting){policies[i], NULL, LOGNORMAL, station, 0, 1},
                       (setting){policies[i], NULL, LOGNORMAL, station, 0, 2});
}

/* With one size to look at, all of these look at the same. */
static void whatever_goes_by_sizes_is_srpt_at_a_single_station(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_maxsrpt(),     pn_tandem_srptsum(),
                                                pn_tandem_srptshuffle(), pn_tandem_splitsrpt(),
                                                pn_tandem_bsrpt(),       pn_tandem_xmax()};
    static const double strict[] = {0};
    (void)unused;
    for (int station = STATION_MAP; station <= STATION_SHUFFLE; station++) {
        setting srpt = {pn_tandem_srptmap(), NULL, LOGNORMAL, station, 0, 1};
        for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
            check_same(srpt, (setting){policies[i], NULL, LOGNORMAL, station, 0, 1});
        check_same(srpt, (setting){pn_tandem_maxsrpt(), strict, LOGNORMAL, station, 0, 1});
    }
}

static void sharing_limited_to_one_job_is_fcfs_and_unlimited_is_processor_sharing(void **unused)
{
    static const double one[] = {1};
    static const double many[] = {4096};
    (void)unused;
    setting fcfs = {pn_tandem_fcfs(), NULL, LOGNORMAL, STATION_MAP, 0, 1};
    setting ps = {pn_tandem_ps(), NULL, LOGNORMAL, STATION_MAP, 0, 1};
    check_same(fcfs, (setting){pn_tandem_klps(), one, LOGNORMAL, STATION_MAP, 0, 1});
    check_same(fcfs, (setting){pn_tandem_klps_rigid(), one, LOGNORMAL, STATION_MAP, 0, 1});
    check_same(fcfs, (setting){pn_tandem_fcfs_ps(), NULL, LOGNORMAL, STATION_MAP, 0, 1});
    check_same(ps, (setting){pn_tandem_klps(), many, LOGNORMAL, STATION_MAP, 0, 1});
    check_same(ps, (setting){pn_tandem_klps(), one, LOGNORMAL, STATION_SHUFFLE, 0, 1});
    check_same(ps, (setting){pn_tandem_klps_rigid(), many, LOGNORMAL, STATION_SHUFFLE, 0, 1});
    check_same(ps, (setting){pn_tandem_fcfs_ps(), NULL, LOGNORMAL, STATION_SHUFFLE, 0, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcfs_follows_pollaczek_and_khinchine),
        cmocka_unit_test(srpt_follows_schrage_and_miller),
        cmocka_unit_test(processor_sharing_is_insensitive_and_fair),
        cmocka_unit_test(littles_law_and_utilisation_hold),
        cmocka_unit_test(the_shuffle_station_alone_is_the_same_queue),
        cmocka_unit_test(twice_the_speed_does_twice_the_work),
        cmocka_unit_test(whatever_goes_by_sizes_is_srpt_at_a_single_station),
        cmocka_unit_test(sharing_limited_to_one_job_is_fcfs_and_unlimited_is_processor_sharing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
