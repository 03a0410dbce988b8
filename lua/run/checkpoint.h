/* Files from which a run resumes: a first line of JSON for people, then the bytes.
 *
 *     {"pinion_checkpoint":4, …}\n   one object on one line; blanks before its end make it a
 *                                    multiple of 8 bytes
 *     sizes                          of each part in bytes, 64 bits each
 *     parts                          each filled up with zeros to a multiple of 8 bytes
 *     checksum                       pn_mix over all words before it
 *
 * Sizes and checksum are little-endian everywhere, so that a damaged file can be distinguished from
 * one of another machine. A file is complete or it is not there: it is written beside its place and
 * put there by rename. */
#ifndef PINION_RUN_CHECKPOINT_H
#define PINION_RUN_CHECKPOINT_H

#include <stddef.h>

#define CHECKPOINT_MESSAGE_SIZE 256

enum checkpoint_part {
    CHECKPOINT_STATE,    /* of the run loop */
    CHECKPOINT_BLOCK,    /* of the kernel */
    CHECKPOINT_ROWS,     /* empty when none are kept */
    CHECKPOINT_LISTS,    /* of these rows */
    CHECKPOINT_TIMELINE, /* empty when none is recorded */
    CHECKPOINT_SEAL,     /* of the block */
    CHECKPOINT_PARTS
};

/* What is written. */
typedef struct checkpoint_bytes {
    const void *data;
    size_t size;
} checkpoint_bytes;

/* What was read: the line without its end, and the parts, each from malloc (null when empty). */
typedef struct checkpoint {
    char *line;
    void *parts[CHECKPOINT_PARTS];
    size_t sizes[CHECKPOINT_PARTS];
} checkpoint;

/* Replaces the file. `fields` goes into the line's object, behind the number of the format, and
 * holds no line end. 0, or the errno of what failed: the file is then as it was. */
int checkpoint_write(const char *path, const char *fields,
                     const checkpoint_bytes parts[CHECKPOINT_PARTS]);

/* Reads: 1, or 0 with what is wrong with the file; nothing has to be freed then. */
int checkpoint_read(checkpoint *self, const char *path, char message[CHECKPOINT_MESSAGE_SIZE]);

/* Returns 1 when a checkpoint may be put there: nothing is there yet, or another checkpoint; else 0
 * with the reason. */
int checkpoint_may_replace(const char *path, char message[CHECKPOINT_MESSAGE_SIZE]);

void checkpoint_free(checkpoint *self); /* safe to call twice */

#endif
