/* The Facebook benchmark: job sizes in nine bins (He, Lu, Swanson 2012, Table II, after Zaharia et
 * al.), reduce tasks per bin from the intervals of their Table III, arrivals a Poisson process. The
 * paper's workload I is the first six bins.
 *
 * Table III stops at bin 6; the larger bins keep its 30 reduce tasks, the cap the authors put on
 * every job. The paper gives no task lengths in slots: a map task is one unit here, and all reduce
 * tasks of a job have one length that the user's distribution draws. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "cluster.h"
#include "makespan.h"
#include "slotted.h"

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
    slotted_source own;
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
    free(base);
}

source *source_facebook_new(uint64_t jobs, double gap, uint32_t bin_count,
                            const distribution *reduce_length, uint64_t seed, uint32_t replica)
{
    facebook_source *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->own.base.model = SOURCE_SLOTTED;
    self->own.base.next = facebook_next;
    self->own.base.rewind = facebook_rewind;
    self->own.base.destroy = facebook_destroy;
    self->own.base.count = jobs;
    self->reduce_length = *reduce_length;
    self->gap = gap;
    self->seed = seed;
    self->replica = replica;
    self->bin_count = bin_count;
    for (uint32_t i = 0; i < BIN_COUNT; i++)
        self->cumulative[i] = bins[i].jobs_so_far;
    facebook_rewind(&self->own.base);
    return &self->own.base;
}

/* ---- other models: the same jobs, with lengths of map tasks from a stream of their own ------- */

/* Tasks of one length each: what the slotted model cuts into slots. */
static int add_batch_job(source *table, const pn_slotted_job *job, uint64_t map_length)
{
    return source_makespan_table_begin(table, &(pn_makespan_job){.group = job->group}) &&
           source_makespan_table_tasks(table, PN_MAKESPAN_MAP, map_length, (uint32_t)job->maps) &&
           source_makespan_table_tasks(table, PN_MAKESPAN_REDUCE, job->reduces[0],
                                       (uint32_t)job->reduce_count);
}

static int fill(source *table, source *drawn, const distribution *map_length, pn_stream *stream)
{
    pn_slotted_job job;
    int answer;
    while ((answer = drawn->next(drawn, &job)) == SOURCE_JOB) {
        uint64_t length = distribution_draw(map_length, stream);
        if ((table->count & 0xFFFF) == 0xFFFF && interrupt_pending())
            return SOURCE_INTERRUPTED;
        if (length == 0 || length > PN_INTEGER_MAX / job.maps) {
            snprintf(table->fault, sizeof table->fault,
                     "job %llu: its maps, drawn at random, pass 2^53 units",
                     (unsigned long long)table->count + 1);
            return SOURCE_FAULT;
        }
        if (!add_batch_job(table, &job, length))
            return source_out_of_memory(table);
    }
    if (answer == SOURCE_FAULT)
        memcpy(table->fault, drawn->fault, sizeof table->fault);
    return answer;
}

int source_facebook_fill(source *table, uint64_t jobs, uint32_t bin_count,
                         const distribution *map_length, const distribution *reduce_length,
                         uint64_t seed, uint32_t replica)
{
    source *drawn = source_facebook_new(jobs, 0.0, bin_count, reduce_length, seed, replica);
    pn_stream stream;
    int answer;
    if (!drawn)
        return source_out_of_memory(table);
    pn_stream_init(&stream, seed, replica, 1);
    answer = fill(table, drawn, map_length, &stream);
    drawn->destroy(drawn);
    return answer;
}

/* ---- the cluster model ----------------------------------------------------------------------- */

typedef struct facebook_cluster {
    cluster_source own;
    source *drawn; /* in milliseconds for slots */
    facebook_times times;
    uint64_t seed, made;
    uint32_t replica;
    pn_stream streams[2]; /* of times: map, reduce */
} facebook_cluster;

/* Blocks are shared out evenly among the reduces; their time is rounded up. */
static uint64_t block_time(uint64_t block_ms, uint64_t maps, uint64_t reduces)
{
    return (maps * block_ms + reduces - 1) / reduces;
}

static int facebook_cluster_next(source *base, void *into)
{
    pn_cluster_job *job = into;
    facebook_cluster *self = (facebook_cluster *)base;
    pn_slotted_job drawn;
    uint64_t map_ms, reduce_ms;
    int answer = self->drawn->next(self->drawn, &drawn);
    if (answer != SOURCE_JOB) {
        memcpy(base->fault, self->drawn->fault, sizeof base->fault);
        return answer;
    }
    self->made++;
    map_ms = distribution_draw(&self->times.map_ms, &self->streams[0]);
    reduce_ms = distribution_draw(&self->times.reduce_ms, &self->streams[1]);
    *job = (pn_cluster_job){
        .submit = drawn.arrival - 1,
        .maps = (uint32_t)drawn.maps,
        .reduces = (uint32_t)drawn.reduce_count,
        .map_ms = map_ms,
        .remote_ms = self->times.remote_ms,
        .reduce_ms = reduce_ms +
                     block_time(self->times.reduce_block_ms, drawn.maps, drawn.reduce_count),
        .shuffle_ms = block_time(self->times.shuffle_block_ms, drawn.maps, drawn.reduce_count),
        .group = drawn.group};
    if (map_ms == 0 || map_ms > PN_CLUSTER_MOST_MS || reduce_ms == 0 ||
        job->reduce_ms > PN_CLUSTER_MOST_MS) {
        snprintf(base->fault, sizeof base->fault,
                 "job %llu: its tasks, drawn at random, pass 2^40 ms",
                 (unsigned long long)self->made);
        return SOURCE_FAULT;
    }
    return SOURCE_JOB;
}

static void facebook_cluster_rewind(source *base)
{
    facebook_cluster *self = (facebook_cluster *)base;
    self->drawn->rewind(self->drawn);
    for (uint32_t i = 0; i < 2; i++)
        pn_stream_init(&self->streams[i], self->seed, self->replica, 1 + i);
    self->made = 0;
}

static void facebook_cluster_destroy(source *base)
{
    facebook_cluster *self = (facebook_cluster *)base;
    self->drawn->destroy(self->drawn);
    free(self);
}

source *source_facebook_cluster_new(uint64_t jobs, uint32_t bin_count, const facebook_times *times,
                                    uint64_t seed, uint32_t replica)
{
    const distribution one = {DISTRIBUTION_CONSTANT, 1.0, 0.0}; /* which draws nothing */
    facebook_cluster *self = calloc(1, sizeof *self);
    source *drawn = source_facebook_new(jobs, times->gap_ms, bin_count, &one, seed, replica);
    if (!self || !drawn) {
        free(self);
        if (drawn)
            drawn->destroy(drawn);
        return NULL;
    }
    self->own.base.model = SOURCE_CLUSTER;
    self->own.base.next = facebook_cluster_next;
    self->own.base.rewind = facebook_cluster_rewind;
    self->own.base.destroy = facebook_cluster_destroy;
    self->own.base.count = jobs;
    self->own.reduces = 1;
    self->drawn = drawn;
    self->times = *times;
    self->seed = seed;
    self->replica = replica;
    facebook_cluster_rewind(&self->own.base);
    return &self->own.base;
}
