/* Distributions of sizes and of factors. */
#ifndef PINION_WORKLOAD_DISTRIBUTION_H
#define PINION_WORKLOAD_DISTRIBUTION_H

#include "source.h"

enum distribution_kind {
    DISTRIBUTION_EXP,       /* mean a */
    DISTRIBUTION_UNIFORM,   /* integers a..b, both inclusive */
    DISTRIBUTION_LOGNORMAL, /* mean a, standard deviation b of the variate itself */
    DISTRIBUTION_NORMAL,    /* mean a, standard deviation b */
    DISTRIBUTION_PARETO,    /* shape a, scale b */
    DISTRIBUTION_POISSON,   /* mean a */
    DISTRIBUTION_CONSTANT   /* a */
};

/* A distribution of sizes: whatever is drawn is rounded up to an integer and is at least 1. */
typedef struct distribution {
    enum distribution_kind kind;
    double a, b;
} distribution;

extern const char *const distribution_names[]; /* by kind, ended by a null */

/* What is wrong with its parameters, as a constant text; null when all is well. */
const char *distribution_check(const distribution *sizes);
/* 0 when the draw passed PN_INTEGER_MAX. */
uint64_t distribution_draw(const distribution *sizes, pn_stream *stream);

/* ---- real numbers: sizes, errors in sizes ---------------------------------------------------- */

/* A distribution taken as one of factors: real numbers >= 0, where `uniform` has real bounds. */
const char *distribution_check_factor(const distribution *factor);
/* Negative draws count as 0; may be infinite. */
double distribution_factor(const distribution *factor, pn_stream *stream);
/* The mean of X^(thirds / 3), thirds 1..3, in closed form. Infinite where it is; -1 where there is
 * no closed form, never for thirds = 3. */
double distribution_moment(const distribution *factor, int thirds);

/* For many draws: what depends on the parameters alone is computed once. */
typedef struct prepared_factor {
    distribution of;
    double sigma, drift; /* of a log-normal: a * exp(sigma * z - drift), z standard normal */
} prepared_factor;

void prepared_factor_init(prepared_factor *self, const distribution *factor);
/* Bit-equal to as many calls of distribution_factor. */
void prepared_factor_fill(const prepared_factor *self, pn_stream *stream, double *draws,
                          size_t count);

#endif
