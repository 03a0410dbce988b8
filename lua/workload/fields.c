/* Access to the members of jobs by the rows of their fields (fields.h). */
#include "fields.h"

#include <string.h>

/* Returns an integer of 4 or 8 bytes, signed where `low` is. */
static int64_t get(const unsigned char *at, size_t size, int is_signed)
{
    uint64_t wide;
    uint32_t narrow;
    if (size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return (int64_t)wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return is_signed ? (int64_t)(int32_t)narrow : (int64_t)narrow;
}

static void put(unsigned char *at, size_t size, int64_t value)
{
    uint32_t narrow = (uint32_t)value;
    if (size == sizeof value)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

int64_t job_field_get(const job_field *field, const void *job)
{
    return get((const unsigned char *)job + field->offset, field->size, field->low < 0);
}

void job_field_put(const job_field *field, void *job, int64_t value)
{
    put((unsigned char *)job + field->offset, field->size, value);
}

double job_field_amount(const job_field *field, const void *job)
{
    double value;
    memcpy(&value, (const unsigned char *)job + field->offset, sizeof value);
    return value;
}

void job_field_put_amount(const job_field *field, void *job, double value)
{
    memcpy((unsigned char *)job + field->offset, &value, sizeof value);
}

uint64_t job_field_count(const job_field *field, const void *job)
{
    return (uint64_t)get((const unsigned char *)job + field->count_offset, field->count_size, 0);
}

const void *job_field_list(const job_field *field, const void *job)
{
    const void *values;
    memcpy(&values, (const unsigned char *)job + field->offset, sizeof values);
    return values;
}

void job_field_put_list(const job_field *field, void *job, const void *values, uint64_t count)
{
    memcpy((unsigned char *)job + field->offset, &values, sizeof values);
    put((unsigned char *)job + field->count_offset, field->count_size, (int64_t)count);
}

const double *job_attributes(const job_model *model, const void *job)
{
    const double *attributes;
    memcpy(&attributes, (const unsigned char *)job + model->attributes, sizeof attributes);
    return attributes;
}

uint64_t job_list_get(const job_field *field, const void *values, uint64_t index)
{
    return (uint64_t)get((const unsigned char *)values + (size_t)index * field->size, field->size,
                         0);
}

void job_list_put(const job_field *field, void *values, uint64_t index, uint64_t value)
{
    put((unsigned char *)values + (size_t)index * field->size, field->size, (int64_t)value);
}
