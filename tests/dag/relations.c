/* What becomes of a run of the dag model when its scenario is changed in a known way, whatever the
 * right result is: all times scaled, all later, what comes later left out, ids of jobs exchanged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dag/support/instance.h"
#include "support/random.h"

enum { RANDOM = 200, SEED = 1302 };

static pn_stream stream_of(uint32_t number)
{
    pn_stream stream;
    pn_stream_init(&stream, SEED, number, 1);
    return stream;
}

static void run(const dag_instance *given, dag_outcome *out)
{
    naive_dag_result want;
    naive_dag_run(&given->scenario, &want);
    dag_instance_run(&given->scenario, &want, (dag_manner){.unchecked = true}, out);
    naive_dag_free(&want);
    if (out->status != PN_DONE) {
        dag_instance_print(&given->scenario);
        fail_msg("%s: %s", given->scenario.policy, out->fault);
    }
}

/* Compares the events of two runs before `until`; those of the second one have times `factor` times
 * as large, and then so much later. Frees both. */
static void check_alike(const dag_instance *of, dag_outcome *one, dag_outcome *other,
                        uint64_t until, uint64_t factor, uint64_t later)
{
    const naive_dag_result *a = &one->result, *b = &other->result;
    size_t i = 0;
    for (; i < a->event_count && a->events[i].time < until; i++) {
        naive_dag_event want = a->events[i];
        want.time = want.time * factor + later;
        if (i < b->event_count && memcmp(&want, &b->events[i], sizeof want) == 0)
            continue;
        dag_instance_print(&of->scenario);
        dag_events_print(a);
        dag_events_print(b);
        fail_msg("%s: event %zu", of->scenario.policy, i);
    }
    if (i < b->event_count && until < UINT64_MAX && b->events[i].time < until * factor + later)
        fail_msg("%s: more events", of->scenario.policy);
    naive_dag_free(&one->result);
    naive_dag_free(&other->result);
}

static uint32_t compared; /* runs */

/* Prints how many runs have been compared: some scenarios are none for a check. */
static void for_policies(const char *what, uint32_t least,
                         void (*check)(dag_instance *drawn, pn_stream stream))
{
    static dag_instance drawn;
    compared = 0;
    for (uint32_t number = 0; number < RANDOM; number++)
        for (size_t i = 0; pn_dispatch_policy_at(i); i++) {
            pn_stream stream = stream_of(number);
            dag_instance_draw(&drawn, &stream, DAG_JOBS);
            drawn.scenario.policy = pn_dispatch_policy_at(i)->name;
            check(&drawn, stream);
        }
    printf("%s: %u runs\n", what, compared);
    assert_true(compared >= least);
}

/* ---- all times scaled ---- */

static void stretch_time(uint64_t *time, uint64_t factor)
{
    if (*time != NAIVE_DAG_NEVER)
        *time *= factor;
}

static void stretch(dag_instance *of, uint64_t factor)
{
    naive_dag_params *p = &of->scenario.params;
    uint64_t *const params[] = {&p->start_ms, &p->tick_ms, &p->max_time_ms, &p->move_ms,
                                &p->fresh_ms};
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
        stretch_time(params[i], factor);
    for (uint32_t i = 0; i < of->scenario.failure_count; i++) {
        stretch_time(&of->failures[i].time, factor);
        stretch_time(&of->failures[i].recover, factor);
    }
    for (uint32_t j = 0; j < of->scenario.job_count; j++) {
        stretch_time(&of->jobs[j].arrival, factor);
        stretch_time(&of->jobs[j].deadline, factor);
        for (uint32_t i = 0; i < of->jobs[j].stage_count; i++) {
            naive_dag_stage *stage = &of->stages[j][i];
            stretch_time(&stage->duration, factor);
            stretch_time(&stage->estimate, factor);
            stretch_time(&stage->start_ms, factor);
            for (uint32_t t = 0; stage->durations && t < stage->tasks; t++)
                stretch_time(&of->durations[j][i][t], factor);
        }
    }
}

