/* Errors in sizes of jobs of the tandem model. */
#include <stdlib.h>

#include "workload/error.h"
#include "jobs.h"

typedef struct tandem_error {
    tandem_source head;
    error_factors factors;
} tandem_error;

static double estimate(double size, double factor)
{
    double seen = size * factor;
    if (size == 0.0)
        return 0.0; /* the truth, which is 0 */
    if (!(seen < PN_TANDEM_MOST))
        return PN_TANDEM_MOST;
    return seen < PN_TANDEM_LEAST ? PN_TANDEM_ESTIMATE_ZERO : seen;
}

static int next(source *base, void *into)
{
    tandem_error *self = (tandem_error *)base;
    pn_tandem_job *job = into;
    double factor;
    int answer = error_next(base, &self->factors, job, &factor);
    if (answer != SOURCE_JOB || job->estimate_map != 0.0 || job->estimate_shuffle != 0.0)
        return answer;
    job->estimate_map = estimate(job->map, factor);
    job->estimate_shuffle = estimate(job->shuffle, factor);
    return SOURCE_JOB;
}

static void rewind(source *base)
{
    error_rewind(&((tandem_error *)base)->factors);
}

static void destroy(source *base)
{
    error_end(&((tandem_error *)base)->factors);
    free(base);
}

source *tandem_error_new(source *truth, const distribution *factor, uint64_t seed, uint32_t replica)
{
    tandem_error *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.gaps = tandem_source_of(truth)->gaps;
    self->head.base.next = next;
    self->head.base.rewind = rewind;
    self->head.base.destroy = destroy;
    error_begin(&self->head.base, &self->factors, truth, factor, seed, replica);
    return &self->head.base;
}
