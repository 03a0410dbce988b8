/* What the sources of all models share. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

int source_grow(void **array, size_t count, size_t *room, size_t element)
{
    void *larger;
    size_t wanted;
    if (count < *room)
        return 1;
    wanted = *room ? *room + *room / 2 : 64;
    if (wanted <= *room || wanted > SIZE_MAX / element)
        return 0;
    larger = realloc(*array, wanted * element);
    if (!larger)
        return 0;
    *array = larger;
    *room = wanted;
    return 1;
}

const char *source_stopped(const source *self, int answer)
{
    return answer == SOURCE_INTERRUPTED ? "interrupted" : self->fault;
}

int source_out_of_memory(source *self)
{
    strcpy(self->fault, "not enough memory to hold all jobs at once");
    return SOURCE_FAULT;
}

void source_split(uint64_t units, uint64_t tasks, uint64_t *pieces)
{
    uint64_t smaller = units / tasks, larger_count = units % tasks;
    for (uint64_t i = 0; i < tasks; i++)
        pieces[i] = smaller + (i < larger_count ? 1 : 0);
}
