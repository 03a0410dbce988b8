/* What a host should not do with a simulated cluster, and numbers at the edge: structs of later
 * versions, calls from inside hooks and after the end, configurations of other blocks, blocks whose
 * core is not where it should be, durations that saturate. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/state.h"
#include "cluster/support/workload.h"
#include "support/kept.h"

static const pn_scheduler_nodes two[] = {{2, 1, 1, 0}};
#define FIFO                          \
    (pn_cluster_hooks)                \
    {                                 \
        .policy = pn_scheduler_fifo() \
    }

static pn_cluster_config small(void)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = two;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = 3;
    config.failures_max = 4;
    return config;
}

static int submit(pn_cluster *sim, uint64_t time, uint32_t maps, uint64_t ms)
{
    const pn_cluster_job job = {.submit = time, .maps = maps, .map_ms = ms};
    return pn_cluster_submit(sim, &job, NULL);
}

static int run(pn_cluster *sim, const pn_cluster_hooks *hooks)
{
    return pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void later_versions_are_refused(void **unused)
{
    const pn_cluster_config config = small();
    LATER(pn_cluster_hooks) hooks = {.known = FIFO, .more = 1};
    LATER(pn_cluster_job) job = {.known = {.maps = 1}, .more = 1};
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    hooks.known.struct_size = sizeof hooks;
    job.known.struct_size = sizeof job;
    kept before = keep(sim, pn_cluster_block_size(sim));
    assert_int_equal(pn_cluster_submit(sim, &job.known, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_step(sim, &hooks.known), PN_ERR_ARGUMENT);
    check_unchanged(&before);
    hooks.more = job.more = 0;
    assert_int_equal(pn_cluster_submit(sim, &job.known, NULL), PN_OK);
    assert_int_equal(pn_cluster_step(sim, &hooks.known), PN_OK);
    free(sim);
}

static void jobs_out_of_range(void **unused)
{
    const pn_cluster_job rows[] = {
        {.maps = 1, .weight = PN_SCHEDULER_WEIGHT_MOST + 1},
        {.maps = 1, .priority = PN_SCHEDULER_PRIORITY_MOST + 1},
        {.maps = 1, .priority = -PN_SCHEDULER_PRIORITY_MOST - 1},
    };
    const pn_cluster_job most = {
        .maps = 1, .weight = PN_SCHEDULER_WEIGHT_MOST, .priority = -PN_SCHEDULER_PRIORITY_MOST};
    const pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    kept before = keep(sim, pn_cluster_block_size(sim));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(pn_cluster_submit(sim, &rows[i], NULL), PN_ERR_JOB);
    check_unchanged(&before);
    assert_int_equal(pn_cluster_submit(sim, &most, NULL), PN_OK);
    free(sim);
}

typedef struct inside {
    pn_cluster *sim;
    int tried;
} inside;

static void run_inside(void *user, uint64_t time)
{
    inside *in = user;
    assert_int_equal(pn_cluster_step(in->sim, &FIFO), PN_ERR_BUSY);
    assert_int_equal(pn_cluster_run(in->sim, &FIFO, time + 1, 1), PN_ERR_BUSY);
    assert_int_equal(pn_cluster_wait(in->sim, &FIFO, time + 1, 1), PN_ERR_BUSY);
    assert_int_equal(pn_cluster_fail(in->sim, time + 1, 0, time + 2), PN_ERR_BUSY);
    in->tried++;
}

/* The run ends as if they had not been made. */
static void calls_from_inside_hooks_are_refused(void **unused)
{
    uint64_t digest[2];
    const pn_cluster_config config = small();
    (void)unused;
    for (int tries = 0; tries < 2; tries++) {
        inside in = {cluster_sim(&config), 0};
        const pn_cluster_hooks hooks = {
            .policy = pn_scheduler_fifo(), .on_order = tries ? run_inside : NULL, .user = &in};
        assert_int_equal(submit(in.sim, 0, 4, 10), PN_OK);
        assert_int_equal(pn_cluster_fail(in.sim, 5, 0, 7), PN_OK);
        assert_int_equal(run(in.sim, &hooks), PN_DONE);
        assert_true((in.tried > 2) == tries);
        digest[tries] = pn_cluster_digest(in.sim);
        free(in.sim);
    }
    assert_true(digest[0] == digest[1]);
}

