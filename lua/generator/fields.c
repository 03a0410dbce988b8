/* Reads the fields of a job that a script makes. They are found in one walk through its table: the
 * names of a state are unique, so that addresses tell them apart. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/bounds.h"
#include "base/nearest.h"
#include "sandbox/internal.h"
#include "state.h"

/* ---- faults ---------------------------------------------------------------------------------- */

int generator_refuse(lua_State *L, const pn_lua_workload *self, int field, const char *format, ...)
{
    const char *what;
    va_list arguments;
    va_start(arguments, format);
    what = lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    if (field < 0)
        return luaL_error(L, "job %I: %s", (LUAI_UACINT)self->made, what);
    return luaL_error(L, "job %I: %s: %s", (LUAI_UACINT)self->made, self->keys[field], what);
}

const char *generator_shown(lua_State *L, int index)
{
    if (lua_type(L, index) == LUA_TSTRING)
        return lua_pushfstring(L, "'%s'", lua_tostring(L, index));
    if (lua_type(L, index) != LUA_TNUMBER)
        return lua_pushfstring(L, "a %s", luaL_typename(L, index));
    if (lua_tonumber(L, index) != lua_tonumber(L, index))
        return "NaN";
    lua_pushvalue(L, index);
    return lua_tostring(L, -1);
}

/* Refuses the first field in the order of bytes that a job does not have. */
static int refuse_unknown(lua_State *L, const pn_lua_workload *self)
{
    const char *odd = NULL;
    for (lua_pushnil(L); lua_next(L, JOB_TABLE); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        bool known = false;
        if (!name)
            return generator_refuse(L, self, -1, "has an entry under a %s (expected named fields)",
                                    luaL_typename(L, -2));
        for (int i = 0; i < self->key_count && !known; i++)
            known = strcmp(self->keys[i], name) == 0;
        if (!known && (!odd || strcmp(name, odd) < 0))
            odd = name;
    }
    const char *near = nearest_name(odd, self->keys);
    if (near)
        return generator_refuse(L, self, -1, "unknown field '%s' (did you mean '%s'?)", odd, near);
    lua_pushstring(L, self->keys[0]);
    for (int i = 1; i < self->key_count; i++)
        lua_pushfstring(L, "%s, %s", lua_tostring(L, -1), self->keys[i]);
    return generator_refuse(L, self, -1, "unknown field '%s' (known: %s)", odd,
                            lua_tostring(L, -1));
}

void generator_spread_fields(lua_State *L, pn_lua_workload *self)
{
    int filled = 0, met = 0;
    if (self->box)
        sandbox_reads(L, JOB_TABLE); /* what is in a table of the file */
    luaL_checkstack(L, self->key_count + LUA_MINSTACK, NULL);
    for (int i = 0; i < self->key_count; i++)
        lua_pushnil(L);
    for (lua_pushnil(L); lua_next(L, JOB_TABLE); met++) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        int i = 0;
        while (i < self->key_count && self->keys[i] != name)
            i++;
        if (i < self->key_count) {
            lua_replace(L, JOB_FIELDS + i);
            filled++;
        } else {
            lua_pop(L, 1);
        }
    }
    sandbox_charge(L, (uint64_t)met);
    if (filled < met)
        refuse_unknown(L, self);
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool generator_has(lua_State *L, int field)
{
    return lua_type(L, JOB_FIELDS + field) != LUA_TNIL;
}

/* Takes the integer at `index`, also where it is written as a float. */
static bool take_integer(lua_State *L, int index, lua_Integer *value)
{
    int integer = 0;
    *value = lua_tointegerx(L, index, &integer);
    return integer && lua_type(L, index) == LUA_TNUMBER;
}

bool generator_integer_at(lua_State *L, int index, uint64_t low, uint64_t high, uint64_t *value)
{
    lua_Integer integer;
    bool taken = take_integer(L, index, &integer) && integer >= 0;
    *value = taken ? (uint64_t)integer : 0;
    return taken && low <= *value && *value <= high;
}

