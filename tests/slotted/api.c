/* Every status the slotted model documents, and that a refusal changes nothing: the whole block is
 * compared before and after. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/kept.h"
#include "slotted/support/served.h"
#include "slotted/support/workload.h"

static pn_slotted_config small(void)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 4;
    config.jobs_max = 3;
    config.stretches_max = 4;
    config.groups_max = 2;
    config.reduce = PN_SLOTTED_NONPREEMPTIVE;
    return config;
}

/* ---- configuration and blocks ---- */

static void the_check_names_the_field(void **unused)
{
    pn_slotted_policy nameless = *pn_slotted_fifo();
    pn_slotted_policy verbose = *pn_slotted_fifo();
    pn_slotted_policy orderless = *pn_slotted_fifo();
    pn_slotted_policy manifold = *pn_slotted_fifo();
    pn_slotted_policy fussy = *pn_slotted_fifo();
    nameless.name = "";
    verbose.name = "0123456789abcdef0123456789abcdef"; /* 32 bytes */
    orderless.order_count = 0;
    manifold.order_count = PN_SLOTTED_ORDERS_MAX + 1;
    fussy.param_count = PN_PARAMS_MAX + 1;
    (void)unused;
#define WRONG(field, value)                                                               \
    do {                                                                                  \
        pn_slotted_config config = small();                                               \
        pn_slotted *sim = NULL;                                                           \
        uint64_t block[8] = {0};                                                          \
        config.field = value;                                                             \
        assert_non_null(pn_slotted_check(&config));                                       \
        assert_memory_equal(pn_slotted_check(&config), #field ": ", sizeof #field + 1);   \
        assert_int_equal(pn_slotted_size(&config), 0);                                    \
        assert_int_equal(pn_slotted_init(&sim, block, SIZE_MAX, &config), PN_ERR_CONFIG); \
        assert_null(sim);                                                                 \
    } while (0)
    WRONG(struct_size, 0);
    WRONG(struct_size, offsetof(pn_slotted_config, attributes) - 1);
    WRONG(machines, 0);
    WRONG(machines, ((uint32_t)1 << 24) + 1);
    WRONG(jobs_max, 0);
    WRONG(jobs_max, ((uint32_t)1 << 28) + 1);
    WRONG(stretches_max, ((uint32_t)1 << 28) + 1);
    WRONG(groups_max, ((uint32_t)1 << 20) + 1);
    WRONG(attributes, PN_ATTRIBUTES_MAX + 1);
    WRONG(reduce, 2);
    WRONG(bounds, 2);
    WRONG(statistics, 2);
    WRONG(estimates, 2);
    WRONG(policy, &nameless);
    WRONG(policy, &verbose);
    WRONG(policy, &orderless);
    WRONG(policy, &manifold);
    WRONG(policy, &fussy);
#undef WRONG
    assert_non_null(pn_slotted_check(NULL));
    assert_int_equal(pn_slotted_size(NULL), 0);
    pn_slotted_config config = small();
    assert_null(pn_slotted_check(&config));
    config.machines = (uint32_t)1 << 24;
    config.groups_max = (uint32_t)1 << 20;
    config.stretches_max = config.jobs_max = (uint32_t)1 << 28;
    config.statistics = config.estimates = 1;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    config.reduce = PN_SLOTTED_PREEMPTIVE;
    assert_null(pn_slotted_check(&config));
}

/* The first example a host meets: its block is a promise. */
static void the_example_of_the_manual_fits(void **unused)
{
    pn_slotted_config config = pn_slotted_defaults();
    (void)unused;
    config.machines = 100;
    config.jobs_max = 256;
    assert_in_range(pn_slotted_size(&config), 1, 65536);
}

/* ---- submitting ---- */

static void check_refused(pn_slotted *sim, pn_slotted_job job, int expected)
{
    kept before = keep(sim, pn_slotted_block_size(sim));
    uint64_t id = 77;
    assert_int_equal(pn_slotted_submit(sim, &job, &id), expected);
    assert_int_equal(id, 77);
    check_unchanged(&before);
}

static void submit_refuses_and_changes_nothing(void **unused)
{
    static const uint64_t few[] = {2, 0, 2, 3};
    static const uint64_t huge[] = {PN_INTEGER_MAX, 1};
    static const uint64_t larger[] = {PN_INTEGER_MAX + 1};
    static const uint64_t wrapping[] = {UINT64_MAX, UINT64_MAX};
    static const uint64_t empty[] = {0, 0};
    static const uint64_t stretches[] = {1, 2, 1, 2, 1};
    pn_slotted_config config = small();
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    config.estimates = 1;
    pn_slotted *sim = slotted_sim(&config);
    pn_slotted_job fine = {.arrival = 5, .maps = 1};
    uint64_t id;
    (void)unused;
    assert_int_equal(pn_slotted_submit(NULL, &fine, &id), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_submit(sim, NULL, &id), PN_ERR_ARGUMENT);
    check_refused(sim, (pn_slotted_job){.arrival = 0, .maps = 1}, PN_ERR_ARGUMENT);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .maps = 1, .reduce_count = 1},
                  PN_ERR_ARGUMENT);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .maps = 1, .group = 2}, PN_ERR_ARGUMENT);
    check_refused(sim, (pn_slotted_job){.struct_size = 9, .arrival = 1, .maps = 1},
                  PN_ERR_ARGUMENT);
    check_refused(
        sim, (pn_slotted_job){.arrival = 1, .reduces = few, .reduce_count = (size_t)UINT32_MAX + 1},
        PN_ERR_JOB);
    check_refused(sim,
                  (pn_slotted_job){.arrival = 1, .maps = 1, .estimate_reduces = PN_INTEGER_MAX + 1},
                  PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = PN_INTEGER_MAX + 1, .maps = 1}, PN_ERR_OVERFLOW);
    check_refused(sim, (pn_slotted_job){.arrival = 1}, PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .reduces = empty, .reduce_count = 2},
                  PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .maps = PN_INTEGER_MAX + 1}, PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .maps = UINT64_MAX}, PN_ERR_JOB);
    check_refused(sim,
                  (pn_slotted_job){.arrival = 1, .maps = 1, .reduces = huge, .reduce_count = 1},
                  PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .reduces = huge, .reduce_count = 2},
                  PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .reduces = larger, .reduce_count = 1},
                  PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .reduces = wrapping, .reduce_count = 2},
                  PN_ERR_JOB);
    check_refused(sim,
                  (pn_slotted_job){.arrival = 1, .maps = 1, .estimate_maps = PN_INTEGER_MAX + 1},
                  PN_ERR_JOB);
    check_refused(
        sim,
        (pn_slotted_job){
            .arrival = 1, .maps = 1, .estimate_maps = UINT64_MAX - 1, .estimate_reduces = 2},
        PN_ERR_JOB);
    check_refused(
        sim,
        (pn_slotted_job){
            .arrival = 1, .maps = 1, .estimate_maps = PN_INTEGER_MAX, .estimate_reduces = 1},
        PN_ERR_JOB);
    check_refused(sim, (pn_slotted_job){.arrival = 1, .reduces = stretches, .reduce_count = 5},
                  PN_ERR_FULL);

    assert_int_equal(pn_slotted_submit(sim, &fine, &id), PN_OK);
    assert_int_equal(id, 1);
    check_refused(sim, (pn_slotted_job){.arrival = 4, .maps = 1}, PN_ERR_ORDER);
    check_refused(sim, (pn_slotted_job){.arrival = 5, .reduces = stretches, .reduce_count = 5},
                  PN_ERR_FULL);
    pn_slotted_job tasks = {.arrival = 6,
                            .reduces = few,
                            .reduce_count = 4,
                            .group = 1,
                            .estimate_reduces = PN_SLOTTED_ESTIMATE_ZERO};
    assert_int_equal(pn_slotted_submit(sim, &tasks, NULL), PN_OK);
    assert_int_equal(pn_slotted_run(sim, &hooks, 6), PN_OK);
    check_refused(sim, (pn_slotted_job){.arrival = 6, .maps = 1}, PN_ERR_LATE);
    fine.arrival = 7;
    assert_int_equal(pn_slotted_submit(sim, &fine, &id), PN_OK);
    assert_int_equal(id, 3);
    free(sim);
}

