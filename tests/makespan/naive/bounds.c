/* See makespan.h: the lower bound of MK31. */
#include "model.h"

/* The (rank + 1)-th longest task. */
static fraction longest_but(const naive_makespan_stage *stage, size_t rank)
{
    fraction left[NAIVE_MAKESPAN_TASKS];
    for (size_t i = 0; i < stage->count; i++)
        left[i] = stage->tasks[i];
    for (size_t taken = 0;; taken++) {
        size_t longest = 0;
        for (size_t i = 1; i < stage->count; i++)
            if (fraction_less(left[longest], left[i]))
                longest = i;
        if (taken == rank)
            return left[longest];
        left[longest] = fraction_whole(-1);
    }
}

/* l(tasks, S): no stage of these tasks is shorter. */
static fraction least_length(const naive_makespan_stage *stage, unsigned slots)
{
    fraction least = fraction_most(naive_makespan_longest(stage),
                                   naive_makespan_estimate(stage, NAIVE_FLUID, slots));
    if (stage->count > slots) /* two of the S + 1 longest share a slot */
        least = fraction_most(
            least, fraction_add(longest_but(stage, slots - 1), longest_but(stage, slots)));
    return least;
}

/* F*: Johnson's makespan of the fluid stages. */
static fraction fluid(const model *m)
{
    fraction time[2][NAIVE_MAKESPAN_JOBS];
    size_t order[NAIVE_MAKESPAN_JOBS];
    for (size_t i = 0; i < m->count; i++) {
        order[i] = i;
        for (int k = 0; k < 2; k++)
            time[k][i] = naive_makespan_estimate(&m->jobs[i].stage[k], NAIVE_FLUID,
                                                 m->config.slots[k]);
    }
    naive_makespan_johnson(order, m->count, time[NAIVE_MAP], time[NAIVE_REDUCE], NAIVE_ALG21);
    return naive_makespan_formula(order, m->count, time[NAIVE_MAP], time[NAIVE_REDUCE]);
}

/* The work of a stage over its slots and the least length of the other one: of all jobs, or of
 * those with both. */
static fraction work_and_shortest(const model *m, int stage, bool all)
{
    fraction sum = {0, 1}, least = {0, 1};
    bool none = true;
    for (size_t i = 0; i < m->count; i++) {
        const naive_makespan_stage *other = &m->jobs[i].stage[1 - stage];
        fraction length = least_length(other, m->config.slots[1 - stage]);
        fraction work = naive_makespan_estimate(&m->jobs[i].stage[stage], NAIVE_FLUID,
                                                m->config.slots[stage]);
        if (!all && (length.num == 0 || work.num == 0))
            continue;
        sum = fraction_add(sum, work);
        least = none || fraction_less(length, least) ? length : least;
        none = false;
    }
    return fraction_add(sum, least);
}

bool naive_makespan_bound(const model *m, fraction *bound)
{
    if (m->config.level == NAIVE_STAGES && m->config.stage_time == NAIVE_GIVEN)
        return false;
    *bound = fluid(m);
    if (m->config.level == NAIVE_STAGES || m->config.resplit > 0)
        return true;
    for (size_t i = 0; i < m->count; i++)
        *bound = fraction_most(*bound, fraction_add(least_length(&m->jobs[i].stage[NAIVE_MAP],
                                                                 m->config.slots[NAIVE_MAP]),
                                                    least_length(&m->jobs[i].stage[NAIVE_REDUCE],
                                                                 m->config.slots[NAIVE_REDUCE])));
    for (int k = 0; k < 2; k++) {
        *bound = fraction_most(*bound, work_and_shortest(m, k, true));
        *bound = fraction_most(*bound, work_and_shortest(m, k, false));
    }
    return true;
}
