/* The tandem model under the contract: every policy, with and without overlap, on sizes of any kind
 * and on sizes that tie. */
#include "contract/contract.h"
#include "tandem/support/workload.h"

enum { JOBS = 120, GROUPS = 3 };

static bool make(size_t index, contract_case *made)
{
    static const tandem_shape shapes[] = {
        {.rate = 0.75, .map = 1, .shuffle = 1, .estimates = 1, .groups = GROUPS},
        {.rate = 0.7, .map = 1, .shuffle = 1.2, .grain = 4, .odd = 1, .groups = GROUPS},
    };
    static pn_tandem_hooks hooks;
    size_t shape = index % 2, policy = index / 4;
    for (size_t p = 0; p <= policy; p++)
        if (!pn_tandem_policy_at(p))
            return false;
    tandem_workload *work = workload_room(sizeof *work);
    *work = tandem_new(JOBS, 51, shapes[shape]);
    pn_tandem_config config = tandem_config(work, index / 2 % 2);
    config.estimates = config.statistics = 1;
    config.groups_max = GROUPS;
    config.buckets_max = 12;
    config.bucket_width = 0.25;
    config.bounds = PN_TANDEM_BOUNDS_TIGHT;
    config.policy = pn_tandem_policy_at(policy);
    hooks = (pn_tandem_hooks){.policy = config.policy};
    *made = (contract_case){.jobs = work, .hooks = &hooks};
    memcpy(made->config, &config, sizeof config);
    return true;
}

static void drop(contract_case *made)
{
    tandem_free(made->jobs);
    free(made->jobs);
}

static int feed(void *sim, const contract_case *of)
{
    const tandem_workload *work = of->jobs;
    return tandem_submit(sim, work, 0, work->count);
}

const contract_model contract_tandem = {pn_tandem_model, make, drop, feed};
