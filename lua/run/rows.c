/* See rows.h. */
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "workload/source.h"

void rows_clear(rows *self)
{
    rows empty = {.shape = self->shape, .attribute_count = self->attribute_count};
    memcpy(empty.attribute_names, self->attribute_names, sizeof empty.attribute_names);
    free(self->cells);
    free(self->listed);
    for (size_t i = 0; i < ROW_VALUES_MAX; i++)
        free(self->sorted[i]);
    *self = empty;
}

/* ---- lists ---- */

/* Returns where the row keeps the place of its list. */
static size_t place_in(const rows *self)
{
    return self->shape->count + (size_t)self->attribute_count;
}

static size_t width_of(const row_shape *shape)
{
    size_t width = 0;
    while (shape->entry[width])
        width++;
    return width;
}

static int has_room_for(rows *self, size_t more)
{
    void *listed = self->listed;
    int grown = 1;
    while (grown && self->listed_room - self->listed_count < more)
        grown = source_grow(&listed, self->listed_room, &self->listed_room, sizeof *self->listed);
    self->listed = listed;
    return grown;
}

int rows_add_list(rows *self, size_t index, const uint64_t *values, size_t entries)
{
    size_t size = entries * width_of(self->shape);
    if (!has_room_for(self, 1 + size))
        return 0;
    rows_at(self, index)->values[place_in(self)].integer = self->listed_count;
    self->listed[self->listed_count] = entries;
    if (size > 0)
        memcpy(self->listed + self->listed_count + 1, values, size * sizeof *values);
    self->listed_count += 1 + size;
    return 1;
}

const uint64_t *rows_list(const rows *self, const row *cell, size_t *entries)
{
    uint64_t place = self->shape->list ? cell->values[place_in(self)].integer : ROW_NONE;
    if (place == ROW_NONE)
        return NULL;
    *entries = (size_t)self->listed[place];
    return self->listed + place + 1;
}

static int list_sound(const rows *self, const row *cell, const uint64_t *listed, size_t count)
{
    uint64_t place = self->shape->list ? cell->values[place_in(self)].integer : ROW_NONE;
    return place == ROW_NONE ||
           (place < count && listed[place] <= (count - place - 1) / width_of(self->shape));
}

/* ---- rows ---- */

static int value_sound(const char *const *words, uint64_t integer)
{
    uint64_t known = 0;
    while (words && words[known])
        known++;
    return !words || integer < known || integer == ROW_NONE;
}

static int words_sound(const row_shape *shape, const row *cell)
{
    for (uint32_t value = 0; shape->words && value < shape->count; value++)
        if (!value_sound(shape->words[value], cell->values[value].integer))
            return 0;
    return 1;
}

int rows_sound(const rows *self, const void *cells, size_t count, const uint64_t *listed,
               size_t listed_count)
{
    const unsigned char *bytes = cells;
    for (size_t i = 0; i < count; i++) {
        const row *cell = (const row *)(const void *)(bytes + i * rows_stride(self));
        if (!words_sound(self->shape, cell) || !list_sound(self, cell, listed, listed_count))
            return 0;
    }
    return 1;
}

void rows_take(rows *self, void *cells, size_t count, uint64_t *listed, size_t listed_count)
{
    rows_clear(self);
    self->cells = cells;
    self->count = self->room = count;
    self->listed = listed;
    self->listed_count = self->listed_room = listed_count;
}

int rows_add(rows *self, row_value arrival, uint32_t group, const double *attributes)
{
    void *cells = self->cells;
    int grown = source_grow(&cells, self->count, &self->room, rows_stride(self));
    row *added;
    self->cells = cells;
    if (!grown)
        return 0;
    added = rows_at(self, self->count++);
    memset(added, 0, rows_stride(self));
    added->group = group;
    for (uint32_t value = 0; self->shape->partial && value < self->shape->count; value++)
        added->values[value].integer = ROW_NONE;
    added->values[0] = arrival;
    if (self->shape->list)
        added->values[place_in(self)].integer = ROW_NONE;
    for (uint32_t i = 0; attributes && i < self->attribute_count; i++)
        added->values[self->shape->count + i].real = attributes[i];
    return 1;
}
