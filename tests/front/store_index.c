/* Reading a store: whatever became of its files, no value is given that was not written, and what
 * is whole is found. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/interrupt.h"
#include "support/store_folder.h"

#define UNIT(DIGIT, REST) "{\"digest\":\"000000000000000" DIGIT "\"" REST "}"
#define FAILED(REST)      "{\"failed\":\"" REST "\"}"

static char folder[FOLDER_PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    folder_make(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    return 0;
}

static void open_index(store_index *index)
{
    if (store_index_open(index, folder) != 0)
        fail_msg("%s", store_index_message(index));
}

static void refresh(store_index *index, const char *name)
{
    if (store_index_refresh(index, name) != 0)
        fail_msg("%s", store_index_message(index));
}

static store_kind state_of(const store_index *index, uint64_t key)
{
    return store_index_state(index, (store_key){0, key});
}

/* The value of the key is this one, in this file; null: there is none. */
static void check_value(store_index *index, uint64_t key, const char *value, const char *file)
{
    store_found found;
    int got = store_index_get(index, (store_key){0, key}, &found);
    assert_int_equal(got, value != NULL);
    if (!value)
        return;
    assert_int_equal(found.size, strlen(value));
    assert_memory_equal(found.value, value, found.size);
    assert_string_equal(found.file, file);
}

static uint64_t sum(const store_index *index, size_t field)
{
    uint64_t of_all = 0, of_one;
    for (uint32_t i = 0; i < index->file_count; i++) {
        memcpy(&of_one, (const char *)&index->files[i] + field, sizeof of_one);
        of_all += of_one;
    }
    return of_all;
}

#define SUM(INDEX, FIELD) sum(INDEX, offsetof(store_file, FIELD))

static unsigned torn(const store_index *index)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < index->file_count; i++)
        count += index->files[i].is_torn;
    return count;
}

/* What a scan gives, as letters: the key of a unit, or - for a line about others. */
static void check_scan(store_index *index, const char *expected)
{
    char found[64];
    size_t count = 0;
    store_scan scan;
    int status;
    store_scan_begin(&scan, index);
    while ((status = store_scan_next(&scan)) > 0) {
        assert_true(count < sizeof found - 2);
        found[count++] = scan.line.kind == STORE_ABOUT ? '-' : (char)('0' + scan.line.key.low);
    }
    found[count] = '\0';
    assert_int_equal(status, 0);
    assert_string_equal(found, expected);
    assert_int_equal(store_index_refresh(index, NULL), EBUSY);
    store_scan_end(&scan);
    store_scan_end(&scan);
    refresh(index, NULL);
}

/* ---- which line of a key is kept ------------------------------------------------------------- */

static void test_preferred(void **state)
{
    store_index index;
    (void)state;
    folder_line(folder, "b.units", 1, UNIT("1", ",\"b\":1"));
    folder_line(folder, "a.units", 1, FAILED("a"));
    folder_line(folder, "a.units", 2, UNIT("2", ",\"a\":1"));
    folder_line(folder, "b.units", 2, FAILED("b"));
    folder_line(folder, "b.units", 2, UNIT("2", ",\"b\":1"));
    folder_line(folder, "b.units", 3, FAILED("b"));
    folder_line(folder, "a.units", 3, FAILED("a"));
    folder_line(folder, "a.units", 4, UNIT("4", ""));
    folder_line(folder, "a.units", 4, UNIT("5", ""));
    folder_line(folder, "b.units", 4, UNIT("6", ""));
    open_index(&index);
    check_value(&index, 1, UNIT("1", ",\"b\":1"), "b.units");
    check_value(&index, 2, UNIT("2", ",\"a\":1"), "a.units");
    check_value(&index, 3, FAILED("a"), "a.units");
    check_value(&index, 4, UNIT("4", ""), "a.units");
    check_value(&index, 5, NULL, NULL);
    assert_int_equal(state_of(&index, 1), STORE_FINISHED);
    assert_int_equal(state_of(&index, 3), STORE_FAILED);
    assert_int_equal(state_of(&index, 5), STORE_WRONG);
    assert_int_equal(index.kinds[STORE_FINISHED], 3);
    assert_int_equal(index.kinds[STORE_FAILED], 1);
    assert_int_equal(index.duplicates, 1);
    assert_int_equal(index.disagreements, 2);
    assert_int_equal(index.disagreeing[0].digest, 4);
    assert_int_equal(index.disagreeing[0].other_digest, 5);
    assert_string_equal(index.files[index.disagreeing[1].other_file].name, "b.units");
    store_index_close(&index);
}

