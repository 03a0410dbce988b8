/* Bytes become a sequence of calls of the slotted model: a configuration, jobs, steps, runs, forks,
 * moves, policies that fail or give up, jobs submitted from hooks. What must hold: no call does
 * what its status denies, hooks come in order, the checker accepts every log, a copy ends as its
 * original does. */
#include <stdlib.h>

#include "fuzz.h"
#include "support/slotted_workload.h"

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
    bool over; /* its policy has given up */
} trial;

typedef struct fuzz {
    input in;
    pn_slotted_config config;
    const pn_slotted_policy *policy;
    double params[PN_PARAMS_MAX];
    bool give_params;
    /* nothing has to be executed slot by slot while a task runs, so it may be long */
    bool long_tasks;
    trial *now;
    bool follow_up;   /* each finished job is followed by another, each tick too */
    bool trouble;     /* the policy may fail */
    unsigned fail_in; /* the policy's act or a hook fails at this call from now; 0 = not */
    /* the policy gives up at this call of any of its functions from now; 0 = not */
    unsigned give_up_in;
} fuzz;

static trial trials[TRIALS];
static _Alignas(8) unsigned char blocks[TRIALS][2][BLOCK];
static _Alignas(8) unsigned char spare[BLOCK];

/* ---- policies ---- */

static int act_that_may_fail(pn_slotted_view *view)
{
    fuzz *f = pn_slotted_user(view);
    int status = pn_slotted_asrpt()->act(view);
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
    return f && f->trouble && byte(&f->in) % 2 ? PN_OK
                                               : pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static void by_age(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = (pn_slotted_remaining(view, job) << 8) /
                   (1 + pn_slotted_slot(view) - pn_slotted_arrival(view, job));
}

static uint64_t weight_of(const pn_slotted_view *view, uint32_t job)
{
    return pn_slotted_id(view, job) % 7 == 0 ? 1 << 20 : 1 + pn_slotted_id(view, job) % 7;
}

/* ---- a policy with hooks, ticks, memory, random numbers, loops with limits ---- */

static void submit(fuzz *f, uint64_t arrival);

typedef struct memory {
    uint64_t inits, arrived, finished, stretch;
} memory;

static memory *memory_of(const pn_slotted_view *view)
{
    return pn_slotted_state(view);
}

static uint32_t *credit_of(const pn_slotted_view *view, uint32_t job)
{
    return (uint32_t *)(void *)(memory_of(view) + 1) + job;
}

static bool fails_now(const pn_slotted_view *view)
{
    fuzz *f = pn_slotted_user(view);
    return f && f->fail_in > 0 && --f->fail_in == 0;
}

static void give_up_if_due(const pn_slotted_view *view)
{
    fuzz *f = pn_slotted_user(view);
    if (!f || f->give_up_in == 0 || --f->give_up_in > 0)
        return;
    pn_slotted_fail(view, PN_ERR_STOPPED);
    f->now->over = true;
}

/* In every hook. */
static void check_hook(pn_slotted_view *view, uint32_t job)
{
    const fuzz *f = pn_slotted_user(view);
    must(!f || !f->now->over, "who has given up is asked no more");
    must(pn_slotted_idle(view) == 0, "a hook has nothing to give");
    must(pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE) == PN_OK &&
             pn_slotted_share(view, 2, PN_SLOTTED_ALL_IDLE) == PN_OK,
         "loops give nothing");
    must(pn_slotted_in_system(view) == memory_of(view)->arrived - memory_of(view)->finished,
         "the hooks tell who is there");
    if (job == PN_NO_JOB)
        return;
    must(pn_slotted_active(view, job), "a hook is about a job");
    must(pn_slotted_give(view, job, 1) == PN_ERR_INFEASIBLE, "a hook gives nothing");
}

static int hooked_init(pn_slotted_view *view)
{
    check_hook(view, PN_NO_JOB);
    must(memory_of(view)->inits == 0 && memory_of(view)->arrived == 0,
         "init comes once, and first");
    if (fails_now(view))
        return PN_ERR_INFEASIBLE;
    memory_of(view)->inits++;
    give_up_if_due(view);
    return PN_OK;
}

static int hooked_arrive(pn_slotted_view *view, uint32_t job)
{
    check_hook(view, job);
    must(memory_of(view)->inits == 1 && pn_slotted_id(view, job) == memory_of(view)->arrived + 1,
         "arrivals by id");
    must(pn_slotted_arrival(view, job) == pn_slotted_slot(view) && pn_slotted_load(view, job) == 0,
         "it arrives now");
    if (fails_now(view))
        return PN_ERR_INFEASIBLE;
    memory_of(view)->arrived++;
    *credit_of(view, job) = pn_random32(pn_slotted_stream(view)) % 4;
    give_up_if_due(view);
    return PN_OK;
}

