/* Frozen tables. A table is frozen in place: what is in it moves to a shadow that only its
 * new metatable knows, so that reads find it through __index and every assignment arrives at
 * __newindex.
 *
 *     the policy's table (empty) --metatable-->
 *         { [1] = shadow, __index = shadow, __newindex = refuse, __len, ... }
 *     shadow (what was in it)    --metatable-->
 *         { __index = the table's former __index }, where it had one
 *
 * Closures count too: one that changes a local of a function that returned while the file was
 * loading would carry memory from call to call. */
#include <string.h>

#include "internal.h"

/* ---- one table ------------------------------------------------------------------------------- */

int sandbox_shadow(lua_State *L, int index)
{
    if (!lua_getmetatable(L, index))
        return 0;
    if (lua_rawgeti(L, -1, 1) == LUA_TTABLE) {
        lua_remove(L, -2);
        return 1;
    }
    lua_pop(L, 2);
    return 0;
}

void sandbox_reads(lua_State *L, int argument)
{
    luaL_checktype(L, argument, LUA_TTABLE);
    if (sandbox_shadow(L, argument))
        lua_replace(L, argument);
}

static int refuse_write(lua_State *L)
{
    return luaL_error(L, "this table is read-only once the file is loaded (%s)",
                      sandbox_of(L)->words->frozen);
}

void sandbox_writes(lua_State *L, int argument)
{
    luaL_checktype(L, argument, LUA_TTABLE);
    if (sandbox_shadow(L, argument))
        refuse_write(L);
}

static int frozen_length(lua_State *L)
{
    sandbox_shadow(L, 1);
    lua_pushinteger(L, sandbox_length(L, -1));
    return 1;
}

/* Serves as __index of a shadow whose table had a function there: called with the shadow, which
 * must not get out, and the missing key. */
static int index_missing(lua_State *L)
{
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1)); /* the function */
    lua_pushvalue(L, lua_upvalueindex(2)); /* the frozen table */
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

/* Moves all that is in the table at `from` to the one at `to`. */
static void move_contents(lua_State *L, int from, int to)
{
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, to);
    }
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, from); /* clearing a field does not disturb lua_next */
    }
}

void sandbox_freeze_table(lua_State *L, int index, lua_CFunction refuse)
{
    int shadow, metatable, former;
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, NULL);
    lua_createtable(L, sandbox_room(L, index), 0);
    shadow = lua_gettop(L);
    move_contents(L, index, shadow);
    lua_createtable(L, 1, 4);
    metatable = lua_gettop(L);
    if (lua_getmetatable(L, index)) {
        former = lua_gettop(L);
        lua_pushnil(L);
        while (lua_next(L, former)) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, metatable);
        }
        lua_settop(L, former);
        lua_pushliteral(L, "__index");
        if (lua_rawget(L, former) != LUA_TNIL) {
            lua_createtable(L, 0, 1);
            lua_insert(L, -2);
            if (lua_isfunction(L, -1)) {
                lua_pushvalue(L, index);
                lua_pushcclosure(L, index_missing, 2);
            }
            lua_setfield(L, -2, "__index");
            lua_setmetatable(L, shadow);
        }
        lua_settop(L, metatable);
    }
    lua_pushvalue(L, shadow);
    lua_rawseti(L, metatable, 1);
    lua_pushvalue(L, shadow);
    lua_setfield(L, metatable, "__index");
    lua_pushcfunction(L, refuse);
    lua_setfield(L, metatable, "__newindex");
    lua_pushliteral(L, "__len");
    if (lua_rawget(L, metatable) == LUA_TNIL) {
        lua_pushcfunction(L, frozen_length);
        lua_setfield(L, metatable, "__len");
    }
    lua_settop(L, metatable);
    lua_setmetatable(L, index);
    lua_settop(L, shadow - 1);
}

/* ---- all that can be reached ----------------------------------------------------------------- */

/* Stack of the walk, which is a queue rather than a recursion, as structures may be deep. */
enum { ROOT = 1, SEEN, QUEUE };

typedef struct walk {
    lua_Integer queued;
    size_t code; /* bytes of bytecode looked through */
    /* on the first line, so that it does not depend on the order of the walk */
    sandbox_assignment worst;
} walk;

/* Pops a value, and queues it if it is one that has to be looked at and has not been yet. */
static void visit(lua_State *L, walk *w)
{
    int type = lua_type(L, -1);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION) {
        lua_pushvalue(L, -1);
        if (lua_rawget(L, SEEN) == LUA_TNIL) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, SEEN);
            lua_pushvalue(L, -2);
            lua_rawseti(L, QUEUE, ++w->queued);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Visits the values of the table at `index`. Keys are no way to reach a table: pairs does not hand
 * out any but strings and integers. */
static void visit_values(lua_State *L, walk *w, int index)
{
    lua_pushnil(L);
    while (lua_next(L, index))
        visit(L, w);
}

static void visit_function(lua_State *L, walk *w, int index)
{
    sandbox_assignment found = {0};
    if (lua_iscfunction(L, index)) {
        if (lua_tocfunction(L, index) == sandbox_pairs_step) {
            lua_getupvalue(L, index, 1);
            visit(L, w);
        }
        return;
    }
    for (int i = 1; lua_getupvalue(L, index, i); i++)
        visit(L, w);
    w->code += sandbox_find_assignment(L, index, 0, &found);
    if (w->code > SANDBOX_CODE_MOST)
        luaL_error(L, "makes too many functions while it loads");
    if (found.line > 0 && (w->worst.line == 0 || found.line < w->worst.line ||
                           (found.line == w->worst.line && strcmp(found.name, w->worst.name) < 0)))
        w->worst = found;
}

static void visit_table(lua_State *L, walk *w, int index)
{
    if (sandbox_shadow(L, index)) {
        lua_pop(L, 1); /* frozen before, and so is what it leads to */
        return;
    }
    visit_values(L, w, index);
    if (lua_getmetatable(L, index)) {
        visit_values(L, w, lua_gettop(L));
        lua_pop(L, 1);
    }
    sandbox_freeze_table(L, index, refuse_write);
}

int sandbox_freeze_value(lua_State *L)
{
    walk w = {0};
    lua_settop(L, ROOT);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, ROOT);
    visit(L, &w);
    for (lua_Integer i = 1; i <= w.queued; i++) {
        int item = QUEUE + 1;
        lua_rawgeti(L, QUEUE, i);
        if (lua_type(L, item) == LUA_TTABLE)
            visit_table(L, &w, item);
        else
            visit_function(L, &w, item);
        lua_settop(L, QUEUE);
    }
    if (w.worst.line > 0)
        return sandbox_raise_at(L, w.worst.file, w.worst.line,
                                "assigns to '%s', which outlives the call (%s)", w.worst.name,
                                sandbox_of(L)->words->outlives);
    return 0;
}
