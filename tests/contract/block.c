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
    assert_null(model->kernel()->check(config));
    assert_non_null(model->kernel()->check(NULL));
    assert_int_equal(model->kernel()->size(NULL), 0);
    memcpy(wrong, config, sizeof wrong);
    /* the first field says how long the host's struct is */
    memcpy(wrong, &struct_size, sizeof struct_size);
    assert_memory_equal(model->kernel()->check(wrong), "struct_size: ", 13);
    assert_int_equal(model->kernel()->size(wrong), 0);
    uint64_t block[8] = {0};
    void *sim = NULL;
    assert_int_equal(model->kernel()->init(&sim, block, SIZE_MAX, wrong), PN_ERR_CONFIG);
    assert_null(sim);
}

static void wrong_configurations_are_named(void **unused)
{
    (void)unused;
    for_models(check_configuration);
}

static void check_init(const contract_model *model, const void *config)
{
    size_t size = model->kernel()->size(config);
    unsigned char *block = contract_room(size + 8), *before = contract_room(size + 8);
    void *sim = NULL;
    assert_true(size > 0);
    memset(block, 0x5A, size + 8);
    memset(before, 0x5A, size + 8);
    assert_int_equal(model->kernel()->init(NULL, block, size, config), PN_ERR_ARGUMENT);
    assert_int_equal(model->kernel()->init(&sim, NULL, size, config), PN_ERR_ARGUMENT);
    assert_int_equal(model->kernel()->init(&sim, block, size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(model->kernel()->init(&sim, block, size - 1, config), PN_ERR_SIZE);
    assert_int_equal(model->kernel()->init(&sim, block, 0, config), PN_ERR_SIZE);
    for (size_t shift = 1; shift < PN_BLOCK_ALIGN; shift++)
        assert_int_equal(model->kernel()->init(&sim, block + shift, size, config), PN_ERR_ALIGN);
    assert_null(sim);
    assert_memory_equal(block, before, size + 8);

    assert_int_equal(model->kernel()->init(&sim, block, size + 8, config), PN_OK);
    assert_ptr_equal(sim, block);
    assert_int_equal(model->kernel()->block_size(sim), size);
    assert_memory_equal(block + size, before + size, 8);
    assert_true(model->kernel()->digest(sim) == 0);
    assert_int_equal(model->kernel()->validate(block, size), PN_OK);
    assert_int_equal(model->kernel()->block_size(NULL), 0);
    assert_string_equal(model->kernel()->policy_name(sim), "");
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
    size_t size = model->kernel()->size(config);
    unsigned char *a = contract_room(size), *b = contract_room(size);
    void *sim = NULL;
    memset(a, 0, size);
    memset(b, 0xFF, size);
    assert_int_equal(model->kernel()->init(&sim, a, size, config), PN_OK);
    assert_int_equal(model->kernel()->init(&sim, b, size, config), PN_OK);
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
    size_t size = model->kernel()->size(config);
    unsigned char *block = contract_room(size);
    void *sim = NULL, *opened = NULL;
    assert_int_equal(model->kernel()->init(&sim, block, size, config), PN_OK);
    assert_int_equal(model->kernel()->open(NULL, block, size), PN_ERR_ARGUMENT);
    assert_int_equal(model->kernel()->open(&opened, NULL, size), PN_ERR_ARGUMENT);
    assert_int_equal(model->kernel()->open(&opened, block + 4, size - 4), PN_ERR_ALIGN);
    assert_int_equal(model->kernel()->open(&opened, block, 16), PN_ERR_SIZE);
    assert_int_equal(model->kernel()->open(&opened, block, size - 1), PN_ERR_SIZE);
    for (size_t i = 0; i < 12; i++) { /* the model's mark and the layout's number */
        block[i] ^= 1;
        assert_int_equal(model->kernel()->open(&opened, block, size), PN_ERR_BLOCK);
        block[i] ^= 1;
    }
    assert_null(opened);
    assert_int_equal(model->kernel()->open(&opened, block, size), PN_OK);
    assert_ptr_equal(opened, sim);

    opened = NULL;
    for (size_t i = 0; contract_models[i]; i++)
        if (contract_models[i] != model)
            assert_int_equal(contract_models[i]->kernel()->open(&opened, block, size),
                             PN_ERR_BLOCK);
    memset(block, 0, size);
    assert_int_equal(model->kernel()->open(&opened, block, size), PN_ERR_BLOCK);
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
static void check_spellings(const contract_model *model, const void *policy)
{
    const char *name = model->kernel()->policy_about(policy).name;
    char other[64];
    for (size_t i = 0; i <= strlen(name); i++)
        other[i] = name[i] == '-' ? '_' : name[i] == '_' ? '-' : name[i];
    assert_ptr_equal(model->kernel()->policy_find(other), policy);
}

static void policies_are_found_by_name(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++) {
        const contract_model *model = contract_models[i];
        const void *policy;
        size_t count = 0;
        for (; (policy = model->kernel()->policy_at(count)); count++) {
            char longer[64];
            pn_policy_about about = model->kernel()->policy_about(policy);
            assert_ptr_equal(model->kernel()->policy_find(about.name), policy);
            assert_non_null(about.summary);
            assert_non_null(about.source);
            strcpy(longer, about.name);
            assert_null(model->kernel()->policy_find(strcat(longer, "_")));
            check_spellings(model, policy);
        }
        assert_true(count > 0);
        assert_null(model->kernel()->policy_find(NULL));
        assert_null(model->kernel()->policy_find(""));
        assert_null(model->kernel()->policy_find("fif"));
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
