/* The files of a text: how each is compiled, and require, which runs the files that a text carries
 * while it loads. */
#include <string.h>

#include "define.h"
#include "internal.h"

/* ---- compiling ------------------------------------------------------------------------------- */

static const char *read_source(lua_State *L, void *user, size_t *size)
{
    sandbox_file *file = user;
    (void)L;
    *size = file->size;
    file->size = 0;
    return *size > 0 ? file->text : NULL;
}

/* Skips a byte order mark, and a first line that begins with '#', all but its end, so that lines
 * keep their numbers. */
static void skip_preamble(sandbox_file *file)
{
    if (file->size >= 3 && memcmp(file->text, "\xEF\xBB\xBF", 3) == 0) {
        file->text += 3;
        file->size -= 3;
    }
    if (file->size > 0 && file->text[0] == '#') {
        while (file->size > 0 && file->text[0] != '\n') {
            file->text++;
            file->size--;
        }
    }
}

static void compile_text(lua_State *L, sandbox_file file)
{
    char name[sizeof "=" SANDBOX_MARK + SANDBOX_FILE_NAME_SIZE] = "=" SANDBOX_MARK;
    strcat(name, file.name);
    int status = lua_load(L, read_source, &file, name, "t");
    if (status == LUA_ERRMEM) {
        sandbox_say_memory(sandbox_of(L));
        sandbox_raise_again(L);
    } else if (status != LUA_OK) {
        lua_error(L);
    }
}

/* Compiles a text with the operator '#' as it is, so that messages are about what its author wrote,
 * and once more with another operator in its place. */
void sandbox_compile(lua_State *L, const sandbox_file *given)
{
    sandbox_file file = *given;
    sandbox_assignment found = {0};
    if (file.size > SANDBOX_SOURCE_MOST)
        luaL_error(L, "the file is larger than %d KiB", (int)(SANDBOX_SOURCE_MOST >> 10));
    skip_preamble(&file);
    if (file.size > 0 && file.text[0] == LUA_SIGNATURE[0])
        luaL_error(L, "compiled Lua is not taken (expected Lua source)");
    size_t size = sandbox_scan(L, &file, NULL);
    compile_text(L, file);
    if (size > file.size) {
        lua_pop(L, 1);
        char *rewritten = lua_newuserdatauv(L, size, 0);
        sandbox_scan(L, &file, rewritten);
        file.text = rewritten;
        file.size = size;
        compile_text(L, file);
        lua_remove(L, -2);
    }
    sandbox_find_assignment(L, -1, 1, &found);
    if (found.line > 0)
        sandbox_raise_at(L, found.file, found.line,
                         "assigns to '%s', a local of the file, from inside a function (%s)",
                         found.name, sandbox_of(L)->words->outlives);
}

/* ---- carried files --------------------------------------------------------------------------- */

size_t sandbox_own_size(const char *text, size_t size)
{
    const char *end = size > 0 ? memchr(text, SANDBOX_FILE, size) : NULL;
    return end ? (size_t)(end - text) : size;
}

/* Finds the file of this name among those that the text carries. */
static bool find_file(const sandbox *box, const char *name, sandbox_file *file)
{
    const char *at = box->carried, *end = at + box->carried_size;
    size_t length = strlen(name);
    while (at < end) {
        const char *text = ++at; /* behind SANDBOX_FILE */
        size_t size = sandbox_own_size(text, (size_t)(end - text));
        at += size;
        if (size > length && memcmp(text, name, length) == 0 && text[length] == '\n') {
            file->text = text + length + 1;
            file->size = size - length - 1;
            strcpy(file->name, name);
            return true;
        }
    }
    return false;
}

/* Returns the name of a file in the argument, without "./". */
static const char *check_name(lua_State *L)
{
    const char *given = luaL_checkstring(L, 1), *name = given + 2;
    size_t size = strlen(given);
    if (strncmp(given, "./", 2) != 0 || size < 3 || size - 2 >= SANDBOX_FILE_NAME_SIZE ||
        strspn(name, DEFINE_LETTERS "-") != size - 2)
        luaL_error(L,
                   "require: '%s' is not available in %s (expected a file in its folder, as "
                   "\"./shared\", of letters, digits, _ and -)",
                   given, sandbox_of(L)->words->kind);
    return name;
}

/* Returns what the file returned; it runs once. */
static int base_require(lua_State *L)
{
    static const char values; /* the key of the table: false while a file runs */
    sandbox *box = sandbox_of(L);
    const char *name = check_name(L);
    sandbox_file file;
    lua_settop(L, 1);
    if (!box->carried)
        luaL_error(L,
                   "require: only while the file is loaded (expected local %s = require "
                   "\"./%s\" at the top of the file)",
                   name, name);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &values) == LUA_TNIL) {
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &values);
        lua_remove(L, -2);
    }
    int type = lua_getfield(L, -1, name);
    if (type == LUA_TBOOLEAN)
        luaL_error(L, "require: './%s' requires itself", name);
    if (type != LUA_TNIL)
        return 1;
    if (!find_file(box, name, &file))
        luaL_error(L, "require: there is no file %s.lua in its folder", name);
    lua_pushboolean(L, 0);
    lua_setfield(L, -3, name);
    sandbox_compile(L, &file);
    lua_call(L, 0, 1);
    if (!lua_istable(L, -1) && !lua_isfunction(L, -1))
        luaL_error(L, "require: './%s' returned %s (expected a table or a function)", name,
                   lua_isnil(L, -1) ? "nothing" : luaL_typename(L, -1));
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, name);
    return 1;
}

void sandbox_open_require(lua_State *L)
{
    lua_pushcfunction(L, base_require);
    lua_setfield(L, -2, "require");
}
