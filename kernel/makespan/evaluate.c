/* The score of an order, without a run. */
#include "list.h"

/* Returns whether a makespan, or with `total` makespan and total, can still be better than the
 * best. */
static bool hopeless(const pn_makespan_score *best, int total, const pn_makespan_score *score)
{
    return best && pn_makespan_score_compare(score, best, total) >= 0;
}

/* Scores a sequence by MK10-MK12: two machines, job after job. */
static void score_stages(const uint32_t *jobs, uint32_t count, const uint64_t *map,
                         const uint64_t *reduce, pn_makespan_score *score)
{
    uint64_t mapped = 0, reduced = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t finish = mapped += map[jobs[i]];
        if (reduce[jobs[i]] > 0)
            finish = reduced = pn_max(reduced, mapped) + reduce[jobs[i]];
        pn_makespan_total_add(score->total, finish);
        score->makespan = pn_max(score->makespan, finish);
    }
}

/* Returns the time after which no task may end: in the best's ticks nothing could be gained any
 * more. */
static uint64_t limit_of(const pn_makespan_score *best, int total, uint64_t ticks)
{
    uint64_t rest;
    if (!best)
        return PN_MAKESPAN_MOST;
    pn_wide most = pn_wide_divide(pn_wide_product(best->makespan, ticks), best->ticks, &rest);
    if (most.high != 0)
        return PN_MAKESPAN_MOST;
    return most.low - (rest == 0 && !total && most.low > 0);
}

static void open_list(pn_makespan_list *list, const pn_makespan_view *view,
                      const pn_makespan_timing *timing, pn_makespan_pool_entry *pool)
{
    pn_makespan *sim = view->sim;
    *list = (pn_makespan_list){.sim = sim,
                               .rules = &view->rules,
                               .events = pn_at(sim, sim->events),
                               .exclusive = view->rules.share == PN_MAKESPAN_EXCLUSIVE,
                               .flows = pn_at(sim, sim->flows),
                               .stretches = pn_makespan_tasks_in_order(sim, &view->rules),
                               .pools = pool};
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        list->duration[k] = timing ? pn_at(sim, timing->duration[k]) : NULL;
        list->eligible[k] = pn_bits_at(pn_at(sim, sim->eligible[k]), pool->end);
        pn_bits_empty(&list->eligible[k], pool->end);
    }
}

/* Runs the list by MK14-MK21, up to the limit. How many events there were. */
static uint64_t run_list(pn_makespan_list *list, const uint32_t *jobs, uint32_t count)
{
    uint64_t instants = count;
    for (uint32_t i = 0; i < count; i++)
        pn_makespan_list_put(list, 0, i, jobs[i]);
    pn_makespan_list_open(list, list->pools);
    pn_makespan_list_pass(list, 0, false);
    for (; list->event_count > 0 && !list->over; instants++) {
        list->time = pn_makespan_list_next_time(list);
        pn_makespan_list_instant(list, false);
        pn_makespan_list_fill_hole(list);
    }
    return instants;
}

int pn_makespan_score_order(pn_makespan_view *view, const uint32_t *jobs, uint32_t count,
                            const uint32_t slots[PN_MAKESPAN_STAGE_COUNT],
                            const pn_makespan_score *best, int total, pn_makespan_score *score)
{
    pn_makespan *sim = view->sim;
    const pn_makespan_timing *timing = NULL;
    uint64_t work = count;
    bool over = false;
    int status = pn_makespan_timed(sim, &view->rules)
                     ? pn_makespan_timing_make(sim, &view->rules, slots, &timing)
                     : PN_OK;
    if (status != PN_OK)
        return status;
    *score = (pn_makespan_score){.ticks = timing ? timing->ticks : 1};
    view->evaluations++;
    if (sim->config.level == PN_MAKESPAN_STAGES) {
        score_stages(jobs, count, pn_at(sim, timing->duration[0]), pn_at(sim, timing->duration[1]),
                     score);
    } else {
        pn_makespan_list list;
        pn_makespan_pool_entry pool = {
            .end = count, .slots = {slots[0], slots[1]}, .free = {slots[0], slots[1]}};
        open_list(&list, view, timing, &pool);
        list.limit = limit_of(best, total, score->ticks);
        work = run_list(&list, jobs, count);
        over = list.over;
        score->makespan = list.makespan;
        memcpy(score->total, list.total, sizeof score->total);
    }
    if (pn_makespan_stop_asked(view, work))
        return PN_ERR_STOPPED;
    return over || hopeless(best, total, score) ? PN_DONE : PN_OK;
}
