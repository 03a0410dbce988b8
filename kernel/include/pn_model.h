/* One table of functions for every model and core, in types that all of them share, for programs
 * that run several: PN_MODELS lists the models, and pn_NAME_model returns the table of one. A host
 * of one model calls that model's functions by their names. Each table lies in an object of its
 * own, so a program that uses one model does not link the others. */
#ifndef PN_MODEL_H
#define PN_MODEL_H

#include "pn_base.h"

/* Models and cores; a new one is added behind the others. */
#define PN_MODELS(EACH) \
    EACH(slotted) EACH(tandem) EACH(scheduler) EACH(cluster) EACH(makespan) EACH(dag) EACH(dispatch)

/* What all policies have, whatever the model. */
typedef struct pn_policy_about {
    const char *name, *summary, *source;
    const pn_param *params;
    const pn_key_part *keys; /* null: its order says nothing of itself */
    uint8_t param_count;
} pn_policy_about;

/* `config`, `sim`, `job`, `hooks`, `totals` and `policy` are pn_NAME_config, pn_NAME, pn_NAME_job,
 * pn_NAME_hooks, pn_NAME_totals and the policy that the model's hooks take. Functions do what those
 * of their names do, pn_NAME_check and so on, unless they say otherwise. Null is what a model does
 * not have; a core has nothing that runs, as its host's machines do. */
typedef struct pn_model {
    const char *name;
    size_t config_size, totals_size;

    /* of blocks */
    const pn_setting *(*setting_at)(size_t index);
    void (*defaults)(void *config);
    const char *(*check)(const void *config);
    size_t (*size)(const void *config);
    int (*init)(void **sim, void *block, size_t size, const void *config);
    int (*open)(void **sim, void *block, size_t size);
    size_t (*block_size)(const void *sim);
    int (*validate)(const void *block, size_t size);
    int (*configured)(const void *sim, const void *config);
    uint64_t (*digest)(const void *sim);
    void (*totals)(const void *sim, void *totals);

    /* of policies; the cluster model's are those of the scheduler core, the dag model's those of
     * the dispatch core */
    const char *(*policy_name)(const void *sim);
    const void *(*policy_at)(size_t index);
    const void *(*policy_find)(const char *name);
    pn_policy_about (*policy_about)(const void *policy);

    /* of runs */
    int (*submit)(void *sim, const void *job, uint64_t *id);
    int (*step)(void *sim, const void *hooks); /* the first one of a batch plans, too */
    /* Executes all that can happen. */
    int (*finish)(void *sim, const void *hooks);
    /* Returns the times of finished jobs, of a group or PN_ALL_GROUPS; null without statistics. */
    const pn_stats *(*statistics)(const void *sim, uint32_t group);
} pn_model;

#endif
