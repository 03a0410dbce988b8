/* What _validate says at its border: of no block, a foreign, a misaligned and a small one, and of
 * blocks whose contents contradict themselves; and whether a block was made for a configuration.
 * What becomes of damaged blocks at large, random_damage shows. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/slotted_workload.h"

typedef int validate(const void *block, size_t size);

static const pn_scheduler_nodes nodes[] = {{2, 2, 1, 0}};

static void *slotted_block(size_t *size)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted *sim;
    config.machines = 3;
    config.jobs_max = 5;
    *size = pn_slotted_size(&config);
    void *block = workload_room(*size);
    assert_int_equal(pn_slotted_init(&sim, block, *size, &config), PN_OK);
    return block;
}

static void *tandem_block(size_t *size)
{
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem *sim;
    config.jobs_max = 5;
    *size = pn_tandem_size(&config);
    void *block = workload_room(*size);
    assert_int_equal(pn_tandem_init(&sim, block, *size, &config), PN_OK);
    return block;
}

static void *makespan_block(size_t *size)
{
    pn_makespan_config config = pn_makespan_defaults();
    pn_makespan *sim;
    config.map_slots = config.reduce_slots = 2;
    config.jobs_max = 5;
    *size = pn_makespan_size(&config);
    void *block = workload_room(*size);
    assert_int_equal(pn_makespan_init(&sim, block, *size, &config), PN_OK);
    return block;
}

static void *scheduler_block(size_t *size)
{
    pn_scheduler_config config = pn_scheduler_defaults();
    pn_scheduler *core;
    config.nodes = nodes;
    config.nodes_count = 1;
    config.jobs_max = 5;
    *size = pn_scheduler_size(&config);
    void *block = workload_room(*size);
    assert_int_equal(pn_scheduler_init(&core, block, *size, &config), PN_OK);
    return block;
}

static void *cluster_block(size_t *size)
{
    pn_cluster_config config = pn_cluster_defaults();
    pn_cluster *sim;
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = 5;
    *size = pn_cluster_size(&config);
    void *block = workload_room(*size);
    assert_int_equal(pn_cluster_init(&sim, block, *size, &config), PN_OK);
    return block;
}

/* Behind the head of every block: the magic, the size of the model's struct, whether it is busy,
 * the size of the block. */
enum { LAYOUT = 8, BUSY = 12, SIZE = 16, FIRST_NUMBERS = 24 };

static void border_of(void *(*make)(size_t *), validate *check)
{
    size_t size;
    unsigned char *block = make(&size);
    unsigned char *shifted = workload_room(size + 8);
    assert_int_equal(check(block, size), PN_OK);
    assert_int_equal(check(NULL, size), PN_ERR_ARGUMENT);
    assert_int_equal(check(block, size - 1), PN_ERR_SIZE);
    assert_int_equal(check(block, 8), PN_ERR_SIZE);
    memcpy(shifted + 4, block, size);
    assert_int_equal(check(shifted + 4, size), PN_ERR_ALIGN);
    block[0] ^= 1;
    assert_int_equal(check(block, size), PN_ERR_BLOCK);
    block[0] ^= 1;
    block[LAYOUT] ^= 1;
    assert_int_equal(check(block, size), PN_ERR_BLOCK);
    block[LAYOUT] ^= 1;
    block[BUSY] = 1;
    assert_int_equal(check(block, size), PN_ERR_BUSY);
    block[BUSY] = 0;
    uint64_t less = size - 8;
    memcpy(block + SIZE, &less, sizeof less);
    assert_int_equal(check(block, size), PN_ERR_DAMAGED);
    free(shifted);
    free(block);
}

static void the_border_is_that_of_open_and_contradictions_are_told(void **state)
{
    (void)state;
    border_of(slotted_block, pn_slotted_validate);
    border_of(tandem_block, pn_tandem_validate);
    border_of(makespan_block, pn_makespan_validate);
    border_of(scheduler_block, pn_scheduler_validate);
    border_of(cluster_block, pn_cluster_validate);
}

/* The second or fourth number of the configuration, a capacity, made larger by 2^22. */
static void larger_tables_than_there_are_are_refused(void **state)
{
    static const struct {
        void *(*make)(size_t *);
        validate *check;
        size_t at;
    } models[] = {{slotted_block, pn_slotted_validate, FIRST_NUMBERS + 4},
                  {tandem_block, pn_tandem_validate, FIRST_NUMBERS + 12},
                  {scheduler_block, pn_scheduler_validate, FIRST_NUMBERS + 4}};
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        size_t size;
        uint32_t capacity;
        unsigned char *block = models[i].make(&size);
        memcpy(&capacity, block + models[i].at, sizeof capacity);
        capacity += (uint32_t)1 << 22;
        memcpy(block + models[i].at, &capacity, sizeof capacity);
        assert_int_equal(models[i].check(block, size), PN_ERR_DAMAGED);
        free(block);
    }
}

static void a_block_knows_the_configuration_it_was_made_for(void **state)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted *sim;
    size_t size;
    (void)state;
    config.machines = 3;
    config.jobs_max = 5;
    void *block = slotted_block(&size);
    assert_int_equal(pn_slotted_open(&sim, block, size), PN_OK);
    assert_int_equal(pn_slotted_configured(sim, &config), 1);
    config.seed = 9;
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    config.seed = 0;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    config.machines = 0;
    assert_int_equal(pn_slotted_configured(sim, &config), 0);
    free(block);
}

static void batches_from_outside_are_looked_at(void **state)
{
    pn_batches batches;
    (void)state;
    pn_batches_init(&batches);
    assert_int_equal(pn_batches_validate(&batches), PN_OK);
    for (int i = 0; i < 1000; i++)
        pn_batches_add(&batches, i);
    assert_int_equal(pn_batches_validate(&batches), PN_OK);
    batches.count = PN_BATCHES_MAX;
    assert_int_equal(pn_batches_validate(&batches), PN_ERR_DAMAGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_border_is_that_of_open_and_contradictions_are_told),
        cmocka_unit_test(larger_tables_than_there_are_are_refused),
        cmocka_unit_test(a_block_knows_the_configuration_it_was_made_for),
        cmocka_unit_test(batches_from_outside_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
