/* Integers of 128 bits from two words: there is no __int128 on machines of 32 bits. */
#ifndef PN_WIDE_H
#define PN_WIDE_H

#include "internal.h"

static inline pn_wide pn_wide_product(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    return (pn_wide){a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

/* Adds modulo 2^128; the callers know that it fits. */
static inline pn_wide pn_wide_sum(pn_wide a, pn_wide b)
{
    uint64_t low = a.low + b.low;
    return (pn_wide){a.high + b.high + (low < a.low), low};
}

static inline pn_wide pn_wide_difference(pn_wide a, pn_wide b)
{
    return (pn_wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static inline int pn_wide_compare(pn_wide a, pn_wide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return a.low == b.low ? 0 : a.low < b.low ? -1 : 1;
}

/* Compares a / b with c / d, as fractions; b, d > 0. */
static inline int pn_compare_fractions(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    if (b == d)
        return a == c ? 0 : a < c ? -1 : 1;
    return pn_wide_compare(pn_wide_product(a, d), pn_wide_product(c, b));
}

/* Divides: the quotient, and the rest; by > 0. */
pn_wide pn_wide_divide(pn_wide a, uint64_t by, uint64_t *rest);

/* Returns the greatest common divisor; of 0 and b it is b. O(64). */
uint64_t pn_gcd(uint64_t a, uint64_t b);

/* Multiplies a and b if the product is at most `most`; else false, and nothing is written. */
static inline bool pn_multiply(uint64_t a, uint64_t b, uint64_t most, uint64_t *product)
{
    if (b != 0 && a > most / b)
        return false;
    *product = a * b;
    return true;
}

/* Replaces *a by the least common multiple of both; false, and nothing is written, above `most`. */
static inline bool pn_lcm(uint64_t *a, uint64_t b, uint64_t most)
{
    return pn_multiply(*a, b / pn_gcd(*a, b), most, a);
}

/* Brings a fraction of wide numbers to lowest terms: false when it does not fit. den > 0. */
bool pn_exact_of_wide(pn_exact *value, pn_wide num, uint64_t den);

#endif
