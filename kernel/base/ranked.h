/* The first so many of a set of jobs in order, in an array of the caller's: a heap with the last of
 * them on top while they are gathered, sorted in place at the end. */
#ifndef PN_RANKED_H
#define PN_RANKED_H

#include "internal.h"

typedef struct pn_ranking {
    pn_ranked *first; /* [most] */
    uint32_t most;
    uint32_t seen; /* jobs added so far */
} pn_ranking;

void pn_ranking_add(pn_ranking *ranking, const pn_ranked *job);
/* Sorts what was kept; returns how many were added. */
uint32_t pn_ranking_end(pn_ranking *ranking);

#endif
