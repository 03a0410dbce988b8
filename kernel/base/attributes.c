/* See attributes.h. */
#include "attributes.h"

bool pn_attributes_sane(const double *given, uint64_t count)
{
    for (uint32_t i = 0; given && i < count; i++)
        if (given[i] - given[i] != 0.0) /* infinite, or not a number */
            return false;
    return true;
}

void pn_attributes_put(pn_attributes table, uint32_t place, const double *given)
{
    double *own = pn_attributes_of(table, place);
    for (uint32_t i = 0; i < table.count; i++)
        own[i] = given ? given[i] + 0.0 : 0.0; /* -0 becomes 0 */
}

const double *pn_attributes_copy(pn_attributes table, uint32_t place,
                                 double copy[PN_ATTRIBUTES_MAX])
{
    const double *own = pn_attributes_of(table, place);
    for (uint32_t i = 0; i < table.count; i++)
        copy[i] = own[i];
    return table.count > 0 ? copy : NULL;
}
