/* Kernel against naive simulator on random instances, with every promise checked on the way: equal
 * finishes and digests, a content checker, SRPT <= LB2 <= every policy, ASRPT <= DSRPT, and a
 * brute-force optimum that nothing beats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "served.h"
#include "support/random.h"

typedef struct counts {
    unsigned long runs, optima;
} counts;

static counts done;

static bool fail(const slotted_instance *run, const char *policy, uint32_t reduce, const char *what)
{
    printf("\nFAILED: %s (%s, %s)\n", what, policy,
           reduce == PN_SLOTTED_PREEMPTIVE ? "preemptive" : "nonpreemptive");
    slotted_instance_print(run);
    return false;
}

static bool same_times(const slotted_instance *run, const slotted_outcome *a,
                       const slotted_outcome *b)
{
    size_t bytes = run->job_count * sizeof a->finish[0];
    return a->total == b->total && memcmp(a->finish, b->finish, bytes) == 0 &&
           memcmp(a->map_finish, b->map_finish, bytes) == 0;
}

/* A limit of the parameter, or a small number. */
static double draw_param(const pn_param *param, pn_stream *stream)
{
    uint64_t far = random_uniform(stream, 0, 9);
    double small = (double)random_uniform(stream, 0, 20) - 8;
    if (far <= 1)
        return far == 0 ? param->low : param->high;
    return small < param->low ? param->low : small > param->high ? param->high : small;
}

static const double *draw_params(const pn_slotted_policy *policy, pn_stream *stream,
                                 double params[PN_PARAMS_MAX])
{
    for (int i = 0; i < policy->param_count; i++)
        params[i] = draw_param(&policy->params[i], stream);
    return policy->param_count > 0 ? params : NULL;
}

/* One policy on one instance: against the naive simulator, and against itself run in other
 * manners. */
static bool check_policy(const slotted_instance *run, const pn_slotted_policy *policy,
                         uint32_t reduce, pn_stream *stream, slotted_outcome *out)
{
    double params[PN_PARAMS_MAX];
    const double *given = draw_params(policy, stream, params);
    slotted_outcome naive, again;
    slotted_instance_run(run, policy, reduce,
                         (slotted_manner){.bounds = PN_SLOTTED_BOUNDS_FAST, .params = given}, out);
    if (!slotted_instance_naive(run, policy->name, reduce, given, &naive))
        return out->status == PN_ERR_MODE ||
               fail(run, policy->name, reduce, "the naive simulator does not know this");
    if (out->status != PN_DONE)
        return fail(run, policy->name, reduce, pn_status_name(out->status));
    if (!same_times(run, out, &naive))
        return fail(run, policy->name, reduce, "times differ from the naive simulator's");
    if (out->digest != naive.digest)
        return fail(run, policy->name, reduce, "the digest differs from the naive simulator's");
    if (!policy->relaxed && out->slots_saturated != naive.slots_saturated)
        return fail(run, policy->name, reduce, "other slots are saturated");
    if (out->fault[0] != '\0')
        return fail(run, policy->name, reduce, out->fault);
    slotted_instance_run(run, policy, reduce,
                         (slotted_manner){.streaming = true, .move_every = 3, .params = given},
                         &again);
    if (again.status != PN_DONE || again.digest != out->digest || !same_times(run, out, &again) ||
        again.slots_saturated != out->slots_saturated)
        return fail(run, policy->name, reduce, "streamed and moved, the run differs");
    return again.fault[0] == '\0' || fail(run, policy->name, reduce, again.fault);
}

/* Returns one of the built-in policies or, behind them, the one that asks for sizes; null: there
 * are no more. */
static const pn_slotted_policy *policy_at(size_t place)
{
    size_t count = 0;
    while (pn_slotted_policy_at(count))
        count++;
    return place == count ? &served_policy : pn_slotted_policy_at(place);
}

static bool check_mode(const slotted_instance *run, uint32_t reduce, pn_stream *stream,
                       uint32_t which)
{
    uint64_t srpt = 0;
    uint64_t best = UINT64_MAX;
    uint64_t asrpt = 0;
    uint64_t dsrpt = UINT64_MAX;
    uint64_t lb2 = slotted_instance_lb2(run, reduce);
    if ((int64_t)lb2 != slotted_instance_naive_lb2(run, reduce))
        return fail(run, "lb2", reduce, "LB2 differs from its definition");
    for (size_t i = 0; policy_at(i); i++) {
        const pn_slotted_policy *policy = policy_at(i);
        slotted_outcome out;
        if (!random_takes(which, i))
            continue;
        if (!check_policy(run, policy, reduce, stream, &out))
            return false;
        if (out.status != PN_DONE)
            continue;
        done.runs++;
        if (policy == pn_slotted_srpt())
            srpt = out.total;
        else if (out.total < best)
            best = out.total;
        if (policy == pn_slotted_asrpt())
            asrpt = out.total;
        if (policy == pn_slotted_dsrpt())
            dsrpt = out.total;
        if (out.lower_bound > out.total || (srpt != 0 && srpt != out.lower_bound))
            return fail(run, policy->name, reduce, "the fast bound is wrong");
    }
    if (srpt > lb2 || lb2 > best)
        return fail(run, "lb2", reduce, "SRPT <= LB2 <= every policy does not hold");
    if (!run->estimates && asrpt > dsrpt)
        return fail(run, "asrpt", reduce, "ASRPT is worse than DSRPT");
    if (run->job_count <= 3 && run->machines <= 2) {
        int64_t optimum = slotted_instance_naive_optimum(run, reduce);
        if (optimum >= 0 && ((uint64_t)optimum > best || (uint64_t)optimum < lb2))
            return fail(run, "optimum", reduce, "LB2 <= optimum <= every policy does not hold");
        done.optima += optimum >= 0;
    }
    return true;
}

static bool check_instance(pn_stream *stream, uint32_t number, uint32_t policy)
{
    static const slotted_instance_limits limits[] = {
        {3, 2, 6, 6}, {6, 4, 20, 10}, {12, 8, 40, 20}, {16, 24, 120, 30}};
    slotted_instance run;
    slotted_instance_draw(&run, stream, limits[number % 4]);
    return check_mode(&run, PN_SLOTTED_PREEMPTIVE, stream, policy) &&
           check_mode(&run, PN_SLOTTED_NONPREEMPTIVE, stream, policy);
}

static bool report(void)
{
    printf("%lu policy runs and %lu optima agree\n", done.runs, done.optima);
    return true;
}

const random_check random_slotted = {"slotted", check_instance, report};
