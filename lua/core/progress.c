/* The progress line for loops that are written in Lua. */
#include "binding.h"
#include "base/progress.h"

#define PROGRESS "pinion.Progress"

/* progress(label, quiet) */
static int make_progress(lua_State *L)
{
    const char *label = luaL_checkstring(L, 1);
    progress *self = lua_newuserdatauv(L, sizeof *self, 1);
    lua_pushvalue(L, 1); /* keeps the label */
    lua_setiuservalue(L, -2, 1);
    progress_start(self, label, lua_toboolean(L, 2), progress_clock());
    luaL_setmetatable(L, PROGRESS);
    return 1;
}

/* show(done, total, unit) */
static int show(lua_State *L)
{
    progress *self = luaL_checkudata(L, 1, PROGRESS);
    lua_Integer done = luaL_checkinteger(L, 2), total = luaL_checkinteger(L, 3);
    const char *unit = luaL_checkstring(L, 4);
    luaL_argcheck(L, done >= 0, 2, "must not be negative");
    luaL_argcheck(L, total >= 0, 3, "must not be negative");
    progress_show(self, (uint64_t)done, (uint64_t)total, unit, progress_clock());
    return 0;
}

static int clear(lua_State *L)
{
    progress_clear(luaL_checkudata(L, 1, PROGRESS));
    return 0;
}

/* clock(): seconds of a clock that never goes back */
static int core_clock(lua_State *L)
{
    lua_pushnumber(L, progress_clock());
    return 1;
}

/* show_reading(shown): whether readers of files show progress from now on */
static int core_show_reading(lua_State *L)
{
    progress_show_reading(lua_toboolean(L, 1));
    return 0;
}

void lprogress_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"show", show}, {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__close", clear}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"progress", make_progress},
                                         {"clock", core_clock},
                                         {"show_reading", core_show_reading},
                                         {NULL, NULL}};
    lpinion_type(L, PROGRESS, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
