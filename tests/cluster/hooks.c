/* Hooks of hosts and of policies: who is called when, what is to be seen then, and what may be
 * done; and policies of one's own that do what built-in ones do, in other words. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"
#include "support/kept.h"

enum { JOBS = 10 };

static const cluster_shape usual = {
    .gap_ms = 900, .maps = 5, .reduces = 3, .task_ms = 1000, .listed = 1, .nodes = CLUSTER_NODES};

/* ---- from inside a hook ---- */

typedef struct inside {
    pn_cluster *sim;
    const pn_cluster_hooks *hooks;
    unsigned events, finished;
    uint64_t last_id, last_finish, now;
} inside;

static void try_everything(inside *in)
{
    kept before = keep(in->sim, pn_cluster_block_size(in->sim));
    pn_cluster *opened = NULL;
    const pn_scheduler_hooks core_hooks = {.policy = in->hooks->policy,
                                           .params = in->hooks->params};
    const pn_scheduler_job job = {.maps = 1, .deadline = 1, .est_ms = {1, 1}};
    pn_scheduler_answer answer;
    /* the core is for asking only */
    pn_scheduler *core = (pn_scheduler *)(uintptr_t)pn_cluster_scheduler(in->sim);
    assert_int_equal(pn_cluster_step(in->sim, in->hooks), PN_ERR_BUSY);
    assert_int_equal(pn_cluster_run(in->sim, in->hooks, PN_CLUSTER_FOREVER, UINT64_MAX),
                     PN_ERR_BUSY);
    assert_int_equal(pn_cluster_fail(in->sim, PN_INTEGER_MAX, 0, PN_SCHEDULER_NEVER), PN_ERR_BUSY);
    assert_int_equal(pn_cluster_open(&opened, in->sim, pn_cluster_block_size(in->sim)),
                     PN_ERR_BUSY);
    assert_int_equal(pn_scheduler_tick(core, &core_hooks, PN_INTEGER_MAX), PN_ERR_BUSY);
    assert_int_equal(pn_scheduler_offer(core, &core_hooks, PN_INTEGER_MAX, 0), PN_ERR_BUSY);
    assert_int_equal(pn_scheduler_wake(core, &core_hooks, PN_INTEGER_MAX), PN_ERR_BUSY);
    assert_int_equal(pn_scheduler_ask(core, &core_hooks, PN_INTEGER_MAX, &job, &answer),
                     PN_ERR_BUSY);
    assert_int_equal(pn_scheduler_submit(core, &core_hooks, PN_INTEGER_MAX, &job, &answer),
                     PN_ERR_BUSY);
    assert_null(opened);
    check_unchanged(&before);
    assert_true(cluster_totals(in->sim).scheduler.submitted <= cluster_totals(in->sim).submitted);
}

static void event_inside(void *user, const pn_scheduler_event *event)
{
    inside *in = user;
    if (in->events++ % 7 == 0)
        try_everything(in);
    in->now = event->time;
    assert_true(event->event >= PN_SCHEDULER_ACCEPT && event->event <= PN_SCHEDULER_LATE);
}

/* In order of (finish, id), and with the host's own word. */
static void finish_inside(void *user, const pn_scheduler_record *job)
{
    inside *in = user;
    try_everything(in);
    assert_int_equal(job->tag, job->id);
    in->finished++;
    if (job->state == PN_SCHEDULER_REJECTED) { /* as it came */
        assert_int_equal(job->submit, in->now);
        return;
    }
    assert_true(job->finish > in->last_finish ||
                (job->finish == in->last_finish && job->id > in->last_id) || in->last_id == 0);
    in->last_finish = job->finish;
    in->last_id = job->id;
}

