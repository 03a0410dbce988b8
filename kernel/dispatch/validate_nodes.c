/* Whether nodes, and spots of nodes alike, are what a run would have left, see validate.h. */
#include "validate.h"

/* ---- nodes ---- */

static bool dispatch_node_sound(const pn_dispatch_validation *self, uint32_t node)
{
    const pn_dispatch_node *entry = &self->view.nodes[node];
    const uint64_t *room = pn_dispatch_free_of(&self->view, node);
    if (entry->up > 1 || entry->speed < 1 || entry->speed > 1000000)
        return false;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
        bool used = r < self->s->config.resources;
        bool free = entry->up && entry->capacity[r] > entry->used[r];
        if (entry->most[r] > (used ? self->s->largest[r] : 0) ||
            entry->capacity[r] > entry->most[r] ||
            entry->used[r] > (entry->up ? entry->most[r] : 0) ||
            (used && room[r] != (free ? entry->capacity[r] - entry->used[r] : 0)))
            return false;
    }
    return entry->up || entry->first_attempt == 0;
}

/* Checks that every entry of the room tree is what is below it. */
static bool room_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    for (uint32_t level = 1; level < s->room_levels; level++)
        for (uint32_t i = 0; i < s->room_count[level]; i++) {
            uint32_t first = i * PN_DISPATCH_ROOM_ARITY;
            uint32_t end = (uint32_t)pn_min(first + PN_DISPATCH_ROOM_ARITY,
                                            s->room_count[level - 1]);
            for (uint32_t r = 0; r < s->config.resources; r++) {
                const uint64_t *room = self->view.room + r;
                uint64_t most = 0;
                for (uint32_t k = first; k < end; k++)
                    most = pn_max(most, room[(s->room_start[level - 1] + k) * s->config.resources]);
                if (room[(s->room_start[level] + i) * s->config.resources] != most)
                    return false;
            }
        }
    return true;
}

static bool kind_sound(const pn_dispatch_validation *self, uint32_t kind)
{
    const pn_dispatch_kind *kinds = pn_at(self->s, self->s->kinds);
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        if (kinds[kind].capacity[r] > (r < self->s->config.resources ? self->s->largest[r] : 0))
            return false;
    return true;
}

bool pn_dispatch_nodes_sound(const pn_dispatch_validation *self)
{
    uint32_t nodes_up = 0;
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX] = {0};
    for (uint32_t node = 0; node < self->s->nodes_count; node++) {
        if (!dispatch_node_sound(self, node))
            return false;
        nodes_up += self->view.nodes[node].up;
        for (uint32_t r = 0; r < self->s->config.resources; r++)
            capacity[r] += self->view.nodes[node].most[r];
    }
    for (uint32_t kind = 0; kind < self->s->kinds_count; kind++)
        if (!kind_sound(self, kind))
            return false;
    for (uint32_t r = 0; r < self->s->config.resources; r++)
        if (capacity[r] != self->s->capacity[r])
            return false;
    return nodes_up == self->s->totals.nodes_up && room_sound(self);
}

/* ---- spots ---- */

/* Checks a spot in use: it is found by what its nodes have free, and in the list. */
static bool spot_sound(const pn_dispatch_validation *self, uint32_t spot)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_spot *entry = &self->view.spots[spot];
    uint32_t root = entry->nodes.root;
    return root >= 1 && root <= s->nodes_count && self->view.node_spots[root - 1] == spot + 1 &&
           entry->place < s->spots_count && self->view.spot_list[entry->place] == spot &&
           pn_dispatch_spot_find(&self->view, entry->room) == spot;
}

