/* The hash of a scenario of the dag model. */
#include "log.h"
#include "run/rules.h"
#include "pinion/models/dag/sources/jobs.h"

static uint64_t add_stage(uint64_t hash, const pn_dag_stage *stage)
{
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        hash = pn_mix(hash, stage->demand[r]);
    hash = pn_mix(pn_mix(hash, stage->tasks), stage->estimate);
    hash = pn_mix(pn_mix(hash, stage->start_ms), stage->parent_count);
    for (uint32_t i = 0; i < stage->parent_count; i++)
        hash = pn_mix(hash, stage->parents[i]);
    if (!stage->durations)
        return pn_mix(pn_mix(hash, 0), stage->duration);
    hash = pn_mix(hash, 1);
    for (uint32_t i = 0; i < stage->tasks; i++)
        hash = pn_mix(hash, stage->durations[i]);
    return hash;
}

static uint64_t add_job(uint64_t hash, const void *any)
{
    const pn_dag_job *job = any;
    const uint64_t numbers[] = {job->arrival, job->weight,   job->queue,
                                job->group,   job->deadline, job->stage_count};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = pn_mix(hash, numbers[i]);
    for (uint32_t i = 0; i < job->stage_count; i++)
        hash = add_stage(hash, &job->stages[i]);
    /* without one as before there were any */
    return job->priority != 0 ? pn_mix(hash, (uint64_t)(int64_t)job->priority) : hash;
}

static int hash_jobs(uint64_t *hash, source *work)
{
    const dag_source *dag = dag_source_of(work);
    pn_dag_job job;
    *hash = pn_mix(*hash, dag->queue_count);
    for (uint32_t i = 0; i < dag->queue_count; i++)
        *hash = hash_text(*hash, dag->queue_names[i]);
    return hash_each_job(hash, work, &job, add_job);
}

const hash_model dag_hash = {.jobs = hash_jobs};

/* Hashes the nodes; equal neighbours are one group, however they are listed. */
static uint64_t hash_nodes(uint64_t hash, const pn_dispatch_config *config)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_dispatch_nodes *group = &config->nodes[i];
        count += group->count;
        if (i + 1 < config->nodes_count && dag_nodes_alike(group, group + 1))
            continue;
        hash = pn_mix(pn_mix(hash, count), group->speed);
        for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
            hash = pn_mix(hash, group->capacity[r]);
        count = 0;
    }
    return hash;
}

uint64_t dag_hash_queues(uint64_t hash, const dag_settings *settings)
{
    const pn_dispatch_config *config = &settings->config.dispatch;
    hash = pn_mix(hash, config->queues_count);
    for (uint32_t i = 0; i < config->queues_count; i++) {
        const pn_dispatch_queue *queue = &config->queues[i];
        hash = pn_mix(pn_mix(hash, queue->weight), queue->guaranteed);
        hash = hash_text(pn_mix(hash, queue->maximum), settings->queue_names[i]);
    }
    return hash;
}

uint64_t dag_hash_failures(uint64_t hash, const dag_settings *settings)
{
    hash = pn_mix(hash, settings->failure_count);
    for (size_t i = 0; i < settings->failure_count; i++) {
        const pn_dag_failure *failure = &settings->failures[i];
        hash = pn_mix(pn_mix(pn_mix(hash, failure->time), failure->node), failure->recover);
    }
    return hash;
}

uint64_t dag_hash_settings(const dag_settings *settings)
{
    const pn_dag_config *config = &settings->config;
    uint64_t h = pn_mix(hash_text(PN_MIX_START, "dag"), config->dispatch.resources);
    h = dag_hash_queues(hash_nodes(h, &config->dispatch), settings);
    return dag_hash_failures(rules_hash(h, &dag_rules, config), settings);
}
