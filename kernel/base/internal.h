/* Shared inside the kernel only: the assert and the smallest helpers. */
#ifndef PN_INTERNAL_H
#define PN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "pn_base.h"
#include "pn_strict.h"

_Noreturn void abort(void);

/* A broken invariant is a bug in the kernel (or a block scribbled over): stop before it becomes a
 * wrong number. On in release builds; a host may define PN_ASSERT itself, or PN_NO_ASSERT.
 * Conditions have no side effects. */
#ifndef PN_ASSERT
#ifdef PN_NO_ASSERT
#define PN_ASSERT(condition) ((void)0)
#else
#define PN_ASSERT(condition) ((condition) ? (void)0 : abort())
#endif
#endif

/* A condition that is always true (never true) by what the code around it ensures, also in damaged
 * blocks that validation accepts, and that is looked at nevertheless. Tests run with PN_CHECKED,
 * where the other outcome aborts; what counts coverage (PN_COVERAGE) takes it for a constant, since
 * no test can reach the other outcome. Conditions have no side effects. */
#if defined(PN_COVERAGE)
#define PN_ALWAYS(condition) ((void)sizeof(condition), 1)
#elif defined(PN_CHECKED)
#define PN_ALWAYS(condition) ((condition) ? 1 : (abort(), 0))
#else
#define PN_ALWAYS(condition) (condition)
#endif
#define PN_NEVER(condition) (!PN_ALWAYS(!(condition)))

/* A function whose large frame is not to be part of its caller's, for as long as that runs. */
#if defined(__GNUC__)
#define PN_FRAME_APART __attribute__((noinline))
#else
#define PN_FRAME_APART
#endif

/* A policy's name with its end. */
enum { PN_NAME_SIZE = 32 };

/* Begins a struct that lies in tables walked in words of 8 bytes: whole words, the id first. Where
 * the ABI aligns uint64_t to 4 bytes, only the alignment of the first member makes them whole. Each
 * such struct is followed by PN_WHOLE_WORDS. */
#define PN_WORD_ALIGN _Alignas(8)
#define PN_WHOLE_WORDS(type, first)                                                            \
    _Static_assert(sizeof(type) % 8 == 0 && _Alignof(type) == 8 && offsetof(type, first) == 0, \
                   "whole words, " #first " first")

/* Compares bytes, instead of memcmp, of which some compilers make calls of bcmp. */
static inline bool pn_same_bytes(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return false;
    return true;
}

/* Compares two such names; what follows PN_NAME_SIZE bytes is not looked at. */
static inline bool pn_same_name(const char *a, const char *b)
{
    for (int i = 0; i < PN_NAME_SIZE; i++) {
        if (a[i] != b[i])
            return false;
        if (a[i] == '\0')
            return true;
    }
    return false;
}

/* Names of policies as people ask for them: - and _ are one letter, as in the names of files. */
static inline bool pn_means_name(const char *asked, const char *name)
{
    for (; *asked && *name; asked++, name++)
        if ((*asked == '-' ? '_' : *asked) != (*name == '-' ? '_' : *name))
            return false;
    return *asked == *name;
}

/* Returns whether it is a name: 1..31 bytes. */
static inline bool pn_name_sane(const char *name)
{
    size_t length = 0;
    while (name && length < PN_NAME_SIZE && name[length] != '\0')
        length++;
    return 0 < length && length < PN_NAME_SIZE;
}

static inline bool pn_among(const uint32_t *numbers, uint32_t count, uint32_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

/* Returns whether these are below `limit` and all different, as the nodes of one map's replicas
 * must be. O(count^2). */
static inline bool pn_distinct(const uint32_t *numbers, uint32_t count, uint32_t limit)
{
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] >= limit || pn_among(numbers, i, numbers[i]))
            return false;
    return true;
}

/* The purpose of a policy's random numbers; workloads draw from purpose 0 and the next few. */
enum { PN_POLICY_STREAM = 64 };

static inline uint64_t pn_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t pn_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns whether a key of two words precedes another one. */
static inline bool pn_words_before(const uint64_t *a, const uint64_t *b)
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

#endif
