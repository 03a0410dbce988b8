#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The time between two syncs is so many times what a sync takes. */
enum { SYNC_SHARE = 20, ROOM_FIRST = 4096 };

static uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns whether bytes are lost, of the errors of a sync or a close. Others say that this file
 * system does not know how to sync. */
static int lost_bytes(int error)
{
    return error == EIO || error == ENOSPC || error == EDQUOT ? error : 0;
}

/* Syncs the folder: the name of a new file is in it, and has to be on the disk too. What comes of
 * it does not matter: the file can be written to. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = malloc(size + 1);
    int descriptor;
    if (!folder)
        return;
    memcpy(folder, slash ? path : ".", size);
    folder[size] = '\0';
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

int store_writer_open(store_writer *self, const char *path)
{
    *self = (store_writer){.descriptor = -1, .owner = getpid()};
    self->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (self->descriptor < 0)
        return errno;
    sync_folder(path);
    return 0;
}

int store_writer_is_own(const store_writer *self)
{
    return self->descriptor >= 0 && self->owner == getpid();
}

int store_writer_sync(store_writer *self)
{
    uint64_t start = clock_ns();
    int status;
    do
        status = fdatasync(self->descriptor) == 0 ? 0 : errno;
    while (status == EINTR);
    self->synced_ns = clock_ns();
    self->sync_took_ns = self->synced_ns - start;
    self->is_dirty = 0;
    return lost_bytes(status);
}

/* Makes room for a line, and for an end of the line before it. */
static int make_room(store_writer *self, size_t size)
{
    size_t wanted = size + STORE_HEAD_SIZE + 2;
    char *larger;
    if (wanted <= self->room)
        return 1;
    wanted = wanted < ROOM_FIRST ? ROOM_FIRST : wanted;
    larger = realloc(self->line, wanted);
    if (!larger)
        return 0;
    self->line = larger;
    self->room = wanted;
    return 1;
}

/* Writes all, with one write as a rule; a part may be written when a signal comes, or when the disk
 * is full. */
static int write_all(store_writer *self, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(self->descriptor, text, size);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written == 0)
            return EIO;
        if (written < 0)
            continue;
        text += written;
        size -= (size_t)written;
        self->is_torn = text[-1] != '\n';
    }
    return 0;
}

int store_writer_append(store_writer *self, const char key[STORE_KEY_SIZE], const char *value,
                        size_t size)
{
    size_t head = self->is_torn ? 1 : 0;
    int status;
    if (!make_room(self, size))
        return ENOMEM;
    self->line[0] = '\n';
    self->is_dirty = 1;
    status = write_all(self, self->line,
                       head + store_line_write(self->line + head, key, value, size));
    if (status || (clock_ns() - self->synced_ns) / SYNC_SHARE < self->sync_took_ns)
        return status;
    return store_writer_sync(self);
}

int store_writer_close(store_writer *self)
{
    int status = 0;
    if (store_writer_is_own(self) && self->is_dirty)
        status = store_writer_sync(self);
    if (self->descriptor >= 0 && close(self->descriptor) != 0 && !status)
        status = lost_bytes(errno);
    self->descriptor = -1;
    free(self->line);
    self->line = NULL;
    self->room = 0;
    return status;
}
