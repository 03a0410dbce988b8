/* What the policy ranks between two events, to explain why a job waits. */
#include "state.h"

#include "base/ranked.h"

/* Returns whether the policy has an order. A policy that picks by itself may do without one. */
static bool has_order(const pn_scheduler *s)
{
    pn_scheduler_form form;
    memcpy(&form, s->fleet.binding.shape, sizeof form);
    return !s->picks || (form.functions >> PN_SCHEDULER_HAS_KEY & 1);
}

uint32_t pn_scheduler_ranking(const pn_scheduler *scheduler, uint32_t kind, pn_ranked *ranked,
                              uint32_t most)
{
    pn_scheduler *block = (pn_scheduler *)(uintptr_t)scheduler;
    const pn_scheduler_entry *jobs = pn_at(block, scheduler->jobs);
    pn_ranking ranking = {ranked, most, 0};
    if (kind >= PN_SCHEDULER_KINDS || !has_order(scheduler))
        return 0;
    for (uint32_t rank = 0; rank < PN_SCHEDULER_RANKS; rank++) {
        const pn_heap_entry *entries = pn_at(block, scheduler->entries[kind][rank]);
        for (uint32_t i = 0; i < scheduler->candidates[kind][rank].count; i++) {
            const pn_ranked job = {.id = jobs[entries[i].item].id,
                                   .key = {{entries[i].word[0], entries[i].word[1]}},
                                   .rank = rank};
            pn_ranking_add(&ranking, &job);
        }
    }
    return pn_ranking_end(&ranking);
}
