/* Random jobs of the dag model: each shape is what it says, parents come first, the same seed gives
 * the same jobs, and what is drawn beyond the model's limits is refused. Longest paths through the
 * stages of a job. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pinion/models/dag/sources/path.h"
#include "pinion/models/dag/sources/random.h"

static distribution constant(double value)
{
    return (distribution){DISTRIBUTION_CONSTANT, value, 0.0, NULL};
}

static distribution uniform(double low, double high)
{
    return (distribution){DISTRIBUTION_UNIFORM, low, high, NULL};
}

static dag_draws draws_of(enum dag_shape shape)
{
    return (dag_draws){.jobs = 200,
                       .gap_ms = 1000.0,
                       .shape = shape,
                       .sizes = {uniform(1, 5), uniform(1, 6), uniform(1, 20), 0.3},
                       .tasks = uniform(1, 9),
                       .duration = uniform(10, 100),
                       .spread = constant(1.0),
                       .demand = {uniform(100, 2000), uniform(0, 3)},
                       .resources = 2};
}

/* ---- one job --------------------------------------------------------------------------------- */

static int has_parent(const pn_dag_stage *stage, uint32_t parent)
{
    for (uint32_t i = 0; i < stage->parent_count; i++)
        if (stage->parents[i] == parent)
            return 1;
    return 0;
}

static uint32_t children_of(const pn_dag_job *job, uint32_t parent)
{
    uint32_t children = 0;
    for (uint32_t s = 0; s < job->stage_count; s++)
        children += (uint32_t)has_parent(&job->stages[s], parent);
    return children;
}

/* Parents ascend and come first, sizes are those of the distributions. */
static void check_stages(const pn_dag_job *job)
{
    for (uint32_t s = 0; s < job->stage_count; s++) {
        const pn_dag_stage *stage = &job->stages[s];
        assert_in_range(stage->tasks, 1, 9);
        assert_in_range(stage->duration, 10, 100);
        assert_in_range(stage->demand[0], 100, 2000);
        assert_in_range(stage->demand[1], 0, 3);
        assert_true(stage->demand[2] == 0 && stage->start_ms == PN_DAG_AUTO);
        for (uint32_t i = 0; i < stage->parent_count; i++) {
            assert_true(stage->parents[i] < s);
            assert_true(i == 0 || stage->parents[i - 1] < stage->parents[i]);
        }
    }
}

/* The layer of a stage follows from its parents: all of one layer. */
static void check_layered(const pn_dag_job *job)
{
    uint32_t *layer = calloc(job->stage_count, sizeof *layer), most = 0;
    for (uint32_t s = 0; s < job->stage_count; s++) {
        const pn_dag_stage *stage = &job->stages[s];
        for (uint32_t i = 0; i < stage->parent_count; i++) {
            assert_true(i == 0 || layer[s] == layer[stage->parents[i]] + 1);
            layer[s] = layer[stage->parents[i]] + 1;
        }
        assert_true(layer[s] >= most); /* layers come one after the other */
        most = layer[s];
    }
    assert_true(most < 5);
    free(layer);
}

static void check_fork_join(const pn_dag_job *job)
{
    uint32_t fork = 0, s = 1;
    assert_int_equal(job->stages[0].parent_count, 0);
    while (s < job->stage_count) {
        uint32_t width = children_of(job, fork), join = fork + width + 1;
        assert_in_range(width, 1, 6);
        for (; s < join; s++)
            assert_true(job->stages[s].parent_count == 1 && has_parent(&job->stages[s], fork));
        assert_int_equal(job->stages[join].parent_count, width);
        fork = join;
        s = join + 1;
    }
    assert_int_equal(fork, job->stage_count - 1);
}

static void check_chains(const pn_dag_job *job)
{
    uint32_t chains = 0;
    for (uint32_t s = 0; s < job->stage_count; s++) {
        assert_true(job->stages[s].parent_count <= 1 && children_of(job, s) <= 1);
        assert_true(job->stages[s].parent_count == 0 || has_parent(&job->stages[s], s - 1));
        chains += job->stages[s].parent_count == 0;
    }
    assert_in_range(chains, 1, 6);
}

typedef struct reduction {
    uint32_t count, left;
    uint8_t *edge, *gone; /* edge[from * count + to] */
} reduction;

static uint8_t *edge_of(const reduction *self, uint32_t from, uint32_t to)
{
    return &self->edge[(size_t)from * self->count + to];
}

/* Two stages are one when they have the same parents and the same children. */
static int are_beside(const reduction *self, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < self->count; k++)
        if (*edge_of(self, a, k) != *edge_of(self, b, k) ||
            *edge_of(self, k, a) != *edge_of(self, k, b))
            return 0;
    return 1;
}

/* Or when one is the only parent of its only child. */
static int are_in_series(const reduction *self, uint32_t a, uint32_t b)
{
    uint32_t children = 0, parents = 0;
    for (uint32_t k = 0; k < self->count; k++) {
        children += *edge_of(self, a, k);
        parents += *edge_of(self, k, b);
    }
    return *edge_of(self, a, b) && children == 1 && parents == 1;
}

