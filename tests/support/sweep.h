/* Systematic changes: each field of a record takes one value of interest after the other, and
 * entries of a log are dropped, doubled, swapped and cut off. The caller judges each change. */
#ifndef SUPPORT_SWEEP_H
#define SUPPORT_SWEEP_H

#include "support/workload.h"

enum sweep_kind { SWEEP_WHOLE, SWEEP_REAL, SWEEP_POINTER };

typedef struct sweep_field {
    const char *name;
    size_t offset, size;
    enum sweep_kind kind; /* a pointer becomes null */
} sweep_field;

#define SWEEP_AS(kind, type, member)                                            \
    {                                                                           \
#member, offsetof(type, member), sizeof(((type *)NULL)->member), (kind) \
    }
#define SWEEP(type, member)        SWEEP_AS(SWEEP_WHOLE, type, member)
#define SWEEP_REALS(type, member)  SWEEP_AS(SWEEP_REAL, type, member)
#define SWEEP_POINTS(type, member) SWEEP_AS(SWEEP_POINTER, type, member)

/* What was changed. */
typedef struct sweep_change {
    const char *what; /* "set", "dropped", "doubled", "swapped", "cut" */
    size_t at;        /* of a log: the entry */
    const sweep_field *field;
    char text[100]; /* for messages */
} sweep_change;

typedef union sweep_value {
    uint64_t whole;
    double real;
    void *pointer;
} sweep_value;

static inline sweep_value sweep_get(const void *record, const sweep_field *field)
{
    const unsigned char *at = (const unsigned char *)record + field->offset;
    sweep_value value = {0};
    uint32_t word;
    uint8_t byte;
    if (field->kind == SWEEP_POINTER) {
        memcpy(&value.pointer, at, sizeof value.pointer);
    } else if (field->size == sizeof value.whole) {
        memcpy(&value.whole, at, sizeof value.whole);
    } else if (field->size == sizeof word) {
        memcpy(&word, at, sizeof word);
        value.whole = word;
    } else {
        memcpy(&byte, at, sizeof byte);
        value.whole = byte;
    }
    return value;
}

static inline void sweep_set(void *record, const sweep_field *field, sweep_value value)
{
    unsigned char *at = (unsigned char *)record + field->offset;
    uint32_t word = (uint32_t)value.whole;
    uint8_t byte = (uint8_t)value.whole;
    if (field->kind == SWEEP_POINTER)
        memcpy(at, &value.pointer, sizeof value.pointer);
    else if (field->size == sizeof value.whole)
        memcpy(at, &value.whole, sizeof value.whole);
    else if (field->size == sizeof word)
        memcpy(at, &word, sizeof word);
    else
        memcpy(at, &byte, sizeof byte);
}

enum { SWEEP_VALUES = 24 };

/* Lists the values of interest beside this one. Returns how many. */
static inline size_t sweep_values(const sweep_field *field, sweep_value now,
                                  sweep_value values[SWEEP_VALUES])
{
    const uint64_t whole[] = {0,
                              1,
                              2,
                              3,
                              now.whole - 1,
                              now.whole + 1,
                              now.whole * 2,
                              (uint64_t)1 << 16,
                              ((uint64_t)1 << 16) + 1,
                              ((uint64_t)1 << 26) + 1,
                              UINT32_MAX / 2 + 2,
                              UINT32_MAX,
                              ((uint64_t)1 << 40) + 1,
                              PN_INTEGER_MAX - 1,
                              PN_INTEGER_MAX,
                              PN_INTEGER_MAX + 1,
                              UINT64_MAX / 2,
                              UINT64_MAX - 1,
                              UINT64_MAX};
    const double real[] = {0,
                           -0.0,
                           now.real + 1,
                           now.real - 1,
                           now.real / 2,
                           now.real * 2,
                           -now.real,
                           1,
                           0x1p-300,
                           0x1p-64,
                           0x1p65,
                           0x1p300,
                           1e308,
                           1e308 * 10,
                           -1e308 * 10,
                           1e308 * 10 - 1e308 * 10};
    if (field->kind == SWEEP_POINTER) {
        values[0].pointer = NULL;
        return 1;
    }
    size_t count = field->kind == SWEEP_REAL ? sizeof real / sizeof real[0]
                                             : sizeof whole / sizeof whole[0];
    for (size_t i = 0; i < count; i++)
        if (field->kind == SWEEP_REAL)
            values[i].real = real[i];
        else
            values[i].whole = whole[i];
    return count;
}

