/* How long stages take on so many slots: the estimates of MK6, and the durations that the scheduler
 * works with. */
#include "state.h"

/* ---- estimates ---- */

/* Slots that are free at the same time. */
typedef struct slot_group {
    uint64_t end;
    uint32_t count;
} slot_group;

/* A heap by end in the memory of the events: as many entries as there are slots, at most. */
typedef struct slot_groups {
    slot_group *entry;
    uint32_t count;
} slot_groups;

static void makespan_times_sink(const slot_groups *groups, slot_group moved)
{
    uint32_t at = 0;
    for (uint32_t child = 1; child < groups->count; child = 2 * at + 1) {
        if (child + 1 < groups->count && groups->entry[child + 1].end < groups->entry[child].end)
            child++;
        if (groups->entry[child].end >= moved.end)
            break;
        groups->entry[at] = groups->entry[child];
        at = child;
    }
    groups->entry[at] = moved;
}

static void makespan_add(slot_groups *groups, slot_group added)
{
    uint32_t at = groups->count++;
    for (; at > 0 && groups->entry[(at - 1) / 2].end > added.end; at = (at - 1) / 2)
        groups->entry[at] = groups->entry[(at - 1) / 2];
    groups->entry[at] = added;
}

/* Returns when the last of the tasks, in listed order each on the slot that is free first, has
 * ended. */
static uint64_t makespan_times_waves(const pn_makespan *sim, const pn_makespan_stage_entry *stage,
                                     uint32_t slots)
{
    const pn_makespan_stretch_entry *stretch = pn_makespan_stretches(sim) + stage->stretches;
    if (stage->tasks <= slots)
        return stage->longest;
    if (stage->stretch_count == 1)
        return (stage->tasks - 1) / slots * stretch->duration + stretch->duration;
    /* Nothing runs while a policy decides, so the memory of the events is free. */
    slot_groups groups = {(slot_group *)(void *)((unsigned char *)(uintptr_t)sim + sim->events), 0};
    uint64_t last = 0;
    makespan_add(&groups, (slot_group){0, slots});
    for (uint32_t i = 0; i < stage->stretch_count; i++, stretch++)
        for (uint32_t left = stretch->count; left > 0;) {
            slot_group first = groups.entry[0], busy = {first.end + stretch->duration, first.count};
            if (left < first.count) {
                busy.count = left;
                groups.entry[0].count -= left;
                makespan_add(&groups, busy);
            } else {
                makespan_times_sink(&groups, busy);
            }
            left -= busy.count;
            last = pn_max(last, busy.end);
        }
    return last;
}

/* Returns the slots that a stage gets of those that there are, when it gets no more than it
 * requests. */
static uint32_t granted(const pn_makespan_stage_entry *stage, uint32_t slots)
{
    return stage->requested < slots ? stage->requested : slots;
}

static uint64_t numerator(const pn_makespan *sim, const pn_makespan_stage_entry *stage,
                          uint32_t time, uint32_t slots)
{
    if (time == PN_MAKESPAN_GIVEN && stage->has_given)
        return stage->given;
    if (time == PN_MAKESPAN_FLUID || time == PN_MAKESPAN_CAPPED)
        return stage->work;
    return makespan_times_waves(sim, stage,
                                time == PN_MAKESPAN_WAVES ? slots : granted(stage, slots));
}

static uint64_t denominator(const pn_makespan_stage_entry *stage, uint32_t time, uint32_t slots)
{
    if (stage->work == 0 || (time != PN_MAKESPAN_FLUID && time != PN_MAKESPAN_CAPPED))
        return 1;
    return time == PN_MAKESPAN_FLUID ? slots : granted(stage, slots);
}

pn_makespan_span pn_makespan_stage_span(const pn_makespan *sim, uint32_t job, uint32_t stage,
                                        uint32_t time, uint32_t slots)
{
    const pn_makespan_stage_entry *entry = pn_makespan_stage_of(sim, job, stage);
    return (pn_makespan_span){numerator(sim, entry, time, slots), denominator(entry, time, slots)};
}

/* ---- durations in fine ticks ---- */

/* Times a stage. At the stage level a stage is one piece, as long as the rules say; with resplit it
 * is k * S pieces of its work. */
static uint32_t timed_by(const pn_makespan *sim, const pn_makespan_rules *rules)
{
    return sim->config.level == PN_MAKESPAN_STAGES ? rules->stage_time
                                                   : (uint32_t)PN_MAKESPAN_FLUID;
}

/* Takes the numerators first; the denominators, without what they have in common with them, go into
 * the ticks. */
static bool take_numerators(pn_makespan *sim, pn_makespan_timing *timing, uint32_t stage,
                            uint32_t time, uint32_t parts)
{
    uint64_t *duration = pn_at(sim, timing->duration[stage]);
    for (uint32_t job = 0; job < sim->job_count; job++) {
        pn_makespan_span span = pn_makespan_stage_span(sim, job, stage, time, timing->slots[stage]);
        uint64_t den = span.den * parts;
        if (!pn_lcm(&timing->ticks, den / pn_gcd(den, span.num), PN_MAKESPAN_MOST))
            return false;
        duration[job] = span.num;
    }
    return true;
}

/* Scales all of them in these ticks. `left`: what the sum of all pieces, which no schedule exceeds,
 * may still come to. */
static bool makespan_scale(pn_makespan *sim, const pn_makespan_timing *timing, uint32_t stage,
                           uint32_t time, uint32_t parts, uint64_t *left)
{
    uint64_t *duration = pn_at(sim, timing->duration[stage]), pieces, rest;
    for (uint32_t job = 0; job < sim->job_count; job++) {
        pieces = sim->config.level == PN_MAKESPAN_STAGES ? 1
                                                         : (uint64_t)parts * timing->slots[stage];
        uint64_t den = denominator(pn_makespan_stage_of(sim, job, stage), time,
                                   timing->slots[stage]) *
                       parts;
        pn_wide fine = pn_wide_divide(pn_wide_product(duration[job], timing->ticks), den, &rest);
        if (fine.high != 0 || fine.low > *left / pieces)
            return false;
        PN_ASSERT(rest == 0);
        duration[job] = fine.low;
        *left -= fine.low * pieces;
    }
    return true;
}

int pn_makespan_timing_make(pn_makespan *sim, const pn_makespan_rules *rules,
                            const uint32_t slots[PN_MAKESPAN_STAGE_COUNT],
                            const pn_makespan_timing **timing)
{
    uint32_t time = timed_by(sim, rules),
             parts = sim->config.level == PN_MAKESPAN_STAGES ? 1 : rules->resplit;
    for (uint32_t i = 0; i < PN_MAKESPAN_TIMINGS; i++)
        if (sim->timing[i].slots[0] == slots[0] && sim->timing[i].slots[1] == slots[1]) {
            *timing = &sim->timing[i];
            return PN_OK;
        }
    pn_makespan_timing *made = &sim->timing[sim->timing_oldest];
    uint64_t left = PN_MAKESPAN_MOST;
    bool fits = true;
    *made = (pn_makespan_timing){.ticks = 1, .duration = {made->duration[0], made->duration[1]}};
    sim->timing_oldest = (sim->timing_oldest + 1) % PN_MAKESPAN_TIMINGS;
    memcpy(made->slots, slots, sizeof made->slots);
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT && fits; k++)
        fits = take_numerators(sim, made, k, time, parts);
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT && fits; k++)
        fits = makespan_scale(sim, made, k, time, parts, &left);
    if (!fits) {
        made->slots[0] = 0;
        return PN_ERR_OVERFLOW;
    }
    *timing = made;
    return PN_OK;
}
