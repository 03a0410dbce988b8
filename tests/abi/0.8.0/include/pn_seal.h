/* Seals: whether a block that was kept somewhere is, to the bit, the one that was put there, and
 * whether this library can open it. A seal lies beside its block, in a file, a message or a flash
 * page; any model's block, and a timeline, can be sealed.
 *
 * A seal finds accidents: every change of up to 64 neighbouring bits in block or seal is refused,
 * any other with all but one of 2^64 chances. Whoever can write the block can write the seal, too:
 * bytes from a stranger are unsealed and then validated (pn_<model>_validate).
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 104/72 (see docs/embedding.md). */
#ifndef PN_SEAL_H
#define PN_SEAL_H

#include "pn_base.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* Bytes of a seal, which needs no alignment. */
#define PN_SEAL_SIZE 40

/* The format of the state in blocks: a version of the library that lays it out otherwise has
 * another number. */
#define PN_SEAL_FORMAT 1

/* Writes the seal of the block at `block`, of which `size` bytes are there: it covers the
 * pn_<model>_block_size bytes of the block. PN_OK; PN_ERR_ARGUMENT (null), PN_ERR_ALIGN,
 * PN_ERR_SIZE, PN_ERR_BLOCK (no block), PN_ERR_BUSY (from inside a hook: such a block is half a
 * slot). The seal is written with PN_OK only. O(size). */
int pn_seal(const void *block, size_t size, unsigned char seal[PN_SEAL_SIZE]);

/* Whether the block is the one that was sealed: PN_OK; PN_ERR_VERSION: sealed by a library with
 * another format, or on a machine with another order of bytes or other sizes of types; PN_ERR_SEAL:
 * block or seal were changed since; PN_ERR_ARGUMENT (null), PN_ERR_ALIGN, PN_ERR_SIZE (fewer bytes
 * than were sealed). Reads only. O(size). */
int pn_unseal(const void *block, size_t size, const unsigned char seal[PN_SEAL_SIZE]);

/* How many bytes of a block belong to a seal, to read so many; 0 when these bytes are no seal of
 * this library. The block decides whether the rest of the seal is right. O(1). */
uint64_t pn_sealed_size(const unsigned char seal[PN_SEAL_SIZE]);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
