/* Means and variances of distributions, and what a part of their values contributes: by it a
 * truncated distribution or a mixture is as well known as what it is made of. */
#include <math.h>

#include "distribution.h"

/* Computes it as pn_lognormal takes it: what is lost in 1 + x is made up by the factor (Kahan). */
double distribution_log_of_one_plus(double x)
{
    double sum = 1.0 + x;
    if (sum == 1.0)
        return x;
    return x < 1.0 ? pn_log(sum) * (x / (sum - 1.0)) : pn_log(sum);
}

/* ---- the normal distribution ----------------------------------------------------------------- */

#define NORMAL_DENSITY 0.3989422804014327 /* at 0: 1 / sqrt(2 pi) */

/* Returns P(0 < Z < t) by its series of positive terms (Marsaglia 2004); t < 9: there the rest is
 * less than rounding. */
static double normal_below(double t, double density)
{
    double term = t, sum = 0.0;
    for (int k = 1; sum + term != sum; k++) {
        sum += term;
        term *= t * t / (2.0 * k + 1.0);
    }
    return density * sum;
}

/* Computes it far out by the continued fraction of Laplace, which the series would have to cancel
 * to. */
double distribution_normal_tail(double t)
{
    double density = NORMAL_DENSITY * pn_exp(-0.5 * t * t), fraction = t;
    if (t < 3.0)
        return 0.5 - normal_below(t, density);
    for (int k = 40; k > 0; k--)
        fraction = t + k / fraction;
    return density / fraction;
}

/* Returns E max(0, X) = a P(Z > -a/b) + b phi(a/b); a >= 0. */
static double normal_mean(double a, double b)
{
    double t = b > 0.0 ? a / b : INFINITY, density;
    if (!(t < 9.0))
        return a; /* the rest is less than rounding */
    density = pn_exp(-0.5 * t * t) * NORMAL_DENSITY;
    return b * density + a * (0.5 + normal_below(t, density));
}

/* ---- the gamma function ---------------------------------------------------------------------- */

