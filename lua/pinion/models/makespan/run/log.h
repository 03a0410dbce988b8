/* The lines of the makespan model's decision logs, and the scenario's hash that stands in them.
 * Times are exact: integers, or "p/q" in units of time. */
#ifndef PINION_MAKESPAN_RUN_LOG_H
#define PINION_MAKESPAN_RUN_LOG_H

#include "pinion_lua.h"
#include "run/hash.h"
#include "run/log.h"
#include "run/log_rows.h"

/* The settings of a run of the makespan model: slots and what stands for them in jobs without tasks
 * (MK2), and the rules in force, as in pn_makespan_config. */
typedef struct makespan_rules {
    uint32_t level, map_slots, reduce_slots, base_map_slots, base_reduce_slots;
    uint32_t stage_time, share, cap, task_order, resplit;
} makespan_rules;

/* Returns the rules from `totals` of a simulation with a plan. */
makespan_rules makespan_rules_of(const pn_makespan_config *config,
                                 const pn_makespan_totals *totals);

/* The hash of a scenario; of its settings. */
extern const hash_model makespan_hash;
uint64_t makespan_hash_settings(const makespan_rules *rules);

/* What the first line says of the run. */
typedef struct makespan_log_about {
    const pn_makespan_policy *policy;
    const double *params;
    uint64_t scenario; /* its hash */
    uint32_t level, map_slots, reduce_slots;
    const makespan_rules *rules;
} makespan_log_about;

/* Returns the names of a setting's values, in logs and in requests; the setting must have names. */
const char *const *makespan_names(const char *setting);

/* Returns whether the log names the plan's pools: several, or one that leaves slots unused. */
int makespan_has_pools(const pn_makespan *sim, uint32_t map_slots);

/* Writes the field "settings" of the first line: the slots of the scenario, which the policy may
 * change. / */
void makespan_log_settings(run_log *log, const makespan_rules *rules);
/* Writes the first line, of a simulation with a plan. */
void makespan_log_start(run_log *log, const pn_makespan *sim, const makespan_log_about *header);
/* Writes a decision; `ticks` fine ticks are a unit of time. */
void makespan_log_decision(run_log *log, const pn_makespan_decision *decision, uint64_t ticks);
void makespan_log_finish(run_log *log, const pn_makespan_finish *finish, uint64_t ticks);
/* Writes the last line. */
void makespan_log_end(run_log *log, uint64_t time, uint64_t ticks, uint64_t digest);

/* A line as it is read: its times in units. */
typedef struct makespan_log_entry {
    pn_makespan_decision decision; /* but for its times */
    pn_exact start, end;           /* of a finish and of the last line both are its time */
    uint64_t digest;               /* of the last line */
} makespan_log_entry;

/* All lines, by the kind of their decision, into a makespan_log_entry. Tasks of both kinds are
 * lines of PN_MAKESPAN_START_MAP: their field "kind" sets decision.kind. */
extern const log_kinds makespan_log_kinds;

#endif