/* Returns whether the field holds something else now. */
static inline bool sweep_differs(const void *record, const sweep_field *field, sweep_value before)
{
    sweep_value now = sweep_get(record, field);
    return field->kind == SWEEP_POINTER ? now.pointer != before.pointer : now.whole != before.whole;
}

static inline void sweep_describe(sweep_change *change, const void *record)
{
    sweep_value now = sweep_get(record, change->field);
    if (change->field->kind == SWEEP_REAL)
        snprintf(change->text, sizeof change->text, "%s of %zu = %g", change->field->name,
                 change->at, now.real);
    else
        snprintf(change->text, sizeof change->text, "%s of %zu = %llu", change->field->name,
                 change->at, (unsigned long long)now.whole);
}

typedef void (*sweep_judge)(void *user, const sweep_change *change);

/* Changes the record in place, and back. */
static inline void sweep_record(void *record, size_t at, const sweep_field *fields, size_t count,
                                sweep_judge judge, void *user)
{
    for (size_t f = 0; f < count; f++) {
        sweep_change change = {"set", at, &fields[f], ""};
        sweep_value before = sweep_get(record, change.field), values[SWEEP_VALUES];
        size_t values_count = sweep_values(change.field, before, values);
        for (size_t i = 0; i < values_count; i++) {
            sweep_set(record, change.field, values[i]);
            sweep_describe(&change, record);
            if (sweep_differs(record, change.field, before))
                judge(user, &change);
            sweep_set(record, change.field, before);
        }
    }
}

/* A log that is changed: entries of one type, with room for one more. */
typedef struct sweep_log {
    void *entries;
    size_t *count, size;
    const sweep_field *fields;
    size_t fields_count;
    sweep_judge judge;
    void *user;
} sweep_log;

/* Gives each field of an entry the values that it has in the other ones. */
static inline void sweep_borrow(const sweep_log *log, size_t at)
{
    unsigned char *bytes = log->entries, *entry = bytes + at * log->size;
    for (size_t f = 0; f < log->fields_count; f++) {
        sweep_change change = {"set", at, &log->fields[f], ""};
        sweep_value before = sweep_get(entry, change.field);
        for (size_t from = 0; from < *log->count; from++) {
            sweep_set(entry, change.field, sweep_get(bytes + from * log->size, change.field));
            sweep_describe(&change, entry);
            if (sweep_differs(entry, change.field, before))
                log->judge(log->user, &change);
            sweep_set(entry, change.field, before);
        }
    }
}

/* Drops an entry, doubles it, swaps it with the next, moves it to the end, cuts the log before it;
 * each for itself. */
static inline void sweep_order(const sweep_log *log, size_t at)
{
    static const char *const kinds[] = {"dropped", "doubled", "swapped", "moved", "cut"};
    size_t size = log->size, count = *log->count, left = (count - at - 1) * size;
    unsigned char *entry = (unsigned char *)log->entries + at * size;
    unsigned char *kept = workload_room(left + 2 * size);
    memcpy(kept, entry, left + size);
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        sweep_change change = {kinds[kind], at, NULL, ""};
        snprintf(change.text, sizeof change.text, "entry %zu %s", at, change.what);
        if (kind == 0) {
            memcpy(entry, kept + size, left);
            --*log->count;
        } else if (kind == 1) {
            memcpy(entry + size, kept, left + size);
            ++*log->count;
        } else if (kind == 2 && left > 0) {
            memcpy(entry, kept + size, size);
            memcpy(entry + size, kept, size);
        } else if (kind == 3 && left > size) {
            memcpy(entry, kept + size, left);
            memcpy(entry + left, kept, size);
        } else if (kind == 4) {
            *log->count = at;
        } else {
            continue;
        }
        log->judge(log->user, &change);
        *log->count = count;
        memcpy(entry, kept, left + size);
    }
    free(kept);
}

static inline void sweep_entries(const sweep_log *log)
{
    for (size_t at = 0; at < *log->count; at++) {
        unsigned char *entry = (unsigned char *)log->entries + at * log->size;
        sweep_record(entry, at, log->fields, log->fields_count, log->judge, log->user);
        sweep_borrow(log, at);
        sweep_order(log, at);
    }
}

#endif
