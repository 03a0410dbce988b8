/* Policies of the cluster model that are written twice, in C and in Lua, as in pairs.h. */
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

/* Draws values for the parameters, which both have in the same order; null = the defaults. */
const double *cluster_pairs_params(const cluster_twin *of, pn_stream *stream, double params[PN_SCHEDULER_PARAMS_MAX]);

#endif
