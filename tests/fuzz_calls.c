/* Bytes become a sequence of calls of the slotted model: a configuration, jobs, steps, runs, forks, moves, failing policies, jobs
 * submitted from hooks. What must hold: no call does what its status denies, the checker accepts every log, a copy goes on as its
 * original does. */
#include <stdlib.h>

#include "fuzz.h"
#include "workload.h"

enum { TRIALS = 3, JOBS = 40, TASKS = 6, LOG = 1 << 15, BLOCK = 1 << 20 };

/* One simulation and what the host knows of it. */
typedef struct trial {
    pn_slotted *sim; /* null: not in use */
    size_t size;
    int room; /* which of its two blocks it lives in */
    pn_slotted_job jobs[JOBS];
    uint64_t reduces[JOBS][TASKS];
    size_t job_count, log_count;
    pn_slotted_decision log[LOG];
} trial;

typedef struct fuzz {
    input in;
    pn_slotted_config config;
    const pn_slotted_policy *policy;
    int64_t params[PN_PARAMS_MAX];
    bool give_params;
    bool long_tasks; /* nothing has to be executed slot by slot while a task runs, so it may be long */
    trial *now;
    bool follow_up;   /* each finished job is followed by another */
    bool trouble;     /* the policy may fail */
    unsigned fail_in; /* the policy's act fails at this call from now; 0 = not */
} fuzz;

static trial trials[TRIALS];
static _Alignas(8) unsigned char blocks[TRIALS][2][BLOCK];
static _Alignas(8) unsigned char spare[BLOCK];

/* ---- policies ---- */

static int act_that_may_fail(pn_slotted_view *view)
{
    fuzz *f = pn_slotted_user(view);
    int status = pn_slotted_asrpt.act(view);
    return f && f->fail_in > 0 && --f->fail_in == 0 ? PN_ERR_INFEASIBLE : status;
}

/* Gives what the bytes say to whom they say; what is refused is refused. */
static int act_at_random(pn_slotted_view *view)
{
    fuzz *f = pn_slotted_user(view);
    for (unsigned gifts = f && f->trouble ? byte(&f->in) % 8 : 0; gifts > 0; gifts--) {
        uint32_t job = byte(&f->in) % (pn_slotted_jobs_max(view) + 1);
        unsigned amount = byte(&f->in);
        if (pn_slotted_give(view, job, amount % 64) != PN_OK && amount > 250)
            return PN_ERR_INFEASIBLE;
    }
    return f && f->trouble && byte(&f->in) % 2 ? PN_OK : pn_slotted_fill(view, 0, PN_ALL_IDLE);
}

static void by_age(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = (pn_slotted_remaining(view, job) << 8) / (1 + pn_slotted_slot(view) - pn_slotted_arrival(view, job));
}

static uint64_t weight_of(const pn_slotted_view *view, uint32_t job)
{
    return pn_slotted_id(view, job) % 7 == 0 ? 1 << 20 : 1 + pn_slotted_id(view, job) % 7;
}

static pn_slotted_policy own[4];

static const pn_slotted_policy *choose_policy(unsigned choice)
{
    own[0] = pn_slotted_asrpt;
    own[0].name = "failing";
    own[0].act = act_that_may_fail;
    own[1] = pn_slotted_dspt;
    own[1].name = "random";
    own[1].act = act_at_random;
    own[1].work_conserving = 0;
    own[2] = pn_slotted_dspt;
    own[2].name = "aging";
    own[2].orders[0].key = by_age;
    own[2].orders[0].changes = PN_CHANGES_WITH_TIME;
    own[3] = pn_slotted_fair;
    own[3].name = "weighted";
    own[3].weight = weight_of;
    return choice % 16 < 4 ? &own[choice % 16] : pn_slotted_policies[choice % 16 - 4];
}

/* ---- hooks ---- */

static void note(trial *t, const pn_slotted_decision *decision)
{
    must(t->log_count < LOG, "more decisions than the jobs have work");
    must(t->log_count == 0 || t->log[t->log_count - 1].slot <= decision->slot, "hooks in order of slot");
    t->log[t->log_count++] = *decision;
}

static void see_decision(void *user, const pn_slotted_decision *decision)
{
    fuzz *f = user;
    note(f->now, decision);
}

static void submit(fuzz *f, uint64_t arrival);

static void see_finish(void *user, const pn_slotted_finish *finish)
{
    fuzz *f = user;
    must(finish->id >= 1 && finish->id <= f->now->job_count && finish->tag == finish->id, "a finish names its job");
    note(f->now, &(pn_slotted_decision){.slot = finish->finish, .id = finish->id, .kind = PN_FINISH});
    if (f->follow_up)
        submit(f, finish->finish + 1 + byte(&f->in) % 4);
}

static pn_slotted_hooks hooks_of(fuzz *f)
{
    return (pn_slotted_hooks){f->policy, f->give_params ? f->params : NULL, see_finish, see_decision, f};
}

