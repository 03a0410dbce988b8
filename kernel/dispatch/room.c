/* What is free on the nodes, and where a demand has room (DG10).
 *
 * The room tree has the free vectors of the nodes on level 0, and above every eight entries of a
 * level one with the largest number of each resource among them. A demand that is above an entry in
 * some resource has no room on any node below it, so the first node with room is found by going
 * down. With one resource that takes a step or eight a level; with several an entry may promise
 * what no single node has, and the search goes on behind it. A node that is down has nothing free,
 * and no demand is all 0. */
#include "state.h"

static uint64_t *dispatch_entry_of(const pn_dispatch_view *view, uint32_t level, uint32_t index)
{
    return view->room + ((size_t)view->s->room_start[level] + index) * view->s->config.resources;
}

uint64_t *pn_dispatch_free_of(const pn_dispatch_view *view, uint32_t node)
{
    return dispatch_entry_of(view, 0, node);
}

static bool dispatch_room_has_room(const uint64_t *room, const uint64_t *demand, uint32_t resources)
{
    for (uint32_t r = 0; r < resources; r++)
        if (room[r] < demand[r])
            return false;
    return true;
}

bool pn_dispatch_fits(const pn_dispatch_view *view, const uint64_t *demand, uint32_t node)
{
    return dispatch_room_has_room(pn_dispatch_free_of(view, node), demand,
                                  view->s->config.resources);
}

/* Computes the entry from those below it; false when it is as it was. */
static bool dispatch_renew(const pn_dispatch_view *view, uint32_t level, uint32_t index)
{
    uint32_t first = index * PN_DISPATCH_ROOM_ARITY, resources = view->s->config.resources;
    uint32_t end = (uint32_t)pn_min(first + PN_DISPATCH_ROOM_ARITY, view->s->room_count[level - 1]);
    uint64_t *own = dispatch_entry_of(view, level, index);
    bool changed = false;
    for (uint32_t r = 0; r < resources; r++) {
        uint64_t most = 0;
        for (uint32_t i = first; i < end; i++)
            most = pn_max(most, dispatch_entry_of(view, level - 1, i)[r]);
        changed |= own[r] != most;
        own[r] = most;
    }
    return changed;
}

void pn_dispatch_room_changed(const pn_dispatch_view *view, uint32_t node)
{
    const pn_dispatch_node *entry = &view->nodes[node];
    uint64_t *room = pn_dispatch_free_of(view, node);
    for (uint32_t r = 0; r < view->s->config.resources; r++)
        room[r] = entry->up ? entry->capacity[r] - pn_min(entry->capacity[r], entry->used[r]) : 0;
    if (view->spots)
        pn_dispatch_spot_changed(view, node);
    for (uint32_t level = 1; level < view->s->room_levels; level++) {
        node /= PN_DISPATCH_ROOM_ARITY;
        if (!dispatch_renew(view, level, node))
            return;
    }
}

uint32_t pn_dispatch_next_room(const pn_dispatch_view *view, const uint64_t *demand, uint32_t from)
{
    const pn_dispatch *s = view->s;
    uint32_t level = 0, index = from;
    while (index < s->room_count[level]) {
        if (dispatch_room_has_room(dispatch_entry_of(view, level, index), demand,
                                   s->config.resources)) {
            if (level == 0)
                return index;
            level--;
            index *= PN_DISPATCH_ROOM_ARITY;
            continue;
        }
        /* Behind the last of eight the next one is their parent's neighbour. */
        for (index++; index % PN_DISPATCH_ROOM_ARITY == 0; index /= PN_DISPATCH_ROOM_ARITY)
            level++;
    }
    return PN_DISPATCH_NONE;
}

/* ---- placement ---- */

/* Places where the policy wants it: the smallest score among all nodes with room. A policy that
 * gives up meanwhile places nothing. */
static uint32_t place_by_score(const pn_dispatch_view *view, uint32_t stage, const uint64_t *demand)
{
    uint32_t best = PN_DISPATCH_NONE;
    uint64_t least = 0;
    for (uint32_t node = pn_dispatch_next_room(view, demand, 0);
         node != PN_DISPATCH_NONE && view->s->fleet.failure == 0;
         node = pn_dispatch_next_room(view, demand, node + 1)) {
        uint64_t score = view->policy->score(view, stage, node);
        if (best == PN_DISPATCH_NONE || score < least) {
            least = score;
            best = node;
        }
    }
    return view->s->fleet.failure == 0 ? best : PN_DISPATCH_NONE;
}

uint32_t pn_dispatch_place(const pn_dispatch_view *view, uint32_t stage)
{
    const uint64_t *demand = view->classes[view->stages[stage].class].demand;
    if (view->policy->score)
        return place_by_score(view, stage, demand);
    return view->spots ? pn_dispatch_spot_place(view, demand)
                       : pn_dispatch_next_room(view, demand, 0);
}
