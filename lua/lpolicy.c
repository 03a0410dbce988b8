/* Policies for the front end: the list of those built in, the library of those written in Lua, and the userdata
 * "pinion.LuaPolicy", a loaded policy file that is good for one run. */
#include <string.h>

#include "embedded.h"
#include "lpinion.h"

#define POLICY "pinion.LuaPolicy"

/* A ceiling that no machine of this kind reaches. */
#define MEMORY_MOST ((lua_Integer)(SIZE_MAX / 2 < LUA_MAXINTEGER ? SIZE_MAX / 2 : LUA_MAXINTEGER))

typedef struct lua_policy {
    pn_lua_policy *loaded;
} lua_policy;

static int policy_gc(lua_State *L)
{
    lua_policy *self = luaL_checkudata(L, 1, POLICY);
    pn_lua_policy_free(self->loaded);
    self->loaded = NULL;
    return 0;
}

const pn_slotted_policy *field_lua_policy(lua_State *L, int table, const char *name)
{
    const lua_policy *self = NULL;
    if (lua_getfield(L, table, name) != LUA_TNIL) {
        self = luaL_checkudata(L, -1, POLICY);
        luaL_argcheck(L, self->loaded, table, "the policy is closed");
    }
    lua_pop(L, 1);
    return self ? pn_lua_policy_slotted(self->loaded) : NULL;
}

/* { text, chunk, budget, memory } -> policy, or nil and what is wrong with the text */
static int policy_load(lua_State *L)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_options options = pn_lua_defaults();
    size_t size;
    luaL_checktype(L, 1, LUA_TTABLE);
    options.budget = (uint64_t)field_integer_or(L, 1, "budget", 0, LUA_MAXINTEGER, (lua_Integer)PN_LUA_BUDGET);
    options.memory = (size_t)field_integer_or(L, 1, "memory", 1, MEMORY_MOST, (lua_Integer)PN_LUA_MEMORY);
    const char *chunk = field_string(L, 1, "chunk");
    field_string(L, 1, "text"); /* the table keeps it alive */
    lua_getfield(L, 1, "text");
    const char *text = lua_tolstring(L, -1, &size);
    lua_policy *self = lua_newuserdatauv(L, sizeof *self, 0);
    self->loaded = NULL;
    luaL_setmetatable(L, POLICY);
    if (pn_lua_policy_load(&self->loaded, chunk, text, size, &options, message, sizeof message) != PN_OK)
        return push_failure(L, message);
    return 1;
}

/* ---- descriptions ------------------------------------------------------------------------------------- */

static void set_limit(lua_State *L, const pn_lua_param *param, const char *name, double limit)
{
    if (param->is_float)
        lua_pushnumber(L, limit);
    else
        lua_pushinteger(L, (lua_Integer)limit);
    lua_setfield(L, -2, name);
}

/* A parameter of a built-in policy, in the form that those of Lua policies have. */
static pn_lua_param native_param(const pn_slotted_param *param)
{
    return (pn_lua_param){param->name, param->doc, 0, (double)param->value, (double)param->low, (double)param->high};
}

static void push_params(lua_State *L, const pn_slotted_policy *policy)
{
    const pn_lua_policy *behind = pn_lua_policy_behind(policy);
    lua_createtable(L, policy->param_count, 0);
    for (uint8_t i = 0; i < policy->param_count; i++) {
        pn_lua_param param = behind ? pn_lua_policy_param(behind, i) : native_param(&policy->params[i]);
        lua_createtable(L, 0, 6);
        set_string(L, "name", param.name);
        set_string(L, "doc", param.doc);
        set_boolean(L, "float", param.is_float);
        set_limit(L, &param, "value", param.value);
        set_limit(L, &param, "low", param.low);
        set_limit(L, &param, "high", param.high);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_policy(lua_State *L, const pn_slotted_policy *policy)
{
    lua_createtable(L, 0, 9);
    set_string(L, "model", "slotted");
    set_string(L, "name", policy->name);
    set_string(L, "summary", policy->summary);
    set_string(L, "source", policy->source);
    set_boolean(L, "preemptive", policy->preemptive);
    set_boolean(L, "nonpreemptive", policy->nonpreemptive);
    set_boolean(L, "work_conserving", policy->work_conserving);
    set_boolean(L, "relaxed", policy->relaxed);
    push_params(L, policy);
    lua_setfield(L, -2, "params");
}

/* All that are built in. */
static int core_policies(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; pn_slotted_policies[i]; i++) {
        push_policy(L, pn_slotted_policies[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* The description that built-in policies have too. */
static int policy_describe(lua_State *L)
{
    const lua_policy *self = luaL_checkudata(L, 1, POLICY);
    luaL_argcheck(L, self->loaded, 1, "the policy is closed");
    push_policy(L, pn_lua_policy_slotted(self->loaded));
    return 1;
}

/* The policies that come with Pinion: { { model, name, path, text }, ... } by path. */
static int policy_files(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; embedded_policies[i].name; i++) {
        const embedded_file *file = &embedded_policies[i];
        const char *model = strchr(file->name, '.') + 1, *name = strchr(model, '.') + 1;
        lua_createtable(L, 0, 4);
        lua_pushlstring(L, model, (size_t)(name - model - 1));
        lua_setfield(L, -2, "model");
        lua_pushstring(L, name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, file->chunk + 1);
        lua_setfield(L, -2, "path");
        lua_pushlstring(L, (const char *)file->bytes, file->size);
        lua_setfield(L, -2, "text");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

void lpolicy_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"describe", policy_describe}, {"close", policy_gc}, {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", policy_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"policies", core_policies}, {"policy_load", policy_load}, {"policy_files", policy_files}, {NULL, NULL}};
    lpinion_type(L, POLICY, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
