/* See lists.h. A head has the owner + 1 in its upper part, 0 when the list is freed, and the list's
 * words in the lower. */
#include "lists.h"

#include <string.h>

enum { OWNER_SHIFT = 36 }; /* lists are below 2^36 words, owners below 2^27 */

static uint64_t size_of(uint64_t head)
{
    return head & (((uint64_t)1 << OWNER_SHIFT) - 1);
}

size_t pn_lists_room(size_t words, size_t owners)
{
    size_t limit = (size_t)((uint64_t)1 << OWNER_SHIFT < SIZE_MAX / 4 ? (uint64_t)1 << OWNER_SHIFT
                                                                      : SIZE_MAX / 4);
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
        uint64_t head = store->words[from], size = size_of(head) + 1;
        if (head >> OWNER_SHIFT != 0) {
            memmove(store->words + to, store->words + from, size * sizeof *store->words);
            store->place[((head >> OWNER_SHIFT) - 1) * store->place_stride] = to + 1;
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
    PN_ASSERT(size < (uint64_t)1 << OWNER_SHIFT && size + 1 <= state->capacity - state->live);
    if (size + 1 > state->capacity - state->used)
        slide(store);
    store->words[state->used] = ((uint64_t)owner + 1) << OWNER_SHIFT | size;
    store->place[owner * store->place_stride] = state->used + 1;
    state->used += size + 1;
    state->live += size + 1;
}

void pn_lists_free(const pn_lists *store, uint32_t owner)
{
    uint64_t *head = pn_lists_of(store, owner) - 1;
    uint64_t size = size_of(*head);
    PN_ASSERT(*head >> OWNER_SHIFT == (uint64_t)owner + 1);
    *head = size;
    store->state->live -= size + 1;
    /* The last one leaves no gap. */
    if (store->place[owner * store->place_stride] + size == store->state->used)
        store->state->used -= size + 1;
}
