/* How long jobs still take (CL17; equations (1) and (2) of the hSRTF paper): from their own tasks,
 * ended and running, or, while nothing of a job has run, from those of the others. */
#include "state.h"

enum { SCHEDULER_PPM = 1000000 };

static uint64_t ceil_divide(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint64_t saturated_sum(uint64_t a, uint64_t b)
{
    return pn_min(pn_min(a, PN_INTEGER_MAX) + pn_min(b, PN_INTEGER_MAX), PN_INTEGER_MAX);
}

static uint64_t saturated_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    return pn_multiply(a, b, PN_INTEGER_MAX, &product) ? product : PN_INTEGER_MAX;
}

uint64_t pn_scheduler_scale(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t rest;
    PN_ASSERT(c >= 1);
    if ((a | b) >> 32 == 0)
        return a * b / c;
    pn_wide product = pn_wide_product(a, b);
    if (product.high == 0)
        return product.low / c;
    pn_wide quotient = pn_wide_divide(product, c, &rest);
    return quotient.high != 0 ? UINT64_MAX : quotient.low;
}

/* ---- samples ---- */

typedef struct scheduler_sums {
    uint64_t ms[PN_SCHEDULER_KINDS], count[PN_SCHEDULER_KINDS];
} scheduler_sums;

/* Samples how long its tasks take: those that are done, and the running ones at the pace they have
 * kept so far, those that are suspended at the pace until then. O(running + suspended). */
static void sample_attempts(pn_scheduler_view *view, uint32_t first, uint32_t kind)
{
    for (uint32_t link = first; link != 0; link = view->attempts[link - 1].after) {
        const pn_scheduler_attempt *attempt = &view->attempts[link - 1];
        pn_scheduler_estimates *e = &view->estimated[attempt->job];
        uint32_t progress = pn_scheduler_attempt_progress(view, link - 1);
        if (progress == 0)
            continue;
        uint64_t elapsed = (attempt->suspended ? attempt->since : view->now) - attempt->start;
        e->sampled_ms[kind] = saturated_sum(e->sampled_ms[kind],
                                            pn_scheduler_scale(elapsed, SCHEDULER_PPM, progress));
        e->sampled[kind]++;
    }
}

static void sample(pn_scheduler_view *view, uint32_t job)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    pn_scheduler_estimates *e = &view->estimated[job];
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        e->sampled_ms[kind] = entry->done_ms[kind];
        e->sampled[kind] = entry->done[kind];
        for (uint32_t suspended = 0; suspended <= 1; suspended++)
            sample_attempts(view, entry->first_attempt[suspended][kind], kind);
    }
}

/* Samples all jobs in the system. */
static scheduler_sums sample_all(pn_scheduler_view *view)
{
    scheduler_sums sums = {{0, 0}, {0, 0}};
    for (uint32_t job = view->s->fleet.first_job; job != 0; job = view->jobs[job - 1].after) {
        sample(view, job - 1);
        for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
            sums.ms[kind] = saturated_sum(sums.ms[kind], view->estimated[job - 1].sampled_ms[kind]);
            sums.count[kind] += view->estimated[job - 1].sampled[kind];
        }
    }
    return sums;
}

/* ---- averages ---- */

/* Applies equation (2): reduces are like maps, as long as their input. One rounding. */
static uint64_t reduce_from_maps(const pn_scheduler *s, const pn_scheduler_entry *job, uint64_t map)
{
    uint64_t maps = job->tasks[PN_SCHEDULER_MAP], reduces = job->tasks[PN_SCHEDULER_REDUCE];
    if (reduces == 0)
        return 0;
    return pn_min(pn_scheduler_scale(map, maps * s->config.input_ratio_permille, 1000 * reduces),
                  PN_INTEGER_MAX);
}

