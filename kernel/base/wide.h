/* Integers of 128 bits from two words: there is no __int128 on machines of 32 bits. */
#ifndef PN_WIDE_H
#define PN_WIDE_H

#include "internal.h"

/*@ logic integer pn_wide_value(pn_wide a) = a.high * 0x10000000000000000 + a.low; */

/*@ assigns \result \from a, b;
    ensures pn_wide_value(\result) == a * b; */
static inline pn_wide pn_wide_product(uint64_t a, uint64_t b)
{
    uint32_t a0 = (uint32_t)a, a1 = (uint32_t)(a >> 32);
    uint32_t b0 = (uint32_t)b, b1 = (uint32_t)(b >> 32);
    //@ assert a0 * b0 <= 0xFFFFFFFF * 0xFFFFFFFF && a0 * b1 <= 0xFFFFFFFF * 0xFFFFFFFF;
    //@ assert a1 * b0 <= 0xFFFFFFFF * 0xFFFFFFFF && a1 * b1 <= 0xFFFFFFFF * 0xFFFFFFFF;
    //@ assert a == a1 * 0x100000000 + a0 && b == b1 * 0x100000000 + b0;
    uint64_t low = (uint64_t)a0 * b0, middle = (uint64_t)a1 * b0 + (low >> 32);
    uint64_t other = (uint64_t)a0 * b1 + (uint32_t)middle;
    //@ assert low == a0 * b0 && middle == a1 * b0 + low / 0x100000000;
    //@ assert other == a0 * b1 + middle % 0x100000000;
    return (pn_wide){(uint64_t)a1 * b1 + (middle >> 32) + (other >> 32),
                     other << 32 | (uint32_t)low};
}

/* Adds modulo 2^128; the callers know that it fits. */
/*@ assigns \result \from a, b;
    ensures pn_wide_value(\result) == pn_wide_value(a) + pn_wide_value(b) ||
            pn_wide_value(\result) == pn_wide_value(a) + pn_wide_value(b) -
                                      0x100000000000000000000000000000000; */
static inline pn_wide pn_wide_sum(pn_wide a, pn_wide b)
{
    uint64_t low = a.low + b.low;
    return (pn_wide){a.high + b.high + (low < a.low), low};
}

/*@ assigns \result \from a, b;
    ensures pn_wide_value(a) >= pn_wide_value(b) ==>
            pn_wide_value(\result) == pn_wide_value(a) - pn_wide_value(b); */
static inline pn_wide pn_wide_difference(pn_wide a, pn_wide b)
{
    return (pn_wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

/*@ assigns \result \from a, b;
    ensures \result == (pn_wide_value(a) < pn_wide_value(b)   ? -1
                        : pn_wide_value(a) > pn_wide_value(b) ? 1
                                                              : 0); */
static inline int pn_wide_compare(pn_wide a, pn_wide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return a.low == b.low ? 0 : a.low < b.low ? -1 : 1;
}

/* Compares a / b with c / d, as fractions; b, d > 0. */
/*@ requires b > 0 && d > 0;
    assigns \result \from a, b, c, d;
    ensures \result == (a * d < c * b ? -1 : a * d > c * b ? 1 : 0); */
static inline int pn_compare_fractions(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    if (b == d)
        return a == c ? 0 : a < c ? -1 : 1;
    return pn_wide_compare(pn_wide_product(a, d), pn_wide_product(c, b));
}

/* Divides: the quotient, and the rest; by > 0. */
/*@ requires by > 0 && \valid(rest);
    assigns \result, *rest \from a, by;
    ensures \initialized(rest) && *rest < by;
    ensures pn_wide_value(\result) * by + *rest == pn_wide_value(a); */
pn_wide pn_wide_divide(pn_wide a, uint64_t by, uint64_t *rest);

/* Returns the greatest common divisor; of 0 and b it is b. O(64). */
/*@ assigns \result \from a, b;
    ensures b > 0 ==> 1 <= \result <= b;
    ensures a > 0 ==> 1 <= \result <= a;
    ensures a == 0 ==> \result == b; */
uint64_t pn_gcd(uint64_t a, uint64_t b);

/* Multiplies a and b if the product is at most `most`; else false, and nothing is written. */
/*@ requires \valid(product);
    assigns *product;
    ensures \result == (a * b <= most ? 1 : 0);
    ensures \result ==> *product == a * b;
    ensures !\result ==> *product == \old(*product); */
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
