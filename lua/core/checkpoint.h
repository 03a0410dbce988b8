/* Checkpoints as Lua sees them. */
#ifndef PINION_LCHECKPOINT_H
#define PINION_LCHECKPOINT_H

#include "run/checkpoint.h"
#include "binding.h"

/* The checkpoint in a field of the table at `table`, which keeps it alive; null when there is
 * none. */
checkpoint *field_checkpoint(lua_State *L, int table, const char *name);

#endif
