/* An indexed 8-ary heap with a total order: two words, then the item's id. The entries carry their
 * keys, so that sifting touches one stretch of memory; eight children lie side by side in four
 * cache lines. Capacity is fixed and never checked away: overflow is a broken invariant.
 *
 * While it is small it is kept sorted, which is a heap too, but cheaper to walk and to change: most
 * sets in most runs hold a handful of jobs. It stays sorted up to PN_HEAP_SORTED_MAX entries and
 * becomes so again when it has shrunk to PN_HEAP_SORTED_MIN; the gap keeps it from flapping.
 *
 * A walk visits items in order without taking them out: it keeps the candidates (the children of
 * what was visited) in a small heap of its own. k visits cost O(k log k) whatever the size of the
 * heap. */
#ifndef PN_HEAP_H
#define PN_HEAP_H

#include "arena.h"

enum { PN_HEAP_ARITY = 8, PN_HEAP_SORTED_MIN = 8, PN_HEAP_SORTED_MAX = 32 };

typedef struct pn_heap_entry {
    uint64_t word[2];
    uint32_t item;
    uint32_t unused;
} pn_heap_entry;

/* The part that lives in the block. */
typedef struct pn_heap_state {
    uint64_t moves; /* levels climbed or sunk, places shifted so far */
    uint32_t count;
    uint32_t capacity;
    uint32_t sorted; /* 1: all entries are in order; meaningless when empty */
    uint32_t head;   /* index of the first entry where a set is used as a ring, not as a heap */
} pn_heap_state;

/* The handle, made anew for every call from outside. */
typedef struct pn_heap {
    pn_heap_state *state;
    pn_heap_entry *entry;
    /* item 0's index + 1, 0 when absent; null when nothing needs it (then no update or remove) */
    uint32_t *place;
    size_t place_stride; /* those of the other items follow, so many uint32_t apart */
    const uint64_t *id;  /* item 0's id, the last tie-break */
    size_t id_stride;    /* those of the other items follow, so many uint64_t apart */
} pn_heap;

/* Moves an entry up where the heap is too large to be sorted. */
void pn_heap_rise(const pn_heap *heap, uint32_t index, const pn_heap_entry *entry);
void pn_heap_sink(const pn_heap *heap, uint32_t index, const pn_heap_entry *entry);
void pn_heap_sort(const pn_heap *heap);
/* Restores the order after all keys were written anew in place; O(count). */
void pn_heap_rebuild(const pn_heap *heap);
/* Checks every invariant by walking the heap; for tests. */
bool pn_heap_valid(const pn_heap *heap);

static inline uint32_t *pn_heap_place(const pn_heap *heap, uint32_t item)
{
    return &heap->place[item * heap->place_stride];
}

static inline bool pn_heap_before(const pn_heap *heap, const pn_heap_entry *a,
                                  const pn_heap_entry *b)
{
    if (a->word[0] != b->word[0])
        return a->word[0] < b->word[0];
    if (a->word[1] != b->word[1])
        return a->word[1] < b->word[1];
    return heap->id[a->item * heap->id_stride] < heap->id[b->item * heap->id_stride];
}

static inline void pn_heap_set(const pn_heap *heap, uint32_t index, const pn_heap_entry *entry)
{
    /* Field by field: the parts of an entry just made are still on their way to memory, and a copy
     * of the whole would wait. */
    pn_heap_entry *slot = &heap->entry[index];
    slot->word[0] = entry->word[0];
    slot->word[1] = entry->word[1];
    slot->item = entry->item;
    if (heap->place)
        *pn_heap_place(heap, entry->item) = index + 1;
}

/* Moves a hole at `index` to the left until `entry` fits into it. */
static inline void pn_heap_shift_left(const pn_heap *heap, uint32_t index,
                                      const pn_heap_entry *entry)
{
    uint32_t start = index;
    for (; index > 0 && pn_heap_before(heap, entry, &heap->entry[index - 1]); index--)
        pn_heap_set(heap, index, &heap->entry[index - 1]);
    pn_heap_set(heap, index, entry);
    heap->state->moves += start - index;
}

static inline void pn_heap_shift_right(const pn_heap *heap, uint32_t index,
                                       const pn_heap_entry *entry)
{
    uint32_t start = index;
    for (; index + 1 < heap->state->count && pn_heap_before(heap, &heap->entry[index + 1], entry);
         index++)
        pn_heap_set(heap, index, &heap->entry[index + 1]);
    pn_heap_set(heap, index, entry);
    heap->state->moves += index - start;
}

/* Returns the index of the entry that comes before the one at `index` > 0, in the order that is
 * kept. */
static inline uint32_t pn_heap_above(bool sorted, uint32_t index)
{
    return sorted ? index - 1 : (index - 1) / PN_HEAP_ARITY;
}

