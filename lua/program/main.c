/* The program `pinion`: a Lua state with the front end inside. What it does is decided in
 * pinion/cli.lua; here are only the frame, signals and the exit code: 0 done, 1 the run failed, 2
 * wrong usage, 128 + the signal that interrupted it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <lualib.h>

#include "core/embedded.h"
#include "base/interrupt.h"
#include "core/binding.h"
#include "pn_base.h"

typedef struct program {
    int count; /* of arguments, the program's name first */
    char **arguments;
    int exit_code;
} program;

static void push_arguments(lua_State *L, const program *self)
{
    lua_createtable(L, self->count, 1);
    for (int i = 0; i < self->count; i++) {
        lua_pushstring(L, self->arguments[i]);
        lua_rawseti(L, -2, i);
    }
    lua_pushvalue(L, -1);
    lua_setglobal(L, "arg");
}

static int run_program(lua_State *L)
{
    program *self = lua_touserdata(L, 1);
    lpinion_postpone_collection(L); /* the start makes little garbage */
    luaL_openlibs(L);
    preload_modules(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "pinion.cli");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "main");
    push_arguments(L, self);
    lua_call(L, 1, 1);
    self->exit_code = (int)luaL_checkinteger(L, -1);
    return 0;
}

/* Adds a traceback. The command line catches what users can do wrong: whatever arrives here is a
 * fault of ours, and the way to it is worth knowing. */
static int add_traceback(lua_State *L)
{
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

/* Flushes: a result that was not written is not a result. */
static int flush_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 1;
    fprintf(stderr, "pinion: cannot write to standard output: %s\n",
            errno ? strerror(errno) : "an earlier write failed");
    return 0;
}

/* Checks that floating point is sound: rather no results than others than everywhere. */
static int is_sound(void)
{
    int status = pn_selftest();
    if (status == PN_OK)
        return 1;
    fprintf(stderr,
            "pinion: the self-test of its arithmetic fails, so results would be wrong: %s\n",
            status == PN_ERR_ROUNDING     ? "rounding is not to nearest"
            : status == PN_ERR_SUBNORMAL  ? "subnormal numbers become zero"
            : status == PN_ERR_CONTRACTED ? "a * b + c is rounded once, or with excess precision"
                                          : "known results come out otherwise");
    return 0;
}

enum { SIGNALLED = 128, INTERRUPTED = 130 };

int main(int count, char **arguments)
{
    program self = {count, arguments, 1};
    if (!is_sound())
        return 1;
    lua_State *L = luaL_newstate();
    if (!L) {
        fputs("pinion: not enough memory to start\n", stderr);
        return 1;
    }
    interrupt_install();
    lua_pushcfunction(L, add_traceback);
    lua_pushcfunction(L, run_program);
    lua_pushlightuserdata(L, &self);
    if (lua_pcall(L, 1, 0, 1) != LUA_OK) {
        const char *message = lua_tostring(L, -1);
        fprintf(stderr, "pinion: %s\n", message ? message : "an error without a message");
        self.exit_code = 1;
    }
    lua_close(L);
    if (self.exit_code == 0 && !flush_output())
        self.exit_code = 1;
    if (self.exit_code == INTERRUPTED && interrupt_signal())
        return SIGNALLED + interrupt_signal();
    return self.exit_code;
}
