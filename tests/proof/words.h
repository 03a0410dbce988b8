/* What C says of unsigned words and WP does not know: included before the sources that WP proves.
 * These axioms are not proved. */
#ifndef PROOF_WORDS_H
#define PROOF_WORDS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*@ axiomatic Words {
      axiom word_wraps: \forall integer a; -0x10000000000000000 <= a < 0x20000000000000000 ==>
        (uint64_t)a == (a < 0             ? a + 0x10000000000000000
                        : a <= UINT64_MAX ? a
                                          : a - 0x10000000000000000);
      axiom word_lower: \forall integer a; 0 <= a <= UINT64_MAX ==>
        (uint32_t)a == a % 0x100000000;
      axiom word_upper: \forall integer a; 0 <= a <= UINT64_MAX ==>
        (a >> 32) == a / 0x100000000;
      axiom word_join: \forall integer a, b;
        0 <= a <= UINT64_MAX && 0 <= b < 0x100000000 ==>
        ((uint64_t)(a << 32) | b) == a % 0x100000000 * 0x100000000 + b;
    } */

#endif
