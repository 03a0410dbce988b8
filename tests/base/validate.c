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
#include "base/validate.h"

/* ---- the key ---- */

static void every_word_of_a_block_changes_its_key(void **unused)
{
    enum { BLOCK = 5 };
    uint64_t words[BLOCK + 1] = {3, 1, 4, 1, 5, 9};
    const uint64_t key = pn_validate_key(words, BLOCK * 8);
    (void)unused;
    for (int i = 0; i <= BLOCK; i++) {
        words[i]++;
        assert_int_equal(pn_validate_key(words, BLOCK * 8) == key, i == BLOCK);
        words[i]--;
    }
}

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
        p->id[i] = (uint64_t)1 << 40 | i;
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

/* The root hangs below an item that is not in the tree. */
static void a_parent_is_in_the_tree(void **unused)
{
    static planted p;
    (void)unused;
    plant(&p, ITEMS - 1);
    assert_true(pn_validate_tree(&p.tree, ITEMS, CAPACITY));
    p.node[ITEMS - 1].left = p.state.root;
    p.node[p.state.root - 1].parent = ITEMS;
    assert_false(pn_validate_tree(&p.tree, ITEMS, CAPACITY));
}

/* A leaf goes before its parent or behind it. */
static void children_are_in_order(void **unused)
{
    static planted p;
    uint32_t leaves = 0;
    (void)unused;
    for (uint32_t item = 0; item < ITEMS; item++) {
        plant(&p, ITEMS);
        pn_tree_node *leaf = &p.node[item];
        if (leaf->left != 0 || leaf->right != 0)
            continue;
        bool is_left = p.node[leaf->parent - 1].left == item + 1;
        leaf->word[0] = leaf->word[1] = is_left ? UINT64_MAX : 0;
        p.id[item] = 0;
        assert_false(pn_validate_tree(&p.tree, ITEMS, CAPACITY));
        leaves |= is_left ? 1 : 2;
    }
    assert_int_equal(leaves, 3);
}

/* Whichever of them stands first. */
static void ids_that_are_equal_are_in_order(void **unused)
{
    static planted p;
    (void)unused;
    plant(&p, 3);
    for (uint32_t i = 0; i < 3; i++)
        memset(p.node[i].word, 0, sizeof p.node[i].word);
    for (uint64_t next = 0; next < 9; next += 4) { /* what lies behind is another id */
        p.id[0] = p.id[1] = p.id[2] = 4;
        p.id[3] = next;
        assert_true(pn_validate_tree(&p.tree, 3, 3));
    }
    p.id[0] = 5;
    assert_false(pn_validate_tree(&p.tree, 3, 3));
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
    assert_true(pn_validate_tree(&p.tree, 1, CAPACITY));
    assert_false(pn_validate_tree(&p.tree, 0, CAPACITY));
}

/* ---- heaps ---- */

enum { FULL = 5, KNOWN = 8 }; /* entries there may be, items */

typedef struct heaped {
    pn_heap_state state;
    pn_heap_entry entry[FULL + 1];
    uint32_t place[KNOWN], next[KNOWN];
    uint64_t id[KNOWN];
    pn_heap heap;
} heaped;

/* Makes a heap of the items 0.. with steps between them; what lies behind is none of it. */
static void heap_up(heaped *h, uint32_t count, uint32_t step)
{
    memset(h, 0, sizeof *h);
    h->state.capacity = FULL;
    h->heap = (pn_heap){&h->state, h->entry, h->place, 1, h->id, 1};
    for (uint32_t i = 0; i < KNOWN; i++)
        h->id[i] = i;
    for (uint32_t i = 0; i < count; i++)
        pn_heap_push(&h->heap, i * step, (const uint64_t[2]){0, 0});
    h->entry[count].item = UINT32_MAX;
}

static void a_heap_has_known_items_that_know_their_places(void **unused)
{
    static heaped h;
    (void)unused;
    for (uint32_t count = 0; count <= FULL; count++) {
        heap_up(&h, count, 1);
        assert_true(pn_validate_heap(&h.heap, count) && pn_validate_heap(&h.heap, KNOWN));
        assert_true(pn_validate_places(&h.heap, count) && pn_validate_places(&h.heap, KNOWN));
        assert_false(count > 0 && pn_validate_heap(&h.heap, count - 1));
        assert_false(count > 0 && pn_validate_places(&h.heap, count - 1));
        for (uint32_t i = 0; i < count; i++) {
            h.entry[i].item = KNOWN;
            assert_false(pn_validate_heap(&h.heap, KNOWN));
            h.entry[i].item = i;
        }
        for (uint32_t item = count; item < KNOWN; item++) {
            h.place[item] = 1;
            assert_false(pn_validate_places(&h.heap, KNOWN));
            assert_true(pn_validate_places(&h.heap, item));
            h.place[item] = 0;
        }
        h.state.capacity = count;
        assert_true(pn_validate_heap(&h.heap, KNOWN));
        h.state.count++;
        assert_false(pn_validate_heap(&h.heap, KNOWN));
    }
}

