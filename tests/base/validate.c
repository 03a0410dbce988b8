/* What validations of blocks have in common: each finds every kind of damage to what it looks at,
 * and finds nothing in what is sound. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/lists.h"
#include "base/validate.h"

/* ---- trees ---- */

enum { ITEMS = 12, CAPACITY = 16 };

typedef struct planted {
    pn_tree_state state;
    pn_tree_node node[CAPACITY];
    uint64_t id[CAPACITY];
    pn_tree tree;
} planted;

static void plant(planted *p, uint32_t count)
{
    memset(p, 0, sizeof *p);
    p->tree = (pn_tree){&p->state, p->node, p->id, 1, 0};
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t word[2] = {i / 4, i / 2};
        p->id[i] = i;
        pn_tree_insert(&p->tree, i, word, i % 3);
    }
}

/* Every number of every node and of the tree itself, changed: an offer, a word or an id may be
 * another one where order, least and most stay as they are, and nothing else. */
static void a_tree_of_which_any_number_is_changed_is_refused(void **unused)
{
    static planted p, kept;
    (void)unused;
    plant(&p, ITEMS);
    kept = p;
    assert_true(pn_validate_tree(&p.tree, ITEMS, CAPACITY));
    for (uint32_t item = 0; item < CAPACITY; item++)
        for (uint32_t value = 0; value <= CAPACITY + 1; value++) {
            pn_tree_node *node = &p.node[item];
            uint32_t *const members[] = {&node->left, &node->right, &node->parent, &node->height};
            for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
                p = kept;
                if (*members[m] == value || (m < 3 && item >= ITEMS))
                    continue;
                *members[m] = value;
                assert_false(pn_validate_tree(&p.tree, ITEMS, CAPACITY));
            }
            p = kept;
            node->most += value + 1;
            assert_false(item < ITEMS && pn_validate_tree(&p.tree, ITEMS, CAPACITY));
            node->most -= value + 1;
            node->least -= value + 1;
            assert_false(item < ITEMS && pn_validate_tree(&p.tree, ITEMS, CAPACITY));
        }
    for (uint32_t value = 0; value <= UINT8_MAX; value++) {
        p = kept;
        p.state.root = value;
        assert_true(value == kept.state.root || !pn_validate_tree(&p.tree, ITEMS, CAPACITY));
        p = kept;
        p.state.count = value;
        assert_true(value == ITEMS || !pn_validate_tree(&p.tree, ITEMS, CAPACITY));
    }
}

static void an_empty_tree_has_no_root(void **unused)
{
    static planted p;
    (void)unused;
    plant(&p, 0);
    assert_true(pn_validate_tree(&p.tree, ITEMS, CAPACITY));
    p.state.root = 1;
    assert_false(pn_validate_tree(&p.tree, ITEMS, CAPACITY));
    assert_false(pn_validate_tree_node(&p.tree, ITEMS, ITEMS));
    plant(&p, 1);
    assert_true(pn_validate_tree_node(&p.tree, ITEMS, 0));
    assert_false(pn_validate_tree_node(&p.tree, 0, 0));
}

/* ---- bits ---- */

static void bits_agree_with_the_words_above_them(void **unused)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 5000, 262145};
    (void)unused;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i], words = pn_bits_words(size);
        uint64_t *word = calloc(words + 1, sizeof *word);
        assert_non_null(word);
        pn_bits bits = pn_bits_at(word, size);
        assert_true(pn_validate_bits(word, size));
        for (uint32_t member = 0; member < size; member += 1 + member / 3)
            pn_bits_set(&bits, member);
        assert_true(pn_validate_bits(word, size));
        /* The words above the bits: each of their bits says something. */
        for (size_t at = (size + 63) / 64; at < words; at++)
            for (int bit = 0; bit < 64; bit++) {
                word[at] ^= (uint64_t)1 << bit;
                assert_false(pn_validate_bits(word, size));
                word[at] ^= (uint64_t)1 << bit;
            }
        if (size % 64 != 0) {
            word[size / 64] ^= (uint64_t)1 << size % 64; /* a member beyond the size */
            assert_false(pn_validate_bits(word, size));
        }
        free(word);
    }
}

/* ---- lists ---- */

static void room_for_lists_is_limited(void **unused)
{
    (void)unused;
    assert_int_equal(pn_lists_room(0, 0), 0);
    assert_int_equal(pn_lists_room(100, 7), 100 + 7 + 25);
    assert_int_equal(pn_lists_room(SIZE_MAX, 1), 0);
    assert_int_equal(pn_lists_room(1, SIZE_MAX), 0);
    assert_int_equal(pn_lists_room(SIZE_MAX / 8, SIZE_MAX / 2), 0);
}

