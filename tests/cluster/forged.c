/* Blocks of simulated clusters that no run has made: what the cluster and its scheduler have of a
 * job differs, lists of jobs are others, tables hold more than they were made for. Validation
 * refuses them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/state.h"
#include "cluster/support/workload.h"
#include "support/forged.h"

static const pn_scheduler_nodes two[] = {{2, 1, 1, 0}}, larger[] = {{2, 2, 1, 0}},
                                mapping[] = {{2, 1, 0, 0}};

static pn_cluster_config small(void)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = two;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = 3;
    config.failures_max = 2;
    return config;
}

static forgery forgery_in(pn_cluster *sim, pn_cluster_view *view)
{
    pn_cluster_view_build(view, sim, NULL);
    return forgery_of(sim, pn_cluster_block_size(sim), pn_cluster_validate);
}

/* A block in which such a job has been submitted. */
static forgery with_job(const pn_cluster_config *config, pn_cluster_job job, pn_cluster **sim,
                        pn_cluster_view *view)
{
    *sim = cluster_sim(config);
    assert_int_equal(pn_cluster_submit(*sim, &job, NULL), PN_OK);
    return forgery_in(*sim, view);
}

/* ---- the scheduler of another run ---- */

static pn_cluster *run_of(const pn_scheduler_nodes *nodes, uint32_t maps, uint32_t reduces)
{
    const pn_cluster_job job = {.maps = maps, .reduces = reduces, .map_ms = 9, .reduce_ms = 9};
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_fifo()};
    pn_cluster_config config = small();
    config.scheduler.nodes = nodes;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, 1, UINT64_MAX), PN_OK);
    return sim;
}

/* Validates one block with the scheduler of another; frees both. */
static int graft(pn_cluster *sim, pn_cluster *other)
{
    return forgery_graft((forgery_part){sim, sim->scheduler, pn_cluster_block_size(sim)},
                         (forgery_part){other, other->scheduler, pn_cluster_block_size(other)},
                         pn_cluster_validate);
}

static void a_scheduler_of_another_run_is_damage(void **unused)
{
    (void)unused;
    assert_int_equal(graft(run_of(two, 2, 1), run_of(two, 2, 1)), PN_OK);
    assert_int_equal(graft(run_of(two, 2, 1), run_of(larger, 2, 1)), PN_ERR_DAMAGED);
    assert_int_equal(graft(run_of(two, 2, 1), run_of(two, 1, 1)), PN_ERR_DAMAGED);
    assert_int_equal(graft(run_of(two, 2, 1), run_of(two, 2, 0)), PN_ERR_DAMAGED);
}

/* ---- machines of the bound, and slots that save ---- */

static void machines_and_slots_hold_what_they_may(void **unused)
{
    pn_cluster_config config = small();
    pn_cluster_view view;
    (void)unused;
    config.bounds_max = 1;
    config.save_ms = 10;
    pn_cluster *sim = cluster_sim(&config);
    forgery f = forgery_in(sim, &view);
    pn_cluster_column *column = pn_cluster_columns(sim);
    ACCEPTED(f, column->due.count = 1);
    REFUSED(f, column->due.count = column->queue.count = 1);
    pn_cluster_savings *savings = pn_cluster_savings_of(sim, 0, PN_SCHEDULER_MAP);
    pn_heap ends = pn_cluster_saving_ends(sim, 0, PN_SCHEDULER_MAP);
    ACCEPTED(f, savings->ends.count = 1, ends.entry[0].word[0] = (uint64_t)1 << 55);
    REFUSED(f, savings->ends.count = 1, ends.entry[0].word[0] = ((uint64_t)1 << 55) + 1);
    forgery_end(&f);
}

/* ---- jobs ---- */

