/* Places in line: the jobs of another source of the tandem model, with ranks for policies that
 * serve in given orders (TA16). */
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

typedef struct ranks_source {
    tandem_source head;
    source *truth; /* not owned: the caller keeps it alive */
    uint64_t next; /* index of the next job */
    size_t count;
    uint32_t (*ranks)[2]; /* of the first `count` jobs */
} ranks_source;

static int ranks_next(source *base, void *into)
{
    pn_tandem_job *job = into;
    ranks_source *self = (ranks_source *)base;
    int answer = source_next(self->truth, job);
    if (answer == SOURCE_FAULT)
        memcpy(base->fault, self->truth->fault, sizeof base->fault);
    if (answer != SOURCE_JOB)
        return answer;
    for (int station = 0; station < 2; station++)
        job->rank[station] = self->next < self->count ? self->ranks[self->next][station]
                                                      : SOURCE_RANK_LAST;
    self->next++;
    return SOURCE_JOB;
}

static void ranks_rewind(source *base)
{
    ranks_source *self = (ranks_source *)base;
    self->truth->rewind(self->truth);
    self->next = 0;
}

static void ranks_destroy(source *base)
{
    free(((ranks_source *)base)->ranks);
    free(base);
}

source *tandem_ranks_new(source *truth, size_t count)
{
    ranks_source *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_TANDEM;
    self->head.base.next = ranks_next;
    self->head.base.rewind = ranks_rewind;
    self->head.base.destroy = ranks_destroy;
    self->head.base.count = truth->count;
    source_carry_on(&self->head.base, truth);
    self->head.gaps = tandem_source_of(truth)->gaps;
    self->truth = truth;
    self->count = count;
    self->ranks = malloc(count ? count * sizeof *self->ranks : 1);
    if (!self->ranks) {
        free(self);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        self->ranks[i][0] = self->ranks[i][1] = SOURCE_RANK_LAST;
    ranks_rewind(&self->head.base);
    return &self->head.base;
}

void tandem_ranks_set(source *base, size_t index, int station, uint32_t rank)
{
    ((ranks_source *)base)->ranks[index][station] = rank;
}
