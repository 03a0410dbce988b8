/* What a host should not do with a simulation of the dag model, and numbers at the edge: structs of
 * later versions, calls from inside hooks and after the end, configurations of other blocks, blocks
 * whose core is not where it should be, areas and bounds that saturate. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/config.h"
#include "dag/state.h"
#include "support/kept.h"
#include "support/workload.h"

static const pn_dispatch_nodes two[] = {{{4, 8}, 2, 0}};
#define FIFO                         \
    (pn_dag_hooks)                   \
    {                                \
        .policy = pn_dispatch_fifo() \
    }

static pn_dag_config small(void)
{
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = two;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.jobs_max = 3;
    config.dispatch.stages_max = 6;
    config.groups_max = 2;
    config.failures_max = 4;
    return config;
}

static pn_dag *sim_of(const pn_dag_config *config)
{
    pn_dag *sim;
    size_t size = pn_dag_size(config);
    assert_true(size > 0);
    assert_int_equal(pn_dag_init(&sim, workload_room(size), size, config), PN_OK);
    return sim;
}

static const pn_dag_stage one_task[] = {{.demand = {1}, .duration = 10, .tasks = 1}};

static int submit(pn_dag *sim, uint64_t arrival)
{
    const pn_dag_job job = {.arrival = arrival, .stages = one_task, .stage_count = 1};
    return pn_dag_submit(sim, &job, NULL);
}

static int run(pn_dag *sim, const pn_dag_hooks *hooks)
{
    return pn_dag_run(sim, hooks, PN_DAG_FOREVER, UINT64_MAX);
}

static pn_dag_totals totals_of(const pn_dag *sim)
{
    pn_dag_totals totals;
    pn_dag_totals_get(sim, &totals);
    return totals;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void later_versions_are_refused(void **unused)
{
    const pn_dag_config config = small();
    LATER(pn_dag_hooks) hooks = {.known = FIFO, .more = 1};
    LATER(pn_dag_job) job = {.known = {.stages = one_task, .stage_count = 1}, .more = 1};
    pn_dag *sim = sim_of(&config);
    uint64_t id = 0;
    (void)unused;
    hooks.known.struct_size = sizeof hooks;
    job.known.struct_size = sizeof job;
    kept before = keep(sim, pn_dag_block_size(sim));
    assert_int_equal(pn_dag_submit(sim, &job.known, &id), PN_ERR_ARGUMENT);
    assert_string_equal(pn_dag_fault(sim, &job.known, NULL), PN_UNKNOWN_FIELDS);
    assert_int_equal(pn_dag_step(sim, &hooks.known), PN_ERR_ARGUMENT);
    check_unchanged(&before);
    hooks.more = job.more = 0;
    assert_null(pn_dag_fault(sim, &job.known, NULL));
    assert_int_equal(pn_dag_submit(sim, &job.known, &id), PN_OK);
    assert_int_equal(id, 1);
    assert_int_equal(pn_dag_step(sim, &hooks.known), PN_OK);
    free(sim);
}

/* Work of 2^62 ms of a resource, in the first stage or in both, in one product or in the sum. */
#define LONG(count, ms)                                              \
    {                                                                \
        .demand = {1}, .duration = ms, .estimate = 1, .tasks = count \
    }

static const uint32_t first[] = {0};

static void faults_of_jobs_are_named(void **unused)
{
    const uint64_t most = PN_DAG_MOST_MS;
    const struct {
        const char *field;
        uint32_t stage;
        int32_t priority;
        pn_dag_stage stages[2];
    } rows[] = {
        {"priority:", UINT32_MAX, PN_DISPATCH_PRIORITY_MOST + 1, {LONG(1, 1), LONG(1, 1)}},
        {"priority:", UINT32_MAX, -PN_DISPATCH_PRIORITY_MOST - 1, {LONG(1, 1), LONG(1, 1)}},
        {"duration:", 0, 0, {LONG(1 << 20, most), LONG(1, 1)}},
        {"duration:", 1, 0, {LONG(2100, most), LONG(2100, most)}},
        {"duration:", UINT32_MAX, 0, {LONG(1 << 7, most), LONG(1, 1)}},
        {"parents:",
         1,
         0,
         {LONG(1, 1),
          {.demand = {1},
           .duration = 1,
           .tasks = 1,
           .parents = first,
           .parent_count = PN_DISPATCH_EDGES_MOST + 1}}},
    };
    /* a node of speed 1 permille takes 1000 times as long */
    static const pn_dispatch_nodes slow[] = {{{4, 8}, 2, 1}};
    pn_dag_config config = small();
    (void)unused;
    config.dispatch.nodes = slow;
    pn_dag *sim = sim_of(&config);
    kept before = keep(sim, pn_dag_block_size(sim));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const pn_dag_job job = {
            .stages = rows[i].stages, .stage_count = 2, .priority = rows[i].priority};
        uint32_t stage = 99;
        const char *fault = pn_dag_fault(sim, &job, &stage);
        assert_non_null(fault);
        assert_memory_equal(fault, rows[i].field, strlen(rows[i].field));
        assert_int_equal(stage, rows[i].stage);
        assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_ERR_JOB);
    }
    check_unchanged(&before);
    free(sim);
}

