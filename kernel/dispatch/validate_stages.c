/* Whether stages, edges, bundles and classes are what a run would have left, see validate.h. */
#include "validate.h"

/* ---- stages ---- */

/* Returns whether its class is one of its job's queue, where queues are ordered: what is launched
 * from a queue's lane counts as used by the queue of the job. */
static bool class_of_queue(const pn_dispatch_validation *self, const pn_dispatch_stage_entry *entry)
{
    const pn_dispatch_class *class = &self->view.classes[entry->class];
    return class->stages > 0 &&
           class->queue == (self->s->order.by_queue ? self->view.jobs[entry->job].queue : 0);
}

static bool dispatch_stage_sound(const pn_dispatch_validation *self, uint32_t stage)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_stage_entry *entry = &self->view.stages[stage];
    if (entry->job >= s->fleet.job_places.used || self->view.jobs[entry->job].id != entry->number ||
        entry->class >= s->class_places.used || !class_of_queue(self, entry))
        return false;
    if (entry->tasks < 1 || entry->tasks > PN_DISPATCH_TASKS_MOST || entry->fresh > entry->tasks ||
        entry->estimate < 1 || entry->estimate > PN_DISPATCH_ESTIMATE_MOST ||
        entry->depth < entry->estimate || entry->depth >= PN_DISPATCH_WORK_END)
        return false;
    uint64_t launched = (uint64_t)entry->running + entry->done + entry->returned.count;
    bool ready = entry->parents_left == 0, done = entry->done == entry->tasks;
    if (launched != entry->fresh || (entry->fresh > 0 && !ready) ||
        (entry->times.ready == PN_DISPATCH_NEVER) == ready ||
        (entry->times.finish != PN_DISPATCH_NEVER) != done || (done && entry->first_edge != 0))
        return false;
    bool offers = ready && pn_dispatch_pending_of(entry) > 0 &&
                  pn_dispatch_may_run(s, &self->view.jobs[entry->job]);
    if ((entry->bundle != 0) != offers)
        return false;
    if (entry->bundle == 0)
        return self->view.stage_nodes[stage].height == 0;
    if (entry->bundle > s->bundle_places.used || self->view.bundles[entry->bundle - 1].id == 0 ||
        self->view.bundles[entry->bundle - 1].job != entry->job ||
        self->view.bundles[entry->bundle - 1].class != entry->class)
        return false;
    pn_tree tree = pn_dispatch_stages_of(&self->view, entry->bundle - 1);
    uint32_t parent = self->view.stage_nodes[stage].parent;
    return self->view.stage_nodes[stage].height > 0 &&
           pn_validate_tree_node(&tree, s->stage_places.used, stage) &&
           (parent == 0 || self->view.stages[parent - 1].bundle == entry->bundle);
}

/* Checks the edges from a stage, which is not finished: to later ones of its job. A circle of them
 * ends when more were seen than there are, which are no more than places. */
static bool edges_sound(const pn_dispatch_validation *self, uint32_t stage, uint64_t *places,
                        uint64_t *waits, uint64_t *count)
{
    const pn_dispatch *s = self->s;
    for (uint32_t link = self->view.stages[stage].first_edge; link != 0;
         link = self->view.edges[link - 1].next) {
        if (link > s->edge_places.used || ++*count > s->totals.edges_held)
            return false;
        uint32_t child = self->view.edges[link - 1].child;
        if (child >= s->stage_places.used || self->view.stages[child].number == 0 ||
            self->view.stages[child].job != self->view.stages[stage].job)
            return false;
        *places += pn_dispatch_member(self, link - 1);
        *waits -= pn_dispatch_member(self, child);
    }
    return true;
}

