/* The Facebook benchmark of the slotted model in the cluster model: the same jobs, with times of
 * tasks from streams of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "pinion/models/slotted/sources/jobs.h"

typedef struct facebook_cluster {
    cluster_source head;
    source *drawn; /* in milliseconds for slots */
    facebook_times times;
    uint64_t seed, made;
    uint32_t replica;
    pn_stream streams[2]; /* of times: map, reduce */
} facebook_cluster;

/* Returns the time of a block; blocks are shared out evenly among the reduces; their time is
 * rounded up. */
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
    int answer = source_next(self->drawn, &drawn);
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
    source_free(self->drawn);
    distribution_release(&self->times.map_ms);
    distribution_release(&self->times.reduce_ms);
    free(self);
}

source *cluster_facebook_new(uint64_t jobs, uint32_t bin_count, const facebook_times *times,
                             uint64_t seed, uint32_t replica)
{
    const distribution one = {DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL}; /* which draws nothing */
    facebook_cluster *self = calloc(1, sizeof *self);
    source *drawn = slotted_facebook_new(jobs, times->gap_ms, bin_count, &one, seed, replica);
    if (!self || !drawn) {
        free(self);
        source_free(drawn);
        return NULL;
    }
    self->head.base.model = SOURCE_CLUSTER;
    self->head.base.next = facebook_cluster_next;
    self->head.base.rewind = facebook_cluster_rewind;
    self->head.base.destroy = facebook_cluster_destroy;
    self->head.base.count = jobs;
    self->head.reduces = 1;
    self->drawn = drawn;
    self->times = *times;
    distribution_keep(&times->map_ms);
    distribution_keep(&times->reduce_ms);
    self->seed = seed;
    self->replica = replica;
    facebook_cluster_rewind(&self->head.base);
    return &self->head.base;
}
