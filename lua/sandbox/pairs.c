/* pairs and ipairs. The order of pairs is defined: integers ascending, then strings by their bytes.
 * The keys are taken down when pairs is called, so that the loop may assign as it likes; keys whose
 * value is gone by the time are left out. */
#include <string.h>

#include "internal.h"
#include "sort.h"

/* What is done in the time of a few instructions: comparing strings byte by byte, and looking at
 * empty places of a table. */
#define BYTES_PER_UNIT  256
#define PLACES_PER_UNIT ((size_t)16 << 10) /* their bytes */

typedef struct pairs_key {
    const char *text; /* null for an integer */
    size_t size;
    lua_Integer number;
} pairs_key;

static pairs_key key_at(lua_State *L, int index)
{
    pairs_key key = {NULL, 0, 0};
    if (lua_isinteger(L, index))
        key.number = lua_tointeger(L, index);
    else if (lua_type(L, index) == LUA_TSTRING)
        key.text = lua_tolstring(L, index, &key.size);
    else
        luaL_error(L, "pairs: a key of type %s has no defined order",
                   lua_type(L, index) == LUA_TNUMBER ? "float" : luaL_typename(L, index));
    return key;
}

static int key_before(const pairs_key *a, const pairs_key *b)
{
    int order;
    if (!a->text || !b->text)
        return !a->text && (b->text || a->number < b->number);
    order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);
    return order < 0 || (order == 0 && a->size < b->size);
}

static int key_less(void *user, uint32_t a, uint32_t b)
{
    const pairs_key *keys = user;
    return key_before(&keys[a], &keys[b]);
}

/* Replaces the list of `count` keys on top of the stack by one in order. */
static void sort_keys(lua_State *L, uint32_t count)
{
    int list = lua_gettop(L);
    pairs_key *keys = lua_newuserdatauv(L, count * sizeof *keys, 0);
    uint32_t *order = sandbox_sort_scratch(L, count);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        keys[i] = key_at(L, -1); /* the list keeps the strings alive */
        bytes += keys[i].size;
        lua_pop(L, 1);
    }
    sandbox_charge(L, bytes / BYTES_PER_UNIT); /* each may be compared some twenty times */
    sandbox_sort(L, order, count, key_less, keys);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)order[i] + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_replace(L, list);
    lua_settop(L, list);
}

/* Pushes the list of the keys of the table at `index`, in order. Arrays come in order by
 * themselves. */
static void push_keys(lua_State *L, int index)
{
    pairs_key last = {NULL, 0, 0};
    uint32_t count = 0;
    int list, sorted = 1;
    /* it may be empty: Lua looks at all places */
    sandbox_charge(L, sandbox_of(L)->largest / PLACES_PER_UNIT);
    lua_createtable(L, sandbox_room(L, index), 0);
    list = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        pairs_key key;
        lua_pop(L, 1);
        key = key_at(L, -1);
        sorted = sorted && (count == 0 || key_before(&last, &key));
        last = key;
        sandbox_charge_elements(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, list, ++count);
    }
    if (!sorted)
        sort_keys(L, count);
}

/* Returns the position of the control variable among the keys, first looking where the last step
 * ended; 0 for nil. */
static lua_Integer position(lua_State *L, int control)
{
    int keys = lua_upvalueindex(2);
    lua_Integer at;
    if (lua_isnil(L, control))
        return 0;
    at = lua_tointeger(L, lua_upvalueindex(3));
    if (lua_rawgeti(L, keys, at) != LUA_TNIL && lua_rawequal(L, -1, control))
        return at;
    for (at = 1; lua_rawgeti(L, keys, at) != LUA_TNIL; at++) {
        if (lua_rawequal(L, -1, control))
            return at;
        lua_settop(L, control);
        sandbox_charge(L, 1);
    }
    return luaL_error(L, "pairs: the loop's variable is not a key of the table");
}

/* Steps; upvalues: the table, its keys in order, and where the last step ended. The last is a
 * shortcut and no memory: what a step returns depends on the control variable alone. */
int sandbox_pairs_step(lua_State *L)
{
    lua_Integer at;
    lua_settop(L, 2);
    at = position(L, 2);
    lua_settop(L, 0);
    if (!sandbox_shadow(L, lua_upvalueindex(1)))
        lua_pushvalue(L, lua_upvalueindex(1));
    while (lua_rawgeti(L, lua_upvalueindex(2), ++at) != LUA_TNIL) {
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) {
            lua_pushinteger(L, at);
            lua_replace(L, lua_upvalueindex(3));
            return 2;
        }
        lua_settop(L, 1);
        sandbox_charge(L, 1);
    }
    return 1;
}

static int base_pairs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    sandbox_reads(L, 1);
    push_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, sandbox_pairs_step, 3);
    return 1;
}

static int ipairs_step(lua_State *L)
{
    lua_Integer i = (lua_Integer)((lua_Unsigned)luaL_checkinteger(L, 2) + 1);
    luaL_checkany(L, 1);
    lua_pushinteger(L, i);
    return lua_geti(L, 1, i) == LUA_TNIL ? 1 : 2;
}

static int base_ipairs(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushcfunction(L, ipairs_step);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

void sandbox_open_pairs(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"ipairs", base_ipairs}, {"pairs", base_pairs}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
