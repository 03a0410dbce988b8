/* Forks have futures of their own. However jobs are fed and time is cut into calls, the schedule is
 * the same. And statistics: exact where they promise it, and never seen in the schedule. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tandem/support/workload.h"

enum { JOBS = 120, GROUPS = 3, BUCKETS = 12 };

static const tandem_shape shapes[] = {
    {.rate = 0.75, .map = 1, .shuffle = 1, .estimates = 1, .groups = GROUPS},
    /* many ties, exact sums */
    {.rate = 0.7, .map = 1, .shuffle = 1.2, .grain = 4, .odd = 1, .groups = GROUPS},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Everything switched on, so that everything has to survive. */
static pn_tandem_config full_config(const tandem_workload *work, const pn_tandem_policy *policy,
                                    uint32_t traditional)
{
    pn_tandem_config config = tandem_config(work, traditional);
    config.estimates = config.statistics = 1;
    config.groups_max = GROUPS;
    config.buckets_max = BUCKETS;
    config.bucket_width = 0.25;
    config.bounds = PN_TANDEM_BOUNDS_TIGHT;
    config.policy = policy;
    return config;
}

static pn_tandem *reopen(void *block, size_t size)
{
    pn_tandem *sim = NULL;
    assert_int_equal(pn_tandem_open(&sim, block, size), PN_OK);
    return sim;
}

/* Between two rooms, one of which starts at an odd multiple of 8. The old bytes are scribbled over:
 * a pointer left behind would find rubbish. */
typedef struct rooms {
    unsigned char *room[2];
    int now;
} rooms;

static pn_tandem *by_copy(pn_tandem *sim, rooms *r)
{
    size_t size = pn_tandem_block_size(sim);
    unsigned char *next = r->room[1 - r->now] + (r->now == 0 ? 8 : 0);
    r->now = 1 - r->now;
    memcpy(next, sim, size);
    memset(sim, 0xA5, size);
    return reopen(next, size);
}

static void check_same_totals(const pn_tandem_totals *a, const pn_tandem_totals *b)
{
    assert_true(a->time == b->time && a->submitted == b->submitted && a->finished == b->finished);
    assert_true(a->total_response_time == b->total_response_time);
    assert_true(a->first_arrival == b->first_arrival && a->last_finish == b->last_finish);
    assert_true(a->lower_bound == b->lower_bound && a->lower_bound_tight == b->lower_bound_tight);
    assert_true(a->mean_in_system == b->mean_in_system);
    assert_true(a->map_busy == b->map_busy && a->shuffle_busy == b->shuffle_busy);
    assert_true(a->instants == b->instants && a->decisions == b->decisions);
    assert_true(a->in_system == b->in_system && a->in_system_max == b->in_system_max);
}

/* ---- forks ---- */

/* From every seventh instant on, the run is resumed in a fork, and a future with other jobs is
 * tried in a second one: the first ends as the parent will, the second as a run of its own does. */