/* ---- calls ---- */

static pn_slotted_totals totals_of(const trial *t)
{
    pn_slotted_totals totals;
    pn_slotted_totals_get(t->sim, &totals);
    return totals;
}

static uint64_t draw_size(fuzz *f)
{
    unsigned size = byte(&f->in);
    return size < 200 ? size % 50 : size < 250 || !f->long_tasks ? 1 : (uint64_t)1 << (size - 220);
}

static uint64_t draw_estimate(fuzz *f)
{
    unsigned kind = byte(&f->in);
    return kind < 100 ? 0 : kind < 240 ? kind % 50 : kind < 250 ? PN_ESTIMATE_ZERO : UINT64_MAX >> (kind - 250);
}

static void submit(fuzz *f, uint64_t arrival)
{
    trial *t = f->now;
    if (t->job_count == JOBS)
        return;
    uint64_t id = 0;
    pn_slotted_job *job = &t->jobs[t->job_count];
    uint64_t *reduces = t->reduces[t->job_count];
    *job = (pn_slotted_job){.arrival = arrival, .maps = byte(&f->in) % 50, .reduces = reduces, .tag = t->job_count + 1};
    job->reduce_count = byte(&f->in) % (TASKS + 1);
    job->group = byte(&f->in) % 8 == 0 ? 3 : f->config.groups_max > 0 ? (uint32_t)t->job_count % f->config.groups_max : 0;
    for (size_t i = 0; i < job->reduce_count; i++)
        reduces[i] = draw_size(f);
    job->estimate_maps = draw_estimate(f);
    job->estimate_reduces = draw_estimate(f);
    memcpy(spare, t->sim, t->size);
    int status = pn_slotted_submit(t->sim, job, &id);
    must(status <= PN_OK, "submit is done or refused");
    must(status != PN_OK || id == ++t->job_count, "ids count from 1");
    must(status == PN_OK || memcmp(spare, t->sim, t->size) == 0, "a refused submit changes nothing");
}

static bool policy_fails(const fuzz *f)
{
    return f->policy == &own[0] || f->policy == &own[1];
}

/* A step, or a run to `until`; true unless it was refused. */
static bool advance(fuzz *f, bool step, uint64_t until)
{
    trial *t = f->now;
    pn_slotted_hooks hooks = hooks_of(f);
    pn_slotted_totals before = totals_of(t);
    size_t log_count = t->log_count;
    uint64_t digest = pn_slotted_digest(t->sim);
    int status = step ? pn_slotted_step(t->sim, &hooks) : pn_slotted_run(t->sim, &hooks, until);
    pn_slotted_totals after = totals_of(t);
    must(after.slot >= before.slot && after.finished <= after.submitted, "time goes on");
    must(after.in_system <= after.jobs_held && after.jobs_held <= t->job_count, "places are accounted for");
    must(after.jobs_held_max <= f->config.jobs_max && after.submitted == t->job_count, "jobs are accounted for");
    if (status == PN_DONE)
        must(after.finished == t->job_count && after.in_system == 0, "done means done");
    if (status < 0 && step) {
        must(after.slot == before.slot && after.decisions == before.decisions, "a refused step executes nothing");
        must(pn_slotted_digest(t->sim) == digest && t->log_count == log_count, "… and tells nothing");
    }
    if (status < 0)
        must(status == PN_ERR_POLICY || status == PN_ERR_MODE || status == PN_ERR_ARGUMENT ||
                 (status == PN_ERR_INFEASIBLE && policy_fails(f)),
             "errors that can be explained");
    return status >= 0 || status == PN_ERR_INFEASIBLE;
}

static void move(trial *t)
{
    unsigned char *old = (unsigned char *)t->sim;
    t->room = 1 - t->room;
    unsigned char *new = blocks[t - trials][t->room];
    memcpy(new, old, t->size);
    memset(old, 0xA5, t->size);
    must(pn_slotted_open(&t->sim, new, t->size) == PN_OK, "a copy opens");
}

static void fork_to(trial *from, trial *to)
{
    if (from == to)
        return;
    memcpy(to->jobs, from->jobs, from->job_count * sizeof to->jobs[0]);
    memcpy(to->reduces, from->reduces, from->job_count * sizeof to->reduces[0]);
    memcpy(to->log, from->log, from->log_count * sizeof to->log[0]);
    for (size_t i = 0; i < from->job_count; i++)
        to->jobs[i].reduces = to->reduces[i];
    to->job_count = from->job_count;
    to->log_count = from->log_count;
    to->size = from->size;
    to->room = 0;
    memcpy(blocks[to - trials][0], from->sim, from->size);
    must(pn_slotted_open(&to->sim, blocks[to - trials][0], from->size) == PN_OK, "a fork opens");
}

