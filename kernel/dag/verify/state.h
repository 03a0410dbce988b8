/* The inside of the dag model's checker, which shares no code with the engine and the core:
 *
 * check.c     entries, and what order they keep to
 * books.c     the checker's own books: what runs where, what is ready, what has to fit
 * executors.c whose executor a node is, and what delays its tasks
 * results.c   rows of jobs and totals
 * claim.c     before the first entry: what the claim says, and room for all that */
#ifndef PN_DAG_VERIFY_H
#define PN_DAG_VERIFY_H

#include "base/arena.h"
#include "base/config.h"
#include "base/wide.h"
#include "pn_dag.h"

#define PN_DAG_CHECK_NONE  UINT32_MAX
#define PN_DAG_CHECK_NEVER PN_DISPATCH_NEVER

enum pn_dag_check_state { PN_DAG_CHECK_PENDING, PN_DAG_CHECK_RUNNING, PN_DAG_CHECK_DONE };

/* What the log has told of one task. */
typedef struct pn_dag_check_task {
    uint64_t start; /* of the attempt that runs */
    uint32_t node;
    uint32_t attempt;
    uint32_t state; /* enum pn_dag_check_state */
    uint32_t unused;
} pn_dag_check_task;

typedef struct pn_dag_check_stage {
    size_t first_task;
    uint64_t ready, start, finish;
    uint32_t job;
    uint32_t first_child, child_count; /* in `children`: stages by their number among all */
    uint32_t waits;                    /* for so many parents */
    uint32_t running, done;
    uint32_t lowest; /* no pending task is below this */
    uint32_t class;
} pn_dag_check_stage;

enum pn_dag_check_stage_of_life {
    PN_DAG_CHECK_TO_COME,
    PN_DAG_CHECK_IN_SYSTEM,
    PN_DAG_CHECK_FINISHED
};

typedef struct pn_dag_check_job {
    uint64_t first_start, finish;
    uint64_t path, alone;
    uint64_t kills, lost;
    uint32_t first_stage;
    uint32_t finished_stages;
    uint32_t running; /* attempts */
    uint32_t life;    /* enum pn_dag_check_stage_of_life */
    uint32_t shown;   /* 1: its row was */
    uint32_t executors;
    uint64_t later; /* tasks of stages that are not ready */
} pn_dag_check_job;

typedef struct pn_dag_check_node {
    uint64_t free[PN_DISPATCH_RESOURCES_MAX];
    uint32_t speed, up;
    uint32_t running;
    uint32_t grown; /* 1: it has more room than before this instant */
    /* as an executor (DG35): its job, and the stage that it served last for it, both + 1 */
    uint32_t owner, served;
    uint64_t arrives; /* at its job (DG36) */
    uint64_t delay;   /* of the attempt that runs: ms before its work begins */
    uint32_t fresh;   /* 1: it has run no task of its job */
    uint32_t unused;
} pn_dag_check_node;

typedef struct pn_dag_check_queue {
    uint64_t use[PN_DISPATCH_RESOURCES_MAX];
    uint32_t shrunk; /* 1: it uses less than before this instant */
    uint32_t unused;
} pn_dag_check_queue;

/* Stages of the same queue with the same demand: what has room for one has room for all. */
typedef struct pn_dag_check_class {
    const uint64_t *demand;
    uint32_t queue;
    uint32_t offered; /* its stages of which a task may start */
    uint32_t fresh;   /* 1: none was before this instant */
    uint32_t listed;  /* 1: it is in waiting */
} pn_dag_check_class;

/* A node fails or recovers, if it is up or down then. */
typedef struct pn_dag_check_fate {
    uint64_t time;
    uint32_t node;
    uint32_t down;
} pn_dag_check_fate;

/* DG3: the order of entries within an instant. */
enum pn_dag_check_phase {
    PN_DAG_PHASE_NODE_UP,
    PN_DAG_PHASE_NODE_DOWN,
    PN_DAG_PHASE_END,
    PN_DAG_PHASE_ARRIVAL,
    PN_DAG_PHASE_DISPATCH
};

