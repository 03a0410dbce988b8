#include "plain.h"

plain plain_begin(void)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (plain){c_locale, uselocale(c_locale)};
}

void plain_end(plain *self)
{
    uselocale(self->outside);
    if (self->c_locale)
        freelocale(self->c_locale);
}
