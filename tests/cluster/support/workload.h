/* What tests of the cluster model share: generated workloads, rules to run them by, simulations in
 * blocks of exactly the size asked for, logs, and the checker's verdict on them. */
#ifndef CLUSTER_WORKLOAD_H
#define CLUSTER_WORKLOAD_H

#include "cluster/support/log.h"
#include "support/workload.h"

/* ---- jobs ---- */

typedef struct cluster_workload {
    size_t count;
    pn_cluster_job *jobs;
    void **lists; /* of all jobs, to be freed */
    size_t list_count;
    uint64_t tasks, values; /* all together */
} cluster_workload;

/* Gaps, counts and durations are drawn around these. */
typedef struct cluster_shape {
    uint32_t gap_ms;
    uint32_t maps, reduces;
    uint32_t task_ms;
    uint32_t listed; /* 1: most jobs list blocks, factors or times; of `nodes` nodes */
    uint32_t nodes;
    uint32_t groups;
    uint32_t deadline; /* most of the tight ones, as a multiple of task_ms; 0 = 20 */
} cluster_shape;

static inline void *cluster_list(cluster_workload *work, size_t count, size_t size)
{
    work->lists[work->list_count] = workload_room(count * size);
    work->values += count;
    return work->lists[work->list_count++];
}

static inline uint32_t *cluster_factors(cluster_workload *work, pn_stream *stream, uint32_t count)
{
    uint32_t *factors = cluster_list(work, count, sizeof *factors);
    for (uint32_t i = 0; i < count; i++)
        factors[i] = (uint32_t)pn_uniform(stream, 500, 1500);
    return factors;
}

static inline uint64_t *cluster_times(cluster_workload *work, pn_stream *stream, uint32_t count,
                                      uint32_t mean)
{
    uint64_t *times = cluster_list(work, count, sizeof *times);
    for (uint32_t i = 0; i < count; i++)
        times[i] = pn_uniform(stream, 0, 2 * (uint64_t)mean);
    return times;
}

/* 0, 1 or 2 replicas of each map, side by side on the ring of nodes. */
static inline void cluster_blocks(cluster_workload *work, pn_stream *stream, pn_cluster_job *job,
                                  uint32_t nodes)
{
    uint32_t *counts = cluster_list(work, job->maps, sizeof *counts);
    uint32_t *blocks = cluster_list(work, 2 * (size_t)job->maps + 1, sizeof *blocks);
    size_t at = 0;
    for (uint32_t i = 0; i < job->maps; i++) {
        uint32_t first = (uint32_t)pn_uniform(stream, 0, nodes - 1);
        counts[i] = (uint32_t)pn_uniform(stream, 0, nodes < 2 ? nodes : 2);
        for (uint32_t k = 0; k < counts[i]; k++)
            blocks[at++] = (first + k) % nodes;
    }
    job->block_counts = counts;
    job->blocks = blocks;
}

static inline void cluster_lists(cluster_workload *work, pn_stream *stream, pn_cluster_job *job,
                                 cluster_shape shape)
{
    uint64_t which = pn_random64(stream);
    if (which & 1)
        cluster_blocks(work, stream, job, shape.nodes);
    if (which & 2)
        job->map_factor = cluster_factors(work, stream, job->maps);
    if (which & 4)
        job->reduce_factor = cluster_factors(work, stream, job->reduces);
    if (which & 8)
        job->map_times = cluster_times(work, stream, job->maps, shape.task_ms);
    if (which & 16)
        job->reduce_times = cluster_times(work, stream, job->reduces, shape.task_ms);
    if (which & 32)
        job->shuffle_times = cluster_times(work, stream, job->reduces, shape.task_ms / 2);
}

