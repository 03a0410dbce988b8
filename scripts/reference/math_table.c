/* Writes tests/data/log_exp.txt: arguments of log and exp with their correctly rounded results, by
 * MPFR. Run by hand, from the root: cc -std=c11 scripts/reference/math_table.c -lmpfr -lgmp -o
 * /tmp/make_math_table && /tmp/make_math_table >tests/data/log_exp.txt Lines are "log|exp <bits of
 * x> <bits of the result>" in hexadecimal. The arguments come from a fixed generator: same file
 * every time. */
#include <inttypes.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* then rounded to double: no result of these is within 2^-200 of halfway */
#define PRECISION     256
#define INFINITY_BITS UINT64_C(0x7FF0000000000000)

static uint64_t state = 20130417;

/* Knuth's MMIX generator; the low bits of such are poor, so its upper halves are put together. */
static uint64_t next(void)
{
    uint64_t bits = 0;
    for (int half = 0; half < 2; half++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bits = bits << 32 | state >> 32;
    }
    return bits;
}

static double next_unit(void)
{
    return (double)(next() >> 11) * 0x1p-53;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double power_of_two(int exponent)
{
    return from_bits((uint64_t)(exponent + 1023) << 52);
}

static void line(const char *name, int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t), double x)
{
    mpfr_t value;
    mpfr_init2(value, PRECISION);
    mpfr_set_d(value, x, MPFR_RNDN);
    function(value, value, MPFR_RNDN);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    uint64_t x_bits, result_bits;
    memcpy(&x_bits, &x, sizeof x_bits);
    memcpy(&result_bits, &result, sizeof result_bits);
    printf("%s %016" PRIX64 " %016" PRIX64 "\n", name, x_bits, result_bits);
}

static double sign(void)
{
    return next() >> 63 ? 1.0 : -1.0;
}

int main(void)
{
    for (int i = 0; i < 2000; i++) /* any exponent */
        line("log", mpfr_log, from_bits(1 + next() % (INFINITY_BITS - 1)));
    for (int i = 0; i < 500; i++) /* subnormals of any length */
        line("log", mpfr_log, from_bits(1 + (next() >> 12 >> next() % 52)));
    for (int i = 0; i < 1500; i++) /* ever nearer to 1 */
        line("log", mpfr_log, 1.0 + sign() * next_unit() * power_of_two(-1 - i % 52));
    for (int i = 0; i < 1000; i++) /* everyday numbers */
        line("log", mpfr_log, (1.0 + next_unit()) * power_of_two(i % 21 - 10));

    for (int i = 0; i < 2000; i++) /* the whole range of finite results */
        line("exp", mpfr_exp, -745.0 + 1454.0 * next_unit());
    for (int i = 0; i < 1000; i++) /* subnormal results, down to rounding to 0 */
        line("exp", mpfr_exp, -708.3 - 37.0 * next_unit());
    for (int i = 0; i < 500; i++) /* around the largest finite result */
        line("exp", mpfr_exp, 709.782712893384 + sign() * next_unit() * power_of_two(-1 - i % 40));
    for (int i = 0; i < 500; i++) /* around half of the smallest subnormal */
        line("exp", mpfr_exp,
             -745.1332191019412 + sign() * next_unit() * power_of_two(-1 - i % 40));
    for (int i = 0; i < 1000; i++) /* arguments of any small exponent */
        line("exp", mpfr_exp, sign() * (1.0 + next_unit()) * power_of_two(i % 60 - 57));
    mpfr_free_cache();
    return 0;
}