/* Of a job with more stages than there are places for none is looked at. */
static void jobs_with_too_many_stages_are_full(void **unused)
{
    const pn_dag_stage stages[7] = {{.tasks = 0}};
    const pn_dag_job job = {.stages = stages, .stage_count = 7};
    pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    (void)unused;
    kept before = keep(sim, pn_dag_block_size(sim));
    assert_null(pn_dag_fault(sim, &job, NULL));
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_ERR_FULL);
    check_unchanged(&before);
    free(sim);
}

/* The core has no place for a second demand: the run ends, and the job is there still. */
static void too_many_demands_end_the_run(void **unused)
{
    const pn_dag_stage stages[] = {{.demand = {1}, .duration = 10, .tasks = 1},
                                   {.demand = {2}, .duration = 10, .tasks = 1}};
    const pn_dag_job job = {.stages = stages, .stage_count = 2};
    pn_dag_config config = small();
    (void)unused;
    config.dispatch.classes_max = 1;
    pn_dag *sim = sim_of(&config);
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(run(sim, &FIFO), PN_ERR_FULL);
    assert_int_equal(totals_of(sim).jobs_held, 1);
    assert_int_equal(pn_dag_validate(sim, pn_dag_block_size(sim)), PN_OK);
    free(sim);
}

typedef struct inside {
    pn_dag *sim;
    int tried;
} inside;

static void run_inside(void *user, uint64_t time)
{
    inside *in = user;
    assert_int_equal(pn_dag_step(in->sim, &FIFO), PN_ERR_BUSY);
    assert_int_equal(pn_dag_run(in->sim, &FIFO, time + 1, 1), PN_ERR_BUSY);
    assert_int_equal(pn_dag_wait(in->sim, &FIFO, time + 1, 1), PN_ERR_BUSY);
    assert_int_equal(pn_dag_fail(in->sim, time + 1, 0, time + 2), PN_ERR_BUSY);
    in->tried++;
}

/* The run ends as if they had not been made. */
static void calls_from_inside_hooks_are_refused(void **unused)
{
    uint64_t digest[2];
    const pn_dag_config config = small();
    (void)unused;
    for (int tries = 0; tries < 2; tries++) {
        inside in = {sim_of(&config), 0};
        const pn_dag_hooks hooks = {
            .policy = pn_dispatch_fifo(), .on_order = tries ? run_inside : NULL, .user = &in};
        for (int i = 0; i < 3; i++)
            assert_int_equal(submit(in.sim, 0), PN_OK);
        assert_int_equal(pn_dag_fail(in.sim, 5, 0, 7), PN_OK);
        assert_int_equal(run(in.sim, &hooks), PN_DONE);
        assert_true((in.tried > 2) == tries);
        digest[tries] = pn_dag_digest(in.sim);
        free(in.sim);
    }
    assert_true(digest[0] == digest[1]);
}

/* Nothing is known of the nodes: the job that runs no more is unfinished, and so is one that has
 * not arrived, whether anybody listens or not. */
