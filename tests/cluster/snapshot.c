/* Forks have futures and logs of their own. However jobs are fed and time is cut into calls, the
 * schedule is the same. And statistics are never seen in it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"

enum { JOBS = 12, GROUPS = 3 };

static const cluster_shape usual = {.gap_ms = 900,
                                    .maps = 5,
                                    .reduces = 3,
                                    .task_ms = 1000,
                                    .listed = 1,
                                    .nodes = CLUSTER_NODES,
                                    .groups = GROUPS};

/* Everything switched on, so that everything has to survive. */
static pn_cluster_config full_config(const cluster_workload *work, size_t option,
                                     const pn_scheduler_policy *policy)
{
    pn_cluster_config config = cluster_config(work, &cluster_options[option]);
    config.scheduler.statistics = 1;
    config.scheduler.groups_max = GROUPS;
    config.scheduler.policy = policy;
    return config;
}

static pn_cluster *reopen(void *block, size_t size)
{
    pn_cluster *sim = NULL;
    assert_int_equal(pn_cluster_open(&sim, block, size), PN_OK);
    return sim;
}

/* ---- forks ---- */

/* At every instant a copy is made that runs to the end by itself, with the same events; the
 * original does not notice. */
static void a_copy_of_every_instant_ends_alike(void **unused)
{
    cluster_variant as;
    (void)unused;
    for (size_t o = 0; o < CLUSTER_OPTIONS; o++)
        for (size_t p = 0; cluster_variant_get(p, &as); p++) {
            cluster_workload work = cluster_new(6, 61 + o, usual);
            cluster_log log = {NULL, 0, 0}, copied = {NULL, 0, 0};
            const pn_cluster_hooks hooks = {.policy = as.policy,
                                            .params = as.params,
                                            .on_event = cluster_log_event,
                                            .user = &log};
            const pn_cluster_hooks its_hooks = {.policy = as.policy,
                                                .params = as.params,
                                                .on_event = cluster_log_event,
                                                .user = &copied};
            pn_cluster_config config = full_config(&work, o, as.policy);
            uint64_t digest = cluster_digest(&work, &config, &hooks, NULL);
            cluster_log whole = log;
            log = (cluster_log){NULL, 0, 0};
            pn_cluster *sim = cluster_sim(&config);
            size_t size = pn_cluster_block_size(sim);
            void *block = workload_room(size);
            assert_int_equal(cluster_submit(sim, &work, 0, work.count), PN_OK);
            assert_int_equal(cluster_announce(sim, &config), PN_OK);
            int status, steps = 0;
            do {
                size_t before = log.count;
                copied.count = 0;
                if (steps++ % 5 == 0) { /* some are enough */
                    memcpy(block, sim, size);
                    pn_cluster *copy = reopen(block, size);
                    assert_int_equal(
                        pn_cluster_run(copy, &its_hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
                    assert_true(pn_cluster_digest(copy) == digest);
                    assert_int_equal(before + copied.count, whole.count);
                    assert_memory_equal(copied.entry, whole.entry + before,
                                        copied.count * sizeof *whole.entry);
                }
                status = pn_cluster_step(sim, &hooks);
            } while (status == PN_OK);
            assert_int_equal(status, PN_DONE);
            assert_int_equal(log.count, whole.count);
            assert_true(pn_cluster_digest(sim) == digest);
            free(block);
            free(sim);
            cluster_log_free(&log);
            cluster_log_free(&copied);
            cluster_log_free(&whole);
            cluster_free(&work);
        }
}

/* A fork is given another future than the original. */
static void fork_halfway(const pn_scheduler_policy *policy)
{
    cluster_workload work = cluster_new(JOBS, 71, usual);
    pn_cluster_config config = full_config(&work, 1, policy);
    const pn_cluster_hooks hooks = {.policy = policy};
    pn_cluster *sim = cluster_sim(&config);
    size_t half = JOBS / 2, size = pn_cluster_block_size(sim);
    void *block = workload_room(size);
    uint64_t digest = cluster_digest(&work, &config, &hooks, NULL);
    assert_int_equal(cluster_submit(sim, &work, 0, half), PN_OK);
    assert_in_range(pn_cluster_run(sim, &hooks, work.jobs[half].submit - 1, UINT64_MAX), PN_OK,
                    PN_DONE);
    memcpy(block, sim, size);
    pn_cluster *fork = reopen(block, size);
    pn_cluster_job other = work.jobs[half];
    other.map_ms += 1;
    other.map_times = NULL;
    assert_int_equal(pn_cluster_submit(fork, &other, NULL), PN_OK);
    assert_int_equal(pn_cluster_run(fork, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    assert_int_equal(cluster_submit(sim, &work, half, JOBS), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    assert_true(pn_cluster_digest(sim) == digest && pn_cluster_digest(fork) != digest);
    free(block);
    free(sim);
    cluster_free(&work);
}

static void forks_go_their_own_ways(void **unused)
{
    (void)unused;
    fork_halfway(pn_scheduler_hsrtf_prp());
    fork_halfway(pn_scheduler_rtmr());
    fork_halfway(pn_scheduler_rtmr_live());
    fork_halfway(pn_scheduler_dc());
}

/* ---- feeding and cutting ---- */

/* With inputs to pass on, every tick is executed, also those that can change nothing. */
enum { AT_ONCE, STEP_BY_STEP, IN_PIECES, CUT_OFTEN, STREAMED, WITH_INPUTS, WAYS };

static void ignore_input(void *user, const pn_scheduler_input *input)
{
    (void)user;
    (void)input;
}

static int drive(pn_cluster *sim, const cluster_workload *work, const pn_cluster_hooks *hooks,
                 int way)
{
    int status = PN_OK;
    for (size_t i = 0; i < work->count; i++) {
        if (way == STREAMED && i > 0 && work->jobs[i].submit > work->jobs[i - 1].submit)
            assert_in_range(pn_cluster_run(sim, hooks, work->jobs[i].submit - 1, UINT64_MAX), PN_OK,
                            PN_DONE);
        assert_int_equal(cluster_submit(sim, work, i, i + 1), PN_OK);
    }
    for (uint64_t before = 0; way == STEP_BY_STEP && status == PN_OK;) {
        status = pn_cluster_step(sim, hooks);
        uint64_t instants = cluster_totals(sim).instants;
        assert_true(instants <= before + 1);
        before = instants;
    }
    for (uint64_t until = 0; way == CUT_OFTEN && status == PN_OK && until < 1000 * 997;
         until += 997)
        status = pn_cluster_run(sim, hooks, until, UINT64_MAX);
    status = way == IN_PIECES ? PN_PAUSED : PN_OK;
    while (status == PN_PAUSED)
        status = pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, 3);
    return way == IN_PIECES ? status : pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
}

static void feeding_and_cutting_do_not_matter(void **unused)
{
    cluster_variant as;
    (void)unused;
    for (size_t o = 0; o < CLUSTER_OPTIONS; o++)
        for (size_t p = 0; cluster_variant_get(p, &as); p++) {
            cluster_workload work = cluster_new(JOBS, 81 + o, usual);
            pn_cluster_hooks hooks = {.policy = as.policy, .params = as.params};
            pn_cluster_config config = full_config(&work, o, as.policy);
            uint64_t digest = cluster_digest(&work, &config, &hooks, NULL), instants = 0, ticks = 0;
            for (int way = 0; way < WAYS; way++) {
                if (way == STREAMED && config.max_time_ms > 0)
                    continue; /* nobody may come after that */
                pn_cluster *sim = cluster_sim(&config);
                assert_int_equal(cluster_announce(sim, &config), PN_OK);
                hooks.on_input = way == WITH_INPUTS ? ignore_input : NULL;
                assert_int_equal(drive(sim, &work, &hooks, way), PN_DONE);
                if (pn_cluster_digest(sim) != digest)
                    fail_msg("%s, option %zu: way %d leads elsewhere", hooks.policy->name, o, way);
                pn_cluster_totals totals = cluster_totals(sim);
                if (way > 0 && (totals.instants != instants || totals.ticks != ticks))
                    fail_msg("%s, option %zu: way %d counts %llu instants and %llu ticks, not %llu "
                             "and %llu",
                             hooks.policy->name, o, way, (unsigned long long)totals.instants,
                             (unsigned long long)totals.ticks, (unsigned long long)instants,
                             (unsigned long long)ticks);
                instants = totals.instants;
                ticks = totals.ticks;
                free(sim);
            }
            cluster_free(&work);
        }
}

static void statistics_are_not_seen_in_the_schedule(void **unused)
{
    cluster_workload work = cluster_new(JOBS, 91, usual);
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_hsrtf_pr()};
    pn_cluster_config config = full_config(&work, 4, NULL), bare = config;
    (void)unused;
    bare.scheduler.statistics = bare.scheduler.groups_max = 0;
    uint64_t digest = cluster_digest(&work, &config, &hooks, NULL);
    pn_cluster *sim = cluster_sim(&config);
    const pn_scheduler *core = pn_cluster_scheduler(sim);
    assert_int_equal(cluster_submit(sim, &work, 0, work.count), PN_OK);
    assert_int_equal(cluster_announce(sim, &config), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    pn_cluster_totals totals = cluster_totals(sim);
    uint64_t jobs = 0, makespan = 0;
    for (uint32_t group = 0; group < GROUPS; group++) {
        pn_scheduler_group sums;
        assert_int_equal(pn_scheduler_group_get(core, group, &sums), PN_OK);
        assert_int_equal(pn_scheduler_samples(core, PN_SCHEDULER_WAITINGS, group)->count,
                         sums.jobs);
        assert_int_equal(sums.in_wait + sums.in_maps + sums.in_blocked + sums.in_reduces,
                         sums.makespan);
        assert_int_equal(sums.waiting + sums.execution, sums.makespan);
        jobs += sums.jobs;
        makespan += sums.makespan;
    }
    assert_true(jobs == totals.scheduler.finished && makespan == totals.scheduler.total_makespan);
    assert_null(pn_scheduler_samples(core, PN_SCHEDULER_WAITINGS, GROUPS));
    assert_null(pn_scheduler_samples(core, 3, 0));
    free(sim);
    for (size_t i = 0; i < work.count; i++)
        work.jobs[i].group = 0;
    assert_true(cluster_digest(&work, &bare, &hooks, NULL) == digest);
    cluster_free(&work);
}

/* ---- bytes that are no block ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_of_every_instant_ends_alike),
        cmocka_unit_test(forks_go_their_own_ways),
        cmocka_unit_test(feeding_and_cutting_do_not_matter),
        cmocka_unit_test(statistics_are_not_seen_in_the_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
