/* The table of the scheduler core. */
#include "base/model.h"
#include "pn_scheduler.h"

PN_MODEL_OF_BLOCKS(scheduler, scheduler)
PN_MODEL_CONFIGURED(scheduler)

static const char *scheduler_any_policy_name(const void *sim)
{
    return pn_scheduler_policy_name(sim);
}

const pn_model *pn_scheduler_model(void)
{
    static const pn_model model = {PN_MODEL_BLOCKS(scheduler),
                                   .configured = scheduler_any_configured};
    return &model;
}
