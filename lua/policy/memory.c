/* Declared memory of a policy in Lua. It lives in the simulation's block, so that a copy of the
 * block carries it: one cell of 16 bytes per value, all zero (the integer 0) at first. The single
 * values, then the arrays, then a column of cells for each per-job value; a job's cells are cleared
 * when it arrives. In front of them, hidden from the script, are the jobs' numbers and the model's
 * own words. */
#include <stdio.h>
#include <string.h>

#include "view.h"

#define COLUMN "policy memory"

/* A number: a type of another value, which a block from outside may hold, counts as VALUE_FLOAT. */
typedef policy_value cell;

static size_t length_of(const policy_cells *cells, size_t jobs_max)
{
    if (cells->kind == CELL_SINGLE)
        return 1;
    return cells->kind == CELL_PER_JOB ? jobs_max : cells->per_job * jobs_max + cells->more;
}

/* The numbers by which scripts know jobs are given on arrival and are free again when the job is
 * done; the one that was freed last is given next. They depend on arrivals and finishes alone. */
typedef struct numbers {
    uint32_t used; /* numbers given so far: 1 to used */
    uint32_t free; /* the one that was freed last, 0 = none */
    /* Two: of places, the number of the job there, 0 = none; of numbers - 1, the place of the job,
     * or the next free number. */
    uint32_t column[];
} numbers;

static size_t hidden_bytes_per_job(const pn_lua_policy *policy)
{
    return 2 * sizeof(uint32_t) + policy->own_words * sizeof(uint64_t);
}

void policy_size_memory(const pn_lua_policy *policy, size_t *bytes, size_t *bytes_per_job)
{
    *bytes = sizeof(numbers);
    *bytes_per_job = hidden_bytes_per_job(policy);
    for (uint32_t i = 0; i < policy->cell_count; i++) {
        /* a length is linear in jobs_max */
        size_t fixed = length_of(&policy->cells[i], 0);
        *bytes += fixed * sizeof(cell);
        *bytes_per_job += (length_of(&policy->cells[i], 1) - fixed) * sizeof(cell);
    }
}

static numbers *numbers_of(const pn_lua_policy *policy, const void *view)
{
    return policy->model->state(view);
}

static cell *first_cell(const pn_lua_policy *policy, const void *view, uint32_t index)
{
    size_t jobs_max = policy->model->jobs_max(view),
           hidden = sizeof(numbers) + jobs_max * hidden_bytes_per_job(policy);
    cell *at = (cell *)(void *)((unsigned char *)policy->model->state(view) + hidden);
    for (uint32_t i = 0; i < index; i++)
        at += length_of(&policy->cells[i], jobs_max);
    return at;
}

/* ---- numbers ---- */

lua_Integer policy_number(const pn_lua_policy *policy, const void *view, uint32_t job)
{
    return (lua_Integer)numbers_of(policy, view)->column[job];
}

uint32_t policy_place(const pn_lua_policy *policy, const void *view, lua_Integer number)
{
    const numbers *all = numbers_of(policy, view);
    const uint32_t *places = all->column + policy->model->jobs_max(view);
    uint32_t place;
    if (number < 1 || number > (lua_Integer)all->used ||
        number > (lua_Integer)policy->model->jobs_max(view))
        return PN_NO_JOB;
    place = places[number - 1];
    /* A link between free numbers looks like a place, but the job there has another number. */
    return place < policy->model->jobs_max(view) && (lua_Integer)all->column[place] == number
               ? place
               : PN_NO_JOB;
}

void policy_clear_job(const pn_lua_policy *policy, const void *view, uint32_t job)
{
    for (uint32_t i = 0; i < policy->cell_count; i++)
        if (policy->cells[i].kind == CELL_PER_JOB)
            memset(first_cell(policy, view, i) + job, 0, sizeof(cell));
}

/* Enters a job. A block from outside may hold anything here: numbers beyond the table are refused
 * where they would be used. */
bool policy_enter_job(const pn_lua_policy *policy, const void *view, uint32_t job)
{
    numbers *all = numbers_of(policy, view);
    uint32_t jobs_max = policy->model->jobs_max(view), *places = all->column + jobs_max,
             number = all->free;
    if (number > jobs_max || (number == 0 && all->used >= jobs_max)) {
        sandbox_say(policy->box, "", 1, "the memory is damaged (expected it as it was written)");
        return false;
    }
    if (number > 0)
        all->free = places[number - 1];
    else
        number = ++all->used;
    places[number - 1] = job;
    all->column[job] = number;
    return true;
}

void policy_leave_job(const pn_lua_policy *policy, const void *view, uint32_t job)
{
    numbers *all = numbers_of(policy, view);
    uint32_t *places = all->column + policy->model->jobs_max(view), number = all->column[job];
    if (number < 1 || number > policy->model->jobs_max(view))
        return;
    places[number - 1] = all->free;
    all->free = number;
    all->column[job] = 0;
}

