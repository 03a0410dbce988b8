/* Blocks that no run has made. Some are accepted by validation, to which the hash of the size of a
 * policy's memory is not known, nor what is left in the columns of the bounds: a step finds it out
 * where that matters, and refuses. The others are refused at once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tandem/state.h"
#include "tandem/support/workload.h"
#include "support/forged.h"

static pn_tandem *sim_for(const pn_tandem_policy *policy)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 4;
    config.policy = policy;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1, .shuffle = 2}, NULL), PN_OK);
    assert_int_equal(pn_tandem_step(sim, &(pn_tandem_hooks){.policy = policy}), PN_OK);
    return sim;
}

/* A block for a small policy that says it is bound to a large one of the same shape. */
static void too_little_memory_for_the_policy_is_damage(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pn_tandem_policy small = *pn_tandem_fcfs(), large = small;
        small.state_bytes = 8;
        large.state_bytes = i == 0 ? 1000 : 8;
        large.state_bytes_per_job = i == 0 ? 0 : 1000;
        pn_tandem *forged = sim_for(&small), *true_one = sim_for(&large);
        forged->binding = true_one->binding;
        assert_int_equal(pn_tandem_validate(forged, pn_tandem_block_size(forged)), PN_OK);
        assert_int_equal(pn_tandem_step(forged, &(pn_tandem_hooks){.policy = &large}),
                         PN_ERR_DAMAGED);
        free(forged);
        free(true_one);
    }
}

/* ---- forged at rest ---- */

/* A block for any policy with such jobs, run until a time. */
static forgery run_until(const pn_tandem_hooks *hooks, const pn_tandem_job *jobs, int count,
                         double until, pn_tandem_view *view)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 4;
    pn_tandem *sim = tandem_sim(&config);
    for (int i = 0; i < count; i++)
        assert_int_equal(pn_tandem_submit(sim, &jobs[i], NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, hooks, until, UINT64_MAX), PN_OK);
    pn_tandem_view_build(view, sim, hooks);
    return forgery_of(sim, pn_tandem_block_size(sim), pn_tandem_validate);
}

static double never(const pn_tandem_view *view)
{
    (void)view;
    return PN_TANDEM_NEVER;
}

/* The policy has become one that wakes up, or whose third order chooses its members. */
static void lines_serve_policies_that_need_least(void **unused)
{
    pn_tandem_policy policy = *pn_tandem_fcfs();
    const pn_tandem_hooks hooks = {.policy = &policy};
    const pn_tandem_job job = {.map = 10, .shuffle = 20};
    pn_tandem_view view;
    (void)unused;
    policy.order_count = 3;
    policy.orders[2] = policy.orders[0];
    forgery f = run_until(&hooks, &job, 1, 5, &view);
    uint64_t *shape = view.sim->binding.shape;
    assert_int_equal(view.sim->engine, PN_TANDEM_ENGINE_LINES);
    REFUSED(f, shape[0] |= (uint64_t)1 << 17, view.sim->used[2] = 1);
    REFUSED(f, shape[1] |= (uint64_t)1 << 23);
    /* what belongs to other engines: a class, and an entry among those being served */
    REFUSED(f, view.jobs[0].class = PN_TANDEM_ENTRY_FLOWING);
    REFUSED(f, view.sim->served_count = view.jobs[0].served = 1,
            view.served[0] = (pn_tandem_served){.job = 0});
    forgery_end(&f);
    const pn_tandem_hooks plain = {.policy = pn_tandem_fcfs()};
    f = run_until(&plain, &job, 1, 5, &view);
    shape = view.sim->binding.shape;
    assert_int_equal(view.sim->engine, PN_TANDEM_ENGINE_LINES);
    REFUSED(f, shape[0] |= (uint64_t)1 << 17);
    forgery_end(&f);
}

/* The second of the free places is the last of the jobs to come, too. */
static void places_are_in_one_list(void **unused)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    const pn_tandem_job jobs[] = {{.arrival = 1, .map = 1},
                                  {.arrival = 2, .map = 1},
                                  {.arrival = 100, .map = 1},
                                  {.arrival = 200, .map = 1}};
    pn_tandem_view view;
    (void)unused;
    forgery f = run_until(&hooks, jobs, 4, 50, &view);
    assert_int_equal(view.sim->jobs_held, 2);
    REFUSED(f, view.jobs[view.sim->free_job - 1].next = view.sim->future_last);
    forgery_end(&f);
}

/* The line of jobs is a ring: its second job is at the start of the table. */
static void rings_wrap(void **unused)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    const pn_tandem_job jobs[] = {{.arrival = 1, .map = 9},
                                  {.arrival = 2, .map = 9},
                                  {.arrival = 3, .map = 9},
                                  {.arrival = 4, .map = 9}};
    pn_tandem_config config = pn_tandem_defaults();
    (void)unused;
    config.jobs_max = 4;
    pn_tandem *sim = tandem_sim(&config);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pn_tandem_submit(sim, &jobs[i], NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, 30, UINT64_MAX), PN_OK);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 30, .map = 9}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &hooks, 31, UINT64_MAX), PN_OK);
    const pn_heap_state *line = &sim->sets[PN_TANDEM_LINE_GENERATING];
    assert_true(line->count == 2 && line->head == 3);
    assert_int_equal(pn_tandem_validate(sim, pn_tandem_block_size(sim)), PN_OK);
    free(sim);
}

