/* How the rows of a model's jobs are written (fields.h): in fields.c among its sources. */
#ifndef PINION_WORKLOAD_FIELD_ROWS_H
#define PINION_WORKLOAD_FIELD_ROWS_H

#include "base/bounds.h"
#include "fields.h"

#define JOB_MEMBER(type, member) \
    .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define ROW_INTEGER(word, type, member, least, most) \
    .name = word, .kind = JOB_INTEGER, JOB_MEMBER(type, member), .low = (least), .high = (most)
#define ROW_AMOUNT(word, type, member) .name = word, .kind = JOB_AMOUNT, JOB_MEMBER(type, member)
#define ROW_LIST(word, type, member, count, least, most)                         \
    .name = word, .kind = JOB_LIST, .offset = offsetof(type, member),            \
    .size = sizeof(*((type *)0)->member), .count_offset = offsetof(type, count), \
    .count_size = sizeof(((type *)0)->count), .low = (least), .high = (most)
#define ROW_NAME                                    \
    {                                               \
        .name = "name", .kind = JOB_NAME, .doc = "" \
    }
#define ROW_GROUP(type)                                                                        \
    {                                                                                          \
        .name = "group", .kind = JOB_GROUP, JOB_MEMBER(type, group), .high = UINT32_MAX - 1LL, \
        .doc = "statistics are also kept per group"                                            \
    }
#define ROWS_OF(name, type)                                       \
    const job_model name##_job = {.fields = fields,               \
                                  .group = offsetof(type, group), \
                                  .attributes = offsetof(type, attributes)}

#define ROW_MOST ((int64_t)PN_INTEGER_MAX)

#endif
