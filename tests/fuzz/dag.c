/* Bytes become a sequence of calls of the dag model: jobs of any stages, failures of nodes, steps,
 * runs, forks, moves, policies that score, align, kill and launch at random or give up, jobs
 * submitted from hooks. What must hold: no call does what its status denies, a refused one changes
 * nothing, hooks come in order, blocks are valid, the checker accepts every log, and a copy ends as
 * its original does. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pinion.h"
#include "fuzz.h"

enum {
    TRIALS = 2,
    JOBS = 12,
    STAGES = 5,
    TASKS = 6,
    FAILURES = 8,
    NODES = 6,
    LOG = 1 << 14,
    BLOCK = 1 << 18,
    OWN = 3
};

/* A job with the lists that it points to. */
typedef struct listed_job {
    pn_dag_job job;
    pn_dag_stage stages[STAGES];
    uint32_t parents[STAGES][STAGES];
    uint64_t durations[STAGES][TASKS];
} listed_job;

/* One simulation, and what the host knows of it. */
typedef struct trial {
    pn_dag *sim; /* null: not in use */
    size_t size;
    int room; /* which of its two blocks it lives in */
    listed_job jobs[JOBS];
    pn_dag_failure failures[FAILURES];
    size_t job_count, failure_count, log_count, finished;
    pn_dispatch_event log[LOG];
    bool over; /* its policy has given up */
} trial;

typedef struct fuzz {
    input in;
    pn_dag_config config;
    pn_dispatch_nodes nodes[3];
    pn_dispatch_queue queues[3];
    const pn_dispatch_policy *policy;
    double params[PN_PARAMS_MAX];
    trial *now;
    bool trouble;     /* the policy may fail and ask the bytes */
    bool follow_up;   /* each finished job is followed by another */
    unsigned fail_in; /* one of the policy's functions fails at this call from now; 0 = not */
} fuzz;

static trial trials[TRIALS];
static _Alignas(8) unsigned char blocks[TRIALS][2][BLOCK], spare[BLOCK], fresh[BLOCK];
static _Alignas(8) unsigned char checker[BLOCK];

/* ---- policies ---- */

static int status_of(const pn_dispatch_view *view)
{
    fuzz *f = pn_dispatch_user(view);
    must(!f || !f->now->over, "who has given up is asked no more");
    if (!f || f->fail_in == 0 || --f->fail_in > 0)
        return PN_OK;
    f->now->over = true;
    return PN_ERR_STOPPED;
}

static void by_running(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_dispatch_running(view, job);
    if (status_of(view) != PN_OK)
        pn_dispatch_give_up(view, PN_ERR_STOPPED);
}

static void by_size(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    key->word[1] = 1 + pn_dispatch_left_area(view, job) / 2;
}

static void by_use(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    key->word[0] = pn_dispatch_queue_use(view, queue, 0);
}

static int own_init(pn_dispatch_view *view)
{
    must(pn_dispatch_active(view) == 0, "init comes first");
    return status_of(view);
}

static int own_arrive(pn_dispatch_view *view, uint32_t job)
{
    uint64_t *seen = pn_dispatch_state(view);
    must(pn_dispatch_id(view, job) == ++*seen, "arrivals by id");
    return status_of(view);
}

static void own_leave(pn_dispatch_view *view, uint32_t job)
{
    must(pn_dispatch_running(view, job) == 0, "who leaves runs nothing");
}

static uint64_t score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    must(pn_dispatch_is_ready(view, stage) && pn_dispatch_pending(view, stage) > 0,
         "there is a task to place");
    for (uint32_t r = 0; r < pn_dispatch_resources(view); r++)
        must(pn_dispatch_demand(view, stage, r) <= pn_dispatch_node_free(view, node, r),
             "only nodes with room are asked about");
    return (pn_dispatch_stage_index(view, stage) + 5 * node) % 7;
}

static uint64_t align(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    return (pn_dispatch_demand(view, stage, 0) + pn_dispatch_node_free(view, node, 0)) % 1000;
}

