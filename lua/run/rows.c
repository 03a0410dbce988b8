/* See rows.h. */
#include <stdlib.h>
#include <string.h>

#include "rows.h"

void rows_clear(rows *self)
{
    rows empty = {.shape = self->shape, .attribute_count = self->attribute_count};
    memcpy(empty.attribute_names, self->attribute_names, sizeof empty.attribute_names);
    free(self->cells);
    for (size_t i = 0; i < ROW_VALUES_MAX; i++)
        free(self->sorted[i]);
    *self = empty;
}

static int value_sound(const char *const *words, uint64_t integer)
{
    uint64_t known = 0;
    while (words && words[known])
        known++;
    return !words || integer < known || integer == ROW_NONE;
}

int rows_sound(const rows *self, const void *cells, size_t count)
{
    const unsigned char *bytes = cells;
    const row_shape *shape = self->shape;
    for (size_t i = 0; shape->words && i < count; i++) {
        const row *cell = (const row *)(const void *)(bytes + i * rows_stride(self));
        for (uint32_t value = 0; value < shape->count; value++)
            if (!value_sound(shape->words[value], cell->values[value].integer))
                return 0;
    }
    return 1;
}

void rows_take(rows *self, void *cells, size_t count)
{
    rows_clear(self);
    self->cells = cells;
    self->count = self->room = count;
}

int rows_add(rows *self, row_value arrival, uint32_t group, const double *attributes)
{
    row *added;
    if (self->count == self->room) {
        size_t wanted = self->room ? 2 * self->room : 256, stride = rows_stride(self);
        unsigned char *larger = wanted > SIZE_MAX / stride ? NULL
                                                           : realloc(self->cells, wanted * stride);
        if (!larger)
            return 0;
        self->cells = larger;
        self->room = wanted;
    }
    added = rows_at(self, self->count++);
    memset(added, 0, rows_stride(self));
    added->group = group;
    for (uint32_t value = 0; self->shape->partial && value < self->shape->count; value++)
        added->values[value].integer = ROW_NONE;
    added->values[0] = arrival;
    for (uint32_t i = 0; attributes && i < self->attribute_count; i++)
        added->values[self->shape->count + i].real = attributes[i];
    return 1;
}
