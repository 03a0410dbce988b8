/* Whether a block from outside may be worked with, see slotted/validate.c. Jobs, stages, bundles,
 * classes and attempts are compared with one another: every link leads both ways, every count is
 * counted again. Where one side has no room for a count, sums of hashes are compared: what all
 * entries say of their owners, and what the owners say of them. */
#include <string.h>

#include "base/validate.h"
#include "state.h"

typedef struct validation {
    pn_dispatch *s; /* the block, which is only read */
    pn_dispatch_view view;
    uint64_t key;
} validation;

static uint64_t hash(const validation *self, uint64_t member)
{
    return pn_validate_hash(self->key, member);
}

/* ---- the layout ---- */

static bool tables_sound(const pn_dispatch *s)
{
    const uint32_t most = (uint32_t)1 << 28;
    return 1 <= s->nodes_count && s->nodes_count <= (uint32_t)1 << 20 && 1 <= s->kinds_count &&
           s->kinds_count <= s->nodes_count && s->kinds_unused == 0 && 1 <= s->queues_count &&
           s->queues_count <= 4096 && 1 <= s->resources &&
           s->resources <= PN_DISPATCH_RESOURCES_MAX && 1 <= s->jobs_max &&
           s->jobs_max <= (uint32_t)1 << 26 && 1 <= s->stages_max && s->stages_max <= most &&
           1 <= s->edges_max && s->edges_max <= (uint32_t)1 << 30 && 1 <= s->attempts_max &&
           s->attempts_max <= most && 1 <= s->classes_max && s->classes_max <= most;
}

static bool numbers_sound(const pn_dispatch *s)
{
    bool sound = tables_sound(s) && s->placement <= PN_DISPATCH_SPREAD &&
                 s->stage_order <= PN_DISPATCH_WORK && s->backfill <= 1 &&
                 s->max_kills <= 1000000 && pn_attributes_in_range(s->attributes) &&
                 s->virtual_run <= 1 && s->exchange <= 1000000 && s->stirred <= 1;
    for (uint32_t r = 0; r < s->resources && sound; r++)
        sound = 1 <= s->capacity[r] && s->capacity[r] <= PN_DISPATCH_CAPACITY_MOST &&
                1 <= s->largest[r] && s->largest[r] <= PN_DISPATCH_DEMAND_MOST;
    return sound;
}

/* Lays the block out again from its own numbers. */
static bool layout_sound(const pn_dispatch *s)
{
    const size_t from = offsetof(pn_dispatch, nodes), to = offsetof(pn_dispatch, lanes);
    pn_dispatch fresh;
    if (!numbers_sound(s) || s->policy_size > s->head.size)
        return false;
    memset(&fresh, 0, sizeof fresh);
    fresh.nodes_count = s->nodes_count;
    fresh.kinds_count = s->kinds_count;
    fresh.queues_count = s->queues_count;
    fresh.resources = s->resources;
    fresh.jobs_max = s->jobs_max;
    fresh.stages_max = s->stages_max;
    fresh.edges_max = s->edges_max;
    fresh.attempts_max = s->attempts_max;
    fresh.classes_max = s->classes_max;
    fresh.attributes = s->attributes;
    fresh.virtual_run = s->virtual_run;
    fresh.placement = s->placement;
    return pn_dispatch_carve(&fresh, s->policy_size) != 0 && fresh.head.size == s->head.size &&
           fresh.policy_state == s->policy_state && fresh.lanes.capacity == s->lanes.capacity &&
           fresh.virtual.order.capacity == s->virtual.order.capacity &&
           pn_same_bytes((const unsigned char *)s + from, (const unsigned char *)&fresh + from,
                         to - from);
}

/* ---- the policy ---- */

static void any_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    (void)view;
    (void)job;
    (void)key;
}

static uint64_t any_score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    (void)view;
    (void)stage;
    (void)node;
    return 0;
}

static int any_preempt(pn_dispatch_view *view)
{
    (void)view;
    return PN_OK;
}

static bool has(const pn_dispatch_form *form, uint32_t function)
{
    return form->functions >> function & 1;
}

/* Whether the order is one for a policy of this shape. */
static bool policy_sound(const pn_dispatch *s)
{
    pn_dispatch_form form;
    if (!pn_binding_sound(&s->binding) || s->failure > 0)
        return false;
    memcpy(&form, s->binding.shape, sizeof form);
    if (!pn_binding_is_bound(&s->binding))
        return pn_validate_zeros(&s->order, sizeof s->order) && s->jobs_used == 0 &&
               s->attempts_used == 0 && s->failure == 0;
    const pn_dispatch_policy policy = {
        .key = has(&form, PN_DISPATCH_HAS_KEY) ? any_key : NULL,
        .queue_key = has(&form, PN_DISPATCH_HAS_QUEUE_KEY) ? any_key : NULL,
        .score = has(&form, PN_DISPATCH_HAS_SCORE) ? any_score : NULL,
        .align = has(&form, PN_DISPATCH_HAS_ALIGN) ? any_score : NULL,
        .preempt = has(&form, PN_DISPATCH_HAS_PREEMPT) ? any_preempt : NULL};
    return form.functions >> PN_DISPATCH_FUNCTIONS == 0 &&
           (s->failure != 0 || pn_dispatch_order_sane(&s->order, &policy)) &&
           (!s->order.virtual_run || s->virtual_run);
}

