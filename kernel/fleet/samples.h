/* Statistics over finished jobs, where a configuration asks for them: three samples of each job,
 * over all jobs and over each group, and the batches of the first sample. */
#ifndef PN_FLEET_SAMPLES_H
#define PN_FLEET_SAMPLES_H

#include "base/arena.h"
#include "base/validate.h"

/* Samples are integers, the first octave below 1; 53 octaves reach PN_INTEGER_MAX. */
enum { PN_FLEET_SAMPLES = 3, PN_FLEET_FIRST_OCTAVE = -1, PN_FLEET_OCTAVES = 54 };

/* The part that lives in the block: offsets, all 0 where there are no statistics. */
typedef struct pn_fleet_samples {
    size_t stats, stride, batches;
} pn_fleet_samples;

static inline void pn_fleet_samples_carve(pn_fleet_samples *samples, pn_arena *arena,
                                          uint32_t groups)
{
    samples->stride = pn_stats_size(PN_FLEET_FIRST_OCTAVE, PN_FLEET_OCTAVES);
    samples->stats = pn_arena_take(arena, PN_FLEET_SAMPLES * ((size_t)groups + 1), samples->stride);
    samples->batches = pn_arena_take(arena, 1, sizeof(pn_batches));
}

/* Returns a sample of all jobs (index 0) or of group index - 1. */
static inline pn_stats *pn_fleet_stats_at(const pn_fleet_samples *samples, const void *block,
                                          size_t index, uint32_t sample)
{
    return pn_at((void *)(uintptr_t)block,
                 samples->stats + (PN_FLEET_SAMPLES * index + sample) * samples->stride);
}

/* Returns the batches; null without statistics. */
static inline pn_batches *pn_fleet_batches(const pn_fleet_samples *samples, const void *block)
{
    return samples->stats > 0 ? pn_at((void *)(uintptr_t)block, samples->batches) : NULL;
}

/* Returns a sample of a group, PN_ALL_GROUPS for all jobs; null when there is no such thing. */
static inline const pn_stats *pn_fleet_stats(const pn_fleet_samples *samples, const void *block,
                                             uint32_t groups, uint32_t group, uint32_t sample)
{
    if (samples->stats == 0 || sample >= PN_FLEET_SAMPLES ||
        (group != PN_ALL_GROUPS && group >= groups))
        return NULL;
    size_t index = group == PN_ALL_GROUPS ? 0 : (size_t)group + 1;
    return pn_fleet_stats_at(samples, block, index, sample);
}

static inline void pn_fleet_samples_init(const pn_fleet_samples *samples, void *block,
                                         uint32_t groups)
{
    for (size_t index = 0; samples->stats > 0 && index <= groups; index++)
        for (uint32_t sample = 0; sample < PN_FLEET_SAMPLES; sample++)
            pn_stats_init(pn_fleet_stats_at(samples, block, index, sample), PN_FLEET_FIRST_OCTAVE,
                          PN_FLEET_OCTAVES, 1);
    if (samples->stats > 0)
        pn_batches_init(pn_fleet_batches(samples, block));
}

/* Adds the samples of a job. */
static inline void pn_fleet_samples_add(const pn_fleet_samples *samples, void *block,
                                        uint32_t groups, uint32_t group,
                                        const uint64_t sample[PN_FLEET_SAMPLES])
{
    if (samples->stats == 0)
        return;
    for (uint32_t i = 0; i < PN_FLEET_SAMPLES; i++) {
        pn_stats_add(pn_fleet_stats_at(samples, block, 0, i), (double)sample[i]);
        if (group < groups)
            pn_stats_add(pn_fleet_stats_at(samples, block, (size_t)group + 1, i),
                         (double)sample[i]);
    }
    pn_batches_add(pn_fleet_batches(samples, block), (double)sample[0]);
}

/* Returns whether a block from outside holds statistics, or none. */
static inline bool pn_fleet_samples_sound(const pn_fleet_samples *samples, const void *block,
                                          uint32_t groups)
{
    for (size_t index = 0; samples->stats > 0 && index <= groups; index++)
        for (uint32_t sample = 0; sample < PN_FLEET_SAMPLES; sample++)
            if (!pn_validate_stats(pn_fleet_stats_at(samples, block, index, sample),
                                   PN_FLEET_FIRST_OCTAVE, PN_FLEET_OCTAVES, 1))
                return false;
    return samples->stats == 0 || pn_batches_validate(pn_fleet_batches(samples, block)) == PN_OK;
}

#endif