static void average(pn_scheduler_view *view, uint32_t job, const scheduler_sums *sums)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    pn_scheduler_estimates *e = &view->estimated[job];
    uint64_t map = view->s->config.default_task_ms, reduce = 0;
    bool reduces_known;
    if (e->sampled[PN_SCHEDULER_MAP] > 0) {
        map = e->sampled_ms[PN_SCHEDULER_MAP] / e->sampled[PN_SCHEDULER_MAP];
        reduces_known = entry->done[PN_SCHEDULER_MAP] == entry->tasks[PN_SCHEDULER_MAP] &&
                        e->sampled[PN_SCHEDULER_REDUCE] > 0;
        if (reduces_known)
            reduce = e->sampled_ms[PN_SCHEDULER_REDUCE] / e->sampled[PN_SCHEDULER_REDUCE];
    } else {
        if (sums->count[PN_SCHEDULER_MAP] > 0)
            map = sums->ms[PN_SCHEDULER_MAP] / sums->count[PN_SCHEDULER_MAP];
        reduces_known = sums->count[PN_SCHEDULER_REDUCE] > 0;
        if (reduces_known)
            reduce = sums->ms[PN_SCHEDULER_REDUCE] / sums->count[PN_SCHEDULER_REDUCE];
    }
    e->average[PN_SCHEDULER_MAP] = map;
    e->average[PN_SCHEDULER_REDUCE] = reduces_known ? reduce
                                                    : reduce_from_maps(view->s, entry, map);
}

/* Applies equation (1): waves of maps, then waves of reduces. */
static uint64_t scheduler_waves(const pn_scheduler_estimates *e, uint64_t maps, uint64_t reduces,
                                uint64_t map_slots, uint64_t reduce_slots)
{
    uint64_t map_waves = maps > 0 ? ceil_divide(maps, pn_max(map_slots, 1)) : 0;
    uint64_t reduce_waves = reduces > 0 ? ceil_divide(reduces, pn_max(reduce_slots, 1)) : 0;
    return saturated_sum(saturated_product(map_waves, e->average[PN_SCHEDULER_MAP]),
                         saturated_product(reduce_waves, e->average[PN_SCHEDULER_REDUCE]));
}

static uint64_t unfinished(const pn_scheduler_entry *job, uint32_t kind)
{
    return job->tasks[kind] - job->done[kind];
}

static void estimate(pn_scheduler_view *view, uint32_t job, const scheduler_sums *sums)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    const uint32_t *present = view->s->present;
    average(view, job, sums);
    view->estimated[job].remaining = scheduler_waves(
        &view->estimated[job], unfinished(entry, PN_SCHEDULER_MAP),
        unfinished(entry, PN_SCHEDULER_REDUCE), present[PN_SCHEDULER_MAP],
        present[PN_SCHEDULER_REDUCE]);
}

void pn_scheduler_estimate_all(pn_scheduler_view *view)
{
    scheduler_sums sums = sample_all(view);
    for (uint32_t job = view->s->fleet.first_job; job != 0; job = view->jobs[job - 1].after)
        estimate(view, job - 1, &sums);
}

void pn_scheduler_estimate(pn_scheduler_view *view, uint32_t job)
{
    scheduler_sums sums = sample_all(view);
    estimate(view, job, &sums);
}

/* ---- for policies ---- */

/* Returns zeros where the policy has no estimates. */
static const pn_scheduler_estimates *estimates_of(const pn_scheduler_view *view, uint32_t job)
{
    static const pn_scheduler_estimates none = {{0}, 0, {0}, {0}};
    return view->s->estimates ? &view->estimated[job] : &none;
}

uint64_t pn_scheduler_average(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return estimates_of(view, job)->average[kind];
}

uint64_t pn_scheduler_remaining(const pn_scheduler_view *view, uint32_t job)
{
    return estimates_of(view, job)->remaining;
}

uint64_t pn_scheduler_remaining_on(const pn_scheduler_view *view, uint32_t job, uint64_t map_slots,
                                   uint64_t reduce_slots)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    return scheduler_waves(estimates_of(view, job), unfinished(entry, PN_SCHEDULER_MAP),
                           unfinished(entry, PN_SCHEDULER_REDUCE), map_slots, reduce_slots);
}

uint64_t pn_scheduler_alone(const pn_scheduler_view *view, uint32_t job)
{
    const uint32_t *tasks = view->jobs[job].tasks, *present = view->s->present;
    return scheduler_waves(estimates_of(view, job), tasks[PN_SCHEDULER_MAP],
                           tasks[PN_SCHEDULER_REDUCE], present[PN_SCHEDULER_MAP],
                           present[PN_SCHEDULER_REDUCE]);
}
