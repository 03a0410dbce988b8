/* See rules.h. */
#include "rules.h"

#include <string.h>

#include "hash.h"

const model_rules makespan_model_rules = {pn_makespan_setting_at, NULL, 0};
const model_rules cluster_rules = {pn_cluster_setting_at, pn_scheduler_setting_at,
                                   offsetof(pn_cluster_config, scheduler)};
const model_rules dag_rules = {pn_dag_setting_at, pn_dispatch_setting_at,
                               offsetof(pn_dag_config, dispatch)};

static const pn_setting *find_rank(const pn_setting *(*at)(size_t), uint32_t rank)
{
    const pn_setting *setting;
    for (size_t i = 0; (setting = at(i)); i++)
        if (setting->rule && setting->rule->rank == rank)
            return setting;
    return NULL;
}

int rule_at(const model_rules *rules, uint32_t rank, model_rule *rule)
{
    size_t offset = 0;
    const pn_setting *setting = find_rank(rules->model, rank);
    if (!setting && rules->core) {
        setting = find_rank(rules->core, rank);
        offset = rules->core_offset;
    }
    if (!setting)
        return 0;
    *rule = (model_rule){setting, offset + setting->offset};
    return 1;
}

uint64_t rule_get(const void *config, const model_rule *rule)
{
    const unsigned char *member = (const unsigned char *)config + rule->offset;
    uint64_t wide;
    uint32_t narrow;
    if (rule->setting->size == sizeof wide) {
        memcpy(&wide, member, sizeof wide);
        return wide;
    }
    memcpy(&narrow, member, sizeof narrow);
    return narrow;
}

int rule_set(void *config, const model_rule *rule, uint64_t value)
{
    unsigned char *member = (unsigned char *)config + rule->offset;
    uint32_t narrow = (uint32_t)value;
    if (rule->setting->size == sizeof value) {
        memcpy(member, &value, sizeof value);
        return 1;
    }
    if (narrow == value)
        memcpy(member, &narrow, sizeof narrow);
    return narrow == value;
}

const pn_setting *setting_called(const pn_setting *(*at)(size_t index), const char *name)
{
    const pn_setting *setting;
    size_t i = 0;
    do
        setting = at(i++);
    while (!setting->rule || strcmp(setting->rule->name, name) != 0);
    return setting;
}

const char *setting_word(const pn_setting *setting, uint64_t value)
{
    if (setting->rule->names)
        return setting->rule->names[value];
    return value == UINT64_MAX ? setting->rule->automatic : NULL;
}

int setting_find(const pn_setting *setting, const char *word, uint64_t *value)
{
    const pn_rule *rule = setting->rule;
    for (*value = 0; rule->names && rule->names[*value]; ++*value)
        if (strcmp(rule->names[*value], word) == 0)
            return 1;
    *value = UINT64_MAX;
    return rule->automatic && strcmp(rule->automatic, word) == 0;
}

int setting_is_boolean(const pn_setting *setting)
{
    return setting->rule->names && strcmp(setting->rule->names[0], "false") == 0;
}

uint64_t rules_hash(uint64_t hash, const model_rules *rules, const void *config)
{
    model_rule rule;
    for (uint32_t rank = 1; rule_at(rules, rank, &rule); rank++) {
        uint64_t value = rule_get(config, &rule);
        if (!rule.setting->rule->later)
            hash = pn_mix(hash, value);
        else if (value != rule.setting->value)
            hash = pn_mix(hash_text(hash, rule.setting->rule->name), value);
    }
    return hash;
}

static void write_value(run_log *log, const pn_setting *setting, uint64_t value)
{
    const char *word = setting_word(setting, value);
    if (!word)
        run_log_write(log, "%.17g", (double)value);
    else
        run_log_write(log, setting_is_boolean(setting) ? "%s" : "\"%s\"", word);
}

void rules_write(run_log *log, const model_rules *rules, const void *config, const char *before)
{
    model_rule rule;
    for (uint32_t rank = 1; rule_at(rules, rank, &rule); rank++) {
        uint64_t value = rule_get(config, &rule);
        if (value == rule.setting->value)
            continue;
        run_log_write(log, "%s\"%s\":", before, rule.setting->rule->name);
        write_value(log, rule.setting, value);
        before = ",";
    }
}

void settings_write(run_log *log, const pn_setting *(*at)(size_t index), const void *config)
{
    const char *before = ",\"settings\":{";
    const pn_setting *setting;
    for (size_t i = 0; (setting = at(i)); i++) {
        if (!setting->rule || setting->rule->rank > 0)
            continue;
        run_log_write(log, "%s\"%s\":", before, setting->rule->name);
        write_value(log, setting, rule_get(config, &(model_rule){setting, setting->offset}));
        before = ",";
    }
    run_log_write(log, "}");
}
