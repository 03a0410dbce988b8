/* What programs with generated workloads of the dag model share: jobs, nodes, queues, failures,
 * rules to run them by, and the run. */
#ifndef DAG_WORKLOAD_H
#define DAG_WORKLOAD_H

#include "support/workload.h"

/* ---- jobs ---- */

enum { DAG_STAGES_MOST = 6, DAG_QUEUES = 3 };

typedef struct dag_workload {
    size_t count;
    pn_dag_job *jobs;
    pn_dag_stage (*stages)[DAG_STAGES_MOST];
    uint32_t (*parents)[DAG_STAGES_MOST][DAG_STAGES_MOST];
    uint64_t tasks;
} dag_workload;

/* A stage depends on some of those with lower numbers, or, every other job, with higher ones. */
static inline void dag_draw_stage(dag_workload *work, pn_stream *stream, size_t job, uint32_t stage,
                                  uint32_t count)
{
    pn_dag_stage *it = &work->stages[job][stage];
    uint32_t *parents = work->parents[job][stage];
    *it = (pn_dag_stage){.demand = {pn_uniform(stream, 1, 4), pn_uniform(stream, 0, 6)},
                         .duration = pn_uniform(stream, 0, 9000),
                         .tasks = (uint32_t)pn_uniform(stream, 1, 8),
                         .parents = parents,
                         .estimate = pn_uniform(stream, 0, 2) == 0 ? 4000 : 0,
                         .start_ms = pn_uniform(stream, 0, 4) == 0 ? 150 : PN_DAG_AUTO};
    for (uint32_t other = 0; other < count; other++)
        if ((job % 2 ? other > stage : other < stage) && pn_uniform(stream, 0, 2) == 0)
            parents[it->parent_count++] = other;
    work->tasks += it->tasks;
}

static inline dag_workload dag_new(size_t count, uint64_t seed, uint64_t gap_ms)
{
    dag_workload made = {.count = count,
                         .jobs = workload_room(count * sizeof *made.jobs),
                         .stages = workload_room(count * sizeof *made.stages),
                         .parents = workload_room(count * sizeof *made.parents)};
    pn_stream stream;
    uint64_t arrival = 0;
    pn_stream_init(&stream, seed, 0, 12);
    for (size_t i = 0; i < count; i++) {
        uint32_t stages = (uint32_t)pn_uniform(&stream, 1, DAG_STAGES_MOST);
        for (uint32_t k = 0; k < stages; k++)
            dag_draw_stage(&made, &stream, i, k, stages);
        made.jobs[i] = (pn_dag_job){.arrival = arrival,
                                    .stages = made.stages[i],
                                    .stage_count = stages,
                                    .weight = (uint32_t)pn_uniform(&stream, 1, 3),
                                    .queue = (uint32_t)pn_uniform(&stream, 0, DAG_QUEUES - 1),
                                    .deadline = 1000 * pn_uniform(&stream, 0, 60),
                                    .tag = i + 1};
        arrival += pn_uniform(&stream, 0, 3) == 0 ? 0 : pn_uniform(&stream, 0, 2 * gap_ms);
    }
    return made;
}

static inline void dag_free(dag_workload *work)
{
    free(work->jobs);
    free(work->stages);
    free(work->parents);
    *work = (dag_workload){.count = 0};
}

/* ---- rules ---- */

/* Nine nodes of three kinds. */
static const pn_dispatch_nodes dag_nodes[] = {
    {{8, 12}, 3, 1000}, {{4, 6}, 4, 700}, {{16, 8}, 2, 0}};
static const pn_dispatch_queue dag_queues[DAG_QUEUES] = {
    {2, 500, 900, 0}, {1, 300, 1000, 0}, {1, 0, 400, 0}};
static const pn_dag_failure dag_failures[] = {
    {9000, PN_DISPATCH_NEVER, 1, 0}, {12000, 30000, 8, 0}, {20000, 26000, 4, 0}};
enum { DAG_FAILURES = sizeof dag_failures / sizeof dag_failures[0] };

typedef struct dag_rules {
    uint32_t placement, order, backfill, failures;
    uint32_t factor_lo, factor_hi, est_lo, est_hi;
} dag_rules;

static const dag_rules dag_options[] = {
    {PN_DISPATCH_FIRST, PN_DISPATCH_DEPTH, 1, 0, 1000, 1000, 1000, 1000},
    {PN_DISPATCH_BEST, PN_DISPATCH_WORK, 1, 1, 500, 2000, 300, 3000},
    {PN_DISPATCH_SPREAD, PN_DISPATCH_INDEX, 0, 1, 900, 1100, 1000, 1000},
};
enum { DAG_OPTIONS = sizeof dag_options / sizeof dag_options[0] };

static inline pn_dag_config dag_config(const dag_workload *work, const dag_rules *rules,
                                       const pn_dispatch_policy *policy)
{
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = dag_nodes;
    config.dispatch.nodes_count = sizeof dag_nodes / sizeof dag_nodes[0];
    config.dispatch.resources = 2;
    config.dispatch.queues = dag_queues;
    config.dispatch.queues_count = DAG_QUEUES;
    config.dispatch.jobs_max = (uint32_t)work->count;
    config.dispatch.attempts_max = (uint32_t)work->tasks;
    config.dispatch.policy = policy;
    config.dispatch.placement = rules->placement;
    config.dispatch.order = rules->order;
    config.dispatch.backfill = rules->backfill;
    config.factor_lo = rules->factor_lo;
    config.factor_hi = rules->factor_hi;
    config.est_lo = rules->est_lo;
    config.est_hi = rules->est_hi;
    config.start_ms = 20;
    config.bounds_max = (uint32_t)work->count;
    config.failures_max = rules->failures ? DAG_FAILURES : 0;
    return config;
}

/* The policies with a choice of their own: first number of params. */
static const struct dag_variant {
    const char *name;
    const pn_dispatch_policy *(*policy)(void);
    double param;
} dag_variants[] = {{"fair-queues", pn_dispatch_fair, 1},
                    {"drf-queues", pn_dispatch_drf, 1},
                    {"capacity-kills", pn_dispatch_capacity_queues, 1},
                    {"cp-shortest", pn_dispatch_cp, 1}};
enum { DAG_VARIANTS = sizeof dag_variants / sizeof dag_variants[0] };

/* ---- the run ---- */

/* The digest of all jobs in one run; 0 when it did not end as it should. */
static inline uint64_t dag_digest(const dag_workload *work, const pn_dag_config *config,
                                  const pn_dag_hooks *hooks, pn_dag_totals *totals)
{
    pn_dag *sim;
    size_t size = pn_dag_size(config);
    void *block = workload_room(size);
    int status = pn_dag_init(&sim, block, size, config);
    uint64_t digest = 0;
    for (size_t i = 0; status == PN_OK && i < config->failures_max; i++)
        status = pn_dag_fail(sim, dag_failures[i].time, dag_failures[i].node,
                             dag_failures[i].recover);
    for (size_t i = 0; status == PN_OK && i < work->count; i++)
        status = pn_dag_submit(sim, &work->jobs[i], NULL);
    if (status == PN_OK)
        status = pn_dag_run(sim, hooks, PN_DAG_FOREVER, PN_DAG_FOREVER);
    if (status >= 0) {
        digest = pn_dag_digest(sim);
        pn_dag_totals_get(sim, totals);
    }
    free(block);
    return digest;
}

#endif
