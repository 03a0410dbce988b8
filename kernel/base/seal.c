/* Seals of blocks. A seal is five words, little-endian everywhere:
 *
 *   0  "pnsealed"
 *   1  the format, and what the machine that wrote the block makes of types and bytes
 *   2  a word of the block's own machine, so that another order of bytes shows
 *   3  bytes of the block
 *   4  pn_mix over the words before it and those of the block
 *
 * pn_mix is one to one in each of its arguments: two sequences that differ in one word, and in no
 * other, never have the same checksum. */
#include "arena.h"
#include "internal.h"
#include "memory.h"
#include "pn_seal.h"

enum { SEAL_NAME, SEAL_FORMAT, SEAL_ORDER, SEAL_SIZE, SEAL_SUM, SEAL_WORDS };

#define SEAL_MAGIC ((uint64_t)0x64656c6165736e70u) /* "pnsealed" */
#define SEAL_BYTES ((uint64_t)0x0807060504030201u)

_Static_assert(SEAL_WORDS * 8 == PN_SEAL_SIZE, "the seal has the size that the header says");

static uint64_t seal_get_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | bytes[i];
    return word;
}

static void seal_put_word(unsigned char *bytes, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

/* Hashes the sizes that decide where the fields of a block lie. */
static uint64_t seal_format_word(void)
{
    struct {
        char first;
        uint64_t word;
    } pair;
    uint64_t align = sizeof pair - sizeof pair.word;
    return (uint64_t)PN_SEAL_FORMAT << 32 | align << 16 | sizeof(size_t) << 8 | sizeof(void *);
}

/* Returns how this machine keeps the word that says 1, 2, … in order on a little-endian one. */
static uint64_t seal_order_word(void)
{
    uint64_t word = SEAL_BYTES;
    unsigned char bytes[8];
    memcpy(bytes, &word, sizeof bytes);
    return seal_get_word(bytes);
}

static uint64_t seal_sum_of(const unsigned char *seal, const void *block, uint64_t size)
{
    const unsigned char *bytes = block;
    uint64_t sum = PN_MIX_START;
    for (int i = 0; i < SEAL_SUM; i++)
        sum = pn_mix(sum, seal_get_word(seal + 8 * i));
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        sum = pn_mix(sum, word);
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, bytes, (size_t)size);
        sum = pn_mix(sum, word);
    }
    return sum;
}

/* Checks what every block begins with, whatever its model. */
static int seal_check_head(const pn_block_head *head, size_t size)
{
    if (size < sizeof *head)
        return PN_ERR_SIZE;
    if (head->magic[0] != 'p' || head->magic[1] != 'n' || head->layout < sizeof *head ||
        head->size < head->layout)
        return PN_ERR_BLOCK;
    if (size < head->size)
        return PN_ERR_SIZE;
    return head->busy ? PN_ERR_BUSY : PN_OK;
}

int pn_seal(const void *block, size_t size, unsigned char seal[PN_SEAL_SIZE])
{
    const pn_block_head *head = block;
    int status;
    if (!block || !seal)
        return PN_ERR_ARGUMENT;
    if (!pn_aligned(block))
        return PN_ERR_ALIGN;
    status = seal_check_head(head, size);
    if (status)
        return status;
    seal_put_word(seal + 8 * SEAL_NAME, SEAL_MAGIC);
    seal_put_word(seal + 8 * SEAL_FORMAT, seal_format_word());
    seal_put_word(seal + 8 * SEAL_ORDER, seal_order_word());
    seal_put_word(seal + 8 * SEAL_SIZE, head->size);
    seal_put_word(seal + 8 * SEAL_SUM, seal_sum_of(seal, block, head->size));
    return PN_OK;
}

uint64_t pn_sealed_size(const unsigned char seal[PN_SEAL_SIZE])
{
    if (!seal || seal_get_word(seal + 8 * SEAL_NAME) != SEAL_MAGIC ||
        seal_get_word(seal + 8 * SEAL_FORMAT) != seal_format_word() ||
        seal_get_word(seal + 8 * SEAL_ORDER) != seal_order_word())
        return 0;
    return seal_get_word(seal + 8 * SEAL_SIZE);
}

int pn_unseal(const void *block, size_t size, const unsigned char seal[PN_SEAL_SIZE])
{
    uint64_t sealed;
    if (!block || !seal)
        return PN_ERR_ARGUMENT;
    if (!pn_aligned(block))
        return PN_ERR_ALIGN;
    if (seal_get_word(seal + 8 * SEAL_NAME) != SEAL_MAGIC)
        return PN_ERR_SEAL;
    if (seal_get_word(seal + 8 * SEAL_FORMAT) != seal_format_word() ||
        seal_get_word(seal + 8 * SEAL_ORDER) != seal_order_word())
        return PN_ERR_VERSION;
    sealed = seal_get_word(seal + 8 * SEAL_SIZE);
    if (sealed > size)
        return PN_ERR_SIZE;
    return seal_sum_of(seal, block, sealed) == seal_get_word(seal + 8 * SEAL_SUM) ? PN_OK
                                                                                  : PN_ERR_SEAL;
}
