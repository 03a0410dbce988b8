/* See pairs.h. Each rule is that of tests/makespan/pairs/NAME.lua, told again
 * with nothing but the kernel's interface. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const TRUTH[] = {"false", "true", NULL};
static const char *const TIES[] = {"alg21", "mkjr", NULL};

static void must(int status)
{
    if (status != PN_OK) {
        printf("FAILED: a pair in C: %s\n", pn_status_name(status));
        exit(1);
    }
}

/* ---- probe ----------------------------------------------------------------------------------- */

static pn_exact times(pn_exact a, int64_t factor)
{
    must(pn_exact_multiply(&a, a, (pn_exact){factor, 1}));
    return a;
}

static pn_exact plus(pn_exact a, pn_exact b)
{
    must(pn_exact_add(&a, a, b));
    return a;
}

static pn_exact probe_value(const pn_makespan_view *view, uint32_t job, uint32_t stage)
{
    uint32_t slots = pn_makespan_slots(view, stage);
    pn_exact sum = times((pn_exact){(int64_t)pn_makespan_work(view, job, stage), 1},
                         pn_makespan_tasks(view, job, stage));
    sum = plus(sum, times((pn_exact){(int64_t)pn_makespan_longest(view, job, stage), 1},
                          pn_makespan_requested(view, job, stage)));
    for (uint32_t i = 0; i < pn_makespan_stretch_count(view, job, stage); i++) {
        pn_makespan_stretch stretch = pn_makespan_stretch_of(view, job, stage, i);
        sum = plus(sum, (pn_exact){(int64_t)(stretch.duration * stretch.count * (i + 1)), 1});
    }
    for (uint32_t time = PN_MAKESPAN_GIVEN; time <= PN_MAKESPAN_FLUID; time++) {
        pn_exact half;
        sum = plus(sum, times(pn_makespan_estimate(view, job, stage, time, (slots + 1) / 2), time));
        must(pn_exact_divide(&half, pn_makespan_estimate(view, job, stage, time, slots),
                             (pn_exact){-2, 1}));
        sum = plus(sum, half);
    }
    sum.num = sum.num < 0 ? -sum.num : sum.num;
    return sum;
}

static int probe_decide(pn_makespan_view *view)
{
    uint32_t count = pn_makespan_job_count(view);
    pn_exact *map = pn_makespan_state(view), *reduce = map + count;
    uint32_t *jobs = (uint32_t *)(void *)(reduce + count);
    for (uint32_t job = 0; job < count; job++) {
        map[job] = probe_value(view, job, PN_MAKESPAN_MAP);
        reduce[job] = probe_value(view, job, PN_MAKESPAN_REDUCE);
        jobs[job] = count - 1 - job;
    }
    if (pn_makespan_level_of(view) == PN_MAKESPAN_TASKS && pn_makespan_order_set(view))
        return pn_makespan_give_order(view, pn_makespan_order_set(view), count);
    int status = pn_makespan_johnson_by(view, jobs, count, map, reduce,
                                        (uint32_t)pn_makespan_param_value(view, 0));
    return status == PN_OK ? pn_makespan_give_order(view, jobs, count) : status;
}

static const pn_makespan_policy probe_policy = {
    .name = "probe",
    .share = PN_MAKESPAN_EXCLUSIVE,
    .cap = PN_MAKESPAN_CAP_REQUESTED,
    .task_order = PN_MAKESPAN_LPT,
    .stage_time = PN_MAKESPAN_CAPPED,
    .param_count = 1,
    .params = {{"tie", 0, 0, 1, TIES, 0, ""}},
    .state_bytes_per_job = 2 * sizeof(pn_exact) + sizeof(uint64_t),
    .decide = probe_decide,
};

/* ---- throws ---------------------------------------------------------------------------------- */

enum { THROWS_TIMES, THROWS_TOTAL };

static uint32_t throw(pn_makespan_view * view, uint32_t most)
{
    return (uint32_t)pn_uniform(pn_makespan_stream(view), 0, most - 1);
}

