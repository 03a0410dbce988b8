/* Carving of more bytes than there can be, and what is wrong with a caller's block. */
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

static void a_block_has_the_bytes_that_are_needed(void **unused)
{
    const uint64_t block[2] = {0};
    (void)unused;
    assert_int_equal(pn_block_fits(block, sizeof block, 0), PN_ERR_CONFIG);
    assert_int_equal(pn_block_fits(block, 0, 1), PN_ERR_SIZE);
    assert_int_equal(pn_block_fits(block, 1, 1), PN_OK);
    assert_int_equal(pn_block_fits((const unsigned char *)block + 1, 8, 8), PN_ERR_ALIGN);
}

/* A block may be its struct alone. */
static void a_block_is_looked_at_where_it_has_room_for_its_struct(void **unused)
{
    static const char magic[8] = {'p', 'n'};
    pn_block_head block = {.magic = {'p', 'n'}, .layout = sizeof block, .size = sizeof block};
    (void)unused;
    assert_int_equal(pn_block_check(&block, sizeof block - 1, magic, sizeof block), PN_ERR_SIZE);
    assert_int_equal(pn_block_check(&block, sizeof block, magic, sizeof block), PN_OK);
    block.busy = 1;
    assert_int_equal(pn_block_check(&block, sizeof block, magic, sizeof block), PN_ERR_BUSY);
    block.size++;
    assert_int_equal(pn_block_check(&block, sizeof block, magic, sizeof block), PN_ERR_SIZE);
    block.layout++;
    assert_int_equal(pn_block_check(&block, sizeof block, magic, sizeof block), PN_ERR_BLOCK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_near_the_limit_overflow_and_do_not_wrap),
        cmocka_unit_test(a_block_has_the_bytes_that_are_needed),
        cmocka_unit_test(a_block_is_looked_at_where_it_has_room_for_its_struct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
