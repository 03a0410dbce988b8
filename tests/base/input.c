/* Lines of input logs: JSON whose numbers are read again to the bit, within the bytes that there
 * are. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"

/* Compares what was written of a value, of a line that has begun. */
static void check_written(pn_writer *out, const char *want)
{
    size_t length = strlen(want);
    assert_true(out->used <= out->size);
    assert_int_equal(out->used, length);
    assert_memory_equal(out->text, want, length);
    out->used = 0;
    out->last = '[';
}

static void reals_are_read_again_to_the_bit(void **unused)
{
    static const struct {
        double number;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "\"-0x0.0000000000000p-1022\""},
        {12.0, "12"},
        {-12.0, "-12"},
        {0x1p53, "9007199254740992"},
        {-0x1p53, "-9007199254740992"},
        {0x1p54, "\"0x1.0000000000000p+54\""},
        {-0x1p54, "\"-0x1.0000000000000p+54\""},
        {0.1, "\"0x1.999999999999ap-4\""},
        {-2.5, "\"-0x1.4000000000000p+1\""},
        {0x1p-1074, "\"0x0.0000000000001p-1022\""},
    };
    char text[64];
    pn_writer out = {text, sizeof text, 0, '['};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pn_write_real(&out, rows[i].number);
        text[out.used] = '\0';
        double again = strtod(text + (text[0] == '"'), NULL);
        assert_memory_equal(&again, &rows[i].number, sizeof again);
        check_written(&out, rows[i].text);
    }
    pn_write_number(&out, INT64_MAX);
    check_written(&out, "9223372036854775807");
    pn_write_number(&out, UINT64_MAX);
    check_written(&out, "\"0xffffffffffffffff\"");
}

static void texts_are_escaped_and_lists_without_entries_left_out(void **unused)
{
    static const char *const texts[] = {"a", NULL, "\"\\\n"};
    static const double reals[] = {1.0, 0.5};
    char text[256];
    pn_writer out = {text, sizeof text, 0, '['};
    (void)unused;
    pn_write_strings(&out, "none", texts, 0);
    pn_write_reals(&out, "none", reals, 0);
    pn_write_reals(&out, "none", NULL, 2);
    check_written(&out, "");
    pn_write_strings(&out, "some", texts, 3);
    check_written(&out, "\"some\":[\"a\",\"\",\"\\\"\\\\\\u000a\"]");
    pn_write_reals(&out, "some", reals, 2);
    check_written(&out, "\"some\":[1,\"0x1.0000000000000p-1\"]");
}

static void a_policy_stands_with_what_is_known_of_it(void **unused)
{
    static const pn_param params[] = {{.name = "x", .value = 2.0}};
    static const char *const names[] = {"gpu"}, *const values[] = {"a100", "h100"};
    static const pn_input_labels labels[] = {{.texts = values, .count = 2}};
    const double given[] = {3.0};
    pn_input_about about = {
        .struct_size = sizeof about, .attributes = names, .attributes_count = 1};
    char text[512];
    pn_writer out = {text, sizeof text, 0, '{'};
    (void)unused;
    pn_write_policy(&out, "p", params, 1, NULL, NULL);
    check_written(&out, "\"policy\":\"p\",\"params\":{\"x\":2}");
    pn_write_policy(&out, "p", params, 1, given, &about);
    check_written(&out, "\"policy\":\"p\",\"params\":{\"x\":3},\"attribute_names\":[\"gpu\"]");
    about.labels = labels;
    about.text = "return 1";
    about.text_size = 8;
    pn_write_policy(&out, "p", params, 0, NULL, &about);
    assert_non_null(
        strstr((text[out.used] = '\0', text), "\"attribute_texts\":[[\"a100\",\"h100\"]]"));
    assert_non_null(strstr(text, "\"lua\":\""));
    about.struct_size = offsetof(pn_input_about, labels); /* a host that knows no labels */
    out.used = 0;
    pn_write_policy(&out, "p", params, 0, NULL, &about);
    assert_null(strstr((text[out.used] = '\0', text), "attribute_texts"));
}

/* Nothing is written behind the bytes that there are, and all is counted. */
static void a_line_says_how_many_bytes_it_needs(void **unused)
{
    char text[64];
    uint64_t check = 0, kept;
    size_t needed = SIZE_MAX;
    (void)unused;
    for (size_t size = 0; size <= sizeof text; size++) {
        pn_writer out = {text, size, 0, 0};
        memset(text, '#', sizeof text);
        kept = check = 7;
        pn_write_text(&out, "{");
        pn_write_time(&out, 5, "tick");
        size_t now = pn_write_end(&out, &check);
        assert_true(needed == SIZE_MAX || now == needed);
        needed = now;
        assert_int_equal(check != kept, size >= needed);
        for (size_t i = size; i < sizeof text; i++)
            assert_int_equal(text[i], '#');
    }
    assert_true(needed < sizeof text && strlen(text) + 1 == needed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_are_read_again_to_the_bit),
        cmocka_unit_test(texts_are_escaped_and_lists_without_entries_left_out),
        cmocka_unit_test(a_policy_stands_with_what_is_known_of_it),
        cmocka_unit_test(a_line_says_how_many_bytes_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
