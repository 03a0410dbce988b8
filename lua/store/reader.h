/* The lines of a file that may grow while it is read, by pread in large blocks. (In a mapping, a
 * file that is cut short would be a signal.) */
#ifndef PINION_STORE_READER_H
#define PINION_STORE_READER_H

#include <stddef.h>
#include <stdint.h>

typedef struct store_reader {
    int descriptor;   /* the caller's */
    const char *line; /* without its end; null: longer than any line of a store */
    size_t size;      /* of the line, 0 for a null one */
    uint64_t offset;  /* in the file: of the line */
    uint64_t next;    /* in the file: of what is read next */
    char *text;       /* a block, with room for more than one line as a rule */
    size_t room;
    size_t start, end; /* in the block, of what is not taken yet */
    size_t searched;   /* bytes behind `start` in which no line ends */
    int is_skipping;   /* within a line that is longer than any of a store */
} store_reader;

/* Starts from this offset on; the room of an earlier file is used again. 0, or ENOMEM. */
int store_reader_start(store_reader *self, int descriptor, uint64_t offset, int is_skipping);
/* Returns 1 with a line; 0 at the end of the file; or minus errno, ECANCELED: interrupted. */
int store_reader_next(store_reader *self);
/* Returns where in the file that is which is not taken yet: a line, or the beginning of one. */
uint64_t store_reader_at(const store_reader *self);
/* Gives back what a long line took; or with `all` everything. */
void store_reader_free(store_reader *self, int all);

#endif
