/* The hash of a scenario for Lua: what decision logs call "scenario". */
#include <string.h>

#include "model.h"

/* Reads the names of the parameters in the table at `table`, in order. How many, or more than
 * PN_PARAMS_MAX when there are, or when one of them is none. */
static uint8_t scripted_names(lua_State *L, int table, const char *names[PN_PARAMS_MAX])
{
    uint8_t count = 0;
    luaL_checktype(L, table, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        uint8_t at = count++;
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (at == PN_PARAMS_MAX || !name ||
            (lua_type(L, -1) != LUA_TNUMBER && lua_type(L, -1) != LUA_TBOOLEAN))
            return PN_PARAMS_MAX + 1;
        for (; at > 0 && strcmp(names[at - 1], name) > 0; at--)
            names[at] = names[at - 1];
        names[at] = name;
        lua_pop(L, 1);
    }
    return count;
}

/* Returns whether an integer parameter can have it: other integers are not exact as doubles. */
static int is_integer(lua_State *L, int index)
{
    const lua_Integer most = (lua_Integer)PN_INTEGER_MAX;
    return lua_isinteger(L, index) && -most <= lua_tointeger(L, index) &&
           lua_tointeger(L, index) <= most;
}

/* Reads the parameters of a policy whose file is not known, in the order of their names, from the
 * table at `table`. Null, or what is wrong. */
static const char *read_scripted(lua_State *L, int table, hash_policy *policy,
                                 pn_param params[PN_PARAMS_MAX], double values[PN_PARAMS_MAX])
{
    const char *names[PN_PARAMS_MAX];
    policy->count = scripted_names(L, table, names);
    if (policy->count > PN_PARAMS_MAX)
        return "more parameters than a policy has, or one that is no number";
    for (uint8_t i = 0; i < policy->count; i++) {
        int is_boolean = lua_getfield(L, table, names[i]) == LUA_TBOOLEAN;
        values[i] = is_boolean ? (double)lua_toboolean(L, -1) : lua_tonumber(L, -1);
        params[i] = (pn_param){.name = names[i], .integer = is_integer(L, -1) != 0};
        lua_pop(L, 1);
    }
    policy->params = params;
    return NULL;
}

static const char *read_builtin(lua_State *L, int table, const core_model *model,
                                hash_policy *policy, double values[PN_PARAMS_MAX])
{
    const void *found = core_policy_find(model, policy->name);
    pn_policy_about info;
    if (!found)
        return lua_pushfstring(L, "no policy is called %s", policy->name);
    info = model->kernel()->policy_about(found);
    policy->params = info.params;
    policy->count = info.param_count;
    return core_read_params(L, table, model, found, values);
}

/* Reads the policy in the argument table at index 1: a built-in one or, with "lua", one whose
 * parameters alone are known. Null, or what is wrong with it. */
static const char *read_policy(lua_State *L, const core_model *model, hash_policy *policy,
                               pn_param params[PN_PARAMS_MAX], double values[PN_PARAMS_MAX])
{
    policy->name = field_string(L, 1, "policy");
    policy->values = values;
    lua_getfield(L, 1, "params");
    if (!field_boolean(L, 1, "lua"))
        return read_builtin(L, lua_gettop(L), model, policy, values);
    if (model->policies->push_own_params)
        model->policies->push_own_params(L, lua_gettop(L));
    return read_scripted(L, lua_gettop(L), policy, params, values);
}

int core_scenario_hash(lua_State *L)
{
    const core_model *model = core_model_of(L);
    source *work = field_workload(L, 1, model);
    pn_param params[PN_PARAMS_MAX];
    double values[PN_PARAMS_MAX];
    char text[DIGEST_SIZE];
    hash_policy policy;
    uint64_t hash = 0;
    const char *fault = model->hash_settings(L, &hash);
    int answer;
    if (!fault)
        fault = read_policy(L, model, &policy, params, values);
    if (fault)
        return push_failure(L, fault);
    answer = hash_scenario(&hash, model->hash, &policy, work);
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    format_digest(text, hash);
    lua_pushstring(L, text);
    return 1;
}
