/* What a policy sees while it decides: the batch as it was submitted, estimates and orders as the
 * rules define them, and scores that are what a run will come to. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "makespan/support/workload.h"

enum { JOBS = 7, MAPS = 6, REDUCES = 4, UNIT = 3 };

static const makespan_shape shapes[] = {
    {.tasks = 4, .longest = 12, .groups = 2},
    {.tasks = 3, .longest = 3, .odd = 1, .groups = 2},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

typedef struct watch {
    const makespan_batch *batch;
    const pn_makespan_config *config;
    pn_stream stream; /* of the test's own choices */
    unsigned decided;
    /* what it decided on, and what it expects of that */
    uint32_t order[JOBS];
    pn_makespan_score score;
    uint64_t drawn;
} watch;

static pn_makespan_config config_for(const makespan_batch *batch, makespan_rules rules)
{
    pn_makespan_config config = makespan_config(batch, rules, MAPS, REDUCES);
    config.base_map_slots = 5;
    config.groups_max = 2;
    config.ticks = UNIT;
    config.seed = 11;
    config.replica = 2;
    return config;
}

/* ---- a stage, task by task ---- */

typedef struct stage {
    uint64_t task[MAKESPAN_STRETCHES * 4 * 4];
    uint32_t count;
    uint64_t work, longest;
    uint32_t requested;
} stage;

static stage stage_of(const watch *w, uint32_t job, uint32_t which)
{
    const pn_makespan_stage_of_job *given = &w->batch->jobs[job].stage[which];
    uint32_t base = which == 0 ? w->config->base_map_slots : w->config->reduce_slots;
    stage s = {.count = 0};
    for (uint32_t i = 0; i < given->stretch_count; i++)
        for (uint32_t k = 0; k < given->stretches[i].count; k++)
            s.task[s.count++] = given->stretches[i].duration;
    if (given->stretch_count == 0 && given->has_time && !given->empty && given->time > 0)
        for (uint32_t k = 0; k < (given->requested ? given->requested : base); k++)
            s.task[s.count++] = given->time;
    for (uint32_t i = 0; i < s.count; i++) {
        s.work += s.task[i];
        s.longest = s.task[i] > s.longest ? s.task[i] : s.longest;
    }
    s.requested = given->requested ? given->requested : s.count > 0 ? s.count : 1;
    return s;
}

static uint64_t waves(const stage *s, uint32_t slots)
{
    uint64_t at[MAPS + REDUCES] = {0}, end = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t first = 0;
        for (uint32_t k = 1; k < slots; k++)
            first = at[k] < at[first] ? k : first;
        at[first] += s->task[i];
        end = at[first] > end ? at[first] : end;
    }
    return end;
}

/* Rules E. */
static pn_exact estimate(const watch *w, uint32_t job, uint32_t which, uint32_t time,
                         uint32_t slots)
{
    const pn_makespan_stage_of_job *given = &w->batch->jobs[job].stage[which];
    stage s = stage_of(w, job, which);
    uint32_t width = s.requested < slots ? s.requested : slots;
    if (time == PN_MAKESPAN_GIVEN && given->has_time)
        return (pn_exact){(int64_t)given->time, 1};
    if (time == PN_MAKESPAN_FLUID || time == PN_MAKESPAN_CAPPED)
        return (pn_exact){(int64_t)s.work, time == PN_MAKESPAN_FLUID ? slots : width};
    return (pn_exact){(int64_t)waves(&s, time == PN_MAKESPAN_WAVES ? slots : width), 1};
}

/* ---- what is to be seen ---- */

