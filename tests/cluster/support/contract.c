/* The cluster model under the contract: every policy under all rules, with lists, groups and
 * failing nodes. */
#include "contract/contract.h"
#include "cluster/support/workload.h"

enum { JOBS = 12, GROUPS = 3 };

static bool make(size_t index, contract_case *made)
{
    static const cluster_shape usual = {.gap_ms = 900,
                                        .maps = 5,
                                        .reduces = 3,
                                        .task_ms = 1000,
                                        .listed = 1,
                                        .nodes = CLUSTER_NODES,
                                        .groups = GROUPS};
    static pn_cluster_hooks hooks;
    cluster_variant as;
    size_t option = index % CLUSTER_OPTIONS;
    if (!cluster_variant_get(index / CLUSTER_OPTIONS, &as))
        return false;
    cluster_workload *work = workload_room(sizeof *work);
    *work = cluster_new(JOBS, 51 + option, usual);
    pn_cluster_config config = cluster_config(work, &cluster_options[option]);
    config.scheduler.statistics = 1;
    config.scheduler.groups_max = GROUPS;
    config.scheduler.policy = as.policy;
    hooks = (pn_cluster_hooks){.policy = as.policy, .params = as.params};
    *made = (contract_case){.jobs = work, .hooks = &hooks};
    memcpy(made->config, &config, sizeof config);
    return true;
}

static void drop(contract_case *made)
{
    cluster_free(made->jobs);
    free(made->jobs);
}

static int feed(void *sim, const contract_case *of)
{
    const cluster_workload *work = of->jobs;
    int status = cluster_submit(sim, work, 0, work->count);
    pn_cluster_config config;
    memcpy(&config, of->config, sizeof config);
    return status == PN_OK ? cluster_announce(sim, &config) : status;
}

const contract_model contract_cluster = {pn_cluster_model, make, drop, feed};
