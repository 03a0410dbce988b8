/* What the policy ranks between two instants, to explain why a job waits. */
#include "state.h"

#include "base/ranked.h"

static void add_heap(pn_ranking *ranking, const pn_tandem *sim, const pn_heap_state *heap,
                     size_t offset, enum pn_tandem_key_kind kind)
{
    pn_tandem *block = (pn_tandem *)(uintptr_t)sim;
    const pn_tandem_entry *jobs = pn_at(block, sim->jobs);
    const pn_heap_entry *entries = pn_at(block, offset);
    for (uint32_t i = 0; i < heap->count; i++) {
        /* a line of jobs in order of arrival is a ring, and its entries have no keys */
        const pn_heap_entry *entry = &entries[((uint64_t)heap->head + i) % heap->capacity];
        pn_ranked job = {.id = jobs[entry->item].id, .key = {{entry->word[0], entry->word[1]}}};
        if (kind == PN_TANDEM_KEY_ID)
            job.key = (pn_key){{job.id, job.id}};
        pn_ranking_add(ranking, &job);
    }
}

/* Adds the lines. The engine of lines keeps each job in one of them, see lines.h. */
static void add_lines(pn_ranking *ranking, const pn_tandem *sim, uint32_t order,
                      enum pn_tandem_key_kind kind)
{
    bool maps = order == sim->services[PN_TANDEM_MAP_STATION].order;
    for (int line = 0; line < PN_TANDEM_LINES; line++) {
        bool mapped = line == PN_TANDEM_LINE_BACKLOG || line == PN_TANDEM_LINE_MAPLESS;
        bool stored = line != PN_TANDEM_LINE_GENERATING;
        if (maps ? !mapped : stored)
            add_heap(ranking, sim, &sim->sets[line], sim->set_entries[line], kind);
    }
}

uint32_t pn_tandem_ranking(const pn_tandem *sim, uint32_t order, pn_ranked *ranked, uint32_t most)
{
    pn_ranking ranking = {ranked, most, 0};
    if (order >= PN_TANDEM_ORDERS_MAX || !sim->used[order])
        return 0;
    /* see shape_of in step.c */
    enum pn_tandem_key_kind kind = sim->binding.shape[0] >> (24 + 4 * order) & 15;
    if (sim->engine == PN_TANDEM_ENGINE_LINES)
        add_lines(&ranking, sim, order, kind);
    else
        add_heap(&ranking, sim, &sim->orders[order], sim->order_entries[order], kind);
    return pn_ranking_end(&ranking);
}
