/* Policies that fail, answer wrongly, ask in vain or are stopped: the plan says so, nothing is
 * planned, and the next try is as good as a first one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "makespan/support/workload.h"

enum { JOBS = 4 };

static const makespan_shape usual = {.tasks = 3, .longest = 9};
static const makespan_rules at_tasks = {.level = PN_MAKESPAN_TASKS};

/* Maps on 4 slots, reduces on 2: two nodes. */
static pn_makespan_config config_for(const makespan_batch *batch, makespan_rules rules)
{
    return makespan_config(batch, rules, 4, 2);
}

static void check_unplanned(const pn_makespan *sim, const pn_makespan_totals *before)
{
    pn_makespan_totals after = makespan_totals(sim);
    assert_true(makespan_same_totals(&after, before));
    assert_true(pn_makespan_ticks(sim) == 0 && pn_makespan_order(sim, 0) == 0 &&
                pn_makespan_pools(sim) == 0);
    assert_true(pn_makespan_digest(sim) == 0);
    assert_string_equal(pn_makespan_policy_name(sim), "");
}

/* ---- a policy that fails ---- */

typedef struct trouble {
    int status; /* of its decision */
    unsigned times;
    uint64_t drawn;
} trouble;

/* It leaves its mark everywhere before it fails. */
static int decide_to_fail(pn_makespan_view *view)
{
    trouble *t = pn_makespan_user(view);
    uint32_t jobs[JOBS] = {3, 1, 2, 0};
    unsigned char *own = pn_makespan_state(view);
    pn_makespan_score score;
    uint64_t drawn = pn_random64(pn_makespan_stream(view));
    for (uint32_t i = 0; i < 100 + JOBS * 8; i++)
        assert_int_equal(own[i], 0); /* at every try */
    memset(own, 0xA5, 100 + JOBS * 8);
    assert_true(t->times++ == 0 || drawn == t->drawn);
    t->drawn = drawn;
    assert_int_equal(pn_makespan_evaluate(view, NULL, 0, 4, 2, NULL, 0, &score), PN_OK);
    assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, 4, 2, NULL, 0, &score), PN_OK);
    pn_makespan_prove(view, 7, 8);
    if (t->status == PN_OK || t->times % 2 == 1)
        assert_int_equal(pn_makespan_give_order(view, jobs, JOBS), PN_OK);
    return t->status;
}

static const pn_makespan_policy failing = {
    .name = "failing", .state_bytes = 100, .state_bytes_per_job = 8, .decide = decide_to_fail};

static void a_failure_is_told_and_can_be_repaired(void **unused)
{
    static const int statuses[] = {
        PN_ERR_ARGUMENT, PN_ERR_INFEASIBLE, PN_ERR_STOPPED, PN_ERR_OVERFLOW,
        -1000,           PN_DONE,           PN_PAUSED,      77};
    (void)unused;
    for (size_t o = 0; o < MAKESPAN_OPTIONS; o++) {
        makespan_batch batch = makespan_new(JOBS, 21, usual);
        pn_makespan_config config = config_for(&batch, makespan_options[o]);
        trouble t = {.status = PN_OK};
        pn_makespan_hooks hooks = {.policy = &failing, .user = &t};
        config.policy = &failing;
        pn_makespan *straight = makespan_done(&batch, &config, &hooks);
        assert_int_equal(makespan_totals(straight).proven.num, 7);
        assert_int_equal(makespan_totals(straight).nodes_searched, 8);
        pn_makespan *sim = makespan_sim(&config);
        assert_int_equal(makespan_submit(sim, &batch), PN_OK);
        pn_makespan_totals before = makespan_totals(sim);
        t.times = 0;
        for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
            /* what is no error is no answer either */
            int expected = statuses[i] < 0 ? statuses[i] : PN_ERR_POLICY;
            t.status = statuses[i];
            assert_int_equal(pn_makespan_plan(sim, &hooks), expected);
            assert_int_equal(pn_makespan_step(sim, &hooks), expected);
            assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX),
                             expected);
            check_unplanned(sim, &before);
        }
        t.status = PN_OK;
        assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
        assert_true(pn_makespan_digest(sim) == pn_makespan_digest(straight));
        pn_makespan_totals totals = makespan_totals(sim), expected = makespan_totals(straight);
        assert_true(makespan_same_totals(&totals, &expected));
        free(sim);
        free(straight);
        makespan_free(&batch);
    }
}

