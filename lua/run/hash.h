/* The hash that ties a decision log to its scenario: the model's settings, the policy with its
 * parameters, and every job. What the models share; each declares the hash of its settings beside
 * its log. */
#ifndef PINION_RUN_HASH_H
#define PINION_RUN_HASH_H

#include "workload/source.h"

/* How a model's scenarios are hashed, behind their settings. */
typedef struct hash_model {
    /* Folds in the value of a parameter; null: as a double. */
    uint64_t (*param)(uint64_t hash, const pn_param *param, double value);
    /* Folds in every job of the source: SOURCE_END, or why not. */
    int (*jobs)(uint64_t *hash, source *work);
} hash_model;

/* A policy with the values of its `count` parameters. */
typedef struct hash_policy {
    const char *name;
    const pn_param *params;
    const double *values;
    uint8_t count;
} hash_policy;

/* Adds the policy and the jobs to *hash, that of the model's settings: then it is the "scenario" of
 * a decision log. Sets the marks of the source. Returns SOURCE_END, or why there is no hash. */
int hash_scenario(uint64_t *hash, const hash_model *model, const hash_policy *policy, source *work);

/* ---- for the models -------------------------------------------------------------------------- */

uint64_t hash_text(uint64_t hash, const char *text);
/* Adds a double by its bits; -0 counts as 0, which means the same. */
uint64_t hash_double(uint64_t hash, double value);
/* Folds in every job from the first: `add` folds in the one at `job`, where the source puts it. */
int hash_each_job(uint64_t *hash, source *work, void *job,
                  uint64_t (*add)(uint64_t hash, const void *job));

#endif
