/* What the checkers say of logs that no run writes. While verdicts are collected, each model hands
 * over the log of each checked run of an instance, with its claim. Some numbers and entries of both
 * are changed, one at a time, and a checker judges the result. */
#ifndef REFUSALS_H
#define REFUSALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What kind a number is. LESSER: it counts the entries of a list, and only decreases. */
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

/* Collects verdicts from now on; null: no more. */
void refusals_collect(refusals *to);
bool refusals_collecting(void);

/* Adds a row to a table while verdicts are collected; the host frees the rows by free. */
void refusals_keep(refusals_table *table, const void *row);

/* Returns memory for a checker; null if the size is 0 (the claim is refused) or large. */
void *refusals_block(size_t size);

/* Judges a case, as it is and changed in some ways. */
void refusals_judge(refusals_case *of);

/* Defines `judge` of a model: feeds the entries until one is refused, and ends by `end_log`. Its
 * claim is the first field of struct claim; TIME has 8 bytes. */
#define REFUSALS_JUDGE(MODEL, ENTRY, FEED, TIME)                                                 \
    static refusals_verdict judge(const refusals_case *of)                                       \
    {                                                                                            \
        const claim *told = of->claim;                                                           \
        const ENTRY *entry = of->log.rows;                                                       \
        TIME time = 0;                                                                           \
        pn_##MODEL##_verifier *it = NULL;                                                        \
        refusals_verdict verdict = {.size = pn_##MODEL##_verifier_size(&told->claim),            \
                                    .status = PN_ERR_SIZE,                                       \
                                    .fault = "claim"};                                           \
        void *block = refusals_block(verdict.size);                                              \
        if (block)                                                                               \
            verdict.status = pn_##MODEL##_verifier_init(&it, block, verdict.size, &told->claim); \
        if (verdict.status == PN_OK) {                                                           \
            for (size_t i = 0; i < of->log.count && verdict.status == PN_OK; i++)                \
                verdict.status = FEED(it, &entry[i]);                                            \
            verdict.status = end_log(it, of);                                                    \
            verdict.fault = pn_##MODEL##_verifier_fault(it, &time, &verdict.id);                 \
            memcpy(&verdict.time, &time, sizeof verdict.time);                                   \
        }                                                                                        \
        free(block);                                                                             \
        return verdict;                                                                          \
    }

#endif