/* After a failure another policy may plan, and jobs may still come. */
static void a_failure_binds_nobody(void **unused)
{
    makespan_batch batch = makespan_new(JOBS, 22, usual);
    pn_makespan_config config = config_for(&batch, at_tasks);
    trouble t = {.status = PN_ERR_STOPPED};
    pn_makespan_hooks hooks = {.policy = &failing, .user = &t},
                      uaas = {.policy = pn_makespan_uaas()};
    (void)unused;
    config.jobs_max++;
    pn_makespan *sim = makespan_sim(&config);
    assert_int_equal(makespan_submit(sim, &batch), PN_OK);
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_ERR_STOPPED);
    assert_int_equal(pn_makespan_submit(sim, &makespan_pair[0], NULL), PN_OK);
    assert_int_equal(pn_makespan_run(sim, &uaas, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    assert_int_equal(makespan_totals(sim).finished, JOBS + 1);
    assert_string_equal(pn_makespan_policy_name(sim), "uaas");
    free(sim);
    makespan_free(&batch);
}

/* ---- answers that are none ---- */

static const uint32_t all[] = {0, 1, 2, 3}, twice[] = {0, 1, 2, 1}, beyond[] = {0, 1, 2, JOBS},
                      nobody[] = {0, 1, 2, PN_NO_JOB};

typedef struct answer {
    uint32_t nodes; /* 0: an order */
    const uint32_t *jobs;
    uint32_t count;
    int expected;
} answer;

/* Ends with the first without jobs. */
typedef struct attempt {
    answer give[4];
    int status; /* of the plan, when the policy says that all is well */
} attempt;

static const attempt attempts[] = {
    {{{0}}, PN_ERR_INFEASIBLE},
    {{{0, all, JOBS, PN_OK}}, PN_OK},
    {{{0, all, JOBS - 1, PN_ERR_INFEASIBLE}}, PN_ERR_INFEASIBLE},
    {{{0, all, JOBS + 1, PN_ERR_INFEASIBLE}}, PN_ERR_INFEASIBLE},
    {{{0, all, 0, PN_ERR_INFEASIBLE}}, PN_ERR_INFEASIBLE},
    {{{0, twice, JOBS, PN_ERR_INFEASIBLE}}, PN_ERR_INFEASIBLE},
    {{{0, beyond, JOBS, PN_ERR_INFEASIBLE}}, PN_ERR_INFEASIBLE},
    {{{0, nobody, JOBS, PN_ERR_INFEASIBLE}}, PN_ERR_INFEASIBLE},
    /* what is refused is not there */
    {{{0, twice, JOBS, PN_ERR_INFEASIBLE}, {0, all, JOBS, PN_OK}}, PN_OK},
    {{{0, all, JOBS, PN_OK}, {0, all, JOBS, PN_ERR_INFEASIBLE}}, PN_OK},
    {{{0, all, JOBS, PN_OK}, {1, all, 1, PN_ERR_INFEASIBLE}}, PN_OK},
    {{{2, all, JOBS, PN_OK}}, PN_OK},
    {{{1, all, JOBS, PN_OK}}, PN_OK}, /* nodes may be left */
    {{{2, all, JOBS - 1, PN_OK}}, PN_ERR_INFEASIBLE},
    {{{1, all, 1, PN_OK}, {1, all + 1, 3, PN_OK}}, PN_OK},
    {{{1, all, 1, PN_OK}, {1, all, 4, PN_ERR_INFEASIBLE}}, PN_ERR_INFEASIBLE},
    {{{1, all, 1, PN_OK}, {1, all, 3, PN_ERR_INFEASIBLE}, {1, all + 1, 3, PN_OK}}, PN_OK},
    {{{1, all, 2, PN_OK}, {0, all, JOBS, PN_ERR_INFEASIBLE}, {1, all + 2, 2, PN_OK}}, PN_OK},
    {{{1, all, JOBS, PN_OK}, {1, all, 0, PN_OK}}, PN_OK}, /* an empty pool is one */
    {{{3, all, JOBS, PN_ERR_INFEASIBLE}, {UINT32_MAX, all, JOBS, PN_ERR_INFEASIBLE}},
     PN_ERR_INFEASIBLE},
    {{{1, all, 1, PN_OK}, {2, all + 1, 3, PN_ERR_INFEASIBLE}, {1, all + 1, 3, PN_OK}}, PN_OK},
};

static int decide_as_told(pn_makespan_view *view)
{
    const attempt *a = pn_makespan_user(view);
    for (int i = 0; i < 4 && a->give[i].jobs; i++) {
        const answer *g = &a->give[i];
        int status = g->nodes == 0 ? pn_makespan_give_order(view, g->jobs, g->count)
                                   : pn_makespan_give_pool(view, g->nodes, g->jobs, g->count);
        assert_int_equal(status, g->expected);
    }
    return PN_OK;
}

static void answers_are_complete_and_given_once(void **unused)
{
    const pn_makespan_policy policy = {.name = "told", .decide = decide_as_told};
    makespan_batch batch = makespan_new(JOBS, 23, usual);
    (void)unused;
    for (size_t o = 0; o < MAKESPAN_OPTIONS; o++)
        for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
            pn_makespan_config config = config_for(&batch, makespan_options[o]);
            attempt a = attempts[i];
            pn_makespan_hooks hooks = {.policy = &policy, .user = &a};
            pn_makespan *sim = makespan_sim(&config);
            assert_int_equal(makespan_submit(sim, &batch), PN_OK);
            pn_makespan_totals before = makespan_totals(sim);
            assert_int_equal(pn_makespan_plan(sim, &hooks), a.status);
            if (a.status != PN_OK)
                check_unplanned(sim, &before);
            a = attempts[1]; /* the next try is a good one, unless there is a plan */
            assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX),
                             PN_DONE);
            assert_int_equal(makespan_totals(sim).finished, JOBS);
            free(sim);
        }
    makespan_free(&batch);
}

