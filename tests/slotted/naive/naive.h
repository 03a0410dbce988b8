/* A slow and obvious reference model of the slotted MapReduce scheduler. It rescans and re-sorts
 * everything in every slot and keeps no state that the rules do not name, so that it can judge a
 * fast implementation. Comments cite the rules of the specification: SL1-SL28, and SL30-SL33 and
 * SL36 for wrong size estimates. */
#ifndef NAIVE_SLOTTED_H
#define NAIVE_SLOTTED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct naive_job {
    int64_t arrival, maps; /* true sizes */
    const int64_t *reduces;
    int reduce_count;
    /* What a scheduler believes: total map units and total reduce units; equal to the truth when
     * exact. */
    int64_t estimate_maps, estimate_reduces;
} naive_job;

typedef struct naive_times {
    int64_t map_finish, finish;
} naive_times;

enum naive_kind { NAIVE_MAP = 1, NAIVE_REDUCE = 2, NAIVE_START = 3, NAIVE_FINISH = 4 };

/* Jobs count from 1. NAIVE_MAP: amount map units run in this slot. NAIVE_REDUCE: preemptive reduce
 * units run in this slot; policy srpt uses it in both modes, because its reduces are preemptive in
 * both (SL10). NAIVE_START: the number of non-preemptive reduce tasks started in this slot (running
 * tasks are not repeated in later slots). NAIVE_FINISH: amount 0, in the slot of the job's last
 * unit. There is at most one call per (slot, kind, job), and none with an amount of 0 for the other
 * three kinds. Slots ascend; within a slot the order means nothing. */
typedef void naive_decision(void *user, int64_t slot, int kind, int64_t job, int64_t amount);

typedef struct naive_slotted_config {
    int64_t machines;
    bool nonpreemptive;
    const char *policy;          /* the name of a built-in one, or "served" (support/served.h) */
    int64_t params[4];           /* of the policy, in its order */
    int64_t *saturated;          /* receives the number of saturated slots (SL35); may be NULL */
    naive_decision *on_decision; /* may be NULL */
    void *user;
} naive_slotted_config;

/* The jobs are already sorted by arrival, and a job's index is its id (SL1). Returns the total flow
 * time, or -1 if the policy is unknown or not defined in this mode (SL17), or if a job has no work
 * at all (SL3). */
int64_t naive_slotted_run(const naive_slotted_config *config, const naive_job *jobs, int job_count,
                          naive_times *times);

/* LB2 by its first definition: for each t one SRPT run over the jobs with e_i <= t (section 7). */
int64_t naive_slotted_lb2(int64_t machines, bool nonpreemptive, const naive_job *jobs,
                          int job_count);

/* The optimum over all feasible schedules of a tiny instance, idling allowed, by exhaustive search
 * with memoisation; -1 when the search passes its limit on states or transitions. */
int64_t naive_slotted_optimum(int64_t machines, bool nonpreemptive, const naive_job *jobs,
                              int job_count);

#endif
