/* The sandbox from its host's side: limits, messages, the balance of the stack, failing allocators;
 * the escape corpus, one trick a file; and the same output from eight processes. `test_sandbox
 * digest` prints what one of these processes finds. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <lauxlib.h>
#include <lualib.h>

#include "pn_base.h"
#include "sandbox/bytecode.h"
#include "sandbox/host.h"

#define ESCAPES       "tests/escape"
#define ESCAPE_BUDGET 2000000
/* these files get less of the budget, as a unit of it takes them long */
#define COSTLY_TRICKS ESCAPES "/costly_"
#define COSTLY_BUDGET 200000
/* these files get less of it, as the budget does not last for 64 MiB */
#define MEMORY_TRICKS ESCAPES "/memory_"

static const char *program;

/* ---- helpers --------------------------------------------------------------------------------- */

static sandbox *new_box(uint64_t budget, size_t memory)
{
    sandbox_limits limits = {.budget = budget, .memory = memory};
    sandbox *box = sandbox_new(&limits);
    assert_non_null(box);
    return box;
}

static sandbox *loaded_box(const char *text, uint64_t budget)
{
    sandbox *box = new_box(budget, 0);
    if (sandbox_load(box, "mine.lua", text, strlen(text)) != 0 || sandbox_freeze(box) != 0)
        fail_msg("%s", box->message);
    return box;
}

/* Pushes field `name` of the policy's table. */
static void push_field(sandbox *box, const char *name)
{
    lua_getfield(box->L, SANDBOX_TABLE, name);
}

static void check_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' does not contain '%s'", text, part);
}

/* A file that does not load, in one box. */
static void check_refused(const char *text, size_t size, int syntax, const char *message)
{
    sandbox *box = new_box(100000, 0);
    assert_int_equal(sandbox_load(box, "mine.lua", text, size), -1);
    assert_string_equal(box->message, message);
    assert_int_equal(box->syntax, syntax);
    sandbox_free(box);
}

/* ---- loading --------------------------------------------------------------------------------- */

static void a_table_comes_back_at_its_place(void **state)
{
    sandbox *box = loaded_box("return { answer = 42 }", 0);
    (void)state;
    assert_int_equal(lua_gettop(box->L), SANDBOX_TABLE);
    push_field(box, "answer");
    assert_int_equal(lua_tointeger(box->L, -1), 42);
    sandbox_free(box);
}

static void refusals_tell_syntax_from_failure(void **state)
{
    (void)state;
    check_refused("return {", 8, 1, "mine.lua:1: unexpected symbol near <eof>");
    check_refused("return 2^2", 10, 1,
                  "mine.lua:1: '^' is not available in a policy (use math.pow)");
    check_refused("return 5", 8, 1, "mine.lua: returned number (expected a table)");
    check_refused("error('no')", 11, 0, "mine.lua:1: no");
    check_refused("\n\nlocal x = y", 13, 0, "mine.lua:3: 'y' is not available in a policy");
    check_refused("while true do end", 17, 0,
                  "mine.lua:1: used up its budget of 100000 instructions in one call");
}

/* What ends lines, comments and strings does not hide the operator behind it. */
static void operators_are_found_at_their_lines(void **state)
{
    static const struct {
        const char *before;
        int line;
    } cases[] = {{"\r\n", 2},
                 {"\n\r", 2},
                 {"\n\n", 3},
                 {"\r\r", 3},
                 {"\r\n\r\n", 3},
                 {"-- x\r", 2},
                 {"--[x\n", 2},
                 {"--[=x\n", 2},
                 {"--[==[ ]] ]=] ] ]== \n ]==]", 2},
                 {"local s = '\\z \r\n\t x'\n", 3},
                 {"local s = '\\\n'\n", 3},
                 {"local s = [[\r\n]]", 2}};
    char text[100], message[100];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int size = snprintf(text, sizeof text, "%sreturn 2 ^ 2", cases[i].before);
        snprintf(message, sizeof message,
                 "mine.lua:%d: '^' is not available in a policy "
                 "(use math.pow)",
                 cases[i].line);
        check_refused(text, (size_t)size, 1, message);
    }
}

/* Texts that end inside of something: the message is Lua's, or there is none. */
static void texts_may_end_anywhere(void **state)
{
    static const char *const fine[] = {"--", "--[", "--[=", "-- x\r", "\n", "\r"};
    static const char *const unfinished[][2] = {
        {"--[[", "mine.lua:1: unfinished long comment (starting at line 1) near <eof>"},
        {"--[=[ ]", "mine.lua:1: unfinished long comment (starting at line 1) near <eof>"},
        {"--[=[ ]=", "mine.lua:1: unfinished long comment (starting at line 1) near <eof>"},
        {"x = [", "mine.lua:1: unexpected symbol near '['"},
        {"x = [=", "mine.lua:1: invalid long string delimiter near '[='"},
        {"x = 'a\r^'", "mine.lua:1: unfinished string near ''a'"},
        {"x = 'a\\", "mine.lua:1: unfinished string near <eof>"},
        {"x = '\\z ", "mine.lua:1: unfinished string near <eof>"},
        {"x = '\\z \\", "mine.lua:1: unfinished string near <eof>"}};
    char text[100];
    (void)state;
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        int size = snprintf(text, sizeof text, "return {} %s", fine[i]);
        sandbox *box = new_box(0, 0);
        assert_int_equal(sandbox_load(box, "mine.lua", text, (size_t)size), 0);
        sandbox_free(box);
    }
    for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
        check_refused(unfinished[i][0], strlen(unfinished[i][0]), 1, unfinished[i][1]);
    check_refused("x = '\\z\0' ^ 2", 13, 1,
                  "mine.lua:1: '^' is not available in a policy (use math.pow)");
}

/* Closures that were made while the file loads: of all assignments the first line counts, there the
 * first name. */
static void the_first_assignment_is_named(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"local function make()\nlocal n = 0\nreturn function() n = 1 end,\nfunction() n = 2 end "
         "end\nlocal a, b = make() return { b, a }",
         "mine.lua:3: assigns to 'n', which outlives the call (declare it in state = { ... }, "
         "which checkpoints carry)"},
        {"local function make()\nlocal n, m = 0, 0\nreturn { function() n = 1 end, function() m = "
         "1 end } end\nreturn make()",
         "mine.lua:3: assigns to 'm', which outlives the call (declare it in state = { ... }, "
         "which checkpoints carry)"},
        {"local function make()\nlocal n = 0\nreturn function() n = 1 end,\nfunction() n = 2 end "
         "end\nlocal a, b = make() return { a, b }",
         "mine.lua:3: assigns to 'n', which outlives the call (declare it in state = { ... }, "
         "which "
         "checkpoints carry)"},
        {"local function make()\nlocal n, m = 0, 0\nreturn { function() m = 1 end, function() n = "
         "1 end } end\nreturn make()",
         "mine.lua:3: assigns to 'm', which outlives the call (declare it in state = { ... }, "
         "which "
         "checkpoints carry)"},
        {"local function make()\nlocal n = 0\nreturn function()\nn = 1\nn = 2 end end\nreturn { "
         "make() }",
         "mine.lua:4: assigns to 'n', which outlives the call (declare it in state = { ... }, "
         "which "
         "checkpoints carry)"},
        {"local function make()\nlocal n = 0\nreturn function()\nn = n + 1\nreturn function() n "
         "= 2 end end end\nreturn { make() }",
         "mine.lua:4: assigns to 'n', which outlives the call (declare it in state = { ... }, "
         "which checkpoints carry)"},
        {"local function make()\nlocal "
         "a_name_that_is_longer_than_all_that_fits_into_a_message_here "
         "= 0\nreturn function() "
         "a_name_that_is_longer_than_all_that_fits_into_a_message_here = 1 end end\nreturn { "
         "make() "
         "}",
         "mine.lua:3: assigns to 'a_name_that_is_longer_than_all_that_fits_into_a_message_here', "
         "which outlives the call (declare it in state = { ... }, which checkpoints carry)"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sandbox *box = new_box(0, 0);
        assert_int_equal(sandbox_load(box, "mine.lua", cases[i].text, strlen(cases[i].text)), 0);
        assert_int_equal(sandbox_freeze(box), -1);
        assert_string_equal(box->message, cases[i].message);
        sandbox_free(box);
    }
}

