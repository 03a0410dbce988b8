/* Reading a store: a folder of files NAME.units, to which their writers may append meanwhile.
 * The index knows for each key where its line is; lines are read, and checked again, when they are
 * asked for. The kept line of a key is a finished one if there is any, and of these the first that
 * was read. Some 45 to 60 bytes a key and 120 a file. */
#ifndef PINION_STORE_INDEX_H
#define PINION_STORE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "reader.h"

#define STORE_ENDING             ".units"
#define STORE_DISAGREEMENTS_MOST 1000 /* that are kept */
#define STORE_CACHED             16   /* open files from which lines are read one by one */

typedef struct store_file {
    char *name;
    uint64_t offset; /* up to here its lines are read */
    uint64_t bytes;  /* of the file when it was read */
    uint64_t lines,
        wrong; /* complete ones, whatever they hold; and those that are none of a store */
    uint64_t about_offset; /* of the first line about others */
    uint32_t about_size;   /* bytes of that line; 0: none */
    int64_t modified;      /* seconds since 1970 */
    unsigned char is_torn; /* behind the last complete line there is more */
    unsigned char is_skipping;
} store_file;

typedef struct store_entry {
    store_key key;
    uint64_t digest; /* of a finished one */
    uint64_t offset; /* of the line in its file */
    uint32_t file;
    unsigned size : 28; /* bytes of the line without its end */
    unsigned kind : 4;  /* store_kind; STORE_WRONG: the line is not there any more */
} store_entry;

/* Two finished lines of one key that do not say the same. */
typedef struct store_disagreement {
    store_key key;
    uint32_t file, other_file; /* that whose line is kept, and the other */
    uint64_t digest, other_digest;
} store_disagreement;

typedef struct store_index {
    char *folder;
    char *path;     /* room for the path of any file in the folder */
    char *message;  /* why the last call failed */
    char *left_out; /* the last file that could not be opened; empty: none */
    size_t message_size;
    store_file *files; /* entries know them by their place */
    uint32_t *order;   /* of the files, by their names */
    uint32_t file_count, file_room;
    store_entry *entries; /* in the order in which their keys were read first */
    uint32_t *slots;      /* open addressing: place of an entry + 1, or 0 */
    uint32_t entry_count, entry_room;
    uint64_t slot_count;                /* a power of two */
    uint64_t kinds[STORE_FINISHED + 1]; /* entries of each kind */
    uint64_t duplicates;                /* further finished lines with the digest that is kept */
    uint64_t disagreements;             /* and with others; the first are kept */
    store_disagreement *disagreeing;
    store_reader reader;
    char *line; /* room for the longest line that was asked for */
    size_t line_room;
    struct {
        int descriptor; /* -1: none */
        uint32_t file;
    } cached[STORE_CACHED];
    unsigned scans; /* that are open */
} store_index;

/* What was found for a key. */
typedef struct store_found {
    const char *value; /* valid until the next call */
    size_t size;
    const char *file;
} store_found;

/* Opens; 0, or errno with a message. In any case store_index_close frees what it has. */
int store_index_open(store_index *self, const char *folder);
void store_index_close(store_index *self);
/* Returns which file was left out, and why, of those that could not be opened; empty: none. */
const char *store_index_left_out(const store_index *self);
const char *store_index_message(const store_index *self);

/* Reads what has been added: in the file of this name, or (null) in all, new ones too. When one of
 * these is gone or is shorter than it was, everything is read anew. 0, or errno with a message. */
int store_index_refresh(store_index *self, const char *name);
/* Returns whether a file of a store may be called that. */
int store_is_file_name(const char *name);

/* Returns, in O(1), the kind of the line that is kept; STORE_WRONG: none. */
store_kind store_index_state(const store_index *self, store_key key);
/* Reads the line that is kept; 0 when there is none, or it is not there any more: then the next
 * line of this key takes its place. */
int store_index_get(store_index *self, store_key key, store_found *found);
/* Reads the value of the first line about others in the file of this name; 0: none. */
int store_index_about(store_index *self, const char *name, store_found *found);

/* The kept lines, and those about others, in the order of files and lines. The index cannot be
 * refreshed until store_scan_end. */
typedef struct store_scan {
    store_index *index;
    store_reader reader;
    uint32_t rank; /* of the file, by its name */
    int descriptor;
    store_line line;
    const char *file; /* its name */
} store_scan;

void store_scan_begin(store_scan *self, store_index *index);
/* Scans: 1 with a line, 0 at the end, or minus errno with a message of the index. */
int store_scan_next(store_scan *self);
void store_scan_end(store_scan *self);

#endif
