/* Sources of jobs: draws against the kernel's own variates, means against integrals, common random
 * numbers, instances of proofs, estimates, sums of gaps; batches of the makespan model; jobs of the
 * cluster model with their lists and deadlines; numbers that are read exactly; Ctrl-C. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/interrupt.h"
#include "sandbox/exact_read.h"
#include "pinion/models/cluster/sources/jobs.h"
#include "pinion/models/dag/sources/jobs.h"
#include "workload/error.h"
#include "pinion/models/makespan/sources/jobs.h"
#include "pinion/models/slotted/sources/jobs.h"
#include "pinion/models/tandem/sources/jobs.h"

static const distribution kinds[] = {
    {DISTRIBUTION_EXP, 2.5, 0.0, NULL},        {DISTRIBUTION_UNIFORM, 0.25, 3.0, NULL},
    {DISTRIBUTION_LOGNORMAL, 1.0, 3.65, NULL}, {DISTRIBUTION_LOGNORMAL, 2.0, 0.5, NULL},
    {DISTRIBUTION_LOGNORMAL, 1.0, 0.0, NULL},  {DISTRIBUTION_LOGNORMAL, 1.0, 1e-9, NULL},
    {DISTRIBUTION_NORMAL, 1.0, 1.0, NULL},     {DISTRIBUTION_NORMAL, 3.0, 0.25, NULL},
    {DISTRIBUTION_NORMAL, 0.0, 2.0, NULL},     {DISTRIBUTION_NORMAL, 2.0, 0.0, NULL},
    {DISTRIBUTION_PARETO, 2.5, 0.75, NULL},    {DISTRIBUTION_POISSON, 3.0, 0.0, NULL},
    {DISTRIBUTION_CONSTANT, 4.0, 0.0, NULL},   {DISTRIBUTION_GAMMA, 1.0, 2.5, NULL},
    {DISTRIBUTION_ERLANG, 1.0, 2.5, NULL}};
#define KINDS (sizeof kinds / sizeof kinds[0])

static void test_fill_is_bit_equal(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        prepared_factor prepared;
        pn_stream one, other;
        double draws[1000];
        pn_stream_init(&one, 7, 1, 5);
        pn_stream_init(&other, 7, 1, 5);
        prepared_factor_init(&prepared, &kinds[k]);
        prepared_factor_fill(&prepared, &one, draws, 1000);
        for (int i = 0; i < 1000; i++) {
            double single = distribution_factor(&kinds[k], &other);
            assert_memory_equal(&draws[i], &single, sizeof single);
        }
    }
}

/* Mean of the power of a variate by the midpoints of its quantiles, for distributions whose tails
 * are no heavier than the check is coarse. */
static double integral(const distribution *of, double power)
{
    const int cells = 400000;
    double sum = 0.0;
    for (int i = 0; i < cells; i++) {
        double p = (i + 0.5) / cells, x = of->a;
        if (of->kind == DISTRIBUTION_EXP)
            x = -of->a * log1p(-p);
        else if (of->kind == DISTRIBUTION_GAMMA || of->kind == DISTRIBUTION_ERLANG)
            x = -of->b * log1p(-p); /* of shape 1: exponential */
        else if (of->kind == DISTRIBUTION_UNIFORM)
            x = of->a + (of->b - of->a) * p;
        else if (of->kind == DISTRIBUTION_PARETO)
            x = of->b * pow(1.0 - p, -1.0 / of->a);
        else if (of->kind == DISTRIBUTION_NORMAL)
            x = fmax(0.0, of->a + of->b * pn_normal_quantile(p));
        else if (of->kind == DISTRIBUTION_LOGNORMAL) {
            double variance = log1p((of->b / of->a) * (of->b / of->a));
            x = of->a * exp(sqrt(variance) * pn_normal_quantile(p) - variance / 2);
        }
        sum += pow(x, power);
    }
    return sum / cells;
}

static void test_moments(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        for (int thirds = 1; thirds <= 3; thirds++) {
            double moment = distribution_moment(&kinds[k], thirds),
                   wanted = integral(&kinds[k], thirds / 3.0);
            int heavy = kinds[k].kind == DISTRIBUTION_LOGNORMAL && kinds[k].b > 1.0;
            if (kinds[k].kind == DISTRIBUTION_POISSON ||
                (kinds[k].kind == DISTRIBUTION_NORMAL && thirds < 3))
                assert_true(moment == (thirds == 3 ? 3.0 : -1.0));
            else
                assert_true(fabs(moment - wanted) <= (heavy ? 2e-2 : 2e-3) * wanted);
        }
    }
    assert_true(
        isinf(distribution_moment(&(distribution){DISTRIBUTION_PARETO, 1.0, 1.0, NULL}, 3)));
    assert_true(
        isinf(distribution_moment(&(distribution){DISTRIBUTION_PARETO, 0.5, 1.0, NULL}, 2)));
    assert_true(distribution_moment(&(distribution){DISTRIBUTION_PARETO, 0.5, 1.0, NULL}, 1) <
                10.0);
    /* The paper's transform: a third of sigma, here as a standard deviation. */
    double balanced =
        distribution_moment(&(distribution){DISTRIBUTION_LOGNORMAL, 1.0, 3.28, NULL}, 2) /
        pow(distribution_moment(&(distribution){DISTRIBUTION_LOGNORMAL, 1.0, 3.28, NULL}, 1), 2);
    assert_true(fabs(sqrt(balanced - 1.0) - 0.5613) < 5e-5);
}

static lin_shape section_5_3(void)
{
    return (lin_shape){.map = {DISTRIBUTION_LOGNORMAL, 1.0, 3.65, NULL},
                       .other = {DISTRIBUTION_LOGNORMAL, 1.0, 3.28, NULL},
                       .load = 0.75,
                       .jobs = 1000};
}

static void next(source *work, pn_tandem_job *job)
{
    assert_int_equal(source_next(work, job), SOURCE_JOB);
    assert_int_equal(job->struct_size, sizeof *job);
}

/* The same seed gives the same sizes at every load and in a batch, and the same gaps but for their
 * scale; balanced ratios are the cube roots of the others times a constant. */
