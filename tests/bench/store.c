/* What a store of finished units costs: writing lines with and without syncing them, opening a
 * folder of them beside reading its bytes alone, getting each unit in an order of its own, and
 * memory. Reading and opening: processor time, the best of several rounds; appending, where the
 * disk is waited for: elapsed time. PINION_BENCH_FOLDER names another place than /tmp. */
#define _DEFAULT_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/index.h"
#include "store/writer.h"

enum {
    FILES = 8,
    UNITS = 1000000,
    UNITS_SMALL = 2000,
    APPENDS = 20000,
    PATH_SIZE = 512,
    ROUNDS = 3
};

static char folder[PATH_SIZE];

static double elapsed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *path_of(int file)
{
    static char path[PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/%02d.units", folder, file);
    return path;
}

static void remove_all(void)
{
    for (int i = 0; i < FILES; i++)
        unlink(path_of(i));
    rmdir(folder);
}

static void need(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "bench: %s\n", what);
    remove_all();
    exit(1);
}

/* Keys as hashes give them. */
static store_key key_of(uint64_t i)
{
    return (store_key){pn_mix(PN_MIX_START, i), pn_mix(PN_MIX_START + 1, i)};
}

/* A value so long that its line has so many bytes. */
static size_t write_value(char *value, int line_size, uint64_t i)
{
    int size = line_size - STORE_HEAD_SIZE - 1;
    int head = sprintf(value, "{\"digest\":\"%016llx\",\"text\":\"", (unsigned long long)i);
    memset(value + head, 'x', (size_t)(size - head - 2));
    memcpy(value + size - 2, "\"}", 2);
    return (size_t)size;
}

/* With `sync` after each line; otherwise when append finds it cheap enough. */
static void append_lines(int file, int units, int line_size, bool sync)
{
    char value[2048], key[STORE_KEY_SIZE];
    store_writer writer;
    need(store_writer_open(&writer, path_of(file)) == 0, "no file to write");
    for (int i = 0; i < units; i++) {
        size_t size = write_value(value, line_size, (uint64_t)i);
        store_key_write(key, key_of((uint64_t)file << 32 | (uint64_t)i));
        need(store_writer_append(&writer, key, value, size) == 0 &&
                 (!sync || store_writer_sync(&writer) == 0),
             "a line was not written");
    }
    need(store_writer_close(&writer) == 0, "a file was not closed");
}

static void bench_append(int line_size, int units)
{
    for (int sync = 0; sync < 2; sync++) {
        int count = sync ? units / 10 : units;
        double start = elapsed();
        append_lines(0, count, line_size, sync != 0);
        printf("append, %s %8.2f us a line\n", sync ? "each synced   " : "synced at times",
               1e6 * (elapsed() - start) / count);
        unlink(path_of(0));
    }
}

/* The bytes of all files, read in the same blocks and not looked at. */
static uint64_t read_bytes(void)
{
    enum { BLOCK = 1 << 20 };
    char *block = checked(malloc(BLOCK));
    uint64_t bytes = 0;
    for (int i = 0; i < FILES; i++) {
        int descriptor = open(path_of(i), O_RDONLY);
        ssize_t got;
        need(descriptor >= 0, "a file is not there");
        while ((got = read(descriptor, block, BLOCK)) > 0)
            bytes += (uint64_t)got;
        close(descriptor);
    }
    free(block);
    return bytes;
}

static void bench_gets(store_index *index, int units)
{
    const uint64_t step = 7919; /* no divisor of any number of units here */
    double start = now();
    for (int i = 0; i < units; i++) {
        uint64_t unit = (uint64_t)i * step % (uint64_t)units, each = (uint64_t)(units / FILES);
        store_found found;
        need(store_index_get(index, key_of((unit / each) << 32 | unit % each), &found) == 1,
             "a unit was not found");
    }
    printf("get each %14.2f us a unit\n", 1e6 * (now() - start) / units);
}

static void bench_store(int line_size, int units)
{
    store_index index;
    double start, reading = 0, opening = 0, memory;
    uint64_t bytes = 0;
    printf("%d lines of %d bytes in %d files\n", units, line_size, FILES);
    bench_append(line_size, units < APPENDS ? units : APPENDS);
    for (int i = 0; i < FILES; i++)
        append_lines(i, units / FILES, line_size, false);
    for (int round = 0; round < ROUNDS; round++) {
        start = now();
        bytes = read_bytes();
        reading = best(reading, now() - start);
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 0)
            store_index_close(&index);
        start = now();
        need(store_index_open(&index, folder) == 0, store_index_message(&index));
        opening = best(opening, now() - start);
    }
    need(index.kinds[STORE_FINISHED] == (uint64_t)units, "units are missing");
    memory = (double)index.entry_room * sizeof *index.entries +
             (double)index.slot_count * sizeof *index.slots;
    printf("read %18.3f s %8.0f MB/s\n", reading, (double)bytes / reading / 1e6);
    printf("open %18.3f s %8.0f MB/s, %.1f bytes a unit\n", opening, (double)bytes / opening / 1e6,
           memory / units);
    bench_gets(&index, units);
    store_index_close(&index);
    for (int i = 0; i < FILES; i++)
        unlink(path_of(i));
}

int main(int argc, char **argv)
{
    bool small = argc > 1 && strcmp(argv[1], "small") == 0;
    const char *place = getenv("PINION_BENCH_FOLDER");
    snprintf(folder, sizeof folder, "%.400s/pinion-store-XXXXXX", place ? place : "/tmp");
    need(mkdtemp(folder) != NULL, "no folder for a store");
    bench_store(300, small ? UNITS_SMALL : UNITS);
    bench_store(1500, small ? UNITS_SMALL : UNITS);
    remove_all();
    return 0;
}
