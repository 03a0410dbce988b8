/* Bytes become a sequence of calls of the tandem model: a configuration, jobs of any size, steps,
 * runs, forks, moves, policies that fail or give at random, jobs submitted from hooks. What must
 * hold: no call does what its status denies, hooks come in order, the checker accepts every log, a
 * copy ends as its original does, and feeding all jobs at once leads to the same schedule. */
#include <stdlib.h>

#include "fuzz.h"
#include "support/tandem_workload.h"

enum { TRIALS = 3, JOBS = 40, LOG = 1 << 16, BLOCK = 1 << 20, PIECE = 100, OWN = 5 };

/* One simulation and what the host knows of it. */
typedef struct trial {
    pn_tandem *sim; /* null: not in use */
    size_t size;
    int room;                 /* which of its two blocks it lives in */
    pn_tandem_job jobs[JOBS]; /* as submitted */
    double arrivals[JOBS];    /* since the start */
    long double last_arrival; /* with gaps their sum */
    size_t job_count, log_count;
    pn_tandem_decision log[LOG];
    double promised; /* no job may come before */
    bool over;       /* its policy has failed */
    bool plain;      /* what happened to it is what would have happened to all jobs fed at once */
} trial;

typedef struct fuzz {
    input in;
    pn_tandem_config config;
    const pn_tandem_policy *policy;
    double params[PN_PARAMS_MAX];
    bool give_params;
    bool coarse; /* sizes and times are small multiples of 1/4 */
    trial *now;
    bool follow_up;   /* each finished job is followed by another */
    bool trouble;     /* the policy may fail and ask the bytes */
    unsigned fail_in; /* one of the policy's functions fails at this call from now; 0 = not */
} fuzz;

static trial trials[TRIALS];
static _Alignas(8) unsigned char blocks[TRIALS][2][BLOCK];
static _Alignas(8) unsigned char spare[BLOCK], fresh[BLOCK];

/* ---- policies ---- */

enum { MAPS, SHUFFLES, ALL };

static bool fails_now(const pn_tandem_view *view)
{
    fuzz *f = pn_tandem_user(view);
    if (!f || f->fail_in == 0 || --f->fail_in > 0)
        return false;
    f->now->over = true;
    return true;
}

static void fail_if_due(const pn_tandem_view *view)
{
    if (fails_now(view))
        pn_tandem_fail(view, PN_ERR_STOPPED);
}

static void not_asked_any_more(const pn_tandem_view *view)
{
    const fuzz *f = pn_tandem_user(view);
    must(!f || !f->now->over, "who has failed is asked no more");
}

/* Stations can be filled, unless a key fails. */
static int filled(const pn_tandem_view *view, int status)
{
    const fuzz *f = pn_tandem_user(view);
    must(status == (f && f->now->over ? PN_ERR_STOPPED : PN_OK), "who may fill can fill");
    return status;
}

static int fill_both(pn_tandem_view *view)
{
    int status = filled(view, pn_tandem_fill_map(view, MAPS, PN_TANDEM_MOST, NULL));
    return status < 0 ? status
                      : filled(view, pn_tandem_fill_shuffle(view, SHUFFLES, PN_TANDEM_MOST, NULL));
}

static int act_that_may_fail(pn_tandem_view *view)
{
    not_asked_any_more(view);
    int status = fill_both(view);
    return status == PN_OK && fails_now(view) ? PN_ERR_STOPPED : status;
}

/* Gives what the bytes say to whom they say; what is refused is refused. */
static int act_at_random(pn_tandem_view *view)
{
    fuzz *f = pn_tandem_user(view);
    double speed = pn_tandem_speed(view);
    not_asked_any_more(view);
    for (unsigned gifts = f && f->trouble ? byte(&f->in) % 8 : 0; gifts > 0; gifts--) {
        uint32_t job = byte(&f->in) % (pn_tandem_jobs_max(view) + 1);
        unsigned how = byte(&f->in);
        double rate = how == 255 ? -speed : speed * (how % 64) / 48;
        double idle = how & 64 ? pn_tandem_map_idle(view) : pn_tandem_shuffle_idle(view);
        int status = how & 64 ? pn_tandem_give_map(view, job, rate)
                              : pn_tandem_give_shuffle(view, job, rate);
        double after = how & 64 ? pn_tandem_map_idle(view) : pn_tandem_shuffle_idle(view);
        must(status == PN_OK || after == idle, "a refused rate is not given");
        must(status == PN_ERR_INFEASIBLE || (rate >= 0 && after <= idle),
             "a rate given is taken from what is there");
    }
    return f && f->trouble && byte(&f->in) % 2 ? PN_OK : fill_both(view);
}

