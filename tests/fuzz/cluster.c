/* Bytes become a sequence of calls of the cluster model: of the simulation - jobs of any shape,
 * failures of nodes, steps, runs, forks, moves, policies that give up, pick, share, kill, deal and
 * hold back at random, jobs submitted from hooks - or of the scheduler core, with a host whose
 * machines do as they like. What must hold: no call does what its status denies, hooks come in
 * order, the checker accepts every log, a copy ends as its original does, feeding all jobs at
 * once leads to the same schedule, and who asks is told the truth and changes nothing. */
#include <stdlib.h>

#include "support/cluster_workload.h"
#include "fuzz.h"

enum {
    TRIALS = 3,
    JOBS = 16,
    MAPS = 24,
    REDUCES = 8,
    FAILURES = 8,
    NODES = 9,
    LOG = 1 << 16,
    BLOCK = 1 << 19,
    PIECE = 200,
    LONG_RUN = 4000,
    OWN = 4, /* policies that take every job */
    DEALERS = 2
};

/* The lists of a job; which of them it has is told by bits. */
enum {
    BLOCKS = 1,
    MAP_FACTORS = 2,
    REDUCE_FACTORS = 4,
    MAP_TIMES = 8,
    REDUCE_TIMES = 16,
    SHUFFLE_TIMES = 32
};

typedef struct listed_job {
    pn_cluster_job job;
    unsigned lists;
    uint32_t counts[MAPS], blocks[2 * MAPS], map_factors[MAPS], reduce_factors[REDUCES];
    uint64_t map_times[MAPS], reduce_times[REDUCES], shuffle_times[REDUCES];
} listed_job;

/* One simulation, or one core, and what the host knows of it. */
typedef struct trial {
    void *block; /* null: not in use */
    size_t size;
    int room; /* which of its two blocks it lives in */
    listed_job jobs[JOBS];
    pn_cluster_failure failures[FAILURES];
    size_t job_count, failure_count, log_count;
    pn_scheduler_event log[LOG];
    uint64_t now; /* of the core */
    bool over;    /* its policy has given up */
    bool plain;   /* what happened to it is what would have happened to all jobs fed at once */
} trial;

typedef struct fuzz {
    input in;
    pn_cluster_config config;
    pn_scheduler_nodes nodes[3];
    uint32_t node_count;
    const pn_scheduler_policy *policy;
    double params[PN_PARAMS_MAX];
    bool give_params;
    trial *now;
    bool follow_up;   /* each finished job is followed by another */
    bool trouble;     /* the policy may fail and ask the bytes */
    bool holds;       /* it has held back jobs */
    unsigned fail_in; /* one of the policy's functions fails at this call from now; 0 = not */
} fuzz;

static trial trials[TRIALS];
static _Alignas(8) unsigned char blocks[TRIALS][2][BLOCK];
static _Alignas(8) unsigned char spare[BLOCK], fresh[BLOCK], checker[BLOCK], kept[BLOCK];

static pn_cluster *sim_of(const trial *t)
{
    return (pn_cluster *)t->block;
}

static pn_scheduler *core_of(const trial *t)
{
    return (pn_scheduler *)t->block;
}

/* ---- policies ---- */

static bool fails_now(const pn_scheduler_view *view)
{
    fuzz *f = pn_scheduler_user(view);
    must(!f || !f->now->over, "who has given up is asked no more");
    if (!f || f->fail_in == 0 || --f->fail_in > 0)
        return false;
    f->now->over = true;
    return true;
}

static int status_of(const pn_scheduler_view *view)
{
    return fails_now(view) ? PN_ERR_STOPPED : PN_OK;
}

static void by_need(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    key->word[0] = pn_scheduler_need(view, job, kind);
    if (fails_now(view))
        pn_scheduler_give_up(view, PN_ERR_STOPPED);
}

static void by_deadline(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = pn_scheduler_submit_of(view, job) + pn_scheduler_deadline_of(view, job);
    if (fails_now(view))
        pn_scheduler_give_up(view, PN_ERR_STOPPED);
}

static int own_init(pn_scheduler_view *view)
{
    must(pn_scheduler_active(view) == 0, "init comes first");
    return status_of(view);
}

static int own_arrive(pn_scheduler_view *view, uint32_t job)
{
    uint64_t *seen = pn_scheduler_state(view);
    must(pn_scheduler_id(view, job) == ++*seen, "arrivals by id");
    return status_of(view);
}

static void own_leave(pn_scheduler_view *view, uint32_t job)
{
    must(pn_scheduler_running(view, job, 0) + pn_scheduler_running(view, job, 1) == 0,
         "who leaves runs nothing");
    if (fails_now(view))
        pn_scheduler_give_up(view, PN_ERR_STOPPED);
}

static int own_elapse(pn_scheduler_view *view, uint64_t ms)
{
    must(ms > 0, "some time has passed");
    return status_of(view);
}

/* Whom the bytes say, be it possible or not; else the first that is possible. */
static int pick_at_random(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    fuzz *f = pn_scheduler_user(view);
    must(pn_scheduler_node_free(view, node, kind) > 0, "a slot is free");
    *job = pn_scheduler_first(view, kind);
    must(*job == PN_NO_JOB || pn_scheduler_pending(view, *job, kind) > 0,
         "a candidate has something pending");
    unsigned how = f && f->trouble ? byte(&f->in) : 0;
    if (how > 240)
        *job = how % (pn_scheduler_jobs_max(view) + 1);
    else if (how > 128)
        *job = PN_NO_JOB;
    return status_of(view);
}

static int weigh_at_random(pn_scheduler_view *view, uint32_t reason)
{
    fuzz *f = pn_scheduler_user(view);
    (void)reason;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        unsigned how = f && f->trouble ? byte(&f->in) : 1;
        pn_scheduler_weigh(view, job, how < 250 ? how : UINT64_MAX >> (how - 250));
    }
    return status_of(view);
}

