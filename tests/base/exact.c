/* Exact numbers: against 128-bit arithmetic of the compiler where it has any, and known answers
 * everywhere; at the ends of the range, where a result may not fit, nothing is written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/wide.h"
#include "pinion.h"

#define LEAST INT64_MIN
#define MOST  INT64_MAX

static const pn_exact untouched = {-77, 78};

static void check_value(const char *what, pn_exact a, pn_exact b, int status, pn_exact found,
                        int expected, pn_exact value)
{
    if (expected != PN_OK)
        value = untouched;
    if (status != expected || found.num != value.num || found.den != value.den)
        fail_msg("%lld/%lld %s %lld/%lld: %s, %lld/%lld instead of %s, %lld/%lld", (long long)a.num,
                 (long long)a.den, what, (long long)b.num, (long long)b.den, pn_status_name(status),
                 (long long)found.num, (long long)found.den, pn_status_name(expected),
                 (long long)value.num, (long long)value.den);
}

typedef struct operation {
    const char *name;
    int (*apply)(pn_exact *result, pn_exact a, pn_exact b);
} operation;

enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, OPERATIONS };

static const operation operations[] = {{"+", pn_exact_add},
                                       {"-", pn_exact_subtract},
                                       {"*", pn_exact_multiply},
                                       {"/", pn_exact_divide}};

/* ---- known answers ---- */

static void check_make(int64_t num, int64_t den, int expected, int64_t to_num, int64_t to_den)
{
    pn_exact found = untouched;
    int status = pn_exact_make(&found, num, den);
    check_value("made of", (pn_exact){num, den}, (pn_exact){num, den}, status, found, expected,
                (pn_exact){to_num, to_den});
}

static void fractions_are_made_in_lowest_terms(void **unused)
{
    (void)unused;
    check_make(1, 2, PN_OK, 1, 2);
    check_make(6, -4, PN_OK, -3, 2);
    check_make(-6, -4, PN_OK, 3, 2);
    check_make(0, 5, PN_OK, 0, 1);
    check_make(0, -5, PN_OK, 0, 1);
    check_make(0, LEAST, PN_OK, 0, 1);
    check_make(MOST, 1, PN_OK, MOST, 1);
    check_make(LEAST, 1, PN_OK, LEAST, 1);
    check_make(1, MOST, PN_OK, 1, MOST);
    check_make(1, -MOST, PN_OK, -1, MOST);
    check_make(MOST, MOST, PN_OK, 1, 1);
    check_make(LEAST, LEAST, PN_OK, 1, 1);
    check_make(MOST, -MOST, PN_OK, -1, 1);
    check_make(LEAST, 2, PN_OK, LEAST / 2, 1);
    check_make(LEAST, -2, PN_OK, (int64_t)1 << 62, 1);
    check_make(2, LEAST, PN_OK, -1, (int64_t)1 << 62);
    check_make(LEAST, MOST, PN_OK, LEAST, MOST);
    check_make(LEAST, -1, PN_ERR_OVERFLOW, 0, 0);
    check_make(LEAST, -MOST, PN_ERR_OVERFLOW, 0, 0);
    check_make(1, LEAST, PN_ERR_OVERFLOW, 0, 0);
    check_make(MOST, LEAST, PN_ERR_OVERFLOW, 0, 0);
    check_make(1, 0, PN_ERR_ARGUMENT, 0, 0);
    check_make(0, 0, PN_ERR_ARGUMENT, 0, 0);
    assert_int_equal(pn_exact_make(NULL, 1, 1), PN_ERR_ARGUMENT);
}

typedef struct example {
    int operation;
    pn_exact a, b;
    int status;
    pn_exact value;
} example;

