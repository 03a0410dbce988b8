/* Lines of decision logs in Lua: those that are written as the program writes them come as their
 * fields, others as their text; lines that nobody asks for do not come. */
#define _GNU_SOURCE /* memmem */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/form.h"
#include "base/gz_lines.h"
#include "binding.h"

#define LOG_LINES    "pinion.LogLines"
#define FORMS_MAX    4
#define MARKS_MAX    4
#define MARK_MAX     48
#define LINE_LONGEST INT_MAX /* what zlib can read at once */

typedef struct marks {
    lua_Integer count;
    char texts[MARKS_MAX][MARK_MAX];
    size_t sizes[MARKS_MAX];
} marks;

typedef struct log_lines {
    gz_lines lines;
    char message[GZ_MESSAGE_SIZE];
    int failed;
    char *line; /* null: none */
    form forms[FORMS_MAX];
    lua_Integer form_count;
    marks with, without;
    char path[1]; /* as long as it is */
} log_lines;

static log_lines *check_self(lua_State *L)
{
    return luaL_checkudata(L, 1, LOG_LINES);
}

static int close_lines(lua_State *L)
{
    log_lines *self = check_self(L);
    gz_lines_close(&self->lines);
    self->line = NULL;
    return 0;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

/* The texts of an array, or none where it is nil; each goes to `put`, with its place. */
static lua_Integer read_texts(lua_State *L, int argument, lua_Integer most, log_lines *self,
                              int (*put)(log_lines *self, int argument, lua_Integer i,
                                         const char *text))
{
    lua_Integer count = 0;
    if (lua_isnoneornil(L, argument))
        return 0;
    luaL_checktype(L, argument, LUA_TTABLE);
    for (; lua_rawgeti(L, argument, count + 1) != LUA_TNIL; count++) {
        const char *text = lua_tostring(L, -1);
        luaL_argcheck(L, text && count < most && put(self, argument, count, text), argument,
                      "not so many texts of this kind");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

static int put_form(log_lines *self, int argument, lua_Integer i, const char *text)
{
    (void)argument;
    return form_make(&self->forms[i], text);
}

static int put_mark(log_lines *self, int argument, lua_Integer i, const char *text)
{
    marks *list = argument == 2 ? &self->with : &self->without;
    list->sizes[i] = strlen(text);
    if (list->sizes[i] >= MARK_MAX)
        return 0;
    memcpy(list->texts[i], text, list->sizes[i] + 1);
    return 1;
}

/* (with, without): from now on only lines that have one of the texts in them, unless nil, and none
 * of the others. */
static int choose(lua_State *L)
{
    log_lines *self = check_self(L);
    lua_settop(L, 3);
    self->with.count = read_texts(L, 2, MARKS_MAX, self, put_mark);
    self->without.count = read_texts(L, 3, MARKS_MAX, self, put_mark);
    return 0;
}

/* (path, forms): a function-like value that gives the file's lines, or nil and a message. */
static int open_lines(lua_State *L)
{
    size_t size;
    const char *path = luaL_checklstring(L, 1, &size);
    log_lines *self = lua_newuserdatauv(L, sizeof *self + size, 0);
    memset(self, 0, sizeof *self);
    memcpy(self->path, path, size + 1);
    self->lines.path = self->path;
    self->lines.message = self->message;
    self->lines.longest = LINE_LONGEST;
    luaL_setmetatable(L, LOG_LINES);
    self->form_count = read_texts(L, 2, FORMS_MAX, self, put_form);
    return gz_lines_open(&self->lines) > 0 ? 1 : push_failure(L, self->message);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int has_one(const log_lines *self, const marks *list)
{
    for (lua_Integer i = 0; i < list->count; i++)
        if (memmem(self->line, self->lines.size, list->texts[i], list->sizes[i]))
            return 1;
    return 0;
}

/* [[1,2],[3]], of which form_match has seen that it is that. */
static void push_arrays(lua_State *L, char *at)
{
    lua_Integer count = 0;
    lua_newtable(L);
    do {
        lua_Integer numbers = 0;
        at += 2; /* "[[" or ",[" */
        lua_createtable(L, 4, 0);
        do {
            lua_pushinteger(L, strtoll(at, &at, 10));
            lua_rawseti(L, -2, ++numbers);
        } while (*at++ == ',');
        lua_rawseti(L, -2, ++count);
    } while (*at == ',');
}

/* A decimal number as Lua reads it, or nil. */
static void push_decimal(lua_State *L, const form_field *field)
{
    char behind = field->text[field->size];
    field->text[field->size] = '\0';
    if (lua_stringtonumber(L, field->text) == 0)
        lua_pushnil(L);
    field->text[field->size] = behind;
}

static void push_field(lua_State *L, const form_field *field)
{
    if (!field->text)
        lua_pushinteger(L, (lua_Integer)field->number);
    else if (field->kind == 'v')
        push_arrays(L, field->text);
    else if (field->kind == 'n')
        push_decimal(L, field);
    else
        lua_pushlstring(L, field->text, field->size);
}

static int push_line(lua_State *L, log_lines *self)
{
    form_field fields[FORM_FIELDS_MAX];
    lua_pushinteger(L, (lua_Integer)self->lines.line);
    for (lua_Integer i = 0; i < self->form_count; i++) {
        int count = form_match(&self->forms[i], self->line, self->lines.size, fields);
        if (count < 0)
            continue;
        lua_pushinteger(L, i + 1);
        for (int field = 0; field < count; field++)
            push_field(L, &fields[field]);
        return count + 2;
    }
    lua_pushnil(L);
    lua_pushlstring(L, self->line, self->lines.size);
    return 3;
}

/* The next line that is asked for: its number, the number of its form and the fields; or its
 * number, nil and its text. Nothing at the end, or when it fails: see problem. */
static int next_line(lua_State *L)
{
    log_lines *self = check_self(L);
    luaL_argcheck(L, self->lines.file, 1, "the file is closed");
    for (;;) {
        int status = gz_lines_next(&self->lines, &self->line);
        self->failed = status < 0;
        if (status <= 0) {
            self->line = NULL;
            return 0;
        }
        if ((self->with.count == 0 || has_one(self, &self->with)) && !has_one(self, &self->without))
            return push_line(L, self);
    }
}

/* text(): of the line that came last. */
static int text_of(lua_State *L)
{
    log_lines *self = check_self(L);
    luaL_argcheck(L, self->line, 1, "no line has come");
    lua_pushlstring(L, self->line, self->lines.size);
    return 1;
}

/* count(): how many lines have been read, also those that nobody asked for. */
static int count_of(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_self(L)->lines.line);
    return 1;
}

/* problem(): why there are no more lines; nil when that is the end of the file. */
static int problem_of(lua_State *L)
{
    log_lines *self = check_self(L);
    if (!self->failed)
        return 0;
    lua_pushstring(L, self->message);
    return 1;
}

void llog_lines_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"choose", choose},
                                       {"text", text_of},
                                       {"count", count_of},
                                       {"problem", problem_of},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {
        {"__gc", close_lines}, {"__close", close_lines}, {"__call", next_line}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"log_lines", open_lines}, {NULL, NULL}};
    lpinion_type(L, LOG_LINES, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