static void check_forks(const tandem_workload *work, const tandem_workload *other,
                        const pn_tandem_policy *policy, uint32_t traditional)
{
    pn_tandem_config config = full_config(work, policy, traditional);
    pn_tandem_hooks hooks = {.policy = policy};
    size_t half = work->count / 2;
    pn_tandem *parent = tandem_sim(&config);
    size_t size = pn_tandem_block_size(parent);
    void *fork_block = workload_room(size);
    uint64_t futures[2] = {0, 0};
    unsigned forks = 0;
    assert_int_equal(tandem_submit(parent, work, 0, half), PN_OK);
    do {
        for (int future = 0; future < 2; future++) {
            const tandem_workload *later = future == 0 ? work : other;
            memcpy(fork_block, parent, size);
            pn_tandem *fork = reopen(fork_block, size);
            assert_int_equal(tandem_submit(fork, later, later == work ? half : 0, later->count),
                             PN_OK);
            assert_int_equal(pn_tandem_run(fork, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
            if (forks == 0)
                futures[future] = pn_tandem_digest(fork);
            /* whenever forked, the same jobs came at the same time */
            assert_true(pn_tandem_digest(fork) == futures[future]);
        }
        forks++;
    } while (pn_tandem_run(parent, &hooks, PN_TANDEM_FOREVER, 7) == PN_PAUSED);
    assert_in_range(forks, 10, 1000);
    assert_int_equal(tandem_submit(parent, work, half, work->count), PN_OK);
    assert_int_equal(pn_tandem_run(parent, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    assert_true(pn_tandem_digest(parent) == futures[0] && futures[0] != futures[1]);
    assert_true(tandem_digest(work, &config, &hooks, NULL) == futures[0]);
    free(fork_block);
    free(parent);
}

static void forks_do_not_disturb(void **unused)
{
    tandem_workload work = tandem_new(80, 52, shapes[0]);
    tandem_workload other = tandem_new(40, 53, shapes[0]);
    (void)unused;
    /* The second half and the other future begin when the first half is done for certain. */
    for (size_t i = work.count / 2; i < work.count; i++)
        work.jobs[i].arrival += 10000;
    for (size_t i = 0; i < other.count; i++)
        other.jobs[i].arrival += 10000;
    for (size_t i = 0; pn_tandem_policy_at(i); i++)
        for (uint32_t traditional = 0; traditional <= 1; traditional++)
            check_forks(&work, &other, pn_tandem_policy_at(i), traditional);
    tandem_free(&work);
    tandem_free(&other);
}

/* ---- feeding ---- */

enum {
    ONE_AT_A_TIME,
    FIVE_AT_A_TIME,
    UNTIL_ARRIVALS,
    CUT_BY_TIME,
    CUT_BY_INSTANTS,
    CUT_BY_BOTH,
    MANNERS
};

/* One call of a run that is cut into pieces; true when something is left of it. */
static bool next_piece(pn_tandem *sim, const pn_tandem_hooks *hooks, int manner, double until,
                       pn_stream *stream)
{
    pn_tandem_totals totals;
    pn_tandem_totals_get(sim, &totals);
    double to = totals.time + pn_exponential(stream, 2);
    bool by_time = manner == CUT_BY_TIME || manner == CUT_BY_BOTH;
    bool by_instants = manner == CUT_BY_INSTANTS || manner == CUT_BY_BOTH;
    bool last = !by_time || (until >= 0 && to >= until);
    uint64_t instants = by_instants ? pn_uniform(stream, 0, 3) : UINT64_MAX;
    int status = pn_tandem_run(sim, hooks, last ? until : to, instants);
    assert_in_range(status, PN_OK, PN_PAUSED);
    if (status == PN_DONE)
        return false;
    return status == PN_PAUSED || !last;
}

static void run_in_pieces(pn_tandem *sim, const pn_tandem_hooks *hooks, int manner, double until,
                          pn_stream *stream)
{
    for (int pieces = 0; next_piece(sim, hooks, manner, until, stream); pieces++)
        assert_in_range(pieces, 0, 100000);
}

static uint64_t digest_of_feeding(const tandem_workload *work, const pn_tandem_config *config,
                                  const pn_tandem_hooks *hooks, int manner,
                                  pn_tandem_totals *totals)
{
    pn_tandem *sim = tandem_sim(config);
    pn_stream stream;
    size_t batch = manner == FIVE_AT_A_TIME ? 5 : manner >= CUT_BY_TIME ? 9 : 1;
    pn_stream_init(&stream, 54, 0, 9);
    for (size_t i = 0; i < work->count; i += batch) {
        size_t to = i + batch < work->count ? i + batch : work->count;
        if (manner == UNTIL_ARRIVALS || manner == CUT_BY_TIME)
            run_in_pieces(sim, hooks, manner, work->jobs[i].arrival, &stream);
        assert_int_equal(tandem_submit(sim, work, i, to), PN_OK);
        if (manner != UNTIL_ARRIVALS && manner != CUT_BY_TIME)
            run_in_pieces(sim, hooks, manner == CUT_BY_BOTH ? CUT_BY_INSTANTS : manner,
                          PN_TANDEM_ARRIVAL, &stream);
    }
    run_in_pieces(sim, hooks, manner, PN_TANDEM_FOREVER, &stream);
    assert_int_equal(pn_tandem_run(sim, hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(sim, totals);
    uint64_t digest = pn_tandem_digest(sim);
    free(sim);
    return digest;
}

/* Jobs leave their places to others: there is room for little more than those present. */
static void feeding_does_not_matter(void **unused)
{
    (void)unused;
    for (int shape = 0; shape < SHAPES; shape++) {
        tandem_workload work = tandem_new(JOBS, 55, shapes[shape]);
        for (size_t i = 0; pn_tandem_policy_at(i); i++)
            for (uint32_t traditional = 0; traditional <= 1; traditional++) {
                pn_tandem_hooks hooks = {.policy = pn_tandem_policy_at(i)};
                pn_tandem_config config = full_config(&work, hooks.policy, traditional);
                pn_tandem_totals at_once, fed;
                uint64_t digest = tandem_digest(&work, &config, &hooks, &at_once);
                for (int manner = 0; manner < MANNERS; manner++) {
                    config.jobs_max = at_once.in_system_max + (manner == FIVE_AT_A_TIME ? 5
                                                               : manner >= CUT_BY_TIME  ? 9
                                                                                        : 1);
                    assert_true(digest_of_feeding(&work, &config, &hooks, manner, &fed) == digest);
                    check_same_totals(&at_once, &fed);
                }
            }
        tandem_free(&work);
    }
}

/* ---- gaps ---- */

typedef struct finishes {
    double at[JOBS];
} finishes;

static void note_finish(void *user, const pn_tandem_finish *finish)
{
    finishes *f = user;
    f->at[finish->id - 1] = finish->finish;
}

/* Gaps between arrivals say the same as arrivals, but for rounding: what counts as one instant
 * depends on the offset with them, on the time since the start without. */
static void gaps_say_the_same(void **unused)
{
    static const int manners[] = {ONE_AT_A_TIME, FIVE_AT_A_TIME, CUT_BY_INSTANTS};
    tandem_workload work = tandem_new(JOBS, 56, shapes[0]);
    tandem_workload gaps = tandem_new(JOBS, 56, shapes[0]);
    (void)unused;
    for (size_t i = work.count - 1; i > 0; i--)
        gaps.jobs[i].arrival -= gaps.jobs[i - 1].arrival;
    for (size_t i = 0; pn_tandem_policy_at(i); i++)
        for (uint32_t traditional = 0; traditional <= 1; traditional++) {
            finishes expected, found;
            pn_tandem_hooks hooks = {
                .policy = pn_tandem_policy_at(i), .on_finish = note_finish, .user = &expected};
            pn_tandem_config config = full_config(&work, hooks.policy, traditional);
            pn_tandem_totals at_once, fed;
            tandem_digest(&work, &config, &hooks, NULL);
            hooks.user = &found;
            config.gaps = 1;
            uint64_t digest = tandem_digest(&gaps, &config, &hooks, &at_once);
            for (int k = 0; k < JOBS; k++)
                assert_true(fabs(found.at[k] - expected.at[k]) <= 1e-12 * expected.at[k]);
            for (int m = 0; m < 3; m++) {
                config.jobs_max = at_once.in_system_max + 9;
                assert_true(digest_of_feeding(&gaps, &config, &hooks, manners[m], &fed) == digest);
                check_same_totals(&at_once, &fed);
            }
        }
    tandem_free(&work);
    tandem_free(&gaps);
}

/* TA23: far from the start times are rounded, but response times are not. */
static void far_away_responses_are_exact(void **unused)
{
    tandem_workload work = tandem_new(JOBS, 57, shapes[0]);
    (void)unused;
    for (size_t i = work.count - 1; i > 0; i--)
        work.jobs[i].arrival -= work.jobs[i - 1].arrival;
    for (size_t i = 0; pn_tandem_policy_at(i); i++) {
        pn_tandem_hooks hooks = {.policy = pn_tandem_policy_at(i)};
        pn_tandem_config config = full_config(&work, hooks.policy, 0);
        pn_tandem_totals near, far;
        config.gaps = 1;
        tandem_digest(&work, &config, &hooks, &near);
        /* A job without work, alone, then a year of nanoseconds of nothing. */
        pn_tandem *sim = tandem_sim(&config);
        pn_tandem_job first = work.jobs[0];
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = first.arrival}, NULL),
                         PN_OK);
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
        first.arrival = 3e16;
        assert_int_equal(pn_tandem_submit(sim, &first, NULL), PN_OK);
        for (size_t k = 1; k < work.count; k++) {
            assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX), PN_OK);
            assert_int_equal(pn_tandem_submit(sim, &work.jobs[k], NULL), PN_OK);
        }
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
        pn_tandem_totals_get(sim, &far);
        assert_true(fabs(far.total_response_time - near.total_response_time) <=
                    1e-12 * near.total_response_time);
        assert_true(fabs(far.lower_bound - near.lower_bound) <= 1e-12 * near.lower_bound);
        assert_true(fabs(far.lower_bound_tight - near.lower_bound_tight) <=
                    1e-12 * near.lower_bound_tight);
        assert_true(far.last_finish > 3e16);
        free(sim);
    }
    tandem_free(&work);
}

/* ---- what is told of a finish ---- */

enum { MANY = 2000 };

typedef struct seen {
    const tandem_workload *work;
    double speed;
    double response[MANY], slowdown[MANY], size[MANY]; /* slowdown 0: none */
    uint32_t group[MANY];
    size_t count, finishes;
    double last, sum;
    uint64_t last_id, warmup_jobs;
    double warmup_time;
    unsigned char told[MANY];
} seen;

static void see_finish(void *user, const pn_tandem_finish *finish)
{
    seen *s = user;
    const pn_tandem_job *job = &s->work->jobs[finish->id - 1];
    double longest = job->map > job->shuffle ? job->map : job->shuffle;
    assert_true(finish->finish > s->last || (finish->finish == s->last && finish->id > s->last_id));
    s->last = finish->finish;
    s->last_id = finish->id;
    assert_int_equal(s->told[finish->id - 1]++, 0);
    assert_true(finish->tag == job->tag && finish->group == job->group &&
                finish->arrival == job->arrival);
    assert_true(finish->map == job->map && finish->shuffle == job->shuffle);
    assert_true(finish->arrival <= finish->map_finish && finish->map_finish <= finish->finish);
    assert_true(job->map > 0 || finish->map_finish == finish->arrival);
    assert_true(job->shuffle > 0 || finish->map_finish == finish->finish);
    assert_true(fabs(finish->response_time - (finish->finish - finish->arrival)) <=
                1e-12 * finish->finish);
    assert_true(finish->response_time * s->speed >= longest * (1 - 1e-12));
    assert_true(longest == 0 ? finish->slowdown == 0 && finish->response_time == 0
                             : fabs(finish->slowdown - finish->response_time * s->speed /
                                                           longest) <= 1e-15 * finish->slowdown);
    s->finishes++;
    s->sum += finish->response_time;
    if (finish->id <= s->warmup_jobs || finish->arrival < s->warmup_time)
        return;
    s->response[s->count] = finish->response_time;
    s->slowdown[s->count] = finish->slowdown;
    s->size[s->count] = longest;
    s->group[s->count++] = finish->group;
}

/* ---- statistics ---- */

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_statistics(const pn_stats *stats, const seen *s, const double *samples,
                             uint32_t group)
{
    static double sorted[MANY];
    size_t count = 0;
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        if ((group != PN_ALL_GROUPS && s->group[i] != group) ||
            (samples == s->slowdown && s->slowdown[i] == 0))
            continue;
        sorted[count++] = samples[i];
        sum += samples[i];
    }
    assert_int_equal(stats->count, count);
    if (count == 0)
        return;
    qsort(sorted, count, sizeof *sorted, rising);
    assert_true(fabs(stats->mean - sum / (double)count) <= 1e-12 * stats->mean);
    assert_true(stats->min == sorted[0] && stats->max == sorted[count - 1]);
    for (int percent = 0; percent <= 100; percent++) {
        double rank = ceil(percent / 100.0 * (double)count);
        double exact = sorted[rank < 1 ? 0 : (size_t)rank - 1];
        /* 0 counts in the first cell, with all that is below 2^-64 */
        assert_true(fabs(pn_stats_quantile(stats, percent / 100.0) - exact) <=
                    0.01 * exact + 0x1p-63);
    }
}

