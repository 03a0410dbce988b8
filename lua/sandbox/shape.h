/* Shapes: what a value that is a table may hold, as its author declares it. A shape is a word or a
 * table:
 *
 *     "number"  "integer"  "boolean"  "string"
 *     { type = "number", min = 0, max = 1, default = 0.5 }
 *     { type = "list", of = SHAPE }                       elements in order
 *     { type = "map", of = SHAPE }                        entries under names of the user's choice
 *     { type = "record", fields = { name = SHAPE, … } }   entries under these names
 *
 * A field of a record is required unless it has a default or is `optional`. Like define.h, all of
 * it runs inside a protected call and raises faults. */
#ifndef PINION_SANDBOX_SHAPE_H
#define PINION_SANDBOX_SHAPE_H

#include <lua.h>
#include <stdint.h>

enum {
    SHAPE_DEPTH_MAX = 4,     /* of tables in tables */
    SHAPE_ENTRIES_MAX = 1000 /* of one table */
};

/* Refuses the shape at `shape` unless it is one; `where` is what messages call it. */
void shape_check(lua_State *L, int shape, const char *where);
/* Pushes a copy of the value at `value`, with the defaults of what is missing; refuses what is not
 * of the shape, which has been checked. */
void shape_read(lua_State *L, int shape, int value, const char *where);
/* Returns the hash of a value that was read: equal for equal values, whatever the order of their
 * entries. At most 2^53, for parameters are doubles. */
double shape_hash(lua_State *L, int value);

#endif
