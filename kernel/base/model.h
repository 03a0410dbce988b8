/* The functions of a model in the types of its table, see pn_model.h. */
#ifndef BASE_MODEL_H
#define BASE_MODEL_H

#include "pn_model.h"

/* Of a model or core and the room of its policies. */
#define PN_MODEL_OF_BLOCKS(model, room)                                                   \
    static void model##_any_defaults(void *config)                                        \
    {                                                                                     \
        *(pn_##model##_config *)config = pn_##model##_defaults();                         \
    }                                                                                     \
    static const char *model##_any_check(const void *config)                              \
    {                                                                                     \
        return pn_##model##_check(config);                                                \
    }                                                                                     \
    static size_t model##_any_size(const void *config)                                    \
    {                                                                                     \
        return pn_##model##_size(config);                                                 \
    }                                                                                     \
    static int model##_any_init(void **sim, void *block, size_t size, const void *config) \
    {                                                                                     \
        pn_##model *made = sim ? *sim : NULL;                                             \
        int status = pn_##model##_init(sim ? &made : NULL, block, size, config);          \
        if (sim)                                                                          \
            *sim = made;                                                                  \
        return status;                                                                    \
    }                                                                                     \
    static int model##_any_open(void **sim, void *block, size_t size)                     \
    {                                                                                     \
        pn_##model *made = sim ? *sim : NULL;                                             \
        int status = pn_##model##_open(sim ? &made : NULL, block, size);                  \
        if (sim)                                                                          \
            *sim = made;                                                                  \
        return status;                                                                    \
    }                                                                                     \
    static size_t model##_any_block_size(const void *sim)                                 \
    {                                                                                     \
        return pn_##model##_block_size(sim);                                              \
    }                                                                                     \
    static uint64_t model##_any_digest(const void *sim)                                   \
    {                                                                                     \
        return pn_##model##_digest(sim);                                                  \
    }                                                                                     \
    static void model##_any_totals(const void *sim, void *totals)                         \
    {                                                                                     \
        pn_##model##_totals_get(sim, totals);                                             \
    }                                                                                     \
    static const void *model##_any_policy_at(size_t index)                                \
    {                                                                                     \
        return pn_##room##_policy_at(index);                                              \
    }                                                                                     \
    static const void *model##_any_policy_find(const char *name)                          \
    {                                                                                     \
        return pn_##room##_policy_find(name);                                             \
    }                                                                                     \
    static pn_policy_about model##_any_policy_about(const void *any)                      \
    {                                                                                     \
        const pn_##room##_policy *policy = any;                                           \
        return (pn_policy_about){.name = policy->name,                                    \
                                 .summary = policy->summary,                              \
                                 .source = policy->source,                                \
                                 .params = policy->params,                                \
                                 .keys = policy->keys,                                    \
                                 .param_count = policy->param_count};                     \
    }

/* A model that may resume from a block of another run. */
#define PN_MODEL_CONFIGURED(model)                                         \
    static int model##_any_configured(const void *sim, const void *config) \
    {                                                                      \
        return pn_##model##_configured(sim, config);                       \
    }

/* A model that runs by itself. */
#define PN_MODEL_OF_RUNS(model)                                             \
    static int model##_any_submit(void *sim, const void *job, uint64_t *id) \
    {                                                                       \
        return pn_##model##_submit(sim, job, id);                           \
    }                                                                       \
    static int model##_any_step(void *sim, const void *hooks)               \
    {                                                                       \
        return pn_##model##_step(sim, hooks);                               \
    }

/* The members of the table for them. */
#define PN_MODEL_BLOCKS(model)                                                                     \
    .name = #model, .config_size = sizeof(pn_##model##_config),                                    \
    .totals_size = sizeof(pn_##model##_totals), .setting_at = pn_##model##_setting_at,             \
    .defaults = model##_any_defaults, .check = model##_any_check, .size = model##_any_size,        \
    .init = model##_any_init, .open = model##_any_open, .block_size = model##_any_block_size,      \
    .validate = pn_##model##_validate, .digest = model##_any_digest, .totals = model##_any_totals, \
    .policy_name = model##_any_policy_name, .policy_at = model##_any_policy_at,                    \
    .policy_find = model##_any_policy_find, .policy_about = model##_any_policy_about
#define PN_MODEL_RUNS(model)                                                              \
    .submit = model##_any_submit, .step = model##_any_step, .finish = model##_any_finish, \
    .statistics = model##_any_statistics

#endif
