/* The checks of blocks from outside: whatever lies in them, nothing else is read. */
#include "proof.h"

#include "base/heap.c"
#include "base/validate.c"
#include "base/validate_lists.c"

enum { ITEMS = 10, STRIDE = 2, WORDS = 40, OWNERS = 5, BITS = 200, OCTAVES = 2 };

static struct {
    pn_heap_state heap;
    pn_heap_entry entries[ITEMS];
    uint32_t heap_places[ITEMS];
    uint64_t ids[ITEMS * STRIDE];
    pn_tree_state tree;
    pn_tree_node nodes[ITEMS];
    pn_lists_state lists;
    uint64_t words[WORDS], list_places[OWNERS];
    pn_places places;
    uint32_t links[ITEMS];
    uint64_t bits[10];
    pn_stats stats;
    uint64_t cells[OCTAVES * PN_STATS_CELLS_PER_OCTAVE];
    pn_stream stream;
    char name[PN_NAME_SIZE];
    pn_batches batches;
} block;

static void check_lists(void)
{
    const pn_lists lists = {&block.lists, block.words, block.list_places, 1};
    uint32_t count;
    block.lists.capacity = WORDS;
    pn_validate_lists(&lists, OWNERS, &count);
}

static void check_order(void)
{
    const pn_heap heap = {&block.heap, block.entries, any() ? block.heap_places : NULL,
                          1,           block.ids,     STRIDE};
    const pn_tree tree = {&block.tree, block.nodes, block.ids, STRIDE, STRIDE - 1};
    const pn_links links = {block.links, 1};
    uint64_t tally = any_long();
    block.heap.capacity = ITEMS;
    switch (any_below(6)) {
    case 0:
        pn_validate_heap(&heap, any_below(ITEMS + 1));
        break;
    case 1:
        if (heap.place)
            pn_validate_places(&heap, any_below(ITEMS + 1));
        break;
    case 2:
        pn_validate_free(&block.places, links, ITEMS, any_word(), any_long(), &tally);
        break;
    case 3:
        pn_validate_items(&heap, &block.places, links, any_long());
        break;
    case 4:
        pn_validate_tree(&tree, any_below(ITEMS + 1), ITEMS);
        break;
    default:
        pn_validate_tree_node(&tree, any_below(ITEMS + 1), any_word());
    }
}

static void check_rest(void)
{
    switch (any_below(9)) {
    case 0:
        pn_validate_bits(block.bits, 1 + any_below(BITS));
        break;
    case 1:
        pn_validate_bits(block.bits, 4096);
        break;
    case 2:
        pn_validate_stats(&block.stats, Frama_C_int_interval(-1022, 1022), OCTAVES, any());
        break;
    case 3:
        pn_validate_stream(&block.stream);
        break;
    case 4:
        pn_validate_name(block.name);
        break;
    case 5:
        pn_validate_zeros(&block, any_below(sizeof block + 1));
        break;
    case 6:
        pn_batches_validate(&block.batches);
        break;
    case 7:
        pn_validate_key(&block, any_below(sizeof block + 1));
        break;
    default:
        check_lists();
    }
}

void main(void)
{
    Frama_C_make_unknown((char *)&block, sizeof block);
    if (any())
        check_order();
    else
        check_rest();
}
