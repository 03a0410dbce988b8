/* See tree.h. Insertion and removal climb to the root once, renewing heights and offers and
 * rotating where an AVL tree must. */
#include "tree.h"

static inline pn_tree_node *at(const pn_tree *tree, uint32_t link)
{
    return &tree->node[link - 1];
}

/* Compares ids whose first words are equal; apart, as few trees have any. */
static bool rest_before(const pn_tree *tree, const uint64_t *a, const uint64_t *b)
{
    size_t i = 0;
    while (i < tree->id_more && a[i] == b[i])
        i++;
    return a[i] < b[i];
}

static inline bool tree_before(const pn_tree *tree, const uint64_t word[2], uint32_t item,
                               uint32_t link)
{
    const pn_tree_node *node = at(tree, link);
    if (word[0] != node->word[0])
        return word[0] < node->word[0];
    if (word[1] != node->word[1])
        return word[1] < node->word[1];
    const uint64_t *a = &tree->id[item * tree->id_stride];
    const uint64_t *b = &tree->id[(link - 1) * tree->id_stride];
    return *a != *b ? *a < *b : rest_before(tree, a, b);
}

static inline uint32_t height(const pn_tree *tree, uint32_t link)
{
    return link ? at(tree, link)->height : 0;
}

/* Computes what a node says of its subtree from its children. */
static void renew(const pn_tree *tree, uint32_t link)
{
    pn_tree_node *node = at(tree, link);
    uint32_t left = height(tree, node->left);
    uint32_t right = height(tree, node->right);
    node->height = 1 + (left > right ? left : right);
    node->least = node->offer > 0 ? node->offer : UINT64_MAX;
    node->most = node->offer;
    for (int side = 0; side < 2; side++) {
        uint32_t child = side ? node->right : node->left;
        if (child == 0)
            continue;
        if (at(tree, child)->least < node->least)
            node->least = at(tree, child)->least;
        if (at(tree, child)->most > node->most)
            node->most = at(tree, child)->most;
    }
}

/* Puts `child` where `old` hung below `parent`. */
static void hang(const pn_tree *tree, uint32_t parent, uint32_t old, uint32_t child)
{
    if (parent == 0)
        tree->state->root = child;
    else if (at(tree, parent)->left == old)
        at(tree, parent)->left = child;
    else
        at(tree, parent)->right = child;
    if (child)
        at(tree, child)->parent = parent;
}

/* Lifts the child on one side above its parent `link`; returns the new top. */
static uint32_t rotate(const pn_tree *tree, uint32_t link, bool lift_left)
{
    pn_tree_node *node = at(tree, link);
    uint32_t top = lift_left ? node->left : node->right;
    PN_ASSERT(top != 0);
    pn_tree_node *risen = at(tree, top);
    uint32_t inner = lift_left ? risen->right : risen->left;
    hang(tree, node->parent, link, top);
    if (lift_left) {
        node->left = inner;
        risen->right = link;
    } else {
        node->right = inner;
        risen->left = link;
    }
    if (inner)
        at(tree, inner)->parent = link;
    node->parent = top;
    renew(tree, link);
    renew(tree, top);
    return top;
}

static void climb(const pn_tree *tree, uint32_t link)
{
    while (link != 0) {
        pn_tree_node *node = at(tree, link);
        uint32_t left = height(tree, node->left);
        uint32_t right = height(tree, node->right);
        if (left > right + 1) {
            const pn_tree_node *child = at(tree, node->left);
            if (height(tree, child->right) > height(tree, child->left))
                rotate(tree, node->left, false);
            link = rotate(tree, link, true);
        } else if (right > left + 1) {
            const pn_tree_node *child = at(tree, node->right);
            if (height(tree, child->left) > height(tree, child->right))
                rotate(tree, node->right, true);
            link = rotate(tree, link, false);
        } else {
            renew(tree, link);
        }
        tree->state->moves++;
        link = at(tree, link)->parent;
    }
}

