/* Jobs of other sources, changed: what stops them, times and gaps at their limits, samples without
 * jobs; and what readers of traces refuse as too much. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/gz_lines.h"
#include "pinion/models/slotted/sources/jobs.h"
#include "pinion/models/tandem/sources/jobs.h"
#include "support/store_folder.h"
#include "workload/changed.h"

/* ---- sources that stop ----------------------------------------------------------------------- */

enum { JOBS = 5 };

/* Jobs of the tandem model with one attribute, at times 0, 1, 2, …. In reading `reading`, from 1,
 * the source has no job behind the first `jobs` but this answer. */
typedef struct stopping {
    tandem_source head;
    uint64_t jobs, made;
    int answer, reading, readings;
    double attribute;
} stopping;

static int stopping_next(source *base, void *any)
{
    stopping *self = (stopping *)base;
    pn_tandem_job *job = any;
    if (self->readings == self->reading && self->made == self->jobs) {
        strcpy(base->fault, self->answer == SOURCE_FAULT ? "the disk is gone" : "");
        return self->answer;
    }
    if (self->made == JOBS)
        return SOURCE_END;
    self->attribute = (double)self->made;
    *job = (pn_tandem_job){.arrival = (double)self->made++,
                           .map = 1.0,
                           .shuffle = 2.0,
                           .attributes = &self->attribute};
    return SOURCE_JOB;
}

static void stopping_rewind(source *base)
{
    stopping *self = (stopping *)base;
    self->made = 0;
    self->readings++;
}

static stopping stopping_new(int reading, uint64_t jobs, int answer)
{
    static const char *const names[] = {"weight"};
    stopping made = {.head.base = {.model = SOURCE_TANDEM,
                                   .next = stopping_next,
                                   .rewind = stopping_rewind,
                                   .count = SOURCE_UNKNOWN,
                                   .attribute_names = names,
                                   .attribute_count = 1},
                     .jobs = jobs,
                     .answer = answer,
                     .reading = reading,
                     .readings = 0};
    return made;
}

/* Checks that a changed source gives so many jobs, and then the answer of the true source with its
 * reason. */
static void check_stop(source *work, uint64_t jobs, int answer)
{
    pn_tandem_job job;
    assert_non_null(work);
    for (uint64_t i = 0; i < jobs; i++)
        assert_int_equal(source_next(work, &job), SOURCE_JOB);
    assert_int_equal(source_next(work, &job), answer);
    assert_string_equal(source_stopped(work, answer),
                        answer == SOURCE_FAULT ? "the disk is gone" : "interrupted");
    source_free(work);
}

/* What stops the true source stops those that are made of it, with its reason. */
static void test_stopped(void **state)
{
    static const int answers[] = {SOURCE_FAULT, SOURCE_INTERRUPTED};
    const distribution factor = {DISTRIBUTION_CONSTANT, 2.0, 0.0, NULL};
    const double bounds[] = {1.0};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        arrival_process process;
        char message[DISTRIBUTION_MESSAGE_SIZE];
        stopping truth = stopping_new(1, 3, answers[i]);
        assert_true(arrival_process_parse("poisson(1)", 10, &process, message));
        check_stop(changed_arrivals_new(&changed_tandem, &truth.head.base, &process, 1, 0), 3,
                   answers[i]);
        truth = stopping_new(1, 3, answers[i]);
        check_stop(changed_scale_new(&changed_tandem, &truth.head.base, 2.0, 2.0), 3, answers[i]);
        truth = stopping_new(1, 3, answers[i]);
        check_stop(changed_sized_new(&changed_tandem, &truth.head.base, bounds, 1), 3, answers[i]);
        truth = stopping_new(1, 3, answers[i]);
        check_stop(tandem_error_new(&truth.head.base, &factor, 1, 0), 3, answers[i]);
    }
}

