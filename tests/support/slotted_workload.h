/* Generated workloads of any length, and what every host of the kernel does: make room for a
 * simulation, hand jobs over, run to the end. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pinion.h"
#include "pn_strict.h"

enum { WORKLOAD_TASKS = 10 };

enum { MODES = 2 }; /* values of enum pn_slotted_reduce */

typedef struct workload {
    size_t count;
    pn_slotted_job *jobs;
    uint64_t (*reduces)[WORKLOAD_TASKS];
} workload;

/* Sizes are exponential and rounded up, arrivals Poisson; reduces are cut into near-equal tasks. */
typedef struct workload_shape {
    double rate;          /* jobs per slot */
    double maps, reduces; /* mean units */
    uint32_t tasks;       /* at most so many, <= WORKLOAD_TASKS */
    uint32_t estimates;   /* 1: two of three jobs are misjudged */
    uint32_t groups;      /* jobs belong to groups 0..groups-1 by turns */
} workload_shape;

static inline void *workload_room(size_t size)
{
    void *room = malloc(size ? size : 1);
    if (!room)
        abort();
    return room;
}

/* Any number low..high but this one, which is one of them. */
static inline uint64_t workload_other(pn_stream *stream, uint64_t value, uint64_t low,
                                      uint64_t high)
{
    uint64_t other = pn_uniform(stream, low, high - 1);
    return other >= value ? other + 1 : other;
}

static inline uint64_t workload_estimate(pn_stream *stream, uint64_t truth)
{
    uint64_t kind = pn_uniform(stream, 0, 2);
    uint64_t estimate = pn_uniform(stream, 0, 2 * truth + 2);
    return kind == 0 ? 0 : estimate == 0 ? PN_SLOTTED_ESTIMATE_ZERO : estimate;
}

static inline void workload_cut(pn_slotted_job *job, uint64_t *tasks, uint64_t units, uint32_t most)
{
    uint64_t count = units < most ? units : most;
    for (uint64_t k = 0; k < count; k++)
        tasks[k] = units / count + (k < units % count);
    job->reduces = tasks;
    job->reduce_count = (size_t)count;
}

static inline workload workload_new(size_t count, uint64_t seed, workload_shape shape)
{
    workload made = {count, workload_room(count * sizeof *made.jobs),
                     workload_room(count * sizeof *made.reduces)};
    pn_stream stream;
    pn_stream_init(&stream, seed, 0, 7);
    uint64_t slot = 1;
    uint64_t waiting = pn_poisson(&stream, shape.rate);
    for (size_t i = 0; i < count; i++) {
        while (waiting == 0) {
            slot++;
            waiting = pn_poisson(&stream, shape.rate);
        }
        waiting--;
        uint64_t maps = 1 + (uint64_t)pn_exponential(&stream, shape.maps);
        uint64_t reduces = 1 + (uint64_t)pn_exponential(&stream, shape.reduces);
        uint64_t without = pn_uniform(&stream, 0, 19); /* a few jobs have maps or reduces only */
        made.jobs[i] = (pn_slotted_job){.arrival = slot, .maps = without == 0 ? 0 : maps, .tag = i};
        workload_cut(&made.jobs[i], made.reduces[i], without == 1 ? 0 : reduces, shape.tasks);
        if (shape.groups > 0)
            made.jobs[i].group = (uint32_t)(i % shape.groups);
        if (shape.estimates) {
            made.jobs[i].estimate_maps = workload_estimate(&stream, maps);
            made.jobs[i].estimate_reduces = workload_estimate(&stream, reduces);
        }
    }
    return made;
}

static inline void workload_free(workload *work)
{
    free(work->jobs);
    free(work->reduces);
    *work = (workload){0, NULL, NULL};
}

/* A configuration with room for all jobs at once. */
static inline pn_slotted_config workload_config(const workload *work, uint32_t machines,
                                                uint32_t reduce)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = machines;
    config.jobs_max = (uint32_t)work->count;
    config.stretches_max = (uint32_t)work->count * 2;
    config.reduce = reduce;
    return config;
}

/* In a block of exactly the size that was asked for, so that a sanitizer sees a byte too many. Free
 * it as any pointer. */
static inline pn_slotted *workload_sim(const pn_slotted_config *config)
{
    size_t size = pn_slotted_size(config);
    pn_slotted *sim = NULL;
    void *block = workload_room(size);
    int status = pn_slotted_init(&sim, block, size, config);
    if (status != PN_OK) {
        printf("pn_slotted_init: %s\n", pn_status_name(status));
        abort();
    }
    return sim;
}

/* Hands over jobs from..to-1; PN_OK or the first refusal. */
static inline int workload_submit(pn_slotted *sim, const workload *work, size_t from, size_t to)
{
    int status = PN_OK;
    for (size_t i = from; i < to && status == PN_OK; i++)
        status = pn_slotted_submit(sim, &work->jobs[i], NULL);
    return status;
}

/* All jobs at once, to the end; the digest, and the totals if asked for. */
static inline uint64_t workload_digest(const workload *work, const pn_slotted_config *config,
                                       const pn_slotted_hooks *hooks, pn_slotted_totals *totals)
{
    pn_slotted *sim = workload_sim(config);
    int status = workload_submit(sim, work, 0, work->count);
    if (status == PN_OK)
        status = pn_slotted_run(sim, hooks, PN_SLOTTED_FOREVER);
    if (status != PN_DONE) {
        printf("run with %s: %s\n", hooks->policy->name, pn_status_name(status));
        abort();
    }
    uint64_t digest = pn_slotted_digest(sim);
    if (totals)
        pn_slotted_totals_get(sim, totals);
    free(sim);
    return digest;
}

#endif