/* Kills, supposes and launches whatever the bytes say, be it possible or not. */
static int preempt(pn_dispatch_view *view)
{
    fuzz *f = pn_dispatch_user(view);
    if (!f || !f->trouble)
        return PN_OK;
    for (uint32_t node = 0; node < pn_dispatch_nodes_all(view); node++) {
        uint32_t at = pn_dispatch_next_on_node(view, node, PN_DISPATCH_NO_ATTEMPT);
        unsigned how = byte(&f->in);
        if (at == PN_DISPATCH_NO_ATTEMPT || how > 100)
            continue;
        uint32_t stage = pn_dispatch_attempt_stage(view, at),
                 job = pn_dispatch_stage_job(view, stage);
        uint32_t running = pn_dispatch_running(view, job);
        bool may = pn_dispatch_may_kill(view, at) != 0;
        if (how % 2) {
            pn_dispatch_suppose(view, at);
            (how % 4 == 1 ? pn_dispatch_kill_supposed : pn_dispatch_spare_supposed)(view);
            continue;
        }
        must(pn_dispatch_kill(view, at) == (may ? PN_OK : PN_DONE), "killed where it may be");
        must(pn_dispatch_running(view, job) == running - may, "kills are counted");
        int status = pn_dispatch_launch(view, stage, byte(&f->in) % pn_dispatch_nodes_all(view));
        must(status == PN_OK || status == PN_ERR_INFEASIBLE || status == PN_ERR_FULL,
             "a launch is done or not");
    }
    /* A key may have given up during a kill or a launch. */
    return f->now->over ? PN_ERR_STOPPED : status_of(view);
}

static const pn_dispatch_policy own[OWN] = {
    {.name = "placing",
     .order = {.keys = PN_DISPATCH_KEYS_USED, .preempts = 1},
     .state_bytes = 8,
     .key = by_running,
     .init = own_init,
     .arrive = own_arrive,
     .leave = own_leave,
     .score = score,
     .preempt = preempt},
    {.name = "packing",
     .order = {.keys = PN_DISPATCH_KEYS_SERVED, .packs = 1, .virtual_run = 1},
     .key = by_size,
     .align = align},
    {.name = "queueing",
     .order = {.by_queue = 1, .limits = 1, .preempts = 1},
     .queue_key = by_use,
     .preempt = preempt},
};

static const pn_dispatch_policy *choose_policy(unsigned choice)
{
    unsigned built_in = 0;
    while (pn_dispatch_policy_at(built_in))
        built_in++;
    choice %= built_in + OWN;
    return choice < OWN ? &own[choice] : pn_dispatch_policy_at(choice - OWN);
}

/* ---- jobs ---- */

/* Now and then what is no job at all. */
static void draw_stage(fuzz *f, listed_job *to, uint32_t stage)
{
    pn_dag_stage *it = &to->stages[stage];
    unsigned how = byte(&f->in), edges = byte(&f->in), shape = byte(&f->in);
    *it = (pn_dag_stage){.demand = {how & 3, how >> 2 & 3},
                         .duration = (uint64_t)(how >> 4) * (how >> 4),
                         .tasks = shape % (TASKS + 1),
                         .parents = to->parents[stage],
                         .estimate = shape & 8 ? shape : 0,
                         .start_ms = shape & 16 ? edges >> 6 : PN_DAG_AUTO};
    if (shape & 32)
        it->durations = to->durations[stage];
    for (uint32_t i = 0; i < TASKS; i++)
        to->durations[stage][i] = (uint64_t)(how >> 4) * i;
    for (uint32_t other = 0; other < STAGES; other++)
        if ((edges >> other & 1) && (shape > 250 || other < stage))
            to->parents[stage][it->parent_count++] = other;
}

