/* Jobs in Lua by the rows of their fields (workload/fields.h): read into tables, pushed, and the
 * rows themselves. Files and lists were checked where users wrote them, with messages that name the
 * place; what is checked here keeps C from harm. */
#include <string.h>

#include "workload.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* Stack of workload_read_table: the jobs, an argument of the model, the job that is being read, and
 * a userdata for its lists, where any job has one. */
enum { JOB_AT = 3, LISTS_AT, TABLE_AT };

/* Room for the lists of one job. */
typedef struct list_room {
    unsigned char *bytes;
    size_t used, size;
} list_room;

static int refuse_amount(lua_State *L, const char *name)
{
    return luaL_argerror(L, 1,
                         lua_pushfstring(L, "%s: must be 0 or a number in 2^-256..2^256", name));
}

double field_amount(lua_State *L, int table, const char *name)
{
    double amount = 0.0;
    int type = lua_getfield(L, table, name);
    if (type != LUA_TNIL) {
        amount = lua_tonumber(L, -1);
        if (type != LUA_TNUMBER ||
            !(amount == 0.0 || (amount >= PN_TANDEM_LEAST && amount <= PN_TANDEM_MOST)))
            refuse_amount(L, name);
    }
    lua_pop(L, 1);
    return amount;
}

/* Reads an integer. An estimate of 0 is a size of its own; one that is missing equals the truth. */
static void read_integer(lua_State *L, const job_field *field, void *job, const void *earlier)
{
    int64_t low = field->low, value;
    if (lua_getfield(L, JOB_AT, field->name) == LUA_TNIL && !(field->flags & JOB_REQUIRED)) {
        lua_pop(L, 1);
        job_field_put(field, job, field->missing);
        return;
    }
    if (earlier && field->flags & JOB_ARRIVAL)
        low = job_field_get(field, earlier);
    value = field_integer_on_top(L, JOB_AT, field->name, low, field->high);
    if (value == 0 && field->flags & JOB_ESTIMATE)
        value = -1; /* PN_SLOTTED_ESTIMATE_ZERO */
    job_field_put(field, job, value);
}

static void read_amount(lua_State *L, const job_field *field, void *job, const void *earlier)
{
    double value = field_amount(L, JOB_AT, field->name);
    if (field->flags & JOB_ESTIMATE && value == 0.0) {
        value = lua_getfield(L, JOB_AT, field->name) == LUA_TNIL ? 0.0 : PN_TANDEM_ESTIMATE_ZERO;
        lua_pop(L, 1);
    }
    luaL_argcheck(
        L, !earlier || !(field->flags & JOB_ARRIVAL) || value >= job_field_amount(field, earlier),
        1, "arrival: must not decrease from job to job");
    job_field_put_amount(field, job, value);
}

/* Makes room for `bytes` more; what a job has read before stays where it is. */
static void *make_room(lua_State *L, list_room *room, size_t bytes)
{
    void *at;
    bytes = (bytes + 7) / 8 * 8;
    if (room->size - room->used < bytes) {
        room->size = 2 * (room->size + bytes);
        room->bytes = lua_newuserdatauv(L, room->size, 1);
        lua_pushvalue(L, LISTS_AT); /* the lists ahead */
        lua_setiuservalue(L, -2, 1);
        lua_replace(L, LISTS_AT);
        room->used = 0;
    }
    at = room->bytes + room->used;
    room->used += bytes;
    return at;
}

static void read_list(lua_State *L, const job_field *field, void *job, list_room *room)
{
    lua_Integer count;
    void *values;
    if (lua_getfield(L, JOB_AT, field->name) == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    luaL_argcheck(L, lua_istable(L, -1), 1,
                  lua_pushfstring(L, "%s: must be an array", field->name));
    count = luaL_len(L, -1);
    if (field->of && (uint64_t)count != job_field_count(field, job))
        luaL_argerror(L, 1,
                      lua_pushfstring(L, "%s: must be an array of %d", field->name,
                                      (int)job_field_count(field, job)));
    values = make_room(L, room, (size_t)count * field->size + 1);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_Integer value;
        lua_rawgeti(L, -1, i);
        value = lua_tointeger(L, -1);
        if (!lua_isinteger(L, -1) || value < field->low || value > field->high)
            luaL_argerror(L, 1,
                          lua_pushfstring(L, "%s[%I]: must be an integer in %I..%I", field->name,
                                          (LUAI_UACINT)i, (LUAI_UACINT)field->low,
                                          (LUAI_UACINT)field->high));
        lua_pop(L, 1);
        job_list_put(field, values, (uint64_t)i - 1, (uint64_t)value);
    }
    lua_pop(L, 1);
    job_field_put_list(field, job, values, (uint64_t)count);
}

