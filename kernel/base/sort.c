/* See sort.h. */
#include "sort.h"

typedef struct sorting {
    uint32_t *items;
    const unsigned char *keys;
    size_t stride;
} sorting;

static inline uint64_t key_of(const sorting *s, uint32_t item)
{
    return *(const uint64_t *)(const void *)(s->keys + item * s->stride);
}

/* Lets the item at `at` sink below larger ones. */
static void sift(const sorting *s, size_t at, size_t count)
{
    uint32_t moved = s->items[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && key_of(s, s->items[child + 1]) > key_of(s, s->items[child]))
            child++;
        if (key_of(s, s->items[child]) <= key_of(s, moved))
            break;
        s->items[at] = s->items[child];
    }
    s->items[at] = moved;
}

void pn_sort(uint32_t *items, size_t count, const uint64_t *keys, size_t stride)
{
    sorting s = {items, (const unsigned char *)keys, stride};
    for (size_t i = count / 2; i-- > 0;)
        sift(&s, i, count);
    for (size_t end = count; end > 1; end--) {
        uint32_t last = items[end - 1];
        items[end - 1] = items[0];
        items[0] = last;
        sift(&s, 0, end - 1);
    }
}

/* Merges two neighbours of `from`, each in order, into `to`. */
static void sort_merge(const uint32_t *from, size_t middle, size_t end, uint32_t *to,
                       pn_before *before, const void *context)
{
    size_t left = 0, right = middle;
    for (size_t i = 0; i < end; i++) {
        bool take_right = left == middle ||
                          (right < end && before(context, from[right], from[left]));
        to[i] = from[take_right ? right++ : left++];
    }
}

void pn_sort_by(uint32_t *items, size_t count, uint32_t *room, pn_before *before,
                const void *context)
{
    uint32_t *from = items, *to = room;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t left = count - start;
            sort_merge(from + start, left < width ? left : width,
                       left < 2 * width ? left : 2 * width, to + start, before, context);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

static void insert_by_upper(uint64_t *words, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t word = words[i];
        size_t at = i;
        for (; at > 0 && words[at - 1] >> 32 > word >> 32; at--)
            words[at] = words[at - 1];
        words[at] = word;
    }
}

enum { DIGIT_BITS = 6, DIGITS = 1 << DIGIT_BITS }; /* of a pass: more take more of the stack */

/* Puts words into the order of one digit, whose bits begin at `shift`. */
/*@ requires \valid_read(from + (0 .. count - 1)) && \valid(to + (0 .. count - 1));
    requires \separated(from + (0 .. count - 1), to + (0 .. count - 1));
    requires 0 <= shift < 64 && count <= UINT32_MAX;
    assigns to[0 .. count - 1] \from from[0 .. count - 1], count, shift; */
static void distribute(const uint64_t *from, size_t count, int shift, uint64_t *to)
{
    uint32_t starts[DIGITS] = {0}, next = 0;
    //@ loop assigns i, starts[0 .. DIGITS - 1];
    for (size_t i = 0; i < count; i++)
        starts[from[i] >> shift & (DIGITS - 1)]++;
    /*@ loop invariant 0 <= digit <= DIGITS;
        loop assigns digit, next, starts[0 .. DIGITS - 1]; */
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t words = starts[digit];
        starts[digit] = next;
        next += words;
    }
    //@ loop assigns i, starts[0 .. DIGITS - 1], to[0 .. count - 1];
    for (size_t i = 0; i < count; i++)
        to[starts[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

uint64_t *pn_sort_by_upper(uint64_t *words, size_t count, uint64_t *room)
{
    enum { FEW = 32 };
    uint64_t used = 0;
    if (count <= FEW) {
        insert_by_upper(words, count);
        return words;
    }
    for (size_t i = 0; i < count; i++)
        used |= words[i];
    for (int shift = 32; shift < 64 && used >> shift != 0; shift += DIGIT_BITS) {
        distribute(words, count, shift, room);
        uint64_t *swap = words;
        words = room;
        room = swap;
    }
    return words;
}