static void submit(fuzz *f, uint64_t arrival)
{
    trial *t = f->now;
    listed_job *to = &t->jobs[t->job_count];
    uint64_t id = 0;
    if (t->job_count == JOBS)
        return;
    unsigned how = byte(&f->in);
    memset(to, 0, sizeof *to);
    to->job = (pn_dag_job){.arrival = arrival,
                           .stages = to->stages,
                           .stage_count = how % (STAGES + 1),
                           .weight = how >> 4,
                           .queue = how >> 6,
                           .deadline = how % 7 == 0 ? how : 0,
                           .tag = t->job_count + 1};
    for (uint32_t i = 0; i < to->job.stage_count; i++)
        draw_stage(f, to, i);
    memcpy(spare, t->sim, t->size);
    int status = pn_dag_submit(t->sim, &to->job, &id);
    must(status <= PN_OK, "submit is done or refused");
    must(status == PN_OK || memcmp(spare, t->sim, t->size) == 0,
         "a refused submit changes nothing");
    must(status != PN_OK || id == ++t->job_count, "ids count from 1");
}

static void fail(fuzz *f, uint64_t now)
{
    trial *t = f->now;
    if (t->failure_count == FAILURES)
        return;
    unsigned how = byte(&f->in);
    pn_dag_failure *it = &t->failures[t->failure_count];
    *it = (pn_dag_failure){.time = now + how % 32, .node = how >> 5};
    it->recover = how % 3 ? it->time + byte(&f->in) : PN_DISPATCH_NEVER;
    if (pn_dag_fail(t->sim, it->time, it->node, it->recover) == PN_OK)
        t->failure_count++;
}

/* ---- hooks ---- */

static void see_event(void *user, const pn_dispatch_event *event)
{
    trial *t = ((fuzz *)user)->now;
    must(t->log_count < LOG, "no end of events");
    must(t->log_count == 0 || t->log[t->log_count - 1].time <= event->time, "events by time");
    t->log[t->log_count++] = *event;
}

static void see_finish(void *user, const pn_dag_record *record)
{
    fuzz *f = user;
    uint64_t finish = record->job->finish;
    must(record->job->id >= 1 && record->job->id <= f->now->job_count &&
             record->job->tag == record->job->id,
         "a record names its job");
    f->now->finished += finish != PN_DISPATCH_NEVER;
    if (finish == PN_DISPATCH_NEVER)
        return;
    must(finish - record->job->arrival >= record->alone, "nobody is faster than alone");
    if (f->follow_up)
        submit(f, finish + byte(&f->in) % 8);
}

static pn_dag_hooks hooks_of(fuzz *f)
{
    return (pn_dag_hooks){.policy = f->policy,
                          .params = f->params,
                          .on_finish = see_finish,
                          .on_event = see_event,
                          .user = f};
}

/* ---- calls ---- */

static pn_dag_totals totals_of(const pn_dag *sim)
{
    pn_dag_totals totals;
    pn_dag_totals_get(sim, &totals);
    return totals;
}

/* A step, or a run. */
static int advance(fuzz *f, bool step, uint64_t until, uint64_t instants)
{
    trial *t = f->now;
    pn_dag_hooks hooks = hooks_of(f);
    pn_dag_totals before = totals_of(t->sim);
    bool was_over = t->over;
    int status = step ? pn_dag_step(t->sim, &hooks) : pn_dag_run(t->sim, &hooks, until, instants);
    pn_dag_totals after = totals_of(t->sim);
    must(after.time >= before.time && after.submitted == t->job_count, "time advances");
    must(step || after.instants - before.instants <= instants, "no more instants than allowed");
    must(after.dispatch.finished == t->finished, "finishes are told");
    must(status != PN_ERR_STOPPED || t->over, "nobody fails untold");
    must(!t->over || status == PN_ERR_STOPPED || was_over, "who fails does so at once");
    must(status >= 0 || status == PN_ERR_STOPPED || status == PN_ERR_POLICY ||
             status == PN_ERR_ARGUMENT || status == PN_ERR_FULL || status == PN_ERR_OVERFLOW,
         "errors that can be explained");
    must(status < 0 || pn_dag_validate(t->sim, t->size) == PN_OK, "the block is valid");
    return status;
}

