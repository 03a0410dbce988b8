/* What the files of the Lua binding share. `pinion.core` is the whole C side of the front end:
 * everything that a user sees is in the Lua files above it, which check what users write; here only
 * what would break C is checked again. */
#ifndef PINION_CORE_BINDING_H
#define PINION_CORE_BINDING_H

#include <lua.h>
#include <lauxlib.h>

#include "pinion_lua.h"
#include "workload/source.h"

typedef struct core_model core_model;

int luaopen_pinion_core(lua_State *L);

/* Adds functions to the table on top of the stack, as each of these does. */
void ljson_open(lua_State *L);
void ljson_lines_open(lua_State *L);
void lfiles_open(lua_State *L);
void llog_events_open(lua_State *L);
void lterminal_open(lua_State *L);
void lplain_open(lua_State *L);
void lworkload_open(lua_State *L);
void lscript_open(lua_State *L);
void lrun_open(lua_State *L);
void lpolicy_open(lua_State *L);
void lverify_open(lua_State *L);
void lreplay_open(lua_State *L);
void lrows_open(lua_State *L);
void lcheckpoint_open(lua_State *L);
void lprocess_open(lua_State *L);
void lstore_open(lua_State *L);
void ldatabase_open(lua_State *L);

/* Makes a metatable of this name: `methods` under __index, `metamethods` in itself, hidden from
 * getmetatable. Leaves the stack as it was. */
void lpinion_type(lua_State *L, const char *name, const luaL_Reg *methods,
                  const luaL_Reg *metamethods);

/* Reads fields of the table at stack index `table`, which is argument `table` of the running
 * function. A value that is missing or not as described raises an argument error that names the
 * field. */
lua_Integer field_integer(lua_State *L, int table, const char *name, lua_Integer low,
                          lua_Integer high);
lua_Integer field_integer_or(lua_State *L, int table, const char *name, lua_Integer low,
                             lua_Integer high, lua_Integer missing);
uint64_t field_count(lua_State *L, int table, const char *name); /* 0..2^53; missing: 0 */
/* Reads the value of the field on top of the stack, which it leaves. */
lua_Integer field_integer_on_top(lua_State *L, int table, const char *name, lua_Integer low,
                                 lua_Integer high);
double field_number(lua_State *L, int table, const char *name);
double field_number_or(lua_State *L, int table, const char *name, double missing);
int field_boolean(lua_State *L, int table, const char *name); /* missing: 0 */
/* Reads strings, which are owned by the table; null when missing. */
const char *field_string_or_null(lua_State *L, int table, const char *name);
const char *field_string(lua_State *L, int table, const char *name);
/* Pushes the array in this field; its length, at most `most`. */
lua_Integer field_list(lua_State *L, int table, const char *name, lua_Integer most);
/* Reads fields of the entry of an array on top of the stack; a message cannot name it better than
 * by its field. */
uint32_t entry_integer(lua_State *L, const char *name, uint32_t low, uint32_t missing);
uint64_t entry_ms(lua_State *L, const char *name, uint64_t missing);
/* Returns the source of the workload in field "workload", which keeps it alive: of jobs of this
 * model, of any. */
source *field_workload(lua_State *L, int table, const core_model *model);
source *field_any_workload(lua_State *L, int table);

/* Sets it in the table on top of the stack. */
void set_integer(lua_State *L, const char *name, uint64_t value);
void set_number(lua_State *L, const char *name, double value);
void set_string(lua_State *L, const char *name, const char *value);
void set_boolean(lua_State *L, const char *name, int value);
/* Sets an integer, or the nearest double with the exact "p/q" beside it, under NAME_exact; den 0:
 * nothing. */
void set_exact(lua_State *L, const char *name, pn_exact value);
int push_failure(lua_State *L, const char *message); /* nil, message; returns 2 */

/* Puts the next collection of garbage off until as much memory again has been allocated as is in
 * use, 16 MB at least. */
void lpinion_postpone_collection(lua_State *L);

#define DIGEST_SIZE 17 /* 16 hex digits and the end */
void format_digest(char text[DIGEST_SIZE], uint64_t digest);

#endif
