/* Who is first: lanes, classes and bundles, see state.h. */
#include "state.h"

enum { FEW_BUNDLES = 8 };

/* ---- the table of classes ---- */

static uint32_t *dispatch_bucket_of(const pn_dispatch_view *view, const uint64_t *demand,
                                    uint32_t queue)
{
    uint64_t hash = pn_mix(PN_MIX_START, queue);
    for (uint32_t r = 0; r < view->s->config.resources; r++)
        hash = pn_mix(hash, demand[r]);
    return &view->buckets[hash & (view->s->buckets_count - 1)];
}

/* Returns which queue a stage's class is of: all of them are one where the policy orders jobs. */
static uint32_t queue_for(const pn_dispatch_view *view, uint32_t queue)
{
    return view->s->order.by_queue ? queue : 0;
}

uint32_t pn_dispatch_class_find(const pn_dispatch_view *view, const uint64_t *demand,
                                uint32_t queue)
{
    const pn_dispatch_class *class;
    queue = queue_for(view, queue);
    for (uint32_t link = *dispatch_bucket_of(view, demand, queue); link != 0; link = class->next) {
        class = &view->classes[link - 1];
        if (class->queue == queue && pn_same_bytes(class->demand, demand, sizeof class->demand))
            return link - 1;
    }
    return PN_DISPATCH_NONE;
}

static uint32_t new_class(const pn_dispatch_view *view, const uint64_t *demand, uint32_t queue)
{
    pn_dispatch *s = view->s;
    uint32_t *bucket = dispatch_bucket_of(view, demand, queue),
             place = pn_place_take(&s->class_places, PN_LINKS(view->classes, next));
    pn_dispatch_class *class = &view->classes[place];
    *class = (pn_dispatch_class){.queue = queue, .next = *bucket};
    memcpy(class->demand, demand, sizeof class->demand);
    pn_dispatch_rates(s, demand, &class->sigma, &class->omega);
    *bucket = place + 1;
    s->totals.classes_held++;
    return place;
}

/* Adds a stage to its class; false when that is new and there is no place. */
bool pn_dispatch_class_take(const pn_dispatch_view *view, const uint64_t *demand, uint32_t queue)
{
    uint32_t class = pn_dispatch_class_find(view, demand, queue);
    if (class == PN_DISPATCH_NONE && view->s->totals.classes_held == view->s->config.classes_max)
        return false;
    if (class == PN_DISPATCH_NONE)
        class = new_class(view, demand, queue_for(view, queue));
    view->classes[class].stages++;
    return true;
}

/* Returns the tree of its lane that the class belongs to. */
static pn_tree tree_for(const pn_dispatch_view *view, uint32_t class)
{
    const pn_dispatch_class *entry = &view->classes[class];
    return entry->aside == PN_DISPATCH_ACTIVE ? pn_dispatch_classes_of(view, entry->queue)
                                              : pn_dispatch_aside_of(view, entry->queue);
}

static void leave_tree(const pn_dispatch_view *view, uint32_t class)
{
    pn_tree tree = tree_for(view, class);
    if (pn_tree_has(&tree, class))
        pn_tree_remove(&tree, class);
}

static void return_from_aside(const pn_dispatch_view *view, uint32_t class)
{
    pn_dispatch_class *entry = &view->classes[class];
    leave_tree(view, class); /* it is another one's from now on */
    uint32_t last = view->aside[--view->s->aside_count];
    view->aside[entry->place] = last;
    view->classes[last].place = entry->place;
    view->aside[view->s->aside_count] = 0;
    entry->aside = PN_DISPATCH_ACTIVE;
    entry->place = 0;
}

/* Drops a stage of the class that left the system. */
void pn_dispatch_class_drop(const pn_dispatch_view *view, uint32_t class)
{
    pn_dispatch *s = view->s;
    pn_dispatch_class *entry = &view->classes[class];
    if (--entry->stages > 0)
        return;
    PN_ASSERT(entry->offered == 0);
    if (entry->aside != PN_DISPATCH_ACTIVE)
        return_from_aside(view, class);
    uint32_t *link = dispatch_bucket_of(view, entry->demand, entry->queue);
    while (*link != class + 1)
        link = &view->classes[*link - 1].next;
    *link = entry->next;
    s->totals.classes_held--;
    memset(entry, 0, sizeof *entry);
    /* The last place of all is free without a list: so classes that are taken and dropped again in
     * the opposite order leave no trace. */
    if (s->class_places.free == 0 && class + 1 == s->class_places.used) {
        s->class_places.used--;
        return;
    }
    pn_place_free(&s->class_places, PN_LINKS(view->classes, next), class);
}

