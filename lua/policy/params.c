/* Parameters, which all kernels hold as doubles: numbers as they are, choices by index. */
#include <math.h>
#include <string.h>

#include "state.h"

const pn_param *pn_lua_policy_param(const pn_lua_policy *policy, uint32_t index)
{
    return &policy->params[index];
}

void policy_push_param(lua_State *L, const pn_param *param, double value)
{
    if (policy_is_float(param))
        lua_pushnumber(L, value);
    else if (!param->names)
        lua_pushinteger(L, (lua_Integer)value);
    else if (strcmp(param->names[0], "false") == 0)
        lua_pushboolean(L, value > 0);
    else
        lua_pushstring(L, param->names[(int)value]);
}

void pn_lua_policy_defaults(const pn_lua_policy *policy, double params[PN_PARAMS_MAX])
{
    for (uint32_t i = 0; i < policy->param_count; i++)
        params[i] = policy->params[i].value;
}

/* Returns whether the kernel would take it, too. */
static bool takes(const pn_param *param, double value)
{
    bool in_range = isfinite(value) && param->low <= value && value <= param->high;
    return in_range && (policy_is_float(param) || value == floor(value));
}

int pn_lua_policy_set(const pn_lua_policy *policy, double params[PN_PARAMS_MAX], const char *name,
                      double value)
{
    for (uint32_t i = 0; i < policy->param_count; i++) {
        if (strcmp(policy->params[i].name, name) != 0)
            continue;
        if (!takes(&policy->params[i], value))
            return PN_ERR_ARGUMENT;
        params[i] = value;
        return PN_OK;
    }
    return PN_ERR_ARGUMENT;
}
