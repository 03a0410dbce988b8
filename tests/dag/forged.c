/* Blocks of the dag model that no run has made: what the world and the core have of a job differs,
 * lists of jobs are others, tables hold more than they were made for. Validation refuses them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dag/state.h"
#include "dispatch/state.h"
#include "support/forged.h"

static const uint32_t before[] = {0, 1, 2};
static const uint64_t listed[64] = {1, 2, 3};

static pn_dag_config small(void)
{
    static const pn_dispatch_nodes two[] = {{{4, 8}, 2, 0}};
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = two;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.jobs_max = 3;
    config.dispatch.stages_max = 6;
    config.durations_max = 64;
    config.failures_max = 2;
    return config;
}

static pn_dag_stage stage_of(uint32_t tasks, const uint64_t *durations, uint32_t parents)
{
    return (pn_dag_stage){.demand = {1},
                          .duration = 10,
                          .durations = durations,
                          .tasks = tasks,
                          .parents = before,
                          .parent_count = parents};
}

static void submit(pn_dag *sim, uint64_t arrival, const pn_dag_stage *stages, uint32_t count)
{
    const pn_dag_job job = {.arrival = arrival, .stages = stages, .stage_count = count};
    assert_int_equal(pn_dag_submit(sim, &job, NULL), PN_OK);
}

static pn_dag *sim_of(const pn_dag_config *config)
{
    pn_dag *sim;
    size_t size = pn_dag_size(config);
    assert_int_equal(pn_dag_init(&sim, workload_room(size), size, config), PN_OK);
    return sim;
}

static void run_until(pn_dag *sim, uint64_t time)
{
    const pn_dag_hooks hooks = {.policy = pn_dispatch_fifo()};
    assert_int_equal(pn_dag_run(sim, &hooks, time, UINT64_MAX), PN_OK);
}

static forgery forgery_in(pn_dag *sim, pn_dag_view *view)
{
    pn_dag_view_build(view, sim, NULL);
    return forgery_of(sim, pn_dag_block_size(sim), pn_dag_validate);
}

/* ---- the core of another run ---- */

/* A run of a job with so many stages that have no parents, up to its first launches. */
static pn_dag *run_of(const pn_dispatch_nodes *nodes, uint32_t nodes_count, uint32_t count)
{
    const pn_dag_stage stages[] = {stage_of(1, NULL, 0), stage_of(1, NULL, 0)};
    pn_dag_config config = small();
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = nodes_count;
    pn_dag *sim = sim_of(&config);
    submit(sim, 0, stages, count);
    run_until(sim, 1);
    return sim;
}

/* Validates one block with the core of another; frees both. */
static int graft(pn_dag *sim, pn_dag *other)
{
    return forgery_graft((forgery_part){sim, sim->core, pn_dag_block_size(sim)},
                         (forgery_part){other, other->core, pn_dag_block_size(other)},
                         pn_dag_validate);
}

static void a_core_of_another_run_is_damage(void **unused)
{
    static const pn_dispatch_nodes as_one[] = {{{4, 8}, 2, 0}},
                                   apart[] = {{{4, 8}, 1, 0}, {{4, 8}, 1, 0}};
    (void)unused;
    assert_int_equal(graft(run_of(as_one, 1, 2), run_of(as_one, 1, 2)), PN_OK);
    assert_int_equal(graft(run_of(as_one, 1, 2), run_of(apart, 2, 2)), PN_ERR_DAMAGED);
    assert_int_equal(graft(run_of(as_one, 1, 2), run_of(as_one, 1, 1)), PN_ERR_DAMAGED);
}

/* ---- jobs ---- */

/* The core waits for two parents of a stage, the world knows one. */
static void parents_of_the_core_are_those_of_the_world(void **unused)
{
    const pn_dag_stage stages[] = {stage_of(1, NULL, 0), stage_of(1, NULL, 0),
                                   stage_of(1, NULL, 2)};
    const pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    pn_dag_view view;
    (void)unused;
    submit(sim, 0, stages, 3);
    run_until(sim, 1);
    forgery f = forgery_in(sim, &view);
    REFUSED(f, pn_dag_stages_of(&view, 0)[2].parent_count = 1, view.jobs[0].edges = 1,
            sim->totals.edges_held = 1);
    forgery_end(&f);
}

