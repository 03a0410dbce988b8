/* See validate_lists.h. */
#include "validate_lists.h"

enum { LISTS_OWNER_SHIFT = 36 }; /* as in lists.c */

static uint64_t store_size_of(uint64_t head)
{
    return head & (((uint64_t)1 << LISTS_OWNER_SHIFT) - 1);
}

bool pn_validate_lists(const pn_lists *store, uint32_t owners, uint32_t *lists)
{
    const pn_lists_state *state = store->state;
    uint64_t live = 0;
    *lists = 0;
    if (state->used > state->capacity)
        return false;
    for (uint64_t at = 0; at < state->used;) {
        uint64_t head = store->words[at], size = store_size_of(head) + 1,
                 owner = head >> LISTS_OWNER_SHIFT;
        if (size > state->used - at || owner > owners)
            return false;
        if (owner != 0 && store->place[(owner - 1) * store->place_stride] != at + 1)
            return false;
        live += owner != 0 ? size : 0;
        *lists += owner != 0;
        at += size;
    }
    return live == state->live;
}

uint64_t pn_validate_list_size(const pn_lists *store, uint32_t owner)
{
    return store_size_of(pn_lists_of(store, owner)[-1]);
}
