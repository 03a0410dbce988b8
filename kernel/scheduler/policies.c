/* The built-in policies of the cluster model without deadlines, and the list of all, written
 * against the public policy interface and nothing else. */
#include "base/internal.h"
#include "base/settings.h"
#include "pn_scheduler.h"

static const char *const SCHEDULER_FALSE_TRUE[] = {"false", "true", NULL};

/* Orders jobs of a higher priority first, whatever the key is, of which the first word is below
 * 2^43 (CL41). */
static void scheduler_behind_priority(const pn_scheduler_view *view, uint32_t job, uint64_t high,
                                      uint64_t low, pn_key *key)
{
    int32_t priority = pn_scheduler_priority_of(view, job);
    key->word[0] = (uint64_t)(PN_SCHEDULER_PRIORITY_MOST - priority) << 43 | high;
    key->word[1] = low;
}

static void by_submission(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    scheduler_behind_priority(view, job, 0, 0, key);
}

/* ---- Fair (CL15, CL16) ---- */

static const char *const FAIR_MODES[] = {"running", "deficit", NULL};
enum { FAIR_MODE, FAIR_RUNNING = 0, FAIR_DEFICIT = 1 };

/* What a job was short of so far, in milli-slots times ms, map and reduce. */
typedef struct fair_deficit {
    int64_t of[2];
} fair_deficit;

/* Returns the deficits. The state begins with the shares of all jobs. */
static fair_deficit *fair_deficits(const pn_scheduler_view *view)
{
    uint64_t *milli = pn_scheduler_state(view);
    return (fair_deficit *)(void *)(milli + pn_scheduler_jobs_max(view));
}

static int fair_init(pn_scheduler_view *view)
{
    if ((int)pn_scheduler_param_value(view, FAIR_MODE) == FAIR_RUNNING)
        return PN_OK;
    const pn_scheduler_order deficits = {
        .keys = PN_SCHEDULER_KEYS_TIMED, .elapses = 1, .delays = 1};
    return pn_scheduler_set_rules(view, &deficits, NULL);
}

static int fair_arrive(pn_scheduler_view *view, uint32_t job)
{
    fair_deficits(view)[job] = (fair_deficit){{0, 0}};
    return PN_OK;
}

/* Accrues. Far beyond any run, deficits stop at +-2^62. */
static int64_t accrue(int64_t deficit, uint64_t share, uint64_t held, uint64_t ms)
{
    const uint64_t most = (uint64_t)1 << 62;
    uint64_t rate = share > held ? share - held : held - share;
    int64_t change = (int64_t)(rate == 0 || ms <= most / rate ? rate * ms : most);
    if (share > held)
        return deficit > (int64_t)most - change ? (int64_t)most : deficit + change;
    return deficit < change - (int64_t)most ? -(int64_t)most : deficit - change;
}

static int fair_elapse(pn_scheduler_view *view, uint64_t ms)
{
    uint64_t *milli = pn_scheduler_state(view);
    for (uint32_t kind = 0; kind < 2; kind++) {
        pn_scheduler_fill(view, kind, milli);
        for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
             job = pn_scheduler_next(view, job)) {
            int64_t *deficit = &fair_deficits(view)[job].of[kind];
            *deficit = accrue(*deficit, milli[job],
                              (uint64_t)1000 * pn_scheduler_running(view, job, kind), ms);
        }
    }
    return PN_OK;
}

/* Orders by fewest running tasks for its weight first, in millionths; or the largest deficit, as
 * its distance from the largest there can be. */
static void scheduler_fair_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                               pn_key *key)
{
    if ((int)pn_scheduler_param_value(view, FAIR_MODE) == FAIR_RUNNING) {
        uint64_t running = (uint64_t)1000000 * pn_scheduler_running(view, job, kind);
        scheduler_behind_priority(view, job, 0, running / pn_scheduler_weight_of(view, job), key);
        return;
    }
    uint64_t missing = ((uint64_t)1 << 62) - (uint64_t)fair_deficits(view)[job].of[kind];
    scheduler_behind_priority(view, job, 0, missing, key);
}

/* ---- hSRTF (CL17-CL19b) ---- */

enum { COLOCATE, PURE_PREEMPTION = 1, STARVATION = 1, WORK_CONSERVING, PREEMPTION };

/* What becomes of victims. */
static const char *const PREEMPTIONS[] = {"kill", "suspend", NULL};
enum { KILL = 0, SUSPEND = 1 };

