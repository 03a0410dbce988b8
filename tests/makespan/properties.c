/* What is proved about the makespan model, and what is refuted: bounds that no schedule breaks,
 * against all schedules of tiny instances; identities on random ones; and the examples that show
 * where a theorem ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "makespan/support/instance.h"

enum { RANDOM = 400, TINY = 150, SEED = 2014 };

/* ---- instances ---- */

static pn_stream stream_of(uint32_t number)
{
    pn_stream stream;
    pn_stream_init(&stream, SEED, number, 1);
    return stream;
}

static makespan_instance cluster(unsigned map_slots, unsigned reduce_slots)
{
    return (makespan_instance){.config = {.slots = {map_slots, reduce_slots}}};
}

static void add_tasks(naive_makespan_stage *stage, size_t count, fraction duration)
{
    stage->listed = true;
    for (size_t i = 0; i < count; i++)
        stage->tasks[stage->count++] = duration;
}

/* "2 5 1" */
static void list_tasks(naive_makespan_stage *stage, const char *text)
{
    char *end = NULL;
    stage->listed = true;
    for (long duration = strtol(text, &end, 10); end != text; duration = strtol(text, &end, 10)) {
        add_tasks(stage, 1, fraction_whole(duration));
        text = end;
    }
}

static naive_makespan_job *add_job(makespan_instance *to, const char *maps, const char *reduces)
{
    naive_makespan_job *job = &to->jobs[to->count];
    to->config.order[to->count] = to->count;
    to->count++;
    list_tasks(&job->stage[NAIVE_MAP], maps);
    list_tasks(&job->stage[NAIVE_REDUCE], reduces);
    return job;
}

/* Given by its times alone. */
static void add_timed(makespan_instance *to, unsigned requested, long long map_time,
                      long long reduce_time)
{
    naive_makespan_job *job = &to->jobs[to->count];
    to->config.order[to->count] = to->count;
    to->count++;
    job->stage[NAIVE_MAP] = (naive_makespan_stage){
        .has_time = true, .time = {map_time, 1}, .requested = requested};
    job->stage[NAIVE_REDUCE] = (naive_makespan_stage){
        .has_time = true, .time = {reduce_time, 1}, .requested = requested};
}

/* ---- running ---- */

static const naive_makespan_result *run(const makespan_instance *given, const char *policy,
                                        unsigned level)
{
    static makespan_outcome out;
    makespan_instance wanted = *given;
    wanted.config.policy = policy;
    wanted.config.level = level;
    makespan_instance_run(&wanted, (makespan_manner){.planned = true}, &out);
    if (out.status != PN_DONE || out.fault[0] != '\0') {
        makespan_instance_print(&wanted);
        fail_msg("%s: %s %s", policy, pn_status_name(out.status), out.fault);
    }
    return &out.result;
}

static fraction makespan_of(const makespan_instance *given, const char *policy, unsigned level)
{
    return run(given, policy, level)->makespan;
}

static void at_most(const char *what, const makespan_instance *on, fraction value, fraction limit)
{
    if (!fraction_less(limit, value))
        return;
    makespan_instance_print(on);
    fail_msg("%s: %lld/%lld is above %lld/%lld", what, value.num, value.den, limit.num, limit.den);
}

static void equals(const char *what, const makespan_instance *on, fraction value, fraction wanted)
{
    at_most(what, on, value, wanted);
    at_most(what, on, wanted, value);
}

/* Durations of all stages on the slots of the cluster. */
static void estimate(const makespan_instance *of, unsigned time, fraction map[NAIVE_MAKESPAN_JOBS],
                     fraction reduce[NAIVE_MAKESPAN_JOBS])
{
    makespan_instance full = *of;
    naive_makespan_normalise(&full.config, full.jobs, full.count);
    for (size_t i = 0; i < full.count; i++) {
        map[i] = naive_makespan_estimate(&full.jobs[i].stage[NAIVE_MAP], time,
                                         full.config.slots[NAIVE_MAP]);
        reduce[i] = naive_makespan_estimate(&full.jobs[i].stage[NAIVE_REDUCE], time,
                                            full.config.slots[NAIVE_REDUCE]);
    }
}

