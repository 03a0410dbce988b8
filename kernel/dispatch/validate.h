/* What the files of this folder share that say whether a block from outside may be worked with.
 * Jobs, stages, bundles, classes and attempts are compared with one another: every link leads both
 * ways, every count is counted again. Where one side has no room for a count, sums of hashes are
 * compared: what all entries say of their owners, and what the owners say of them. */
#ifndef PN_DISPATCH_VALIDATE_H
#define PN_DISPATCH_VALIDATE_H

#include "base/validate.h"
#include "state.h"

typedef struct pn_dispatch_validation {
    pn_dispatch *s; /* the block, which is only read */
    pn_dispatch_view view;
    uint64_t key;
} pn_dispatch_validation;

static inline uint64_t pn_dispatch_member(const pn_dispatch_validation *self, uint64_t member)
{
    return pn_validate_hash(self->key, member);
}

/* validate_nodes.c */
bool pn_dispatch_nodes_sound(const pn_dispatch_validation *self);
bool pn_dispatch_spots_sound(const pn_dispatch_validation *self);
bool pn_dispatch_executors_sound(const pn_dispatch_validation *self);
/* validate_stages.c */
bool pn_dispatch_stages_sound(const pn_dispatch_validation *self);
bool pn_dispatch_bundles_sound(const pn_dispatch_validation *self);
bool pn_dispatch_classes_sound(const pn_dispatch_validation *self);
bool pn_dispatch_heads_sound(const pn_dispatch_validation *self);
/* validate_jobs.c */
bool pn_dispatch_jobs_sound(const pn_dispatch_validation *self);
bool pn_dispatch_attempts_sound(const pn_dispatch_validation *self);
bool pn_dispatch_virtual_sound(const pn_dispatch_validation *self);

#endif