/* ---- sequences of tasks ---- */

static const pn_makespan_task maps[] = {{1, 0}, {0, 2}, {0, 0}, {0, 1}},
                              reduces[] = {{1, 1}, {1, 0}, {0, 0}};
static const pn_makespan_task same_maps[] = {{1, 0}, {0, 2}, {0, 0}, {0, 2}},
                              no_task[] = {{1, 0}, {0, 2}, {0, 0}, {0, 3}},
                              no_job[] = {{2, 0}, {0, 2}, {0, 0}, {0, 1}};

static int decide_by_tasks(pn_makespan_view *view)
{
    int *expected = pn_makespan_user(view);
    uint32_t places[] = {0, 1};
    assert_int_equal(pn_makespan_give_tasks(view, maps, 3, reduces, 3), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_makespan_give_tasks(view, maps, 4, reduces, 2), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_makespan_give_tasks(view, same_maps, 4, reduces, 3), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_makespan_give_tasks(view, no_task, 4, reduces, 3), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_makespan_give_tasks(view, no_job, 4, reduces, 3), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_makespan_give_tasks(view, maps, UINT32_MAX, reduces, 3), PN_ERR_INFEASIBLE);
    int status = pn_makespan_give_tasks(view, maps, 4, reduces, 3);
    assert_int_equal(status, *expected);
    if (status == PN_OK) {
        assert_int_equal(pn_makespan_give_tasks(view, maps, 4, reduces, 3), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_makespan_give_order(view, places, 2), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_makespan_give_pool(view, 1, places, 2), PN_ERR_INFEASIBLE);
    }
    return status;
}

