/* The userdata "pinion.Rows" (one row per job of a run) and "pinion.Stats" (a copy of the kernel's
 * streaming statistics). */
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "model.h"

#define ROWS  "pinion.Rows"
#define STATS "pinion.Stats"

/* ---- rows ------------------------------------------------------------------------------------ */

static rows *check_rows(lua_State *L)
{
    return luaL_checkudata(L, 1, ROWS);
}

rows *rows_push(lua_State *L, const row_shape *shape)
{
    rows *self = lua_newuserdatauv(L, sizeof *self, 0);
    memset(self, 0, sizeof *self);
    self->shape = shape;
    luaL_setmetatable(L, ROWS);
    return self;
}

static int rows_gc(lua_State *L)
{
    rows_clear(check_rows(L));
    return 0;
}

static int rows_length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_rows(L)->count);
    return 1;
}

/* Returns whether the row has this value. */
static int has_value(const row_shape *shape, const row *cell, uint32_t value)
{
    if (shape->partial)
        return cell->values[value].integer != ROW_NONE;
    if (value >= shape->known && !cell->finished)
        return 0;
    return !shape->real || cell->values[value].real - cell->values[value].real == 0.0;
}

static pn_exact in_units(const rows *self, uint64_t integer)
{
    pn_exact value = {(int64_t)integer, 1};
    if (self->ticks > 0)
        pn_exact_make(&value, (int64_t)integer, (int64_t)self->ticks);
    return value;
}

/* Pushes the word that a value is called by, false or true; 0 when it is a number. */
static int push_word(lua_State *L, const row_shape *shape, uint32_t value, uint64_t integer)
{
    const char *const *words = shape->words ? shape->words[value] : NULL;
    if (!words)
        return 0;
    if (strcmp(words[0], "false") == 0)
        lua_pushboolean(L, integer != 0);
    else
        lua_pushstring(L, words[integer]);
    return 1;
}

/* Pushes a value as a number. */
static void push_number(lua_State *L, const rows *self, row_value value)
{
    pn_exact exact;
    if (self->shape->real) {
        lua_pushnumber(L, value.real);
        return;
    }
    exact = in_units(self, value.integer);
    if (exact.den == 1)
        lua_pushinteger(L, (lua_Integer)exact.num);
    else
        lua_pushnumber(L, pn_exact_double(exact));
}

/* Pushes the value, or nil. */
static void push_value(lua_State *L, const rows *self, const row *cell, uint32_t value)
{
    if (!has_value(self->shape, cell, value))
        lua_pushnil(L);
    else if (!push_word(L, self->shape, value, cell->values[value].integer))
        push_number(L, self, cell->values[value]);
}

/* Returns the row that argument 2 names. */
static const row *check_row(lua_State *L, const rows *self)
{
    lua_Integer index = luaL_checkinteger(L, 2);
    luaL_argcheck(L, 1 <= index && (uint64_t)index <= self->count, 2, "no job of this number");
    return rows_at(self, (size_t)index - 1);
}

/* Pushes all values in their order; only the first while the job is unfinished, unless rows are
 * partial. */
static int push_values(lua_State *L, const rows *self, const row *cell)
{
    const row_shape *shape = self->shape;
    uint32_t count = cell->finished || shape->partial ? shape->count : shape->known;
    luaL_checkstack(L, (int)count, NULL);
    for (uint32_t value = 0; value < count; value++)
        push_value(L, self, cell, value);
    return (int)count;
}

static int rows_unpack(lua_State *L)
{
    const rows *self = check_rows(L);
    return push_values(L, self, check_row(L, self));
}

/* Writes a value as in JSON; returns its length. */
static size_t write_value(const rows *self, row_value value, char text[DECIMAL_SIZE])
{
    if (self->shape->real)
        return decimal_write(text, value.real);
    pn_exact exact = in_units(self, value.integer);
    if (exact.den != 1)
        return decimal_write(text, pn_exact_double(exact));
    return (size_t)snprintf(text, DECIMAL_SIZE, "%lld", (long long)exact.num);
}

