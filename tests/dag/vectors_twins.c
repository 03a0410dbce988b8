/* The kernel against the naive model on every vector, which the naive model meets (vectors.c):
 * equal down to each event, however the run is cut and the block is moved, and a content checker.
 * The large ones are run in one go only. */
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
#include "dag/support/instance.h"

enum { LARGE = 300 };

static void check_manner(const char *vector, const char *manner, const naive_dag_scenario *run,
                         naive_dag_result *want, dag_manner how, pn_dag_totals *held)
{
    char what[300] = "";
    dag_outcome out;
    dag_instance_run(run, want, how, &out);
    *held = out.totals;
    if (out.status != PN_DONE)
        snprintf(what, sizeof what, "%s", pn_status_name(out.status));
    else if (out.fault[0] != '\0')
        snprintf(what, sizeof what, "%s", out.fault);
    else
        dag_instance_agree(&out, want, what, sizeof what);
    naive_dag_free(&out.result);
    if (what[0] != '\0')
        fail_msg("%s of %s, %s: %s", run->policy, vector, manner, what);
}

static void check_run(const char *vector, const naive_dag_scenario *run)
{
    naive_dag_result want;
    pn_dag_totals held;
    assert_true(naive_dag_run(run, &want));
    check_manner(vector, "in one go", run, &want, (dag_manner){.stepping = false}, &held);
    if (want.event_count < LARGE) {
        check_manner(vector, "moved", run, &want, (dag_manner){.move_every = 1}, &held);
        check_manner(vector, "job by job", run, &want, (dag_manner){.one_by_one = true}, &held);
    }
    naive_dag_free(&want);
}

static size_t check_vector(const char *name)
{
    char path[300];
    json_error_t problem;
    naive_dag_document document;
    const char *policy;
    json_t *unused;
    size_t runs = 0;
    snprintf(path, sizeof path, "tests/dag/vectors/%s", name);
    json_t *vector = json_load_file(path, 0, &problem);
    if (!vector)
        fail_msg("%s: line %d: %s", path, problem.line, problem.text);
    if (json_object_get(vector, "scenario")) {
        assert_true(naive_dag_read(&document, json_object_get(vector, "scenario")));
        json_object_foreach(json_object_get(vector, "expect"), policy, unused)
        {
            document.scenario.policy = policy;
            check_run(name, &document.scenario);
            runs++;
        }
        naive_dag_forget(&document);
    }
    json_decref(vector);
    return runs;
}

static int is_vector(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && strcmp(end, ".json") == 0;
}

static void the_kernel_agrees_on_every_vector(void **unused)
{
    struct dirent **names = NULL;
    size_t runs = 0;
    (void)unused;
    int count = scandir("tests/dag/vectors", &names, is_vector, alphasort);
    for (int i = 0; i < count; i++) {
        runs += check_vector(names[i]->d_name);
        free(names[i]);
    }
    free(names);
    print_message("%d vectors, %zu runs\n", count, runs);
    assert_true(runs >= 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_kernel_agrees_on_every_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