/* Computes Stirling's series above 20, to which smaller arguments are shifted. */
static double log_gamma(double x)
{
    double shift = 1.0, square;
    for (; x < 20.0; x += 1.0)
        shift *= x;
    square = 1.0 / (x * x);
    return (x - 0.5) * pn_log(x) - x + 0.9189385332046728 /* log(2 pi) / 2 */
           + (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x -
           pn_log(shift);
}

static double gamma_function(double x)
{
    return pn_exp(log_gamma(x));
}

/* ---- integrals ------------------------------------------------------------------------------- */

typedef struct integrand {
    const distribution *d;
    double power;
    double from; /* where the variable begins */
    double (*at)(const struct integrand *, double);
} integrand;

#define SIMPSON_CELLS 8192 /* an even number */

/* Integrates integrands that are smooth, and at most a few cells wide where they are steepest. */
static double simpson(const integrand *f, double low, double high)
{
    double step = (high - low) / SIMPSON_CELLS, sum = f->at(f, low) + f->at(f, high);
    if (!(high > low))
        return 0.0;
    for (int i = 1; i < SIMPSON_CELLS; i++)
        sum += (i % 2 ? 4.0 : 2.0) * f->at(f, low + i * step);
    return sum * step / 3.0;
}

/* ---- exp, weibull, pareto: by the hazard H, P(X > x) = exp(-H(x)) ---------------------------- */

/* exp(-H) beyond is less than rounding of the rest. */
#define HAZARD_MOST 60.0

double distribution_hazard(const distribution *d, double x)
{
    if (d->kind == DISTRIBUTION_EXP)
        return x / d->a;
    if (d->kind == DISTRIBUTION_WEIBULL)
        return pn_pow(x / d->b, d->a);
    return x > d->b ? d->a * pn_log(x / d->b) : 0.0;
}

/* Returns X^power at H = from + s^4: roots of H are smooth in s. */
static double hazard_power(const integrand *f, double s)
{
    const distribution *d = f->d;
    double width = s * s * s * s, h = f->from + width, root = h;
    if (d->kind == DISTRIBUTION_WEIBULL)
        root = pn_pow(h, 1.0 / d->a);
    return pn_pow(d->kind == DISTRIBUTION_EXP ? d->a * root : d->b * root, f->power) *
           pn_exp(-width) * 4.0 * s * s * s;
}

static double pareto_partial(const distribution *d, double power, double low, double high)
{
    double from = low > d->b ? low : d->b, rest = power - d->a;
    double factor = d->a * pn_pow(d->b, d->a);
    if (!(high > from))
        return 0.0;
    if (rest == 0.0)
        return factor * pn_log(high / from);
    return factor * (pn_pow(high, rest) - pn_pow(from, rest)) / rest;
}

static double hazard_partial(const distribution *d, double power, double low, double high)
{
    integrand f = {d, power, distribution_hazard(d, low), hazard_power};
    double width = distribution_hazard(d, high) - f.from;
    double roots = d->kind == DISTRIBUTION_WEIBULL ? power / d->a : power;
    double most = (HAZARD_MOST + f.from) * (1.0 + roots);
    if (d->kind == DISTRIBUTION_PARETO)
        return pareto_partial(d, power, low, high);
    if (power == 0.0)
        return pn_exp(-f.from) - pn_exp(-f.from - width);
    return pn_exp(-f.from) * simpson(&f, 0.0, pn_pow(width < most ? width : most, 0.25));
}

static double hazard_moment(const distribution *d, double power)
{
    if (d->kind == DISTRIBUTION_EXP)
        return pn_pow(d->a, power) * gamma_function(1.0 + power);
    if (d->kind == DISTRIBUTION_WEIBULL)
        return pn_pow(d->b, power) * gamma_function(1.0 + power / d->a);
    return d->a > power ? d->a * pn_pow(d->b, power) / (d->a - power) : INFINITY;
}

/* ---- normal and lognormal: over the standard normal number ----------------------------------- */

static double lognormal_variance(const distribution *d)
{
    double ratio = d->b / d->a;
    return distribution_log_of_one_plus(ratio * ratio);
}

/* Returns the partial mean. The mean of X^power is a normal distribution's own, moved by power *
 * sigma. */
static double lognormal_partial(const distribution *d, double power, double low, double high)
{
    double variance = lognormal_variance(d), sigma = pn_sqrt(variance);
    double all = pn_pow(d->a, power) * pn_exp(0.5 * variance * power * (power - 1.0)), from, to;
    if (sigma == 0.0)
        return low <= d->a && d->a <= high ? all : 0.0;
    from = (pn_log(low) - pn_log(d->a) + 0.5 * variance) / sigma - power * sigma;
    to = (pn_log(high) - pn_log(d->a) + 0.5 * variance) / sigma - power * sigma;
    if (from > 0.0)
        return all * (distribution_normal_tail(from) - distribution_normal_tail(to));
    if (to < 0.0)
        return all * (distribution_normal_tail(-to) - distribution_normal_tail(-from));
    return all * (1.0 - distribution_normal_tail(-from) - distribution_normal_tail(to));
}

static double normal_power(const integrand *f, double z)
{
    double x = f->d->a + f->d->b * z;
    return (x > 0.0 ? pn_pow(x, f->power) : f->power == 0.0) * NORMAL_DENSITY *
           pn_exp(-0.5 * z * z);
}

static double normal_partial(const distribution *d, double power, double low, double high)
{
    integrand f = {d, power, 0.0, normal_power};
    double from, to;
    if (d->b == 0.0)
        return low <= d->a && d->a <= high ? pn_pow(d->a, power) : 0.0;
    from = (low - d->a) / d->b;
    to = (high - d->a) / d->b;
    from = from < -12.0 ? -12.0 : from;
    if (to > 12.0)
        to = from > 0.0 ? from + 12.0 : 12.0;
    return simpson(&f, from, to);
}

/* ---- gamma and erlang: over the logarithm ---------------------------------------------------- */

/* Returns the power in units of the scale. */
static double gamma_power(const integrand *f, double t)
{
    double exponent = f->power * t - pn_exp(t);
    return pn_exp(exponent - f->from);
}

static double gamma_moment(double shape, double scale, double power)
{
    return pn_pow(scale, power) * pn_exp(log_gamma(shape + power) - log_gamma(shape));
}

/* Integrates: y^(shape + power) exp(-y) falls from its peak at y = shape + power by a factor e^50
 * within these. */
static double gamma_partial(double shape, double scale, double power, double low, double high)
{
    double top = shape + power, middle = pn_log(top);
    double first = pn_log(low / scale), last = pn_log(high / scale);
    double least = middle - 50.0 / top - pn_sqrt(110.0 / top);
    double most = middle + pn_log(1.0 + 110.0 / top);
    double from = first > least ? first : least, to = last < most ? last : most;
    integrand f = {NULL, top, log_gamma(shape), gamma_power};
    if (first > most)
        to = last < first + 1.0 ? last : first + 1.0;
    if (last < least)
        from = first > last - 50.0 / top ? first : last - 50.0 / top;
    return pn_pow(scale, power) * simpson(&f, from, to);
}

/* ---- kinds of whole numbers, and with lists -------------------------------------------------- */

static double poisson_partial(double mean, double power, double low, double high)
{
    double wide = 40.0 * pn_sqrt(mean) + 60.0, sum = 0.0, k = mean - wide, last = mean + wide;
    k = k > low ? k : low;
    k = (double)(uint64_t)k < k ? (double)(uint64_t)k + 1.0 : (double)(uint64_t)k;
    last = last < high ? last : high;
    if (mean == 0.0)
        return low <= 0.0 && power == 0.0 ? 1.0 : 0.0;
    for (; k <= last; k += 1.0)
        sum += pn_pow(k, power) * pn_exp(k * pn_log(mean) - mean - log_gamma(k + 1.0));
    return sum;
}

static double zipf_partial(const distribution *d, double power, double low, double high)
{
    const distribution_body *body = d->body;
    double sum = 0.0;
    for (uint32_t i = 0; i < body->count; i++) {
        double k = 1.0 + (double)i, before = i > 0 ? body->cumulative[i - 1] : 0.0;
        if (low <= k && k <= high)
            sum += (body->cumulative[i] - before) * pn_pow(k, power);
    }
    return sum;
}

static double empirical_partial(const distribution *d, double power, double low, double high)
{
    const distribution_body *body = d->body;
    double sum = 0.0;
    for (uint32_t i = 0; i < body->count; i++)
        if (low <= body->numbers[i] && body->numbers[i] <= high)
            sum += pn_pow(body->numbers[i], power);
    return sum / body->count;
}

static double probability(const distribution_body *body, uint32_t i)
{
    return body->cumulative[i] - (i > 0 ? body->cumulative[i - 1] : 0.0);
}

static double hyperexp_partial(const distribution *d, double power, double low, double high)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < d->body->count; i++) {
        distribution phase = {DISTRIBUTION_EXP, d->body->numbers[2 * i + 1], 0.0, NULL};
        sum += probability(d->body, i) * distribution_partial(&phase, power, low, high);
    }
    return sum;
}

