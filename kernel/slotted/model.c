/* The table of the slotted model. */
#include "base/model.h"
#include "pn_slotted.h"

PN_MODEL_OF_BLOCKS(slotted, slotted)
PN_MODEL_CONFIGURED(slotted)
PN_MODEL_OF_RUNS(slotted)

static const char *slotted_any_policy_name(const void *sim)
{
    return pn_slotted_policy_name(sim);
}

static int slotted_any_finish(void *sim, const void *hooks)
{
    return pn_slotted_run(sim, hooks, PN_SLOTTED_FOREVER);
}

static const pn_stats *slotted_any_statistics(const void *sim, uint32_t group)
{
    return pn_slotted_flow_times(sim, group);
}

const pn_model *pn_slotted_model(void)
{
    static const pn_model model = {PN_MODEL_BLOCKS(slotted), .configured = slotted_any_configured,
                                   PN_MODEL_RUNS(slotted)};
    return &model;
}
