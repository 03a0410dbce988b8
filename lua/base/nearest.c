/* The known name nearest to a mistyped one. As suggest.lua counts: insertions, deletions,
 * replacements and swaps of neighbours, capitals as small letters; of equally near names the one
 * that sorts first. If none is near: a name with this beginning. */
#include <stdbool.h>
#include <string.h>

#include "nearest.h"

enum { NEAR_MOST = 31 };  /* no known name is longer, and longer ones are not compared */
enum { BEGUN_LEAST = 4 }; /* shorter beginnings fit too many names */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Returns the distance; both names have at most NEAR_MOST letters. */
static unsigned distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    unsigned rows[3][NEAR_MOST + 1]; /* of the prefixes of `a` modulo 3, by prefixes of `b` */
    for (unsigned j = 0; j <= b_size; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a_size; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= b_size; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_size % 3][b_size];
}

/* Returns the first name in order that begins with this one: pending_in for pending; null: none. */
static const char *begun(const char *name, size_t size, const char *const known[])
{
    const char *best = NULL;
    for (int i = 0; size >= BEGUN_LEAST && known[i]; i++)
        if (strncmp(known[i], name, size) == 0 && (!best || strcmp(known[i], best) < 0))
            best = known[i];
    return best;
}

const char *nearest_name(const char *name, const char *const known[])
{
    const char *best = NULL;
    size_t size = strlen(name);
    unsigned best_distance = size < 6 ? 2 : (unsigned)size / 3 + 1; /* one more than is near */
    if (size > NEAR_MOST)
        return NULL;
    for (int i = 0; known[i]; i++) {
        size_t known_size = strlen(known[i]);
        unsigned d = known_size <= NEAR_MOST ? distance(name, size, known[i], known_size)
                                             : best_distance + 1;
        if (d < best_distance || (d == best_distance && best && strcmp(known[i], best) < 0)) {
            best = known[i];
            best_distance = d;
        }
    }
    return best ? best : begun(name, size, known);
}
