/* Who is first: lanes, classes and bundles, see state.h. */
#include "state.h"

enum {
    FEW_BUNDLES = 8,
    LOOKS = 64 /* at classes aside, for the first that fits */
};

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

/* Drops a stage of the class that left the system. */
void pn_dispatch_class_drop(const pn_dispatch_view *view, uint32_t class)
{
    pn_dispatch *s = view->s;
    pn_dispatch_class *entry = &view->classes[class];
    if (--entry->stages > 0)
        return;
    PN_ASSERT(entry->offered == 0 && entry->aside == PN_DISPATCH_ACTIVE);
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
    bool has = pn_heap_has(&view->lanes, lane), wants = pn_dispatch_lane_waits(view, lane);
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
    pn_tree tree = pn_dispatch_classes_of(view, entry->queue);
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
        pn_tree_insert(&tree, class, word, pn_dispatch_class_offer(entry));
}

/* Settles the class where its first bundle belongs in its lane, or takes it out. */
static void dispatch_settle(const pn_dispatch_view *view, uint32_t class)
{
    pn_dispatch_class *entry = &view->classes[class];
    pn_tree own = pn_dispatch_bundles_of(view, class),
            tree = pn_dispatch_classes_of(view, entry->queue);
    uint32_t first = pn_tree_first(&own);
    if (first != PN_TREE_NONE) {
        settle_in(view, class, first);
    } else if (PN_ALWAYS(pn_tree_has(&tree, class))) { /* as it had one until now */
        pn_tree_remove(&tree, class);
        entry->aside = PN_DISPATCH_ACTIVE; /* until it has offers again, and is looked at */
    }
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
    if (view->s->config.order == PN_DISPATCH_READY)
        word[0] = entry->times.ready;
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

/* Computes the key of a job again. Not called where queues are ordered: there keys are fixed. */
void pn_dispatch_rekey(const pn_dispatch_view *view, uint32_t job)
{
    if (view->jobs[job].first_bundle != 0)
        dispatch_compute_key(view, job);
}

pn_key pn_dispatch_key_now(const pn_dispatch_view *view, uint32_t job)
{
    pn_key key = view->jobs[job].key;
    if (view->s->order.keys != PN_DISPATCH_KEYS_FIXED)
        job_key(view, job, &key);
    return key;
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
    pn_tree tree = pn_dispatch_classes_of(view, entry->queue);
    entry->aside = reason;
    pn_tree_offer(&tree, class, pn_dispatch_class_offer(entry));
    settle_lane(view, entry->queue);
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

void pn_dispatch_more_room(const pn_dispatch_view *view, uint32_t node, uint32_t queue)
{
    pn_dispatch *s = view->s;
    if (queue != PN_DISPATCH_NONE)
        view->queues[queue].relieved = s->order.limits;
    for (uint32_t i = 0; i < s->grown_count && i < PN_DISPATCH_GROWN_MOST; i++)
        if (s->grown[i] == node)
            return;
    if (s->grown_count < PN_DISPATCH_GROWN_MOST)
        s->grown[s->grown_count] = node;
    s->grown_count = (uint32_t)pn_min(s->grown_count + 1, PN_DISPATCH_GROWN_MOST + 1);
}

static void forget_room(const pn_dispatch_view *view)
{
    pn_dispatch *s = view->s;
    s->grown_count = 0;
    memset(s->grown, 0, sizeof s->grown);
    for (uint32_t lane = 0; lane < s->queues_count && s->order.limits; lane++)
        view->queues[lane].relieved = 0;
}

/* Returns whether a class aside may come back: a node has more room, or its queue. */
static bool has_room(const pn_dispatch_view *view, uint32_t class)
{
    const pn_dispatch *s = view->s;
    const pn_dispatch_class *entry = &view->classes[class];
    if (entry->aside == PN_DISPATCH_OVER_MAXIMUM)
        return view->queues[entry->queue].relieved && pn_dispatch_within_maximum(view, class);
    if (s->grown_count > PN_DISPATCH_GROWN_MOST)
        return pn_dispatch_next_room(view, entry->demand, 0) != PN_DISPATCH_NONE;
    for (uint32_t i = 0; i < s->grown_count; i++)
        if (pn_dispatch_fits(view, entry->demand, s->grown[i]))
            return true;
    return false;
}

static uint32_t lanes_of(const pn_dispatch *s)
{
    return s->order.by_queue ? s->queues_count : 1;
}

void pn_dispatch_revive(const pn_dispatch_view *view)
{
    const uint64_t most = PN_DISPATCH_OFFER_ACTIVE - 1; /* of all that are aside */
    for (uint32_t lane = 0; lane < lanes_of(view->s) && view->s->grown_count > 0; lane++) {
        pn_tree tree = pn_dispatch_classes_of(view, lane);
        for (uint32_t class = pn_tree_next_at_most(&tree, PN_TREE_NONE, most);
             class != PN_TREE_NONE; class = pn_tree_next_at_most(&tree, class, most))
            if (has_room(view, class))
                pn_dispatch_set_aside(view, class, PN_DISPATCH_ACTIVE);
    }
    forget_room(view);
}

/* ---- the first pair (DG9) ---- */

bool pn_dispatch_stage_before(const pn_dispatch_view *view, uint32_t a, uint32_t b)
{
    return pn_words_before(view->stage_nodes[a].word, view->stage_nodes[b].word);
}

static bool head_before(const uint64_t *a, const uint64_t *b)
{
    uint32_t i = 0;
    while (i + 1 < PN_DISPATCH_HEAD_WORDS && a[i] == b[i])
        i++;
    return a[i] < b[i];
}

/* Returns whether one class precedes another one of its lane. */
static bool class_before(const pn_dispatch_view *view, uint32_t a, uint32_t b)
{
    const uint64_t *left = view->class_nodes[a].word, *right = view->class_nodes[b].word;
    if (left[0] != right[0])
        return left[0] < right[0];
    if (left[1] != right[1])
        return left[1] < right[1];
    return head_before(view->classes[a].head, view->classes[b].head);
}

/* Returns what classes aside offer at most that fit a node which has grown. */
static uint64_t most_grown(const pn_dispatch_view *view)
{
    const pn_dispatch *s = view->s;
    uint64_t most = s->grown_count > PN_DISPATCH_GROWN_MOST ? PN_DISPATCH_OFFER_ACTIVE - 1 : 0;
    for (uint32_t i = 0; i < s->grown_count && i < PN_DISPATCH_GROWN_MOST; i++)
        most = pn_max(most, pn_dispatch_offer_of(pn_dispatch_free_of(view, s->grown[i])[0]));
    return most;
}

/* Brings back the first class of a lane that has room, unless an active one precedes it: those
 * behind either can wait. Returns whether any may be left, unless there were no `looks` left. */
static bool revive_first(const pn_dispatch_view *view, uint32_t lane, uint64_t most, int *looks)
{
    pn_tree tree = pn_dispatch_classes_of(view, lane);
    uint32_t active = pn_dispatch_next_active(view, lane, PN_TREE_NONE);
    for (uint32_t class = pn_tree_next_at_most(&tree, PN_TREE_NONE, most);
         --*looks >= 0 && class != PN_TREE_NONE; class = pn_tree_next_at_most(&tree, class, most)) {
        if (active != PN_TREE_NONE && class_before(view, active, class))
            return true;
        if (has_room(view, class)) {
            pn_dispatch_set_aside(view, class, PN_DISPATCH_ACTIVE);
            return true;
        }
    }
    return false;
}

void pn_dispatch_revive_firsts(const pn_dispatch_view *view)
{
    int looks = LOOKS;
    bool more = false;
    if (view->s->grown_count == 0)
        return;
    uint64_t most = most_grown(view);
    for (uint32_t lane = 0; lane < lanes_of(view->s) && looks >= 0; lane++)
        more |= revive_first(view, lane, most, &looks);
    if (looks < 0)
        pn_dispatch_revive(view);
    else if (!more)
        forget_room(view);
}

/* Returns the first stage of a class that has one. */
static uint32_t first_stage(const pn_dispatch_view *view, uint32_t class)
{
    pn_tree bundles = pn_dispatch_bundles_of(view, class);
    pn_tree stages = pn_dispatch_stages_of(view, pn_tree_first(&bundles));
    return pn_tree_first(&stages);
}

uint32_t pn_dispatch_first_of_queue(const pn_dispatch_view *view, uint32_t queue)
{
    pn_tree classes = pn_dispatch_classes_of(view, queue);
    uint32_t class = pn_tree_first(&classes);
    return class == PN_TREE_NONE ? PN_DISPATCH_NO_STAGE : first_stage(view, class);
}

/* Returns the first active class, as the keys stand; PN_TREE_NONE. */
static uint32_t first_class(const pn_dispatch_view *view)
{
    bool by_queue = view->s->order.by_queue;
    pn_dispatch_revive_firsts(view);
    if (by_queue && view->lanes.state->count == 0)
        return PN_TREE_NONE;
    return pn_dispatch_next_active(view, by_queue ? view->lanes.entry[0].item : 0, PN_TREE_NONE);
}

/* Returns the job of the first bundle of a class. */
static uint32_t first_job(const pn_dispatch_view *view, uint32_t class)
{
    pn_tree bundles = pn_dispatch_bundles_of(view, class);
    return view->bundles[pn_tree_first(&bundles)].job;
}

/* Returns the same class where keys grow with time. Keys that were
 * computed earlier are too small, if anything. So a job whose key is computed now and that is still
 * the first precedes all others. */
static uint32_t first_class_now(const pn_dispatch_view *view)
{
    uint32_t class = first_class(view), before = PN_NO_JOB;
    /* Of a key that does grow, each job needs one look, and the last one a second: a policy whose
     * key does not ends here, too. */
    for (uint32_t left = view->s->totals.in_system + 1; left > 0; left--) {
        uint32_t job = class == PN_TREE_NONE ? before : first_job(view, class);
        if (job == before)
            break;
        if (view->jobs[job].running > 0)
            dispatch_compute_key(view, job);
        before = job;
        class = first_class(view);
    }
    return class;
}

uint32_t pn_dispatch_first_pair(const pn_dispatch_view *view)
{
    uint32_t class = view->s->order.keys == PN_DISPATCH_KEYS_GROWING ? first_class_now(view)
                                                                     : first_class(view);
    return class == PN_TREE_NONE ? PN_DISPATCH_NO_STAGE : first_stage(view, class);
}

uint32_t pn_dispatch_first_of_job(const pn_dispatch_view *view, uint32_t job)
{
    uint32_t first = PN_DISPATCH_NO_STAGE;
    for (uint32_t link = view->jobs[job].first_bundle; link != 0;
         link = view->bundles[link - 1].after) {
        pn_tree stages = pn_dispatch_stages_of(view, link - 1);
        uint32_t stage = pn_tree_first(&stages);
        if (first == PN_DISPATCH_NO_STAGE || pn_dispatch_stage_before(view, stage, first))
            first = stage;
    }
    return first;
}