static void test_common_random_numbers(void **state)
{
    lin_shape shapes[5];
    source *works[5];
    lin_facts facts;
    double first_root = 0.0;
    (void)state;
    for (int i = 0; i < 5; i++)
        shapes[i] = section_5_3();
    shapes[1].load = 1.5; /* twice: an exact factor */
    shapes[2].batch = 1;
    shapes[3].balance = 1;
    shapes[4].jobs = 10;
    for (int i = 0; i < 5; i++) {
        assert_null(lin_check(&shapes[i], &facts));
        assert_true(fabs(facts.map - 1.0) < 1e-15 && fabs(facts.shuffle - 1.0) < 1e-15);
        works[i] = tandem_lin_new(&shapes[i], 3, 1);
        assert_non_null(works[i]);
        assert_int_equal(works[i]->model, SOURCE_TANDEM);
        assert_int_equal(tandem_source_of(works[i])->gaps, 1);
    }
    assert_true(facts.rate == 0.75);
    for (int i = 0; i < 1000; i++) {
        pn_tandem_job job, other;
        next(works[0], &job);
        next(works[1], &other);
        assert_true(other.map == job.map && other.shuffle == job.shuffle &&
                    other.arrival == job.arrival / 2);
        next(works[2], &other);
        assert_true(other.map == job.map && other.shuffle == job.shuffle && other.arrival == 0.0);
        next(works[3], &other);
        assert_true(other.map == job.map && other.arrival == job.arrival);
        double root = other.shuffle / other.map / cbrt(job.shuffle / job.map);
        first_root = i == 0 ? root : first_root;
        assert_true(fabs(root / first_root - 1.0) < 1e-13);
        if (i < 10) {
            next(works[4], &other);
            assert_true(other.map == job.map && other.shuffle == job.shuffle &&
                        other.arrival == job.arrival);
        }
    }
    for (int i = 0; i < 5; i++) {
        pn_tandem_job job, again;
        assert_int_equal(works[i]->next(works[i], &job), SOURCE_END);
        works[i]->rewind(works[i]);
        next(works[i], &job);
        works[i]->rewind(works[i]);
        next(works[i], &again);
        assert_true(again.arrival == job.arrival && again.map == job.map &&
                    again.shuffle == job.shuffle);
        assert_true(again.estimate_map == job.estimate_map &&
                    again.estimate_shuffle == job.estimate_shuffle);
        assert_true(again.tag == job.tag && again.group == job.group &&
                    again.rank[0] == job.rank[0] && again.rank[1] == job.rank[1]);
        works[i]->destroy(works[i]);
    }
}

static void test_odd_shapes(void **state)
{
    lin_shape shape = section_5_3();
    lin_facts facts;
    (void)state;
    shape.map = (distribution){DISTRIBUTION_PARETO, 1.0, 1.0, NULL};
    assert_non_null(strstr(lin_check(&shape, &facts), "infinite"));
    shape.batch = 1;
    assert_null(lin_check(&shape, &facts));
    shape.balance = 1;
    assert_non_null(strstr(lin_check(&shape, &facts), "balance"));
    shape = section_5_3();
    shape.map = (distribution){DISTRIBUTION_CONSTANT, 0.0, 0.0, NULL};
    assert_non_null(strstr(lin_check(&shape, &facts), "0 or out of range"));
    shape = section_5_3();
    shape.load = NAN;
    assert_non_null(strstr(lin_check(&shape, &facts), "load"));
    shape.load = 1e300;
    assert_string_equal(lin_check(&shape, &facts), "load: must be > 0");
    shape.load = 0.75;
    shape.other = (distribution){DISTRIBUTION_POISSON, 1.0, 0.0, NULL};
    shape.balance = 1;
    assert_non_null(strstr(lin_check(&shape, &facts), "closed form"));
    /* Sizes beyond 2^256 are a fault, those below 2^-256 are 0. */
    shape = section_5_3();
    shape.batch = 1;
    shape.map = (distribution){DISTRIBUTION_PARETO, 0.001, 1.0, NULL};
    source *work = tandem_lin_new(&shape, 1, 0);
    pn_tandem_job job;
    int answer;
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
    }
    assert_int_equal(answer, SOURCE_FAULT);
    assert_non_null(strstr(work->fault, "its map size, drawn at random, passes 2^256"));
    work->destroy(work);
    double amount = 1e-90;
    assert_true(source_amount(&amount) && amount == 0.0);
    amount = PN_TANDEM_LEAST;
    assert_true(source_amount(&amount) && amount == PN_TANDEM_LEAST);
    amount = PN_TANDEM_MOST;
    assert_true(source_amount(&amount) && amount == PN_TANDEM_MOST);
    amount = 1.01 * PN_TANDEM_MOST;
    assert_false(source_amount(&amount));
    amount = NAN;
    assert_false(source_amount(&amount));
    amount = -1.0;
    assert_false(source_amount(&amount));
}

/* Pieces of 0.1 drift away in a plain sum; the times must be those of exact arithmetic. */
static void test_gap_sum(void **state)
{
    gap_sum sum = {0.0, 0.0};
    double last = 0.0;
    (void)state;
    for (int i = 0; i < 10000000; i++)
        last = gap_sum_add(&sum, 0.1);
    assert_true(last == 1000000.0);
    for (int i = 0; i < 4096; i++)
        last = gap_sum_add(&sum, 0x1p-44);
    assert_true(last == 1000000.0 + 0x1p-32);
}

static void test_job_list(void **state)
{
    lin_shape shape = section_5_3();
    source *work = tandem_lin_new(&shape, 3, 0);
    tandem_job_list list;
    pn_tandem_job job;
    gap_sum sum = {0.0, 0.0};
    (void)state;
    next(work, &job);
    assert_int_equal(tandem_job_list_collect(&list, work), SOURCE_END);
    assert_int_equal(list.count, 1000);
    work->rewind(work);
    for (size_t i = 0; i < list.count; i++) {
        next(work, &job);
        assert_true(list.jobs[i].arrival == gap_sum_add(&sum, job.arrival));
        assert_true(list.jobs[i].map == job.map && list.jobs[i].shuffle == job.shuffle);
    }
    tandem_job_list_free(&list);
    assert_null(list.jobs);
    work->destroy(work);
}

static void compare_arrival(void *user, const pn_tandem_finish *finish)
{
    const tandem_job_list *list = user;
    assert_true(finish->arrival == list->jobs[finish->id - 1].arrival);
    assert_true(finish->map == list->jobs[finish->id - 1].map);
}

/* The checker is given the list, and the log has the engine's times: they must be the same
 * doubles. */
static void test_engine_has_the_same_times(void **state)
{
    static _Alignas(8) unsigned char room[4 << 20];
    lin_shape shape = section_5_3();
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem *sim;
    pn_tandem_job job;
    tandem_job_list list;
    pn_tandem_hooks hooks = {
        .policy = pn_tandem_fcfs(), .on_finish = compare_arrival, .user = &list};
    (void)state;
    shape.jobs = 50000;
    source *work = tandem_lin_new(&shape, 11, 0);
    assert_int_equal(tandem_job_list_collect(&list, work), SOURCE_END);
    config.jobs_max = 4096;
    config.gaps = tandem_source_of(work)->gaps;
    assert_int_equal(pn_tandem_init(&sim, room, sizeof room, &config), PN_OK);
    work->rewind(work);
    while (work->next(work, &job) == SOURCE_JOB) {
        assert_int_equal(pn_tandem_submit(sim, &job, NULL), PN_OK);
        assert_true(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX) >= 0);
    }
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    pn_tandem_totals totals;
    pn_tandem_totals_get(sim, &totals);
    assert_int_equal(totals.finished, shape.jobs);
    tandem_job_list_free(&list);
    work->destroy(work);
}

