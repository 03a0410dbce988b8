/* Policies that are written twice, in C here and in Lua in a file: a built-in one and its twin in
 * policies/, or one made for the tests and its rule in C. Whatever surrounds policies in Lua has to
 * lead both to the same schedule. */
#ifndef PAIRS_H
#define PAIRS_H

#include <stdbool.h>

#include "pinion_lua.h"

#define PAIRS_MAX 32

typedef struct pair {
    char path[96]; /* of the text in Lua */
    const pn_slotted_policy *native;
    char *text; /* of the file, ended */
    size_t size;
} pair;

/* All of them, with their texts; how many. Ends the program when one is missing. */
int pairs_read(pair pairs[PAIRS_MAX]);
void pairs_free(pair pairs[PAIRS_MAX], int count);

/* The whole of a file in memory, with a final zero behind its *size bytes; null when it cannot be
 * read. */
char *pairs_read_file(const char *path, size_t *size);

/* A policy that must load. */
pn_lua_policy *pairs_load_text(const char *path, const char *text, size_t size,
                               const pn_lua_options *options);
pn_lua_policy *pairs_load(const pair *of, const pn_lua_options *options);

/* Draws values for the parameters of both; false when they have none. */
bool pairs_draw_params(const pair *of, const pn_lua_policy *script, pn_stream *stream,
                       double native[PN_PARAMS_MAX], double scripted[PN_PARAMS_MAX]);

#endif