/* ---- free places ---- */

/* A table and how its free places are linked. */
typedef struct table {
    const void *first; /* the link of place 0 */
    size_t stride;     /* bytes */
    uint32_t free, used, most, held;
} table;

/* So many places are free, linked to the end, and none of them is held; adds them to a tally. */
static bool free_sound(const validation *self, const table *of, uint64_t *tally)
{
    uint32_t count = 0;
    if (of->used > of->most || of->held > of->used)
        return false;
    for (uint32_t link = of->free; link != 0;) {
        if (link > of->used || ++count > of->used - of->held)
            return false;
        *tally += hash(self, link - 1);
        memcpy(&link, (const unsigned char *)of->first + (link - 1) * of->stride, sizeof link);
    }
    return count == of->used - of->held;
}

/* ---- nodes ---- */

static bool node_sound(const validation *self, uint32_t node)
{
    const pn_dispatch_node *it = &self->view.nodes[node];
    const uint64_t *room = pn_dispatch_free_of(&self->view, node);
    if (it->up > 1 || it->unused != 0 || it->speed < 1 || it->speed > 1000000)
        return false;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
        bool used = r < self->s->resources;
        if (it->capacity[r] > (used ? self->s->largest[r] : 0) ||
            (used && room[r] > (it->up ? it->capacity[r] : 0)))
            return false;
    }
    return it->up || it->first_attempt == 0;
}

/* Every entry of the room tree is what is below it. */
static bool room_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    for (uint32_t level = 1; level < s->room_levels; level++)
        for (uint32_t i = 0; i < s->room_count[level]; i++) {
            uint32_t first = i * PN_DISPATCH_ROOM_ARITY;
            uint32_t end = (uint32_t)pn_min(first + PN_DISPATCH_ROOM_ARITY,
                                            s->room_count[level - 1]);
            for (uint32_t r = 0; r < s->resources; r++) {
                const uint64_t *room = self->view.room + r;
                uint64_t most = 0;
                for (uint32_t k = first; k < end; k++)
                    most = pn_max(most, room[(s->room_start[level - 1] + k) * s->resources]);
                if (room[(s->room_start[level] + i) * s->resources] != most)
                    return false;
            }
        }
    return true;
}

static bool kind_sound(const validation *self, uint32_t kind)
{
    const pn_dispatch_kind *kinds = pn_at(self->s, self->s->kinds);
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        if (kinds[kind].capacity[r] > (r < self->s->resources ? self->s->largest[r] : 0))
            return false;
    return true;
}

static bool nodes_sound(const validation *self)
{
    uint32_t nodes_up = 0;
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX] = {0};
    for (uint32_t node = 0; node < self->s->nodes_count; node++) {
        if (!node_sound(self, node))
            return false;
        nodes_up += self->view.nodes[node].up;
        for (uint32_t r = 0; r < self->s->resources; r++)
            capacity[r] += self->view.nodes[node].capacity[r];
    }
    for (uint32_t kind = 0; kind < self->s->kinds_count; kind++)
        if (!kind_sound(self, kind))
            return false;
    for (uint32_t r = 0; r < self->s->resources; r++)
        if (capacity[r] != self->s->capacity[r])
            return false;
    return nodes_up == self->s->totals.nodes_up && room_sound(self);
}

/* ---- spots ---- */

/* A spot in use: it is found by what its nodes have free, and in the list. */
static bool spot_sound(const validation *self, uint32_t spot)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_spot *it = &self->view.spots[spot];
    uint32_t root = it->nodes.root;
    return root >= 1 && root <= s->nodes_count && self->view.node_spots[root - 1] == spot + 1 &&
           it->place < s->spots_count && self->view.spot_list[it->place] == spot &&
           pn_dispatch_spot_find(&self->view, it->room) == spot;
}

