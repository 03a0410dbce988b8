/* Draws of sizes and factors: the kernel's variates and what is made of them. */
#include "distribution.h"

#include <stdlib.h>

/* ---- copies ---------------------------------------------------------------------------------- */

distribution distribution_keep(const distribution *d)
{
    if (d->body)
        d->body->copies++;
    return *d;
}

/* Releases, as deep as distributions in distributions may be. */
void distribution_release(distribution *d)
{
    distribution_body *body = d->body;
    d->body = NULL;
    if (!body || --body->copies > 0)
        return;
    for (uint32_t i = 0; i < body->parts; i++)
        distribution_release(&body->part[i]);
    free(body->numbers);
    free(body->cumulative);
    free(body->part);
    free(body);
}

/* ---- kinds with lists ------------------------------------------------------------------------ */

/* Returns the first index whose cumulative probability passes the uniform number. */
static uint32_t pick(const distribution_body *body, pn_stream *stream)
{
    double uniform = pn_uniform01(stream);
    uint32_t low = 0, high = body->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (body->cumulative[middle] > uniform)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ---- gamma ----------------------------------------------------------------------------------- */

/* A trial fails with probability below 0.05. */
#define GAMMA_TRIALS_MAX 128

/* Draws by Marsaglia and Tsang (2000), for shapes >= 1: a normal and a uniform number for each
 * trial. */
static double gamma_of_large(pn_stream *stream, double shape)
{
    double d = shape - 1.0 / 3.0, c = 1.0 / pn_sqrt(9.0 * d);
    for (int trial = 0; trial < GAMMA_TRIALS_MAX; trial++) {
        double z = pn_normal(stream, 0.0, 1.0), uniform = pn_uniform01(stream);
        double root = 1.0 + c * z, v = root * root * root;
        if (v > 0.0 && pn_log(uniform) < 0.5 * z * z + d - d * v + d * pn_log(v))
            return d * v;
    }
    return d;
}

static double standard_gamma(pn_stream *stream, double shape)
{
    double larger;
    if (shape >= 1.0)
        return gamma_of_large(stream, shape);
    larger = gamma_of_large(stream, shape + 1.0);
    return larger * pn_pow(pn_uniform01(stream), 1.0 / shape);
}

/* ---- truncated ------------------------------------------------------------------------------- */

static double variate(const distribution *d, pn_stream *stream, enum distribution_use use);

static double clamped(double x, double low, double high)
{
    return !(x > low) ? low : x < high ? x : high;
}

static double hazard_inverse(const distribution *d, double h)
{
    if (d->kind == DISTRIBUTION_EXP)
        return d->a * h;
    if (d->kind == DISTRIBUTION_WEIBULL)
        return d->b * pn_pow(h, 1.0 / d->a);
    return d->b * pn_exp(h / d->a);
}

/* Draws: from the lower limit on, the hazard is exponential again, cut at that of the upper one. */
static double between_by_hazard(const distribution *d, double low, double high, pn_stream *stream)
{
    double uniform = pn_uniform01(stream), from = distribution_hazard(d, low);
    double width = distribution_hazard(d, high) - from;
    double share = width < 1e-5 ? width * (1.0 - 0.5 * width) : 1.0 - pn_exp(-width);
    double passed = uniform * share;
    /* 1 - passed loses what passed has below rounding. */
    passed = passed < 1e-5 ? passed * (1.0 + 0.5 * passed) : -pn_log(1.0 - passed);
    return hazard_inverse(d, from + passed);
}

/* Returns a standard normal number between the limits, from the side whose tail is smaller. */
static double normal_between(double low, double high, double uniform)
{
    double from, to;
    if (low > 0.0)
        return -normal_between(-high, -low, 1.0 - uniform);
    from = distribution_normal_tail(-low);
    to = high <= 0.0 ? distribution_normal_tail(-high) : 1.0 - distribution_normal_tail(high);
    return to > 0.0 ? pn_normal_quantile(from + (to - from) * uniform) : high;
}

static double between_of_normal(const distribution *d, double low, double high, pn_stream *stream)
{
    double uniform = pn_uniform01(stream);
    if (d->b == 0.0)
        return d->a;
    return d->a + d->b * normal_between((low - d->a) / d->b, (high - d->a) / d->b, uniform);
}

static double between_of_lognormal(const distribution *d, double low, double high,
                                   pn_stream *stream)
{
    double uniform = pn_uniform01(stream), ratio = d->b / d->a;
    double variance = distribution_log_of_one_plus(ratio * ratio), sigma = pn_sqrt(variance);
    double middle = pn_log(d->a) - 0.5 * variance;
    if (sigma == 0.0)
        return d->a;
    return pn_exp(middle + sigma * normal_between((pn_log(low) - middle) / sigma,
                                                  (pn_log(high) - middle) / sigma, uniform));
}

static double between_of_uniform(const distribution *d, double low, double high, pn_stream *stream,
                                 enum distribution_use use)
{
    double from = low > d->a ? low : d->a, to = high < d->b ? high : d->b;
    uint64_t first = (uint64_t)from, last = (uint64_t)to;
    if (use == DISTRIBUTION_FACTORS || !(from <= to)) {
        double uniform = pn_uniform01(stream);
        return from <= to ? from + (to - from) * uniform : d->a;
    }
    first += (double)first < from;
    return first <= last ? (double)pn_uniform(stream, first, last) : from;
}

static double between_by_trials(const distribution *d, double low, double high, pn_stream *stream,
                                enum distribution_use use)
{
    double x = 0.0;
    for (int trial = 0; trial < DISTRIBUTION_TRIES_MAX; trial++) {
        x = variate(d, stream, use);
        if (low <= x && x <= high)
            break;
    }
    return x;
}

static double truncated(const distribution *d, pn_stream *stream, enum distribution_use use)
{
    const distribution *part = &d->body->part[0];
    double x;
    switch (part->kind) {
    case DISTRIBUTION_EXP:
    case DISTRIBUTION_WEIBULL:
    case DISTRIBUTION_PARETO:
        x = between_by_hazard(part, d->a, d->b, stream);
        break;
    case DISTRIBUTION_NORMAL:
        x = between_of_normal(part, d->a, d->b, stream);
        break;
    case DISTRIBUTION_LOGNORMAL:
        x = between_of_lognormal(part, d->a, d->b, stream);
        break;
    case DISTRIBUTION_UNIFORM:
        x = between_of_uniform(part, d->a, d->b, stream, use);
        break;
    default:
        x = between_by_trials(part, d->a, d->b, stream, use);
    }
    return clamped(x, d->a, d->b);
}

/* ---- one draw -------------------------------------------------------------------------------- */

static double uniform_variate(const distribution *d, pn_stream *stream, enum distribution_use use)
{
    if (use == DISTRIBUTION_SIZES)
        return (double)pn_uniform(stream, (uint64_t)d->a, (uint64_t)d->b);
    return d->a + (d->b - d->a) * pn_uniform01(stream);
}

/* Draws kinds with lists and parts, and what else is not the kernel's. */
static double made_variate(const distribution *d, pn_stream *stream, enum distribution_use use)
{
    const distribution_body *body = d->body;
    switch (d->kind) {
    case DISTRIBUTION_WEIBULL:
        return d->b * pn_pow(pn_exponential(stream, 1.0), 1.0 / d->a);
    case DISTRIBUTION_GAMMA:
        return d->b * standard_gamma(stream, d->a);
    case DISTRIBUTION_ERLANG:
        return d->b / d->a * standard_gamma(stream, d->a);
    case DISTRIBUTION_HYPEREXP: {
        double mean = body->numbers[2 * pick(body, stream) + 1];
        return pn_exponential(stream, mean);
    }
    case DISTRIBUTION_ZIPF:
        return 1.0 + (double)pick(body, stream);
    case DISTRIBUTION_EMPIRICAL:
        return body->numbers[pn_uniform(stream, 0, body->count - 1)];
    case DISTRIBUTION_MIXTURE:
        return variate(&body->part[pick(body, stream)], stream, use);
    case DISTRIBUTION_TRUNCATED:
        return truncated(d, stream, use);
    default:
        return d->a;
    }
}

/* Draws, as deep as distributions in distributions may be. */
static double variate(const distribution *d, pn_stream *stream, enum distribution_use use)
{
    switch (d->kind) {
    case DISTRIBUTION_EXP:
        return pn_exponential(stream, d->a);
    case DISTRIBUTION_UNIFORM:
        return uniform_variate(d, stream, use);
    case DISTRIBUTION_LOGNORMAL:
        return pn_lognormal(stream, d->a, d->b);
    case DISTRIBUTION_NORMAL:
        return pn_normal(stream, d->a, d->b);
    case DISTRIBUTION_PARETO:
        return pn_pareto(stream, d->a, d->b);
    case DISTRIBUTION_POISSON:
        return (double)pn_poisson(stream, d->a);
    default:
        return made_variate(d, stream, use);
    }
}

/* Returns the smallest integer >= max(x, 1); 0 beyond the largest one. Not libm's ceil: nothing
 * else here needs libm. */
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
    return round_up(variate(sizes, stream, DISTRIBUTION_SIZES));
}

