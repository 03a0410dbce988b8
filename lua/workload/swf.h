/* Traces in the Standard Workload Format: what the models share. */
#ifndef PINION_WORKLOAD_SWF_H
#define PINION_WORKLOAD_SWF_H

#include "base/gz_lines.h"
#include "source.h"

#define SWF_FIELDS     18
#define SWF_GROUPS_MAX 4096

/* Which jobs are taken by their status: the bit of each. Field 11 is -1 where nothing is known. */
#define SWF_STATUS_BIT(status) (1u << ((status) + 1))
#define SWF_STATUS_OTHER       (1u << 31) /* more than 5 */

typedef struct swf_part {
    const char *path;
    int64_t shift_ms; /* what its times of submission are counted from, after the first part's */
} swf_part;

typedef struct swf_request {
    const swf_part *parts; /* at least one */
    size_t part_count;
    uint64_t first, jobs; /* so many rows from this one on, from 1 */
    uint32_t statuses;
    int group_field; /* 1..SWF_FIELDS, or 0: no groups */
    int attribute_fields[PN_ATTRIBUTES_MAX];
    uint32_t attribute_count;
} swf_request;

typedef struct swf_job {
    uint64_t submit_ms, run_ms, asked_ms; /* asked_ms 0: not given */
    int64_t group;                        /* the value of its field; -1: not given */
    uint32_t processors;
    uint32_t place; /* of its attributes */
} swf_job;

typedef struct swf_summary {
    uint64_t rows, executions, other_status, unplaced, no_run, no_processors; /* left out */
    uint64_t requested;    /* jobs whose processors are those that they asked for */
    uint64_t unsorted;     /* jobs submitted before the one above */
    uint64_t processor_ms; /* of all jobs taken */
} swf_summary;

typedef struct swf_trace {
    swf_job *jobs; /* by submission, ties as in the file */
    size_t count, room;
    double *attributes; /* attribute_count for each job, by place */
    size_t attribute_room, attribute_count;
    int64_t *groups; /* values of the groups' field, ascending */
    size_t group_count;
    swf_summary summary;
} swf_trace;

/* Reads the parts into an empty trace. 1, or 0 with a message; swf_free is called after both. */
int swf_read(const swf_request *request, swf_trace *trace, char message[GZ_MESSAGE_SIZE]);
void swf_free(swf_trace *trace);
/* Returns the number of a job's group, from 0. */
uint32_t swf_group(const swf_trace *trace, const swf_job *job);
/* Gives a table of the trace's jobs these names and the jobs' attributes; 0 when memory is
 * short. */
int swf_carry(const swf_trace *trace, source *table, const char *const *attributes,
              const char *const *groups);

#endif
