/* Lines of input logs: JSON whose numbers are read again to the bit, within the bytes that there
 * are. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
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
        {0x1p-1022, "\"0x1.0000000000000p-1022\""},
        {1.5, "\"0x1.8000000000000p+0\""},
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

static void every_byte_changes_the_check(void **unused)
{
    (void)unused;
    assert_true(pn_input_check(3, "ab", 0) == 3);
    assert_true(pn_input_check(3, "ab", 2) == pn_mix(pn_mix(3, 'a'), 'b'));
}

/* Every letter, as JSON has it. */
static void letters_are_escaped_where_they_must_be(void **unused)
{
    char text[64], want[64];
    pn_writer out = {text, sizeof text, 0, '['};
    (void)unused;
    for (int letter = 1; letter <= UCHAR_MAX; letter++) {
        const char asked[] = {(char)letter, 'x', '\0'};
        if (letter < ' ')
            snprintf(want, sizeof want, "\"\\u%04xx\"", (unsigned)letter);
        else
            snprintf(want, sizeof want, strchr("\"\\", letter) ? "\"\\%s\"" : "\"%s\"", asked);
        pn_write_string(&out, asked);
        check_written(&out, want);
    }
}

/* ---- fields ---- */

typedef struct sample {
    uint64_t large, wide[2];
    uint32_t small, list[3];
    int32_t below;
    uint32_t unused;
} sample;

static const pn_field fields[] = {PN_FIELD(sample, small),        PN_FIELD(sample, large),
                                  PN_FIELD_OF_INT(sample, below), PN_FIELDS(sample, list),
                                  PN_FIELDS(sample, wide),        {.name = NULL}};

static void fields_are_written_by_their_names(void **unused)
{
    const sample some = {.large = UINT64_MAX,
                         .wide = {UINT64_C(1) << 40, 4},
                         .small = 7,
                         .list = {0, 1, UINT32_MAX},
                         .below = -5};
    const sample none = {0},
                 ends[] = {{.list = {0, 0, 9}}, {.small = 1}, {.wide = {0, 1}, .below = -1}};
    char text[256];
    pn_writer out = {text, sizeof text, 0, '{'};
    (void)unused;
    pn_write_fields(&out, fields, &some, false);
    check_written(&out, "\"small\":7,\"large\":\"0xffffffffffffffff\",\"below\":-5,"
                        "\"list\":[0,1,4294967295],\"wide\":[1099511627776,4]");
    pn_write_fields(&out, fields, &none, false);
    check_written(&out, "\"small\":0,\"large\":0,\"below\":0,\"list\":[0,0,0],\"wide\":[0,0]");
    pn_write_fields(&out, fields, &none, true);
    check_written(&out, "");
    pn_write_groups(&out, "them", fields, ends, sizeof *ends, 3);
    check_written(&out,
                  "\"them\":[{\"list\":[0,0,9]},{\"small\":1},{\"below\":-1,\"wide\":[0,1]}]");
    pn_write_groups(&out, "them", fields, ends, sizeof *ends, 0);
    check_written(&out, "\"them\":[]");
}

static void events_begin_with_their_time(void **unused)
{
    char text[64];
    pn_writer out = {text, sizeof text, 0, '{'};
    (void)unused;
    pn_write_time(&out, 5, "tick");
    check_written(&out, "\"time\":5,\"event\":\"tick\"");
    pn_write_digest(&out, 0xab);
    pn_write_digest(&out, UINT64_C(1) << 60);
    check_written(&out, "\"00000000000000ab\",\"1000000000000000\"");
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
    static const pn_param params[] = {{.name = "x", .value = 2.0}, {.name = "y", .value = 0.5}};
    static const char *const names[] = {"gpu", "n"}, *const values[] = {"a100", "h100"},
                             *const groups[] = {"us", "them"};
    static const pn_input_labels labels[] = {{.texts = values, .count = 2}, {NULL, 0}};
    const double given[] = {3.0, 4.0};
    pn_input_about about = {
        .struct_size = sizeof about, .attributes = names, .attributes_count = 1};
    char text[512], want[512];
    pn_writer out = {text, sizeof text, 0, '{'};
    (void)unused;
    pn_write_policy(&out, "p", params, 2, NULL, NULL);
    check_written(&out, "\"policy\":\"p\",\"params\":{\"x\":2,\"y\":\"0x1.0000000000000p-1\"}");
    pn_write_policy(&out, "p", params, 2, given, &about);
    check_written(&out,
                  "\"policy\":\"p\",\"params\":{\"x\":3,\"y\":4},\"attribute_names\":[\"gpu\"]");
    about.labels = labels;
    about.attributes_count = 2;
    about.groups = groups;
    about.groups_count = 2;
    about.text = "return 1";
    about.text_size = 8;
    pn_write_policy(&out, "p", params, 0, NULL, &about);
    snprintf(want, sizeof want,
             "\"policy\":\"p\",\"params\":{},\"lua\":\"%016llx\","
             "\"attribute_names\":[\"gpu\",\"n\"],\"attribute_texts\":[[\"a100\",\"h100\"],[]],"
             "\"group_names\":[\"us\",\"them\"]",
             (unsigned long long)pn_input_check(0, about.text, about.text_size));
    check_written(&out, want);
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
    char want[64] = "{\"time\":5,\"event\":\"tick\"";
    check = pn_input_check(7, want, strlen(want));
    snprintf(want + strlen(want), sizeof want - strlen(want), ",\"check\":\"%08lx\"}\n",
             (unsigned long)(check & UINT32_MAX));
    assert_true(needed == strlen(want) + 1);
    assert_string_equal(text, want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_are_read_again_to_the_bit),
        cmocka_unit_test(every_byte_changes_the_check),
        cmocka_unit_test(letters_are_escaped_where_they_must_be),
        cmocka_unit_test(fields_are_written_by_their_names),
        cmocka_unit_test(events_begin_with_their_time),
        cmocka_unit_test(texts_are_escaped_and_lists_without_entries_left_out),
        cmocka_unit_test(a_policy_stands_with_what_is_known_of_it),
        cmocka_unit_test(a_line_says_how_many_bytes_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
