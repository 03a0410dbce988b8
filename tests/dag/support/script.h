/* What the tests of policies in Lua of the dag model share: a small scenario to run them on. For
 * tests with cmocka. */
#ifndef LUA_DAG_H
#define LUA_DAG_H

#include "slotted/support/script.h"

/* An order for definitions that are about something else: by arrival. */
#define DAG_KEY "key = { changes = 'arrival', of = function(s, job) return s:arrival(job) end }"

enum { FEW_DAG_JOBS = 3 };

/* Two nodes of 4 and 8, and 2 and 3, the second one half as fast; two queues. At time 0 job 1
 * comes, a chain of two stages, and job 2, in the other queue; at 2500 job 3. */
static inline pn_dag_config few_dag_config(const pn_dispatch_policy *policy)
{
    static const pn_dispatch_nodes nodes[] = {{{4, 8}, 1, 0}, {{2, 3}, 1, 500}};
    static const pn_dispatch_queue queues[] = {{3, 700, 900, 0}, {1, 200, 1000, 0}};
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 2;
    config.dispatch.resources = 2;
    config.dispatch.queues = queues;
    config.dispatch.queues_count = 2;
    config.dispatch.jobs_max = FEW_DAG_JOBS;
    config.dispatch.policy = policy;
    config.tick_ms = 700;
    config.max_time_ms = 1000000;
    return config;
}

static inline pn_dag *few_dags(const pn_dispatch_policy *policy)
{
    static const uint32_t first[] = {0};
    static const pn_dag_stage
        chain[] = {{.demand = {1, 2}, .duration = 1000, .tasks = 5, .start_ms = PN_DAG_AUTO},
                   {.demand = {2, 3},
                    .duration = 3000,
                    .tasks = 2,
                    .parents = first,
                    .parent_count = 1,
                    .estimate = 2000,
                    .start_ms = PN_DAG_AUTO}},
        single[] = {{.demand = {1, 1}, .duration = 1500, .tasks = 4, .start_ms = PN_DAG_AUTO}};
    const pn_dag_job jobs[FEW_DAG_JOBS] = {
        {.stages = chain, .stage_count = 2, .weight = 2, .deadline = 9000},
        {.stages = single, .stage_count = 1, .queue = 1},
        {.arrival = 2500, .stages = chain, .stage_count = 2, .queue = 1}};
    pn_dag_config config = few_dag_config(policy);
    size_t size = pn_dag_size(&config);
    pn_dag *sim;
    assert_true(size > 0);
    assert_int_equal(pn_dag_init(&sim, workload_room(size), size, &config), PN_OK);
    for (int i = 0; i < FEW_DAG_JOBS; i++)
        assert_int_equal(pn_dag_submit(sim, &jobs[i], NULL), PN_OK);
    return sim;
}

/* Runs the few jobs; the status in which it ends. */
static inline int run_few_dags(const pn_lua_policy *policy)
{
    const pn_dispatch_policy *table = pn_lua_policy_dag(policy);
    pn_dag *sim = few_dags(table);
    pn_dag_hooks hooks = {.policy = table};
    int status = pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX);
    free(sim);
    return status;
}

/* Whether the policy gives up over the few jobs, and says this; prints what it says instead. */
static inline bool gives_up_dag(const char *text, const char *message)
{
    pn_lua_policy *policy = load(text);
    int status = run_few_dags(policy);
    bool good = status == PN_ERR_POLICY && strcmp(pn_lua_policy_message(policy), message) == 0;
    if (!good)
        print_error("%s: '%s'\nwant '%s'\nof %s\n", pn_status_name(status),
                    pn_lua_policy_message(policy), message, text);
    pn_lua_policy_free(policy);
    return good;
}

#endif
