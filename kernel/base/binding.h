/* What the models share about the policies that they run: which values a parameter takes, and what
 * "the same policy" means. A simulation is bound to the first policy that it is given; every later
 * call must bring the same one again: its name, its shape and the values of its parameters. */
#ifndef PN_BINDING_H
#define PN_BINDING_H

#include "internal.h"

/* ---- parameters ---- */

/* Returns whether the parameter takes this value: a finite number in its range, and a whole one
 * where it is an integer or a choice. */
bool pn_param_takes(const pn_param *param, double value);

/* Returns whether a policy's table of parameters makes sense: not too many, each with a name and
 * with a default that it takes. */
bool pn_params_sane(const pn_param *params, uint32_t count);

/* ---- the bound policy ---- */

enum { PN_SHAPE_WORDS = 3 };

/* All zero before a policy is bound. */
typedef struct pn_binding {
    char name[PN_NAME_SIZE];
    uint64_t shape[PN_SHAPE_WORDS]; /* what the block depends on in the model's own policy table */
    double params[PN_PARAMS_MAX];
    uint32_t param_count;
    uint32_t unused;
} pn_binding;

/* What a policy is known by from one call to the next. */
typedef struct pn_bindable {
    const char *name;
    const pn_param *params;
    const double *values; /* of the parameters; null = their defaults */
    uint32_t param_count;
    uint64_t shape[PN_SHAPE_WORDS];
} pn_bindable;

/* Makes the binding. False when the name makes no sense, or when the parameters do not take the
 * values. */
bool pn_binding_make(pn_binding *binding, const pn_bindable *policy);

static inline bool pn_binding_is_bound(const pn_binding *binding)
{
    return binding->name[0] != '\0';
}

/* Returns whether it is this policy that is bound. O(parameters). */
bool pn_binding_is_of(const pn_binding *bound, const pn_bindable *policy);

/* Returns whether a block from outside holds a binding, of some policy or of none. What its shape
 * means is the model's to look at. */
bool pn_binding_sound(const pn_binding *binding);

#endif