/* F of this order, in the fluid model. */
static fraction fluid_of(const makespan_instance *of, const size_t *order)
{
    fraction map[NAIVE_MAKESPAN_JOBS];
    fraction reduce[NAIVE_MAKESPAN_JOBS];
    estimate(of, NAIVE_FLUID, map, reduce);
    return naive_makespan_formula(order, of->count, map, reduce);
}

static fraction fluid_best(const makespan_instance *of)
{
    fraction map[NAIVE_MAKESPAN_JOBS];
    fraction reduce[NAIVE_MAKESPAN_JOBS];
    size_t order[NAIVE_MAKESPAN_JOBS];
    for (size_t i = 0; i < of->count; i++)
        order[i] = i;
    estimate(of, NAIVE_FLUID, map, reduce);
    naive_makespan_johnson(order, of->count, map, reduce, NAIVE_ALG21);
    return naive_makespan_formula(order, of->count, map, reduce);
}

static fraction longest_task(const makespan_instance *of, int k)
{
    makespan_instance full = *of;
    fraction longest = fraction_whole(0);
    naive_makespan_normalise(&full.config, full.jobs, full.count);
    for (size_t i = 0; i < full.count; i++)
        for (size_t t = 0; t < full.jobs[i].stage[k].count; t++)
            longest = fraction_most(longest, full.jobs[i].stage[k].tasks[t]);
    return longest;
}

/* (1 - 1/S) of the longest task. */
static fraction last_wave(const makespan_instance *of, int k)
{
    return fraction_multiply(fraction_make(of->config.slots[k] - 1, of->config.slots[k]),
                             longest_task(of, k));
}

/* A random instance in the plain rules: conserving, no caps, tasks as they are. */
static makespan_instance draw_plain(uint32_t number, uint32_t jobs_max)
{
    pn_stream stream = stream_of(number);
    makespan_instance drawn;
    makespan_instance_draw(&drawn, &stream, jobs_max);
    drawn.config.share = NAIVE_CONSERVING;
    drawn.config.cap = NAIVE_CAP_NONE;
    drawn.config.resplit = 0;
    drawn.config.stage_time = 0;
    drawn.config.nodes = 0;
    drawn.config.pool_count = 0;
    return drawn;
}

/* ---- Theorem 1 and its end: whole tasks ---- */

/* T <= F(order) + (1 - 1/S_M) pM + 2 (1 - 1/S_R) pR, whatever the order. */
static void no_order_is_far_above_its_fluid_makespan(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        makespan_instance drawn = draw_plain(number, 6);
        fraction limit = fluid_of(&drawn, drawn.config.order);
        limit = fraction_add(limit, last_wave(&drawn, NAIVE_MAP));
        limit = fraction_add(limit, last_wave(&drawn, NAIVE_REDUCE));
        limit = fraction_add(limit, last_wave(&drawn, NAIVE_REDUCE));
        at_most("the proved bound", &drawn, makespan_of(&drawn, "given_order", NAIVE_TASKS), limit);
    }
}

/* The factor of pR cannot be 1. */
static void twice_the_longest_reduce_is_needed(void **unused)
{
    (void)unused;
    makespan_instance example = cluster(1, 6);
    add_job(&example, "", "4 4 4");
    add_tasks(&add_job(&example, "", "2 2 2 4")->stage[NAIVE_MAP], 20, fraction_make(1, 10));
    equals("F*", &example, fluid_best(&example), fraction_make(11, 3));
    equals("the makespan", &example, makespan_of(&example, "uaas", NAIVE_TASKS), fraction_whole(8));
    fraction once = fraction_add(fraction_make(11, 3),
                                 fraction_add(fraction_make(1, 10), fraction_whole(4)));
    assert_true(fraction_less(once, fraction_whole(8)));
}

/* Tasks of whole jobs in the order in which they start, each on the slot that is free first: some
 * such order is a best schedule, because the tasks of any schedule, taken by their starts, start no
 * later this way. */
typedef struct tiny {
    size_t count[2];
    size_t job[2][8];
    long long ticks[2][8];
    bool used[2][8];
    long long free_at[2][4];
    unsigned slots[2];
    long long map_end[NAIVE_MAKESPAN_JOBS];
    long long best;
} tiny;

static void try_all(tiny *t, int k, size_t left, long long end);

