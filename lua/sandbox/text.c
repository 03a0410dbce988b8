/* Values as text, the same on every machine: no addresses, no locale, no sign on NaN. And strings
 * under construction. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* ---- values ---------------------------------------------------------------------------------- */

size_t sandbox_number_text(lua_State *L, int index, char shown[SANDBOX_NUMBER_SIZE])
{
    double number;
    int size;
    if (lua_isinteger(L, index))
        return (size_t)snprintf(shown, SANDBOX_NUMBER_SIZE, LUA_INTEGER_FMT,
                                (LUAI_UACINT)lua_tointeger(L, index));
    number = (double)lua_tonumber(L, index);
    if (isnan(number))
        size = snprintf(shown, SANDBOX_NUMBER_SIZE, "nan");
    else if (isinf(number))
        size = snprintf(shown, SANDBOX_NUMBER_SIZE, number > 0 ? "inf" : "-inf");
    else
        size = snprintf(shown, SANDBOX_NUMBER_SIZE, "%.14g", number);
    if (shown[strspn(shown, "-0123456789")] == '\0') { /* looks like an integer */
        memcpy(shown + size, ".0", 3);
        size += 2;
    }
    return (size_t)size;
}

const char *sandbox_text_argument(lua_State *L, int argument, size_t *size)
{
    char shown[SANDBOX_NUMBER_SIZE];
    if (lua_type(L, argument) == LUA_TNUMBER) {
        lua_pushlstring(L, shown, sandbox_number_text(L, argument, shown));
        lua_replace(L, argument);
    }
    return luaL_checklstring(L, argument, size);
}

const char *sandbox_tostring(lua_State *L, int index, size_t *size)
{
    char shown[SANDBOX_NUMBER_SIZE];
    index = lua_absindex(L, index);
    luaL_checkstack(L, 4, NULL);
    if (luaL_callmeta(L, index, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "'__tostring' must return a string");
        return lua_tolstring(L, -1, size);
    }
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        lua_pushlstring(L, shown, sandbox_number_text(L, index, shown));
        break;
    case LUA_TSTRING:
        lua_pushvalue(L, index);
        break;
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
        break;
    default:
        /* A userdata's __name is its host's word; no policy can set one. */
        if (luaL_getmetafield(L, index, "__name") != LUA_TSTRING)
            lua_pushstring(L, luaL_typename(L, index));
    }
    return lua_tolstring(L, -1, size);
}

/* ---- strings under construction -------------------------------------------------------------- */

void builder_start(builder *t, lua_State *L)
{
    lua_pushnil(L); /* later the userdata that holds the bytes */
    t->L = L;
    t->bytes = t->first;
    t->size = 0;
    t->room = sizeof t->first;
    t->slot = lua_gettop(L);
}

/* Makes room for this many more bytes. Growth by doubling is charged as it copies; the total is
 * bounded before anything is written. */
static char *builder_room(builder *t, size_t more)
{
    size_t room = t->room;
    char *bytes;
    if (more > SANDBOX_STRING_MOST - t->size)
        luaL_error(t->L, "makes a string of more than %d bytes", SANDBOX_STRING_MOST);
    if (t->size + more <= room)
        return t->bytes + t->size;
    while (room < t->size + more)
        room *= 2;
    sandbox_charge_bytes(t->L, more);
    bytes = lua_newuserdatauv(t->L, room, 0);
    memcpy(bytes, t->bytes, t->size);
    lua_replace(t->L, t->slot);
    t->bytes = bytes;
    t->room = room;
    return t->bytes + t->size;
}

void builder_add(builder *t, const char *bytes, size_t size)
{
    char *at = builder_room(t, size);
    if (size > 0)
        memcpy(at, bytes, size);
    t->size += size;
}

void builder_add_char(builder *t, char c, size_t times)
{
    memset(builder_room(t, times), c, times);
    t->size += times;
}

void builder_finish(builder *t)
{
    lua_pushlstring(t->L, t->bytes, t->size);
    lua_replace(t->L, t->slot);
}
