/* See validate.h. */
#include "validate.h"

uint64_t pn_validate_key(const void *block, size_t size)
{
    const unsigned char *bytes = block;
    uint64_t key = PN_MIX_START, word;
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        key = pn_mix(key, word);
    }
    return key;
}

bool pn_validate_heap(const pn_heap *heap, uint32_t items)
{
    if (heap->state->count > heap->state->capacity)
        return false;
    for (uint32_t i = 0; i < heap->state->count; i++)
        if (heap->entry[i].item >= items)
            return false;
    return pn_heap_valid(heap);
}

bool pn_validate_places(const pn_heap *heap, uint32_t items)
{
    uint32_t placed = 0;
    for (uint32_t item = 0; item < items; item++)
        placed += pn_heap_has(heap, item);
    return placed == heap->state->count;
}

/* ---- trees ---- */

static const pn_tree_node *node_of(const pn_tree *tree, uint32_t link)
{
    return &tree->node[link - 1];
}

/* Checks a link: it leads to a member whose parent is the one it comes from. */
static bool child_sound(const pn_tree *tree, uint32_t items, uint32_t link, uint32_t child)
{
    return child == 0 ||
           (child <= items && pn_tree_has(tree, child - 1) && node_of(tree, child)->parent == link);
}

static bool parent_sound(const pn_tree *tree, uint32_t items, uint32_t link)
{
    uint32_t parent = node_of(tree, link)->parent;
    if (parent == 0)
        return tree->state->root == link;
    if (parent > items || !pn_tree_has(tree, parent - 1))
        return false;
    return node_of(tree, parent)->left == link || node_of(tree, parent)->right == link;
}

static bool in_order(const pn_tree *tree, uint32_t first, uint32_t second)
{
    const pn_tree_node *a = node_of(tree, first), *b = node_of(tree, second);
    if (a->word[0] != b->word[0])
        return a->word[0] < b->word[0];
    if (a->word[1] != b->word[1])
        return a->word[1] < b->word[1];
    const uint64_t *left = &tree->id[(first - 1) * tree->id_stride];
    const uint64_t *right = &tree->id[(second - 1) * tree->id_stride];
    size_t i = 0;
    while (i < tree->id_more && left[i] == right[i])
        i++;
    return left[i] <= right[i];
}

/* Checks a node: heights grow strictly towards the root, so there are no cycles; balance bounds
 * them. */
static bool node_sound(const pn_tree *tree, uint32_t items, uint32_t link)
{
    static const pn_tree_node none = {.least = UINT64_MAX};
    const pn_tree_node *node = node_of(tree, link);
    if (!child_sound(tree, items, link, node->left) || !child_sound(tree, items, link, node->right))
        return false;
    if ((node->left != 0 && node->left == node->right) || !parent_sound(tree, items, link))
        return false;
    if ((node->left && !in_order(tree, node->left, link)) ||
        (node->right && !in_order(tree, link, node->right)))
        return false;
    const pn_tree_node *left = node->left ? node_of(tree, node->left) : &none;
    const pn_tree_node *right = node->right ? node_of(tree, node->right) : &none;
    uint32_t low = left->height < right->height ? left->height : right->height;
    uint32_t high = left->height < right->height ? right->height : left->height;
    uint64_t least = pn_min(node->offer > 0 ? node->offer : UINT64_MAX,
                            pn_min(left->least, right->least));
    uint64_t most = pn_max(node->offer, pn_max(left->most, right->most));
    return high - low <= 1 && node->height - 1 == high && node->least == least &&
           node->most == most;
}

bool pn_validate_tree_node(const pn_tree *tree, uint32_t items, uint32_t item)
{
    return item < items && node_sound(tree, items, item + 1);
}

/* Checks all nodes; then one of them is the root, as heights end somewhere: it is the only one
 * without a parent. */
