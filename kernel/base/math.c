/* log, exp, pow and sqrt of our own, because those of C libraries differ in the last bit. Only + -
 * * / on doubles, rounded to nearest, and integer operations on their bits: each of these has one
 * IEEE result, so any compiler and machine gives the same bits.
 *
 * Largest errors found with MPFR, over 10^7 arguments or more of each kind (any exponent, near 1,
 * near the limits), in units in the last place of the exact result: log 0.56, exp 0.54, pow 0.54;
 * subnormal results of exp and pow, being rounded twice, 0.76. sqrt is exact to the last bit (0.5).
 * The golden digests of tests/base/math.c hold the bits.
 *
 * Where a sum or product must be better than a double, a value is a pair: the unevaluated sum of a
 * double and a far smaller one. Polynomials are plain Taylor series, two or three terms longer than
 * fitted ones: no magic number to trust. */
#include <float.h>
#include "internal.h"

_Static_assert(sizeof(double) == 8 && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024,
               "a double must be IEEE binary64");

#define SIGN_BIT      ((uint64_t)1 << 63)
#define MANTISSA_BITS 52
#define MANTISSA_MASK (((uint64_t)1 << MANTISSA_BITS) - 1)
#define EXPONENT_BIAS 1023
#define INFINITY_BITS UINT64_C(0x7FF0000000000000)
#define NAN_BITS      UINT64_C(0x7FF8000000000000)

/* ln 2 in two parts. The first has 42 bits, so that it times any exponent of a double is exact. */
#define LN2_HI 0x1.62e42fefa38p-1
#define LN2_LO 0x1.ef35793c7673p-45
/* The same of ln 2 / 32; the first part has 37 bits and is multiplied by less than 2^16. */
#define LN2_32_HI      0x1.62e42fefap-6
#define LN2_32_LO      0x1.cf79abc9e3b3ap-45
#define INVERSE_LN2_32 0x1.71547652b82fep+5

/* Beyond these exp is infinite or zero, with room for the rounding of what is compared. */
#define EXP_ARGUMENT_MAX 710.0
#define EXP_ARGUMENT_MIN (-746.0)

typedef struct pair {
    double hi, lo; /* |lo| <= about one unit in the last place of hi */
} pair;

static inline uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns one NaN for all: the sign of a computed NaN differs between processors. */
static double nan_value(void)
{
    return from_bits(NAN_BITS);
}