/* A line far behind the one before it has its number in another list of the bytecode. */
static void lines_may_lie_far_apart(void **state)
{
    char text[1000] = "local n = 0\nreturn { run = function()\nlocal x = 1", message[100];
    size_t size = strlen(text);
    sandbox *box = new_box(0, 0);
    (void)state;
    memset(text + size, '\n', 300);
    strcpy(text + size + 300, "n = x end }");
    assert_int_equal(sandbox_load(box, "mine.lua", text, strlen(text)), -1);
    snprintf(message, sizeof message, "mine.lua:303: assigns to 'n', a local of the file");
    check_text(box->message, message);
    sandbox_free(box);
}

/* Takes the header of a function's bytecode, of which one byte is another, and the constants. */
static int take_changed(lua_State *L)
{
    size_t size;
    const char *bytes = lua_tolstring(L, 1, &size);
    bytecode_reader reader = {L, (const unsigned char *)bytes, (const unsigned char *)bytes + size};
    bytecode_take_header(&reader);
    for (bytecode of = bytecode_take_function(&reader); of.constant_count > 0; of.constant_count--)
        bytecode_take_constant(&of.constants);
    return 0;
}

static int append(lua_State *L, const void *bytes, size_t size, void *buffer)
{
    (void)L;
    luaL_addlstring(buffer, bytes, size);
    return 0;
}

/* Each byte of the header but the last, and the kind of a constant: read as another release of Lua
 * might write them. */
static void other_bytecode_is_refused(void **state)
{
    static const char expected[] =
        "this Lua writes bytecode in a format that is not known here (expected Lua 5.4)";
    enum { HEADER = 15 + 8 + 8 };
    lua_State *L = luaL_newstate();
    luaL_Buffer buffer;
    size_t size, refused = 0;
    (void)state;
    assert_int_equal(luaL_loadstring(L, "return 'a text', 12345678, 0.375"), LUA_OK);
    luaL_buffinit(L, &buffer);
    lua_pushvalue(L, 1);
    assert_int_equal(lua_dump(L, append, &buffer, 1), 0);
    lua_pop(L, 1);
    luaL_pushresult(&buffer);
    const char *bytes = lua_tolstring(L, -1, &size);
    const char *constant = (const char *)memchr(bytes + HEADER, 'a', size - HEADER) - 2;
    assert_memory_equal(constant + 2, "a text", 6);
    for (size_t at = 0; at <= HEADER; at++) {
        size_t place = at < HEADER ? at : (size_t)(constant - bytes);
        lua_pushcfunction(L, take_changed);
        lua_pushlstring(L, bytes, place);
        lua_pushlstring(L, "\x7e", 1);
        lua_pushlstring(L, bytes + place + 1, size - place - 1);
        lua_concat(L, 3);
        assert_int_equal(lua_pcall(L, 1, 0, 0), LUA_ERRRUN);
        assert_string_equal(lua_tostring(L, -1), expected);
        lua_pop(L, 1);
        refused++;
    }
    assert_int_equal(refused, HEADER + 1);
    lua_pushcfunction(L, take_changed);
    lua_pushlstring(L, bytes, size);
    assert_int_equal(lua_pcall(L, 1, 0, 0), LUA_OK);
    lua_close(L);
}

static void compiled_chunks_are_refused(void **state)
{
    (void)state;
    check_refused("\x1bLua\x54\x00", 6, 1,
                  "mine.lua: compiled Lua is not taken (expected Lua source)");
    check_refused("\xEF\xBB\xBF\x1bLua", 7, 1,
                  "mine.lua: compiled Lua is not taken (expected Lua source)");
    check_refused("#!x\n\x1bLua", 8, 1, "mine.lua:2: unexpected symbol near '<\\27>'");
}

static void first_line_may_be_a_shebang(void **state)
{
    sandbox *box = loaded_box("#!/usr/bin/env lua\nreturn {}", 0);
    (void)state;
    sandbox_free(box);
    sandbox_free(loaded_box("\xEF\xBB\xBF# and a byte order mark\nreturn {}", 0));
    check_refused("#!x\nlocal", 9, 1, "mine.lua:2: <name> expected near <eof>");
    check_refused("#!x", 3, 1, "mine.lua: returned nothing (expected a table)");
    check_refused("", 0, 1, "mine.lua: returned nothing (expected a table)");
}

static void long_files_and_lines(void **state)
{
    size_t size = 300000;
    char *text = malloc(size);
    sandbox *box = new_box(0, 0);
    (void)state;
    memset(text, ' ', size);
    memcpy(text + size - 9, "return {}", 9);
    check_refused(text, size, 1, "mine.lua: the file is larger than 256 KiB");
    assert_int_equal(sandbox_load(box, "mine.lua", text + size - 262144, 262144), 0);
    sandbox_free(box);
    memset(text, '(', 200000);
    check_refused(text, 200000, 1, "mine.lua: C stack overflow");
    memset(text, '\0', 10);
    check_refused(text, 10, 1, "mine.lua:1: unexpected symbol");
    free(text);
}

static void messages_keep_long_names(void **state)
{
    static const char name[] =
        "a/very/long/path/that/lua/itself/would/cut/in/the/middle/of/every/message/mine.lua";
    sandbox *box = new_box(0, 0);
    (void)state;
    assert_int_equal(sandbox_load(box, name, "\nlocal x = nil + 1", 18), -1);
    check_text(box->message, "cut/in/the/middle/of/every/message/mine.lua:2: attempt to perform "
                             "arithmetic on a nil value");
    assert_memory_equal(box->message, name, strlen(name));
    sandbox_free(box);
}

static void texts_carry_files(void **state)
{
    static const char text[] = "local a, again = require './a', require './a'\n"
                               "return { answer = a.n + require './ab', same = a == again }\n"
                               "\x1c" /* an empty name */
                               "\x1c"
                               "ab\nreturn function() end\n"
                               "\x1c"
                               "a\n#!x\nlocal f = require './ab'\n"
                               "return setmetatable({ n = { #'1234' } }, { __index = {} })";
    static const char wrong[] = "return require './a'\x1c"
                                "a\n\nreturn { 2 ^ 2 }";
    (void)state;
    check_refused(text, sizeof text - 1, 0,
                  "mine.lua:2: attempt to perform arithmetic on a table value (field 'n')");
    check_refused(wrong, sizeof wrong - 1, 0,
                  "a.lua:2: '^' is not available in a policy (use math.pow)");
    check_refused(wrong, sizeof wrong - 17, 0,
                  "mine.lua:1: require: './a' returned nothing (expected a table or a function)");
    check_refused(wrong, sizeof wrong - 20, 0,
                  "mine.lua:1: require: there is no file a.lua in its folder");
    sandbox *box = loaded_box("local a = require './a'\n"
                              "return { answer = #a, same = a == require './a' }\x1c"
                              "a\nreturn { 4, 5 }",
                              0);
    push_field(box, "answer");
    assert_int_equal(lua_tointeger(box->L, -1), 2);
    push_field(box, "same");
    assert_true(lua_toboolean(box->L, -1));
    sandbox_free(box);
    box = new_box(0, 0);
    assert_int_equal(sandbox_load(box, "p/q/mine.lua", wrong, sizeof wrong - 1), -1);
    check_text(box->message, "p/q/a.lua:2: '^'");
    sandbox_free(box);
}

