/* What the policy ranks between two slots, to explain why a job waits. */
#include "state.h"

#include "base/ranked.h"

static void slotted_add(pn_ranking *ranking, const pn_slotted_entry *job, const uint64_t word[2])
{
    const pn_ranked ranked = {.id = job->id, .key = {{word[0], word[1]}}};
    /* of the others running tasks are all that is left */
    if (job->phase == PN_SLOTTED_PHASE_MAPS || job->phase == PN_SLOTTED_PHASE_REDUCES)
        pn_ranking_add(ranking, &ranked);
}

uint32_t pn_slotted_ranking(const pn_slotted *sim, uint32_t order, pn_ranked *ranked, uint32_t most)
{
    pn_slotted *block = (pn_slotted *)(uintptr_t)sim;
    pn_ranking ranking = {ranked, most, 0};
    if (order >= PN_SLOTTED_ORDERS_MAX)
        return 0;
    const pn_slotted_order_state *state = &sim->orders[order];
    const pn_slotted_entry *jobs = pn_at(block, sim->jobs);
    const pn_heap_entry *entries = pn_at(block, state->entries);
    for (uint32_t i = 0; i < state->heap.count; i++)
        slotted_add(&ranking, &jobs[entries[i].item], entries[i].word);
    const pn_tree_node *nodes = pn_at(block, state->nodes);
    for (uint32_t place = 0, left = state->tree.count; left > 0; place++)
        if (nodes[place].height != 0) {
            slotted_add(&ranking, &jobs[place], nodes[place].word);
            left--;
        }
    return pn_ranking_end(&ranking);
}
