/* See fraction.h. */
#include "fraction.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static long long too_large(void)
{
    fprintf(stderr, "naive_makespan: a number is too large\n");
    abort();
}

static long long magnitude(long long a)
{
    return a < 0 ? -a : a;
}

static long long times(long long a, long long b)
{
    if (a != 0 && magnitude(b) > LLONG_MAX / magnitude(a))
        return too_large();
    return a * b;
}

static long long plus(long long a, long long b)
{
    if (b > 0 ? a > LLONG_MAX - b : a < -LLONG_MAX - b)
        return too_large();
    return a + b;
}

static long long divisor(long long a, long long b)
{
    while (b != 0) {
        long long rest = a % b;
        a = b;
        b = rest;
    }
    return magnitude(a);
}

long long fraction_common(long long a, long long b)
{
    return times(a / divisor(a, b), b);
}

fraction fraction_make(long long num, long long den)
{
    long long both = divisor(num, den);
    if (den == 0)
        abort();
    if (den < 0)
        both = -both;
    return (fraction){num / both, den / both};
}

fraction fraction_whole(long long value)
{
    return (fraction){value, 1};
}

fraction fraction_add(fraction a, fraction b)
{
    long long den = fraction_common(a.den, b.den);
    return fraction_make(plus(times(a.num, den / a.den), times(b.num, den / b.den)), den);
}

fraction fraction_subtract(fraction a, fraction b)
{
    return fraction_add(a, (fraction){-b.num, b.den});
}

fraction fraction_multiply(fraction a, fraction b)
{
    fraction left = fraction_make(a.num, b.den);
    fraction right = fraction_make(b.num, a.den);
    return fraction_make(times(left.num, right.num), times(left.den, right.den));
}

fraction fraction_divide(fraction a, fraction b)
{
    return fraction_multiply(a, fraction_make(b.den, b.num));
}

int fraction_compare(fraction a, fraction b)
{
    long long difference = fraction_subtract(a, b).num;
    return (difference > 0) - (difference < 0);
}

bool fraction_less(fraction a, fraction b)
{
    return fraction_compare(a, b) < 0;
}

bool fraction_equal(fraction a, fraction b)
{
    return fraction_compare(a, b) == 0;
}

fraction fraction_most(fraction a, fraction b)
{
    return fraction_less(a, b) ? b : a;
}
