/* The hash of a scenario for Lua: what decision logs call "scenario". */
#include <string.h>

#include "cluster.h"
#include "binding.h"

/* The names of the parameters in the table at `table`, in order. How many, or more than
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

/* Whether an integer parameter can have it: other integers are not exact as doubles. */
static int is_integer(lua_State *L, int index)
{
    const lua_Integer most = (lua_Integer)PN_INTEGER_MAX;
    return lua_isinteger(L, index) && -most <= lua_tointeger(L, index) &&
           lua_tointeger(L, index) <= most;
}

/* The parameters of a policy whose file is not at hand, in the order of their names: they are in
 * the table at `table`. Null, or what is wrong. */
static const char *read_scripted_params(lua_State *L, int table, pn_param params[PN_PARAMS_MAX],
                                        uint8_t *count, double values[PN_PARAMS_MAX])
{
    const char *names[PN_PARAMS_MAX];
    *count = scripted_names(L, table, names);
    if (*count > PN_PARAMS_MAX)
        return "more parameters than a policy has, or one that is no number";
    for (uint8_t i = 0; i < *count; i++) {
        int is_boolean = lua_getfield(L, table, names[i]) == LUA_TBOOLEAN;
        values[i] = is_boolean ? (double)lua_toboolean(L, -1) : lua_tonumber(L, -1);
        params[i] = (pn_param){.name = names[i], .integer = is_integer(L, -1) != 0};
        lua_pop(L, 1);
    }
    return NULL;
}

static int push_hash(lua_State *L, const source *work, int answer, uint64_t hash)
{
    char text[DIGEST_SIZE];
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    format_digest(text, hash);
    lua_pushstring(L, text);
    return 1;
}

static int scenario_hash(lua_State *L)
{
    source *work = field_workload(L, 1, SOURCE_SLOTTED);
    uint32_t machines = (uint32_t)field_integer(L, 1, "machines", 1, (lua_Integer)1 << 24);
    uint32_t reduce = field_reduce(L, 1);
    const char *name = field_string(L, 1, "policy");
    const pn_slotted_policy *policy = pn_slotted_policy_find(name);
    pn_slotted_policy scripted = {.name = name};
    double params[PN_PARAMS_MAX];
    const char *fault;
    uint64_t hash = 0;
    int answer;
    lua_getfield(L, 1, "params");
    if (field_boolean(L, 1, "lua")) {
        policy = &scripted;
        fault = read_scripted_params(L, lua_gettop(L), scripted.params, &scripted.param_count,
                                     params);
    } else if (!policy) {
        fault = lua_pushfstring(L, "no policy is called %s", name);
    } else {
        fault = read_params(L, lua_gettop(L), policy->params, policy->param_count, 1, params);
    }
    if (fault)
        return push_failure(L, fault);
    answer = hash_scenario(&hash, work, machines, reduce, policy, params);
    return push_hash(L, work, answer, hash);
}

static int tandem_scenario_hash(lua_State *L)
{
    source *work = field_workload(L, 1, SOURCE_TANDEM);
    double speed = field_number(L, 1, "speed");
    int traditional = field_boolean(L, 1, "traditional");
    const char *name = field_string(L, 1, "policy");
    const pn_tandem_policy *policy = pn_tandem_policy_find(name);
    pn_tandem_policy scripted = {.name = name};
    double params[PN_PARAMS_MAX];
    const char *fault;
    uint64_t hash = 0;
    int answer;
    lua_getfield(L, 1, "params");
    if (field_boolean(L, 1, "lua")) {
        policy = &scripted;
        fault = read_scripted_params(L, lua_gettop(L), scripted.params, &scripted.param_count,
                                     params);
    } else if (!policy) {
        fault = lua_pushfstring(L, "no policy is called %s", name);
    } else {
        fault = read_params(L, lua_gettop(L), policy->params, policy->param_count, 0, params);
    }
    if (fault)
        return push_failure(L, fault);
    answer = hash_tandem_scenario(&hash, work, speed, traditional, policy, params);
    return push_hash(L, work, answer, hash);
}

static int makespan_scenario_hash(lua_State *L)
{
    source *work = field_workload(L, 1, SOURCE_MAKESPAN);
    const char *name = field_string(L, 1, "policy");
    const pn_makespan_policy *policy = pn_makespan_policy_find(name);
    pn_makespan_policy scripted = {.name = name};
    double params[PN_PARAMS_MAX];
    makespan_rules rules;
    const char *fault;
    uint64_t hash = 0;
    int answer;
    field_makespan_rules(L, 1, &rules);
    lua_getfield(L, 1, "params");
    if (field_boolean(L, 1, "lua")) {
        policy = &scripted;
        fault = read_scripted_params(L, lua_gettop(L), scripted.params, &scripted.param_count,
                                     params);
    } else if (!policy) {
        fault = lua_pushfstring(L, "no policy is called %s", name);
    } else {
        fault = read_params(L, lua_gettop(L), policy->params, policy->param_count, 0, params);
    }
    if (fault)
        return push_failure(L, fault);
    answer = hash_makespan_scenario(&hash, work, &rules, policy, params);
    return push_hash(L, work, answer, hash);
}

/* Removes the model's parameters from a copy of the table at `table`, which goes on top of the
 * stack: what is left is the policy's. */
static void push_own_params(lua_State *L, int table)
{
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    for (const cluster_rule *rule = cluster_rules; rule->name; rule++) {
        lua_pushnil(L);
        lua_setfield(L, -2, rule->name);
    }
}

static int cluster_scenario_hash(lua_State *L)
{
    source *work = field_workload(L, 1, SOURCE_CLUSTER);
    const char *name = field_string(L, 1, "policy");
    const pn_scheduler_policy *policy = pn_scheduler_policy_find(name);
    pn_scheduler_policy scripted = {.name = name};
    double params[PN_PARAMS_MAX];
    cluster_settings settings;
    const char *fault;
    uint64_t hash = 0;
    int answer;
    field_cluster_settings(L, 1, &settings);
    lua_getfield(L, 1, "rules");
    fault = read_cluster_rules(L, lua_gettop(L), &settings.config);
    if (fault)
        return push_failure(L, fault);
    lua_getfield(L, 1, "params");
    if (field_boolean(L, 1, "lua")) {
        policy = &scripted;
        push_own_params(L, lua_gettop(L));
        fault = read_scripted_params(L, lua_gettop(L), scripted.params, &scripted.param_count,
                                     params);
    } else if (!policy) {
        fault = lua_pushfstring(L, "no policy is called %s", name);
    } else {
        fault = read_params(L, lua_gettop(L), policy->params, policy->param_count, 0, params);
    }
    if (fault)
        return push_failure(L, fault);
    answer = hash_cluster_scenario(&hash, work, &settings.config, settings.failures,
                                   settings.failure_count, policy, params);
    return push_hash(L, work, answer, hash);
}

void lhash_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"scenario_hash", scenario_hash},
                                         {"tandem_scenario_hash", tandem_scenario_hash},
                                         {"makespan_scenario_hash", makespan_scenario_hash},
                                         {"cluster_scenario_hash", cluster_scenario_hash},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
