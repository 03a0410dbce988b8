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

/* ---- orders that begin alike ---- */

/* What is kept of a stage's flow; the rest follows from the job. It lies in the memory of the
 * times of the run, which has not begun. */
typedef struct kept_flow {
    uint32_t next, left, unstarted, unfinished;
} kept_flow;

_Static_assert(PN_MAKESPAN_STAGE_COUNT * sizeof(kept_flow) <= sizeof(pn_makespan_job_times),
               "the flows of a job fit");

void pn_makespan_list_keep(pn_makespan_list *list)
{
    const pn_makespan_pool_entry *pool = list->pools;
    pn_makespan_prefix *prefix = list->prefix;
    kept_flow *kept = pn_at(list->sim, list->sim->times);
    pn_makespan_list_fill_hole(list);
    memcpy(pn_at(list->sim, list->sim->kept_events), list->events,
           list->event_count * sizeof *list->events);
    for (uint32_t line = 0; line < PN_MAKESPAN_STAGE_COUNT * list->watched; line++) {
        const pn_makespan_flow *flow = &list->flows[line];
        kept[line] = (kept_flow){flow->next, flow->left, flow->unstarted, flow->unfinished};
    }
    prefix->count = list->watched;
    memcpy(prefix->free, pool->free, sizeof prefix->free);
    prefix->event_count = list->event_count;
    prefix->finished = list->finished;
    prefix->time = list->time;
    prefix->makespan = list->makespan;
    memcpy(prefix->total, list->total, sizeof prefix->total);
    list->watched = PN_BITS_NONE;
}

/* Restores what was kept, after all jobs were put. */
static void restore(pn_makespan_list *list, const pn_makespan_prefix *prefix)
{
    const kept_flow *kept = pn_at(list->sim, list->sim->times);
    for (uint32_t line = 0; line < PN_MAKESPAN_STAGE_COUNT * prefix->count; line++) {
        pn_makespan_flow *flow = &list->flows[line];
        if (kept[line].next > flow->next)
            flow->duration = list->stretches[kept[line].next - 1].duration;
        flow->next = kept[line].next;
        flow->left = kept[line].left;
        flow->unstarted = kept[line].unstarted;
        flow->unfinished = kept[line].unfinished;
        flow->running = flow->unfinished - flow->unstarted;
    }
    memcpy(list->pools->free, prefix->free, sizeof prefix->free);
    memcpy(list->events, pn_at(list->sim, list->sim->kept_events),
           prefix->event_count * sizeof *list->events);
    list->event_count = prefix->event_count;
    list->finished = prefix->finished;
    list->time = prefix->time;
    list->makespan = prefix->makespan;
    memcpy(list->total, prefix->total, sizeof list->total);
}

/* Counts the jobs in front that the order has in common with the one evaluated last, which it
 * replaces. */
static uint32_t replace_order(const pn_makespan_list *list, const uint32_t *jobs, uint32_t count)
{
    const pn_makespan_pool_entry *pool = list->pools;
    pn_makespan_prefix *prefix = list->prefix;
    /* Jobs are done in a run only, and that has not begun. */
    uint32_t *order = pn_at(list->sim, list->sim->done), same = 0;
    if (pn_same_bytes(prefix->slots, pool->slots, sizeof prefix->slots))
        while (same < count && same < prefix->order_count && jobs[same] == order[same])
            same++;
    memcpy(prefix->slots, pool->slots, sizeof prefix->slots);
    for (uint32_t i = same; i < count; i++) /* jobs may be null where there are none */
        order[i] = jobs[i];
    prefix->order_count = count;
    return same;
}

/* Returns the first position from which on all jobs have maps. Such jobs change nothing before the
 * first of their maps starts, whereas the reduces of a job without maps may start at time 0. */
static uint32_t first_mapped(const pn_makespan_list *list, uint32_t count)
{
    while (count > 0 && !pn_makespan_list_complete(list, count - 1, PN_MAKESPAN_MAP))
        count--;
    return count;
}

/* Puts all jobs, and continues from the kept state if the order begins with its jobs, else begins
 * at time 0. */
static void begin_list(pn_makespan_list *list, const uint32_t *jobs, uint32_t count)
{
    pn_makespan_prefix *prefix = list->prefix;
    uint32_t same = replace_order(list, jobs, count);
    for (uint32_t i = 0; i < count; i++)
        pn_makespan_list_put(list, 0, i, jobs[i]);
    uint32_t mapped = first_mapped(list, count);
    if (prefix->count > same || prefix->count < mapped)
        prefix->count = 0;
    if (prefix->count > 0)
        restore(list, prefix);
    list->watched = same > prefix->count && same >= mapped ? same : PN_BITS_NONE;
    pn_makespan_list_open(list, list->pools);
}

/* ---- evaluating ---- */

static void open_list(pn_makespan_list *list, pn_makespan_view *view,
                      const pn_makespan_timing *timing, pn_makespan_pool_entry *pool)
{
    pn_makespan *sim = view->sim;
    *list = (pn_makespan_list){.sim = sim,
                               .rules = &view->rules,
                               .events = pn_at(sim, sim->events),
                               .exclusive = view->rules.share == PN_MAKESPAN_EXCLUSIVE,
                               .flows = pn_at(sim, sim->flows),
                               .stretches = pn_makespan_tasks_in_order(sim, &view->rules),
                               .pools = pool,
                               .prefix = &view->prefix};
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
    begin_list(list, jobs, count);
    pn_makespan_list_pass(list, 0, false);
    for (; list->event_count > 0 && !list->over; instants++) {
        list->time = list->events[0].end;
        pn_makespan_list_end_due(list, false);
        pn_makespan_list_pass(list, 0, false);
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
