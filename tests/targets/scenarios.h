/* One small scenario of each model, and of the exact planner, for machines without a C library: all
 * from random streams, none longer than a moment on a simulated Cortex-M3. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "pinion.h"

enum { SCENARIO_BLOCK = 1 << 17 }; /* bytes that each of them needs at most */

typedef struct scenario {
    const char *name;
    /* Lays the block out and submits all jobs; the status, and the bytes that the block takes. */
    int (*begin)(void *block, size_t *size);
    int (*step)(void *block, size_t size); /* opens it; one step: PN_OK, PN_DONE or a failure */
    uint64_t (*digest)(void *block, size_t size); /* of the schedule and what it led to */
} scenario;

extern const scenario scenarios[]; /* until one without a name */

#endif