/* b goes, and a has its children; where both stand beside each other it has them already. */
static void join(reduction *self, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < self->count; k++) {
        *edge_of(self, a, k) = *edge_of(self, b, k);
        *edge_of(self, b, k) = *edge_of(self, k, b) = 0;
    }
    self->gone[b] = 1;
    self->left--;
}

static int join_any(reduction *self)
{
    for (uint32_t a = 0; a < self->count; a++)
        for (uint32_t b = 0; b < self->count && !self->gone[a]; b++)
            if (a != b && !self->gone[b] && (are_beside(self, a, b) || are_in_series(self, a, b))) {
                join(self, a, b);
                return 1;
            }
    return 0;
}

/* A series-parallel job, and no other, is joined to one stage in the end. */
static void check_series_parallel(const pn_dag_job *job)
{
    reduction all = {.count = job->stage_count, .left = job->stage_count};
    all.edge = calloc((size_t)all.count * all.count, 1);
    all.gone = calloc(all.count, 1);
    for (uint32_t s = 0; s < all.count; s++)
        for (uint32_t i = 0; i < job->stages[s].parent_count; i++)
            *edge_of(&all, job->stages[s].parents[i], s) = 1;
    while (join_any(&all))
        ;
    assert_int_equal(all.left, 1);
    free(all.edge);
    free(all.gone);
}

