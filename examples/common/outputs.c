/* Files that a run writes. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"

enum { FAILED = 1, CONFLICT = 2 };

static int is_same(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int refuse_input(const output_file *self, const char *read)
{
    if (strcmp(self->name, read) == 0)
        return complain("%s: %s is read (expected another file)", self->option, read);
    return complain("%s: %s leads to %s, which is read (expected another file)", self->option,
                    self->name, read);
}

static int refuse_output(const output_file *self, const char *other)
{
    return complain("%s: %s is where %s goes (expected another file)", self->option, self->name,
                    other);
}

/* Compares an open file with those that are read and with the outputs in front of it. */
static int check_apart(const output_file *outputs, int index, const char *const *reads)
{
    const output_file *self = &outputs[index];
    struct stat own, other;
    if (fstat(fileno(self->file), &own) != 0)
        return complain("%s: %s", self->name, strerror(errno));
    for (; *reads; reads++)
        if (stat(*reads, &other) == 0 && is_same(&own, &other))
            return refuse_input(self, *reads);
    if (fstat(STDOUT_FILENO, &other) == 0 && is_same(&own, &other))
        return refuse_output(self, "standard output");
    for (int i = 0; i < index; i++)
        if (outputs[i].file && fstat(fileno(outputs[i].file), &other) == 0 && is_same(&own, &other))
            return refuse_output(self, outputs[i].option);
    return 0;
}

/* Opens a file, and leaves what it holds. */
static int open_one(output_file *self)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    int descriptor = open(self->name, flags | O_EXCL, 0666);
    self->is_new = descriptor >= 0;
    if (descriptor < 0)
        descriptor = open(self->name, flags, 0666);
    self->file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    return self->file ? 0 : complain("%s: %s", self->name, strerror(errno));
}

int open_outputs(output_file *outputs, int count, const char *const *reads)
{
    int status = 0;
    signal(SIGXFSZ, SIG_IGN); /* a write beyond a limit fails as on a full disk */
    for (int i = 0; i < count && status == 0; i++) {
        if (!outputs[i].name)
            continue;
        status = open_one(&outputs[i]) != 0            ? FAILED
                 : check_apart(outputs, i, reads) != 0 ? CONFLICT
                                                       : 0;
    }
    for (int i = 0; i < count && status != 0; i++)
        close_output(&outputs[i]);
    return status;
}

FILE *begin_output(output_file *self)
{
    struct stat about;
    if (!self->file)
        return NULL;
    self->is_new = 0;
    if (fstat(fileno(self->file), &about) == 0 && S_ISREG(about.st_mode) &&
        ftruncate(fileno(self->file), 0) != 0)
        complain("%s: %s", self->name, strerror(errno));
    return self->file;
}

int close_output(output_file *self)
{
    FILE *file = self->file;
    if (!file)
        return 0;
    self->file = NULL;
    if (self->is_new)
        unlink(self->name);
    int failed = ferror(file);
    failed |= fclose(file);
    return failed ? complain("%s: cannot write", self->name) : 0;
}
