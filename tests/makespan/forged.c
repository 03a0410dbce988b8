/* Blocks of the makespan model that no run has made: batches with more work than there may be or
 * with none, sequences and stages with more tasks than there are. Validation refuses them. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_have_work_within_limits),
        cmocka_unit_test(sequences_are_of_all_tasks),
        cmocka_unit_test(stages_run_as_many_tasks_as_they_may),
        cmocka_unit_test(batches_may_be_empty),
        cmocka_unit_test(statistics_are_validated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
