/* What stands in line in the order of the plan, to explain why a job waits. */
#include "state.h"

#include "base/ranked.h"

static bool makespan_is_open(const pn_makespan_flow *flows, uint32_t at, uint32_t stage)
{
    bool ready = stage == PN_MAKESPAN_MAP || flows[2 * at].unfinished == 0;
    return ready && flows[2 * at + stage].unfinished > 0;
}

uint32_t pn_makespan_ranking(const pn_makespan *sim, uint32_t stage, pn_ranked *ranked,
                             uint32_t most)
{
    pn_makespan *block = (pn_makespan *)(uintptr_t)sim;
    pn_ranking ranking = {ranked, most, 0};
    if (stage >= PN_MAKESPAN_STAGE_COUNT || !sim->begun || sim->sequenced)
        return 0;
    const uint32_t *order = pn_at(block, sim->order);
    const pn_makespan_flow *flows = pn_at(block, sim->flows);
    for (uint32_t at = 0; at < sim->job_count; at++) {
        const pn_ranked job = {.id = (uint64_t)order[at] + 1,
                               .key = {{(uint64_t)at + 1, 0}},
                               .rank = flows[2 * at + stage].pool};
        if (makespan_is_open(flows, at, stage))
            pn_ranking_add(&ranking, &job);
    }
    return pn_ranking_end(&ranking);
}
