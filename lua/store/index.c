#define _DEFAULT_SOURCE   /* scandir */
#define _FILE_OFFSET_BITS 64
#include "index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REASON_SIZE = 200, ENTRIES_FIRST = 1024, FILES_FIRST = 16, SHRUNK = -1 };
enum { SIZE_MASK = (1 << 28) - 1, KIND_MASK = 15 }; /* the bits of an entry */

_Static_assert(STORE_LINE_MOST <= SIZE_MASK, "the size of each line fits into an entry");
_Static_assert(sizeof(store_entry) == 40, "an entry has no holes");

#define ENTRIES_MOST (UINT32_MAX - 1)

/* ---- why not --------------------------------------------------------------------------------- */

const char *store_index_message(const store_index *self)
{
    return self->message ? self->message : "not enough memory";
}

const char *store_index_left_out(const store_index *self)
{
    return self->left_out;
}

static int fail(store_index *self, const char *name, const char *what, int status)
{
    const char *slash = name ? "/" : "";
    if (status == ECANCELED)
        snprintf(self->message, self->message_size, "interrupted");
    else if (status == ENOMEM)
        snprintf(self->message, self->message_size, "not enough memory");
    else
        snprintf(self->message, self->message_size, "%s%s%s: %s: %s", self->folder, slash,
                 name ? name : "", what, strerror(status));
    return status;
}

static int fail_version(store_index *self, const char *name, uint32_t version)
{
    snprintf(self->message, self->message_size, "%s/%s: is a store of version %lu (expected %d)",
             self->folder, name, (unsigned long)version, STORE_VERSION);
    return EPROTO;
}

/* Returns things of this size with room for one more than `count`; null when there is no memory. */
static void *with_room(void *things, size_t size, uint32_t count, uint32_t *room, uint32_t first)
{
    uint64_t wanted = (uint64_t)*room + *room / 8 + first;
    void *larger;
    if (count < *room)
        return things;
    wanted = wanted > ENTRIES_MOST ? ENTRIES_MOST : wanted;
    if (count >= wanted || wanted > SIZE_MAX / size)
        return NULL;
    larger = realloc(things, (size_t)wanted * size);
    if (larger)
        *room = (uint32_t)wanted;
    return larger;
}

/* ---- files ----------------------------------------------------------------------------------- */

int store_is_file_name(const char *name)
{
    const size_t ending = sizeof STORE_ENDING - 1;
    size_t size = strlen(name);
    return size > ending && size <= NAME_MAX && name[0] != '.' && !strchr(name, '/') &&
           strcmp(name + size - ending, STORE_ENDING) == 0;
}

