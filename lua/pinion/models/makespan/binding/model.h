/* The settings of the makespan model as Lua gives them: for runs, the hash and the checker. */
#ifndef PINION_MAKESPAN_BINDING_MODEL_H
#define PINION_MAKESPAN_BINDING_MODEL_H

#include "pinion/models/makespan/run/log.h"
#include "core/binding.h"

/* Reads the words of level, stage_time, share, cap and task_order in the table at `table`, which is
 * argument `table`; resplit, slots. */
void field_makespan_rules(lua_State *L, int table, makespan_rules *rules);

#endif
