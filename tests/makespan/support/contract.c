/* The makespan model under the contract: both shapes of batches, all rules, and every policy that
 * decides by itself. */
#include "contract/contract.h"
#include "makespan/support/workload.h"

enum { JOBS = 9, JOBS_OF_OPTIMAL = 5, GROUPS = 3 };

static bool make_of(makespan_shape shape, size_t option, const pn_makespan_policy *policy,
                    contract_case *made)
{
    static pn_makespan_hooks hooks;
    makespan_batch *batch = workload_room(sizeof *batch);
    *batch = makespan_new(JOBS, 51 + option, shape);
    pn_makespan_config config = makespan_config(batch, makespan_options[option], 6, 4);
    config.base_map_slots = 3;
    config.groups_max = GROUPS;
    config.statistics = 1;
    config.ticks = 7;
    config.seed = 5;
    if (policy == pn_makespan_optimal())
        batch->count = JOBS_OF_OPTIMAL;
    hooks = (pn_makespan_hooks){.policy = policy};
    *made = (contract_case){.jobs = batch, .hooks = &hooks};
    memcpy(made->config, &config, sizeof config);
    return true;
}

static bool make(size_t index, contract_case *made)
{
    static const makespan_shape shapes[] = {
        {.tasks = 4, .longest = 12, .groups = GROUPS},
        {.tasks = 3, .longest = 3, .odd = 1, .groups = GROUPS},
    };
    for (size_t shape = 0; shape < 2; shape++)
        for (size_t option = 0; option < MAKESPAN_OPTIONS; option++)
            for (size_t p = 0; pn_makespan_policy_at(p); p++)
                if (makespan_decides(pn_makespan_policy_at(p), makespan_options[option].level) &&
                    index-- == 0)
                    return make_of(shapes[shape], option, pn_makespan_policy_at(p), made);
    return false;
}

static void drop(contract_case *made)
{
    makespan_free(made->jobs);
    free(made->jobs);
}

static int feed(void *sim, const contract_case *of)
{
    return makespan_submit(sim, of->jobs);
}

const contract_model contract_makespan = {pn_makespan_model, make, drop, feed};
