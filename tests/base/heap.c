/* The heap against an unsorted table searched from end to end: random operations, every invariant
 * walked after each of them, ties broken by id, walks in order and within the room they promise to
 * need. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/heap.h"

enum { ITEMS = 150, OPERATIONS = 30000, NONE = ITEMS };

/* Keys come from few values, so that ties are the rule. */
enum { WORDS = 5 };

typedef struct fixture {
    pn_stream stream;
    pn_heap_state state;
    pn_heap_entry entry[ITEMS];
    uint32_t place[ITEMS];
    uint64_t id[ITEMS];
    pn_heap heap;
    /* what the heap ought to hold */
    bool present[ITEMS];
    uint64_t word[ITEMS][2];
    uint32_t count;
} fixture;

static void setup(fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    pn_stream_init(&f->stream, seed, 0, 0);
    f->state.capacity = ITEMS;
    f->heap = (pn_heap){&f->state, f->entry, f->place, 1, f->id, 1};
    /* Ids in an order of their own: a tie broken by the item's number would be seen. */
    for (uint32_t i = 0; i < ITEMS; i++)
        f->id[i] = i + 1;
    for (uint32_t i = ITEMS - 1; i > 0; i--) {
        uint64_t other = pn_uniform(&f->stream, 0, i);
        uint64_t swapped = f->id[i];
        f->id[i] = f->id[other];
        f->id[other] = swapped;
    }
}

static void draw_word(fixture *f, uint64_t word[2])
{
    word[0] = pn_uniform(&f->stream, 0, WORDS - 1) * (UINT64_MAX / (WORDS - 1));
    word[1] = pn_uniform(&f->stream, 0, 2) * (UINT64_MAX / 2);
}

static bool before(const fixture *f, uint32_t a, uint32_t b)
{
    if (f->word[a][0] != f->word[b][0])
        return f->word[a][0] < f->word[b][0];
    if (f->word[a][1] != f->word[b][1])
        return f->word[a][1] < f->word[b][1];
    return f->id[a] < f->id[b];
}

/* The first of those after `last` in order; NONE at the end. */
static uint32_t next_by_search(const fixture *f, uint32_t last)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < ITEMS; i++)
        if (f->present[i] && (last == NONE || before(f, last, i)) &&
            (best == NONE || before(f, i, best)))
            best = i;
    return best;
}

static uint32_t some_item(fixture *f, bool present)
{
    uint32_t start = (uint32_t)pn_uniform(&f->stream, 0, ITEMS - 1);
    for (uint32_t i = 0; i < ITEMS; i++)
        if (f->present[(start + i) % ITEMS] == present)
            return (start + i) % ITEMS;
    return NONE;
}

static void check(const fixture *f)
{
    assert_true(pn_heap_valid(&f->heap));
    assert_int_equal(f->state.count, f->count);
    if (f->count > 0)
        assert_int_equal(f->entry[0].item, next_by_search(f, NONE));
    for (uint32_t i = 0; i < ITEMS; i++) {
        assert_int_equal(pn_heap_has(&f->heap, i), f->present[i]);
        if (f->present[i]) {
            assert_int_equal(f->entry[f->place[i] - 1].item, i);
            assert_memory_equal(f->entry[f->place[i] - 1].word, f->word[i], sizeof f->word[i]);
        }
    }
}

static uint32_t levels(uint32_t count)
{
    uint32_t depth = 0;
    for (uint64_t covered = 1, row = PN_HEAP_ARITY; covered < count;
         covered += row, row *= PN_HEAP_ARITY)
        depth++;
    return depth;
}

/* Checks what was counted since there were `moves`: places of a sorted set, else levels. */
static void check_moves(const fixture *f, uint64_t moves, uint32_t from, uint32_t to)
{
    bool sorted = f->state.sorted;
    uint32_t first = sorted ? from : levels(from + 1), second = sorted ? to : levels(to + 1);
    assert_int_equal(f->state.moves - moves, first < second ? second - first : first - second);
}

static void push(fixture *f)
{
    uint32_t item = some_item(f, false);
    uint64_t moves = f->state.moves;
    if (item == NONE)
        return;
    draw_word(f, f->word[item]);
    pn_heap_push(&f->heap, item, f->word[item]);
    check_moves(f, moves, f->count, f->place[item] - 1);
    f->present[item] = true;
    f->count++;
}

/* Checks what it costs to fill the gap: all behind it move up in a sorted set, else the last entry
 * goes where it belongs. */
static void check_gap(const fixture *f, uint64_t moves, uint32_t gap, bool was_sorted,
                      uint32_t last)
{
    if (was_sorted)
        check_moves(f, moves, gap, f->count);
    else if (!f->state.sorted)
        check_moves(f, moves, gap, gap == f->count ? gap : f->place[last] - 1);
}

static void drop(fixture *f, uint32_t item, bool pops)
{
    uint64_t moves = f->state.moves;
    uint32_t gap = f->place[item] - 1, last = f->entry[--f->count].item;
    bool was_sorted = f->state.sorted;
    if (pops)
        pn_heap_pop(&f->heap);
    else
        pn_heap_remove(&f->heap, item);
    f->present[item] = false;
    check_gap(f, moves, gap, was_sorted, last);
}

static void pop(fixture *f)
{
    if (f->count > 0)
        drop(f, next_by_search(f, NONE), true);
}

static void take_out(fixture *f)
{
    uint32_t item = some_item(f, true);
    if (item != NONE)
        drop(f, item, false);
}

static void update(fixture *f)
{
    uint32_t item = some_item(f, true);
    if (item == NONE)
        return;
    uint64_t moves = f->state.moves;
    uint32_t from = f->place[item] - 1;
    if (pn_uniform(&f->stream, 0, 4) > 0)
        draw_word(f, f->word[item]);
    pn_heap_update(&f->heap, item, f->word[item]);
    check_moves(f, moves, from, f->place[item] - 1);
}

