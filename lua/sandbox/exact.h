/* Exact numbers as values of Lua: the same in scripts and in policies. They are immutable, name no
 * addresses, and compute with one another and with integers; what does not fit raises, and so does
 * a float, which would have been rounded already.
 *
 * The only equality that Lua lets a value define is that of two such values: compare with exact(3),
 * not with 3. */
#ifndef PINION_SANDBOX_EXACT_H
#define PINION_SANDBOX_EXACT_H

#include <lua.h>
#include <lauxlib.h>

#include "pn_base.h"

/* Pushes the constructor, exact(value): of an exact number, an integer, a float that is a decimal
 * of at most 15 digits (0.1 is 1/10), or a text such as "7", "0.1" or "107/3". Raises for anything
 * else. Call it before anything below. */
void exact_open(lua_State *L);

/* Pushes a value (its den is >= 1), in lowest terms. */
void exact_push(lua_State *L, pn_exact value);

/* Returns the exact number or integer at `index`; 0 when it is neither. */
int exact_get(lua_State *L, int index, pn_exact *value);

/* "35" or "107/3", for a value in lowest terms. The length. */
#define EXACT_TEXT_SIZE 48
int exact_write(char text[EXACT_TEXT_SIZE], pn_exact value);

#endif
