/* What no schedule beats (MK31). */
#include "state.h"
#include "base/sort.h"

/* Returns a sum of map and reduce times: map / S_M + reduce / S_R coarse ticks, kept as map * S_R +
 * reduce
 * * S_M, wide. */
static pn_wide both(const pn_makespan *sim, uint64_t map, uint64_t reduce)
{
    return pn_wide_sum(pn_wide_product(map, sim->slots[1]), pn_wide_product(reduce, sim->slots[0]));
}

static pn_wide makespan_larger(pn_wide a, pn_wide b)
{
    return pn_wide_compare(a, b) >= 0 ? a : b;
}

/* ---- F*: Johnson's makespan of the fluid stages ---- */

/* Orders by work / slots, as Algorithm 2.1. */
static bool fluid_before(const void *context, uint32_t a, uint32_t b)
{
    const pn_makespan *sim = context;
    const pn_makespan_stage_entry *of_a = pn_makespan_entries(sim)[a].stage,
                                  *of_b = pn_makespan_entries(sim)[b].stage;
    bool back_a = pn_compare_fractions(of_a[0].work, sim->slots[0], of_a[1].work, sim->slots[1]) >
                  0;
    bool back_b = pn_compare_fractions(of_b[0].work, sim->slots[0], of_b[1].work, sim->slots[1]) >
                  0;
    if (back_a != back_b)
        return back_b;
    uint64_t first = back_a ? of_b[1].work : of_a[0].work,
             second = back_a ? of_a[1].work : of_b[0].work;
    return first != second ? first < second : a < b;
}

/* Returns, by MK12, the largest sum of maps up to a job and reduces from it on. */
static pn_wide fluid(pn_makespan *sim)
{
    /* Between instants the tables of jobs that are done, and of sorting, hold nothing. */
    uint32_t *order = pn_at(sim, sim->done);
    for (uint32_t job = 0; job < sim->job_count; job++)
        order[job] = job;
    pn_sort_by(order, sim->job_count, pn_at(sim, sim->sort_room), fluid_before, sim);
    uint64_t mapped = 0, left = sim->work[1];
    pn_wide most = {0, 0};
    for (uint32_t i = 0; i < sim->job_count; i++) {
        mapped += pn_makespan_stage_of(sim, order[i], 0)->work;
        most = makespan_larger(most, both(sim, mapped, left));
        left -= pn_makespan_stage_of(sim, order[i], 1)->work;
    }
    return most;
}

/* ---- whole tasks ---- */

static pn_exact greater(pn_exact a, pn_exact b)
{
    return pn_exact_compare(a, b) >= 0 ? a : b;
}

/* Returns the S-th and the (S+1)-th longest task of a stage with more than S: some two of the first
 * S + 1 follow one another on a slot. */
static uint64_t makespan_pair(pn_makespan *sim, const pn_makespan_stage_entry *stage,
                              uint32_t slots)
{
    const pn_makespan_stretch_entry *stretches = pn_makespan_stretches(sim) + stage->stretches;
    const uint32_t *index = pn_makespan_longest_first(sim, stage);
    uint64_t sum = 0, before = 0;
    for (uint32_t i = 0; before <= slots; i++) {
        const pn_makespan_stretch_entry *stretch = &stretches[index[i]];
        uint64_t after = before + stretch->count;
        for (uint32_t nth = slots - 1; nth <= slots; nth++)
            if (before <= nth && nth < after)
                sum += stretch->duration;
        before = after;
    }
    return sum;
}

/* Returns l(tasks, S): no stage is faster. */
static pn_exact lasts(pn_makespan *sim, uint32_t job, uint32_t stage)
{
    const pn_makespan_stage_entry *entry = pn_makespan_stage_of(sim, job, stage);
    uint32_t slots = sim->slots[stage];
    uint64_t longest = entry->longest;
    if (entry->tasks > slots)
        longest = pn_max(longest, makespan_pair(sim, entry, slots));
    return greater((pn_exact){(int64_t)longest, 1}, (pn_exact){(int64_t)entry->work, slots});
}

/* Of the jobs for which both stages take any time: the shortest one of a kind, and their work in
 * the other one. */
typedef struct staged {
    pn_exact least; /* den 0: there is no such job */
    uint64_t other_work;
} staged;

static void add_staged(staged *sums, pn_exact length, uint64_t other_work)
{
    if (length.num == 0 || other_work == 0)
        return;
    sums->other_work += other_work;
    if (sums->least.den == 0 || pn_exact_compare(length, sums->least) < 0)
        sums->least = length;
}

/* Computes the three bounds beside F*: a job's stages one after the other, and all work of a stage
 * with the shortest other one. The latter is that of the jobs with both stages, as those are a
 * batch too: work that a job adds to the one stage alone is in F*, and a job of the other stage
 * alone only shortens the shortest. */
static int whole_tasks(pn_makespan *sim, pn_exact *most)
{
    staged with[PN_MAKESPAN_STAGE_COUNT] = {{{0, 0}, 0}, {{0, 0}, 0}};
    pn_exact sum;
    for (uint32_t job = 0; job < sim->job_count; job++) {
        pn_exact stage[PN_MAKESPAN_STAGE_COUNT] = {lasts(sim, job, 0), lasts(sim, job, 1)};
        if (pn_exact_add(&sum, stage[0], stage[1]) != PN_OK)
            return PN_ERR_OVERFLOW;
        *most = greater(*most, sum);
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++)
            add_staged(&with[k], stage[k], pn_makespan_stage_of(sim, job, 1 - k)->work);
    }
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        if (with[k].least.den == 0)
            continue;
        if (pn_exact_add(&sum, (pn_exact){(int64_t)with[k].other_work, sim->slots[1 - k]},
                         with[k].least) != PN_OK)
            return PN_ERR_OVERFLOW;
        *most = greater(*most, sum);
    }
    return PN_OK;
}

int pn_makespan_bound(pn_makespan *sim, pn_exact *bound)
{
    pn_exact most, unit;
    if (!sim || !bound || !sim->planned || sim->job_count == 0)
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    if (sim->config.level == PN_MAKESPAN_STAGES && sim->rules.stage_time == PN_MAKESPAN_GIVEN)
        return PN_DONE;
    if (!pn_exact_of_wide(&most, fluid(sim), (uint64_t)sim->slots[0] * sim->slots[1]))
        return PN_ERR_OVERFLOW;
    if (!pn_makespan_timed(sim, &sim->rules) && whole_tasks(sim, &most) != PN_OK)
        return PN_ERR_OVERFLOW;
    unit = (pn_exact){(int64_t)sim->config.ticks, 1};
    return pn_exact_divide(bound, most, unit);
}
