/* The lines of the cluster model's decision logs, and the scenario's hash that stands in them. */
#ifndef PINION_RUN_CLUSTER_LOG_H
#define PINION_RUN_CLUSTER_LOG_H

#include "pinion_lua.h"
#include "hash.h"
#include "log.h"

/* Whether nodes of these groups do not differ. */
static inline int cluster_nodes_alike(const pn_scheduler_nodes *a, const pn_scheduler_nodes *b)
{
    return a->map_slots == b->map_slots && a->reduce_slots == b->reduce_slots &&
           a->speed == b->speed;
}

/* The hash of a scenario; of its settings: the nodes, the rules and the failures. Capacities in the
 * configuration mean nothing. */
extern const hash_model cluster_hash;
uint64_t cluster_hash_settings(const pn_cluster_config *config, const pn_cluster_failure *failures,
                               size_t failure_count);

/* The first line: the nodes, and all parameters that differ from their defaults, of the policy and
 * of the model. */
void cluster_log_start(run_log *log, const pn_cluster_config *config,
                       const pn_scheduler_policy *policy, const double *params, uint64_t scenario);
void cluster_log_event(run_log *log, const pn_scheduler_event *event);

typedef struct cluster_log_last {
    uint64_t end;        /* the last finish */
    uint64_t unfinished; /* jobs of the workload that have not ended */
    uint64_t until;      /* the run was ended before this time; PN_SCHEDULER_NEVER */
    uint64_t digest;
} cluster_log_last;

/* The last line. */
void cluster_log_end(run_log *log, const cluster_log_last *last);

/* What the lines call an event, by enum pn_scheduler_event_kind; null for PN_SCHEDULER_JOB_FINISH
 * and where there is none. */
extern const char *const cluster_event_names[PN_SCHEDULER_NODE_RESIZE + 1];

/* Whether such events are of an attempt, or of a task that runs again. */
static inline int cluster_event_of_task(uint32_t event)
{
    return (event >= PN_SCHEDULER_LAUNCH && event <= PN_SCHEDULER_RERUN) ||
           (event >= PN_SCHEDULER_SUSPEND && event <= PN_SCHEDULER_CANCEL);
}

/* Whether such events tell of a job's estimate and deadline. */
static inline int cluster_event_estimates(uint32_t event)
{
    return event == PN_SCHEDULER_ACCEPT || event == PN_SCHEDULER_REJECT ||
           event == PN_SCHEDULER_LATE;
}

#endif
