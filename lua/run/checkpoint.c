/* Checkpoints on disk. Nothing of a file is used before its checksum is right, and nothing is
 * allocated for it before its sizes add up to its length. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "pinion.h"

#define MAGIC  "{\"pinion_checkpoint\":"
#define FORMAT "4"
#define WORD   ((size_t)8)

/* ---- words ----------------------------------------------------------------------------------- */

static uint64_t get_word(const unsigned char bytes[WORD])
{
    uint64_t word = 0;
    for (size_t i = 0; i < WORD; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static void put_word(unsigned char bytes[WORD], uint64_t word)
{
    for (size_t i = 0; i < WORD; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

/* Folds. Bytes that do not fill their last word count as filled up with zeros, which is how they
 * stand in the file. */
static uint64_t fold(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    unsigned char last[WORD] = {0};
    size_t whole = size / WORD * WORD;
    for (size_t i = 0; i < whole; i += WORD)
        sum = pn_mix(sum, get_word(bytes + i));
    if (whole == size)
        return sum;
    memcpy(last, bytes + whole, size - whole);
    return pn_mix(sum, get_word(last));
}

/* Returns the zeros that fill the last word of so many bytes. */
static size_t filling(uint64_t size)
{
    return (size_t)((WORD - size % WORD) % WORD);
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct writer {
    FILE *file;
    uint64_t sum;
    int broken; /* errno of the first failure */
} writer;

static void put(writer *self, const void *data, size_t size)
{
    static const unsigned char zeros[WORD] = {0};
    if (self->broken || size == 0)
        return;
    errno = EIO; /* unless the system says more */
    if (fwrite(data, 1, size, self->file) != size ||
        fwrite(zeros, 1, filling(size), self->file) != filling(size))
        self->broken = errno;
    self->sum = fold(self->sum, data, size);
}

static void put_line(writer *self, const char *fields)
{
    static const char blanks[] = "       ";
    size_t size = strlen(MAGIC FORMAT ",") + strlen(fields) + strlen("}\n"), room = size + WORD + 1;
    char *line = malloc(room);
    if (!line) {
        self->broken = ENOMEM;
        return;
    }
    snprintf(line, room, MAGIC FORMAT ",%s%.*s}\n", fields, (int)filling(size), blanks);
    put(self, line, size + filling(size));
    free(line);
}

static void put_parts(writer *self, const checkpoint_bytes parts[CHECKPOINT_PARTS])
{
    unsigned char sizes[CHECKPOINT_PARTS][WORD], sum[WORD];
    for (int i = 0; i < CHECKPOINT_PARTS; i++)
        put_word(sizes[i], parts[i].size);
    put(self, sizes, sizeof sizes);
    for (int i = 0; i < CHECKPOINT_PARTS; i++)
        put(self, parts[i].data, parts[i].size);
    put_word(sum, self->sum);
    put(self, sum, sizeof sum);
}

static int sync_file(int descriptor)
{
    int failed;
    do {
        errno = 0;
        failed = fsync(descriptor);
    } while (failed && errno == EINTR);
    /* Some file systems cannot, and say so: then there is nothing to wait for. */
    return !failed || errno == EINVAL || errno == ENOSYS;
}

/* Syncs the folder: the new name, too, has to reach the disk. Where a directory cannot be opened or
 * synchronised, the rename must do. */
static void sync_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    int descriptor = directory ? open(directory, O_RDONLY) : -1;
    if (descriptor >= 0) {
        sync_file(descriptor);
        close(descriptor);
    }
    free(directory);
}

/* Returns whether the old one can be kept. A checkpoint that is half written is none, so that no
 * plain file is written in place. */
static int can_keep_old(const output *place)
{
    struct stat info;
    return place->beside || fstat(fileno(place->file), &info) != 0 || !S_ISREG(info.st_mode);
}

static int write_file(FILE *file, const char *fields,
                      const checkpoint_bytes parts[CHECKPOINT_PARTS])
{
    writer self = {.file = file, .sum = PN_MIX_START};
    put_line(&self, fields);
    put_parts(&self, parts);
    errno = EIO;
    if (!self.broken && (fflush(file) != 0 || !sync_file(fileno(file))))
        self.broken = errno;
    return self.broken;
}

int checkpoint_write(const char *path, const char *fields,
                     const checkpoint_bytes parts[CHECKPOINT_PARTS])
{
    output place;
    int broken = output_open(&place, path);
    if (broken)
        return broken;
    broken = can_keep_old(&place) ? write_file(place.file, fields, parts) : EACCES;
    broken = broken ? broken : output_commit(&place);
    output_discard(&place);
    if (!broken)
        sync_directory(path);
    return broken;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    FILE *file;
    uint64_t size; /* of the file */
    uint64_t sum;
    char *message;
} reader;

static int refuse(reader *self, const char *reason)
{
    snprintf(self->message, CHECKPOINT_MESSAGE_SIZE, "%s", reason);
    return 0;
}

static int refuse_errno(reader *self)
{
    return refuse(self, strerror(errno));
}

static int damaged(reader *self)
{
    return refuse(self,
                  "is damaged: its checksum is wrong (expected the bytes as they were written)");
}

/* Reads whole words, which the file has, into `data`, which has room for them. */
static int get(reader *self, void *data, size_t size)
{
    errno = EIO;
    if (fread(data, 1, size, self->file) != size)
        return refuse_errno(self);
    self->sum = fold(self->sum, data, size);
    return 1;
}

static int open_file(reader *self, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return refuse_errno(self);
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return refuse_errno(self);
    }
    if (!S_ISREG(info.st_mode)) /* not even opened: a pipe would keep us waiting */
        return refuse(self, "is no plain file (expected a checkpoint)");
    self->file = fopen(path, "rb");
    if (!self->file || fstat(fileno(self->file), &info) != 0)
        return refuse_errno(self);
    self->size = (uint64_t)info.st_size;
    return 1;
}

/* Reads the beginning, which is looked at before the line: a foreign file may be one line of any
 * length. */
static int get_magic(reader *self, char magic[sizeof MAGIC])
{
    size_t read;
    errno = EIO;
    read = fread(magic, 1, sizeof MAGIC - 1, self->file);
    if (ferror(self->file))
        return refuse_errno(self);
    magic[read] = '\0';
    if (read > 0 && read < sizeof MAGIC - 1 && memcmp(magic, MAGIC, read) == 0)
        return refuse(self, "is cut short (expected a complete checkpoint)");
    if (strcmp(magic, MAGIC) != 0)
        return refuse(self, "is no checkpoint (expected a first line that begins with " MAGIC ")");
    return 1;
}

static int get_line(reader *self, checkpoint *into)
{
    char magic[sizeof MAGIC];
    size_t room = 0;
    ssize_t size;
    if (!get_magic(self, magic))
        return 0;
    errno = EIO;
    rewind(self->file);
    size = getline(&into->line, &room, self->file);
    if (size < 0)
        return refuse_errno(self);
    if (into->line[size - 1] != '\n')
        return refuse(self, "is cut short (expected a complete checkpoint)");
    self->sum = fold(self->sum, into->line, (size_t)size);
    into->line[size - 1] = '\0';
    /* Others may be laid out otherwise from here on. */
    if (strncmp(into->line + sizeof MAGIC - 1, FORMAT ",", sizeof FORMAT) != 0) {
        snprintf(self->message, CHECKPOINT_MESSAGE_SIZE,
                 "is a checkpoint of format %.*s, or damaged (expected format " FORMAT ")",
                 (int)strcspn(into->line + sizeof MAGIC - 1, ",") & 15,
                 into->line + sizeof MAGIC - 1);
        return 0;
    }
    self->size -= (uint64_t)size;
    return (size_t)size % WORD == 0 && strlen(into->line) == (size_t)size - 1 ? 1 : damaged(self);
}

/* Reads the sizes. What is left of the file must be exactly the sizes, the parts and the
 * checksum. */
static int get_sizes(reader *self, checkpoint *into)
{
    unsigned char sizes[CHECKPOINT_PARTS][WORD];
    uint64_t left = self->size, rest = sizeof sizes + WORD;
    if (left < rest)
        return refuse(self, "is cut short (expected a complete checkpoint)");
    left -= rest;
    if (!get(self, sizes, sizeof sizes))
        return 0;
    for (int i = 0; i < CHECKPOINT_PARTS; i++) {
        uint64_t size = get_word(sizes[i]);
        if (size > left || filling(size) > left - size)
            return refuse(self, "is cut short or damaged (expected a complete checkpoint)");
        left -= size + filling(size);
        if (size > SIZE_MAX - WORD)
            return refuse(self, "holds more than this machine can address");
        into->sizes[i] = (size_t)size;
    }
    return left == 0
               ? 1
               : refuse(self,
                        "is longer than it should be, or damaged (expected a complete checkpoint)");
}

static int get_parts(reader *self, checkpoint *into)
{
    unsigned char sum[WORD];
    uint64_t want;
    for (int i = 0; i < CHECKPOINT_PARTS; i++) {
        size_t size = into->sizes[i] + filling(into->sizes[i]);
        if (size == 0)
            continue;
        into->parts[i] = malloc(size);
        if (!into->parts[i])
            return refuse(self, "not enough memory to read it");
        if (!get(self, into->parts[i], size))
            return 0;
    }
    want = self->sum;
    if (!get(self, sum, sizeof sum))
        return 0;
    return get_word(sum) == want ? 1 : damaged(self);
}

int checkpoint_read(checkpoint *self, const char *path, char message[CHECKPOINT_MESSAGE_SIZE])
{
    reader from = {.sum = PN_MIX_START, .message = message};
    int done;
    memset(self, 0, sizeof *self);
    done = open_file(&from, path) && get_line(&from, self) && get_sizes(&from, self) &&
           get_parts(&from, self);
    if (from.file)
        fclose(from.file);
    if (!done)
        checkpoint_free(self);
    return done;
}

int checkpoint_may_replace(const char *path, char message[CHECKPOINT_MESSAGE_SIZE])
{
    reader from = {.message = message};
    char magic[sizeof MAGIC];
    struct stat info;
    int done;
    if (stat(path, &info) != 0 && errno == ENOENT)
        return 1;
    done = open_file(&from, path);
    if (done && from.size > 0 && !get_magic(&from, magic)) {
        done = 0;
        if (!ferror(from.file))
            refuse(&from, "is there already and is no checkpoint (expected a new file, or a "
                          "checkpoint to replace)");
    }
    if (from.file)
        fclose(from.file);
    return done;
}

void checkpoint_free(checkpoint *self)
{
    free(self->line);
    for (int i = 0; i < CHECKPOINT_PARTS; i++)
        free(self->parts[i]);
    memset(self, 0, sizeof *self);
}