static int kill_at_random(pn_scheduler_view *view, uint32_t kind)
{
    fuzz *f = pn_scheduler_user(view);
    if (f && f->trouble && byte(&f->in) % 4 == 0)
        for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
             job = pn_scheduler_next(view, job)) {
            uint32_t killed = 77, running = pn_scheduler_running(view, job, kind),
                     drawn = byte(&f->in), most = drawn % 4;
            bool kills = drawn < 128;
            must((kills ? pn_scheduler_kill : pn_scheduler_suspend)(view, job, kind, most,
                                                                    &killed) == PN_OK,
                 "who may kill can kill or suspend");
            must(killed <= most && pn_scheduler_running(view, job, kind) == running - killed,
                 "kills are counted");
            uint32_t run = byte(&f->in);
            int status = (kills ? pn_scheduler_kill_attempt : pn_scheduler_suspend_attempt)(view,
                                                                                            run);
            must(status == PN_OK || status == PN_DONE || status == PN_ERR_INFEASIBLE,
                 "a kill is done or not");
        }
    return status_of(view);
}

/* Now and then a second attempt of what runs elsewhere. */
static int copy_at_random(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    fuzz *f = pn_scheduler_user(view);
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    if (!f || !f->trouble || byte(&f->in) % 4 > 0 || job == PN_NO_JOB)
        return status_of(view);
    uint32_t at = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
    if (at != PN_SCHEDULER_NO_ATTEMPT && pn_scheduler_attempt_task(view, at).node != node &&
        pn_scheduler_attempt_twin(view, at) == PN_SCHEDULER_NO_ATTEMPT &&
        pn_scheduler_may_run(view, job, kind))
        *place = at;
    return status_of(view);
}

/* Says no, deals, or lets the core say. */
static int deal_at_random(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    fuzz *f = pn_scheduler_user(view);
    unsigned how = f && f->trouble ? byte(&f->in) : 8;
    must(answer->accepted == 1 && answer->blocker == 0 && answer->id == pn_scheduler_id(view, job),
         "a clean answer");
    if (how & 1)
        must(pn_scheduler_set_deadline(view, job, 1 + how) == PN_OK, "a deadline is agreed on");
    if (how & 2)
        must(pn_scheduler_set_est_ms(view, job, how >> 2 & 1, 1 + how / 4) == PN_OK,
             "an estimate is set");
    if (how & 8) {
        must(pn_scheduler_foresee(view, job, answer) == PN_OK, "the core foresees");
        must(answer->accepted == (answer->blocker == 0), "who is not taken has a reason");
        must(answer->estimate > pn_scheduler_now(view), "nothing is done in no time");
    }
    if (how > 200)
        answer->accepted = how > 230;
    return f && f->now->over ? PN_OK : status_of(view); /* keys may fail meanwhile */
}

static int hold_at_random(pn_scheduler_view *view, uint32_t job)
{
    fuzz *f = pn_scheduler_user(view);
    uint64_t *last = pn_scheduler_state(view);
    unsigned how = f && f->trouble ? byte(&f->in) : 0;
    must(pn_scheduler_id(view, job) > *last, "arrivals by id");
    *last = pn_scheduler_id(view, job);
    must(pn_scheduler_set_deadline(view, job, 1) == PN_ERR_INFEASIBLE, "the deal is done");
    if (how & 1)
        pn_scheduler_limit(view, job, how >> 2 & 1, 1 + how / 64);
    if (how & 2)
        pn_scheduler_hold(view, job, how >> 2 & 1, pn_scheduler_now(view) + how / 8);
    if (f && how & 2)
        f->holds = true;
    return status_of(view);
}

static void feed_back_at_random(pn_scheduler_view *view, uint32_t job)
{
    own_leave(view, job);
    if (pn_scheduler_id(view, job) % 3 > 0 && !pn_scheduler_has_failed(view, job)) {
        must(pn_scheduler_estimate_anew(view, job) > pn_scheduler_now(view),
             "all of it takes some time");
        pn_scheduler_feed_back(view, job);
    }
}

static pn_scheduler_policy own[OWN + DEALERS];

static void make_policies(void)
{
    own[0] = (pn_scheduler_policy){.name = "failing",
                                   .order = {.keys = PN_SCHEDULER_KEYS_SERVED, .elapses = 1},
                                   .state_bytes = 8,
                                   .key = by_need,
                                   .init = own_init,
                                   .arrive = own_arrive,
                                   .leave = own_leave,
                                   .elapse = own_elapse};
    own[1] = own[0];
    own[1].name = "picking";
    own[1].pick = pick_at_random;
    own[2] = own[0];
    own[2].name = "sharing";
    own[2].order = (pn_scheduler_order){.keys = PN_SCHEDULER_KEYS_PLANNED,
                                        .shares = PN_SCHEDULER_SHARES_CONSERVING,
                                        .colocates = 1,
                                        .estimates = 1};
    own[2].plan = weigh_at_random;
    own[2].preempt = kill_at_random;
    own[2].copy = copy_at_random;
    own[3] = own[0];
    own[3].name = "timed";
    own[3].order = (pn_scheduler_order){
        .keys = PN_SCHEDULER_KEYS_TIMED, .shares = PN_SCHEDULER_SHARES_STRICT, .delays = 1};
    own[3].plan = weigh_at_random;
    own[4] = (pn_scheduler_policy){.name = "dealing",
                                   .order = {.started_first = 1, .elapses = 1},
                                   .admission = {.finishes = PN_SCHEDULER_FINISHES_FORECAST,
                                                 .maps_first = 1,
                                                 .reserve = PN_SCHEDULER_RESERVE_ALL},
                                   .state_bytes = 8,
                                   .key = by_deadline,
                                   .init = own_init,
                                   .admit = deal_at_random,
                                   .arrive = hold_at_random,
                                   .leave = own_leave,
                                   .elapse = own_elapse};
    own[5] = own[4];
    own[5].name = "recording";
    own[5].order = (pn_scheduler_order){.started_first = 1};
    own[5].admission = (pn_scheduler_admission){
        .finishes = PN_SCHEDULER_FINISHES_RECORDED, .ended_predecessors = 1, .ended_feedback = 1};
    own[5].leave = feed_back_at_random;
}

