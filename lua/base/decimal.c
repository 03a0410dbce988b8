/* See decimal.h. */
#include "base/decimal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANTISSA ((uint64_t)1 << 52)

static size_t write_integer(char *text, uint64_t n)
{
    char digits[20];
    size_t count = 0, size = 0;
    do {
        digits[count++] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    while (count > 0)
        text[size++] = digits[--count];
    return size;
}

/* Writes a number with a fraction, mantissa * 2^-bits, by the free-format algorithm of Steele and
 * White (1990): digits of the fraction until what is left is less than half a unit in the last
 * place of the mantissa, which is 1 of 2^(bits + 1) here. 1 <= bits <= 58, and the mantissa is no
 * power of two, below which floats lie closer. Returns the length, 0 when it gives up. */
static size_t write_fraction(char *text, uint64_t mantissa, unsigned bits)
{
    uint64_t one = (uint64_t)1 << (bits + 1), rest = 2 * mantissa & (one - 1), half = 1;
    size_t size = write_integer(text, mantissa >> bits);
    int closed = (mantissa & 1) == 0, low, high;
    text[size++] = '.';
    do {
        rest *= 10;
        half *= 10;
        text[size++] = (char)('0' + (rest >> (bits + 1)));
        rest &= one - 1;
        low = closed ? rest <= half : rest < half;
        high = closed ? rest + half >= one : rest + half > one;
    } while (!low && !high);
    if (2 * rest == one)
        return 0; /* a tie: printf knows */
    if (2 * rest > one)
        text[size - 1]++; /* no 9: what rounds it up ends one digit earlier */
    return size;
}

/* Tries one digit more until it reads back. */
static size_t write_by_printf(char text[DECIMAL_SIZE], double x)
{
    int digits = 15;
    do
        snprintf(text, DECIMAL_SIZE, "%.*g", digits, x);
    while (digits++ < 17 && strtod(text, NULL) != x);
    if (!strpbrk(text, ".eE"))
        strcat(text, ".0");
    return strlen(text);
}

size_t decimal_write(char text[DECIMAL_SIZE], double x)
{
    uint64_t word;
    size_t sign = x < 0, size = 0;
    double magnitude = sign ? -x : x;
    text[0] = '-';
    if (magnitude > 0 && magnitude < 1e15 && magnitude == (double)(uint64_t)magnitude) {
        size = write_integer(text + sign, (uint64_t)magnitude);
        memcpy(text + sign + size, ".0", 3);
        return sign + size + 2;
    }
    memcpy(&word, &magnitude, sizeof word);
    unsigned exponent = (unsigned)(word >> 52); /* of 2^(exponent - 1075) times the mantissa */
    if (1017 <= exponent && magnitude < 1e15 && word % MANTISSA != 0)
        size = write_fraction(text + sign, word % MANTISSA + MANTISSA, 1075 - exponent);
    text[sign + size] = '\0';
    return size > 0 ? sign + size : write_by_printf(text, x);
}
