/* Slots in which the state of a suspended attempt is being saved (CL46). Such a slot is free, but
 * the attempt that gets it works only when the state is saved.
 *
 * The slots of a kind on a node are alike, so it is enough to know of the free ones until when they
 * save. That of a slot in use is known with its attempt. */
#include "state.h"

pn_cluster_savings *pn_cluster_savings_of(const pn_cluster *sim, uint32_t node, uint32_t kind)
{
    pn_cluster_savings *savings = pn_at((pn_cluster *)(uintptr_t)sim, sim->savings);
    return &savings[(size_t)2 * node + kind];
}

pn_heap pn_cluster_saving_ends(pn_cluster *sim, uint32_t node, uint32_t kind)
{
    static const uint64_t no_ids[1] = {0};
    pn_heap_entry *entries = pn_at(sim, sim->saving_entries);
    pn_cluster_savings *savings = pn_cluster_savings_of(sim, node, kind);
    return (pn_heap){&savings->ends, entries + savings->first, NULL, 0, no_ids, 0};
}

/* Returns from when on an attempt works that has just got a slot of the node: that of a slot that
 * saves nothing, or else the earliest. */
uint64_t pn_cluster_enter_slot(pn_cluster_view *view, uint32_t node, uint32_t kind)
{
    if (!pn_cluster_saves(&view->sim->config))
        return view->now;
    pn_heap ends = pn_cluster_saving_ends(view->sim, node, kind);
    while (ends.state->count > 0 && ends.entry[0].word[0] <= view->now)
        pn_heap_pop(&ends);
    if (ends.state->count <= pn_scheduler_free_slots(view->core, node, kind))
        return view->now;
    uint64_t saved = ends.entry[0].word[0];
    pn_heap_pop(&ends);
    return saved;
}

/* Notes until when a slot saves whose attempt leaves it. */
void pn_cluster_leave_slot(pn_cluster_view *view, uint32_t node, uint32_t kind, uint64_t saved)
{
    if (saved <= view->now)
        return;
    pn_heap ends = pn_cluster_saving_ends(view->sim, node, kind);
    const uint64_t word[2] = {saved, 0};
    pn_heap_push(&ends, 0, word);
}

/* Forgets what the slots of a node that has failed were saving. */
void pn_cluster_forget_savings(pn_cluster_view *view, uint32_t node)
{
    for (uint32_t kind = 0; kind < 2 && pn_cluster_saves(&view->sim->config); kind++)
        pn_cluster_savings_of(view->sim, node, kind)->ends.count = 0;
}