/* One of those that take every job, or of those that do not. */
static const pn_scheduler_policy *choose_policy(unsigned choice)
{
    enum { ADMITTING = 180, MOST = 16 };
    const pn_scheduler_policy *found[MOST];
    bool admitting = choice >= ADMITTING;
    unsigned count = 0;
    for (unsigned i = 0; i < OWN + DEALERS; i++)
        if (!own[i].admit == !admitting)
            found[count++] = &own[i];
    for (unsigned i = 0; pn_scheduler_policy_at(i); i++)
        if (!pn_scheduler_policy_at(i)->admit == !admitting && count < MOST)
            found[count++] = pn_scheduler_policy_at(i);
    return found[choice % count];
}

static bool is_own(const fuzz *f)
{
    return f->policy >= own && f->policy < own + OWN + DEALERS;
}

static bool is_random(const fuzz *f)
{
    return is_own(f) && f->policy != &own[0];
}

/* ---- jobs ---- */

/* As it was submitted, wherever the trial has been copied to. */
static pn_cluster_job job_of(const listed_job *l)
{
    pn_cluster_job job = l->job;
    job.block_counts = l->lists & BLOCKS ? l->counts : NULL;
    job.blocks = l->lists & BLOCKS ? l->blocks : NULL;
    job.map_factor = l->lists & MAP_FACTORS ? l->map_factors : NULL;
    job.reduce_factor = l->lists & REDUCE_FACTORS ? l->reduce_factors : NULL;
    job.map_times = l->lists & MAP_TIMES ? l->map_times : NULL;
    job.reduce_times = l->lists & REDUCE_TIMES ? l->reduce_times : NULL;
    job.shuffle_times = l->lists & SHUFFLE_TIMES ? l->shuffle_times : NULL;
    return job;
}

/* Small numbers with ties mostly. */
static uint64_t draw_ms(fuzz *f)
{
    static const uint64_t extremes[] = {1 << 20, (uint64_t)1 << 39, PN_CLUSTER_MOST_MS,
                                        PN_CLUSTER_MOST_MS + 1, UINT64_MAX};
    unsigned kind = byte(&f->in);
    if (kind < 200)
        return kind % 50;
    return kind < 251 ? 10 * byte(&f->in) : extremes[kind - 251];
}

static uint32_t draw_factor(fuzz *f)
{
    static const uint32_t extremes[] = {0, 1, PN_CLUSTER_FACTOR_MOST, UINT32_MAX};
    unsigned kind = byte(&f->in);
    return kind < 252 ? 100 + 10 * kind : extremes[kind - 252];
}

static void draw_lists(fuzz *f, listed_job *l)
{
    uint32_t at = 0;
    l->lists = byte(&f->in);
    for (uint32_t i = 0; i < l->job.maps; i++) {
        if (l->lists & BLOCKS) {
            unsigned where = byte(&f->in);
            l->counts[i] = where % 3;
            for (unsigned k = 0; k < where % 3; k++)
                l->blocks[at++] = (where / 3 + k * (where < 250)) % (f->node_count + (where > 253));
        }
        if (l->lists & MAP_FACTORS)
            l->map_factors[i] = draw_factor(f);
        if (l->lists & MAP_TIMES)
            l->map_times[i] = draw_ms(f);
    }
    for (uint32_t i = 0; i < l->job.reduces; i++) {
        if (l->lists & REDUCE_FACTORS)
            l->reduce_factors[i] = draw_factor(f);
        if (l->lists & REDUCE_TIMES)
            l->reduce_times[i] = draw_ms(f);
        if (l->lists & SHUFFLE_TIMES)
            l->shuffle_times[i] = draw_ms(f);
    }
}

/* Of a job that wants a promise: deadlines that are tight or far, estimates that hold or not, or
 * none of it. */
static void draw_wishes(fuzz *f, listed_job *l)
{
    unsigned kind = byte(&f->in);
    l->job.deadline = kind < 5     ? 0
                      : kind < 250 ? 1 + kind * (uint64_t)(1 + byte(&f->in) % 8)
                                   : PN_INTEGER_MAX;
    l->job.est_map_ms = kind & 1 ? draw_ms(f) : 0;
    l->job.est_reduce_ms = kind & 2 ? draw_ms(f) : 0;
    l->job.input = kind & 4 ? draw_ms(f) : 0;
    l->job.intermediate = kind & 8 ? draw_ms(f) : 0;
}

static void draw_job(fuzz *f, listed_job *l, uint64_t submit)
{
    unsigned kind = byte(&f->in);
    *l = (listed_job){.job = {.submit = submit, .tag = f->now->job_count + 1}};
    l->job.maps = kind % 8 == 0 ? byte(&f->in) % (MAPS + 1) : 1 + kind % 4;
    l->job.reduces = kind > 200 ? byte(&f->in) % (REDUCES + 1) : kind / 16 % 4;
    l->job.map_ms = draw_ms(f);
    l->job.reduce_ms = draw_ms(f);
    if (kind & 32)
        l->job.shuffle_ms = draw_ms(f);
    if (kind & 64)
        l->job.remote_ms = draw_ms(f);
    l->job.deadline = kind & 128 ? draw_ms(f) : 0;
    l->job.group = kind % 16 == 7 ? 3 : 0;
    if (kind % 3 == 0)
        draw_lists(f, l);
    if (f->policy->admit)
        draw_wishes(f, l);
}

/* ---- hooks ---- */

static void submit(fuzz *f, uint64_t submit);

