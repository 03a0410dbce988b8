/* What the tests of policies in Lua of the makespan model share: one small batch to run them on.
 * For tests with cmocka. */
#ifndef LUA_MAKESPAN_H
#define LUA_MAKESPAN_H

#include "slotted/support/script.h"
#include "workload.h"

/* Three jobs on 4 map slots and 2 reduce slots, of 2 nodes, in half units of time: job 1 has maps
 * of 3/2, 3/2 and 1, of which two may run at once, and a reduce of 2; job 2 a map of 1 and two
 * reduces of 1/2; job 3 is a map stage of 5/2. */
enum { FEW_BATCH_JOBS = 3 };

static inline pn_makespan *few_batch(const pn_makespan_policy *policy, uint32_t level)
{
    const pn_makespan_job jobs[FEW_BATCH_JOBS] = {
        {.stage = {{LISTED({3, 2}, {2, 1}), .requested = 2}, {LISTED({4, 1})}}},
        {.stage = {{LISTED({2, 1})}, {LISTED({1, 2})}}},
        {.stage = {{.has_time = 1, .time = 5}}},
    };
    makespan_batch batch = {.count = FEW_BATCH_JOBS};
    pn_makespan_config config = makespan_config(&batch, (makespan_rules){.level = level}, 4, 2);
    config.ticks = 2;
    config.seed = 5;
    config.policy = policy;
    pn_makespan *sim = makespan_sim(&config);
    for (size_t i = 0; i < FEW_BATCH_JOBS; i++)
        assert_int_equal(pn_makespan_submit(sim, &jobs[i], NULL), PN_OK);
    return sim;
}

/* Runs the few jobs; the status in which it ends. */
static inline int run_few_batch(const pn_lua_policy *policy, uint32_t level, const double *params)
{
    const pn_makespan_policy *table = pn_lua_policy_makespan(policy);
    pn_makespan *sim = few_batch(table, level);
    pn_makespan_hooks hooks = {.policy = table, .params = params};
    int status = pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, 1000);
    free(sim);
    return status;
}

/* Whether the policy gives up over the few jobs, and says this; prints what it says instead. */
static inline bool gives_up_batch(const char *text, const pn_lua_options *options,
                                  const char *message)
{
    pn_lua_policy *policy = load_with(text, options);
    int status = run_few_batch(policy, PN_MAKESPAN_TASKS, NULL);
    bool good = status == PN_ERR_POLICY && strcmp(pn_lua_policy_message(policy), message) == 0;
    if (!good)
        print_error("%s: '%s'\nwant '%s'\nof %s\n", pn_status_name(status),
                    pn_lua_policy_message(policy), message, text);
    pn_lua_policy_free(policy);
    return good;
}

#endif