/* Where tasks are not those that were given there is no sequence of them. */
static void sequences_name_every_task_once(void **unused)
{
    const pn_makespan_policy policy = {.name = "tasks", .decide = decide_by_tasks};
    makespan_batch batch = {2, (pn_makespan_job *)(uintptr_t)makespan_pair, NULL};
    (void)unused;
    for (size_t o = 0; o < MAKESPAN_OPTIONS; o++) {
        bool possible = makespan_options[o].level == PN_MAKESPAN_TASKS &&
                        makespan_options[o].resplit == 0;
        int expected = possible ? PN_OK : PN_ERR_INFEASIBLE;
        pn_makespan_config config = makespan_config(&batch, makespan_options[o], 2, 1);
        config.groups_max = 2;
        makespan_log log = {NULL, 0, 0};
        pn_makespan_hooks hooks = {.policy = &policy, .user = &expected};
        pn_makespan *sim = makespan_sim(&config);
        assert_int_equal(makespan_submit(sim, &batch), PN_OK);
        pn_makespan_totals before = makespan_totals(sim);
        assert_int_equal(pn_makespan_plan(sim, &hooks), expected);
        if (possible) {
            hooks = (pn_makespan_hooks){.policy = &policy,
                                        .on_decision = makespan_log_decision,
                                        .on_finish = makespan_log_finish,
                                        .user = &log};
            assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX),
                             PN_DONE);
            makespan_claim made = makespan_claim_of(sim, &config, &batch);
            makespan_verdict v = makespan_judge(&log, &made.claim, makespan_totals(sim).makespan,
                                                pn_makespan_digest(sim));
            assert_string_equal(v.fault, "");
            /* maps 0-2 and 0-2, 2-5, 2-5; reduces of job 2 from 2 on, of job 1 from 5 on */
            assert_true(makespan_totals(sim).makespan == 9 && log.entry[2].id == 1 &&
                        log.entry[0].id == 2);
            assert_true(makespan_totals(sim).share == PN_MAKESPAN_CONSERVING &&
                        makespan_totals(sim).cap == PN_MAKESPAN_CAP_NONE);
            makespan_claim_free(&made);
            makespan_log_free(&log);
        } else {
            check_unplanned(sim, &before);
        }
        free(sim);
    }
}

static int decide_by_maps(pn_makespan_view *view)
{
    static pn_makespan_task tasks[PN_MAKESPAN_SEQUENCE_MAX + 1];
    uint32_t count = pn_makespan_tasks(view, 0, PN_MAKESPAN_MAP);
    for (uint32_t i = 0; i < count; i++)
        tasks[i] = (pn_makespan_task){0, i};
    return pn_makespan_give_tasks(view, tasks, count, NULL, 0);
}

static void sequences_have_their_limit(void **unused)
{
    const pn_makespan_policy policy = {.name = "maps", .decide = decide_by_maps};
    (void)unused;
    for (uint32_t more = 0; more <= 1; more++) {
        pn_makespan_job job = {.stage = {{LISTED({1, PN_MAKESPAN_SEQUENCE_MAX + more})}}};
        makespan_batch batch = {1, &job, NULL};
        pn_makespan_config config = makespan_config(&batch, at_tasks, 2, 1);
        pn_makespan *sim = makespan_sim(&config);
        assert_int_equal(makespan_submit(sim, &batch), PN_OK);
        assert_int_equal(pn_makespan_plan(sim, &(pn_makespan_hooks){.policy = &policy}),
                         more ? PN_ERR_INFEASIBLE : PN_OK);
        free(sim);
    }
}

/* ---- questions that make no sense ---- */

/* Asks for jobs of which one is not there, in each place, and for those in front of it alone. */
static void ask_for_no_job(pn_makespan_view *view, uint32_t missing)
{
    static const pn_exact times[JOBS] = {{1, 1}, {2, 3}, {0, 1}, {1, 7}};
    pn_makespan_score score;
    for (uint32_t at = 0; at < JOBS; at++)
        for (uint32_t count = at; count <= JOBS; count++) {
            uint32_t jobs[JOBS] = {0, 1, 2, 3};
            const int expected = count > at ? PN_ERR_ARGUMENT : PN_OK;
            jobs[at] = missing;
            assert_int_equal(
                pn_makespan_johnson_order(view, jobs, count, PN_MAKESPAN_FLUID, 0, 4, 2), expected);
            assert_int_equal(pn_makespan_johnson_by(view, jobs, count, times, times, 0), expected);
            assert_int_equal(pn_makespan_evaluate(view, jobs, count, 4, 2, NULL, 0, &score),
                             expected);
        }
}

