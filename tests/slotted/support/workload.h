/* Generated workloads of the slotted model, of any length, and what every host of the kernel does:
 * make room for a simulation, hand jobs over, run to the end. */
#ifndef SLOTTED_WORKLOAD_H
#define SLOTTED_WORKLOAD_H

#include "support/workload.h"

enum { SLOTTED_WORKLOAD_TASKS = 10 };

enum { SLOTTED_MODES = 2 }; /* values of enum pn_slotted_reduce */

typedef struct slotted_workload {
    size_t count;
    pn_slotted_job *jobs;
    uint64_t (*reduces)[SLOTTED_WORKLOAD_TASKS];
} slotted_workload;

/* Sizes are exponential and rounded up, arrivals Poisson; reduces are cut into near-equal tasks. */
typedef struct slotted_shape {
    double rate;          /* jobs per slot */
    double maps, reduces; /* mean units */
    uint32_t tasks;       /* at most so many, <= SLOTTED_WORKLOAD_TASKS */
    uint32_t estimates;   /* 1: two of three jobs are misjudged */
    uint32_t groups;      /* jobs belong to groups 0..groups-1 by turns */
} slotted_shape;

static inline uint64_t slotted_estimate(pn_stream *stream, uint64_t truth)
{
    uint64_t kind = pn_uniform(stream, 0, 2);
    uint64_t estimate = pn_uniform(stream, 0, 2 * truth + 2);
    return kind == 0 ? 0 : estimate == 0 ? PN_SLOTTED_ESTIMATE_ZERO : estimate;
}

static inline void slotted_cut(pn_slotted_job *job, uint64_t *tasks, uint64_t units, uint32_t most)
{
    uint64_t count = units < most ? units : most;
    for (uint64_t k = 0; k < count; k++)
        tasks[k] = units / count + (k < units % count);
    job->reduces = tasks;
    job->reduce_count = (size_t)count;
}

static inline slotted_workload slotted_new(size_t count, uint64_t seed, slotted_shape shape)
{
    slotted_workload made = {count, workload_room(count * sizeof *made.jobs),
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
        slotted_cut(&made.jobs[i], made.reduces[i], without == 1 ? 0 : reduces, shape.tasks);
        if (shape.groups > 0)
            made.jobs[i].group = (uint32_t)(i % shape.groups);
        if (shape.estimates) {
            made.jobs[i].estimate_maps = slotted_estimate(&stream, maps);
            made.jobs[i].estimate_reduces = slotted_estimate(&stream, reduces);
        }
    }
    return made;
}

static inline void slotted_free(slotted_workload *work)
{
    free(work->jobs);
    free(work->reduces);
    *work = (slotted_workload){0, NULL, NULL};
}

/* A configuration with room for all jobs at once. */
static inline pn_slotted_config slotted_config(const slotted_workload *work, uint32_t machines,
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
static inline pn_slotted *slotted_sim(const pn_slotted_config *config)
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
static inline int slotted_submit(pn_slotted *sim, const slotted_workload *work, size_t from,
                                 size_t to)
{
    int status = PN_OK;
    for (size_t i = from; i < to && status == PN_OK; i++)
        status = pn_slotted_submit(sim, &work->jobs[i], NULL);
    return status;
}

/* All jobs at once, to the end; the digest, and the totals if asked for. */
static inline uint64_t slotted_digest(const slotted_workload *work, const pn_slotted_config *config,
                                      const pn_slotted_hooks *hooks, pn_slotted_totals *totals)
{
    pn_slotted *sim = slotted_sim(config);
    int status = slotted_submit(sim, work, 0, work->count);
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

/* ---- logs ---- */

/* The digest as the header defines it. */
static inline uint64_t slotted_log_digest(const pn_slotted_decision *entry, size_t count)
{
    uint64_t digest = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const pn_slotted_decision *e = &entry[i];
        sum += pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, e->slot), e->kind), e->id), e->amount);
        if (i + 1 == count || entry[i + 1].slot != e->slot) {
            digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), e->slot), sum);
            sum = 0;
        }
    }
    return digest;
}

/* The slot of the last finish. */
static inline uint64_t slotted_log_end(const pn_slotted_decision *entry, size_t count)
{
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++)
        if (entry[i].kind == PN_SLOTTED_FINISH)
            end = entry[i].slot;
    return end;
}

#endif
