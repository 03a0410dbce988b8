/* What the harnesses of scripts/check/proof.sh have in common. Each calls every function of one
 * unit of kernel/base with any values that its callers may pass: Eva follows them all at once. */
#ifndef PROOF_H
#define PROOF_H

#include <__fc_builtin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline bool any(void)
{
    return Frama_C_unsigned_int_interval(0, 1);
}
static inline uint32_t any_below(uint32_t limit)
{
    return Frama_C_unsigned_int_interval(0, limit - 1);
}
/* The same, each number as a state of its own where functions return such (-eva-split-return). */
static inline uint32_t each_below(uint32_t limit)
{
    uint32_t number = 0;
    while (number + 1 < limit && any())
        number++;
    return number;
}
static inline uint32_t any_word(void)
{
    return Frama_C_unsigned_int_interval(0, UINT32_MAX);
}
static inline uint64_t any_long(void)
{
    return Frama_C_unsigned_long_interval(0, UINT64_MAX);
}
static inline int64_t any_signed(void)
{
    return Frama_C_long_interval(INT64_MIN, INT64_MAX);
}

#endif