static void test_blocks(void **state)
{
    block blocks[] = {{0.0, 0.0, 1.0, 0.5, 3, 0}, {2.0, 1.5, 2.0, 3.0, 2, 1}};
    source *work = tandem_blocks_new(blocks, 2);
    const double arrivals[] = {0.0, 0.0, 0.0, 2.0, 3.5};
    (void)state;
    memset(blocks, 0, sizeof blocks); /* it has its own */
    for (int round = 0; round < 2; round++) {
        pn_tandem_job job;
        for (int i = 0; i < 5; i++) {
            next(work, &job);
            assert_true(job.arrival == arrivals[i] && job.map == (i < 3 ? 1.0 : 2.0) &&
                        job.shuffle == (i < 3 ? 0.5 : 3.0));
            assert_int_equal(job.group, i >= 3);
        }
        assert_int_equal(work->next(work, &job), SOURCE_END);
        work->rewind(work);
    }
    assert_int_equal(work->count, 5);
    work->destroy(work);
    work = tandem_blocks_new(NULL, 0);
    assert_int_equal(work->next(work, &(pn_tandem_job){0}), SOURCE_END);
    work->destroy(work);
}

static source *some_jobs(void)
{
    source *table = tandem_table_new();
    const pn_tandem_job jobs[] = {{.map = 2.0, .shuffle = 3.0},
                                  {.map = 0.0, .shuffle = 1e70},
                                  {.map = 2.0, .shuffle = 3.0, .estimate_map = 9.0},
                                  {.map = 0x1p-200, .shuffle = 0.0}};
    for (int i = 0; i < 4; i++)
        assert_true(tandem_table_add(table, &jobs[i]));
    return table;
}

/* One factor a job for both sizes; what is 0 stays 0; jobs with an estimate keep theirs; everything
 * within the model's range. */
static void test_estimates(void **state)
{
    const distribution factors[] = {{DISTRIBUTION_LOGNORMAL, 1.0, 0.5, NULL},
                                    {DISTRIBUTION_CONSTANT, 0.0, 0.0, NULL},
                                    {DISTRIBUTION_CONSTANT, 1e17, 0.0, NULL},
                                    {DISTRIBUTION_CONSTANT, 1e-20, 0.0, NULL}};
    source *truth = some_jobs();
    (void)state;
    for (int f = 0; f < 4; f++) {
        source *work = tandem_error_new(truth, &factors[f], 5, 0);
        pn_tandem_job jobs[4];
        pn_stream stream;
        double factor;
        pn_stream_init(&stream, 5, 0, SOURCE_ERROR_STREAM);
        factor = distribution_factor(&factors[f], &stream);
        assert_int_equal(work->model, SOURCE_TANDEM);
        for (int i = 0; i < 4; i++)
            next(work, &jobs[i]);
        assert_int_equal(work->next(work, &jobs[0]), SOURCE_END);
        assert_true(jobs[0].map == 2.0 && jobs[0].shuffle == 3.0);
        assert_true(jobs[0].estimate_map == (f == 1 ? PN_TANDEM_ESTIMATE_ZERO : 2.0 * factor));
        assert_true(jobs[0].estimate_shuffle == (f == 1 ? PN_TANDEM_ESTIMATE_ZERO : 3.0 * factor));
        assert_true(jobs[1].estimate_map == 0.0);
        assert_true(f != 2 || jobs[1].estimate_shuffle == PN_TANDEM_MOST);
        assert_true(jobs[2].estimate_map == 9.0 && jobs[2].estimate_shuffle == 0.0);
        assert_true(f != 3 || jobs[3].estimate_map == PN_TANDEM_ESTIMATE_ZERO);
        assert_true(jobs[3].estimate_shuffle == 0.0);
        work->rewind(work);
        next(work, &jobs[3]);
        assert_memory_equal(&jobs[3], &jobs[0], sizeof jobs[0]);
        work->destroy(work);
    }
    truth->destroy(truth);
}

/* ---- the makespan model ---------------------------------------------------------------------- */

static void add_tasks(source *table, enum pn_makespan_stage stage, uint64_t duration,
                      uint32_t count)
{
    assert_true(makespan_table_tasks(table, stage, duration, count));
}

static source *some_batch(void)
{
    source *table = makespan_table_new(6);
    assert_true(
        makespan_table_begin(table, &(pn_makespan_job){.group = 3, .stage[0].requested = 9}));
    add_tasks(table, PN_MAKESPAN_MAP, 4, 2);
    add_tasks(table, PN_MAKESPAN_MAP, 4, 1);
    add_tasks(table, PN_MAKESPAN_MAP, 0, 1);
    add_tasks(table, PN_MAKESPAN_MAP, 7, 0); /* nothing */
    add_tasks(table, PN_MAKESPAN_MAP, 4, UINT32_MAX);
    add_tasks(table, PN_MAKESPAN_MAP, 4, 1); /* one more than a stretch holds */
    add_tasks(table, PN_MAKESPAN_REDUCE, 4, 1);
    assert_true(makespan_table_begin(
        table, &(pn_makespan_job){.stage = {{.time = 5, .has_time = 1, .requested = 2},
                                            {.time = 0, .has_time = 1, .empty = 1}}}));
    assert_true(
        makespan_table_begin(table, &(pn_makespan_job){.stage[1] = {.time = 1, .has_time = 1}}));
    add_tasks(table, PN_MAKESPAN_REDUCE, 4, 1);
    return table;
}

static void test_batch_table(void **state)
{
    source *table = some_batch(), *none = makespan_table_new(1);
    pn_makespan_job job, *jobs = makespan_table_jobs(none);
    (void)state;
    assert_non_null(jobs); /* null is no memory */
    free(jobs);
    source_free(none);
    assert_int_equal(table->model, SOURCE_MAKESPAN);
    assert_true(table->count == 3 && makespan_source_of(table)->ticks == 6);
    /* one of them twice: it might have been the time */
    assert_true(makespan_source_of(table)->stretches >= 6);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++)
            assert_int_equal(table->next(table, &job), SOURCE_JOB);
        assert_int_equal(table->next(table, &job), SOURCE_END);
        table->rewind(table);
    }
    jobs = makespan_table_jobs(table);
    assert_int_equal(jobs[0].group, 3);
    assert_int_equal(jobs[0].stage[0].requested, 9);
    assert_int_equal(jobs[0].stage[0].stretch_count, 4);
    assert_true(jobs[0].stage[0].stretches[0].duration == 4 &&
                jobs[0].stage[0].stretches[0].count == 3);
    assert_true(jobs[0].stage[0].stretches[1].duration == 0 &&
                jobs[0].stage[0].stretches[1].count == 1);
    assert_true(jobs[0].stage[0].stretches[2].count == UINT32_MAX &&
                jobs[0].stage[0].stretches[3].count == 1);
    assert_int_equal(jobs[0].stage[1].stretch_count, 1);
    assert_null(jobs[1].stage[0].stretches);
    assert_true(jobs[1].stage[0].time == 5 && jobs[1].stage[0].requested == 2 &&
                jobs[1].stage[1].has_time == 1);
    assert_true(jobs[1].stage[0].empty == 0 && jobs[1].stage[1].empty == 1);
    assert_int_equal(jobs[2].stage[0].has_time, 0);
    assert_true(jobs[2].stage[1].stretches->duration == 4 && jobs[2].stage[1].time == 1);
    makespan_table_at(table, 2, &job);
    assert_memory_equal(&job, &jobs[2], sizeof job);
    free(jobs);
    table->destroy(table);
}