static void move(trial *t)
{
    unsigned char *old = (unsigned char *)t->sim;
    t->room = 1 - t->room;
    unsigned char *new = blocks[t - trials][t->room];
    memcpy(new, old, t->size);
    memset(old, 0xA5, t->size);
    must(pn_dag_open(&t->sim, new, t->size) == PN_OK, "a copy opens");
}

/* Lists of jobs are the trial's own. */
static void fork_to(trial *from, trial *to)
{
    if (from == to)
        return;
    *to = *from;
    to->room = 0;
    for (size_t i = 0; i < to->job_count; i++) {
        listed_job *job = &to->jobs[i];
        job->job.stages = job->stages;
        for (uint32_t k = 0; k < STAGES; k++) {
            job->stages[k].parents = job->parents[k];
            job->stages[k].durations = job->stages[k].durations ? job->durations[k] : NULL;
        }
    }
    memcpy(blocks[to - trials][0], from->sim, from->size);
    must(pn_dag_open(&to->sim, blocks[to - trials][0], from->size) == PN_OK, "a fork opens");
}

/* ---- the end: everything must come to one ---- */

static bool is_built_in(const fuzz *f, const pn_dispatch_policy *policy, double param)
{
    return f->policy == policy && f->params[0] == param;
}

static void verify(const fuzz *f, const trial *t, bool ended)
{
    static pn_dag_job jobs[JOBS];
    pn_dag_verifier *verifier;
    pn_dag_claim claim = {
        .config = &f->config,
        .preempts = f->policy->order.preempts || is_built_in(f, pn_dispatch_capacity_queues(), 1),
        .limits = f->policy->order.limits || f->policy == pn_dispatch_capacity_queues(),
        .jobs = jobs,
        .job_count = t->job_count,
        .failures = t->failures,
        .failure_count = t->failure_count};
    for (size_t i = 0; i < t->job_count; i++)
        jobs[i] = t->jobs[i].job;
    must(pn_dag_verifier_init(&verifier, checker, sizeof checker, &claim) == PN_OK,
         "the checker takes the claim");
    for (size_t i = 0; i < t->log_count; i++)
        must(pn_dag_verifier_feed(verifier, &t->log[i]) == PN_OK,
             pn_dag_verifier_fault(verifier, NULL, NULL));
    if (!ended)
        return;
    pn_dag_totals totals = totals_of(t->sim);
    if (f->config.max_time_ms > 0)
        must(pn_dag_verifier_stop(verifier, f->config.max_time_ms) == PN_OK,
             pn_dag_verifier_fault(verifier, NULL, NULL));
    must(pn_dag_verifier_end(verifier, totals.unfinished, &totals, pn_dag_digest(t->sim)) == PN_OK,
         pn_dag_verifier_fault(verifier, NULL, NULL));
}

static void finish(fuzz *f, trial *t)
{
    pn_dag_hooks silent = {.policy = f->policy, .params = f->params};
    pn_dag *copy;
    f->now = t;
    memcpy(fresh, t->sim, t->size);
    bool ended = advance(f, false, PN_DAG_FOREVER, UINT64_MAX) == PN_DONE;
    verify(f, t, ended);
    if (!ended)
        return;
    must(pn_dag_open(&copy, fresh, t->size) == PN_OK, "a copy opens");
    must(pn_dag_run(copy, &silent, PN_DAG_FOREVER, UINT64_MAX) == PN_DONE, "… and ends");
    must(pn_dag_digest(copy) == pn_dag_digest(t->sim), "a copy has the digest of its original");
}

/* ---- reading the bytes ---- */