/* Every closure is looked through when it is frozen: many copies of a long function would take
 * minutes. */
static void freezing_is_bounded(void **state)
{
    static char text[60000];
    size_t size = (size_t)snprintf(text, sizeof text,
                                   "local t = {}\nfor i = 1, 20000 do t[i] = function(x) x = i\n");
    sandbox *box = new_box(0, 0);
    (void)state;
    for (int i = 0; i < 3000; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "x = x + %d\n", i);
    size += (size_t)snprintf(text + size, sizeof text - size, "return x end end\nreturn t");
    assert_int_equal(sandbox_load(box, "mine.lua", text, size), 0);
    assert_int_equal(sandbox_freeze(box), -1);
    assert_string_equal(box->message, "mine.lua: makes too many functions while it loads");
    sandbox_free(box);
}

/* ---- misuse of the library ----------------------------------------------------------------------
 */

/* Calls that are made inside of a function, and their message, or what they return. */
static void library_calls_end_as_they_should(void **state)
{
    static const struct {
        const char *call, *message, *result;
    } cases[] = {
        {"string.format('%u|%-5u|%05u', 7, 8, 9)", NULL, "7|8    |00009"},
        {"string.format('%u', -1)", NULL, "18446744073709551615"},
        {"string.format('%')",
         "string.format: '% ' is not available in a policy (expected one of d i u c x X o e E f F "
         "g "
         "G s q)",
         NULL},
        {"string.format('%-05')",
         "string.format: '% ' is not available in a policy (expected one of d i u c x X o e E f F "
         "g "
         "G s q)",
         NULL},
        {"string.format('%/', 1)",
         "string.format: '%/' is not available in a policy (expected one of d i u c x X o e E f F "
         "g "
         "G s q)",
         NULL},
        {"string.format('%--d', 1)", "string.format: flag '-' is repeated", NULL},
        {"string.format('%100d', 1)", "string.format: width or precision is longer than two digits",
         NULL},
        {"string.format('%.100d', 1)",
         "string.format: width or precision is longer than two digits", NULL},
        {"string.format('%.5c', 65)",
         "string.format: '%c' has a flag or precision that it cannot have", NULL},
        {"string.format('%+u', 7)",
         "string.format: '%u' has a flag or precision that it cannot have", NULL},
        {"string.format('%0s', 7)",
         "string.format: '%s' has a flag or precision that it cannot have", NULL},
        {"string.format('%-q', 'a')", "string.format: '%q' takes no flags, width or precision",
         NULL},
        {"string.format('%5q', 'a')", "string.format: '%q' takes no flags, width or precision",
         NULL},
        {"string.format('%.5q', 'a')", "string.format: '%q' takes no flags, width or precision",
         NULL},
        {"string.format('%d %d', 1)", "bad argument #3 to 'format' (no value)", NULL},
        {"string.char(256)", "bad argument #1 to 'char' (value out of range)", NULL},
        {"string.char(65, -1)", "bad argument #2 to 'char' (value out of range)", NULL},
        {"('xyz'):rep(333334)", "makes a string of more than 1000000 bytes", NULL},
        {"('xyz'):rep(1 << 20)", "makes a string of more than 1000000 bytes", NULL},
        {"select('x', 1)", "bad argument #1 to 'select' (number expected, got string)", NULL},
        {"select({}, 1)", "bad argument #1 to 'select' (number expected, got table)", NULL},
        {"table.insert({})", "wrong number of arguments to 'insert'", NULL},
        {"table.insert({}, 1, 2, 3)", "wrong number of arguments to 'insert'", NULL},
        {"table.concat({ 1, {}, 3 })",
         "table.concat: element 2 is a table (expected a string or number)", NULL},
        {"table.sort({ 'a', 1 })", "attempt to compare number with string", NULL},
        {"table.sort({ 1, 'a' })", "attempt to compare string with number", NULL},
        {"require './'",
         "require: './' is not available in a policy (expected a file in its folder, as "
         "\"./shared\", of letters, digits, _ and -)",
         NULL},
        {"require './a_name_of_forty_eight_characters_is_too_long____'",
         "require: './a_name_of_forty_eight_characters_is_too_long____' is not available in a "
         "policy "
         "(expected a file in its folder, as \"./shared\", of letters, digits, _ and -)",
         NULL},
        {"require 'shared'",
         "require: 'shared' is not available in a policy (expected a file in its folder, as "
         "\"./shared\", of letters, digits, _ and -)",
         NULL},
        {"error('a\\127b')", "a?b", NULL},
        {"error('\\1no colon', 0)", "?no colon", NULL},
        {"error('\\1f:5 x', 0)", "?f:5 x", NULL},
        {"error('\\1f:x: y', 0)", "?f:x: y", NULL},
        {"error('\\1a_name_of_forty_eight_characters_is_too_long____:5: x', 0)",
         "?a_name_of_forty_eight_characters_is_too_long____:5: x", NULL}};
    char text[400], message[400];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "return { run = function() return %s end }", cases[i].call);
        sandbox *box = loaded_box(text, 0);
        push_field(box, "run");
        assert_int_equal(sandbox_call(box, 0, 1), cases[i].message ? -1 : 0);
        if (cases[i].message) {
            snprintf(message, sizeof message, "mine.lua:1: %s", cases[i].message);
            assert_string_equal(box->message, message);
        } else {
            assert_string_equal(lua_tostring(box->L, -1), cases[i].result);
        }
        sandbox_free(box);
    }
}

static void places_are_cut(void **state)
{
    sandbox *box = loaded_box("return {}", 0);
    char text[12];
    (void)state;
    assert_int_equal(sandbox_write_place(box, "", 12, text, 8), 7);
    assert_string_equal(text, "mine.lu");
    assert_int_equal(sandbox_write_place(box, "", 0, text, sizeof text), 10);
    assert_string_equal(text, "mine.lua: ");
    assert_int_equal(sandbox_write_place(box, "ab", 12, text, sizeof text), 11);
    assert_string_equal(text, "ab.lua:12: ");
    assert_null(sandbox_math("random"));
    assert_non_null(sandbox_math("pow"));
    sandbox_free(box);
}

/* ---- calling --------------------------------------------------------------------------------- */

static void calls_leave_what_was_asked_for(void **state)
{
    sandbox *box = loaded_box(
        "return { give = function(...) return ... end, raise = function() error('no') end }",
        100000);
    lua_State *L = box->L;
    (void)state;
    for (int arguments = 0; arguments <= 5; arguments++) {
        for (int results = 0; results <= 5; results++) {
            push_field(box, "give");
            for (int i = 1; i <= arguments; i++)
                lua_pushinteger(L, i);
            assert_int_equal(sandbox_call(box, arguments, results), 0);
            assert_int_equal(lua_gettop(L), SANDBOX_TABLE + results);
            for (int i = 1; i <= results; i++)
                assert_int_equal(lua_tointeger(L, SANDBOX_TABLE + i), i <= arguments ? i : 0);
            lua_settop(L, SANDBOX_TABLE);
            push_field(box, "raise");
            for (int i = 1; i <= arguments; i++)
                lua_pushinteger(L, i);
            assert_int_equal(sandbox_call(box, arguments, results), -1);
            assert_int_equal(lua_gettop(L), SANDBOX_TABLE);
            assert_string_equal(box->message, "mine.lua:1: no");
        }
    }
    lua_pushnil(L);
    assert_int_equal(sandbox_call(box, 0, 1), -1);
    assert_string_equal(box->message, "mine.lua: attempt to call a nil value");
    sandbox_free(box);
}

