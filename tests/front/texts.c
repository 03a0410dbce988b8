/* Small texts that people read: the name nearest to a mistyped one, quotes of files, progress. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/gz_lines.h"
#include "base/nearest.h"
#include "base/progress.h"

static void the_nearest_name_is_found(void **state)
{
    static const char *const known[] = {"beta",
                                        "abd",
                                        "abc",
                                        "pending_out",
                                        "pending_in",
                                        "pending_zone",

                                        "a_name_that_is_much_longer_than_what_is_compared",
                                        NULL};
    static const struct {
        const char *name, *nearest;
    } cases[] = {{"abx", "abc"}, /* of equally near ones the first in order */
                 {"abe", "abc"},
                 {"bac", "abc"},
                 {"BETA", "beta"},
                 {"pendign_in", "pending_in"},
                 {"pending", "pending_in"}, /* begins so, as does a later one */
                 {"pend", "pending_in"},
                 {"pen", NULL},
                 {"xyz", NULL},
                 {"", NULL},
                 {"a_name_that_is_much_longer_than_what_is_compare", NULL},
                 {"a_name_that_is_much_longer_thn", NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = nearest_name(cases[i].name, known);
        if (cases[i].nearest)
            assert_string_equal(nearest ? nearest : "none", cases[i].nearest);
        else
            assert_null(nearest);
    }
}

static void quotes_are_short_and_printable(void **state)
{
    static const struct {
        const char *field, *quoted;
    } cases[] = {{"plain ~", "plain ~"}, {"a\tb\x7f\xc3\xa9", "a?b???"}, {"", ""}};
    char text[GZ_QUOTE_SIZE], field[2 * GZ_QUOTE_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gz_quote(text, cases[i].field);
        assert_string_equal(text, cases[i].quoted);
    }
    memset(field, 'x', sizeof field);
    field[GZ_QUOTE_SIZE - 4] = '\0'; /* as much as there is room for */
    gz_quote(text, field);
    assert_string_equal(text, field);
    field[GZ_QUOTE_SIZE - 4] = 'x';
    field[GZ_QUOTE_SIZE - 3] = '\0';
    gz_quote(text, field);
    strcpy(field + GZ_QUOTE_SIZE - 4, "...");
    assert_string_equal(text, field);
}

/* Shows what a terminal gets at this time of a process that began at 0. */
static void check_shown(uint64_t from, uint64_t done, uint64_t total, double now,
                        const char *expected)
{
    char shown[200] = "";
    progress self = {.label = "a label of more letters", .from = from, .enabled = 1};
    FILE *file = tmpfile();
    int terminal = dup(2);
    assert_non_null(file);
    fflush(stderr);
    dup2(fileno(file), 2);
    progress_show(&self, done, total, "jobs", now);
    fflush(stderr);
    dup2(terminal, 2);
    close(terminal);
    rewind(file);
    shown[fread(shown, 1, sizeof shown - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(shown, expected);
}

#define LABEL "\r\033[Ka label of more lett: "

static void progress_has_rate_and_time_left(void **state)
{
    (void)state;
    check_shown(0, 50, 100, 0.1, ""); /* too early */
    check_shown(0, 50, 100, 10, LABEL "50 of 100 jobs, 5/s, 10 s left");
    check_shown(0, 99, 9999, 1, LABEL "99 of 9999 jobs, 99/s, 2 min left");
    check_shown(0, 10000, 1234567, 1, LABEL "10.0 k of 1235 k jobs, 10.0 k/s, 2 min left");
    check_shown(0, 5000, 30000000, 1, LABEL "5000 of 30.0 M jobs, 5000/s, 100 min left");
    check_shown(0, 1, 360001, 1, LABEL "1 of 360 k jobs, 1/s, days left");
    check_shown(0, 1, 360000, 1, LABEL "1 of 360 k jobs, 1/s, 100 h left");
    check_shown(0, 200, 100, 10, LABEL "200 of 100 jobs, 20/s, 0 s left");
    check_shown(40, 50, 100, 10, LABEL "50 of 100 jobs, 1/s, 50 s left");
    check_shown(60, 50, 100, 10, LABEL "50 jobs, 0/s"); /* no rate yet */
    check_shown(0, 0, 100, 10, LABEL "0 jobs, 0/s");
    check_shown(0, 50, 0, 10, LABEL "50 jobs, 5/s");
    check_shown(0, UINT64_MAX, UINT64_MAX, 1000,
                LABEL "18447 P of 18447 P jobs, 18.4 P/s, 0 s left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearest_name_is_found),
                                       cmocka_unit_test(quotes_are_short_and_printable),
                                       cmocka_unit_test(progress_has_rate_and_time_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