/* The list of the job that is there becomes that of a free place. */
static void lists_are_those_of_jobs(void **unused)
{
    const pn_dag_stage stage = stage_of(1, NULL, 0);
    const pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    pn_dag_view view;
    (void)unused;
    submit(sim, 0, &stage, 1);
    submit(sim, 1000, &stage, 1);
    run_until(sim, 500);
    forgery f = forgery_in(sim, &view);
    assert_true(view.jobs[0].id == 0 && view.jobs[1].id == 2);
    uint64_t *head = pn_lists_of(&view.store, 1) - 1;
    REFUSED(f, view.jobs[0].list = view.jobs[1].list++,
            *head = (uint64_t)1 << PN_LISTS_OWNER_SHIFT | pn_lists_head_size(*head));
    forgery_end(&f);
}

/* Jobs that have not arrived, whose lists hold more of one kind and less of another. */
static void tables_hold_no_more_than_they_were_made_for(void **unused)
{
    enum { EACH = PN_DAG_STAGE_WORDS + PN_DAG_TRUTH_WORDS };
    const pn_dag_stage alone = stage_of(EACH + 1, listed, 0),
                       chain[] = {stage_of(2, listed, 0), stage_of(1, NULL, 1)},
                       many[] = {stage_of(1, NULL, 0), stage_of(1, NULL, 0), stage_of(1, NULL, 0),
                                 stage_of(1, NULL, 3)},
                       single = stage_of(1, listed, 0);
    pn_dag_config config = small();
    pn_dag_view view;
    pn_dag *sim;
    (void)unused;
    config.dispatch.stages_max = 1;
    submit(sim = sim_of(&config), 5, &alone, 1);
    forgery f = forgery_in(sim, &view);
    uint64_t *words = pn_lists_of(&view.store, 0);
    pn_dispatch_stage *stages = pn_dag_stages_of(&view, 0);
    pn_dag_truth *truths = (void *)(words + 2 * PN_DAG_STAGE_WORDS);
    REFUSED(f, stages[0].tasks = 1, stages[1] = stages[0], truths[0] = (pn_dag_truth){2 * EACH, 1},
            truths[1] = (pn_dag_truth){5, 0}, words[2 * EACH] = 7, view.jobs[0].stages = 2,
            view.jobs[0].durations = 1, sim->totals.stages_held = 2,
            sim->totals.durations_held = 1);
    forgery_end(&f);

    config.dispatch.stages_max = 6;
    config.dispatch.edges_max = 1;
    submit(sim = sim_of(&config), 5, chain, 2);
    f = forgery_in(sim, &view);
    uint32_t *parents = (void *)(pn_lists_of(&view.store, 0) + 2 * EACH);
    stages = pn_dag_stages_of(&view, 0);
    truths = pn_dag_truths_of(&view, 0);
    REFUSED(f, stages[0].tasks = 1, truths[0].duration++, stages[1].parent_count = 3,
            memset(parents, 0, 16), view.jobs[0].edges = 3, view.jobs[0].durations = 1,
            sim->totals.edges_held = 3, sim->totals.durations_held = 1);
    forgery_end(&f);

    config.dispatch.edges_max = 3;
    config.durations_max = 1;
    submit(sim = sim_of(&config), 5, many, 4);
    submit(sim, 5, &single, 1);
    f = forgery_in(sim, &view);
    truths = pn_dag_truths_of(&view, 0);
    REFUSED(f, pn_dag_stages_of(&view, 0)[3].parent_count = 1, view.jobs[0].edges = 1,
            truths[0] = (pn_dag_truth){4 * EACH + 1, 1}, view.jobs[0].durations = 1,
            sim->totals.edges_held = 1, sim->totals.durations_held = 2,
            pn_lists_of(&view.store, 0)[4 * EACH + 1] = 7);
    forgery_end(&f);
}

/* ---- failures ---- */

static void failures_are_of_nodes(void **unused)
{
    const pn_dag_config config = small();
    pn_dag *sim = sim_of(&config);
    pn_dag_view view;
    (void)unused;
    assert_int_equal(pn_dag_fail(sim, 5, 1, 9), PN_OK);
    forgery f = forgery_in(sim, &view);
    REFUSED(f, view.outages[0].node = 2, view.failures.entry[0].word[1]++);
    forgery_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_of_another_run_is_damage),
        cmocka_unit_test(parents_of_the_core_are_those_of_the_world),
        cmocka_unit_test(lists_are_those_of_jobs),
        cmocka_unit_test(tables_hold_no_more_than_they_were_made_for),
        cmocka_unit_test(failures_are_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