static double mixture_partial(const distribution *d, double power, double low, double high)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < d->body->count; i++)
        if (probability(d->body, i) > 0.0)
            sum += probability(d->body, i) *
                   distribution_partial(&d->body->part[i], power, low, high);
    return sum;
}

static double truncated_partial(const distribution *d, double power, double low, double high)
{
    const distribution *part = &d->body->part[0];
    double from = low > d->a ? low : d->a, to = high < d->b ? high : d->b;
    if (from > to)
        return 0.0;
    return distribution_partial(part, power, from, to) /
           distribution_partial(part, 0.0, d->a, d->b);
}

static double uniform_partial(const distribution *d, double power, double low, double high)
{
    double from = low > d->a ? low : d->a, to = high < d->b ? high : d->b;
    if (from > to)
        return 0.0;
    if (d->a == d->b)
        return pn_pow(d->a, power);
    return (pn_pow(to, power + 1.0) - pn_pow(from, power + 1.0)) / ((power + 1.0) * (d->b - d->a));
}

double distribution_partial(const distribution *d, double power, double low, double high)
{
    int all = low == 0.0 && high == INFINITY;
    switch (d->kind) {
    case DISTRIBUTION_EXP:
    case DISTRIBUTION_WEIBULL:
    case DISTRIBUTION_PARETO:
        return all ? hazard_moment(d, power) : hazard_partial(d, power, low, high);
    case DISTRIBUTION_UNIFORM:
        return uniform_partial(d, power, low, high);
    case DISTRIBUTION_LOGNORMAL:
        return lognormal_partial(d, power, low, high);
    case DISTRIBUTION_NORMAL:
        return normal_partial(d, power, low, high);
    case DISTRIBUTION_POISSON:
        return poisson_partial(d->a, power, low, high);
    case DISTRIBUTION_CONSTANT:
        return low <= d->a && d->a <= high ? pn_pow(d->a, power) : 0.0;
    case DISTRIBUTION_GAMMA:
        return all ? gamma_moment(d->a, d->b, power) : gamma_partial(d->a, d->b, power, low, high);
    case DISTRIBUTION_ERLANG:
        return all ? gamma_moment(d->a, d->b / d->a, power)
                   : gamma_partial(d->a, d->b / d->a, power, low, high);
    case DISTRIBUTION_HYPEREXP:
        return hyperexp_partial(d, power, low, high);
    case DISTRIBUTION_ZIPF:
        return zipf_partial(d, power, low, high);
    case DISTRIBUTION_EMPIRICAL:
        return empirical_partial(d, power, low, high);
    case DISTRIBUTION_MIXTURE:
        return mixture_partial(d, power, low, high);
    default: /* DISTRIBUTION_TRUNCATED */
        return truncated_partial(d, power, low, high);
    }
}

