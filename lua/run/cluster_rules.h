/* The cluster model's own parameters. */
#ifndef PINION_RUN_CLUSTER_RULES_H
#define PINION_RUN_CLUSTER_RULES_H

#include "pinion.h"
#include "rules.h"

extern const model_rule cluster_rules[]; /* of pn_cluster_config */

/* Whether nodes of these groups do not differ. */
static inline int cluster_nodes_alike(const pn_scheduler_nodes *a, const pn_scheduler_nodes *b)
{
    return a->map_slots == b->map_slots && a->reduce_slots == b->reduce_slots &&
           a->speed == b->speed;
}

#endif
