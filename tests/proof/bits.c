/* One call of any function of kernel/base/bits.h on a set of two levels: whichever of its words are
 * not 0, and whatever they are. The levels then agree again. */
#include "proof.h"

/* Returns the number of zeros below the lowest bit of a word that is not 0. */
static int lowest_bit(uint64_t word)
{
    int index = 0;
    //@ assert word != 0;
    //@ loop unroll 6;
    for (int half = 32; half > 0; half /= 2)
        if (word << (64 - half) == 0) {
            word >>= half;
            index += half;
        }
    return index;
}
#define __builtin_ctzll lowest_bit

#include "base/bits.h"

enum { WORDS = 3, MEMBERS = WORDS * 64 };

static uint64_t words[WORDS + 1];

void main(void)
{
    uint64_t above = 0;
    for (int i = 0; i < WORDS; i++)
        if (any()) {
            words[i] = Frama_C_unsigned_long_interval(1, UINT64_MAX);
            above |= (uint64_t)1 << i;
        }
    words[WORDS] = above;
    pn_bits_words_most(any_long(), any_long());
    pn_bits bits = pn_bits_at(words, MEMBERS);
    uint32_t member = each_below(WORDS) * 64 + any_below(64);
    switch (any_below(5)) {
    case 0:
        pn_bits_set(&bits, member);
        break;
    case 1:
        pn_bits_clear(&bits, member);
        break;
    case 2:
        pn_bits_empty(&bits, MEMBERS);
        break;
    case 3:
        pn_bits_is_empty(&bits);
        break;
    default:
        pn_bits_next(&bits, member);
    }
    //@ assert words[WORDS] < 8;
    //@ assert ((words[WORDS] & 1) != 0) <==> (words[0] != 0);
    //@ assert ((words[WORDS] & 2) != 0) <==> (words[1] != 0);
    //@ assert ((words[WORDS] & 4) != 0) <==> (words[2] != 0);
}