/* The draws of a job, one by one, in their documented order. */
static void test_batch_draws(void **state)
{
    const batch_shape shape = {
        .jobs = 7,
        .tasks = {{DISTRIBUTION_UNIFORM, 2.0, 9.0, NULL}, {DISTRIBUTION_PARETO, 0.5, 1.0, NULL}},
        .length = {{DISTRIBUTION_LOGNORMAL, 40.0, 80.0, NULL}, {DISTRIBUTION_EXP, 9.0, 0.0, NULL}},
        .spread = {DISTRIBUTION_UNIFORM, 0.5, 1.5, NULL},
        .stragglers = 0.25,
        .times = 3.5,
        .tasks_most = 20};
    source *table = makespan_table_new(1);
    pn_stream stream;
    (void)state;
    assert_int_equal(makespan_batch_fill(table, &shape, 5, 2), SOURCE_END);
    assert_int_equal(table->count, 7);
    pn_stream_init(&stream, 5, 2, 0);
    for (uint64_t i = 0; i < 7; i++) {
        pn_makespan_job job;
        makespan_table_at(table, i, &job);
        for (int s = 0; s < 2; s++) {
            const pn_makespan_stretch *stretch = job.stage[s].stretches;
            uint64_t tasks = distribution_draw(&shape.tasks[s], &stream),
                     length = distribution_draw(&shape.length[s], &stream);
            uint32_t used = 0;
            tasks = tasks > 20 ? 20 : tasks;
            for (uint64_t k = 0; k < tasks; k++) {
                double factor = distribution_factor(&shape.spread, &stream);
                factor *= pn_uniform01(&stream) < 0.25 ? 3.5 : 1.0;
                double lasts = floor((double)length * factor + 0.5);
                assert_true((double)stretch->duration == (lasts < 1.0 ? 1.0 : lasts));
                if (++used == stretch->count) {
                    stretch++;
                    used = 0;
                }
            }
            assert_true(used == 0 &&
                        stretch == job.stage[s].stretches + job.stage[s].stretch_count);
        }
    }
    table->destroy(table);
}

static void test_batch_too_large(void **state)
{
    batch_shape shape = {
        .jobs = 2,
        .tasks = {{DISTRIBUTION_CONSTANT, 3.0, 0.0, NULL}, {DISTRIBUTION_CONSTANT, 3.0, 0.0, NULL}},
        .length = {{DISTRIBUTION_CONSTANT, 9.0, 0.0, NULL},
                   {DISTRIBUTION_CONSTANT, 0x1p52, 0.0, NULL}},
        .spread = {DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL},
        .times = 1.0,
        .tasks_most = 100};
    source *table = makespan_table_new(1);
    (void)state;
    assert_int_equal(makespan_batch_fill(table, &shape, 1, 0), SOURCE_FAULT);
    assert_string_equal(table->fault, "job 1: its reduce tasks, drawn at random, pass 2^53 units");
    table->destroy(table);
    table = makespan_table_new(1);
    shape.tasks[1].a = 2.0; /* 2^53 in all */
    assert_int_equal(makespan_batch_fill(table, &shape, 1, 0), SOURCE_END);
    table->destroy(table);
}

/* The jobs of the slotted model, whatever their maps last. */
static void test_facebook_batch(void **state)
{
    const distribution map_length = {DISTRIBUTION_EXP, 30.0, 0.0, NULL},
                       reduce_length = {DISTRIBUTION_EXP, 5.0, 0.0, NULL};
    source *slotted = slotted_facebook_new(500, 4.0, 9, &reduce_length, 3, 1),
           *table = makespan_table_new(1);
    pn_slotted_job wanted;
    pn_makespan_job job;
    pn_stream stream;
    (void)state;
    assert_int_equal(makespan_facebook_fill(table, 500, 9, &map_length, &reduce_length, 3, 1),
                     SOURCE_END);
    pn_stream_init(&stream, 3, 1, 1);
    for (int i = 0; i < 500; i++) {
        assert_int_equal(slotted->next(slotted, &wanted), SOURCE_JOB);
        assert_int_equal(table->next(table, &job), SOURCE_JOB);
        assert_int_equal(job.group, wanted.group);
        assert_true(job.stage[0].stretches->count == wanted.maps &&
                    job.stage[1].stretches->count == wanted.reduce_count);
        assert_true(job.stage[0].stretches->duration == distribution_draw(&map_length, &stream));
        assert_true(job.stage[1].stretches->duration == wanted.reduces[0]);
    }
    assert_int_equal(table->next(table, &job), SOURCE_END);
    table->destroy(table);
    slotted->destroy(slotted);
}

/* ---- the cluster model ----------------------------------------------------------------------- */

#define LISTED_JOBS 60
#define LISTED_MOST 40

/* A job with some mixture of lists, as it is before a table has it. */
typedef struct listed_job {
    pn_cluster_job job;
    uint64_t times[3][LISTED_MOST];
    uint32_t factor[2][LISTED_MOST], counts[LISTED_MOST], blocks[3 * LISTED_MOST];
} listed_job;

static void draw_listed(listed_job *listed, pn_stream *stream, uint64_t submit)
{
    pn_cluster_job *job = &listed->job;
    uint64_t lists = pn_uniform(stream, 0, 63);
    uint32_t filled = 0;
    *job = (pn_cluster_job){.submit = submit,
                            .maps = (uint32_t)pn_uniform(stream, 1, LISTED_MOST),
                            .reduces = (uint32_t)pn_uniform(stream, 0, LISTED_MOST),
                            .map_ms = pn_uniform(stream, 0, 9),
                            .remote_ms = 3,
                            .reduce_ms = 4,
                            .shuffle_ms = 5,
                            .deadline = pn_uniform(stream, 0, 1),
                            .est_map_ms = 6,
                            .est_reduce_ms = 7,
                            .input = pn_uniform(stream, 0, PN_INTEGER_MAX),
                            .intermediate = pn_uniform(stream, 0, 1),
                            .group = (uint32_t)pn_uniform(stream, 0, 3)};
    for (uint32_t i = 0; i < LISTED_MOST; i++) {
        for (int list = 0; list < 3; list++)
            listed->times[list][i] = pn_uniform(stream, 0, 2) << 38;
        for (int list = 0; list < 2; list++)
            listed->factor[list][i] = (uint32_t)pn_uniform(stream, 1, 2);
        listed->counts[i] = (uint32_t)pn_uniform(stream, 0, 3);
    }
    for (uint32_t i = 0; i < job->maps; i++)
        for (uint32_t k = 0; k < listed->counts[i]; k++)
            listed->blocks[filled++] = (uint32_t)pn_uniform(stream, 10 * k, 10 * k + 9);
    job->map_times = lists & 1 ? listed->times[0] : NULL;
    job->reduce_times = lists & 2 && job->reduces > 0 ? listed->times[1] : NULL;
    job->shuffle_times = lists & 4 && job->reduces > 0 ? listed->times[2] : NULL;
    job->map_factor = lists & 8 ? listed->factor[0] : NULL;
    job->reduce_factor = lists & 16 && job->reduces > 0 ? listed->factor[1] : NULL;
    job->block_counts = lists & 32 ? listed->counts : NULL;
    job->blocks = lists & 32 ? listed->blocks : NULL;
}

