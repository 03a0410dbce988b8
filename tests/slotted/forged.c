/* Blocks that validation accepts and that no run has made: what is not the model's own, a policy's
 * memory and the hash of its size, is not known to it. The step finds it out and refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/state.h"
#include "slotted/support/workload.h"

enum { MACHINES = 2, JOBS = 4 };

static pn_slotted *sim_for(const pn_slotted_policy *policy)
{
    static const uint64_t reduces[] = {100};
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_job job = {.arrival = 1, .reduces = reduces, .reduce_count = 1};
    config.machines = MACHINES;
    config.jobs_max = JOBS;
    config.policy = policy;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    return sim;
}

/* The memory of dsrpt: a ring of pieces. */
typedef struct ring {
    uint64_t first, count, capacity;
    struct {
        uint64_t units;
        uint32_t job, unused;
    } pieces[2 * JOBS + 2];
} ring;

static void a_ring_that_was_tampered_with_is_damage(void **unused)
{
    static const struct {
        uint64_t first, count;
        uint32_t head, last;
        int status;
    } rows[] = {
        {2 * JOBS + 2, 0, 0, 0, PN_ERR_DAMAGED},       /* begins behind its end */
        {0, 2 * JOBS + 3, 0, 0, PN_ERR_DAMAGED},       /* more pieces than there are */
        {0, 2 * JOBS + 2, 0, 1, PN_ERR_DAMAGED},       /* full where one more is queued */
        {0, 1, JOBS - 1, JOBS - 1, PN_ERR_INFEASIBLE}, /* of a job that is not there */
    };
    const pn_slotted_policy *dsrpt = pn_slotted_policy_find("dsrpt");
    pn_slotted_hooks hooks = {.policy = dsrpt};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pn_slotted *sim = sim_for(dsrpt);
        assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
        ring *queue = pn_at(sim, sim->policy_state);
        assert_int_equal(queue->capacity, 2 * JOBS + 2);
        queue->first = rows[i].first;
        queue->count = rows[i].count;
        for (size_t k = 0; k < 2 * JOBS + 2; k++) {
            queue->pieces[k].units = 50;
            queue->pieces[k].job = k == 0 ? rows[i].head : rows[i].last;
        }
        assert_int_equal(pn_slotted_validate(sim, pn_slotted_block_size(sim)), PN_OK);
        assert_int_equal(pn_slotted_step(sim, &hooks), rows[i].status);
        free(sim);
    }
}

/* A block for a small policy that says it is bound to a large one of the same shape. */
static void too_little_memory_for_the_policy_is_damage(void **unused)
{
    pn_slotted_policy small = *pn_slotted_fifo(), large = small;
    pn_slotted_hooks hooks = {.policy = &large};
    (void)unused;
    small.state_bytes = 8;
    for (int i = 0; i < 2; i++) {
        large = small;
        large.state_bytes = i == 0 ? 1000 : 8;
        large.state_bytes_per_job = i == 0 ? 0 : 1000;
        pn_slotted *forged = sim_for(&small), *true_one = sim_for(&large);
        assert_int_equal(pn_slotted_step(forged, &(pn_slotted_hooks){.policy = &small}), PN_OK);
        assert_int_equal(pn_slotted_step(true_one, &hooks), PN_OK);
        forged->binding = true_one->binding;
        assert_int_equal(pn_slotted_validate(forged, pn_slotted_block_size(forged)), PN_OK);
        assert_int_equal(pn_slotted_step(forged, &hooks), PN_ERR_DAMAGED);
        free(forged);
        free(true_one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_that_was_tampered_with_is_damage),
        cmocka_unit_test(too_little_memory_for_the_policy_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
