/* Files that appear whole or not at all, in Lua, and which paths lead to one file. */
#include <errno.h>
#include <string.h>

#include "binding.h"
#include "base/output.h"

#define OUTPUT "pinion.Output"

static int push_error(lua_State *L, int status)
{
    return push_failure(L, strerror(status));
}

static output *check_open(lua_State *L)
{
    output *self = luaL_checkudata(L, 1, OUTPUT);
    luaL_argcheck(L, self->file, 1, "the file is closed");
    return self;
}

/* (path): the file, or nil and why not. */
static int core_output(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    output *self = lua_newuserdatauv(L, sizeof *self, 0);
    int status;
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, OUTPUT);
    status = output_open(self, path);
    status = status ? status : output_empty(self);
    return status ? push_error(L, status) : 1;
}

static int push_done(lua_State *L, int status)
{
    if (status)
        return push_error(L, status);
    lua_pushboolean(L, 1);
    return 1;
}

/* (path): true, or nil and why it cannot be written. */
static int core_output_check(lua_State *L)
{
    return push_done(L, output_check(luaL_checkstring(L, 1)));
}

/* (text): true, or nil and why not. */
static int write_text(lua_State *L)
{
    output *self = check_open(L);
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    errno = 0;
    return push_done(L, fwrite(text, 1, size, self->file) == size ? 0 : errno ? errno : EIO);
}

/* Where another program may write the file's bytes before it is committed. */
static int path_of(lua_State *L)
{
    const output *self = check_open(L);
    lua_pushstring(L, self->beside ? self->beside : self->target);
    return 1;
}

static int commit(lua_State *L)
{
    return push_done(L, output_commit(check_open(L)));
}

static int discard(lua_State *L)
{
    output_discard(luaL_checkudata(L, 1, OUTPUT));
    return 0;
}

/* (path, or the number of an open descriptor): a text that is equal for paths that lead to one
 * plain file; nil for what is none. */
static int core_file_identity(lua_State *L)
{
    char text[OUTPUT_IDENTITY_SIZE];
    int is_number = lua_isinteger(L, 1);
    int status = is_number ? output_identity_of((int)lua_tointeger(L, 1), text)
                           : output_identity(luaL_checkstring(L, 1), text);
    if (status || text[0] == '\0')
        return 0;
    lua_pushstring(L, text);
    return 1;
}

void loutput_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"write", write_text},
                                       {"path", path_of},
                                       {"commit", commit},
                                       {"discard", discard},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", discard}, {"__close", discard}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"output", core_output},
                                         {"output_check", core_output_check},
                                         {"file_identity", core_file_identity},
                                         {NULL, NULL}};
    lpinion_type(L, OUTPUT, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
