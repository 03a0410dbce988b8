/* Parameters of a model itself, by the names that scenarios and logs give them: what they set in
 * the kernel's configuration. Plain C, shared by the run, the log, the hash and the checker; a
 * model brings the list of its rules. */
#ifndef PINION_RUN_RULES_H
#define PINION_RUN_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "log.h"

typedef struct model_rule {
    const char *name;
    size_t offset; /* of the field in the model's configuration */
    uint8_t wide;  /* 1: of 64 bits; 0: of 32 */
    /* 1: the hash of a scenario without it is what it was before there was such a rule */
    uint8_t newer;
    /* of the values 0, 1, …, ended by a null, "false" and "true" as such; null: a number */
    const char *const *words;
    const char *automatic; /* what UINT64_MAX is called; null: it is no value of the rule */
} model_rule;

/* A list of them is ended by a null name; `config` is the model's, `usual` one with its
 * defaults. */
uint64_t rule_get(const void *config, const model_rule *of);
/* 0 when the value does not fit into the field. Whether it is in its range, the kernel says. */
int rule_set(void *config, const model_rule *of, uint64_t value);
/* What the value is called; null: it is a number. */
const char *rule_word(const model_rule *of, uint64_t value);
/* The value that is called so. 0 when none is. */
int rule_find(const model_rule *of, const char *word, uint64_t *value);

/* Folds in their values. */
uint64_t rules_hash(uint64_t hash, const model_rule *list, const void *config, const void *usual);
/* Those that differ from their defaults, as fields; `before` goes before the first one. */
void rules_write(run_log *log, const model_rule *list, const void *config, const void *usual,
                 const char *before);

#endif