static void try_task(tiny *t, int k, size_t left, long long end, size_t task)
{
    size_t job = t->job[k][task];
    unsigned first = 0;
    for (unsigned s = 1; s < t->slots[k]; s++)
        if (t->free_at[k][s] < t->free_at[k][first])
            first = s;
    long long was_free = t->free_at[k][first];
    long long was_end = t->map_end[job];
    long long start = k == NAIVE_REDUCE && was_end > was_free ? was_end : was_free;
    long long done = start + t->ticks[k][task];
    t->free_at[k][first] = done;
    t->used[k][task] = true;
    if (k == NAIVE_MAP && done > was_end)
        t->map_end[job] = done;
    try_all(t, k, left - 1, done > end ? done : end);
    t->map_end[job] = was_end;
    t->used[k][task] = false;
    t->free_at[k][first] = was_free;
}

/* All orders of the map tasks, and after each all of the reduce tasks. */
static void try_all(tiny *t, int k, size_t left, long long end)
{
    if (end >= t->best)
        return;
    if (left == 0) {
        if (k == NAIVE_MAP)
            try_all(t, NAIVE_REDUCE, t->count[NAIVE_REDUCE], end);
        else
            t->best = end;
        return;
    }
    for (size_t task = 0; task < t->count[k]; task++)
        if (!t->used[k][task])
            try_task(t, k, left, end, task);
}

static fraction best_of_all_schedules(const makespan_instance *of)
{
    tiny t = {.slots = {of->config.slots[0], of->config.slots[1]}, .best = 1000000};
    for (size_t i = 0; i < of->count; i++) {
        for (int k = 0; k < 2; k++) {
            const naive_makespan_stage *stage = &of->jobs[i].stage[k];
            for (size_t task = 0; task < stage->count; task++) {
                t.job[k][t.count[k]] = i;
                t.ticks[k][t.count[k]++] = stage->tasks[task].num;
            }
        }
    }
    try_all(&t, NAIVE_MAP, t.count[NAIVE_MAP], 0);
    return fraction_whole(t.best);
}

/* 1..3 x 1..3 slots, 2..4 jobs with 2..5 tasks of each kind among them. */
static makespan_instance draw_tiny(uint32_t number)
{
    pn_stream stream = stream_of(number);
    unsigned map_slots = (unsigned)pn_uniform(&stream, 1, 3);
    makespan_instance drawn = cluster(map_slots, (unsigned)pn_uniform(&stream, 1, 3));
    uint64_t jobs = pn_uniform(&stream, 2, 4);
    for (uint64_t i = 0; i < jobs; i++)
        add_job(&drawn, i % 2 == 0 ? "2" : "", i % 2 == 0 ? "" : "3");
    drawn.config.pool_count = 1;
    drawn.config.pools[0].nodes = drawn.config.slots[0] == drawn.config.slots[1] ? map_slots : 1;
    drawn.config.pools[0].count = drawn.count;
    memcpy(drawn.config.pools[0].jobs, drawn.config.order, sizeof drawn.config.order);
    for (int k = 0; k < 2; k++) {
        for (uint64_t more = pn_uniform(&stream, 1, 3); more > 0; more--) {
            uint64_t to = pn_uniform(&stream, 0, jobs - 1);
            add_tasks(&drawn.jobs[to].stage[k], 1,
                      fraction_whole((long long)pn_uniform(&stream, 1, 6)));
        }
    }
    return drawn;
}

static void no_schedule_is_below_the_bound_and_no_policy_below_the_best_schedule(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < TINY; number++) {
        makespan_instance drawn = draw_tiny(number);
        fraction best = best_of_all_schedules(&drawn);
        at_most("F*", &drawn, fluid_best(&drawn), best);
        at_most("F* against the bound", &drawn, fluid_best(&drawn),
                run(&drawn, "fifo", NAIVE_TASKS)->bound);
        for (size_t i = 0; pn_makespan_policy_at(i); i++) {
            const naive_makespan_result *result = run(&drawn, pn_makespan_policy_at(i)->name,
                                                      NAIVE_TASKS);
            at_most("the bound", &drawn, result->bound, best);
            at_most("the best schedule", &drawn, best, result->makespan);
            if (pn_makespan_policy_at(i) == pn_makespan_exact())
                equals("exact", &drawn, result->makespan, best);
        }
    }
}