static void hooks_may_ask_but_not_act(void **unused)
{
    cluster_variant as;
    (void)unused;
    for (size_t p = 0; cluster_variant_get(p, &as); p++) {
        cluster_workload work = cluster_new(JOBS, 11, usual);
        inside in = {.events = 0};
        const pn_cluster_hooks hooks = {.policy = as.policy,
                                        .params = as.params,
                                        .on_event = event_inside,
                                        .on_finish = finish_inside,
                                        .user = &in};
        pn_cluster_config config = cluster_config(&work, &cluster_options[1]);
        config.scheduler.policy = as.policy;
        config.failures_max = 1;
        in.sim = cluster_sim(&config);
        in.hooks = &hooks;
        assert_int_equal(cluster_submit(in.sim, &work, 0, work.count), PN_OK);
        assert_int_equal(pn_cluster_run(in.sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
        assert_int_equal(in.finished, JOBS);
        free(in.sim);
        cluster_free(&work);
    }
}

/* ---- jobs that follow jobs ---- */

typedef struct chain {
    pn_cluster *sim;
    pn_cluster_job jobs[JOBS];
    size_t count;
} chain;

static void follow(void *user, const pn_scheduler_record *job)
{
    chain *c = user;
    if (c->count == JOBS || job->state == PN_SCHEDULER_UNFINISHED)
        return;
    c->jobs[c->count] = (pn_cluster_job){.submit = job->finish + 1 + job->id % 3,
                                         .maps = 3,
                                         .reduces = 1,
                                         .map_ms = 70,
                                         .reduce_ms = 30};
    pn_cluster_job now = c->jobs[c->count];
    now.submit = job->finish; /* at this very instant it is too late */
    assert_int_equal(pn_cluster_submit(c->sim, &now, NULL), PN_ERR_LATE);
    uint64_t id;
    assert_int_equal(pn_cluster_submit(c->sim, &c->jobs[c->count++], &id), PN_OK);
    assert_int_equal(id, c->count);
}

static void a_job_may_be_followed_by_another_at_once(void **unused)
{
    (void)unused;
    for (size_t o = 0; o < CLUSTER_OPTIONS; o++) {
        cluster_workload work = {.count = JOBS, .tasks = 100};
        pn_cluster_config config = cluster_config(&work, &cluster_options[o]);
        chain c = {.jobs = {{.maps = 2, .map_ms = 10}}, .count = 1};
        const pn_cluster_hooks hooks = {
            .policy = pn_scheduler_fifo(), .on_finish = follow, .user = &c};
        c.sim = cluster_sim(&config);
        assert_int_equal(pn_cluster_submit(c.sim, &c.jobs[0], NULL), PN_OK);
        assert_int_equal(cluster_announce(c.sim, &config), PN_OK);
        assert_int_equal(pn_cluster_run(c.sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
        assert_true(cluster_totals(c.sim).submitted == JOBS || config.max_time_ms > 0);
        uint64_t digest = pn_cluster_digest(c.sim);
        free(c.sim);
        /* the same jobs, known from the start */
        work.jobs = c.jobs;
        work.count = c.count;
        assert_true(cluster_digest(&work, &config,
                                   &(pn_cluster_hooks){.policy = pn_scheduler_fifo()},
                                   NULL) == digest);
    }
}

/* ---- policies in other words ---- */

static uint64_t digest_of(const pn_scheduler_policy *policy, const double *params, size_t option,
                          uint64_t seed)
{
    cluster_workload work = cluster_new(JOBS, seed, usual);
    pn_cluster_config config = cluster_config(&work, &cluster_options[option]);
    cluster_log log = {NULL, 0, 0};
    const pn_cluster_hooks hooks = {
        .policy = policy, .params = params, .on_event = cluster_log_event, .user = &log};
    const pn_cluster_claim claim = cluster_claim(&work, &config, policy);
    config.scheduler.policy = policy;
    pn_cluster *sim = cluster_done(&work, &config, &hooks);
    pn_cluster_totals totals = cluster_totals(sim);
    uint64_t digest = pn_cluster_digest(sim);
    cluster_verdict v = cluster_judge(&log, &claim, totals.scheduler.last_finish, totals.unfinished,
                                      digest);
    if (v.status != PN_OK)
        fail_msg("%s, option %zu: \"%s\" at %llu of job %llu", policy->name, option, v.fault,
                 (unsigned long long)v.time, (unsigned long long)v.id);
    cluster_log_free(&log);
    free(sim);
    cluster_free(&work);
    return digest;
}

static void check_same(const pn_scheduler_policy *one, const double *params,
                       const pn_scheduler_policy *other)
{
    for (size_t o = 0; o < CLUSTER_OPTIONS; o++)
        for (uint64_t seed = 0; seed < 4; seed++)
            if (digest_of(one, params, o, seed) != digest_of(other, NULL, o, seed))
                fail_msg("%s and %s differ with option %zu, seed %llu", one->name, other->name, o,
                         (unsigned long long)seed);
}

static int pick_oldest(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    (void)node;
    for (*job = pn_scheduler_next(view, PN_NO_JOB); *job != PN_NO_JOB;
         *job = pn_scheduler_next(view, *job))
        if (pn_scheduler_pending(view, *job, kind) > 0)
            return PN_OK;
    return PN_OK;
}

static int pick_first(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    (void)node;
    *job = pn_scheduler_first(view, kind);
    return PN_OK;
}

static void by_submission(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = pn_scheduler_submit_of(view, job);
}

static void fifo_in_other_words(void **unused)
{
    static const pn_scheduler_policy plain = {.name = "plain"},
                                     picking = {.name = "picking", .pick = pick_oldest},
                                     first = {.name = "first", .pick = pick_first},
                                     keyed = {.name = "keyed", .key = by_submission},
                                     timed = {.name = "timed",
                                              .order = {.keys = PN_SCHEDULER_KEYS_TIMED},
                                              .key = by_submission},
                                     served = {.name = "served",
                                               .order = {.keys = PN_SCHEDULER_KEYS_SERVED},
                                               .key = by_submission};
    (void)unused;
    check_same(pn_scheduler_fifo(), NULL, &plain);
    check_same(pn_scheduler_fifo(), NULL, &picking);
    check_same(pn_scheduler_fifo(), NULL, &first);
    check_same(pn_scheduler_fifo(), NULL, &keyed);
    check_same(pn_scheduler_fifo(), NULL, &timed);
    check_same(pn_scheduler_fifo(), NULL, &served);
}

/* Fair, one pool, as the rules have it: who has fewer running tasks first. */
static void by_running(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    key->word[0] = pn_scheduler_running(view, job, kind);
}

static void fair_in_other_words(void **unused)
{
    static const pn_scheduler_policy fair = {
        .name = "other",
        .order = {.keys = PN_SCHEDULER_KEYS_SERVED, .delays = 1},
        .key = by_running};
    (void)unused;
    check_same(pn_scheduler_fair(), NULL, &fair);
}

/* The order by remaining time, and its kills by hand. */
static void by_remaining(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = pn_scheduler_remaining(view, job);
}

static int has_pending(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return pn_scheduler_pending(view, job, kind) > 0;
}

/* Least progress first, then later start, then higher index. */
static bool goes_before(const pn_scheduler_view *view, uint32_t a, uint32_t b)
{
    pn_scheduler_task x = pn_scheduler_attempt_task(view, a),
                      y = pn_scheduler_attempt_task(view, b);
    uint32_t p = pn_scheduler_attempt_progress(view, a), q = pn_scheduler_attempt_progress(view, b);
    if (p != q)
        return p < q;
    return x.start != y.start ? x.start > y.start : x.task > y.task;
}

/* One attempt of the job that may be killed; false when there is none. */
static bool kill_one(pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    enum { GUARD = 3 };
    uint32_t victim = PN_SCHEDULER_NO_ATTEMPT;
    for (uint32_t run = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
         run != PN_SCHEDULER_NO_ATTEMPT; run = pn_scheduler_next_attempt(view, job, kind, run))
        if (pn_scheduler_attempt_task(view, run).attempt < GUARD &&
            (victim == PN_SCHEDULER_NO_ATTEMPT || goes_before(view, run, victim)))
            victim = run;
    return victim != PN_SCHEDULER_NO_ATTEMPT && pn_scheduler_kill_attempt(view, victim) == PN_OK;
}

static int kill_for_the_shortest(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t count;
    const uint32_t *jobs = pn_scheduler_by_key(view, kind, &count);
    uint32_t target = 0;
    while (target < count && !has_pending(view, jobs[target], kind))
        target++;
    if (target == count)
        return PN_OK;
    uint32_t pending = pn_scheduler_pending(view, jobs[target], kind),
             free_slots = pn_scheduler_free(view, kind);
    uint32_t need = pending > free_slots ? pending - free_slots : 0;
    uint64_t remaining = pn_scheduler_remaining(view, jobs[target]);
    for (uint32_t i = count; i > 0 && need > 0; i--) {
        if (pn_scheduler_remaining(view, jobs[i - 1]) <= remaining)
            break;
        while (need > 0 && kill_one(view, jobs[i - 1], kind))
            need--;
    }
    return PN_OK;
}

static void hsrtf_pup_in_other_words(void **unused)
{
    static const pn_scheduler_policy pu = {
        .name = "pu",
        .order = {.keys = PN_SCHEDULER_KEYS_PLANNED, .colocates = 1, .estimates = 1},
        .key = by_remaining};
    pn_scheduler_policy pup = pu;
    (void)unused;
    pup.name = "pup";
    pup.preempt = kill_for_the_shortest;
    check_same(pn_scheduler_hsrtf_pu(), NULL, &pu);
    check_same(pn_scheduler_hsrtf_pup(), NULL, &pup);
}

/* CL18 by its formulas. */
static int weigh_by_starvation(pn_scheduler_view *view, uint32_t reason)
{
    const uint64_t unit = 1000000000000000;
    uint64_t sum = 0;
    (void)reason;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        uint64_t remaining = pn_scheduler_remaining(view, job);
        sum += unit / (remaining > 0 ? remaining : 1);
    }
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        uint64_t remaining = pn_scheduler_remaining(view, job), slots[2];
        uint64_t weight = unit / (remaining > 0 ? remaining : 1);
        for (uint32_t kind = 0; kind < 2; kind++) {
            slots[kind] = pn_scheduler_scale(pn_scheduler_capacity(view, kind), weight, sum);
            slots[kind] = slots[kind] > 0 ? slots[kind] : 1;
        }
        uint64_t alone = pn_scheduler_alone(view, job);
        uint64_t age = pn_scheduler_now(view) - pn_scheduler_submit_of(view, job);
        uint64_t starved = (age + pn_scheduler_remaining_on(view, job, slots[0], slots[1])) * 1000 /
                           (alone > 0 ? alone : 1);
        pn_scheduler_weigh(view, job, pn_scheduler_scale(weight, starved, 1000));
    }
    return PN_OK;
}

static void hsrtf_pr_in_other_words(void **unused)
{
    static const pn_scheduler_policy pr = {.name = "pr",
                                           .order = {.keys = PN_SCHEDULER_KEYS_PLANNED,
                                                     .shares = PN_SCHEDULER_SHARES_CONSERVING,
                                                     .colocates = 1,
                                                     .estimates = 1},
                                           .key = by_remaining,
                                           .plan = weigh_by_starvation};
    (void)unused;
    check_same(pn_scheduler_hsrtf_pr(), NULL, &pr);
}

/* CL26 by its formulas, with picks in place of limits. */
typedef struct constraint {
    uint64_t fewest_maps, reduces_start;
} constraint;

static constraint *constraint_of(const pn_scheduler_view *view, uint32_t job)
{
    return (constraint *)pn_scheduler_state(view) + job;
}

static uint64_t due_of(const pn_scheduler_view *view, uint32_t job)
{
    return pn_scheduler_submit_of(view, job) + pn_scheduler_deadline_of(view, job);
}

static int admit_by_constraint(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    uint64_t maps = pn_scheduler_tasks(view, job, 0), reduces = pn_scheduler_tasks(view, job, 1);
    uint64_t last = reduces > 0 ? pn_scheduler_est_ms(view, job, 1) : 0,
             deadline = pn_scheduler_deadline_of(view, job);
    int64_t free_maps = pn_scheduler_free(view, 0), free_reduces = pn_scheduler_capacity(view, 1);
    constraint *own = constraint_of(view, job);
    answer->accepted = 0;
    if (deadline <= last || reduces > pn_scheduler_capacity(view, 1))
        return PN_OK;
    own->fewest_maps = (maps * pn_scheduler_est_ms(view, job, 0) + deadline - last - 1) /
                       (deadline - last);
    own->reduces_start = pn_scheduler_submit_of(view, job) + deadline - last;
    for (uint32_t other = pn_scheduler_next(view, PN_NO_JOB); other != PN_NO_JOB;
         other = pn_scheduler_next(view, other)) {
        const constraint *its = constraint_of(view, other);
        uint64_t running = pn_scheduler_running(view, other, 0),
                 left = pn_scheduler_unfinished(view, other, 0);
        uint64_t wanted = its->fewest_maps < left ? its->fewest_maps : left;
        if (other == job)
            continue;
        free_maps -= wanted > running ? (int64_t)(wanted - running) : 0;
        if (its->reduces_start <= own->reduces_start && own->reduces_start < due_of(view, other))
            free_reduces -= pn_scheduler_tasks(view, other, 1);
    }
    answer->accepted = free_maps >= (int64_t)own->fewest_maps && free_reduces >= (int64_t)reduces;
    return PN_OK;
}

/* The one that is due first: jobs come in the order of ids. */
static int pick_due(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *first)
{
    (void)node;
    *first = PN_NO_JOB;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        if (pn_scheduler_pending(view, job, kind) > 0 &&
            (kind == 1 ||
             pn_scheduler_running(view, job, 0) < constraint_of(view, job)->fewest_maps) &&
            (*first == PN_NO_JOB || due_of(view, job) < due_of(view, *first)))
            *first = job;
    return PN_OK;
}

static void dc_in_other_words(void **unused)
{
    static const pn_scheduler_policy dc = {.name = "constrained",
                                           .admission = {.deadlines = 1, .maps_first = 1},
                                           .state_bytes_per_job = sizeof(constraint),
                                           .admit = admit_by_constraint,
                                           .pick = pick_due};
    (void)unused;
    check_same(pn_scheduler_dc(), NULL, &dc);
}

/* ---- what a policy sees ---- */

typedef struct memory {
    uint64_t inits, arrived, left, last_time, drawn;
} memory;

typedef struct watch {
    unsigned arrived, left, plans, preempts, picks;
    uint64_t mixed;
    uint64_t elapsed;
} watch;

static void check_view(pn_scheduler_view *view)
{
    const memory *own = pn_scheduler_state(view);
    uint32_t count = 0, running[2] = {0, 0};
    uint64_t last_id = 0;
    assert_true((uintptr_t)own % 8 == 0 && own->inits == 1);
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        assert_true(pn_scheduler_id(view, job) > last_id &&
                    pn_scheduler_submit_of(view, job) <= pn_scheduler_now(view));
        last_id = pn_scheduler_id(view, job);
        count++;
        for (uint32_t kind = 0; kind < 2; kind++) {
            uint32_t tasks = pn_scheduler_tasks(view, job, kind),
                     done = pn_scheduler_done(view, job, kind);
            uint32_t runs = 0;
            assert_int_equal(pn_scheduler_unfinished(view, job, kind), tasks - done);
            assert_true(pn_scheduler_pending(view, job, kind) +
                            pn_scheduler_running(view, job, kind) + done <=
                        tasks);
            assert_int_equal(pn_scheduler_need(view, job, kind),
                             pn_scheduler_running(view, job, kind) +
                                 pn_scheduler_pending(view, job, kind));
            for (uint32_t run = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
                 run != PN_SCHEDULER_NO_ATTEMPT;
                 run = pn_scheduler_next_attempt(view, job, kind, run)) {
                pn_scheduler_task task = pn_scheduler_attempt_task(view, run);
                assert_true(task.id == last_id && task.kind == kind && task.task < tasks &&
                            task.place == run);
                assert_true(task.start <= pn_scheduler_now(view) &&
                            pn_scheduler_attempt_progress(view, run) <= 1000000);
                runs++;
            }
            assert_int_equal(runs, pn_scheduler_running(view, job, kind));
            running[kind] += runs;
        }
    }
    assert_int_equal(count, pn_scheduler_active(view));
    assert_int_equal(count, own->arrived - own->left);
    for (uint32_t kind = 0; kind < 2; kind++) {
        uint64_t milli[JOBS];
        assert_int_equal(pn_scheduler_capacity(view, kind), kind == 0 ? 13 : 11);
        assert_true(pn_scheduler_capacity_up(view, kind) <= pn_scheduler_capacity(view, kind));
        assert_int_equal(pn_scheduler_free(view, kind),
                         pn_scheduler_capacity_up(view, kind) - running[kind]);
        pn_scheduler_fill(view, kind, milli);
        uint64_t filled = 0;
        for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
             job = pn_scheduler_next(view, job)) {
            assert_true(milli[job] <= 1000 * (uint64_t)pn_scheduler_need(view, job, kind));
            filled += milli[job];
        }
        assert_true(filled <= 1000 * (uint64_t)pn_scheduler_capacity(view, kind));
    }
    assert_string_equal(pn_scheduler_policy_of(view)->name, "watching");
    assert_int_equal(pn_scheduler_jobs_max(view), JOBS);
}

