/* The workload of Zheng, Shroff, Sinha (2013), rule R29: in each of the slots 1..T a Poisson number of jobs arrives; each draws
 * its map units, then its reduce units, which are cut into min(tasks, units) near-equal tasks. Draws come from stream (seed,
 * replica, 0) in that order; purpose 1 is kept for random cuts. Nothing grows with the number of jobs. */
#include <stdio.h>
#include <stdlib.h>

#include "interrupt.h"
#include "source.h"

typedef struct zheng_source {
    source base;
    distribution maps, reduces;
    double rate;
    uint64_t seed;
    uint32_t replica, tasks;
    pn_stream stream;
    uint64_t slot, waiting; /* jobs of this slot not yet handed out */
    uint64_t made;
    uint64_t pieces[]; /* tasks of them */
} zheng_source;

static int too_large(zheng_source *self, const char *what)
{
    snprintf(self->base.fault, sizeof self->base.fault, "job %llu: its %s, drawn at random, pass 2^53 units",
             (unsigned long long)self->made, what);
    return SOURCE_FAULT;
}

static int zheng_next(source *base, pn_slotted_job *job)
{
    zheng_source *self = (zheng_source *)base;
    uint64_t maps, reduces, tasks;
    if (self->rate == 0.0)
        return SOURCE_END;
    while (self->waiting == 0) {
        if (self->slot >= base->slots)
            return SOURCE_END;
        self->slot++;
        if ((self->slot & 0xFFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        self->waiting = pn_poisson(&self->stream, self->rate);
    }
    self->waiting--;
    self->made++;
    maps = distribution_draw(&self->maps, &self->stream);
    if (maps == 0)
        return too_large(self, "maps");
    reduces = distribution_draw(&self->reduces, &self->stream);
    if (reduces == 0 || reduces > PN_INTEGER_MAX - maps)
        return too_large(self, "reduces");
    tasks = reduces < self->tasks ? reduces : self->tasks;
    source_split(reduces, tasks, self->pieces);
    *job = (pn_slotted_job){.arrival = self->slot, .maps = maps, .reduces = self->pieces, .reduce_count = (size_t)tasks};
    return SOURCE_JOB;
}

static void zheng_rewind(source *base)
{
    zheng_source *self = (zheng_source *)base;
    pn_stream_init(&self->stream, self->seed, self->replica, 0);
    self->slot = self->waiting = self->made = 0;
}

static void zheng_destroy(source *base)
{
    free(base);
}

source *source_zheng_new(const distribution *maps, const distribution *reduces, double rate, uint64_t slots, uint32_t tasks,
                         uint64_t seed, uint32_t replica)
{
    zheng_source *self = calloc(1, sizeof *self + tasks * sizeof self->pieces[0]);
    if (!self)
        return NULL;
    self->base.next = zheng_next;
    self->base.rewind = zheng_rewind;
    self->base.destroy = zheng_destroy;
    self->base.count = SOURCE_UNKNOWN;
    self->base.slots = slots;
    self->maps = *maps;
    self->reduces = *reduces;
    self->rate = rate;
    self->tasks = tasks;
    self->seed = seed;
    self->replica = replica;
    zheng_rewind(&self->base);
    return &self->base;
}
