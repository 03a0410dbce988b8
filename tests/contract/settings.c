/* Rows of settings, of every model: a value beyond either end of a range is refused with the row's
 * text, the default and both ends are not. Input logs have every setting of their core. */
#include <string.h>

#include "base/settings.h"
#include "contract.h"

/* Checks a configuration with this value. Returns what is wrong with it, or null. */
static const char *told(const contract_model *model, const contract_case *of,
                        const pn_setting *setting, uint64_t value)
{
    contract_case changed = *of;
    contract_put(changed.config, setting, value);
    return model->kernel()->check(changed.config);
}

static void check_ends(const contract_model *model, const contract_case *of,
                       const pn_setting *setting)
{
    const uint64_t most = setting->size == 4 ? UINT32_MAX : UINT64_MAX;
    const char *wrong;
    if (setting->low > 0)
        assert_string_equal(told(model, of, setting, (uint64_t)setting->low - 1), setting->range);
    if (setting->high < most)
        assert_string_equal(told(model, of, setting, setting->high + 1), setting->range);
    if (setting->automatic)
        assert_null(told(model, of, setting, UINT64_MAX));
    /* Fields that depend on each other may be refused by another text, as nodes that do not
     * divide the slots. */
    for (int end = 0; end < 2; end++) {
        wrong = told(model, of, setting, end == 0 ? setting->low : setting->high);
        assert_true(!wrong || strcmp(wrong, setting->range) != 0);
    }
}

static void check_row(const pn_setting *setting)
{
    size_t names = 0;
    assert_true(strchr(setting->range, ':') > setting->range);
    assert_true(setting->value <= setting->high);
    if (!setting->rule)
        return;
    assert_true(setting->rule->doc && setting->rule->doc[0] && setting->rule->source);
    assert_true(setting->automatic == (setting->rule->automatic != NULL));
    while (setting->rule->names && setting->rule->names[names])
        names++;
    assert_true(names == 0 || (setting->low == 0 && names == setting->high + 1));
}

static void every_range_is_checked(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++) {
        const contract_model *model = contract_models[i];
        const pn_setting *setting;
        contract_case of;
        size_t count = 0;
        assert_true(model->make(0, &of));
        while ((setting = model->kernel()->setting_at(count))) {
            check_row(setting);
            check_ends(model, &of, setting);
            count++;
        }
        assert_true(count >= 10 || model == &contract_slotted);
        assert_null(model->kernel()->setting_at(SIZE_MAX));
        model->drop(&of);
    }
}

static uint64_t value_of(const unsigned char *config, const pn_setting *setting)
{
    uint32_t narrow;
    uint64_t wide;
    memcpy(&narrow, config + setting->offset, sizeof narrow);
    if (setting->size == sizeof narrow)
        return narrow;
    memcpy(&wide, config + setting->offset, sizeof wide);
    return wide;
}

/* Whatever stood there before; nothing behind the configuration changes. */
static void defaults_are_those_of_the_rows(void **unused)
{
    (void)unused;
    for (size_t i = 0; contract_models[i]; i++) {
        const pn_model *kernel = contract_models[i]->kernel();
        _Alignas(8) unsigned char config[CONTRACT_CONFIG];
        const pn_setting *setting;
        assert_true(kernel->config_size <= sizeof config);
        memset(config, 0xA5, sizeof config);
        kernel->defaults(config);
        for (size_t k = 0; (setting = kernel->setting_at(k)); k++)
            assert_true(value_of(config, setting) == setting->value);
        assert_true(kernel->config_size == sizeof config || config[kernel->config_size] == 0xA5);
    }
}

static void a_default_fills_its_member_and_no_other(void **unused)
{
    typedef struct pair {
        uint64_t wide, behind;
        uint32_t narrow, last;
    } pair;
    static const pn_setting rows[] = {{PN_NUMBER(pair, wide, 0, 9, 5)},
                                      {PN_NUMBER(pair, narrow, 0, 9, 7)}};
    pair config;
    (void)unused;
    memset(&config, 0xA5, sizeof config);
    pn_settings_default(PN_ROWS(rows), &config);
    assert_true(config.wide == 5 && config.behind == UINT64_C(0xA5A5A5A5A5A5A5A5));
    assert_true(config.narrow == 7 && config.last == UINT32_C(0xA5A5A5A5));
}

/* Whether some row of either list has this rank, and only one. */
static bool has_rank(const contract_model *model, const contract_model *core, uint32_t rank)
{
    const contract_model *lists[] = {model, core};
    uint32_t count = 0;
    const pn_setting *setting;
    for (int list = 0; list < 2; list++)
        for (size_t i = 0; lists[list] && (setting = lists[list]->kernel()->setting_at(i)); i++)
            count += setting->rule && setting->rule->rank == rank;
    assert_true(count <= 1);
    return count == 1;
}

static void ranks_of_rules_have_no_gaps(void **unused)
{
    static const struct {
        const contract_model *model, *core;
        uint32_t least;
    } all[] = {{&contract_makespan, NULL, 6},
               {&contract_cluster, &contract_scheduler, 17},
               {&contract_dag, &contract_dispatch, 12}};
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint32_t last = 0;
        for (uint32_t rank = 1; rank < 1000; rank++)
            last = has_rank(all[i].model, all[i].core, rank) ? rank : last;
        assert_true(last >= all[i].least);
        for (uint32_t rank = 1; rank <= last; rank++)
            assert_true(has_rank(all[i].model, all[i].core, rank));
    }
}

static bool is_listed(const pn_field *fields, const pn_setting *setting)
{
    for (; fields->name; fields++)
        if (strncmp(setting->range, fields->name, strlen(fields->name)) == 0 &&
            setting->range[strlen(fields->name)] == ':')
            return fields->offset == setting->offset && fields->size == setting->size;
    return false;
}

static void input_logs_have_every_setting(void **unused)
{
    (void)unused;
    const pn_setting *setting;
    for (size_t i = 0; (setting = pn_scheduler_setting_at(i)); i++)
        assert_true(is_listed(pn_scheduler_fields(PN_SCHEDULER_PART_CONFIG), setting));
    for (size_t i = 0; (setting = pn_dispatch_setting_at(i)); i++)
        assert_true(is_listed(pn_dispatch_fields(PN_DISPATCH_PART_CONFIG), setting));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_range_is_checked),
                                       cmocka_unit_test(defaults_are_those_of_the_rows),
                                       cmocka_unit_test(a_default_fills_its_member_and_no_other),
                                       cmocka_unit_test(ranks_of_rules_have_no_gaps),
                                       cmocka_unit_test(input_logs_have_every_setting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
