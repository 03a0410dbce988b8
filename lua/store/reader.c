#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "line.h"

enum { ROOM_FIRST = 1 << 20, ROOM_MOST = STORE_LINE_MOST + 2 };

int store_reader_start(store_reader *self, int descriptor, uint64_t offset, int is_skipping)
{
    if (!self->text) {
        self->text = malloc(ROOM_FIRST);
        self->room = ROOM_FIRST;
    }
    if (!self->text)
        return ENOMEM;
    self->descriptor = descriptor;
    self->next = offset;
    self->start = self->end = self->searched = 0;
    self->is_skipping = is_skipping;
    return 0;
}

void store_reader_free(store_reader *self, int all)
{
    if (all || self->room > ROOM_FIRST) {
        free(self->text);
        self->text = NULL;
        self->room = 0;
    }
}

uint64_t store_reader_at(const store_reader *self)
{
    return self->next - (self->end - self->start);
}

/* Makes room behind what is not taken yet. */
static int make_room(store_reader *self)
{
    size_t wanted = self->room < ROOM_MOST / 2 ? 2 * self->room : ROOM_MOST;
    char *larger;
    memmove(self->text, self->text + self->start, self->end - self->start);
    self->end -= self->start;
    self->start = 0;
    if (self->end < self->room)
        return 1;
    larger = realloc(self->text, wanted);
    if (!larger)
        return 0;
    self->text = larger;
    self->room = wanted;
    return 1;
}

/* Reads more: 1, 0 at the end of the file, or minus errno. */
static int read_more(store_reader *self)
{
    ssize_t got;
    if (interrupt_pending())
        return -ECANCELED;
    self->is_skipping |= self->end - self->start > STORE_LINE_MOST;
    if (self->is_skipping)
        self->start = self->end;
    if (!make_room(self))
        return -ENOMEM;
    self->searched = self->end;
    do
        got = pread(self->descriptor, self->text + self->end, self->room - self->end,
                    (off_t)self->next);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return -errno;
    self->end += (size_t)got;
    self->next += (uint64_t)got;
    return got > 0;
}

static int take_line(store_reader *self, const char *end)
{
    const char *start = self->text + self->start;
    self->line = self->is_skipping ? NULL : start;
    self->size = self->is_skipping ? 0 : (size_t)(end - start);
    self->offset = store_reader_at(self);
    self->start += (size_t)(end - start) + 1;
    self->searched = 0;
    self->is_skipping = 0;
    return 1;
}

int store_reader_next(store_reader *self)
{
    for (;;) {
        const char *from = self->text + self->start + self->searched;
        const char *end = memchr(from, '\n', self->end - self->start - self->searched);
        int status = end ? 0 : read_more(self);
        if (end)
            return take_line(self, end);
        if (status <= 0)
            return status;
    }
}
