/* The lines of the cluster model's decision logs, and the scenario's hash that stands in them. */
#ifndef PINION_CLUSTER_RUN_LOG_H
#define PINION_CLUSTER_RUN_LOG_H

#include "pinion_lua.h"
#include "run/hash.h"
#include "run/log.h"
#include "run/log_rows.h"

/* Returns whether nodes of these groups do not differ. */
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
uint64_t cluster_hash_failures(uint64_t hash, const pn_cluster_failure *failures, size_t count);

/* Writes the first line: the nodes, and all parameters that differ from their defaults, of the
 * policy and of the model. */
void cluster_log_start(run_log *log, const pn_cluster_config *config,
                       const pn_cluster_failure *failures, size_t failure_count,
                       const pn_scheduler_policy *policy, const double *params, uint64_t scenario);
/* Writes its field "settings": a mark of the failures, if there are any. */
void cluster_log_settings(run_log *log, const pn_cluster_failure *failures, size_t count);
void cluster_log_event(run_log *log, const pn_scheduler_event *event);

typedef struct cluster_log_last {
    uint64_t end;        /* the last finish */
    uint64_t unfinished; /* jobs of the workload that have not ended */
    uint64_t until;      /* the run was ended before this time; PN_SCHEDULER_NEVER */
    uint64_t digest;
} cluster_log_last;

/* Writes the last line. */
void cluster_log_end(run_log *log, const cluster_log_last *last);

/* Lines by enum pn_scheduler_event_kind, into a pn_scheduler_event; the last one into a
 * cluster_log_last. */
extern const log_kinds cluster_log_kinds;

#endif
