/* The list scheduler (MK14-MK21): tasks start on free slots in the order of their jobs, and time
 * goes from one end to the next.
 *
 * Stages at the stage level run here too: each is one task on the one machine that its pool has for
 * it. As maps end in order, the first job whose maps are done is the next one in order: that is
 * MK10-MK13. Equal tasks of a stage that start together are one event, so that a stage of 20 equal
 * tasks costs as much as one task.
 *
 * Which jobs may start tasks is a set of positions for each stage; the first member in a pool is
 * the first eligible job (MK17). A position is in the set when the stage has unstarted tasks, is
 * below its cap, may start (for reduces: maps complete), and is at the front when stages are
 * exclusive. All pools run on one clock.
 *
 * Everything is inline and takes `run`: false when only the score of an order is wanted, and
 * neither slots nor decisions are of interest. */
#ifndef PN_MAKESPAN_LIST_H
#define PN_MAKESPAN_LIST_H

#include "state.h"

#if defined(__GNUC__)
#define PN_MAKESPAN_LIST_INLINE static inline __attribute__((always_inline))
#else
#define PN_MAKESPAN_LIST_INLINE static inline
#endif

/* The handle, made anew for every call from outside. */
typedef struct pn_makespan_list {
    pn_makespan *sim;
    const pn_makespan_rules *rules;
    /* where tasks are not those that were given; else null */
    const uint64_t *duration[PN_MAKESPAN_STAGE_COUNT];
    pn_makespan_event *events; /* a heap by end, four children each */
    uint32_t event_count;
    bool hole;       /* the first one was taken, and nothing has filled its place yet */
    uint32_t second; /* index of the event that follows it, as long as there is the hole */
    bool exclusive;
    pn_makespan_flow *flows;
    const pn_makespan_stretch_entry *stretches;
    pn_makespan_pool_entry *pools;
    /* 1 + the first pool in which something ended at this instant, the others follow; 0 = none */
    uint32_t touched;
    pn_bits eligible[PN_MAKESPAN_STAGE_COUNT];
    uint64_t limit; /* evaluation: tasks that would end later make the order worthless */
    bool over;      /* one would */
    /* evaluation: keeps the state in which the first map of a position from `watched` on starts;
     * PN_BITS_NONE: none */
    uint32_t watched;
    pn_makespan_prefix *prefix;
    uint64_t time, makespan;
    uint64_t total[2];
    uint32_t finished;
    /* The run's own. */
    const pn_makespan_hooks *hooks;
    pn_bits free_slots[PN_MAKESPAN_STAGE_COUNT];
    uint32_t *slot_next[PN_MAKESPAN_STAGE_COUNT];
    const uint32_t *order;
    pn_makespan_job_times *times; /* by position */
    uint32_t *done;               /* positions of jobs complete at this instant */
    uint32_t done_count;
    uint64_t fold, fold_start; /* of the instant's decisions; what all of them begin with */
} pn_makespan_list;

/* step.c: the run notes the start of equal tasks, and names their slots; the first of these. */
uint32_t pn_makespan_list_note(pn_makespan_list *list, uint32_t line, uint64_t end, uint32_t count);
/* step.c: the run frees the slots of such tasks when they end; how many there were. */
uint32_t pn_makespan_list_release(const pn_makespan_list *list, pn_makespan_pool_entry *pool,
                                  uint32_t stage, uint32_t slot);
/* step.c: with sequences, the run starts their next tasks while it can. */
void pn_makespan_list_follow(pn_makespan_list *list);

/* evaluate.c: keeps the state in which the watched position, or a later one, is about to start. */
void pn_makespan_list_keep(pn_makespan_list *list);

/* ---- events ---- */

/* Returns the first of the children from `child` on; of four without a branch, as nobody can
 * foretell it. */
static inline size_t pn_makespan_list_least(const pn_makespan_event *heap, size_t child,
                                            size_t count)
{
    const pn_makespan_event *children = heap + child;
    if (child + 4 <= count) {
        const pn_makespan_event *left = children + (children[1].end < children[0].end);
        const pn_makespan_event *right = children + 2 + (children[3].end < children[2].end);
        return (size_t)((right->end < left->end ? right : left) - heap);
    }
    size_t least = child;
    for (size_t i = child + 1; i < count; i++)
        least = heap[i].end < heap[least].end ? i : least;
    return least;
}

/* Sets field by field: the parts of an event just made are still on their way to memory, and a copy
 * of the whole would wait. */
static inline void pn_makespan_list_set(pn_makespan_event *place, const pn_makespan_event *event)
{
    place->end = event->end;
    place->line = event->line;
    place->mark = event->mark;
}

static inline void pn_makespan_list_sift(const pn_makespan_list *list,
                                         const pn_makespan_event *moved)
{
    pn_makespan_event *heap = list->events;
    size_t count = list->event_count, at = 0, least = list->second;
    uint64_t end = moved->end;
    for (size_t child = 1; child < count && heap[least].end < end;) {
        pn_makespan_list_set(&heap[at], &heap[least]);
        at = least;
        child = 4 * at + 1;
        least = pn_makespan_list_least(heap, child, count);
    }
    pn_makespan_list_set(&heap[at], moved);
}