/* Tallies of all stages: who owns them, and how many of them. */
bool pn_dispatch_stages_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t edge_places = 0, waits = 0, edges = 0, held = 0, classes = 0, bundles = 0, free = 0,
             offered = 0;
    if (s->totals.edges_held > s->edge_places.used)
        return false;
    for (uint32_t stage = 0; stage < s->stage_places.used; stage++) {
        const pn_dispatch_stage_entry *entry = &self->view.stages[stage];
        if (entry->number == 0 && self->view.stage_nodes[stage].height == 0) {
            free -= pn_dispatch_member(self, stage);
            continue;
        }
        if (entry->number == 0 || !dispatch_stage_sound(self, stage) ||
            !edges_sound(self, stage, &edge_places, &waits, &edges))
            return false;
        held++;
        waits += entry->parents_left * pn_dispatch_member(self, stage);
        classes += pn_dispatch_member(self, entry->class) +
                   (entry->bundle != 0 ? pn_dispatch_member(self, ~(uint64_t)entry->class) : 0);
        bundles += entry->bundle != 0 ? pn_dispatch_member(self, entry->bundle - 1) : 0;
        offered += entry->bundle != 0;
    }
    for (uint32_t class = 0; class < s->class_places.used; class ++) {
        const pn_dispatch_class *entry = &self->view.classes[class];
        classes -= entry->stages * pn_dispatch_member(self, class) +
                   entry->offered * pn_dispatch_member(self, ~(uint64_t) class);
    }
    for (uint32_t bundle = 0; bundle < s->bundle_places.used; bundle++)
        if (self->view.bundles[bundle].id != 0)
            bundles -= self->view.bundles[bundle].stages.count * pn_dispatch_member(self, bundle);
    if (!pn_validate_free(&s->stage_places, PN_LINKS(self->view.stages, next), s->config.stages_max,
                          (uint32_t)held, self->key, &free) ||
        !pn_validate_free(&s->edge_places, PN_LINKS(self->view.edges, next), s->config.edges_max,
                          (uint32_t)edges, self->key, &edge_places))
        return false;
    for (uint32_t edge = 0; edge < s->edge_places.used; edge++)
        edge_places -= pn_dispatch_member(self, edge);
    return offered == s->offered && held == s->totals.stages_held &&
           edges == s->totals.edges_held && waits == 0 && classes == 0 && bundles == 0 &&
           edge_places == 0 && free == 0;
}

/* ---- bundles and classes ---- */

static bool bundle_sound(const pn_dispatch_validation *self, uint32_t bundle)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_bundle *entry = &self->view.bundles[bundle];
    if (entry->job >= s->fleet.job_places.used || self->view.jobs[entry->job].id != entry->id ||
        entry->class >= s->class_places.used || self->view.classes[entry->class].stages == 0)
        return false;
    if (entry->stages.count == 0 || entry->stages.root == 0 ||
        entry->stages.root > s->stage_places.used ||
        self->view.stages[entry->stages.root - 1].bundle != bundle + 1)
        return false;
    pn_tree tree = pn_dispatch_bundles_of(&self->view, entry->class);
    const pn_tree_node *node = &self->view.bundle_nodes[bundle];
    if (node->height == 0 || !pn_validate_tree_node(&tree, s->bundle_places.used, bundle))
        return false;
    const uint64_t *key = self->view.jobs[entry->job].key.word;
    bool keyed = !s->order.by_queue && !s->order.packs;
    uint64_t first = s->order.by_queue ? pn_dispatch_precedence(&self->view.jobs[entry->job]) : 0;
    if (node->word[0] != (keyed ? key[0] : first) || node->word[1] != (keyed ? key[1] : 0) ||
        (s->order.packs && (node->offer == 0 || node->offer != key[1])))
        return false;
    return node->parent == 0 || (self->view.bundles[node->parent - 1].id != 0 &&
                                 self->view.bundles[node->parent - 1].class == entry->class);
}