static bool node_spot_sound(const validation *self, uint32_t node)
{
    const pn_dispatch *s = self->s;
    uint32_t spot = self->view.node_spots[node] - 1, parent;
    if (spot >= s->spots_used || self->view.spots[spot].nodes.count == 0 ||
        !pn_same_bytes(self->view.spots[spot].room, pn_dispatch_free_of(&self->view, node),
                       s->resources * sizeof(uint64_t)))
        return false;
    pn_tree tree = pn_dispatch_nodes_of(&self->view, spot);
    if (!pn_tree_has(&tree, node) || !pn_validate_tree_node(&tree, s->nodes_count, node))
        return false;
    parent = self->view.spot_nodes[node].parent;
    return self->view.spot_nodes[node].word[0] == node &&
           (parent == 0 || self->view.node_spots[parent - 1] == spot + 1);
}

/* The chains of the table lead to spots in use, and end. */
static bool spot_chains_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->spot_buckets_count; i++)
        for (uint32_t link = self->view.spot_buckets[i]; link != 0;
             link = self->view.spots[link - 1].next)
            if (link > s->spots_used || self->view.spots[link - 1].nodes.count == 0 ||
                ++found > s->spots_count)
                return false;
    return found == s->spots_count;
}

static bool spots_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t tally = 0, free = 0;
    uint32_t held = 0;
    if (!self->view.spots)
        return s->spots_used == 0 && s->spots_count == 0 && s->free_spot == 0;
    if (s->spots_used > s->nodes_count || s->spots_count > s->spots_used ||
        !spot_chains_sound(self))
        return false;
    for (uint32_t spot = 0; spot < s->spots_used; spot++) {
        const pn_dispatch_spot *it = &self->view.spots[spot];
        if (it->nodes.count > 0 ? !spot_sound(self, spot) : it->nodes.root != 0)
            return false;
        held += it->nodes.count > 0;
        tally -= it->nodes.count * hash(self, spot);
    }
    for (uint32_t node = 0; node < s->nodes_count; node++) {
        if (self->view.node_spots[node] == 0 || !node_spot_sound(self, node))
            return false;
        tally += hash(self, self->view.node_spots[node] - 1);
    }
    const table all = {&self->view.spots[0].next,
                       sizeof *self->view.spots,
                       s->free_spot,
                       s->spots_used,
                       s->nodes_count,
                       held};
    return tally == 0 && held == s->spots_count && free_sound(self, &all, &free);
}

/* ---- stages ---- */

static bool stage_sound(const validation *self, uint32_t stage)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_stage_entry *it = &self->view.stages[stage];
    if (it->job >= s->jobs_used || self->view.jobs[it->job].id != it->number ||
        it->class >= s->classes_used || self->view.classes[it->class].stages == 0)
        return false;
    if (it->tasks < 1 || it->tasks > PN_DISPATCH_TASKS_MOST || it->fresh > it->tasks ||
        it->estimate < 1 || it->estimate > PN_DISPATCH_ESTIMATE_MOST || it->depth < it->estimate ||
        it->depth >= PN_DISPATCH_WORK_END)
        return false;
    uint64_t launched = (uint64_t)it->running + it->done + it->returned.count;
    bool ready = it->parents_left == 0, done = it->done == it->tasks;
    if (launched != it->fresh || (it->fresh > 0 && !ready) ||
        (it->times.ready == PN_DISPATCH_NEVER) == ready ||
        (it->times.finish != PN_DISPATCH_NEVER) != done || (done && it->first_edge != 0))
        return false;
    if ((it->bundle != 0) != (ready && pn_dispatch_pending_of(it) > 0))
        return false;
    if (it->bundle == 0)
        return self->view.stage_nodes[stage].height == 0;
    if (it->bundle > s->bundles_used || self->view.bundles[it->bundle - 1].id == 0 ||
        self->view.bundles[it->bundle - 1].job != it->job ||
        self->view.bundles[it->bundle - 1].class != it->class)
        return false;
    pn_tree tree = pn_dispatch_stages_of(&self->view, it->bundle - 1);
    uint32_t parent = self->view.stage_nodes[stage].parent;
    return self->view.stage_nodes[stage].height > 0 &&
           pn_validate_tree_node(&tree, s->stages_used, stage) &&
           (parent == 0 || self->view.stages[parent - 1].bundle == it->bundle);
}

/* The edges from a stage, which is not finished: to later ones of its job. */
static bool edges_sound(const validation *self, uint32_t stage, uint64_t *places, uint64_t *waits,
                        uint64_t *count)
{
    const pn_dispatch *s = self->s;
    for (uint32_t link = self->view.stages[stage].first_edge; link != 0;
         link = self->view.edges[link - 1].next) {
        if (link > s->edges_used || ++*count > s->totals.edges_held)
            return false;
        uint32_t child = self->view.edges[link - 1].child;
        if (child >= s->stages_used || self->view.stages[child].number == 0 ||
            self->view.stages[child].job != self->view.stages[stage].job)
            return false;
        *places += hash(self, link - 1);
        *waits -= hash(self, child);
    }
    return true;
}

