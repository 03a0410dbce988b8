/* The lower bound (CL45): against the best of all schedules of tiny instances, in cases whose
 * optimum is known, and what a host sees of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pinion.h"

enum { JOBS = 3, TINY = 150, SEED = 1986, SLOTS = 2 };

/* Jobs whose tasks of a kind take equally long, on one node of speed 1000. */
typedef struct instance {
    pn_scheduler_nodes nodes;
    pn_cluster_job jobs[JOBS];
    uint32_t count;
} instance;

/* ---- the kernel ---- */

static pn_cluster *start(const instance *on, uint64_t bounds_max)
{
    pn_cluster *sim = NULL;
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = &on->nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = JOBS;
    config.scheduler.tasks_max = 1000;
    config.scheduler.replicas_max = 1000;
    config.values_max = 100;
    config.bounds_max = bounds_max;
    size_t size = pn_cluster_size(&config);
    assert_int_equal(pn_cluster_init(&sim, malloc(size), size, &config), PN_OK);
    return sim;
}

/* Returns what the policy makes of it, and the bound. */
static uint64_t run(const instance *on, const pn_scheduler_policy *policy, uint64_t bounds_max,
                    uint64_t *bound)
{
    pn_cluster *sim = start(on, bounds_max);
    pn_cluster_totals totals;
    double params[PN_PARAMS_MAX];
    for (int i = 0; i < policy->param_count; i++)
        params[i] = policy->params[i].value;
    pn_cluster_hooks hooks = {.policy = policy, .params = params};
    for (uint32_t i = 0; i < on->count; i++)
        assert_int_equal(pn_cluster_submit(sim, &on->jobs[i], NULL), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    pn_cluster_totals_get(sim, &totals);
    *bound = pn_cluster_bound(sim);
    free(sim);
    return totals.scheduler.total_makespan;
}

static uint64_t bound_of(const instance *on)
{
    uint64_t bound;
    run(on, pn_scheduler_fifo(), JOBS, &bound);
    return bound;
}

/* ---- the best schedule, by trying all of them ---- */

/* What has been started until `now`: of each job and kind how many tasks wait, when the last of
 * those that run or have run ends; when each slot is free. */
typedef struct schedule {
    uint64_t now, end[JOBS][2], free[2][SLOTS];
    uint32_t left[JOBS][2];
} schedule;

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns when a task of the kind may start: never before all that it depends on has started. */
static uint64_t ready_at(const instance *on, const schedule *s, uint32_t job, int kind)
{
    if (kind == PN_SCHEDULER_MAP)
        return on->jobs[job].submit;
    return s->left[job][PN_SCHEDULER_MAP] > 0 ? UINT64_MAX : s->end[job][PN_SCHEDULER_MAP];
}

static uint32_t slots_of(const instance *on, int kind)
{
    return kind == PN_SCHEDULER_MAP ? on->nodes.map_slots : on->nodes.reduce_slots;
}

/* Returns the next time at which a job comes or a slot becomes free; UINT64_MAX when there is
 * none. */
static uint64_t next_time(const instance *on, const schedule *s)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t job = 0; job < on->count; job++)
        if (on->jobs[job].submit > s->now && on->jobs[job].submit < next)
            next = on->jobs[job].submit;
    for (int kind = 0; kind < 2; kind++)
        for (uint32_t slot = 0; slot < slots_of(on, kind); slot++)
            if (s->free[kind][slot] > s->now && s->free[kind][slot] < next)
                next = s->free[kind][slot];
    return next;
}

static uint64_t total_of(const instance *on, const schedule *s)
{
    uint64_t total = 0;
    for (uint32_t job = 0; job < on->count; job++)
        total += later(s->end[job][0], s->end[job][1]) - on->jobs[job].submit;
    return total;
}

/* Returns the least total response time of all schedules that begin so: at each time at which
 * anything changes, each task that may start does, or nothing more does. */
static uint64_t best_from(const instance *on, const schedule *s)
{
    uint64_t best = UINT64_MAX, next = next_time(on, s);
    uint32_t left = 0;
    for (uint32_t job = 0; job < on->count; job++)
        for (int kind = 0; kind < 2; kind++) {
            left += s->left[job][kind];
            if (s->left[job][kind] == 0 || ready_at(on, s, job, kind) > s->now)
                continue;
            uint64_t ms = kind == PN_SCHEDULER_MAP ? on->jobs[job].map_ms : on->jobs[job].reduce_ms;
            for (uint32_t slot = 0; slot < slots_of(on, kind); slot++) {
                if (s->free[kind][slot] > s->now)
                    continue;
                schedule with = *s;
                with.left[job][kind]--;
                with.end[job][kind] = with.free[kind][slot] = s->now + ms;
                uint64_t found = best_from(on, &with);
                best = found < best ? found : best;
                break; /* slots are alike */
            }
        }
    if (left == 0)
        return total_of(on, s);
    if (next < UINT64_MAX) {
        schedule with = *s;
        with.now = next;
        uint64_t found = best_from(on, &with);
        best = found < best ? found : best;
    }
    return best;
}

