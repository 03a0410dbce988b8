/* A slow and obvious second dag model, written from the rules alone: plain arrays, every instant is
 * found by looking at all that may happen, every launch looks at every pair of job and stage. It
 * has structs of its own and shares no code with the kernel, so that it can judge it. Comments cite
 * the rules of docs/models/dag.md. */
#ifndef NAIVE_DAG_H
#define NAIVE_DAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAIVE_DAG_NEVER UINT64_MAX

enum { NAIVE_DAG_RESOURCES = 4 };

__extension__ typedef unsigned __int128 naive_dag_wide; /* of sums that may pass 2^64 */

/* ---- what is given ---- */

enum naive_dag_placement { NAIVE_DAG_FIRST, NAIVE_DAG_BEST, NAIVE_DAG_SPREAD };
enum naive_dag_order { NAIVE_DAG_DEPTH, NAIVE_DAG_INDEX, NAIVE_DAG_WORK, NAIVE_DAG_READY };
/* DG35. What sticky ones cannot be of, a policy of queues or nodes, has free ones. */
enum naive_dag_executors { NAIVE_DAG_NONE, NAIVE_DAG_FREE, NAIVE_DAG_STICKY };

typedef struct naive_dag_params {
    enum naive_dag_placement placement;
    enum naive_dag_order order;
    bool backfill;
    bool share_by_queue; /* fair, drf; else by job */
    uint64_t seed;
    uint32_t factor_lo, factor_hi; /* permille */
    uint32_t est_lo, est_hi;       /* permille */
    uint64_t start_ms;
    bool shortest_first; /* cp; else the longest first */
    int32_t alpha_permille;
    uint32_t tetris_m_permille;
    bool preempt;
    uint64_t tick_ms;
    uint32_t max_kills_per_task; /* 0 = no limit */
    uint64_t max_time_ms;        /* 0 = none */
    uint32_t running_most;       /* 0 = no limit */
    enum naive_dag_executors executors;
    uint64_t move_ms, fresh_ms; /* DG36 */
} naive_dag_params;

typedef struct naive_dag_nodes {
    uint32_t count;
    uint64_t capacity[NAIVE_DAG_RESOURCES];
    uint32_t speed; /* permille */
} naive_dag_nodes;

typedef struct naive_dag_queue {
    uint32_t weight, guaranteed, maximum; /* the last two in permille */
} naive_dag_queue;

typedef struct naive_dag_stage {
    uint32_t tasks;
    const uint64_t *durations; /* ms, one per task; null = each takes `duration` */
    uint64_t duration;
    uint64_t demand[NAIVE_DAG_RESOURCES];
    const uint32_t *parents; /* indices of stages of this job */
    uint32_t parent_count;
    uint64_t estimate; /* ms; 0 = none given */
    uint64_t start_ms; /* NEVER = that of the parameters */
} naive_dag_stage;

typedef struct naive_dag_job {
    uint64_t arrival;
    uint32_t weight;
    uint32_t queue;    /* an index of `queues`; a label of any value when there are no `queues` */
    uint64_t deadline; /* relative; NEVER = none */
    int32_t priority;
    const naive_dag_stage *stages;
    uint32_t stage_count;
} naive_dag_job;

typedef struct naive_dag_failure {
    uint64_t time;
    uint32_t node;
    uint64_t recover; /* NEVER = not by this entry */
} naive_dag_failure;

typedef struct naive_dag_scenario {
    const char *policy; /* "fifo", ... */
    naive_dag_params params;
    uint32_t resource_count; /* 1..NAIVE_DAG_RESOURCES */
    const naive_dag_nodes *nodes;
    uint32_t group_count; /* of nodes */
    const naive_dag_queue *queues;
    uint32_t queue_count;      /* 0 = the queues that DG2 makes of the jobs' labels */
    const naive_dag_job *jobs; /* in file order, that is not always by arrival */
    uint32_t job_count;
    const naive_dag_failure *failures;
    uint32_t failure_count;
} naive_dag_scenario;

/* The default of every parameter. */
naive_dag_params naive_dag_defaults(void);