/* Tallies of all stages: who owns them, and how many of them. */
static bool stages_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t edge_places = 0, waits = 0, edges = 0, held = 0, classes = 0, bundles = 0, free = 0;
    for (uint32_t stage = 0; stage < s->stages_used; stage++) {
        const pn_dispatch_stage_entry *it = &self->view.stages[stage];
        if (it->number == 0 && self->view.stage_nodes[stage].height == 0)
            continue;
        if (it->number == 0 || !stage_sound(self, stage) ||
            !edges_sound(self, stage, &edge_places, &waits, &edges))
            return false;
        held++;
        waits += it->parents_left * hash(self, stage);
        classes += hash(self, it->class) + (it->bundle != 0 ? hash(self, ~(uint64_t)it->class) : 0);
        bundles += it->bundle != 0 ? hash(self, it->bundle - 1) : 0;
    }
    for (uint32_t class = 0; class < s->classes_used; class ++) {
        const pn_dispatch_class *it = &self->view.classes[class];
        classes -= it->stages * hash(self, class) + it->offered * hash(self, ~(uint64_t) class);
    }
    for (uint32_t bundle = 0; bundle < s->bundles_used; bundle++)
        if (self->view.bundles[bundle].id != 0)
            bundles -= self->view.bundles[bundle].stages.count * hash(self, bundle);
    const table stages = {&self->view.stages[0].next,
                          sizeof *self->view.stages,
                          s->free_stage,
                          s->stages_used,
                          s->stages_max,
                          (uint32_t)held};
    const table all_edges = {&self->view.edges[0].next,
                             sizeof *self->view.edges,
                             s->free_edge,
                             s->edges_used,
                             s->edges_max,
                             (uint32_t)edges};
    if (!free_sound(self, &stages, &free) || !free_sound(self, &all_edges, &edge_places))
        return false;
    for (uint32_t edge = 0; edge < s->edges_used; edge++)
        edge_places -= hash(self, edge);
    return held == s->totals.stages_held && edges == s->totals.edges_held && waits == 0 &&
           classes == 0 && bundles == 0 && edge_places == 0;
}

/* ---- bundles and classes ---- */

static bool bundle_sound(const validation *self, uint32_t bundle)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_bundle *it = &self->view.bundles[bundle];
    if (it->job >= s->jobs_used || self->view.jobs[it->job].id != it->id ||
        it->class >= s->classes_used || self->view.classes[it->class].stages == 0)
        return false;
    if (it->stages.count == 0 || it->stages.root == 0 || it->stages.root > s->stages_used ||
        self->view.stages[it->stages.root - 1].bundle != bundle + 1)
        return false;
    pn_tree tree = pn_dispatch_bundles_of(&self->view, it->class);
    const pn_tree_node *node = &self->view.bundle_nodes[bundle];
    if (node->height == 0 || !pn_validate_tree_node(&tree, s->bundles_used, bundle))
        return false;
    if (s->order.packs && (node->offer == 0 || node->offer != self->view.jobs[it->job].key.word[1]))
        return false;
    return node->parent == 0 || (self->view.bundles[node->parent - 1].id != 0 &&
                                 self->view.bundles[node->parent - 1].class == it->class);
}

static bool bundles_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t classes = 0, jobs = 0, held = 0, free = 0;
    for (uint32_t bundle = 0; bundle < s->bundles_used; bundle++) {
        const pn_dispatch_bundle *it = &self->view.bundles[bundle];
        if (it->id == 0 && self->view.bundle_nodes[bundle].height == 0)
            continue;
        if (it->id == 0 || !bundle_sound(self, bundle))
            return false;
        held++;
        classes += hash(self, it->class);
        jobs += hash(self, bundle);
    }
    for (uint32_t class = 0; class < s->classes_used; class ++)
        if (self->view.classes[class].stages > 0)
            classes -= self->view.classes[class].bundles.count * hash(self, class);
    /* Those of each job, linked both ways. */
    for (uint32_t job = 0; job < s->jobs_used; job++) {
        uint32_t before = 0;
        if (self->view.jobs[job].id == 0)
            continue;
        for (uint32_t link = self->view.jobs[job].first_bundle; link != 0;
             link = self->view.bundles[link - 1].after) {
            const pn_dispatch_bundle *it = &self->view.bundles[link - 1];
            if (link > s->bundles_used || it->id == 0 || it->job != job || it->before != before)
                return false;
            before = link;
            jobs -= hash(self, link - 1);
        }
    }
    const table all = {&self->view.bundles[0].after,
                       sizeof *self->view.bundles,
                       s->free_bundle,
                       s->bundles_used,
                       s->stages_max,
                       (uint32_t)held};
    return classes == 0 && jobs == 0 && free_sound(self, &all, &free);
}