static void rebuild(fixture *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t item = f->entry[i].item;
        draw_word(f, f->word[item]);
        memcpy(f->entry[i].word, f->word[item], sizeof f->word[item]);
    }
    pn_heap_rebuild(&f->heap);
}

static void clear(fixture *f)
{
    pn_heap_clear(&f->heap);
    memset(f->present, 0, sizeof f->present);
    f->count = 0;
}

/* Visits `visits` items with exactly the room that so many need: one candidate too many would end
 * the program. */
static void walk(fixture *f, uint32_t visits)
{
    uint32_t candidates[PN_HEAP_ARITY * ITEMS + 1];
    pn_heap_walk walk;
    uint32_t expected = next_by_search(f, NONE);
    uint32_t last = NONE;
    assert_in_range(pn_heap_walk_room(visits), 1, PN_HEAP_ARITY * ITEMS + 1);
    pn_heap_walk_start(&walk, &f->heap, candidates, (uint32_t)pn_heap_walk_room(visits));
    for (uint32_t i = 0; i < visits && expected != NONE; i++) {
        assert_non_null(pn_heap_walk_peek(&walk));
        assert_int_equal(pn_heap_walk_peek(&walk)->item, expected);
        pn_heap_walk_next(&walk);
        last = expected;
        expected = next_by_search(f, last);
    }
    if (expected == NONE)
        assert_null(pn_heap_walk_peek(&walk));
    else
        assert_int_equal(pn_heap_walk_peek(&walk)->item, expected);
}

/* ---- tests ---- */

static void random_operations_agree_with_search(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 11);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        /* In waves of several heights: small sets are kept in another way than large ones, and the
         * way between matters. */
        static const uint32_t heights[] = {ITEMS, PN_HEAP_SORTED_MAX + 3, PN_HEAP_SORTED_MIN + 2,
                                           PN_HEAP_SORTED_MAX - 1};
        bool growing = i / 400 % 2 == 0 && f.count < heights[i / 800 % 4];
        uint64_t kind = pn_uniform(&f.stream, 0, 99);
        uint64_t moves = f.state.moves;
        if (kind < 40)
            growing ? push(&f) : pop(&f);
        else if (kind < 55)
            growing ? push(&f) : take_out(&f);
        else if (kind < 65)
            take_out(&f);
        else
            update(&f);
        assert_in_range(f.state.moves - moves, 0, levels(ITEMS) + PN_HEAP_SORTED_MAX);
        if (i % 50 == 25)
            rebuild(&f);
        if (i % 7000 == 6999)
            clear(&f);
        check(&f);
        if (i % 20 == 0)
            walk(&f, (uint32_t)pn_uniform(&f.stream, 0, f.count));
    }
}

static void ties_are_broken_by_id(void **unused)
{
    static fixture f;
    const uint64_t word[2] = {7, 7};
    (void)unused;
    setup(&f, 12);
    for (uint32_t i = 0; i < ITEMS; i++) {
        memcpy(f.word[i], word, sizeof word);
        pn_heap_push(&f.heap, i, word);
        f.present[i] = true;
        f.count++;
    }
    walk(&f, ITEMS);
    for (uint64_t id = 1; id <= ITEMS; id++) {
        assert_int_equal(f.id[f.entry[0].item], id);
        pn_heap_pop(&f.heap);
    }
    assert_int_equal(f.state.count, 0);
}

/* Virtual runs and the queue of task ends use it so; the same item may then stand in it twice. */
static void works_without_places(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 13);
    f.heap.place = NULL;
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint64_t word[2] = {pn_uniform(&f.stream, 0, 9), pn_uniform(&f.stream, 0, 9)};
        pn_heap_push(&f.heap, i % 3, word);
        assert_true(pn_heap_valid(&f.heap));
    }
    pn_heap_entry last = {{0, 0}, 0, 0};
    for (uint32_t i = 0; i < ITEMS; i++) {
        pn_heap_entry first = f.entry[0];
        assert_false(i > 0 && pn_heap_before(&f.heap, &first, &last));
        last = first;
        pn_heap_pop(&f.heap);
        assert_true(pn_heap_valid(&f.heap));
    }
    assert_int_equal(f.state.count, 0);
    pn_heap_push(&f.heap, 0, last.word);
    pn_heap_clear(&f.heap);
    assert_int_equal(f.state.count, 0);
}

/* Exchanges two entries, which know their places. */
static void exchange(fixture *f, uint32_t a, uint32_t b)
{
    pn_heap_entry entry = f->entry[a];
    pn_heap_set(&f->heap, a, &f->entry[b]);
    pn_heap_set(&f->heap, b, &entry);
}

/* The validity walk is only worth what it finds: in a sorted set and in a large one. */
static void the_validity_walk_sees_damage(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 14);
    for (uint32_t count = 1; count <= 60; count++) {
        push(&f);
        check(&f);
        for (uint32_t i = 0; i < count; i++) {
            f.place[f.entry[i].item]++;
            assert_false(pn_heap_valid(&f.heap));
            f.place[f.entry[i].item]--;
            if (i == 0)
                continue;
            exchange(&f, i, pn_heap_above(f.state.sorted, i));
            assert_false(pn_heap_valid(&f.heap));
            exchange(&f, i, pn_heap_above(f.state.sorted, i));
        }
        f.state.count = ITEMS + 1;
        assert_false(pn_heap_valid(&f.heap));
        f.state.count = count;
    }
    check(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_search),
        cmocka_unit_test(ties_are_broken_by_id),
        cmocka_unit_test(works_without_places),
        cmocka_unit_test(the_validity_walk_sees_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
