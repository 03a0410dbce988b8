/* A policy in Lua of the tandem model, inside.
 *
 * policy.c   the functions that the kernel calls
 * define.c   reads the definition, and services
 * export.c   the table in C
 * known.c    keys that are the kernel's own
 * view.c     the view `s`: what a script may ask and do */
#ifndef PINION_TANDEM_SCRIPT_POLICY_H
#define PINION_TANDEM_SCRIPT_POLICY_H

#include "policy/state.h"

/* Every function of a kernel's table that calls a script: what a policy has is taken from here. */
extern const pn_tandem_policy tandem_scripted;

extern const char *const tandem_fields[];
void tandem_define(lua_State *L, pn_lua_policy *policy);

extern const char *const tandem_stations[]; /* by number, ended by a null */
extern const char *const tandem_members[];  /* what an order is of, ended by a null */
/* Returns its word for enum pn_tandem_members. */
const char *tandem_members_word(uint8_t members);
/* Reads how a station serves from the table at `value` over what *service says, and refuses what
 * does not fit. `where` stands before the names of fields. */
void tandem_read_service(lua_State *L, const pn_lua_policy *policy, int station, int value,
                         const char *where, pn_tandem_service *service);

/* Takes keys of the kernel in place of compiled functions that are the same. */
void tandem_use_known(pn_lua_policy *policy);
void tandem_write_c(const pn_lua_policy *policy, luaL_Buffer *out);
extern const policy_question tandem_questions[];
extern const luaL_Reg tandem_methods[];
int tandem_step(lua_State *L);

#endif
