/* Writing to a store: full disks, interrupted writes and killed processes cost at most the line
 * that was being written, and no loss is passed over in silence. The system's write and fdatasync
 * are replaced by ones that fail when they are told to. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "store/writer.h"
#include "support/store_folder.h"

#define KEY(DIGIT) "0000000000000000000000000000000" DIGIT
#define VALUE      "{\"digest\":\"0123456789abcdef\"}"

static char folder[FOLDER_PATH_SIZE];

/* ---- a system that fails --------------------------------------------------------------------- */

static struct {
    size_t room;     /* bytes that the disk still takes; then ENOSPC */
    size_t most;     /* bytes that one write takes */
    int signals;     /* every second write is interrupted */
    int sync_error;  /* of fdatasync; 0: none */
    int close_error; /* of close; 0: none */
    unsigned sync_ms;
    unsigned writes, syncs;
} machine;

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t written;
    machine.writes++;
    if (machine.signals && machine.writes % 2 == 1) {
        errno = EINTR;
        return -1;
    }
    if (size > 0 && machine.room == 0) {
        errno = ENOSPC;
        return -1;
    }
    size = size < machine.most ? size : machine.most;
    size = size < machine.room ? size : machine.room;
    written = syscall(SYS_write, file, bytes, size);
    machine.room -= written > 0 ? (size_t)written : 0;
    return written;
}

int fdatasync(int file)
{
    const struct timespec pause = {0, (long)machine.sync_ms * 1000000};
    (void)file;
    machine.syncs++;
    nanosleep(&pause, NULL);
    errno = machine.sync_error;
    return machine.sync_error ? -1 : 0;
}

int close(int file)
{
    int status = (int)syscall(SYS_close, file);
    errno = machine.close_error ? machine.close_error : errno;
    return machine.close_error ? -1 : status;
}

static void repair_machine(void)
{
    memset(&machine, 0, sizeof machine);
    machine.room = machine.most = SIZE_MAX;
}

