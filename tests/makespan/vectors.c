/* Every vector of the makespan model, exactly: first by the naive model, so that the judge is
 * judged, then by the kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "makespan/support/instance.h"

enum { VECTORS = 207 };

typedef struct vector {
    const char *name;
    const char *by; /* who is being checked */
    makespan_instance instance;
    bool search_ratio;
    unsigned total_slots;
    json_t *expect;
} vector;

/* ---- reading ---- */

/* An integer, a decimal as it is written, or "p/q". */
static fraction number(const json_t *value)
{
    char text[40];
    char *end = NULL;
    if (json_is_string(value)) {
        long long num = strtoll(json_string_value(value), &end, 10);
        return *end == '/' ? fraction_make(num, strtoll(end + 1, NULL, 10)) : fraction_whole(num);
    }
    if (json_is_integer(value))
        return fraction_whole(json_integer_value(value));
    long long digits = 1;
    snprintf(text, sizeof text, "%.9f", json_real_value(value));
    char *point = strchr(text, '.');
    for (char *c = point + 1; *c; c++)
        digits *= 10;
    memmove(point, point + 1, strlen(point));
    return fraction_make(strtoll(text, NULL, 10), digits);
}

static unsigned whole(const json_t *value)
{
    return (unsigned)json_integer_value(value);
}

static void read_stage(naive_makespan_stage *stage, const json_t *job, const char *const keys[3])
{
    const json_t *tasks = json_object_get(job, keys[0]);
    const json_t *time = json_object_get(job, keys[1]);
    const json_t *duration = json_object_get(tasks, "duration");
    stage->requested = whole(json_object_get(job, keys[2]));
    stage->has_time = time != NULL;
    if (time)
        stage->time = number(time);
    stage->listed = tasks != NULL;
    stage->count = duration ? whole(json_object_get(tasks, "count")) : json_array_size(tasks);
    assert_in_range(stage->count, 0, NAIVE_MAKESPAN_TASKS);
    for (size_t i = 0; i < stage->count; i++)
        stage->tasks[i] = number(duration ? duration : json_array_get(tasks, i));
}

static void read_pools(naive_makespan_config *config, const json_t *pools)
{
    json_t *pool, *id;
    size_t p, i;
    config->pool_count = json_array_size(pools);
    json_array_foreach(pools, p, pool)
    {
        config->pools[p].nodes = whole(json_object_get(pool, "nodes"));
        config->pools[p].count = json_array_size(json_object_get(pool, "jobs"));
        json_array_foreach(json_object_get(pool, "jobs"), i, id) config->pools[p].jobs[i] =
            whole(id) - 1;
    }
}

static void read_param(vector *v, const char *name, const json_t *value)
{
    naive_makespan_config *config = &v->instance.config;
    char text[24];
    snprintf(text, sizeof text, "%u", whole(value));
    const char *word = json_is_string(value)  ? json_string_value(value)
                       : json_is_true(value)  ? "true"
                       : json_is_false(value) ? "false"
                                              : text;
    if (strcmp(name, "search_ratio") == 0)
        v->search_ratio = json_is_true(value);
    else if (strcmp(name, "total_slots") == 0)
        v->total_slots = whole(value);
    else if (strcmp(name, "pools") == 0)
        read_pools(config, value);
    else if (!naive_makespan_set(config, name, word))
        fail_msg("%s: parameter %s = %s", v->name, name, word);
}

static void read_vector(vector *v, const char *name, json_t *entry)
{
    static const char *const keys[2][3] = {{"maps", "map_time", "map_slots"},
                                           {"reduces", "reduce_time", "reduce_slots"}};
    json_t *scenario = json_object_get(entry, "scenario");
    naive_makespan_config *config = &v->instance.config;
    const char *param;
    json_t *value, *job;
    size_t i;
    memset(v, 0, sizeof *v);
    v->name = name;
    v->expect = json_object_get(entry, "expect");
    config->policy = json_string_value(json_object_get(scenario, "policy"));
    naive_makespan_set(config, "level", json_string_value(json_object_get(scenario, "level")));
    for (int k = 0; k < 2; k++)
        config->slots[k] = whole(json_object_get(scenario, keys[k][2]));
    json_object_foreach(json_object_get(scenario, "params"), param, value)
        read_param(v, param, value);
    v->instance.count = json_array_size(json_object_get(scenario, "jobs"));
    assert_in_range(v->instance.count, 1, NAIVE_MAKESPAN_JOBS);
    json_array_foreach(json_object_get(scenario, "jobs"), i, job)
    {
        config->order[i] = i;
        for (int k = 0; k < 2; k++)
            read_stage(&v->instance.jobs[i].stage[k], job, keys[k]);
    }
}