static void each_call_has_the_whole_budget(void **state)
{
    sandbox *box = loaded_box("return { turns = function(n) for i = 1, n do end return n end }",
                              100000);
    (void)state;
    for (int i = 0; i < 50; i++) {
        push_field(box, "turns");
        lua_pushinteger(box->L, 90000);
        assert_int_equal(sandbox_call(box, 1, 0), 0);
        push_field(box, "turns");
        lua_pushinteger(box->L, 110000);
        assert_int_equal(sandbox_call(box, 1, 0), -1);
        assert_string_equal(box->message,
                            "mine.lua:1: used up its budget of 100000 instructions in one call");
    }
    sandbox_free(box);
}

/* The units that a call takes, by a budget that just suffices, found by halving. */
static uint64_t units_of(const char *text)
{
    uint64_t low = 0, high = 1 << 24;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        sandbox *box = new_box(middle, 0);
        int fits = sandbox_load(box, "mine.lua", text, strlen(text)) == 0 &&
                   sandbox_freeze(box) == 0;
        push_field(box, "run");
        fits = fits && sandbox_call(box, 0, 0) == 0;
        sandbox_free(box);
        *(fits ? &high : &low) = middle;
    }
    return high;
}

static void check_units(const char *body, uint64_t least, uint64_t most)
{
    char text[512];
    uint64_t units;
    snprintf(text, sizeof text, "return { run = function() %s end }", body);
    units = units_of(text);
    if (units < least || units > most)
        fail_msg("%s: %llu units instead of %llu..%llu", body, (unsigned long long)units,
                 (unsigned long long)least, (unsigned long long)most);
}

static void work_is_charged_by_its_size(void **state)
{
    (void)state;
    check_units("for i = 1, 20000 do end", 18000, 22000);
    /* and 120 bytes each */
    check_units("for i = 1, 1000 do local t = { i, i, i, i } end", 4000, 12000);
    check_units("local s = ('x'):rep(100000, '') for i = 1, 50 do local t = s .. i end", 250000,
                350000);
    /* 15 rehashes, 32768 nodes */
    check_units("local t = {} for i = 1, 20000 do t[i + 0.5] = 1 end", 150000, 600000);
    check_units(
        "local t = {} for i = 1, 62 do t[1 << i] = 1 end for i = 1, 1000 do local n = #t end", 4000,
        8000);
}

/* What the host makes between calls is paid by none of them. */
static void what_the_host_makes_is_free(void **state)
{
    sandbox *box = loaded_box("return { run = function() for i = 1, 20000 do end end }", 100000);
    uint64_t left[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        push_field(box, "run");
        assert_int_equal(sandbox_call(box, 0, 0), 0);
        left[i] = box->left;
        assert_int_equal(sandbox_affords(box), 100000);
        lua_createtable(box->L, 0, 16384);
    }
    assert_int_equal(left[1], left[0]);
    sandbox_free(box);
}

static void without_a_budget_library_calls_are_bounded(void **state)
{
    sandbox *box = loaded_box("return { run = function() table.move({}, 1, 200000000, 2) end }", 0);
    (void)state;
    push_field(box, "run");
    assert_int_equal(sandbox_call(box, 0, 0), -1);
    assert_string_equal(box->message, "mine.lua:1: more than 10000000 elements in one call");
    sandbox_free(box);
}

static int make_far_too_much(lua_State *L)
{
    lua_newuserdatauv(L, (size_t)1 << 41, 0);
    return 0;
}

static void the_ceiling_is_named(void **state)
{
    static const struct {
        size_t memory;
        const char *message;
    } cases[] = {{0, "mine.lua: needs more than 64 MiB of memory"},
                 {(size_t)1 << 20, "mine.lua: needs more than 1 MiB of memory"},
                 {100 * 1024, "mine.lua: needs more than 100 KiB of memory"},
                 {100001, "mine.lua: needs more than 100001 bytes of memory"}};
    static const char text[] =
        "return { run = function() local t = {} while true do t = { t } end end }";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sandbox *box = new_box(0, cases[i].memory);
        assert_int_equal(sandbox_load(box, "mine.lua", text, strlen(text)), 0);
        for (int again = 0; again < 2; again++) {
            push_field(box, "run");
            assert_int_equal(sandbox_call(box, 0, 0), -1);
            assert_string_equal(box->message, cases[i].message);
            assert_true(box->used <= (cases[i].memory ? cases[i].memory : SANDBOX_MEMORY));
        }
        sandbox_free(box);
    }
    sandbox *box = new_box(0, (size_t)1 << 40);
    assert_int_equal(sandbox_load(box, "mine.lua", text, strlen(text)), 0);
    assert_int_equal(sandbox_protect(box, make_far_too_much, NULL), -1);
    assert_string_equal(box->message, "mine.lua: needs more than 1024 GiB of memory");
    sandbox_free(box);
    for (size_t memory = 1; memory < 10000; memory += 100) {
        sandbox_limits limits = {.memory = memory};
        assert_null(sandbox_new(&limits));
    }
    sandbox_free(NULL);
}

/* ---- protect, and calls in calls ------------------------------------------------------------- */

static int count_up(lua_State *L)
{
    int *count = lua_touserdata(L, 1);
    assert_int_equal(lua_gettop(L), 1);
    ++*count;
    return 1;
}

static int raise_something(lua_State *L)
{
    lua_newtable(L);
    return lua_error(L);
}

static int make_too_much(lua_State *L)
{
    lua_newuserdatauv(L, SANDBOX_MEMORY, 0);
    return 0;
}