static inline void pn_makespan_list_push(pn_makespan_list *list, const pn_makespan_event *event)
{
    pn_makespan_event *heap = list->events;
    if (list->hole) {
        list->hole = false;
        pn_makespan_list_sift(list, event);
        return;
    }
    uint32_t at = list->event_count++;
    for (; at > 0 && heap[(at - 1) / 4].end > event->end; at = (at - 1) / 4)
        pn_makespan_list_set(&heap[at], &heap[(at - 1) / 4]);
    pn_makespan_list_set(&heap[at], event);
}

static inline void pn_makespan_list_fill_hole(pn_makespan_list *list)
{
    if (!list->hole)
        return;
    list->hole = false;
    if (--list->event_count > 0) {
        pn_makespan_event moved = list->events[list->event_count];
        pn_makespan_list_sift(list, &moved);
    }
}

/* Returns the time of the first event; there is one. */
static inline uint64_t pn_makespan_list_next_time(pn_makespan_list *list)
{
    pn_makespan_list_fill_hole(list);
    return list->events[0].end;
}

/* Returns whether another event, behind the hole, is due now. If none is, the hole stays, for an
 * event to come to fill. */
static inline bool pn_makespan_list_due_too(pn_makespan_list *list)
{
    list->second = (uint32_t)pn_makespan_list_least(list->events, 1, list->event_count);
    if (list->event_count == 1 || list->events[list->second].end != list->time)
        return false;
    pn_makespan_list_fill_hole(list);
    return true;
}

/* ---- starting ---- */

static inline bool pn_makespan_list_complete(const pn_makespan_list *list, uint32_t position,
                                             uint32_t stage)
{
    return list->flows[2 * position + stage].unfinished == 0;
}

/* Puts the position into the set if its stage may start tasks now. */
static inline void pn_makespan_list_admit(const pn_makespan_list *list,
                                          const pn_makespan_pool_entry *pool, uint32_t position,
                                          uint32_t stage)
{
    const pn_makespan_flow *flow = &list->flows[2 * position + stage];
    if (flow->unstarted > 0 && flow->running < flow->cap &&
        (stage == PN_MAKESPAN_MAP || pn_makespan_list_complete(list, position, 0)) &&
        (!list->exclusive || pool->front[stage] == position))
        pn_bits_set(&list->eligible[stage], position);
}

/* Advances an exclusive front to the first stage that is not complete. */
static inline void pn_makespan_list_advance(const pn_makespan_list *list,
                                            pn_makespan_pool_entry *pool, uint32_t stage)
{
    while (pool->front[stage] < pool->end &&
           pn_makespan_list_complete(list, pool->front[stage], stage))
        pool->front[stage]++;
    if (pool->front[stage] < pool->end)
        pn_makespan_list_admit(list, pool, pool->front[stage], stage);
}

/* Starts tasks of the current stretch, at most `room`; how many. */
PN_MAKESPAN_LIST_INLINE uint32_t pn_makespan_list_start(pn_makespan_list *list, uint32_t line,
                                                        uint32_t room, bool run)
{
    pn_makespan_flow *flow = &list->flows[line];
    if (flow->left == 0) {
        const pn_makespan_stretch_entry *stretch = &list->stretches[flow->next++];
        flow->duration = stretch->duration;
        flow->left = stretch->count;
        flow->task = stretch->first;
    }
    uint32_t count = room < flow->left ? room : flow->left;
    pn_makespan_event event = {list->time + flow->duration, line, count};
    if (event.end > list->limit) {
        list->over = true;
        return 0;
    }
    if (run)
        event.mark = pn_makespan_list_note(list, line, event.end, count);
    flow->left -= count;
    flow->task += count;
    flow->unstarted -= count;
    flow->running += count;
    pn_makespan_list_push(list, &event);
    return count;
}

/* Assigns by MK15 for one stage in one pool. */
PN_MAKESPAN_LIST_INLINE void pn_makespan_list_assign(pn_makespan_list *list, uint32_t index,
                                                     uint32_t stage, bool run)
{
    pn_makespan_pool_entry *pool = &list->pools[index];
    while (pool->free[stage] > 0 && !pn_bits_is_empty(&list->eligible[stage])) {
        uint32_t position = pool->begin < pool->end
                                ? pn_bits_next(&list->eligible[stage], pool->begin)
                                : PN_BITS_NONE;
        if (position >= pool->end)
            return;
        if (!run && stage == PN_MAKESPAN_MAP && position >= list->watched)
            pn_makespan_list_keep(list);
        uint32_t line = 2 * position + stage;
        pn_makespan_flow *flow = &list->flows[line];
        uint32_t room = flow->cap - flow->running;
        if (room > pool->free[stage])
            room = pool->free[stage];
        while (room > 0 && flow->unstarted > 0) {
            uint32_t count = pn_makespan_list_start(list, line, room, run);
            if (count == 0)
                return;
            room -= count;
            pool->free[stage] -= count;
        }
        if (flow->unstarted == 0 || flow->running == flow->cap)
            pn_bits_clear(&list->eligible[stage], position);
    }
}

