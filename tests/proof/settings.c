/* Any rows of settings of any configuration. */
#include "proof.h"

#include "base/settings.c"

enum { ROWS = 5 };

typedef struct configuration {
    uint32_t narrow[4];
    uint64_t wide[4];
} configuration;

static pn_setting rows[ROWS];

void main(void)
{
    configuration config, copy;
    Frama_C_make_unknown((char *)&config, sizeof config);
    for (int i = 0; i < ROWS; i++) {
        rows[i].low = any_word();
        rows[i].high = any_long();
        rows[i].value = any_word();
        rows[i].offset = (uint16_t)any_below(sizeof config - 8 + 1);
        rows[i].size = any() ? 4 : 8;
        rows[i].automatic = any();
    }
    size_t count = any_below(ROWS + 1);
    switch (any_below(4)) {
    case 0:
        pn_setting_get(&rows[any_below(ROWS)], &config);
        break;
    case 1:
        pn_settings_default(rows, count, &config);
        break;
    case 2:
        pn_settings_copy(rows, count, &copy, &config);
        break;
    default:
        pn_settings_check(rows, count, &config);
    }
}