bool pn_dispatch_bundles_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t classes = 0, jobs = 0, held = 0, free = 0;
    for (uint32_t bundle = 0; bundle < s->bundle_places.used; bundle++) {
        const pn_dispatch_bundle *entry = &self->view.bundles[bundle];
        if (entry->id == 0 && self->view.bundle_nodes[bundle].height == 0) {
            free -= pn_dispatch_member(self, bundle);
            continue;
        }
        if (entry->id == 0 || !bundle_sound(self, bundle))
            return false;
        held++;
        classes += pn_dispatch_member(self, entry->class);
        jobs += pn_dispatch_member(self, bundle);
    }
    for (uint32_t class = 0; class < s->class_places.used; class ++)
        if (self->view.classes[class].stages > 0)
            classes -= self->view.classes[class].bundles.count * pn_dispatch_member(self, class);
    /* Those of each job, linked both ways. */
    for (uint32_t job = 0; job < s->fleet.job_places.used; job++) {
        uint32_t before = 0;
        if (self->view.jobs[job].id == 0)
            continue;
        for (uint32_t link = self->view.jobs[job].first_bundle; link != 0;
             link = self->view.bundles[link - 1].after) {
            const pn_dispatch_bundle *entry = &self->view.bundles[link - 1];
            if (link > s->bundle_places.used || entry->id == 0 || entry->job != job ||
                entry->before != before)
                return false;
            before = link;
            jobs -= pn_dispatch_member(self, link - 1);
        }
    }
    return classes == 0 && jobs == 0 &&
           pn_validate_free(&s->bundle_places, PN_LINKS(self->view.bundles, after),
                            s->config.stages_max, (uint32_t)held, self->key, &free) &&
           free == 0;
}

static bool class_sound(const pn_dispatch_validation *self, uint32_t class)
{
    const pn_dispatch *s = self->s;
    const pn_dispatch_class *entry = &self->view.classes[class];
    uint64_t any = 0, sigma, omega;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
        if (entry->demand[r] > (r < s->config.resources ? s->largest[r] : 0))
            return false;
        any |= entry->demand[r];
    }
    if (any == 0 || entry->queue >= (s->order.by_queue ? s->queues_count : 1) ||
        entry->aside > PN_DISPATCH_OVER_MAXIMUM ||
        (entry->bundles.count > 0) != (entry->bundles.root != 0))
        return false;
    pn_dispatch_rates(s, entry->demand, &sigma, &omega);
    if (sigma != entry->sigma || omega != entry->omega ||
        pn_dispatch_class_find(&self->view, entry->demand, entry->queue) != class)
        return false;
    if (entry->bundles.root != 0 && (entry->bundles.root > s->bundle_places.used ||
                                     self->view.bundles[entry->bundles.root - 1].id == 0 ||
                                     self->view.bundles[entry->bundles.root - 1].class != class))
        return false;
    const pn_tree_node *node = &self->view.class_nodes[class];
    if ((node->height > 0) != (entry->bundles.count > 0))
        return false;
    if (node->height == 0)
        return entry->aside == PN_DISPATCH_ACTIVE;
    pn_tree tree = pn_dispatch_classes_of(&self->view, entry->queue);
    return pn_validate_tree_node(&tree, s->class_places.used, class) &&
           node->offer == pn_dispatch_class_offer(entry) &&
           (node->parent == 0 || self->view.classes[node->parent - 1].queue == entry->queue);
}

/* Checks that the chains of the table lead to classes, and end. */
static bool buckets_sound(const pn_dispatch_validation *self, uint32_t held)
{
    const pn_dispatch *s = self->s;
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->buckets_count; i++)
        for (uint32_t link = self->view.buckets[i]; link != 0;
             link = self->view.classes[link - 1].next)
            if (link > s->class_places.used || self->view.classes[link - 1].stages == 0 ||
                ++found > held)
                return false;
    return found == held;
}

/* Checks the root of a lane's tree of classes. */
static bool lane_root_sound(const pn_dispatch_validation *self, uint32_t lane)
{
    const pn_tree_state *tree = &self->view.queues[lane].classes;
    uint32_t root = tree->root;
    if (root == 0 || root > self->s->class_places.used)
        return root == 0 && tree->count == 0;
    return tree->count > 0 && self->view.class_nodes[root - 1].height > 0 &&
           self->view.classes[root - 1].queue == lane;
}

