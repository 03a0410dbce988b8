/* Lua values as JSON text and back: for lines that other processes of this program read, and the
 * pieces that Lua writes documents of. The same value gives the same text, whatever order its
 * tables have. What people write is read by json.c, which says where it is wrong. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/utf8.h"
#include "binding.h"

#define TEXT         "pinion.JsonText"
#define DEPTH_MAX    64
#define FIELDS_USUAL 8 /* of a record: more make its table grow */

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

/* (finite number) */
static int float_text(lua_State *L)
{
    char text[DECIMAL_SIZE];
    size_t size = decimal_write(text, luaL_checknumber(L, 1));
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

/* Pushes the string as a JSON literal. File names may hold any bytes: those that are not UTF-8
 * become U+FFFD. */
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
    char text[DECIMAL_SIZE];
    size_t size;
    if (lua_isinteger(L, index))
        size = (size_t)snprintf(text, sizeof text, LUA_INTEGER_FMT, lua_tointeger(L, index));
    else if (x - x == 0.0)
        size = decimal_write(text, x);
    else
        size = (size_t)snprintf(text, sizeof text, "null"); /* JSON has no NaN */
    add(L, box, text, size);
}

typedef struct field_name {
    const char *text; /* the table's */
    size_t size;
} field_name;

static int compare_names(const void *a, const void *b)
{
    const field_name *one = a, *other = b;
    size_t common = one->size < other->size ? one->size : other->size;
    int order = memcmp(one->text, other->text, common);
    return order ? order : (one->size > other->size) - (one->size < other->size);
}

/* Pushes the names of the fields of the table on top, sorted, as a block of memory: how many. */
static size_t push_names(lua_State *L)
{
    size_t count = 0, at = 0;
    field_name *names;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        count++;
    names = lua_newuserdatauv(L, count * sizeof *names + 1, 0);
    for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "a table with a list and with fields, or with a key that is no name");
        names[at].text = lua_tolstring(L, -2, &names[at].size);
        at++;
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
    const field_name *names = lua_touserdata(L, -1);
    add(L, box, "{", 1);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            add(L, box, ",", 1);
        lua_pushlstring(L, names[i].text, names[i].size);
        add_quoted(L, box, names[i].text, names[i].size);
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

/* Adds the value on top of the stack. */
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

/* ---- back again ------------------------------------------------------------------------------ */

/* What is left of a text. */
typedef struct reading {
    const char *at, *end;
    int depth;
} reading;

static int read_value(lua_State *L, reading *from);

static int next_is(reading *from, char c)
{
    if (from->at == from->end || *from->at != c)
        return 0;
    from->at++;
    return 1;
}

static int read_word(reading *from, const char *word, size_t size)
{
    if ((size_t)(from->end - from->at) < size || memcmp(from->at, word, size) != 0)
        return 0;
    from->at += size;
    return 1;
}

/* Reads a number that is no short integer. */
static int read_long_number(lua_State *L, reading *from)
{
    char text[DECIMAL_SIZE];
    size_t size = 0;
    int is_float = 0;
    char *rest;
    while (from->at + size < from->end && size < sizeof text - 1 && from->at[size] != ',' &&
           from->at[size] != ']' && from->at[size] != '}') {
        text[size] = from->at[size];
        is_float |= text[size] == '.' || text[size] == 'e';
        size++;
    }
    text[size] = '\0';
    errno = 0;
    if (is_float)
        lua_pushnumber(L, strtod(text, &rest));
    else
        lua_pushinteger(L, strtoll(text, &rest, 10));
    from->at += size;
    return size > 0 && *rest == '\0' && (is_float || errno == 0) && text[0] > ' ' &&
           strspn(text, "-.0123456789e+") == size;
}

/* Reads a number. Integers are integers, what has a point or an exponent is a float. */
static int read_number(lua_State *L, reading *from)
{
    const char *at = from->at;
    lua_Integer value = 0;
    while (at < from->end && *at >= '0' && *at <= '9' && at - from->at < 18)
        value = 10 * value + (*at++ - '0');
    if (at == from->at || at == from->end || (*at != ',' && *at != ']' && *at != '}'))
        return read_long_number(L, from);
    from->at = at;
    lua_pushinteger(L, value);
    return 1;
}

/* Adds the four digits behind \\u as UTF-8. What json_encode writes so is below U+0100, or
 * U+FFFD. */