static int throws_decide(pn_makespan_view *view)
{
    uint32_t count = pn_makespan_job_count(view), *order = pn_makespan_state(view),
             *kept = order + count;
    uint32_t map_slots = 1 + throw(view, pn_makespan_slots(view, PN_MAKESPAN_MAP));
    uint32_t reduce_slots = 1 + throw(view, pn_makespan_slots(view, PN_MAKESPAN_REDUCE));
    pn_makespan_score best, score;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (int i = 0; i < (int)pn_makespan_param_value(view, THROWS_TIMES); i++) {
        for (uint32_t k = count; k > 1; k--) {
            uint32_t other = throw(view, k), job = order[other];
            order[other] = order[k - 1];
            order[k - 1] = job;
        }
        int status = pn_makespan_evaluate(view, order, count, map_slots, reduce_slots,
                                          i > 0 ? &best : NULL,
                                          (int)pn_makespan_param_value(view, THROWS_TOTAL), &score);
        if (status < 0)
            return status;
        if (status == PN_OK) {
            best = score;
            memcpy(kept, order, count * sizeof *kept);
        }
    }
    if (pn_uniform01(pn_makespan_stream(view)) < 0.5) {
        uint32_t last = kept[count - 1];
        memmove(kept + 1, kept, (count - 1) * sizeof *kept);
        kept[0] = last;
    }
    return pn_makespan_give_order(view, kept, count);
}

static const pn_makespan_policy throws_policy = {
    .name = "throws",
    .param_count = 2,
    .params = {{"times", 3, 1, 50, NULL, 1, ""}, {"total", 1, 0, 1, TRUTH, 0, ""}},
    .state_bytes_per_job = 2 * sizeof(uint32_t),
    .decide = throws_decide,
};

/* ---- scatter --------------------------------------------------------------------------------- */

static int scatter_decide(pn_makespan_view *view)
{
    uint32_t count = pn_makespan_job_count(view), nodes = pn_makespan_nodes(view);
    uint32_t *where = pn_makespan_state(view), *jobs = where + count;
    for (uint32_t i = 0; i < pn_makespan_pools_set(view); i++) {
        uint32_t own, some;
        const uint32_t *set = pn_makespan_pool_set(view, i, &own, &some);
        must(pn_makespan_give_pool(view, own, set, some));
    }
    if (pn_makespan_pools_set(view) > 0)
        return PN_OK;
    uint32_t pools = 1 + throw(view, 4);
    pools = pools < nodes ? pools : nodes;
    pools = pools <= count ? pools : count + 1;
    for (uint32_t job = 0; job < count; job++)
        where[job] = throw(view, pools);
    for (uint32_t i = 0; i < pools; i++) {
        uint32_t some = 0;
        for (uint32_t job = 0; job < count; job++)
            if (where[job] == i)
                jobs[some++] = job;
        must(pn_makespan_give_pool(view, i + 1 < pools ? 1 : nodes - pools + 1, jobs, some));
    }
    return PN_OK;
}

static const pn_makespan_policy scatter_policy = {
    .name = "scatter",
    .state_bytes_per_job = 2 * sizeof(uint32_t),
    .decide = scatter_decide,
};

/* ---- all of them ----------------------------------------------------------------------------- */

static const pn_makespan_policy *const MADE[] = {&probe_policy, &throws_policy, &scatter_policy};

/* The exact search, which no script could make, has no twin. */
void makespan_pairs_read(pairs *all)
{
    for (size_t i = 0; pn_makespan_policy_at(i); i++)
        if (pn_makespan_policy_at(i) != pn_makespan_exact())
            PAIRS_ADD(all, "policies/makespan", pn_makespan_policy_at(i));
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++)
        PAIRS_ADD(all, "tests/makespan/pairs", MADE[i]);
}

double makespan_pairs_draw(const pn_param *param, pn_stream *stream)
{
    double most = param->high - param->low < 60 ? param->high - param->low : 60;
    return pn_uniform(stream, 0, 2) == 0
               ? param->value
               : param->low + (double)pn_uniform(stream, 0, (uint64_t)most);
}