static int take_back(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t most,
                     uint32_t *taken)
{
    bool pure = pn_scheduler_order_get(view).shares == PN_SCHEDULER_SHARES_NONE;
    uint32_t preemption = pure ? PURE_PREEMPTION : PREEMPTION;
    return (int)pn_scheduler_param_value(view, preemption) == SUSPEND
               ? pn_scheduler_suspend(view, job, kind, most, taken)
               : pn_scheduler_kill(view, job, kind, most, taken);
}

static void shortest_first(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    scheduler_behind_priority(view, job, 0, pn_scheduler_remaining(view, job), key);
}

static int hsrtf_init(pn_scheduler_view *view)
{
    pn_scheduler_order order = pn_scheduler_order_get(view);
    bool shares = order.shares != PN_SCHEDULER_SHARES_NONE;
    order.colocates = pn_scheduler_param_value(view, COLOCATE) != 0.0;
    if (shares && pn_scheduler_param_value(view, WORK_CONSERVING) == 0.0)
        order.shares = PN_SCHEDULER_SHARES_STRICT;
    return pn_scheduler_set_rules(view, &order, NULL);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Applies equation (3): the less remains, the more slots; times the job's own weight. */
static uint64_t weight_of(const pn_scheduler_view *view, uint32_t job)
{
    return pn_scheduler_scale((uint64_t)1000000000000000, pn_scheduler_weight_of(view, job),
                              pn_max(1, pn_scheduler_remaining(view, job)));
}

/* Returns equation (5), permille: its makespan if it keeps this share, against its makespan
 * alone. */
static uint64_t starvation(const pn_scheduler_view *view, uint32_t job, uint64_t weight,
                           uint64_t weights)
{
    uint64_t maps = pn_max(1, pn_scheduler_scale(pn_scheduler_capacity(view, PN_SCHEDULER_MAP),
                                                 weight, pn_max(1, weights)));
    uint64_t reduces = pn_max(1,
                              pn_scheduler_scale(pn_scheduler_capacity(view, PN_SCHEDULER_REDUCE),
                                                 weight, pn_max(1, weights)));
    uint64_t makespan = pn_scheduler_now(view) - pn_scheduler_submit_of(view, job) +
                        pn_scheduler_remaining_on(view, job, maps, reduces);
    return pn_scheduler_scale(makespan, 1000, pn_max(1, pn_scheduler_alone(view, job)));
}

static int proportional_plan(pn_scheduler_view *view, uint32_t reason)
{
    bool starving = pn_scheduler_param_value(view, STARVATION) != 0.0;
    uint64_t weights = 0;
    (void)reason;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        weights = sum(weights, weight_of(view, job));
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        uint64_t weight = weight_of(view, job);
        if (starving)
            weight = pn_scheduler_scale(weight, starvation(view, job, weight, weights), 1000);
        pn_scheduler_weigh(view, job, weight);
    }
    return PN_OK;
}

/* Returns whether the job is behind the other one though ids do not count. */
static bool is_behind(const pn_scheduler_view *view, uint32_t job, uint32_t other)
{
    int32_t own = pn_scheduler_priority_of(view, job), its = pn_scheduler_priority_of(view, other);
    if (own != its)
        return own < its;
    return pn_scheduler_remaining(view, job) > pn_scheduler_remaining(view, other);
}

/* Preempts by CL19b: the shortest job with something pending takes slots from those that take
 * longer, the longest first. */
static int pure_preempt(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t target = pn_scheduler_first(view, kind), count, taken;
    if (target == PN_NO_JOB ||
        pn_scheduler_pending(view, target, kind) <= pn_scheduler_free(view, kind))
        return PN_OK;
    uint32_t need = pn_scheduler_pending(view, target, kind) - pn_scheduler_free(view, kind);
    const uint32_t *jobs = pn_scheduler_by_key(view, kind, &count);
    /* ends at the target at the latest, which is not behind itself */
    for (uint32_t i = count; PN_ALWAYS(i > 0) && need > 0; i--) {
        if (!is_behind(view, jobs[i - 1], target))
            break;
        int status = take_back(view, jobs[i - 1], kind, need, &taken);
        if (status != PN_OK)
            return status;
        need -= taken;
    }
    return PN_OK;
}

/* Preempts by CL19b: what jobs below their share are short of is taken from those above theirs, the
 * longest first. */
