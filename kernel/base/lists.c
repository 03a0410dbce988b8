/* See lists.h. */
#include "lists.h"

/* Every list has fewer words. */
static const uint64_t SIZE_END = (uint64_t)1 << PN_LISTS_OWNER_SHIFT;

size_t pn_lists_room(size_t words, size_t owners)
{
    size_t limit = (size_t)pn_min(SIZE_END, SIZE_MAX / 4);
    if (words > limit || owners > limit - words)
        return 0;
    return words + owners + words / 4;
}

/* Closes the gaps. O(words used). */
static void slide(const pn_lists *store)
{
    pn_lists_state *state = store->state;
    uint64_t to = 0;
    for (uint64_t from = 0; from < state->used;) {
        uint64_t head = store->words[from], size = pn_lists_head_size(head) + 1;
        if (pn_lists_head_owner(head) != 0) {
            memmove(store->words + to, store->words + from, size * sizeof *store->words);
            store->place[(pn_lists_head_owner(head) - 1) * store->place_stride] = to + 1;
            to += size;
        }
        from += size;
    }
    state->used = to;
    PN_ASSERT(state->used == state->live);
}

void pn_lists_take(const pn_lists *store, uint32_t owner, uint64_t size)
{
    pn_lists_state *state = store->state;
    PN_ASSERT(size < SIZE_END && size + 1 <= state->capacity - state->live);
    if (size + 1 > state->capacity - state->used)
        slide(store);
    store->words[state->used] = ((uint64_t)owner + 1) << PN_LISTS_OWNER_SHIFT | size;
    store->place[owner * store->place_stride] = state->used + 1;
    state->used += size + 1;
    state->live += size + 1;
}

void pn_lists_free(const pn_lists *store, uint32_t owner)
{
    uint64_t *head = pn_lists_of(store, owner) - 1;
    uint64_t size = pn_lists_head_size(*head);
    PN_ASSERT(pn_lists_head_owner(*head) == (uint64_t)owner + 1);
    *head = size;
    store->state->live -= size + 1;
    /* The last one leaves no gap. */
    if (store->place[owner * store->place_stride] + size == store->state->used)
        store->state->used -= size + 1;
}
