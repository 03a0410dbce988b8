/* The built-in policies that order at once, and the list of all. They use what pn_makespan.h offers
 * to any policy, and nothing else. */
#include "policies.h"

/* enum pn_makespan_time - 1 */
static const char *const TIMES[] = {"given", "waves_req", "waves", "capped", "fluid", NULL};
/* enum pn_makespan_tie */
static const char *const TIES[] = {"alg21", "mkjr", NULL};

#define ESTIMATE(DEFAULT)                                      \
    {                                                          \
        "estimate", (DEFAULT)-1, 0, 4, TIMES, 0,               \
            "how long stages are taken to last, for the order" \
    }
#define TIE(DEFAULT)                                                         \
    {                                                                        \
        "tie", DEFAULT, 0, 1, TIES, 0,                                       \
            "which of the two Johnson orders, alg21 (Algorithm 2.1) or mkjr" \
    }

void pn_makespan_order_by_index(const pn_makespan_view *view, uint32_t *jobs)
{
    uint32_t count = pn_makespan_job_count(view);
    for (uint32_t i = 0; i < count; i++)
        jobs[i] = i;
}

int pn_makespan_order_johnson(pn_makespan_view *view, uint32_t *jobs, uint32_t count,
                              uint32_t map_slots, uint32_t reduce_slots)
{
    uint32_t time = 1 + (uint32_t)pn_makespan_param_value(view, PN_MAKESPAN_PARAM_ESTIMATE);
    uint32_t tie = (uint32_t)pn_makespan_param_value(view, PN_MAKESPAN_PARAM_TIE);
    return pn_makespan_johnson_order(view, jobs, count, time, tie, map_slots, reduce_slots);
}

/* ---- fifo, given_order ---- */

static int decide_fifo(pn_makespan_view *view)
{
    uint32_t *jobs = pn_makespan_state(view);
    pn_makespan_order_by_index(view, jobs);
    return pn_makespan_give_order(view, jobs, pn_makespan_job_count(view));
}

const pn_makespan_policy *pn_makespan_fifo(void)
{
    static const pn_makespan_policy policy = {
        .name = "fifo",
        .summary = "jobs in the order in which they are listed",
        .source = "section 1; MK32",
        .state_bytes_per_job = sizeof(uint32_t),
        .decide = decide_fifo,
    };
    return &policy;
}

static int decide_given_order(pn_makespan_view *view)
{
    const uint32_t *jobs = pn_makespan_order_set(view);
    return jobs ? pn_makespan_give_order(view, jobs, pn_makespan_job_count(view)) : PN_ERR_ARGUMENT;
}

const pn_makespan_policy *pn_makespan_given_order(void)
{
    static const pn_makespan_policy policy = {
        .name = "given_order",
        .summary = "jobs in the order that is given",
        .source = "MK32",
        .decide = decide_given_order,
    };
    return &policy;
}

/* ---- Johnson's rule, by what stages are taken to last ---- */

static int decide_johnson(pn_makespan_view *view)
{
    uint32_t *jobs = pn_makespan_state(view), count = pn_makespan_job_count(view);
    pn_makespan_order_by_index(view, jobs);
    int status = pn_makespan_order_johnson(view, jobs, count, pn_makespan_slots(view, 0),
                                           pn_makespan_slots(view, 1));
    return status == PN_OK ? pn_makespan_give_order(view, jobs, count) : status;
}

const pn_makespan_policy *pn_makespan_johnson(void)
{
    static const pn_makespan_policy policy = {
        .name = "johnson",
        .summary = "Johnson's rule on the stage times given in the workload",
        .source = "Algorithm 2.1; Johnson 1954; MK7",
        .stage_time = PN_MAKESPAN_GIVEN,
        .param_count = 2,
        .params = {ESTIMATE(PN_MAKESPAN_GIVEN), TIE(PN_MAKESPAN_ALG21)},
        .state_bytes_per_job = sizeof(uint32_t),
        .decide = decide_johnson,
    };
    return &policy;
}

const pn_makespan_policy *pn_makespan_mk_jr(void)
{
    static const pn_makespan_policy policy = {
        .name = "mk_jr",
        .summary =
            "Johnson's rule on given stage times; a stage runs on the slots that its job requests",
        .source = "section 3, MK_JR; MK8",
        .cap = PN_MAKESPAN_CAP_REQUESTED,
        .param_count = 2,
        .params = {ESTIMATE(PN_MAKESPAN_GIVEN), TIE(PN_MAKESPAN_MKJR)},
        .state_bytes_per_job = sizeof(uint32_t),
        .decide = decide_johnson,
    };
    return &policy;
}

const pn_makespan_policy *pn_makespan_uaas(void)
{
    static const pn_makespan_policy policy = {
        .name = "uaas",
        .summary = "Johnson's rule on work divided by all slots: utilizing all available slots",
        .source = "section 2, Algorithm 2.1; MK7",
        .stage_time = PN_MAKESPAN_FLUID,
        .param_count = 2,
        .params = {ESTIMATE(PN_MAKESPAN_FLUID), TIE(PN_MAKESPAN_ALG21)},
        .state_bytes_per_job = sizeof(uint32_t),
        .decide = decide_johnson,
    };
    return &policy;
}

/* ---- the others, with Johnson's rule inside ---- */

static const char *const NO_YES[] = {"false", "true", NULL};
static const char *const PARTITIONS[] = {"prefix", "exhaustive", NULL};
static const char *const SIZES[] = {"scan", "binary", NULL};
static const char *const SORTS[] = {"map_tasks", "work", "index", NULL};
static const char *const STARTS[] = {"johnson", "portfolio", "neh", "best", NULL};

