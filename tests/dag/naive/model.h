/* What the parts of the naive dag model share: its state. What follows from other state is not kept
 * but looked up again (naive_dag_look), with the exception of counters of tasks. */
#ifndef NAIVE_DAG_MODEL_H
#define NAIVE_DAG_MODEL_H

#include "naive.h"

__extension__ typedef __int128 wide; /* for products that pass 2^63 */

#define NEVER NAIVE_DAG_NEVER

enum { R = NAIVE_DAG_RESOURCES };
#define NOWHERE UINT32_MAX

#define PPB      ((wide)1000000000)
#define TRILLION ((wide)1000000000000)

enum state { PENDING, RUNNING, DONE, STATES };

typedef struct task {
    enum state state;
    uint32_t attempt;
} task;

typedef struct stage {
    const naive_dag_stage *given;
    uint32_t index;
    wide estimate;           /* e of DG6 */
    wide sigma, omega, down; /* DG8 */
    task *tasks;
    uint32_t in_state[STATES]; /* how many of the tasks are pending, running, done */
    uint64_t ready, start, finish;
    bool passed_over; /* in this dispatch */
} stage;

typedef struct job {
    const naive_dag_job *given;
    uint32_t id, file, queue; /* file: the position there; queue: index */
    stage *stages;
    uint32_t stage_count;
    bool arrived;
    uint64_t first_start, finish;
    uint32_t kills, lost;
    wide served;    /* DG25: of the attempts that have ended */
    wide tag;       /* DG24: F */
    bool is_served; /* DG24: it is one of the virtual jobs */
    wide use[R];    /* by its running tasks; looked up */
    uint32_t running;
    uint32_t executors; /* looked up */
} job;

typedef struct queue {
    naive_dag_queue given;
    uint32_t index, label;
    wide use[R]; /* by its jobs' running tasks; looked up */
    uint32_t running;
} queue;

typedef struct node {
    const naive_dag_nodes *given;
    bool up;
    wide free[R]; /* whether it is up or not; looked up */
    job *owner;   /* DG35; null = none */
    stage *served;
    uint64_t arrives; /* DG36 */
    bool fresh;
    bool busy; /* looked up */
} node;

typedef struct attempt {
    job *job;
    stage *stage;
    uint32_t task, node;
    uint64_t start, ends; /* ends: unless it is killed or lost */
} attempt;

typedef struct key {
    wide part[4]; /* of the job, smaller first, the first part counts most */
} key;

typedef struct pair {
    job *job;
    stage *stage;
    key key;
    wide stage_key;         /* DG11 */
    wide alignment, volume; /* DG23: a and p; tetris only */
} pair;

enum policy { FIFO, FAIR, DRF, CAPACITY, SJF_CP, CP, SRPT, WFAIR, TETRIS, HFSP, LAS, POLICIES };

typedef struct model {
    const naive_dag_scenario *scenario;
    const naive_dag_params *params;
    naive_dag_result *result; /* null when nothing is run */
    enum policy policy;
    uint32_t resources;
    node *nodes;
    uint32_t node_count;
    wide cap[R], largest[R]; /* Cap_r and M_r of DG2 */
    queue *queues;
    uint32_t queue_count;
    job *jobs;
    uint32_t job_count;
    attempt *running;
    size_t running_count, running_room;
    pair *pairs;          /* room for all that can be offered at once */
    wide virtual_time;    /* DG24: V */
    uint64_t virtual_now; /* DG24: vt */
    uint64_t now;
    uint64_t from;      /* no instant before this time is left */
    uint64_t saturated; /* ms (DG34) */
    bool stirred;       /* an event or a launch came since the last tick */
} model;

static inline wide wide_least(wide a, wide b)
{
    return a < b ? a : b;
}

static inline wide wide_most(wide a, wide b)
{
    return a > b ? a : b;
}

static inline wide wide_divide_up(wide a, wide b)
{
    return (a + b - 1) / b; /* a >= 0 */
}

/* ---- building ---- */

void *naive_dag_zeroed(size_t count, size_t size);
/* Memory for one more than `count` things, moved when the room is too small. */
void *naive_dag_grown(void *memory, size_t count, size_t *room, size_t size);
bool naive_dag_find_policy(const char *name, enum policy *policy);
void naive_dag_build(model *m, const naive_dag_scenario *scenario);
void naive_dag_destroy(model *m);

/* ---- reading what is given, or follows from it ---- */

wide naive_dag_length(const model *m, const job *j, const stage *s, uint32_t task,
                      uint32_t speed);                               /* DG5 */
bool naive_dag_holds(const model *m, const node *n, const stage *s); /* by its capacity */
wide naive_dag_work(const job *j);                                   /* DG8: W_j */
wide naive_dag_volume(const job *j);                                 /* DG8: P_j */
wide naive_dag_left_work(const job *j);                              /* DG8: left_W */
wide naive_dag_left_volume(const job *j);                            /* DG8: left_P */
bool naive_dag_is_over(const job *j);                                /* all stages are finished */

/* ---- what is running ---- */

/* Free room, use and numbers of running tasks, of nodes, queues and jobs. */
void naive_dag_look(model *m);
bool naive_dag_fits(const model *m, const node *n, const stage *s); /* alive, and now */
void naive_dag_launch(model *m, job *j, stage *s, uint32_t node);   /* the lowest pending task */
/* The attempt at this place of `running` ends, and is taken from there. */
void naive_dag_end(model *m, size_t place, enum naive_dag_outcome outcome);

/* ---- decisions ---- */

wide naive_dag_share(const model *m, const wide *use, wide weight);
key naive_dag_key(const model *m, const job *j);
key naive_dag_queue_key(const model *m, const queue *q); /* DG17 */
int naive_dag_compare_keys(const key *a, const key *b);
bool naive_dag_is_present(const job *j); /* it has arrived and is not finished */
bool naive_dag_is_offered(const model *m, const job *j, const stage *s);
wide naive_dag_stage_key(const model *m, const stage *s);                     /* DG11 */
bool naive_dag_is_over_maximum(const model *m, const job *j, const stage *s); /* DG17 */
void naive_dag_dispatch(model *m);
void naive_dag_dispatch_tetris(model *m); /* DG23 */
enum naive_dag_executors naive_dag_executors_of(const model *m);
void naive_dag_dispatch_sticky(model *m);                         /* DG35 */
void naive_dag_move(model *m, uint32_t node, job *j);             /* DG35 */
uint64_t naive_dag_delay(model *m, job *j, stage *s, uint32_t n); /* DG36: of a launch now */
void naive_dag_preempt(model *m);                                 /* DG18 */
void naive_dag_enter(model *m, job *j);                           /* DG24, at its arrival */

/* ---- results ---- */

void naive_dag_tell(model *m, naive_dag_event event); /* at this time */
void naive_dag_keep(model *m, const attempt *a, enum naive_dag_outcome outcome);
void naive_dag_conclude(model *m);
wide naive_dag_longest_path(const model *m, const job *j);            /* DG28: cp_j */
wide naive_dag_area(const model *m, const job *j, uint32_t resource); /* DG28; 2^62 when larger */
wide naive_dag_alone(const model *m, const job *j);                   /* DG28 */
wide naive_dag_makespan_bound(const model *m);                        /* DG28 */
wide naive_dag_total_bound(const model *m);                           /* DG28 */

#endif