struct pn_dag_verifier {
    pn_dag_claim claim;
    pn_dag_config config; /* the claim's, as this version knows it */
    pn_dag_check_node *node;
    pn_dag_check_queue *queue;
    pn_dag_check_job *job;
    pn_dag_check_stage *stage;
    pn_dag_check_task *task;
    pn_dag_check_class *class;
    pn_dag_check_fate *fate;
    uint32_t *children;
    uint32_t *grown;   /* nodes with more room than before this instant */
    uint32_t *waiting; /* classes with offered stages, and some that had some before */
    uint32_t *sorted;  /* scratch while it is set up: stages, in the room of waiting */
    uint32_t node_count, present_count; /* the other nodes have no capacity */
    uint32_t queue_count, stage_count, class_count, resources;
    size_t task_count, edge_count, fate_count, fate_next;
    uint32_t grown_count;
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];

    /* the instant at hand */
    uint64_t time;
    uint64_t time_limit; /* instants from this one on are not executed */
    uint32_t phase;      /* enum pn_dag_check_phase */
    uint64_t last[3];    /* what came last in this phase: job, stage, task, or the node */
    uint32_t closing;    /* the node whose attempts have to be lost now; PN_DAG_CHECK_NONE */
    uint64_t owed;       /* the job that has to finish now; 0 */
    uint32_t eased; /* 1: a queue uses less, or a class was not there, or a node has more room */
    uint32_t waiting_count;

    size_t arrived, finished;
    uint64_t last_finish, launches, kills, lost;
    pn_wide used[PN_DISPATCH_RESOURCES_MAX], wasted[PN_DISPATCH_RESOURCES_MAX];
    pn_wide total_jct, slowdown_sum;
    uint64_t digest, fold, entries;

    const char *fault;
    uint64_t fault_time, fault_id;
};

PN_CLAIMED(dag, priority)

int pn_dag_check_reject(pn_dag_verifier *v, const char *fault, uint64_t time, uint64_t id);

/* claim.c */
/* Returns the ms of a task on a node of this speed (DG5). */
uint64_t pn_dag_check_ms(const pn_dag_verifier *v, uint32_t job, uint32_t stage, uint32_t task,
                         uint64_t speed);

/* executors.c: nodes that belong to jobs (DG35, DG36) */
static inline bool pn_dag_check_sticky(const pn_dag_verifier *v)
{
    return v->config.dispatch.executors == PN_DISPATCH_EXECUTORS_STICKY;
}
/* Notes that the node is down: it belongs to no job. */
void pn_dag_check_executor_leaves(pn_dag_verifier *v, uint32_t node);
/* Returns what is wrong with a launch there, or null; notes the launch. */
const char *pn_dag_check_executor_fault(const pn_dag_verifier *v, const pn_dispatch_event *e,
                                        uint32_t stage);
void pn_dag_check_executor_serves(pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage);
int pn_dag_check_move(pn_dag_verifier *v, const pn_dispatch_event *e);
/* Returns whether an executor is idle that no job can use, or whose job offers a task. */
bool pn_dag_check_is_one_free(const pn_dag_verifier *v);

/* books.c: entries that are in order are entered */
static inline const pn_dag_stage *pn_dag_check_given(const pn_dag_verifier *v, uint32_t stage)
{
    const pn_dag_check_stage *entry = &v->stage[stage];
    return &pn_dag_claimed(&v->claim, entry->job)->stages[stage - v->job[entry->job].first_stage];
}
uint32_t pn_dag_check_pending(const pn_dag_verifier *v, uint32_t stage);
/* Returns whether so many tasks of the job run that no other one may start (DG33). */
bool pn_dag_check_full(const pn_dag_verifier *v, const pn_dag_check_job *job);
void pn_dag_check_open(pn_dag_verifier *v, uint32_t stage);
int pn_dag_check_launch(pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage);
int pn_dag_check_end(pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage);
void pn_dag_check_node_up(pn_dag_verifier *v, uint32_t node);
/* Checks what fits and waits at the end of the instant (C10). */
int pn_dag_check_waiting(pn_dag_verifier *v);

/* results.c */
int pn_dag_check_totals(pn_dag_verifier *v, const pn_dag_totals *totals);

#endif
