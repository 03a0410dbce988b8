/* Runs of any model for Lua: from an argument table to a result table. */
#ifndef PINION_LRUN_H
#define PINION_LRUN_H

#include "rows.h"
#include "run/common.h"

/* What a model brings. `self` is its own run, which begins with a run. */
typedef struct lrun_model {
    size_t size; /* of its run */
    const row_shape *rows;
    void (*make)(run_base *self); /* of zeroed bytes */
    /* Reads the argument table at index 1; null, or what is wrong with the user's choice, on top of
     * the stack. */
    const char *(*read)(lua_State *L, run_base *self);
    enum run_outcome (*go)(run_base *self);
    /* Sets the model's results in the table on top of the stack. */
    void (*set)(lua_State *L, const run_base *self);
    /* How many rows at the start belong to the warm-up; null in a batch, which has none, nor
     * numbers in the system. */
    size_t (*warmup)(const run_base *self);
} lrun_model;

/* A whole run: the result table, or nil, "usage" or "run", and a message. */
int lrun(lua_State *L, const lrun_model *model);

/* ---- for the models -------------------------------------------------------------------------- */

/* Reads what every run is asked; `name` is the policy's. */
void lrun_read(lua_State *L, run_base *self, const char *name);
/* Sets statistics, over all jobs and by group; get(sim, group). */
typedef const pn_stats *lrun_stats(const void *sim, uint32_t group);
void lrun_set_stats(lua_State *L, const void *sim, lrun_stats *get, uint32_t groups,
                    const char *all, const char *by_group);
/* Sets "batches": { size, means }. */
void lrun_set_batches(lua_State *L, const pn_batches *batches);

#endif
