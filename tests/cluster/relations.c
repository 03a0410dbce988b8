/* What becomes of a run of the cluster model when its scenario is changed in a known way, whatever
 * the right result is: all times scaled, all later, what comes later left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/support/instance.h"
#include "support/random.h"

enum { RANDOM = 300, JOBS = 8, SEED = 1302 };

static pn_stream stream_of(uint32_t number)
{
    pn_stream stream;
    pn_stream_init(&stream, SEED, number, 1);
    return stream;
}

/* Where time ends a run is refused. */
static void run(const cluster_instance *given, cluster_outcome *out, bool may_end)
{
    cluster_instance_run(given, (cluster_manner){.unchecked = true}, out);
    if (out->status == PN_DONE || (may_end && out->status == PN_ERR_OVERFLOW))
        return;
    cluster_instance_print(given);
    fail_msg("%s: %s", given->scenario.policy, pn_status_name(out->status));
}

static bool is_same(const pn_scheduler_event *a, const pn_scheduler_event *b)
{
    return a->event == b->event && a->kind == b->kind && a->id == b->id && a->task == b->task &&
           a->node == b->node && a->attempt == b->attempt;
}

/* Compares the events of two runs before `until`; those of the second one have times `factor` times
 * as large, and then so much later. Frees both. */
static void check_alike(const cluster_instance *of, cluster_outcome *one, cluster_outcome *other,
                        uint64_t until, uint64_t factor, uint64_t later)
{
    const naive_cluster_result *a = &one->result, *b = &other->result;
    size_t i = 0;
    for (; i < a->event_count && a->events[i].time < until; i++) {
        uint64_t time = a->events[i].time * factor + later;
        if (i < b->event_count && b->events[i].time == time &&
            is_same(&a->events[i], &b->events[i]))
            continue;
        cluster_instance_print(of);
        cluster_instance_print_events(a);
        cluster_instance_print_events(b);
        fail_msg("%s: event %zu", of->scenario.policy, i);
    }
    if (i < b->event_count && until < UINT64_MAX && b->events[i].time < until * factor + later)
        fail_msg("%s: more events", of->scenario.policy);
    naive_cluster_free(&one->result);
    naive_cluster_free(&other->result);
}

static uint32_t compared; /* runs */

/* Prints how many runs have been compared: some scenarios are none for a check. */
static void for_policies(const char *what, uint32_t least,
                         void (*check)(cluster_instance *drawn, pn_stream stream))
{
    static cluster_instance drawn;
    compared = 0;
    for (uint32_t number = 0; number < RANDOM; number++)
        for (size_t i = 0; pn_scheduler_policy_at(i); i++) {
            pn_stream stream = stream_of(number);
            cluster_instance_draw(&drawn, &stream, JOBS);
            cluster_instance_choose(&drawn, &stream, pn_scheduler_policy_at(i)->name);
            check(&drawn, stream);
        }
    printf("%s: %u runs\n", what, compared);
    assert_true(compared >= least);
}

/* ---- all times scaled ---- */

static void stretch_list(const uint64_t *list, uint32_t count, uint64_t factor)
{
    for (uint32_t i = 0; list && i < count; i++)
        ((uint64_t *)list)[i] *= factor; /* of an instance */
}

static void stretch_job(pn_cluster_job *job, uint64_t factor)
{
    uint64_t *const times[] = {&job->submit,     &job->map_ms,       &job->remote_ms,
                               &job->reduce_ms,  &job->shuffle_ms,   &job->deadline,
                               &job->est_map_ms, &job->est_reduce_ms};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        *times[i] *= factor;
    stretch_list(job->map_times, job->maps, factor);
    stretch_list(job->reduce_times, job->reduces, factor);
    stretch_list(job->shuffle_times, job->reduces, factor);
}

static void stretch(cluster_instance *of, uint64_t factor)
{
    naive_cluster_scenario *s = &of->scenario;
    pn_cluster_config *c = &s->config;
    uint64_t *const times[] = {&c->heartbeat_ms,
                               &c->tick_ms,
                               &c->max_time_ms,
                               &c->restore_ms,
                               &c->save_ms,
                               &c->scheduler.locality_delay_ms,
                               &c->scheduler.default_task_ms,
                               &s->deadlines.theta_ms,
                               &s->copy_after_ms};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        *times[i] *= factor;
    if (c->est_extra_ms != PN_CLUSTER_AUTO)
        c->est_extra_ms *= factor;
    for (size_t i = 0; i < s->job_count; i++)
        stretch_job(&of->jobs[i], factor);
    for (size_t i = 0; i < s->failure_count; i++) {
        of->failures[i].time *= factor;
        if (of->failures[i].recover != PN_SCHEDULER_NEVER)
            of->failures[i].recover *= factor;
    }
}

static void lengthen_list(const uint64_t *list, uint32_t count)
{
    for (uint32_t i = 0; list && i < count; i++)
        ((uint64_t *)list)[i] += list[i] == 0;
}

/* No task takes less than 1 ms (CL9, CL11), so it takes 1. */
static void lengthen(cluster_instance *of)
{
    for (size_t i = 0; i < of->scenario.job_count; i++) {
        pn_cluster_job *job = &of->jobs[i];
        job->map_ms += job->map_ms == 0;
        job->reduce_ms += job->reduce_ms == 0;
        lengthen_list(job->map_times, job->maps);
        lengthen_list(job->reduce_times, job->reduces);
    }
}

