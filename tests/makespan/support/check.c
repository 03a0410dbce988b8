/* Kernel against naive model on random instances of the makespan model: every policy with random
 * parameters under random rules, equal down to each task, a content checker, one digest however the
 * run is cut and the block is moved; and at the stage level both forms of the formula, simulation
 * and all orders by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "support/random.h"

typedef struct counts {
    unsigned long runs, refused;
} counts;

static counts done;

static bool fail(const makespan_instance *run, const char *manner, const char *what)
{
    printf("\nFAILED: %s: %s\n", manner, what);
    makespan_instance_print(run);
    return false;
}

/* ---- one policy ---- */

static bool agrees(const makespan_instance *run, const char *manner, const makespan_outcome *out,
                   const naive_makespan_result *want)
{
    char what[200];
    if (out->status != PN_DONE)
        return fail(run, manner, pn_status_name(out->status));
    if (out->fault[0] != '\0')
        return fail(run, manner, out->fault);
    return makespan_instance_agree(run, &out->result, want, what, sizeof what) ||
           fail(run, manner, what);
}

/* However the run is cut, and wherever the block lies, it is the same one; coarser or finer ticks
 * change the digest alone. */
static bool check_manners(const makespan_instance *run, pn_stream *stream,
                          const naive_makespan_result *want)
{
    static makespan_outcome out;
    uint32_t every = (uint32_t)random_uniform(stream, 1, 4);
    uint64_t digest = 0;
    const struct {
        const char *name;
        makespan_manner how;
    } manners[] = {
        {"in one go", {.single = false}},
        {"step by step", {.stepping = true, .roomy = true}},
        {"moved", {.planned = true, .move_every = every}},
        {"moved step by step, tasks one by one",
         {.planned = true, .stepping = true, .single = true, .move_every = every}},
        {"in fine ticks", {.scale = ((uint64_t)1 << 40) + 15}},
    };
    for (size_t i = 0; i < sizeof manners / sizeof manners[0]; i++) {
        makespan_instance_run(run, manners[i].how, &out);
        if (!agrees(run, manners[i].name, &out, want))
            return false;
        if (i == 0)
            digest = out.digest;
        bool other_ticks = manners[i].how.scale > 0 && want->makespan.num > 0;
        if ((out.digest == digest) == other_ticks)
            return fail(run, manners[i].name, "another digest");
    }
    return true;
}

static bool check_policy(const makespan_instance *run, pn_stream *stream)
{
    static naive_makespan_result want;
    static makespan_outcome out;
    if (naive_makespan_run(&run->config, run->jobs, run->count, &want)) {
        done.runs++;
        return check_manners(run, stream, &want);
    }
    done.refused++;
    makespan_instance_run(run, (makespan_manner){.planned = true}, &out);
    return out.status < 0 || fail(run, "an error by the rules", pn_status_name(out.status));
}

/* The naive model does not know the exact policy, the checker does. */
static bool check_exact(makespan_instance *run)
{
    static makespan_outcome out;
    static const double nodes[PN_PARAMS_MAX] = {20000};
    if (run->config.level != NAIVE_TASKS)
        return true;
    run->config.policy = "exact";
    makespan_instance_run(run, (makespan_manner){.params = nodes, .move_every = 2}, &out);
    done.runs++;
    if (out.status != PN_DONE && out.status != PN_ERR_OVERFLOW)
        return fail(run, "exact", pn_status_name(out.status));
    return out.fault[0] == '\0' || fail(run, "exact", out.fault);
}

/* ---- what a policy may ask ---- */

/* A policy of its own that asks for everything and compares; it answers with the order of the
 * instance. */
typedef struct probe {
    const makespan_instance *run;
    pn_stream *stream;
    uint64_t ticks; /* coarse ones, to the unit of time */
    char fault[200];
} probe;

static fraction in_units(const probe *p, fraction ticks)
{
    return fraction_divide(ticks, fraction_whole((long long)p->ticks));
}

