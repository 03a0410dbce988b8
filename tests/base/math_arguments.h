/* Arguments of log and exp: rounds of 10,000 from a fixed generator, the same on every machine. For
 * the test of both functions, and for the program that checks their results with MPFR. */
#ifndef MATH_ARGUMENTS_H
#define MATH_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pn_base.h"
#include "pn_strict.h"

enum { MATH_ROUNDS = 100, MATH_ARGUMENTS = 10000 }; /* per round; half of them are log's */

/* A sample is every 50th argument of the first round. */
enum { MATH_SAMPLE_EVERY = 50, MATH_SAMPLES = MATH_ARGUMENTS / MATH_SAMPLE_EVERY };

/* Receives argument `index` of a round, and the result of pn_exp or pn_log. */
typedef void math_visit(void *user, uint32_t index, bool is_exp, double x, double result);

static inline uint64_t math_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double math_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Steps Knuth's MMIX generator twice: the low bits of a step are poor, so two upper halves make a
 * number. */
static inline uint64_t math_next(uint64_t *state)
{
    uint64_t bits = 0;
    for (int half = 0; half < 2; half++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bits = bits << 32 | *state >> 32;
    }
    return bits;
}

static inline double math_unit(uint64_t *state)
{
    return (double)(math_next(state) >> 11) * 0x1p-53;
}

static inline double math_sign(uint64_t *state)
{
    return math_next(state) >> 63 ? 1.0 : -1.0;
}

static inline double math_power_of_two(int exponent)
{
    return math_double((uint64_t)(exponent + 1023) << 52);
}

static inline double math_log_argument(uint64_t *state, int i)
{
    if (i < 2000) /* any exponent */
        return math_double(1 + math_next(state) % (UINT64_C(0x7FF0000000000000) - 1));
    if (i < 2500) { /* subnormals of any length */
        uint64_t bits = math_next(state) >> 12;
        return math_double(1 + (bits >> math_next(state) % 52));
    }
    if (i < 4000) { /* ever nearer to 1 */
        double sign = math_sign(state);
        return 1.0 + sign * math_unit(state) * math_power_of_two(-1 - (i - 2500) % 52);
    }
    return (1.0 + math_unit(state)) * math_power_of_two((i - 4000) % 21 - 10); /* everyday */
}

static inline double math_exp_argument(uint64_t *state, int i)
{
    if (i < 2000) /* the whole range of finite results */
        return -745.0 + 1454.0 * math_unit(state);
    if (i < 3000) /* subnormal results, down to rounding to 0 */
        return -708.3 - 37.0 * math_unit(state);
    double sign = math_sign(state), unit = math_unit(state);
    if (i < 3500) /* around the largest finite result */
        return 709.782712893384 + sign * unit * math_power_of_two(-1 - (i - 3000) % 40);
    if (i < 4000) /* around half of the smallest subnormal */
        return -745.1332191019412 + sign * unit * math_power_of_two(-1 - (i - 3500) % 40);
    return sign * (1.0 + unit) * math_power_of_two((i - 4000) % 60 - 57); /* any small exponent */
}

/* Calls `visit` for each argument of each round, and returns the digest of all results. */
static inline uint64_t math_arguments(math_visit *visit, void *user)
{
    uint64_t state = 20130417, digest = PN_MIX_START;
    for (int round = 0; round < MATH_ROUNDS; round++)
        for (uint32_t i = 0; i < MATH_ARGUMENTS; i++) {
            bool is_exp = i >= MATH_ARGUMENTS / 2;
            double x = is_exp ? math_exp_argument(&state, (int)i - MATH_ARGUMENTS / 2)
                              : math_log_argument(&state, (int)i);
            double result = is_exp ? pn_exp(x) : pn_log(x);
            digest = pn_mix(digest, math_bits(result));
            visit(user, (uint32_t)round * MATH_ARGUMENTS + i, is_exp, x, result);
        }
    return digest;
}

#endif
