/* Files that appear whole or not at all. What is written goes into a new file beside the target,
 * which takes the target's place when everything is written: a run that fails leaves an old file
 * as it was, and no empty one. A symbolic link stays one, its target is replaced; permissions are
 * kept. Devices, pipes and the standard streams have no such second file; they are written in
 * place. So are files whose folder takes no new file. */
#ifndef PINION_BASE_OUTPUT_H
#define PINION_BASE_OUTPUT_H

#include <stdio.h>

typedef struct output {
    FILE *file;   /* open for writing; null before output_open, or after the end */
    char *target; /* behind symbolic links */
    char *beside; /* null when the target is written in place */
} output;

/* Opens it. A plain file that is written in place keeps what it holds until output_empty.
 * 0, or errno of what failed; nothing has to be closed then. */
int output_open(output *self, const char *path);
/* Returns whether it could be opened, without waiting for a reader of a pipe. 0, or errno. */
int output_check(const char *path);
/* Empties a plain file that is written in place; others are empty already, or cannot be. */
int output_empty(output *self);
/* Writes so many bytes of a text. 0, or errno. */
int output_write(output *self, const char *text, size_t size);
/* Moves the new file to its place, with what was written so far; the file stays open. */
int output_place(output *self);
/* Closes the file and moves it to its place. 0, or errno: the target is then as it was. */
int output_commit(output *self);
/* Closes the file, and removes it unless it is in its place. Safe to call twice. */
void output_discard(output *self);

#define OUTPUT_IDENTITY_SIZE 512

/* Writes a text that two paths share when they lead to one plain file, whether it exists or not;
 * empty for what is no plain file, such as a device. 0, or errno. */
int output_identity(const char *path, char text[OUTPUT_IDENTITY_SIZE]);
/* Writes the same of an open descriptor. */
int output_identity_of(int descriptor, char text[OUTPUT_IDENTITY_SIZE]);

#endif
