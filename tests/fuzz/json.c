/* Bytes are the text of a scenario file. The front end must refuse it with a message that a user
 * understands, or run it; tests/fuzz/json.lua is the judge, and is read from the directory that the
 * tests run in. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "core/embedded.h"
#include "fuzz.h"

/* A fresh Lua now and then: what one text left behind must not be what makes another fail. */
enum { TEXTS_PER_STATE = 2000 };

static int open_all(lua_State *L)
{
    luaL_openlibs(L);
    preload_modules(L);
    if (luaL_loadfilex(L, "tests/fuzz/json.lua", "t") != LUA_OK)
        return lua_error(L);
    lua_call(L, 0, 1);
    return 1;
}

static lua_State *new_state(void)
{
    lua_State *L = luaL_newstate();
    must(L != NULL, "there is memory for Lua");
    lua_pushcfunction(L, open_all);
    if (lua_pcall(L, 0, 1, 0) != LUA_OK)
        must(0, lua_tostring(L, -1));
    return L; /* the judge lies on its stack */
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static lua_State *L;
    static unsigned texts;
    if (L && ++texts % TEXTS_PER_STATE == 0) {
        lua_close(L);
        L = NULL;
    }
    if (!L)
        L = new_state();
    lua_pushvalue(L, 1);
    lua_pushlstring(L, (const char *)bytes, size);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        must(0, luaL_tolstring(L, -1, NULL));
    return 0;
}