bool pn_validate_tree(const pn_tree *tree, uint32_t items, uint32_t capacity)
{
    uint32_t seen = 0;
    for (uint32_t item = 0; item < capacity; item++) {
        if (!pn_tree_has(tree, item))
            continue;
        if (item >= items || !node_sound(tree, items, item + 1))
            return false;
        seen++;
    }
    return seen == tree->state->count && (seen > 0 || tree->state->root == 0);
}

/* ---- bits ---- */

bool pn_validate_bits(const uint64_t *words, size_t size)
{
    for (;;) {
        size_t count = (size + 63) / 64;
        const uint64_t *above = words + count;
        if (size % 64 != 0 && words[count - 1] >> size % 64 != 0)
            return false;
        if (count <= 1)
            return true;
        for (size_t k = 0; k < count; k++)
            if (pn_validate_bit(above, k) != (words[k] != 0))
                return false;
        size = count;
        words = above;
    }
}

/* ---- statistics, streams, names ---- */

bool pn_validate_stats(const pn_stats *stats, int first_octave, unsigned octaves, int integer)
{
    const uint64_t *cells = (const uint64_t *)(const void *)(stats + 1);
    uint64_t left = stats->count;
    if (stats->first_octave != first_octave || stats->octaves != octaves ||
        stats->integer != (integer != 0))
        return false;
    for (size_t i = 0; i < (size_t)octaves * PN_STATS_CELLS_PER_OCTAVE; i++) {
        if (cells[i] > left)
            return false;
        left -= cells[i];
    }
    /* The sum of squares may be infinite, and nothing but a printed number depends on it. */
    return left == 0 && pn_validate_finite(stats->mean) && pn_validate_positive(stats->min) &&
           pn_validate_positive(stats->max) && stats->min <= stats->max;
}

int pn_batches_validate(const pn_batches *batches)
{
    uint64_t size = batches->size;
    if (size == 0 || (size & (size - 1)) != 0 || size > PN_INTEGER_MAX || batches->filled >= size)
        return PN_ERR_DAMAGED;
    if (batches->count >= PN_BATCHES_MAX || (size > 1 && batches->count < PN_BATCHES_MAX / 2))
        return PN_ERR_DAMAGED;
    for (uint32_t i = 0; i < batches->count; i++)
        if (!pn_validate_finite(batches->mean[i]))
            return PN_ERR_DAMAGED;
    return pn_validate_finite(batches->sum) ? PN_OK : PN_ERR_DAMAGED;
}

bool pn_validate_stream(const pn_stream *stream)
{
    return stream->used <= sizeof stream->block / sizeof stream->block[0];
}

bool pn_validate_name(const char *name)
{
    for (int i = 0; i < PN_NAME_SIZE; i++)
        if (name[i] == 0)
            return true;
    return false;
}

bool pn_validate_zeros(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        if (byte[i] != 0)
            return false;
    return true;
}

bool pn_validate_free(const pn_places *places, pn_links links, uint32_t most, uint32_t held,
                      uint64_t key, uint64_t *tally)
{
    uint32_t count = 0;
    if (places->used > most || held > places->used)
        return false;
    for (uint32_t link = places->free; link != 0; link = *pn_link_of(links, link - 1)) {
        if (link > places->used || ++count > places->used - held)
            return false;
        *tally += pn_validate_hash(key, link - 1);
    }
    return count == places->used - held;
}

bool pn_validate_items(const pn_heap *heap, const pn_places *places, pn_links links, uint64_t key)
{
    uint64_t tally = 0;
    if (places->used > heap->state->capacity || !pn_validate_heap(heap, places->used) ||
        !pn_validate_free(places, links, heap->state->capacity, heap->state->count, key, &tally))
        return false;
    for (uint32_t i = 0; i < heap->state->count; i++)
        tally += pn_validate_hash(key, heap->entry[i].item);
    for (uint32_t place = 0; place < places->used; place++)
        tally -= pn_validate_hash(key, place);
    return tally == 0;
}