static void hooked_finish(pn_slotted_view *view, uint32_t job)
{
    memory_of(view)->finished++;
    check_hook(view, job);
    must(pn_slotted_offer(view, job) == 0 && pn_slotted_held(view, job) == 0,
         "who finishes wants nothing");
    give_up_if_due(view);
}

static int hooked_tick(pn_slotted_view *view)
{
    fuzz *f = pn_slotted_user(view);
    uint64_t stretch = (pn_slotted_slot(view) - 1) / pn_slotted_policy_of(view)->tick_slots + 1;
    check_hook(view, PN_NO_JOB);
    must(stretch > memory_of(view)->stretch, "a tick for each stretch");
    if (fails_now(view))
        return PN_ERR_INFEASIBLE;
    memory_of(view)->stretch = stretch;
    for (uint32_t job = 0; job < pn_slotted_jobs_max(view); job++)
        if (pn_slotted_active(view, job))
            *credit_of(view, job) += (uint32_t)pn_slotted_id(view, job) % 3;
    if (f && f->follow_up)
        submit(f, pn_slotted_slot(view) + 1 + byte(&f->in) % 4);
    give_up_if_due(view);
    return PN_OK;
}

static void by_credit(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    const fuzz *f = pn_slotted_user(view);
    must(!f || !f->now->over, "who has given up is asked no more");
    key->word[0] = (pn_slotted_remaining(view, job) << 8) / (1 + *credit_of(view, job));
    give_up_if_due(view);
}

/* Four loops, each with a limit of its own, and in the end no machine idles beside work. */
static int act_with_limits(pn_slotted_view *view)
{
    static const uint32_t orders[] = {3, 2, 0, 1, 2, 0};
    int status = PN_OK;
    must(pn_slotted_idle(view) > 0 && memory_of(view)->stretch > 0,
         "asked with machines to give, after a tick");
    for (size_t i = 0; i < sizeof orders / sizeof orders[0] && status == PN_OK; i++) {
        uint32_t idle = pn_slotted_idle(view);
        uint64_t drawn = pn_uniform(pn_slotted_stream(view), 0, 2 * (uint64_t)idle);
        uint64_t limit = i + 1 == sizeof orders / sizeof orders[0] || drawn > idle
                             ? PN_SLOTTED_ALL_IDLE
                             : drawn;
        status = orders[i] == 2 ? pn_slotted_share(view, 2, limit)
                                : pn_slotted_fill(view, orders[i], limit);
        must(idle - pn_slotted_idle(view) <= limit, "no more than the limit");
    }
    give_up_if_due(view);
    return fails_now(view) ? PN_ERR_INFEASIBLE : status;
}

enum { ALL_PHASES = PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING };

static const pn_slotted_policy hooked = {
    .name = "hooked",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .shadow = PN_SLOTTED_SHADOW_ESTIMATES,
    .load = PN_SLOTTED_LOAD_CUMULATIVE,
    .order_count = 4,
    .orders = {{by_credit, PN_SLOTTED_CHANGES_ON_TICK,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0},
               {by_credit, PN_SLOTTED_CHANGES_ON_TICK, ALL_PHASES, 1},
               {pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED, ALL_PHASES, 0},
               {by_credit, PN_SLOTTED_CHANGES_ON_TICK, PN_SLOTTED_WITH_LOAD, 0}},
    .weight = weight_of,
    .state_bytes = sizeof(memory),
    .state_bytes_per_job = sizeof(uint32_t),
    .act = act_with_limits,
    .init = hooked_init,
    .arrive = hooked_arrive,
    .finish = hooked_finish,
    .tick = hooked_tick,
};

/* ---- all of them ---- */

static pn_slotted_policy own[5];

static const pn_slotted_policy *choose_policy(unsigned choice)
{
    if (choice >= 232 && choice < 243) {
        own[4] = hooked;
        own[4].tick_slots = 1 + choice % 12;
        return &own[4];
    }
    own[0] = *pn_slotted_asrpt();
    own[0].name = "failing";
    own[0].act = act_that_may_fail;
    own[1] = *pn_slotted_dspt();
    own[1].name = "random";
    own[1].act = act_at_random;
    own[1].work_conserving = 0;
    own[2] = *pn_slotted_dspt();
    own[2].name = "aging";
    own[2].orders[0].key = by_age;
    own[2].orders[0].changes = PN_SLOTTED_CHANGES_WITH_TIME;
    own[3] = *pn_slotted_fair();
    own[3].name = "weighted";
    own[3].weight = weight_of;
    return choice % 16 < 4 ? &own[choice % 16] : pn_slotted_policy_at(choice % 16 - 4);
}

