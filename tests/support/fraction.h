/* Fractions for the naive makespan model: small numbers, always in lowest terms, and the end of the
 * program where one does not fit. */
#ifndef NAIVE_MAKESPAN_FRACTION_H
#define NAIVE_MAKESPAN_FRACTION_H

#include <stdbool.h>

typedef struct fraction {
    long long num, den; /* den >= 1 */
} fraction;

fraction fraction_make(long long num, long long den); /* den is not 0 */
fraction fraction_whole(long long value);
fraction fraction_add(fraction a, fraction b);
fraction fraction_subtract(fraction a, fraction b);
fraction fraction_multiply(fraction a, fraction b);
fraction fraction_divide(fraction a, fraction b); /* b is not 0 */
int fraction_compare(fraction a, fraction b);     /* -1, 0, 1 */
bool fraction_less(fraction a, fraction b);
bool fraction_equal(fraction a, fraction b);
fraction fraction_most(fraction a, fraction b);

/* The least common multiple of two positive numbers. */
long long fraction_common(long long a, long long b);

#endif