static void see_event(void *user, const pn_scheduler_event *event)
{
    fuzz *f = user;
    trial *t = f->now;
    must(t->log_count < LOG, "no end of events");
    must(t->log_count == 0 || t->log[t->log_count - 1].time <= event->time,
         "hooks in order of time");
    must(event->id <= t->job_count && event->tag == event->id, "an event names its job");
    t->log[t->log_count++] = *event;
}

static void see_finish(void *user, const pn_scheduler_record *job)
{
    fuzz *f = user;
    must(job->id >= 1 && job->id <= f->now->job_count && job->tag == job->id,
         "a finish names its job");
    must(job->state != PN_SCHEDULER_FINISHED ||
             (job->submit <= job->first_map_start && job->first_map_start <= job->map_finish &&
              job->map_finish <= job->finish),
         "one thing after another");
    must(job->reduces > 0 || job->first_reduce_start == PN_SCHEDULER_NEVER, "no reduce, no start");
    must(job->local_maps <= job->maps && job->colocated_reduces <= job->reduces,
         "as many as there are");
    must(job->state != PN_SCHEDULER_REJECTED ||
             (job->finish == PN_SCHEDULER_NEVER && job->first_map_start == PN_SCHEDULER_NEVER &&
              job->slot_ms == 0),
         "nothing was done for who was not taken");
    if (f->follow_up && job->finish != PN_SCHEDULER_NEVER)
        submit(f, job->finish + byte(&f->in) % 4);
}

static pn_cluster_hooks hooks_of(fuzz *f)
{
    return (pn_cluster_hooks){.policy = f->policy,
                              .params = f->give_params ? f->params : NULL,
                              .on_finish = see_finish,
                              .on_event = see_event,
                              .user = f};
}

/* ---- calls of the simulation ---- */

static void submit(fuzz *f, uint64_t time)
{
    trial *t = f->now;
    if (t->job_count == JOBS)
        return;
    uint64_t id = 0;
    listed_job *l = &t->jobs[t->job_count];
    draw_job(f, l, time);
    pn_cluster_job job = job_of(l);
    memcpy(spare, t->block, t->size);
    int status = pn_cluster_submit(sim_of(t), &job, &id);
    must(status == PN_OK || status == PN_ERR_ARGUMENT || status == PN_ERR_JOB ||
             status == PN_ERR_ORDER || status == PN_ERR_LATE || status == PN_ERR_FULL ||
             status == PN_ERR_OVERFLOW,
         "submit is done or refused");
    must(status == PN_OK || memcmp(spare, t->block, t->size) == 0,
         "a refused submit changes nothing");
    if (status == PN_OK)
        must(id == ++t->job_count, "ids count from 1");
}

static void announce(fuzz *f)
{
    trial *t = f->now;
    unsigned when = byte(&f->in), how = byte(&f->in);
    if (t->failure_count == FAILURES)
        return;
    pn_cluster_failure *it = &t->failures[t->failure_count];
    it->time = (when < 128 ? cluster_totals(sim_of(t)).time : 0) + when % 64;
    it->node = how % 16;
    it->recover = how < 64 ? PN_SCHEDULER_NEVER : it->time + how / 8 - 8;
    memcpy(spare, t->block, t->size);
    int status = pn_cluster_fail(sim_of(t), it->time, it->node, it->recover);
    must(status == PN_OK || status == PN_ERR_ARGUMENT || status == PN_ERR_LATE ||
             status == PN_ERR_FULL,
         "a failure is announced or refused");
    must(status == PN_OK || memcmp(spare, t->block, t->size) == 0,
         "a refused failure changes nothing");
    t->failure_count += status == PN_OK;
}

/* A step, or a run. */
static int advance(fuzz *f, bool step, uint64_t until, uint64_t instants)
{
    trial *t = f->now;
    pn_cluster_hooks hooks = hooks_of(f);
    pn_cluster_totals before = cluster_totals(sim_of(t));
    size_t log_count = t->log_count;
    bool was_over = t->over;
    memcpy(kept, t->block, t->size);
    int status = step ? pn_cluster_step(sim_of(t), &hooks)
                      : pn_cluster_run(sim_of(t), &hooks, until, instants);
    pn_cluster_totals after = cluster_totals(sim_of(t));
    const pn_scheduler_totals *core = &after.scheduler;
    must(after.time >= before.time && after.instants >= before.instants, "time advances");
    must(after.submitted == t->job_count && core->submitted <= after.submitted,
         "jobs are accounted for");
    must(core->finished + core->failed + core->rejected + core->in_system == core->submitted,
         "… each once");
    must(core->accepted + core->rejected == core->submitted &&
             core->finished + core->failed <= core->accepted,
         "who has come was taken or not");
    must(core->successful <= core->finished && core->ended_slot_ms <= core->slot_ms,
         "parts of the whole");
    must(after.jobs_held <= f->config.scheduler.jobs_max && core->in_system <= after.jobs_held,
         "places are accounted for");
    must(step || after.instants - before.instants <= instants, "no more instants than allowed");
    if (status == PN_DONE)
        must(core->finished + core->failed + core->rejected + after.unfinished == t->job_count,
             "done means done");
    if (after.unfinished > 0)
        t->plain = false; /* a later job might have been in time */
    if (!step && until != PN_CLUSTER_FOREVER && (status == PN_OK || status == PN_DONE))
        must(after.time <= until || after.instants == before.instants,
             "nothing is executed after the time given");
    t->over |= status == PN_ERR_INFEASIBLE;
    must(status != PN_ERR_STOPPED || t->over, "nobody fails untold");
    must(status != PN_ERR_INFEASIBLE || f->policy == &own[1], "what is picked is possible");
    must(!t->over || status == PN_ERR_STOPPED || status == PN_ERR_INFEASIBLE ||
             (was_over && status == PN_ERR_OVERFLOW),
         "who fails does so at once, and for good");
    bool left_out = status == PN_ERR_FULL || status == PN_ERR_JOB; /* a job at its arrival */
    must(!left_out || f->policy->admit, "who takes all jobs takes all jobs");
    if (status < 0 && (was_over || (after.instants == before.instants && !t->over && !left_out))) {
        must(t->log_count == log_count, "a refused call tells nothing");
        must(memcmp(kept, t->block, t->size) == 0, "… and changes nothing");
    }
    must(status >= 0 || status == PN_ERR_STOPPED || status == PN_ERR_POLICY ||
             status == PN_ERR_INFEASIBLE || status == PN_ERR_OVERFLOW || left_out,
         "errors that can be explained");
    return status;
}