/* ---- the model's own words ---- */

uint64_t *policy_own_words(const pn_lua_policy *policy, const void *view, uint32_t job)
{
    uint32_t *next = numbers_of(policy, view)->column + 2 * (size_t)policy->model->jobs_max(view);
    return (uint64_t *)(void *)next + (size_t)policy->own_words * job;
}

/* ---- reading and writing from programs ---- */

static policy_value read_cell(const cell *from)
{
    return from->type == VALUE_INTEGER ? *from : policy_float(from->as.number);
}

policy_value policy_read_state(const pn_lua_policy *policy, const void *view, uint32_t index)
{
    return read_cell(first_cell(policy, view, index));
}

/* Finds a cell by index or job; null: there is none. */
static cell *find_cell(const pn_lua_policy *policy, const void *view, uint32_t index,
                       const policy_value *at)
{
    const policy_cells *cells = &policy->cells[index];
    uint32_t job;
    if (cells->kind == CELL_PER_JOB)
        return view_find_job(policy, at, &job) ? first_cell(policy, view, index) + job : NULL;
    size_t length = length_of(cells, policy->model->jobs_max(view));
    if (at->type != VALUE_INTEGER || at->as.integer < 1 || (uint64_t)at->as.integer > length)
        return NULL;
    return first_cell(policy, view, index) + at->as.integer - 1;
}

bool policy_read_cell(const pn_lua_policy *policy, const void *view, uint32_t index,
                      const policy_value *at, policy_value *value)
{
    const cell *from = find_cell(policy, view, index, at);
    if (from)
        *value = read_cell(from);
    return from != NULL;
}

int policy_find_state(const pn_lua_policy *policy, const char *name)
{
    for (uint32_t i = 0; i < policy->cell_count; i++)
        if (policy->cells[i].kind == CELL_SINGLE && strcmp(policy->cells[i].name, name) == 0)
            return (int)i;
    return -1;
}

struct policy_change {
    cell *at, before;
};

/* Notes what a cell holds. False: memory is short. */
static bool note(pn_lua_policy *policy, cell *at)
{
    const pn_lua_options *host = &policy->options;
    if (policy->change_count == policy->change_room) {
        uint32_t room = policy->change_room, more = 2 * room + 32;
        struct policy_change *moved = host->allocate(host->user, policy->changes,
                                                     room * sizeof *moved, more * sizeof *moved);
        if (!moved)
            return false;
        policy->changes = moved;
        policy->change_room = more;
    }
    policy->changes[policy->change_count++] = (struct policy_change){at, *at};
    return true;
}

static bool write_cell(pn_lua_policy *policy, cell *to, const policy_value *value)
{
    bool is_job = value->type == VALUE_JOB;
    if (!to || !(is_job || policy_is_number(value)) || policy->now.moment == MOMENT_KEY ||
        !note(policy, to))
        return false;
    *to = is_job
              ? policy_integer(policy_number(policy, policy->now.view, (uint32_t)value->as.integer))
              : *value;
    return true;
}

bool policy_write_state(pn_lua_policy *policy, uint32_t index, const policy_value *value)
{
    return write_cell(policy, first_cell(policy, policy->now.view, index), value);
}

bool policy_write_cell(pn_lua_policy *policy, uint32_t index, const policy_value *at,
                       const policy_value *value)
{
    return write_cell(policy, find_cell(policy, policy->now.view, index, at), value);
}

void policy_take_back(pn_lua_policy *policy, uint32_t kept)
{
    while (policy->change_count > kept) {
        const struct policy_change *last = &policy->changes[--policy->change_count];
        *last->at = last->before;
    }
}

void policy_forget_changes(pn_lua_policy *policy)
{
    const pn_lua_options *host = &policy->options;
    if (policy->changes)
        host->allocate(host->user, policy->changes, policy->change_room * sizeof *policy->changes,
                       0);
}

uint64_t policy_sum_memory(const pn_lua_policy *policy)
{
    const void *view = policy->now.view;
    uint64_t sum = PN_MIX_START;
    for (uint32_t i = 0; i < policy->cell_count; i++) {
        const cell *at = first_cell(policy, view, i),
                   *end = at + length_of(&policy->cells[i], policy->model->jobs_max(view));
        for (; at < end; at++) {
            bool is_nan = at->type != VALUE_INTEGER && at->as.number != at->as.number;
            sum = pn_mix(pn_mix(sum, at->type), is_nan ? 0 : (uint64_t)at->as.integer);
        }
    }
    return sum;
}

/* ---- reading and writing from the script ---- */