static void test_many_disagreements(void **state)
{
    store_index index;
    char value[64];
    (void)state;
    for (int i = 0; i < STORE_DISAGREEMENTS_MOST + 51; i++) {
        sprintf(value, "{\"digest\":\"%016x\"}", i);
        folder_line(folder, "a.units", 1, value);
    }
    open_index(&index);
    assert_int_equal(index.disagreements, STORE_DISAGREEMENTS_MOST + 50);
    assert_int_equal(index.disagreeing[STORE_DISAGREEMENTS_MOST - 1].other_digest,
                     STORE_DISAGREEMENTS_MOST);
    store_index_close(&index);
}

/* Keys that are no hashes, so many that the tables grow several times. */
static void test_many_keys(void **state)
{
    enum { KEYS = 20000, LINE = 128 };
    char *lines = malloc(KEYS * LINE), value[64];
    size_t size = 0;
    store_index index;
    (void)state;
    assert_non_null(lines);
    for (unsigned i = 1; i <= KEYS; i++) {
        sprintf(value, "{\"digest\":\"%016x\"}", i);
        size += line_make(lines + size, (uint64_t)i << 20, value);
    }
    folder_put(folder, "a.units", 0, lines, size);
    open_index(&index);
    assert_int_equal(SUM(&index, lines), KEYS);
    for (unsigned i = 1; i <= KEYS; i++) {
        sprintf(value, "{\"digest\":\"%016x\"}", i);
        check_value(&index, (uint64_t)i << 20, value, "a.units");
    }
    assert_int_equal(index.kinds[STORE_FINISHED], KEYS);
    store_index_close(&index);
    free(lines);
}

/* ---- damage ---------------------------------------------------------------------------------- */

enum { SMALL_LINES = 4, SMALL_SIZE = 512 };

static const char *const small_values[SMALL_LINES] = {"{\"store\":1,\"host\":\"x\"}", UNIT("1", ""),
                                                      FAILED("x"), UNIT("3", ",\"n\":[1,2]")};

/* A file of one line about others and three units, of keys 1 to 3; where its lines end. */
static size_t small_file(char bytes[SMALL_SIZE], size_t ends[SMALL_LINES])
{
    size_t size = 0;
    for (unsigned i = 0; i < SMALL_LINES; i++) {
        size += line_make(bytes + size, i, small_values[i]);
        ends[i] = size;
    }
    return size;
}

/* Every bit: the lines that it does not touch are found, and no other. */
static void test_every_bit(void **state)
{
    char bytes[SMALL_SIZE];
    size_t ends[SMALL_LINES], size = small_file(bytes, ends);
    (void)state;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        unsigned hit = 0, last;
        store_index index;
        while (bit / 8 >= ends[hit])
            hit++;
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        /* A line without its end takes the next with it. */
        last = bit / 8 == ends[hit] - 1 ? hit + 1 : hit;
        folder_put(folder, "a.units", O_TRUNC, bytes, size);
        open_index(&index);
        for (unsigned i = 1; i < SMALL_LINES; i++)
            check_value(&index, i, hit <= i && i <= last ? NULL : small_values[i], "a.units");
        assert_true(SUM(&index, wrong) + torn(&index) > 0);
        store_index_close(&index);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
}

/* Every length: the whole lines are found. What the file goes on with is read at a refresh, be it
 * the rest, or a new line behind the torn one. */
