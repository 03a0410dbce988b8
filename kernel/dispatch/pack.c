/* Nodes are filled one after the other, each with the pairs that suit it best (DG23).
 *
 * The score of a pair is 1000 * a - m * (abar * p / pbar). In a class a is the same for all, so the
 * best pair has the least p; but where the quotient is floored several p are as good, and the
 * lowest id wins. A class is a tree by id that knows the least p of each subtree: so both are found
 * without looking at all its jobs. */
#include "state.h"

/* Returns the next active class of lane 0, which is that of all jobs here. */
static uint32_t next_class(const pn_dispatch_view *view, uint32_t after)
{
    return pn_dispatch_next_active(view, 0, after);
}

/* Returns the first node >= from where anything fits; classes that fit nowhere are set aside.
 * Nothing fits before `from`. */
static uint32_t next_node(const pn_dispatch_view *view, uint32_t from)
{
    uint32_t node = PN_DISPATCH_NONE;
    for (uint32_t class = next_class(view, PN_TREE_NONE); class != PN_TREE_NONE;) {
        uint32_t next = next_class(view, class),
                 room = pn_dispatch_next_room(view, view->classes[class].demand, from);
        if (room == PN_DISPATCH_NONE)
            pn_dispatch_set_aside(view, class, PN_DISPATCH_NO_ROOM);
        node = (uint32_t)pn_min(node, room);
        class = next;
    }
    return node;
}

/* Means over all pairs that fit on a node. */
typedef struct means {
    uint64_t a, p; /* abar, pbar */
} means;

static uint32_t first_stage_of(const pn_dispatch_view *view, uint32_t bundle)
{
    pn_tree stages = pn_dispatch_stages_of(view, bundle);
    return pn_tree_first(&stages);
}

/* Returns what the policy says of a class, by any of its stages; 0 once it has given up. O(1). */
static uint64_t align(const pn_dispatch_view *view, uint32_t class, uint32_t node)
{
    uint32_t bundle = view->classes[class].bundles.root - 1,
             stage = view->bundles[bundle].stages.root - 1;
    if (view->s->fleet.failure != 0)
        return 0;
    return pn_min(view->policy->align(view, stage, node), (uint64_t)1 << 42);
}

/* Computes a mean; false when no pair fits. */
static bool mean_of(const pn_dispatch_view *view, uint32_t node, means *mean)
{
    pn_wide a = {0, 0}, p = {0, 0};
    uint64_t pairs = 0, rest;
    for (uint32_t class = next_class(view, PN_TREE_NONE); class != PN_TREE_NONE;
         class = next_class(view, class)) {
        pn_dispatch_class *entry = &view->classes[class];
        if (!pn_dispatch_fits(view, entry->demand, node))
            continue;
        entry->aligned = align(view, class, node);
        a = pn_wide_sum(a, pn_wide_product(entry->aligned, entry->offered));
        p = pn_wide_sum(p, entry->left);
        pairs += entry->offered;
    }
    if (pairs == 0)
        return false;
    mean->a = pn_wide_divide(a, pairs, &rest).low;
    mean->p = pn_max(1, pn_wide_divide(p, pairs, &rest).low);
    return true;
}

/* A class with the best score of its pairs. Which pair has it is looked up only when scores of
 * classes are equal, and of the best class. */
typedef struct candidate {
    pn_wide score; /* above an offset */
    uint64_t most; /* p up to which a pair of the class has this score */
    uint64_t id;
    uint32_t class;
    uint32_t stage; /* PN_DISPATCH_NO_STAGE: it is not looked up */
} candidate;

static pn_wide dispatch_times(pn_wide a, uint64_t by)
{
    pn_wide product = pn_wide_product(a.low, by);
    product.high += a.high * by;
    return product;
}

static candidate candidate_of(const pn_dispatch_view *view, uint32_t class, const means *mean)
{
    const pn_wide offset = {(uint64_t)1 << 62, 0};
    const pn_dispatch_class *entry = &view->classes[class];
    uint64_t least = view->bundle_nodes[entry->bundles.root - 1].least, most = UINT64_MAX, rest;
    pn_wide quotient = pn_wide_divide(pn_wide_product(mean->a, least), mean->p, &rest);
    if (mean->a > 0 && view->s->exchange > 0)
        most = least + pn_min((mean->p - 1 - rest) / mean->a, UINT64_MAX - least);
    pn_wide score = pn_wide_sum(offset, pn_wide_product(entry->aligned, 1000));
    score = pn_wide_difference(score, dispatch_times(quotient, view->s->exchange));
    return (candidate){score, most, 0, class, PN_DISPATCH_NO_STAGE};
}

/* Finds the pair with the lowest id among those with the best score. O(log jobs). */
static void look_up(const pn_dispatch_view *view, candidate *it)
{
    if (it->stage != PN_DISPATCH_NO_STAGE)
        return;
    pn_tree bundles = pn_dispatch_bundles_of(view, it->class);
    uint32_t bundle = pn_tree_next_at_most(&bundles, PN_TREE_NONE, it->most);
    it->id = view->bundles[bundle].id;
    it->stage = first_stage_of(view, bundle);
}

static bool better(const pn_dispatch_view *view, candidate *a, candidate *b)
{
    int order = pn_wide_compare(a->score, b->score);
    if (order != 0)
        return order > 0;
    look_up(view, a);
    look_up(view, b);
    return a->id != b->id ? a->id < b->id : pn_dispatch_stage_before(view, a->stage, b->stage);
}

/* Returns the stage whose task goes to the node next; PN_DISPATCH_NO_STAGE when none fits.
 * O(classes + log jobs), where scores are equal O(log jobs) for each class. */
static uint32_t dispatch_choose(const pn_dispatch_view *view, uint32_t node)
{
    candidate best = {.class = PN_TREE_NONE};
    means mean;
    if (!mean_of(view, node, &mean))
        return PN_DISPATCH_NO_STAGE;
    for (uint32_t class = next_class(view, PN_TREE_NONE); class != PN_TREE_NONE;
         class = next_class(view, class)) {
        if (!pn_dispatch_fits(view, view->classes[class].demand, node))
            continue;
        candidate rival = candidate_of(view, class, &mean);
        if (best.class == PN_TREE_NONE || better(view, &rival, &best))
            best = rival;
    }
    look_up(view, &best);
    return best.stage;
}

int pn_dispatch_pack(pn_dispatch_view *view, uint64_t *most)
{
    pn_dispatch_revive(view);
    for (uint32_t node = next_node(view, 0);
         node != PN_DISPATCH_NONE && view->s->fleet.failure == 0;
         node = next_node(view, node + 1)) {
        for (uint32_t stage = dispatch_choose(view, node);
             stage != PN_DISPATCH_NO_STAGE && view->s->fleet.failure == 0;
             stage = dispatch_choose(view, node)) {
            int status = pn_dispatch_give(view, stage, node, most);
            if (status != PN_OK)
                return status;
        }
    }
    return PN_OK;
}
