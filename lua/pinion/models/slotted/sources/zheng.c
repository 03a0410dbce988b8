/* The workload of Zheng, Shroff, Sinha (2013), rule SL29: in each of the slots 1..T a Poisson
 * number of jobs arrives; each draws its map units, its reduce units, and into how many near-equal
 * tasks these are cut at most. Draws come from stream (seed, replica, 0) in that order;
 * purpose 1 is kept for random cuts. Nothing grows with the number of jobs. */
#include <stdlib.h>

#include "base/interrupt.h"
#include "jobs.h"

typedef struct zheng_source {
    slotted_source head;
    distribution maps, reduces, tasks;
    double rate;
    uint64_t seed;
    uint32_t replica;
    pn_stream stream;
    uint64_t slot, waiting; /* jobs of this slot not yet handed out */
    uint64_t made;
    uint64_t pieces[]; /* tasks of them */
} zheng_source;

static int zheng_next(source *base, void *into)
{
    pn_slotted_job *job = into;
    zheng_source *self = (zheng_source *)base;
    int answer;
    if (self->rate == 0.0)
        return SOURCE_END;
    while (self->waiting == 0) {
        if (self->slot >= self->head.slots)
            return SOURCE_END;
        self->slot++;
        if ((self->slot & 0xFFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        self->waiting = pn_poisson(&self->stream, self->rate);
    }
    self->waiting--;
    self->made++;
    answer = slotted_draw(base, &(slotted_sizes){&self->maps, &self->reduces, &self->tasks},
                          &self->stream, self->made, self->pieces, job);
    job->arrival = self->slot;
    return answer;
}

static void zheng_rewind(source *base)
{
    zheng_source *self = (zheng_source *)base;
    pn_stream_init(&self->stream, self->seed, self->replica, 0);
    self->slot = self->waiting = self->made = 0;
}

static void zheng_destroy(source *base)
{
    zheng_source *self = (zheng_source *)base;
    distribution_release(&self->maps);
    distribution_release(&self->reduces);
    distribution_release(&self->tasks);
    free(self);
}

source *slotted_zheng_new(const slotted_sizes *sizes, double rate, uint64_t slots, uint64_t seed,
                          uint32_t replica)
{
    size_t room = slotted_pieces(sizes->tasks);
    zheng_source *self = calloc(1, sizeof *self + room * sizeof self->pieces[0]);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_SLOTTED;
    self->head.base.next = zheng_next;
    self->head.base.rewind = zheng_rewind;
    self->head.base.destroy = zheng_destroy;
    self->head.base.count = SOURCE_UNKNOWN;
    self->head.slots = slots;
    self->maps = distribution_keep(sizes->maps);
    self->reduces = distribution_keep(sizes->reduces);
    self->tasks = distribution_keep(sizes->tasks);
    self->rate = rate;
    self->seed = seed;
    self->replica = replica;
    zheng_rewind(&self->head.base);
    return &self->head.base;
}
