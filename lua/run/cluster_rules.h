/* Parameters of the cluster model itself, by the names that scenarios and logs give them: what they
 * set in the kernel's configuration. Plain C, shared by the run, the log, the hash and the
 * checker. */
#ifndef PINION_RUN_CLUSTER_RULES_H
#define PINION_RUN_CLUSTER_RULES_H

#include "pinion.h"

typedef struct cluster_rule {
    const char *name;
    size_t offset; /* of the field in pn_cluster_config */
    uint8_t wide;  /* 1: of 64 bits; 0: of 32 */
    /* 1: the hash of a scenario without it is what it was before there was such a rule */
    uint8_t newer;
    const char *const *words; /* of the values 0, 1, …, ended by a null; null: a number */
    const char *automatic;    /* what PN_CLUSTER_AUTO is called; null: it is no value of the rule */
} cluster_rule;

extern const cluster_rule cluster_rules[]; /* ended by a null name */

uint64_t cluster_rule_get(const pn_cluster_config *config, const cluster_rule *rule);
/* 0 when the value does not fit into the field. Whether it is in its range, pn_cluster_check
 * says. */
int cluster_rule_set(pn_cluster_config *config, const cluster_rule *rule, uint64_t value);
/* What the value is called; null: it is a number. */
const char *cluster_rule_word(const cluster_rule *rule, uint64_t value);
/* The value that is called so. 0 when none is. */
int cluster_rule_find(const cluster_rule *rule, const char *word, uint64_t *value);

/* Whether nodes of these groups do not differ. */
static inline int cluster_nodes_alike(const pn_scheduler_nodes *a, const pn_scheduler_nodes *b)
{
    return a->map_slots == b->map_slots && a->reduce_slots == b->reduce_slots &&
           a->speed == b->speed;
}

#endif