static void jobs_that_share_are_in_their_classes(void **unused)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_ps()};
    const pn_tandem_job mapping = {.map = 10}, draining = {.map = 1, .shuffle = 20};
    pn_tandem_view view;
    (void)unused;
    forgery f = run_until(&hooks, &mapping, 1, 5, &view);
    assert_true(view.shared[0].places[0] == 1 && view.jobs[0].class == PN_TANDEM_ENTRY_NONE);
    REFUSED(f, view.jobs[0].class = PN_TANDEM_ENTRY_DRAINING, view.shared[0].places[1] = 1);
    forgery_end(&f);
    f = run_until(&hooks, &draining, 1, 5, &view);
    assert_int_equal(view.jobs[0].class, PN_TANDEM_ENTRY_DRAINING);
    REFUSED(f, view.jobs[0].class = PN_TANDEM_ENTRY_NONE, view.shared[0].places[1] = 0);
    forgery_end(&f);
}

/* A drain without a share of the station never ends: no step finds an event to come. */
static void a_drain_without_a_share_is_noticed(void **unused)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_ps()};
    const pn_tandem_job draining = {.map = 1, .shuffle = 20};
    pn_tandem_view view;
    (void)unused;
    forgery f = run_until(&hooks, &draining, 1, 5, &view);
    view.sim->share.level = 0;
    assert_int_equal(pn_tandem_validate(f.block, f.size), PN_OK);
    assert_int_equal(pn_tandem_run(view.sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX),
                     PN_ERR_INFEASIBLE);
    forgery_end(&f);
}

/* Backlogs are in no order while jobs share: they are not at hand. */
static void sharing_jobs_are_in_no_order_of_backlogs(void **unused)
{
    pn_tandem_policy policy = *pn_tandem_ps();
    const pn_tandem_hooks hooks = {.policy = &policy};
    const pn_tandem_job job = {.map = 1, .shuffle = 20};
    pn_tandem_view view;
    (void)unused;
    policy.wake = never;
    policy.order_count = 2;
    policy.orders[1] = (pn_tandem_order){.members = PN_TANDEM_BACKLOG};
    forgery f = run_until(&hooks, &job, 1, 5, &view);
    assert_true(view.sim->engine == PN_TANDEM_ENGINE_SHARE && view.sim->used[1]);
    assert_true(view.jobs[0].backlog > 0 && view.jobs[0].places[1] == 0);
    forgery_end(&f);
}

static void statistics_are_validated(void **unused)
{
    pn_tandem_config config = pn_tandem_defaults();
    (void)unused;
    config.jobs_max = 4;
    config.statistics = config.groups_max = 1;
    pn_tandem *sim = tandem_sim(&config);
    forgery f = forgery_of(sim, pn_tandem_block_size(sim), pn_tandem_validate);
    for (uint32_t group = 0; group <= 1; group++) {
        REFUSED_OF(f, pn_tandem_response_times(sim, group == 0 ? PN_ALL_GROUPS : 0));
        REFUSED_OF(f, pn_tandem_slowdowns(sim, group == 0 ? PN_ALL_GROUPS : 0));
    }
    forgery_end(&f);
}

/* With a job that has come and one that comes later, or at the same time. */
static pn_tandem *sim_with_bounds(double speed, double later, const pn_tandem_hooks *hooks)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 2;
    config.speed = speed;
    config.bounds = PN_TANDEM_BOUNDS_FAST;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 8}, NULL), PN_OK);
    assert_int_equal(pn_tandem_step(sim, hooks), PN_OK);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = later, .map = 8}, NULL),
                     PN_OK);
    return sim;
}

/* Work in a column of the bounds, of so many jobs. */
static void forge_column(pn_tandem *sim, uint32_t count, double work)
{
    pn_tandem_column_state *column = &sim->bound.columns[0];
    pn_heap_entry *entry = pn_at(sim, column->entries);
    assert_in_range(count, 1, column->heap.capacity);
    for (uint32_t i = 0; i < count; i++)
        entry[i] = (pn_heap_entry){{pn_key_double(work), i + 1}, 0, 0};
    column->heap.count = count;
    assert_int_equal(pn_tandem_validate(sim, pn_tandem_block_size(sim)), PN_OK);
}

/* A column holds no more jobs than the policy does, and two. */
static void a_bound_without_room_is_damage(void **unused)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    (void)unused;
    for (uint32_t count = 3; count <= 4; count++) {
        pn_tandem *sim = sim_with_bounds(1, 1, &hooks);
        forge_column(sim, count, 100);
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX),
                         count == 3 ? PN_DONE : PN_ERR_DAMAGED);
        free(sim);
    }
}

/* Work that takes no time, for it is so little, ends: even at time 0, which has no tolerance. */
static void a_bound_that_ends_at_once_ends(void **unused)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_fcfs()};
    (void)unused;
    for (int later = 0; later <= 1; later++) {
        pn_tandem *sim = sim_with_bounds(0x1p64, later, &hooks);
        pn_tandem_totals totals;
        forge_column(sim, 2, 5e-324);
        assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
        pn_tandem_totals_get(sim, &totals);
        assert_true(totals.finished == 2 && totals.lower_bound > 0 &&
                    totals.lower_bound <= totals.total_response_time);
        free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_for_the_policy_is_damage),
        cmocka_unit_test(lines_serve_policies_that_need_least),
        cmocka_unit_test(places_are_in_one_list),
        cmocka_unit_test(rings_wrap),
        cmocka_unit_test(jobs_that_share_are_in_their_classes),
        cmocka_unit_test(a_drain_without_a_share_is_noticed),
        cmocka_unit_test(sharing_jobs_are_in_no_order_of_backlogs),
        cmocka_unit_test(statistics_are_validated),
        cmocka_unit_test(a_bound_without_room_is_damage),
        cmocka_unit_test(a_bound_that_ends_at_once_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
