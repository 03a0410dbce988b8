/* pn_log, pn_exp, pn_pow and pn_sqrt against samples of correctly rounded results, against the long
 * double functions of the C library, and at the special values; and their golden digests, which any
 * other compiler or -O level must reproduce. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/math_arguments.h"

#define ULP_MAX           0.6 /* what pn_base.h promises */
#define ULP_MAX_SUBNORMAL 0.8
#define NAN_BITS          UINT64_C(0x7FF8000000000000)
#define INFINITY_BITS     UINT64_C(0x7FF0000000000000)

#define assert_same_bits(got, expected)                               \
    do {                                                              \
        double got_ = (got), expected_ = (expected);                  \
        if (math_bits(got_) != math_bits(expected_))                  \
            fail_msg("%s is %a, expected %a", #got, got_, expected_); \
    } while (0)

static void assert_nan(double x)
{
    assert_true(math_bits(x) == NAN_BITS);
}

/* The inputs of sweeps and goldens. */
static double any_positive(pn_stream *stream)
{
    return math_double(1 + pn_random64(stream) % (INFINITY_BITS - 1));
}

static double between(pn_stream *stream, double low, double high)
{
    return low + (high - low) * pn_uniform01(stream);
}

/* In turn: of any exponent, about 1, ever nearer to 1, and everyday numbers. */
static double some_positive(pn_stream *stream, int i)
{
    switch (i % 4) {
    case 0:
        return any_positive(stream);
    case 1:
        return between(stream, 0.5, 2.0);
    case 2:
        return 1.0 + ldexp(between(stream, -0.5, 0.5), -(i / 4 % 50));
    default:
        return between(stream, 0.0, 1e6);
    }
}

/* ---- accuracy -------------------------------------------------------------------------------- */

/* More than 9 of 10 are even the nearest. */
static void samples_of_log_and_exp_are_within_one_ulp_of_the_truth(void **state)
{
    (void)state;
    FILE *file = fopen("tests/base/log_exp.txt", "r");
    if (!file)
        fail_msg("cannot read %s", "tests/base/log_exp.txt");
    int counts[2] = {0, 0};
    int exact[2] = {0, 0};
    char name[4];
    uint64_t x, expected;
    while (fscanf(file, "%3s %" SCNx64 " %" SCNx64, name, &x, &expected) == 3) {
        int is_exp = strcmp(name, "exp") == 0;
        uint64_t got = math_bits(is_exp ? pn_exp(math_double(x)) : pn_log(math_double(x)));
        uint64_t distance = got > expected ? got - expected : expected - got;
        if (distance > 1)
            fail_msg("%s(%a) is %a, expected %a", name, math_double(x), math_double(got),
                     math_double(expected));
        counts[is_exp]++;
        exact[is_exp] += distance == 0;
    }
    assert_true(feof(file));
    fclose(file);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(counts[i], MATH_SAMPLES / 2);
        assert_true(exact[i] * 10 > counts[i] * 9);
    }
}

static void ignore(void *user, uint32_t index, bool is_exp, double x, double result)
{
    (void)user, (void)index, (void)is_exp, (void)x, (void)result;
}

/* scripts/reference/math_table.c has checked each of these million results with MPFR. */
static void log_and_exp_are_as_checked_with_more_digits(void **state)
{
    (void)state;
    uint64_t digest = math_arguments(ignore, NULL);
    if (digest != UINT64_C(0x0D5ADE59DA55AF4A))
        fail_msg("the digest of pn_log and pn_exp is now 0x%016" PRIX64, digest);
}

static void skip_unless_long_double_is_wider(void)
{
    if (LDBL_MANT_DIG >= DBL_MANT_DIG + 10)
        return;
    print_message("SKIPPED: long double is no wider than double here, nothing to compare with\n");
    skip();
}

/* Fails unless `got` is within the promised distance of `exact`, in units of the last place of
 * `exact`. */
