/* A policy in Lua of the slotted model, inside.
 *
 * policy.c   the functions that the kernel calls
 * define.c   reads the definition
 * export.c   the table in C
 * view.c     the view `s`: what a script may ask and do */
#ifndef PINION_SLOTTED_SCRIPT_POLICY_H
#define PINION_SLOTTED_SCRIPT_POLICY_H

#include "policy/state.h"

enum { SLOTTED_OWN_WORDS = 1 }; /* of a job, when the script has weights: its weight */

/* Every function of a kernel's table that calls a script: what a policy has is taken from here. */
extern const pn_slotted_policy slotted_scripted;

extern const char *const slotted_fields[];
void slotted_define(lua_State *L, pn_lua_policy *policy);

void slotted_write_c(const pn_lua_policy *policy, luaL_Buffer *out);
extern const policy_question slotted_questions[];
int slotted_step(lua_State *L);

#endif
