/* How many words sets of bits take together at most. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bits.h"

/* Checks sets of one size, as many as it takes for the remainders of the division to matter. */
static void check_sets(size_t size)
{
    for (size_t sets = 1; sets <= 32; sets++)
        assert_true(sets * pn_bits_words(size) <= pn_bits_words_most(sets * size, sets));
}

static void sets_never_take_more_words_than_the_bound(void **unused)
{
    (void)unused;
    for (size_t size = 0; size <= 20000; size++)
        check_sets(size);
    for (size_t size = 64; size <= (size_t)1 << 24; size *= 2)
        for (size_t more = 0; more <= 65; more++)
            check_sets(size + more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_never_take_more_words_than_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
