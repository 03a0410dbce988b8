/* A simulator that looks at every job in every slot and asks a rule whom to serve: the judge of
 * policies that tests make up. */
#ifndef PLAIN_SLOTTED_H
#define PLAIN_SLOTTED_H

#include "workload.h"

typedef struct plain_job {
    uint64_t id, arrival, maps, reduces;   /* reduces: units not run, those of running tasks too */
    uint64_t ends[SLOTTED_WORKLOAD_TASKS]; /* last slots of the running tasks */
    size_t held, next_task;                /* tasks running; first task not started */
    uint64_t given, offer, weight;
    uint64_t own; /* the rule's, 0 at first */
    bool finished;
} plain_job;

typedef struct plain_slot {
    plain_job *jobs;
    size_t count;
    uint64_t slot, idle;
    void *user;
} plain_slot;

/* Whether a machine goes to `a` rather than to `b`, given what they hold and were given so far. */
typedef bool plain_before(const plain_job *a, const plain_job *b, uint64_t slot);

typedef struct plain_rule {
    plain_before *before;
    bool one_by_one; /* a machine at a time; else as many as the job can use */
    /* Instead of the two: all gifts of a slot in which a machine is idle and some job offers
     * work. */
    void (*decide)(plain_slot *at);
    void *user;
} plain_rule;

/* Gives machines, at most `limit`, to one best job after another. */
static inline void plain_give(plain_slot *at, plain_before *before, bool one_by_one, uint64_t limit)
{
    while (at->idle > 0 && limit > 0) {
        plain_job *best = NULL;
        for (size_t i = 0; i < at->count; i++) {
            plain_job *job = &at->jobs[i];
            if (job->arrival <= at->slot && job->given < job->offer &&
                (!best || before(job, best, at->slot)))
                best = job;
        }
        if (!best)
            return;
        uint64_t gift = one_by_one ? 1 : best->offer - best->given;
        gift = gift < at->idle ? gift : at->idle;
        gift = gift < limit ? gift : limit;
        best->given += gift;
        at->idle -= gift;
        limit -= gift;
    }
}

static inline uint64_t plain_offer(const plain_job *job, const pn_slotted_job *spec,
                                   uint32_t reduce)
{
    if (job->maps > 0)
        return job->maps;
    return reduce == PN_SLOTTED_PREEMPTIVE ? job->reduces : spec->reduce_count - job->next_task;
}

static inline void plain_decide(plain_slot *at, const plain_rule *rule)
{
    uint64_t offers = 0;
    for (size_t i = 0; i < at->count; i++)
        offers += at->jobs[i].arrival <= at->slot ? at->jobs[i].offer : 0;
    if (at->idle == 0 || offers == 0)
        return;
    if (rule->decide)
        rule->decide(at);
    else
        plain_give(at, rule->before, rule->one_by_one, PN_SLOTTED_ALL_IDLE);
}

static inline uint64_t plain_entry(uint64_t slot, uint64_t kind, uint64_t id, uint64_t amount)
{
    return pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, slot), kind), id), amount);
}

/* Makes a job's gift true; returns what the digest sums up. */
static inline uint64_t plain_apply(plain_job *job, const pn_slotted_job *spec, uint64_t slot,
                                   uint32_t reduce)
{
    uint64_t given = job->given;
    uint64_t sum = 0;
    if (given > 0 && job->maps > 0) {
        job->maps -= given;
        sum = plain_entry(slot, PN_SLOTTED_MAP, job->id, given);
    } else if (given > 0 && reduce == PN_SLOTTED_PREEMPTIVE) {
        job->reduces -= given;
        sum = plain_entry(slot, PN_SLOTTED_REDUCE, job->id, given);
    } else if (given > 0) {
        sum = plain_entry(slot, PN_SLOTTED_START, job->id, given);
        for (uint64_t i = 0; i < given; i++)
            job->ends[job->held++] = slot + spec->reduces[job->next_task++] - 1;
    }
    for (size_t k = job->held; reduce == PN_SLOTTED_NONPREEMPTIVE && k-- > 0;) {
        job->reduces--;
        if (job->ends[k] == slot)
            job->ends[k] = job->ends[--job->held];
    }
    if (job->maps + job->reduces == 0 && job->arrival <= slot && !job->finished) {
        job->finished = true;
        sum += plain_entry(slot, PN_SLOTTED_FINISH, job->id, 0);
    }
    job->given = 0;
    return sum;
}

/* The digest. */
static inline uint64_t plain_run(const slotted_workload *work, uint32_t machines, uint32_t reduce,
                                 const plain_rule *rule)
{
    plain_job *jobs = workload_room(work->count * sizeof *jobs);
    uint64_t digest = 0;
    size_t left = work->count;
    for (size_t i = 0; i < work->count; i++) {
        jobs[i] = (plain_job){.id = i + 1,
                              .arrival = work->jobs[i].arrival,
                              .maps = work->jobs[i].maps,
                              .weight = 1 + (i + 1) % 4};
        for (size_t k = 0; k < work->jobs[i].reduce_count; k++)
            jobs[i].reduces += work->jobs[i].reduces[k];
    }
    for (uint64_t slot = 1; left > 0; slot++) {
        plain_slot at = {jobs, work->count, slot, machines, rule->user};
        uint64_t sum = 0;
        for (size_t i = 0; i < work->count; i++) {
            jobs[i].offer = plain_offer(&jobs[i], &work->jobs[i], reduce);
            at.idle -= jobs[i].held;
        }
        plain_decide(&at, rule);
        left = 0;
        for (size_t i = 0; i < work->count; i++) {
            sum += plain_apply(&jobs[i], &work->jobs[i], slot, reduce);
            left += !jobs[i].finished;
        }
        if (sum != 0)
            digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), slot), sum);
    }
    free(jobs);
    return digest;
}

#endif
