/* The hash of a scenario of the makespan model. */
#include "log.h"
#include "pinion/models/makespan/sources/jobs.h"

/* Hashes a stage. Stretches are what they are however they are cut: equal neighbours count as
 * one. */
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

static uint64_t add_job(uint64_t h, const void *any)
{
    const pn_makespan_job *job = any;
    for (int stage = 0; stage < 2; stage++)
        h = hash_stage(h, &job->stage[stage]);
    return pn_mix(h, job->group);
}

static int hash_jobs(uint64_t *hash, source *work)
{
    pn_makespan_job job;
    *hash = pn_mix(*hash, makespan_source_of(work)->ticks);
    return hash_each_job(hash, work, &job, add_job);
}

const hash_model makespan_hash = {.jobs = hash_jobs};

uint64_t makespan_hash_settings(const makespan_rules *rules)
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
    return h;
}

makespan_rules makespan_rules_of(const pn_makespan_config *config, const pn_makespan_totals *totals)
{
    return (makespan_rules){
        .level = config->level,
        .map_slots = config->map_slots,
        .reduce_slots = config->reduce_slots,
        .base_map_slots = config->base_map_slots,
        .base_reduce_slots = config->base_reduce_slots,
        .stage_time = totals->stage_time,
        .share = totals->share,
        .cap = totals->cap,
        .task_order = totals->task_order,
        .resplit = totals->resplit,
    };
}
