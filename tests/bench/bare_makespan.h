/* What the makespan model is measured against: programs that only want the makespan, without slots'
 * names, decisions, digest, fractions, caps or pools. */
#ifndef BARE_MAKESPAN_H
#define BARE_MAKESPAN_H

#include <stdint.h>
#include <stdlib.h>

/* A job as lists of durations in one array. */
typedef struct makespan_bare_batch {
    const uint64_t *tasks;
    uint64_t (*first)[3]; /* of a job: its maps, its reduces, the end of these */
    uint32_t jobs;
} makespan_bare_batch;

/* ---- Johnson's order by the C library's qsort ---- */

typedef struct makespan_bare_stages {
    double map, reduce;
    uint32_t job;
} makespan_bare_stages;

static inline int makespan_bare_before(const void *a, const void *b)
{
    const makespan_bare_stages *x = a, *y = b;
    int back_x = x->map > x->reduce, back_y = y->map > y->reduce;
    if (back_x != back_y)
        return back_x - back_y;
    double first = back_x ? y->reduce : x->map, second = back_x ? x->reduce : y->map;
    if (first != second)
        return first < second ? -1 : 1;
    return x->job < y->job ? -1 : 1;
}

static inline void makespan_bare_johnson(makespan_bare_stages *jobs, size_t count)
{
    qsort(jobs, count, sizeof *jobs, makespan_bare_before);
}

/* ---- list scheduling with a binary heap of tasks that run ---- */

typedef struct makespan_bare_event {
    uint64_t end;
    uint32_t job, stage;
} makespan_bare_event;

typedef struct makespan_bare_heap {
    makespan_bare_event *entry;
    size_t count;
} makespan_bare_heap;

static inline void makespan_bare_push(makespan_bare_heap *heap, makespan_bare_event event)
{
    size_t at = heap->count++;
    for (; at > 0 && heap->entry[(at - 1) / 2].end > event.end; at = (at - 1) / 2)
        heap->entry[at] = heap->entry[(at - 1) / 2];
    heap->entry[at] = event;
}

static inline makespan_bare_event makespan_bare_pop(makespan_bare_heap *heap)
{
    makespan_bare_event first = heap->entry[0], moved = heap->entry[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        child += child + 1 < heap->count && heap->entry[child + 1].end < heap->entry[child].end;
        if (heap->entry[child].end >= moved.end)
            break;
        heap->entry[at] = heap->entry[child];
        at = child;
    }
    heap->entry[at] = moved;
    return first;
}

/* In the order of `order`. Reduces of the first job in the order whose maps are done: a flag for
 * each job, and the first one set is looked for from where the last one was found. */
static inline uint64_t makespan_bare_schedule(const makespan_bare_batch *batch,
                                              const uint32_t *order, uint32_t map_slots,
                                              uint32_t reduce_slots)
{
    uint32_t jobs = batch->jobs, first_map = 0, first_ready = jobs;
    uint64_t(*next)[2] = malloc(jobs * sizeof *next);
    uint64_t(*left)[2] = malloc(jobs * sizeof *left);
    uint32_t *position = malloc(jobs * sizeof *position);
    unsigned char *ready = calloc(jobs, 1);
    makespan_bare_heap heap = {
        malloc((map_slots + (size_t)reduce_slots) * sizeof(makespan_bare_event)), 0};
    uint32_t free_slots[2] = {map_slots, reduce_slots};
    uint64_t time = 0;
    for (uint32_t i = 0; i < jobs; i++)
        for (int k = 0; k < 2; k++) {
            next[i][k] = batch->first[i][k];
            left[i][k] = batch->first[i][k + 1] - batch->first[i][k];
            position[order[i]] = i;
        }
    for (;;) {
        for (; first_map < jobs && free_slots[0] > 0; first_map++) {
            uint32_t job = order[first_map];
            for (; next[job][0] < batch->first[job][1] && free_slots[0] > 0; free_slots[0]--)
                makespan_bare_push(
                    &heap, (makespan_bare_event){time + batch->tasks[next[job][0]++], job, 0});
            if (next[job][0] < batch->first[job][1])
                break;
        }
        while (free_slots[1] > 0 && first_ready < jobs) {
            if (!ready[first_ready]) {
                first_ready++;
                continue;
            }
            uint32_t job = order[first_ready];
            makespan_bare_push(&heap,
                               (makespan_bare_event){time + batch->tasks[next[job][1]++], job, 1});
            free_slots[1]--;
            ready[first_ready] = next[job][1] < batch->first[job][2];
        }
        if (heap.count == 0)
            break;
        time = heap.entry[0].end;
        while (heap.count > 0 && heap.entry[0].end == time) {
            makespan_bare_event event = makespan_bare_pop(&heap);
            free_slots[event.stage]++;
            if (--left[event.job][event.stage] == 0 && event.stage == 0 &&
                next[event.job][1] < batch->first[event.job][2]) {
                ready[position[event.job]] = 1;
                if (position[event.job] < first_ready)
                    first_ready = position[event.job];
            }
        }
    }
    free(next);
    free(left);
    free(position);
    free(ready);
    free(heap.entry);
    return time;
}

#endif