/* Of five places 0, 2 and 4 are held, 1 and 3 free. */
static void held_and_free_places_are_all_there_are(void **unused)
{
    static heaped h;
    const pn_links links = {h.next, 1};
    pn_places places = {.free = 2, .used = FULL};
    (void)unused;
    heap_up(&h, 3, 2);
    h.heap.place = NULL;
    h.next[1] = 4;
    assert_true(pn_validate_items(&h.heap, &places, links, 7));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t item = 0; item <= KNOWN; item++) {
            uint32_t kept = h.entry[i].item;
            h.entry[i].item = item;
            if (item != kept)
                assert_false(pn_validate_items(&h.heap, &places, links, 7));
            h.entry[i].item = kept;
        }
    for (uint32_t number = 0; number <= KNOWN; number++) {
        places.used = number;
        assert_int_equal(pn_validate_items(&h.heap, &places, links, 7), number == FULL);
        places.used = FULL;
        places.free = number;
        assert_int_equal(pn_validate_items(&h.heap, &places, links, 7), number == 2);
        places.free = 2;
        h.next[1] = number;
        assert_int_equal(pn_validate_items(&h.heap, &places, links, 7), number == 4);
        h.next[1] = 4;
    }
    h.state.capacity--;
    assert_false(pn_validate_items(&h.heap, &places, links, 7));
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
        if (size > 0)
            pn_bits_set(&bits, (uint32_t)size - 1);
        assert_true(pn_validate_bits(word, size));
        /* The words above the bits: each of their bits says something. */
        for (size_t at = (size + 63) / 64; at < words; at++)
            for (int bit = 0; bit < 64; bit++) {
                word[at] ^= (uint64_t)1 << bit;
                assert_false(pn_validate_bits(word, size));
                word[at] ^= (uint64_t)1 << bit;
            }
        for (size_t bit = size; bit % 64 != 0; bit++) { /* a member beyond the size */
            word[bit / 64] ^= (uint64_t)1 << bit % 64;
            assert_false(pn_validate_bits(word, size));
            word[bit / 64] ^= (uint64_t)1 << bit % 64;
        }
        free(word);
    }
}

/* ---- free places ---- */

static void free_places_are_those_that_nothing_holds(void **unused)
{
    uint32_t next[4] = {0, 1, 0, 2}; /* 3 -> 1 -> 0: places 3, 1 and 0 are free, as links + 1 */
    pn_places places = {.free = 4, .used = 4};
    pn_links links = {next, 1};
    uint64_t tally = 0, want = 0;
    (void)unused;
    const pn_places none = {.free = 0, .used = 4};
    assert_true(pn_validate_free(&none, links, 4, 4, 5, &tally) && tally == 0);
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
    pn_stats_init(stats, 0, 2, 1);
    assert_true(pn_validate_stats(stats, 0, 2, 1));
    pn_stats_add(stats, 3);
    assert_true(pn_validate_stats(stats, 0, 2, 1));
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

static void every_byte_of_zeros_is_looked_at(void **unused)
{
    unsigned char bytes[6] = {0};
    (void)unused;
    assert_true(pn_validate_zeros(bytes, 5));
    for (size_t i = 0; i <= 5; i++) {
        bytes[i] = 1;
        assert_int_equal(pn_validate_zeros(bytes, 5), i == 5);
        bytes[i] = 0;
    }
}

static void streams_have_used_a_block_at_most(void **unused)
{
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 1, 2, 3);
    assert_true(pn_validate_stream(&stream)); /* all of no block */
    stream.used++;
    assert_false(pn_validate_stream(&stream));
}

static void names_end_within_their_room(void **unused)
{
    char name[PN_NAME_SIZE + 1], same[PN_NAME_SIZE];
    (void)unused;
    memset(same, 'x', sizeof same);
    for (int end = 0; end <= PN_NAME_SIZE; end++) {
        memset(name, 'x', sizeof name);
        name[end] = '\0';
        assert_int_equal(pn_validate_name(name), end < PN_NAME_SIZE);
    }
    memset(name, 'x', sizeof name);
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
        cmocka_unit_test(every_word_of_a_block_changes_its_key),
        cmocka_unit_test(a_tree_of_which_any_number_is_changed_is_refused),
        cmocka_unit_test(a_parent_is_in_the_tree),
        cmocka_unit_test(children_are_in_order),
        cmocka_unit_test(ids_that_are_equal_are_in_order),
        cmocka_unit_test(an_empty_tree_has_no_root),
        cmocka_unit_test(a_heap_has_known_items_that_know_their_places),
        cmocka_unit_test(held_and_free_places_are_all_there_are),
        cmocka_unit_test(bits_agree_with_the_words_above_them),
        cmocka_unit_test(free_places_are_those_that_nothing_holds),
        cmocka_unit_test(more_places_in_use_than_there_are_are_refused_before_an_item_is_looked_up),
        cmocka_unit_test(statistics_are_finite_and_count_their_cells),
        cmocka_unit_test(every_byte_of_zeros_is_looked_at),
        cmocka_unit_test(streams_have_used_a_block_at_most),
        cmocka_unit_test(names_end_within_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
