/* The three sorts against an insertion sort, with few and with many different keys. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/sort.h"

enum { ITEMS = 200, ROUNDS = 60 };

typedef struct fixture {
    pn_stream stream;
    uint64_t key[ITEMS];
    uint32_t item[ITEMS], want[ITEMS];
    size_t count;
} fixture;

static bool precedes(const void *keys, uint32_t a, uint32_t b)
{
    const uint64_t *key = keys;
    return key[a] < key[b];
}

/* Draws keys below `most`, and sorts the items as slowly as can be. */
static void draw(fixture *f, uint64_t most)
{
    f->count = (size_t)pn_uniform(&f->stream, 0, ITEMS);
    for (uint32_t i = 0; i < f->count; i++) {
        f->key[i] = pn_uniform(&f->stream, 0, most);
        f->item[i] = i;
        uint32_t at = i;
        for (; at > 0 && f->key[f->want[at - 1]] > f->key[i]; at--)
            f->want[at] = f->want[at - 1];
        f->want[at] = i;
    }
}

static void check(uint64_t most)
{
    static fixture f;
    uint32_t room[ITEMS];
    uint64_t word[ITEMS], other[ITEMS];
    pn_stream_init(&f.stream, most, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        draw(&f, most);
        for (uint32_t i = 0; i < f.count; i++)
            word[i] = f.key[i] << 32 | i;
        const uint64_t *sorted = pn_sort_by_upper(word, f.count, other);
        pn_sort_by(f.item, f.count, room, precedes, f.key);
        for (uint32_t i = 0; i < f.count; i++) {
            assert_int_equal(f.item[i], f.want[i]);
            assert_int_equal(sorted[i] & UINT32_MAX, f.want[i]);
        }
        pn_sort(f.item, f.count, f.key, sizeof *f.key);
        for (uint32_t i = 0; i < f.count; i++)
            assert_true(f.key[f.item[i]] == f.key[f.want[i]]);
    }
}

static void all_sorts_agree(void **unused)
{
    static const uint64_t most[] = {0, 1, 50, 1 << 12, UINT32_MAX};
    (void)unused;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        check(most[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_sorts_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
