/* What parameters take, and what "the same policy" means (kernel/base/binding.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/binding.h"

static const char *const words[] = {"one", "other", NULL};

enum { REAL, WHOLE, WORD, WIDE, COUNT };

static const pn_param params[COUNT] = {
    [REAL] = {"real", 0.5, -1, 2, NULL, 0, ""},
    [WHOLE] = {"whole", 3, -4, 4, NULL, 1, ""},
    [WORD] = {"word", 1, 0, 1, words, 0, ""},
    [WIDE] = {"wide", 0, -HUGE_VAL, HUGE_VAL, NULL, 1, ""},
};

static void parameters_take_numbers_in_range(void **unused)
{
    static const struct {
        int param;
        double value;
        bool taken;
    } cases[] = {
        {REAL, -1, true},        {REAL, 2, true},          {REAL, 0.1, true},
        {REAL, -0.0, true},      {REAL, 2.5, false},       {REAL, -1.5, false},
        {REAL, NAN, false},      {REAL, HUGE_VAL, false},  {WHOLE, 4, true},
        {WHOLE, -4, true},       {WHOLE, -0.0, true},      {WHOLE, 0.5, false},
        {WHOLE, 5, false},       {WORD, 0, true},          {WORD, 1, true},
        {WORD, 0.5, false},      {WORD, 2, false},         {WIDE, 0x1p53, true},
        {WIDE, -0x1p53, true},   {WIDE, 1e300, true},      {WIDE, 1.5, false},
        {WIDE, HUGE_VAL, false}, {WIDE, -HUGE_VAL, false}, {WIDE, NAN, false},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double values[COUNT] = {0.5, 3, 1, 0};
        const pn_bindable policy = {"p", params, values, COUNT, {0}};
        pn_binding binding;
        values[cases[i].param] = cases[i].value;
        assert_int_equal(pn_param_takes(&params[cases[i].param], cases[i].value), cases[i].taken);
        assert_int_equal(pn_binding_make(&binding, &policy), cases[i].taken);
    }
}

static void a_table_has_names_and_defaults_that_it_takes(void **unused)
{
    pn_param table[COUNT];
    (void)unused;
    assert_true(pn_params_sane(params, COUNT) && pn_params_sane(NULL, 0));
    assert_false(pn_params_sane(params, PN_PARAMS_MAX + 1));
#define WRONG(change)                               \
    do {                                            \
        memcpy(table, params, sizeof table);        \
        change;                                     \
        assert_false(pn_params_sane(table, COUNT)); \
    } while (0)
    WRONG(table[REAL].name = NULL);
    WRONG(table[REAL].value = 3);
    WRONG(table[REAL].value = NAN);
    WRONG(table[REAL].high = NAN);
    WRONG(table[WHOLE].value = 0.5);
    WRONG(table[WORD].value = 0.5);
    WRONG(table[WIDE].value = HUGE_VAL);
#undef WRONG
}

static pn_binding made(const pn_bindable *policy)
{
    pn_binding binding;
    assert_true(pn_binding_make(&binding, policy));
    return binding;
}

static void the_same_policy_has_name_shape_and_parameters(void **unused)
{
    const double defaults[] = {0.5, 3, 1, 0};
    const double zero[] = {0.0, 3, 1, 0}, negative_zero[] = {-0.0, 3, 1, -0.0};
    const double nan[] = {NAN, 3, 1, 0}, above[] = {2.5, 3, 1, 0};
    const char *no_end = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    const pn_bindable policy = {"p", params, NULL, COUNT, {1, 2, 3}};
    pn_bindable again = policy, other = policy;
    pn_binding bound = made(&policy), same;
    (void)unused;
    again.values = defaults;
    same = made(&again);
    assert_memory_equal(&bound, &same, sizeof bound);
    assert_true(pn_binding_is_bound(&bound) && pn_binding_is_of(&bound, &policy) &&
                pn_binding_is_of(&bound, &again));
    other.values = zero;
    again.values = negative_zero;
    same = made(&other);
    assert_true(pn_binding_is_of(&same, &other) && pn_binding_is_of(&same, &again));
    assert_false(pn_binding_is_of(&bound, &other));
    bound.params[REAL] = NAN; /* which is the same as nothing */
    again.values = nan;
    assert_false(pn_binding_is_of(&bound, &again));
