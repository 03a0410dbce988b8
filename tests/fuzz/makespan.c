/* Bytes become a sequence of calls of the makespan model: a configuration, jobs of any size, orders
 * and pools, plans of built-in policies and of some that answer at random or fail, steps, runs,
 * forks, moves. What must hold: no call does what its status denies, hooks come in order, the
 * checker accepts every log and survives damaged ones, no bound is above a makespan, a copy ends
 * as its original does, and a run at once leads to the same schedule. */
#include <stdlib.h>

#include "fuzz.h"
#include "support/makespan_workload.h"

enum { TRIALS = 3, JOBS = 7, PARTS = 3, LOG = 1 << 14, BLOCK = 1 << 21, OWN = 4 };

/* One simulation and what the host knows of it. */
typedef struct trial {
    pn_makespan *sim; /* null: not in use */
    size_t size;
    int room; /* which of its two blocks it lives in */
    pn_makespan_job jobs[JOBS];
    pn_makespan_stretch stretches[JOBS][2][PARTS];
    size_t job_count;
    uint64_t order[JOBS]; /* set by the host, when has_order */
    bool has_order;
    uint64_t pooled[JOBS];
    pn_makespan_pool pools[PARTS];
    size_t pool_count;
    pn_makespan_decision log[LOG];
    size_t log_count;
    uint64_t last_finish, last_id;
} trial;

typedef struct fuzz {
    input in;
    input last; /* bytes for the end */
    pn_makespan_config config;
    const pn_makespan_policy *policy;
    double params[PN_PARAMS_MAX];
    bool give_params;
    trial *now;
    int fails; /* what the policy returns instead of deciding; 0: it decides */
    bool stops;
} fuzz;

static trial trials[TRIALS];
static _Alignas(8) unsigned char blocks[TRIALS][2][BLOCK];
static _Alignas(8) unsigned char spare[BLOCK], fresh[BLOCK];

static uint64_t wide(input *in)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | byte(in);
    return value;
}

/* ---- policies ---- */

static int failing(const pn_makespan_view *view)
{
    const fuzz *f = pn_makespan_user(view);
    return f ? f->fails : 0;
}

static uint32_t drawn(const pn_makespan_view *view, uint32_t most)
{
    return (uint32_t)pn_uniform(pn_makespan_stream(view), 0, most);
}

static void shuffled(const pn_makespan_view *view, uint32_t *jobs)
{
    uint32_t count = pn_makespan_job_count(view);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = drawn(view, i);
        jobs[i] = jobs[k];
        jobs[k] = i;
    }
}

/* An order that is tried out first, in whole and in part. */
static int decide_order(pn_makespan_view *view)
{
    uint32_t jobs[JOBS], count = pn_makespan_job_count(view);
    pn_makespan_score whole, part;
    shuffled(view, jobs);
    int status = pn_makespan_evaluate(view, jobs, count, pn_makespan_slots(view, 0),
                                      pn_makespan_slots(view, 1), NULL, 1, &whole);
    must(status == PN_OK || status == PN_ERR_OVERFLOW, "all jobs can be evaluated");
    if (status == PN_OK) {
        status = pn_makespan_evaluate(view, jobs, drawn(view, count), pn_makespan_slots(view, 0),
                                      pn_makespan_slots(view, 1), &whole, 0, &part);
        must(status == PN_OK || status == PN_DONE || status == PN_ERR_OVERFLOW, "and some of them");
    }
    status = failing(view);
    return status ? status : pn_makespan_give_order(view, jobs, count);
}

/* Pools that may be too large, empty, or all there is. */
static int decide_pools(pn_makespan_view *view)
{
    uint32_t jobs[JOBS], count = pn_makespan_job_count(view), given = 0,
                         nodes = pn_makespan_nodes(view);
    shuffled(view, jobs);
    for (int tries = 0; tries < 8 && given < count; tries++) {
        uint32_t some = drawn(view, count - given), take = drawn(view, nodes + 1);
        int status = pn_makespan_give_pool(view, take, jobs + given, some);
        must(status == (take > 0 && take <= nodes ? PN_OK : PN_ERR_INFEASIBLE) || tries > 0,
             "a pool that is there can be had");
        if (status != PN_OK)
            continue;
        given += some;
        nodes -= take;
        if (failing(view))
            return failing(view);
    }
    return PN_OK;
}

