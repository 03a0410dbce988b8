/* The userdata "pinion.Rows" (one row per job of a run) and "pinion.Stats" (a copy of the kernel's streaming statistics). */
#include <stdlib.h>
#include <string.h>

#include "lrows.h"

#define ROWS  "pinion.Rows"
#define STATS "pinion.Stats"

/* ---- rows ------------------------------------------------------------------------------------------- */

static rows *check_rows(lua_State *L)
{
    return luaL_checkudata(L, 1, ROWS);
}

rows *rows_push(lua_State *L)
{
    rows *self = lua_newuserdatauv(L, sizeof *self, 0);
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, ROWS);
    return self;
}

void rows_clear(rows *self)
{
    free(self->cells);
    free(self->sorted);
    memset(self, 0, sizeof *self);
}

void rows_take(rows *self, row *cells, size_t count)
{
    rows_clear(self);
    self->cells = cells;
    self->count = self->room = count;
}

int rows_add(rows *self, uint64_t arrival, uint32_t group)
{
    if (self->count == self->room) {
        size_t wanted = self->room ? 2 * self->room : 256;
        row *larger = wanted > SIZE_MAX / sizeof *larger ? NULL : realloc(self->cells, wanted * sizeof *larger);
        if (!larger)
            return 0;
        self->cells = larger;
        self->room = wanted;
    }
    self->cells[self->count++] = (row){.arrival = arrival, .group = group};
    return 1;
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

/* arrival, map_finish, finish, flow_time; the last three nil while the job is unfinished. */
static int rows_unpack(lua_State *L)
{
    const rows *self = check_rows(L);
    lua_Integer index = luaL_checkinteger(L, 2);
    const row *cell;
    luaL_argcheck(L, 1 <= index && (uint64_t)index <= self->count, 2, "no job of this number");
    cell = &self->cells[index - 1];
    lua_pushinteger(L, (lua_Integer)cell->arrival);
    if (cell->finish == 0)
        return 1;
    lua_pushinteger(L, (lua_Integer)cell->map_finish);
    lua_pushinteger(L, (lua_Integer)cell->finish);
    lua_pushinteger(L, (lua_Integer)(cell->finish - cell->arrival + 1));
    return 4;
}

static int compare_times(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void sort_flow_times(lua_State *L, rows *self)
{
    self->sorted = malloc(self->count ? self->count * sizeof *self->sorted : 1);
    if (!self->sorted)
        luaL_error(L, "not enough memory to sort the flow times");
    for (size_t i = self->skipped; i < self->count; i++)
        if (self->cells[i].finish != 0)
            self->sorted[self->sorted_count++] = self->cells[i].finish - self->cells[i].arrival + 1;
    qsort(self->sorted, self->sorted_count, sizeof *self->sorted, compare_times);
}

/* The smallest flow time with at least q * count of them at or below it (nearest rank); nil when no job has finished. */
static int rows_quantile(lua_State *L)
{
    rows *self = check_rows(L);
    double q = luaL_checknumber(L, 2), position;
    size_t rank;
    luaL_argcheck(L, q >= 0.0 && q <= 1.0, 2, "must be in 0..1");
    if (!self->sorted)
        sort_flow_times(L, self);
    if (self->sorted_count == 0)
        return 0;
    /* 0.07 * 100 is a hair over 7: a rank that rounding alone lifts over an integer stays there. */
    position = q * (double)self->sorted_count * (1.0 - 1e-14);
    rank = (size_t)position;
    rank += (double)rank < position || rank == 0;
    rank = rank < self->sorted_count ? rank : self->sorted_count;
    lua_pushinteger(L, (lua_Integer)self->sorted[rank - 1]);
    return 1;
}

/* How many jobs belong to the warm-up. */
static int rows_skipped(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_rows(L)->skipped);
    return 1;
}

/* counts(group): how often each flow time occurred behind the warm-up, in a group or (nil) in all, as a table by flow time. */
static int rows_counts(lua_State *L)
{
    const rows *self = check_rows(L);
    lua_Integer group = luaL_optinteger(L, 2, -1);
    uint64_t *times = lua_newuserdatauv(L, (self->count ? self->count : 1) * sizeof *times, 0);
    size_t filled = 0;
    for (size_t i = self->skipped; i < self->count; i++) {
        const row *cell = &self->cells[i];
        if (cell->finish != 0 && (group < 0 || cell->group == (uint64_t)group))
            times[filled++] = cell->finish - cell->arrival + 1;
    }
    qsort(times, filled, sizeof *times, compare_times);
    lua_newtable(L);
    for (size_t from = 0, to; from < filled; from = to) {
        for (to = from + 1; to < filled && times[to] == times[from];)
            to++;
        lua_pushinteger(L, (lua_Integer)(to - from));
        lua_rawseti(L, -2, (lua_Integer)times[from]);
    }
    return 1;
}

static void push_row(lua_State *L, const row *cell, lua_Integer id)
{
    lua_createtable(L, 0, 6);
    set_integer(L, "id", (uint64_t)id);
    set_integer(L, "arrival", cell->arrival);
    set_integer(L, "group", cell->group);
    if (cell->finish != 0) {
        set_integer(L, "map_finish", cell->map_finish);
        set_integer(L, "finish", cell->finish);
        set_integer(L, "flow_time", cell->finish - cell->arrival + 1);
    }
}

/* rows[i], nil outside 1..#rows as in any sequence; otherwise a method. */
static int rows_index(lua_State *L)
{
    const rows *self = check_rows(L);
    if (lua_isinteger(L, 2)) {
        lua_Integer index = lua_tointeger(L, 2);
        if (index < 1 || (uint64_t)index > self->count)
            return 0;
        push_row(L, &self->cells[index - 1], index);
        return 1;
    }
    lua_settop(L, 2);
    lua_gettable(L, lua_upvalueindex(1));
    return 1;
}

/* ---- statistics ------------------------------------------------------------------------------------- */

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

/* What is exact and an integer is handed over as one. */
static int push_sample(lua_State *L, const pn_stats *stats, double value)
{
    if (stats->count == 0)
        lua_pushinteger(L, 0);
    else if (stats->integer && value <= (double)PN_INTEGER_MAX && (double)(lua_Integer)value == value)
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

/* counts(): how many samples each cell of the histogram has, as a table by the cell's value; the extremes stand for themselves.
 */
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
    static const luaL_Reg row_methods[] = {
        {"unpack", rows_unpack}, {"quantile", rows_quantile}, {"skipped", rows_skipped}, {"counts", rows_counts}, {NULL, NULL}};
    static const luaL_Reg row_metamethods[] = {{"__gc", rows_gc}, {"__len", rows_length}, {NULL, NULL}};
    static const luaL_Reg stats_methods[] = {{"count", stats_count},   {"mean", stats_mean}, {"variance", stats_variance},
                                             {"min", stats_min},       {"max", stats_max},   {"quantile", stats_quantile},
                                             {"counts", stats_counts}, {NULL, NULL}};
    static const luaL_Reg none[] = {{NULL, NULL}};
    lpinion_type(L, STATS, stats_methods, none);
    lpinion_type(L, ROWS, row_methods, row_metamethods);
    /* Rows answer to numbers and to method names alike: the table of methods becomes an upvalue. */
    luaL_getmetatable(L, ROWS);
    lua_getfield(L, -1, "__index");
    lua_pushcclosure(L, rows_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}
