/* What the generated workloads of all models share. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pinion.h"
#include "pn_strict.h"

static inline void *workload_room(size_t size)
{
    void *room = malloc(size ? size : 1);
    if (!room)
        abort();
    return room;
}

/* Any number low..high but this one, which is one of them. */
static inline uint64_t workload_other(pn_stream *stream, uint64_t value, uint64_t low,
                                      uint64_t high)
{
    uint64_t other = pn_uniform(stream, low, high - 1);
    return other >= value ? other + 1 : other;
}

#endif
