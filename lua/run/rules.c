/* See rules.h. */
#include "rules.h"

#include <string.h>

#include "hash.h"

uint64_t rule_get(const void *config, const model_rule *of)
{
    const unsigned char *field = (const unsigned char *)config + of->offset;
    uint64_t wide;
    uint32_t narrow;
    if (of->wide) {
        memcpy(&wide, field, sizeof wide);
        return wide;
    }
    memcpy(&narrow, field, sizeof narrow);
    return narrow;
}

int rule_set(void *config, const model_rule *of, uint64_t value)
{
    unsigned char *field = (unsigned char *)config + of->offset;
    uint32_t narrow = (uint32_t)value;
    if (!of->wide && narrow != value)
        return 0;
    if (of->wide)
        memcpy(field, &value, sizeof value);
    else
        memcpy(field, &narrow, sizeof narrow);
    return 1;
}

const char *rule_word(const model_rule *of, uint64_t value)
{
    if (of->words)
        return of->words[value];
    return value == UINT64_MAX ? of->automatic : NULL;
}

int rule_find(const model_rule *of, const char *word, uint64_t *value)
{
    for (*value = 0; of->words && of->words[*value]; ++*value)
        if (strcmp(of->words[*value], word) == 0)
            return 1;
    *value = UINT64_MAX;
    return of->automatic && strcmp(of->automatic, word) == 0;
}

uint64_t rules_hash(uint64_t hash, const model_rule *list, const void *config, const void *usual)
{
    for (const model_rule *it = list; it->name; it++) {
        uint64_t value = rule_get(config, it);
        if (!it->newer)
            hash = pn_mix(hash, value);
        else if (value != rule_get(usual, it))
            hash = pn_mix(hash_text(hash, it->name), value);
    }
    return hash;
}

static void write_value(run_log *log, const model_rule *of, uint64_t value)
{
    const char *word = rule_word(of, value);
    if (!word)
        run_log_write(log, "%.17g", (double)value);
    else
        run_log_write(log, of->words && strcmp(of->words[0], "false") == 0 ? "%s" : "\"%s\"", word);
}

void rules_write(run_log *log, const model_rule *list, const void *config, const void *usual,
                 const char *before)
{
    for (const model_rule *it = list; it->name; it++) {
        uint64_t value = rule_get(config, it);
        if (value == rule_get(usual, it))
            continue;
        run_log_write(log, "%s\"%s\":", before, it->name);
        write_value(log, it, value);
        before = ",";
    }
}
