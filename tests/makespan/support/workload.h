/* What tests of the makespan model share: generated batches, simulations in blocks of exactly the
 * size asked for, logs, and the checker's verdict on them. */
#ifndef MAKESPAN_WORKLOAD_H
#define MAKESPAN_WORKLOAD_H

#include "support/workload.h"

/* ---- jobs by hand ---- */

#define LISTED(...)                                          \
    .stretches = (const pn_makespan_stretch[]){__VA_ARGS__}, \
    .stretch_count = sizeof((pn_makespan_stretch[]){__VA_ARGS__}) / sizeof(pn_makespan_stretch)

/* In this order on 2 map slots and 1 reduce slot, task by task: maps 0-3, 0-3, 3-5 and 3-5, reduces
 * 5-9 and 9-10, 10-11. */
static const pn_makespan_job makespan_pair[] = {
    {.stage = {{LISTED({3, 2}, {2, 1})}, {LISTED({4, 1})}}, .tag = 11},
    {.stage = {{LISTED({2, 1})}, {LISTED({1, 2})}}, .tag = 12, .group = 1},
};

/* ---- generated batches ---- */

enum { MAKESPAN_STRETCHES = 4 }; /* of a stage, at most */

typedef struct makespan_batch {
    size_t count;
    pn_makespan_job *jobs;
    pn_makespan_stretch (*stretches)[2][MAKESPAN_STRETCHES]; /* of each stage of each job */
} makespan_batch;

typedef struct makespan_shape {
    uint32_t tasks;   /* of a stretch, at most */
    uint64_t longest; /* ticks */
    /* 1: some jobs lack a stage, give times alone or beside tasks, or have tasks of no length */
    uint32_t odd;
    uint32_t groups; /* jobs belong to groups 0..groups-1 by turns */
} makespan_shape;

static inline void makespan_stage_new(pn_makespan_stage_of_job *stage,
                                      pn_makespan_stretch *stretches, pn_stream *stream,
                                      makespan_shape shape)
{
    uint32_t count = (uint32_t)pn_uniform(stream, 1, MAKESPAN_STRETCHES);
    uint64_t kind = shape.odd ? pn_uniform(stream, 0, 9) : 9; /* 0: no tasks */
    for (uint32_t i = 0; i < count; i++) {
        stretches[i].duration = pn_uniform(stream, 1, shape.longest);
        stretches[i].count = (uint32_t)pn_uniform(stream, 1, shape.tasks);
        if (kind == 3 && i == 0)
            stretches[i].duration = 0;
    }
    *stage = (pn_makespan_stage_of_job){.stretches = stretches,
                                        .stretch_count = kind < 2 ? 0 : count};
    if (pn_uniform(stream, 0, 1) == 0)
        stage->requested = (uint32_t)pn_uniform(stream, 1, 2 * shape.tasks);
    if (kind < 3) { /* beside no tasks, alone, and beside tasks */
        stage->has_time = 1;
        stage->time = pn_uniform(stream, kind == 1, shape.longest);
        stage->empty = kind == 0;
    }
}

static inline makespan_batch makespan_new(size_t count, uint64_t seed, makespan_shape shape)
{
    makespan_batch made = {count, workload_room(count * sizeof *made.jobs),
                           workload_room(count * sizeof *made.stretches)};
    pn_stream stream;
    pn_stream_init(&stream, seed, 0, 9);
    for (size_t i = 0; i < count; i++) {
        pn_makespan_job *job = &made.jobs[i];
        *job = (pn_makespan_job){.tag = i + 1,
                                 .group = shape.groups > 0 ? (uint32_t)i % shape.groups : 0};
        for (int stage = 0; stage < 2; stage++)
            makespan_stage_new(&job->stage[stage], made.stretches[i][stage], &stream, shape);
        bool some = false;
        for (int stage = 0; stage < 2; stage++)
            for (uint32_t k = 0; k < job->stage[stage].stretch_count; k++)
                some = some || made.stretches[i][stage][k].duration > 0;
        if (!some) { /* a job has work */
            made.stretches[i][0][0] = (pn_makespan_stretch){1, 1};
            job->stage[0].stretch_count = 1;
            job->stage[0].empty = 0;
        }
    }
    return made;
}

