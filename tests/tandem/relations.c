/* What becomes of a run of the tandem queue when its jobs are changed in a known way, whatever the
 * right result is: all times scaled, all later, what comes later left out, ids exchanged, a job
 * without work added. Results are equal to the bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "tandem/support/instance.h"

enum { RANDOM = 600, JOBS = 20, SEED = 1302 };

typedef struct trial {
    const pn_tandem_policy *policy;
    const double *params;
    tandem_instance drawn;
    tandem_outcome out;
    pn_stream stream;
} trial;

/* Some policies serve no one at some parameters (TA15): false. */
static bool run_with(const trial *of, tandem_instance *given, tandem_outcome *out, bool gaps)
{
    for (uint32_t i = 0; i < given->job_count; i++)
        given->jobs[i].tag = i;
    tandem_instance_run(given, of->policy, (tandem_manner){.params = of->params, .gaps = gaps},
                        out);
    if (out->status == PN_ERR_INFEASIBLE)
        return false;
    if (out->status == PN_DONE && out->fault[0] == '\0')
        return true;
    tandem_instance_print(given);
    fail_msg("%s: %s %s", of->policy->name, pn_status_name(out->status), out->fault);
    return false;
}

static bool run(const trial *of, tandem_instance *given, tandem_outcome *out)
{
    return run_with(of, given, out, false);
}

/* Compares a job of the first run with one of the other one, where times are `factor` times as
 * large. */
static void check_job(const trial *of, const tandem_instance *other, uint32_t job,
                      const tandem_outcome *out, uint32_t its, double factor)
{
    if (of->out.map_finish[job] * factor == out->map_finish[its] &&
        of->out.finish[job] * factor == out->finish[its])
        return;
    tandem_instance_print(other);
    fail_msg("%s: job %u and %u", of->policy->name, job, its);
}

/* Prints how many pairs of runs have been compared: some runs are none for a check. */
static void for_policies(const char *what, bool (*check)(trial *of))
{
    trial of;
    uint32_t compared = 0;
    double params[PN_PARAMS_MAX];
    for (uint32_t number = 0; number < RANDOM; number++)
        for (size_t i = 0; pn_tandem_policy_at(i); i++) {
            pn_stream_init(&of.stream, SEED, number, 1);
            tandem_instance_draw(&of.drawn, &of.stream, JOBS);
            of.policy = pn_tandem_policy_at(i);
            of.params = tandem_instance_params(of.policy, &of.stream, params);
            compared += check(&of);
        }
    printf("%s: %u runs\n", what, compared);
    assert_true(compared > 5 * RANDOM);
}

/* ---- all times scaled ---- */

static bool check_scaled(trial *of)
{
    const double factor = (double)(1 << random_uniform(&of->stream, 1, 6));
    tandem_instance other = of->drawn;
    tandem_outcome out;
    for (uint32_t i = 0; i < other.job_count; i++) {
        pn_tandem_job *job = &other.jobs[i];
        job->arrival *= factor;
        job->map *= factor;
        job->shuffle *= factor;
        job->estimate_map *= job->estimate_map > 0 ? factor : 1; /* below 0: none */
        job->estimate_shuffle *= job->estimate_shuffle > 0 ? factor : 1;
    }
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < other.job_count; i++)
        check_job(of, &other, i, &out, i, factor);
    return true;
}

static void test_scaled(void **unused)
{
    (void)unused;
    for_policies("scaled", check_scaled);
}

/* ---- all later ---- */

/* The times of a busy period are offsets from its start, so that responses do not depend on when it
 * is (TA23). */
