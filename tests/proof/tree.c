/* Every tree that NODES insertions of items with any keys make, then any other call on it. Links
 * are followed one by one; of keys only their kinds of order matter, and all are tried. */
#include "proof.h"

#include "base/tree.c"

#ifndef NODES
#define NODES 6
#endif
enum { ID_MORE = 1, STRIDE = 1 + ID_MORE };

static pn_tree_state state;
static pn_tree_node nodes[NODES + 1];
static uint64_t ids[(NODES + 1) * STRIDE];

static void call(const pn_tree *tree, uint32_t item, const uint64_t word[2])
{
    switch (any_below(7)) {
    case 0:
        if (pn_tree_has(tree, item))
            pn_tree_remove(tree, item);
        break;
    case 1:
        if (pn_tree_has(tree, item))
            pn_tree_offer(tree, item, any_long());
        break;
    case 2:
        if (pn_tree_has(tree, item))
            pn_tree_move(tree, item, word);
        break;
    case 3:
        if (pn_tree_has(tree, item))
            pn_tree_settle(tree, item, word);
        break;
    case 4:
        pn_tree_first(tree);
        pn_tree_find(tree, word, any_long());
        break;
    case 5:
        pn_tree_next_at_least(tree, pn_tree_has(tree, item) ? item : PN_TREE_NONE, any_long());
        break;
    default:
        pn_tree_next_at_most(tree, pn_tree_has(tree, item) ? item : PN_TREE_NONE, any_long());
    }
}

void main(void)
{
    const pn_tree tree = {&state, nodes, ids, STRIDE, ID_MORE};
    uint32_t count = any_below(NODES + 1), item = any_below(NODES + 1);
    for (int i = 0; i < (NODES + 1) * STRIDE; i++)
        ids[i] = any_long();
    //@ split count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t word[2] = {any_long(), any_long()};
        pn_tree_insert(&tree, i, word, any_long());
    }
    uint64_t word[2] = {any_long(), any_long()};
    //@ split item;
    call(&tree, item, word);
}
