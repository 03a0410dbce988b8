/* Random instances of the makespan model, and running one of them through the kernel with
 * everything watched: decisions, finishes, digest, bound, and the checker fed with all of it. An
 * instance is what the naive model takes, in fractions of the unit of time; the kernel gets the
 * ticks that make them whole. */
#ifndef MAKESPAN_INSTANCE_H
#define MAKESPAN_INSTANCE_H

#include <stdbool.h>

#include "makespan/naive/naive.h"
#include "pinion.h"
#include "support/refusals.h"

typedef struct makespan_instance {
    naive_makespan_config config; /* with the policy and its parameters */
    size_t count;
    naive_makespan_job jobs[NAIVE_MAKESPAN_JOBS];
} makespan_instance;

/* Mostly small numbers, so that ties abound: 1..4 slots, 1..jobs_max jobs, stages of 1..5 tasks,
 * given by their time, both, or empty; many durations are equal, some are 0, in some instances they
 * are fractions. In some, slots, tasks and durations are more. The rules are random as well; the
 * policy is yet to be chosen. */
void makespan_instance_draw(makespan_instance *drawn, pn_stream *stream, uint32_t jobs_max);

/* Chooses a policy of the kernel, with random parameters. False when the naive model does not know
 * one of them. */
bool makespan_instance_choose(makespan_instance *drawn, pn_stream *stream,
                              const pn_makespan_policy *policy);

void makespan_instance_print(const makespan_instance *shown);

/* How to run. */
typedef struct makespan_manner {
    bool stepping; /* an instant per call */
    bool planned;  /* the policy decides before the first instant, by a call of its own */
    bool single;   /* each task is a stretch of its own, not together with equal neighbours */
    bool roomy;    /* the tables are larger than needed, and fit for any policy */
    /* the block goes to another address every so many instants, and after the plan; 0 = never */
    uint32_t move_every;
    uint64_t scale;                   /* factor to all ticks; 0 = 1 */
    const pn_makespan_policy *policy; /* null = by its name */
    const double *params;             /* of that policy; null = those of the instance */
    void *asked;                      /* what makespan_instance_asked gives that policy */
} makespan_manner;

typedef struct makespan_outcome {
    int status; /* PN_DONE when all went well */
    naive_makespan_result result;
    pn_makespan_totals totals;
    uint64_t digest;
    char fault[200]; /* what was wrong with the reports, or the checker's word; "" when content */
} makespan_outcome;

void makespan_instance_run(const makespan_instance *run, makespan_manner how,
                           makespan_outcome *out);

void *makespan_instance_asked(const pn_makespan_view *view);

/* What the checker says of changed logs, see support/refusals.h; of decisions. */
void makespan_refusals(const pn_makespan_claim *claim, const refusals_table *log, uint64_t end,
                       uint64_t digest);

/* To the unit of time, as the kernel is given them unless they are scaled. */
uint64_t makespan_instance_ticks(const makespan_instance *run);

/* MK29, as a host does it: the best of all splits of `total` slots (0 = of all there are), or the
 * first that is not well. */
void makespan_instance_search_ratio(const makespan_instance *run, makespan_manner how,
                                    unsigned total, makespan_outcome *best);

/* Whether two results are the same in everything, down to each task; if not, `what` says where they
 * differ. */
bool makespan_instance_agree(const makespan_instance *run, const naive_makespan_result *got,
                             const naive_makespan_result *want, char *what, size_t size);

#endif
