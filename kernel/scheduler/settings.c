/* Settings of the scheduler core: their rows, defaults and checks. */
#include "base/config.h"
#include "base/settings.h"
#include "state.h"

#define NUMBER(member, least, most, otherwise) \
    PN_NUMBER(pn_scheduler_config, member, least, most, otherwise)
#define POWER(member, least, bits, otherwise) \
    PN_POWER(pn_scheduler_config, member, least, bits, otherwise)
#define FLAG(member) PN_FLAG(pn_scheduler_config, member, 0)

static const pn_setting scheduler_settings[] = {
    {FLAG(nodes_down)},
    {NUMBER(jobs_max, 1, 67108864, 0)},
    {NUMBER(tasks_max, 0, 1073741824, 0)},
    {NUMBER(replicas_max, 0, 1073741824, 0)},
    {NUMBER(replicas_of_map, 1, 65536, 3)},
    {NUMBER(groups_max, 0, 1048576, 0)},
    {FLAG(statistics)},
    {PN_CHOICE(pn_scheduler_config, reduce_start, PN_SCHEDULER_AFTER_MAPS,
               "PN_SCHEDULER_SLOWSTART or PN_SCHEDULER_AFTER_MAPS"),
     PN_NAMED(7, "reduce_start", PN_NAMES("slowstart", "after_maps"), "CL11",
              "when reduces may take slots")},
    {NUMBER(slowstart_permille, 0, 1000, 50),
     PN_RULE(8, "slowstart_permille", "CL11",
             "permille of the job's maps that must be done before, with slowstart")},
    {NUMBER(maps_per_offer, 0, 4294967295, 0)},
    {NUMBER(attempts_max, 1, 65535, 4),
     PN_RULE(15, "attempts_max", "CL27",
             "number of failed attempts of one task after which its job fails")},
    {NUMBER(max_kills, 0, 4294967295, 3),
     PN_RULE(13, "max_kills_per_task", "CL19b",
             "policies that kill: no kill after so many attempts of a task; 0: no limit")},
    {POWER(locality_delay_ms, 0, 53, 0),
     PN_RULE(9, "locality_delay_ms", "CL16",
             "policies that delay: how long a job waits for a local map")},
    {POWER(default_task_ms, 1, 40, 10000),
     PN_RULE(11, "default_task_ms", "CL17",
             "policies that estimate: duration of a task while nothing is known")},
    {NUMBER(input_ratio_permille, 0, 1048576, 1000),
     PN_RULE(12, "input_ratio_permille", "CL17",
             "policies that estimate: input of the reduces over input of the maps")},
    {NUMBER(suspended_max, 0, 1073741824, 0)},
    {FLAG(copies)},
    {NUMBER(running_most, 0, 4294967295, 0),
     PN_RULE_OF(.rank = 18, .name = "running_most", .later = 1, .source = "CL42",
                .doc = "most running attempts of a job, of maps and reduces together; 0: no "
                       "limit")},
    {NUMBER(suspensions_max, 0, 65535, 0)},
    PN_ATTRIBUTES_SETTING(pn_scheduler_config)};

void pn_scheduler_defaults_into(pn_scheduler_config *config, size_t size)
{
    pn_scheduler_config defaults = {.struct_size = sizeof defaults};
    pn_settings_default(PN_ROWS(scheduler_settings), &defaults);
    pn_config_give(config, size, &defaults, sizeof defaults);
}

void pn_scheduler_keep_config(pn_scheduler_config *stored, const pn_scheduler_config *config)
{
    stored->struct_size = sizeof *stored;
    pn_settings_copy(PN_ROWS(scheduler_settings), stored, config);
    if (stored->tasks_max == 0)
        stored->tasks_max = (uint32_t)pn_min((uint64_t)64 * stored->jobs_max, (uint32_t)1 << 30);
    if (stored->replicas_max == 0)
        stored->replicas_max = (uint32_t)pn_min((uint64_t)3 * stored->tasks_max, (uint32_t)1 << 30);
    memcpy(stored->extra_ms, config->extra_ms, sizeof stored->extra_ms);
    stored->nodes_absent = config->nodes_absent;
    stored->warmup_jobs = config->warmup_jobs;
    stored->warmup_ms = config->warmup_ms;
}

const pn_setting *pn_scheduler_setting_at(size_t index)
{
    return PN_SETTING_AT(scheduler_settings, index);
}

bool pn_scheduler_policy_sane(const pn_scheduler_policy *policy)
{
    const pn_scheduler_order *order = &policy->order;
    const pn_scheduler_admission *admission = &policy->admission;
    if (!PN_GIVEN(policy, pn_scheduler_policy, copy) || !pn_name_sane(policy->name) ||
        !pn_scheduler_rules_in_range(order, admission) ||
        !pn_params_sane(policy->params, policy->param_count))
        return false;
    return policy->init || pn_scheduler_rules_sane(order, admission, policy);
}

bool pn_scheduler_count_nodes(const pn_scheduler_config *config, uint64_t *nodes,
                              uint64_t slots[PN_SCHEDULER_KINDS])
{
    *nodes = slots[PN_SCHEDULER_MAP] = slots[PN_SCHEDULER_REDUCE] = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_scheduler_nodes *group = &config->nodes[i];
        if (group->count < 1 || group->map_slots > 65536 || group->reduce_slots > 65536 ||
            group->speed > (uint32_t)1 << 20)
            return false;
        *nodes += group->count;
        slots[PN_SCHEDULER_MAP] += (uint64_t)group->count * group->map_slots;
        slots[PN_SCHEDULER_REDUCE] += (uint64_t)group->count * group->reduce_slots;
        if (*nodes > (uint64_t)1 << 22 ||
            slots[PN_SCHEDULER_MAP] + slots[PN_SCHEDULER_REDUCE] > (uint64_t)1 << 26)
            return false;
    }
    return slots[PN_SCHEDULER_MAP] > 0;
}

const char *pn_scheduler_numbers_fault(const pn_scheduler_config *config)
{
    const char *wrong = pn_settings_check(PN_ROWS(scheduler_settings), config);
    if (wrong)
        return wrong;
    if (config->extra_ms[0] > PN_SCHEDULER_EST_MOST || config->extra_ms[1] > PN_SCHEDULER_EST_MOST)
        return "extra_ms: 0..2^40";
    return NULL;
}

static const char *scheduler_fault_of(const pn_scheduler_config *config)
{
    uint64_t nodes, slots[PN_SCHEDULER_KINDS];
    if (!config->nodes || config->nodes_count < 1 ||
        !pn_scheduler_count_nodes(config, &nodes, slots))
        return "nodes: at least one map slot, at most 4194304 nodes and 67108864 slots; of each "
               "entry count >= 1, slots 0..65536, speed 0..1048576";
    const char *wrong = pn_scheduler_numbers_fault(config);
    if (wrong)
        return wrong;
    if (config->nodes_absent > nodes)
        return "nodes_absent: 0..number of nodes";
    if (config->policy && !pn_scheduler_policy_sane(config->policy))
        return "policy: a name of 1..31 bytes, an order and an admission whose fields are in range "
               "and go together, at most 8 parameters with defaults in range";
    return NULL;
}

PN_CONFIG_READER(extern, scheduler, policy)
PN_CONFIG_CHECKER(scheduler)
