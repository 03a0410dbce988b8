/* Policies of the cluster model that are written twice, in C and in Lua, as in
 * slotted/support/pairs.h. */
#ifndef CLUSTER_PAIRS_H
#define CLUSTER_PAIRS_H

#include <stdbool.h>

#include "pinion_lua.h"

#define CLUSTER_PAIRS_MAX 16

typedef struct cluster_twin {
    char path[96]; /* of the text in Lua */
    const pn_scheduler_policy *native;
    char *text; /* of the file, ended */
    size_t size;
} cluster_twin;

/* All of them, with their texts; how many. Ends the program when one is missing. */
int cluster_pairs_read(cluster_twin pairs[CLUSTER_PAIRS_MAX]);
void cluster_pairs_free(cluster_twin pairs[CLUSTER_PAIRS_MAX], int count);

/* A policy that must load. */
pn_lua_policy *cluster_pairs_load(const cluster_twin *of, const pn_lua_options *options);

/* Values for the parameters, which both have by the same names, in orders of their own. */
typedef struct cluster_twin_params {
    double native[PN_PARAMS_MAX], script[PN_PARAMS_MAX];
} cluster_twin_params;

/* Often the defaults. */
cluster_twin_params cluster_pairs_params(const cluster_twin *of, const pn_lua_policy *script,
                                         pn_stream *stream);
/* The defaults, with one of them set by name. */
cluster_twin_params cluster_pairs_with(const cluster_twin *of, const pn_lua_policy *script,
                                       const char *name, double value);

#endif