/* Any sequences of tasks, where there are any. */
static int decide_tasks(pn_makespan_view *view)
{
    static pn_makespan_task sequence[2][PN_MAKESPAN_SEQUENCE_MAX];
    uint32_t count[2] = {0, 0};
    for (uint32_t stage = 0; stage < 2; stage++)
        for (uint32_t job = 0; job < pn_makespan_job_count(view); job++) {
            uint32_t tasks = pn_makespan_tasks(view, job, stage);
            if (tasks > PN_MAKESPAN_SEQUENCE_MAX - count[stage])
                return decide_order(view);
            for (uint32_t task = 0; task < tasks; task++) {
                uint32_t k = drawn(view, count[stage]);
                sequence[stage][count[stage]++] = sequence[stage][k];
                sequence[stage][k] = (pn_makespan_task){job, task};
            }
        }
    int status = pn_makespan_give_tasks(view, sequence[0], count[0], sequence[1], count[1]);
    bool possible = pn_makespan_level_of(view) == PN_MAKESPAN_TASKS &&
                    pn_makespan_resplit_of(view) == 0;
    must(status == (possible ? PN_OK : PN_ERR_INFEASIBLE), "sequences are for the task level");
    if (failing(view))
        return failing(view);
    return status == PN_OK ? PN_OK : decide_order(view);
}

/* Garbage, then what Johnson says. */
static int decide_wrongly(pn_makespan_view *view)
{
    uint32_t jobs[JOBS], count = pn_makespan_job_count(view);
    pn_makespan_task task = {drawn(view, JOBS), drawn(view, 5)};
    shuffled(view, jobs);
    jobs[drawn(view, count - 1)] = drawn(view, JOBS);
    pn_makespan_give_tasks(view, &task, drawn(view, 1), &task, drawn(view, 1));
    if (pn_makespan_give_order(view, jobs, drawn(view, count)) == PN_OK)
        return PN_OK;
    for (uint32_t i = 0; i < count; i++)
        jobs[i] = i;
    int status = pn_makespan_johnson_order(view, jobs, count, drawn(view, 6), drawn(view, 2),
                                           pn_makespan_slots(view, 0), pn_makespan_slots(view, 1));
    must(status == PN_OK || status == PN_ERR_ARGUMENT, "johnson's order is there or refused");
    return pn_makespan_give_order(view, jobs, count);
}

static const pn_makespan_policy own[OWN] = {
    {.name = "order", .decide = decide_order},
    {.name = "pools",
     .decide = decide_pools,
     .share = PN_MAKESPAN_EXCLUSIVE,
     .cap = PN_MAKESPAN_CAP_REQUESTED},
    {.name = "tasks", .decide = decide_tasks, .stage_time = PN_MAKESPAN_FLUID},
    {.name = "wrong", .decide = decide_wrongly, .state_bytes = 3, .state_bytes_per_job = 5},
};

static const pn_makespan_policy *choose_policy(unsigned choice)
{
    unsigned built_in = 0;
    while (pn_makespan_policy_at(built_in))
        built_in++;
    choice %= built_in + OWN;
    return choice < OWN ? &own[choice] : pn_makespan_policy_at(choice - OWN);
}

/* ---- hooks ---- */

static int see_stop(void *user)
{
    const fuzz *f = user;
    return f->stops;
}

static void note(trial *t, const pn_makespan_decision *decision)
{
    must(t->log_count < LOG, "no end of decisions");
    must(t->log_count == 0 || t->log[t->log_count - 1].start <= decision->start,
         "hooks in order of time");
    t->log[t->log_count++] = *decision;
}

static void see_decision(void *user, const pn_makespan_decision *decision)
{
    fuzz *f = user;
    must(decision->kind == PN_MAKESPAN_START_MAP || decision->kind == PN_MAKESPAN_START_REDUCE,
         "decisions are starts");
    note(f->now, decision);
}

