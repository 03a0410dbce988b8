#include "log_reader.h"

#include <limits.h>
#include <string.h>

int log_reader_open(log_reader *self, const char *path, const log_kinds *kinds)
{
    self->lines.path = path;
    self->lines.message = self->message;
    self->lines.longest = INT_MAX; /* what zlib can read at once */
    self->kinds = kinds;
    return gz_lines_open(&self->lines);
}

void log_reader_close(log_reader *self)
{
    gz_lines_close(&self->lines);
}

int log_reader_line(log_reader *self, char **line)
{
    return gz_lines_next(&self->lines, line);
}

int log_reader_next(log_reader *self)
{
    char *line;
    int status;
    while ((status = gz_lines_next(&self->lines, &line)) > 0) {
        int answer = log_read(&self->event, self->kinds, line, self->lines.size, &self->filter);
        if (answer < 0)
            return gz_lines_fail(&self->lines, self->event.fault);
        if (answer > 0)
            return 1;
    }
    return status;
}

const char *log_reader_fault(const log_reader *self)
{
    return strstr(self->message + strlen(self->lines.path), ": ") + 2;
}