static void test_every_length(void **state)
{
    char bytes[SMALL_SIZE];
    size_t ends[SMALL_LINES], size = small_file(bytes, ends);
    (void)state;
    for (size_t length = 0; length <= size; length++) {
        store_index index, other;
        unsigned whole = 0;
        while (whole < SMALL_LINES && ends[whole] <= length)
            whole++;
        folder_put(folder, "a.units", O_TRUNC, bytes, length);
        open_index(&index);
        open_index(&other);
        for (unsigned i = 1; i < SMALL_LINES; i++)
            check_value(&index, i, i < whole ? small_values[i] : NULL, "a.units");
        assert_int_equal(SUM(&index, lines), whole);
        assert_int_equal(SUM(&index, wrong), 0);
        assert_int_equal(torn(&index), whole == 0 ? length > 0 : length > ends[whole - 1]);
        folder_put(folder, "a.units", O_APPEND, bytes + length, size - length);
        refresh(&index, NULL);
        for (unsigned i = 1; i < SMALL_LINES; i++)
            check_value(&index, i, small_values[i], "a.units");
        assert_int_equal(torn(&index), 0);
        folder_put(folder, "a.units", O_TRUNC, bytes, length);
        if (torn(&other))
            folder_put(folder, "a.units", O_APPEND, "\n", 1);
        folder_line(folder, "a.units", 9, UNIT("9", ""));
        refresh(&other, "a.units");
        check_value(&other, 9, UNIT("9", ""), "a.units");
        assert_int_equal(torn(&other), 0);
        store_index_close(&index);
        store_index_close(&other);
    }
}

/* What is longer than any line costs itself alone, however it is come by. */
static void test_too_long(void **state)
{
    const off_t length = STORE_LINE_MOST + 1000;
    store_index index;
    (void)state;
    folder_line(folder, "a.units", 1, UNIT("1", ""));
    assert_int_equal(truncate(folder_path(folder, "a.units"), length), 0);
    open_index(&index);
    assert_int_equal(torn(&index), 1);
    assert_int_equal(SUM(&index, lines), 1);
    refresh(&index, NULL);
    assert_int_equal(torn(&index), 1);
    folder_put(folder, "a.units", O_APPEND, "x", 1);
    refresh(&index, NULL);
    assert_int_equal(SUM(&index, lines), 1);
    folder_put(folder, "a.units", O_APPEND, "\n", 1);
    folder_line(folder, "a.units", 2, UNIT("2", ""));
    for (int again = 0; again < 2; again++) {
        refresh(&index, NULL);
        assert_int_equal(SUM(&index, lines), 3);
        assert_int_equal(SUM(&index, wrong), 1);
        assert_int_equal(torn(&index), 0);
        check_value(&index, 1, UNIT("1", ""), "a.units");
        check_value(&index, 2, UNIT("2", ""), "a.units");
        store_index_close(&index); /* and in one go */
        open_index(&index);
    }
    store_index_close(&index);
}

/* The longest line that there may be, which no block holds at first. */
static void test_longest(void **state)
{
    char *value = malloc(STORE_VALUE_MOST), *line = malloc(STORE_LINE_MOST + 1);
    size_t size;
    store_index index;
    store_found found;
    (void)state;
    assert_true(value && line);
    memset(value, 'x', STORE_VALUE_MOST);
    memcpy(value, "{\"failed\":", 10);
    size = store_line_write(line, "00000000000000000000000000000007", value, STORE_VALUE_MOST);
    folder_put(folder, "a.units", O_APPEND, line, size);
    folder_line(folder, "a.units", 2, UNIT("2", ""));
    open_index(&index);
    check_value(&index, 2, UNIT("2", ""), "a.units");
    assert_int_equal(store_index_get(&index, (store_key){0, 7}, &found), 1);
    assert_int_equal(found.size, STORE_VALUE_MOST);
    assert_memory_equal(found.value, value, STORE_VALUE_MOST);
    store_index_close(&index);
    free(value);
    free(line);
}

/* ---- change beneath -------------------------------------------------------------------------- */