static int proportional_preempt(pn_scheduler_view *view, uint32_t kind)
{
    uint64_t need = 0;
    uint32_t count, taken;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        uint32_t share = pn_scheduler_share(view, job, kind),
                 running = pn_scheduler_running(view, job, kind);
        if (share > running)
            need += pn_min(pn_scheduler_pending(view, job, kind), share - running);
    }
    if (need <= pn_scheduler_free(view, kind))
        return PN_OK;
    need -= pn_scheduler_free(view, kind);
    const uint32_t *jobs = pn_scheduler_by_key(view, kind, &count);
    for (uint32_t i = count; i > 0 && need > 0; i--) {
        uint32_t share = pn_scheduler_share(view, jobs[i - 1], kind),
                 running = pn_scheduler_running(view, jobs[i - 1], kind);
        if (running <= share)
            continue;
        int status = take_back(view, jobs[i - 1], kind, (uint32_t)pn_min(need, running - share),
                               &taken);
        if (status != PN_OK)
            return status;
        need -= taken;
    }
    return PN_OK;
}

/* ---- what the keys are ---- */

#define FIRST_PRIORITY                                                           \
    {                                                                            \
        .form = PN_KEY_PRIORITY, .base = PN_SCHEDULER_PRIORITY_MOST, .shift = 43 \
    }
#define TIME_LEFT                                                          \
    {                                                                      \
        .name = "estimated time left, ms", .form = PN_KEY_WHOLE, .word = 1 \
    }

static const pn_key_part scheduler_submission[] = {
    FIRST_PRIORITY, {.name = "order of arrival"}, {0}};
static const pn_key_part scheduler_fair_parts[] = {
    FIRST_PRIORITY,
    {.name = "tasks that run for its weight",
     .form = PN_KEY_WHOLE,
     .word = 1,
     .unit = 1000000,
     .choice = 1 + FAIR_RUNNING},
    {.name = "slot-ms short of the share, the most first",
     .form = PN_KEY_FALLING,
     .word = 1,
     .base = (uint64_t)1 << 62,
     .unit = 1000,
     .choice = 1 + FAIR_DEFICIT},
    {0}};
static const pn_key_part scheduler_time_left[] = {FIRST_PRIORITY, TIME_LEFT, {0}};
static const char *const SHARED[] = {"", "at its share", NULL};
static const pn_key_part scheduler_shares[] = {
    FIRST_PRIORITY,
    TIME_LEFT,
    {.name = "jobs below their share go first", .names = SHARED, .form = PN_KEY_RANK},
    {0}};

/* ---- the table ---- */

const pn_scheduler_policy *pn_scheduler_fifo(void)
{
    static const pn_scheduler_policy policy = {
        .name = "fifo",
        .summary = "first come, first served",
        .source = "Hadoop 1; CL10",
        PN_KEYS(scheduler_submission),
        .key = by_submission,
    };
    return &policy;
}

const pn_scheduler_policy *pn_scheduler_fair(void)
{
    static const pn_scheduler_policy policy = {
        .name = "fair",
        .summary = "equal shares of the slots; may wait a while for a local map",
        .source = "Hadoop 1, MAPREDUCE-706; CL15, CL16",
        PN_KEYS(scheduler_fair_parts),
        .order = {.keys = PN_SCHEDULER_KEYS_SERVED, .delays = 1},
        .param_count = 1,
        .params = {{"fair_mode", FAIR_RUNNING, 0, 1, FAIR_MODES, 0,
                    "fewest running tasks first, or the largest deficit first"}},
        .state_bytes_per_job = sizeof(uint64_t) + sizeof(fair_deficit),
        .key = scheduler_fair_key,
        .init = fair_init,
        .arrive = fair_arrive,
        .elapse = fair_elapse,
    };
    return &policy;
}

#define COLOCATE_PARAM                                              \
    {                                                               \
        "colocate", 1, 0, 1, SCHEDULER_FALSE_TRUE, 0,               \
            "reduces near the job's maps while such slots are free" \
    }
#define PREEMPTION_PARAM                                                           \
    {                                                                              \
        "preemption", KILL, 0, 1, PREEMPTIONS, 0,                                  \
            "kill the tasks that lose their slots, or suspend them on their nodes" \
    }
#define PURE_ORDER                                                                         \
    {                                                                                      \
        .keys = PN_SCHEDULER_KEYS_PLANNED, .estimates = 1, .colocates = 1, .memoryless = 1 \
    }
