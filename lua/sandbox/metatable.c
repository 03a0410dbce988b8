/* Metatables. A table's is a private copy that is set once, and no policy ever gets hold of it.
 *
 * Lua follows a chain of tables, each the __index of the one before, within one instruction. So a
 * chain has a limit, which is held when it grows at either end: the tables behind the new link are
 * counted, and for a table that ends a chain and has no metatable yet, how many are in front of it
 * is kept in a table with weak keys. */
#include "internal.h"

static const char *const events[] = {"__index", "__newindex"};
enum { EVENTS = sizeof events / sizeof *events };

/* The keys in the registry of what is kept, one for each event. */
static const char in_front[EVENTS];

/* Refuses metatables: no policy ever gets hold of one: it could empty a frozen table's, or
 * everybody's string methods. */
static int base_getmetatable(lua_State *L)
{
    luaL_checkany(L, 1);
    if (lua_getmetatable(L, 1))
        lua_pushboolean(L, 0);
    else
        lua_pushnil(L);
    return 1;
}

/* Replaces the table on top by the one in which a look-up continues, and returns 1; or leaves it
 * and returns 0. */
static int follow(lua_State *L, int event)
{
    if (!lua_getmetatable(L, -1))
        return 0;
    lua_pushstring(L, events[event]);
    if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 2);
        return 0;
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
    return 1;
}

static int is_among(const void *table, const void *const seen[], int count)
{
    while (count > 0 && seen[count - 1] != table)
        count--;
    return count > 0;
}

/* Counts the tables through which a look-up leads that comes to the one on top, itself included; a
 * circle counts once. The last of them takes its place. More than the limit: one more than the
 * limit. */
static int count_behind(lua_State *L, int event)
{
    const void *seen[SANDBOX_CHAIN_MOST + 1];
    int count = 0;
    do
        seen[count++] = lua_topointer(L, -1);
    while (count <= SANDBOX_CHAIN_MOST && follow(L, event) &&
           !is_among(lua_topointer(L, -1), seen, count));
    return count;
}

/* Counts the tables that may lead to the one at `index`. */
static int count_in_front(lua_State *L, int event, int index)
{
    int count;
    index = lua_absindex(L, index);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &in_front[event]);
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    count = (int)lua_tointeger(L, -1);
    lua_pop(L, 2);
    return count;
}

/* Checks the chain as the table at `index` is about to get this metatable. */
static void check_chain(lua_State *L, int event, int index, int metatable)
{
    int before, after;
    lua_pushstring(L, events[event]);
    if (lua_rawget(L, metatable) == LUA_TTABLE) {
        before = count_in_front(L, event, index) + 1;
        after = count_behind(L, event);
        sandbox_charge(L, (uint64_t)after);
        if (before + after > SANDBOX_CHAIN_MOST)
            luaL_error(L, "setmetatable: '%s' leads through more than %d tables", events[event],
                       SANDBOX_CHAIN_MOST);
        before += after - 1; /* now of the last one, which is on top */
        if (!lua_getmetatable(L, -1) && before > count_in_front(L, event, -1)) {
            lua_rawgetp(L, LUA_REGISTRYINDEX, &in_front[event]);
            lua_pushvalue(L, -2);
            lua_pushinteger(L, before);
            lua_rawset(L, -3);
        }
    }
    lua_settop(L, metatable);
}

/* Gives the table a private copy of these fields, so that nothing done to the given metatable later
 * has an effect. */
static int base_setmetatable(lua_State *L)
{
    static const char *const refused[] = {"__gc",    "__close", "__mode", "__metatable",
                                          "__pairs", "__name",  NULL};
    static const char *const known[] = {
        "__index",  "__newindex", "__call", "__tostring", "__len", "__eq",  "__lt",   "__le",
        "__concat", "__unm",      "__add",  "__sub",      "__mul", "__div", "__mod",  "__pow",
        "__idiv",   "__band",     "__bor",  "__bxor",     "__shl", "__shr", "__bnot", NULL};
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    sandbox_charge(L, sizeof known / sizeof *known);
    if (lua_getmetatable(L, 1))
        return luaL_error(L, "setmetatable: this table has a metatable already, or is read-only");
    sandbox_reads(L, 2);
    for (int i = 0; refused[i]; i++) {
        lua_pushstring(L, refused[i]);
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "setmetatable: '%s' is not available in %s", refused[i],
                              sandbox_of(L)->words->kind);
        lua_pop(L, 1);
    }
    /* Lua follows a chain of things to call within one instruction, and takes quadratic time for
     * it. */
    lua_pushliteral(L, "__call");
    if (lua_rawget(L, 2) != LUA_TNIL && !lua_isfunction(L, -1))
        return luaL_error(L, "setmetatable: '__call' must be a function");
    lua_settop(L, 2);
    lua_createtable(L, 0, 4);
    for (int i = 0; known[i]; i++) {
        lua_pushstring(L, known[i]);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 2) != LUA_TNIL)
            lua_rawset(L, 3);
        else
            lua_pop(L, 2);
    }
    for (int event = 0; event < EVENTS; event++)
        check_chain(L, event, 1, 3);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

void sandbox_open_metatable(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"getmetatable", base_getmetatable}, {"setmetatable", base_setmetatable}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    for (int event = 0; event < EVENTS; event++) {
        lua_newtable(L);
        lua_pushvalue(L, -2);
        lua_setmetatable(L, -2);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &in_front[event]);
    }
    lua_pop(L, 1);
}