static void check_ulps(const char *name, double x, double y, double got, long double exact)
{
    if ((double)exact == got)
        return;
    int exponent;
    frexpl(exact, &exponent);
    int subnormal = exponent < DBL_MIN_EXP;
    long double unit = ldexpl(1.0L, (subnormal ? DBL_MIN_EXP : exponent) - DBL_MANT_DIG);
    long double error = fabsl((long double)got - exact) / unit;
    if (!(error < (subnormal ? ULP_MAX_SUBNORMAL : ULP_MAX)))
        fail_msg("%s(%a, %a) is %a, off by %Lg ulp", name, x, y, got, error);
}

static void log_is_within_its_bound_of_a_wider_logarithm(void **state)
{
    (void)state;
    skip_unless_long_double_is_wider();
    pn_stream stream;
    pn_stream_init(&stream, 11, 0, 0);
    for (int i = 0; i < 1000000; i++) {
        double x = some_positive(&stream, i);
        check_ulps("log", x, 0.0, pn_log(x), logl((long double)x));
    }
}

static void exp_is_within_its_bound_of_a_wider_exponential(void **state)
{
    (void)state;
    skip_unless_long_double_is_wider();
    pn_stream stream;
    pn_stream_init(&stream, 12, 0, 0);
    static const double ranges[4][2] = {
        {-746.0, 710.0}, {-1.0, 1.0}, {-1.0, 1.0}, {-746.0, -707.0}};
    for (int i = 0; i < 1000000; i++) {
        double x = between(&stream, ranges[i % 4][0], ranges[i % 4][1]);
        if (i % 4 == 2)
            x = ldexp(x, -(i / 4 % 60));
        check_ulps("exp", x, 0.0, pn_exp(x), expl((long double)x));
    }
}

/* An exponent that leads from x to the range of doubles and somewhat beyond. */
static double some_exponent(pn_stream *stream, double x)
{
    double log_x = pn_log(x);
    double target = between(stream, -750.0, 712.0);
    return log_x == 0.0 ? target : target / log_x;
}

static void pow_is_within_its_bound_of_a_wider_power(void **state)
{
    (void)state;
    skip_unless_long_double_is_wider();
    pn_stream stream;
    pn_stream_init(&stream, 13, 0, 0);
    for (int i = 0; i < 400000; i++) {
        double x = some_positive(&stream, i);
        double y = some_exponent(&stream, x);
        check_ulps("pow", x, y, pn_pow(x, y), powl((long double)x, (long double)y));
    }
}

static void pow_of_small_integers_is_exact(void **state)
{
    (void)state;
    for (int base = 2; base <= 10; base++) {
        double expected = 1.0;
        for (int exponent = 1; expected * base < 0x1p53; exponent++) {
            expected *= base;
            assert_same_bits(pn_pow(base, exponent), expected);
            assert_same_bits(pn_pow(-base, exponent), exponent % 2 ? -expected : expected);
        }
    }
    for (int exponent = -1074; exponent <= 1023; exponent++)
        assert_same_bits(pn_pow(2.0, exponent), ldexp(1.0, exponent));
}

static void sqrt_equals_the_correctly_rounded_one_of_the_library(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 14, 0, 0);
    for (int i = 0; i < 1000000; i++) {
        double x;
        if (i % 4 == 0) /* subnormals of any length */
            x = math_double(1 + (pn_random64(&stream) >> 12 >> i / 4 % 52));
        else if (i % 4 == 1) { /* squares, and their neighbours */
            double root = floor(between(&stream, 1.0, 0x1p26));
            x = math_double(math_bits(root * root) + (uint64_t)(i / 4 % 3) - 1);
        } else
            x = any_positive(&stream);
        assert_same_bits(pn_sqrt(x), sqrt(x));
    }
}

static void sqrt_is_correct_at_the_ends_of_each_binade(void **state)
{
    (void)state;
    for (int exponent = -1074; exponent <= 1023; exponent++) {
        uint64_t power = math_bits(ldexp(1.0, exponent));
        for (uint64_t i = 0; i < 5; i++) {
            if (power + i < 3)
                continue;
            double x = math_double(power + i - 2);
            assert_same_bits(pn_sqrt(x), sqrt(x));
        }
    }
}

/* ---- special values -------------------------------------------------------------------------- */