static void protect_runs_c_code(void **state)
{
    sandbox *box = loaded_box("return {}", 1000);
    int count = 0;
    (void)state;
    assert_int_equal(sandbox_protect(box, count_up, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(sandbox_protect(box, raise_something, NULL), -1);
    assert_string_equal(box->message, "mine.lua: error value of type table");
    assert_int_equal(sandbox_protect(box, make_too_much, NULL), -1);
    assert_string_equal(box->message, "mine.lua: needs more than 64 MiB of memory");
    assert_int_equal(lua_gettop(box->L), SANDBOX_TABLE);
    sandbox_free(box);
}

/* What a policy in these tests can call: runs the function that it is given in a call of its
 * own. */
static int call_back(lua_State *L)
{
    sandbox *box = sandbox_of(L);
    int top = lua_gettop(L);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 7);
    if (sandbox_call(box, 1, 1) != 0) {
        assert_int_equal(lua_gettop(L), top);
        return sandbox_raise_again(L);
    }
    assert_int_equal(lua_gettop(L), top + 1);
    return 1;
}

static int charge_much(lua_State *L)
{
    sandbox_charge(L, (uint64_t)luaL_checkinteger(L, 1));
    return 0;
}

static int call_with(sandbox *box, const char *name, lua_CFunction argument)
{
    push_field(box, name);
    lua_pushcfunction(box->L, argument);
    return sandbox_call(box, 1, 1);
}

static int interrupt_box(lua_State *L)
{
    sandbox_interrupt(sandbox_of(L));
    return 0;
}

static void an_interruption_ends_one_call(void **state)
{
    static const char text[] = "return { spin = function(stop) stop() while true do end end,\n"
                               "  sort = function(stop) local t = { 2, 1 } stop() table.sort(t) "
                               "end, fine = function() return 1 end }";
    (void)state;
    for (uint64_t budget = 0; budget <= 100000; budget += 100000) {
        sandbox *box = loaded_box(text, budget);
        for (int again = 0; again < 3; again++) {
            assert_int_equal(call_with(box, "spin", interrupt_box), -1);
            assert_string_equal(box->message, "mine.lua:1: interrupted");
            assert_true(box->was_interrupted);
            assert_int_equal(call_with(box, "sort", interrupt_box), -1);
            assert_string_equal(box->message, "mine.lua:2: interrupted");
            assert_int_equal(call_with(box, "fine", interrupt_box), 0);
            assert_false(box->was_interrupted);
            lua_settop(box->L, SANDBOX_TABLE);
            sandbox_interrupt(box); /* between calls: the next one */
            assert_int_equal(call_with(box, "fine", interrupt_box), -1);
        }
        sandbox_free(box);
    }
}

static void calls_may_nest(void **state)
{
    sandbox *box = loaded_box(
        "return {\n"
        "  double = function(back) return back(function(x) return 2 * x end) end,\n"
        "  raise = function(back)\n"
        "    back(function() error('inner') end)\n"
        "  end,\n"
        "  spin = function(back) while true do back(function() end) end end,\n"
        "  deep = function(back) local function f() return back(f) end return f() end,\n"
        "}",
        100000);
    (void)state;
    assert_int_equal(call_with(box, "double", call_back), 0);
    assert_int_equal(lua_tointeger(box->L, -1), 14);
    lua_pop(box->L, 1);
    assert_int_equal(call_with(box, "raise", call_back), -1);
    assert_string_equal(box->message, "mine.lua:4: inner");
    assert_int_equal(call_with(box, "spin", call_back), -1); /* one budget for all of it */
    assert_string_equal(box->message,
                        "mine.lua:6: used up its budget of 100000 instructions in one call");
    assert_int_equal(call_with(box, "deep", call_back), -1);
    check_text(box->message, "C stack overflow");
    assert_int_equal(lua_gettop(box->L), SANDBOX_TABLE);
    sandbox_free(box);
}

static void c_functions_charge_the_budget(void **state)
{
    static const char text[] = "return { some = function(charge) charge(9000) end, much = "
                               "function(charge) charge(1 << 40) end,"
                               "often = function(charge) while true do charge(1000) end end }";
    sandbox *box = loaded_box(text, 10000);
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(call_with(box, "some", charge_much), 0);
        lua_settop(box->L, SANDBOX_TABLE);
        assert_int_equal(call_with(box, "much", charge_much), -1);
        assert_string_equal(box->message,
                            "mine.lua:1: used up its budget of 10000 instructions in one call");
        assert_int_equal(call_with(box, "often", charge_much), -1);
    }
    sandbox_free(box);
    box = loaded_box(text, 0);
    assert_int_equal(call_with(box, "much", charge_much), 0); /* no budget, no charge */
    sandbox_free(box);
}

static int protect_inside(lua_State *L)
{
    sandbox *box = sandbox_of(L);
    int count = 0;
    assert_int_equal(sandbox_protect(box, count_up, &count), 0);
    assert_int_equal(count, 1);
    lua_pushinteger(L, 1 << 20);
    lua_replace(L, 1);
    assert_int_equal(sandbox_protect(box, raise_something, NULL), -1);
    lua_settop(L, 0);
    return 0;
}

static void protect_works_inside_a_call(void **state)
{
    sandbox *box = loaded_box("return { run = function(f) f(1, 2, 3) end }", 10000);
    (void)state;
    assert_int_equal(call_with(box, "run", protect_inside), 0);
    assert_int_equal(lua_gettop(box->L), SANDBOX_TABLE + 1);
    sandbox_free(box);
}

/* Work in the place of a call: what begins inside of it shares its budget, and the outermost end is
 * the end. */
static void work_may_nest(void **state)
{
    sandbox *box = loaded_box("return { run = function() for i = 1, 3000 do end end }", 10000);
    (void)state;
    sandbox_outside outer = sandbox_enter(box), inner = sandbox_enter(box);
    push_field(box, "run");
    lua_pushcfunction(box->L, count_up); /* at index 1 of a C function lies an argument */
    lua_insert(box->L, 1);
    lua_remove(box->L, 1);
    assert_int_equal(sandbox_call(box, 0, 0), 0);
    sandbox_leave(box, &inner);
    assert_true(sandbox_affords(box) < 10000 - 2000);
    sandbox_leave(box, &outer);
    assert_int_equal(sandbox_affords(box), 10000);
    sandbox_free(box);
}

static int look_at_locale(lua_State *L)
{
    lua_pushboolean(L, uselocale((locale_t)0) == sandbox_of(L)->plain);
    return 1;
}

static void policies_run_in_the_plain_locale(void **state)
{
    sandbox *box = loaded_box(
        "return { run = function(f) return f() end, raise = function(f) error(f()) end }", 0);
    locale_t outside = uselocale((locale_t)0);
    (void)state;
    assert_int_equal(call_with(box, "run", look_at_locale), 0);
    assert_true(lua_toboolean(box->L, -1));
    lua_pop(box->L, 1);
    assert_true(uselocale((locale_t)0) == outside);
    assert_int_equal(call_with(box, "raise", look_at_locale), -1);
    assert_true(uselocale((locale_t)0) == outside);
    sandbox_free(box);
}

/* ---- print ----------------------------------------------------------------------------------- */

static void keep_line(void *user, const char *line)
{
    char *kept = user;
    assert_true(strlen(kept) + strlen(line) + 2 < 1000);
    strcat(strcat(kept, line), "\n");
}

static void print_goes_to_the_host(void **state)
{
    static const char text[] = "print('loading', 1, 1.5, nil, true)\nreturn {\n"
                               "  run = function() print() print('a\\nb\\27[1m\\127\\0', {}, 0/0) "
                               "end,\n}";
    char lines[1000] = "";
    sandbox_limits limits = {.print = keep_line, .user = lines};
    sandbox *box = sandbox_new(&limits);
    (void)state;
    assert_non_null(box);
    assert_int_equal(sandbox_load(box, "p/mine.lua", text, strlen(text)), 0);
    push_field(box, "run");
    assert_int_equal(sandbox_call(box, 0, 0), 0);
    assert_string_equal(lines, "p/mine.lua:1: loading\t1\t1.5\tnil\ttrue\np/mine.lua:3: "
                               "\np/mine.lua:3: a?b?[1m??\ttable\tnan\n");
    sandbox_free(box);
}

/* ---- the library against Lua's own ----------------------------------------------------------- */

/* Calls with arguments from a small generator, all of which work alike in both; the results as one
 * long text, in parts. */
