/* Reads the lines of a decision log, plain or gzip'ed, by the rows of its model. */
#ifndef PINION_RUN_LOG_READER_H
#define PINION_RUN_LOG_READER_H

#include "base/gz_lines.h"
#include "log_rows.h"

typedef struct log_reader {
    gz_lines lines;
    const log_kinds *kinds;
    log_filter filter; /* zeros: every line */
    log_event event;   /* the line that came last */
    char message[GZ_MESSAGE_SIZE];
} log_reader;

/* Opens the file, whose path must last. 1, or -1 with a message. */
int log_reader_open(log_reader *self, const char *path, const log_kinds *kinds);
/* Closes; safe to call twice. */
void log_reader_close(log_reader *self);
/* Reads the next line as it is, such as the first: 1 with *line, 0 at the end of the file, -1 with
 * a message. */
int log_reader_line(log_reader *self, char **line);
/* Reads the next line that is asked for into self->event: 1, 0 at the end of the file, -1 with the
 * message "FILE:LINE: what". */
int log_reader_next(log_reader *self);
/* Returns the message without file and line. */
const char *log_reader_fault(const log_reader *self);

#endif