static int add_escaped(lua_State *L, luaL_Buffer *out, reading *from)
{
    unsigned code = 0;
    if (from->end - from->at < 4)
        return 0;
    for (int i = 0; i < 4; i++) {
        char c = *from->at++;
        const char *digits = "0123456789abcdef", *digit = c ? strchr(digits, c) : NULL;
        if (!digit)
            return 0;
        code = code << 4 | (unsigned)(digit - digits);
    }
    lua_pushfstring(L, "%U", (unsigned long)code);
    luaL_addvalue(out);
    return 1;
}

static int add_escape(lua_State *L, luaL_Buffer *out, reading *from)
{
    char c = from->at < from->end ? *from->at++ : '\0';
    if (c == 'u')
        return add_escaped(L, out, from);
    if (c == 'n')
        c = '\n';
    else if (c == 't')
        c = '\t';
    else if (c != '"' && c != '\\')
        return 0;
    luaL_addchar(out, c);
    return 1;
}

/* Reads from behind the opening quote. */
static int read_string(lua_State *L, reading *from)
{
    const char *quote = memchr(from->at, '"', (size_t)(from->end - from->at));
    luaL_Buffer out;
    if (!quote)
        return 0;
    if (!memchr(from->at, '\\', (size_t)(quote - from->at))) {
        lua_pushlstring(L, from->at, (size_t)(quote - from->at));
        from->at = quote + 1;
        return 1;
    }
    luaL_buffinit(L, &out);
    while (from->at < from->end && *from->at != '"') {
        char c = *from->at++;
        if (c != '\\')
            luaL_addchar(&out, c);
        else if (!add_escape(L, &out, from))
            return 0;
    }
    luaL_pushresult(&out);
    return next_is(from, '"');
}

/* Counts the elements of a list of numbers, for which room is made at once; of others at least one:
 * commas in texts are no elements. */
static int count_elements(const reading *from)
{
    int count = 1;
    for (const char *at = from->at; at < from->end && !strchr("][{\"", *at); at++)
        count += *at == ',';
    return count;
}

static int read_list(lua_State *L, reading *from)
{
    lua_createtable(L, count_elements(from), 0);
    if (next_is(from, ']'))
        return 1;
    for (lua_Integer i = 1;; i++) {
        if (!read_value(L, from))
            return 0;
        lua_rawseti(L, -2, i);
        if (next_is(from, ']'))
            return 1;
        if (!next_is(from, ','))
            return 0;
    }
}

static int read_record(lua_State *L, reading *from)
{
    lua_createtable(L, 0, FIELDS_USUAL);
    if (next_is(from, '}'))
        return 1;
    for (;;) {
        if (!next_is(from, '"') || !read_string(L, from) || !next_is(from, ':') ||
            !read_value(L, from))
            return 0;
        lua_rawset(L, -3);
        if (next_is(from, '}'))
            return 1;
        if (!next_is(from, ','))
            return 0;
    }
}

static int read_nested(lua_State *L, reading *from, int (*read)(lua_State *L, reading *from))
{
    int done;
    if (from->depth == DEPTH_MAX)
        return 0;
    luaL_checkstack(L, 8, "a value nests too deeply");
    from->at++;
    from->depth++;
    done = read(L, from);
    from->depth--;
    return done;
}

/* Pushes the next value; 0 when there is none, with whatever was pushed before. */
static int read_value(lua_State *L, reading *from)
{
    switch (from->at < from->end ? *from->at : '\0') {
    case '{':
        return read_nested(L, from, read_record);
    case '[':
        return read_nested(L, from, read_list);
    case '"':
        from->at++;
        return read_string(L, from);
    case 't':
        lua_pushboolean(L, 1);
        return read_word(from, "true", 4);
    case 'f':
        lua_pushboolean(L, 0);
        return read_word(from, "false", 5);
    case 'n':
        lua_pushlightuserdata(L, NULL);
        return read_word(from, "null", 4);
    default:
        return read_number(L, from);
    }
}

/* (text): the value that json_encode wrote so; nothing for any other text. */
static int json_read(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    reading from = {text, text + size, 0};
    return read_value(L, &from) && from.at == from.end ? 1 : 0;
}

void ljson_lines_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", text_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"json_quote", json_quote},
                                         {"json_encode", json_encode},
                                         {"json_read", json_read},
                                         {"float_text", float_text},
                                         {NULL, NULL}};
    lpinion_type(L, TEXT, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
