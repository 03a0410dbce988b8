/* The log of what a host tells its core. */
#include <stdlib.h>

#include "common.h"

void put_input(input_log *self, input_line *write, const void *from)
{
    size_t size = self->file ? write(from, &self->check, self->line, self->room) : 0;
    if (size > self->room) {
        free(self->line);
        self->line = malloc(size);
        self->room = self->line ? size : 0;
        size = write(from, &self->check, self->line, self->room);
    }
    if (self->file && (size == 0 || size > self->room))
        complain("an input does not fit into memory: the log ends here");
    else if (self->file && fputs(self->line, self->file) >= 0)
        return;
    self->file = NULL;
}

void free_inputs(input_log *self)
{
    free(self->line);
}
