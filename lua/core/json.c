/* JSON through jansson, which keeps integers exact and rejects duplicate keys. Errors become one
 * line, FILE:LINE: what is wrong (what was expected). */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/exact_read.h"
#include "base/gz_lines.h"
#include "base/interrupt.h"
#include "base/bounds.h"
#include "binding.h"
#include "json_memory.h"

#define JSON      "pinion.Json"
#define STREAM    "pinion.JsonStream"
#define ARRAY     "pinion.array"
#define DEPTH_MAX 64
#define PIECE     65536 /* bytes */

/* A json_t that Lua's collector frees: an error while tables are being built leaks nothing. */
typedef struct json_box {
    json_t *root;
} json_box;

static int json_gc(lua_State *L)
{
    json_box *box = luaL_checkudata(L, 1, JSON);
    json_decref(box->root);
    box->root = NULL;
    return 0;
}

/* Returns the line of the first bracket that nests too deeply, 0 when there is none. The text is
 * valid JSON at least up to there. */
static int too_deep_line(const char *text, size_t size)
{
    int line = 1, depth = 0, in_string = 0;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        line += c == '\n';
        if (in_string) {
            if (c == '\\')
                i++;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = 1;
        } else if (c == '[' || c == '{') {
            if (++depth > DEPTH_MAX)
                return line;
        } else if (c == ']' || c == '}') {
            depth--;
        }
    }
    return 0;
}

/* ---- literals that a double does not keep ---------------------------------------------------- */

/* Scans a number of the text: its size, and whether a double may hide what it says, which takes a
 * fraction or an exponent, and more than 15 significant digits or a value that underflows to 0. */
static size_t scan_number(const char *text, size_t left, int *doubtful)
{
    size_t size = 0, digits = 0, zeros = 0;
    int real = 0, in_exponent = 0;
    for (; size < left && memchr("+-.0123456789eE", text[size], 15); size++) {
        char c = text[size];
        real |= c == '.' || c == 'e' || c == 'E';
        in_exponent |= c == 'e' || c == 'E';
        if (in_exponent || c < '0')
            continue;
        if (c == '0') {
            zeros += digits > 0;
        } else {
            digits += zeros + 1;
            zeros = 0;
        }
    }
    *doubtful = real && (digits > 15 || (digits > 0 && strtod(text, NULL) == 0.0));
    return size;
}

/* Pushes a number. Where numbers are read exactly, a double stands for a decimal number of few
 * digits; here are those that the text gives by other literals: a table of double -> line on top of
 * the stack, or nothing and 0. The text is valid JSON. */
static int push_inexact(lua_State *L, const char *text, size_t size)
{
    int line = 1, in_string = 0, found = 0;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        line += c == '\n';
        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = 1;
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            int doubtful;
            size_t length = scan_number(text + i, size - i, &doubtful);
            double x = doubtful ? strtod(text + i, NULL) : 0.0;
            pn_exact value;
            if (doubtful && exact_read_double(x, &value) == EXACT_READ) {
                if (!found)
                    lua_newtable(L);
                found = 1;
                lua_pushnumber(L, x);
                lua_pushinteger(L, line);
                lua_settable(L, -3);
            }
            i += length - 1;
        }
    }
    return found;
}

