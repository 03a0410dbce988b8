/* `g`, with which a script makes jobs. */
#include <math.h>
#include <string.h>

#include "sandbox/internal.h"
#include "state.h"

#define SELF "pinion.Generator"

/* Larger purposes are the program's: errors in sizes, deadlines, arrivals, policies. */
#define PURPOSES_MOST 31

/* Returns the generator whose `g` the method was called on; null when it is gone. */
static pn_lua_workload *self_of(lua_State *L)
{
    generator_self *self = draws_own(L, "the generator comes first: call it as g:name(...)");
    return self->workload;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Returns the number of a job's group; 0 = none. */
static uint32_t read_group(lua_State *L, pn_lua_workload *self)
{
    int field = self->group_key;
    uint32_t group;
    if (!generator_has(L, field))
        return 0;
    if (lua_type(L, JOB_FIELDS + field) != LUA_TSTRING)
        generator_refuse(L, self, field, "must be a name, got a %s",
                         luaL_typename(L, JOB_FIELDS + field));
    generator_push_kept(L, self, KEPT_GROUPS);
    lua_pushvalue(L, JOB_FIELDS + field);
    if (lua_rawget(L, -2) == LUA_TNUMBER) {
        group = (uint32_t)lua_tointeger(L, -1);
        lua_pop(L, 2);
        return group;
    }
    if (generator_odd_group(L, JOB_FIELDS + field))
        generator_refuse(L, self, field, "must be UTF-8 text without null characters");
    if (!self->collecting)
        generator_refuse(L, self, field, "'%s' is none of the groups %s",
                         lua_tostring(L, JOB_FIELDS + field),
                         self->groups_declared
                             ? "that the definition declares"
                             : "that were found (expected groups = { ... } in the definition, or a "
                               "group in the first job, and every group in replica 0)");
    if (self->group_count == GENERATOR_GROUPS_MAX)
        generator_refuse(L, self, field, "more than %d groups", GENERATOR_GROUPS_MAX);
    lua_pushvalue(L, JOB_FIELDS + field);
    lua_pushinteger(L, ++self->group_count);
    lua_rawset(L, -4);
    lua_settop(L, JOB_FIELDS + self->key_count - 1);
    return self->group_count;
}

/* Returns the number of the text in the field, which is an attribute. */
static double label_number(lua_State *L, const pn_lua_workload *self, int field, uint32_t attribute)
{
    lua_Integer number;
    generator_push_kept(L, self, KEPT_LABELS);
    lua_rawgeti(L, -1, (lua_Integer)attribute + 1);
    lua_pushvalue(L, JOB_FIELDS + field);
    if (lua_type(L, -1) != LUA_TSTRING || lua_rawget(L, -2) != LUA_TNUMBER)
        generator_refuse(L, self, field,
                         "must be one of the texts that the definition lists, got %s",
                         generator_shown(L, JOB_FIELDS + field));
    number = lua_tointeger(L, -1);
    lua_settop(L, JOB_FIELDS + self->key_count - 1);
    return (double)number;
}

static const double *read_attributes(lua_State *L, pn_lua_workload *self)
{
    for (uint32_t i = 0; i < self->attribute_count; i++) {
        int field = self->attribute_key + (int)i, index = JOB_FIELDS + field;
        double value = lua_tonumber(L, index);
        if (lua_isnil(L, index))
            value = self->attribute_defaults[i];
        else if (self->labels[i].count > 0)
            value = label_number(L, self, field, i);
        else if (lua_type(L, index) != LUA_TNUMBER || !isfinite(value))
            generator_refuse(L, self, field, "must be a finite number");
        if (value < 0 && strcmp(self->attribute_names[i], "weight") == 0)
            generator_refuse(L, self, field,
                             "must be a number >= 0"); /* results have means by it */
        self->attribute_values[i] = value;
    }
    return self->attribute_count > 0 ? self->attribute_values : NULL;
}

static void read_job(lua_State *L, pn_lua_workload *self)
{
    const job_model *model = self->model->job;
    unsigned char *job = (unsigned char *)&self->job;
    uint32_t group;
    const double *attributes;
    memset(&self->job, 0, sizeof self->job);
    generator_read_rows(L, self);
    if (self->model->read)
        self->model->read(L, self);
    attributes = read_attributes(L, self);
    group = self->group_by < 0 ? read_group(L, self) : (uint32_t)attributes[self->group_by];
    memcpy(job + model->group, &group, sizeof group);
    memcpy(job + model->attributes, &attributes, sizeof attributes);
}

int generator_job_method(lua_State *L)
{
    pn_lua_workload *self = self_of(L);
    if (!self || !self->running || L != self->thread || !lua_isyieldable(L))
        return luaL_error(L,
                          "g:job can be called in generate alone, outside of what sorts, iterates "
                          "and the like");
    if (lua_type(L, JOB_TABLE) != LUA_TTABLE)
        return luaL_error(L, "g:job takes a job, such as { maps = 3 }, got %s",
                          luaL_typename(L, JOB_TABLE));
    if (++self->made > GENERATOR_JOBS_MAX)
        return luaL_error(L, "more than %d jobs (expected an end)", GENERATOR_JOBS_MAX);
    lua_settop(L, JOB_TABLE);
    generator_spread_fields(L, self);
    read_job(L, self);
    lua_settop(L, 0);
    self->offered = true;
    return lua_yield(L, 0);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Pushes a stream of its own: what is drawn from it does not shift what others draw. */
static int push_stream(lua_State *L)
{
    const pn_lua_workload *self = self_of(L);
    lua_Integer purpose = luaL_checkinteger(L, 2);
    if (!self)
        return luaL_error(L, "the run of this generator is over (expected pinion.random for a "
                             "stream of one's own)");
    if (purpose < 0 || purpose > PURPOSES_MOST)
        return luaL_error(L, "stream(purpose): must be an integer in 0..%d, got %I", PURPOSES_MOST,
                          (LUAI_UACINT)purpose);
    draws_push_stream(L, self->seed, self->replica, (uint32_t)purpose, NULL);
    return 1;
}

static int refuse_unknown(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    return luaL_error(L,
                      "the generator has no '%s' (known: job, stream, params, seed, replica, and "
                      "draws such as uniform, random, exponential, draw, real)",
                      name);
}

static int refuse_write(lua_State *L)
{
    return luaL_error(L, "the generator is read-only (expected locals inside the function)");
}

void generator_make_self(lua_State *L, pn_lua_workload *self)
{
    static const luaL_Reg methods[] = {
        {"job", generator_job_method}, {"stream", push_stream}, {NULL, NULL}};
    int metatable;
    self->self = lua_newuserdatauv(L, sizeof *self->self, 0);
    *self->self = (generator_self){.draws = {.open = &self->running}, .workload = self};
    lua_createtable(L, 0, 4);
    metatable = lua_gettop(L);
    lua_newtable(L);
    draws_add(L, metatable);
    lua_pushvalue(L, metatable);
    luaL_setfuncs(L, methods, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, refuse_unknown);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, metatable, "__index");
    generator_keep(L, self, KEPT_METHODS);
    lua_pushcfunction(L, refuse_write);
    lua_setfield(L, metatable, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, metatable, "__metatable");
    lua_pushstring(L, SELF);
    lua_setfield(L, metatable, "__name");
    lua_setmetatable(L, -2);
    generator_keep(L, self, KEPT_SELF);
}
