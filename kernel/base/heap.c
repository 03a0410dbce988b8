/* See heap.h. */
#include "heap.h"

/* Moves a hole at `index` towards the root until `entry` fits into it. */
void pn_heap_rise(const pn_heap *heap, uint32_t index, const pn_heap_entry *entry)
{
    uint32_t moves = 0;
    while (index > 0) {
        uint32_t parent = (index - 1) / PN_HEAP_ARITY;
        if (!pn_heap_before(heap, entry, &heap->entry[parent]))
            break;
        pn_heap_set(heap, index, &heap->entry[parent]);
        index = parent;
        moves++;
    }
    pn_heap_set(heap, index, entry);
    heap->state->moves += moves;
}

static uint32_t smallest_child(const pn_heap *heap, uint32_t first, uint32_t count)
{
    uint32_t end = (uint32_t)pn_min(count, (uint64_t)first + PN_HEAP_ARITY);
    uint32_t best = first;
    for (uint32_t child = first + 1; child < end; child++)
        if (pn_heap_before(heap, &heap->entry[child], &heap->entry[best]))
            best = child;
    return best;
}

void pn_heap_sink(const pn_heap *heap, uint32_t index, const pn_heap_entry *entry)
{
    uint32_t count = heap->state->count;
    uint32_t moves = 0;
    for (;;) {
        uint64_t first = (uint64_t)index * PN_HEAP_ARITY + 1;
        if (first >= count)
            break;
        uint32_t child = smallest_child(heap, (uint32_t)first, count);
        if (!pn_heap_before(heap, &heap->entry[child], entry))
            break;
        pn_heap_set(heap, index, &heap->entry[child]);
        index = child;
        moves++;
    }
    pn_heap_set(heap, index, entry);
    heap->state->moves += moves;
}

void pn_heap_sort(const pn_heap *heap)
{
    for (uint32_t i = 1; i < heap->state->count; i++) {
        pn_heap_entry entry = heap->entry[i];
        pn_heap_shift_left(heap, i, &entry);
    }
    heap->state->sorted = 1;
}

void pn_heap_rebuild(const pn_heap *heap)
{
    uint32_t count = heap->state->count;
    if (heap->state->sorted) {
        pn_heap_sort(heap);
        return;
    }
    for (uint32_t i = count / PN_HEAP_ARITY + 1; i-- > 0;) {
        if (i >= count)
            continue;
        pn_heap_entry entry = heap->entry[i];
        pn_heap_sink(heap, i, &entry);
    }
}

bool pn_heap_valid(const pn_heap *heap)
{
    if (heap->state->count > heap->state->capacity)
        return false;
    for (uint32_t i = 0; i < heap->state->count; i++) {
        if (i > 0 && pn_heap_before(heap, &heap->entry[i],
                                    &heap->entry[pn_heap_above(heap->state->sorted, i)]))
            return false;
        if (heap->place && *pn_heap_place(heap, heap->entry[i].item) != i + 1)
            return false;
    }
    return true;
}

/* ---- walking ---- */

static bool candidate_before(const pn_heap_walk *walk, uint32_t a, uint32_t b)
{
    return pn_heap_before(walk->heap, &walk->heap->entry[a], &walk->heap->entry[b]);
}

static void candidate_push(pn_heap_walk *walk, uint32_t index)
{
    PN_ASSERT(walk->count < walk->capacity);
    uint32_t at = walk->count++;
    while (at > 0) {
        uint32_t parent = (at - 1) / 2;
        if (!candidate_before(walk, index, walk->candidate[parent]))
            break;
        walk->candidate[at] = walk->candidate[parent];
        at = parent;
    }
    walk->candidate[at] = index;
}

static void candidate_pop(pn_heap_walk *walk)
{
    uint32_t moved = walk->candidate[--walk->count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= walk->count)
            break;
        if (child + 1 < walk->count &&
            candidate_before(walk, walk->candidate[child + 1], walk->candidate[child]))
            child++;
        if (!candidate_before(walk, walk->candidate[child], moved))
            break;
        walk->candidate[at] = walk->candidate[child];
        at = child;
    }
    walk->candidate[at] = moved;
}

/* Makes the visited entry's children candidates. */
void pn_heap_walk_expand(pn_heap_walk *walk)
{
    uint64_t first = (uint64_t)walk->candidate[0] * PN_HEAP_ARITY + 1;
    uint32_t count = walk->heap->state->count;
    candidate_pop(walk);
    for (uint64_t child = first; child < first + PN_HEAP_ARITY && child < count; child++)
        candidate_push(walk, (uint32_t)child);
}
