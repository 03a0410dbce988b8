/* The table of the tandem model. */
#include "base/model.h"
#include "pn_tandem.h"

PN_MODEL_OF_BLOCKS(tandem, tandem)
PN_MODEL_CONFIGURED(tandem)
PN_MODEL_OF_RUNS(tandem)

static const char *tandem_any_policy_name(const void *sim)
{
    return pn_tandem_policy_name(sim);
}

static int tandem_any_finish(void *sim, const void *hooks)
{
    return pn_tandem_run(sim, hooks, PN_TANDEM_FOREVER, UINT64_MAX);
}

static const pn_stats *tandem_any_statistics(const void *sim, uint32_t group)
{
    return pn_tandem_response_times(sim, group);
}

const pn_model *pn_tandem_model(void)
{
    static const pn_model model = {PN_MODEL_BLOCKS(tandem), .configured = tandem_any_configured,
                                   PN_MODEL_RUNS(tandem)};
    return &model;
}
