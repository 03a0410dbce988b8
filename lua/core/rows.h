/* Per-job rows and streaming statistics as Lua sees them. */
#ifndef PINION_LROWS_H
#define PINION_LROWS_H

#include "binding.h"
#include "run/rows.h"

/* The userdata "pinion.Rows", on top of the stack. */
rows *rows_push(lua_State *L, const row_shape *shape);

/* A copy of the statistics as "pinion.Stats". */
void stats_push(lua_State *L, const pn_stats *stats);

#endif