static void ask(const trial *t)
{
    for (uint32_t group = 0; group < 5; group++) {
        const pn_stats *stats = pn_slotted_flow_times(t->sim, group == 4 ? PN_ALL_GROUPS : group);
        if (stats)
            must(pn_stats_quantile(stats, 0.5) <= stats->max && stats->count <= t->job_count, "statistics make sense");
    }
}

/* ---- the end: everything must come to one ---- */

static void verify(const fuzz *f, const trial *t)
{
    pn_slotted_claim claim = {f->config.machines,         f->config.reduce, f->policy->relaxed,
                              f->policy->work_conserving, t->jobs,          t->job_count};
    static _Alignas(8) unsigned char room[1 << 17];
    pn_slotted_verifier *verifier;
    must(pn_slotted_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK, "the verifier starts");
    for (size_t i = 0; i < t->log_count; i++)
        must(pn_slotted_verifier_feed(verifier, &t->log[i]) == PN_OK, pn_slotted_verifier_fault(verifier, NULL, NULL));
    must(pn_slotted_verifier_end(verifier, totals_of(t).last_finish, pn_slotted_digest(t->sim)) == PN_OK,
         pn_slotted_verifier_fault(verifier, NULL, NULL));
}

static void finish(fuzz *f, trial *t)
{
    f->now = t;
    pn_slotted *copy;
    pn_slotted_hooks silent = {.policy = f->policy, .params = f->give_params ? f->params : NULL};
    memcpy(spare, t->sim, t->size);
    if (!advance(f, false, PN_FOREVER))
        return;
    must(pn_slotted_open(&copy, spare, t->size) == PN_OK, "a copy opens");
    must(pn_slotted_run(copy, &silent, PN_FOREVER) == PN_DONE, "a copy ends as its original does");
    must(pn_slotted_digest(copy) == pn_slotted_digest(t->sim), "a copy has the digest of its original");
    pn_slotted_totals totals = totals_of(t);
    must(totals.finished == t->job_count && totals.lower_bound <= totals.total_flow_time, "the bound is one");
    verify(f, t);
}

/* ---- reading the bytes ---- */

static bool configure(fuzz *f)
{
    pn_slotted_config *config = &f->config;
    unsigned flags = byte(&f->in);
    f->policy = choose_policy(byte(&f->in));
    *config = pn_slotted_defaults();
    config->machines = byte(&f->in) % 40;
    config->jobs_max = byte(&f->in) % 20;
    config->runs_max = byte(&f->in) % 32;
    config->groups_max = flags % 4;
    config->reduce = flags >> 2 & 1;
    config->bounds = flags >> 3 & 1;
    config->estimates = flags >> 4 & 1;
    config->statistics = flags >> 5 & 1;
    unsigned sized_for = byte(&f->in);
    config->policy = sized_for < 100 ? NULL : sized_for < 200 ? f->policy : choose_policy(sized_for);
    f->long_tasks = config->reduce == PN_NONPREEMPTIVE && !config->bounds && f->policy->virtual_run == PN_VIRTUAL_NONE;
    f->give_params = flags >> 6 & 1;
    for (int i = 0; f->give_params && i < f->policy->param_count; i++)
        f->params[i] = (int64_t)byte(&f->in) - 100;
    trial *t = f->now = &trials[0];
    t->size = pn_slotted_size(config);
    must((t->size == 0) == (pn_slotted_check(config) != NULL), "only what is wrong has no size");
    if (t->size == 0 || t->size > BLOCK)
        return false;
    must(pn_slotted_init(&t->sim, blocks[0][0], t->size - 1, config) == PN_ERR_SIZE, "a byte short is too short");
    return pn_slotted_init(&t->sim, blocks[0][0], t->size, config) == PN_OK;
}

static void call(fuzz *f)
{
    trial *t = f->now;
    unsigned what = byte(&f->in);
    uint64_t slot = totals_of(t).slot;
    if (what < 100)
        submit(f, what < 4 ? what * slot / 2 : slot + 1 + what % 8);
    else if (what < 140)
        advance(f, true, 0);
    else if (what < 170)
        advance(f, false, slot + byte(&f->in));
    else if (what < 185)
        move(t);
    else if (what < 200)
        fork_to(t, &trials[byte(&f->in) % TRIALS]);
    else if (what < 220)
        f->now = trials[what % TRIALS].sim ? &trials[what % TRIALS] : t;
    else if (what < 235)
        f->fail_in = 1 + byte(&f->in) % 4;
    else if (what < 245)
        f->follow_up = !f->follow_up;
    else
        ask(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz f;
    f = (fuzz){.in = {bytes, size < 2048 ? size : 2048}, .trouble = true};
    for (int i = 0; i < TRIALS; i++) {
        trials[i].sim = NULL;
        trials[i].job_count = trials[i].log_count = 0;
        trials[i].room = 0;
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