/* ---- hooks ---- */

static void note(trial *t, const pn_slotted_decision *decision)
{
    must(t->log_count < LOG, "more decisions than the jobs have work");
    must(t->log_count == 0 || t->log[t->log_count - 1].slot <= decision->slot,
         "hooks in order of slot");
    t->log[t->log_count++] = *decision;
}

static void see_decision(void *user, const pn_slotted_decision *decision)
{
    fuzz *f = user;
    note(f->now, decision);
}

static void see_finish(void *user, const pn_slotted_finish *finish)
{
    fuzz *f = user;
    must(finish->id >= 1 && finish->id <= f->now->job_count && finish->tag == finish->id,
         "a finish names its job");
    note(f->now, &(pn_slotted_decision){
                     .slot = finish->finish, .id = finish->id, .kind = PN_SLOTTED_FINISH});
    if (f->follow_up)
        submit(f, finish->finish + 1 + byte(&f->in) % 4);
}

static pn_slotted_hooks hooks_of(fuzz *f)
{
    return (pn_slotted_hooks){
        .policy = f->policy, f->give_params ? f->params : NULL, see_finish, see_decision, f};
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
    return kind < 100   ? 0
           : kind < 240 ? kind % 50
           : kind < 250 ? PN_SLOTTED_ESTIMATE_ZERO
                        : UINT64_MAX >> (kind - 250);
}

static void submit(fuzz *f, uint64_t arrival)
{
    trial *t = f->now;
    if (t->job_count == JOBS)
        return;
    uint64_t id = 0;
    pn_slotted_job *job = &t->jobs[t->job_count];
    uint64_t *reduces = t->reduces[t->job_count];
    *job = (pn_slotted_job){
        .arrival = arrival, .maps = byte(&f->in) % 50, .reduces = reduces, .tag = t->job_count + 1};
    job->reduce_count = byte(&f->in) % (TASKS + 1);
    job->group = byte(&f->in) % 8 == 0      ? 3
                 : f->config.groups_max > 0 ? (uint32_t)t->job_count % f->config.groups_max
                                            : 0;
    for (size_t i = 0; i < job->reduce_count; i++)
        reduces[i] = draw_size(f);
    job->estimate_maps = draw_estimate(f);
    job->estimate_reduces = draw_estimate(f);
    memcpy(spare, t->sim, t->size);
    int status = pn_slotted_submit(t->sim, job, &id);
    must(status <= PN_OK, "submit is done or refused");
    must(status != PN_OK || id == ++t->job_count, "ids count from 1");
    must(status == PN_OK || memcmp(spare, t->sim, t->size) == 0,
         "a refused submit changes nothing");
}

static bool policy_fails(const fuzz *f)
{
    return f->policy == &own[0] || f->policy == &own[1] || f->policy == &own[4];
}

/* A step, or a run to `until`; true unless it was refused. */
static bool advance(fuzz *f, bool step, uint64_t until)
{
    trial *t = f->now;
    pn_slotted_hooks hooks = hooks_of(f);
    pn_slotted_totals before = totals_of(t);
    size_t log_count = t->log_count;
    uint64_t digest = pn_slotted_digest(t->sim);
    bool was_over = t->over;
    int status = step ? pn_slotted_step(t->sim, &hooks) : pn_slotted_run(t->sim, &hooks, until);
    pn_slotted_totals after = totals_of(t);
    must(after.slot >= before.slot && after.finished <= after.submitted, "time advances");
    must(after.in_system <= after.jobs_held && after.jobs_held <= t->job_count,
         "places are accounted for");
    must(after.jobs_held_max <= f->config.jobs_max && after.submitted == t->job_count,
         "jobs are accounted for");
    if (status == PN_DONE)
        must(after.finished == t->job_count && after.in_system == 0, "done means done");
    must((status == PN_ERR_STOPPED) == t->over, "who gives up does so at once, and for good");
    if (status < 0 && (step || was_over) && t->over == was_over) {
        must(after.slot == before.slot && after.decisions == before.decisions,
             "a refused step executes nothing");
        must(pn_slotted_digest(t->sim) == digest && t->log_count == log_count,
             "… and tells nothing");
    }
    if (status < 0)
        must(status == PN_ERR_POLICY || status == PN_ERR_MODE || status == PN_ERR_ARGUMENT ||
                 status == PN_ERR_STOPPED || (status == PN_ERR_INFEASIBLE && policy_fails(f)),
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
    to->over = from->over;
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
            must(pn_stats_quantile(stats, 0.5) <= stats->max && stats->count <= t->job_count,
                 "statistics make sense");
        const pn_batches *batches = pn_slotted_batches(t->sim);
        if (stats && group == 4)
            must(batches->count * batches->size + batches->filled == stats->count,
                 "batches hold all samples");
    }
}

