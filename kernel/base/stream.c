/* Random streams: Philox 4x32-10, a bijection of a 128-bit counter keyed by the seed. Block n of a
 * stream is computed from n alone, so a stream is a few words that may be copied, and no stream can
 * disturb another. */
#include "internal.h"

#define ROUNDS 10
#define WORDS  4u

/* The multipliers and key increments of the paper; the increments are the golden ratio and sqrt(3)
 * - 1 as 32-bit fractions. */
#define MULTIPLIER_0 UINT64_C(0xD2511F53)
#define MULTIPLIER_1 UINT64_C(0xCD9E8D57)
#define KEY_STEP_0   UINT32_C(0x9E3779B9)
#define KEY_STEP_1   UINT32_C(0xBB67AE85)

void pn_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4])
{
    PN_ASSERT(counter && key);
    PN_ASSERT(block);

    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t product_0 = MULTIPLIER_0 * c0;
        uint64_t product_1 = MULTIPLIER_1 * c2;
        c0 = (uint32_t)(product_1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)product_1;
        c2 = (uint32_t)(product_0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)product_0;
        k0 += KEY_STEP_0;
        k1 += KEY_STEP_1;
    }
    block[0] = c0;
    block[1] = c1;
    block[2] = c2;
    block[3] = c3;
}

void pn_stream_init(pn_stream *stream, uint64_t seed, uint32_t replica, uint32_t purpose)
{
    PN_ASSERT(stream);
    *stream = (pn_stream){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, 0, replica, purpose},
        .used = WORDS, /* the first draw computes the first block */
    };
}

static inline uint32_t next_word(pn_stream *stream)
{
    if (stream->used == WORDS) {
        pn_philox(stream->counter, stream->key, stream->block);
        /* The block index is 64 bits wide in two words: it does not run into the replica. */
        stream->counter[0]++;
        stream->counter[1] += stream->counter[0] == 0;
        stream->used = 0;
    }
    return stream->block[stream->used++];
}

uint32_t pn_random32(pn_stream *stream)
{
    PN_ASSERT(stream);
    PN_ASSERT(stream->used <= WORDS);
    return next_word(stream);
}

uint64_t pn_random64(pn_stream *stream)
{
    PN_ASSERT(stream);
    PN_ASSERT(stream->used <= WORDS);
    uint64_t low = next_word(stream);
    uint64_t high = next_word(stream);
    return high << 32 | low;
}