static double infinity(void)
{
    return from_bits(INFINITY_BITS);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Returns the first 26 bits of x: products of two such numbers are exact, and so is x minus it. */
static inline double top_half(double x)
{
    return from_bits(to_bits(x) & ~UINT64_C(0x7FFFFFF));
}

/* Returns a + b exactly, for |a| >= |b| or a == 0. */
static inline pair sum_ordered(double a, double b)
{
    double sum = a + b;
    return (pair){sum, b - (sum - a)};
}

/* Returns a * b, exact but for the last bits of the product of the two lower halves (Dekker
 * 1971). */
static inline pair product(double a, double b)
{
    double a_top = top_half(a), a_rest = a - a_top;
    double b_top = top_half(b), b_rest = b - b_top;
    double result = a * b;
    return (pair){result,
                  (((a_top * b_top - result) + a_top * b_rest) + a_rest * b_top) + a_rest * b_rest};
}

static inline pair pair_product(pair a, pair b)
{
    pair result = product(a.hi, b.hi);
    return sum_ordered(result.hi, result.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* Returns a + b for |a| >= |b|. */
static inline pair pair_sum(pair a, pair b)
{
    pair result = sum_ordered(a.hi, b.hi);
    return sum_ordered(result.hi, result.lo + (a.lo + b.lo));
}

/* ---- log ------------------------------------------------------------------------------------- */

/* x = 2^exponent * m with m in [sqrt(1/2), sqrt(2)), and s = (m - 1) / (m + 1), so that log x =
 * exponent * ln 2 + 2 atanh s with |s| < 0.1716: log m is small where exponent is not 0, so nothing
 * cancels. The error of s is about 2^-77 of it. */
typedef struct reduced {
    double exponent;
    pair s;
} reduced;

static inline reduced log_reduce(double x)
{
    const uint64_t one = (uint64_t)EXPONENT_BIAS << MANTISSA_BITS;
    const uint64_t sqrt_half = UINT64_C(0x3FE6A09E667F3BCD);
    PN_ASSERT(x > 0.0);
    PN_ASSERT(x <= DBL_MAX);

    int32_t exponent = -EXPONENT_BIAS;
    if (x < DBL_MIN) { /* make a subnormal normal */
        x *= 0x1p54;
        exponent -= 54;
    }
    uint64_t bits = to_bits(x);
    /* Moving sqrt(1/2) to 1 makes the exponent field step where m is to wrap. */
    uint64_t field = (bits + (one - sqrt_half)) >> MANTISSA_BITS;
    double m = from_bits(bits - (field << MANTISSA_BITS) + one);

    double f = m - 1.0; /* exact */
    double d = m + 1.0;
    double d_top = top_half(d);
    double d_rest = (d - d_top) + (m - (d - 1.0)); /* with the bit that m + 1 lost: exact */
    double inverse = 1.0 / d;
    double s = f * inverse;
    double s_top = top_half(s);
    /* of f / d; only the last step rounds */
    double remainder = ((f - s_top * d_top) - (s - s_top) * d_top) - s * d_rest;
    return (reduced){(double)(exponent + (int32_t)field), {s, remainder * inverse}};
}

/* Returns 1/7 + z/9 + ... + z^9/25, the end of atanh(s)/s in z = s^2 <= 0.0295. The next term would
 * add 2^-71 of the whole. Summed in pairs because a processor does these side by side. */
static inline double atanh_tail(double z)
{
    double z2 = z * z;
    double z4 = z2 * z2;
    double low = (1.0 / 7 + z * (1.0 / 9)) + z2 * (1.0 / 11 + z * (1.0 / 13));
    double high = (1.0 / 15 + z * (1.0 / 17)) + z2 * (1.0 / 19 + z * (1.0 / 21));
    return low + z4 * (high + z4 * (1.0 / 23 + z * (1.0 / 25)));
}

double pn_log(double x)
{
    if (!(x > 0.0 && x <= DBL_MAX)) {
        if (x == 0.0)
            return -infinity();
        return x > 0.0 ? x : nan_value();
    }
    reduced r = log_reduce(x);
    /* 2s + exponent * ln 2 in pairs; the rest of atanh is 1 % of 2s at most and so is its error. */
    double twice = 2.0 * r.s.hi;
    double z = r.s.hi * r.s.hi;
    double rest = twice * (z * (1.0 / 3 + z * (1.0 / 5 + z * atanh_tail(z))));
    pair sum = sum_ordered(r.exponent * LN2_HI, twice);
    return sum.hi + (sum.lo + ((2.0 * r.s.lo + r.exponent * LN2_LO) + rest));
}

/* Returns log x to about 2^-68 of itself: as above, with the first terms of the series in pairs as
 * well. */
static pair log_pair(double x)
{
    const pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    const pair fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
    reduced r = log_reduce(x);
    pair z = pair_product(r.s, r.s);
    pair series = pair_sum(fifth, pair_product(z, (pair){atanh_tail(z.hi), 0.0}));
    series = pair_sum(third, pair_product(z, series));
    series = pair_sum(r.s, pair_product(r.s, pair_product(z, series)));
    pair sum = sum_ordered(r.exponent * LN2_HI, 2.0 * series.hi);
    return sum_ordered(sum.hi, sum.lo + (2.0 * series.lo + r.exponent * LN2_LO));
}

/* ---- exp ------------------------------------------------------------------------------------- */

/* 2^(i/32), correctly rounded, and what the rounding took away. */
static const pair powers_of_two[32] = {
    {0x1p+0, 0.0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80dp-59},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.9c49182a3f09p+0, 0x1.c7c46b071f2bep-56},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.f50765b6e454p+0, 0x1.9d3e12dd8a18bp-54},
};

/* Returns value * 2^exponent for value in (0.9, 2): rounded once if subnormal, infinite if too
 * large. */
static inline double scale(double value, int32_t exponent)
{
    double factor = 1.0;
    if (exponent >= EXPONENT_BIAS) { /* the result may be finite though 2^exponent is not */
        exponent--;
        factor = 2.0;
        /* value may be below 1, so one more than the smallest exponent */
    } else if (exponent < 2 - EXPONENT_BIAS) {
        exponent += 128;
        factor = 0x1p-128;
    }
    PN_ASSERT(-EXPONENT_BIAS < exponent);
    PN_ASSERT(exponent <= EXPONENT_BIAS);
    return from_bits(to_bits(value) + ((uint64_t)(int64_t)exponent << MANTISSA_BITS)) * factor;
}

/* Returns e^(x.hi + x.lo) with hi + lo = n * ln 2 / 32 + r, |r| <= 0.011: 2^(n/32) comes from the
 * table, e^r from its series. */
static inline double exp_pair(pair x)
{
    const double round_to_integer = 0x1.8p52; /* no room for a fraction above it */
    if (x.hi > EXP_ARGUMENT_MAX)
        return infinity();
    if (x.hi < EXP_ARGUMENT_MIN)
        return 0.0;

    double n = (x.hi * INVERSE_LN2_32 + round_to_integer) - round_to_integer;
    double r = ((x.hi - n * LN2_32_HI) - n * LN2_32_LO) + x.lo; /* the first difference is exact */
    PN_ASSERT(-0.011 < r && r < 0.011);

    double r2 = r * r;
    double series = r +
                    r2 * ((1.0 / 2 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) +
                                                            r2 * (1.0 / 720 + r * (1.0 / 5040))));
    int32_t steps = (int32_t)n;
    int32_t index = (int32_t)((uint32_t)steps % 32);
    pair power = powers_of_two[index];
    return scale(power.hi + (power.lo + power.hi * series), (steps - index) / 32);
}