static void check_job(const pn_dag_job *job, enum dag_shape shape)
{
    static void (*const checks[])(const pn_dag_job *) = {check_layered, check_fork_join,
                                                         check_chains, check_series_parallel};
    check_stages(job);
    checks[shape](job);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_shapes(void **state)
{
    (void)state;
    for (int shape = 0; shape < DAG_SHAPES; shape++) {
        dag_draws draws = draws_of((enum dag_shape)shape);
        source *work = dag_random_new(&draws, 7, 0);
        uint64_t jobs = 0, last = 0, stages = 0;
        pn_dag_job job;
        assert_true(work->count == 200 && dag_source_of(work)->resources == 2);
        while (work->next(work, &job) == SOURCE_JOB) {
            assert_true(job.arrival >= last && (jobs > 0 || job.arrival == 0));
            last = job.arrival;
            stages += job.stage_count;
            check_job(&job, (enum dag_shape)shape);
            jobs++;
        }
        assert_true(jobs == 200 && stages > 400);
        assert_in_range(last, 140000, 260000);
        source_free(work);
    }
}

static void test_mixed(void **state)
{
    dag_draws draws = draws_of(DAG_SHAPES);
    source *work = dag_random_new(&draws, 3, 0);
    uint32_t seen[DAG_SHAPES] = {0};
    pn_dag_job job;
    (void)state;
    while (work->next(work, &job) == SOURCE_JOB) {
        seen[job.group]++;
        check_job(&job, (enum dag_shape)job.group);
    }
    for (int shape = 0; shape < DAG_SHAPES; shape++)
        assert_in_range(seen[shape], 25, 75);
    source_free(work);
}

/* A number that says what all jobs are. */
static uint64_t fingerprint(source *work)
{
    uint64_t sum = 0;
    pn_dag_job job;
    work->rewind(work);
    while (work->next(work, &job) == SOURCE_JOB) {
        sum = sum * 31 + job.arrival;
        for (uint32_t s = 0; s < job.stage_count; s++) {
            const pn_dag_stage *stage = &job.stages[s];
            sum = sum * 31 + stage->tasks + 7 * stage->duration + 13 * stage->demand[0];
            for (uint32_t i = 0; i < stage->parent_count; i++)
                sum = sum * 31 + stage->parents[i];
            for (uint32_t i = 0; stage->durations && i < stage->tasks; i++)
                sum = sum * 31 + stage->durations[i];
        }
    }
    return sum;
}

static uint64_t fingerprint_of(const dag_draws *draws, uint64_t seed, uint32_t replica)
{
    source *work = dag_random_new(draws, seed, replica);
    uint64_t first = fingerprint(work);
    assert_true(fingerprint(work) == first);
    source_free(work);
    return first;
}

static void test_seeds(void **state)
{
    dag_draws draws = draws_of(DAG_SHAPES);
    (void)state;
    draws.spread = uniform(0.5, 1.5);
    assert_true(fingerprint_of(&draws, 1, 0) == fingerprint_of(&draws, 1, 0));
    assert_true(fingerprint_of(&draws, 1, 0) != fingerprint_of(&draws, 2, 0));
    assert_true(fingerprint_of(&draws, 1, 0) != fingerprint_of(&draws, 1, 1));
}

/* Each task lasts the time of its stage, times its factor, to the nearest. */
static void test_spread(void **state)
{
    dag_draws draws = draws_of(DAG_CHAINS), plain = draws;
    source *work, *other;
    pn_dag_job job, without;
    (void)state;
    draws.spread = constant(0.001);
    draws.tasks = plain.tasks = constant(4);
    work = dag_random_new(&draws, 5, 0);
    other = dag_random_new(&plain, 5, 0);
    while (work->next(work, &job) == SOURCE_JOB) {
        assert_int_equal(other->next(other, &without), SOURCE_JOB);
        assert_true(job.arrival == without.arrival && job.stage_count == without.stage_count);
        for (uint32_t s = 0; s < job.stage_count; s++) {
            assert_null(without.stages[s].durations);
            assert_int_equal(job.stages[s].demand[0], without.stages[s].demand[0]);
            for (uint32_t i = 0; i < 4; i++)
                assert_int_equal(job.stages[s].durations[i], 1); /* never 0 */
        }
    }
    source_free(work);
    source_free(other);
}

static void check_refused(const dag_draws *draws, const char *why)
{
    source *work = dag_random_new(draws, 1, 0);
    pn_dag_job job;
    assert_int_equal(work->next(work, &job), SOURCE_FAULT);
    assert_string_equal(work->fault, why);
    source_free(work);
}

static void test_limits(void **state)
{
    dag_draws draws = draws_of(DAG_LAYERED);
    (void)state;
    draws.sizes.width = constant(65537);
    check_refused(&draws, "job 1: it has more than 2^16 stages, drawn at random");
    draws.sizes.width = constant(2000);
    draws.sizes.depth = constant(2);
    draws.sizes.edges = 1.0;
    check_refused(&draws, "job 1: its stages, drawn at random, have more than 2^20 parents");
    draws = draws_of(DAG_CHAINS);
    draws.tasks = constant(1048577);
    check_refused(&draws, "job 1: a stage has more than 2^20 tasks, drawn at random");
    draws.tasks = constant(1);
    draws.duration = constant(0x1p40 + 1.0);
    check_refused(&draws, "job 1: its tasks, drawn at random, pass 2^40 ms");
    draws.duration = constant(0x1p30);
    draws.spread = constant(2048.0);
    check_refused(&draws, "job 1: its tasks, drawn at random, pass 2^40 ms");
    draws.spread = constant(1.0);
    draws.demand[1] = constant(0x1p41);
    check_refused(&draws, "job 1: a demand, drawn at random, passes 2^40");
    draws.demand[0] = draws.demand[1] = constant(0.25);
    check_refused(&draws, "job 1: a stage demands nothing of any resource, as it was drawn");
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* The longest path that ends with this stage, by the definition. */
static double path_to(const pn_dag_job *job, const double *lengths, uint32_t stage)
{
    double before = 0.0;
    for (uint32_t i = 0; i < job->stages[stage].parent_count; i++) {
        double path = path_to(job, lengths, job->stages[stage].parents[i]);
        before = path > before ? path : before;
    }
    return before + lengths[stage];
}

static void test_paths_of_random_jobs(void **state)
{
    dag_draws draws = draws_of(DAG_SHAPES);
    source *work = dag_random_new(&draws, 11, 0);
    dag_path_room room = {0};
    pn_dag_job job;
    (void)state;
    while (work->next(work, &job) == SOURCE_JOB) {
        double *lengths = calloc(job.stage_count, sizeof *lengths), longest = 0.0;
        for (uint32_t s = 0; s < job.stage_count; s++)
            lengths[s] = (double)job.stages[s].duration;
        for (uint32_t s = 0; s < job.stage_count; s++)
            longest = fmax(longest, path_to(&job, lengths, s));
        assert_true(dag_longest_path(&job, lengths, &room) == longest);
        free(lengths);
    }
    dag_path_room_free(&room);
    source_free(work);
}

/* Parents may point forward; in a circle there is no longest path; what is no stage is no parent.
 */
static void test_odd_paths(void **state)
{
    const uint32_t forward[] = {2}, first[] = {0}, nowhere[] = {3, UINT32_MAX};
    const double lengths[] = {5.0, 7.0, 11.0};
    pn_dag_stage stages[3] = {{.parents = forward, .parent_count = 1}};
    pn_dag_job job = {.stages = stages, .stage_count = 3};
    dag_path_room room = {0};
    (void)state;
    assert_true(dag_longest_path(&job, lengths, &room) == 16.0);
    stages[1] = (pn_dag_stage){.parents = first, .parent_count = 1};
    assert_true(dag_longest_path(&job, lengths, &room) == 23.0);
    stages[2] = (pn_dag_stage){.parents = first, .parent_count = 1};
    assert_true(dag_longest_path(&job, lengths, &room) == 0.0);
    stages[2] = (pn_dag_stage){.parents = nowhere, .parent_count = 2};
    assert_true(dag_longest_path(&job, lengths, &room) == 23.0);
    dag_path_room_free(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_seeds),    cmocka_unit_test(test_spread),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_paths_of_random_jobs),
        cmocka_unit_test(test_odd_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
