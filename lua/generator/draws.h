/* Random numbers for scripts, from the kernel's streams: the methods of `g` in a generator, and of
 * a stream by itself. */
#ifndef PINION_GENERATOR_DRAWS_H
#define PINION_GENERATOR_DRAWS_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "pinion.h"

/* What userdata that draw begin with. */
typedef struct draws {
    pn_stream stream;
    const bool *open; /* it may draw while this holds; null = always */
} draws;

/* Returns the userdata that a method is called on, whose metatable must be upvalue 1, so that no
 * other userdata is taken for one; raises the refusal for anything else. */
void *draws_own(lua_State *L, const char *refusal);
/* Adds the methods to the table on top of the stack: for userdata that begin with a `draws` and
 * have the metatable at `metatable`. */
void draws_add(lua_State *L, int metatable);
/* Pushes a stream of its own, as a userdata; `open` as in draws. */
void draws_push_stream(lua_State *L, uint64_t seed, uint32_t replica, uint32_t purpose,
                       const bool *open);

#endif
