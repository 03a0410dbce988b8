/* Distributions in Lua: they come as text, and are held by a userdata while C uses them. */
#include <math.h>
#include <stdlib.h>

#include "workload.h"

#define DISTRIBUTION "pinion.Distribution"

static int distribution_gc(lua_State *L)
{
    distribution_release(luaL_checkudata(L, 1, DISTRIBUTION));
    return 0;
}

/* Parses the text at this index as a distribution in a userdata on top of the stack; null with the
 * message there. */
static const distribution *push_parsed(lua_State *L, int index, enum distribution_use use)
{
    char message[DISTRIBUTION_MESSAGE_SIZE];
    distribution *held;
    size_t size;
    const char *text = lua_tolstring(L, index, &size);
    held = lua_newuserdatauv(L, sizeof *held, 0);
    *held = (distribution){.kind = DISTRIBUTION_CONSTANT};
    luaL_setmetatable(L, DISTRIBUTION);
    if (distribution_parse(text, size, use, held, message))
        return held;
    lua_pushstring(L, message);
    return NULL;
}

const char *workload_distribution(lua_State *L, const char *name, distribution *into,
                                  enum distribution_use use)
{
    const distribution *parsed;
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_getfield(L, 1, name) == LUA_TTABLE) {
        lua_getfield(L, -1, "text");
        lua_replace(L, -2);
    }
    luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, 1,
                  lua_pushfstring(L, "%s: must be a distribution", name));
    parsed = push_parsed(L, lua_gettop(L), use);
    if (!parsed)
        return lua_pushfstring(L, "%s: %s", name, lua_tostring(L, -1));
    *into = *parsed;
    return NULL;
}

/* Sets the canonical text. */
static void set_text(lua_State *L, const distribution *d)
{
    size_t size = distribution_text(d, NULL, 0);
    char *text = lua_newuserdatauv(L, size + 1, 0);
    distribution_text(d, text, size + 1);
    lua_pushlstring(L, text, size);
    lua_remove(L, -2);
    lua_setfield(L, -2, "text");
}

/* (text, factors): what it says as a table { kind, a, b, text }, where the numbers are those of
 * kinds that take one or two; nil and what is wrong with it. */
static int read_distribution(lua_State *L)
{
    enum distribution_use use = lua_toboolean(L, 2) ? DISTRIBUTION_FACTORS : DISTRIBUTION_SIZES;
    const distribution *d;
    luaL_checktype(L, 1, LUA_TSTRING);
    d = push_parsed(L, 1, use);
    if (!d)
        return push_failure(L, lua_tostring(L, -1));
    lua_createtable(L, 0, 4);
    set_string(L, "kind", distribution_name(d->kind));
    if (distribution_numbers(d->kind) > 0) {
        set_number(L, "a", d->a);
        set_number(L, "b", d->b);
    }
    set_text(L, d);
    return 1;
}

/* (text, power): the mean of X^power of factors, infinite where it is; nil where it is not known.
 */
static int distribution_power(lua_State *L)
{
    const distribution *d;
    double moment;
    luaL_checktype(L, 1, LUA_TSTRING);
    double power = luaL_checknumber(L, 2);
    d = push_parsed(L, 1, DISTRIBUTION_FACTORS);
    luaL_argcheck(L, d != NULL, 1, "must be a distribution");
    moment = distribution_partial(d, power, 0.0, INFINITY);
    if (moment >= 0.0)
        lua_pushnumber(L, moment);
    else
        lua_pushnil(L);
    return 1;
}

void ldistribution_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", distribution_gc}, {NULL, NULL}};
    lpinion_type(L, DISTRIBUTION, methods, metamethods);
    lua_pushcfunction(L, read_distribution);
    lua_setfield(L, -2, "distribution");
    lua_pushcfunction(L, distribution_power);
    lua_setfield(L, -2, "distribution_moment");
    lua_createtable(L, 0, DISTRIBUTION_KINDS);
    for (int kind = 0; kind < DISTRIBUTION_KINDS; kind++)
        set_integer(L, distribution_name((enum distribution_kind)kind),
                    (uint64_t)distribution_numbers((enum distribution_kind)kind));
    lua_setfield(L, -2, "distribution_kinds");
}
