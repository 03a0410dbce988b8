/* The lines of the tandem model's decision logs, and the scenario's hash that stands in them.
 * Numbers are written with 17 significant digits: reading gives the same bits. */
#ifndef PINION_TANDEM_RUN_LOG_H
#define PINION_TANDEM_RUN_LOG_H

#include "pinion_lua.h"
#include "run/hash.h"
#include "run/log.h"
#include "run/log_rows.h"

/* The hash of a scenario; of its settings. */
extern const hash_model tandem_hash;
uint64_t tandem_hash_settings(double speed, uint32_t traditional);

/* A time in words, as one instant has many lines. */
typedef struct tandem_log_time {
    double time;
    char text[40]; /* "" at first */
} tandem_log_time;

/* Writes the first line. */
void tandem_log_start(run_log *log, const pn_tandem_config *config, const pn_tandem_policy *policy,
                      const double *params, uint64_t scenario);
/* Writes its field "settings". */
void tandem_log_settings(run_log *log, double speed, uint32_t traditional);
void tandem_log_decision(run_log *log, tandem_log_time *last, const pn_tandem_decision *decision);
void tandem_log_finish(run_log *log, tandem_log_time *last, const pn_tandem_finish *finish);

/* Writes the last line. `until`: the time before which the run was stopped with jobs unfinished; 0:
 * it was not. */
void tandem_log_end(run_log *log, double time, double until, uint64_t digest);

/* The same, read. */
typedef struct tandem_log_last {
    double end, until;
    uint64_t digest;
} tandem_log_last;

/* All other lines, by the kind of their decision, into a pn_tandem_decision. */
extern const log_kinds tandem_log_kinds;

#endif