static int set_up(void **state)
{
    (void)state;
    repair_machine();
    folder_make(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    repair_machine();
    folder_remove(folder);
    return 0;
}

static void open_writer(store_writer *writer)
{
    assert_int_equal(store_writer_open(writer, folder_path(folder, "a.units")), 0);
}

static int append(store_writer *writer, const char *key)
{
    return store_writer_append(writer, key, VALUE, strlen(VALUE));
}

/* How many units and wrong lines there are, and which of keys 0..f, as bits. */
static unsigned read_back(uint64_t *wrong)
{
    store_index index;
    unsigned keys = 0;
    if (store_index_open(&index, folder) != 0)
        fail_msg("%s", store_index_message(&index));
    *wrong = index.file_count > 0 ? index.files[0].wrong : 0;
    for (unsigned i = 1; i < 16; i++)
        keys |= (store_index_state(&index, (store_key){0, i}) == STORE_FINISHED ? 1u : 0u) << i;
    store_index_close(&index);
    return keys;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void test_plain(void **state)
{
    store_writer writer;
    struct stat about;
    uint64_t wrong;
    (void)state;
    open_writer(&writer);
    assert_int_equal(append(&writer, KEY("1")), 0);
    assert_int_equal(append(&writer, KEY("2")), 0);
    assert_int_equal(machine.writes, 2);
    assert_int_equal(stat(folder_path(folder, "a.units"), &about), 0);
    assert_int_equal(about.st_size, 2 * (STORE_HEAD_SIZE + strlen(VALUE) + 1));
    assert_int_equal(store_writer_close(&writer), 0);
    assert_int_equal(store_writer_close(&writer), 0);
    assert_int_equal(read_back(&wrong), 6);
    assert_int_equal(wrong, 0);
    assert_int_equal(store_writer_open(&writer, folder_path(folder, "a.units")), EEXIST);
    assert_int_equal(store_writer_open(&writer, folder_path(folder, "no/a.units")), ENOENT);
}

/* The disk is full after so many bytes, for each number of them: the line that did not fit is
 * lost and said to be, the next is not. */
static void test_full(void **state)
{
    size_t size = STORE_HEAD_SIZE + strlen(VALUE) + 1;
    (void)state;
    for (size_t room = 0; room < 2 * size; room++) {
        store_writer writer;
        uint64_t wrong;
        unsigned kept;
        repair_machine();
        folder_empty(folder);
        open_writer(&writer);
        assert_int_equal(append(&writer, KEY("1")), 0);
        machine.room = room;
        assert_int_equal(append(&writer, KEY("2")), room < size ? ENOSPC : 0);
        assert_int_equal(append(&writer, KEY("3")), ENOSPC);
        machine.room = room % 2; /* an end of a line may fit, and nothing more */
        assert_int_equal(append(&writer, KEY("4")), ENOSPC);
        machine.room = SIZE_MAX;
        assert_int_equal(append(&writer, KEY("5")), 0);
        assert_int_equal(store_writer_close(&writer), 0);
        kept = read_back(&wrong);
        assert_int_equal(kept & ~(4u | 8u), 2u | 32u);
        assert_true(room < size || kept & 4);
        /* All but its end may have fitted: then nothing is lost. */
        assert_int_equal(kept & 4, room >= size - 1 ? 4 : 0);
        assert_true(wrong <= 2);
    }
}

/* A write that takes a part, and one that a signal ends, go on. */
static void test_short_writes(void **state)
{
    (void)state;
    for (size_t most = 1; most < 90; most += 11) {
        store_writer writer;
        uint64_t wrong;
        repair_machine();
        folder_empty(folder);
        machine.most = most;
        machine.signals = 1;
        open_writer(&writer);
        assert_int_equal(append(&writer, KEY("1")), 0);
        assert_int_equal(append(&writer, KEY("2")), 0);
        assert_int_equal(store_writer_close(&writer), 0);
        assert_int_equal(read_back(&wrong), 6);
        assert_int_equal(wrong, 0);
    }
}

/* A disk that takes nothing, and does not say why. */
static void test_no_progress(void **state)
{
    store_writer writer;
    (void)state;
    open_writer(&writer);
    machine.most = 0;
    assert_int_equal(append(&writer, KEY("1")), EIO);
    machine.most = SIZE_MAX;
    assert_int_equal(append(&writer, KEY("2")), 0);
    assert_int_equal(store_writer_close(&writer), 0);
}

/* Some file systems lose bytes and say so only at the end. The first reason counts. */
static void test_close_errors(void **state)
{
    static const struct {
        int sync_error, close_error, status;
    } cases[] = {{0, EIO, EIO},      {0, ENOSPC, ENOSPC},   {0, EINTR, 0},
                 {EIO, ENOSPC, EIO}, {EINVAL, EIO, EIO},    {EINVAL, EINTR, 0},
                 {0, 0, 0},          {EDQUOT, EIO, EDQUOT}, {EIO, 0, EIO}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        store_writer writer;
        repair_machine();
        folder_empty(folder);
        open_writer(&writer);
        writer.sync_took_ns = UINT64_MAX / 2;
        assert_int_equal(append(&writer, KEY("1")), 0);
        machine.sync_error = cases[i].sync_error;
        machine.close_error = cases[i].close_error;
        assert_int_equal(store_writer_close(&writer), cases[i].status);
        machine.close_error = EIO;
        assert_int_equal(store_writer_close(&writer), 0); /* it is closed */
    }
}

/* A path without a folder is one in that where the process is. */
static void test_relative(void **state)
{
    char before[FOLDER_PATH_SIZE];
    store_writer writer;
    uint64_t wrong;
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(store_writer_open(&writer, "a.units"), 0);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(append(&writer, KEY("1")), 0);
    assert_int_equal(store_writer_close(&writer), 0);
    assert_int_equal(read_back(&wrong), 2);
}

/* Lines of every size about that of the room that the writer takes first, each behind the part of
 * a line. */
static void test_long_behind_torn(void **state)
{
    static char value[4100];
    (void)state;
    memset(value, ' ', sizeof value);
    memcpy(value, VALUE, strlen(VALUE) - 1);
    for (size_t more = 4040; more < sizeof value; more++) {
        store_writer writer;
        uint64_t wrong;
        repair_machine();
        folder_empty(folder);
        open_writer(&writer);
        machine.room = 10;
        assert_int_equal(append(&writer, KEY("1")), ENOSPC);
        machine.room = SIZE_MAX;
        value[more - 1] = '}';
        assert_int_equal(store_writer_append(&writer, KEY("2"), value, more), 0);
        value[more - 1] = ' ';
        assert_int_equal(store_writer_close(&writer), 0);
        assert_int_equal(read_back(&wrong), 4);
        assert_int_equal(wrong, 1);
    }
}

/* The same with the system itself: a file may not grow beyond a limit. */
static void test_size_limit(void **state)
{
    struct rlimit before, limit;
    store_writer writer;
    uint64_t wrong;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    (void)state;
    open_writer(&writer);
    assert_int_equal(append(&writer, KEY("1")), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = STORE_HEAD_SIZE + sizeof VALUE + 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(append(&writer, KEY("2")), EFBIG);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(append(&writer, KEY("3")), 0);
    assert_int_equal(store_writer_close(&writer), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(read_back(&wrong), 2 | 8);
    assert_int_equal(wrong, 1);
}

/* A folder that takes no new file. Root may write anywhere: a child is somebody else. */
static void test_read_only(void **state)
{
    int status = 0;
    pid_t child;
    (void)state;
    assert_int_equal(chmod(folder, 0555), 0);
    child = fork();
    if (child == 0) {
        store_writer writer;
        int refused = (getuid() != 0 || setuid(65534) == 0) &&
                      store_writer_open(&writer, folder_path(folder, "a.units")) == EACCES;
        _exit(refused ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(chmod(folder, 0755), 0);
}

/* ---- syncing --------------------------------------------------------------------------------- */

static void pause_ms(unsigned ms)
{
    const struct timespec pause = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

/* A slow sync is not made again at once, but when twenty times as long is over; and at the end. */
static void test_sync_share(void **state)
{
    store_writer writer;
    (void)state;
    machine.sync_ms = 20;
    open_writer(&writer);
    assert_int_equal(append(&writer, KEY("1")), 0);
    assert_int_equal(machine.syncs, 1);
    assert_true(writer.sync_took_ns >= 20000000);
    writer.sync_took_ns = 1000000000;
    writer.synced_ns -= 19 * writer.sync_took_ns; /* so long ago */
    assert_int_equal(append(&writer, KEY("2")), 0);
    assert_int_equal(machine.syncs, 1);
    writer.synced_ns -= writer.sync_took_ns;
    assert_int_equal(append(&writer, KEY("2")), 0);
    assert_int_equal(machine.syncs, 2);
    writer.sync_took_ns = UINT64_MAX / 2;
    for (int i = 0; i < 100; i++)
        assert_int_equal(append(&writer, KEY("3")), 0);
    assert_int_equal(machine.syncs, 2);
    assert_int_equal(store_writer_sync(&writer), 0);
    assert_int_equal(machine.syncs, 3);
    assert_int_equal(store_writer_close(&writer), 0);
    assert_int_equal(machine.syncs, 3); /* nothing was left to sync */
}

/* Lost bytes are said; that a file system does not know how to sync is not. */
static void test_sync_errors(void **state)
{
    static const int lost[] = {EIO, ENOSPC, EDQUOT}, other[] = {EINVAL, EROFS, ENOSYS};
    (void)state;
    for (int i = 0; i < 3; i++) {
        store_writer writer;
        folder_empty(folder);
        open_writer(&writer);
        machine.sync_error = lost[i];
        assert_int_equal(append(&writer, KEY("1")), lost[i]);
        assert_int_equal(store_writer_sync(&writer), lost[i]);
        machine.sync_error = other[i];
        assert_int_equal(append(&writer, KEY("1")), 0);
        assert_int_equal(store_writer_sync(&writer), 0);
        writer.is_dirty = 1;
        machine.sync_error = lost[i];
        assert_int_equal(store_writer_close(&writer), lost[i]);
        machine.sync_error = 0;
    }
}

/* ---- processes ------------------------------------------------------------------------------- */

/* A child may not write to its parent's file, and closing it does not sync. */
static void test_fork(void **state)
{
    int status = 0;
    store_writer writer;
    pid_t child;
    (void)state;
    open_writer(&writer);
    writer.sync_took_ns = UINT64_MAX / 2;
    assert_int_equal(append(&writer, KEY("1")), 0);
    child = fork();
    if (child == 0) {
        int good = !store_writer_is_own(&writer) && store_writer_close(&writer) == 0 &&
                   machine.syncs == 0;
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(store_writer_is_own(&writer));
    assert_int_equal(store_writer_close(&writer), 0);
    assert_int_equal(machine.syncs, 1);
}

enum { WRITERS = 20, LONGEST = 3000 };

/* The value of unit i of a writer, its length by chance. */
static size_t make_value(char *value, unsigned i)
{
    int head = sprintf(value, "{\"digest\":\"%016x\",\"x\":\"", i);
    size_t more = i * 2654435761u % LONGEST;
    memset(value + head, 'x', more);
    memcpy(value + head + more, "\"}", 3);
    return (size_t)head + more + 2;
}

/* Appends units until it is killed; says after each, through a pipe, how many are written. */
static void write_until_killed(unsigned writer_number, int reports)
{
    char value[LONGEST + 100], name[32], key[STORE_KEY_SIZE];
    store_writer writer;
    sprintf(name, "%u.units", writer_number);
    if (store_writer_open(&writer, folder_path(folder, name)) != 0)
        _exit(1);
    for (unsigned i = 1;; i++) {
        size_t size = make_value(value, i);
        store_key_write(key, (store_key){writer_number + 1, i});
        if (store_writer_append(&writer, key, value, size) != 0 ||
            syscall(SYS_write, reports, &i, sizeof i) != sizeof i)
            _exit(2);
    }
}

/* The last number that came through the pipe. */
static unsigned last_report(int reports)
{
    unsigned last = 0, next;
    while (read(reports, &next, sizeof next) == sizeof next)
        last = next;
    close(reports);
    return last;
}

static void check_written(store_index *index, unsigned writer, unsigned last)
{
    char value[LONGEST + 100];
    for (unsigned i = 1; i <= last; i++) {
        size_t size = make_value(value, i);
        store_found found;
        assert_int_equal(store_index_get(index, (store_key){writer + 1, i}, &found), 1);
        assert_int_equal(found.size, size);
        assert_memory_equal(found.value, value, size);
    }
}

/* Writers that are killed at any time: every line whose append returned is there, and a reader that
 * looks on meanwhile sees no wrong one. */
static void test_killed(void **state)
{
    struct {
        pid_t child;
        int reports;
        unsigned last;
    } writers[WRITERS];
    store_index index;
    (void)state;
    srand(20261126);
    for (unsigned i = 0; i < WRITERS; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        writers[i].child = fork();
        if (writers[i].child == 0)
            write_until_killed(i, ends[1]);
        close(ends[1]);
        writers[i].reports = ends[0];
    }
    if (store_index_open(&index, folder) != 0)
        fail_msg("%s", store_index_message(&index));
    for (unsigned i = 0; i < WRITERS; i++) {
        int status;
        pause_ms((unsigned)rand() % 5);
        assert_int_equal(store_index_refresh(&index, NULL), 0);
        assert_int_equal(kill(writers[i].child, SIGKILL), 0);
        writers[i].last = last_report(writers[i].reports);
        assert_int_equal(waitpid(writers[i].child, &status, 0), writers[i].child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    assert_int_equal(store_index_refresh(&index, NULL), 0);
    for (unsigned i = 0; i < WRITERS; i++)
        check_written(&index, i, writers[i].last);
    assert_true(index.kinds[STORE_FINISHED] > WRITERS);
    assert_int_equal(index.duplicates + index.disagreements, 0);
    for (uint32_t i = 0; i < index.file_count; i++)
        assert_int_equal(index.files[i].wrong, 0);
    store_index_close(&index);
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(test_##NAME, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain),        TEST(full),       TEST(short_writes),     TEST(no_progress),
        TEST(close_errors), TEST(relative),   TEST(long_behind_torn), TEST(size_limit),
        TEST(read_only),    TEST(sync_share), TEST(sync_errors),      TEST(fork),
        TEST(killed)};
    repair_machine();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
