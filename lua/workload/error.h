/* Errors in sizes, for the models whose policies may be told wrong ones: the jobs of another
 * source, with estimates beside the true sizes. A job's estimate is its size times a factor X, one
 * for both of its phases; what is 0 stays 0. The factors come from stream (seed, replica,
 * SOURCE_ERROR_STREAM), one per job in order of arrival, so that every policy meets the same ones.
 * A job that carries an estimate of its own keeps its estimates; its factor is drawn all the same,
 * so that it does not shift the others'. */
#ifndef PINION_WORKLOAD_ERROR_H
#define PINION_WORKLOAD_ERROR_H

#include "distribution.h"
#include "source.h"

/* Beyond what workloads draw from (0 and the next few), below the policies' own. */
#define SOURCE_ERROR_STREAM 32

/* What a model's source with errors holds behind what every source of the model has. */
typedef struct error_factors {
    source *truth; /* not owned: the caller keeps it alive */
    distribution factor;
    uint64_t seed;
    uint32_t replica;
    pn_stream stream;
} error_factors;

/* Sets what is the same in every model in a zeroed source, and returns to the first job. The
 * factor's copy is the source's to release: error_end. */
void error_begin(source *self, error_factors *factors, source *truth, const distribution *factor,
                 uint64_t seed, uint32_t replica);
void error_end(error_factors *factors);
void error_rewind(error_factors *factors);
/* Returns the next job of the true source, whose fault becomes that of `self`; with a job *factor
 * is drawn. */
int error_next(source *self, error_factors *factors, void *job, double *factor);

#endif
