/* Random numbers for scripts, from the kernel's streams: the methods of `g` in a generator, and of
 * a stream by itself. */
#ifndef PINION_GENERATOR_DRAWS_H
#define PINION_GENERATOR_DRAWS_H

#include <lauxlib.h>
#include <lua.h>

#include "pinion.h"

/* Adds the methods to the table on top of the stack: for userdata that begin with a pn_stream and
 * have the metatable at `metatable`. */
void draws_add(lua_State *L, int metatable);
/* Pushes a stream of its own, as a userdata. */
void draws_push_stream(lua_State *L, uint64_t seed, uint32_t replica, uint32_t purpose);

#endif
