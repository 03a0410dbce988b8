/* List schedules of orders of jobs, as a first upper bound: Johnson's order, and orders built by
 * insertion, on both sides. The loads of the search are theirs: the walk has not begun. */
#include "state.h"

void pn_makespan_exact_keep(pn_makespan_exact_search *s, uint64_t start[2][PN_MAKESPAN_EXACT_TASKS],
                            uint64_t makespan)
{
    if (makespan >= s->upper)
        return;
    s->upper = makespan;
    for (uint32_t k = 0; k < 2; k++) {
        const pn_makespan_exact_task *task = s->task[k ^ s->side];
        uint64_t *best = s->best[k ^ s->side];
        for (uint32_t i = 0; i < s->tasks[k ^ s->side]; i++)
            best[i] = s->side == 0 ? start[k][i] : makespan - start[k][i] - task[i].time;
    }
}

/* ---- one order ---- */

/* Which of the jobs that can start a task of their second stage does: the first in the order, or
 * the one with the longest task. */
enum { FIRST_JOB, LONGEST_TASK, RULES };

typedef struct list {
    pn_makespan_exact_search *s;
    const uint32_t *order;
    uint32_t count, rule;
    uint64_t release[PN_MAKESPAN_EXACT_JOBS]; /* by job */
    uint32_t next[PN_MAKESPAN_EXACT_JOBS];    /* task of the second stage */
    uint64_t makespan;
} list;

/* Places job by job, each task on the slot free first. */
static void place_first(list *l)
{
    uint64_t *load = l->s->load[0];
    uint32_t slots = pn_makespan_exact_slots_of(l->s, 0);
    memset(load, 0, slots * sizeof *load);
    for (uint32_t o = 0; o < l->count; o++) {
        uint32_t job = l->order[o];
        const pn_makespan_exact_stage *entry = pn_makespan_exact_stage_of(l->s, job, 0);
        for (uint32_t i = 0; i < entry->count; i++) {
            uint64_t end = load[0] + pn_makespan_exact_task_of(l->s, job, 0, i)->time;
            l->s->now.start[0][entry->begin + i] = load[0];
            l->release[job] = pn_max(l->release[job], end);
            pn_makespan_exact_raise(load, slots, 0, end);
        }
        l->makespan = pn_max(l->makespan, l->release[job]);
    }
}

static bool has_more(const list *l, uint32_t job)
{
    return l->next[job] < pn_makespan_exact_stage_of(l->s, job, 1)->count;
}

/* Returns the job whose task starts at *time, or as soon after it as one can; PN_NO_JOB: none is
 * left. */
static uint32_t exact_choose(const list *l, uint64_t *time)
{
    uint64_t first = UINT64_MAX;
    uint32_t chosen = PN_NO_JOB;
    for (uint32_t o = 0; o < l->count; o++)
        if (has_more(l, l->order[o]))
            first = pn_min(first, l->release[l->order[o]]);
    *time = pn_max(*time, first);
    for (uint32_t o = 0; o < l->count; o++) {
        uint32_t job = l->order[o];
        if (!has_more(l, job) || l->release[job] > *time)
            continue;
        if (chosen == PN_NO_JOB ||
            (l->rule == LONGEST_TASK &&
             pn_makespan_exact_task_of(l->s, job, 1, l->next[job])->time >
                 pn_makespan_exact_task_of(l->s, chosen, 1, l->next[chosen])->time))
            chosen = job;
    }
    return chosen;
}

static void place_second(list *l)
{
    uint64_t *load = l->s->load[1], time = 0;
    memset(load, 0, pn_makespan_exact_slots_of(l->s, 1) * sizeof *load);
    for (uint32_t job = exact_choose(l, &time); job != PN_NO_JOB;
         time = load[0], job = exact_choose(l, &time)) {
        uint64_t end = time + pn_makespan_exact_task_of(l->s, job, 1, l->next[job])->time;
        l->s->now.start[1][pn_makespan_exact_stage_of(l->s, job, 1)->begin + l->next[job]++] = time;
        pn_makespan_exact_raise(load, pn_makespan_exact_slots_of(l->s, 1), 0, end);
        l->makespan = pn_max(l->makespan, end);
    }
}

/* Returns the makespan of these jobs in this order; a schedule of all of them is kept if it is
 * better. */
static uint64_t exact_try_order(pn_makespan_exact_search *s, const uint32_t *order, uint32_t count,
                                uint32_t rule)
{
    list l = {.s = s, .order = order, .count = count, .rule = rule};
    place_first(&l);
    place_second(&l);
    if (count == s->jobs)
        pn_makespan_exact_keep(s, s->now.start, l.makespan);
    return l.makespan;
}

/* ---- some orders ---- */

static uint64_t exact_weight(const pn_makespan_exact_search *s, uint32_t job)
{
    return s->job[job].stage[0].work * s->slots[1] + s->job[job].stage[1].work * s->slots[0];
}

static void sort_by_weight(const pn_makespan_exact_search *s, uint32_t *jobs)
{
    for (uint32_t job = 0; job < s->jobs; job++) {
        uint32_t at = job;
        for (; at > 0 && exact_weight(s, jobs[at - 1]) < exact_weight(s, job); at--)
            jobs[at] = jobs[at - 1];
        jobs[at] = job;
    }
}

/* Puts the job into the order where the makespan is least. */
static void exact_insert(pn_makespan_exact_search *s, uint32_t *order, uint32_t count, uint32_t job,
                         uint32_t rule)
{
    uint64_t least = UINT64_MAX;
    uint32_t trial[PN_MAKESPAN_EXACT_JOBS], best[PN_MAKESPAN_EXACT_JOBS];
    for (uint32_t at = 0; at <= count; at++) {
        memcpy(trial, order, at * sizeof *order);
        trial[at] = job;
        memcpy(trial + at + 1, order + at, (count - at) * sizeof *order);
        uint64_t makespan = exact_try_order(s, trial, count + 1, rule);
        if (makespan < least) {
            least = makespan;
            memcpy(best, trial, (count + 1) * sizeof *order);
        }
    }
    memcpy(order, best, (count + 1) * sizeof *order);
}

void pn_makespan_exact_try_lists(pn_makespan_exact_search *s)
{
    uint32_t sorted[PN_MAKESPAN_EXACT_JOBS], order[PN_MAKESPAN_EXACT_JOBS];
    sort_by_weight(s, sorted);
    for (uint32_t rule = 0; rule < RULES; rule++) {
        exact_try_order(s, s->order, s->jobs, rule);
        for (uint32_t i = 0; i < s->jobs; i++)
            exact_insert(s, order, i, sorted[i], rule);
    }
}