static void times_are_in_range(void **unused)
{
    const pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    assert_int_equal(submit(sim, 0, 1, 10), PN_OK);
    kept before = keep(sim, pn_cluster_block_size(sim));
    assert_int_equal(pn_cluster_run(sim, &FIFO, PN_INTEGER_MAX + 1, 1), PN_ERR_OVERFLOW);
    assert_int_equal(pn_cluster_fail(sim, PN_INTEGER_MAX + 1, 0, PN_SCHEDULER_NEVER),
                     PN_ERR_OVERFLOW);
    assert_int_equal(pn_cluster_fail(sim, 1, 0, PN_INTEGER_MAX + 1), PN_ERR_OVERFLOW);
    check_unchanged(&before);
    assert_int_equal(pn_cluster_fail(sim, 1, 0, PN_SCHEDULER_NEVER), PN_OK);
    assert_int_equal(pn_cluster_fail(sim, 2, 0, PN_INTEGER_MAX), PN_OK);
    free(sim);
}

static void nothing_comes_after_the_end(void **unused)
{
    const pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    assert_int_equal(submit(sim, 0, 1, 10), PN_OK);
    for (uint32_t node = 0; node < 2; node++)
        assert_int_equal(pn_cluster_fail(sim, 5, node, PN_SCHEDULER_NEVER), PN_OK);
    assert_int_equal(run(sim, &FIFO), PN_DONE);
    assert_int_equal(cluster_totals(sim).unfinished, 1);
    assert_int_equal(pn_cluster_over(sim), 1);
    kept before = keep(sim, pn_cluster_block_size(sim));
    assert_int_equal(submit(sim, 1000000, 1, 10), PN_ERR_LATE);
    assert_int_equal(pn_cluster_fail(sim, 1000000, 0, 1000001), PN_ERR_LATE);
    assert_int_equal(run(sim, &FIFO), PN_DONE);
    check_unchanged(&before);
    free(sim);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static const pn_scheduler_policy huge = {.name = "huge", .state_bytes = SIZE_MAX / 4 + 1};

static void blocks_know_their_configuration(void **unused)
{
    const pn_scheduler_nodes nodes[] = {{1, 1, 1, 0}, {1, 2, 0, 1000}};
    const pn_scheduler_nodes others[][2] = {{{1, 2, 0, 0}, {1, 1, 1, 0}},
                                            {{1, 1, 1, 0}, {1, 2, 0, 999}}};
    pn_cluster_config config = small(), rows[5];
    (void)unused;
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 2;
    for (int i = 0; i < 5; i++)
        rows[i] = config;
    rows[0].scheduler.nodes = others[0];
    rows[1].scheduler.nodes = others[1];
    rows[2].tick_ms++;
    rows[3].scheduler.jobs_max++;
    rows[4].scheduler.policy = &huge;
    assert_null(pn_cluster_check(&rows[4]));
    assert_int_equal(pn_cluster_size(&rows[4]), 0);
    pn_cluster *sim = cluster_sim(&config);
    for (int moment = 0; moment < 2; moment++) {
        assert_int_equal(pn_cluster_configured(sim, &config), 1);
        for (int i = 0; i < 5; i++)
            assert_int_equal(pn_cluster_configured(sim, &rows[i]), 0);
        assert_int_equal(pn_cluster_configured(NULL, &config), 0);
        assert_int_equal(pn_cluster_configured(sim, NULL), 0);
        assert_int_equal(pn_cluster_fail(sim, 5, 0, 1000), PN_OK);
        assert_int_equal(submit(sim, 10 * (uint64_t)moment, 4, 10), PN_OK);
        assert_int_equal(pn_cluster_step(sim, &FIFO), PN_OK);
    }
    free(sim);
}

/* A host of an earlier version has a shorter struct; what lies behind it is something else. */
static void blocks_know_configurations_of_earlier_versions(void **unused)
{
    const size_t size = offsetof(pn_cluster_config, bounds_max);
    pn_cluster_config config = small(), earlier;
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    memset(&earlier, 0x55, sizeof earlier);
    memcpy(&earlier, &config, size);
    earlier.struct_size = size;
    assert_null(pn_cluster_check(&earlier));
    assert_int_equal(pn_cluster_configured(sim, &earlier), 1);
    free(sim);
}

static void blocks_without_their_core_are_none(void **unused)
{
    pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config), *opened = NULL;
    size_t size = pn_cluster_block_size(sim), scheduler = sim->scheduler;
    (void)unused;
    const size_t wrong[] = {size, size + 8, SIZE_MAX - 7, 0, scheduler - 8};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sim->scheduler = wrong[i];
        assert_true(pn_cluster_open(&opened, sim, size) < 0);
        assert_null(opened);
        assert_true(pn_cluster_validate(sim, size) < 0);
    }
    sim->scheduler = scheduler;
    assert_int_equal(pn_cluster_open(&opened, sim, size), PN_OK);
    assert_ptr_equal(opened, sim);
    free(sim);
}

/* ---- policies -------------------------------------------------------------------------------- */

static int give_up(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    (void)view, (void)node, (void)kind, (void)job;
    return PN_ERR_MODE;
}

