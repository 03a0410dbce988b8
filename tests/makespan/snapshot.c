/* Forks have futures of their own. However time is cut into calls, the schedule is the same. What
 * is told of finishes is what the decisions say, and statistics are exact where they promise it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "makespan/state.h"
#include "makespan/support/workload.h"

enum { JOBS = 9, GROUPS = 3 };

static const makespan_shape shapes[] = {
    {.tasks = 4, .longest = 12, .groups = GROUPS},
    {.tasks = 3, .longest = 3, .odd = 1, .groups = GROUPS},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Everything switched on, so that everything has to survive. */
static pn_makespan_config full_config(const makespan_batch *batch, makespan_rules rules)
{
    pn_makespan_config config = makespan_config(batch, rules, 6, 4);
    config.base_map_slots = 3;
    config.groups_max = GROUPS;
    config.statistics = 1;
    config.ticks = 7;
    config.seed = 5;
    return config;
}

/* Calls it for both shapes, all rules, and all policies that decide by themselves. */
static void for_all(void (*check)(const makespan_batch *batch, const pn_makespan_config *config,
                                  const pn_makespan_hooks *hooks))
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t o = 0; o < MAKESPAN_OPTIONS; o++) {
            makespan_batch batch = makespan_new(JOBS, 51 + o, shapes[shape]);
            pn_makespan_config config = full_config(&batch, makespan_options[o]);
            /* `optimal` takes 8 jobs at most */
            for (size_t i = 0; pn_makespan_policy_at(i); i++) {
                pn_makespan_hooks hooks = {.policy = pn_makespan_policy_at(i)};
                batch.count = hooks.policy == pn_makespan_optimal() ? 5 : JOBS;
                if (makespan_decides(hooks.policy, config.level))
                    check(&batch, &config, &hooks);
            }
            makespan_free(&batch);
        }
}

static pn_makespan *reopen(void *block, size_t size)
{
    pn_makespan *sim = NULL;
    assert_int_equal(pn_makespan_open(&sim, block, size), PN_OK);
    return sim;
}

static void check_same_end(const pn_makespan *a, const pn_makespan *b)
{
    pn_makespan_totals x = makespan_totals(a), y = makespan_totals(b);
    assert_true(pn_makespan_digest(a) == pn_makespan_digest(b));
    assert_true(makespan_same_totals(&x, &y));
    for (uint32_t group = 0; group <= GROUPS; group++) {
        const pn_stats *p = pn_makespan_completions(a, group == GROUPS ? PN_ALL_GROUPS : group);
        const pn_stats *q = pn_makespan_completions(b, group == GROUPS ? PN_ALL_GROUPS : group);
        assert_memory_equal(p, q, pn_stats_size(p->first_octave, p->octaves));
    }
}

/* ---- forks ---- */

