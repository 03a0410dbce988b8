/* What each model brings to the damaging of its blocks (tests/random/damage.c). */
#ifndef DAMAGE_H
#define DAMAGE_H

#include "support/random.h"
#include "slotted/support/workload.h"

/* A run that stands still, and how it is resumed. */
typedef struct damage_case {
    void *block; /* from malloc, exactly the size of the block */
    size_t size;
    const void *policy;
    void *rest; /* what else the model needs to go on, or null */
} damage_case;

typedef struct damage_model {
    const pn_model *(*kernel)(void);
    size_t head; /* bytes of the model's struct at the start of the block, or a little more */
    /* Some run of some policy, stopped somewhere; validates it after every step, and says so in
     * *sound. */
    void (*make)(damage_case *at, pn_stream *stream, bool *sound);
    /* Everything the model can do with such a block, for a bounded number of steps. */
    void (*use)(const damage_case *at, void *block);
    void (*free)(damage_case *at);
} damage_model;

#define DAMAGE_DECLARE(model) extern const damage_model damage_##model;
PN_MODELS(DAMAGE_DECLARE)
#define DAMAGE_LIST(model) &damage_##model,
/* Inputs of the fuzz target name a model by its place. */
static const damage_model *const damage_models[] = {PN_MODELS(DAMAGE_LIST)};
enum { DAMAGE_MODELS = sizeof damage_models / sizeof damage_models[0] };

/* Values at which something may change. */
static const uint64_t damage_words[] = {0,
                                        1,
                                        2,
                                        3,
                                        7,
                                        8,
                                        0x7F,
                                        0xFF,
                                        0xFFFF,
                                        0x7FFFFFFF,
                                        0x80000000,
                                        0xFFFFFFFF,
                                        0xFFFFFFFE,
                                        (uint64_t)1 << 32,
                                        (uint64_t)1 << 53,
                                        ((uint64_t)1 << 53) + 1,
                                        (uint64_t)1 << 62,
                                        (uint64_t)1 << 63,
                                        UINT64_MAX,
                                        UINT64_MAX - 1,
                                        0x7FF0000000000000,
                                        0xFFF0000000000000,
                                        0x7FF8000000000000,
                                        0x3FF0000000000000,
                                        0xBFF0000000000000,
                                        0x7FEFFFFFFFFFFFFF,
                                        0x0010000000000000,
                                        0x4340000000000000};
enum { DAMAGE_WORDS = sizeof damage_words / sizeof damage_words[0] };

/* Limits of settings, sizes and times; one more is beyond them, or allowed. */
static const uint64_t damage_limits[] = {999,
                                         1000,
                                         999999,
                                         1000000,
                                         (uint64_t)1 << 12,
                                         (uint64_t)1 << 16,
                                         (uint64_t)1 << 20,
                                         (uint64_t)1 << 24,
                                         (uint64_t)1 << 28,
                                         (uint64_t)1 << 30,
                                         (uint64_t)1 << 31,
                                         (uint64_t)1 << 32,
                                         (uint64_t)1 << 36,
                                         (uint64_t)1 << 40,
                                         (uint64_t)1 << 50,
                                         (uint64_t)1 << 52,
                                         (uint64_t)1 << 53,
                                         (uint64_t)1 << 62,
                                         0x2FF0000000000000, /* 2^-256 */
                                         0x4FF0000000000000, /* 2^256 */
                                         0x3BF0000000000000, /* 2^-64 */
                                         0x43F0000000000000 /* 2^64 */};
enum { DAMAGE_LIMITS = sizeof damage_limits / sizeof damage_limits[0] };

/* A copy that a sanitizer watches to the byte. */
static inline void *damage_copy(const void *block, size_t size)
{
    return memcpy(workload_room(size), block, size);
}

#endif