static void check_batches(const pn_batches *batches, const seen *s)
{
    pn_batches expected;
    pn_batches_init(&expected);
    for (size_t i = 0; i < s->count; i++)
        pn_batches_add(&expected, s->response[i]);
    assert_memory_equal(batches, &expected, sizeof expected);
}

static void check_buckets(const pn_tandem *sim, const seen *s, const pn_tandem_config *config)
{
    for (uint32_t index = 0; index <= config->buckets_max; index++) {
        const pn_tandem_bucket *bucket = pn_tandem_slowdown_bucket(sim, index);
        pn_tandem_bucket expected = {0, 0, 0};
        for (size_t i = 0; i < s->count; i++) {
            bool from = index * config->bucket_width <= s->size[i];
            bool to = index == config->buckets_max ||
                      s->size[i] < (index + 1) * config->bucket_width;
            if (s->slowdown[i] == 0 || !from || !to)
                continue;
            expected.count++;
            expected.sum += s->slowdown[i];
            expected.squares += s->slowdown[i] * s->slowdown[i];
        }
        assert_int_equal(bucket->count, expected.count);
        assert_true(fabs(bucket->sum - expected.sum) <= 1e-12 * expected.sum);
        assert_true(fabs(bucket->squares - expected.squares) <= 1e-12 * expected.squares);
    }
    assert_null(pn_tandem_slowdown_bucket(sim, config->buckets_max + 1));
}

