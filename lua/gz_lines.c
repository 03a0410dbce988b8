/* Text files, plain or gzip'ed alike, line by line. */
#include "gz_lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

gzFile gz_open(const char *path, char reason[GZ_REASON_SIZE])
{
    gzFile file;
    errno = 0;
    file = gzopen(path, "rb");
    if (!file)
        snprintf(reason, GZ_REASON_SIZE, "cannot open: %s", errno ? strerror(errno) : "not enough memory");
    return file;
}

int gz_ended(gzFile file, const char *path, char reason[GZ_REASON_SIZE])
{
    int code, cause = errno;
    const char *text = gzerror(file, &code);
    size_t prefix = strlen(path); /* zlib puts "PATH: " before its text */
    int named = strncmp(text, path, prefix) == 0 && strlen(text) > prefix + 2;
    if (code == Z_OK || code == Z_STREAM_END)
        return 1;
    if (code == Z_ERRNO)
        snprintf(reason, GZ_REASON_SIZE, "cannot read: %s", strerror(cause));
    else if (code == Z_BUF_ERROR)
        snprintf(reason, GZ_REASON_SIZE, "the compressed file ends too early (expected all of it: was it cut off?)");
    else
        snprintf(reason, GZ_REASON_SIZE, "the compressed file is damaged: %.120s", named ? text + prefix + 2 : text);
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
        snprintf(self->message, GZ_MESSAGE_SIZE, "%s:%llu: %s", self->path, (unsigned long long)self->line, what);
    else
        snprintf(self->message, GZ_MESSAGE_SIZE, "%s: %s", self->path, what);
    return -1;
}

int gz_lines_open(gz_lines *self)
{
    char reason[GZ_REASON_SIZE];
    self->line = 0;
    self->size = self->filled = self->taken = 0;
    self->file = gz_open(self->path, reason);
    return self->file ? 1 : gz_lines_fail(self, reason);
}

void gz_lines_close(gz_lines *self)
{
    if (self->file)
        gzclose(self->file);
    self->file = NULL;
}

static int fail_read(gz_lines *self)
{
    char reason[GZ_REASON_SIZE];
    return gz_ended(self->file, self->path, reason) ? 0 : gz_lines_fail(self, reason);
}

int gz_lines_next(gz_lines *self, char **line)
{
    for (;;) {
        char *start = self->buffer + self->taken;
        char *end = memchr(start, '\n', self->filled - self->taken);
        int got;
        if (end) {
            *line = start;
            *end = '\0';
            self->size = (size_t)(end - start);
            self->taken += self->size + 1;
            self->line++;
            return 1;
        }
        self->filled -= self->taken;
        memmove(self->buffer, start, self->filled);
        self->taken = 0;
        if (self->filled >= GZ_LINE_SIZE - 1) {
            self->line++;
            return gz_lines_fail(self, "the line is too long (expected at most 65534 characters)");
        }
        errno = 0;
        got = gzread(self->file, self->buffer + self->filled, (unsigned)(GZ_LINE_SIZE - 1 - self->filled));
        if (got <= 0) {
            if (fail_read(self) < 0)
                return -1;
            if (self->filled == 0)
                return 0;
            got = 1; /* the last line may lack its newline */
            self->buffer[self->filled] = '\n';
        }
        self->filled += (size_t)got;
    }
}