/* Puts a changed entry where it belongs, the hole being at `index`. */
static inline void pn_heap_settle(const pn_heap *heap, uint32_t index, const pn_heap_entry *entry)
{
    bool sorted = heap->state->sorted;
    bool up = index > 0 && pn_heap_before(heap, entry, &heap->entry[pn_heap_above(sorted, index)]);
    if (sorted && up)
        pn_heap_shift_left(heap, index, entry);
    else if (sorted)
        pn_heap_shift_right(heap, index, entry);
    else if (up)
        pn_heap_rise(heap, index, entry);
    else
        pn_heap_sink(heap, index, entry);
}

static inline void pn_heap_push(const pn_heap *heap, uint32_t item, const uint64_t word[2])
{
    pn_heap_state *state = heap->state;
    PN_ASSERT(state->count < state->capacity);
    PN_ASSERT(!heap->place || *pn_heap_place(heap, item) == 0);
    pn_heap_entry entry = {{word[0], word[1]}, item, 0};
    uint32_t index = state->count++;
    state->sorted = (index == 0) | ((state->sorted != 0) & (index < PN_HEAP_SORTED_MAX));
    if (state->sorted)
        pn_heap_shift_left(heap, index, &entry);
    else
        pn_heap_rise(heap, index, &entry);
}

static inline void pn_heap_take_out(const pn_heap *heap, uint32_t index)
{
    pn_heap_state *state = heap->state;
    PN_ASSERT(index < state->count);
    if (heap->place)
        *pn_heap_place(heap, heap->entry[index].item) = 0;
    uint32_t last = --state->count;
    if (state->sorted) {
        for (uint32_t i = index; i < last; i++)
            pn_heap_set(heap, i, &heap->entry[i + 1]);
        state->moves += last - index;
        return;
    }
    if (index != last) {
        pn_heap_entry moved = heap->entry[last];
        pn_heap_settle(heap, index, &moved);
    }
    if (last <= PN_HEAP_SORTED_MIN)
        pn_heap_sort(heap);
}

/* Takes out the first entry; the heap is not empty. */
static inline void pn_heap_pop(const pn_heap *heap)
{
    pn_heap_take_out(heap, 0);
}

static inline void pn_heap_remove(const pn_heap *heap, uint32_t item)
{
    PN_ASSERT(*pn_heap_place(heap, item) != 0);
    pn_heap_take_out(heap, *pn_heap_place(heap, item) - 1);
}

/* Gives a present item a new key. */
static inline void pn_heap_update(const pn_heap *heap, uint32_t item, const uint64_t word[2])
{
    uint32_t index = *pn_heap_place(heap, item) - 1;
    PN_ASSERT(index < heap->state->count);
    pn_heap_entry entry = {{word[0], word[1]}, item, 0};
    const pn_heap_entry *old = &heap->entry[index];
    if (old->word[0] != word[0] || old->word[1] != word[1])
        pn_heap_settle(heap, index, &entry);
}

static inline void pn_heap_clear(const pn_heap *heap)
{
    if (heap->place)
        for (uint32_t i = 0; i < heap->state->count; i++)
            *pn_heap_place(heap, heap->entry[i].item) = 0;
    heap->state->count = 0;
}

static inline bool pn_heap_has(const pn_heap *heap, uint32_t item)
{
    return *pn_heap_place(heap, item) != 0;
}

typedef struct pn_heap_walk {
    const pn_heap *heap;
    uint32_t *candidate; /* indices into heap->entry, itself a binary heap */
    uint32_t count;
    uint32_t capacity;
} pn_heap_walk;

/* Returns the size of the candidates of a walk of so many visits. */
static inline size_t pn_heap_walk_room(size_t visits)
{
    return (PN_HEAP_ARITY - 1) * visits + 1;
}

static inline void pn_heap_walk_start(pn_heap_walk *walk, const pn_heap *heap, uint32_t *candidates,
                                      uint32_t capacity)
{
    PN_ASSERT(capacity > 0);
    candidates[0] = 0; /* the first entry, when there is one */
    *walk = (pn_heap_walk){heap, candidates, heap->state->count > 0, capacity};
}

/* Returns the entry the walk stands at; null at the end. */
static inline const pn_heap_entry *pn_heap_walk_peek(const pn_heap_walk *walk)
{
    return walk->count == 0 ? NULL : &walk->heap->entry[walk->candidate[0]];
}
void pn_heap_walk_expand(pn_heap_walk *walk);
/* Goes on to the next one; the walk is not at its end and the heap has not changed since the
 * start. */
static inline void pn_heap_walk_next(pn_heap_walk *walk)
{
    PN_ASSERT(walk->count > 0);
    if (!walk->heap->state->sorted)
        pn_heap_walk_expand(walk);
    else if (walk->candidate[0] + 1 < walk->heap->state->count)
        walk->candidate[0]++;
    else
        walk->count = 0;
}

#endif