/* The schedule and the totals are those of all jobs; only the statistics forget the first ones. */
static void check_run(const tandem_workload *work, const pn_tandem_config *config,
                      const pn_tandem_policy *policy, const pn_tandem_totals *plain,
                      uint64_t digest)
{
    static seen s;
    pn_tandem_hooks hooks = {.policy = policy, .on_finish = see_finish, .user = &s};
    pn_tandem_totals totals;
    s = (seen){.work = work,
               .speed = config->speed,
               .warmup_jobs = config->warmup_jobs,
               .warmup_time = config->warmup_time};
    pn_tandem *sim = tandem_sim(config);
    rooms r = {
        {workload_room(pn_tandem_size(config) + 8), workload_room(pn_tandem_size(config) + 8)}, 0};
    assert_int_equal(tandem_submit(sim, work, 0, work->count / 2), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX), PN_OK);
    memcpy(r.room[0], sim, pn_tandem_block_size(sim)); /* statistics go with the block */
    free(sim);
    sim = by_copy(reopen(r.room[0], pn_tandem_size(config)), &r);
    assert_int_equal(tandem_submit(sim, work, work->count / 2, work->count), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_int_equal(s.finishes, work->count);
    assert_true(pn_tandem_digest(sim) == digest);
    check_same_totals(&totals, plain);
    assert_true(fabs(totals.total_response_time - s.sum) <= 1e-12 * s.sum);
    assert_true(totals.first_arrival == work->jobs[0].arrival && totals.last_finish == s.last);
    assert_true(fabs(totals.mean_in_system - s.sum / (s.last - totals.first_arrival)) <=
                1e-12 * totals.mean_in_system);
    for (uint32_t group = 0; group < GROUPS; group++) {
        check_statistics(pn_tandem_response_times(sim, group), &s, s.response, group);
        check_statistics(pn_tandem_slowdowns(sim, group), &s, s.slowdown, group);
    }
    check_statistics(pn_tandem_response_times(sim, PN_ALL_GROUPS), &s, s.response, PN_ALL_GROUPS);
    check_statistics(pn_tandem_slowdowns(sim, PN_ALL_GROUPS), &s, s.slowdown, PN_ALL_GROUPS);
    assert_null(pn_tandem_response_times(sim, GROUPS));
    assert_null(pn_tandem_slowdowns(sim, GROUPS));
    check_batches(pn_tandem_batches(sim), &s);
    check_buckets(sim, &s, config);
    free(r.room[0]);
    free(r.room[1]);
}

