/* Preloaded into a program (LD_PRELOAD), makes the C library refuse, as environment variables say:
 *
 *   REFUSE_FROM    the number of the first allocation that fails; 0: none does
 *   REFUSE_COUNT   so many fail, one after the other
 *   REFUSE_LOG     a file that gets a line for the first allocation of each stack of calls: its
 *                  number, and a hash of the stack that is the same in every process
 *   REFUSE_BYTES   no read or write moves more; 0: as many as it is asked for
 *
 * The C library's own calls of these functions are seen where it lets programs replace them: all
 * allocations, and no reads and writes. */
#define _GNU_SOURCE
#include <stdlib.h>

#ifdef __GLIBC__

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 24, OBJECTS = 32, STACKS = 1 << 16 };

static struct {
    unsigned long long count, from, refused, bytes;
    int log, is_busy;
    size_t objects;
    struct {
        uintptr_t start, end;
    } object[OBJECTS];
    uint64_t seen[STACKS];
} self = {.log = -1};

/* Returns the function of this name that comes behind this library. */
#define NEXT(NAME) (__extension__(__typeof__(&(NAME))) dlsym(RTLD_NEXT, #NAME))

static unsigned long long setting(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : 0;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static int add_object(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum && self.objects < OBJECTS; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
            continue;
        self.object[self.objects].start = start;
        self.object[self.objects++].end = start + info->dlpi_phdr[i].p_memsz;
    }
    return 0;
}

/* Returns an address as the object that has it, and the offset there. */
static uint64_t placed(uintptr_t address)
{
    for (size_t i = 0; i < self.objects; i++)
        if (self.object[i].start <= address && address < self.object[i].end)
            return (i + 1) << 40 | (address - self.object[i].start);
    return 0;
}

static uint64_t hash_stack(void)
{
    void *frames[FRAMES];
    uint64_t hash = 14695981039346656037u;
    int count = backtrace(frames, FRAMES);
    for (int i = 3; i < count; i++) { /* behind those of this file */
        hash = (hash ^ placed((uintptr_t)frames[i])) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash ? hash : 1;
}

static void note_stack(void)
{
    uint64_t hash = hash_stack(), at = hash % STACKS;
    char line[64];
    int size;
    while (self.seen[at] && self.seen[at] != hash)
        at = (at + 1) % STACKS;
    if (self.seen[at])
        return;
    self.seen[at] = hash;
    size = snprintf(line, sizeof line, "%llu %016llx\n", self.count, (unsigned long long)hash);
    if (NEXT(write)(self.log, line, (size_t)size) != size)
        abort();
}

__attribute__((constructor)) static void start(void)
{
    const char *log = getenv("REFUSE_LOG");
    void *frame;
    self.is_busy = 1;
    if (log) {
        self.log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        backtrace(&frame, 1); /* loads what it needs, once */
        dl_iterate_phdr(add_object, NULL);
    }
    self.from = setting("REFUSE_FROM");
    self.refused = setting("REFUSE_COUNT");
    self.bytes = setting("REFUSE_BYTES");
    self.is_busy = 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int may_have(void)
{
    if (self.is_busy)
        return 1;
    self.count++;
    if (self.log >= 0) {
        self.is_busy = 1;
        note_stack();
        self.is_busy = 0;
    }
    if (self.from == 0 || self.count < self.from || self.count - self.from >= self.refused)
        return 1;
    errno = ENOMEM;
    return 0;
}

void *malloc(size_t size)
{
    return may_have() ? NEXT(malloc)(size) : NULL;
}

void *calloc(size_t count, size_t size)
{
    return may_have() ? NEXT(calloc)(count, size) : NULL;
}

void *realloc(void *block, size_t size)
{
    return may_have() ? NEXT(realloc)(block, size) : NULL;
}

/* ---- files ----------------------------------------------------------------------------------- */

static size_t part_of(size_t size)
{
    return self.bytes > 0 && self.bytes < size ? (size_t)self.bytes : size;
}

ssize_t read(int file, void *bytes, size_t size)
{
    return NEXT(read)(file, bytes, part_of(size));
}

ssize_t write(int file, const void *bytes, size_t size)
{
    return NEXT(write)(file, bytes, part_of(size));
}

ssize_t pread(int file, void *bytes, size_t size, off_t at)
{
    return NEXT(pread)(file, bytes, part_of(size), at);
}

ssize_t pread64(int file, void *bytes, size_t size, off64_t at)
{
    return NEXT(pread64)(file, bytes, part_of(size), at);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    return NEXT(pwrite)(file, bytes, part_of(size), at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    return NEXT(pwrite64)(file, bytes, part_of(size), at);
}

#endif
