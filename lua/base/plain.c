#include "plain.h"

plain plain_begin(void)
{
    locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (plain){own, uselocale(own)};
}

void plain_end(plain *self)
{
    uselocale(self->outside);
    if (self->own)
        freelocale(self->own);
}
