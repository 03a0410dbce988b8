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
    wanted = *room + *room / 2 + 64;
    if (wanted <= *room || wanted > SIZE_MAX / element)
        return 0;
    larger = realloc(*array, wanted * element);
    if (!larger)
        return 0;
    *array = larger;
    *room = wanted;
    return 1;
}

/* ---- what jobs carry ---- */

struct source_carried {
    double *attributes; /* of a table's jobs */
    source_labels labels[PN_ATTRIBUTES_MAX];
    const char *names[]; /* of attributes, then of groups; their texts lie behind */
};

static size_t text_size(const char *const *names, uint32_t count)
{
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += names[i] ? strlen(names[i]) + 1 : 0;
    return size;
}

/* Copies the texts to *to, which moves behind them. */
static void copy_names(const char **names, const char *const *from, uint32_t count, char **to)
{
    for (uint32_t i = 0; i < count; i++) {
        names[i] = from[i] ? strcpy(*to, from[i]) : NULL;
        *to += from[i] ? strlen(from[i]) + 1 : 0;
    }
}

int source_carry(source *self, const char *const *attributes, uint32_t attribute_count,
                 const char *const *groups, uint32_t group_count)
{
    size_t count = (size_t)attribute_count + group_count;
    size_t texts = text_size(attributes, attribute_count) + text_size(groups, group_count);
    size_t names = sizeof(struct source_carried) + count * sizeof(char *);
    struct source_carried *carried = malloc(names + texts);
    if (!carried)
        return 0;
    char *text = (char *)carried + names;
    carried->attributes = NULL;
    memset(carried->labels, 0, sizeof carried->labels);
    copy_names(carried->names, attributes, attribute_count, &text);
    copy_names(carried->names + attribute_count, groups, group_count, &text);
    if (attribute_count > 0) {
        self->attribute_names = carried->names;
        self->attribute_count = attribute_count;
    }
    self->group_names = group_count > 0 ? carried->names + attribute_count : NULL;
    self->group_count = group_count;
    self->carried = carried;
    return 1;
}

int source_label(source *self, uint32_t attribute, const char *const *texts, uint32_t count)
{
    size_t names = count * sizeof(char *);
    const char **copy = malloc(names + text_size(texts, count) + 1);
    char *text = (char *)copy + names;
    if (!copy)
        return 0;
    copy_names(copy, texts, count, &text);
    self->carried->labels[attribute] = (source_labels){copy, count};
    self->labels = self->carried->labels;
    return 1;
}

double *source_attributes_room(source *self)
{
    size_t numbers = (size_t)self->count * self->attribute_count; /* less memory than the jobs */
    double *room = calloc(numbers + 1, sizeof *room);
    self->carried->attributes = room;
    if (!room)
        self->attribute_count = 0;
    return room;
}

const double *source_attributes_at(const source *self, uint64_t index)
{
    const double *all = self->carried ? self->carried->attributes : NULL;
    return all ? all + (size_t)index * self->attribute_count : NULL;
}

void source_carry_on(source *self, const source *from)
{
    self->attribute_names = from->attribute_names;
    self->attribute_count = from->attribute_count;
    self->labels = from->labels;
    self->group_names = from->group_names;
    self->group_count = from->group_count;
}

#define ATTRIBUTES_IN(SOURCE, NAME, JOB) [SOURCE] = offsetof(JOB, attributes),
static const size_t attributes_in[] = {SOURCE_OF_MODELS(ATTRIBUTES_IN)};

const double *source_attributes_of(const source *self, const void *job)
{
    const double *attributes;
    if (self->attribute_count == 0)
        return NULL;
    memcpy(&attributes, (const char *)job + attributes_in[self->model], sizeof attributes);
    return attributes;
}

int source_attribute(const source *self, const char *name)
{
    for (uint32_t i = 0; i < self->attribute_count; i++)
        if (strcmp(self->attribute_names[i], name) == 0)
            return (int)i;
    return -1;
}

void source_free(source *self)
{
    if (!self)
        return;
    struct source_carried *carried = self->carried;
    self->destroy(self);
    for (uint32_t i = 0; carried && i < PN_ATTRIBUTES_MAX; i++)
        free((void *)(uintptr_t)carried->labels[i].texts);
    if (carried)
        free(carried->attributes);
    free(carried);
}

/* ---- all else ---- */

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
