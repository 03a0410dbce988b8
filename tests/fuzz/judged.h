/* Fuzz targets whose bytes are a text that the front end reads: a file in Lua judges each. It is
 * read from the directory that the tests run in. */
#ifndef FUZZ_JUDGED_H
#define FUZZ_JUDGED_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "core/embedded.h"
#include "fuzz.h"

/* A fresh Lua now and then: what one text left behind must not be what makes another fail. */
enum { TEXTS_PER_STATE = 2000 };

/* (judge, argument): the function that judges a text, which the file `judge` returns. */
static int open_judge(lua_State *L)
{
    luaL_openlibs(L);
    preload_modules(L);
    if (luaL_loadfilex(L, lua_tostring(L, 1), "t") != LUA_OK)
        return lua_error(L);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    return 1;
}

static lua_State *new_state(const char *judge, const char *argument)
{
    lua_State *L = luaL_newstate();
    must(L != NULL, "there is memory for Lua");
    lua_pushcfunction(L, open_judge);
    lua_pushstring(L, judge);
    lua_pushstring(L, argument);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK)
        must(0, lua_tostring(L, -1));
    return L; /* the judge lies on its stack */
}

/* Judges a text by the file `judge`, which gets `argument`. */
static inline int judge_text(const char *judge, const char *argument, const uint8_t *bytes,
                             size_t size)
{
    static lua_State *L;
    static unsigned texts;
    if (L && ++texts % TEXTS_PER_STATE == 0) {
        lua_close(L);
        L = NULL;
    }
    if (!L)
        L = new_state(judge, argument);
    lua_pushvalue(L, 1);
    lua_pushlstring(L, (const char *)bytes, size);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        must(0, luaL_tolstring(L, -1, NULL));
    return 0;
}

#endif