/* ---- moments --------------------------------------------------------------------------------- */

static double known(double moment)
{
    return moment >= 0.0 ? moment : -1.0; /* NaN, too */
}

double distribution_moment(const distribution *factor, int thirds)
{
    /* Gamma(1 + thirds / 3) */
    static const double gamma_of[] = {1.0, 0.8929795115692493, 0.9027452929509336, 1.0};
    double a = factor->a, b = factor->b, power = thirds / 3.0, variance;
    switch (factor->kind) {
    case DISTRIBUTION_EXP:
        return pn_pow(a, power) * gamma_of[thirds];
    case DISTRIBUTION_LOGNORMAL:
        variance = lognormal_variance(factor);
        return pn_pow(a, power) * pn_exp(0.5 * variance * power * (power - 1.0));
    case DISTRIBUTION_NORMAL:
        return thirds == 3 ? normal_mean(a, b) : -1.0;
    case DISTRIBUTION_POISSON:
        return thirds == 3 ? a : -1.0;
    case DISTRIBUTION_ERLANG:
        return thirds == 3 ? b : gamma_moment(a, b / a, power);
    case DISTRIBUTION_GAMMA:
        return thirds == 3 ? a * b : gamma_moment(a, b, power);
    default:
        return known(distribution_partial(factor, power, 0.0, INFINITY));
    }
}

double distribution_mean(const distribution *factor)
{
    return distribution_moment(factor, 3);
}

/* Returns E X^2 - (E X)^2, where nothing is better known. */
static double variance_of_moments(const distribution *d)
{
    double mean = distribution_mean(d), square = distribution_partial(d, 2.0, 0.0, INFINITY);
    double variance = square - mean * mean;
    if (!(mean >= 0.0))
        return -1.0;
    if (square == INFINITY)
        return INFINITY;
    return variance < 0.0 ? 0.0 : known(variance);
}

/* Returns the variance of the parts, and between their means. */
static double mixture_variance(const distribution *d)
{
    double mean = distribution_mean(d), sum = 0.0;
    if (!(mean >= 0.0) || mean == INFINITY)
        return mean;
    for (uint32_t i = 0; i < d->body->count; i++) {
        const distribution *part = &d->body->part[i];
        double between = distribution_mean(part) - mean;
        if (probability(d->body, i) > 0.0) /* its mean is known, and so is its variance */
            sum += probability(d->body, i) * (distribution_variance(part) + between * between);
    }
    return sum;
}

static double empirical_variance(const distribution *d)
{
    double mean = distribution_mean(d), sum = 0.0;
    for (uint32_t i = 0; i < d->body->count; i++)
        sum += (d->body->numbers[i] - mean) * (d->body->numbers[i] - mean);
    return sum / d->body->count;
}

double distribution_variance(const distribution *factor)
{
    double a = factor->a, b = factor->b;
    switch (factor->kind) {
    case DISTRIBUTION_EXP:
        return a * a;
    case DISTRIBUTION_UNIFORM:
        return (b - a) * (b - a) / 12.0;
    case DISTRIBUTION_LOGNORMAL:
        return b * b;
    case DISTRIBUTION_NORMAL:
        return a >= 9.0 * b ? b * b : variance_of_moments(factor);
    case DISTRIBUTION_PARETO:
        return a > 2.0 ? b * b * a / ((a - 1.0) * (a - 1.0) * (a - 2.0)) : INFINITY;
    case DISTRIBUTION_POISSON:
        return a;
    case DISTRIBUTION_CONSTANT:
        return 0.0;
    case DISTRIBUTION_GAMMA:
        return a * b * b;
    case DISTRIBUTION_ERLANG:
        return b * b / a;
    case DISTRIBUTION_EMPIRICAL:
        return empirical_variance(factor);
    case DISTRIBUTION_MIXTURE:
        return mixture_variance(factor);
    default:
        return variance_of_moments(factor);
    }
}
