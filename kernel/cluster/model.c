/* The table of the cluster model. */
#include "base/model.h"
#include "pn_cluster.h"

PN_MODEL_OF_BLOCKS(cluster, scheduler)
PN_MODEL_CONFIGURED(cluster)
PN_MODEL_OF_RUNS(cluster)

static const char *cluster_any_policy_name(const void *sim)
{
    return pn_scheduler_policy_name(pn_cluster_scheduler(sim));
}

static int cluster_any_finish(void *sim, const void *hooks)
{
    return pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
}

static const pn_stats *cluster_any_statistics(const void *sim, uint32_t group)
{
    return pn_scheduler_samples(pn_cluster_scheduler(sim), PN_SCHEDULER_MAKESPANS, group);
}

const pn_model *pn_cluster_model(void)
{
    static const pn_model model = {PN_MODEL_BLOCKS(cluster), .configured = cluster_any_configured,
                                   PN_MODEL_RUNS(cluster)};
    return &model;
}
