/* Errors in sizes, for the models whose policies may be told wrong ones. */
#ifndef PINION_SOURCE_ERRORS_H
#define PINION_SOURCE_ERRORS_H

#include "distribution.h"

/* Beyond what workloads draw from (0 and the next few), below the policies' own. */
#define SOURCE_ERROR_STREAM 32

/* The jobs of `truth`, which must outlive it and is moved along with it, with estimates that are
 * wrong by random factors. */
source *source_error_new(source *truth, const distribution *factor, uint64_t seed,
                         uint32_t replica);

#endif
