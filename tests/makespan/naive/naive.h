/* A slow and obvious reference model of the makespan of a batch, in fractions. At the task level it
 * counts time tick by tick and looks at every slot and job each time; every search evaluates
 * everything from scratch. It shares nothing with the kernel, so that it can judge it. Comments
 * cite the rules of the specification: MK1-MK32. */
#ifndef NAIVE_MAKESPAN_H
#define NAIVE_MAKESPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "support/fraction.h"

enum { NAIVE_MAP = 0, NAIVE_REDUCE = 1 }; /* stages */

enum {
    NAIVE_MAKESPAN_JOBS = 16,
    NAIVE_MAKESPAN_TASKS = 64 /* of one stage, also after it was split anew */
};

typedef struct naive_makespan_stage {
    /* its tasks are known, even if there are none of them; else it is given by its time, or
     * absent */
    bool listed;
    size_t count; /* of tasks */
    fraction tasks[NAIVE_MAKESPAN_TASKS];
    bool has_time;
    fraction time;
    unsigned requested; /* slots; 0 = not said */
} naive_makespan_stage;

typedef struct naive_makespan_job {
    naive_makespan_stage stage[2];
} naive_makespan_job;

/* In each, 0 is the default: mostly the policy's. */
enum naive_level { NAIVE_STAGES = 1, NAIVE_TASKS = 2 };
enum naive_time {
    NAIVE_GIVEN = 1,
    NAIVE_WAVES_REQUESTED = 2,
    NAIVE_WAVES = 3,
    NAIVE_CAPPED = 4,
    NAIVE_FLUID = 5
};
enum naive_tie { NAIVE_ALG21 = 1, NAIVE_MKJR = 2 };
enum naive_share { NAIVE_CONSERVING = 1, NAIVE_EXCLUSIVE = 2 };
enum naive_cap { NAIVE_CAP_NONE = 1, NAIVE_CAP_REQUESTED = 2 };
enum naive_task_order { NAIVE_LISTED = 1, NAIVE_LPT = 2 };
enum naive_start {
    NAIVE_START_JOHNSON = 1,
    NAIVE_START_PORTFOLIO = 2,
    NAIVE_START_NEH = 3,
    NAIVE_START_BEST = 4
};
enum naive_partition { NAIVE_PREFIX = 1, NAIVE_EXHAUSTIVE = 2 };
enum naive_pool_size { NAIVE_SCAN = 1, NAIVE_BINARY = 2 };
enum naive_sort { NAIVE_BY_MAP_TASKS = 1, NAIVE_BY_WORK = 2, NAIVE_BY_INDEX = 3 };
enum naive_single { NAIVE_SINGLE_ALLOWED = 1, NAIVE_SINGLE_REFUSED = 2 };

typedef struct naive_makespan_pool {
    unsigned nodes;
    unsigned slots[2];
    size_t count;
    size_t jobs[NAIVE_MAKESPAN_JOBS];
} naive_makespan_pool;

typedef struct naive_makespan_config {
    const char *policy;
    unsigned slots[2];
    unsigned base_slots[2]; /* for MK2; 0 = slots */
    unsigned level, estimate, stage_time, tie, share, cap, task_order, start;
    unsigned bp_partition, bp_size, bp_sort, bp_single;
    unsigned resplit, nodes, max_evals;
    size_t order[NAIVE_MAKESPAN_JOBS]; /* of given_order: indices */
    size_t pool_count;                 /* of fixed_pools */
    naive_makespan_pool pools[NAIVE_MAKESPAN_JOBS];
} naive_makespan_config;

/* Sets what users give as a word or a number: ("estimate", "waves"), ("resplit", "2"). False when
 * there is no such thing. */
bool naive_makespan_set(naive_makespan_config *config, const char *name, const char *value);

/* What was set under this name; 0 = nothing. */
unsigned naive_makespan_get(const naive_makespan_config *config, const char *name);

typedef struct naive_makespan_times {
    fraction map_start, map_finish, reduce_start, finish;
    /* tasks of a stage; at the stage level the stage is one */
    size_t started[2];
    fraction task_start[2][NAIVE_MAKESPAN_TASKS]; /* by index in the list */
    fraction task_length[2][NAIVE_MAKESPAN_TASKS];
} naive_makespan_times;

typedef struct naive_makespan_result {
    unsigned slots[2];                 /* as configured, or as found by the search for a ratio */
    size_t order[NAIVE_MAKESPAN_JOBS]; /* indices, pool by pool */
    size_t pool_count;
    naive_makespan_pool pools[NAIVE_MAKESPAN_JOBS];
    naive_makespan_times times[NAIVE_MAKESPAN_JOBS];
    fraction makespan, total_completion;
    bool has_bound;
    fraction bound;
    unsigned evaluations; /* of local_search that starts with Johnson's order, else 0 */
} naive_makespan_result;

/* False when the rules call this an error. */
bool naive_makespan_run(const naive_makespan_config *config, const naive_makespan_job *jobs,
                        size_t count, naive_makespan_result *result);

/* MK29: every split of `total` slots; 0 = of all slots. */
bool naive_makespan_search_ratio(const naive_makespan_config *config,
                                 const naive_makespan_job *jobs, size_t count, unsigned total,
                                 naive_makespan_result *result);

/* ---- pieces, for tests of theorems ---- */

/* MK12, in both of its forms, of stage durations by job, in this order. */
fraction naive_makespan_formula(const size_t *order, size_t count, const fraction *map,
                                const fraction *reduce);
fraction naive_makespan_formula_split(const size_t *order, size_t count, const fraction *map,
                                      const fraction *reduce);

/* MK7 or MK8: puts these jobs into Johnson's order, by durations per job. */
void naive_makespan_johnson(size_t *jobs, size_t count, const fraction *map, const fraction *reduce,
                            unsigned tie);

/* MK6, of a stage with its tasks and requested slots known (MK2, MK3). */
fraction naive_makespan_estimate(const naive_makespan_stage *stage, unsigned time, unsigned slots);

/* MK2, MK3 */
void naive_makespan_normalise(const naive_makespan_config *config, naive_makespan_job *jobs,
                              size_t count);

#endif