static void draw_cluster(fuzz *f)
{
    pn_dispatch_config *core = &f->config.dispatch;
    unsigned how = byte(&f->in);
    core->nodes = f->nodes;
    core->nodes_count = 1 + how % 3;
    core->resources = 2;
    for (uint32_t i = 0; i < core->nodes_count; i++) {
        unsigned of = byte(&f->in);
        f->nodes[i] = (pn_dispatch_nodes){.capacity = {of % 8, of >> 3 & 7},
                                          .count = 1 + (of >> 6) % 2,
                                          .speed = how & 64 ? 500 * i : 1000};
    }
    f->nodes[0].capacity[0] |= 3;
    f->nodes[0].capacity[1] |= 3;
    f->queues[0] = (pn_dispatch_queue){.weight = 2, .guaranteed = 600, .maximum = 800};
    f->queues[1] = (pn_dispatch_queue){.guaranteed = 300};
    core->queues = how & 128 ? f->queues : NULL;
    core->queues_count = how & 128 ? 3 : 0;
}

static bool configure(fuzz *f)
{
    f->config = pn_dag_defaults();
    draw_cluster(f);
    unsigned rules = byte(&f->in), tables = byte(&f->in), policy = byte(&f->in);
    pn_dispatch_config *core = &f->config.dispatch;
    core->placement = rules % 3;
    core->order = rules / 3 % 3;
    core->backfill = rules & 32 ? 0 : 1;
    core->max_kills = rules >> 6;
    core->running_most = policy % 5 < 3 ? 0 : policy % 5;
    core->jobs_max = 1 + tables % JOBS;
    core->attempts_max = tables & 64 ? 8 : 256;
    f->config.durations_max = tables & 128 ? 0 : JOBS * STAGES * TASKS;
    f->config.failures_max = FAILURES;
    f->config.bounds_max = JOBS;
    f->config.tick_ms = 1 + rules % 13;
    f->config.factor_hi = policy & 128 ? 2500 : 1000;
    f->config.est_lo = policy & 64 ? 100 : 1000;
    f->config.max_time_ms = tables == 77 ? 90 : 0;
    f->policy = choose_policy(policy % 64);
    core->policy = f->policy;
    for (uint32_t i = 0; i < f->policy->param_count; i++)
        f->params[i] = f->policy->params[i].value;
    if (f->policy->param_count > 0 && (rules & 16))
        f->params[0] = f->policy->params[0].high < 2 ? 1 : f->policy->params[0].low;
    trials[0].size = pn_dag_size(&f->config);
    return trials[0].size > 0 && trials[0].size <= BLOCK &&
           pn_dag_init(&trials[0].sim, blocks[0][0], BLOCK, &f->config) == PN_OK;
}

static void call(fuzz *f)
{
    unsigned what = byte(&f->in);
    trial *t = f->now = &trials[what >> 7];
    if (!t->sim)
        t = f->now = &trials[0];
    uint64_t now = totals_of(t->sim).time;
    switch (what % 8) {
    case 0:
    case 1:
        submit(f, now + byte(&f->in) % 32);
        break;
    case 2:
        fail(f, now);
        break;
    case 3:
        advance(f, true, 0, 0);
        break;
    case 4:
        advance(f, false, now + byte(&f->in) % 64, 1 + byte(&f->in));
        break;
    case 5:
        move(t);
        break;
    case 6:
        fork_to(t, &trials[1]);
        break;
    default:
        f->follow_up = (what & 8) != 0;
        f->fail_in = what & 16 ? byte(&f->in) : 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz f;
    f = (fuzz){.in = {bytes, size < 2048 ? size : 2048}, .trouble = true};
    for (int i = 0; i < TRIALS; i++) {
        trials[i].sim = NULL;
        trials[i].job_count = trials[i].failure_count = trials[i].log_count = 0;
        trials[i].finished = 0;
        trials[i].room = 0;
        trials[i].over = false;
    }
    if (!configure(&f))
        return 0;
    while (f.in.size > 0)
        call(&f);
    f.follow_up = f.trouble = false;
    f.fail_in = 0;
    for (int i = 0; i < TRIALS; i++)
        if (trials[i].sim)
            finish(&f, &trials[i]);
    return 0;
}
