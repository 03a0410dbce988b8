/* The binding without memory: calls of Lua into C run again and again, and the allocation of C that
 * fails is each in turn, with all behind it. Such a call raises an error or returns a message that
 * tells it, or it returns what it should; and nothing is held after it. Lua itself has memory. The
 * C library's malloc is replaced. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <jansson.h>
#include <lauxlib.h>
#include <lualib.h>

#include "core/embedded.h"
#include "support/short_memory.h"
#include "support/store_folder.h"

#if SHORT_MEMORY

/* Whether jansson's allocations count. */
static int json_is_refused;

static void *allocate_for_json(size_t size)
{
    return json_is_refused ? malloc(size) : __libc_malloc(size);
}

static void free_for_json(void *block)
{
    if (json_is_refused)
        free(block);
    else
        __libc_free(block);
}

static void *allocate_for_lua(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size > 0)
        return __libc_realloc(block, new_size);
    __libc_free(block);
    return NULL;
}

/* ---- commands -------------------------------------------------------------------------------- */

enum { STREAMS = 2 };
static int streams[STREAMS], kept[STREAMS]; /* files for output and messages; what was there */

static void open_streams(void)
{
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = fileno(tmpfile());
        kept[i] = dup(1 + i);
    }
}

/* Pushes what a stream has got. */
static void push_stream(lua_State *L, int i)
{
    off_t size = lseek(streams[i], 0, SEEK_END);
    char *text = lua_newuserdatauv(L, (size_t)size + 1, 0);
    lua_pushlstring(L, text, pread(streams[i], text, (size_t)size, 0) == size ? (size_t)size : 0);
    if (ftruncate(streams[i], 0) == 0)
        lseek(streams[i], 0, SEEK_SET);
    lua_remove(L, -2);
}

/* run(main, arguments): the exit code, the output and the messages. */
static int run_command(lua_State *L)
{
    lua_settop(L, 2);
    fflush(NULL);
    for (int i = 0; i < STREAMS; i++)
        dup2(streams[i], 1 + i);
    int status = lua_pcall(L, 1, 1, 0);
    fflush(NULL);
    for (int i = 0; i < STREAMS; i++)
        dup2(kept[i], 1 + i);
    if (status != LUA_OK)
        return lua_error(L);
    push_stream(L, 0);
    push_stream(L, 1);
    return 3;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static char folder[FOLDER_PATH_SIZE];

static lua_State *open_lua(void)
{
    lua_State *L = lua_newstate(allocate_for_lua, NULL);
    luaL_openlibs(L);
    preload_modules(L);
    if (luaL_loadfile(L, "tests/support/core_memory.lua") != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    lua_pushstring(L, folder);
    lua_pushcfunction(L, run_command);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    return L;
}

/* No file is left beside one that it was to replace. */
static void check_files(void)
{
    DIR *names = opendir(folder);
    assert_non_null(names);
    for (const struct dirent *name; (name = readdir(names));)
        if (strstr(name->d_name, ".tmp"))
            fail_msg("%s is left over", name->d_name);
    closedir(names);
}

static void collect(lua_State *L)
{
    for (int i = 0; i < 3; i++)
        lua_gc(L, LUA_GCCOLLECT);
}

/* Calls the function at index 2, and leaves all that it returns as a text, or its message. */
static int call(lua_State *L)
{
    int good, results;
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    good = lua_pcall(L, 0, LUA_MULTRET, 0) == LUA_OK;
    left = -1;
    results = lua_gettop(L) - 2;
    good = good && results > 0 && lua_toboolean(L, 3);
    if (good)
        for (int i = 1; i <= results; i++)
            luaL_tolstring(L, 2 + i, NULL);
    else
        luaL_tolstring(L, -1, NULL);
    if (good)
        lua_concat(L, results);
    lua_replace(L, 3);
    lua_settop(L, 3);
    return good;
}

static void every_allocation_may_fail(void **state)
{
    json_set_alloc_funcs(allocate_for_json, free_for_json);
    open_streams();
    lua_State *L = open_lua();
    (void)state;
    for (lua_pushnil(L); lua_next(L, 1);) {
        const char *name = lua_tostring(L, -2);
        lua_State *thread = lua_newthread(L);
        char *expected;
        long most, before, refused = 0;
        json_is_refused = strstr(name, "JSON") != NULL;
        lua_settop(thread, 0);
        lua_pushnil(thread);
        lua_pushvalue(L, -2);
        lua_xmove(L, thread, 1);
        for (int again = 0; again < 2; again++) /* what is made once is there from now on */
            if (!call(thread))
                fail_msg("%s: %s", name, lua_tostring(thread, 3));
        expected = __libc_malloc(lua_rawlen(thread, 3) + 1);
        strcpy(expected, lua_tostring(thread, 3));
        collect(L);
        before = held;
        asked = 0;
        assert_true(call(thread));
        most = asked;
        collect(L);
        if (held != before)
            fail_msg("%s holds %ld blocks", name, held - before);
        for (long n = 0; n < most; n += json_is_refused ? 3 : 1) {
            left = n;
            int good = call(thread);
            const char *text = lua_tostring(thread, 3);
            if (good ? strcmp(text, expected) != 0 : !strstr(text, "emory"))
                fail_msg("%s without allocation %ld: %s", name, n, text);
            refused += !good;
            collect(L);
            if (json_is_refused)
                before = held; /* what jansson has read until a refusal is not given back */
            if (held != before)
                fail_msg("%s without allocation %ld of %ld holds %ld blocks", name, n, most,
                         held - before);
        }
        check_files();
        print_message("%s: %ld allocations, %ld refused\n", name, most, refused);
        assert_true(refused > 0);
        __libc_free(expected);
        lua_pop(L, 2); /* the thread and the function */
    }
    lua_close(L);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    folder_make(folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}
#endif
