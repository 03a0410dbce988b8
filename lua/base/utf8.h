/* Characters of UTF-8. */
#ifndef PINION_BASE_UTF8_H
#define PINION_BASE_UTF8_H

#include <stddef.h>

/* Returns the bytes of the character at `s`, of which `left` > 0 bytes are there; 0 when it is
 * none. */
size_t utf8_size(const unsigned char *s, size_t left);

#endif
