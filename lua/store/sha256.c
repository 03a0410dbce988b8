#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"

enum { BLOCK = 64, LENGTH_AT = 56, CHUNK = 65536 };

static const uint32_t ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void schedule(uint32_t words[64], const unsigned char *block)
{
    for (int i = 0; i < 16; i++, block += 4)
        words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
                   block[3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + words[i - 7] +
                   (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

/* Mixes a block; the letters are the standard's. */
static void mix_block(sha256 *self, const unsigned char *block)
{
    uint32_t words[64], s[8];
    schedule(words, block);
    memcpy(s, self->state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t a = s[0], e = s[4];
        uint32_t first = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                         ((e & s[5]) ^ (~e & s[6])) + ROUNDS[i] + words[i];
        uint32_t second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                          ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        self->state[i] += s[i];
}

void sha256_start(sha256 *self)
{
    static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(self->state, START, sizeof START);
    self->bytes = 0;
}

void sha256_add(sha256 *self, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    size_t filled = self->bytes % BLOCK;
    self->bytes += size;
    if (filled > 0 && filled + size >= BLOCK) {
        memcpy(self->block + filled, from, BLOCK - filled);
        mix_block(self, self->block);
        from += BLOCK - filled;
        size -= BLOCK - filled;
        filled = 0;
    }
    for (; size >= BLOCK; from += BLOCK, size -= BLOCK)
        mix_block(self, from);
    if (size > 0)
        memcpy(self->block + filled, from, size);
}

void sha256_end(sha256 *self, char text[SHA256_TEXT_SIZE])
{
    static const unsigned char padding[BLOCK] = {0x80};
    uint64_t bits = self->bytes * 8;
    size_t filled = self->bytes % BLOCK;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(self, padding, filled < LENGTH_AT ? LENGTH_AT - filled : BLOCK + LENGTH_AT - filled);
    sha256_add(self, length, sizeof length);
    for (int i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[self->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[64] = '\0';
}

/* Adds all of the open file. 0, or errno. */
static int add_file(sha256 *self, int descriptor)
{
    unsigned char chunk[CHUNK];
    ssize_t got;
    do {
        if (interrupt_pending())
            return ECANCELED;
        got = read(descriptor, chunk, sizeof chunk);
        if (got > 0)
            sha256_add(self, chunk, (size_t)got);
    } while (got > 0 || (got < 0 && errno == EINTR));
    return got < 0 ? errno : 0;
}

int sha256_file(const char *path, char text[SHA256_TEXT_SIZE])
{
    /* O_NONBLOCK: a pipe without a writer is no file, and no reason to wait for one. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), status = 0;
    struct stat info;
    sha256 self;
    if (descriptor < 0)
        return errno;
    sha256_start(&self);
    if (fstat(descriptor, &info) != 0)
        status = errno;
    else
        status = S_ISREG(info.st_mode) ? add_file(&self, descriptor) : EINVAL;
    close(descriptor);
    if (!status)
        sha256_end(&self, text);
    return status;
}
