/* Parameters of policies, the same in all models. */
#include "binding.h"

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

bool pn_params_take(const pn_param *params, uint32_t count, const double *values)
{
    for (uint32_t i = 0; values && i < count; i++)
        if (!pn_param_takes(&params[i], values[i]))
            return false;
    return true;
}
