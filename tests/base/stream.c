/* The random streams against the published answers of Philox 4x32-10, and what a stream promises
 * beyond them: order, copying, independence of its parameters. Also the two functions of
 * status.c. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "pn_base.h"

static void philox_gives_the_published_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t block[4];
        pn_philox(known[i].counter, known[i].key, block);
        assert_memory_equal(block, known[i].block, sizeof block);
    }
}

static void a_stream_is_the_sequence_of_its_blocks(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, UINT64_C(0x1122334455667788), 7, 9);
    const uint32_t key[2] = {0x55667788, 0x11223344};
    for (uint32_t index = 0; index < 5; index++) {
        uint32_t block[4];
        pn_philox((uint32_t[]){index, 0, 7, 9}, key, block);
        for (int word = 0; word < 4; word++)
            assert_int_equal(pn_random32(&stream), block[word]);
    }
}

static void the_block_index_carries_into_its_second_word_and_no_further(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 1, 7, 9);
    stream.counter[0] = UINT32_MAX;
    pn_random32(&stream);
    assert_int_equal(stream.counter[0], 0);
    assert_int_equal(stream.counter[1], 1);

    pn_stream_init(&stream, 1, 7, 9);
    stream.counter[0] = UINT32_MAX;
    stream.counter[1] = UINT32_MAX;
    pn_random32(&stream);
    assert_int_equal(stream.counter[0], 0);
    assert_int_equal(stream.counter[1], 0);
    assert_int_equal(stream.counter[2], 7);
    assert_int_equal(stream.counter[3], 9);
}

static void sixty_four_bits_are_two_words_low_half_first_at_any_offset(void **state)
{
    (void)state;
    for (int offset = 0; offset < 5; offset++) {
        pn_stream whole, halves;
        pn_stream_init(&whole, 42, 0, 0);
        for (int i = 0; i < offset; i++)
            pn_random32(&whole);
        halves = whole;
        for (int i = 0; i < 20; i++) {
            uint64_t low = pn_random32(&halves);
            uint64_t high = pn_random32(&halves);
            assert_true(pn_random64(&whole) == (high << 32 | low));
        }
    }
}

static void a_copy_continues_like_the_original(void **state)
{
    (void)state;
    pn_stream stream, copy;
    pn_stream_init(&stream, 3, 1, 4);
    pn_random32(&stream);
    copy = stream;
    uint64_t expected[10];
    for (int i = 0; i < 10; i++)
        expected[i] = pn_random64(&stream);
    for (int i = 0; i < 10; i++)
        assert_true(pn_random64(&copy) == expected[i]);
}

static void seed_replica_and_purpose_each_give_another_stream(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        uint32_t replica, purpose;
    } triples[] = {{0, 0, 0}, {1, 0, 0}, {UINT64_C(1) << 32, 0, 0}, {UINT64_MAX, 0, 0},
                   {0, 1, 0}, {0, 0, 1}, {0, UINT32_MAX, 0}};
    enum { TRIPLES = sizeof triples / sizeof *triples };
    uint64_t first[TRIPLES];
    for (size_t i = 0; i < TRIPLES; i++) {
        pn_stream stream;
        pn_stream_init(&stream, triples[i].seed, triples[i].replica, triples[i].purpose);
        first[i] = pn_random64(&stream);
        for (size_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static void every_bit_is_set_half_of_the_time(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    pn_stream stream;
    pn_stream_init(&stream, 2026, 0, 0);
    int ones[64] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint64_t value = pn_random64(&stream);
        for (int bit = 0; bit < 64; bit++)
            ones[bit] += (int)(value >> bit & 1);
    }
    for (int bit = 0; bit < 64; bit++) /* the standard deviation is 158 */
        assert_in_range(ones[bit], DRAWS / 2 - 790, DRAWS / 2 + 790);
}

static void the_first_hundred_thousand_numbers_have_the_golden_digest(void **state)
{
    (void)state;
    const uint64_t golden = UINT64_C(0xC912925F45ADF3F1);
    pn_stream stream;
    pn_stream_init(&stream, 1, 2, 3);
    uint64_t digest = PN_MIX_START;
    for (int i = 0; i < 100000; i++)
        digest = pn_mix(digest, pn_random64(&stream));
    if (digest != golden)
        print_error("the digest of pn_random64 is now 0x%016" PRIX64 "\n", digest);
    assert_true(digest == golden);
}

static void the_linked_version_is_that_of_the_header(void **state)
{
    (void)state;
    assert_string_equal(pn_version(), PN_VERSION);
}

static void each_status_has_its_number_and_its_name(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *name;
    } pinned[] = {
        {0, "PN_OK"},
        {1, "PN_DONE"},
        {2, "PN_PAUSED"},
        {-1, "PN_ERR_ARGUMENT"},
        {-2, "PN_ERR_CONFIG"},
        {-3, "PN_ERR_SIZE"},
        {-4, "PN_ERR_ALIGN"},
        {-5, "PN_ERR_FULL"},
        {-6, "PN_ERR_LATE"},
        {-7, "PN_ERR_ORDER"},
        {-8, "PN_ERR_JOB"},
        {-9, "PN_ERR_BUSY"},
        {-10, "PN_ERR_POLICY"},
        {-11, "PN_ERR_MODE"},
        {-12, "PN_ERR_INFEASIBLE"},
        {-13, "PN_ERR_OVERFLOW"},
        {-14, "PN_ERR_BLOCK"},
        {-15, "PN_ERR_REJECTED"},
        {-16, "PN_ERR_STOPPED"},
        {-17, "PN_ERR_DAMAGED"},
        {-18, "PN_ERR_STALE"},
        {-19, "PN_ERR_SEAL"},
        {-20, "PN_ERR_VERSION"},
        {-21, "PN_ERR_ROUNDING"},
        {-22, "PN_ERR_SUBNORMAL"},
        {-23, "PN_ERR_CONTRACTED"},
        {-24, "PN_ERR_ARITHMETIC"},
        {3, "PN_ERR_UNKNOWN"},
        {-25, "PN_ERR_UNKNOWN"},
        {INT32_MIN, "PN_ERR_UNKNOWN"},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
        assert_string_equal(pn_status_name(pinned[i].status), pinned[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_known_answers),
        cmocka_unit_test(a_stream_is_the_sequence_of_its_blocks),
        cmocka_unit_test(the_block_index_carries_into_its_second_word_and_no_further),
        cmocka_unit_test(sixty_four_bits_are_two_words_low_half_first_at_any_offset),
        cmocka_unit_test(a_copy_continues_like_the_original),
        cmocka_unit_test(seed_replica_and_purpose_each_give_another_stream),
        cmocka_unit_test(every_bit_is_set_half_of_the_time),
        cmocka_unit_test(the_first_hundred_thousand_numbers_have_the_golden_digest),
        cmocka_unit_test(the_linked_version_is_that_of_the_header),
        cmocka_unit_test(each_status_has_its_number_and_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