/* A job that lacks a stage must not hide how long the others take in it. */
static void a_job_with_one_stage_makes_no_bound_smaller(void **unused)
{
    (void)unused;
    makespan_instance known = cluster(1, 3);
    add_job(&known, "17 31 5", "5 11 8");
    add_job(&known, "33 8 1", "3");
    add_job(&known, "36", "3 6 6");
    equals("the bound", &known, run(&known, "fifo", NAIVE_TASKS)->bound, fraction_whole(134));
    add_job(&known, "2", "");
    equals("the bound with one job more", &known, run(&known, "fifo", NAIVE_TASKS)->bound,
           fraction_whole(134));
    for (uint32_t number = 0; number < TINY; number++) {
        makespan_instance drawn = draw_tiny(number);
        drawn.config.pool_count = 0;
        fraction before = run(&drawn, "fifo", NAIVE_TASKS)->bound;
        add_job(&drawn, number % 2 ? "1" : "", number % 2 ? "" : "2");
        at_most("the bound without the job", &drawn, before,
                run(&drawn, "fifo", NAIVE_TASKS)->bound);
    }
}

static makespan_instance table_1(void)
{
    makespan_instance table = cluster(30, 30);
    add_timed(&table, 30, 4, 5);
    add_timed(&table, 30, 1, 4);
    add_timed(&table, 20, 30, 4);
    add_timed(&table, 20, 6, 30);
    add_timed(&table, 30, 2, 3);
    return table;
}

/* The best order is above the best pools. */
static void no_order_of_jobs_is_as_good_as_pools(void **unused)
{
    (void)unused;
    makespan_instance table = table_1();
    equals("fluid", &table, fluid_best(&table), fraction_make(107, 3));
    equals("the best order", &table, makespan_of(&table, "optimal", NAIVE_TASKS),
           fraction_whole(41));
    equals("pools", &table, makespan_of(&table, "balanced_pools", NAIVE_TASKS), fraction_whole(40));
}

/* ---- Theorem 2: how far off exclusive stages are ---- */

static void exclusive_stages_are_unboundedly_worse(void **unused)
{
    (void)unused;
    for (unsigned slots = 2; slots <= 6; slots++) {
        makespan_instance example = cluster(slots, slots);
        for (unsigned i = 0; i < slots; i++)
            add_job(&example, "1", "1");
        equals("conserving", &example, makespan_of(&example, "mk_jr", NAIVE_TASKS),
               fraction_whole(2));
        example.config.share = NAIVE_EXCLUSIVE;
        equals("exclusive", &example, makespan_of(&example, "mk_jr", NAIVE_TASKS),
               fraction_whole(slots + 1));
    }
}

/* ---- Theorem 3: when the order stays ---- */

static void same_order(const makespan_instance *on, const size_t *order, const size_t *wanted)
{
    for (size_t i = 0; i < on->count; i++) {
        if (order[i] == wanted[i])
            continue;
        makespan_instance_print(on);
        fail_msg("place %zu of the order: job %zu, not %zu", i + 1, order[i] + 1, wanted[i] + 1);
    }
}

static void fluid_orders_stay_when_both_numbers_of_slots_grow_alike(void **unused)
{
    (void)unused;
    size_t order[NAIVE_MAKESPAN_JOBS];
    for (uint32_t number = 0; number < RANDOM; number++) {
        makespan_instance drawn = draw_plain(number, 6);
        memcpy(order, run(&drawn, "uaas", NAIVE_STAGES)->order, sizeof order);
        for (int k = 0; k < 2; k++) {
            drawn.config.base_slots[k] = drawn.config.base_slots[k] > 0 ? drawn.config.base_slots[k]
                                                                        : drawn.config.slots[k];
            drawn.config.slots[k] *= 7;
        }
        same_order(&drawn, run(&drawn, "uaas", NAIVE_STAGES)->order, order);
    }
}

static void fluid_orders_change_with_the_ratio_of_slots(void **unused)
{
    (void)unused;
    makespan_instance example = cluster(10, 10);
    for (int i = 0; i < 2; i++)
        add_job(&example, "", "");
    add_tasks(&example.jobs[0].stage[NAIVE_MAP], 10, fraction_whole(1));
    add_tasks(&example.jobs[0].stage[NAIVE_REDUCE], 20, fraction_whole(1));
    add_tasks(&example.jobs[1].stage[NAIVE_MAP], 10, fraction_whole(3));
    add_tasks(&example.jobs[1].stage[NAIVE_REDUCE], 10, fraction_whole(4));
    same_order(&example, run(&example, "uaas", NAIVE_STAGES)->order, (const size_t[]){0, 1});
    example.config.slots[NAIVE_REDUCE] = 40;
    same_order(&example, run(&example, "uaas", NAIVE_STAGES)->order, (const size_t[]){1, 0});
}