double pn_exp(double x)
{
    if (x != x)
        return nan_value();
    return exp_pair((pair){x, 0.0});
}

/* ---- pow ------------------------------------------------------------------------------------- */

/* Returns 0: y is not an integer, 1: odd, 2: even, which the infinities are too, as all large
 * doubles. */
static int parity(double y)
{
    double magnitude = y < 0.0 ? -y : y;
    if (magnitude >= 0x1p53)
        return 2;
    uint64_t integer = (uint64_t)magnitude;
    if ((double)integer != magnitude)
        return 0;
    return integer % 2 ? 1 : 2;
}

/* Returns x^y for finite x > 0, x not 1, and y neither 0 nor NaN. */
static double pow_positive(double x, double y)
{
    double magnitude = y < 0.0 ? -y : y;
    PN_ASSERT(x > 0.0);
    PN_ASSERT(magnitude > 0.0);
    /* |log x| is between 2^-54 and 2^10: beyond these y the result is plain, and within them no
     * product under- or overflows. */
    if (magnitude >= 0x1p64)
        return (x > 1.0) == (y > 0.0) ? infinity() : 0.0;
    if (magnitude <= 0x1p-65)
        return 1.0;
    pair log_x = log_pair(x);
    pair exponent = product(y, log_x.hi);
    exponent.lo += y * log_x.lo;
    return exp_pair(exponent);
}

double pn_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return nan_value();

    double base = from_bits(to_bits(x) & ~SIGN_BIT);
    bool negative = to_bits(x) & SIGN_BIT;
    int y_parity = parity(y);
    if (negative && y_parity == 0 && 0.0 < base && base <= DBL_MAX)
        return nan_value();

    double result;
    if (base == 0.0 || base > DBL_MAX)
        result = (base == 0.0) == (y > 0.0) ? 0.0 : infinity();
    else if (base == 1.0)
        result = 1.0;
    else
        result = pow_positive(base, y);
    return negative && y_parity == 1 ? -result : result;
}

/* ---- sqrt ------------------------------------------------------------------------------------ */

double pn_sqrt(double x)
{
    if (!(x > 0.0 && x <= DBL_MAX))
        return x == 0.0 || x > 0.0 ? x : nan_value();

    int32_t half_exponent = 0; /* of the result, without the bias */
    if (x < DBL_MIN) {
        x *= 0x1p54;
        half_exponent -= 27;
    }
    uint64_t bits = to_bits(x);
    int32_t exponent = (int32_t)(bits >> MANTISSA_BITS) - EXPONENT_BIAS;
    int32_t odd = exponent & 1; /* also of a negative one: it is then 2q + 1 with q rounded down */
    half_exponent += (exponent - odd) / 2;
    /* x is m * 4^half_exponent / 2^52 */
    uint64_t m = ((bits & MANTISSA_MASK) | (uint64_t)1 << MANTISSA_BITS) << odd;

    /* The inverse root of v = m / 2^52 in [1, 4): the bits of a double are nearly its logarithm, so
     * that halving and negating them gives a first guess within 4 %; each Newton step doubles the
     * good digits. */
    double v = (double)m * 0x1p-52;
    double inverse = from_bits(UINT64_C(0x5FE6EB50C7B537A9) - (to_bits(v) >> 1));
    for (int step = 0; step < 4; step++)
        inverse = inverse * (1.5 - 0.5 * v * inverse * inverse);

    /* The exact integer root of n = m * 2^52 is near, and so n - root^2 fits 64 bits though n does
     * not: arithmetic modulo 2^64 gives it. The result is the root rounded; n is never halfway, as
     * (root + 1/2)^2 is no integer. */
    uint64_t root = (uint64_t)(v * inverse * 0x1p52);
    int64_t rest = (int64_t)((m << 52) - root * root);
    for (int step = 0; PN_ALWAYS(step < 8) && rest < 0; step++) {
        root--;
        rest += (int64_t)(2 * root + 1);
    }
    for (int step = 0; PN_ALWAYS(step < 8) && rest > (int64_t)(2 * root); step++) {
        rest -= (int64_t)(2 * root + 1);
        root++;
    }
    PN_ASSERT(0 <= rest);
    PN_ASSERT(rest <= (int64_t)(2 * root));
    root += rest > (int64_t)root;
    /* root's leading bit is worth 2^52: adding it to the exponent field below counts it there. */
    return from_bits(((uint64_t)(half_exponent + EXPONENT_BIAS - 1) << MANTISSA_BITS) + root);
}
