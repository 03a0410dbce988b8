/* Bytes are what writers leave in the three files of a store. RS (0x1e): a reader refreshes; GS
 * (0x1d): what follows goes to the next file. A line that begins with ???????? gets its checksum,
 * so that damage reaches what lies behind it. What the reader has found then is compared with a
 * second reading, made simply: of each file as a whole, line by line. */
#define _DEFAULT_SOURCE
#include <string.h>

#include "fuzz.h"
#include "store/sha256.h"
#include "support/store_folder.h"

enum { FILES = 3, KEPT_MOST = 4096, RS = 0x1e, GS = 0x1d };

typedef struct text {
    char *bytes;
    size_t size;
} text;

static const char *const names[FILES] = {"a.units", "b.units", "c.units"};
static char folder[FOLDER_PATH_SIZE];

/* ---- the second reading ---------------------------------------------------------------------- */

typedef struct naive_key {
    char key[STORE_KEY_SIZE];
    int is_finished;
} naive_key;

static struct {
    naive_key keys[KEPT_MOST];
    size_t count;
    uint64_t lines[FILES], wrong[FILES];
    int is_torn[FILES];
    int is_foreign; /* a line of another version: the store is refused */
} naive;

static uint32_t naive_crc(const char *bytes, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

static int is_hex(const char *bytes, int size)
{
    for (int i = 0; i < size; i++)
        if (!bytes[i] || !strchr("0123456789abcdef", bytes[i]))
            return 0;
    return 1;
}

static int starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static int is_line(const char *line, size_t size)
{
    char crc[9];
    if (size < 42 || line[8] != ' ' || line[41] != ' ' || !is_hex(line + 9, 32))
        return 0;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)line[i] < 32)
            return 0;
    sprintf(crc, "%08x", (unsigned)naive_crc(line + 9, size - 9));
    return memcmp(crc, line, 8) == 0;
}

static void naive_unit(const char *key, int is_finished)
{
    size_t i = 0;
    while (i < naive.count && memcmp(naive.keys[i].key, key, STORE_KEY_SIZE) != 0)
        i++;
    must(i < KEPT_MOST, "there is room for the keys");
    if (i == naive.count) {
        memcpy(naive.keys[naive.count++].key, key, STORE_KEY_SIZE);
        naive.keys[i].is_finished = 0;
    }
    naive.keys[i].is_finished |= is_finished;
}

/* Whether the digest is that of the member "value" of the object, where it has one. */
static int is_true(const char *object, size_t size)
{
    static const char begin[] = ",\"value\":";
    char digest[SHA256_TEXT_SIZE];
    sha256 hash;
    int depth = 0;
    for (const char *at = object; *at; at++) {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                at += *at == '\\' && at[1];
            if (!*at)
                return 1;
        } else if (depth == 1 && starts(at, begin)) {
            at += sizeof begin - 1;
            if (!*at)
                return 0;
            sha256_start(&hash);
            sha256_add(&hash, at, (size_t)(object + size - 1 - at));
            sha256_end(&hash, digest);
            return memcmp(digest, object + 11, 16) == 0;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    }
    return 1;
}

/* A line that ends with a null in place of its end. */
static void naive_line(int file, const char *line, size_t size)
{
    const char *value = line + 42;
    int is_good = is_line(line, size), is_about;
    naive.lines[file]++;
    is_about = is_good && strspn(line + 9, "0") >= 32;
    if (is_about && starts(value, "{\"store\":")) {
        const char *version = value + 9;
        size_t zeros = strspn(version, "0"), digits = strspn(version, "0123456789");
        if (digits > 0 && !(digits == zeros + 1 && version[zeros] == '1'))
            naive.is_foreign = 1;
        is_good = starts(version, "1,");
    } else if (is_about) {
        is_good = 0;
    } else if (is_good && starts(value, "{\"failed\":")) {
        naive_unit(line + 9, 0);
    } else if (is_good && starts(value, "{\"digest\":\"") && is_hex(value + 11, 16) &&
               value[27] == '"' && is_true(value, size - 42)) {
        naive_unit(line + 9, 1);
    } else {
        is_good = 0;
    }
    naive.wrong[file] += !is_good;
}

static void read_naively(const text *files)
{
    memset(&naive, 0, sizeof naive);
    for (int i = 0; i < FILES; i++) {
        char *line = files[i].bytes;
        for (size_t at = 0; at < files[i].size; at++)
            if (files[i].bytes[at] == '\n') {
                files[i].bytes[at] = '\0';
                naive_line(i, line, (size_t)(files[i].bytes + at - line));
                line = files[i].bytes + at + 1;
            }
        naive.is_torn[i] = line < files[i].bytes + files[i].size;
    }
}

