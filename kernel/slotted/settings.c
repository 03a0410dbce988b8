/* Settings of the slotted model: their rows, defaults and checks. */
#include "base/config.h"
#include "base/settings.h"
#include "state.h"

#define NUMBER(member, least, most, otherwise) \
    PN_NUMBER(pn_slotted_config, member, least, most, otherwise)
#define FLAG(member)                    PN_FLAG(pn_slotted_config, member, 0)
#define CHOICE(member, last, constants) PN_CHOICE(pn_slotted_config, member, last, constants)

static const pn_setting slotted_settings[] = {
    {NUMBER(machines, 1, PN_SLOTTED_MACHINES_MOST, 0),
     PN_RULE(0, "machines", "SL6", "number of machines, each with one slot")},
    {NUMBER(jobs_max, 1, 268435456, 0)},
    {NUMBER(stretches_max, 0, 268435456, 0)},
    {NUMBER(groups_max, 0, 1048576, 0)},
    {CHOICE(reduce, PN_SLOTTED_NONPREEMPTIVE, "PN_SLOTTED_PREEMPTIVE or PN_SLOTTED_NONPREEMPTIVE"),
     PN_NAMED(0, "reduce", PN_NAMES("preemptive", "nonpreemptive"), "SL9",
              "whether a reduce task may pause")},
    {CHOICE(bounds, PN_SLOTTED_BOUNDS_FAST, "PN_SLOTTED_BOUNDS_NONE or PN_SLOTTED_BOUNDS_FAST")},
    {FLAG(statistics)},
    {FLAG(estimates)},
    PN_ATTRIBUTES_SETTING(pn_slotted_config)};

void pn_slotted_defaults_into(pn_slotted_config *config, size_t size)
{
    pn_slotted_config defaults = {.struct_size = sizeof defaults};
    pn_settings_default(PN_ROWS(slotted_settings), &defaults);
    pn_config_give(config, size, &defaults, sizeof defaults);
}

void pn_slotted_keep_config(pn_slotted_config *stored, const pn_slotted_config *config)
{
    stored->struct_size = sizeof *stored;
    pn_settings_copy(PN_ROWS(slotted_settings), stored, config);
    if (stored->stretches_max == 0)
        stored->stretches_max = stored->jobs_max;
    stored->warmup_jobs = config->warmup_jobs;
    stored->warmup_slots = config->warmup_slots;
    stored->seed = config->seed;
    stored->replica = config->replica;
}

const pn_setting *pn_slotted_setting_at(size_t index)
{
    return PN_SETTING_AT(slotted_settings, index);
}

static bool slotted_order_sane(const pn_slotted_policy *policy, const pn_slotted_order *order)
{
    const uint8_t phases = PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING;
    if (order->changes > PN_SLOTTED_CHANGES_ON_TICK)
        return false;
    /* What a job holds changes as it is served, and a tree is not for taking one machine at a
     * time. */
    if (order->key == pn_slotted_share_key &&
        (order->fit || order->changes == PN_SLOTTED_CHANGES_ON_ARRIVAL))
        return false;
    if (order->members == PN_SLOTTED_WITH_LOAD)
        return !order->fit && policy->shadow != PN_SLOTTED_SHADOW_NONE;
    return order->members != 0 && (order->members & ~phases) == 0;
}

static bool slotted_orders_sane(const pn_slotted_policy *policy)
{
    int load_orders = 0;
    for (int k = 0; k < policy->order_count; k++) {
        if (!slotted_order_sane(policy, &policy->orders[k]))
            return false;
        load_orders += policy->orders[k].members == PN_SLOTTED_WITH_LOAD;
    }
    return load_orders <= 1 && policy->order_count > 0;
}

static bool policy_sane(const pn_slotted_policy *policy)
{
    if (!PN_GIVEN(policy, pn_slotted_policy, tick_slots) || !pn_name_sane(policy->name))
        return false;
    if (policy->order_count > PN_SLOTTED_ORDERS_MAX ||
        !pn_params_sane(policy->params, policy->param_count))
        return false;
    if (policy->shadow > PN_SLOTTED_SHADOW_TRUTH || policy->load > PN_SLOTTED_LOAD_CUMULATIVE ||
        pn_slotted_asks_sizes(policy) > 1)
        return false;
    return policy->relaxed || slotted_orders_sane(policy);
}

static const char *slotted_fault_of(const pn_slotted_config *config)
{
    const char *wrong = pn_settings_check(PN_ROWS(slotted_settings), config);
    if (wrong)
        return wrong;
    if (config->policy && !policy_sane(config->policy))
        return "policy: a name of 1..31 bytes, 1..4 orders of known members (PN_SLOTTED_WITH_LOAD "
               "alone, once, in a heap, with a virtual "
               "run; shares in a heap, changing when served), sizes 0 or 1, at most 8 parameters "
               "with defaults in range";
    return NULL;
}

PN_CONFIG_READER(static, slotted, policy)
PN_CONFIG_CHECKER(slotted)