/* ---- the end: everything must come to one ---- */

/* Of a policy that gave up, what had been decided before. */
static void verify(const fuzz *f, const trial *t)
{
    pn_slotted_claim claim = {.machines = f->config.machines,
                              f->config.reduce,
                              f->policy->relaxed,
                              f->policy->work_conserving,
                              t->jobs,
                              t->job_count};
    static _Alignas(8) unsigned char room[1 << 17];
    pn_slotted_verifier *verifier;
    must(pn_slotted_verifier_init(&verifier, room, sizeof room, &claim) == PN_OK,
         "the verifier starts");
    for (size_t i = 0; i < t->log_count; i++)
        must(pn_slotted_verifier_feed(verifier, &t->log[i]) == PN_OK,
             pn_slotted_verifier_fault(verifier, NULL, NULL));
    if (t->over)
        return;
    must(pn_slotted_verifier_end(verifier, totals_of(t).last_finish, pn_slotted_digest(t->sim)) ==
             PN_OK,
         pn_slotted_verifier_fault(verifier, NULL, NULL));
}

static void finish(fuzz *f, trial *t)
{
    f->now = t;
    pn_slotted *copy;
    pn_slotted_hooks silent = {.policy = f->policy, .params = f->give_params ? f->params : NULL};
    memcpy(spare, t->sim, t->size);
    if (!advance(f, false, PN_SLOTTED_FOREVER)) {
        if (t->over)
            verify(f, t);
        return;
    }
    must(pn_slotted_open(&copy, spare, t->size) == PN_OK, "a copy opens");
    must(pn_slotted_run(copy, &silent, PN_SLOTTED_FOREVER) == PN_DONE,
         "a copy ends as its original does");
    must(pn_slotted_digest(copy) == pn_slotted_digest(t->sim),
         "a copy has the digest of its original");
    pn_slotted_totals totals = totals_of(t);
    must(totals.finished == t->job_count && totals.lower_bound <= totals.total_flow_time,
         "the bound is one");
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
    config->stretches_max = byte(&f->in) % 32;
    config->groups_max = flags % 4;
    config->reduce = flags >> 2 & 1;
    config->bounds = flags >> 3 & 1;
    config->estimates = flags >> 4 & 1;
    config->statistics = flags >> 5 & 1;
    unsigned sized_for = byte(&f->in);
    config->policy = sized_for < 100   ? NULL
                     : sized_for < 200 ? f->policy
                                       : choose_policy(sized_for);
    f->long_tasks = config->reduce == PN_SLOTTED_NONPREEMPTIVE && !config->bounds &&
                    f->policy->shadow == PN_SLOTTED_SHADOW_NONE;
    f->give_params = flags >> 6 & 1;
    for (int i = 0; f->give_params && i < f->policy->param_count; i++)
        f->params[i] = (double)byte(&f->in) - 100;
    if (f->policy == &own[4]) {
        config->seed = byte(&f->in);
        config->replica = byte(&f->in);
        config->warmup_jobs = byte(&f->in) % 8;
        config->warmup_slots = byte(&f->in) % 16;
    }
    trial *t = f->now = &trials[0];
    t->size = pn_slotted_size(config);
    must((t->size == 0) == (pn_slotted_check(config) != NULL), "only what is wrong has no size");
    if (t->size == 0 || t->size > BLOCK)
        return false;
    must(pn_slotted_init(&t->sim, blocks[0][0], t->size - 1, config) == PN_ERR_SIZE,
         "a byte short is too short");
    return pn_slotted_init(&t->sim, blocks[0][0], t->size, config) == PN_OK;
}

static void plan_trouble(fuzz *f, unsigned how)
{
    if (f->policy == &own[4] && how >= 192)
        f->give_up_in = 1 + how % 32;
    else
        f->fail_in = 1 + how % 4;
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
        plan_trouble(f, byte(&f->in));
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
        trials[i].over = false;
    }
    if (!configure(&f))
        return 0;
    while (f.in.size > 0)
        call(&f);
    f.follow_up = f.trouble = false;
    f.fail_in = f.give_up_in = 0;
    for (int i = 0; i < TRIALS; i++)
        if (trials[i].sim)
            finish(&f, &trials[i]);
    return 0;
}
