/* Seals: a sealed block is the one that was sealed, in every model. Every flipped bit of block and
 * seal is refused, and so is a seal of another format or another machine. */
#include "base/arena.h"
#include "contract.h"

enum {
    BYTES_SUMMED = 1 << 26 /* in one case: of large blocks fewer bits are tried than there are */
};

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15u;
    return pn_mix(0, *state);
}

typedef struct sealed {
    unsigned char *block;
    size_t size;
    unsigned char seal[PN_SEAL_SIZE];
} sealed;

static sealed new_sealed(const contract_model *model, const contract_case *of, unsigned steps)
{
    size_t room = model->kernel()->size(of->config);
    sealed made = {.block = contract_room(room)};
    void *sim;
    assert_int_equal(model->kernel()->init(&sim, made.block, room, of->config), PN_OK);
    if (model->feed) {
        assert_int_equal(model->feed(sim, of), PN_OK);
        for (unsigned i = 0; i < steps && model->kernel()->step(sim, of->hooks) == PN_OK; i++)
            ;
    }
    made.size = model->kernel()->block_size(sim);
    assert_int_equal(pn_seal(made.block, room, made.seal), PN_OK);
    assert_true(pn_sealed_size(made.seal) == made.size);
    return made;
}

static void flip(const sealed *of, size_t bit)
{
    size_t byte = bit / 8;
    unsigned char mask = (unsigned char)(1u << bit % 8);
    if (byte < of->size)
        of->block[byte] ^= mask;
    else
        ((unsigned char *)(uintptr_t)of->seal)[byte - of->size] ^= mask;
}

static void check_bit(sealed *of, size_t bit)
{
    flip(of, bit);
    if (pn_unseal(of->block, of->size, of->seal) == PN_OK)
        fail_msg("bit %zu of %zu may be flipped", bit, of->size * 8);
    flip(of, bit);
}

static void check_flips(const contract_model *model, const contract_case *of, unsigned steps)
{
    sealed it = new_sealed(model, of, steps);
    size_t bits = (it.size + PN_SEAL_SIZE) * 8, tries;
    uint64_t random = steps;
    for (size_t bit = it.size * 8; bit < bits; bit++)
        check_bit(&it, bit);
    tries = BYTES_SUMMED / it.size;
    for (size_t i = 0; i < bits && i < tries; i++)
        check_bit(&it, bits <= tries ? i : next_random(&random) % bits);
    assert_int_equal(pn_unseal(it.block, it.size, it.seal), PN_OK);
    free(it.block);
}

static void every_flipped_bit_is_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++) {
        contract_case of;
        for (size_t k = 0; k < 2 && contract_models[i]->make(k, &of); k++) {
            check_flips(contract_models[i], &of, 0);
            check_flips(contract_models[i], &of, 20);
            contract_models[i]->drop(&of);
        }
    }
}

static void every_bit_of_a_small_block(void **unused)
{
    pn_slotted_config config = pn_slotted_defaults();
    sealed it = {0};
    pn_slotted *sim;
    (void)unused;
    config.machines = 1;
    config.jobs_max = 1;
    it.size = pn_slotted_size(&config);
    it.block = contract_room(it.size);
    assert_int_equal(pn_slotted_init(&sim, it.block, it.size, &config), PN_OK);
    assert_int_equal(pn_seal(it.block, it.size, it.seal), PN_OK);
    for (size_t bit = 0; bit < (it.size + PN_SEAL_SIZE) * 8; bit++)
        check_bit(&it, bit);
    free(it.block);
}

static void a_copy_is_the_block(void **unused)
{
    contract_case of;
    sealed it;
    unsigned char *copy;
    void *sim;
    (void)unused;
    assert_true(contract_slotted.make(0, &of));
    it = new_sealed(&contract_slotted, &of, 10);
    copy = contract_room(it.size + 8);
    memcpy(copy + 8, it.block, it.size);
    assert_int_equal(pn_unseal(copy + 8, it.size, it.seal), PN_OK);
    assert_int_equal(contract_slotted.kernel()->open(&sim, copy + 8, it.size), PN_OK);
    /* what lies behind the block is not its own */
    assert_int_equal(contract_slotted.kernel()->step(sim, of.hooks), PN_OK);
    assert_int_equal(pn_unseal(copy + 8, it.size, it.seal), PN_ERR_SEAL);
    free(copy);
    free(it.block);
    contract_slotted.drop(&of);
}

