/* What _validate says at its border, of every model: of no block, a foreign, a misaligned and a
 * small one, and of blocks whose contents contradict themselves. What becomes of damaged blocks at
 * large, random_damage shows. */
#include "contract.h"

/* Behind the head of every block: the magic, the size of the model's struct, whether it is busy,
 * the size of the block. */
enum { LAYOUT = 8, BUSY = 12, SIZE = 16 };

/* A block of the model's first case, just made. */
static unsigned char *block_of(const contract_model *model, size_t *size)
{
    contract_case of;
    void *sim = NULL;
    assert_true(model->make(0, &of));
    *size = model->size(of.config);
    unsigned char *block = contract_room(*size);
    assert_int_equal(model->init(&sim, block, *size, of.config), PN_OK);
    model->drop(&of);
    return block;
}

static void check_border(const contract_model *model)
{
    size_t size;
    unsigned char *block = block_of(model, &size);
    unsigned char *shifted = contract_room(size + 8);
    assert_int_equal(model->validate(block, size), PN_OK);
    assert_int_equal(model->validate(NULL, size), PN_ERR_ARGUMENT);
    assert_int_equal(model->validate(block, size - 1), PN_ERR_SIZE);
    assert_int_equal(model->validate(block, 8), PN_ERR_SIZE);
    memcpy(shifted + 4, block, size);
    assert_int_equal(model->validate(shifted + 4, size), PN_ERR_ALIGN);
    block[0] ^= 1;
    assert_int_equal(model->validate(block, size), PN_ERR_BLOCK);
    block[0] ^= 1;
    block[LAYOUT] ^= 1;
    assert_int_equal(model->validate(block, size), PN_ERR_BLOCK);
    block[LAYOUT] ^= 1;
    block[BUSY] = 1;
    assert_int_equal(model->validate(block, size), PN_ERR_BUSY);
    block[BUSY] = 0;
    uint64_t less = size - 8;
    memcpy(block + SIZE, &less, sizeof less);
    assert_int_equal(model->validate(block, size), PN_ERR_DAMAGED);
    free(shifted);
    free(block);
}

static void the_border_is_that_of_open_and_contradictions_are_told(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++)
        check_border(contract_models[i]);
}

/* A capacity is made larger by 2^22. */
static void larger_tables_than_there_are_are_refused(void **unused)
{
    size_t checked = 0;
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++) {
        const contract_model *model = contract_models[i];
        size_t size;
        uint32_t capacity;
        if (model->capacity == 0)
            continue;
        unsigned char *block = block_of(model, &size);
        memcpy(&capacity, block + model->capacity, sizeof capacity);
        capacity += UINT32_C(1) << 22;
        memcpy(block + model->capacity, &capacity, sizeof capacity);
        assert_int_equal(model->validate(block, size), PN_ERR_DAMAGED);
        free(block);
        checked++;
    }
    assert_true(checked > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_border_is_that_of_open_and_contradictions_are_told),
        cmocka_unit_test(larger_tables_than_there_are_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
