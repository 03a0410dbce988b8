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
    uint32_t item[ITEMS + 1], want[ITEMS];
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

/* Checks where the words end: a pass over them for every six bits of the largest upper half. */
static void check_passes(const fixture *f, bool moved)
{
    uint64_t largest = 0;
    int passes = 0;
    for (size_t i = 0; i < f->count; i++)
        largest = f->key[i] > largest ? f->key[i] : largest;
    for (; largest > 0; largest >>= 6)
        passes++;
    assert_true(f->count < ITEMS / 2 || moved == (passes % 2 == 1));
}

static void check(uint64_t most)
{
    static fixture f;
    uint32_t room[ITEMS + 1];
    uint64_t words[ITEMS + 2] = {UINT64_MAX}, *word = words + 1, other[ITEMS + 1];
    pn_stream_init(&f.stream, most, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        draw(&f, most);
        for (uint32_t i = 0; i < f.count; i++)
            word[i] = f.key[i] << 32 | i;
        /* What lies before and behind is not read, whatever it is. */
        const uint64_t behind = round % 2 ? UINT64_MAX : 0;
        word[f.count] = other[f.count] = behind;
        f.item[f.count] = UINT32_MAX;
        room[f.count] = UINT32_MAX - 1;
        const uint64_t *sorted = pn_sort_by_upper(word, f.count, other);
        check_passes(&f, sorted == other);
        pn_sort_by(f.item, f.count, room, precedes, f.key);
        for (uint32_t i = 0; i < f.count; i++) {
            assert_int_equal(f.item[i], f.want[i]);
            assert_int_equal(sorted[i] & UINT32_MAX, f.want[i]);
        }
        pn_sort(f.item, f.count, f.key, sizeof *f.key);
        for (uint32_t i = 0; i < f.count; i++)
            assert_true(f.key[f.item[i]] == f.key[f.want[i]]);
        assert_true(words[0] == UINT64_MAX);
        assert_true(word[f.count] == behind && other[f.count] == behind);
        assert_true(f.item[f.count] == UINT32_MAX && room[f.count] == UINT32_MAX - 1);
    }
}

static void all_sorts_agree(void **unused)
{
    static const uint64_t most[] = {0, 1, 50, 1 << 12, UINT32_MAX};
    (void)unused;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        check(most[i]);
}

/* The first word alone has upper bits. */
static void no_word_is_left_out_of_the_passes(void **unused)
{
    uint64_t words[ITEMS], room[ITEMS];
    (void)unused;
    for (uint64_t i = 0; i < ITEMS; i++)
        words[i] = i == 0 ? UINT64_MAX : (i * 37 % 64) << 32;
    const uint64_t *sorted = pn_sort_by_upper(words, ITEMS, room);
    for (size_t i = 1; i < ITEMS; i++)
        assert_true(sorted[i - 1] <= sorted[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_sorts_agree),
                                       cmocka_unit_test(no_word_is_left_out_of_the_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
