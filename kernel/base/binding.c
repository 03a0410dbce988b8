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

bool pn_binding_make(pn_binding *binding, const char *name, const pn_param *params, uint32_t count,
                     const double *values)
{
    memset(binding, 0, sizeof *binding);
    if (!pn_name_sane(name) || count > PN_PARAMS_MAX)
        return false;
    for (int i = 0; name[i] != '\0'; i++)
        binding->name[i] = name[i];
    binding->param_count = count;
    for (uint32_t i = 0; i < count; i++) {
        binding->params[i] = values ? values[i] : params[i].value;
        if (!pn_param_takes(&params[i], binding->params[i]))
            return false;
    }
    return true;
}

bool pn_binding_same(const pn_binding *bound, const pn_binding *again)
{
    if (!pn_same_name(bound->name, again->name) || bound->param_count != again->param_count)
        return false;
    for (int i = 0; i < PN_SHAPE_WORDS; i++)
        if (bound->shape[i] != again->shape[i])
            return false;
    for (uint32_t i = 0; i < again->param_count; i++)
        if (!(bound->params[i] == again->params[i])) /* 0 and -0 are the same */
            return false;
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
