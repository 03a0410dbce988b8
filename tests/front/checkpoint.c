/* Checkpoint files: parts of any size, files that end anywhere, and what no checkpoint is put into
 * or read from. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "pinion.h"
#include "run/checkpoint.h"
#include "support/store_folder.h"

static char folder[FOLDER_PATH_SIZE];

static const char damaged[] =
    "is damaged: its checksum is wrong (expected the bytes as they were written)";

/* Parts of 6, 11, 0, 0, 8 and 1 bytes. */
static const checkpoint_bytes parts[CHECKPOINT_PARTS] = {
    {"state.", 6}, {"the block.\n", 11}, {NULL, 0}, {NULL, 0}, {"timeline", 8}, {"s", 1}};

static const char *write_parts(const char *name)
{
    const char *path = folder_path(folder, name);
    assert_int_equal(checkpoint_write(path, "\"slot\":3", parts), 0);
    return path;
}

/* The bytes of a file. */
static size_t bytes_of(const char *path, unsigned char bytes[1000])
{
    FILE *file = fopen(path, "rb");
    size_t size;
    assert_non_null(file);
    size = fread(bytes, 1, 1000, file);
    fclose(file);
    return size;
}

static void check_refused(const char *path, const char *reason)
{
    char message[CHECKPOINT_MESSAGE_SIZE] = "";
    checkpoint from;
    assert_false(checkpoint_read(&from, path, message));
    assert_string_equal(message, reason);
    assert_null(from.line);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Parts come back as they were, each with zeros behind it up to whole words. */
static void test_parts(void **state)
{
    const char *path = write_parts("state");
    char message[CHECKPOINT_MESSAGE_SIZE];
    unsigned char bytes[1000];
    checkpoint from;
    (void)state;
    assert_int_equal(bytes_of(path, bytes) % 8, 0);
    assert_true(checkpoint_read(&from, path, message));
    assert_non_null(strstr(from.line, "{\"pinion_checkpoint\":4,\"slot\":3"));
    for (int i = 0; i < CHECKPOINT_PARTS; i++) {
        assert_int_equal(from.sizes[i], parts[i].size);
        assert_int_equal(from.parts[i] == NULL, parts[i].size == 0);
        if (parts[i].size > 0)
            assert_memory_equal(from.parts[i], parts[i].data, parts[i].size);
    }
    assert_memory_equal((char *)from.parts[CHECKPOINT_STATE] + 6, "\0\0", 2);
    checkpoint_free(&from);
    checkpoint_free(&from);
}

/* A file that ends early is cut short or damaged, wherever that is; so is one with more bytes. */
static void test_lengths(void **state)
{
    unsigned char bytes[1000];
    size_t size = bytes_of(write_parts("state"), bytes);
    (void)state;
    for (size_t length = 0; length < size; length++) {
        char message[CHECKPOINT_MESSAGE_SIZE];
        checkpoint from;
        folder_put(folder, "short", O_TRUNC, bytes, length);
        assert_false(checkpoint_read(&from, folder_path(folder, "short"), message));
        if (length == 0)
            assert_non_null(strstr(message, "is no checkpoint"));
        else
            assert_non_null(strstr(message, "is cut short"));
    }
    folder_put(folder, "long", O_TRUNC, bytes, size);
    folder_put(folder, "long", O_APPEND, "12345678", 8);
    check_refused(folder_path(folder, "long"),
                  "is longer than it should be, or damaged (expected a complete checkpoint)");
}

/* Sums may be right and the line or the sizes wrong. */
static void test_wrong_sizes(void **state)
{
    static const char odd[] = "{\"pinion_checkpoint\":4,\"slot\":31}\n";
    static const char null[] = "{\"pinion_checkpoint\":4,\"s\0\":31}\n";
    unsigned char bytes[1000], other[1000] = {0};
    size_t size = bytes_of(write_parts("state"), bytes), line;
    (void)state;
    line = (size_t)((unsigned char *)memchr(bytes, '\n', size) + 1 - bytes);
    folder_put(folder, "odd", O_TRUNC, odd, sizeof odd - 1);
    folder_put(folder, "odd", O_APPEND, other, 80);
    check_refused(folder_path(folder, "odd"), damaged);
    memcpy(other, null, sizeof null - 1);
    assert_int_equal((sizeof null - 1) % 8, 0);
    folder_put(folder, "null", O_TRUNC, other, sizeof null - 1 + 80);
    check_refused(folder_path(folder, "null"), damaged);
    /* the last part has as many bytes as are left, but no place for the rest of its last word */
    bytes[line + 8 * (CHECKPOINT_PARTS - 1)] = 8 + 1;
    folder_put(folder, "size", O_TRUNC, bytes, size);
    check_refused(folder_path(folder, "size"),
                  "is cut short or damaged (expected a complete checkpoint)");
    bytes[line + 8 * (CHECKPOINT_PARTS - 1)] = 2; /* as many words, but another sum */
    folder_put(folder, "size", O_TRUNC, bytes, size);
    check_refused(folder_path(folder, "size"), damaged);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void test_places(void **state)
{
    const char *fifo = folder_path(folder, "fifo");
    (void)state;
    assert_int_equal(mkfifo(fifo, 0600), 0);
    check_refused(fifo, "is no plain file (expected a checkpoint)");
    check_refused(folder, "Is a directory");
    check_refused(folder_path(folder, "none"), "No such file or directory");
    check_refused("/proc/self/mem", "Input/output error");
    /* devices are written in place, and cannot be synchronised */
    assert_int_equal(checkpoint_write("/dev/null", "\"slot\":3", parts), 0);
    assert_int_equal(checkpoint_write("/dev/full", "\"slot\":3", parts), ENOSPC);
    assert_int_equal(checkpoint_write(folder, "\"slot\":3", parts), EISDIR);
    /* wherever the disk is full: within a part, or within the zeros behind it */
    for (size_t size = 3800; size < 4200; size++) {
        static char long_part[4200];
        checkpoint_bytes others[CHECKPOINT_PARTS] = {{long_part, size}, {"the block", 9}};
        assert_int_equal(checkpoint_write("/dev/full", "\"slot\":3", others), ENOSPC);
    }
    /* a plain file is not: half a checkpoint would be none */
    assert_int_equal(checkpoint_write("/proc/self/comm", "\"slot\":3", parts), EACCES);
}

static void test_no_descriptors(void **state)
{
    const char *path = write_parts("state");
    struct rlimit limit, none;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    check_refused(path, "Too many open files");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Replaces no file but an empty one and a checkpoint, also of another format or cut short. */
static void test_replacing(void **state)
{
    static const struct {
        const char *text, *reason; /* null: it may */
    } cases[] = {{"", NULL},
                 {"{\"pinion_checkpoint\":4,\"slot\":3}\n", NULL},
                 {"{\"pinion_checkpoint\":9", NULL},
                 {"{\"pinion_check",
                  "is there already and is no checkpoint (expected a new file, or a checkpoint to "
                  "replace)"},
                 {"my notes\n", "is there already and is no checkpoint (expected a new file, or a "
                                "checkpoint to replace)"}};
    char message[CHECKPOINT_MESSAGE_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path;
        folder_put(folder, "old", O_TRUNC, cases[i].text, strlen(cases[i].text));
        path = folder_path(folder, "old");
        strcpy(message, "");
        assert_int_equal(checkpoint_may_replace(path, message), cases[i].reason == NULL);
        assert_string_equal(message, cases[i].reason ? cases[i].reason : "");
    }
    assert_true(checkpoint_may_replace(folder_path(folder, "new"), message));
    assert_false(checkpoint_may_replace(folder, message));
    assert_string_equal(message, "Is a directory");
    assert_false(checkpoint_may_replace(folder_path(folder, "old/new"), message));
    assert_string_equal(message, "Not a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),          cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_wrong_sizes),    cmocka_unit_test(test_places),
        cmocka_unit_test(test_no_descriptors), cmocka_unit_test(test_replacing)};
    int failed;
    folder_make(folder);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}
