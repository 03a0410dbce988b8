/* Errors in sizes: what the models share. */
#include "error.h"

#include <string.h>

void error_end(error_factors *factors)
{
    distribution_release(&factors->factor);
}

void error_rewind(error_factors *factors)
{
    factors->truth->rewind(factors->truth);
    pn_stream_init(&factors->stream, factors->seed, factors->replica, SOURCE_ERROR_STREAM);
}

int error_next(source *self, error_factors *factors, void *job, double *factor)
{
    int answer = source_next(factors->truth, job);
    if (answer == SOURCE_FAULT)
        memcpy(self->fault, factors->truth->fault, sizeof self->fault);
    if (answer == SOURCE_JOB)
        *factor = distribution_factor(&factors->factor, &factors->stream);
    return answer;
}

void error_begin(source *self, error_factors *factors, source *truth, const distribution *factor,
                 uint64_t seed, uint32_t replica)
{
    self->model = truth->model;
    self->count = truth->count;
    source_carry_on(self, truth);
    *factors = (error_factors){
        .truth = truth, .factor = distribution_keep(factor), .seed = seed, .replica = replica};
    error_rewind(factors);
}