static void read_fields(lua_State *L, const job_field *fields, void *job, const void *earlier,
                        list_room *room)
{
    for (const job_field *field = fields; field->name; field++)
        switch (field->kind) {
        case JOB_INTEGER:
        case JOB_GROUP:
            read_integer(L, field, job, earlier);
            break;
        case JOB_AMOUNT:
            read_amount(L, field, job, earlier);
            break;
        case JOB_LIST:
            read_list(L, field, job, room);
            break;
        default:
            break;
        }
}

workload *workload_begin_table(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, LISTS_AT);
    return workload_push(L);
}

int workload_read_table(lua_State *L, const job_model *model, source *table,
                        const workload_table *into)
{
    source_any_job jobs[2];
    list_room room = {NULL, 0, 0};
    lua_Integer count = luaL_len(L, 1);
    for (lua_Integer i = 1; i <= count; i++) {
        source_any_job *job = &jobs[i & 1];
        if (workload_interrupted(i))
            return push_failure(L, "interrupted");
        lua_geti(L, 1, i);
        luaL_argcheck(L, lua_istable(L, -1), 1, "must be an array of jobs");
        lua_replace(L, JOB_AT);
        memset(job, 0, sizeof *job);
        read_fields(L, model->fields, job, i > 1 ? &jobs[~i & 1] : NULL, &room);
        if (into->read)
            into->read(L, JOB_AT, table, job);
        if (into->add && !into->add(table, job))
            return workload_out_of_memory(L);
        lua_settop(L, TABLE_AT);
        room.used = 0;
    }
    return 1;
}

/* ---- pushing --------------------------------------------------------------------------------- */

