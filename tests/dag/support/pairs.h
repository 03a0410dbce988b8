/* The policies of the dag model that are written twice, see support/pairs.h. */
#ifndef DAG_PAIRS_H
#define DAG_PAIRS_H

#include "support/pairs.h"

/* Adds all of them. */
void dag_pairs_read(pairs *all);

/* Draws a value of a parameter. */
double dag_pairs_draw(const pn_param *param, pn_stream *stream);

#endif
