/* Rows of jobs and what each of them lists: as they were added, and as a checkpoint has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/rows.h"

enum { JOBS = 400 };

static const char *const names[] = {"arrival", "finish", NULL};
static const char *const entry[] = {"from", "to", NULL};
static const row_shape plain = {.names = names, .known = 1, .count = 2, .partial = 1};
static const row_shape listing = {
    .names = names, .known = 1, .count = 2, .partial = 1, .list = "parts", .entry = entry};

/* Row i lists i % 5 entries; every seventh has no list. */
static void fill(rows *self)
{
    for (size_t i = 0; i < JOBS; i++) {
        uint64_t values[10];
        for (size_t k = 0; k < 10; k++)
            values[k] = 100 * i + k;
        assert_true(rows_add(self, (row_value){.integer = i}, 0, NULL));
        if (self->shape->list && i % 7 > 0)
            assert_true(rows_add_list(self, i, values, i % 5));
    }
}

static void check_lists(const rows *self)
{
    for (size_t i = 0; i < JOBS; i++) {
        size_t entries = 99;
        const uint64_t *list = rows_list(self, rows_at(self, i), &entries);
        assert_int_equal(list == NULL, i % 7 == 0);
        for (size_t k = 0; list && k < 2 * entries; k++)
            assert_int_equal(list[k], 100 * i + k);
        if (list)
            assert_int_equal(entries, i % 5);
    }
}

static void test_lists(void **state)
{
    rows self = {.shape = &listing};
    (void)state;
    fill(&self);
    check_lists(&self);
    assert_true(rows_sound(&self, self.cells, self.count, self.listed, self.listed_count));
    rows_clear(&self);
    fill(&self); /* again, from nothing */
    check_lists(&self);
    rows_clear(&self);
}

static void test_no_lists(void **state)
{
    rows self = {.shape = &plain};
    size_t entries;
    (void)state;
    fill(&self);
    assert_null(rows_list(&self, rows_at(&self, 3), &entries));
    assert_null(self.listed);
    assert_true(rows_bytes(&plain, 0) < rows_bytes(&listing, 0));
    rows_clear(&self);
}

/* As a checkpoint has them: pieces from malloc, which become another's. */
static void test_taken(void **state)
{
    rows from = {.shape = &listing}, into = {.shape = &listing};
    (void)state;
    fill(&from);
    fill(&into);
    size_t cells = from.count * rows_stride(&from),
           listed = from.listed_count * sizeof *from.listed;
    void *copy = malloc(cells);
    uint64_t *lists = malloc(listed);
    assert_true(copy && lists);
    memcpy(copy, from.cells, cells);
    memcpy(lists, from.listed, listed);
    rows_clear(&from);
    rows_take(&into, copy, JOBS, lists, listed / sizeof *lists);
    check_lists(&into);
    rows_clear(&into);
}

/* A list that is not where its row says, or longer than what is there. */
static void test_unsound(void **state)
{
    rows self = {.shape = &listing};
    (void)state;
    fill(&self);
    assert_false(rows_sound(&self, self.cells, self.count, self.listed, self.listed_count - 1));
    assert_false(rows_sound(&self, self.cells, self.count, NULL, 0));
    self.listed[0] = UINT64_MAX / 2;
    assert_false(rows_sound(&self, self.cells, self.count, self.listed, self.listed_count));
    rows_clear(&self);
}

/* Words are among those that there are, or missing; values without words are any. */
static void test_words(void **state)
{
    static const char *const kinds[] = {"hit", "miss", NULL};
    static const char *const *const words[] = {NULL, kinds};
    static const row_shape spoken = {
        .names = names, .known = 1, .count = 2, .partial = 1, .words = words};
    static const struct {
        uint64_t value;
        int sound;
    } cases[] = {{0, 1}, {1, 1}, {2, 0}, {ROW_NONE, 1}, {ROW_NONE - 1, 0}};
    rows self = {.shape = &spoken};
    (void)state;
    fill(&self);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rows_at(&self, 7)->values[1].integer = cases[i].value;
        assert_int_equal(rows_sound(&self, self.cells, self.count, NULL, 0), cases[i].sound);
    }
    rows_clear(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists), cmocka_unit_test(test_no_lists), cmocka_unit_test(test_taken),
        cmocka_unit_test(test_unsound), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