#define PROPORTIONAL_ORDER                                                           \
    {                                                                                \
        .keys = PN_SCHEDULER_KEYS_PLANNED, .shares = PN_SCHEDULER_SHARES_CONSERVING, \
        .estimates = 1, .colocates = 1, .memoryless = 1                              \
    }

const pn_scheduler_policy *pn_scheduler_hsrtf_pu(void)
{
    static const pn_scheduler_policy policy = {
        .name = "hsrtf-pu",
        .summary = "all slots to the job with the shortest remaining time",
        .source = "hSRTF, 3.2, Table 1; CL17, CL19",
        PN_KEYS(scheduler_time_left),
        .order = PURE_ORDER,
        .param_count = 1,
        .params = {COLOCATE_PARAM},
        .key = shortest_first,
        .init = hsrtf_init,
    };
    return &policy;
}

const pn_scheduler_policy *pn_scheduler_hsrtf_pup(void)
{
    static const pn_scheduler_policy policy = {
        .name = "hsrtf-pup",
        .summary = "as hsrtf-pu, and kills tasks of longer jobs for it",
        .source = "hSRTF, 3.3, Table 1; CL17, CL19, CL19b; to suspend: CL34-CL36",
        PN_KEYS(scheduler_time_left),
        .order = PURE_ORDER,
        .param_count = 2,
        .params = {COLOCATE_PARAM, PREEMPTION_PARAM},
        .key = shortest_first,
        .init = hsrtf_init,
        .preempt = pure_preempt,
    };
    return &policy;
}

#define STARVATION_PARAM                                         \
    {                                                            \
        "starvation", 1, 0, 1, SCHEDULER_FALSE_TRUE, 0,          \
            "weights grow with the starvation ratio, equation 5" \
    }
#define WORK_CONSERVING_PARAM                                       \
    {                                                               \
        "work_conserving", 1, 0, 1, SCHEDULER_FALSE_TRUE, 0,        \
            "slots above the shares too, when all jobs have theirs" \
    }

const pn_scheduler_policy *pn_scheduler_hsrtf_pr(void)
{
    static const pn_scheduler_policy policy = {
        .name = "hsrtf-pr",
        .summary = "slots in inverse proportion to the remaining times",
        .source = "hSRTF, 3.5, Table 1; CL17-CL19",
        PN_KEYS(scheduler_shares),
        .order = PROPORTIONAL_ORDER,
        .param_count = 3,
        .params = {COLOCATE_PARAM, STARVATION_PARAM, WORK_CONSERVING_PARAM},
        .key = shortest_first,
        .init = hsrtf_init,
        .plan = proportional_plan,
    };
    return &policy;
}

const pn_scheduler_policy *pn_scheduler_hsrtf_prp(void)
{
    static const pn_scheduler_policy policy = {
        .name = "hsrtf-prp",
        .summary = "as hsrtf-pr, and kills tasks of jobs above their share for those below",
        .source = "hSRTF, 3.3, 3.5, Table 1; CL17-CL19b; to suspend: CL34-CL36",
        PN_KEYS(scheduler_shares),
        .order = PROPORTIONAL_ORDER,
        .param_count = 4,
        .params = {COLOCATE_PARAM, STARVATION_PARAM, WORK_CONSERVING_PARAM, PREEMPTION_PARAM},
        .key = shortest_first,
        .init = hsrtf_init,
        .plan = proportional_plan,
        .preempt = proportional_preempt,
    };
    return &policy;
}

/* in the order in which lists show them */
static const pn_scheduler_policy *(*const scheduler_policies[])(void) = {
#ifdef PN_SCHEDULER_POLICIES
    PN_SCHEDULER_POLICIES,
#else
    pn_scheduler_fifo,      pn_scheduler_fair,      pn_scheduler_hsrtf_pu,
    pn_scheduler_hsrtf_pup, pn_scheduler_hsrtf_pr,  pn_scheduler_hsrtf_prp,
    pn_scheduler_rtmr,      pn_scheduler_rtmr_live, pn_scheduler_dc,
#endif
};

const pn_scheduler_policy *pn_scheduler_policy_at(size_t index)
{
    return index < sizeof scheduler_policies / sizeof *scheduler_policies
               ? scheduler_policies[index]()
               : NULL;
}

const pn_scheduler_policy *pn_scheduler_policy_find(const char *name)
{
    const pn_scheduler_policy *policy;
    for (size_t i = 0; name && (policy = pn_scheduler_policy_at(i)); i++)
        if (pn_means_name(name, policy->name))
            return policy;
    return NULL;
}
