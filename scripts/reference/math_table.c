/* Checks pn_log and pn_exp with MPFR at every argument of tests/base/math_arguments.h: each
 * result is the correctly rounded one or its neighbour. Writes tests/base/log_exp.txt, samples with
 * their correctly rounded results, as lines "log|exp <bits of x> <bits of the result>" in
 * hexadecimal, and to stderr the digest of all results, which tests/base/math.c expects. Run
 * by hand, from the root:
 *
 *   cc -std=c11 -Itests -Ikernel/include scripts/reference/math_table.c build/libpinion.a \
 *       -lmpfr -lgmp -o /tmp/math_table && /tmp/math_table >tests/base/log_exp.txt */
#include <inttypes.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/math_arguments.h"

/* then rounded to double: no result of these is within 2^-200 of halfway */
#define PRECISION 256

static uint64_t correctly_rounded(bool is_exp, double x)
{
    mpfr_t value;
    mpfr_init2(value, PRECISION);
    mpfr_set_d(value, x, MPFR_RNDN);
    (is_exp ? mpfr_exp : mpfr_log)(value, value, MPFR_RNDN);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return math_bits(result);
}

static void check(void *user, uint32_t index, bool is_exp, double x, double result)
{
    const char *name = is_exp ? "exp" : "log";
    uint64_t got = math_bits(result), want = correctly_rounded(is_exp, x);
    (void)user;
    if (got > want ? got - want > 1 : want - got > 1) {
        fprintf(stderr, "pn_%s(%a) is %a, not %a\n", name, x, result, math_double(want));
        exit(1);
    }
    if (index < MATH_ARGUMENTS && index % MATH_SAMPLE_EVERY == 0)
        printf("%s %016" PRIX64 " %016" PRIX64 "\n", name, math_bits(x), want);
}

int main(void)
{
    fprintf(stderr, "0x%016" PRIX64 "\n", math_arguments(check, NULL));
    mpfr_free_cache();
    return 0;
}
