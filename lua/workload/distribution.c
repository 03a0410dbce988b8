/* Sizes of generated jobs: the kernel's variates, rounded up to integers of at least 1; and factors
 * on sizes, as they come. */
#include <math.h>

#include "distribution.h"

const char *const distribution_names[] = {"exp",    "uniform", "lognormal", "normal",
                                          "pareto", "poisson", "constant",  NULL};

static int is_finite(double x)
{
    return x - x == 0.0;
}

static int is_integer(double x)
{
    return x >= 0.0 && x <= (double)PN_INTEGER_MAX && (double)(uint64_t)x == x;
}

const char *distribution_check(const distribution *sizes)
{
    double a = sizes->a, b = sizes->b;
    if (!is_finite(a) || !is_finite(b))
        return "the parameters must be finite";
    switch (sizes->kind) {
    case DISTRIBUTION_EXP:
        return a >= 0.0 ? NULL : "exp(mean): the mean must be >= 0";
    case DISTRIBUTION_UNIFORM:
        if (!is_integer(a) || !is_integer(b))
            return "uniform(low, high): both must be integers of at most 2^53";
        return 1.0 <= a && a <= b ? NULL : "uniform(low, high): 1 <= low <= high is needed";
    case DISTRIBUTION_LOGNORMAL:
        return a > 0.0 && b >= 0.0 ? NULL : "lognormal(mean, sd): mean > 0 and sd >= 0 are needed";
    case DISTRIBUTION_NORMAL:
        return b >= 0.0 ? NULL : "normal(mean, sd): sd >= 0 is needed";
    case DISTRIBUTION_PARETO:
        return a > 0.0 && b > 0.0 ? NULL : "pareto(shape, scale): both must be > 0";
    case DISTRIBUTION_POISSON:
        return a >= 0.0 && a <= 1e6 ? NULL : "poisson(mean): the mean must be in 0..1000000";
    case DISTRIBUTION_CONSTANT:
        return a > 0.0 && a <= (double)PN_INTEGER_MAX
                   ? NULL
                   : "constant(value): the value must be > 0 and at most 2^53";
    }
    return "unknown kind";
}

/* The smallest integer >= max(x, 1); 0 beyond the largest one. Not libm's ceil: nothing else here
 * needs libm. */
static uint64_t round_up(double x)
{
    uint64_t below;
    if (x <= 1.0)
        return 1;
    if (!(x <= (double)PN_INTEGER_MAX))
        return 0;
    below = (uint64_t)x;
    return (double)below < x ? below + 1 : below;
}

uint64_t distribution_draw(const distribution *sizes, pn_stream *stream)
{
    uint64_t count;
    switch (sizes->kind) {
    case DISTRIBUTION_EXP:
        return round_up(pn_exponential(stream, sizes->a));
    case DISTRIBUTION_UNIFORM:
        return pn_uniform(stream, (uint64_t)sizes->a, (uint64_t)sizes->b);
    case DISTRIBUTION_LOGNORMAL:
        return round_up(pn_lognormal(stream, sizes->a, sizes->b));
    case DISTRIBUTION_NORMAL:
        return round_up(pn_normal(stream, sizes->a, sizes->b));
    case DISTRIBUTION_PARETO:
        return round_up(pn_pareto(stream, sizes->a, sizes->b));
    case DISTRIBUTION_POISSON:
        count = pn_poisson(stream, sizes->a);
        return count > 0 ? count : 1;
    case DISTRIBUTION_CONSTANT:
        return round_up(sizes->a);
    }
    return 0;
}

const char *distribution_check_factor(const distribution *factor)
{
    double a = factor->a, b = factor->b;
    if (factor->kind != DISTRIBUTION_UNIFORM)
        return factor->kind == DISTRIBUTION_CONSTANT && a == 0.0 ? NULL
                                                                 : distribution_check(factor);
    if (!is_finite(a) || !is_finite(b))
        return "the parameters must be finite";
    return 0.0 <= a && a <= b ? NULL : "uniform(low, high): 0 <= low <= high is needed";
}

double distribution_factor(const distribution *factor, pn_stream *stream)
{
    double x = 0.0;
    switch (factor->kind) {
    case DISTRIBUTION_EXP:
        x = pn_exponential(stream, factor->a);
        break;
    case DISTRIBUTION_UNIFORM:
        x = factor->a + (factor->b - factor->a) * pn_uniform01(stream);
        break;
    case DISTRIBUTION_LOGNORMAL:
        x = pn_lognormal(stream, factor->a, factor->b);
        break;
    case DISTRIBUTION_NORMAL:
        x = pn_normal(stream, factor->a, factor->b);
        break;
    case DISTRIBUTION_PARETO:
        x = pn_pareto(stream, factor->a, factor->b);
        break;
    case DISTRIBUTION_POISSON:
        x = (double)pn_poisson(stream, factor->a);
        break;
    case DISTRIBUTION_CONSTANT:
        x = factor->a;
        break;
    }
    return x > 0.0 ? x : 0.0;
}