uint64_t generator_integer(lua_State *L, const pn_lua_workload *self, int field, uint64_t low,
                           uint64_t high, uint64_t missing)
{
    int index = JOB_FIELDS + field;
    uint64_t value;
    if (lua_isnil(L, index))
        return missing;
    if (!generator_integer_at(L, index, low, high, &value))
        generator_refuse(L, self, field, "must be an integer in %I..%I, got %s", (LUAI_UACINT)low,
                         (LUAI_UACINT)high, generator_shown(L, index));
    return value;
}

double generator_amount(lua_State *L, const pn_lua_workload *self, int field)
{
    int index = JOB_FIELDS + field;
    double value = lua_tonumber(L, index);
    if (lua_isnil(L, index))
        return 0.0;
    if (lua_type(L, index) != LUA_TNUMBER || !(value >= 0) || !isfinite(value))
        generator_refuse(L, self, field, "must be a finite number >= 0, got %s",
                         generator_shown(L, index));
    if (value > PN_TANDEM_MOST)
        generator_refuse(L, self, field, "must be at most 2^256");
    return value < PN_TANDEM_LEAST ? 0.0 : value;
}

/* Reads an arrival. A float counts up to the integer that is not below it: times that are summed up
 * keep their fractions. */
uint64_t generator_arrival(lua_State *L, pn_lua_workload *self, int field, uint64_t least)
{
    int index = JOB_FIELDS + field;
    double value = lua_tonumber(L, index);
    if (lua_isnil(L, index))
        generator_refuse(L, self, field, "is required");
    if (lua_type(L, index) != LUA_TNUMBER || !(value >= 0) || value > (double)PN_INTEGER_MAX)
        generator_refuse(L, self, field, "must be a number in %I..2^53, got %s", (LUAI_UACINT)least,
                         generator_shown(L, index));
    value = ceil(value);
    value = value < (double)least ? (double)least : value;
    if (value < self->latest)
        generator_refuse(L, self, field,
                         "is %s, before the job ahead of it (expected jobs in the order of their "
                         "arrival, %I or later)",
                         generator_shown(L, index), (LUAI_UACINT)self->latest);
    self->latest = value;
    return (uint64_t)value;
}

/* Notes estimates: the first job with one says that jobs have them. */
static void note_estimates(lua_State *L, pn_lua_workload *self, int field)
{
    if (!self->estimates && self->made == 1)
        self->estimates = true;
    if (!self->estimates)
        generator_refuse(L, self, field,
                         "the first job has no estimate (expected estimates = true in the "
                         "definition, or an estimate in the first job)");
}

/* ---- lists ----------------------------------------------------------------------------------- */

size_t generator_list_length(lua_State *L, const pn_lua_workload *self, int field, size_t most)
{
    int index = JOB_FIELDS + field;
    lua_Integer length;
    if (lua_type(L, index) != LUA_TTABLE)
        generator_refuse(L, self, field, "must be a list of integers, got %s",
                         generator_shown(L, index));
    if (self->box)
        sandbox_reads(L, index);
    length = sandbox_length(L, index);
    if ((uint64_t)length > most)
        generator_refuse(L, self, field, "has %I elements (expected at most %I)",
                         (LUAI_UACINT)length, (LUAI_UACINT)most);
    sandbox_charge(L, (uint64_t)length);
    return (size_t)length;
}

uint64_t generator_element(lua_State *L, const pn_lua_workload *self, int field, size_t k,
                           uint64_t low, uint64_t high)
{
    uint64_t value;
    lua_rawgeti(L, JOB_FIELDS + field, (lua_Integer)k);
    if (!generator_integer_at(L, -1, low, high, &value))
        generator_refuse(L, self, field, "element %I must be an integer in %I..%I, got %s",
                         (LUAI_UACINT)k, (LUAI_UACINT)low, (LUAI_UACINT)high,
                         generator_shown(L, lua_gettop(L)));
    lua_pop(L, 1);
    return value;
}