static bool node_spot_sound(const pn_dispatch_validation *self, uint32_t node)
{
    const pn_dispatch *s = self->s;
    uint32_t spot = self->view.node_spots[node] - 1, parent;
    if (spot >= s->spot_places.used || self->view.spots[spot].nodes.count == 0 ||
        !pn_same_bytes(self->view.spots[spot].room, pn_dispatch_free_of(&self->view, node),
                       s->config.resources * sizeof(uint64_t)))
        return false;
    pn_tree tree = pn_dispatch_nodes_of(&self->view, spot);
    if (!pn_tree_has(&tree, node) || !pn_validate_tree_node(&tree, s->nodes_count, node))
        return false;
    parent = self->view.spot_nodes[node].parent;
    return self->view.spot_nodes[node].word[0] == node &&
           (parent == 0 || self->view.node_spots[parent - 1] == spot + 1);
}

/* Checks that the chains of the table lead to spots in use, and end. */
static bool spot_chains_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->spot_buckets_count; i++)
        for (uint32_t link = self->view.spot_buckets[i]; link != 0;
             link = self->view.spots[link - 1].next)
            if (link > s->spot_places.used || self->view.spots[link - 1].nodes.count == 0 ||
                ++found > s->spots_count)
                return false;
    return found == s->spots_count;
}

bool pn_dispatch_spots_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t tally = 0, free = 0;
    uint32_t held = 0;
    if (!self->view.spots)
        return s->spot_places.used == 0 && s->spots_count == 0 && s->spot_places.free == 0;
    if (s->spot_places.used > s->nodes_count || s->spots_count > s->spot_places.used ||
        !spot_chains_sound(self))
        return false;
    for (uint32_t spot = 0; spot < s->spot_places.used; spot++) {
        const pn_dispatch_spot *entry = &self->view.spots[spot];
        if (entry->nodes.count > 0 ? !spot_sound(self, spot) : entry->nodes.root != 0)
            return false;
        held += entry->nodes.count > 0;
        free -= entry->nodes.count == 0 ? pn_dispatch_member(self, spot) : 0;
        tally -= entry->nodes.count * pn_dispatch_member(self, spot);
    }
    for (uint32_t node = 0; node < s->nodes_count; node++) {
        if (self->view.node_spots[node] == 0 || !node_spot_sound(self, node))
            return false;
        tally += pn_dispatch_member(self, self->view.node_spots[node] - 1);
    }
    return tally == 0 && held == s->spots_count &&
           pn_validate_free(&s->spot_places, PN_LINKS(self->view.spots, next), s->nodes_count, held,
                            self->key, &free) &&
           free == 0;
}

/* ---- executors ---- */

/* Checks that an executor belongs to no job, to one that has left, or to one in the system, then
 * that it runs no task of another one; and adds it to what its job has. */
static bool executor_sound(const pn_dispatch_validation *self, uint32_t node, uint64_t *tally)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_executor *executor = &self->view.executors[node];
    const pn_dispatch_node *entry = &self->view.nodes[node];
    if (executor->id == 0)
        return executor->job == 0 && executor->stage == 0 && entry->first_attempt == 0;
    if (executor->id > s->totals.submitted || executor->job >= s->fleet.job_places.used ||
        executor->stage > s->stage_places.used || !entry->up ||
        (entry->capacity[0] == 0 && entry->first_attempt == 0))
        return false;
    if (self->view.jobs[executor->job].id != executor->id)
        return entry->first_attempt == 0;
    *tally += pn_dispatch_member(self, executor->job);
    if (executor->stage != 0 && self->view.stages[executor->stage - 1].number != executor->id)
        return false;
    if (entry->first_attempt == 0)
        return true;
    const pn_dispatch_attempt *attempt = &self->view.attempts[entry->first_attempt - 1];
    return attempt->after == 0 && attempt->stage + 1 == executor->stage;
}

/* Checks the executors; attempts and jobs are sound. */
bool pn_dispatch_executors_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t tally = 0;
    for (uint32_t node = 0; self->view.executors && node < s->nodes_count; node++)
        if (!executor_sound(self, node, &tally))
            return false;
    for (uint32_t job = 0; job < s->fleet.job_places.used; job++)
        if (self->view.jobs[job].id != 0)
            tally -= self->view.jobs[job].executors * pn_dispatch_member(self, job);
    return tally == 0;
}
