/* Blocks of every model: sizing is what init needs, init writes every byte it owns and no other,
 * and only a block of the model itself is opened. A refused call changes nothing. */
#include "contract.h"

/* Calls the check with the first case of every model. */
static void for_models(void (*check)(const contract_model *model, const void *config))
{
    for (size_t i = 0; contract_models[i]; i++) {
        contract_case of;
        assert_true(contract_models[i]->make(0, &of));
        check(contract_models[i], of.config);
        contract_models[i]->drop(&of);
    }
}

static void check_configuration(const contract_model *model, const void *config)
{
    unsigned char wrong[CONTRACT_CONFIG];
    uint32_t struct_size = 0;
    assert_null(model->check(config));
    assert_non_null(model->check(NULL));
    assert_int_equal(model->size(NULL), 0);
    memcpy(wrong, config, sizeof wrong);
    /* the first field says how long the host's struct is */
    memcpy(wrong, &struct_size, sizeof struct_size);
    assert_memory_equal(model->check(wrong), "struct_size: ", 13);
    assert_int_equal(model->size(wrong), 0);
    uint64_t block[8] = {0};
    void *sim = NULL;
    assert_int_equal(model->init(&sim, block, SIZE_MAX, wrong), PN_ERR_CONFIG);
    assert_null(sim);
}

static void wrong_configurations_are_named(void **unused)
{
    (void)unused;
    for_models(check_configuration);
}

static void check_init(const contract_model *model, const void *config)
{
    size_t size = model->size(config);
    unsigned char *block = contract_room(size + 8), *before = contract_room(size + 8);
    void *sim = NULL;
    assert_true(size > 0);
    memset(block, 0x5A, size + 8);
    memset(before, 0x5A, size + 8);
    assert_int_equal(model->init(NULL, block, size, config), PN_ERR_ARGUMENT);
    assert_int_equal(model->init(&sim, NULL, size, config), PN_ERR_ARGUMENT);
    assert_int_equal(model->init(&sim, block, size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(model->init(&sim, block, size - 1, config), PN_ERR_SIZE);
    assert_int_equal(model->init(&sim, block, 0, config), PN_ERR_SIZE);
    for (size_t shift = 1; shift < PN_BLOCK_ALIGN; shift++)
        assert_int_equal(model->init(&sim, block + shift, size, config), PN_ERR_ALIGN);
    assert_null(sim);
    assert_memory_equal(block, before, size + 8);

    assert_int_equal(model->init(&sim, block, size + 8, config), PN_OK);
    assert_ptr_equal(sim, block);
    assert_int_equal(model->block_size(sim), size);
    assert_memory_equal(block + size, before + size, 8);
    assert_true(model->digest(sim) == 0);
    assert_int_equal(model->validate(block, size), PN_OK);
    assert_int_equal(model->block_size(NULL), 0);
    if (model->policy_name)
        assert_string_equal(model->policy_name(sim), "");
    free(block);
    free(before);
}

static void init_refuses_what_does_not_fit(void **unused)
{
    (void)unused;
    for_models(check_init);
}

static void check_same_bytes(const contract_model *model, const void *config)
{
    size_t size = model->size(config);
    unsigned char *a = contract_room(size), *b = contract_room(size);
    void *sim = NULL;
    memset(a, 0, size);
    memset(b, 0xFF, size);
    assert_int_equal(model->init(&sim, a, size, config), PN_OK);
    assert_int_equal(model->init(&sim, b, size, config), PN_OK);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
}

static void what_stood_in_the_block_does_not_matter(void **unused)
{
    (void)unused;
    for_models(check_same_bytes);
}

static void check_open(const contract_model *model, const void *config)
{
    size_t size = model->size(config);
    unsigned char *block = contract_room(size);
    void *sim = NULL, *opened = NULL;
    assert_int_equal(model->init(&sim, block, size, config), PN_OK);
    assert_int_equal(model->open(NULL, block, size), PN_ERR_ARGUMENT);
    assert_int_equal(model->open(&opened, NULL, size), PN_ERR_ARGUMENT);
    assert_int_equal(model->open(&opened, block + 4, size - 4), PN_ERR_ALIGN);
    assert_int_equal(model->open(&opened, block, 16), PN_ERR_SIZE);
    assert_int_equal(model->open(&opened, block, size - 1), PN_ERR_SIZE);
    for (size_t i = 0; i < 12; i++) { /* the model's mark and the layout's number */
        block[i] ^= 1;
        assert_int_equal(model->open(&opened, block, size), PN_ERR_BLOCK);
        block[i] ^= 1;
    }
    assert_null(opened);
    assert_int_equal(model->open(&opened, block, size), PN_OK);
    assert_ptr_equal(opened, sim);

    opened = NULL;
    for (size_t i = 0; contract_models[i]; i++)
        if (contract_models[i] != model)
            assert_int_equal(contract_models[i]->open(&opened, block, size), PN_ERR_BLOCK);
    memset(block, 0, size);
    assert_int_equal(model->open(&opened, block, size), PN_ERR_BLOCK);
    assert_null(opened);
    free(block);
}

static void open_refuses_foreign_bytes(void **unused)
{
    (void)unused;
    for_models(check_open);
}

/* ---- policies by name ---- */

/* In names - and _ are one letter. */
static void check_spellings(const contract_model *model, const contract_policy *policy)
{
    char other[64];
    for (size_t i = 0; i <= strlen(policy->name); i++)
        other[i] = policy->name[i] == '-' ? '_' : policy->name[i] == '_' ? '-' : policy->name[i];
    assert_ptr_equal(model->policy_find(other), policy->table);
}

static void policies_are_found_by_name(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++) {
        const contract_model *model = contract_models[i];
        contract_policy policy;
        size_t count = 0;
        for (; model->policy(count, &policy); count++) {
            char longer[64];
            assert_ptr_equal(model->policy_find(policy.name), policy.table);
            assert_non_null(policy.summary);
            assert_non_null(policy.source);
            strcpy(longer, policy.name);
            assert_null(model->policy_find(strcat(longer, "_")));
            check_spellings(model, &policy);
        }
        assert_true(count > 0);
        assert_null(model->policy_find(NULL));
        assert_null(model->policy_find(""));
        assert_null(model->policy_find("fif"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_configurations_are_named),
        cmocka_unit_test(init_refuses_what_does_not_fit),
        cmocka_unit_test(what_stood_in_the_block_does_not_matter),
        cmocka_unit_test(open_refuses_foreign_bytes),
        cmocka_unit_test(policies_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
