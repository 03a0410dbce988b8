/* Fractions of 64-bit integers with 128-bit intermediates. Inside, a value is a sign and two
 * magnitudes. */
#include "wide.h"

#define WORD_MOST ((uint64_t)INT64_MAX)

/* ---- wide numbers ---- */

/* Returns a digit of 32 bits of the quotient of two by one digit and a half: `high` < by, whose top
 * bit is set (Knuth, volume 2, 4.3.1, algorithm D). */
/*@ requires high < by && next < 0x100000000 && by >= 0x8000000000000000;
    assigns \result \from high, next, by;
    ensures \result < 0x100000000;
    ensures \result * by <= high * 0x100000000 + next < (\result + 1) * by; */
static uint64_t digit_of(uint64_t high, uint64_t next, uint64_t by)
{
    uint64_t by1 = by >> 32, by0 = (uint32_t)by;
    //@ assert by == by1 * 0x100000000 + by0 && by0 < 0x100000000 && by1 >= 0x80000000;
    uint64_t digit = high / by1, rest = high % by1;
    //@ assert high == digit * by1 + rest && rest < by1;
    //@ assert high < by1 * 0x100000000 + 0x100000000;
    //@ assert digit * by1 < (0x100000000 + 2) * by1;
    //@ assert digit <= 0x100000000 + 1;
    //@ assert (digit + 1) * by >= (digit + 1) * (by1 * 0x100000000);
    //@ assert (digit + 1) * by1 >= high + 1;
    //@ assert (digit + 1) * by > high * 0x100000000 + next;
    /*@ loop invariant high == digit * by1 + rest;
        loop invariant rest < 0x100000000;
        loop invariant digit <= 0x100000000 + 1;
        loop invariant (digit + 1) * by > high * 0x100000000 + next;
        loop assigns digit, rest;
        loop variant digit; */
    while (digit > UINT32_MAX || digit * by0 > (rest << 32 | next)) {
        //@ assert digit * by0 < 0x10000000000000000;
        //@ assert (uint64_t)(digit * by0) == digit * by0;
        //@ assert ((uint64_t)(rest << 32) | next) == rest * 0x100000000 + next;
        digit--;
        rest += by1;
        if (rest > UINT32_MAX) {
            //@ assert digit * by0 <= 0x100000000 * 0x100000000;
            //@ assert digit * by == digit * by1 * 0x100000000 + digit * by0;
            break;
        }
    }
    //@ assert digit * by == digit * by1 * 0x100000000 + digit * by0;
    //@ assert digit * by <= high * 0x100000000 + next;
    return digit;
}

/* A divisor and what it was multiplied by. */
typedef struct scaled_divisor {
    uint64_t by, scale;
} scaled_divisor;

/* Multiplies both by a factor if the divisor stays one word. */
/*@ requires 1 <= s.scale <= s.by && factor > 1;
    assigns \result \from s, factor;
    ensures s.by * factor <= UINT64_MAX ==>
            \result.by == s.by * factor && \result.scale == s.scale * factor;
    ensures s.by * factor > UINT64_MAX ==> \result.by == s.by && \result.scale == s.scale; */
static scaled_divisor scale_up(scaled_divisor s, uint64_t factor)
{
    if (s.by > UINT64_MAX / factor)
        return s;
    return (scaled_divisor){s.by * factor, s.scale * factor};
}

/* Scales a divisor so that its top bit is set. */
/*@ requires by > 0;
    assigns \result \from by;
    ensures \result.by >= 0x8000000000000000;
    ensures 1 <= \result.scale;
    ensures \result.by == by * \result.scale; */
static scaled_divisor normal(uint64_t by)
{
    scaled_divisor s = scale_up((scaled_divisor){by, 1}, 0x100000000);
    s = scale_up(s, 0x10000);
    s = scale_up(s, 0x100);
    s = scale_up(s, 0x10);
    s = scale_up(s, 4);
    return scale_up(s, 2);
}

/* Returns what a digit of the quotient leaves. */
/*@ requires next < 0x100000000;
    requires digit * by <= high * 0x100000000 + next < digit * by + by;
    assigns \result \from high, next, digit, by;
    ensures \result == high * 0x100000000 + next - digit * by; */
