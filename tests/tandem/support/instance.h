/* Random instances of the tandem model, and running one of them through the kernel with everything
 * watched: finishes, digest, bounds, and the checker fed with every decision. Shared by the
 * differential, property and soak tests. */
#ifndef TANDEM_INSTANCE_H
#define TANDEM_INSTANCE_H

#include <stdbool.h>

#include "tandem/naive/naive.h"
#include "pinion.h"
#include "support/refusals.h"

enum { TANDEM_JOBS = 40 };

typedef struct tandem_instance {
    double speed;
    bool traditional;
    bool estimates; /* some sizes are misjudged */
    uint32_t job_count;
    pn_tandem_job jobs[TANDEM_JOBS]; /* absolute arrivals */
} tandem_instance;

/* What is drawn is free of ties but for identical arrivals: sizes are dyadic with 30 random bits,
 * now and then over six orders of magnitude, some of them 0. Arrivals come together, in groups, one
 * by one or with idle periods between them; their differences are exact. */
void tandem_instance_draw(tandem_instance *drawn, pn_stream *stream, uint32_t jobs_max);

/* Sizes and arrivals in tenths (TA21): events of several jobs coincide but for the last
 * bits. */
void tandem_instance_draw_tenths(tandem_instance *drawn, pn_stream *stream, uint32_t jobs_max);

/* Moves most arrivals to events of the schedule so far: the ends of the map work or of all work of
 * jobs before them. Sizes become alike, as errors grow with their ratio and events must still be
 * within 64 ulp of each other (TA21). */
void tandem_instance_meet(tandem_instance *changed, pn_stream *stream,
                          const naive_tandem_config *config);

/* Parameters of a policy at random; null = its defaults. */
const double *tandem_instance_params(const pn_tandem_policy *policy, pn_stream *stream,
                                     double params[PN_PARAMS_MAX]);

void tandem_instance_print(const tandem_instance *shown);

typedef struct tandem_outcome {
    int status; /* PN_DONE when all went well */
    double map_finish[TANDEM_JOBS], finish[TANDEM_JOBS], response[TANDEM_JOBS];
    pn_tandem_totals totals;
    uint64_t digest;
    char fault[160]; /* the checker's word, "" when content */
} tandem_outcome;

/* How to run. */
typedef struct tandem_manner {
    /* each job is submitted when all instants before the arrival of the one before it are done */
    bool one_by_one;
    bool stepping;       /* an instant per call */
    bool gaps;           /* arrivals are handed over as gaps */
    uint32_t move_every; /* the block goes to another address every so many instants; 0 = never */
    uint32_t moves_max;  /* a run is stopped after so many of them; 0 = never */
    uint32_t bounds;
    const double *params;
    uint64_t seed; /* of the policy's own random numbers */
    /* after each move, the policy that decides in place of the one before; null = the same one */
    const pn_tandem_policy *(*relieve)(void *user);
    void *user;
} tandem_manner;

void tandem_instance_run(const tandem_instance *run, const pn_tandem_policy *policy,
                         tandem_manner how, tandem_outcome *out);

/* What the checker says of changed logs, see support/refusals.h; of finishes and decisions. */
void tandem_refusals(const pn_tandem_claim *claim, const refusals_table *log, double end,
                     uint64_t digest);

/* The naive simulator's view of the instance and of the policy with these parameters (null = the
 * defaults). */
void tandem_instance_naive_jobs(const tandem_instance *run, naive_tandem_job jobs[TANDEM_JOBS]);
naive_tandem_config tandem_instance_naive_config(const tandem_instance *run,
                                                 const pn_tandem_policy *policy,
                                                 const double *params);

#endif
