/* One contract for all models: what a host may rely on, whatever it simulates. A model brings cases
 * to run (models/NAME.c) beside its table of functions; the tests beside this file hold every model
 * to the same promises. */
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
 * digest is 0. */
typedef struct contract_model {
    const pn_model *(*kernel)(void);
    /* cases, index 0, 1, …; false behind the last */
    bool (*make)(size_t index, contract_case *made);
    void (*drop)(contract_case *made);
    /* all jobs, and what else has to be told before the first step; null for a core */
    int (*feed)(void *sim, const contract_case *of);
} contract_model;

#define CONTRACT_DECLARE(model) extern const contract_model contract_##model;
PN_MODELS(CONTRACT_DECLARE)
#define CONTRACT_LIST(model) &contract_##model,
static const contract_model *const contract_models[] = {PN_MODELS(CONTRACT_LIST) NULL};

/* Writes the value of a setting. */
static inline void contract_put(unsigned char *config, const pn_setting *setting, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    assert_true(setting->size == sizeof narrow || setting->size == sizeof value);
    if (setting->size == sizeof narrow)
        memcpy(config + setting->offset, &narrow, sizeof narrow);
    else
        memcpy(config + setting->offset, &value, sizeof value);
}

static inline void *contract_room(size_t size)
{
    void *room = malloc(size);
    assert_non_null(room);
    return room;
}

#endif
