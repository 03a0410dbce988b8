/* Blocks that no run has made: a few numbers of a stopped block are replaced by others, which fit
 * together as far as validation looks at them before the one that it has to notice. For tests with
 * cmocka. */
#ifndef FORGED_H
#define FORGED_H

#include "kept.h"

typedef struct forgery {
    void *block;
    size_t size;
    kept sound;
    int (*validate)(const void *block, size_t size);
} forgery;

static inline forgery forgery_of(void *block, size_t size,
                                 int (*validate)(const void *block, size_t size))
{
    assert_int_equal(validate(block, size), PN_OK);
    return (forgery){block, size, keep(block, size), validate};
}

/* Expects this status of the forged block, and repairs it. */
static inline void forgery_check(const forgery *self, int wanted, const char *file, int line)
{
    int status = self->validate(self->block, self->size);
    memcpy(self->block, self->sound.bytes, self->size);
    _assert_int_equal(cast_to_largest_integral_type(status), cast_to_largest_integral_type(wanted),
                      file, line);
}

static inline void forgery_end(forgery *self)
{
    free(self->sound.bytes);
    free(self->block);
}

/* A block of a model that runs a core, which lies in it from `core` on. */
typedef struct forgery_part {
    void *block;
    size_t core, size;
} forgery_part;

/* Validates the first block with the core of the other one in the place of its own; frees both. */
static inline int forgery_graft(forgery_part of, forgery_part other,
                                int (*validate)(const void *block, size_t size))
{
    size_t size = of.core + other.size - other.core;
    unsigned char *block = malloc(size);
    assert_non_null(block);
    memcpy(block, of.block, of.core);
    memcpy(block + of.core, (unsigned char *)other.block + other.core, other.size - other.core);
    ((pn_block_head *)(void *)block)->size = size;
    int status = validate(block, size);
    free(block);
    free(of.block);
    free(other.block);
    return status;
}

/* Runs statements that forge the block, and expects that validation refuses it. */
#define REFUSED(of, ...)                                          \
    do {                                                          \
        __VA_ARGS__;                                              \
        forgery_check(&(of), PN_ERR_DAMAGED, __FILE__, __LINE__); \
    } while (0)
/* The same of what may be so in a sound block. */
#define ACCEPTED(of, ...)                                \
    do {                                                 \
        __VA_ARGS__;                                     \
        forgery_check(&(of), PN_OK, __FILE__, __LINE__); \
    } while (0)

/* Expects that a sample more than the cells of statistics hold is noticed. */
#define REFUSED_OF(of, statistics) REFUSED(of, ((pn_stats *)(uintptr_t)(statistics))->count++)

#endif