/* Both nodes have their beat at the same time. */
static void beats_end_with_the_policy(void **unused)
{
    static const pn_scheduler_policy weary = {.name = "weary", .pick = give_up};
    const pn_cluster_hooks hooks = {.policy = &weary};
    pn_cluster_config config = small();
    (void)unused;
    config.heartbeat_ms = 1;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(submit(sim, 0, 2, 10), PN_OK);
    assert_int_equal(run(sim, &hooks), PN_ERR_MODE);
    assert_int_equal(cluster_totals(sim).beats, 1);
    free(sim);
}

static int plan_nothing(pn_scheduler_view *view, uint32_t reason)
{
    (void)view, (void)reason;
    return PN_OK;
}

static int hold_for_ever(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_limit(view, job, PN_SCHEDULER_MAP, 0);
    return PN_OK;
}

/* Ticks do nothing then, and nothing else comes. */
static void jobs_that_never_may_run_are_unfinished(void **unused)
{
    static const pn_scheduler_policy holding = {.name = "holding",
                                                .order = {.memoryless = 1},
                                                .arrive = hold_for_ever,
                                                .plan = plan_nothing};
    const pn_cluster_hooks hooks = {.policy = &holding};
    pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    assert_int_equal(submit(sim, 0, 1, 10), PN_OK);
    assert_int_equal(run(sim, &hooks), PN_DONE);
    pn_cluster_totals totals = cluster_totals(sim);
    assert_true(totals.unfinished == 1 && totals.scheduler.launches == 0);
    free(sim);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Of a map of 2^40 ms and a factor of 2^20 permille: it takes as long, longer, or too long. */
static void durations_pass_64_bits(void **unused)
{
    const uint32_t factor[] = {(uint32_t)1 << 20};
    const struct {
        uint32_t speed;
        int status;
        uint64_t ms;
    } rows[] = {{(uint32_t)1 << 20, PN_DONE, (uint64_t)1 << 40},
                {((uint32_t)1 << 20) - 1, PN_DONE, ((uint64_t)1 << 40) + ((uint64_t)1 << 20) + 2},
                {1, PN_ERR_OVERFLOW, 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const pn_scheduler_nodes node = {1, 1, 0, rows[i].speed};
        const pn_cluster_job job = {.maps = 1, .map_ms = PN_CLUSTER_MOST_MS, .map_factor = factor};
        pn_cluster_config config = small();
        config.scheduler.nodes = &node;
        config.values_max = 1;
        pn_cluster *sim = cluster_sim(&config);
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
        assert_int_equal(run(sim, &FIFO), rows[i].status);
        if (rows[i].status == PN_DONE)
            assert_int_equal(cluster_totals(sim).time, rows[i].ms);
        free(sim);
    }
}

static void bounds_saturate(void **unused)
{
    const uint32_t factor[] = {PN_CLUSTER_FACTOR_MOST};
    const pn_cluster_job job = {.maps = 1, .map_ms = PN_CLUSTER_MOST_MS, .map_factor = factor};
    pn_cluster_config config = small();
    (void)unused;
    assert_int_equal(pn_cluster_bound(NULL), 0);
    config.values_max = 2;
    config.bounds_max = 2;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(pn_cluster_bound(sim), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_cluster_bound(sim), PN_INTEGER_MAX);
    free(sim);
}

/* The map takes one of two slots: all the work of maps is served after half of its time, while the
 * machine for reduces has a place again only when the reduce is over. */
static void machines_wait_for_reduces(void **unused)
{
    const pn_scheduler_nodes node = {1, 2, 1, 0};
    pn_cluster_job job = {.maps = 1, .reduces = 1, .map_ms = 100, .reduce_ms = 10};
    pn_cluster_config config = small();
    (void)unused;
    config.scheduler.nodes = &node;
    config.bounds_max = 1;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    const uint64_t full[] = {49, 50, 99, 100, 109};
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        job.submit = full[i];
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_ERR_FULL);
    }
    job.submit = 110;
    assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_cluster_bound(sim), 220);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_versions_are_refused),
        cmocka_unit_test(jobs_out_of_range),
        cmocka_unit_test(calls_from_inside_hooks_are_refused),
        cmocka_unit_test(times_are_in_range),
        cmocka_unit_test(nothing_comes_after_the_end),
        cmocka_unit_test(blocks_know_their_configuration),
        cmocka_unit_test(blocks_know_configurations_of_earlier_versions),
        cmocka_unit_test(blocks_without_their_core_are_none),
        cmocka_unit_test(beats_end_with_the_policy),
        cmocka_unit_test(jobs_that_never_may_run_are_unfinished),
        cmocka_unit_test(durations_pass_64_bits),
        cmocka_unit_test(bounds_saturate),
        cmocka_unit_test(machines_wait_for_reduces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