static bool class_sound(const validation *self, uint32_t class)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_class *it = &self->view.classes[class];
    uint64_t any = 0, sigma, omega;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
        if (it->demand[r] > (r < s->resources ? s->largest[r] : 0))
            return false;
        any |= it->demand[r];
    }
    if (any == 0 || it->queue >= (s->order.by_queue ? s->queues_count : 1) ||
        it->aside > PN_DISPATCH_OVER_MAXIMUM || (it->bundles.count > 0) != (it->bundles.root != 0))
        return false;
    pn_dispatch_rates(s, it->demand, &sigma, &omega);
    if (sigma != it->sigma || omega != it->omega ||
        pn_dispatch_class_find(&self->view, it->demand, it->queue) != class)
        return false;
    if (it->bundles.root != 0 &&
        (it->bundles.root > s->bundles_used || self->view.bundles[it->bundles.root - 1].id == 0 ||
         self->view.bundles[it->bundles.root - 1].class != class))
        return false;
    if (it->aside != PN_DISPATCH_ACTIVE &&
        (it->place >= s->aside_count || self->view.aside[it->place] != class))
        return false;
    const pn_tree_node *node = &self->view.class_nodes[class];
    if ((node->height > 0) != (it->aside == PN_DISPATCH_ACTIVE && it->bundles.count > 0))
        return false;
    pn_tree tree = pn_dispatch_classes_of(&self->view, it->queue);
    return node->height == 0 ||
           (pn_validate_tree_node(&tree, s->classes_used, class) &&
            (node->parent == 0 || self->view.classes[node->parent - 1].queue == it->queue));
}

/* The chains of the table lead to classes, and end. */
static bool buckets_sound(const validation *self, uint32_t held)
{
    const pn_dispatch *s = self->s;
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->buckets_count; i++)
        for (uint32_t link = self->view.buckets[i]; link != 0;
             link = self->view.classes[link - 1].next)
            if (link > s->classes_used || self->view.classes[link - 1].stages == 0 ||
                ++found > held)
                return false;
    return found == held;
}

static bool lanes_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t classes = 0;
    for (uint32_t class = 0; class < s->classes_used; class ++)
        if (self->view.class_nodes[class].height > 0)
            classes += hash(self, self->view.classes[class].queue);
    for (uint32_t q = 0; q < s->queues_count; q++) {
        const pn_dispatch_lane *it = &self->view.queues[q];
        uint32_t root = it->classes.root;
        bool wants = s->order.by_queue && it->classes.count > 0;
        if (it->number != q || it->weight < 1 || it->weight > PN_DISPATCH_WEIGHT_MOST ||
            it->maximum < 1 || it->maximum > 1000 || it->guaranteed > it->maximum ||
            !pn_validate_zeros(it->supposed, sizeof it->supposed) ||
            pn_heap_has(&self->view.lanes, q) != wants || (it->classes.count > 0) != (root != 0))
            return false;
        if (root != 0 && (root > s->classes_used || self->view.class_nodes[root - 1].height == 0 ||
                          self->view.classes[root - 1].queue != q))
            return false;
        classes -= it->classes.count * hash(self, q);
    }
    return classes == 0 && pn_validate_heap(&self->view.lanes, s->queues_count) &&
           pn_validate_places(&self->view.lanes, s->queues_count);
}

static bool classes_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t held = 0, aside = 0;
    uint64_t free = 0;
    if (s->aside_count > s->classes_used)
        return false;
    for (uint32_t class = 0; class < s->classes_used; class ++)
        held += self->view.classes[class].stages > 0;
    if (held != s->totals.classes_held || !buckets_sound(self, held))
        return false;
    for (uint32_t class = 0; class < s->classes_used; class ++) {
        const pn_dispatch_class *it = &self->view.classes[class];
        if (it->stages > 0 ? !class_sound(self, class) : it->offered != 0)
            return false;
        if (it->stages == 0 && self->view.class_nodes[class].height > 0)
            return false;
        aside += it->stages > 0 && it->aside != PN_DISPATCH_ACTIVE;
    }
    for (uint32_t i = 0; i < s->aside_count; i++)
        if (self->view.aside[i] >= s->classes_used ||
            self->view.classes[self->view.aside[i]].place != i)
            return false;
    const table all = {&self->view.classes[0].next,
                       sizeof *self->view.classes,
                       s->free_class,
                       s->classes_used,
                       s->classes_max,
                       held};
    return aside == s->aside_count && free_sound(self, &all, &free) && lanes_sound(self);
}

/* ---- jobs ---- */

/* What a job's stages say of it. */
typedef struct sums {
    uint64_t work, left, left_area, rate, use[PN_DISPATCH_RESOURCES_MAX];
    uint32_t stages, stages_left, running;
} sums;

