/* Reading argument tables, and the small things every file of the binding needs. */
#include <stdio.h>
#include <string.h>

#include "sandbox/exact.h"
#include "binding.h"

void lpinion_type(lua_State *L, const char *name, const luaL_Reg *methods,
                  const luaL_Reg *metamethods)
{
    luaL_newmetatable(L, name);
    luaL_setfuncs(L, metamethods, 0);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

/* Pushes the field; what is wrong with it is the caller's to say. */
static int push_field(lua_State *L, int table, const char *name)
{
    luaL_checktype(L, table, LUA_TTABLE);
    return lua_getfield(L, table, name);
}

static lua_Integer refuse(lua_State *L, int table, const char *name, const char *expected)
{
    const char *got = luaL_tolstring(L, -1, NULL);
    return luaL_argerror(L, table,
                         lua_pushfstring(L, "%s: must be %s, got %s", name, expected, got));
}

lua_Integer field_integer_on_top(lua_State *L, int table, const char *name, lua_Integer low,
                                 lua_Integer high)
{
    lua_Integer value = lua_tointeger(L, -1);
    if (!lua_isinteger(L, -1) || value < low || value > high) {
        char expected[80];
        snprintf(expected, sizeof expected, "an integer in %lld..%lld", (long long)low,
                 (long long)high);
        return refuse(L, table, name, expected);
    }
    lua_pop(L, 1);
    return value;
}

lua_Integer field_integer(lua_State *L, int table, const char *name, lua_Integer low,
                          lua_Integer high)
{
    push_field(L, table, name);
    return field_integer_on_top(L, table, name, low, high);
}

lua_Integer field_integer_or(lua_State *L, int table, const char *name, lua_Integer low,
                             lua_Integer high, lua_Integer missing)
{
    if (push_field(L, table, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return missing;
    }
    return field_integer_on_top(L, table, name, low, high);
}

uint64_t field_count(lua_State *L, int table, const char *name)
{
    return (uint64_t)field_integer_or(L, table, name, 0, (lua_Integer)PN_INTEGER_MAX, 0);
}

double field_number(lua_State *L, int table, const char *name)
{
    double value;
    if (push_field(L, table, name) != LUA_TNUMBER)
        refuse(L, table, name, "a number");
    value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

double field_number_or(lua_State *L, int table, const char *name, double missing)
{
    int type = lua_getfield(L, table, name);
    lua_pop(L, 1);
    return type == LUA_TNIL ? missing : field_number(L, table, name);
}

int field_boolean(lua_State *L, int table, const char *name)
{
    int type = push_field(L, table, name);
    int value = lua_toboolean(L, -1);
    if (type != LUA_TBOOLEAN && type != LUA_TNIL)
        refuse(L, table, name, "true or false");
    lua_pop(L, 1);
    return value;
}

const char *field_string_or_null(lua_State *L, int table, const char *name)
{
    const char *value;
    int type = push_field(L, table, name);
    if (type != LUA_TSTRING && type != LUA_TNIL)
        refuse(L, table, name, "a string");
    value = lua_tostring(L, -1);
    lua_pop(L, 1);
    return value;
}

const char *field_string(lua_State *L, int table, const char *name)
{
    const char *value = field_string_or_null(L, table, name);
    if (!value) {
        lua_pushnil(L);
        refuse(L, table, name, "a string");
    }
    return value;
}

lua_Integer field_list(lua_State *L, int table, const char *name, lua_Integer most)
{
    lua_Integer count;
    lua_getfield(L, table, name);
    luaL_argcheck(L, lua_istable(L, -1), table, lua_pushfstring(L, "%s: must be an array", name));
    count = luaL_len(L, -1);
    luaL_argcheck(L, count <= most, table,
                  lua_pushfstring(L, "%s: has more than %I entries", name, (LUAI_UACINT)most));
    return count;
}

uint32_t entry_integer(lua_State *L, const char *name, uint32_t low, uint32_t missing)
{
    return (uint32_t)field_integer_or(L, lua_gettop(L), name, low, UINT32_MAX, missing);
}

uint64_t entry_ms(lua_State *L, const char *name, uint64_t missing)
{
    lua_Integer time = field_integer_or(L, lua_gettop(L), name, -1, (lua_Integer)PN_INTEGER_MAX,
                                        -1);
    return time < 0 ? missing : (uint64_t)time;
}

void set_integer(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void set_string(lua_State *L, const char *name, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

void set_boolean(lua_State *L, const char *name, int value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void set_exact(lua_State *L, const char *name, pn_exact value)
{
    char text[EXACT_TEXT_SIZE];
    if (value.den == 0)
        return;
    pn_exact_make(&value, value.num, value.den);
    if (value.den == 1) {
        lua_pushinteger(L, (lua_Integer)value.num);
    } else {
        lua_pushfstring(L, "%s_exact", name);
        lua_pushlstring(L, text, (size_t)exact_write(text, value));
        lua_rawset(L, -3);
        lua_pushnumber(L, pn_exact_double(value));
    }
    lua_setfield(L, -2, name);
}

int push_failure(lua_State *L, const char *message)
{
    lua_pushnil(L);
    lua_pushstring(L, message);
    return 2;
}

void format_digest(char text[DIGEST_SIZE], uint64_t digest)
{
    snprintf(text, DIGEST_SIZE, "%016llx", (unsigned long long)digest);
}
