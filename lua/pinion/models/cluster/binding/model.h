/* The settings of the cluster model as Lua gives them: for runs, the hash and the checker. */
#ifndef PINION_CLUSTER_BINDING_MODEL_H
#define PINION_CLUSTER_BINDING_MODEL_H

#include "core/binding.h"

typedef struct cluster_settings {
    pn_cluster_config config; /* nodes and rules; no capacities */
    const pn_cluster_failure *failures;
    size_t failure_count;
} cluster_settings;

/* Reads fields "nodes" ({ { count, map_slots, reduce_slots, speed }, … }) and "failures" (null, or
 * { { time, node, recover }, … }) of the table at index `table`, which is argument `table`; the
 * rules are the defaults. What they point to is left on the stack. */
void field_cluster_settings(lua_State *L, int table, cluster_settings *settings);

/* Sets the rules that the table at `table` names; it may also hold other parameters. Null, or a
 * message on top of the stack. */
const char *read_cluster_rules(lua_State *L, int table, pn_cluster_config *config);

/* Makes workloads whose jobs have deadlines (deadlines.c). */
int workload_make_rtmr(lua_State *L);
int workload_make_deadlines(lua_State *L);

#endif