static void statistics_are_those_of_the_finishes(void **unused)
{
    static const struct {
        uint64_t jobs;
        double time;
    } warmups[] = {{0, 0},      {700, 0},  {0, 900.25}, {700, 400},
                   {200, 1100}, {MANY, 0}, {0, 1e9},    {UINT64_MAX, PN_TANDEM_MOST}};
    /* one for each way in which rates are set */
    const pn_tandem_policy *const policies[] = {pn_tandem_maxsrpt(), pn_tandem_splitsrpt(),
                                                pn_tandem_ps(), pn_tandem_fcfs_ps()};
    (void)unused;
    for (int shape = 0; shape < SHAPES; shape++) {
        tandem_workload work = tandem_new(MANY, 58, shapes[shape]);
        for (uint32_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
            pn_tandem_config config = full_config(&work, NULL, i % 2);
            pn_tandem_hooks hooks = {.policy = policies[i]};
            pn_tandem_totals plain;
            config.speed = 1.25;
            uint64_t digest = tandem_digest(&work, &config, &hooks, &plain);
            for (size_t k = 0; k < sizeof warmups / sizeof warmups[0]; k++) {
                config.warmup_jobs = warmups[k].jobs;
                config.warmup_time = warmups[k].time;
                check_run(&work, &config, policies[i], &plain, digest);
            }
        }
        tandem_free(&work);
    }
}