static int watch_init(pn_scheduler_view *view)
{
    memory *own = pn_scheduler_state(view);
    assert_true(own->inits == 0 && own->arrived == 0 && own->drawn == 0);
    own->inits++;
    check_view(view);
    pn_scheduler_order order = pn_scheduler_order_get(view);
    order.elapses = 1;
    assert_int_equal(pn_scheduler_set_rules(view, &order, NULL), PN_OK);
    return PN_OK;
}

static int watch_arrive(pn_scheduler_view *view, uint32_t job)
{
    memory *own = pn_scheduler_state(view);
    watch *w = pn_scheduler_user(view);
    own->arrived++;
    assert_int_equal(pn_scheduler_id(view, job), own->arrived);
    own->drawn = pn_mix(own->drawn, pn_random64(pn_scheduler_stream(view)));
    assert_int_equal(pn_scheduler_set_rules(view, NULL, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_kill(view, job, 0, 1, NULL), PN_ERR_INFEASIBLE);
    check_view(view);
    w->arrived++;
    return PN_OK;
}

static void watch_leave(pn_scheduler_view *view, uint32_t job)
{
    memory *own = pn_scheduler_state(view);
    watch *w = pn_scheduler_user(view);
    assert_in_range(pn_scheduler_id(view, job), 1, own->arrived);
    own->left++;
    w->left++;
}

static int watch_elapse(pn_scheduler_view *view, uint64_t ms)
{
    memory *own = pn_scheduler_state(view);
    watch *w = pn_scheduler_user(view);
    assert_true(ms > 0);
    w->elapsed += ms;
    own->last_time = pn_scheduler_now(view);
    return PN_OK;
}

static int watch_plan(pn_scheduler_view *view, uint32_t reason)
{
    watch *w = pn_scheduler_user(view);
    assert_true(reason <= PN_SCHEDULER_ON_FINISH);
    check_view(view);
    w->plans++;
    w->mixed = pn_mix(pn_mix(w->mixed, pn_scheduler_now(view)), reason);
    return PN_OK;
}

static int watch_preempt(pn_scheduler_view *view, uint32_t kind)
{
    watch *w = pn_scheduler_user(view);
    assert_int_equal(kind, w->preempts++ % 2); /* maps first */
    check_view(view);
    return PN_OK;
}

static int watch_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    watch *w = pn_scheduler_user(view);
    assert_true(pn_scheduler_node_free(view, node, kind) > 0);
    check_view(view);
    w->picks++;
    return pick_oldest(view, node, kind, job);
}