static void jobs_are_of_one_piece(void **unused)
{
    static const uint64_t times[] = {5, 6};
    pn_cluster_config config = small();
    pn_cluster_view view;
    pn_cluster *sim;
    (void)unused;
    config.values_max = 8;
    /* four replicas, and no word of where each map's begin */
    forgery f = with_job(&config, (pn_cluster_job){.maps = 2, .map_times = times}, &sim, &view);
    REFUSED(f, view.jobs[0].lists = 1 << PN_CLUSTER_LIST_BLOCKS,
            view.jobs[0].at[PN_CLUSTER_LIST_BLOCKS] = 0, view.jobs[0].replicas = 4,
            view.jobs[0].values = 4);
    forgery_end(&f);
    config.scheduler.nodes = mapping;
    f = with_job(&config, (pn_cluster_job){.maps = 1, .map_ms = 5}, &sim, &view);
    REFUSED(f, view.jobs[0].reduces = 1);
    forgery_end(&f);
}

/* The list of a job becomes that of a free place. */
static void lists_are_those_of_jobs(void **unused)
{
    static const uint64_t times[] = {5};
    const pn_cluster_job rows[] = {{.maps = 1, .map_times = times},
                                   {.submit = 1000, .maps = 1, .map_times = times}};
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_fifo()};
    pn_cluster_config config = small();
    pn_cluster_view view;
    (void)unused;
    config.values_max = 8;
    pn_cluster *sim = cluster_sim(&config);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pn_cluster_submit(sim, &rows[i], NULL), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, 500, UINT64_MAX), PN_OK);
    forgery f = forgery_in(sim, &view);
    assert_true(view.jobs[0].id == 0 && view.jobs[1].id == 2);
    uint64_t *head = pn_lists_of(&view.store, 1) - 1;
    REFUSED(f, view.jobs[0].list = view.jobs[1].list++,
            *head = (uint64_t)1 << PN_LISTS_OWNER_SHIFT | pn_lists_head_size(*head));
    forgery_end(&f);
}

/* A job of one map that becomes one of two: of each table there is too little for it, in turn. */
static void tables_hold_no_more_than_they_were_made_for(void **unused)
{
    static const struct {
        uint32_t tasks, replicas, values;
        int status;
    } rows[] = {
        {2, 4, 2, PN_OK},
        {1, 4, 2, PN_ERR_DAMAGED},
        {2, 3, 2, PN_ERR_DAMAGED},
        {2, 4, 1, PN_ERR_DAMAGED},
    };
    static const uint32_t factors[] = {700};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pn_cluster_config config = small();
        pn_cluster_view view;
        pn_cluster *sim;
        config.scheduler.tasks_max = rows[i].tasks;
        config.scheduler.replicas_max = rows[i].replicas;
        config.values_max = rows[i].values;
        config.replication = 2;
        forgery f = with_job(&config, (pn_cluster_job){.maps = 1, .map_factor = factors}, &sim,
                             &view);
        view.jobs[0].maps = view.jobs[0].values = 2;
        view.jobs[0].replicas = 4;
        ((uint32_t *)(void *)pn_lists_of(&view.store, 0))[1] = 800;
        sim->totals.tasks_held = sim->totals.values_held = 2;
        sim->totals.replicas_held = 4;
        forgery_check(&f, rows[i].status, __FILE__, __LINE__);
        forgery_end(&f);
    }
}

/* ---- failures ---- */

static void failures_are_of_nodes(void **unused)
{
    const pn_cluster_config config = small();
    pn_cluster *sim = cluster_sim(&config);
    pn_cluster_view view;
    (void)unused;
    assert_int_equal(pn_cluster_fail(sim, 5, 1, PN_SCHEDULER_NEVER), PN_OK);
    forgery f = forgery_in(sim, &view);
    REFUSED(f, view.failures[0].node = 2, view.outages.entry[0].word[1]++);
    forgery_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scheduler_of_another_run_is_damage),
        cmocka_unit_test(machines_and_slots_hold_what_they_may),
        cmocka_unit_test(jobs_are_of_one_piece),
        cmocka_unit_test(lists_are_those_of_jobs),
        cmocka_unit_test(tables_hold_no_more_than_they_were_made_for),
        cmocka_unit_test(failures_are_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
