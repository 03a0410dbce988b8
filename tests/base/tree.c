/* The search tree against a table searched from end to end: random operations, every invariant
 * walked after each of them, its height within the bound of AVL trees, and both searches by
 * offer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/tree.h"
#include "base/validate.h"

enum { ITEMS = 130, OPERATIONS = 30000 };

typedef struct fixture {
    pn_stream stream;
    pn_tree_state state;
    pn_tree_node node[ITEMS];
    uint64_t id[ITEMS][3];
    pn_tree tree;
    /* what the tree ought to hold */
    bool present[ITEMS];
    uint64_t word[ITEMS][2];
    uint64_t offer[ITEMS];
    uint32_t count;
} fixture;

static void setup(fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    pn_stream_init(&f->stream, seed, 0, 0);
    f->tree = (pn_tree){&f->state, f->node, f->id[0], 3, 0};
    /* Ids fall where items rise: a tie broken by the item's number would be seen. */
    for (uint32_t i = 0; i < ITEMS; i++)
        f->id[i][0] = f->id[i][2] = 1000 - i;
}

static uint64_t draw_offer(fixture *f)
{
    uint64_t kind = pn_uniform(&f->stream, 0, 9);
    if (kind == 0)
        return 0;
    if (kind == 1) /* around what 32 bits can tell apart */
        return (uint64_t)UINT32_MAX - 1 + pn_uniform(&f->stream, 0, 2);
    if (kind == 2)
        return PN_INTEGER_MAX - pn_uniform(&f->stream, 0, 1);
    return pn_uniform(&f->stream, 1, 40);
}

static void draw_word(fixture *f, uint64_t word[2])
{
    word[0] = pn_uniform(&f->stream, 0, 6);
    word[1] = pn_uniform(&f->stream, 0, 2) * (UINT64_MAX / 2);
}

static bool before(const fixture *f, uint32_t a, uint32_t b)
{
    if (f->word[a][0] != f->word[b][0])
        return f->word[a][0] < f->word[b][0];
    if (f->word[a][1] != f->word[b][1])
        return f->word[a][1] < f->word[b][1];
    size_t i = 0;
    while (i < f->tree.id_more && f->id[a][i] == f->id[b][i])
        i++;
    return f->id[a][i] < f->id[b][i];
}

static uint32_t search(const fixture *f, uint32_t after, uint64_t low, uint64_t high)
{
    uint32_t best = PN_TREE_NONE;
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (!f->present[i] || f->offer[i] < low || f->offer[i] > high)
            continue;
        if ((after == PN_TREE_NONE || before(f, after, i)) &&
            (best == PN_TREE_NONE || before(f, i, best)))
            best = i;
    }
    return best;
}

static uint32_t some_item(fixture *f, bool present)
{
    uint32_t start = (uint32_t)pn_uniform(&f->stream, 0, ITEMS - 1);
    for (uint32_t i = 0; i < ITEMS; i++)
        if (f->present[(start + i) % ITEMS] == present)
            return (start + i) % ITEMS;
    return PN_TREE_NONE;
}

/* Returns the level on which a new item hangs. */
static uint32_t level_of(const fixture *f, uint32_t item)
{
    uint32_t level = 1, link = f->state.root;
    for (; link != 0; level++)
        link = before(f, item, link - 1) ? f->node[link - 1].left : f->node[link - 1].right;
    return level;
}

/* Each level up to the root is walked once. */
static void insert(fixture *f)
{
    uint32_t item = some_item(f, false);
    if (item == PN_TREE_NONE)
        return;
    draw_word(f, f->word[item]);
    f->offer[item] = draw_offer(f);
    uint64_t moves = f->state.moves;
    uint32_t level = level_of(f, item);
    pn_tree_insert(&f->tree, item, f->word[item], f->offer[item]);
    assert_int_equal(f->state.moves - moves, level);
    f->present[item] = true;
    f->count++;
}

static void take_out(fixture *f)
{
    uint32_t item = some_item(f, true);
    if (item == PN_TREE_NONE)
        return;
    pn_tree_remove(&f->tree, item);
    f->present[item] = false;
    f->count--;
}