static void check_stage(const pn_makespan_view *view, const watch *w, uint32_t job, uint32_t which)
{
    stage s = stage_of(w, job, which);
    uint32_t task = 0;
    assert_int_equal(pn_makespan_tasks(view, job, which), s.count);
    assert_int_equal(pn_makespan_work(view, job, which), s.work);
    assert_int_equal(pn_makespan_longest(view, job, which), s.longest);
    assert_int_equal(pn_makespan_requested(view, job, which), s.requested);
    for (uint32_t i = 0; i < pn_makespan_stretch_count(view, job, which); i++) {
        pn_makespan_stretch stretch = pn_makespan_stretch_of(view, job, which, i);
        assert_true(stretch.count > 0);
        for (uint32_t k = 0; k < stretch.count; k++)
            assert_int_equal(stretch.duration, s.task[task++]);
    }
    assert_int_equal(task, s.count);
    for (uint32_t time = PN_MAKESPAN_GIVEN; time <= PN_MAKESPAN_FLUID; time++)
        for (uint32_t slots = 1; slots <= (which == 0 ? MAPS : REDUCES); slots++)
            assert_int_equal(pn_exact_compare(pn_makespan_estimate(view, job, which, time, slots),
                                              estimate(w, job, which, time, slots)),
                             0);
}

static void check_batch(const pn_makespan_view *view, const watch *w)
{
    assert_int_equal(pn_makespan_job_count(view), JOBS);
    assert_int_equal(pn_makespan_slots(view, PN_MAKESPAN_MAP), MAPS);
    assert_int_equal(pn_makespan_slots(view, PN_MAKESPAN_REDUCE), REDUCES);
    assert_int_equal(pn_makespan_nodes(view), 2);
    assert_int_equal(pn_makespan_level_of(view), w->config->level);
    assert_int_equal(pn_makespan_resplit_of(view), w->config->resplit);
    assert_int_equal(pn_makespan_unit(view), UNIT);
    assert_string_equal(pn_makespan_policy_of(view)->name, "watching");
    assert_true(pn_makespan_param_value(view, 0) == 0.25 && pn_makespan_param_value(view, 1) == 3);
    for (uint32_t job = 0; job < JOBS; job++) {
        assert_int_equal(pn_makespan_group(view, job), w->batch->jobs[job].group);
        for (uint32_t which = 0; which < 2; which++)
            check_stage(view, w, job, which);
    }
}

/* As MK7 and MK8 are worded: from all jobs the smallest duration is taken again and again; or two
 * blocks, each sorted. */
static void johnson(const pn_exact *map, const pn_exact *reduce, const uint32_t *jobs,
                    uint32_t count, uint32_t tie, uint32_t *order)
{
    bool taken[JOBS] = {false};
    uint32_t front = 0, back = count;
    for (uint32_t round = 0; round < count; round++) {
        uint32_t best = JOBS;
        bool by_map = false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t job = jobs[i];
            bool maps = pn_exact_compare(map[job], reduce[job]) <
                        (tie == PN_MAKESPAN_ALG21 ? 1 : 0);
            pn_exact key = maps ? map[job] : reduce[job];
            pn_exact least = best == JOBS ? key : by_map ? map[best] : reduce[best];
            int which = best == JOBS ? -1 : pn_exact_compare(key, least);
            /* mkjr fills the back block from its end: the larger index first */
            bool wins = by_map == maps && tie == PN_MAKESPAN_MKJR && !maps ? job > best
                                                                           : job < best;
            if (!taken[job] && (which < 0 || (which == 0 && wins))) {
                best = job;
                by_map = maps;
            }
        }
        assert_in_range(best, 0, JOBS - 1);
        taken[best] = true;
        order[by_map ? front++ : --back] = best;
    }
}

static void shuffle(watch *w, uint32_t *jobs, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t k = (uint32_t)pn_uniform(&w->stream, 0, i - 1), moved = jobs[k];
        jobs[k] = jobs[i - 1];
        jobs[i - 1] = moved;
    }
}

