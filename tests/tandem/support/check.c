/* Kernel against naive simulator on random instances of the tandem model, with every promise
 * checked on the way: equal times, a content checker, one digest however the jobs are fed and the
 * block is moved, TA19 <= TA20 <= every policy, and no need for events where two keys meet (TA14).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "support/random.h"

/* Of times and totals against the naive simulator, relative to the time and to the largest shuffle
 * / map: the backlog that a map leaves is as uncertain as the time of its end, that many times.
 * What was seen is printed. */
#define TOLERANCE 1e-11

typedef struct counts {
    unsigned long runs;
    long double worst; /* relative error so far */
} counts;

static counts done;

enum family { FREE, MEETING, TENTHS };

/* What is being checked, for the report of a failure. */
typedef struct trial {
    const tandem_instance *run;
    enum family family;
    const pn_tandem_policy *policy;
    const double *params;
    double steepest; /* the largest shuffle / map, 1 or more */
} trial;

static bool fail(const trial *at, const char *what)
{
    printf("\nFAILED: %s (%s", what, at->policy ? at->policy->name : "bounds");
    for (int i = 0; at->policy && i < at->policy->param_count; i++)
        printf(", %s = %.17g", at->policy->params[i].name,
               at->params ? at->params[i] : at->policy->params[i].value);
    printf(")\n");
    tandem_instance_print(at->run);
    return false;
}

/* Relative to `size`, or to 1. */
static bool near(const trial *at, const char *what, uint32_t job, long double got, long double want,
                 long double size)
{
    long double error = (got > want ? got - want : want - got) / (size > 1 ? size : 1) /
                        at->steepest;
    if (error > done.worst)
        done.worst = error;
    if (error <= TOLERANCE)
        return true;
    char text[160];
    snprintf(text, sizeof text, "%s of job %u: got %.17Lg, want %.17Lg", what, job, got, want);
    return fail(at, text);
}

static bool near_times(const trial *at, const tandem_outcome *out, const naive_tandem_times *times)
{
    for (uint32_t i = 0; i < at->run->job_count; i++) {
        const naive_tandem_times *want = &times[i];
        if (!near(at, "map_finish", i + 1, out->map_finish[i], want->map_finish, want->finish) ||
            !near(at, "finish", i + 1, out->finish[i], want->finish, want->finish) ||
            !near(at, "response_time", i + 1, out->response[i], want->response, want->finish))
            return false;
    }
    return true;
}

