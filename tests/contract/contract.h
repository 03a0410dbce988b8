/* One contract for all models: what a host may rely on, whatever it simulates. A model brings a
 * table of its functions and cases to run (models/NAME.c); the tests beside this file hold every
 * model to the same promises. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pinion.h"

/* A block keeps its configuration behind its head. */
enum { CONTRACT_TOTALS = 1024, CONTRACT_CONFIG = 512, CONTRACT_CONFIG_AT = 24 };

/* A configuration with everything switched on, jobs, and a policy. */
typedef struct contract_case {
    _Alignas(8) unsigned char config[CONTRACT_CONFIG];
    void *jobs;        /* the model's own */
    const void *hooks; /* the model's own; lives as long as the model's next case is not made */
} contract_case;

/* What the tests rely on besides the functions' own promises: every case has three groups and
 * statistics; a block begins with a pn_block_head; before a policy is bound its name is "" and the
 * digest is 0. A model is added here and in contract_models below. */

typedef struct contract_policy {
    const char *name, *summary, *source;
    const void *table;
} contract_policy;

typedef struct contract_model {
    const char *name;

    /* blocks: pn_MODEL_check, _size, … */
    const pn_setting *(*setting_at)(size_t index);
    const char *(*check)(const void *config);
    size_t (*size)(const void *config);
    int (*init)(void **sim, void *block, size_t size, const void *config);
    int (*open)(void **sim, void *block, size_t size);
    size_t (*block_size)(const void *sim);
    int (*validate)(const void *block, size_t size);
    /* where a block keeps the capacity of one of its tables, a uint32_t: with another value the
     * layout is another one; 0: not told */
    size_t capacity;
    uint64_t (*digest)(const void *sim);
    const char *(*policy_name)(const void *sim);
    const void *(*policy_find)(const char *name);
    /* those built in; false behind the last */
    bool (*policy)(size_t index, contract_policy *policy);

    /* cases, index 0, 1, …; false behind the last */
    bool (*make)(size_t index, contract_case *made);
    void (*drop)(contract_case *made);

    /* runs; null for a model that is driven from outside */
    /* all jobs, and what else has to be told before the first step */
    int (*feed)(void *sim, const contract_case *of);
    int (*step)(void *sim, const contract_case *of); /* PN_OK, PN_DONE */
    int (*finish)(void *sim, const contract_case *of);
    void (*totals)(const void *sim, unsigned char totals[CONTRACT_TOTALS]); /* zeros behind them */
    const pn_stats *(*statistics)(const void *sim, uint32_t group);
} contract_model;

extern const contract_model contract_slotted, contract_tandem, contract_makespan,
    contract_scheduler, contract_cluster, contract_dispatch, contract_dag;

static const contract_model *const contract_models[] = {
    &contract_slotted, &contract_tandem,   &contract_makespan, &contract_scheduler,
    &contract_cluster, &contract_dispatch, &contract_dag,      NULL};

/* The functions that all models have under their own names, in the types of the table. */
#define CONTRACT_FUNCTIONS(model)                                                \
    static const pn_setting *setting_of(size_t index)                            \
    {                                                                            \
        return pn_##model##_setting_at(index);                                   \
    }                                                                            \
    static const char *check_of(const void *config)                              \
    {                                                                            \
        return pn_##model##_check(config);                                       \
    }                                                                            \
    static size_t size_of(const void *config)                                    \
    {                                                                            \
        return pn_##model##_size(config);                                        \
    }                                                                            \
    static int init_of(void **sim, void *block, size_t size, const void *config) \
    {                                                                            \
        pn_##model *made = sim ? *sim : NULL;                                    \
        int status = pn_##model##_init(sim ? &made : NULL, block, size, config); \
        if (sim)                                                                 \
            *sim = made;                                                         \
        return status;                                                           \
    }                                                                            \
    static int open_of(void **sim, void *block, size_t size)                     \
    {                                                                            \
        pn_##model *made = sim ? *sim : NULL;                                    \
        int status = pn_##model##_open(sim ? &made : NULL, block, size);         \
        if (sim)                                                                 \
            *sim = made;                                                         \
        return status;                                                           \
    }                                                                            \
    static size_t block_size_of(const void *sim)                                 \
    {                                                                            \
        return pn_##model##_block_size(sim);                                     \
    }                                                                            \
    static int validate_of(const void *block, size_t size)                       \
    {                                                                            \
        return pn_##model##_validate(block, size);                               \
    }                                                                            \
    static uint64_t digest_of(const void *sim)                                   \
    {                                                                            \
        return pn_##model##_digest(sim);                                         \
    }

/* policies: pn_POLICIES_policies and its kin; the cluster model's are the scheduler's. */
#define CONTRACT_POLICIES(policies)                                             \
    static const void *policy_find_of(const char *name)                         \
    {                                                                           \
        return pn_##policies##_policy_find(name);                               \
    }                                                                           \
    static bool policy_of(size_t index, contract_policy *policy)                \
    {                                                                           \
        const pn_##policies##_policy *it = pn_##policies##_policy_at(index);    \
        if (it)                                                                 \
            *policy = (contract_policy){it->name, it->summary, it->source, it}; \
        return it != NULL;                                                      \
    }

#define CONTRACT_BLOCKS                                                                         \
    .setting_at = setting_of, .check = check_of, .size = size_of, .init = init_of,              \
    .open = open_of, .block_size = block_size_of, .validate = validate_of, .digest = digest_of, \
    .policy_find = policy_find_of, .policy = policy_of

static inline void *contract_room(size_t size)
{
    void *room = malloc(size);
    assert_non_null(room);
    return room;
}

#endif
