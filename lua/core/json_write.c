/* Lua values as JSON text: for lines that other processes read, and the pieces that Lua writes
 * documents of. The same value gives the same text, whatever order its tables have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "binding.h"

#define TEXT      "pinion.JsonText"
#define DEPTH_MAX 64

/* What is written; it belongs to Lua, so that an error in the middle leaks nothing. */
typedef struct text_box {
    char *text;
    size_t size, room;
} text_box;

static int text_gc(lua_State *L)
{
    text_box *box = luaL_checkudata(L, 1, TEXT);
    free(box->text);
    box->text = NULL;
    return 0;
}

static text_box *new_box(lua_State *L)
{
    text_box *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (text_box){NULL, 0, 0};
    luaL_setmetatable(L, TEXT);
    return box;
}

static void add(lua_State *L, text_box *box, const char *text, size_t size)
{
    if (box->room - box->size < size) {
        size_t room = 2 * box->room + size + 256;
        char *larger = realloc(box->text, room);
        if (!larger)
            luaL_error(L, "not enough memory");
        box->text = larger;
        box->room = room;
    }
    memcpy(box->text + box->size, text, size);
    box->size += size;
}

static void add_quoted(lua_State *L, text_box *box, const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    add(L, box, "\"", 1);
    for (size_t i = 0; i < size;) {
        size_t step = utf8_size(s + i, size - i);
        char escape[7];
        if (step == 0) {
            add(L, box, "\\ufffd", 6);
            step = 1;
        } else if (s[i] == '"' || s[i] == '\\') {
            escape[0] = '\\';
            escape[1] = text[i];
            add(L, box, escape, 2);
        } else if (s[i] == '\n') {
            add(L, box, "\\n", 2);
        } else if (s[i] == '\t') {
            add(L, box, "\\t", 2);
        } else if (s[i] < ' ' || s[i] == 0x7F) {
            add(L, box, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", s[i]));
        } else {
            add(L, box, text + i, step);
        }
        i += step;
    }
    add(L, box, "\"", 1);
}

#define FLOAT_SIZE 40

/* With the fewest digits that read back as the same number, always with a point or an exponent. */
static size_t format_float(char text[FLOAT_SIZE], double x)
{
    if (x > -1e15 && x < 1e15 && x != 0.0 && x == (double)(int64_t)x)
        return (size_t)snprintf(text, FLOAT_SIZE, "%lld.0", (long long)x);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, FLOAT_SIZE, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    if (!strpbrk(text, ".eE"))
        strcat(text, ".0");
    return strlen(text);
}

/* (finite number) */
static int float_text(lua_State *L)
{
    char text[FLOAT_SIZE];
    size_t size = format_float(text, luaL_checknumber(L, 1));
    lua_pushlstring(L, text, size);
    return 1;
}

static int is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
            return 0;
    return 1;
}

/* The string as a JSON literal. File names may hold any bytes: those that are not UTF-8 become
 * U+FFFD. */
static int json_quote(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    text_box *box;
    if (is_plain(text, size)) {
        lua_pushfstring(L, "\"%s\"", text);
        return 1;
    }
    box = new_box(L);
    add_quoted(L, box, text, size);
    lua_pushlstring(L, box->text, box->size);
    return 1;
}

/* ---- whole values ---------------------------------------------------------------------------- */

static void add_number(lua_State *L, text_box *box, int index)
{
    double x = lua_tonumber(L, index);
    char text[FLOAT_SIZE];
    size_t size;
    if (lua_isinteger(L, index))
        size = (size_t)snprintf(text, sizeof text, LUA_INTEGER_FMT, lua_tointeger(L, index));
    else if (x - x == 0.0)
        size = format_float(text, x);
    else
        size = (size_t)snprintf(text, sizeof text, "null"); /* JSON has no NaN */
    add(L, box, text, size);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Pushes the names of the fields of the table on top, sorted, as a block of memory: how many. The
 * strings are the table's. */
static size_t push_names(lua_State *L)
{
    size_t count = 0, at = 0;
    const char **names;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        count++;
    names = lua_newuserdatauv(L, count * sizeof *names + 1, 0);
    for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "a table with a list and with fields, or with a key that is no name");
        names[at++] = lua_tostring(L, -2);
    }
    qsort(names, count, sizeof *names, compare_names);
    return count;
}

static void add_value(lua_State *L, text_box *box, int depth);

static void add_list(lua_State *L, text_box *box, lua_Integer count, int depth)
{
    add(L, box, "[", 1);
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            add(L, box, ",", 1);
        lua_rawgeti(L, -1, i);
        add_value(L, box, depth);
        lua_pop(L, 1);
    }
    add(L, box, "]", 1);
}

static void add_record(lua_State *L, text_box *box, int depth)
{
    size_t count = push_names(L);
    const char *const *names = lua_touserdata(L, -1);
    add(L, box, "{", 1);
    for (size_t i = 0; i < count; i++) {
        size_t size;
        if (i > 0)
            add(L, box, ",", 1);
        lua_pushstring(L, names[i]);
        lua_tolstring(L, -1, &size);
        add_quoted(L, box, names[i], size);
        add(L, box, ":", 1);
        lua_rawget(L, -3);
        add_value(L, box, depth);
        lua_pop(L, 1);
    }
    add(L, box, "}", 1);
    lua_pop(L, 1);
}

static void add_table(lua_State *L, text_box *box, int depth)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    if (depth == DEPTH_MAX)
        luaL_error(L, "a value nests too deeply");
    luaL_checkstack(L, 8, "a value nests too deeply");
    if (count == 0) {
        lua_pushnil(L);
        if (!lua_next(L, -2)) {
            add(L, box, "[]", 2);
            return;
        }
        lua_pop(L, 2);
        add_record(L, box, depth + 1);
    } else {
        add_list(L, box, count, depth + 1);
    }
}

/* The value on top of the stack. */
static void add_value(lua_State *L, text_box *box, int depth)
{
    size_t size;
    const char *text;
    switch (lua_type(L, -1)) {
    case LUA_TSTRING:
        text = lua_tolstring(L, -1, &size);
        add_quoted(L, box, text, size);
        break;
    case LUA_TNUMBER:
        add_number(L, box, -1);
        break;
    case LUA_TBOOLEAN:
        add(L, box, lua_toboolean(L, -1) ? "true" : "false", lua_toboolean(L, -1) ? 4 : 5);
        break;
    case LUA_TTABLE:
        add_table(L, box, depth);
        break;
    default:
        if (!lua_isnoneornil(L, -1) && !lua_islightuserdata(L, -1))
            luaL_error(L, "a %s is no value of JSON", luaL_typename(L, -1));
        add(L, box, "null", 4);
    }
}

/* (value): numbers, strings, booleans, sequences and records as one line without blanks, fields in
 * the order of their names. An empty table is a sequence; numbers that are not finite are null. */
static int json_encode(lua_State *L)
{
    text_box *box;
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    box = new_box(L);
    lua_insert(L, 1);
    add_value(L, box, 0);
    lua_pushlstring(L, box->text, box->size);
    return 1;
}

void ljson_write_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", text_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"json_quote", json_quote},
                                         {"json_encode", json_encode},
                                         {"float_text", float_text},
                                         {NULL, NULL}};
    lpinion_type(L, TEXT, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