static void what_is_refused_says_why(void **unused)
{
    contract_case of;
    sealed it;
    unsigned char other[PN_SEAL_SIZE], untouched[PN_SEAL_SIZE];
    uint64_t rubbish[16] = {0};
    (void)unused;
    assert_true(contract_slotted.make(0, &of));
    it = new_sealed(&contract_slotted, &of, 10);
    assert_int_equal(pn_unseal(NULL, it.size, it.seal), PN_ERR_ARGUMENT);
    assert_int_equal(pn_unseal(it.block, it.size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_unseal(it.block + 1, it.size, it.seal), PN_ERR_ALIGN);
    assert_int_equal(pn_unseal(it.block, it.size - 1, it.seal), PN_ERR_SIZE);
    memcpy(other, it.seal, sizeof other);
    other[12]++; /* the format */
    assert_int_equal(pn_unseal(it.block, it.size, other), PN_ERR_VERSION);
    assert_true(pn_sealed_size(other) == 0);
    memcpy(other, it.seal, sizeof other);
    other[8] = other[8] == 8 ? 4 : 8; /* bytes of a pointer */
    assert_int_equal(pn_unseal(it.block, it.size, other), PN_ERR_VERSION);
    memcpy(other, it.seal, sizeof other);
    for (int i = 0; i < 8; i++) /* a machine of the other order of bytes */
        other[16 + i] = it.seal[23 - i];
    assert_int_equal(pn_unseal(it.block, it.size, other), PN_ERR_VERSION);
    assert_true(pn_sealed_size(other) == 0);
    memset(other, 0, sizeof other);
    assert_int_equal(pn_unseal(it.block, it.size, other), PN_ERR_SEAL);
    assert_true(pn_sealed_size(other) == 0 && pn_sealed_size(NULL) == 0);

    memset(untouched, 0xA5, sizeof untouched);
    memcpy(other, untouched, sizeof other);
    assert_int_equal(pn_seal(NULL, it.size, other), PN_ERR_ARGUMENT);
    assert_int_equal(pn_seal(it.block, it.size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_seal(it.block + 4, it.size, other), PN_ERR_ALIGN);
    assert_int_equal(pn_seal(it.block, it.size - 1, other), PN_ERR_SIZE);
    assert_int_equal(pn_seal(it.block, 8, other), PN_ERR_SIZE);
    assert_int_equal(pn_seal(rubbish, sizeof rubbish, other), PN_ERR_BLOCK);
    memcpy(rubbish, "pn", 2);
    assert_int_equal(pn_seal(rubbish, sizeof rubbish, other), PN_ERR_BLOCK); /* no layout */
    memcpy(rubbish, "px", 2);
    rubbish[1] = rubbish[2] = 0x5000000050; /* any order of bytes: a layout, and a size */
    assert_int_equal(pn_seal(rubbish, sizeof rubbish, other), PN_ERR_BLOCK);
    memcpy(rubbish, "pn", 2);
    rubbish[2] = 8; /* shorter than its layout */
    assert_int_equal(pn_seal(rubbish, sizeof rubbish, other), PN_ERR_BLOCK);
    assert_memory_equal(other, untouched, sizeof other);
    free(it.block);
    contract_slotted.drop(&of);
}

/* Seals any block that begins as blocks do, whatever its size. */
static void the_bytes_behind_the_last_word_are_sealed(void **unused)
{
    pn_block_head head = {.magic = {'p', 'n'}, .layout = sizeof head, .size = sizeof head + 5};
    unsigned char seal[PN_SEAL_SIZE];
    uint64_t block[8] = {0};
    (void)unused;
    memcpy(block, &head, sizeof head);
    assert_int_equal(pn_seal(block, sizeof block, seal), PN_OK);
    ((unsigned char *)block)[sizeof head + 5]++; /* not its own any more */
    assert_int_equal(pn_unseal(block, sizeof block, seal), PN_OK);
    ((unsigned char *)block)[sizeof head + 4]++;
    assert_int_equal(pn_unseal(block, sizeof block, seal), PN_ERR_SEAL);
}

static uint64_t little_endian(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Its name, what the machine makes of types and of the order of bytes, the size, and the sum of
 * these and the block, whose last word is filled up with zeros. */
static void check_words(uint64_t behind)
{
    typedef struct pair {
        char first;
        uint64_t word;
    } pair;
    pn_block_head head = {.magic = {'p', 'n'}, .layout = sizeof head, .size = sizeof head + behind};
    unsigned char seal[PN_SEAL_SIZE + 1], order[8];
    uint64_t block[8] = {0}, sum = PN_MIX_START, ordered = 0x0807060504030201;
    memset(block, 0x5C, sizeof block);
    memcpy(block, &head, sizeof head);
    memset(seal, 0xA5, sizeof seal);
    assert_int_equal(pn_seal(block, (size_t)head.size, seal), PN_OK);
    assert_memory_equal(seal, "pnsealed", 8);
    assert_true(little_endian(seal + 8) ==
                ((uint64_t)PN_SEAL_FORMAT << 32 | offsetof(pair, word) << 16 | sizeof(size_t) << 8 |
                 sizeof(void *)));
    memcpy(order, &ordered, sizeof order);
    assert_memory_equal(seal + 16, order, 8);
    assert_true(little_endian(seal + 24) == head.size);
    for (size_t i = 0; i < 4; i++)
        sum = pn_mix(sum, little_endian(seal + 8 * i));
    memset((unsigned char *)block + head.size, 0, sizeof block - head.size);
    for (size_t i = 0; i * 8 < head.size; i++)
        sum = pn_mix(sum, block[i]);
    assert_true(little_endian(seal + 32) == sum && seal[PN_SEAL_SIZE] == 0xA5);
}

static void a_seal_is_five_words(void **unused)
{
    (void)unused;
    for (uint64_t behind = 0; behind <= 24; behind++)
        check_words(behind);
}

static int sealed_from_inside;

static void try_to_seal(void *user, const pn_slotted_finish *done)
{
    unsigned char seal[PN_SEAL_SIZE];
    (void)done;
    sealed_from_inside = pn_seal(user, (size_t)1 << 30, seal);
}

static void half_a_slot_is_not_sealed(void **unused)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_hooks hooks = {.policy = pn_slotted_policy_find("fifo"), .on_finish = try_to_seal};
    pn_slotted_job job = {.arrival = 1, .maps = 1};
    size_t size;
    void *block;
    pn_slotted *sim;
    (void)unused;
    config.machines = 2;
    config.jobs_max = 4;
    size = pn_slotted_size(&config);
    block = contract_room(size);
    hooks.user = block;
    assert_int_equal(pn_slotted_init(&sim, block, size, &config), PN_OK);
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_slotted_run(sim, &hooks, 10), PN_DONE);
    assert_int_equal(sealed_from_inside, PN_ERR_BUSY);
    free(block);
}

static void timelines_have_seals(void **unused)
{
    size_t size = pn_timeline_size(8, 2);
    void *block = contract_room(size);
    unsigned char seal[PN_SEAL_SIZE];
    uint64_t levels[2] = {1, 2};
    pn_timeline *timeline;
    (void)unused;
    assert_int_equal(pn_timeline_init(&timeline, block, size, 8, 2, PN_TIMELINE_INTEGER), PN_OK);
    assert_int_equal(pn_seal(block, size, seal), PN_OK);
    assert_int_equal(pn_unseal(block, size, seal), PN_OK);
    assert_int_equal(pn_timeline_record(timeline, 3, levels), PN_OK);
    assert_int_equal(pn_unseal(block, size, seal), PN_ERR_SEAL);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_flipped_bit_is_refused),
                                       cmocka_unit_test(every_bit_of_a_small_block),
                                       cmocka_unit_test(a_copy_is_the_block),
                                       cmocka_unit_test(what_is_refused_says_why),
                                       cmocka_unit_test(the_bytes_behind_the_last_word_are_sealed),
                                       cmocka_unit_test(a_seal_is_five_words),
                                       cmocka_unit_test(half_a_slot_is_not_sealed),
                                       cmocka_unit_test(timelines_have_seals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
