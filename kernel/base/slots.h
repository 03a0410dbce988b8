/* When the slots of one kind become free: so many of them at each of some times, a heap by time.
 * Lists of tasks that all take equally long are run on it, each task on the slot that is free first
 * - list scheduling, as the admission test of RTMR has it (Algorithms II, III, VI). */
#ifndef PN_SLOTS_H
#define PN_SLOTS_H

#include "internal.h"

/* Times saturate here, far beyond any deadline. */
#define PN_SLOTS_LAST ((uint64_t)1 << 60)

typedef struct pn_slots {
    uint64_t *time;  /* [groups], the earliest first: a binary heap */
    uint32_t *count; /* [groups] slots that become free then, each >= 1 */
    uint32_t groups;
} pn_slots;

/* Makes so many slots, free at this time; the arrays have places for as many groups as there will
 * ever be slots. */
void pn_slots_clear(pn_slots *slots, uint64_t time, uint32_t count);
/* Appends one more slot, free at this time or at the last one, put where it is in no order yet:
 * heap restores it. O(1), O(groups). */
void pn_slots_append(pn_slots *slots, uint64_t time);
void pn_slots_heap(pn_slots *slots);
void pn_slots_copy(pn_slots *to, const pn_slots *from);

/* Passes to `now`: no slot is asked for before it any more: what became free before is free then.
 * O(groups that did). */
void pn_slots_pass(pn_slots *slots, uint64_t now);

/* Returns when the last slot becomes free; 0 when there is none. O(groups). */
uint64_t pn_slots_last(const pn_slots *slots);

/* Runs `tasks` >= 1 tasks of `ms` >= 1 each, none before `from`: when the last of them ends,
 * UINT64_MAX when there is no slot. O(min(tasks log groups, groups * (log groups + bits of a
 * time))). */
uint64_t pn_slots_execute(pn_slots *slots, uint64_t from, uint32_t tasks, uint64_t ms);

/* Ends the tasks of a job that was to use these slots: all have ended, by `now` at the latest
 * (Algorithm VI). */
void pn_slots_ended(pn_slots *slots, uint64_t now);

#endif
