/* Distributions of sizes and of factors. They need the kernel alone: no source, no file, no Lua. */
#ifndef PINION_WORKLOAD_DISTRIBUTION_H
#define PINION_WORKLOAD_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

#include "pinion.h"
#include "pn_strict.h"

enum distribution_kind {
    DISTRIBUTION_EXP,       /* mean a */
    DISTRIBUTION_UNIFORM,   /* a..b, both inclusive; integers where sizes are drawn */
    DISTRIBUTION_LOGNORMAL, /* mean a, standard deviation b of the variate itself */
    DISTRIBUTION_NORMAL,    /* mean a, standard deviation b */
    DISTRIBUTION_PARETO,    /* shape a, scale b */
    DISTRIBUTION_POISSON,   /* mean a */
    DISTRIBUTION_CONSTANT,  /* a */
    DISTRIBUTION_WEIBULL,   /* shape a, scale b: P(X > x) = exp(-(x / b)^a) */
    DISTRIBUTION_GAMMA,     /* shape a, scale b */
    DISTRIBUTION_ERLANG,    /* the sum of a exponential stages, mean b in all */
    DISTRIBUTION_HYPEREXP,  /* exponential, of a mean that is drawn first */
    DISTRIBUTION_ZIPF,      /* 1..b; P(k) in proportion to k^-a */
    DISTRIBUTION_EMPIRICAL, /* one of the listed values, each as likely as another */
    DISTRIBUTION_MIXTURE,   /* one of its parts, which is drawn first */
    DISTRIBUTION_TRUNCATED, /* its part, given that it lies in a..b */
    DISTRIBUTION_KINDS
};

typedef struct distribution distribution;

/* What kinds with lists have beside two numbers. It is never changed, and shared by all copies of a
 * distribution, which are counted: those of one body belong to one thread. */
typedef struct distribution_body {
    size_t copies;
    uint32_t count, parts;
    double *numbers;    /* as they were written: probabilities and means in turn, values */
    double *cumulative; /* of the probabilities; the last is 1 */
    distribution *part;
} distribution_body;

struct distribution {
    enum distribution_kind kind;
    double a, b;
    distribution_body *body; /* null for kinds without lists */
};

/* Sizes are integers: what is drawn is rounded up and is at least 1. Factors are real numbers,
 * where what is negative counts as 0. */
enum distribution_use { DISTRIBUTION_SIZES, DISTRIBUTION_FACTORS };

/* ---- as text --------------------------------------------------------------------------------- */

#define DISTRIBUTION_DEPTH_MAX    4 /* of distributions in distributions */
#define DISTRIBUTION_PARTS_MAX    256
#define DISTRIBUTION_VALUES_MAX   1048576 /* numbers that a distribution holds in all */
#define DISTRIBUTION_MESSAGE_SIZE 400

/* Returns the name of a kind, and how many numbers it takes; 0: a list of its own form. */
const char *distribution_name(enum distribution_kind kind);
int distribution_numbers(enum distribution_kind kind);

/* Reads a text such as "exp(5)" or "mixture(0.9,uniform(1,9),0.1,constant(500))"; a bare number is
 * a constant. 1, or 0 with a message and nothing in `into`. What was read is to be released. */
int distribution_parse(const char *text, size_t size, enum distribution_use use, distribution *into,
                       char message[DISTRIBUTION_MESSAGE_SIZE]);

/* Returns the number of characters of the text that distribution_parse reads as this distribution;
 * as many of them as there is room for are written, and a null behind them. */
size_t distribution_text(const distribution *d, char *into, size_t room);

/* Reads a number of such a text, in decimal notation: 1, or 0 when all of the text is none. */
int distribution_read_number(const char *text, size_t size, double *value);

/* ---- copies ---------------------------------------------------------------------------------- */

/* Returns a copy that is to be released in its turn. */
distribution distribution_keep(const distribution *d);
void distribution_release(distribution *of);

/* ---- draws ----------------------------------------------------------------------------------- */

/* Draws a size; 0 when the draw passed PN_INTEGER_MAX. */
uint64_t distribution_draw(const distribution *sizes, pn_stream *stream);
/* Draws a factor; may be infinite. */
double distribution_factor(const distribution *factor, pn_stream *stream);

/* Draws of a truncated distribution that has no inverse are repeated until one lies between the
 * limits; that often at most, and the limit that is nearest to the last one counts then. Those of
 * exp, weibull, pareto, uniform, normal and lognormal take one number of the stream. */
#define DISTRIBUTION_TRIES_MAX 1000

/* For many factors: what depends on the parameters alone is computed once. */
typedef struct prepared_factor {
    distribution d;
    double sigma, drift; /* of a log-normal: a * exp(sigma * z - drift), z standard normal */
} prepared_factor;

void prepared_factor_init(prepared_factor *self, const distribution *factor);
void prepared_factor_release(prepared_factor *self);
/* Fills bit-equal to as many calls of distribution_factor. */
void prepared_factor_fill(const prepared_factor *self, pn_stream *stream, double *draws,
                          size_t count);

/* ---- moments --------------------------------------------------------------------------------- */

/* Returns the mean of factors, before anything is rounded. In closed form where there is one, else
 * by sums and integrals with a relative error below 1e-6; infinite where they are; -1 where they
 * are not known: where hardly anything lies between the limits of a truncated one. */
double distribution_mean(const distribution *factor);
double distribution_variance(const distribution *factor);
/* Returns the mean of X^(thirds / 3), thirds 1..3. -1 also for thirds < 3 of normal and poisson. */
double distribution_moment(const distribution *factor, int thirds);
/* Returns the mean of X^power over low..high; power 0: how probable these values are. */
double distribution_partial(const distribution *factor, double power, double low, double high);

/* Returns log(1 + x), x >= 0. */
double distribution_log_of_one_plus(double x);
/* Returns H where P(X > x) = exp(-H(x)); of exp, weibull and pareto. */
double distribution_hazard(const distribution *d, double x);
/* Returns P(Z > t), t >= 0, Z standard normal. */
double distribution_normal_tail(double t);

#endif
