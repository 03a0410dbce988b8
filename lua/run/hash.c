/* The hash that ties a decision log to its scenario: the model's settings, policy with its
 * parameters, and every job. */
#include <string.h>

#include "base/interrupt.h"
#include "cluster_rules.h"
#include "hash.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
    size_t size = strlen(text);
    hash = pn_mix(hash, size);
    for (size_t i = 0; i < size; i++)
        hash = pn_mix(hash, (unsigned char)text[i]);
    return hash;
}

/* Doubles go in by their bits; -0 counts as 0, which means the same. */
static uint64_t hash_double(uint64_t hash, double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return pn_mix(hash, bits);
}

static int hash_tandem_jobs(uint64_t *hash, source *work)
{
    uint64_t h = pn_mix(*hash, work->of.tandem.gaps), count = 0;
    pn_tandem_job job;
    int answer;
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        if ((++count & 0xFFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        h = hash_double(h, job.arrival);
        h = hash_double(h, job.map);
        h = hash_double(h, job.shuffle);
        h = hash_double(h, job.estimate_map);
        h = hash_double(h, job.estimate_shuffle);
        h = pn_mix(h, job.group);
        h = pn_mix(h, (uint64_t)job.rank[0] << 32 | job.rank[1]);
    }
    *hash = pn_mix(h, count);
    return answer;
}

static int hash_slotted_jobs(uint64_t *hash, source *work)
{
    uint64_t h = *hash, count = 0;
    pn_slotted_job job;
    int answer;
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        uint64_t tasks = 0;
        if ((++count & 0xFFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        h = pn_mix(h, job.arrival);
        h = pn_mix(h, job.maps);
        for (size_t i = 0; i < job.reduce_count; i++) {
            if (job.reduces[i] > 0) {
                h = pn_mix(h, job.reduces[i]);
                tasks++;
            }
        }
        h = pn_mix(h, tasks);
        h = pn_mix(h, job.estimate_maps);
        h = pn_mix(h, job.estimate_reduces);
        h = pn_mix(h, job.group);
    }
    *hash = pn_mix(h, count);
    return answer;
}

/* Stretches are what they are however they are cut: equal neighbours count as one. */
static uint64_t hash_stage(uint64_t hash, const pn_makespan_stage_of_job *stage)
{
    uint64_t tasks = 0, count = 0;
    for (uint32_t i = 0; i < stage->stretch_count; i++) {
        const pn_makespan_stretch *stretch = &stage->stretches[i];
        count += stretch->count;
        tasks += stretch->count;
        if (i + 1 < stage->stretch_count && stretch[1].duration == stretch->duration)
            continue;
        hash = pn_mix(pn_mix(hash, stretch->duration), count);
        count = 0;
    }
    hash = pn_mix(hash, tasks);
    hash = pn_mix(hash, stage->requested);
    hash = pn_mix(hash, (uint64_t)stage->has_time << 1 | stage->empty);
    return pn_mix(hash, stage->has_time ? stage->time : 0);
}

static int hash_makespan_jobs(uint64_t *hash, source *work)
{
    uint64_t h = pn_mix(*hash, work->of.makespan.ticks), count = 0;
    pn_makespan_job job;
    int answer;
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        if ((++count & 0xFFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        for (int stage = 0; stage < 2; stage++)
            h = hash_stage(h, &job.stage[stage]);
        h = pn_mix(h, job.group);
    }
    *hash = pn_mix(h, count);
    return answer;
}

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

static uint64_t hash_cluster_job(uint64_t hash, const pn_cluster_job *job)
{
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
    /* Jobs without sizes hash as they did before there were any. */
    return job->input || job->intermediate ? pn_mix(pn_mix(hash, job->input), job->intermediate)
                                           : hash;
}

static int hash_cluster_jobs(uint64_t *hash, source *work)
{
    uint64_t h = *hash, count = 0;
    pn_cluster_job job;
    int answer;
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        if ((++count & 0xFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        h = hash_cluster_job(h, &job);
    }
    *hash = pn_mix(h, count);
    return answer;
}

int hash_jobs(uint64_t *hash, source *work)
{
    static int (*const of_model[SOURCE_MODELS])(uint64_t * hash, source * work) = {
        [SOURCE_SLOTTED] = hash_slotted_jobs,
        [SOURCE_TANDEM] = hash_tandem_jobs,
        [SOURCE_MAKESPAN] = hash_makespan_jobs,
        [SOURCE_CLUSTER] = hash_cluster_jobs};
    work->rewind(work);
    return of_model[work->model](hash, work);
}

/* In the slotted model integers go in as such, floats by their bits as they are. */
static uint64_t param_word(const pn_param *param, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return param->integer ? (uint64_t)(int64_t)value : bits;
}

static uint64_t hash_params(uint64_t hash, uint8_t count, const double *params)
{
    for (uint8_t i = 0; i < count; i++)
        hash = hash_double(hash, params[i]);
    return hash;
}

int hash_scenario(uint64_t *hash, source *work, uint32_t machines, uint32_t reduce,
                  const pn_slotted_policy *policy, const double *params)
{
    uint64_t h = hash_text(PN_MIX_START, "slotted");
    h = pn_mix(h, machines);
    h = pn_mix(h, reduce);
    h = hash_text(h, policy->name);
    for (uint8_t i = 0; i < policy->param_count; i++)
        h = pn_mix(h, param_word(&policy->params[i], params[i]));
    *hash = h;
    return hash_jobs(hash, work);
}

int hash_tandem_scenario(uint64_t *hash, source *work, double speed, int traditional,
                         const pn_tandem_policy *policy, const double *params)
{
    uint64_t h = hash_text(PN_MIX_START, "tandem");
    h = hash_double(h, speed);
    h = pn_mix(h, (uint64_t)traditional);
    h = hash_text(h, policy->name);
    h = hash_params(h, policy->param_count, params);
    *hash = h;
    return hash_jobs(hash, work);
}

makespan_rules makespan_rules_of(const pn_makespan_config *config, const pn_makespan_totals *totals)
{
    return (makespan_rules){
        .level = config->level,
        .map_slots = config->map_slots,
        .reduce_slots = config->reduce_slots,
        .base_map_slots = config->base_map_slots ? config->base_map_slots : config->map_slots,
        .base_reduce_slots = config->base_reduce_slots ? config->base_reduce_slots
                                                       : config->reduce_slots,
        .stage_time = totals->stage_time,
        .share = totals->share,
        .cap = totals->cap,
        .task_order = totals->task_order,
        .resplit = totals->resplit,
    };
}

int hash_makespan_scenario(uint64_t *hash, source *work, const makespan_rules *rules,
                           const pn_makespan_policy *policy, const double *params)
{
    const uint32_t numbers[] = {rules->level,
                                rules->map_slots,
                                rules->reduce_slots,
                                rules->base_map_slots,
                                rules->base_reduce_slots,
                                rules->stage_time,
                                rules->share,
                                rules->cap,
                                rules->task_order,
                                rules->resplit};
    uint64_t h = hash_text(PN_MIX_START, "makespan");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        h = pn_mix(h, numbers[i]);
    h = hash_text(h, policy->name);
    h = hash_params(h, policy->param_count, params);
    *hash = h;
    return hash_jobs(hash, work);
}

/* Equal neighbours are one group, however they are listed. */
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

int hash_cluster_scenario(uint64_t *hash, source *work, const pn_cluster_config *config,
                          const pn_cluster_failure *failures, size_t failure_count,
                          const pn_scheduler_policy *policy, const double *params)
{
    uint64_t h = hash_nodes(hash_text(PN_MIX_START, "cluster"), &config->scheduler);
    pn_cluster_config usual = pn_cluster_defaults();
    for (const cluster_rule *rule = cluster_rules; rule->name; rule++) {
        uint64_t value = cluster_rule_get(config, rule);
        if (!rule->newer)
            h = pn_mix(h, value);
        else if (value != cluster_rule_get(&usual, rule))
            h = pn_mix(hash_text(h, rule->name), value);
    }
    h = pn_mix(h, failure_count);
    for (size_t i = 0; i < failure_count; i++)
        h = pn_mix(pn_mix(pn_mix(h, failures[i].time), failures[i].node), failures[i].recover);
    h = hash_text(h, policy->name);
    h = hash_params(h, policy->param_count, params);
    *hash = h;
    return hash_jobs(hash, work);
}
