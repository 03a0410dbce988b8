/* A store without memory: the allocation that fails is each in turn. What a failed call leaves is
 * sound, gives no wrong value, and can go on when there is memory again. The C library's malloc is
 * replaced. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/writer.h"
#include "support/short_memory.h"
#include "support/store_folder.h"

#if SHORT_MEMORY

enum { UNITS = 3000, FILES = 20 };

static char folder[FOLDER_PATH_SIZE];
static void fill_folder(void)
{
    for (unsigned i = 1; i <= UNITS; i++) {
        char name[32], value[64];
        sprintf(name, "%u.units", i % FILES);
        sprintf(value, "{\"digest\":\"%016x\"}", i % 7 ? i : i - 1);
        folder_line(folder, name, i % 7 ? i : i - 1, value);
    }
    folder_line(folder, "1.units", 1, "{\"digest\":\"ffffffffffffffff\"}");
}

/* The values that are there are right; how many. */
static unsigned check_values(store_index *index)
{
    unsigned there = 0;
    for (unsigned i = 1; i <= UNITS; i++) {
        char value[64];
        store_found found;
        sprintf(value, "{\"digest\":\"%016x\"}", i);
        if (!store_index_get(index, (store_key){0, i}, &found))
            continue;
        assert_int_equal(found.size, strlen(value));
        assert_memory_equal(found.value, value, found.size);
        there++;
    }
    return there;
}

static void check_complete(store_index *index)
{
    assert_int_equal(check_values(index), UNITS - UNITS / 7);
    assert_int_equal(index->duplicates, UNITS / 7);
    assert_int_equal(index->disagreements, 1);
}

static void test_opening(void **state)
{
    int status = ENOMEM;
    unsigned refused = 0;
    (void)state;
    for (long most = 0; status != 0; most++) {
        store_index index;
        long before = held;
        left = most;
        status = store_index_open(&index, folder);
        left = -1;
        if (status) {
            refused++;
            assert_int_equal(status, ENOMEM);
            assert_string_equal(store_index_message(&index), "not enough memory");
            if (index.message) {
                check_values(&index);
                assert_int_equal(store_index_refresh(&index, NULL), 0);
            }
        }
        if (index.message)
            check_complete(&index);
        store_index_close(&index);
        assert_int_equal(held, before);
    }
    assert_true(refused > 2 * FILES);
}

/* What is asked for and cannot be read is a miss, until there is memory. */
static void test_getting(void **state)
{
    store_index index;
    store_found found;
    (void)state;
    assert_int_equal(store_index_open(&index, folder), 0);
    left = 0;
    assert_int_equal(store_index_get(&index, (store_key){0, 1}, &found), 0);
    left = -1;
    check_complete(&index);
    store_index_close(&index);
}

static void test_scanning(void **state)
{
    store_index index;
    int status = -ENOMEM;
    (void)state;
    assert_int_equal(store_index_open(&index, folder), 0);
    for (long most = 0; status != 0; most++) {
        store_scan scan;
        unsigned units = 0;
        store_scan_begin(&scan, &index);
        left = most;
        while ((status = store_scan_next(&scan)) > 0)
            units++;
        left = -1;
        store_scan_end(&scan);
        assert_true(status == 0 || status == -ENOMEM);
        if (status)
            assert_string_equal(store_index_message(&index), "not enough memory");
        assert_true(status != 0 || units == UNITS - UNITS / 7);
    }
    store_index_close(&index);
}

static void test_writing(void **state)
{
    const char *key = "0000000000000000000000000000abcd", *value = "{\"failed\":1}";
    store_writer writer;
    (void)state;
    assert_int_equal(store_writer_open(&writer, folder_path(folder, "new.units")), 0);
    left = 0;
    assert_int_equal(store_writer_append(&writer, key, value, strlen(value)), ENOMEM);
    left = -1;
    assert_int_equal(store_writer_append(&writer, key, value, strlen(value)), 0);
    assert_int_equal(store_writer_close(&writer), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening), cmocka_unit_test(test_getting),
        cmocka_unit_test(test_scanning), cmocka_unit_test(test_writing)};
    int failed;
    folder_make(folder);
    fill_folder();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}

#endif
