/* Structs that grow: what hosts of other versions give and get. Sizes are those of small structs
 * here; scripts/check/versions.sh builds whole hosts with other headers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/config.h"

typedef struct grown {
    size_t struct_size;
    uint64_t old, later;
} grown;

enum { LEAST = offsetof(grown, later), LONGER = sizeof(grown) + 8 };

/* A host's struct of any version. */
typedef union host {
    grown fields;
    size_t size;
    unsigned char bytes[2 * sizeof(grown)];
} host;

static host given(size_t size, unsigned char beyond)
{
    host of = {.fields = {size, 7, 9}};
    of.bytes[sizeof(grown)] = beyond;
    return of;
}

static void defaults_reach_as_far_as_the_struct(void **unused)
{
    const grown current = {0, 1, 2};
    (void)unused;
    host to = given(99, 3);
    pn_config_give(&to, LONGER, &current, sizeof current);
    assert_true(to.size == LONGER && to.fields.later == 2 && to.bytes[sizeof(grown)] == 0);
    to = given(99, 3);
    pn_config_give(&to, LEAST, &current, sizeof current);
    assert_true(to.size == LEAST && to.fields.old == 1 && to.fields.later == 9);
    to = given(99, 3);
    pn_config_give(&to, sizeof to.size - 1, &current, sizeof current); /* nothing fits */
    assert_true(to.fields.old == 7);
}

static void what_a_version_does_not_know_must_be_zero(void **unused)
{
    static const struct {
        size_t size;
        unsigned char beyond;
        bool is_read, is_given;
    } rows[] = {
        {0, 0, false, true},
        {LEAST - 1, 0, false, false},
        {LEAST, 5, true, true},
        {sizeof(grown), 5, true, true},
        {LONGER, 0, true, true},
        {LONGER, 5, false, false},
        {((size_t)1 << 16) + 1, 0, false, false},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        host from = given(rows[i].size, rows[i].beyond);
        grown current = {0, 1, 2};
        assert_int_equal(pn_config_read(&current, sizeof current, LEAST, &from, rows[i].size),
                         rows[i].is_read);
        assert_true(current.old == (rows[i].is_read ? 7 : 1));
        assert_true(current.later == (rows[i].is_read && rows[i].size > LEAST ? 9 : 2));
        assert_int_equal(pn_given(&from, sizeof current, LEAST), rows[i].is_given);
        if (!rows[i].is_given)
            continue;
        pn_take(&current, sizeof current, &from, LEAST);
        assert_true(current.old == 7 && current.later == (rows[i].size > LEAST ? 9 : 0));
        const unsigned char *second = pn_given_at(&from, 1, LEAST);
        assert_true(second == from.bytes + (rows[i].size > 0 ? rows[i].size : LEAST));
    }
}

static void results_say_how_much_is_filled_in(void **unused)
{
    static const size_t sizes[] = {LEAST, sizeof(grown), LONGER};
    const grown current = {0, 1, 2};
    (void)unused;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        host to = given(99, 3);
        pn_config_fill(&to, sizes[i], &current, sizeof current);
        assert_true(to.size == (sizes[i] < sizeof(grown) ? sizes[i] : sizeof(grown)));
        assert_true(to.fields.old == 1 && to.fields.later == (sizes[i] == LEAST ? 9 : 2));
        assert_true(to.bytes[sizeof(grown)] == (sizes[i] == LONGER ? 0 : 3));
    }
}

/* ---- a struct within a struct ---- */

typedef struct outer {
    size_t struct_size;
    grown inner;
    uint64_t old, later;
} outer;

enum { OUTER_LEAST = offsetof(outer, later) };

typedef union outer_host {
    uint64_t word[16];
    size_t size;
} outer_host;

/* The struct of a host whose inner struct has so many words, of which the first two are known, and
 * that has so many words in all. */
static outer_host outer_of(size_t inner_words, size_t words)
{
    outer_host of = {{0}};
    of.word[0] = words * 8;
    of.word[1] = inner_words * 8;
    of.word[1 + inner_words] = 70;
    if (words > 2 + inner_words)
        of.word[2 + inner_words] = 80;
    return of;
}

static void the_rest_of_a_struct_begins_where_the_inner_one_ends(void **unused)
{
    const pn_nested nested = PN_NESTED(outer, inner);
    (void)unused;
    for (size_t inner = 2; inner <= 4; inner++)
        for (size_t behind = 1; behind <= 3; behind++) {
            size_t words = 1 + inner + behind;
            outer_host from = outer_of(inner, words), to = {{0}};
            outer current = {0, {0}, 1, 2};
            assert_true(pn_config_read_nested(&current, OUTER_LEAST, &from, nested));
            assert_true(current.old == 70 && current.later == (behind > 1 ? 80 : 2));
            from.word[words - 1] = 5; /* beyond what is known, if there are three */
            assert_int_equal(pn_config_read_nested(&current, OUTER_LEAST, &from, nested),
                             behind < 3);

            const outer ours = {0, {24, 3, 4}, 5, 6};
            pn_config_give_nested(&to, words * 8, inner * 8, &ours, nested);
            assert_true(to.size == words * 8 && to.word[1 + inner] == 5);
            assert_true(behind == 1 || to.word[2 + inner] == 6);
            pn_config_fill_nested(&to, words * 8, inner * 8, &ours, nested);
            assert_true(to.size == (1 + inner + (behind > 1 ? 2 : 1)) * 8);
            assert_true(to.word[1] == (inner > 2 ? 24 : 16) && to.word[2] == 3);
            assert_true(to.word[1 + inner] == 5);
        }
    outer_host from = outer_of(3, 6);
    outer current = {0, {0}, 1, 2};
    from.word[0] = 8; /* no inner struct */
    assert_false(pn_config_read_nested(&current, OUTER_LEAST, &from, nested));
    from.word[0] = 6 * 8;
    from.word[1] = 5 * 8 + 1; /* an inner struct that ends behind the outer one */
    assert_false(pn_config_read_nested(&current, OUTER_LEAST, &from, nested));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_reach_as_far_as_the_struct),
        cmocka_unit_test(what_a_version_does_not_know_must_be_zero),
        cmocka_unit_test(results_say_how_much_is_filled_in),
        cmocka_unit_test(the_rest_of_a_struct_begins_where_the_inner_one_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
