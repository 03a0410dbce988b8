/* Nodes with equal free vectors are one spot: whether a demand has room, and what it would leave
 * over, is the same on all of them, and the lowest number wins (DG10). So the best place is found
 * by looking at spots, which are far fewer than nodes where many nodes are alike. Kept for
 * placements that compare nodes only. */
#include "state.h"

static uint32_t *dispatch_spots_bucket_of(const pn_dispatch_view *view, const uint64_t *room)
{
    uint64_t hash = PN_MIX_START;
    for (uint32_t r = 0; r < view->s->config.resources; r++)
        hash = pn_mix(hash, room[r]);
    return &view->spot_buckets[hash & (view->s->spot_buckets_count - 1)];
}

uint32_t pn_dispatch_spot_find(const pn_dispatch_view *view, const uint64_t *room)
{
    size_t bytes = view->s->config.resources * sizeof *room;
    uint32_t link = *dispatch_spots_bucket_of(view, room);
    while (link != 0 && !pn_same_bytes(view->spots[link - 1].room, room, bytes))
        link = view->spots[link - 1].next;
    return link == 0 ? PN_DISPATCH_NONE : link - 1;
}

static uint32_t new_spot(const pn_dispatch_view *view, const uint64_t *room)
{
    pn_dispatch *s = view->s;
    uint32_t *bucket = dispatch_spots_bucket_of(view, room),
             place = pn_place_take(&s->spot_places, PN_LINKS(view->spots, next));
    view->spots[place] = (pn_dispatch_spot){.next = *bucket, .place = s->spots_count};
    memcpy(view->spots[place].room, room, s->config.resources * sizeof *room);
    view->spot_list[s->spots_count++] = place;
    *bucket = place + 1;
    return place;
}

static void drop_spot(const pn_dispatch_view *view, uint32_t spot)
{
    pn_dispatch *s = view->s;
    pn_dispatch_spot *entry = &view->spots[spot];
    uint32_t *link = dispatch_spots_bucket_of(view, entry->room),
             last = view->spot_list[--s->spots_count];
    while (*link != spot + 1)
        link = &view->spots[*link - 1].next;
    *link = entry->next;
    view->spot_list[entry->place] = last;
    view->spots[last].place = entry->place;
    pn_place_free(&s->spot_places, PN_LINKS(view->spots, next), spot);
}

static void leave_spot(const pn_dispatch_view *view, uint32_t node)
{
    uint32_t spot = view->node_spots[node] - 1;
    pn_tree tree = pn_dispatch_nodes_of(view, spot);
    pn_tree_remove(&tree, node);
    if (tree.state->count == 0)
        drop_spot(view, spot);
}

/* Moves the node to the spot that it belongs to now. */
void pn_dispatch_spot_changed(const pn_dispatch_view *view, uint32_t node)
{
    const uint64_t word[2] = {node}, *room = pn_dispatch_free_of(view, node);
    if (view->node_spots[node] != 0)
        leave_spot(view, node);
    uint32_t spot = pn_dispatch_spot_find(view, room);
    if (spot == PN_DISPATCH_NONE)
        spot = new_spot(view, room);
    pn_tree tree = pn_dispatch_nodes_of(view, spot);
    pn_tree_insert(&tree, node, word, 0);
    view->node_spots[node] = spot + 1;
}

static uint64_t leftover(const pn_dispatch_view *view, const uint64_t *room, const uint64_t *demand)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < view->s->config.resources; r++)
        sum += (room[r] - demand[r]) * 1000000 / view->s->largest[r];
    return view->s->config.placement == PN_DISPATCH_SPREAD ? UINT64_MAX - sum : sum;
}

static bool dispatch_spots_has_room(const uint64_t *room, const uint64_t *demand,
                                    uint32_t resources)
{
    bool room_for_all = true;
    for (uint32_t r = 0; r < resources; r++)
        room_for_all &= room[r] >= demand[r];
    return room_for_all;
}

/* Returns the node that placement prefers; PN_DISPATCH_NONE when none has room. O(spots). */
uint32_t pn_dispatch_spot_place(const pn_dispatch_view *view, const uint64_t *demand)
{
    uint32_t best = PN_DISPATCH_NONE;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < view->s->spots_count; i++) {
        uint32_t spot = view->spot_list[i];
        const uint64_t *room = view->spots[spot].room;
        if (!dispatch_spots_has_room(room, demand, view->s->config.resources))
            continue;
        uint64_t score = leftover(view, room, demand);
        if (score > least)
            continue;
        pn_tree tree = pn_dispatch_nodes_of(view, spot);
        uint32_t node = pn_tree_first(&tree);
        if (score < least || node < best)
            best = node;
        least = score;
    }
    return best;
}