static void nothing_comes_after_the_end(void **unused)
{
    const pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    (void)unused;
    assert_int_equal(pn_dag_wait(sim, &FIFO, PN_DAG_FOREVER, 1), PN_ERR_OVERFLOW);
    assert_int_equal(submit(sim, 0), PN_OK);
    for (uint32_t node = 0; node < 2; node++)
        assert_int_equal(pn_dag_fail(sim, 5, node, PN_DISPATCH_NEVER), PN_OK);
    assert_int_equal(pn_dag_over(sim), 0);
    assert_int_equal(pn_dag_run(sim, &FIFO, 6, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dag_over(sim), 1);
    assert_int_equal(run(sim, &FIFO), PN_DONE);
    assert_int_equal(totals_of(sim).unfinished, 1);
    assert_int_equal(pn_dag_over(sim), 1);
    kept before = keep(sim, pn_dag_block_size(sim));
    assert_int_equal(submit(sim, 1000000), PN_ERR_LATE);
    assert_int_equal(pn_dag_fail(sim, 1000000, 0, 1000001), PN_ERR_LATE);
    assert_int_equal(run(sim, &FIFO), PN_DONE);
    check_unchanged(&before);
    free(sim);
}

static void jobs_behind_the_horizon_are_unfinished(void **unused)
{
    pn_dag_config config = small();
    (void)unused;
    config.max_time_ms = 30;
    pn_dag *sim = sim_of(&config);
    assert_int_equal(submit(sim, 0), PN_OK);
    assert_int_equal(submit(sim, 40), PN_OK);
    assert_int_equal(run(sim, &FIFO), PN_DONE);
    pn_dag_totals totals = totals_of(sim);
    assert_true(totals.unfinished == 1 && totals.dispatch.finished == 1);
    free(sim);
}

static void queries_out_of_range(void **unused)
{
    pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    pn_dag_group group;
    pn_dispatch_queue_totals totals;
    (void)unused;
    assert_int_equal(submit(sim, 5), PN_OK);
    assert_int_equal(pn_dag_group_get(sim, PN_ALL_GROUPS, &group), PN_OK);
    assert_int_equal(pn_dag_group_get(sim, 1, &group), PN_OK);
    assert_int_equal(pn_dag_group_get(sim, 2, &group), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_group_into(sim, 0, NULL, sizeof group), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_queue_get(sim, 0, &totals), PN_OK);
    assert_int_equal(totals.jobs, 1);
    totals.jobs = 77;
    assert_int_equal(pn_dag_queue_get(sim, 1, &totals), PN_ERR_ARGUMENT);
    assert_int_equal(totals.jobs, 77);
    assert_null(pn_dag_batches(sim));
    assert_null(pn_dag_samples(sim, PN_DAG_JCTS, PN_ALL_GROUPS));
    free(sim);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static const pn_dispatch_policy huge = {.name = "huge", .state_bytes = SIZE_MAX / 4 + 1};

static void blocks_know_their_configuration(void **unused)
{
    const pn_dispatch_nodes nodes[] = {{{4, 8}, 1, 0}, {{8, 4}, 1, 1000}};
    const pn_dispatch_nodes others[][2] = {{{{8, 4}, 1, 0}, {{4, 8}, 1, 0}},
                                           {{{4, 8}, 1, 0}, {{8, 4}, 1, 999}}};
    pn_dag_config config = small(), rows[5];
    (void)unused;
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 2;
    for (int i = 0; i < 5; i++)
        rows[i] = config;
    rows[0].dispatch.nodes = others[0];
    rows[1].dispatch.nodes = others[1];
    rows[2].tick_ms++;
    rows[3].dispatch.jobs_max++;
    rows[4].dispatch.policy = &huge;
    assert_null(pn_dag_check(&rows[4]));
    assert_int_equal(pn_dag_size(&rows[4]), 0);
    pn_dag *sim = sim_of(&config);
    for (int moment = 0; moment < 2; moment++) {
        assert_int_equal(pn_dag_configured(sim, &config), 1);
        for (int i = 0; i < 5; i++)
            assert_int_equal(pn_dag_configured(sim, &rows[i]), 0);
        assert_int_equal(pn_dag_configured(NULL, &config), 0);
        assert_int_equal(pn_dag_configured(sim, NULL), 0);
        assert_int_equal(submit(sim, 10 * (uint64_t)moment), PN_OK);
        assert_int_equal(pn_dag_step(sim, &FIFO), PN_OK);
    }
    free(sim);
}

static void blocks_without_their_core_are_none(void **unused)
{
    const pn_dag_config config = small();
    pn_dag *sim = sim_of(&config), *opened = NULL;
    size_t size = pn_dag_block_size(sim), core = sim->core;
    const size_t wrong[] = {size, size + 8, SIZE_MAX - 7, 0, core - 8};
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sim->core = wrong[i];
        assert_true(pn_dag_open(&opened, sim, size) < 0);
        assert_null(opened);
        assert_true(pn_dag_validate(sim, size) < 0);
    }
    sim->core = core;
    assert_int_equal(pn_dag_open(&opened, sim, size), PN_OK);
    assert_ptr_equal(opened, sim);
    free(sim);
}

static void batches_are_validated(void **unused)
{
    pn_dag_config config = small();
    (void)unused;
    config.statistics = 1;
    pn_dag *sim = sim_of(&config);
    size_t size = pn_dag_block_size(sim);
    assert_ptr_equal(pn_dag_batches(sim), pn_fleet_batches(&sim->samples, sim));
    assert_int_equal(pn_dag_validate(sim, size), PN_OK);
    pn_fleet_batches(&sim->samples, sim)->size = 3;
    assert_int_equal(pn_dag_validate(sim, size), PN_ERR_DAMAGED);
    free(sim);
}

/* Entries are looked at only when it is known that there are so many. */
static void counts_of_attempts_are_validated_first(void **unused)
{
    const uint32_t counts[] = {2, (uint32_t)1 << 24, UINT32_MAX};
    const pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    size_t size = pn_dag_block_size(sim);
    (void)unused;
    assert_int_equal(submit(sim, 0), PN_OK);
    assert_int_equal(pn_dag_step(sim, &FIFO), PN_OK);
    assert_int_equal(pn_dag_validate(sim, size), PN_OK);
    for (int i = 0; i < 3; i++) {
        sim->ends.count = counts[i];
        assert_int_equal(pn_dag_validate(sim, size), PN_ERR_DAMAGED);
    }
    free(sim);
}

/* ---- policies -------------------------------------------------------------------------------- */

static void give_up_later(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    (void)job, (void)key;
    if (pn_dispatch_now(view) > 0)
        pn_dispatch_give_up(view, PN_ERR_MODE);
}

static void count_failures(void *user, const pn_dispatch_event *event)
{
    *(int *)user += event->event == PN_DISPATCH_NODE_DOWN;
}

/* Both nodes fail at once, and with the first one the policy: nothing else happens then. */
static void instants_end_with_the_policy(void **unused)
{
    static const pn_dispatch_policy weary = {
        .name = "weary", .order = {.keys = PN_DISPATCH_KEYS_USED}, .key = give_up_later};
    int failures = 0;
    const pn_dag_hooks hooks = {.policy = &weary, .on_event = count_failures, .user = &failures};
    const pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    (void)unused;
    assert_int_equal(submit(sim, 0), PN_OK);
    for (uint32_t node = 0; node < 2; node++)
        assert_int_equal(pn_dag_fail(sim, 5, node, PN_DISPATCH_NEVER), PN_OK);
    assert_int_equal(run(sim, &hooks), PN_ERR_MODE);
    assert_int_equal(failures, 1);
    assert_int_equal(pn_dag_validate(sim, pn_dag_block_size(sim)), PN_OK);
    free(sim);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Between two arrivals a machine may serve more units than 64 bits hold. */
static void machines_serve_more_than_64_bits(void **unused)
{
    const pn_dispatch_nodes large = {{(uint64_t)1 << 40}, 1024, 0};
    const pn_dag_stage stage = {.demand = {(uint64_t)1 << 40}, .duration = 1000, .tasks = 1024};
    pn_dag_job job = {.stages = &stage, .stage_count = 1};
    pn_dag_config config = small();
    (void)unused;
    config.dispatch.nodes = &large;
    config.dispatch.resources = 1;
    config.bounds_max = 1;
    pn_dag *sim = sim_of(&config);
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    job.arrival = 999;
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_ERR_FULL);
    job.arrival = (uint64_t)1 << 52;
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    pn_dag_totals totals = totals_of(sim);
    assert_int_equal(totals.bound_makespan, job.arrival + 1000);
    assert_int_equal(totals.bound_total_jct.low, 2000);
    free(sim);
}

/* Jobs of 2^53 ms each, one after the other. */
static void makespans_saturate(void **unused)
{
    enum { JOBS = 2049 };
    const pn_dispatch_nodes node = {{1}, 1, 0};
    const pn_dag_stage stage = {
        .demand = {1}, .duration = PN_DAG_MOST_MS, .estimate = 1, .tasks = 1 << 13};
    const pn_dag_job job = {.stages = &stage, .stage_count = 1};
    pn_dag_config config = small();
    (void)unused;
    config.dispatch.nodes = &node;
    config.dispatch.resources = 1;
    config.dispatch.jobs_max = config.dispatch.stages_max = config.bounds_max = JOBS;
    pn_dag *sim = sim_of(&config);
    for (uint64_t i = 1; i <= JOBS; i++) {
        assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
        if (i == JOBS - 2)
            assert_true(totals_of(sim).bound_makespan == i << 53);
    }
    assert_true(totals_of(sim).bound_makespan == UINT64_MAX);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_versions_are_refused),
        cmocka_unit_test(faults_of_jobs_are_named),
        cmocka_unit_test(jobs_with_too_many_stages_are_full),
        cmocka_unit_test(too_many_demands_end_the_run),
        cmocka_unit_test(calls_from_inside_hooks_are_refused),
        cmocka_unit_test(nothing_comes_after_the_end),
        cmocka_unit_test(jobs_behind_the_horizon_are_unfinished),
        cmocka_unit_test(queries_out_of_range),
        cmocka_unit_test(blocks_know_their_configuration),
        cmocka_unit_test(blocks_without_their_core_are_none),
        cmocka_unit_test(batches_are_validated),
        cmocka_unit_test(counts_of_attempts_are_validated_first),
        cmocka_unit_test(instants_end_with_the_policy),
        cmocka_unit_test(machines_serve_more_than_64_bits),
        cmocka_unit_test(makespans_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
