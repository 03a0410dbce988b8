/* Blocks of the makespan model that no run has made: batches with more work than there may be or
 * with none, sequences and stages with more tasks than there are. Validation refuses them. What it
 * accepts the run finds out: tasks in the order of their lengths that are longer than all work. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "makespan/state.h"
#include "makespan/support/workload.h"
#include "support/forged.h"

static const uint64_t most = PN_MAKESPAN_MOST;

static forgery forgery_in(pn_makespan *sim)
{
    return forgery_of(sim, pn_makespan_block_size(sim), pn_makespan_validate);
}

/* Submits a job of so many maps, and a reduce, of 3 ticks each. */
static void submit(pn_makespan *sim, uint32_t maps)
{
    const pn_makespan_stretch stretches[] = {{3, maps}, {3, 1}};
    const pn_makespan_job job = {.stage = {{.stretches = &stretches[0], .stretch_count = 1},
                                           {.stretches = &stretches[1], .stretch_count = 1}}};
    assert_int_equal(pn_makespan_submit(sim, &job, NULL), PN_OK);
}

static pn_makespan_stage_entry *stage_of(pn_makespan *sim, uint32_t job, uint32_t k)
{
    return &((pn_makespan_entry *)pn_at(sim, sim->jobs))[job].stage[k];
}

/* The stage becomes one of so many tasks of this duration. */
static void set(pn_makespan *sim, uint32_t job, uint32_t k, uint64_t duration, uint32_t count)
{
    pn_makespan_stage_entry *stage = stage_of(sim, job, k);
    pn_makespan_stretch_entry *stretch = (pn_makespan_stretch_entry *)pn_at(sim, sim->stretches) +
                                         stage->stretches;
    stretch->count = stage->tasks = count;
    stretch->duration = stage->longest = duration;
    stage->work = count * duration;
}

static void batches_have_work_within_limits(void **unused)
{
    const pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_sim(&config);
    (void)unused;
    submit(sim, 1);
    submit(sim, 1);
    forgery f = forgery_in(sim);
    ACCEPTED(f, set(sim, 0, 0, 4, 1), sim->work[0]++);
    REFUSED(f, set(sim, 0, 0, most, 1), set(sim, 1, 0, most, 1), sim->work[0] = 2 * most);
    REFUSED(f, set(sim, 0, 0, 0, 1), set(sim, 0, 1, 0, 1), sim->work[0] = sim->work[1] = 3);
    REFUSED(f, set(sim, 0, 0, most - 3, 1), sim->work[0] = most);
    forgery_end(&f);
}

static int in_sequence(pn_makespan_view *view)
{
    static const pn_makespan_task maps[] = {{0, 0}, {0, 1}}, reduces[] = {{0, 0}};
    return pn_makespan_give_tasks(view, maps, 2, reduces, 1);
}

static void sequences_are_of_all_tasks(void **unused)
{
    static const pn_makespan_policy policy = {.name = "in_sequence", .decide = in_sequence};
    const pn_makespan_hooks hooks = {.policy = &policy};
    const pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_sim(&config);
    (void)unused;
    submit(sim, 2);
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    forgery f = forgery_in(sim);
    assert_int_equal(sim->sequenced, 1);
    REFUSED(f, set(sim, 0, 0, 0, PN_MAKESPAN_SEQUENCE_MAX + 1), sim->work[0] = 0);
    forgery_end(&f);
}

static void stages_run_as_many_tasks_as_they_may(void **unused)
{
    const pn_makespan_hooks hooks = {.policy = pn_makespan_fifo()};
    pn_makespan_config config = makespan_small();
    (void)unused;
    config.cap = PN_MAKESPAN_CAP_REQUESTED;
    pn_makespan *sim = makespan_sim(&config);
    submit(sim, 2);
    assert_int_equal(pn_makespan_step(sim, &hooks), PN_OK);
    forgery f = forgery_in(sim);
    pn_makespan_flow *flow = pn_at(sim, sim->flows);
    assert_true(flow->running == 2 && flow->cap == 2);
    REFUSED(f, flow->cap = stage_of(sim, 0, 0)->requested = 1);
    forgery_end(&f);
}

