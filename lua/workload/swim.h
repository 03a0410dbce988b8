/* SWIM traces as jobs: what the models share. */
#ifndef PINION_WORKLOAD_SWIM_H
#define PINION_WORKLOAD_SWIM_H

#include "base/gz_lines.h"
#include "source.h"

typedef struct swim_mapping {
    uint64_t slot_seconds, unit, reduce_bytes, scale_num, scale_den; /* each >= 1 */
    uint64_t machines;
} swim_mapping;

typedef struct swim_summary {
    uint64_t rows, map_only, all_zero, no_input, expanding, no_output;
    uint64_t map_input_bytes, shuffle_bytes, output_bytes;
    /* of stations, bytes per second; 0 when there are none, and in models without stations */
    double map_rate, shuffle_rate;
} swim_summary;

#define SWIM_MESSAGE_SIZE 512

/* ---- for the models -------------------------------------------------------------------------- */

enum { SWIM_FIELDS = 6 };

/* How a row becomes a job of the table: 1, also where it becomes none, or -1 with a message. */
typedef int swim_add_row(gz_lines *reader, const void *how, source *table,
                         const uint64_t values[SWIM_FIELDS]);

/* Returns -1, with that memory is short as the message. */
int swim_out_of_memory(gz_lines *reader);
/* Computes scale * bytes / size, rounded up or to the nearest (halves up), at most PN_INTEGER_MAX;
 * 0 when it does not fit. The product of divisors was checked. */
int swim_scaled(const swim_mapping *mapping, uint64_t bytes, uint64_t size, int up,
                uint64_t *result);
/* Returns whether the divisors of swim_scaled fit together; 0 with a message. */
int swim_check_scale(gz_lines *reader, const swim_mapping *mapping);
/* Returns reduce tasks of a job that shuffles. A number of tasks that does not even fit is over the
 * cap. */
uint64_t swim_reduce_tasks(const swim_mapping *mapping, uint64_t shuffle, uint64_t output,
                           uint64_t cap);
/* Reads all rows into the table: 0, or -1 with a message; the reader is closed. */
int swim_read_file(gz_lines *reader, swim_add_row *add, const void *how, source *table,
                   swim_summary *summary);
/* Reads rows from `first` on; no job is an error. 1, or 0 with a message. */
int swim_read_part(gz_lines *reader, swim_add_row *add, const void *how, uint64_t first,
                   source *table, swim_summary *summary);

#endif
