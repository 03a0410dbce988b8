/* The naive simulator and its bounds against every vector of the tandem model: the judge is
 * judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tandem/naive/naive.h"

enum { JOBS = 64 };

typedef struct vector {
    const char *name;
    naive_tandem_config config;
    naive_tandem_job jobs[JOBS];
    size_t count;
    json_t *expect;
} vector;

/* A number, or "p/q", each rounded to the nearest double as the program does. */
static double number(const json_t *value, double missing)
{
    if (!value)
        return missing;
    if (!json_is_string(value))
        return json_number_value(value);
    char *slash = NULL;
    double p = strtod(json_string_value(value), &slash);
    return *slash == '/' ? p / strtod(slash + 1, NULL) : p;
}

static long double parameter(const char *policy, const json_t *params)
{
    const json_t *lend = json_object_get(params, "lend");
    if (strcmp(policy, "maxsrpt") == 0)
        return json_is_false(json_object_get(params, "work_conserving")) ? 0 : 1;
    if (strcmp(policy, "splitsrpt") == 0)
        return !lend                                           ? NAIVE_LEND_FULL
               : strcmp(json_string_value(lend), "none") == 0  ? NAIVE_LEND_NONE
               : strcmp(json_string_value(lend), "empty") == 0 ? NAIVE_LEND_EMPTY
                                                               : NAIVE_LEND_FULL;
    if (strcmp(policy, "bsrpt") == 0)
        return number(json_object_get(params, "theta"), 0.3);
    return number(json_object_get(params, "k"), 100);
}

/* TA1: a stable sort by arrival. */
static void insert(vector *v, naive_tandem_job job)
{
    size_t place = v->count++;
    for (; place > 0 && v->jobs[place - 1].arrival > job.arrival; place--)
        v->jobs[place] = v->jobs[place - 1];
    v->jobs[place] = job;
}

static void read_vector(vector *v, const char *name, json_t *entry)
{
    json_t *scenario = json_object_get(entry, "scenario");
    json_t *job;
    size_t i;
    memset(v, 0, sizeof *v);
    v->name = name;
    v->expect = json_object_get(entry, "expect");
    v->config.policy = json_string_value(json_object_get(scenario, "policy"));
    v->config.param = parameter(v->config.policy, json_object_get(scenario, "params"));
    v->config.speed = number(json_object_get(scenario, "speed"), 1);
    v->config.traditional = json_is_false(json_object_get(scenario, "overlap"));
    assert_in_range(json_array_size(json_object_get(scenario, "jobs")), 1, JOBS);
    json_array_foreach(json_object_get(scenario, "jobs"), i, job)
    {
        naive_tandem_job read = {.arrival = number(json_object_get(job, "arrival"), -1),
                                 .map = number(json_object_get(job, "map"), 0),
                                 .shuffle = number(json_object_get(job, "shuffle"), 0)};
        read.estimate_map = read.map;
        read.estimate_shuffle = read.shuffle;
        insert(v, read);
    }
}

static void expect_near(const vector *v, const char *what, size_t job, long double got,
                        const json_t *want)
{
    long double value = json_number_value(want);
    long double size = value < 1 ? 1 : value;
    if (got - value > 1e-12L * size || value - got > 1e-12L * size)
        fail_msg("%s: %s of job %zu: got %.17Lg, want %.17Lg", v->name, what, job, got, value);
}

static void check_vector(const vector *v)
{
    naive_tandem_times times[JOBS] = {{0}};
    long double total = 0;
    json_t *map_finish = json_object_get(v->expect, "map_finish");
    json_t *finish = json_object_get(v->expect, "finish");
    assert_int_equal(naive_tandem_run(&v->config, v->jobs, v->count, times), NAIVE_TANDEM_DONE);
    for (size_t i = 0; i < v->count; i++) {
        if (map_finish)
            expect_near(v, "map_finish", i + 1, times[i].map_finish, json_array_get(map_finish, i));
        if (finish)
            expect_near(v, "finish", i + 1, times[i].finish, json_array_get(finish, i));
        total += times[i].response;
    }
    const struct {
        const char *name;
        long double got;
    } totals[] = {
        {"total_response_time", total},
        {"lower_bound", naive_tandem_bound(v->config.speed, v->jobs, v->count)},
        {"lower_bound_tight", naive_tandem_bound_tight(v->config.speed, v->jobs, v->count)}};
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++)
        if (json_object_get(v->expect, totals[i].name))
            expect_near(v, totals[i].name, 0, totals[i].got,
                        json_object_get(v->expect, totals[i].name));
}

static void all_vectors_hold(void **unused)
{
    (void)unused;
    json_error_t problem;
    json_t *all = json_load_file("tests/tandem/vectors.json", JSON_REJECT_DUPLICATES, &problem);
    if (!all)
        fail_msg("line %d: %s", problem.line, problem.text);
    const char *name;
    json_t *entry;
    assert_in_range(json_object_size(all), 171, 1000);
    json_object_foreach(all, name, entry)
    {
        vector v;
        read_vector(&v, name, entry);
        check_vector(&v);
    }
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_vectors_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