/* Before the plan a fork may get other jobs, and another policy. */
static void forks_have_futures_of_their_own(void **unused)
{
    makespan_batch batch = makespan_new(JOBS, 52, shapes[0]);
    pn_makespan_config config = full_config(&batch, (makespan_rules){.level = PN_MAKESPAN_TASKS});
    pn_makespan_hooks fifo = {.policy = pn_makespan_fifo()}, uaas = {.policy = pn_makespan_uaas()};
    uint64_t digests[3];
    (void)unused;
    config.jobs_max++;
    pn_makespan *parent = makespan_sim(&config);
    size_t size = pn_makespan_block_size(parent);
    void *fork_block = workload_room(size);
    assert_int_equal(makespan_submit(parent, &batch), PN_OK);
    for (int future = 0; future < 3; future++) {
        memcpy(fork_block, parent, size);
        pn_makespan *fork = reopen(fork_block, size);
        if (future == 1)
            assert_int_equal(pn_makespan_submit(fork, &makespan_pair[0], NULL), PN_OK);
        assert_int_equal(
            pn_makespan_run(fork, future == 2 ? &uaas : &fifo, PN_MAKESPAN_FOREVER, UINT64_MAX),
            PN_DONE);
        digests[future] = pn_makespan_digest(fork);
    }
    assert_int_equal(pn_makespan_run(parent, &fifo, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    assert_true(pn_makespan_digest(parent) == digests[0]);
    assert_true(digests[0] != digests[1] && digests[0] != digests[2] && digests[1] != digests[2]);
    free(fork_block);
    free(parent);
    makespan_free(&batch);
}

/* ---- pieces of time ---- */

/* A piece of a run; true when something is left. */
static bool go_on(pn_makespan *sim, const pn_makespan_hooks *hooks, int manner, pn_stream *stream)
{
    uint64_t time = makespan_totals(sim).time, instants_before = makespan_totals(sim).instants;
    uint64_t until = manner == 1 ? PN_MAKESPAN_FOREVER
                                 : time + pn_uniform(stream, 0, 30 * pn_makespan_ticks(sim));
    uint64_t instants = manner == 0 ? UINT64_MAX : pn_uniform(stream, 0, 3);
    int status = pn_makespan_run(sim, hooks, until, instants);
    pn_makespan_totals after = makespan_totals(sim);
    assert_in_range(status, PN_OK, PN_PAUSED);
    assert_true(after.instants - instants_before <= instants);
    assert_true(after.instants == instants_before || after.time < until);
    assert_true(status != PN_PAUSED || after.instants - instants_before == instants);
    return status != PN_DONE;
}

static void check_pieces(const makespan_batch *batch, const pn_makespan_config *config,
                         const pn_makespan_hooks *hooks)
{
    pn_makespan *straight = makespan_done(batch, config, hooks);
    pn_stream stream;
    pn_stream_init(&stream, 53, 0, 9);
    for (int manner = 0; manner < 3; manner++) { /* by time, by instants, by both */
        pn_makespan *sim = makespan_sim(config);
        assert_int_equal(makespan_submit(sim, batch), PN_OK);
        assert_int_equal(pn_makespan_plan(sim, hooks), PN_OK);
        for (int pieces = 0; go_on(sim, hooks, manner, &stream); pieces++)
            assert_in_range(pieces, 0, 100000);
        check_same_end(sim, straight);
        free(sim);
    }
    free(straight);
}

static void how_time_is_cut_does_not_matter(void **unused)
{
    (void)unused;
    for_all(check_pieces);
}

/* ---- what is told of a finish ---- */

typedef struct spans {
    uint64_t start[2], end[2];
    unsigned tasks[2];
} spans;

typedef struct seen {
    const makespan_batch *batch;
    const pn_makespan_config *config;
    spans job[JOBS];
    double completion[JOBS], unit;
    uint32_t group[JOBS];
    size_t finishes;
    uint64_t last, last_id, sum, decided;
} seen;

static void see_decision(void *user, const pn_makespan_decision *decision)
{
    seen *s = user;
    int stage = decision->kind == PN_MAKESPAN_START_REDUCE;
    spans *x = &s->job[decision->id - 1];
    assert_true(decision->start >= s->decided && decision->end >= decision->start);
    s->decided = decision->start;
    if (x->tasks[stage]++ == 0)
        x->start[stage] = decision->start;
    x->end[stage] = decision->end > x->end[stage] ? decision->end : x->end[stage];
}

static void see_finish(void *user, const pn_makespan_finish *finish)
{
    seen *s = user;
    const spans *x = &s->job[finish->id - 1];
    const pn_makespan_job *job = &s->batch->jobs[finish->id - 1];
    assert_true(finish->finish > s->last ||
                (finish->finish == s->last && finish->id > s->last_id) || s->finishes == 0);
    assert_true(finish->tag == job->tag && finish->group == job->group);
    /* without maps 0 and 0 (MK20) */
    assert_true(finish->map_start == x->start[0] && finish->map_finish == x->end[0]);
    if (x->tasks[1] > 0)
        assert_true(finish->reduce_start == x->start[1] && finish->finish == x->end[1]);
    else
        assert_true(finish->reduce_start == finish->map_finish &&
                    finish->finish == finish->map_finish);
    if (s->config->level == PN_MAKESPAN_STAGES)
        assert_true(x->tasks[0] == 1 && x->tasks[1] <= 1);
    s->last = finish->finish;
    s->last_id = finish->id;
    s->sum += finish->finish;
    s->completion[s->finishes] = (double)finish->finish;
    s->group[s->finishes++] = finish->group;
}

static void check_statistics(const pn_stats *stats, const seen *s, uint32_t group, double ticks)
{
    double sum = 0, least = INFINITY, most = 0;
    size_t count = 0;
    for (size_t i = 0; i < s->finishes; i++) {
        double value = s->completion[i] / ticks;
        if (group != PN_ALL_GROUPS && s->group[i] != group)
            continue;
        count++;
        sum += value;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    assert_int_equal(stats->count, count);
    if (count > 0)
        assert_true(stats->min == least && stats->max == most &&
                    fabs(stats->mean - sum / (double)count) <= 1e-12 * sum);
}

static void check_finishes(const makespan_batch *batch, const pn_makespan_config *config,
                           const pn_makespan_hooks *hooks)
{
    seen s = {.batch = batch, .config = config};
    pn_makespan_hooks seeing = {
        .policy = hooks->policy, .on_finish = see_finish, .on_decision = see_decision, .user = &s};
    pn_makespan *sim = makespan_done(batch, config, &seeing);
    pn_makespan *silent = makespan_done(batch, config, hooks);
    pn_makespan_totals totals = makespan_totals(sim);
    pn_exact total;
    check_same_end(sim, silent); /* who looks on changes nothing */
    assert_true(s.finishes == batch->count && totals.finished == batch->count);
    assert_true(totals.makespan == s.last && totals.time == s.last);
    assert_int_equal(pn_exact_make(&total, (int64_t)s.sum, (int64_t)pn_makespan_ticks(sim)), PN_OK);
    assert_true(makespan_same_exact(total, totals.total_completion));
    for (uint32_t group = 0; group < GROUPS; group++)
        check_statistics(pn_makespan_completions(sim, group), &s, group,
                         (double)pn_makespan_ticks(sim));
    check_statistics(pn_makespan_completions(sim, PN_ALL_GROUPS), &s, PN_ALL_GROUPS,
                     (double)pn_makespan_ticks(sim));
    assert_null(pn_makespan_completions(sim, GROUPS));
    free(sim);
    free(silent);
}

static void finishes_are_what_the_decisions_say(void **unused)
{
    (void)unused;
    for_all(check_finishes);
}

/* ---- damage ---- */

/* A block may claim that tasks not started yet last for ever. The run ends with an error while
 * others run still, and does not wait at the instant at which the first of them cannot start. */
static void tasks_that_end_beyond_all_time_end_the_run(void **unused)
{
    static const pn_makespan_stretch maps[] = {{3, 1}, {5, 2}};
    const pn_makespan_job job = {.stage = {{.stretches = maps, .stretch_count = 2}}};
    pn_makespan_hooks fifo = {.policy = pn_makespan_fifo()};
    pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_sim(&config);
    (void)unused;
    assert_int_equal(pn_makespan_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_makespan_step(sim, &fifo), PN_OK);
    pn_makespan_flow *flow = pn_at(sim, sim->flows);
    assert_true(flow->running == 2 && flow->left == 1);
    flow->duration = PN_MAKESPAN_MOST;
    assert_int_equal(pn_makespan_validate(sim, pn_makespan_size(&config)), PN_OK);
    assert_int_equal(pn_makespan_run(sim, &fifo, PN_MAKESPAN_FOREVER, 1000), PN_ERR_DAMAGED);
    assert_int_equal(makespan_totals(sim).time, 3);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forks_have_futures_of_their_own),
        cmocka_unit_test(how_time_is_cut_does_not_matter),
        cmocka_unit_test(finishes_are_what_the_decisions_say),
        cmocka_unit_test(tasks_that_end_beyond_all_time_end_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
