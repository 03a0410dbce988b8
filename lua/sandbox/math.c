/* The math library: what is exact in IEEE arithmetic from libm, exp, log, pow and sqrt from the
 * kernel. The rest differs between machines and is absent. */
#include <math.h>
#include <string.h>

#include "pn_base.h"
#include "internal.h"

static int math_abs(lua_State *L)
{
    if (lua_isinteger(L, 1)) {
        lua_Integer n = lua_tointeger(L, 1);
        lua_pushinteger(L, n < 0 ? (lua_Integer)(0u - (lua_Unsigned)n) : n);
    } else {
        lua_pushnumber(L, fabs(luaL_checknumber(L, 1)));
    }
    return 1;
}

/* Pushes an integer where it fits, as math.floor does. */
static void push_integral(lua_State *L, double x)
{
    lua_Integer n;
    if (lua_numbertointeger(x, &n))
        lua_pushinteger(L, n);
    else
        lua_pushnumber(L, x);
}

static int math_floor(lua_State *L)
{
    if (lua_isinteger(L, 1))
        lua_settop(L, 1);
    else
        push_integral(L, floor(luaL_checknumber(L, 1)));
    return 1;
}

static int math_ceil(lua_State *L)
{
    if (lua_isinteger(L, 1))
        lua_settop(L, 1);
    else
        push_integral(L, ceil(luaL_checknumber(L, 1)));
    return 1;
}

static int math_fmod(lua_State *L)
{
    if (lua_isinteger(L, 1) && lua_isinteger(L, 2)) {
        lua_Integer a = lua_tointeger(L, 1), b = lua_tointeger(L, 2);
        luaL_argcheck(L, b != 0, 2, "zero");
        lua_pushinteger(L, b == -1 ? 0 : a % b); /* mininteger % -1 overflows */
    } else {
        lua_pushnumber(L, fmod(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    }
    return 1;
}

static int math_modf(lua_State *L)
{
    if (lua_isinteger(L, 1)) {
        lua_settop(L, 1);
        lua_pushnumber(L, 0);
    } else {
        double x = luaL_checknumber(L, 1), whole = x < 0 ? ceil(x) : floor(x);
        push_integral(L, whole);
        lua_pushnumber(L, x == whole ? 0.0 : x - whole);
    }
    return 2;
}

static int math_tointeger(lua_State *L)
{
    int exact;
    lua_Integer n = lua_tointegerx(L, 1, &exact);
    luaL_checkany(L, 1);
    if (exact)
        lua_pushinteger(L, n);
    else
        lua_pushnil(L);
    return 1;
}

static int math_type(lua_State *L)
{
    luaL_checkany(L, 1);
    if (lua_type(L, 1) == LUA_TNUMBER)
        lua_pushstring(L, lua_isinteger(L, 1) ? "integer" : "float");
    else
        lua_pushnil(L);
    return 1;
}

static int math_ult(lua_State *L)
{
    lua_pushboolean(L,
                    (lua_Unsigned)luaL_checkinteger(L, 1) < (lua_Unsigned)luaL_checkinteger(L, 2));
    return 1;
}

/* Returns the first argument that no other is better than. */
static int best(lua_State *L, int want_less)
{
    int count = lua_gettop(L), at = 1;
    luaL_checknumber(L, 1);
    sandbox_charge(L, (uint64_t)count);
    for (int i = 2; i <= count; i++) {
        luaL_checknumber(L, i);
        if (want_less ? lua_compare(L, i, at, LUA_OPLT) : lua_compare(L, at, i, LUA_OPLT))
            at = i;
    }
    lua_pushvalue(L, at);
    return 1;
}

static int math_max(lua_State *L)
{
    return best(L, 0);
}

static int math_min(lua_State *L)
{
    return best(L, 1);
}

static int math_sqrt(lua_State *L)
{
    lua_pushnumber(L, pn_sqrt(luaL_checknumber(L, 1)));
    return 1;
}

static int math_exp(lua_State *L)
{
    lua_pushnumber(L, pn_exp(luaL_checknumber(L, 1)));
    return 1;
}

static int math_log(lua_State *L)
{
    double x = pn_log(luaL_checknumber(L, 1));
    if (!lua_isnoneornil(L, 2))
        x /= pn_log(luaL_checknumber(L, 2));
    lua_pushnumber(L, x);
    return 1;
}

static int math_pow(lua_State *L)
{
    lua_pushnumber(L, pn_pow(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    return 1;
}

static const luaL_Reg functions[] = {
    {"abs", math_abs},   {"ceil", math_ceil}, {"exp", math_exp},   {"floor", math_floor},
    {"fmod", math_fmod}, {"log", math_log},   {"max", math_max},   {"min", math_min},
    {"modf", math_modf}, {"pow", math_pow},   {"sqrt", math_sqrt}, {"tointeger", math_tointeger},
    {"type", math_type}, {"ult", math_ult},   {NULL, NULL}};

lua_CFunction sandbox_math(const char *name)
{
    const luaL_Reg *found = functions;
    while (found->name && strcmp(found->name, name) != 0)
        found++;
    return found->func;
}

void sandbox_open_math(lua_State *L)
{
    luaL_setfuncs(L, functions, 0);
    lua_pushnumber(L, HUGE_VAL);
    lua_setfield(L, -2, "huge");
    lua_pushnumber(L, 3.141592653589793);
    lua_setfield(L, -2, "pi");
    lua_pushinteger(L, LUA_MAXINTEGER);
    lua_setfield(L, -2, "maxinteger");
    lua_pushinteger(L, LUA_MININTEGER);
    lua_setfield(L, -2, "mininteger");
}