static int decide_in_vain(pn_makespan_view *view)
{
    uint32_t jobs[JOBS] = {0, 1, 2, 3}, many[JOBS + 1] = {0, 1, 2, 3, 0};
    pn_exact fine[JOBS] = {{1, 1}, {2, 3}, {0, 1}, {1, 7}},
             negative[JOBS] = {{1, 1}, {-1, 3}, {0, 1}, {1, 7}},
             no_number[JOBS] = {{1, 1}, {1, 3}, {0, 0}, {1, 7}};
    pn_makespan_score score = {.makespan = 77}, latest = {.makespan = UINT64_MAX, .ticks = 1}, same;
    const int refused = PN_ERR_ARGUMENT;
    ask_for_no_job(view, JOBS);
    ask_for_no_job(view, UINT32_MAX);
    assert_int_equal(pn_makespan_johnson_order(view, many, JOBS + 1, PN_MAKESPAN_FLUID, 0, 4, 2),
                     refused);
    assert_int_equal(pn_makespan_johnson_order(view, jobs, JOBS, 0, 0, 4, 2), refused);
    assert_int_equal(pn_makespan_johnson_order(view, jobs, JOBS, PN_MAKESPAN_FLUID + 1, 0, 4, 2),
                     refused);
    assert_int_equal(pn_makespan_johnson_order(view, jobs, JOBS, PN_MAKESPAN_FLUID, 2, 4, 2),
                     refused);
    assert_int_equal(pn_makespan_johnson_order(view, jobs, JOBS, PN_MAKESPAN_FLUID, 0, 0, 2),
                     refused);
    assert_int_equal(pn_makespan_johnson_order(view, jobs, JOBS, PN_MAKESPAN_FLUID, 0, 4, 3),
                     refused);
    assert_int_equal(pn_makespan_johnson_by(view, jobs, JOBS, fine, negative, 0), refused);
    assert_int_equal(pn_makespan_johnson_by(view, jobs, JOBS, no_number, fine, 0), refused);
    assert_int_equal(pn_makespan_johnson_by(view, jobs, JOBS, fine, fine, 2), refused);
    assert_int_equal(pn_makespan_evaluate(view, many, JOBS + 1, 4, 2, NULL, 0, &score), refused);
    assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, 5, 2, NULL, 0, &score), refused);
    assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, 4, 0, NULL, 0, &score), refused);
    assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, 0, 2, NULL, 0, &score), refused);
    assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, 4, 3, NULL, 0, &score), refused);
    assert_int_equal(pn_makespan_johnson_order(view, jobs, JOBS, PN_MAKESPAN_FLUID, 0, 4, 0),
                     refused);
    assert_int_equal(pn_makespan_johnson_order(view, jobs, JOBS, PN_MAKESPAN_FLUID, 0, 5, 2),
                     refused);
    assert_int_equal(pn_makespan_give_pool(view, 0, jobs, 1), PN_ERR_INFEASIBLE);
    assert_int_equal(score.makespan, 77);
    /* the best score so far may be later than any time */
    assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, 4, 2, NULL, 0, &score), PN_OK);
    assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, 4, 2, &latest, 0, &same), PN_OK);
    assert_int_equal(pn_makespan_score_compare(&score, &same, 1), 0);
    for (uint32_t i = 0; i < JOBS; i++)
        assert_int_equal(jobs[i], i); /* nothing was sorted */
    return pn_makespan_give_order(view, jobs, JOBS);
}

static void questions_in_vain_change_nothing(void **unused)
{
    const pn_makespan_policy policy = {.name = "vain", .decide = decide_in_vain};
    makespan_batch batch = makespan_new(JOBS, 24, usual);
    (void)unused;
    for (size_t o = 0; o < MAKESPAN_OPTIONS; o++) {
        pn_makespan_config config = config_for(&batch, makespan_options[o]);
        pn_makespan *vain = makespan_done(&batch, &config, &(pn_makespan_hooks){.policy = &policy});
        pn_makespan *fifo = makespan_done(&batch, &config,
                                          &(pn_makespan_hooks){.policy = pn_makespan_fifo()});
        assert_true(pn_makespan_digest(vain) == pn_makespan_digest(fifo));
        free(vain);
        free(fifo);
    }
    makespan_free(&batch);
}

/* ---- hosts that lose patience ---- */

typedef struct patience {
    const pn_makespan *sim; /* null: not looked at */
    unsigned asked, until;  /* this question is answered yes; 0 = none */
    uint64_t evaluations;   /* at the last one */
} patience;

static int stop(void *user)
{
    patience *p = user;
    if (p->sim) {
        uint64_t evaluations = makespan_totals(p->sim).evaluations; /* so far */
        assert_true(evaluations >= p->evaluations);
        p->evaluations = evaluations;
    }
    return ++p->asked == p->until;
}

