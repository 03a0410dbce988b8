/* The settings of the slotted model as Lua gives them: for runs, the hash and the checker. */
#ifndef PINION_CORE_SLOTTED_H
#define PINION_CORE_SLOTTED_H

#include "binding.h"

/* Field "machines" of the argument table at index 1. */
uint32_t field_machines(lua_State *L);
/* PN_SLOTTED_PREEMPTIVE or PN_SLOTTED_NONPREEMPTIVE from field "reduce" of it. */
uint32_t field_reduce(lua_State *L);

#endif
