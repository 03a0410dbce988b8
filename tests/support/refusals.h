/* What the checkers say of logs that no run writes. While they are wanted, the instances of each
 * model hand over the log of each checked run with its claim; every number and every entry may then
 * be changed, one at a time, and a checker judges the result. */
#ifndef REFUSALS_H
#define REFUSALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a number may be changed. Of what counts the entries of a list only to a smaller one. */
enum { REFUSALS_WHOLE = 1, REFUSALS_LESSER, REFUSALS_REAL };

/* A number of a row; kind 0 ends a list of them. */
typedef struct refusals_field {
    size_t offset, width;
    int kind;
} refusals_field;

#define REFUSALS_FIELD(kind, type, name)                               \
    {                                                                  \
        offsetof(type, name), sizeof((type *)0)->name, REFUSALS_##kind \
    }

typedef struct refusals_table {
    const void *rows; /* of memory that may be written */
    size_t size;      /* bytes of a row */
    size_t count;
    const refusals_field *fields;
} refusals_table;

typedef struct refusals_verdict {
    size_t size; /* of the checker */
    int status;
    const char *fault;
    uint64_t time, id;
} refusals_verdict;

enum { REFUSALS_TABLES = 8 };

/* A log, and what else is changed; tables of 0 rows end the list. */
typedef struct refusals_case {
    refusals_table log, tables[REFUSALS_TABLES];
    const void *claim;
    bool stops; /* the run was stopped at the time of the entry behind the log's last one */
    /* Judges the log by the claim. */
    refusals_verdict (*judge)(const struct refusals_case *of);
} refusals_case;

typedef struct refusals {
    uint64_t tried, refused;
    uint64_t verdicts; /* a hash; PN_MIX_START at first */
    uint64_t drawn;    /* numbers from which changes follow */
} refusals;

/* Begins to judge, or, with null, ends it. */
void refusals_want(refusals *by);
bool refusals_wanted(void);

/* Adds a row to a table, while refusals are wanted; the rows are freed by free. */
void refusals_keep(refusals_table *table, const void *row);

/* Memory for a checker of so many bytes; null where it is 0, as it refuses the claim, or very
 * many. */
void *refusals_block(size_t size);

/* Judges a case, as it is and changed in some ways. */
void refusals_judge(refusals_case *of);

#endif
