/* What the cases of the scheduler core and of the cluster model share: a policy, with any choices,
 * among them one that suspends and launches second attempts. */
#ifndef DAMAGE_SCHEDULER_H
#define DAMAGE_SCHEDULER_H

#include "support/damage.h"

/* A second attempt of whatever runs first elsewhere. */
static inline int damage_copy_first(pn_scheduler_view *view, uint32_t node, uint32_t kind,
                                    uint32_t *place)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    for (uint32_t at = PN_SCHEDULER_NO_ATTEMPT;
         job != PN_NO_JOB && pn_scheduler_may_run(view, job, kind) &&
         (at = pn_scheduler_next_attempt(view, job, kind, at)) != PN_SCHEDULER_NO_ATTEMPT;)
        if (pn_scheduler_attempt_twin(view, at) == PN_SCHEDULER_NO_ATTEMPT &&
            pn_scheduler_attempt_task(view, at).node != node) {
            *place = at;
            break;
        }
    return PN_OK;
}

/* Of the built-in policies one, or hsrtf-pup with second attempts. */
static inline const pn_scheduler_policy *damage_policy(pn_stream *stream)
{
    static pn_scheduler_policy copying;
    uint64_t count = 0;
    while (pn_scheduler_policy_at(count))
        count++;
    uint64_t chosen = random_uniform(stream, 0, count + 1);
    if (chosen < count)
        return pn_scheduler_policy_at(chosen);
    copying = *pn_scheduler_hsrtf_pup();
    copying.copy = damage_copy_first;
    return &copying;
}

/* Any choice where there is one. */
static inline double *damage_params(const pn_scheduler_policy *policy, pn_stream *stream)
{
    double *params = workload_room(PN_PARAMS_MAX * sizeof *params);
    for (uint32_t i = 0; i < policy->param_count; i++) {
        const pn_param *param = &policy->params[i];
        params[i] = param->names ? (double)random_uniform(stream, (uint64_t)param->low,
                                                          (uint64_t)param->high)
                                 : param->value;
    }
    return params;
}

/* Room for all that the policy may do; a block that is not made for it alone. */
static inline void damage_configure(pn_scheduler_config *config, const pn_scheduler_policy *policy,
                                    pn_stream *stream)
{
    bool for_it = random_uniform(stream, 0, 1) ||
                  policy->admission.finishes == PN_SCHEDULER_FINISHES_RECORDED;
    config->policy = for_it ? policy : NULL;
    config->suspended_max = policy->preempt ? (uint32_t)random_uniform(stream, 0, 30) : 0;
    config->copies = policy->copy != NULL;
    config->running_most = random_uniform(stream, 0, 2) == 0 ? random_uniform(stream, 1, 4) : 0;
}

#endif
