/* Exact numbers as values of Lua: reading, writing, arithmetic. */
#include "exact.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/plain.h"
#include "exact_read.h"

#define EXACT "pinion.Exact" /* what Lua's own messages call one */

/* ---- from and to text ------------------------------------------------------------------------ */

/* Reads what a value may stand for, or why it does not. */
static enum exact_read read_value(lua_State *L, int index, pn_exact *value)
{
    size_t size;
    if (exact_get(L, index, value))
        return EXACT_READ;
    if (lua_type(L, index) == LUA_TNUMBER)
        return exact_read_double(lua_tonumber(L, index), value);
    if (lua_type(L, index) != LUA_TSTRING)
        return EXACT_NONE;
    const char *text = lua_tolstring(L, index, &size);
    return exact_read_text(text, size, value);
}

int exact_write(char text[EXACT_TEXT_SIZE], pn_exact value)
{
    if (value.den == 1)
        return snprintf(text, EXACT_TEXT_SIZE, "%lld", (long long)value.num);
    return snprintf(text, EXACT_TEXT_SIZE, "%lld/%lld", (long long)value.num, (long long)value.den);
}

/* ---- values ---------------------------------------------------------------------------------- */

void exact_push(lua_State *L, pn_exact value)
{
    pn_exact *self = lua_newuserdatauv(L, sizeof *self, 0);
    pn_exact_make(self, value.num, value.den);
    luaL_setmetatable(L, EXACT);
}

int exact_get(lua_State *L, int index, pn_exact *value)
{
    const pn_exact *self = lua_type(L, index) == LUA_TUSERDATA ? luaL_testudata(L, index, EXACT)
                                                               : NULL;
    if (self) {
        *value = *self;
        return 1;
    }
    *value = (pn_exact){(int64_t)lua_tointeger(L, index), 1};
    return lua_isinteger(L, index);
}

/* Returns an operand of arithmetic. */
static pn_exact operand(lua_State *L, int argument)
{
    pn_exact value;
    if (!exact_get(L, argument, &value))
        luaL_error(L, "exact numbers compute with integers and exact numbers, got %s%s",
                   lua_type(L, argument) == LUA_TNUMBER ? "a float" : luaL_typename(L, argument),
                   lua_type(L, argument) == LUA_TNUMBER ? " (use :number(), or exact(...) of it)"
                                                        : "");
    return value;
}

static int compute(lua_State *L, const char *name, int (*operation)(pn_exact *, pn_exact, pn_exact))
{
    pn_exact a = operand(L, 1), b = operand(L, 2), result;
    int status = operation(&result, a, b);
    if (status == PN_ERR_ARGUMENT)
        return luaL_error(L, "an exact number is divided by 0");
    if (status != PN_OK) {
        char texts[2][EXACT_TEXT_SIZE];
        exact_write(texts[0], a);
        exact_write(texts[1], b);
        return luaL_error(L, "%s %s %s does not fit an exact number", texts[0], name, texts[1]);
    }
    exact_push(L, result);
    return 1;
}

static int exact_add(lua_State *L)
{
    return compute(L, "+", pn_exact_add);
}

static int exact_subtract(lua_State *L)
{
    return compute(L, "-", pn_exact_subtract);
}

static int exact_multiply(lua_State *L)
{
    return compute(L, "*", pn_exact_multiply);
}

static int exact_divide(lua_State *L)
{
    return compute(L, "/", pn_exact_divide);
}

/* Negates; Lua hands over the operand twice. */
static int exact_negate(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushinteger(L, 0);
    lua_insert(L, 1);
    return exact_subtract(L);
}

static int exact_equal(lua_State *L)
{
    pn_exact a, b;
    lua_pushboolean(L, exact_get(L, 1, &a) && exact_get(L, 2, &b) && pn_exact_compare(a, b) == 0);
    return 1;
}

static int exact_less(lua_State *L)
{
    pn_exact a = operand(L, 1), b = operand(L, 2);
    lua_pushboolean(L, pn_exact_compare(a, b) < 0);
    return 1;
}

static int exact_less_equal(lua_State *L)
{
    pn_exact a = operand(L, 1), b = operand(L, 2);
    lua_pushboolean(L, pn_exact_compare(a, b) <= 0);
    return 1;
}

static int exact_tostring(lua_State *L)
{
    const pn_exact *self = luaL_checkudata(L, 1, EXACT);
    char text[EXACT_TEXT_SIZE];
    lua_pushlstring(L, text, (size_t)exact_write(text, *self));
    return 1;
}

