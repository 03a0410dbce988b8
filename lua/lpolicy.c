/* Lua policies for the front end: the userdata "pinion.LuaPolicy" is a loaded policy file, good for one run. */
#include <string.h>

#include "embedded.h"
#include "lpinion.h"

#define POLICY "pinion.LuaPolicy"

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
    options.memory = (size_t)field_integer_or(L, 1, "memory", 1, LUA_MAXINTEGER, (lua_Integer)PN_LUA_MEMORY);
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

static void set_limit(lua_State *L, const pn_lua_param *param, const char *name, double limit)
{
    if (param->is_float)
        lua_pushnumber(L, limit);
    else
        lua_pushinteger(L, (lua_Integer)limit);
    lua_setfield(L, -2, name);
}

void push_lua_params(lua_State *L, const pn_lua_policy *policy)
{
    uint8_t count = pn_lua_policy_slotted(policy)->param_count;
    lua_createtable(L, count, 0);
    for (uint8_t i = 0; i < count; i++) {
        pn_lua_param param = pn_lua_policy_param(policy, i);
        lua_createtable(L, 0, 6);
        lua_pushstring(L, param.name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, param.doc);
        lua_setfield(L, -2, "doc");
        lua_pushboolean(L, param.is_float);
        lua_setfield(L, -2, "float");
        set_limit(L, &param, "value", param.value);
        set_limit(L, &param, "low", param.low);
        set_limit(L, &param, "high", param.high);
        lua_rawseti(L, -2, i + 1);
    }
}

/* The description that built-in policies have too. */
static int policy_describe(lua_State *L)
{
    const lua_policy *self = luaL_checkudata(L, 1, POLICY);
    luaL_argcheck(L, self->loaded, 1, "the policy is closed");
    push_slotted_policy(L, pn_lua_policy_slotted(self->loaded));
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
    static const luaL_Reg functions[] = {{"policy_load", policy_load}, {"policy_files", policy_files}, {NULL, NULL}};
    lpinion_type(L, POLICY, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