/* ---- means ----------------------------------------------------------------------------------- */

/* log(1 + x), x >= 0, as pn_lognormal takes it: what is lost in 1 + x is made up by the factor
 * (Kahan). */
static double log_of_one_plus(double x)
{
    double sum = 1.0 + x;
    if (sum == 1.0 || !is_finite(sum))
        return x;
    return x < 1.0 ? pn_log(sum) * (x / (sum - 1.0)) : pn_log(sum);
}

static double lognormal_variance(const distribution *factor)
{
    double ratio = factor->b / factor->a;
    return log_of_one_plus(ratio * ratio);
}

/* E max(0, X) = a P(Z > -a/b) + b phi(a/b). The distribution function by its series of positive
 * terms (Marsaglia 2004). */
static double normal_mean(double a, double b)
{
    double t = b > 0.0 ? (a < 0.0 ? -a : a) / b : INFINITY, density, term = t, sum = 0.0, above;
    if (!(t < 9.0))
        return a > 0.0 ? a : 0.0;                        /* the rest is less than rounding */
    density = pn_exp(-0.5 * t * t) * 0.3989422804014327; /* 1 / sqrt(2 pi) */
    for (int k = 1; sum + term != sum; k++) {
        sum += term;
        term *= t * t / (2.0 * k + 1.0);
    }
    above = 0.5 + density * sum; /* P(Z < t) */
    return a < 0.0 ? b * density + a * (1.0 - above) : b * density + a * above;
}

double distribution_moment(const distribution *factor, int thirds)
{
    /* Gamma(1 + thirds / 3) */
    static const double gamma_of[] = {1.0, 0.8929795115692493, 0.9027452929509336, 1.0};
    double a = factor->a, b = factor->b, power = thirds / 3.0, variance;
    switch (factor->kind) {
    case DISTRIBUTION_EXP:
        return pn_pow(a, power) * gamma_of[thirds];
    case DISTRIBUTION_UNIFORM:
        return a == b
                   ? pn_pow(a, power)
                   : (pn_pow(b, power + 1.0) - pn_pow(a, power + 1.0)) / ((power + 1.0) * (b - a));
    case DISTRIBUTION_LOGNORMAL:
        variance = lognormal_variance(factor);
        return pn_pow(a, power) * pn_exp(0.5 * variance * power * (power - 1.0));
    case DISTRIBUTION_PARETO:
        return a > power ? a * pn_pow(b, power) / (a - power) : INFINITY;
    case DISTRIBUTION_CONSTANT:
        return pn_pow(a, power);
    case DISTRIBUTION_NORMAL:
        return thirds == 3 ? normal_mean(a, b) : -1.0;
    case DISTRIBUTION_POISSON:
        return thirds == 3 ? a : -1.0;
    }
    return -1.0;
}

/* ---- many draws ------------------------------------------------------------------------------ */

void prepared_factor_init(prepared_factor *self, const distribution *factor)
{
    *self = (prepared_factor){.of = *factor};
    if (factor->kind == DISTRIBUTION_LOGNORMAL) {
        double variance = lognormal_variance(factor);
        self->sigma = pn_sqrt(variance);
        self->drift = 0.5 * variance;
    }
}

/* One step of all draws before the next step: half again as fast as one draw after the other. */
void prepared_factor_fill(const prepared_factor *self, pn_stream *stream, double *draws,
                          size_t count)
{
    const distribution *of = &self->of;
    if (of->kind != DISTRIBUTION_LOGNORMAL && of->kind != DISTRIBUTION_EXP) {
        for (size_t i = 0; i < count; i++)
            draws[i] = distribution_factor(of, stream);
        return;
    }
    for (size_t i = 0; i < count; i++)
        draws[i] = pn_uniform01(stream);
    if (of->kind == DISTRIBUTION_EXP) {
        for (size_t i = 0; i < count; i++)
            draws[i] = of->a * -pn_log(draws[i]);
        return;
    }
    for (size_t i = 0; i < count; i++)
        draws[i] = pn_normal_quantile(draws[i]);
    for (size_t i = 0; i < count; i++)
        draws[i] = of->a * pn_exp(self->sigma * draws[i] - self->drift);
}