/* A sample reads all jobs, and then their attributes. */
static void test_no_sample(void **state)
{
    static const struct {
        int reading;
        uint64_t jobs;
        int answer;
        const char *message;
    } cases[] = {{1, 0, SOURCE_END, "there are no jobs to draw from"},
                 {1, 3, SOURCE_FAULT, "the disk is gone"},
                 {1, 3, SOURCE_INTERRUPTED, "interrupted"},
                 {2, 3, SOURCE_FAULT, "the disk is gone"},
                 {2, 0, SOURCE_INTERRUPTED, "interrupted"}};
    const resample_plan plan = {RESAMPLE_KEEP, .jobs = 20, .seed = 1};
    char message[DISTRIBUTION_MESSAGE_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stopping truth = stopping_new(cases[i].reading, cases[i].jobs, cases[i].answer);
        assert_null(changed_resample_new(&changed_tandem, &truth.head.base, &plan, message));
        assert_string_equal(message, cases[i].message);
    }
    stopping truth = stopping_new(3, 0, SOURCE_FAULT); /* which is never read so often */
    source *work = changed_resample_new(&changed_tandem, &truth.head.base, &plan, message);
    assert_non_null(work);
    for (uint64_t i = 0; i < 20; i++) {
        pn_tandem_job job;
        assert_int_equal(source_next(work, &job), SOURCE_JOB);
        assert_true(source_attributes_of(work, &job)[0] == (double)changed_resample_index(work, i));
    }
    source_free(work);
}

/* ---- times ----------------------------------------------------------------------------------- */

static source *slotted_jobs(const uint64_t *arrivals, size_t count)
{
    source *table = slotted_table_new();
    for (size_t i = 0; i < count; i++)
        assert_true(slotted_table_add(table, &(pn_slotted_job){.arrival = arrivals[i], .maps = 1}));
    assert_true(slotted_table_seal(table));
    return table;
}

/* Jobs behind the last slot that there is. */
static void test_too_late(void **state)
{
    const uint64_t arrivals[] = {1, (uint64_t)1 << 52};
    const resample_plan plan = {RESAMPLE_KEEP, .jobs = 4, .seed = 1};
    const char *late = "job 4: its arrival passes slot 2^53";
    source *truth = slotted_jobs(arrivals, 2), *work;
    char message[DISTRIBUTION_MESSAGE_SIZE];
    arrival_process process;
    pn_slotted_job job;
    (void)state;
    work = changed_resample_new(&changed_slotted, truth, &plan, message);
    assert_non_null(work);
    for (int i = 0; i < 3; i++)
        assert_int_equal(source_next(work, &job), SOURCE_JOB);
    assert_int_equal(source_next(work, &job), SOURCE_FAULT);
    assert_string_equal(work->fault, late);
    source_free(work);
    assert_true(arrival_process_parse("regular(9007199254740992)", 25, &process, message));
    work = changed_arrivals_new(&changed_slotted, truth, &process, 1, 0);
    assert_int_equal(source_next(work, &job), SOURCE_FAULT);
    assert_string_equal(work->fault, "job 1: its arrival passes slot 2^53");
    source_free(work);
    work = changed_scale_new(&changed_slotted, truth, 4.0, 1.0);
    assert_int_equal(source_next(work, &job), SOURCE_JOB);
    assert_int_equal(source_next(work, &job), SOURCE_FAULT);
    assert_string_equal(work->fault, "job 2: its arrival passes slot 2^53");
    source_free(work);
    source_free(truth);
}

