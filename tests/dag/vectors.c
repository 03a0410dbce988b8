/* The naive dag model against every vector, each field and each attempt exactly, and its reader
 * against every scenario that has to be refused. What the vectors named x_ expect was worked out by
 * hand, or in exact integers from the formula of the rule alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "dag/naive/json.h"

enum { VECTORS = 185, RUNS = 477, REFUSALS = 99 };

/* ---- results as JSON ---- */

/* null for what never came */
static json_t *number(naive_dag_wide value)
{
    if (value == NAIVE_DAG_NEVER)
        return json_null();
    assert_true(value <= INT64_MAX);
    return json_integer((json_int_t)value);
}

static json_t *vector_of(const naive_dag_wide *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t r = 0; r < count; r++)
        json_array_append_new(list, number(values[r]));
    return list;
}

static json_t *permilles(const uint64_t *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t r = 0; r < count; r++)
        json_array_append_new(list, number(values[r]));
    return list;
}

static json_t *stages_of(const naive_dag_record *r)
{
    json_t *list = json_array();
    for (uint32_t s = 0; s < r->stage_count; s++)
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o}", "ready", number(r->stages[s].ready), "start",
                            number(r->stages[s].start), "finish", number(r->stages[s].finish)));
    return list;
}

static json_t *job_of(const naive_dag_record *r)
{
    json_t *met = r->judged ? json_boolean(r->met) : json_null();
    json_t *slowdown = r->finished ? number(r->slowdown) : json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "state",
                     r->finished ? "finished" : "unfinished", "arrival", number(r->arrival),
                     "first_start", number(r->first_start), "finish", number(r->finish), "jct",
                     number(r->jct), "waiting", number(r->waiting), "slowdown_permille", slowdown,
                     "alone", number(r->alone), "deadline_met", met, "kills", number(r->kills),
                     "lost", number(r->lost), "stages", stages_of(r));
}

static json_t *jobs_of(const naive_dag_result *of)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < of->record_count; i++)
        json_array_append_new(list, job_of(&of->records[i]));
    return list;
}

static json_t *queues_of(const naive_dag_document *from, const naive_dag_result *of)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < of->queue_count; i++) {
        const naive_dag_queue_totals *q = &of->queues[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", from->queues[q->label],
                                        "jobs", number(q->jobs), "finished", number(q->finished),
                                        "total_jct", number(q->total_jct), "used",
                                        vector_of(q->used, from->scenario.resource_count)));
    }
    return list;
}

static json_t *totals_of(const naive_dag_document *from, const naive_dag_result *of)
{
    const naive_dag_totals *t = &of->totals;
    uint32_t resources = from->scenario.resource_count;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "jobs",
        number(t->jobs), "finished", number(t->finished), "total_jct", number(t->total_jct),
        "makespan", number(t->makespan), "used", vector_of(t->used, resources), "lost",
        vector_of(t->lost, resources), "utilisation_permille", permilles(t->utilisation, resources),
        "slowdown_sum_permille", number(t->slowdown_sum), "jain_permille", number(t->jain),
        "launches", number(t->launches), "kills", number(t->kills), "lost_attempts",
        number(t->lost_attempts), "saturated_ms", number(t->saturated_ms), "bound_makespan",
        number(t->bound_makespan), "bound_total_jct", number(t->bound_total_jct), "queues",
        queues_of(from, of));
}

static json_t *tasks_of(const naive_dag_result *of)
{
    static const char *const outcomes[] = {"done", "killed", "lost", "running"};
    json_t *list = json_array();
    for (size_t i = 0; i < of->attempt_count; i++) {
        const naive_dag_attempt *a = &of->attempts[i];
        json_array_append_new(list, json_pack("[o, o, o, o, o, o, o, s]", number(a->job + 1),
                                              number(a->stage), number(a->task + 1),
                                              number(a->attempt), number(a->node), number(a->start),
                                              number(a->end), outcomes[a->outcome]));
    }
    return list;
}

/* ---- comparing ---- */

/* What is being checked, for the report of a failure. */
typedef struct trial {
    const char *vector, *policy, *part;
    size_t index; /* in the part */
} trial;

static void expect_equal(const trial *at, const char *field, const json_t *got, const json_t *want)
{
    if (got && json_equal(got, want))
        return;
    char *got_text = got ? json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    char *want_text = json_dumps(want, JSON_ENCODE_ANY | JSON_COMPACT);
    print_error("%s of %s: %s %zu: %s: got %s, want %s\n", at->policy, at->vector, at->part,
                at->index, field, got_text ? got_text : "nothing", want_text);
    free(got_text);
    free(want_text);
    fail();
}