/* Concatenates: one side of .. is one of ours, the other a string, a number or another one. */
static int exact_concat(lua_State *L)
{
    for (int side = 1; side <= 2; side++) {
        pn_exact value;
        char text[EXACT_TEXT_SIZE];
        if (lua_type(L, side) == LUA_TUSERDATA && exact_get(L, side, &value))
            lua_pushlstring(L, text, (size_t)exact_write(text, value));
        else if (lua_isstring(L, side))
            lua_pushvalue(L, side);
        else
            return luaL_error(L, "attempt to concatenate a %s value", luaL_typename(L, side));
    }
    lua_concat(L, 2);
    return 1;
}

/* ---- methods --------------------------------------------------------------------------------- */

static int exact_number(lua_State *L)
{
    const pn_exact *self = luaL_checkudata(L, 1, EXACT);
    lua_pushnumber(L, pn_exact_double(*self));
    return 1;
}

static int exact_num(lua_State *L)
{
    const pn_exact *self = luaL_checkudata(L, 1, EXACT);
    lua_pushinteger(L, self->num);
    return 1;
}

static int exact_den(lua_State *L)
{
    const pn_exact *self = luaL_checkudata(L, 1, EXACT);
    lua_pushinteger(L, self->den);
    return 1;
}

static int exact_floor(lua_State *L)
{
    const pn_exact *self = luaL_checkudata(L, 1, EXACT);
    lua_pushinteger(L, self->num / self->den - (self->num % self->den < 0));
    return 1;
}

static int exact_ceil(lua_State *L)
{
    const pn_exact *self = luaL_checkudata(L, 1, EXACT);
    lua_pushinteger(L, self->num / self->den + (self->num % self->den > 0));
    return 1;
}

/* Writes all digits that it takes to tell one number from the next: Lua's own text has 14. */
static const char *shown_number(lua_State *L, double x)
{
    char text[40];
    plain locale = plain_begin();
    int digits = 14;
    do
        snprintf(text, sizeof text, "%.*g", digits, x);
    while (digits++ < 17 && strtod(text, NULL) != x);
    plain_end(&locale);
    return lua_pushstring(L, text);
}

/* Returns what a message says it got: never the sign of a NaN, which is the machine's. */
static const char *shown(lua_State *L, int argument)
{
    if (lua_type(L, argument) == LUA_TSTRING)
        return lua_pushfstring(L, "'%s'", lua_tostring(L, argument));
    if (lua_type(L, argument) != LUA_TNUMBER)
        return luaL_typename(L, argument);
    return lua_tonumber(L, argument) != lua_tonumber(L, argument)
               ? "NaN"
               : shown_number(L, lua_tonumber(L, argument));
}

/* Of a text, so that one instruction of a policy cannot cost much. */
#define TEXT_MOST 100

/* Makes exact(value) */
static int exact_new(lua_State *L)
{
    static const char *const wrong[EXACT_ANSWERS] = {
        [EXACT_NONE] = "an integer, a decimal or \"p/q\"",
        [EXACT_LARGE] = "less than 2^63",
        [EXACT_FINE] = "a fraction whose denominator is below 2^63",
        [EXACT_ROUNDED] = "a decimal of at most 15 digits, or a text such as \"1/3\"",
    };
    pn_exact value;
    if (lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) > TEXT_MOST)
        return luaL_error(L, "exact: expected a text of at most %d characters", TEXT_MOST);
    enum exact_read answer = read_value(L, 1, &value);
    if (answer != EXACT_READ)
        return luaL_error(L, "exact: expected %s, got %s", wrong[answer], shown(L, 1));
    exact_push(L, value);
    return 1;
}

void exact_open(lua_State *L)
{
    static const luaL_Reg metamethods[] = {
        {"__add", exact_add},
        {"__sub", exact_subtract},
        {"__mul", exact_multiply},
        {"__div", exact_divide},
        {"__unm", exact_negate},
        {"__eq", exact_equal},
        {"__lt", exact_less},
        {"__le", exact_less_equal},
        {"__tostring", exact_tostring},
        {"__concat", exact_concat},
        {NULL, NULL},
    };
    static const luaL_Reg methods[] = {
        {"number", exact_number}, {"num", exact_num},   {"den", exact_den},
        {"floor", exact_floor},   {"ceil", exact_ceil}, {NULL, NULL},
    };
    luaL_newmetatable(L, EXACT);
    luaL_setfuncs(L, metamethods, 0);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, exact_new);
}
