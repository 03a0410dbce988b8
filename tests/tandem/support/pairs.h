/* The policies of the tandem model that are written twice, see support/pairs.h; and built-in
 * policies beside scripts that set every rate by themselves, which come to the same schedule but
 * for rounding. */
#ifndef TANDEM_PAIRS_H
#define TANDEM_PAIRS_H

#include "support/pairs.h"

/* Adds all of them. */
void tandem_pairs_read(pairs *all);

/* Draws a value of a parameter. */
double tandem_pairs_draw(const pn_param *param, pn_stream *stream);

#endif