typedef struct search {
    const pn_makespan_policy *(*policy)(void);
    size_t jobs;
    uint32_t slots, tasks;        /* tasks of a stretch, at most */
    double bp_partition, bp_size; /* of balanced_pools: exhaustive, by halving */
    double start;                 /* of local_search */
} search;

/* Searches of more than a moment, with few jobs of many tasks: a question after each evaluation. */
static const search searches[] = {{pn_makespan_optimal, 7, 4, 12, 0, 0, 0},
                                  {pn_makespan_neh, 60, 4, 12, 0, 0, 0},
                                  {pn_makespan_local_search, 12, 4, 12, 0, 0, 0},
                                  {pn_makespan_balanced_pools, 60, 40, 12, 0, 0, 0},
                                  {pn_makespan_optimal, 3, 4, 9000, 0, 0, 0},
                                  {pn_makespan_portfolio, 3, 4, 9000, 0, 0, 0},
                                  {pn_makespan_neh, 4, 4, 9000, 0, 0, 0},
                                  {pn_makespan_local_search, 3, 4, 9000, 0, 0, 0},
                                  {pn_makespan_balanced_pools, 4, 3, 9000, 0, 0, 0},
                                  {pn_makespan_balanced_pools, 3, 3, 9000, 1, 0, 0},
                                  {pn_makespan_balanced_pools, 4, 4, 9000, 0, 1, 0},
                                  {pn_makespan_balanced_pools, 8, 9, 9000, 0, 1, 0},
                                  {pn_makespan_local_search, 3, 4, 9000, 0, 0, 3}};

/* Fills in the parameters of a search. */
static void params_of(const search *s, double *params)
{
    const pn_makespan_policy *policy = s->policy();
    for (int i = 0; i < policy->param_count; i++) {
        params[i] = policy->params[i].value;
        if (strcmp(policy->params[i].name, "bp_partition") == 0)
            params[i] = s->bp_partition;
        if (strcmp(policy->params[i].name, "bp_size") == 0)
            params[i] = s->bp_size;
        if (strcmp(policy->params[i].name, "start") == 0)
            params[i] = s->start;
    }
}

static void check_stops(const search *s, makespan_rules rules)
{
    makespan_batch batch = makespan_new(s->jobs, 25,
                                        (makespan_shape){.tasks = s->tasks, .longest = 50});
    pn_makespan_config config = makespan_config(&batch, rules, s->slots, s->slots);
    patience p = {.asked = 0};
    double params[PN_PARAMS_MAX];
    pn_makespan_hooks hooks = {.policy = s->policy(), .params = params, .stop = stop, .user = &p};
    params_of(s, params);
    pn_makespan *straight = makespan_done(&batch, &config, &hooks);
    unsigned questions = p.asked;
    pn_makespan *sim = makespan_sim(&config);
    assert_int_equal(makespan_submit(sim, &batch), PN_OK);
    pn_makespan_totals before = makespan_totals(sim);
    for (p.until = 1; p.until <= questions; p.until++) {
        p = (patience){sim, 0, p.until, 0};
        assert_int_equal(pn_makespan_plan(sim, &hooks), PN_ERR_STOPPED);
        assert_int_equal(p.asked, p.until); /* who has said so is not asked again */
        check_unplanned(sim, &before);
    }
    p = (patience){sim, 0, 0, 0};
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    pn_makespan_totals totals = makespan_totals(sim), expected = makespan_totals(straight);
    assert_true(makespan_same_totals(&totals, &expected));
    assert_true(pn_makespan_digest(sim) == pn_makespan_digest(straight));
    if (rules.level == PN_MAKESPAN_TASKS)
        assert_true(questions > 0 && questions < 100000 && p.evaluations > 0);
    free(sim);
    free(straight);
    makespan_free(&batch);
}

static void searches_can_be_stopped_and_tried_again(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++)
        for (uint32_t level = 0; level <= PN_MAKESPAN_TASKS; level++)
            check_stops(&searches[i], (makespan_rules){.level = level});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_told_and_can_be_repaired),
        cmocka_unit_test(a_failure_binds_nobody),
        cmocka_unit_test(answers_are_complete_and_given_once),
        cmocka_unit_test(sequences_name_every_task_once),
        cmocka_unit_test(sequences_have_their_limit),
        cmocka_unit_test(questions_in_vain_change_nothing),
        cmocka_unit_test(searches_can_be_stopped_and_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