static int reopen(fuzz *f, trial *t, void *block)
{
    t->block = block;
    pn_cluster *sim;
    pn_scheduler *core;
    return f->config.struct_size ? pn_cluster_open(&sim, block, t->size)
                                 : pn_scheduler_open(&core, block, t->size);
}

static void move(fuzz *f, trial *t)
{
    unsigned char *old = t->block;
    t->room = 1 - t->room;
    unsigned char *new = blocks[t - trials][t->room];
    memcpy(new, old, t->size);
    memset(old, 0xA5, t->size);
    must(reopen(f, t, new) == PN_OK, "a copy opens");
}

static void fork_to(fuzz *f, trial *from, trial *to)
{
    if (from == to)
        return;
    *to = *from;
    to->room = 0;
    memcpy(blocks[to - trials][0], from->block, from->size);
    must(reopen(f, to, blocks[to - trials][0]) == PN_OK, "a fork opens");
}

static void ask(const fuzz *f, const pn_scheduler *core)
{
    pn_scheduler_totals totals;
    pn_scheduler_record record;
    uint32_t jobs = 0, free_slots[2] = {0, 0};
    uint64_t last = 0;
    pn_scheduler_totals_get(core, &totals);
    for (uint32_t place = PN_NO_JOB; pn_scheduler_next_record(core, &place, &record) == PN_OK;
         jobs++) {
        must(record.id > last && record.state == PN_SCHEDULER_UNFINISHED,
             "jobs in order of submission");
        last = record.id;
    }
    must(jobs == totals.in_system && jobs == pn_scheduler_jobs(core),
         "jobs in the system are listed");
    for (uint32_t kind = 0; kind < 2; kind++)
        for (uint32_t node = pn_scheduler_next_free(core, kind, 0); node < f->node_count;
             node = pn_scheduler_next_free(core, kind, node + 1)) {
            must(pn_scheduler_is_up(core, node) && pn_scheduler_free_slots(core, node, kind) > 0,
                 "free means free");
            free_slots[kind] += pn_scheduler_free_slots(core, node, kind);
        }
    must(free_slots[0] + free_slots[1] + pn_scheduler_running_tasks(core) <=
             totals.map_slots + totals.reduce_slots,
         "a slot is free or not");
    for (uint32_t run = 0; run < pn_scheduler_places_max(core); run++) {
        pn_scheduler_task task;
        pn_scheduler_progress job;
        if (pn_scheduler_task_get(core, run, &task) != PN_OK)
            continue;
        pn_scheduler_progress_get(core, run, &job);
        must(task.place == run && task.start <= totals.time && pn_scheduler_is_up(core, task.node),
             "an attempt runs somewhere");
        must(job.maps_done <= job.maps && job.reduces_done <= job.reduces &&
                 job.outputs <= job.maps,
             "progress makes sense");
        must((job.map_finish == PN_SCHEDULER_NEVER) == (job.maps_done < job.maps),
             "F is known when all maps are done");
    }
    const pn_stats *stats = pn_scheduler_samples(core, PN_SCHEDULER_MAKESPANS, PN_ALL_GROUPS);
    must(!stats == !f->config.scheduler.statistics, "statistics where they were asked for");
    must(!stats || stats->count == totals.finished, "every job is a sample");
}

/* ---- the end: everything must come to one ---- */