static void test_growing(void **state)
{
    enum { STEPS = 200 };
    char value[64], name[32];
    store_index index, other;
    (void)state;
    open_index(&index);
    open_index(&other);
    for (unsigned i = 1; i <= STEPS; i++) {
        sprintf(value, "{\"digest\":\"%016x\"}", i);
        sprintf(name, "%u.units", i * 7 % 13);
        folder_line(folder, name, i, value);
        refresh(&index, i % 2 ? name : NULL);
        check_value(&index, i, value, name);
        assert_int_equal(index.kinds[STORE_FINISHED], i);
        assert_int_equal(state_of(&other, i), STORE_WRONG);
    }
    refresh(&other, NULL);
    assert_int_equal(other.kinds[STORE_FINISHED], STEPS);
    assert_int_equal(other.file_count, 13);
    for (uint32_t i = 1; i < other.file_count; i++)
        assert_true(strcmp(index.files[index.order[i - 1]].name, index.files[index.order[i]].name) <
                    0);
    assert_int_equal(index.duplicates, 0);
    assert_int_equal(SUM(&index, bytes), SUM(&other, bytes));
    store_index_close(&index);
    store_index_close(&other);
}

/* A file is gone, or shorter: its units are misses at once, and forgotten at a refresh. */
static void test_vanished(void **state)
{
    store_index index;
    (void)state;
    for (int shorter = 0; shorter < 2; shorter++) {
        folder_empty(folder);
        folder_line(folder, "a.units", 1, UNIT("1", ",\"a\":1"));
        folder_line(folder, "a.units", 2, UNIT("2", ""));
        folder_line(folder, "b.units", 1, UNIT("1", ",\"b\":1"));
        open_index(&index);
        assert_int_equal(index.duplicates, 1);
        if (shorter)
            assert_int_equal(truncate(folder_path(folder, "a.units"), 10), 0);
        else
            unlink(folder_path(folder, "a.units"));
        assert_int_equal(state_of(&index, 2), STORE_FINISHED);
        check_value(&index, 2, NULL, NULL);
        assert_int_equal(state_of(&index, 2), STORE_WRONG);
        assert_int_equal(index.kinds[STORE_FINISHED], 1);
        refresh(&index, "b.units");
        assert_int_equal(index.kinds[STORE_FINISHED], 1);
        refresh(&index, NULL);
        check_value(&index, 1, UNIT("1", ",\"b\":1"), "b.units");
        check_value(&index, 2, NULL, NULL);
        assert_int_equal(index.duplicates, 0);
        assert_int_equal(index.file_count, 1 + shorter);
        store_index_close(&index);
    }
}

/* The line rots: the next of its key takes its place. */
static void test_rotten(void **state)
{
    char line[256];
    store_index index;
    (void)state;
    folder_put(folder, "a.units", 0, line, line_make(line, 1, UNIT("1", "")));
    folder_line(folder, "a.units", 2, UNIT("2", ""));
    open_index(&index);
    folder_put(folder, "a.units", 0, "zz", 2);
    check_value(&index, 1, NULL, NULL);
    check_value(&index, 2, UNIT("2", ""), "a.units");
    folder_put(folder, "a.units", 0, line, 2); /* too late: it has been missed */
    check_scan(&index, "2");
    folder_line(folder, "b.units", 1, FAILED("later"));
    refresh(&index, NULL);
    check_value(&index, 1, FAILED("later"), "b.units");
    folder_line(folder, "b.units", 1, UNIT("1", ""));
    refresh(&index, NULL);
    check_value(&index, 1, UNIT("1", ""), "b.units");
    assert_int_equal(index.kinds[STORE_FINISHED], 2);
    assert_int_equal(index.kinds[STORE_FAILED], 0);
    store_index_close(&index);
}

/* Another line, whole and of the same size, where that of the key was. */
static void test_exchanged(void **state)
{
    char line[256];
    store_index index;
    (void)state;
    folder_line(folder, "a.units", 1, UNIT("1", ""));
    open_index(&index);
    folder_put(folder, "a.units", O_TRUNC, line, line_make(line, 2, UNIT("1", "")));
    check_value(&index, 1, NULL, NULL);
    store_index_close(&index);
    open_index(&index);
    folder_put(folder, "a.units", O_TRUNC, line, line_make(line, 2, UNIT("2", "")));
    check_value(&index, 2, NULL, NULL);
    store_index_close(&index);
}

/* ---- folders --------------------------------------------------------------------------------- */

