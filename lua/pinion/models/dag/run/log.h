/* The lines of the dag model's decision logs, and the scenario's hash that stands in them. */
#ifndef PINION_DAG_RUN_LOG_H
#define PINION_DAG_RUN_LOG_H

#include <string.h>

#include "pinion_lua.h"
#include "run/hash.h"
#include "run/log.h"
#include "run/log_rows.h"

/* What a scenario says beside its jobs and its policy. */
typedef struct dag_settings {
    pn_dag_config config;       /* nodes, queues and rules; capacities of tables mean nothing */
    const char *resource_names; /* an array, as JSON */
    const char *const *queue_names;
    const pn_dag_failure *failures;
    size_t failure_count;
} dag_settings;

/* Returns whether nodes of these groups do not differ. */
static inline int dag_nodes_alike(const pn_dispatch_nodes *a, const pn_dispatch_nodes *b)
{
    return memcmp(a->capacity, b->capacity, sizeof a->capacity) == 0 && a->speed == b->speed;
}

/* The hash of a scenario; of its settings. */
extern const hash_model dag_hash;
uint64_t dag_hash_settings(const dag_settings *settings);
uint64_t dag_hash_queues(uint64_t hash, const dag_settings *settings);
uint64_t dag_hash_failures(uint64_t hash, const dag_settings *settings);

/* Writes the first line: the resources, the nodes, and all parameters that differ from their
 * defaults, of the policy and of the model. `order` is what the policy has chosen. */
void dag_log_start(run_log *log, const dag_settings *settings, const pn_dispatch_policy *policy,
                   const pn_dispatch_order *order, const double *params, uint64_t scenario);
/* Writes its field "settings": marks of the queues and the failures, if there are any. */
void dag_log_settings(run_log *log, const dag_settings *settings);
/* Writes that a job arrives, with what its stages demand; a node is resized, which only hosts
 * do; any other event. */
void dag_log_arrival(run_log *log, const pn_dispatch *core, const pn_dispatch_event *event,
                     uint32_t resources);
void dag_log_resize(run_log *log, const pn_dispatch_event *event, uint32_t resources);
void dag_log_event(run_log *log, const pn_dispatch_event *event);

typedef struct dag_log_last {
    uint64_t end;        /* the last finish */
    uint64_t unfinished; /* jobs of the workload that have not finished */
    uint64_t until;      /* the run was ended before this time; PN_DISPATCH_NEVER */
    uint64_t digest;
} dag_log_last;

/* Writes the last line. */
void dag_log_end(run_log *log, const dag_log_last *last);

/* Lines by enum pn_dispatch_event_kind, into a pn_dispatch_event; the last one into a dag_log_last.
 * The demands of a job that arrives have no member. */
extern const log_kinds dag_log_kinds;

#endif
