/* The table of the dispatch core. */
#include "base/model.h"
#include "pn_dispatch.h"

PN_MODEL_OF_BLOCKS(dispatch, dispatch)
PN_MODEL_CONFIGURED(dispatch)

static const char *dispatch_any_policy_name(const void *sim)
{
    return pn_dispatch_policy_name(sim);
}

const pn_model *pn_dispatch_model(void)
{
    static const pn_model model = {PN_MODEL_BLOCKS(dispatch),
                                   .configured = dispatch_any_configured};
    return &model;
}
