/* A stable merge sort of indices, without recursion. The comparison may raise, and may be as
 * inconsistent as it likes. */
#ifndef PINION_SANDBOX_SORT_H
#define PINION_SANDBOX_SORT_H

#include "internal.h"

/* Pushes a block for sorting `count` items and charges for the sort. In it stand 0..count-1 and
 * behind them as much room again. */
uint32_t *sandbox_sort_scratch(lua_State *L, uint32_t count);

/* Sorts what sandbox_sort_scratch returned. */
void sandbox_sort(lua_State *L, uint32_t *items, uint32_t count,
                  int (*less)(void *user, uint32_t a, uint32_t b), void *user);

#endif
