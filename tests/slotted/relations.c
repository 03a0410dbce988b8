/* What becomes of a run of the slotted model when its jobs are changed in a known way, whatever the
 * right result is: all arrivals later, more of machines and tasks, later jobs left out, ids
 * exchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "slotted/support/instance.h"
#include "support/random.h"

enum { RANDOM = 600, SEED = 1302 };

typedef struct trial {
    const pn_slotted_policy *policy;
    uint32_t reduce;
    slotted_instance drawn;
    slotted_outcome out;
    pn_stream stream;
} trial;

/* False: the policy does not know this kind of reduces. */
static bool run(const trial *of, slotted_instance *given, slotted_outcome *out)
{
    for (uint32_t i = 0; i < given->job_count; i++)
        given->jobs[i].tag = i;
    slotted_instance_run(given, of->policy, of->reduce, (slotted_manner){.seed = 1}, out);
    if (out->status == PN_ERR_MODE)
        return false;
    if (out->status == PN_DONE && out->fault[0] == '\0')
        return true;
    slotted_instance_print(given);
    fail_msg("%s: %s %s", of->policy->name, pn_status_name(out->status), out->fault);
    return false;
}

/* Compares a job of the first run with one of the other one, where all is so many slots later. */
static void check_job(const trial *of, const slotted_instance *other, uint32_t job,
                      const slotted_outcome *out, uint32_t its, uint64_t later)
{
    if (of->out.map_finish[job] + later == out->map_finish[its] &&
        of->out.finish[job] + later == out->finish[its])
        return;
    slotted_instance_print(other);
    fail_msg("%s: job %u and %u", of->policy->name, job, its);
}

/* The jobs of an instance lie beside their lists. */
static void copy(slotted_instance *to, const slotted_instance *from)
{
    *to = *from;
    for (uint32_t i = 0; i < to->job_count; i++)
        to->jobs[i].reduces = to->reduces[i];
}

static bool is(const trial *of, const char *policy)
{
    return strcmp(of->policy->name, policy) == 0;
}

/* Prints how many pairs of runs have been compared: some runs are none for a check. */
static void for_policies(const char *what, uint32_t numbers, bool (*check)(trial *of))
{
    trial of;
    uint32_t compared = 0;
    for (uint32_t number = 0; number < numbers; number++)
        for (size_t i = 0; pn_slotted_policy_at(i); i++)
            for (unsigned mode = 0; mode < 2; mode++) {
                pn_stream_init(&of.stream, SEED, number, 1);
                slotted_instance_draw(&of.drawn, &of.stream,
                                      (slotted_instance_limits){12, 8, 40, 20});
                of.policy = pn_slotted_policy_at(i);
                of.reduce = mode == 0 ? PN_SLOTTED_PREEMPTIVE : PN_SLOTTED_NONPREEMPTIVE;
                compared += check(&of);
            }
    printf("%s: %u runs\n", what, compared);
    assert_true(compared > 10 * numbers);
}

/* ---- all arrivals later ---- */

static bool check_shifted(trial *of)
{
    static const uint64_t ends[] = {1000000, (uint64_t)1 << 33, PN_INTEGER_MAX - 5000};
    const uint64_t end = ends[random_uniform(&of->stream, 0, 2)],
                   later = random_uniform(&of->stream, end / 2, end);
    slotted_instance other;
    slotted_outcome out;
    copy(&other, &of->drawn);
    for (uint32_t i = 0; i < other.job_count; i++)
        other.jobs[i].arrival += later;
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < other.job_count; i++)
        check_job(of, &other, i, &out, i, later);
    return true;
}

static void test_shifted(void **unused)
{
    (void)unused;
    for_policies("shifted", RANDOM, check_shifted);
}

/* ---- more of machines and tasks ---- */

/* fair hands out machines one by one; a job that is thought to have nothing left costs psrpt one
 * unit (SL28). */
