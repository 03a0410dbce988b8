/* The slotted model under the contract: every policy in both modes, with estimates, groups and
 * bounds. */
#include "contract/contract.h"
#include "slotted/support/workload.h"

enum { JOBS = 150, MACHINES = 12, GROUPS = 3 };

static bool make(size_t index, contract_case *made)
{
    static const slotted_shape crowded = {
        .rate = 0.5, .maps = 6, .reduces = 18, .tasks = 5, .estimates = 1, .groups = GROUPS};
    static pn_slotted_hooks hooks;
    for (size_t p = 0; pn_slotted_policy_at(p); p++)
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            const pn_slotted_policy *policy = pn_slotted_policy_at(p);
            bool defined = reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive
                                                           : policy->nonpreemptive;
            if (!defined || index-- > 0)
                continue;
            slotted_workload *work = workload_room(sizeof *work);
            *work = slotted_new(JOBS, 51, crowded);
            pn_slotted_config config = slotted_config(work, MACHINES, reduce);
            config.stretches_max = (uint32_t)work->count * SLOTTED_WORKLOAD_TASKS;
            config.estimates = config.statistics = 1;
            config.groups_max = GROUPS;
            config.bounds = PN_SLOTTED_BOUNDS_FAST;
            config.policy = policy;
            hooks = (pn_slotted_hooks){.policy = policy};
            *made = (contract_case){.jobs = work, .hooks = &hooks};
            memcpy(made->config, &config, sizeof config);
            return true;
        }
    return false;
}

static void drop(contract_case *made)
{
    slotted_free(made->jobs);
    free(made->jobs);
}

static int feed(void *sim, const contract_case *of)
{
    const slotted_workload *work = of->jobs;
    return slotted_submit(sim, work, 0, work->count);
}

const contract_model contract_slotted = {pn_slotted_model, make, drop, feed};
