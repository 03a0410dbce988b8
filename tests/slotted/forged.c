/* Blocks that no run has made. Those of which it is not known are accepted by validation: what is
 * not the model's own, a policy's memory and the hash of its size; the step finds it out and
 * refuses. Others say of jobs what does not go together, and are refused at once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/state.h"
#include "slotted/support/workload.h"
#include "support/forged.h"

enum { MACHINES = 2, JOBS = 4 };

static pn_slotted *sim_for(const pn_slotted_policy *policy)
{
    static const uint64_t reduces[] = {100};
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_job job = {.arrival = 1, .reduces = reduces, .reduce_count = 1};
    config.machines = MACHINES;
    config.jobs_max = JOBS;
    config.policy = policy;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    return sim;
}

/* The memory of dsrpt: a ring of pieces. */
typedef struct ring {
    uint64_t first, count, capacity;
    struct {
        uint64_t units;
        uint32_t job, unused;
    } pieces[2 * JOBS + 2];
} ring;

static void a_ring_that_was_tampered_with_is_damage(void **unused)
{
    static const struct {
        uint64_t first, count;
        uint32_t head, last;
        int status;
    } rows[] = {
        {2 * JOBS + 2, 0, 0, 0, PN_ERR_DAMAGED},       /* begins behind its end */
        {0, 2 * JOBS + 3, 0, 0, PN_ERR_DAMAGED},       /* more pieces than there are */
        {0, 2 * JOBS + 2, 0, 1, PN_ERR_DAMAGED},       /* full where one more is queued */
        {0, 1, JOBS - 1, JOBS - 1, PN_ERR_INFEASIBLE}, /* of a job that is not there */
    };
    const pn_slotted_policy *dsrpt = pn_slotted_policy_find("dsrpt");
    pn_slotted_hooks hooks = {.policy = dsrpt};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pn_slotted *sim = sim_for(dsrpt);
        assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
        ring *queue = pn_at(sim, sim->policy_state);
        assert_int_equal(queue->capacity, 2 * JOBS + 2);
        queue->first = rows[i].first;
        queue->count = rows[i].count;
        for (size_t k = 0; k < 2 * JOBS + 2; k++) {
            queue->pieces[k].units = 50;
            queue->pieces[k].job = k == 0 ? rows[i].head : rows[i].last;
        }
        assert_int_equal(pn_slotted_validate(sim, pn_slotted_block_size(sim)), PN_OK);
        assert_int_equal(pn_slotted_step(sim, &hooks), rows[i].status);
        free(sim);
    }
}

/* A block for a small policy that says it is bound to a large one of the same shape. */
static void too_little_memory_for_the_policy_is_damage(void **unused)
{
    pn_slotted_policy small = *pn_slotted_fifo(), large = small;
    pn_slotted_hooks hooks = {.policy = &large};
    (void)unused;
    small.state_bytes = 8;
    for (int i = 0; i < 2; i++) {
        large = small;
        large.state_bytes = i == 0 ? 1000 : 8;
        large.state_bytes_per_job = i == 0 ? 0 : 1000;
        pn_slotted *forged = sim_for(&small), *true_one = sim_for(&large);
        assert_int_equal(pn_slotted_step(forged, &(pn_slotted_hooks){.policy = &small}), PN_OK);
        assert_int_equal(pn_slotted_step(true_one, &hooks), PN_OK);
        forged->binding = true_one->binding;
        assert_int_equal(pn_slotted_validate(forged, pn_slotted_block_size(forged)), PN_OK);
        assert_int_equal(pn_slotted_step(forged, &hooks), PN_ERR_DAMAGED);
        free(forged);
        free(true_one);
    }
}

/* The virtual run of DSRPT has more maps left of the first job than there are, and serves another
 * one after it. */
static void maps_that_are_not_there_cannot_be_given(void **unused)
{
    const pn_slotted_policy *dsrpt = pn_slotted_policy_find("dsrpt");
    const pn_slotted_hooks hooks = {.policy = dsrpt};
    pn_slotted_config config = pn_slotted_defaults();
    (void)unused;
    config.machines = 5;
    config.jobs_max = JOBS;
    config.policy = dsrpt;
    pn_slotted *sim = slotted_sim(&config);
    for (uint64_t maps = 7; maps <= 9; maps += 2) {
        const pn_slotted_job job = {.arrival = 1, .maps = maps};
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    pn_slotted_entry *jobs = pn_at(sim, sim->jobs);
    assert_int_equal(jobs[0].maps, 2);
    jobs[0].maps = 1;
    assert_int_equal(pn_slotted_validate(sim, pn_slotted_block_size(sim)), PN_OK);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_INFEASIBLE);
    free(sim);
}

static void flow_times_saturate(void **unused)
{
    const pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    pn_slotted_config config = pn_slotted_defaults();
    const pn_slotted_job job = {.arrival = 1, .maps = 100};
    (void)unused;
    config.machines = MACHINES;
    config.jobs_max = JOBS;
    config.statistics = 1;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    sim->total_flow_time = (uint64_t)INT64_MAX - 49;
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(sim->total_flow_time, INT64_MAX);
    free(sim);
}

/* ---- jobs that do not go together with what else is there ---- */

static int give_up_at_first(pn_slotted_view *view)
{
    return pn_slotted_slot(view) == 1 ? pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE)
                                      : PN_ERR_INFEASIBLE;
}