static void log_exp_and_sqrt_of_special_values_are_as_documented(void **state)
{
    (void)state;
    static const struct {
        double (*function)(double);
        double x, expected;
    } known[] = {{pn_log, 0.0, -INFINITY},
                 {pn_log, -0.0, -INFINITY},
                 {pn_log, INFINITY, INFINITY},
                 {pn_log, 1.0, 0.0},
                 {pn_log, 0x1p-1074, -0x1.74385446d71c3p+9},
                 {pn_log, DBL_MAX, 0x1.62e42fefa39efp+9},
                 {pn_log, -1.0, NAN},
                 {pn_log, -0x1p-1074, NAN},
                 {pn_log, NAN, NAN},
                 {pn_log, -NAN, NAN},
                 {pn_exp, 0.0, 1.0},
                 {pn_exp, -0.0, 1.0},
                 {pn_exp, 1.0, 0x1.5bf0a8b145769p+1},
                 {pn_exp, INFINITY, INFINITY},
                 {pn_exp, -INFINITY, 0.0},
                 {pn_exp, DBL_MAX, INFINITY},
                 {pn_exp, 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023},
                 {pn_exp, 0x1.62e42fefa39f0p+9, INFINITY},
                 {pn_exp, -0x1.74910d52d3051p+9, 0x1p-1074},
                 {pn_exp, -0x1.74910d52d3052p+9, 0.0},
                 {pn_exp, NAN, NAN},
                 {pn_exp, -NAN, NAN},
                 {pn_sqrt, 0.0, 0.0},
                 {pn_sqrt, -0.0, -0.0},
                 {pn_sqrt, INFINITY, INFINITY},
                 {pn_sqrt, 0x1p-1074, 0x1p-537},
                 {pn_sqrt, DBL_MAX, 0x1.fffffffffffffp+511},
                 {pn_sqrt, -0x1p-1074, NAN},
                 {pn_sqrt, -INFINITY, NAN},
                 {pn_sqrt, NAN, NAN}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (isnan(known[i].expected))
            assert_nan(known[i].function(known[i].x));
        else
            assert_same_bits(known[i].function(known[i].x), known[i].expected);
    }
}

static void pow_of_special_values_is_as_c11_annex_f_says(void **state)
{
    (void)state;
    /* The library's pow is taken as the reference for what Annex F fixes: every pair of these
     * values. */
    static const double values[] = {
        0.0,     1.0,          2.0,          3.0,       4.0,      0.5,      1.5,
        2.5,     0x1p52 + 1.0, 0x1p52 + 0.5, 1e10,      0x1p53,   0x1p64,   0x1p1000,
        DBL_MAX, DBL_MIN,      0x1p-1074,    0x1p-64,   0x1p-70,  INFINITY, NAN,
        1e300,   0x1p-500,     0x1.8p-1,     1 - 1e-16, 1 + 3e-16};
    enum { VALUES = sizeof values / sizeof *values };
    for (int i = 0; i < 2 * VALUES; i++) {
        for (int j = 0; j < 2 * VALUES; j++) {
            double x = i % 2 ? -values[i / 2] : values[i / 2];
            double y = j % 2 ? -values[j / 2] : values[j / 2];
            double expected = pow(x, y);
            double got = pn_pow(x, y);
            int plain = expected == 0.0 || fabs(expected) == 1.0 || isinf(expected);
            int good = isnan(expected) ? math_bits(got) == NAN_BITS
                       : plain         ? math_bits(got) == math_bits(expected)
                               : fabs(got - expected) <= fabs(expected) * 0x1p-52 + 0x1p-1074;
            if (!good)
                fail_msg("pow(%a, %a) is %a, expected %a", x, y, got, expected);
        }
    }
}

static void pow_keeps_the_pinned_cases_without_asking_the_library(void **state)
{
    (void)state;
    assert_same_bits(pn_pow(NAN, 0.0), 1.0);
    assert_same_bits(pn_pow(1.0, NAN), 1.0);
    assert_same_bits(pn_pow(-0.0, -3.0), -INFINITY);
    assert_same_bits(pn_pow(-0.0, -2.0), INFINITY);
    assert_same_bits(pn_pow(-INFINITY, -3.0), -0.0);
    assert_same_bits(pn_pow(0.5, -INFINITY), INFINITY);
    assert_same_bits(pn_pow(-2.0, 1025.0), -INFINITY);
    assert_nan(pn_pow(-2.0, 0.5));
}