/* Of any of the jobs, in whatever order they come. */
static void check_johnson(pn_makespan_view *view, watch *w)
{
    for (uint32_t time = PN_MAKESPAN_GIVEN; time <= PN_MAKESPAN_FLUID; time++)
        for (uint32_t tie = 0; tie <= PN_MAKESPAN_MKJR; tie++) {
            uint32_t jobs[JOBS], again[JOBS], expected[JOBS],
                count = (uint32_t)pn_uniform(&w->stream, 0, JOBS);
            uint32_t map_slots = (uint32_t)pn_uniform(&w->stream, 1, MAPS);
            uint32_t reduce_slots = (uint32_t)pn_uniform(&w->stream, 1, REDUCES);
            pn_exact map[JOBS], reduce[JOBS];
            for (uint32_t job = 0; job < JOBS; job++) {
                jobs[job] = job;
                map[job] = estimate(w, job, 0, time, map_slots);
                reduce[job] = estimate(w, job, 1, time, reduce_slots);
            }
            shuffle(w, jobs, JOBS);
            memcpy(again, jobs, sizeof again);
            johnson(map, reduce, jobs, count, tie, expected);
            assert_int_equal(
                pn_makespan_johnson_order(view, jobs, count, time, tie, map_slots, reduce_slots),
                PN_OK);
            assert_memory_equal(jobs, expected, count * sizeof *jobs);
            assert_int_equal(pn_makespan_johnson_by(view, again, count, map, reduce, tie), PN_OK);
            assert_memory_equal(again, expected, count * sizeof *jobs);
        }
}

/* Orders that are not better are said to be so, whether early or late. */
static void check_scores(pn_makespan_view *view, watch *w)
{
    pn_makespan_score best = {.ticks = 0};
    for (int i = 0; i < 20; i++) {
        pn_makespan_score score, tried;
        uint32_t jobs[JOBS];
        for (uint32_t job = 0; job < JOBS; job++)
            jobs[job] = job;
        shuffle(w, jobs, JOBS);
        assert_int_equal(pn_makespan_evaluate(view, jobs, JOBS, MAPS, REDUCES, NULL, 1, &score),
                         PN_OK);
        assert_int_equal(pn_makespan_score_compare(&score, &score, 1), 0);
        bool first = best.ticks == 0;
        for (int total = 0; total <= 1 && !first; total++) {
            int better = pn_makespan_score_compare(&score, &best, total) < 0;
            assert_int_equal(pn_makespan_score_compare(&best, &score, total),
                             -pn_makespan_score_compare(&score, &best, total));
            int status = pn_makespan_evaluate(view, jobs, JOBS, MAPS, REDUCES, &best, total,
                                              &tried);
            assert_int_equal(status, better ? PN_OK : PN_DONE);
            if (better)
                assert_int_equal(pn_makespan_score_compare(&tried, &score, 1), 0);
        }
        if (first || pn_makespan_score_compare(&score, &best, 1) < 0) {
            best = score;
            memcpy(w->order, jobs, sizeof jobs);
        }
    }
    w->score = best;
}

static int watch_decide(pn_makespan_view *view)
{
    watch *w = pn_makespan_user(view);
    w->decided++;
    check_batch(view, w);
    check_johnson(view, w);
    check_scores(view, w);
    assert_null(pn_makespan_order_set(view));
    assert_int_equal(pn_makespan_pools_set(view), 0);
    w->drawn = pn_random64(pn_makespan_stream(view));
    return pn_makespan_give_order(view, w->order, JOBS);
}

static const pn_makespan_policy watching = {
    .name = "watching",
    .param_count = 2,
    .params = {{"half", 0.5, 0, 1, NULL, 0, ""}, {"three", 3, 0, 9, NULL, 1, ""}},
    .decide = watch_decide,
};

/* What it decided on came to what the evaluation said. */
static void check_outcome(const pn_makespan *sim, const watch *w)
{
    pn_makespan_totals totals = makespan_totals(sim);
    uint64_t fine = pn_makespan_ticks(sim) / UNIT;
    pn_exact makespan, score;
    assert_int_equal(pn_exact_make(&makespan, (int64_t)totals.makespan, (int64_t)fine), PN_OK);
    assert_int_equal(pn_exact_make(&score, (int64_t)w->score.makespan, (int64_t)w->score.ticks),
                     PN_OK);
    assert_int_equal(pn_exact_compare(makespan, score), 0);
    assert_int_equal(w->score.total[0], 0);
    assert_int_equal(
        pn_exact_make(&score, (int64_t)w->score.total[1], (int64_t)(w->score.ticks * UNIT)), PN_OK);
    assert_int_equal(pn_exact_compare(totals.total_completion, score), 0);
    assert_in_range(totals.evaluations, 20, 1000);
    for (uint32_t i = 0; i < JOBS; i++)
        assert_int_equal(pn_makespan_order(sim, i), w->order[i] + 1);
}

