/* Rules of a model: the settings of the kernel that scenarios and logs list as "params", beside the
 * parameters of the policy. Plain C, shared by the run, the log, the hash and the checker. */
#ifndef PINION_RUN_RULES_H
#define PINION_RUN_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "log.h"

/* Where the rows of a model are, and those of a core that its configuration contains; null:
 * none. */
typedef struct model_rules {
    const pn_setting *(*model)(size_t index), *(*core)(size_t index);
    size_t core_offset; /* of the core's configuration */
} model_rules;

/* A rule is found by its rank, from 1: position in logs, hashes and lists. */
typedef struct model_rule {
    const pn_setting *setting;
    size_t offset; /* of the member in the model's configuration */
} model_rule;

extern const model_rules makespan_model_rules, cluster_rules, dag_rules;

/* Returns 0 behind the last rule. O(rows). */
int rule_at(const model_rules *rules, uint32_t rank, model_rule *rule);
uint64_t rule_get(const void *config, const model_rule *rule);
/* Returns 0 when the value does not fit into the member. The kernel checks the range. */
int rule_set(void *config, const model_rule *rule, uint64_t value);
/* Returns the word for the value; null: it is a number. */
const char *setting_word(const pn_setting *setting, uint64_t value);
/* Finds the value of a word. Returns 0 when there is none. */
int setting_find(const pn_setting *setting, const char *word, uint64_t *value);
/* Finds the row of a setting that scenario files call so, which must be there. O(rows). */
const pn_setting *setting_called(const pn_setting *(*at)(size_t index), const char *name);
/* Writes those that scenario files have themselves, as the field "settings". */
void settings_write(run_log *log, const pn_setting *(*at)(size_t index), const void *config);
/* Returns whether its words are false and true. */
int setting_is_boolean(const pn_setting *setting);

/* Folds in their values. */
uint64_t rules_hash(uint64_t hash, const model_rules *rules, const void *config);
/* Writes those that differ from their defaults, as fields; `before` goes before the first one. */
void rules_write(run_log *log, const model_rules *rules, const void *config, const char *before);

#endif
