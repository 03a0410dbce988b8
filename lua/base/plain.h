/* The "C" locale for the thread: numbers are written and read with a decimal point, texts compared
 * byte by byte, whatever the host's locale is. */
#ifndef PINION_BASE_PLAIN_H
#define PINION_BASE_PLAIN_H

#include <locale.h>

typedef struct plain {
    locale_t c_locale, outside;
} plain;

/* Sets the locale until plain_end, which restores the thread's earlier one. Pairs may nest. */
plain plain_begin(void);
void plain_end(plain *self);

#endif
