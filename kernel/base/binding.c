/* Parameters of policies, and the policy that a simulation is bound to. */
#include "binding.h"
#include "validate.h"

/* ---- parameters ---- */

static bool whole(double value)
{
    const double most = (double)PN_INTEGER_MAX; /* from here on all doubles are whole */
    return value >= most || value <= -most || value == (double)(int64_t)value;
}

bool pn_param_takes(const pn_param *param, double value)
{
    bool finite = value - value == 0.0, any = !param->integer && !param->names;
    return finite && param->low <= value && value <= param->high && (any || whole(value));
}

bool pn_params_sane(const pn_param *params, uint32_t count)
{
    if (count > PN_PARAMS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!params[i].name || !pn_param_takes(&params[i], params[i].value))
            return false;
    return true;
}

/* ---- the bound policy ---- */

static double given_value(const pn_bindable *policy, uint32_t param)
{
    return policy->values ? policy->values[param] : policy->params[param].value;
}

bool pn_binding_make(pn_binding *binding, const pn_bindable *policy)
{
    memset(binding, 0, sizeof *binding);
    if (!pn_name_sane(policy->name) || policy->param_count > PN_PARAMS_MAX)
        return false;
    for (int i = 0; policy->name[i] != '\0'; i++)
        binding->name[i] = policy->name[i];
    memcpy(binding->shape, policy->shape, sizeof binding->shape);
    binding->param_count = policy->param_count;
    for (uint32_t i = 0; i < policy->param_count; i++) {
        binding->params[i] = given_value(policy, i);
        if (!pn_param_takes(&policy->params[i], binding->params[i]))
            return false;
    }
    return true;
}

bool pn_binding_is_of(const pn_binding *bound, const pn_bindable *policy)
{
    if (!policy->name || !pn_same_name(bound->name, policy->name) ||
        bound->param_count != policy->param_count || policy->param_count > PN_PARAMS_MAX)
        return false;
    for (int i = 0; i < PN_SHAPE_WORDS; i++)
        if (bound->shape[i] != policy->shape[i])
            return false;
    for (uint32_t i = 0; i < policy->param_count; i++) {
        double value = given_value(policy, i);
        /* 0 and -0 are the same; a block from outside may be bound to what no parameter takes. */
        if (!(bound->params[i] == value) || !pn_param_takes(&policy->params[i], value))
            return false;
    }
    return true;
}

bool pn_binding_sound(const pn_binding *binding)
{
    uint32_t count = binding->param_count;
    if (!pn_binding_is_bound(binding))
        return pn_validate_zeros(binding, sizeof *binding);
    if (!pn_validate_name(binding->name) || count > PN_PARAMS_MAX || binding->unused != 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!pn_validate_finite(binding->params[i]))
            return false;
    return pn_validate_zeros(&binding->params[count], (PN_PARAMS_MAX - count) * sizeof(double));
}