static void see_finish(void *user, const pn_makespan_finish *finish)
{
    trial *t = ((fuzz *)user)->now;
    must(finish->id >= 1 && finish->id <= t->job_count && finish->tag == finish->id,
         "a finish names its job");
    must(finish->map_start <= finish->map_finish && finish->map_finish <= finish->reduce_start &&
             finish->reduce_start <= finish->finish,
         "one thing after another");
    must(finish->finish > t->last_finish ||
             (finish->finish == t->last_finish && finish->id > t->last_id),
         "finishes in order");
    t->last_finish = finish->finish;
    t->last_id = finish->id;
    note(t, &(pn_makespan_decision){.start = finish->finish,
                                    .end = finish->finish,
                                    .id = finish->id,
                                    .kind = PN_MAKESPAN_FINISH});
}

static pn_makespan_hooks hooks_of(fuzz *f)
{
    return (pn_makespan_hooks){.policy = f->policy,
                               f->give_params ? f->params : NULL,
                               see_stop,
                               see_finish,
                               see_decision,
                               f};
}

/* ---- calls before the plan ---- */

/* Small numbers with ties, any digits, and what hardly fits. Few tasks where each of them is
 * run. */
static uint64_t draw_duration(fuzz *f)
{
    unsigned kind = byte(&f->in);
    if (kind < 200)
        return kind % 9;
    if (kind < 240)
        return (uint64_t)byte(&f->in) << 8 | byte(&f->in);
    return kind < 250 ? wide(&f->in) >> byte(&f->in) % 64
                      : PN_MAKESPAN_MOST / (kind - 249) + byte(&f->in) % 2;
}

static void draw_stage(fuzz *f, pn_makespan_stage_of_job *stage, pn_makespan_stretch *stretches)
{
    unsigned shape = byte(&f->in), requested = byte(&f->in);
    bool pieces = f->config.level == PN_MAKESPAN_STAGES; /* the number of tasks costs nothing */
    *stage = (pn_makespan_stage_of_job){.stretches = stretches,
                                        .stretch_count = shape % (PARTS + 1)};
    for (uint32_t i = 0; i < stage->stretch_count; i++) {
        stretches[i].duration = draw_duration(f);
        stretches[i].count = byte(&f->in) % 16;
        if (stretches[i].count > 0)
            stretches[i].count = stretches[i].count < 12 ? stretches[i].count % 4 + 1 : 30;
        if (pieces && stage->stretch_count == 1 && shape > 250)
            stretches[i].count = UINT32_MAX;
    }
    stage->requested = requested < 128              ? 0
                       : requested < 250 || !pieces ? requested % 12
                                                    : UINT32_MAX;
    stage->has_time = shape >> 3 & 1;
    stage->time = stage->has_time ? draw_duration(f) : 0;
    stage->empty = stage->stretch_count == 0 && shape >> 4 & 1;
    if (shape == 255)
        stage->empty = 2;
}

static void submit(fuzz *f)
{
    trial *t = f->now;
    uint64_t id = 0;
    if (t->job_count == JOBS)
        return;
    pn_makespan_job *job = &t->jobs[t->job_count];
    *job = (pn_makespan_job){.tag = t->job_count + 1};
    for (int stage = 0; stage < 2; stage++)
        draw_stage(f, &job->stage[stage], t->stretches[t->job_count][stage]);
    job->group = byte(&f->in) % 8 == 0      ? 3
                 : f->config.groups_max > 0 ? (uint32_t)t->job_count % f->config.groups_max
                                            : 0;
    memcpy(spare, t->sim, t->size);
    bool planned = pn_makespan_ticks(t->sim) > 0;
    int status = pn_makespan_submit(t->sim, job, &id);
    must(status <= PN_OK && (!planned || status != PN_OK), "submit is done or refused");
    must(status == PN_OK || memcmp(spare, t->sim, t->size) == 0,
         "a refused submit changes nothing");
    if (status != PN_OK)
        return;
    must(id == ++t->job_count, "ids count from 1");
    t->has_order = false;
    t->pool_count = 0;
}

/* Mostly a permutation. */
static void draw_ids(fuzz *f, uint64_t *ids, size_t count)
{
    unsigned step = byte(&f->in), wrong = byte(&f->in);
    for (size_t i = 0; i < count; i++)
        ids[i] = 1 + (i + step) % count;
    if (count > 1 && step % 2) {
        uint64_t moved = ids[0];
        ids[0] = ids[count - 1];
        ids[count - 1] = moved;
    }
    if (wrong > 240 && count > 0)
        ids[wrong % count] = wrong % 10;
}