/* csv(i): all values of a row in their order, with commas; nothing where there is none. */
static int rows_csv(lua_State *L)
{
    const rows *self = check_rows(L);
    const row_shape *shape = self->shape;
    const row *cell = check_row(L, self);
    char text[DECIMAL_SIZE];
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    for (uint32_t value = 0; value < shape->count; value++) {
        const char *const *words = shape->words ? shape->words[value] : NULL;
        if (value > 0)
            luaL_addchar(&line, ',');
        if (!has_value(shape, cell, value))
            continue;
        if (words)
            luaL_addstring(&line, words[cell->values[value].integer]);
        else
            luaL_addlstring(&line, text, write_value(self, cell->values[value], text));
    }
    luaL_pushresult(&line);
    return 1;
}

/* Groups the same behind the index of the job's group, from 1. */
static int rows_grouped(lua_State *L)
{
    const rows *self = check_rows(L);
    const row *cell = check_row(L, self);
    lua_pushinteger(L, (lua_Integer)cell->group + 1);
    return 1 + push_values(L, self, cell);
}

/* Returns the value that is named by an argument, or the main one. */
static uint32_t check_value(lua_State *L, const rows *self, int argument)
{
    const row_shape *shape = self->shape;
    return (uint32_t)luaL_checkoption(L, argument, shape->names[shape->main], shape->names);
}

static int compare_integers(const void *left, const void *right)
{
    uint64_t a = ((const row_value *)left)->integer, b = ((const row_value *)right)->integer;
    return (a > b) - (a < b);
}

static int compare_reals(const void *left, const void *right)
{
    double a = ((const row_value *)left)->real, b = ((const row_value *)right)->real;
    return (a > b) - (a < b);
}

/* Gathers the values behind the warm-up, of one group or (negative) of all, in ascending order.
 * `room` holds all rows. */
static size_t gather(const rows *self, uint32_t value, lua_Integer group, row_value *room)
{
    size_t filled = 0;
    for (size_t i = self->skipped; i < self->count; i++) {
        const row *cell = rows_at(self, i);
        int counts = has_value(self->shape, cell, value) &&
                     (!self->shape->partial || cell->finished);
        if (counts && (group < 0 || cell->group == (uint64_t)group))
            room[filled++] = cell->values[value];
    }
    qsort(room, filled, sizeof *room, self->shape->real ? compare_reals : compare_integers);
    return filled;
}

/* Serves quantile(q, name): the smallest value with at least q * count of them at or below it
 * (nearest rank); nil when no job has any. */
static int rows_quantile(lua_State *L)
{
    rows *self = check_rows(L);
    double q = luaL_checknumber(L, 2), position;
    uint32_t value = check_value(L, self, 3);
    size_t rank, count;
    luaL_argcheck(L, q >= 0.0 && q <= 1.0, 2, "must be in 0..1");
    if (!self->sorted[value]) {
        self->sorted[value] = malloc((self->count + 1) * sizeof *self->sorted[value]);
        if (!self->sorted[value])
            return luaL_error(L, "not enough memory to sort the rows");
        self->sorted_count[value] = gather(self, value, -1, self->sorted[value]);
    }
    count = self->sorted_count[value];
    if (count == 0)
        return 0;
    /* 0.07 * 100 is a hair over 7: a rank that rounding alone lifts over an integer stays there. */
    position = q * (double)count * (1.0 - 1e-14);
    rank = (size_t)position;
    rank += (double)rank < position || rank == 0;
    rank = rank < count ? rank : count;
    push_number(L, self, self->sorted[value][rank - 1]);
    return 1;
}

static const char *kind_of(const rows *self, uint32_t value)
{
    const char *const *words = self->shape->words ? self->shape->words[value] : NULL;
    if (words && strcmp(words[0], "false") != 0)
        return "text";
    return self->shape->real || self->ticks > 0 ? "real" : "integer";
}

/* Pushes the values in their order: their names, and what each is: "integer" (booleans too), "real"
 * or "text". */
static int rows_columns(lua_State *L)
{
    const rows *self = check_rows(L);
    lua_createtable(L, (int)self->shape->count, 0);
    lua_createtable(L, (int)self->shape->count, 0);
    for (uint32_t value = 0; value < self->shape->count; value++) {
        lua_pushstring(L, self->shape->names[value]);
        lua_rawseti(L, -3, (lua_Integer)value + 1);
        lua_pushstring(L, kind_of(self, value));
        lua_rawseti(L, -2, (lua_Integer)value + 1);
    }
    return 2;
}