/* Every field that is expected; what is not expected may be anything. */
static void expect_fields(const trial *at, const json_t *got, json_t *want)
{
    const char *field;
    json_t *value;
    json_object_foreach(want, field, value)
    {
        if (strcmp(field, "queues") != 0)
            expect_equal(at, field, json_object_get(got, field), value);
    }
}

static void expect_list(trial at, const char *part, const json_t *got, const json_t *want)
{
    at.part = part;
    assert_int_equal(json_array_size(got), json_array_size(want));
    for (at.index = 0; at.index < json_array_size(want); at.index++)
        expect_fields(&at, json_array_get(got, at.index), json_array_get(want, at.index));
}

static void expect_tasks(trial at, const json_t *got, const json_t *want)
{
    at.part = "attempt";
    for (at.index = 0; at.index < json_array_size(want); at.index++)
        expect_equal(&at, "row", json_array_get(got, at.index), json_array_get(want, at.index));
    assert_int_equal(json_array_size(got), json_array_size(want));
}

static void check_run(trial at, const naive_dag_document *document, const json_t *want)
{
    naive_dag_result result;
    json_t *want_totals = json_object_get(want, "totals");
    json_t *want_tasks = json_object_get(want, "tasks");
    assert_true(naive_dag_run(&document->scenario, &result));
    json_t *jobs = jobs_of(&result);
    json_t *totals = totals_of(document, &result);
    json_t *tasks = tasks_of(&result);
    expect_list(at, "job", jobs, json_object_get(want, "jobs"));
    at.part = "totals";
    expect_fields(&at, totals, want_totals);
    if (json_object_get(want_totals, "queues"))
        expect_list(at, "queue", json_object_get(totals, "queues"),
                    json_object_get(want_totals, "queues"));
    if (want_tasks)
        expect_tasks(at, tasks, want_tasks);
    json_decref(jobs);
    json_decref(totals);
    json_decref(tasks);
    naive_dag_free(&result);
}

/* ---- every vector ---- */

static size_t check_runs(const char *vector, const json_t *scenario, json_t *expected)
{
    trial at = {.vector = vector};
    size_t runs = 0;
    json_t *want;
    naive_dag_document document;
    if (!naive_dag_read(&document, scenario))
        fail_msg("%s: refused for %s", vector, document.refused);
    json_object_foreach(expected, at.policy, want)
    {
        document.scenario.policy = at.policy;
        check_run(at, &document, want);
        runs++;
    }
    naive_dag_forget(&document);
    return runs;
}

/* The path that is named has to be the one expected, or of something inside of it. */
static bool is_inside(const char *path, const char *of)
{
    size_t length = strlen(of);
    return strncmp(path, of, length) == 0 &&
           (path[length] == '\0' || path[length] == '.' || path[length] == '[');
}

static size_t check_refusals(const json_t *cases)
{
    size_t i;
    json_t *entry;
    json_array_foreach(cases, i, entry)
    {
        const char *why = json_string_value(json_object_get(entry, "why"));
        const char *field = json_string_value(json_object_get(entry, "field"));
        naive_dag_document document;
        if (naive_dag_read(&document, json_object_get(entry, "scenario")))
            fail_msg("%s: not refused", why);
        if (!is_inside(document.refused, field))
            fail_msg("%s: refused for %s, want %s", why, document.refused, field);
        naive_dag_forget(&document);
    }
    return json_array_size(cases);
}

static int is_vector(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && strcmp(end, ".json") == 0;
}

static json_t *load(const char *name)
{
    char path[300];
    json_error_t problem;
    snprintf(path, sizeof path, "tests/dag/vectors/%s", name);
    json_t *vector = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (!vector)
        fail_msg("%s: line %d: %s", path, problem.line, problem.text);
    return vector;
}

static void the_naive_model_meets_every_vector(void **unused)
{
    struct dirent **names = NULL;
    size_t runs = 0;
    size_t refusals = 0;
    (void)unused;
    int count = scandir("tests/dag/vectors", &names, is_vector, alphasort);
    for (int i = 0; i < count; i++) {
        json_t *vector = load(names[i]->d_name);
        json_t *scenario = json_object_get(vector, "scenario");
        if (scenario)
            runs += check_runs(names[i]->d_name, scenario, json_object_get(vector, "expect"));
        refusals += check_refusals(json_object_get(vector, "refused"));
        json_decref(vector);
        free(names[i]);
    }
    free(names);
    print_message("%d vectors, %zu runs, %zu refusals\n", count, runs, refusals);
    assert_int_equal(count, VECTORS);
    assert_int_equal(runs, RUNS);
    assert_int_equal(refusals, REFUSALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_naive_model_meets_every_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
