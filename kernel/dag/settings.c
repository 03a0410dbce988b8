/* Settings of the dag model: their rows, defaults and checks. */
#include "base/config.h"
#include "base/settings.h"
#include "state.h"

#define NUMBER(member, least, most, otherwise) \
    PN_NUMBER(pn_dag_config, member, least, most, otherwise)
#define POWER(member, least, bits, otherwise) \
    PN_POWER(pn_dag_config, member, least, bits, otherwise)

static const pn_setting dag_settings[] = {
    {POWER(seed, 0, 53, 1),
     PN_RULE(4, "seed", "DG5, DG6",
             "seed of factors and wrong estimates; the same as the scenario's seed")},
    {NUMBER(factor_lo, 1, PN_DAG_FACTOR_MOST, 1000),
     PN_RULE(5, "factor_lo", "DG5", "permille: smallest factor on the duration of a task")},
    {NUMBER(factor_hi, 1, PN_DAG_FACTOR_MOST, 1000),
     PN_RULE(6, "factor_hi", "DG5", "permille: largest factor")},
    {NUMBER(est_lo, 1, PN_DAG_FACTOR_MOST, 1000),
     PN_RULE(7, "est_lo", "DG6", "permille: smallest factor on the estimates that policies see")},
    {NUMBER(est_hi, 1, PN_DAG_FACTOR_MOST, 1000),
     PN_RULE(8, "est_hi", "DG6", "permille: largest factor")},
    {POWER(start_ms, 0, 40, 0),
     PN_RULE(9, "start_ms", "DG5",
             "time from a launch until the task's work begins, unless the stage has its own")},
    {POWER(tick_ms, 1, 40, 3000),
     PN_RULE(11, "tick_ms", "DG18", "policies that kill: time between two decisions to kill")},
    {POWER(max_time_ms, 0, 53, 0),
     PN_RULE(12, "max_time_ms", "DG4", "time at which the run stops; 0: no limit")},
    {POWER(move_ms, 0, 40, 0),
     PN_RULE_OF(.rank = 15, .name = "move_ms", .later = 1, .source = "DG36",
                .doc = "executors: time until one that moves to another job is there")},
    {POWER(fresh_ms, 0, 40, 0),
     PN_RULE_OF(.rank = 16, .name = "fresh_ms", .later = 1, .source = "DG36",
                .doc = "executors: how much longer its first task of a job takes")},
    {NUMBER(durations_max, 0, 1073741824, 0)},
    {NUMBER(failures_max, 0, 67108864, 0)},
    {NUMBER(bounds_max, 0, 67108864, 0)},
    {NUMBER(groups_max, 0, 1048576, 0)},
    {PN_FLAG(pn_dag_config, statistics, 0)},
    {PN_SETTING(pn_dag_config, unused, 0, 0, 0), .range = "unused: 0"}};

void pn_dag_keep_config(pn_dag_config *stored, const pn_dag_config *config)
{
    stored->struct_size = sizeof *stored;
    pn_settings_copy(PN_ROWS(dag_settings), stored, config);
    stored->warmup_jobs = config->warmup_jobs;
    stored->warmup_ms = config->warmup_ms;
}

const pn_setting *pn_dag_setting_at(size_t index)
{
    return PN_SETTING_AT(dag_settings, index);
}

uint32_t pn_dag_count_of_nodes(const pn_dispatch_config *config)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++)
        count += config->nodes[i].count;
    return count;
}

/* Returns the core's configuration as it is really used. */
pn_dispatch_config pn_dag_core_config(const pn_dag_config *config)
{
    pn_dispatch_config core = config->dispatch;
    core.seed = config->seed;
    return core;
}

const char *pn_dag_numbers_fault(const pn_dag_config *config)
{
    const char *wrong = pn_settings_check(PN_ROWS(dag_settings), config);
    if (wrong)
        return wrong;
    if (config->factor_lo > config->factor_hi)
        return "factor_lo, factor_hi: factor_lo <= factor_hi";
    return config->est_lo <= config->est_hi ? NULL : "est_lo, est_hi: est_lo <= est_hi";
}

static const char *dag_fault_of(const pn_dag_config *config)
{
    const char *wrong = pn_dispatch_check(&config->dispatch);
    if (wrong)
        return wrong;
    return config->dispatch.nodes_down ? "nodes_down: 0" : pn_dag_numbers_fault(config);
}

PN_CONFIG_READER_OVER(dispatch, dag, warmup_ms)
PN_CONFIG_CHECKER(dag)