static bool check_shifted(trial *of)
{
    const double later = ldexp(1.0, (int)random_uniform(&of->stream, 20, 50));
    tandem_instance other;
    tandem_outcome out;
    for (uint32_t i = 0; i < of->drawn.job_count; i++)
        of->drawn.jobs[i].arrival = floor(of->drawn.jobs[i].arrival); /* so gaps are exact */
    other = of->drawn;
    for (uint32_t i = 0; i < other.job_count; i++)
        other.jobs[i].arrival += later;
    if (!run_with(of, &of->drawn, &of->out, true) || !run_with(of, &other, &out, true))
        return false;
    for (uint32_t i = 0; i < other.job_count; i++)
        if (of->out.response[i] != out.response[i]) {
            tandem_instance_print(&other);
            fail_msg("%s: job %u", of->policy->name, i);
        }
    return true;
}

static void test_shifted(void **unused)
{
    (void)unused;
    for_policies("shifted", check_shifted);
}

/* ---- what comes later changes nothing before ---- */

static bool check_later(trial *of)
{
    tandem_instance other = of->drawn;
    uint32_t last = (uint32_t)random_uniform(&of->stream, 0, other.job_count - 1);
    double from = other.jobs[last].arrival;
    tandem_outcome out;
    while (other.job_count > 0 && other.jobs[other.job_count - 1].arrival >= from)
        other.job_count--;
    if (other.job_count == 0)
        return false;
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < other.job_count; i++)
        if (out.finish[i] < from)
            check_job(of, &other, i, &out, i, 1);
    return true;
}

static void test_later(void **unused)
{
    (void)unused;
    for_policies("later", check_later);
}

/* ---- ids decide between equals alone ---- */

/* Whether the policy serves jobs of a batch in the order of their ids, at least of one class. */
static bool serves_by_id(const pn_tandem_policy *policy)
{
    static const char *const such[] = {"fcfs", "fcfs_ps", "johnson", "klps", "klps_rigid"};
    for (size_t i = 0; i < sizeof such / sizeof such[0]; i++)
        if (strcmp(policy->name, such[i]) == 0)
            return true;
    return false;
}

/* All come at once, and no two have the same size or rank. */
static void make_apart(tandem_instance *of)
{
    of->estimates = false;
    for (uint32_t i = 0; i < of->job_count; i++) {
        pn_tandem_job *job = &of->jobs[i];
        job->arrival = of->jobs[0].arrival;
        job->estimate_map = job->estimate_shuffle = 0;
        job->map += job->map == 0 ? 1 + i * 0.001 : 0;
        job->shuffle += job->shuffle == 0 || job->shuffle == job->map ? 1 + i * 0.001 : 0;
        job->rank[0] = i * 7 % 41;
        job->rank[1] = i * 11 % 41;
    }
}

static bool check_exchanged(trial *of)
{
    tandem_instance other;
    tandem_outcome out;
    uint32_t count = of->drawn.job_count;
    if (serves_by_id(of->policy))
        return false;
    make_apart(&of->drawn);
    other = of->drawn;
    for (uint32_t i = 0; i < count; i++)
        other.jobs[i] = of->drawn.jobs[count - 1 - i];
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < count; i++)
        check_job(of, &other, i, &out, count - 1 - i, 1);
    return true;
}

static void test_exchanged(void **unused)
{
    (void)unused;
    for_policies("exchanged", check_exchanged);
}

/* ---- a job without work ---- */

static bool check_empty(trial *of)
{
    tandem_instance other = of->drawn;
    tandem_outcome out;
    uint32_t count = other.job_count, at = (uint32_t)random_uniform(&of->stream, 0, count - 1);
    for (uint32_t i = count; i > at; i--)
        other.jobs[i] = other.jobs[i - 1];
    other.jobs[at].map = other.jobs[at].shuffle = 0;
    other.jobs[at].estimate_map = other.jobs[at].estimate_shuffle = 0;
    other.job_count++;
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < count; i++)
        check_job(of, &other, i, &out, i + (i >= at), 1);
    return true;
}

static void test_empty(void **unused)
{
    (void)unused;
    for_policies("empty", check_empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaled), cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_later),  cmocka_unit_test(test_exchanged),
        cmocka_unit_test(test_empty),
    };
    printf("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