static const char library_text[] =
    "local out = {}\n"
    "local function add(...)\n"
    "    local list = table.pack(...)\n"
    "    for i = 1, list.n do list[i] = tostring(list[i]) end\n"
    "    out[#out + 1] = table.concat(list, '|')\n"
    "end\n"
    "local function run(random)\n"
    "    local function any(list) return list[random(#list)] end\n"
    "    local strings = { '', 'a', 'abc', 'aXbXaXb', '  12 ', '0x1F', '-7', '1e2', '\\0z\\0', "
    "'\"q\\\\n', 'aabaaab', 'ZzAa@[`{' "
    "}\n"
    "    local integers = { 0, 1, -1, 2, 3, 7, -3, 255, math.maxinteger, math.mininteger, 1 << 40 "
    "}\n"
    "    local small = { 0, 1, 2, 3, 4, 5, 8, -1, -2, -3, -9 }\n"
    "    local floats = { 0.0, -0.0, 0.5, -2.5, 1e15, 1e16, 1e100, -1e-7, 3.0, 123456.789, 1/3, "
    "math.huge, -math.huge }\n"
    "    local specs = { '%d', '%5d', '%-6d|', '%+d', '%05i', '%.3d', '%x', '%#X', '%o', '% d', "
    "'%12.7d' }\n"
    "    local reals = { '%f', '%.2f', '%10.3f|', '%-12.1e|', '%g', '%G', '%+.4g', '%#.0f', "
    "'%.14g', '%E' }\n"
    "    for _ = 1, 3000 do\n"
    "        local s, w, i, j, n, x, y = any(strings), any(strings), any(small), any(small), "
    "any(integers), any(floats), "
    "any(floats)\n"
    "        add(s:sub(i, j), s:sub(n), s:len(), s:upper(), s:lower(), s:reverse(), s:rep(i, w), "
    "s:byte(i, j))\n"
    "        add(s:find(w, 1, true))\n"
    "        add(s:find(w, i, true))\n"
    "        add(tonumber(s), tonumber(s, 16), tonumber(s, 36), tonumber(s, 8), tonumber(w .. i), "
    "math.tointeger(x), "
    "math.type(n))\n"
    "        add(any(specs):format(n), any(specs):format(i), ('%5.2s|%-8s|%s|%%|%c'):format(n, i, "
    "w, 65 + i % 20))\n"
    "        if x - x == 0 then add(any(reals):format(x)) end\n"
    "        add(('%q'):format(s), ('%q'):format(n), n, x, -x, x + i, n // 3, n % 7)\n"
    "        add(math.floor(x), math.ceil(x), math.abs(x), math.abs(n), math.max(x, y, n), "
    "math.min(x, y, i), math.sqrt(i * i))\n"
    "        add(math.modf(x))\n"
    "        add(math.ult(n, i), math.fmod(i, 3), math.fmod(7, i == 0 and 1 or i), "
    "math.fmod(any(small), 2.5), n < x, n == x)\n"
    "        local t = { s, i, w, j, x }\n"
    "        add(table.concat(t, w, 1, 4), select('#', table.unpack(t, i, j)), select(2, s, w, n), "
    "(select(-1, s, w)))\n"
    "        if i >= 1 and i <= 6 then table.insert(t, i, n) add(table.remove(t, i)) end\n"
    "        add(table.remove(t), #t, table.unpack(table.move(t, 1, 3, 2)))\n"
    "        add(table.unpack(table.move(t, 2, 4, 1, { 1, 2, 3, 4, 5, 6 })))\n"
    "        local numbers = {}\n"
    "        for k = 1, i + 10 do numbers[k] = random(1000) end\n"
    "        table.sort(numbers)\n"
    "        add(table.unpack(numbers))\n"
    "        table.sort(numbers, function(a, b) return a > b end)\n"
    "        add(table.unpack(numbers))\n"
    "        table.sort(strings)\n"
    "        add(table.unpack(strings))\n"
    "    end\n"
    "    add(tonumber('{', 36), tonumber('[', 36), tonumber('zZ', 36), tonumber(7), "
    "tonumber(-0.5))\n"
    "    add(string.char(), string.char(72, 105, 0, 255):byte(1, -1))\n"
    "    add(math.fmod(-2.5, 2), math.fmod(2.5, -0.75), math.modf(3), math.modf(-3))\n"
    "    add(math[1], ('text')[1])\n"
    "    add(('%5c|%-3c|% d|% f|%+.1f|% .2e'):format(65, 66, 7, 1 / 0, 1 / 0, -2.5))\n"
    "    add(('%q|%q|%q'):format(1 / 0, -1 / 0, 0 / 0), ('%q'):format('\\1271\\127\\0012'))\n"
    "    local own = { 1, 2, 3, 4, 5 }\n"
    "    add(table.unpack(table.move(own, 1, 3, 2, own)))\n"
    "    local mute = setmetatable({ 8 }, { __tostring = function() return 'mute' end })\n"
    "    local chain = setmetatable({}, { __index = mute })\n"
    "    add(chain[1], chain[2], mute)\n"
    "    local step, among = pairs({ 5, 6, 7 })\n"
    "    step(among, 1)\n"
    "    add(step(among, 1))\n"
    "    add(step(among, 3))\n"
    "end\n"
    "local function result(part) return table.concat(out, '\\n', part * 1000 + 1, math.min(#out, "
    "part * 1000 + 1000)) end\n"
    "local state = { 1 }\n"
    "run(function(n) state[1] = (state[1] * 16807) % 2147483647 return state[1] % n + 1 end)\n"
    "return { parts = #out // 1000, result = result }\n";

static void library_agrees_with_lua(void **state)
{
    sandbox *box = loaded_box(library_text, 0);
    lua_State *stock = luaL_newstate();
    lua_Integer parts;
    (void)state;
    luaL_openlibs(stock);
    if (luaL_dostring(stock, library_text) != LUA_OK)
        fail_msg("%s", lua_tostring(stock, -1));
    lua_getfield(stock, 1, "parts");
    parts = lua_tointeger(stock, -1);
    assert_true(parts > 40);
    for (lua_Integer part = 0; part <= parts; part++) {
        lua_getfield(stock, 1, "result");
        lua_pushinteger(stock, part);
        lua_call(stock, 1, 1);
        push_field(box, "result");
        lua_pushinteger(box->L, part);
        assert_int_equal(sandbox_call(box, 1, 1), 0);
        if (lua_rawlen(box->L, -1) != lua_rawlen(stock, -1) ||
            memcmp(lua_tostring(box->L, -1), lua_tostring(stock, -1), lua_rawlen(stock, -1)) != 0) {
            const char *ours = lua_tostring(box->L, -1), *theirs = lua_tostring(stock, -1);
            size_t at = 0;
            while (ours[at] == theirs[at])
                at++;
            at = at > 60 ? at - 60 : 0;
            fail_msg("part %d: '%.100s' instead of '%.100s'", (int)part, ours + at, theirs + at);
        }
        lua_settop(box->L, SANDBOX_TABLE);
        lua_pop(stock, 1);
    }
    lua_close(stock);
    sandbox_free(box);
}

/* ---- failing allocators ---------------------------------------------------------------------- */

typedef struct failing_heap {
    size_t requests, fail_at; /* fail_at = 0: never */
    int from_then_on;
    size_t held, refused;
} failing_heap;

static void *failing_allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    failing_heap *heap = user;
    if (!block)
        old_size = 0;
    if (new_size == 0) {
        heap->held -= old_size;
        free(block);
        return NULL;
    }
    heap->requests++;
    if (heap->fail_at > 0 && (heap->requests == heap->fail_at ||
                              (heap->from_then_on && heap->requests > heap->fail_at))) {
        heap->refused++;
        return NULL;
    }
    block = realloc(block, new_size);
    assert_non_null(block);
    heap->held += new_size - old_size;
    return block;
}

static const char session_text[] =
    "local words = require './words'\n"
    "local object = setmetatable({ n = 1 }, { __index = words, __tostring = function(self) return "
    "'object' .. self.n end })\n"
    "local makers = {}\n"
    "for i = 1, 10 do makers[i] = function(x) return x + i end end\n"
    "return { words = words, object = object, run = function(n)\n"
    "    local t, out = {}, {}\n"
    "    for i = 1, 40 do t[i] = { (i * 7) % 11, 'k' .. i }; t['key' .. i] = i end\n"
    "    table.sort(t, function(a, b) return a[1] < b[1] end)\n"
    "    for key in pairs(t) do out[#out + 1] = tostring(key) end\n"
    "    for i, pair in ipairs(t) do out[#out + 1] = pair[2]:upper():rep(3, '-') .. makers[i % 10 "
    "+ 1](i) end\n"
    "    out[#out + 1] = string.format('%5.2f|%q|%s|%s', n / 3, 'x\\n', object, "
    "('long'):rep(200))\n"
    "    return table.concat(out, ',', 1, #out), table.unpack(words, 1, 2)\n"
    "end }\n"
    "\x1cwords\nreturn { 'one', 'two', 'three', deep = { list = { 1, 2, 3 } } }\n";

