/* What the core asks of a stage, for those who hold jobs until they arrive. */
#ifndef PN_DISPATCH_CHECK_H
#define PN_DISPATCH_CHECK_H

#include "pn_dispatch.h"

/* Returns what is wrong with a stage, its parents aside, as pn_dispatch_fault has it, or null. Adds
 * its estimated work to *work, the sum over the job's stages before it. */
const char *pn_dispatch_stage_fault(const pn_dispatch *core, const pn_dispatch_stage *stage,
                                    uint64_t *work);

#endif
