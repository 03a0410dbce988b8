/* The cluster model under the contract: every policy under all rules, with lists, groups and
 * failing nodes. */
#include "contract/contract.h"
#include "support/cluster_workload.h"

CONTRACT_FUNCTIONS(cluster)
CONTRACT_POLICIES(scheduler)

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

static int step(void *sim, const contract_case *of)
{
    return pn_cluster_step(sim, of->hooks);
}

static int finish(void *sim, const contract_case *of)
{
    return pn_cluster_run(sim, of->hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
}

static void totals(const void *sim, unsigned char totals[CONTRACT_TOTALS])
{
    pn_cluster_totals *got = memset(totals, 0, CONTRACT_TOTALS);
    pn_cluster_totals_get(sim, got);
}

static const pn_stats *statistics(const void *sim, uint32_t group)
{
    return pn_scheduler_samples(pn_cluster_scheduler(sim), PN_SCHEDULER_MAKESPANS, group);
}

const contract_model contract_cluster = {.name = "cluster",
                                         CONTRACT_BLOCKS,
                                         .make = make,
                                         .drop = drop,
                                         .feed = feed,
                                         .step = step,
                                         .finish = finish,
                                         .totals = totals,
                                         .statistics = statistics};
