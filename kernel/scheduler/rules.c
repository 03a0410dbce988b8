/* The two descriptors of a policy, its order and its admission: which values their fields take,
 * what goes together, and what memory of the block they need. */
#include "state.h"

/* The largest value of every field. */
static const pn_scheduler_order ORDER_MOST = {.keys = PN_SCHEDULER_KEYS_TIMED,
                                              .shares = PN_SCHEDULER_SHARES_STRICT,
                                              .started_first = 1,
                                              .delays = 1,
                                              .colocates = 1,
                                              .estimates = 1,
                                              .elapses = 1,
                                              .memoryless = 1};
static const pn_scheduler_admission ADMISSION_MOST = {.deadlines = 1,
                                                      .finishes = PN_SCHEDULER_FINISHES_RECORDED,
                                                      .maps_first = 1,
                                                      .reserve = PN_SCHEDULER_RESERVE_STRICT,
                                                      .ended_predecessors = 1,
                                                      .ended_feedback = 1};

/* Returns whether no descriptor is above its limit. Descriptors are bytes, each a field. */
static bool none_above(const void *fields, const void *most, size_t count)
{
    const uint8_t *field = fields, *limit = most;
    for (size_t i = 0; i < count; i++)
        if (field[i] > limit[i])
            return false;
    return true;
}

bool pn_scheduler_rules_in_range(const pn_scheduler_order *order,
                                 const pn_scheduler_admission *admission)
{
    return none_above(order, &ORDER_MOST, sizeof *order) &&
           none_above(admission, &ADMISSION_MOST, sizeof *admission);
}

static bool scheduler_order_sane(const pn_scheduler_order *order, const pn_scheduler_policy *policy)
{
    /* A wake-up of a job that waits no longer would be a chance for copies. */
    if (policy->copy && (order->started_first || order->delays))
        return false;
    bool plain = order->keys == PN_SCHEDULER_KEYS_ON_ARRIVAL &&
                 order->shares == PN_SCHEDULER_SHARES_NONE && !order->delays && !order->colocates &&
                 !policy->pick;
    return plain || !order->started_first;
}

static bool admission_sane(const pn_scheduler_admission *admission, bool started_first,
                           const pn_scheduler_policy *policy)
{
    bool finishes = admission->finishes != PN_SCHEDULER_FINISHES_NONE,
         reserves = admission->reserve != PN_SCHEDULER_RESERVE_NONE,
         readings = admission->ended_predecessors || admission->ended_feedback;
    if (finishes && (!started_first || !policy->admit))
        return false;
    if (reserves && (!started_first || !admission->maps_first))
        return false;
    if (admission->reserve == PN_SCHEDULER_RESERVE_STRICT &&
        admission->finishes == PN_SCHEDULER_FINISHES_FORECAST)
        return false;
    return pn_scheduler_records(admission) || !readings;
}

/* Returns whether descriptors whose fields are in range go together, in this policy. */
bool pn_scheduler_rules_sane(const pn_scheduler_order *order,
                             const pn_scheduler_admission *admission,
                             const pn_scheduler_policy *policy)
{
    return scheduler_order_sane(order, policy) &&
           admission_sane(admission, order->started_first, policy) &&
           pn_scheduler_records(admission) == pn_scheduler_records(&policy->admission);
}

/* Returns whether the rules fit the block. One made for a policy without shares, started_first,
 * estimates or records has no memory for them. */
bool pn_scheduler_rules_fit(const pn_scheduler *s, const pn_scheduler_order *order,
                            const pn_scheduler_admission *admission)
{
    return (s->orders || !order->started_first) &&
           (s->shares || order->shares == PN_SCHEDULER_SHARES_NONE) &&
           (s->estimates || !order->estimates) && (s->records || !pn_scheduler_records(admission));
}

uint16_t pn_scheduler_functions_of(const pn_scheduler_policy *policy)
{
    return (uint16_t)((policy->key != NULL) << PN_SCHEDULER_HAS_KEY |
                      (policy->init != NULL) << PN_SCHEDULER_HAS_INIT |
                      (policy->admit != NULL) << PN_SCHEDULER_HAS_ADMIT |
                      (policy->arrive != NULL) << PN_SCHEDULER_HAS_ARRIVE |
                      (policy->leave != NULL) << PN_SCHEDULER_HAS_LEAVE |
                      (policy->elapse != NULL) << PN_SCHEDULER_HAS_ELAPSE |
                      (policy->plan != NULL) << PN_SCHEDULER_HAS_PLAN |
                      (policy->preempt != NULL) << PN_SCHEDULER_HAS_PREEMPT |
                      (policy->pick != NULL) << PN_SCHEDULER_HAS_PICK |
                      (policy->copy != NULL) << PN_SCHEDULER_HAS_COPY);
}