/* (number or text): numerator and denominator in lowest terms; or nil and why not, a word. */
static int read_exact(lua_State *L)
{
    static const char *const words[EXACT_ANSWERS] = {"", "none", "large", "fine", "rounded"};
    pn_exact value;
    enum exact_read answer = EXACT_NONE;
    size_t size;
    if (lua_isinteger(L, 1)) {
        value = (pn_exact){lua_tointeger(L, 1), 1};
        answer = EXACT_READ;
    } else if (lua_type(L, 1) == LUA_TNUMBER) {
        answer = exact_read_double(lua_tonumber(L, 1), &value);
    } else if (lua_type(L, 1) == LUA_TSTRING) {
        const char *text = lua_tolstring(L, 1, &size);
        answer = exact_read_text(text, size, &value);
    }
    if (answer != EXACT_READ)
        return push_failure(L, words[answer]);
    lua_pushinteger(L, value.num);
    lua_pushinteger(L, value.den);
    return 2;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Describes a fault as Jansson writes it: "what near 'text'" or "'x' expected near 'text'". */
static void describe_as_written(char message[200], const json_error_t *error)
{
    const char *text = error->text;
    const char *near = strstr(text, " near ");
    const char *expected = strstr(text, " expected");
    int what = (int)(near ? near - text : (ptrdiff_t)strlen(text));
    const char *where = near ? near + 6 : "";
    switch (json_error_code(error)) {
    case json_error_premature_end_of_input:
        snprintf(message, 200, "the text ends too early (expected a complete JSON value)");
        return;
    case json_error_end_of_input_expected:
        snprintf(message, 200, "something follows the value: %s (expected the end of the text)",
                 where);
        return;
    case json_error_duplicate_key:
        snprintf(message, 200, "a key appears twice: %s (expected each key once)", where);
        return;
    case json_error_numeric_overflow:
        /* Of long ones jansson does not say which. */
        snprintf(
            message, 200,
            "a number is too large%s%s (expected integers within 64 bits, reals within a double)",
            *where ? ": " : "", where);
        return;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        snprintf(message, 200, "a string holds the character \\u0000 (expected text)");
        return;
    case json_error_invalid_utf8:
        snprintf(message, 200, "%.*s (expected UTF-8 text)", what, text);
        return;
    default:
        break;
    }
    if (strncmp(text, "string or '}' expected near '}'", 31) == 0)
        snprintf(message, 200, "a comma before } (expected none behind the last field)");
    else if (strncmp(text, "unexpected token near ']'", 25) == 0)
        snprintf(message, 200, "unexpected ] (expected a value, and no comma behind the last one)");
    else if (expected && near && expected < near)
        snprintf(message, 200, "unexpected %s (expected %.*s)", where, (int)(expected - text),
                 text);
    else if (near)
        snprintf(message, 200, "%.*s %s (expected JSON)", what, text, where);
    else
        snprintf(message, 200, "%s (expected JSON)", text);
}

/* Describes a fault. Jansson quotes the text as it stands, line ends included. */
static void describe(char message[200], const json_error_t *error)
{
    describe_as_written(message, error);
    for (char *c = message; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7F ? ' ' : *c;
}

static int is_short(const json_t *root, const json_error_t *error)
{
    return !root && json_error_code(error) == json_error_out_of_memory;
}

/* Raises an error: a text that could not be read for want of memory is no wrong text. */
static int fail_memory(lua_State *L, const char *name)
{
    return luaL_error(L, "%s: not enough memory to read it", name);
}

static int push_syntax_error(lua_State *L, const char *name, int line, const char *reason)
{
    lua_pushnil(L);
    lua_pushfstring(L, "%s:%d: %s", name, line, reason);
    return 2;
}

/* Returns whether Ctrl-C ends the reading of so many elements; null: it does not. */
static int is_stopped(size_t *elements)
{
    return elements && (++*elements & 0xFF) == 0 && interrupt_pending();
}

/* Pushes a value. Depth is bounded by DEPTH_MAX, checked before. With `elements` Ctrl-C leaves a
 * part out. The metatable of arrays is at index `array`. */
static void push_value(lua_State *L, json_t *value, int array, size_t *elements)
{
    luaL_checkstack(L, 4, "JSON");
    switch (json_typeof(value)) {
    case JSON_OBJECT: {
        lua_createtable(L, 0, (int)json_object_size(value));
        for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
            push_value(L, json_object_iter_value(at), array, elements);
            lua_setfield(L, -2, json_object_iter_key(at));
        }
        return;
    }
    case JSON_ARRAY:
        lua_createtable(L, (int)json_array_size(value), 0);
        for (size_t i = 0; i < json_array_size(value) && !is_stopped(elements); i++) {
            push_value(L, json_array_get(value, i), array, elements);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        lua_pushvalue(L, array);
        lua_setmetatable(L, -2);
        return;
    case JSON_STRING:
        lua_pushlstring(L, json_string_value(value), json_string_length(value));
        return;
    case JSON_INTEGER:
        lua_pushinteger(L, json_integer_value(value));
        return;
    case JSON_REAL:
        lua_pushnumber(L, json_real_value(value));
        return;
    case JSON_TRUE:
    case JSON_FALSE:
        lua_pushboolean(L, json_is_true(value));
        return;
    default:
        lua_pushlightuserdata(L, NULL);
        return;
    }
}

/* A text that jansson reads piece by piece, so that Ctrl-C is seen. */
typedef struct text_reader {
    const char *text;
    size_t size, taken;
    int stoppable;
    progress progress;
} text_reader;

#define READ_FAILED ((size_t)-1)

static size_t read_text(void *buffer, size_t size, void *data)
{
    text_reader *self = data;
    size_t left = self->size - self->taken, piece = left < size ? left : size;
    if (self->stoppable && interrupt_pending())
        return READ_FAILED;
    if (self->progress.enabled && (self->taken & 0xFFFF) < size)
        progress_show(&self->progress, self->taken, self->size, "bytes", progress_clock());
    memcpy(buffer, self->text + self->taken, piece);
    self->taken += piece;
    return piece;
}

static json_t *parse_text(const char *text, size_t size, int stoppable, json_error_t *error)
{
    text_reader reader = {.text = text, .size = size, .stoppable = stoppable};
    json_t *root;
    progress_start_reading(&reader.progress);
    root = json_memory_load(read_text, &reader, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, error);
    progress_clear(&reader.progress);
    return root;
}

/* (text, name, stoppable): the value, or nil and a message, which Ctrl-C is too when the reading is
 * stoppable; what a run returns after Ctrl-C is not. A third result, where there is one, is the
 * table of push_inexact. */
static int json_decode(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    const char *name = luaL_checkstring(L, 2);
    int stoppable = lua_toboolean(L, 3);
    json_box *box = lua_newuserdatauv(L, sizeof *box, 0);
    json_error_t error;
    size_t elements = 0;
    int line;
    box->root = NULL;
    luaL_setmetatable(L, JSON);
    box->root = parse_text(text, size, stoppable, &error);
    if (is_short(box->root, &error))
        return fail_memory(L, name);
    if (stoppable && interrupt_pending())
        return push_syntax_error(L, name, 1, "interrupted");
    line = box->root || json_error_code(&error) == json_error_stack_overflow
               ? too_deep_line(text, size)
               : 0;
    if (line > 0)
        return push_syntax_error(L, name, line, "nested too deeply (expected at most 64 levels)");
    if (!box->root) {
        char reason[200];
        describe(reason, &error);
        return push_syntax_error(L, name, error.line, reason);
    }
    luaL_getmetatable(L, ARRAY);
    push_value(L, box->root, lua_gettop(L), stoppable ? &elements : NULL);
    json_decref(box->root);
    box->root = NULL;
    if (stoppable && interrupt_pending())
        return push_syntax_error(L, name, 1, "interrupted");
    lua_pushnil(L);
    if (push_inexact(L, text, size))
        return 3;
    lua_pop(L, 1);
    return 1;
}

/* ---- files of values one after another ------------------------------------------------------- */

/* Plain or gzip'ed alike, read value by value. */
typedef struct json_stream {
    gzFile file;
    uint64_t size; /* of the file, as it is on the disk */
    size_t read;   /* bytes of the value that is being read */
    int line;
    int too_large; /* the value */
    progress progress;
    char path[1]; /* as long as it is */
} json_stream;

static json_stream *check_stream(lua_State *L)
{
    return luaL_checkudata(L, 1, STREAM);
}

static int stream_close(lua_State *L)
{
    json_stream *self = check_stream(L);
    progress_clear(&self->progress);
    if (self->file)
        gzclose(self->file);
    self->file = NULL;
    return 0;
}

/* (path): a function-like value that gives the file's values, or nil and a message. */
static int stream_open(lua_State *L)
{
    size_t size;
    const char *path = luaL_checklstring(L, 1, &size);
    json_stream *self = lua_newuserdatauv(L, sizeof *self + size, 0);
    char reason[GZ_REASON_SIZE];
    memset(self, 0, sizeof *self);
    self->line = 1;
    memcpy(self->path, path, size + 1);
    luaL_setmetatable(L, STREAM);
    self->size = gz_file_size(path);
    progress_start_reading(&self->progress);
    self->file = gz_open(path, reason);
    return self->file ? 1 : push_failure(L, lua_pushfstring(L, "%s: %s", path, reason));
}

/* Returns whether Ctrl-C was pressed, looked at between pieces of the file. */
static int is_interrupted(json_stream *self)
{
    if (gztell(self->file) % PIECE != 0)
        return 0;
    progress_show(&self->progress, (uint64_t)gzoffset(self->file), self->size, "bytes",
                  progress_clock());
    return interrupt_pending();
}

/* Reads byte by byte, so that no part of the next value is taken: jansson looks no further than a
 * value's closing bracket. */
static size_t read_byte(void *buffer, size_t size, void *data)
{
    json_stream *self = data;
    int c;
    (void)size;
    self->too_large |= self->read++ == LIMIT_VALUE;
    if (self->too_large || is_interrupted(self))
        return READ_FAILED;
    c = gzgetc(self->file);
    self->line += c == '\n';
    *(unsigned char *)buffer = (unsigned char)c;
    return c >= 0;
}

/* Skips to the first byte of the next value, which stays to be read; -1 at the end. */
static int skip_blanks(json_stream *self)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* some editors begin UTF-8 files with it */
    int c = gzgetc(self->file);
    for (int at = 0; at < 3 && gztell(self->file) == at + 1 && c == (unsigned char)mark[at]; at++)
        c = gzgetc(self->file);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        if (is_interrupted(self))
            return -1;
        self->line += c == '\n';
        c = gzgetc(self->file);
    }
    return c < 0 ? -1 : gzungetc(c, self->file);
}

