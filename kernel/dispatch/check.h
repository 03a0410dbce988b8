/* What the core asks of a stage, for those who hold jobs until they arrive. */
#ifndef PN_DISPATCH_CHECK_H
#define PN_DISPATCH_CHECK_H

#include "base/internal.h"
#include "pn_dispatch.h"

/* Ids of jobs have no more bits. */
enum { PN_DISPATCH_ID_BITS = 36 };

/* Returns whether there is no id for a further job: 2^35 is the last one. */
static inline bool pn_dispatch_ids_end(uint64_t submitted)
{
    return submitted >> (PN_DISPATCH_ID_BITS - 1) != 0;
}

/* Returns what is wrong with a stage, its parents aside, as pn_dispatch_fault has it, or null. Adds
 * its estimated work to *work, the sum over the job's stages before it. */
const char *pn_dispatch_stage_fault(const pn_dispatch *core, const pn_dispatch_stage *stage,
                                    uint64_t *work);

#endif