/* ---- lanes ---- */

static void queue_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    *key = (pn_key){{0, 0}};
    if (view->s->fleet.failure == 0)
        view->policy->queue_key(view, queue, key);
}

void pn_dispatch_rekey_queue(const pn_dispatch_view *view, uint32_t queue)
{
    pn_key key;
    if (!view->s->order.by_queue || !pn_heap_has(&view->lanes, queue))
        return;
    queue_key(view, queue, &key);
    pn_heap_update(&view->lanes, queue, key.word);
}

/* Settles a lane, which is in the heap while it has an active class with something to offer. */
static void settle_lane(const pn_dispatch_view *view, uint32_t lane)
{
    pn_key key;
    bool has = pn_heap_has(&view->lanes, lane), wants = view->queues[lane].classes.count > 0;
    if (!view->s->order.by_queue || has == wants)
        return;
    if (has) {
        pn_heap_remove(&view->lanes, lane);
        return;
    }
    queue_key(view, lane, &key);
    pn_heap_push(&view->lanes, lane, key.word);
}

void pn_dispatch_head_of(const pn_dispatch_view *view, uint32_t bundle,
                         uint64_t head[PN_DISPATCH_HEAD_WORDS])
{
    pn_tree stages = pn_dispatch_stages_of(view, bundle);
    const uint64_t *word = view->stage_nodes[pn_tree_first(&stages)].word;
    head[0] = view->bundles[bundle].id;
    head[1] = word[0];
    head[2] = word[1];
}

/* Puts the class where its first bundle belongs in its lane. */
static void settle_in(const pn_dispatch_view *view, uint32_t class, uint32_t bundle)
{
    pn_dispatch_class *entry = &view->classes[class];
    pn_tree tree = tree_for(view, class);
    const uint64_t *word = view->bundle_nodes[bundle].word, *old = view->class_nodes[class].word;
    uint64_t head[PN_DISPATCH_HEAD_WORDS];
    bool has = pn_tree_has(&tree, class);
    pn_dispatch_head_of(view, bundle, head);
    if (has && word[0] == old[0] && word[1] == old[1] &&
        pn_same_bytes(head, entry->head, sizeof head))
        return;
    memcpy(entry->head, head, sizeof head);
    if (has)
        pn_tree_settle(&tree, class, word);
    else
        pn_tree_insert(&tree, class, word, 0);
}

/* Settles the class where its first bundle belongs in its lane, or takes it out. */
static void dispatch_settle(const pn_dispatch_view *view, uint32_t class)
{
    const pn_dispatch_class *entry = &view->classes[class];
    pn_tree own = pn_dispatch_bundles_of(view, class);
    bool known = entry->aside == PN_DISPATCH_ACTIVE || view->s->order.by_queue;
    uint32_t first = known ? pn_tree_first(&own) : PN_TREE_NONE;
    if (first == PN_TREE_NONE)
        leave_tree(view, class);
    else
        settle_in(view, class, first);
    settle_lane(view, entry->queue);
}

/* ---- bundles ---- */

/* Orders the jobs of a queue by priority, then by submission; nodes that are filled one after the
 * other look for the least p, and among these for the lowest id. */
static void bundle_words(const pn_dispatch_view *view, uint32_t job, uint64_t word[2],
                         uint64_t *offer)
{
    const pn_dispatch_entry *entry = &view->jobs[job];
    bool keyed = !view->s->order.by_queue && !view->s->order.packs;
    word[0] = keyed                     ? entry->key.word[0]
              : view->s->order.by_queue ? pn_dispatch_precedence(entry)
                                        : 0;
    word[1] = keyed ? entry->key.word[1] : 0;
    *offer = view->s->order.packs ? entry->key.word[1] : 0;
}

/* Finds a bundle. Most jobs have few bundles, and looking at each is fastest; where there are more,
 * the class knows that of the job by its key. A link. */
static uint32_t find_bundle(const pn_dispatch_view *view, uint32_t job, uint32_t class)
{
    uint32_t link = view->jobs[job].first_bundle;
    uint64_t word[2], offer;
    for (int i = 0; i < FEW_BUNDLES && link != 0; i++, link = view->bundles[link - 1].after)
        if (view->bundles[link - 1].class == class)
            return link;
    if (link == 0)
        return 0;
    pn_tree tree = pn_dispatch_bundles_of(view, class);
    bundle_words(view, job, word, &offer);
    uint32_t bundle = pn_tree_find(&tree, word, view->jobs[job].id);
    return bundle == PN_TREE_NONE ? 0 : bundle + 1;
}

