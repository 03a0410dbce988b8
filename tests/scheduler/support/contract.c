/* The scheduler core under the contract: its blocks and policies. It does not run by itself: hosts
 * tell it what happens. */
#include "contract/contract.h"
#include "cluster/support/workload.h"

static bool make(size_t index, contract_case *made)
{
    pn_scheduler_config config = pn_scheduler_defaults();
    config.nodes = cluster_nodes;
    config.nodes_count = CLUSTER_GROUPS;
    config.jobs_max = 12;
    config.tasks_max = 100;
    config.statistics = 1;
    *made = (contract_case){.jobs = NULL};
    memcpy(made->config, &config, sizeof config);
    return index == 0;
}

static void drop(contract_case *made)
{
    (void)made;
}

const contract_model contract_scheduler = {pn_scheduler_model, make, drop, NULL};