/* Returns the rank of the first file whose name is not less. */
static uint32_t rank_of(const store_index *self, const char *name)
{
    uint32_t low = 0, high = self->file_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(self->files[self->order[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static store_file *find_file(const store_index *self, const char *name)
{
    uint32_t rank = rank_of(self, name);
    store_file *file = rank < self->file_count ? &self->files[self->order[rank]] : NULL;
    return file && strcmp(file->name, name) == 0 ? file : NULL;
}

static store_file *add_file(store_index *self, const char *name)
{
    uint32_t rank = rank_of(self, name), room = self->file_room;
    void *order = with_room(self->order, sizeof *self->order, self->file_count, &room, FILES_FIRST);
    void *files;
    store_file *file;
    self->order = order ? order : self->order;
    files = order ? with_room(self->files, sizeof *file, self->file_count, &self->file_room,
                              FILES_FIRST)
                  : NULL;
    if (!files)
        return NULL;
    self->files = files;
    file = &self->files[self->file_count];
    *file = (store_file){.name = strdup(name)};
    if (!file->name)
        return NULL;
    memmove(self->order + rank + 1, self->order + rank,
            (self->file_count - rank) * sizeof *self->order);
    self->order[rank] = self->file_count++;
    return file;
}

/* Returns a descriptor; or minus errno, ENOENT also for what is no regular file. */
static int open_file(store_index *self, const char *name, struct stat *info)
{
    int descriptor, status = 0;
    sprintf(self->path, "%s/%s", self->folder, name);
    /* O_NONBLOCK: open does not wait for the other end of a pipe that has a file's name. */
    descriptor = open(self->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return errno == ENXIO || errno == ESTALE || errno == ENOTDIR ? -ENOENT : -errno;
    if (fstat(descriptor, info) != 0)
        status = errno;
    else if (!S_ISREG(info->st_mode))
        status = ENOENT;
    if (status)
        close(descriptor);
    return status ? -status : descriptor;
}

static void close_cached(store_index *self)
{
    for (int i = 0; i < STORE_CACHED; i++) {
        if (self->cached[i].descriptor >= 0)
            close(self->cached[i].descriptor);
        self->cached[i].descriptor = -1;
    }
}

/* Returns a descriptor of the file, which stays open until another takes its place; or minus
 * errno. */
static int cached_file(store_index *self, uint32_t file)
{
    int place = (int)(file % STORE_CACHED), descriptor = self->cached[place].descriptor;
    struct stat info;
    if (descriptor >= 0 && self->cached[place].file == file)
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    descriptor = open_file(self, self->files[file].name, &info);
    self->cached[place].descriptor = descriptor < 0 ? -1 : descriptor;
    self->cached[place].file = file;
    return descriptor;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Returns where to look for a key first. Keys are hashes as a rule; those that are none must not
 * make long chains. */
static uint64_t first_slot(const store_index *self, store_key key)
{
    const uint64_t odd = 0x9e3779b97f4a7c15;
    uint64_t hash = (key.high ^ (key.low << 32 | key.low >> 32)) * odd;
    return (hash ^ hash >> 32) & (self->slot_count - 1);
}

static store_entry *find_entry(const store_index *self, store_key key)
{
    uint64_t at = self->slot_count > 0 ? first_slot(self, key) : 0;
    for (; self->slot_count > 0 && self->slots[at] != 0; at = (at + 1) & (self->slot_count - 1)) {
        store_entry *entry = &self->entries[self->slots[at] - 1];
        if (entry->key.high == key.high && entry->key.low == key.low)
            return entry;
    }
    return NULL;
}

/* Adds a slot for the entry at this place, whose key has none. */
static void add_slot(store_index *self, uint32_t place)
{
    uint64_t at = first_slot(self, self->entries[place].key);
    while (self->slots[at] != 0)
        at = (at + 1) & (self->slot_count - 1);
    self->slots[at] = place + 1;
}

/* Makes slots, of which at most five of eight are used: each step along a chain is a miss of the
 * cache. */
static int make_slots(store_index *self)
{
    uint64_t wanted = self->slot_count > 0 ? 2 * self->slot_count : ENTRIES_FIRST;
    uint32_t *larger;
    if (self->entry_count < self->slot_count / 8 * 5)
        return 1;
    larger = wanted <= SIZE_MAX / sizeof *larger ? calloc((size_t)wanted, sizeof *larger) : NULL;
    if (!larger)
        return 0;
    free(self->slots);
    self->slots = larger;
    self->slot_count = wanted;
    for (uint32_t i = 0; i < self->entry_count; i++)
        add_slot(self, i);
    return 1;
}

static int disagree(store_index *self, const store_entry *entry, uint32_t file,
                    const store_line *line)
{
    if (!self->disagreeing)
        self->disagreeing = malloc(STORE_DISAGREEMENTS_MOST * sizeof *self->disagreeing);
    if (!self->disagreeing)
        return ENOMEM;
    if (self->disagreements < STORE_DISAGREEMENTS_MOST)
        self->disagreeing[self->disagreements] = (store_disagreement){.key = entry->key,
                                                                      .file = entry->file,
                                                                      .other_file = file,
                                                                      .digest = entry->digest,
                                                                      .other_digest = line->digest};
    self->disagreements++;
    return 0;
}

/* Adds an entry for the key, which has none; null when there is no memory. */
static store_entry *add_entry(store_index *self, store_key key)
{
    void *entries = with_room(self->entries, sizeof *self->entries, self->entry_count,
                              &self->entry_room, ENTRIES_FIRST);
    if (!entries)
        return NULL;
    self->entries = entries;
    if (!make_slots(self))
        return NULL;
    self->entries[self->entry_count].key = key;
    add_slot(self, self->entry_count);
    return &self->entries[self->entry_count++];
}

/* Adds a unit: 0, or ENOMEM: then nothing has changed. */
static int add_unit(store_index *self, uint32_t file, uint64_t offset, const store_line *line)
{
    store_entry *entry = find_entry(self, line->key);
    if (entry && entry->kind == STORE_FINISHED && line->kind == STORE_FINISHED) {
        if (entry->digest != line->digest)
            return disagree(self, entry, file, line);
        self->duplicates++;
    }
    if (entry && entry->kind >= line->kind)
        return 0;
    if (entry)
        self->kinds[entry->kind]--;
    else
        entry = add_entry(self, line->key);
    if (!entry)
        return ENOMEM;
    *entry = (store_entry){.key = line->key,
                           .digest = line->digest,
                           .offset = offset,
                           .file = file,
                           .size = (STORE_HEAD_SIZE + line->value_size) & SIZE_MASK,
                           .kind = line->kind & KIND_MASK};
    self->kinds[entry->kind]++;
    return 0;
}

/* Forgets everything that was read. */
static void forget(store_index *self)
{
    close_cached(self);
    for (uint32_t i = 0; i < self->file_count; i++)
        free(self->files[i].name);
    free(self->files);
    free(self->order);
    free(self->entries);
    free(self->slots);
    self->files = NULL;
    self->order = NULL;
    self->entries = NULL;
    self->slots = NULL;
    self->file_count = self->file_room = self->entry_count = self->entry_room = 0;
    self->slot_count = self->duplicates = self->disagreements = 0;
    memset(self->kinds, 0, sizeof self->kinds);
}

/* ---- reading files --------------------------------------------------------------------------- */

static int take_line(store_index *self, store_file *file)
{
    const store_reader *reader = &self->reader;
    store_line line = {.kind = STORE_WRONG};
    int status = 0;
    if (reader->line)
        store_line_read(reader->line, reader->size, &line);
    if (line.kind == STORE_FOREIGN)
        return fail_version(self, file->name, line.version);
    if (line.kind == STORE_FAILED || line.kind == STORE_FINISHED)
        status = add_unit(self, (uint32_t)(file - self->files), reader->offset, &line);
    if (status)
        return fail(self, file->name, "", status);
    if (line.kind == STORE_ABOUT && file->about_size == 0) {
        file->about_offset = reader->offset;
        file->about_size = (uint32_t)reader->size;
    }
    file->wrong += line.kind == STORE_WRONG;
    file->lines++;
    file->offset = store_reader_at(reader);
    file->is_skipping = 0;
    return 0;
}

/* Reads from where its complete lines end to the end of the file. */
static int read_lines(store_index *self, store_file *file, int descriptor)
{
    store_reader *reader = &self->reader;
    int status = store_reader_start(reader, descriptor, file->offset, file->is_skipping);
    if (status)
        return fail(self, file->name, "", status);
    while ((status = store_reader_next(reader)) > 0)
        if ((status = take_line(self, file)) != 0)
            return status;
    if (status < 0)
        return fail(self, file->name, "cannot read", -status);
    file->offset = store_reader_at(reader);
    file->bytes = reader->next;
    file->is_skipping = reader->is_skipping != 0;
    file->is_torn = file->is_skipping || file->bytes > file->offset;
    return 0;
}

/* Leaves out what concerns this file alone: the others can be read. */
static int leave_out(store_index *self, const char *name, int status)
{
    fail(self, name, "cannot open", status);
    strcpy(self->left_out, self->message);
    return 0;
}

/* Reads a file: 0, SHRUNK, or errno with a message. A file that is gone, or is none, is left out,
 * and one that cannot be opened, too. */
static int read_file(store_index *self, const char *name)
{
    store_file *file = find_file(self, name);
    struct stat info;
    int descriptor = open_file(self, name, &info), status = 0;
    if (descriptor == -ENOENT)
        return 0;
    if (descriptor == -EACCES || descriptor == -EPERM || descriptor == -ELOOP)
        return leave_out(self, name, -descriptor);
    if (descriptor < 0)
        return fail(self, name, "cannot open", -descriptor);
    file = file ? file : add_file(self, name);
    if (!file)
        status = fail(self, name, "", ENOMEM);
    else if ((uint64_t)info.st_size < file->bytes || (uint64_t)info.st_size < file->offset)
        status = SHRUNK;
    else if ((uint64_t)info.st_size > file->bytes)
        status = read_lines(self, file, descriptor);
    if (!status)
        file->modified = info.st_mtime;
    close(descriptor);
    return status;
}

static int is_wanted(const struct dirent *name)
{
    return store_is_file_name(name->d_name);
}

/* Compares bytes in their order: that of alphasort is of the locale. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Returns whether each known file is among these. */
static int has_all(const store_index *self, struct dirent **names, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found < self->file_count; i++)
        found += strcmp(self->files[self->order[found]].name, names[i]->d_name) == 0;
    return found == self->file_count;
}

/* Reads the files: 0, SHRUNK, or errno with a message. */
static int read_files(store_index *self, struct dirent **names, uint32_t count)
{
    int status = 0;
    for (uint32_t i = 0; i < count && !status; i++)
        status = read_file(self, names[i]->d_name);
    return status;
}

static int read_folder(store_index *self)
{
    struct dirent **names;
    int count = scandir(self->folder, &names, is_wanted, compare_names), status;
    if (count < 0)
        return fail(self, NULL, "cannot open", errno);
    if (!has_all(self, names, (uint32_t)count))
        forget(self);
    self->left_out[0] = '\0';
    status = read_files(self, names, (uint32_t)count);
    if (status == SHRUNK) {
        forget(self);
        status = read_files(self, names, (uint32_t)count);
    }
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return status;
}

int store_index_refresh(store_index *self, const char *name)
{
    int status;
    if (self->scans > 0) {
        snprintf(self->message, self->message_size, "%s: is being listed", self->folder);
        return EBUSY;
    }
    close_cached(self);
    status = name ? read_file(self, name) : read_folder(self);
    if (status == SHRUNK)
        status = read_folder(self);
    store_reader_free(&self->reader, 0);
    return status;
}

/* Sets an index that owns nothing; closing it once more does nothing. */
static void clear(store_index *self)
{
    memset(self, 0, sizeof *self);
    for (int i = 0; i < STORE_CACHED; i++)
        self->cached[i].descriptor = -1;
}

int store_index_open(store_index *self, const char *folder)
{
    size_t size = strlen(folder);
    clear(self);
    self->folder = strdup(folder);
    self->path = malloc(size + NAME_MAX + 2);
    self->message_size = size + NAME_MAX + REASON_SIZE;
    self->left_out = malloc(self->message_size);
    self->message = malloc(self->message_size); /* the last: with it the index can be used */
    if (!self->folder || !self->path || !self->message || !self->left_out)
        return self->message ? fail(self, NULL, "", ENOMEM) : ENOMEM;
    return store_index_refresh(self, NULL);
}

void store_index_close(store_index *self)
{
    forget(self);
    free(self->disagreeing);
    free(self->folder);
    free(self->path);
    free(self->message);
    free(self->left_out);
    free(self->line);
    store_reader_free(&self->reader, 1);
    clear(self);
}

/* ---- asking ---------------------------------------------------------------------------------- */

store_kind store_index_state(const store_index *self, store_key key)
{
    const store_entry *entry = find_entry(self, key);
    return entry ? (store_kind)entry->kind : STORE_WRONG;
}

/* Reads so many bytes of the file into self->line. 1, 0 when they are not there, or minus errno. */
static int read_bytes(store_index *self, uint32_t file, uint64_t offset, size_t size)
{
    size_t filled = 0;
    int descriptor = cached_file(self, file);
    if (descriptor < 0)
        return descriptor == -ENOENT ? 0 : descriptor;
    if (size > self->line_room) {
        char *larger = realloc(self->line, size);
        if (!larger)
            return -ENOMEM;
        self->line = larger;
        self->line_room = size;
    }
    while (filled < size) {
        ssize_t got = pread(descriptor, self->line + filled, size - filled,
                            (off_t)(offset + filled));
        if (got < 0 && errno != EINTR)
            return -errno;
        if (got == 0)
            return 0;
        filled += got > 0 ? (size_t)got : 0;
    }
    return 1;
}

/* Reads a whole line likewise, which is still of this kind and key; an error has a message. */
static int read_again(store_index *self, uint32_t file, uint64_t offset, size_t size,
                      store_line *line)
{
    store_line wanted = *line;
    int status = read_bytes(self, file, offset, size);
    if (status < 0)
        fail(self, self->files[file].name, "cannot read", -status);
    if (status <= 0)
        return status;
    return store_line_read(self->line, size, line) == wanted.kind &&
           line->key.high == wanted.key.high && line->key.low == wanted.key.low &&
           line->digest == wanted.digest;
}

static int set_found(store_found *found, const store_line *line, const char *file)
{
    *found = (store_found){line->value, line->value_size, file};
    return 1;
}

int store_index_get(store_index *self, store_key key, store_found *found)
{
    store_entry *entry = find_entry(self, key);
    store_line line = {.key = key};
    int status;
    if (!entry || entry->kind == STORE_WRONG)
        return 0;
    line.kind = (store_kind)entry->kind;
    line.digest = entry->digest;
    status = read_again(self, entry->file, entry->offset, entry->size, &line);
    if (status > 0)
        return set_found(found, &line, self->files[entry->file].name);
    if (status == 0) {
        self->kinds[entry->kind]--;
        self->kinds[STORE_WRONG]++;
        entry->kind = STORE_WRONG;
    }
    return 0;
}

int store_index_about(store_index *self, const char *name, store_found *found)
{
    const store_file *file = find_file(self, name);
    store_line line = {.kind = STORE_ABOUT};
    if (!file || file->about_size == 0 ||
        read_again(self, (uint32_t)(file - self->files), file->about_offset, file->about_size,
                   &line) <= 0)
        return 0;
    return set_found(found, &line, file->name);
}

/* ---- all lines ------------------------------------------------------------------------------- */

void store_scan_begin(store_scan *self, store_index *index)
{
    memset(self, 0, sizeof *self);
    self->descriptor = -1;
    self->index = index;
    index->scans++;
}

void store_scan_end(store_scan *self)
{
    if (self->descriptor >= 0)
        close(self->descriptor);
    self->descriptor = -1;
    store_reader_free(&self->reader, 1);
    if (self->index)
        self->index->scans--;
    self->index = NULL;
}

/* Scans the file of this rank from its beginning; it may be gone. 0, or errno. */
static int scan_file(store_scan *self)
{
    struct stat info;
    int descriptor, status;
    self->file = self->index->files[self->index->order[self->rank]].name;
    descriptor = open_file(self->index, self->file, &info);
    if (descriptor == -ENOENT) {
        self->rank++;
        return 0;
    }
    if (descriptor < 0)
        return fail(self->index, self->file, "cannot open", -descriptor);
    self->descriptor = descriptor;
    status = store_reader_start(&self->reader, descriptor, 0, 0);
    return status ? fail(self->index, self->file, "cannot read", status) : 0;
}

/* Returns whether the reader's line is one about others, or is kept. */
static int is_listed(store_scan *self, uint32_t file)
{
    const store_reader *reader = &self->reader;
    const store_entry *entry;
    if (!reader->line)
        return 0;
    if (store_line_read(reader->line, reader->size, &self->line) < STORE_FAILED)
        return self->line.kind == STORE_ABOUT;
    entry = find_entry(self->index, self->line.key);
    return entry && entry->kind == self->line.kind && entry->file == file &&
           entry->offset == reader->offset;
}

/* Scans: 1 with a line of the open file; 0 when it has no more that the index knows; or errno. */
static int scan_lines(store_scan *self)
{
    uint32_t file = self->index->order[self->rank];
    int status = 0;
    while (store_reader_at(&self->reader) < self->index->files[file].offset &&
           (status = store_reader_next(&self->reader)) > 0)
        if (is_listed(self, file))
            return 1;
    if (status < 0)
        return -fail(self->index, self->file, "cannot read", -status);
    close(self->descriptor);
    self->descriptor = -1;
    self->rank++;
    return 0;
}

int store_scan_next(store_scan *self)
{
    int status = 0;
    while (!status && (self->descriptor >= 0 || self->rank < self->index->file_count)) {
        if (self->descriptor < 0)
            status = -scan_file(self);
        else
            status = scan_lines(self);
    }
    return status;
}