/* Leaves out what rounds a part of a time that is not known before. */
static void leave_out_parts(cluster_instance *of)
{
    pn_cluster_config *c = &of->scenario.config;
    c->attempt_fail_permille = c->restore_permille = c->save_permille = 0;
    c->factor_lo = c->factor_hi = c->scheduler.input_ratio_permille = 1000;
    for (uint32_t g = 0; g < c->scheduler.nodes_count; g++)
        of->nodes[g].speed = of->nodes[g].speed == 700 ? 500 : 1000;
    for (size_t i = 0; i < of->scenario.job_count; i++)
        of->jobs[i].map_factor = of->jobs[i].reduce_factor = NULL;
}

/* Shares of hsrtf-pr and hsrtf-prp are parts of 10^15 / (remaining time), rounded down (CL18). */
static bool is_scalable(const cluster_instance *it)
{
    const char *policy = it->scenario.policy;
    if (strcmp(policy, "hsrtf-pr") == 0 || strcmp(policy, "hsrtf-prp") == 0)
        return false;
    for (size_t i = 0; i < it->scenario.job_count; i++)
        if (it->jobs[i].maps > 15)
            return false;
    return it->scenario.config.tick_ms < 16384; /* times have limits */
}

static void check_scaled(cluster_instance *drawn, pn_stream stream)
{
    const uint64_t whole = 360360; /* parts of 1..15 are whole ms */
    const uint64_t factor = random_uniform(&stream, 2, 9);
    cluster_outcome one, other;
    if (!is_scalable(drawn))
        return;
    leave_out_parts(drawn);
    lengthen(drawn);
    stretch(drawn, whole);
    run(drawn, &one, false);
    stretch(drawn, factor);
    run(drawn, &other, false);
    check_alike(drawn, &one, &other, UINT64_MAX, factor, 0);
    compared++;
}

static void test_scaled(void **unused)
{
    (void)unused;
    for_policies("scaled", 1000, check_scaled);
}

/* Leaves out jobs and failures from this time on. */
static void leave_out(cluster_instance *of, uint64_t from)
{
    naive_cluster_scenario *s = &of->scenario;
    size_t failures = 0;
    while (s->job_count > 0 && of->jobs[s->job_count - 1].submit >= from)
        s->job_count--;
    for (size_t i = 0; i < s->failure_count; i++)
        if (of->failures[i].time < from)
            of->failures[failures++] = of->failures[i];
    s->failure_count = failures;
}

/* ---- all later, up to the last time ---- */

static void shift(cluster_instance *of, uint64_t by)
{
    naive_cluster_scenario *s = &of->scenario;
    if (s->config.max_time_ms > PN_INTEGER_MAX - by)
        s->config.max_time_ms = 0;
    s->config.max_time_ms += s->config.max_time_ms > 0 ? by : 0;
    for (size_t i = 0; i < s->failure_count; i++) {
        of->failures[i].time += by;
        of->failures[i].recover = of->failures[i].recover <= PN_INTEGER_MAX - by
                                      ? of->failures[i].recover + by
                                      : PN_SCHEDULER_NEVER;
    }
    for (size_t i = 0; i < s->job_count; i++)
        of->jobs[i].submit += by;
}

/* Beats and ticks are at multiples of their distance (CL5, CL17). */
static void check_shifted(cluster_instance *drawn, pn_stream stream)
{
    static const uint64_t starts[] = {(uint64_t)1 << 32, (uint64_t)1 << 52, PN_INTEGER_MAX - 40,
                                      PN_INTEGER_MAX - 9000};
    const pn_cluster_config *c = &drawn->scenario.config;
    uint64_t later = starts[random_uniform(&stream, 0, 3)], end;
    cluster_outcome one, other;
    if (c->tick_ms >> 20 != 0)
        return;
    later -= later % (c->tick_ms * (c->heartbeat_ms > 0 ? c->heartbeat_ms : 1));
    end = PN_INTEGER_MAX - later;
    leave_out(drawn, end);
    if (drawn->scenario.job_count == 0)
        return;
    run(drawn, &one, false);
    shift(drawn, later);
    run(drawn, &other, true);
    if (other.status == PN_ERR_OVERFLOW)
        end = other.totals.time - later;
    check_alike(drawn, &one, &other, end, 1, later);
    compared++;
}

static void test_shifted(void **unused)
{
    (void)unused;
    for_policies("shifted", 1000, check_shifted);
}

/* ---- what comes later changes nothing before ---- */

static void check_later(cluster_instance *drawn, pn_stream stream)
{
    const size_t jobs = drawn->scenario.job_count;
    const uint64_t from = drawn->jobs[random_uniform(&stream, 0, jobs - 1)].submit;
    cluster_outcome one, other;
    if (drawn->jobs[0].submit >= from)
        return;
    run(drawn, &one, false);
    leave_out(drawn, from);
    run(drawn, &other, false);
    /* Failures behind the end of a run are none of its events. */
    check_alike(drawn, &one, &other, other.totals.time < from ? other.totals.time : from, 1, 0);
    compared++;
}

static void test_later(void **unused)
{
    (void)unused;
    for_policies("later", 800, check_later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_later),
    };
    printf("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
