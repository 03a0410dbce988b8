/* SHA-256 (FIPS 180-4): names of what is computed, which must be equal on all machines and must not
 * meet by chance. */
#ifndef PINION_STORE_SHA256_H
#define PINION_STORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_TEXT_SIZE 65 /* 64 hex digits and the end */

typedef struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64]; /* what waits until a block is full */
} sha256;

void sha256_start(sha256 *self);
void sha256_add(sha256 *self, const void *bytes, size_t size);
void sha256_end(sha256 *self, char text[SHA256_TEXT_SIZE]);

/* Hashes a regular file: 0; EINVAL: it is none; ECANCELED: interrupted; or another errno. */
int sha256_file(const char *path, char text[SHA256_TEXT_SIZE]);

#endif