static int push_cell(lua_State *L, const cell *from)
{
    if (from->type != VALUE_INTEGER)
        lua_pushnumber(L, from->as.number);
    else
        lua_pushinteger(L, from->as.integer);
    return 1;
}

static void store_cell(lua_State *L, int argument, cell *to)
{
    const pn_lua_policy *policy = policy_of(L);
    if (policy->now.moment == MOMENT_KEY)
        luaL_error(L, "%s cannot write to memory (write in %s)", policy->model->asking,
                   policy->model->writing);
    if (lua_isinteger(L, argument)) {
        *to = policy_integer((int64_t)lua_tointeger(L, argument));
    } else if (lua_type(L, argument) == LUA_TNUMBER) {
        *to = policy_float(lua_tonumber(L, argument));
    } else {
        luaL_error(L, "declared memory holds numbers, got %s", luaL_typename(L, argument));
    }
}

/* Returns a cell that a script indexes: the userdata holds their index in policy->cells. */
static cell *column_cell(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    const void *view = policy_view(L);
    uint32_t index = *(const uint32_t *)lua_touserdata(L, 1);
    const policy_cells *cells = &policy->cells[index];
    if (cells->kind == CELL_PER_JOB)
        return first_cell(policy, view, index) + view_job(L, 2);
    lua_Integer length = (lua_Integer)length_of(cells, policy->model->jobs_max(view)),
                i = luaL_checkinteger(L, 2);
    if (i < 1 || i > length)
        luaL_error(L, "state.%s[%I]: the index must be in 1..%I", cells->name, (LUAI_UACINT)i,
                   (LUAI_UACINT)length);
    return first_cell(policy, view, index) + i - 1;
}

static int column_get(lua_State *L)
{
    return push_cell(L, column_cell(L));
}

static int column_set(lua_State *L)
{
    store_cell(L, 3, column_cell(L));
    return 0;
}

/* Raises that `state` or `per_job` has no such name: upvalue 1 maps names to cells' indices or to
 * columns, upvalue 2 is what they are called. */
static void unknown_name(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TNUMBER &&
        strcmp(lua_tostring(L, lua_upvalueindex(2)), "per_job") == 0)
        luaL_error(L, "per_job is indexed by name, then by job: s.per_job.name[job]");
    luaL_error(L, "%s.%s is not declared (expected a name listed in %s = { ... })",
               lua_tostring(L, lua_upvalueindex(2)),
               lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2),
               lua_tostring(L, lua_upvalueindex(2)));
}

static int names_get(lua_State *L)
{
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    if (lua_isnil(L, -1))
        unknown_name(L);
    if (!lua_isinteger(L, -1))
        return 1;
    return push_cell(L, first_cell(policy_of(L), policy_view(L), (uint32_t)lua_tointeger(L, -1)));
}

static int names_set(lua_State *L)
{
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    if (lua_isnil(L, -1))
        unknown_name(L);
    if (!lua_isinteger(L, -1))
        luaL_error(L, "%s.%s has many values: give it an index",
                   lua_tostring(L, lua_upvalueindex(2)), lua_tostring(L, 2));
    store_cell(L, 3, first_cell(policy_of(L), policy_view(L), (uint32_t)lua_tointeger(L, -1)));
    return 0;
}

static void push_column(lua_State *L, uint32_t index)
{
    uint32_t *column = lua_newuserdatauv(L, sizeof *column, 0);
    *column = index;
    if (luaL_newmetatable(L, COLUMN)) {
        lua_pushcfunction(L, column_get);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, column_set);
        lua_setfield(L, -2, "__newindex");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
}

static void push_names(lua_State *L, const pn_lua_policy *policy, bool per_job, const char *title)
{
    lua_newuserdatauv(L, 0, 0);
    lua_createtable(L, 0, 4); /* its metatable */
    lua_newtable(L);          /* the names */
    for (uint32_t i = 0; i < policy->cell_count; i++) {
        if ((policy->cells[i].kind == CELL_PER_JOB) != per_job)
            continue;
        if (policy->cells[i].kind == CELL_SINGLE)
            lua_pushinteger(L, i);
        else
            push_column(L, i);
        lua_setfield(L, -2, policy->cells[i].name);
    }
    lua_pushvalue(L, -1);
    lua_pushstring(L, title);
    lua_pushcclosure(L, names_get, 2);
    lua_setfield(L, -3, "__index");
    lua_pushstring(L, title);
    lua_pushcclosure(L, names_set, 2);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

void policy_push_memory(lua_State *L, pn_lua_policy *policy)
{
    push_names(L, policy, false, "state");
    lua_setfield(L, -2, "state");
    push_names(L, policy, true, "per_job");
    lua_setfield(L, -2, "per_job");
}
