/* What the policy ranks between two events, to explain why a job waits. */
#include "state.h"

#include "base/ranked.h"

/* Ranks by the queue's key, which a queue without room has not. */
static void rank_by_queue(const pn_dispatch_view *view, const pn_dispatch_entry *entry,
                          pn_ranked *job)
{
    const pn_heap *lanes = &view->lanes;
    uint32_t queue = entry->queue;
    job->priority = entry->priority;
    job->queue = (uint32_t)view->queues[queue].number;
    job->rank = !pn_heap_has(lanes, queue);
    job->key = (pn_key){{0, 0}};
    if (job->rank == 0)
        memcpy(job->key.word, lanes->entry[*pn_heap_place(lanes, queue) - 1].word,
               sizeof job->key.word);
}

uint32_t pn_dispatch_ranking(const pn_dispatch *core, pn_ranked *ranked, uint32_t most)
{
    pn_dispatch_view view;
    pn_ranking ranking = {ranked, most, 0};
    if (core->order.packs)
        return 0;
    pn_dispatch_view_build(&view, core, NULL);
    for (uint32_t link = core->fleet.first_job; link != 0; link = view.jobs[link - 1].after) {
        const pn_dispatch_entry *entry = &view.jobs[link - 1];
        pn_ranked job = {.id = entry->id, .key = entry->key};
        if (entry->first_bundle == 0)
            continue;
        if (core->order.by_queue)
            rank_by_queue(&view, entry, &job);
        pn_ranking_add(&ranking, &job);
    }
    return pn_ranking_end(&ranking);
}
