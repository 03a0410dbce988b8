/* Text files, plain or gzip'ed alike, line by line. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "gz_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interrupt.h"
#include "bounds.h"

#define ROOM_FIRST 65536

gzFile gz_open(const char *path, char reason[GZ_REASON_SIZE])
{
    gzFile file;
    errno = 0;
    file = gzopen(path, "rb");
    if (!file)
        snprintf(reason, GZ_REASON_SIZE, "cannot open: %s",
                 errno ? strerror(errno) : "not enough memory");
    return file;
}

int gz_ended(gzFile file, const char *path, char reason[GZ_REASON_SIZE])
{
    int code, cause = errno;
    const char *text = gzerror(file, &code);
    size_t prefix = strlen(path); /* zlib puts "PATH: " before its text */
    int named = strncmp(text, path, prefix) == 0 && strlen(text) > prefix + 2;
    if (code == Z_OK)
        return 1;
    if (code == Z_ERRNO)
        snprintf(reason, GZ_REASON_SIZE, "cannot read: %s", strerror(cause));
    else if (code == Z_MEM_ERROR)
        snprintf(reason, GZ_REASON_SIZE, "not enough memory to read it");
    else if (code == Z_BUF_ERROR)
        snprintf(reason, GZ_REASON_SIZE,
                 "the compressed file ends too early (expected all of it: was it cut off?)");
    else
        snprintf(reason, GZ_REASON_SIZE, "the compressed file is damaged: %.120s",
                 named ? text + prefix + 2 : text);
    return 0;
}

void gz_quote(char text[GZ_QUOTE_SIZE], const char *field)
{
    size_t size = 0;
    for (; size < GZ_QUOTE_SIZE - 4 && field[size]; size++)
        text[size] = field[size] >= ' ' && field[size] <= '~' ? field[size] : '?';
    strcpy(text + size, field[size] ? "..." : "");
}

int gz_lines_fail(gz_lines *self, const char *what)
{
    if (self->line > 0)
        snprintf(self->message, GZ_MESSAGE_SIZE, "%s:%llu: %s", self->path,
                 (unsigned long long)self->line, what);
    else
        snprintf(self->message, GZ_MESSAGE_SIZE, "%s: %s", self->path, what);
    return -1;
}

uint64_t gz_file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
}

int gz_lines_open(gz_lines *self)
{
    char reason[GZ_REASON_SIZE];
    self->line = 0;
    self->size = self->filled = self->taken = 0;
    self->room = ROOM_FIRST;
    self->buffer = malloc(self->room);
    if (!self->buffer)
        return gz_lines_fail(self, "not enough memory to read it");
    self->file_size = gz_file_size(self->path);
    progress_start_reading(&self->progress);
    self->file = gz_open(self->path, reason);
    if (self->file)
        return 1;
    gz_lines_close(self);
    return gz_lines_fail(self, reason);
}

void gz_lines_close(gz_lines *self)
{
    progress_clear(&self->progress);
    if (self->file)
        gzclose(self->file);
    self->file = NULL;
    free(self->buffer);
    self->buffer = NULL;
}

static size_t longest(const gz_lines *self)
{
    return self->longest ? self->longest : LIMIT_LINE;
}

/* Makes room for one byte more than the line has so far, and for its end. */
static int make_room(gz_lines *self)
{
    char *larger;
    if (self->filled > longest(self)) {
        self->line++;
        return gz_lines_fail(self, "the line is too long (expected at most 16 MiB)");
    }
    if (self->filled < self->room - 1)
        return 1;
    larger = realloc(self->buffer, 2 * self->room);
    if (!larger)
        return gz_lines_fail(self, "not enough memory for the line");
    self->buffer = larger;
    self->room *= 2;
    return 1;
}

static int fail_read(gz_lines *self)
{
    char reason[GZ_REASON_SIZE];
    return gz_ended(self->file, self->path, reason) ? 0 : gz_lines_fail(self, reason);
}

/* Reads more of the file behind what is there: 1, 0 at its end, or -1 with a message. */
static int read_more(gz_lines *self)
{
    int got;
    size_t wanted;
    uint64_t done = (uint64_t)gzoffset(self->file);
    if (interrupt_pending())
        return gz_lines_fail(self, "interrupted");
    progress_show(&self->progress, done, self->file_size, "bytes", progress_clock());
    if (make_room(self) < 0)
        return -1;
    wanted = self->room - 1 - self->filled;
    if (wanted > longest(self) + 1 - self->filled)
        wanted = longest(self) + 1 - self->filled;
    errno = 0;
    got = gzread(self->file, self->buffer + self->filled, (unsigned)wanted);
    if (got <= 0 && fail_read(self) < 0)
        return -1;
    if (got <= 0 && self->filled == 0)
        return 0;
    if (got <= 0) {
        got = 1; /* the last line may lack its newline */
        self->buffer[self->filled] = '\n';
    }
    self->filled += (size_t)got;
    return 1;
}

int gz_lines_next(gz_lines *self, char **line)
{
    size_t seen = 0;
    for (;;) {
        char *start = self->buffer + self->taken;
        char *end = memchr(start + seen, '\n', self->filled - self->taken - seen);
        int status;
        if (end) {
            *line = start;
            *end = '\0';
            self->size = (size_t)(end - start);
            self->taken += self->size + 1;
            self->line++;
            return 1;
        }
        seen = self->filled -= self->taken;
        memmove(self->buffer, start, self->filled);
        self->taken = 0;
        status = read_more(self);
        if (status <= 0)
            return status;
    }
}