/* Only plain files NAME.units count; a pipe of such a name is not waited for. */
static void test_other_files(void **state)
{
    static const char *const names[] = {".units", ".a.units", "a.unit", "a.units.tmp", "a.UNITS"};
    store_index index;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        folder_line(folder, names[i], 1, UNIT("1", ""));
        assert_false(store_is_file_name(names[i]));
    }
    assert_false(store_is_file_name("../a.units"));
    assert_int_equal(mkdir(folder_path(folder, "d.units"), 0777), 0);
    assert_int_equal(mkfifo(folder_path(folder, "p.units"), 0666), 0);
    assert_int_equal(symlink("nowhere", folder_path(folder, "l.units")), 0);
    folder_put(folder, "e.units", 0, "", 0);
    open_index(&index);
    assert_int_equal(index.file_count, 1);
    assert_int_equal(index.entry_count, 0);
    refresh(&index, "p.units");
    refresh(&index, "none.units");
    assert_int_equal(index.file_count, 1);
    store_index_close(&index);
    rmdir(folder_path(folder, "d.units"));
    unlink(folder_path(folder, ".units"));
    unlink(folder_path(folder, ".a.units"));
}

static void check_refused(const char *path, const char *expected)
{
    store_index index;
    assert_true(store_index_open(&index, path) != 0);
    assert_non_null(strstr(store_index_message(&index), expected));
    store_index_close(&index);
}

static void test_refused(void **state)
{
    char message[FOLDER_PATH_SIZE + 100];
    (void)state;
    check_refused("/nowhere/at/all", "/nowhere/at/all: cannot open: No such file");
    check_refused("/dev/null", "/dev/null: cannot open: Not a directory");
    folder_line(folder, "a.units", 1, UNIT("1", ""));
    folder_line(folder, "b.units", 0, "{\"store\":12,\"x\":1}");
    snprintf(message, sizeof message, "%s/b.units: is a store of version 12 (expected 1)", folder);
    check_refused(folder, message);
}

/* A file of another version that comes later: what was read stays. */
static void test_version_later(void **state)
{
    store_index index;
    (void)state;
    folder_line(folder, "a.units", 1, UNIT("1", ""));
    open_index(&index);
    folder_line(folder, "b.units", 0, "{\"store\":3,\"x\":1}");
    for (int again = 0; again < 2; again++) {
        assert_true(store_index_refresh(&index, NULL) != 0);
        assert_non_null(strstr(store_index_message(&index), "version 3"));
        check_value(&index, 1, UNIT("1", ""), "a.units");
    }
    store_index_close(&index);
}

/* More files than descriptors, which are all given back. */
static void test_many_files(void **state)
{
    enum { FILES = 3000 };
    char name[32], value[64];
    store_index index;
    int free_before = dup(0), free_after;
    (void)state;
    close(free_before);
    for (unsigned i = 1; i <= FILES; i++) {
        sprintf(name, "%u.units", i);
        sprintf(value, "{\"digest\":\"%016x\"}", i);
        folder_line(folder, name, i, value);
    }
    open_index(&index);
    for (unsigned i = 1; i <= FILES; i++) {
        unsigned key = i * 7 % FILES + 1;
        sprintf(name, "%u.units", key);
        sprintf(value, "{\"digest\":\"%016x\"}", key);
        check_value(&index, key, value, name);
    }
    store_index_close(&index);
    free_after = dup(0);
    close(free_after);
    assert_int_equal(free_after, free_before);
}

/* Files that cannot be opened are left out, and one of them is named; the others are read. Root may
 * read all: a child is somebody else. */
