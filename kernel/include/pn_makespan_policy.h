/* Policies of the makespan model, for their authors: the table of a policy, its rules and memory,
 * and the functions by which it reads the batch, compares orders and gives its plan. Hosts that
 * use the built-in policies need pn_makespan.h alone.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 844/1112 (see docs/embedding.md). */
#ifndef PN_MAKESPAN_POLICY_H
#define PN_MAKESPAN_POLICY_H

#include "pn_makespan.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* What a policy sees of the simulation, valid during the call only. */
typedef struct pn_makespan_view pn_makespan_view;

struct pn_makespan_policy {
    size_t struct_size;  /* sizeof the struct, or 0: see pn_base.h */
    const char *name;    /* at most 31 bytes */
    const char *summary; /* one line */
    const char *source;  /* paper section or rule */
    /* its rules where the configuration says nothing: enum pn_makespan_time, _share, _cap and
     * _task_order; 0 = waves requested, conserving, no cap, listed */
    uint8_t stage_time;
    uint8_t share, cap, task_order;
    uint8_t level;       /* 1 + the only level it is for; 0 = both */
    uint8_t param_count; /* 0..PN_PARAMS_MAX */
    pn_param params[PN_PARAMS_MAX];
    /* The policy's own memory in the block, zero at first: so many bytes, and so many more for each
     * job of jobs_max. */
    size_t state_bytes, state_bytes_per_job;
    /* Decides with the calls below: gives an order, or pools, or the sequences of tasks, once.
     * PN_OK, or an error that ends the run. */
    int (*decide)(pn_makespan_view *view);
    /* What its keys are, for people; null: it does not say. Of a library's policies to be read
     * behind PN_HAS. */
    const pn_key_part *keys;
};

/* Orders that are compared: times in 1/ticks of a coarse tick; the total in two words. */
typedef struct pn_makespan_score {
    uint64_t makespan;
    uint64_t total[2]; /* sum of completions, high word first */
    uint64_t ticks;    /* > 0 */
} pn_makespan_score;

/* Compares two scores by makespan, with `total` then by total completion. Returns -1, 0 or 1.
 * O(1). */
int pn_makespan_score_compare(const pn_makespan_score *a, const pn_makespan_score *b, int total);

/* Jobs are named by their place 0..n-1, which is id - 1. Amounts are in coarse ticks; exact values
 * are fractions of them, not always in lowest terms. */

uint32_t pn_makespan_job_count(const pn_makespan_view *view);
uint32_t pn_makespan_slots(const pn_makespan_view *view, uint32_t stage); /* of the cluster */
uint32_t pn_makespan_nodes(const pn_makespan_view *view);                 /* MK22 */
uint32_t pn_makespan_level_of(const pn_makespan_view *view);
/* k at the task level (MK21), else 0 */
uint32_t pn_makespan_resplit_of(const pn_makespan_view *view);
/* coarse ticks to the unit of time */
uint64_t pn_makespan_unit(const pn_makespan_view *view);
/* of policy->params */
double pn_makespan_param_value(const pn_makespan_view *view, uint32_t index);
/* the policy's own bytes, aligned to 8 */
void *pn_makespan_state(const pn_makespan_view *view);
/* the policy's random numbers, in the block */
pn_stream *pn_makespan_stream(const pn_makespan_view *view);
const pn_makespan_policy *pn_makespan_policy_of(const pn_makespan_view *view);
void *pn_makespan_user(const pn_makespan_view *view);
uint32_t pn_makespan_group(const pn_makespan_view *view, uint32_t job);
uint32_t pn_makespan_attribute_count(const pn_makespan_view *view); /* config.attributes */
/* index < pn_makespan_attribute_count */
double pn_makespan_attribute(const pn_makespan_view *view, uint32_t job, uint32_t index);
/* number */
uint32_t pn_makespan_tasks(const pn_makespan_view *view, uint32_t job, uint32_t stage);
/* sum of durations */
uint64_t pn_makespan_work(const pn_makespan_view *view, uint32_t job, uint32_t stage);
/* task; 0 without tasks */
uint64_t pn_makespan_longest(const pn_makespan_view *view, uint32_t job, uint32_t stage);
/* slots, >= 1 (MK3) */
uint32_t pn_makespan_requested(const pn_makespan_view *view, uint32_t job, uint32_t stage);
uint32_t pn_makespan_stretch_count(const pn_makespan_view *view, uint32_t job, uint32_t stage);
pn_makespan_stretch pn_makespan_stretch_of(const pn_makespan_view *view, uint32_t job,
                                           uint32_t stage, uint32_t index);
