/* The front end without memory: each case of tests/support/hungry.lua runs again and again, and of
 * what C asks the C library for, the first allocation and all behind it fail, then the second, and
 * so on until it has all it needs. Each time a message says that memory is short, and all of it is
 * given back. Lua has memory of its own, which is not refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <lauxlib.h>
#include <lualib.h>

#include "core/embedded.h"
#include "support/short_memory.h"

#if !SHORT_MEMORY
int main(void)
{
    printf("left out: malloc belongs to the sanitizer, or cannot be replaced\n");
    return 77;
}
#else

static void *allocate(void *unused, void *block, size_t old_size, size_t size)
{
    (void)unused, (void)old_size;
    if (size > 0)
        return __libc_realloc(block, size);
    __libc_free(block);
    return NULL;
}

/* Calls the case on top of the stack, which stays there. Returns whether it had all it needs. */
static bool try(lua_State *L, const char *name, long most, bool leaks)
{
    long before = held;
    lua_pushvalue(L, -1);
    left = most;
    int status = lua_pcall(L, 0, 2, 0);
    left = -1;
    bool is_done = status == LUA_OK && lua_toboolean(L, -2);
    const char *why = luaL_tolstring(L, -1, NULL);
    if (!is_done && !strstr(why, "ot enough memory") && !strstr(why, "Cannot allocate memory") &&
        !strstr(why, "memory is short"))
        fail_msg("%s, allocation %ld: '%s'", name, most + 1, why);
    lua_settop(L, -(status == LUA_OK ? 4 : 3));
    lua_gc(L, LUA_GCCOLLECT);
    lua_gc(L, LUA_GCCOLLECT);
    if (held != before && !leaks)
        fail_msg("%s, allocation %ld: %ld blocks are held", name, most + 1, held - before);
    return is_done;
}

static void memory_is_refused(void **state)
{
    lua_State *L = lua_newstate(allocate, NULL);
    (void)state;
    assert_non_null(L);
    luaL_openlibs(L);
    preload_modules(L);
    if (luaL_dofile(L, "tests/support/hungry.lua") != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    for (lua_Integer i = 1; lua_geti(L, 1, i) == LUA_TTABLE; i++) {
        lua_getfield(L, 2, "name");
        lua_getfield(L, 2, "leaks");
        lua_getfield(L, 2, "act");
        const char *name = lua_tostring(L, 3);
        bool leaks = lua_toboolean(L, 4);
        long most = 0;
        if (!try(L, name, -1, true)) /* what is made once is there from then on */
            fail_msg("%s: %s", name, "it fails with all memory");
        while (!try(L, name, most, leaks))
            most++;
        printf("%s: %ld\n", name, most);
        assert_true(most > 0);
        lua_settop(L, 1);
    }
    lua_close(L);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