static void set_order(fuzz *f)
{
    trial *t = f->now;
    uint64_t ids[JOBS];
    draw_ids(f, ids, t->job_count);
    memcpy(spare, t->sim, t->size);
    int status = pn_makespan_set_order(t->sim, ids, t->job_count);
    must(status == PN_OK || memcmp(spare, t->sim, t->size) == 0, "a refused order changes nothing");
    if (status != PN_OK)
        return;
    memcpy(t->order, ids, sizeof ids);
    t->has_order = true;
}

static void set_pools(fuzz *f)
{
    trial *t = f->now;
    uint64_t ids[JOBS];
    pn_makespan_pool pools[PARTS];
    size_t count = byte(&f->in) % (PARTS + 1), taken = 0;
    draw_ids(f, ids, t->job_count);
    for (size_t i = 0; i < count; i++) {
        unsigned shape = byte(&f->in);
        size_t left = t->job_count - taken;
        pools[i] = (pn_makespan_pool){shape % 5, (uint32_t)(shape / 5 % (left + 1)),
                                      t->pooled + taken};
        taken += pools[i].count;
    }
    uint64_t kept[JOBS];
    memcpy(kept, t->pooled, sizeof kept);
    memcpy(t->pooled, ids, sizeof ids);
    memcpy(spare, t->sim, t->size);
    int status = pn_makespan_set_pools(t->sim, pools, count);
    must(status == PN_OK || memcmp(spare, t->sim, t->size) == 0, "refused pools change nothing");
    if (status != PN_OK) {
        memcpy(t->pooled, kept, sizeof kept);
        return;
    }
    memcpy(t->pools, pools, sizeof pools);
    t->pool_count = count;
}

/* ---- calls that go on ---- */

/* What may keep a plan from being made. */
static bool explained(const fuzz *f, int status)
{
    switch (status) {
    case PN_ERR_STOPPED:
        return f->stops || f->fails == status;
    case PN_ERR_INFEASIBLE:
        return f->policy == &own[1] || f->policy == &own[3] || f->fails == status;
    case PN_ERR_ARGUMENT: /* an order or pools that nobody gave; parameters */
    case PN_ERR_MODE:
    case PN_ERR_OVERFLOW:
    case PN_ERR_POLICY: /* no room */
        return true;
    default:
        return false;
    }
}

static void check_refused(const fuzz *f, const trial *t, const pn_makespan_totals *before,
                          int status)
{
    pn_makespan_totals after = makespan_totals(t->sim);
    must(explained(f, status), "errors that can be explained");
    must(makespan_same_totals(before, &after), "a refused call does nothing");
}

static int advance(fuzz *f, int call, uint64_t until, uint64_t instants)
{
    trial *t = f->now;
    pn_makespan_hooks hooks = hooks_of(f);
    pn_makespan_totals before = makespan_totals(t->sim);
    size_t log_count = t->log_count;
    bool planned = pn_makespan_ticks(t->sim) > 0;
    int status = call == 0   ? pn_makespan_plan(t->sim, &hooks)
                 : call == 1 ? pn_makespan_step(t->sim, &hooks)
                             : pn_makespan_run(t->sim, &hooks, until, instants);
    pn_makespan_totals after = makespan_totals(t->sim);
    must(!planned || status >= 0, "who has a plan can follow it");
    if (status < 0) {
        must(t->log_count == log_count && pn_makespan_ticks(t->sim) == 0,
             "a refused call tells nothing");
        check_refused(f, t, &before, status);
        return status;
    }
    must(pn_makespan_ticks(t->sim) > 0, "now there is a plan");
    must(after.time >= before.time && after.finished <= after.submitted &&
             after.submitted == t->job_count,
         "time advances");
    must(call != 0 || after.instants == 0 || planned, "a plan executes nothing");
    must(call != 2 || after.instants - before.instants <= instants,
         "no more instants than allowed");
    must(call != 2 || after.instants == before.instants || after.time < until,
         "nothing after the time given");
    must(status != PN_DONE || after.finished == t->job_count, "done means done");
    return status;
}

