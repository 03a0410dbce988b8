/* Makes the embedded Lua files and the C module known to a state's `require`. Part of the program
 * only: the loadable module finds its files on the path. */
#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

#include "core/embedded.h"
#include "core/binding.h"

/* Loads one embedded module, in the manner of package.preload: its code, or its text where another
 * release of Lua runs than compiled it. */
static int load_embedded(lua_State *L)
{
    const embedded_file *file = lua_touserdata(L, lua_upvalueindex(1));
    int same = file->code && strcmp(embedded_lua, lua_ident) == 0;
    const unsigned char *bytes = same ? file->code : file->bytes;
    lua_settop(L, 1); /* the module's name */
    if (luaL_loadbufferx(L, (const char *)bytes, same ? file->code_size : file->size, file->chunk,
                         same ? "b" : "t") != LUA_OK)
        return lua_error(L);
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

void preload_modules(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_pinion_core);
    lua_setfield(L, -2, "pinion.core");
    for (const embedded_file *file = embedded_files; file->name; file++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)file);
        lua_pushcclosure(L, load_embedded, 1);
        lua_setfield(L, -2, file->name);
    }
    lua_pop(L, 1);
}
