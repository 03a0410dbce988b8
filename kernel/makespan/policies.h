/* What the built-in policies of the makespan model share. */
#ifndef PN_MAKESPAN_POLICIES_H
#define PN_MAKESPAN_POLICIES_H

#include "base/internal.h"
#include "pn_makespan.h"

/* Parameters by index. Those that use Johnson's rule have the first two. */
enum {
    PN_MAKESPAN_PARAM_ESTIMATE,
    PN_MAKESPAN_PARAM_TIE,
    PN_MAKESPAN_PARAM_PARTITION,
    PN_MAKESPAN_PARAM_SIZE,
    PN_MAKESPAN_PARAM_SORT,
    PN_MAKESPAN_PARAM_SINGLE,
    PN_MAKESPAN_PARAM_START = 2,
    PN_MAKESPAN_PARAM_MAX_EVALS
};

/* Memory of the policies that try: arrays of places, and two of values. */
enum {
    PN_MAKESPAN_POOLS_BYTES_PER_JOB = 5 * sizeof(uint32_t) + 2 * sizeof(pn_exact),
    PN_MAKESPAN_SEARCH_BYTES_PER_JOB = 4 * sizeof(uint32_t) + 3 * sizeof(pn_exact)
};

/* Orders all jobs as they are listed: 0, 1, … */
void pn_makespan_order_by_index(const pn_makespan_view *view, uint32_t *jobs);
/* Puts jobs into Johnson's order by the parameters estimate and tie. */
int pn_makespan_order_johnson(pn_makespan_view *view, uint32_t *jobs, uint32_t count,
                              uint32_t map_slots, uint32_t reduce_slots);

int pn_makespan_decide_balanced_pools(pn_makespan_view *view);
int pn_makespan_decide_fixed_pools(pn_makespan_view *view);
int pn_makespan_decide_optimal(pn_makespan_view *view);
int pn_makespan_decide_portfolio(pn_makespan_view *view);
int pn_makespan_decide_neh(pn_makespan_view *view);
int pn_makespan_decide_local_search(pn_makespan_view *view);

#endif