/* Jobs overtake each other while nobody serves them. */
static void by_age(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    not_asked_any_more(view);
    key->word[0] = pn_key_double(pn_tandem_longest_left(view, job) /
                                 (1 + pn_tandem_age(view, job)));
    fail_if_due(view);
}

static double wake_at_random(const pn_tandem_view *view)
{
    static const double delays[] = {0, 5e-324, 1e-9, 0.25, 1, 7, 1e300, PN_TANDEM_NEVER};
    fuzz *f = pn_tandem_user(view);
    not_asked_any_more(view);
    return f && f->trouble ? delays[byte(&f->in) % 8] : PN_TANDEM_NEVER;
}

/* ---- a policy with hooks, memory and random numbers ---- */

typedef struct memory {
    uint64_t inits, arrived, finished;
} memory;

static uint64_t *credit_of(const pn_tandem_view *view, uint32_t job)
{
    return (uint64_t *)(void *)((memory *)pn_tandem_state(view) + 1) + job;
}

/* In every hook. */
static void check_hook(pn_tandem_view *view, uint32_t job, bool complete)
{
    const memory *own = pn_tandem_state(view);
    not_asked_any_more(view);
    must(pn_tandem_in_system(view) == own->arrived - own->finished, "the hooks tell who is there");
    must(pn_tandem_fill_map(view, MAPS, 1, NULL) == PN_ERR_INFEASIBLE, "a hook fills nothing");
    if (job == PN_NO_JOB)
        return;
    must(pn_tandem_active(view, job) == !complete, "a job is there until it is complete");
    must(pn_tandem_give_map(view, job, 0) == PN_ERR_INFEASIBLE, "a hook gives nothing");
}

static int hooked_init(pn_tandem_view *view)
{
    memory *own = pn_tandem_state(view);
    check_hook(view, PN_NO_JOB, false);
    must(own->inits == 0 && own->arrived == 0, "init comes once, and first");
    own->inits++;
    return fails_now(view) ? PN_ERR_STOPPED : PN_OK;
}

static int hooked_arrive(pn_tandem_view *view, uint32_t job)
{
    memory *own = pn_tandem_state(view);
    own->arrived++;
    check_hook(view, job, false);
    must(own->inits == 1 && pn_tandem_id(view, job) == own->arrived, "arrivals by id");
    *credit_of(view, job) = pn_random32(pn_tandem_stream(view)) % 4;
    return fails_now(view) ? PN_ERR_STOPPED : PN_OK;
}

static void hooked_finish(pn_tandem_view *view, uint32_t job)
{
    memory *own = pn_tandem_state(view);
    own->finished++;
    check_hook(view, job, true);
    must(!pn_tandem_mapping(view, job) && pn_tandem_backlog(view, job) == 0,
         "who finishes has nothing left");
    fail_if_due(view);
}

static void by_credit(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    not_asked_any_more(view);
    key->word[0] = pn_key_double(pn_tandem_longest_left(view, job) /
                                 (double)(1 + *credit_of(view, job)));
    fail_if_due(view);
}

static int odd_ids(const pn_tandem_view *view, uint32_t job)
{
    not_asked_any_more(view);
    fail_if_due(view);
    return pn_tandem_id(view, job) % 2;
}

