/* The inside of the policy `exact`: what the files of this folder share.c share.
 *
 * policy.c   the policy: reads the batch, alternates the two sides of the search, answers; why
 *            that is enough
 * list.c     good schedules to begin with
 * fit.c      what proves that no schedule of a kind meets a deadline
 * walk.c     the walk through all schedules
 *
 * Two views of one batch, the sides: read backwards in time, reduces precede maps, and
 * the rules are the same. On side 0 the first stage is map, on side 1 it is reduce. "First" and
 * "second" stage below are those of the side at hand, and a job's second stage may start at its
 * release, when the first one has ended. */
#ifndef PN_MAKESPAN_EXACT_H
#define PN_MAKESPAN_EXACT_H

#include "base/internal.h"
#include "pn_makespan.h"

/* What fits; for larger batches the policy does without a search. */
enum {
    PN_MAKESPAN_EXACT_TASKS = 256, /* of a stage */
    PN_MAKESPAN_EXACT_SLOTS = 128, /* of a stage; no more count than it has tasks */
    /* a bit each in a word; all jobs without maps count as one, all without reduces too */
    PN_MAKESPAN_EXACT_JOBS = 32,
    PN_MAKESPAN_EXACT_TABLE = 4096 /* words of the table of states */
};

/* Sums of work, after division by the common divisor: products with both numbers of slots stay
 * below 2^64. */
#define PN_MAKESPAN_EXACT_WORK ((uint64_t)1 << 48)

typedef struct pn_makespan_exact_task {
    uint64_t time;
    uint32_t job, task; /* as in the batch */
} pn_makespan_exact_task;

typedef struct pn_makespan_exact_stage {
    uint32_t begin, count; /* its tasks in the table, the longest first */
    uint64_t work, longest, shortest;
    uint64_t alone; /* on slots of its own it does not last less */
} pn_makespan_exact_stage;

typedef struct pn_makespan_exact_job {
    pn_makespan_exact_stage stage[2]; /* map, reduce */
    uint32_t twin; /* 1 + an equal job before this one, which is taken first; 0 = none */
    uint32_t unused;
} pn_makespan_exact_job;

/* A choice on the path that is being walked. */
/* which job is next; where a task of its first, second stage goes */
enum { PN_MAKESPAN_EXACT_PICK, PN_MAKESPAN_EXACT_FIRST, PN_MAKESPAN_EXACT_SECOND };
typedef struct pn_makespan_exact_choice {
    /* of the task; PN_MAKESPAN_EXACT_PICK: places in `order` looked at */
    uint64_t start;
    uint64_t before;                  /* what the slot was loaded with */
    uint16_t kind, job, index, level; /* index of the task in the stage; jobs picked before */
} pn_makespan_exact_choice;

/* What holds while one job of the path is placed. */
typedef struct pn_makespan_exact_level {
    /* from the end of its first stage to the deadline it takes at least so long */
    uint64_t tail;
    uint64_t limit;    /* the first stage must end before: only for the last job of the path */
    uint64_t release;  /* of its second stage */
    uint64_t releases; /* sum of the path's */
} pn_makespan_exact_level;

typedef struct pn_makespan_exact_search {
    pn_makespan_view *view;
    uint64_t unit; /* coarse ticks to a tick here: the common divisor of all durations */
    uint32_t slots[2], tasks[2], zeros[2];
    uint32_t jobs;
    uint32_t without[2]; /* 1 + the job that stands for all without that stage; 0 = there is none */
    uint32_t side;
    pn_makespan_exact_job job[PN_MAKESPAN_EXACT_JOBS];
    pn_makespan_exact_task task[2][PN_MAKESPAN_EXACT_TASKS];
    uint64_t best[2][PN_MAKESPAN_EXACT_TASKS]; /* starts, as time goes */
    uint64_t upper;                            /* its makespan */
    uint64_t lower;                            /* no schedule is shorter */
    uint64_t nodes, nodes_max;
    /* The walk. */
    uint32_t order[PN_MAKESPAN_EXACT_JOBS]; /* in which jobs are tried: Johnson's on this side */
    uint32_t done;                          /* set of jobs picked */
    /* 1 + the job whose first stage is placed while its second is not; 0 = none */
    uint32_t placing;
    /* when slots of the first, second stage are free; ascending */
    uint64_t load[2][PN_MAKESPAN_EXACT_SLOTS];
    uint64_t mapped;  /* sum of the first */
    uint64_t left[2]; /* work that is not placed */
    uint32_t depth;
    pn_makespan_exact_level level[PN_MAKESPAN_EXACT_JOBS];
    pn_makespan_exact_choice path[PN_MAKESPAN_EXACT_JOBS + 2 * PN_MAKESPAN_EXACT_TASKS + 1];
    uint32_t table[PN_MAKESPAN_EXACT_TABLE];
    /* Of one function at a time, which would be large on the stack. */
    union {
        uint64_t start[2][PN_MAKESPAN_EXACT_TASKS];      /* a schedule that may be kept */
        uint64_t crowd[2][PN_MAKESPAN_EXACT_TASKS];      /* times of tasks, see fit.c */
        uint32_t entry[2 * PN_MAKESPAN_EXACT_SLOTS + 3]; /* of the table */
        pn_makespan_task answer[2][PN_MAKESPAN_EXACT_TASKS];
    } now;
} pn_makespan_exact_search;

