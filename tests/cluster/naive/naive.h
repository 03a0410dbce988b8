/* A slow and obvious second cluster model, written from the rules alone. Plain arrays; an instant
 * is found by looking at all that may happen, every heartbeat is executed, every choice looks at
 * every task. It shares the structs of the public header with the kernel and none of its code, so
 * that it can judge it. Comments cite the rules of docs/models/cluster.md. */
#ifndef NAIVE_CLUSTER_H
#define NAIVE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "pn_cluster.h"

/* Parameters of the policies that admit jobs; false is each one's default, but for feedback. */
typedef struct naive_cluster_deadlines {
    bool by_submission;       /* order: FIFO, else EDF */
    bool feedback;            /* rtmr */
    uint64_t theta_ms;        /* rtmr */
    bool reserve_less;        /* rtmr: reserve gt, else ge */
    bool reserve_strict;      /* rtmr: reserve strict, whatever reserve_less says */
    bool recompute;           /* rtmr: fc_estimate recompute, else recorded */
    bool satu;                /* rtmr: fc_completed satu, else skip */
    bool keep;                /* rtmr: pred keep, else drop */
    bool wait_for_the_latest; /* dc: dc_reduce_start srmax, else asap */
    bool learnt;              /* estimates learnt, else given */
    bool by_speed;            /* learnt: for the slowest node, as if learnt on the fastest */
} naive_cluster_deadlines;

typedef struct naive_cluster_scenario {
    const char *policy;
    bool deficit;                               /* fair: as in CL15, else by running tasks */
    bool colocate, starvation, work_conserving; /* hsrtf */
    bool suspend;                               /* hsrtf-pup, hsrtf-prp: in place of killing */
    /* Slots that no job gets go to second attempts: of all running tasks with one attempt, on
     * another node, that have run so long, the first by job and index (CL37). */
    bool copies;
    uint64_t copy_after_ms;
    naive_cluster_deadlines deadlines; /* rtmr, rtmr-live, dc */
    pn_cluster_config config;          /* its capacities mean nothing here */
    const pn_cluster_job *jobs;        /* by submission; job i has id i + 1 */
    size_t job_count;
    const pn_cluster_failure *failures;
    size_t failure_count;
} naive_cluster_scenario;

typedef struct naive_cluster_result {
    pn_scheduler_event *events; /* as they happened, without their runs */
    size_t event_count, event_room;
    pn_scheduler_record *records; /* of every job, also of those that never came */
    size_t record_count;
    pn_scheduler_totals totals; /* `time` is the last instant's; those of memory are 0 */
    uint64_t unfinished;
    uint64_t digest;
    uint64_t lower_bound; /* CL45 */
} naive_cluster_result;

/* False when there is no such policy. The result is to be freed. */
bool naive_cluster_run(const naive_cluster_scenario *scenario, naive_cluster_result *result);
void naive_cluster_free(naive_cluster_result *result);

/* Sums over the finished jobs of a group, or of all with PN_ALL_GROUPS. */
pn_scheduler_group naive_cluster_group(const naive_cluster_result *result, uint32_t group);

/* The digest of events in any order within their instants. */
uint64_t naive_cluster_digest(const pn_scheduler_event *events, size_t count);

#endif
