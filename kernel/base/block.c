/* Blocks as they come from the caller: new ones, and copies. */
#include "arena.h"

int pn_block_fits(const void *block, size_t size, size_t needed)
{
    if (!pn_aligned(block))
        return PN_ERR_ALIGN;
    if (needed == 0)
        return PN_ERR_CONFIG;
    return size < needed ? PN_ERR_SIZE : PN_OK;
}

int pn_block_check(const void *block, size_t size, const char magic[8], size_t layout)
{
    const pn_block_head *head = block;
    if (!block)
        return PN_ERR_ARGUMENT;
    if (!pn_aligned(block))
        return PN_ERR_ALIGN;
    if (size < layout)
        return PN_ERR_SIZE;
    if (!pn_same_bytes(head->magic, magic, sizeof head->magic) || head->layout != layout)
        return PN_ERR_BLOCK;
    if (size < head->size)
        return PN_ERR_SIZE;
    return head->busy ? PN_ERR_BUSY : PN_OK;
}
