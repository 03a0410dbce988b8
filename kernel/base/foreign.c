/* What headers define inline, as functions of the shared library. */
#include "internal.h"

uint64_t pn_mix_step(uint64_t hash, uint64_t value)
{
    return pn_mix(hash, value);
}

uint64_t pn_key_of_double(double value)
{
    return pn_key_double(value);
}
