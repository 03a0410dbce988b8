/* Policies that are written twice, in C and in Lua in a file: a built-in one and its twin in
 * policies/, or one made for the tests and its rule in C. Both must come to the same schedule. What
 * follows is the same for all models; tests/MODEL/support/pairs.h lists the pairs of a model. */
#ifndef PAIRS_H
#define PAIRS_H

#include <stdbool.h>

#include "pinion_lua.h"

enum { PAIRS_MAX = 32, PAIR_STATES = 3 };

typedef struct pair {
    const void *native; /* the policy in C, a pn_MODEL_policy */
    const char *name;
    const pn_param *params;
    uint32_t param_count;
    bool nearly;   /* equal but for rounding */
    char path[96]; /* of the text in Lua */
    char *text;    /* ended */
    size_t size;
} pair;

typedef struct pairs {
    pair list[PAIRS_MAX];
    int count;
} pairs;

/* Adds a rule in C and FOLDER/FILE.lua, with _ for each - of the file's name; ends the program when
 * the file cannot be read. */
pair *pairs_add(pairs *all, const char *folder, const char *file, pair rule);
#define PAIR_RULE(policy)                                                     \
    (pair)                                                                    \
    {                                                                         \
        .native = policy, .name = (policy)->name, .params = (policy)->params, \
        .param_count = (uint32_t)(policy)->param_count,                       \
    }
#define PAIRS_ADD(all, folder, policy) pairs_add(all, folder, (policy)->name, PAIR_RULE(policy))
void pairs_free(pairs *all);

/* Loads the policy in Lua, or ends the program. */
pn_lua_policy *pair_load(const pair *of, const pn_lua_options *options);

/* Values of the parameters, which both have by the same names, in orders of their own. */
typedef struct pair_params {
    double native[PN_PARAMS_MAX], script[PN_PARAMS_MAX];
    const double *given_native, *given_script; /* these, or null where all are the defaults */
} pair_params;

/* Draws them: a fifth of the time the defaults, else each by this function. */
void pair_draw(const pair *of, const pn_lua_policy *script, pn_stream *stream,
               double (*draw)(const pn_param *param, pn_stream *stream), pair_params *drawn);

/* ---- programs that compare them on random instances ---- */

/* A pair, and Lua states that relieve each other, so that nothing can be remembered outside of the
 * block. */
typedef struct side {
    const pair *of;
    pn_lua_policy *scripts[PAIR_STATES];
    unsigned turn;
    bool fresh; /* the state that comes on is loaded anew */
} side;

/* Returns the Lua state whose turn it is next. */
const pn_lua_policy *side_relieve(side *s);

/* Prints what is wrong, with the values of the policy in C (null: the defaults); returns false. */
bool side_fail(const side *s, const double *params, const char *what);

typedef struct pair_check {
    const char *model;
    uint64_t budget; /* of each call of a script, for those states that have one */
    void (*read)(pairs *all);
    /* Draws the instance of this number and compares all pairs; false: it has printed what is
     * wrong. */
    bool (*instance)(side *sides, int count, pn_stream *stream, uint32_t number);
    /* Prints what has been compared. */
    void (*report)(void);
} pair_check;

/* Runs such a program, see random.h; returns its exit status. */
int pairs_main(int argc, char **argv, const pair_check *check);

#endif