static inline cluster_workload cluster_new(size_t count, uint64_t seed, cluster_shape shape)
{
    const uint32_t tight = shape.deadline > 0 ? shape.deadline : 20;
    const uint32_t deadlines[] = {50 * tight, tight / 2, tight};
    cluster_workload made = {count,
                             workload_room(count * sizeof *made.jobs),
                             workload_room(7 * count * sizeof(void *)),
                             0,
                             0,
                             0};
    pn_stream stream;
    uint64_t submit = 0;
    pn_stream_init(&stream, seed, 0, 10);
    for (size_t i = 0; i < count; i++) {
        uint64_t size = pn_uniform(&stream, 0, 3); /* a few large jobs among small ones */
        pn_cluster_job *job = &made.jobs[i];
        *job = (pn_cluster_job){.submit = submit, .tag = i + 1};
        job->maps = 1 + (uint32_t)pn_uniform(&stream, 0, shape.maps * (size == 0 ? 4 : 1));
        job->reduces = (uint32_t)pn_uniform(&stream, 0, shape.reduces * (size == 0 ? 3 : 1));
        job->map_ms = pn_uniform(&stream, 1, 2 * (uint64_t)shape.task_ms);
        job->remote_ms = pn_uniform(&stream, 0, shape.task_ms / 4);
        job->reduce_ms = pn_uniform(&stream, 0, 3 * (uint64_t)shape.task_ms);
        job->shuffle_ms = pn_uniform(&stream, 0, shape.task_ms);
        job->deadline = (uint64_t)shape.task_ms * deadlines[pn_uniform(&stream, 0, 2)];
        job->group = shape.groups > 0 ? (uint32_t)(i % shape.groups) : 0;
        if (shape.listed)
            cluster_lists(&made, &stream, job, shape);
        made.tasks += (uint64_t)job->maps + job->reduces;
        submit += pn_uniform(&stream, 0, 3) == 0
                      ? 0
                      : pn_uniform(&stream, 0, 2 * (uint64_t)shape.gap_ms);
    }
    return made;
}

static inline void cluster_free(cluster_workload *work)
{
    for (size_t i = 0; i < work->list_count; i++)
        free(work->lists[i]);
    free(work->lists);
    free(work->jobs);
    *work = (cluster_workload){0, NULL, NULL, 0, 0, 0};
}

/* ---- rules ---- */

/* Ten nodes of two kinds. */
static const pn_scheduler_nodes cluster_nodes[] = {
    {4, 2, 1, 1000}, {1, 0, 2, 700}, {5, 1, 1, 1500}};
enum { CLUSTER_NODES = 10, CLUSTER_GROUPS = 3 };

static const pn_cluster_failure cluster_failures[] = {
    {4000, 7000, 1}, {5000, PN_SCHEDULER_NEVER, 6},
    {6500, 7000, 1}, {7000, 20000, 0},
    {9000, 9001, 4}, {15000, 30000, 1}};
enum { CLUSTER_FAILURES = sizeof cluster_failures / sizeof cluster_failures[0] };

typedef struct cluster_rules {
    uint64_t heartbeat_ms, locality_delay_ms, tick_ms, max_time_ms;
    uint32_t maps_per_heartbeat;
    uint32_t factor_lo, factor_hi;
    uint32_t after_maps;
    uint32_t attempt_fail_permille, attempts_max; /* 0 = 4 */
    uint32_t nodes_fail;
} cluster_rules;

static const cluster_rules cluster_options[] = {
    {.tick_ms = 10000, .factor_lo = 1000, .factor_hi = 1000},
    {.heartbeat_ms = 3000, .tick_ms = 10000, .factor_lo = 700, .factor_hi = 1300},
    {.heartbeat_ms = 7,
     .tick_ms = 500,
     .factor_lo = 500,
     .factor_hi = 1000,
     .maps_per_heartbeat = 1,
     .after_maps = 1},
    {.tick_ms = 700,
     .factor_lo = 900,
     .factor_hi = 1000,
     .nodes_fail = 1,
     .attempt_fail_permille = 100,
     .attempts_max = 2,
     .locality_delay_ms = 300},
    {.heartbeat_ms = 1000,
     .tick_ms = 1000,
     .factor_lo = 1000,
     .factor_hi = 2000,
     .nodes_fail = 1,
     .attempt_fail_permille = 30},
    {.tick_ms = 2000,
     .factor_lo = 1000,
     .factor_hi = 1000,
     .maps_per_heartbeat = 3,
     .max_time_ms = 12000},
};
enum { CLUSTER_OPTIONS = sizeof cluster_options / sizeof cluster_options[0] };

