/* Exact numbers as people write them. */
#ifndef PINION_SANDBOX_EXACT_READ_H
#define PINION_SANDBOX_EXACT_READ_H

#include "pinion.h"
#include "pn_strict.h"

enum exact_read {
    EXACT_READ,    /* it is written to *value, in lowest terms */
    EXACT_NONE,    /* not a number */
    EXACT_LARGE,   /* the numerator does not fit */
    EXACT_FINE,    /* the denominator does not fit, or there are too many digits */
    EXACT_ROUNDED, /* a double that no decimal number of at most 15 digits is read as */
    EXACT_ANSWERS
};

/* "107/3", or decimal notation: 12, -0.5, 1.5e-3. The text ends at text[size]. */
enum exact_read exact_read_text(const char *text, size_t size, pn_exact *value);

/* A double stands for the decimal number of at most 15 significant digits that is read as it, and
 * there is at most one; or for the integer that it is, up to 2^53. */
enum exact_read exact_read_double(double x, pn_exact *value);

#endif
