/* Bursts of small jobs with a few giants among them: the in-model example against Theorem 4 of
 * Zheng, Shroff, Sinha (2013). Each of the slots 1..T brings `burst` jobs with probability
 * `chance`, else none; each job is a giant with probability `giant` and draws its map and reduce
 * units from the distributions of its kind. The work of the slots is independent and identically
 * distributed.
 *
 * Draws come from stream (seed, replica, 0) in this order: per slot whether there is a burst; per
 * job whether it is a giant, its maps, its reduces, its tasks. Nothing grows with the number of
 * jobs. */
#include <stdlib.h>

#include "base/interrupt.h"
#include "jobs.h"

typedef struct bursts_source {
    slotted_source head;
    bursts_shape shape;
    uint64_t seed;
    uint32_t replica;
    pn_stream stream;
    uint64_t slot, waiting; /* jobs of this slot's burst not yet handed out */
    uint64_t made;
    uint64_t pieces[]; /* tasks of them */
} bursts_source;

/* Draws true with this probability: always for 1, never for 0, as a uniform lies in (0, 1). */
static int draw_chance(pn_stream *stream, double probability)
{
    return pn_uniform01(stream) < probability;
}

static int bursts_next(source *base, void *into)
{
    pn_slotted_job *job = into;
    bursts_source *self = (bursts_source *)base;
    const bursts_shape *shape = &self->shape;
    uint32_t group;
    int answer;
    while (self->waiting == 0) {
        if (self->slot >= self->head.slots)
            return SOURCE_END;
        self->slot++;
        if ((self->slot & 0xFFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        if (draw_chance(&self->stream, shape->chance))
            self->waiting = shape->burst;
    }
    self->waiting--;
    self->made++;
    group = draw_chance(&self->stream, shape->giant) ? BURSTS_GIANT : BURSTS_SMALL;
    answer = slotted_draw(
        base, &(slotted_sizes){&shape->maps[group], &shape->reduces[group], &shape->tasks},
        &self->stream, self->made, self->pieces, job);
    job->arrival = self->slot;
    job->group = group;
    return answer;
}

static void bursts_rewind(source *base)
{
    bursts_source *self = (bursts_source *)base;
    pn_stream_init(&self->stream, self->seed, self->replica, 0);
    self->slot = self->waiting = self->made = 0;
}

static void bursts_destroy(source *base)
{
    bursts_source *self = (bursts_source *)base;
    for (int group = 0; group < BURSTS_GROUPS; group++) {
        distribution_release(&self->shape.maps[group]);
        distribution_release(&self->shape.reduces[group]);
    }
    distribution_release(&self->shape.tasks);
    free(self);
}

source *slotted_bursts_new(const bursts_shape *shape, uint64_t slots, uint64_t seed,
                           uint32_t replica)
{
    size_t room = slotted_pieces(&shape->tasks);
    bursts_source *self = calloc(1, sizeof *self + room * sizeof self->pieces[0]);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_SLOTTED;
    self->head.base.next = bursts_next;
    self->head.base.rewind = bursts_rewind;
    self->head.base.destroy = bursts_destroy;
    self->head.base.count = SOURCE_UNKNOWN;
    self->head.slots = slots;
    self->shape = *shape;
    for (int group = 0; group < BURSTS_GROUPS; group++) {
        distribution_keep(&shape->maps[group]);
        distribution_keep(&shape->reduces[group]);
    }
    distribution_keep(&shape->tasks);
    self->seed = seed;
    self->replica = replica;
    bursts_rewind(&self->head.base);
    return &self->head.base;
}
