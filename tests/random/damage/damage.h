/* What each model brings to the damaging of its blocks (tests/random/damage.c). */
#ifndef DAMAGE_H
#define DAMAGE_H

#include "support/slotted_workload.h"

/* A run that stands still, and how it is resumed. */
typedef struct damage_case {
    void *block; /* from malloc, exactly the size of the block */
    size_t size;
    const void *policy;
    void *rest; /* what else the model needs to go on, or null */
} damage_case;

typedef struct damage_model {
    const char *name;
    size_t head; /* bytes of the model's struct at the start of the block, or a little more */
    /* Some run of some policy, stopped somewhere; validates it after every step, and says so in
     * *sound. */
    void (*make)(damage_case *at, pn_stream *stream, bool *sound);
    int (*validate)(const void *block, size_t size);
    /* Everything the model can do with such a block, for a bounded number of steps. */
    void (*use)(const damage_case *at, void *block);
    void (*free)(damage_case *at);
} damage_model;

extern const damage_model damage_slotted, damage_tandem, damage_makespan, damage_scheduler,
    damage_cluster, damage_dag;

/* A copy that a sanitizer watches to the byte. */
static inline void *damage_copy(const void *block, size_t size)
{
    return memcpy(workload_room(size), block, size);
}

#endif