/* Without `estimates` they are ignored, whatever they are. */
static void estimates_are_ignored_unless_asked_for(void **unused)
{
    pn_slotted_config config = small();
    pn_slotted *sim = slotted_sim(&config);
    pn_slotted_job job = {
        .arrival = 1, .maps = 1, .estimate_maps = PN_INTEGER_MAX + 1, .estimate_reduces = 5};
    (void)unused;
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    free(sim);
}

static void full_tables_take_jobs_again_after_finishes(void **unused)
{
    static const uint64_t stretches[] = {1, 2, 1, 2};
    pn_slotted_config config = small();
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    pn_slotted *sim = slotted_sim(&config);
    pn_slotted_job job = {.arrival = 1, .maps = 4};
    pn_slotted_job wide = {.arrival = 1, .reduces = stretches, .reduce_count = 4};
    pn_slotted_totals totals;
    (void)unused;
    assert_int_equal(pn_slotted_submit(sim, &wide, NULL), PN_OK);
    check_refused(sim, wide, PN_ERR_FULL); /* runs */
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    check_refused(sim, job, PN_ERR_FULL); /* jobs */
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    wide.arrival = job.arrival = 2;
    check_refused(sim, job, PN_ERR_FULL);
    while (pn_slotted_totals_get(sim, &totals), totals.finished == 0)
        assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    wide.arrival = job.arrival = totals.slot + 1;
    /* the first one's runs are free */
    assert_int_equal(pn_slotted_submit(sim, &wide, NULL), PN_OK);
    check_refused(sim, wide, PN_ERR_FULL);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    pn_slotted_totals_get(sim, &totals);
    assert_int_equal(totals.finished, 4);
    assert_int_equal(totals.jobs_held, 0);
    assert_int_equal(totals.jobs_held_max, 3);
    free(sim);
}

