/* Seals of blocks of up to 40 bytes behind their head, and of any bytes: what a stranger gives. */
#include "proof.h"

#include "base/seal.c"

enum { SIZE = 40 };

static union {
    pn_block_head head;
    unsigned char bytes[SIZE];
} block;
static unsigned char seal[PN_SEAL_SIZE];

void main(void)
{
    size_t size = each_below(SIZE + 1);
    for (int i = 0; i < SIZE; i++)
        block.bytes[i] = (unsigned char)any_below(256);
    for (int i = 0; i < PN_SEAL_SIZE; i++)
        seal[i] = (unsigned char)any_below(256);
    const unsigned char *its = any() ? seal : NULL;
    const void *bytes = any() ? &block : NULL;
    if (any())
        block.head.size = each_below(SIZE + 1);
    switch (any_below(3)) {
    case 0:
        pn_seal(bytes, size, its ? seal : NULL);
        break;
    case 1:
        pn_sealed_size(its);
        break;
    default:
        seal_put_word(seal + 8 * SEAL_SIZE, each_below(SIZE + 1));
        pn_unseal(bytes, size, its);
    }
}