static int give_nothing(pn_makespan_view *view)
{
    (void)view;
    return PN_OK;
}

/* A run of no jobs in no pools has the same numbers before and after it has begun. */
static void batches_may_be_empty(void **unused)
{
    static const pn_makespan_policy policy = {.name = "idle", .decide = give_nothing};
    const pn_makespan_hooks hooks = {.policy = &policy};
    const pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_sim(&config);
    (void)unused;
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    forgery f = forgery_in(sim);
    assert_true(sim->pool_count == 0 && !sim->begun);
    ACCEPTED(f, sim->begun = 1);
    sim->begun = 1;
    assert_int_equal(pn_makespan_step(sim, &hooks), PN_DONE);
    forgery_end(&f);
}

static void statistics_are_validated(void **unused)
{
    pn_makespan_config config = makespan_small();
    (void)unused;
    config.statistics = 1;
    pn_makespan *sim = makespan_sim(&config);
    forgery f = forgery_in(sim);
    REFUSED_OF(f, pn_makespan_completions(sim, PN_ALL_GROUPS));
    REFUSED_OF(f, pn_makespan_completions(sim, 1));
    forgery_end(&f);
}

/* ---- accepted, and found out by the run ---- */

/* Two maps on one slot; the reduce of the first job takes so long. */
static pn_makespan *forged_plan(uint64_t reduce, const pn_makespan_hooks *hooks)
{
    const pn_makespan_job jobs[] = {{.stage = {{LISTED({3, 1})}, {LISTED({reduce, 1})}}},
                                    {.stage = {{LISTED({2, 1})}}}};
    pn_makespan_config config = makespan_small();
    config.map_slots = 1;
    config.task_order = PN_MAKESPAN_LPT;
    pn_makespan *sim = makespan_sim(&config);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pn_makespan_submit(sim, &jobs[i], NULL), PN_OK);
    assert_int_equal(pn_makespan_plan(sim, hooks), PN_OK);
    pn_makespan_stretch_entry *sorted = pn_at(sim, sim->longest_first);
    sorted[pn_makespan_stage_of(sim, 1, PN_MAKESPAN_MAP)->stretches].duration = PN_MAKESPAN_MOST;
    assert_int_equal(pn_makespan_validate(sim, pn_makespan_block_size(sim)), PN_OK);
    return sim;
}

/* At 3 a map would start that ends beyond all time. */
static void a_task_beyond_all_time_is_damage(void **unused)
{
    const pn_makespan_hooks hooks = {.policy = pn_makespan_fifo()};
    (void)unused;
    for (uint64_t reduce = 0; reduce <= 4; reduce += 4) {
        pn_makespan *sim = forged_plan(reduce, &hooks);
        assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX),
                         PN_ERR_DAMAGED);
        pn_makespan_totals totals = makespan_totals(sim);
        assert_true(totals.time == 3 && totals.finished == 0);
        free(sim);
    }
}

/* What has started comes to its end, and then nothing is to come. */
static void a_run_without_an_end_is_damage(void **unused)
{
    const pn_makespan_hooks hooks = {.policy = pn_makespan_fifo()};
    (void)unused;
    pn_makespan *sim = forged_plan(4, &hooks);
    static const uint64_t times[] = {0, 3, 7, 7};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pn_makespan_step(sim, &hooks), i == 0 ? PN_OK : PN_ERR_DAMAGED);
        assert_int_equal(makespan_totals(sim).time, times[i]);
    }
    assert_int_equal(makespan_totals(sim).finished, 1);
    assert_int_equal(pn_makespan_run(sim, &hooks, 5, 1), PN_ERR_DAMAGED);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_have_work_within_limits),
        cmocka_unit_test(sequences_are_of_all_tasks),
        cmocka_unit_test(stages_run_as_many_tasks_as_they_may),
        cmocka_unit_test(batches_may_be_empty),
        cmocka_unit_test(statistics_are_validated),
        cmocka_unit_test(a_task_beyond_all_time_is_damage),
        cmocka_unit_test(a_run_without_an_end_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