void pn_tree_insert(const pn_tree *tree, uint32_t item, const uint64_t word[2], uint64_t offer)
{
    PN_ASSERT(!pn_tree_has(tree, item));
    uint32_t parent = 0;
    uint32_t link = tree->state->root;
    bool left = false;
    while (link != 0) {
        parent = link;
        left = tree_before(tree, word, item, link);
        link = left ? at(tree, link)->left : at(tree, link)->right;
    }
    tree->node[item] = (pn_tree_node){.word = {word[0], word[1]}, .parent = parent, .offer = offer};
    if (parent == 0)
        tree->state->root = item + 1;
    else if (left)
        at(tree, parent)->left = item + 1;
    else
        at(tree, parent)->right = item + 1;
    tree->state->count++;
    climb(tree, item + 1);
}

void pn_tree_remove(const pn_tree *tree, uint32_t item)
{
    PN_ASSERT(pn_tree_has(tree, item));
    uint32_t link = item + 1;
    pn_tree_node *node = at(tree, link);
    uint32_t start; /* the lowest node whose subtree has changed */
    if (node->left == 0 || node->right == 0) {
        start = node->parent;
        hang(tree, node->parent, link, node->left ? node->left : node->right);
    } else {
        /* The successor is the leftmost node of the right subtree; it takes the place of the
         * removed one. */
        uint32_t next = node->right;
        while (at(tree, next)->left != 0)
            next = at(tree, next)->left;
        pn_tree_node *successor = at(tree, next);
        start = successor->parent == link ? next : successor->parent;
        if (successor->parent != link) {
            hang(tree, successor->parent, next, successor->right);
            successor->right = node->right;
            at(tree, node->right)->parent = next;
        }
        successor->left = node->left;
        at(tree, node->left)->parent = next;
        hang(tree, node->parent, link, next);
    }
    node->height = 0;
    tree->state->count--;
    climb(tree, start);
}

void pn_tree_offer(const pn_tree *tree, uint32_t item, uint64_t offer)
{
    PN_ASSERT(pn_tree_has(tree, item));
    if (tree->node[item].offer == offer)
        return;
    tree->node[item].offer = offer;
    for (uint32_t link = item + 1; link != 0; link = at(tree, link)->parent) {
        const pn_tree_node *node = at(tree, link);
        uint64_t least = node->least, most = node->most;
        renew(tree, link);
        if (node->least == least && node->most == most)
            return; /* nor does anything change above it */
    }
}

uint32_t pn_tree_first(const pn_tree *tree)
{
    uint32_t link = tree->state->root;
    while (link != 0 && at(tree, link)->left != 0)
        link = at(tree, link)->left;
    return link == 0 ? PN_TREE_NONE : link - 1;
}

/* Returns the item before or behind one in order, as a link. */
static uint32_t beside(const pn_tree *tree, uint32_t link, bool behind)
{
    uint32_t child = behind ? at(tree, link)->right : at(tree, link)->left, parent;
    if (child != 0) {
        for (uint32_t next = child; next != 0;) {
            child = next;
            next = behind ? at(tree, next)->left : at(tree, next)->right;
        }
        return child;
    }
    for (parent = at(tree, link)->parent; parent != 0; parent = at(tree, link)->parent) {
        if ((behind ? at(tree, parent)->left : at(tree, parent)->right) == link)
            return parent;
        link = parent;
    }
    return 0;
}

static bool stays(const pn_tree *tree, uint32_t item, const uint64_t word[2])
{
    const pn_tree_node *node = &tree->node[item];
    bool rises = word[0] != node->word[0] ? word[0] > node->word[0] : word[1] > node->word[1];
    uint32_t next = beside(tree, item + 1, rises);
    return next == 0 || tree_before(tree, word, item, next) == rises;
}

