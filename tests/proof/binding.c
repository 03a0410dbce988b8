/* A policy with any name, parameters and values is bound, and compared with a binding of any bytes,
 * which is looked at, too. */
#include "proof.h"

#include "base/binding.c"
#include "base/validate.c"

enum { PARAMS = 3, LETTERS = 4 };

static char name[LETTERS + 1];
static pn_param params[PN_PARAMS_MAX];
static double values[PN_PARAMS_MAX];
static pn_binding bound;

static double any_double(void)
{
    uint64_t bits = any_long();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void main(void)
{
    uint32_t length = each_below(LETTERS + 1);
    for (uint32_t i = 0; i < length; i++)
        name[i] = (char)Frama_C_interval(1, 127);
    for (int i = 0; i < PARAMS; i++) {
        params[i] = (pn_param){.name = any() ? "p" : NULL,
                               .integer = any(),
                               .low = any_double(),
                               .high = any_double(),
                               .value = any_double()};
        values[i] = any_double();
    }
    pn_bindable policy = {
        name, params, any() ? values : NULL, any_word(), {any_long(), any_long(), any_long()}};
    if (any())
        policy.name = NULL;
    for (size_t i = 0; i < sizeof bound; i++)
        ((unsigned char *)&bound)[i] = Frama_C_unsigned_char_interval(0, 255);
    switch (any_below(4)) {
    case 0:
        pn_params_sane(params, any_below(PARAMS + 1));
        break;
    case 1:
        pn_binding_make(&bound, &policy);
        break;
    case 2:
        if (pn_binding_is_bound(&bound))
            pn_binding_is_of(&bound, &policy);
        break;
    default:
        pn_binding_sound(&bound);
    }
}