/* ---- the files ------------------------------------------------------------------------------- */

/* Gives lines that ask for it their checksums, in a text that ends with a null. */
static void sign_lines(char *bytes, size_t size)
{
    for (char *line = bytes, *end; line < bytes + size; line = end + 1) {
        char behind;
        end = memchr(line, '\n', (size_t)(bytes + size - line));
        end = end ? end : bytes + size;
        if (end - line < 9 || memcmp(line, "????????", 8) != 0)
            continue;
        behind = line[8];
        sprintf(line, "%08x", (unsigned)naive_crc(line + 9, (size_t)(end - line) - 9));
        line[8] = behind;
    }
}

/* Bytes of all files as the input has them, in order, to the end or the next refresh; each goes to
 * its file and to the end of its text. Whether there is more. */
static int write_files(input *in, text *files, int *file)
{
    char *start[FILES];
    int goes_on;
    for (int i = 0; i < FILES; i++)
        start[i] = files[i].bytes + files[i].size;
    while (in->size > 0 && *in->bytes != RS) {
        unsigned c = byte(in);
        if (c == GS)
            *file = (*file + 1) % FILES;
        else
            files[*file].bytes[files[*file].size++] = (char)c;
    }
    goes_on = in->size > 0;
    byte(in);
    for (int i = 0; i < FILES; i++) {
        size_t size = (size_t)(files[i].bytes + files[i].size - start[i]);
        start[i][size] = '\0';
        sign_lines(start[i], size);
        folder_put(folder, names[i], O_APPEND, start[i], size);
    }
    return goes_on;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void check_unit(store_index *index, const naive_key *expected)
{
    store_kind kind = expected->is_finished ? STORE_FINISHED : STORE_FAILED;
    store_found found;
    store_key key;
    must(store_key_read(expected->key, STORE_KEY_SIZE, &key), "a key is one");
    must(store_index_state(index, key) == kind, "the state of each key");
    must(store_index_get(index, key, &found) == 1, "each unit can be read");
    must(starts(found.value, expected->is_finished ? "{\"digest\":\"" : "{\"failed\":"),
         "the value is of the line that is kept");
    must(found.value[-1] == ' ' && memcmp(found.value - 33, expected->key, STORE_KEY_SIZE) == 0,
         "the value is of this key");
}

static size_t count_scanned(store_index *index)
{
    store_scan scan;
    size_t units = 0;
    int status;
    store_scan_begin(&scan, index);
    while ((status = store_scan_next(&scan)) > 0)
        units += scan.line.kind != STORE_ABOUT;
    must(status == 0, "all lines can be listed");
    store_scan_end(&scan);
    return units;
}

static void check_index(store_index *index)
{
    uint64_t finished = 0;
    for (uint32_t i = 0; i < index->file_count; i++) {
        const store_file *file = &index->files[index->order[i]];
        must(file->lines == naive.lines[i], "the lines of each file");
        must(file->wrong == naive.wrong[i], "the wrong lines of each file");
        must(file->is_torn == naive.is_torn[i], "the end of each file");
    }
    must(index->entry_count == naive.count, "how many keys");
    for (size_t i = 0; i < naive.count; i++) {
        check_unit(index, &naive.keys[i]);
        finished += naive.keys[i].is_finished != 0;
    }
    must(index->kinds[STORE_FINISHED] == finished, "how many finished units");
    must(index->kinds[STORE_FAILED] == naive.count - finished, "how many failed units");
    must(count_scanned(index) == naive.count, "each unit is listed once");
}

static void remove_folder(void)
{
    folder_remove(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, size};
    text files[FILES];
    store_index growing, whole;
    int file = 0, goes_on = 1, status;
    if (!folder[0]) {
        folder_make(folder);
        atexit(remove_folder);
    }
    folder_empty(folder);
    for (int i = 0; i < FILES; i++) {
        files[i] = (text){malloc(size + 9), 0};
        must(files[i].bytes != NULL, "there is memory");
    }
    status = store_index_open(&growing, folder);
    must(status == 0, "an empty folder is a store");
    while (goes_on) {
        goes_on = write_files(&in, files, &file);
        status = store_index_refresh(&growing, NULL);
    }
    read_naively(files);
    must((status != 0) == naive.is_foreign, "a store of another version alone is refused");
    must((store_index_open(&whole, folder) != 0) == naive.is_foreign, "at once too");
    if (!naive.is_foreign) {
        check_index(&growing);
        check_index(&whole);
    }
    store_index_close(&growing);
    store_index_close(&whole);
    for (int i = 0; i < FILES; i++)
        free(files[i].bytes);
    return 0;
}
