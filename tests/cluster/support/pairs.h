/* The policies of the cluster model that are written twice, see support/pairs.h. */
#ifndef CLUSTER_PAIRS_H
#define CLUSTER_PAIRS_H

#include "support/pairs.h"

/* Adds all of them. */
void cluster_pairs_read(pairs *all);

/* Draws a value of a parameter. */
double cluster_pairs_draw(const pn_param *param, pn_stream *stream);

#endif