const pn_makespan_policy *pn_makespan_balanced_pools(void)
{
    static const pn_makespan_policy policy = {
        .name = "balanced_pools",
        .summary = "the best split into two pools, each in Johnson's order, or none",
        .source = "section 3, BalancedPools; MK22-MK24",
        .param_count = 6,
        .params =
            {ESTIMATE(PN_MAKESPAN_WAVES_REQUESTED), TIE(PN_MAKESPAN_ALG21),
             [PN_MAKESPAN_PARAM_PARTITION] =
                 {"bp_partition", 0, 0, 1, PARTITIONS, 0,
                  "which jobs may share a pool: prefix of the sorted jobs, or any"},
             [PN_MAKESPAN_PARAM_SIZE] = {"bp_size", 0, 0, 1, SIZES, 0,
                                         "sizes of the first pool: scan all, or binary search"},
             [PN_MAKESPAN_PARAM_SORT] =
                 {"bp_sort", 0, 0, 2, SORTS, 0,
                  "what jobs are sorted by, ascending, before they are split"},
             [PN_MAKESPAN_PARAM_SINGLE] = {"bp_allow_single", 1, 0, 1, NO_YES, 0,
                                           "whether one pool with all jobs is a candidate"}},
        .state_bytes_per_job = PN_MAKESPAN_POOLS_BYTES_PER_JOB,
        .decide = pn_makespan_decide_balanced_pools,
    };
    return &policy;
}

const pn_makespan_policy *pn_makespan_fixed_pools(void)
{
    static const pn_makespan_policy policy = {
        .name = "fixed_pools",
        .summary = "the pools in the parameters, each in Johnson's order",
        .source = "section 3; MK25",
        .param_count = 2,
        .params = {ESTIMATE(PN_MAKESPAN_WAVES_REQUESTED), TIE(PN_MAKESPAN_ALG21)},
        .state_bytes_per_job = sizeof(uint32_t),
        .decide = pn_makespan_decide_fixed_pools,
    };
    return &policy;
}

const pn_makespan_policy *pn_makespan_optimal(void)
{
    static const pn_makespan_policy policy = {
        .name = "optimal",
        .summary = "the best of all orders of jobs, for at most 8 jobs",
        .source = "Theorem 1; MK32",
        .state_bytes_per_job = PN_MAKESPAN_SEARCH_BYTES_PER_JOB,
        .decide = pn_makespan_decide_optimal,
    };
    return &policy;
}

const pn_makespan_policy *pn_makespan_portfolio(void)
{
    static const pn_makespan_policy policy = {
        .name = "portfolio",
        .summary =
            "the best of 26 Johnson orders, whose estimates weigh the longest tasks differently",
        .source = "beyond the paper; MK28",
        .state_bytes_per_job = PN_MAKESPAN_SEARCH_BYTES_PER_JOB,
        .decide = pn_makespan_decide_portfolio,
    };
    return &policy;
}

const pn_makespan_policy *pn_makespan_neh(void)
{
    static const pn_makespan_policy policy = {
        .name = "neh",
        .summary = "longest job first, each inserted where the makespan is smallest",
        .source = "beyond the paper, after Nawaz, Enscore, Ham 1983; MK26",
        .state_bytes_per_job = PN_MAKESPAN_SEARCH_BYTES_PER_JOB,
        .decide = pn_makespan_decide_neh,
    };
    return &policy;
}

const pn_makespan_policy *pn_makespan_local_search(void)
{
    static const pn_makespan_policy policy = {
        .name = "local_search",
        .summary = "moves one job at a time while that makes the order better",
        .source = "beyond the paper; MK27",
        .param_count = 4,
        .params =
            {ESTIMATE(PN_MAKESPAN_FLUID), TIE(PN_MAKESPAN_ALG21),
             [PN_MAKESPAN_PARAM_START] = {"start", 0, 0, 3, STARTS, 0,
                                          "the order to begin with; best: of portfolio and neh"},
             [PN_MAKESPAN_PARAM_MAX_EVALS] = {"max_evals", 2000, 1, 9007199254740992.0, NULL, 1,
                                              "orders evaluated at most, the first one too"}},
        .state_bytes_per_job = PN_MAKESPAN_SEARCH_BYTES_PER_JOB,
        .decide = pn_makespan_decide_local_search,
    };
    return &policy;
}

/* ---- all of them ---- */

/* in the order in which lists show them */
static const pn_makespan_policy *(*const makespan_policies[])(void) = {
#ifdef PN_MAKESPAN_POLICIES
    PN_MAKESPAN_POLICIES,
#else
    pn_makespan_fifo,        pn_makespan_given_order,  pn_makespan_johnson,
    pn_makespan_mk_jr,       pn_makespan_uaas,         pn_makespan_balanced_pools,
    pn_makespan_fixed_pools, pn_makespan_optimal,      pn_makespan_portfolio,
    pn_makespan_neh,         pn_makespan_local_search, pn_makespan_exact,
#endif
};

const pn_makespan_policy *pn_makespan_policy_at(size_t index)
{
    return index < sizeof makespan_policies / sizeof *makespan_policies ? makespan_policies[index]()
                                                                        : NULL;
}

const pn_makespan_policy *pn_makespan_policy_find(const char *name)
{
    const pn_makespan_policy *policy;
    for (size_t i = 0; name && (policy = pn_makespan_policy_at(i)); i++)
        if (pn_means_name(name, policy->name))
            return policy;
    return NULL;
}
