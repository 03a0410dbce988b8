/* The checker's books of pending tasks: bits, and above them words of bits for words that are not
 * empty. */
#include "state.h"

/* ---- pending tasks: bits, and above them words of bits for words that are not empty ---- */

enum { LEVELS = 5 }; /* 64^5 > 2^24 tasks of a job */

size_t pn_cluster_check_words(uint32_t count)
{
    size_t words = 0;
    size_t level = count;
    do {
        level = (level + 63) / 64;
        words += level;
    } while (level > 1);
    return words;
}

static void set_bit(uint64_t *word, size_t count, size_t bit)
{
    for (size_t size = (count + 63) / 64;; size = (size + 63) / 64) {
        bool present = word[bit / 64] != 0;
        word[bit / 64] |= (uint64_t)1 << bit % 64;
        if (present || size <= 1)
            return;
        word += size;
        bit /= 64;
    }
}

static void clear_bit(uint64_t *word, size_t count, size_t bit)
{
    for (size_t size = (count + 63) / 64;; size = (size + 63) / 64) {
        word[bit / 64] &= ~((uint64_t)1 << bit % 64);
        if (word[bit / 64] != 0 || size <= 1)
            return;
        word += size;
        bit /= 64;
    }
}

static uint32_t lowest(uint64_t word)
{
    uint32_t bit = 0;
    for (uint32_t half = 32; half > 0; half /= 2)
        if ((word & (((uint64_t)1 << half) - 1)) == 0) {
            word >>= half;
            bit += half;
        }
    return bit;
}

/* Returns the first bit that is set, as one is. */
static uint32_t first_bit(const uint64_t *word, size_t count)
{
    const uint64_t *level[LEVELS];
    int depth = 0;
    size_t size = (count + 63) / 64;
    for (level[0] = word; size > 1; size = (size + 63) / 64, depth++)
        level[depth + 1] = level[depth] + size;
    PN_ASSERT(level[depth][0] != 0);
    uint32_t at = lowest(level[depth][0]);
    for (; depth > 0; depth--)
        at = 64 * at + lowest(level[depth - 1][at]);
    return at;
}

static uint64_t *cluster_bits_of(const pn_cluster_verifier *v, uint32_t task, uint32_t *index)
{
    const pn_cluster_check_job *job = &v->job[v->task[task].job];
    uint32_t kind = pn_cluster_check_kind(v, task);
    *index = task - job->first[kind];
    return v->bits + job->first_word[kind];
}

void pn_cluster_check_pend(pn_cluster_verifier *v, uint32_t task)
{
    uint32_t index;
    uint64_t *bits = cluster_bits_of(v, task, &index);
    set_bit(bits, pn_cluster_check_count(v, v->task[task].job, pn_cluster_check_kind(v, task)),
            index);
    v->task[task].state = PN_CLUSTER_CHECK_PENDING;
}

void pn_cluster_check_unpend(pn_cluster_verifier *v, uint32_t task)
{
    uint32_t index;
    uint64_t *bits = cluster_bits_of(v, task, &index);
    clear_bit(bits, pn_cluster_check_count(v, v->task[task].job, pn_cluster_check_kind(v, task)),
              index);
}

uint32_t pn_cluster_check_first(const pn_cluster_verifier *v, uint32_t job, uint32_t kind)
{
    return v->job[job].first[kind] +
           first_bit(v->bits + v->job[job].first_word[kind], pn_cluster_check_count(v, job, kind));
}

/* How many pending maps are looked at, in how many words, for one whose input is near: enough to
 * notice an engine that goes wrong, and little beside what else an entry costs. */
enum { LOOKED_AT = 64, WORDS_LOOKED_AT = 8 };

uint32_t pn_cluster_check_first_local(pn_cluster_verifier *v, uint32_t index, uint32_t node)
{
    const pn_cluster_check_job *job = &v->job[index];
    const uint64_t *word = v->bits + job->first_word[PN_SCHEDULER_MAP];
    uint32_t words = (pn_cluster_claimed(&v->claim, index)->maps + 63) / 64, looked = 0;
    uint32_t first = first_bit(word, pn_cluster_claimed(&v->claim, index)->maps);
    for (uint32_t at = first / 64; at < words && at < first / 64 + WORDS_LOOKED_AT; at++)
        for (uint64_t left = word[at]; left != 0; left &= left - 1) {
            uint32_t task = job->first[PN_SCHEDULER_MAP] + 64 * at + lowest(left);
            if (looked++ == LOOKED_AT)
                return PN_CLUSTER_NOBODY;
            if (pn_cluster_check_local(v, task, node))
                return task;
        }
    return PN_CLUSTER_NOBODY;
}
