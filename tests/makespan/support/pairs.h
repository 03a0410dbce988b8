/* Policies of the makespan model that are written twice, in C and in Lua, as in
 * slotted/support/pairs.h. */
#ifndef MAKESPAN_PAIRS_H
#define MAKESPAN_PAIRS_H

#include <stdbool.h>

#include "pinion_lua.h"

#define MAKESPAN_PAIRS_MAX 32

typedef struct makespan_twin {
    char path[96]; /* of the text in Lua */
    const pn_makespan_policy *native;
    char *text; /* of the file, ended */
    size_t size;
} makespan_twin;

/* All of them, with their texts; how many. Ends the program when one is missing. */
int makespan_pairs_read(makespan_twin pairs[MAKESPAN_PAIRS_MAX]);
void makespan_pairs_free(makespan_twin pairs[MAKESPAN_PAIRS_MAX], int count);

/* A policy that must load. */
pn_lua_policy *makespan_pairs_load(const makespan_twin *of, const pn_lua_options *options);

/* Draws values for the parameters of both, which they have by the same names; false when they have
 * none. */
bool makespan_pairs_params(const makespan_twin *of, const pn_lua_policy *script, pn_stream *stream,
                           double native[PN_PARAMS_MAX], double scripted[PN_PARAMS_MAX]);

#endif
