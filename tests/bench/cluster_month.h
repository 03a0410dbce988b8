/* A month in a data centre, the size of the trace that Google published in 2011: 12,500 nodes, some
 * 700,000 jobs with 25 million tasks; half of the jobs one task, one in a hundred with hundreds or
 * thousands of them; most tasks minutes, a few days, so that two thirds of the map slots are busy.
 * Two in three jobs of several maps have reduces, a fourth as many. Jobs are drawn while they are
 * run: the month needs no memory. */
#ifndef CLUSTER_MONTH_H
#define CLUSTER_MONTH_H

#include <stdbool.h>

#include "pinion.h"

enum {
    MONTH_NODES = 12500,
    MONTH_TASKS = 25000000,
    MONTH_MAP_SLOTS = 8,
    MONTH_REDUCE_SLOTS = 2,
    MONTH_DAYS = 30
};

/* `scale` cuts nodes and tasks, not time. */
typedef struct month {
    pn_stream stream;
    uint64_t tasks, tasks_end;
    uint64_t submit, gap; /* ms; the mean gap between two jobs */
} month;

static inline month month_begin(uint32_t scale)
{
    month it = {.tasks_end = MONTH_TASKS / scale};
    pn_stream_init(&it.stream, 2011, 0, 0);
    /* 36 tasks a job, as measured of the numbers that month_size draws. */
    it.gap = (uint64_t)MONTH_DAYS * 24 * 3600 * 1000 * 36 / it.tasks_end;
    return it;
}

/* As many tasks as jobs have: one in 75 of 100; the rest spread evenly over the orders of magnitude
 * of three classes. */
static inline uint32_t month_size(pn_stream *stream)
{
    static const struct {
        double share, low, high;
    } classes[] = {{0.15, 2, 15}, {0.09, 15, 500}, {0.01, 500, 5000}};
    double u = pn_uniform01(stream);
    for (int i = 0; i < 3; i++) {
        if (u < classes[i].share)
            return (uint32_t)(classes[i].low *
                              pn_pow(classes[i].high / classes[i].low, u / classes[i].share));
        u -= classes[i].share;
    }
    return 1;
}

/* The next job; false when the month is over. */
static inline bool month_next(month *it, pn_cluster_job *job)
{
    if (it->tasks >= it->tasks_end)
        return false;
    it->submit += (uint64_t)pn_exponential(&it->stream, (double)it->gap);
    *job = (pn_cluster_job){.submit = it->submit, .maps = month_size(&it->stream)};
    double minutes = pn_lognormal(&it->stream, 180, 900);
    job->map_ms = 1000 + (uint64_t)(60000 * (minutes < 28800 ? minutes : 28800));
    job->remote_ms = 3000;
    if (job->maps > 1 && pn_uniform(&it->stream, 1, 3) < 3) {
        job->reduces = (job->maps + 3) / 4;
        job->shuffle_ms = 10000;
        job->reduce_ms = job->map_ms / 2;
    }
    it->tasks += job->maps + job->reduces;
    return true;
}

static inline pn_cluster_config month_config(const pn_scheduler_nodes *nodes, uint32_t scale,
                                             const pn_scheduler_policy *policy)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = 20000 / scale + 1000;
    config.scheduler.tasks_max = 600000 / scale + 40000;
    config.scheduler.policy = policy;
    config.heartbeat_ms = 3000;
    return config;
}

/* Runs the month in this block. What the kernel said, PN_DONE when all is well. */
static inline int month_run(pn_cluster *sim, const pn_cluster_hooks *hooks, uint32_t scale)
{
    month it = month_begin(scale);
    pn_cluster_job job;
    int status = PN_OK;
    while (status >= 0 && month_next(&it, &job)) {
        if (job.submit > 0)
            status = pn_cluster_run(sim, hooks, job.submit - 1, UINT64_MAX);
        if (status >= 0)
            status = pn_cluster_submit(sim, &job, NULL);
    }
    return status < 0 ? status : pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
}

#endif
