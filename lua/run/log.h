/* The file of a decision log, one JSON object a line; each model decides what stands in the
 * lines. Failures are remembered, not returned: the kernel's callbacks that write have nowhere to
 * return them to. */
#ifndef PINION_RUN_LOG_H
#define PINION_RUN_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"
#include "pn_base.h"
#include "pn_strict.h"
#include "workload/source.h"

typedef struct run_log {
    FILE *file;               /* null when no log is wanted, or after it was closed; of `place` */
    output place;             /* where it is to be */
    int broken;               /* errno of the first failure */
    int started;              /* something is in it: the next start has to wipe it */
    int unwipeable;           /* wiping it failed, as with a pipe */
    int measured;             /* 1: it is of a real host, and of no scenario */
    const source_marks *jobs; /* of the scenario; null: of none */
} run_log;

/* Opens the file. One that is there stays as it is until the log takes its place. 0 when that
 * fails. */
int run_log_open(run_log *log, const char *path);
/* Opens the log of a scenario to go on behind its first `bytes` bytes; what follows them is cut
 * off. Null, or why not. */
const char *run_log_resume(run_log *log, const char *path, uint64_t scenario, uint64_t bytes);
/* Returns whether it can be cut back like that. */
int run_log_is_plain(const run_log *log);
/* Brings all lines to the disk and the file to its place; 0 when that fails. */
int run_log_sync(run_log *log, uint64_t *bytes);
/* Brings the file to its place and closes it. */
void run_log_commit(run_log *log);
/* Closes the file; it is gone unless it was in its place already. Safe to call twice. */
void run_log_discard(run_log *log);

/* Writes the first line up to its parameters, into an empty file again when the run had to start
 * over. */
void run_log_start(run_log *log, const char *model, const char *policy, uint64_t scenario);
/* Writes the end of the first line: what tells the jobs of its scenario from others. */
void run_log_end_first(run_log *log);
/* Writes a setting that is too long for the first line: a hash of it. */
void run_log_write_mark(run_log *log, const char *before, const char *name, uint64_t hash);
/* Writes the last line; `end` is when the run ended, as JSON. */
void run_log_end(run_log *log, const char *end, uint64_t digest);
/* Writes the parameters that differ from their defaults; of a `scripted` policy all, and choices by
 * index, as its words are not known where the log is read. Where floats are `marked` they read as
 * floats again, and integers as integers. `before` goes before the first one; what goes before the
 * next is returned. */
const char *run_log_params(run_log *log, const pn_param params[], uint8_t count,
                           const double values[], int scripted, int marked, const char *before);
/* Writes the same as the field "params" of the first line; no field where there are none. */
void run_log_write_params(run_log *log, const pn_param params[], uint8_t count,
                          const double values[], int scripted, int marked);
/* Writes a text as it is; anything, of less than 256 bytes. */
void run_log_write_text(run_log *log, const char *text);
void run_log_write(run_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lines are put together by hand in a small buffer: printf would take most of the time of a logged
 * run. Only `size` need be set, to 0, at first. */
typedef struct run_log_line {
    size_t size;
    char text[192];
} run_log_line;

void run_log_add_text(run_log_line *line, const char *text);
void run_log_add_number(run_log_line *line, uint64_t number);
/* Writes what the line holds so far; it is empty then. */
void run_log_write_line(run_log *log, run_log_line *line);

#endif
