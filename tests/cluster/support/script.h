/* What the tests of policies in Lua of the cluster model share: a small scenario to run them on,
 * and one with more to happen. For tests with cmocka. */
#ifndef LUA_CLUSTER_H
#define LUA_CLUSTER_H

#include "slotted/support/script.h"

/* An order for definitions that are about something else: by id. */
#define CLUSTER_KEY "key = { changes = 'arrival', of = function(s, job) return 1 end }"

/* Two nodes with two map slots and a reduce slot. At time 0 job 1 comes, with three maps and two
 * reduces, and job 2, with two maps; at 4250 job 3, with four maps and a reduce. Ticks every 2000
 * ms. */
enum { FEW_CLUSTER_JOBS = 3 };

static const pn_cluster_job few_cluster_jobs[FEW_CLUSTER_JOBS] = {
    {.submit = 0,
     .maps = 3,
     .reduces = 2,
     .map_ms = 1000,
     .reduce_ms = 9000,
     .shuffle_ms = 500,
     .deadline = 60000},
    {.submit = 0, .maps = 2, .map_ms = 700, .remote_ms = 100, .deadline = 30000},
    {.submit = 4250,
     .maps = 4,
     .reduces = 1,
     .map_ms = 3000,
     .reduce_ms = 5000,
     .deadline = 40000,
     .group = 1},
};

static inline pn_cluster_config few_cluster_config(const pn_scheduler_policy *policy)
{
    static const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 2, .reduce_slots = 1};
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = &nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = FEW_CLUSTER_JOBS;
    config.scheduler.groups_max = 2;
    config.scheduler.policy = policy;
    config.scheduler.suspended_max = 100;
    config.scheduler.copies = policy && policy->copy;
    config.tick_ms = 2000;
    config.max_time_ms = 1000000;
    return config;
}

static inline pn_cluster *cluster_sim(const pn_cluster_config *config)
{
    size_t size = pn_cluster_size(config);
    pn_cluster *sim;
    assert_true(size > 0);
    assert_int_equal(pn_cluster_init(&sim, workload_room(size), size, config), PN_OK);
    return sim;
}

static inline pn_cluster *few_cluster(const pn_scheduler_policy *policy)
{
    pn_cluster_config config = few_cluster_config(policy);
    pn_cluster *sim = cluster_sim(&config);
    for (int i = 0; i < FEW_CLUSTER_JOBS; i++)
        assert_int_equal(pn_cluster_submit(sim, &few_cluster_jobs[i], NULL), PN_OK);
    return sim;
}

/* Runs the few jobs; the status in which it ends. */
static inline int run_few_cluster(const pn_lua_policy *policy, const double *params)
{
    const pn_scheduler_policy *table = pn_lua_policy_cluster(policy);
    pn_cluster *sim = few_cluster(table);
    pn_cluster_hooks hooks = {.policy = table, .params = params};
    int status = pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
    free(sim);
    return status;
}

/* Whether the policy gives up over the few jobs, and says this; prints what it says instead. */
static inline bool gives_up_cluster(const char *text, const pn_lua_options *options,
                                    const char *message)
{
    pn_lua_policy *policy = load_with(text, options);
    int status = run_few_cluster(policy, NULL);
    bool good = status == PN_ERR_POLICY && strcmp(pn_lua_policy_message(policy), message) == 0;
    if (!good)
        print_error("%s: '%s'\nwant '%s'\nof %s\n", pn_status_name(status),
                    pn_lua_policy_message(policy), message, text);
    pn_lua_policy_free(policy);
    return good;
}

enum { CROWD = 10 };

/* Jobs that come faster than they are done, on three nodes; one of them goes down, and some
 * attempts fail. Where there are deadlines to be met, some are not taken. */
static inline pn_cluster *crowded_cluster(const pn_scheduler_policy *policy)
{
    static const pn_scheduler_nodes nodes = {.count = 3, .map_slots = 2, .reduce_slots = 1};
    pn_cluster_config config = pn_cluster_defaults();
    pn_stream stream;
    config.scheduler.nodes = &nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = CROWD;
    config.scheduler.policy = policy;
    config.scheduler.suspended_max = 100;
    config.scheduler.copies = policy && policy->copy;
    config.scheduler.locality_delay_ms = 700;
    config.failures_max = 1;
    config.factor_lo = 500;
    config.factor_hi = 2000;
    config.attempt_fail_permille = 30;
    config.replication = 1;
    config.tick_ms = 1500;
    config.max_time_ms = 400000;
    pn_cluster *sim = cluster_sim(&config);
    pn_stream_init(&stream, 11, 0, 0);
    for (uint64_t i = 0, submit = 0; i < CROWD; i++, submit += pn_uniform(&stream, 0, 4000)) {
        pn_cluster_job job = {.submit = submit,
                              .maps = (uint32_t)pn_uniform(&stream, 1, 9),
                              .reduces = (uint32_t)pn_uniform(&stream, 0, 3),
                              .map_ms = pn_uniform(&stream, 100, 3000),
                              .remote_ms = pn_uniform(&stream, 0, 900),
                              .reduce_ms = pn_uniform(&stream, 100, 6000),
                              .shuffle_ms = pn_uniform(&stream, 0, 2000),
                              .deadline = 12000 + 4000 * (i % 5)};
        assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(pn_cluster_fail(sim, 9000, 1, 15000), PN_OK);
    return sim;
}

/* To the end. */
static inline uint64_t crowded_digest(const pn_scheduler_policy *policy, const double *params)
{
    pn_cluster *sim = crowded_cluster(policy);
    pn_cluster_hooks hooks = {.policy = policy, .params = params};
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    uint64_t digest = pn_cluster_digest(sim);
    free(sim);
    return digest;
}

#endif
