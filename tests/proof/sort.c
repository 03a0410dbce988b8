/* Sorting any numbers, in arrays of any size up to COUNT, by any comparison. */
#include "proof.h"

#include "base/sort.c"

enum { COUNT = 9, WORDS = 40, ITEMS = 30, STRIDE = 3 };

static uint32_t items[COUNT], room[COUNT];
static uint64_t words[WORDS], words_room[WORDS], keys[ITEMS * STRIDE];

static bool any_before(const void *context, uint32_t a, uint32_t b)
{
    //@ assert a < ITEMS && b < ITEMS;
    return any();
}

static void make(void)
{
    for (int i = 0; i < COUNT; i++) {
        items[i] = any_below(ITEMS);
        room[i] = any_below(ITEMS);
    }
    for (int i = 0; i < WORDS; i++) {
        words[i] = any_long();
        words_room[i] = any_long();
    }
    for (int i = 0; i < ITEMS * STRIDE; i++)
        keys[i] = any_long();
}

void main(void)
{
    size_t count = any_below(COUNT + 1);
    make();
    //@ split count;
    if (any())
        pn_sort(items, count, keys, STRIDE * sizeof *keys);
    else
        pn_sort_by(items, count, room, any_before, NULL);
    pn_sort_by_upper(words, any_below(WORDS + 1), words_room);
    for (int i = 0; i < COUNT; i++) {
        //@ assert items[i] < ITEMS;
    }
}
