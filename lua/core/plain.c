/* Calls of Lua functions in the "C" locale: Lua itself and the C library write numbers by the
 * locale of the thread. */
#include "base/plain.h"
#include "binding.h"

/* plainly(f, ...): what pcall(f, ...) returns, with f run in the "C" locale. No coroutine can yield
 * out of f, so the thread never leaves with that locale. */
static int core_plainly(lua_State *L)
{
    luaL_checkany(L, 1);
    plain locale = plain_begin();
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    plain_end(&locale);
    luaL_checkstack(L, 1, "too many results");
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

void lplain_open(lua_State *L)
{
    lua_pushcfunction(L, core_plainly);
    lua_setfield(L, -2, "plainly");
}
