/* The hash of a scenario of the cluster model. */
#include "log.h"
#include "run/rules.h"

static uint64_t hash_list(uint64_t hash, const uint32_t *list, uint64_t count)
{
    hash = pn_mix(hash, list ? count + 1 : 0);
    for (uint64_t i = 0; list && i < count; i++)
        hash = pn_mix(hash, list[i]);
    return hash;
}

static uint64_t hash_times(uint64_t hash, const uint64_t *list, uint64_t count)
{
    hash = pn_mix(hash, list ? count + 1 : 0);
    for (uint64_t i = 0; list && i < count; i++)
        hash = pn_mix(hash, list[i]);
    return hash;
}

static uint64_t add_job(uint64_t hash, const void *any)
{
    const pn_cluster_job *job = any;
    const uint64_t numbers[] = {job->submit,     job->maps,          job->reduces,    job->map_ms,
                                job->remote_ms,  job->reduce_ms,     job->shuffle_ms, job->deadline,
                                job->est_map_ms, job->est_reduce_ms, job->group};
    uint64_t replicas = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = pn_mix(hash, numbers[i]);
    for (uint32_t i = 0; job->block_counts && i < job->maps; i++)
        replicas += job->block_counts[i];
    hash = hash_list(hash, job->block_counts, job->maps);
    hash = hash_list(hash, job->blocks, replicas);
    hash = hash_list(hash, job->map_factor, job->maps);
    hash = hash_list(hash, job->reduce_factor, job->reduces);
    hash = hash_times(hash, job->map_times, job->maps);
    hash = hash_times(hash, job->reduce_times, job->reduces);
    hash = hash_times(hash, job->shuffle_times, job->reduces);
    /* Jobs without sizes, weights and priorities hash as they did before there were any. */
    if (job->input || job->intermediate)
        hash = pn_mix(pn_mix(hash, job->input), job->intermediate);
    if (job->weight > 1 || job->priority != 0)
        hash = pn_mix(pn_mix(hash, job->weight > 1 ? job->weight : 1),
                      (uint64_t)(int64_t)job->priority);
    return hash;
}

static int hash_jobs(uint64_t *hash, source *work)
{
    pn_cluster_job job;
    return hash_each_job(hash, work, &job, add_job);
}

const hash_model cluster_hash = {.jobs = hash_jobs};

/* Hashes the nodes; equal neighbours are one group, however they are listed. */
static uint64_t hash_nodes(uint64_t hash, const pn_scheduler_config *config)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_scheduler_nodes *group = &config->nodes[i];
        count += group->count;
        if (i + 1 < config->nodes_count && cluster_nodes_alike(group, group + 1))
            continue;
        hash = pn_mix(pn_mix(hash, count), group->map_slots);
        hash = pn_mix(pn_mix(hash, group->reduce_slots), group->speed);
        count = 0;
    }
    return hash;
}

uint64_t cluster_hash_failures(uint64_t hash, const pn_cluster_failure *failures, size_t count)
{
    hash = pn_mix(hash, count);
    for (size_t i = 0; i < count; i++)
        hash = pn_mix(pn_mix(pn_mix(hash, failures[i].time), failures[i].node),
                      failures[i].recover);
    return hash;
}

uint64_t cluster_hash_settings(const pn_cluster_config *config, const pn_cluster_failure *failures,
                               size_t failure_count)
{
    uint64_t h = hash_nodes(hash_text(PN_MIX_START, "cluster"), &config->scheduler);
    h = rules_hash(h, &cluster_rules, config);
    return cluster_hash_failures(h, failures, failure_count);
}