/* ---- names and policies ---- */

static void names(void **unused)
{
    (void)unused;
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        assert_ptr_equal(pn_slotted_policy_find(pn_slotted_policy_at(i)->name),
                         pn_slotted_policy_at(i));
        assert_non_null(pn_slotted_policy_at(i)->summary);
        assert_non_null(pn_slotted_policy_at(i)->source);
    }
    assert_null(pn_slotted_policy_find(NULL));
    assert_null(pn_slotted_policy_find(""));
    assert_null(pn_slotted_policy_find("asrp"));
    assert_null(pn_slotted_policy_find("asrpt_"));
}

static void a_block_knows_the_configuration_it_was_made_for(void **state)
{
    pn_slotted_config config = pn_slotted_defaults();
    (void)state;
    config.machines = 3;
    config.jobs_max = 5;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_configured(sim, &config), 1);
    config.seed = 9;
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    config.seed = 0;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    config.bounds = PN_SLOTTED_BOUNDS_NONE;
    assert_int_equal(pn_slotted_configured(sim, &config), 1);
    assert_int_equal(pn_slotted_configured(NULL, &config), 0);
    pn_slotted_policy policy = *pn_slotted_fifo();
    config.policy = &policy;
    policy.state_bytes = 8 * pn_slotted_size(&config); /* another size of its memory */
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    policy.state_bytes = SIZE_MAX / 2; /* more than there can be */
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    config.machines = 0;
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    free(sim);
}

static void a_job_alone_moves_nothing_in_a_heap(void **unused)
{
    const pn_slotted_policy *policy;
    const pn_slotted_job job = {.arrival = 1, .maps = 9};
    pn_slotted_config config = small();
    (void)unused;
    for (size_t p = 0; (policy = pn_slotted_policy_at(p)); p++) {
        const pn_slotted_hooks hooks = {.policy = policy};
        pn_slotted_totals totals;
        config.reduce = policy->nonpreemptive ? PN_SLOTTED_NONPREEMPTIVE : PN_SLOTTED_PREEMPTIVE;
        pn_slotted *sim = slotted_sim(&config);
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
        assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
        pn_slotted_totals_get(sim, &totals);
        assert_true(totals.heap_moves == 0 || policy->orders[0].fit); /* or the levels of a tree */
        free(sim);
    }
}

/* ---- sizes of jobs, which only policies that ask for them have ---- */

static void sizes_take_a_word_for_each_place(void **unused)
{
    pn_slotted_policy plain = served_policy, older = served_policy;
    pn_slotted_config config = small();
    (void)unused;
    plain.sizes = 0;
    older.struct_size = offsetof(pn_slotted_policy, sizes);
    config.policy = &plain;
    size_t size = pn_slotted_size(&config);
    config.policy = &older;
    assert_int_equal(pn_slotted_size(&config), size);
    config.policy = &served_policy;
    assert_int_equal(pn_slotted_size(&config), size + 8 * config.jobs_max);
}

/* The table is the last one in the block, as the policy has no memory of its own. */
static void no_more_is_left_of_a_job_than_its_size(void **unused)
{
    const uint64_t tasks[] = {5, 5}, size = 12;
    const uint64_t sizes[] = {0, 9, 10, 12, PN_INTEGER_MAX, PN_INTEGER_MAX + 1};
    const pn_slotted_job job = {.arrival = 1, .maps = 2, .reduces = tasks, .reduce_count = 2};
    pn_slotted_hooks hooks = {.policy = &served_policy};
    pn_slotted_config config = small();
    (void)unused;
    config.jobs_max = 1;
    config.machines = 2;
    config.policy = &served_policy;
    pn_slotted *sim = slotted_sim(&config);
    size_t bytes = pn_slotted_block_size(sim);
    unsigned char *at = (unsigned char *)sim + bytes - sizeof size;
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    for (uint64_t left = 10; left > 0; left -= 2) { /* slots 1, then 2 to 5 with both tasks */
        assert_int_equal(pn_slotted_run(sim, &hooks, 1 + (10 - left) / 2), PN_OK);
        assert_memory_equal(at, &size, sizeof size);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            bool sound = sizes[i] >= left && sizes[i] <= PN_INTEGER_MAX;
            memcpy(at, &sizes[i], sizeof size);
            assert_int_equal(pn_slotted_validate(sim, bytes), sound ? PN_OK : PN_ERR_DAMAGED);
        }
        memcpy(at, &size, sizeof size);
    }
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_names_the_field),
        cmocka_unit_test(the_example_of_the_manual_fits),
        cmocka_unit_test(submit_refuses_and_changes_nothing),
        cmocka_unit_test(estimates_are_ignored_unless_asked_for),
        cmocka_unit_test(full_tables_take_jobs_again_after_finishes),
        cmocka_unit_test(names),
        cmocka_unit_test(a_block_knows_the_configuration_it_was_made_for),
        cmocka_unit_test(a_job_alone_moves_nothing_in_a_heap),
        cmocka_unit_test(sizes_take_a_word_for_each_place),
        cmocka_unit_test(no_more_is_left_of_a_job_than_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
