/* One run of the dag model, from a source of jobs to its totals, without Lua. */
#ifndef PINION_DAG_RUN_RUN_H
#define PINION_DAG_RUN_RUN_H

#include "log.h"
#include "run/common.h"
#include "pinion/models/dag/sources/jobs.h"

/* The kernel's tables that a run may outgrow. */
enum dag_table {
    DAG_JOBS,
    DAG_STAGES,
    DAG_EDGES,
    DAG_DURATIONS,
    DAG_ATTEMPTS,
    DAG_CLASSES,
    DAG_BOUNDS,
    DAG_TABLES
};

/* See run_state. */
typedef struct dag_run_state {
    run_state shared;
    /* The current capacities; that of jobs is the shared one. 0 of classes: the kernel's own. */
    uint32_t room[DAG_TABLES];
    uint32_t unused;
} dag_run_state;

/* Why jobs are left although nothing can happen any more. */
enum dag_stall { DAG_NOT_STALLED, DAG_NO_NODE, DAG_NO_ROOM };

typedef struct dag_run {
    run_base run;

    /* The request, beside that of every run. All else is zero. */
    dag_settings settings;    /* this module sets the capacities of tables */
    const uint32_t *queue_of; /* of the settings, by the number that the source's jobs give */
    int bounds;               /* 1: they are asked for */
    const pn_dispatch_policy *policy;
    double params[PN_PARAMS_MAX];

    /* The result. */
    pn_dag_totals totals;
    uint64_t unfinished; /* jobs of the workload that have not finished */
    enum dag_stall stall;

    /* Private. */
    pn_dag_hooks hooks;
    dag_run_state state;
    uint64_t wanted[DAG_TABLES]; /* of the job that did not fit */
    uint64_t *times;             /* of the stages of a job, as its row has them */
    size_t times_room;
    int short_of_memory; /* 1: for a row's list */
    int unbegun;         /* 1: the log has no first line yet */
    /* attempts that had ended well when one last did, and the others until then */
    uint64_t done, undone;
} dag_run;

extern const run_model dag_model;
/* In the order of results: arrival, first_start, finish, jct, waiting, alone, slowdown_permille,
 * deadline, deadline_met, kills, lost, state; and the list "stages" of ready, start, finish. */
extern const row_shape dag_rows;

#endif
