/* Stretches of equal jobs: what proofs build their instances of. A few dozen bytes for any number
 * of jobs. */
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

typedef struct blocks_source {
    tandem_source head;
    size_t block_count, at; /* the block of the next job */
    uint64_t index;         /* of that job in its block */
    block blocks[];
} blocks_source;

static int blocks_next(source *base, void *into)
{
    pn_tandem_job *job = into;
    blocks_source *self = (blocks_source *)base;
    const block *current;
    while (self->at < self->block_count && self->index == self->blocks[self->at].count) {
        self->at++;
        self->index = 0;
    }
    if (self->at == self->block_count)
        return SOURCE_END;
    current = &self->blocks[self->at];
    *job = (pn_tandem_job){.arrival = current->arrival + (double)self->index * current->step,
                           .map = current->map,
                           .shuffle = current->shuffle,
                           .group = current->group};
    self->index++;
    return SOURCE_JOB;
}

static void blocks_rewind(source *base)
{
    blocks_source *self = (blocks_source *)base;
    self->at = 0;
    self->index = 0;
}

static void blocks_destroy(source *base)
{
    free(base);
}

source *tandem_blocks_new(const block *blocks, size_t count)
{
    blocks_source *self = calloc(1, sizeof *self + count * sizeof self->blocks[0]);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_TANDEM;
    self->head.base.next = blocks_next;
    self->head.base.rewind = blocks_rewind;
    self->head.base.destroy = blocks_destroy;
    self->block_count = count;
    if (count > 0)
        memcpy(self->blocks, blocks, count * sizeof self->blocks[0]);
    for (size_t i = 0; i < count; i++)
        self->head.base.count += blocks[i].count;
    return &self->head.base;
}
