/* Lines of a store: what is written is read, and nothing else; and SHA-256 by published vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/sha256.h"
#include "support/store_folder.h"

#define DIGEST "{\"digest\":\"0123456789abcdef\""
/* Of the value 1. */
#define TRUE_1 "{\"digest\":\"6b86b273ff34fce1\""

/* ---- SHA-256 --------------------------------------------------------------------------------- */

static void check_hash(const char *bytes, size_t size, size_t piece, const char *expected)
{
    char text[SHA256_TEXT_SIZE];
    sha256 hash;
    sha256_start(&hash);
    for (size_t at = 0; at < size; at += piece)
        sha256_add(&hash, bytes + at, size - at < piece ? size - at : piece);
    sha256_end(&hash, text);
    assert_string_equal(text, expected);
}

/* Of FIPS 180-4's examples; each in pieces of all sizes around those of a block. */
static void test_vectors(void **state)
{
    static const char *const vectors[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
         "lmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
    char *million = malloc(1000000);
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        for (size_t piece = 1; piece < 130; piece++)
            check_hash(vectors[i][0], strlen(vectors[i][0]), piece, vectors[i][1]);
    assert_non_null(million);
    memset(million, 'a', 1000000);
    for (size_t piece = 61; piece < 68; piece++)
        check_hash(million, 1000000, piece,
                   "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* What is read of the line, without its end, that has this key and value. Nothing lies behind the
 * line, so that sanitizers see what looks there. */
static store_kind kind_of(uint64_t key, const char *value)
{
    char line[512];
    store_line read;
    size_t size = line_make(line, key, value) - 1;
    char *alone = malloc(size);
    assert_non_null(alone);
    memcpy(alone, line, size);
    store_kind kind = store_line_read(alone, size, &read);
    free(alone);
    return kind;
}

static void test_round_trip(void **state)
{
    char line[256];
    store_line read;
    size_t size = line_make(line, 0xabc, DIGEST ",\"x\":1}");
    (void)state;
    assert_int_equal(line[size - 1], '\n');
    assert_int_equal(store_line_read(line, size - 1, &read), STORE_FINISHED);
    assert_int_equal(read.key.high, 0);
    assert_int_equal(read.key.low, 0xabc);
    assert_int_equal(read.digest, 0x0123456789abcdef);
    assert_int_equal(read.value_size, strlen(DIGEST ",\"x\":1}"));
    assert_memory_equal(read.value, DIGEST ",\"x\":1}", read.value_size);
    /* zlib's crc32, as Python computes it. */
    assert_memory_equal(line, "52280b95 00000000000000000000000000000abc ", STORE_HEAD_SIZE);
}

static void test_kinds(void **state)
{
    static const struct {
        uint64_t key;
        const char *value;
        store_kind kind;
    } cases[] = {{1, DIGEST, STORE_FINISHED},
                 {1, DIGEST "}", STORE_FINISHED},
                 {1, "{\"digest\":\"0123456789abcde\"}", STORE_WRONG},
                 {1, "{\"digest\":\"0123456789abcdef", STORE_WRONG},
                 {1, "{\"digest\":\"0123456789abcdef0\"}", STORE_WRONG},
                 {1, "{\"digest\":\"0123456789ABCDEF\"}", STORE_WRONG},
                 {1, TRUE_1 ",\"value\":1}", STORE_FINISHED},
                 {1, TRUE_1 ",\"of\":{\"a\":\"}\\\"\",\"value\":2},\"value\":1}", STORE_FINISHED},
                 {1, TRUE_1 ",\"of\":{\"a\":1,\"value\":2}}", STORE_FINISHED},
                 {1, TRUE_1 ",\"value\":2}", STORE_WRONG},
                 {1, TRUE_1 ",\"value\":", STORE_WRONG},
                 {1, TRUE_1 ",\"value\":1,\"x\":1}", STORE_WRONG},
                 {1, DIGEST ",\"value\":1}", STORE_WRONG},
                 {1, "{ \"digest\":\"0123456789abcdef\"}", STORE_WRONG},
                 {1, "{\"failed\":\"why\"}", STORE_FAILED},
                 {1, "{\"failed\":", STORE_FAILED},
                 {1, "{\"failed\"", STORE_WRONG},
                 {1, "", STORE_WRONG},
                 {1, "{\"store\":1,\"x\":2}", STORE_WRONG},
                 {1, "{\"failed\":\"a\tb\"}", STORE_WRONG},
                 {1, "{\"failed\":\"\x1f\"}", STORE_WRONG},
                 {1, "{\"failed\":\"1234567\x01\"}", STORE_WRONG},
                 {1, "{\"failed\":\"\x7f\xc3\xa9 \"}", STORE_FAILED},
                 {1, "{\"failed\":\"\xc3\xa9\"}", STORE_FAILED},
                 {0, "{\"store\":1,\"x\":2}", STORE_ABOUT},
                 {0, "{\"store\":1,", STORE_ABOUT},
                 {0, "{\"store\":1", STORE_WRONG},
                 {0, "{\"store\":1}", STORE_WRONG},
                 {0, "{\"store\":01,\"x\":2}", STORE_WRONG},
                 {0, "{\"store\":,", STORE_WRONG},
                 {0, "{\"store\":-1,", STORE_WRONG},
                 {0, "{\"store\":2,\"x\":2}", STORE_FOREIGN},
                 {0, "{\"store\":2", STORE_FOREIGN},
                 {0, "{\"store\":10,", STORE_FOREIGN},
                 {0, "{\"store\":18446744073709551617,", STORE_FOREIGN},
                 {0, DIGEST, STORE_WRONG},
                 {0, "{\"failed\":1}", STORE_WRONG}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(kind_of(cases[i].key, cases[i].value), cases[i].kind);
}

/* No single bit can change, no byte be lost at the end or come, without being seen. */
static void test_damage(void **state)
{
    char line[256];
    store_line read;
    size_t size = line_make(line, 0xabc, DIGEST ",\"x\":1}") - 1;
    (void)state;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        line[bit / 8] = (char)(line[bit / 8] ^ 1 << bit % 8);
        assert_int_equal(store_line_read(line, size, &read), STORE_WRONG);
        line[bit / 8] = (char)(line[bit / 8] ^ 1 << bit % 8);
    }
    for (size_t less = 0; less < size; less++)
        assert_int_equal(store_line_read(line, less, &read), STORE_WRONG);
    for (int c = 0; c < 256; c++) {
        line[size] = (char)c;
        assert_int_equal(store_line_read(line, size + 1, &read), STORE_WRONG);
    }
    assert_int_equal(store_line_read(line, STORE_LINE_MOST + 1, &read), STORE_WRONG);
}

static void test_keys(void **state)
{
    const char *text = "0123456789abcdeffedcba9876543210";
    char written[STORE_KEY_SIZE], changed[STORE_KEY_SIZE];
    store_key key;
    (void)state;
    assert_true(store_key_read(text, STORE_KEY_SIZE, &key));
    assert_int_equal(key.high, 0x0123456789abcdef);
    assert_int_equal(key.low, 0xfedcba9876543210);
    store_key_write(written, key);
    assert_memory_equal(written, text, STORE_KEY_SIZE);
    assert_false(store_key_read(text, STORE_KEY_SIZE - 1, &key));
    for (int i = 0; i < STORE_KEY_SIZE; i++)
        for (int c = 0; c < 256; c++) {
            memcpy(changed, text, sizeof changed);
            changed[i] = (char)c;
            assert_int_equal(store_key_read(changed, STORE_KEY_SIZE, &key),
                             c > 0 && strchr("0123456789abcdef", c) != NULL);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_kinds), cmocka_unit_test(test_damage), cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