/* One whole life of a sandbox. Returns how many steps failed, each of them as it should; `digest`
 * folds the results. */
static unsigned session(failing_heap *heap, uint64_t *digest)
{
    sandbox_limits limits = {.allocate = failing_allocate, .user = heap, .budget = 10000000};
    sandbox *box = sandbox_new(&limits);
    unsigned failures = 0;
    *digest = PN_MIX_START;
    if (!box)
        return 1;
    if (sandbox_load(box, "mine.lua", session_text, sizeof session_text - 1) != 0 ||
        sandbox_freeze(box) != 0) {
        assert_string_equal(box->message, "mine.lua: not enough memory");
        sandbox_free(box);
        return 1;
    }
    for (int i = 0; i < 20; i++) {
        int status;
        push_field(box, "run");
        lua_pushinteger(box->L, i);
        status = sandbox_call(box, 1, 2);
        if (status != 0) {
            assert_int_equal(status, -1);
            assert_string_equal(box->message, "mine.lua: not enough memory");
            failures++;
        } else {
            for (const char *c = lua_tostring(box->L, -2); *c; c++)
                *digest = pn_mix(*digest, (unsigned char)*c);
        }
        lua_settop(box->L, SANDBOX_TABLE);
    }
    sandbox_free(box);
    return failures;
}

static void every_failing_allocation_is_survived(void **state)
{
    uint64_t expected, digest;
    failing_heap heap = {0};
    (void)state;
    assert_int_equal(session(&heap, &expected), 0);
    assert_int_equal(heap.held, 0);
    for (int from_then_on = 0; from_then_on <= 1; from_then_on++) {
        unsigned failed = 0;
        size_t step = 1;
        for (size_t n = 1;; n += step) {
            unsigned failures;
            heap = (failing_heap){.fail_at = n, .from_then_on = from_then_on};
            failures = session(&heap, &digest);
            assert_int_equal(heap.held, 0);
            if (heap.refused == 0)
                break;
            failed += failures > 0;
            if (failures == 0)
                assert_true(digest == expected); /* Lua collected its garbage and continued */
            if (n >= 600)
                step = 37;
        }
        assert_true(failed > (from_then_on ? 500 : 1));
    }
}

/* Fills the stack up to its end, which nothing can move then. */
static void fill_stack(lua_State *L, failing_heap *heap)
{
    heap->fail_at = heap->requests + 1;
    heap->from_then_on = 1;
    while (lua_checkstack(L, 1))
        lua_pushnil(L);
}

/* Calls its argument with a full stack. */
static int call_at_the_end(lua_State *L)
{
    sandbox *box = sandbox_of(L);
    lua_pushnil(L);
    fill_stack(L, box->limits.user);
    lua_pushvalue(L, 1); /* in one of the places that Lua keeps for C functions */
    int top = lua_gettop(L) - 1;
    assert_int_equal(sandbox_call(box, 0, 0), -1);
    assert_int_equal(lua_gettop(L), top);
    return sandbox_raise_again(L);
}

/* The host's calls say so, and leave the box as it was. */
static void a_full_stack_is_no_harm(void **state)
{
    static const char text[] =
        "return { run = function(again) again(function() return 1 end) end, n = 1 }";
    failing_heap heap = {0};
    sandbox_limits limits = {.allocate = failing_allocate, .user = &heap};
    sandbox *box = sandbox_new(&limits);
    int count = 0, top;
    (void)state;
    assert_int_equal(sandbox_load(box, "mine.lua", text, strlen(text)), 0);
    assert_int_equal(sandbox_freeze(box), 0);
    push_field(box, "run");
    lua_pushcfunction(box->L, call_at_the_end);
    assert_int_equal(sandbox_call(box, 1, 0), -1);
    assert_string_equal(box->message, "mine.lua: not enough memory");
    lua_settop(box->L, SANDBOX_TABLE);
    fill_stack(box->L, &heap);
    top = lua_gettop(box->L);
    assert_int_equal(sandbox_protect(box, count_up, &count), -1);
    assert_int_equal(count, 0);
    assert_int_equal(sandbox_evaluate(box, "1 + 1", 5), -1);
    assert_int_equal(sandbox_freeze(box), -1);
    assert_string_equal(box->message, "mine.lua: not enough memory");
    assert_int_equal(lua_gettop(box->L), top);
    heap.fail_at = 0;
    assert_int_equal(sandbox_protect(box, count_up, &count), 0);
    assert_int_equal(count, 1);
    sandbox_free(box);
    assert_int_equal(heap.held, 0);
}

/* ---- the escape corpus ----------------------------------------------------------------------- */

typedef struct escape {
    char name[512]; /* path of the file */
    char text[SANDBOX_MEMORY >> 7];
    size_t size;
    char expected[256]; /* part of the message; empty: it must have no effect */
} escape;

static void read_escape(escape *e)
{
    static const char expect_text[] = "-- expect: ", expect_ok[] = "-- expect ok\n";
    FILE *file = fopen(e->name, "rb");
    assert_non_null(file);
    e->size = fread(e->text, 1, sizeof e->text - 1, file);
    assert_true(feof(file));
    fclose(file);
    e->text[e->size] = '\0';
    e->expected[0] = '\0';
    if (strncmp(e->text, expect_text, sizeof expect_text - 1) == 0) {
        size_t size = strcspn(e->text + sizeof expect_text - 1, "\n");
        assert_in_range(size, 1, sizeof e->expected - 1);
        memcpy(e->expected, e->text + sizeof expect_text - 1, size);
        e->expected[size] = '\0';
    } else if (strncmp(e->text, expect_ok, sizeof expect_ok - 1) != 0) {
        fail_msg("%s: the first line must be '-- expect: TEXT' or '-- expect ok'", e->name);
    }
}

static void print_nowhere(void *user, const char *line)
{
    (void)line;
    ++*(unsigned *)user;
}

/* Loads, freezes, and calls `run` three times. The message of the failure, or "". */
static void run_escape(const escape *e, uint64_t budget, char message[SANDBOX_MESSAGE_SIZE])
{
    unsigned printed = 0;
    sandbox_limits limits = {.budget = budget, .print = print_nowhere, .user = &printed};
    sandbox *box;
    if (strncmp(e->name, MEMORY_TRICKS, sizeof MEMORY_TRICKS - 1) == 0)
        limits.memory = (size_t)4 << 20;
    box = sandbox_new(&limits);
    assert_non_null(box);
    message[0] = '\0';
    if (sandbox_load(box, e->name, e->text, e->size) != 0 || sandbox_freeze(box) != 0) {
        strcpy(message, box->message);
        sandbox_free(box);
        assert_true(message[0] != '\0');
        return;
    }
    for (int i = 0; i < 3; i++) {
        int status;
        lua_pushliteral(box->L, "run");
        if (sandbox_protect(box, count_up, &printed) != 0 ||
            lua_rawget(box->L, SANDBOX_TABLE) != LUA_TNIL)
            fail_msg("%s: the table that was returned is not frozen", e->name);
        lua_settop(box->L, SANDBOX_TABLE);
        push_field(box, "run");
        if (!lua_isfunction(box->L, -1))
            break;
        status = sandbox_call(box, 0, 0);
        assert_int_equal(lua_gettop(box->L), SANDBOX_TABLE);
        if (i > 0 && (status == 0 ? message[0] != '\0' : strcmp(message, box->message) != 0))
            fail_msg("%s: the calls differ: '%s', then '%s'", e->name, message,
                     status == 0 ? "" : box->message);
        if (status != 0)
            strcpy(message, box->message);
    }
    sandbox_free(box);
}

