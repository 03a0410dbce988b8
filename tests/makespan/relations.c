/* What becomes of a batch when its jobs get other ids: nothing, whatever the right result is. That
 * times scale is checked by tests/makespan/random and limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "makespan/support/instance.h"
#include "support/random.h"

enum { RANDOM = 60, JOBS = 7, SEED = 1302 };

/* False: the batch is refused, as with settings of balanced_pools that no cluster has (MK24). */
static bool run(const makespan_instance *given, makespan_outcome *out)
{
    makespan_instance_run(given, (makespan_manner){.single = false}, out);
    if (out->status == PN_DONE && out->fault[0] != '\0') {
        makespan_instance_print(given);
        fail_msg("%s: %s", given->config.policy, out->fault);
    }
    return out->status == PN_DONE;
}

/* Numbers so large that no two sums of them are equal. */
static void make_apart(makespan_instance *of, pn_stream *stream)
{
    for (size_t i = 0; i < of->count; i++)
        for (int k = 0; k < 2; k++) {
            naive_makespan_stage *stage = &of->jobs[i].stage[k];
            stage->time = fraction_whole((long long)pn_uniform(stream, 1, 1000000000));
            stage->has_time = true;
            stage->requested = 0;
            stage->count += stage->listed && stage->count == 0; /* two without work are equal */
            for (size_t t = 0; t < stage->count; t++)
                stage->tasks[t] = fraction_whole((long long)pn_uniform(stream, 1, 1000000000));
        }
}

static bool check_exchanged(makespan_instance *drawn)
{
    static makespan_outcome one, other;
    const size_t count = drawn->count;
    naive_makespan_job jobs[NAIVE_MAKESPAN_JOBS];
    if (!run(drawn, &one))
        return false;
    memcpy(jobs, drawn->jobs, sizeof jobs);
    for (size_t i = 0; i < count; i++) {
        drawn->jobs[i] = jobs[count - 1 - i];
        drawn->config.order[i] = count - 1 - drawn->config.order[i];
    }
    for (size_t p = 0; p < drawn->config.pool_count; p++)
        for (size_t i = 0; i < drawn->config.pools[p].count; i++)
            drawn->config.pools[p].jobs[i] = count - 1 - drawn->config.pools[p].jobs[i];
    assert_true(run(drawn, &other));
    if (!fraction_equal(one.result.makespan, other.result.makespan) ||
        (strcmp(drawn->config.policy, "optimal") != 0 && /* several orders are */
         !fraction_equal(one.result.total_completion, other.result.total_completion))) {
        makespan_instance_print(drawn);
        fail_msg("%s: with other ids", drawn->config.policy);
    }
    return true;
}

/* Whether ids decide although no two sums are equal. */
static bool orders_by_id(const naive_makespan_config *config)
{
    return strcmp(config->policy, "fifo") == 0 ||
           (strcmp(config->policy, "balanced_pools") == 0 && config->bp_sort != NAIVE_BY_WORK);
}

static void test_exchanged(void **unused)
{
    uint32_t compared = 0;
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++)
        for (size_t i = 0; pn_makespan_policy_at(i); i++) {
            makespan_instance drawn;
            pn_stream stream;
            pn_stream_init(&stream, SEED, number, 1);
            makespan_instance_draw(&drawn, &stream, JOBS);
            if (!makespan_instance_choose(&drawn, &stream, pn_makespan_policy_at(i)))
                continue;
            if (orders_by_id(&drawn.config))
                continue;
            make_apart(&drawn, &stream);
            compared += check_exchanged(&drawn);
        }
    printf("exchanged: %u runs\n", compared);
    assert_true(compared > 8 * RANDOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exchanged)};
    printf("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