/* Pushes the next value and the line that it begins on; nothing at the end of the file; or nil and
 * a message. */
static int stream_next(lua_State *L)
{
    json_stream *self = check_stream(L);
    char reason[GZ_REASON_SIZE];
    json_box *box;
    json_error_t error;
    size_t elements = 0;
    int first;
    luaL_argcheck(L, self->file, 1, "the file is closed");
    lua_settop(L, 1);
    if (skip_blanks(self) < 0 && !interrupt_pending())
        return gz_ended(self->file, self->path, reason)
                   ? 0
                   : push_syntax_error(L, self->path, self->line, reason);
    if (interrupt_pending())
        return push_syntax_error(L, self->path, self->line, "interrupted");
    first = self->line;
    self->read = 0;
    box = lua_newuserdatauv(L, sizeof *box, 0);
    box->root = NULL;
    luaL_setmetatable(L, JSON);
    box->root = json_memory_load(
        read_byte, self, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &error);
    if (is_short(box->root, &error))
        return fail_memory(L, self->path);
    if (self->too_large)
        return push_syntax_error(L, self->path, first,
                                 "the value is too long (expected at most 128 MiB)");
    if (interrupt_pending())
        return push_syntax_error(L, self->path, first, "interrupted");
    if (!box->root) {
        if (gz_ended(self->file, self->path, reason))
            describe(reason, &error);
        return push_syntax_error(L, self->path, first + error.line - 1, reason);
    }
    luaL_getmetatable(L, ARRAY);
    push_value(L, box->root, lua_gettop(L), &elements);
    json_decref(box->root);
    box->root = NULL;
    lua_pushinteger(L, first);
    return 2;
}

/* ---- writing --------------------------------------------------------------------------------- */

void ljson_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", json_gc}, {NULL, NULL}};
    static const luaL_Reg of_streams[] = {
        {"__gc", stream_close}, {"__close", stream_close}, {"__call", stream_next}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"json_decode", json_decode},
                                         {"json_stream", stream_open},
                                         {"read_exact", read_exact},
                                         {NULL, NULL}};
    lpinion_type(L, JSON, none, metamethods);
    lpinion_type(L, STREAM, none, of_streams);
    luaL_setfuncs(L, functions, 0);
    lua_pushlightuserdata(L, NULL);
    lua_setfield(L, -2, "null");
    luaL_newmetatable(L, ARRAY);
    lua_setfield(L, -2, "array");
}