/* ---- monotonicity ---------------------------------------------------------------------------- */

static void assert_nondecreasing(double (*function)(double), double start, int steps)
{
    /* Neighbouring doubles have neighbouring bits, downwards for negative ones. */
    int negative = start < 0.0;
    double previous = function(start);
    for (int i = 1; i <= steps; i++) {
        double next = function(math_double(math_bits(start) + (uint64_t)i));
        if (negative ? next > previous : next < previous)
            fail_msg("not monotone %d doubles from %a", i, start);
        previous = next;
    }
}

static void log_and_sqrt_never_decrease_where_their_reduction_changes(void **state)
{
    (void)state;
    for (int exponent = -1074; exponent <= 1023; exponent += 7) {
        double power = ldexp(1.0, exponent);
        assert_nondecreasing(pn_log, math_double(math_bits(power) - 1), 100);
        assert_nondecreasing(pn_sqrt, math_double(math_bits(power) - 1), 100);
        if (exponent >= -1022)
            assert_nondecreasing(pn_log, math_double(math_bits(power * 0x1.6a09e667f3bcdp+0) - 50),
                                 100);
    }
}

static void exp_never_decreases_where_its_reduction_changes(void **state)
{
    (void)state;
    for (int n = -34000; n <= 32700; n += 11) { /* halfway between the multiples of ln 2 / 32 */
        double x = (n + 0.5) * 0x1.62e42fefa39efp-6;
        assert_nondecreasing(pn_exp, math_double(math_bits(x) - 50), 100);
    }
}

/* ---- goldens --------------------------------------------------------------------------------- */

static void results_have_the_golden_digests(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t golden;
    } functions[4] = {
        {"log", UINT64_C(0x0489E025569A7404)},
        {"exp", UINT64_C(0xEF726BBDE7C3E2F6)},
        {"pow", UINT64_C(0x1A261F676FABAD8B)},
        {"sqrt", UINT64_C(0x0260B152DDDA3A93)},
    };
    pn_stream stream;
    pn_stream_init(&stream, 15, 0, 0);
    uint64_t digests[4] = {PN_MIX_START, PN_MIX_START, PN_MIX_START, PN_MIX_START};
    for (int i = 0; i < 100000; i++) {
        double x = any_positive(&stream);
        digests[0] = pn_mix(digests[0], math_bits(pn_log(x)));
        digests[3] = pn_mix(digests[3], math_bits(pn_sqrt(x)));
        x = between(&stream, -746.0, 710.0);
        digests[1] = pn_mix(digests[1], math_bits(pn_exp(i % 2 ? x : x * 0x1p-10)));
        x = some_positive(&stream, i);
        double y = some_exponent(&stream, x);
        digests[2] = pn_mix(digests[2], math_bits(pn_pow(x, y)));
    }
    int wrong = 0;
    for (int i = 0; i < 4; i++) {
        if (digests[i] != functions[i].golden) {
            print_error("the digest of pn_%s is now 0x%016" PRIX64 "\n", functions[i].name,
                        digests[i]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_of_log_and_exp_are_within_one_ulp_of_the_truth),
        cmocka_unit_test(log_and_exp_are_as_checked_with_more_digits),
        cmocka_unit_test(log_is_within_its_bound_of_a_wider_logarithm),
        cmocka_unit_test(exp_is_within_its_bound_of_a_wider_exponential),
        cmocka_unit_test(pow_is_within_its_bound_of_a_wider_power),
        cmocka_unit_test(pow_of_small_integers_is_exact),
        cmocka_unit_test(sqrt_equals_the_correctly_rounded_one_of_the_library),
        cmocka_unit_test(sqrt_is_correct_at_the_ends_of_each_binade),
        cmocka_unit_test(log_exp_and_sqrt_of_special_values_are_as_documented),
        cmocka_unit_test(pow_of_special_values_is_as_c11_annex_f_says),
        cmocka_unit_test(pow_keeps_the_pinned_cases_without_asking_the_library),
        cmocka_unit_test(log_and_sqrt_never_decrease_where_their_reduction_changes),
        cmocka_unit_test(exp_never_decreases_where_its_reduction_changes),
        cmocka_unit_test(results_have_the_golden_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