static void same_list(const void *got, const void *want, size_t size)
{
    assert_int_equal(got == NULL, want == NULL);
    if (want && size > 0)
        assert_memory_equal(got, want, size);
}

static void same_cluster_job(const pn_cluster_job *got, const pn_cluster_job *want)
{
    size_t blocks = 0;
    assert_true(got->submit == want->submit && got->maps == want->maps &&
                got->reduces == want->reduces);
    assert_true(got->map_ms == want->map_ms && got->remote_ms == want->remote_ms &&
                got->reduce_ms == want->reduce_ms);
    assert_true(got->shuffle_ms == want->shuffle_ms && got->deadline == want->deadline &&
                got->group == want->group);
    assert_true(got->est_map_ms == want->est_map_ms && got->est_reduce_ms == want->est_reduce_ms);
    assert_true(got->input == want->input && got->intermediate == want->intermediate);
    same_list(got->map_times, want->map_times, want->maps * sizeof(uint64_t));
    same_list(got->reduce_times, want->reduce_times, want->reduces * sizeof(uint64_t));
    same_list(got->shuffle_times, want->shuffle_times, want->reduces * sizeof(uint64_t));
    same_list(got->map_factor, want->map_factor, want->maps * sizeof(uint32_t));
    same_list(got->reduce_factor, want->reduce_factor, want->reduces * sizeof(uint32_t));
    same_list(got->block_counts, want->block_counts, want->maps * sizeof(uint32_t));
    for (uint32_t i = 0; want->block_counts && i < want->maps; i++)
        blocks += want->block_counts[i];
    same_list(got->blocks, want->blocks, blocks * sizeof(uint32_t));
}

/* What goes into a table comes out of it, in a stream, one by one and all at once. */
static void test_cluster_table(void **state)
{
    listed_job *jobs = calloc(LISTED_JOBS, sizeof *jobs);
    source *table = cluster_table_new();
    cluster_job_list list;
    pn_cluster_job job;
    pn_stream stream;
    (void)state;
    assert_true(jobs && table && cluster_is_table(table) && table->model == SOURCE_CLUSTER &&
                table->count == 0);
    assert_int_equal(cluster_job_list_collect(&list, table), SOURCE_END);
    assert_true(list.count == 0);
    cluster_job_list_free(&list);
    pn_stream_init(&stream, 11, 0, 0);
    for (uint64_t i = 0; i < LISTED_JOBS; i++) {
        draw_listed(&jobs[i], &stream, 3 * i);
        assert_true(cluster_table_add(table, &jobs[i].job));
    }
    assert_true(table->count == LISTED_JOBS && cluster_source_of(table)->reduces == 1 &&
                cluster_source_of(table)->replicas == 3 && cluster_source_of(table)->nodes == 30);
    for (int pass = 0; pass < 2; pass++) {
        table->rewind(table);
        for (uint64_t i = 0; i < LISTED_JOBS; i++) {
            assert_int_equal(table->next(table, &job), SOURCE_JOB);
            same_cluster_job(&job, &jobs[i].job);
        }
        assert_int_equal(table->next(table, &job), SOURCE_END);
    }
    for (uint64_t i = LISTED_JOBS; i-- > 0;) {
        cluster_table_at(table, i, &job);
        same_cluster_job(&job, &jobs[i].job);
    }
    assert_int_equal(cluster_job_list_collect(&list, table), SOURCE_END);
    assert_true(list.count == LISTED_JOBS);
    table->destroy(table); /* the list stands alone */
    for (uint64_t i = 0; i < LISTED_JOBS; i++)
        same_cluster_job(&list.jobs[i], &jobs[i].job);
    cluster_job_list_free(&list);
    free(jobs);
}

/* Blocks that lie nowhere are not the same as none. */
static void test_cluster_blocks_nowhere(void **state)
{
    source *table = cluster_table_new();
    const uint32_t counts[2] = {0, 0}, blocks[1] = {0};
    pn_cluster_job job = {.maps = 2, .map_ms = 1, .block_counts = counts, .blocks = blocks};
    cluster_job_list list;
    (void)state;
    assert_true(cluster_table_add(table, &job));
    assert_true(cluster_source_of(table)->replicas == 0 && cluster_source_of(table)->nodes == 0 &&
                cluster_source_of(table)->reduces == 0);
    assert_int_equal(table->next(table, &job), SOURCE_JOB);
    assert_true(job.block_counts && job.blocks);
    assert_int_equal(cluster_job_list_collect(&list, table), SOURCE_END);
    assert_true(list.jobs[0].block_counts && list.jobs[0].blocks &&
                list.jobs[0].block_counts[1] == 0);
    cluster_job_list_free(&list);
    table->destroy(table);
}

/* The jobs of the slotted model at the same seed, in milliseconds. */
static void test_facebook_cluster(void **state)
{
    facebook_times times = {.gap_ms = 14000.0,
                            .map_ms = {DISTRIBUTION_UNIFORM, 10000.0, 20000.0, NULL},
                            .reduce_ms = {DISTRIBUTION_EXP, 4600.0, 0.0, NULL},
                            .remote_ms = 9,
                            .reduce_block_ms = 7100,
                            .shuffle_block_ms = 11};
    const distribution one = {DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL};
    source *slotted = slotted_facebook_new(500, 14000.0, 9, &one, 3, 1);
    source *work = cluster_facebook_new(500, 9, &times, 3, 1),
           *other = cluster_facebook_new(500, 9, &times, 3, 2);
    cluster_job_list list;
    pn_cluster_job job, different;
    int differ = 0;
    (void)state;
    assert_true(slotted && work && other && work->count == 500 &&
                cluster_source_of(work)->reduces == 1 && cluster_source_of(work)->nodes == 0);
    for (int i = 0; i < 500; i++) {
        pn_slotted_job drawn;
        assert_int_equal(slotted->next(slotted, &drawn), SOURCE_JOB);
        assert_int_equal(work->next(work, &job), SOURCE_JOB);
        assert_int_equal(other->next(other, &different), SOURCE_JOB);
        assert_true(job.submit == drawn.arrival - 1 && job.maps == drawn.maps &&
                    job.reduces == drawn.reduce_count);
        assert_true(job.group == drawn.group && job.map_ms >= 10000 && job.map_ms <= 20000 &&
                    job.remote_ms == 9);
        assert_true(job.reduce_ms > (drawn.maps * 7100 + job.reduces - 1) / job.reduces);
        assert_true(job.shuffle_ms == (drawn.maps * 11 + job.reduces - 1) / job.reduces &&
                    !job.map_times && !job.blocks);
        differ += job.map_ms != different.map_ms;
    }
    assert_int_equal(work->next(work, &job), SOURCE_END);
    assert_true(differ > 400);
    assert_int_equal(cluster_job_list_collect(&list, work), SOURCE_END);
    assert_true(list.count == 500 && list.jobs[499].maps > 0);
    cluster_job_list_free(&list);
    slotted->destroy(slotted);
    work->destroy(work);
    other->destroy(other);
}

