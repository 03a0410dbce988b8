/* Carving a block. The arena only counts: sizing and laying out run the same code and so cannot
 * drift apart. What it hands out are offsets from the start of the block, because a block holds no
 * pointers.
 *
 *   block: | model struct | table | table | … | memory of the policy |
 *          0              ^ offsets, each a multiple of 8 */
#ifndef PN_ARENA_H
#define PN_ARENA_H

#include "internal.h"

typedef struct pn_arena {
    size_t used;
    bool overflow; /* the sum no longer fits a size_t; `used` is then meaningless */
} pn_arena;

/* Of the bytes that are carved; with it the next multiple of 8 is at most SIZE_MAX / 2. */
#define PN_ARENA_MOST (SIZE_MAX / 2 - 7)

/* Carves an array behind what is carved, and so apart from it, at a multiple of 8. */
/*@ requires \valid(arena) && arena->used % 8 == 0 && arena->used <= PN_ARENA_MOST;
    assigns *arena;
    ensures arena->used % 8 == 0 && arena->used <= PN_ARENA_MOST;
    ensures arena->overflow == \old(arena->overflow) &&
            \result == \old(arena->used) && \result + count * size <= arena->used ||
            arena->overflow == 1 && \result + count * size > PN_ARENA_MOST - \old(arena->used); */
static inline size_t pn_arena_take(pn_arena *arena, size_t count, size_t size)
{
    size_t offset = arena->used;
    if (size != 0 && count > (PN_ARENA_MOST - offset) / size) {
        arena->overflow = true;
        return 0;
    }
    arena->used = (offset + count * size + 7) / 8 * 8;
    return offset;
}

/* Returns the bytes taken, or `overflow` where there cannot be so many. */
static inline size_t pn_arena_size(const pn_arena *arena, size_t overflow)
{
    return arena->overflow ? overflow : arena->used;
}

static inline void *pn_at(void *block, size_t offset)
{
    return (unsigned char *)block + offset;
}

/* How every model's block begins. */
typedef struct pn_block_head {
    char magic[8];   /* names the model */
    uint32_t layout; /* bytes of the model's struct: other builds of other shapes are told apart */
    uint32_t busy;   /* 1 while a hook or any function of the policy may be running */
    uint64_t size;   /* of the block */
} pn_block_head;

/* Returns what is wrong with a block for `needed` bytes (0 = the configuration asks for more than
 * there can be); PN_OK when nothing. */
int pn_block_fits(const void *block, size_t size, size_t needed);

/* Returns whether a block is one of this model and may be used: PN_OK, or what pn_<model>_open
 * says. */
int pn_block_check(const void *block, size_t size, const char magic[8], size_t layout);

static inline bool pn_aligned(const void *block)
{
    return (uintptr_t)block % PN_BLOCK_ALIGN == 0;
}

#endif
