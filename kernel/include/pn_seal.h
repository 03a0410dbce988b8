/* Seals show whether a stored block is, to the bit, the one that was sealed, and whether this
 * library can open it. A seal is stored beside its block, in a file, a message or a flash page.
 * Blocks of all models, and timelines, can be sealed.
 *
 * A seal detects accidents: every change of up to 64 neighbouring bits in block or seal, and any
 * other change except with a probability of 2^-64. An attacker who can write the block can also
 * write the seal: validate bytes from an untrusted source (pn_<model>_validate).
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

/* The format of the state in blocks; a version of the library with another layout has another
 * number. */
#define PN_SEAL_FORMAT 1

/* Writes the seal of the block at `block`, of which `size` bytes are there; the seal covers its
 * pn_<model>_block_size bytes. Returns PN_OK; PN_ERR_ARGUMENT (null), PN_ERR_ALIGN, PN_ERR_SIZE,
 * PN_ERR_BLOCK (no block), PN_ERR_BUSY (in a hook, when a block is half a step). After an error
 * nothing is written. O(size). */
int pn_seal(const void *block, size_t size, unsigned char seal[PN_SEAL_SIZE]);

/* Checks that the block is the one that was sealed; it only reads. Returns PN_OK; PN_ERR_VERSION:
 * sealed by a library of another format, or on a machine with another byte order or other sizes of
 * types; PN_ERR_SEAL: the block or the seal was changed; PN_ERR_ARGUMENT (null), PN_ERR_ALIGN,
 * PN_ERR_SIZE (fewer bytes than were sealed). O(size). */
int pn_unseal(const void *block, size_t size, const unsigned char seal[PN_SEAL_SIZE]);

/* Returns the bytes of the block that belongs to a seal, so that a host can read them; 0 if these
 * bytes are no seal of this library. pn_unseal checks the rest of the seal. O(1). */
uint64_t pn_sealed_size(const unsigned char seal[PN_SEAL_SIZE]);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