/* Of the cluster. */
static uint32_t some_slots(const probe *p, uint32_t k)
{
    return (uint32_t)random_uniform(p->stream, 1, p->run->config.slots[k]);
}

static void probe_estimates(probe *p, const pn_makespan_view *view)
{
    makespan_instance full = *p->run;
    naive_makespan_normalise(&full.config, full.jobs, full.count);
    for (uint32_t job = 0; job < full.count; job++) {
        for (uint32_t k = 0; k < 2; k++) {
            for (uint32_t time = PN_MAKESPAN_GIVEN; time <= PN_MAKESPAN_FLUID; time++) {
                uint32_t slots = some_slots(p, k);
                pn_exact got = pn_makespan_estimate(view, job, k, time, slots);
                fraction want = naive_makespan_estimate(&full.jobs[job].stage[k], time, slots);
                if (got.den < 1 ||
                    !fraction_equal(in_units(p, fraction_make(got.num, got.den)), want))
                    snprintf(p->fault, sizeof p->fault,
                             "estimate %u of stage %u of job %u on %u slots", time, k, job + 1,
                             slots);
            }
        }
    }
}

/* Some of the jobs, in the order of the instance. */
static uint32_t choose_some(const probe *p, uint32_t *jobs)
{
    uint32_t count = 0;
    for (size_t i = 0; i < p->run->count; i++)
        if (random_uniform(p->stream, 0, 3) > 0)
            jobs[count++] = (uint32_t)p->run->config.order[i];
    return count;
}

static void probe_johnson(probe *p, pn_makespan_view *view)
{
    makespan_instance full = *p->run;
    uint32_t time = (uint32_t)random_uniform(p->stream, PN_MAKESPAN_GIVEN, PN_MAKESPAN_FLUID);
    uint32_t tie = (uint32_t)random_uniform(p->stream, PN_MAKESPAN_ALG21, PN_MAKESPAN_MKJR);
    uint32_t slots[2] = {some_slots(p, 0), some_slots(p, 1)};
    uint32_t jobs[NAIVE_MAKESPAN_JOBS];
    size_t want[NAIVE_MAKESPAN_JOBS];
    fraction durations[2][NAIVE_MAKESPAN_JOBS];
    uint32_t count = choose_some(p, jobs);
    naive_makespan_normalise(&full.config, full.jobs, full.count);
    for (uint32_t i = 0; i < count; i++)
        want[i] = jobs[i];
    for (size_t job = 0; job < full.count; job++)
        for (int k = 0; k < 2; k++)
            durations[k][job] = naive_makespan_estimate(&full.jobs[job].stage[k], time, slots[k]);
    naive_makespan_johnson(want, count, durations[0], durations[1],
                           tie == PN_MAKESPAN_MKJR ? NAIVE_MKJR : NAIVE_ALG21);
    int status = pn_makespan_johnson_order(view, jobs, count, time, tie, slots[0], slots[1]);
    for (uint32_t i = 0; i < count; i++)
        if (status != PN_OK || jobs[i] != want[i])
            snprintf(p->fault, sizeof p->fault, "Johnson's order %u of %u jobs by estimate %u", tie,
                     count, time);
}

/* Moves one job or leaves out the last, as searches do: orders evaluated in a row mostly begin
 * alike. Returns how many jobs there are. */
static uint32_t change_one(const probe *p, uint32_t *jobs, uint32_t count)
{
    if (count == 0 || random_uniform(p->stream, 0, 3) == 0)
        return count - (count > 0);
    uint32_t from = (uint32_t)random_uniform(p->stream, 0, count - 1);
    uint32_t to = (uint32_t)random_uniform(p->stream, 0, count - 1);
    uint32_t job = jobs[from];
    memmove(jobs + from, jobs + from + 1, (count - from - 1) * sizeof *jobs);
    memmove(jobs + to + 1, jobs + to, (count - to - 1) * sizeof *jobs);
    jobs[to] = job;
    return count;
}

