/* The table library. It works on what is in a table and never calls metamethods; frozen tables can
 * be read, not written. Whatever takes time in proportion to an argument is charged and bounded
 * first. */
#include "internal.h"

/* Returns elements from..to, charged for. */
static lua_Unsigned elements(lua_State *L, lua_Integer from, lua_Integer to)
{
    lua_Unsigned count = (lua_Unsigned)to - (lua_Unsigned)from;
    if (from > to)
        return 0;
    if (count < LUA_MAXINTEGER)
        count++;
    sandbox_charge_elements(L, count);
    return count;
}

static int table_concat(lua_State *L)
{
    char shown[SANDBOX_NUMBER_SIZE];
    size_t separator_size, size;
    const char *separator;
    lua_Integer from;
    lua_Unsigned count;
    builder t;
    sandbox_reads(L, 1);
    lua_settop(L, 4);
    if (lua_isnil(L, 2)) {
        lua_pushliteral(L, "");
        lua_replace(L, 2);
    }
    separator = sandbox_text_argument(L, 2, &separator_size);
    from = luaL_optinteger(L, 3, 1);
    count = elements(L, from, luaL_optinteger(L, 4, sandbox_length(L, 1)));
    builder_start(&t, L);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_Integer at = (lua_Integer)((lua_Unsigned)from + i);
        const char *shown_at = shown;
        int type = lua_rawgeti(L, 1, at);
        if (type == LUA_TNUMBER)
            size = sandbox_number_text(L, -1, shown);
        else if (type == LUA_TSTRING)
            shown_at = lua_tolstring(L, -1, &size);
        else
            return luaL_error(L, "table.concat: element %I is a %s (expected a string or number)",
                              (LUAI_UACINT)at, luaL_typename(L, -1));
        sandbox_charge_bytes(L, size + separator_size);
        if (i > 0)
            builder_add(&t, separator, separator_size);
        builder_add(&t, shown_at, size);
        lua_pop(L, 1);
    }
    builder_finish(&t);
    return 1;
}

static int table_insert(lua_State *L)
{
    lua_Integer end, at;
    sandbox_writes(L, 1);
    end = (lua_Integer)((lua_Unsigned)sandbox_length(L, 1) + 1);
    switch (lua_gettop(L)) {
    case 2:
        at = end;
        break;
    case 3:
        at = luaL_checkinteger(L, 2);
        luaL_argcheck(L, at >= 1 && at <= end, 2, "position out of bounds");
        sandbox_charge_elements(L, (uint64_t)(end - at));
        for (lua_Integer i = end; i > at; i--) {
            lua_rawgeti(L, 1, i - 1);
            lua_rawseti(L, 1, i);
        }
        break;
    default:
        return luaL_error(L, "wrong number of arguments to 'insert'");
    }
    lua_rawseti(L, 1, at);
    return 0;
}

static int table_remove(lua_State *L)
{
    lua_Integer size, at;
    sandbox_writes(L, 1);
    size = sandbox_length(L, 1);
    at = luaL_optinteger(L, 2, size);
    luaL_argcheck(L, at == size || (at >= 1 && at - 1 <= size), 2, "position out of bounds");
    if (at < size)
        sandbox_charge_elements(L, (uint64_t)(size - at));
    lua_rawgeti(L, 1, at);
    for (; at < size; at++) {
        lua_rawgeti(L, 1, at + 1);
        lua_rawseti(L, 1, at);
    }
    lua_pushnil(L);
    lua_rawseti(L, 1, at);
    return 1;
}

static int table_move(lua_State *L)
{
    lua_Integer from = luaL_checkinteger(L, 2), to = luaL_checkinteger(L, 3),
                start = luaL_checkinteger(L, 4);
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    lua_Integer count;
    sandbox_writes(L, target);
    sandbox_reads(L, 1);
    count = (lua_Integer)elements(L, from, to);
    luaL_argcheck(L, count == 0 || start <= LUA_MAXINTEGER - count + 1, 4,
                  "destination wrap around");
    /* Within one table the end that would be overwritten goes first. */
    if (start > from && start <= to && (target == 1 || lua_rawequal(L, 1, target))) {
        for (lua_Integer i = count - 1; i >= 0; i--) {
            lua_rawgeti(L, 1, from + i);
            lua_rawseti(L, target, start + i);
        }
    } else {
        for (lua_Integer i = 0; i < count; i++) {
            lua_rawgeti(L, 1, from + i);
            lua_rawseti(L, target, start + i);
        }
    }
    lua_pushvalue(L, target);
    return 1;
}

static int table_pack(lua_State *L)
{
    int count = lua_gettop(L);
    sandbox_charge_elements(L, (uint64_t)count);
    lua_createtable(L, count, 1);
    lua_insert(L, 1);
    for (int i = count; i >= 1; i--)
        lua_rawseti(L, 1, i);
    lua_pushinteger(L, count);
    lua_setfield(L, 1, "n");
    return 1;
}

static int table_unpack(lua_State *L)
{
    lua_Integer from;
    lua_Unsigned count;
    sandbox_reads(L, 1);
    from = luaL_optinteger(L, 2, 1);
    count = elements(L, from, luaL_optinteger(L, 3, sandbox_length(L, 1)));
    if (count > SANDBOX_VALUES_MOST)
        return luaL_error(L, "table.unpack: too many values (at most %d)", SANDBOX_VALUES_MOST);
    luaL_checkstack(L, (int)count, NULL);
    for (lua_Unsigned i = 0; i < count; i++)
        lua_rawgeti(L, 1, (lua_Integer)((lua_Unsigned)from + i));
    return (int)count;
}

void sandbox_open_table(lua_State *L)
{
    static const luaL_Reg functions[] = {{"concat", table_concat},
                                         {"insert", table_insert},
                                         {"move", table_move},
                                         {"pack", table_pack},
                                         {"remove", table_remove},
                                         {"unpack", table_unpack},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