static void free_places_are_those_that_nothing_holds(void **unused)
{
    uint32_t next[4] = {0, 1, 0, 2}; /* 3 -> 1 -> 0: places 3, 1 and 0 are free, as links + 1 */
    pn_places places = {.free = 4, .used = 4};
    pn_links links = {next, 1};
    uint64_t tally = 0, want = 0;
    (void)unused;
    assert_true(pn_validate_free(&places, links, 4, 1, 5, &tally));
    for (uint64_t place = 0; place < 4; place++)
        want += place == 2 ? 0 : pn_validate_hash(5, place);
    assert_true(tally == want);
    assert_false(pn_validate_free(&places, links, 3, 1, 5, &tally)); /* more than there are */
    assert_false(pn_validate_free(&places, links, 4, 5, 5, &tally)); /* more held than used */
    assert_false(pn_validate_free(&places, links, 4, 2, 5, &tally)); /* free and held */
    next[0] = 5;
    assert_false(pn_validate_free(&places, links, 4, 0, 5, &tally)); /* never used */
}

/* Two entries that only their ids could tell apart, of items that no table has. */
static void more_places_in_use_than_there_are_are_refused_before_an_item_is_looked_up(void **unused)
{
    const uint32_t far = UINT32_MAX - 1;
    pn_heap_entry entries[2] = {{{7, 7}, far, 0}, {{7, 7}, far - 1, 0}};
    pn_heap_state state = {.count = 2, .capacity = 2, .sorted = 1};
    uint64_t ids[2] = {1, 2};
    uint32_t links[2] = {0};
    const pn_heap heap = {&state, entries, NULL, 0, ids, 4};
    const pn_places places = {.used = UINT32_MAX};
    (void)unused;
    assert_false(pn_validate_items(&heap, &places, (pn_links){links, 1}, 1));
}

/* ---- statistics and numbers ---- */

static void statistics_are_finite_and_count_their_cells(void **unused)
{
    size_t size = pn_stats_size(0, 2);
    pn_stats *stats = malloc(size), *sound = malloc(size);
    (void)unused;
    assert_true(stats && sound);
    pn_stats_init(sound, 0, 2, 1);
    for (int i = 0; i < 5; i++)
        pn_stats_add(sound, 1 + i % 3);
    assert_true(pn_validate_stats(sound, 0, 2, 1));
    assert_false(pn_validate_stats(sound, 1, 2, 1));
    assert_false(pn_validate_stats(sound, 0, 1, 1));
    assert_false(pn_validate_stats(sound, 0, 2, 0));
    const double bad[] = {INFINITY, NAN, -1.0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double *const members[] = {&stats->min, &stats->max, &stats->mean};
        for (size_t m = 0; m < 2 + (i < 2); m++) {
            memcpy(stats, sound, size);
            *members[m] = bad[i];
            assert_false(pn_validate_stats(stats, 0, 2, 1));
        }
    }
    memcpy(stats, sound, size);
    stats->min = stats->max + 1;
    assert_false(pn_validate_stats(stats, 0, 2, 1));
    memcpy(stats, sound, size);
    stats->count++;
    assert_false(pn_validate_stats(stats, 0, 2, 1));
    stats->count = 0;
    assert_false(pn_validate_stats(stats, 0, 2, 1));
    free(stats);
    free(sound);
}

static void names_end_within_their_room(void **unused)
{
    char name[PN_NAME_SIZE], same[PN_NAME_SIZE];
    (void)unused;
    memset(name, 'x', sizeof name);
    memset(same, 'x', sizeof same);
    assert_false(pn_validate_name(name));
    assert_false(pn_same_name(name, same));
    name[PN_NAME_SIZE - 1] = same[PN_NAME_SIZE - 1] = '\0';
    assert_true(pn_validate_name(name));
    assert_true(pn_same_name(name, same));
    same[0] = 'y';
    assert_false(pn_same_name(name, same));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_of_which_any_number_is_changed_is_refused),
        cmocka_unit_test(an_empty_tree_has_no_root),
        cmocka_unit_test(bits_agree_with_the_words_above_them),
        cmocka_unit_test(room_for_lists_is_limited),
        cmocka_unit_test(free_places_are_those_that_nothing_holds),
        cmocka_unit_test(more_places_in_use_than_there_are_are_refused_before_an_item_is_looked_up),
        cmocka_unit_test(statistics_are_finite_and_count_their_cells),
        cmocka_unit_test(names_end_within_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