/* The score of some jobs by themselves, on some of the slots. */
static naive_makespan_result naive_score(const probe *p, const uint32_t *jobs, uint32_t count,
                                         const uint32_t slots[2])
{
    static naive_makespan_result result;
    makespan_instance part = *p->run;
    for (int k = 0; k < 2; k++) {
        if (part.config.base_slots[k] == 0)
            part.config.base_slots[k] = part.config.slots[k];
        part.config.slots[k] = slots[k];
    }
    part.config.policy = "given_order";
    part.config.nodes = 0;
    for (uint32_t i = 0; i < count; i++) {
        part.jobs[i] = p->run->jobs[jobs[i]];
        part.config.order[i] = i;
    }
    naive_makespan_run(&part.config, part.jobs, count, &result);
    return result;
}

static void probe_evaluation(probe *p, pn_makespan_view *view)
{
    uint32_t slots[2] = {some_slots(p, 0), some_slots(p, 1)};
    int total = (int)random_uniform(p->stream, 0, 1);
    uint32_t jobs[NAIVE_MAKESPAN_JOBS];
    uint32_t count = 0;
    pn_makespan_score best;
    fraction best_makespan = fraction_whole(0);
    fraction best_total = fraction_whole(0);
    bool any = false;
    for (int i = 0; i < 12; i++) {
        pn_makespan_score score;
        count = i % 6 == 0 ? choose_some(p, jobs) : change_one(p, jobs, count);
        naive_makespan_result want = naive_score(p, jobs, count, slots);
        int status = pn_makespan_evaluate(view, jobs, count, slots[0], slots[1], any ? &best : NULL,
                                          total, &score);
        int by_makespan = fraction_compare(want.makespan, best_makespan);
        int by_total = fraction_compare(want.total_completion, best_total);
        bool smaller = !any || by_makespan < 0 || (total && by_makespan == 0 && by_total < 0);
        if (status != (smaller ? PN_OK : PN_DONE)) {
            snprintf(p->fault, sizeof p->fault, "evaluation %d of %u jobs: %s", i, count,
                     pn_status_name(status));
            return;
        }
        if (!smaller)
            continue;
        fraction makespan = in_units(
            p, fraction_make((long long)score.makespan, (long long)score.ticks));
        fraction sum = in_units(p,
                                fraction_make((long long)score.total[1], (long long)score.ticks));
        if (!fraction_equal(makespan, want.makespan) || score.total[0] != 0 ||
            !fraction_equal(sum, want.total_completion))
            snprintf(p->fault, sizeof p->fault, "the score of %u jobs on %u x %u slots", count,
                     slots[0], slots[1]);
        any = true;
        best = score;
        best_makespan = want.makespan;
        best_total = want.total_completion;
    }
}

static int probe_decide(pn_makespan_view *view)
{
    probe *p = makespan_instance_asked(view);
    uint32_t order[NAIVE_MAKESPAN_JOBS];
    probe_estimates(p, view);
    for (int i = 0; i < 3; i++) {
        probe_johnson(p, view);
        probe_evaluation(p, view);
    }
    for (size_t i = 0; i < p->run->count; i++)
        order[i] = (uint32_t)p->run->config.order[i];
    return pn_makespan_give_order(view, order, (uint32_t)p->run->count);
}

static bool check_probe(const makespan_instance *run, pn_stream *stream)
{
    static const pn_makespan_policy policy = {.name = "given_order",
                                              .summary = "asks for everything",
                                              .source = "a test",
                                              .decide = probe_decide};
    static makespan_outcome out;
    static naive_makespan_result want;
    probe p = {.run = run, .stream = stream};
    p.ticks = makespan_instance_ticks(run);
    makespan_instance_run(run, (makespan_manner){.policy = &policy, .asked = &p}, &out);
    naive_makespan_run(&run->config, run->jobs, run->count, &want);
    if (p.fault[0] != '\0')
        return fail(run, "asked by a policy", p.fault);
    return agrees(run, "a policy that asks", &out, &want);
}