/* The paper's second example, of five nodes and of four. */
static void orders_by_waves_change_with_the_number_of_nodes(void **unused)
{
    (void)unused;
    makespan_instance example = cluster(10, 10);
    add_timed(&example, 1, 9, 10);
    add_timed(&example, 1, 11, 15);
    example.jobs[0].stage[NAIVE_MAP].requested = 10;
    example.jobs[1].stage[NAIVE_MAP].requested = 8;
    example.config.estimate = NAIVE_WAVES_REQUESTED;
    same_order(&example, run(&example, "mk_jr", NAIVE_TASKS)->order, (const size_t[]){0, 1});
    equals("five nodes", &example, run(&example, "mk_jr", NAIVE_TASKS)->makespan,
           fraction_whole(35));
    example.config.slots[NAIVE_MAP] = example.config.slots[NAIVE_REDUCE] = 8;
    same_order(&example, run(&example, "mk_jr", NAIVE_TASKS)->order, (const size_t[]){1, 0});
    equals("four nodes", &example, run(&example, "mk_jr", NAIVE_TASKS)->makespan,
           fraction_whole(39));
}

/* ---- Theorem 4: more slots, and their ratio ---- */

static void more_slots_never_hurt_in_the_fluid_model(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        makespan_instance drawn = draw_plain(number, 6);
        fraction before = makespan_of(&drawn, "uaas", NAIVE_STAGES);
        for (int k = 0; k < 2; k++) {
            makespan_instance more = drawn;
            for (int s = 0; s < 2; s++)
                more.config.base_slots[s] = more.config.base_slots[s] > 0
                                                ? more.config.base_slots[s]
                                                : more.config.slots[s];
            more.config.slots[k]++;
            at_most("one slot more", &more, makespan_of(&more, "uaas", NAIVE_STAGES), before);
        }
    }
}

static void more_slots_may_hurt_whole_tasks(void **unused)
{
    (void)unused;
    makespan_instance example = cluster(2, 3);
    add_job(&example, "2 1 1", "3");
    add_job(&example, "5", "2 5");
    add_job(&example, "5", "6 5 1");
    for (size_t i = 0; i < 3; i++)
        example.config.order[i] = 2 - i;
    equals("2 map slots", &example, makespan_of(&example, "given_order", NAIVE_TASKS),
           fraction_whole(13));
    example.config.slots[NAIVE_MAP] = 3;
    equals("3 map slots", &example, makespan_of(&example, "given_order", NAIVE_TASKS),
           fraction_whole(15));
}

/* Table 1 in the fluid model: rounding aside, the best ratio is the same however many slots there
 * are. */
static void the_best_ratio_does_not_depend_on_the_total(void **unused)
{
    (void)unused;
    static const unsigned totals[][2] = {{6, 3},   {12, 6},   {24, 12},
                                         {60, 29}, {120, 58}, {600, 290}};
    static makespan_outcome out;
    makespan_instance table = table_1();
    table.config.policy = "uaas";
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        makespan_instance_search_ratio(&table, (makespan_manner){.planned = true}, totals[i][0],
                                       &out);
        assert_int_equal(out.status, PN_DONE);
        assert_string_equal(out.fault, "");
        assert_int_equal(out.result.slots[NAIVE_MAP], totals[i][1]);
        if (totals[i][0] >= 60) /* 2078.98 */
            equals("slots times makespan", &table,
                   fraction_multiply(fraction_whole(totals[i][0]), out.result.makespan),
                   fraction_multiply(fraction_whole(60), fraction_make(31150, 899)));
    }
}

/* ---- identities ---- */

