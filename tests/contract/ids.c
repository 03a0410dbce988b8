/* Runs that began long ago: ids of jobs do not lose their upper half, and where there is no further
 * id a job is refused. */
#include "contract.h"

#include "cluster/state.h"
#include "dag/state.h"
#include "dispatch/state.h"
#include "scheduler/state.h"
#include "slotted/state.h"
#include "tandem/state.h"

/* ---- so many jobs have come and gone ---- */

static void slotted_begins_at(void *block, uint64_t jobs)
{
    pn_slotted *sim = block;
    sim->submitted = sim->finished = jobs;
}

static void tandem_begins_at(void *block, uint64_t jobs)
{
    pn_tandem *sim = block;
    sim->submitted = sim->finished = jobs;
}

static void cluster_begins_at(void *block, uint64_t jobs)
{
    pn_cluster *sim = block;
    pn_scheduler *core = pn_at(block, sim->scheduler);
    sim->totals.submitted = jobs;
    core->totals.submitted = core->totals.finished = jobs;
}

static void dag_begins_at(void *block, uint64_t jobs)
{
    pn_dag *sim = block;
    pn_dispatch *core = pn_at(block, sim->core);
    sim->totals.submitted = jobs;
    core->totals.submitted = core->totals.finished = jobs;
}

static const struct row {
    const contract_model *model;
    void (*begin)(void *block, uint64_t jobs);
    uint64_t last; /* id */
    bool draws;    /* durations and failures, by ids */
} rows[] = {
    {&contract_slotted, slotted_begins_at, PN_INTEGER_MAX, false},
    {&contract_tandem, tandem_begins_at, PN_INTEGER_MAX, false},
    {&contract_cluster, cluster_begins_at, PN_INTEGER_MAX, true},
    {&contract_dag, dag_begins_at, (uint64_t)1 << 35, true},
};

/* ---- runs ---- */

/* Runs a case whose first job has the id `before` + 1; the block is one that a run may have left
 * only when it has ended, as no time has passed for those before. Returns how many jobs have
 * finished; *fed becomes the status of the submissions. */
static uint64_t run_from(const struct row *row, const contract_case *of, uint64_t before, int *fed,
                         double *mean)
{
    const pn_model *kernel = row->model->kernel();
    size_t size = kernel->size(of->config);
    unsigned char *block = contract_room(size);
    void *sim = NULL;
    assert_int_equal(kernel->init(&sim, block, size, of->config), PN_OK);
    row->begin(sim, before);
    *fed = row->model->feed(sim, of);
    assert_int_equal(kernel->finish(sim, of->hooks), PN_DONE);
    const pn_stats *stats = kernel->statistics(sim, PN_ALL_GROUPS);
    uint64_t finished = stats->count;
    *mean = stats->mean;
    if (finished > 0)
        assert_int_equal(kernel->validate(block, size), PN_OK);
    free(block);
    return finished;
}

static void check_case(const struct row *row, const contract_case *of)
{
    static const uint64_t starts[] = {((uint64_t)1 << 32) - 3, ((uint64_t)1 << 32) + 5,
                                      ((uint64_t)1 << 34) - 2};
    double mean, other;
    int fed;
    uint64_t jobs = run_from(row, of, 0, &fed, &mean);
    assert_int_equal(fed, PN_OK);
    assert_true(jobs > 3);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        uint64_t finished = run_from(row, of, starts[i], &fed, &other);
        assert_int_equal(fed, PN_OK);
        assert_true(row->draws || (finished == jobs && mean == other));
    }
    uint64_t finished = run_from(row, of, row->last - 3, &fed, &other);
    assert_int_equal(fed, PN_ERR_OVERFLOW);
    assert_true(row->draws ? finished <= 3 : finished == 3);
    assert_true(run_from(row, of, row->last, &fed, &other) == 0);
    assert_int_equal(fed, PN_ERR_OVERFLOW);
}

static void ids_have_no_end_before_their_limit(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        contract_case of;
        size_t cases = 0;
        for (; rows[i].model->make(cases, &of); cases++) {
            check_case(&rows[i], &of);
            rows[i].model->drop(&of);
        }
        assert_true(cases > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_have_no_end_before_their_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