static uint64_t rest_of(uint64_t high, uint64_t next, uint64_t digit, uint64_t by)
{
    pn_wide whole = {high >> 32, high << 32 | next};
    return pn_wide_difference(whole, pn_wide_product(digit, by)).low;
}

/* Divides high * 2^64 + low by a number above high, both scaled: the quotient is the same. */
/*@ requires high < by && \valid(rest);
    assigns \result \from high, low, by;
    assigns *rest \from high, low, by;
    ensures \initialized(rest) && *rest < by;
    ensures \result * by + *rest == high * 0x10000000000000000 + low; */
static uint64_t divide_long(uint64_t high, uint64_t low, uint64_t by, uint64_t *rest)
{
    scaled_divisor s = normal(by);
    pn_wide low_scaled = pn_wide_product(low, s.scale);
    //@ assert high * s.scale + s.scale <= s.by;
    uint64_t high_scaled = high * s.scale + low_scaled.high;
    uint64_t first = digit_of(high_scaled, low_scaled.low >> 32, s.by);
    uint64_t left = rest_of(high_scaled, low_scaled.low >> 32, first, s.by);
    uint64_t second = digit_of(left, (uint32_t)low_scaled.low, s.by);
    uint64_t last = rest_of(left, (uint32_t)low_scaled.low, second, s.by);
    //@ ghost uint64_t quotient = (first << 32 | second);
    //@ assert last == (high * 0x10000000000000000 + low) * s.scale - quotient * s.by;
    //@ assert last < by * s.scale;
    *rest = last / s.scale;
    //@ assert *rest * s.scale <= last < *rest * s.scale + s.scale;
    /*@ assert 0 <= (high * 0x10000000000000000 + low - quotient * by - *rest) * s.scale <
                    s.scale; */
    return first << 32 | second;
}

pn_wide pn_wide_divide(pn_wide a, uint64_t by, uint64_t *rest)
{
    PN_ASSERT(by > 0);
    pn_wide quotient = {a.high / by, 0};
    uint64_t left = a.high % by;
    if (left == 0) {
        quotient.low = a.low / by;
        *rest = a.low % by;
        return quotient;
    }
    quotient.low = divide_long(left, a.low, by, rest);
    return quotient;
}

