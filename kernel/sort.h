/* Sorting places by a number kept elsewhere: in place, without recursion, O(n log n) always (heap sort). */
#ifndef PN_SORT_H
#define PN_SORT_H

#include "pn_internal.h"

/* Puts `items` into ascending order of the uint64_t at keys + item * stride bytes. Equal keys end in no particular order. */
void pn_sort(uint32_t *items, size_t count, const uint64_t *keys, size_t stride);

#endif
