/* Writer of decision logs, one JSON object a line. Failures are remembered, not returned: the kernel's callbacks that write have
 * nowhere to return them to. */
#ifndef PINION_SLOTTED_LOG_H
#define PINION_SLOTTED_LOG_H

#include <stdio.h>

#include "pinion_lua.h"

typedef struct slotted_log {
    FILE *file;     /* null when no log is wanted, or after it was closed */
    int broken;     /* errno of the first failure */
    int started;    /* something was written: the next start has to wipe it */
    int unwipeable; /* … which failed, as with a pipe */
} slotted_log;

/* Opens the file; 0 when that fails. */
int slotted_log_open(slotted_log *log, const char *path);
/* Opens the log of a scenario to go on behind its first `bytes` bytes; what follows them is cut off. Null, or why not. */
const char *slotted_log_resume(slotted_log *log, const char *path, uint64_t scenario, uint64_t bytes);
/* Whether it can be cut back like that. */
int slotted_log_is_plain(const slotted_log *log);
/* Brings all lines to the disk; 0 when that fails. */
int slotted_log_sync(slotted_log *log, uint64_t *bytes);
/* Writes the first line, into an empty file again when the run had to start over. */
void slotted_log_start(slotted_log *log, const pn_slotted_policy *policy, const int64_t *params, uint64_t scenario);
void slotted_log_decision(slotted_log *log, const pn_slotted_decision *decision);
void slotted_log_finish(slotted_log *log, const pn_slotted_finish *finish);
void slotted_log_end(slotted_log *log, uint64_t slot, uint64_t digest);
/* Safe to call twice. */
void slotted_log_close(slotted_log *log);

#endif
