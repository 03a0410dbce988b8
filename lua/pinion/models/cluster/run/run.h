/* One run of the cluster model, from a source of jobs to its totals, without Lua. */
#ifndef PINION_CLUSTER_RUN_RUN_H
#define PINION_CLUSTER_RUN_RUN_H

#include "log.h"
#include "run/common.h"
#include "pinion/models/cluster/sources/jobs.h"

/* What a job takes up in the kernel's tables, by table. */
enum cluster_table {
    CLUSTER_JOBS,
    CLUSTER_TASKS,
    CLUSTER_REPLICAS,
    CLUSTER_VALUES,
    CLUSTER_BOUNDS,
    CLUSTER_TABLES
};

/* See run_state. */
typedef struct cluster_run_state {
    run_state shared;
    /* the current capacities; that of jobs is the shared one */
    uint32_t room[CLUSTER_TABLES];
} cluster_run_state;

/* Why jobs are left although nothing can happen any more: the policy gives them none of the slots
 * that are free, or no slot of the kind that they need is up. */
enum cluster_stall {
    CLUSTER_NOT_STALLED,
    CLUSTER_WITHHELD,
    CLUSTER_NO_MAP_SLOT,
    CLUSTER_NO_REDUCE_SLOT,
    CLUSTER_NO_SLOT
};

typedef struct cluster_run {
    run_base run;

    /* The request, beside that of every run. All else is zero. */
    pn_cluster_config config; /* this module sets its capacities */
    const pn_cluster_failure *failures;
    size_t failure_count;
    const pn_scheduler_policy *policy;
    double params[PN_PARAMS_MAX];
    int bounds; /* 1: they are asked for */

    /* The result. */
    pn_cluster_totals totals;
    uint64_t unfinished; /* jobs of the workload that have not ended */
    enum cluster_stall stall;
    uint64_t lower_bound; /* 0: none, or jobs are left */

    /* Private. */
    pn_cluster_hooks hooks;
    cluster_run_state state;
    uint64_t wanted[CLUSTER_TABLES]; /* of the job that did not fit */
    /* attempts that had ended well when one last did, and the others until then */
    uint64_t done, undone;
} cluster_run;

extern const run_model cluster_model;
/* In the order of results: submit, first_map_start, map_finish, first_reduce_start, finish,
 * waiting_time, execution_time, makespan, local_maps, colocated_reduces, kills, slot_ms, state,
 * deadline, deadline_met, promise, estimate. */
extern const row_shape cluster_rows;

#endif
