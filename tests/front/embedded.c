/* The library inside the program: what Lua's compiler made of each file is what it makes of its
 * text, so that either may be loaded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "core/embedded.h"

/* Compares a piece of the dump with the code that is left of the file. */
static int compare(lua_State *L, const void *piece, size_t size, void *user)
{
    embedded_file *left = user;
    (void)L;
    assert_true(size <= left->code_size);
    assert_memory_equal(piece, left->code, size);
    left->code += size;
    left->code_size -= size;
    return 0;
}

static void code_is_made_of_the_text(void **state)
{
    lua_State *L = luaL_newstate();
    (void)state;
    assert_non_null(L);
    if (strcmp(embedded_lua, lua_ident) != 0)
        skip(); /* another release of Lua, whose program loads the texts */
    for (const embedded_file *file = embedded_files; file->name; file++) {
        embedded_file left = *file;
        assert_int_equal(
            luaL_loadbufferx(L, (const char *)file->bytes, file->size, file->chunk, "t"), LUA_OK);
        assert_int_equal(lua_dump(L, compare, &left, 0), 0);
        assert_int_equal(left.code_size, 0);
        lua_settop(L, 0);
    }
    lua_close(L);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_is_made_of_the_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
