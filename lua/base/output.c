#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MOST   40
#define NAMES_MOST   100 /* tried for the new file, should another process use them */
#define STREAMS      3   /* standard input, output and error */
#define PATH_TO_LINK 4096

static int failure(void)
{
    return errno ? errno : EIO;
}

/* ---- where a path leads ---------------------------------------------------------------------- */

/* Returns the length of the folder's part of a path, with its slash; 0: the working directory. */
static size_t folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static char *join(const char *first, size_t first_size, const char *second)
{
    size_t second_size = strlen(second) + 1;
    char *joined = malloc(first_size + second_size);
    if (joined) {
        memcpy(joined, first, first_size);
        memcpy(joined + first_size, second, second_size);
    }
    return joined;
}

/* Returns whether a path names a descriptor: the names of open ones are no places of files. */
static int names_descriptor(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* Resolves the path behind all symbolic links of its last part, which need not exist; null with
 * errno. */
static char *resolve(const char *path)
{
    char *at = strdup(path), link[PATH_TO_LINK];
    for (int hops = 0; at && !names_descriptor(at); hops++) {
        ssize_t size = readlink(at, link, sizeof link - 1);
        char *next;
        if (size < 0 && (errno == EINVAL || errno == ENOENT))
            return at; /* no link */
        if (size < 0) {
            free(at);
            return NULL;
        }
        link[size] = '\0';
        next = hops < LINKS_MOST ? join(at, link[0] == '/' ? 0 : folder_size(at), link) : NULL;
        free(at);
        at = next;
        if (hops == LINKS_MOST)
            errno = ELOOP;
    }
    return at;
}

static int is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int is_stream(const struct stat *info)
{
    struct stat stream;
    for (int i = 0; i < STREAMS; i++)
        if (fstat(i, &stream) == 0 && is_same(&stream, info))
            return 1;
    return 0;
}

static int write_identity(const struct stat *info, const char *name,
                          char text[OUTPUT_IDENTITY_SIZE])
{
    unsigned long long device = info->st_dev, inode = info->st_ino;
    int size = snprintf(text, OUTPUT_IDENTITY_SIZE, "%llu:%llu/%s", device, inode, name);
    return size < OUTPUT_IDENTITY_SIZE ? 0 : ENAMETOOLONG;
}

int output_identity_of(int descriptor, char text[OUTPUT_IDENTITY_SIZE])
{
    struct stat info;
    text[0] = '\0';
    if (fstat(descriptor, &info) != 0)
        return failure();
    return S_ISREG(info.st_mode) ? write_identity(&info, "", text) : 0;
}

/* Identifies a file that is not there yet by its folder and its name. */
static int identity_to_be(const char *path, char text[OUTPUT_IDENTITY_SIZE])
{
    char *target = resolve(path);
    size_t folder = target ? folder_size(target) : 0;
    char *name = target ? strdup(target + folder) : NULL;
    struct stat info;
    int status = name ? 0 : failure();
    if (!status) {
        target[folder] = '\0';
        status = stat(folder > 0 ? target : ".", &info) != 0 ? failure() : 0;
        status = status ? status : write_identity(&info, name, text);
    }
    free(name);
    free(target);
    return status;
}

int output_identity(const char *path, char text[OUTPUT_IDENTITY_SIZE])
{
    struct stat info;
    text[0] = '\0';
    errno = 0;
    if (stat(path, &info) == 0)
        return S_ISREG(info.st_mode) ? write_identity(&info, "", text) : 0;
    return errno == ENOENT ? identity_to_be(path, text) : failure();
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Frees the paths and keeps errno. */
static int give_up(output *self, int status)
{
    free(self->target);
    free(self->beside);
    *self = (output){NULL, NULL, NULL};
    return status;
}

/* Creates a new file beside the target; its descriptor, or -1 with errno. */
static int create_beside(output *self)
{
    size_t room = strlen(self->target) + 48;
    int descriptor = -1;
    self->beside = malloc(room);
    for (int i = 0; self->beside && descriptor < 0 && i < NAMES_MOST; i++) {
        snprintf(self->beside, room, "%s.%ld-%d.tmp", self->target, (long)getpid(), i);
        descriptor = open(self->beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

/* Keeps owner and permissions of the file that is replaced; 0 with errno when they cannot be
 * kept. */
static int keep_owner(int descriptor, const struct stat *old)
{
    struct stat made;
    if (fstat(descriptor, &made) != 0)
        return 0;
    if (made.st_uid != old->st_uid || made.st_gid != old->st_gid)
        if (fchown(descriptor, old->st_uid, old->st_gid) != 0)
            return 0;
    return fchmod(descriptor, old->st_mode & 07777) == 0;
}

static void remove_beside(output *self)
{
    if (self->beside)
        unlink(self->beside);
    free(self->beside);
    self->beside = NULL;
}

/* Opens a file beside; `old`: of the plain file that is there; null: there is none. -1 with errno;
 * EACCES: not beside it. */
static int open_beside(output *self, const struct stat *old)
{
    int descriptor = create_beside(self), cause;
    if (descriptor >= 0 && (!old || keep_owner(descriptor, old)))
        return descriptor;
    cause = errno;
    if (descriptor >= 0) {
        close(descriptor);
        remove_beside(self);
    }
    free(self->beside);
    self->beside = NULL;
    errno = cause == EPERM || cause == EROFS ? EACCES : cause;
    return -1;
}

/* Looks at what is there: 1 a plain file that can be replaced, 0 nothing, -1 what is written in
 * place, -2 what cannot be written, with errno. */
static int look(const char *target, struct stat *old)
{
    if (names_descriptor(target))
        return -1;
    errno = 0;
    if (stat(target, old) != 0)
        return errno == ENOENT ? 0 : -2;
    if (S_ISDIR(old->st_mode)) {
        errno = EISDIR;
        return -2;
    }
    if (!S_ISREG(old->st_mode))
        return -1;
    if (access(target, W_OK) != 0)
        return -2;
    return is_stream(old) ? -1 : 1;
}

static int open_in_place(output *self, int is_there)
{
    errno = 0;
    self->file = fopen(self->target, is_there ? "r+b" : "wb");
    return self->file ? 0 : give_up(self, failure());
}

int output_open(output *self, const char *path)
{
    struct stat old;
    int kind, descriptor;
    *self = (output){NULL, NULL, NULL};
    errno = 0;
    self->target = resolve(path);
    kind = self->target ? look(self->target, &old) : -2;
    if (kind == -2)
        return give_up(self, failure());
    if (kind == -1)
        return open_in_place(self, 0);
    descriptor = open_beside(self, kind == 1 ? &old : NULL);
    if (descriptor < 0)
        return kind == 1 && errno == EACCES ? open_in_place(self, 1) : give_up(self, failure());
    self->file = fdopen(descriptor, "w+b");
    if (self->file)
        return 0;
    close(descriptor);
    remove_beside(self);
    return give_up(self, ENOMEM);
}

int output_check(const char *path)
{
    output made;
    struct stat old;
    char *target = resolve(path);
    int kind = target ? look(target, &old) : -2;
    int status = kind == -2 || (kind == -1 && access(target, W_OK) != 0) ? failure() : 0;
    free(target);
    if (status || kind == -1)
        return status;
    status = output_open(&made, path);
    output_discard(&made);
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

int output_empty(output *self)
{
    struct stat info;
    errno = 0;
    if (fstat(fileno(self->file), &info) != 0)
        return failure();
    if (!S_ISREG(info.st_mode))
        return 0;
    if (fseek(self->file, 0, SEEK_SET) != 0 || ftruncate(fileno(self->file), 0) != 0)
        return failure();
    return 0;
}

int output_write(output *self, const char *text, size_t size)
{
    errno = 0;
    return fwrite(text, 1, size, self->file) == size ? 0 : failure();
}

static int move(output *self)
{
    errno = 0;
    if (self->beside && rename(self->beside, self->target) != 0)
        return failure();
    free(self->beside);
    self->beside = NULL;
    return 0;
}

int output_place(output *self)
{
    errno = 0;
    return fflush(self->file) != 0 ? failure() : move(self);
}

/* Closes first: some file systems write only then, and say only then that they cannot. */
int output_commit(output *self)
{
    int status = ferror(self->file) ? EIO : 0;
    errno = 0;
    if (fclose(self->file) != 0)
        status = failure();
    self->file = NULL;
    status = status ? status : move(self);
    output_discard(self);
    return status;
}

void output_discard(output *self)
{
    if (self->file)
        fclose(self->file);
    remove_beside(self);
    give_up(self, 0);
}