static void test_forbidden(void **state)
{
    int status = 0;
    pid_t child;
    (void)state;
    folder_line(folder, "a.units", 1, UNIT("1", ""));
    folder_line(folder, "b.units", 2, UNIT("2", ""));
    assert_int_equal(symlink("loop.units", folder_path(folder, "loop.units")), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(chmod(folder_path(folder, "b.units"), 0644), 0);
    assert_int_equal(chmod(folder_path(folder, "a.units"), 0), 0);
    child = fork();
    if (child == 0) {
        store_index index;
        int is_read = (getuid() != 0 || setuid(65534) == 0) &&
                      store_index_open(&index, folder) == 0 && index.file_count == 1 &&
                      index.kinds[STORE_FINISHED] == 1 &&
                      strstr(store_index_left_out(&index), "loop.units: cannot open: Too many") &&
                      unlink(folder_path(folder, "loop.units")) == 0 &&
                      store_index_refresh(&index, NULL) == 0 &&
                      strstr(store_index_left_out(&index), "a.units: cannot open: Permission");
        _exit(is_read ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- about, and all lines -------------------------------------------------------------------- */

static void test_about(void **state)
{
    store_index index;
    store_found found;
    (void)state;
    folder_line(folder, "a.units", 1, UNIT("1", ""));
    folder_line(folder, "a.units", 0, "{\"store\":1,\"first\":1}");
    folder_line(folder, "a.units", 0, "{\"store\":1,\"second\":1}");
    folder_line(folder, "b.units", 2, UNIT("2", ""));
    open_index(&index);
    assert_int_equal(store_index_about(&index, "a.units", &found), 1);
    assert_memory_equal(found.value, "{\"store\":1,\"first\":1}", found.size);
    assert_int_equal(store_index_about(&index, "b.units", &found), 0);
    assert_int_equal(store_index_about(&index, "c.units", &found), 0);
    assert_int_equal(index.kinds[STORE_FINISHED], 2);
    store_index_close(&index);
}

static void test_scan(void **state)
{
    store_index index;
    (void)state;
    folder_line(folder, "b.units", 1, UNIT("1", ""));
    folder_line(folder, "b.units", 0, "{\"store\":1,\"b\":1}");
    folder_line(folder, "b.units", 3, UNIT("3", ""));
    folder_line(folder, "c.units", 4, FAILED(""));
    open_index(&index);
    folder_line(folder, "a.units", 1, FAILED("1"));
    folder_line(folder, "a.units", 3, UNIT("3", ""));
    folder_line(folder, "a.units", 2, UNIT("2", ""));
    folder_put(folder, "a.units", O_APPEND, "wrong\n", 6);
    folder_line(folder, "a.units", 5, UNIT("5", ""));
    folder_line(folder, "a.units", 5, UNIT("5", ""));
    folder_line(folder, "c.units", 0, "{\"store\":1,\"c\":1}");
    check_scan(&index, "1-34"); /* what came since is not known yet */
    check_scan(&index, "251-34-");
    unlink(folder_path(folder, "b.units"));
    folder_put(folder, "c.units", 0, "zz", 2);
    check_scan(&index, "25-");
    check_scan(&index, "1325-");
    store_index_close(&index);
}

/* Closes an index twice, as an explicit close and the garbage collector do: descriptors of others,
 * which may have any number from 0, stay open. */
static void test_closed_twice(void **state)
{
    store_index index;
    int kept = dup(0);
    (void)state;
    if (kept < 0)
        assert_int_equal(open("/dev/null", O_RDONLY), 0);
    open_index(&index);
    store_index_close(&index);
    store_index_close(&index);
    assert_true(fcntl(0, F_GETFD) >= 0);
    close(kept >= 0 ? kept : 0);
}

/* Ctrl-C ends reading; what was read stays. It cannot be taken back, so a child presses it. */
static void test_interrupted(void **state)
{
    int status = 0;
    pid_t child;
    (void)state;
    folder_line(folder, "a.units", 1, UNIT("1", ""));
    child = fork();
    if (child == 0) {
        store_index index;
        int good = store_index_open(&index, folder) == 0;
        interrupt_install();
        raise(SIGINT);
        folder_line(folder, "a.units", 2, UNIT("2", ""));
        good = good && store_index_refresh(&index, NULL) == ECANCELED &&
               strcmp(store_index_message(&index), "interrupted") == 0 &&
               state_of(&index, 1) == STORE_FINISHED && state_of(&index, 2) == STORE_WRONG;
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(test_##NAME, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(preferred),    TEST(many_disagreements),
                                       TEST(many_keys),    TEST(every_bit),
                                       TEST(every_length), TEST(too_long),
                                       TEST(longest),      TEST(growing),
                                       TEST(vanished),     TEST(rotten),
                                       TEST(exchanged),    TEST(other_files),
                                       TEST(refused),      TEST(version_later),
                                       TEST(many_files),   TEST(forbidden),
                                       TEST(about),        TEST(scan),
                                       TEST(closed_twice), TEST(interrupted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
