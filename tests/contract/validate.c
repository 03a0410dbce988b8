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
    *size = model->kernel()->size(of.config);
    unsigned char *block = contract_room(*size);
    assert_int_equal(model->kernel()->init(&sim, block, *size, of.config), PN_OK);
    model->drop(&of);
    return block;
}

static void check_border(const contract_model *model)
{
    size_t size;
    unsigned char *block = block_of(model, &size);
    unsigned char *shifted = contract_room(size + 8);
    assert_int_equal(model->kernel()->validate(block, size), PN_OK);
    assert_int_equal(model->kernel()->validate(NULL, size), PN_ERR_ARGUMENT);
    assert_int_equal(model->kernel()->validate(block, size - 1), PN_ERR_SIZE);
    assert_int_equal(model->kernel()->validate(block, 8), PN_ERR_SIZE);
    memcpy(shifted + 4, block, size);
    assert_int_equal(model->kernel()->validate(shifted + 4, size), PN_ERR_ALIGN);
    block[0] ^= 1;
    assert_int_equal(model->kernel()->validate(block, size), PN_ERR_BLOCK);
    block[0] ^= 1;
    block[LAYOUT] ^= 1;
    assert_int_equal(model->kernel()->validate(block, size), PN_ERR_BLOCK);
    block[LAYOUT] ^= 1;
    block[BUSY] = 1;
    assert_int_equal(model->kernel()->validate(block, size), PN_ERR_BUSY);
    block[BUSY] = 0;
    uint64_t less = size - 8;
    memcpy(block + SIZE, &less, sizeof less);
    assert_int_equal(model->kernel()->validate(block, size), PN_ERR_DAMAGED);
    free(shifted);
    free(block);
}

static void the_border_is_that_of_open_and_contradictions_are_told(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++)
        check_border(contract_models[i]);
}

static bool is_capacity(const pn_setting *setting)
{
    const char *end = strchr(setting->range, ':');
    return end - setting->range > 4 && memcmp(end - 4, "_max", 4) == 0 && setting->size == 4;
}

/* Checks a block that says this capacity is larger by 2^22, unless the block has no table of it.
 * Returns whether it has one. */
static bool check_larger(const contract_model *model, const pn_setting *setting)
{
    contract_case of;
    size_t size;
    uint32_t capacity;
    unsigned char *block = block_of(model, &size);
    assert_true(model->make(0, &of));
    memcpy(&capacity, of.config + setting->offset, sizeof capacity);
    capacity += UINT32_C(1) << 22;
    memcpy(of.config + setting->offset, &capacity, sizeof capacity);
    bool has = model->kernel()->size(of.config) != size;
    memcpy(block + CONTRACT_CONFIG_AT + setting->offset, &capacity, sizeof capacity);
    if (has)
        assert_int_equal(model->kernel()->validate(block, size), PN_ERR_DAMAGED);
    model->drop(&of);
    free(block);
    return has;
}

static void larger_tables_than_there_are_are_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++) {
        const pn_setting *setting;
        size_t checked = 0;
        for (size_t k = 0; (setting = contract_models[i]->kernel()->setting_at(k)); k++)
            checked += is_capacity(setting) && check_larger(contract_models[i], setting);
        assert_true(checked > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_border_is_that_of_open_and_contradictions_are_told),
        cmocka_unit_test(larger_tables_than_there_are_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