void pn_tree_move(const pn_tree *tree, uint32_t item, const uint64_t word[2])
{
    PN_ASSERT(pn_tree_has(tree, item));
    uint64_t offer = tree->node[item].offer;
    if (stays(tree, item, word)) {
        tree->node[item].word[0] = word[0];
        tree->node[item].word[1] = word[1];
        return;
    }
    pn_tree_remove(tree, item);
    pn_tree_insert(tree, item, word, offer);
}

void pn_tree_settle(const pn_tree *tree, uint32_t item, const uint64_t word[2])
{
    PN_ASSERT(pn_tree_has(tree, item));
    uint32_t left = beside(tree, item + 1, false), right = beside(tree, item + 1, true);
    uint64_t offer = tree->node[item].offer;
    tree->node[item].word[0] = word[0];
    tree->node[item].word[1] = word[1];
    if ((left == 0 || tree_before(tree, at(tree, left)->word, left - 1, item + 1)) &&
        (right == 0 || tree_before(tree, word, item, right)))
        return;
    pn_tree_remove(tree, item);
    pn_tree_insert(tree, item, word, offer);
}

uint32_t pn_tree_find(const pn_tree *tree, const uint64_t word[2], uint64_t id)
{
    uint32_t link = tree->state->root;
    while (link != 0) {
        const pn_tree_node *node = at(tree, link);
        uint64_t its = tree->id[(link - 1) * tree->id_stride];
        bool left = id < its;
        if (word[0] != node->word[0])
            left = word[0] < node->word[0];
        else if (word[1] != node->word[1])
            left = word[1] < node->word[1];
        else if (id == its)
            return link - 1;
        link = left ? node->left : node->right;
    }
    return PN_TREE_NONE;
}

/* ---- search: one walk for both questions ---- */

typedef struct question {
    bool at_least;
    uint64_t bound;
} question;

static bool fits(const pn_tree_node *node, question asked)
{
    return asked.at_least ? node->offer >= asked.bound
                          : node->offer > 0 && node->offer <= asked.bound;
}

/* Returns whether any node of the subtree fits; exact, because both questions have one side
 * only. */
static bool any_fits(const pn_tree *tree, uint32_t link, question asked)
{
    if (link == 0)
        return false;
    const pn_tree_node *node = at(tree, link);
    return asked.at_least ? node->most >= asked.bound
                          : node->most > 0 && node->least <= asked.bound;
}

static uint32_t first_in(const pn_tree *tree, uint32_t link, question asked)
{
    PN_ASSERT(any_fits(tree, link, asked));
    for (;;) {
        const pn_tree_node *node = at(tree, link);
        if (any_fits(tree, node->left, asked))
            link = node->left;
        else if (fits(node, asked))
            return link - 1;
        else
            link = node->right;
        PN_ASSERT(link != 0);
    }
}

static uint32_t next(const pn_tree *tree, uint32_t after, question asked)
{
    if (after == PN_TREE_NONE)
        return any_fits(tree, tree->state->root, asked) ? first_in(tree, tree->state->root, asked)
                                                        : PN_TREE_NONE;
    PN_ASSERT(pn_tree_has(tree, after));
    uint32_t link = after + 1;
    if (any_fits(tree, at(tree, link)->right, asked))
        return first_in(tree, at(tree, link)->right, asked);
    for (;;) {
        uint32_t parent = at(tree, link)->parent;
        if (parent == 0)
            return PN_TREE_NONE;
        const pn_tree_node *above = at(tree, parent);
        if (above->left == link) {
            if (fits(above, asked))
                return parent - 1;
            if (any_fits(tree, above->right, asked))
                return first_in(tree, above->right, asked);
        }
        link = parent;
    }
}

uint32_t pn_tree_next_at_least(const pn_tree *tree, uint32_t after, uint64_t bound)
{
    return next(tree, after, (question){true, bound});
}

uint32_t pn_tree_next_at_most(const pn_tree *tree, uint32_t after, uint64_t bound)
{
    return next(tree, after, (question){false, bound});
}