static void test_facebook_cluster_too_long(void **state)
{
    facebook_times times = {.gap_ms = 1.0,
                            .map_ms = {DISTRIBUTION_CONSTANT, 0x1p41, 0.0, NULL},
                            .reduce_ms = {DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL}};
    source *work = cluster_facebook_new(5, 9, &times, 1, 0);
    pn_cluster_job job;
    cluster_job_list list;
    (void)state;
    assert_int_equal(work->next(work, &job), SOURCE_FAULT);
    assert_string_equal(source_stopped(work, SOURCE_FAULT),
                        "job 1: its tasks, drawn at random, pass 2^40 ms");
    assert_int_equal(cluster_job_list_collect(&list, work), SOURCE_FAULT);
    cluster_job_list_free(&list);
    work->destroy(work);
}

/* ---- jobs with deadlines --------------------------------------------------------------------- */

static const rtmr_shape paper_shape = {.workload = RTMR_II,
                                       .jobs = 890,
                                       .map_ms = 15500,
                                       .reduce_ms = 4600,
                                       .reduce_block_ms = 7100,
                                       .est_permille = {1750, 10950},
                                       .reduces_most = UINT32_MAX,
                                       .gap_ms = 14000,
                                       .map_slots = 100,
                                       .reduce_slots = 30};

static source *rtmr_table(const rtmr_shape *shape, uint64_t seed, uint32_t replica)
{
    source *table = cluster_table_new();
    assert_true(table && cluster_rtmr_fill(table, shape, seed, replica) == SOURCE_END);
    return table;
}

/* Sizes and instants come from streams of their own; estimates are what they are said to be. */
static void test_rtmr(void **state)
{
    rtmr_shape loaded = paper_shape, few = paper_shape;
    source *work, *same, *busy, *left;
    uint64_t later = 0, position = 0;
    (void)state;
    loaded.load = 0.5;
    few.reduces_most = 30;
    work = rtmr_table(&paper_shape, 4, 2);
    same = rtmr_table(&paper_shape, 4, 2);
    busy = rtmr_table(&loaded, 4, 2);
    left = rtmr_table(&few, 4, 2);
    assert_true(work->count == 890 && cluster_source_of(work)->reduces == 1 &&
                cluster_source_of(work)->nodes == 0 && left->count < 890);
    for (uint64_t i = 0; i < 890; i++) {
        pn_cluster_job job, other;
        uint64_t blocks;
        cluster_table_at(work, i, &job);
        cluster_table_at(same, i, &other);
        same_cluster_job(&other, &job);
        blocks = 4600 * (uint64_t)job.reduces + 7100 * (uint64_t)job.maps;
        assert_true(job.submit >= later && job.map_ms == 15500 && job.est_map_ms == 27127 &&
                    job.input == 0 && !job.blocks);
        assert_true(job.reduce_ms == blocks / job.reduces &&
                    (job.est_reduce_ms - 3) * 1000 * job.reduces < 10950 * blocks);
        assert_true((job.est_reduce_ms - 2) * 1000 * job.reduces >= 10950 * blocks);
        later = job.submit;
        if (job.reduces <= 30) {
            cluster_table_at(left, position++, &other);
            same_cluster_job(&other, &job);
        }
        cluster_table_at(busy, i, &other);
        other.submit = job.submit;
        same_cluster_job(&other, &job);
    }
    assert_true(later == 12600000 && position == left->count);
    work->destroy(work);
    same->destroy(same);
    busy->destroy(busy);
    left->destroy(left);
}

static void fails_to_fill(const rtmr_shape *shape, const char *why)
{
    source *table = cluster_table_new();
    assert_true(table && cluster_rtmr_fill(table, shape, 1, 0) == SOURCE_FAULT);
    assert_string_equal(source_stopped(table, SOURCE_FAULT), why);
    table->destroy(table);
}

static void test_rtmr_refused(void **state)
{
    rtmr_shape long_estimates = paper_shape, none_left = paper_shape, no_load = paper_shape;
    (void)state;
    long_estimates.reduce_ms = ((uint64_t)1 << 30) - 1;
    long_estimates.est_permille[1] = ((uint64_t)1 << 20) - 1;
    none_left.reduces_most = 0;
    no_load.load = 1e-300;
    fails_to_fill(&long_estimates, "job 1: its estimates pass 2^40 ms");
    fails_to_fill(&none_left, "no job is left: all have more than 0 reduces");
    fails_to_fill(&no_load, "submissions pass 2^53 ms (expected a higher load)");
}

/* The largest of all options at once stays within 64 bits. */
static void test_rtmr_largest(void **state)
{
    rtmr_shape shape = {.workload = RTMR_I,
                        .jobs = 1000,
                        .map_ms = ((uint64_t)1 << 30) - 1,
                        .reduce_ms = ((uint64_t)1 << 30) - 1,
                        .reduce_block_ms = ((uint64_t)1 << 24) - 1,
                        .est_permille = {1000000, 250000},
                        .reduces_most = UINT32_MAX,
                        .gap_ms = ((uint64_t)1 << 28) - 1,
                        .map_slots = 1};
    source *table = rtmr_table(&shape, 1, 0);
    uint64_t last = shape.gap_ms * 90 * 1000 / 88;
    pn_cluster_job job;
    (void)state;
    cluster_table_at(table, 999, &job);
    assert_true(job.submit == last && job.est_map_ms == 1000 * shape.map_ms + 2);
    table->destroy(table);
}

/* Deadlines of ms are the kernel's draws, relative ones factors on maps in waves and then reduces;
 * the rest of a job, its lists too, is as it was, in each pass. */
