/* The virtual cluster (DG24): it shares itself among its jobs in proportion to their weights,
 * whatever the real one does, and says in which order they would end. A job joins it when it is
 * submitted and may stay longer than in the real one, or leave it earlier. */
#include "state.h"

pn_heap pn_dispatch_shades(const pn_dispatch *s)
{
    pn_dispatch *block = (pn_dispatch *)(uintptr_t)s;
    const pn_dispatch_shade *shades = pn_at(block, s->shades);
    return (pn_heap){&block->virtual.order, pn_at(block, s->shade_entries), NULL, 0,
                     &shades[0].id,         PN_DISPATCH_SHADE_WORDS};
}

/* Returns how long until the first of its jobs ends; 2^64 - 1 where that does not fit. */
static uint64_t until_next(const pn_dispatch *s)
{
    const pn_dispatch_virtual *virtual = &s->virtual;
    const pn_heap_entry *first = pn_dispatch_shades(s).entry;
    pn_wide tag = {first->word[0], first->word[1]};
    uint64_t rest;
    pn_wide left = pn_wide_product(pn_wide_difference(tag, virtual->level).low, virtual->weight);
    pn_wide ms = pn_wide_divide(pn_wide_sum(left, (pn_wide){0, PN_DISPATCH_PPB - 1}),
                                PN_DISPATCH_PPB, &rest);
    return ms.high > 0 ? UINT64_MAX : ms.low;
}

/* Passes so many ms without the end of a job. */
static void dispatch_pass(pn_dispatch_virtual *virtual, uint64_t ms)
{
    uint64_t rest;
    pn_wide gain = pn_wide_divide(pn_wide_product(ms, PN_DISPATCH_PPB), virtual->weight, &rest);
    virtual->level = pn_wide_sum(virtual->level, gain);
    virtual->time += ms;
}

/* Drops all whose tag is reached. */
static void drop_ended(pn_dispatch *s)
{
    pn_dispatch_virtual *virtual = &s->virtual;
    pn_dispatch_shade *shades = pn_at(s, s->shades);
    pn_heap order = pn_dispatch_shades(s);
    while (virtual->order.count > 0) {
        pn_wide tag = {order.entry[0].word[0], order.entry[0].word[1]};
        uint32_t place = order.entry[0].item;
        if (pn_wide_compare(tag, virtual->level) > 0)
            return;
        pn_heap_pop(&order);
        virtual->weight -= shades[place].weight;
        shades[place] = (pn_dispatch_shade){.id = 0};
        pn_place_free(&virtual->places, PN_LINKS(shades, next), place);
    }
}

static void advance(pn_dispatch *s, uint64_t now)
{
    pn_dispatch_virtual *virtual = &s->virtual;
    while (virtual->order.count > 0) {
        uint64_t ms = until_next(s);
        if (ms > now - virtual->time) {
            dispatch_pass(virtual, now - virtual->time);
            return;
        }
        dispatch_pass(virtual, ms);
        drop_ended(s);
    }
    virtual->time = now;
}

/* Returns whether it has no place for a job that arrives now. */
bool pn_dispatch_virtual_full(const pn_dispatch_view *view)
{
    const pn_dispatch_virtual *virtual = &view->s->virtual;
    return virtual->order.count > 0 && virtual->order.count == virtual->order.capacity &&
           until_next(view->s) > view->now - virtual->time;
}

void pn_dispatch_virtual_join(const pn_dispatch_view *view, uint32_t job)
{
    pn_dispatch *s = view->s;
    pn_dispatch_virtual *virtual = &s->virtual;
    pn_dispatch_shade *shades = pn_at(s, s->shades);
    pn_dispatch_entry *entry = &view->jobs[job];
    pn_heap order = pn_dispatch_shades(s);
    advance(s, view->now);
    uint64_t service = (entry->work + entry->weight - 1) / entry->weight;
    entry->tag_virtual = pn_wide_sum(virtual->level, (pn_wide){0, service});
    uint32_t place = pn_place_take(&virtual->places, PN_LINKS(shades, next));
    shades[place] = (pn_dispatch_shade){.id = entry->id, .weight = entry->weight};
    virtual->weight += entry->weight;
    const uint64_t word[2] = {entry->tag_virtual.high, entry->tag_virtual.low};
    pn_heap_push(&order, place, word);
    s->totals.virtual_held = virtual->order.count;
    s->totals.virtual_held_max = (uint32_t)pn_max(s->totals.virtual_held_max, virtual->order.count);
}
