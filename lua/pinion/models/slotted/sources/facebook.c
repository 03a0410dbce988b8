/* The Facebook benchmark: job sizes in nine bins (He, Lu, Swanson 2012, Table II, after Zaharia et
 * al.), reduce tasks per bin from the intervals of their Table III, arrivals a Poisson process. The
 * paper's workload I is the first six bins.
 *
 * Table III stops at bin 6; the larger bins keep its 30 reduce tasks, the cap the authors put on
 * every job. The paper gives no task lengths in slots: a map task is one unit here, and all reduce
 * tasks of a job have one length that the user's distribution draws. */
#include <stdio.h>
#include <stdlib.h>

#include "jobs.h"

#define BIN_COUNT 9
#define TASKS_MAX 30

typedef struct bin {
    uint64_t jobs_so_far; /* of the benchmark's 100 jobs, in this bin and those before */
    uint64_t maps;
    uint64_t tasks_min, tasks_max; /* reduce tasks, uniform */
} bin;

static const bin bins[BIN_COUNT] = {{38, 1, 1, 5},     {54, 2, 1, 5},     {68, 10, 5, 10},
                                    {76, 50, 10, 20},  {82, 100, 20, 30}, {88, 200, 30, 30},
                                    {92, 400, 30, 30}, {96, 800, 30, 30}, {100, 4800, 30, 30}};

typedef struct facebook_source {
    slotted_source head;
    distribution reduce_length;
    double gap;  /* mean, in slots */
    double time; /* of the last arrival, in slots since the start of slot 1 */
    uint64_t seed;
    uint32_t replica, bin_count;
    pn_stream stream;
    uint64_t made;
    uint64_t cumulative[BIN_COUNT];
    uint64_t tasks[TASKS_MAX];
} facebook_source;

/* Draws per job, in this order: the gap before it, its bin, its number of reduce tasks, their
 * length. */
static int facebook_next(source *base, void *into)
{
    pn_slotted_job *job = into;
    facebook_source *self = (facebook_source *)base;
    uint32_t index;
    uint64_t tasks, length;
    if (self->made >= base->count)
        return SOURCE_END;
    self->made++;
    self->time += pn_exponential(&self->stream, self->gap);
    index = pn_empirical(&self->stream, self->cumulative, self->bin_count);
    tasks = pn_uniform(&self->stream, bins[index].tasks_min, bins[index].tasks_max);
    length = distribution_draw(&self->reduce_length, &self->stream);
    if (!(self->time < (double)PN_INTEGER_MAX)) {
        snprintf(base->fault, sizeof base->fault, "job %llu: its arrival passes slot 2^53",
                 (unsigned long long)self->made);
        return SOURCE_FAULT;
    }
    if (length == 0 || length > (PN_INTEGER_MAX - bins[index].maps) / tasks) {
        snprintf(base->fault, sizeof base->fault,
                 "job %llu: its reduces, drawn at random, pass 2^53 units",
                 (unsigned long long)self->made);
        return SOURCE_FAULT;
    }
    for (uint64_t i = 0; i < tasks; i++)
        self->tasks[i] = length;
    *job = (pn_slotted_job){.arrival = 1 + (uint64_t)self->time,
                            .maps = bins[index].maps,
                            .reduces = self->tasks,
                            .reduce_count = (size_t)tasks,
                            .group = index};
    return SOURCE_JOB;
}

static void facebook_rewind(source *base)
{
    facebook_source *self = (facebook_source *)base;
    pn_stream_init(&self->stream, self->seed, self->replica, 0);
    self->time = 0.0;
    self->made = 0;
}

static void facebook_destroy(source *base)
{
    facebook_source *self = (facebook_source *)base;
    distribution_release(&self->reduce_length);
    free(self);
}

source *slotted_facebook_new(uint64_t jobs, double gap, uint32_t bin_count,
                             const distribution *reduce_length, uint64_t seed, uint32_t replica)
{
    facebook_source *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_SLOTTED;
    self->head.base.next = facebook_next;
    self->head.base.rewind = facebook_rewind;
    self->head.base.destroy = facebook_destroy;
    self->head.base.count = jobs;
    self->reduce_length = distribution_keep(reduce_length);
    self->gap = gap;
    self->seed = seed;
    self->replica = replica;
    self->bin_count = bin_count;
    for (uint32_t i = 0; i < BIN_COUNT; i++)
        self->cumulative[i] = bins[i].jobs_so_far;
    facebook_rewind(&self->head.base);
    return &self->head.base;
}
