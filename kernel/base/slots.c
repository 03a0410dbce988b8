#include "slots.h"

/* ---- the heap ---- */

static void set(const pn_slots *slots, uint32_t at, uint64_t time, uint32_t count)
{
    slots->time[at] = time;
    slots->count[at] = count;
}

static void slots_sink(const pn_slots *slots, uint32_t at, uint64_t time, uint32_t count)
{
    for (uint32_t child; (child = 2 * at + 1) < slots->groups; at = child) {
        child += child + 1 < slots->groups && slots->time[child + 1] < slots->time[child];
        if (time <= slots->time[child])
            break;
        set(slots, at, slots->time[child], slots->count[child]);
    }
    set(slots, at, time, count);
}

static void push(pn_slots *slots, uint64_t time, uint32_t count)
{
    uint32_t at = slots->groups++;
    for (; at > 0 && time < slots->time[(at - 1) / 2]; at = (at - 1) / 2)
        set(slots, at, slots->time[(at - 1) / 2], slots->count[(at - 1) / 2]);
    set(slots, at, time, count);
}

static uint32_t pop(pn_slots *slots)
{
    uint32_t count = slots->count[0], last = --slots->groups;
    slots_sink(slots, 0, slots->time[last], slots->count[last]);
    return count;
}

uint64_t pn_slots_last(const pn_slots *slots)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < slots->groups; i++)
        last = pn_max(last, slots->time[i]);
    return last;
}

void pn_slots_pass(pn_slots *slots, uint64_t now)
{
    uint32_t count = 0;
    while (slots->groups > 0 && slots->time[0] <= now)
        count += pop(slots);
    if (count > 0)
        push(slots, now, count);
}

void pn_slots_clear(pn_slots *slots, uint64_t time, uint32_t count)
{
    slots->groups = 0;
    if (count > 0)
        push(slots, time, count);
}

void pn_slots_append(pn_slots *slots, uint64_t time)
{
    set(slots, slots->groups++, pn_min(time, PN_SLOTS_LAST), 1);
}

void pn_slots_heap(pn_slots *slots)
{
    for (uint32_t at = slots->groups / 2; at > 0; at--)
        slots_sink(slots, at - 1, slots->time[at - 1], slots->count[at - 1]);
}

void pn_slots_copy(pn_slots *to, const pn_slots *from)
{
    to->groups = from->groups;
    memcpy(to->time, from->time, from->groups * sizeof *to->time);
    memcpy(to->count, from->count, from->groups * sizeof *to->count);
}

/* ---- running tasks ---- */

/* Returns the time after `times` >= 1 times so many ms. */
static uint64_t later(uint64_t time, uint64_t times, uint64_t ms)
{
    bool beyond = time >= PN_SLOTS_LAST || ms > (PN_SLOTS_LAST - time) / times;
    return beyond ? PN_SLOTS_LAST : time + times * ms;
}

/* Counts the tasks that start before `time` when there is no end of them; not counted beyond
 * `most`. */
static uint64_t starts_before(const pn_slots *slots, uint64_t time, uint64_t ms, uint64_t most)
{
    uint64_t starts = 0;
    for (uint32_t i = 0; i < slots->groups && starts < most; i++)
        if (slots->time[i] < time)
            starts += slots->count[i] * pn_min(most, (time - slots->time[i] - 1) / ms + 1);
    return starts;
}

/* Returns the last time before which fewer than `tasks` start: when the last of them starts. No
 * slot is free after `high`, or so many rounds of all slots fit before it. */
static uint64_t last_start(const pn_slots *slots, uint64_t low, uint64_t high, uint32_t tasks,
                           uint64_t ms)
{
    while (low < high) {
        uint64_t middle = high - (high - low) / 2;
        if (starts_before(slots, middle, ms, tasks) < tasks)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Runs all of them at once, in closed form: each slot takes tasks until the time at which the last
 * one starts, and as many slots as are free right then one more. */
static uint64_t run_many(pn_slots *slots, uint32_t tasks, uint64_t ms)
{
    uint64_t high = slots->time[0], all = slots->count[0];
    for (uint32_t i = 1; i < slots->groups; i++) {
        high = pn_max(high, slots->time[i]);
        all += slots->count[i];
    }
    uint64_t start = last_start(slots, slots->time[0], later(high, (tasks - 1) / all + 1, ms),
                                tasks, ms);
    uint32_t left = tasks - (uint32_t)starts_before(slots, start, ms, tasks), split = 0;
    uint64_t end = later(start, 1, ms);
    for (uint32_t i = 0; i < slots->groups; i++) {
        if (slots->time[i] < start)
            slots->time[i] = later(slots->time[i], (start - slots->time[i] - 1) / ms + 1, ms);
        if (slots->time[i] != start || left == 0)
            continue;
        uint32_t given = (uint32_t)pn_min(left, slots->count[i]);
        split = slots->count[i] - given;
        left -= given;
        set(slots, i, end, given);
    }
    pn_slots_heap(slots);
    if (split > 0)
        push(slots, start, split);
    return end;
}

static uint64_t next_end(const pn_slots *slots, uint64_t from, uint64_t ms)
{
    return later(pn_max(slots->time[0], from), 1, ms);
}

/* So many tasks for each group, and the closed form costs less than to go on one by one. */
enum { MANY = 8 };

uint64_t pn_slots_execute(pn_slots *slots, uint64_t from, uint32_t tasks, uint64_t ms)
{
    uint64_t end = from;
    /* slots that are taken until `end` and not yet put back: often there are more of them */
    uint32_t ending = 0;
    if (slots->groups == 0)
        return UINT64_MAX;
    for (uint32_t steps = slots->groups; tasks > 0; steps -= steps > 0) {
        if (ending > 0 && (slots->groups == 0 || end < slots->time[0])) {
            push(slots, end, ending);
            ending = 0;
        }
        /* By now every slot that was free before `from` has got a task. */
        if (steps == 0 && tasks / MANY > slots->groups) {
            if (ending > 0)
                push(slots, end, ending);
            return run_many(slots, tasks, ms);
        }
        uint64_t next = next_end(slots, from, ms);
        uint32_t given = (uint32_t)pn_min(slots->count[0], tasks);
        bool others = ending > 0 && next != end;
        slots->count[0] -= given;
        if (slots->count[0] > 0 && others)
            push(slots, end, ending);
        else if (slots->count[0] == 0 && others)
            slots_sink(slots, 0, end, ending);
        else if (slots->count[0] == 0)
            pop(slots);
        ending = others ? given : ending + given;
        end = next;
        tasks -= given;
    }
    push(slots, end, ending);
    return end;
}

/* Ends tasks. Algorithm VI replaces the smallest entry by the time at which a task ended, task by
 * task. If an entry is <= now, this changes only entries that stay <= now, which later calls treat
 * as free now. If no entry is, the first task replaces the smallest entry, and each next task
 * replaces the entry of the task before it: so at most one slot becomes free, at `now`. */
void pn_slots_ended(pn_slots *slots, uint64_t now)
{
    if (slots->groups == 0 || slots->time[0] <= now)
        return;
    uint64_t first = slots->time[0];
    uint32_t count = pop(slots);
    if (count > 1)
        push(slots, first, count - 1);
    push(slots, now, 1);
}