/* MK12, for the kernel's own run of the stage level. */
static void the_formula_is_the_makespan_of_stages(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        makespan_instance drawn = draw_plain(number, 6);
        fraction map[NAIVE_MAKESPAN_JOBS];
        fraction reduce[NAIVE_MAKESPAN_JOBS];
        drawn.config.stage_time = NAIVE_GIVEN + number % 5;
        estimate(&drawn, drawn.config.stage_time, map, reduce);
        fraction makespan = makespan_of(&drawn, "given_order", NAIVE_STAGES);
        equals("formula", &drawn,
               naive_makespan_formula(drawn.config.order, drawn.count, map, reduce), makespan);
        equals("its other form", &drawn,
               naive_makespan_formula_split(drawn.config.order, drawn.count, map, reduce),
               makespan);
    }
}

/* MK9; and no order is better than these. */
static void both_of_johnsons_orders_are_best_for_stages(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        makespan_instance drawn = draw_plain(number, 5);
        drawn.config.estimate = drawn.config.stage_time = NAIVE_GIVEN + number % 5;
        fraction best = makespan_of(&drawn, "optimal", NAIVE_STAGES);
        for (unsigned tie = NAIVE_ALG21; tie <= NAIVE_MKJR; tie++) {
            drawn.config.tie = tie;
            equals("Johnson's order", &drawn, makespan_of(&drawn, "johnson", NAIVE_STAGES), best);
        }
    }
}

static void johnsons_orders_differ_in_all_but_the_makespan(void **unused)
{
    (void)unused;
    makespan_instance example = cluster(1, 1);
    add_timed(&example, 1, 5, 1);
    add_timed(&example, 1, 4, 1);
    naive_makespan_result front = *run(&example, "johnson", NAIVE_STAGES);
    same_order(&example, front.order, (const size_t[]){1, 0});
    example.config.tie = NAIVE_MKJR;
    const naive_makespan_result *back = run(&example, "johnson", NAIVE_STAGES);
    same_order(&example, back->order, (const size_t[]){0, 1});
    equals("makespan", &example, front.makespan, back->makespan);
    assert_true(fraction_less(front.total_completion, back->total_completion));
}

/* MK21, where no stage has tasks without length. */
static void stages_split_anew_are_fluid(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        makespan_instance drawn = draw_plain(number, 5);
        makespan_instance full = drawn;
        bool plain = true;
        naive_makespan_normalise(&full.config, full.jobs, full.count);
        for (size_t i = 0; i < full.count; i++)
            for (int k = 0; k < 2; k++)
                plain = plain &&
                        !(full.jobs[i].stage[k].count > 0 &&
                          naive_makespan_estimate(&full.jobs[i].stage[k], NAIVE_FLUID, 1).num == 0);
        if (!plain)
            continue;
        naive_makespan_result stages = *run(&drawn, "uaas", NAIVE_STAGES);
        drawn.config.resplit = 1 + number % 3;
        const naive_makespan_result *tasks = run(&drawn, "uaas", NAIVE_TASKS);
        for (size_t i = 0; i < drawn.count; i++) {
            equals("map_finish", &drawn, tasks->times[i].map_finish, stages.times[i].map_finish);
            equals("finish", &drawn, tasks->times[i].finish, stages.times[i].finish);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_order_is_far_above_its_fluid_makespan),
        cmocka_unit_test(twice_the_longest_reduce_is_needed),
        cmocka_unit_test(no_schedule_is_below_the_bound_and_no_policy_below_the_best_schedule),
        cmocka_unit_test(a_job_with_one_stage_makes_no_bound_smaller),
        cmocka_unit_test(no_order_of_jobs_is_as_good_as_pools),
        cmocka_unit_test(exclusive_stages_are_unboundedly_worse),
        cmocka_unit_test(fluid_orders_stay_when_both_numbers_of_slots_grow_alike),
        cmocka_unit_test(fluid_orders_change_with_the_ratio_of_slots),
        cmocka_unit_test(orders_by_waves_change_with_the_number_of_nodes),
        cmocka_unit_test(more_slots_never_hurt_in_the_fluid_model),
        cmocka_unit_test(more_slots_may_hurt_whole_tasks),
        cmocka_unit_test(the_best_ratio_does_not_depend_on_the_total),
        cmocka_unit_test(the_formula_is_the_makespan_of_stages),
        cmocka_unit_test(both_of_johnsons_orders_are_best_for_stages),
        cmocka_unit_test(johnsons_orders_differ_in_all_but_the_makespan),
        cmocka_unit_test(stages_split_anew_are_fluid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