/* ---- completing ---- */

PN_MAKESPAN_LIST_INLINE void pn_makespan_list_job_done(pn_makespan_list *list, uint32_t position,
                                                       bool run)
{
    list->finished++;
    pn_makespan_total_add(list->total, list->time);
    if (list->time > list->makespan)
        list->makespan = list->time;
    if (run)
        list->done[list->done_count++] = position;
}

/* Completes a stage: its last task has ended, or it has none, at time 0. */
PN_MAKESPAN_LIST_INLINE void pn_makespan_list_stage_done(pn_makespan_list *list,
                                                         pn_makespan_pool_entry *pool,
                                                         uint32_t position, uint32_t stage,
                                                         bool run)
{
    if (run) {
        list->times[position].finish[stage] = list->time;
        if (stage == PN_MAKESPAN_MAP)
            list->times[position].start[1] = list->times[position].finish[1] = list->time;
    }
    if (list->exclusive)
        pn_makespan_list_advance(list, pool, stage);
    if (stage == PN_MAKESPAN_REDUCE || pn_makespan_list_complete(list, position, 1))
        pn_makespan_list_job_done(list, position, run);
    else
        pn_makespan_list_admit(list, pool, position, 1);
}

PN_MAKESPAN_LIST_INLINE void pn_makespan_list_end(pn_makespan_list *list,
                                                  const pn_makespan_event *event, bool run)
{
    uint32_t position = event->line / 2, stage = event->line % 2;
    pn_makespan_flow *flow = &list->flows[event->line];
    pn_makespan_pool_entry *pool = &list->pools[run ? flow->pool : 0];
    uint32_t count = run ? pn_makespan_list_release(list, pool, stage, event->mark) : event->mark;
    if (run && !pool->touched) {
        pool->touched = 1;
        pool->next_touched = list->touched;
        list->touched = flow->pool + 1;
    }
    pool->free[stage] += count;
    flow->running -= count;
    if (run)
        list->sim->holding -= flow->running == 0;
    flow->unfinished -= count;
    if (flow->unfinished == 0)
        pn_makespan_list_stage_done(list, pool, position, stage, run);
    else if (flow->running + count == flow->cap && flow->unstarted > 0)
        pn_makespan_list_admit(list, pool, position, stage);
}

/* ---- one instant ---- */

PN_MAKESPAN_LIST_INLINE void pn_makespan_list_pass(pn_makespan_list *list, uint32_t index, bool run)
{
    list->pools[index].touched = 0;
    if (run && list->sim->sequenced)
        return; /* their turn comes otherwise */
    pn_makespan_list_assign(list, index, PN_MAKESPAN_MAP, run);
    pn_makespan_list_assign(list, index, PN_MAKESPAN_REDUCE, run);
}

/* Ends all tasks that are due now; the first event is. */
PN_MAKESPAN_LIST_INLINE void pn_makespan_list_end_due(pn_makespan_list *list, bool run)
{
    do {
        pn_makespan_event event = list->events[0];
        list->hole = true;
        pn_makespan_list_end(list, &event, run);
    } while (pn_makespan_list_due_too(list));
}

/* ---- the beginning ---- */

/* Puts the stages of a job at a position, before anything has started; equal tasks when they are
 * not those that were given. */
static inline void pn_makespan_list_put(const pn_makespan_list *list, uint32_t index,
                                        uint32_t position, uint32_t job)
{
    const pn_makespan_pool_entry *pool = &list->pools[index];
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        const pn_makespan_stage_entry *stage = pn_makespan_stage_of(list->sim, job, k);
        pn_makespan_flow *flow = &list->flows[2 * position + k];
        const uint64_t *duration = list->duration[k];
        uint32_t tasks = stage->tasks;
        if (duration && list->sim->config.level == PN_MAKESPAN_STAGES)
            tasks = k == PN_MAKESPAN_MAP || duration[job] > 0; /* MK10, MK13 */
        else if (duration)
            tasks = tasks > 0 ? list->rules->resplit * pool->slots[k] : 0;
        *flow = (pn_makespan_flow){.next = stage->stretches,
                                   .unstarted = tasks,
                                   .unfinished = tasks,
                                   .cap = UINT32_MAX,
                                   .pool = index};
        if (duration) {
            flow->duration = duration[job];
            flow->left = tasks;
        } else if (list->rules->cap == PN_MAKESPAN_CAP_REQUESTED) {
            flow->cap = stage->requested;
        }
    }
}

/* Opens a pool whose positions are put: what may start, may. */
static inline void pn_makespan_list_open(const pn_makespan_list *list, pn_makespan_pool_entry *pool)
{
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        pool->front[k] = pool->begin;
        if (list->exclusive)
            pn_makespan_list_advance(list, pool, k);
    }
    for (uint32_t position = pool->begin; position < pool->end && !list->exclusive; position++)
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++)
            pn_makespan_list_admit(list, pool, position, k);
}

#endif
