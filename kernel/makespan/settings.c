/* Settings of the makespan model: their rows, defaults and checks. */
#include "base/config.h"
#include "base/settings.h"
#include "state.h"

#define NUMBER(member, least, most, otherwise) \
    PN_NUMBER(pn_makespan_config, member, least, most, otherwise)
#define FLAG(member)                    PN_FLAG(pn_makespan_config, member, 0)
#define CHOICE(member, last, constants) PN_CHOICE(pn_makespan_config, member, last, constants)

static const pn_setting makespan_settings[] = {
    {NUMBER(map_slots, 1, PN_MAKESPAN_SLOTS_MOST, 0),
     PN_RULE(0, "map_slots", "MK6", "number of map slots")},
    {NUMBER(reduce_slots, 1, PN_MAKESPAN_SLOTS_MOST, 0),
     PN_RULE(0, "reduce_slots", "MK6", "number of reduce slots")},
    {NUMBER(base_map_slots, 0, PN_MAKESPAN_SLOTS_MOST, 0)},
    {NUMBER(base_reduce_slots, 0, PN_MAKESPAN_SLOTS_MOST, 0)},
    {CHOICE(level, PN_MAKESPAN_TASKS, "PN_MAKESPAN_STAGES or PN_MAKESPAN_TASKS"),
     PN_NAMED(0, "level", PN_NAMES("stage", "task"), "MK6",
              "whether stages or tasks are scheduled")},
    {NUMBER(jobs_max, 1, 67108864, 0)},
    {NUMBER(stretches_max, 0, 2147483648, 0)},
    {NUMBER(groups_max, 0, 1048576, 0)},
    {FLAG(statistics)},
    {PN_POWER(pn_makespan_config, ticks, 1, 53, 1)},
    {CHOICE(stage_time, PN_MAKESPAN_FLUID, "one of enum pn_makespan_time"),
     PN_NAMED(1, "stage_time",
              PN_NAMES("default", "given", "waves_req", "waves", "capped", "fluid"), "MK6",
              "stage level: the duration of a stage")},
    {CHOICE(share, PN_MAKESPAN_EXCLUSIVE, "one of enum pn_makespan_share"),
     PN_NAMED(2, "share", PN_NAMES("default", "conserving", "exclusive"), "MK17",
              "task level: later jobs use free slots (conserving) or wait (exclusive)")},
    {CHOICE(cap, PN_MAKESPAN_CAP_REQUESTED, "one of enum pn_makespan_cap"),
     PN_NAMED(3, "cap", PN_NAMES("default", "none", "requested"), "MK17",
              "task level: limit on the running tasks of a stage")},
    {CHOICE(task_order, PN_MAKESPAN_LPT, "one of enum pn_makespan_task_order"),
     PN_NAMED(4, "task_order", PN_NAMES("default", "listed", "lpt"), "MK18",
              "task level: tasks as listed, or longest first")},
    {NUMBER(resplit, 0, 65536, 0),
     PN_RULE(5, "resplit", "MK21",
             "task level, k > 0: each stage is split into k equal tasks per slot")},
    {NUMBER(nodes, 0, PN_MAKESPAN_SLOTS_MOST, 0),
     PN_RULE_OF(.rank = 6, .name = "nodes", .absent = "gcd of slots", .source = "MK22",
                .doc = "number of nodes that pools share; divides both numbers of slots")},
    PN_ATTRIBUTES_SETTING(pn_makespan_config)};

void pn_makespan_defaults_into(pn_makespan_config *config, size_t size)
{
    pn_makespan_config defaults = {.struct_size = sizeof defaults};
    pn_settings_default(PN_ROWS(makespan_settings), &defaults);
    pn_config_give(config, size, &defaults, sizeof defaults);
}

void pn_makespan_keep_config(pn_makespan_config *stored, const pn_makespan_config *config)
{
    stored->struct_size = sizeof *stored;
    pn_settings_copy(PN_ROWS(makespan_settings), stored, config);
    if (stored->stretches_max == 0)
        stored->stretches_max = 2 * stored->jobs_max;
    stored->seed = config->seed;
    stored->replica = config->replica;
}

const pn_setting *pn_makespan_setting_at(size_t index)
{
    return PN_SETTING_AT(makespan_settings, index);
}

static const char *makespan_fault_of(const pn_makespan_config *config)
{
    const char *wrong = pn_settings_check(PN_ROWS(makespan_settings), config);
    uint64_t most = pn_max(config->map_slots, config->reduce_slots);
    if (wrong)
        return wrong;
    if (config->nodes != 0 &&
        (config->map_slots % config->nodes != 0 || config->reduce_slots % config->nodes != 0))
        return "nodes: 0, or a divisor of map_slots and reduce_slots";
    if (config->resplit * most > (uint64_t)1 << 31)
        return "resplit: 0..65536, times slots at most 2^31";
    if (config->policy && !pn_makespan_policy_sane(config->policy))
        return "policy: a name of 1..31 bytes, rules of their enums, at most 8 parameters with "
               "defaults in range, and decide";
    return NULL;
}

PN_CONFIG_READER(static, makespan, policy)
PN_CONFIG_CHECKER(makespan)