static bool check_multiplied(trial *of)
{
    const uint32_t factor = (uint32_t)random_uniform(&of->stream, 2, 4);
    slotted_instance other;
    slotted_outcome out;
    if (is(of, "fair") || (is(of, "psrpt") && of->drawn.estimates))
        return false;
    for (uint32_t i = 0; i < of->drawn.job_count; i++) {
        pn_slotted_job *job = &of->drawn.jobs[i];
        job->reduce_count = job->reduce_count > 2 ? 2 : job->reduce_count;
        job->maps += job->maps == 0;
    }
    copy(&other, &of->drawn);
    other.machines *= factor;
    for (uint32_t i = 0; i < other.job_count; i++) {
        pn_slotted_job *job = &other.jobs[i];
        job->maps *= factor;
        if (job->estimate_maps != PN_SLOTTED_ESTIMATE_ZERO)
            job->estimate_maps *= factor;
        if (job->estimate_reduces != PN_SLOTTED_ESTIMATE_ZERO)
            job->estimate_reduces *= factor;
        for (size_t k = job->reduce_count * factor; k-- > 0;)
            other.reduces[i][k] = other.reduces[i][k / factor];
        job->reduce_count *= factor;
    }
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < other.job_count; i++)
        check_job(of, &other, i, &out, i, 0);
    return true;
}

static void test_multiplied(void **unused)
{
    (void)unused;
    for_policies("multiplied", RANDOM, check_multiplied);
}

/* ---- what comes later changes nothing before ---- */

static bool check_later(trial *of)
{
    slotted_instance other;
    uint32_t last = (uint32_t)random_uniform(&of->stream, 0, of->drawn.job_count - 1);
    uint64_t from = of->drawn.jobs[last].arrival;
    slotted_outcome out;
    copy(&other, &of->drawn);
    while (other.job_count > 0 && other.jobs[other.job_count - 1].arrival >= from)
        other.job_count--;
    if (other.job_count == 0)
        return false;
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < other.job_count; i++)
        if (out.finish[i] < from)
            check_job(of, &other, i, &out, i, 0);
    return true;
}

static void test_later(void **unused)
{
    (void)unused;
    for_policies("later", RANDOM, check_later);
}

/* ---- ids decide between equals alone ---- */

/* All come at once, and what is left of them is not the same until one is done; lrpt would make it
 * so. */
static void make_apart(trial *of)
{
    of->drawn.estimates = false;
    of->drawn.machines *= 997; /* else there are many slots */
    for (uint32_t i = 0; i < of->drawn.job_count; i++) {
        pn_slotted_job *job = &of->drawn.jobs[i];
        job->arrival = 1;
        job->estimate_maps = job->estimate_reduces = 0;
        job->maps = random_uniform(&of->stream, 1, 1000000);
        for (size_t k = 0; k < job->reduce_count; k++)
            of->drawn.reduces[i][k] = random_uniform(&of->stream, 1, 300);
    }
}

static bool check_exchanged(trial *of)
{
    slotted_instance other;
    slotted_outcome out;
    uint32_t count = of->drawn.job_count;
    if (is(of, "fifo") || is(of, "fair") || is(of, "lrpt"))
        return false;
    make_apart(of);
    copy(&other, &of->drawn);
    for (uint32_t i = 0; i < count; i++) {
        other.jobs[i] = of->drawn.jobs[count - 1 - i];
        memcpy(other.reduces[i], of->drawn.reduces[count - 1 - i], sizeof other.reduces[i]);
        other.jobs[i].reduces = other.reduces[i];
    }
    if (!run(of, &of->drawn, &of->out) || !run(of, &other, &out))
        return false;
    for (uint32_t i = 0; i < count; i++)
        check_job(of, &other, i, &out, count - 1 - i, 0);
    return true;
}

static void test_exchanged(void **unused)
{
    (void)unused;
    for_policies("exchanged", RANDOM / 10, check_exchanged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_multiplied),
        cmocka_unit_test(test_later),
        cmocka_unit_test(test_exchanged),
    };
    printf("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
