/* What the models share about the policies that they run: which values a parameter takes. */
#ifndef PN_BINDING_H
#define PN_BINDING_H

#include "internal.h"

/* Whether the parameter takes this value: a finite number in its range, and a whole one where it is
 * an integer or a choice. */
bool pn_param_takes(const pn_param *param, double value);

/* Whether a policy's table of parameters makes sense: not too many, each with a name and with a
 * default that it takes. */
bool pn_params_sane(const pn_param *params, uint32_t count);

/* Whether the parameters take these values; null = their defaults. */
bool pn_params_take(const pn_param *params, uint32_t count, const double *values);

#endif