void *generator_list_room(lua_State *L, pn_lua_workload *self, int list, size_t count,
                          size_t element)
{
    generator_list *kept = &self->lists[list];
    size_t wanted = count * element;
    if (wanted <= kept->room && kept->bytes)
        return kept->bytes;
    wanted = wanted < 64 ? 64 : wanted + wanted / 2;
    kept->room = 0;
    kept->bytes = lua_newuserdatauv(L, wanted, 0);
    kept->room = wanted;
    generator_keep(L, self, KEPT_LISTS + list);
    return kept->bytes;
}

/* ---- fields of rows -------------------------------------------------------------------------- */

int generator_field(const pn_lua_workload *self, const char *name)
{
    int field = 0;
    while (strcmp(self->keys[field], name) != 0)
        field++;
    return field;
}

static void read_integer(lua_State *L, pn_lua_workload *self, int field)
{
    const job_field *row = self->rows[field];
    lua_Integer value;
    if (row->flags & JOB_ARRIVAL) {
        uint64_t arrival = generator_arrival(L, self, field, (uint64_t)row->low);
        job_field_put(row, &self->job, (int64_t)arrival);
        return;
    }
    if (!take_integer(L, JOB_FIELDS + field, &value) || value < row->low || value > row->high)
        generator_refuse(L, self, field, "must be an integer in %I..%I, got %s",
                         (LUAI_UACINT)row->low, (LUAI_UACINT)row->high,
                         generator_shown(L, JOB_FIELDS + field));
    if (value == 0 && row->flags & JOB_ESTIMATE)
        value = -1; /* PN_SLOTTED_ESTIMATE_ZERO */
    job_field_put(row, &self->job, value);
}

static void read_amount(lua_State *L, pn_lua_workload *self, int field)
{
    const job_field *row = self->rows[field];
    double value = generator_amount(L, self, field);
    if (value == 0.0 && row->flags & JOB_ESTIMATE)
        value = PN_TANDEM_ESTIMATE_ZERO;
    job_field_put_amount(row, &self->job, value);
}

/* Reads one value for each of the tasks that another field counts. */
static void read_list(lua_State *L, pn_lua_workload *self, int field, int list)
{
    const job_field *row = self->rows[field];
    uint64_t tasks = job_field_count(row, &self->job);
    size_t count = generator_list_length(L, self, field, LIMIT_JOB_TASKS);
    void *values;
    if (count != tasks)
        generator_refuse(L, self, field, "has %d values (expected one for each of the %d tasks)",
                         (int)count, (int)tasks);
    if (row->instead && generator_has(L, generator_field(self, row->instead)))
        generator_refuse(L, self, field, "cannot be given together with %s", row->instead);
    values = generator_list_room(L, self, list, count, row->size);
    for (size_t k = 0; k < count; k++)
        job_list_put(
            row, values, k,
            generator_element(L, self, field, k + 1, (uint64_t)row->low, (uint64_t)row->high));
    job_field_put_list(row, &self->job, values, count);
}

static void read_row(lua_State *L, pn_lua_workload *self, int field, int list)
{
    const job_field *row = self->rows[field];
    if (row->flags & JOB_ESTIMATE)
        note_estimates(L, self, field);
    if (row->kind == JOB_INTEGER)
        read_integer(L, self, field);
    else if (row->kind == JOB_AMOUNT)
        read_amount(L, self, field);
    else if (row->kind == JOB_LIST)
        read_list(L, self, field, list);
}

void generator_read_rows(lua_State *L, pn_lua_workload *self)
{
    int list = 0;
    for (int field = 0; field < self->attribute_key; field++) {
        const job_field *row = self->rows[field];
        if (!row || row->kind == JOB_GROUP)
            continue;
        if (generator_has(L, field) || row->flags & JOB_ARRIVAL)
            read_row(L, self, field, list);
        else if (row->flags & JOB_REQUIRED)
            generator_refuse(L, self, field, "is required (%s)", row->doc);
        else if (row->kind == JOB_INTEGER)
            job_field_put(row, &self->job, row->missing);
        list += row->kind == JOB_LIST;
    }
}