static void verify(const fuzz *f, const trial *t, bool measured, int ended, uint64_t unfinished,
                   uint64_t last_finish, uint64_t digest)
{
    static pn_cluster_job jobs[JOBS];
    for (size_t i = 0; i < t->job_count; i++)
        jobs[i] = job_of(&t->jobs[i]);
    pn_cluster_config config = f->config;
    config.struct_size = sizeof config;
    pn_cluster_claim claim = {.config = &config,
                              .measured = measured,
                              .preempts = f->policy->preempt != NULL,
                              .copies = f->policy->copy != NULL,
                              .maps_first = f->policy->admission.maps_first,
                              .deals = is_own(f),
                              .promises = !is_own(f) && f->policy->admission.finishes !=
                                                            PN_SCHEDULER_FINISHES_NONE,
                              .holds = f->holds || f->policy == pn_scheduler_dc(),
                              .jobs = jobs,
                              .job_count = t->job_count,
                              .failures = t->failures,
                              .failure_count = t->failure_count};
    pn_cluster_verifier *verifier;
    must(pn_cluster_verifier_size(&claim) <= sizeof checker, "the verifier has room");
    must(pn_cluster_verifier_init(&verifier, checker, sizeof checker, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < t->log_count; i++) {
        int status = pn_cluster_verifier_feed(verifier, &t->log[i]);
        must(status == PN_OK, pn_cluster_verifier_fault(verifier, NULL, NULL));
    }
    cluster_log log = {(pn_scheduler_event *)(uintptr_t)t->log, t->log_count, LOG};
    must(digest == cluster_log_digest(&log), "the digest is that of the log");
    if (ended)
        must(pn_cluster_verifier_end(verifier, last_finish, unfinished, digest) == PN_OK,
             pn_cluster_verifier_fault(verifier, NULL, NULL));
}

/* All jobs and failures at once, to the end. */
static void check_fed_at_once(const fuzz *f, const trial *t)
{
    pn_cluster_config config = f->config;
    const pn_cluster_hooks silent = {.policy = f->policy,
                                     .params = f->give_params ? f->params : NULL};
    pn_cluster *sim;
    config.scheduler.jobs_max = JOBS;
    config.scheduler.tasks_max = JOBS * (MAPS + REDUCES);
    config.scheduler.replicas_max = JOBS * MAPS * NODES;
    config.scheduler.suspended_max = config.scheduler.tasks_max;
    config.scheduler.policy = f->policy;
    config.scheduler.statistics = 0;
    config.values_max = JOBS * 8 * (MAPS + REDUCES);
    config.failures_max = FAILURES;
    must(pn_cluster_size(&config) <= sizeof fresh, "there is room");
    must(pn_cluster_init(&sim, fresh, sizeof fresh, &config) == PN_OK, "a fresh one starts");
    for (size_t i = 0; i < t->job_count; i++) {
        pn_cluster_job job = job_of(&t->jobs[i]);
        must(pn_cluster_submit(sim, &job, NULL) == PN_OK, "all jobs fit");
    }
    for (size_t i = 0; i < t->failure_count; i++)
        must(pn_cluster_fail(sim, t->failures[i].time, t->failures[i].node,
                             t->failures[i].recover) == PN_OK,
             "all failures fit");
    must(pn_cluster_run(sim, &silent, PN_CLUSTER_FOREVER, UINT64_MAX) == PN_DONE,
         "a fresh one ends");
    must(pn_cluster_digest(sim) == pn_cluster_digest(sim_of(t)), "feeding does not matter");
}

static void finish(fuzz *f, trial *t)
{
    f->now = t;
    const pn_cluster_hooks silent = {.policy = f->policy,
                                     .params = f->give_params ? f->params : NULL};
    pn_cluster *copy;
    memcpy(fresh, t->block, t->size);
    int status = advance(f, false, PN_CLUSTER_FOREVER, LONG_RUN);
    pn_cluster_totals totals = cluster_totals(sim_of(t));
    ask(f, pn_cluster_scheduler(sim_of(t)));
    verify(f, t, false, status == PN_DONE, totals.unfinished, totals.scheduler.last_finish,
           pn_cluster_digest(sim_of(t)));
    if (status != PN_DONE)
        return;
    must(pn_cluster_open(&copy, fresh, t->size) == PN_OK, "a copy opens");
    must(pn_cluster_run(copy, &silent, PN_CLUSTER_FOREVER, UINT64_MAX) == PN_DONE,
         "a copy ends as its original does");
    must(pn_cluster_digest(copy) == pn_cluster_digest(sim_of(t)),
         "a copy has the digest of its original");
    if (t->plain && !is_random(f))
        check_fed_at_once(f, t);
}

/* ---- a host of the core ---- */

static uint32_t replicas_of(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    const listed_job *l = where;
    uint32_t at = 0;
    for (uint32_t i = 0; i < map && l->lists & BLOCKS; i++)
        at += l->counts[i];
    uint32_t count = l->lists & BLOCKS ? l->counts[map] : 0;
    for (uint32_t i = 0; i < count && i < most; i++)
        nodes[i] = l->blocks[at + i];
    return count;
}

static uint32_t say_progress(void *user, const pn_scheduler_task *task)
{
    fuzz *f = user;
    (void)task;
    return f->trouble ? 5000 * byte(&f->in) : 500000;
}

/* Nobody has fetched what is not there. */
static int say_fetched(void *user, const pn_scheduler_task *task)
{
    fuzz *f = user;
    pn_scheduler_progress job;
    pn_scheduler_progress_get(core_of(f->now), task->place, &job);
    return job.map_finish != PN_SCHEDULER_NEVER && f->trouble && byte(&f->in) % 2;
}

static void stop(void *user, const pn_scheduler_task *task)
{
    (void)user, (void)task;
}

static pn_scheduler_hooks core_hooks(fuzz *f)
{
    return (pn_scheduler_hooks){.policy = f->policy,
                                .params = f->give_params ? f->params : NULL,
                                .suspend = stop,
                                .progress = say_progress,
                                .fetched = say_fetched,
                                .on_event = see_event,
                                .user = f,
                                .policy_user = f};
}

/* What a job would be told. Policies that ask the bytes are not asked with them. */
static int question(fuzz *f, const pn_scheduler_hooks *hooks, uint64_t time,
                    const pn_scheduler_job *job, pn_scheduler_answer *answer)
{
    trial *t = f->now;
    pn_scheduler_totals before, after;
    uint64_t digest = pn_scheduler_digest(core_of(t));
    size_t log_count = t->log_count;
    unsigned fail_in = f->fail_in;
    bool trouble = f->trouble;
    f->fail_in = 0;
    f->trouble = false;
    pn_scheduler_totals_get(core_of(t), &before);
    int status = pn_scheduler_ask(core_of(t), hooks, time, job, answer);
    pn_scheduler_totals_get(core_of(t), &after);
    must(memcmp(&before, &after, sizeof before) == 0 && pn_scheduler_digest(core_of(t)) == digest &&
             t->log_count == log_count,
         "a question changes nothing");
    must(status != PN_OK || answer->id == before.submitted + 1, "the next one");
    f->fail_in = fail_in;
    f->trouble = trouble;
    return status;
}

static int submit_to_core(fuzz *f, const pn_scheduler_hooks *hooks)
{
    trial *t = f->now;
    pn_scheduler_answer asked, answer = {.id = 0};
    if (t->job_count == JOBS)
        return PN_OK;
    listed_job *l = &t->jobs[t->job_count];
    draw_job(f, l, 0);
    /* what only the simulation looks at is in order */
    l->lists &= BLOCKS;
    l->job.map_ms = l->job.remote_ms = l->job.reduce_ms = l->job.shuffle_ms = 0;
    const pn_scheduler_job job = {.maps = l->job.maps,
                                  .reduces = l->job.reduces,
                                  .replicas = replicas_of,
                                  .where = l,
                                  .deadline = l->job.deadline,
                                  .est_ms = {l->job.est_map_ms, l->job.est_reduce_ms},
                                  .input = l->job.input,
                                  .intermediate = l->job.intermediate,
                                  .tag = l->job.tag,
                                  .group = l->job.group};
    l->job.est_map_ms = l->job.est_reduce_ms = 0; /* the checker knows of none that is too long */
    bool told = false, trouble = f->trouble;
    unsigned fail_in = f->fail_in;
    if (f->policy->admit) {
        bool later = l->job.tag % 4 == 0;
        told = question(f, hooks, t->now + (later ? 50 : 0), &job, &asked) == PN_OK && !later;
        told &= !is_own(f) || l->job.tag % 2 == 0;
    }
    if (told) { /* then it is not to say anything else */
        f->trouble = false;
        f->fail_in = 0;
    }
    memcpy(kept, t->block, t->size); /* a question leaves its traces in places that are free */
    t->job_count++;                  /* hooks name it */
    int status = pn_scheduler_submit(core_of(t), hooks, t->now, &job, &answer);
    must(answer.id == 0 || answer.id == t->job_count, "ids count from 1");
    must(!told || (status == PN_OK && memcmp(&asked, &answer, sizeof answer) == 0),
         "… and is told the truth");
    f->trouble = trouble;
    f->fail_in = told ? fail_in : f->fail_in;
    t->job_count -= answer.id == 0;
    return status;
}

static int end_in_core(fuzz *f, const pn_scheduler_hooks *hooks)
{
    trial *t = f->now;
    pn_scheduler_task task;
    pn_scheduler_progress job;
    uint32_t run = byte(&f->in) % (pn_scheduler_places_max(core_of(t)) + 1);
    unsigned how = byte(&f->in);
    if (pn_scheduler_task_get(core_of(t), run, &task) != PN_OK) {
        uint32_t places = pn_scheduler_places_max(core_of(t));
        int status = pn_scheduler_finished(
            core_of(t), hooks, t->now, run < places ? run + (uint64_t)how * places : how % places);
        must(status == PN_ERR_STALE || t->over, "nothing runs there");
        return status;
    }
    if (how < 20)
        return pn_scheduler_failed(core_of(t), hooks, t->now, task.token);
    if (how < 40)
        return pn_scheduler_started(core_of(t), hooks, t->now, task.token);
    pn_scheduler_progress_get(core_of(t), run, &job);
    if (task.kind == PN_SCHEDULER_REDUCE && job.map_finish == PN_SCHEDULER_NEVER)
        return PN_OK;
    return pn_scheduler_finished(core_of(t), hooks, t->now, task.token);
}

static void drive_core(fuzz *f)
{
    trial *t = f->now;
    unsigned what = byte(&f->in);
    const pn_scheduler_hooks hooks = core_hooks(f);
    int status = PN_OK;
    size_t log_count = t->log_count;
    bool was_over = t->over;
    memcpy(kept, t->block, t->size);
    t->now += what % 4 == 0 ? byte(&f->in) % 32 : 0;
    if (what < 30)
        status = submit_to_core(f, &hooks);
    else if (what < 110)
        status = pn_scheduler_offer(core_of(t), &hooks, t->now, byte(&f->in) % (NODES + 1));
    else if (what < 190)
        status = end_in_core(f, &hooks);
    else if (what < 200)
        status = pn_scheduler_tick(core_of(t), &hooks, t->now);
    else if (what < 205)
        status = pn_scheduler_wake(core_of(t), &hooks, t->now);
    else if (what < 215)
        status = pn_scheduler_node_down(core_of(t), &hooks, t->now, byte(&f->in) % (NODES + 1));
    else if (what < 230)
        status = pn_scheduler_node_up(core_of(t), &hooks, t->now, byte(&f->in) % (NODES + 1));
    else if (what < 240)
        move(f, t);
    else if (what < 250)
        f->fail_in = is_own(f) ? 1 + byte(&f->in) % 32 : 0;
    else
        ask(f, core_of(t));
    t->over |= status == PN_ERR_INFEASIBLE;
    must(status != PN_ERR_STOPPED || t->over, "nobody fails untold");
    must(status != PN_ERR_INFEASIBLE || f->policy == &own[1], "what is picked is possible");
    must(status >= PN_OK || t->over || status == PN_ERR_ARGUMENT || status == PN_ERR_JOB ||
             status == PN_ERR_FULL || status == PN_ERR_POLICY || status == PN_ERR_STALE,
         "errors that can be explained");
    if (status < 0 && (was_over || !t->over)) {
        must(t->log_count == log_count, "a refused event tells nothing");
        must(memcmp(kept, t->block, t->size) == 0, "… and changes nothing");
    }
}

static void end_core(fuzz *f)
{
    trial *t = f->now;
    pn_scheduler_totals totals;
    ask(f, core_of(t));
    pn_scheduler_totals_get(core_of(t), &totals);
    uint64_t unfinished = t->job_count - totals.finished - totals.failed - totals.rejected;
    must(unfinished == totals.in_system, "jobs are accounted for");
    verify(f, t, true, true, unfinished, totals.last_finish, pn_scheduler_digest(core_of(t)));
}

/* ---- reading the bytes ---- */

static void draw_nodes(fuzz *f)
{
    unsigned groups = 1 + byte(&f->in) % 3;
    f->node_count = 0;
    for (unsigned i = 0; i < groups; i++) {
        unsigned slots = byte(&f->in);
        f->nodes[i] = (pn_scheduler_nodes){1 + slots / 64 % 3, slots % 4, slots / 4 % 4,
                                           slots / 16 % 4 * 500};
        f->node_count += f->nodes[i].count;
    }
    f->config.scheduler.nodes = f->nodes;
    f->config.scheduler.nodes_count = groups;
}

static void draw_rules(fuzz *f)
{
    static const uint64_t periods[] = {0, 0, 0, 1, 2, 7, 10, 100},
                          ticks[] = {10000, 100, 10, 7, 1, 1 << 20, 50, 25};
    pn_cluster_config *config = &f->config;
    pn_scheduler_config *core = &config->scheduler;
    unsigned flags = byte(&f->in), more = byte(&f->in), rules = byte(&f->in),
             sized_for = byte(&f->in);
    f->policy = choose_policy(byte(&f->in));
    core->jobs_max = byte(&f->in) % 17;
    core->tasks_max = flags & 1 ? 40 : 200;
    core->replicas_max = flags & 2 ? 60 : 1000;
    core->suspended_max = core->tasks_max;
    core->copies = 1;
    core->statistics = flags >> 2 & 1;
    core->groups_max = flags >> 3 & 1;
    core->reduce_start = flags >> 4 & 1;
    core->slowstart_permille = flags & 32 ? byte(&f->in) * 4 : 50;
    core->max_kills = flags >> 6;
    core->running_most = sized_for % 5 < 3 ? 0 : sized_for % 5;
    core->attempts_max = 1 + (rules & 3);
    core->locality_delay_ms = rules & 4 ? 20 : 0;
    core->maps_per_offer = rules >> 3 & 1;
    core->nodes_down = rules >> 4 & 1;
    core->policy = sized_for < 100 ? NULL : sized_for < 200 ? f->policy : choose_policy(sized_for);
    config->seed = rules;
    config->heartbeat_ms = periods[more % 8];
    config->maps_per_heartbeat = more >> 3 & 1;
    config->replication = 1 + (more >> 4 & 3);
    config->factor_hi = more & 64 ? 1000 + 4 * (uint32_t)sized_for : 1000;
    config->attempt_fail_permille = more & 128 ? 200 : 0;
    config->tick_ms = ticks[sized_for % 8];
    config->max_time_ms = rules & 32 ? 300 : 0;
    config->values_max = rules & 64 ? 100 : 2000;
    config->failures_max = rules & 128 ? FAILURES : 2;
    config->est_extra_ms = more % 3 == 0 ? PN_CLUSTER_AUTO : more % 3 == 1 ? 0 : sized_for;
    f->give_params = sized_for % 4 == 3;
    for (int i = 0; f->give_params && i < f->policy->param_count; i++)
        f->params[i] = byte(&f->in) % 3;
}

static bool start_sim(fuzz *f)
{
    trial *t = f->now;
    pn_cluster *sim;
    f->config.scheduler.nodes_down = 0;
    t->size = pn_cluster_size(&f->config);
    must((t->size == 0) == (pn_cluster_check(&f->config) != NULL),
         "only what is wrong has no size");
    if (t->size == 0 || t->size > BLOCK)
        return false;
    must(pn_cluster_init(&sim, blocks[0][0], t->size - 1, &f->config) == PN_ERR_SIZE,
         "a byte short is too short");
    t->block = blocks[0][0];
    return pn_cluster_init(&sim, t->block, t->size, &f->config) == PN_OK;
}

static bool start_core(fuzz *f)
{
    trial *t = f->now;
    pn_scheduler *core;
    t->size = pn_scheduler_size(&f->config.scheduler);
    must((t->size == 0) == (pn_scheduler_check(&f->config.scheduler) != NULL),
         "only what is wrong has no size");
    if (t->size == 0 || t->size > BLOCK)
        return false;
    must(pn_scheduler_init(&core, blocks[0][0], t->size - 1, &f->config.scheduler) == PN_ERR_SIZE,
         "a byte short is too short");
    t->block = blocks[0][0];
    f->config.struct_size = 0; /* it is the core that is driven */
    return pn_scheduler_init(&core, t->block, t->size, &f->config.scheduler) == PN_OK;
}

static void call(fuzz *f)
{
    trial *t = f->now;
    unsigned what = byte(&f->in);
    uint64_t time = cluster_totals(sim_of(t)).time;
    if (what < 100)
        submit(f, time + what % 32);
    else if (what < 115)
        announce(f);
    else if (what < 130)
        advance(f, true, 0, 1);
    else if (what < 160)
        advance(f, false, time + byte(&f->in) % 64, byte(&f->in) % PIECE);
    else if (what < 175)
        advance(f, false, PN_CLUSTER_FOREVER, byte(&f->in) % 8);
    else if (what < 190)
        move(f, t);
    else if (what < 205)
        fork_to(f, t, &trials[byte(&f->in) % TRIALS]);
    else if (what < 220)
        f->now = trials[what % TRIALS].block ? &trials[what % TRIALS] : t;
    else if (what < 235)
        f->fail_in = is_own(f) ? 1 + byte(&f->in) % 64 : 0;
    else if (what < 245)
        f->follow_up = !f->follow_up;
    else
        ask(f, pn_cluster_scheduler(sim_of(t)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz f;
    make_policies();
    f = (fuzz){
        .in = {bytes, size < 2048 ? size : 2048}, .trouble = true, .config = pn_cluster_defaults()};
    for (int i = 0; i < TRIALS; i++) {
        trials[i].block = NULL;
        trials[i].job_count = trials[i].failure_count = trials[i].log_count = 0;
        trials[i].now = 0;
        trials[i].room = 0;
        trials[i].over = false;
        trials[i].plain = true;
    }
    f.now = &trials[0];
    bool core = byte(&f.in) % 3 == 0;
    draw_nodes(&f);
    draw_rules(&f);
    if (!(core ? start_core(&f) : start_sim(&f)))
        return 0;
    while (f.in.size > 0)
        if (core)
            drive_core(&f);
        else
            call(&f);
    f.follow_up = f.trouble = false;
    f.fail_in = 0;
    for (int i = 0; i < TRIALS; i++) {
        f.now = &trials[i];
        if (trials[i].block && core)
            end_core(&f);
        else if (trials[i].block)
            finish(&f, &trials[i]);
    }
    return 0;
}