/* Pushes how many jobs belong to the warm-up. */
static int rows_skipped(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_rows(L)->skipped);
    return 1;
}

static int same_value(const rows *self, row_value left, row_value right)
{
    return self->shape->real ? left.real == right.real : left.integer == right.integer;
}

/* counts(name, group): how often each value occurred behind the warm-up, in a group or (nil) in
 * all, as a table by value. */
static int rows_counts(lua_State *L)
{
    const rows *self = check_rows(L);
    uint32_t value = check_value(L, self, 2);
    lua_Integer group = luaL_optinteger(L, 3, -1);
    row_value *found = lua_newuserdatauv(L, (self->count ? self->count : 1) * sizeof *found, 0);
    size_t filled = gather(self, value, group, found);
    lua_newtable(L);
    for (size_t from = 0, to; from < filled; from = to) {
        for (to = from + 1; to < filled && same_value(self, found[to], found[from]);)
            to++;
        push_number(L, self, found[from]);
        lua_pushinteger(L, (lua_Integer)(to - from));
        lua_rawset(L, -3);
    }
    return 1;
}

/* Sets what the row lists, as a table in the one on top of the stack. */
static void set_list(lua_State *L, const rows *self, const row *cell)
{
    size_t entries;
    const uint64_t *values = rows_list(self, cell, &entries);
    if (!values)
        return;
    lua_createtable(L, (int)entries, 0);
    for (size_t i = 0; i < entries; i++) {
        lua_newtable(L);
        for (const char *const *name = self->shape->entry; *name; name++, values++)
            if (*values != ROW_NONE)
                set_integer(L, *name, *values);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, self->shape->list);
}

static void push_row(lua_State *L, const rows *self, const row *cell, lua_Integer id)
{
    const row_shape *shape = self->shape;
    lua_createtable(L, 0, (int)shape->count + 2);
    set_integer(L, "id", (uint64_t)id);
    set_integer(L, "group", cell->group);
    for (uint32_t value = 0; value < shape->count; value++) {
        if (self->ticks > 0 && has_value(shape, cell, value)) {
            set_exact(L, shape->names[value], in_units(self, cell->values[value].integer));
            continue;
        }
        push_value(L, self, cell, value);
        lua_setfield(L, -2, shape->names[value]);
    }
    for (uint32_t i = 0; i < self->attribute_count; i++)
        set_number(L, self->attribute_names[i], cell->values[shape->count + i].real);
    set_list(L, self, cell);
}

/* Serves rows[i], nil outside 1..#rows as in any sequence; otherwise a method. */
static int rows_index(lua_State *L)
{
    const rows *self = check_rows(L);
    if (lua_isinteger(L, 2)) {
        lua_Integer index = lua_tointeger(L, 2);
        if (index < 1 || (uint64_t)index > self->count)
            return 0;
        push_row(L, self, rows_at(self, (size_t)index - 1), index);
        return 1;
    }
    lua_settop(L, 2);
    lua_gettable(L, lua_upvalueindex(1));
    return 1;
}

/* ---- statistics ------------------------------------------------------------------------------ */

void stats_push(lua_State *L, const pn_stats *stats)
{
    size_t size = pn_stats_size(stats->first_octave, stats->octaves);
    memcpy(lua_newuserdatauv(L, size, 0), stats, size);
    luaL_setmetatable(L, STATS);
}

static const pn_stats *check_stats(lua_State *L)
{
    return luaL_checkudata(L, 1, STATS);
}

/* Pushes a sample. What is exact and an integer is pushed as one. */
static int push_sample(lua_State *L, const pn_stats *stats, double value)
{
    if (stats->count == 0)
        lua_pushinteger(L, 0);
    else if (stats->integer && value <= (double)PN_INTEGER_MAX &&
             (double)(lua_Integer)value == value)
        lua_pushinteger(L, (lua_Integer)value);
    else
        lua_pushnumber(L, value);
    return 1;
}