/* ---- the stage level by hand ---- */

static void next_order(size_t *order, size_t count, size_t code)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t k = code % i;
        size_t job = order[i - 1];
        order[i - 1] = order[k];
        order[k] = job;
        code /= i;
    }
}

static size_t orders_of(size_t count)
{
    size_t orders = 1;
    for (size_t i = 2; i <= count; i++)
        orders *= i;
    return orders;
}

/* Both forms of the formula are the simulated makespan of every order, and both orders of Johnson's
 * reach the least of them. */
static bool check_formula(const makespan_instance *run)
{
    static naive_makespan_result result;
    makespan_instance by_hand = *run;
    naive_makespan_config *config = &by_hand.config;
    fraction time[2][NAIVE_MAKESPAN_JOBS];
    fraction least = fraction_whole(-1);
    size_t order[NAIVE_MAKESPAN_JOBS];
    config->policy = "given_order";
    config->level = NAIVE_STAGES;
    config->stage_time = config->stage_time > 0 ? config->stage_time : NAIVE_FLUID;
    naive_makespan_normalise(config, by_hand.jobs, by_hand.count);
    for (size_t i = 0; i < by_hand.count; i++)
        for (int k = 0; k < 2; k++)
            time[k][i] = naive_makespan_estimate(&by_hand.jobs[i].stage[k], config->stage_time,
                                                 config->slots[k]);
    for (size_t code = 0; code < orders_of(by_hand.count); code++) {
        next_order(config->order, by_hand.count, code);
        naive_makespan_run(config, run->jobs, by_hand.count, &result);
        fraction formula = naive_makespan_formula(config->order, by_hand.count, time[0], time[1]);
        fraction split = naive_makespan_formula_split(config->order, by_hand.count, time[0],
                                                      time[1]);
        if (!fraction_equal(formula, result.makespan) || !fraction_equal(split, result.makespan))
            return fail(run, "stage level", "the formula is not the makespan");
        if (code == 0 || fraction_less(formula, least))
            least = formula;
    }
    for (unsigned tie = NAIVE_ALG21; tie <= NAIVE_MKJR; tie++) {
        next_order(order, by_hand.count, 0);
        naive_makespan_johnson(order, by_hand.count, time[0], time[1], tie);
        if (!fraction_equal(naive_makespan_formula(order, by_hand.count, time[0], time[1]), least))
            return fail(run, "stage level", "Johnson's order is not the best one");
    }
    return true;
}

/* ---- runs ---- */

static bool check_instance(pn_stream *stream, uint32_t number, uint32_t which)
{
    static const uint32_t jobs_max[] = {2, 3, 3, 4, 4, 5, 6};
    static makespan_instance drawn, run;
    makespan_instance_draw(&drawn, stream, jobs_max[number % 7]);
    for (size_t i = 0; pn_makespan_policy_at(i); i++) {
        const pn_makespan_policy *policy = pn_makespan_policy_at(i);
        if (!random_takes(which, i))
            continue;
        run = drawn;
        if (policy == pn_makespan_exact()) {
            if (!check_exact(&run))
                return false;
            continue;
        }
        if (!makespan_instance_choose(&run, stream, policy))
            return fail(&run, policy->name, "the naive model lacks a parameter");
        if (!check_policy(&run, stream))
            return false;
    }
    drawn.config.policy = "given_order";
    return check_probe(&drawn, stream) && (drawn.count > 5 || check_formula(&drawn));
}

static bool report(void)
{
    printf("%lu policy runs agree exactly, %lu refused by both\n", done.runs, done.refused);
    return true;
}

const random_check random_makespan = {"makespan", check_instance, report};