static bool near_totals(const trial *at, const pn_tandem_totals *totals,
                        const naive_tandem_times *times)
{
    long double total = 0, map = 0, shuffle = 0;
    long double first = at->run->jobs[0].arrival;
    long double last = 0;
    for (uint32_t i = 0; i < at->run->job_count; i++) {
        total += times[i].response;
        map += at->run->jobs[i].map;
        shuffle += at->run->jobs[i].shuffle;
        last = times[i].finish > last ? times[i].finish : last;
    }
    const struct {
        const char *name;
        long double got, want;
    } fields[] = {
        {"total_response_time", totals->total_response_time, total},
        {"map_busy", totals->map_busy, map},
        {"shuffle_busy", totals->shuffle_busy, shuffle},
        {"first_arrival", totals->first_arrival, first},
        {"last_finish", totals->last_finish, last},
        {"mean_in_system", totals->mean_in_system, last > first ? total / (last - first) : 0},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (!near(at, fields[i].name, 0, fields[i].got, fields[i].want, last + total))
            return false;
    return true;
}

/* Bit for bit. */
static bool same(const trial *at, const char *manner, const tandem_outcome *a,
                 const tandem_outcome *b)
{
    char text[200];
    if (b->status != a->status) {
        snprintf(text, sizeof text, "%s: %s", manner, pn_status_name(b->status));
        return fail(at, text);
    }
    for (uint32_t i = 0; i < at->run->job_count; i++) {
        if (a->map_finish[i] != b->map_finish[i] || a->finish[i] != b->finish[i] ||
            a->response[i] != b->response[i]) {
            snprintf(text, sizeof text,
                     "%s: job %u: map_finish %.17g, finish %.17g, not %.17g, %.17g", manner, i + 1,
                     b->map_finish[i], b->finish[i], a->map_finish[i], a->finish[i]);
            return fail(at, text);
        }
    }
    if (a->totals.total_response_time != b->totals.total_response_time)
        snprintf(text, sizeof text, "%s: another total response time", manner);
    else if (a->digest != b->digest)
        snprintf(text, sizeof text, "%s: another digest", manner);
    else if (b->fault[0] != '\0')
        snprintf(text, sizeof text, "%s: %s", manner, b->fault);
    else
        return true;
    return fail(at, text);
}

/* Where events coincide, their arrivals as gaps are other numbers than the same arrivals as
 * times, except in a busy period that begins at 0: there the offset is the time (TA21, TA23). */
static bool same_as_gaps(const trial *at, const naive_tandem_times *times)
{
    long double last = 0;
    for (uint32_t i = 0; at->family != FREE && i < at->run->job_count; i++) {
        if (at->run->jobs[i].arrival > last)
            return false;
        last = times[i].finish > last ? times[i].finish : last;
    }
    return true;
}

/* However the jobs are fed and the block is moved, the run is the same. */
static bool check_manners(const trial *at, pn_stream *stream, const tandem_outcome *out,
                          const naive_tandem_times *times)
{
    uint32_t every = (uint32_t)random_uniform(stream, 1, 5);
    const struct {
        const char *name;
        tandem_manner how;
    } manners[] = {
        {"step by step", {.stepping = true}},
        {"fed one by one", {.one_by_one = true}},
        {"fed one by one and moved", {.one_by_one = true, .stepping = true, .move_every = every}},
        {"moved", {.move_every = every, .bounds = PN_TANDEM_BOUNDS_FAST}},
        {"with gaps", {.gaps = true}},
        {"with gaps, fed one by one and moved",
         {.gaps = true, .one_by_one = true, .move_every = every}},
    };
    tandem_outcome again, gaps;
    for (size_t i = 0; i < sizeof manners / sizeof manners[0]; i++) {
        tandem_manner how = manners[i].how;
        how.params = at->params;
        tandem_instance_run(at->run, at->policy, how, &again);
        if (how.gaps && !how.one_by_one)
            gaps = again; /* their times are rounded otherwise */
        else if (!same(at, manners[i].name, how.gaps ? &gaps : out, &again))
            return false;
    }
    bool comparable = same_as_gaps(at, times);
    /* two classes may be present for a moment, and stay for ever (TA15) */
    if (!comparable && gaps.status == PN_ERR_INFEASIBLE)
        return true;
    if (gaps.status != PN_DONE || gaps.fault[0] != '\0')
        return fail(at, gaps.status != PN_DONE ? pn_status_name(gaps.status) : gaps.fault);
    return !comparable || near_times(at, &gaps, times);
}

/* A policy without crossing events must not care when its rates are set anew (TA14). */
static bool check_meetings(const trial *at, naive_tandem_config config,
                           const naive_tandem_job *jobs, const naive_tandem_times *times)
{
    static const char *const without[] = {"maxsrpt", "srptmap", "srptsum", "srptshuffle",
                                          "splitsrpt"};
    naive_tandem_times again[TANDEM_JOBS];
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        if (strcmp(without[i], config.policy) != 0 || at->run->estimates || at->run->job_count > 8)
            continue;
        config.meetings = true;
        naive_tandem_run(&config, jobs, at->run->job_count, again);
        for (uint32_t k = 0; k < at->run->job_count; k++)
            if (!near(at, "map_finish with rates set anew where keys meet", k + 1,
                      again[k].map_finish, times[k].map_finish, times[k].finish) ||
                !near(at, "finish with rates set anew where keys meet", k + 1, again[k].finish,
                      times[k].finish, times[k].finish))
                return false;
    }
    return true;
}

