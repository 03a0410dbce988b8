/* One line on the terminal that says how far a long run is. */
#ifndef PINION_BASE_PROGRESS_H
#define PINION_BASE_PROGRESS_H

#include <stdint.h>

#include "pn_strict.h"

typedef struct progress {
    const char *label; /* outlives the run */
    double start, shown;
    uint64_t from; /* what was done before the start, 0 unless set after progress_start */
    int enabled, visible;
} progress;

double progress_clock(void); /* seconds, monotonic */
/* Starts; nothing is ever shown when `quiet`, or when standard error is not a terminal. */
void progress_start(progress *self, const char *label, int quiet, double now);
/* Shows "done of total" (total 0 = unknown) of `unit`, not before the first second and at most five
 * times a second. */
void progress_show(progress *self, uint64_t done, uint64_t total, const char *unit, double now);
void progress_clear(progress *self);

/* Lets readers of files show how far they are, only when the program says so; at first they do
 * not. */
void progress_show_reading(int shown);
void progress_start_reading(progress *self);

#endif