/* Return what the host set, as places: an order (null: none) of all jobs; pools (0: none), and
 * where one's jobs stand. */
const uint32_t *pn_makespan_order_set(const pn_makespan_view *view);
uint32_t pn_makespan_pools_set(const pn_makespan_view *view);
const uint32_t *pn_makespan_pool_set(const pn_makespan_view *view, uint32_t index, uint32_t *nodes,
                                     uint32_t *count);

/* Returns how long the stage takes on so many slots, by enum pn_makespan_time (E). O(1), waves
 * O(tasks log slots) unless all tasks are equal. */
pn_exact pn_makespan_estimate(const pn_makespan_view *view, uint32_t job, uint32_t stage,
                              uint32_t time, uint32_t slots);

enum pn_makespan_tie {
    PN_MAKESPAN_ALG21 = 0, /* the paper's Algorithm 2.1 (MK7) */
    PN_MAKESPAN_MKJR = 1   /* MK_JR (MK8) */
};
/* Put the jobs into Johnson's order: by estimates on so many slots, or by any values, map[job] and
 * reduce[job]. Return PN_OK, or PN_ERR_ARGUMENT (count, time). O(count log count), and the
 * estimates. */
int pn_makespan_johnson_order(pn_makespan_view *view, uint32_t *jobs, uint32_t count, uint32_t time,
                              uint32_t tie, uint32_t map_slots, uint32_t reduce_slots);
int pn_makespan_johnson_by(pn_makespan_view *view, uint32_t *jobs, uint32_t count,
                           const pn_exact *map, const pn_exact *reduce, uint32_t tie);

/* Simulates these jobs in this order on so many slots, under the rules in force. Returns PN_OK;
 * PN_DONE, mostly early, if `best` is not null and the makespan is not smaller than that of `best`
 * (with `total`: not smaller in makespan, then total completion); PN_ERR_OVERFLOW or
 * PN_ERR_STOPPED. Stage level O(count); task level O((stretches started) log slots), where orders
 * evaluated in a row mostly start only the jobs behind those with which all of them begin. */
int pn_makespan_evaluate(pn_makespan_view *view, const uint32_t *jobs, uint32_t count,
                         uint32_t map_slots, uint32_t reduce_slots, const pn_makespan_score *best,
                         int total, pn_makespan_score *score);

/* Give the plan: an order of all jobs; or pools, one per call, with orders of their jobs, until all
 * jobs are given. Return PN_OK, or PN_ERR_INFEASIBLE: a job that does not exist or was given
 * before, more nodes than are left, or a second plan. O(count). */
int pn_makespan_give_order(pn_makespan_view *view, const uint32_t *jobs, uint32_t count);
int pn_makespan_give_pool(pn_makespan_view *view, uint32_t nodes, const uint32_t *jobs,
                          uint32_t count);

/* Or, at the task level without resplit, for every stage the sequence in which tasks start: each on
 * the slot that is free first, not before the one in front of it, a reduce not before its job's
 * maps have ended. Nothing is shared or capped then; the order is that of their first tasks. At
 * most PN_MAKESPAN_SEQUENCE_MAX tasks a stage, each once; else PN_ERR_INFEASIBLE. */
#define PN_MAKESPAN_SEQUENCE_MAX 1024
typedef struct pn_makespan_task {
    uint32_t job, task; /* index in the stage's list */
} pn_makespan_task;
int pn_makespan_give_tasks(pn_makespan_view *view, const pn_makespan_task *maps, uint32_t map_count,
                           const pn_makespan_task *reduces, uint32_t reduce_count);

/* Reports what the policy has proved: no schedule ends before `proven` coarse ticks (0 = nothing);
 * and the number of nodes that it searched. */
void pn_makespan_prove(pn_makespan_view *view, uint64_t proven, uint64_t searched);

/* Returns 1 if the host wants the policy to give up: then the policy returns PN_ERR_STOPPED. For
 * searches that do not evaluate for long; `work` is the work since the last call, in steps of about
 * 100 ns. */
int pn_makespan_stop_asked(pn_makespan_view *view, uint64_t work);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
