/* The hash that ties a decision log to its scenario: the model's settings, the policy with its
 * parameters, and every job. */
#ifndef PINION_RUN_HASH_H
#define PINION_RUN_HASH_H

#include "workload/source.h"

/* What a decision log calls "scenario". params: policy->param_count values. SOURCE_END, or why
 * not. */
int hash_scenario(uint64_t *hash, source *work, uint32_t machines, uint32_t reduce,
                  const pn_slotted_policy *policy, const double *params);
int hash_tandem_scenario(uint64_t *hash, source *work, double speed, int traditional,
                         const pn_tandem_policy *policy, const double *params);

/* What a run of the makespan model goes by, besides its policy: slots and what stands for them in
 * jobs without tasks (MK2), and the rules in force, as in pn_makespan_config. */
typedef struct makespan_rules {
    uint32_t level, map_slots, reduce_slots, base_map_slots, base_reduce_slots;
    uint32_t stage_time, share, cap, task_order, resplit;
} makespan_rules;

/* `totals` of a simulation with a plan. */
makespan_rules makespan_rules_of(const pn_makespan_config *config,
                                 const pn_makespan_totals *totals);
int hash_makespan_scenario(uint64_t *hash, source *work, const makespan_rules *rules,
                           const pn_makespan_policy *policy, const double *params);
/* Nodes and rules of the configuration; its capacities mean nothing. */
int hash_cluster_scenario(uint64_t *hash, source *work, const pn_cluster_config *config,
                          const pn_cluster_failure *failures, size_t failure_count,
                          const pn_scheduler_policy *policy, const double *params);

/* Folds every job of the source, of any model, into the hash. SOURCE_END, or why not. */
int hash_jobs(uint64_t *hash, source *work);

#endif
