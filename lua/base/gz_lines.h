/* Text files, plain or gzip'ed alike, line by line, with errors that say where. */
#ifndef PINION_BASE_GZ_LINES_H
#define PINION_BASE_GZ_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "progress.h"

#define GZ_MESSAGE_SIZE 512
#define GZ_REASON_SIZE  200
#define GZ_QUOTE_SIZE   44

typedef struct gz_lines {
    const char *path;
    char *message;  /* GZ_MESSAGE_SIZE bytes */
    size_t longest; /* bytes that a line may have; 0: LIMIT_LINE */
    gzFile file;
    uint64_t line; /* from 1; 0: before the first, and in messages none */
    size_t size;   /* of the current line */
    size_t filled, taken;
    char *buffer; /* room for the longest line so far */
    size_t room;
    uint64_t file_size; /* as it is on the disk; 0: unknown */
    progress progress;
} gz_lines;

/* Opens: 1, or -1 with a message. Path and message are set before. */
int gz_lines_open(gz_lines *self);
void gz_lines_close(gz_lines *self);
/* Returns 1 with line (ended by a null, self->size bytes), 0 at the end of the file, -1 with a
 * message. */
int gz_lines_next(gz_lines *self, char **line);
/* Returns -1, with the message FILE:LINE: what. */
int gz_lines_fail(gz_lines *self, const char *what);

/* Returns the size of the file; 0 when it is none. */
uint64_t gz_file_size(const char *path);
/* Opens a file for reading; null, with why not. */
gzFile gz_open(const char *path, char reason[GZ_REASON_SIZE]);
/* Returns whether reading has come to a proper end; 0 with why not. To be called when there was
 * nothing more to read, or an error. */
int gz_ended(gzFile file, const char *path, char reason[GZ_REASON_SIZE]);

/* Writes what a message may quote of a file: one short printable piece. */
void gz_quote(char text[GZ_QUOTE_SIZE], const char *field);

#endif
