/* The dag model's own parameters. */
#ifndef PINION_RUN_DAG_RULES_H
#define PINION_RUN_DAG_RULES_H

#include <string.h>

#include "pinion.h"
#include "rules.h"

extern const model_rule dag_rules[]; /* of pn_dag_config */

/* Whether nodes of these groups do not differ. */
static inline int dag_nodes_alike(const pn_dispatch_nodes *a, const pn_dispatch_nodes *b)
{
    return memcmp(a->capacity, b->capacity, sizeof a->capacity) == 0 && a->speed == b->speed;
}

#endif
