/* See ranked.h. */
#include "ranked.h"

static bool ranked_before(const pn_ranked *a, const pn_ranked *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank;
    if (a->key.word[0] != b->key.word[0])
        return a->key.word[0] < b->key.word[0];
    if (a->key.word[1] != b->key.word[1])
        return a->key.word[1] < b->key.word[1];
    if (a->queue != b->queue)
        return a->queue < b->queue;
    return a->priority != b->priority ? a->priority > b->priority : a->id < b->id;
}

/* Puts `job` at the top of the first `count`, or below those that go behind it. */
static void ranked_sink(pn_ranked *first, uint32_t count, pn_ranked job)
{
    uint64_t at = 0;
    for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && ranked_before(&first[child], &first[child + 1]))
            child++;
        if (!ranked_before(&job, &first[child]))
            break;
        first[at] = first[child];
    }
    first[at] = job;
}

static void rise(pn_ranked *first, uint32_t at, const pn_ranked *job)
{
    for (; at > 0 && ranked_before(&first[(at - 1) / 2], job); at = (at - 1) / 2)
        first[at] = first[(at - 1) / 2];
    first[at] = *job;
}

void pn_ranking_add(pn_ranking *ranking, const pn_ranked *job)
{
    uint32_t seen = ranking->seen++;
    if (seen < ranking->most)
        rise(ranking->first, seen, job);
    else if (ranking->most > 0 && ranked_before(job, &ranking->first[0]))
        ranked_sink(ranking->first, ranking->most, *job);
}

uint32_t pn_ranking_end(pn_ranking *ranking)
{
    for (uint64_t end = pn_min(ranking->seen, ranking->most); end > 1; end--) {
        pn_ranked last = ranking->first[end - 1];
        ranking->first[end - 1] = ranking->first[0];
        ranked_sink(ranking->first, (uint32_t)end - 1, last);
    }
    return ranking->seen;
}
