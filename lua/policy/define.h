/* What the readers of policies share, beside those of any definition (sandbox/define.h). All of it
 * runs inside policy_define. */
#ifndef PINION_POLICY_DEFINE_H
#define PINION_POLICY_DEFINE_H

#include "state.h"
#include "sandbox/define.h"

/* The arguments of policy_define, and a table of the functions found so far. */
enum { DEFINITION = 1, DEFINITION_POLICY, DEFINITION_FUNCTIONS };

/* Keeps the function in the field, if there is one, as number `which` of those to return. */
bool define_function(lua_State *L, int table, const char *where, const char *field, int which);
/* Defines the parameters of the definition itself: its parameters, and its memory. */
void define_own_params(lua_State *L, pn_lua_policy *policy);
void define_memory(lua_State *L, pn_lua_policy *policy);
/* Defines the hooks: init, arrive and what is called when a job goes, `finish` or `leave`: whether
 * there is an init; the other two are noted in the policy. */
bool define_hooks(lua_State *L, pn_lua_policy *policy, const char *finish);
/* The named orders, in the order of bytes: `read` reads order number `order`, declared by the value
 * at `value` and called `name` in faults ("orders.mine"). */
typedef void define_order(lua_State *L, pn_lua_policy *policy, int order, int value,
                          const char *name);
void define_orders(lua_State *L, pn_lua_policy *policy, int least, int most, define_order *read);

#endif
