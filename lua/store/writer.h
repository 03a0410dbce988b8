/* Appending lines to a file of a store that belongs to this writer alone: each by one write, so
 * that nothing of it lies in this process when that is killed. */
#ifndef PINION_STORE_WRITER_H
#define PINION_STORE_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "line.h"

typedef struct store_writer {
    int descriptor; /* -1: closed */
    pid_t owner;    /* after a fork the file still belongs to the parent */
    int is_torn;    /* the file ends within a line that could not be written as a whole */
    int is_dirty;   /* lines were written since the last sync */
    uint64_t synced_ns, sync_took_ns; /* when the last sync ended, how long it took */
    char *line;                       /* room for the longest line so far */
    size_t room;
} store_writer;

/* Creates the file, which must not be there. 0, or errno: nothing has to be closed then. */
int store_writer_open(store_writer *self, const char *path);
/* Returns whether this process may write: it is open, and was opened here. */
int store_writer_is_own(const store_writer *self);
/* Writes a line, which store_value_read accepts. Syncs when that costs at most some 5 % of the
 * time. 0, or errno: the line is lost, or not safe on the disk. */
int store_writer_append(store_writer *self, const char key[STORE_KEY_SIZE], const char *value,
                        size_t size);
/* Syncs: what was written is on the disk. 0, or errno. */
int store_writer_sync(store_writer *self);
/* Syncs, unless the file belongs to another process, and closes. 0, or errno; safe to call
 * twice. */
int store_writer_close(store_writer *self);

#endif
