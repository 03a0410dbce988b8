/* See sort.h; and table.sort. */
#include "sort.h"

#include <string.h>

uint32_t *sandbox_sort_scratch(lua_State *L, uint32_t count)
{
    uint64_t levels = 1;
    uint32_t *items;
    while (count >> levels)
        levels++;
    sandbox_charge(L, count * levels);
    items = lua_newuserdatauv(L, 2 * (size_t)count * sizeof *items, 0);
    for (uint32_t i = 0; i < count; i++)
        items[i] = i;
    return items;
}

/* Merges source[low..middle) and source[middle..high) into target[low..high). On a tie the left one
 * goes first. */
static void merge(const uint32_t *source, uint32_t *target, size_t low, size_t middle, size_t high,
                  int (*less)(void *user, uint32_t a, uint32_t b), void *user)
{
    size_t left = low, right = middle;
    if (middle < high && !less(user, source[middle], source[middle - 1])) {
        memcpy(target + low, source + low, (high - low) * sizeof *target); /* in order as it is */
        return;
    }
    for (size_t at = low; at < high; at++) {
        if (left < middle && (right == high || !less(user, source[right], source[left])))
            target[at] = source[left++];
        else
            target[at] = source[right++];
    }
}

void sandbox_sort(lua_State *L, uint32_t *items, uint32_t count,
                  int (*less)(void *user, uint32_t a, uint32_t b), void *user)
{
    uint32_t *source = items, *target = items + count;
    for (size_t width = 1; width < count; width *= 2) {
        uint32_t *swap = source;
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = middle + width < count ? middle + width : count;
            /* it was charged as a whole: a look at whether the call is interrupted */
            sandbox_charge(L, 0);
            merge(source, target, low, middle, high, less, user);
        }
        source = target;
        target = swap;
    }
    if (source != items)
        memcpy(items, source, count * sizeof *items);
}

/* ---- table.sort ------------------------------------------------------------------------------ */

enum { TABLE = 1, COMPARATOR, VALUES };

#define BYTES_PER_UNIT 128 /* of strings that are compared */

/* Charges for a comparison of the two values on top: Lua compares strings by strcoll, which is
 * called anew behind every zero. */
static void charge_comparison(lua_State *L)
{
    size_t a, b;
    if (lua_type(L, -1) != LUA_TSTRING || lua_type(L, -2) != LUA_TSTRING)
        return;
    a = (size_t)lua_rawlen(L, -1);
    b = (size_t)lua_rawlen(L, -2);
    sandbox_charge(L, (a < b ? a : b) / BYTES_PER_UNIT);
}

static int value_less(void *user, uint32_t a, uint32_t b)
{
    lua_State *L = user;
    int less;
    if (!lua_isnil(L, COMPARATOR)) {
        lua_pushvalue(L, COMPARATOR);
        lua_rawgeti(L, VALUES, (lua_Integer)a + 1);
        lua_rawgeti(L, VALUES, (lua_Integer)b + 1);
        lua_call(L, 2, 1);
        less = lua_toboolean(L, -1);
        lua_pop(L, 1);
    } else {
        lua_rawgeti(L, VALUES, (lua_Integer)a + 1);
        lua_rawgeti(L, VALUES, (lua_Integer)b + 1);
        charge_comparison(L);
        less = lua_compare(L, -2, -1, LUA_OPLT);
        lua_pop(L, 2);
    }
    return less;
}

/* Sorts a copy of the values, and writes them back in the end: a comparator that raises, or changes
 * the table, spoils nothing. */
static int table_sort(lua_State *L)
{
    uint32_t *order, count;
    lua_Integer length;
    sandbox_writes(L, TABLE);
    if (!lua_isnoneornil(L, COMPARATOR))
        luaL_checktype(L, COMPARATOR, LUA_TFUNCTION);
    lua_settop(L, COMPARATOR);
    length = sandbox_length(L, TABLE);
    sandbox_charge_elements(L, (uint64_t)length);
    count = (uint32_t)length;
    lua_createtable(L, (int)count, 0);
    for (lua_Integer i = 1; i <= (lua_Integer)count; i++) {
        lua_rawgeti(L, TABLE, i);
        lua_rawseti(L, VALUES, i);
    }
    order = sandbox_sort_scratch(L, count);
    sandbox_sort(L, order, count, value_less, L);
    for (lua_Integer i = 0; i < (lua_Integer)count; i++) {
        lua_rawgeti(L, VALUES, (lua_Integer)order[i] + 1);
        lua_rawseti(L, TABLE, i + 1);
    }
    return 0;
}

void sandbox_open_sort(lua_State *L)
{
    static const luaL_Reg functions[] = {{"sort", table_sort}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