static const example examples[] = {
    {ADD, {1, 3}, {1, 6}, PN_OK, {1, 2}},
    {ADD, {1, 3}, {-2, 6}, PN_OK, {0, 1}},
    {ADD, {107, 3}, {1, 3}, PN_OK, {36, 1}},
    {ADD, {0, 7}, {0, 9}, PN_OK, {0, 1}},
    {ADD, {-1, 2}, {1, 3}, PN_OK, {-1, 6}},
    {ADD, {1, MOST}, {-1, MOST}, PN_OK, {0, 1}},
    {ADD, {MOST, 1}, {LEAST, 1}, PN_OK, {-1, 1}},
    {ADD, {MOST, 2}, {MOST, 2}, PN_OK, {MOST, 1}},
    {ADD, {LEAST, 2}, {LEAST, 2}, PN_OK, {LEAST, 1}},
    {ADD, {MOST, 1}, {1, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {ADD, {LEAST, 1}, {-1, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {ADD, {LEAST, 1}, {LEAST, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {ADD, {1, MOST}, {1, MOST - 1}, PN_ERR_OVERFLOW, {0, 0}},
    {SUBTRACT, {1, 2}, {1, 3}, PN_OK, {1, 6}},
    {SUBTRACT, {-1, 1}, {LEAST, 1}, PN_OK, {MOST, 1}},
    {SUBTRACT, {LEAST, 1}, {LEAST, 1}, PN_OK, {0, 1}},
    {SUBTRACT, {LEAST, 3}, {LEAST, 3}, PN_OK, {0, 1}},
    {SUBTRACT, {0, 1}, {LEAST, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {SUBTRACT, {LEAST, 1}, {1, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {MULTIPLY, {2, 3}, {3, 4}, PN_OK, {1, 2}},
    {MULTIPLY, {-2, 3}, {-3, 4}, PN_OK, {1, 2}},
    {MULTIPLY, {MOST, 3}, {3, MOST}, PN_OK, {1, 1}},
    {MULTIPLY, {LEAST, MOST}, {MOST, 1}, PN_OK, {LEAST, 1}},
    {MULTIPLY, {LEAST, 1}, {0, 5}, PN_OK, {0, 1}},
    {MULTIPLY, {LEAST, 1}, {1, 2}, PN_OK, {LEAST / 2, 1}},
    {MULTIPLY, {(int64_t)1 << 32, 1}, {-((int64_t)1 << 31), 1}, PN_OK, {LEAST, 1}},
    {MULTIPLY, {(int64_t)1 << 32, 1}, {(int64_t)1 << 31, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {MULTIPLY, {LEAST, 1}, {-1, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {MULTIPLY, {LEAST, 1}, {LEAST, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {MULTIPLY, {1, MOST}, {1, 2}, PN_ERR_OVERFLOW, {0, 0}},
    {DIVIDE, {1, 2}, {-1, 4}, PN_OK, {-2, 1}},
    {DIVIDE, {0, 2}, {LEAST, 4}, PN_OK, {0, 1}},
    {DIVIDE, {LEAST, 7}, {LEAST, 7}, PN_OK, {1, 1}},
    {DIVIDE, {LEAST, 1}, {MOST, 1}, PN_OK, {LEAST, MOST}},
    {DIVIDE, {1, 1}, {MOST, 1}, PN_OK, {1, MOST}},
    {DIVIDE, {1, MOST}, {1, MOST}, PN_OK, {1, 1}},
    {DIVIDE, {MOST, 1}, {LEAST, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {DIVIDE, {1, 1}, {LEAST, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {DIVIDE, {LEAST, 1}, {-1, 1}, PN_ERR_OVERFLOW, {0, 0}},
    {DIVIDE, {1, 3}, {0, 3}, PN_ERR_ARGUMENT, {0, 0}},
    {DIVIDE, {0, 1}, {0, 1}, PN_ERR_ARGUMENT, {0, 0}},
};

static void known_answers(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const example *x = &examples[i];
        const operation *o = &operations[x->operation];
        pn_exact found = untouched;
        int status = o->apply(&found, x->a, x->b);
        check_value(o->name, x->a, x->b, status, found, x->status, x->value);
    }
}

static void check_compare(pn_exact a, pn_exact b, int expected)
{
    assert_int_equal(pn_exact_compare(a, b), expected);
    assert_int_equal(pn_exact_compare(b, a), -expected);
}

static void comparisons_never_overflow(void **unused)
{
    (void)unused;
    check_compare((pn_exact){1, 2}, (pn_exact){2, 4}, 0);
    check_compare((pn_exact){0, 2}, (pn_exact){0, 9}, 0);
    check_compare((pn_exact){-1, 2}, (pn_exact){1, 3}, -1);
    check_compare((pn_exact){-1, 2}, (pn_exact){-1, 3}, -1);
    check_compare((pn_exact){0, 1}, (pn_exact){-1, MOST}, 1);
    check_compare((pn_exact){LEAST, 1}, (pn_exact){MOST, 1}, -1);
    check_compare((pn_exact){LEAST, 1}, (pn_exact){LEAST, MOST}, -1);
    check_compare((pn_exact){LEAST, MOST}, (pn_exact){LEAST, MOST - 1}, 1);
    check_compare((pn_exact){MOST, MOST - 1}, (pn_exact){MOST - 1, MOST - 2}, -1);
    check_compare((pn_exact){MOST, MOST}, (pn_exact){1, 1}, 0);
}

/* The result may lie where an operand does. */
static void results_may_replace_operands(void **unused)
{
    pn_exact a = {1, 3};
    (void)unused;
    assert_int_equal(pn_exact_add(&a, a, a), PN_OK);
    assert_true(a.num == 2 && a.den == 3);
    assert_int_equal(pn_exact_multiply(&a, a, a), PN_OK);
    assert_true(a.num == 4 && a.den == 9);
    assert_int_equal(pn_exact_divide(&a, a, a), PN_OK);
    assert_true(a.num == 1 && a.den == 1);
    assert_int_equal(pn_exact_subtract(&a, a, a), PN_OK);
    assert_true(a.num == 0 && a.den == 1);
}

/* Quotients of one and of two words, by divisors of any length. */
static void quotients_and_rests_make_the_number(void **unused)
{
    const pn_wide numbers[] = {{0, 7}, {5, 0}, {UINT64_MAX - 1, UINT64_MAX}};
    (void)unused;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int bits = 0; bits < 64; bits++) {
            uint64_t by = UINT64_MAX >> bits, rest;
            pn_wide found = pn_wide_divide(numbers[i], by, &rest);
            pn_wide back = pn_wide_sum(pn_wide_product(found.low, by), (pn_wide){0, rest});
            back.high += found.high * by;
            assert_true(rest < by && pn_wide_compare(back, numbers[i]) == 0);
        }
}

/* Quotients that end with a digit of zeros or of ones, and nothing is left or all but one. */
static void products_are_divided_again(void **unused)
{
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 3, 0, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t by = (pn_random64(&stream) | (uint64_t)1 << 63) >> pn_uniform(&stream, 0, 63);
        uint64_t quotient = pn_random64(&stream) >> pn_uniform(&stream, 0, 63);
        if (i % 4 < 2)
            quotient = i % 4 == 0 ? quotient << 32 : quotient | UINT32_MAX;
        for (uint64_t k = 0; k <= 1; k++) {
            uint64_t left = k * (by - 1), rest;
            pn_wide number = pn_wide_sum(pn_wide_product(quotient, by), (pn_wide){0, left});
            pn_wide found = pn_wide_divide(number, by, &rest);
            assert_true(found.high == 0 && found.low == quotient && rest == left);
        }
    }
}

static void check_of_wide(pn_wide num, uint64_t den, bool fits, pn_exact value)
{
    pn_exact found = untouched;
    assert_int_equal(pn_exact_of_wide(&found, num, den), fits);
    if (!fits)
        value = untouched;
    assert_true(found.num == value.num && found.den == value.den);
}

static void wide_fractions_are_brought_to_lowest_terms(void **unused)
{
    const uint64_t most = MOST;
    (void)unused;
    check_of_wide((pn_wide){0, 0}, 7, true, (pn_exact){0, 1});
    check_of_wide((pn_wide){0, 6}, 4, true, (pn_exact){3, 2});
    check_of_wide((pn_wide){0, 3}, UINT64_MAX - 1, false, (pn_exact){0, 0});
    check_of_wide((pn_wide){0, 6}, UINT64_MAX - 1, true, (pn_exact){3, MOST});
    check_of_wide(pn_wide_product(most, UINT64_MAX), UINT64_MAX, true, (pn_exact){MOST, 1});
    check_of_wide(pn_wide_product(most + 1, UINT64_MAX), UINT64_MAX, false, (pn_exact){0, 0});
    check_of_wide((pn_wide){1, 0}, 3, false, (pn_exact){0, 0});
    check_of_wide((pn_wide){1, 0}, 4, true, (pn_exact){(int64_t)1 << 62, 1});
    check_of_wide(pn_wide_product(most, 10), 20, true, (pn_exact){MOST, 2});
}

/* ---- as doubles ---- */

static void check_double(int64_t num, int64_t den, double expected)
{
    double found = pn_exact_double((pn_exact){num, den});
    if (found != expected || signbit(found) != signbit(expected))
        fail_msg("%lld/%lld is %.17g instead of %.17g", (long long)num, (long long)den, found,
                 expected);
}

static void doubles_are_the_nearest(void **unused)
{
    const int64_t two53 = (int64_t)1 << 53;
    (void)unused;
    check_double(0, 1, 0.0);
    check_double(0, MOST, 0.0);
    check_double(1, 3, 1.0 / 3);
    check_double(-107, 3, -107.0 / 3);
    check_double(LEAST, 1, -0x1p63);
    check_double(MOST, 1, 0x1p63);
    check_double(1, MOST, 0x1p-63);
    check_double(LEAST, MOST, -1 - 0x1p-63);
    check_double(MOST, MOST - 1, 1);
    check_double(two53 + 1, 1, 0x1p53); /* half way: to the even one */
    check_double(two53 + 3, 1, 0x1p53 + 4);
    check_double(2 * two53 + 2, 1, 0x1p54);
    check_double(2 * two53 + 2, 2, 0x1p53);
    check_double(4 * two53 + 4, 4, 0x1p53);
    check_double(-two53 - 1, 1, -0x1p53);
    check_double(two53 * 64 + 32, 1, 0x1p59);
    check_double(two53 * 64 + 33, 1, 0x1p59 + 64); /* just above half way */
    check_double((two53 + 1) * 3 + 1, 3, 0x1p53 + 2);
    check_double((two53 + 1) * 3 - 1, 3, 0x1p53);
}

/* Division of doubles that hold both integers exactly is correctly rounded by IEEE. */
static void doubles_agree_with_division(void **unused)
{
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 2, 0, 0);
    for (int i = 0; i < 200000; i++) {
        int64_t num = (int64_t)(pn_random64(&stream) >> pn_uniform(&stream, 11, 63));
        int64_t den = (int64_t)(pn_random64(&stream) >> pn_uniform(&stream, 11, 62)) + 1;
        check_double(num, den, (double)num / (double)den);
    }
}

/* ---- against the compiler ---- */

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static unsigned_wide magnitude(wide x)
{
    return x < 0 ? -(unsigned_wide)x : (unsigned_wide)x;
}

static int reduced(pn_exact *value, wide num, wide den)
{
    if (den == 0)
        return PN_ERR_ARGUMENT;
    unsigned_wide a = magnitude(num);
    unsigned_wide b = magnitude(den);
    while (b != 0) {
        unsigned_wide rest = a % b;
        a = b;
        b = rest;
    }
    num /= (wide)a;
    den /= (wide)a;
    if (den < 0) {
        num = -num;
        den = -den;
    }
    if (num < LEAST || num > MOST || den > MOST)
        return PN_ERR_OVERFLOW;
    *value = (pn_exact){(int64_t)num, (int64_t)den};
    return PN_OK;
}

static int expected_of(int which, pn_exact a, pn_exact b, pn_exact *value)
{
    wide den = (wide)a.den * b.den;
    switch (which) {
    case ADD:
        return reduced(value, (wide)a.num * b.den + (wide)b.num * a.den, den);
    case SUBTRACT:
        return reduced(value, (wide)a.num * b.den - (wide)b.num * a.den, den);
    case MULTIPLY:
        return reduced(value, (wide)a.num * b.num, den);
    default:
        return reduced(value, (wide)a.num * b.den, (wide)a.den * b.num);
    }
}

/* 55 bits of the quotient and whether more follow; two of them and that decide how the other 53 are
 * rounded. */
static double expected_double(pn_exact x)
{
    unsigned_wide num = magnitude(x.num);
    unsigned_wide den = (unsigned_wide)x.den;
    int shift = 0;
    if (num == 0)
        return 0;
    for (; num / den < (uint64_t)1 << 54; shift--)
        num <<= 1;
    for (; num / den >= (uint64_t)1 << 55; shift++)
        den <<= 1;
    uint64_t quotient = (uint64_t)(num / den);
    uint64_t cut = (quotient & 3) << 1 | (num % den != 0);
    quotient >>= 2;
    quotient += cut > 4 || (cut == 4 && quotient % 2 == 1);
    double value = ldexp((double)quotient, shift + 2);
    return x.num < 0 ? -value : value;
}

static void check_pair(pn_exact a, pn_exact b)
{
    for (int i = 0; i < OPERATIONS; i++) {
        pn_exact found = untouched;
        pn_exact expected = untouched;
        int status = operations[i].apply(&found, a, b);
        int should = expected_of(i, a, b, &expected);
        check_value(operations[i].name, a, b, status, found, should, expected);
    }
    wide left = (wide)a.num * b.den;
    wide right = (wide)b.num * a.den;
    check_compare(a, b, left < right ? -1 : left > right);
    check_double(a.num, a.den, expected_double(a));
}

static void the_ends_of_the_range(void **unused)
{
    static const int64_t nums[] = {LEAST, LEAST + 1, LEAST + 2, LEAST / 2, -3,       -2,  -1, 0, 1,
                                   2,     3,         6,         MOST / 2,  MOST - 1, MOST};
    static const int64_t dens[] = {
        1, 2, 3, 7, (int64_t)1 << 31, (int64_t)1 << 32, (int64_t)1 << 62, MOST / 3, MOST - 1, MOST};
    enum { NUMS = sizeof nums / sizeof nums[0], DENS = sizeof dens / sizeof dens[0] };
    (void)unused;
    for (int i = 0; i < NUMS * DENS; i++)
        for (int k = 0; k < NUMS * DENS; k++)
            check_pair((pn_exact){nums[i / DENS], dens[i % DENS]},
                       (pn_exact){nums[k / DENS], dens[k % DENS]});
}

/* Of any length in bits, often with common factors; sums and products that just fit, and that just
 * do not. */
static pn_exact drawn(pn_stream *stream)
{
    int64_t num = (int64_t)(pn_random64(stream) >> pn_uniform(stream, 1, 63));
    int64_t den = (int64_t)(pn_random64(stream) >> pn_uniform(stream, 1, 63));
    int64_t factor = (int64_t)pn_uniform(stream, 1, 60);
    if (pn_uniform(stream, 0, 1) == 0 && num < MOST / factor && den < MOST / factor) {
        num *= factor;
        den *= factor;
    }
    return (pn_exact){pn_uniform(stream, 0, 1) ? num : -num, den > 0 ? den : 1};
}

static void any_numbers(void **unused)
{
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 1, 0, 0);
    for (int i = 0; i < 100000; i++) {
        pn_exact a = drawn(&stream);
        check_pair(a, drawn(&stream));
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_are_made_in_lowest_terms),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(comparisons_never_overflow),
        cmocka_unit_test(results_may_replace_operands),
        cmocka_unit_test(quotients_and_rests_make_the_number),
        cmocka_unit_test(products_are_divided_again),
        cmocka_unit_test(wide_fractions_are_brought_to_lowest_terms),
        cmocka_unit_test(doubles_are_the_nearest),
        cmocka_unit_test(doubles_agree_with_division),
#ifdef __SIZEOF_INT128__
        cmocka_unit_test(the_ends_of_the_range),
        cmocka_unit_test(any_numbers),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
