/* Lines of a text file, plain or gzip'ed, in Lua. */
#include <string.h>

#include "base/gz_lines.h"
#include "binding.h"

#define LINES "pinion.Lines"

typedef struct lines_box {
    gz_lines lines;
    char message[GZ_MESSAGE_SIZE];
    char path[1]; /* as long as it is */
} lines_box;

static int lines_close(lua_State *L)
{
    lines_box *box = luaL_checkudata(L, 1, LINES);
    gz_lines_close(&box->lines);
    return 0;
}

/* (path): a function-like value that gives the file's lines, or nil and a message. */
static int lines_open(lua_State *L)
{
    size_t size;
    const char *path = luaL_checklstring(L, 1, &size);
    lines_box *box = lua_newuserdatauv(L, sizeof *box + size, 0);
    memcpy(box->path, path, size + 1);
    box->lines.path = box->path;
    box->lines.message = box->message;
    box->lines.file = NULL;
    box->lines.buffer = NULL;
    box->lines.progress = (progress){.enabled = 0};
    luaL_setmetatable(L, LINES);
    return gz_lines_open(&box->lines) > 0 ? 1 : push_failure(L, box->message);
}

/* The next line and its number; nothing at the end of the file; or nil and a message. */
static int lines_next(lua_State *L)
{
    lines_box *box = luaL_checkudata(L, 1, LINES);
    char *line;
    int status;
    luaL_argcheck(L, box->lines.file, 1, "the file is closed");
    status = gz_lines_next(&box->lines, &line);
    if (status < 0)
        return push_failure(L, box->message);
    if (status == 0)
        return 0;
    lua_pushlstring(L, line, box->lines.size);
    lua_pushinteger(L, (lua_Integer)box->lines.line);
    return 2;
}

void lgz_lines_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {
        {"__gc", lines_close}, {"__close", lines_close}, {"__call", lines_next}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"gz_lines", lines_open}, {NULL, NULL}};
    lpinion_type(L, LINES, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