static bool lanes_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint64_t classes = 0;
    for (uint32_t class = 0; class < s->class_places.used; class ++)
        if (self->view.class_nodes[class].height > 0)
            classes += pn_dispatch_member(self, self->view.classes[class].queue);
    for (uint32_t q = 0; q < s->queues_count; q++) {
        const pn_dispatch_lane *lane = &self->view.queues[q];
        if (!lane_root_sound(self, q))
            return false;
        bool wants = s->order.by_queue && pn_dispatch_lane_waits(&self->view, q),
             restrained = s->order.limits && s->grown_count > 0;
        if (lane->number != q || lane->weight < 1 || lane->weight > PN_DISPATCH_WEIGHT_MOST ||
            lane->maximum < 1 || lane->maximum > 1000 || lane->guaranteed > lane->maximum ||
            !pn_validate_zeros(lane->supposed, sizeof lane->supposed) ||
            lane->relieved > restrained || pn_heap_has(&self->view.lanes, q) != wants)
            return false;
        classes -= lane->classes.count * pn_dispatch_member(self, q);
    }
    return classes == 0 && pn_validate_heap(&self->view.lanes, s->queues_count) &&
           pn_validate_places(&self->view.lanes, s->queues_count);
}

/* Checks that classes are in the order of their first stages; all trees are sound. */
bool pn_dispatch_heads_sound(const pn_dispatch_validation *self)
{
    uint64_t head[PN_DISPATCH_HEAD_WORDS];
    for (uint32_t class = 0; class < self->s->class_places.used; class ++) {
        const pn_tree_node *node = &self->view.class_nodes[class];
        if (node->height == 0)
            continue;
        pn_tree bundles = pn_dispatch_bundles_of(&self->view, class);
        uint32_t first = pn_tree_first(&bundles);
        const uint64_t *word = self->view.bundle_nodes[first].word;
        pn_dispatch_head_of(&self->view, first, head);
        if (node->word[0] != word[0] || node->word[1] != word[1] ||
            !pn_same_bytes(head, self->view.classes[class].head, sizeof head))
            return false;
    }
    return true;
}

/* Checks that nodes with more room than before are named once each. */
static bool grown_sound(const pn_dispatch *s)
{
    uint32_t named = s->grown_count > PN_DISPATCH_GROWN_MOST ? PN_DISPATCH_GROWN_MOST
                                                             : s->grown_count;
    if (s->grown_count > PN_DISPATCH_GROWN_MOST + 1)
        return false;
    for (uint32_t i = 0; i < PN_DISPATCH_GROWN_MOST; i++) {
        if (i < named ? s->grown[i] >= s->nodes_count : s->grown[i] != 0)
            return false;
        for (uint32_t j = 0; j < i && i < named; j++)
            if (s->grown[j] == s->grown[i])
                return false;
    }
    return true;
}

bool pn_dispatch_classes_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    uint32_t held = 0;
    uint64_t free = 0;
    for (uint32_t class = 0; class < s->class_places.used; class ++)
        held += self->view.classes[class].stages > 0;
    if (held != s->totals.classes_held || !buckets_sound(self, held))
        return false;
    for (uint32_t class = 0; class < s->class_places.used; class ++) {
        const pn_dispatch_class *entry = &self->view.classes[class];
        if (entry->stages > 0 ? !class_sound(self, class) : entry->offered != 0)
            return false;
        if (entry->stages == 0 && self->view.class_nodes[class].height > 0)
            return false;
        free -= entry->stages == 0 ? pn_dispatch_member(self, class) : 0;
    }
    return grown_sound(s) &&
           pn_validate_free(&s->class_places, PN_LINKS(self->view.classes, next),
                            s->config.classes_max, held, self->key, &free) &&
           free == 0 && lanes_sound(self);
}
