/* What the parts of the naive cluster share: its state. One part is the cluster with its events,
 * the others are the policies. */
#ifndef NAIVE_CLUSTER_MODEL_H
#define NAIVE_CLUSTER_MODEL_H

#include "naive.h"

__extension__ typedef __int128 wide; /* for products that pass 2^63 */

#define NEVER UINT64_MAX

enum { MAP = 0, REDUCE = 1 };
/* absent: of a second attempt that is not */
enum { PENDING, RUNNING, DONE, SUSPENDED, ABSENT, STATES };

/* A task with its attempt; or the second attempt of one, which lies so many places behind it as
 * there are tasks. */
typedef struct task {
    int state;
    uint32_t attempt; /* its number */
    uint32_t used;    /* numbers that attempts of the task have had */
    uint32_t failures;
    uint32_t node;        /* running, suspended, done: its node */
    uint32_t slot;        /* running: of that node and its kind */
    uint64_t start, end;  /* of its last attempt, CL35; end once it is done */
    uint64_t in_slot;     /* running: it holds its slot since */
    uint64_t since;       /* suspended: since */
    wide progress;        /* at its last suspension (CL34) */
    uint32_t suspensions; /* so far */
    uint64_t works;       /* running: from then on, CL44 and CL46 */
    uint64_t paid;        /* for how long it has not worked since its start */
    bool copy;            /* it was launched as a second attempt */
    bool local;           /* map: launched where its input is */
    uint64_t work;        /* map: its duration; reduce: rd of CL11 */
    uint64_t shuffle_end; /* reduce; NEVER while it waits for F */
    uint32_t outputs;     /* reduce: h of CL11, as of when the shuffle's end was fixed */
    uint64_t ends;        /* when the attempt ends or fails; NEVER while it waits for F */
    bool fails;           /* CL27 */
} task;

typedef struct job {
    const pn_cluster_job *given;
    uint32_t index; /* from 0, as in CL8 */
    bool arrived;
    uint32_t state; /* enum pn_scheduler_state */
    uint32_t count[2];
    task *tasks[2];
    uint32_t in_state[2][STATES]; /* how many of the tasks, with second attempts, are which */
    uint32_t **replicas;          /* of each map */
    uint32_t *replica_count;
    uint64_t map_finish; /* F; NEVER = undefined */
    uint64_t first_start[2], finish;
    uint64_t kills, slot_ms;
    uint64_t suspensions, copies, copies_won;
    wide deficit[2];     /* CL15 */
    uint64_t skip_since; /* CL16; NEVER = unset */
    wide average[2];     /* CL17 */
    wide remaining;      /* RT */
    wide share[2];       /* CL18 */
    /* Policies that admit jobs. */
    wide est[2];         /* CL20, with est_extra_ms */
    uint64_t longest[2]; /* that an attempt worked which ended well */
    wide *slots_at[2];   /* T of CL22-CL25: when each slot is available, in any order */
    wide finish_at;      /* e; of rtmr and rtmr-live */
    uint64_t promise;    /* e when it was taken or refused; NEVER = none */
    bool late;           /* CL32 */
    wide latest_reduces; /* dc: s_r^max */
    wide fewest_maps;    /* dc: n_m^min */
} job;

typedef struct slot {
    bool used;
    uint64_t saves; /* until then, CL46 */
} slot;

typedef struct node_state {
    uint32_t slots[2], speed;
    bool up;
    uint32_t running[2];
    slot *slot[2];
} node_state;

enum policy { FIFO, FAIR, PU, PUP, PR, PRP, RTMR, LIVE, DC };

typedef struct model {
    const naive_cluster_scenario *scenario;
    naive_cluster_result *result;
    enum policy policy;
    node_state *nodes;
    uint32_t node_count;
    wide slots[2]; /* of all nodes, up or down */
    job *jobs;
    uint32_t job_count;
    job **order; /* room to sort jobs in */
    /* O of CL21: all accepted jobs, also those that are over; dc: in the order of dispatch */
    job **taken;
    uint32_t taken_count;
    wide extra[2]; /* est_extra_ms */
    /* learnt: c_m^max, c_r^max, rho, in millionths; 0 = nothing yet */
    wide map_cost, reduce_cost, expansion;
    /* an attempt has taken longer than estimated since the last estimates */
    bool overrun;
    uint64_t fired;     /* feedback */
    uint64_t saturated; /* ms (CL43) */
    uint64_t now;
    uint64_t from; /* no instant before this time is left */
} model;

