/* A set of integers 0..size-1, size <= 2^30, that finds its next member from anywhere: bits, and
 * above every 64 words a word that says which of them are not 0. All operations cost O(levels), at
 * most 5 for 2^30. */
#ifndef PN_BITS_H
#define PN_BITS_H

#include "internal.h"

enum { PN_BITS_LEVELS = 5 };

/* No member. */
#define PN_BITS_NONE UINT32_MAX

/* The handle, made anew for every call from outside; the words lie in the block, the bits
 * themselves first. */
typedef struct pn_bits {
    uint64_t *level[PN_BITS_LEVELS];
    uint32_t levels;
} pn_bits;

static inline size_t pn_bits_words(size_t size)
{
    size_t all = 0;
    do {
        size = (size + 63) / 64;
        all += size;
    } while (size > 1);
    return all;
}

/* Returns the words that so many sets take at most, whose sizes add up to `size`. */
static inline uint64_t pn_bits_words_most(uint64_t size, uint64_t sets)
{
    return size / 32 + sets;
}

static inline pn_bits pn_bits_at(uint64_t *words, size_t size)
{
    pn_bits bits = {{words}, 0};
    do {
        bits.level[bits.levels++] = words;
        size = (size + 63) / 64;
        words += size;
    } while (size > 1 && PN_ALWAYS(bits.levels < PN_BITS_LEVELS));
    return bits;
}

static inline uint32_t pn_bits_lowest(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    uint32_t index = 0;
    for (uint32_t half = 32; half > 0; half /= 2)
        if (word << (64 - half) == 0) {
            word >>= half;
            index += half;
        }
    return index;
#endif
}

static inline void pn_bits_set(const pn_bits *bits, uint32_t member)
{
    for (uint32_t i = 0; i < bits->levels; i++, member /= 64) {
        uint64_t *word = &bits->level[i][member / 64], before = *word;
        *word |= (uint64_t)1 << member % 64;
        if (before != 0)
            return;
    }
}

static inline void pn_bits_clear(const pn_bits *bits, uint32_t member)
{
    for (uint32_t i = 0; i < bits->levels; i++, member /= 64) {
        uint64_t *word = &bits->level[i][member / 64];
        *word &= ~((uint64_t)1 << member % 64);
        if (*word != 0)
            return;
    }
}

static inline void pn_bits_empty(const pn_bits *bits, size_t size)
{
    memset(bits->level[0], 0, pn_bits_words(size) * sizeof *bits->level[0]);
}

static inline bool pn_bits_is_empty(const pn_bits *bits)
{
    return bits->level[bits->levels - 1][0] == 0;
}

/* Returns the first member >= from, from < size; PN_BITS_NONE when there is none. */
static inline uint32_t pn_bits_next(const pn_bits *bits, uint32_t from)
{
    uint64_t word = bits->level[0][from / 64] >> from % 64;
    if (word != 0)
        return from + pn_bits_lowest(word);
    uint32_t at = from / 64;
    for (uint32_t i = 1; i < bits->levels; i++, at /= 64) {
        /* Whatever lies behind `at` in its word; the shift by 64 is done in two. */
        word = bits->level[i][at / 64] >> at % 64 >> 1;
        if (word == 0)
            continue;
        at += 1 + pn_bits_lowest(word);
        while (i-- > 0)
            at = at * 64 + pn_bits_lowest(bits->level[i][at]);
        return at;
    }
    return PN_BITS_NONE;
}

#endif