static pn_chain bundles_of(const pn_dispatch_view *view, uint32_t job)
{
    return PN_CHAIN(&view->jobs[job].first_bundle, NULL, view->bundles, before, after);
}

static uint32_t new_bundle(const pn_dispatch_view *view, uint32_t job, uint32_t class)
{
    pn_tree tree = pn_dispatch_bundles_of(view, class);
    uint64_t word[2], offer;
    uint32_t place = pn_place_take(&view->s->bundle_places, PN_LINKS(view->bundles, after));
    view->bundles[place] = (pn_dispatch_bundle){
        .id = view->jobs[job].id, .job = job, .class = class};
    pn_chain_insert(bundles_of(view, job), place, 0);
    bundle_words(view, job, word, &offer);
    pn_tree_insert(&tree, place, word, offer);
    return place;
}

static void drop_bundle(const pn_dispatch_view *view, uint32_t bundle)
{
    pn_dispatch_bundle *entry = &view->bundles[bundle];
    pn_tree tree = pn_dispatch_bundles_of(view, entry->class);
    pn_tree_remove(&tree, bundle);
    pn_chain_remove(bundles_of(view, entry->job), bundle);
    entry->id = 0;
    pn_place_free(&view->s->bundle_places, PN_LINKS(view->bundles, after), bundle);
}

/* ---- stages ---- */

/* Orders stages by DG11, larger first as its distance from the largest. */
static void stage_words(const pn_dispatch_view *view, uint32_t stage, uint64_t word[2])
{
    const pn_dispatch_stage_entry *entry = &view->stages[stage];
    word[0] = 0;
    word[1] = entry->index;
    if (view->s->config.order == PN_DISPATCH_DEPTH)
        word[0] = UINT64_MAX - entry->depth;
    if (view->s->config.order == PN_DISPATCH_WORK)
        word[0] = UINT64_MAX - pn_dispatch_pending_of(entry) * entry->estimate *
                                   view->classes[entry->class].sigma;
}

static void add_left(const pn_dispatch_view *view, uint32_t class, uint64_t p, uint64_t times)
{
    pn_wide *left = &view->classes[class].left;
    if (view->s->order.packs)
        *left = pn_wide_sum(*left, pn_wide_product(p, times));
}

static void take_left(const pn_dispatch_view *view, uint32_t class, uint64_t p, uint64_t times)
{
    pn_wide *left = &view->classes[class].left;
    if (view->s->order.packs)
        *left = pn_wide_difference(*left, pn_wide_product(p, times));
}

void pn_dispatch_reorder_stage(const pn_dispatch_view *view, uint32_t stage)
{
    uint64_t word[2];
    if (view->s->config.order != PN_DISPATCH_WORK)
        return;
    const pn_dispatch_stage_entry *entry = &view->stages[stage];
    pn_tree tree = pn_dispatch_stages_of(view, entry->bundle - 1);
    bool first = pn_tree_first(&tree) == stage;
    stage_words(view, stage, word);
    pn_tree_move(&tree, stage, word);
    if (first || pn_tree_first(&tree) == stage)
        dispatch_settle(view, entry->class);
}

/* ---- keys ---- */

static void job_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    bool packs = view->s->order.packs;
    *key = (pn_key){{0, packs ? 0 : view->jobs[job].id}};
    if (view->policy->key && view->s->fleet.failure == 0)
        view->policy->key(view, job, key);
    if (packs)
        *key = (pn_key){{0, pn_max(key->word[1], 1)}};
}

/* Moves the bundles of a job whose key was another one. */
static void move_bundles(const pn_dispatch_view *view, uint32_t job, uint64_t before)
{
    uint64_t word[2], offer;
    bundle_words(view, job, word, &offer);
    for (uint32_t link = view->jobs[job].first_bundle; link != 0;
         link = view->bundles[link - 1].after) {
        const pn_dispatch_bundle *bundle = &view->bundles[link - 1];
        pn_tree tree = pn_dispatch_bundles_of(view, bundle->class);
        if (view->s->order.packs) {
            take_left(view, bundle->class, before, bundle->stages.count);
            add_left(view, bundle->class, offer, bundle->stages.count);
            pn_tree_offer(&tree, link - 1, offer);
        } else {
            pn_tree_move(&tree, link - 1, word);
            dispatch_settle(view, bundle->class);
        }
    }
}

