/* Numbers that jobs carry for policies, such as a weight: so many of each job as the configuration
 * says, one table of them for all models. The kernel stores them and hands them back, and nothing
 * else: what they mean is the host's and the policy's affair.
 *
 *   block: | … | attributes of place 0 | attributes of place 1 | … | what lies behind them | …
 *
 * The table lies right before another part of the block whose offset the model keeps anyway, so it
 * needs no offset of its own, and a block of jobs without attributes is what it would be if there
 * were none. */
#ifndef PN_ATTRIBUTES_H
#define PN_ATTRIBUTES_H

#include "arena.h"

/* Of no block; made anew for every call from outside. */
typedef struct pn_attributes {
    double *values; /* of the job at place 0 */
    uint32_t count; /* of each job */
} pn_attributes;

static inline bool pn_attributes_in_range(uint64_t count)
{
    return count <= PN_ATTRIBUTES_MAX;
}

/* Carves the table; what is carved next lies behind it. */
static inline void pn_attributes_carve(pn_arena *arena, size_t jobs, uint64_t count)
{
    pn_arena_take(arena, count > 0 ? jobs : 0, (size_t)count * sizeof(double));
}

/* Returns the table before the part of the block at this offset. */
static inline pn_attributes pn_attributes_before(const void *block, size_t behind, size_t jobs,
                                                 uint64_t count)
{
    size_t from = behind - jobs * (size_t)count * sizeof(double);
    return (pn_attributes){pn_at((void *)(uintptr_t)block, from), (uint32_t)count};
}

static inline double *pn_attributes_of(pn_attributes table, uint32_t place)
{
    return table.values + (size_t)place * table.count;
}

/* Returns whether a job may carry these; null: zeros. */
bool pn_attributes_sane(const double *given, uint64_t count);

/* Stores a job's, which are sane. */
void pn_attributes_put(pn_attributes table, uint32_t place, const double *given);

/* Returns a job's attributes, or null when jobs have none. The copy stays when the job's place is
 * given to another one. */
const double *pn_attributes_copy(pn_attributes table, uint32_t place,
                                 double copy[PN_ATTRIBUTES_MAX]);

static inline double pn_attributes_get(pn_attributes table, uint32_t place, uint32_t index)
{
    PN_ASSERT(index < table.count);
    return pn_attributes_of(table, place)[index];
}

/* Returns whether a block from outside holds numbers of so many places. */
static inline bool pn_attributes_sound(pn_attributes table, uint32_t places)
{
    for (uint32_t place = 0; table.count > 0 && place < places; place++)
        if (!pn_attributes_sane(pn_attributes_of(table, place), table.count))
            return false;
    return true;
}

#endif