/* ---- checking ---- */

static void expect_equal(const vector *v, const char *what, size_t job, fraction got,
                         const json_t *want)
{
    if (want && !fraction_equal(got, number(want)))
        fail_msg("%s: %s: %s of job %zu: got %lld/%lld, want %lld/%lld", v->by, v->name, what, job,
                 got.num, got.den, number(want).num, number(want).den);
}

static void check_result(const vector *v, const naive_makespan_result *result)
{
    json_t *bound = json_object_get(v->expect, "lower_bound");
    for (size_t i = 0; i < v->instance.count; i++) {
        const naive_makespan_times *times = &result->times[i];
        const struct {
            const char *name;
            fraction got;
        } fields[] = {{"map_start", times->map_start},
                      {"map_finish", times->map_finish},
                      {"reduce_start", times->reduce_start},
                      {"finish", times->finish},
                      {"order", fraction_whole((long long)result->order[i] + 1)}};
        for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
            expect_equal(v, fields[f].name, i + 1, fields[f].got,
                         json_array_get(json_object_get(v->expect, fields[f].name), i));
    }
    expect_equal(v, "makespan", 0, result->makespan, json_object_get(v->expect, "makespan"));
    expect_equal(v, "total_completion_time", 0, result->total_completion,
                 json_object_get(v->expect, "total_completion_time"));
    if (bound && json_is_null(bound) == result->has_bound)
        fail_msg("%s: %s: whether there is a bound", v->by, v->name);
    if (bound && result->has_bound)
        expect_equal(v, "lower_bound", 0, result->bound, bound);
}

static void check_naive(vector *v)
{
    const makespan_instance *run = &v->instance;
    naive_makespan_result result;
    v->by = "naive";
    bool done = v->search_ratio ? naive_makespan_search_ratio(&run->config, run->jobs, run->count,
                                                              v->total_slots, &result)
                                : naive_makespan_run(&run->config, run->jobs, run->count, &result);
    if (!done)
        fail_msg("%s: refused", v->name);
    check_result(v, &result);
}

static void check_kernel(vector *v)
{
    static makespan_outcome out;
    const makespan_manner how = {.planned = true};
    v->by = "kernel";
    if (v->search_ratio)
        makespan_instance_search_ratio(&v->instance, how, v->total_slots, &out);
    else
        makespan_instance_run(&v->instance, how, &out);
    if (out.status != PN_DONE || out.fault[0] != '\0')
        fail_msg("kernel: %s: %s %s", v->name, pn_status_name(out.status), out.fault);
    check_result(v, &out.result);
}

static void for_all(void (*check)(vector *v))
{
    static vector v;
    json_error_t problem;
    json_t *all = json_load_file("tests/makespan/vectors.json", JSON_REJECT_DUPLICATES, &problem);
    if (!all)
        fail_msg("line %d: %s", problem.line, problem.text);
    const char *name;
    json_t *entry;
    assert_int_equal(json_object_size(all), VECTORS);
    json_object_foreach(all, name, entry)
    {
        read_vector(&v, name, entry);
        check(&v);
    }
    json_decref(all);
}

static void the_naive_model_meets_every_vector(void **unused)
{
    (void)unused;
    for_all(check_naive);
}

static void the_kernel_meets_every_vector(void **unused)
{
    (void)unused;
    for_all(check_kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_naive_model_meets_every_vector),
                                       cmocka_unit_test(the_kernel_meets_every_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
