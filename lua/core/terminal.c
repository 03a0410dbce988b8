/* The terminal in Lua: whether there is one, Ctrl-C, and the progress line of loops that are
 * written in Lua.
 *
 * Ctrl-C in Lua code that reads and builds: while a guard is open, the signal itself sets a hook
 * that raises at the next instruction. Loops that no guard covers cost nothing more for it, and
 * what a run returns after Ctrl-C is not cut short. */
#define _DEFAULT_SOURCE /* the size of a terminal */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "binding.h"

#define GUARD    "pinion.InterruptGuard"
#define PROGRESS "pinion.Progress"

static int core_is_terminal(lua_State *L)
{
    lua_pushboolean(L, isatty((int)luaL_checkinteger(L, 1)));
    return 1;
}

/* Pushes the columns of the terminal that a descriptor is; nil when it is none, or does not say. */
static int core_terminal_columns(lua_State *L)
{
    struct winsize size;
    int descriptor = (int)luaL_checkinteger(L, 1);
    if (isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        lua_pushinteger(L, size.ws_col);
    else
        lua_pushnil(L);
    return 1;
}

static int core_interrupted(lua_State *L)
{
    lua_pushboolean(L, interrupt_pending());
    return 1;
}

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

typedef struct guard {
    lua_State *guarded; /* null when closed */
    lua_State *before;  /* the state that the guard around this one guards */
    lua_Hook hook;      /* in force before */
    int mask, count;
} guard;

/* Whose code Ctrl-C stops. A signal's handler has nowhere else to find it. */
static lua_State *volatile guarded;

static const char raise_key;

static void raise_fault(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &raise_key);
    lua_call(L, 0, 0);
}

static void on_instruction(lua_State *L, lua_Debug *frame)
{
    (void)frame;
    lua_sethook(L, NULL, 0, 0);
    raise_fault(L);
}

/* Interrupts, in the signal's handler: lua_sethook may be called there. */
static void on_signal(void)
{
    if (guarded)
        lua_sethook(guarded, on_instruction,
                    LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

/* (raise): from now on Ctrl-C calls `raise`, until the result is closed. */
static int core_interrupt_guard(lua_State *L)
{
    guard *self;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    self = lua_newuserdatauv(L, sizeof *self, 0);
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, GUARD);
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &raise_key);
    if (interrupt_pending())
        raise_fault(L);
    *self = (guard){L, guarded, lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L)};
    interrupt_also(on_signal);
    guarded = L;
    return 1;
}

static int close_guard(lua_State *L)
{
    guard *self = luaL_checkudata(L, 1, GUARD);
    if (!self->guarded)
        return 0;
    guarded = self->before;
    lua_sethook(self->guarded, self->hook, self->mask, self->count);
    self->guarded = NULL;
    return 0;
}

/* ---- progress -------------------------------------------------------------------------------- */

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

void lterminal_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg guard_metamethods[] = {{"__close", close_guard}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"show", show}, {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__close", clear}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"is_terminal", core_is_terminal},   {"terminal_columns", core_terminal_columns},
        {"interrupted", core_interrupted},   {"interrupt_guard", core_interrupt_guard},
        {"progress", make_progress},         {"clock", core_clock},
        {"show_reading", core_show_reading}, {NULL, NULL}};
    lpinion_type(L, GUARD, none, guard_metamethods);
    lpinion_type(L, PROGRESS, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