static uint64_t call_sibling(sandbox *sibling)
{
    uint64_t digest = PN_MIX_START;
    push_field(sibling, "run");
    lua_pushinteger(sibling->L, 5);
    if (sandbox_call(sibling, 1, 1) != 0)
        fail_msg("%s", sibling->message);
    for (const char *c = lua_tostring(sibling->L, -1); *c; c++)
        digest = pn_mix(digest, (unsigned char)*c);
    lua_settop(sibling->L, SANDBOX_TABLE);
    return digest;
}

/* Prints all that is wrong before failing. */
static void no_trick_gets_out(void **state)
{
    static escape e;
    sandbox *sibling = loaded_box(session_text, ESCAPE_BUDGET);
    uint64_t undisturbed = call_sibling(sibling);
    DIR *directory = opendir(ESCAPES);
    unsigned files = 0, wrong = 0;
    (void)state;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char message[SANDBOX_MESSAGE_SIZE], unlimited[SANDBOX_MESSAGE_SIZE];
        size_t length = strlen(entry->d_name);
        clock_t start = clock();
        double seconds;
        if (length < 4 || strcmp(entry->d_name + length - 4, ".lua") != 0)
            continue;
        snprintf(e.name, sizeof e.name, "%s/%s", ESCAPES, entry->d_name);
        read_escape(&e);
        run_escape(&e,
                   strncmp(e.name, COSTLY_TRICKS, sizeof COSTLY_TRICKS - 1) == 0 ? COSTLY_BUDGET
                                                                                 : ESCAPE_BUDGET,
                   message);
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        files++;
        if (e.expected[0] ? !strstr(message, e.expected) : message[0] != '\0') {
            print_error("%s: '%s' instead of '%s'\n", e.name, message, e.expected);
            wrong++;
        }
        if (seconds > 30) {
            print_error("%s: took %.1f s\n", e.name, seconds);
            wrong++;
        }
        if (getenv("SANDBOX_TIMES") && seconds > 0.1)
            print_message("%s: %.2f s\n", e.name, seconds);
        if (!e.expected[0]) { /* the budget makes no difference to what works */
            run_escape(&e, 0, unlimited);
            if (unlimited[0]) {
                print_error("%s: '%s' without a budget\n", e.name, unlimited);
                wrong++;
            }
        }
        assert_true(call_sibling(sibling) == undisturbed);
    }
    closedir(directory);
    sandbox_free(sibling);
    assert_true(files >= 200);
    assert_int_equal(wrong, 0);
}

/* ---- eight processes ------------------------------------------------------------------------- */

static const char digest_text[] =
    "local names = {}\n"
    "for i = 1, 300 do names['name' .. (i * 7919) % 1009] = i end\n"
    "local function lines()\n"
    "    local out = {}\n"
    "    for name, i in pairs(names) do out[#out + 1] = name .. '=' .. i end\n"
    "    local values = {}\n"
    "    for i = 1, 500 do values[i] = { (i * 31) % 17, i } end\n"
    "    table.sort(values, function(a, b) return a[1] < b[1] end)\n"
    "    for _, v in ipairs(values) do out[#out + 1] = v[1] .. ':' .. v[2] end\n"
    "    for i = 1, 50 do\n"
    "        local x = i / 7\n"
    "        out[#out + 1] = tostring(math.exp(x)) .. ' ' .. math.log(x) .. ' ' .. math.pow(x, "
    "1.7) .. ' ' .. math.sqrt(x)\n"
    "        out[#out + 1] = string.format('%.17g %g %q %5.1f', x, 1 / x, x, -x)\n"
    "    end\n"
    "    out[#out + 1] = table.concat({ tostring({}), tostring(print), tostring(lines), "
    "tostring(0/0), tostring(-(0/0)) }, ' ')\n"
    "    local words = { 'b', 'B', 'a', '\\xC3\\xA4', 'A', '_', '10', '9', '' }\n"
    "    table.sort(words)\n"
    "    out[#out + 1] = table.concat(words, ' ')\n"
    "    return table.concat(out, '\\n')\n"
    "end\n"
    "return { run = lines, failing = function() local t = {} for i = 1, 10 do t[{}] = i end return "
    "pairs(t) end }\n";

static int print_digest(void)
{
    uint64_t digests[2];
    char message[SANDBOX_MESSAGE_SIZE];
    for (int budget = 0; budget <= 1; budget++) {
        sandbox *box = loaded_box(digest_text, budget ? 10000000 : 0);
        digests[budget] = call_sibling(box);
        push_field(box, "failing");
        assert_int_equal(sandbox_call(box, 0, 0), -1);
        strcpy(message, box->message);
        sandbox_free(box);
    }
    printf("%016llx %016llx %s\n", (unsigned long long)digests[0], (unsigned long long)digests[1],
           message);
    return digests[0] == digests[1] ? 0 : 1;
}

static void eight_processes_agree(void **state)
{
    char first[256] = "", line[256], command[1100];
    (void)state;
    assert_in_range(snprintf(command, sizeof command, "'%s' digest", program), 1,
                    sizeof command - 1);
    for (int i = 0; i < 8; i++) {
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        assert_non_null(fgets(line, sizeof line, pipe));
        assert_int_equal(pclose(pipe), 0);
        if (i == 0)
            strcpy(first, line);
        assert_string_equal(line, first);
    }
    check_text(first, "mine.lua:21: pairs: a key of type table has no defined order");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_comes_back_at_its_place),
        cmocka_unit_test(refusals_tell_syntax_from_failure),
        cmocka_unit_test(operators_are_found_at_their_lines),
        cmocka_unit_test(texts_may_end_anywhere),
        cmocka_unit_test(the_first_assignment_is_named),
        cmocka_unit_test(lines_may_lie_far_apart),
        cmocka_unit_test(other_bytecode_is_refused),
        cmocka_unit_test(compiled_chunks_are_refused),
        cmocka_unit_test(first_line_may_be_a_shebang),
        cmocka_unit_test(long_files_and_lines),
        cmocka_unit_test(messages_keep_long_names),
        cmocka_unit_test(texts_carry_files),
        cmocka_unit_test(calls_leave_what_was_asked_for),
        cmocka_unit_test(each_call_has_the_whole_budget),
        cmocka_unit_test(an_interruption_ends_one_call),
        cmocka_unit_test(work_is_charged_by_its_size),
        cmocka_unit_test(what_the_host_makes_is_free),
        cmocka_unit_test(without_a_budget_library_calls_are_bounded),
        cmocka_unit_test(the_ceiling_is_named),
        cmocka_unit_test(protect_runs_c_code),
        cmocka_unit_test(calls_may_nest),
        cmocka_unit_test(c_functions_charge_the_budget),
        cmocka_unit_test(protect_works_inside_a_call),
        cmocka_unit_test(work_may_nest),
        cmocka_unit_test(policies_run_in_the_plain_locale),
        cmocka_unit_test(print_goes_to_the_host),
        cmocka_unit_test(library_agrees_with_lua),
        cmocka_unit_test(freezing_is_bounded),
        cmocka_unit_test(library_calls_end_as_they_should),
        cmocka_unit_test(places_are_cut),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(a_full_stack_is_no_harm),
        cmocka_unit_test(no_trick_gets_out),
        cmocka_unit_test(eight_processes_agree),
    };
    program = argv[0];
    if (argc == 2 && strcmp(argv[1], "digest") == 0)
        return print_digest();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