static void move(trial *t)
{
    unsigned char *old = (unsigned char *)t->sim;
    t->room = 1 - t->room;
    unsigned char *new = blocks[t - trials][t->room];
    memcpy(new, old, t->size);
    memset(old, 0xA5, t->size);
    must(pn_makespan_open(&t->sim, new, t->size) == PN_OK, "a copy opens");
}

static void fork_to(const trial *from, trial *to)
{
    if (from == to)
        return;
    *to = *from;
    for (size_t i = 0; i < to->job_count; i++)
        for (int stage = 0; stage < 2; stage++)
            to->jobs[i].stage[stage].stretches = to->stretches[i][stage];
    for (size_t i = 0; i < to->pool_count; i++)
        to->pools[i].ids = to->pooled + (from->pools[i].ids - from->pooled);
    to->room = 0;
    memcpy(blocks[to - trials][0], from->sim, from->size);
    must(pn_makespan_open(&to->sim, blocks[to - trials][0], from->size) == PN_OK, "a fork opens");
}

static void ask(const fuzz *f, const trial *t)
{
    uint32_t seen = 0;
    for (uint32_t group = 0; group < 5; group++) {
        const pn_stats *stats = pn_makespan_completions(t->sim, group == 4 ? PN_ALL_GROUPS : group);
        must(!stats == (f->config.statistics == 0 || (group < 4 && group >= f->config.groups_max)),
             "statistics where they were asked for");
        must(!stats || stats->count <= t->job_count, "statistics make sense");
    }
    for (uint32_t i = 0; i < t->job_count + 2; i++) {
        uint64_t id = pn_makespan_order(t->sim, i);
        bool there = pn_makespan_ticks(t->sim) > 0 && i < t->job_count;
        must(there ? id >= 1 && id <= t->job_count && !(seen >> id & 1) : id == 0,
             "an order names every job once");
        seen |= (uint32_t)1 << id;
    }
}

/* ---- the end: everything must come to one ---- */

/* A log with one entry changed, and a claim with one field: whatever the verdict, there is one. */
static void damage(fuzz *f, const makespan_log *log, const pn_makespan_claim *claim)
{
    pn_makespan_claim other = *claim;
    uint32_t *const fields[] = {&other.map_slots, &other.reduce_slots, &other.base_map_slots,
                                &other.nodes,     &other.level,        &other.stage_time,
                                &other.share,     &other.cap,          &other.resplit};
    unsigned which = byte(&f->in) % 16;
    if (which < 9)
        *fields[which] = byte(&f->in) < 200 ? byte(&f->in) % 8 : UINT32_MAX;
    else if (which == 9)
        other.ticks = wide(&f->in) >> byte(&f->in) % 64;
    else if (which == 10)
        other.pool_count = byte(&f->in) % (claim->pool_count + 1);
    pn_makespan_decision *e = log->count > 0 ? &log->entry[byte(&f->in) * (log->count - 1) / 255]
                                             : NULL;
    pn_makespan_decision kept = e ? *e : (pn_makespan_decision){.kind = 0};
    unsigned how = byte(&f->in);
    if (e)
        *e = how < 32    ? (pn_makespan_decision){.start = wide(&f->in),
                                                  wide(&f->in),
                                                  wide(&f->in),
                                                  how % 5,
                                                  UINT32_MAX,
                                                  UINT32_MAX}
             : how < 128 ? (pn_makespan_decision){.start = e->start,
                                                  e->end,
                                                  1 + how % 7,
                                                  how % 4,
                                                  byte(&f->in) % 9,
                                                  byte(&f->in) % 9}
                         : *e;
    size_t size = pn_makespan_verifier_size(&other);
    pn_makespan_verifier *verifier;
    if (size > 0 && size <= BLOCK &&
        pn_makespan_verifier_init(&verifier, spare, size, &other) == PN_OK) {
        int status = PN_OK;
        for (size_t i = 0; i < log->count; i++) {
            int next = pn_makespan_verifier_feed(verifier, &log->entry[i]);
            must(next == PN_ERR_REJECTED || (next == PN_OK && status == PN_OK),
                 "rejected for good");
            status = next;
        }
        status = pn_makespan_verifier_end(verifier, makespan_log_end(log),
                                          makespan_log_digest(log));
        must((status == PN_OK) == (pn_makespan_verifier_fault(verifier, NULL, NULL)[0] == '\0'),
             "a word for every fault");
    } else if (size == 0) {
        must(pn_makespan_verifier_init(&verifier, spare, sizeof spare, &other) < 0,
             "no size, no start");
    }
    if (e)
        *e = kept;
}