static void the_view_tells_the_truth(void **unused)
{
    const double params[] = {0.25, 3};
    (void)unused;
    for (int s = 0; s < SHAPES; s++)
        for (size_t o = 0; o < MAKESPAN_OPTIONS; o++) {
            makespan_batch batch = makespan_new(JOBS, 70 + o, shapes[s]);
            pn_makespan_config config = config_for(&batch, makespan_options[o]);
            watch w = {.batch = &batch, .config = &config};
            pn_makespan_hooks hooks = {.policy = &watching, .params = params, .user = &w};
            pn_stream stream;
            pn_stream_init(&w.stream, o, 0, 9);
            pn_makespan *sim = makespan_done(&batch, &config, &hooks);
            check_outcome(sim, &w);
            enum { POLICY_PURPOSE = 64 }; /* the kernel's affair, but the same everywhere */
            pn_stream_init(&stream, config.seed, config.replica, POLICY_PURPOSE);
            assert_true(w.decided == 1 && w.drawn == pn_random64(&stream));
            free(sim);
            makespan_free(&batch);
        }
}

/* ---- scores on any slots ---- */

enum { SPLITS = 3, ASKING_JOBS = 8 }; /* slots of each kind */

/* What an evaluation says on some slots. */
typedef struct told {
    int status;
    pn_makespan_score score;
} told;

/* The scores that one decision asks for, and the answers. Pair k is k / SPLITS + 1 map slots and
 * k % SPLITS + 1 reduce slots. */
typedef struct asking {
    const uint32_t *pairs;
    uint32_t count;
    told *told;
} asking;

static int ask_scores(pn_makespan_view *view)
{
    static const uint32_t jobs[ASKING_JOBS] = {0, 1, 2, 3, 4, 5, 6, 7};
    const asking *a = pn_makespan_user(view);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t pair = a->pairs[i];
        a->told[i].status = pn_makespan_evaluate(view, jobs, ASKING_JOBS, pair / SPLITS + 1,
                                                 pair % SPLITS + 1, NULL, 1, &a->told[i].score);
    }
    return pn_makespan_give_order(view, jobs, ASKING_JOBS);
}

static void ask_in_a_run(uint64_t longest, const uint32_t *pairs, uint32_t count, told *answers)
{
    const pn_makespan_policy policy = {.name = "asking", .decide = ask_scores};
    pn_makespan_job jobs[ASKING_JOBS] = {
        {.stage = {{LISTED({5, 1}, {2, 2}), .requested = 2}, {LISTED({longest, 1})}}},
        {.stage = {{LISTED({longest, 1})}, {LISTED({3, 1}, {0, 2})}}},
    };
    const pn_makespan_job plain = {.stage = {{LISTED({4, 1})}, {LISTED({5, 1})}}};
    for (int i = 2; i < ASKING_JOBS; i++) /* as many as fill their tables to the brim */
        jobs[i] = plain;
    makespan_batch batch = {ASKING_JOBS, jobs, NULL};
    asking asked = {pairs, count, answers};
    pn_makespan_config config = makespan_config(
        &batch, (makespan_rules){.stage_time = PN_MAKESPAN_FLUID}, SPLITS, SPLITS);
    pn_makespan *sim = makespan_sim(&config);
    assert_int_equal(makespan_submit(sim, &batch), PN_OK);
    pn_makespan_plan(sim, &(pn_makespan_hooks){.policy = &policy, .user = &asked});
    free(sim);
}

