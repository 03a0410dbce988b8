/* One call of any function of kernel/base/heap.h from any state whose numbers are in range: the
 * order of the entries may be broken. The state is then in range again. */
#include "proof.h"

#include "base/heap.c"

/* 41 = 8 * 5 + 1: the first child of an entry may be the first place behind the table. */
enum { ITEMS = 41, CANDIDATES = 20, STRIDE = 2 };

static pn_heap_state state;
static pn_heap_entry entries[ITEMS];
static uint32_t places[ITEMS * STRIDE], candidates[CANDIDATES];
static uint64_t ids[ITEMS * STRIDE];

static void make(void)
{
    state = (pn_heap_state){any_long(), any_below(ITEMS + 1), ITEMS, any(), 0};
    for (int i = 0; i < ITEMS; i++)
        entries[i] = (pn_heap_entry){{any_long(), any_long()}, any_below(ITEMS), 0};
    for (int i = 0; i < ITEMS * STRIDE; i++) {
        places[i] = any_below(ITEMS + 1);
        ids[i] = any_long();
    }
}

static void check(void)
{
    //@ assert state.count <= ITEMS && state.capacity == ITEMS;
    for (int i = 0; i < ITEMS; i++) {
        //@ assert entries[i].item < ITEMS;
    }
    for (int i = 0; i < ITEMS * STRIDE; i++) {
        //@ assert places[i] <= ITEMS;
    }
}

static void walk_on(const pn_heap *heap)
{
    pn_heap_walk walk = {heap, candidates, 0, CANDIDATES};
    //@ split state.count;
    if (state.count > 0)
        walk.count = any_below(CANDIDATES + 1);
    for (int i = 0; i < CANDIDATES && state.count > 0; i++)
        candidates[i] = any_below(state.count);
    if (pn_heap_walk_peek(&walk))
        pn_heap_walk_next(&walk);
    //@ assert walk.count <= CANDIDATES;
    for (int i = 0; i < CANDIDATES && walk.count > 0; i++) {
        //@ assert candidates[i] < state.count;
    }
}

void main(void)
{
    make();
    const pn_heap heap = {&state, entries, any() ? places : NULL, STRIDE, ids, STRIDE};
    uint32_t item = any_below(ITEMS);
    uint64_t word[2] = {any_long(), any_long()};
    pn_heap_walk walk;
    switch (any_below(10)) {
    case 0:
        pn_heap_push(&heap, item, word);
        break;
    case 1:
        if (state.count > 0)
            pn_heap_pop(&heap);
        break;
    case 2:
        if (heap.place)
            pn_heap_remove(&heap, item);
        break;
    case 3:
        if (heap.place)
            pn_heap_update(&heap, item, word);
        break;
    case 4:
        if (heap.place)
            pn_heap_has(&heap, item);
        break;
    case 5:
        pn_heap_clear(&heap);
        break;
    case 6:
        pn_heap_rebuild(&heap);
        break;
    case 7:
        pn_heap_valid(&heap);
        break;
    case 8:
        pn_heap_walk_start(&walk, &heap, candidates, CANDIDATES);
        break;
    default:
        if (pn_heap_walk_room(1) > 0)
            walk_on(&heap);
    }
    check();
}
