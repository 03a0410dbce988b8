/* Policies of the tandem model that are written twice, in C and in Lua, as in
 * slotted/support/pairs.h; and built-in ones beside scripts that set every rate by themselves,
 * which come to the same schedule but for rounding. */
#ifndef TANDEM_PAIRS_H
#define TANDEM_PAIRS_H

#include <stdbool.h>

#include "pinion_lua.h"

#define TANDEM_PAIRS_MAX 32

typedef struct tandem_pair {
    char path[96]; /* of the text in Lua */
    const pn_tandem_policy *native;
    bool nearly; /* equal but for rounding */
    char *text;  /* of the file, ended */
    size_t size;
} tandem_pair;

/* All of them, with their texts; how many. Ends the program when one is missing. */
int tandem_pairs_read(tandem_pair pairs[TANDEM_PAIRS_MAX]);
void tandem_pairs_free(tandem_pair pairs[TANDEM_PAIRS_MAX], int count);

/* A policy that must load. */
pn_lua_policy *tandem_pairs_load(const tandem_pair *of, const pn_lua_options *options);

/* Draws values for the parameters, which both have in the same order; null = the defaults. */
const double *tandem_pairs_params(const tandem_pair *of, pn_stream *stream,
                                  double params[PN_PARAMS_MAX]);

#endif
