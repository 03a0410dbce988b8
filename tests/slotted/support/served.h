/* A policy of attained service and sizes: the least served job first, among equals the largest. The
 * naive simulator knows it too, and tests/slotted/pairs/served.lua is its rule in Lua. */
#ifndef SERVED_H
#define SERVED_H

#include "pinion.h"

static inline void served_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_attained(view, job);
    key->word[1] = UINT64_MAX - pn_slotted_job_size(view, job);
}

static const pn_slotted_policy served_policy = {
    .struct_size = sizeof served_policy,
    .name = "served",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{served_key, PN_SLOTTED_CHANGES_WHEN_SERVED,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0}},
    .sizes = 1,
};

#endif