/* Built-in policies as they are, then those with deadlines as far from that as they go: what was
 * published of rtmr, what is learnt in place of what is given, reduces of dc as late as they
 * may. */
typedef struct cluster_variant {
    const pn_scheduler_policy *policy;
    const double *params; /* null = defaults */
} cluster_variant;

static const double cluster_rtmr_published[] = {0, 1, 300, 1, 1, 1, 1, 0},
                    cluster_rtmr_learnt[] = {1, 0, 0, 0, 0, 0, 0, 1},
                    cluster_live_learnt[] = {1, 1}, cluster_dc_late[] = {1, 1},
                    cluster_rtmr_speeds[] = {0, 1, 300, 0, 0, 0, 0, 2};

/* The i-th of them; false when there is none. */
static inline bool cluster_variant_get(size_t i, cluster_variant *variant)
{
    const cluster_variant far[] = {{pn_scheduler_rtmr(), cluster_rtmr_published},
                                   {pn_scheduler_rtmr(), cluster_rtmr_learnt},
                                   {pn_scheduler_rtmr_live(), cluster_live_learnt},
                                   {pn_scheduler_dc(), cluster_dc_late},
                                   {pn_scheduler_rtmr(), cluster_rtmr_speeds}};
    size_t built_in = 0;
    while (pn_scheduler_policy_at(built_in))
        built_in++;
    if (i >= built_in + sizeof far / sizeof far[0])
        return false;
    *variant = i < built_in ? (cluster_variant){pn_scheduler_policy_at(i), NULL}
                            : far[i - built_in];
    return true;
}

/* Room for all jobs at once, with everything that a job may bring. */
static inline pn_cluster_config cluster_config(const cluster_workload *work,
                                               const cluster_rules *rules)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = cluster_nodes;
    config.scheduler.nodes_count = CLUSTER_GROUPS;
    config.scheduler.jobs_max = (uint32_t)work->count;
    config.scheduler.tasks_max = (uint32_t)work->tasks;
    config.scheduler.reduce_start = rules->after_maps;
    config.scheduler.locality_delay_ms = rules->locality_delay_ms;
    config.scheduler.attempts_max = rules->attempts_max > 0 ? rules->attempts_max : 4;
    config.heartbeat_ms = rules->heartbeat_ms;
    config.maps_per_heartbeat = rules->maps_per_heartbeat;
    config.factor_lo = rules->factor_lo;
    config.factor_hi = rules->factor_hi;
    config.attempt_fail_permille = rules->attempt_fail_permille;
    config.tick_ms = rules->tick_ms;
    config.max_time_ms = rules->max_time_ms;
    config.values_max = (uint32_t)work->values;
    config.failures_max = rules->nodes_fail ? CLUSTER_FAILURES : 0;
    return config;
}

/* In a block of exactly the size that was asked for, so that a sanitizer sees a byte too many. Free
 * it as any pointer. */
static inline pn_cluster *cluster_sim(const pn_cluster_config *config)
{
    size_t size = pn_cluster_size(config);
    pn_cluster *sim = NULL;
    void *block = workload_room(size);
    int status = pn_cluster_init(&sim, block, size, config);
    if (status != PN_OK) {
        const char *wrong = pn_cluster_check(config);
        fprintf(stderr, "pn_cluster_init: %s %s\n", pn_status_name(status), wrong ? wrong : "");
        abort();
    }
    return sim;
}

/* Hands over jobs from..to-1; PN_OK or the first refusal. */
static inline int cluster_submit(pn_cluster *sim, const cluster_workload *work, size_t from,
                                 size_t to)
{
    int status = PN_OK;
    for (size_t i = from; i < to && status == PN_OK; i++)
        status = pn_cluster_submit(sim, &work->jobs[i], NULL);
    return status;
}

static inline int cluster_announce(pn_cluster *sim, const pn_cluster_config *config)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < config->failures_max && status == PN_OK; i++)
        status = pn_cluster_fail(sim, cluster_failures[i].time, cluster_failures[i].node,
                                 cluster_failures[i].recover);
    return status;
}