uint64_t pn_gcd(uint64_t a, uint64_t b)
{
    /*@ loop invariant a == \at(a, Pre) && b == \at(b, Pre) || 0 < a <= \at(b, Pre) && b < a;
        loop invariant a == \at(a, Pre) && b == \at(b, Pre) || a <= \at(a, Pre) ||
                       a == \at(b, Pre) && b == \at(a, Pre) % a;
        loop assigns a, b;
        loop variant b; */
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- fractions ---- */

typedef struct fraction {
    bool negative;
    uint64_t num, den;
} fraction;

/*@ assigns \result \from x; */
static uint64_t magnitude(int64_t x)
{
    return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

/*@ assigns \result \from value;
    ensures \result.negative == 0 || \result.negative == 1;
    ensures \result.den >= 1; */
static fraction fraction_of(pn_exact value)
{
    PN_ASSERT(value.den >= 1);
    uint64_t num = magnitude(value.num), divisor = pn_gcd(num, (uint64_t)value.den);
    return (fraction){value.num < 0, num / divisor, (uint64_t)value.den / divisor};
}

/* Writes a value in lowest terms if it fits; zero may come with either sign. */
static int give(pn_exact *value, bool negative, pn_wide num, pn_wide den)
{
    if (num.high != 0 || den.high != 0 || den.low > WORD_MOST || num.low > WORD_MOST + negative)
        return PN_ERR_OVERFLOW;
    /* Of -2^63 the magnitude is no int64_t: negate in unsigned words. */
    uint64_t bits = negative ? 0 - num.low : num.low;
    memcpy(&value->num, &bits, sizeof bits);
    value->den = (int64_t)den.low;
    return PN_OK;
}

int pn_exact_make(pn_exact *value, int64_t num, int64_t den)
{
    if (!value || den == 0)
        return PN_ERR_ARGUMENT;
    uint64_t top = magnitude(num), bottom = magnitude(den), divisor = pn_gcd(top, bottom);
    return give(value, (num < 0) != (den < 0), (pn_wide){0, top / divisor},
                (pn_wide){0, bottom / divisor});
}

bool pn_exact_of_wide(pn_exact *value, pn_wide num, uint64_t den)
{
    uint64_t rest;
    pn_wide_divide(num, den, &rest);
    uint64_t divisor = pn_gcd(den, rest);
    return give(value, false, pn_wide_divide(num, divisor, &rest), (pn_wide){0, den / divisor}) ==
           PN_OK;
}

/* Adds. With g = gcd of the denominators, the sum is (a.num * (b.den / g) + b.num * (a.den / g)) /
 * (a.den / g * b.den), and only a divisor of g can still be cancelled (Knuth, volume 2, 4.5.1). */
static int add(pn_exact *sum, fraction a, fraction b)
{
    uint64_t g = pn_gcd(a.den, b.den), rest;
    pn_wide left = pn_wide_product(a.num, b.den / g), right = pn_wide_product(b.num, a.den / g),
            total;
    bool negative = a.negative;
    if (a.negative == b.negative) {
        total = pn_wide_sum(left, right);
    } else if (pn_wide_compare(left, right) >= 0) {
        total = pn_wide_difference(left, right);
    } else {
        total = pn_wide_difference(right, left);
        negative = b.negative;
    }
    pn_wide_divide(total, g, &rest);
    uint64_t divisor = pn_gcd(g, rest);
    return give(sum, negative, pn_wide_divide(total, divisor, &rest),
                pn_wide_product(a.den / g, b.den / divisor));
}

int pn_exact_add(pn_exact *sum, pn_exact a, pn_exact b)
{
    return add(sum, fraction_of(a), fraction_of(b));
}

int pn_exact_subtract(pn_exact *difference, pn_exact a, pn_exact b)
{
    fraction negated = fraction_of(b);
    negated.negative = !negated.negative;
    return add(difference, fraction_of(a), negated);
}

static int multiply(pn_exact *product, fraction a, fraction b)
{
    uint64_t across = pn_gcd(a.num, b.den), other = pn_gcd(b.num, a.den);
    pn_wide num = pn_wide_product(a.num / across, b.num / other);
    return give(product, a.negative != b.negative, num,
                pn_wide_product(a.den / other, b.den / across));
}

int pn_exact_multiply(pn_exact *product, pn_exact a, pn_exact b)
{
    return multiply(product, fraction_of(a), fraction_of(b));
}

int pn_exact_divide(pn_exact *quotient, pn_exact a, pn_exact b)
{
    fraction by = fraction_of(b);
    if (by.num == 0)
        return PN_ERR_ARGUMENT;
    return multiply(quotient, fraction_of(a), (fraction){by.negative, by.den, by.num});
}

int pn_exact_compare(pn_exact a, pn_exact b)
{
    bool below = a.num < 0;
    if (below != (b.num < 0))
        return below ? -1 : 1;
    int order = pn_compare_fractions(magnitude(a.num), (uint64_t)a.den, magnitude(b.num),
                                     (uint64_t)b.den);
    return below ? -order : order;
}

/* ---- as a double ---- */

static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Rounds a fraction. num * 2^64 / den has at least 64 bits when num's first bit is set, more than a
 * double holds; a rest makes the last of them odd, so that the one rounding, to a double, sees what
 * is cut off. Without a rest den is a power of two, and only zeros are cut off. */
double pn_exact_double(pn_exact value)
{
    fraction x = fraction_of(value);
    int exponent = -64;
    if (x.num == 0)
        return 0.0;
    for (; x.num < (uint64_t)1 << 63; exponent--)
        x.num <<= 1;
    uint64_t rest;
    pn_wide quotient = pn_wide_divide((pn_wide){x.num, 0}, x.den, &rest);
    for (; quotient.high != 0; exponent++) {
        quotient.low = quotient.low >> 1 | quotient.high << 63;
        quotient.high >>= 1;
    }
    double rounded = (double)(quotient.low | (rest != 0)) * power_of_two(exponent);
    return x.negative ? -rounded : rounded;
}
