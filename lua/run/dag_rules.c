#include "dag_rules.h"

/* as the kernel's enums */
static const char *const placements[] = {"first", "best", "spread", NULL};
static const char *const orders[] = {"depth", "index", "work", NULL};
static const char *const booleans[] = {"false", "true", NULL};

#define OF(name, field, wide)                                     \
    {                                                             \
        name, offsetof(pn_dag_config, field), wide, 0, NULL, NULL \
    }
#define CHOICE_OF(name, field, list)                           \
    {                                                          \
        name, offsetof(pn_dag_config, field), 0, 0, list, NULL \
    }

const model_rule dag_rules[] = {
    CHOICE_OF("placement", dispatch.placement, placements),
    CHOICE_OF("order", dispatch.order, orders),
    CHOICE_OF("backfill", dispatch.backfill, booleans),
    OF("seed", seed, 1),
    OF("factor_lo", factor_lo, 0),
    OF("factor_hi", factor_hi, 0),
    OF("est_lo", est_lo, 0),
    OF("est_hi", est_hi, 0),
    OF("start_ms", start_ms, 1),
    OF("max_kills_per_task", dispatch.max_kills, 0),
    OF("tick_ms", tick_ms, 1),
    OF("max_time_ms", max_time_ms, 1),
    {NULL, 0, 0, 0, NULL, NULL},
};