static void the_view_tells_the_truth(void **unused)
{
    static const pn_scheduler_policy watching = {.name = "watching",
                                                 .order = {.estimates = 1},
                                                 .state_bytes = sizeof(memory),
                                                 .state_bytes_per_job = 8,
                                                 .init = watch_init,
                                                 .arrive = watch_arrive,
                                                 .leave = watch_leave,
                                                 .elapse = watch_elapse,
                                                 .plan = watch_plan,
                                                 .preempt = watch_preempt,
                                                 .pick = watch_pick};
    (void)unused;
    for (size_t o = 0; o < CLUSTER_OPTIONS; o++) {
        cluster_workload work = cluster_new(JOBS, 31 + o, usual);
        pn_cluster_config config = cluster_config(&work, &cluster_options[o]);
        watch w = {.arrived = 0};
        const pn_cluster_hooks hooks = {.policy = &watching, .user = &w};
        config.scheduler.policy = &watching;
        pn_cluster *sim = cluster_done(&work, &config, &hooks);
        pn_cluster_totals totals = cluster_totals(sim);
        assert_int_equal(w.arrived, totals.scheduler.submitted);
        assert_int_equal(w.left, totals.scheduler.finished + totals.scheduler.failed);
        assert_true(w.plans >= w.arrived + w.left && w.picks >= totals.scheduler.launches);
        assert_true(w.elapsed > 0 && w.elapsed <= totals.time);
        free(sim);
        cluster_free(&work);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_may_ask_but_not_act),
        cmocka_unit_test(a_job_may_be_followed_by_another_at_once),
        cmocka_unit_test(fifo_in_other_words),
        cmocka_unit_test(fair_in_other_words),
        cmocka_unit_test(hsrtf_pup_in_other_words),
        cmocka_unit_test(hsrtf_pr_in_other_words),
        cmocka_unit_test(dc_in_other_words),
        cmocka_unit_test(the_view_tells_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
