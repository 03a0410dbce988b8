/* Carving of more bytes than there can be. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"

/* At any distance from the limit: two arrays that together are the whole address space never fit,
 * and what fits ends below half of it. */
static void sizes_near_the_limit_overflow_and_do_not_wrap(void **unused)
{
    (void)unused;
    for (size_t below = 0; below < 32; below++)
        for (size_t size = 1; size <= 8; size *= 8) {
            pn_arena arena = {0, false};
            pn_arena_take(&arena, (SIZE_MAX / 2 - below) / size, size);
            assert_true(arena.overflow || arena.used <= SIZE_MAX / 2);
            pn_arena_take(&arena, SIZE_MAX / 2 / size, size);
            assert_true(arena.overflow);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_near_the_limit_overflow_and_do_not_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
