/* What the cluster model draws: replicas, factors, failing attempts (CL8, CL27). Nothing depends on
 * the order of the draws. */
#include "state.h"

enum { CLUSTER_DRAW_DRAW_FACTOR = 1, CLUSTER_DRAW_DRAW_REPLICA = 2 };

uint64_t pn_cluster_draw(uint64_t seed, uint32_t purpose, uint64_t job, uint32_t kind,
                         uint32_t task, uint32_t attempt)
{
    uint64_t hash = pn_mix(pn_mix(pn_mix(PN_MIX_START, seed), purpose), job);
    return pn_mix(pn_mix(pn_mix(hash, kind), task), attempt);
}

void pn_cluster_replicas(uint64_t seed, uint64_t job, uint32_t map, uint32_t count,
                         uint32_t node_count, uint32_t *nodes)
{
    uint64_t hash = pn_mix(
        pn_mix(pn_mix(pn_mix(PN_MIX_START, seed), CLUSTER_DRAW_DRAW_REPLICA), job), map);
    PN_ASSERT(count <= node_count);
    uint32_t found = 0;
    for (uint64_t c = 0; found < count; c++) {
        uint32_t candidate = (uint32_t)(pn_mix(hash, c) % node_count);
        if (!pn_among(nodes, found, candidate))
            nodes[found++] = candidate;
    }
}

uint32_t pn_cluster_factor(uint64_t seed, uint32_t factor_lo, uint32_t factor_hi, uint64_t job,
                           uint32_t kind, uint32_t task, uint32_t attempt)
{
    uint64_t range = (uint64_t)factor_hi - factor_lo + 1;
    if (range == 1)
        return factor_lo;
    return (uint32_t)(factor_lo +
                      pn_cluster_draw(seed, CLUSTER_DRAW_DRAW_FACTOR, job, kind, task, attempt) %
                          range);
}
