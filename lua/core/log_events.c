/* Lines of decision logs in Lua: the kind of each line and the values of its fields, by the rows of
 * its model. Lines that are not asked for do not come. */
#include <string.h>

#include "run/log_reader.h"
#include "verify.h"

#define LOG_EVENTS "pinion.LogEvents"

typedef struct log_events {
    log_reader reader;
    int has_failed;
    char path[1]; /* as long as it is */
} log_events;

static log_events *check_self(lua_State *L)
{
    return luaL_checkudata(L, 1, LOG_EVENTS);
}

static int close_events(lua_State *L)
{
    log_reader_close(&check_self(L)->reader);
    return 0;
}

/* Returns the rows of the model that argument `argument` names. */
static const log_kinds *kinds_of(lua_State *L, int argument)
{
    const core_model *model = core_model_find(luaL_checkstring(L, argument));
    luaL_argcheck(L, model, argument, "is no model");
    return model->verify->kinds;
}

/* (path, model): a function-like value that gives the lines behind the first, or nil and a
 * message. */
static int open_events(lua_State *L)
{
    size_t size;
    char *first;
    const char *path = luaL_checklstring(L, 1, &size);
    const log_kinds *kinds = kinds_of(L, 2);
    log_events *self = lua_newuserdatauv(L, sizeof *self + size, 0);
    memset(self, 0, sizeof *self);
    memcpy(self->path, path, size + 1);
    luaL_setmetatable(L, LOG_EVENTS);
    if (log_reader_open(&self->reader, self->path, kinds) < 0 ||
        log_reader_line(&self->reader, &first) < 0)
        return push_failure(L, self->reader.message);
    return 1;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

/* Returns the bit of the kind whose name is on top of the stack. */
static uint32_t bit_of(lua_State *L, const log_kinds *kinds)
{
    const char *name = lua_tostring(L, -1);
    for (uint32_t i = 0; name && i < kinds->count; i++)
        if (kinds->kinds[i].name && strcmp(kinds->kinds[i].name, name) == 0)
            return (uint32_t)1 << i;
    return (uint32_t)luaL_argerror(L, 2, "is no array of kinds of lines");
}

/* Reads the bits of the kinds in the array at index 2. */
static uint32_t read_kinds(lua_State *L, const log_kinds *kinds)
{
    uint32_t bits = 0;
    luaL_checktype(L, 2, LUA_TTABLE);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
        bits |= bit_of(L, kinds);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return bits;
}

/* (kinds): from now on only lines of these kinds. */
static int choose(lua_State *L)
{
    log_reader *reader = &check_self(L)->reader;
    reader->filter = (log_filter){.kinds = read_kinds(L, reader->kinds)};
    return 0;
}

/* (kinds): from now on all lines but those of these kinds. */
static int leave_out(lua_State *L)
{
    log_reader *reader = &check_self(L)->reader;
    reader->filter = (log_filter){.kinds = ~read_kinds(L, reader->kinds)};
    return 0;
}

/* (job): from now on only lines about this job. */
static int choose_job(lua_State *L)
{
    check_self(L)->reader.filter = (log_filter){.job = (uint64_t)luaL_checkinteger(L, 2)};
    return 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Pushes the vector at `at`; returns where it ends. */
static const char *push_vector(lua_State *L, const char *at)
{
    uint64_t numbers[PN_DISPATCH_RESOURCES_MAX];
    uint32_t count;
    at = log_read_vector(at, numbers, PN_DISPATCH_RESOURCES_MAX, &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)numbers[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return at;
}

static void push_vectors(lua_State *L, const char *at)
{
    lua_newtable(L);
    for (lua_Integer i = 1; *at != ']'; i++) {
        at = push_vector(L, at + 1); /* behind "[" or "," */
        lua_rawseti(L, -2, i);
    }
}

static void push_number(lua_State *L, const log_value *value)
{
    if (value->is_integer)
        lua_pushinteger(L, (lua_Integer)value->number);
    else
        lua_pushnumber(L, value->real);
}

/* Pushes what a field holds; returns how many values that is: of tasks the first and how many, of
 * others one, and nil where the field is missing. */
static int push_value(lua_State *L, const log_field *field, const log_value *value)
{
    if (!value->is_there)
        lua_pushnil(L);
    else if (field->type == LOG_NUMBER)
        push_number(L, value);
    else if (field->type == LOG_WORD || (field->type == LOG_EXACT && !value->is_integer))
        lua_pushlstring(L, value->text, value->size);
    else if (field->type == LOG_VECTOR)
        push_vector(L, value->text);
    else if (field->type == LOG_VECTORS)
        push_vectors(L, value->text);
    else
        lua_pushinteger(L, (lua_Integer)value->number);
    if (field->type != LOG_TASKS)
        return 1;
    lua_pushinteger(L, (lua_Integer)value->other);
    return 2;
}

/* Pushes the kind's name and the values in the order of the rows; returns how many. */
static int push_event(lua_State *L, const log_event *event)
{
    int count = 1;
    lua_pushstring(L, event->kind->name);
    for (uint32_t i = 0; event->kind->fields[i].name; i++)
        count += push_value(L, &event->kind->fields[i], &event->values[i]);
    return count;
}

/* Pushes the next line that is asked for: its number, its kind and the values of its fields.
 * Nothing at the end, or when it fails: see problem. */
static int next_event(lua_State *L)
{
    log_events *self = check_self(L);
    int status;
    luaL_argcheck(L, self->reader.lines.file, 1, "the file is closed");
    status = log_reader_next(&self->reader);
    self->has_failed = status < 0;
    if (status <= 0)
        return 0;
    lua_pushinteger(L, (lua_Integer)self->reader.lines.line);
    return 1 + push_event(L, &self->reader.event);
}

/* count(): how many lines have been read, also those that are not asked for. */
static int count_of(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_self(L)->reader.lines.line);
    return 1;
}

/* problem(): why there are no more lines; nil when that is the end of the file. */
static int problem_of(lua_State *L)
{
    log_events *self = check_self(L);
    if (!self->has_failed)
        return 0;
    lua_pushstring(L, self->reader.message);
    return 1;
}

/* (line, model): the kind of a line and the values of its fields; or nil and what is wrong. */
static int read_event(lua_State *L)
{
    size_t size;
    log_event event;
    const char *line = luaL_checklstring(L, 1, &size);
    if (log_read(&event, kinds_of(L, 2), line, size, NULL) < 0)
        return push_failure(L, event.fault);
    return push_event(L, &event);
}

void llog_events_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"choose", choose},         {"leave_out", leave_out},
                                       {"choose_job", choose_job}, {"count", count_of},
                                       {"problem", problem_of},    {NULL, NULL}};
    static const luaL_Reg metamethods[] = {
        {"__gc", close_events}, {"__close", close_events}, {"__call", next_event}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"log_events", open_events}, {"log_event", read_event}, {NULL, NULL}};
    lpinion_type(L, LOG_EVENTS, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
