/* Every status the dag model documents, and that a refusal changes nothing: the whole block is
 * compared before and after. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dag/state.h"
#include "dispatch/state.h"
#include "support/kept.h"
#include "support/workload.h"

static const pn_dispatch_nodes two[] = {{{4, 8}, 2, 0}};
static const pn_dispatch_queue queues[] = {{1, 500, 0, 0}, {2, 500, 500, 0}};
/* the plainest hooks */
#define FIFO                         \
    (pn_dag_hooks)                   \
    {                                \
        .policy = pn_dispatch_fifo() \
    }

/* Two nodes of two resources. */
static pn_dag_config small(void)
{
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = two;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.queues = queues;
    config.dispatch.queues_count = 2;
    config.dispatch.jobs_max = 3;
    config.dispatch.stages_max = 6;
    config.dispatch.edges_max = 4;
    config.groups_max = 2;
    config.durations_max = 6;
    config.failures_max = 2;
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

/* ---- configuration ---- */

static void check_wrong(const pn_dag_config *config, const char *field)
{
    pn_dag *sim = NULL;
    uint64_t block[8] = {0};
    const char *told = pn_dag_check(config);
    if (!told || !strstr(told, field) || strstr(told, field) > strchr(told, ':'))
        fail_msg("\"%s\" instead of %s", told ? told : "nothing", field);
    assert_int_equal(pn_dag_size(config), 0);
    assert_int_equal(pn_dag_init(&sim, block, SIZE_MAX, config), PN_ERR_CONFIG);
    assert_null(sim);
}

static void the_check_names_the_field(void **unused)
{
    static const pn_dispatch_nodes wrong[][1] = {{{{1, 1}, 0, 0}},
                                                 {{{1, 1}, (1 << 20) + 1, 0}},
                                                 {{{1, 1}, 1, 1000001}},
                                                 {{{1, 0}, 1, 0}},
                                                 {{{1, 1, 1}, 1, 0}},
                                                 {{{((uint64_t)1 << 40) + 1, 1}, 1, 0}},
                                                 {{{(uint64_t)1 << 40, 1}, 1025, 0}}};
    static const pn_dispatch_queue bad[][1] = {{{1000001, 0, 0, 0}},
                                               {{1, 600, 500, 0}},
                                               {{1, 1001, 0, 0}},
                                               {{1, 0, 1001, 0}},
                                               {{1, 0, 0, 1}}};
    static const pn_dispatch_queue greedy[] = {{1, 501, 0, 0}, {1, 500, 0, 0}};
    (void)unused;
#define WRONG(part, field, value)       \
    do {                                \
        pn_dag_config config = small(); \
        config.part field = value;      \
        check_wrong(&config, #field);   \
    } while (0)
    WRONG(, struct_size, 0);
    WRONG(, struct_size, offsetof(pn_dag_config, move_ms) - 1); /* what came later may miss */
    WRONG(dispatch., struct_size, 0);
    WRONG(dispatch., nodes, NULL);
    WRONG(dispatch., resources, 0);
    WRONG(dispatch., resources, 5);
    WRONG(dispatch., queues, NULL);
    WRONG(dispatch., queues, greedy);
    WRONG(dispatch., nodes_down, 1);
    WRONG(dispatch., nodes_down, 2);
    WRONG(dispatch., jobs_max, 0);
    WRONG(dispatch., jobs_max, ((uint32_t)1 << 26) + 1);
    WRONG(dispatch., stages_max, UINT32_MAX);
    WRONG(dispatch., edges_max, UINT32_MAX);
    WRONG(dispatch., attempts_max, UINT32_MAX);
    WRONG(dispatch., classes_max, UINT32_MAX);
    WRONG(dispatch., placement, 3);
    WRONG(dispatch., order, 4);
    WRONG(dispatch., executors, 3);
    WRONG(dispatch., backfill, 2);
    WRONG(dispatch., max_kills, 1000001);
    WRONG(dispatch., attributes, PN_ATTRIBUTES_MAX + 1);
    WRONG(, seed, PN_INTEGER_MAX + 1);
    WRONG(, factor_lo, 0);
    WRONG(, factor_lo, 1001);
    WRONG(, factor_hi, PN_DAG_FACTOR_MOST + 1);
    WRONG(, est_lo, 0);
    WRONG(, est_hi, 999);
    WRONG(, start_ms, PN_DAG_MOST_MS + 1);
    WRONG(, move_ms, PN_DAG_MOST_MS + 1);
    WRONG(, fresh_ms, PN_DAG_MOST_MS + 1);
    WRONG(, tick_ms, 0);
    WRONG(, tick_ms, PN_DAG_MOST_MS + 1);
    WRONG(, max_time_ms, PN_INTEGER_MAX + 1);
    WRONG(, durations_max, UINT32_MAX);
    WRONG(, failures_max, UINT32_MAX);
    WRONG(, bounds_max, UINT32_MAX);
    WRONG(, groups_max, ((uint32_t)1 << 20) + 1);
    WRONG(, statistics, 2);
    WRONG(, unused, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        WRONG(dispatch., nodes, wrong[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        pn_dag_config config = small();
        config.dispatch.queues = bad[i];
        config.dispatch.queues_count = 1;
        check_wrong(&config, "queues");
    }
#undef WRONG
    assert_non_null(pn_dag_check(NULL));
    assert_int_equal(pn_dag_size(NULL), 0);
    pn_dag_config fine = small();
    assert_null(pn_dag_check(&fine));
    fine.groups_max = (uint32_t)1 << 20;
    assert_null(pn_dag_check(&fine));
}

/* A policy whose table makes no sense has no room anywhere. */
static void the_check_looks_at_the_policy(void **unused)
{
    (void)unused;
#define WRONG(change)                                                           \
    do {                                                                        \
        pn_dispatch_policy policy = *pn_dispatch_srpt();                        \
        pn_dag_config config = small();                                         \
        pn_dag_hooks hooks = {.policy = &policy};                               \
        policy.name = "changed";                                                \
        config.dispatch.policy = &policy;                                       \
        assert_null(pn_dag_check(&config));                                     \
        pn_dag *sim = sim_of(&config);                                          \
        change;                                                                 \
        check_wrong(&config, "policy");                                         \
        assert_int_equal(pn_dag_step(sim, &hooks), PN_ERR_POLICY);              \
        assert_string_equal(pn_dispatch_policy_name(pn_dag_dispatch(sim)), ""); \
        free(sim);                                                              \
    } while (0)
    WRONG(policy.name = "");
    WRONG(policy.order.keys = PN_DISPATCH_KEYS_GROWING + 1);
    WRONG(policy.order.by_queue = 1);
    WRONG((policy.order.keys = 0, policy.order.by_queue = 1));
    WRONG(policy.order.limits = 1);
    WRONG(policy.order.packs = 1);
    WRONG(policy.order.packs = 2);
    WRONG(policy.order.virtual_run = 2);
    WRONG(policy.order.preempts = 1);
    WRONG(policy.order.unused[1] = 1);
    WRONG(policy.param_count = PN_PARAMS_MAX + 1);
#undef WRONG
}

/* ---- submitting ---- */

static void check_refused(pn_dag *sim, const pn_dag_job *job, int expected)
{
    kept before = keep(sim, pn_dag_block_size(sim));
    uint64_t id = 77;
    assert_int_equal(pn_dag_submit(sim, job, &id), expected);
    assert_int_equal(id, 77);
    check_unchanged(&before);
}

/* Refused for this field, of the stage that it is about. */
static void check_fault(pn_dag *sim, const pn_dag_job *job, const char *field, uint32_t stage)
{
    kept before = keep(sim, pn_dag_block_size(sim));
    uint32_t about;
    const char *told = pn_dag_fault(sim, job, &about);
    if (!told || strncmp(told, field, strlen(field)) != 0 || told[strlen(field)] != ':')
        fail_msg("\"%s\" instead of %s", told ? told : "nothing", field);
    assert_int_equal(about, stage);
    check_unchanged(&before);
    check_refused(sim, job, PN_ERR_JOB);
}

static void submit_refuses_and_changes_nothing(void **unused)
{
    static const uint32_t itself[] = {1}, unknown[] = {2}, twice[] = {0, 0}, back[] = {1},
                          first[] = {0};
    static const uint64_t durations[] = {1, PN_DAG_MOST_MS + 1};
    static const double infinite[] = {1.0 / 0.0};
    const pn_dag_stage fine[] = {{.demand = {1}, .duration = 5, .tasks = 2},
                                 {.demand = {0, 8}, .duration = 1, .tasks = 1}};
    pn_dag_stage stages[2];
    pn_dag_config config = small();
    config.dispatch.attributes = 1;
    pn_dag *sim = sim_of(&config);
    const pn_dag_job good = {.arrival = 5, .stages = stages, .stage_count = 2};
    pn_dag_job job = good;
    (void)unused;
    memcpy(stages, fine, sizeof fine);
    assert_int_equal(pn_dag_submit(NULL, &good, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_submit(sim, NULL, NULL), PN_ERR_ARGUMENT);
    assert_null(pn_dag_fault(sim, &good, NULL));
#define WRONG(field, value, status)       \
    do {                                  \
        job.field = value;                \
        check_refused(sim, &job, status); \
        job = good;                       \
    } while (0)
    WRONG(group, 2, PN_ERR_ARGUMENT);
    WRONG(queue, 2, PN_ERR_ARGUMENT);
    WRONG(arrival, PN_INTEGER_MAX + 1, PN_ERR_OVERFLOW);
    WRONG(stages, NULL, PN_ERR_JOB);
    WRONG(stage_count, 0, PN_ERR_JOB);
    WRONG(stage_count, PN_DISPATCH_STAGES_MOST + 1, PN_ERR_JOB);
    WRONG(weight, PN_DISPATCH_WEIGHT_MOST + 1, PN_ERR_JOB);
    WRONG(deadline, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(attributes, infinite, PN_ERR_JOB);
#undef WRONG
#define WRONG(change, field)               \
    do {                                   \
        change;                            \
        check_fault(sim, &job, field, 1);  \
        memcpy(stages, fine, sizeof fine); \
    } while (0)
    WRONG(stages[1].tasks = 0, "tasks");
    WRONG(stages[1].tasks = PN_DISPATCH_TASKS_MOST + 1, "tasks");
    WRONG(stages[1].demand[1] = 0, "demand");
    WRONG(stages[1].demand[1] = 9, "demand");
    WRONG(stages[1].demand[2] = 1, "demand");
    WRONG(stages[1].demand[0] = PN_DISPATCH_DEMAND_MOST + 1, "demand");
    WRONG(stages[1].duration = PN_DAG_MOST_MS + 1, "duration");
    WRONG((stages[1].tasks = 2, stages[1].durations = durations), "durations");
    WRONG(stages[1].estimate = PN_DAG_MOST_MS + 1, "estimate");
    WRONG(stages[1].start_ms = PN_DAG_MOST_MS + 1, "start_ms");
    WRONG(stages[1].parent_count = 1, "parents");
    WRONG((stages[1].parents = itself, stages[1].parent_count = 1), "parents");
    WRONG((stages[1].parents = unknown, stages[1].parent_count = 1), "parents");
    WRONG((stages[1].parents = twice, stages[1].parent_count = 2), "parents");
    WRONG((stages[1].tasks = PN_DISPATCH_TASKS_MOST, stages[1].estimate = PN_DAG_MOST_MS),
          "estimate");
    WRONG((stages[1].tasks = PN_DISPATCH_TASKS_MOST, stages[1].duration = PN_DAG_MOST_MS,
           stages[1].estimate = 1),
          "duration");
#undef WRONG
    stages[0].parents = back;
    stages[1].parents = first;
    stages[0].parent_count = stages[1].parent_count = 1;
    check_fault(sim, &job, "stages", UINT32_MAX); /* a cycle */
    memcpy(stages, fine, sizeof fine);

    assert_int_equal(pn_dag_submit(sim, &good, NULL), PN_OK);
    job.arrival = 4;
    check_refused(sim, &job, PN_ERR_ORDER);
    assert_int_equal(pn_dag_run(sim, &FIFO, 7, UINT64_MAX), PN_OK);
    job.arrival = 7;
    check_refused(sim, &job, PN_ERR_LATE);
    job.arrival = 8;
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    free(sim);
}

static void check_room(uint32_t most, pn_dag_config config, pn_dag_job job)
{
    pn_dag *sim = sim_of(&config);
    pn_dag_totals totals;
    for (uint32_t i = 0; i < most; i++)
        assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    check_refused(sim, &job, PN_ERR_FULL);
    assert_int_equal(pn_dag_run(sim, &FIFO, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    pn_dag_totals_get(sim, &totals);
    assert_true(totals.dispatch.finished == most && totals.jobs_held == 0);
    assert_true(totals.stages_held == 0 && totals.edges_held == 0 && totals.durations_held == 0);
    job.arrival = totals.time + 1; /* room again */
    for (uint32_t i = 0; i < most; i++)
        assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    check_refused(sim, &job, PN_ERR_FULL);
    free(sim);
}

static void every_table_has_its_limit(void **unused)
{
    static const uint32_t first[] = {0};
    static const uint64_t times[] = {1, 2};
    const pn_dag_stage stages[] = {
        {.demand = {1}, .tasks = 2, .durations = times},
        {.demand = {1}, .tasks = 1, .parents = first, .parent_count = 1}};
    const pn_dag_job job = {.stages = stages, .stage_count = 2};
    pn_dag_config config = small();
    (void)unused;
    check_room(3, config, job); /* jobs, and stages, and durations */
    config.dispatch.stages_max = 5;
    check_room(2, config, job);
    config = small();
    config.dispatch.edges_max = 1;
    check_room(1, config, job);
    config = small();
    config.durations_max = 5;
    check_room(2, config, job);
    config.durations_max = 0;
    check_room(0, config, job);
    config = small();
    config.bounds_max = 1;
    check_room(1, config, job);
    pn_dag_needs needs = pn_dag_needs_of(&config, &job);
    assert_true(needs.stages == 2 && needs.edges == 1 && needs.durations == 2 &&
                needs.attempts == 3);
}

/* A job takes a place in the machines of the resources that it demands, and in them time is what
 * has passed between arrivals. */
static void machines_of_the_bounds_are_full_by_resource(void **unused)
{
    const pn_dag_stage one = {.demand = {4}, .duration = 100, .tasks = 2},
                       other = {.demand = {0, 8}, .duration = 5, .tasks = 1};
    pn_dag_job job = {.stages = &one, .stage_count = 1};
    pn_dag_config config = small();
    config.bounds_max = 1;
    pn_dag *sim = sim_of(&config);
    (void)unused;
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    check_refused(sim, &job, PN_ERR_FULL);
    job.stages = &other;
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    check_refused(sim, &job, PN_ERR_FULL);
    assert_int_equal(pn_dag_run(sim, &FIFO, 50, UINT64_MAX), PN_OK);
    job.arrival = 51;
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    job.arrival = 99;
    job.stages = &one;
    check_refused(sim, &job, PN_ERR_FULL);
    job.arrival = 100;
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    free(sim);
}

/* A run that launches more than there are places for stays where it is. */
static void too_few_places_for_attempts_stop_the_run(void **unused)
{
    const pn_dag_stage stage = {.demand = {1}, .duration = 9, .tasks = 4};
    pn_dag_config config = small();
    config.dispatch.attempts_max = 3;
    pn_dag *sim = sim_of(&config);
    pn_dag_totals totals;
    (void)unused;
    assert_int_equal(pn_dag_submit(sim, &(pn_dag_job){.stages = &stage, .stage_count = 1}, NULL),
                     PN_OK);
    assert_int_equal(pn_dag_step(sim, &FIFO), PN_ERR_FULL);
    assert_int_equal(pn_dag_run(sim, &FIFO, PN_DAG_FOREVER, UINT64_MAX), PN_ERR_FULL);
    assert_int_equal(pn_dag_validate(sim, pn_dag_block_size(sim)), PN_OK);
    pn_dag_totals_get(sim, &totals);
    assert_int_equal(totals.dispatch.launches, 3);
    free(sim);
}

/* ---- failures of nodes ---- */

static void failures_are_refused_and_change_nothing(void **unused)
{
    const pn_dag_stage stage = {.demand = {1}, .duration = 9, .tasks = 1};
    pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    (void)unused;
#define WRONG(time, node, recover, status)                               \
    do {                                                                 \
        kept before = keep(sim, pn_dag_block_size(sim));                 \
        assert_int_equal(pn_dag_fail(sim, time, node, recover), status); \
        check_unchanged(&before);                                        \
    } while (0)
    assert_int_equal(pn_dag_fail(NULL, 1, 0, 2), PN_ERR_ARGUMENT);
    WRONG(1, 2, 3, PN_ERR_ARGUMENT);
    WRONG(1, 0, 1, PN_ERR_ARGUMENT);
    WRONG(PN_INTEGER_MAX + 1, 0, PN_DISPATCH_NEVER, PN_ERR_OVERFLOW);
    WRONG(1, 0, PN_INTEGER_MAX + 1, PN_ERR_OVERFLOW);
    assert_int_equal(pn_dag_fail(sim, 20, 1, PN_DISPATCH_NEVER), PN_OK);
    assert_int_equal(pn_dag_fail(sim, 5, 0, 9), PN_OK);
    WRONG(30, 1, PN_DISPATCH_NEVER, PN_ERR_FULL);
    assert_int_equal(pn_dag_submit(sim, &(pn_dag_job){.stages = &stage, .stage_count = 1}, NULL),
                     PN_OK);
    assert_int_equal(pn_dag_run(sim, &FIFO, 6, UINT64_MAX), PN_OK);
    WRONG(6, 0, 31, PN_ERR_LATE);
    assert_int_equal(pn_dag_fail(sim, 7, 0, PN_DISPATCH_NEVER), PN_OK); /* others are over */
#undef WRONG
    free(sim);
}

/* ---- runs ---- */

static void runs_say_what_is_left(void **unused)
{
    const pn_dag_stage stage = {.demand = {3}, .duration = 10, .tasks = 3};
    const pn_dag_job job = {.stages = &stage, .stage_count = 1};
    pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    pn_dag_totals totals;
    (void)unused;
    assert_int_equal(pn_dag_run(NULL, &FIFO, 1, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_run(sim, NULL, 1, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dag_run(sim, &FIFO, PN_INTEGER_MAX + 1, 1), PN_ERR_OVERFLOW);
    assert_int_equal(pn_dag_run(sim, &(pn_dag_hooks){.policy = NULL}, 1, 1), PN_ERR_POLICY);
    assert_int_equal(pn_dag_over(sim), 1);
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_dag_over(sim), 0);
    assert_int_equal(pn_dag_run(sim, &FIFO, 9, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dag_run(sim, &FIFO, 20, 1), PN_PAUSED);
    assert_int_equal(pn_dag_run(sim, &(pn_dag_hooks){.policy = pn_dispatch_drf()}, 20, 1),
                     PN_ERR_POLICY);
    assert_int_equal(pn_dag_run(sim, &FIFO, 20, UINT64_MAX), PN_DONE);
    pn_dag_totals_get(sim, &totals);
    assert_true(totals.dispatch.finished == 1 && totals.makespan == 20 && totals.instants == 3);
    assert_int_equal(pn_dag_run(sim, &FIFO, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
}

/* ---- blocks from outside ---- */

/* Another number of tasks of the only stage of the only job, of which one task runs: all that the
 * core derives from it fits. */
static void change_tasks(pn_dispatch *core, uint32_t tasks)
{
    pn_dispatch_stage_entry *stage = pn_at(core, core->stages);
    const pn_dispatch_class *class = pn_at(core, core->classes);
    pn_dispatch_entry *job = pn_at(core, core->jobs);
    uint64_t ended = tasks - 2;
    stage->tasks = tasks;
    stage->done = (uint32_t)ended;
    stage->fresh = stage->done + stage->running;
    job->work = stage->estimate * class->sigma * tasks;
    job->left = stage->estimate * class->sigma * pn_dispatch_pending_of(stage);
    job->left_area = stage->estimate * class->omega * pn_dispatch_pending_of(stage);
}

static void check_damaged(pn_dag *sim)
{
    assert_int_equal(
        pn_dispatch_validate(pn_dag_core(sim), pn_dispatch_block_size(pn_dag_core(sim))), PN_OK);
    assert_int_equal(pn_dag_validate(sim, pn_dag_block_size(sim)), PN_ERR_DAMAGED);
}

/* The core alone is sound in each; tasks beyond the listed durations would be read of others. */
static void stages_of_the_core_are_those_of_the_world(void **unused)
{
    static const uint64_t durations[] = {1, 1};
    static const pn_dispatch_nodes one[] = {{{1, 1}, 1, 0}};
    const pn_dag_stage stage = {.demand = {1}, .durations = durations, .tasks = 2};
    pn_dag_config config = small();
    config.dispatch.nodes = one;
    pn_dag *sim = sim_of(&config);
    pn_dispatch_entry *job = pn_at(pn_dag_core(sim), pn_dag_core(sim)->jobs);
    (void)unused;
    assert_int_equal(pn_dag_submit(sim, &(pn_dag_job){.stages = &stage, .stage_count = 1}, NULL),
                     PN_OK);
    assert_int_equal(pn_dag_run(sim, &FIFO, 0, UINT64_MAX), PN_OK);
    change_tasks(pn_dag_core(sim), 1 << 20);
    check_damaged(sim);
    change_tasks(pn_dag_core(sim), 2);
    assert_int_equal(pn_dag_validate(sim, pn_dag_block_size(sim)), PN_OK);
    job->weight = 2;
    check_damaged(sim);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_names_the_field),
        cmocka_unit_test(the_check_looks_at_the_policy),
        cmocka_unit_test(submit_refuses_and_changes_nothing),
        cmocka_unit_test(every_table_has_its_limit),
        cmocka_unit_test(machines_of_the_bounds_are_full_by_resource),
        cmocka_unit_test(too_few_places_for_attempts_stop_the_run),
        cmocka_unit_test(failures_are_refused_and_change_nothing),
        cmocka_unit_test(runs_say_what_is_left),
        cmocka_unit_test(stages_of_the_core_are_those_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