static bool add_stage(const validation *self, uint32_t stage, sums *sum)
{
    const pn_dispatch_stage_entry *it = &self->view.stages[stage];
    const pn_dispatch_class *class = &self->view.classes[it->class];
    uint64_t each, all, pending = pn_dispatch_pending_of(it);
    if (!pn_multiply(it->estimate, class->omega, PN_DISPATCH_WORK_END, &each) ||
        !pn_multiply(each, it->tasks, PN_DISPATCH_WORK_END, &all))
        return false;
    sum->work += it->estimate * class->sigma * it->tasks;
    sum->left += it->estimate * class->sigma * pending;
    sum->left_area += each * pending;
    sum->rate += it->running * class->sigma;
    for (uint32_t r = 0; r < self->s->resources; r++)
        sum->use[r] += it->running * class->demand[r];
    sum->stages_left += it->times.finish == PN_DISPATCH_NEVER;
    sum->running += it->running;
    return true;
}

static bool job_sums_sound(const validation *self, uint32_t job, const sums *sum)
{
    const pn_dispatch_entry *it = &self->view.jobs[job];
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        if (it->use[r] != sum->use[r])
            return false;
    return it->stages == sum->stages && it->stages_left == sum->stages_left &&
           it->stages_left > 0 && it->running == sum->running && it->work == sum->work &&
           it->left == sum->left && it->left_area == sum->left_area && it->rate == sum->rate;
}

/* The stages that are not finished, by depth. */
static bool depths_sound(const validation *self, uint32_t job)
{
    const pn_dispatch_entry *it = &self->view.jobs[job];
    uint64_t depth = UINT64_MAX;
    uint32_t count = 0, left = 0;
    for (uint32_t link = it->highest; link != 0; link = self->view.stages[link - 1].lower) {
        if (link > self->s->stages_used || count++ == it->stages)
            return false;
        const pn_dispatch_stage_entry *stage = &self->view.stages[link - 1];
        if (stage->number != it->id || stage->depth > depth)
            return false;
        depth = stage->depth;
        left += stage->times.finish == PN_DISPATCH_NEVER;
    }
    return left == it->stages_left;
}

static bool job_sound(const validation *self, uint32_t job)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_entry *it = &self->view.jobs[job];
    sums sum = {0};
    if (it->id > s->totals.submitted || it->weight < 1 || it->weight > PN_DISPATCH_WEIGHT_MOST ||
        it->queue >= s->queues_count || it->arrival > s->totals.time ||
        it->deadline > PN_INTEGER_MAX || it->stages > PN_DISPATCH_STAGES_MOST || it->unused != 0)
        return false;
    for (uint32_t link = it->first_stage; link != 0; link = self->view.stages[link - 1].next) {
        if (link > s->stages_used || self->view.stages[link - 1].number != it->id ||
            self->view.stages[link - 1].index != sum.stages++ || sum.stages > it->stages ||
            !add_stage(self, link - 1, &sum))
            return false;
    }
    return job_sums_sound(self, job, &sum) && depths_sound(self, job);
}

static bool system_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t before = 0, count = 0, running = 0;
    uint64_t id = 0;
    for (uint32_t link = s->first_job; link != 0; link = self->view.jobs[link - 1].after) {
        if (link > s->jobs_used || ++count > s->totals.in_system)
            return false;
        const pn_dispatch_entry *it = &self->view.jobs[link - 1];
        if (it->id <= id || it->before != before)
            return false;
        id = it->id;
        before = link;
        running += it->running > 0;
    }
    if (before != s->last_job || count != s->totals.in_system)
        return false;
    before = 0;
    for (uint32_t link = s->first_running; link != 0; link = self->view.jobs[link - 1].run_after) {
        if (link > s->jobs_used || running-- == 0)
            return false;
        const pn_dispatch_entry *it = &self->view.jobs[link - 1];
        if (it->id == 0 || it->running == 0 || it->run_before != before)
            return false;
        before = link;
    }
    return running == 0;
}

static bool use_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t tally[PN_DISPATCH_RESOURCES_MAX + 1] = {0};
    uint32_t running = 0;
    for (uint32_t job = 0; job < s->jobs_used; job++) {
        const pn_dispatch_entry *it = &self->view.jobs[job];
        if (it->id == 0)
            continue;
        running += it->running;
        tally[PN_DISPATCH_RESOURCES_MAX] += it->running * hash(self, it->queue);
        for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
            tally[r] += it->use[r] * hash(self, it->queue);
    }
    for (uint32_t q = 0; q < s->queues_count; q++) {
        const pn_dispatch_lane *it = &self->view.queues[q];
        tally[PN_DISPATCH_RESOURCES_MAX] -= it->running * hash(self, q);
        for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
            tally[r] -= it->use[r] * hash(self, q);
    }
    return running == s->totals.running && pn_validate_zeros(tally, sizeof tally);
}

