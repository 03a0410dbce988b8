/* Random variates, each by inverting its distribution function where that is possible: one uniform
 * in, one variate out, so the order of draws in a simulation never depends on values drawn
 * before. */
#include <float.h>

#include "internal.h"

/* Pieces of a Poisson mean. Past 64 the probability left at mean 16 is below 2^-64: no uniform of
 * 52 bits gets there but by rounding. */
#define POISSON_PIECE_MEAN 16.0
#define POISSON_PIECE_MAX  64
#define POISSON_MEAN_MAX   1e6

/* Each trial of pn_uniform fails with probability below 1/2. */
#define UNIFORM_TRIALS_MAX 128

double pn_uniform01(pn_stream *stream)
{
    /* The middles of 2^52 equal cells: each is a double exactly, and neither 0 nor 1 is one. */
    return ((double)(pn_random64(stream) >> 12) + 0.5) * 0x1p-52;
}

uint64_t pn_uniform(pn_stream *stream, uint64_t low, uint64_t high)
{
    PN_ASSERT(low <= high);
    uint64_t last = high - low;
    if (last == UINT64_MAX)
        return pn_random64(stream);

    /* 2^64 numbers fall into groups of last + 1; those of the incomplete last group are thrown
     * away, or small values would come too often. */
    uint64_t value = 0;
    for (int trial = 0; PN_ALWAYS(trial < UNIFORM_TRIALS_MAX); trial++) {
        uint64_t random = pn_random64(stream);
        value = random % (last + 1);
        if (random - value <= UINT64_MAX - last)
            break;
    }
    PN_ASSERT(value <= last);
    return low + value;
}

double pn_exponential(pn_stream *stream, double mean)
{
    PN_ASSERT(mean >= 0.0);
    PN_ASSERT(mean <= DBL_MAX);
    return mean * -pn_log(pn_uniform01(stream));
}

/* Walks up the distribution function until it passes the uniform; `none` = e^-mean = P(X = 0). */
static uint64_t poisson_piece(pn_stream *stream, double mean, double none)
{
    double uniform = pn_uniform01(stream);
    double probability = none;
    double sum = none;
    uint64_t count = 0;
    while (PN_ALWAYS(count < POISSON_PIECE_MAX) && sum <= uniform) {
        count++;
        probability *= mean / (double)count;
        sum += probability;
    }
    return count;
}

uint64_t pn_poisson(pn_stream *stream, double mean)
{
    PN_ASSERT(mean >= 0.0);
    PN_ASSERT(mean <= POISSON_MEAN_MAX);
    /* A sum of independent Poisson variates is one, of the sum of the means. Equal pieces need
     * e^-mean only once. */
    uint32_t pieces = 1 + (uint32_t)(mean / POISSON_PIECE_MEAN);
    double piece_mean = mean / (double)pieces;
    double none = pn_exp(-piece_mean);
    uint64_t total = 0;
    for (uint32_t i = 0; i < pieces; i++)
        total += poisson_piece(stream, piece_mean, none);
    return total;
}

/* ---- normal ---------------------------------------------------------------------------------- */

/* A quotient of two polynomials of degree 7, coefficients from the constant up. */
typedef struct rational {
    double top[8], bottom[8];
} rational;

static double rational_at(const rational *r, double x)
{
    double top = r->top[7];
    double bottom = r->bottom[7];
    for (int i = 6; i >= 0; i--) {
        top = top * x + r->top[i];
        bottom = bottom * x + r->bottom[i];
    }
    return top / bottom;
}

/* Wichura 1988, algorithm AS241, routine PPND16: the middle (|p - 1/2| <= 0.425), the tails, and
 * the far tails (p < e^-25). */
static const rational quantile_middle = {
    {3.3871328727963666080e+0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3},
};
static const rational quantile_tail = {
    {1.42343711074968357734e+0, 4.63033784615654529590e+0, 5.76949722146069140550e+0,
     3.64784832476320460504e+0, 1.27045825245236838258e+0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e+0, 1.67638483018380384940e+0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
};
static const rational quantile_far_tail = {
    {6.65790464350110377720e+0, 5.46378491116411436990e+0, 1.78482653991729133580e+0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15},
};

double pn_normal_quantile(double p)
{
    PN_ASSERT(p >= 0.0);
    PN_ASSERT(p <= 1.0);
    double from_middle = p - 0.5;
    if (-0.425 <= from_middle && from_middle <= 0.425)
        return from_middle * rational_at(&quantile_middle, 0.180625 - from_middle * from_middle);

    double tail = from_middle < 0.0 ? p : 1.0 - p;
    double radius = pn_sqrt(-pn_log(tail));
    double distance = radius; /* infinite for p = 0 and p = 1 */
    if (tail > 0.0)
        distance = radius <= 5.0 ? rational_at(&quantile_tail, radius - 1.6)
                                 : rational_at(&quantile_far_tail, radius - 5.0);
    return from_middle < 0.0 ? -distance : distance;
}

double pn_normal(pn_stream *stream, double mean, double sd)
{
    PN_ASSERT(-DBL_MAX <= mean && mean <= DBL_MAX);
    PN_ASSERT(0.0 <= sd && sd <= DBL_MAX);
    return mean + sd * pn_normal_quantile(pn_uniform01(stream));
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Returns log(1 + x) for x >= 0, precise for small x too: what is lost in 1 + x is made up by the
 * factor (Kahan). */
static double log_of_one_plus(double x)
{
    double sum = 1.0 + x;
    if (sum == 1.0)
        return x;
    return x < 1.0 ? pn_log(sum) * (x / (sum - 1.0)) : pn_log(sum);
}

double pn_lognormal(pn_stream *stream, double mean, double sd)
{
    PN_ASSERT(0.0 < mean && mean <= DBL_MAX);
    PN_ASSERT(0.0 <= sd && sd <= DBL_MAX);
    double ratio = sd / mean;
    PN_ASSERT(ratio <= PN_LOGNORMAL_RATIO_MOST);
    /* The logarithm has variance ln(1 + ratio^2) and mean ln(mean) - variance / 2; `mean` stays a
     * factor so that sd = 0 gives it exactly. */
    double variance = log_of_one_plus(ratio * ratio);
    double z = pn_normal_quantile(pn_uniform01(stream));
    return mean * pn_exp(pn_sqrt(variance) * z - 0.5 * variance);
}

double pn_pareto(pn_stream *stream, double shape, double scale)
{
    PN_ASSERT(0.0 < shape && shape <= DBL_MAX);
    PN_ASSERT(0.0 < scale && scale <= DBL_MAX);
    return scale * pn_exp(-pn_log(pn_uniform01(stream)) / shape);
}

uint32_t pn_empirical(pn_stream *stream, const uint64_t *cumulative, uint32_t count)
{
    PN_ASSERT(cumulative);
    PN_ASSERT(count > 0);
    PN_ASSERT(cumulative[count - 1] > 0);
    uint64_t target = pn_uniform(stream, 0, cumulative[count - 1] - 1);

    /* The first index whose sum passes the target; one of weight zero passes nothing its
     * predecessor does not. It lies in low..high. */
    uint32_t low = 0;
    uint32_t high = count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cumulative[middle] > target)
            high = middle;
        else
            low = middle + 1;
    }
    PN_ASSERT(cumulative[low] > target);
    return low;
}