/* Computes the key of a job as it is now; that of one with nothing to offer is computed when it
 * has, unless it is fixed. */
static void dispatch_compute_key(const pn_dispatch_view *view, uint32_t job)
{
    pn_dispatch_entry *entry = &view->jobs[job];
    pn_key key, before = entry->key;
    job_key(view, job, &key);
    entry->key = key;
    if (key.word[0] != before.word[0] || key.word[1] != before.word[1])
        move_bundles(view, job, before.word[1]);
}

void pn_dispatch_rekey(const pn_dispatch_view *view, uint32_t job)
{
    if (!view->s->order.by_queue && view->jobs[job].first_bundle != 0)
        dispatch_compute_key(view, job);
}

/* Fixes the key when a job arrives. */
void pn_dispatch_fix_key(const pn_dispatch_view *view, uint32_t job)
{
    if (!view->s->order.by_queue && view->s->order.keys == PN_DISPATCH_KEYS_FIXED)
        dispatch_compute_key(view, job);
}

/* ---- offers ---- */

void pn_dispatch_offer(const pn_dispatch_view *view, uint32_t stage)
{
    pn_dispatch_stage_entry *entry = &view->stages[stage];
    uint64_t word[2];
    if (view->jobs[entry->job].first_bundle == 0 && view->s->order.keys != PN_DISPATCH_KEYS_FIXED)
        dispatch_compute_key(view, entry->job);
    uint32_t link = find_bundle(view, entry->job, entry->class);
    uint32_t bundle = link != 0 ? link - 1 : new_bundle(view, entry->job, entry->class);
    pn_tree tree = pn_dispatch_stages_of(view, bundle);
    stage_words(view, stage, word);
    pn_tree_insert(&tree, stage, word, 0);
    entry->bundle = bundle + 1;
    view->classes[entry->class].offered++;
    view->s->offered++;
    add_left(view, entry->class, view->jobs[entry->job].key.word[1], 1);
    if (pn_tree_first(&tree) == stage)
        dispatch_settle(view, entry->class);
}

void pn_dispatch_withdraw(const pn_dispatch_view *view, uint32_t stage)
{
    pn_dispatch_stage_entry *entry = &view->stages[stage];
    uint32_t bundle = entry->bundle - 1;
    pn_tree tree = pn_dispatch_stages_of(view, bundle);
    bool first = pn_tree_first(&tree) == stage;
    pn_tree_remove(&tree, stage);
    entry->bundle = 0;
    view->classes[entry->class].offered--;
    view->s->offered--;
    take_left(view, entry->class, view->jobs[entry->job].key.word[1], 1);
    if (view->bundles[bundle].stages.count == 0)
        drop_bundle(view, bundle);
    if (first)
        dispatch_settle(view, entry->class);
}

/* ---- aside ---- */

void pn_dispatch_set_aside(const pn_dispatch_view *view, uint32_t class, uint32_t reason)
{
    pn_dispatch_class *entry = &view->classes[class];
    PN_ASSERT(entry->aside == PN_DISPATCH_ACTIVE);
    leave_tree(view, class);
    entry->aside = reason;
    entry->place = view->s->aside_count++;
    view->aside[entry->place] = class;
    dispatch_settle(view, class);
}

/* Returns whether a task of the class would keep to its queue's maximum (DG17). */
bool pn_dispatch_within_maximum(const pn_dispatch_view *view, uint32_t class)
{
    const pn_dispatch *s = view->s;
    const pn_dispatch_class *entry = &view->classes[class];
    const pn_dispatch_lane *queue = &view->queues[entry->queue];
    for (uint32_t r = 0; r < s->config.resources && s->order.limits; r++)
        if (queue->use[r] + entry->demand[r] > queue->maximum * s->capacity[r] / 1000)
            return false;
    return true;
}

void pn_dispatch_revive(const pn_dispatch_view *view, uint32_t node, uint32_t queue)
{
    for (uint32_t i = view->s->aside_count; i-- > 0;) {
        uint32_t class = view->aside[i];
        const pn_dispatch_class *entry = &view->classes[class];
        bool over = entry->aside == PN_DISPATCH_OVER_MAXIMUM;
        if (over ? entry->queue == queue && pn_dispatch_within_maximum(view, class)
                 : node != PN_DISPATCH_NONE && pn_dispatch_fits(view, entry->demand, node)) {
            return_from_aside(view, class);
            dispatch_settle(view, class);
        }
    }
}

