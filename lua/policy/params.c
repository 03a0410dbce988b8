/* Parameters of the models whose kernels hold them as doubles: numbers as they are, choices by index. */
#include <float.h>
#include <string.h>

#include "state.h"

static double finite(double limit)
{
    return limit > DBL_MAX ? DBL_MAX : limit < -DBL_MAX ? -DBL_MAX : limit;
}

/* The kernel's limits are finite. */
pn_param policy_double_param(pn_lua_policy *policy, uint32_t index)
{
    const pn_lua_param *param = &policy->params[index];
    policy->param_words[index] = policy_double_word(param->value);
    return (pn_param){
        .name = param->name,
        .value = param->value,
        .low = finite(param->low),
        .high = finite(param->high),
        .names = param->names,
        .integer = !param->is_float && !param->names,
        .doc = param->doc,
    };
}

uint64_t policy_double_word(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void policy_push_double(lua_State *L, const pn_lua_param *param, uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    if (param->is_float)
        lua_pushnumber(L, value);
    else if (!param->names)
        lua_pushinteger(L, (lua_Integer)value);
    else if (strcmp(param->names[0], "false") == 0)
        lua_pushboolean(L, value > 0);
    else
        lua_pushstring(L, param->names[(int)value]);
}

void policy_double_defaults(const pn_lua_policy *policy, double params[])
{
    for (uint32_t i = 0; i < policy->param_count; i++)
        params[i] = policy->params[i].value;
}

int policy_double_set(const pn_lua_policy *policy, double params[], const char *name, double value)
{
    uint32_t index = policy_param_index(policy, name, value);
    if (index == POLICY_PARAMS_MAX)
        return PN_ERR_ARGUMENT;
    params[index] = value;
    return PN_OK;
}
