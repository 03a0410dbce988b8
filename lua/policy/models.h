/* The models that a policy in Lua may be of: the one list of them. What is a model's own is in
 * models/MODEL/script, behind a policy_model (state.h). */
#ifndef PINION_POLICY_MODELS_H
#define PINION_POLICY_MODELS_H

#include "pinion.h"

/* A name, and the kernel's table of a policy. */
#define POLICY_MODELS(MODEL)            \
    MODEL(slotted, pn_slotted_policy)   \
    MODEL(tandem, pn_tandem_policy)     \
    MODEL(makespan, pn_makespan_policy) \
    MODEL(cluster, pn_scheduler_policy) \
    MODEL(dag, pn_dispatch_policy)

#define POLICY_TABLE(MODEL, TABLE) TABLE MODEL;
typedef union policy_table {
    POLICY_MODELS(POLICY_TABLE)
    struct {
        size_t struct_size;
        const char *name, *summary, *source;
    } names; /* which every model's table begins with */
} policy_table;

#define POLICY_COUNT(MODEL, TABLE) +1
enum { POLICY_MODELS_COUNT = POLICY_MODELS(POLICY_COUNT) };

#endif