/* No task takes less than 1 ms (DG5), so it takes 1. */
static void lengthen(dag_instance *of)
{
    for (uint32_t j = 0; j < of->scenario.job_count; j++)
        for (uint32_t i = 0; i < of->jobs[j].stage_count; i++) {
            of->stages[j][i].duration += of->stages[j][i].duration == 0;
            for (uint32_t t = 0; t < DAG_TASKS; t++)
                of->durations[j][i][t] += of->durations[j][i][t] == 0;
        }
}

static bool is_too_large(const dag_instance *it)
{
    return naive_dag_too_large(&it->scenario) < it->scenario.job_count;
}

static void check_scaled(dag_instance *drawn, pn_stream stream)
{
    const uint64_t whole = 720720; /* a mean of 1..16 tasks is whole ms */
    const uint64_t factor = random_uniform(&stream, 2, 9);
    naive_dag_params *p = &drawn->scenario.params;
    dag_outcome one, other;
    p->factor_lo = p->factor_hi = p->est_lo = p->est_hi = 1000; /* as rounded up */
    for (uint32_t g = 0; g < drawn->scenario.group_count; g++)
        drawn->nodes[g].speed = drawn->nodes[g].speed < 1000 ? 500 : 1000;
    lengthen(drawn);
    stretch(drawn, whole);
    if (is_too_large(drawn))
        return;
    run(drawn, &one);
    stretch(drawn, factor);
    if (is_too_large(drawn)) {
        naive_dag_free(&one.result);
        return;
    }
    run(drawn, &other);
    compared++;
    check_alike(drawn, &one, &other, UINT64_MAX, factor, 0);
}

static void test_scaled(void **unused)
{
    (void)unused;
    for_policies("scaled", 1500, check_scaled);
}

/* Leaves out jobs and failures from this time on. */
static void leave_out(dag_instance *of, uint64_t from)
{
    naive_dag_scenario *s = &of->scenario;
    uint32_t jobs = 0, failures = 0;
    for (uint32_t j = 0; j < s->job_count; j++)
        if (of->jobs[j].arrival < from)
            of->jobs[jobs++] = of->jobs[j];
    for (uint32_t i = 0; i < s->failure_count; i++)
        if (of->failures[i].time < from)
            of->failures[failures++] = of->failures[i];
    s->job_count = jobs;
    s->failure_count = failures;
}

/* ---- all later, up to the last time ---- */

static void shift(dag_instance *of, uint64_t by)
{
    naive_dag_scenario *s = &of->scenario;
    if (s->params.max_time_ms > PN_INTEGER_MAX - by)
        s->params.max_time_ms = 0;
    s->params.max_time_ms += s->params.max_time_ms > 0 ? by : 0;
    for (uint32_t i = 0; i < s->failure_count; i++) {
        of->failures[i].time += by;
        of->failures[i].recover = of->failures[i].recover <= PN_INTEGER_MAX - by
                                      ? of->failures[i].recover + by
                                      : NAIVE_DAG_NEVER;
    }
    for (uint32_t j = 0; j < s->job_count; j++)
        of->jobs[j].arrival += by;
}

/* Ticks are at multiples of their distance (DG18), and a run stops at 2^53 (DG4). */
static void check_shifted(dag_instance *drawn, pn_stream stream)
{
    static const uint64_t starts[] = {(uint64_t)1 << 32, (uint64_t)1 << 52, PN_INTEGER_MAX - 100,
                                      PN_INTEGER_MAX - 40};
    uint64_t later = starts[random_uniform(&stream, 0, 3)];
    dag_outcome one, other;
    later -= later % drawn->scenario.params.tick_ms;
    leave_out(drawn, PN_INTEGER_MAX - later);
    if (drawn->scenario.job_count == 0)
        return;
    run(drawn, &one);
    shift(drawn, later);
    run(drawn, &other);
    check_alike(drawn, &one, &other, PN_INTEGER_MAX - later, 1, later);
    compared++;
}

