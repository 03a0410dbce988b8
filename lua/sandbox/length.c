/* The length of a table. Lua's own length of a table with holes depends on when the table was last
 * rehashed, which follows the random seed of the state's string hash. Policies get one that is a
 * function of the table's contents: sandbox_scan puts the operator of this file in the place of
 * every '#', and the library asks sandbox_length. */
#include "internal.h"

/* A table with holes may be long with few elements: a copy of a longer one grows as it is
 * filled. */
#define ROOM_MOST 65536

/* Returns whether the table at `index` has something at place `at`. */
static int has(lua_State *L, int index, lua_Integer at)
{
    int type = lua_rawgeti(L, index, at);
    lua_pop(L, 1);
    return type != LUA_TNIL;
}

lua_Integer sandbox_length(lua_State *L, int index)
{
    lua_Integer low = 0, high = 1;
    uint64_t looks = 1;
    index = lua_absindex(L, index);
    luaL_checkstack(L, 1, NULL);
    for (; has(L, index, high); looks++) {
        low = high;
        if (high == LUA_MAXINTEGER)
            return high;
        high = high <= LUA_MAXINTEGER / 2 ? 2 * high : LUA_MAXINTEGER;
    }
    for (; high - low > 1; looks++) {
        lua_Integer middle = low + (high - low) / 2;
        if (has(L, index, middle))
            low = middle;
        else
            high = middle;
    }
    sandbox_charge(L, looks);
    return low;
}

int sandbox_room(lua_State *L, int index)
{
    lua_Integer length = sandbox_length(L, index);
    return length <= ROOM_MOST ? (int)length : 0;
}

/* Returns what a value calls itself in Lua's messages. */
static const char *type_name(lua_State *L, int index)
{
    if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING)
        return lua_tostring(L, -1);
    return luaL_typename(L, index);
}

int sandbox_length_operator(lua_State *L)
{
    enum { OPERAND = 2 }; /* behind the empty string of SANDBOX_LENGTH */
    int type = lua_type(L, OPERAND);
    if (type == LUA_TSTRING) {
        lua_pushinteger(L, (lua_Integer)lua_rawlen(L, OPERAND));
    } else if (luaL_getmetafield(L, OPERAND, "__len") != LUA_TNIL) {
        lua_pushvalue(L, OPERAND);
        lua_pushvalue(L, OPERAND);
        lua_call(L, 2, 1);
    } else if (type == LUA_TTABLE) {
        lua_pushinteger(L, sandbox_length(L, OPERAND));
    } else {
        return luaL_error(L, "attempt to get length of a %s value", type_name(L, OPERAND));
    }
    return 1;
}