/* Whatever was asked before, and whether that could be told. */
static void scores_do_not_depend_on_what_was_asked_before(void **unused)
{
    enum { PAIRS = SPLITS * SPLITS, ASKED = 400 };
    uint32_t refused = 0;
    (void)unused;
    for (uint64_t longest = 7; longest < PN_MAKESPAN_MOST / 2; longest += PN_MAKESPAN_MOST / 5) {
        told alone[PAIRS], answers[ASKED];
        uint32_t pairs[ASKED];
        pn_stream stream;
        pn_stream_init(&stream, 3, 0, 9);
        for (uint32_t pair = 0; pair < PAIRS; pair++) {
            ask_in_a_run(longest, &pair, 1, &alone[pair]);
            refused += alone[pair].status != PN_OK;
        }
        for (uint32_t i = 0; i < ASKED; i++)
            pairs[i] = (uint32_t)pn_uniform(&stream, 0, PAIRS - 1);
        ask_in_a_run(longest, pairs, ASKED, answers);
        for (uint32_t i = 0; i < ASKED; i++) {
            assert_int_equal(answers[i].status, alone[pairs[i]].status);
            if (answers[i].status == PN_OK)
                assert_memory_equal(&answers[i].score, &alone[pairs[i]].score,
                                    sizeof answers[i].score);
        }
    }
    assert_in_range(refused, 5, 2 * PAIRS);
}

/* ---- what the host has set ---- */

static int see_order_and_pools(pn_makespan_view *view)
{
    const uint32_t *order = pn_makespan_order_set(view);
    uint32_t nodes, count;
    assert_true(order[0] == 1 && order[1] == 0);
    assert_int_equal(pn_makespan_pools_set(view), 2);
    const uint32_t *jobs = pn_makespan_pool_set(view, 0, &nodes, &count);
    assert_true(nodes == 1 && count == 1 && jobs[0] == 1);
    jobs = pn_makespan_pool_set(view, 1, &nodes, &count);
    assert_true(nodes == 2 && count == 1 && jobs[0] == 0);
    return pn_makespan_give_order(view, order, 2);
}

static void what_the_host_set_is_seen(void **unused)
{
    const pn_makespan_policy policy = {.name = "seeing", .decide = see_order_and_pools};
    static const uint64_t order[] = {2, 1}, first[] = {2};
    makespan_batch batch = {2, (pn_makespan_job *)(uintptr_t)makespan_pair, NULL};
    pn_makespan_config config = makespan_config(&batch,
                                                (makespan_rules){.level = PN_MAKESPAN_TASKS}, 6, 3);
    (void)unused;
    config.groups_max = 2;
    pn_makespan *sim = makespan_sim(&config);
    assert_int_equal(makespan_submit(sim, &batch), PN_OK);
    assert_int_equal(pn_makespan_set_order(sim, order, 2), PN_OK);
    assert_int_equal(pn_makespan_set_pools(sim, &(pn_makespan_pool){1, 1, first}, 1), PN_OK);
    assert_int_equal(pn_makespan_plan(sim, &(pn_makespan_hooks){.policy = &policy}), PN_OK);
    assert_int_equal(pn_makespan_pools(sim), 1);
    free(sim);
}

/* ---- slots ---- */

typedef struct slots {
    uint64_t free[2][MAPS]; /* from when on */
} slots;

/* MK15: the lowest of the slots that are free. */
static void see_slot(void *user, const pn_makespan_decision *d)
{
    slots *s = user;
    uint64_t *at = s->free[d->kind == PN_MAKESPAN_START_REDUCE];
    for (uint32_t lower = 0; lower < d->slot; lower++)
        assert_true(at[lower] > d->start);
    assert_true(at[d->slot] <= d->start);
    at[d->slot] = d->end;
}

static void the_lowest_slot_is_taken(void **unused)
{
    (void)unused;
    for (size_t o = 0; o < MAKESPAN_OPTIONS; o++) {
        makespan_batch batch = makespan_new(JOBS, 90 + o, shapes[0]);
        pn_makespan_config config = config_for(&batch, makespan_options[o]);
        slots s = {{{0}}};
        pn_makespan_hooks hooks = {
            .policy = pn_makespan_fifo(), .on_decision = see_slot, .user = &s};
        free(makespan_done(&batch, &config, &hooks));
        makespan_free(&batch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_view_tells_the_truth),
        cmocka_unit_test(scores_do_not_depend_on_what_was_asked_before),
        cmocka_unit_test(what_the_host_set_is_seen),
        cmocka_unit_test(the_lowest_slot_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