static inline void makespan_free(makespan_batch *batch)
{
    free(batch->jobs);
    free(batch->stretches);
    *batch = (makespan_batch){0, NULL, NULL};
}

/* What the configuration says of the rules. */
typedef struct makespan_rules {
    uint32_t level, stage_time, share, cap, task_order, resplit;
} makespan_rules;

static const makespan_rules makespan_options[] = {
    {PN_MAKESPAN_STAGES, 0, 0, 0, 0, 0},
    {PN_MAKESPAN_STAGES, PN_MAKESPAN_GIVEN, 0, 0, 0, 0},
    {PN_MAKESPAN_STAGES, PN_MAKESPAN_WAVES, 0, 0, 0, 0},
    {PN_MAKESPAN_STAGES, PN_MAKESPAN_CAPPED, 0, 0, 0, 0},
    {PN_MAKESPAN_STAGES, PN_MAKESPAN_FLUID, 0, 0, 0, 0},
    {PN_MAKESPAN_TASKS, 0, 0, 0, 0, 0},
    {PN_MAKESPAN_TASKS, 0, PN_MAKESPAN_CONSERVING, PN_MAKESPAN_CAP_REQUESTED, PN_MAKESPAN_LPT, 0},
    {PN_MAKESPAN_TASKS, 0, PN_MAKESPAN_EXCLUSIVE, PN_MAKESPAN_CAP_NONE, PN_MAKESPAN_LISTED, 0},
    {PN_MAKESPAN_TASKS, 0, PN_MAKESPAN_EXCLUSIVE, PN_MAKESPAN_CAP_REQUESTED, PN_MAKESPAN_LPT, 0},
    {PN_MAKESPAN_TASKS, 0, PN_MAKESPAN_CONSERVING, 0, 0, 1},
    {PN_MAKESPAN_TASKS, 0, PN_MAKESPAN_EXCLUSIVE, 0, 0, 3},
};
enum { MAKESPAN_OPTIONS = sizeof makespan_options / sizeof makespan_options[0] };

/* A configuration with room for all jobs. */
static inline pn_makespan_config makespan_config(const makespan_batch *batch, makespan_rules rules,
                                                 uint32_t map_slots, uint32_t reduce_slots)
{
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = map_slots;
    config.reduce_slots = reduce_slots;
    config.level = rules.level;
    config.stage_time = rules.stage_time;
    config.share = rules.share;
    config.cap = rules.cap;
    config.task_order = rules.task_order;
    config.resplit = rules.resplit;
    config.jobs_max = (uint32_t)batch->count;
    config.stretches_max = (uint32_t)batch->count * 2 * MAKESPAN_STRETCHES;
    return config;
}

/* Whether it decides by itself, at that level: not what waits for an order, pools or hours. */
static inline bool makespan_decides(const pn_makespan_policy *policy, uint32_t level)
{
    return policy != pn_makespan_given_order() && policy != pn_makespan_fixed_pools() &&
           policy != pn_makespan_exact() && (policy->level == 0 || policy->level == 1 + level);
}

/* In a block of exactly the size that was asked for, so that a sanitizer sees a byte too many. Free
 * it as any pointer. */
static inline pn_makespan *makespan_sim(const pn_makespan_config *config)
{
    size_t size = pn_makespan_size(config);
    pn_makespan *sim = NULL;
    void *block = workload_room(size);
    int status = pn_makespan_init(&sim, block, size, config);
    if (status != PN_OK) {
        fprintf(stderr, "pn_makespan_init: %s\n", pn_status_name(status));
        abort();
    }
    return sim;
}