static void push_list(lua_State *L, const job_field *field, const void *job)
{
    uint64_t count = job_field_count(field, job);
    const void *values = job_field_list(field, job);
    lua_createtable(L, (int)count, 0);
    for (uint64_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)job_list_get(field, values, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Pushes nil where the job does not have it. */
static void push_integer(lua_State *L, const job_field *field, const void *job)
{
    int64_t value = job_field_get(field, job);
    if (field->flags & JOB_ESTIMATE && value == -1)
        lua_pushinteger(L, 0);
    else if (value == field->missing &&
             (field->flags & JOB_ESTIMATE || !(field->flags & JOB_ALWAYS)))
        lua_pushnil(L);
    else
        lua_pushinteger(L, value);
}

static void push_amount(lua_State *L, const job_field *field, const void *job)
{
    double value = job_field_amount(field, job);
    if (!(field->flags & JOB_ESTIMATE))
        lua_pushnumber(L, value);
    else if (value == 0.0)
        lua_pushnil(L);
    else
        lua_pushnumber(L, value == PN_TANDEM_ESTIMATE_ZERO ? 0.0 : value);
}

/* Pushes the value of a field; nothing for one that is the model's own. */
static int push_field(lua_State *L, const job_field *field, const void *job)
{
    switch (field->kind) {
    case JOB_GROUP:
        lua_pushinteger(L, job_field_get(field, job));
        return 1;
    case JOB_INTEGER:
        push_integer(L, field, job);
        return 1;
    case JOB_AMOUNT:
        push_amount(L, field, job);
        return 1;
    case JOB_LIST:
        if (field->of && !job_field_list(field, job))
            return 0;
        push_list(L, field, job);
        return 1;
    default:
        return 0;
    }
}

void workload_push_fields(lua_State *L, const job_model *model, const void *job)
{
    lua_createtable(L, 0, 8);
    for (const job_field *field = model->fields; field->name; field++) {
        if (!push_field(L, field, job))
            continue;
        lua_setfield(L, -2, field->name);
        if (field->instead) {
            lua_pushnil(L);
            lua_setfield(L, -2, field->instead);
        }
    }
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Returns whether the value on top of the stack is what the row says, as it is. */
static int is_in_range(lua_State *L, const job_field *field)
{
    if (field->kind == JOB_INTEGER) {
        lua_Integer value = lua_tointeger(L, -1);
        return lua_isinteger(L, -1) && value >= field->low && value <= field->high;
    }
    if (field->kind == JOB_AMOUNT && lua_type(L, -1) == LUA_TNUMBER) {
        double value = lua_tonumber(L, -1);
        lua_pop(L, 1);
        lua_pushnumber(L, value + 0.0); /* -0 becomes 0 */
        return value == 0.0 || (value >= PN_TANDEM_LEAST && value <= PN_TANDEM_MOST);
    }
    return 0;
}

/* Returns whether a field that is missing, or that only the library reads, needs no look. */
static int is_passed(const job_field *field, int type)
{
    if (type == LUA_TNIL)
        return !(field->flags & JOB_REQUIRED);
    return field->kind >= JOB_NAME;
}

/* Checks (job) -> a table of its numbers, and the numbers of the rows that need a closer look. */
static int check_job(lua_State *L)
{
    const job_field *fields = lua_touserdata(L, lua_upvalueindex(1));
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_createtable(L, 0, 8);
    for (const job_field *field = fields; field->name; field++) {
        int type = lua_getfield(L, 1, field->name);
        if (is_passed(field, type)) {
            lua_pop(L, 1);
        } else if (!(field->flags & JOB_YIELDS) && is_in_range(L, field)) {
            lua_setfield(L, 2, field->name);
        } else {
            lua_pop(L, 1);
            lua_pushinteger(L, field - fields + 1);
        }
    }
    return lua_gettop(L) - 1;
}

int core_job_checker(lua_State *L)
{
    const core_model *model = core_model_find(luaL_checkstring(L, 1));
    luaL_argcheck(L, model, 1, "is no model");
    lua_pushlightuserdata(L, (void *)(uintptr_t)model->workload->job->fields);
    lua_pushcclosure(L, check_job, 1);
    return 1;
}

/* ---- the rows themselves --------------------------------------------------------------------- */

static void push_row(lua_State *L, const job_field *field)
{
    static const char *const kinds[] = {"integer", "amount", "list", "name", "group", "own"};
    static const struct {
        const char *name;
        int flag;
    } flags[] = {{"required", JOB_REQUIRED}, {"always", JOB_ALWAYS},
                 {"arrival", JOB_ARRIVAL},   {"estimate", JOB_ESTIMATE},
                 {"yields", JOB_YIELDS},     {"nested", JOB_NESTED},
                 {"distinct", JOB_DISTINCT}, {NULL, 0}};
    lua_createtable(L, 0, 16);
    set_string(L, "name", field->name);
    set_string(L, "kind", kinds[field->kind]);
    set_string(L, "doc", field->doc);
    set_string(L, "absent", field->absent);
    set_string(L, "of", field->of);
    set_string(L, "instead", field->instead);
    set_string(L, "type", field->type);
    set_string(L, "cell", field->cell);
    for (int i = 0; flags[i].name; i++)
        if (field->flags & flags[i].flag)
            set_boolean(L, flags[i].name, 1);
    lua_pushinteger(L, field->low);
    lua_setfield(L, -2, "low");
    lua_pushinteger(L, field->high);
    lua_setfield(L, -2, "high");
}

int core_job_fields(lua_State *L)
{
    const core_model *model = core_model_find(luaL_checkstring(L, 1));
    lua_Integer count = 0;
    luaL_argcheck(L, model, 1, "is no model");
    lua_newtable(L);
    for (const job_field *field = model->workload->job->fields; field->name; field++) {
        push_row(L, field);
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}
