/* The dispatch core under the contract: its blocks and policies. It does not run by itself: hosts
 * tell it what happens. */
#include "contract/contract.h"

static bool make(size_t index, contract_case *made)
{
    static const pn_dispatch_nodes nodes[] = {{{4, 8}, 2, 0}, {{6, 3}, 1, 1500}};
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = nodes;
    config.nodes_count = 2;
    config.resources = 2;
    config.jobs_max = 12;
    *made = (contract_case){.jobs = NULL};
    memcpy(made->config, &config, sizeof config);
    return index == 0;
}

static void drop(contract_case *made)
{
    (void)made;
}

const contract_model contract_dispatch = {pn_dispatch_model, make, drop, NULL};
