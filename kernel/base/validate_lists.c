/* See validate_lists.h. */
#include "validate_lists.h"
#include "validate.h"

bool pn_validate_lists(const pn_lists *store, uint32_t owners, uint32_t *lists)
{
    const pn_lists_state *state = store->state;
    uint64_t live = 0;
    *lists = 0;
    if (state->used > state->capacity)
        return false;
    for (uint64_t at = 0; at < state->used;) {
        uint64_t head = store->words[at], size = pn_lists_head_size(head) + 1,
                 owner = pn_lists_head_owner(head);
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
    return pn_lists_head_size(pn_lists_of(store, owner)[-1]);
}

uint64_t pn_validate_lists_tally(const pn_lists *store, uint64_t key)
{
    uint64_t tally = 0;
    for (uint64_t at = 0; at < store->state->used; at += pn_lists_head_size(store->words[at]) + 1)
        tally += pn_lists_head_owner(store->words[at]) != 0 ? pn_validate_hash(key, at + 1) : 0;
    return tally;
}