/* Room for makespan_pair, on slots that make it interesting. */
static inline pn_makespan_config makespan_small(void)
{
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = 2;
    config.reduce_slots = 1;
    config.level = PN_MAKESPAN_TASKS;
    config.jobs_max = 3;
    config.groups_max = 2;
    return config;
}

static inline pn_makespan *makespan_with_pair(const pn_makespan_config *config)
{
    pn_makespan *sim = makespan_sim(config);
    for (int i = 0; i < 2; i++)
        if (pn_makespan_submit(sim, &makespan_pair[i], NULL) != PN_OK)
            abort();
    return sim;
}

/* Hands over all jobs; PN_OK or the first refusal. */
static inline int makespan_submit(pn_makespan *sim, const makespan_batch *batch)
{
    int status = PN_OK;
    for (size_t i = 0; i < batch->count && status == PN_OK; i++)
        status = pn_makespan_submit(sim, &batch->jobs[i], NULL);
    return status;
}

static inline pn_makespan_totals makespan_totals(const pn_makespan *sim)
{
    pn_makespan_totals totals;
    pn_makespan_totals_get(sim, &totals);
    return totals;
}

static inline bool makespan_same_exact(pn_exact a, pn_exact b)
{
    return a.num == b.num && a.den == b.den;
}

static inline bool makespan_same_totals(const pn_makespan_totals *a, const pn_makespan_totals *b)
{
    return a->time == b->time && a->makespan == b->makespan &&
           makespan_same_exact(a->total_completion, b->total_completion) &&
           a->map_work == b->map_work && a->reduce_work == b->reduce_work &&
           a->tasks_started == b->tasks_started && a->submitted == b->submitted &&
           a->finished == b->finished && a->instants == b->instants &&
           a->evaluations == b->evaluations && a->nodes_searched == b->nodes_searched &&
           makespan_same_exact(a->proven, b->proven) && a->stage_time == b->stage_time &&
           a->share == b->share && a->cap == b->cap && a->task_order == b->task_order &&
           a->resplit == b->resplit;
}

/* A simulation that has come to its end. */
static inline pn_makespan *makespan_done(const makespan_batch *batch,
                                         const pn_makespan_config *config,
                                         const pn_makespan_hooks *hooks)
{
    pn_makespan *sim = makespan_sim(config);
    int status = makespan_submit(sim, batch);
    if (status == PN_OK)
        status = pn_makespan_run(sim, hooks, PN_MAKESPAN_FOREVER, UINT64_MAX);
    if (status != PN_DONE) {
        fprintf(stderr, "run with %s: %s\n", hooks->policy->name, pn_status_name(status));
        abort();
    }
    return sim;
}

/* ---- logs ---- */

typedef struct makespan_log {
    pn_makespan_decision *entry;
    size_t count, room;
} makespan_log;

static inline void makespan_log_add(makespan_log *log, const pn_makespan_decision *decision)
{
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 64;
        log->entry = realloc(log->entry, log->room * sizeof *log->entry);
        if (!log->entry)
            abort();
    }
    log->entry[log->count++] = *decision;
}

static inline void makespan_log_free(makespan_log *log)
{
    free(log->entry);
    *log = (makespan_log){NULL, 0, 0};
}

/* Hooks with `user` = a makespan_log. */
static inline void makespan_log_decision(void *user, const pn_makespan_decision *decision)
{
    makespan_log_add(user, decision);
}

static inline void makespan_log_finish(void *user, const pn_makespan_finish *finish)
{
    pn_makespan_decision entry = {.start = finish->finish,
                                  .end = finish->finish,
                                  .id = finish->id,
                                  .kind = PN_MAKESPAN_FINISH};
    makespan_log_add(user, &entry);
}

