/* Deadlines for jobs that have none, or other ones: the jobs of another source, each due a drawn
 * time after its submission. The draws come from stream (seed, replica, SOURCE_DEADLINE_STREAM),
 * one per job in order of submission, so that they shift nothing else.
 *
 * A relative deadline is a factor on the job's estimated finish alone on an idle cluster: its maps
 * in waves over all map slots, then its reduces, each task as long as it is estimated to be (CL20).
 * That is what admission would promise it there, so that with a factor of 1 the job is just
 * taken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

typedef struct deadline_source {
    cluster_source head;
    source *truth; /* not owned: the caller keeps it alive */
    deadline_rule rule;
    uint64_t seed, made;
    uint32_t replica;
    pn_stream stream;
} deadline_source;

static uint64_t longest(const uint64_t *times, uint32_t count, uint64_t every)
{
    uint64_t most = times ? 0 : every;
    for (uint32_t i = 0; times && i < count; i++)
        most = times[i] > most ? times[i] : most;
    return most;
}

/* Returns ms on the slowest node, >= 1. */
static uint64_t slowed(uint64_t ms, uint64_t slowest)
{
    uint64_t slow = (1000 * ms + slowest - 1) / slowest;
    return slow > 0 ? slow : 1;
}

static double alone_ms(const deadline_rule *rule, const pn_cluster_job *job)
{
    uint64_t map = job->est_map_ms, reduce = job->est_reduce_ms;
    uint64_t waves[2] = {(job->maps + rule->map_slots - 1) / rule->map_slots, 0};
    if (job->reduces > 0 && rule->reduce_slots > 0)
        waves[1] = (job->reduces + rule->reduce_slots - 1) / rule->reduce_slots;
    if (map == 0)
        map = slowed(longest(job->map_times, job->maps, job->map_ms) + job->remote_ms,
                     rule->slowest);
    if (reduce == 0)
        reduce = longest(job->shuffle_times, job->reduces, job->shuffle_ms) +
                 slowed(longest(job->reduce_times, job->reduces, job->reduce_ms), rule->slowest);
    return (double)waves[0] * (double)map + (double)waves[1] * (double)reduce;
}

/* Draws, rounded up, at least 1; 0 beyond PN_INTEGER_MAX. */
static uint64_t draw(deadline_source *self, const pn_cluster_job *job)
{
    double ms;
    uint64_t below;
    if (!self->rule.relative)
        return distribution_draw(&self->rule.draw, &self->stream);
    ms = alone_ms(&self->rule, job) * distribution_factor(&self->rule.draw, &self->stream);
    if (!(ms <= (double)PN_INTEGER_MAX))
        return 0;
    below = (uint64_t)ms;
    return ms <= 1.0 ? 1 : below + ((double)below < ms);
}

static int deadline_next(source *base, void *into)
{
    pn_cluster_job *job = into;
    deadline_source *self = (deadline_source *)base;
    int answer = source_next(self->truth, job);
    if (answer == SOURCE_FAULT)
        memcpy(base->fault, self->truth->fault, sizeof base->fault);
    if (answer != SOURCE_JOB)
        return answer;
    self->made++;
    job->deadline = draw(self, job);
    if (job->deadline > 0)
        return SOURCE_JOB;
    snprintf(base->fault, sizeof base->fault,
             "job %llu: its deadline, drawn at random, passes 2^53 ms",
             (unsigned long long)self->made);
    return SOURCE_FAULT;
}

static void deadline_rewind(source *base)
{
    deadline_source *self = (deadline_source *)base;
    self->truth->rewind(self->truth);
    pn_stream_init(&self->stream, self->seed, self->replica, SOURCE_DEADLINE_STREAM);
    self->made = 0;
}

static void deadline_destroy(source *base)
{
    deadline_source *self = (deadline_source *)base;
    distribution_release(&self->rule.draw);
    free(self);
}

source *cluster_deadlines_new(source *truth, const deadline_rule *rule, uint64_t seed,
                              uint32_t replica)
{
    const cluster_source *jobs = cluster_source_of(truth);
    deadline_source *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_CLUSTER;
    self->head.base.next = deadline_next;
    self->head.base.rewind = deadline_rewind;
    self->head.base.destroy = deadline_destroy;
    self->head.base.count = truth->count;
    source_carry_on(&self->head.base, truth);
    self->head.replicas = jobs->replicas;
    self->head.nodes = jobs->nodes;
    self->head.reduces = jobs->reduces;
    self->truth = truth;
    self->rule = *rule;
    distribution_keep(&rule->draw);
    self->seed = seed;
    self->replica = replica;
    deadline_rewind(&self->head.base);
    return &self->head.base;
}
