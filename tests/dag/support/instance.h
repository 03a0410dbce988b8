/* Random scenarios of the dag model, and running one of them through the kernel with everything
 * watched: events, records, totals, digest, and the checker fed with all of it. Shared by the
 * differential and the vector test. */
#ifndef DAG_INSTANCE_H
#define DAG_INSTANCE_H

#include "dag/naive/naive.h"
#include "pinion.h"
#include "support/refusals.h"

enum {
    DAG_GROUPS = 4,
    DAG_QUEUES = 4,
    DAG_JOBS = 12,
    DAG_STAGES = 24,
    DAG_TASKS = 8,
    DAG_FAILURES = 6
};

/* What a scenario is made of lies beside it, so an instance must not be copied. */
typedef struct dag_instance {
    naive_dag_scenario scenario;
    naive_dag_nodes nodes[DAG_GROUPS];
    naive_dag_queue queues[DAG_QUEUES];
    naive_dag_job jobs[DAG_JOBS];
    naive_dag_stage stages[DAG_JOBS][DAG_STAGES];
    uint32_t parents[DAG_JOBS][DAG_STAGES][DAG_STAGES];
    uint64_t durations[DAG_JOBS][DAG_STAGES][DAG_TASKS];
    naive_dag_failure failures[DAG_FAILURES];
} dag_instance;

/* Mostly small clusters and numbers, so that ties abound; all parameters at random. The policy is
 * yet to be chosen. */
void dag_instance_draw(dag_instance *drawn, pn_stream *stream, uint32_t jobs_most);
/* Leaves out and lessens what it can while the scenario still shows something. */
typedef bool (*dag_sight)(const naive_dag_scenario *scenario, void *user);
void dag_instance_shrink(dag_instance *instance, dag_sight sight, void *user);
void dag_instance_print(const naive_dag_scenario *shown);
void dag_events_print(const naive_dag_result *result);

/* Whoever keeps what the core is told. */
typedef struct dag_listener {
    void (*begin)(void *user, const pn_dag_config *config, const pn_dispatch_policy *policy,
                  const double *params);
    void (*input)(void *user, const pn_dispatch_input *input);
    void *user;
} dag_listener;

/* How to run. */
typedef struct dag_manner {
    bool one_by_one; /* each job is handed over when all instants before its arrival are done */
    bool stepping;   /* an instant per call */
    bool unchecked;  /* without the checker of logs */
    /* Of a run job by job: the tables hold what was held in that run and no more, so that places
     * are used again. */
    const pn_dag_totals *fitting;
    /* the block goes to another address every so many instants; 0 = never */
    uint32_t move_every;
    /* null = the built-in one that the scenario names, with its parameters */
    const pn_dispatch_policy *policy;
    /* of this policy; null = those of the scenario that it has */
    const double *params;
    /* after each move: the policy to go on with; may be null */
    const pn_dispatch_policy *(*relieve)(void *user);
    void *user;
    const dag_listener *listener; /* may be null */
} dag_manner;

typedef struct dag_outcome {
    int status;              /* PN_DONE when all went well */
    naive_dag_result result; /* records, events, queues and totals; to be freed */
    pn_dag_totals totals;
    uint64_t digest;
    char fault[200]; /* what was wrong with the reports, or the checker's word; "" when content */
} dag_outcome;

/* `want`: the naive model's, which knows the order of jobs and their queues. */
void dag_instance_run(const naive_dag_scenario *run, const naive_dag_result *want, dag_manner how,
                      dag_outcome *out);

/* An event, or the row of a job, which is `is_row`; without the pointers of the row. */
typedef struct dag_log_entry {
    uint32_t is_row;
    pn_dispatch_event event;
    pn_dag_record row;
    pn_dispatch_record job;
    pn_dispatch_times stages[DAG_STAGES];
} dag_log_entry;

/* What the checker says of changed logs, see support/refusals.h. */
void dag_refusals(const pn_dag_claim *claim, const refusals_table *log, uint64_t unfinished,
                  const dag_outcome *out);

/* Whether both are the same in everything, down to each event and the digest; if not, `what` says
 * where they differ. Puts those events of both into order whose order the rules leave open. */
bool dag_instance_agree(dag_outcome *got, naive_dag_result *want, char *what, size_t size);

#endif
