/* The settings of the dag model as Lua gives them: for runs, the hash and the checker. */
#ifndef PINION_DAG_BINDING_MODEL_H
#define PINION_DAG_BINDING_MODEL_H

#include "core/binding.h"
#include "pinion/models/dag/run/log.h"

/* Reads fields "resources" (how many), "resource_names" (an array as JSON), "nodes" ({ { count,
 * capacity, speed }, … }), "queues" ({ { name, weight, guaranteed, maximum }, … }) and "failures"
 * (null, or { { time, node, recover }, … }) of the table at index `table`, which is argument
 * `table`; the rules are the defaults. What they point to is left on the stack. */
void field_dag_settings(lua_State *L, int table, dag_settings *settings);

/* Sets the rules that the table at `table` names; it may also hold other parameters. Null, or a
 * message on top of the stack. */
const char *read_dag_rules(lua_State *L, int table, pn_dag_config *config);

/* Returns the number that each queue of the source's jobs has among those of the settings, in
 * memory that stays on the stack; null, with a message on top of it, where one of them is
 * missing. */
const uint32_t *dag_queues_of(lua_State *L, const source *work, const dag_settings *settings);

/* Makes random jobs (random.c). */
int workload_make_dag_random(lua_State *L);

#endif