/* CL41 */
static inline wide naive_weight(const job *j)
{
    return j->given->weight > 0 ? j->given->weight : 1;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

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
    return a == 0 ? 0 : (a + b - 1) / b;
}

/* ---- building and recording ---- */

void *naive_zeroed(size_t count, size_t size);
uint64_t naive_mix(size_t count, const uint64_t *words); /* CL8 */
void naive_build(model *m);
void naive_destroy(model *m);

void naive_log_node(model *m, uint32_t event, uint32_t n);
void naive_log_job(model *m, uint32_t event, const job *j);
/* accepted, rejected, late */
void naive_log_prospect(model *m, uint32_t event, const job *j, uint64_t estimate);
void naive_log_task(model *m, uint32_t event, const job *j, int kind, uint32_t index);
void naive_conclude(const model *m);
uint64_t naive_total_bound(const model *m); /* CL45 */

/* ---- the cluster, as policies see it ---- */

bool naive_is_active(const job *j);
/* CL42: whether one more attempt of the kind may be in a slot when so many more already are */
bool naive_may_run(const model *m, const job *j, int kind, uint32_t more);
/* pending tasks that may start */
uint32_t naive_ready(const model *m, const job *j, int kind);
uint32_t naive_free(const model *m, const node_state *n, int kind); /* slots */
wide naive_all_free(const model *m, int kind);
bool naive_holds_input(const job *j, uint32_t map, uint32_t node); /* a replica is there */
uint64_t naive_shuffle_ms(const job *j, uint32_t index);

/* The attempt is given up: the task is pending again, unless it has another one. */
void naive_give_up(model *m, job *j, int kind, uint32_t index, uint32_t event);

/* ---- suspended and second attempts ---- */

/* The task of an attempt. */
static inline uint32_t task_of(const job *j, int kind, uint32_t index)
{
    return index % j->count[kind];
}

/* Whether the task has two. */
static inline bool has_copy(const job *j, int kind, uint32_t index)
{
    return j->tasks[kind][task_of(j, kind, index) + j->count[kind]].state == RUNNING;
}

/* Until when the attempt was in a slot. */
static inline uint64_t held_until(const model *m, const task *t)
{
    return t->state == SUSPENDED ? t->since : m->now;
}

/* How long it has worked: until it works again, no more work is done. */
static inline uint64_t worked(const model *m, const task *t)
{
    uint64_t until = held_until(m, t);
    return (until > t->works ? until : t->works) - (t->start + t->paid);
}

void naive_suspend(model *m, job *j, int kind, uint32_t index);
wide naive_progress(const model *m, const job *j, int kind, uint32_t index); /* CL12, CL34 */
/* The suspended task that resumes when the job gets a slot of the node; UINT32_MAX = none. */
uint32_t naive_suspended_on(const job *j, int kind, uint32_t node);
/* Whether the job has anything for a slot of the node. */
bool naive_has_task_for(const model *m, const job *j, int kind, uint32_t node);

/* ---- the policies ---- */

wide naive_need(const model *m, const job *j, int kind); /* CL15 */
uint32_t naive_sort_jobs(model *m, int kind);            /* the jobs in the system, into m->order */
bool naive_is_hsrtf(const model *m);
bool naive_has_shares(const model *m);
bool naive_has_ticks(const model *m);
bool naive_find_policy(model *m);
void naive_elapse(model *m, uint64_t ms); /* before what happens now */
void naive_on_arrival(model *m, job *j);
void naive_on_tick(model *m);
void naive_on_end_of_job(model *m, job *j);
job *naive_pick(model *m, uint32_t node, int kind); /* null = nobody */
uint64_t naive_next_wake(const model *m);

/* ---- the policies that admit jobs ---- */

bool naive_admits(const model *m);
void naive_prepare_deadlines(model *m);
/* sets its promise; if so, it has its place in the order */
bool naive_is_taken(model *m, job *j);
bool naive_is_restrained(const model *m, const job *j, int kind); /* dc holds it back */
job *naive_pick_in_order(model *m, int kind);                     /* null = nobody */
uint64_t naive_next_opening(const model *m);                      /* dc, srmax */
void naive_learn(model *m, const job *j);                         /* of a job that has finished */
bool naive_comes_true(const job *j, wide estimate);               /* by its deadline */
bool naive_rtmr_takes(model *m, uint32_t place); /* the job at this place of the order (CL23) */
void naive_feed_back(model *m, job *j);          /* CL25 */
bool naive_live_takes(model *m, uint32_t place); /* CL31 */
bool naive_overruns(const model *m, const job *j, int kind, uint32_t index);
void naive_look_again(model *m); /* CL32 */

#endif
