/* One row for each job of a run. */
#ifndef PINION_RUN_ROWS_H
#define PINION_RUN_ROWS_H

#include "pinion.h"

/* An integer or a double, as the shape of the rows says. */
typedef union row_value {
    uint64_t integer;
    double real;
} row_value;

#define ROW_VALUES_MAX 24

#define ROW_NAME_SIZE 32 /* of an attribute, with its end */

/* Of an integer that a row has not. */
#define ROW_NONE UINT64_MAX

/* What the rows of a model hold. */
typedef struct row_shape {
    const char *const *names; /* of the values, ended by a null */
    /* so many of the first are known when a job arrives, the others when it ends */
    uint32_t known;
    uint32_t count; /* of values, at most ROW_VALUES_MAX */
    uint32_t main;  /* the one that is asked about when none is named */
    /* 1: doubles, where NaN means that the job has none; 0: integers, see rows.ticks */
    int real;
    /* 1: each value is there unless it is ROW_NONE, however the job stands; quantiles are of
     * finished jobs only */
    int partial;
    /* null, or of each value: null, or what its numbers are called (false and true as such), ended
     * by a null */
    const char *const *const *words;
    /* Null, or the name of the list that each row has besides, of as many entries as the job says;
     * and the names of the integers of an entry, ended by a null. */
    const char *list;
    const char *const *entry;
} row_shape;

typedef struct row {
    uint32_t group;
    uint32_t finished;
    row_value values[];
} row;

/* Row i is that of job i + 1. */
typedef struct rows {
    const row_shape *shape;
    /* Of each job: doubles behind the values, with their names. */
    uint32_t attribute_count;
    char attribute_names[PN_ATTRIBUTES_MAX][ROW_NAME_SIZE];
    unsigned char *cells; /* rows, each of rows_stride bytes */
    size_t count, room;
    /* The lists of all rows: the number of entries, then their values, ROW_NONE where one is
     * missing. A row knows where its own begins, behind its other values. */
    uint64_t *listed;
    size_t listed_count, listed_room;
    /* > 0: integers are in so many parts of a unit, and given to Lua as exact numbers of units */
    uint64_t ticks;
    /* jobs of the warm-up, the first ones: neither quantiles nor counts are of them */
    size_t skipped;
    /* values in ascending order, made when a quantile of them is first asked for */
    row_value *sorted[ROW_VALUES_MAX];
    size_t sorted_count[ROW_VALUES_MAX];
} rows;

/* Adds a row; 0 when memory is short. */
int rows_add(rows *self, row_value arrival, uint32_t group, const double *attributes);
/* Adds the list of row `index`, once: so many entries, one after the other. 0 when memory is
 * short. */
int rows_add_list(rows *self, size_t index, const uint64_t *values, size_t entries);
/* Returns that list, and its number of entries; null when the row has none yet. */
const uint64_t *rows_list(const rows *self, const row *cell, size_t *entries);
void rows_clear(rows *self); /* shape and names of attributes stay */
/* Returns whether rows from outside can be shown: words are among those that there are, and lists
 * where they are said to be. */
int rows_sound(const rows *self, const void *cells, size_t count, const uint64_t *listed,
               size_t listed_count);
/* Takes over `count` rows and what they list from malloc in place of its own. */
void rows_take(rows *self, void *cells, size_t count, uint64_t *listed, size_t listed_count);

static inline size_t rows_bytes(const row_shape *shape, uint32_t attribute_count)
{
    size_t values = shape->count + (size_t)attribute_count + (shape->list != NULL);
    return sizeof(row) + values * sizeof(row_value);
}

static inline size_t rows_stride(const rows *self)
{
    return rows_bytes(self->shape, self->attribute_count);
}

static inline row *rows_at(const rows *self, size_t index)
{
    return (row *)(void *)(self->cells + index * rows_stride(self));
}

#endif
