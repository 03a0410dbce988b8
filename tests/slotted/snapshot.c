/* Forks have futures of their own. Statistics and bounds: exact where they promise it, and never
 * seen in the schedule. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "slotted/support/workload.h"

enum { JOBS = 150, MACHINES = 12 };

static const slotted_shape crowded = {
    .rate = 0.5, .maps = 6, .reduces = 18, .tasks = 5, .estimates = 1, .groups = 3};

/* Everything switched on, so that everything has to survive. */
static pn_slotted_config full_config(const slotted_workload *work, const pn_slotted_policy *policy,
                                     uint32_t reduce)
{
    pn_slotted_config config = slotted_config(work, MACHINES, reduce);
    config.stretches_max = (uint32_t)work->count * SLOTTED_WORKLOAD_TASKS;
    config.estimates = 1;
    config.statistics = 1;
    config.groups_max = 3;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    config.policy = policy;
    return config;
}

static bool defined_in(const pn_slotted_policy *policy, uint32_t reduce)
{
    return reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive;
}

static pn_slotted *reopen(void *block, size_t size)
{
    pn_slotted *sim = NULL;
    assert_int_equal(pn_slotted_open(&sim, block, size), PN_OK);
    return sim;
}

/* The old bytes are scribbled over: a pointer left behind would find rubbish. */
static pn_slotted *by_copy(pn_slotted *sim)
{
    size_t size = pn_slotted_block_size(sim);
    void *copy = workload_room(size);
    memcpy(copy, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    return reopen(copy, size);
}

/* ---- forks ---- */

/* From every tenth slot on, a future with other jobs is tried and thrown away; each must be the
 * future of a run of its own. */
static void check_forks(const slotted_workload *work, const slotted_workload *other,
                        const pn_slotted_policy *policy, uint32_t reduce)
{
    pn_slotted_config config = full_config(work, policy, reduce);
    pn_slotted_hooks hooks = {.policy = policy};
    size_t half = work->count / 2;
    pn_slotted *parent = slotted_sim(&config);
    size_t size = pn_slotted_block_size(parent);
    void *fork_block = workload_room(size);
    uint64_t futures = 0;
    assert_int_equal(slotted_submit(parent, work, 0, half), PN_OK);
    for (unsigned step = 0; pn_slotted_run(parent, &hooks, 10 * step) == PN_OK; step++) {
        memcpy(fork_block, parent, size);
        pn_slotted *fork = reopen(fork_block, size);
        assert_int_equal(slotted_submit(fork, other, 0, other->count), PN_OK);
        assert_int_equal(pn_slotted_run(fork, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
        if (futures == 0)
            futures = pn_slotted_digest(fork);
        /* whenever forked, the same jobs came at the same time */
        assert_int_equal(pn_slotted_digest(fork), futures);
    }
    assert_int_not_equal(futures, 0);
    assert_int_equal(slotted_submit(parent, work, half, work->count), PN_OK);
    assert_int_equal(pn_slotted_run(parent, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    uint64_t undisturbed = slotted_digest(work, &config, &hooks, NULL);
    assert_int_equal(pn_slotted_digest(parent), undisturbed);
    assert_int_not_equal(futures, undisturbed);
    free(fork_block);
    free(parent);
}

static void forks_do_not_disturb(void **unused)
{
    slotted_workload work = slotted_new(80, 52, crowded);
    slotted_workload other = slotted_new(40, 53, crowded);
    (void)unused;
    /* The second half and the other future begin long after the first half is done. */
    for (size_t i = work.count / 2; i < work.count; i++)
        work.jobs[i].arrival += 100000;
    for (size_t i = 0; i < other.count; i++)
        other.jobs[i].arrival += 100000;
    for (size_t i = 0; pn_slotted_policy_at(i); i++)
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++)
            if (defined_in(pn_slotted_policy_at(i), reduce))
                check_forks(&work, &other, pn_slotted_policy_at(i), reduce);
    slotted_free(&work);
    slotted_free(&other);
}

/* ---- statistics and bounds ---- */

typedef struct flows {
    double sample[JOBS * 20];
    uint32_t group[JOBS * 20];
    size_t count;
    uint64_t warmup_jobs, warmup_slots;
} flows;

static void note_flow(void *user, const pn_slotted_finish *finish)
{
    flows *f = user;
    if (finish->id <= f->warmup_jobs || finish->arrival <= f->warmup_slots)
        return;
    f->sample[f->count] = (double)finish->flow_time;
    f->group[f->count++] = finish->group;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_statistics(const pn_stats *stats, const flows *f, uint32_t group)
{
    static double sorted[JOBS * 20];
    size_t count = 0;
    double sum = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (group != PN_ALL_GROUPS && f->group[i] != group)
            continue;
        sorted[count++] = f->sample[i];
        sum += f->sample[i];
    }
    assert_in_range(count, 100, JOBS * 20);
    qsort(sorted, count, sizeof *sorted, rising);
    assert_int_equal(stats->count, count);
    assert_true(fabs(stats->mean - sum / (double)count) <= 1e-12 * sum);
    assert_true(stats->min == sorted[0] && stats->max == sorted[count - 1]);
    for (int percent = 0; percent <= 100; percent++) {
        double rank = ceil(percent / 100.0 * (double)count);
        double exact = sorted[rank < 1 ? 0 : (size_t)rank - 1];
        double told = pn_stats_quantile(stats, percent / 100.0);
        assert_true(exact < 128 ? told == exact : fabs(told - exact) <= 0.01 * exact);
    }
}

static void statistics_are_those_of_the_finishes(void **unused)
{
    static flows f;
    slotted_workload work = slotted_new(
        JOBS * 20, 54,
        (slotted_shape){.rate = 0.9, .maps = 5, .reduces = 9, .tasks = 5, .groups = 3});
    pn_slotted_hooks hooks = {.policy = pn_slotted_fair(), .on_finish = note_flow, .user = &f};
    (void)unused;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        pn_slotted_config config = full_config(&work, hooks.policy, reduce);
        pn_slotted *sim = slotted_sim(&config);
        f.count = 0;
        assert_int_equal(slotted_submit(sim, &work, 0, work.count), PN_OK);
        assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
        check_statistics(pn_slotted_flow_times(sim, PN_ALL_GROUPS), &f, PN_ALL_GROUPS);
        for (uint32_t group = 0; group < 3; group++)
            check_statistics(pn_slotted_flow_times(sim, group), &f, group);
        assert_null(pn_slotted_flow_times(sim, 3));
        free(sim);
    }
    slotted_free(&work);
}

static void check_batches(const pn_batches *batches, const flows *f)
{
    pn_batches expected;
    pn_batches_init(&expected);
    for (size_t i = 0; i < f->count; i++)
        pn_batches_add(&expected, f->sample[i]);
    assert_memory_equal(batches, &expected, sizeof expected);
}

/* The schedule and the totals are those of all jobs; only the statistics forget the first ones. */
static void a_warm_up_is_left_out_of_the_statistics_alone(void **unused)
{
    static const struct {
        uint64_t jobs, slots;
        bool all; /* left out */
    } warmups[] = {{0, 0, false},
                   {700, 0, false},
                   {0, 900, false},
                   {700, 400, false},
                   {200, 1100, false},
                   {JOBS * 20, 0, true},
                   {0, PN_INTEGER_MAX, true},
                   {UINT64_MAX, UINT64_MAX, true}};
    static flows f;
    slotted_workload work = slotted_new(
        JOBS * 20, 56,
        (slotted_shape){.rate = 0.9, .maps = 5, .reduces = 9, .tasks = 5, .groups = 3});
    pn_slotted_hooks hooks = {.policy = pn_slotted_dspt(), .on_finish = note_flow, .user = &f};
    (void)unused;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        pn_slotted_config config = full_config(&work, hooks.policy, reduce);
        pn_slotted_totals plain, totals;
        f = (flows){.count = 0};
        uint64_t digest = slotted_digest(&work, &config, &hooks, &plain);
        for (size_t i = 0; i < sizeof warmups / sizeof warmups[0]; i++) {
            f = (flows){.warmup_jobs = warmups[i].jobs, .warmup_slots = warmups[i].slots};
            config.warmup_jobs = warmups[i].jobs;
            config.warmup_slots = warmups[i].slots;
            pn_slotted *sim = slotted_sim(&config);
            assert_int_equal(slotted_submit(sim, &work, 0, work.count / 2), PN_OK);
            assert_int_equal(pn_slotted_run(sim, &hooks, work.jobs[work.count / 2].arrival - 1),
                             PN_OK);
            sim = by_copy(sim); /* the warm-up goes with the block */
            assert_int_equal(slotted_submit(sim, &work, work.count / 2, work.count), PN_OK);
            assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
            pn_slotted_totals_get(sim, &totals);
            assert_int_equal(pn_slotted_digest(sim), digest);
            assert_int_equal(totals.finished, work.count);
            assert_int_equal(totals.total_flow_time, plain.total_flow_time);
            assert_int_equal(totals.lower_bound, plain.lower_bound);
            assert_int_equal(f.count == 0, warmups[i].all);
            assert_int_equal(pn_slotted_flow_times(sim, PN_ALL_GROUPS)->count, f.count);
            check_batches(pn_slotted_batches(sim), &f);
            for (uint32_t group = 0; group < 3 && f.count > 0; group++)
                check_statistics(pn_slotted_flow_times(sim, group), &f, group);
            if (f.count > 0)
                check_statistics(pn_slotted_flow_times(sim, PN_ALL_GROUPS), &f, PN_ALL_GROUPS);
            free(sim);
        }
    }
    slotted_free(&work);
}

static void what_is_not_asked_for_is_not_there_and_costs_nothing(void **unused)
{
    slotted_workload work = slotted_new(JOBS, 55, crowded);
    (void)unused;
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        pn_slotted_hooks hooks = {.policy = pn_slotted_policy_at(i)};
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            if (!defined_in(hooks.policy, reduce))
                continue;
            pn_slotted_config config = full_config(&work, hooks.policy, reduce);
            pn_slotted_totals full, plain;
            uint64_t digest = slotted_digest(&work, &config, &hooks, &full);
            size_t size = pn_slotted_size(&config);
            config.statistics = 0;
            assert_true(pn_slotted_size(&config) + 4 * pn_stats_size(0, 53) + sizeof(pn_batches) ==
                        size);
            assert_int_equal(slotted_digest(&work, &config, &hooks, NULL), digest);
            config.bounds = PN_SLOTTED_BOUNDS_NONE;
            assert_int_equal(slotted_digest(&work, &config, &hooks, &plain), digest);
            assert_int_equal(plain.total_flow_time, full.total_flow_time);
            assert_int_equal(plain.lower_bound, 0);
            assert_in_range(full.lower_bound, work.count, full.total_flow_time);
            if (hooks.policy->relaxed)
                assert_int_equal(full.lower_bound, full.total_flow_time);
            pn_slotted *sim = slotted_sim(&config);
            assert_null(pn_slotted_flow_times(sim, PN_ALL_GROUPS));
            assert_null(pn_slotted_flow_times(sim, 0));
            assert_null(pn_slotted_batches(sim));
            free(sim);
        }
    }
    slotted_free(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forks_do_not_disturb),
        cmocka_unit_test(statistics_are_those_of_the_finishes),
        cmocka_unit_test(a_warm_up_is_left_out_of_the_statistics_alone),
        cmocka_unit_test(what_is_not_asked_for_is_not_there_and_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