static uint64_t optimum_of(const instance *on)
{
    schedule s = {0};
    for (uint32_t job = 0; job < on->count; job++) {
        s.left[job][PN_SCHEDULER_MAP] = on->jobs[job].maps;
        s.left[job][PN_SCHEDULER_REDUCE] = on->jobs[job].reduces;
    }
    return best_from(on, &s);
}

/* ---- tiny instances ---- */

static void print(const instance *on, uint32_t number)
{
    print_error("seed %d, instance %u: %u map and %u reduce slots\n", SEED, number,
                on->nodes.map_slots, on->nodes.reduce_slots);
    for (uint32_t i = 0; i < on->count; i++)
        print_error("  at %u: %u maps of %u ms, %u reduces of %u ms\n",
                    (unsigned)on->jobs[i].submit, on->jobs[i].maps, (unsigned)on->jobs[i].map_ms,
                    on->jobs[i].reduces, (unsigned)on->jobs[i].reduce_ms);
}

static instance draw(pn_stream *stream, uint64_t ms_most, uint64_t reduces_most, uint64_t slots)
{
    instance drawn = {.nodes = {.count = 1,
                                .map_slots = (uint32_t)pn_uniform(stream, 1, slots),
                                .reduce_slots = (uint32_t)pn_uniform(stream, 1, slots)},
                      .count = (uint32_t)pn_uniform(stream, 1, JOBS)};
    uint64_t submit = 0;
    for (uint32_t i = 0; i < drawn.count; i++) {
        submit += pn_uniform(stream, 0, 3);
        drawn.jobs[i] = (pn_cluster_job){.submit = submit,
                                         .maps = (uint32_t)pn_uniform(stream, 1, 2),
                                         .reduces = (uint32_t)pn_uniform(stream, 0, reduces_most),
                                         .map_ms = pn_uniform(stream, 1, ms_most),
                                         .reduce_ms = pn_uniform(stream, 1, ms_most)};
    }
    return drawn;
}

static void for_tiny(uint64_t ms_most, uint64_t reduces_most, uint64_t slots,
                     bool (*holds)(const instance *on))
{
    for (uint32_t number = 0; number < TINY; number++) {
        pn_stream stream;
        pn_stream_init(&stream, SEED, number, 0);
        instance drawn = draw(&stream, ms_most, reduces_most, slots);
        if (holds(&drawn))
            continue;
        print(&drawn, number);
        fail_msg("bound %llu, optimum %llu", (unsigned long long)bound_of(&drawn),
                 (unsigned long long)optimum_of(&drawn));
    }
}

static bool is_not_above(const instance *on)
{
    return bound_of(on) <= optimum_of(on);
}

static bool is_optimum(const instance *on)
{
    return bound_of(on) == optimum_of(on);
}

/* Policies that finish all jobs; it is also a check of the search. */
static bool is_not_above_policies(const instance *on)
{
    uint64_t optimum = optimum_of(on), none;
    for (size_t i = 0; pn_scheduler_policy_at(i); i++)
        if (!pn_scheduler_policy_at(i)->admit &&
            run(on, pn_scheduler_policy_at(i), 0, &none) < optimum)
            return false;
    return true;
}

static void it_is_at_most_the_optimum(void **unused)
{
    (void)unused;
    for_tiny(5, 2, SLOTS, is_not_above);
}

static void no_policy_is_better_than_the_optimum(void **unused)
{
    (void)unused;
    for_tiny(5, 2, SLOTS, is_not_above_policies);
}

static void of_maps_of_a_ms_on_one_slot_it_is_the_optimum(void **unused)
{
    (void)unused;
    for_tiny(1, 0, 1, is_optimum);
}

/* ---- known optima ---- */

static void alone_a_job_takes_its_longest_tasks(void **unused)
{
    const uint64_t maps[] = {30, 70, 20}, reduces[] = {5, 9};
    instance on = {.nodes = {.count = 4, .map_slots = 1, .reduce_slots = 1},
                   .jobs = {{.submit = 11,
                             .maps = 3,
                             .reduces = 2,
                             .map_times = maps,
                             .remote_ms = 1000,
                             .reduce_times = reduces}},
                   .count = 1};
    (void)unused;
    assert_int_equal(bound_of(&on), 79);
    on.nodes.count = 1;
    assert_int_equal(bound_of(&on), 120 + 14);
    on.nodes.speed = 2000;
    assert_int_equal(bound_of(&on), 15 + 35 + 10 + 3 + 5);
}

