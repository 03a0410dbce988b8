/* What the tests of policies in Lua of the tandem model share: one small workload to run them on.
 * For tests with cmocka. */
#ifndef LUA_TANDEM_H
#define LUA_TANDEM_H

#include "slotted/support/script.h"
#include "workload.h"

/* At time 0 job 1 comes, to be mapped for 2 and shuffled for 1, and job 2, which has a backlog of 3
 * at once; job 3 comes at 4.25. */
enum { FEW_TANDEM_JOBS = 3 };

static inline pn_tandem *few_tandem(const pn_tandem_policy *policy)
{
    static pn_tandem_job jobs[FEW_TANDEM_JOBS] = {
        {.arrival = 0, .map = 2, .shuffle = 1, .rank = {3, 1}},
        {.arrival = 0, .map = 0, .shuffle = 3, .rank = {2, 2}},
        {.arrival = 4.25, .map = 1, .shuffle = 0, .rank = {1, 3}},
    };
    tandem_workload work = {FEW_TANDEM_JOBS, jobs};
    pn_tandem_config config = tandem_config(&work, 0);
    config.policy = policy;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(tandem_submit(sim, &work, 0, work.count), PN_OK);
    return sim;
}

/* Runs the few jobs; the status in which it ends. */
static inline int run_few_tandem(const pn_lua_policy *policy, const double *params)
{
    const pn_tandem_policy *table = pn_lua_policy_tandem(policy);
    pn_tandem *sim = few_tandem(table);
    pn_tandem_hooks hooks = {.policy = table, .params = params};
    int status = pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 1000);
    free(sim);
    return status;
}

/* Whether the policy gives up over the few jobs, and says this; prints what it says instead. */
static inline bool gives_up_tandem(const char *text, const pn_lua_options *options,
                                   const char *message)
{
    pn_lua_policy *policy = load_with(text, options);
    int status = run_few_tandem(policy, NULL);
    bool good = status == PN_ERR_POLICY && strcmp(pn_lua_policy_message(policy), message) == 0;
    if (!good)
        print_error("%s: '%s'\nwant '%s'\nof %s\n", pn_status_name(status),
                    pn_lua_policy_message(policy), message, text);
    pn_lua_policy_free(policy);
    return good;
}

#endif
