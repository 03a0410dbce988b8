/* Ctrl-C in Lua code that reads and builds: while a guard is open, the signal itself sets a hook
 * that raises at the next instruction. Loops that no guard covers cost nothing more for it, and
 * what a run hands over after Ctrl-C is not cut short. */
#include <string.h>

#include "base/interrupt.h"
#include "binding.h"

#define GUARD "pinion.InterruptGuard"

typedef struct guard {
    lua_State *guarded; /* null when closed */
    lua_State *before;  /* whom the guard around this one guards */
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

static void on_instruction(lua_State *L, lua_Debug *about)
{
    (void)about;
    lua_sethook(L, NULL, 0, 0);
    raise_fault(L);
}

/* In the signal's handler: lua_sethook may be called there. */
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

void linterrupt_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__close", close_guard}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"interrupt_guard", core_interrupt_guard}, {NULL, NULL}};
    lpinion_type(L, GUARD, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