/* The first job, by file position, that DG30 calls too large (P_j, area_j,r, cp_j or alone_j); else
 * job_count. All the other promises of DG30 are the caller's to keep. */
uint32_t naive_dag_too_large(const naive_dag_scenario *scenario);

/* ---- what comes out: ids and indices all count from 0, times that never came are NEVER ---- */

typedef struct naive_dag_stage_record {
    uint64_t ready, start, finish;
} naive_dag_stage_record;

typedef struct naive_dag_record {
    uint32_t given; /* the file position of the job, whose id is the position of this record */
    uint32_t queue; /* index */
    bool finished;
    uint64_t arrival, first_start, finish;
    uint64_t jct, waiting;   /* NEVER where one of their times is */
    uint64_t alone;          /* DG28 */
    naive_dag_wide slowdown; /* permille; 0 when unfinished */
    bool judged, met;        /* judged: has a deadline and is finished; met: in time */
    uint32_t kills, lost;    /* attempts */
    uint32_t stage_count;
    naive_dag_stage_record *stages;
} naive_dag_record;

enum naive_dag_outcome {
    NAIVE_DAG_DONE,
    NAIVE_DAG_KILLED,
    NAIVE_DAG_LOST,
    NAIVE_DAG_RUNNING /* when the run stopped */
};

typedef struct naive_dag_attempt {
    uint32_t job, stage, task, attempt, node;
    uint64_t start, end; /* end: NEVER while running */
    enum naive_dag_outcome outcome;
} naive_dag_attempt;

enum naive_dag_kind {
    NAIVE_DAG_NODE_UP,   /* node */
    NAIVE_DAG_NODE_DOWN, /* node; after the attempts that it loses */
    NAIVE_DAG_END,       /* job, stage, task, attempt, node; so are lose, kill, launch */
    NAIVE_DAG_LOSE,
    NAIVE_DAG_JOB_FINISH, /* job; after the end of its last task */
    NAIVE_DAG_ARRIVE,     /* job */
    NAIVE_DAG_KILL,
    NAIVE_DAG_LAUNCH,
    NAIVE_DAG_MOVE /* job, node */
};

/* Fields that an event has no use for are 0. A node event without effect (DG12) is not told. */
typedef struct naive_dag_event {
    uint64_t time;
    enum naive_dag_kind kind;
    uint32_t job, stage, task, attempt, node;
} naive_dag_event;

typedef struct naive_dag_queue_totals {
    uint32_t label; /* the index in `queues`, or the jobs' label */
    uint32_t jobs, finished;
    naive_dag_wide total_jct;
    naive_dag_wide used[NAIVE_DAG_RESOURCES];
} naive_dag_queue_totals;

typedef struct naive_dag_totals {
    uint32_t jobs, finished;
    naive_dag_wide total_jct;
    uint64_t makespan;
    naive_dag_wide used[NAIVE_DAG_RESOURCES], lost[NAIVE_DAG_RESOURCES];
    uint64_t utilisation[NAIVE_DAG_RESOURCES]; /* permille */
    naive_dag_wide slowdown_sum;               /* permille */
    uint64_t jain;                             /* permille; NEVER without a finished job */
    uint64_t launches, kills, lost_attempts;
    uint64_t saturated_ms;                          /* DG34 */
    naive_dag_wide bound_makespan, bound_total_jct; /* DG28 */
} naive_dag_totals;

typedef struct naive_dag_result {
    naive_dag_record *records; /* of every job by id, also of those that never came */
    uint32_t record_count;
    naive_dag_attempt *attempts; /* by job, stage, task, attempt */
    size_t attempt_count, attempt_room;
    naive_dag_event *events; /* as they happened */
    size_t event_count, event_room;
    naive_dag_queue_totals *queues;
    uint32_t queue_count;
    naive_dag_totals totals;
    uint64_t time; /* of the last instant; 0 when there was none */
} naive_dag_result;

/* False when there is no such policy, and then there is nothing to free. */
bool naive_dag_run(const naive_dag_scenario *scenario, naive_dag_result *result);
void naive_dag_free(naive_dag_result *result);

#endif