static void test_deadlines(void **state)
{
    deadline_rule ms = {.draw = {DISTRIBUTION_UNIFORM, 5.0, 9000.0, NULL}};
    deadline_rule factor = {.draw = {DISTRIBUTION_LOGNORMAL, 2.0, 1.0, NULL},
                            .relative = 1,
                            .map_slots = 3,
                            .reduce_slots = 2,
                            .slowest = 700};
    deadline_rule same = factor;
    listed_job *jobs = calloc(LISTED_JOBS, sizeof *jobs);
    source *table = cluster_table_new(), *of_ms, *of_factor, *of_one;
    pn_stream stream;
    (void)state;
    same.draw = (distribution){DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL};
    pn_stream_init(&stream, 12, 0, 0);
    assert_true(jobs && table);
    for (uint64_t i = 0; i < LISTED_JOBS; i++) {
        draw_listed(&jobs[i], &stream, 3 * i);
        if (i % 2)
            jobs[i].job.est_map_ms = jobs[i].job.est_reduce_ms = 0;
        assert_true(cluster_table_add(table, &jobs[i].job));
    }
    of_ms = cluster_deadlines_new(table, &ms, 8, 3);
    of_factor = cluster_deadlines_new(table, &factor, 8, 3);
    of_one = cluster_deadlines_new(table, &same, 8, 3);
    assert_true(of_ms && of_factor && of_one && of_ms->count == LISTED_JOBS &&
                cluster_source_of(of_ms)->nodes == cluster_source_of(table)->nodes);
    assert_true(cluster_source_of(of_ms)->replicas == cluster_source_of(table)->replicas &&
                cluster_source_of(of_ms)->reduces == 1);
    for (int pass = 0; pass < 2; pass++) {
        cluster_job_list drawn, multiplied, estimated;
        pn_stream draws, factors;
        pn_stream_init(&draws, 8, 3, SOURCE_DEADLINE_STREAM);
        pn_stream_init(&factors, 8, 3, SOURCE_DEADLINE_STREAM);
        assert_int_equal(cluster_job_list_collect(&drawn, of_ms), SOURCE_END);
        assert_int_equal(cluster_job_list_collect(&multiplied, of_factor), SOURCE_END);
        assert_int_equal(cluster_job_list_collect(&estimated, of_one), SOURCE_END);
        for (uint64_t i = 0; i < LISTED_JOBS; i++) {
            pn_cluster_job want = jobs[i].job;
            double due = (double)estimated.jobs[i].deadline *
                         distribution_factor(&factor.draw, &factors);
            want.deadline = pn_uniform(&draws, 5, 9000);
            same_cluster_job(&drawn.jobs[i], &want);
            assert_true((double)multiplied.jobs[i].deadline >= due &&
                        (double)multiplied.jobs[i].deadline < due + 1.0);
            if (i % 2 == 0)
                assert_true(estimated.jobs[i].deadline ==
                            (want.maps + 2) / 3 * 6 + (want.reduces + 1) / 2 * 7);
        }
        cluster_job_list_free(&drawn);
        cluster_job_list_free(&multiplied);
        cluster_job_list_free(&estimated);
    }
    of_ms->destroy(of_ms);
    of_factor->destroy(of_factor);
    of_one->destroy(of_one);
    table->destroy(table);
    free(jobs);
}

/* Estimates of jobs without their own (CL20): the longest task of each kind on the slowest node, at
 * least 1 ms. */
static void test_deadlines_of_derived_estimates(void **state)
{
    const uint64_t times[] = {3, 10, 4}, shuffles[] = {6, 1};
    const uint32_t factor[] = {9000, 9000, 9000};
    const pn_cluster_job jobs[] = {
        /* 2 waves of 20 */
        {.maps = 3, .map_times = times, .remote_ms = 4, .map_factor = factor},
        /* 1 */
        {.maps = 1, .map_ms = 0},
        /* 10 + 2 * (6 + 15) */
        {.maps = 2, .map_ms = 7, .reduces = 2, .reduce_times = times, .shuffle_times = shuffles},
        /* 10 + 5 + 1 */
        {.maps = 2, .map_ms = 7, .reduces = 1, .shuffle_ms = 5},
    };
    const uint64_t want[] = {40, 1, 52, 16};
    deadline_rule rule = {.draw = {DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL},
                          .relative = 1,
                          .map_slots = 2,
                          .reduce_slots = 1,
                          .slowest = 700};
    source *table = cluster_table_new(), *due;
    pn_cluster_job job;
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_true(cluster_table_add(table, &jobs[i]));
    due = cluster_deadlines_new(table, &rule, 1, 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(due->next(due, &job), SOURCE_JOB);
        assert_true(job.deadline == want[i]);
    }
    assert_int_equal(due->next(due, &job), SOURCE_END);
    due->destroy(due);
    rule.draw.a = 0.0;
    due = cluster_deadlines_new(table, &rule, 1, 0);
    due->rewind(due);
    assert_true(due->next(due, &job) == SOURCE_JOB && job.deadline == 1);
    due->destroy(due);
    rule.draw.a = 0x1p53;
    due = cluster_deadlines_new(table, &rule, 1, 0);
    assert_int_equal(due->next(due, &job), SOURCE_FAULT);
    assert_string_equal(source_stopped(due, SOURCE_FAULT),
                        "job 1: its deadline, drawn at random, passes 2^53 ms");
    due->destroy(due);
    table->destroy(table);
}

/* A fault of the jobs is that of the deadlines. */
static void test_deadlines_pass_faults_on(void **state)
{
    facebook_times times = {.gap_ms = 1.0,
                            .map_ms = {DISTRIBUTION_CONSTANT, 0x1p41, 0.0, NULL},
                            .reduce_ms = {DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL}};
    source *work = cluster_facebook_new(5, 9, &times, 1, 0);
    deadline_rule rule = {.draw = {DISTRIBUTION_CONSTANT, 1.0, 0.0, NULL}};
    source *due = cluster_deadlines_new(work, &rule, 1, 0);
    pn_cluster_job job;
    (void)state;
    assert_int_equal(due->next(due, &job), SOURCE_FAULT);
    assert_string_equal(source_stopped(due, SOURCE_FAULT),
                        "job 1: its tasks, drawn at random, pass 2^40 ms");
    due->destroy(due);
    work->destroy(work);
}

/* ---- exact numbers --------------------------------------------------------------------------- */

static enum exact_read read_text(const char *text, pn_exact *value)
{
    return exact_read_text(text, strlen(text), value);
}