static void test_shifted(void **unused)
{
    (void)unused;
    for_policies("shifted", 1000, check_shifted);
}

/* ---- what comes later changes nothing before ---- */

static void check_later(dag_instance *drawn, pn_stream stream)
{
    const uint64_t from = random_uniform(&stream, 1, 60);
    dag_outcome one, other;
    if (drawn->scenario.queue_count == 0) /* labels of all jobs, also of later ones, make them */
        return;
    run(drawn, &one);
    leave_out(drawn, from);
    if (drawn->scenario.job_count == 0) {
        naive_dag_free(&one.result);
        return;
    }
    run(drawn, &other);
    /* Failures behind the end of a run are none of its events. */
    check_alike(drawn, &one, &other, other.totals.time < from ? other.totals.time : from, 1, 0);
    compared++;
}

static void test_later(void **unused)
{
    (void)unused;
    for_policies("later", 1000, check_later);
}

/* ---- ids decide between equals alone ---- */

/* Whether the policy ranks jobs by times alone, as long as none arrives after another. */
static bool ranks_by_times(const char *policy)
{
    static const char *const such[] = {"cp", "hfsp", "sjf-cp", "srpt"};
    for (size_t i = 0; i < sizeof such / sizeof such[0]; i++)
        if (strcmp(policy, such[i]) == 0)
            return true;
    return false;
}

/* Times so long that no two sums of them are equal. */
static void make_apart(dag_instance *of, pn_stream *stream)
{
    naive_dag_params *p = &of->scenario.params;
    p->factor_lo = p->factor_hi = p->est_lo = p->est_hi = 1000; /* else drawn by id */
    p->max_time_ms = 0;
    of->scenario.failure_count = of->scenario.queue_count = 0;
    for (uint32_t j = 0; j < of->scenario.job_count; j++) {
        of->jobs[j].arrival = 0;
        of->jobs[j].weight = 1;
        of->jobs[j].priority = 0;
        of->jobs[j].queue = 0;
        of->jobs[j].deadline = NAIVE_DAG_NEVER;
        for (uint32_t i = 0; i < of->jobs[j].stage_count; i++) {
            naive_dag_stage *stage = &of->stages[j][i];
            if (stage->durations)
                for (uint32_t t = 0; t < stage->tasks; t++)
                    of->durations[j][i][t] = pn_uniform(stream, 1000000, 2000000000);
            stage->duration = pn_uniform(stream, 1000000, 2000000000);
            stage->estimate = 0;
        }
    }
}

static void check_exchanged(dag_instance *drawn, pn_stream stream)
{
    uint32_t names[DAG_JOBS];
    dag_outcome one, other;
    if (!ranks_by_times(drawn->scenario.policy))
        return;
    make_apart(drawn, &stream);
    if (is_too_large(drawn))
        return;
    run(drawn, &one);
    for (uint32_t j = 0; j < drawn->scenario.job_count; j++)
        names[j] = drawn->scenario.job_count - 1 - j;
    for (uint32_t j = 0; j < drawn->scenario.job_count / 2; j++) {
        naive_dag_job job = drawn->jobs[j];
        drawn->jobs[j] = drawn->jobs[names[j]];
        drawn->jobs[names[j]] = job;
    }
    run(drawn, &other);
    for (uint32_t j = 0; j < drawn->scenario.job_count; j++)
        if (one.result.records[j].finish != other.result.records[names[j]].finish) {
            dag_instance_print(&drawn->scenario);
            fail_msg("%s: job %u", drawn->scenario.policy, j);
        }
    compared++;
    naive_dag_free(&one.result);
    naive_dag_free(&other.result);
}

static void test_exchanged(void **unused)
{
    (void)unused;
    for_policies("exchanged", 300, check_exchanged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_later),
        cmocka_unit_test(test_exchanged),
    };
    printf("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