static int stats_count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_stats(L)->count);
    return 1;
}

static int stats_mean(lua_State *L)
{
    const pn_stats *stats = check_stats(L);
    lua_pushnumber(L, stats->count ? stats->mean : 0.0);
    return 1;
}

static int stats_variance(lua_State *L)
{
    lua_pushnumber(L, pn_stats_variance(check_stats(L)));
    return 1;
}

static int stats_min(lua_State *L)
{
    const pn_stats *stats = check_stats(L);
    return push_sample(L, stats, stats->min);
}

static int stats_max(lua_State *L)
{
    const pn_stats *stats = check_stats(L);
    return push_sample(L, stats, stats->max);
}

static int stats_quantile(lua_State *L)
{
    const pn_stats *stats = check_stats(L);
    double q = luaL_checknumber(L, 2);
    luaL_argcheck(L, q >= 0.0 && q <= 1.0, 2, "must be in 0..1");
    return push_sample(L, stats, pn_stats_quantile(stats, q));
}

static void add_count(lua_State *L, const pn_stats *stats, double value, lua_Integer more)
{
    push_sample(L, stats, value);
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    more += lua_tointeger(L, -1); /* nothing yet is 0 */
    lua_pop(L, 1);
    if (more > 0)
        lua_pushinteger(L, more);
    else
        lua_pushnil(L);
    lua_rawset(L, -3);
}

/* pool(counts, values, times): adds how often each of the values occurred to a table of counts. */
static int core_pool(lua_State *L)
{
    lua_Integer count;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    count = (lua_Integer)lua_rawlen(L, 2);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        lua_rawgeti(L, 3, i);
        lua_pushvalue(L, -2);
        if (lua_rawget(L, 1) == LUA_TNUMBER)
            lua_arith(L, LUA_OPADD);
        else
            lua_pop(L, 1);
        lua_rawset(L, 1);
    }
    return 0;
}

/* counts(): how many samples each cell of the histogram has, as a table by the cell's value; the
 * extremes stand for themselves. */
static int stats_counts(lua_State *L)
{
    const pn_stats *stats = check_stats(L);
    const uint64_t *cells = (const uint64_t *)(stats + 1);
    double count = (double)stats->count, first = stats->min, last = stats->max;
    uint64_t below = 0;
    lua_newtable(L);
    for (size_t i = 0; i < (size_t)stats->octaves * PN_STATS_CELLS_PER_OCTAVE; i++) {
        if (cells[i] == 0)
            continue;
        last = pn_stats_quantile(stats, ((double)below + (double)cells[i] / 2.0) / count);
        first = below == 0 ? last : first;
        below += cells[i];
        add_count(L, stats, last, (lua_Integer)cells[i]);
    }
    if (stats->count > 1) {
        add_count(L, stats, first, -1);
        add_count(L, stats, stats->min, 1);
        add_count(L, stats, last, -1);
        add_count(L, stats, stats->max, 1);
    }
    return 1;
}

void lrows_open(lua_State *L)
{
    static const luaL_Reg row_methods[] = {{"unpack", rows_unpack},   {"csv", rows_csv},
                                           {"grouped", rows_grouped}, {"quantile", rows_quantile},
                                           {"skipped", rows_skipped}, {"counts", rows_counts},
                                           {"columns", rows_columns}, {NULL, NULL}};
    static const luaL_Reg row_metamethods[] = {
        {"__gc", rows_gc}, {"__len", rows_length}, {NULL, NULL}};
    static const luaL_Reg stats_methods[] = {
        {"count", stats_count},   {"mean", stats_mean}, {"variance", stats_variance},
        {"min", stats_min},       {"max", stats_max},   {"quantile", stats_quantile},
        {"counts", stats_counts}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"pool", core_pool}, {NULL, NULL}};
    static const luaL_Reg none[] = {{NULL, NULL}};
    lpinion_type(L, STATS, stats_methods, none);
    lpinion_type(L, ROWS, row_methods, row_metamethods);
    /* Rows answer to numbers and to method names alike: the table of methods becomes an upvalue. */
    luaL_getmetatable(L, ROWS);
    lua_getfield(L, -1, "__index");
    lua_pushcclosure(L, rows_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