/* Odd ids first, then whoever is there. */
static int hooked_act(pn_tandem_view *view)
{
    double left = 0;
    double limit = pn_tandem_speed(view) * pn_uniform01(pn_tandem_stream(view));
    not_asked_any_more(view);
    must(pn_tandem_in_system(view) > 0, "asked when a job is present");
    int status = filled(view, pn_tandem_fill_map(view, 3, limit, &left));
    must(status < 0 || (left >= 0 && left <= limit), "filled within the limit");
    if (status == PN_OK)
        status = filled(view, pn_tandem_fill_shuffle(view, 4, limit, &left));
    must(status < 0 || (left >= 0 && left <= limit), "filled within the limit");
    if (status == PN_OK)
        status = fill_both(view);
    return status == PN_OK && fails_now(view) ? PN_ERR_STOPPED : status;
}

/* ---- all of them ---- */

static pn_tandem_policy own[OWN];

static void make_policies(void)
{
    const pn_tandem_order maps = {by_age, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_MAPPING};
    const pn_tandem_order shuffles = {by_age, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG};
    own[0] = *pn_tandem_maxsrpt();
    own[0].name = "failing";
    own[0].act = act_that_may_fail;
    own[0].init = NULL;
    own[1] = own[0];
    own[1].name = "random";
    own[1].act = act_at_random;
    own[1].work_conserving = PN_TANDEM_NO_PROMISE;
    own[2] = *pn_tandem_fcfs();
    own[2].name = "aging";
    own[2].orders[MAPS] = maps;
    own[2].orders[SHUFFLES] = shuffles;
    own[3] = *pn_tandem_ps();
    own[3].name = "waking";
    own[3].wake = wake_at_random;
    own[4] = (pn_tandem_policy){
        .name = "hooked",
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        .order_count = 5,
        .orders = {[MAPS] = {by_credit, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
                   [SHUFFLES] = {by_credit, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG},
                   [ALL] = {by_credit, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT},
                   [3] = {by_credit, odd_ids, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
                   [4] = {NULL, odd_ids, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG}},
        .state_bytes = sizeof(memory),
        .state_bytes_per_job = sizeof(uint64_t),
        .act = hooked_act,
        .init = hooked_init,
        .arrive = hooked_arrive,
        .finish = hooked_finish,
    };
}

static const pn_tandem_policy *choose_policy(unsigned choice)
{
    unsigned built_in = 0;
    while (pn_tandem_policy_at(built_in))
        built_in++;
    choice %= built_in + OWN;
    return choice < OWN ? &own[choice] : pn_tandem_policy_at(choice - OWN);
}

static bool policy_fails(const fuzz *f)
{
    return f->policy == &own[0] || f->policy == &own[2] || f->policy == &own[4];
}

/* ---- hooks ---- */

static void submit(fuzz *f, double arrival);

static void note(trial *t, const pn_tandem_decision *decision)
{
    must(t->log_count < LOG, "no end of decisions");
    must(t->log_count == 0 || t->log[t->log_count - 1].time <= decision->time,
         "hooks in order of time");
    t->log[t->log_count++] = *decision;
}

static void see_decision(void *user, const pn_tandem_decision *decision)
{
    fuzz *f = user;
    must(decision->kind == PN_TANDEM_RATES, "decisions are rates");
    note(f->now, decision);
}

static void see_finish(void *user, const pn_tandem_finish *finish)
{
    fuzz *f = user;
    must(finish->id >= 1 && finish->id <= f->now->job_count && finish->tag == finish->id,
         "a finish names its job");
    must(finish->arrival <= finish->map_finish && finish->map_finish <= finish->finish,
         "one thing after another");
    must(finish->response_time >= 0 && finish->slowdown >= 0, "nobody is served before arrival");
    note(f->now,
         &(pn_tandem_decision){.time = finish->finish, .id = finish->id, .kind = PN_TANDEM_FINISH});
    if (f->follow_up)
        submit(f, f->config.gaps ? byte(&f->in) % 4 : finish->finish + byte(&f->in) % 4);
}

static pn_tandem_hooks hooks_of(fuzz *f)
{
    return (pn_tandem_hooks){
        .policy = f->policy, f->give_params ? f->params : NULL, see_finish, see_decision, f};
}

/* ---- calls ---- */

static pn_tandem_totals totals_of(const pn_tandem *sim)
{
    pn_tandem_totals totals;
    pn_tandem_totals_get(sim, &totals);
    return totals;
}

/* Small numbers with ties, any digits, all orders of magnitude, and what is no amount at all. */
static double draw_amount(fuzz *f)
{
    static const double extremes[] = {PN_TANDEM_LEAST, PN_TANDEM_MOST, 1e-30, 1e30, 1e300, -1,
                                      5e-324};
    unsigned kind = byte(&f->in);
    if (kind < 160 || f->coarse)
        return kind % 32 / 4.0;
    if (kind < 200)
        return (double)(byte(&f->in) << 16 | byte(&f->in) << 8 | byte(&f->in)) / 1048573;
    if (kind < 248)
        return pn_pow(2, (double)(kind - 224) + byte(&f->in) / 97.0);
    uint64_t nan = UINT64_MAX;
    double value;
    memcpy(&value, &nan, sizeof value);
    return kind < 255 ? extremes[kind - 248] : value;
}

static double draw_estimate(fuzz *f)
{
    unsigned kind = byte(&f->in);
    return kind < 100 ? 0 : kind < 120 ? PN_TANDEM_ESTIMATE_ZERO : draw_amount(f);
}

static void submit(fuzz *f, double arrival)
{
    trial *t = f->now;
    if (t->job_count == JOBS)
        return;
    uint64_t id = 0;
    pn_tandem_job *job = &t->jobs[t->job_count];
    *job = (pn_tandem_job){.arrival = arrival,
                           .map = draw_amount(f),
                           .shuffle = draw_amount(f),
                           .tag = t->job_count + 1};
    job->group = byte(&f->in) % 8 == 0      ? 3
                 : f->config.groups_max > 0 ? (uint32_t)t->job_count % f->config.groups_max
                                            : 0;
    job->rank[0] = byte(&f->in) % 8;
    job->rank[1] = byte(&f->in) % 8;
    if (f->config.estimates) {
        job->estimate_map = draw_estimate(f);
        job->estimate_shuffle = draw_estimate(f);
    }
    pn_tandem_totals totals = totals_of(t->sim);
    memcpy(spare, t->sim, t->size);
    int status = pn_tandem_submit(t->sim, job, &id);
    must(status <= PN_OK, "submit is done or refused");
    must(status == PN_OK || memcmp(spare, t->sim, t->size) == 0,
         "a refused submit changes nothing");
    if (status != PN_OK)
        return;
    must(id == ++t->job_count, "ids count from 1");
    t->last_arrival = f->config.gaps ? t->last_arrival + arrival : arrival;
    t->arrivals[id - 1] = (double)t->last_arrival;
    must(t->arrivals[id - 1] >= t->promised * (1 - 0x1p-40),
         "a job comes after the time that was given");
    /* It arrives at an instant that has been: fed at once, it would have been there. */
    if (totals.instants > 0 && t->arrivals[id - 1] <= totals.time * (1 + 0x1p-40))
        t->plain = false;
}

/* A step, or a run; until < 0 as in the header. */
static int advance(fuzz *f, bool step, double until, uint64_t instants)
{
    trial *t = f->now;
    pn_tandem_hooks hooks = hooks_of(f);
    pn_tandem_totals before = totals_of(t->sim);
    size_t log_count = t->log_count;
    bool was_over = t->over;
    static unsigned char kept[BLOCK];
    memcpy(kept, t->sim, t->size);
    int status = step ? pn_tandem_step(t->sim, &hooks)
                      : pn_tandem_run(t->sim, &hooks, until, instants);
    pn_tandem_totals after = totals_of(t->sim);
    must(after.time >= before.time && after.finished <= after.submitted, "time advances");
    must(after.in_system <= after.jobs_held && after.jobs_held <= t->job_count,
         "places are accounted for");
    must(after.jobs_held_max <= f->config.jobs_max && after.submitted == t->job_count,
         "jobs are accounted for");
    must(step || after.instants - before.instants <= instants, "no more instants than allowed");
    if (status == PN_DONE)
        must(after.finished == t->job_count && after.in_system == 0, "done means done");
    if (until >= 0 && !step && (status == PN_OK || status == PN_DONE)) {
        must(after.time <= until || after.instants == before.instants,
             "nothing is executed after the time given");
        t->promised = until > t->promised ? until : t->promised;
    }
    must(status != PN_ERR_STOPPED || t->over, "nobody fails untold");
    must(!t->over || status == PN_ERR_STOPPED || (was_over && status == PN_ERR_ARGUMENT),
         "who fails does so at once, and for good");
    bool nothing_done = after.instants == before.instants && t->over == was_over;
    if (status < 0 && (was_over || nothing_done)) {
        must(t->log_count == log_count, "a refused call tells nothing");
        must(was_over || status == PN_ERR_INFEASIBLE || memcmp(kept, t->sim, t->size) == 0,
             "… and changes nothing");
    }
    must(status != PN_ERR_STOPPED || policy_fails(f), "only those fail that are told to");
    must(status >= 0 || status == PN_ERR_STOPPED || status == PN_ERR_POLICY ||
             status == PN_ERR_ARGUMENT || status == PN_ERR_INFEASIBLE,
         "errors that can be explained");
    return status;
}

static void move(trial *t)
{
    unsigned char *old = (unsigned char *)t->sim;
    t->room = 1 - t->room;
    unsigned char *new = blocks[t - trials][t->room];
    memcpy(new, old, t->size);
    memset(old, 0xA5, t->size);
    must(pn_tandem_open(&t->sim, new, t->size) == PN_OK, "a copy opens");
}

static void fork_to(trial *from, trial *to)
{
    if (from == to)
        return;
    *to = *from;
    to->room = 0;
    memcpy(blocks[to - trials][0], from->sim, from->size);
    must(pn_tandem_open(&to->sim, blocks[to - trials][0], from->size) == PN_OK, "a fork opens");
}

static void ask(const fuzz *f, const trial *t)
{
    uint64_t in_buckets = 0;
    for (uint32_t group = 0; group < 5; group++) {
        const pn_stats *stats = pn_tandem_response_times(t->sim,
                                                         group == 4 ? PN_ALL_GROUPS : group);
        const pn_stats *slowdowns = pn_tandem_slowdowns(t->sim, group == 4 ? PN_ALL_GROUPS : group);
        must(!stats == !slowdowns && !stats == (f->config.statistics == 0 ||
                                                (group < 4 && group >= f->config.groups_max)),
             "statistics where they were asked for");
        if (!stats)
            continue;
        must(pn_stats_quantile(stats, 0.5) <= stats->max && stats->count <= t->job_count,
             "statistics make sense");
        must(slowdowns->count <= stats->count, "not every job has a slowdown");
        const pn_batches *batches = pn_tandem_batches(t->sim);
        if (group == 4)
            must(batches->count * batches->size + batches->filled == stats->count,
                 "batches hold all samples");
    }
    for (uint32_t index = 0; index <= f->config.buckets_max + 1; index++) {
        const pn_tandem_bucket *bucket = pn_tandem_slowdown_bucket(t->sim, index);
        must(!bucket == (f->config.buckets_max == 0 || index > f->config.buckets_max),
             "buckets where they were asked for");
        in_buckets += bucket ? bucket->count : 0;
    }
    const pn_stats *slowdowns = pn_tandem_slowdowns(t->sim, PN_ALL_GROUPS);
    must(in_buckets == 0 || !slowdowns || in_buckets == slowdowns->count,
         "buckets hold all slowdowns");
}

/* ---- the end: everything must come to one ---- */

static bool keeps_its_promise(const fuzz *f)
{
    const pn_tandem_policy *policy = f->policy;
    bool by_default = !f->give_params || policy->param_count == 0 ||
                      f->params[0] == policy->params[0].value;
    return policy->work_conserving == PN_TANDEM_WORK_CONSERVING ||
           (policy->work_conserving == PN_TANDEM_WORK_CONSERVING_BY_DEFAULT && by_default);
}

/* Of a run that did not come to its end, what had been decided before. */
static void verify(const fuzz *f, const trial *t, bool ended)
{
    static pn_tandem_job jobs[JOBS];
    static _Alignas(8) unsigned char room[1 << 14];
    for (size_t i = 0; i < t->job_count; i++) {
        jobs[i] = t->jobs[i];
        jobs[i].arrival = t->arrivals[i];
    }
    pn_tandem_claim claim = {
        .speed = f->config.speed, f->config.traditional, keeps_its_promise(f), jobs, t->job_count};
    pn_tandem_verifier *verifier;
    must(pn_tandem_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < t->log_count; i++) {
        int status = pn_tandem_verifier_feed(verifier, &t->log[i]);
        must(status == PN_OK, pn_tandem_verifier_fault(verifier, NULL, NULL));
    }
    tandem_log log = {(pn_tandem_decision *)(uintptr_t)t->log, t->log_count, LOG};
    uint64_t digest = tandem_log_digest(&log);
    must(f->config.no_digest || pn_tandem_digest(t->sim) == digest,
         "the digest is that of the log");
    if (!ended)
        return;
    pn_tandem_totals totals = totals_of(t->sim);
    int status = pn_tandem_verifier_end(verifier, totals.last_finish, digest);
    must(status == PN_OK, pn_tandem_verifier_fault(verifier, NULL, NULL));
    double rounding = (double)t->job_count * 0x1p-40 *
                      (totals.last_finish + totals.total_response_time);
    double difference = pn_tandem_verifier_total(verifier, NULL) - totals.total_response_time;
    must(difference <= rounding && difference >= -rounding, "response times add up");
    must(totals.lower_bound <= totals.total_response_time + rounding, "the bound is one");
    must(totals.lower_bound_tight <= totals.total_response_time + rounding,
         "the tight bound is one");
    must(f->config.bounds < PN_TANDEM_BOUNDS_TIGHT ||
             totals.lower_bound_tight >= totals.lower_bound - rounding,
         "the tighter one");
}

/* All jobs at once, to the end. */
static void check_fed_at_once(const fuzz *f, const trial *t)
{
    pn_tandem_config config = f->config;
    pn_tandem_hooks silent = {.policy = f->policy, .params = f->give_params ? f->params : NULL};
    pn_tandem *sim;
    config.jobs_max = JOBS;
    config.policy = f->policy;
    config.statistics = 0;
    must(pn_tandem_init(&sim, fresh, sizeof fresh, &config) == PN_OK, "a fresh one starts");
    for (size_t i = 0; i < t->job_count; i++)
        must(pn_tandem_submit(sim, &t->jobs[i], NULL) == PN_OK, "all jobs fit");
    must(pn_tandem_run(sim, &silent, PN_TANDEM_FOREVER, UINT64_MAX) == PN_DONE, "a fresh one ends");
    must(pn_tandem_digest(sim) == pn_tandem_digest(t->sim), "feeding does not matter");
    must(totals_of(sim).total_response_time == totals_of(t->sim).total_response_time,
         "… nor for the total");
}

static void finish(fuzz *f, trial *t)
{
    f->now = t;
    pn_tandem *copy;
    pn_tandem_hooks silent = {.policy = f->policy, .params = f->give_params ? f->params : NULL};
    memcpy(fresh, t->sim, t->size);
    bool ended = advance(f, false, PN_TANDEM_FOREVER, UINT64_MAX) == PN_DONE;
    ask(f, t);
    verify(f, t, ended);
    if (!ended)
        return;
    must(pn_tandem_open(&copy, fresh, t->size) == PN_OK, "a copy opens");
    must(pn_tandem_run(copy, &silent, PN_TANDEM_FOREVER, UINT64_MAX) == PN_DONE,
         "a copy ends as its original does");
    must(pn_tandem_digest(copy) == pn_tandem_digest(t->sim),
         "a copy has the digest of its original");
    if (t->plain && f->policy != &own[1] && f->policy != &own[3])
        check_fed_at_once(f, t);
}

/* ---- reading the bytes ---- */

static bool configure(fuzz *f)
{
    static const double speeds[] = {1, 1.5, 0.3, 1e-9, 0x1p64, 0x1p-64, 0, 1e20};
    pn_tandem_config *config = &f->config;
    unsigned flags = byte(&f->in), more = byte(&f->in);
    f->policy = choose_policy(byte(&f->in));
    *config = pn_tandem_defaults();
    config->jobs_max = byte(&f->in) % 24;
    config->groups_max = flags % 4;
    config->traditional = flags >> 2 & 1;
    config->gaps = flags >> 3 & 1;
    config->estimates = flags >> 4 & 1;
    config->statistics = flags >> 5 & 1;
    config->bounds = (flags >> 6) % 4;
    config->ranks = more & 1;
    config->no_digest = more % 8 == 1;
    config->buckets_max = more >> 3 & 3;
    config->bucket_width = 0.5;
    f->coarse = more >> 5 & 1;
    f->give_params = more >> 6 & 1;
    unsigned speed = byte(&f->in), sized_for = byte(&f->in);
    config->speed = speed < 200 ? 1 : speeds[speed % 8];
    config->policy = sized_for < 100   ? NULL
                     : sized_for < 200 ? f->policy
                                       : choose_policy(sized_for);
    config->warmup_jobs = sized_for % 4;
    config->warmup_time = sized_for % 3;
    for (int i = 0; f->give_params && i < f->policy->param_count; i++)
        f->params[i] = byte(&f->in) % 6 / (f->policy->params[i].integer ? 1.0 : 4.0);
    trial *t = f->now = &trials[0];
    t->size = pn_tandem_size(config);
    must((t->size == 0) == (pn_tandem_check(config) != NULL), "only what is wrong has no size");
    if (t->size == 0 || t->size > BLOCK)
        return false;
    must(pn_tandem_init(&t->sim, blocks[0][0], t->size - 1, config) == PN_ERR_SIZE,
         "a byte short is too short");
    return pn_tandem_init(&t->sim, blocks[0][0], t->size, config) == PN_OK;
}

static double draw_arrival(fuzz *f, unsigned what)
{
    double time = totals_of(f->now->sim).time;
    if (what < 4)
        return draw_amount(f);
    return f->config.gaps ? what % 8 / 4.0
                          : time + what % 8 / 4.0 + (f->coarse ? 0 : byte(&f->in) / 1021.0);
}

static void call(fuzz *f)
{
    trial *t = f->now;
    unsigned what = byte(&f->in);
    double time = totals_of(t->sim).time;
    if (what < 110)
        submit(f, draw_arrival(f, what));
    else if (what < 130)
        advance(f, true, 0, 1);
    else if (what < 150)
        advance(f, false, time + byte(&f->in) / 8.0, byte(&f->in) % PIECE);
    else if (what < 165)
        advance(f, false, PN_TANDEM_ARRIVAL, PIECE);
    else if (what < 175)
        advance(f, false, PN_TANDEM_FOREVER, byte(&f->in) % 8);
    else if (what < 178)
        advance(f, false, -3.0 * draw_amount(f), PIECE);
    else if (what < 190)
        move(t);
    else if (what < 205)
        fork_to(t, &trials[byte(&f->in) % TRIALS]);
    else if (what < 220)
        f->now = trials[what % TRIALS].sim ? &trials[what % TRIALS] : t;
    else if (what < 235)
        f->fail_in = policy_fails(f) ? 1 + byte(&f->in) % 32 : 0;
    else if (what < 245)
        f->follow_up = !f->follow_up;
    else
        ask(f, t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz f;
    make_policies();
    f = (fuzz){.in = {bytes, size < 2048 ? size : 2048}, .trouble = true};
    for (int i = 0; i < TRIALS; i++) {
        trial *t = &trials[i];
        t->sim = NULL;
        t->job_count = t->log_count = 0;
        t->last_arrival = 0;
        t->promised = 0;
        t->room = 0;
        t->over = false;
        t->plain = true;
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
