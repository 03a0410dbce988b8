/* Attributes of any jobs: every double, also none, as tables from outside hold it. */
#include "proof.h"

#include "base/attributes.c"

enum { JOBS = 3 };

static double values[JOBS * PN_ATTRIBUTES_MAX], given[PN_ATTRIBUTES_MAX], copy[PN_ATTRIBUTES_MAX];

void main(void)
{
    uint64_t most = any_long();
    uint32_t count = each_below(PN_ATTRIBUTES_MAX + 1), place = any_below(JOBS);
    for (int i = 0; i < JOBS * PN_ATTRIBUTES_MAX; i++)
        values[i] = Frama_C_double_interval(-1e308, 1e308) / (any() ? 1.0 : 0.0);
    for (int i = 0; i < PN_ATTRIBUTES_MAX; i++)
        given[i] = Frama_C_double_interval(-1e308, 1e308) / (any() ? 1.0 : 0.0);
    pn_attributes table = {values, count};
    pn_attributes_in_range(most);
    pn_attributes_before(values, sizeof values, JOBS, count);
    switch (any_below(5)) {
    case 0:
        pn_attributes_sane(any() ? given : NULL, count);
        break;
    case 1:
        pn_attributes_put(table, place, any() ? given : NULL);
        break;
    case 2:
        pn_attributes_copy(table, place, copy);
        break;
    case 3:
        if (count > 0)
            pn_attributes_get(table, place, any_below(count));
        break;
    default:
        pn_attributes_sound(table, JOBS);
    }
}