/* The digest as the header defines it. */
static inline uint64_t makespan_log_digest(const makespan_log *log)
{
    uint64_t digest = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < log->count; i++) {
        const pn_makespan_decision *e = &log->entry[i];
        sum += pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, e->start), e->kind), e->id),
                      e->end - e->start);
        if (i + 1 == log->count || log->entry[i + 1].start != e->start) {
            digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), e->start), sum);
            sum = 0;
        }
    }
    return digest;
}

static inline uint64_t makespan_log_end(const makespan_log *log)
{
    uint64_t end = 0;
    for (size_t i = 0; i < log->count; i++)
        if (log->entry[i].kind == PN_MAKESPAN_FINISH)
            end = log->entry[i].start;
    return end;
}

/* ---- the checker's verdict ---- */

/* What a log of this simulation claims, once it is planned; its pools are in `pools`. */
typedef struct makespan_claim {
    pn_makespan_claim claim;
    pn_makespan_pool *pools;
    uint64_t *ids;
} makespan_claim;

static inline makespan_claim makespan_claim_of(const pn_makespan *sim,
                                               const pn_makespan_config *config,
                                               const makespan_batch *batch)
{
    pn_makespan_totals totals = makespan_totals(sim);
    uint32_t pools = pn_makespan_pools(sim);
    makespan_claim made = {.pools = workload_room(pools * sizeof *made.pools),
                           .ids = workload_room(batch->count * sizeof *made.ids)};
    uint32_t dealt = 0;
    bool split = false; /* one pool may still leave nodes out */
    for (uint32_t i = 0; i < batch->count; i++)
        made.ids[i] = pn_makespan_order(sim, i);
    for (uint32_t p = 0; p < pools; p++) {
        pn_makespan_pool_plan plan;
        pn_makespan_pool_get(sim, p, &plan);
        made.pools[p] = (pn_makespan_pool){plan.nodes, plan.count, made.ids + dealt};
        dealt += plan.count;
        split = split || plan.map_slots < config->map_slots;
    }
    made.claim = (pn_makespan_claim){.map_slots = config->map_slots,
                                     config->reduce_slots,
                                     config->base_map_slots,
                                     config->base_reduce_slots,
                                     config->nodes,
                                     config->level,
                                     totals.stage_time,
                                     totals.share,
                                     totals.cap,
                                     totals.resplit,
                                     pn_makespan_ticks(sim) / config->ticks,
                                     batch->jobs,
                                     batch->count,
                                     split ? made.pools : NULL,
                                     split ? pools : 0};
    return made;
}

static inline void makespan_claim_free(makespan_claim *made)
{
    free(made->pools);
    free(made->ids);
}

typedef struct makespan_verdict {
    int status;
    const char *fault;
    uint64_t time, id;
} makespan_verdict;

/* What is wrong with the checker itself ends the program: it stays rejected once it has rejected,
 * and has a word for it. */
static inline makespan_verdict makespan_judge(const makespan_log *log,
                                              const pn_makespan_claim *claim, uint64_t end,
                                              uint64_t digest)
{
    size_t size = pn_makespan_verifier_size(claim);
    void *block = workload_room(size);
    pn_makespan_verifier *verifier;
    makespan_verdict v = {.status = pn_makespan_verifier_init(&verifier, block, size, claim)};
    if (v.status != PN_OK) {
        fprintf(stderr, "pn_makespan_verifier_init: %s\n", pn_status_name(v.status));
        abort();
    }
    for (size_t i = 0; i < log->count; i++) {
        int status = pn_makespan_verifier_feed(verifier, &log->entry[i]);
        if (v.status != PN_OK && status != PN_ERR_REJECTED)
            abort();
        v.status = status;
    }
    int status = pn_makespan_verifier_end(verifier, end, digest);
    if (v.status != PN_OK && status != PN_ERR_REJECTED)
        abort();
    v.status = status;
    v.fault = pn_makespan_verifier_fault(verifier, &v.time, &v.id);
    if ((v.fault[0] == '\0') != (v.status == PN_OK))
        abort();
    free(block);
    return v;
}

#endif
