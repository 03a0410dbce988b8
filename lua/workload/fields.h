/* Fields of jobs, as rows: the name, the range, the default, the words and the place of each in the
 * kernel's job stand in its row and nowhere else. Readers of files, tables and generators, csv
 * columns, annotations and pages are made from the rows. */
#ifndef PINION_WORKLOAD_FIELDS_H
#define PINION_WORKLOAD_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "workload/source.h"

enum job_kind {
    JOB_INTEGER, /* an integer of 4 or 8 bytes in low..high */
    JOB_AMOUNT,  /* a double: 0 or PN_TANDEM_LEAST..PN_TANDEM_MOST */
    JOB_LIST,    /* integers in low..high; the member points to them, each of `size` bytes */
    JOB_NAME,    /* text, which only the library knows */
    JOB_GROUP,   /* the number of a group */
    JOB_OWN      /* read and written by code of the model */
};

enum job_flag {
    JOB_REQUIRED = 1,
    JOB_ALWAYS = 2, /* csv files always have the column */
    JOB_ARRIVAL = 4,
    /* What policies see in place of the truth, which a member of 0 means; an estimate of 0 is
     * PN_MODEL_ESTIMATE_ZERO. */
    JOB_ESTIMATE = 8,
    JOB_YIELDS = 16, /* an attribute of this name takes its place, and csv files do not have it */
    JOB_NESTED = 32, /* no csv file can have it */
    JOB_DISTINCT = 64
};

typedef struct job_field {
    const char *name;
    uint8_t kind, flags, size; /* enum job_kind, enum job_flag; bytes of the member */
    uint16_t offset;           /* of the member in the kernel's job */
    int64_t low, high, missing;
    const char *doc;    /* also what a message says about a required field that is missing */
    const char *absent; /* what a missing field means, where low excludes 0 */
    /* Of a list: the field that counts its values, null where it has any length; and the field
     * that it replaces. */
    const char *of, *instead;
    uint16_t count_offset; /* of the member with its length */
    uint8_t count_size;
    const char *type; /* of JOB_OWN: in annotations */
    const char *cell; /* "integers", "tasks" or "text": how csv files write it; null: a number */
} job_field;

typedef struct job_model {
    const job_field *fields;    /* in the order of csv columns; ended by a name of null */
    uint16_t group, attributes; /* offsets in the kernel's job */
} job_model;

#define FIELDS_DECLARE(SOURCE, NAME, JOB) extern const job_model NAME##_job;
SOURCE_OF_MODELS(FIELDS_DECLARE)
#undef FIELDS_DECLARE

/* Returns a member of a job as an integer, and the reverse. */
int64_t job_field_get(const job_field *field, const void *job);
void job_field_put(const job_field *field, void *job, int64_t value);
double job_field_amount(const job_field *field, const void *job);
void job_field_put_amount(const job_field *field, void *job, double value);
/* Returns how many values the list of a job has. */
uint64_t job_field_count(const job_field *field, const void *job);
/* Returns the values of a list, each of field->size bytes; null: the job has none. */
const void *job_field_list(const job_field *field, const void *job);
void job_field_put_list(const job_field *field, void *job, const void *values, uint64_t count);
/* Returns the attributes of a job; null: it has none. */
const double *job_attributes(const job_model *model, const void *job);
uint64_t job_list_get(const job_field *field, const void *values, uint64_t index);
void job_list_put(const job_field *field, void *values, uint64_t index, uint64_t value);

#endif
