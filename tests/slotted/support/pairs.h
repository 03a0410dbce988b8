/* The policies of the slotted model that are written twice, see support/pairs.h. */
#ifndef SLOTTED_PAIRS_H
#define SLOTTED_PAIRS_H

#include "support/pairs.h"

/* Adds all of them. */
void slotted_pairs_read(pairs *all);

/* Draws a value of a parameter. */
double slotted_pairs_draw(const pn_param *param, pn_stream *stream);

#endif
