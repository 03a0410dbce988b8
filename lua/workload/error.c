/* Errors in sizes: the jobs of another source, with estimates beside the true sizes. A job's
 * estimate is its size times a factor X, one for its maps and reduces alike, in the slotted model
 * rounded to the nearest integer of at least 1; what is 0 stays 0. The factors come from stream
 * (seed, replica, SOURCE_ERROR_STREAM), one per job in order of arrival, so that every policy meets
 * the same ones. A job that carries an estimate of its own keeps its estimates; its factor is drawn
 * all the same, so that it does not shift the others'. */
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Maps and reduces together stay within PN_INTEGER_MAX. */
#define ESTIMATE_MAX (PN_INTEGER_MAX / 2)

typedef struct error_source {
    source base;
    source *truth; /* somebody else's, who keeps it alive */
    distribution factor;
    uint64_t seed;
    uint32_t replica;
    pn_stream stream;
} error_source;

static uint64_t estimate(uint64_t size, double factor)
{
    double seen = (double)size * factor;
    if (size == 0)
        return 0; /* the truth, which is 0 */
    if (!(seen < (double)ESTIMATE_MAX))
        return ESTIMATE_MAX;
    return seen < 1.5 ? 1 : (uint64_t)(seen + 0.5);
}

/* `answer` of the true source, whose fault becomes that of this one; with a job *factor is
 * drawn. */
static int pass_on(error_source *self, int answer, double *factor)
{
    if (answer == SOURCE_FAULT)
        memcpy(self->base.fault, self->truth->fault, sizeof self->base.fault);
    if (answer == SOURCE_JOB)
        *factor = distribution_factor(&self->factor, &self->stream);
    return answer;
}

static int error_next(source *base, void *into)
{
    pn_slotted_job *job = into;
    error_source *self = (error_source *)base;
    uint64_t reduces = 0;
    double factor;
    int answer = pass_on(self, self->truth->next(self->truth, job), &factor);
    if (answer != SOURCE_JOB)
        return answer;
    if (job->estimate_maps != 0 || job->estimate_reduces != 0)
        return SOURCE_JOB;
    for (size_t i = 0; i < job->reduce_count && reduces <= PN_INTEGER_MAX; i++)
        reduces += job->reduces[i];
    job->estimate_maps = estimate(job->maps, factor);
    job->estimate_reduces = estimate(reduces, factor);
    return SOURCE_JOB;
}

static double tandem_estimate(double size, double factor)
{
    double seen = size * factor;
    if (size == 0.0)
        return 0.0; /* the truth, which is 0 */
    if (!(seen < PN_TANDEM_MOST))
        return PN_TANDEM_MOST;
    return seen < PN_TANDEM_LEAST ? PN_TANDEM_ESTIMATE_ZERO : seen;
}

static int error_next_tandem(source *base, void *into)
{
    pn_tandem_job *job = into;
    error_source *self = (error_source *)base;
    double factor;
    int answer = pass_on(self, self->truth->next(self->truth, job), &factor);
    if (answer != SOURCE_JOB)
        return answer;
    if (job->estimate_map != 0.0 || job->estimate_shuffle != 0.0)
        return SOURCE_JOB;
    job->estimate_map = tandem_estimate(job->map, factor);
    job->estimate_shuffle = tandem_estimate(job->shuffle, factor);
    return SOURCE_JOB;
}

static void error_rewind(source *base)
{
    error_source *self = (error_source *)base;
    self->truth->rewind(self->truth);
    pn_stream_init(&self->stream, self->seed, self->replica, SOURCE_ERROR_STREAM);
}

static void error_destroy(source *base)
{
    free(base);
}

source *source_error_new(source *truth, const distribution *factor, uint64_t seed, uint32_t replica)
{
    error_source *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->base.model = truth->model;
    self->base.next = truth->model == SOURCE_TANDEM ? error_next_tandem : error_next;
    self->base.rewind = error_rewind;
    self->base.destroy = error_destroy;
    self->base.count = truth->count;
    self->base.of = truth->of;
    self->truth = truth;
    self->factor = *factor;
    self->seed = seed;
    self->replica = replica;
    error_rewind(&self->base);
    return &self->base;
}