static bool jobs_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t held = 0;
    uint64_t free = 0;
    if (s->jobs_used > s->jobs_max || s->totals.submitted >> (PN_DISPATCH_ID_BITS - 1) > 1)
        return false;
    for (uint32_t job = 0; job < s->jobs_used; job++) {
        if (self->view.jobs[job].id == 0)
            continue;
        if (!job_sound(self, job))
            return false;
        held++;
    }
    const table all = {&self->view.jobs[0].after,
                       sizeof *self->view.jobs,
                       s->free_job,
                       s->jobs_used,
                       s->jobs_max,
                       held};
    return held == s->totals.in_system && free_sound(self, &all, &free) && system_sound(self) &&
           use_sound(self);
}

/* ---- attempts ---- */

static bool attempt_sound(const validation *self, uint32_t place)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_attempt *it = &self->view.attempts[place];
    const pn_tree_node *node = &self->view.attempt_nodes[place];
    if (it->token % s->attempts_max != place || it->supposed != 0 ||
        it->state > PN_DISPATCH_RETURNED ||
        (node->height > 0) != (it->state == PN_DISPATCH_RETURNED))
        return false;
    if (it->state == PN_DISPATCH_IDLE)
        return true;
    if (it->stage >= s->stages_used || self->view.stages[it->stage].number == 0 ||
        it->task >= self->view.stages[it->stage].fresh || it->start > s->totals.time)
        return false;
    if (it->state == PN_DISPATCH_RUNNING)
        return it->node < s->nodes_count && self->view.nodes[it->node].up;
    pn_tree tree = pn_dispatch_returned_of(&self->view, it->stage);
    return pn_validate_tree_node(&tree, s->attempts_used, place) &&
           (node->parent == 0 || self->view.attempts[node->parent - 1].stage == it->stage);
}

/* The attempts of every node, linked both ways; each once. */
static bool node_lists_sound(const validation *self, uint64_t tally)
{
    const pn_dispatch *s = self->s;
    for (uint32_t node = 0; node < s->nodes_count; node++) {
        uint32_t before = 0;
        for (uint32_t link = self->view.nodes[node].first_attempt; link != 0;
             link = self->view.attempts[link - 1].after) {
            if (link > s->attempts_used)
                return false;
            const pn_dispatch_attempt *it = &self->view.attempts[link - 1];
            if (it->state != PN_DISPATCH_RUNNING || it->node != node || it->before != before)
                return false;
            before = link;
            tally -= hash(self, link - 1);
        }
    }
    return tally == 0;
}

/* What attempts hold is what their nodes lack, and as many run, or wait again, as stages say. */
static bool held_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t lack[PN_DISPATCH_RESOURCES_MAX] = {0}, running = 0, returned = 0;
    for (uint32_t place = 0; place < s->attempts_used; place++) {
        const pn_dispatch_attempt *it = &self->view.attempts[place];
        running += it->state == PN_DISPATCH_RUNNING ? hash(self, it->stage) : 0;
        returned += it->state == PN_DISPATCH_RETURNED ? hash(self, it->stage) : 0;
        if (it->state != PN_DISPATCH_RUNNING)
            continue;
        const uint64_t *demand = self->view.classes[self->view.stages[it->stage].class].demand;
        for (uint32_t r = 0; r < s->resources; r++)
            lack[r] += demand[r] * hash(self, it->node);
    }
    for (uint32_t node = 0; node < s->nodes_count; node++)
        for (uint32_t r = 0; r < s->resources && self->view.nodes[node].up; r++)
            lack[r] -= (self->view.nodes[node].capacity[r] -
                        pn_dispatch_free_of(&self->view, node)[r]) *
                       hash(self, node);
    for (uint32_t stage = 0; stage < s->stages_used; stage++) {
        const pn_dispatch_stage_entry *it = &self->view.stages[stage];
        if (it->number == 0)
            continue;
        running -= it->running * hash(self, stage);
        returned -= it->returned.count * hash(self, stage);
        uint32_t root = it->returned.root;
        if ((root != 0) != (it->returned.count > 0) ||
            (root != 0 && (root > s->attempts_used ||
                           self->view.attempts[root - 1].state != PN_DISPATCH_RETURNED ||
                           self->view.attempts[root - 1].stage != stage)))
            return false;
    }
    return running == 0 && returned == 0 && pn_validate_zeros(lack, sizeof lack);
}