static bool check_bounds(const trial *at, const pn_tandem_totals *totals,
                         const naive_tandem_job *jobs)
{
    long double bound = naive_tandem_bound(at->run->speed, jobs, at->run->job_count);
    long double tight = naive_tandem_bound_tight(at->run->speed, jobs, at->run->job_count);
    long double slack = 1e-9L * (1 + tight);
    if (bound > tight + slack)
        return fail(at, "the naive TA19 is above TA20");
    if (tight > totals->total_response_time + slack)
        return fail(at, "TA20 is above the policy's total");
    /* Both are sums of spans between times, which are rounded relative to themselves: a short total
     * at late times is no better, as that of the policy is not. */
    long double last = jobs[at->run->job_count - 1].arrival;
    return near(at, "lower_bound", 0, totals->lower_bound, bound, last + bound) &&
           near(at, "lower_bound_tight", 0, totals->lower_bound_tight, tight, last + tight);
}

static bool check_policy(const trial *at, pn_stream *stream)
{
    naive_tandem_job jobs[TANDEM_JOBS];
    naive_tandem_times times[TANDEM_JOBS];
    tandem_outcome out;
    naive_tandem_config config = tandem_instance_naive_config(at->run, at->policy, at->params);
    tandem_instance_naive_jobs(at->run, jobs);
    enum naive_tandem_result result = naive_tandem_run(&config, jobs, at->run->job_count, times);
    if (result == NAIVE_TANDEM_UNKNOWN)
        return fail(at, "the naive simulator does not know this");
    tandem_instance_run(at->run, at->policy,
                        (tandem_manner){.bounds = PN_TANDEM_BOUNDS_TIGHT, .params = at->params},
                        &out);
    if (result == NAIVE_TANDEM_STUCK)
        return out.status == PN_ERR_INFEASIBLE || fail(at, pn_status_name(out.status));
    if (out.status != PN_DONE)
        return fail(at, pn_status_name(out.status));
    if (!near_times(at, &out, times) || !near_totals(at, &out.totals, times))
        return false;
    if (out.fault[0] != '\0')
        return fail(at, out.fault);
    done.runs++;
    return check_bounds(at, &out.totals, jobs) && check_meetings(at, config, jobs, times) &&
           check_manners(at, stream, &out, times);
}

/* Where events coincide in tenths, so do keys that depend on the work left, and rounding may
 * break such a tie either way. */
static bool keys_never_change(const pn_tandem_policy *policy)
{
    static const char *const names[] = {"fcfs",    "ps",      "klps",    "klps_rigid",
                                        "fcfs_ps", "johnson", "priority"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], policy->name) == 0)
            return true;
    return false;
}

static double steepest(const tandem_instance *run)
{
    double most = 1;
    for (uint32_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].map > 0 && run->jobs[i].shuffle / run->jobs[i].map > most)
            most = run->jobs[i].shuffle / run->jobs[i].map;
    return most;
}

static bool check_instance(pn_stream *stream, uint32_t number, uint32_t which)
{
    static const struct {
        enum family family;
        uint32_t jobs_max;
    } kinds[] = {{FREE, 3},           {FREE, 8},    {FREE, 8},     {FREE, 16},
                 {FREE, TANDEM_JOBS}, {MEETING, 6}, {MEETING, 16}, {TENTHS, 16}};
    enum family family = kinds[number % 8].family;
    tandem_instance drawn;
    if (family == TENTHS)
        tandem_instance_draw_tenths(&drawn, stream, kinds[number % 8].jobs_max);
    else
        tandem_instance_draw(&drawn, stream, kinds[number % 8].jobs_max);
    for (size_t i = 0; pn_tandem_policy_at(i); i++) {
        const pn_tandem_policy *policy = pn_tandem_policy_at(i);
        if (!random_takes(which, i))
            continue;
        double room[PN_PARAMS_MAX];
        const double *params = tandem_instance_params(policy, stream, room);
        tandem_instance run = drawn;
        if (family == MEETING) {
            naive_tandem_config config = tandem_instance_naive_config(&run, policy, params);
            tandem_instance_meet(&run, stream, &config);
        }
        trial at = {&run, family, policy, params, steepest(&run)};
        if ((family != TENTHS || keys_never_change(policy)) && !check_policy(&at, stream))
            return false;
    }
    return true;
}

static bool report(void)
{
    printf("%lu policy runs agree within %.1Lg (times shuffle / map)\n", done.runs, done.worst);
    return true;
}

const random_check random_tandem = {"tandem", check_instance, report};
