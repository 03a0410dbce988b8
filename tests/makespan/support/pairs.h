/* The policies of the makespan model that are written twice, see support/pairs.h. */
#ifndef MAKESPAN_PAIRS_H
#define MAKESPAN_PAIRS_H

#include "support/pairs.h"

/* Adds all of them. */
void makespan_pairs_read(pairs *all);

/* Draws a value of a parameter. */
double makespan_pairs_draw(const pn_param *param, pn_stream *stream);

#endif
