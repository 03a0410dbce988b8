/* Sorting without recursion: places by a number kept elsewhere, in place (heap sort), or by a
 * comparison; and words by their upper halves. */
#ifndef PN_SORT_H
#define PN_SORT_H

#include "internal.h"

/* Puts `items` into ascending order of the uint64_t at keys + item * stride bytes, O(n log n).
 * Equal keys end in no particular order. */
void pn_sort(uint32_t *items, size_t count, const uint64_t *keys, size_t stride);

/* Puts `items` into the order that `before` says, equal ones staying as they stand: merge sort, O(n
 * log n), with `room` for `count` more items. */
typedef bool pn_before(const void *context, uint32_t a, uint32_t b);
void pn_sort_by(uint32_t *items, size_t count, uint32_t *room, pn_before *before,
                const void *context);

/* Puts words into ascending order of their upper halves, equal ones staying as they stand, with
 * `room` for `count` more: a pass over the words for every six bits of the largest half, O(n^2) for
 * a few words. Returns where they are then: `words` or `room`. */
uint64_t *pn_sort_by_upper(uint64_t *words, size_t count, uint64_t *room);

#endif
