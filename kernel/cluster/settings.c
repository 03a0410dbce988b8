/* Settings of the cluster model: their rows, defaults and checks. */
#include "base/config.h"
#include "base/settings.h"
#include "state.h"

#define NUMBER(member, least, most, otherwise) \
    PN_NUMBER(pn_cluster_config, member, least, most, otherwise)
#define POWER(member, least, bits, otherwise) \
    PN_POWER(pn_cluster_config, member, least, bits, otherwise)

static const pn_setting cluster_settings[] = {
    {POWER(seed, 0, 53, 1),
     PN_RULE(1, "seed", "CL8, CL27",
             "seed of factors and of the nodes of inputs; the same as the scenario's seed")},
    {POWER(heartbeat_ms, 0, 40, 0),
     PN_RULE(2, "heartbeat_ms", "CL5, CL6",
             "time between two offers of a node's slots; 0: slots are offered at once")},
    {NUMBER(maps_per_heartbeat, 0, 4294967295, 0),
     PN_RULE_OF(.rank = 3, .name = "maps_per_heartbeat", .absent = "1 at once, else no limit",
                .source = "CL7", .doc = "most maps that a node gets in one heartbeat")},
    {NUMBER(replication, 1, 65536, 3),
     PN_RULE(4, "replication", "CL8",
             "number of nodes that hold an input whose nodes are not listed")},
    {POWER(factor_lo, 1, 30, 1000),
     PN_RULE(5, "factor_lo", "CL8", "permille: smallest factor on the duration of an attempt")},
    {POWER(factor_hi, 1, 30, 1000), PN_RULE(6, "factor_hi", "CL8", "permille: largest factor")},
    {NUMBER(attempt_fail_permille, 0, 1000, 0),
     PN_RULE(14, "attempt_fail_permille", "CL27", "permille of the attempts that fail")},
    {PN_SETTING(pn_cluster_config, est_extra_ms, 0, PN_CLUSTER_MOST_MS, 0),
     .range = "est_extra_ms: 0..2^40, or PN_CLUSTER_AUTO", .automatic = 1,
     PN_RULE_OF(.rank = 16, .name = "est_extra_ms", .automatic = "auto", .later = 1,
                .source = "CL20",
                .doc = "policies with deadlines: time added to the estimate of a task; auto: "
                       "enough for the "
                       "heartbeats")},
    {POWER(tick_ms, 1, 40, 10000),
     PN_RULE(10, "tick_ms", "CL17", "policies that estimate: time between two estimates")},
    {POWER(max_time_ms, 0, 53, 0),
     PN_RULE(17, "max_time_ms", "CL4", "time at which the run stops; 0: no limit")},
    {NUMBER(values_max, 0, 1073741824, 0)},
    {NUMBER(failures_max, 0, 67108864, 0)},
    {POWER(restore_ms, 0, 40, 0),
     PN_RULE_OF(.rank = 19, .name = "restore_ms", .later = 1, .source = "CL44",
                .doc = "policies that suspend: time for which a resumed attempt does not work")},
    {POWER(restore_permille, 0, 20, 0),
     PN_RULE_OF(.rank = 20, .name = "restore_permille", .later = 1, .source = "CL44",
                .doc = "the same, permille of the time that the attempt had worked; added")},
    {POWER(save_ms, 0, 40, 0),
     PN_RULE_OF(.rank = 21, .name = "save_ms", .later = 1, .source = "CL46",
                .doc =
                    "policies that suspend: time for which the slot of a suspended attempt saves "
                    "its state")},
    {POWER(save_permille, 0, 20, 0),
     PN_RULE_OF(.rank = 22, .name = "save_permille", .later = 1, .source = "CL46",
                .doc = "the same, permille of the time that the attempt had worked; added")},
    {NUMBER(bounds_max, 0, 67108864, 0)}};

void pn_cluster_keep_config(pn_cluster_config *stored, const pn_cluster_config *config)
{
    stored->struct_size = sizeof *stored;
    pn_settings_copy(PN_ROWS(cluster_settings), stored, config);
}

const pn_setting *pn_cluster_setting_at(size_t index)
{
    return PN_SETTING_AT(cluster_settings, index);
}

uint32_t pn_cluster_count_of_nodes(const pn_scheduler_config *config)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++)
        count += config->nodes[i].count;
    return count;
}

/* Returns the core's configuration as it is really used. */
pn_scheduler_config pn_cluster_core_config(const pn_cluster_config *config)
{
    pn_scheduler_config core = config->scheduler;
    uint32_t drawn = (uint32_t)pn_min(config->replication, pn_cluster_count_of_nodes(&core));
    core.replicas_of_map = (uint32_t)pn_max(core.replicas_of_map, drawn);
    core.maps_per_offer = config->maps_per_heartbeat > 0 ? config->maps_per_heartbeat
                                                         : config->heartbeat_ms == 0;
    core.seed = config->seed;
    if (config->restore_ms > 0 || config->restore_permille > 0 || pn_cluster_saves(config))
        core.suspensions_max = pn_min(core.max_kills, UINT16_MAX);
    uint64_t extra[2] = {config->est_extra_ms, config->est_extra_ms};
    if (config->est_extra_ms == PN_CLUSTER_AUTO)
        pn_scheduler_allowance(&core, config->heartbeat_ms, extra);
    for (int kind = 0; kind < 2; kind++)
        core.extra_ms[kind] = pn_min(core.extra_ms[kind] + extra[kind], PN_CLUSTER_MOST_MS);
    return core;
}

const char *pn_cluster_numbers_fault(const pn_cluster_config *config)
{
    const char *wrong = pn_settings_check(PN_ROWS(cluster_settings), config);
    if (wrong)
        return wrong;
    return config->factor_lo <= config->factor_hi ? NULL
                                                  : "factor_lo, factor_hi: factor_lo <= factor_hi";
}

static const char *cluster_fault_of(const pn_cluster_config *config)
{
    const char *wrong = pn_scheduler_check(&config->scheduler);
    if (wrong)
        return wrong;
    return config->scheduler.nodes_down ? "nodes_down: 0" : pn_cluster_numbers_fault(config);
}

PN_CONFIG_READER_OVER(scheduler, cluster, failures_max)
PN_CONFIG_CHECKER(cluster)