static void check_bounds(const trial *t, const pn_makespan_totals *totals)
{
    pn_exact bound, makespan;
    int status = pn_makespan_bound(t->sim, &bound);
    must(pn_exact_make(&makespan, (int64_t)totals->makespan, (int64_t)pn_makespan_ticks(t->sim)) ==
             PN_OK,
         "a makespan");
    must(status == PN_OK || status == PN_DONE || status == PN_ERR_OVERFLOW || t->job_count == 0,
         "a bound, or why not");
    must(status != PN_OK || pn_exact_compare(bound, makespan) <= 0, "the bound is one");
    must(totals->proven.den == 0 || pn_exact_compare(totals->proven, makespan) <= 0,
         "what is proven is true");
}

static void verify(fuzz *f, trial *t)
{
    pn_makespan_totals totals = makespan_totals(t->sim);
    makespan_batch batch = {t->job_count, t->jobs, NULL};
    makespan_log log = {t->log, t->log_count, LOG};
    makespan_claim made = makespan_claim_of(t->sim, &f->config, &batch);
    must(pn_makespan_digest(t->sim) == makespan_log_digest(&log), "the digest is that of the log");
    makespan_verdict v = makespan_judge(&log, &made.claim, totals.makespan,
                                        pn_makespan_digest(t->sim));
    must(v.status == PN_OK, v.fault);
    must(totals.makespan == t->last_finish && totals.finished == t->job_count,
         "the makespan is the last finish");
    check_bounds(t, &totals);
    f->in = f->last;
    damage(f, &log, &made.claim);
    f->last = f->in;
    makespan_claim_free(&made);
}

/* The same jobs again, in a block of its own, to the end in one call. */
static void check_at_once(fuzz *f, const trial *t)
{
    pn_makespan_hooks silent = {.policy = f->policy, .params = f->give_params ? f->params : NULL};
    pn_makespan *sim;
    must(pn_makespan_init(&sim, fresh, sizeof fresh, &f->config) == PN_OK, "a fresh one starts");
    for (size_t i = 0; i < t->job_count; i++)
        must(pn_makespan_submit(sim, &t->jobs[i], NULL) == PN_OK, "all jobs fit");
    must(!t->has_order || pn_makespan_set_order(sim, t->order, t->job_count) == PN_OK,
         "so does the order");
    must(t->pool_count == 0 || pn_makespan_set_pools(sim, t->pools, t->pool_count) == PN_OK,
         "so do the pools");
    must(pn_makespan_run(sim, &silent, PN_MAKESPAN_FOREVER, UINT64_MAX) == PN_DONE,
         "a fresh one ends");
    pn_makespan_totals a = makespan_totals(sim), b = makespan_totals(t->sim);
    must(pn_makespan_digest(sim) == pn_makespan_digest(t->sim) && makespan_same_totals(&a, &b),
         "as the other did");
}

static void finish(fuzz *f, trial *t)
{
    pn_makespan *copy;
    pn_makespan_hooks silent = {.policy = f->policy, .params = f->give_params ? f->params : NULL};
    f->now = t;
    memcpy(fresh, t->sim, t->size);
    bool ended = advance(f, 2, PN_MAKESPAN_FOREVER, UINT64_MAX) == PN_DONE;
    ask(f, t);
    if (!ended)
        return;
    must(pn_makespan_open(&copy, fresh, t->size) == PN_OK, "a copy opens");
    must(pn_makespan_run(copy, &silent, PN_MAKESPAN_FOREVER, UINT64_MAX) == PN_DONE,
         "a copy ends as its original does");
    must(pn_makespan_digest(copy) == pn_makespan_digest(t->sim),
         "a copy has the digest of its original");
    verify(f, t);
    check_at_once(f, t);
}

/* ---- reading the bytes ---- */

static uint32_t draw_slots(fuzz *f)
{
    unsigned kind = byte(&f->in);
    return kind < 250 ? kind % 8 : kind * 10 - 2500; /* 0 is no number of slots */
}

