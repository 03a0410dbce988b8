/* Blocks that validation accepts and that no run has made: the hash of the size of a policy's
 * memory is not known to it. The step finds it out and refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tandem/state.h"
#include "tandem/support/workload.h"

static pn_tandem *sim_for(const pn_tandem_policy *policy)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 4;
    config.policy = policy;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1, .shuffle = 2}, NULL), PN_OK);
    assert_int_equal(pn_tandem_step(sim, &(pn_tandem_hooks){.policy = policy}), PN_OK);
    return sim;
}

/* A block for a small policy that says it is bound to a large one of the same shape. */
static void too_little_memory_for_the_policy_is_damage(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pn_tandem_policy small = *pn_tandem_fcfs(), large = small;
        small.state_bytes = 8;
        large.state_bytes = i == 0 ? 1000 : 8;
        large.state_bytes_per_job = i == 0 ? 0 : 1000;
        pn_tandem *forged = sim_for(&small), *true_one = sim_for(&large);
        forged->binding = true_one->binding;
        assert_int_equal(pn_tandem_validate(forged, pn_tandem_block_size(forged)), PN_OK);
        assert_int_equal(pn_tandem_step(forged, &(pn_tandem_hooks){.policy = &large}),
                         PN_ERR_DAMAGED);
        free(forged);
        free(true_one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_for_the_policy_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