/* The number of jobs present, on the way: between two instants, too. */
static void the_mean_number_present_is_known_at_any_time(void **unused)
{
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    pn_tandem_totals totals;
    (void)unused;
    config.jobs_max = 3;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 1, .map = 2}, NULL), PN_OK);
    assert_int_equal(
        pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 2, .map = 3, .shuffle = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 10, .map = 2}, NULL), PN_OK);
    static const double expected[][2] = {{1, 0},       {2, 1},        {3, 1.5},
                                         {6, 6.0 / 5}, {10, 6.0 / 9}, {12, 8.0 / 11}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_in_range(pn_tandem_step(sim, &hooks), PN_OK, PN_DONE);
        pn_tandem_totals_get(sim, &totals);
        assert_true(totals.time == expected[i][0]);
        assert_true(fabs(totals.mean_in_system - expected[i][1]) <= 1e-15);
    }
    free(sim);
}

static void what_is_not_asked_for_is_not_there_and_costs_nothing(void **unused)
{
    tandem_workload work = tandem_new(JOBS, 59, shapes[0]);
    (void)unused;
    for (size_t i = 0; pn_tandem_policy_at(i); i++)
        for (uint32_t traditional = 0; traditional <= 1; traditional++) {
            pn_tandem_hooks hooks = {.policy = pn_tandem_policy_at(i)};
            pn_tandem_config config = full_config(&work, hooks.policy, traditional);
            pn_tandem_totals full, plain;
            tandem_log log = {NULL, 0, 0};
            pn_tandem_hooks telling = {
                .policy = hooks.policy, NULL, NULL, tandem_log_decision, &log};
            uint64_t digest = tandem_digest(&work, &config, &hooks, &full);
            assert_in_range((uint64_t)full.lower_bound, 1, (uint64_t)full.lower_bound_tight + 1);
            assert_true(full.lower_bound_tight <= full.total_response_time);
            size_t size = pn_tandem_size(&config);
            config.statistics = 0;
            config.buckets_max = 0;
            size_t cost = (GROUPS + 1) * (pn_stats_size(-64, 128) + pn_stats_size(-1, 41)) +
                          sizeof(pn_batches) + (BUCKETS + 1) * sizeof(pn_tandem_bucket);
            assert_int_equal(pn_tandem_size(&config) + cost, size);
            config.bounds = PN_TANDEM_BOUNDS_FAST;
            assert_true(tandem_digest(&work, &config, &hooks, &plain) == digest);
            assert_true(fabs(plain.lower_bound - full.lower_bound) <= 1e-14 * full.lower_bound &&
                        plain.lower_bound_tight == 0);
            config.bounds = PN_TANDEM_BOUNDS_NONE;
            assert_true(pn_tandem_size(&config) + cost < size);
            assert_true(tandem_digest(&work, &config, &hooks, &plain) == digest);
            assert_true(plain.total_response_time == full.total_response_time &&
                        plain.instants == full.instants);
            assert_true(plain.lower_bound == 0 && plain.lower_bound_tight == 0);
            assert_true(tandem_digest(&work, &config, &telling, &plain) == digest);
            assert_int_equal(log.count, full.decisions);
            config.no_digest = 1;
            assert_true(tandem_digest(&work, &config, &hooks, &plain) == 0);
            assert_true(plain.total_response_time == full.total_response_time &&
                        plain.decisions == 0);
            log.count = 0;
            assert_true(tandem_digest(&work, &config, &telling, &plain) == 0);
            assert_true(log.count == full.decisions && plain.decisions == full.decisions);
            pn_tandem *sim = tandem_sim(&config);
            assert_null(pn_tandem_response_times(sim, PN_ALL_GROUPS));
            assert_null(pn_tandem_slowdowns(sim, 0));
            assert_null(pn_tandem_batches(sim));
            assert_null(pn_tandem_slowdown_bucket(sim, 0));
            free(sim);
            tandem_log_free(&log);
        }
    tandem_free(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forks_do_not_disturb),
        cmocka_unit_test(feeding_does_not_matter),
        cmocka_unit_test(gaps_say_the_same),
        cmocka_unit_test(far_away_responses_are_exact),
        cmocka_unit_test(statistics_are_those_of_the_finishes),
        cmocka_unit_test(the_mean_number_present_is_known_at_any_time),
        cmocka_unit_test(what_is_not_asked_for_is_not_there_and_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
