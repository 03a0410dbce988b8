/* Errors in sizes of jobs of the slotted model: one factor for a job's maps and its reduces alike,
 * rounded to the nearest integer of at least 1. */
#include <stdlib.h>

#include "workload/error.h"
#include "jobs.h"

/* Maps and reduces together stay within PN_INTEGER_MAX. */
#define ESTIMATE_MAX (PN_INTEGER_MAX / 2)

typedef struct slotted_error {
    slotted_source head;
    error_factors factors;
} slotted_error;

static uint64_t estimate(uint64_t size, double factor)
{
    double seen = (double)size * factor;
    if (size == 0)
        return 0; /* the truth, which is 0 */
    if (!(seen < (double)ESTIMATE_MAX))
        return ESTIMATE_MAX;
    return seen < 1.5 ? 1 : (uint64_t)(seen + 0.5);
}

static int next(source *base, void *into)
{
    slotted_error *self = (slotted_error *)base;
    pn_slotted_job *job = into;
    uint64_t reduces = 0;
    double factor;
    int answer = error_next(base, &self->factors, job, &factor);
    if (answer != SOURCE_JOB || job->estimate_maps != 0 || job->estimate_reduces != 0)
        return answer;
    for (size_t i = 0; i < job->reduce_count && reduces <= PN_INTEGER_MAX; i++)
        reduces += job->reduces[i];
    job->estimate_maps = estimate(job->maps, factor);
    job->estimate_reduces = estimate(reduces, factor);
    return SOURCE_JOB;
}

static void rewind(source *base)
{
    error_rewind(&((slotted_error *)base)->factors);
}

static void destroy(source *base)
{
    error_end(&((slotted_error *)base)->factors);
    free(base);
}

source *slotted_error_new(source *truth, const distribution *factor, uint64_t seed,
                          uint32_t replica)
{
    slotted_error *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.slots = slotted_source_of(truth)->slots;
    self->head.base.next = next;
    self->head.base.rewind = rewind;
    self->head.base.destroy = destroy;
    error_begin(&self->head.base, &self->factors, truth, factor, seed, replica);
    return &self->head.base;
}