double distribution_factor(const distribution *factor, pn_stream *stream)
{
    double x = variate(factor, stream, DISTRIBUTION_FACTORS);
    return x > 0.0 ? x : 0.0;
}

/* ---- many draws ------------------------------------------------------------------------------ */

void prepared_factor_init(prepared_factor *self, const distribution *factor)
{
    *self = (prepared_factor){.d = distribution_keep(factor)};
    if (factor->kind == DISTRIBUTION_LOGNORMAL) {
        double ratio = factor->b / factor->a,
               variance = distribution_log_of_one_plus(ratio * ratio);
        self->sigma = pn_sqrt(variance);
        self->drift = 0.5 * variance;
    }
}

void prepared_factor_release(prepared_factor *self)
{
    distribution_release(&self->d);
}

/* Fills one step of all draws before the next step: half again as fast as one draw after the
 * other. */
void prepared_factor_fill(const prepared_factor *self, pn_stream *stream, double *draws,
                          size_t count)
{
    const distribution *d = &self->d;
    if (d->kind != DISTRIBUTION_LOGNORMAL && d->kind != DISTRIBUTION_EXP) {
        for (size_t i = 0; i < count; i++)
            draws[i] = distribution_factor(d, stream);
        return;
    }
    for (size_t i = 0; i < count; i++)
        draws[i] = pn_uniform01(stream);
    if (d->kind == DISTRIBUTION_EXP) {
        for (size_t i = 0; i < count; i++)
            draws[i] = d->a * -pn_log(draws[i]);
        return;
    }
    for (size_t i = 0; i < count; i++)
        draws[i] = pn_normal_quantile(draws[i]);
    for (size_t i = 0; i < count; i++)
        draws[i] = d->a * pn_exp(self->sigma * draws[i] - self->drift);
}