void pn_dispatch_revive_all(const pn_dispatch_view *view)
{
    for (uint32_t i = view->s->aside_count; i-- > 0;) {
        uint32_t class = view->aside[i];
        const pn_dispatch_class *entry = &view->classes[class];
        bool over = entry->aside == PN_DISPATCH_OVER_MAXIMUM;
        if (over ? pn_dispatch_within_maximum(view, class)
                 : pn_dispatch_next_room(view, entry->demand, 0) != PN_DISPATCH_NONE) {
            return_from_aside(view, class);
            dispatch_settle(view, class);
        }
    }
}

/* ---- the first pair (DG9) ---- */

bool pn_dispatch_stage_before(const pn_dispatch_view *view, uint32_t a, uint32_t b)
{
    const pn_tree_node *left = &view->stage_nodes[a], *right = &view->stage_nodes[b];
    if (left->word[0] != right->word[0])
        return left->word[0] < right->word[0];
    return left->word[1] < right->word[1];
}

static bool head_before(const uint64_t *a, const uint64_t *b)
{
    uint32_t i = 0;
    while (i + 1 < PN_DISPATCH_HEAD_WORDS && a[i] == b[i])
        i++;
    return a[i] < b[i];
}

/* Returns the first stage of a class that has one. */
static uint32_t first_stage(const pn_dispatch_view *view, uint32_t class)
{
    pn_tree bundles = pn_dispatch_bundles_of(view, class);
    pn_tree stages = pn_dispatch_stages_of(view, pn_tree_first(&bundles));
    return pn_tree_first(&stages);
}

/* Returns whether one class precedes another one of its queue, aside or not. */
static bool class_before(const pn_dispatch_view *view, uint32_t a, uint32_t b)
{
    const uint64_t *left = view->class_nodes[a].word, *right = view->class_nodes[b].word;
    return left[0] != right[0] ? left[0] < right[0]
                               : head_before(view->classes[a].head, view->classes[b].head);
}

uint32_t pn_dispatch_first_of_queue(const pn_dispatch_view *view, uint32_t queue)
{
    pn_tree active = pn_dispatch_classes_of(view, queue), aside = pn_dispatch_aside_of(view, queue);
    uint32_t class = pn_tree_first(&active), other = pn_tree_first(&aside);
    if (class == PN_TREE_NONE || (other != PN_TREE_NONE && class_before(view, other, class)))
        class = other;
    return class == PN_TREE_NONE ? PN_DISPATCH_NO_STAGE : first_stage(view, class);
}

/* Returns the job of the first bundle of the first class of a lane, as the keys stand;
 * PN_NO_JOB. */
static uint32_t first_job(const pn_dispatch_view *view, uint32_t lane)
{
    pn_tree classes = pn_dispatch_classes_of(view, lane);
    uint32_t class = pn_tree_first(&classes);
    if (class == PN_TREE_NONE)
        return PN_NO_JOB;
    pn_tree bundles = pn_dispatch_bundles_of(view, class);
    return view->bundles[pn_tree_first(&bundles)].job;
}

/* Returns the same job where keys grow with time. One that was computed earlier is at most what it
 * would be now: if the first job's is computed now and it stays the first, no other one precedes
 * it. */
static uint32_t first_grown_job(const pn_dispatch_view *view)
{
    uint32_t job = first_job(view, 0), before = PN_NO_JOB;
    /* Of a key that does grow, each job needs one look, and the last one a second: a policy whose
     * key does not ends here, too. */
    for (uint32_t left = view->s->totals.in_system + 1; left > 0 && job != before; left--) {
        if (job == PN_NO_JOB)
            break;
        if (view->jobs[job].running > 0)
            dispatch_compute_key(view, job);
        before = job;
        job = first_job(view, 0);
    }
    return job;
}

uint32_t pn_dispatch_first_pair(const pn_dispatch_view *view)
{
    uint32_t lane = 0;
    if (view->s->order.by_queue && view->lanes.state->count == 0)
        return PN_DISPATCH_NO_STAGE;
    if (view->s->order.by_queue)
        lane = view->lanes.entry[0].item;
    uint32_t job = view->s->order.keys == PN_DISPATCH_KEYS_GROWING ? first_grown_job(view)
                                                                   : first_job(view, lane);
    pn_tree classes = pn_dispatch_classes_of(view, lane);
    return job == PN_NO_JOB ? PN_DISPATCH_NO_STAGE : first_stage(view, pn_tree_first(&classes));
}