static void draw_params(fuzz *f)
{
    for (int i = 0; i < f->policy->param_count; i++) {
        const pn_param *param = &f->policy->params[i];
        /* no search without end */
        double most = param->high - param->low < 255 ? param->high - param->low : 255;
        f->params[i] = param->low + byte(&f->in) % ((unsigned)most + 2);
    }
}

static bool configure(fuzz *f)
{
    pn_makespan_config *config = &f->config;
    unsigned flags = byte(&f->in), rules = byte(&f->in), more = byte(&f->in);
    f->policy = choose_policy(byte(&f->in));
    *config = pn_makespan_defaults();
    config->map_slots = draw_slots(f);
    config->reduce_slots = draw_slots(f);
    config->base_map_slots = more % 4;
    config->base_reduce_slots = more >> 2 & 3;
    config->level = flags & 1;
    config->groups_max = flags >> 1 & 3;
    config->statistics = flags >> 3 & 1;
    config->jobs_max = 1 + (flags >> 4) % JOBS;
    config->stretches_max = more >> 4 & 1 ? more >> 4 : 2 * JOBS * PARTS;
    config->ticks = more >> 5 & 1 ? 1 + byte(&f->in) : 1;
    config->nodes = more >> 6 & 1 ? byte(&f->in) % 5 : 0;
    config->stage_time = rules % 7;
    config->share = rules / 7 % 3;
    config->cap = rules / 21 % 3;
    config->task_order = rules / 63 % 3;
    config->resplit = more >> 7 & 1 ? byte(&f->in) % 4 : 0;
    config->seed = byte(&f->in);
    unsigned sized_for = byte(&f->in);
    config->policy = sized_for < 100   ? NULL
                     : sized_for < 250 ? f->policy
                                       : choose_policy(sized_for);
    f->give_params = sized_for % 2 || f->policy == pn_makespan_exact() ||
                     f->policy == pn_makespan_local_search();
    draw_params(f);
    trial *t = f->now = &trials[0];
    t->size = pn_makespan_size(config);
    must((t->size == 0) == (pn_makespan_check(config) != NULL), "only what is wrong has no size");
    if (t->size == 0 || t->size > BLOCK)
        return false;
    must(pn_makespan_init(&t->sim, blocks[0][0], t->size - 1, config) == PN_ERR_SIZE,
         "a byte short is too short");
    return pn_makespan_init(&t->sim, blocks[0][0], t->size, config) == PN_OK;
}

static void call(fuzz *f)
{
    static const int failures[] = {PN_ERR_STOPPED, PN_ERR_INFEASIBLE, PN_ERR_ARGUMENT};
    trial *t = f->now;
    unsigned what = byte(&f->in);
    if (what < 110)
        submit(f);
    else if (what < 118)
        set_order(f);
    else if (what < 128)
        set_pools(f);
    else if (what < 138)
        advance(f, 0, 0, 0);
    else if (what < 158)
        advance(f, 1, 0, 1);
    else if (what < 178)
        advance(f, 2, makespan_totals(t->sim).time + byte(&f->in), byte(&f->in) % 8);
    else if (what < 190)
        move(t);
    else if (what < 205)
        fork_to(t, &trials[byte(&f->in) % TRIALS]);
    else if (what < 220)
        f->now = trials[what % TRIALS].sim ? &trials[what % TRIALS] : t;
    else if (what < 235)
        f->fails = what % 4 < 3 ? failures[what % 4] : 0;
    else if (what < 240)
        f->stops = !f->stops;
    else
        ask(f, t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz f;
    size = size < 2048 ? size : 2048;
    size_t calls = size > 64 ? size - 32 : size;
    f = (fuzz){.in = {bytes, calls}, .last = {bytes + calls, size - calls}};
    for (int i = 0; i < TRIALS; i++) {
        trial *t = &trials[i];
        t->sim = NULL;
        t->job_count = t->log_count = t->pool_count = 0;
        t->last_finish = t->last_id = 0;
        t->room = 0;
        t->has_order = false;
    }
    if (!configure(&f))
        return 0;
    while (f.in.size > 0)
        call(&f);
    f.stops = false;
    f.fails = 0;
    for (int i = 0; i < TRIALS; i++)
        if (trials[i].sim)
            finish(&f, &trials[i]);
    return 0;
}