/* Gaps between arrivals become times before they are scaled; sizes alone leave them as they are. */
static void test_scaled_gaps(void **state)
{
    lin_shape shape = {.map = {DISTRIBUTION_EXP, 1.0, 0.0, NULL},
                       .other = {DISTRIBUTION_EXP, 1.0, 0.0, NULL},
                       .load = 0.75,
                       .jobs = 200};
    source *truth = tandem_lin_new(&shape, 3, 0), *twin = tandem_lin_new(&shape, 3, 0), *work;
    gap_sum sum = {0};
    double first = 0.0;
    (void)state;
    work = changed_scale_new(&changed_tandem, truth, 2.0, 1.0);
    assert_int_equal(tandem_source_of(work)->gaps, 0);
    for (int i = 0; i < 200; i++) {
        pn_tandem_job job, other;
        double time;
        assert_int_equal(source_next(work, &job), SOURCE_JOB);
        assert_int_equal(source_next(twin, &other), SOURCE_JOB);
        time = gap_sum_add(&sum, other.arrival);
        first = i == 0 ? time : first;
        assert_true(job.arrival == first + (time - first) * 2.0 && job.map == other.map);
    }
    source_free(work);
    work = changed_scale_new(&changed_tandem, truth, 1.0, 2.0);
    assert_int_equal(tandem_source_of(work)->gaps, 1);
    twin->rewind(twin);
    for (int i = 0; i < 200; i++) {
        pn_tandem_job job, other;
        assert_int_equal(source_next(work, &job), SOURCE_JOB);
        assert_int_equal(source_next(twin, &other), SOURCE_JOB);
        assert_true(job.arrival == other.arrival && job.map == 2.0 * other.map);
    }
    source_free(work);
    source_free(truth);
    source_free(twin);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Blocks and windows need time between arrivals. */
static void test_all_at_once(void **state)
{
    const uint64_t arrivals[] = {7, 7, 7};
    const resample_plan blocks = {RESAMPLE_BLOCKS, .length = 5.0, .seed = 1},
                        windows = {RESAMPLE_WINDOWS, .windows = 4, .seed = 1};
    source *truth = slotted_jobs(arrivals, 3);
    char message[DISTRIBUTION_MESSAGE_SIZE];
    (void)state;
    assert_null(changed_resample_new(&changed_slotted, truth, &blocks, message));
    assert_string_equal(message, "the jobs all arrive at once (expected jobs)");
    assert_null(changed_resample_new(&changed_slotted, truth, &windows, message));
    assert_string_equal(message, "the jobs all arrive at once");
    source_free(truth);
}

/* Short blocks of a source that is mostly empty: they are drawn again until one has a job. */
static void test_empty_blocks(void **state)
{
    const uint64_t arrivals[] = {1, 2, 1001};
    source *truth = slotted_jobs(arrivals, 3);
    char message[DISTRIBUTION_MESSAGE_SIZE];
    (void)state;
    for (uint32_t replica = 0; replica < 200; replica++) {
        const resample_plan plan = {RESAMPLE_BLOCKS, .length = 700.0, .seed = 1,
                                    .replica = replica};
        source *work = changed_resample_new(&changed_slotted, truth, &plan, message);
        pn_slotted_job job;
        assert_non_null(work);
        assert_true(work->count > 0);
        assert_int_equal(source_next(work, &job), SOURCE_JOB);
        source_free(work);
    }
    source_free(truth);
}

/* ---- growing arrays -------------------------------------------------------------------------- */

/* Room beyond what a size can say is refused before anything is asked for. */
static void test_growth(void **state)
{
    void *array = NULL;
    size_t room = SIZE_MAX - 5;
    (void)state;
    assert_false(source_grow(&array, room, &room, 1));
    room = SIZE_MAX / 64;
    assert_false(source_grow(&array, room, &room, 64));
    assert_int_equal(room, SIZE_MAX / 64);
    assert_null(array);
    room = 1;
    assert_true(source_grow(&array, 1, &room, 8));
    assert_true(room > 1);
    free(array);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static char folder[FOLDER_PATH_SIZE];

static int take_row(gz_lines *reader, const void *how, source *table, const uint64_t *values)
{
    (void)reader, (void)how, (void)table, (void)values;
    return 1;
}

/* Products of bytes and scales go through 128 bits. */
static void test_swim_scales(void **state)
{
    const uint64_t most = PN_INTEGER_MAX;
    swim_mapping mapping = {1, 1, 1, most, 1, 1};
    char message[SWIM_MESSAGE_SIZE];
    gz_lines reader = {.path = "t.tsv", .message = message};
    uint64_t result;
    (void)state;
    assert_false(swim_scaled(&mapping, most, 1, 0, &result)); /* 2^106 */
    assert_true(swim_scaled(&mapping, most, most, 0, &result));
    assert_int_equal(result, most);
    assert_false(swim_scaled(&mapping, most, most / 2, 0, &result)); /* 2^54 */
    assert_int_equal(swim_reduce_tasks(&mapping, most, 0, 7), 7);
    assert_int_equal(swim_reduce_tasks(&mapping, 0, 0, 7), 1);
    assert_true(swim_check_scale(&reader, &mapping));
    mapping.scale_den = mapping.reduce_bytes = (uint64_t)1 << 40;
    assert_false(swim_check_scale(&reader, &mapping));
    assert_string_equal(message, "t.tsv: scale 9007199254740992/1099511627776 is too fine for "
                                 "units this large");
}

/* Reads 513 rows of which one field has the most bytes that there may be. */
static void check_swim_sum(int field)
{
    char message[SWIM_MESSAGE_SIZE], name[] = "0.tsv", line[200], wanted[SWIM_MESSAGE_SIZE];
    static char path[FOLDER_PATH_SIZE + 300];
    gz_lines reader = {.message = message};
    swim_summary summary;
    name[0] = (char)('0' + field);
    for (int i = 0; i < 513; i++) {
        int size = sprintf(
            line, "job%d\t1\t1\t%s\t%s\t%s\n", i, field == 3 ? "9007199254740991" : "1",
            field == 4 ? "9007199254740991" : "1", field == 5 ? "9007199254740991" : "1");
        folder_put(folder, name, O_APPEND, line, (size_t)size);
    }
    strcpy(path, folder_path(folder, name));
    reader.path = path;
    snprintf(wanted, sizeof wanted,
             "%.400s:513: the bytes so far pass 2^62 (expected a real trace)", path);
    assert_int_equal(swim_read_file(&reader, take_row, NULL, NULL, &summary), -1);
    assert_string_equal(message, wanted);
}

static void test_swim_sums(void **state)
{
    (void)state;
    for (int field = 3; field <= 5; field++)
        check_swim_sum(field);
}

/* A carriage return is named where it ends the line alone. */
static void test_swim_returns(void **state)
{
    static const char *const cases[][2] = {
        {"j\t1\t1\t1\t1\t1\r\n",
         "1: the line ends with a carriage return (expected a bare line feed)"},
        {"j\t1\t1\t1\t1\t1\rx\n",
         "1: field 6, output bytes: \"1?x\" (expected a decimal integer in "
         "0..9007199254740991)"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char message[SWIM_MESSAGE_SIZE], wanted[SWIM_MESSAGE_SIZE];
        static char path[FOLDER_PATH_SIZE + 300];
        gz_lines reader = {.path = path, .message = message};
        swim_summary summary;
        folder_put(folder, "return.tsv", O_TRUNC, cases[i][0], strlen(cases[i][0]));
        strcpy(path, folder_path(folder, "return.tsv"));
        assert_int_equal(swim_read_file(&reader, take_row, NULL, NULL, &summary), -1);
        snprintf(wanted, sizeof wanted, "%.300s:%s", path, cases[i][1]);
        assert_string_equal(message, wanted);
    }
}

/* Four jobs of 2^20 processors and 2^40 ms each. */
static void test_swf_sum(void **state)
{
    char message[GZ_MESSAGE_SIZE], wanted[GZ_MESSAGE_SIZE];
    static char path[FOLDER_PATH_SIZE + 300];
    const swf_part part = {path, 0};
    const swf_request request = {
        .parts = &part, .part_count = 1, .first = 1, .jobs = 1000, .statuses = UINT32_MAX};
    swf_trace trace;
    (void)state;
    for (int i = 1; i <= 4; i++) {
        char line[200];
        int size = sprintf(line, "%d 0 0 1099511627.776 1048576 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n",
                           i);
        folder_put(folder, "long.swf", O_APPEND, line, (size_t)size);
    }
    strcpy(path, folder_path(folder, "long.swf"));
    assert_false(swf_read(&request, &trace, message));
    snprintf(wanted, sizeof wanted,
             "%.300s:4: the processors' time so far passes 2^62 ms (expected a real trace)", path);
    assert_string_equal(message, wanted);
    swf_free(&trace);
    strcpy(path, folder_path(folder, "absent.swf"));
    assert_false(swf_read(&request, &trace, message));
    snprintf(wanted, sizeof wanted, "%.300s: cannot open: No such file or directory", path);
    assert_string_equal(message, wanted);
    swf_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stopped),     cmocka_unit_test(test_no_sample),
        cmocka_unit_test(test_too_late),    cmocka_unit_test(test_scaled_gaps),
        cmocka_unit_test(test_all_at_once), cmocka_unit_test(test_empty_blocks),
        cmocka_unit_test(test_growth),      cmocka_unit_test(test_swim_scales),
        cmocka_unit_test(test_swim_sums),   cmocka_unit_test(test_swim_returns),
        cmocka_unit_test(test_swf_sum)};
    int failed;
    folder_make(folder);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}
