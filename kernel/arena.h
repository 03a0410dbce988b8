/* Carving a block. The arena only counts: sizing and laying out run the same code and so cannot drift apart. What it hands out
 * are offsets from the start of the block, because a block holds no pointers.
 *
 *   block: | model struct | table | table | … | room for the policy |
 *          0              ^ offsets, each a multiple of 8
 */
#ifndef PN_ARENA_H
#define PN_ARENA_H

#include "pn_internal.h"

typedef struct pn_arena {
    size_t used;
    bool overflow; /* the sum no longer fits a size_t; `used` is then meaningless */
} pn_arena;

static inline size_t pn_arena_take(pn_arena *arena, size_t count, size_t size)
{
    size_t offset = arena->used;
    if (size != 0 && count > (SIZE_MAX / 2 - offset) / size) {
        arena->overflow = true;
        return 0;
    }
    arena->used = (offset + count * size + 7) & ~(size_t)7;
    return offset;
}

static inline void *pn_at(void *block, size_t offset)
{
    return (unsigned char *)block + offset;
}

static inline bool pn_aligned(const void *block)
{
    return (uintptr_t)block % PN_BLOCK_ALIGN == 0;
}

#endif
