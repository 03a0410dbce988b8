/* Any ranking of any jobs. */
#include "proof.h"

#include "base/ranked.c"

enum { MOST = 9 };

static pn_ranked first[MOST];

static pn_ranked any_job(void)
{
    pn_ranked job;
    Frama_C_make_unknown((char *)&job, sizeof job);
    return job;
}

void main(void)
{
    pn_ranking ranking = {first, each_below(MOST + 1), 0};
    for (int i = 0; i < MOST; i++)
        first[i] = any_job();
    pn_ranked job = any_job();
    ranking.seen = any() ? each_below(MOST) : Frama_C_unsigned_int_interval(MOST, UINT32_MAX);
    if (any())
        pn_ranking_add(&ranking, &job);
    else
        pn_ranking_end(&ranking);
}
