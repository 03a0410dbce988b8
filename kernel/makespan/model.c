/* The table of the makespan model. */
#include "base/model.h"
#include "pn_makespan.h"

PN_MODEL_OF_BLOCKS(makespan, makespan)
PN_MODEL_OF_RUNS(makespan)

static const char *makespan_any_policy_name(const void *sim)
{
    return pn_makespan_policy_name(sim);
}

static int makespan_any_finish(void *sim, const void *hooks)
{
    return pn_makespan_run(sim, hooks, PN_MAKESPAN_FOREVER, UINT64_MAX);
}

static const pn_stats *makespan_any_statistics(const void *sim, uint32_t group)
{
    return pn_makespan_completions(sim, group);
}

const pn_model *pn_makespan_model(void)
{
    static const pn_model model = {PN_MODEL_BLOCKS(makespan), PN_MODEL_RUNS(makespan)};
    return &model;
}
