/* Floats as decimal text: the same bytes as a loop over printf and strtod. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/decimal.h"
#include "pn_base.h"

static void write_by_printf(char text[DECIMAL_SIZE], double x)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, DECIMAL_SIZE, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    if (!strpbrk(text, ".eE"))
        strcat(text, ".0");
}

static void check(double x)
{
    char text[DECIMAL_SIZE], expected[DECIMAL_SIZE];
    for (int sign = 0; sign <= 1; sign++, x = -x) {
        size_t size = decimal_write(text, x);
        write_by_printf(expected, x);
        if (strcmp(text, expected) != 0 || size != strlen(expected))
            fail_msg("%a: %s (%zu bytes), expected %s", x, text, size, expected);
    }
}

static void known_numbers(void **state)
{
    static const double numbers[] = {0.0,
                                     0.1,
                                     1.0,
                                     0.5,
                                     1.0 / 3,
                                     2.0 / 3,
                                     1.0 / 64,
                                     1.0 / 65,
                                     1.0 / 128,
                                     9.95,
                                     99.5,
                                     0.999999,
                                     1e15,
                                     1e22,
                                     1e-5,
                                     1e-4,
                                     1e14 + 0.5,
                                     5e-324,
                                     1e300,
                                     1e-9,
                                     DBL_MAX,
                                     DBL_MIN,
                                     1e15 - 0.125,
                                     4503599627370497.5,
                                     0.30000000000000004};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        check(numbers[i]);
}

/* Near what has few digits, and what reads as 9.99…: there digits carry. */
static void neighbours(void **state)
{
    (void)state;
    for (int digits = 1; digits <= 17; digits++) {
        double scale = 1.0;
        for (int i = 0; i < digits; i++)
            scale *= 10.0;
        for (int n = 1; n < 1000; n += 7) {
            union {
                double number;
                uint64_t word;
            } x = {.number = n / scale * (n % 2 ? 1.0 : 1e6)};
            x.word -= 3;
            for (int i = 0; i < 7; i++, x.word++)
                check(x.number);
        }
    }
}

static void random_numbers(void **state)
{
    uint64_t seed = (uint64_t)time(NULL);
    pn_stream stream;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    pn_stream_init(&stream, seed, 0, 0);
    for (int i = 0; i < 60000; i++) {
        uint64_t word = pn_random64(&stream);
        double x;
        memcpy(&x, &word, sizeof x);
        if (x - x == 0.0)
            check(x);
        word = (word & ~((uint64_t)0x7FF << 52)) | pn_uniform(&stream, 1010, 1080) << 52;
        memcpy(&x, &word, sizeof x); /* about 1 */
        check(x);
        check((double)pn_uniform(&stream, 0, 1000000) / (double)pn_uniform(&stream, 1, 1000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_numbers),
                                       cmocka_unit_test(neighbours),
                                       cmocka_unit_test(random_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
