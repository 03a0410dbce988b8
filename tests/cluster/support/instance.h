/* Random scenarios of the cluster model, and running one of them through the kernel with everything
 * watched: events, records, totals, digest, and the checker fed with all of it. Shared by the
 * differential, vector and property tests. */
#ifndef CLUSTER_INSTANCE_H
#define CLUSTER_INSTANCE_H

#include "cluster/naive/naive.h"
#include "pinion.h"
#include "support/refusals.h"

enum { CLUSTER_GROUPS = 16, CLUSTER_JOBS = 128, CLUSTER_FAILURES = 16, CLUSTER_LISTS = 1 << 15 };

/* What a scenario is made of lies beside it, so an instance must not be copied. */
typedef struct cluster_instance {
    naive_cluster_scenario scenario;
    pn_scheduler_nodes nodes[CLUSTER_GROUPS];
    pn_cluster_job jobs[CLUSTER_JOBS];
    pn_cluster_failure failures[CLUSTER_FAILURES];
    uint64_t lists[CLUSTER_LISTS]; /* of the jobs */
    size_t lists_used;
} cluster_instance;

/* No jobs, no nodes, everything by default. */
void cluster_instance_clear(cluster_instance *instance);

/* Room for a list of a job, for so many numbers of 32 or 64 bits. */
uint32_t *cluster_instance_words(cluster_instance *instance, size_t count);
uint64_t *cluster_instance_times(cluster_instance *instance, size_t count);

uint32_t cluster_instance_nodes(const cluster_instance *instance);           /* how many */
uint64_t cluster_instance_slots(const cluster_instance *instance, int kind); /* of all nodes */

/* Mostly small clusters and numbers, so that ties abound; all rules at random. The policy is yet to
 * be chosen. */
void cluster_instance_draw(cluster_instance *drawn, pn_stream *stream, uint32_t jobs_max);

/* Chooses this policy with random parameters. Where it may kill without end, the run gets a
 * limit. */
void cluster_instance_choose(cluster_instance *drawn, pn_stream *stream, const char *policy);

/* Leaves out and lessens what it can while the scenario still shows something. */
typedef bool (*cluster_sight)(const cluster_instance *instance, void *user);
void cluster_instance_shrink(cluster_instance *instance, cluster_sight sight, void *user);

/* Sets deadlines as tight as it goes: most of them are when, by a run, the scheduler itself says
 * that the job will finish. */
void cluster_instance_tighten(cluster_instance *drawn, pn_stream *stream,
                              void (*run)(const cluster_instance *instance,
                                          naive_cluster_result *result));

void cluster_instance_print(const cluster_instance *shown);
void cluster_instance_print_events(const naive_cluster_result *result);

/* Whoever keeps what the core is told. */
typedef struct cluster_listener {
    void (*begin)(void *user, const pn_cluster_config *config, const pn_scheduler_policy *policy,
                  const double *params);
    void (*input)(void *user, const pn_scheduler_input *input);
    void *user;
} cluster_listener;

/* How to run. */
typedef struct cluster_manner {
    bool one_by_one; /* each job is handed over when all instants before its submission are done */
    bool stepping;   /* an instant per call */
    bool roomy;      /* the tables are larger than needed, and fit for any policy */
    bool unchecked;  /* without the checker of logs */
    /* Of a run job by job: the tables hold what was held in that run and no more, so that places
     * are used again. */
    const pn_cluster_totals *fitting;
    /* the block goes to another address every so many instants; 0 = never */
    uint32_t move_every;
    /* null = the built-in one that the scenario names, with its parameters */
    const pn_scheduler_policy *policy;
    /* of this policy; null = those of the scenario that it has */
    const double *params;
    /* after each move: the policy to go on with; may be null */
    const pn_scheduler_policy *(*relieve)(void *user);
    void *user;
    const cluster_listener *listener; /* may be null */
} cluster_manner;

typedef struct cluster_outcome {
    int status;                  /* PN_DONE when all went well */
    naive_cluster_result result; /* to be freed */
    pn_cluster_totals totals;
    char fault[200]; /* what was wrong with the reports, or the checker's word; "" when content */
} cluster_outcome;

void cluster_instance_run(const cluster_instance *run, cluster_manner how, cluster_outcome *out);

/* What the checker says of changed logs, see support/refusals.h; of the events of the outcome. */
void cluster_refusals(const pn_cluster_claim *claim, const cluster_outcome *out);

/* Whether two results are the same in everything, down to each event; if not, `what` says where
 * they differ. Puts those events of both into order whose order the rules leave open. */
bool cluster_instance_agree(naive_cluster_result *got, naive_cluster_result *want, char *what,
                            size_t size);

#endif
