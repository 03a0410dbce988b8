#include "cluster_rules.h"

/* as enum pn_scheduler_ready */
static const char *const starts[] = {"slowstart", "after_maps", NULL};

#define OF(name, field, wide)                                         \
    {                                                                 \
        name, offsetof(pn_cluster_config, field), wide, 0, NULL, NULL \
    }
#define CHOICE_OF(name, field, list)                               \
    {                                                              \
        name, offsetof(pn_cluster_config, field), 0, 0, list, NULL \
    }
#define NEWER_OF(name, field, automatic)                                \
    {                                                                   \
        name, offsetof(pn_cluster_config, field), 1, 1, NULL, automatic \
    }

const model_rule cluster_rules[] = {
    OF("seed", seed, 1),
    OF("heartbeat_ms", heartbeat_ms, 1),
    OF("maps_per_heartbeat", maps_per_heartbeat, 0),
    OF("replication", replication, 0),
    OF("factor_lo", factor_lo, 0),
    OF("factor_hi", factor_hi, 0),
    CHOICE_OF("reduce_start", scheduler.reduce_start, starts),
    OF("slowstart_permille", scheduler.slowstart_permille, 0),
    OF("locality_delay_ms", scheduler.locality_delay_ms, 1),
    OF("tick_ms", tick_ms, 1),
    OF("default_task_ms", scheduler.default_task_ms, 1),
    OF("input_ratio_permille", scheduler.input_ratio_permille, 0),
    OF("max_kills_per_task", scheduler.max_kills, 0),
    OF("attempt_fail_permille", attempt_fail_permille, 0),
    OF("attempts_max", scheduler.attempts_max, 0),
    NEWER_OF("est_extra_ms", est_extra_ms, "auto"),
    OF("max_time_ms", max_time_ms, 1),
    {NULL, 0, 0, 0, NULL, NULL},
};
