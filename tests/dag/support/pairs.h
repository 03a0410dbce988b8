/* Policies of the dag model that are written twice, in C and in Lua, as in slotted/support/pairs.h.
 */
#ifndef DAG_PAIRS_H
#define DAG_PAIRS_H

#include "pinion_lua.h"

#define DAG_PAIRS_MAX 16

typedef struct dag_pair {
    char path[96]; /* of the text in Lua */
    const pn_dispatch_policy *native;
    char *text; /* of the file, ended */
    size_t size;
} dag_pair;

/* All of them, with their texts; how many. Ends the program when one is missing. */
int dag_pairs_read(dag_pair pairs[DAG_PAIRS_MAX]);
void dag_pairs_free(dag_pair pairs[DAG_PAIRS_MAX], int count);

/* A policy that must load. */
pn_lua_policy *dag_pairs_load(const dag_pair *of, const pn_lua_options *options);

/* Values for the parameters, which both have by the same names, in orders of their own: often the
 * defaults. */
typedef struct dag_pair_params {
    double native[PN_PARAMS_MAX], script[PN_PARAMS_MAX];
} dag_pair_params;
dag_pair_params dag_pairs_params(const dag_pair *of, const pn_lua_policy *script,
                                 pn_stream *stream);

#endif
