/* Jobs of the dag model from memory: a table with the lists of stages, all jobs at once, and the
 * same ones scaled, sampled and moved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/changed.h"
#include "pinion/models/dag/sources/jobs.h"

enum { JOBS = 60, STAGES_MOST = 12, TASKS_MOST = 9 };

/* A job with some mixture of lists, as it is before a table has it. */
typedef struct drawn_job {
    pn_dag_job job;
    pn_dag_stage stages[STAGES_MOST];
    uint64_t durations[STAGES_MOST][TASKS_MOST];
    uint32_t parents[STAGES_MOST][STAGES_MOST];
} drawn_job;

static void draw_stage(drawn_job *drawn, uint32_t i, pn_stream *stream)
{
    pn_dag_stage *stage = &drawn->stages[i];
    *stage = (pn_dag_stage){.tasks = (uint32_t)pn_uniform(stream, 1, TASKS_MOST),
                            .estimate = pn_uniform(stream, 0, 3),
                            .start_ms = pn_uniform(stream, 0, 1) ? PN_DAG_AUTO : 5};
    for (int r = 0; r < 3; r++)
        stage->demand[r] = pn_uniform(stream, 0, PN_DISPATCH_DEMAND_MOST);
    if (pn_uniform(stream, 0, 1)) {
        for (uint32_t t = 0; t < stage->tasks; t++)
            drawn->durations[i][t] = pn_uniform(stream, 0, 1000);
        stage->durations = drawn->durations[i];
    } else {
        stage->duration = pn_uniform(stream, 0, 1000);
    }
    for (uint32_t p = 0; p < i; p++)
        if (pn_uniform(stream, 0, 2) == 0)
            drawn->parents[i][stage->parent_count++] = p;
    stage->parents = stage->parent_count > 0 ? drawn->parents[i] : NULL;
}

static void draw_job(drawn_job *drawn, uint64_t arrival, pn_stream *stream)
{
    drawn->job = (pn_dag_job){.arrival = arrival,
                              .stages = drawn->stages,
                              .stage_count = (uint32_t)pn_uniform(stream, 1, STAGES_MOST),
                              .weight = (uint32_t)pn_uniform(stream, 1, 5),
                              .queue = (uint32_t)pn_uniform(stream, 0, 1),
                              .group = (uint32_t)pn_uniform(stream, 0, 3),
                              .deadline = pn_uniform(stream, 0, 9)};
    for (uint32_t i = 0; i < drawn->job.stage_count; i++)
        draw_stage(drawn, i, stream);
}

static drawn_job *draw_jobs(source *table)
{
    drawn_job *jobs = calloc(JOBS, sizeof *jobs);
    pn_stream stream;
    assert_true(jobs && table);
    pn_stream_init(&stream, 12, 0, 0);
    for (uint64_t i = 0; i < JOBS; i++) {
        draw_job(&jobs[i], 3 * i, &stream);
        assert_true(dag_table_add(table, &jobs[i].job));
    }
    return jobs;
}

static void same_stage(const pn_dag_stage *got, const pn_dag_stage *want)
{
    assert_memory_equal(got->demand, want->demand, sizeof want->demand);
    assert_true(got->tasks == want->tasks && got->duration == want->duration);
    assert_true(got->estimate == want->estimate && got->start_ms == want->start_ms);
    assert_int_equal(got->durations == NULL, want->durations == NULL);
    if (want->durations)
        assert_memory_equal(got->durations, want->durations, want->tasks * sizeof(uint64_t));
    assert_int_equal(got->parent_count, want->parent_count);
    if (want->parent_count > 0)
        assert_memory_equal(got->parents, want->parents, want->parent_count * sizeof(uint32_t));
}

static void same_job(const pn_dag_job *got, const pn_dag_job *want)
{
    assert_true(got->arrival == want->arrival && got->deadline == want->deadline);
    assert_true(got->weight == want->weight && got->queue == want->queue &&
                got->group == want->group);
    assert_int_equal(got->stage_count, want->stage_count);
    for (uint32_t i = 0; i < want->stage_count; i++)
        same_stage(&got->stages[i], &want->stages[i]);
}