static inline const pn_makespan_exact_stage *
pn_makespan_exact_stage_of(const pn_makespan_exact_search *s, uint32_t job, uint32_t stage)
{
    return &s->job[job].stage[stage ^ s->side];
}

static inline const pn_makespan_exact_task *
pn_makespan_exact_task_of(const pn_makespan_exact_search *s, uint32_t job, uint32_t stage,
                          uint32_t index)
{
    return &s->task[stage ^ s->side][pn_makespan_exact_stage_of(s, job, stage)->begin + index];
}

static inline uint32_t pn_makespan_exact_slots_of(const pn_makespan_exact_search *s, uint32_t stage)
{
    return s->slots[stage ^ s->side];
}

/* Returns whether the job lacks a stage; that without the first stage precedes all others, that
 * without the second follows them; see policy.c. */
static inline bool pn_makespan_exact_is_without(const pn_makespan_exact_search *s, uint32_t job,
                                                uint32_t stage)
{
    return job + 1 == s->without[stage ^ s->side];
}

static inline bool pn_makespan_exact_remains(const pn_makespan_exact_search *s, uint32_t job)
{
    return !(s->done >> job & 1);
}

static inline bool pn_makespan_exact_all_done(const pn_makespan_exact_search *s)
{
    return s->done == ((uint64_t)1 << s->jobs) - 1;
}

/* Returns the deadline: what is looked for is a schedule that ends by then. */
static inline uint64_t pn_makespan_exact_deadline(const pn_makespan_exact_search *s)
{
    return s->upper - 1;
}

/* Loads stay ascending: the one at `index` becomes the larger value; one equal to `old` becomes the
 * smaller value. */
static inline void pn_makespan_exact_raise(uint64_t *load, uint32_t count, uint32_t index,
                                           uint64_t value)
{
    for (; index + 1 < count && load[index + 1] < value; index++)
        load[index] = load[index + 1];
    load[index] = value;
}

static inline void pn_makespan_exact_lower(uint64_t *load, uint32_t count, uint64_t old,
                                           uint64_t value)
{
    uint32_t index = count - 1;
    while (load[index] != old)
        index--;
    for (; index > 0 && load[index - 1] > value; index--)
        load[index] = load[index - 1];
    load[index] = value;
}

/* list.c: keeps a schedule of this side if it is better than the best; tries some. */
void pn_makespan_exact_keep(pn_makespan_exact_search *s, uint64_t start[2][PN_MAKESPAN_EXACT_TASKS],
                            uint64_t makespan);
void pn_makespan_exact_try_lists(pn_makespan_exact_search *s);

/* fit.c: false when what remains cannot end by the deadline. */
bool pn_makespan_exact_rest_fits(pn_makespan_exact_search *s);
/* Returns whether the job's second stage fits by itself */
bool pn_makespan_exact_second_fits(const pn_makespan_exact_search *s, uint32_t job,
                                   uint64_t release);
bool pn_makespan_exact_pairs_fit(const pn_makespan_exact_search *s);
/* Returns the latest release with which the job's second stage ends by the deadline, as things are;
 * false: there is none. */
bool pn_makespan_exact_latest(const pn_makespan_exact_search *s, uint32_t job, uint64_t *release);
/* Returns the time on the slots from `from` to `to`, where it holds a task of length `least`. */
uint64_t pn_makespan_exact_room(const uint64_t *load, uint32_t count, uint64_t from, uint64_t to,
                                uint64_t least);

/* walk.c */
/* Takes a side in which nothing is placed */
void pn_makespan_exact_take_side(pn_makespan_exact_search *s, uint32_t side);
/* Walks until everything has been seen (PN_DONE), `budget` nodes were looked at (PN_PAUSED) or the
 * host says stop. */
int pn_makespan_exact_walk(pn_makespan_exact_search *s, uint64_t budget);

#endif