static void change_offer(fixture *f)
{
    uint32_t item = some_item(f, true);
    if (item == PN_TREE_NONE)
        return;
    f->offer[item] = draw_offer(f);
    pn_tree_offer(&f->tree, item, f->offer[item]);
}

/* Returns how many of the other items go before an item. */
static uint32_t rank_of(const fixture *f, uint32_t item)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < ITEMS; i++)
        rank += f->present[i] && i != item && before(f, i, item);
    return rank;
}

/* An item that keeps its place in the order stays where it is. */
static void move(fixture *f)
{
    uint32_t item = some_item(f, true);
    if (item == PN_TREE_NONE)
        return;
    uint64_t moves = f->state.moves;
    uint32_t rank = rank_of(f, item);
    draw_word(f, f->word[item]);
    pn_tree_move(&f->tree, item, f->word[item]);
    assert_int_equal(f->state.moves == moves, rank_of(f, item) == rank);
}

static void settle(fixture *f)
{
    uint32_t item = some_item(f, true);
    if (item == PN_TREE_NONE)
        return;
    uint64_t moves = f->state.moves;
    uint32_t rank = rank_of(f, item);
    if (pn_uniform(&f->stream, 0, 1) == 0)
        draw_word(f, f->word[item]);
    f->id[item][0] = pn_uniform(&f->stream, 0, 5);
    f->id[item][1] = pn_uniform(&f->stream, 0, 2);
    pn_tree_settle(&f->tree, item, f->word[item]);
    assert_int_equal(f->state.moves == moves, rank_of(f, item) == rank);
}

/* A tree of height h that is balanced as AVL trees are holds at least least(h) = least(h-1) +
 * least(h-2) + 1 items. */
static void check_height(const fixture *f)
{
    uint32_t height = f->count > 0 ? f->node[f->state.root - 1].height : 0;
    uint32_t least = 0;
    uint32_t above = 1;
    for (uint32_t h = 0; h < height; h++) {
        uint32_t next = above + least + 1;
        least = above;
        above = next;
    }
    assert_true(f->count >= least);
}

static void check(const fixture *f)
{
    assert_true(pn_validate_tree(&f->tree, ITEMS, ITEMS));
    assert_int_equal(f->state.count, f->count);
    assert_int_equal(f->state.root == 0, f->count == 0);
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_int_equal(pn_tree_has(&f->tree, i), f->present[i]);
    check_height(f);
}

static void check_searches(fixture *f)
{
    uint32_t after = pn_uniform(&f->stream, 0, 3) == 0 ? PN_TREE_NONE : some_item(f, true);
    uint64_t bound = draw_offer(f);
    assert_int_equal(pn_tree_next_at_least(&f->tree, after, bound),
                     search(f, after, bound, UINT64_MAX));
    assert_int_equal(pn_tree_next_at_most(&f->tree, after, bound),
                     bound ? search(f, after, 1, bound) : PN_TREE_NONE);
}

static void check_find(fixture *f)
{
    uint32_t item = (uint32_t)pn_uniform(&f->stream, 0, ITEMS - 1);
    assert_int_equal(pn_tree_find(&f->tree, f->word[item], f->id[item][0]),
                     f->present[item] ? item : PN_TREE_NONE);
}

/* From the first to the last, all of them, in order. */
static void check_walk(const fixture *f)
{
    uint32_t seen = 0;
    uint32_t last = PN_TREE_NONE;
    assert_int_equal(pn_tree_first(&f->tree), pn_tree_next_at_least(&f->tree, last, 0));
    for (;;) {
        uint32_t item = pn_tree_next_at_least(&f->tree, last, 0);
        if (item == PN_TREE_NONE)
            break;
        assert_true(last == PN_TREE_NONE || before(f, last, item));
        last = item;
        seen++;
    }
    assert_int_equal(seen, f->count);
}

/* ---- tests ---- */