/* What goes into a table comes out of it, in a stream, one by one and all at once. */
static void test_table(void **state)
{
    source *table = dag_table_new(3);
    drawn_job *jobs = draw_jobs(table);
    dag_job_list list;
    pn_dag_job job;
    (void)state;
    assert_true(dag_is_table(table) && table->model == SOURCE_DAG && table->count == JOBS &&
                dag_source_of(table)->resources == 3);
    for (int pass = 0; pass < 2; pass++) {
        table->rewind(table);
        for (uint64_t i = 0; i < JOBS; i++) {
            assert_int_equal(table->next(table, &job), SOURCE_JOB);
            same_job(&job, &jobs[i].job);
        }
        assert_int_equal(table->next(table, &job), SOURCE_END);
    }
    for (uint64_t i = JOBS; i-- > 0;) {
        dag_table_at(table, i, &job);
        same_job(&job, &jobs[i].job);
    }
    assert_int_equal(dag_job_list_collect(&list, table), SOURCE_END);
    source_free(table); /* the list stands alone */
    assert_int_equal(list.count, JOBS);
    for (uint64_t i = 0; i < JOBS; i++)
        same_job(&list.jobs[i], &jobs[i].job);
    dag_job_list_free(&list);
    free(jobs);
}

static void test_queues(void **state)
{
    source *table = dag_table_new(1);
    uint32_t number;
    (void)state;
    assert_true(table && dag_source_of(table)->queue_count == 0);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < 100; i++) {
            const char name[] = {(char)('a' + i / 10), (char)('0' + i % 10), '\0'};
            assert_true(dag_table_queue(table, name, &number));
            assert_int_equal(number, i);
        }
    }
    assert_int_equal(dag_source_of(table)->queue_count, 100);
    assert_string_equal(dag_source_of(table)->queue_names[42], "e2");
    source_free(table);
}

/* ---- the same jobs, changed ------------------------------------------------------------------ */

static uint64_t tripled(uint64_t size)
{
    return 3 * size;
}

static void is_tripled(const pn_dag_stage *got, const pn_dag_stage *want)
{
    assert_int_equal(got->duration, tripled(want->duration));
    assert_int_equal(got->estimate, tripled(want->estimate));
    assert_int_equal(got->start_ms, want->start_ms);
    for (uint32_t t = 0; want->durations && t < want->tasks; t++)
        assert_int_equal(got->durations[t], tripled(want->durations[t]));
}

static void test_scaled(void **state)
{
    source *table = dag_table_new(3);
    drawn_job *jobs = draw_jobs(table);
    uint32_t number;
    (void)state;
    assert_true(dag_table_queue(table, "q", &number));
    source *scaled = changed_scale_new(&changed_dag, table, 2.0, 3.0);
    pn_dag_job job;
    assert_true(scaled && dag_source_of(scaled)->resources == 3 &&
                dag_source_of(scaled)->queue_count == 1);
    for (uint64_t i = 0; i < JOBS; i++) {
        assert_int_equal(scaled->next(scaled, &job), SOURCE_JOB);
        assert_int_equal(job.arrival, 2 * jobs[i].job.arrival);
        for (uint32_t s = 0; s < job.stage_count; s++)
            is_tripled(&job.stages[s], &jobs[i].stages[s]);
    }
    assert_int_equal(scaled->next(scaled, &job), SOURCE_END);
    source_free(scaled);
    scaled = changed_scale_new(&changed_dag, table, 1.0, 0x1p40);
    int answer = SOURCE_JOB;
    while (answer == SOURCE_JOB)
        answer = scaled->next(scaled, &job);
    assert_int_equal(answer, SOURCE_FAULT);
    assert_non_null(strstr(scaled->fault, "its sizes, scaled, pass 2^40 ms"));
    source_free(scaled);
    source_free(table);
    free(jobs);
}

static void test_sample(void **state)
{
    char message[DISTRIBUTION_MESSAGE_SIZE];
    source *table = dag_table_new(3);
    drawn_job *jobs = draw_jobs(table);
    const resample_plan plan = {.form = RESAMPLE_JOBS, .jobs = 200, .seed = 5};
    source *sample = changed_resample_new(&changed_dag, table, &plan, message);
    pn_dag_job job;
    (void)state;
    assert_non_null(sample);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(sample->next(sample, &job), SOURCE_JOB);
        uint64_t index = changed_resample_index(sample, (uint64_t)i);
        job.arrival = jobs[index].job.arrival;
        same_job(&job, &jobs[index].job);
    }
    assert_int_equal(sample->next(sample, &job), SOURCE_END);
    source_free(sample);
    source_free(table);
    free(jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_queues),
                                       cmocka_unit_test(test_scaled),
                                       cmocka_unit_test(test_sample)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
