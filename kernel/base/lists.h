/* Lists of words of any length, one for each owner, in one stretch of memory. A new list is laid
 * behind the last; when the end is reached, the gaps that freed lists left are closed by sliding
 * the others down, which costs no more than the words in use. With a quarter more words than the
 * lists ever need at once (pn_lists_room) that is O(1) for each word stored.
 *
 *   words: | head | list | head | list | head | freed | head | list | …free… |
 *
 * Lists move when one is stored: pointers into them are then invalid. */
#ifndef PN_LISTS_H
#define PN_LISTS_H

#include "internal.h"

/* The part that lives in the block. */
typedef struct pn_lists_state {
    uint64_t used;     /* words up to the end of the last list */
    uint64_t live;     /* words of the lists that are not freed, heads included */
    uint64_t capacity; /* words */
} pn_lists_state;

/* The handle, made anew for every call from outside. */
typedef struct pn_lists {
    pn_lists_state *state;
    uint64_t *words;
    uint64_t *place;     /* of owner 0: index of the first word of its list */
    size_t place_stride; /* from the place of an owner to that of the next, in uint64_t */
} pn_lists;

/* Returns the words to carve for lists of at most so many words together, of so many owners; 0 on
 * overflow. */
size_t pn_lists_room(size_t words, size_t owners);

/* Makes a list of `size` words for an owner that has none; its place is set, its words are not. The
 * caller knows that it fits. */
void pn_lists_take(const pn_lists *store, uint32_t owner, uint64_t size);
void pn_lists_free(const pn_lists *store, uint32_t owner);

/* A head has the owner + 1 in its upper part, 0 when the list is freed, and the list's words in the
 * lower: lists are below 2^36 words, owners below 2^27. */
enum { PN_LISTS_OWNER_SHIFT = 36 };

static inline uint64_t pn_lists_head_owner(uint64_t head)
{
    return head >> PN_LISTS_OWNER_SHIFT;
}

static inline uint64_t pn_lists_head_size(uint64_t head)
{
    return head & (((uint64_t)1 << PN_LISTS_OWNER_SHIFT) - 1);
}

static inline uint64_t *pn_lists_of(const pn_lists *store, uint32_t owner)
{
    return store->words + store->place[owner * store->place_stride];
}

#endif
