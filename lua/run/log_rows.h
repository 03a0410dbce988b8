/* Rows of the lines of decision logs: for each kind of line its fields, each with its type, its
 * range and the member that holds it, and the reader of a line by these rows. log.c of a model has
 * its rows beside the functions that write its lines. */
#ifndef PINION_RUN_LOG_ROWS_H
#define PINION_RUN_LOG_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "pn_base.h"
#include "pn_strict.h"

#define LOG_FIELDS_MAX 8 /* of a line, without "event" */
#define LOG_FAULT_SIZE 320

enum log_type {
    LOG_INTEGER, /* in low..high */
    LOG_ORDINAL, /* the same; the member counts from 0 */
    LOG_NUMBER,  /* a double >= 0 */
    LOG_EXACT,   /* an integer >= 0, or "p/q" in lowest terms: a pn_exact */
    LOG_WORD,    /* one of `words`, which mean low, low + 1, … */
    LOG_TRUE,    /* true; no member */
    LOG_DIGEST,  /* 16 hex digits */
    LOG_TASKS,   /* [3,4,5]: the first of consecutive numbers; `count` is where their number goes */
    LOG_VECTOR,  /* [2,4]: an array of the log's resources */
    LOG_VECTORS  /* [[2,4],[1,0]]; no member */
};

typedef struct log_field {
    const char *name; /* null: the end of a kind's fields */
    uint8_t length;   /* of the name */
    uint8_t type;     /* enum log_type */
    uint8_t size;     /* of the member; 0: none */
    uint8_t optional; /* 1: a line without the field has the value `missing` */
    uint16_t offset, count;
    uint64_t low, high, missing;
    const char *const *words; /* ended by a null */
} log_field;

#define LOG_FIELD(text) .name = (text), .length = sizeof(text) - 1
#define LOG_IN(holder, member) \
    .offset = offsetof(holder, member), .size = sizeof(((holder *)NULL)->member)

typedef struct log_kind {
    const char *name;
    const char *mark; /* the field that tells this kind; null: "event" says the kind's name */
    const log_field *fields;
} log_kind;

/* Kinds by number, from 1 as in the kernel's events; 0 is the last line. A kind without a name does
 * not occur in logs. */
typedef struct log_kinds {
    const log_kind *kinds;
    uint32_t count;
} log_kinds;

#define LOG_LAST 0

/* Of an array of all kinds. */
#define LOG_KINDS(all) (all), (uint32_t)(sizeof(all) / sizeof(all)[0])

/* ---- rows of usual fields, in braces --------------------------------------------------------- */

/* An integer from `least` to the largest that the kernel knows. */
#define LOG_COUNT(text, holder, member, least)                                    \
    LOG_FIELD(text), LOG_IN(holder, member), .type = LOG_INTEGER, .low = (least), \
                                             .high = PN_INTEGER_MAX
/* The same; `otherwise` where the field is missing. */
#define LOG_COUNT_OR(text, holder, member, least, otherwise) \
    LOG_COUNT(text, holder, member, least), .optional = 1, .missing = (otherwise)
/* An integer of 32 bits; one from 1 that is stored from 0. */
#define LOG_SMALL(text, holder, member) \
    LOG_FIELD(text), LOG_IN(holder, member), .type = LOG_INTEGER, .high = UINT32_MAX
#define LOG_FROM_1(text, holder, member) \
    LOG_FIELD(text), LOG_IN(holder, member), .type = LOG_ORDINAL, .low = 1, .high = UINT32_MAX
#define LOG_REAL(text, holder, member) LOG_FIELD(text), LOG_IN(holder, member), .type = LOG_NUMBER
/* {"finish":true}; what all last lines end with. */
#define LOG_YES(text)  LOG_FIELD(text), .type = LOG_TRUE
#define LOG_ENDS(last) LOG_FIELD("digest"), LOG_IN(last, digest), .type = LOG_DIGEST

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct log_value {
    uint64_t number;  /* of tasks the first; of "p/q" p */
    uint64_t other;   /* of tasks how many; of "p/q" q, of an integer 1 */
    double real;      /* of LOG_NUMBER */
    const char *text; /* in the line: of LOG_NUMBER, LOG_EXACT without quotes, and arrays */
    size_t size;
    uint8_t is_there, is_integer;
} log_value;

/* A line, read. */
typedef struct log_event {
    uint32_t number; /* of the kind */
    const log_kind *kind;
    log_value values[LOG_FIELDS_MAX]; /* in the order of the kind's fields */
    char fault[LOG_FAULT_SIZE];
} log_event;

/* Which lines are asked for. */
typedef struct log_filter {
    uint32_t kinds; /* bits by number; 0: all */
    uint64_t job;   /* 0: of any job, and of none */
} log_filter;

/* Reads a line of `size` bytes, which a null ends. 1; 0 when the filter (null: none) does not ask
 * for it; -1 with event->fault, which begins behind "FILE:LINE: ". O(size). */
int log_read(log_event *event, const log_kinds *kinds, const char *line, size_t size,
             const log_filter *filter);
/* Stores the values in the members of a struct; others keep what they have. */
void log_store(const log_event *event, void *members);
/* Reads a vector: where it ends, or null; O(size). */
const char *log_read_vector(const char *at, uint64_t *numbers, uint32_t most, uint32_t *count);

#endif
