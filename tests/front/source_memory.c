/* Sources of jobs, distributions, rows, checkpoints and runs without memory: the allocation that
 * fails is each in turn, and all behind it. What fails says so, keeps nothing, and succeeds when
 * there is memory. The C library's malloc is replaced. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pinion/models/slotted/run/run.h"
#include "run/checkpoint.h"
#include "run/rows.h"
#include "support/short_memory.h"
#include "support/store_folder.h"
#include "workload/changed.h"

#if SHORT_MEMORY

extern const changed_model changed_slotted;

enum { MESSAGE_SIZE = 1024 };

static char folder[FOLDER_PATH_SIZE];

/* Makes something and frees it: 1, or 0 with a message. */
typedef int maker(const void *what, char message[MESSAGE_SIZE]);

/* Makes it with ever more memory until it succeeds. Returns how often it was refused. */
static int refusals(maker *make, const void *what, const char *reason)
{
    for (long most = 0;; most++) {
        char message[MESSAGE_SIZE] = "";
        long before = held;
        int done;
        left = most;
        done = make(what, message);
        left = -1;
        assert_int_equal(held, before);
        if (done)
            return (int)most;
        if (!strstr(message, reason))
            fail_msg("'%s' instead of '%s', with %ld allocations", message, reason, most);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int make_distribution(const void *text, char message[MESSAGE_SIZE])
{
    distribution made;
    if (!distribution_parse(text, strlen(text), DISTRIBUTION_FACTORS, &made, message))
        return 0;
    distribution_release(&made);
    return 1;
}

static int make_arrivals(const void *text, char message[MESSAGE_SIZE])
{
    arrival_process made;
    if (!arrival_process_parse(text, strlen(text), &made, message))
        return 0;
    arrival_process_release(&made);
    return 1;
}

/* Each list has a body and three arrays. */
static void test_texts(void **state)
{
    const char *reason = "not enough memory for the distribution";
    (void)state;
    assert_int_equal(refusals(make_distribution, "hyperexp(0.5,1,0.5,2)", reason), 4);
    assert_int_equal(refusals(make_distribution, "empirical(1,2)", reason), 4);
    assert_int_equal(refusals(make_distribution, "zipf(1,9)", reason), 4);
    assert_int_equal(refusals(make_distribution, "truncated(zipf(1,9),1,2)", reason), 8);
    assert_int_equal(refusals(make_distribution, "mixture(0.5,empirical(1),0.5,zipf(1,9))", reason),
                     12);
    assert_int_equal(refusals(make_arrivals, "batches(1,zipf(1,9))", reason), 4);
    reason = "not enough memory for the arrivals";
    assert_int_equal(refusals(make_arrivals, "mmpp(1,50,9,5)", reason), 3);
    assert_int_equal(refusals(make_arrivals, "rates(0:1;8:5;20:2,24)", reason), 3);
}

/* ---- tables and what they carry -------------------------------------------------------------- */

enum { JOBS = 200 };

/* Makes a table whose jobs have two reduces and an attribute; null when memory is short. */
static source *make_table(void)
{
    static const char *const names[] = {"weight"}, *const labels[] = {"a", "b"};
    source *table = slotted_table_new();
    double *values = NULL;
    int made = table != NULL;
    for (uint64_t i = 0; made && i < JOBS; i++) {
        uint64_t reduces[] = {i + 1, 2};
        pn_slotted_job job = {
            .arrival = 3 * i + 1, .maps = 1, .reduces = reduces, .reduce_count = 2};
        made = slotted_table_add(table, &job);
    }
    made = made && slotted_table_seal(table) &&
           source_carry(table, names, 1, (const char *[]){"x", NULL}, 2) &&
           source_label(table, 0, labels, 2) && (values = source_attributes_room(table)) != NULL;
    for (uint64_t i = 0; made && i < JOBS; i++)
        values[i] = (double)(i % 2);
    if (made)
        return table;
    source_free(table);
    return NULL;
}

/* Writes the message of calls that have none of their own. */
static int say_short(char message[MESSAGE_SIZE])
{
    strcpy(message, "not enough memory");
    return 0;
}

static int make_carried(const void *unused, char message[MESSAGE_SIZE])
{
    source *table = make_table();
    (void)unused;
    if (!table)
        return say_short(message);
    assert_true(source_attributes_at(table, 3)[0] == 1.0);
    source_free(table);
    return 1;
}

/* A table, its jobs and stretches as they grow, names, labels and values. */
static void test_tables(void **state)
{
    (void)state;
    assert_in_range(refusals(make_carried, NULL, "not enough memory"), 10, 30);
}

/* Jobs without their numbers have no attributes. */
static void test_no_attributes(void **state)
{
    static const char *const names[] = {"weight"};
    source *table = slotted_table_new();
    (void)state;
    assert_true(source_carry(table, names, 1, NULL, 0));
    left = 0;
    assert_null(source_attributes_room(table));
    left = -1;
    assert_int_equal(table->attribute_count, 0);
    source_free(table);
}

/* ---- changed sources ------------------------------------------------------------------------- */

/* Reads all jobs of a source: 1, or 0 with the fault. */
static int read_all(source *work, uint64_t jobs, char message[MESSAGE_SIZE])
{
    pn_slotted_job job;
    uint64_t count = 0;
    int answer;
    while ((answer = source_next(work, &job)) == SOURCE_JOB)
        count++;
    if (answer == SOURCE_FAULT)
        snprintf(message, MESSAGE_SIZE, "%s", work->fault);
    else
        assert_int_equal(count, jobs);
    source_free(work);
    return answer == SOURCE_END;
}

static int make_scaled(const void *truth, char message[MESSAGE_SIZE])
{
    source *table = (source *)(uintptr_t)truth, *work;
    table->rewind(table);
    work = changed_scale_new(&changed_slotted, table, 2.0, 3.0);
    return work ? read_all(work, JOBS, message) : say_short(message);
}

static int make_sized(const void *truth, char message[MESSAGE_SIZE])
{
    const double bounds[] = {9.0};
    source *work = changed_sized_new(&changed_slotted, (source *)(uintptr_t)truth, bounds, 1);
    return work ? read_all(work, JOBS, message) : say_short(message);
}

static int make_moved(const void *truth, char message[MESSAGE_SIZE])
{
    arrival_process process;
    source *work;
    if (!arrival_process_parse("mmpp(1,50,9,5)", 14, &process, message))
        return say_short(message);
    work = changed_arrivals_new(&changed_slotted, (source *)(uintptr_t)truth, &process, 1, 0);
    return work ? read_all(work, JOBS, message) : say_short(message);
}

typedef struct sample {
    source *truth;
    resample_plan plan;
    uint64_t jobs;
} sample;

static int make_sample(const void *what, char message[MESSAGE_SIZE])
{
    const sample *of = what;
    source *work;
    of->truth->rewind(of->truth);
    work = changed_resample_new(&changed_slotted, of->truth, &of->plan, message);
    return work && read_all(work, of->jobs, message);
}

static void test_changed(void **state)
{
    source *truth = make_table();
    const sample samples[] = {
        {truth, {RESAMPLE_JOBS, .jobs = 500, .seed = 1}, 500},
        {truth, {RESAMPLE_KEEP, .jobs = 500, .seed = 1}, 500},
        {truth, {RESAMPLE_BLOCKS, .jobs = 500, .length = 50.0, .seed = 1}, 500},
        {truth, {RESAMPLE_WINDOWS, .windows = 2, .replica = 1, .seed = 1}, JOBS / 2}};
    (void)state;
    assert_int_equal(refusals(make_sized, truth, "not enough memory"), 1);
    assert_int_equal(refusals(make_moved, truth, "not enough memory"), 4);
    assert_int_equal(refusals(make_scaled, truth, "not enough memory"), 2);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        assert_in_range(refusals(make_sample, &samples[i], "not enough memory"), 15, 40);
    source_free(truth);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static int make_trace(const void *path, char message[MESSAGE_SIZE])
{
    static const char *const names[] = {"user"}, *const groups[] = {"5", "6"};
    const swf_part part = {path, 0};
    const swf_request request = {.parts = &part,
                                 .part_count = 1,
                                 .first = 1,
                                 .jobs = 1000,
                                 .statuses = UINT32_MAX,
                                 .group_field = 12,
                                 .attribute_fields = {12},
                                 .attribute_count = 1};
    swf_trace trace;
    source *table = NULL;
    int done = swf_read(&request, &trace, message);
    if (done &&
        (!(table = slotted_swf_new(&trace, 1000, 0)) || !swf_carry(&trace, table, names, groups)))
        done = say_short(message);
    source_free(table);
    swf_free(&trace);
    return done;
}

static void test_trace(void **state)
{
    static char path[FOLDER_PATH_SIZE + 300];
    (void)state;
    for (int i = 0; i < 300; i++) {
        char line[200];
        int size = sprintf(line, "%d %d 0 9 2 -1 -1 2 9 -1 1 %d 1 1 1 1 -1 -1\n", i, i, 5 + i % 2);
        folder_put(folder, "trace.swf", O_APPEND, line, (size_t)size);
    }
    strcpy(path, folder_path(folder, "trace.swf"));
    assert_in_range(refusals(make_trace, path, " memory"), 15, 60);
}

/* ---- rows and checkpoints -------------------------------------------------------------------- */

static const char *const row_names[] = {"arrival", "finish", NULL};
static const char *const entry[] = {"from", "to", NULL};
static const row_shape listing = {
    .names = row_names, .known = 1, .count = 2, .partial = 1, .list = "parts", .entry = entry};

/* A row, or a list of one, that is refused leaves the rows as they were. */
static int make_rows(const void *unused, char message[MESSAGE_SIZE])
{
    rows self = {.shape = &listing};
    const uint64_t values[200] = {1, 2, 3};
    int done = 1;
    (void)unused;
    for (size_t i = 0; done && i < 300; i++) {
        done = rows_add(&self, (row_value){.integer = i}, 0, NULL);
        assert_int_equal(self.count, done ? i + 1 : i);
        done = done && rows_add_list(&self, i, values, 100);
    }
    assert_true(rows_sound(&self, self.cells, self.count, self.listed, self.listed_count));
    rows_clear(&self);
    return done ? 1 : say_short(message);
}

static void test_rows(void **state)
{
    (void)state;
    assert_in_range(refusals(make_rows, NULL, "not enough memory"), 10, 40);
}

static int write_file(const void *path, char message[MESSAGE_SIZE])
{
    checkpoint_bytes parts[CHECKPOINT_PARTS] = {{"state.", 6}, {"0123456789", 10}};
    int broken = checkpoint_write(path, "\"x\":1", parts);
    strcpy(message, strerror(broken));
    return !broken;
}

static int read_file(const void *path, char message[MESSAGE_SIZE])
{
    checkpoint self;
    if (!checkpoint_read(&self, path, message))
        return 0;
    assert_int_equal(self.sizes[CHECKPOINT_BLOCK], 10);
    assert_memory_equal(self.parts[CHECKPOINT_BLOCK], "0123456789", 10);
    checkpoint_free(&self);
    return 1;
}

static void test_checkpoints(void **state)
{
    static char path[FOLDER_PATH_SIZE + 300];
    (void)state;
    strcpy(path, folder_path(folder, "state"));
    assert_in_range(refusals(write_file, path, "Cannot allocate memory"), 3, 20);
    assert_in_range(refusals(read_file, path, " memory"), 3, 20);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* A run that keeps a log, or checkpoints, which no disk has to take; it starts again with more
 * room. */
static int run_slots(source *truth, const char *log, const char *state, char message[MESSAGE_SIZE])
{
    static slotted_run self;
    run_base *run = &self.run;
    run_model model = slotted_model;
    rows kept = {.shape = &slotted_rows};
    enum run_outcome outcome;
    memset(&self, 0, sizeof self);
    model.room_most = 2;
    run_make(run, &model);
    self.config = pn_slotted_defaults();
    self.config.reduce = PN_SLOTTED_NONPREEMPTIVE;
    self.config.attributes = 1;
    self.config.machines = 4;
    self.policy = pn_slotted_fifo();
    self.tight = 1;
    run->work = truth;
    run->label = "fifo";
    run->quiet = 1;
    run->rows = &kept;
    run->timeline_buckets = 20;
    run->log_path = log;
    run->checkpoint.path = state;
    run->checkpoint.about = "\"x\":1";
    run->every = 400.0;
    outcome = run_go(run);
    strcpy(message, run->message);
    assert_true(outcome == RUN_DONE || outcome == RUN_FAILED);
    assert_true(outcome != RUN_DONE || (self.totals.finished == JOBS && kept.count == JOBS));
    run_free(run);
    rows_clear(&kept);
    return outcome == RUN_DONE;
}

static int make_logged(const void *truth, char message[MESSAGE_SIZE])
{
    return run_slots((source *)(uintptr_t)truth, folder_path(folder, "run.log"), NULL, message);
}

static int make_saved(const void *truth, char message[MESSAGE_SIZE])
{
    return run_slots((source *)(uintptr_t)truth, NULL, "/dev/null", message);
}

static void test_runs(void **state)
{
    source *truth = make_table();
    (void)state;
    assert_in_range(refusals(make_logged, truth, " memory"), 10, 100);
    assert_in_range(refusals(make_saved, truth, " memory"), 50, 500);
    source_free(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),         cmocka_unit_test(test_tables),
        cmocka_unit_test(test_no_attributes), cmocka_unit_test(test_changed),
        cmocka_unit_test(test_trace),         cmocka_unit_test(test_rows),
        cmocka_unit_test(test_checkpoints),   cmocka_unit_test(test_runs)};
    int failed;
    folder_make(folder);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}

#endif