static void test_exact_text(void **state)
{
    static const struct {
        const char *text;
        enum exact_read answer;
        int64_t num, den;
    } cases[] = {{"0", EXACT_READ, 0, 1},
                 {"-7", EXACT_READ, -7, 1},
                 {"-0.125", EXACT_READ, -1, 8},
                 {"-6/4", EXACT_READ, -3, 2},
                 {"9223372036854775807", EXACT_READ, INT64_MAX, 1},
                 {"1/9223372036854775807", EXACT_READ, 1, INT64_MAX},
                 {"1e-18", EXACT_READ, 1, 1000000000000000000},
                 {"-9223372036854775808", EXACT_READ, INT64_MIN, 1},
                 {"-9223372036854775808/6", EXACT_READ, INT64_MIN / 2, 3},
                 {"-9223372036854775809", EXACT_LARGE, 0, 0},
                 {"9223372036854775808", EXACT_LARGE, 0, 0},
                 {"9223372036854775808/3", EXACT_LARGE, 0, 0},
                 {"1/9223372036854775808", EXACT_FINE, 0, 0},
                 {"1e-19", EXACT_FINE, 0, 0},
                 {"1e99999999999999999999", EXACT_LARGE, 0, 0},
                 {"", EXACT_NONE, 0, 0},
                 {"-", EXACT_NONE, 0, 0},
                 {"1e", EXACT_NONE, 0, 0},
                 {"1/0", EXACT_NONE, 0, 0},
                 {"/", EXACT_NONE, 0, 0},
                 {"1/2x", EXACT_NONE, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pn_exact value = {0, 0};
        assert_int_equal(read_text(cases[i].text, &value), cases[i].answer);
        assert_true(value.num == cases[i].num && value.den == cases[i].den);
    }
    /* it ends where it is said to end */
    assert_int_equal(exact_read_text("123", 2, &(pn_exact){0, 0}), EXACT_READ);
}

static void test_exact_doubles(void **state)
{
    pn_exact value;
    (void)state;
    assert_true(exact_read_double(0.1, &value) == EXACT_READ && value.num == 1 && value.den == 10);
    assert_true(exact_read_double(-2.5, &value) == EXACT_READ && value.num == -5 && value.den == 2);
    assert_true(exact_read_double(0x1p53, &value) == EXACT_READ && value.num == (int64_t)1 << 53 &&
                value.den == 1);
    assert_true(exact_read_double(1e15 + 0.5, &value) == EXACT_ROUNDED);
    assert_true(exact_read_double(0.1 + 0.2, &value) == EXACT_ROUNDED);
    assert_true(exact_read_double(1e18, &value) == EXACT_READ && value.num == 1000000000000000000);
    assert_true(exact_read_double(1e300, &value) == EXACT_LARGE);
    assert_true(exact_read_double(1e-300, &value) == EXACT_FINE);
    assert_true(exact_read_double(INFINITY, &value) == EXACT_NONE &&
                exact_read_double(NAN, &value) == EXACT_NONE);
}

/* Nine jobs; Ctrl-C is pressed as they begin again. */
static int next_of_nine(source *self, void *job)
{
    *(pn_cluster_job *)job = (pn_cluster_job){.submit = 1, .maps = 1, .map_ms = 1};
    return self->count++ < 9 ? SOURCE_JOB : SOURCE_END;
}

static void press(source *self)
{
    if (self->count > 0 && !interrupt_pending())
        raise(SIGINT);
    self->count = 0;
}

/* More tasks than memory could ever hold are refused, and add nothing. */
static void test_too_many_tasks(void **state)
{
    source *table = slotted_table_new();
    pn_slotted_job job;
    (void)state;
    assert_true(slotted_table_begin(table, &(pn_slotted_job){.arrival = 1}));
    assert_true(slotted_table_reduce(table, 7, 1));
    assert_false(slotted_table_reduce(table, 7, UINT64_MAX));
    assert_false(slotted_table_reduce(table, 7, SIZE_MAX / sizeof(uint64_t)));
    assert_true(slotted_table_seal(table));
    assert_int_equal(source_next(table, &job), SOURCE_JOB);
    assert_int_equal(job.reduce_count, 1);
    assert_int_equal(job.reduces[0], 7);
    source_free(table);
}

/* The last test, as Ctrl-C stays pressed: collecting jobs ends, also where it goes through them
 * twice and has done so once. */
static void test_interrupted(void **state)
{
    enum { LOTS = 70000 };
    const distribution length = {DISTRIBUTION_EXP, 5.0, 0.0, NULL};
    cluster_source nine = {
        .base = {.model = SOURCE_CLUSTER, .next = next_of_nine, .rewind = press}};
    lin_shape shape = section_5_3();
    cluster_job_list list;
    tandem_job_list of_tandem;
    dag_job_list of_dag;
    job_list of_slotted;
    shape.jobs = LOTS;
    source *tandem = tandem_lin_new(&shape, 1, 0),
           *slotted = slotted_facebook_new(LOTS, 1.0, 6, &length, 1, 0);
    (void)state;
    assert_int_equal(tandem_job_list_collect(&of_tandem, tandem), SOURCE_END);
    assert_int_equal(of_tandem.count, LOTS);
    tandem_job_list_free(&of_tandem);
    assert_int_equal(job_list_collect(&of_slotted, slotted), SOURCE_END);
    assert_int_equal(of_slotted.count, LOTS);
    job_list_free(&of_slotted);

    interrupt_install();
    assert_int_equal(cluster_job_list_collect(&list, &nine.base), SOURCE_INTERRUPTED);
    cluster_job_list_free(&list);
    assert_int_equal(interrupt_signal(), SIGINT);
    assert_int_equal(cluster_job_list_collect(&list, &nine.base), SOURCE_INTERRUPTED);
    cluster_job_list_free(&list);

    assert_int_equal(tandem_job_list_collect(&of_tandem, tandem), SOURCE_INTERRUPTED);
    assert_true(of_tandem.count < LOTS);
    tandem_job_list_free(&of_tandem);
    source_free(tandem);
    assert_int_equal(job_list_collect(&of_slotted, slotted), SOURCE_INTERRUPTED);
    assert_true(of_slotted.count < LOTS);
    job_list_free(&of_slotted);
    source_free(slotted);

    source *work = dag_table_new(1);
    assert_true(dag_table_add(work, &(pn_dag_job){.weight = 1}));
    assert_int_equal(dag_job_list_collect(&of_dag, work), SOURCE_INTERRUPTED);
    assert_int_equal(of_dag.count, 0);
    dag_job_list_free(&of_dag);
    source_free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fill_is_bit_equal),
                                       cmocka_unit_test(test_moments),
                                       cmocka_unit_test(test_common_random_numbers),
                                       cmocka_unit_test(test_odd_shapes),
                                       cmocka_unit_test(test_gap_sum),
                                       cmocka_unit_test(test_job_list),
                                       cmocka_unit_test(test_engine_has_the_same_times),
                                       cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_estimates),
                                       cmocka_unit_test(test_batch_table),
                                       cmocka_unit_test(test_batch_draws),
                                       cmocka_unit_test(test_batch_too_large),
                                       cmocka_unit_test(test_facebook_batch),
                                       cmocka_unit_test(test_cluster_table),
                                       cmocka_unit_test(test_cluster_blocks_nowhere),
                                       cmocka_unit_test(test_facebook_cluster),
                                       cmocka_unit_test(test_facebook_cluster_too_long),
                                       cmocka_unit_test(test_rtmr),
                                       cmocka_unit_test(test_rtmr_refused),
                                       cmocka_unit_test(test_rtmr_largest),
                                       cmocka_unit_test(test_deadlines),
                                       cmocka_unit_test(test_deadlines_of_derived_estimates),
                                       cmocka_unit_test(test_deadlines_pass_faults_on),
                                       cmocka_unit_test(test_exact_text),
                                       cmocka_unit_test(test_exact_doubles),
                                       cmocka_unit_test(test_too_many_tasks),
                                       cmocka_unit_test(test_interrupted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
