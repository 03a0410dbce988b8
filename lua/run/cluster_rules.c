#include "cluster_rules.h"

#include <string.h>

/* as enum pn_scheduler_ready */
static const char *const starts[] = {"slowstart", "after_maps", NULL};

#define OF(name, field, wide)                                         \
    {                                                                 \
        name, offsetof(pn_cluster_config, field), wide, 0, NULL, NULL \
    }
#define CHOICE_OF(name, field, list)                               \
    {                                                              \
        name, offsetof(pn_cluster_config, field), 0, 0, list, NULL \
    }
#define NEWER_OF(name, field, automatic)                                \
    {                                                                   \
        name, offsetof(pn_cluster_config, field), 1, 1, NULL, automatic \
    }

const cluster_rule cluster_rules[] = {
    OF("seed", seed, 1),
    OF("heartbeat_ms", heartbeat_ms, 1),
    OF("maps_per_heartbeat", maps_per_heartbeat, 0),
    OF("replication", replication, 0),
    OF("factor_lo", factor_lo, 0),
    OF("factor_hi", factor_hi, 0),
    CHOICE_OF("reduce_start", scheduler.reduce_start, starts),
    OF("slowstart_permille", scheduler.slowstart_permille, 0),
    OF("locality_delay_ms", scheduler.locality_delay_ms, 1),
    OF("tick_ms", tick_ms, 1),
    OF("default_task_ms", scheduler.default_task_ms, 1),
    OF("input_ratio_permille", scheduler.input_ratio_permille, 0),
    OF("max_kills_per_task", scheduler.max_kills, 0),
    OF("attempt_fail_permille", attempt_fail_permille, 0),
    OF("attempts_max", scheduler.attempts_max, 0),
    NEWER_OF("est_extra_ms", est_extra_ms, "auto"),
    OF("max_time_ms", max_time_ms, 1),
    {NULL, 0, 0, 0, NULL, NULL},
};

uint64_t cluster_rule_get(const pn_cluster_config *config, const cluster_rule *rule)
{
    const unsigned char *field = (const unsigned char *)config + rule->offset;
    uint64_t wide;
    uint32_t narrow;
    if (rule->wide) {
        memcpy(&wide, field, sizeof wide);
        return wide;
    }
    memcpy(&narrow, field, sizeof narrow);
    return narrow;
}

int cluster_rule_set(pn_cluster_config *config, const cluster_rule *rule, uint64_t value)
{
    unsigned char *field = (unsigned char *)config + rule->offset;
    uint32_t narrow = (uint32_t)value;
    if (!rule->wide && narrow != value)
        return 0;
    if (rule->wide)
        memcpy(field, &value, sizeof value);
    else
        memcpy(field, &narrow, sizeof narrow);
    return 1;
}

const char *cluster_rule_word(const cluster_rule *rule, uint64_t value)
{
    if (rule->words)
        return rule->words[value];
    return value == PN_CLUSTER_AUTO ? rule->automatic : NULL;
}

int cluster_rule_find(const cluster_rule *rule, const char *word, uint64_t *value)
{
    for (*value = 0; rule->words && rule->words[*value]; ++*value)
        if (strcmp(rule->words[*value], word) == 0)
            return 1;
    *value = PN_CLUSTER_AUTO;
    return rule->automatic && strcmp(rule->automatic, word) == 0;
}
