/* Every status the cluster model documents, and that a refusal changes nothing: the whole block is
 * compared before and after. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"
#include "support/kept.h"

static const pn_scheduler_nodes two[] = {{2, 1, 1, 0}};
/* the plainest hooks */
#define FIFO                          \
    (pn_cluster_hooks)                \
    {                                 \
        .policy = pn_scheduler_fifo() \
    }

/* Two nodes with a slot of each kind. */
static pn_cluster_config small(void)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = two;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = 3;
    config.scheduler.tasks_max = 12;
    config.scheduler.groups_max = 2;
    config.values_max = 12;
    config.failures_max = 2;
    return config;
}

/* ---- configuration and blocks ---- */

static void check_wrong(const pn_cluster_config *config, const char *field)
{
    pn_cluster *sim = NULL;
    uint64_t block[8] = {0};
    const char *told = pn_cluster_check(config);
    if (!told || !strstr(told, field) || strstr(told, field) > strchr(told, ':'))
        fail_msg("\"%s\" instead of %s", told ? told : "nothing", field);
    assert_int_equal(pn_cluster_size(config), 0);
    assert_int_equal(pn_cluster_init(&sim, block, SIZE_MAX, config), PN_ERR_CONFIG);
    assert_null(sim);
}

static void the_check_names_the_field(void **unused)
{
    static const pn_scheduler_nodes wrong[][2] = {{{0, 1, 1, 0}},
                                                  {{1, 65537, 1, 0}},
                                                  {{1, 1, 65537, 0}},
                                                  {{1, 1, 1, (1 << 20) + 1}},
                                                  {{(1 << 22) + 1, 1, 0, 0}},
                                                  {{1, 0, 1, 0}}};
    (void)unused;
#define WRONG(part, field, value)           \
    do {                                    \
        pn_cluster_config config = small(); \
        config.part field = value;          \
        check_wrong(&config, #field);       \
    } while (0)
    WRONG(, struct_size, 0);
    WRONG(, struct_size, offsetof(pn_cluster_config, failures_max));
    WRONG(scheduler., struct_size, 0);
    WRONG(scheduler., nodes, NULL);
    WRONG(scheduler., nodes_down, 1);
    WRONG(scheduler., nodes_down, 2);
    WRONG(scheduler., jobs_max, 0);
    WRONG(scheduler., jobs_max, ((uint32_t)1 << 26) + 1);
    WRONG(scheduler., tasks_max, UINT32_MAX);
    WRONG(scheduler., replicas_max, UINT32_MAX);
    WRONG(scheduler., replicas_of_map, 65537);
    WRONG(scheduler., groups_max, UINT32_MAX);
    WRONG(scheduler., statistics, 2);
    WRONG(scheduler., reduce_start, 2);
    WRONG(scheduler., slowstart_permille, 1001);
    WRONG(scheduler., attempts_max, 0);
    WRONG(scheduler., locality_delay_ms, PN_INTEGER_MAX + 1);
    WRONG(scheduler., default_task_ms, 0);
    WRONG(scheduler., default_task_ms, ((uint64_t)1 << 40) + 1);
    WRONG(scheduler., input_ratio_permille, ((uint32_t)1 << 20) + 1);
    WRONG(, seed, PN_INTEGER_MAX + 1);
    WRONG(, heartbeat_ms, ((uint64_t)1 << 40) + 1);
    WRONG(, replication, 0);
    WRONG(, replication, 65537);
    WRONG(, factor_lo, 0);
    WRONG(, factor_lo, 1001);
    WRONG(, factor_hi, 999);
    WRONG(, factor_hi, PN_CLUSTER_FACTOR_MOST + 1);
    WRONG(, attempt_fail_permille, 1001);
    WRONG(, est_extra_ms, PN_CLUSTER_MOST_MS + 1);
    WRONG(, est_extra_ms, PN_CLUSTER_AUTO - 1);
    WRONG(, restore_ms, ((uint64_t)1 << 40) + 1);
    WRONG(, restore_permille, ((uint32_t)1 << 20) + 1);
    WRONG(, save_ms, ((uint64_t)1 << 40) + 1);
    WRONG(, save_permille, ((uint32_t)1 << 20) + 1);
    WRONG(scheduler., suspensions_max, 65536);
    WRONG(, tick_ms, 0);
    WRONG(, tick_ms, ((uint64_t)1 << 40) + 1);
    WRONG(, max_time_ms, PN_INTEGER_MAX + 1);
    WRONG(, values_max, UINT32_MAX);
    WRONG(, failures_max, UINT32_MAX);
    WRONG(, bounds_max, UINT32_MAX);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        WRONG(scheduler., nodes, wrong[i]);
#undef WRONG
    pn_cluster_config empty = small();
    empty.scheduler.nodes_count = 0;
    check_wrong(&empty, "nodes");
    assert_non_null(pn_cluster_check(NULL));
    assert_int_equal(pn_cluster_size(NULL), 0);
}

/* A policy whose table makes no sense has no room anywhere. */
static void the_check_looks_at_the_policy(void **unused)
{
    static const pn_param fussy = {"fussy", 2, 3, 4, NULL, 0, ""};
    (void)unused;
#define WRONG(change)                                                                        \
    do {                                                                                     \
        pn_scheduler_policy policy = *pn_scheduler_fifo();                                   \
        pn_cluster_config config = small();                                                  \
        pn_cluster_hooks hooks = {.policy = &policy};                                        \
        policy.name = "changed";                                                             \
        config.scheduler.policy = &policy;                                                   \
        assert_null(pn_cluster_check(&config));                                              \
        pn_cluster *sim = cluster_sim(&config);                                              \
        assert_int_equal(pn_cluster_submit(sim, &(pn_cluster_job){.maps = 1}, NULL), PN_OK); \
        change;                                                                              \
        check_wrong(&config, "policy");                                                      \
        assert_int_equal(pn_cluster_step(sim, &hooks), PN_ERR_POLICY);                       \
        assert_string_equal(pn_scheduler_policy_name(pn_cluster_scheduler(sim)), "");        \
        free(sim);                                                                           \
    } while (0)
    WRONG(policy.name = NULL);
    WRONG(policy.name = "");
    WRONG(policy.name = "0123456789abcdef0123456789abcdef"); /* 32 bytes */
    WRONG(policy.order.keys = PN_SCHEDULER_KEYS_TIMED + 1);
    WRONG(policy.order.shares = PN_SCHEDULER_SHARES_STRICT + 1);
    WRONG(policy.order.started_first = 2);
    WRONG(policy.order.delays = 2);
    WRONG(policy.order.colocates = 2);
    WRONG(policy.order.estimates = 2);
    WRONG(policy.order.elapses = 2);
    WRONG(policy.order.memoryless = UINT8_MAX);
    WRONG(policy.admission.deadlines = 2);
    WRONG(policy.admission.finishes = PN_SCHEDULER_FINISHES_RECORDED + 1);
    WRONG(policy.admission.maps_first = 2);
    WRONG(policy.admission.reserve = PN_SCHEDULER_RESERVE_LESS + 1);
    WRONG(policy.admission.ended_predecessors = 2);
    WRONG(policy.admission.ended_feedback = UINT8_MAX);
    WRONG(policy.param_count = PN_PARAMS_MAX + 1);
    WRONG((policy.param_count = 1, policy.params[0] = fussy));
    WRONG((policy.param_count = 1, policy.params[0] = (pn_param){.high = 1}));
#undef WRONG
}

static void the_limits_themselves_are_fine(void **unused)
{
    pn_cluster_config config = small();
    (void)unused;
    assert_null(pn_cluster_check(&config));
    config.seed = PN_INTEGER_MAX;
    config.heartbeat_ms = config.tick_ms = (uint64_t)1 << 40;
    config.replication = 65536;
    config.factor_lo = 1;
    config.factor_hi = PN_CLUSTER_FACTOR_MOST;
    config.attempt_fail_permille = 1000;
    config.est_extra_ms = PN_CLUSTER_AUTO;
    config.max_time_ms = PN_INTEGER_MAX;
    config.maps_per_heartbeat = UINT32_MAX;
    config.scheduler.slowstart_permille = 1000;
    config.scheduler.statistics = 1;
    config.scheduler.max_kills = UINT32_MAX;
    assert_null(pn_cluster_check(&config));
    assert_true(pn_cluster_size(&config) > 0);
    config = pn_cluster_defaults();
    assert_true(config.struct_size == sizeof config && config.seed == 1 &&
                config.replication == 3 && config.tick_ms == 10000);
    assert_true(config.scheduler.slowstart_permille == 50 && config.scheduler.max_kills == 3 &&
                config.scheduler.attempts_max == 4);
    config.scheduler.nodes = two;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = 1;
    assert_null(pn_cluster_check(&config));
    assert_in_range(pn_cluster_size(&config), sizeof config, 1 << 17);
}

/* ---- submitting ---- */

static void check_refused(pn_cluster *sim, pn_cluster_job job, int expected)
{
    kept before = keep(sim, pn_cluster_block_size(sim));
    uint64_t id = 77;
    assert_int_equal(pn_cluster_submit(sim, &job, &id), expected);
    assert_int_equal(id, 77);
    check_unchanged(&before);
}

static void submit_refuses_and_changes_nothing(void **unused)
{
    static const uint32_t ones[] = {1, 1}, pairs[] = {2, 0}, many[] = {4, 0}, beyond[] = {0, 2},
                          twice[] = {1, 1}, zero[] = {1, 0}, four[] = {0, 1, 0, 1},
                          large[] = {1, PN_CLUSTER_FACTOR_MOST + 1};
    static const uint64_t forever[] = {0, PN_CLUSTER_MOST_MS + 1};
    static const pn_scheduler_nodes narrow[] = {{1, 1, 0, 0}};
    const pn_cluster_job fine = {.submit = 5, .maps = 2, .reduces = 2, .map_ms = 9, .reduce_ms = 1};
    pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    pn_cluster_job job = fine;
    uint64_t id;
    (void)unused;
    assert_int_equal(pn_cluster_submit(NULL, &fine, &id), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_submit(sim, NULL, &id), PN_ERR_ARGUMENT);
#define WRONG(field, value, status)      \
    do {                                 \
        job.field = value;               \
        check_refused(sim, job, status); \
        job = fine;                      \
    } while (0)
    WRONG(group, 2, PN_ERR_ARGUMENT);
    WRONG(group, UINT32_MAX, PN_ERR_ARGUMENT);
    WRONG(maps, 0, PN_ERR_JOB);
    WRONG(maps, ((uint32_t)1 << 24) + 1, PN_ERR_JOB);
    WRONG(reduces, ((uint32_t)1 << 24) + 1, PN_ERR_JOB);
    WRONG(map_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(remote_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(reduce_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(shuffle_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(deadline, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(est_map_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(est_reduce_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(input, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(intermediate, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(map_times, forever, PN_ERR_JOB);
    WRONG(reduce_times, forever, PN_ERR_JOB);
    WRONG(shuffle_times, forever, PN_ERR_JOB);
    WRONG(map_factor, zero, PN_ERR_JOB);
    WRONG(reduce_factor, zero, PN_ERR_JOB);
    WRONG(map_factor, large, PN_ERR_JOB);
    WRONG(submit, PN_INTEGER_MAX + 1, PN_ERR_OVERFLOW);
    WRONG(blocks, ones, PN_ERR_JOB); /* how many of each map? */
    job.block_counts = ones;
    WRONG(blocks, beyond, PN_ERR_JOB);
    job.block_counts = pairs;
    WRONG(blocks, twice, PN_ERR_JOB);
    job.block_counts = many; /* above replicas_of_map */
    WRONG(blocks, four, PN_ERR_JOB);
#undef WRONG
    assert_int_equal(pn_cluster_submit(sim, &fine, &id), PN_OK);
    assert_int_equal(id, 1);
    job.submit = 4;
    check_refused(sim, job, PN_ERR_ORDER);
    assert_int_equal(pn_cluster_run(sim, &FIFO, 7, UINT64_MAX), PN_OK);
    job.submit = 7;
    check_refused(sim, job, PN_ERR_LATE);
    job.submit = 8;
    assert_int_equal(pn_cluster_submit(sim, &job, &id), PN_OK);
    assert_int_equal(id, 2);
    free(sim);

    config.scheduler.nodes = narrow;
    sim = cluster_sim(&config);
    check_refused(sim, fine, PN_ERR_JOB); /* no reduce slot */
    job.reduces = 0;
    assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    free(sim);
}

static void check_room(uint32_t most, pn_cluster_config config, pn_cluster_job job)
{
    pn_cluster *sim = cluster_sim(&config);
    for (uint32_t i = 0; i < most; i++)
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    check_refused(sim, job, PN_ERR_FULL);
    assert_int_equal(pn_cluster_run(sim, &FIFO, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    pn_cluster_totals totals = cluster_totals(sim);
    assert_true(totals.scheduler.finished == most && totals.jobs_held == 0 &&
                totals.tasks_held == 0);
    assert_true(totals.replicas_held == 0 && totals.values_held == 0);
    job.submit = totals.time + 1; /* room again */
    for (uint32_t i = 0; i < most; i++)
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    check_refused(sim, job, PN_ERR_FULL);
    free(sim);
}

static void every_table_has_its_limit(void **unused)
{
    static const uint64_t times[] = {1, 2};
    const pn_cluster_job job = {.maps = 2, .reduces = 1, .map_ms = 1};
    pn_cluster_job listing = job;
    pn_cluster_config config = small();
    (void)unused;
    listing.map_times = times;
    check_room(3, config, job); /* jobs */
    config.scheduler.tasks_max = 8;
    check_room(2, config, job);
    config = small();
    config.scheduler.replicas_max = 11; /* two of each map */
    check_room(2, config, job);
    config = small();
    config.values_max = 3;
    check_room(1, config, listing);
    config.values_max = 0;
    check_room(0, config, listing);
}

/* ---- failures of nodes ---- */

static void check_no_failure(pn_cluster *sim, uint64_t time, uint32_t node, uint64_t recover,
                             int expected)
{
    kept before = keep(sim, pn_cluster_block_size(sim));
    assert_int_equal(pn_cluster_fail(sim, time, node, recover), expected);
    check_unchanged(&before);
}

static void failures_are_announced_in_any_order(void **unused)
{
    pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    cluster_log log = {NULL, 0, 0};
    const pn_cluster_hooks hooks = {
        .policy = pn_scheduler_fifo(), .on_event = cluster_log_event, .user = &log};
    const uint64_t never = PN_SCHEDULER_NEVER;
    (void)unused;
    assert_int_equal(pn_cluster_fail(NULL, 1, 0, 2), PN_ERR_ARGUMENT);
    check_no_failure(sim, 1, 2, 3, PN_ERR_ARGUMENT);
    check_no_failure(sim, 1, 0, 1, PN_ERR_ARGUMENT);
    check_no_failure(sim, 1, 0, 0, PN_ERR_ARGUMENT);
    check_no_failure(sim, PN_INTEGER_MAX + 1, 0, never, PN_ERR_OVERFLOW);
    assert_int_equal(pn_cluster_fail(sim, 20, 1, never), PN_OK);
    assert_int_equal(pn_cluster_fail(sim, 5, 0, 9), PN_OK);
    check_no_failure(sim, 30, 1, 31, PN_ERR_FULL);
    assert_int_equal(pn_cluster_submit(sim, &(pn_cluster_job){.maps = 3, .map_ms = 12}, NULL),
                     PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, 10, UINT64_MAX), PN_OK);
    check_no_failure(sim, 10, 0, 31, PN_ERR_LATE);
    assert_int_equal(pn_cluster_fail(sim, 11, 0, 12), PN_OK); /* the other is over */
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    static const struct {
        uint64_t time;
        uint32_t event, node, task, attempt;
    } expected[] = {{0, PN_SCHEDULER_ACCEPT, 0, 0, 0},     {0, PN_SCHEDULER_LAUNCH, 0, 0, 0},
                    {0, PN_SCHEDULER_LAUNCH, 1, 1, 0},     {5, PN_SCHEDULER_NODE_DOWN, 0, 0, 0},
                    {5, PN_SCHEDULER_LOSE, 0, 0, 0},       {9, PN_SCHEDULER_NODE_UP, 0, 0, 0},
                    {9, PN_SCHEDULER_LAUNCH, 0, 0, 1},     {11, PN_SCHEDULER_NODE_DOWN, 0, 0, 0},
                    {11, PN_SCHEDULER_LOSE, 0, 0, 1},      {12, PN_SCHEDULER_NODE_UP, 0, 0, 0},
                    {12, PN_SCHEDULER_END, 1, 1, 0},       {12, PN_SCHEDULER_LAUNCH, 0, 0, 2},
                    {12, PN_SCHEDULER_LAUNCH, 1, 2, 0},    {20, PN_SCHEDULER_NODE_DOWN, 1, 0, 0},
                    {20, PN_SCHEDULER_LOSE, 1, 2, 0},      {24, PN_SCHEDULER_END, 0, 0, 2},
                    {24, PN_SCHEDULER_LAUNCH, 0, 2, 1},    {36, PN_SCHEDULER_END, 0, 2, 1},
                    {36, PN_SCHEDULER_JOB_FINISH, 0, 0, 0}};
    assert_int_equal(log.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < log.count; i++) {
        const pn_scheduler_event *e = &log.entry[i];
        if (e->time != expected[i].time || e->event != expected[i].event ||
            e->node != expected[i].node || e->task != expected[i].task ||
            e->attempt != expected[i].attempt)
            fail_msg("event %zu: %u at %llu", i, e->event, (unsigned long long)e->time);
    }
    pn_cluster_totals totals = cluster_totals(sim);
    assert_true(totals.scheduler.lost == 3 && totals.scheduler.launches == 6 &&
                totals.scheduler.kills == 0);
    assert_true(totals.scheduler.slot_ms == 5 + 12 + 2 + 8 + 12 + 12);
    cluster_log_free(&log);
    free(sim);
}

/* ---- running ---- */

static void calls_without_sense_are_refused(void **unused)
{
    pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    const pn_cluster_hooks nobody = {.policy = NULL}, fair = {.policy = pn_scheduler_fair()};
    static const double negative[] = {-1};
    const pn_cluster_hooks wrong = {.policy = pn_scheduler_fair(), .params = negative};
    (void)unused;
    assert_int_equal(pn_cluster_submit(sim, &(pn_cluster_job){.maps = 1, .map_ms = 5}, NULL),
                     PN_OK);
    kept before = keep(sim, pn_cluster_block_size(sim));
    assert_int_equal(pn_cluster_step(NULL, &FIFO), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_step(sim, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_run(NULL, &FIFO, 1, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_run(sim, NULL, 1, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_step(sim, &nobody), PN_ERR_POLICY);
    assert_int_equal(pn_cluster_run(sim, &wrong, 10, UINT64_MAX), PN_ERR_POLICY);
    check_unchanged(&before);
    assert_int_equal(pn_cluster_step(sim, &FIFO), PN_OK);
    before = keep(sim, pn_cluster_block_size(sim));
    assert_int_equal(pn_cluster_step(sim, &fair), PN_ERR_POLICY); /* another one than before */
    assert_int_equal(pn_cluster_run(sim, &fair, PN_CLUSTER_FOREVER, UINT64_MAX), PN_ERR_POLICY);
    check_unchanged(&before);
    assert_int_equal(pn_cluster_run(sim, &FIFO, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    assert_string_equal(pn_scheduler_policy_name(pn_cluster_scheduler(sim)), "fifo");
    free(sim);
}

static void a_run_stops_where_it_is_told_to(void **unused)
{
    pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    (void)unused;
    assert_int_equal(
        pn_cluster_submit(sim, &(pn_cluster_job){.submit = 3, .maps = 3, .map_ms = 10}, NULL),
        PN_OK);
    assert_int_equal(pn_cluster_run(sim, &FIFO, 2, UINT64_MAX), PN_OK);
    assert_true(cluster_totals(sim).instants == 0 && cluster_totals(sim).scheduler.submitted == 0);
    assert_int_equal(pn_cluster_run(sim, &FIFO, 100, 0), PN_PAUSED);
    assert_int_equal(pn_cluster_run(sim, &FIFO, 100, 1), PN_PAUSED);
    assert_true(cluster_totals(sim).instants == 1 && cluster_totals(sim).time == 3);
    assert_int_equal(pn_cluster_run(sim, &FIFO, 13, UINT64_MAX), PN_OK);
    assert_int_equal(cluster_totals(sim).time, 13);
    assert_int_equal(pn_cluster_run(sim, &FIFO, 22, UINT64_MAX), PN_OK);
    assert_int_equal(cluster_totals(sim).time, 13);
    assert_int_equal(pn_cluster_submit(sim, &(pn_cluster_job){.submit = 22, .maps = 1}, NULL),
                     PN_ERR_LATE);
    assert_int_equal(pn_cluster_run(sim, &FIFO, 10, UINT64_MAX), PN_OK); /* the past is over */
    assert_int_equal(pn_cluster_run(sim, &FIFO, 1000, UINT64_MAX), PN_DONE);
    assert_true(cluster_totals(sim).time == 23 && cluster_totals(sim).scheduler.finished == 1);
    assert_int_equal(pn_cluster_step(sim, &FIFO), PN_DONE);
    assert_int_equal(pn_cluster_run(sim, &FIFO, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
}

static void count_outages(void *user, const pn_scheduler_event *event)
{
    *(int *)user += event->event == PN_SCHEDULER_NODE_DOWN || event->event == PN_SCHEDULER_NODE_UP;
}

/* While there is no job nodes fail when the next one comes, or when somebody waits for it. */
static void nodes_fail_while_jobs_are_waited_for(void **unused)
{
    (void)unused;
    for (int waits = 0; waits <= 1; waits++) {
        pn_cluster_config config = small();
        int outages = 0;
        const pn_cluster_hooks hooks = {
            .policy = pn_scheduler_fifo(), .on_event = count_outages, .user = &outages};
        pn_cluster *sim = cluster_sim(&config);
        assert_true(pn_cluster_over(sim));
        assert_int_equal(
            pn_cluster_submit(sim, &(pn_cluster_job){.submit = 0, .maps = 1, .map_ms = 10}, NULL),
            PN_OK);
        assert_int_equal(pn_cluster_fail(sim, 20, 1, 30), PN_OK);
        assert_false(pn_cluster_over(sim));
        assert_int_equal(pn_cluster_run(sim, &hooks, 50, UINT64_MAX), PN_DONE);
        assert_true(outages == 0 && pn_cluster_over(sim));
        assert_int_equal(pn_cluster_wait(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX),
                         PN_ERR_OVERFLOW);
        if (waits)
            assert_int_equal(pn_cluster_wait(sim, &hooks, 50, UINT64_MAX), PN_OK);
        assert_int_equal(outages, waits ? 2 : 0);
        assert_int_equal(
            pn_cluster_submit(sim, &(pn_cluster_job){.submit = 60, .maps = 1, .map_ms = 10}, NULL),
            PN_OK);
        assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
        assert_int_equal(outages, 2);
        free(sim);
    }
}

/* A cluster without nodes that are up is over when every policy has had its tick. */
static void a_dead_cluster_is_over(void **unused)
{
    pn_cluster_config config = small();
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_hsrtf_pr()};
    (void)unused;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(
        pn_cluster_submit(sim, &(pn_cluster_job){.submit = 5, .maps = 1, .map_ms = 10}, NULL),
        PN_OK);
    for (uint32_t node = 0; node < 2; node++)
        assert_int_equal(pn_cluster_fail(sim, 7, node, PN_SCHEDULER_NEVER), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, 7, UINT64_MAX), PN_OK);
    assert_false(pn_cluster_over(sim));
    assert_int_equal(pn_cluster_run(sim, &hooks, 30000, UINT64_MAX), PN_OK);
    assert_true(pn_cluster_over(sim));
    assert_int_equal(
        pn_cluster_submit(sim, &(pn_cluster_job){.submit = 30001, .maps = 1, .map_ms = 10}, NULL),
        PN_OK);
    assert_false(pn_cluster_over(sim));
    free(sim);
}

/* Unfinished jobs come last, once, by id. */
static void tell_unfinished(void *user, const pn_scheduler_record *job)
{
    uint64_t *next = user;
    assert_true(job->id == (*next)++ && job->state == PN_SCHEDULER_UNFINISHED &&
                job->finish == PN_SCHEDULER_NEVER);
    assert_int_equal(job->tag, job->id * 11);
}

static void what_cannot_go_on_is_unfinished(void **unused)
{
    (void)unused;
    for (int late = 0; late <= 1; late++) {
        pn_cluster_config config = small();
        uint64_t next = 1;
        const pn_cluster_hooks hooks = {
            .policy = pn_scheduler_fifo(), .on_finish = tell_unfinished, .user = &next};
        config.max_time_ms = late ? 30 : 0;
        pn_cluster *sim = cluster_sim(&config);
        for (uint64_t id = 1; id <= 2; id++)
            assert_int_equal(
                pn_cluster_submit(
                    sim,
                    &(pn_cluster_job){.submit = 20 * id, .maps = 1, .map_ms = 100, .tag = 11 * id},
                    NULL),
                PN_OK);
        for (uint32_t node = 0; node < 2 && !late; node++)
            assert_int_equal(pn_cluster_fail(sim, 25, node, PN_SCHEDULER_NEVER), PN_OK);
        /* a node may still be announced to come back */
        assert_int_equal(pn_cluster_run(sim, &hooks, 90000, UINT64_MAX), PN_OK);
        assert_int_equal(next, 1);
        assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
        pn_cluster_totals totals = cluster_totals(sim);
        assert_true(next == 3 && totals.unfinished == 2 && totals.scheduler.finished == 0 &&
                    totals.first_submit == 20);
        assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
        assert_int_equal(next, 3);
        free(sim);
    }
}

/* While a task waits and nothing else happens, ticks 0, 10, ..., 90 are passed at once; those up to
 * the limit count, however the run is cut. */
static void ticks_up_to_the_limit_count(void **unused)
{
    static const pn_scheduler_nodes one = {1, 1, 0, 0};
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_hsrtf_pu()};
    const pn_cluster_job job = {.maps = 2, .map_ms = 1000};
    (void)unused;
    for (uint64_t instants = 1; instants <= 1000; instants *= 10) {
        pn_cluster_config config = small();
        config.scheduler.nodes = &one;
        config.scheduler.nodes_count = 1;
        config.tick_ms = 10;
        config.max_time_ms = 95;
        pn_cluster *sim = cluster_sim(&config);
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
        int status = PN_PAUSED;
        while (status == PN_PAUSED)
            status = pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, instants);
        assert_int_equal(status, PN_DONE);
        pn_cluster_totals totals = cluster_totals(sim);
        assert_true(totals.unfinished == 1 && totals.time == 90 && totals.ticks == 10);
        free(sim);
    }
}

/* ---- what became of the jobs ---- */

static void keep_record(void *user, const pn_scheduler_record *job)
{
    pn_scheduler_record *records = user;
    assert_int_equal(records[job->id].id, 0);
    records[job->id] = *job;
}

/* Both inputs of the first job lie on node 0; its reduce runs there too. */
static void records_tell_what_became_of_jobs(void **unused)
{
    static const uint32_t ones[] = {1, 1}, first_node[] = {0, 0};
    pn_scheduler_record records[3] = {{.id = 0}};
    const pn_cluster_hooks hooks = {
        .policy = pn_scheduler_fifo(), .on_finish = keep_record, .user = records};
    pn_cluster_config config = small();
    pn_scheduler_group group;
    (void)unused;
    config.scheduler.statistics = 1;
    pn_cluster *sim = cluster_sim(&config);
    const pn_scheduler *core = pn_cluster_scheduler(sim);
    assert_int_equal(pn_cluster_submit(sim,
                                       &(pn_cluster_job){.maps = 2,
                                                         .reduces = 1,
                                                         .map_ms = 10,
                                                         .remote_ms = 5,
                                                         .reduce_ms = 20,
                                                         .shuffle_ms = 8,
                                                         .block_counts = ones,
                                                         .blocks = first_node,
                                                         .tag = 5,
                                                         .deadline = 34},
                                       NULL),
                     PN_OK);
    assert_int_equal(
        pn_cluster_submit(
            sim, &(pn_cluster_job){.submit = 12, .maps = 1, .map_ms = 4, .deadline = 4, .group = 1},
            NULL),
        PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    const pn_scheduler_record *a = &records[1], *b = &records[2];
    assert_true(a->tag == 5 && a->submit == 0 && a->first_map_start == 0 && a->map_finish == 15 &&
                a->first_reduce_start == 10);
    assert_true(a->finish == 35 && a->deadline == 34 && a->slot_ms == 10 + 15 + 25 &&
                a->maps == 2 && a->reduces == 1);
    assert_true(a->local_maps == 1 && a->colocated_reduces == 1 && a->kills == 0 &&
                a->state == PN_SCHEDULER_FINISHED && a->group == 0);
    assert_true(b->submit == 12 && b->first_map_start == 12 && b->map_finish == 16 &&
                b->finish == 16 && b->local_maps == 1);
    assert_true(b->first_reduce_start == PN_SCHEDULER_NEVER && b->group == 1);
    pn_cluster_totals t = cluster_totals(sim);
    assert_true(t.scheduler.finished == 2 && t.scheduler.successful == 1 &&
                t.scheduler.accepted == 2 && t.scheduler.rejected == 0);
    assert_true(t.scheduler.slot_ms == 54 && t.scheduler.successful_slot_ms == 4 &&
                t.scheduler.ended_slot_ms == 54);
    assert_true(t.scheduler.first_submit == 0 && t.scheduler.last_finish == 35 &&
                t.scheduler.last_end == 35);
    assert_true(t.scheduler.finished_maps == 3 && t.scheduler.local_maps == 2 &&
                t.scheduler.finished_reduces == 1);
    assert_true(t.scheduler.total_makespan == 39 && t.scheduler.total_execution == 39 &&
                t.scheduler.total_waiting == 0);
    assert_true(t.scheduler.map_slots == 2 && t.scheduler.reduce_slots == 2 && t.submitted == 2 &&
                t.unfinished == 0);
    assert_int_equal(pn_scheduler_group_get(core, 0, &group), PN_OK);
    assert_true(group.jobs == 1 && group.in_wait == 0 && group.in_maps == 15 &&
                group.in_blocked == 0 && group.in_reduces == 20);
    assert_int_equal(pn_scheduler_group_get(core, PN_ALL_GROUPS, &group), PN_OK);
    assert_true(group.jobs == 2 && group.makespan == 39 && group.slot_ms == 54);
    assert_int_equal(pn_scheduler_group_get(core, 2, &group), PN_ERR_ARGUMENT);
    const pn_stats *makespans = pn_scheduler_samples(core, PN_SCHEDULER_MAKESPANS, PN_ALL_GROUPS);
    assert_true(makespans->count == 2 && makespans->min == 4 && makespans->max == 35);
    assert_true(pn_scheduler_batches(core)->filled + pn_scheduler_batches(core)->count >= 2);
    free(sim);
}

/* Durations of the largest numbers do not wrap around: no time is so late, and nothing is changed
 * by what is too late. */
static void no_time_is_too_late(void **unused)
{
    static const pn_scheduler_nodes slow[] = {{1, 1, 1, 1}};
    static const uint32_t largest[] = {PN_CLUSTER_FACTOR_MOST};
    pn_cluster_config config = small();
    (void)unused;
    config.scheduler.nodes = slow;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(
        pn_cluster_submit(
            sim, &(pn_cluster_job){.maps = 1, .map_ms = PN_CLUSTER_MOST_MS, .map_factor = largest},
            NULL),
        PN_OK);
    int status = pn_cluster_run(sim, &FIFO, PN_CLUSTER_FOREVER, UINT64_MAX);
    assert_true(status == PN_ERR_OVERFLOW || status == PN_DONE);
    assert_int_equal(cluster_totals(sim).scheduler.finished, 0);
    free(sim);
}

/* ---- what is drawn ---- */

static void draws_are_what_the_rules_say(void **unused)
{
    (void)unused;
    for (uint32_t nodes = 1; nodes <= 12; nodes++)
        for (uint32_t count = 1; count <= nodes; count++)
            for (uint32_t map = 0; map < 20; map++) {
                uint32_t drawn[12], expected[12], found = 0;
                pn_cluster_replicas(7, 3, map, count, nodes, drawn);
                for (uint64_t c = 0; found < count; c++) {
                    uint64_t hash = pn_mix(pn_mix(pn_mix(PN_MIX_START, 7), 2), 3);
                    uint32_t node = (uint32_t)(pn_mix(pn_mix(hash, map), c) % nodes), k = 0;
                    while (k < found && expected[k] != node)
                        k++;
                    if (k == found)
                        expected[found++] = node;
                }
                assert_memory_equal(drawn, expected, count * sizeof drawn[0]);
            }
    for (uint32_t attempt = 0; attempt < 1000; attempt++) {
        uint64_t hash = pn_mix(pn_mix(pn_mix(PN_MIX_START, 7), 1), 3);
        hash = pn_mix(pn_mix(pn_mix(hash, 1), 5), attempt);
        assert_int_equal(pn_cluster_factor(7, 500, 1500, 3, 1, 5, attempt), 500 + hash % 1001);
        assert_int_equal(pn_cluster_factor(7, 500, 500, 3, 1, 5, attempt), 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_names_the_field),
        cmocka_unit_test(the_check_looks_at_the_policy),
        cmocka_unit_test(the_limits_themselves_are_fine),
        cmocka_unit_test(submit_refuses_and_changes_nothing),
        cmocka_unit_test(every_table_has_its_limit),
        cmocka_unit_test(failures_are_announced_in_any_order),
        cmocka_unit_test(calls_without_sense_are_refused),
        cmocka_unit_test(a_run_stops_where_it_is_told_to),
        cmocka_unit_test(nodes_fail_while_jobs_are_waited_for),
        cmocka_unit_test(a_dead_cluster_is_over),
        cmocka_unit_test(what_cannot_go_on_is_unfinished),
        cmocka_unit_test(ticks_up_to_the_limit_count),
        cmocka_unit_test(records_tell_what_became_of_jobs),
        cmocka_unit_test(no_time_is_too_late),
        cmocka_unit_test(draws_are_what_the_rules_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