static const pn_slotted_policy weary = {
    .name = "weary",
    .preemptive = 1,
    .nonpreemptive = 1,
    .shadow = PN_SLOTTED_SHADOW_TRUTH,
    .order_count = 1,
    .orders = {{pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0}},
    .act = give_up_at_first,
};

static forgery forgery_in(pn_slotted *sim, const pn_slotted_hooks *hooks, pn_slotted_view *view)
{
    pn_slotted_view_build(view, sim, hooks);
    return forgery_of(sim, pn_slotted_block_size(sim), pn_slotted_validate);
}

/* A job that arrived in the slot which failed, and of which only the virtual run has work left, is
 * not to come. */
static void jobs_to_come_are_in_no_virtual_run(void **unused)
{
    const pn_slotted_hooks hooks = {.policy = &weary};
    pn_slotted *sim = sim_for(&weary);
    pn_slotted_view view;
    (void)unused;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_INFEASIBLE);
    forgery f = forgery_in(sim, &hooks, &view);
    assert_true(sim->slot == 1 && sim->failed_slot == 2 && view.jobs[0].holders == 2);
    REFUSED(f, view.jobs[0].active = view.jobs[0].phase = 0, view.jobs[0].holders = 1,
            view.jobs[0].reduces = 0, view.jobs[0].arrival = sim->last_arrival = 2,
            sim->active_count = sim->offering_count = 0, sim->finished = 1,
            sim->future_first = sim->future_last = 1);
    forgery_end(&f);
}

static void virtual_runs_hold_the_jobs_they_have_work_of(void **unused)
{
    const pn_slotted_hooks hooks = {.policy = pn_slotted_policy_find("dsrpt")};
    pn_slotted *sim = sim_for(hooks.policy);
    const pn_slotted_job job = {.arrival = 100, .maps = 1};
    pn_slotted_view view;
    (void)unused;
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    forgery f = forgery_in(sim, &hooks, &view);
    pn_heap_entry *entry = view.shadows[PN_SLOTTED_SHADOW_OF_TRUTH].heap.entry;
    assert_true(entry->item == 0 && view.jobs[1].id == 2);
    REFUSED(f, *entry = (pn_heap_entry){{0, 2}, 1, 0});
    forgery_end(&f);
}

/* With a policy that is relaxed a job has arrived as long as the virtual run has work of it. */
static void relaxed_jobs_are_in_the_virtual_run(void **unused)
{
    const pn_slotted_hooks hooks = {.policy = pn_slotted_srpt()};
    pn_slotted *sim = sim_for(hooks.policy);
    pn_slotted_view view;
    (void)unused;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    forgery f = forgery_in(sim, &hooks, &view);
    assert_true(view.jobs[0].active && view.jobs[0].holders == 2);
    REFUSED(f, view.jobs[0].truth = (pn_slotted_shadow_work){0, 0}, view.jobs[0].holders = 1);
    forgery_end(&f);
}

static void statistics_are_validated(void **unused)
{
    const pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_view view;
    (void)unused;
    config.machines = MACHINES;
    config.jobs_max = JOBS;
    config.statistics = config.groups_max = 1;
    pn_slotted *sim = slotted_sim(&config);
    forgery f = forgery_in(sim, &hooks, &view);
    REFUSED_OF(f, pn_slotted_flow_times(sim, PN_ALL_GROUPS));
    REFUSED_OF(f, pn_slotted_flow_times(sim, 0));
    forgery_end(&f);
}

/* ---- configurations ---- */

/* A policy without a virtual run whose own memory is as large as the tables of one. */
static void blocks_of_one_size_are_told_apart(void **unused)
{
    pn_slotted_policy own = *pn_slotted_fifo();
    pn_slotted_config config = pn_slotted_defaults(), other;
    (void)unused;
    config.machines = MACHINES;
    config.jobs_max = JOBS;
    config.policy = &weary;
    other = config;
    other.policy = &own;
    own.state_bytes = pn_slotted_size(&config) - pn_slotted_size(&other);
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_size(&other), pn_slotted_block_size(sim));
    assert_int_equal(pn_slotted_configured(sim, &config), 1);
    assert_int_equal(pn_slotted_configured(sim, &other), 0);
    free(sim);
}

static void policies_of_later_versions_are_refused(void **unused)
{
    LATER(pn_slotted_policy) policy = {.known = *pn_slotted_fifo(), .more = 1};
    pn_slotted_config config = pn_slotted_defaults();
    (void)unused;
    policy.known.struct_size = sizeof policy;
    config.machines = MACHINES;
    config.jobs_max = JOBS;
    config.policy = &policy.known;
    assert_memory_equal(pn_slotted_check(&config), "policy", 6);
    policy.more = 0;
    assert_null(pn_slotted_check(&config));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_that_was_tampered_with_is_damage),
        cmocka_unit_test(too_little_memory_for_the_policy_is_damage),
        cmocka_unit_test(maps_that_are_not_there_cannot_be_given),
        cmocka_unit_test(flow_times_saturate),
        cmocka_unit_test(jobs_to_come_are_in_no_virtual_run),
        cmocka_unit_test(virtual_runs_hold_the_jobs_they_have_work_of),
        cmocka_unit_test(relaxed_jobs_are_in_the_virtual_run),
        cmocka_unit_test(statistics_are_validated),
        cmocka_unit_test(blocks_of_one_size_are_told_apart),
        cmocka_unit_test(policies_of_later_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