static void random_operations_agree_with_search(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 21);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        bool growing = i / 500 % 2 == 0;
        uint64_t kind = pn_uniform(&f.stream, 0, 99);
        if (kind < 50)
            growing ? insert(&f) : take_out(&f);
        else if (kind < 60)
            growing ? take_out(&f) : insert(&f);
        else if (kind < 80)
            move(&f);
        else
            change_offer(&f);
        check(&f);
        check_searches(&f);
        check_find(&f);
        if (i % 50 == 0)
            check_walk(&f);
    }
}

/* Ids of three words, of which the first ones are often equal, and change. */
static void ids_may_have_more_words_and_change(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 26);
    f.tree.id_more = 2;
    for (uint32_t i = 0; i < ITEMS; i++)
        f.id[i][0] = i % 3;
    for (uint32_t i = 0; i < OPERATIONS / 10; i++) {
        uint64_t kind = pn_uniform(&f.stream, 0, 9);
        if (kind < 4)
            settle(&f);
        else if (kind < (i / 500 % 2 == 0 ? 8 : 6))
            insert(&f);
        else
            take_out(&f);
        check(&f);
        check_searches(&f);
        check_walk(&f);
    }
}

/* Sorted input is what ruins a tree that does not balance. */
static void sorted_input_stays_balanced(void **unused)
{
    static fixture f;
    (void)unused;
    for (uint32_t order = 0; order < 2; order++) {
        setup(&f, 22);
        for (uint32_t i = 0; i < ITEMS; i++) {
            uint32_t item = order == 0 ? i : ITEMS - 1 - i;
            f.word[item][0] = item;
            pn_tree_insert(&f.tree, item, f.word[item], 1);
            f.present[item] = true;
            f.count++;
            check(&f);
        }
        assert_in_range(f.node[f.state.root - 1].height, 8, 9);
        for (uint32_t i = 0; i < ITEMS; i++) {
            pn_tree_remove(&f.tree, i);
            f.present[i] = false;
            f.count--;
            check(&f);
        }
    }
}

static void ties_are_broken_by_id(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 23);
    for (uint32_t i = 0; i < ITEMS; i++) {
        f.present[i] = true;
        f.count++;
        pn_tree_insert(&f.tree, i, f.word[i], i);
        check(&f);
    }
    check_walk(&f);
    assert_int_equal(pn_tree_next_at_least(&f.tree, PN_TREE_NONE, 0), ITEMS - 1);
}

static void an_empty_tree_has_nothing_to_find(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 24);
    assert_int_equal(pn_tree_next_at_least(&f.tree, PN_TREE_NONE, 0), PN_TREE_NONE);
    assert_int_equal(pn_tree_next_at_most(&f.tree, PN_TREE_NONE, UINT64_MAX), PN_TREE_NONE);
    pn_tree_insert(&f.tree, 5, f.word[5], 0);
    assert_int_equal(pn_tree_next_at_least(&f.tree, PN_TREE_NONE, 0), 5);
    assert_int_equal(pn_tree_next_at_least(&f.tree, PN_TREE_NONE, 1), PN_TREE_NONE);
    assert_int_equal(pn_tree_next_at_most(&f.tree, PN_TREE_NONE, UINT64_MAX), PN_TREE_NONE);
}

/* The validity walk is only worth what it finds. */
static void the_validity_walk_sees_damage(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 25);
    for (uint32_t i = 0; i < 40; i++)
        insert(&f);
    check(&f);
    f.state.count++;
    assert_false(pn_validate_tree(&f.tree, ITEMS, ITEMS));
    f.state.count--;
    pn_tree_node *root = &f.node[f.state.root - 1];
    root->most++;
    assert_false(pn_validate_tree(&f.tree, ITEMS, ITEMS));
    f.node[root->left - 1].parent = root->right;
    assert_false(pn_validate_tree(&f.tree, ITEMS, ITEMS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_search),
        cmocka_unit_test(ids_may_have_more_words_and_change),
        cmocka_unit_test(sorted_input_stays_balanced),
        cmocka_unit_test(ties_are_broken_by_id),
        cmocka_unit_test(an_empty_tree_has_nothing_to_find),
        cmocka_unit_test(the_validity_walk_sees_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