#define OTHER(change)                                   \
    do {                                                \
        other = policy;                                 \
        bound = made(&policy);                          \
        change;                                         \
        assert_false(pn_binding_is_of(&bound, &other)); \
    } while (0)
    for (int i = 0; i < PN_SHAPE_WORDS; i++)
        OTHER(other.shape[i]++);
    OTHER(other.name = "q");
    OTHER(other.name = "pq");
    OTHER(other.name = NULL);
    OTHER(other.name = no_end; memset(bound.name, 'x', sizeof bound.name)); /* in no block either */
    OTHER(other.param_count--);
    OTHER(other.param_count = bound.param_count = PN_PARAMS_MAX + 1);
    OTHER(other.values = above; bound.params[REAL] = above[REAL]); /* as no such block is made */
#undef OTHER
}

static void a_name_has_31_bytes_at_most(void **unused)
{
    static const char *const insane[] = {"a name of thirty-two characters.", "", NULL};
    pn_bindable policy = {.name = "a name of thirty-one characters"};
    pn_binding binding = made(&policy);
    (void)unused;
    assert_string_equal(binding.name, policy.name);
    for (size_t i = 0; i < sizeof insane / sizeof insane[0]; i++) {
        policy.name = insane[i];
        assert_false(pn_binding_make(&binding, &policy));
    }
    policy = (pn_bindable){"p", params, NULL, PN_PARAMS_MAX + 1, {0}};
    assert_false(pn_binding_make(&binding, &policy));
}

/* As many parameters as there may be, each of which counts. */
static void every_parameter_is_looked_at(void **unused)
{
    pn_param table[PN_PARAMS_MAX];
    double values[PN_PARAMS_MAX];
    const pn_bindable defaults = {"p", table, NULL, PN_PARAMS_MAX, {1, 2, 3}};
    const pn_bindable policy = {"p", table, values, PN_PARAMS_MAX, {1, 2, 3}};
    (void)unused;
    for (int i = 0; i < PN_PARAMS_MAX; i++)
        table[i] = params[WHOLE];
    assert_true(pn_params_sane(table, PN_PARAMS_MAX));
    const pn_binding bound = made(&defaults);
    assert_true(pn_binding_sound(&bound));
    for (int i = 0; i < PN_PARAMS_MAX; i++) {
        for (int k = 0; k < PN_PARAMS_MAX; k++)
            values[k] = table[k].value;
        assert_true(pn_binding_is_of(&bound, &policy));
        pn_binding other = bound;
        other.params[i] = values[i] = table[i].value - 1;
        assert_false(pn_binding_is_of(&bound, &policy));
        assert_true(pn_binding_is_of(&other, &policy));
        other.params[i] = HUGE_VAL;
        assert_false(pn_binding_sound(&other));
        values[i] = 0.5;
        assert_false(pn_binding_make(&other, &policy));
        table[i].value = 0.5;
        assert_false(pn_params_sane(table, PN_PARAMS_MAX));
        table[i].value = params[WHOLE].value;
    }
}

static void a_binding_from_outside_is_looked_at(void **unused)
{
    const pn_bindable policy = {"p", params, NULL, COUNT, {1, 2, 3}};
    const pn_binding none = {0}, bound = made(&policy);
    pn_binding binding;
    (void)unused;
    assert_true(pn_binding_sound(&none) && !pn_binding_is_bound(&none) && pn_binding_sound(&bound));
#define WRONG(of, change)                         \
    do {                                          \
        binding = of;                             \
        change;                                   \
        assert_false(pn_binding_sound(&binding)); \
    } while (0)
    WRONG(none, binding.name[1] = 'p');
    WRONG(none, binding.shape[2] = 1);
    WRONG(none, binding.params[0] = 1);
    WRONG(none, binding.param_count = 1);
    WRONG(bound, memset(binding.name, 'p', sizeof binding.name));
    WRONG(bound, binding.param_count = PN_PARAMS_MAX + 1);
    WRONG(bound, binding.param_count = UINT32_MAX);
    WRONG(bound, binding.params[REAL] = NAN);
    WRONG(bound, binding.params[WIDE] = HUGE_VAL);
    WRONG(bound, binding.params[COUNT] = 1);
    WRONG(bound, binding.unused = 1);
#undef WRONG
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_take_numbers_in_range),
        cmocka_unit_test(a_table_has_names_and_defaults_that_it_takes),
        cmocka_unit_test(the_same_policy_has_name_shape_and_parameters),
        cmocka_unit_test(a_name_has_31_bytes_at_most),
        cmocka_unit_test(every_parameter_is_looked_at),
        cmocka_unit_test(a_binding_from_outside_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