static inline pn_cluster_totals cluster_totals(const pn_cluster *sim)
{
    pn_cluster_totals totals;
    pn_cluster_totals_get(sim, &totals);
    return totals;
}

/* All jobs and failures at once, to the end. */
static inline pn_cluster *cluster_done(const cluster_workload *work,
                                       const pn_cluster_config *config,
                                       const pn_cluster_hooks *hooks)
{
    pn_cluster *sim = cluster_sim(config);
    int status = cluster_submit(sim, work, 0, work->count);
    if (status == PN_OK)
        status = cluster_announce(sim, config);
    if (status == PN_OK)
        status = pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
    if (status != PN_DONE) {
        fprintf(stderr, "run with %s: %s\n", hooks->policy->name, pn_status_name(status));
        abort();
    }
    return sim;
}

static inline uint64_t cluster_digest(const cluster_workload *work, const pn_cluster_config *config,
                                      const pn_cluster_hooks *hooks, pn_cluster_totals *totals)
{
    pn_cluster *sim = cluster_done(work, config, hooks);
    uint64_t digest = pn_cluster_digest(sim);
    if (totals)
        *totals = cluster_totals(sim);
    free(sim);
    return digest;
}

/* ---- the checker's verdict ---- */

static inline pn_cluster_claim cluster_claim(const cluster_workload *work,
                                             const pn_cluster_config *config,
                                             const pn_scheduler_policy *policy)
{
    return (pn_cluster_claim){.config = config,
                              .preempts = policy->preempt != NULL,
                              .maps_first = policy->admission.maps_first,
                              .deals = pn_scheduler_policy_find(policy->name) != policy,
                              .promises = pn_scheduler_policy_find(policy->name) == policy &&
                                          policy->admission.finishes != PN_SCHEDULER_FINISHES_NONE,
                              .holds = policy == pn_scheduler_dc(),
                              .jobs = work->jobs,
                              .job_count = work->count,
                              .failures = cluster_failures,
                              .failure_count = config->failures_max};
}

typedef struct cluster_verdict {
    int status;
    const char *fault;
    uint64_t time, id;
} cluster_verdict;

/* What is wrong with the checker itself ends the program: it stays rejected once it has rejected,
 * and has a word for it. */
static inline cluster_verdict cluster_judge(const cluster_log *log, const pn_cluster_claim *claim,
                                            uint64_t end, uint64_t unfinished, uint64_t digest)
{
    size_t size = pn_cluster_verifier_size(claim);
    void *block = workload_room(size);
    pn_cluster_verifier *verifier;
    cluster_verdict v = {.status = pn_cluster_verifier_init(&verifier, block, size, claim)};
    if (v.status != PN_OK) {
        fprintf(stderr, "pn_cluster_verifier_init: %s\n", pn_status_name(v.status));
        abort();
    }
    for (size_t i = 0; i < log->count; i++) {
        int status = pn_cluster_verifier_feed(verifier, &log->entry[i]);
        if (v.status != PN_OK && status != PN_ERR_REJECTED)
            abort();
        v.status = status;
    }
    int status = pn_cluster_verifier_end(verifier, end, unfinished, digest);
    if (v.status != PN_OK && status != PN_ERR_REJECTED)
        abort();
    v.status = status;
    v.fault = pn_cluster_verifier_fault(verifier, &v.time, &v.id);
    if ((v.fault[0] == '\0') != (v.status == PN_OK))
        abort();
    free(block);
    return v;
}

static inline cluster_verdict cluster_judge_as_it_is(const cluster_log *log,
                                                     const pn_cluster_claim *claim)
{
    return cluster_judge(log, claim, cluster_log_end(log),
                         cluster_log_unfinished(log, claim->job_count), cluster_log_digest(log));
}

/* The token of the attempt at this place; 0, which none has, when there is none. */
static inline uint64_t token_at(const pn_scheduler *s, uint32_t run)
{
    pn_scheduler_task task;
    return pn_scheduler_task_get(s, run, &task) == PN_OK ? task.token : 0;
}

#endif
