/* SWIM traces as jobs of every model. */
#ifndef PINION_SWIM_H
#define PINION_SWIM_H

#include "source.h"

typedef struct swim_mapping {
    uint64_t slot_seconds, unit, reduce_bytes, scale_num, scale_den; /* each >= 1 */
    uint64_t machines;
} swim_mapping;

/* For the tandem model: the stations' rates are such that all bytes take each station this share of
 * `span` seconds. */
typedef struct swim_loads {
    double map, shuffle, span; /* > 0 */
    int drop_zero;             /* 1: no job for rows that neither read nor shuffle */
    /* 1: the cube root of shuffle / map in its place, times what keeps the sum (Fig. 7b) */
    int balance;
} swim_loads;

/* For the makespan model: mapping.slot_seconds and mapping.machines mean nothing. */
typedef struct swim_speed {
    uint64_t start; /* seconds of each task, whatever its bytes; at most 2^30 */
    uint64_t rate;  /* bytes per second, >= 1 */
} swim_speed;

typedef struct swim_batch {
    swim_mapping mapping;
    uint64_t tasks_most; /* reduce tasks of a job, 1..2^31 */
    swim_speed map, reduce;
    uint64_t first, jobs; /* so many rows from this one on, from 1 */
} swim_batch;

/* For the cluster model: likewise. */
typedef struct swim_cluster {
    swim_mapping mapping;
    uint64_t tasks_most;                               /* reduce tasks of a job, 1..2^24 */
    uint64_t map_start_ms, reduce_start_ms, remote_ms; /* at most 2^40 */
    uint64_t map_rate, shuffle_rate, write_rate;       /* bytes per second, >= 1 */
    uint64_t first, jobs;                              /* so many rows from this one on, from 1 */
} swim_cluster;

typedef struct swim_summary {
    uint64_t rows, map_only, all_zero, no_input, expanding, no_output;
    uint64_t map_input_bytes, shuffle_bytes, output_bytes;
    double map_rate, shuffle_rate; /* tandem: bytes per second; 0 when there are none */
} swim_summary;

#define SWIM_MESSAGE_SIZE 512

/* Reads a whole trace into `table`. 1, or 0 with a message. */
int swim_read(const char *path, const swim_mapping *mapping, source *table, swim_summary *summary,
              char message[SWIM_MESSAGE_SIZE]);
int swim_read_batch(const char *path, const swim_batch *batch, source *table, swim_summary *summary,
                    char message[SWIM_MESSAGE_SIZE]);
int swim_read_cluster(const char *path, const swim_cluster *cluster, source *table,
                      swim_summary *summary, char message[SWIM_MESSAGE_SIZE]);
int swim_read_tandem(const char *path, const swim_loads *loads, source *table,
                     swim_summary *summary, char message[SWIM_MESSAGE_SIZE]);

#endif
