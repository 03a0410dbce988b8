/* What the readers of definitions share. All of it runs inside policy_define: a fault is raised,
 * and names the field. `where` is what stands before a field's name ("orders.mine."); `table` and
 * `value` are indices of the stack. */
#ifndef PINION_POLICY_DEFINE_H
#define PINION_POLICY_DEFINE_H

#include "state.h"

/* The arguments of policy_define, and a table of the functions found so far. */
enum { DEFINITION = 1, DEFINITION_POLICY, DEFINITION_FUNCTIONS };

/* Raises; the format is lua_pushvfstring's. */
int define_refuse(lua_State *L, const char *format, ...);

/* Pushes the field of a table; its type. */
int define_get(lua_State *L, int table, const char *field);
/* Copies a short name of letters, digits and _; when `loose`, also of - and dots. */
void define_name(lua_State *L, int index, char to[POLICY_NAME_SIZE], const char *what, bool loose);
/* The index among `words` (ended by null) of the string at `index`. */
int define_word_at(lua_State *L, int index, const char *where, const char *field,
                   const char *const words[]);
/* The same of a field; `missing` when it is nil. */
int define_word(lua_State *L, int table, const char *where, const char *field,
                const char *const words[], int missing);
bool define_boolean(lua_State *L, int table, const char *where, const char *field, bool missing);
lua_Integer define_integer(lua_State *L, int table, const char *where, const char *field,
                           lua_Integer low, lua_Integer high, lua_Integer missing);
/* Keeps the function in the field, if there is one, as number `which` of those to return. */
bool define_function(lua_State *L, int table, const char *where, const char *field, int which);
/* Refuses fields that are not among `known` (in the order of bytes). The one named is the first in
 * the order of bytes. */
void define_only_fields(lua_State *L, int table, const char *where, const char *const known[]);
/* Pushes an array of a table's string keys in the order of bytes; their number. Keys of other types
 * are refused, or only those that do not belong to its list. */
lua_Integer define_sorted_keys(lua_State *L, int table, const char *where, bool skip_list);

/* Of the definition itself: its parameters, and its memory. */
void define_params(lua_State *L, pn_lua_policy *policy);
void define_memory(lua_State *L, pn_lua_policy *policy);
/* init, arrive and what is called when a job goes, `finish` or `leave`: whether there is an init;
 * the other two are noted in the policy. */
bool define_hooks(lua_State *L, pn_lua_policy *policy, const char *finish);
/* The named orders, in the order of bytes: `read` reads order number `order`, declared by the value
 * at `value` and called `name` in faults ("orders.mine"). */
typedef void define_order(lua_State *L, pn_lua_policy *policy, int order, int value,
                          const char *name);
void define_orders(lua_State *L, pn_lua_policy *policy, int least, int most, define_order *read);

#endif
