/* An ordered set as an AVL tree that also knows, for every subtree, the smallest and the largest
 * offer in it, and so finds the next item whose offer is small or large enough in O(log n), where a
 * plain heap or tree would have to look at every item between. Nodes are addressed by item; links
 * are item + 1, 0 is none. */
#ifndef PN_TREE_H
#define PN_TREE_H

#include "arena.h"

typedef struct pn_tree_node {
    uint64_t word[2];
    uint32_t left, right, parent;
    uint32_t height; /* of the subtree; 0 = the item is not in the tree */
    uint64_t offer;  /* of the item itself */
    uint64_t least;  /* smallest offer > 0 in the subtree; UINT64_MAX when there is none */
    uint64_t most;   /* largest offer in the subtree */
} pn_tree_node;

typedef struct pn_tree_state {
    uint64_t moves; /* levels walked while inserting and removing */
    uint32_t root;
    uint32_t count;
} pn_tree_state;

typedef struct pn_tree {
    pn_tree_state *state;
    pn_tree_node *node;
    const uint64_t *id; /* id of item 0, the last tie-break; those of the others follow, */
    size_t id_stride;   /* so many uint64_t apart */
    size_t id_more;     /* words of an id behind its first one, that break ties among these */
} pn_tree;

#define PN_TREE_NONE UINT32_MAX

void pn_tree_insert(const pn_tree *tree, uint32_t item, const uint64_t word[2], uint64_t offer);
void pn_tree_remove(const pn_tree *tree, uint32_t item);
void pn_tree_offer(const pn_tree *tree, uint32_t item, uint64_t offer);
/* Gives a present item another key: in place where that leaves the order as it is. */
void pn_tree_move(const pn_tree *tree, uint32_t item, const uint64_t word[2]);
/* Moves an item likewise where it has another id, too. */
void pn_tree_settle(const pn_tree *tree, uint32_t item, const uint64_t word[2]);
/* Returns the item with this key and id, of one word; PN_TREE_NONE when there is none. */
uint32_t pn_tree_find(const pn_tree *tree, const uint64_t word[2], uint64_t id);
/* Returns the first item of all; PN_TREE_NONE when there is none. */
uint32_t pn_tree_first(const pn_tree *tree);
/* Returns the first item after `after` (PN_TREE_NONE: of all) with offer >= bound, or with 1 <=
 * offer <= bound; PN_TREE_NONE when there is none. */
uint32_t pn_tree_next_at_least(const pn_tree *tree, uint32_t after, uint64_t bound);
uint32_t pn_tree_next_at_most(const pn_tree *tree, uint32_t after, uint64_t bound);

static inline bool pn_tree_has(const pn_tree *tree, uint32_t item)
{
    return tree->node[item].height != 0;
}

#endif
