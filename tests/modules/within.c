/* A module for tests: runs the program's main function within this process, with other standard
 * streams. The start of a program is left out, which is most of the time of a short command. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

int luaopen_within(lua_State *L);

/* Puts a file in the place of a standard stream. Returns a copy of the stream's own file; -1: the
 * stream is closed. */
static int redirect(lua_State *L, int stream, const char *path)
{
    int kept = dup(stream), flags = stream == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    int file = open(path, flags, 0600);
    if (file < 0)
        luaL_error(L, "%s: %s", path, strerror(errno));
    if (file != stream) {
        dup2(file, stream);
        close(file);
    }
    return kept;
}

static void restore(int stream, int kept)
{
    if (kept < 0) {
        close(stream);
        return;
    }
    dup2(kept, stream);
    close(kept);
}

/* Flushes standard output as the program does at its end: a result that was not written is none. */
static int flush_output(int code)
{
    errno = 0;
    int is_written = fflush(stdout) == 0 && !ferror(stdout);
    clearerr(stdout);
    if (is_written || code != 0)
        return code;
    fprintf(stderr, "pinion: cannot write to standard output: %s\n", strerror(errno));
    return 1;
}

/* within(main, arguments, input, output, messages): the exit code of main(arguments). The last
 * three are the files of the standard streams. */
static int within(lua_State *L)
{
    int kept[3], code;
    fflush(NULL);
    for (int i = 0; i < 3; i++)
        kept[i] = redirect(L, i, luaL_checkstring(L, i + 3));
    lua_settop(L, 2);
    int status = lua_pcall(L, 1, 1, 0);
    code = status == LUA_OK ? flush_output((int)lua_tointeger(L, -1)) : 1;
    fflush(NULL);
    clearerr(stdin);
    for (int i = 0; i < 3; i++)
        restore(i, kept[i]);
    if (status != LUA_OK)
        return lua_error(L);
    lua_pushinteger(L, code);
    return 1;
}

int luaopen_within(lua_State *L)
{
    lua_pushcfunction(L, within);
    return 1;
}
