/* Any call of kernel/base/wide.h and exact.c with any numbers. */
#include "proof.h"

#include "base/exact.c"

static pn_wide any_wide(void)
{
    return (pn_wide){any_long(), any_long()};
}

static pn_exact any_exact(void)
{
    return (pn_exact){any_signed(), Frama_C_long_interval(1, INT64_MAX)};
}

static uint64_t any_positive(void)
{
    return Frama_C_unsigned_long_interval(1, UINT64_MAX);
}

static void check(int status)
{
    //@ assert status == PN_OK || status == PN_ERR_OVERFLOW || status == PN_ERR_ARGUMENT;
}

void main(void)
{
    uint64_t a = any_long(), b = any_long(), rest;
    pn_exact value = {0, 1};
    pn_wide_product(a, b);
    pn_wide_difference(any_wide(), any_wide());
    pn_wide_sum(any_wide(), any_wide());
    pn_wide_compare(any_wide(), any_wide());
    pn_compare_fractions(a, any_positive(), b, any_positive());
    pn_multiply(a, b, any_long(), &rest);
    a = any_positive();
    pn_wide_divide(any_wide(), a, &rest);
    pn_lcm(&a, b, any_long());
    pn_exact_of_wide(&value, any_wide(), any_positive());
    check(pn_exact_make(&value, any_signed(), Frama_C_long_interval(1, INT64_MAX)));
    check(pn_exact_make(&value, any_signed(), Frama_C_long_interval(INT64_MIN, -1)));
    check(pn_exact_make(&value, any_signed(), 0));
    check(pn_exact_add(&value, any_exact(), any_exact()));
    check(pn_exact_subtract(&value, any_exact(), any_exact()));
    check(pn_exact_multiply(&value, any_exact(), any_exact()));
    check(pn_exact_divide(&value, any_exact(), any_exact()));
    pn_exact_compare(any_exact(), any_exact());
    double number = pn_exact_double(any_exact());
}