static void an_input_on_no_node_is_remote(void **unused)
{
    const uint32_t counts[] = {0, 1}, blocks[] = {0};
    instance on = {
        .nodes = {.count = 1, .map_slots = 2},
        .jobs =
            {{.maps = 2, .map_ms = 100, .remote_ms = 7, .block_counts = counts, .blocks = blocks}},
        .count = 1};
    (void)unused;
    assert_int_equal(bound_of(&on), 107);
}

/* Jobs of one map each: the second is there when 4 of 10 ms are left. */
static void the_least_work_left_comes_first(void **unused)
{
    instance on = {.nodes = {.count = 1, .map_slots = 1},
                   .jobs = {{.submit = 0, .maps = 1, .map_ms = 10},
                            {.submit = 6, .maps = 1, .map_ms = 5},
                            {.submit = 7, .maps = 1, .map_ms = 2}},
                   .count = 3};
    (void)unused;
    assert_int_equal(bound_of(&on), 12 + (17 - 6) + (9 - 7));
    assert_int_equal(optimum_of(&on), 10 + (17 - 6) + (12 - 7));
}

/* Reduces of the second job are there first. */
static void reduces_count_from_the_end_of_the_maps(void **unused)
{
    instance on = {.nodes = {.count = 1, .map_slots = 2, .reduce_slots = 1},
                   .jobs = {{.maps = 1, .reduces = 1, .map_ms = 50, .reduce_ms = 100},
                            {.maps = 1, .reduces = 1, .map_ms = 20, .reduce_ms = 30}},
                   .count = 2};
    (void)unused;
    assert_int_equal(bound_of(&on), 50 + 150);
    on.jobs[0].reduce_ms = 20;
    assert_int_equal(bound_of(&on), 50 + 70);
}

/* In the first period the reduces count for more, in the second one the maps. */
static void each_period_has_its_largest_column(void **unused)
{
    instance on = {.nodes = {.count = 1, .map_slots = 1, .reduce_slots = 1},
                   .jobs = {{.submit = 0, .maps = 1, .reduces = 1, .map_ms = 1, .reduce_ms = 40},
                            {.submit = 1, .maps = 1, .reduces = 1, .map_ms = 1, .reduce_ms = 40},
                            {.submit = 500, .maps = 1, .map_ms = 30}},
                   .count = 3};
    (void)unused;
    assert_int_equal(bound_of(&on), 41 + 80 + 30);
}

/* ---- hosts ---- */

static void without_machines_there_is_none(void **unused)
{
    const instance on = {
        .nodes = {.count = 1, .map_slots = 1}, .jobs = {{.maps = 1, .map_ms = 10}}, .count = 1};
    uint64_t bound;
    (void)unused;
    assert_int_equal(run(&on, pn_scheduler_fifo(), 0, &bound), 10);
    assert_int_equal(bound, 0);
}

static void a_machine_is_full_until_its_first_job_is_over(void **unused)
{
    const instance on = {.nodes = {.count = 1, .map_slots = 1}};
    const pn_cluster_job first = {.submit = 5, .maps = 1, .map_ms = 10};
    pn_cluster_job next = first;
    pn_cluster *sim = start(&on, 1);
    (void)unused;
    assert_int_equal(pn_cluster_submit(sim, &first, NULL), PN_OK);
    size_t size = pn_cluster_block_size(sim);
    void *before = malloc(size);
    memcpy(before, sim, size);
    next.submit = 14;
    assert_int_equal(pn_cluster_submit(sim, &next, NULL), PN_ERR_FULL);
    assert_memory_equal(before, sim, size);
    next.submit = 15;
    assert_int_equal(pn_cluster_submit(sim, &next, NULL), PN_OK);
    assert_int_equal(pn_cluster_bound(sim), 20);
    assert_int_equal(pn_cluster_bound(sim), 20);
    free(before);
    free(sim);
    /* of two jobs the first is served until 15 */
    sim = start(&on, 2);
    for (int i = 0; i < 2; i++) {
        next.submit = 5 + (uint64_t)i;
        assert_int_equal(pn_cluster_submit(sim, &next, NULL), PN_OK);
    }
    next.submit = 14;
    assert_int_equal(pn_cluster_submit(sim, &next, NULL), PN_ERR_FULL);
    next.submit = 15;
    assert_int_equal(pn_cluster_submit(sim, &next, NULL), PN_OK);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_at_most_the_optimum),
        cmocka_unit_test(no_policy_is_better_than_the_optimum),
        cmocka_unit_test(of_maps_of_a_ms_on_one_slot_it_is_the_optimum),
        cmocka_unit_test(alone_a_job_takes_its_longest_tasks),
        cmocka_unit_test(an_input_on_no_node_is_remote),
        cmocka_unit_test(the_least_work_left_comes_first),
        cmocka_unit_test(reduces_count_from_the_end_of_the_maps),
        cmocka_unit_test(each_period_has_its_largest_column),
        cmocka_unit_test(without_machines_there_is_none),
        cmocka_unit_test(a_machine_is_full_until_its_first_job_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