static bool attempts_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t tally = 0, free = 0;
    uint32_t held = 0;
    for (uint32_t place = 0; place < s->attempts_used; place++) {
        uint32_t state = self->view.attempts[place].state;
        if (!attempt_sound(self, place))
            return false;
        held += state != PN_DISPATCH_IDLE;
        tally += state == PN_DISPATCH_RUNNING ? hash(self, place) : 0;
    }
    for (uint32_t place = s->attempts_used; place < s->attempts_max; place++)
        if (self->view.attempts[place].state != PN_DISPATCH_IDLE)
            return false;
    const table all = {&self->view.attempts[0].after,
                       sizeof *self->view.attempts,
                       s->free_attempt,
                       s->attempts_used,
                       s->attempts_max,
                       held};
    return held == s->totals.attempts_held && free_sound(self, &all, &free) &&
           node_lists_sound(self, tally) && held_sound(self);
}

/* ---- the virtual run ---- */

static bool shade_tags_sound(const validation *self, uint64_t *tally)
{
    const pn_dispatch_virtual *it = &self->s->virtual;
    const pn_dispatch_shade *shades = pn_at(self->s, self->s->shades);
    pn_heap order = pn_dispatch_shades(self->s);
    uint64_t weight = 0;
    for (uint32_t i = 0; i < it->order.count; i++) {
        uint32_t place = order.entry[i].item;
        pn_wide tag = {order.entry[i].word[0], order.entry[i].word[1]};
        if (shades[place].weight < 1 || shades[place].weight > PN_DISPATCH_WEIGHT_MOST ||
            pn_wide_compare(tag, it->level) < 0 || pn_wide_difference(tag, it->level).high > 0)
            return false;
        weight += shades[place].weight;
        *tally += hash(self, place);
    }
    return weight == it->weight;
}

static bool virtual_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_virtual *it = &s->virtual;
    const pn_dispatch_shade *shades = pn_at(self->s, s->shades);
    pn_heap order = pn_dispatch_shades(s);
    uint64_t tally = 0;
    if (!s->virtual_run)
        return it->order.count == 0 && it->used == 0 && it->free == 0;
    if (it->used > it->order.capacity || it->time > s->totals.time ||
        !pn_validate_heap(&order, it->used) || !shade_tags_sound(self, &tally))
        return false;
    const table all = {&shades[0].next, sizeof *shades,     it->free,
                       it->used,        it->order.capacity, it->order.count};
    if (!free_sound(self, &all, &tally))
        return false;
    for (uint32_t place = 0; place < it->used; place++)
        tally -= hash(self, place);
    return tally == 0;
}

/* Places that were ever used are places. */
static bool used_sound(const pn_dispatch *s)
{
    return s->jobs_used <= s->jobs_max && s->stages_used <= s->stages_max &&
           s->edges_used <= s->edges_max && s->bundles_used <= s->stages_max &&
           s->classes_used <= s->classes_max && s->attempts_used <= s->attempts_max;
}

/* Places that were never used are in no tree. */
static bool unused_sound(const validation *self)
{
    const pn_dispatch *s = self->s;
    const struct {
        const pn_tree_node *node;
        uint32_t used, most;
    } all[] = {{self->view.stage_nodes, s->stages_used, s->stages_max},
               {self->view.bundle_nodes, s->bundles_used, s->stages_max},
               {self->view.class_nodes, s->classes_used, s->classes_max},
               {self->view.attempt_nodes, s->attempts_used, s->attempts_max}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (uint32_t place = all[i].used; place < all[i].most; place++)
            if (all[i].node[place].height != 0)
                return false;
    return true;
}

/* What calls leave behind: nothing. */
static bool scratch_sound(const validation *self)
{
    pn_dispatch *s = self->s;
    return pn_validate_zeros(pn_at(s, s->notes), s->stages_max * sizeof(pn_paths_note)) &&
           pn_validate_zeros(pn_at(s, s->sorted), s->stages_max * sizeof(uint32_t));
}

int pn_dispatch_validate(const void *block, size_t size)
{
    validation self = {0};
    int status = pn_block_check(block, size, pn_dispatch_magic, sizeof(pn_dispatch));
    if (status != PN_OK)
        return status;
    /* The view's functions take a block that may be written to; none that is called here does. */
    self.s = (pn_dispatch *)(uintptr_t)block;
    if (!layout_sound(self.s) || self.s->totals.time > PN_INTEGER_MAX || !policy_sound(self.s) ||
        !pn_validate_stream(&self.s->stream))
        return PN_ERR_DAMAGED;
    pn_dispatch_view_build(&self.view, self.s, NULL);
    self.key = pn_validate_key(block, (size_t)self.s->head.size);
    bool sound = used_sound(self.s) && nodes_sound(&self) && spots_sound(&self) &&
                 classes_sound(&self) && bundles_sound(&self) && stages_sound(&self) &&
                 jobs_sound(&self) && attempts_sound(&self) && virtual_sound(&self) &&
                 scratch_sound(&self) && unused_sound(&self) &&
                 pn_attributes_sound(pn_dispatch_attributes_of(self.s), self.s->jobs_used);
    return sound ? PN_OK : PN_ERR_DAMAGED;
}
