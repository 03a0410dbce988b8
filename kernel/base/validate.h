/* What the validation of blocks shares. A block that is validated comes from outside: nothing in it
 * may be believed, and it may not be written to, so there is no room for marks. Where a check has
 * to know that a list is a permutation, it compares tallies: sums of a hash of each member, keyed
 * by a hash of the whole block. Whoever makes up the contents cannot choose them to suit a key that
 * depends on all of them. */
#ifndef PN_VALIDATE_H
#define PN_VALIDATE_H

#include "bits.h"
#include "heap.h"
#include "places.h"
#include "tree.h"

/* Returns the key of all tallies of a block, O(size). */
uint64_t pn_validate_key(const void *block, size_t size);

static inline uint64_t pn_validate_hash(uint64_t key, uint64_t member)
{
    return pn_mix(pn_mix(key, member), ~member);
}

/* Returns whether a count is within its table: count and capacity, every entry's item below
 * `items`, the order, and the places. */
bool pn_validate_heap(const pn_heap *heap, uint32_t items);
/* Checks the places of items outside the heap: whether so many of the items have one. O(items). */
bool pn_validate_places(const pn_heap *heap, uint32_t items);
/* Checks that the free places of a table of `most`, of which `held` are in use, are linked to the
 * end. Adds them to a tally, from which the caller takes those that hold nothing: otherwise the
 * links may lead to places that are held. */
bool pn_validate_free(const pn_places *places, pn_links links, uint32_t most, uint32_t held,
                      uint64_t key, uint64_t *tally);
/* Checks that the items of a heap that knows no places, and the free places, are all places. */
bool pn_validate_items(const pn_heap *heap, const pn_places *places, pn_links links, uint64_t key);
/* Returns whether the items below `items` that are in the tree, and only they, form it: links,
 * heights, order and what nodes say of their subtrees. Items from there to `capacity` are not in
 * it. O(capacity). */
bool pn_validate_tree(const pn_tree *tree, uint32_t items, uint32_t capacity);

/* Checks one item of a tree in the same way, where many trees share their nodes. Together they are
 * trees if the parent and children of every item are in its tree, and each tree has as many items
 * as it should. */
bool pn_validate_tree_node(const pn_tree *tree, uint32_t items, uint32_t item);

/* Returns whether a set of bits agrees with the words above it, and has no member beyond its
 * size. */
bool pn_validate_bits(const uint64_t *words, size_t size);
static inline bool pn_validate_bit(const uint64_t *words, size_t member)
{
    return words[member / 64] >> member % 64 & 1;
}

bool pn_validate_stats(const pn_stats *stats, int first_octave, unsigned octaves, int integer);
bool pn_validate_stream(const pn_stream *stream);
/* Whether two blocks agree in the members from `first` up to `behind`. */
#define PN_SAME_PART(type, first, behind, a, b)                       \
    pn_same_bytes((const unsigned char *)(a) + offsetof(type, first), \
                  (const unsigned char *)(b) + offsetof(type, first), \
                  offsetof(type, behind) - offsetof(type, first))
/* Returns whether a name ends within its room. */
bool pn_validate_name(const char *name);
bool pn_validate_zeros(const void *bytes, size_t size);

/* Returns whether a value is neither infinite nor NaN. */
static inline bool pn_validate_finite(double value)
{
    return value - value == 0.0;
}

static inline bool pn_validate_positive(double value)
{
    return value >= 0.0 && pn_validate_finite(value);
}

#endif
