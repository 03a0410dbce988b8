/* Reading exact numbers: ratios of integers, decimal notation with any number of digits,
 * doubles. */
#include "exact_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"

#define WORD_MOST ((uint64_t)INT64_MAX)

/* Beyond these every number but 0 is out of range. */
#define EXPONENT_MOST 100000

typedef struct decimal {
    int negative;
    uint64_t digits;  /* the value is digits * 10^exponent */
    int64_t exponent; /* of ten */
    int too_many;     /* digits do not fit */
} decimal;

static int is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

/* Returns the largest magnitude; a negative number can be one larger than a positive one. */
static uint64_t most_of(int negative)
{
    return WORD_MOST + (negative != 0);
}

static int64_t with_sign(uint64_t magnitude, int negative)
{
    return negative && magnitude > 0 ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
}

/* Multiplies and adds; 0 when the result passes `most`. */
static int multiply_add(uint64_t *word, uint64_t by, uint64_t plus, uint64_t most)
{
    if (*word > (most - plus) / by)
        return 0;
    *word = *word * by + plus;
    return 1;
}

/* ---- ratios ---------------------------------------------------------------------------------- */

/* Reads the digits from at on; 0 when there are none or they do not fit (*too_large). */
static int read_whole(const char **at, const char *end, uint64_t most, uint64_t *whole,
                      int *too_large)
{
    const char *from = *at;
    *whole = 0;
    for (; is_digit(*at, end); ++*at)
        if (!multiply_add(whole, 10, (uint64_t)(**at - '0'), most))
            *too_large = 1;
    return *at > from;
}

/* Reads a text that has a slash. A denominator that is too large is not 0. */
static enum exact_read read_ratio(const char *text, const char *end, pn_exact *value)
{
    int negative = *text == '-', num_large = 0, den_large = 0;
    uint64_t num, den;
    if (negative || *text == '+')
        text++;
    if (!read_whole(&text, end, most_of(negative), &num, &num_large) || *text++ != '/')
        return EXACT_NONE;
    if (!read_whole(&text, end, WORD_MOST, &den, &den_large) || text != end || den == 0)
        return EXACT_NONE;
    if (num_large || den_large)
        return num_large ? EXACT_LARGE : EXACT_FINE;
    pn_exact_make(value, with_sign(num, negative), (int64_t)den);
    return EXACT_READ;
}

/* ---- decimal notation ------------------------------------------------------------------------ */

/* Reads digits. Zeros wait until another digit follows: those at the end belong to the exponent. */
static int read_digits(const char **text, const char *end, decimal *number)
{
    const char *at = *text;
    uint64_t most = most_of(number->negative);
    int64_t zeros = 0;
    int some = 0, behind_point = 0;
    for (;; at++) {
        if (at < end && *at == '.' && !behind_point) {
            behind_point = 1;
            continue;
        }
        if (!is_digit(at, end))
            break;
        some = 1;
        number->exponent -= behind_point;
        if (*at == '0') {
            zeros += number->digits > 0;
            continue;
        }
        for (; zeros > 0 && !number->too_many; zeros--)
            number->too_many = !multiply_add(&number->digits, 10, 0, most);
        if (!number->too_many)
            number->too_many = !multiply_add(&number->digits, 10, (uint64_t)(*at - '0'), most);
        zeros = 0;
    }
    number->exponent += zeros;
    *text = at;
    return some;
}

/* Reads an exponent, if there is one; 0 when it has no digits. */
static int read_exponent(const char **text, const char *end, decimal *number)
{
    const char *at = *text;
    int64_t exponent = 0;
    int negative;
    if (at == end || (*at != 'e' && *at != 'E'))
        return 1;
    at++;
    negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (!is_digit(at, end))
        return 0;
    for (; is_digit(at, end); at++)
        if (exponent <= EXPONENT_MOST)
            exponent = 10 * exponent + (*at - '0');
    number->exponent += negative ? -exponent : exponent;
    *text = at;
    return 1;
}

/* Brings digits / 10^-exponent to lowest terms: what digits share with 10^-exponent are twos and
 * fives. */
static enum exact_read to_fraction(const decimal *number, pn_exact *value)
{
    uint64_t num = number->digits, den = 1;
    int64_t twos = number->exponent < 0 ? -number->exponent : 0, fives = twos;
    if (number->too_many)
        return number->exponent < 0 ? EXACT_FINE : EXACT_LARGE;
    if (num == 0)
        twos = fives = 0;
    for (int64_t tens = num > 0 ? number->exponent : 0; tens > 0; tens--)
        if (!multiply_add(&num, 10, 0, most_of(number->negative)))
            return EXACT_LARGE;
    for (; twos > 0 && num % 2 == 0; twos--)
        num /= 2;
    for (; fives > 0 && num % 5 == 0; fives--)
        num /= 5;
    for (; twos > 0; twos--)
        if (!multiply_add(&den, 2, 0, WORD_MOST))
            return EXACT_FINE;
    for (; fives > 0; fives--)
        if (!multiply_add(&den, 5, 0, WORD_MOST))
            return EXACT_FINE;
    *value = (pn_exact){with_sign(num, number->negative), (int64_t)den};
    return EXACT_READ;
}

enum exact_read exact_read_text(const char *text, size_t size, pn_exact *value)
{
    const char *end = text + size;
    decimal number = {.negative = size > 0 && *text == '-'};
    if (memchr(text, '/', size))
        return read_ratio(text, end, value);
    if (size > 0 && (*text == '-' || *text == '+'))
        text++;
    if (!read_digits(&text, end, &number) || !read_exponent(&text, end, &number) || text != end)
        return EXACT_NONE;
    return to_fraction(&number, value);
}

/* ---- doubles --------------------------------------------------------------------------------- */

enum exact_read exact_read_double(double x, pn_exact *value)
{
    char text[40];
    enum exact_read answer;
    if (x - x != 0.0)
        return EXACT_NONE;
    if (x >= -(double)PN_INTEGER_MAX && x <= (double)PN_INTEGER_MAX && (double)(int64_t)x == x) {
        *value = (pn_exact){(int64_t)x, 1};
        return EXACT_READ;
    }
    plain locale = plain_begin();
    snprintf(text, sizeof text, "%.15g", x);
    answer = strtod(text, NULL) == x ? exact_read_text(text, strlen(text), value) : EXACT_ROUNDED;
    plain_end(&locale);
    return answer;
}
