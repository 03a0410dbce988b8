/* Carving of any sizes, and blocks of any content. */
#include "proof.h"

#include "base/block.c"

static union {
    uint64_t words[8];
    pn_block_head head;
} block;

void main(void)
{
    pn_arena arena = {0, any()};
    size_t size = any_long(), layout = any_long();
    unsigned char *from = (unsigned char *)&block + any_below(8);
    arena.used = Frama_C_unsigned_long_interval(0, PN_ARENA_MOST / 8) * 8;
    pn_arena_take(&arena, any_long(), any_long());
    pn_arena_size(&arena, any_long());
    Frama_C_make_unknown((char *)&block, sizeof block);
    pn_block_fits(from, size, any_long());
    pn_block_check(any() ? from : NULL, size, any() ? "pnslot01" : "pntime01",
                   Frama_C_unsigned_long_interval(sizeof block.head, SIZE_MAX));
    pn_at(&block, any_below(sizeof block));
}
