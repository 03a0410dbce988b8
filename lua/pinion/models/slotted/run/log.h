/* The lines of the slotted model's decision logs, and the scenario's hash that stands in them. */
#ifndef PINION_SLOTTED_RUN_LOG_H
#define PINION_SLOTTED_RUN_LOG_H

#include "pinion_lua.h"
#include "run/hash.h"
#include "run/log.h"
#include "run/log_rows.h"

/* The hash of a scenario; of its settings. */
extern const hash_model slotted_hash;
uint64_t slotted_hash_settings(uint32_t machines, uint32_t reduce);

/* Writes the first line. */
void slotted_log_start(run_log *log, const pn_slotted_config *config,
                       const pn_slotted_policy *policy, const double *params, uint64_t scenario);
/* Writes its field "settings". */
void slotted_log_settings(run_log *log, const pn_slotted_config *config);
void slotted_log_decision(run_log *log, const pn_slotted_decision *decision);
void slotted_log_finish(run_log *log, const pn_slotted_finish *finish);

/* Writes the last line. `until`: the slot after which the run was stopped with jobs unfinished; 0:
 * it was not. */
void slotted_log_end(run_log *log, uint64_t slot, uint64_t until, uint64_t digest);

/* The same, read. */
typedef struct slotted_log_last {
    uint64_t end, until, digest;
} slotted_log_last;

/* All other lines, by the kind of their decision, into a pn_slotted_decision. */
extern const log_kinds slotted_log_kinds;

#endif
